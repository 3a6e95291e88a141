/*
 * option.h -- options of commands as rows of a table: parsing, messages, the program's help and the manual pages are
 * all made from the rows (tcl/optionTable.h).
 *
 * A row says where in a record the value goes and of what type it is. The types are plain C, so that a stage
 * without Tcl, such as the reader of a format, can declare options too.
 */
#ifndef TAC_BASE_OPTION_H
#define TAC_BASE_OPTION_H

#include "base/decimal.h"

typedef struct tacTimeValue { /* a time as written; its ticks depend on the trace */
    bool given;
    tacDecimal decimal;
} tacTimeValue;

typedef struct tacLengthValue { /* a length: number * pointsPerUnit points; pointsPerUnit 0: it has no unit */
    bool given;
    double number, pointsPerUnit;
} tacLengthValue;

typedef enum tacValueType {
    TAC_VALUE_TIME,   /* tacTimeValue */
    TAC_VALUE_LENGTH, /* tacLengthValue */
    TAC_VALUE_NUMBER, /* double, >= 0 */
    TAC_VALUE_COUNT,  /* int64_t, >= 0 */
    TAC_VALUE_BYTES,  /* int64_t, >= 0; k, M or G may follow */
    TAC_VALUE_FLAG,   /* bool; the value may be left out, which means yes */
    TAC_VALUE_WORD,   /* int: index into the row's words */
    TAC_VALUE_TEXT,   /* const char * in UTF-8 as Tcl has it */
    TAC_VALUE_UTF8,   /* char * in the UTF-8 of the world; freed with the record */
    TAC_VALUE_FILE,   /* char *, a path as the system takes it, or one of the row's words; freed with the record */
    TAC_VALUE_LIST,   /* const char *const *, NULL-terminated; freed with the record */
    TAC_VALUE_NAMES,  /* the same, written as names.h says; in the program a repeated option adds to them */
    TAC_VALUE_OBJECT  /* Tcl_Obj *, not referenced */
} tacValueType;

typedef struct tacOptionRow {
    const char *name; /* with one dash */
    tacValueType type;
    size_t offset;            /* of the value in the record */
    const char *const *words; /* of TAC_VALUE_WORD and TAC_VALUE_FILE, NULL-terminated; or NULL */
    const char *argument;     /* name of the value in help ("time"); NULL: by type */
    const char *initial;      /* default, for help; NULL: none worth saying */
    const char *help;         /* a clause without period */
} tacOptionRow;

#endif
