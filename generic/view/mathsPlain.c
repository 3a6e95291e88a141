/*
 * mathsPlain.c -- mathematics as near as plain text can show it, for lists and sentences: \tau_{1} as τ₁, x_{LO} as
 * x_LO.
 *
 * A script is written in Unicode's sub- and superscripts where there are such for all of its characters; else behind
 * the sign, in braces if it is more than a word.
 */
#include "base/port.h"

#include "read/clean.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <string.h>

/* Characters with a sub- and a superscript (Unicode 15, chapter 22.4); 0: there is none. */
static const struct PlainScript {
    uint32_t code, sub, super;
} plainScripts[] = {
    {'0', 0x2080, 0x2070}, {'1', 0x2081, 0xB9}, {'2', 0x2082, 0xB2}, {'3', 0x2083, 0xB3}, {'4', 0x2084, 0x2074},
    {'5', 0x2085, 0x2075}, {'6', 0x2086, 0x2076}, {'7', 0x2087, 0x2077}, {'8', 0x2088, 0x2078}, {'9', 0x2089, 0x2079},
    {'+', 0x208A, 0x207A}, {0x2212, 0x208B, 0x207B}, /* minus */
    {'=', 0x208C, 0x207C}, {'(', 0x208D, 0x207D}, {')', 0x208E, 0x207E}, {',', ',', ','}, {'.', '.', '.'},
    {'a', 0x2090, 0x1D43}, {'b', 0, 0x1D47}, {'c', 0, 0x1D9C}, {'d', 0, 0x1D48}, {'e', 0x2091, 0x1D49},
    {'f', 0, 0x1DA0}, {'g', 0, 0x1D4D}, {'h', 0x2095, 0x2B0}, {'i', 0x1D62, 0x2071}, {'j', 0x2C7C, 0x2B2},
    {'k', 0x2096, 0x1D4F}, {'l', 0x2097, 0x2E1}, {'m', 0x2098, 0x1D50}, {'n', 0x2099, 0x207F}, {'o', 0x2092, 0x1D52},
    {'p', 0x209A, 0x1D56}, {'r', 0x1D63, 0x2B3}, {'s', 0x209B, 0x2E2}, {'t', 0x209C, 0x1D57}, {'u', 0x1D64, 0x1D58},
    {'v', 0x1D65, 0x1D5B}, {'w', 0, 0x2B7}, {'x', 0x2093, 0x2E3}, {'y', 0, 0x2B8}, {'z', 0, 0x1DBB},
    {0x3B2, 0x1D66, 0x1D5D}, /* beta */
    {0x3B3, 0x1D67, 0x1D5E}, /* gamma */
    {0x3B4, 0, 0x1D5F},      /* delta */
    {0x3C1, 0x1D68, 0},      /* rho */
    {0x3C6, 0x1D69, 0x1D60}, /* phi */
    {0x3C7, 0x1D6A, 0x1D61}, /* chi */
};

static uint32_t scriptOf(uint32_t code, bool super) {
    for (size_t i = 0; i < sizeof plainScripts / sizeof *plainScripts; i++)
        if (plainScripts[i].code == code) return super ? plainScripts[i].super : plainScripts[i].sub;
    return 0;
}

/* Adds a script in Unicode's characters; false: not all are there, and nothing is added. */
static bool addScript(const char *at, const char *end, bool super, tacText *out) {
    size_t before = out->length;
    while (at < end) {
        uint32_t code;
        char bytes[4];
        at += tacUtf8Next(at, end, &code);
        code = scriptOf(code, super);
        if (!code) {
            out->length = before;
            return false;
        }
        tacTextAdd(out, bytes, tacCharacterPut(code, bytes));
    }
    return true;
}

/* Adds a script behind its sign. */
static void addSpelled(const char *at, const char *end, bool super, tacText *out) {
    bool word = true;
    for (const char *p = at; p < end; p++)
        word = word
            && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p & 0x80));
    tacTextAddString(out, super ? "^" : "_");
    if (!word) tacTextAddString(out, "{");
    tacTextAdd(out, at, (size_t) (end - at));
    if (!word) tacTextAddString(out, "}");
}

/* Adds characters on the line; the narrow spaces beside operators become blanks. */
static void addOnLine(const char *at, const char *end, tacText *out) {
    while (at < end) {
        uint32_t code;
        size_t size = tacUtf8Next(at, end, &code);
        bool narrow = code == 0x2009 || code == 0x2005;
        tacTextAdd(out, narrow ? " " : at, narrow ? 1 : size);
        at += size;
    }
}

/* Index behind the runs from i on that are shown at one height: 0 the line's, -1 lower, 1 higher. */
static size_t endOfHeight(const tacMathsLine *line, size_t i, int *height) {
    bool begun = false;
    for (; i < line->runs.count; i++) {
        const tacMathsRun *run = &line->runs.at[i];
        int own = run->rise < 0 ? -1 : run->rise > 0;
        if (begun && (run->pen != TAC_MATHS_SHOW || own != *height)) break;
        *height = own;
        begun = run->pen == TAC_MATHS_SHOW;
        if (!begun) return i + 1;
    }
    return i;
}

bool tacMathsPlain(const char *text, size_t length, bool spelled, tacText *out) {
    tacMathsLine line = {.failed = false};
    int height = 0;
    if (!tacMathsIn(text, length)) return false;
    tacMathsRuns(text, length, &line);
    for (size_t i = 0, end; i < line.runs.count && !line.failed; i = end) {
        const tacMathsRun *run = &line.runs.at[i];
        end = endOfHeight(&line, i, &height);
        if (run->pen != TAC_MATHS_SHOW) continue;
        const char *from = line.text.at + run->first;
        const char *to = line.text.at + line.runs.at[end - 1].first + line.runs.at[end - 1].length;
        if (!height) addOnLine(from, to, out);
        else if (spelled || !addScript(from, to, height > 0, out)) addSpelled(from, to, height > 0, out);
    }
    bool done = !line.failed && !out->failed && out->at;
    tacMathsLineFree(&line);
    return done;
}
