/*
 * ask.h -- asking an object about a moment, by the name of a method: "state", "budget", "contents" ...
 *
 * Plugins and the handlers that a trace carries use objects as commands ($job state, $server budget); this is what
 * answers them: one table of methods (ask.c), answers as text. The moment is either now, in a replay that is under way,
 * or a time of a finished model. Both give the same answers (query.h tells what "at t" means), with one difference: now
 * does not know the future, so a job's deadline is empty until it was announced.
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

struct tacAskQuestion; /* ask.c: method, moment, object, and where the answer is added */

typedef struct tacAskMethod {
    const char *name;
    unsigned kinds;                                               /* bit 1 << tacKind */
    void (*answer)(const struct tacAskQuestion *question);        /* no memory: out->failed */
    const char *help;                                             /* a clause without period */
    enum { TAC_ANSWER_TEXT, TAC_ANSWER_ID, TAC_ANSWER_IDS } form; /* text, an id, or a list of ids */
    tacKind of;                                                   /* of the ids */
    size_t field;                                                 /* for answer: offset of a time, or a choice */
} tacAskMethod;

/* Index of a defined object; TAC_NONE: there is none. A processor may be the default one, which no store has. */
uint32_t tacAskFind(const tacModel *model, tacKind kind, const char *id, size_t length);
/* The same, else the first object of this name. */
uint32_t tacAskFindNamed(const tacModel *model, tacKind kind, const char *text, size_t length);
/* Does the kind know the method? Every kind knows "-option", which asks for an option of the definition. */
bool tacAskKnows(tacKind kind, const char *method);
/* The kind that an id means when this method is asked; false, with LOOKUP OBJECT or LOOKUP METHOD: none. */
bool tacAskWhich(const tacModel *model, const char *id, size_t length, const char *method, tacKind *kind,
    uint32_t *index, tacError *err);
/* Adds the answer. LOOKUP METHOD: the kind knows no such method. */
tacStatus tacAsk(const tacAskAt *at, tacKind kind, uint32_t index, const char *method, tacText *out, tacError *err);

/* The row of the table; NULL: the kind knows no such method, or it is the name of an option. */
const tacAskMethod *tacAskMethodOf(tacKind kind, const char *method);

#endif
