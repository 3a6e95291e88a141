/*
 * genkernel.c -- writes a large valid kernel trace for measurements: threads that wake one another, on several
 * processors.
 *
 *      genkernel EVENTS [-f ftrace|report|dat] [-p PROCESSORS] [-t THREADS] [-s SEED]
 *
 * ftrace: the file `trace`; report: what trace-cmd report -t prints; dat: trace.dat of version 6, which needs a file
 * as standard output. All three have the same events but for what their shapes leave out.
 *
 * Thread i belongs to processor i mod PROCESSORS; half of them are woken by a timer, the others by a futex of the
 * thread before, so mostly from another processor; some jobs wait for a disk once. Each processor has a queue of
 * events of which the earliest of all is written next, so times ascend. A wake-up comes before its switch, and who is
 * switched to is who the next switch on that processor leaves. The same arguments give the same bytes.
 */
#include "random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSORS = 64, MAX_THREADS = 4096, QUEUE = 64, PAGE = 4096, COMM = 16, NEVER_MARKS = 4 };

typedef enum Event {
    SWITCH,
    WAKING,
    WAKEUP,
    TIMER_ENTRY,
    TIMER_EXIT,
    HRTIMER_ENTRY,
    HRTIMER_EXIT,
    IRQ_ENTRY,
    IRQ_EXIT,
    SOFTIRQ_RAISE,
    SOFTIRQ_ENTRY,
    SOFTIRQ_EXIT,
    MARK,
    FUTEX_ENTER,
    FUTEX_LEAVE,
    SLEEP_ENTER,
    SLEEP_LEAVE,
    EVENTS
} Event;

typedef struct Thread {
    char name[COMM];
    int pid, priority, processor;
    int64_t period, wake; /* ns; wake: of the next job, or the end of a wait for the disk; INT64_MAX: somebody else's
                             affair */
    int64_t left;         /* ns of the current job */
    int64_t ready;        /* since when it may run; INT64_MAX: it waits */
    int64_t disk;         /* it waits for the disk when so much of the job is left; -1: it does not */
    bool onDisk, begun;
    uint32_t job;
    struct Thread *partner; /* woken when a job ends */
} Thread;

typedef struct Record {
    int64_t time; /* ns */
    Event event;
    const Thread *current, *thread; /* who runs (NULL: idle); whom it is about (NULL: idle) */
    char state;                     /* SWITCH: S, D, R, or P for R+ */
    int64_t number;
} Record;

typedef struct Processor {
    int number;
    Thread *threads[MAX_THREADS], *running;
    int nThreads;
    int64_t now, until; /* what runs has run up to; when to look next */
    Record queue[QUEUE];
    int first, count;
    uint64_t random;
    FILE *data; /* dat: whole pages */
    unsigned char page[PAGE];
    size_t filled; /* bytes of the page */
    int64_t last;  /* ns of the event before on this page */
} Processor;

static Processor processors[MAX_PROCESSORS];
static Thread threads[MAX_THREADS];
static int nProcessors = 4, nThreads = 40;
static int64_t nEvents, wanted;
static void (*write)(Processor *p, const Record *r);

/* ---- the events' texts ---- */

static const char *const names[EVENTS] = {"sched_switch", "sched_waking", "sched_wakeup", "local_timer_entry",
    "local_timer_exit", "hrtimer_expire_entry", "hrtimer_expire_exit", "irq_handler_entry", "irq_handler_exit",
    "softirq_raise", "softirq_entry", "softirq_exit", "tracing_mark_write", "sys_enter_futex", "sys_exit_futex",
    "sys_enter_clock_nanosleep", "sys_exit_clock_nanosleep"};

static const Thread *idleOf(int processor) {
    static Thread idle[MAX_PROCESSORS];
    snprintf(idle[processor].name, COMM, "swapper/%d", processor);
    idle[processor].priority = 120;
    return &idle[processor];
}

static const Thread *orIdle(const Thread *thread, int processor) { return thread ? thread : idleOf(processor); }

static const char *stateText(char state) { return state == 'P' ? "R+" : state == 'S' ? "S" : state == 'D' ? "D" : "R"; }

static int markText(char *to, size_t size, const Record *r) {
    return snprintf(to, size, "%s %" PRId64, r->state == 'S' ? "end" : "begin", r->number);
}

/* Everything behind "name: ", where both shapes agree. */
static void writeWords(const Record *r) {
    char mark[40];
    switch (r->event) {
    case WAKING:
    case WAKEUP:
        printf("comm=%s pid=%d prio=%d target_cpu=%03d\n", r->thread->name, r->thread->pid, r->thread->priority,
            r->thread->processor);
        break;
    case TIMER_ENTRY:
    case TIMER_EXIT: puts("vector=236"); break;
    case HRTIMER_EXIT: puts("hrtimer=0xffff888627c1c6f8"); break;
    case IRQ_ENTRY: puts("irq=24 name=ahci[0000:00:1f.2]"); break;
    case IRQ_EXIT: puts("irq=24 ret=handled"); break;
    case SOFTIRQ_RAISE:
    case SOFTIRQ_ENTRY:
    case SOFTIRQ_EXIT: puts("vec=1 [action=TIMER]"); break;
    case MARK:
        markText(mark, sizeof mark, r);
        puts(mark);
        break;
    case FUTEX_ENTER:
        printf("uaddr: 0x%08" PRIx64 ", op: 0x00000081, val: 0x00000001\n", INT64_C(0x7f0000001000) + 64 * r->number);
        break;
    case SLEEP_ENTER: puts("which_clock: 0x00000001, flags: 0x00000001, rqtp: 0x7ffe0000, rmtp: 0x00000000"); break;
    default: puts("0x0");
    }
}

static void writeFtrace(Processor *p, const Record *r) {
    const Thread *from = orIdle(r->current, p->number), *to = orIdle(r->thread, p->number);
    printf("%16.16s-%-7d [%03d] d..2. %5" PRId64 ".%06" PRId64 ": ", r->current ? r->current->name : "<idle>",
        from->pid, p->number, r->time / 1000000000, r->time / 1000 % 1000000);
    if (r->event == FUTEX_ENTER || r->event == SLEEP_ENTER) printf("sys_%s(", names[r->event] + 10);
    else if (r->event == FUTEX_LEAVE || r->event == SLEEP_LEAVE) printf("sys_%s -> ", names[r->event] + 9);
    else printf("%s: ", names[r->event]);
    if (r->event == SWITCH)
        printf("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d\n",
            from->name, from->pid, from->priority, stateText(r->state), to->name, to->pid, to->priority);
    else if (r->event == HRTIMER_ENTRY)
        printf("hrtimer=00000000f1c6f8aa function=hrtimer_wakeup now=%" PRId64 "\n", r->time);
    else if (r->event == FUTEX_ENTER)
        printf("uaddr: %" PRIx64 ", op: 81, val: 1)\n", INT64_C(0x7f0000001000) + 64 * r->number);
    else if (r->event == SLEEP_ENTER) puts("which_clock: 1, flags: 1, rqtp: 7ffe0000, rmtp: 0)");
    else writeWords(r);
}

static void writeReport(Processor *p, const Record *r) {
    const Thread *from = orIdle(r->current, p->number), *to = orIdle(r->thread, p->number);
    char name[40];
    snprintf(name, sizeof name, "%s:", r->event == MARK ? "print" : names[r->event]);
    printf("%16s-%-5d [%03d] %5" PRId64 ".%09" PRId64 ": %-21s ", r->current ? r->current->name : "<idle>", from->pid,
        p->number, r->time / 1000000000, r->time % 1000000000, name);
    if (r->event == SWITCH)
        printf("%s:%d [%d] %c ==> %s:%d [%d]\n", from->name, from->pid, from->priority,
            r->state == 'P' ? 'R' : r->state, to->name, to->pid, to->priority);
    else if (r->event == WAKEUP) printf("%s:%d [%d] CPU:%03d\n", to->name, to->pid, to->priority, to->processor);
    else if (r->event == HRTIMER_ENTRY)
        printf("hrtimer=0xffff888627c1c6f8 now=%" PRId64 " function=hrtimer_wakeup/0x0\n", r->time);
    else {
        if (r->event == MARK) fputs("tracing_mark_write: ", stdout);
        writeWords(r);
    }
}

/* ---- trace.dat: trace-cmd.dat.v6(5), for little endian machines ---- */

typedef struct Bytes {
    unsigned char at[256];
    size_t length;
} Bytes;

static void put(Bytes *bytes, const void *from, size_t size) {
    memcpy(bytes->at + bytes->length, from, size);
    bytes->length += size;
}
static void put2(Bytes *bytes, unsigned value) { put(bytes, &(uint16_t){(uint16_t) value}, 2); }
static void put4(Bytes *bytes, int64_t value) { put(bytes, &(uint32_t){(uint32_t) value}, 4); }
static void put8(Bytes *bytes, int64_t value) { put(bytes, &value, 8); }
static void putThread(Bytes *bytes, const Thread *thread) {
    put(bytes, thread->name, COMM);
    put4(bytes, thread->pid);
    put4(bytes, thread->priority);
}

/* Formats: of the fields behind the common ones "type name size", a size of 0 for __data_loc, and the print format. */
static const struct {
    int id;
    const char *fields[8], *print;
} formats[EVENTS] = {
    [SWITCH] = {300,
        {"char prev_comm[16] 16", "pid_t prev_pid 4", "int prev_prio 4", "long prev_state 8", "char next_comm[16] 16",
            "pid_t next_pid 4", "int next_prio 4"},
        "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d\", "
        "REC->prev_comm, REC->prev_pid, REC->prev_prio, "
        "(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }, { "
        "0x4, \"T\" }, { 0x8, \"t\" }, { 0x10, \"X\" }, "
        "{ 0x20, \"Z\" }, { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\", "
        "REC->next_comm, REC->next_pid, REC->next_prio"},
    [WAKING] = {301, {"char comm[16] 16", "pid_t pid 4", "int prio 4", "int target_cpu 4"},
        "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu"},
    [WAKEUP] = {302, {"char comm[16] 16", "pid_t pid 4", "int prio 4", "int target_cpu 4"},
        "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu"},
    [TIMER_ENTRY] = {303, {"int vector 4"}, "\"vector=%d\", REC->vector"},
    [TIMER_EXIT] = {304, {"int vector 4"}, "\"vector=%d\", REC->vector"},
    [HRTIMER_ENTRY] = {305, {"void* hrtimer 8", "s64 now 8", "void* function 8"},
        "\"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, REC->function, REC->now"},
    [HRTIMER_EXIT] = {306, {"void* hrtimer 8"}, "\"hrtimer=%p\", REC->hrtimer"},
    [IRQ_ENTRY] = {307, {"int irq 4", "char[] name 0"}, "\"irq=%d name=%s\", REC->irq, __get_str(name)"},
    [IRQ_EXIT] = {308, {"int irq 4", "int ret 4"},
        "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\""},
    [SOFTIRQ_RAISE] = {309, {"unsigned vec 4"},
        "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })"},
    [SOFTIRQ_ENTRY] = {310, {"unsigned vec 4"},
        "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })"},
    [SOFTIRQ_EXIT] = {311, {"unsigned vec 4"},
        "\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })"},
    [MARK] = {5, {NULL}, NULL},
    [FUTEX_ENTER] = {312, {"int __syscall_nr 4", "long uaddr 8", "long op 8", "long val 8"},
        "\"uaddr: 0x%08lx, op: 0x%08lx, val: 0x%08lx\", REC->uaddr, REC->op, REC->val"},
    [FUTEX_LEAVE] = {313, {"int __syscall_nr 4", "long ret 8"}, "\"0x%lx\", REC->ret"},
    [SLEEP_ENTER] = {314, {"int __syscall_nr 4", "long which_clock 8", "long flags 8"},
        "\"which_clock: 0x%08lx, flags: 0x%08lx\", REC->which_clock, REC->flags"},
    [SLEEP_LEAVE] = {315, {"int __syscall_nr 4", "long ret 8"}, "\"0x%lx\", REC->ret"},
};

static const char common[] = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned "
                             "char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                             "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int "
                             "common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

static void eventBytes(const Processor *p, const Record *r, Bytes *bytes) {
    const Thread *from = orIdle(r->current, p->number), *to = orIdle(r->thread, p->number);
    char mark[40];
    bytes->length = 0;
    put2(bytes, (unsigned) formats[r->event].id);
    put2(bytes, 0);
    put4(bytes, from->pid);
    switch (r->event) {
    case SWITCH:
        putThread(bytes, from);
        put8(bytes, r->state == 'S' ? 1 : r->state == 'D' ? 2 : r->state == 'P' ? 0x100 : 0);
        putThread(bytes, to);
        break;
    case WAKING:
    case WAKEUP:
        putThread(bytes, to);
        put4(bytes, to->processor);
        break;
    case TIMER_ENTRY:
    case TIMER_EXIT: put4(bytes, 236); break;
    case HRTIMER_ENTRY:
        put8(bytes, 0x27c1c6f8);
        put8(bytes, r->time);
        put8(bytes, 0x1000);
        break;
    case HRTIMER_EXIT: put8(bytes, 0x27c1c6f8); break;
    case IRQ_ENTRY:
        put4(bytes, 24);
        put4(bytes, 16 | 8 << 16);
        put(bytes, "ahci[0]", 8);
        break;
    case IRQ_EXIT:
        put4(bytes, 24);
        put4(bytes, 1);
        break;
    case MARK:
        put8(bytes, 0x2000);
        put(bytes, mark, (size_t) markText(mark, sizeof mark, r) + 1);
        while (bytes->length % 4) put(bytes, "", 1);
        break;
    case FUTEX_ENTER:
        put4(bytes, 202);
        put4(bytes, 0);
        put8(bytes, INT64_C(0x7f0000001000) + 64 * r->number);
        put8(bytes, 0x81);
        put8(bytes, 1);
        break;
    case SLEEP_ENTER:
        put4(bytes, 230);
        put4(bytes, 0);
        put8(bytes, 1);
        put8(bytes, 1);
        break;
    case FUTEX_LEAVE:
    case SLEEP_LEAVE:
        put4(bytes, 202);
        put4(bytes, 0);
        put8(bytes, 0);
        break;
    default: put4(bytes, 1);
    }
}

static void flushPage(Processor *p) {
    uint64_t commit = p->filled - 16;
    if (p->filled <= 16) return;
    memcpy(p->page + 8, &commit, 8);
    memset(p->page + p->filled, 0, PAGE - p->filled);
    fwrite(p->page, 1, PAGE, p->data);
    p->filled = 0;
}

static void onPage(Processor *p, const void *bytes, size_t size) {
    memcpy(p->page + p->filled, bytes, size);
    p->filled += size;
}

static void writeDat(Processor *p, const Record *r) {
    Bytes bytes;
    eventBytes(p, r, &bytes);
    if (p->filled + bytes.length + 16 > PAGE) flushPage(p);
    if (p->filled == 0) {
        memcpy(p->page, &r->time, 8);
        p->filled = 16;
        p->last = r->time;
    }
    uint64_t delta = (uint64_t) (r->time - p->last);
    p->last = r->time;
    if (delta >> 27) {
        onPage(p, &(uint32_t){(uint32_t) (delta << 5) | 30}, 4);
        onPage(p, &(uint32_t){(uint32_t) (delta >> 27)}, 4);
        delta = 0;
    }
    bool longer = bytes.length / 4 > 28;
    onPage(p, &(uint32_t){(uint32_t) (delta << 5) | (longer ? 0 : (uint32_t) (bytes.length / 4))}, 4);
    if (longer) onPage(p, &(uint32_t){(uint32_t) bytes.length + 4}, 4);
    onPage(p, bytes.at, bytes.length);
}

static void fieldLine(FILE *out, const char *field, int *offset) {
    const char *blank = strrchr(field, ' ');
    int size = atoi(blank + 1), width = size ? size : 4;
    bool isArray = strchr(field, '[') != NULL;
    if (!isArray) *offset = (*offset + width - 1) / width * width;
    fprintf(out, "\tfield:%s%.*s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", size ? "" : "__data_loc ",
        (int) (blank - field), field, *offset, width, !isArray && *field != 'v' && *field != 'u');
    *offset += width;
}

/* A text with its length in 8 bytes before it, made by `fill`. */
static void writeCounted(void (*fill)(FILE *out, int which), int which) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fill(out, which);
    fclose(out);
    fwrite(&(uint64_t){length}, 8, 1, stdout);
    fwrite(text, 1, length, stdout);
    free(text);
}

static void fillFormat(FILE *out, int event) {
    int offset = 8;
    fprintf(out, "name: %s\nID: %d\nformat:\n%s", event == MARK ? "print" : names[event], formats[event].id, common);
    if (event == MARK)
        fputs("\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:char "
              "buf[];\toffset:16;\tsize:0;\tsigned:1;\n",
            out);
    for (int i = 0; i < 8 && formats[event].fields[i]; i++) fieldLine(out, formats[event].fields[i], &offset);
    fprintf(out, "\nprint fmt: %s\n", event == MARK ? "\"%ps: %s\", (void *)REC->ip, REC->buf" : formats[event].print);
}

static void fillPageHeader(FILE *out, int unused) {
    (void) unused;
    fputs("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t "
          "commit;\toffset:8;\tsize:8;\tsigned:1;\n"
          "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char "
          "data;\toffset:16;\tsize:4080;\tsigned:1;\n",
        out);
}

static void fillEventHeader(FILE *out, int unused) {
    (void) unused;
    fputs("# compressed entry header\n", out);
}

static void fillNames(FILE *out, int unused) {
    (void) unused;
    for (int i = 0; i < nThreads; i++) fprintf(out, "%d %s\n", threads[i].pid, threads[i].name);
}

/* Written before the data, with room for the table of processors, which is known afterwards. Its place is returned. */
static long writeHeader(void) {
    static const char begin[] = "\x17\x08\x44tracing6\0\0\x08",
                      symbols[] = "0000000000001000 T hrtimer_wakeup\n0000000000002000 T "
                                  "tracing_mark_write\n0000000000003000 T end\n";
    fwrite(begin, 1, sizeof begin - 1, stdout);
    fwrite(&(uint32_t){PAGE}, 4, 1, stdout);
    fwrite("header_page", 1, 12, stdout);
    writeCounted(fillPageHeader, 0);
    fwrite("header_event", 1, 13, stdout);
    writeCounted(fillEventHeader, 0);
    fwrite(&(uint32_t){1}, 4, 1, stdout);
    writeCounted(fillFormat, MARK);
    fwrite(&(uint32_t){1}, 4, 1, stdout);
    fwrite("all", 1, 4, stdout);
    fwrite(&(uint32_t){EVENTS - 1}, 4, 1, stdout);
    for (int i = 0; i < EVENTS; i++)
        if (i != MARK) writeCounted(fillFormat, i);
    fwrite(&(uint32_t){sizeof symbols - 1}, 4, 1, stdout);
    fwrite(symbols, 1, sizeof symbols - 1, stdout);
    fwrite(&(uint32_t){0}, 4, 1, stdout);
    writeCounted(fillNames, 0);
    fwrite(&(uint32_t){(uint32_t) nProcessors}, 4, 1, stdout);
    fwrite("flyrecord", 1, 10, stdout);
    return ftell(stdout);
}

static void copyData(Processor *p) {
    static char buffer[1 << 20];
    size_t n;
    flushPage(p);
    rewind(p->data);
    while ((n = fread(buffer, 1, sizeof buffer, p->data)) > 0) fwrite(buffer, 1, n, stdout);
}

static void finishDat(void) {
    uint64_t at[2] = {(uint64_t) (writeHeader() + 16 * nProcessors + PAGE - 1) / PAGE * PAGE, 0}, begin = at[0];
    for (int i = 0; i < nProcessors; i++, at[0] += at[1]) {
        flushPage(&processors[i]);
        at[1] = (uint64_t) ftell(processors[i].data);
        fwrite(at, sizeof at, 1, stdout);
    }
    while ((uint64_t) ftell(stdout) < begin) putchar(0);
    for (int i = 0; i < nProcessors; i++) copyData(&processors[i]);
}

static void openData(void) {
    for (int i = 0; i < nProcessors; i++) {
        processors[i].data = tmpfile();
        if (processors[i].data) continue;
        perror("genkernel");
        exit(1);
    }
}

/* ---- recording ---- */

/* Behind what is queued there. */
static void record(Processor *p, int64_t time, Event event, const Thread *thread, char state, int64_t number) {
    if (p->count == QUEUE) {
        fprintf(stderr, "genkernel: too many events at once\n");
        exit(1);
    }
    p->queue[(p->first + p->count++) % QUEUE] = (Record){time, event, p->running, thread, state, number};
    p->now = time;
}

/* Up to which a processor has decided: the time of its next event, or when it looks next. */
static int64_t dueOf(const Processor *p) { return p->count ? p->queue[p->first].time : p->until; }

/* ---- what the threads do ---- */

static void wake(Processor *p, Thread *thread) {
    Processor *to = &processors[thread->processor];
    record(p, p->now + 400, WAKING, thread, 0, 0);
    record(p, p->now + 450, WAKEUP, thread, 0, 0);
    thread->ready = p->now + (to == p ? 0 : 1500);
    if (to->until > thread->ready) to->until = thread->ready;
    if (thread->left == 0) {
        thread->left = between(&p->random, thread->period / 16, thread->period / 8);
        thread->disk = next(&p->random) % 32 == 0 ? thread->left / 2 : -1;
        thread->begun = false;
        thread->job++;
    }
}

static void wakeByDisk(Processor *p, Thread *thread) {
    record(p, p->now + 300, IRQ_ENTRY, NULL, 0, 24);
    wake(p, thread);
    record(p, p->now + 250, IRQ_EXIT, NULL, 0, 24);
    thread->onDisk = false;
    thread->wake = thread->partner && !(thread->pid & 1) ? thread->wake : INT64_MAX;
}

static void wakeByTimer(Processor *p, Thread *thread) {
    record(p, p->now + 300, TIMER_ENTRY, NULL, 0, 0);
    record(p, p->now + 200, HRTIMER_ENTRY, NULL, 0, 0);
    wake(p, thread);
    record(p, p->now + 200, HRTIMER_EXIT, NULL, 0, 0);
    bool softirq = next(&p->random) % 4 == 0;
    if (softirq) record(p, p->now + 150, SOFTIRQ_RAISE, NULL, 0, 1);
    record(p, p->now + 150, TIMER_EXIT, NULL, 0, 0);
    if (softirq) record(p, p->now + 100, SOFTIRQ_ENTRY, NULL, 0, 1);
    if (softirq) record(p, p->now + 900, SOFTIRQ_EXIT, NULL, 0, 1);
}

static Thread *mostUrgent(const Processor *p) {
    Thread *best = NULL;
    for (int i = 0; i < p->nThreads; i++)
        if (p->threads[i]->ready <= p->now && (!best || p->threads[i]->priority < best->priority)) best = p->threads[i];
    return best;
}

static void switchTo(Processor *p, Thread *to, char state) {
    record(p, p->now + 700, SWITCH, to, state, 0);
    p->running = to;
    if (!to || to->begun) return;
    to->begun = true;
    record(p, p->now + 500, to->partner && !(to->pid & 1) ? SLEEP_LEAVE : FUTEX_LEAVE, NULL, 0, 0);
    if (to->pid % NEVER_MARKS) record(p, p->now + 300, MARK, NULL, 'R', to->job);
}

/* The job is over: its partner is woken, if that waits, and it waits itself. */
static void complete(Processor *p, Thread *thread) {
    if (thread->pid % NEVER_MARKS) record(p, p->now + 100, MARK, NULL, 'S', thread->job);
    Thread *partner = thread->partner;
    bool timed = !(thread->pid & 1);
    if (timed && partner && partner->ready == INT64_MAX && !partner->onDisk) {
        record(p, p->now + 200, FUTEX_ENTER, NULL, 0, partner->pid);
        wake(p, partner);
        record(p, p->now + 200, FUTEX_LEAVE, NULL, 0, 0);
    }
    record(p, p->now + 300, timed ? SLEEP_ENTER : FUTEX_ENTER, NULL, 0, thread->pid);
    thread->ready = INT64_MAX;
    switchTo(p, mostUrgent(p), 'S');
}

static void waitForDisk(Processor *p, Thread *thread) {
    thread->disk = -1;
    thread->onDisk = true;
    thread->ready = INT64_MAX;
    thread->wake = p->now + 60000;
    switchTo(p, mostUrgent(p), 'D');
}

/* ---- the scheduler ---- */

static void advance(Processor *p, int64_t to) {
    if (p->running && to > p->now) p->running->left -= to - p->now < p->running->left ? to - p->now : p->running->left;
    if (to > p->now) p->now = to;
}

static void wakeDue(Processor *p) {
    for (int i = 0; i < p->nThreads; i++) {
        Thread *thread = p->threads[i];
        if (thread->wake > p->now || thread->ready != INT64_MAX) continue;
        if (thread->onDisk) {
            int64_t period = thread->period;
            wakeByDisk(p, thread);
            if (!(thread->pid & 1)) thread->wake = p->now + period;
        } else {
            thread->wake += thread->period;
            if (thread->wake < p->now) thread->wake = p->now + thread->period;
            wakeByTimer(p, thread);
        }
        return; /* one at a time: the queue stays short */
    }
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static void planNext(Processor *p) {
    p->until = INT64_MAX;
    for (int i = 0; i < p->nThreads; i++) {
        const Thread *t = p->threads[i];
        if (t->ready == INT64_MAX) p->until = least(p->until, t->wake);
        else if (t->ready > p->now) p->until = least(p->until, t->ready);
    }
    Thread *running = p->running;
    if (running)
        p->until = least(p->until, p->now + (running->disk >= 0 ? running->left - running->disk : running->left));
    if (p->until <= p->now) p->until = p->now + 1;
}

static void decide(Processor *p) {
    advance(p, p->until);
    wakeDue(p);
    Thread *running = p->running;
    if (running && running->left == 0) complete(p, running);
    else if (running && running->disk >= 0 && running->left <= running->disk) waitForDisk(p, running);
    else {
        Thread *best = mostUrgent(p);
        if (best && best != running && (!running || best->priority < running->priority))
            switchTo(p, best, running ? 'P' : 'R');
    }
    planNext(p);
}

static void generate(void) {
    while (nEvents < wanted) {
        Processor *first = &processors[0];
        for (int i = 1; i < nProcessors; i++)
            if (dueOf(&processors[i]) < dueOf(first)) first = &processors[i];
        if (first->count == 0) {
            decide(first);
            continue;
        }
        write(first, &first->queue[first->first]);
        first->first = (first->first + 1) % QUEUE;
        first->count--;
        nEvents++;
    }
}

static void define(uint64_t *random) {
    for (int i = 0; i < nProcessors; i++) {
        processors[i].number = i;
        processors[i].random = next(random);
        processors[i].now = processors[i].until = 1000000000;
    }
    for (int i = 0; i < nThreads; i++) {
        Thread *t = &threads[i];
        Processor *p = &processors[i % nProcessors];
        snprintf(t->name, sizeof t->name, i % 7 == 3 ? "worker %d" : "thread%d", i);
        t->pid = 1000 + i;
        t->priority = 20 + i % 80;
        t->processor = i % nProcessors;
        t->period = between(random, 400000, 4000000) * (nThreads / nProcessors + 3) / 8;
        t->ready = INT64_MAX;
        t->wake = i % 2 == 0 ? 1000000000 + between(random, 0, 1000000) : INT64_MAX;
        t->partner = i % 2 == 0 && i + 1 < nThreads ? &threads[i + 1] : NULL;
        p->threads[p->nThreads++] = t;
    }
}

static int usage(void) {
    fprintf(stderr,
        "usage: genkernel EVENTS [-f ftrace|report|dat] [-p PROCESSORS] [-t THREADS] [-s SEED]\n"
        "1 to %d processors, 2 to %d threads\n",
        MAX_PROCESSORS, MAX_THREADS);
    return 2;
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    write = writeFtrace;
    wanted = argc > 1 ? strtoll(argv[1], NULL, 10) : 0;
    for (int i = 2; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-f"))
            write = !strcmp(argv[i + 1], "dat") ? writeDat : !strcmp(argv[i + 1], "report") ? writeReport : writeFtrace;
        else if (!strcmp(argv[i], "-p")) nProcessors = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-t")) nThreads = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-s")) seed = strtoull(argv[i + 1], NULL, 10);
        else return usage();
    }
    if (argc % 2 || wanted <= 0 || nProcessors < 1 || nProcessors > MAX_PROCESSORS || nThreads < 2
        || nThreads > MAX_THREADS)
        return usage();
    define(&seed);
    if (write == writeDat) openData();
    else if (write == writeReport) printf("cpus=%d\n", nProcessors);
    else
        printf("# tracer: nop\n#\n# entries-in-buffer/entries-written: %" PRId64 "/%" PRId64 "   #P:%d\n#\n", wanted,
            wanted, nProcessors);
    generate();
    if (write == writeDat) finishDat();
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
