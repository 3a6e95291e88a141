/*
 * table.c -- the writers of tables: aligned text, CSV, JSON.
 *
 * Cells come one by one from the table's own function, become text in a small buffer, and leave in blocks. Only the
 * aligned form has to know more than one cell: it goes through all rows once before, for the widths of the columns.
 */
#include "base/port.h"

#include "base/hidden.h"
#include "base/number.h"
#include "base/print.h"
#include "relation/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const tacColumnTypeNames[] = {[TAC_COLUMN_TEXT] = "text",
    [TAC_COLUMN_TIME] = "time",
    [TAC_COLUMN_COUNT] = "count",
    [TAC_COLUMN_NUMBER] = "number",
    NULL};
const char *const tacTableFormatNames[TAC_TABLE_FORMATS + 1] = {
    "table", "csv", "json", "objects", "rows", "lines", NULL};

/* ---- blocks of output ------------------------------------------------------------------------------------------- */

typedef struct Writer {
    tacWrite write;
    void *data;     /* of `write` */
    bool stopped;   /* `write` said stop: it is not called any more */
    size_t used;    /* bytes in the block */
    size_t pending; /* spaces that are written when something follows on the line */
    char block[16384];
} Writer;

static void flush(Writer *w) {
    if (w->used && !w->stopped) w->stopped = !w->write(w->data, w->block, w->used);
    w->used = 0;
}

/* Writes bytes by way of the block. */
static void put(Writer *w, const char *bytes, size_t n) {
    if (TAC_UNLIKELY(n > sizeof w->block - w->used)) {
        flush(w);
        if (n > sizeof w->block) {
            if (!w->stopped) w->stopped = !w->write(w->data, bytes, n);
            return;
        }
    }
    memcpy(w->block + w->used, bytes, n);
    w->used += n;
}

static void putByte(Writer *w, char byte) {
    if (TAC_UNLIKELY(w->used == sizeof w->block)) flush(w);
    w->block[w->used++] = byte;
}

static void putString(Writer *w, const char *string) { put(w, string, strlen(string)); }

/* ---- cells ------------------------------------------------------------------------------------------------------ */

void tacCellNumber(tacCell *cell, double number) {
    cell->known = isfinite(number);
    cell->number = number;
}

void tacCellString(tacCell *cell, const char *text) {
    cell->known = text != NULL;
    cell->text = text;
    cell->length = text ? strlen(text) : 0;
}

const char tacUnitOfTimes[] = "time";

static tacColumnTrait traitOf(const tacTable *table, int column) {
    return table->trait ? table->trait(table, column) : (tacColumnTrait){NULL, NULL};
}

const char *tacColumnUnit(const tacTable *table, int column) {
    const char *unit = traitOf(table, column).unit;
    bool isTime = unit == tacUnitOfTimes || (!unit && table->columns[column].type == TAC_COLUMN_TIME);
    return isTime ? table->timeUnit : unit;
}

const char *const *tacColumnWords(const tacTable *table, int column) { return traitOf(table, column).words; }

const char *tacCellText(
    const tacTable *table, int column, const tacCell *cell, char buffer[TAC_CELL_SIZE], size_t *length) {
    int n;
    switch (table->columns[column].type) {
    case TAC_COLUMN_TEXT: *length = cell->length; return cell->text;
    case TAC_COLUMN_TIME: *length = tacDecimalFormat(cell->ticks, table->digits, buffer); break;
    case TAC_COLUMN_COUNT: *length = tacDecimalFormat(cell->ticks, 0, buffer); break;
    case TAC_COLUMN_NUMBER:
        if (table->exact) {
            *length = tacNumberExact(cell->number, buffer);
            break;
        }
        /* A mean or ratio of ticks has no more than 15 digits of meaning; never "-0". */
        n = tacPrint(buffer, TAC_CELL_SIZE, "%.15g", cell->number == 0 ? 0 : cell->number);
        *length = n < 0 ? 0 : (size_t) n;
        break;
    }
    return buffer;
}

/* Text of the cell of a row and column; NULL: the cell is empty. */
static const char *textAt(const tacTable *table, uint64_t row, int column, char buffer[TAC_CELL_SIZE], size_t *length) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    return cell.known ? tacCellText(table, column, &cell, buffer, length) : NULL;
}

static bool isNumeric(const tacTable *table, int column) { return table->columns[column].type != TAC_COLUMN_TEXT; }

/* ---- UTF-8 ------------------------------------------------------------------------------------------------------ */

/* Length of the well-formed character at the beginning of n bytes (n >= 1), with its code in *code; 0: none is there.
 */
static size_t decode(const unsigned char *at, size_t n, uint32_t *code) {
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (at[0] < 0x80) return *code = at[0], 1;
    size_t length = at[0] >= 0xc2 && at[0] < 0xe0 ? 2
        : at[0] >= 0xe0 && at[0] < 0xf0           ? 3
        : at[0] >= 0xf0 && at[0] < 0xf5           ? 4
                                                  : 0;
    if (!length || length > n) return 0;
    uint32_t value = at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 0;
    *code = value;
    return length;
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static bool csvSafe;

void tacTableCsvSafe(bool safe) { csvSafe = safe; }

bool tacTableIsCsvSafe(void) { return csvSafe; }

/* Number of digits at the beginning. */
static size_t digits(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9') n++;
    return n;
}

/* Is this a decimal number, perhaps with an exponent or a percent sign? */
static bool isNumber(const char *text, size_t length) {
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+'), before = digits(text + at, length - at), after = 0;
    at += before;
    if (at < length && text[at] == '.') {
        after = digits(text + at + 1, length - at - 1);
        at += 1 + after;
    }
    if (before + after == 0) return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+');
        size_t n = digits(text + at + 1 + sign, length - at - 1 - sign);
        if (n) at += 1 + sign + n;
    }
    if (at < length && text[at] == ' ') at++;
    if (at < length && text[at] == '%') at++;
    return at == length;
}

bool tacTableRuns(const char *text, size_t length) {
    static const char *const wide[] = {"\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"}; /* = + - @ */
    if (length == 0) return false;
    for (int i = 0; i < 4; i++)
        if (length >= 3 && memcmp(text, wide[i], 3) == 0) return true;
    return memchr("=+-@\t\r\n", text[0], 7) && !isNumber(text, length);
}

/* Writes a text, in quotes where RFC 4180 wants them and where blanks at its ends would get lost; if it has to be safe
 * also where a spreadsheet might take another separator, since what stands behind it would be a cell. */
static void csvText(Writer *w, const char *text, size_t length) {
    bool runs = csvSafe && tacTableRuns(text, length);
    bool quoted = runs || (length > 0 && (text[0] == ' ' || text[length - 1] == ' '));
    for (size_t i = 0; i < length && !quoted; i++)
        quoted = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r'
            || (csvSafe && (text[i] == ';' || text[i] == '\t'));
    if (!quoted) {
        put(w, text, length);
        return;
    }
    putByte(w, '"');
    if (runs) putByte(w, '\'');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"') putByte(w, '"');
        putByte(w, text[i]);
    }
    putByte(w, '"');
}

static void writeCsv(const tacTable *table, Writer *w) {
    for (int column = 0; column < table->nColumns && !table->headless; column++) {
        const char *name = table->columns[column].name;
        if (column) putByte(w, ',');
        csvText(w, name, strlen(name));
    }
    if (!table->headless) putByte(w, '\n');
    for (uint64_t row = 0; row < table->nRows && !w->stopped; row++) {
        for (int column = 0; column < table->nColumns; column++) {
            char buffer[TAC_CELL_SIZE];
            size_t length = 0;
            const char *text = textAt(table, row, column, buffer, &length);
            if (column) putByte(w, ',');
            if (text) csvText(w, text, length);
        }
        putByte(w, '\n');
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* Writes a text as a JSON string. */
static void jsonText(Writer *w, const char *text, size_t length) {
    putByte(w, '"');
    for (size_t i = 0; i < length;) {
        uint32_t code;
        size_t n = decode((const unsigned char *) text + i, length - i, &code);
        if (!n) {
            putString(w, "\xef\xbf\xbd");
            i++;
            continue;
        }
        if (code == '"' || code == '\\') {
            putByte(w, '\\');
            putByte(w, (char) code);
        } else if (tacIsHidden(code)) {
            char escape[TAC_ESCAPE];
            put(w, escape, tacHiddenEscape(code, escape));
        } else {
            put(w, text + i, n);
        }
        i += n;
    }
    putByte(w, '"');
}

/* Writes a row as an object. */
static void jsonRow(const tacTable *table, uint64_t row, Writer *w) {
    putByte(w, '{');
    for (int column = 0; column < table->nColumns; column++) {
        char buffer[TAC_CELL_SIZE];
        size_t length;
        const char *text = textAt(table, row, column, buffer, &length);
        putString(w, column ? ", \"" : "\"");
        putString(w, table->columns[column].name);
        putString(w, "\": ");
        if (!text) putString(w, "null");
        else if (isNumeric(table, column)) put(w, text, length);
        else jsonText(w, text, length);
    }
    putByte(w, '}');
}

static void writeObjects(const tacTable *table, const char *between, Writer *w) {
    for (uint64_t row = 0; row < table->nRows && !w->stopped; row++) {
        if (row) putString(w, between);
        jsonRow(table, row, w);
    }
}

static void writeJson(const tacTable *table, Writer *w) {
    putString(w, table->nRows ? "[\n" : "[");
    writeObjects(table, ",\n", w);
    putString(w, table->nRows ? "\n]\n" : "]\n");
}

/* ---- aligned text ----------------------------------------------------------------------------------------------- */

/* Width of a column in characters: numbers have `left` before the decimal point and `right` from there on. */
typedef struct Width {
    size_t left, right, total;
} Width;

static void indent(Writer *w, size_t n) { w->pending += n; }

/* Writes bytes that are no spaces, after the spaces that are pending. */
static void visible(Writer *w, const char *bytes, size_t n) {
    if (!n) return;
    for (; w->pending; w->pending--) putByte(w, ' ');
    put(w, bytes, n);
}

/* Ends the line; pending spaces are dropped. */
static void endLine(Writer *w) {
    w->pending = 0;
    putByte(w, '\n');
}

/* Number of characters at the beginning that every terminal shows as they are. */
static size_t plainAt(const char *text, size_t length) {
    size_t n = 0;
    while (n < length && text[n] >= ' ' && text[n] <= '~') n++;
    return n;
}

/* Writes a text for a terminal, with escapes for hidden characters (hidden.h) and bytes that are no UTF-8; returns its
 * width. w NULL: only measures. */
static size_t showText(Writer *w, const char *text, size_t length) {
    size_t width = plainAt(text, length);
    if (w) visible(w, text, width);
    for (size_t i = width; i < length;) {
        uint32_t code;
        char escape[TAC_ESCAPE];
        size_t n = decode((const unsigned char *) text + i, length - i, &code);
        if (n && !tacIsHidden(code)) {
            if (w) visible(w, text + i, n);
            width++, i += n;
            continue;
        }
        size_t size = n ? tacHiddenEscape(code, escape)
                        : (size_t) snprintf(escape, sizeof escape, "\\x%02x", (unsigned) (unsigned char) text[i]);
        if (w) visible(w, escape, size);
        width += size;
        i += n ? n : 1;
    }
    return width;
}

/* Text of a cell for reading: numbers have six decimals, or as many as the table's times. NULL: the cell is empty. */
static const char *readable(
    const tacTable *table, uint64_t row, int column, char buffer[TAC_CELL_SIZE], size_t *length) {
    tacCell cell = {0};
    table->cell(table, row, column, &cell);
    if (!cell.known) return NULL;
    if (table->columns[column].type != TAC_COLUMN_NUMBER || fabs(cell.number) >= 1e15)
        return tacCellText(table, column, &cell, buffer, length);
    int n = tacPrint(buffer, TAC_CELL_SIZE, "%.*f", table->digits > 6 ? table->digits : 6, cell.number);
    while (n > 0 && buffer[n - 1] == '0') n--;
    if (n > 0 && buffer[n - 1] == '.') n--;
    *length = (size_t) n;
    if (n == 2 && buffer[0] == '-' && buffer[1] == '0') return *length = 1, buffer + 1;
    return buffer;
}

/* Digits of a number before its decimal point. */
static size_t beforePoint(const char *number, size_t length) {
    const char *point = memchr(number, '.', length);
    return point ? (size_t) (point - number) : length;
}

static void widen(size_t *width, size_t needed) {
    if (*width < needed) *width = needed;
}

/* Finds the widths of all columns. */
static void measure(const tacTable *table, Width *widths) {
    for (uint64_t row = 0; row < table->nRows; row++)
        for (int column = 0; column < table->nColumns; column++) {
            char buffer[TAC_CELL_SIZE];
            size_t length;
            const char *text = readable(table, row, column, buffer, &length);
            if (!text) continue;
            size_t left = isNumeric(table, column) ? beforePoint(text, length) : showText(NULL, text, length);
            widen(&widths[column].left, left);
            if (isNumeric(table, column)) widen(&widths[column].right, length - left);
        }
    for (int column = 0; column < table->nColumns; column++) {
        widths[column].total = widths[column].left + widths[column].right;
        widen(&widths[column].total, strlen(table->columns[column].name));
    }
}

/* Writes a cell; row -1 is the header. */
static void alignedCell(const tacTable *table, int64_t row, int column, const Width *width, Writer *w) {
    char buffer[TAC_CELL_SIZE];
    const char *name = table->columns[column].name;
    bool numeric = isNumeric(table, column), right = numeric || (column < 64 && (table->right >> column & 1));
    if (row < 0) {
        size_t blank = width->total - strlen(name);
        indent(w, right ? blank : 0);
        visible(w, name, strlen(name));
        indent(w, right ? 0 : blank);
        return;
    }
    size_t length;
    const char *text = readable(table, (uint64_t) row, column, buffer, &length);
    if (!text) {
        indent(w, width->total);
    } else if (!numeric && plainAt(text, length) == length) {
        if (right) indent(w, width->total - length);
        visible(w, text, length);
        if (!right) indent(w, width->total - length);
    } else if (!numeric) {
        if (right) indent(w, width->total - showText(NULL, text, length));
        size_t shown = showText(w, text, length);
        if (!right) indent(w, width->total - shown);
    } else {
        size_t left = beforePoint(text, length);
        indent(w, width->total - width->right - left);
        visible(w, text, length);
        indent(w, width->right - (length - left));
    }
}

/* End of the band that begins with column `first`: after at least one column, and not within a group that fits a band.
 * A group is columns whose names have the same beginning up to an underscore. */
static int bandEnd(const tacTable *table, int first, const Width *widths) {
    size_t width = widths[0].total;
    int end = first;
    while (end < table->nColumns && (end == first || table->wide || width + 2 + widths[end].total <= TAC_TABLE_WIDTH))
        width += 2 + widths[end++].total;
    if (end == table->nColumns) return end;
    const char *name = table->columns[end].name;
    size_t prefix = strcspn(name, "_");
    int group = end;
    while (group > first && name[prefix] && strncmp(table->columns[group - 1].name, name, prefix + 1) == 0) group--;
    return group > first ? group : end;
}

/* Writes bands of columns below each other, each of which begins with the table's first column. */
static tacStatus writeAligned(const tacTable *table, Writer *w, tacError *err) {
    Width *widths = tacAllocZero((size_t) table->nColumns, sizeof *widths);
    if (!widths) return tacFailMemory(err);
    measure(table, widths);
    int first = 1;
    do {
        int end = bandEnd(table, first, widths);
        if (first > 1) endLine(w);
        for (int64_t row = -1; row < (int64_t) table->nRows && !w->stopped; row++) {
            for (int column = 0; column < end; column = column < first ? first : column + 1) {
                if (column) indent(w, 2);
                alignedCell(table, row, column, &widths[column], w);
            }
            endLine(w);
        }
        first = end;
    } while (first < table->nColumns && !w->stopped);
    tacFree(widths);
    return TAC_OK;
}

static void writeLines(const tacTable *table, Writer *w) {
    for (uint64_t row = 0; row < table->nRows && !w->stopped; row++) {
        char buffer[TAC_CELL_SIZE];
        size_t length;
        const char *text = textAt(table, row, 0, buffer, &length);
        if (!text) continue;
        showText(w, text, length);
        endLine(w);
    }
}

/* ---- tables of records ------------------------------------------------------------------------------------------ */

typedef struct Records {
    size_t size; /* bytes of a record */
    char *at;
} Records;

void tacTableRecordCell(const tacColumn *column, const void *record, tacCell *cell) {
    const char *at = (const char *) record + column->offset;
    switch (column->type) {
    case TAC_COLUMN_TEXT: tacCellString(cell, *(const char *const *) at); break;
    case TAC_COLUMN_TIME: tacCellTime(cell, *(const int64_t *) at); break;
    case TAC_COLUMN_COUNT: tacCellCount(cell, *(const int64_t *) at); break;
    case TAC_COLUMN_NUMBER: tacCellNumber(cell, *(const double *) at); break;
    }
}

static void recordCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    tacTableRecordCell(&table->columns[column], tacTableRecord(table, row), cell);
}

static void freeRecords(void *data) {
    Records *records = data;
    tacFree(records->at);
    tacFree(records);
}

tacStatus tacTableRecords(tacTable *table, const char *title, const tacColumn *columns, int nColumns, size_t recordSize,
    uint64_t nRows, int digits, tacError *err) {
    *table = (tacTable){.title = title, .columns = columns, .nColumns = nColumns, .digits = digits};
    Records *records = tacAllocZero(1, sizeof *records);
    void *at = tacAllocZero(nRows ? (size_t) nRows : 1, recordSize);
    if (!records || !at) return tacFree(records), tacFree(at), tacFailMemory(err);
    *records = (Records){recordSize, at};
    table->nRows = nRows;
    table->cell = recordCell;
    table->data = records;
    table->release = freeRecords;
    return TAC_OK;
}

void *tacTableRecord(const tacTable *table, uint64_t row) {
    const Records *records = table->data;
    return records->at + row * records->size;
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

tacStatus tacTableWrite(const tacTable *table, tacTableFormat format, tacWrite write, void *data, tacError *err) {
    Writer w;
    w.write = write;
    w.data = data;
    w.stopped = false;
    w.used = w.pending = 0;
    tacStatus status = TAC_OK;
    switch (format) {
    case TAC_TABLE_CSV: writeCsv(table, &w); break;
    case TAC_TABLE_JSON: writeJson(table, &w); break;
    case TAC_TABLE_OBJECTS: writeObjects(table, ", ", &w); break;
    case TAC_TABLE_ROWS: writeObjects(table, ",\n", &w); break;
    case TAC_TABLE_LINES: writeLines(table, &w); break;
    default: status = writeAligned(table, &w, err); break;
    }
    flush(&w);
    if (status == TAC_OK && tacTableFailed(table)) return tacFailMemory(err);
    if (status == TAC_OK && w.stopped) return tacFail(err, "WRITE STOPPED", "the output could not be written");
    return status;
}

void tacTableFree(tacTable *table) {
    if (table->release) table->release(table->data);
    table->data = NULL;
    table->release = NULL;
    table->nRows = 0;
}
