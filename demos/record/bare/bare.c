/*
 * bare.c -- a Cortex-M without an operating system that records itself: tasks are interrupts, which preempt one another
 * by priority, and share a resource by keeping all of its users away (BASEPRI), so that control is late once.
 *
 *      tick        each ms, by SysTick: releases the jobs of the others
 *      control     every 5 ms, due after 3 ms
 *      logger      every 12 ms; its third job has the resource for 5 ms
 *
 * build.sh builds it and runs it in QEMU (mps2-an385). At its end it writes the directory of its sensors, which is an
 * array, to the file bare.tacrec of the host. Other programs would send it, or a debugger would read it.
 */
#include "record/tactusrec_trace.h"

enum { TICKS = 60, US = 1000, SLOW_JOB = 3 };

/* ---- the machine ------------------------------------------------------------------------------------------------- */

#define REGISTER(address) (*(volatile uint32_t *) (address))
#define TIMER_CONTROL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004) /* counts down from its greatest value, at 25 MHz: for 171 s */
#define TIMER_RELOAD REGISTER(0x40000008)
#define SYSTICK_CONTROL REGISTER(0xe000e010)
#define SYSTICK_RELOAD REGISTER(0xe000e014)
#define SYSTICK_VALUE REGISTER(0xe000e018)
#define ENABLE REGISTER(0xe000e100)
#define PEND REGISTER(0xe000e200)
#define PRIORITY(interrupt) (*(volatile uint8_t *) (0xe000e400 + (interrupt)))
#define SYSTICK_PRIORITY (*(volatile uint8_t *) 0xe000ed23)

enum { CONTROL = 20, LOGGER = 21, CEILING = 0x40, COUNT_NS = 40, CLOCKS_PER_TICK = 25000 };

static uint64_t now(void *data) {
    (void) data;
    return (uint64_t) (UINT32_MAX - TIMER_VALUE) * COUNT_NS;
}

static uint32_t masked; /* how interrupts were before the outermost `enter` */

/* Keeps interrupts away while an element gets its number: a few instructions. */
static void enter(void *data) {
    uint32_t before;
    (void) data;
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before)::"memory");
    masked = before;
}

static void leave(void *data) {
    (void) data;
    __asm__ volatile("msr primask, %0" ::"r"(masked) : "memory");
}

/* Asks the debugger, or QEMU in its place, for a service of the host. */
static int host(int service, const void *words) {
    register int result __asm__("r0") = service;
    register const void *arguments __asm__("r1") = words;
    __asm__ volatile("bkpt 0xab" : "+r"(result) : "r"(arguments) : "memory");
    return result;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static uint64_t memory[64 * 1024 / 8] __attribute__((aligned(TACREC_LINE)));
static uint32_t tick, control, logger, state, write_;
static volatile uint32_t ticks;
static uint32_t controls, loggers; /* jobs so far */
static tacrec_job running;         /* the job of the highest priority that has begun; 0: none */

static void compute(uint32_t microseconds) {
    uint64_t end = now(NULL) + (uint64_t) microseconds * US;
    while (now(NULL) < end) continue;
}

/* The resource is taken by keeping all interrupts away whose tasks use it. */
static void take(tacrec_job job) {
    __asm__ volatile("msr basepri, %0" ::"r"(CEILING) : "memory");
    tacrec_jobAcquiredMutex(job, state);
}

static void giveBack(tacrec_job job) {
    tacrec_jobReleasedMutex(job, state);
    __asm__ volatile("msr basepri, %0" ::"r"(0) : "memory");
}

/* Runs a job, above the one that it interrupts. */
static void runJob(tacrec_job job, void (*work)(tacrec_job job, uint32_t number)) {
    tacrec_job below = running;
    if (below) tacrec_jobPreempted(below, job);
    running = job;
    tacrec_thisTask((uint32_t) (job >> 32));
    tacrec_jobStarted(job);
    work(job, (uint32_t) job);
    tacrec_jobCompleted(job);
    running = below;
    tacrec_thisTask((uint32_t) (below >> 32));
    if (below) tacrec_jobResumed(below);
}

static void controlWork(tacrec_job job, uint32_t number) {
    (void) number;
    compute(400);
    take(job);
    compute(200);
    giveBack(job);
    compute(200);
}

static void loggerWork(tacrec_job job, uint32_t number) {
    compute(500);
    take(job);
    tacrec_begin(write_);
    compute(number == SLOW_JOB ? 5000 : 300);
    tacrec_end(write_);
    giveBack(job);
    compute(1500);
}

static void onControl(void) { runJob(tacrec_jobOf(control, controls), controlWork); }
static void onLogger(void) { runJob(tacrec_jobOf(logger, loggers), loggerWork); }

/* An interrupt is above all tasks, and preempts none of them in the sense of the trace. */
static void onTick(void) {
    tacrec_job job = tacrec_jobOf(tick, ++ticks);
    tacrec_jobArrived(job);
    tacrec_jobStarted(job);
    if (ticks % 5 == 0 && ticks < TICKS) {
        tacrec_jobArrived(tacrec_jobOf(control, ++controls));
        PEND = 1u << CONTROL;
    }
    if (ticks % 12 == 3) {
        tacrec_jobArrived(tacrec_jobOf(logger, ++loggers));
        PEND = 1u << LOGGER;
    }
    tacrec_jobCompleted(job);
}

static void openTrace(void) {
    static const tacrec_hooks hooks = {.now = now, .enter = enter, .leave = leave};
    static tacrec_directory directory;
    static tacrec_said said;
    tacrec_make(&directory, memory, sizeof memory, "bare", 1, TACREC_CLOCK_HOOK, &hooks);
    tacrec_traceOpen(&directory, NULL);
    said.flags = TACREC_ISR;
    tick = tacrec_newTask("tick", &said);
    said.flags = 0;
    said.priority = 1;
    said.period = 5000000;
    said.deadline = 3000000;
    control = tacrec_newTask("control", &said);
    said.priority = 2;
    said.period = said.deadline = 12000000;
    logger = tacrec_newTask("logger", &said);
    state = tacrec_newMutex("state", NULL);
    write_ = tacrec_newMark("write");
}

/* Starts the timer that is the clock, and the interrupts. */
static void start(void) {
    TIMER_RELOAD = TIMER_VALUE = UINT32_MAX;
    TIMER_CONTROL = 1;
    openTrace();
    PRIORITY(CONTROL) = CEILING;
    PRIORITY(LOGGER) = 0x80;
    SYSTICK_PRIORITY = 0x20;
    ENABLE = 1u << CONTROL | 1u << LOGGER;
    SYSTICK_RELOAD = CLOCKS_PER_TICK - 1;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7;
}

/* Writes the directory to a file of the host. */
static void dump(void) {
    static const char name[] = "bare.tacrec";
    enum { OPEN = 1, CLOSE = 2, WRITE = 5, EXIT = 0x18, BINARY_WRITE = 5, NORMAL = 0x20026 };
    const uintptr_t opening[] = {(uintptr_t) name, BINARY_WRITE, sizeof name - 1};
    uintptr_t file = (uintptr_t) host(OPEN, opening);
    const uintptr_t writing[] = {file, (uintptr_t) memory, sizeof memory};
    host(WRITE, writing);
    host(CLOSE, writing);
    host(EXIT, (const void *) NORMAL);
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

extern uint32_t dataFrom[], dataBegin[], dataEnd[], bssEnd[], stackTop[]; /* link.ld */

void onReset(void); /* the entry that link.ld names */
void onReset(void) {
    const uint32_t *from = dataFrom;
    for (uint32_t *to = dataBegin; to < dataEnd; to++) *to = *from++;
    for (uint32_t *to = dataEnd; to < bssEnd; to++) *to = 0;
    start();
    while (ticks < TICKS) continue; /* wfi would be better; with -icount, QEMU then loses ticks */
    SYSTICK_CONTROL = 0;
    dump();
    for (;;) continue;
}

static void onFault(void) {
    for (;;) continue;
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 32])(void) = {
    [0] = (void (*)(void)) stackTop,
    [1] = onReset,
    [2] = onFault,
    [3] = onFault,
    [4] = onFault,
    [5] = onFault,
    [6] = onFault,
    [15] = onTick,
    [16 + CONTROL] = onControl,
    [16 + LOGGER] = onLogger,
};

/* The compiler calls these where it sees such loops. */
void *memset(void *to, int value, size_t length) {
    for (volatile uint8_t *at = to; length > 0; length--) *at++ = (uint8_t) value;
    return to;
}

void *memcpy(void *to, const void *from, size_t length) {
    const uint8_t *source = from;
    for (volatile uint8_t *at = to; length > 0; length--) *at++ = *source++;
    return to;
}
