/*
 * literal.c -- backslash sequences, and brackets that are object calls.
 *
 * Words that must be built are put one after the other into one text, which may move as it grows; so their places are
 * noted and become pointers when all are there.
 */
#include "base/port.h"

#include "read/clean.h"
#include "read/literal.h"

#include <string.h>

/* ---- backslash sequences ---- */

/* The value of a hexadecimal digit; 16: it is none. */
static int digitValue(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

/*
 * Reads up to `most` digits of a base as one code; returns how many it took. As in Tcl, a digit that would lead beyond
 * `largest` is not taken.
 */
static size_t readDigits(const char *at, const char *end, size_t most, int base, uint32_t largest, uint32_t *code) {
    size_t n = 0;
    *code = 0;
    for (; n < most && at + n < end && digitValue(at[n]) < base; n++) {
        uint32_t next = *code * (uint32_t) base + (uint32_t) digitValue(at[n]);
        if (next > largest) break;
        *code = next;
    }
    return n;
}

/* Adds the second half of a character that is written as two \u. Returns the bytes taken beyond the first half. */
static size_t joinSurrogate(const char *at, const char *end, uint32_t *code) {
    uint32_t low;
    if (*code < 0xD800 || *code > 0xDBFF || end - at < 6 || at[0] != '\\' || at[1] != 'u') return 0;
    if (readDigits(at + 2, end, 4, 16, 0xFFFF, &low) != 4 || low < 0xDC00 || low > 0xDFFF) return 0;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return 6;
}

/* Replaces \x, \u, \U and octal sequences. Returns the bytes taken; 0: no digits, so the letter stands for itself. */
static size_t escapeCode(const char *at, const char *end, char out[4], size_t *length) {
    static const struct {
        char letter;
        uint8_t most, base;
        uint32_t largest;
    } codes[] = {{'x', 2, 16, 0xFF}, {'u', 4, 16, 0xFFFF}, {'U', 8, 16, 0x10FFFF}, {0, 3, 8, 0xFF}};
    int row = 0;
    while (codes[row].letter && codes[row].letter != at[1]) row++;
    const char *digits = at + 1 + (codes[row].letter != 0);
    uint32_t code;
    size_t n = readDigits(digits, end, codes[row].most, codes[row].base, codes[row].largest, &code);
    if (n == 0) return 0;
    const char *stop = digits + n;
    if (codes[row].letter == 'u') stop += joinSurrogate(stop, end, &code);
    *length = tacCharacterPut(code, out);
    return (size_t) (stop - at);
}

size_t tacEscape(const char *at, const char *end, char out[4], size_t *length) {
    static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
    *length = 1;
    if (end - at < 2) return out[0] = '\\', 1;
    if (at[1] == '\n') {
        const char *p = at + 2;
        while (p < end && (*p == ' ' || *p == '\t')) p++;
        return out[0] = ' ', (size_t) (p - at);
    }
    size_t taken = escapeCode(at, end, out, length);
    if (taken) return taken;
    const char *letter = strchr(letters, at[1]);
    if (letter && *letter) return out[0] = meanings[letter - letters], 2;
    int width = tacCharacterLength((const unsigned char *) at + 1, (const unsigned char *) end);
    *length = width > 0 ? (size_t) width : 1;
    memcpy(out, at + 1, *length);
    return 1 + *length;
}

/* Needs of all words of the command together: TAC_NEEDS_ bits. */
static uint8_t needsOf(const tacSplit *split) {
    uint8_t needs = 0;
    for (size_t i = 0; i < split->words.count; i++) needs |= split->words.at[i].needs;
    return needs;
}

/* ---- brackets ---- */

/* Asks the sink with the words of the bracket; `asked` is a literal of its own, for the words. */
static tacLiteralStatus ask(tacLiteral *literal, tacLiteral *asked, const tacSink *sink, uint32_t line, tacError *err) {
    tacLiteralStatus status = tacLiteralTake(asked, &literal->bracket, NULL, line, err);
    if (status != TAC_LITERAL_DONE) return status;
    const tacWord *words = asked->words.at;
    tacError refusal = {0};
    if (sink->query(sink->data, words, 1, line, NULL, &refusal) != TAC_OK) {
        literal->unknown = (tacWord){literal->bracket.words.at[0].at, literal->bracket.words.at[0].length};
        return TAC_LITERAL_UNKNOWN;
    }
    if (sink->query(sink->data, words, (int) asked->words.count, line, &literal->text, err) != TAC_OK)
        return TAC_LITERAL_FAILED;
    return TAC_LITERAL_DONE;
}

/* Adds the answer to the bracket at *at to the text, and moves *at behind the bracket. */
static tacLiteralStatus buildBracket(
    tacLiteral *literal, const char **at, const char *end, const tacSink *sink, uint32_t line, tacError *err) {
    const tacSplit *bracket = &literal->bracket;
    const char *bracketEnd = tacSplitBracketEnd(*at, end);
    tacSplitStatus status = tacSplitCommand(&literal->bracket, *at + 1, bracketEnd - 1, true);
    if (status == TAC_SPLIT_MEMORY) return tacFailMemory(err), TAC_LITERAL_FAILED;
    if (status != TAC_SPLIT_DONE || !sink) return TAC_LITERAL_SCRIPT;
    bool one = bracket->words.count > 0 && bracket->end == bracketEnd - 1; /* exactly one command */
    if (!one || (needsOf(bracket) & ~TAC_NEEDS_ESCAPES)) return TAC_LITERAL_SCRIPT;
    *at = bracketEnd;
    tacLiteral asked = {0};
    tacLiteralStatus answer = ask(literal, &asked, sink, line, err);
    tacLiteralFree(&asked);
    return answer;
}

/* ---- words ---- */

/* The next backslash or, unless in braces, open bracket; or the end. */
static const char *nextSpecial(const char *at, const char *end, bool braced) {
    if (braced) {
        const char *found = memchr(at, '\\', (size_t) (end - at));
        return found ? found : end;
    }
    while (at < end && *at != '\\' && *at != '[') at++;
    return at;
}

/* Builds the word as Tcl would, at the end of the text, and adds it to the words. */
static tacLiteralStatus addBuilt(
    tacLiteral *literal, const tacRawWord *raw, const tacSink *sink, uint32_t line, tacError *err) {
    const char *at = raw->at, *end = at + raw->length;
    tacBuiltWord built = {literal->words.count, literal->text.length};
    bool braced = raw->kind == TAC_WORD_BRACED;
    while (at < end) {
        const char *special = nextSpecial(at, end, braced);
        tacTextAdd(&literal->text, at, (size_t) (special - at));
        at = special;
        if (at == end) break;
        if (*at == '[') {
            tacLiteralStatus status = buildBracket(literal, &at, end, sink, line, err);
            if (status != TAC_LITERAL_DONE) return status;
        } else if (braced && (end - at < 2 || at[1] != '\n')) {
            size_t kept = end - at < 2 ? 1 : 2;
            tacTextAdd(&literal->text, at, kept);
            at += kept;
        } else {
            char out[4];
            size_t length;
            at += tacEscape(at, end, out, &length);
            tacTextAdd(&literal->text, out, length);
        }
    }
    tacWord word = {"", literal->text.length - built.offset};
    if (!literal->text.failed && tacArrayPush(&literal->built, built) && tacArrayPush(&literal->words, word))
        return TAC_LITERAL_DONE;
    return tacFailMemory(err), TAC_LITERAL_FAILED;
}

tacLiteralStatus tacLiteralTake(
    tacLiteral *literal, const tacSplit *split, const tacSink *sink, uint32_t line, tacError *err) {
    literal->words.count = literal->built.count = 0;
    literal->text.length = 0;
    literal->text.failed = false;
    /* Anything that no sink can answer is looked for first, so that nothing is asked in vain. */
    uint8_t needs = needsOf(split);
    if (needs & (TAC_NEEDS_VARIABLES | TAC_NEEDS_EXPANSION | (sink ? 0 : TAC_NEEDS_BRACKETS)))
        return TAC_LITERAL_SCRIPT;
    for (size_t i = 0; i < split->words.count; i++) {
        const tacRawWord *raw = &split->words.at[i];
        if (raw->needs) {
            tacLiteralStatus status = addBuilt(literal, raw, sink, line, err);
            if (status != TAC_LITERAL_DONE) return status;
        } else if (!tacArrayPush(&literal->words, (tacWord){raw->at, raw->length})) {
            return tacFailMemory(err), TAC_LITERAL_FAILED;
        }
    }
    for (size_t i = 0; i < literal->built.count; i++)
        if (literal->text.at)
            literal->words.at[literal->built.at[i].word].at = literal->text.at + literal->built.at[i].offset;
    return TAC_LITERAL_DONE;
}

void tacLiteralFree(tacLiteral *literal) {
    tacArrayFree(&literal->words);
    tacTextFree(&literal->text);
    tacArrayFree(&literal->built);
    tacSplitFree(&literal->bracket);
}
