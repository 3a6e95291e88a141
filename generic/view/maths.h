/*
 * maths.h -- mathematics in the texts of figures: found, and taken apart into runs that can be shown.
 *
 *      "R of \tau_{hi}"  ->  parts: text "R of ", word "\tau_{hi}"  ->  runs: "R of ", tau, "hi" smaller and lower
 *
 * The same in all formats: the shaper and the SVG writer show the runs, the TikZ writer has LaTeX set the parts. A part
 * is known to be harmless, since all of it is read by a small grammar: letters, digits, signs, groups, sub- and
 * superscripts, and commands of a table. Everything else is text, shown as it stands. Mathematics is
 *
 *   1. what stands in dollars, if all dollars of the text are in pairs around such;
 *   2. a command of the table at the beginning of a word, with its groups and scripts: \tau_1, \hat{x};
 *   3. a Greek letter with scripts;
 *   4. a word of one letter with a script of digits or one letter: x_1, x_i, x^2; but not x_1_a, x_max, x_1/a;
 *   5. a script in braces behind a letter or digit: WCET_{hi}.
 *
 * A backslash before _ ^ or $ makes this an ordinary character.
 */
#ifndef TAC_VIEW_MATHS_H
#define TAC_VIEW_MATHS_H

#include "base/mem.h"

enum { TAC_MATHS_MOST = 500 }; /* bytes; a longer text is no name, and nothing in it is mathematics */

typedef enum tacMathsKind {
    TAC_MATHS_TEXT,
    TAC_MATHS_ESCAPE, /* a backslash and the character that is shown */
    TAC_MATHS_WORD,   /* mathematics without dollars */
    TAC_MATHS_DOLLARS /* mathematics with its dollars */
} tacMathsKind;

typedef struct tacMathsPart {
    tacMathsKind kind;
    const char *at, *end;
} tacMathsPart;

typedef struct tacMathsScan { /* the state between two parts */
    const char *text, *at, *end;
    bool none;    /* there is no mathematics */
    bool dollars; /* all dollars are in pairs around mathematics */
} tacMathsScan;

void tacMathsStart(tacMathsScan *scan, const char *text, size_t length);
bool tacMathsNext(tacMathsScan *scan, tacMathsPart *part); /* false: the end */

/* Does the text show anything but its own characters? */
bool tacMathsIn(const char *text, size_t length);

/* ---- cutting ---- */

/* Is the text shown as before, when it is cut at this place into two? */
bool tacMathsCutAt(const char *text, size_t length, size_t at);

/*
 * Adds the text without the characters from number `head` up to number `tail`, for which an ellipsis stands (view/
 * mathsShort.c); NULL: adds nothing. Returns the number of characters: what is shown as one, a command for instance.
 */
size_t tacMathsShorten(const char *text, size_t length, size_t head, size_t tail, tacText *out);
/* Does the command of this name take a group in braces? */
bool tacMathsTakesGroup(const char *name, size_t length);

/* ---- runs ---- */

enum { TAC_MATHS_ITALIC = 1, TAC_MATHS_BOLD = 2, TAC_MATHS_MONO = 4 }; /* styles */

typedef enum tacMathsPen {
    TAC_MATHS_SHOW, /* the text, and go behind it */
    TAC_MATHS_KEEP, /* remember this place, for scripts above each other */
    TAC_MATHS_BACK, /* go back to the place remembered last */
    TAC_MATHS_JOIN  /* go behind the furthest since the place remembered last, and forget it */
} tacMathsPen;

typedef struct tacMathsRun {
    uint8_t pen, style;     /* tacMathsPen; styles */
    uint32_t first, length; /* bytes of tacMathsLine.text */
    float size, rise;       /* shares of the line's font size; rise: of the baseline, upwards */
} tacMathsRun;

typedef struct tacMathsLine {
    tacText text; /* what is shown, UTF-8 */
    TAC_ARRAY(tacMathsRun) runs;
    bool failed; /* no memory */
} tacMathsLine;

/*
 * Adds the text as near as plain text can show it (view/mathsPlain.c); `spelled`: scripts behind their sign in any
 * case. False: it has no mathematics, or there is no memory.
 */
bool tacMathsPlain(const char *text, size_t length, bool spelled, tacText *out);

/* Takes a text apart, clean UTF-8 (tacUtf8Clean); `line` is zero. */
void tacMathsRuns(const char *text, size_t length, tacMathsLine *line);
void tacMathsLineFree(tacMathsLine *line);

#endif
