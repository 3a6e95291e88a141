/*
 * map.h -- what a mapping file says of the threads, marks and system calls of a kernel trace: rules, in order.
 *
 *      mapping file -> (import/kernel/mapFile.h) -> tacKernelMap -> (import/kernel/tasks) tasks, jobs, mutexes, servers
 *
 * The first rule that fits a thread counts, by its name, its pid or both. A thread that changes its name may fit
 * another rule then, so the answer is asked for again whenever the name changes. Without any rule that fits, a
 * thread is a task as if there were no mapping.
 *
 * Looking up is by pattern after pattern; the number of rules is limited (TAC_MAP_RULES), so that a hostile mapping
 * costs time in proportion to the trace only. Futex addresses are found by a hash.
 */
#ifndef TAC_IMPORT_KERNEL_MAP_H
#define TAC_IMPORT_KERNEL_MAP_H

#include "base/decimal.h"
#include "base/intern.h"
#include "import/kernel/record.h"
#include "trace/diag.h"
#include "trace/vocab.h"

enum { TAC_MAP_RULES = 1024 }; /* most rules of one sort */

typedef enum tacBoundary { /* what begins and ends the jobs of a thread */
    TAC_BOUNDARY_WAKEUP,   /* the wake-up that ends a waiting; the next waiting */
    TAC_BOUNDARY_MARK,     /* marks that the thread itself writes */
    TAC_BOUNDARY_SYSCALL,  /* the wake-up that ends a waiting within this system call; the next such call */
    TAC_BOUNDARY_EVENT     /* any events while the thread runs */
} tacBoundary;

typedef struct tacKernelRule { /* what a mapping says of a thread; texts live as long as the map */
    const char *name;          /* shown instead of the thread's; NULL */
    const char *group;         /* NULL: tacKernelMapGroup */
    int64_t T, D, C;           /* period, relative deadline, budget (worst-case execution time): ns; TAC_UNKNOWN */
    int32_t priority;          /* shown, in the kernel's numbers; TAC_KERNEL_NO_PRIORITY: the kernel's */
    bool hidden;               /* ignore: no task */
    tacBoundary boundary;
    const char *begin, *end; /* MARK, EVENT: patterns; SYSCALL: begin is the pattern of the call's name, end NULL;
                                WAKEUP: NULL */
} tacKernelRule;

typedef enum tacKernelBlocked { /* how block.c tells a thread that is blocked from one that waits for its next job */
    TAC_BLOCKED_MAPPING,        /* as the mapping says; of a mapping: it says nothing */
    TAC_BLOCKED_AUTO,           /* by all that the trace has: rules in an order. The default */
    TAC_BLOCKED_PRIORITY        /* by the two priorities of a switch alone */
} tacKernelBlocked;

typedef struct tacKernelMap tacKernelMap;

extern const char *const tacKernelBlockedWords[]; /* "mapping", "auto", "priority"; NULL-terminated */

/* What the mapping says of that. */
tacKernelBlocked tacKernelMapBlocked(const tacKernelMap *map);

/* What the mapping says of a thread with this name now; NULL: nothing. */
const tacKernelRule *tacKernelMapThread(const tacKernelMap *map, int32_t pid, tacKernelText comm);
/* The group of the thread for which that was the answer (NULL too); NULL: none. */
const char *tacKernelMapGroup(const tacKernelMap *map, const tacKernelRule *rule, int32_t pid, tacKernelText comm);

/* By a rule with boundary MARK, EVENT or SYSCALL (there: entry of the call): does a job of the thread in this record's
 * header begin, or end, here? */
bool tacKernelRuleBegins(const tacKernelRule *rule, const tacKernelRecord *record);
bool tacKernelRuleEnds(const tacKernelRule *rule, const tacKernelRecord *record);

/*
 * Is this record the entry of a call that uses a futex which is a mutex? Its id, or NULL. A release happens at once; an
 * acquisition
 * (*acquires) has been asked for, and happens at the call's exit if that says 0.
 */
const char *tacKernelMapFutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires);
/* Does a pattern say that this record, done by the thread in its header, acquires (*acquires) or releases a mutex? Its
 * id, or NULL. */
const char *tacKernelMapMutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires);

/* Does it say something of a server? Its event (replenished, resumed, preempted, depleted); budget in ns, of a
 * replenishment: TAC_UNKNOWN when it says none. */
const char *tacKernelMapServer(
    const tacKernelMap *map, const tacKernelRecord *record, tacEvent *event, int64_t *budget);

/* What the definitions of its mutexes and servers say, in order of the file: number i; false: there are not so many. */
typedef struct tacKernelNamed {
    const char *id, *name; /* name NULL: not given */
    int64_t capacity;      /* server: ns; TAC_UNKNOWN */
} tacKernelNamed;
bool tacKernelMapMutexAt(const tacKernelMap *map, size_t i, tacKernelNamed *mutex);
bool tacKernelMapServerAt(const tacKernelMap *map, size_t i, tacKernelNamed *server);

/*
 * When all was read: remarks about rules that nothing fitted, with what may have been meant.
 * names: of all threads of the trace (NULL-terminated), or NULL.
 */
void tacKernelMapRemarks(const tacKernelMap *map, const char *const *names, tacDiag *diag);

/* ---- making one ---- */

typedef struct tacKernelMutexRule { /* what makes a mutex held and free */
    int64_t futex;                  /* address, as the kernel's 64 bits; 0: not by futex calls */
    const char *acquire, *release;  /* patterns; NULL */
} tacKernelMutexRule;

typedef struct tacKernelServerRule {
    const char *pattern[4]; /* by event - TAC_EV_SERVER_REPLENISHED; NULL */
    const char *key;        /* the budget is the number behind this text; NULL: "budget" */
    int64_t capacity;       /* ns; TAC_UNKNOWN */
} tacKernelServerRule;

tacKernelMap *tacKernelMapNew(const char *file); /* the mapping's name, for remarks; NULL: no memory */
void tacKernelMapFree(tacKernelMap *map);        /* NULL is fine */

void tacKernelMapSetBlocked(tacKernelMap *map, tacKernelBlocked blocked);
/* Texts in rules are copied. line: of the mapping. Errors: MEMORY, LIMIT MAP. */
tacStatus tacKernelMapAddThread(tacKernelMap *map, const char *pattern, int32_t pid, const tacKernelRule *rule,
    uint32_t line, tacError *err); /* pid -1: any */
tacStatus tacKernelMapAddGroup(tacKernelMap *map, const char *name, const char *pattern, uint32_t line, tacError *err);
tacStatus tacKernelMapAddMutex(
    tacKernelMap *map, const char *id, const char *name, const tacKernelMutexRule *rule, uint32_t line, tacError *err);
tacStatus tacKernelMapAddServer(
    tacKernelMap *map, const char *id, const char *name, const tacKernelServerRule *rule, uint32_t line, tacError *err);

#endif
