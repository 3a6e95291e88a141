/*
 * logLines.c -- finds out the separator and the line of names where the mapping leaves them open.
 */
#include "base/port.h"

#include "import/log/logLines.h"

#include <stdlib.h>
#include <string.h>

/* The separator of a first line: the one that it has most of. */
static char separatorOf(const char *line, size_t length) {
    static const char separators[] = ",;\t|";
    size_t best = 0;
    char found = TAC_LOG_BLANKS;
    for (size_t i = 0; separators[i]; i++) {
        size_t n = 0;
        for (size_t k = 0; k < length; k++) n += line[k] == separators[i];
        if (n > best) best = n, found = separators[i];
    }
    return length > 0 && *line == '{' ? TAC_LOG_JSON : found;
}

/* Are these the names of columns: does one of them stand in the mapping? */
static bool areNames(const tacLogLines *l) {
    for (int i = 0; i < TAC_LOG_COLUMNS; i++)
        for (uint32_t k = 0; l->map->columns[i] && k < l->fields.all.count; k++) {
            tacWord word = tacField(&l->fields, k);
            if (tacWordIs(&word, l->map->columns[i])) return true;
        }
    return false;
}

tacStatus tacLogLinesTake(tacLogLines *l, const char *at, size_t length, tacLogPart *part, tacError *err) {
    while (length > 0 && (at[length - 1] == '\r' || at[length - 1] == ' ')) length--;
    *part = TAC_LOG_PASSED;
    if (l->skip > 0) return l->skip--, TAC_OK;
    if (!length || (l->map->comment && *at == l->map->comment)) return TAC_OK;
    *part = TAC_LOG_VALUES;
    if (!l->separator) l->separator = separatorOf(at, length);
    if (tacFieldsRead(&l->fields, at, length, l->separator, err) != TAC_OK) return TAC_ERROR;
    if (l->separator == TAC_LOG_JSON) return TAC_OK;
    if (l->header < 0 ? areNames(l) : l->header) *part = TAC_LOG_NAMES;
    l->header = 0;
    return TAC_OK;
}

uint32_t tacLogColumnNumber(const tacLogLines *l, const char *column, const tacFields *names) {
    char *end;
    if (l->separator == TAC_LOG_JSON) return tacInternFind(&l->fields.names, column, strlen(column));
    for (uint32_t i = 0; names && i < names->all.count; i++) {
        tacWord word = tacField(names, i);
        if (tacWordIs(&word, column)) return i;
    }
    unsigned long number = strtoul(column, &end, 10);
    return *end || number < 1 || number > TAC_LOG_MOST ? TAC_NONE : (uint32_t) number - 1;
}

void tacLogLinesFree(tacLogLines *l) { tacFieldsFree(&l->fields); }
