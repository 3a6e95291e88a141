/*
 * phaseCmd.c -- phases of jobs and the colours of a figure as Tcl values, for views that draw by script.
 *
 * A view asks for the jobs that it shows, once a frame. Stretches of one state and one preempter stand in one list,
 * so that they become one command of a drawing (tcl/drawing.c). Times relative to the base are differences of ticks,
 * and exact.
 *
 *      phases {INDEX ...} ?-base release|start|deadline|completion? ?-mark PATTERN? ?-most N?
 *
 * A dict for each job: index, task, base; release, start, completion, deadline and end, relative to the base; missed,
 * abandoned, cut; phases {state who {begin end ...} ...}, relative: the stretches of one state and one other task
 * (`who`, which runs meanwhile, or holds the mutex) together. With -mark times are relative to the first message in the
 * job's life that the pattern (glob) matches. When the base is not known, it and all relative times are empty.
 *
 *      style ?-dark flag? ?-grayscale flag? ?-settings list? ?-tasks ids?
 *
 * A dict: ink paper faint grid, running preempted blocked between unknown isr (colours as figures draw them), palette,
 * and tasks: id -> dict of name, color (in its own row), other (told apart from all), pattern, isr, hidden,
 * jobs (how many).
 */
#include <tcl.h>

#include "base/port.h"

#include "analysis/phase.h"
#include "base/search.h"
#include "model/ask.h"
#include "tcl/dictValue.h"
#include "tcl/figureCmd.h"
#include "tcl/optionTable.h"
#include "tcl/traceRecord.h"
#include "tcl/traceSubcommands.h"
#include "view/palette.h"
#include "view/style.h"

#include <string.h>

enum { MOST_PHASES = 4096 }; /* of one job, unless -most says otherwise */

/* ---- the base --------------------------------------------------------------------------------------------------- */

typedef enum Base { BASE_RELEASE, BASE_START, BASE_DEADLINE, BASE_COMPLETION } Base;
static const char *const bases[] = {"release", "start", "deadline", "completion", NULL};

typedef struct Options {
    int base;
    const char *mark;
    int64_t most;
} Options;

static const tacOptionRow phaseRows[] = {
    {"-base", TAC_VALUE_WORD, offsetof(Options, base), bases, "release|start|deadline|completion", "release",
        "what times are relative to"},
    {"-mark", TAC_VALUE_TEXT, offsetof(Options, mark), NULL, "pattern", NULL,
        "relative to the first message or annotation of its task in the job's life that this matches"},
    {"-most", TAC_VALUE_COUNT, offsetof(Options, most), NULL, "number", "4096", "phases of a job at most"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* Time of the first of these rows (by time) from begin to end whose message or annotation fits the pattern; INT64_MAX:
 * none does. */
static int64_t firstText(
    const tacStore *store, const uint32_t *rows, size_t n, int64_t begin, int64_t end, const char *pattern) {
    for (size_t i = tacPast(size_t, 0, n, at, tacRowTime(store, rows[at]) < begin);
         i < n && tacRowTime(store, rows[i]) <= end; i++) {
        tacEvent event = tacRowEvent(store, rows[i]);
        const char *text = event == TAC_EV_TASK_ANNOTATION ? tacRowText(store, rows[i], TAC_OPT_MESSAGE)
            : event == TAC_EV_MESSAGE                      ? tacString(store, tacRowSubject(store, rows[i]))
                                                           : NULL;
        if (text && Tcl_StringMatch(text, pattern)) return tacRowTime(store, rows[i]);
    }
    return INT64_MAX;
}

/* The base of a job, the time that its other times are relative to; TAC_UNKNOWN: it has none. */
static int64_t baseOf(const tacModel *model, uint32_t index, const Options *options) {
    const tacJob *job = &model->jobs.at[index];
    if (options->mark && *options->mark) {
        const tacTaskModel *task = &model->tasks[job->task];
        int64_t begin = tacJobBegin(model, job), end = tacJobPhaseEnd(model, index);
        int64_t message = firstText(model->store, model->messages.at, model->messages.count, begin, end, options->mark);
        int64_t note = firstText(model->store, task->notes.at, task->notes.count, begin, end, options->mark);
        int64_t first = message < note ? message : note;
        return first == INT64_MAX ? TAC_UNKNOWN : first;
    }
    switch (options->base) {
    case BASE_START: return job->start;
    case BASE_DEADLINE: return job->deadline;
    case BASE_COMPLETION: return job->completion;
    default: return job->release != TAC_UNKNOWN ? job->release : tacJobBegin(model, job);
    }
}

/* ---- phases ----------------------------------------------------------------------------------------------------- */

typedef struct Group { /* stretches of one state and one task that runs meanwhile */
    tacJobState state;
    uint32_t task;
    Tcl_Obj *list;
} Group;
typedef TAC_ARRAY(Group) Groups;

/* A time relative to the base; {}: one of them is not known. */
static Tcl_Obj *relative(const tacModel *model, int64_t time, int64_t base) {
    int64_t ticks;
    bool known = time != TAC_UNKNOWN && base != TAC_UNKNOWN && !__builtin_sub_overflow(time, base, &ticks);
    return known ? tacTimeValueObj(ticks, model->store->digits) : Tcl_NewObj();
}

/* The list of a group, made when first asked for; NULL: no memory. */
static Tcl_Obj *listOf(Groups *groups, tacJobState state, uint32_t task) {
    for (size_t i = 0; i < groups->count; i++)
        if (groups->at[i].state == state && groups->at[i].task == task) return groups->at[i].list;
    Group group = {state, task, Tcl_NewListObj(0, NULL)};
    if (tacArrayPush(groups, group)) return group.list;
    Tcl_DecrRefCount(group.list);
    return NULL;
}

/* Puts the phases of a job, in groups; false: no memory. */
static bool putPhases(Tcl_Obj *dict, const tacModel *model, uint32_t job, int64_t base, size_t most) {
    tacJobPhaseList phases = {.cut = false};
    Groups groups = {0};
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    if (base != TAC_UNKNOWN) tacJobPhases(model, job, most, &phases);
    bool done = !phases.failed;
    for (size_t i = 0; i < phases.list.count && done; i++) {
        const tacJobPhase *phase = &phases.list.at[i];
        uint32_t task = phase->other == TAC_NONE ? TAC_NONE : model->jobs.at[phase->other].task;
        Tcl_Obj *stretches = listOf(&groups, phase->state, task);
        done = stretches != NULL;
        if (!done) break;
        tacAppend(stretches, relative(model, phase->begin, base));
        tacAppend(stretches, relative(model, phase->end, base));
    }
    for (size_t i = 0; i < groups.count; i++) {
        const char *who = groups.at[i].task == TAC_NONE ? "" : tacObjectId(model->store, TAC_TASK, groups.at[i].task);
        tacAppend(list, Tcl_NewStringObj(tacStateNames[groups.at[i].state], -1));
        tacAppend(list, Tcl_NewStringObj(who, -1));
        tacAppend(list, groups.at[i].list);
    }
    tacPutFlag(dict, "cut", phases.cut);
    tacPut(dict, "phases", list);
    tacJobPhasesFree(&phases);
    tacArrayFree(&groups);
    return done;
}

static Tcl_Obj *jobValue(const tacModel *model, uint32_t index, const Options *options, bool *done) {
    const tacJob *job = &model->jobs.at[index];
    int64_t base = baseOf(model, index, options);
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutIndex(dict, "index", index);
    tacPutText(dict, "task", tacObjectId(model->store, TAC_TASK, job->task));
    tacPut(dict, "base", base == TAC_UNKNOWN ? Tcl_NewObj() : tacTimeValueObj(base, model->store->digits));
    tacPut(dict, "release", relative(model, job->release, base));
    tacPut(dict, "start", relative(model, job->start, base));
    tacPut(dict, "completion", relative(model, job->completion, base));
    tacPut(dict, "deadline", relative(model, job->deadline, base));
    tacPut(dict, "end", relative(model, tacJobPhaseEnd(model, index), base));
    tacPutFlag(dict, "missed", (job->flags & TAC_JOB_MISSED) != 0);
    tacPutFlag(dict, "abandoned", (job->flags & TAC_JOB_ABANDONED) != 0);
    *done = putPhases(dict, model, index, base, (size_t) options->most) && *done;
    return dict;
}

int tacPhasesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacModel *model = &((tacTraceCall *) data)->trace->model;
    Options options = {.most = MOST_PHASES};
    Tcl_Size count;
    Tcl_Obj **words;
    if (tacOptionsParse(interp, phaseRows, objc - 3, objv + 3, &options) != TCL_OK
        || Tcl_ListObjGetElements(interp, objv[2], &count, &words) != TCL_OK)
        return TCL_ERROR;
    bool done = true;
    int result = TCL_OK;
    Tcl_Obj *list = tacKept(Tcl_NewListObj(0, NULL));
    for (Tcl_Size i = 0; i < count && result == TCL_OK; i++) {
        Tcl_WideInt job;
        result = Tcl_GetWideIntFromObj(interp, words[i], &job);
        if (result == TCL_OK && (job < 0 || (uint64_t) job >= model->jobs.count))
            result = tacTclFail(interp, "LOOKUP OBJECT", "there is no job %s", Tcl_GetString(words[i]));
        if (result == TCL_OK) tacAppend(list, jobValue(model, (uint32_t) job, &options, &done));
    }
    if (result == TCL_OK) Tcl_SetObjResult(interp, list);
    Tcl_DecrRefCount(list);
    return done ? result : tacTclMemory(interp);
}

/* ---- style ------------------------------------------------------------------------------------------------------ */

typedef struct StyleOptions {
    bool dark, grayscale;
    int colorBy; /* in colorWords */
    const char *const *settings, *const *tasks;
} StyleOptions;

static const char *const colorWords[] = {"convention", "task", NULL};

static const tacOptionRow styleRows[] = {
    {"-color-by", TAC_VALUE_WORD, offsetof(StyleOptions, colorBy), colorWords, NULL, "convention",
        "the colours of tasks that have none of their own: all one, or each its own, the same in all traces"},
    {"-dark", TAC_VALUE_FLAG, offsetof(StyleOptions, dark), NULL, NULL, "no", "light on dark"},
    {"-grayscale", TAC_VALUE_FLAG, offsetof(StyleOptions, grayscale), NULL, NULL, "no", "greys instead of colours"},
    {"-settings", TAC_VALUE_LIST, offsetof(StyleOptions, settings), NULL, "list", NULL,
        "names and values of settings; override the trace's own"},
    {"-tasks", TAC_VALUE_LIST, offsetof(StyleOptions, tasks), NULL, "ids", NULL, "tasks whose looks are told, too"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static void putColor(Tcl_Obj *dict, const char *key, uint32_t color) {
    tacPut(dict, key, Tcl_ObjPrintf("#%06X", (unsigned) color));
}

/* The colour of a task that has none of its own, by its place in the palette of names. */
static uint32_t nameColor(const tacStyle *style, uint8_t place) {
    if (style->grayscale) return tacStylePalette(style, place);
    return place == TAC_PALETTE_QUIET ? style->quiet : tacPaletteColor(place, style->dark);
}

/* The look of a task: `color` as in its own row of the timeline, `other` where tasks must be told apart, which is its
 * own colour, too, or one of the palette. places: of tasks in the palette of names, NULL: their colours are the
 * convention's. */
static Tcl_Obj *taskLook(const tacModel *model, const tacStyle *style, const uint8_t *places, uint32_t task) {
    const tacStore *store = model->store;
    const tacObject *object = &store->objects[TAC_TASK].at[task];
    const char *own = tacObjectText(store, TAC_TASK, task, TAC_OPT_COLOR),
               *pattern = tacObjectText(store, TAC_TASK, task, TAC_OPT_PATTERN);
    uint32_t palette = object->isr && !style->grayscale ? style->isr : tacStylePalette(style, task),
             color = object->isr ? style->isr : style->active;
    if (places && !object->isr) palette = color = nameColor(style, places[task]);
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutText(dict, "name", tacObjectName(store, TAC_TASK, task));
    putColor(dict, "color", tacStyleParseBar(style, own, color, 0, NULL));
    putColor(dict, "other", style->grayscale ? palette : tacStyleParseBar(style, own, palette, 0, NULL));
    tacPutText(
        dict, "pattern", pattern && tacPatternWord(pattern, TAC_PATTERN_NONE) != TAC_PATTERN_NONE ? pattern : "none");
    tacPutFlag(dict, "isr", object->isr);
    int64_t hidden;
    tacPutFlag(dict, "hidden", tacObjectOption(store, TAC_TASK, task, TAC_OPT_HIDDEN, &hidden));
    tacPutCount(dict, "jobs", model->tasks[task].nJobs);
    return dict;
}

/* The places of all tasks in the palette of names; NULL: no memory. */
static uint8_t *placesOf(const tacStore *store) {
    uint32_t n = tacStoreObjects(store, TAC_TASK);
    uint8_t *places = tacAlloc(n ? n : 1);
    if (places && n <= TAC_PALETTE_MANY) tacPaletteNames(store, places);
    else
        for (uint32_t i = 0; places && i < n; i++) places[i] = tacPaletteName(store, i);
    return places;
}

static Tcl_Obj *styleValue(
    const tacModel *model, const tacStyle *style, const uint8_t *places, const StyleOptions *options) {
    const struct {
        const char *name;
        uint32_t color;
    } colors[] = {{"ink", style->ink}, {"paper", style->paper}, {"faint", style->faint}, {"grid", style->grid},
        {"running", style->active}, {"preempted", style->preempted}, {"blocked", style->blocked},
        {"between", style->between}, {"unknown", style->unknown}, {"isr", style->isr}};
    Tcl_Obj *dict = Tcl_NewDictObj(), *palette = Tcl_NewListObj(0, NULL), *tasks = Tcl_NewDictObj();
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) putColor(dict, colors[i].name, colors[i].color);
    for (uint32_t i = 0; i < tacStylePaletteSize(style); i++) /* colours that tell tasks apart */
        tacAppend(palette, Tcl_ObjPrintf("#%06X", (unsigned) tacStylePalette(style, i)));
    for (const char *const *id = options->tasks; id && *id; id++) {
        uint32_t task = tacAskFind(model, TAC_TASK, *id, strlen(*id));
        if (task != TAC_NONE) tacPut(tasks, *id, taskLook(model, style, places, task));
    }
    tacPut(dict, "palette", palette);
    tacPut(dict, "tasks", tasks);
    return dict;
}

int tacStyleSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacModel *model = &((tacTraceCall *) data)->trace->model;
    StyleOptions options = {.dark = false};
    tacFigure figure;
    tacStyle style;
    tacFigureDefaults(&figure);
    int result = tacOptionsParse(interp, styleRows, objc - 2, objv + 2, &options);
    if (result == TCL_OK) result = tacSettingsCheck(interp, options.settings);
    if (result == TCL_OK) {
        figure.dark = options.dark;
        figure.grayscale = options.grayscale;
        figure.settings = options.settings;
        tacStyleInit(&style, model->store, &figure, NULL);
        uint8_t *places = options.colorBy ? placesOf(model->store) : NULL; /* without memory, as the convention has it
                                                                            */
        Tcl_SetObjResult(interp, styleValue(model, &style, places, &options));
        tacFree(places);
    }
    tacOptionsFree(styleRows, &options);
    return result;
}
