/*
 * relationCondition.c -- from the words of conditions to what the model tests.
 *
 * A comparison with a value becomes a range: of ticks or counts between the numbers that fit (a value between two ticks
 * is neither), of numbers between their neighbours. Comparisons of texts become a test of this file.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/dispatch.h"
#include "tcl/relationCondition.h"

#include <math.h>
#include <string.h>

/* ---- tests of texts --------------------------------------------------------------------------------------------- */

static int compareWith(const void *data, const char *text) {
    return tacNaturalCompare(text, Tcl_GetString((Tcl_Obj *) data));
}

static bool isBelow(const void *data, const char *text) { return compareWith(data, text) < 0; }
static bool isAbove(const void *data, const char *text) { return compareWith(data, text) > 0; }
static bool isEqual(const void *data, const char *text) { return strcmp(text, Tcl_GetString((Tcl_Obj *) data)) == 0; }
static bool matches(const void *data, const char *text) {
    return Tcl_StringCaseMatch(text, Tcl_GetString((Tcl_Obj *) data), TCL_MATCH_NOCASE);
}
/* Digits have no upper and lower case. */
static bool contains(const void *data, const char *text) {
    return strstr(text, Tcl_GetString((Tcl_Obj *) data)) != NULL;
}

/* ---- operators -------------------------------------------------------------------------------------------------- */

typedef enum Side { BELOW, EQUAL, ABOVE } Side;

typedef struct Operator {
    const char *name;
    bool isMatch;
    Side side;
    bool negated;
} Operator;

/* x <= y is: not x > y; but an empty cell is neither. */
static const Operator operators[] = {
    {"=", false, EQUAL, false},
    {"!=", false, EQUAL, true},
    {"<", false, BELOW, false},
    {"<=", false, ABOVE, true},
    {">", false, ABOVE, false},
    {">=", false, BELOW, true},
    {"match", true, EQUAL, false},
    {NULL, false, EQUAL, false},
};

static tacTextTest *const textTests[] = {[BELOW] = isBelow, [EQUAL] = isEqual, [ABOVE] = isAbove};

/* ---- one condition ---------------------------------------------------------------------------------------------- */

/* The largest tick not above the value, and whether the value is a tick. */
static int floorTicks(Tcl_Interp *interp, Tcl_Obj *value, int digits, int64_t *floor, bool *exact) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(value, &length);
    tacDecimal decimal;
    bool rounded = false;
    int64_t back;
    if (tacDecimalParse(text, (size_t) length, &decimal) != TAC_OK)
        return tacTclFail(interp, "USAGE VALUE", "bad value \"%.100s\": must be a number", text);
    if (!tacDecimalShift(decimal.mantissa, digits - decimal.digits, floor, &rounded)) {
        *floor = decimal.mantissa < 0 ? INT64_MIN + 1 : INT64_MAX;
        *exact = false;
        return TCL_OK;
    }
    *exact = !rounded;
    if (rounded && tacDecimalShift(*floor, decimal.digits - digits, &back, &rounded) && back > decimal.mantissa)
        --*floor;
    return TCL_OK;
}

/* [low, high] of what is on this side of the value; an empty range where nothing is. */
static int setRange(Tcl_Interp *interp, tacCondition *condition, Side side, Tcl_Obj *value, int digits) {
    int64_t floor = 0;
    bool exact = false;
    if (floorTicks(interp, value, digits, &floor, &exact) != TCL_OK) return TCL_ERROR;
    condition->kind = TAC_WHEN_RANGE;
    condition->low = INT64_MIN + 1;
    condition->high = INT64_MAX;
    bool none = (side == EQUAL && !exact) || (side == ABOVE && floor == INT64_MAX);
    if (none) condition->low = 1, condition->high = 0;
    else if (side == EQUAL) condition->low = condition->high = floor;
    else if (side == ABOVE) condition->low = floor + 1;
    else condition->high = exact ? floor - 1 : floor;
    return TCL_OK;
}

static int setNumber(Tcl_Interp *interp, tacCondition *condition, Side side, Tcl_Obj *value) {
    double number;
    if (Tcl_GetDoubleFromObj(NULL, value, &number) != TCL_OK || isnan(number))
        return tacTclFail(interp, "USAGE VALUE", "bad value \"%.100s\": must be a number", Tcl_GetString(value));
    condition->kind = TAC_WHEN_NUMBER;
    condition->lowNumber = side == BELOW ? -INFINITY : side == EQUAL ? number : nextafter(number, INFINITY);
    condition->highNumber = side == ABOVE ? INFINITY : side == EQUAL ? number : nextafter(number, -INFINITY);
    return TCL_OK;
}

static void setText(tacCondition *condition, tacTextTest *test, Tcl_Obj *value, Tcl_Obj **text) {
    condition->kind = TAC_WHEN_TEXT;
    condition->test = test;
    condition->data = *text = value;
    Tcl_IncrRefCount(value);
}

/* Compares the cell with the value. What is not below may be empty, which is not above either: those get a second
 * condition. */
static int setValue(Tcl_Interp *interp, const tacTable *table, tacCondition *condition, const Operator *op,
    Tcl_Obj *value, Tcl_Obj **text) {
    tacColumnType type = table->columns[condition->column].type;
    condition->negated = op->negated;
    if (op->isMatch) setText(condition, matches, value, text);
    else if (op->side == EQUAL && *Tcl_GetString(value) == '\0') condition->kind = TAC_WHEN_EMPTY;
    else if (type == TAC_COLUMN_TEXT) setText(condition, textTests[op->side], value, text);
    else if (type == TAC_COLUMN_NUMBER) return setNumber(interp, condition, op->side, value);
    else return setRange(interp, condition, op->side, value, type == TAC_COLUMN_TIME ? table->digits : 0);
    return TCL_OK;
}

int tacColumnFromObj(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *name, int *column) {
    const char *names[64];
    int n = table->nColumns < 63 ? table->nColumns : 63;
    for (int i = 0; i < n; i++) names[i] = table->columns[i].name;
    names[n] = NULL;
    /* Not remembered in the word: these names live no longer than this call. */
    Tcl_Obj *word = Tcl_NewStringObj(Tcl_GetString(name), -1);
    Tcl_IncrRefCount(word);
    int result = Tcl_GetIndexFromObjStruct(interp, word, names, sizeof *names, "column", 0, column);
    Tcl_DecrRefCount(word);
    return result;
}

static int parseCondition(Tcl_Interp *interp, const tacTable *table, Tcl_Obj *words, tacConditionList *list) {
    Tcl_Size count;
    Tcl_Obj **word;
    int op;
    tacCondition *condition = &list->conditions[list->count];
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    if (count != 3)
        return tacTclFail(interp, "USAGE CONDITION", "bad condition \"%.100s\": must be column, operator, value",
            Tcl_GetString(words));
    if (tacColumnFromObj(interp, table, word[0], &condition->column) != TCL_OK
        || Tcl_GetIndexFromObjStruct(interp, word[1], operators, sizeof *operators, "operator", TCL_EXACT, &op)
            != TCL_OK)
        return TCL_ERROR;
    int result = setValue(interp, table, condition, &operators[op], word[2], &list->texts[list->count]);
    list->count++;
    if (result != TCL_OK || !operators[op].negated || operators[op].side == EQUAL) return result;
    list->conditions[list->count++] = (tacCondition){
        .column = condition->column, .kind = TAC_WHEN_EMPTY, .negated = true};
    return TCL_OK;
}

/* ---- -any ------------------------------------------------------------------------------------------------------- */

static bool mayBeNumber(const char *text) { return text[strspn(text, "0123456789.+-e")] == '\0'; }

/* The text between stars, with its own pattern characters escaped. */
static Tcl_Obj *containing(const char *text) {
    Tcl_Obj *pattern = Tcl_NewStringObj("*", 1);
    for (const char *p = text; *p; p++) {
        if (strchr("*?[]\\", *p)) Tcl_AppendToObj(pattern, "\\", 1);
        Tcl_AppendToObj(pattern, p, 1);
    }
    Tcl_AppendToObj(pattern, "*", 1);
    return pattern;
}

static void addAny(tacConditionList *list, Tcl_Obj *text) {
    tacCondition *condition = &list->conditions[list->count];
    const char *bytes = Tcl_GetString(text);
    if (!*bytes) return;
    bool number = mayBeNumber(bytes);
    *condition = (tacCondition){.column = TAC_ANY_COLUMN, .noNumbers = !number};
    bool caseless = number && !strchr(bytes, 'e');
    setText(condition, caseless ? contains : matches, caseless ? text : containing(bytes), &list->texts[list->count]);
    list->count++;
}

int tacConditionsParse(
    Tcl_Interp *interp, const tacTable *table, Tcl_Obj *words, Tcl_Obj *any, tacConditionList *list) {
    Tcl_Size count = 0;
    Tcl_Obj **word = NULL;
    *list = (tacConditionList){.count = 0};
    if (words && Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    size_t room = 2 * (size_t) count + 1; /* a condition may become two */
    list->conditions = tacAllocZero(room, sizeof *list->conditions);
    list->texts = tacAllocZero(room, sizeof *list->texts);
    if (!list->conditions || !list->texts) return tacTclFail(interp, "MEMORY", "not enough memory");
    for (Tcl_Size i = 0; i < count; i++)
        if (parseCondition(interp, table, word[i], list) != TCL_OK) return TCL_ERROR;
    if (any) addAny(list, any);
    return TCL_OK;
}

void tacConditionsFree(tacConditionList *list) {
    for (int i = 0; list->texts && i < list->count; i++)
        if (list->texts[i]) Tcl_DecrRefCount(list->texts[i]);
    tacFree(list->conditions);
    tacFree(list->texts);
    *list = (tacConditionList){.count = 0};
}
