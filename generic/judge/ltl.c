/*
 * ltl.c -- parses rules in linear temporal logic: assignments of formulas to names.
 *
 *      assignment ::= NAME = formula
 *      formula    ::= operand | operand and|or|imply|equivalent|until formula | not|next|always|eventually formula
 *      operand    ::= NAME | true | false | ( formula )
 */
#include "base/port.h"

#include "judge/ltl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 200 };

typedef struct Parser {
    const char *at, *end;
    uint32_t line;
    tacWord word;      /* the next token: a name, a sign; length 0: the end */
    uint32_t wordLine; /* of it */
    int depth;
    tacLtl *ltl;
    TAC_ARRAY(uint32_t) lines; /* by name: where it was met first */
    tacError *err;
} Parser;

static tacStatus failAt(const Parser *p, uint32_t line, const char *format, ...) TAC_PRINTF(3, 4);
static tacStatus failAt(const Parser *p, uint32_t line, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    tacSentence(text, sizeof text, format, arguments);
    va_end(arguments);
    return tacFail(p->err, "EXPECT LTL", "line %u: %s", (unsigned) line, text);
}

static tacStatus expected(const Parser *p, const char *what) {
    if (!p->word.length) return failAt(p, p->wordLine, "%s is expected at the end", what);
    return failAt(p, p->wordLine, "%s is expected at \"%.*s\"", what, TAC_SHOWN(&p->word));
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static bool isCapital(char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }
static bool isWordByte(char c) { return isCapital(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/* Reads the next token. What stands behind a # is a comment. */
static void next(Parser *p) {
    while (p->at < p->end && (strchr(" \t\r\n\f\v", *p->at) || *p->at == '#')) {
        const char *newline = *p->at == '#' ? memchr(p->at, '\n', (size_t) (p->end - p->at)) : p->at;
        p->at = newline ? newline : p->end;
        if (p->at < p->end) p->line += *p->at++ == '\n';
    }
    const char *from = p->at;
    while (p->at < p->end && isWordByte(*p->at)) p->at++;
    if (p->at == from && p->at < p->end) p->at++;
    p->word = (tacWord){from, (size_t) (p->at - from)};
    p->wordLine = p->line;
}

static bool isName(const tacWord *word) {
    if (!word->length || !isCapital(word->at[0])) return false;
    for (size_t i = 1; i < word->length; i++)
        if (!isWordByte(word->at[i]) || (word->at[i] >= 'a' && word->at[i] <= 'z')) return false;
    return true;
}

bool tacIsLtl(const char *text, size_t length) {
    Parser p = {.at = text, .end = text + length};
    next(&p);
    bool name = isName(&p.word);
    next(&p);
    return name && tacWordIs(&p.word, "=");
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static tacStatus addNode(Parser *p, tacLtlNode node, uint32_t *index) {
    if (p->ltl->nodes.count >= TAC_LTL_NODES)
        return failAt(p, p->wordLine, "the formulas have more than %d parts", TAC_LTL_NODES);
    *index = (uint32_t) p->ltl->nodes.count;
    return tacArrayPush(&p->ltl->nodes, node) ? TAC_OK : tacFailMemory(p->err);
}

/* The number of the name that is the next token. */
static tacStatus nameHere(Parser *p, uint32_t *name) {
    *name = tacIntern(&p->ltl->names, p->word.at, p->word.length);
    if (*name == TAC_NONE) return tacFailMemory(p->err);
    if (*name < p->ltl->defined.count) return TAC_OK;
    return tacArrayPush(&p->ltl->defined, TAC_NONE) && tacArrayPush(&p->lines, p->wordLine) ? TAC_OK
                                                                                            : tacFailMemory(p->err);
}

static tacStatus readFormula(Parser *p, uint32_t *node);

static tacStatus readOperand(Parser *p, uint32_t *node) {
    bool literal = tacWordIs(&p->word, "true");
    tacStatus status;
    if (tacWordIs(&p->word, "(")) {
        next(p);
        if (readFormula(p, node) != TAC_OK) return TAC_ERROR;
        if (!tacWordIs(&p->word, ")")) return expected(p, "\")\" or an operator");
        status = TAC_OK;
    } else if (literal || tacWordIs(&p->word, "false")) {
        status = addNode(p, (tacLtlNode){.kind = literal ? TAC_LTL_TRUE : TAC_LTL_FALSE}, node);
    } else {
        uint32_t name;
        if (!isName(&p->word)) return expected(p, "a name of capital letters, a formula or \"(\"");
        if (nameHere(p, &name) != TAC_OK) return TAC_ERROR;
        status = addNode(p, (tacLtlNode){TAC_LTL_NAME, name, 0}, node);
    }
    next(p);
    return status;
}

/* The operator that is the next token; TAC_LTL_NAME: it is none. */
static tacLtlKind operatorOf(const tacWord *word, bool one) {
    static const struct {
        const char *name;
        tacLtlKind kind;
    } operators[] = {{"not", TAC_LTL_NOT}, {"next", TAC_LTL_NEXT}, {"always", TAC_LTL_ALWAYS},
        {"eventually", TAC_LTL_EVENTUALLY}, {"and", TAC_LTL_AND}, {"or", TAC_LTL_OR}, {"imply", TAC_LTL_IMPLY},
        {"equivalent", TAC_LTL_EQUIVALENT}, {"until", TAC_LTL_UNTIL}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((operators[i].kind < TAC_LTL_AND) == one && tacWordIs(word, operators[i].name)) return operators[i].kind;
    return TAC_LTL_NAME;
}

static tacStatus readFormula(Parser *p, uint32_t *node) {
    uint32_t left, right = 0;
    if (p->depth >= DEEPEST) return expected(p, "a formula that is nested less");
    p->depth++;
    tacLtlKind kind = operatorOf(&p->word, true);
    if (kind != TAC_LTL_NAME) {
        next(p);
        if (readFormula(p, &left) != TAC_OK) return TAC_ERROR;
    } else {
        if (readOperand(p, &left) != TAC_OK) return TAC_ERROR;
        kind = operatorOf(&p->word, false);
        if (kind == TAC_LTL_NAME) {
            p->depth--;
            *node = left;
            return TAC_OK;
        }
        next(p);
        if (readFormula(p, &right) != TAC_OK) return TAC_ERROR;
    }
    p->depth--;
    return addNode(p, (tacLtlNode){kind, left, right}, node);
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static tacStatus readAssignment(Parser *p) {
    uint32_t name, node, line = p->wordLine;
    if (!isName(&p->word)) return expected(p, "a name of capital letters");
    bool rule = tacWordIs(&p->word, "RULE");
    if (nameHere(p, &name) != TAC_OK) return TAC_ERROR;
    if (p->ltl->defined.at[name] != TAC_NONE)
        return failAt(p, line, "%s is assigned twice", tacInternName(&p->ltl->names, name, NULL));
    next(p);
    if (!tacWordIs(&p->word, "=")) return expected(p, "\"=\"");
    next(p);
    if (readFormula(p, &node) != TAC_OK) return TAC_ERROR;
    p->ltl->defined.at[name] = node;
    if (rule) {
        p->ltl->rule = node;
        p->ltl->line = line;
    }
    return TAC_OK;
}

/* Refuses names that are defined by themselves, and formulas that are nested too deeply through names. */
static tacStatus refuseCircle(const Parser *p, uint32_t node, uint8_t *met, int depth) {
    enum { OPEN = 1, DONE = 2, MOST = 2000 };
    const tacLtlNode *n = &p->ltl->nodes.at[node];
    if (depth > MOST) return failAt(p, p->ltl->line, "the rule is nested more than %d times", MOST);
    if (n->kind == TAC_LTL_TRUE || n->kind == TAC_LTL_FALSE) return TAC_OK;
    if (n->kind != TAC_LTL_NAME) {
        if (refuseCircle(p, n->left, met, depth + 1) != TAC_OK) return TAC_ERROR;
        return n->kind >= TAC_LTL_AND ? refuseCircle(p, n->right, met, depth + 1) : TAC_OK;
    }
    uint32_t name = n->left;
    if (p->ltl->defined.at[name] == TAC_NONE || met[name] == DONE) return TAC_OK;
    if (met[name] == OPEN)
        return failAt(p, p->lines.at[name], "%s is defined by itself", tacInternName(&p->ltl->names, name, NULL));
    met[name] = OPEN;
    tacStatus status = refuseCircle(p, p->ltl->defined.at[name], met, depth + 1);
    met[name] = DONE;
    return status;
}

tacStatus tacLtlParse(const char *text, size_t length, tacLtl *ltl, tacError *err) {
    Parser p = {.at = text, .end = text + length, .line = 1, .ltl = ltl, .err = err};
    *ltl = (tacLtl){.rule = TAC_NONE};
    next(&p);
    tacStatus status = TAC_OK;
    while (p.word.length && status == TAC_OK) status = readAssignment(&p);
    if (status == TAC_OK && ltl->rule == TAC_NONE) status = failAt(&p, 1, "there is no RULE = formula");
    uint8_t *met = status == TAC_OK ? tacAllocZero(ltl->defined.count + 1, 1) : NULL;
    if (status == TAC_OK) status = met ? refuseCircle(&p, ltl->rule, met, 0) : tacFailMemory(err);
    tacFree(met);
    tacArrayFree(&p.lines);
    return status;
}

void tacLtlFree(tacLtl *ltl) {
    tacInternFree(&ltl->names);
    tacArrayFree(&ltl->defined);
    tacArrayFree(&ltl->nodes);
}
