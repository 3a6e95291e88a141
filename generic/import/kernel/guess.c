/*
 * guess.c -- guesses the tasks among the threads of a kernel trace, their periods, and the mutexes among its futexes.
 *
 * Guesses are made when all records have come, from small summaries: the last SAMPLES times between two releases of
 * each series, the priority of a thread in most records (a majority vote: boosts by inheritance are short), and whether
 * marks alternate.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "base/glob.h"
#include "base/intern.h"
#include "import/kernel/dat.h"
#include "import/kernel/futex.h"
#include "import/kernel/guess.h"
#include "trace/kernelThread.h"
#include "trace/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 64,    /* times between releases that are kept of a series */
    FEWEST = 4,      /* of them, for a period */
    NAME = 64,       /* bytes of a thread's name */
    MARK = 48,       /* bytes of a mark's pattern */
    FUTEXES = 10000, /* different addresses that are remembered */
    DOUBTS = 64,     /* deadline threads of which it is open why they left */
    USERS = 4,       /* of a futex that are remembered */
    MOST = 1000,     /* tasks, and mutexes: a mapping has room for few more (TAC_MAP_RULES) */
    LISTED = 40      /* threads that are not shown but listed in the text; periodic ones, and others */
};

typedef struct Series {      /* of releases */
    int64_t last;            /* ns; TAC_UNKNOWN: none yet */
    uint32_t between;        /* number of releases since then whose times are not certain */
    uint32_t count;          /* of gaps so far */
    TAC_ARRAY(int64_t) gaps; /* the last SAMPLES, in a ring */
} Series;

typedef struct Marks {           /* marks by which a thread begins and ends its jobs */
    char begin[MARK], end[MARK]; /* patterns; empty: none yet */
    uint32_t pairs;
    bool open;  /* begun */
    bool wrong; /* two begins or two ends in a row */
} Marks;

typedef struct Thread {
    int32_t pid, priority, votes;   /* priority: the one that leads the vote */
    char name[NAME];                /* the last one, NUL-terminated; may be empty */
    bool waiting;                   /* it has left its processor to wait, or has not run yet */
    bool tells;                     /* its program tells of its jobs */
    bool spent;                     /* a deadline thread that waits for its budget */
    bool doubted;                   /* a deadline thread that was preempted, or waits for its budget */
    bool naps, locks;               /* it is within clock_nanosleep; within a futex call that waits for a mutex */
    Series wakeups, sleeps, begins; /* all releases; those after clock_nanosleep; begin marks */
    Series certain;                 /* of a deadline thread: releases whose time is certain */
    Marks *marks;                   /* NULL: it writes none */
} Thread;

typedef struct Futex {
    uint64_t address;
    int32_t users[USERS]; /* pids, 0: none */
    bool mutex;           /* an operation that only mutexes have */
} Futex;

typedef struct Doubt {
    uint32_t thread;   /* place in threads */
    int32_t processor; /* that it left */
} Doubt;

struct tacKernelGuess {
    TAC_ARRAY(Thread) threads; /* by first record */
    tacInternTable pids;       /* 4 bytes each; id: place in threads */
    tacInternTable addresses;  /* 8 bytes each; id: place in futexes */
    TAC_ARRAY(Futex) futexes;
    Doubt doubts[DOUBTS]; /* deadline threads that left to another one; some are settled already */
    int doubted;
};

/* ---- collecting -------------------------------------------------------------------------------------------------- */

/* The thread of a pid; NULL: no memory. */
static Thread *threadOf(tacKernelGuess *guess, int32_t pid) {
    uint32_t id = tacIntern(&guess->pids, (const char *) &pid, sizeof pid);
    if (id == TAC_NONE) return NULL;
    if (id < guess->threads.count) return &guess->threads.at[id];
    Thread thread = {.pid = pid,
        .waiting = true,
        .priority = TAC_KERNEL_NO_PRIORITY,
        .wakeups.last = TAC_UNKNOWN,
        .certain.last = TAC_UNKNOWN,
        .sleeps.last = TAC_UNKNOWN,
        .begins.last = TAC_UNKNOWN};
    return tacArrayPush(&guess->threads, thread) ? &guess->threads.at[id] : NULL;
}

/* Takes a thread's name and priority from a record; the priority is a vote. NULL: no memory. */
static Thread *learn(tacKernelGuess *guess, const tacKernelThread *said) {
    Thread *thread = threadOf(guess, said->pid);
    if (!thread) return NULL;
    if (said->name.at && said->name.length) {
        size_t n = said->name.length < NAME - 1 ? said->name.length : NAME - 1;
        memcpy(thread->name, said->name.at, n);
        thread->name[n] = 0;
    }
    if (said->priority == TAC_KERNEL_NO_PRIORITY) return thread;
    if (thread->priority == said->priority) thread->votes++;
    else if (--thread->votes < 0) thread->priority = said->priority, thread->votes = 1;
    return thread;
}

static bool addRelease(Series *series, int64_t time) {
    int64_t before = series->last;
    int64_t parts = (int64_t) series->between + 1;
    series->last = time;
    series->between = 0;
    if (before == TAC_UNKNOWN || time - before < parts || before < 0) return true;
    int64_t gap = (time - before) / parts;
    uint32_t place = series->count++ % SAMPLES;
    if (place < series->gaps.count) return series->gaps.at[place] = gap, true;
    return tacArrayPush(&series->gaps, gap);
}

static bool isDeadline(const Thread *thread) {
    return thread->priority < 0 && thread->priority != TAC_KERNEL_NO_PRIORITY;
}

static bool onWakeup(tacKernelGuess *guess, const tacKernelRecord *r) {
    if (r->thread.pid <= 0) return true;
    Thread *thread = learn(guess, &r->thread);
    if (!thread) return false;
    if (!thread->waiting) return true;
    thread->waiting = false;
    if (thread->locks) return true;
    if (isDeadline(thread) && !addRelease(&thread->certain, r->time)) return false;
    return addRelease(&thread->wakeups, r->time) && (!thread->naps || addRelease(&thread->sleeps, r->time));
}

/* The thread takes a processor, or migrates to one: if its budget was spent, it is replenished; one that slept has been
 * woken, which the trace does not have. behind: another deadline thread ran until then, so it may have been earlier. */
static bool goesOn(Thread *thread, int64_t time, bool behind) {
    bool released = thread->spent || (thread->waiting && isDeadline(thread));
    thread->waiting = thread->spent = thread->doubted = false;
    if (!released) return true;
    if (behind) thread->certain.between++;
    return addRelease(&thread->wakeups, time) && (behind || addRelease(&thread->certain, time));
}

static bool onMigrate(tacKernelGuess *guess, const tacKernelRecord *r) {
    Thread *thread = r->thread.pid > 0 ? threadOf(guess, r->thread.pid) : NULL;
    if (!thread) return r->thread.pid <= 0;
    thread->doubted = false;
    if (!thread->spent) return true;
    const Thread *current = r->current.pid > 0 ? threadOf(guess, r->current.pid) : NULL;
    return goesOn(threadOf(guess, r->thread.pid), r->time, current && isDeadline(current));
}

/* A deadline thread leaves in state R: its budget is spent if less urgent work takes the processor, or, later, before
 * it comes back itself. */
static void deadlineLeaves(tacKernelGuess *guess, Thread *thread, const tacKernelRecord *r) {
    thread->spent = tacKernelIsBelowDeadline(&r->other);
    if (thread->spent || guess->doubted == DOUBTS) return;
    guess->doubts[guess->doubted++] = (Doubt){(uint32_t) (thread - guess->threads.at), r->processor};
    thread->doubted = true;
}

/* Less urgent work takes the processor. */
static void settleDoubts(tacKernelGuess *guess, int32_t processor) {
    int kept = 0;
    for (int i = 0; i < guess->doubted; i++) {
        Doubt doubt = guess->doubts[i];
        Thread *thread = &guess->threads.at[doubt.thread];
        if (!thread->doubted) continue;
        if (doubt.processor != processor) guess->doubts[kept++] = doubt;
        else thread->doubted = false, thread->spent = true;
    }
    guess->doubted = kept;
}

static bool onSwitch(tacKernelGuess *guess, const tacKernelRecord *r) {
    if (r->thread.pid > 0) {
        Thread *left = learn(guess, &r->thread);
        if (!left) return false;
        left->waiting = r->state == TAC_KERNEL_SLEEPING || r->state == TAC_KERNEL_STOPPED;
        left->spent = false;
        if (r->state == TAC_KERNEL_RUNNABLE && isDeadline(left)) deadlineLeaves(guess, left, r);
    }
    if (guess->doubted && tacKernelIsBelowDeadline(&r->other)) settleDoubts(guess, r->processor);
    if (r->other.pid <= 0) return true;
    Thread *comes = learn(guess, &r->other);
    return comes && goesOn(comes, r->time, !tacKernelIsBelowDeadline(&r->thread));
}

/* ---- marks ---- */

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Finds one of the words, standing by itself; *length: that of the word. NULL: there is none. */
static const char *wordIn(tacKernelText text, const char *const *words, size_t *length) {
    for (; *words; words++) {
        size_t n = *length = strlen(*words);
        for (size_t i = 0; i + n <= text.length; i++) {
            const char *at = text.at + i;
            if (memcmp(at, *words, n) != 0 || (i > 0 && isLetter(at[-1])) || (i + n < text.length && isLetter(at[n])))
                continue;
            return at;
        }
    }
    return NULL;
}

/* Sets the pattern of marks like this one: everything up to the word, if all marks so far agree in that, else the word
 * alone. Control characters, and those with a meaning in patterns, become ?. */
static void setPattern(char pattern[MARK], tacKernelText text, const char *word, size_t length) {
    size_t n = (size_t) (word - text.at) + length, at = 0;
    bool again = *pattern && !tacGlob(pattern, text.at, text.length);
    if (*pattern && !again) return;
    if (again || n > MARK - 2) {
        text.at = word, n = length;
        pattern[at++] = '*';
    }
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) text.at[i];
        pattern[at++] = c < ' ' || c >= 0x7F || strchr("*?[]\\{}\"$;", c) ? '?' : text.at[i];
    }
    pattern[at++] = '*';
    pattern[at] = 0;
}

static const char *const beginWords[] = {"begin", "start", "BEGIN", "START", "B|", NULL};
static const char *const endWords[] = {"end", "stop", "END", "STOP", "E|", NULL};

static bool onMark(tacKernelGuess *guess, const tacKernelRecord *r) {
    size_t length;
    if (r->current.pid <= 0 || !r->text.at) return true;
    const char *begin = wordIn(r->text, beginWords, &length), *end = begin ? NULL : wordIn(r->text, endWords, &length);
    if (!begin && !end) return true;
    Thread *thread = threadOf(guess, r->current.pid);
    if (!thread || (!thread->marks && !(thread->marks = tacAllocZero(1, sizeof *thread->marks)))) return false;
    Marks *marks = thread->marks;
    setPattern(begin ? marks->begin : marks->end, r->text, begin ? begin : end, length);
    if (marks->open == (begin != NULL) && (begin || marks->pairs)) marks->wrong = true;
    if (end && marks->open) marks->pairs++;
    marks->open = begin != NULL;
    return end || addRelease(&thread->begins, r->time);
}

/* ---- system calls ---- */

/* May the futex call belong to a mutex (*surely: only to a mutex)? C libraries wake one waiter of a mutex. */
static bool isLocking(const tacKernelFutex *futex, bool *surely) {
    switch (futex->command) {
    case TAC_FUTEX_LOCK_PI:
    case TAC_FUTEX_UNLOCK_PI:
    case TAC_FUTEX_TRYLOCK_PI:
    case TAC_FUTEX_LOCK_PI2: *surely = true; break;
    case TAC_FUTEX_WAIT: *surely = futex->value == TAC_FUTEX_CONTENDED; break;
    default: *surely = false;
    }
    return *surely || (futex->command == TAC_FUTEX_WAKE && futex->value == 1);
}

static bool onFutex(tacKernelGuess *guess, Thread *thread, const tacKernelRecord *r) {
    tacKernelFutex call;
    bool surely;
    if (!tacKernelFutexOf(r, &call) || !call.address || !isLocking(&call, &surely)) return true;
    uint64_t address = call.address;
    thread->locks = surely;
    uint32_t id = tacInternFind(&guess->addresses, (const char *) &address, sizeof address);
    if (id == TAC_NONE && guess->futexes.count >= FUTEXES) return true;
    if (id == TAC_NONE && (id = tacIntern(&guess->addresses, (const char *) &address, sizeof address)) == TAC_NONE)
        return false;
    if (id == guess->futexes.count && !tacArrayPush(&guess->futexes, (Futex){.address = address})) return false;
    Futex *futex = &guess->futexes.at[id];
    futex->mutex |= surely;
    for (int i = 0; i < USERS; i++) {
        if (futex->users[i] == r->current.pid) break;
        if (futex->users[i]) continue;
        futex->users[i] = r->current.pid;
        break;
    }
    return true;
}

static bool onSyscall(tacKernelGuess *guess, const tacKernelRecord *r) {
    if (r->current.pid <= 0) return true;
    Thread *thread = threadOf(guess, r->current.pid);
    if (!thread) return false;
    bool entry = r->event == TAC_KERNEL_SYSCALL_ENTRY;
    thread->naps = entry && r->name.length == 15 && memcmp(r->name.at, "clock_nanosleep", 15) == 0;
    thread->locks = false;
    return !entry || onFutex(guess, thread, r);
}

static bool onTask(tacKernelGuess *guess, const tacKernelRecord *r) {
    Thread *thread = r->thread.pid > 0 ? threadOf(guess, r->thread.pid) : NULL;
    if (thread) thread->tells = true;
    return thread || r->thread.pid <= 0;
}

typedef bool Handler(tacKernelGuess *guess, const tacKernelRecord *r);
static Handler *const handlers[TAC_KERNEL_EVENTS] = {[TAC_KERNEL_SWITCH] = onSwitch,
    [TAC_KERNEL_WAKING] = onWakeup,
    [TAC_KERNEL_WAKEUP] = onWakeup,
    [TAC_KERNEL_WAKEUP_NEW] = onWakeup,
    [TAC_KERNEL_MIGRATE] = onMigrate,
    [TAC_KERNEL_MARK] = onMark,
    [TAC_KERNEL_SYSCALL_ENTRY] = onSyscall,
    [TAC_KERNEL_SYSCALL_EXIT] = onSyscall,
    [TAC_KERNEL_TASK] = onTask};

tacStatus tacKernelGuessAdd(void *data, const tacKernelRecord *record, uint32_t line, tacError *err) {
    (void) line;
    return !handlers[record->event] || handlers[record->event](data, record) ? TAC_OK : tacFailMemory(err);
}

tacKernelGuess *tacKernelGuessNew(void) { return tacAllocZero(1, sizeof(tacKernelGuess)); }

void tacKernelGuessFree(tacKernelGuess *guess) {
    if (!guess) return;
    for (size_t i = 0; i < guess->threads.count; i++) {
        Thread *thread = &guess->threads.at[i];
        tacArrayFree(&thread->wakeups.gaps);
        tacArrayFree(&thread->sleeps.gaps);
        tacArrayFree(&thread->certain.gaps);
        tacArrayFree(&thread->begins.gaps);
        tacFree(thread->marks);
    }
    tacArrayFree(&guess->threads);
    tacArrayFree(&guess->futexes);
    tacInternFree(&guess->pids);
    tacInternFree(&guess->addresses);
    tacFree(guess);
}

/* ---- deciding ---------------------------------------------------------------------------------------------------- */

static int compareTimes(const void *left, const void *right) {
    int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;
    return a < b ? -1 : a > b;
}

/* The time with one, two or three digits, if that changes it by less than 0.5 %. */
static int64_t rounded(int64_t time) {
    for (int64_t digits = 10; digits <= 1000; digits *= 10) {
        int64_t step = 1;
        while (time / step >= digits) step *= 10;
        int64_t near = (time + step / 2) / step * step, change = near > time ? near - time : time - near;
        if (change <= time / 200) return near;
    }
    return time;
}

#define LONGEST ((int64_t) 1000000000000000) /* ns of a period */

/* Are most gaps within a tenth of a period, or of a multiple of it? *median: of those that are about one period. */
static bool isPeriod(const int64_t *gaps, size_t n, int64_t period, int64_t *median) {
    size_t near = 0, single = 0, first = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t times = (gaps[i] + period / 2) / period, off = gaps[i] - times * period;
        if (times == 0 || off > period / 10 || -off > period / 10) continue;
        near++;
        if (times == 1 && single++ == 0) first = i;
    }
    *median = gaps[first + single / 2];
    return near * 10 >= n * 7 && single >= FEWEST - 1;
}

/* Period of a series, ns; TAC_UNKNOWN: it is not regular. gapped: some releases in between may be missing. */
static int64_t periodOf(const Series *series, bool gapped) {
    int64_t gaps[SAMPLES], period;
    size_t n = series->gaps.count, near = 0;
    if (n < FEWEST) return TAC_UNKNOWN;
    memcpy(gaps, series->gaps.at, n * sizeof *gaps);
    qsort(gaps, n, sizeof *gaps, compareTimes);
    int64_t median = gaps[n / 2];
    for (size_t i = 0; i < n; i++)
        if (gaps[i] >= median - median / 10 && gaps[i] - median <= median / 10) near++;
    if (near * 10 >= n * 7) return median < LONGEST ? rounded(median) : TAC_UNKNOWN;
    for (size_t i = n; gapped && i-- > 0;)
        if (gaps[i] < LONGEST && isPeriod(gaps, n, gaps[i], &period)) return rounded(period);
    return TAC_UNKNOWN;
}

/* The guess for a thread. */
typedef struct Decision {
    const Thread *thread;
    int64_t period; /* ns; TAC_UNKNOWN */
    bool kernel, task;
    bool marked, sleeps; /* its jobs begin by marks; by clock_nanosleep */
    bool namesake;       /* another thread has the same name */
    uint32_t number;     /* among tasks of its name, from 1 */
} Decision;

static Decision decide(const Thread *thread) {
    const Marks *marks = thread->marks;
    Decision d = {.thread = thread, .marked = marks && !marks->wrong && marks->pairs >= 2, .period = TAC_UNKNOWN};
    if (thread->tells) return d.marked = false, d;
    d.kernel = tacKernelThreadName(thread->name);
    d.period = periodOf(d.marked ? &thread->begins : &thread->wakeups, false);
    if (isDeadline(thread) && d.period == TAC_UNKNOWN) d.period = periodOf(&thread->certain, true);
    if (isDeadline(thread) && d.period == TAC_UNKNOWN) d.period = periodOf(&thread->wakeups, true);
    if (d.marked || d.period != TAC_UNKNOWN) return d;
    d.period = periodOf(&thread->sleeps, false);
    d.sleeps = d.period != TAC_UNKNOWN;
    return d;
}

/* Is the thread a task? The first attempt that finds any tasks counts: 0 real-time or marked threads, 1 periodic ones,
 * 2 all. */
static bool isTask(const Decision *d, int attempt) {
    int32_t priority = d->thread->priority;
    if (d->kernel || !d->thread->name[0]) return false;
    if (attempt == 0) return d->marked || d->thread->tells || (priority != TAC_KERNEL_NO_PRIORITY && priority < 100);
    return attempt > 1 || d->period != TAC_UNKNOWN;
}

/* Orders by urgency, then name, then pid. Threads that are not tasks come last. */
static int compareDecisions(const void *left, const void *right) {
    const Decision *a = left, *b = right;
    if (a->task != b->task) return a->task ? -1 : 1;
    if (a->task && a->thread->priority != b->thread->priority)
        return a->thread->priority < b->thread->priority ? -1 : 1;
    int names = strcmp(a->thread->name, b->thread->name);
    return names ? names : a->thread->pid < b->thread->pid ? -1 : a->thread->pid > b->thread->pid;
}

typedef struct Decisions {
    Decision *at;
    size_t count, tasks;
    int attempt; /* the one that found the tasks (isTask) */
} Decisions;

/* Finds namesakes, and numbers the tasks of each name. */
static bool countNames(Decisions *all) {
    tacInternTable names = {0};
    TAC_ARRAY(uint32_t) threads = {0};
    TAC_ARRAY(uint32_t) tasks = {0};
    bool done = true;
    for (size_t i = 0; i < all->count && done; i++) {
        const char *name = all->at[i].thread->name;
        uint32_t id = tacIntern(&names, name, strlen(name));
        done = id != TAC_NONE && (id < threads.count || (tacArrayPush(&threads, 0) && tacArrayPush(&tasks, 0)));
        if (!done) break;
        threads.at[id]++;
        if (all->at[i].task) all->at[i].number = ++tasks.at[id];
    }
    for (size_t i = 0; i < all->count && done; i++) {
        const char *name = all->at[i].thread->name;
        all->at[i].namesake = threads.at[tacInternFind(&names, name, strlen(name))] > 1;
    }
    tacInternFree(&names);
    tacArrayFree(&threads);
    tacArrayFree(&tasks);
    return done;
}

static bool decideAll(const tacKernelGuess *guess, Decisions *all) {
    *all = (Decisions){.count = guess->threads.count};
    if (!(all->at = tacAllocZero(all->count + 1, sizeof *all->at))) return false;
    for (size_t i = 0; i < all->count; i++) all->at[i] = decide(&guess->threads.at[i]);
    for (all->attempt = 0; all->attempt < 3 && !all->tasks; all->attempt++)
        for (size_t i = 0; i < all->count; i++)
            if ((all->at[i].task = isTask(&all->at[i], all->attempt))) all->tasks++;
    all->attempt--;
    qsort(all->at, all->count, sizeof *all->at, compareDecisions);
    return countNames(all);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Bytes of the character at `at`. *seemly: it is fit for text files and terminals: no control character, visible, and
 * without effect on the direction of writing. */
static size_t character(const char *at, bool *seemly) {
    const unsigned char *p = (const unsigned char *) at;
    size_t n = *p < 0xC2 ? 1 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
    *seemly = n > 1 ? *p <= 0xF4 : *p >= ' ' && *p < 0x7F;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return *seemly = false, 1;
    if (n < 2 || n > 3) return n;
    uint32_t c = n == 2 ? (uint32_t) (p[0] & 0x1F) << 6 | (p[1] & 0x3F)
                        : (uint32_t) (p[0] & 0x0F) << 12 | (uint32_t) (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    if (c < 0xA0 || (c >= 0x200B && c < 0x2010) || (c >= 0x2028 && c < 0x202F) || (c >= 0x2060 && c < 0x2070)
        || c == 0xFEFF)
        *seemly = false;
    return n;
}

/* Adds a pattern that only this name fits; unseemly characters become ?. */
static void addPattern(tacText *text, const char *name) {
    char pattern[2 * NAME + 8];
    size_t n = 0;
    bool seemly;
    for (const char *p = name; *p && n < sizeof pattern - 5;) {
        size_t bytes = character(p, &seemly);
        if (seemly && strchr("*?[]\\", *p)) pattern[n++] = '\\';
        memcpy(pattern + n, seemly ? p : "?", seemly ? bytes : 1);
        n += seemly ? bytes : 1;
        p += bytes;
    }
    pattern[n] = 0;
    tacQuoteWord(text, pattern, n);
}

/* Adds a name to a comment. */
static void addName(tacText *text, const char *name) {
    bool seemly;
    for (size_t bytes; *name; name += bytes) {
        bytes = character(name, &seemly);
        if (seemly && !strchr("\\{}", *name)) tacTextAdd(text, name, bytes);
        else tacTextAdd(text, "?", 1);
    }
}

/* Adds a time in the largest unit that leaves no fraction. */
static void addTime(tacText *text, int64_t ns) {
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    int i = 0;
    while (ns % units[i].ns) i++;
    tacTextPrintf(text, "%lld%s", (long long) (ns / units[i].ns), units[i].name);
}

static void addTask(tacText *text, const Decision *d) {
    const Thread *thread = d->thread;
    int priority = (int) thread->priority;
    tacTextAddString(text, "task ");
    addPattern(text, thread->name);
    if (d->namesake) tacTextPrintf(text, " -pid %d", (int) thread->pid);
    if (d->namesake && d->number) {
        tacText name = {0};
        addName(&name, thread->name);
        tacTextPrintf(&name, " %u", (unsigned) d->number);
        tacTextAddString(text, " -name ");
        tacQuoteWord(text, name.at ? name.at : "", name.length);
        text->failed |= name.failed;
        tacTextFree(&name);
    }
    if (d->period != TAC_UNKNOWN) {
        tacTextAddString(text, " -period ");
        addTime(text, d->period);
        tacTextAddString(text, " -deadline ");
        addTime(text, d->period);
    }
    if (d->marked) tacTextPrintf(text, " -job {mark {%s} {%s}}", thread->marks->begin, thread->marks->end);
    if (thread->tells) tacTextAddString(text, " -job program");
    if (d->sleeps) tacTextAddString(text, " -job {syscall clock_nanosleep}");
    tacTextPrintf(text, "\t;# pid %d", (int) thread->pid);
    if (priority >= 100) tacTextPrintf(text, ", priority %d (fair)", priority);
    else if (priority >= 0) tacTextPrintf(text, ", priority %d (real-time %d)", priority, 99 - priority);
    else if (priority != TAC_KERNEL_NO_PRIORITY) tacTextAddString(text, ", deadline scheduling");
    tacTextAddString(text, "\n");
}

/* Reasons why these threads are tasks, by attempt. */
static const char *const reasons[] = {"real-time threads, and threads that mark their jobs",
    "there are no real-time threads and no marks of jobs; these are periodic",
    "there are no real-time threads, no marks of jobs, nothing periodic; these are all that are no kernel threads"};

static void addTasks(tacText *text, const Decisions *all, const char *file) {
    tacTextAddString(text, "# Mapping guessed from ");
    addName(text, file);
    tacTextPrintf(text,
        ": edit it, and give it back by --map FILE (tactus_map(5)).\n# %zu of %zu threads are tasks: %s.\n", all->tasks,
        all->count, all->tasks ? reasons[all->attempt] : "there is nothing to show");
    tacTextAddString(text, "\n");
    for (size_t i = 0; i < all->tasks && i < MOST; i++) addTask(text, &all->at[i]);
    if (all->tasks > MOST) tacTextPrintf(text, "# %zu less urgent ones are left out.\n", all->tasks - MOST);
}

static const Decision *taskOf(const Decisions *all, int32_t pid) {
    for (size_t i = 0; i < all->tasks && i < MOST; i++)
        if (all->at[i].thread->pid == pid) return &all->at[i];
    return NULL;
}

/* Adds the futexes that two tasks use as mutexes. */
static void addMutexes(tacText *text, const tacKernelGuess *guess, const Decisions *all) {
    unsigned number = 0;
    for (size_t i = 0; i < guess->futexes.count && number < MOST; i++) {
        const Futex *futex = &guess->futexes.at[i];
        unsigned users = 0;
        for (int k = 0; k < USERS && futex->mutex; k++)
            if (futex->users[k] && taskOf(all, futex->users[k])) users++;
        if (users < 2) continue;
        tacTextPrintf(text, "%smutex m%u -futex 0x%llx\t;# used by", number ? "" : "\n", number + 1,
            (unsigned long long) futex->address);
        number++;
        for (int k = 0; k < USERS; k++) {
            const Decision *user = futex->users[k] ? taskOf(all, futex->users[k]) : NULL;
            if (!user) continue;
            tacTextAddString(text, " ");
            addName(text, user->thread->name);
        }
        tacTextAddString(text, "\n");
    }
}

/* Adds the threads that are left out, in comments: periodic ones as commands, the others by name, each name once. */
static void addOthers(tacText *text, const Decisions *all) {
    int listed = 0;
    const char *last = NULL;
    for (size_t i = all->tasks; i < all->count && listed < LISTED; i++) {
        if (all->at[i].period == TAC_UNKNOWN || all->at[i].kernel || !all->at[i].thread->name[0]) continue;
        tacTextAddString(text, listed++ ? "# " : "\n# Periodic threads that are not shown:\n# ");
        addTask(text, &all->at[i]);
    }
    listed = 0;
    for (size_t i = all->tasks; i < all->count; i++) {
        const char *name = all->at[i].thread->name;
        if (!*name || (last && strcmp(name, last) == 0)) continue;
        last = name;
        if (listed++ == LISTED) {
            tacTextAddString(text, ", ...");
            break;
        }
        tacTextAddString(text, listed == 1 ? "\n# Not shown: " : ", ");
        addName(text, name);
    }
    tacTextAddString(text, all->tasks ? "\nignore *\n" : "\n");
}

tacStatus tacKernelGuessWrite(const tacKernelGuess *guess, const char *file, tacText *text, tacError *err) {
    Decisions all;
    bool done = decideAll(guess, &all);
    if (done) {
        addTasks(text, &all, file);
        addMutexes(text, guess, &all);
        addOthers(text, &all);
    }
    tacFree(all.at);
    return done && !text->failed ? TAC_OK : tacFailMemory(err);
}
