/*
 * tactusrec_evaluate.h -- monitors: elements of many sensors, in one order of time, given to evaluations that come and
 * go while it runs.
 *
 *      directories, folders of them, inputs of one's own -> merge by time -> prepare of all, then commit of those
 *      that want it: histogram, meter, machine, or the caller's
 *
 *      tacrec_evaluator *all = tacrec_evaluatorNew(1000000);
 *      tacrec_evaluatorWatch(all, "/dev/shm/tactus", 0);       a folder, or one directory
 *      tacrec_evaluatorAdd(all, &histogram.evaluation);
 *      tacrec_evaluatorServe(all, &service, &stop);            or tacrec_evaluatorStep, as often as one likes
 *
 * Source: Riegel, "A Generalized Approach to Runtime Monitoring for Real-Time Systems" (GRTMon, 2005), sections 3 and
 * 4. libtactusrec(3) describes it. Times are nanoseconds of CLOCK_MONOTONIC.
 *
 * Order. An element's time is taken a moment before others can see it, and its writer may be stopped in between. So an
 * element is handed out when all inputs have a later one, or `wait` nanoseconds after its time. One that is seen only
 * then is late: it is counted, and given out of order, marked, to those who want that. Nothing is waited for longer.
 *
 * Threads. One thread at a time takes steps and looks for sensors. Evaluations are added and removed by any thread.
 */
#ifndef TACTUSREC_EVALUATE_H
#define TACTUSREC_EVALUATE_H

#include "tactusrec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TACREC_EVALUATIONS = 256, /* of an evaluator, at most */
    TACREC_PATTERNS = 8       /* of an evaluation, at most */
};

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* What is read from an input. */
typedef struct tacrec_read {
    uint64_t time;
    uint64_t number;                   /* among all of the sensor, from 0 */
    uint64_t missed;                   /* elements of the sensor that were lost right before it */
    uint64_t data[TACREC_ELEMENT / 8]; /* as many bytes as the sensor's size */
    uint32_t thread;                   /* kernel's number of the thread that wrote it; 0: not known */
} tacrec_read;

/* An element as evaluations get it; valid during the call. */
typedef struct tacrec_seen {
    const tacrec_read *read;
    const tacrec_entry *entry; /* its sensor: name, fields */
    const char *program;
    uint32_t pid;
    uint32_t input;   /* number of the input, never used twice */
    uint32_t pattern; /* index of the first of the evaluation's patterns that fits */
    bool late;        /* others, with later times, were given before it */
} tacrec_seen;

/*
 * A source of elements of one's own, as of the kernel. next: 1, an element is in *read; 0, there is none yet; -1, there
 * will be none any more. It takes a bounded number of steps. now: the time that the step was given. close (may be
 * NULL): it is used no more.
 */
typedef struct tacrec_input {
    const tacrec_entry *entry; /* name, size and fields; it is copied, as the program's name is */
    const char *program;       /* NULL: none */
    uint32_t pid;
    int (*next)(void *data, uint64_t now, tacrec_read *read);
    void (*close)(void *data);
    void *data;
} tacrec_input;

/* The index of a field, or -1. */
int tacrec_fieldOf(const tacrec_entry *entry, const char *name);
/* The value of the field of this index: exact below 2^53. False: it is a text, or there is none. */
bool tacrec_fieldNumber(const tacrec_seen *element, int field, double *value);

/* ---- evaluations ------------------------------------------------------------------------------------------------- */

/*
 * What is done with elements. The caller owns it; between tacrec_evaluatorAdd and the call of `removed` it stays where
 * it is, and the first six members as they are. All functions are called by the thread that takes the steps.
 *
 * prepare: looks at an element and tells whether the evaluation wants it. It changes nothing that others look at: when
 * it is called, all evaluations are as they were before the element. commit: takes it; all that were asked have
 * answered. So evaluations that ask one another do not depend on their order. NULL: everything is wanted.
 */
typedef struct tacrec_evaluation {
    const char *sensors[TACREC_PATTERNS]; /* patterns (* ? []) of names of sensors; up to the first NULL */
    const char *program;                  /* pattern of programs; NULL: any */
    bool late;                            /* late elements are wanted, too */
    bool (*prepare)(void *data, const tacrec_seen *element);
    void (*commit)(void *data, const tacrec_seen *element);
    void (*passed)(void *data, uint64_t time); /* NULL, or: all elements before this time have been given, but for late
                                                  ones; called after steps with times that grow */
    void (*removed)(void *data);               /* NULL, or the last call: it may be freed */
    void *data;
    struct tacrec_evaluation *next; /* the evaluator's, as are those that follow */
    uint32_t leaving;
} tacrec_evaluation;

typedef struct tacrec_evaluator tacrec_evaluator;

/* Makes an evaluator that waits so many nanoseconds for elements that are being written. NULL: no memory. */
tacrec_evaluator *tacrec_evaluatorNew(uint64_t wait);
/* Removes all evaluations, and forgets all inputs. */
void tacrec_evaluatorFree(tacrec_evaluator *evaluator);

/*
 * Adds an evaluation, which gets elements from the next step on. It does not wait, nor allocate. False: there are
 * TACREC_EVALUATIONS already.
 */
bool tacrec_evaluatorAdd(tacrec_evaluator *evaluator, tacrec_evaluation *evaluation);
/*
 * Removes it: by the thread that takes the steps at once, else within the next step. The memory is the caller's again
 * when `removed` is called, which happens in the next step, or when the evaluator is freed.
 */
void tacrec_evaluatorRemove(tacrec_evaluator *evaluator, tacrec_evaluation *evaluation);

/*
 * Watches a directory, or all directories NAME.tacrec of a folder, those to come as well. 0, or what errno says.
 * flags: of tacrec_monitorOpen. Directories of programs that have ended before are passed over in folders.
 */
int tacrec_evaluatorWatch(tacrec_evaluator *evaluator, const char *path, unsigned flags);
/* Adds an input of one's own. False: no memory; then it is not closed. */
bool tacrec_evaluatorInput(tacrec_evaluator *evaluator, const tacrec_input *input);
/*
 * Looks for directories and sensors that came, and forgets those of programs that have ended, once they are read. It
 * allocates, and reads folders. Returns how many sensors came. What a program has written before it is found may be
 * late, unless each step comes right after a look, and its `now` is taken before that.
 */
int tacrec_evaluatorLook(tacrec_evaluator *evaluator);

/*
 * Instead of steps: an evaluator whose elements somebody has in order already. ...Feed makes an input of them, whose
 * entry and program are copied (NULL: no memory), ...Give hands on an element of it, ...Passed tells that all before
 * `time` were given, and takes note of evaluations that come and go (0: only that), ...Forget ends an input, whose
 * memory the next look frees.
 */
typedef struct tacrec_fed tacrec_fed;
tacrec_fed *tacrec_evaluatorFeed(
    tacrec_evaluator *evaluator, const tacrec_entry *entry, const char *program, uint32_t pid);
void tacrec_evaluatorGive(tacrec_evaluator *evaluator, tacrec_fed *input, const tacrec_read *read, bool late);
void tacrec_evaluatorPassed(tacrec_evaluator *evaluator, uint64_t time);
void tacrec_evaluatorForget(tacrec_evaluator *evaluator, tacrec_fed *input);

/*
 * Gives evaluations up to `most` elements, in order of time. now: the time, which does not go back. Returns how many
 * there were; `most` of them: there may be more. Steps: the number of inputs, and for each element the logarithm of it.
 */
uint64_t tacrec_evaluatorStep(tacrec_evaluator *evaluator, uint64_t now, uint64_t most);
/* CLOCK_MONOTONIC, in nanoseconds. */
uint64_t tacrec_evaluatorNow(void);

typedef struct tacrec_evaluated { /* so far */
    uint64_t elements;            /* that were read, late ones among them */
    uint64_t late;
    uint64_t missed; /* that were overwritten, or whose writers stopped within them for longer than `wait` */
    uint64_t wild;   /* with times more than a second in the future, which were taken as of now */
    uint32_t inputs, directories; /* there are now */
    uint32_t refused;             /* directories of other users in folders, without TACREC_TRUSTED */
} tacrec_evaluated;
tacrec_evaluated tacrec_evaluatorCount(const tacrec_evaluator *evaluator);

/* The kth input that there is now: its sensor and program, read and missed elements. False: there are not so many. */
typedef struct tacrec_inputSaid {
    const tacrec_entry *entry;
    const char *program;
    uint32_t pid, input;
    uint64_t elements, missed, late;
} tacrec_inputSaid;
bool tacrec_evaluatorSaid(const tacrec_evaluator *evaluator, uint32_t k, tacrec_inputSaid *said);

/* ---- ready-made evaluations -------------------------------------------------------------------------------------- */

/*
 * All of them: set up by ...Begin, which takes `sensors` and the rest of `evaluation` as they stand there (the caller
 * sets them first), then added. They are read by the thread that takes the steps, or after their end.
 *
 * Called when a limit is passed, with the value, and the element at which it was seen (NULL: none came).
 */
typedef void tacrec_alarm(void *data, double value, uint64_t time, const tacrec_seen *element);

typedef enum tacrec_measureOf {
    TACREC_OF_FIELD = 1, /* values of a field */
    TACREC_OF_DISTANCE,  /* nanoseconds from each element to the next one */
    TACREC_OF_SPAN       /* nanoseconds from an element of the first pattern to the next of another one */
} tacrec_measureOf;

enum { TACREC_BINS = 256 };

typedef struct tacrec_histogram {
    tacrec_evaluation evaluation;
    tacrec_measureOf of;
    const char *field;   /* FIELD: its name. SPAN: NULL, or one that is the same in both elements, as a number */
    double first, width; /* the lower end of the first bin, the width of each */
    uint32_t bins;       /* 1 .. TACREC_BINS */
    double most;         /* a larger value is an alarm */
    tacrec_alarm *alarm; /* NULL: none */
    void *data;          /* for alarm */
    /* What was found: */
    uint64_t count, counts[TACREC_BINS], below, above;
    uint64_t alarms;
    uint64_t broken; /* spans and distances that are not known, since elements were missed; values that are no numbers
                      */
    double least, largest, sum;
    /* Its own: */
    struct {
        double key;
        uint64_t time;
        bool open;
    } spans[64]; /* that have begun; for distances the first is the last element */
    uint32_t fieldInput;
    int fieldIndex;
    double value;
} tacrec_histogram;

void tacrec_histogramBegin(tacrec_histogram *histogram);
/* A value that so many (0 .. 1) of all do not exceed, by the upper ends of bins; NAN: there are none. */
double tacrec_histogramQuantile(const tacrec_histogram *histogram, double share);

enum { TACREC_SLOTS = 64 };

/* Elements in the last `window` nanoseconds, to a 64th of it. Missed ones count where the next one came. */
typedef struct tacrec_meter {
    tacrec_evaluation evaluation;
    uint64_t window;
    double least, most; /* elements in a window: fewer (once it is full) or more are an alarm, once until it is over */
    tacrec_alarm *alarm;
    void *data;
    uint64_t count; /* what was found: in the window that ends now */
    uint64_t largest, alarms;
    uint64_t slots[TACREC_SLOTS], slot, begin; /* its own: the last slot that was counted in, the first one */
    bool running, beyondLeast, beyondMost;
} tacrec_meter;

void tacrec_meterBegin(tacrec_meter *meter);

enum {
    TACREC_STATES = 32,
    TACREC_ANY = 0xffff,    /* of a transition: from any state */
    TACREC_UNKNOWN = 0xfffe /* the state after elements were missed, until one comes that leads to the same state from
                               all that have a transition for it */
};

typedef struct tacrec_transition {
    uint16_t from, to;
    uint32_t pattern; /* of the evaluation, which the element's sensor fits */
    /* NULL: always. It changes nothing, and may be asked more than once. */
    bool (*guard)(void *data, const struct tacrec_transition *transition, const tacrec_seen *element);
} tacrec_transition;

typedef enum tacrec_machineSays {
    TACREC_SAYS_ENTERED = 1, /* a state was entered by an element */
    TACREC_SAYS_LONG,        /* it has been in the state for longer than its limit: told once */
    TACREC_SAYS_UNEXPECTED,  /* no transition fits an element */
    TACREC_SAYS_LOST         /* elements were missed: the state is not known */
} tacrec_machineSays;

typedef struct tacrec_machine {
    tacrec_evaluation evaluation;
    const tacrec_transition *transitions; /* the first that fits is taken */
    uint32_t transitionCount, states;     /* states are 0 .. states - 1; it begins in 0 */
    uint64_t limits[TACREC_STATES];       /* nanoseconds that a state may last; 0: any time */
    void (*says)(void *data, tacrec_machineSays what, uint64_t time, const tacrec_seen *element);
    void *data; /* for guards and says */
    /* What was found: */
    uint32_t state;
    uint64_t since; /* time at which it was entered; of the first one: since when it is watched; 0: not yet */
    uint64_t entered[TACREC_STATES], spent[TACREC_STATES], longest[TACREC_STATES];
    uint64_t said[5]; /* how often, by tacrec_machineSays */
    bool told;        /* its own */
    uint32_t to;
} tacrec_machine;

/* False: a state of a transition is not below `states`, or there are more than TACREC_STATES. */
bool tacrec_machineBegin(tacrec_machine *machine);

/* ---- a reserved server ------------------------------------------------------------------------------------------- */

typedef enum tacrec_reserved {
    TACREC_BEST_EFFORT, /* nothing was granted */
    TACREC_FIFO,        /* SCHED_FIFO */
    TACREC_DEADLINE     /* SCHED_DEADLINE: so much time in each period, by the deadline */
} tacrec_reserved;

typedef struct tacrec_service {
    uint64_t period, deadline, budget; /* nanoseconds; deadline 0: the period; budget 0: best effort is enough */
    uint64_t most;                     /* elements in each period, as tactus plan tells; 0: any number */
    uint64_t look;                     /* nanoseconds between two looks for sensors; 0: 100 ms */
    int priority;                      /* of SCHED_FIFO; 0: 10 */
    /* What became of it: */
    tacrec_reserved reserved;
    int problem;                /* errno of the best kind that was not granted; 0: it was */
    uint64_t periods, overruns; /* of them, those whose step ended after the deadline */
    uint64_t longest;           /* step and look, in nanoseconds */
} tacrec_service;

/*
 * Asks for the budget for the calling thread: SCHED_DEADLINE, else SCHED_FIFO, else nothing; notes which in *service.
 * A thread with SCHED_DEADLINE cannot make others, and may run on all processors only.
 */
tacrec_reserved tacrec_reserve(tacrec_service *service);
/*
 * Takes a step in each period until *stop is not 0, and looks for sensors before it, as often as is said. Returns after
 * the step of the period in which that is seen.
 */
void tacrec_evaluatorServe(tacrec_evaluator *evaluator, tacrec_service *service, const uint32_t *stop);

/* ---- copying in real time, evaluating when there is time --------------------------------------------------------- */

/*
 * A queue of elements from one thread to another. The first, a reserved server, has an evaluator with the copy's
 * evaluation alone, which takes so much time for each element as copying it needs. The other takes as much time as its
 * evaluations need; what finds no room in the queue meanwhile is missed, and counted.
 *
 *      tacrec_copy *copy = tacrec_copyNew(1 << 20);
 *      tacrec_evaluatorAdd(first, tacrec_copyEvaluation(copy));        then tacrec_evaluatorServe(first, ...)
 *      tacrec_copyStep(copy, second, UINT64_MAX);                      by the other thread, as often as it likes
 */
typedef struct tacrec_copy tacrec_copy;

/* bytes: at least so many; an element takes 40 and its size. NULL: no memory. */
tacrec_copy *tacrec_copyNew(uint64_t bytes);
/* After both evaluators. */
void tacrec_copyFree(tacrec_copy *copy);
/* Copies elements of all sensors, late ones among them; `sensors` and `program` may be changed before it is added. */
tacrec_evaluation *tacrec_copyEvaluation(tacrec_copy *copy);
/* Feeds an evaluator, always the same, with up to `most` elements that were copied. Returns how many there were. */
uint64_t tacrec_copyStep(tacrec_copy *copy, tacrec_evaluator *evaluator, uint64_t most);
/* How many elements were dropped so far, since the queue was full. By any thread. */
uint64_t tacrec_copyDropped(const tacrec_copy *copy);

#ifdef __cplusplus
}
#endif

#endif
