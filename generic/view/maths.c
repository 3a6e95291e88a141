/*
 * maths.c -- finds mathematics in texts by a grammar of a few rules, and takes it apart into runs.
 *
 * One reader serves both: without a line it only checks, with one it adds runs as it goes. Its depth is bounded, and so
 * is the length of texts, so that no name takes long. Sizes and heights of scripts are about those of TeX (Knuth, The
 * TeXbook, appendix G); two scripts of one letter stand above each other.
 */
#include "base/port.h"

#include "read/clean.h"
#include "view/display.h"
#include "view/maths.h"
#include "view/utf8.h"

#include <string.h>

#define THIN_SPACE "\xE2\x80\x89"
#define ROOT "\xE2\x88\x9A"
#define MINUS "\xE2\x88\x92"
#define ASTERISK "\xE2\x88\x97"
#define PRIME "\xE2\x80\xB2"
#define PARALLEL "\xE2\x88\xA5"

enum { MOST_NESTED = 16 }; /* groups within each other */

static const float scriptSize = 0.7f, leastSize = 0.5f; /* of the size around it; of the line's */
static const float superRise = 0.4f, subRise = -0.18f;  /* of the size around it */

typedef struct MathsLook { /* of what is read next */
    float size, rise;
    uint8_t letters, signs; /* styles */
} MathsLook;

typedef struct Maths {
    const char *at, *end;
    tacMathsLine *line; /* NULL: only checking */
    MathsLook look;
    const char *accent; /* combining character for the next character shown, or for all; NULL: none */
    bool everywhere;    /* the accent is for all */
    bool operand;       /* something stands before that an operator can join to what follows */
    bool gap;           /* a thin space belongs before what follows: behind "max" */
} Maths;

/* How much a script without braces takes: one atom, as in TeX; all letters and digits; the same, but only digits or
 * one letter. */
typedef enum Scripts { BY_TEX, BY_WORDS, BY_SHORT_WORDS } Scripts;

static bool mathList(Maths *m);

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isWordly(char c) { return isLetter(c) || isDigit(c); }
static bool isScript(const Maths *m) { return m->at < m->end && (*m->at == '_' || *m->at == '^' || *m->at == '\''); }

/* Length in bytes of the Greek letter at a place; 0: there is none. *small: it is a small one. */
static size_t greekLength(const char *at, const char *end, bool *small) {
    uint32_t code;
    if (at >= end || ((unsigned char) *at != 0xCE && (unsigned char) *at != 0xCF)) return 0;
    size_t length = tacUtf8Next(at, end, &code);
    *small = code >= 0x3B1 && code <= 0x3C9;
    return *small || (code >= 0x391 && code <= 0x3A9 && code != 0x3A2) ? length : 0;
}

/* ---- showing ---------------------------------------------------------------------------------------------------- */

static void addRun(Maths *m, tacMathsPen pen, uint8_t style, size_t first) {
    tacMathsLine *line = m->line;
    tacMathsRun run = {
        (uint8_t) pen, style, (uint32_t) first, (uint32_t) (line->text.length - first), m->look.size, m->look.rise};
    tacMathsRun *last = line->runs.count ? &line->runs.at[line->runs.count - 1] : NULL;
    if (last && pen == TAC_MATHS_SHOW && last->pen == TAC_MATHS_SHOW && last->style == style && last->size == run.size
        && last->rise == run.rise)
        last->length += run.length;
    else if (!tacArrayPush(&line->runs, run)) line->failed = true;
}

static void movePen(Maths *m, tacMathsPen pen) {
    if (m->line) addRun(m, pen, 0, m->line->text.length);
}

/* Shows a character, or several, in a style. */
static void show(Maths *m, const char *text, size_t length, uint8_t style) {
    if (!m->line) return;
    size_t first = m->line->text.length;
    if (m->gap && m->look.size == 1) tacTextAddString(&m->line->text, THIN_SPACE);
    m->gap = false;
    tacTextAdd(&m->line->text, text, length);
    if (m->accent) tacTextAddString(&m->line->text, m->accent);
    if (!m->everywhere) m->accent = NULL;
    addRun(m, TAC_MATHS_SHOW, style, first);
    m->operand = true;
}

/* Shows an operator, with a little room on both sides where it joins two things on the line. */
static void showOperator(Maths *m, const char *text, size_t length) {
    bool room = m->operand && m->look.size == 1;
    m->gap = false;
    if (room) show(m, THIN_SPACE, strlen(THIN_SPACE), 0);
    show(m, text, length, m->look.signs);
    if (room) show(m, THIN_SPACE, strlen(THIN_SPACE), 0);
    m->operand = false;
}

/* ---- commands --------------------------------------------------------------------------------------------------- */

typedef enum SymbolKind { SLANTED, UPRIGHT, OPERATOR, WORD } SymbolKind;

/* Commands that stand for a symbol, all of plain LaTeX. */
static const struct Symbol {
    const char *name;
    uint32_t code; /* of the character; 0: the command's own name is shown */
    SymbolKind kind;
} symbols[] = {
    {"alpha", 0x3B1, SLANTED},
    {"beta", 0x3B2, SLANTED},
    {"gamma", 0x3B3, SLANTED},
    {"delta", 0x3B4, SLANTED},
    {"epsilon", 0x3F5, SLANTED},
    {"varepsilon", 0x3B5, SLANTED},
    {"zeta", 0x3B6, SLANTED},
    {"eta", 0x3B7, SLANTED},
    {"theta", 0x3B8, SLANTED},
    {"vartheta", 0x3D1, SLANTED},
    {"iota", 0x3B9, SLANTED},
    {"kappa", 0x3BA, SLANTED},
    {"lambda", 0x3BB, SLANTED},
    {"mu", 0x3BC, SLANTED},
    {"nu", 0x3BD, SLANTED},
    {"xi", 0x3BE, SLANTED},
    {"pi", 0x3C0, SLANTED},
    {"varpi", 0x3D6, SLANTED},
    {"rho", 0x3C1, SLANTED},
    {"varrho", 0x3F1, SLANTED},
    {"sigma", 0x3C3, SLANTED},
    {"varsigma", 0x3C2, SLANTED},
    {"tau", 0x3C4, SLANTED},
    {"upsilon", 0x3C5, SLANTED},
    {"phi", 0x3D5, SLANTED},
    {"varphi", 0x3C6, SLANTED},
    {"chi", 0x3C7, SLANTED},
    {"psi", 0x3C8, SLANTED},
    {"omega", 0x3C9, SLANTED},
    {"Gamma", 0x393, UPRIGHT},
    {"Delta", 0x394, UPRIGHT},
    {"Theta", 0x398, UPRIGHT},
    {"Lambda", 0x39B, UPRIGHT},
    {"Xi", 0x39E, UPRIGHT},
    {"Pi", 0x3A0, UPRIGHT},
    {"Sigma", 0x3A3, UPRIGHT},
    {"Upsilon", 0x3A5, UPRIGHT},
    {"Phi", 0x3A6, UPRIGHT},
    {"Psi", 0x3A8, UPRIGHT},
    {"Omega", 0x3A9, UPRIGHT},
    {"ell", 0x2113, UPRIGHT},
    {"prime", 0x2032, UPRIGHT},
    {"infty", 0x221E, UPRIGHT},
    {"cdot", 0x22C5, OPERATOR},
    {"cdots", 0x22EF, UPRIGHT},
    {"ldots", 0x2026, UPRIGHT},
    {"dots", 0x2026, UPRIGHT},
    {"times", 0xD7, OPERATOR},
    {"pm", 0xB1, OPERATOR},
    {"mp", 0x2213, OPERATOR},
    {"ast", 0x2217, OPERATOR},
    {"star", 0x22C6, OPERATOR},
    {"circ", 0x2218, OPERATOR},
    {"bullet", 0x2219, OPERATOR},
    {"oplus", 0x2295, OPERATOR},
    {"otimes", 0x2297, OPERATOR},
    {"le", 0x2264, OPERATOR},
    {"leq", 0x2264, OPERATOR},
    {"ge", 0x2265, OPERATOR},
    {"geq", 0x2265, OPERATOR},
    {"ne", 0x2260, OPERATOR},
    {"neq", 0x2260, OPERATOR},
    {"equiv", 0x2261, OPERATOR},
    {"approx", 0x2248, OPERATOR},
    {"sim", 0x223C, OPERATOR},
    {"ll", 0x226A, OPERATOR},
    {"gg", 0x226B, OPERATOR},
    {"in", 0x2208, OPERATOR},
    {"notin", 0x2209, OPERATOR},
    {"subset", 0x2282, OPERATOR},
    {"cup", 0x222A, OPERATOR},
    {"cap", 0x2229, OPERATOR},
    {"to", 0x2192, OPERATOR},
    {"rightarrow", 0x2192, OPERATOR},
    {"leftarrow", 0x2190, OPERATOR},
    {"leftrightarrow", 0x2194, OPERATOR},
    {"Rightarrow", 0x21D2, OPERATOR},
    {"mapsto", 0x21A6, OPERATOR},
    {"uparrow", 0x2191, OPERATOR},
    {"downarrow", 0x2193, OPERATOR},
    {"langle", 0x27E8, UPRIGHT},
    {"rangle", 0x27E9, UPRIGHT},
    {"lceil", 0x2308, UPRIGHT},
    {"rceil", 0x2309, UPRIGHT},
    {"lfloor", 0x230A, UPRIGHT},
    {"rfloor", 0x230B, UPRIGHT},
    {"mid", 0x2223, OPERATOR},
    {"parallel", 0x2225, OPERATOR},
    {"perp", 0x22A5, OPERATOR},
    {"top", 0x22A4, UPRIGHT},
    {"bot", 0x22A5, UPRIGHT},
    {"sum", 0x2211, UPRIGHT},
    {"prod", 0x220F, UPRIGHT},
    {"max", 0, WORD},
    {"min", 0, WORD},
    {"sup", 0, WORD},
    {"inf", 0, WORD},
    {"log", 0, WORD},
    {"emptyset", 0x2205, UPRIGHT},
    {"forall", 0x2200, UPRIGHT},
    {"exists", 0x2203, UPRIGHT},
    {"neg", 0xAC, UPRIGHT},
    {"land", 0x2227, OPERATOR},
    {"lor", 0x2228, OPERATOR},
    {"partial", 0x2202, UPRIGHT},
    {"nabla", 0x2207, UPRIGHT},
    {"backslash", 0x5C, UPRIGHT},
    {"quad", 0x2003, UPRIGHT},
    {NULL, 0, UPRIGHT},
};

/* Commands that take one group {...}: an alphabet, or a combining character on the first or on every character. */
static const struct Wrapper {
    const char *name;
    const char *accent; /* NULL: an alphabet */
    bool everywhere;
    uint8_t letters, signs; /* styles of an alphabet */
} wrappers[] = {
    {.name = "mathrm"},
    {.name = "mathit", .letters = TAC_MATHS_ITALIC},
    {.name = "mathbf", .letters = TAC_MATHS_BOLD, .signs = TAC_MATHS_BOLD},
    {.name = "mathsf"},
    {.name = "mathtt", .letters = TAC_MATHS_MONO, .signs = TAC_MATHS_MONO},
    {.name = "mathcal", .letters = TAC_MATHS_ITALIC},
    {.name = "hat", .accent = "\xCC\x82"},
    {.name = "widehat", .accent = "\xCC\x82"},
    {.name = "bar", .accent = "\xCC\x84"},
    {.name = "tilde", .accent = "\xCC\x83"},
    {.name = "widetilde", .accent = "\xCC\x83"},
    {.name = "check", .accent = "\xCC\x8C"},
    {.name = "breve", .accent = "\xCC\x86"},
    {.name = "acute", .accent = "\xCC\x81"},
    {.name = "grave", .accent = "\xCC\x80"},
    {.name = "dot", .accent = "\xCC\x87"},
    {.name = "ddot", .accent = "\xCC\x88"},
    {.name = "vec", .accent = "\xE2\x83\x97"},
    {.name = "overline", .accent = "\xCC\x85", .everywhere = true},
    {.name = "underline", .accent = "\xCC\xB2", .everywhere = true},
    {.name = "sqrt", .accent = "\xCC\x85", .everywhere = true},
    {.name = NULL},
};

static bool isNamed(const char *known, const char *name, size_t length) {
    return strlen(known) == length && memcmp(known, name, length) == 0;
}

static const struct Wrapper *wrapperNamed(const char *name, size_t length) {
    const struct Wrapper *wrapper = wrappers;
    while (wrapper->name && !isNamed(wrapper->name, name, length)) wrapper++;
    return wrapper->name ? wrapper : NULL;
}

bool tacMathsTakesGroup(const char *name, size_t length) { return wrapperNamed(name, length) != NULL; }

static bool mathGroup(Maths *m) {
    if (m->at == m->end || *m->at != '{') return false;
    m->at++;
    if (!mathList(m) || m->at == m->end) return false;
    m->at++; /* the closing brace, where the list ended */
    return true;
}

static bool mathWrapped(Maths *m, const struct Wrapper *wrapper) {
    Maths outer = *m;
    if (wrapper->name[0] == 's') show(m, ROOT, strlen(ROOT), 0);
    if (wrapper->accent) {
        m->accent = wrapper->accent;
        m->everywhere = wrapper->everywhere;
    } else {
        m->look.letters = wrapper->letters;
        m->look.signs = wrapper->signs;
    }
    if (!mathGroup(m)) return false;
    m->accent = outer.accent;
    m->everywhere = outer.everywhere;
    m->look = outer.look;
    return true;
}

static void showSymbol(Maths *m, const struct Symbol *symbol) {
    char bytes[4];
    size_t length = symbol->code ? tacCharacterPut(symbol->code, bytes) : strlen(symbol->name);
    const char *shown = symbol->code ? bytes : symbol->name;
    if (symbol->kind == OPERATOR) showOperator(m, shown, length);
    else show(m, shown, length, symbol->kind == SLANTED ? TAC_MATHS_ITALIC : 0);
    if (symbol->kind == WORD) m->gap = true;
}

/* A backslash and a sign: a space of some width, or the sign itself. */
static bool mathSign(Maths *m) {
    static const struct {
        char sign;
        const char *shown;
    } spaces[] = {
        {',', THIN_SPACE}, {':', "\xE2\x80\x85"}, {';', "\xE2\x80\x85"}, {'!', ""}, {' ', " "}, {'|', PARALLEL}};
    if (m->at == m->end || !strchr(",;:! {}%_#&|", *m->at) || !*m->at) return false;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (spaces[i].sign != *m->at) continue;
        if (*spaces[i].shown) show(m, spaces[i].shown, strlen(spaces[i].shown), 0);
        m->at++;
        return true;
    }
    show(m, m->at++, 1, m->look.signs);
    return true;
}

static bool mathCommand(Maths *m) {
    const char *name = ++m->at;
    while (m->at < m->end && isLetter(*m->at)) m->at++;
    size_t length = (size_t) (m->at - name);
    if (!length) return mathSign(m);
    for (const struct Symbol *symbol = symbols; symbol->name; symbol++) {
        if (!isNamed(symbol->name, name, length)) continue;
        showSymbol(m, symbol);
        return true;
    }
    const struct Wrapper *wrapper = wrapperNamed(name, length);
    return wrapper && mathWrapped(m, wrapper);
}

/* ---- atoms, scripts, lists -------------------------------------------------------------------------------------- */

/* A character that needs no backslash. */
static bool mathCharacter(Maths *m) {
    bool small;
    size_t greek = greekLength(m->at, m->end, &small);
    char c = *m->at;
    if (!greek && !isWordly(c) && !(c && strchr(" +-*/=<>()[]|,.;:!", c))) return false;
    if (greek) show(m, m->at, greek, small ? TAC_MATHS_ITALIC : 0);
    else if (isLetter(c)) show(m, m->at, 1, m->look.letters);
    else if (c == '-') showOperator(m, MINUS, strlen(MINUS));
    else if (c == '*') showOperator(m, ASTERISK, strlen(ASTERISK));
    else if (strchr("+=<>", c)) showOperator(m, m->at, 1);
    else if (c != ' ') {
        show(m, m->at, 1, m->look.signs);
        if (strchr("([,;:", c)) m->operand = false;
    }
    m->at += greek ? greek : 1;
    return true;
}

static bool mathAtom(Maths *m) {
    if (m->at == m->end) return false;
    if (*m->at == '{') return mathGroup(m);
    if (*m->at == '\\') return mathCommand(m);
    return mathCharacter(m);
}

/* The letters and digits of a script without braces. */
static bool mathRun(Maths *m, Scripts scripts) {
    const char *last = m->at;
    uint8_t letters = m->look.letters;
    bool digits = true;
    for (; last < m->end && isWordly(*last); last++) digits = digits && isDigit(*last);
    if (scripts == BY_SHORT_WORDS && !digits && last > m->at + 1) return false;
    if (last > m->at + 1) m->look.letters = 0; /* a word is upright */
    while (m->at < last) mathCharacter(m);
    m->look.letters = letters;
    return true;
}

static void showPrimes(Maths *m) {
    for (; m->at < m->end && *m->at == '\''; m->at++) show(m, PRIME, strlen(PRIME), 0);
}

static bool mathScript(Maths *m, Scripts scripts) {
    MathsLook outer = m->look;
    m->look.rise += (*m->at == '_' ? subRise : superRise) * outer.size;
    m->look.size = outer.size * scriptSize > leastSize ? outer.size * scriptSize : leastSize;
    m->at++;
    if (m->at == m->end || *m->at == ' ') return false;
    if (!(scripts != BY_TEX && isWordly(*m->at) ? mathRun(m, scripts) : mathAtom(m))) return false;
    m->look = outer;
    return true;
}

/* The scripts of one thing; TeX allows it one subscript and one superscript. They stand above each other. */
static bool mathScripts(Maths *m, Scripts scripts) {
    bool sub = false, super = false;
    movePen(m, TAC_MATHS_KEEP);
    while (isScript(m)) {
        bool *seen = *m->at == '_' ? &sub : &super;
        if (*seen) return false;
        *seen = true;
        if (sub && super) movePen(m, TAC_MATHS_BACK);
        if (*m->at == '\'') showPrimes(m);
        else if (!mathScript(m, scripts)) return false;
    }
    movePen(m, TAC_MATHS_JOIN);
    m->operand = true;
    return true;
}

/* Reads atoms up to the end or a closing brace. False: not maths. */
static bool mathList(Maths *m) {
    while (m->at < m->end && *m->at != '}')
        if (!(isScript(m) ? mathScripts(m, BY_TEX) : mathAtom(m))) return false;
    return true;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static Maths reader(const char *at, const char *end, tacMathsLine *line) {
    return (Maths){.at = at, .end = end, .line = line, .look = {1, 0, TAC_MATHS_ITALIC, 0}};
}

static bool isEllipsis(const char *at) { return memcmp(at, TAC_ELLIPSIS, 3) == 0; }

/* May a word begin at a place: behind a blank, a bracket, a sign that joins, or where a text was cut? */
static bool beginsWord(const tacMathsScan *scan, const char *at) {
    if (at == scan->text) return true;
    if (at - scan->text >= 3 && isEllipsis(at - 3)) return true;
    return (unsigned char) at[-1] <= ' ' || strchr("([,;=+", at[-1]);
}

/* May the word of a single letter end at a place? A point ends it only before a number: a job of a task. */
static bool endsWord(const tacMathsScan *scan, const char *at) {
    if (at == scan->end || (unsigned char) *at <= ' ' || strchr(")],;=+:", *at)) return true;
    if (*at == '.') return at + 1 == scan->end || isDigit(at[1]);
    return scan->end - at >= 3 && isEllipsis(at);
}

/* Rule 2: commands, each with scripts. */
static bool readCommands(Maths *m) {
    do {
        if (m->at + 1 == m->end || !isLetter(m->at[1]) || !mathCommand(m) || (isScript(m) && !mathScripts(m, BY_WORDS)))
            return false;
    } while (m->at < m->end && *m->at == '\\' && m->at + 1 < m->end && isLetter(m->at[1]));
    return true;
}

/* Does what was read go up to where it should: to no further script, and to a brace that it could not read? */
static bool isWhole(const Maths *m) { return m->at == m->end || !strchr("_^{", *m->at) || !*m->at; }

/* Rules 3 and 4: a letter with scripts. */
static bool readLetter(Maths *m, Scripts scripts) {
    return mathCharacter(m) && isScript(m) && *m->at != '\'' && mathScripts(m, scripts);
}

/* Rule 5: scripts in braces. */
static bool readScripts(Maths *m) { return m->at + 1 < m->end && m->at[1] == '{' && mathScripts(m, BY_WORDS); }

/* Reads the mathematics that begins at a place, if there is any. NULL: there is none; else its end. */
static const char *readWord(const tacMathsScan *scan, const char *at, tacMathsLine *line) {
    Maths m = reader(at, scan->end, line);
    const char *next = at + 1;
    bool small, first = at == scan->text, begins = beginsWord(scan, at);
    size_t greek = greekLength(at, scan->end, &small);
    char before = first ? ' ' : at[-1];
    if (*at == '\\') return begins && readCommands(&m) && isWhole(&m) ? m.at : NULL;
    if (greek) return !isWordly(before) && before != '_' && readLetter(&m, BY_WORDS) && isWhole(&m) ? m.at : NULL;
    if (*at == '_' || *at == '^') {
        bool behind = isWordly(before) || before == ')' || before == ']' || (before & 0x80);
        return behind && readScripts(&m) && isWhole(&m) ? m.at : NULL;
    }
    if (!isLetter(*at) || !begins || next == scan->end || (*next != '_' && *next != '^')) return NULL;
    if (!readLetter(&m, BY_SHORT_WORDS) || !isWhole(&m)) return NULL;
    return m.at[-1] == '}' || endsWord(scan, m.at) ? m.at : NULL;
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static const char *nextDollar(const tacMathsScan *scan, const char *at) {
    while ((at = memchr(at, '$', (size_t) (scan->end - at))) && at > scan->text && at[-1] == '\\') at++;
    return at;
}

/*
 * Are all dollars of the text in pairs around maths that fits? Amounts and variables of a shell ("$5 or $6") are no
 * pairs: maths has no blank inside its dollars, and no digit behind them.
 */
static bool dollarsFit(const tacMathsScan *scan) {
    const char *at = scan->text;
    while ((at = nextDollar(scan, at))) {
        const char *close = memchr(at + 1, '$', (size_t) (scan->end - at - 1));
        if (!close || close == at + 1 || at[1] == ' ' || close[-1] == ' ') return false;
        Maths m = reader(at + 1, close, NULL);
        if (!mathList(&m) || m.at != close || (close + 1 < scan->end && isDigit(close[1]))) return false;
        at = close + 1;
    }
    return true;
}

/* Can a script with this sign, _ or ^, belong to maths, by what stands beside it? */
static bool mayBeScript(const char *text, size_t length, size_t at) {
    if (at == 0) return false;
    if ((at + 1 < length && text[at + 1] == '{') || (text[at - 1] & 0x80)) return true;
    return isLetter(text[at - 1]) && (at == 1 || (!isWordly(text[at - 2]) && text[at - 2] != '_'));
}

static bool mayHaveScript(const char *text, size_t length, char sign) {
    const char *at = text;
    while ((at = memchr(at, sign, (size_t) (text + length - at)))) {
        if (mayBeScript(text, length, (size_t) (at - text))) return true;
        at++;
    }
    return false;
}

/* May there be maths? So cheap that ordinary names cost next to nothing: labels ask in every frame where they may be
 * cut. */
static bool mayHaveMaths(const char *text, size_t length) {
    size_t depth = 0;
    if (!length) return false;
    if (!memchr(text, '\\', length) && !memchr(text, '$', length) && !mayHaveScript(text, length, '_')
        && !mayHaveScript(text, length, '^'))
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '{' && ++depth > MOST_NESTED) return false;
        if (text[i] == '}' && depth) depth--;
    }
    return true;
}

void tacMathsStart(tacMathsScan *scan, const char *text, size_t length) {
    *scan = (tacMathsScan){.text = text, .at = text, .end = text + length};
    scan->none = length > TAC_MATHS_MOST || !mayHaveMaths(text, length);
    scan->dollars = !scan->none && dollarsFit(scan);
}

/* Is there a part that is no text at the place? */
static bool partAt(const tacMathsScan *scan, const char *at, tacMathsPart *part) {
    *part = (tacMathsPart){TAC_MATHS_WORD, at, NULL};
    if (*at == '\\' && at + 1 < scan->end && strchr("_^$", at[1]) && at[1]) {
        part->kind = TAC_MATHS_ESCAPE;
        part->end = at + 2;
    } else if (*at == '$' && scan->dollars) {
        part->kind = TAC_MATHS_DOLLARS;
        part->end = (const char *) memchr(at + 1, '$', (size_t) (scan->end - at - 1)) + 1;
    } else part->end = readWord(scan, at, NULL);
    return part->end != NULL;
}

bool tacMathsNext(tacMathsScan *scan, tacMathsPart *part) {
    const char *at = scan->at;
    if (at == scan->end) return false;
    while (!scan->none && at < scan->end && !partAt(scan, at, part)) at++;
    if (scan->none) at = scan->end;
    if (at > scan->at) *part = (tacMathsPart){TAC_MATHS_TEXT, scan->at, at};
    scan->at = part->end;
    return true;
}

bool tacMathsIn(const char *text, size_t length) {
    tacMathsScan scan;
    tacMathsPart part;
    tacMathsStart(&scan, text, length);
    while (!scan.none && tacMathsNext(&scan, &part))
        if (part.kind != TAC_MATHS_TEXT) return true;
    return false;
}

/* ---- cutting ---------------------------------------------------------------------------------------------------- */

/* The part that is no text and holds the character at a place, or with `behind` ends there. False: it is text. */
static bool partAround(const char *text, size_t length, size_t at, bool behind, tacMathsPart *part) {
    tacMathsScan scan;
    tacMathsStart(&scan, text, length);
    while (tacMathsNext(&scan, part)) {
        size_t end = (size_t) (part->end - text);
        if (behind ? end >= at : end > at) return part->kind != TAC_MATHS_TEXT;
    }
    return false;
}

bool tacMathsCutAt(const char *text, size_t length, size_t at) {
    tacMathsPart whole, cut;
    bool inside = partAround(text, length, at, false, &whole);
    if (inside && whole.at < text + at) return false;
    if (partAround(text + at, length - at, 0, false, &cut) != inside) return false;
    return at == 0 || partAround(text, at, at, true, &cut) == partAround(text, length, at, true, &whole);
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

void tacMathsRuns(const char *text, size_t length, tacMathsLine *line) {
    tacMathsScan scan;
    tacMathsPart part;
    tacMathsStart(&scan, text, length);
    while (tacMathsNext(&scan, &part)) {
        Maths m = reader(part.at, part.end, line);
        if (part.kind == TAC_MATHS_TEXT) show(&m, part.at, (size_t) (part.end - part.at), 0);
        else if (part.kind == TAC_MATHS_ESCAPE) show(&m, part.at + 1, 1, 0);
        else if (part.kind == TAC_MATHS_WORD) readWord(&scan, part.at, line);
        else {
            m = reader(part.at + 1, part.end - 1, line);
            mathList(&m);
        }
    }
    line->failed = line->failed || line->text.failed;
}

void tacMathsLineFree(tacMathsLine *line) {
    tacTextFree(&line->text);
    tacArrayFree(&line->runs);
}
