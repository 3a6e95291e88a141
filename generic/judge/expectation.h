/*
 * expectation.h -- an expectation after its words were read, and what the files of judge/ share to judge it.
 *
 *   words -> tacExpectation (expectation.c) -> judgements (judgeJobs.c, judgeEvents.c, judgeStream.c, judgeStates.c)
 */
#ifndef TAC_JUDGE_EXPECTATION_H
#define TAC_JUDGE_EXPECTATION_H

#include "judge/condition.h"
#include "judge/judge.h"
#include "judge/limit.h"
#include "judge/pattern.h"
#include "judge/stream.h"
#include "judge/who.h"

typedef enum tacJobMeasure { /* of a job */
    TAC_MEASURE_RESPONSE,
    TAC_MEASURE_EXECUTION,
    TAC_MEASURE_NET_EXECUTION,
    TAC_MEASURE_PREEMPTED,
    TAC_MEASURE_BLOCKED,
    TAC_MEASURE_LATENESS,
    TAC_MEASURE_RELEASE,
    TAC_MEASURE_START,
    TAC_MEASURE_COMPLETION,
    TAC_MEASURE_DEADLINE,
    TAC_MEASURE_PREEMPTIONS,
    TAC_MEASURE_MIGRATIONS,
    TAC_MEASURES
} tacJobMeasure;
extern const char *const tacJobMeasureNames[]; /* by tacJobMeasure; NULL at the end */

typedef enum tacStatistic {
    TAC_OF_EACH,
    TAC_OF_MIN,
    TAC_OF_MEAN,
    TAC_OF_MAX,
    TAC_OF_P50,
    TAC_OF_P90,
    TAC_OF_P95,
    TAC_OF_P99,
    TAC_OF_P999,
    TAC_OF_AVERAGE /* as a word only: TAC_OF_MEAN */
} tacStatistic;
extern const char *const tacStatisticNames[]; /* by tacStatistic; NULL at the end */

typedef enum tacExpectationKind {
    TAC_EXPECT_MEASURE,
    TAC_EXPECT_EVENT,
    TAC_EXPECT_ORDER,
    TAC_EXPECT_COUNT,
    TAC_EXPECT_STATE,
    TAC_EXPECT_BUDGET,
    TAC_EXPECT_NEVER,
    TAC_EXPECT_BETWEEN,
    TAC_EXPECT_STREAM
} tacExpectationKind;

typedef struct tacExpectation {
    tacExpectationKind kind;
    const tacStatement *statement;
    tacWho who; /* MEASURE, STATE */
    tacJobMeasure measure;
    tacStatistic statistic;
    tacWord operatorWord, value; /* as written */
    tacComparison op;
    tacLimit limit;                      /* ... MEASURE, COUNT, BUDGET */
    bool sought;                         /* MEASURE: the limit is "?", to be found (judge/learn.h) */
    TAC_ARRAY(tacEventPattern) patterns; /* EVENT, COUNT, STREAM: one; ORDER: several */
    tacWord fromWord, toWord;            /* length 0: no window; STATE, BUDGET: fromWord is the time */
    tacLimit from, to;
    tacWord state;                  /* STATE */
    uint32_t server;                /* BUDGET: TAC_NONE: the trace has none of this id */
    tacCondition condition, during; /* NEVER, BETWEEN */
    tacStreamTerms terms;           /* STREAM */
    bool always;                    /* NEVER: not the condition, but its opposite must not be */
} tacExpectation;

/*
 * Reads the words of a statement. model NULL: only whether they are well written. A TAC_ERROR USAGE says what is wrong
 * and how it is written; LOOKUP: an object that a condition names is not in the trace; MEMORY. Free it in any case.
 */
tacStatus tacExpectationRead(const tacModel *model, tacExpectation *expectation, tacError *err);
void tacExpectationFree(tacExpectation *expectation);

/* ---- judging: shared by judge*.c ---- */

typedef struct tacJudging {
    const tacModel *model;
    tacProgress *progress;
    tacJudgementTaker *take;
    void *data;
    tacText sentence; /* of the judgement that is being made */
    tacError *err;
} tacJudging;

/* Hands over a judgement whose sentence was put into judging->sentence; the place of the statement is added. Without a
 * line, that of an event at its begin, if possible of its job, else of the last one before. */
tacStatus tacJudgingTell(tacJudging *judging, const tacStatement *statement, tacJudgement judgement);
/* Adds to the sentence. */
void tacSay(tacJudging *judging, const char *format, ...) TAC_PRINTF(2, 3);
void tacSayTime(tacJudging *judging, int64_t ticks);                            /* with its unit, */
void tacSayDecimal(tacJudging *judging, const char *text, size_t length);       /* as this one */
void tacSayMoment(tacJudging *judging, int64_t ticks);                          /* a point in time, */
void tacSayMomentDecimal(tacJudging *judging, const char *text, size_t length); /* as this one */
void tacSayId(tacJudging *judging, const char *id, size_t length);
/* Adds the kind and the id of the job or the (first) task, and how it was named, if by something else. */
void tacSayWho(tacJudging *judging, const tacWho *who);
/* Adds an id, in quotes where it needs them, shortened where it is long. */
void tacAddId(tacText *out, const char *id, size_t length);
/* Adds what people call a task or job (trace/called.h) in the same way; the number of a thread behind it is apart. */
void tacAddCalled(tacText *out, const tacStore *store, tacKind kind, uint32_t index);
void tacSayWord(tacJudging *judging, const tacWord *word);
void tacSayPattern(tacJudging *judging, const tacEventPattern *pattern);
/* The invalid judgement about a row, with the object that the pattern names; TAC_NONE: about the trace as a whole. */
tacJudgement tacJudgementAt(const tacModel *model, const tacEventPattern *pattern, uint32_t row);

tacStatus tacJudgeMeasure(tacJudging *judging, const tacExpectation *expectation);
/* Takes the values of a measure whose limit is to be found; all: such limits of the check. TAC_ERROR: MEMORY. Free it
 * in any case. */
struct tacSought;
tacStatus tacMeasureSought(
    const tacModel *model, const tacExpectation *expectation, size_t all, struct tacSought *sought, tacError *err);
tacStatus tacJudgeState(tacJudging *judging, const tacExpectation *expectation);
tacStatus tacJudgeBudget(tacJudging *judging, const tacExpectation *expectation);
/* These use the conditions up: once for each expectation. */
tacStatus tacJudgeNever(tacJudging *judging, tacExpectation *expectation);
tacStatus tacJudgeBetween(tacJudging *judging, tacExpectation *expectation);
/* All expectations about events among the n, in one walk; what was found stays in the watch for tacWatchTell. */
typedef struct tacWatch tacWatch;
tacStatus tacWatchRows(tacJudging *judging, const tacExpectation *expectations, size_t n, tacWatch **watch);
tacStatus tacWatchTell(const tacWatch *watch, tacJudging *judging, const tacExpectation *expectation);
void tacWatchFree(tacWatch *watch);

/* A stream while the watch walks over the rows: each of its events is given to it once, in order, then the end. */
typedef struct tacStream tacStream;
/* anywhere: stretches in which some processor is in an unknown state; it outlives the stream. NULL: no memory. */
tacStream *tacStreamNew(const tacModel *model, const tacExpectation *e, const tacUnknowns *anywhere);
void tacStreamMeet(tacStream *stream, uint32_t row);
/* TAC_ERROR: MEMORY, now or in the walk. */
tacStatus tacStreamEnd(tacStream *stream, tacError *err);
tacStatus tacStreamTell(const tacStream *stream, tacJudging *judging, const tacExpectation *expectation);
void tacStreamFree(tacStream *stream);

#endif
