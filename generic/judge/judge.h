/*
 * judge.h -- judges what is expected of a trace: statements in, findings out.
 *
 * A statement is the words of one expectation (tactus_expect(n)), whether from a file (judge/file.h) or from a script.
 * All statements of a check are judged together: those that speak of events share one walk over the rows; the others
 * ask the model, and cost what lies in the stretches of the objects they name. Nothing is kept an event.
 */
#ifndef TAC_JUDGE_JUDGE_H
#define TAC_JUDGE_JUDGE_H

#include "analysis/finding.h"
#include "base/progress.h"
#include "model/model.h"
#include "read/sink.h"
#include "relation/filter.h"

typedef struct tacStatement {
    const tacWord *words; /* without the word `expect` */
    int count;
    const char *place; /* where it stands, for sentences: "servers.expect:10" */
} tacStatement;

/* Is it well written? TAC_ERROR: USAGE, with what is wrong and how it is written; MEMORY. */
tacStatus tacStatementCheck(const tacWord *words, int count, tacError *err);

enum { TAC_JUDGEMENT_OBJECTS = 2 };

typedef struct tacJudgement {
    tacVerdict verdict;
    int64_t begin, end; /* ticks; TAC_UNKNOWN as in tacFinding */
    uint32_t line;      /* of the trace; 0: none */
    tacFindingName objects[TAC_JUDGEMENT_OBJECTS];
    uint32_t nObjects;
    const char *sentence;
    bool missing;   /* UNCERTAIN: the trace has nothing of the name, so nothing was judged: an error, no warning */
    uint64_t times; /* 0: one; else so many that were only counted, and have nothing but the verdict */
} tacJudgement;

/* Receives what was found; all of it is valid only during the call. TAC_ERROR ends the judging. */
typedef tacStatus tacJudgementTaker(void *data, const tacJudgement *judgement, tacError *err);

/* Statements that are judged; these and their words outlive it. NULL: no memory. */
typedef struct tacJudge tacJudge;
tacJudge *tacJudgeNew(const tacStatement *statements, size_t n);
void tacJudgeFree(tacJudge *judge); /* NULL is fine */
/* Is there a model among them, which follows the rows? */
bool tacJudgeFollows(const tacJudge *judge);
/*
 * The consumer of the replay by which a trace is opened (open/open.h): models follow it then, and tacJudgeTell needs no
 * second replay. The statements may be wrong: tacJudgeTell says so.
 */
tacConsumer tacJudgeConsumer(tacJudge *judge);
/*
 * Judges them, in their order; those that hold give nothing. May be called again, for the same model. progress counts
 * rows. TAC_ERROR: USAGE (a statement is not well written), MEMORY, CANCELLED, or the taker's.
 */
tacStatus tacJudgeTell(
    tacJudge *judge, const tacModel *model, tacProgress *progress, tacJudgementTaker *take, void *data, tacError *err);

/* A constraint with a limit that is to be found, and the values that it had. */
typedef struct tacJudgeLimit {
    size_t statement; /* index */
    const char *left; /* as written */
    tacComparison op;
    enum { TAC_LIMIT_NUMBER, TAC_LIMIT_TIME, TAC_LIMIT_SHARE } kind;
    const struct tacSought *values; /* judge/learn.h */
} tacJudgeLimit;
typedef tacStatus tacJudgeLimitTaker(void *data, const tacJudgeLimit *limit, tacError *err);
/* Hands over those of the models that the trace can be asked for, in their order. Errors as of tacJudgeTell. */
tacStatus tacJudgeLimits(
    tacJudge *judge, const tacModel *model, tacProgress *progress, tacJudgeLimitTaker *take, void *data, tacError *err);

/*
 * Follows the models among the statements, and makes the table of their instances (tactus_model(n), INSTANCES), which
 * refers to nothing else. names: only models whose names are in this list or fit a pattern in it; NULL: all. verdict:
 * only instances that have it; TAC_VERDICTS: all. TAC_ERROR: USAGE (a statement is not well written), LOOKUP MODEL
 * (there is no such model), MEMORY.
 */
tacStatus tacJudgeInstances(const tacModel *model, const tacStatement *statements, size_t n, const char *const *names,
    tacVerdict verdict, tacTable *table, tacError *err);

/* A model among the statements, for what was counted of it: judge/modelTable.h. */
typedef struct tacModelSeen {
    const tacStatement *statement;        /* `model` */
    size_t count;                         /* of its statements */
    const struct tacAutomaton *automaton; /* NULL: the trace cannot be asked; `missing` says why */
    const char *missing;
    const struct tacModelTally *tally;
    uint64_t first; /* row of its first instance in the table of tacJudgeInstances */
} tacModelSeen;
struct tacStrip;
struct tacStripWish;

/* Receives the models in their order, and the strips that were asked for, whose `automaton` is a number among those
 * that have one. All of it is valid only during the call. */
typedef tacStatus tacModelsTaker(
    void *data, const tacModelSeen *models, size_t n, const struct tacStrip *strips, size_t nStrips, tacError *err);

/*
 * Follows the models among the statements, and counts what they do. wish: strips of instances; NULL: none. instances:
 * the table of all, as of tacJudgeInstances; NULL: it is not wanted. Errors as of tacJudge, or the taker's.
 */
tacStatus tacJudgeModels(const tacModel *model, const tacStatement *statements, size_t n, tacProgress *progress,
    const struct tacStripWish *wish, tacModelsTaker *take, void *data, tacTable *instances, tacError *err);

#endif
