/*
 * automatonRun.h -- the running state of automata: their instances, and what the files that follow them share.
 *
 *   automatonStart.c   begins the runs and their instances, and ends them
 *   automatonRun.c     row -> events and changes of states -> instances -> transitions -> actions
 *   automatonGroup.c   instances that begin with a transition (-key, -overlap)
 *   automatonStay.c    invariants of the states that instances stay in
 *   automatonTell.c    judgements and their sentences, values of limits that are to be found
 */
#ifndef TAC_JUDGE_AUTOMATON_RUN_H
#define TAC_JUDGE_AUTOMATON_RUN_H

#include "judge/constraint.h"
#include "judge/groups.h"
#include "judge/instances.h"
#include "judge/kinds.h"
#include "judge/learn.h"
#include "judge/limit.h"
#include "judge/returns.h"

typedef struct tacAutomatonInstance {
    uint32_t object; /* index of the processor or task; of a job: its id */
    uint32_t job;    /* index of tacModel.jobs, or TAC_NONE */
    uint32_t task;   /* of the task or the job; TAC_NONE: it has none */
    uint32_t state;
    bool alive;
    bool grouped; /* it began with a transition (-key, -overlap) */
    uint8_t verdict;
    tacBlocksOf blocks; /* of gauges */
    uint32_t place;
} tacAutomatonInstance;

typedef struct tacAutomatonRun {
    const tacAutomaton *automaton;
    bool few;     /* few tasks concern it */
    bool ofTasks; /* instance i is that of task i from the beginning to the end */
    bool shares;  /* there are shared variables */
    TAC_ARRAY(tacAutomatonInstance *)
    instances;              /* of tasks and processors by index, NULL: not wanted; of jobs in any order */
    tacVariable *variables; /* of instance i from i * nVariables on */
    __int128 *memories;     /* the same with nMemories; */
    tacPlace *places;       /* the gauge of each */
    tacAsking asking;       /* of the instance that is looked at */
    size_t nVariables, nMemories;
    size_t room;                /* of both: instances */
    TAC_ARRAY(bool) lacks;      /* by place * nConstraints + constraint: it was told that the trace does not tell */
    TAC_ARRAY(uint32_t) ofSlot; /* of jobs: the instance of the job in a slot (tacLivingJobs), or TAC_NONE */
    TAC_ARRAY(uint32_t) free;   /* places of instances that have ended */
    tacGroups groups;           /* instances of jobs by task; those with -overlap by object, with -key by value */
    uint32_t candidate;         /* place of the instance that begins next, with -key or -overlap */
    bool *wanted;               /* with -overlap: by object; NULL: all */
    bool full;                  /* it was told that no more instances begin */
    tacVariable *shared;        /* by variable: of all instances; the others are not used */
    __int128 *sharedMemories;   /* the same by memory */
    TAC_ARRAY(tacVerdictNote) notes;
    uint64_t *kept;                     /* notes of all runs together */
    uint64_t onlyCounted[TAC_VERDICTS]; /* findings beyond TAC_MOST_NOTES */
    tacStays *stays;                    /* in states with invariants; NULL: the model has none */
    struct tacAutomata *all;
    tacSought *samples; /* by constraint, then by invariant: of limits that are to be found; NULL: there are none */
    tacInternTable soughtKeys; /* with -key: the values of their instances */
} tacAutomatonRun;

/* The jobs that live, each in a slot, where somebody follows jobs. */
typedef struct tacLivingJobs {
    uint32_t *byId; /* the slot of the newest job of an id, or TAC_NONE */
    TAC_ARRAY(struct tacLivingJob {
        uint32_t job;   /* index of tacModel.jobs */
        uint32_t older; /* slot of an earlier job of the same id, which ends with this row; or TAC_NONE */
    })
    slots;
    TAC_ARRAY(uint32_t) free;
} tacLivingJobs;

/* What a change from one state to another is to models. */
enum { TAC_CONCERN_COUNTED = 1, TAC_CONCERN_HEARD = 2 };
typedef TAC_ARRAY(uint32_t) tacAutomatonList; /* of indices of runs */

struct tacAutomata {
    const tacModel *model; /* of the trace; ids and definitions are its */
    tacAutomatonRun *runs;
    size_t n;
    uint64_t kept;         /* notes of all runs */
    tacInstances *written; /* where instances are written down, or NULL */
    tacGauges *gauges;
    tacKinds kinds;                          /* that the trace records */
    TAC_ARRAY(uint32_t) jobRuns;             /* those that have an instance a job, and */
    TAC_ARRAY(uint32_t) touching[TAC_CELLS]; /* by cell: those that have a transition of it; both without: */
    tacAutomatonList few;                    /* those that follow few tasks, and nothing of others; */
    tacAutomatonList *ofTask;                /* by task: which of these follow it, nTasks. NULL: there are none */
    uint32_t nTasks;
    bool followsJobs;                          /* some run has an instance a job */
    bool listens[TAC_CELLS];                   /* by cell: does anything depend on it? */
    bool counts;                               /* do gauges count events that happen? */
    bool light;                                /* nothing but these, changes and totals of tasks matters, and: */
    uint8_t concerns[TAC_STATES * TAC_STATES]; /* by change: tacConcern */
    bool ofJobs;                               /* some gauges are those of jobs */
    tacReturns returns;                        /* kept where something listens to them */
    TAC_ARRAY(uint32_t) staying;               /* runs with invariants that do not follow few tasks */
    tacAgenda agenda;                          /* of all invariants */
    tacLivingJobs living;
};

/* The runs that few tasks concern, among them this one. */
static inline tacAutomatonList tacAutomataOfTask(const tacAutomata *all, uint32_t task) {
    return all->ofTask && task != TAC_NONE ? all->ofTask[task] : (tacAutomatonList){0};
}

/* Variables of the instance in a place. */
static inline tacVariable *tacAutomatonVariables(const tacAutomatonRun *run, uint32_t place) {
    return run->variables + place * run->nVariables;
}

/* The slot of a job; TAC_NONE: it lives no more. */
static inline uint32_t tacLivingJobSlot(const tacLivingJobs *living, const tacModel *model, uint32_t job) {
    uint32_t slot = job == TAC_NONE ? TAC_NONE : living->byId[model->jobs.at[job].id];
    while (slot != TAC_NONE && living->slots.at[slot].job != job) slot = living->slots.at[slot].older;
    return slot;
}

/* Place of the instance of a job; TAC_NONE: there is none, or it has ended. */
static inline uint32_t tacAutomatonOfJob(const tacAutomatonRun *run, const tacModel *model, uint32_t job) {
    uint32_t slot = tacLivingJobSlot(&run->all->living, model, job);
    return slot < run->ofSlot.count ? run->ofSlot.at[slot] : TAC_NONE;
}

/* Does a transition of this cell lead out of the state? */
static inline bool tacAutomatonHasWay(const tacAutomaton *a, uint32_t state, uint32_t cell) {
    return a->cells[state * TAC_CELLS + cell] != TAC_NONE;
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

/* A free place for an instance, with its variables empty. TAC_NONE: no memory. */
uint32_t tacAutomatonPlace(tacAutomatonRun *run);
/* Begins an instance in the initial state: its place. TAC_NONE: no memory. */
uint32_t tacAutomatonBegin(
    tacAutomatonRun *run, uint32_t object, uint32_t job, const tacGauges *gauges, const tacModel *model);
/* Is a task to be followed (-of, -priority)? */
bool tacAutomatonWants(const tacAutomatonRun *run, const tacStore *store, uint32_t task);

/* ---- judgements -------------------------------------------------------------------------------------------------- */

/* Adds what a sentence about an instance begins with: "model NAME, task ID: ". */
void tacAutomatonSayHead(
    const tacAutomata *all, const tacAutomatonRun *run, const tacAutomatonInstance *instance, tacText *text);
/* Keeps a judgement, or only counts it where there are too many; takes the text over. */
tacStatus tacAutomatonNote(tacAutomatonRun *run, tacAutomatonInstance *instance, tacVerdict verdict,
    const tacOccurrence *o, const tacStore *store, const tacStatement *statement, tacText *text, tacError *err);
/* With -key, the value has its instance's key instead of an object. False: no memory. */
bool tacAutomatonNoteKey(tacAutomatonRun *run, const tacAutomatonInstance *instance, tacSoughtValue *value);
/* Notes a value of a constraint with a limit that is to be found. */
tacStatus tacAutomatonSample(tacAutomatonRun *run, const tacAutomatonInstance *instance, const tacAction *action,
    const tacOccurrence *o, const tacOutcome *outcome, tacError *err);
/* Tells which values of limits that are to be found are far from the others, and how many there are. */
tacStatus tacAutomatonTellFar(const tacAutomata *all, tacAutomatonRun *run, tacError *err);

/* ---- transitions ------------------------------------------------------------------------------------------------- */

/* A moment of the instance in a place. */
tacAsking *tacAutomatonAsking(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacOccurrence *o);
/* Takes a transition: its actions, then its state. asking: NULL where it has no actions. */
tacStatus tacAutomatonTake(const tacAutomata *all, tacAutomatonRun *run, uint32_t place,
    const tacTransition *transition, const tacOccurrence *o, tacAsking *asking, tacError *err);
/* Tells of an event of the model that the instance's state does not expect (-strict). */
tacStatus tacAutomatonRefuse(const tacAutomata *all, tacAutomatonRun *run, tacAutomatonInstance *instance,
    const tacOccurrence *o, tacError *err);
/* The first transition that an instance takes at what happens; NULL: none. */
const tacTransition *tacAutomatonChoose(
    const tacAutomatonRun *run, const tacAutomatonInstance *instance, const tacOccurrence *o, tacAsking *asking);
/* Ends an instance that is over; what says so comes from where it is. */
tacStatus tacAutomatonFinish(const tacAutomata *all, tacAutomatonRun *run, uint32_t place, const tacOccurrence *o,
    const char *what, tacError *err);

/* ---- instances that begin with a transition ---------------------------------------------------------------------- */

/* Offers what happens to the instances of an object or a value, from the oldest on, then to one that may begin. The
 * first one that takes a transition takes it from the others. key NULL: of an object. */
tacStatus tacAutomatonOfferGroup(const tacAutomata *all, tacAutomatonRun *run, uint32_t object, const tacWord *key,
    const tacOccurrence *o, tacError *err);
/* Offers what happens to the instances of its value of the field, if it has one. */
tacStatus tacAutomatonOfferKey(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err);
/* Offers what happens to the instances of every object. */
tacStatus tacAutomatonOfferGroups(const tacAutomata *all, tacAutomatonRun *run, const tacOccurrence *o, tacError *err);

/* ---- invariants -------------------------------------------------------------------------------------------------- */

/* Prepares to follow the stays of the instances in states, of which some live already. */
bool tacStaysStart(tacAutomata *all, uint32_t k);
/* Notes that the jobs of instances have changed. */
bool tacStaysTouchAll(const tacAutomata *all, const tacModel *model, const tacStateChange *changes, uint32_t n);
/* A job enters a state in which those of some instances must not be. */
tacStatus tacStaysEnterAll(const tacAutomata *all, const tacOccurrence *o, tacError *err);

#endif
