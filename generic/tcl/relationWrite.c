/*
 * relationWrite.c -- $relation write ?-option value ...?: the rows shown as text.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"

typedef struct Options {
    Tcl_Obj *channel, *before, *columns;
    bool headless, rounded;
    int64_t most;
    int format;
} Options;

enum { TABLE, CSV, JSON, ROWS, LINES };
static const char *const names[] = {"table", "csv", "json", "rows", "lines", NULL};
static const tacTableFormat formats[] = {[TABLE] = TAC_TABLE_TEXT,
    [CSV] = TAC_TABLE_CSV,
    [JSON] = TAC_TABLE_JSON,
    [ROWS] = TAC_TABLE_ROWS,
    [LINES] = TAC_TABLE_LINES};

static const tacOptionRow writeRows[] = {TAC_CHANNEL_ROW(Options, channel),
    {"-format", TAC_VALUE_WORD, offsetof(Options, format), names, NULL, "table",
        "table, lines (the texts of its first column alone): as people read it; csv, json: numbers not rounded; rows: "
        "the objects of json without the list around them"},
    {"-before", TAC_VALUE_OBJECT, offsetof(Options, before), NULL, "list", NULL,
        "name and text of a column more, with this text in each row; it stands before the others, or where -columns "
        "names it"},
    {"-columns", TAC_VALUE_OBJECT, offsetof(Options, columns), NULL, "names", NULL,
        "the columns, in this order; default: all, and in a table those that people read"},
    {"-headless", TAC_VALUE_FLAG, offsetof(Options, headless), NULL, NULL, "no", "csv without the line of names"},
    {"-most", TAC_VALUE_COUNT, offsetof(Options, most), NULL, "n", NULL, "the first n rows only"},
    {"-rounded", TAC_VALUE_FLAG, offsetof(Options, rounded), NULL, NULL, "no",
        "numbers of 15 digits, as $trace stats writes them"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL}};

/* Makes the table that is written: `shown` of the rows, or `chosen` of that. */
static int makeTable(Tcl_Interp *interp, tacRelationCmd *r, const Options *options, tacTable *shown, tacTable *chosen) {
    bool some = options->columns || options->before;
    bool reads = (options->format == TABLE || options->format == LINES) && !some;
    *chosen = (tacTable){.release = NULL};
    (reads ? tacRelationReadable : tacRelationTable)(&r->relation, shown);
    shown->exact = !options->rounded;
    if ((uint64_t) options->most < shown->nRows) shown->nRows = (uint64_t) options->most;
    if (some && tacChosenFromObj(interp, shown, options->columns, options->before, chosen) != TCL_OK) return TCL_ERROR;
    (some ? chosen : shown)->headless = options->headless;
    return TCL_OK;
}

int tacRelationWriteSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options = {.most = INT64_MAX};
    tacTable shown, chosen;
    tacOutput output;
    tacWork work;
    if (tacOptionsParse(interp, writeRows, objc - 2, objv + 2, &options) != TCL_OK
        || makeTable(interp, r, &options, &shown, &chosen) != TCL_OK)
        return TCL_ERROR;
    int result = tacOutputBegin(&output, interp, options.channel);
    if (result == TCL_OK && (result = tacWorkBegin(&work, r, interp, NULL, "writing")) != TCL_OK)
        tacOutputEnd(&output, TAC_OK, NULL);
    if (result == TCL_OK) {
        tacStatus status = tacTableWrite(
            chosen.release ? &chosen : &shown, formats[options.format], tacOutputWrite, &output, &work.err);
        Tcl_ResetResult(interp);
        result = tacOutputEnd(&output, status, &work.err);
        int ended = tacWorkEnd(&work, TAC_OK);
        if (result == TCL_OK) result = ended;
    }
    tacTableFree(&chosen);
    return result;
}
