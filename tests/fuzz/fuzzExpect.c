/*
 * fuzzExpect.c -- libFuzzer's target over files of expectations: reading, bodies of models, and judging.
 *
 * An input is a file of expectations, an automaton, a rule or a state chart. It is read in this process with small
 * limits, and its statements are judged over one small trace that has every kind of object. A file may be as wrong as
 * it likes; but what was accepted on its own must be judged, and each finding must have its sentence.
 *
 *      make fuzz FUZZ=fuzzExpect FUZZ_SECONDS=600
 */
#define _GNU_SOURCE /* memfd_create */
#include "fuzzTcl.h"
#include "judge/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char script[] = "newProcessor a\nnewProcessor b\nnewTask t -priority 2 -processor a -D 10 -T 20\nnewTask "
                             "u -priority 1 -kind isr\n"
                             "newTask without\nnewJob j t -processor b\nnewServer s -capacity 5 -budget 2.5\nnewMutex "
                             "m\nnewSemaphore sem\n"
                             "newBuffer q -capacity 2\nplot 1 jobArrived t.1 t\nplot 2 jobStarted t.1\nplot 2 "
                             "serverResumed s\n"
                             "plot 3 jobAcquiredMutex t.1 m\nplot 4 jobPreempted t.1 -target u.1 -processor b\nplot 4 "
                             "jobResumed u.1\n"
                             "plot 5 jobReleasedMutex t.1 m\nplot 6 jobCompleted u.1\nplot 6.5 jobResumed t.1\nplot 7 "
                             "jobBlocked t.1\n"
                             "plot 8.25 jobResumed t.1\nplot 9 serverReplenished s 9\nplot 9 serverDepleted s\nplot 9 "
                             "serverPreempted s\n"
                             "plot 10 jobReleasedSemaphore t.1 sem -state 3\nplot 10 jobAcquiredSemaphore t.1 "
                             "sem\nplot 11 taskArrived t\n"
                             "plot 12 jobDeadline t.1\nplot 13 message \"some text\"\nbufferplot 14 push q "
                             "one\nbufferplot 15 pop q\n"
                             "plot 18 jobCompleted t.1\nplot 19 jobArrived u.2 u -processor a\nplot 19 jobResumed u.2 "
                             "-processor a\n"
                             "plot 19 jobArrived t.2 t\nplot 19.25 processorUnknown a\nplot 19.5 jobUnknown t.2\n"
                             "plot 19.75 jobResumed t.2 -processor a\nplot 20 jobCompleted u.2\nplot 21 jobAbandoned "
                             "t.2\n"
                             "plot 21 jobArrived t.1 t\nplot 22 jobResumed t.1 -processor b\nplot 30 message end\n"
                             "plot 3 message {begin frame=1 id: 0x10} -task t -from mark\nplot 4 taskAnnotation t 6 "
                             "-message read -from call\n"
                             "plot 5 message {wakeup: prio=2.5 frame=\"a b\"} -task u -from event\nplot 8 message "
                             "{begin frame=2} -task t -from mark\n"
                             "plot 12 message {end frame=1} -task u -from mark -shape none\nplot 20 message {end "
                             "frame=2} -from mark\n"
                             "plot 20 message write -task t -from call\nplot 21 taskAnnotation u 99 -message futex "
                             "-from entry\n";

typedef struct Statements {
    TAC_ARRAY(tacStatement) all;
} Statements;

/* Keeps a copy of a statement. */
static tacStatus take(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Statements *statements = data;
    tacWord *copy = tacAllocZero((size_t) count + 1, sizeof *copy);
    (void) line, (void) err;
    for (int i = 0; i < count; i++) copy[i] = (tacWord){tacCopyText(words[i].at, words[i].length), words[i].length};
    if (!tacArrayPush(&statements->all, (tacStatement){copy, count, "x.expect:1"})) abort();
    return TAC_OK;
}

static void freeAll(Statements *statements) {
    for (size_t i = 0; i < statements->all.count; i++) {
        const tacStatement *statement = &statements->all.at[i];
        for (int k = 0; k < statement->count; k++) tacFree((void *) (uintptr_t) statement->words[k].at);
        tacFree((void *) (uintptr_t) statement->words);
    }
    tacArrayFree(&statements->all);
}

/* A finding ends with the place of its statement. */
static tacStatus look(void *data, const tacJudgement *judgement, tacError *err) {
    (void) data, (void) err;
    if (judgement->times) return TAC_OK;
    if (!judgement->sentence || !strstr(judgement->sentence, " (x.expect:1)")) abort();
    return TAC_OK;
}

/* A limit that is to be found is that of a statement. */
static tacStatus lookAtLimit(void *data, const tacJudgeLimit *limit, tacError *err) {
    const Statements *statements = data;
    (void) err;
    if (limit->statement >= statements->all.count || !limit->left) abort();
    return TAC_OK;
}

/* Puts the input into a file in memory; returns its descriptor. */
static int fileOf(const uint8_t *data, size_t size, char path[40]) {
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t) size) abort();
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tacTrace *trace;
    char path[40];
    tacReadOptions limits = {.timeLimit = 0.05, .commandLimit = 2000, .memoryLimit = 256 << 20, .inProcess = true};
    tacError err = {{0}, {0}};
    Statements statements = {{0}};
    if (!trace && !(trace = tacTraceOpenText("fuzz", script, sizeof script - 1, NULL, &err))) abort();
    trace->store.unit = "ms";
    int fd = fileOf(data, size, path);
    tacStatus status = tacStatementsRead(path, NULL, &limits, take, &statements, &err);
    close(fd);
    tacJudge *judge = tacJudgeNew(statements.all.at, statements.all.count);
    if (!judge) abort();
    if (status == TAC_OK && tacJudgeTell(judge, &trace->model, NULL, look, NULL, &err) != TAC_OK) {
        fprintf(stderr, "%s: %s\n", err.code, err.message);
        abort();
    }
    if (status == TAC_OK && tacJudgeLimits(judge, &trace->model, NULL, lookAtLimit, &statements, &err) != TAC_OK)
        abort();
    tacJudgeFree(judge);
    freeAll(&statements);
    return 0;
}
