/*
 * record.h -- one event of a Linux kernel trace as data, and the reading of text of such traces: the file `trace` of
 * ftrace, trace-cmd report, perf script.
 *
 *      bytes -> (source.h) -> line -> tacKernelRecord -> tacKernelTake
 *
 * Tasks, jobs and marks are made of these records; trace.dat delivers the same (dat.h).
 *
 * Pids are the kernel's thread ids. Priorities are the kernel's numbers: 0 .. 98 real-time, 100 .. 139 fair, -1
 * deadline.
 */
#ifndef TAC_IMPORT_KERNEL_RECORD_H
#define TAC_IMPORT_KERNEL_RECORD_H

#include "read/sink.h"
#include "read/source.h"

typedef enum tacKernelEvent {
    TAC_KERNEL_OTHER,         /* none of those below: its name and text are kept on request */
    TAC_KERNEL_SWITCH,        /* `thread` leaves the processor in `state`, `other` takes it */
    TAC_KERNEL_WAKING,        /* `thread` is to be woken on processor `target` */
    TAC_KERNEL_WAKEUP,        /* `thread` is runnable on processor `target` */
    TAC_KERNEL_WAKEUP_NEW,    /* the same of a thread that has just been made */
    TAC_KERNEL_MIGRATE,       /* `thread` goes to processor `target` */
    TAC_KERNEL_FORK,          /* `thread` made `other` */
    TAC_KERNEL_EXEC,          /* `thread` became another program; text: its file */
    TAC_KERNEL_EXIT,          /* `thread` ended */
    TAC_KERNEL_NEW,           /* `current` made `thread` with the flags `number` of clone(2) */
    TAC_KERNEL_SETPRIO,       /* `thread` has priority `other.priority` by inheritance now */
    TAC_KERNEL_IRQ_ENTRY,     /* an interrupt begins; number; text: its name */
    TAC_KERNEL_IRQ_EXIT,      /* it ends; number */
    TAC_KERNEL_SOFTIRQ_RAISE, /* a softirq is asked for; number; text: its action */
    TAC_KERNEL_SOFTIRQ_ENTRY, /* it begins; number; text */
    TAC_KERNEL_SOFTIRQ_EXIT,  /* it ends; number; text */
    TAC_KERNEL_TIMER_ENTRY,   /* the local timer's interrupt begins */
    TAC_KERNEL_TIMER_EXIT,    /* it ends */
    TAC_KERNEL_HRTIMER_ENTRY, /* the function of a timer begins; text: its name; timer */
    TAC_KERNEL_HRTIMER_EXIT,  /* it ends */
    TAC_KERNEL_MARK,          /* text: written to trace_marker, or by trace_printk */
    TAC_KERNEL_SYSCALL_ENTRY, /* a system call begins; name: without sys_; text: its arguments */
    TAC_KERNEL_SYSCALL_EXIT,  /* it ends; name; text: its result */
    TAC_KERNEL_LOST, /* `number` events of this processor are missing before this place; 0: an unknown number */
    /* What programs say of their threads, on the same clock (said.c). The first one comes before all other records. */
    TAC_KERNEL_TASK,        /* `thread` has the jobs of which its program tells; said */
    TAC_KERNEL_PROGRAM,     /* `thread` is on a side: number, a tacKernelSide; OTHER: on that of its process, `other` */
    TAC_KERNEL_JOB_ARRIVED, /* job `number` of `thread` is released */
    TAC_KERNEL_JOB_STARTED, /* it begins to run */
    TAC_KERNEL_JOB_COMPLETED,  /* it is done */
    TAC_KERNEL_JOB_ABANDONED,  /* it is given up */
    TAC_KERNEL_JOB_BLOCKED,    /* it is going to wait for job `target` of `other` */
    TAC_KERNEL_JOB_RESUMED,    /* it goes on */
    TAC_KERNEL_MUTEX_ACQUIRED, /* the thread's job holds a mutex from now on; name: the mutex' id */
    TAC_KERNEL_MUTEX_RELEASED, /* it holds it no longer */
    TAC_KERNEL_EVENTS
} tacKernelEvent;

/* Side of a thread in a recording of programs together with the kernel. */
typedef enum tacKernelSide {
    TAC_SIDE_OTHER,
    TAC_SIDE_RECORDER, /* of the recorder itself */
    TAC_SIDE_STARTED,  /* made by the recorder: its own, or a program's once it becomes one (EXEC) */
    TAC_SIDE_PROGRAM   /* of a recorded program, or of one that such a program has started */
} tacKernelSide;

typedef struct tacKernelText {
    const char *at;
    size_t length;
} tacKernelText; /* bytes; valid during the call */

typedef struct tacKernelThread {
    int32_t pid;        /* -1: not given */
    int32_t priority;   /* TAC_KERNEL_NO_PRIORITY: not given */
    tacKernelText name; /* at NULL: not given */
} tacKernelThread;

enum { TAC_KERNEL_NO_PRIORITY = INT32_MIN };

#define TAC_KERNEL_NO_THREAD          \
    {                                 \
        -1, TAC_KERNEL_NO_PRIORITY, { \
            NULL, 0                   \
        }                             \
    } /* an unknown thread */

/* Is the thread of a switch less urgent than all deadline threads? (deadline.c) */
bool tacKernelIsBelowDeadline(const tacKernelThread *thread);

/* Reason why a thread left the processor. */
typedef enum tacKernelState {
    TAC_KERNEL_RUNNABLE, /* R, R+: it was preempted or yielded */
    TAC_KERNEL_SLEEPING, /* S, I: waits for something */
    TAC_KERNEL_DISK,     /* D, also with others behind it (D|K ...): uninterruptible */
    TAC_KERNEL_STOPPED,  /* T, t, P */
    TAC_KERNEL_DEAD      /* X, Z */
} tacKernelState;

/* State for a letter of the kernel. */
tacKernelState tacKernelStateOf(char letter);
/* The kernel's name of a softirq, "TIMER"; NULL: it has none. */
const char *tacKernelActionOf(int64_t number);

typedef struct tacKernelRecord {
    tacKernelEvent event;
    int64_t time;                  /* nanoseconds, on the trace's clock */
    int32_t processor;             /* -1: not given */
    tacKernelThread current;       /* thread that was running; its name may be cut, "<...>" or "<idle>" */
    int32_t process;               /* number of the process of `current`, its thread group; 0: not given */
    tacKernelThread thread, other; /* by event */
    tacKernelState state;          /* SWITCH */
    bool preempted;                /* SWITCH: R+, by the scheduler and not by itself */
    int32_t target;                /* processor; -1: not given */
    int64_t number;      /* by event; OTHER: 1 if it is the text of an event with a kind of its own, which follows */
    int64_t timer;       /* HRTIMER_ENTRY: address of the timer, or what stands for it; 0: not given */
    tacKernelText name;  /* of the event, without "sched:" before it */
    tacKernelText text;  /* by event; OTHER: everything after the name */
    tacKernelText words; /* of a text: everything after the name, of an event that is read by its words; else at NULL */
    struct tacKernelSaidTask *said; /* TASK */
} tacKernelRecord;

/* ---- text ---- */

typedef enum tacKernelShape { /* of a line's beginning */
    TAC_SHAPE_UNKNOWN,
    TAC_SHAPE_FTRACE, /* "comm-pid [cpu] flags seconds: event: ..."; flags and (tgid) may be absent; trace-cmd report is
                         the same */
    TAC_SHAPE_LATENCY, /* "comm-pid 1d..2. 123us+: event: ...", or with seconds (trace-cmd report -l) */
    TAC_SHAPE_VERBOSE, /* "comm pid cpu flags depth index [stamp] 1.234ms (+0.1ms): event: ..." */
    TAC_SHAPE_PERF,    /* "comm pid [cpu] seconds: subsystem:event: ..."; "pid/tid", and no [cpu], too */
    TAC_SHAPES
} tacKernelShape;

enum { TAC_KERNEL_WHO = 64 }; /* most bytes of tacKernelLines.who */

/* State of the reading between lines. Zeroed at first. */
typedef struct tacKernelLines {
    tacKernelShape shape; /* of the last line that was understood: tried first */
    /* "name-pid [cpu]" at the beginning of the last such line of TAC_SHAPE_FTRACE, and its values: most lines begin as
     * the one before. */
    char who[TAC_KERNEL_WHO];
    size_t whoLength;          /* 0: none */
    size_t nameAt, nameLength; /* in who */
    int32_t pid, process, processor;
    size_t prefix; /* bytes before the name's column: "buffer: ", which trace-cmd report writes when there are several
                      buffers */
    int decimals;  /* most decimals of seconds so far */
} tacKernelLines;

typedef enum tacKernelLine {
    TAC_LINE_EVENT,   /* *record is filled */
    TAC_LINE_EMPTY,   /* blank, a comment (#), or a heading such as cpus=2 */
    TAC_LINE_UNKNOWN, /* none of the shapes */
    TAC_LINE_WORDS    /* a known event, record->name, with words that do not fit it */
} tacKernelLine;

/* Parses a line, without its newline. Never reads beyond it; the record's texts point into it. */
tacKernelLine tacKernelParse(tacKernelLines *lines, const char *line, size_t length, tacKernelRecord *record);

/* Is this the beginning of the text of a kernel trace? Lines of the trace language are not, nor are comments alone. */
bool tacKernelRecognize(const char *text, size_t length);

/* Takes a record; TAC_ERROR ends the reading. The record's texts are valid during the call. */
typedef tacStatus tacKernelTake(void *data, const tacKernelRecord *record, uint32_t line, tacError *err);

/*
 * Reads text of a kernel trace to its end. Lines that are not understood are reported to the sink; only its `report`
 * and `progress` are used. Errors: those of the source, of `take`, CANCELLED.
 */
tacStatus tacKernelReadText(tacSource *source, const tacSink *sink, tacKernelTake *take, void *data, tacError *err);

#endif
