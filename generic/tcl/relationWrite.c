/*
 * relationWrite.c -- $relation write ?-option value ...?: the rows shown as text.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/relationPart.h"
#include "tcl/tableValue.h"

typedef struct Options {
    Tcl_Obj *channel, *before;
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
        "csv, json, rows: name and text of a column before the others, with this text in each row"},
    {"-headless", TAC_VALUE_FLAG, offsetof(Options, headless), NULL, NULL, "no", "csv without the line of names"},
    {"-most", TAC_VALUE_COUNT, offsetof(Options, most), NULL, "n", NULL, "the first n rows only"},
    {"-rounded", TAC_VALUE_FLAG, offsetof(Options, rounded), NULL, NULL, "no",
        "numbers of 15 digits, as $trace stats writes them"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL}};

/* Sets the column before the others. */
static int setBefore(Tcl_Interp *interp, const Options *options, tacTable *table) {
    Tcl_Size n;
    Tcl_Obj **words;
    if (!options->before) return TCL_OK;
    if (Tcl_ListObjGetElements(interp, options->before, &n, &words) != TCL_OK) return TCL_ERROR;
    if (n != 2) return tacTclFail(interp, "USAGE VALUE", "-before needs a list of two: name and text of a column");
    if (options->format == TABLE || options->format == LINES)
        return tacTclFail(interp, "USAGE FORMAT", "-before needs -format csv, json or rows");
    table->leadName = Tcl_GetString(words[0]);
    table->leadText = Tcl_GetString(words[1]);
    return TCL_OK;
}

int tacRelationWriteSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacRelationCmd *r = data;
    Options options = {.most = INT64_MAX};
    tacTable table, lead = {.leadName = NULL};
    tacOutput output;
    tacWork work;
    if (tacOptionsParse(interp, writeRows, objc - 2, objv + 2, &options) != TCL_OK
        || setBefore(interp, &options, &lead) != TCL_OK || tacOutputBegin(&output, interp, options.channel) != TCL_OK)
        return TCL_ERROR;
    if (tacWorkBegin(&work, r, interp, NULL, "writing") != TCL_OK)
        return tacOutputEnd(&output, TAC_OK, NULL), TCL_ERROR;
    bool reads = options.format == TABLE || options.format == LINES;
    (reads ? tacRelationReadable : tacRelationTable)(&r->relation, &table);
    table.exact = !options.rounded;
    table.headless = options.headless;
    table.leadName = lead.leadName;
    table.leadText = lead.leadText;
    if ((uint64_t) options.most < table.nRows) table.nRows = (uint64_t) options.most;
    tacStatus status = tacTableWrite(&table, formats[options.format], tacOutputWrite, &output, &work.err);
    Tcl_ResetResult(interp);
    int result = tacOutputEnd(&output, status, &work.err), ended = tacWorkEnd(&work, TAC_OK);
    return result == TCL_OK ? ended : result;
}
