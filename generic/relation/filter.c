/*
 * filter.c -- filters: the tree of tests, and the program that is made of it.
 *
 * A tree has tests as leaves and groups (all of, any of) above them; its root is the group 0, all of. For running, each
 * test becomes a step that says where to go on when it holds and when it does not, so that no more cells of a row are
 * read than decide about it:
 *
 *      a && (b || !c)      0: a   yes -> 1     no -> refuse
 *                          1: b   yes -> take  no -> 2
 *                          2: c   yes -> refuse  no -> take
 *
 * Steps are made from the last to the first: a group's child then knows the step that follows it. Negation exchanges
 * the two ways out. Alternatives that compare one column with texts (task == a || task == b ...) become one step with
 * the set of these texts, so that a long list costs a row no more than a short one. The verdict on a text is remembered
 * by the text's number (tacTable.group) in a small table, in which the latest verdict of a slot stays.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/intern.h"
#include "base/print.h"
#include "relation/filter.h"
#include "relation/relation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum TestKind {
    TEST_TICKS,   /* low <= ticks <= high */
    TEST_NUMBER,  /* lowNumber <= number <= highNumber */
    TEST_EQUAL,   /* the same text; TEST_EQUAL to TEST_SET are tests of texts */
    TEST_ORDER,   /* the text is below, equal to or above another one, as `orders` says */
    TEST_MATCH,   /* the text fits a glob pattern */
    TEST_PART,    /* the text contains another one */
    TEST_SET,     /* the text is one of a set; of a step only */
    TEST_EMPTY,   /* there is no value */
    TEST_COLUMNS, /* the number is below, equal to or above that of another column */
    TEST_AMONG,   /* the number of its text has its bit */
    TEST_NEVER    /* nothing fits */
} TestKind;

enum { BELOW = 1, SAME = 2, ABOVE = 4 }; /* bits of Test.orders */
enum { ANY_COLUMN = -1 };                /* any cell of the row */

typedef struct Test {
    TestKind kind;
    int column; /* ANY_COLUMN: of TEST_PART and TEST_MATCH */
    int orders; /* set of BELOW, SAME and ABOVE */
    union {
        struct {
            int64_t low, high;
        };
        struct {
            double lowNumber, highNumber;
        };
        struct {
            char *text; /* owned; of TEST_PART in lower case, ASCII */
            size_t length;
            const char *const *words; /* TEST_ORDER: the column's own order of texts; NULL: natural order */
            bool noNumbers;           /* no number contains the text, so cells of numbers are not tried */
        };
        struct {
            int other;              /* column */
            long double own, their; /* factors that make both comparable; 0: both are in the same ticks */
        };
        const uint64_t *bits; /* of TEST_AMONG; not owned */
        tacInternTable *set;  /* of TEST_SET; the step's */
    };
} Test;

typedef struct Node {
    tacFilterKind kind;
    bool negated;
    uint32_t last, previous; /* the group's last child; the sibling before this node; TAC_NONE: there is none */
    Test test;               /* of TAC_FILTER_TEST */
} Node;

struct tacFilter {
    const tacTable *table;
    TAC_ARRAY(Node) nodes;
    TAC_ARRAY(uint32_t) open; /* groups that are not closed yet, from the root on */
};

/* ---- the tree --------------------------------------------------------------------------------------------------- */

tacFilter *tacFilterNew(const tacTable *table) {
    tacFilter *filter = tacAllocZero(1, sizeof *filter);
    if (!filter) return NULL;
    filter->table = table;
    if (tacArrayPush(&filter->nodes, (Node){.kind = TAC_FILTER_ALL, .last = TAC_NONE, .previous = TAC_NONE})
        && tacArrayPush(&filter->open, 0))
        return filter;
    tacFilterFree(filter);
    return NULL;
}

void tacFilterFree(tacFilter *filter) {
    if (!filter) return;
    for (size_t i = 0; i < filter->nodes.count; i++) {
        const Node *node = &filter->nodes.at[i];
        bool ofTexts = node->test.kind >= TEST_EQUAL && node->test.kind <= TEST_PART;
        if (node->kind == TAC_FILTER_TEST && ofTexts) tacFree(node->test.text);
    }
    tacArrayFree(&filter->nodes);
    tacArrayFree(&filter->open);
    tacFree(filter);
}

bool tacFilterWantsAll(const tacFilter *filter) { return filter->nodes.count == 1; }

const tacTable *tacFilterTable(const tacFilter *filter) { return filter->table; }

/* Adds a node to the group that is open. */
static bool addNode(tacFilter *filter, Node node) {
    uint32_t group = filter->open.at[filter->open.count - 1], index = (uint32_t) filter->nodes.count;
    node.previous = filter->nodes.at[group].last;
    if (!tacArrayPush(&filter->nodes, node)) return false;
    filter->nodes.at[group].last = index;
    return true;
}

bool tacFilterOpen(tacFilter *filter, tacFilterKind kind) {
    uint32_t index = (uint32_t) filter->nodes.count;
    return addNode(filter, (Node){.kind = kind, .last = TAC_NONE}) && tacArrayPush(&filter->open, index);
}

void tacFilterClose(tacFilter *filter) { filter->open.count--; }

void tacFilterNegate(tacFilter *filter) {
    uint32_t group = filter->open.at[filter->open.count - 1];
    Node *node = &filter->nodes.at[filter->nodes.at[group].last];
    node->negated = !node->negated;
}

static bool addTest(tacFilter *filter, const Test *test, bool negated) {
    return addNode(filter, (Node){.kind = TAC_FILTER_TEST, .negated = negated, .last = TAC_NONE, .test = *test});
}

/* Adds a test of texts, with a copy of the text. */
static bool addTextTest(tacFilter *filter, Test test, const char *text, bool negated) {
    test.length = strlen(text);
    test.text = tacCopyText(text, test.length);
    if (!test.text) return false;
    if (addTest(filter, &test, negated)) return true;
    tacFree(test.text);
    return false;
}

/* ---- numbers and units ------------------------------------------------------------------------------------------ */

/* The power of ten that a unit is: of a second, or of one for "%". False: there is no such unit. */
static bool findUnit(const char *name, size_t length, int *exponent) {
    *exponent = -2;
    return (length == 1 && *name == '%') || tacTimeUnit(name, length, exponent);
}

size_t tacUnitLength(const char *text, size_t length) {
    int exponent;
    return findUnit(text, length, &exponent) ? length : 0;
}

/* A number as it is written, taken apart: digits * 10^exponent. */
typedef struct Number {
    const char *digits; /* with sign and point, without exponent */
    int length;
    int exponent;
} Number;

/* Takes a number from the beginning of a text; returns its length, 0: there is none. */
static size_t takeNumber(const char *text, size_t length, Number *number) {
    enum { LONGEST = 400, LARGEST = 100000 }; /* bytes of a number; exponent, beyond all numbers */
    size_t i = length && (*text == '+' || *text == '-') ? 1 : 0, digits = 0;
    for (bool point = false; i < length; i++) {
        if (isdigit((unsigned char) text[i])) digits++;
        else if (text[i] == '.' && !point) point = true;
        else break;
    }
    *number = (Number){text, (int) i, 0};
    if (!digits || i > LONGEST) return 0;
    size_t end = i + 1; /* of an exponent */
    bool negative = end < length && text[end] == '-';
    if (end < length && (text[end] == '-' || text[end] == '+')) end++;
    if (i >= length || (text[i] != 'e' && text[i] != 'E') || end >= length || !isdigit((unsigned char) text[end]))
        return i;
    for (; end < length && isdigit((unsigned char) text[end]); end++)
        if (number->exponent < LARGEST) number->exponent = 10 * number->exponent + (text[end] - '0');
    if (negative) number->exponent = -number->exponent;
    return end;
}

/* Reads a number, which may have a unit, as one in the unit of the column. */
static tacNumberFault readNumber(const tacTable *table, int column, const char *text, size_t length, Number *number) {
    size_t taken = takeNumber(text, length, number);
    if (!taken) return TAC_NUMBER_NONE;
    if (taken == length) return TAC_NUMBER_FINE;
    int unit, ownUnit;
    if (!findUnit(text + taken, length - taken, &unit)) return TAC_NUMBER_NONE;
    const char *name = tacColumnUnit(table, column);
    bool own = name && findUnit(name, strlen(name), &ownUnit);
    bool isShare = text[taken] == '%', ofShares = own && *name == '%';
    if (!name && isShare && table->columns[column].type == TAC_COLUMN_NUMBER)
        return number->exponent -= 2, TAC_NUMBER_FINE;
    if (isShare != ofShares || (name && !own)) return TAC_NUMBER_OTHER_UNIT;
    if (!name) return TAC_NUMBER_NO_UNIT;
    number->exponent += unit - ownUnit;
    return TAC_NUMBER_FINE;
}

tacNumberFault tacFilterNumber(const tacTable *table, int column, const char *text, size_t length) {
    Number number;
    return readNumber(table, column, text, length, &number);
}

/* Writes the number as a text that the C library and tacDecimalParse can read; returns its length. */
enum { NUMBER_SIZE = 420 };
static size_t writeNumber(const Number *number, char buffer[NUMBER_SIZE]) {
    return (size_t) snprintf(buffer, NUMBER_SIZE, "%.*se%d", number->length, number->digits, number->exponent);
}

/* Finds the largest tick not above the number, and whether the number is that tick. A number beyond all ticks gives
 * the outermost one. */
static void floorTicks(const Number *number, int digits, int64_t *floor, bool *exact) {
    char buffer[NUMBER_SIZE];
    tacDecimal decimal;
    bool rounded = false;
    int64_t back;
    *exact = false;
    *floor = *number->digits == '-' ? INT64_MIN + 1 : INT64_MAX;
    if (tacDecimalParse(buffer, writeNumber(number, buffer), &decimal) != TAC_OK) return;
    if (!tacDecimalShift(decimal.mantissa, digits - decimal.digits, floor, &rounded)) {
        *floor = decimal.mantissa < 0 ? INT64_MIN + 1 : INT64_MAX;
        return;
    }
    *exact = !rounded && !decimal.rounded;
    if (rounded && tacDecimalShift(*floor, decimal.digits - digits, &back, &rounded) && back > decimal.mantissa)
        --*floor;
}

/* The test for ticks that stand in one of the orders to the number: a range, or TEST_NEVER. */
static Test ticksTest(const tacTable *table, int column, int orders, const Number *number) {
    int64_t floor;
    bool exact;
    Test test = {.kind = TEST_TICKS, .column = column, .low = INT64_MIN + 1, .high = INT64_MAX};
    floorTicks(number, table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0, &floor, &exact);
    bool before = !exact && floor == INT64_MIN + 1;
    if (!(orders & BELOW)) {
        if (orders & SAME && exact) test.low = floor;
        else if (floor == INT64_MAX) test.kind = TEST_NEVER;
        else if (!before) test.low = floor + 1;
    }
    if (!(orders & ABOVE)) {
        if (before) test.kind = TEST_NEVER;
        else if (orders & SAME || !exact) test.high = floor;
        else test.high = floor - 1;
    }
    if (orders == SAME && !exact) test.kind = TEST_NEVER;
    return test;
}

/* The test for numbers that stand in one of the orders to the number. */
static Test numberTest(int column, int orders, const Number *number) {
    char buffer[NUMBER_SIZE];
    writeNumber(number, buffer);
    double value = tacNumberRead(buffer, NULL);
    return (Test){.kind = TEST_NUMBER,
        .column = column,
        .lowNumber = orders & BELOW ? -INFINITY
            : orders & SAME         ? value
                                    : nextafter(value, INFINITY),
        .highNumber = orders & ABOVE ? INFINITY
            : orders & SAME          ? value
                                     : nextafter(value, -INFINITY)};
}

/* ---- conditions ------------------------------------------------------------------------------------------------- */

/* Meaning of the comparisons: the orders of cell to value that fit, or (negated) that do not fit. */
static const struct {
    int orders;
    bool negated;
} comparisons[] = {
    [TAC_EQUAL] = {SAME, false},
    [TAC_UNEQUAL] = {SAME, true},
    [TAC_BELOW] = {BELOW, false},
    [TAC_AT_MOST] = {BELOW | SAME, false},
    [TAC_ABOVE] = {ABOVE, false},
    [TAC_AT_LEAST] = {ABOVE | SAME, false},
    [TAC_MATCH] = {0, false},
    [TAC_LIKE] = {0, false},
    [TAC_UNLIKE] = {0, true},
};

static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? (char) (c + 'a' - 'A') : c; }

/* Adds that a cell contains the text, as a pattern: the text between stars, its pattern characters escaped. */
static bool addPartAsPattern(tacFilter *filter, Test test, const char *text, bool negated) {
    tacText pattern = {0};
    test.kind = TEST_MATCH;
    tacTextAdd(&pattern, "*", 1);
    for (const char *p = text; *p; p++) {
        if (strchr("*?[]\\", *p)) tacTextAdd(&pattern, "\\", 1);
        tacTextAdd(&pattern, p, 1);
    }
    tacTextAdd(&pattern, "*", 1);
    bool added = !pattern.failed && addTextTest(filter, test, pattern.at, negated);
    tacTextFree(&pattern);
    return added;
}

/* Adds that a cell contains the text, upper and lower case alike. */
static bool addPart(tacFilter *filter, int column, const char *text, bool negated) {
    Test test = {.kind = TEST_PART, .column = column};
    bool ascii = true;
    for (const char *p = text; *p; p++) ascii &= !(*p & 0x80);
    test.noNumbers = text[strspn(text, "0123456789.+-eE")] != '\0';
    if (!ascii) return addPartAsPattern(filter, test, text, negated);
    if (!addTextTest(filter, test, text, negated)) return false;
    for (char *p = filter->nodes.at[filter->nodes.count - 1].test.text; *p; p++) *p = lower(*p);
    return true;
}

tacStatus tacFilterCondition(
    tacFilter *filter, int column, tacComparison comparison, const char *value, tacError *err) {
    const tacTable *table = filter->table;
    int orders = comparisons[comparison].orders;
    bool negated = comparisons[comparison].negated, added;
    Number number = {0};
    Test test = {.kind = TEST_EMPTY, .column = column};
    if (!orders && comparison != TAC_MATCH && !strpbrk(value, "*?")) added = addPart(filter, column, value, negated);
    else if (!orders) added = addTextTest(filter, (Test){.kind = TEST_MATCH, .column = column}, value, negated);
    else if (orders == SAME && !*value) added = addTest(filter, &test, negated);
    else if (table->columns[column].type == TAC_COLUMN_TEXT) {
        test = (Test){.kind = orders == SAME ? TEST_EQUAL : TEST_ORDER, .column = column, .orders = orders};
        test.words = tacColumnWords(table, column);
        added = addTextTest(filter, test, value, negated);
    } else {
        if (readNumber(table, column, value, strlen(value), &number) != TAC_NUMBER_FINE)
            return tacFail(err, "USAGE VALUE", "bad value \"%.100s\": must be a number", value);
        bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER;
        test = isNumber ? numberTest(column, orders, &number) : ticksTest(table, column, orders, &number);
        added = addTest(filter, &test, negated);
    }
    return added ? TAC_OK : tacFailMemory(err);
}

/* Power of ten that turns the numbers of a column into seconds, times of the table or plain numbers. */
static int exponentOf(const tacTable *table, int column) {
    const char *name = tacColumnUnit(table, column);
    int unit;
    return (name && findUnit(name, strlen(name), &unit) ? unit : 0)
        - (table->columns[column].type == TAC_COLUMN_TIME ? table->digits : 0);
}

bool tacFilterColumns(tacFilter *filter, int column, tacComparison comparison, int other) {
    const tacTable *table = filter->table;
    Test test = {.kind = TEST_COLUMNS, .column = column, .orders = comparisons[comparison].orders, .other = other};
    int own = exponentOf(table, column), their = exponentOf(table, other), least = own < their ? own : their;
    bool isNumber = table->columns[column].type == TAC_COLUMN_NUMBER || table->columns[other].type == TAC_COLUMN_NUMBER;
    /* Both are multiplied, never divided, since powers of ten up to 10^27 are exact. */
    if (isNumber || own != their) test.own = powl(10, own - least), test.their = powl(10, their - least);
    return addTest(filter, &test, comparisons[comparison].negated);
}

/* The empty text becomes a group without tests: every row contains it, also one without values. */
tacStatus tacFilterText(tacFilter *filter, const char *text, tacError *err) {
    bool added = *text ? addPart(filter, ANY_COLUMN, text, false) : tacFilterOpen(filter, TAC_FILTER_ALL);
    if (added && !*text) tacFilterClose(filter);
    return added ? TAC_OK : tacFailMemory(err);
}

tacStatus tacFilterAmong(tacFilter *filter, int column, const uint64_t *bits, tacError *err) {
    Test test = {.kind = TEST_AMONG, .column = column, .bits = bits};
    return addTest(filter, &test, false) ? TAC_OK : tacFailMemory(err);
}

/* ---- testing a cell --------------------------------------------------------------------------------------------- */

/* True when the text contains the part, which is in lower case. */
static bool contains(const char *text, size_t length, const char *part, size_t n) {
    for (size_t i = 0; i + n <= length; i++) {
        size_t k = 0;
        while (k < n && lower(text[i + k]) == part[k]) k++;
        if (k == n) return true;
    }
    return false;
}

static int orderOf(int comparison) { return comparison < 0 ? BELOW : comparison > 0 ? ABOVE : SAME; }

bool (*tacFilterShown)(const char *text, size_t length, bool spelled, tacText *shown);

static bool passes(const Test *test, const char *text, size_t length) {
    switch (test->kind) {
    case TEST_EQUAL: return length == test->length && memcmp(text, test->text, length) == 0;
    case TEST_ORDER: return test->orders & orderOf(tacColumnCompare(test->words, text, test->text));
    case TEST_MATCH: return tacGlobCaseless(test->text, text, length);
    case TEST_SET: return tacInternFind(test->set, text, length) != TAC_NONE;
    default: return contains(text, length, test->text, test->length);
    }
}

/* True when a text passes the test as it is shown. */
static bool shownPasses(const Test *test, const char *text, size_t length) {
    bool fits = false;
    for (int spelled = 0; spelled < 2 && !fits; spelled++) {
        tacText shown = {0};
        fits = tacFilterShown(text, length, spelled, &shown) && passes(test, shown.at, shown.length);
        tacTextFree(&shown);
    }
    return fits;
}

/* True when the text of a cell passes a test of texts. */
static bool textFits(const Test *test, const tacTable *table, uint64_t row, int column) {
    char buffer[TAC_CELL_SIZE];
    size_t length;
    tacCell cell = {0};
    bool isText = table->columns[column].type == TAC_COLUMN_TEXT;
    if (test->kind != TEST_SET && test->noNumbers && !isText) return false;
    table->cell(table, row, column, &cell);
    if (!cell.known) return false;
    const char *text = tacCellText(table, column, &cell, buffer, &length);
    if (passes(test, text, length)) return true;
    return isText && tacFilterShown && test->kind != TEST_ORDER && shownPasses(test, text, length);
}

/* True when two cells of a row pass a comparison of columns. */
static bool columnsFit(const Test *test, const tacTable *table, uint64_t row) {
    tacCell cell = {0}, other = {0};
    table->cell(table, row, test->column, &cell);
    table->cell(table, row, test->other, &other);
    if (!cell.known || !other.known) return false;
    if (test->own == 0) return test->orders & orderOf(cell.ticks < other.ticks ? -1 : cell.ticks > other.ticks);
    bool isNumber = table->columns[test->column].type == TAC_COLUMN_NUMBER,
         areNumbers = table->columns[test->other].type == TAC_COLUMN_NUMBER;
    long double a = (isNumber ? (long double) cell.number : (long double) cell.ticks) * test->own,
                b = (areNumbers ? (long double) other.number : (long double) other.ticks) * test->their;
    return test->orders & orderOf(a < b ? -1 : a > b);
}

/* ---- the program ------------------------------------------------------------------------------------------------ */

enum {
    SLOTS = 1 << 12, /* verdicts that a step remembers */
    REMEMBERING = 64 /* steps that remember, at most */
};

typedef struct Verdict {
    uint64_t number; /* of the text (tacTable.group) */
    int column;      /* counted from 1; 0: a free slot */
    bool fits;
} Verdict;

static const uint32_t TAKE = UINT32_MAX - 1, REFUSE = UINT32_MAX; /* ends of a program */

typedef struct Step {
    Test test;
    uint32_t yes, no; /* the next step */
    Verdict *known;   /* SLOTS verdicts on texts; NULL: none are remembered */
} Step;

struct tacFilterRun {
    const tacTable *table;
    uint32_t entry; /* the first step */
    bool failed;    /* no memory */
    int remembering;
    TAC_ARRAY(Step) steps;
};

static void freeStep(Step *step) {
    tacFree(step->known);
    if (step->test.kind != TEST_SET) return;
    tacInternFree(step->test.set);
    tacFree(step->test.set);
}

/* Makes the step of a test; returns its index. */
static uint32_t emitTest(tacFilterRun *run, const Test *test, uint32_t yes, uint32_t no) {
    Step step = {.test = *test, .yes = yes, .no = no};
    bool ofTexts = test->kind >= TEST_EQUAL && test->kind <= TEST_SET;
    if (ofTexts && run->table->group && run->remembering < REMEMBERING) {
        step.known = tacAllocZero(SLOTS, sizeof *step.known);
        run->failed |= !step.known;
        run->remembering++;
    }
    if (!tacArrayPush(&run->steps, step)) {
        freeStep(&step);
        run->failed = true;
        return REFUSE;
    }
    return (uint32_t) run->steps.count - 1;
}

/* ---- sets of texts ---- */

/* The test that a node is, by itself or as the only part of groups; NULL: it is more than that. */
static const Test *onlyTest(const tacFilter *filter, uint32_t index, bool *negated) {
    const Node *node = &filter->nodes.at[index];
    *negated = node->negated;
    while (node->kind != TAC_FILTER_TEST) {
        if (node->last == TAC_NONE || filter->nodes.at[node->last].previous != TAC_NONE) return NULL;
        node = &filter->nodes.at[node->last];
        *negated ^= node->negated;
    }
    return &node->test;
}

/* The column that a part of a group compares with a text, in the way of a set: alternatives that are equal to it, or
 * conditions not to be. ANY_COLUMN: none. */
static int setColumn(const tacFilter *filter, tacFilterKind kind, uint32_t index, const Test **test) {
    bool negated;
    *test = onlyTest(filter, index, &negated);
    return *test && (*test)->kind == TEST_EQUAL && negated == (kind == TAC_FILTER_ALL) ? (*test)->column : ANY_COLUMN;
}

/* Makes a step with the set of the texts with which the parts of a group compare a column. */
static uint32_t emitSet(
    tacFilterRun *run, const tacFilter *filter, const Node *group, int column, uint32_t yes, uint32_t no) {
    Test test = {.kind = TEST_SET, .column = column};
    const Test *part;
    test.set = tacAllocZero(1, sizeof *test.set);
    run->failed |= !test.set;
    for (uint32_t child = group->last; test.set && child != TAC_NONE; child = filter->nodes.at[child].previous)
        if (setColumn(filter, group->kind, child, &part) == column)
            run->failed |= tacIntern(test.set, part->text, part->length) == TAC_NONE;
    return test.set ? emitTest(run, &test, yes, no) : REFUSE;
}

/* Columns that so many parts of a group compare with texts that a set pays; a bit each. */
static uint64_t setColumns(const tacFilter *filter, const Node *group) {
    enum { LEAST = 4, COLUMNS = 64 };
    uint32_t counts[COLUMNS] = {0};
    uint64_t columns = 0;
    const Test *part;
    for (uint32_t child = group->last; child != TAC_NONE; child = filter->nodes.at[child].previous) {
        int column = setColumn(filter, group->kind, child, &part);
        if (column >= 0 && column < COLUMNS && ++counts[column] >= LEAST) columns |= UINT64_C(1) << column;
    }
    return columns;
}

/* Makes the steps of a node, which lead to `yes` or `no`; returns the first of them. The depth of nodes is limited by
 * that of parentheses in an expression. */
static uint32_t emit(tacFilterRun *run, const tacFilter *filter, uint32_t index, uint32_t yes, uint32_t no) {
    const Node *node = &filter->nodes.at[index];
    if (node->negated) {
        uint32_t other = yes;
        yes = no, no = other;
    }
    if (node->kind == TAC_FILTER_TEST) return emitTest(run, &node->test, yes, no);
    bool all = node->kind == TAC_FILTER_ALL;
    uint32_t next = all ? yes : no;
    uint64_t sets = setColumns(filter, node);
    const Test *part;
    for (uint32_t child = node->last; child != TAC_NONE; child = filter->nodes.at[child].previous) {
        int column = sets ? setColumn(filter, node->kind, child, &part) : ANY_COLUMN;
        if (column >= 0 && column < 64 && sets >> column & 1) continue;
        next = all ? emit(run, filter, child, next, no) : emit(run, filter, child, yes, next);
    }
    for (int column = 0; sets; column++, sets >>= 1)
        if (sets & 1) next = emitSet(run, filter, node, column, all ? no : yes, next);
    return next;
}

tacFilterRun *tacFilterBegin(const tacFilter *filter) {
    tacFilterRun *run = tacAllocZero(1, sizeof *run);
    if (!run) return NULL;
    run->table = filter->table;
    run->entry = emit(run, filter, 0, TAKE, REFUSE);
    if (!run->failed) return run;
    tacFilterEnd(run);
    return NULL;
}

void tacFilterEnd(tacFilterRun *run) {
    if (!run) return;
    for (size_t i = 0; i < run->steps.count; i++) freeStep(&run->steps.at[i]);
    tacArrayFree(&run->steps);
    tacFree(run);
}

/* The same as textFits, with the verdict remembered where the text has a number. */
static bool knownTextFits(const Step *step, const tacTable *table, uint64_t row, int column) {
    uint64_t number;
    if (!step->known || !table->group(table, row, column, &number)) return textFits(&step->test, table, row, column);
    uint64_t hash = (number + (uint64_t) column) * UINT64_C(0x9E3779B97F4A7C15);
    Verdict *verdict = &step->known[hash >> 52]; /* 12 bits: SLOTS */
    if (verdict->number != number || verdict->column != column + 1)
        *verdict = (Verdict){number, column + 1, textFits(&step->test, table, row, column)};
    return verdict->fits;
}

/* True when the number of a cell's text is among those of a test. */
static bool isAmong(const Test *test, const tacTable *table, uint64_t row) {
    uint64_t number;
    return table->group(table, row, test->column, &number) && (test->bits[number / 64] >> number % 64 & 1);
}

/* True when the row passes the test of a step. */
static bool stepHolds(const Step *step, const tacTable *table, uint64_t row) {
    const Test *test = &step->test;
    tacCell cell = {0};
    switch (test->kind) {
    case TEST_TICKS:
        table->cell(table, row, test->column, &cell);
        return cell.known && test->low <= cell.ticks && cell.ticks <= test->high;
    case TEST_NUMBER:
        table->cell(table, row, test->column, &cell);
        return cell.known && test->lowNumber <= cell.number && cell.number <= test->highNumber;
    case TEST_EMPTY: table->cell(table, row, test->column, &cell); return !cell.known;
    case TEST_COLUMNS: return columnsFit(test, table, row);
    case TEST_AMONG: return isAmong(test, table, row);
    case TEST_NEVER: return false;
    default: break;
    }
    if (test->column != ANY_COLUMN) return knownTextFits(step, table, row, test->column);
    for (int column = 0; column < table->nColumns; column++)
        if (knownTextFits(step, table, row, column)) return true;
    return false;
}

bool tacFilterFits(tacFilterRun *run, uint64_t row) {
    uint32_t at = run->entry;
    while (at < TAKE) {
        const Step *step = &run->steps.at[at];
        at = stepHolds(step, run->table, row) ? step->yes : step->no;
    }
    return at == TAKE;
}
