/*
 * expression.c -- reads expressions into operands and operators, and evaluates these on a stack.
 */
#include "base/port.h"

#include "base/decimal.h"
#include "judge/expression.h"
#include "judge/limit.h"
#include "trace/times.h"

#include <string.h>

enum { DEEPEST = 64 };

/* ---- fractions --------------------------------------------------------------------------------------------------- */

bool tacFractionMake(__int128 over, __int128 under, tacFraction *result) {
    const __int128 least = (__int128) 1 << 126; /* -2 * least has no opposite */
    if (over == -least - least || under == -least - least) return false;
    if (under < 0) {
        over = -over;
        under = -under;
    }
    if (under == 0 || over == 0) {
        *result = (tacFraction){under == 0 ? over < 0 ? -1 : 1 : 0, under != 0};
        return true;
    }
    __int128 a = over < 0 ? -over : over, b = under;
    if (a <= INT64_MAX && b <= INT64_MAX) { /* small enough as it is, even for a product of two */
        *result = (tacFraction){over, under};
        return true;
    }
    while (b) {
        __int128 rest = a % b;
        a = b;
        b = rest;
    }
    *result = (tacFraction){over / a, under / a};
    return true;
}

bool tacFractionCompare(const tacFraction *left, const tacFraction *right, int *order) {
    __int128 a, b;
    if (left->under == 0 || right->under == 0) { /* at most one is without bound */
        *order = left->under == 0 ? (int) left->over : -(int) right->over;
        return true;
    }
    if (__builtin_mul_overflow(left->over, right->under, &a) || __builtin_mul_overflow(right->over, left->under, &b))
        return false;
    *order = a < b ? -1 : a > b;
    return true;
}

static bool add(const tacFraction *left, const tacFraction *right, int sign, tacFraction *result) {
    __int128 a, b, sum, under;
    if (left->under == 0 || right->under == 0) {
        *result = left->under == 0 ? *left : (tacFraction){right->over * sign, 0};
        return true;
    }
    if (__builtin_mul_overflow(left->over, right->under, &a)
        || __builtin_mul_overflow(right->over * sign, left->under, &b) || __builtin_add_overflow(a, b, &sum)
        || __builtin_mul_overflow(left->under, right->under, &under))
        return false;
    return tacFractionMake(sum, under, result);
}

static bool multiply(const tacFraction *left, const tacFraction *right, tacFraction *result) {
    __int128 over, under;
    if (left->over == 0 || right->over == 0) {
        *result = (tacFraction){0, 1};
        return true;
    }
    if (left->under == 0 || right->under == 0) {
        *result = (tacFraction){(left->over < 0) == (right->over < 0) ? 1 : -1, 0};
        return true;
    }
    if (__builtin_mul_overflow(left->over, right->over, &over)
        || __builtin_mul_overflow(left->under, right->under, &under))
        return false;
    return tacFractionMake(over, under, result);
}

bool tacFractionSubtract(const tacFraction *left, const tacFraction *right, tacFraction *result) {
    return add(left, right, -1, result);
}

/* Adds it as a decimal with at most `digits` decimals, rounded down. */
static void addFraction(const tacFraction *value, int digits, tacText *out) {
    bool negative = value->over < 0;
    __int128 over = negative ? -value->over : value->over, scale = 1, scaled;
    for (int i = 0; i < digits; i++) scale *= 10; /* at most 22 digits */
    if (value->under == 0 || __builtin_mul_overflow(over, scale, &scaled)) {
        tacTextAddString(out, "more than 128 bits hold");
        return;
    }
    bool more = negative && scaled % value->under != 0; /* down: below 0 to the larger amount */
    scaled = scaled / value->under + more;
    __int128 whole = scaled / scale, part = scaled % scale;
    char text[64];
    int n = 0;
    do text[n++] = (char) ('0' + (int) (whole % 10));
    while ((whole /= 10) != 0);
    if (negative && scaled) tacTextAdd(out, "-", 1);
    while (n) tacTextAdd(out, &text[--n], 1);
    if (part) tacTextAdd(out, ".", 1);
    for (; part; part %= scale) {
        scale /= 10;
        text[0] = (char) ('0' + (int) (part / scale));
        tacTextAdd(out, text, 1);
    }
}

void tacFractionSay(const tacFraction *value, bool share, int digits, const tacStore *times, tacText *out) {
    tacFraction shown = *value;
    size_t before = out->length;
    if (share && __builtin_mul_overflow(shown.over, (__int128) 100, &shown.over)) shown.under = 0;
    addFraction(&shown, share ? 3 : digits + 3, out);
    if (share) tacTextAdd(out, "%", 1);
    if (share || !times || out->failed) return;
    tacText said = {0};
    tacTimeSayDecimal(times, out->at + before, out->length - before, &said);
    out->length = before;
    tacTextAdd(out, said.at, said.length);
    out->failed |= said.failed;
    tacTextFree(&said);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct Parser {
    const tacExpressionReader *reader;
    const char *at, *end, *begin;
    tacExpression *expression;
    int depth;
    tacError *err;
} Parser;

static tacStatus expected(const Parser *p, const char *what) {
    size_t left = (size_t) (p->end - p->at), shown = tacWholeLength(p->at, left, 20);
    size_t all = tacWholeLength(p->begin, (size_t) (p->end - p->begin), 60);
    if (!left) return tacFail(p->err, "USAGE", "%s is expected at the end of \"%.*s\"", what, (int) all, p->begin);
    return tacFail(p->err, "USAGE", "%s is expected at \"%.*s\"", what, (int) shown, p->at);
}

static void skipBlanks(Parser *p) {
    while (p->at < p->end && strchr(" \t\n\r\v\f", *p->at)) p->at++;
}

static bool take(Parser *p, char c) {
    skipBlanks(p);
    if (p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}

static tacStatus push(Parser *p, tacNode node) {
    if (p->expression->nodes.count >= TAC_MOST_NODES)
        return tacFail(p->err, "USAGE", "an expression has more than %d parts", TAC_MOST_NODES);
    return tacArrayPush(&p->expression->nodes, node) ? TAC_OK : tacFailMemory(p->err);
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }

/* over * 10^exponent as a fraction. */
static bool scaled(__int128 over, int exponent, tacFraction *number) {
    __int128 under = 1;
    for (; exponent > 0; exponent--)
        if (__builtin_mul_overflow(over, (__int128) 10, &over)) return false;
    for (; exponent < 0; exponent++)
        if (__builtin_mul_overflow(under, (__int128) 10, &under)) return false;
    return tacFractionMake(over, under, number);
}

static tacStatus readNumber(Parser *p) {
    const char *from = p->at;
    while (p->at < p->end && (isDigit(*p->at) || *p->at == '.')) p->at++;
    if (p->at + 1 < p->end && (*p->at == 'e' || *p->at == 'E')) { /* an exponent, unless a name begins here */
        const char *exponent = p->at + 1 + (p->at[1] == '-' || p->at[1] == '+');
        if (exponent < p->end && isDigit(*exponent)) p->at = exponent;
        while (p->at < p->end && isDigit(*p->at)) p->at++;
    }
    tacDecimal decimal;
    if (tacDecimalParse(from, (size_t) (p->at - from), &decimal) != TAC_OK || decimal.rounded) {
        p->at = from;
        return expected(p, "a number of at most 18 digits");
    }
    tacNode node = {.kind = TAC_NODE_NUMBER};
    int exponent = -decimal.digits, unit = 0, own = 0;
    const char *to = p->at;
    skipBlanks(p);
    const char *name = p->at;
    bool apart = name > to; /* then it may also be something else, which is refused where it stands */
    if (p->at < p->end && *p->at == '%') p->at++;
    else
        while (p->at < p->end && isLetter(*p->at)) p->at++;
    size_t length = (size_t) (p->at - name);
    if (length == 3 && memcmp(name, "_ns", 3) == 0) { /* nanoseconds, or units of a trace of which nothing is known */
        if (p->reader->unit) name++;
        length = p->reader->unit ? 2 : 0;
    }
    if (length == 1 && *name == '%') {
        node.percent = true;
        exponent -= 2;
    } else if (length) {
        if (!tacTimeUnit(name, length, &unit) && apart) p->at = to;
        else if (!tacTimeUnit(name, length, &unit))
            return tacFail(
                p->err, "USAGE", "unknown unit \"%.*s\" (must be s, ms, us, ns, ps or %%)", (int) length, name);
        else if (!p->reader->anyUnit && !p->reader->unit)
            return tacFail(p->err, "LOOKUP UNIT", "\"%.*s\" has a unit, but that of the trace's times is not known",
                (int) (p->at - from), from);
        if (p->reader->unit) tacTimeUnit(p->reader->unit, strlen(p->reader->unit), &own);
        exponent += unit - own;
    }
    if (!scaled(decimal.mantissa, exponent, &node.number)) return expected(p, "a smaller number");
    return push(p, node);
}

static tacStatus readSum(Parser *p);

/* Reads a second argument: a word, which may stand in braces or quotes. */
static tacStatus readWord(Parser *p, tacWord *word) {
    skipBlanks(p);
    char close = p->at == p->end ? 0 : *p->at == '{' ? '}' : *p->at == '"' ? '"' : 0;
    const char *from = p->at;
    int depth = 0;
    if (close) from = ++p->at;
    for (; p->at < p->end && (close || !strchr(",) \t\n\r\v\f", *p->at)); p->at++) {
        if (close && *p->at == close && depth-- == 0) break;
        if (close == '}' && *p->at == '{') depth++;
    }
    *word = (tacWord){from, (size_t) (p->at - from)};
    if (close && p->at == p->end) return expected(p, close == '}' ? "a close-brace" : "a close-quote");
    if (close) p->at++;
    return word->length || close ? TAC_OK : expected(p, "a name");
}

/* Reads "(VARIABLE)" or "(VARIABLE, ARGUMENT)" after the name of a function. */
static tacStatus readSince(Parser *p, tacSince since) {
    tacWord word;
    skipBlanks(p);
    const char *name = p->at;
    while (p->at < p->end && (isLetter(*p->at) || isDigit(*p->at))) p->at++;
    if (p->at == name) return expected(p, "the name of a variable");
    tacNode node = {.kind = TAC_NODE_SINCE, .since = since};
    node.slot = tacIntern(p->reader->variables, name, (size_t) (p->at - name));
    if (node.slot == TAC_NONE) return tacFailMemory(p->err);
    bool two = take(p, ',');
    if (two && readWord(p, &word) != TAC_OK) return TAC_ERROR;
    if (!take(p, ')')) return expected(p, "\")\"");
    node.memory = node.doubt = TAC_NONE;
    if ((since != TAC_SINCE_ELAPSED || two)
        && tacAsksFunction(p->reader->asks, since, node.slot, two ? &word : NULL, &node.memory, &node.doubt, p->err)
            != TAC_OK)
        return TAC_ERROR;
    return push(p, node);
}

/* Reads "(NAME)" after field. */
static tacStatus readField(Parser *p) {
    skipBlanks(p);
    const char *name = p->at, *end = memchr(name, ')', (size_t) (p->end - name));
    if (!end) return expected(p, "\")\"");
    p->at = end + 1;
    while (end > name && strchr(" \t\n\r\v\f", end[-1])) end--;
    if (end == name) return tacFail(p->err, "USAGE", "the name of a field is expected in \"field()\"");
    tacNode node = {.kind = TAC_NODE_FIELD, .name = tacCopyText(name, (size_t) (end - name))};
    if (!node.name) return tacFailMemory(p->err);
    if (push(p, node) == TAC_OK) return TAC_OK;
    tacFree(node.name);
    return TAC_ERROR;
}

/* Reads a time, and makes it one in ticks. */
static tacStatus readTicks(Parser *p, tacNode *node) {
    skipBlanks(p);
    const char *from = p->at;
    if (p->at == p->end || !(isDigit(*p->at) || *p->at == '.')) return expected(p, "a time");
    if (readNumber(p) != TAC_OK) return TAC_ERROR;
    const tacNode *number = &p->expression->nodes.at[--p->expression->nodes.count];
    node->number = number->number;
    bool fits = !number->percent;
    for (int i = 0; fits && p->reader->asks->model && i < p->reader->asks->model->store->digits; i++)
        fits = !__builtin_mul_overflow(node->number.over, (__int128) 10, &node->number.over);
    if (fits && node->number.over / node->number.under <= TAC_MORE) return TAC_OK;
    p->at = from;
    return expected(p, fits ? "a shorter time" : "a time");
}

/* Reads "({EVENT}, TIME)", "({EVENT})" or "({EVENT}, {EVENT})" after the name of a question about the past. */
static tacStatus readPast(Parser *p, tacPastKind past) {
    tacNode node = {.kind = TAC_NODE_PAST, .past = past, .doubt = TAC_NONE};
    tacWord event, than;
    bool timed = past == TAC_PAST_COUNT || past == TAC_PAST_ONCE;
    if (readWord(p, &event) != TAC_OK) return TAC_ERROR;
    if (past != TAC_PAST_LAST && !take(p, ',')) return expected(p, "\",\"");
    if (timed && readTicks(p, &node) != TAC_OK) return TAC_ERROR;
    if (past == TAC_PAST_SINCE && readWord(p, &than) != TAC_OK) return TAC_ERROR;
    if (!take(p, ')')) return expected(p, "\")\"");
    node.since = past == TAC_PAST_COUNT ? TAC_SINCE_TIMES : past == TAC_PAST_SINCE ? TAC_SINCE_AFTER : TAC_SINCE_LAST;
    if (tacAsksPast(p->reader->asks, node.since, &event, past == TAC_PAST_SINCE ? &than : NULL,
            timed ? (int64_t) (node.number.over / node.number.under) : 0, &node.memory, p->err)
        != TAC_OK)
        return TAC_ERROR;
    return push(p, node);
}

/* Reads "(STATE)" after jobs. */
static tacStatus readJobs(Parser *p) {
    tacNode node = {.kind = TAC_NODE_PAST, .past = TAC_PAST_JOBS, .doubt = TAC_NONE};
    skipBlanks(p);
    const char *name = p->at;
    while (p->at < p->end && isLetter(*p->at)) p->at++;
    size_t length = (size_t) (p->at - name);
    bool active = length == 6 && memcmp(name, "active", 6) == 0;
    node.since = active ? TAC_SINCE_ACTIVE : tacSinceFind(name, length);
    if (!active && (node.since < TAC_SINCE_RUNNING || node.since > TAC_SINCE_UNKNOWN)) {
        p->at = name;
        return expected(p, "active, ready or a state of a job");
    }
    if (!take(p, ')')) return expected(p, "\")\"");
    if (tacAsksJobs(p->reader->asks, node.since, &node.memory, p->err) != TAC_OK) return TAC_ERROR;
    return push(p, node);
}

/* The question about the past that a name and what follows its parenthesis mean, or -1. count(v, ...) is none. */
static int pastOf(Parser *p, const char *name, size_t length) {
    static const char *const names[] = {"count", "once", "last", "since"};
    skipBlanks(p);
    bool event = p->at < p->end && (*p->at == '{' || *p->at == '"');
    for (int i = 0; i < 4; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0 && (event || i)) return i;
    return -1;
}

/* Reads "(A, B)" after min or max. */
static tacStatus readPair(Parser *p, tacNodeKind kind) {
    if (readSum(p) != TAC_OK) return TAC_ERROR;
    if (!take(p, ',')) return expected(p, "\",\"");
    if (readSum(p) != TAC_OK) return TAC_ERROR;
    if (!take(p, ')')) return expected(p, "\")\"");
    return push(p, (tacNode){.kind = kind});
}

static tacStatus readName(Parser *p) {
    const char *name = p->at;
    while (p->at < p->end && (isLetter(*p->at) || isDigit(*p->at))) p->at++;
    size_t length = (size_t) (p->at - name);
    if (take(p, '(')) {
        int past = pastOf(p, name, length);
        tacSince since = tacSinceFind(name, length);
        if (past >= 0) return readPast(p, (tacPastKind) past);
        if (since < TAC_SINCES) return readSince(p, since);
        if (length == 5 && memcmp(name, "field", 5) == 0) return readField(p);
        if (length == 4 && memcmp(name, "jobs", 4) == 0) return readJobs(p);
        if (length == 3 && memcmp(name, "min", 3) == 0) return readPair(p, TAC_NODE_MIN);
        if (length == 3 && memcmp(name, "max", 3) == 0) return readPair(p, TAC_NODE_MAX);
        tacText all = {0};
        for (int i = 0; i < TAC_SINCE_LOST; i++) tacTextPrintf(&all, "%s, ", tacSinces[i].name);
        tacFail(p->err, "USAGE", "unknown function \"%.*s\" (must be %sonce, last, since, field, jobs, min or max)",
            (int) length, name, all.at ? all.at : "");
        tacTextFree(&all);
        return TAC_ERROR;
    }
    if (p->reader->staying && length == 4 && memcmp(name, "time", 4) == 0)
        return push(p, (tacNode){.kind = TAC_NODE_PAST, .past = TAC_PAST_STAY, .memory = TAC_NONE, .doubt = TAC_NONE});
    if (length == 3 && memcmp(name, "now", 3) == 0) return push(p, (tacNode){.kind = TAC_NODE_NOW});
    tacNode node = {.kind = TAC_NODE_VARIABLE, .slot = tacIntern(p->reader->variables, name, length)};
    return node.slot == TAC_NONE ? tacFailMemory(p->err) : push(p, node);
}

static tacStatus readFactor(Parser *p) {
    skipBlanks(p);
    if (p->at == p->end) return expected(p, "a value");
    if (isDigit(*p->at) || *p->at == '.') return readNumber(p);
    if (isLetter(*p->at)) return readName(p);
    bool minus = *p->at == '-';
    if ((!minus && *p->at != '(') || p->depth >= DEEPEST) return expected(p, "a value");
    p->at++;
    p->depth++;
    tacStatus status = minus ? readFactor(p) : readSum(p);
    p->depth--;
    if (status != TAC_OK) return TAC_ERROR;
    if (minus) return push(p, (tacNode){.kind = TAC_NODE_NEGATE});
    return take(p, ')') ? TAC_OK : expected(p, "\")\"");
}

static tacStatus readProduct(Parser *p) {
    if (readFactor(p) != TAC_OK) return TAC_ERROR;
    for (;;) {
        bool times = take(p, '*');
        if (!times && !take(p, '/')) return TAC_OK;
        if (readFactor(p) != TAC_OK
            || push(p, (tacNode){.kind = times ? TAC_NODE_MULTIPLY : TAC_NODE_DIVIDE}) != TAC_OK)
            return TAC_ERROR;
    }
}

static tacStatus readSum(Parser *p) {
    if (p->depth >= DEEPEST) return expected(p, "an expression that is nested less");
    p->depth++;
    tacStatus status = readProduct(p);
    while (status == TAC_OK) {
        bool plus = take(p, '+');
        if (!plus && !take(p, '-')) break;
        status = readProduct(p);
        if (status == TAC_OK) status = push(p, (tacNode){.kind = plus ? TAC_NODE_ADD : TAC_NODE_SUBTRACT});
    }
    p->depth--;
    return status;
}

/* Keeps the text without the blanks around it. */
static tacStatus keepText(const char *from, const char *to, tacExpression *expression, tacError *err) {
    while (from < to && to[-1] == ' ') to--;
    while (from < to && *from == ' ') from++;
    expression->text = tacCopyText(from, (size_t) (to - from));
    return expression->text ? TAC_OK : tacFailMemory(err);
}

tacStatus tacExpressionRead(
    const tacExpressionReader *reader, const char *text, size_t length, tacExpression *expression, tacError *err) {
    *expression = (tacExpression){.text = NULL};
    Parser p = {
        .reader = reader, .at = text, .begin = text, .end = text + length, .expression = expression, .err = err};
    if (readSum(&p) != TAC_OK) return TAC_ERROR;
    skipBlanks(&p);
    if (p.at < p.end) return expected(&p, "an operator, or the end,");
    return keepText(text, text + length, expression, err);
}

/* Is the text nothing but "?" or "?%"? */
static bool isSought(const char *from, const char *to, bool *percent) {
    while (from < to && to[-1] == ' ') to--;
    while (from < to && *from == ' ') from++;
    *percent = to - from == 2 && from[1] == '%';
    return from < to && *from == '?' && (to - from == 1 || *percent);
}

/* Makes the right side of a limit that is to be found: the number 0 stands for it. */
static tacStatus seek(const char *from, const char *to, bool percent, tacRelationTest *test, tacError *err) {
    tacNode none = {.kind = TAC_NODE_NUMBER, .number = {0, 1}, .percent = percent};
    if (test->op == TAC_UNEQUAL) return tacFail(err, "USAGE", "no limit can be found for !=");
    test->sought = true;
    if (!tacArrayPush(&test->right.nodes, none)) return tacFailMemory(err);
    if (percent && !tacComparesShares(&test->left, &test->right))
        return tacFail(err, "USAGE", "\"?%%\" needs a time since a variable alone on the left side");
    return keepText(from, to, &test->right, err);
}

/* Completes a test without a comparison: it is not 0. */
static tacStatus untested(const char *from, const char *to, tacRelationTest *test, tacError *err) {
    static const char zero[] = "0";
    test->op = TAC_UNEQUAL;
    if (!tacArrayPush(&test->right.nodes, ((tacNode){.kind = TAC_NODE_NUMBER, .number = {0, 1}})))
        return tacFailMemory(err);
    return keepText(from, to, &test->left, err) == TAC_OK ? keepText(zero, zero + 1, &test->right, err) : TAC_ERROR;
}

tacStatus tacRelationTestRead(
    const tacExpressionReader *reader, const char *text, size_t length, tacRelationTest *test, tacError *err) {
    bool percent;
    *test = (tacRelationTest){.op = TAC_EQUAL};
    Parser p = {
        .reader = reader, .at = text, .begin = text, .end = text + length, .expression = &test->left, .err = err};
    if (readSum(&p) != TAC_OK) return TAC_ERROR;
    skipBlanks(&p);
    if (p.at == p.end) return untested(text, p.end, test, err);
    const char *op = p.at, *right = tacComparisonAt(p.at, p.end, &test->op);
    if (!right) return expected(&p, "a comparison (== != < <= > >=)");
    if (keepText(text, op, &test->left, err) != TAC_OK) return TAC_ERROR;
    if (isSought(right, p.end, &percent)) return seek(right, p.end, percent, test, err);
    return tacExpressionRead(reader, right, (size_t) (p.end - right), &test->right, err);
}

bool tacComparesShares(const tacExpression *timers, const tacExpression *number) {
    return number->nodes.count == 1 && number->nodes.at[0].kind == TAC_NODE_NUMBER && number->nodes.at[0].percent
        && timers->nodes.count == 1 && timers->nodes.at[0].kind == TAC_NODE_SINCE
        && tacSinces[timers->nodes.at[0].since].time;
}

bool tacExpressionIsTime(const tacExpression *expression) {
    bool times = false;
    for (size_t i = 0; i < expression->nodes.count; i++) {
        const tacNode *node = &expression->nodes.at[i];
        if (node->kind == TAC_NODE_VARIABLE || node->kind == TAC_NODE_MULTIPLY || node->kind == TAC_NODE_DIVIDE
            || (node->kind == TAC_NODE_PAST && node->past < TAC_PAST_LAST)
            || (node->kind == TAC_NODE_PAST && (node->past == TAC_PAST_SINCE || node->past == TAC_PAST_JOBS))
            || (node->kind == TAC_NODE_SINCE && !tacSinces[node->since].time))
            return false;
        times |= node->kind == TAC_NODE_SINCE || node->kind == TAC_NODE_PAST || node->kind == TAC_NODE_NOW;
    }
    return times;
}

void tacRelationTestPrepare(tacRelationTest *test, int digits) {
    const tacNode *left = test->left.nodes.at, *right = test->right.nodes.at;
    if (test->left.nodes.count != 1 || test->right.nodes.count != 1 || left->kind != TAC_NODE_SINCE
        || right->kind != TAC_NODE_NUMBER)
        return;
    bool time = tacSinces[left->since].time;
    test->slot = left->slot;
    test->memory = left->memory;
    test->doubt = left->doubt;
    test->ofJobs = tacSinces[left->since].ofJobs;
    test->ofEvents = tacSinces[left->since].argument >= TAC_ARGUMENT_EVENT;
    test->share = time && right->percent;
    test->limit = right->number;
    test->plain = !test->sought;
    test->direct = test->sought && digits <= 18;
    if (test->sought) test->limit = (tacFraction){0, 1};
    for (int i = 0; i < digits && time && test->direct; i++) test->limit.under *= 10;
    for (int i = 0; i < digits && time && !test->share && test->plain; i++)
        test->plain = !__builtin_mul_overflow(test->limit.over, (__int128) 10, &test->limit.over);
    test->whole = test->limit.under == 1 && test->limit.over == (int64_t) test->limit.over;
}

void tacExpressionFree(tacExpression *expression) {
    for (size_t i = 0; i < expression->nodes.count; i++) tacFree(expression->nodes.at[i].name);
    tacArrayFree(&expression->nodes);
    tacFree(expression->text);
    expression->text = NULL;
}

void tacRelationTestFree(tacRelationTest *test) {
    tacExpressionFree(&test->left);
    tacExpressionFree(&test->right);
}

/* ---- evaluating -------------------------------------------------------------------------------------------------- */

/* Applies an operator to the values on top of the stack; the result takes their place. */
static tacNoValue apply(tacNodeKind kind, tacFraction *stack, size_t *n) {
    tacFraction *right = &stack[*n - 1], *left = right - 1;
    int order;
    if (kind == TAC_NODE_NEGATE) {
        right->over = -right->over;
        return TAC_HAS_VALUE;
    }
    --*n;
    switch (kind) {
    case TAC_NODE_ADD: return add(left, right, 1, left) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    case TAC_NODE_SUBTRACT: return add(left, right, -1, left) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    case TAC_NODE_MULTIPLY: return multiply(left, right, left) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    case TAC_NODE_DIVIDE:
        if (right->over == 0) return TAC_BY_ZERO;
        tacFractionMake(right->under, right->over, right);
        return multiply(left, right, left) ? TAC_HAS_VALUE : TAC_TOO_LARGE;
    default:
        if (!tacFractionCompare(left, right, &order)) return TAC_TOO_LARGE;
        if ((kind == TAC_NODE_MIN) == (order > 0)) *left = *right;
        return TAC_HAS_VALUE;
    }
}

tacNoValue tacExpressionValue(const tacExpression *expression, tacEvaluation *from, tacFraction *value) {
    tacFraction stack[TAC_MOST_NODES];
    size_t n = 0;
    for (size_t i = 0; i < expression->nodes.count; i++) {
        const tacNode *node = &expression->nodes.at[i];
        tacNoValue why = TAC_HAS_VALUE;
        from->missing = node;
        switch (node->kind) {
        case TAC_NODE_NUMBER: stack[n++] = node->number; break;
        case TAC_NODE_NOW: why = from->now(from->data, &stack[n++]); break;
        case TAC_NODE_VARIABLE: why = from->variable(from->data, node->slot, &stack[n++]); break;
        case TAC_NODE_FIELD:
            if (!from->field(from->data, node->name, &stack[n++])) why = TAC_NO_FIELD;
            break;
        case TAC_NODE_SINCE: why = from->since(from->data, node, &stack[n++]); break;
        case TAC_NODE_PAST: why = from->past(from->data, node, &stack[n++]); break;
        default: why = apply(node->kind, stack, &n);
        }
        if (why != TAC_HAS_VALUE) return why;
    }
    *value = stack[0];
    return TAC_HAS_VALUE;
}
