/*
 * describe.c -- the tables of the core as Tcl values: the words of traces, the options of commands, the columns of
 * tables.
 *
 * Help texts and manual pages are made from these, so they always agree with the program.
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/stats.h"
#include "analysis/tables.h"
#include "base/hidden.h"
#include "open/open.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/figureCmd.h"
#include "tcl/optionTable.h"
#include "tcl/relationList.h"
#include "trace/vocab.h"
#include "view/export.h"
#include "view/figure.h"

#include <stdint.h>

/* ---- the vocabulary --------------------------------------------------------------------------------------------- */

static const char *typeName(tacType type) {
    static const char *const names[] = {[TAC_TYPE_STRING] = "string",
        [TAC_TYPE_TIME] = "time",
        [TAC_TYPE_INTEGER] = "integer",
        [TAC_TYPE_COLOR] = "color",
        [TAC_TYPE_PATTERN] = "pattern",
        [TAC_TYPE_STEM] = "stem",
        [TAC_TYPE_ARROW] = "arrow",
        [TAC_TYPE_ARRIVAL] = "arrival",
        [TAC_TYPE_SHAPE] = "shape",
        [TAC_TYPE_FROM] = "from",
        [TAC_TYPE_STRETCH_FROM] = "from",
        [TAC_TYPE_SCHEDULER] = "scheduler",
        [TAC_TYPE_TASK_KIND] = "kind",
        [TAC_TYPE_FLAG] = "flag",
        [TAC_TYPE_REST] = "rest"};
    return (int) type < TAC_KINDS ? tacKindNames[type] : names[type];
}

static Tcl_Obj *words(const char *const *names) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (; names && *names; names++) tacAppend(list, Tcl_NewStringObj(*names, -1));
    return list;
}

/* The options of a set as a dict by name. */
static Tcl_Obj *optionSet(uint64_t options) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (int i = 0; i < TAC_OPTIONS; i++) {
        const tacOptionSpec *option = &tacOptions[i];
        if (!(options & TAC_OPTION_BIT(i))) continue;
        Tcl_Obj *entry = Tcl_NewDictObj();
        tacPutText(entry, "type", typeName(option->type));
        tacPut(entry, "words", words(tacTypeWords(option->type)));
        tacPutText(entry, "help", option->help);
        tacPut(dict, option->name, entry);
    }
    return dict;
}

static Tcl_Obj *usageValue(tacText *usage) {
    Tcl_Obj *value = Tcl_NewStringObj(usage->at ? usage->at : "", -1);
    tacTextFree(usage);
    return value;
}

static Tcl_Obj *eventDict(tacEvent event) {
    const tacEventSpec *spec = &tacEvents[event];
    Tcl_Obj *dict = Tcl_NewDictObj(), *arguments = Tcl_NewListObj(0, NULL);
    tacText usage = {0};
    for (int i = 0; i < spec->nArguments; i++) {
        tacAppend(arguments, Tcl_NewStringObj(spec->argumentNames[i], -1));
        tacAppend(arguments, Tcl_NewStringObj(typeName(spec->arguments[i]), -1));
    }
    tacEventUsage(event, &usage);
    tacPutText(dict, "command", tacEventIs(event, TAC_TRAIT_BUFFER) ? "bufferplot" : "plot");
    tacPut(dict, "usage", usageValue(&usage));
    tacPut(dict, "arguments", arguments);
    tacPut(dict, "required", Tcl_NewIntObj(spec->nRequired));
    tacPut(dict, "options", optionSet(spec->options));
    tacPutText(dict, "help", spec->help);
    return dict;
}

static Tcl_Obj *definitionsDict(void) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (int kind = 0; kind < TAC_KINDS; kind++) {
        const tacDefinitionSpec *spec = &tacDefinitions[kind];
        Tcl_Obj *entry = Tcl_NewDictObj();
        tacText usage = {0};
        tacDefinitionUsage((tacKind) kind, &usage);
        tacPutText(entry, "kind", tacKindNames[spec->kind]);
        tacPutText(entry, "oldName", spec->oldName);
        tacPut(entry, "usage", usageValue(&usage));
        tacPut(entry, "options", optionSet(spec->options));
        tacPutText(entry, "help", spec->help);
        tacPut(dict, spec->name, entry);
    }
    return dict;
}

/* The events of plot, or those of bufferplot. The event without a name is left out: plugins define such events. */
static Tcl_Obj *eventsDict(bool buffer) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (int event = 0; event < TAC_EVENTS; event++)
        if (*tacEvents[event].name && tacEventIs((tacEvent) event, TAC_TRAIT_BUFFER) == buffer)
            tacPut(dict, tacEvents[event].name, eventDict((tacEvent) event));
    return dict;
}

static Tcl_Obj *settingsDict(void) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (const tacSettingSpec *setting = tacSettings; setting->name; setting++) {
        Tcl_Obj *entry = Tcl_NewDictObj();
        tacPutText(entry, "default", setting->value);
        tacPutText(entry, "help", setting->help);
        tacPut(dict, setting->name, entry);
    }
    return dict;
}

int tacVocabularyCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 1) {
        Tcl_WrongNumArgs(interp, 1, objv, NULL);
        return TCL_ERROR;
    }
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "commands", words(tacCommandNames));
    tacPut(dict, "definitions", definitionsDict());
    tacPut(dict, "events", eventsDict(false));
    tacPut(dict, "bufferEvents", eventsDict(true));
    tacPut(dict, "settings", settingsDict());
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

/* ---- options, formats, presets, columns ------------------------------------------------------------------------- */

static Tcl_Obj *describePlan(void) { return tacOptionsDescribe(tacPlanMonitorRows); }
static Tcl_Obj *describeAsking(void) { return tacOptionsDescribe(tacSqlRows); }
static Tcl_Obj *describeCompare(void) { return tacOptionsDescribe(tacCompareRows); }
static Tcl_Obj *describeBaseline(void) { return tacOptionsDescribe(tacBaselineRows); }
static Tcl_Obj *describeSensor(void) { return tacOptionsDescribe(tacPlanSensorRows); }
static Tcl_Obj *describeRecorder(void) { return tacOptionsDescribe(tacRecorderRows); }
static Tcl_Obj *describeRelay(void) { return tacOptionsDescribe(tacRelayRows); }
static Tcl_Obj *describeOpen(void) { return tacOptionsDescribe(tacOpenRows()); }

static Tcl_Obj *describeExport(void) { return tacOptionsDescribe(tacFigureOptionRows); }

static Tcl_Obj *describeFormats(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacExportFormat *format = tacExportFormats; format->name; format++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", format->name);
        tacPutText(dict, "extensions", format->extensions);
        tacPutText(dict, "help", format->help);
        tacAppend(list, dict);
    }
    return list;
}

/* The formats of recordings. */
static Tcl_Obj *describeTraceFormats(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacFormat *format = tacFormats; format->name; format++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", format->name);
        tacPutText(dict, "help", format->help);
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *describeLayers(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacLayerWord *word = tacLayerWords; word->name; word++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", word->name);
        tacPutText(dict, "help", word->help);
        tacPutFlag(dict, "default", (word->bits & TAC_SHOW_DEFAULT) != 0);
        tacAppend(list, dict);
    }
    return list;
}

static Tcl_Obj *describePresets(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacPreset *preset = tacPresets; preset->name; preset++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", preset->name);
        tacPut(dict, "width", Tcl_NewDoubleObj(preset->width));
        tacPut(dict, "height", Tcl_NewDoubleObj(preset->height));
        tacPut(dict, "fontsize", Tcl_NewDoubleObj(preset->fontSize));
        tacPutText(dict, "help", preset->help);
        tacAppend(list, dict);
    }
    return list;
}

Tcl_Obj *tacColumnList(const tacColumn *columns, int nColumns) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (int i = 0; i < nColumns; i++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", columns[i].name);
        tacPutText(dict, "type", tacColumnTypeNames[columns[i].type]);
        tacPutText(dict, "help", columns[i].help);
        tacAppend(list, dict);
    }
    return list;
}

/* Every table by name, with its columns. */
static Tcl_Obj *describeTables(void) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (const tacRelationKind *kind = tacRelationKinds; kind->name; kind++) {
        int nColumns;
        const tacColumn *columns = kind->columns(&nColumns);
        tacPut(dict, kind->name, tacColumnList(columns, nColumns));
    }
    return dict;
}

static Tcl_Obj *describeRelations(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacRelationKind *kind = tacRelationKinds; kind->name; kind++) {
        Tcl_Obj *dict = Tcl_NewDictObj();
        tacPutText(dict, "name", kind->name);
        tacPutText(dict, "help", kind->help);
        tacPutFlag(dict, "windowed", kind->windowed);
        tacAppend(list, dict);
    }
    return list;
}

/* The ranges of characters that are shown as escapes: a list of first last first last ... by their numbers. */
static Tcl_Obj *describeHidden(void) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (const tacHiddenRange *range = tacHidden; range->last; range++) {
        tacAppend(list, Tcl_NewWideIntObj(range->first));
        tacAppend(list, Tcl_NewWideIntObj(range->last));
    }
    return list;
}

/* The subcommands of each command that has some: a dict of lists. */
static Tcl_Obj *describeSubcommands(const tacCommandTable *commands) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (; commands->command; commands++) {
        Tcl_Obj *list = Tcl_NewListObj(0, NULL);
        for (const tacSubcommand *row = commands->subcommands; row->name; row++) {
            Tcl_Obj *entry = Tcl_NewDictObj();
            tacPutText(entry, "name", row->name);
            tacPutText(entry, "usage", row->usage);
            tacPutText(entry, "help", row->help);
            tacAppend(list, entry);
        }
        tacPut(dict, commands->command, list);
    }
    return dict;
}

/* The options of tactus::monitor and of its subcommands: a dict of lists. */
static Tcl_Obj *describeMonitor(void) {
    static const struct {
        const char *name;
        const tacOptionRow *rows;
    } commands[] = {{"monitor", tacMonitorRows}, {"on", tacMonitorOnRows}, {"histogram", tacMonitorHistogramRows},
        {"rate", tacMonitorRateRows}, {"machine", tacMonitorMachineRows}};
    Tcl_Obj *dict = Tcl_NewDictObj();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        tacPut(dict, commands[i].name, tacOptionsDescribe(commands[i].rows));
    return dict;
}

typedef struct Topic {
    const char *name;
    Tcl_Obj *(*describe)(void); /* NULL: describeSubcommands, which has a parameter */
} Topic;

static const Topic topics[] = {
    {"baseline", describeBaseline},
    {"compare", describeCompare},
    {"compareTables", tacDescribeCompare},
    {"export", describeExport},
    {"formats", describeFormats},
    {"hidden", describeHidden},
    {"layers", describeLayers},
    {"monitor", describeMonitor},
    {"open", describeOpen},
    {"plan", describePlan},
    {"presets", describePresets},
    {"recorder", describeRecorder},
    {"relations", describeRelations},
    {"relay", describeRelay},
    {"sensor", describeSensor},
    {"sql", describeAsking},
    {"sqlTables", tacDescribeSql},
    {"subcommands", NULL},
    {"tables", describeTables},
    {"traceFormats", describeTraceFormats},
    {NULL, NULL},
};

int tacDescribeCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int index;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "topic");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObjStruct(interp, objv[1], topics, sizeof *topics, "topic", 0, &index) != TCL_OK)
        return TCL_ERROR;
    const Topic *topic = &topics[index];
    Tcl_SetObjResult(interp, topic->describe ? topic->describe() : describeSubcommands(data));
    return TCL_OK;
}
