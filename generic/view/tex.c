/*
 * tex.c -- escapes names for LaTeX and lets through the maths that is known to be harmless.
 */
#include "base/port.h"
#include "view/tex.h"
#include "view/utf8.h"

#include <stdlib.h>
#include <string.h>

/* ---- maths in names ---------------------------------------------------------------------------------------------------- */

/* Commands that stand for a symbol, and those that take one group {...}; all of plain LaTeX. */
static const char *const symbols[] = {
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "pi", "varpi", "rho", "varrho", "sigma", "varsigma", "tau", "upsilon", "phi", "varphi", "chi", "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell", "prime",
    "infty", "cdot", "cdots", "ldots", "dots", "times", "pm", "mp", "ast", "star", "circ", "bullet", "oplus", "otimes", "le",
    "leq", "ge", "geq", "ne", "neq", "equiv", "approx", "sim", "ll", "gg", "in", "notin", "subset", "cup", "cap", "to",
    "rightarrow", "leftarrow", "leftrightarrow", "Rightarrow", "mapsto", "uparrow", "downarrow", "langle", "rangle", "lceil",
    "rceil", "lfloor", "rfloor", "mid", "parallel", "perp", "top", "bot", "sum", "prod", "max", "min", "sup", "inf", "log",
    "emptyset", "forall", "exists", "neg", "land", "lor", "partial", "nabla", "quad", NULL
};
static const char *const wrappers[] = {
    "mathrm", "mathit", "mathbf", "mathsf", "mathtt", "mathcal", "hat", "bar", "tilde", "vec", "dot", "ddot", "overline",
    "underline", "widehat", "widetilde", "sqrt", NULL
};

static bool inList(const char *const *list, const char *name, size_t length) {
    for (; *list; list++)
	if (strlen(*list) == length && memcmp(*list, name, length) == 0) return true;
    return false;
}

static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

enum { MOST_NESTED = 16 };

typedef struct maths {
    const char *at, *end;
    int depth;			/* open groups */
} maths;

static bool mathList(maths *m);

static bool mathGroup(maths *m) {
    if (m->at == m->end || *m->at != '{' || ++m->depth > MOST_NESTED) return false;
    m->at++;
    if (!mathList(m) || m->at == m->end) return false;
    m->at++;			/* the closing brace, where the list ended */
    m->depth--;
    return true;
}

static bool mathCommand(maths *m) {
    const char *name = ++m->at;
    while (m->at < m->end && isLetter(*m->at)) m->at++;
    size_t length = (size_t) (m->at - name);
    if (length) return inList(symbols, name, length) || (inList(wrappers, name, length) && mathGroup(m));
    return m->at < m->end && strchr(",;:! {}%_#&|", *m->at++) != NULL;
}

static bool mathAtom(maths *m) {
    if (m->at == m->end) return false;
    if (*m->at == '{') return mathGroup(m);
    if (*m->at == '\\') return mathCommand(m);
    char c = *m->at++;
    return isLetter(c) || (c && strchr("0123456789 +-*/=<>()[]|,.;:!", c));
}

/* Up to the end or a closing brace. One subscript and one superscript an atom, as TeX wants it. */
static bool mathList(maths *m) {
    bool sub = false, super = false;
    while (m->at < m->end && *m->at != '}') {
	char c = *m->at;
	if (c == '_' || c == '^' || c == '\'') {
	    bool *seen = c == '_' ? &sub : &super;
	    if (*seen) return false;
	    *seen = true;
	    m->at++;
	    if (c != '\'' && (m->at == m->end || *m->at == ' ' || !mathAtom(m))) return false;
	} else {
	    sub = super = false;
	    if (!mathAtom(m)) return false;
	}
    }
    return true;
}

static bool mathFits(const char *at, const char *end) {
    maths m = {at, end, 0};
    while (at < end && *at == ' ') at++;
    return at < end && mathList(&m) && m.at == end;
}

/* Are all dollars of the text in pairs around maths that fits? */
static bool hasMaths(const char *text, const char *end) {
    bool some = false;
    while ((text = memchr(text, '$', (size_t) (end - text)))) {
	const char *close = memchr(text + 1, '$', (size_t) (end - text - 1));
	if (!close || !mathFits(text + 1, close)) return false;
	some = true;
	text = close + 1;
    }
    return some;
}

/* ---- characters -------------------------------------------------------------------------------------------------------- */

static const struct { char c; const char *tex; } specials[] = {
    {'\\', "\\textbackslash{}"}, {'{', "\\{"}, {'}', "\\}"}, {'$', "\\$"}, {'&', "\\&"}, {'#', "\\#"}, {'_', "\\_"}, {'%', "\\%"},
    {'^', "\\textasciicircum{}"}, {'~', "\\textasciitilde{}"}, {'<', "\\ensuremath{<}"}, {'>', "\\ensuremath{>}"}, {'|', "\\ensuremath{|}"},
    {'"', "{\\char34}"}
};

/* Characters that every LaTeX can set as maths or as a text command, by code. */
static const struct wideForm { uint32_t code; const char *tex; bool maths; } wides[] = {
    {0xA0, "~", false}, {0xA7, "\\S{}", false}, {0xAB, "\\ll", true}, {0xAC, "\\neg", true}, {0xAD, "\\-", false}, {0xB0, "{}^\\circ", true},
    {0xB1, "\\pm", true}, {0xB2, "{}^2", true}, {0xB3, "{}^3", true}, {0xB5, "\\mu", true}, {0xB7, "\\cdot", true}, {0xB9, "{}^1", true},
    {0xBB, "\\gg", true}, {0xD7, "\\times", true}, {0xF7, "\\div", true},
    {0x391, "\\mathrm{A}", true}, {0x392, "\\mathrm{B}", true}, {0x393, "\\Gamma", true}, {0x394, "\\Delta", true}, {0x395, "\\mathrm{E}", true},
    {0x396, "\\mathrm{Z}", true}, {0x397, "\\mathrm{H}", true}, {0x398, "\\Theta", true}, {0x399, "\\mathrm{I}", true}, {0x39A, "\\mathrm{K}", true},
    {0x39B, "\\Lambda", true}, {0x39C, "\\mathrm{M}", true}, {0x39D, "\\mathrm{N}", true}, {0x39E, "\\Xi", true}, {0x39F, "\\mathrm{O}", true},
    {0x3A0, "\\Pi", true}, {0x3A1, "\\mathrm{P}", true}, {0x3A3, "\\Sigma", true}, {0x3A4, "\\mathrm{T}", true}, {0x3A5, "\\Upsilon", true},
    {0x3A6, "\\Phi", true}, {0x3A7, "\\mathrm{X}", true}, {0x3A8, "\\Psi", true}, {0x3A9, "\\Omega", true},
    {0x3B1, "\\alpha", true}, {0x3B2, "\\beta", true}, {0x3B3, "\\gamma", true}, {0x3B4, "\\delta", true}, {0x3B5, "\\varepsilon", true},
    {0x3B6, "\\zeta", true}, {0x3B7, "\\eta", true}, {0x3B8, "\\theta", true}, {0x3B9, "\\iota", true}, {0x3BA, "\\kappa", true},
    {0x3BB, "\\lambda", true}, {0x3BC, "\\mu", true}, {0x3BD, "\\nu", true}, {0x3BE, "\\xi", true}, {0x3BF, "o", true}, {0x3C0, "\\pi", true},
    {0x3C1, "\\rho", true}, {0x3C2, "\\varsigma", true}, {0x3C3, "\\sigma", true}, {0x3C4, "\\tau", true}, {0x3C5, "\\upsilon", true},
    {0x3C6, "\\varphi", true}, {0x3C7, "\\chi", true}, {0x3C8, "\\psi", true}, {0x3C9, "\\omega", true},
    {0x2010, "-", false}, {0x2011, "-", false}, {0x2013, "\\textendash{}", false}, {0x2014, "\\textemdash{}", false}, {0x2018, "\\textquoteleft{}", false},
    {0x2019, "\\textquoteright{}", false}, {0x201C, "\\textquotedblleft{}", false}, {0x201D, "\\textquotedblright{}", false},
    {0x2022, "\\bullet", true}, {0x2026, "...", false}, {0x2032, "{}^\\prime", true}, {0x2070, "{}^0", true}, {0x2074, "{}^4", true},
    {0x2075, "{}^5", true}, {0x2076, "{}^6", true}, {0x2077, "{}^7", true}, {0x2078, "{}^8", true}, {0x2079, "{}^9", true},
    {0x2080, "{}_0", true}, {0x2081, "{}_1", true}, {0x2082, "{}_2", true}, {0x2083, "{}_3", true}, {0x2084, "{}_4", true}, {0x2085, "{}_5", true},
    {0x2086, "{}_6", true}, {0x2087, "{}_7", true}, {0x2088, "{}_8", true}, {0x2089, "{}_9", true}, {0x2190, "\\leftarrow", true},
    {0x2191, "\\uparrow", true}, {0x2192, "\\rightarrow", true}, {0x2193, "\\downarrow", true}, {0x2194, "\\leftrightarrow", true},
    {0x21D2, "\\Rightarrow", true}, {0x2212, "-", true}, {0x221E, "\\infty", true}, {0x2248, "\\approx", true}, {0x2260, "\\neq", true},
    {0x2264, "\\leq", true}, {0x2265, "\\geq", true}, {0xFFFD, "?", false}
};

static int compareCode(const void *key, const void *form) {
    uint32_t code = *(const uint32_t *) key, other = ((const struct wideForm *) form)->code;
    return code < other ? -1 : code > other;
}

/* Letters with accents are known to all encodings; the four that are not letters with accents, or not to all, are left out. */
static bool knownLetter(uint32_t code) {
    return code >= 0xC0 && code <= 0xFF && code != 0xD0 && code != 0xDE && code != 0xF0 && code != 0xFE;
}

static void addWide(tacText *out, const char *at, size_t size, uint32_t code) {
    const struct wideForm *form = bsearch(&code, wides, sizeof wides / sizeof *wides, sizeof *wides, compareCode);
    if (form) tacTextPrintf(out, form->maths ? "\\ensuremath{%s}" : "%s", form->tex);
    else if (knownLetter(code)) tacTextAdd(out, at, size);
    else tacTextPrintf(out, "\\tactusunicode{%.*s}{%04X}", (int) size, at, (unsigned) code);
}

/* Characters that join with the next one of them into another sign: -- '' `` ?` << ,, */
static bool joins(char c, char next) {
    return c && next && strchr("-'`,!?", c) && strchr("-'`,", next);
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
    if (joins(c, next)) tacTextAddString(out, "{}");
}

/* `before`: the character that stands before the text; a blank after a blank is kept by force. */
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

void tacTexText(const char *text, size_t length, tacText *out) {
    const char *end = text + length;
    bool maths = hasMaths(text, end);
    char before = ' ';		/* so that one at the beginning is kept too */
    while (text < end) {
	const char *open = maths ? memchr(text, '$', (size_t) (end - text)) : NULL;
	addText(out, text, open ? open : end, before);
	if (!open) break;
	const char *close = memchr(open + 1, '$', (size_t) (end - open - 1));
	tacTextAdd(out, open, (size_t) (close + 1 - open));
	text = close + 1;
	before = '$';
    }
}
