/*
 * filter.h -- filters of rows: the filter language of panels, options and commands, compiled to a small program over
 * columns.
 *
 *   response > 10 && (task ~ control* || !preemptions == 0) half way
 *        -- filterParse.c -> a tree of tests -- filter.c -> steps that jump -> does this row fit?
 *
 * tactus(1), FILTERS, describes the language. Its tests of a cell:
 *
 *      ==  !=  <  <=  >  >=    by the column's type: times, counts and numbers by value, exactly; texts in natural
 *                              order (job2 before job10); words with an order of their own (note, warning, error) in
 *                              that order
 *      ~  !~                   a glob pattern over the cell as it is shown, upper and lower case alike; without * and ?
 *                              a part of it
 *      == empty, != empty      the cell has no value; it has one
 *
 * An empty cell fits no other test, except negated ones (!=, !~, !). Numbers may have a unit if the column's is known.
 */
#ifndef TAC_RELATION_FILTER_H
#define TAC_RELATION_FILTER_H

#include "relation/table.h"

typedef struct tacFilter tacFilter; /* expressions, conditions and texts, all of which a row must fit */

/* Makes a filter without conditions, which every row fits. It refers to the table. NULL: no memory. */
tacFilter *tacFilterNew(const tacTable *table);
void tacFilterFree(tacFilter *filter);
bool tacFilterWantsAll(const tacFilter *filter); /* true: it has no conditions */

/*
 * Adds an expression. TAC_ERROR: MEMORY, or USAGE FILTER POSITION, where the message says what is wrong, at
 * which character (counted from 1), and what was expected there.
 */
tacStatus tacFilterExpression(tacFilter *filter, const char *text, tacError *err);

typedef enum tacComparison {
    TAC_EQUAL,
    TAC_UNEQUAL,
    TAC_BELOW,
    TAC_AT_MOST,
    TAC_ABOVE,
    TAC_AT_LEAST,
    TAC_MATCH, /* glob pattern of the whole text */
    TAC_LIKE,  /* the same, but without * and ? a part of the text */
    TAC_UNLIKE
} tacComparison;

/* Adds a condition of one column. For TAC_EQUAL and TAC_UNEQUAL, the empty value asks for an empty cell. TAC_ERROR:
 * MEMORY, USAGE VALUE. */
tacStatus tacFilterCondition(tacFilter *filter, int column, tacComparison comparison, const char *value, tacError *err);

/* Adds that some cell of the row contains the text, upper and lower case alike. TAC_ERROR: MEMORY. */
tacStatus tacFilterText(tacFilter *filter, const char *text, tacError *err);

/*
 * Adds that the number of a column's text (tacTable.group) is among those whose bits are set: number n is bit n % 64 of
 * bits[n / 64]. The bits are the caller's and stay; all numbers of the column lie within them. TAC_ERROR: MEMORY.
 */
tacStatus tacFilterAmong(tacFilter *filter, int column, const uint64_t *bits, tacError *err);

/*
 * Adds a text as it is shown, `spelled` in characters of a keyboard, where that is another one; false: it is not. Texts
 * fit a test if they fit it in any form. NULL: all texts are shown as they are; the library sets tacMathsPlain
 * (view/maths.h).
 */
extern bool (*tacFilterShown)(const char *text, size_t length, bool spelled, tacText *shown);

/* A filter compiled for testing rows. The filter and its table must not change meanwhile. NULL: no memory. */
typedef struct tacFilterRun tacFilterRun;
tacFilterRun *tacFilterBegin(const tacFilter *filter);
bool tacFilterFits(tacFilterRun *run, uint64_t row);
void tacFilterEnd(tacFilterRun *run);

/* ---- between filter.c and filterParse.c ---- */

typedef enum tacFilterKind { TAC_FILTER_TEST, TAC_FILTER_ALL, TAC_FILTER_ANY } tacFilterKind;

/* Opens a group (ALL or ANY) within the one that is open; all that is added until it is closed belongs to it. */
bool tacFilterOpen(tacFilter *filter, tacFilterKind kind);
void tacFilterClose(tacFilter *filter);
/* Negates the test or closed group that was added last. */
void tacFilterNegate(tacFilter *filter);
const tacTable *tacFilterTable(const tacFilter *filter);

/* Result of reading a text as a number for a column that is no text: fine, or the reason why it is none. */
typedef enum tacNumberFault {
    TAC_NUMBER_FINE,
    TAC_NUMBER_NONE,
    TAC_NUMBER_NO_UNIT,
    TAC_NUMBER_OTHER_UNIT
} tacNumberFault;
tacNumberFault tacFilterNumber(const tacTable *table, int column, const char *text, size_t length);
/* Length of a text that is the name of a unit ("ms"); 0: it is none. */
size_t tacUnitLength(const char *text, size_t length);
/* Adds a comparison of two columns of numbers. */
bool tacFilterColumns(tacFilter *filter, int column, tacComparison comparison, int other);

#endif
