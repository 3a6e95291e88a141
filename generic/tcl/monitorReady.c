/*
 * monitorReady.c -- what a monitor makes of elements: handlers, histograms, rates, state machines.
 *
 *      $monitor on SENSORS PREFIX, histogram SENSORS ..., rate SENSORS ..., machine TRANSITIONS ...  -> id
 *      an element, an alarm -> tell: PREFIX TIME WORD ... SENSOR -FIELD VALUE ...
 *
 * A call that fails is an error in the background, and the evaluation ends, as one that says break does. The record of
 * an evaluation that has ended is freed when the evaluator is done with it (onRemoved).
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/monitor.h"
#include "tcl/nanoseconds.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct tacMonitoredKind {
    const char *name;
    Tcl_Obj *(*result)(const tacMonitored *monitored); /* a dict; NULL: {} */
} tacMonitoredKind;

/* ---- elements as words ------------------------------------------------------------------------------------------- */

static Tcl_Obj *fieldObj(const tacrec_fieldEntry *field, const tacrec_seen *element, int index) {
    const char *at = (const char *) element->read->data + field->offset;
    double number = 0;
    uint64_t wide;
    if (field->type == TACREC_TEXT) return tacTextToObj(at, strnlen(at, field->size));
    tacrec_fieldNumber(element, index, &number);
    if (field->type == TACREC_REAL) return Tcl_NewDoubleObj(number);
    if (field->size < 8) return Tcl_NewWideIntObj((Tcl_WideInt) number);
    memcpy(&wide, at, 8);
    if (field->type == TACREC_UNSIGNED && wide > INT64_MAX) return Tcl_ObjPrintf("%" PRIu64, wide);
    return Tcl_NewWideIntObj((Tcl_WideInt) wide);
}

static Tcl_Obj *nameObj(const char *name, size_t room) { return tacTextToObj(name, strnlen(name, room)); }

/* Adds the words of an element: sensor, then -FIELD and value of each field. */
static void addElement(Tcl_Obj *list, const tacrec_seen *element) {
    const tacrec_entry *entry = element->entry;
    tacAppend(list, nameObj(entry->name, sizeof entry->name));
    for (uint32_t i = 0; i < entry->fieldCount && i < TACREC_FIELDS; i++) {
        const tacrec_fieldEntry *field = &entry->fields[i];
        Tcl_Obj *name = tacKept(nameObj(field->name, sizeof field->name));
        tacAppend(list, Tcl_ObjPrintf("-%s", Tcl_GetString(name)));
        tacAppend(list, fieldObj(field, element, (int) i));
        Tcl_DecrRefCount(name);
    }
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* A call with the time, up to two more words, and those of an element. */
static Tcl_Obj *callOf(Tcl_Obj *prefix, uint64_t time, Tcl_Obj *first, Tcl_Obj *second, const tacrec_seen *element) {
    Tcl_Obj *call = tacKept(Tcl_DuplicateObj(prefix));
    tacAppend(call, Tcl_NewWideIntObj((Tcl_WideInt) time));
    if (first) tacAppend(call, first);
    if (second) tacAppend(call, second);
    if (element) addElement(call, element);
    return call;
}

/* Evaluates a call, and lets go of it. */
static int evaluate(tacMonitored *m, Tcl_Obj *call, const tacrec_seen *element) {
    tacMonitor *monitor = m->monitor;
    const tacrec_seen *before = monitor->element;
    monitor->element = element;
    int code = Tcl_EvalObjEx(monitor->interp, call, TCL_EVAL_GLOBAL);
    monitor->element = before;
    Tcl_DecrRefCount(call);
    return code;
}

static bool isOver(const tacMonitored *m) {
    return m->off || m->monitor->closed || Tcl_InterpDeleted(m->monitor->interp);
}

static bool isQuiet(const tacMonitored *m) { return isOver(m) || !m->call; }

/* Ends an evaluation: it calls nothing from now on. */
static void endMonitored(tacMonitored *m) {
    if (m->off) return;
    m->off = true;
    tacMonitored **link = &m->monitor->evaluations;
    while (*link != m) link = &(*link)->next;
    *link = m->next;
    tacrec_evaluatorRemove(m->monitor->evaluator, &m->of.evaluation);
}

/* Calls the prefix of an evaluation. */
static void tell(tacMonitored *m, uint64_t time, Tcl_Obj *first, Tcl_Obj *second, const tacrec_seen *element) {
    int code = evaluate(m, callOf(m->call, time, first, second, element), element);
    if (code == TCL_ERROR) Tcl_BackgroundException(m->monitor->interp, code);
    if (code == TCL_ERROR || code == TCL_BREAK) endMonitored(m);
}

static void onElement(void *data, const tacrec_seen *element) {
    tacMonitored *m = data;
    if (!isQuiet(m)) tell(m, element->read->time, NULL, NULL, element);
}

static void onAlarm(void *data, double value, uint64_t time, const tacrec_seen *element) {
    tacMonitored *m = data;
    if (isQuiet(m)) return;
    bool whole = value == floor(value) && fabs(value) < 0x1p53;
    tell(m, time, whole ? Tcl_NewWideIntObj((Tcl_WideInt) value) : Tcl_NewDoubleObj(value), NULL, element);
}

static Tcl_Obj *stateObj(const tacMonitored *m, uint32_t state) {
    Tcl_Obj *name = NULL;
    if (state != TACREC_UNKNOWN) Tcl_ListObjIndex(NULL, m->states, (Tcl_Size) state, &name);
    return name ? name : Tcl_NewStringObj("unknown", -1);
}

static const char *const says[] = {"", "entered", "long", "unexpected", "lost"};

static void onSays(void *data, tacrec_machineSays what, uint64_t time, const tacrec_seen *element) {
    tacMonitored *m = data;
    if (isQuiet(m)) return;
    tell(m, time, Tcl_NewStringObj(says[what], -1), stateObj(m, m->of.machine.state), element);
}

/* Asks a transition's guard. */
static bool onGuard(void *data, const tacrec_transition *transition, const tacrec_seen *element) {
    tacMonitored *m = data;
    Tcl_Interp *interp = m->monitor->interp;
    Tcl_Obj *guard;
    int is = 0;
    if (isOver(m)) return false;
    Tcl_ListObjIndex(NULL, m->guards, (Tcl_Size) (transition - m->transitions), &guard);
    int code = evaluate(m, callOf(guard, element->read->time, NULL, NULL, element), element);
    if (code == TCL_OK) code = Tcl_GetBooleanFromObj(interp, Tcl_GetObjResult(interp), &is);
    if (code == TCL_ERROR) Tcl_BackgroundException(interp, code);
    if (code != TCL_OK) endMonitored(m);
    return code == TCL_OK && is;
}

/* ---- from begin to end ------------------------------------------------------------------------------------------- */

static void drop(Tcl_Obj *object) {
    if (object) Tcl_DecrRefCount(object);
}

static void freeMonitored(tacMonitored *m) {
    drop(m->call);
    drop(m->patterns);
    drop(m->program);
    drop(m->field);
    drop(m->states);
    drop(m->guards);
    tacFree(m->transitions);
    tacFree(m);
}

/* The evaluator is done with it; `data` is that of the evaluation, the union. */
static void onRemoved(void *data) { freeMonitored((tacMonitored *) ((char *) data - offsetof(tacMonitored, of))); }

static void commitOn(void *data, const tacrec_seen *element) {
    onElement((char *) data - offsetof(tacMonitored, of), element);
}

/* Takes the patterns of a list. */
static int takePatterns(Tcl_Interp *interp, tacMonitored *m, Tcl_Obj *list) {
    Tcl_Size count;
    Tcl_Obj **words;
    Tcl_Obj *names = tacNamesList(interp, list);
    if (!names) return TCL_ERROR;
    m->patterns = tacKept(names);
    if (Tcl_ListObjGetElements(interp, m->patterns, &count, &words) != TCL_OK) return TCL_ERROR;
    if (count < 1 || count > TACREC_PATTERNS)
        return tacTclFail(interp, "USAGE VALUE", "1 to %d patterns of sensors are needed", (int) TACREC_PATTERNS);
    for (Tcl_Size i = 0; i < count; i++) m->of.evaluation.sensors[i] = Tcl_GetString(words[i]);
    return TCL_OK;
}

/* A new evaluation; NULL: the interpreter has the error. */
static tacMonitored *newMonitored(Tcl_Interp *interp, tacMonitor *monitor, const tacMonitoredKind *kind) {
    tacMonitored *m = tacAllocZero(1, sizeof *m);
    if (!m) {
        tacTclMemory(interp);
        return NULL;
    }
    m->monitor = monitor;
    m->kind = kind;
    return m;
}

/* What all evaluations are told. */
typedef struct Common {
    Tcl_Obj *call, *program;
} Common;

static void takeCommon(tacMonitored *m, const Common *common) {
    if (common->call) m->call = tacKept(common->call);
    if (!common->program) return;
    m->program = tacKept(Tcl_DuplicateObj(common->program));
    m->of.evaluation.program = Tcl_GetString(m->program);
}

/* Adds it to the evaluator if all is well, else frees it. The result is its id. */
static int add(Tcl_Interp *interp, tacMonitored *m, int result) {
    tacMonitor *monitor = m->monitor;
    Tcl_Size length;
    if (result == TCL_OK && m->call) result = Tcl_ListObjLength(interp, m->call, &length);
    m->of.evaluation.data = &m->of;
    m->of.evaluation.removed = onRemoved;
    if (result == TCL_OK && !tacrec_evaluatorAdd(monitor->evaluator, &m->of.evaluation))
        result = tacTclFail(interp, "RANGE", "a monitor has at most %d evaluations", (int) TACREC_EVALUATIONS);
    if (result != TCL_OK) {
        freeMonitored(m);
        return result;
    }
    m->id = ++monitor->made;
    m->next = monitor->evaluations;
    monitor->evaluations = m;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) m->id));
    return TCL_OK;
}

#define OBJECT(Record, member) TAC_VALUE_OBJECT, offsetof(Record, member), NULL
#define COMMON_ROWS(Record)                                                                                      \
    {"-call", OBJECT(Record, common.call), "prefix", NULL, "command prefix that is called"}, {                   \
        "-program", OBJECT(Record, common.program), "pattern", NULL, "only elements of programs with such names" \
    }

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

typedef struct OnOptions {
    Common common;
    bool late;
} OnOptions;

const tacOptionRow tacMonitorOnRows[] = {
    {"-program", OBJECT(OnOptions, common.program), "pattern", NULL, "only elements of programs with such names"},
    {"-late", TAC_VALUE_FLAG, offsetof(OnOptions, late), NULL, NULL, "no",
        "elements that are seen after later ones were handled are wanted, too"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

int tacMonitorOn(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacMonitoredKind kind = {"on", NULL};
    OnOptions options = {{objv[3], NULL}, false};
    tacMonitored *m = newMonitored(interp, data, &kind);
    if (!m) return TCL_ERROR;
    int result = takePatterns(interp, m, objv[2]);
    if (result == TCL_OK) result = tacOptionsParse(interp, tacMonitorOnRows, objc - 4, objv + 4, &options);
    takeCommon(m, &options.common);
    m->of.evaluation.late = options.late;
    m->of.evaluation.commit = commitOn;
    tacOptionsFree(tacMonitorOnRows, &options);
    return add(interp, m, result);
}

/* ---- histograms -------------------------------------------------------------------------------------------------- */

typedef struct HistogramOptions {
    Common common;
    int of; /* tacrec_measureOf, less 1 */
    Tcl_Obj *field, *first, *width, *most;
    int64_t bins;
} HistogramOptions;

static const char *const measures[] = {"field", "distance", "span", NULL};
const tacOptionRow tacMonitorHistogramRows[] = {
    {"-of", TAC_VALUE_WORD, offsetof(HistogramOptions, of), measures, NULL, "field",
        "values of a field; times from each element to the next one; times from an element of the first sensor to the "
        "next of another one"},
    {"-field", OBJECT(HistogramOptions, field), "name", NULL,
        "the field; of spans: one that has the same value in both elements"},
    {"-first", OBJECT(HistogramOptions, first), "number", "0", "lower end of the first bin"},
    {"-width", OBJECT(HistogramOptions, width), "number", "1", "of a bin; of times with a unit, as in 10us"},
    {"-bins", TAC_VALUE_COUNT, offsetof(HistogramOptions, bins), NULL, NULL, "64", "how many bins there are, 1 to 256"},
    {"-most", OBJECT(HistogramOptions, most), "number", NULL,
        "a larger value calls -call, with the time and the value"},
    COMMON_ROWS(HistogramOptions),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* A value as the histogram has them: a number, or a time in nanoseconds. One that is not given stays as it is. */
static int takeValue(Tcl_Interp *interp, const tacrec_histogram *h, const char *option, Tcl_Obj *word, double *value) {
    int64_t time = 0;
    if (!word) return TCL_OK;
    if (h->of == TACREC_OF_FIELD) return Tcl_GetDoubleFromObj(interp, word, value);
    if (tacNanosecondsOf(interp, option, Tcl_GetString(word), &time) != TCL_OK) return TCL_ERROR;
    *value = (double) time;
    return TCL_OK;
}

static int takeHistogram(Tcl_Interp *interp, tacMonitored *m, const HistogramOptions *options) {
    tacrec_histogram *h = &m->of.histogram;
    Tcl_Size patterns;
    h->of = (tacrec_measureOf) (options->of + 1);
    if (takeValue(interp, h, "-first", options->first, &h->first) != TCL_OK
        || takeValue(interp, h, "-width", options->width, &h->width) != TCL_OK
        || takeValue(interp, h, "-most", options->most, &h->most) != TCL_OK)
        return TCL_ERROR;
    if (options->bins < 1 || options->bins > TACREC_BINS)
        return tacTclFail(interp, "USAGE VALUE", "-bins must be 1 to %d", (int) TACREC_BINS);
    if (!(h->width > 0)) return tacTclFail(interp, "USAGE VALUE", "-width must be above 0");
    if (h->of == TACREC_OF_FIELD && !options->field)
        return tacTclFail(interp, "USAGE MISSING", "the field is needed: -field, or -of distance, or -of span");
    Tcl_ListObjLength(NULL, m->patterns, &patterns);
    if (h->of == TACREC_OF_SPAN && patterns < 2)
        return tacTclFail(interp, "USAGE MISSING", "a span needs two sensors: one where it begins, one where it ends");
    h->bins = (uint32_t) options->bins;
    if (options->field) h->field = Tcl_GetString(m->field = tacKept(Tcl_DuplicateObj(options->field)));
    h->alarm = onAlarm;
    h->data = m;
    tacrec_histogramBegin(h);
    return TCL_OK;
}

static Tcl_Obj *histogramResult(const tacMonitored *m) {
    const tacrec_histogram *h = &m->of.histogram;
    static const struct {
        const char *name;
        double share;
    } quantiles[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
    Tcl_Obj *dict = Tcl_NewDictObj(), *counts = Tcl_NewListObj(0, NULL);
    tacPutCount(dict, "count", h->count);
    tacPutCount(dict, "broken", h->broken);
    tacPutCount(dict, "alarms", h->alarms);
    if (h->count) {
        tacPut(dict, "least", Tcl_NewDoubleObj(h->least));
        tacPut(dict, "largest", Tcl_NewDoubleObj(h->largest));
        tacPut(dict, "average", Tcl_NewDoubleObj(h->sum / (double) h->count));
        for (int i = 0; i < 3; i++)
            tacPut(dict, quantiles[i].name, Tcl_NewDoubleObj(tacrec_histogramQuantile(h, quantiles[i].share)));
    }
    tacPut(dict, "first", Tcl_NewDoubleObj(h->first));
    tacPut(dict, "width", Tcl_NewDoubleObj(h->width));
    tacPutCount(dict, "below", h->below);
    tacPutCount(dict, "above", h->above);
    for (uint32_t i = 0; i < h->bins; i++) tacAppend(counts, Tcl_NewWideIntObj((Tcl_WideInt) h->counts[i]));
    tacPut(dict, "counts", counts);
    return dict;
}

int tacMonitorHistogram(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacMonitoredKind kind = {"histogram", histogramResult};
    HistogramOptions options = {.bins = 64};
    tacMonitored *m = newMonitored(interp, data, &kind);
    if (!m) return TCL_ERROR;
    m->of.histogram.width = 1;
    m->of.histogram.most = INFINITY;
    int result = takePatterns(interp, m, objv[2]);
    if (result == TCL_OK) result = tacOptionsParse(interp, tacMonitorHistogramRows, objc - 3, objv + 3, &options);
    takeCommon(m, &options.common);
    if (result == TCL_OK) result = takeHistogram(interp, m, &options);
    tacOptionsFree(tacMonitorHistogramRows, &options);
    return add(interp, m, result);
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

typedef struct RateOptions {
    Common common;
    const char *window;
    double least, most;
} RateOptions;

const tacOptionRow tacMonitorRateRows[] = {
    {"-window", TAC_VALUE_TEXT, offsetof(RateOptions, window), NULL, "time", "1s", "in which elements are counted"},
    {"-least", TAC_VALUE_NUMBER, offsetof(RateOptions, least), NULL, NULL, "0",
        "fewer elements in a window call -call, with the time and the number, once until there are enough"},
    {"-most", TAC_VALUE_NUMBER, offsetof(RateOptions, most), NULL, NULL, NULL, "more elements likewise"},
    COMMON_ROWS(RateOptions),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

static Tcl_Obj *rateResult(const tacMonitored *m) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPutCount(dict, "count", m->of.meter.count);
    tacPutCount(dict, "largest", m->of.meter.largest);
    tacPutCount(dict, "alarms", m->of.meter.alarms);
    return dict;
}

int tacMonitorRate(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacMonitoredKind kind = {"rate", rateResult};
    RateOptions options = {.most = INFINITY};
    int64_t window = 1000000000;
    tacMonitored *m = newMonitored(interp, data, &kind);
    if (!m) return TCL_ERROR;
    int result = takePatterns(interp, m, objv[2]);
    if (result == TCL_OK) result = tacOptionsParse(interp, tacMonitorRateRows, objc - 3, objv + 3, &options);
    if (result == TCL_OK) result = tacNanosecondsOf(interp, "-window", options.window, &window);
    if (result == TCL_OK && window < TACREC_SLOTS)
        result = tacTclFail(interp, "USAGE VALUE", "-window must be %d ns at least", (int) TACREC_SLOTS);
    takeCommon(m, &options.common);
    m->of.meter.window = (uint64_t) window;
    m->of.meter.least = options.least;
    m->of.meter.most = options.most;
    m->of.meter.alarm = onAlarm;
    m->of.meter.data = m;
    tacrec_meterBegin(&m->of.meter);
    tacOptionsFree(tacMonitorRateRows, &options);
    return add(interp, m, result);
}

/* ---- state machines ---------------------------------------------------------------------------------------------- */

typedef struct MachineOptions {
    Common common;
    Tcl_Obj *limits;
} MachineOptions;

const tacOptionRow tacMonitorMachineRows[] = {
    {"-limits", OBJECT(MachineOptions, limits), "dict", NULL, "how long states may last: state time ..."},
    COMMON_ROWS(MachineOptions),
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};

/* The place of a word in a list, to which it is added if it is new. */
static uint32_t placeIn(Tcl_Obj *list, Tcl_Obj *word) {
    Tcl_Size count;
    Tcl_Obj **words;
    Tcl_ListObjGetElements(NULL, list, &count, &words);
    for (Tcl_Size i = 0; i < count; i++)
        if (tacSameText(words[i], word)) return (uint32_t) i;
    tacAppend(list, word);
    return (uint32_t) count;
}

static uint32_t lengthOf(Tcl_Obj *list) {
    Tcl_Size count = 0;
    Tcl_ListObjLength(NULL, list, &count);
    return (uint32_t) count;
}

static int takeTransition(Tcl_Interp *interp, tacMonitored *m, Tcl_Obj *words, tacrec_transition *to) {
    Tcl_Size count;
    Tcl_Obj **word;
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    if (count != 3 && count != 4)
        return tacTclFail(interp, "USAGE VALUE",
            "bad transition \"%.60s\": must be {state sensor state} or {state sensor state guard}",
            Tcl_GetString(words));
    bool any = strcmp(Tcl_GetString(word[0]), "*") == 0;
    to->from = any ? (uint16_t) TACREC_ANY : (uint16_t) placeIn(m->states, word[0]);
    to->pattern = placeIn(m->patterns, word[1]);
    to->to = (uint16_t) placeIn(m->states, word[2]);
    to->guard = count == 4 ? onGuard : NULL;
    tacAppend(m->guards, count == 4 ? word[3] : Tcl_NewObj());
    if (lengthOf(m->states) > TACREC_STATES || lengthOf(m->patterns) > TACREC_PATTERNS)
        return tacTclFail(interp, "RANGE", "a machine has at most %d states and looks at %d patterns of sensors",
            (int) TACREC_STATES, (int) TACREC_PATTERNS);
    return count == 4 ? Tcl_ListObjLength(interp, word[3], &count) : TCL_OK;
}

static int takeTransitions(Tcl_Interp *interp, tacMonitored *m, Tcl_Obj *list) {
    Tcl_Size count;
    Tcl_Obj **words;
    m->states = tacKept(Tcl_NewListObj(0, NULL));
    m->guards = tacKept(Tcl_NewListObj(0, NULL));
    m->patterns = tacKept(Tcl_NewListObj(0, NULL));
    if (Tcl_ListObjGetElements(interp, list, &count, &words) != TCL_OK) return TCL_ERROR;
    if (count < 1 || count > UINT16_MAX) return tacTclFail(interp, "USAGE VALUE", "a machine needs transitions");
    m->transitions = tacAllocZero((size_t) count, sizeof *m->transitions);
    if (!m->transitions) return tacTclMemory(interp);
    for (Tcl_Size i = 0; i < count; i++)
        if (takeTransition(interp, m, words[i], &m->transitions[i]) != TCL_OK) return TCL_ERROR;
    m->of.machine.transitions = m->transitions;
    m->of.machine.transitionCount = (uint32_t) count;
    m->of.machine.states = lengthOf(m->states);
    if (!m->of.machine.states) return tacTclFail(interp, "USAGE VALUE", "a machine needs a state");
    Tcl_ListObjGetElements(NULL, m->patterns, &count, &words);
    for (Tcl_Size i = 0; i < count; i++) m->of.evaluation.sensors[i] = Tcl_GetString(words[i]);
    return TCL_OK;
}

static int takeLimits(Tcl_Interp *interp, tacMonitored *m, Tcl_Obj *limits) {
    Tcl_DictSearch search;
    Tcl_Obj *state, *time;
    int done, result = TCL_OK;
    if (!limits) return TCL_OK;
    if (Tcl_DictObjFirst(interp, limits, &search, &state, &time, &done) != TCL_OK) return TCL_ERROR;
    for (; !done && result == TCL_OK; Tcl_DictObjNext(&search, &state, &time, &done)) {
        uint32_t place = placeIn(m->states, state);
        int64_t limit = 0;
        if (place >= m->of.machine.states)
            result = tacTclFail(interp, "LOOKUP STATE", "no transition has the state \"%s\"", Tcl_GetString(state));
        else result = tacNanosecondsOf(interp, Tcl_GetString(state), Tcl_GetString(time), &limit);
        if (result == TCL_OK) m->of.machine.limits[place] = (uint64_t) limit;
    }
    Tcl_DictObjDone(&search);
    return result;
}

static void putState(const tacMonitored *m, Tcl_Obj *dict, uint32_t state, uint64_t value) {
    Tcl_DictObjPut(NULL, dict, stateObj(m, state), Tcl_NewWideIntObj((Tcl_WideInt) value));
}

static Tcl_Obj *machineResult(const tacMonitored *m) {
    const tacrec_machine *machine = &m->of.machine;
    Tcl_Obj *dict = Tcl_NewDictObj(), *entered = Tcl_NewDictObj(), *spent = Tcl_NewDictObj(),
            *longest = Tcl_NewDictObj();
    tacPut(dict, "state", stateObj(m, machine->state));
    tacPutCount(dict, "since", machine->since);
    for (uint32_t i = 0; i < machine->states; i++) {
        putState(m, entered, i, machine->entered[i]);
        putState(m, spent, i, machine->spent[i]);
        putState(m, longest, i, machine->longest[i]);
    }
    tacPut(dict, "entered", entered);
    tacPut(dict, "spent", spent);
    tacPut(dict, "longest", longest);
    for (int what = TACREC_SAYS_LONG; what <= TACREC_SAYS_LOST; what++)
        tacPutCount(dict, says[what], machine->said[what]);
    return dict;
}

int tacMonitorMachine(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const tacMonitoredKind kind = {"machine", machineResult};
    MachineOptions options = {.limits = NULL};
    tacMonitored *m = newMonitored(interp, data, &kind);
    if (!m) return TCL_ERROR;
    int result = takeTransitions(interp, m, objv[2]);
    if (result == TCL_OK) result = tacOptionsParse(interp, tacMonitorMachineRows, objc - 3, objv + 3, &options);
    if (result == TCL_OK) result = takeLimits(interp, m, options.limits);
    takeCommon(m, &options.common);
    m->of.machine.says = onSays;
    m->of.machine.data = m;
    if (result == TCL_OK && !tacrec_machineBegin(&m->of.machine))
        result = tacTclFail(interp, "USAGE VALUE", "bad transitions");
    tacOptionsFree(tacMonitorMachineRows, &options);
    return add(interp, m, result);
}

/* ---- asking and removing ----------------------------------------------------------------------------------------- */

/* The evaluation with the id of a word; NULL: the interpreter has the error. */
static tacMonitored *find(Tcl_Interp *interp, const tacMonitor *monitor, Tcl_Obj *word) {
    Tcl_WideInt id;
    if (Tcl_GetWideIntFromObj(NULL, word, &id) == TCL_OK)
        for (tacMonitored *m = monitor->evaluations; m; m = m->next)
            if (m->id == (uint64_t) id) return m;
    tacTclFail(interp, "LOOKUP EVALUATION", "there is no evaluation \"%s\"", Tcl_GetString(word));
    return NULL;
}

int tacMonitorResult(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacMonitored *m = find(interp, data, objv[2]);
    (void) objc;
    if (!m) return TCL_ERROR;
    Tcl_SetObjResult(interp, m->kind->result ? m->kind->result(m) : Tcl_NewObj());
    return TCL_OK;
}

int tacMonitorRemove(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacMonitored *m = find(interp, data, objv[2]);
    (void) objc;
    if (!m) return TCL_ERROR;
    endMonitored(m);
    return TCL_OK;
}
