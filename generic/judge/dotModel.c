/*
 * dotModel.c -- makes a model of an automaton of the kernel: what its events are in a trace, and in which states it may
 * be when the trace does not tell.
 *
 *   sets of states of the automaton, with the clocks whose start is not known  -->  states of the model
 *
 * An event that no trace records may happen at any time, and one change of a job's state may be one of several events.
 * So the model is in a set of states. What is expected in none of them is a violation whatever has happened unseen.
 *
 * A job that leaves a processor does so in two steps: {leaves running} leads to a state LEAVING of the same set, where
 * the state that is entered tells which event it was. Work between jobs is a state of its own (BETWEEN), since the
 * trace does not tell when it is switched to; and a job that begins with its start (STARTING), without a release,
 * was woken unseen.
 *
 * After an event that is not expected the automaton may be in any state, so that one fault is one finding.
 */
#include "base/port.h"

#include "judge/dot.h"
#include "judge/trigger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 256 };

/* ---- what events are --------------------------------------------------------------------------------------------- */

typedef enum Seen { SEEN_WAKE = 1, SEEN_IN = 2, SEEN_PREEMPT = 4, SEEN_SLEEP = 8, SEEN_GONE = 16 } Seen;

enum { SEEN_OUT = SEEN_PREEMPT | SEEN_SLEEP | SEEN_GONE };

/* The events that a trace has, by what is seen of them; the table of tactus_model(n). */
static const struct {
    const char *name;
    int seen; /* set of Seen */
} bindings[] = {
    {"switch_in", SEEN_IN},
    {"sched_switch_in", SEEN_IN},
    {"switch_out", SEEN_OUT},
    {"sched_switch_out", SEEN_OUT},
    {"sched_switch_preempt", SEEN_PREEMPT | SEEN_GONE},
    {"sched_switch_yield", SEEN_PREEMPT | SEEN_GONE},
    {"sched_switch_wait", SEEN_SLEEP | SEEN_GONE},
    {"sched_switch_suspend", SEEN_SLEEP | SEEN_GONE},
    {"sched_switch_blocking", SEEN_SLEEP | SEEN_GONE},
    {"sched_waking", SEEN_WAKE}, /* before sched_wakeup, which is another event for an automaton that has both */
    {"sched_wakeup", SEEN_WAKE},
    {"wakeup", SEEN_WAKE},
    {"sched_wakeup_new", SEEN_WAKE},
};

typedef enum Phase { PHASE_PLAIN, PHASE_LEAVING, PHASE_STARTING, PHASE_BETWEEN } Phase;

typedef struct Step {
    int seen;   /* the event is one of these; 0: it is none */
    Phase then; /* the next phase */
    bool lost;  /* before it the automaton may be in any state */
    /* The test that other jobs of the task are released and not done, where it matters, since a thread has one job at a
     * time: then it is `instead` that is seen. */
    const char *queued;
    int instead;
} Step;

/* clang-format off */
/* Events that a model waits for, and its step at each of them in each phase. */
static const struct {
    const char *trigger;
    Step by[4];
} steps[] = {
#define PLAIN(seen) {seen, PHASE_PLAIN, false, NULL, 0}
#define WAKE {SEEN_WAKE, PHASE_PLAIN, false, "jobs(active) > 1", 0}
#define DONE {SEEN_SLEEP, PHASE_PLAIN, false, "jobs(active) > 0", SEEN_PREEMPT}
#define LEAVE {0, PHASE_LEAVING, false, NULL, 0}
#define START {0, PHASE_STARTING, false, NULL, 0}
#define STILL {0, PHASE_BETWEEN, true, NULL, 0}
#define LOST {0, PHASE_PLAIN, true, NULL, 0}
    /*                   plain             leaving              starting          between */
    {"jobArrived",       {WAKE,             WAKE,                WAKE,             STILL}},
    {"jobStarted",       {START,            START,               START,            STILL}},
    {"jobResumed",       {START,            START,               START,            STILL}},
    {"leaves none",      {PLAIN(0),         PLAIN(0),            LOST,             STILL}},
    {"leaves blocked",   {PLAIN(SEEN_WAKE), PLAIN(SEEN_WAKE),    PLAIN(SEEN_WAKE), STILL}},
    {"leaves waiting",   {PLAIN(0),         PLAIN(0),            PLAIN(0),         STILL}},
    {"leaves preempted", {PLAIN(0),         PLAIN(0),            PLAIN(0),         STILL}},
    {"leaves running",   {LEAVE,            LEAVE,               LEAVE,            STILL}},
    {"leaves between",   {LOST,             LOST,                LOST,             LOST}},
    {"leaves unknown",   {LOST,             LOST,                LOST,             LOST}},
    {"enters waiting",   {PLAIN(0),         PLAIN(0),            PLAIN(0),         STILL}},
    {"enters running",   {PLAIN(SEEN_IN),   PLAIN(SEEN_IN),      PLAIN(SEEN_IN),   PLAIN(SEEN_IN)}},
    {"enters preempted", {PLAIN(0),         PLAIN(SEEN_PREEMPT), PLAIN(0),         STILL}},
    {"enters blocked",   {PLAIN(0),         PLAIN(SEEN_SLEEP),   PLAIN(0),         STILL}},
    {"enters completed", {PLAIN(0),         DONE,                PLAIN(0),         STILL}},
    {"enters none",      {PLAIN(0),         PLAIN(SEEN_GONE),    PLAIN(0),         STILL}},
    {"enters between",   {STILL,            STILL,               STILL,            STILL}},
    {"enters unknown",   {LOST,             LOST,                LOST,             LOST}},
#undef PLAIN
#undef WAKE
#undef DONE
#undef LEAVE
#undef START
#undef STILL
#undef LOST
};
/* clang-format on */

/* ---- the automaton, read ----------------------------------------------------------------------------------------- */

typedef struct Limit { /* a comparison of a clock with a time */
    uint32_t clock, line;
    char test[160];
} Limit;

typedef struct Span { /* of limits */
    size_t first, count;
    uint32_t reads; /* set of their clocks */
    bool open;      /* there is more, which cannot be judged */
    bool never;     /* it does not hold, by the values that are set */
} Span;

typedef struct Set {
    uint64_t states;
    uint32_t unknown; /* set of clocks of which it is not known when they were started */
    Phase phase;
    bool violated; /* something was not expected, and since then it is not known where the automaton is: what cannot be
                    * judged for that is no finding */
} Set;

typedef struct Making {
    const tacDot *dot;
    const tacFileSettings *set;
    tacStatementTaker *take; /* NULL: the sets are only counted */
    void *data;
    tacError *err;
    int *seen;                             /* by event; 0: no trace records it */
    int any;                               /* what is seen of any event */
    uint32_t *own;                         /* by event: the number of the trigger that it is, or TAC_NONE */
    size_t nOwn;                           /* such triggers; `seen` of each is a bit of its own */
    Span *guards;                          /* by edge */
    Span invariants[TAC_DOT_STATES];       /* by state */
    uint64_t silent[TAC_DOT_STATES];       /* by state: where events lead that no trace records */
    uint32_t silentResets[TAC_DOT_STATES]; /* and the clocks that they may start */
    uint32_t live[TAC_DOT_STATES];         /* by state: clocks that are read before they are started again */
    uint64_t all;
    TAC_ARRAY(Limit) limits;
    TAC_ARRAY(Set) sets;
    tacInternTable unrecorded, values; /* what is not known: events; variables and limits */
    bool tooMany;                      /* sets */
} Making;

/* ---- guards and invariants --------------------------------------------------------------------------------------- */

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static tacWord trimmed(const char *from, const char *to) {
    while (from < to && isBlank(*from)) from++;
    while (from < to && isBlank(to[-1])) to--;
    return (tacWord){from, (size_t) (to - from)};
}

/* Finds the unit behind the digits of a time; NULL: it is no such time. */
static const char *unitOf(const tacWord *value, size_t digits) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    tacWord unit = trimmed(value->at + digits, value->at + value->length);
    if (digits == 0 || digits > 18) return NULL;
    if (!unit.length) return "_ns"; /* units of the trace, where it does not say what they are */
    if (*unit.at == '_') unit = (tacWord){unit.at + 1, unit.length - 1};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (tacWordIs(&unit, units[i])) return units[i];
    return NULL;
}

/* Keeps that something has a value that is not known. */
static tacStatus noteValue(Making *m, const tacWord *name) {
    size_t length = tacWholeLength(name->at, name->length, TAC_DOT_NAME);
    return tacIntern(&m->values, name->at, length) == TAC_NONE ? tacFailMemory(m->err) : TAC_OK;
}

typedef struct Comparison {
    tacWord name, sign, value;
    bool known; /* the sign is a comparison */
} Comparison;

static Comparison comparisonOf(const tacWord *text) {
    static const char signs[] = "<>=!";
    const char *end = text->at + text->length, *op = text->at, *after;
    while (op < end && !memchr(signs, *op, sizeof signs - 1)) op++;
    for (after = op; after < end && memchr(signs, *after, sizeof signs - 1); after++) continue;
    Comparison c = {trimmed(text->at, op), {op, (size_t) (after - op)}, trimmed(after, end), false};
    for (int i = 0; i < 6; i++) c.known |= tacWordIs(&c.sign, (const char *[]){"<", "<=", ">", ">=", "==", "!="}[i]);
    return c;
}

/* The value that is set for a name, NAME or NAME(); NULL: none is. */
static const tacWord *settingOf(const Making *m, const tacWord *name) {
    bool call = name->length > 2 && memcmp(name->at + name->length - 2, "()", 2) == 0;
    const tacWord *value = tacFileSetting(m->set, name->at, name->length);
    return value || !call ? value : tacFileSetting(m->set, name->at, name->length - 2);
}

/* Reads a whole number; false: it is none. */
static bool wholeNumber(const tacWord *word, long long *number) {
    char text[24], *end;
    if (!word->length || word->length >= sizeof text) return false;
    memcpy(text, word->at, word->length);
    text[word->length] = 0;
    *number = strtoll(text, &end, 10);
    return !*end && !isBlank(text[0]);
}

/* Does a comparison of a variable hold, by the value that is set for it? -1: that is not known. */
static int holds(const Making *m, const tacWord *text) {
    Comparison c = comparisonOf(text);
    const tacWord *value = settingOf(m, &c.name);
    long long left, right;
    if (!c.known || !value || !wholeNumber(value, &left) || !wholeNumber(&c.value, &right)) return -1;
    bool equal = c.sign.length == 2 && left == right && c.sign.at[0] != '!';
    switch (c.sign.at[0]) {
    case '=': return left == right;
    case '!': return left != right;
    case '<': return left < right || equal;
    default: return left > right || equal;
    }
}

/* Reads one comparison, such as `clk < 5ms`. What is not about a clock and a time cannot be judged, unless it is about
 * a variable whose value is set. */
static tacStatus readLimit(Making *m, const tacWord *text, uint32_t line, Span *span) {
    Comparison c = comparisonOf(text);
    tacWord name = c.name, sign = c.sign, value = c.value;
    uint32_t clock = tacInternFind(&m->dot->clocks, name.at, name.length);
    int is = clock == TAC_NONE ? holds(m, text) : -1;
    const tacWord *setting = clock == TAC_NONE ? NULL : settingOf(m, &value);
    if (is >= 0) {
        span->never |= !is;
        return TAC_OK;
    }
    if (setting) value = *setting;
    size_t digits = 0;
    while (digits < value.length && value.at[digits] >= '0' && value.at[digits] <= '9') digits++;
    const char *unit = unitOf(&value, digits);
    if (setting && !unit)
        return tacFail(m->err, "EXPECT SET", "line %u: %.*s is set to \"%.*s\", which is no time such as 5ms",
            (unsigned) line, TAC_SHOWN(&c.value), TAC_SHOWN(&value));
    if (clock == TAC_NONE || !unit || !c.known) {
        span->open = true;
        return noteValue(m, !c.known ? text : clock == TAC_NONE ? &name : &value);
    }
    Limit limit = {.clock = clock, .line = line};
    snprintf(limit.test, sizeof limit.test, "elapsed(%s) %.*s %.*s%s", tacInternName(&m->dot->clocks, clock, NULL),
        (int) sign.length, sign.at, (int) digits, value.at, unit);
    span->reads |= 1u << clock;
    span->count++;
    return tacArrayPush(&m->limits, limit) ? TAC_OK : tacFailMemory(m->err);
}

/* Does one of several comparisons of variables hold, which are joined by ||? -1: that is not known. */
static int anyHolds(const Making *m, const tacWord *text) {
    const char *from = text->at, *end = from + text->length;
    int any = 0;
    while (from < end) {
        const char *to = memchr(from, '|', (size_t) (end - from));
        tacWord part = trimmed(from, to ? to : end);
        int is = part.length ? holds(m, &part) : 0;
        if (is == 1) return 1;
        if (is < 0) any = -1;
        from = to ? to + 1 : end;
    }
    return any;
}

/* Reads comparisons that are joined by &&, or of variables whose values are set by ||. */
static tacStatus readLimits(Making *m, const tacWord *text, uint32_t line, Span *span) {
    if (!text->length) return TAC_OK;
    const char *from = text->at, *end = from + text->length;
    bool joined = memchr(from, '|', text->length) && !memchr(from, '&', text->length);
    int any = joined ? anyHolds(m, text) : -1;
    if (any >= 0) {
        span->never |= !any;
        return TAC_OK;
    }
    for (const char *at = from; at < end; at++) {
        if (*at != '|' && *at != '(') continue;
        if (*at == '(' && at + 1 < end && at[1] == ')') continue; /* the limit NAME() */
        span->open = true;
        return noteValue(m, text);
    }
    while (from < end) {
        const char *to = memchr(from, '&', (size_t) (end - from));
        tacWord part = trimmed(from, to ? to : end);
        if (part.length && readLimit(m, &part, line, span) != TAC_OK) return TAC_ERROR;
        from = to ? to + 1 : end;
    }
    return TAC_OK;
}

static tacStatus readAllLimits(Making *m) {
    const tacDot *dot = m->dot;
    for (size_t i = 0; i < dot->edges.count; i++) {
        const tacDotEdge *edge = &dot->edges.at[i];
        m->guards[i].first = m->limits.count;
        if (m->seen[edge->event] && readLimits(m, &edge->guard, edge->line, &m->guards[i]) != TAC_OK) return TAC_ERROR;
        if (!m->seen[edge->event]) m->guards[i].never = edge->guard.length && anyHolds(m, &edge->guard) == 0;
    }
    for (uint32_t state = 0; state < tacInternCount(&dot->states); state++) {
        m->invariants[state].first = m->limits.count;
        for (size_t i = 0; i < dot->invariants.count; i++) {
            const tacDotInvariant *invariant = &dot->invariants.at[i];
            if (invariant->state == state
                && readLimits(m, &invariant->text, invariant->line, &m->invariants[state]) != TAC_OK)
                return TAC_ERROR;
        }
    }
    return TAC_OK;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Line of the first edge with an event. */
static uint32_t lineOf(const Making *m, uint32_t event) {
    for (size_t i = 0; i < m->dot->edges.count; i++)
        if (m->dot->edges.at[i].event == event) return m->dot->edges.at[i].line;
    return m->dot->line;
}

/* Are there events of the kernel? Else, of the states of jobs only the unknown one matters. */
static bool isStepUsed(const Making *m, size_t k) {
    return m->any & (SEEN_WAKE | SEEN_IN | SEEN_OUT) || strstr(steps[k].trigger, " unknown");
}

/* Refuses an event by which others are seen. */
static tacStatus refuseStep(const Making *m, uint32_t event, const tacWord *text) {
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (isStepUsed(m, k) && tacWordIs(text, steps[k].trigger))
            return tacFail(m->err, "EXPECT DOT",
                "line %u: \"%s\" is what other events of the automaton are seen by: it can have the one or the others",
                (unsigned) lineOf(m, event), steps[k].trigger);
    return TAC_OK;
}

/* Gives an event that is one of a model, such as `mark frame*` or `jobStarted`, a bit of its own. The kernel's events
 * have no blanks and no capitals. */
static tacStatus bindOwn(Making *m, uint32_t event) {
    enum { FIRST = 5, MOST = 25 };
    tacWord text = {0};
    tacTrigger trigger = {0};
    tacError problem = {0};
    bool plain = true;
    text.at = tacInternName(&m->dot->events, event, &text.length);
    for (size_t i = 0; i < text.length; i++) plain &= text.at[i] != ' ' && !(text.at[i] >= 'A' && text.at[i] <= 'Z');
    m->own[event] = TAC_NONE;
    if (plain || m->seen[event]) return TAC_OK;
    if (refuseStep(m, event, &text) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacTriggerRead(NULL, &text, &trigger, &problem);
    tacTriggerFree(&trigger);
    if (status != TAC_OK && strcmp(problem.code, "MEMORY") == 0) return tacFailMemory(m->err);
    if (status != TAC_OK)
        return tacFail(m->err, "EXPECT DOT", "line %u: %s", (unsigned) lineOf(m, event), problem.message);
    if (m->nOwn == MOST)
        return tacFail(m->err, "EXPECT DOT", "line %u: there are more than %d events that are no kernel's",
            (unsigned) lineOf(m, event), MOST);
    m->own[event] = (uint32_t) m->nOwn;
    m->seen[event] = 1 << (FIRST + m->nOwn++);
    m->any |= m->seen[event];
    return TAC_OK;
}

/* Finds out what is seen of each event. */
static tacStatus bind(Making *m) {
    const tacInternTable *events = &m->dot->events;
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        uint32_t event = tacInternFind(events, bindings[i].name, strlen(bindings[i].name));
        bool second = bindings[i].seen == SEEN_WAKE && (m->any & SEEN_WAKE)
            && strcmp(bindings[i].name, "sched_wakeup") == 0;
        if (event == TAC_NONE || second) continue;
        m->seen[event] = bindings[i].seen;
        m->any |= bindings[i].seen;
    }
    for (uint32_t event = 0; event < tacInternCount(events); event++) {
        size_t length;
        const char *name = tacInternName(events, event, &length);
        if (bindOwn(m, event) != TAC_OK) return TAC_ERROR;
        if (!m->seen[event] && tacIntern(&m->unrecorded, name, length) == TAC_NONE) return tacFailMemory(m->err);
    }
    return TAC_OK;
}

/* Finds out where unseen events lead, and which clocks matter in a state. */
static void spread(Making *m) {
    const tacDot *dot = m->dot;
    for (size_t i = 0; i < dot->edges.count; i++) {
        const tacDotEdge *edge = &dot->edges.at[i];
        m->live[edge->from] |= m->guards[i].reads | m->invariants[edge->from].reads;
        if (m->seen[edge->event] || m->guards[i].never) continue;
        m->silent[edge->from] |= (uint64_t) 1 << edge->to;
        m->silentResets[edge->from] |= edge->resets;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < dot->edges.count; i++) {
            const tacDotEdge *edge = &dot->edges.at[i];
            uint32_t more = m->live[edge->to] & ~edge->resets & ~m->live[edge->from];
            m->live[edge->from] |= more;
            changed |= more != 0;
        }
    }
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

/* Is more not known, as the model says once? */
static bool isDoubtful(const Making *m) { return tacInternCount(&m->unrecorded) || tacInternCount(&m->values); }

/* Adds to a set what unseen events may do to it. Returns its number. */
static tacStatus setOf(Making *m, Set set, size_t *number) {
    uint32_t live = 0, n = (uint32_t) tacInternCount(&m->dot->states);
    for (uint64_t before = 0; before != set.states;) {
        before = set.states;
        for (uint32_t state = 0; state < n; state++) {
            if (!(before >> state & 1)) continue;
            set.states |= m->silent[state];
            set.unknown |= m->silentResets[state];
        }
    }
    for (uint32_t state = 0; state < n; state++)
        if (set.states >> state & 1) live |= m->live[state];
    set.unknown &= live;
    set.violated &= !isDoubtful(m) && tacInternCount(&m->dot->clocks)
        && (set.unknown || (set.states & (set.states - 1)));
    for (*number = 0; *number < m->sets.count; ++*number) {
        const Set *other = &m->sets.at[*number];
        if (other->states == set.states && other->unknown == set.unknown && other->phase == set.phase
            && other->violated == set.violated)
            return TAC_OK;
    }
    m->tooMany |= m->sets.count == MOST_SETS;
    if (m->tooMany) *number = 0;
    else if (!tacArrayPush(&m->sets, set)) return tacFailMemory(m->err);
    return TAC_OK;
}

/* Names a set, without blanks: STATE, or STATE|STATE, or (any). */
static void sayName(const Making *m, const Set *set, tacText *text) {
    uint32_t n = (uint32_t) tacInternCount(&m->dot->states), clocks = (uint32_t) tacInternCount(&m->dot->clocks);
    static const char *const phases[] = {"", "(leaving)", "(starting)", "(between-jobs)"};
    bool any = set->states == m->all && n > 1;
    if (any) tacTextAddString(text, "(any)");
    for (uint32_t state = 0, said = 0; !any && state < n; state++)
        if (set->states >> state & 1)
            tacTextPrintf(text, "%s%s", said++ ? "|" : "", tacInternName(&m->dot->states, state, NULL));
    tacTextAddString(text, phases[set->phase]);
    for (uint32_t clock = 0; clock < clocks; clock++)
        if (set->unknown >> clock & 1) tacTextPrintf(text, "(unknown-%s)", tacInternName(&m->dot->clocks, clock, NULL));
    if (set->violated) tacTextAddString(text, "(violated)");
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 10 };

static tacStatus say(const Making *m, uint32_t line, int count, const char *const *texts) {
    tacWord words[MOST_WORDS];
    if (!m->take) return TAC_OK;
    for (int i = 0; i < count; i++) words[i] = (tacWord){texts[i], strlen(texts[i])};
    return m->take(m->data, words, count, line, m->err);
}

#define SAY(m, line, ...)                                                                       \
    say((m), (line), (int) (sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)), \
        (const char *const[]){__VA_ARGS__})

/* Begins a transition; test: what it needs, or NULL. */
static tacStatus sayOn(const Making *m, uint32_t line, size_t from, const char *trigger, const char *test, size_t to) {
    tacText here = {0}, there = {0};
    sayName(m, &m->sets.at[from], &here);
    sayName(m, &m->sets.at[to], &there);
    tacStatus status = TAC_OK;
    if (here.failed || there.failed) status = tacFailMemory(m->err);
    else if (test) status = SAY(m, line, "on", here.at, trigger, "-if", test, there.at);
    else status = SAY(m, line, "on", here.at, trigger, there.at);
    tacTextFree(&here);
    tacTextFree(&there);
    return status;
}

/* Requires limits at the edges of a set; of a clock whose start is not known: says so, unless it is known why. */
static tacStatus sayLimits(const Making *m, const Span *span, uint32_t clocks, const Set *set) {
    bool doubt = isDoubtful(m) || set->violated;
    for (size_t i = 0; i < span->count; i++) {
        const Limit *limit = &m->limits.at[span->first + i];
        const char *clock = tacInternName(&m->dot->clocks, limit->clock, NULL);
        bool lost = set->unknown >> limit->clock & 1;
        if (!(clocks >> limit->clock & 1) || (lost && doubt)) continue;
        tacStatus status = lost ? SAY(m, limit->line, "require", clock, "==", "known")
                                : SAY(m, limit->line, "require", limit->test);
        if (status != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* Starts clocks, and ends the transition. */
static tacStatus sayStarts(const Making *m, uint32_t line, uint32_t clocks) {
    for (uint32_t clock = 0; clocks >> clock; clock++)
        if ((clocks >> clock & 1) && SAY(m, line, "start", tacInternName(&m->dot->clocks, clock, NULL)) != TAC_OK)
            return TAC_ERROR;
    return SAY(m, line, "end");
}

/* Says one edge, which is the only one; or one of several whose guards tell them apart. set: what it begins in; test:
 * what it needs besides, or NULL. */
static tacStatus sayEdge(
    Making *m, size_t from, const char *trigger, const char *test, size_t i, bool choice, const Set *set, Phase then) {
    const tacDotEdge *edge = &m->dot->edges.at[i];
    const Span *guard = &m->guards[i], *invariant = &m->invariants[edge->from];
    uint32_t stays = edge->from == edge->to ? edge->resets : UINT32_MAX;
    size_t to;
    Set target = {(uint64_t) 1 << edge->to, set->unknown & ~edge->resets, then, set->violated};
    if (setOf(m, target, &to) != TAC_OK
        || sayOn(m, edge->line, from, trigger, choice ? m->limits.at[guard->first].test : test, to) != TAC_OK
        || sayLimits(m, invariant, stays, set) != TAC_OK || (!choice && sayLimits(m, guard, UINT32_MAX, set) != TAC_OK))
        return TAC_ERROR;
    return sayStarts(m, edge->line, edge->resets);
}

typedef struct Fired { /* the edges out of a set by which it may go on */
    size_t first, last, count;
    uint64_t to;
    uint32_t reads;        /* clocks of their guards and invariants */
    uint32_t always, ever; /* clocks that all of them start; that some do */
    bool choice;           /* at most so many, out of one state, which their guards tell apart */
} Fired;

static Fired firedBy(const Making *m, const Set *set, int seen) {
    enum { MOST_CHOICES = 4 };
    const tacDot *dot = m->dot;
    Fired fired = {.always = UINT32_MAX, .choice = true};
    size_t chosen[MOST_CHOICES];
    for (size_t i = 0; i < dot->edges.count; i++) {
        const tacDotEdge *edge = &dot->edges.at[i];
        const Span *guard = &m->guards[i];
        if (!(m->seen[edge->event] & seen) || !(set->states >> edge->from & 1) || guard->never) continue;
        if (!fired.count) fired.first = i;
        fired.last = i;
        fired.to |= (uint64_t) 1 << edge->to;
        fired.reads |= guard->reads | m->invariants[edge->from].reads;
        fired.always &= edge->resets;
        fired.ever |= edge->resets;
        fired.choice &= fired.count < MOST_CHOICES && edge->from == dot->edges.at[fired.first].from && guard->count == 1
            && !guard->open && !(guard->reads & set->unknown);
        for (size_t k = 0; fired.choice && k < fired.count; k++)
            fired.choice = strcmp(m->limits.at[guard->first].test, m->limits.at[m->guards[chosen[k]].first].test) != 0;
        if (fired.choice) chosen[fired.count] = i;
        fired.count++;
    }
    return fired;
}

/* Says that a set does not expect what happens. */
static tacStatus sayUnexpected(Making *m, size_t from, const char *trigger, const char *test, Phase then) {
    size_t to;
    Set target = {m->all, UINT32_MAX, then, true};
    if (setOf(m, target, &to) != TAC_OK || sayOn(m, m->dot->line, from, trigger, test, to) != TAC_OK
        || SAY(m, m->dot->line, "unexpected") != TAC_OK)
        return TAC_ERROR;
    return SAY(m, m->dot->line, "end");
}

/* Says edges which their guards tell apart. */
static tacStatus sayChoice(
    Making *m, size_t from, const char *trigger, const Fired *fired, int seen, const Set *set, Phase then) {
    for (size_t i = fired->first; i <= fired->last; i++) {
        const tacDotEdge *edge = &m->dot->edges.at[i];
        if ((m->seen[edge->event] & seen) && (set->states >> edge->from & 1) && !m->guards[i].never
            && sayEdge(m, from, trigger, NULL, i, true, set, then) != TAC_OK)
            return TAC_ERROR;
    }
    return sayUnexpected(m, from, trigger, NULL, then);
}

/* Says what a set does at a trigger by which this is seen; test: what that needs, or NULL. */
static tacStatus sayCase(Making *m, size_t from, const char *trigger, const char *test, const Step *step, int seen) {
    const tacDot *dot = m->dot;
    Set set = m->sets.at[from];
    size_t to;
    if (step->lost) set = (Set){.states = m->all, .unknown = UINT32_MAX};
    if (!(seen & m->any)) {
        Set target = {set.states, set.unknown, step->then, set.violated};
        if (setOf(m, target, &to) != TAC_OK || sayOn(m, dot->line, from, trigger, test, to) != TAC_OK) return TAC_ERROR;
        return SAY(m, dot->line, "end");
    }
    Fired fired = firedBy(m, &set, seen);
    if (!fired.count) return sayUnexpected(m, from, trigger, test, step->then);
    if (fired.count == 1) return sayEdge(m, from, trigger, test, fired.first, false, &set, step->then);
    if (fired.choice && !test) return sayChoice(m, from, trigger, &fired, seen, &set, step->then);
    uint32_t line = dot->edges.at[fired.first].line;
    Set target = {fired.to, (set.unknown & ~fired.always) | (fired.ever & ~fired.always), step->then, set.violated};
    if (setOf(m, target, &to) != TAC_OK || sayOn(m, line, from, trigger, test, to) != TAC_OK) return TAC_ERROR;
    bool doubt = isDoubtful(m) || set.violated;
    for (uint32_t clock = 0; !doubt && fired.reads >> clock; clock++)
        if ((fired.reads >> clock & 1)
            && SAY(m, line, "require", tacInternName(&dot->clocks, clock, NULL), "==", "known") != TAC_OK)
            return TAC_ERROR;
    return sayStarts(m, line, fired.always);
}

/* Is there an event that is seen by one, and not by the other? */
static bool differ(const Making *m, int seen, int other) {
    for (uint32_t event = 0; event < tacInternCount(&m->dot->events); event++)
        if (!(m->seen[event] & seen) != !(m->seen[event] & other)) return true;
    return false;
}

/* Says what a set does at a trigger. */
static tacStatus sayStep(Making *m, size_t from, const char *trigger, const Step *step) {
    if (step->queued && differ(m, step->seen, step->instead)
        && sayCase(m, from, trigger, step->queued, step, step->instead) != TAC_OK)
        return TAC_ERROR;
    return sayCase(m, from, trigger, NULL, step, step->seen);
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

/* Adds "A, B and C" of a table, shortened. */
static void sayNames(const tacInternTable *table, tacText *text) {
    enum { MOST_NAMES = 8 };
    size_t n = tacInternCount(table), shown = n > MOST_NAMES ? MOST_NAMES : n;
    for (uint32_t i = 0; i < shown; i++)
        tacTextPrintf(text, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", tacInternName(table, i, NULL));
    if (shown < n) tacTextPrintf(text, " and %zu more", n - shown);
}

/* Says why the model is uncertain. */
static void sayDoubt(const Making *m, tacText *text) {
    size_t events = tacInternCount(&m->unrecorded), values = tacInternCount(&m->values);
    if (m->tooMany) tacTextAddString(text, "it may be in too many states at once");
    if (m->tooMany && (events || values)) tacTextAddString(text, ", since ");
    if (events) tacTextAddString(text, "a trace does not record ");
    sayNames(&m->unrecorded, text);
    if (events && values) tacTextAddString(text, ", and ");
    if (values) tacTextAddString(text, values == 1 ? "the value of " : "the values of ");
    sayNames(&m->values, text);
    if (values) tacTextAddString(text, values == 1 ? " is not known" : " are not known");
}

static tacStatus sayHead(const Making *m, const char *name) {
    const char *words[MOST_WORDS] = {"model", name, "-each", "task"};
    tacText text = {0};
    int n = 4;
    sayDoubt(m, &text);
    if (text.length) {
        words[n++] = "-unjudged";
        words[n++] = text.at;
    }
    if (m->any & SEEN_WAKE) {
        words[n++] = "-needs";
        words[n++] = "jobArrived";
    }
    tacStatus status = text.failed ? tacFailMemory(m->err) : say(m, m->dot->line, n, words);
    tacTextFree(&text);
    return status;
}

static tacStatus sayState(const Making *m, size_t i) {
    const char *words[4] = {"state"};
    const Set *set = &m->sets.at[i];
    tacText text = {0};
    int n = 2;
    sayName(m, set, &text);
    words[1] = text.at;
    if (i == 0) words[n++] = "-initial";
    if (m->dot->final & set->states) words[n++] = "-final";
    tacStatus status = text.failed ? tacFailMemory(m->err) : say(m, m->dot->line, n, words);
    tacTextFree(&text);
    return status;
}

/* Says what a set does at the events that are those of a model. */
static tacStatus sayOwn(Making *m, size_t from) {
    for (uint32_t event = 0; event < tacInternCount(&m->dot->events); event++) {
        if (m->own[event] == TAC_NONE) continue;
        Phase phase = m->sets.at[from].phase;
        Step step = {m->seen[event], phase, phase == PHASE_BETWEEN, NULL, 0};
        if (sayStep(m, from, tacInternName(&m->dot->events, event, NULL), &step) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* Says all transitions; new sets join behind. */
static tacStatus saySteps(Making *m) {
    for (size_t i = 0; i < m->sets.count && !m->tooMany; i++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
            if (isStepUsed(m, k) && sayStep(m, i, steps[k].trigger, &steps[k].by[m->sets.at[i].phase]) != TAC_OK)
                return TAC_ERROR;
        if (sayOwn(m, i) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static tacStatus make(Making *m, const char *name, tacStatementTaker *take) {
    const tacDot *dot = m->dot;
    size_t n = tacInternCount(&dot->states), first;
    m->all = n == TAC_DOT_STATES ? UINT64_MAX : ((uint64_t) 1 << n) - 1;
    m->seen = tacAllocZero(tacInternCount(&dot->events) + 1, sizeof *m->seen);
    m->guards = tacAllocZero(dot->edges.count + 1, sizeof *m->guards);
    m->own = tacAllocZero(tacInternCount(&dot->events) + 1, sizeof *m->own);
    if (!m->seen || !m->guards || !m->own) return tacFailMemory(m->err);
    if (bind(m) != TAC_OK || readAllLimits(m) != TAC_OK) return TAC_ERROR;
    spread(m);
    if (setOf(m, (Set){dot->initial, UINT32_MAX, PHASE_PLAIN, false}, &first) != TAC_OK || saySteps(m) != TAC_OK)
        return TAC_ERROR;
    m->take = take;
    if (m->tooMany) m->sets.count = 1;
    if (sayHead(m, name) != TAC_OK) return TAC_ERROR;
    for (size_t i = 0; i < m->sets.count; i++)
        if (sayState(m, i) != TAC_OK) return TAC_ERROR;
    return saySteps(m) == TAC_OK ? SAY(m, dot->line, "end") : TAC_ERROR;
}

tacStatus tacDotStatements(const tacDot *dot, const tacWord *name, const tacFileSettings *set, tacStatementTaker *take,
    void *data, tacError *err) {
    Making m = {.dot = dot, .set = set, .data = data, .err = err};
    char *text = tacCopyText(name->at, name->length);
    tacStatus status = text ? make(&m, text, take) : tacFailMemory(err);
    tacFree(text);
    tacFree(m.seen);
    tacFree(m.own);
    tacFree(m.guards);
    tacArrayFree(&m.limits);
    tacArrayFree(&m.sets);
    tacInternFree(&m.unrecorded);
    tacInternFree(&m.values);
    return status;
}
