/*
 * ltl.h -- rules of the kernel's runtime verification in linear temporal logic (.ltl).
 *
 *      RULE = always ((RT and SLEEP) imply (RT_FRIENDLY_SLEEP or ALLOWLIST))
 *      RT_FRIENDLY_SLEEP = KERNEL_THREAD and ((not WAKE) until RT_FRIENDLY_WAKE)
 *
 *   text --tacLtlParse (ltl.c)--> formulas --tacLtlStatements (ltlModel.c)--> statements of a model
 *
 * The grammar is that of Documentation/trace/rv/linear_temporal_logic.rst: there is no precedence, an operator takes
 * all that stands right of it. tactus_model(n), KERNEL RULES, describes what is read, and what its names mean in a
 * trace.
 */
#ifndef TAC_JUDGE_LTL_H
#define TAC_JUDGE_LTL_H

#include "base/intern.h"
#include "judge/file.h"

enum {
    TAC_LTL_ATOMS = 64, /* a set of them is a uint64_t */
    TAC_LTL_NODES = 4096
};

typedef enum tacLtlKind {
    TAC_LTL_TRUE,
    TAC_LTL_FALSE,
    TAC_LTL_NAME, /* an atom, or what is defined by another assignment */
    TAC_LTL_NOT,
    TAC_LTL_NEXT,
    TAC_LTL_ALWAYS,
    TAC_LTL_EVENTUALLY,
    TAC_LTL_AND,
    TAC_LTL_OR,
    TAC_LTL_IMPLY,
    TAC_LTL_EQUIVALENT,
    TAC_LTL_UNTIL
} tacLtlKind;

typedef struct tacLtlNode {
    tacLtlKind kind;
    uint32_t left, right; /* of one operand: left; NAME: left is its number */
} tacLtlNode;

typedef struct tacLtl {
    tacInternTable names;
    TAC_ARRAY(uint32_t) defined; /* by name: its node, or TAC_NONE: an atom */
    TAC_ARRAY(tacLtlNode) nodes; /* operands before operators */
    uint32_t rule;               /* node of RULE */
    uint32_t line;               /* of RULE */
} tacLtl;

/* Is the first thing in it an assignment to a name of capital letters? */
bool tacIsLtl(const char *text, size_t length);
/*
 * Parses the text; *ltl refers to nothing of it. TAC_ERROR: "EXPECT LTL", whose message begins with "line N: "; MEMORY.
 * Free it in any case.
 */
tacStatus tacLtlParse(const char *text, size_t length, tacLtl *ltl, tacError *err);
void tacLtlFree(tacLtl *ltl);

/* Gives the statements of the models of this name to `take`. set: atoms whose value the user has set. */
tacStatus tacLtlStatements(const tacLtl *ltl, const tacWord *name, const tacFileSettings *set, tacStatementTaker *take,
    void *data, tacError *err);

#endif
