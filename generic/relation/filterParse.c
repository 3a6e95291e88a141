/*
 * filterParse.c -- the filter language, from text to the tree of filter.c. Manual: tactus(1), FILTERS.
 *
 *      any:        all { || all }
 *      all:        part { [&&] part }
 *      part:       { ! } ( any )  |  { ! } condition  |  { ! } text
 *      condition:  column operator value
 *      text:       word { word }  |  "quoted"          that some cell contains
 *
 * Blanks are optional. A word goes up to a blank, a quote, an operator, && or ||; parentheses within a word belong to
 * it when they are closed in it. A word with an operator behind it is a column, any other a text.
 *
 * The older spellings are part of the language: `column=` with nothing behind it asks for empty cells, `column match
 * pattern` is a pattern of the whole text, and column names may be abbreviated.
 *
 * An error names the character, counted from 1, and what was expected there.
 */
#include "base/port.h"

#include "base/similar.h"
#include "relation/filter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 100 }; /* parentheses within each other */

typedef struct Word { /* a word of the expression */
    const char *at;   /* its place in the expression, with its quote */
    const char *text; /* in the expression, or in Parser.unquoted or copy */
    size_t length;
    bool quoted;
} Word;

typedef struct Parser {
    tacFilter *filter;
    const tacTable *table;
    const char *begin, *at; /* of the expression; the place that is read next */
    int depth;              /* open parentheses */
    tacText unquoted;       /* text of the last quoted word, without its escapes */
    tacText copy;           /* a value with its NUL */
    tacError *err;
} Parser;

/* ---- mistakes --------------------------------------------------------------------------------------------------- */

/* Number of the character at a place of the expression, counted from 1. */
static unsigned long characterAt(const Parser *p, const char *at) {
    unsigned long character = 1;
    for (const char *c = p->begin; c < at; c++) character += (*c & 0xC0) != 0x80;
    return character;
}

/* Sets the error {USAGE FILTER character}; returns false. */
static bool mistake(Parser *p, const char *at, const char *format, ...) TAC_PRINTF(3, 4);
static bool mistake(Parser *p, const char *at, const char *format, ...) {
    char text[400], code[40];
    unsigned long character = characterAt(p, at);
    va_list arguments;
    va_start(arguments, format);
    tacSentence(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(code, sizeof code, "USAGE FILTER %lu", character);
    tacFail(p->err, code, "filter, character %lu: %s", character, text);
    return false;
}

static bool noMemory(Parser *p) { return tacFailMemory(p->err), false; }

/* The end of a message about a missing word: the word found instead, or the end of the filter. */
static const char *found(const char *at, char buffer[80]) {
    size_t length = 0;
    if (!*at) return "but the filter ends here";
    while (at[length] && !strchr(" \t\r\n\f\v", at[length]) && length < 40) length++;
    snprintf(buffer, 80, "but found \"%.*s\"", (int) tacWholeLength(at, strlen(at), length ? length : 1), at);
    return buffer;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool isOperator(char c) { return c == '=' || c == '<' || c == '>' || c == '~'; }

static const char *pastBlanks(const char *at) {
    while (isBlank(*at)) at++;
    return at;
}

/* True when an operator of a comparison begins there. A single ! is none. */
static bool atOperator(const char *at) { return isOperator(*at) || (*at == '!' && (at[1] == '=' || at[1] == '~')); }

/* True at && and ||. */
static bool atJunction(const char *at) { return (*at == '&' || *at == '|') && at[1] == *at; }

/* The end of the unquoted word that begins there; `at` itself when there is none. Within a value, but not at its
 * beginning, operators are ordinary letters. */
static const char *wordEnd(const char *at, bool isValue) {
    int open = 0;
    const char *end = at;
    for (; *end && !isBlank(*end); end++) {
        if (*end == '(' && end > at) open++;
        if (*end == '(' && end == at) break;
        if (*end == ')' && --open < 0) break;
        if (atJunction(end) || (end == at && (*end == '"' || *end == '!'))) break;
        if (atOperator(end) && (!isValue || end == at)) break;
    }
    /* A parenthesis that is not closed in the word does not belong to it: `a(b c)` is the word a and a group. */
    if (open > 0)
        for (const char *c = at; c < end; c++)
            if (*c == '(') return c;
    return end;
}

/* Takes the quoted word that begins at p->at. A backslash makes the next character mean itself. */
static bool takeQuoted(Parser *p, Word *word) {
    const char *begin = p->at++;
    p->unquoted.length = 0;
    tacTextAdd(&p->unquoted, "", 0);
    for (; *p->at != '"'; p->at++) {
        if (*p->at == '\\' && p->at[1]) p->at++;
        if (!*p->at) return mistake(p, begin, "the quote that begins here is not closed");
        tacTextAdd(&p->unquoted, p->at, 1);
    }
    p->at++;
    if (p->unquoted.failed) return noMemory(p);
    *word = (Word){begin, p->unquoted.at ? p->unquoted.at : "", p->unquoted.length, true};
    return true;
}

static Word takeWord(Parser *p, const char *end) {
    Word word = {p->at, p->at, (size_t) (end - p->at), false};
    p->at = end;
    return word;
}

static bool isWord(const Word *word, const char *text) {
    return !word->quoted && word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* True when the name begins with the text, upper and lower case alike. */
static bool sameLetters(const char *name, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char a = name[i], b = text[i];
        if (a >= 'A' && a <= 'Z') a += 'a' - 'A';
        if (b >= 'A' && b <= 'Z') b += 'a' - 'A';
        if (a != b) return false; /* also at the end of the name */
    }
    return true;
}

/* The column of that name or, unless it must be whole, the only one that begins so; -1: none, -2: several. */
static int findColumn(const tacTable *table, const char *text, size_t length, bool whole) {
    int column = -1;
    for (int i = 0; i < table->nColumns; i++) {
        const char *name = table->columns[i].name;
        if (!sameLetters(name, text, length)) continue;
        if (!name[length]) return i;
        column = column == -1 ? i : -2;
    }
    return whole || !length ? -1 : column;
}

/* Reports a word that is no column, or (several) begins the names of more than one; returns false. */
static bool unknownColumn(Parser *p, const Word *word, bool several) {
    tacText names = {0};
    const char *similar = NULL;
    for (int i = 0; i < p->table->nColumns; i++) {
        const char *name = p->table->columns[i].name;
        if (several && !sameLetters(name, word->text, word->length)) continue;
        if (names.length) tacTextAddString(&names, ", ");
        tacTextAddString(&names, name);
        if (!similar && tacSimilar(word->text, word->length, name)) similar = name;
    }
    int length = (int) tacWholeLength(word->text, word->length, 60);
    if (several)
        mistake(p, word->at, "more than one column begins with \"%.*s\": %.260s", length, word->text,
            names.at ? names.at : "");
    else if (similar)
        mistake(p, word->at,
            "there is no column \"%.*s\": did you mean \"%.60s\"? (quote a text that is meant literally)", length,
            word->text, similar);
    else
        mistake(p, word->at, "there is no column \"%.*s\" (quote a text that is meant literally); columns are %.240s",
            length, word->text, names.at ? names.at : "");
    tacTextFree(&names);
    return false;
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    tacComparison comparison;
} operators[] = {{"==", TAC_EQUAL}, {"=", TAC_EQUAL}, {"!=", TAC_UNEQUAL}, {"<", TAC_BELOW}, {"<=", TAC_AT_MOST},
    {">", TAC_ABOVE}, {">=", TAC_AT_LEAST}, {"~", TAC_LIKE}, {"!~", TAC_UNLIKE}};
enum { OPERATORS = sizeof operators / sizeof *operators };

typedef struct Condition {
    int column;
    tacComparison comparison;
    const char *sign; /* the operator in the expression */
    int signLength;
    bool closeLeft, closeRight; /* no blank before the operator; none behind it */
} Condition;

/* Takes the operator behind a column. */
static bool takeOperator(Parser *p, Condition *c) {
    size_t length = 0;
    c->sign = pastBlanks(p->at);
    c->closeLeft = c->sign == p->at;
    while (isOperator(c->sign[length]) || c->sign[length] == '!') length++;
    p->at = c->sign + length;
    c->signLength = (int) length;
    c->closeRight = *p->at && !isBlank(*p->at);
    for (int i = 0; i < OPERATORS; i++) {
        if (strlen(operators[i].name) != length || memcmp(operators[i].name, c->sign, length) != 0) continue;
        c->comparison = operators[i].comparison;
        return true;
    }
    return mistake(p, c->sign,
        "there is no operator \"%.*s\": must be ==, !=, <, <=, >, >=, ~ or !~ (quote a value that begins so)",
        length < 20 ? (int) length : 20, c->sign);
}

/* True when no value stands behind an operator, but the next condition, a junction, a parenthesis or the end. */
static bool valueMissing(const Parser *p) {
    const char *at = pastBlanks(p->at), *end = wordEnd(at, false);
    if (*at == '"') return false;
    if (end == at) return !*at || *at == ')' || atJunction(at);
    return at > p->at && atOperator(pastBlanks(end));
}

/* Takes the value behind an operator, which must be there. */
static bool needValue(Parser *p, const Condition *c, Word *value) {
    char buffer[80];
    bool isText = p->table->columns[c->column].type == TAC_COLUMN_TEXT;
    p->at = pastBlanks(p->at);
    if (*p->at == '"') return takeQuoted(p, value);
    const char *end = wordEnd(p->at, true);
    if (end == p->at || atOperator(p->at))
        return mistake(p, p->at, "expected %s after \"%.*s\", %s",
            c->comparison >= TAC_MATCH ? "a pattern"
                : isText               ? "a text"
                                       : "a number",
            c->signLength, c->sign, found(p->at, buffer));
    *value = takeWord(p, end);
    return true;
}

/* Takes a unit that stands apart from its number, as in "10 ms". */
static void takeUnit(Parser *p, Word *value) {
    const char *at = pastBlanks(p->at), *end = wordEnd(at, false);
    if (value->quoted || !tacUnitLength(at, (size_t) (end - at)) || atOperator(pastBlanks(end))) return;
    p->copy.length = 0;
    tacTextAdd(&p->copy, value->text, value->length);
    tacTextAdd(&p->copy, at, (size_t) (end - at));
    if (p->copy.failed) return; /* reported when the value is copied */
    *value = (Word){value->at, p->copy.at, p->copy.length, false};
    p->at = end;
}

/* Adds a condition to the filter. */
static bool addCondition(Parser *p, const Condition *c, const Word *value) {
    tacText text = {0};
    tacTextAdd(&text, value->text, value->length);
    tacStatus status = text.failed
        ? tacFailMemory(p->err)
        : tacFilterCondition(p->filter, c->column, c->comparison, text.at ? text.at : "", p->err);
    tacTextFree(&text);
    return status == TAC_OK;
}

/* Reports why a value is no number for the column; returns false. */
static bool badNumber(Parser *p, const Condition *c, const Word *value, tacNumberFault fault) {
    const char *name = p->table->columns[c->column].name, *unit = tacColumnUnit(p->table, c->column);
    const char *type = tacColumnTypeNames[p->table->columns[c->column].type];
    int length = (int) tacWholeLength(value->text, value->length, 60);
    if (fault == TAC_NUMBER_NO_UNIT && p->table->columns[c->column].type == TAC_COLUMN_TIME)
        return mistake(p, value->at,
            "the unit of this trace's times is not known: expected a number without unit, but found \"%.*s\"", length,
            value->text);
    if (fault == TAC_NUMBER_NO_UNIT)
        return mistake(p, value->at,
            "\"%.60s\" has no unit that is known: expected a number without one, but found \"%.*s\"", name, length,
            value->text);
    if (fault == TAC_NUMBER_OTHER_UNIT)
        return mistake(p, value->at, "expected a number%s%.20s, since \"%.60s\" is a %s, but found \"%.*s\"",
            unit ? " in " : "", unit ? unit : "", name, type, length, value->text);
    return mistake(p, value->at, "expected a number, since \"%.60s\" is a %s, but found \"%.*s\"", name, type, length,
        value->text);
}

/* Adds a condition of a column of numbers: its value is a number or another such column. */
static bool compareNumber(Parser *p, const Condition *c, Word *value) {
    int other = value->quoted ? -1 : findColumn(p->table, value->text, value->length, true);
    tacNumberFault fault = tacFilterNumber(p->table, c->column, value->text, value->length);
    if (fault == TAC_NUMBER_NONE && other >= 0 && p->table->columns[other].type != TAC_COLUMN_TEXT)
        return tacFilterColumns(p->filter, c->column, c->comparison, other) || noMemory(p);
    if (fault == TAC_NUMBER_FINE) {
        takeUnit(p, value);
        fault = tacFilterNumber(p->table, c->column, value->text, value->length);
    }
    return fault == TAC_NUMBER_FINE ? addCondition(p, c, value) : badNumber(p, c, value, fault);
}

/* Reports a value that is none of the column's words; false: it is one of them. */
static bool unknownWord(Parser *p, const Condition *c, const Word *value, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == value->length && memcmp(words[i], value->text, value->length) == 0) return false;
    const char *similar = tacSimilarOf(value->text, value->length, words);
    tacText all = {0};
    for (int i = 0; words[i]; i++) {
        if (i) tacTextAddString(&all, words[i + 1] ? ", " : " or ");
        tacTextAddString(&all, words[i]);
    }
    mistake(p, value->at, "\"%.*s\" is no %.60s: must be %.120s%s%.60s%s",
        (int) tacWholeLength(value->text, value->length, 60), value->text, p->table->columns[c->column].name,
        all.at ? all.at : "", similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
    tacTextFree(&all);
    return true;
}

/* Reports a word behind an unquoted text that stands apart from its operator: it was likely meant as a part of the
 * text. False: there is none. */
static bool severalWords(Parser *p, const Word *value) {
    const char *at = pastBlanks(p->at), *end = wordEnd(at, false);
    if (end == at || atOperator(pastBlanks(end))) return false;
    mistake(p, at, "expected && or ||, but found \"%.*s\" (quote a text of several words: \"%.*s %.*s\")",
        (int) tacWholeLength(at, (size_t) (end - at), 40), at, (int) tacWholeLength(value->text, value->length, 40),
        value->text, (int) tacWholeLength(at, (size_t) (end - at), 40), at);
    return true;
}

/* Reads the value behind an operator and adds the condition. */
static bool compare(Parser *p, const Condition *c) {
    Word value;
    const char *const *words = tacColumnWords(p->table, c->column);
    bool equality = c->comparison == TAC_EQUAL || c->comparison == TAC_UNEQUAL, isPattern = c->comparison >= TAC_MATCH;
    if (equality && c->sign[c->signLength - 1] == '=' && c->closeLeft
        && !(c->comparison == TAC_EQUAL && c->signLength == 2) && valueMissing(p))
        return addCondition(p, c, &(Word){.text = ""});
    if (!needValue(p, c, &value)) return false;
    if (isWord(&value, "empty") && !isPattern)
        return equality ? addCondition(p, c, &(Word){.text = ""})
                        : mistake(p, value.at, "\"empty\" can stand behind == and != only (quote the text \"empty\")");
    if (!isPattern && p->table->columns[c->column].type != TAC_COLUMN_TEXT)
        return value.length || !equality ? compareNumber(p, c, &value) : addCondition(p, c, &value);
    if (words && !isPattern && value.length && unknownWord(p, c, &value, words)) return false;
    return addCondition(p, c, &value) && (value.quoted || c->closeRight || !severalWords(p, &value));
}

/* Reads a condition whose column was taken. */
static bool parseCondition(Parser *p, const Word *name) {
    Condition c = {0};
    c.column = findColumn(p->table, name->text, name->length, name->quoted);
    if (c.column < 0) return unknownColumn(p, name, c.column == -2);
    return takeOperator(p, &c) && compare(p, &c);
}

/* Reads the rest of `column match pattern`; *isMatch is false, and nothing is read, where it is not this form. */
static bool parseMatch(Parser *p, const Word *name, bool *isMatch) {
    static const char sign[] = "match";
    Condition c = {.comparison = TAC_MATCH, .sign = sign, .signLength = 5};
    Word value;
    const char *at = pastBlanks(p->at), *next = pastBlanks(at + (strncmp(at, sign, 5) == 0 ? 5 : 0));
    c.column = findColumn(p->table, name->text, name->length, true);
    *isMatch = c.column >= 0 && next > at + 5 && (*next == '"' || wordEnd(next, true) > next);
    if (!*isMatch) return true;
    p->at = next;
    return needValue(p, &c, &value) && addCondition(p, &c, &value);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static bool addText(Parser *p, const char *text) { return tacFilterText(p->filter, text, p->err) == TAC_OK; }

/* Words of other languages for && || !, which are hardly meant as texts beside other parts. */
static const char *const foreignOperators[][2] = {
    {"and", "&&"}, {"AND", "&&"}, {"&", "&&"}, {"or", "||"}, {"OR", "||"}, {"|", "||"}, {"not", "!"}, {"NOT", "!"}};
enum { FOREIGN_OPERATORS = sizeof foreignOperators / sizeof *foreignOperators };

/* Reads a text: the words from the first one on that stand side by side, up to one that an operator follows, since that
 * is a column. */
static bool parseText(Parser *p, const Word *first) {
    tacText text = {0};
    const char *meant = NULL;
    bool one = true, alone = first->at == pastBlanks(p->begin), added;
    tacTextAdd(&text, first->text, first->length);
    for (;;) {
        const char *at = pastBlanks(p->at), *end = wordEnd(at, false);
        if (end == at || atOperator(pastBlanks(end))) break;
        tacTextAdd(&text, " ", 1);
        tacTextAdd(&text, at, (size_t) (end - at));
        p->at = end;
        one = false;
    }
    alone = alone && !*pastBlanks(p->at);
    for (int i = 0; one && !alone && i < FOREIGN_OPERATORS; i++)
        if (isWord(first, foreignOperators[i][0])) meant = foreignOperators[i][1];
    if (meant)
        added = mistake(p, first->at, "expected %s instead of \"%.*s\" (quote it to search for this word)", meant,
            (int) first->length, first->text);
    else added = text.failed ? noMemory(p) : addText(p, text.at ? text.at : "");
    tacTextFree(&text);
    return added;
}

/* ---- parts and groups ------------------------------------------------------------------------------------------- */

static bool parseAny(Parser *p);

/* Reads an expression in parentheses. */
static bool parseGroup(Parser *p) {
    char buffer[80];
    const char *open = p->at++;
    if (++p->depth > DEEPEST) return mistake(p, open, "parentheses are nested deeper than %d", DEEPEST);
    if (!parseAny(p)) return false;
    if (*p->at != ')')
        return mistake(p, p->at, "expected a \")\" for the \"(\" at character %lu, %s", characterAt(p, open),
            found(p->at, buffer));
    p->at++;
    p->depth--;
    return true;
}

/* Reads a group, condition or text, negated or not. */
static bool parsePart(Parser *p) {
    char buffer[80];
    bool negated = false, isMatch;
    Word word;
    for (p->at = pastBlanks(p->at); *p->at == '!' && !atOperator(p->at); p->at = pastBlanks(p->at + 1))
        negated = !negated;
    const char *end = wordEnd(p->at, false);
    bool done;
    if (*p->at == '(') {
        done = parseGroup(p);
    } else if (*p->at == '"') {
        done = takeQuoted(p, &word)
            && (atOperator(pastBlanks(p->at)) ? parseCondition(p, &word) : addText(p, word.text));
    } else if (end > p->at) {
        word = takeWord(p, end);
        if (atOperator(pastBlanks(end))) done = parseCondition(p, &word);
        else done = parseMatch(p, &word, &isMatch) && (isMatch || parseText(p, &word));
    } else if (atOperator(p->at)) {
        return mistake(p, p->at, "expected a column before \"%.*s\" (quote a text that is meant literally)",
            (int) strspn(p->at, "=<>~!"), p->at);
    } else {
        return mistake(p, p->at, "expected a condition or a text, %s", found(p->at, buffer));
    }
    if (done && negated) tacFilterNegate(p->filter);
    return done;
}

/* Reads the parts up to a ), a || or the end, all of which must fit. */
static bool parseAll(Parser *p) {
    if (!tacFilterOpen(p->filter, TAC_FILTER_ALL)) return noMemory(p);
    for (;;) {
        if (!parsePart(p)) return false;
        p->at = pastBlanks(p->at);
        if (p->at[0] == '&' && p->at[1] == '&') p->at += 2;
        else if (!*p->at || *p->at == ')' || atJunction(p->at)) break;
    }
    tacFilterClose(p->filter);
    return true;
}

/* Reads alternatives up to a ) or the end. */
static bool parseAny(Parser *p) {
    if (!tacFilterOpen(p->filter, TAC_FILTER_ANY)) return noMemory(p);
    for (;;) {
        if (!parseAll(p)) return false;
        if (p->at[0] != '|' || p->at[1] != '|') break;
        p->at += 2;
    }
    tacFilterClose(p->filter);
    return true;
}

tacStatus tacFilterExpression(tacFilter *filter, const char *text, tacError *err) {
    Parser p = {.filter = filter, .table = tacFilterTable(filter), .begin = text, .at = pastBlanks(text), .err = err};
    bool done = !*p.at || parseAny(&p);
    if (done && *p.at) done = mistake(&p, p.at, "there is no \"(\" for this \")\"");
    tacTextFree(&p.unquoted);
    tacTextFree(&p.copy);
    return done ? TAC_OK : TAC_ERROR;
}
