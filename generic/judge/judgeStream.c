/*
 * judgeStream.c -- judges how events arrive, one after the other.
 *
 *   an event --its distance, its place in the period, the event N before it--> breaches --> judgements
 *
 * Nothing is kept an event, but the times of the last N for -burst N, and breaches, of which the first thousand are
 * told.
 */
#include "base/port.h"

#include "judge/expectation.h"

#include <string.h>

enum { MOST_BREACHES = 1000 };

typedef struct Breach {
    tacStreamTerm term; /* DISTANCE, GAP, PERIOD, BURST, DISTANCES or GAPS */
    bool uncertain;     /* events may be missing before it */
    bool hasSince;      /* `since` is the time of an event; else the begin of the recording */
    uint32_t steps;     /* DISTANCES, GAPS: `since` is that of the event so many before */
    uint32_t row;       /* of the event; TAC_NONE: the recording has ended */
    int64_t since;      /* ticks: what it is measured from */
    tacFine from, to;   /* PERIOD: where the event was expected */
} Breach;

/* A way to take the events of a series for those that are expected. */
typedef struct Phase {
    bool fits;         /* all of them so far came in time */
    uint32_t index;    /* the next event's time of the pattern; 0: there is none */
    tacFine base;      /* when it is expected, less the offset; with -origin: when it is expected */
    tacFine low, high; /* least and largest time of an event, less its own `base` */
} Phase;

struct tacStream {
    const tacModel *model;
    const tacStreamTerms *terms;
    tacUnknowns own;             /* of the processors on which the events may be, unless that is any */
    const tacUnknowns *unknowns; /* these, or those of all processors */
    size_t nextUnknown;          /* of unknowns: the first that ends after the last event */
    uint64_t count;              /* events so far */
    uint32_t row;                /* of the event that is judged; TAC_NONE: the end of the recording */
    int64_t last;                /* ticks: the last event */
    TAC_ARRAY(Phase)
    phases; /* -period: one; -pattern: one for each of its times, which may be that of the first event
             * of the series; -origin: one */
    TAC_ARRAY(int64_t) recent; /* -distances, -gaps: times of the last events, a ring: event i is at i % count */
    TAC_ARRAY(size_t) cursors; /* -gaps: of unknowns, by its times; as nextUnknown */
    TAC_ARRAY(int64_t) times;  /* -burst N: of the last N events */
    size_t first;              /* of times: the earliest, when there are N */
    TAC_ARRAY(Breach) breaches;
    uint64_t more[2]; /* breaches beyond these: invalid, uncertain */
    bool failed;      /* there was no memory */
};

static bool given(const tacStream *stream, tacStreamTerm term) { return stream->terms->words[term].length > 0; }

static tacFine fineOf(int64_t ticks) { return (tacFine) ticks * TAC_FINE_TICK; }

/* When event n of a series is expected, after the origin if there is one, else after the offset; n may be below 0. */
static tacFine expected(const tacStream *stream, tacFine n) {
    const tacStreamTimes *pattern = tacStreamTimesOf(stream->terms, TAC_STREAM_PATTERN);
    tacFine period = stream->terms->values[TAC_STREAM_PERIOD], base = stream->terms->values[TAC_STREAM_ORIGIN];
    tacFine k = pattern->values.count ? (tacFine) pattern->values.count : 1, periods = n / k - (n % k < 0);
    return base + periods * period + (pattern->values.count ? pattern->values.at[n - periods * k] : 0);
}

/* Lets a phase wait for the event behind that which it waits for. */
static void advance(const tacStream *stream, Phase *phase) {
    const tacStreamTimes *pattern = tacStreamTimesOf(stream->terms, TAC_STREAM_PATTERN);
    size_t k = pattern->values.count ? pattern->values.count : 1;
    phase->base += expected(stream, (tacFine) phase->index + 1) - expected(stream, phase->index);
    phase->index = (uint32_t) ((phase->index + 1) % k);
}

tacStream *tacStreamNew(const tacModel *model, const tacExpectation *e, const tacUnknowns *anywhere) {
    const tacStreamTerms *terms = &e->terms;
    tacStream *stream = tacAllocZero(1, sizeof *stream);
    if (!stream) return NULL;
    stream->model = model;
    stream->terms = terms;
    stream->unknowns = anywhere;
    if (anywhere->count && tacEventHasProcessor(model, &e->patterns.at[0])) {
        stream->unknowns = &stream->own;
        if (!tacUnknownsFind(model, &e->patterns.at[0], &stream->own)) return tacStreamFree(stream), NULL;
    }
    const tacStreamTimes *pattern = tacStreamTimesOf(terms, TAC_STREAM_PATTERN);
    size_t phases = pattern->values.count && !terms->words[TAC_STREAM_ORIGIN].length ? pattern->values.count : 1;
    size_t distances = tacStreamTimesOf(terms, TAC_STREAM_DISTANCES)->values.count;
    size_t gaps = tacStreamTimesOf(terms, TAC_STREAM_GAPS)->values.count, recent = distances > gaps ? distances : gaps;
    bool fine = tacArrayReserve(&stream->phases, phases) && tacArrayReserve(&stream->recent, recent + 1)
        && tacArrayReserve(&stream->cursors, gaps + 1);
    if (!fine) return tacStreamFree(stream), NULL;
    while (stream->phases.count < phases) stream->phases.at[stream->phases.count++] = (Phase){.fits = false};
    while (stream->recent.count < recent) stream->recent.at[stream->recent.count++] = 0;
    while (stream->cursors.count < gaps) stream->cursors.at[stream->cursors.count++] = 0;
    stream->phases.at[0].base = expected(stream, 0);
    return stream;
}

void tacStreamFree(tacStream *stream) {
    if (!stream) return;
    tacArrayFree(&stream->phases);
    tacArrayFree(&stream->recent);
    tacArrayFree(&stream->cursors);
    tacArrayFree(&stream->times);
    tacArrayFree(&stream->breaches);
    tacArrayFree(&stream->own);
    tacFree(stream);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Time of the event before the one that is judged, or of the recording's begin. */
static int64_t before(const tacStream *stream) { return stream->count ? stream->last : stream->model->begin; }

static void note(tacStream *stream, Breach breach) {
    breach.row = stream->row;
    breach.hasSince = stream->count >= (breach.steps ? breach.steps : 1);
    if (stream->breaches.count == MOST_BREACHES) stream->more[breach.uncertain]++;
    else if (!tacArrayPush(&stream->breaches, breach)) stream->failed = true;
}

/* Notes a breach of a term by the event that is judged, which is measured from the one before. */
static void noteBreach(tacStream *stream, tacStreamTerm term, bool uncertain) {
    note(stream, (Breach){.term = term, .uncertain = uncertain, .since = before(stream)});
}

static void notePeriod(tacStream *stream, bool uncertain, tacFine from, tacFine to) {
    note(stream,
        (Breach){.term = TAC_STREAM_PERIOD, .uncertain = uncertain, .since = before(stream), .from = from, .to = to});
}

/* Does the event fit a phase? In that case it is taken into account. */
static bool fits(const tacStream *stream, Phase *phase, tacFine t) {
    tacFine at = t - phase->base, low = at < phase->low ? at : phase->low, high = at > phase->high ? at : phase->high;
    if (high - low > stream->terms->values[TAC_STREAM_JITTER]) return false;
    phase->low = low;
    phase->high = high;
    return true;
}

/* Begins a series with an event: any time of the pattern may be its own. */
static void beginSeries(tacStream *stream, tacFine t) {
    for (size_t i = 0; i < stream->phases.count; i++) {
        Phase *phase = &stream->phases.at[i];
        *phase = (Phase){.fits = true, .index = (uint32_t) i, .base = expected(stream, (tacFine) i)};
        phase->low = phase->high = t - phase->base;
    }
}

/* Judges the place of an event in its series. A breach begins a new series, and so does a stretch in which events may
 * be missing, since it is not known which i is the next one. */
static void meetSeries(tacStream *stream, tacFine t, bool unknown) {
    tacFine jitter = stream->terms->values[TAC_STREAM_JITTER];
    const Phase *first = NULL; /* of those that fitted up to this event */
    bool any = false;
    for (size_t i = 0; i < stream->phases.count; i++) {
        Phase *phase = &stream->phases.at[i];
        if (!phase->fits) continue;
        if (!first) first = phase;
        phase->fits = fits(stream, phase, t);
        any |= phase->fits;
    }
    if (first && !any)
        notePeriod(stream, unknown, first->base + first->high - jitter, first->base + first->low + jitter);
    if (!any || unknown) beginSeries(stream, t);
    for (size_t i = 0; i < stream->phases.count; i++) advance(stream, &stream->phases.at[i]);
}

/* Number of the event that is expected nearest to a time; the earlier one of two. */
static tacFine nearest(const tacStream *stream, tacFine t) {
    const tacFine *values = stream->terms->values;
    size_t k = tacStreamTimesOf(stream->terms, TAC_STREAM_PATTERN)->values.count;
    tacFine period = values[TAC_STREAM_PERIOD], many = k ? (tacFine) k : 1;
    tacFine from = ((t - values[TAC_STREAM_ORIGIN]) / period - 2) * many, best = from;
    for (tacFine n = from; n < from + 5 * many; n++) {
        tacFine apart = expected(stream, n) - t, least = expected(stream, best) - t;
        if ((apart < 0 ? -apart : apart) < (least < 0 ? -least : least)) best = n;
    }
    return best;
}

/* The same with -origin: after a breach, the event is taken for the one that was expected nearest to it (the earlier of
 * two), so that one missing event is one breach. */
static void meetOrigin(tacStream *stream, tacFine t, bool unknown) {
    const tacFine *values = stream->terms->values;
    Phase *phase = &stream->phases.at[0];
    tacFine from = phase->base - values[TAC_STREAM_EARLY], to = phase->base + values[TAC_STREAM_LATE];
    if (t < from || t > to) {
        notePeriod(stream, unknown, from, to);
        size_t k = tacStreamTimesOf(stream->terms, TAC_STREAM_PATTERN)->values.count;
        tacFine n = nearest(stream, t), many = k ? (tacFine) k : 1;
        phase->base = expected(stream, n);
        phase->index = (uint32_t) ((n % many + many) % many);
    }
    advance(stream, phase);
}

/* Time of the event so many before the one that is judged; *is: there is one, or this is the one that comes so many
 * after the begin of the recording. */
static int64_t stepsBefore(const tacStream *stream, size_t steps, bool *is) {
    size_t n = stream->recent.count;
    *is = stream->count + 1 >= steps;
    return stream->count >= steps ? stream->recent.at[(stream->count - steps) % n] : stream->model->begin;
}

static void noteSteps(tacStream *stream, tacStreamTerm term, size_t steps, int64_t since, bool uncertain) {
    note(stream, (Breach){.term = term, .uncertain = uncertain, .since = since, .steps = (uint32_t) steps});
}

/* Judges the distances to the events before; end: of the recording, which is no event. */
static void meetSteps(tacStream *stream, int64_t t, bool end) {
    const tacStreamTimes *distances = tacStreamTimesOf(stream->terms, TAC_STREAM_DISTANCES);
    const tacStreamTimes *gaps = tacStreamTimesOf(stream->terms, TAC_STREAM_GAPS);
    bool is;
    for (size_t i = 0; i < distances->values.count && !end; i++) {
        int64_t since = stepsBefore(stream, i + 1, &is);
        if (stream->count > i && fineOf(t) - fineOf(since) < distances->values.at[i])
            noteSteps(stream, TAC_STREAM_DISTANCES, i + 1, since, false);
    }
    for (size_t i = 0; i < gaps->values.count; i++) {
        int64_t since = stepsBefore(stream, i + 1, &is);
        if (!is) break;
        bool unknown = tacUnknownBetween(stream->unknowns, &stream->cursors.at[i], since, t);
        if (fineOf(t) - fineOf(since) > gaps->values.at[i]) noteSteps(stream, TAC_STREAM_GAPS, i + 1, since, unknown);
    }
    if (stream->recent.count && !end) stream->recent.at[stream->count % stream->recent.count] = t;
}

static void meetBurst(tacStream *stream, int64_t t) {
    tacFine most = stream->terms->values[TAC_STREAM_BURST];
    if (most >= tacStoreCount(stream->model->store)) return;
    if (stream->times.count < (size_t) most) {
        if (!tacArrayPush(&stream->times, t)) stream->failed = true;
        return;
    }
    int64_t *first = &stream->times.at[stream->first];
    if (fineOf(t) - fineOf(*first) < stream->terms->values[TAC_STREAM_WITHIN])
        note(stream, (Breach){.term = TAC_STREAM_BURST, .since = *first});
    *first = t;
    if (++stream->first == stream->times.count) stream->first = 0;
}

void tacStreamMeet(tacStream *stream, uint32_t row) {
    const tacFine *values = stream->terms->values;
    int64_t t = tacRowTime(stream->model->store, row), since = before(stream);
    tacFine apart = fineOf(t) - fineOf(since);
    bool unknown = tacUnknownBetween(stream->unknowns, &stream->nextUnknown, since, t);
    if (stream->failed) return;
    stream->row = row;
    if (given(stream, TAC_STREAM_DISTANCE) && stream->count && apart < values[TAC_STREAM_DISTANCE])
        noteBreach(stream, TAC_STREAM_DISTANCE, false);
    if (given(stream, TAC_STREAM_GAP) && apart > values[TAC_STREAM_GAP]) noteBreach(stream, TAC_STREAM_GAP, unknown);
    if (given(stream, TAC_STREAM_ORIGIN)) meetOrigin(stream, fineOf(t), unknown);
    else if (given(stream, TAC_STREAM_PERIOD)) meetSeries(stream, fineOf(t), unknown);
    if (given(stream, TAC_STREAM_BURST)) meetBurst(stream, t);
    if (stream->recent.count) meetSteps(stream, t, false);
    stream->last = t;
    stream->count++;
}

tacStatus tacStreamEnd(tacStream *stream, tacError *err) {
    int64_t end = stream->model->end, since = before(stream);
    bool unknown = tacUnknownBetween(stream->unknowns, &stream->nextUnknown, since, end);
    stream->row = TAC_NONE;
    if (stream->count && given(stream, TAC_STREAM_GAP)
        && fineOf(end) - fineOf(since) > stream->terms->values[TAC_STREAM_GAP])
        noteBreach(stream, TAC_STREAM_GAP, unknown);
    if (stream->count && stream->recent.count) meetSteps(stream, end, true);
    return stream->failed ? tacFailMemory(err) : TAC_OK;
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

static void sayFine(tacJudging *judging, tacFine fine) {
    char text[TAC_FINE_SIZE];
    tacFineFormat(fine, judging->model->store->digits, text);
    tacSayMomentDecimal(judging, text, strlen(text));
}

static void saySince(tacJudging *judging, const Breach *breach) {
    if (breach->hasSince && breach->steps > 1)
        tacSay(judging, " after the one %u before, at ", (unsigned) breach->steps);
    else tacSay(judging, breach->hasSince ? " after the one at " : " after the begin of the recording at ");
    tacSayMoment(judging, breach->since);
}

/* Says when an event was expected, of the terms that were given. */
static void sayPeriod(tacJudging *judging, const tacStreamTerms *terms, const Breach *breach) {
    static const char *const names[] = {"period", "jitter", "origin", "late", "early"};
    tacSay(judging, breach->from == breach->to ? " at " : " from ");
    sayFine(judging, breach->from);
    if (breach->from != breach->to) {
        tacSay(judging, " to ");
        sayFine(judging, breach->to);
    }
    for (int i = TAC_STREAM_PERIOD; i <= TAC_STREAM_EARLY; i++)
        if (terms->words[i].length) {
            tacSay(judging, "%s%s ", i == TAC_STREAM_PERIOD ? " (" : ", ", names[i]);
            tacSayDecimal(judging, terms->words[i].at, terms->words[i].length);
        }
    if (terms->words[TAC_STREAM_PATTERN].length)
        tacSay(judging, ", pattern {%.*s}", TAC_SHOWN(&terms->words[TAC_STREAM_PATTERN]));
    tacSay(judging, ")");
}

/* found: a judgement about the stream as a whole. */
static tacStatus tellBreach(
    const tacStream *stream, tacJudging *judging, const tacExpectation *e, tacJudgement found, const Breach *breach) {
    const tacStore *store = stream->model->store;
    const tacWord *words = stream->terms->words;
    found.begin = breach->row == TAC_NONE ? stream->model->end : tacRowTime(store, breach->row);
    found.line = breach->row == TAC_NONE ? 0 : tacRowLine(store, breach->row);
    if (breach->uncertain) found.verdict = TAC_VERDICT_UNCERTAIN;
    tacSay(judging, "expected ");
    tacSayPattern(judging, &e->patterns.at[0]);
    if (breach->term == TAC_STREAM_PERIOD) sayPeriod(judging, stream->terms, breach);
    else if (breach->term == TAC_STREAM_BURST) {
        tacSay(judging, " at most %.*s time%s within ", TAC_SHOWN(&words[TAC_STREAM_BURST]),
            stream->terms->values[TAC_STREAM_BURST] == 1 ? "" : "s");
        tacSayDecimal(judging, words[TAC_STREAM_WITHIN].at, words[TAC_STREAM_WITHIN].length);
    } else {
        bool least = breach->term == TAC_STREAM_DISTANCE || breach->term == TAC_STREAM_DISTANCES;
        const tacWord *word = &words[breach->term];
        if (breach->term >= TAC_STREAM_PATTERN)
            word = &tacStreamTimesOf(stream->terms, breach->term)->list.words.at[breach->steps - 1];
        tacSay(judging, " at %s ", least ? "least" : "most");
        tacSayDecimal(judging, word->at, word->length);
        saySince(judging, breach);
    }
    if (breach->term == TAC_STREAM_BURST) {
        tacSay(judging, ", but it came %llu times from ",
            (unsigned long long) stream->terms->values[TAC_STREAM_BURST] + 1);
        tacSayMoment(judging, breach->since);
        tacSay(judging, " to ");
    } else tacSay(judging, breach->row == TAC_NONE ? ", but the recording ends at " : ", but it came at ");
    tacSayMoment(judging, found.begin);
    if (breach->term == TAC_STREAM_PERIOD && breach->hasSince) {
        tacSay(judging, ", ");
        tacSayTime(judging, found.begin - breach->since);
        saySince(judging, breach);
    }
    if (breach->uncertain) tacSay(judging, "; a processor was in an unknown state in between");
    return tacJudgingTell(judging, e->statement, found);
}

tacStatus tacStreamTell(const tacStream *stream, tacJudging *judging, const tacExpectation *e) {
    uint64_t more = stream->more[0] + stream->more[1];
    tacJudgement whole = tacJudgementAt(stream->model, &e->patterns.at[0], TAC_NONE);
    bool needed = given(stream, TAC_STREAM_PERIOD) || given(stream, TAC_STREAM_GAP) || given(stream, TAC_STREAM_GAPS);
    if (!stream->count && needed) {
        whole.verdict = TAC_VERDICT_UNCERTAIN;
        tacSay(judging, "expected a stream of ");
        tacSayPattern(judging, &e->patterns.at[0]);
        tacSay(judging, ", but it never happened");
        return tacJudgingTell(judging, e->statement, whole);
    }
    for (size_t i = 0; i < stream->breaches.count; i++)
        if (tellBreach(stream, judging, e, whole, &stream->breaches.at[i]) != TAC_OK) return TAC_ERROR;
    if (!more) return TAC_OK;
    if (!stream->more[0]) whole.verdict = TAC_VERDICT_UNCERTAIN;
    tacSay(judging, "%llu more finding%s about the stream of ", (unsigned long long) more, more == 1 ? "" : "s");
    tacSayPattern(judging, &e->patterns.at[0]);
    return tacJudgingTell(judging, e->statement, whole);
}
