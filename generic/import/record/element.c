/*
 * element.c -- elements of sensors without a meaning of their own: kept events, as those of a kernel trace are.
 *
 *      speed: value=10.5 wheel=3
 *
 * Numbers are written as decimals that give the same number again, texts with blanks between quotes. Bytes that no
 * field names are left out; of a sensor without fields they are all written.
 */
#include "base/port.h"

#include "import/record/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048, SHOWN_BYTES = 64 }; /* bytes of a text; bytes of an element without fields that are written */

typedef struct Text {
    char at[LONGEST];
    size_t length;
} Text;

static void add(Text *text, const char *bytes, size_t length) {
    if (length > LONGEST - text->length) length = tacWholeLength(bytes, length, LONGEST - text->length);
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
}

static void addString(Text *text, const char *string) { add(text, string, strlen(string)); }

/* ---- fields ------------------------------------------------------------------------------------------------------ */

int tacRecordField(const tacRecordSensor *sensor, const char *name) {
    for (uint32_t i = 0; i < sensor->said.fieldCount; i++)
        if (strcmp(sensor->said.fields[i].name, name) == 0) return (int) i;
    return -1;
}

static uint64_t numberAt(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

uint64_t tacRecordNumber(const tacRecordElement *e, int index) {
    const tacrec_fieldEntry *field = &e->sensor->said.fields[index];
    uint64_t value = numberAt(e->data + field->offset, field->size);
    if (field->type != TACREC_SIGNED || field->size == 8) return value;
    uint64_t sign = (uint64_t) 1 << (8 * field->size - 1);
    return (value ^ sign) - sign;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void addUnsigned(Text *text, uint64_t value) {
    char digits[20];
    size_t n = sizeof digits;
    do digits[--n] = (char) ('0' + value % 10);
    while (value /= 10);
    add(text, digits + n, sizeof digits - n);
}

static void addSigned(Text *text, int64_t value) {
    if (value < 0) add(text, "-", 1);
    addUnsigned(text, value < 0 ? -(uint64_t) value : (uint64_t) value);
}

/* Is this decimal, m * 10^-d, the number? Both are exact below 2^53 and 10^22, so their quotient is the nearest one. */
static bool isDecimal(double value, double mantissa, double power, bool single) {
    return single ? (float) (mantissa / power) == (float) value : mantissa / power == value;
}

/* Adds a number with up to 9 decimals if that is exact; else with as many digits as tell it from all others. */
static void addReal(Text *text, double value, bool single) {
    char written[TAC_DECIMAL_SIZE];
    double power = 1;
    for (int digits = 0; digits <= 9 && fabs(value * power) < 9007199254740992.0; digits++, power *= 10) {
        double mantissa = nearbyint(value * power);
        if (!isDecimal(value, mantissa, power, single)) continue;
        add(text, written, tacDecimalFormat((int64_t) mantissa, digits, written));
        return;
    }
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        snprintf(written, sizeof written, "%.*g", digits, value);
        double read = strtod(written, NULL);
        if (single ? (float) read == (float) value : read == value) break;
    }
    addString(text, written);
}

static double realAt(const uint8_t *at, int bytes) {
    uint64_t bits = numberAt(at, bytes);
    uint32_t half = (uint32_t) bits;
    float single;
    double value;
    memcpy(&single, &half, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return bytes == 4 ? single : value;
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Adds a text up to its NUL, between quotes if it has blanks or is empty. */
static void addWords(Text *text, const uint8_t *at, size_t size) {
    char words[TACREC_ELEMENT + 1] = "";
    bool quoted = false;
    memcpy(words, at, size);
    tacRecordClean(words, size + 1);
    for (char *c = words; *c; c++) {
        if (*c == '"') *c = '\'';
        quoted |= *c == ' ' || *c == ',' || *c == ';';
    }
    quoted |= !words[0];
    if (quoted) add(text, "\"", 1);
    addString(text, words);
    if (quoted) add(text, "\"", 1);
}

static void addField(Text *text, const tacRecordElement *e, int index) {
    const tacrec_fieldEntry *field = &e->sensor->said.fields[index];
    add(text, " ", 1);
    addString(text, field->name);
    add(text, "=", 1);
    switch (field->type) {
    case TACREC_UNSIGNED: addUnsigned(text, tacRecordNumber(e, index)); break;
    case TACREC_SIGNED: addSigned(text, (int64_t) tacRecordNumber(e, index)); break;
    case TACREC_REAL: addReal(text, realAt(e->data + field->offset, field->size), field->size == 4); break;
    default: addWords(text, e->data + field->offset, field->size);
    }
}

/* Adds the bytes of an element without fields, as hexadecimal digits. */
static void addBytes(Text *text, const tacRecordElement *e) {
    uint32_t size = e->sensor->said.size < SHOWN_BYTES ? e->sensor->said.size : SHOWN_BYTES;
    if (size) addString(text, " bytes=");
    for (uint32_t i = 0; i < size; i++) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", e->data[i]);
        add(text, digits, 2);
    }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Adds a message from an event, of the thread if it is known. */
static bool addMessage(tacRecord *r, const tacRecordSensor *sensor, int64_t time, uint32_t thread, const Text *text) {
    const tacRecordSource *source = tacRecordSourceOf(r, sensor);
    uint32_t task = TAC_NONE, string = tacStoreString(r->store, text->at, text->length);
    uint16_t processor;
    if (string == TAC_NONE || !tacRecordProcessor(r, source, -1, &processor)) return tacFailMemory(r->err), false;
    if (thread && (task = tacRecordTask(r, source, thread)) == TAC_NONE) return tacFailMemory(r->err), false;
    return tacRecordRow(r, time, TAC_EV_MESSAGE, string, tacMessageSaid(task, TAC_FROM_EVENT, true), processor);
}

size_t tacRecordFields(const tacRecordElement *e, uint32_t offset, char *to, size_t room) {
    Text text = {.length = 0};
    for (uint32_t i = 0; i < e->sensor->said.fieldCount; i++)
        if (e->sensor->said.fields[i].offset >= offset) addField(&text, e, (int) i);
    if (text.length == 0) return 0;
    size_t length = tacWholeLength(text.at + 1, text.length - 1, room); /* without the blank before the first */
    memcpy(to, text.at + 1, length);
    return length;
}

bool tacRecordKeep(tacRecord *r, const tacRecordElement *e) {
    Text text = {.length = 0};
    addString(&text, e->sensor->said.name);
    add(&text, ":", 1);
    for (uint32_t i = 0; i < e->sensor->said.fieldCount; i++) addField(&text, e, (int) i);
    if (e->sensor->said.fieldCount == 0) addBytes(&text, e);
    if (text.at[text.length - 1] == ':') text.length--;
    return addMessage(r, e->sensor, e->time, e->thread, &text);
}

bool tacRecordKeepLoss(tacRecord *r, const tacRecordLoss *loss) {
    Text text = {.length = 0};
    int64_t time = loss->until != TAC_UNKNOWN ? loss->until : loss->since;
    if (loss->since == TAC_UNKNOWN || time == TAC_UNKNOWN) return true;
    addString(&text, "tactus.lost: sensor=");
    addWords(&text, (const uint8_t *) loss->sensor->said.name, strlen(loss->sensor->said.name));
    addString(&text, " elements=");
    addUnsigned(&text, loss->count);
    return addMessage(r, loss->sensor, time, 0, &text);
}
