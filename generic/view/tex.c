/*
 * tex.c -- names as LaTeX source. Mathematics (view/maths.h) passes, since all of it is known to be harmless; other
 * text is escaped character by character.
 */
#include "base/port.h"

#include "view/maths.h"
#include "view/tex.h"
#include "view/utf8.h"

#include <stdlib.h>
#include <string.h>

static bool isAlphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* ---- characters ------------------------------------------------------------------------------------------------- */

static const struct {
    char c;
    const char *tex;
} specials[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'_', "\\_"},
    {'%', "\\%"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\ensuremath{<}"},
    {'>', "\\ensuremath{>}"},
    {'|', "\\ensuremath{|}"},
    {'"', "{\\char34}"},
};

/* Characters that every LaTeX can set, by code: as a text command, or, if the form begins with a dollar, as maths. */
static const struct WideForm {
    uint32_t code;
    const char *tex;
} wides[] = {
    {0xA0, "~"},
    {0xA7, "\\S{}"},
    {0xAB, "$\\ll"},
    {0xAC, "$\\neg"},
    {0xAD, "\\-"},
    {0xB0, "${}^\\circ"},
    {0xB1, "$\\pm"},
    {0xB2, "${}^2"},
    {0xB3, "${}^3"},
    {0xB5, "$\\mu"},
    {0xB7, "$\\cdot"},
    {0xB9, "${}^1"},
    {0xBB, "$\\gg"},
    {0xD7, "$\\times"},
    {0xF7, "$\\div"},
    {0x391, "$\\mathrm{A}"},
    {0x392, "$\\mathrm{B}"},
    {0x393, "$\\Gamma"},
    {0x394, "$\\Delta"},
    {0x395, "$\\mathrm{E}"},
    {0x396, "$\\mathrm{Z}"},
    {0x397, "$\\mathrm{H}"},
    {0x398, "$\\Theta"},
    {0x399, "$\\mathrm{I}"},
    {0x39A, "$\\mathrm{K}"},
    {0x39B, "$\\Lambda"},
    {0x39C, "$\\mathrm{M}"},
    {0x39D, "$\\mathrm{N}"},
    {0x39E, "$\\Xi"},
    {0x39F, "$\\mathrm{O}"},
    {0x3A0, "$\\Pi"},
    {0x3A1, "$\\mathrm{P}"},
    {0x3A3, "$\\Sigma"},
    {0x3A4, "$\\mathrm{T}"},
    {0x3A5, "$\\Upsilon"},
    {0x3A6, "$\\Phi"},
    {0x3A7, "$\\mathrm{X}"},
    {0x3A8, "$\\Psi"},
    {0x3A9, "$\\Omega"},
    {0x3B1, "$\\alpha"},
    {0x3B2, "$\\beta"},
    {0x3B3, "$\\gamma"},
    {0x3B4, "$\\delta"},
    {0x3B5, "$\\varepsilon"},
    {0x3B6, "$\\zeta"},
    {0x3B7, "$\\eta"},
    {0x3B8, "$\\theta"},
    {0x3B9, "$\\iota"},
    {0x3BA, "$\\kappa"},
    {0x3BB, "$\\lambda"},
    {0x3BC, "$\\mu"},
    {0x3BD, "$\\nu"},
    {0x3BE, "$\\xi"},
    {0x3BF, "$o"},
    {0x3C0, "$\\pi"},
    {0x3C1, "$\\rho"},
    {0x3C2, "$\\varsigma"},
    {0x3C3, "$\\sigma"},
    {0x3C4, "$\\tau"},
    {0x3C5, "$\\upsilon"},
    {0x3C6, "$\\varphi"},
    {0x3C7, "$\\chi"},
    {0x3C8, "$\\psi"},
    {0x3C9, "$\\omega"},
    {0x2010, "-"},
    {0x2011, "-"},
    {0x2013, "\\textendash{}"},
    {0x2014, "\\textemdash{}"},
    {0x2018, "\\textquoteleft{}"},
    {0x2019, "\\textquoteright{}"},
    {0x201C, "\\textquotedblleft{}"},
    {0x201D, "\\textquotedblright{}"},
    {0x2022, "$\\bullet"},
    {0x2026, "..."},
    {0x2032, "${}^\\prime"},
    {0x2070, "${}^0"},
    {0x2074, "${}^4"},
    {0x2075, "${}^5"},
    {0x2076, "${}^6"},
    {0x2077, "${}^7"},
    {0x2078, "${}^8"},
    {0x2079, "${}^9"},
    {0x2080, "${}_0"},
    {0x2081, "${}_1"},
    {0x2082, "${}_2"},
    {0x2083, "${}_3"},
    {0x2084, "${}_4"},
    {0x2085, "${}_5"},
    {0x2086, "${}_6"},
    {0x2087, "${}_7"},
    {0x2088, "${}_8"},
    {0x2089, "${}_9"},
    {0x2190, "$\\leftarrow"},
    {0x2191, "$\\uparrow"},
    {0x2192, "$\\rightarrow"},
    {0x2193, "$\\downarrow"},
    {0x2194, "$\\leftrightarrow"},
    {0x21D2, "$\\Rightarrow"},
    {0x2212, "$-"},
    {0x221E, "$\\infty"},
    {0x2248, "$\\approx"},
    {0x2260, "$\\neq"},
    {0x2264, "$\\leq"},
    {0x2265, "$\\geq"},
    {0xFFFD, "?"},
};

static int compareCode(const void *key, const void *form) {
    uint32_t code = *(const uint32_t *) key, other = ((const struct WideForm *) form)->code;
    return code < other ? -1 : code > other;
}

static const struct WideForm *wideForm(uint32_t code) {
    return bsearch(&code, wides, sizeof wides / sizeof *wides, sizeof *wides, compareCode);
}

static void addWide(tacText *out, const char *at, size_t size, uint32_t code) {
    const struct WideForm *form = wideForm(code);
    if (form && form->tex[0] == '$') tacTextPrintf(out, "\\ensuremath{%s}", form->tex + 1);
    else if (form) tacTextAddString(out, form->tex);
    else if (code >= 0xC0 && code <= 0xFF && code != 0xD0 && code != 0xDE && code != 0xF0 && code != 0xFE)
        tacTextAdd(out, at, size); /* letters with accents: all encodings have them, but not eth and thorn */
    else tacTextPrintf(out, "\\tactusunicode{%.*s}{%04X}", (int) size, at, (unsigned) code);
}

static void addPlain(tacText *out, char c, char before, char next) {
    if (c == ' ') {
        tacTextAddString(out, before == ' ' ? "\\ " : " ");
        return;
    }
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (specials[i].c != c) continue;
        tacTextAddString(out, specials[i].tex);
        return;
    }
    tacTextAdd(out, &c, 1);
    bool joins = c && next && strchr("-'`,!?", c) && strchr("-'`,", next); /* to another sign: -- '' `` ?` << ,, */
    if (joins) tacTextAddString(out, "{}");
}

/* Adds text that is no maths. before: the character in front of it, since a blank after a blank is escaped. */
static void addText(tacText *out, const char *text, const char *end, char before) {
    while (text < end) {
        uint32_t code;
        size_t size = tacUtf8Next(text, end, &code);
        if (code < 0x80) addPlain(out, *text, before, text + 1 < end ? text[1] : '\0');
        else addWide(out, text, size, code);
        before = *text;
        text += size;
    }
}

/* Adds maths as it stands, but Greek letters as commands, and braces around scripts of several characters. */
static void addMaths(tacText *out, const char *at, const char *end, bool word) {
    for (int depth = 0; at < end;) {
        uint32_t code;
        size_t size = tacUtf8Next(at, end, &code), run = 0;
        const struct WideForm *form = code < 0x80 ? NULL : wideForm(code);
        if (form) tacTextPrintf(out, "{%s}", form->tex + 1);
        else tacTextAdd(out, at, size);
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        bool script = word && depth == 0 && (*at == '_' || *at == '^');
        at += size;
        while (script && at + run < end && isAlphanumeric(at[run])) run++;
        if (run > 1) {
            bool letters = strspn(at, "0123456789") < run;
            tacTextPrintf(out, letters ? "{\\mathrm{%.*s}}" : "{%.*s}", (int) run, at);
            at += run;
        }
    }
}

void tacTexText(const char *text, size_t length, tacText *out) {
    char before = ' '; /* so that a blank at the beginning is kept too */
    tacMathsScan scan;
    tacMathsPart part;
    tacMathsStart(&scan, text, length);
    while (tacMathsNext(&scan, &part)) {
        bool script = *part.at == '_' || *part.at == '^';
        switch (part.kind) {
        case TAC_MATHS_TEXT: addText(out, part.at, part.end, before); break;
        case TAC_MATHS_ESCAPE: addPlain(out, part.at[1], before, '\0'); break;
        case TAC_MATHS_DOLLARS: addMaths(out, part.at, part.end, false); break;
        case TAC_MATHS_WORD:
            tacTextAddString(out, script ? "\\ensuremath{{}" : "\\ensuremath{");
            addMaths(out, part.at, part.end, true);
            tacTextAddString(out, "}");
        }
        before = part.kind == TAC_MATHS_TEXT ? part.end[-1] : '$';
    }
}
