/*
 * fields.h -- a line of a log as fields.
 */
#ifndef TAC_IMPORT_LOG_FIELDS_H
#define TAC_IMPORT_LOG_FIELDS_H

#include "base/intern.h"
#include "read/sink.h"

enum { TAC_LOG_BLANKS = ' ', TAC_LOG_JSON = '{', TAC_LOG_MOST = 1024 /* fields that are looked at */ };

typedef struct tacFields {
    TAC_ARRAY(tacWord) all; /* of the line that was read last; of JSON by the number of the name, at NULL: not there */
    tacText unquoted;       /* texts that differ from the line's own */
    tacInternTable names;   /* JSON: names of fields, in the order in which they were met; "a.b" within objects */
} tacFields;

/*
 * Takes a line apart at a separator: a character, TAC_LOG_BLANKS (any number of blanks and tabs), or TAC_LOG_JSON (an
 * object). Fields in quotes may have separators and doubled quotes. Fields are without blanks at their ends. Errors:
 * SYNTAX; MEMORY.
 */
tacStatus tacFieldsRead(tacFields *fields, const char *line, size_t length, char separator, tacError *err);
void tacFieldsFree(tacFields *fields);

/* The field of a number; an empty one where the line has none. */
static inline tacWord tacField(const tacFields *fields, uint32_t number) {
    return number < fields->all.count && fields->all.at[number].at ? fields->all.at[number] : (tacWord){"", 0};
}

#endif
