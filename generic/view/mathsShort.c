/*
 * mathsShort.c -- shortens a text with mathematics: its first and last characters stay, an ellipsis stands for others.
 *
 *      Job $J_{release,2} \le D_2$  ->  Job $J_{rel}$…$D_{2}$
 *
 * The result is a text with mathematics again, all in dollars, so that every format shows it by its own means. Groups,
 * scripts and dollars that an ellipsis interrupts end before it and begin again behind it. What opens them is written
 * when a first character within is; so those that lost all characters leave nothing.
 */
#include "base/port.h"

#include "view/display.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <string.h>

enum { MOST_OPEN = 64 }; /* more than groups and scripts can be within each other */

typedef struct ShortOpen { /* a group, script or pair of dollars that is open */
    const char *at;        /* what opens it, of the text */
    size_t length;
    const char *more, *close; /* what follows that, and what closes it */
    bool once;                /* it takes one character or group */
    bool written;
} ShortOpen;

typedef struct Shortener {
    tacText *out;
    const char *end;      /* of the whole text */
    size_t n, head, tail; /* characters passed; those before `head` and from `tail` on stay */
    ShortOpen open[MOST_OPEN];
    size_t nOpen;
    bool skipping, command; /* the last thing was left out; it was a command, which a letter must not join */
    bool failed;
} Shortener;

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static void openGroup(Shortener *s, const char *at, size_t length, const char *more, const char *close, bool once) {
    if (s->nOpen == MOST_OPEN) s->failed = true;
    else s->open[s->nOpen++] = (ShortOpen){at, length, more, close, once, false};
}

static void closeGroup(Shortener *s) {
    if (!s->nOpen) return;
    const ShortOpen *open = &s->open[--s->nOpen];
    if (!open->written) return;
    tacTextAddString(s->out, open->close);
    s->command = false;
}

/* Closes scripts that have had their one character or group. */
static void closeOnce(Shortener *s) {
    while (s->nOpen && s->open[s->nOpen - 1].once) closeGroup(s);
}

static void writeOpen(Shortener *s) {
    for (size_t i = 0; i < s->nOpen; i++) {
        ShortOpen *open = &s->open[i];
        if (open->written) continue;
        tacTextAdd(s->out, open->at, open->length);
        tacTextAddString(s->out, open->more);
        open->written = true;
        s->command = false;
    }
}

static void writeEllipsis(Shortener *s) {
    for (size_t i = s->nOpen; i-- > 0;) {
        if (s->open[i].written) tacTextAddString(s->out, s->open[i].close);
        s->open[i].written = false;
    }
    while (!s->failed && s->out->length && s->out->at[s->out->length - 1] == ' ') s->out->length--;
    tacTextAddString(s->out, TAC_ELLIPSIS);
    s->skipping = true;
}

/* Passes one character, as it stands in the source, or with another spelling. */
static void character(Shortener *s, const char *at, size_t length, const char *spelling) {
    bool stays = s->n < s->head || s->n >= s->tail;
    s->n++;
    if (!stays && !s->skipping) writeEllipsis(s);
    if (!stays || (s->skipping && *at == ' ' && length == 1)) return;
    s->skipping = false;
    writeOpen(s);
    if (s->command && isLetter(*at)) tacTextAddString(s->out, " ");
    if (spelling) tacTextAddString(s->out, spelling);
    else tacTextAdd(s->out, at, length);
    s->command = *at == '\\' && length > 1 && isLetter(at[1]);
}

/* ---- mathematics ------------------------------------------------------------------------------------------------ */

static size_t characterLength(const char *at, const char *end) {
    size_t length = 1;
    while (at + length < end && tacUtf8Continues(at[length])) length++;
    return length;
}

/* A command: of a group, or a character. */
static const char *passCommand(Shortener *s, const char *at, const char *end) {
    const char *next = at + 1;
    while (next < end && isLetter(*next)) next++;
    if (next == at + 1 && next < end) next++;
    if (next < end && *next == '{' && isLetter(at[1]) && tacMathsTakesGroup(at + 1, (size_t) (next - at - 1))) {
        openGroup(s, at, (size_t) (next + 1 - at), "", "}", false);
        return next + 1;
    }
    character(s, at, (size_t) (next - at), at[1] == ' ' ? "\\:" : NULL); /* no blank beside dollars */
    closeOnce(s);
    return next;
}

/* A script, with braces in any case. `words`: all letters and digits behind the sign are in it. */
static const char *passScript(Shortener *s, const char *at, const char *end, bool words) {
    const char *next = at + 1, *last = next;
    bool letters = false;
    if (next < end && *next == '{') {
        openGroup(s, at, 2, "", "}", false);
        return next + 1;
    }
    for (; words && last < end && (isLetter(*last) || isDigit(*last)); last++) letters = letters || isLetter(*last);
    bool word = letters && last > next + 1;
    openGroup(s, at, 1, word ? "{\\mathrm{" : "{", word ? "}}" : "}", last == next);
    if (last == next) return next;
    for (; next < last; next++) character(s, next, 1, NULL);
    closeGroup(s);
    return last;
}

static void passMaths(Shortener *s, const char *at, const char *end, bool word) {
    size_t outer = s->nOpen;
    while (at < end) {
        if (*at == '{') openGroup(s, at++, 1, "", "}", false);
        else if (*at == '}') {
            closeGroup(s);
            closeOnce(s);
            at++;
        } else if (*at == '_' || *at == '^') at = passScript(s, at, end, word && s->nOpen == outer);
        else if (*at == '\\') at = passCommand(s, at, end);
        else if (*at == ' ') at++;
        else {
            size_t length = characterLength(at, end);
            character(s, at, length, NULL);
            closeOnce(s);
            at += length;
        }
    }
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* Text that is no mathematics, and must not become any by its new neighbours. */
static void passText(Shortener *s, const char *at, const char *end) {
    while (at < end) {
        size_t length = characterLength(at, end);
        bool backslash = *at == '\\' && (at + 1 == s->end || !isDigit(at[1])); /* no digit stands behind dollars */
        char escaped[3] = {'\\', *at, 0};
        character(s, at, length, backslash ? "$\\backslash$" : strchr("_^$", *at) && *at ? escaped : NULL);
        s->command = false;
        at += length;
    }
}

size_t tacMathsShorten(const char *text, size_t length, size_t head, size_t tail, tacText *out) {
    tacText none = {0};
    const char *begin = text; /* of what is not passed yet: no digit may stand behind dollars */
    Shortener s = {.out = out ? out : &none, .end = text + length, .head = head, .tail = tail};
    tacMathsScan scan;
    tacMathsPart part;
    tacMathsStart(&scan, text, length);
    while (tacMathsNext(&scan, &part)) {
        bool dollars = part.kind == TAC_MATHS_DOLLARS;
        if (part.at < begin) part.at = begin;
        s.command = false;
        if (part.kind == TAC_MATHS_TEXT) passText(&s, part.at, part.end);
        else if (part.kind == TAC_MATHS_ESCAPE) character(&s, part.at, 2, NULL);
        else {
            for (begin = part.end; begin < text + length && isDigit(*begin);) begin++;
            openGroup(&s, "$", 1, "", "$", false);
            passMaths(&s, part.at + dollars, dollars ? part.end - 1 : begin, !dollars);
            closeGroup(&s);
        }
    }
    if (s.failed && out) out->failed = true;
    tacTextFree(&none);
    return s.n;
}
