/*
 * ask.h -- asking an object about a moment, by the name of a method: "state", "budget", "contents" ...
 *
 * What an object used as a command answers ($job state, $server budget), for plugins and for handlers that a trace
 * carries: one table of methods (ask.c), answers as text. The moment is either now, in a replay that is under way, or a
 * time of a finished model; both give the same answers (query.h tells what "at t" means), but for one thing: now knows
 * nothing of later, so a job's start or deadline is empty until it has happened or was said.
 *
 * Ids are unique per kind only. An id without a kind means the first kind, in a fixed order (ask.c), that has such
 * an object and knows the method: $x budget asks the server x also where a task is called x.
 */
#ifndef TAC_MODEL_ASK_H
#define TAC_MODEL_ASK_H

#include "model/replay.h"

typedef struct tacAskAt { /* when */
    const tacModel *model;
    const struct tacReplay *replay; /* under way: now; NULL: at `time` */
    int64_t time;                   /* ticks */
} tacAskAt;

typedef struct tacAskMethod {
    const char *name;
    unsigned kinds;                                                                 /* bit 1 << tacKind */
    void (*answer)(const tacAskAt *at, tacKind kind, uint32_t index, tacText *out); /* no memory: out->failed */
    const char *help;                                                               /* a clause without period */
    enum { TAC_ANSWER_TEXT, TAC_ANSWER_ID, TAC_ANSWER_IDS } form;                   /* text, an id, or a list of ids */
    tacKind of;                                                                     /* of the ids */
} tacAskMethod;

/* Index of a defined object; TAC_NONE: there is none. A processor may be the default one, which no store has. */
uint32_t tacAskFind(const tacModel *model, tacKind kind, const char *id, size_t length);
/* Does the kind know the method? "-option" names, which give what the definition said, every kind does. */
bool tacAskKnows(tacKind kind, const char *method);
/* The kind that an id means when this method is asked; false, with LOOKUP OBJECT or LOOKUP METHOD: none. */
bool tacAskWhich(const tacModel *model, const char *id, size_t length, const char *method, tacKind *kind,
    uint32_t *index, tacError *err);
/* Adds the answer. LOOKUP METHOD: the kind knows no such method. */
tacStatus tacAsk(const tacAskAt *at, tacKind kind, uint32_t index, const char *method, tacText *out, tacError *err);

/* The row of the table; NULL: the kind knows no such method, or it is the name of an option. */
const tacAskMethod *tacAskMethodOf(tacKind kind, const char *method);

#endif
