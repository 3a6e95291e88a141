/*
 * utf8.c -- decodes UTF-8 strictly (no overlong forms, no surrogates, nothing above U+10FFFF) and makes names fit to be
 * shown. Every text of a figure passes here before Pango, XML or LaTeX see it.
 */
#include "base/port.h"

#include "view/utf8.h"

/* Lead bytes and the range of the byte that may follow each (Unicode 15, table 3-7); the others are 80..BF. */
static const struct {
    uint8_t first, last, length, low, high;
} leads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F},
    {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},
};

size_t tacUtf8Next(const char *text, const char *textEnd, uint32_t *code) {
    const unsigned char *at = (const unsigned char *) text, *end = (const unsigned char *) textEnd;
    if (*at < 0x80) return *code = *at, 1;
    *code = TAC_UTF8_REPLACEMENT;
    size_t row = 0;
    while (row < sizeof leads / sizeof *leads && (*at < leads[row].first || *at > leads[row].last)) row++;
    if (row == sizeof leads / sizeof *leads) return 1;
    size_t length = leads[row].length;
    uint32_t value = *at & (0x7F >> length);
    unsigned char low = leads[row].low, high = leads[row].high;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xBF) {
        if (at + i >= end || at[i] < low || at[i] > high) return i;
        value = value << 6 | (at[i] & 0x3F);
    }
    *code = value;
    return length;
}

static void addCharacter(tacText *text, uint32_t code) {
    char bytes[4];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; code >>= 6) bytes[i] = (char) (0x80 | (code & 0x3F));
    bytes[0] = (char) (lead[length] | code);
    tacTextAdd(text, bytes, length);
}

/*
 * Characters that show nothing themselves and could make one name look like another: those that turn the direction of
 * what follows, and blanks without width. The joiners U+200C and U+200D stay: words are spelt with them.
 */
static bool isHidden(uint32_t code) {
    if (code < 0x061C) return code == 0xAD;
    return code == 0x061C || code == 0x180E || code == 0x200B || code == 0x200E || code == 0x200F
        || (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF
        || (code >= 0xE0000 && code <= 0xE007F);
}

/* The character that stands for this one in a line of text: blank for line ends and tabs, U+FFFD for other controls and
 * for what cannot be seen but changes how the rest is seen (the direction of writing, blanks without width). */
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
        text += tacUtf8Next(text, end, &code);
        addCharacter(scratch, shownFor(code));
    }
    *length = scratch->length;
    return scratch->failed ? NULL : scratch->at;
}
