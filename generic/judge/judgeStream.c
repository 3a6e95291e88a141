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

enum { MOST_BREACHES = 1000 };

typedef struct Breach {
    tacStreamTerm term; /* DISTANCE, GAP, PERIOD or BURST */
    bool uncertain;     /* events may be missing before it */
    bool hasSince;      /* `since` is the time of an event; else the begin of the recording */
    uint32_t row;       /* of the event; TAC_NONE: the recording has ended */
    int64_t since;      /* ticks: what it is measured from */
    tacFine from, to;   /* PERIOD: where the event was expected */
} Breach;

struct tacStream {
    const tacModel *model;
    const tacStreamTerms *terms;
    const tacUnknowns *unknowns;
    size_t nextUnknown; /* of unknowns: the first that ends after the last event */
    uint64_t count;     /* events so far */
    uint32_t row;       /* of the event that is judged; TAC_NONE: the end of the recording */
    int64_t last;       /* ticks: the last event */
    /* With -period: i * period, where the next event is event i of its series; with -origin, origin + i * period. */
    tacFine base;
    tacFine low, high;        /* least and largest time of an event k of the series, less k * period */
    TAC_ARRAY(int64_t) times; /* -burst N: of the last N events */
    size_t first;             /* of times: the earliest, when there are N */
    TAC_ARRAY(Breach) breaches;
    uint64_t more[2]; /* breaches beyond these: invalid, uncertain */
    bool failed;      /* there was no memory */
};

static bool given(const tacStream *stream, tacStreamTerm term) { return stream->terms->words[term].length > 0; }

static tacFine fineOf(int64_t ticks) { return (tacFine) ticks * TAC_FINE_TICK; }

tacStream *tacStreamNew(const tacModel *model, const tacStreamTerms *terms, const tacUnknowns *unknowns) {
    tacStream *stream = tacAllocZero(1, sizeof *stream);
    if (!stream) return NULL;
    stream->model = model;
    stream->terms = terms;
    stream->unknowns = unknowns;
    stream->base = terms->values[TAC_STREAM_ORIGIN];
    return stream;
}

void tacStreamFree(tacStream *stream) {
    if (!stream) return;
    tacArrayFree(&stream->times);
    tacArrayFree(&stream->breaches);
    tacFree(stream);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Time of the event before the one that is judged, or of the recording's begin. */
static int64_t before(const tacStream *stream) { return stream->count ? stream->last : stream->model->begin; }

static void note(tacStream *stream, Breach breach) {
    breach.row = stream->row;
    breach.hasSince = stream->count > 0;
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

/* Judges the place of an event in its series. A breach begins a new series, and so does a stretch in which events may
 * be missing, since it is not known which i is the next one. */
static void meetSeries(tacStream *stream, tacFine t, bool unknown) {
    tacFine jitter = stream->terms->values[TAC_STREAM_JITTER], at = t - stream->base;
    tacFine low = at < stream->low ? at : stream->low, high = at > stream->high ? at : stream->high;
    bool broken = stream->count && high - low > jitter;
    if (broken) notePeriod(stream, unknown, stream->base + stream->high - jitter, stream->base + stream->low + jitter);
    if (!stream->count || broken || unknown) {
        stream->base = 0;
        low = high = t;
    }
    stream->low = low;
    stream->high = high;
    stream->base += stream->terms->values[TAC_STREAM_PERIOD];
}

/* The same with -origin: after a breach, the event is taken for the one that was expected nearest to it (the earlier of
 * two), so that one missing event is one breach. */
static void meetOrigin(tacStream *stream, tacFine t, bool unknown) {
    const tacFine *values = stream->terms->values;
    tacFine period = values[TAC_STREAM_PERIOD], origin = values[TAC_STREAM_ORIGIN];
    tacFine from = stream->base - values[TAC_STREAM_EARLY], to = stream->base + values[TAC_STREAM_LATE];
    if (t < from || t > to) {
        notePeriod(stream, unknown, from, to);
        tacFine twice = 2 * (t - origin) - period; /* the least i with 2 * i * period >= twice */
        tacFine i = twice / (2 * period) + (twice > 0 && twice % (2 * period) != 0);
        stream->base = origin + i * period;
    }
    stream->base += period;
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
    return stream->failed ? tacFailMemory(err) : TAC_OK;
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

static void sayFine(tacJudging *judging, tacFine fine) {
    char text[TAC_FINE_SIZE];
    tacFineFormat(fine, judging->model->store->digits, text);
    tacSay(judging, "%s", text);
}

static void saySince(tacJudging *judging, const Breach *breach) {
    tacSay(judging, breach->hasSince ? " after the one at " : " after the begin of the recording at ");
    tacSayTime(judging, breach->since);
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
        if (terms->words[i].length)
            tacSay(judging, "%s%s %.*s", i == TAC_STREAM_PERIOD ? " (" : ", ", names[i], TAC_SHOWN(&terms->words[i]));
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
    else if (breach->term == TAC_STREAM_BURST)
        tacSay(judging, " at most %.*s time%s within %.*s", TAC_SHOWN(&words[TAC_STREAM_BURST]),
            stream->terms->values[TAC_STREAM_BURST] == 1 ? "" : "s", TAC_SHOWN(&words[TAC_STREAM_WITHIN]));
    else {
        bool least = breach->term == TAC_STREAM_DISTANCE;
        tacSay(judging, " at %s %.*s", least ? "least" : "most", TAC_SHOWN(&words[breach->term]));
        saySince(judging, breach);
    }
    if (breach->term == TAC_STREAM_BURST) {
        tacSay(judging, ", but it came %llu times from ",
            (unsigned long long) stream->terms->values[TAC_STREAM_BURST] + 1);
        tacSayTime(judging, breach->since);
        tacSay(judging, " to ");
    } else tacSay(judging, breach->row == TAC_NONE ? ", but the recording ends at " : ", but it came at ");
    tacSayTime(judging, found.begin);
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
    if (!stream->count && (given(stream, TAC_STREAM_PERIOD) || given(stream, TAC_STREAM_GAP))) {
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
