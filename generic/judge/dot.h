/*
 * dot.h -- automata in the form of the kernel's runtime verification: graphs (.dot) whose edges are labelled by events.
 *
 *   text --tacDotParse (dot.c)--> states and edges --tacDotStatements (dotModel.c)--> statements of a model
 *
 * tactus_model(n), KERNEL AUTOMATA, describes what is read, and what its events mean in a trace.
 */
#ifndef TAC_JUDGE_DOT_H
#define TAC_JUDGE_DOT_H

#include "base/intern.h"
#include "judge/file.h"

enum {
    TAC_DOT_BYTES = 1 << 20, /* of a file, at most */
    TAC_DOT_STATES = 64,     /* a set of them is a uint64_t */
    TAC_DOT_CLOCKS = 16,
    TAC_DOT_EDGES = 4096, /* an event each */
    TAC_DOT_NAME = 64     /* bytes of a name */
};

/* A line of an edge's label: `event;guard;reset(clock)`. */
typedef struct tacDotEdge {
    uint32_t from, to, event;
    uint32_t resets; /* set of clocks */
    tacWord guard;   /* as written; length 0: none */
    uint32_t line;
} tacDotEdge;

typedef struct tacDotInvariant {
    uint32_t state;
    tacWord text;
    uint32_t line;
} tacDotInvariant;

typedef struct tacDot {
    tacInternTable states, events, clocks; /* clocks: what is reset somewhere */
    uint64_t initial, final;               /* sets of states */
    TAC_ARRAY(tacDotEdge) edges;
    TAC_ARRAY(tacDotInvariant) invariants;
    uint32_t line; /* of its first word */
} tacDot;

/* Is the first word `digraph`? */
bool tacIsDot(const char *text, size_t length);
/*
 * Parses the text, which must outlive *dot. TAC_ERROR: "EXPECT DOT", whose message begins with "line N: "; MEMORY. Free
 * it in any case.
 */
tacStatus tacDotParse(const char *text, size_t length, tacDot *dot, tacError *err);
void tacDotFree(tacDot *dot);

/* Gives the statements of the model of this name to `take`; their lines are those of the text. set: values of what the
 * automaton has names for. */
tacStatus tacDotStatements(const tacDot *dot, const tacWord *name, const tacFileSettings *set, tacStatementTaker *take,
    void *data, tacError *err);

#endif
