/*
 * map.h -- the rules of a mapping file for the threads, marks and system calls of a kernel trace, in order.
 *
 *      mapping file -> (import/kernel/mapFile.h) -> tacKernelMap -> (import/kernel/tasks) tasks, jobs, mutexes, servers
 *
 * The first rule that fits a thread counts, by its name, its pid or both. Another rule may fit after the thread has
 * changed its name, so the rule is looked up again then. A thread that no rule fits is a task as without a mapping.
 *
 * A lookup compares pattern after pattern; the number of rules is limited (TAC_MAP_RULES), so that a hostile mapping
 * costs time in proportion to the trace only. Futex addresses are found by a hash.
 */
#ifndef TAC_IMPORT_KERNEL_MAP_H
#define TAC_IMPORT_KERNEL_MAP_H

#include "base/decimal.h"
#include "base/intern.h"
#include "import/kernel/record.h"
#include "trace/diag.h"
#include "trace/scheduling.h"
#include "trace/vocab.h"

enum { TAC_MAP_RULES = 1024 }; /* most rules of one sort */

typedef enum tacBoundary { /* the beginning and end of a thread's jobs */
    TAC_BOUNDARY_AUTO,     /* as WAKEUP; of a deadline thread also a replenishment, and the end of the budget; of a
                              real-time thread also where it yields */
    TAC_BOUNDARY_WAKEUP,   /* the wake-up that ends a waiting; the next waiting */
    TAC_BOUNDARY_MARK,     /* marks that the thread itself writes */
    TAC_BOUNDARY_SYSCALL,  /* the wake-up that ends a waiting within this system call; the next such call */
    TAC_BOUNDARY_EVENT,    /* any events while the thread runs */
    TAC_BOUNDARY_PROGRAM   /* what its program says, in a recording that has it; else as AUTO */
} tacBoundary;

typedef struct tacKernelRule {   /* rule for a thread; texts live as long as the map */
    const char *name;            /* shown instead of the thread's; NULL */
    const char *group;           /* NULL: tacKernelMapGroup */
    int64_t T, D, C;             /* period, relative deadline, budget (worst-case execution time): ns; TAC_UNKNOWN */
    bool plainT, plainD, plainC; /* not ns, but billionths of the trace's own unit (mapFile.h) */
    int32_t priority;       /* shown instead of the thread's, in the kernel's numbers; TAC_KERNEL_NO_PRIORITY: none */
    bool hidden;            /* ignore: no task */
    tacScheduler scheduler; /* stated instead of the one that the priority tells; NONE */
    const char *cpus;       /* list of processors on which it may run; NULL: not stated */
    tacBoundary boundary;
    const char *begin, *end; /* MARK, EVENT: patterns; SYSCALL: begin is the pattern of the call's name, end NULL;
                                WAKEUP: NULL */
} tacKernelRule;

typedef struct tacKernelSaidTask { /* what a program says of a thread (record.h, TAC_KERNEL_TASK) */
    tacKernelRule rule;            /* that counts where no mapping has one of another boundary than PROGRAM */
    uint32_t index;                /* gets the object index of the thread's task; TAC_NONE: there is no such thread */
    bool mapped;                   /* gets true where a mapping's rule counts */
} tacKernelSaidTask;

typedef enum tacKernelBlocked { /* rule by which block.c tells blocked threads from those that wait for the next job */
    TAC_BLOCKED_MAPPING,        /* as the mapping says; in a mapping: not given */
    TAC_BLOCKED_AUTO,           /* by everything in the trace, the rules in order; the default */
    TAC_BLOCKED_PRIORITY        /* by the two priorities of a switch alone */
} tacKernelBlocked;

typedef struct tacKernelMap tacKernelMap;

extern const char *const tacKernelBlockedWords[]; /* "mapping", "auto", "priority"; NULL-terminated */

tacKernelBlocked tacKernelMapBlocked(const tacKernelMap *map);

/* Rule of the mapping for a thread with this name; NULL: none. */
const tacKernelRule *tacKernelMapThread(const tacKernelMap *map, int32_t pid, tacKernelText comm);
/* Group of a thread with this rule (NULL: none) and name; NULL: none. */
const char *tacKernelMapGroup(const tacKernelMap *map, const tacKernelRule *rule, tacKernelText comm);

/* Does a job of the record's current thread begin, or end, at this record, by a rule with boundary MARK, EVENT or
 * SYSCALL (there: entry of the call)? */
bool tacKernelRuleBegins(const tacKernelRule *rule, const tacKernelRecord *record);
bool tacKernelRuleEnds(const tacKernelRule *rule, const tacKernelRecord *record);

/*
 * Id of the mutex whose futex is used by the call that this record enters; NULL: none. A release happens at once; an
 * acquisition (*acquires) happens at the call's exit, if that returns 0.
 */
const char *tacKernelMapFutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires);
/* Id of the mutex that the current thread acquires (*acquires) or releases by this record, according to a pattern;
 * NULL: none. */
const char *tacKernelMapMutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires);

/* Id of the server that this record tells of; NULL: none. *event: replenished, resumed, preempted or depleted; *budget:
 * ns, of a replenishment; TAC_UNKNOWN: not given. */
const char *tacKernelMapServer(
    const tacKernelMap *map, const tacKernelRecord *record, tacEvent *event, int64_t *budget);

/* Definition number i of a mutex or server, in the order of the file; false: there are not so many. */
typedef struct tacKernelNamed {
    const char *id, *name; /* name NULL: not given */
    int64_t capacity;      /* server: ns; TAC_UNKNOWN */
} tacKernelNamed;
bool tacKernelMapMutexAt(const tacKernelMap *map, size_t i, tacKernelNamed *mutex);
bool tacKernelMapServerAt(const tacKernelMap *map, size_t i, tacKernelNamed *server);

/* Adds remarks on rules that nothing fitted, with the name that may have been meant. names: of all threads of the trace
 * (NULL-terminated), or NULL. */
void tacKernelMapRemarks(const tacKernelMap *map, const char *const *names, tacDiag *diag);
/* The same for rules of tasks only. remark: what is said of a pattern, "no thread fits". */
void tacKernelMapTaskRemarks(const tacKernelMap *map, const char *remark, const char *const *names, tacDiag *diag);

/* ---- making one ---- */

typedef struct tacKernelMutexRule { /* events by which a mutex is acquired and released */
    int64_t futex;                  /* address, as the kernel's 64 bits; 0: not by futex calls */
    const char *acquire, *release;  /* patterns; NULL */
} tacKernelMutexRule;

typedef struct tacKernelServerRule {
    const char *pattern[4]; /* by event - TAC_EV_SERVER_REPLENISHED; NULL */
    const char *key;        /* the budget is the number behind this text; NULL: "budget" */
    int64_t capacity;       /* ns; TAC_UNKNOWN */
} tacKernelServerRule;

tacKernelMap *tacKernelMapNew(const char *file); /* file: name of the mapping in remarks. NULL: no memory */
void tacKernelMapFree(tacKernelMap *map);        /* NULL is fine */

void tacKernelMapSetBlocked(tacKernelMap *map, tacKernelBlocked blocked);
/* Add a rule, whose texts are copied. line: of the mapping; pid -1: any. Errors: MEMORY, LIMIT MAP. */
tacStatus tacKernelMapAddThread(
    tacKernelMap *map, const char *pattern, int32_t pid, const tacKernelRule *rule, uint32_t line, tacError *err);
tacStatus tacKernelMapAddGroup(tacKernelMap *map, const char *name, const char *pattern, uint32_t line, tacError *err);
tacStatus tacKernelMapAddMutex(
    tacKernelMap *map, const char *id, const char *name, const tacKernelMutexRule *rule, uint32_t line, tacError *err);
tacStatus tacKernelMapAddServer(
    tacKernelMap *map, const char *id, const char *name, const tacKernelServerRule *rule, uint32_t line, tacError *err);

#endif
