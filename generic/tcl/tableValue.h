/*
 * tableValue.h -- tables as Tcl values and to Tcl channels. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TABLE_VALUE_H
#define TAC_TCL_TABLE_VALUE_H

#include "base/option.h"
#include "relation/table.h"

/* The form of a result: a Tcl list of dicts, or a text in one of the formats of tables. */
typedef enum tacResultFormat { TAC_RESULT_LIST, TAC_RESULT_TABLE, TAC_RESULT_CSV, TAC_RESULT_JSON } tacResultFormat;
extern const char *const tacResultFormats[]; /* "list" "table" "csv" "json", NULL */

/* Rows of the options -format (the member is an int) and -channel (Tcl_Obj *). */
#define TAC_FORMAT_ROW(Record, format) \
    { "-format", TAC_VALUE_WORD, offsetof(Record, format), tacResultFormats, NULL, "list", "form of the result" }
#define TAC_CHANNEL_ROW(Record, channel)                                                \
    {                                                                                   \
        "-channel", TAC_VALUE_OBJECT, offsetof(Record, channel), NULL, "channel", NULL, \
            "where it is written instead of being the result"                           \
    }

/* A list of dicts by column: the rows that `wanted` accepts (NULL: all), at most `limit` (negative: all). Empty cells
 * are {}. NULL: no memory. */
Tcl_Obj *tacTableList(const tacTable *table, bool (*wanted)(void *data, uint64_t row), void *data, int64_t limit);

/* The same of the rows at places from `first` up to before `end`; at: the row at a place. */
Tcl_Obj *tacTableDicts(const tacTable *table, uint64_t (*at)(const void *data, uint64_t place), const void *data,
    uint64_t first, uint64_t end);

/* A cell's text, exact; {} when it is unknown. */
Tcl_Obj *tacTableText(const tacTable *table, uint64_t row, int column);

/*
 * Leaves the table in the interpreter as a value or a text, or writes it to the channel (NULL: none), which
 * TAC_RESULT_LIST cannot. Frees the table.
 */
int tacTableResult(Tcl_Interp *interp, tacTable *table, tacResultFormat format, Tcl_Obj *channel);

/* A sink of bytes: a channel, or a text that becomes the result. */
typedef struct tacOutput {
    Tcl_Interp *interp;
    Tcl_Channel channel; /* NULL: into `text` */
    const char *name;    /* of the channel, as the caller knows it */
    int posixError;      /* errno of the channel's failure; 0: none */
    tacText text;
} tacOutput;

int tacOutputBegin(tacOutput *output, Tcl_Interp *interp, Tcl_Obj *channel);
bool tacOutputWrite(void *output, const char *bytes, size_t n); /* a tacWrite */
/* Ends it. status and err are the writer's; an error of the channel comes before them. */
int tacOutputEnd(tacOutput *output, tacStatus status, const tacError *err);

#endif
