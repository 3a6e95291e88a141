/*
 * chain.h -- chains of causes and effects: the steps of an effect from its first cause on, and how long it may take.
 *
 *   statements (chain, step, link, require, end; synchronize)
 *     -> tacChain (chainRead.c) -> occurrences that follow a replay (chainRun.c) -> findings
 *
 * Sources: Guenzel, Chen, Ueter, von der Brueggen, Duerr, Chen, "Timing Analysis of Asynchronized Distributed
 * Cause-Effect Chains" (RTAS 2021); Duerr, von der Brueggen, Chen, Chen, "End-to-End Timing Analysis of Sporadic
 * Cause-Effect Chains in Distributed Systems" (2019); AUTOSAR, "Specification of Timing Extensions". tactus_chain(n)
 * describes the language.
 */
#ifndef TAC_JUDGE_CHAIN_H
#define TAC_JUDGE_CHAIN_H

#include "judge/trigger.h"

enum { TAC_MOST_STEPS = 32 }; /* of a chain; and events of one synchronize */

/* How an occurrence of a step finds its cause among those of the step before. */
typedef enum tacChainLink {
    TAC_LINK_ORDER,  /* the one that was written last: a register, which keeps its data until it is overwritten */
    TAC_LINK_FIELD,  /* the oldest one that has the same value and has had no effect yet: a message */
    TAC_LINK_ELEMENT /* the one that pushed the element which it pops */
} tacChainLink;

typedef struct tacChainStep {
    tacWord name;
    bool isJob;          /* else an event */
    bool let;            /* reads at the release, writes at the deadline (logical execution time) */
    bool *tasks;         /* isJob, by task: is it one of the step? */
    tacTrigger trigger;  /* of an event */
    tacChainLink link;   /* to the step before */
    bool linked;         /* ... by the step's own -by */
    tacWord mine, their; /* FIELD: the names of the field in this step and in the step before */
    tacWord bufferId;    /* ELEMENT: */
    uint32_t buffer;
    const tacStatement *statement;
} tacChainStep;

/* Times that are measured. A first step reads at `read`, a last one writes at `write`. */
typedef enum tacChainMeasure {
    TAC_CHAIN_REACTION,         /* from the read before that of the first step to the write of the first effect */
    TAC_CHAIN_REDUCED_REACTION, /* from the read of the first step */
    TAC_CHAIN_AGE,              /* from the read of the first step to the write that replaces the effect */
    TAC_CHAIN_REDUCED_AGE,      /* to the write of the effect */
    TAC_CHAIN_LATENCY,          /* from the read of the first step to the first effect that has its data */
    TAC_CHAIN_SEPARATION,       /* from one write of a step to the next one */
    TAC_CHAIN_ORDER,            /* no times: each effect has a cause of its own, in the order of causes */
    TAC_CHAIN_LOSSLESS,         /* ... no cause is overwritten or passed by before it had an effect */
    TAC_CHAIN_MEASURES
} tacChainMeasure;
extern const char *const tacChainMeasureNames[TAC_CHAIN_MEASURES + 1];

typedef struct tacChainRequire {
    tacChainMeasure measure;
    uint32_t step; /* SEPARATION */
    tacComparison op;
    tacLimit limit; /* in ticks */
    bool sought;    /* "?": it is to be found (judge/learn.h) */
    char *text;     /* of the limit, as written */
    const tacStatement *statement;
} tacChainRequire;

typedef struct tacChain {
    tacWord name;
    bool together; /* a `synchronize`, whose steps are its events: */
    bool several;  /* events may come more than once in a group */
    tacWord field; /* groups by the value of this field; length 0: not so */
    tacList events;
    tacLimit within;
    char *withinText;
    TAC_ARRAY(tacChainStep) steps;
    TAC_ARRAY(tacChainRequire) requires;
    const tacStatement *statement;
} tacChain;

/* Does the statement begin a chain, or is it one of `synchronize`? How many statements a chain is, `end` included. */
bool tacChainBegins(const tacStatement *statement);
size_t tacChainLength(const tacStatement *statements, size_t n);

/*
 * Reads a chain. model NULL: only whether it is well written. TAC_ERROR: USAGE, LOOKUP, MEMORY; *fault: the statement
 * that the error is about. Free it in any case.
 */
tacStatus tacChainRead(
    const tacModel *model, const tacStatement *statements, size_t n, tacChain *chain, size_t *fault, tacError *err);
void tacChainFree(tacChain *chain);

/* A finding; the sentence is without the place of the statement. */
typedef struct tacChainNote {
    tacVerdict verdict;
    int64_t time;
    uint32_t line;    /* of the trace; 0: none */
    uint32_t jobs[2]; /* ids of the first and the last job; TAC_NONE: none */
    const tacStatement *statement;
    char *sentence;
} tacChainNote;

/* Chains that follow a replay together. */
typedef struct tacChains tacChains;
/* The chains and the model stay the caller's. NULL: no memory. */
tacChains *tacChainsStart(const tacChain *chains, size_t n, const tacModel *model);
/* As a consumer of the replay. TAC_ERROR: MEMORY. */
tacStatus tacChainsRow(
    tacChains *chains, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err);
tacStatus tacChainsEnd(tacChains *chains, tacError *err);
/* Findings of the kth one, in the order in which they arose; and by verdict, those beyond TAC_MOST_CHAIN_NOTES. */
enum { TAC_MOST_CHAIN_NOTES = 1000000 };
const tacChainNote *tacChainsNotes(const tacChains *chains, size_t k, size_t *count);
const uint64_t *tacChainsOnlyCounted(const tacChains *chains, size_t k);
/* By requirement: the times of those with a limit that is to be found; NULL: the kth one has none. */
const struct tacSought *tacChainsSought(const tacChains *chains, size_t k);
void tacChainsFree(tacChains *chains); /* NULL is fine */

#endif
