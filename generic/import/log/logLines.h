/*
 * logLines.h -- lines of a log taken apart as its mapping says: which are passed over, which has the names of columns,
 * which are rows; and where its columns are.
 */
#ifndef TAC_IMPORT_LOG_LOG_LINES_H
#define TAC_IMPORT_LOG_LOG_LINES_H

#include "import/log/fields.h"
#include "import/log/logMap.h"

typedef enum tacLogPart {
    TAC_LOG_PASSED, /* skipped, empty, or a comment */
    TAC_LOG_NAMES,  /* the names of columns */
    TAC_LOG_VALUES  /* a row */
} tacLogPart;

typedef struct tacLogLines {
    const tacLogMap *map;
    tacFields fields; /* of the line that was taken last */
    char separator;   /* 0: not known yet */
    int header;       /* 1: the next line is one; 0: there is none any more; -1: not known yet */
    uint32_t skip;    /* lines that are still to be passed over */
} tacLogLines;

static inline tacLogLines tacLogLinesNew(const tacLogMap *map) {
    return (tacLogLines){.map = map, .separator = map->separator, .header = map->header, .skip = map->skip};
}

/* Takes the next line apart. Errors: those of tacFieldsRead. */
tacStatus tacLogLinesTake(tacLogLines *lines, const char *at, size_t length, tacLogPart *part, tacError *err);
/* Number from 0 of a column, which a mapping calls by its name or by its number from 1; TAC_NONE: there is none. names:
 * fields of the line of names; NULL: there is none. */
uint32_t tacLogColumnNumber(const tacLogLines *lines, const char *column, const tacFields *names);
void tacLogLinesFree(tacLogLines *lines);

#endif
