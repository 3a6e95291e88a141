/*
 * quote.c -- quoting of words.
 */
#include "base/port.h"

#include "trace/quote.h"

#include <limits.h>
#include <string.h>

enum { DELETE = 0x7f }; /* the control character behind the letters */

/* True when Tcl reads the word as it is. */
static bool isPlain(const char *word, size_t length) {
    if (length == 0) return false;
    static const bool special[UCHAR_MAX + 1] = {['"'] = true,
        ['$'] = true,
        [';'] = true,
        ['['] = true,
        [']'] = true,
        ['\\'] = true,
        ['{'] = true,
        ['}'] = true,
        [DELETE] = true};
    for (size_t i = 0; i < length; i++)
        if ((unsigned char) word[i] <= ' ' || special[(unsigned char) word[i]]) return false;
    return true;
}

/*
 * True when Tcl reads the word unchanged from within braces. They keep everything but unbalanced braces, a backslash
 * before a brace or newline or at the end, and NUL. Control characters are never written as they are, since the text
 * may be shown in a terminal, which would obey them.
 */
static bool fitsBraces(const char *word, size_t length) {
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char) word[i];
        if ((c < ' ' && c != '\t') || c == DELETE || c == '\\') return false;
        if (word[i] == '{') depth++;
        if (word[i] == '}' && --depth < 0) return false;
    }
    return depth == 0;
}

/* Adds a character, with a backslash where it needs one. */
static void addEscaped(tacText *out, char c) {
    static const char special[] = "\n\t\r\f\v\b\a", letter[] = "ntrfvba";
    const char *found = c ? strchr(special, c) : NULL;
    if (found) tacTextPrintf(out, "\\%c", letter[found - special]);
    else if ((unsigned char) c < ' ' || c == DELETE) tacTextPrintf(out, "\\%03o", (unsigned char) c);
    else {
        if (strchr(" \"$;[]\\{}#", c)) tacTextAdd(out, "\\", 1);
        tacTextAdd(out, &c, 1);
    }
}

void tacQuoteWord(tacText *out, const char *word, size_t length) {
    if (isPlain(word, length)) tacTextAdd(out, word, length);
    else if (fitsBraces(word, length)) {
        tacTextAdd(out, "{", 1);
        tacTextAdd(out, word, length);
        tacTextAdd(out, "}", 1);
    } else
        for (size_t i = 0; i < length; i++) addEscaped(out, word[i]);
}

void tacQuoteElement(tacText *list, const char *word) {
    if (list->length) tacTextAdd(list, " ", 1);
    tacQuoteWord(list, word, strlen(word));
}
