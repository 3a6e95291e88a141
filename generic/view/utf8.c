/*
 * utf8.c -- decodes UTF-8 strictly (no overlong forms, no surrogates, nothing above U+10FFFF) and makes names fit to be
 * shown. Every text of a figure passes here before Pango, XML or LaTeX see it.
 */
#include "base/port.h"

#include "read/clean.h"
#include "view/utf8.h"

size_t tacUtf8Next(const char *text, const char *textEnd, uint32_t *code) {
    const unsigned char *at = (const unsigned char *) text, *end = (const unsigned char *) textEnd;
    if (*at < 0x80) return *code = *at, 1;
    int length = tacCharacterLength(at, end);
    if (length <= 0) { /* take all bytes that could begin a character */
        size_t part = 1;
        while (at + part < end && tacCharacterLength(at, at + part + 1) < 0) part++;
        *code = TAC_UTF8_REPLACEMENT;
        return part;
    }
    *code = *at & (0x7F >> length);
    for (int i = 1; i < length; i++) *code = *code << 6 | (at[i] & 0x3F);
    return (size_t) length;
}

/*
 * Is this a character that shows nothing itself and could make one name look like another? Such are the marks of the
 * direction of writing and blanks without width. The joiners U+200C and U+200D are not: words are spelt with them.
 */
static bool isHidden(uint32_t code) {
    if (code < 0x061C) return code == 0xAD;
    return code == 0x061C || code == 0x180E || code == 0x200B || code == 0x200E || code == 0x200F
        || (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF
        || (code >= 0xE0000 && code <= 0xE007F);
}

/* The character that stands for this one in a line of text: a blank for line ends and tabs, U+FFFD for other controls
 * and hidden characters. */
static uint32_t shownFor(uint32_t code) {
    if (code >= 0x20 && code < 0x7F) return code;
    if (code == '\t' || code == '\n' || code == '\r' || code == 0x2028 || code == 0x2029) return ' ';
    if (code < 0xA0 || (code & 0xFFFE) == 0xFFFE || isHidden(code)) return TAC_UTF8_REPLACEMENT;
    return code;
}

/* Is the text well-formed, and each of its characters shown as itself? */
static bool isClean(const char *text, const char *end) {
    while (text < end) {
        const char *at = text;
        uint32_t code;
        text += tacUtf8Next(text, end, &code);
        if (shownFor(code) != code) return false;
        if (code == TAC_UTF8_REPLACEMENT && (text - at != 3 || (unsigned char) *at != 0xEF)) return false;
    }
    return true;
}

const char *tacUtf8Clean(const char *text, size_t *length, tacText *scratch) {
    const char *end = text + *length;
    if (isClean(text, end)) return text;
    tacTextFree(scratch);
    while (text < end) {
        uint32_t code;
        char bytes[4];
        text += tacUtf8Next(text, end, &code);
        tacTextAdd(scratch, bytes, tacCharacterPut(shownFor(code), bytes));
    }
    *length = scratch->length;
    return scratch->failed ? NULL : scratch->at;
}
