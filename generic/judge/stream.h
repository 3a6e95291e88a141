/*
 * stream.h -- how events arrive: the terms of a statement `stream`, and the tightest terms that recordings satisfy.
 *
 *   words -> terms (streamTerms.c) -> judged event by event (judgeStream.c)
 *   models -> distances, and the hull of (i, time of event i) -> terms (streamLearn.c)
 *
 * Times are reckoned with in millionths of a tick, exactly (judge/limit.h), so that i periods are i times the period.
 */
#ifndef TAC_JUDGE_STREAM_H
#define TAC_JUDGE_STREAM_H

#include "judge/limit.h"
#include "judge/list.h"
#include "judge/pattern.h"
#include "model/model.h"
#include "read/sink.h"

typedef enum tacStreamTerm {
    TAC_STREAM_PERIOD,   /* event i comes in [offset + i * period, offset + i * period + jitter], for some offset */
    TAC_STREAM_JITTER,   /* ... 0 where it is not given */
    TAC_STREAM_ORIGIN,   /* instead: event i comes in [origin + i * period - early, origin + i * period + late] */
    TAC_STREAM_LATE,     /* ... */
    TAC_STREAM_EARLY,    /* ... */
    TAC_STREAM_DISTANCE, /* successive events are at least so far apart */
    TAC_STREAM_GAP,      /* ... at most */
    TAC_STREAM_BURST,    /* at most so many events in any [t, t + within) */
    TAC_STREAM_WITHIN,
    TAC_STREAM_PATTERN,   /* several events a period, at these times of it; lists from here on */
    TAC_STREAM_DISTANCES, /* an event and the kth one behind it are at least so far apart, for k = 1, 2 ... */
    TAC_STREAM_GAPS,      /* ... at most */
    TAC_STREAM_TERMS
} tacStreamTerm;

/* A list of times. */
typedef struct tacStreamTimes {
    tacList list; /* as written */
    TAC_ARRAY(tacFine) values;
} tacStreamTimes;
enum { TAC_MOST_STREAM_TIMES = 256 }; /* of a list */

typedef struct tacStreamTerms {
    tacWord words[TAC_STREAM_TERMS];  /* as written; length 0: not given */
    tacFine values[TAC_STREAM_TERMS]; /* DISTANCE and WITHIN are rounded up, the others down, which changes no
                                       * verdict; PERIOD and ORIGIN are exact; BURST is a count */
    tacStreamTimes lists[TAC_STREAM_TERMS - TAC_STREAM_PATTERN]; /* PATTERN is exact and ascends; DISTANCES are rounded
                                                                  * up, GAPS down */
} tacStreamTerms;
static inline const tacStreamTimes *tacStreamTimesOf(const tacStreamTerms *terms, tacStreamTerm term) {
    return &terms->lists[term - TAC_STREAM_PATTERN];
}

/* Reads the words after the event. model NULL: only whether they are well written. TAC_ERROR: USAGE; DIGITS: a period
 * or origin has more digits than can be reckoned with in this trace. Free them in any case. */
tacStatus tacStreamRead(const tacModel *model, const tacWord *words, int count, tacStreamTerms *terms, tacError *err);
void tacStreamTermsFree(tacStreamTerms *terms);

/* Stretches in which some processor is in an unknown state, on which there may be such events, so that some may be
 * missing: by begin, apart from each other. */
typedef TAC_ARRAY(tacStretch) tacUnknowns;

/* Are the events of a pattern on some processors only: are they of a task, a job or a server that has a processor, or
 * of a processor? Those of a task may also be where jobs of it ran. */
bool tacEventHasProcessor(const tacModel *model, const tacEventPattern *pattern);
/* pattern NULL: the events may be anywhere. False: no memory. */
bool tacUnknownsFind(const tacModel *model, const tacEventPattern *pattern, tacUnknowns *unknowns);
/* Does a stretch overlap the time between two events? *at: 0 at first; the begins of successive calls ascend. */
static inline bool tacUnknownBetween(const tacUnknowns *unknowns, size_t *at, int64_t begin, int64_t end) {
    while (*at < unknowns->count && unknowns->at[*at].end <= begin) ++*at;
    return *at < unknowns->count && unknowns->at[*at].begin < end;
}

/* The tightest terms that hold in all recordings, also across stretches in which events may be missing: there, too,
 * they are what a recording is valid with. */
typedef struct tacStreamLearned {
    int digits;            /* of the ticks here: the most that a recording has */
    uint64_t events;       /* in all recordings */
    uint64_t without;      /* recordings without any */
    uint64_t distances;    /* between two events; `distance` is the least of them, and of no use where there is none */
    uint64_t ends;         /* distances from the begin of a recording or to its end; `gap` is the largest of all */
    uint64_t unknown;      /* distances of both kinds across a stretch in which events may be missing */
    int64_t distance, gap; /* ticks */
    uint64_t series;       /* series of at least two events that the period was taken from */
    uint64_t periodic;     /* events in these */
    tacFine period;        /* 0: none */
    tacFine jitter;        /* whole ticks */
} tacStreamLearned;

/* Learns from n recordings. TAC_ERROR: USAGE (the event is not well written), RANGE (the times of the recordings do not
 * fit beside one another), MEMORY. */
tacStatus tacStreamLearn(
    const tacModel *const *models, size_t n, const tacWord *event, tacStreamLearned *learned, tacError *err);

#endif
