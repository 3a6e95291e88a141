/*
 * logMap.h -- the part of a mapping that says how the lines of a log are taken apart, and what their words mean.
 *
 *      log ?-separator S? ?-header yes|no|auto? ?-skip N? ?-comment C? ?-jobs number|order?
 *      column MEANING COLUMN ?-unit U? ?-relative yes|no?
 *      event MEANING PATTERN ?PATTERN ...?
 *
 * The other commands of a mapping (tactus_map(5)) are passed over here: rules for tasks hold for every format
 * (import/taskRules.h).
 */
#ifndef TAC_IMPORT_LOG_LOG_MAP_H
#define TAC_IMPORT_LOG_LOG_MAP_H

#include "base/mem.h"
#include "read/reader.h"
#include "trace/diag.h"

/* What a column has. */
typedef enum tacLogColumn {
    TAC_LOG_TIME,
    TAC_LOG_END,      /* when what the line tells ends, and ... */
    TAC_LOG_DURATION, /* ... or how long it takes: a line is a stretch in which a task ran */
    TAC_LOG_PROCESSOR,
    TAC_LOG_TASK,
    TAC_LOG_JOB, /* number of the job among those of its task */
    TAC_LOG_EVENT,
    TAC_LOG_OBJECT,  /* the mutex */
    TAC_LOG_TEXT,    /* of a mark */
    TAC_LOG_RELEASE, /* of the line's job */
    TAC_LOG_DEADLINE,
    TAC_LOG_PRIORITY, /* of the task */
    TAC_LOG_PERIOD,
    TAC_LOG_COLUMNS
} tacLogColumn;
extern const char *const tacLogColumnNames[]; /* "time" ..., NULL */

/* What an event means. */
typedef enum tacLogEvent {
    TAC_LOG_RELEASED,
    TAC_LOG_STARTED, /* starts, or goes on; the job that ran on its processor is preempted */
    TAC_LOG_PREEMPTED,
    TAC_LOG_BLOCKED,
    TAC_LOG_READY,
    TAC_LOG_COMPLETED,
    TAC_LOG_IDLE,      /* its processor runs nothing */
    TAC_LOG_INTERRUPT, /* an interrupt, whose name is the line's task, is handled from here on */
    TAC_LOG_RETURN,
    TAC_LOG_ACQUIRED, /* of a mutex */
    TAC_LOG_GAVE_BACK,
    TAC_LOG_DUE, /* the time is the deadline of the job */
    TAC_LOG_MARK,
    TAC_LOG_IGNORED,
    TAC_LOG_EVENTS
} tacLogEvent;
extern const char *const tacLogEventNames[]; /* "release" "start" ..., NULL */

typedef struct tacLogWord { /* a word of the column of events */
    char *pattern;          /* glob, any case; owned */
    uint32_t means;         /* tacLogEvent, bit by bit */
} tacLogWord;

typedef struct tacLogMap {
    char separator; /* as of fields.h; 0: found out */
    int header;     /* names of columns: 1: the first line has them, 0: no line; -1: found out */
    uint32_t skip;  /* lines before them */
    char comment;   /* lines that begin with it are passed over; 0: none are */
    bool byOrder;   /* jobs are told apart by their order, even where there is a column of their numbers */
    bool relative;  /* deadlines are counted from the release */
    char *columns[TAC_LOG_COLUMNS]; /* name or number (from 1) of each; NULL: there is none. Owned */
    char unit[4];                   /* of the times; empty: not known */
    TAC_ARRAY(tacLogWord) words;    /* in the order of the file: the first that fits counts */
    uint32_t means;                 /* of all words */
} tacLogMap;

/* Reads a mapping: text NULL: the file of this name. Errors: "MAP ...", "FILE ...", MEMORY. tacLogMapFree in any case.
 */
tacStatus tacLogMapRead(
    tacLogMap *map, const char *name, const char *text, size_t length, const tacReadOptions *limits, tacError *err);
void tacLogMapFree(tacLogMap *map);

/* What a word means, bit by bit; 0: no pattern fits. An empty word fits the empty pattern only. */
uint32_t tacLogMeaning(const tacLogMap *map, const char *word, size_t length);

#endif
