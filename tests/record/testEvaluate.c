/*
 * testEvaluate.c -- evaluations get elements of many sensors in order of time: compared with a slow reference over
 * random cases, and by hand; sensors, programs and evaluations come and go meanwhile.
 *
 * Prints a line for each test, "ok NAME" or "FAILED NAME: why"; the exit status is 1 if one failed. Arguments: random
 * cases, the number of the first, a folder for directories.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/tactusrec_evaluate.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t seed;
static uint32_t random32(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t) (seed >> 33);
}
static uint32_t below(uint32_t n) { return random32() % n; }

/* ---- inputs with a script ---------------------------------------------------------------------------------------- */

enum { INPUTS = 6, ELEMENTS = 60, EVALUATIONS = 8, LOG = INPUTS * ELEMENTS };

typedef struct Script {
    tacrec_entry entry;
    uint32_t count, given;
    uint64_t times[ELEMENTS], seen[ELEMENTS]; /* when it was written, and when it can be read */
    uint64_t values[ELEMENTS];
    uint64_t missed[ELEMENTS];
    bool ends, closed;
} Script;

static int nextOfScript(void *data, uint64_t now, tacrec_read *read) {
    Script *script = data;
    if (script->given == script->count) return script->ends ? -1 : 0;
    if (script->seen[script->given] > now) return 0;
    read->time = script->times[script->given];
    read->number = script->given;
    read->missed = script->missed[script->given];
    memcpy(read->data, &script->values[script->given], 8);
    script->given++;
    return 1;
}

static void closeScript(void *data) { ((Script *) data)->closed = true; }

static void describeScript(Script *script, const char *name) {
    script->entry.state = TACREC_READY;
    script->entry.kind = TACREC_SIMPLE;
    script->entry.size = 8;
    script->entry.fieldCount = 1;
    script->entry.fields[0] = (tacrec_fieldEntry){"value", TACREC_UNSIGNED, 0, 8};
    snprintf(script->entry.name, sizeof script->entry.name, "%s", name);
}

static void say(Script *script, uint64_t time, uint64_t value, uint64_t missed) {
    script->times[script->count] = script->seen[script->count] = time;
    script->values[script->count] = value;
    script->missed[script->count++] = missed;
}

static void addScript(tacrec_evaluator *all, Script *script) {
    tacrec_input input = {&script->entry, "program", 7, nextOfScript, closeScript, script};
    if (!tacrec_evaluatorInput(all, &input)) abort();
}

/* ---- what an evaluation has seen --------------------------------------------------------------------------------- */

typedef struct Item {
    uint32_t input;
    uint64_t number, time;
    bool late;
} Item;

typedef struct Log {
    tacrec_evaluation evaluation;
    Item items[LOG];
    uint32_t count;
    uint64_t passed;
    bool odd; /* wants those with odd numbers only */
    bool fine, gone, pending, active;
} Log;

static bool prepareLog(void *data, const tacrec_seen *element) {
    Log *log = data;
    log->pending = !log->odd || element->read->number % 2;
    return log->pending;
}

static void commitLog(void *data, const tacrec_seen *element) {
    Log *log = data;
    log->fine = log->fine && log->pending && !log->gone && log->count < LOG
        && (element->late || element->read->time >= log->passed);
    log->pending = false;
    log->items[log->count++] = (Item){element->input, element->read->number, element->read->time, element->late};
}

static void passedLog(void *data, uint64_t time) {
    Log *log = data;
    log->fine = log->fine && time >= log->passed && !log->gone;
    log->passed = time;
}

static void removedLog(void *data) { ((Log *) data)->gone = true; }

static void beginLog(Log *log, const char *first, const char *second) {
    memset(log, 0, sizeof *log);
    log->evaluation.sensors[0] = first;
    log->evaluation.sensors[1] = second;
    log->evaluation.prepare = prepareLog;
    log->evaluation.commit = commitLog;
    log->evaluation.passed = passedLog;
    log->evaluation.removed = removedLog;
    log->evaluation.data = log;
    log->fine = true;
}

/* ---- random cases ------------------------------------------------------------------------------------------------ */

/* The same by a search through all inputs for each element. Names have one letter, patterns too. */
typedef struct Reference {
    Script *scripts[INPUTS];
    uint32_t count, at[INPUTS];
    uint64_t wait, reached;
    struct {
        const Log *log;
        bool active;
        Item items[LOG];
        uint32_t count;
    } of[EVALUATIONS];
    uint64_t late;
} Reference;

static bool isWanted(const Log *log, const Script *script) {
    for (int k = 0; k < 2; k++) {
        const char *pattern = log->evaluation.sensors[k];
        if (pattern && (pattern[0] == '*' || pattern[0] == script->entry.name[0])) return true;
    }
    return false;
}

static uint64_t referenceStep(Reference *r, uint64_t now, uint64_t most) {
    uint64_t given = 0;
    for (; given < most; given++) {
        int best = -1;
        bool waiting = false;
        for (uint32_t i = 0; i < r->count; i++) {
            const Script *s = r->scripts[i];
            if (r->at[i] == s->count) waiting = waiting || !s->ends;
            else if (s->seen[r->at[i]] > now) waiting = true;
            else if (best < 0 || s->times[r->at[i]] < r->scripts[best]->times[r->at[best]]) best = (int) i;
        }
        if (best < 0) break;
        uint64_t time = r->scripts[best]->times[r->at[best]];
        if (waiting && (now < r->wait || time > now - r->wait)) break;
        bool late = time < r->reached;
        if (!late) r->reached = time;
        r->late += late;
        for (int e = 0; e < EVALUATIONS; e++) {
            const Log *log = r->of[e].log;
            if (!r->of[e].active || !isWanted(log, r->scripts[best]) || (late && !log->evaluation.late)) continue;
            if (log->odd && r->at[best] % 2 == 0) continue;
            r->of[e].items[r->of[e].count++] = (Item){(uint32_t) best, r->at[best], time, late};
        }
        r->at[best]++;
    }
    /* All that was to come has come up to here. */
    uint64_t settled = now > r->wait ? now - r->wait : 0, oldest = UINT64_MAX;
    bool waiting = false;
    for (uint32_t i = 0; i < r->count; i++) {
        const Script *s = r->scripts[i];
        if (r->at[i] == s->count) waiting = waiting || !s->ends;
        else if (s->seen[r->at[i]] > now) waiting = true;
        else if (s->times[r->at[i]] < oldest) oldest = s->times[r->at[i]];
    }
    if (oldest != UINT64_MAX && (oldest < settled || !waiting)) settled = oldest;
    if (settled > r->reached) r->reached = settled;
    return given;
}

static bool sameItems(const Item *a, const Item *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (a[i].input != b[i].input || a[i].number != b[i].number || a[i].time != b[i].time || a[i].late != b[i].late)
            return false;
    return true;
}

/* Times that grow by steps of 0 .. 40, or by much; `delay`: at most so much later they can be read. */
static void fillScript(Script *script, uint32_t delay) {
    uint64_t time = 1000 + below(2000), seen = 0;
    script->count = below(ELEMENTS + 1);
    script->ends = below(2);
    for (uint32_t i = 0; i < script->count; i++) {
        time += below(8) ? below(40) : below(3000);
        script->times[i] = time;
        if (time + below(delay + 1) > seen) seen = time + below(delay + 1);
        script->seen[i] = seen;
    }
}

/* An independent truth: if nothing is read later than `wait`, an evaluation that was there all the time has everything
 * in order, and nothing is late. */
static bool isSorted(const Log *log, Script *const *scripts, uint32_t count) {
    uint32_t expected = 0;
    for (uint32_t i = 0; i < count; i++)
        if (isWanted(log, scripts[i])) expected += log->odd ? scripts[i]->count / 2 : scripts[i]->count;
    for (uint32_t i = 0; i < log->count; i++)
        if (log->items[i].late || (i && log->items[i].time < log->items[i - 1].time)) return false;
    return log->count == expected;
}

typedef struct Case {
    tacrec_evaluator *all;
    Reference reference;
    Log logs[EVALUATIONS];
    uint32_t always; /* evaluations that stay from the beginning to the end */
} Case;

static void addRandom(Case *c, uint32_t e) {
    static const char *const patterns[] = {"a", "b", "c", "*", "[a]"};
    if (c->logs[e].active || c->logs[e].gone) return;
    beginLog(&c->logs[e], patterns[below(4)], below(2) ? patterns[below(4)] : NULL);
    c->logs[e].evaluation.late = below(2);
    c->logs[e].odd = below(3) == 0;
    c->logs[e].active = c->reference.of[e].active = true;
    c->reference.of[e].log = &c->logs[e];
    if (!tacrec_evaluatorAdd(c->all, &c->logs[e].evaluation)) abort();
}

static void removeRandom(Case *c, uint32_t e) {
    if (!c->logs[e].active) return;
    c->logs[e].active = c->reference.of[e].active = false;
    tacrec_evaluatorRemove(c->all, &c->logs[e].evaluation);
}

/* Returns NULL, or what is wrong. */
static const char *randomCase(uint64_t number) {
    static Case c;
    static Script scripts[INPUTS];
    const char *wrong = NULL;
    memset(&c, 0, sizeof c);
    memset(scripts, 0, sizeof scripts);
    seed = number * 0x9E3779B97F4A7C15ull + 1;
    c.reference.wait = below(3) ? below(300) : 0;
    bool inTime = below(2);
    c.all = tacrec_evaluatorNew(c.reference.wait);
    c.reference.count = 1 + below(INPUTS);
    for (uint32_t i = 0; i < c.reference.count; i++) {
        describeScript(&scripts[i], below(3) == 0 ? "a" : below(2) ? "b" : "c");
        fillScript(&scripts[i], inTime ? (uint32_t) c.reference.wait : 2 * (uint32_t) c.reference.wait + 200);
        c.reference.scripts[i] = &scripts[i];
        addScript(c.all, &scripts[i]);
    }
    c.always = below(4);
    for (uint32_t e = 0; e < c.always; e++) addRandom(&c, e);
    uint64_t now = 0;
    for (int step = 0; step < 400 && !wrong; step++) {
        now += below(200);
        if (step == 399) now += 1000000;
        uint32_t e = c.always + below(EVALUATIONS - c.always);
        if (below(4) == 0) addRandom(&c, e);
        else if (below(6) == 0) removeRandom(&c, e);
        uint64_t most = step == 399 ? 1000000 : below(3) ? below(20) : 1000;
        if (below(10) == 0) tacrec_evaluatorLook(c.all);
        if (tacrec_evaluatorStep(c.all, now, most) != referenceStep(&c.reference, now, most))
            wrong = "number of elements";
    }
    for (uint32_t e = 0; e < EVALUATIONS && !wrong; e++) {
        if (c.logs[e].count != c.reference.of[e].count) wrong = "what an evaluation got";
        else if (!sameItems(c.logs[e].items, c.reference.of[e].items, c.logs[e].count)) wrong = "order";
        else if (c.reference.of[e].log && !c.logs[e].fine) wrong = "prepare, commit, passed";
    }
    for (uint32_t e = 0; e < c.always && inTime && !wrong; e++)
        if (!isSorted(&c.logs[e], c.reference.scripts, c.reference.count)) wrong = "not all in order, though in time";
    if (!wrong && tacrec_evaluatorCount(c.all).late != c.reference.late) wrong = "late elements";
    if (!wrong && inTime && c.reference.late) wrong = "late elements, though in time";
    tacrec_evaluatorFree(c.all);
    for (uint32_t e = 0; e < EVALUATIONS && !wrong; e++)
        if (c.reference.of[e].log && !c.logs[e].gone) wrong = "not removed";
    for (uint32_t i = 0; i < c.reference.count && !wrong; i++)
        if (!scripts[i].closed) wrong = "an input that was not closed";
    return wrong;
}

static void testRandom(uint64_t first, uint64_t count) {
    for (uint64_t n = first; n < first + count; n++) {
        const char *wrong = randomCase(n);
        if (!wrong) continue;
        CHECK("random cases", false, "case %llu: %s", (unsigned long long) n, wrong);
        return;
    }
    CHECK("random cases", true, " ");
}

/* ---- evaluations and one another --------------------------------------------------------------------------------- */

typedef struct Pair {
    tacrec_evaluation evaluation;
    tacrec_evaluator *all;
    struct Pair *other;
    int count, otherSeen; /* elements; what the other had when this one was asked last */
    int removeOtherAt;
    bool gone;
} Pair;

static bool preparePair(void *data, const tacrec_seen *element) {
    Pair *p = data;
    (void) element;
    p->otherSeen = p->other->count;
    return true;
}
static void commitPair(void *data, const tacrec_seen *element) {
    Pair *p = data;
    (void) element;
    if (++p->count == p->removeOtherAt) tacrec_evaluatorRemove(p->all, &p->other->evaluation);
}
static void removedPair(void *data) { ((Pair *) data)->gone = true; }

/* Both see what the other was before the element; one that is removed by the other gets nothing more, not even of the
 * element that is being given. */
static void testPairs(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    Script script = {.count = 0};
    Pair a, b;
    describeScript(&script, "s");
    for (uint64_t i = 0; i < 5; i++) say(&script, 10 + i, i, 0);
    addScript(all, &script);
    a = (Pair){.all = all, .other = &b, .removeOtherAt = 3};
    b = (Pair){.all = all, .other = &a};
    a.evaluation = b.evaluation = (tacrec_evaluation){
        .sensors = {"s"}, .prepare = preparePair, .commit = commitPair, .removed = removedPair};
    a.evaluation.data = &a;
    b.evaluation.data = &b;
    tacrec_evaluatorAdd(all, &a.evaluation);
    tacrec_evaluatorAdd(all, &b.evaluation);
    bool fine = tacrec_evaluatorStep(all, 100, 2) == 2 && a.count == 2 && b.count == 2 && a.otherSeen == 1
        && b.otherSeen == 1;
    fine = fine && tacrec_evaluatorStep(all, 100, 9) == 3 && a.count == 5 && b.count == 2 && !b.gone;
    fine = fine && tacrec_evaluatorStep(all, 100, 9) == 0 && b.gone && !a.gone;
    CHECK("all are asked before one changes", fine, "a %d %d, b %d %d", a.count, a.otherSeen, b.count, b.otherSeen);
    tacrec_evaluation many[TACREC_EVALUATIONS + 1];
    int added = 0;
    for (int i = 0; i <= TACREC_EVALUATIONS; i++) {
        many[i] = (tacrec_evaluation){.sensors = {"s"}, .commit = commitPair, .data = &a};
        added += tacrec_evaluatorAdd(all, &many[i]);
    }
    tacrec_evaluatorRemove(all, &many[0]);
    tacrec_evaluatorStep(all, 100, 9);
    added += tacrec_evaluatorAdd(all, &many[TACREC_EVALUATIONS]);
    CHECK("so many evaluations and no more", added == TACREC_EVALUATIONS, "%d", added);
    tacrec_evaluatorFree(all);
    CHECK("all are removed at the end", a.gone, " ");
}

/* ---- wild and missed ----------------------------------------------------------------------------------------------
 */

static void testWild(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(10);
    Script wild = {.count = 0}, other = {.count = 0};
    Log log;
    describeScript(&wild, "w");
    describeScript(&other, "o");
    say(&wild, UINT64_MAX, 0, 0);
    wild.seen[0] = 0;
    say(&wild, 50, 1, 4);
    say(&other, 30, 2, 0);
    say(&other, 60, 3, 2);
    addScript(all, &wild);
    addScript(all, &other);
    beginLog(&log, "*", NULL);
    tacrec_evaluatorAdd(all, &log.evaluation);
    tacrec_evaluatorStep(all, 40, 99); /* UINT64_MAX becomes 40, of after 40 - 10 */
    bool fine = log.count == 1 && log.items[0].time == 30;
    tacrec_evaluatorStep(all, 1000, 99);
    fine = fine && log.count == 4 && log.items[1].time == 40 && log.items[2].time == 50 && log.items[3].time == 60;
    tacrec_evaluated done = tacrec_evaluatorCount(all);
    CHECK("a time in the future holds nothing up", fine && done.wild == 1, "%u given, %llu wild", log.count,
        (unsigned long long) done.wild);
    CHECK("what was missed is counted", done.missed == 6 && done.elements == 4 && done.late == 0, "%llu",
        (unsigned long long) done.missed);
    tacrec_evaluatorFree(all);
}

/* An evaluation with as many patterns as there may be, of which one fits, or none. */
static void testPatterns(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    Script script = {.count = 0};
    Log last, none;
    describeScript(&script, "s");
    say(&script, 10, 1, 0);
    addScript(all, &script);
    beginLog(&last, NULL, NULL);
    beginLog(&none, NULL, NULL);
    for (int k = 0; k < TACREC_PATTERNS; k++) last.evaluation.sensors[k] = none.evaluation.sensors[k] = "other";
    last.evaluation.sensors[TACREC_PATTERNS - 1] = "s";
    last.evaluation.program = none.evaluation.program = "*";
    tacrec_evaluatorAdd(all, &last.evaluation);
    tacrec_evaluatorAdd(all, &none.evaluation);
    tacrec_evaluatorStep(all, 100, 9);
    CHECK("the last pattern fits, or none", last.count == 1 && none.count == 0, "%u, %u", last.count, none.count);
    tacrec_evaluatorFree(all);
}

/* ---- ready-made ones --------------------------------------------------------------------------------------------- */

static double lastValue;
static uint64_t lastTime;
static int alarms;
static void noteAlarm(void *data, double value, uint64_t time, const tacrec_seen *element) {
    (void) data;
    (void) element;
    lastValue = value;
    lastTime = time;
    alarms++;
}

static void testHistogram(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    Script begin = {.count = 0}, end = {.count = 0};
    tacrec_histogram values, spans, distances;
    describeScript(&begin, "begin");
    describeScript(&end, "end");
    say(&begin, 100, 1, 0);
    say(&begin, 110, 2, 0);
    say(&end, 130, 1, 0); /* 30 */
    say(&end, 190, 2, 0); /* 80 */
    say(&begin, 200, 3, 0);
    say(&begin, 210, 3, 0); /* the one before is broken */
    say(&end, 215, 3, 0);   /* 5 */
    say(&begin, 300, 4, 0);
    say(&end, 320, 4, 1); /* one was missed: perhaps the end of this one */
    say(&end, 330, 9, 0); /* which never began */
    addScript(all, &begin);
    addScript(all, &end);
    memset(&values, 0, sizeof values);
    memset(&spans, 0, sizeof spans);
    memset(&distances, 0, sizeof distances);
    values.evaluation.sensors[0] = "begin";
    values.of = TACREC_OF_FIELD;
    values.field = "value";
    values.first = 2;
    values.width = 1;
    values.bins = 2;
    values.most = INFINITY;
    spans.evaluation.sensors[0] = "begin";
    spans.evaluation.sensors[1] = "end";
    spans.of = TACREC_OF_SPAN;
    spans.field = "value";
    spans.width = 10;
    spans.bins = 10;
    spans.most = 79;
    spans.alarm = noteAlarm;
    distances.evaluation.sensors[0] = "end";
    distances.of = TACREC_OF_DISTANCE;
    distances.width = 100;
    distances.bins = 1;
    distances.most = INFINITY;
    tacrec_histogramBegin(&values);
    tacrec_histogramBegin(&spans);
    tacrec_histogramBegin(&distances);
    tacrec_evaluatorAdd(all, &values.evaluation);
    tacrec_evaluatorAdd(all, &spans.evaluation);
    tacrec_evaluatorAdd(all, &distances.evaluation);
    CHECK("quantile of nothing", isnan(tacrec_histogramQuantile(&spans, 0.5)), " ");
    tacrec_evaluatorStep(all, 1000, 99);
    /* 1 2 3 3 4: below 2 there is one; 2; 3 3; above 3 there is one */
    CHECK("histogram of values",
        values.count == 5 && values.below == 1 && values.counts[0] == 1 && values.counts[1] == 2 && values.above == 1
            && values.sum == 13 && values.least == 1 && values.largest == 4,
        "%llu values", (unsigned long long) values.count);
    CHECK("histogram of spans",
        spans.count == 3 && spans.counts[0] == 1 && spans.counts[3] == 1 && spans.counts[8] == 1 && spans.broken == 2
            && spans.sum == 115,
        "%llu spans, %llu broken", (unsigned long long) spans.count, (unsigned long long) spans.broken);
    CHECK("a span over its limit", alarms == 1 && lastValue == 80 && lastTime == 190 && spans.alarms == 1, "%d alarms",
        alarms);
    /* 60, 25, not known, 10 */
    CHECK("histogram of distances",
        distances.count == 3 && distances.sum == 95 && distances.broken == 1 && distances.least == 10, "%llu distances",
        (unsigned long long) distances.count);
    /* Of 5, 30 and 80: at a third the end of the bin of 5; at a half that of 30; at the end the largest. */
    CHECK("quantiles",
        tacrec_histogramQuantile(&spans, 1.0 / 3) == 10 && tacrec_histogramQuantile(&spans, 0.5) == 40
            && tacrec_histogramQuantile(&spans, 1) == 80 && tacrec_histogramQuantile(&spans, 0) == 5,
        " ");
    tacrec_evaluatorFree(all);
}

/* A window of 640 has 64 slots of 10. */
static void testMeter(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    Script script = {.count = 0};
    tacrec_meter meter;
    describeScript(&script, "s");
    say(&script, 1000, 0, 0);
    for (uint64_t i = 0; i < 4; i++) say(&script, 1100 + i, 0, 0);
    say(&script, 1629, 0, 1); /* and one that was missed: 7 in the window of 1000 .. 1639 */
    say(&script, 1640, 0, 0); /* the first is gone: 7 again, not told once more */
    say(&script, 2000, 0, 0); /* without the four: 4 */
    addScript(all, &script);
    memset(&meter, 0, sizeof meter);
    meter.evaluation.sensors[0] = "s";
    meter.window = 640;
    meter.least = 1;
    meter.most = 6;
    meter.alarm = noteAlarm;
    tacrec_meterBegin(&meter);
    tacrec_evaluatorAdd(all, &meter.evaluation);
    alarms = 0;
    tacrec_evaluatorStep(all, 1105, 99);
    bool fine = meter.count == 5 && alarms == 0;
    tacrec_evaluatorStep(all, 1650, 99);
    fine = fine && meter.count == 7 && meter.largest == 7 && alarms == 1 && lastTime == 1629 && lastValue == 7;
    CHECK("a meter, and its alarm", fine, "%llu, %d alarms", (unsigned long long) meter.count, alarms);
    tacrec_evaluatorStep(all, 2000, 99);
    fine = meter.count == 4 && alarms == 1;
    /* The last one is at 2000, in the slot of 2000 .. 2009: it is in the windows that end before 2640. The first
     * window without it begins at 2010 and ends at 2650. */
    tacrec_evaluatorStep(all, 2645, 99);
    fine = fine && alarms == 1 && meter.count == 0;
    tacrec_evaluatorStep(all, 2655, 99);
    fine = fine && alarms == 2 && lastTime == 2650 && lastValue == 0;
    tacrec_evaluatorStep(all, 9000000000, 99);
    fine = fine && alarms == 2 && meter.count == 0 && meter.alarms == 2;
    CHECK("a meter that falls silent", fine, "%llu, %d alarms, last at %llu", (unsigned long long) meter.count, alarms,
        (unsigned long long) lastTime);
    tacrec_evaluatorFree(all);
}

static bool isLarge(void *data, const tacrec_transition *transition, const tacrec_seen *element) {
    double value;
    (void) data, (void) transition;
    return tacrec_fieldNumber(element, tacrec_fieldOf(element->entry, "value"), &value) && value >= 10;
}

static char story[400];
static void tellStory(void *data, tacrec_machineSays what, uint64_t time, const tacrec_seen *element) {
    const tacrec_machine *machine = data;
    size_t length = strlen(story);
    snprintf(story + length, sizeof story - length, "%s%u@%llu%s ",
        what == TACREC_SAYS_ENTERED          ? "in"
            : what == TACREC_SAYS_LONG       ? "long"
            : what == TACREC_SAYS_UNEXPECTED ? "unexpected"
                                             : "lost",
        machine->state == TACREC_UNKNOWN ? 99 : machine->state, (unsigned long long) time, element ? "" : "-");
}

/* idle (0) -start-> busy (1) -stop-> idle; a large start goes to 2, which ends by a stop, too. */
static void testMachine(void) {
    static const tacrec_transition transitions[] = {
        {0, 2, 0, isLarge}, {0, 1, 0, NULL}, {1, 0, 1, NULL}, {2, 0, 1, NULL}};
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    Script start = {.count = 0}, stop = {.count = 0};
    tacrec_machine machine;
    describeScript(&start, "start");
    describeScript(&stop, "stop");
    say(&start, 100, 1, 0);
    say(&stop, 120, 0, 0);
    say(&start, 130, 10, 0);
    say(&stop, 190, 0, 0);  /* 60 in 2, of which 50 are allowed: told at 180 */
    say(&stop, 195, 0, 0);  /* unexpected in 0 */
    say(&start, 200, 1, 3); /* after some that were missed: 1 or 2, but its value says which */
    say(&start, 210, 1, 0); /* in 1 it is unexpected */
    say(&stop, 300, 0, 1);  /* missed again; a stop leads to 0 from wherever it is expected */
    addScript(all, &start);
    addScript(all, &stop);
    memset(&machine, 0, sizeof machine);
    machine.evaluation.sensors[0] = "start";
    machine.evaluation.sensors[1] = "stop";
    machine.transitions = transitions;
    machine.transitionCount = 4;
    machine.states = 3;
    machine.limits[2] = 50;
    machine.limits[0] = 1000;
    machine.says = tellStory;
    machine.data = &machine;
    bool fine = tacrec_machineBegin(&machine);
    story[0] = 0;
    tacrec_evaluatorAdd(all, &machine.evaluation);
    tacrec_evaluatorStep(all, 50, 99); /* watched from here on */
    tacrec_evaluatorStep(all, 185, 99);
    CHECK("a state that lasts too long is told before it ends",
        fine && !strcmp(story, "in1@100 in0@120 in2@130 long2@180- "), "%s", story);
    story[0] = 0;
    tacrec_evaluatorStep(all, 300, 99);
    tacrec_evaluatorStep(all, 1301, 99);
    tacrec_evaluatorStep(all, 5000, 99);
    CHECK("what a machine says",
        !strcmp(story, "in0@190 unexpected0@195 lost99@200 in1@200 unexpected1@210 lost99@300 in0@300 long0@1300- "),
        "%s", story);
    /* 0: 50 .. 100 and 120 .. 130; what began at 190 and 300 has no known end. 1: 100 .. 120. 2: 130 .. 190. */
    CHECK("times in states",
        machine.spent[0] == 60 && machine.spent[1] == 20 && machine.spent[2] == 60 && machine.longest[0] == 50
            && machine.entered[0] == 3 && machine.entered[1] == 2 && machine.entered[2] == 1,
        "%llu %llu %llu", (unsigned long long) machine.spent[0], (unsigned long long) machine.spent[1],
        (unsigned long long) machine.spent[2]);
    tacrec_evaluatorFree(all);
    machine.states = 2;
    CHECK("a machine with a state too many", !tacrec_machineBegin(&machine), " ");
}

/* ---- programs that come and go ----------------------------------------------------------------------------------- */

static const tacrec_field oneField[] = {{"value", TACREC_UNSIGNED, 0, 8}};
static const tacrec_layout layouts[] = {
    {.name = "simple", .kind = TACREC_SIMPLE, .size = 8, .capacity = 1000, .fields = oneField, .fieldCount = 1},
    {.name = "concurrent", .kind = TACREC_CONCURRENT, .size = 8, .capacity = 1000, .fields = oneField, .fieldCount = 1},
    {.name = "threads", .kind = TACREC_PER_THREAD, .size = 8, .capacity = 1000, .fields = oneField, .fieldCount = 1}};

static void write1(tacrec_sensor *sensor, uint64_t value) {
    uint64_t *place = tacrec_write(sensor);
    *place = value;
    tacrec_commit(sensor, place);
}

/* Of one input or many: elements come in order of time and number. */
typedef struct Sum {
    tacrec_evaluation evaluation;
    uint64_t count, missed, lastTime, numbers[64];
    bool fine;
    uint32_t thread;
} Sum;

static void commitSum(void *data, const tacrec_seen *element) {
    Sum *sum = data;
    uint64_t *number = &sum->numbers[element->input % 64];
    if (!element->late) {
        sum->fine = sum->fine && element->read->time >= sum->lastTime;
        sum->lastTime = element->read->time;
    }
    sum->fine = sum->fine && element->read->number == *number + element->read->missed;
    *number = element->read->number + 1;
    sum->count++;
    sum->missed += element->read->missed;
    if (element->read->thread) sum->thread = element->read->thread;
}

static void beginSum(Sum *sum, const char *pattern, const char *program) {
    memset(sum, 0, sizeof *sum);
    sum->fine = true;
    sum->evaluation = (tacrec_evaluation){
        .sensors = {pattern}, .program = program, .late = true, .commit = commitSum, .data = sum};
}

/* A child process that writes into a directory and then waits, or is killed. */
static pid_t startProgram(const char *folder, const char *name, uint64_t elements, int *go, bool held) {
    int ready[2], ends[2];
    if (pipe(ready) || pipe(ends)) abort();
    pid_t pid = fork();
    if (pid) {
        char byte;
        close(ready[1]);
        close(ends[0]);
        if (read(ready[0], &byte, 1) != 1) abort();
        close(ready[0]);
        *go = ends[1];
        return pid;
    }
    static tacrec_directory directory;
    static tacrec_sensor sensors[2];
    char byte = 0;
    for (int end = 3; end < 64; end++) /* of pipes to other programs, which would not see them closed */
        if (end != ready[1] && end != ends[0]) close(end);
    if (tacrec_open(&directory, folder, name, 1 << 20, 0)) _exit(1);
    directory.hooks.processor = NULL; /* one ring, however many processors there are */
    for (int k = 0; k < 2; k++) tacrec_add(&directory, &sensors[k], &layouts[k]);
    for (uint64_t i = 0; i < elements; i++) write1(&sensors[i % 2], i);
    if (held) {
        tacrec_write(&sensors[1]); /* begun, and never finished */
        write1(&sensors[1], elements);
    }
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    if (read(ends[0], &byte, 1) < 0) _exit(1); /* until the other end is closed */
    tacrec_close(&directory, false);
    _exit(0);
}

static void endProgram(pid_t pid, int go, bool killed) {
    int status;
    if (killed) kill(pid, SIGKILL);
    close(go);
    waitpid(pid, &status, 0);
}

static void testPrograms(const char *folder) {
    tacrec_evaluator *all = tacrec_evaluatorNew(1000000);
    Sum every, one;
    int go[3];
    beginSum(&every, "*", NULL);
    beginSum(&one, "simple", "two*");
    tacrec_evaluatorAdd(all, &every.evaluation);
    tacrec_evaluatorAdd(all, &one.evaluation);
    pid_t early = startProgram(folder, "early", 10, &go[0], false);
    endProgram(early, go[0], true); /* its file stays, and is not looked at */
    pid_t first = startProgram(folder, "one", 100, &go[0], false);
    int problem = tacrec_evaluatorWatch(all, folder, 0);
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 2000000, UINT64_MAX);
    CHECK("a program's elements", !problem && every.count == 100 && every.fine && one.count == 0, "%llu",
        (unsigned long long) every.count);
    pid_t second = startProgram(folder, "two", 50, &go[1], true);
    CHECK("a program that comes", tacrec_evaluatorLook(all) == 2, " ");
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 2000000, UINT64_MAX);
    tacrec_evaluated done = tacrec_evaluatorCount(all);
    CHECK("a place that is held holds the sensor up", every.count == 150 && one.count == 25 && done.directories == 2,
        "%llu, %llu", (unsigned long long) every.count, (unsigned long long) one.count);
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 9000000, UINT64_MAX);
    done = tacrec_evaluatorCount(all);
    CHECK("but not for longer than allowed", every.count == 151 && done.missed == 1 && every.fine, "%llu, %llu missed",
        (unsigned long long) every.count, (unsigned long long) done.missed);
    tacrec_inputSaid said;
    bool found = false;
    for (uint32_t k = 0; tacrec_evaluatorSaid(all, k, &said); k++)
        found = found
            || (said.pid == (uint32_t) second && !strcmp(said.entry->name, "concurrent") && said.missed == 1
                && said.elements == 26 && !strcmp(said.program, "two"));
    CHECK("what is said of inputs", found, " ");
    endProgram(first, go[0], false);
    endProgram(second, go[1], true);
    tacrec_evaluatorLook(all);
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 9000000, UINT64_MAX);
    tacrec_evaluatorLook(all);
    done = tacrec_evaluatorCount(all);
    CHECK("programs that have ended are forgotten", done.directories == 0 && done.inputs == 0 && done.elements == 151,
        "%u directories, %u inputs", done.directories, done.inputs);
    pid_t third = startProgram(folder, "three", 20, &go[2], true);
    char path[300];
    snprintf(path, sizeof path, "%s/three-%ld.tacrec", folder, (long) third);
    endProgram(third, go[2], true);
    tacrec_evaluatorLook(all);
    problem = tacrec_evaluatorWatch(all, path, 0);
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 20000000, UINT64_MAX);
    done = tacrec_evaluatorCount(all);
    CHECK("a killed program that is asked for", !problem && done.elements == 172 && done.missed == 2, "%llu",
        (unsigned long long) done.elements);
    snprintf(path, sizeof path, "%s/nothing", folder);
    CHECK("a place that is not there", tacrec_evaluatorWatch(all, path, 0) != 0, " ");
    tacrec_evaluatorFree(all);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

enum { WRITERS = 3 };

typedef struct Shared {
    tacrec_directory directory;
    tacrec_sensor sensors[2];
    tacrec_threads threads;
    uint64_t elements;
    uint32_t running;
    tacrec_evaluator *all;
} Shared;

static Shared shared;

static void *writer(void *data) {
    static _Thread_local tacrec_sensor own;
    (void) data;
    tacrec_attachHere(&shared.threads, &own);
    for (uint64_t i = 0; i < shared.elements; i++) {
        write1(&own, i);
        write1(&shared.sensors[1], i);
        if (i % 64 == 0) sched_yield();
    }
    __atomic_fetch_sub(&shared.running, 1u, __ATOMIC_RELEASE);
    return NULL;
}

static void *simpleWriter(void *data) {
    (void) data;
    for (uint64_t i = 0; i < shared.elements; i++) {
        write1(&shared.sensors[0], i);
        if (i % 64 == 0) sched_yield();
    }
    __atomic_fetch_sub(&shared.running, 1u, __ATOMIC_RELEASE);
    return NULL;
}

static void removedCount(void *data) { __atomic_fetch_add((uint32_t *) data, 1u, __ATOMIC_RELAXED); }
static void commitNothing(void *data, const tacrec_seen *element) {
    (void) data;
    (void) element;
}

/* Adds and removes evaluations as fast as it can. */
static void *changer(void *data) {
    static tacrec_evaluation many[200];
    uint32_t *removed = data;
    for (int i = 0; i < 200; i++) {
        many[i] = (tacrec_evaluation){
            .sensors = {"*"}, .commit = commitNothing, .removed = removedCount, .data = removed};
        while (!tacrec_evaluatorAdd(shared.all, &many[i])) sched_yield();
        if (i % 3 == 0) sched_yield();
        tacrec_evaluatorRemove(shared.all, &many[i]);
    }
    __atomic_fetch_sub(&shared.running, 1u, __ATOMIC_RELEASE);
    return NULL;
}

static void testThreads(uint64_t elements) {
    pthread_t threads[WRITERS + 2];
    Sum sum;
    uint32_t removed = 0;
    memset(&shared, 0, sizeof shared);
    shared.elements = elements;
    if (tacrec_open(&shared.directory, NULL, "threads", 1 << 20, 0)) abort();
    tacrec_add(&shared.directory, &shared.sensors[0], &layouts[0]);
    tacrec_add(&shared.directory, &shared.sensors[1], &layouts[1]);
    tacrec_addThreads(&shared.directory, &shared.threads, &layouts[2], WRITERS);
    shared.all = tacrec_evaluatorNew(1000000);
    shared.running = WRITERS + 2;
    beginSum(&sum, "*", NULL);
    tacrec_evaluatorAdd(shared.all, &sum.evaluation);
    if (tacrec_evaluatorWatch(shared.all, shared.directory.path, 0)) abort();
    for (int i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, writer, NULL);
    pthread_create(&threads[WRITERS], NULL, simpleWriter, NULL);
    pthread_create(&threads[WRITERS + 1], NULL, changer, &removed);
    while (__atomic_load_n(&shared.running, __ATOMIC_ACQUIRE)) {
        tacrec_evaluatorStep(shared.all, tacrec_evaluatorNow(), 1000);
        tacrec_evaluatorLook(shared.all);
    }
    for (int i = 0; i < WRITERS + 2; i++) pthread_join(threads[i], NULL);
    while (tacrec_evaluatorStep(shared.all, tacrec_evaluatorNow() + 10000000, 1000)) continue;
    tacrec_evaluated done = tacrec_evaluatorCount(shared.all);
    uint64_t written = elements * (2 * WRITERS + 1);
    uint64_t passed = 0; /* numbers that became no element */
    for (uint32_t k = 0; k < shared.sensors[1].rings; k++) {
        tacrec_reader reader;
        tacrec_readerBegin(&reader, shared.directory.head, shared.directory.head->size, 1 + k);
        passed += tacrec_readerPassed(&reader);
    }
    CHECK("threads write while evaluations come and go",
        done.elements + done.missed - passed == written && sum.fine && sum.count == done.elements && removed == 200
            && sum.thread != 0,
        "%llu read, %llu missed of %llu, %u removed, %s", (unsigned long long) done.elements,
        (unsigned long long) done.missed, (unsigned long long) written, removed,
        sum.fine ? "in order" : "not in order");
    tacrec_evaluatorFree(shared.all);
    tacrec_close(&shared.directory, false);
}

/* ---- several rings of a sensor ----------------------------------------------------------------------------------- */

/*
 * An element says which one it is, and which one its thread had seen published before: that one must be given before
 * it. Threads are delayed before and within elements, and are on a processor of their own, or go from one to another.
 */
enum { EACH = 20000, ALL = WRITERS * EACH };

typedef struct Order {
    tacrec_evaluation evaluation;
    bool given[ALL + 1];
    uint64_t count, late, wrong, lastTime;
} Order;

static uint32_t tickets, published;
static uint32_t anyGiven; /* the evaluator has begun */
static bool wanders;
static _Thread_local uint32_t processorHere;
static _Thread_local unsigned delays;

static uint32_t processor(void *data) {
    (void) data;
    return wanders ? (uint32_t) rand_r(&delays) : processorHere;
}

static void delayNow(unsigned most) {
    unsigned what = (unsigned) rand_r(&delays) % 256;
    if (what == 0) sched_yield();
    if (what > 8) return;
    for (uint64_t until = tacrec_evaluatorNow() + (unsigned) rand_r(&delays) % most; tacrec_evaluatorNow() < until;)
        continue;
}

static void *orderedWriter(void *data) {
    processorHere = (uint32_t) (uintptr_t) data;
    delays = processorHere + 1;
    for (int i = 0; i < EACH; i++) {
        while (i == EACH / 2 && !__atomic_load_n(&anyGiven, __ATOMIC_RELAXED)) sched_yield();
        uint32_t before = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
        uint32_t ticket = __atomic_add_fetch(&tickets, 1u, __ATOMIC_RELAXED);
        uint64_t *place = (uint64_t *) tacrec_write(&shared.sensors[1]);
        delayNow(5000);
        *place = (uint64_t) ticket << 32 | before;
        tacrec_commit(&shared.sensors[1], place);
        __atomic_store_n(&published, ticket, __ATOMIC_RELEASE);
        delayNow(20000);
    }
    __atomic_fetch_sub(&shared.running, 1u, __ATOMIC_RELEASE);
    return NULL;
}

static void commitOrder(void *data, const tacrec_seen *element) {
    Order *order = (Order *) data;
    uint64_t value = element->read->data[0], ticket = value >> 32, before = value & UINT32_MAX;
    order->count++;
    order->late += element->late;
    __atomic_store_n(&anyGiven, 1u, __ATOMIC_RELAXED);
    if (ticket > ALL || before > ALL || order->given[ticket]) {
        order->wrong++;
        return;
    }
    order->given[ticket] = true;
    if (element->late) return;
    order->wrong += !order->given[before] || element->read->time < order->lastTime;
    order->lastTime = element->read->time;
}

/* Waits longer than any thread is stopped, so that nothing is late. */
static void testOrder(bool wander) {
    static Order order;
    pthread_t threads[WRITERS];
    tacrec_layout layout = layouts[1];
    memset(&shared, 0, sizeof shared);
    memset(&order, 0, sizeof order);
    order.given[0] = true;
    tickets = published = anyGiven = 0;
    wanders = wander;
    layout.capacity = 1 << 16; /* nothing is missed */
    layout.rings = WRITERS;
    if (tacrec_open(&shared.directory, NULL, "order", 16 << 20, 0)) abort();
    shared.directory.hooks.processor = processor;
    shared.directory.hooks.processors = WRITERS;
    shared.directory.head->clock = TACREC_CLOCK_HOOK; /* elements close to each other are told apart */
    if (!tacrec_add(&shared.directory, &shared.sensors[1], &layout)) abort();
    tacrec_evaluator *all = tacrec_evaluatorNew(2000000000);
    order.evaluation = (tacrec_evaluation){
        .sensors = {"concurrent"}, .late = true, .commit = commitOrder, .data = &order};
    tacrec_evaluatorAdd(all, &order.evaluation);
    if (tacrec_evaluatorWatch(all, shared.directory.path, 0)) abort();
    shared.running = WRITERS;
    for (uintptr_t i = 0; i < WRITERS; i++) pthread_create(&threads[i], NULL, orderedWriter, (void *) i);
    while (__atomic_load_n(&shared.running, __ATOMIC_ACQUIRE)) tacrec_evaluatorStep(all, tacrec_evaluatorNow(), 1000);
    for (int i = 0; i < WRITERS; i++) pthread_join(threads[i], NULL);
    uint64_t meanwhile = order.count;
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 4000000000, UINT64_MAX);
    tacrec_evaluated done = tacrec_evaluatorCount(all);
    CHECK(wander ? "rings in one order of time, of threads that wander" : "rings in one order of time",
        order.count == ALL && !order.wrong && !order.late && !done.late && !done.missed && done.inputs == WRITERS
            && meanwhile > 0,
        "%llu given (%llu meanwhile), %llu wrong, %llu late, %llu missed", (unsigned long long) order.count,
        (unsigned long long) meanwhile, (unsigned long long) order.wrong, (unsigned long long) order.late,
        (unsigned long long) done.missed);
    tacrec_evaluatorFree(all);
    tacrec_close(&shared.directory, false);
}

/*
 * A writer that was stopped for longer than is waited for, with its time taken: another ring's element was given
 * before. It is late, counted, and nothing else is out of order. By hand: ring 1 has times 100 and 300; 200 comes into
 * ring 0 only when all up to 300 were given.
 */
static uint64_t timeNow;
static uint64_t setTime(void *data) {
    (void) data;
    return timeNow;
}

static void writeAt(uint32_t where, uint64_t time) {
    processorHere = where;
    timeNow = time;
    write1(&shared.sensors[1], time);
}

static void testLateRing(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(50);
    tacrec_layout layout = layouts[1];
    Sum sum;
    memset(&shared, 0, sizeof shared);
    wanders = false;
    if (tacrec_open(&shared.directory, NULL, "late", 1 << 20, 0)) abort();
    shared.directory.hooks = (tacrec_hooks){.now = setTime, .processor = processor, .processors = 2};
    shared.directory.head->clock = TACREC_CLOCK_HOOK;
    if (!tacrec_add(&shared.directory, &shared.sensors[1], &layout) || shared.sensors[1].rings != 2) abort();
    beginSum(&sum, "concurrent", NULL);
    tacrec_evaluatorAdd(all, &sum.evaluation);
    if (tacrec_evaluatorWatch(all, shared.directory.path, 0)) abort();
    writeAt(1, 100);
    writeAt(1, 300);
    bool fine = tacrec_evaluatorStep(all, 149, 99) == 0 && tacrec_evaluatorStep(all, 150, 99) == 1 && sum.count == 1;
    writeAt(0, 160);
    fine = fine && tacrec_evaluatorStep(all, 150, 99) == 1 && sum.lastTime == 160; /* both rings had one */
    fine = fine && tacrec_evaluatorStep(all, 350, 99) == 1 && sum.lastTime == 300;
    writeAt(0, 200);
    writeAt(0, 400);
    fine = fine && tacrec_evaluatorStep(all, 500, 99) == 2 && sum.count == 5 && sum.lastTime == 400;
    tacrec_evaluated done = tacrec_evaluatorCount(all);
    CHECK("a late element of another ring", fine && sum.fine && done.late == 1 && done.missed == 0,
        "%llu given, %llu late", (unsigned long long) sum.count, (unsigned long long) done.late);
    tacrec_evaluatorFree(all);
    tacrec_close(&shared.directory, false);
}

/* Two elements that are looked at later, whose times are the processor's counter, whatever clock this machine has. */
typedef struct Two {
    tacrec_evaluation evaluation;
    uint64_t times[2];
    uint32_t count;
} Two;

static void commitTwo(void *data, const tacrec_seen *element) {
    Two *two = data;
    if (two->count < 2) two->times[two->count] = element->read->time;
    two->count++;
}

static void testCounter(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    tacrec_layout layout = layouts[1];
    Two two = {.count = 0};
    memset(&shared, 0, sizeof shared);
    if (tacrec_open(&shared.directory, NULL, "counter", 1 << 20, 0)) abort();
    shared.directory.head->clock = TACREC_CLOCK_TSC;
    if (!tacrec_add(&shared.directory, &shared.sensors[1], &layout)) abort();
    two.evaluation = (tacrec_evaluation){.sensors = {"concurrent"}, .late = true, .commit = commitTwo, .data = &two};
    tacrec_evaluatorAdd(all, &two.evaluation);
    if (tacrec_evaluatorWatch(all, shared.directory.path, 0)) abort();
    write1(&shared.sensors[1], 1);
    write1(&shared.sensors[1], 2);
    tacrec_evaluatorStep(all, tacrec_evaluatorNow() + 1000000000, UINT64_MAX);
    CHECK("times of the counter, of what was written before", two.count == 2 && two.times[0] < two.times[1],
        "%lu given, at %llu and %llu", (unsigned long) two.count, (unsigned long long) two.times[0],
        (unsigned long long) two.times[1]);
    tacrec_evaluatorFree(all);
    tacrec_close(&shared.directory, false);
}

/* ---- a hostile directory ----------------------------------------------------------------------------------------- */

/*
 * A file of 1.25 GB, nearly all of it hole, that claims to have 154 000 sensors, of 1088 bytes each: the pages of 65536
 * are touched, 72 MB.
 */
static void testHole(void) {
    const uint64_t size = 5ull << 28;
    const tacrec_hooks hooks = {.now = setTime};
    tacrec_directory directory;
    struct stat status = {.st_blocks = 0};
    char path[40];
    int file = memfd_create("hole", MFD_CLOEXEC);
    bool fine = file >= 0 && !fchmod(file, 0600) && !ftruncate(file, (off_t) size);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    fine = fine && memory != MAP_FAILED
        && tacrec_make(&directory, memory, size, "hole", (uint32_t) getpid(), TACREC_CLOCK_HOOK, &hooks);
    if (fine) directory.head->entryCount = directory.head->entries;
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    fine = fine && !tacrec_evaluatorWatch(all, path, 0) && !fstat(file, &status);
    CHECK("a directory that is a hole", fine && tacrec_evaluatorCount(all).inputs == 0 && status.st_blocks < 160000,
        "%ld blocks of 512 bytes", (long) status.st_blocks);
    tacrec_evaluatorFree(all);
    if (memory != MAP_FAILED) munmap(memory, size);
    close(file);
}

/* ---- a server ---------------------------------------------------------------------------------------------------- */

typedef struct Stopper {
    tacrec_evaluation evaluation;
    uint64_t count;
    uint32_t stop;
} Stopper;

static void commitStopper(void *data, const tacrec_seen *element) {
    Stopper *stopper = data;
    (void) element;
    if (++stopper->count == 500) __atomic_store_n(&stopper->stop, 1u, __ATOMIC_RELEASE);
}

static void *serve(void *data) {
    tacrec_service *service = data;
    tacrec_reserve(service);
    return NULL;
}

/* It ends by the 500th element, of which each period takes 100. */
static void testService(void) {
    tacrec_evaluator *all = tacrec_evaluatorNew(0);
    static tacrec_directory directory;
    static tacrec_sensor sensor;
    Stopper stopper = {.count = 0};
    stopper.evaluation = (tacrec_evaluation){.sensors = {"simple"}, .commit = commitStopper, .data = &stopper};
    if (tacrec_open(&directory, NULL, "service", 1 << 20, 0)) abort();
    tacrec_add(&directory, &sensor, &layouts[0]);
    for (uint64_t i = 0; i < 600; i++) write1(&sensor, i);
    tacrec_evaluatorAdd(all, &stopper.evaluation);
    tacrec_evaluatorWatch(all, directory.path, 0);
    tacrec_service service = {.period = 1000000, .most = 100};
    tacrec_evaluatorServe(all, &service, &stopper.stop);
    CHECK("a server takes so many in each period",
        (stopper.count == 500 || stopper.count == 600) && service.periods >= 5 && service.longest > 0
            && service.overruns <= service.periods && service.reserved == TACREC_BEST_EFFORT,
        "%llu in %llu periods", (unsigned long long) stopper.count, (unsigned long long) service.periods);
    tacrec_evaluatorFree(all);
    tacrec_close(&directory, false);
    pthread_t thread;
    tacrec_service reserved = {.period = 10000000, .deadline = 5000000, .budget = 100000};
    pthread_create(&thread, NULL, serve, &reserved);
    pthread_join(thread, NULL);
    CHECK("what was granted is told", (reserved.reserved == TACREC_DEADLINE) == (reserved.problem == 0), "%d, %d",
        (int) reserved.reserved, reserved.problem);
    printf("note reserved: %s\n",
        reserved.reserved == TACREC_DEADLINE   ? "SCHED_DEADLINE"
            : reserved.reserved == TACREC_FIFO ? "SCHED_FIFO"
                                               : "best effort");
}

/* ---- copying and evaluating apart -------------------------------------------------------------------------------- */

/* Elements of 8 bytes take 48 in the queue: of 65536 bytes, less than one description, 1300 to 1365 have room. */
static void testCopy(void) {
    enum { MANY = 3000 };
    tacrec_evaluator *first = tacrec_evaluatorNew(0), *second = tacrec_evaluatorNew(0);
    tacrec_copy *copy = tacrec_copyNew(1);
    static tacrec_directory directory;
    static tacrec_sensor sensors[2];
    Sum every, one;
    if (tacrec_open(&directory, NULL, "copied", 1 << 20, 0)) abort();
    directory.hooks.processor = NULL; /* one ring */
    for (int k = 0; k < 2; k++) tacrec_add(&directory, &sensors[k], &layouts[k]);
    beginSum(&every, "*", "copied");
    beginSum(&one, "simple", NULL);
    tacrec_evaluatorAdd(first, tacrec_copyEvaluation(copy));
    tacrec_evaluatorAdd(second, &every.evaluation);
    tacrec_evaluatorAdd(second, &one.evaluation);
    tacrec_evaluatorWatch(first, directory.path, 0);
    uint64_t now = tacrec_evaluatorNow();
    for (uint64_t i = 0; i < 20; i++) write1(&sensors[i % 2], i);
    tacrec_evaluatorStep(first, now += 1000000000, UINT64_MAX);
    bool fine = every.count == 0 && tacrec_copyStep(copy, second, 5) == 5 && every.count == 5;
    fine = fine && tacrec_copyStep(copy, second, 99) == 15 && every.count == 20 && one.count == 10;
    tacrec_evaluated done = tacrec_evaluatorCount(second);
    CHECK("elements that were copied", fine && every.fine && done.inputs == 2 && tacrec_copyDropped(copy) == 0,
        "%llu, %llu", (unsigned long long) every.count, (unsigned long long) one.count);
    for (int round = 0; round < 4; round++) {
        for (uint64_t i = 0; i < MANY / 4; i++) write1(&sensors[0], i);
        tacrec_evaluatorStep(first, now += 1000000000, UINT64_MAX);
    }
    tacrec_copyStep(copy, second, UINT64_MAX);
    uint64_t kept = every.count - 20, dropped = tacrec_copyDropped(copy);
    fine = kept >= 1300 && kept <= 1365 && kept + dropped == MANY && every.missed == 0;
    write1(&sensors[0], 0);
    tacrec_evaluatorStep(first, now += 1000000000, UINT64_MAX);
    tacrec_copyStep(copy, second, UINT64_MAX);
    done = tacrec_evaluatorCount(second);
    fine = fine && every.fine && every.missed == dropped && done.missed == dropped;
    CHECK("what finds no room is missed", fine, "%llu kept, %llu, %llu missed", (unsigned long long) kept,
        (unsigned long long) dropped, (unsigned long long) every.missed);
    tacrec_close(&directory, false);
    tacrec_evaluatorFree(first);
    tacrec_evaluatorFree(second);
    tacrec_copyFree(copy);
}

typedef struct Server {
    tacrec_evaluator *evaluator;
    uint32_t stop;
} Server;

static void *serveCopy(void *data) {
    Server *server = data;
    tacrec_service service = {.period = 200000};
    tacrec_evaluatorServe(server->evaluator, &service, &server->stop);
    return NULL;
}

static void testCopyThreads(uint64_t elements) {
    tacrec_evaluator *second = tacrec_evaluatorNew(0);
    Server server = {tacrec_evaluatorNew(0), 0};
    tacrec_copy *copy = tacrec_copyNew(1 << 16);
    pthread_t threads[2];
    Sum sum;
    memset(&shared, 0, sizeof shared);
    shared.elements = elements;
    shared.running = 1;
    if (tacrec_open(&shared.directory, NULL, "copies", 1 << 20, 0)) abort();
    tacrec_add(&shared.directory, &shared.sensors[0], &layouts[0]);
    beginSum(&sum, "*", NULL);
    tacrec_evaluatorAdd(second, &sum.evaluation);
    tacrec_evaluatorAdd(server.evaluator, tacrec_copyEvaluation(copy));
    tacrec_evaluatorWatch(server.evaluator, shared.directory.path, 0);
    pthread_create(&threads[0], NULL, simpleWriter, NULL);
    pthread_create(&threads[1], NULL, serveCopy, &server);
    while (__atomic_load_n(&shared.running, __ATOMIC_ACQUIRE)) tacrec_copyStep(copy, second, 10);
    __atomic_store_n(&server.stop, 1u, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    tacrec_copyStep(copy, second, UINT64_MAX);
    uint64_t missed = tacrec_evaluatorCount(server.evaluator).missed, dropped = tacrec_copyDropped(copy);
    CHECK("a thread copies, another one evaluates",
        sum.count + missed + dropped == elements && sum.fine && sum.missed <= missed + dropped,
        "%llu given, %llu missed, %llu dropped, %llu missed by the evaluation", (unsigned long long) sum.count,
        (unsigned long long) missed, (unsigned long long) dropped, (unsigned long long) sum.missed);
    tacrec_evaluatorFree(server.evaluator);
    tacrec_evaluatorFree(second);
    tacrec_copyFree(copy);
    tacrec_close(&shared.directory, false);
}

int main(int argc, char **argv) {
    uint64_t cases = argc > 1 ? strtoull(argv[1], NULL, 10) : 200, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const char *folder = argc > 3 ? argv[3] : "/dev/shm";
    setvbuf(stdout, NULL, _IOLBF, 0);
    testRandom(first, cases);
    testPairs();
    testWild();
    testPatterns();
    testHistogram();
    testMeter();
    testMachine();
    testPrograms(folder);
    testThreads(20000);
    testOrder(false);
    testOrder(true);
    testLateRing();
    testCounter();
    testHole();
    testCopy();
    testCopyThreads(100000);
    testService();
    return failures > 0;
}
