/*
 * dot.c -- parses graphs in the dot language, as far as automata of the kernel need it.
 *
 *      digraph state_automaton {
 *          {node [shape = doublecircle] "ready"};              a final state
 *          "__init_ready" -> "ready";                          the initial one
 *          "ready" [label = "ready\nclk < 5ms"];               its invariant
 *          "ready" -> "running" [label = "switch_in;guard;reset(clk)\nwakeup"];
 *      }
 *
 * One token after the other, without recursion. All else of the language that has no meaning for an automaton (colors,
 * sizes, ranks) is passed over.
 */
#include "base/port.h"

#include "judge/dot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 16 }; /* braces in braces */

typedef enum TokenKind { TOKEN_END, TOKEN_NAME, TOKEN_TEXT, TOKEN_ARROW, TOKEN_SIGN } TokenKind;

typedef struct Token {
    TokenKind kind;
    tacWord word; /* of a TEXT without its quotes; SIGN: one of {}[];,= */
    uint32_t line;
} Token;

typedef struct Parser {
    const char *at, *end;
    uint32_t line;
    Token token;               /* the next one */
    int depth;                 /* open braces */
    bool circled[DEEPEST + 1]; /* by depth: are nodes that are named there final? */
    tacDot *dot;
    tacError *err;
} Parser;

static tacStatus failAt(const Parser *p, uint32_t line, const char *format, ...) TAC_PRINTF(3, 4);
static tacStatus failAt(const Parser *p, uint32_t line, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    tacSentence(text, sizeof text, format, arguments);
    va_end(arguments);
    return tacFail(p->err, "EXPECT DOT", "line %u: %s", (unsigned) line, text);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

static bool isNameByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* Length of the comment that begins here, without the end of its line; 0: none does. One that is not closed is all. */
static size_t commentLength(const char *at, const char *end) {
    size_t left = (size_t) (end - at);
    bool line = *at == '#' || (left > 1 && at[0] == '/' && at[1] == '/');
    if (line) {
        const char *to = memchr(at, '\n', left);
        return to ? (size_t) (to - at) : left;
    }
    if (left < 2 || at[0] != '/' || at[1] != '*') return 0;
    for (const char *to = at + 2; to + 1 < end; to++)
        if (to[0] == '*' && to[1] == '/') return (size_t) (to + 2 - at);
    return left;
}

/* Skips blanks and comments, and counts their lines. */
static const char *skipped(const char *at, const char *end, uint32_t *line) {
    while (at < end) {
        size_t n = isBlank(*at) ? 1 : commentLength(at, end);
        if (!n) break;
        for (; n; n--, at++) *line += *at == '\n';
    }
    return at;
}

bool tacIsDot(const char *text, size_t length) {
    static const char word[] = "digraph";
    uint32_t line = 0;
    const char *end = text + length, *at = skipped(text, end, &line);
    size_t n = sizeof word - 1;
    if ((size_t) (end - at) < n || memcmp(at, word, n) != 0) return false;
    return at + n == end || !isNameByte(at[n]);
}

/* Reads a text in quotes; a quote in it has a backslash before it. */
static tacStatus readText(Parser *p) {
    const char *from = ++p->at;
    for (; p->at < p->end && *p->at != '"'; p->at++) {
        if (*p->at == '\\' && p->at + 1 < p->end) p->at++;
        p->line += *p->at == '\n';
    }
    if (p->at == p->end) return failAt(p, p->token.line, "the quote that is opened here is not closed");
    p->token.kind = TOKEN_TEXT;
    p->token.word = (tacWord){from, (size_t) (p->at++ - from)};
    return TAC_OK;
}

/* Reads the next token. */
static tacStatus next(Parser *p) {
    p->at = skipped(p->at, p->end, &p->line);
    p->token = (Token){.kind = TOKEN_END, .word = {"", 0}, .line = p->line};
    if (p->at == p->end) return TAC_OK;
    const char *from = p->at;
    size_t left = (size_t) (p->end - from);
    if (*from == '"') return readText(p);
    if (left > 1 && from[0] == '-' && from[1] == '>') {
        p->token.kind = TOKEN_ARROW;
        p->at += 2;
    } else if (strchr("{}[];,=", *from)) {
        p->token.kind = TOKEN_SIGN;
        p->at++;
    } else if (isNameByte(*from) || (*from == '-' && left > 1 && isNameByte(from[1]))) {
        p->token.kind = TOKEN_NAME;
        p->at++;
        while (p->at < p->end && isNameByte(*p->at)) p->at++;
    } else
        return failAt(p, p->line, "\"%.*s\" is not understood here: a name with it needs quotes",
            (int) tacWholeLength(from, left, 4), from);
    p->token.word = (tacWord){from, (size_t) (p->at - from)};
    return TAC_OK;
}

static bool isSign(const Parser *p, char sign) { return p->token.kind == TOKEN_SIGN && *p->token.word.at == sign; }
static bool isWord(const Parser *p) { return p->token.kind == TOKEN_NAME || p->token.kind == TOKEN_TEXT; }

static tacStatus expected(const Parser *p, const char *what) {
    if (p->token.kind == TOKEN_END) return failAt(p, p->token.line, "%s is expected, but the file ends", what);
    return failAt(p, p->token.line, "%s is expected at \"%.*s\"", what, TAC_SHOWN(&p->token.word));
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static tacWord trimmed(const char *from, const char *to) {
    while (from < to && isBlank(*from)) from++;
    while (from < to && isBlank(to[-1])) to--;
    return (tacWord){from, (size_t) (to - from)};
}

/* Takes the first part of a text, up to a separator, off it; false: nothing is left. */
static bool takePart(tacWord *text, bool lines, tacWord *part) {
    const char *from = text->at, *end = from + text->length, *to = from;
    size_t separator = 0;
    if (!text->length) return false;
    for (; to < end; to++) {
        bool escaped = lines && *to == '\\' && to + 1 < end && strchr("nlr", to[1]);
        separator = escaped ? 2 : *to == (lines ? '\n' : ';');
        if (separator) break;
    }
    *part = trimmed(from, to);
    *text = (tacWord){to + separator, (size_t) (end - to) - separator};
    return true;
}

/* Finds a name, or adds it; `what` it is, for messages. */
static tacStatus nameOf(
    const Parser *p, tacInternTable *table, const tacWord *word, const char *what, uint32_t line, uint32_t *id) {
    size_t n = 0;
    while (n < word->length && (isNameByte(word->at[n]) || word->at[n] == '-')) n++;
    if (!word->length || n < word->length || n > TAC_DOT_NAME)
        return failAt(p, line, "bad name of %s \"%.*s\": it should have 1 to %d letters, digits and _", what,
            TAC_SHOWN(word), TAC_DOT_NAME);
    *id = tacIntern(table, word->at, n);
    return *id == TAC_NONE ? tacFailMemory(p->err) : TAC_OK;
}

/* Finds an event, or adds it: a name, or words (dotModel.c says of which). */
static tacStatus eventOf(const Parser *p, const tacWord *word, uint32_t line, uint32_t *event) {
    enum { LONGEST = 200 };
    if (!memchr(word->at, ' ', word->length)) return nameOf(p, &p->dot->events, word, "an event", line, event);
    for (size_t i = 0; i < word->length; i++)
        if (word->length > LONGEST || (unsigned char) word->at[i] < ' ' || strchr("\"\\{}", word->at[i]))
            return failAt(p, line, "bad event \"%.*s\": it should have at most %d bytes, without quotes and braces",
                TAC_SHOWN(word), LONGEST);
    *event = tacIntern(&p->dot->events, word->at, word->length);
    return *event == TAC_NONE ? tacFailMemory(p->err) : TAC_OK;
}

/* Reads `reset(clock)`: the clock; TAC_NONE: it is something else. */
static tacStatus resetOf(const Parser *p, const tacWord *part, uint32_t line, uint32_t *clock) {
    static const char word[] = "reset(";
    size_t n = sizeof word - 1;
    *clock = TAC_NONE;
    if (part->length < n || memcmp(part->at, word, n) != 0) return TAC_OK;
    if (part->at[part->length - 1] != ')')
        return failAt(p, line, "\"%.*s\" is not understood: should be reset(clock)", TAC_SHOWN(part));
    tacWord name = trimmed(part->at + n, part->at + part->length - 1);
    if (nameOf(p, &p->dot->clocks, &name, "a clock", line, clock) != TAC_OK) return TAC_ERROR;
    const char *id = tacInternName(&p->dot->clocks, *clock, NULL);
    if (strpbrk(id, ".-") || (*id >= '0' && *id <= '9'))
        return failAt(p, line, "bad name of a clock \"%.*s\": it should be letters, digits and _", TAC_SHOWN(&name));
    return *clock < TAC_DOT_CLOCKS ? TAC_OK : failAt(p, line, "there are more than %d clocks", TAC_DOT_CLOCKS);
}

/* Adds an edge for each line of its label. */
static tacStatus addEdges(Parser *p, uint32_t from, uint32_t to, tacWord label, uint32_t line) {
    size_t before = p->dot->edges.count;
    for (tacWord event, part; takePart(&label, true, &event);) {
        tacDotEdge edge = {.from = from, .to = to, .line = line};
        if (!event.length) continue;
        takePart(&event, false, &part);
        if (eventOf(p, &part, line, &edge.event) != TAC_OK) return TAC_ERROR;
        while (takePart(&event, false, &part)) {
            uint32_t clock;
            if (resetOf(p, &part, line, &clock) != TAC_OK) return TAC_ERROR;
            if (clock != TAC_NONE) edge.resets |= 1u << clock;
            else if (part.length && edge.guard.length)
                return failAt(p, line, "a second guard \"%.*s\": both can be one, with &&", TAC_SHOWN(&part));
            else if (part.length) edge.guard = part;
        }
        if (p->dot->edges.count == TAC_DOT_EDGES)
            return failAt(p, line, "there are more than %d events on edges", TAC_DOT_EDGES);
        if (!tacArrayPush(&p->dot->edges, edge)) return tacFailMemory(p->err);
    }
    if (p->dot->edges.count > before) return TAC_OK;
    return failAt(p, line, "the edge has no event: it needs [label = \"event\"]");
}

/* Adds the invariants of a state: all lines of its label that compare something. */
static tacStatus addInvariants(Parser *p, uint32_t state, tacWord label, uint32_t line) {
    for (tacWord part; takePart(&label, true, &part);) {
        if (!memchr(part.at, '<', part.length) && !memchr(part.at, '>', part.length)
            && !memchr(part.at, '=', part.length))
            continue;
        if (p->dot->invariants.count == TAC_DOT_EDGES)
            return failAt(p, line, "there are more than %d invariants", TAC_DOT_EDGES);
        if (!tacArrayPush(&p->dot->invariants, (tacDotInvariant){state, part, line})) return tacFailMemory(p->err);
    }
    return TAC_OK;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

typedef struct Attributes {
    tacWord label, shape; /* length 0: there is none */
} Attributes;

/* Reads any number of lists [name = value, ...]. */
static tacStatus readAttributes(Parser *p, Attributes *attributes) {
    *attributes = (Attributes){{"", 0}, {"", 0}};
    while (isSign(p, '[')) {
        if (next(p) != TAC_OK) return TAC_ERROR;
        while (!isSign(p, ']')) {
            tacWord name = p->token.word;
            if (isSign(p, ',') || isSign(p, ';')) {
                if (next(p) != TAC_OK) return TAC_ERROR;
                continue;
            }
            if (!isWord(p)) return expected(p, "an attribute, or \"]\",");
            if (next(p) != TAC_OK) return TAC_ERROR;
            if (!isSign(p, '=')) continue;
            if (next(p) != TAC_OK) return TAC_ERROR;
            if (!isWord(p)) return expected(p, "a value");
            if (tacWordIs(&name, "label")) attributes->label = p->token.word;
            if (tacWordIs(&name, "shape")) attributes->shape = p->token.word;
            if (next(p) != TAC_OK) return TAC_ERROR;
        }
        if (next(p) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* A node that stands for no state: its edge shows the initial one. */
static bool isInitial(const tacWord *name) { return name->length > 7 && memcmp(name->at, "__init_", 7) == 0; }

static tacStatus stateOf(const Parser *p, const tacWord *name, uint32_t line, uint32_t *state) {
    if (nameOf(p, &p->dot->states, name, "a state", line, state) != TAC_OK) return TAC_ERROR;
    return *state < TAC_DOT_STATES ? TAC_OK : failAt(p, line, "there are more than %d states", TAC_DOT_STATES);
}

/* Reads the rest of an edge, from its arrow on. */
static tacStatus readEdge(Parser *p, const tacWord *name, uint32_t line) {
    Attributes attributes;
    uint32_t from = TAC_NONE, to;
    if (next(p) != TAC_OK) return TAC_ERROR;
    if (!isWord(p)) return expected(p, "the name of a state");
    tacWord target = p->token.word;
    if (isInitial(&target)) return failAt(p, line, "an edge leads to \"%.*s\", which is no state", TAC_SHOWN(&target));
    if (!isInitial(name) && stateOf(p, name, line, &from) != TAC_OK) return TAC_ERROR;
    if (stateOf(p, &target, line, &to) != TAC_OK || next(p) != TAC_OK) return TAC_ERROR;
    if (p->token.kind == TOKEN_ARROW)
        return failAt(p, line, "a chain of arrows is not understood: each edge needs a statement of its own");
    if (readAttributes(p, &attributes) != TAC_OK) return TAC_ERROR;
    if (from != TAC_NONE) return addEdges(p, from, to, attributes.label, line);
    p->dot->initial |= (uint64_t) 1 << to;
    return TAC_OK;
}

/* Reads the rest of a node. */
static tacStatus readNode(Parser *p, const tacWord *name, uint32_t line) {
    Attributes attributes;
    uint32_t state;
    if (readAttributes(p, &attributes) != TAC_OK) return TAC_ERROR;
    if (isInitial(name)) return TAC_OK;
    if (stateOf(p, name, line, &state) != TAC_OK) return TAC_ERROR;
    bool circled = attributes.shape.length ? tacWordIs(&attributes.shape, "doublecircle") : p->circled[p->depth];
    if (circled) p->dot->final |= (uint64_t) 1 << state;
    return addInvariants(p, state, attributes.label, line);
}

/* Reads a statement that begins with a name or text. */
static tacStatus readStatement(Parser *p) {
    Token first = p->token;
    const tacWord *name = &first.word;
    Attributes attributes;
    if (next(p) != TAC_OK) return TAC_ERROR;
    if (p->token.kind == TOKEN_ARROW) return readEdge(p, name, first.line);
    if (isSign(p, '=')) {
        if (next(p) != TAC_OK) return TAC_ERROR;
        return isWord(p) ? next(p) : expected(p, "a value");
    }
    bool plain = first.kind == TOKEN_NAME, node = plain && tacWordIs(name, "node");
    if (plain && tacWordIs(name, "subgraph")) return isWord(p) ? next(p) : TAC_OK;
    if (!node && !(plain && (tacWordIs(name, "edge") || tacWordIs(name, "graph"))))
        return readNode(p, name, first.line);
    if (readAttributes(p, &attributes) != TAC_OK) return TAC_ERROR;
    if (node && attributes.shape.length) p->circled[p->depth] = tacWordIs(&attributes.shape, "doublecircle");
    return TAC_OK;
}

/* Reads all up to the brace that closes the graph. */
static tacStatus readBody(Parser *p) {
    if (!isSign(p, '{')) return expected(p, "\"{\"");
    do {
        if (isSign(p, '{')) {
            if (p->depth == DEEPEST) return failAt(p, p->token.line, "braces are nested deeper than %d", DEEPEST);
            p->circled[p->depth + 1] = p->circled[p->depth];
            p->depth++;
        } else if (isSign(p, '}')) p->depth--;
        else if (isWord(p)) {
            if (readStatement(p) != TAC_OK) return TAC_ERROR;
            continue;
        } else if (!isSign(p, ';') && !isSign(p, ',')) return expected(p, "a state, an edge or \"}\"");
        if (next(p) != TAC_OK) return TAC_ERROR;
    } while (p->depth);
    return p->token.kind == TOKEN_END ? TAC_OK : expected(p, "the end of the file");
}

tacStatus tacDotParse(const char *text, size_t length, tacDot *dot, tacError *err) {
    *dot = (tacDot){.line = 1};
    Parser p = {.at = text, .end = text + length, .line = 1, .dot = dot, .err = err};
    if (next(&p) != TAC_OK) return TAC_ERROR;
    dot->line = p.token.line;
    if (!tacWordIs(&p.token.word, "digraph")) return expected(&p, "\"digraph\"");
    if (next(&p) != TAC_OK || (isWord(&p) && next(&p) != TAC_OK) || readBody(&p) != TAC_OK) return TAC_ERROR;
    if (!dot->edges.count) return failAt(&p, dot->line, "the automaton has no edge with an event");
    if (!dot->initial)
        return failAt(&p, dot->line, "no state is the initial one: it needs an edge \"__init_STATE\" -> \"STATE\"");
    return TAC_OK;
}

void tacDotFree(tacDot *dot) {
    tacInternFree(&dot->states);
    tacInternFree(&dot->events);
    tacInternFree(&dot->clocks);
    tacArrayFree(&dot->edges);
    tacArrayFree(&dot->invariants);
}
