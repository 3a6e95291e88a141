/*
 * chainTell.c -- the times of chains, whether they are as required, and what is said when they are not.
 *
 * Where something may be missing in the recording, a time that was measured over it may be shorter in truth, down to
 * 0: an effect or a newer cause may have been there. It is judged for both.
 */
#include "base/port.h"

#include "base/sort.h"
#include "judge/chainRun.h"
#include "judge/learn.h"
#include "trace/times.h"

#include <string.h>

enum { BACKWARD = -1 }; /* along the causes; else along a forward chain */

typedef struct Time { /* that was measured */
    int64_t since;    /* up to now */
    uint32_t last;    /* its last part */
    int way;          /* BACKWARD, or the forward chain */
    bool open;        /* it goes on at the end of the recording */
} Time;

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static bool overlaps(const tacUnknownTime *unknown, int64_t since, int64_t now) {
    return (unknown->open && unknown->since < now && since < now) || unknown->until > since;
}

/* Is something in (since, now) that is not recorded? */
static bool isUnknown(const tacChainRun *run, int64_t since) {
    return overlaps(&run->unknown, since, run->now) || overlaps(run->missing, since, run->now);
}

/* Of a value that may be anything from 0 to this. */
static tacVerdict verdictOfMost(const tacChainRequire *require, int64_t value) {
    int most = tacLimitCompare(value, &require->limit), least = tacLimitCompare(0, &require->limit);
    bool holds = tacComparisonHolds(require->op, most);
    bool inside = (require->op == TAC_EQUAL || require->op == TAC_UNEQUAL) && least <= 0 && most >= 0;
    if (inside || holds != tacComparisonHolds(require->op, least)) return TAC_VERDICT_UNCERTAIN;
    return holds ? TAC_VERDICT_VALID : TAC_VERDICT_INVALID;
}

/* Of a value that is at least this, and not known: only what is too much already is invalid. */
static bool isTooMuch(const tacChainRequire *require, int64_t value) {
    int order = tacLimitCompare(value, &require->limit);
    if (require->op == TAC_EQUAL) return order > 0;
    return tacIsUpperBound(require->op) && !tacComparisonHolds(require->op, order);
}

static tacVerdict verdictOf(const tacChainRun *run, const tacChainRequire *require, const Time *time, bool *unknown) {
    int64_t value = run->now - time->since;
    *unknown = isUnknown(run, time->since);
    if (time->open && !isTooMuch(require, value)) return TAC_VERDICT_VALID;
    if (time->open) return *unknown ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_INVALID;
    if (*unknown) return verdictOfMost(require, value);
    return tacLimitHolds(value, require->op, &require->limit) ? TAC_VERDICT_VALID : TAC_VERDICT_INVALID;
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

void tacChainNoteAdd(tacChainRun *run, tacChainNote note, tacText *text) {
    note.sentence = text->at;
    if (*run->kept >= TAC_MOST_CHAIN_NOTES) run->onlyCounted[note.verdict]++;
    else if (!text->failed && tacArrayPush(&run->notes, note)) {
        ++*run->kept;
        return;
    } else run->failed = true;
    tacTextFree(text);
}

static bool isFull(tacChainRun *run, tacVerdict verdict) {
    if (*run->kept < TAC_MOST_CHAIN_NOTES) return false;
    run->onlyCounted[verdict]++;
    return true;
}

static void sayLength(const tacChainRun *run, int64_t ticks, tacText *text) {
    tacTimeSay(run->model->store, ticks, text);
}

void tacChainSayTime(const tacChainRun *run, int64_t ticks, tacText *text) {
    tacMomentSay(run->model->store, ticks, text);
}

/* A part: the id of its job, or its step and time. */
static void sayPart(const tacChainRun *run, uint32_t part, tacText *text) {
    const tacPart *p = &run->parts.at[part];
    if (p->job != TAC_NONE) {
        tacAddCalled(text, run->model->store, TAC_JOB, run->live->jobs.at[p->job].id);
        return;
    }
    tacTextPrintf(text, "%.*s@", TAC_SHOWN(&run->chain->steps.at[p->step].name));
    tacChainSayTime(run, p->read, text);
}

/* The name of the chain; and the value that links the part, if there is one. */
static void sayHead(const tacChainRun *run, uint32_t part, tacText *text) {
    const tacChain *chain = run->chain;
    tacTextPrintf(text, "chain %.*s", TAC_SHOWN(&chain->name));
    if (part != TAC_NONE && run->parts.at[part].key.length) {
        uint32_t step = run->parts.at[part].step;
        bool onward = step + 1 < chain->steps.count && chain->steps.at[step + 1].link == TAC_LINK_FIELD;
        const tacWord *field = onward ? &chain->steps.at[step + 1].their : &chain->steps.at[step].mine;
        tacTextPrintf(text, ", %.*s ", TAC_SHOWN(field));
        tacAddId(text, run->parts.at[part].key.at, run->parts.at[part].key.length);
    }
    tacTextAddString(text, ": ");
}

/* The parts on the way to the last one. */
static int partsOf(const tacChainRun *run, const Time *time, uint32_t parts[TAC_MOST_STEPS]) {
    int n = 0;
    for (uint32_t part = time->last; part != TAC_NONE && n < TAC_MOST_STEPS;
         part = time->way == BACKWARD ? run->parts.at[part].cause : run->parts.at[part].carrier[time->way])
        parts[n++] = part;
    return n;
}

static uint32_t jobId(const tacChainRun *run, uint32_t part) {
    uint32_t job = run->parts.at[part].job;
    return job == TAC_NONE ? TAC_NONE : run->live->jobs.at[job].id;
}

/* A finding at the moment under way, about the parts between two. */
static tacChainNote noteNow(
    const tacChainRun *run, tacVerdict verdict, const tacStatement *statement, uint32_t first, uint32_t last) {
    tacChainNote note = {.verdict = verdict, .time = run->now, .statement = statement};
    note.line = run->row == TAC_NONE ? 0 : tacRowLine(run->model->store, run->row);
    note.jobs[0] = first == TAC_NONE ? TAC_NONE : jobId(run, first);
    note.jobs[1] = last == TAC_NONE ? TAC_NONE : jobId(run, last);
    if (note.jobs[0] == TAC_NONE) {
        note.jobs[0] = note.jobs[1];
        note.jobs[1] = TAC_NONE;
    } else if (note.jobs[0] == note.jobs[1]) note.jobs[1] = TAC_NONE;
    return note;
}

static void sayRequired(const tacChainRequire *require, tacText *text) {
    tacTextPrintf(text, ", required %s", require->text ? tacComparisonWords[require->op] : "");
    tacTextPrintf(
        text, "%s%s", require->text ? " " : "", require->text ? require->text : tacChainMeasureNames[require->measure]);
}

static void tellTime(
    tacChainRun *run, const tacChainRequire *require, const Time *time, tacVerdict verdict, bool unknown) {
    uint32_t parts[TAC_MOST_STEPS];
    int n = partsOf(run, time, parts);
    tacText text = {0};
    if (isFull(run, verdict)) return;
    sayHead(run, time->last, &text);
    tacTextPrintf(&text, "%s was %s", tacChainMeasureNames[require->measure], unknown && !time->open ? "up to " : "");
    sayLength(run, run->now - time->since, &text);
    tacTextAddString(&text, " from ");
    tacChainSayTime(run, time->since, &text);
    tacTextAddString(&text, " to ");
    tacChainSayTime(run, run->now, &text);
    if (time->open) tacTextAddString(&text, ", the end of the recording");
    if (unknown) tacTextAddString(&text, ", not all of which is known");
    sayRequired(require, &text);
    for (int i = n; i-- > 0;) {
        tacTextAddString(&text, i == n - 1 ? ": " : " -> ");
        sayPart(run, parts[i], &text);
    }
    tacChainNoteAdd(run, noteNow(run, verdict, require->statement, parts[n - 1], parts[0]), &text);
}

/* Notes a time of a limit that is to be found; false: it is not known, which is told. */
static bool seek(tacChainRun *run, size_t i, const Time *time) {
    tacSought *sought = &run->sought[i];
    tacFraction value, boundless = {1, 0};
    __int128 unit = 1; /* in ticks */
    for (int i = 0; i < run->model->store->digits; i++) unit *= 10;
    if (!tacFractionMake(run->now - time->since, unit, &value)) return true;
    if (time->open) {
        tacSoughtDoubt(sought, run->chain->requires.at[i].op, &value, &boundless);
        return true;
    }
    if (isUnknown(run, time->since)) {
        sought->unknown++;
        return false;
    }
    tacSoughtValue noted = {.value = value, .time = run->now, .row = run->row, .object = jobId(run, time->last)};
    if (!tacSoughtAdd(sought, run->chain->requires.at[i].op, &noted)) run->failed = true;
    return true;
}

static void judge(tacChainRun *run, size_t i, const Time *time) {
    const tacChainRequire *require = &run->chain->requires.at[i];
    bool unknown;
    if (require->sought) {
        run->judged[i] |= !time->open;
        if (!seek(run, i, time)) tellTime(run, require, time, TAC_VERDICT_UNCERTAIN, true);
        return;
    }
    tacVerdict verdict = verdictOf(run, require, time, &unknown);
    if (!time->open || verdict != TAC_VERDICT_VALID) run->judged[i] = true;
    if (verdict != TAC_VERDICT_VALID) tellTime(run, require, time, verdict, unknown);
}

/* ---- a part writes ----------------------------------------------------------------------------------------------- */

/* The time of a measure that ends when the part writes; false: there is none. */
static bool timeOf(const tacChainRun *run, tacChainMeasure measure, uint32_t part, Time *time) {
    const tacPart *p = &run->parts.at[part];
    uint32_t latest = run->steps[p->step].latest;
    bool reduced = measure == TAC_CHAIN_REDUCED_REACTION;
    *time = (Time){.last = part, .way = BACKWARD};
    if (measure == TAC_CHAIN_REACTION || reduced) {
        time->way = reduced ? TAC_FORWARD_REDUCED : TAC_FORWARD_FULL;
        uint32_t first = p->first[time->way];
        if (first == TAC_NONE) return false;
        time->since = reduced ? run->parts.at[first].read : run->parts.at[first].before;
        return time->since != TAC_UNKNOWN;
    }
    if (measure == TAC_CHAIN_AGE) {
        if (latest == TAC_NONE) return false;
        time->last = latest;
        p = &run->parts.at[latest];
    }
    if (p->origin == TAC_NONE || (measure == TAC_CHAIN_LATENCY && run->parts.at[p->origin].arrived)) return false;
    time->since = run->parts.at[p->origin].read;
    return true;
}

static void tellSeparation(tacChainRun *run, size_t i, uint32_t part) {
    const tacChainRequire *require = &run->chain->requires.at[i];
    uint32_t latest = run->steps[run->parts.at[part].step].latest;
    bool unknown;
    if (latest == TAC_NONE) return;
    Time time = {.since = run->parts.at[latest].write, .last = part, .way = BACKWARD};
    tacVerdict verdict = verdictOf(run, require, &time, &unknown);
    if (require->sought) verdict = seek(run, i, &time) ? TAC_VERDICT_VALID : TAC_VERDICT_UNCERTAIN;
    run->judged[i] = true;
    if (verdict == TAC_VERDICT_VALID || isFull(run, verdict)) return;
    tacText text = {0};
    sayHead(run, part, &text);
    tacTextPrintf(&text, "separation was %s", unknown ? "up to " : "");
    sayLength(run, run->now - time.since, &text);
    tacTextAddString(&text, " from ");
    tacChainSayTime(run, time.since, &text);
    tacTextAddString(&text, " to ");
    tacChainSayTime(run, run->now, &text);
    if (unknown) tacTextAddString(&text, ", not all of which is known");
    sayRequired(require, &text);
    tacTextAddString(&text, ": ");
    sayPart(run, latest, &text);
    tacTextAddString(&text, ", ");
    sayPart(run, part, &text);
    tacChainNoteAdd(run, noteNow(run, verdict, require->statement, latest, part), &text);
}

void tacChainTellWrite(tacChainRun *run, uint32_t part) {
    const tacChain *chain = run->chain;
    uint32_t step = run->parts.at[part].step, origin = run->parts.at[part].origin;
    bool last = step + 1 == chain->steps.count;
    for (size_t i = 0; i < chain->requires.count; i++) {
        const tacChainRequire *require = &chain->requires.at[i];
        Time time;
        if (require->measure == TAC_CHAIN_SEPARATION && require->step == step) tellSeparation(run, i, part);
        else if (last && require->measure < TAC_CHAIN_SEPARATION && timeOf(run, require->measure, part, &time))
            judge(run, i, &time);
    }
    if (last && origin != TAC_NONE) run->parts.at[origin].arrived = true;
}

/* ---- links ------------------------------------------------------------------------------------------------------- */

/* Adds a clause, in which %.*s stands for the name of a step. */
static void sayWhat(const char *what, const tacWord *name, tacText *text) {
    const char *at = strstr(what, "%.*s");
    tacTextAdd(text, " ", 1);
    tacTextAdd(text, what, (size_t) (at - what));
    tacTextPrintf(text, "%.*s", TAC_SHOWN(name));
    tacTextAddString(text, at + 4);
}

void tacChainTellLink(
    tacChainRun *run, tacChainMeasure measure, uint32_t step, uint32_t part, int64_t since, const char *what) {
    const tacChain *chain = run->chain;
    bool order = measure == TAC_CHAIN_ORDER, unknown = isUnknown(run, since);
    tacVerdict verdict = unknown ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_INVALID;
    for (size_t i = 0; i < chain->requires.count; i++) {
        const tacChainRequire *require = &chain->requires.at[i];
        tacText text = {0};
        if (require->measure != measure || isFull(run, verdict)) continue;
        sayHead(run, part, &text);
        sayPart(run, part, &text);
        sayWhat(what, &chain->steps.at[order ? step - 1 : step].name, &text);
        if (unknown) {
            tacTextAddString(&text, ", as far as is known since ");
            tacChainSayTime(run, since, &text);
        }
        sayRequired(require, &text);
        tacChainNoteAdd(run, noteNow(run, verdict, require->statement, part, part), &text);
    }
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

typedef struct Pending { /* a forward chain that goes on at the end */
    uint64_t number;     /* of its first part */
    uint32_t part;
} Pending;

typedef TAC_ARRAY(Pending) Pendings;

static int comparePending(const void *left, const void *right, const void *data) {
    const Pending *a = left, *b = right;
    (void) data;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The forward chains that have not arrived. */
static bool findPending(const tacChainRun *run, int way, Pendings *all) {
    for (uint32_t i = 0; i < run->parts.count; i++) {
        const tacPart *p = &run->parts.at[i];
        bool arrived = p->step + 1 == run->chain->steps.count && p->write != TAC_UNKNOWN;
        if (!p->refs || p->first[way] == TAC_NONE || arrived) continue;
        bool waits = run->steps[p->step].waiting[way] == i;
        if (p->handed[way] && !waits) continue;
        bool element = p->step + 1 < run->chain->steps.count
            && run->chain->steps.at[p->step + 1].link == TAC_LINK_ELEMENT;
        bool over = p->gone || p->write != TAC_UNKNOWN;
        if (over && (element ? !p->elements : p->gone)) continue; /* it pushed nothing, or that is gone */
        Pending pending = {run->parts.at[p->first[way]].number, i};
        if (!tacArrayPush(all, pending)) return false;
    }
    return tacSort(all->at, all->count, sizeof *all->at, comparePending, NULL, NULL);
}

static void tellPending(tacChainRun *run, size_t i) {
    bool reduced = run->chain->requires.at[i].measure == TAC_CHAIN_REDUCED_REACTION;
    Pendings all = {0};
    Time time = {.way = reduced ? TAC_FORWARD_REDUCED : TAC_FORWARD_FULL, .open = true};
    if (!findPending(run, time.way, &all)) run->failed = true;
    for (size_t k = 0; k < all.count && !run->failed; k++) {
        time.last = all.at[k].part;
        const tacPart *first = &run->parts.at[run->parts.at[time.last].first[time.way]];
        time.since = reduced ? first->read : first->before;
        if (time.since != TAC_UNKNOWN) judge(run, i, &time);
    }
    tacArrayFree(&all);
}

/* Causes that a later one has passed by. */
static void tellLost(tacChainRun *run, uint32_t step) {
    Pendings all = {0};
    for (uint32_t i = 0; i < run->parts.count && !run->failed; i++) {
        const tacPart *p = &run->parts.at[i];
        Pending lost = {p->number, i};
        bool waits = run->chain->steps.at[step + 1].link != TAC_LINK_ELEMENT || p->elements;
        if (p->refs && p->step == step && waits && !p->used && p->number < run->steps[step].taken)
            run->failed = !tacArrayPush(&all, lost);
    }
    run->failed |= !tacSort(all.at, all.count, sizeof *all.at, comparePending, NULL, NULL);
    for (size_t k = 0; k < all.count && !run->failed; k++) {
        const tacPart *p = &run->parts.at[all.at[k].part];
        tacChainTellLink(run, TAC_CHAIN_LOSSLESS, step + 1, all.at[k].part,
            p->write == TAC_UNKNOWN ? p->read : p->write, "was passed by: step %.*s took a later one");
    }
    tacArrayFree(&all);
}

static void tellUnjudged(tacChainRun *run, const tacChainRequire *require, const char *why) {
    tacText text = {0};
    if (isFull(run, TAC_VERDICT_UNCERTAIN)) return;
    sayHead(run, TAC_NONE, &text);
    if (require) tacTextPrintf(&text, "%s is not known (%s)", tacChainMeasureNames[require->measure], why);
    else tacTextAddString(&text, why);
    if (require) sayRequired(require, &text);
    tacChainNoteAdd(run,
        noteNow(run, TAC_VERDICT_UNCERTAIN, require ? require->statement : run->chain->statement, TAC_NONE, TAC_NONE),
        &text);
}

/* Did anything go on over all the links? */
static bool wentOn(const tacChainRun *run) {
    for (size_t i = 0; i + 1 < run->chain->steps.count; i++)
        if (!run->steps[i].taken) return false;
    return true;
}

typedef struct Telling { /* of the times of a requirement */
    tacChainRun *run;
    const tacChainRequire *require;
} Telling;

static tacStatus takeSought(void *data, const tacSoughtValue *value, const char *sentence, tacError *err) {
    const Telling *telling = data;
    tacChainRun *run = telling->run;
    tacVerdict verdict = value ? TAC_VERDICT_UNCERTAIN : TAC_VERDICT_VALID;
    tacChainNote note = {.verdict = verdict,
        .time = TAC_UNKNOWN,
        .jobs = {TAC_NONE, TAC_NONE},
        .statement = telling->require->statement};
    tacText text = {0};
    (void) err;
    if (isFull(run, verdict)) return TAC_OK;
    if (value) {
        note.time = value->time;
        note.line = value->row == TAC_NONE ? 0 : tacRowLine(run->model->store, value->row);
        note.jobs[0] = value->object;
    }
    sayHead(run, TAC_NONE, &text);
    tacTextAddString(&text, sentence);
    tacChainNoteAdd(run, note, &text);
    return TAC_OK;
}

/* Tells what is far from the others of the limits that are to be found. */
static void tellSought(tacChainRun *run) {
    for (size_t i = 0; run->sought && i < run->chain->requires.count; i++) {
        const tacChainRequire *require = &run->chain->requires.at[i];
        tacSoughtSaid said = {tacChainMeasureNames[require->measure], require->text, require->op, false,
            run->model->store->digits, run->model->store};
        Telling telling = {run, require};
        uint64_t more = 0;
        if (!require->sought) continue;
        run->failed |= tacSoughtTell(&run->sought[i], &said, takeSought, &telling, &more, NULL) != TAC_OK;
        run->onlyCounted[TAC_VERDICT_UNCERTAIN] += more;
    }
}

void tacChainTellEnd(tacChainRun *run) {
    const tacChain *chain = run->chain;
    uint32_t last = (uint32_t) chain->steps.count - 1, latest = run->steps[last].latest;
    if (run->stopped) {
        tellUnjudged(run, NULL, "more occurrences of its steps are under way at once than can be followed");
        return;
    }
    for (size_t i = 0; i < chain->requires.count; i++) {
        const tacChainRequire *require = &chain->requires.at[i];
        bool timed = require->measure < TAC_CHAIN_ORDER;
        if (require->measure == TAC_CHAIN_REACTION || require->measure == TAC_CHAIN_REDUCED_REACTION)
            tellPending(run, i);
        uint32_t origin = latest == TAC_NONE ? TAC_NONE : run->parts.at[latest].origin;
        if (require->measure == TAC_CHAIN_AGE && origin != TAC_NONE)
            judge(run, i, &(Time){run->parts.at[origin].read, latest, BACKWARD, true});
        if (timed ? run->judged[i] : wentOn(run)) continue;
        tellUnjudged(run, require,
            require->measure == TAC_CHAIN_SEPARATION ? "there are no two occurrences" : "no chain is complete");
    }
    for (uint32_t step = 0; step < last; step++)
        if (run->steps[step].taken && chain->steps.at[step + 1].link != TAC_LINK_ORDER) tellLost(run, step);
    tellSought(run);
}
