/*
 * row.c -- splits a line of a BTF file into fields, and reads its header.
 *
 * "#name value" is a parameter, "#-number name" an entry of the table that was named last, "# ..." a comment;
 * everything else has fields with commas between them. Blanks around fields do not count.
 */
#include "base/port.h"

#include "import/btf/row.h"

#include <string.h>

enum { LEAST_FIELDS = 7, FIELDS = 8, MOST_NUMBER = 1 << 20 };

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static tacWord trimmed(const char *at, const char *end) {
    while (at < end && isBlank(*at)) at++;
    while (at < end && isBlank(end[-1])) end--;
    return (tacWord){at, (size_t) (end - at)};
}

/* Compares without regard to case, as files differ in it. */
static bool isNamed(const tacWord *word, const char *name) {
    size_t i = 0;
    for (; i < word->length && name[i]; i++) {
        char c = word->at[i] >= 'A' && word->at[i] <= 'Z' ? (char) (word->at[i] + 'a' - 'A') : word->at[i];
        if (c != name[i]) return false;
    }
    return i == word->length && !name[i];
}

/* ---- numbers for names ------------------------------------------------------------------------------------------- */

static bool numberOf(const tacWord *word, uint32_t *number) {
    *number = 0;
    for (size_t i = 0; i < word->length; i++) {
        if (word->at[i] < '0' || word->at[i] > '9' || *number > MOST_NUMBER) return false;
        *number = 10 * *number + (uint32_t) (word->at[i] - '0');
    }
    return word->length > 0 && *number <= MOST_NUMBER;
}

/* Replaces a number by its name, if it has one. */
static void nameWord(const tacBtfNames *names, tacWord *word) {
    uint32_t number;
    if (names->byNumber.count == 0 || !numberOf(word, &number)) return;
    if (number >= names->byNumber.count || names->byNumber.at[number] == TAC_NONE) return;
    word->at = tacInternName(&names->names, names->byNumber.at[number], &word->length);
}

void tacBtfHeaderFree(tacBtfHeader *header) {
    tacInternFree(&header->types.names);
    tacArrayFree(&header->types.byNumber);
    tacInternFree(&header->entities.names);
    tacArrayFree(&header->entities.byNumber);
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int scale;
} units[] = {{"ps", 12}, {"ns", 9}, {"us", 6}, {"ms", 3}, {"s", 0}};

static const struct {
    const char *name;
    tacBtfTable table;
} tables[] = {
    {"typetable", TAC_BTF_TYPES}, {"entitytable", TAC_BTF_ENTITIES}, {"entitytypetable", TAC_BTF_ENTITY_TYPES}};

/* Takes "#name value". All versions 2.x are read alike, since they differ only in which events they have. */
static tacBtfLine takeParameter(tacBtfHeader *header, const char *at, const char *end, tacError *err) {
    const char *p = at;
    while (p < end && !isBlank(*p)) p++;
    tacWord name = {at, (size_t) (p - at)}, value = trimmed(p, end);
    header->table = TAC_BTF_NO_TABLE;
    if (isNamed(&name, "version")) {
        header->version = true;
        if (value.length > 1 && value.at[0] == '2' && value.at[1] == '.') return TAC_BTF_PARAMETER;
        tacFail(err, "VERSION", "version \"%.*s\" of the format is read as if it were 2.2", TAC_SHOWN(&value));
        return TAC_BTF_WRONG;
    }
    header->other |= isNamed(&name, "creator") || isNamed(&name, "creationdate") || isNamed(&name, "timescale");
    if (isNamed(&name, "timescale")) {
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (isNamed(&value, units[i].name)) return header->scale = units[i].scale, TAC_BTF_PARAMETER;
        tacFail(
            err, "HEADER", "the time scale \"%.*s\" is not known: it must be ps, ns, us, ms or s", TAC_SHOWN(&value));
        return TAC_BTF_WRONG;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (isNamed(&name, tables[i].name)) header->table = tables[i].table;
    return TAC_BTF_PARAMETER;
}

/* Takes an entry of a table, "0 T" or "T Task_1ms", behind "#-". */
static tacBtfLine takeEntry(tacBtfHeader *header, const char *at, const char *end, tacBtfRow *row, tacError *err) {
    const char *p = at;
    uint32_t number;
    while (p < end && !isBlank(*p)) p++;
    tacWord key = {at, (size_t) (p - at)}, value = trimmed(p, end);
    if (header->table == TAC_BTF_NO_TABLE) return TAC_BTF_EMPTY;
    if (header->table == TAC_BTF_ENTITY_TYPES) {
        *row = (tacBtfRow){.type = key, .target = value};
        nameWord(&header->types, &row->type);
        nameWord(&header->entities, &row->target);
        return TAC_BTF_TYPE_OF;
    }
    if (!numberOf(&key, &number)) {
        tacFail(err, "HEADER", "an entry of a table must be a number up to %d and a name", MOST_NUMBER);
        return TAC_BTF_WRONG;
    }
    tacBtfNames *names = header->table == TAC_BTF_TYPES ? &header->types : &header->entities;
    uint32_t id = tacIntern(&names->names, value.at, value.length);
    while (id != TAC_NONE && names->byNumber.count <= number)
        if (!tacArrayPush(&names->byNumber, TAC_NONE)) id = TAC_NONE;
    if (id == TAC_NONE) {
        tacFailMemory(err);
        return TAC_BTF_WRONG;
    }
    names->byNumber.at[number] = id;
    return TAC_BTF_PARAMETER;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Splits a line at its commas; the last field takes the rest. Returns the number of fields. */
static int splitFields(const char *at, const char *end, tacWord fields[FIELDS]) {
    int count = 0;
    for (;;) {
        const char *comma = count < FIELDS - 1 ? memchr(at, ',', (size_t) (end - at)) : NULL;
        fields[count++] = trimmed(at, comma ? comma : end);
        if (!comma) return count;
        at = comma + 1;
    }
}

static tacBtfLine takeRow(const tacBtfHeader *header, const char *at, const char *end, tacBtfRow *row, tacError *err) {
    tacWord fields[FIELDS] = {[LEAST_FIELDS] = {"", 0}}; /* there may be no note */
    int count = splitFields(at, end, fields);
    if (count < LEAST_FIELDS) {
        tacFail(err, "SYNTAX",
            "%d fields instead of %d or %d: time, source, instance, type, target, instance, event, note", count,
            LEAST_FIELDS, FIELDS);
        return TAC_BTF_WRONG;
    }
    if (tacDecimalParse(fields[0].at, fields[0].length, &row->time) != TAC_OK || row->time.rounded) {
        tacFail(err, "TIME", "\"%.*s\" is no time", TAC_SHOWN(&fields[0]));
        return TAC_BTF_WRONG;
    }
    row->time.digits += header->scale;
    row->source = fields[1];
    row->sourceInstance = fields[2];
    row->type = fields[3];
    row->target = fields[4];
    row->targetInstance = fields[5];
    row->event = fields[6];
    row->note = fields[7];
    nameWord(&header->types, &row->type);
    nameWord(&header->entities, &row->source);
    nameWord(&header->entities, &row->target);
    return TAC_BTF_ROW;
}

tacBtfLine tacBtfParse(tacBtfHeader *header, const char *text, size_t length, tacBtfRow *row, tacError *err) {
    tacWord line = trimmed(text, text + length);
    const char *end = line.at + line.length;
    if (line.length == 0) return TAC_BTF_EMPTY;
    if (*line.at != '#') return takeRow(header, line.at, end, row, err);
    if (line.length == 1 || isBlank(line.at[1])) return TAC_BTF_EMPTY;
    if (line.at[1] == '-') return takeEntry(header, line.at + 2, end, row, err);
    return takeParameter(header, line.at + 1, end, err);
}
