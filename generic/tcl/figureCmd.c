/*
 * figureCmd.c -- from options to a figure in a file: options -> tacFigure -> layout -> display list -> format -> file.
 *
 * A preset fills in only values that no option gives, wherever it stands among the options. Lengths without unit are in
 * -unit.
 */
#include <tcl.h>

#include "base/port.h"

#include "model/ask.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/drawing.h"
#include "tcl/figureCmd.h"
#include "tcl/remarks.h"
#include "tcl/text.h"
#include "tcl/timeValue.h"
#include "tcl/traceSubcommands.h"
#include "view/export.h"
#include "view/figure.h"
#include "view/layoutRows.h"
#include "view/window.h"

#include <math.h>
#include <string.h>

typedef struct Options {
    const char *format, *preset;
    tacWindowValue window;
    tacTimeValue buffersAt;
    tacLengthValue width, height, labelWidth, fontSize;
    int unit, convention, processors, deadlines, legend, order, colorBy, barText;
    const char *font, *axisUnit, *origin;
    int groupBy;
    const char *const *rows, *const *legendItems, *const *settings, *const *layers, *const *hideLayers, *const *fold;
    bool grayscale, breaks, dark, markServers, showBuffers, pages, emptyRows;
    double axisScale, resolution;
} Options;

static const char *const units[] = {"pt", "in", "mm", "cm", "px", NULL};

#define AT(member) offsetof(Options, member)
const tacOptionRow tacFigureOptionRows[] = {
    {"-format", TAC_VALUE_TEXT, AT(format), NULL, "name", NULL, "file format; default: by the file's extension"},
    {"-preset", TAC_VALUE_TEXT, AT(preset), NULL, "name", NULL,
        "width and font size of a kind of paper; other options override it"},
    {"-from", TAC_VALUE_TIME, AT(window.from), NULL, NULL, NULL,
        "begin of what is shown, in time units; default: the recording's"},
    {"-to", TAC_VALUE_TIME, AT(window.to), NULL, NULL, NULL, "end of what is shown"},
    {"-width", TAC_VALUE_LENGTH, AT(width), NULL, NULL, NULL,
        "width of the figure (3.5in, 90mm, 9cm, 250pt); default: the preset's, else by the length of time"},
    {"-height", TAC_VALUE_LENGTH, AT(height), NULL, NULL, NULL, "height of the figure; default: what the rows need"},
    {"-pages", TAC_VALUE_FLAG, AT(pages), NULL, NULL, "no",
        "rows that do not fit onto the page of the preset, or one as high as -height says, stand on further ones: of "
        "the "
        "same file (pdf, ps), or of files with numbers in their names"},
    {"-labelwidth", TAC_VALUE_LENGTH, AT(labelWidth), NULL, NULL, NULL,
        "width of the column of names, so that several figures have their axes at one place; default: what the names "
        "need"},
    {"-unit", TAC_VALUE_WORD, AT(unit), units, "pt|in|mm|cm|px", "pt", "unit of lengths that are given without one"},
    {"-convention", TAC_VALUE_WORD, AT(convention), tacConventionWords, "grasp|rtsched", "grasp",
        "how releases, deadlines and states are drawn"},
    {"-color-by", TAC_VALUE_WORD, AT(colorBy), tacColorByWords, "convention|task|state|processor|priority|outcome",
        "convention",
        "what the colours of bars say; task: each task without a colour has one of its own; outcome: jobs that miss "
        "their deadline stand out"},
    {"-layers", TAC_VALUE_NAMES, AT(layers), NULL, "list", NULL,
        "the layers that are drawn, of arrows deadlines misses preemptions mutexes annotations calls messages "
        "migrations findings; default: all but misses, and migrations and messages from panel to panel"},
    {"-hide-layers", TAC_VALUE_NAMES, AT(hideLayers), NULL, "list", NULL, "layers that are not drawn"},
    {"-bar-text", TAC_VALUE_WORD, AT(barText), tacBarTextWords, "none|job|duration", "none",
        "inside of bars, where it fits: the id of the job (in the row of a processor its task), or how long the bar "
        "is (with arrows to its ends where holds of mutexes divide it)"},
    {"-processors", TAC_VALUE_WORD, AT(processors), tacProcessorsWords, "auto|expanded|collapsed|none", "auto",
        "one panel or one row a processor, or none told apart; auto: by the trace"},
    {"-deadlines", TAC_VALUE_WORD, AT(deadlines), tacDeadlinesWords, "auto|explicit|all", "auto",
        "those the trace has events for, or also release + the task's -D; auto: all in rtsched"},
    {"-rows", TAC_VALUE_NAMES, AT(rows), NULL, "patterns", NULL,
        "ids or names (glob patterns) of the rows to show, in this order"},
    {"-empty-rows", TAC_VALUE_FLAG, AT(emptyRows), NULL, NULL, "no",
        "shows rows, too, that have nothing between -from and -to; those whose names are given are always shown"},
    {"-order", TAC_VALUE_WORD, AT(order), tacOrderWords, "auto|priority|definition|name|first", "auto",
        "order of the rows; auto: that of -rows, else by priority"},
    {"-group-by", TAC_VALUE_WORD, AT(groupBy), tacGroupByWords, "none|auto|processor|server|process|kind", "none",
        "rows as a tree: of processors, servers with their tasks, processes with their threads, or kinds of rows; "
        "auto: processes in recordings of a kernel, else servers"},
    {"-fold", TAC_VALUE_NAMES, AT(fold), NULL, "patterns", NULL,
        "groups (glob patterns of their names) that are one row, a density band of all in them; {}: none; default: "
        "those that the window folds at first, as threads of the kernel and interrupts"},
    {"-legend", TAC_VALUE_WORD, AT(legend), tacLegendWords, "none|bottom|right", "bottom", "where the legend stands"},
    {"-legend-items", TAC_VALUE_NAMES, AT(legendItems), NULL, "list", NULL,
        "which items it has, of active isr mutex preempted blocked between unknown arrival ignored deadline arrows "
        "completion migration preemption servers tasks mutexes semaphores messages; default: all that occur"},
    {"-font", TAC_VALUE_TEXT, AT(font), NULL, "family", "DejaVu Sans", "family of all text"},
    {"-fontsize", TAC_VALUE_LENGTH, AT(fontSize), NULL, NULL, NULL, "size of all text; default: the preset's"},
    {"-grayscale", TAC_VALUE_FLAG, AT(grayscale), NULL, NULL, "no",
        "greys instead of colours: in rows of processors some fifty tasks are told apart by grey and hatch, and late "
        "jobs, by outcome, have stripes"},
    {"-dark", TAC_VALUE_FLAG, AT(dark), NULL, NULL, "no", "light on dark, as on a screen"},
    {"-axis-unit", TAC_VALUE_TEXT, AT(axisUnit), NULL, "name", NULL,
        "unit of the time axis: where that of the trace is known, labels are converted to s, ms, us or ns; else the "
        "name is what a time of 1 means (ms), and is only shown"},
    {"-axis-scale", TAC_VALUE_NUMBER, AT(axisScale), NULL, "factor", NULL,
        "labels of the time axis are times multiplied by this; when it is given, the unit is only shown. Default: 1, "
        "or what the unit says"},
    {"-origin", TAC_VALUE_TEXT, AT(origin), NULL, "what", NULL,
        "where the axis is 0: from (the begin of what is shown), the id of a job (its release), a time, or the text of "
        "a message in what is shown, perhaps with * and ?"},
    {"-breaks", TAC_VALUE_FLAG, AT(breaks), NULL, NULL, "no", "cuts idle gaps out, with a break mark"},
    {"-mark-servers", TAC_VALUE_FLAG, AT(markServers), NULL, NULL, "no", "shows server events as marks too"},
    {"-buffers", TAC_VALUE_FLAG, AT(showBuffers), NULL, NULL, "no",
        "shows the contents of the buffers at the end of the figure"},
    {"-buffers-at", TAC_VALUE_TIME, AT(buffersAt), NULL, NULL, NULL, "shows the contents of the buffers at this time"},
    {"-settings", TAC_VALUE_LIST, AT(settings), NULL, "list", NULL,
        "names and values of settings (plot.timeUnit 4 ...); override the trace's own"},
    {"-resolution", TAC_VALUE_NUMBER, AT(resolution), NULL, "dpi", "144", "pixels an inch of png and ppm"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};
#undef AT

/* ---- options to figure ------------------------------------------------------------------------------------------ */

/* Sets a length in points, if it is given; a number without unit is in `unit`. */
static void setLength(double *points, const tacLengthValue *length, int unit) {
    if (!length->given) return;
    *points = length->number * (length->pointsPerUnit > 0 ? length->pointsPerUnit : tacUnits[unit].points);
}

static int setTimes(Tcl_Interp *interp, const Options *options, int digits, tacFigure *figure) {
    if (tacTimeTicks(interp, &options->window.from, digits, &figure->from) != TCL_OK
        || tacTimeTicks(interp, &options->window.to, digits, &figure->to) != TCL_OK
        || tacTimeTicks(interp, &options->buffersAt, digits, &figure->buffersAt) != TCL_OK)
        return TCL_ERROR;
    if (figure->from != TAC_UNKNOWN && figure->to != TAC_UNKNOWN && figure->from >= figure->to)
        return tacTclFail(interp, "USAGE WINDOW", "the figure ends before it begins");
    return TCL_OK;
}

/* Takes the size and font of a preset; the error names the presets. */
static int setPreset(Tcl_Interp *interp, const char *name, tacFigure *figure) {
    if (!name || tacFigurePreset(figure, name)) return TCL_OK;
    int index;
    Tcl_Obj *word = Tcl_NewStringObj(name, -1);
    Tcl_IncrRefCount(word);
    Tcl_GetIndexFromObjStruct(interp, word, tacPresets, sizeof *tacPresets, "preset", TCL_EXACT, &index);
    Tcl_DecrRefCount(word);
    return TCL_ERROR;
}

/* The layer of this name as bits; 0: none, and an error that names all. */
static unsigned layerFromText(Tcl_Interp *interp, const char *name) {
    unsigned bits = tacLayerBits(name);
    if (bits) return bits;
    Tcl_Obj *names = tacKept(Tcl_NewObj());
    for (const tacLayerWord *word = tacLayerWords; word->name; word++)
        Tcl_AppendStringsToObj(names,
            word == tacLayerWords ? ""
                : word[1].name    ? ", "
                                  : " or ",
            word->name, (char *) NULL);
    tacTclFail(interp, "USAGE LAYER", "no layer \"%.60s\": must be %s", name, Tcl_GetString(names));
    Tcl_DecrRefCount(names);
    return 0;
}

int tacLayersFromObj(Tcl_Interp *interp, Tcl_Obj *list, unsigned *layers) {
    Tcl_Size count;
    Tcl_Obj **words;
    *layers = 0;
    if (Tcl_ListObjGetElements(interp, list, &count, &words) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        unsigned bits = layerFromText(interp, Tcl_GetString(words[i]));
        if (!bits) return TCL_ERROR;
        *layers |= bits;
    }
    return TCL_OK;
}

/* Adds the layers of a list, or takes them away. NULL: there is no list. */
static int switchLayers(Tcl_Interp *interp, const char *const *names, bool shown, unsigned *layers) {
    for (; names && *names; names++) {
        unsigned bits = layerFromText(interp, *names);
        if (!bits) return TCL_ERROR;
        *layers = shown ? *layers | bits : *layers & ~bits;
    }
    return TCL_OK;
}

int tacSettingsCheck(Tcl_Interp *interp, const char *const *settings) {
    size_t count = 0;
    while (settings && settings[count]) count++;
    return count % 2 == 0 ? TCL_OK : tacTclFail(interp, "USAGE VALUE", "-settings has a name without value");
}

/*
 * The unit and the factor of the axis labels, from those that options give (NULL and 0: not given). A factor that is
 * given is taken as it is; else it follows from the unit of the trace, where that is known.
 */
static int axisUnit(Tcl_Interp *interp, const tacTrace *trace, const char **unit, double *scale) {
    bool wanted = *unit != NULL;
    if (!wanted) *unit = trace->store.unit;
    if (*scale > 0 || !wanted || !trace->store.unit) {
        if (!(*scale > 0)) *scale = 1;
        return TCL_OK;
    }
    int from = 0, to;
    tacTimeUnit(trace->store.unit, strlen(trace->store.unit), &from);
    if (!tacTimeUnit(*unit, strlen(*unit), &to))
        return tacTclFail(interp, "USAGE VALUE",
            "-axis-unit \"%.40s\": times of this trace are in %s, which can be told in s, ms, us, ns or ps; for "
            "another unit give -axis-scale, too",
            *unit, trace->store.unit);
    int exponent = from - to;
    *scale = exponent < 0 ? 1 / pow(10, -exponent) : pow(10, exponent);
    return TCL_OK;
}

/* Runs `axis UNIT SCALE`: the unit and scale of the axis labels for these values of -axis-unit and -axis-scale; {}: not
 * given. */
int tacAxisSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacTraceCall *call = data;
    const char *unit = *Tcl_GetString(objv[2]) ? Tcl_GetString(objv[2]) : NULL;
    double scale = 0;
    (void) objc;
    if (*Tcl_GetString(objv[3]) && Tcl_GetDoubleFromObj(interp, objv[3], &scale) != TCL_OK) return TCL_ERROR;
    if (axisUnit(interp, call->trace, &unit, &scale) != TCL_OK) return TCL_ERROR;
    Tcl_Obj *result[] = {Tcl_NewStringObj(unit ? unit : "", -1), Tcl_NewDoubleObj(scale)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, result));
    return TCL_OK;
}

/* Time of the first message of the figure's range whose text fits; TAC_UNKNOWN: there is none. */
static int64_t messageTime(const tacModel *model, const tacFigure *figure, const char *pattern) {
    for (size_t i = 0; i < model->messages.count; i++) {
        uint32_t row = model->messages.at[i];
        int64_t time = tacRowTime(model->store, row);
        if (figure->from != TAC_UNKNOWN && time < figure->from) continue;
        if (figure->to != TAC_UNKNOWN && time > figure->to) break;
        if (tacWildcardMatch(pattern, tacString(model->store, tacRowSubject(model->store, row)), false)) return time;
    }
    return TAC_UNKNOWN;
}

/* Begin of the first job with this id that has a part in the figure's range; TAC_UNKNOWN: there is none. */
static int64_t jobTime(const tacModel *model, const tacFigure *figure, const char *id) {
    uint32_t wanted = tacAskFind(model, TAC_JOB, id, strlen(id)), last = TAC_NONE;
    for (uint32_t i = 0; wanted != TAC_NONE && i < model->jobs.count; i++) {
        const tacJob *job = &model->jobs.at[i];
        if (job->id != wanted) continue;
        last = i;
        if (figure->from == TAC_UNKNOWN || job->completion == TAC_UNKNOWN || job->completion >= figure->from) break;
    }
    if (last == TAC_NONE) return TAC_UNKNOWN;
    const tacJob *job = &model->jobs.at[last];
    return job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
}

/* The origin of the axis, by the words of -origin; the figure has its range. */
static int setOrigin(Tcl_Interp *interp, const char *word, const tacModel *model, tacFigure *figure) {
    if (!word) return TCL_OK;
    if (strcmp(word, "from") == 0) {
        int64_t first = model->firstMark != TAC_UNKNOWN ? model->firstMark : 0;
        figure->origin = figure->from != TAC_UNKNOWN ? figure->from : first;
        return TCL_OK;
    }
    figure->origin = jobTime(model, figure, word);
    if (figure->origin != TAC_UNKNOWN) return TCL_OK;
    Tcl_Obj *time = tacKept(Tcl_NewStringObj(word, -1));
    int known = tacTimeFromObj(interp, time, model->store->digits, &figure->origin);
    Tcl_DecrRefCount(time);
    if (known == TCL_OK) return TCL_OK;
    Tcl_ResetResult(interp);
    figure->origin = messageTime(model, figure, word);
    if (figure->origin != TAC_UNKNOWN) return TCL_OK;
    return tacTclFail(interp, "LOOKUP ORIGIN",
        "-origin \"%.100s\": not from, nor a job, a time, or a message of what is shown", word);
}

/* Where pages are wanted, a height that is given is that of a page. */
static int setPages(Tcl_Interp *interp, const Options *options, tacFigure *figure) {
    figure->pages = options->pages;
    if (!options->pages) return TCL_OK;
    if (figure->height > 0) figure->pageHeight = figure->height;
    figure->height = 0;
    if (figure->pageHeight > 0) return TCL_OK;
    return tacTclFail(interp, "USAGE VALUE", "-pages: no page is known: give a -preset with one, or its -height");
}

static int toFigure(Tcl_Interp *interp, const Options *options, const tacTrace *trace, tacFigure *figure) {
    int digits = trace->store.digits;
    tacFigureDefaults(figure);
    if (setPreset(interp, options->preset, figure) != TCL_OK || setTimes(interp, options, digits, figure) != TCL_OK
        || tacSettingsCheck(interp, options->settings) != TCL_OK)
        return TCL_ERROR;
    setLength(&figure->width, &options->width, options->unit);
    setLength(&figure->height, &options->height, options->unit);
    if (setPages(interp, options, figure) != TCL_OK) return TCL_ERROR;
    setLength(&figure->labelWidth, &options->labelWidth, options->unit);
    if (options->fontSize.given) /* -unit is for the figure's size; type is set in points */
        figure->fontSize = options->fontSize.number
            * (options->fontSize.pointsPerUnit > 0 ? options->fontSize.pointsPerUnit : 1);
    if (options->font) figure->font = options->font;
    figure->convention = (tacConvention) options->convention;
    figure->colorBy = (tacColorBy) options->colorBy;
    figure->barText = (tacBarText) options->barText;
    if (options->layers) figure->layers = 0;
    if (switchLayers(interp, options->layers, true, &figure->layers) != TCL_OK
        || switchLayers(interp, options->hideLayers, false, &figure->layers) != TCL_OK)
        return TCL_ERROR;
    figure->processors = (tacProcessorsMode) options->processors;
    figure->deadlines = (tacDeadlines) options->deadlines;
    figure->legend = (tacLegendMode) options->legend;
    figure->legendItems = options->legendItems;
    figure->rows = options->rows;
    figure->emptyRows = options->emptyRows;
    figure->groupBy = (tacGroupBy) options->groupBy;
    figure->fold = options->fold;
    figure->order = options->order ? tacOrderWords[options->order] : NULL;
    figure->grayscale = options->grayscale;
    figure->dark = options->dark;
    figure->axisUnit = options->axisUnit;
    figure->axisScale = options->axisScale;
    if (axisUnit(interp, trace, &figure->axisUnit, &figure->axisScale) != TCL_OK) return TCL_ERROR;
    if (setOrigin(interp, options->origin, &trace->model, figure) != TCL_OK) return TCL_ERROR;
    figure->breaks = options->breaks;
    figure->markServers = options->markServers;
    figure->showBuffers = options->showBuffers || options->buffersAt.given;
    figure->settings = options->settings;
    return TCL_OK;
}

/* ---- figure to file --------------------------------------------------------------------------------------------- */

Tcl_Obj *tacFormatNames(const char *last) {
    Tcl_Obj *names = Tcl_NewObj();
    for (const tacExportFormat *known = tacExportFormats; known->name; known++)
        Tcl_AppendStringsToObj(names,
            known == tacExportFormats ? ""
                : known[1].name       ? ", "
                                      : last,
            known->name, (char *) NULL);
    return names;
}

static int findFormat(Tcl_Interp *interp, const char *name, const char *file, const tacExportFormat **format) {
    *format = tacExportFind(name, file);
    if (*format) return TCL_OK;
    Tcl_Obj *names = tacFormatNames(", ");
    Tcl_IncrRefCount(names);
    if (name)
        tacTclFail(interp, "USAGE FORMAT", "unknown format \"%.50s\": must be one of %s", name, Tcl_GetString(names));
    else
        tacTclFail(interp, "USAGE FORMAT",
            "cannot tell the format of \"%.200s\" by its name: -format must be one of %s", file, Tcl_GetString(names));
    Tcl_DecrRefCount(names);
    return TCL_ERROR;
}

enum { PAGES_MOST = 1000 }; /* rows of a figure: one on each page */

typedef struct Pages {
    tacDisplay at[PAGES_MOST];
    size_t count;
} Pages;

/* Lays out all pages of a figure. */
static tacStatus layOut(const tacTrace *trace, const tacFigure *figure, Pages *pages, tacDiag *diag, tacError *err) {
    tacMeasure measure = {0};
    tacPages *next = NULL;
    bool more = true;
    tacStatus status = tacMeasurePango(tacFigureFont(figure, &trace->store), &measure, err);
    if (status != TAC_OK) return status;
    status = tacPagesNew(trace, figure, &measure, &next, err);
    while (status == TAC_OK && more && pages->count < PAGES_MOST) {
        tacDisplay *page = &pages->at[pages->count];
        tacDisplayInit(page);
        status = tacPagesNext(next, page, &more, diag, err);
        if (pages->count++) page[-1].next = page;
    }
    tacPagesFree(next);
    tacMeasureFree(&measure);
    return status;
}

/* Adds the path of a page of its own: figure.png -> figure-2.png. */
static void addNumbered(const char *file, size_t number, tacText *path) {
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    size_t stem = dot ? (size_t) (dot - file) : strlen(file);
    tacTextAdd(path, file, stem);
    tacTextPrintf(path, "-%zu", number);
    tacTextAddString(path, file + stem);
}

/* Writes each page to a file of its own, for formats without pages. */
static tacStatus writeApart(
    Pages *pages, const tacExportFormat *format, double resolution, const char *file, tacDiag *diag, tacError *err) {
    if (strcmp(file, "-") == 0)
        return tacFail(err, "FIGURE PAGE", "%zu pages of %s are as many files, and standard output is one: give a name",
            pages->count, format->name);
    tacStatus status = TAC_OK;
    for (size_t i = 0; i < pages->count && status == TAC_OK; i++) {
        tacText path = {0};
        addNumbered(file, i + 1, &path);
        status = path.failed ? tacFailMemory(err) : tacExportFile(&pages->at[i], format, resolution, path.at, err);
        if (status == TAC_OK && i + 1 == pages->count)
            tacDiagAdd(
                diag, TAC_SEVERITY_NOTE, 0, "FIGURE", "%zu pages, the last one in \"%.200s\"", pages->count, path.at);
        tacTextFree(&path);
    }
    return status;
}

static int exportTo(Tcl_Interp *interp, const tacTrace *trace, const Options *options, const char *file) {
    const tacExportFormat *format;
    tacFigure figure;
    tacDiag diag = {0};
    tacError err = {{0}, {0}};
    if (findFormat(interp, options->format, file, &format) != TCL_OK
        || toFigure(interp, options, trace, &figure) != TCL_OK)
        return TCL_ERROR;
    Pages *pages = tacAllocZero(1, sizeof *pages);
    tacStatus status = pages ? layOut(trace, &figure, pages, &diag, &err) : tacFailMemory(&err);
    if (status == TAC_OK && pages->count > 1 && !format->paged)
        status = writeApart(pages, format, options->resolution, file, &diag, &err);
    else if (status == TAC_OK) status = tacExportFile(&pages->at[0], format, options->resolution, file, &err);
    for (size_t i = 0; pages && i < pages->count; i++) tacDisplayFree(&pages->at[i]);
    tacFree(pages);
    if (status == TAC_OK) Tcl_SetObjResult(interp, tacRemarkList(&diag));
    else tacErrorToTcl(interp, &err);
    tacDiagFree(&diag);
    return status == TAC_OK ? TCL_OK : TCL_ERROR;
}

int tacFigureExport(Tcl_Interp *interp, const tacTrace *trace, Tcl_Obj *file, int objc, Tcl_Obj *const objv[]) {
    Options options = {.legend = TAC_LEGEND_BOTTOM};
    if (Tcl_IsSafe(interp)) return tacTclFail(interp, "SAFE", "a safe interpreter cannot write files");
    int result = tacOptionsParse(interp, tacFigureOptionRows, objc, objv, &options);
    if (result == TCL_OK) {
        Tcl_DString path;
        result = tacPathFromObj(interp, file, &path) ? TCL_OK : TCL_ERROR;
        if (result == TCL_OK) {
            result = exportTo(interp, trace, &options, Tcl_DStringValue(&path));
            Tcl_DStringFree(&path);
        }
    }
    tacOptionsFree(tacFigureOptionRows, &options);
    return result;
}

/* Lays out the legend of a figure into a display that is initialized. */
static tacStatus layOutLegend(const tacTrace *trace, tacFigure *figure, tacDisplay *display, tacError *err) {
    tacMeasure measure = {0};
    tacPages *pages = NULL;
    bool more;
    tacStatus status = tacMeasurePango(tacFigureFont(figure, &trace->store), &measure, err);
    if (status != TAC_OK) return status;
    figure->legend = TAC_LEGEND_ALONE;
    figure->pageHeight = figure->height = 0;
    figure->pages = false;
    status = tacPagesNew(trace, figure, &measure, &pages, err);
    if (status == TAC_OK) status = tacPagesNext(pages, display, &more, NULL, err);
    tacPagesFree(pages);
    tacMeasureFree(&measure);
    return status;
}

static int drawLegend(Tcl_Interp *interp, const tacTrace *trace, const Options *options, tacDrawingRecord *drawing) {
    tacFigure figure;
    tacDisplay display;
    tacError err = {{0}, {0}};
    if (toFigure(interp, options, trace, &figure) != TCL_OK) return TCL_ERROR;
    tacDisplayInit(&display);
    tacStatus status = layOutLegend(trace, &figure, &display, &err);
    if (status == TAC_OK) {
        tacSheet *sheet = tacDrawingSheet(drawing);
        tacSheetClear(sheet);
        sheet->display.width = display.width;
        sheet->display.height = display.height;
        tacDisplaySheet(sheet, &display);
        tacDrawingTell(drawing);
        Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) display.items.count));
    }
    tacDisplayFree(&display);
    return status == TAC_OK ? TCL_OK : tacErrorToTcl(interp, &err);
}

int tacLegendSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Options options = {.legend = TAC_LEGEND_BOTTOM};
    tacDrawingUser user = {.changed = NULL};
    int result = tacOptionsParse(interp, tacFigureOptionRows, objc - 3, objv + 3, &options);
    if (result == TCL_OK) result = tacDrawingUse(interp, objv[2], &user);
    if (result == TCL_OK) {
        tacDrawingRecord *drawing = user.drawing;
        tacDrawingRelease(&user); /* it is drawn in, not watched */
        result = drawLegend(interp, ((tacTraceCall *) data)->trace, &options, drawing);
    }
    tacOptionsFree(tacFigureOptionRows, &options);
    return result;
}

int tacExportSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacFigureExport(interp, ((tacTraceCall *) data)->trace, objv[2], objc - 3, objv + 3);
}
