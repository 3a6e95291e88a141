/*
 * names.c -- splits lists of names: a pass over the text that copies each name without its braces, quotes, backslashes.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/mem.h"
#include "base/names.h"

#include <string.h>

static bool isSeparator(char c) {
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* A place in the text, and the end of the copy; NULL: nothing is copied. */
typedef struct Split {
    const char *at;
    char *copy;
} Split;

/* Copies the character at the place, and goes on behind it. */
static void take(Split *s) {
    if (s->copy) *s->copy++ = *s->at;
    s->at++;
}

/* Takes a name up to its closing brace, where backslashes stay; false: there is none. */
static bool takeBraced(Split *s) {
    for (int depth = 1; *s->at; take(s)) {
        if (*s->at == '\\' && s->at[1]) take(s);
        else if (*s->at == '{') depth++;
        else if (*s->at == '}' && --depth == 0) return s->at++, true;
    }
    return false;
}

/* Takes a name up to a quote, or, for 0, a separator; false: the quote is missing. */
static bool takePlain(Split *s, char quote) {
    for (; *s->at; take(s)) {
        if (quote ? *s->at == quote : isSeparator(*s->at)) break;
        if (*s->at == '\\' && s->at[1]) s->at++;
    }
    return !quote || *s->at++ == quote;
}

ptrdiff_t tacNames(const char *text, const char **names, char *copy) {
    Split s = {text, copy};
    ptrdiff_t count = 0;
    for (;; count++) {
        while (isSeparator(*s.at)) s.at++;
        if (!*s.at) break;
        if (names) names[count] = s.copy;
        bool braced = *s.at == '{', quoted = *s.at == '"';
        s.at += braced || quoted;
        if (!(braced ? takeBraced(&s) : takePlain(&s, quoted ? '"' : '\0'))) return TAC_NAMES_BAD;
        if (*s.at && !isSeparator(*s.at)) return TAC_NAMES_BAD;
        if (s.copy) *s.copy++ = '\0';
    }
    if (names) names[count] = NULL;
    return count;
}

bool tacNamesFit(const char *const *names, const char *text, size_t length) {
    if (!names) return true;
    while (*names && !tacGlob(*names, text, length)) names++;
    return *names != NULL;
}

const char **tacNamesCopy(const char *const *names) {
    size_t count = 0, bytes = 0;
    for (; names[count]; count++) bytes += strlen(names[count]) + 1;
    const char **copy = tacAlloc((count + 1) * sizeof *copy + bytes);
    char *at = copy ? (char *) (copy + count + 1) : NULL;
    for (size_t i = 0; copy && i < count; i++) {
        copy[i] = strcpy(at, names[i]);
        at += strlen(names[i]) + 1;
    }
    if (copy) copy[count] = NULL;
    return copy;
}
