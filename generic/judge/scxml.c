/*
 * scxml.c -- reads state charts of XAF by expat.
 *
 * A document type is refused, so that there are no entities but those of XML itself.
 */
#include "base/port.h"

#include "base/intern.h"
#include "base/print.h"
#include "judge/scxml.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_STATES = 4096,
    MOST_TRANSITIONS = 65536,
    MOST_VARIABLES = 64, /* of a state */
    DEEPEST = 32
};

typedef struct State {
    bool defined, ends;
    uint32_t line;
    TAC_ARRAY(uint32_t) starts; /* variables that are started when it is entered */
} State;

typedef struct Transition {
    uint32_t from, to; /* states */
    char *event, *condition;
    uint32_t line;
} Transition;

typedef enum Element { OTHER, ROOT, STATE, FINAL, INITIAL, ONENTRY, ASSIGN, TRANSITION } Element;

typedef struct Chart {
    XML_Parser parser;
    tacError *err;
    bool failed;
    int depth;
    Element open[DEEPEST];
    uint32_t state;           /* in which the parser is; TAC_NONE: none */
    tacInternTable names;     /* of states; the first is the one in which no instance has begun */
    tacInternTable variables; /* without the kinds that stand before "/" */
    TAC_ARRAY(State) states;  /* by name */
    TAC_ARRAY(Transition) transitions;
    uint32_t initial; /* state that the root names as the initial one, or TAC_NONE */
    bool begins;      /* there is <initial> with a transition */
} Chart;

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static tacWord trimmed(const char *from, const char *to) {
    while (from < to && isBlank(*from)) from++;
    while (from < to && isBlank(to[-1])) to--;
    return (tacWord){from, (size_t) (to - from)};
}

/* ---- failing ----------------------------------------------------------------------------------------------------- */

static tacStatus failLine(tacError *err, uint32_t line, const char *format, ...) TAC_PRINTF(3, 4);
static tacStatus failLine(tacError *err, uint32_t line, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    tacPrintList(text, sizeof text, format, arguments);
    va_end(arguments);
    tacWholeCharacters(text);
    return tacFail(err, "EXPECT SCXML", "line %u: %s", (unsigned) line, text);
}

static uint32_t lineOf(const Chart *c) { return (uint32_t) XML_GetCurrentLineNumber(c->parser); }

/* Ends the parsing with an error; the first one counts. */
#define STOP(c, ...)                                                  \
    do {                                                              \
        if (!(c)->failed) failLine((c)->err, lineOf(c), __VA_ARGS__); \
        (c)->failed = true;                                           \
        XML_StopParser((c)->parser, XML_FALSE);                       \
    } while (0)

static void stopMemory(Chart *c) {
    if (!c->failed) tacFailMemory(c->err);
    c->failed = true;
    XML_StopParser(c->parser, XML_FALSE);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static Element elementOf(const char *name) {
    static const struct {
        const char *name;
        Element element;
    } known[] = {{"scxml", ROOT}, {"state", STATE}, {"final", FINAL}, {"initial", INITIAL}, {"onentry", ONENTRY},
        {"assign", ASSIGN}, {"transition", TRANSITION}};
    const char *colon = strchr(name, ':');
    if (colon) name = colon + 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) return known[i].element;
    return OTHER;
}

static const char *attribute(const char *const *attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(*attributes, name) == 0) return attributes[1];
    return NULL;
}

/* The number of the state of this name. TAC_NONE: stopped. */
static uint32_t stateOf(Chart *c, const char *name) {
    if (!*name || strlen(name) > 200 || strpbrk(name, " \t\r\n{}\"\\")) {
        STOP(c, "\"%.60s\" is no name of a state", name);
        return TAC_NONE;
    }
    uint32_t state = tacIntern(&c->names, name, strlen(name));
    if (state == TAC_NONE || (state == c->states.count && !tacArrayPush(&c->states, (State){.line = lineOf(c)}))) {
        stopMemory(c);
        return TAC_NONE;
    }
    if (c->states.count <= MOST_STATES) return state;
    STOP(c, "the chart has more than %d states", MOST_STATES);
    return TAC_NONE;
}

static void beginState(Chart *c, const char *const *attributes, bool final) {
    const char *id = attribute(attributes, "id");
    if (c->state != TAC_NONE) {
        STOP(c, "states within states are not read");
        return;
    }
    if (!id) {
        STOP(c, "a state has no id");
        return;
    }
    c->state = stateOf(c, id);
    if (c->state == TAC_NONE) return;
    State *state = &c->states.at[c->state];
    if (state->defined) STOP(c, "state \"%.60s\" is there twice", id);
    state->defined = true;
    state->ends |= final;
}

/* The variable of a name "KIND/NAME", or "NAME". TAC_NONE: stopped. Characters that an expression has no place for
 * become
 * "_". */
static uint32_t variableOf(Chart *c, const char *name, size_t length) {
    char text[100] = "v_";
    size_t n = 2;
    const char *slash = memchr(name, '/', length);
    if (slash) {
        length -= (size_t) (slash + 1 - name);
        name = slash + 1;
    }
    if (!length || length > sizeof text - 3) {
        STOP(c, "\"%.*s\" is no name of a variable", (int) (length > 60 ? 60 : length), name);
        return TAC_NONE;
    }
    for (size_t i = 0; i < length; i++) {
        bool plain = (name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z')
            || (name[i] >= '0' && name[i] <= '9') || name[i] == '_' || (name[i] & 0x80);
        text[n++] = plain ? name[i] : '_';
    }
    uint32_t variable = tacIntern(&c->variables, text, n);
    if (variable == TAC_NONE) stopMemory(c);
    return variable;
}

static void assign(Chart *c, const char *const *attributes) {
    const char *location = attribute(attributes, "location");
    if (c->state == TAC_NONE || !location) return;
    uint32_t variable = variableOf(c, location, strlen(location));
    if (variable == TAC_NONE) return;
    State *state = &c->states.at[c->state];
    for (size_t i = 0; i < state->starts.count; i++)
        if (state->starts.at[i] == variable) return;
    if (state->starts.count == MOST_VARIABLES) STOP(c, "a state has more than %d variables", MOST_VARIABLES);
    else if (!tacArrayPush(&state->starts, variable)) stopMemory(c);
}

static void addTransition(Chart *c, const char *const *attributes, bool initial) {
    const char *event = attribute(attributes, "event"), *target = attribute(attributes, "target"),
               *condition = attribute(attributes, "cond");
    if (!initial && c->state == TAC_NONE) {
        STOP(c, "a transition outside of a state");
        return;
    }
    if (!event || !target) {
        STOP(c, "a transition has no %s", event ? "target" : "event");
        return;
    }
    uint32_t to = stateOf(c, target);
    if (to == TAC_NONE) return;
    if (c->transitions.count == MOST_TRANSITIONS) {
        STOP(c, "the chart has more than %d transitions", MOST_TRANSITIONS);
        return;
    }
    Transition t = {initial ? 0 : c->state, to, tacCopyText(event, strlen(event)),
        tacCopyText(condition ? condition : "", condition ? strlen(condition) : 0), lineOf(c)};
    c->begins |= initial;
    if (t.event && t.condition && tacArrayPush(&c->transitions, t)) return;
    tacFree(t.event);
    tacFree(t.condition);
    stopMemory(c);
}

static void XMLCALL onStart(void *data, const XML_Char *name, const XML_Char **attributes) {
    Chart *c = data;
    const char *const *all = (const char *const *) attributes;
    Element element = elementOf(name), parent = c->depth ? c->open[c->depth - 1] : OTHER;
    if (c->failed) return;
    if (c->depth == DEEPEST) {
        STOP(c, "elements nest deeper than %d", DEEPEST);
        return;
    }
    if (!c->depth && element != ROOT) {
        STOP(c, "the first element must be scxml");
        return;
    }
    c->open[c->depth++] = element;
    const char *initial = element == ROOT ? attribute(all, "initial") : NULL;
    if (initial) c->initial = stateOf(c, initial);
    if (element == STATE || element == FINAL) beginState(c, all, element == FINAL);
    else if (element == ASSIGN && parent == ONENTRY) assign(c, all);
    else if (element == TRANSITION) addTransition(c, all, parent == INITIAL);
}

static void XMLCALL onEnd(void *data, const XML_Char *name) {
    Chart *c = data;
    (void) name;
    if (c->failed || !c->depth) return;
    Element element = c->open[--c->depth];
    if (element == STATE || element == FINAL) c->state = TAC_NONE;
}

static void XMLCALL onDoctype(
    void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public, int subset) {
    Chart *c = data;
    (void) name, (void) system, (void) public, (void) subset;
    STOP(c, "a document type is not read");
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

typedef struct Saying {
    const Chart *chart;
    tacStatementTaker *take;
    void *data;
    tacError *err;
    uint32_t line;
} Saying;

static tacStatus say(const Saying *s, int count, const char *const *texts) {
    tacWord words[12];
    for (int i = 0; i < count; i++) words[i] = (tacWord){texts[i], strlen(texts[i])};
    return s->take(s->data, words, count, s->line, s->err);
}

#define SAY(s, ...)                                                                     \
    say((s), (int) (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), \
        (const char *const[]){__VA_ARGS__})

/* Adds a word of a list. */
static void addElement(tacText *text, const char *at, size_t length) {
    static const char special[] = " \t\n\r\"\\{}[]$;#";
    bool plain = length > 0;
    for (size_t i = 0; i < length; i++) plain &= !strchr(special, at[i]) && at[i];
    if (text->length) tacTextAdd(text, " ", 1);
    if (plain) tacTextAdd(text, at, length);
    else
        for (size_t i = 0; i < length || !length; i++) {
            if (!length) {
                tacTextAddString(text, "{}");
                break;
            }
            if (strchr(special, at[i])) tacTextAdd(text, "\\", 1);
            tacTextAdd(text, at[i] == '\n' || at[i] == '\r' ? "n" : &at[i], 1);
        }
}

/* Makes the event of a model: one with a provider, "provider:name", is a mark that begins so; others are the kernel's.
 * Its contexts are fields. */
static tacStatus eventOf(const Saying *s, const char *event, tacText *text) {
    static const struct {
        const char *prefix, *word;
    } calls[] = {{"syscall_entry_", "syscall"}, {"syscall_exit_", "sysreturn"}, {"sys_enter_", "syscall"},
        {"sys_exit_", "sysreturn"}};
    size_t length = strcspn(event, "|");
    const char *context = event + length;
    text->length = 0;
    if (!length) return failLine(s->err, s->line, "a transition has an event without a name");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        size_t n = strlen(calls[i].prefix);
        if (length <= n || memcmp(event, calls[i].prefix, n) != 0) continue;
        if (*context) return failLine(s->err, s->line, "a system call has no fields: \"%.100s\"", event);
        tacTextAddString(text, calls[i].word);
        addElement(text, event + n, length - n);
        return text->failed ? tacFailMemory(s->err) : TAC_OK;
    }
    bool mark = memchr(event, ':', length) != NULL;
    tacTextAddString(text, mark ? "mark" : "event");
    tacText name = {0};
    tacTextAdd(&name, event, length);
    if (mark) tacTextAddString(&name, "*");
    if (!name.failed) addElement(text, name.at, name.length);
    text->failed |= name.failed;
    tacTextFree(&name);
    while (*context) {
        const char *end = context + 1 + strcspn(context + 1, "|"),
                   *equal = memchr(context, '=', (size_t) (end - context));
        tacText field = {0};
        if (!equal || equal == context + 1)
            return failLine(s->err, s->line, "a context of event \"%.100s\" is not NAME=VALUE", event);
        tacTextPrintf(
            &field, "%.*s==%.*s", (int) (equal - context - 1), context + 1, (int) (end - equal - 1), equal + 1);
        if (!field.failed) addElement(text, field.at, field.length);
        text->failed |= field.failed;
        tacTextFree(&field);
        context = end;
    }
    return text->failed ? tacFailMemory(s->err) : TAC_OK;
}

/* Makes the limit of a constraint: units are XAF's, and nanoseconds where there is none. */
static tacStatus limitOf(const Saying *s, const tacWord *value, bool time, tacText *text) {
    size_t digits = 0;
    while (digits < value->length && (strchr("0123456789.", value->at[digits]))) digits++;
    tacWord unit = {value->at + digits, value->length - digits};
    bool sought = value->length && value->at[0] == '?';
    if (sought) unit = (tacWord){value->at + 1, value->length - 1};
    bool known = !unit.length || tacWordIs(&unit, "ns") || tacWordIs(&unit, "us") || tacWordIs(&unit, "ms")
        || tacWordIs(&unit, "s") || tacWordIs(&unit, "m") || tacWordIs(&unit, "h") || tacWordIs(&unit, "%");
    if ((!digits && !sought) || !known)
        return failLine(s->err, s->line, "\"%.*s\" is no limit such as 45ms, 100%%, 3 or ?", TAC_SHOWN(value));
    if (sought) tacTextAddString(text, tacWordIs(&unit, "%") ? "?%" : "?");
    else if (tacWordIs(&unit, "m") || tacWordIs(&unit, "h"))
        tacTextPrintf(text, "%.*ss * %d", (int) digits, value->at, *unit.at == 'm' ? 60 : 3600);
    else tacTextPrintf(text, "%.*s%.*s", (int) digits, value->at, (int) unit.length, unit.at);
    if (!sought && !unit.length && time) tacTextAddString(text, "_ns");
    return TAC_OK;
}

/* Says one constraint, KIND/NAME OP VALUE. */
static tacStatus sayConstraint(const Saying *s, Chart *c, const tacWord *part) {
    static const struct {
        const char *kind, *function;
        bool time;
    } kinds[] = {{"deadline", "elapsed", true}, {"cputime", "running", true}, {"waitblocked", "blocked", true},
        {"preempt", "preemptions", false}, {"syscalls", "syscalls", false}};
    const char *end = part->at + part->length, *at = part->at, *name;
    while (at < end && !isBlank(*at)) at++;
    tacWord variable = {part->at, (size_t) (at - part->at)};
    name = memchr(variable.at, '/', variable.length);
    tacWord rest = trimmed(at, end);
    size_t length = 0;
    while (length < rest.length && strchr("<>=!?", rest.at[length])) length++;
    tacWord op = {rest.at, length}, value = trimmed(rest.at + length, end);
    bool adaptive = tacWordIs(&op, "??"), known = adaptive;
    for (int i = 0; i < 6; i++) known |= tacWordIs(&op, (const char *[]){"<", "<=", ">", ">=", "==", "!="}[i]);
    if (!known || !value.length)
        return failLine(s->err, s->line, "condition \"%.*s\" is not KIND/NAME OPERATOR VALUE", TAC_SHOWN(part));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        tacWord kind = {variable.at, name ? (size_t) (name - variable.at) : 0};
        if (!tacWordIs(&kind, kinds[i].kind)) continue;
        uint32_t slot = variableOf(c, variable.at, variable.length);
        if (slot == TAC_NONE) return TAC_ERROR;
        tacText text = {0};
        tacTextPrintf(&text, "%s(%s) %.*s ", kinds[i].function, tacInternName(&c->variables, slot, NULL),
            adaptive ? 2 : (int) op.length, adaptive ? "<=" : op.at);
        tacStatus status = limitOf(s, &value, kinds[i].time, &text);
        if (status == TAC_OK) status = text.failed ? tacFailMemory(s->err) : SAY(s, "require", text.at);
        tacTextFree(&text);
        return status;
    }
    return failLine(s->err, s->line,
        "unknown kind of variable in \"%.*s\": must be deadline, cputime, waitblocked, preempt or syscalls",
        TAC_SHOWN(part));
}

/* Says the constraints of a condition, which are joined by ";", "and" or "&&". */
static tacStatus sayCondition(const Saying *s, Chart *c, const char *at) {
    while (*at) {
        const char *end = at;
        while (*end && *end != ';' && strncmp(end, " and ", 5) != 0 && strncmp(end, "&&", 2) != 0) end++;
        tacWord part = trimmed(at, end);
        if (part.length && sayConstraint(s, c, &part) != TAC_OK) return TAC_ERROR;
        at = end + (*end == ';' ? 1 : *end == '&' ? 2 : *end ? 5 : 0);
    }
    return TAC_OK;
}

static tacStatus sayTransition(Saying *s, Chart *c, const Transition *t, tacText *event) {
    const State *to = &c->states.at[t->to];
    s->line = t->line;
    if (eventOf(s, t->event, event) != TAC_OK) return TAC_ERROR;
    if (SAY(s, "on", tacInternName(&c->names, t->from, NULL), event->at, tacInternName(&c->names, t->to, NULL))
            != TAC_OK
        || sayCondition(s, c, t->condition) != TAC_OK)
        return TAC_ERROR;
    for (size_t i = 0; i < to->starts.count; i++)
        if (SAY(s, "start", tacInternName(&c->variables, to->starts.at[i], NULL)) != TAC_OK) return TAC_ERROR;
    return SAY(s, "end");
}

/* Says the model. An instance waits in the state 0 where the chart has <initial>, else in the one that the root names.
 */
static tacStatus sayChart(Saying *s, Chart *c, const char *name) {
    bool anyEnd = false;
    uint32_t first = c->begins ? 0 : c->initial;
    tacText event = {0};
    tacStatus status;
    for (size_t i = 0; i < c->transitions.count; i++) c->states.at[c->transitions.at[i].from].line |= 1u << 31;
    for (uint32_t i = 1; i < c->states.count; i++) {
        State *state = &c->states.at[i];
        state->ends |= !(state->line & 1u << 31);
        state->line &= ~(1u << 31);
        anyEnd |= state->ends && i != first;
        if (!state->defined)
            return failLine(s->err, state->line, "there is no state \"%.60s\"", tacInternName(&c->names, i, NULL));
    }
    if (first == TAC_NONE) return failLine(s->err, s->line, "the chart has no initial state");
    if (anyEnd) status = SAY(s, "model", name, "-each", "thread", "-overlap");
    else status = SAY(s, "model", name, "-each", "thread");
    for (uint32_t i = c->begins ? 0 : 1; i < c->states.count && status == TAC_OK; i++) {
        const char *id = tacInternName(&c->names, i, NULL);
        if (i == first) status = SAY(s, "state", id, "-initial");
        else if (c->states.at[i].ends) status = SAY(s, "state", id, "-final");
        else status = SAY(s, "state", id);
    }
    for (size_t i = 0; i < c->transitions.count && status == TAC_OK; i++)
        status = sayTransition(s, c, &c->transitions.at[i], &event);
    tacTextFree(&event);
    return status == TAC_OK ? SAY(s, "end") : TAC_ERROR;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

bool tacIsScxml(const char *text, size_t length) {
    const char *at = text, *end = text + length;
    if (length > 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (at < end && isBlank(*at)) at++;
    if (at == end || *at != '<') return false;
    for (; end - at > 6; at++) {
        if (*at != '<') continue;
        const char *name = at + 1;
        while (name < end && name[0] != ':' && !isBlank(*name) && *name != '>' && *name != '<') name++;
        name = name < end && *name == ':' ? name + 1 : at + 1;
        if (end - name >= 5 && memcmp(name, "scxml", 5) == 0) return true;
    }
    return false;
}

static void freeChart(Chart *c) {
    for (size_t i = 0; i < c->states.count; i++) tacArrayFree(&c->states.at[i].starts);
    for (size_t i = 0; i < c->transitions.count; i++) {
        tacFree(c->transitions.at[i].event);
        tacFree(c->transitions.at[i].condition);
    }
    tacArrayFree(&c->states);
    tacArrayFree(&c->transitions);
    tacInternFree(&c->names);
    tacInternFree(&c->variables);
    if (c->parser) XML_ParserFree(c->parser);
}

static tacStatus parse(Chart *c, const char *text, size_t length) {
    XML_SetUserData(c->parser, c);
    XML_SetElementHandler(c->parser, onStart, onEnd);
    XML_SetStartDoctypeDeclHandler(c->parser, onDoctype);
    enum XML_Status status = XML_Parse(c->parser, text, (int) length, 1); /* at most a megabyte */
    if (c->failed) return TAC_ERROR;
    if (status != XML_STATUS_OK) {
        enum XML_Error error = XML_GetErrorCode(c->parser);
        if (error == XML_ERROR_NO_MEMORY) return tacFailMemory(c->err);
        return failLine(c->err, lineOf(c), "%s", XML_ErrorString(error));
    }
    return TAC_OK;
}

tacStatus tacScxmlStatements(
    const char *text, size_t length, const tacWord *name, tacStatementTaker *take, void *data, tacError *err) {
    static const XML_Memory_Handling_Suite memory = {tacAlloc, tacRealloc, tacFree};
    Chart chart = {.err = err, .state = TAC_NONE, .initial = TAC_NONE};
    Saying saying = {&chart, take, data, err, 1};
    char *model = tacCopyText(name->at, name->length);
    chart.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    tacStatus status = TAC_OK;
    if (!model || !chart.parser || tacIntern(&chart.names, "(begin)", 7) != 0
        || !tacArrayPush(&chart.states, (State){.defined = true}))
        status = tacFailMemory(err);
    if (status == TAC_OK) status = parse(&chart, text, length);
    if (status == TAC_OK) status = sayChart(&saying, &chart, model);
    tacFree(model);
    freeChart(&chart);
    return status;
}
