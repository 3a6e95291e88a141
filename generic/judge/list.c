/*
 * list.c -- splits lists as Tcl does: elements between blanks, bare, in braces or in quotes.
 */
#include "base/port.h"

#include "judge/list.h"
#include "read/literal.h"

static bool isSpace(char c) { return tacIsBlank(c) || c == '\n'; }

/* End of an element in braces, at its closing one; NULL: there is none. at: behind the opening one. */
static const char *bracedEnd(const char *at, const char *end) {
    for (int depth = 1; at < end; at++) {
        if (*at == '\\') at++;
        else if (*at == '{') depth++;
        else if (*at == '}' && --depth == 0) return at;
    }
    return NULL;
}

/* End of a bare element, or of one in quotes, at the closing one; NULL: there is none. */
static const char *plainEnd(const char *at, const char *end, bool quoted) {
    for (; at < end && (quoted ? *at != '"' : !isSpace(*at)); at++)
        if (*at == '\\') at++;
    return quoted ? at < end ? at : NULL : at < end ? at : end;
}

/* Writes an element to `out` with its backslash sequences replaced, and returns the end of what was written. */
static char *unescape(const char *at, const char *end, char *out) {
    while (at < end) {
        size_t written = 1;
        if (*at != '\\') *out = *at++;
        else if (at + 1 == end) *out = *at++;
        else at += tacEscape(at, end, out, &written);
        out += written;
    }
    return out;
}

tacStatus tacListSplit(tacList *list, const char *text, size_t length, tacError *err) {
    const char *at = text, *end = text + length;
    char *out = list->built = tacAlloc(length + 4); /* a sequence is never shorter than what it means */
    if (!out) return tacFailMemory(err);
    for (;;) {
        while (at < end && isSpace(*at)) at++;
        if (at == end) return TAC_OK;
        bool braced = *at == '{', quoted = *at == '"';
        if (braced || quoted) at++;
        const char *stop = braced ? bracedEnd(at, end) : plainEnd(at, end, quoted);
        if (!stop) return tacFail(err, "LIST", "a %s is missing", braced ? "close-brace" : "close-quote");
        tacWord word = {at, (size_t) (stop - at)};
        if (!braced && memchr(at, '\\', word.length)) {
            word.at = out;
            out = unescape(at, stop, out);
            word.length = (size_t) (out - word.at);
        }
        if (!tacArrayPush(&list->words, word)) return tacFailMemory(err);
        at = stop + (braced || quoted);
        if (at < end && !isSpace(*at))
            return tacFail(err, "LIST", "\"%.*s\" follows a %s without a blank",
                (int) tacWholeLength(at, (size_t) (end - at), 20), at, braced ? "close-brace" : "quote");
    }
}

void tacListFree(tacList *list) {
    tacArrayFree(&list->words);
    tacFree(list->built);
    *list = (tacList){0};
}
