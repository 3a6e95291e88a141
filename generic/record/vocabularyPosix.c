/*
 * vocabularyPosix.c -- the rings of a trace for each thread: found by a variable of the thread, given at its first
 * event.
 */
#define _GNU_SOURCE
#include "record/vocabulary.h"

#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's own variables of the thread (rseq), among which it keeps the number of the processor. Only newer C
 * libraries have them. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

enum { RSEQ_CPU = 4 }; /* offset of struct rseq's cpu_id */

__thread tacrec_context *tacrec_here __attribute__((tls_model("initial-exec")));
static __thread tacrec_context mine;

static const uint32_t *processorHere(void) {
    const uint8_t *thread = (const uint8_t *) tacrec_threadPointer();
    if (!thread || !&__rseq_offset || !&__rseq_size || __rseq_size < RSEQ_CPU + 4) return &tacrec_noProcessor;
    return (const uint32_t *) (thread + __rseq_offset + RSEQ_CPU);
}

/* Without a trace it writes into itself, and asks again the next time. */
tacrec_context *tacrec_thread(void) {
    tacrec_trace *trace = &tacrec_theTrace;
    if (__atomic_load_n(&trace->open, __ATOMIC_ACQUIRE)) {
        mine.processor = processorHere();
        mine.thread = (uint32_t) syscall(SYS_gettid);
        mine.toldCount = 0;
        tacrec_attachHere(&trace->events, &mine.events);
        tacrec_attachHere(&trace->texts, &mine.texts);
        tacrec_here = &mine;
    } else if (!mine.events.ring) {
        tacrec_contextBegin(&mine, 0, NULL);
    }
    return &mine;
}
