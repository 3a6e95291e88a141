/*
 * split.c -- finds commands and words.
 *
 * The scanner walks through the text once, by mutual recursion as deep as brackets nest (at most TAC_MAX_DEPTH). A scan
 * function begins at the character that names it and leaves `at` behind the text that it scanned; false means that the
 * scan is over: open (the text ended) or broken, and `problem` says why. The first problem stays.
 *
 * The scanner follows Tcl_ParseCommand (tclParse.c of Tcl 8.6); the tests compare both on random scripts.
 */
#include "base/port.h"

#include "read/split.h"

#include <string.h>

/* ---- plain lines ---- */

typedef unsigned char Bytes16 __attribute__((vector_size(16)));

/* Sets all bits of each byte that is a blank, control or special character, and of `#` and `|`, which the test cannot
 * tell from one. */
static inline Bytes16 marked(Bytes16 x) {
    return (Bytes16) (x <= ' ') | (Bytes16) (x - '"' <= '$' - '"') | (Bytes16) (x == ';')
        | (Bytes16) ((x | 0x20) - '{' <= '}' - '{'); /* with the bit of lower case, [ \ ] are { | } */
}

/* Finds the marks of 16 bytes: a set bit for each, in the order of the bytes; the first eight are in marks[0]. */
static inline void findMarks(const char *at, uint64_t marks[2]) {
    const union {
        uint16_t word;
        unsigned char first;
    } order = {1};
    Bytes16 x;
    memcpy(&x, at, sizeof x);
    x = marked(x) & 1;
    memcpy(marks, &x, sizeof x);
    if (order.first) return;
    marks[0] = __builtin_bswap64(marks[0]);
    marks[1] = __builtin_bswap64(marks[1]);
}

static inline bool isPlainBlank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/* Tells whether this marked character stands for itself in a word that `close` closes. */
static inline bool isPlainWithin(char c, char close) {
    if ((unsigned char) c < ' ' && c != '\t') return false;
    return c != '\\' && (close == '}' ? c != '{' : c != '[' && c != '$');
}

/* A plain line as far as it has been taken. */
typedef struct PlainLine {
    const char *word; /* begin of the present word */
    char close;       /* the quote or brace that ends it; 0: a blank does */
    int n;            /* words before it */
} PlainLine;

typedef enum PlainMark { MARK_PASSED, MARK_LINE_END, MARK_SPECIAL } PlainMark;

/* Adds the word that ends at p; the next one begins behind it. */
static inline void endWord(PlainLine *line, tacWord words[TAC_PLAIN_WORDS], const char *p) {
    words[line->n++] = (tacWord){line->word, (size_t) (p - line->word)};
    line->word = p + 1;
}

/* Takes a mark within quotes or braces. */
static inline PlainMark takeQuotedMark(
    PlainLine *line, tacWord words[TAC_PLAIN_WORDS], const char *p, const char *end) {
    if (*p != line->close) return isPlainWithin(*p, line->close) ? MARK_PASSED : MARK_SPECIAL;
    if (p + 1 == end || !isPlainBlank(p[1])) return MARK_SPECIAL;
    line->close = 0;
    endWord(line, words, p);
    return MARK_PASSED;
}

/* Takes a marked character: a blank, a quote, or one that stands for itself or makes the line special. */
static inline PlainMark takeMark(PlainLine *line, tacWord words[TAC_PLAIN_WORDS], const char *p, const char *end) {
    if (TAC_UNLIKELY(line->n == TAC_PLAIN_WORDS)) return MARK_SPECIAL;
    if (TAC_UNLIKELY(line->close != 0)) return takeQuotedMark(line, words, p, end);
    if (TAC_LIKELY(isPlainBlank(*p))) {
        if (p > line->word) endWord(line, words, p);
        line->word = p + 1;
        return *p == '\n' ? MARK_LINE_END : MARK_PASSED;
    }
    if (p == line->word && (*p == '"' || (*p == '{' && p + 1 < end && p[1] != '*'))) {
        line->close = *p == '"' ? '"' : '}';
        line->word = p + 1;
        return MARK_PASSED;
    }
    return (*p == '#' && line->n > 0) || *p == '|' ? MARK_PASSED : MARK_SPECIAL;
}

size_t tacSplitPlain(const char *at, const char *end, tacWord words[TAC_PLAIN_WORDS], int *count) {
    PlainLine line = {.word = at};
    for (const char *block = at; end - block >= 16; block += 16) {
        uint64_t marks[2];
        findMarks(block, marks);
        for (int half = 0; half < 2; half++) {
            for (uint64_t left = marks[half]; left; left &= left - 1) {
                PlainMark mark = takeMark(&line, words, block + 8 * half + (__builtin_ctzll(left) >> 3), end);
                if (TAC_LIKELY(mark == MARK_PASSED)) continue;
                *count = line.n;
                return mark == MARK_LINE_END ? (size_t) (line.word - at) : 0;
            }
        }
    }
    return 0;
}

/* ---- the scanner ---- */

/* A walk through the text of a command. */
typedef struct Scanner {
    const char *at, *end;
    const char *problem; /* the first one; NULL: none */
    const char *word;    /* begin of the outermost word */
    int level;           /* brackets that are open */
    int depth;           /* most so far, with those in braces */
    bool broken;         /* more text would not help */
    bool tooLarge;       /* broken because of a limit */
    bool inComment;      /* the text ends in a comment */
} Scanner;

/* Ends the scan because the text ends too early. */
static bool missing(Scanner *s, const char *problem) {
    if (!s->problem) s->problem = problem;
    s->at = s->end;
    return false;
}

/* Ends the scan because Tcl would refuse the command. */
static bool broken(Scanner *s, const char *problem) {
    s->broken = true;
    if (!s->problem) s->problem = problem;
    return false;
}

static inline bool atEnd(const Scanner *s) { return s->at >= s->end; }

/* Tells whether a backslash-newline stands here. */
static inline bool atContinuation(const Scanner *s) { return *s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n'; }

/* Passes a backslash and the character after it, if there is one. */
static inline void scanBackslash(Scanner *s) { s->at += s->end - s->at > 1 ? 2 : 1; }

static void scanBlanks(Scanner *s) {
    for (; !atEnd(s); s->at++) {
        if (atContinuation(s)) s->at++;
        else if (!tacIsBlank(*s->at)) return;
    }
}

/* Passes the letters, digits, underscores and double colons that stand here. */
static void scanName(Scanner *s) {
    while (!atEnd(s)) {
        char c = *s->at;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') {
            s->at++;
        } else if (c == ':' && s->at + 1 < s->end && s->at[1] == ':') {
            while (!atEnd(s) && *s->at == ':') s->at++;
        } else {
            return;
        }
    }
}

static bool scanBracket(Scanner *s);
static bool scanVariable(Scanner *s, uint8_t *needs);

/* Passes one substitution or character of a bare or quoted word or an array index. */
static bool scanPart(Scanner *s, uint8_t *needs) {
    switch (*s->at) {
    case '\\':
        if (s->end - s->at > 1) *needs |= TAC_NEEDS_ESCAPES; /* the last character stands for itself */
        scanBackslash(s);
        return true;
    case '[': *needs |= TAC_NEEDS_BRACKETS; return scanBracket(s);
    case '$': return scanVariable(s, needs);
    default: s->at++; return true;
    }
}

/* Passes the opening character of a quoted word or an array index, and all up to the character that closes it. */
static bool scanUntil(Scanner *s, char close, const char *problem, uint8_t *needs) {
    for (s->at++; !atEnd(s);) {
        if (*s->at == close) return s->at++, true;
        if (!scanPart(s, needs)) return false;
    }
    return missing(s, problem);
}

/* $name, ${name}, $name(index), or a mere $. */
static bool scanVariable(Scanner *s, uint8_t *needs) {
    const char *name = ++s->at;
    if (atEnd(s)) return true;
    if (*name == '{') {
        *needs |= TAC_NEEDS_VARIABLES;
        s->at = memchr(name, '}', (size_t) (s->end - name));
        if (!s->at) return missing(s, "missing close-brace for variable name");
        s->at++;
        return true;
    }
    scanName(s);
    bool array = !atEnd(s) && *s->at == '(';
    if (s->at == name && !array) return true;
    *needs |= TAC_NEEDS_VARIABLES;
    return array ? scanUntil(s, ')', "missing )", needs) : true;
}

/* {braced}; also notes how deep brackets nest in it, in case it is a script. */
static bool scanBraces(Scanner *s, uint8_t *needs) {
    int braces = 0, brackets = s->level;
    for (; !atEnd(s); s->at++) {
        switch (*s->at) {
        case '{': braces++; break;
        case '}':
            if (--braces == 0) return s->at++, true;
            break;
        case '[':
            if (++brackets > s->depth) s->depth = brackets;
            break;
        case ']':
            if (brackets > s->level) brackets--;
            break;
        case '\\':
            if (atContinuation(s)) *needs |= TAC_NEEDS_ESCAPES;
            if (s->at + 1 < s->end) s->at++;
            break;
        }
    }
    return missing(s, "missing close-brace");
}

/* Tells whether a word ends here. */
static inline bool atWordEnd(const Scanner *s, bool nested) {
    char c = *s->at;
    return tacIsBlank(c) || c == '\n' || c == ';' || (nested && c == ']') || atContinuation(s);
}

/* Tells whether {*} stands here with a word right after it. */
static bool atExpansion(const Scanner *s) {
    if (s->end - s->at < 4 || memcmp(s->at, "{*}", 3) != 0) return false;
    Scanner after = *s;
    after.at += 3;
    return !atContinuation(&after) && !tacIsBlank(*after.at) && *after.at != '\n' && *after.at != ';';
}

/* Checks that the word ends after its closing quote or brace. */
static bool closed(Scanner *s, bool nested, const char *problem) {
    return atEnd(s) || atWordEnd(s, nested) || broken(s, problem);
}

/* Scans a word, whose kind, place and needs are put into *word. */
static bool scanWord(Scanner *s, bool nested, tacRawWord *word) {
    *word = (tacRawWord){0};
    if (atExpansion(s)) {
        word->needs = TAC_NEEDS_EXPANSION;
        s->at += 3;
    }
    const char *from = s->at;
    bool fine = true;
    if (*from == '{') {
        word->kind = TAC_WORD_BRACED;
        fine = scanBraces(s, &word->needs) && closed(s, nested, "extra characters after close-brace");
    } else if (*from == '"') {
        word->kind = TAC_WORD_QUOTED;
        fine = scanUntil(s, '"', "missing \"", &word->needs) && closed(s, nested, "extra characters after close-quote");
    } else {
        while (fine && !atEnd(s) && !atWordEnd(s, nested)) fine = scanPart(s, &word->needs);
    }
    int delimiter = word->kind != TAC_WORD_BARE;
    word->at = from + delimiter;
    word->length = (size_t) (s->at - from - 2 * delimiter);
    return fine;
}

/* Passes blank lines, and blanks before a command. */
static void scanBlankLines(Scanner *s) {
    for (scanBlanks(s); !atEnd(s) && *s->at == '\n'; scanBlanks(s)) s->at++;
}

/* Passes a comment, if one begins here, up to its newline. */
static bool scanComment(Scanner *s) {
    if (atEnd(s) || *s->at != '#') return false;
    while (!atEnd(s) && *s->at != '\n') {
        if (*s->at == '\\') scanBackslash(s);
        else s->at++;
    }
    s->inComment = atEnd(s);
    return true;
}

static inline bool atCommandEnd(const Scanner *s, bool nested) {
    return atEnd(s) || *s->at == '\n' || *s->at == ';' || (nested && *s->at == ']');
}

/* Adds the words of the command to the split. *memory false: there was none. */
static bool scanWords(Scanner *s, tacSplit *split, bool *memory) {
    tacRawWord word;
    for (scanBlanks(s); !atCommandEnd(s, false); scanBlanks(s)) {
        s->word = s->at;
        if (!scanWord(s, false, &word)) return false;
        if (!tacArrayPush(&split->words, word)) return *memory = false;
        s->tooLarge = split->words.count == TAC_MAX_WORDS;
        if (s->tooLarge) return broken(s, "too many words");
    }
    return true;
}

static bool scanBracket(Scanner *s) {
    tacRawWord word;
    if (++s->level > s->depth) s->depth = s->level;
    if (s->level > TAC_MAX_DEPTH) {
        s->tooLarge = true;
        return broken(s, "too many brackets inside one another");
    }
    for (s->at++; !atEnd(s); s->at++) {
        do scanBlankLines(s);
        while (scanComment(s));
        for (scanBlanks(s); !atCommandEnd(s, true); scanBlanks(s))
            if (!scanWord(s, true, &word)) return false;
        if (atEnd(s)) break;
        if (*s->at == ']') {
            s->level--;
            s->at++;
            return true;
        }
    }
    return missing(s, "missing close-bracket");
}

/* ---- the public functions ---- */

tacSplitStatus tacSplitCommand(tacSplit *split, const char *at, const char *end, bool ended) {
    Scanner s = {.at = at, .end = end, .word = at};
    bool memory = true;
    split->words.count = 0;
    scanBlankLines(&s);
    split->begin = s.at;
    bool fine = scanComment(&s) || scanWords(&s, split, &memory);
    if (!memory) return TAC_SPLIT_MEMORY;
    bool blank = split->words.count == 0 && !s.inComment && s.at > at && s.at[-1] == '\n';
    if (fine && atEnd(&s) && !ended && !blank) missing(&s, "missing newline");
    split->depth = s.depth;
    split->problem = s.problem;
    split->tooLarge = s.tooLarge;
    split->end = s.at;
    split->next = s.at < end ? s.at + 1 : s.at;
    if (!s.problem) return TAC_SPLIT_DONE;
    /* A word in braces ends where its brace closes, but a closing quote may have been meant to open. */
    split->resume = *s.word == '{' && s.broken ? s.at : s.word;
    return s.broken ? TAC_SPLIT_BROKEN : TAC_SPLIT_OPEN;
}

const char *tacSplitBracketEnd(const char *at, const char *end) {
    Scanner s = {.at = at, .end = end, .word = at};
    return scanBracket(&s) ? s.at : end;
}

void tacSplitFree(tacSplit *split) { tacArrayFree(&split->words); }
