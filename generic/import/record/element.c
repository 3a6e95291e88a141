/*
 * element.c -- elements of sensors without a meaning of their own: kept events, as those of a kernel trace are.
 *
 *      speed: value=10.5 wheel=3
 *
 * Numbers are written as decimals that give the same number again, texts with blanks between quotes. Bytes that no
 * field names are left out; of a sensor without fields they are all written.
 */
#include "base/port.h"

#include "base/print.h"
#include "import/record/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_BYTES = 64, /* of an element without fields */
    NUMBER = 32,      /* bytes of a number as text, at most */
    /* Bytes of a text, at most: the sensor's name, and of each field its name, its value, and what stands between. */
    LONGEST = TACREC_STREAM_TEXT + TACREC_FIELDS * (TACREC_NAME + TACREC_ELEMENT + NUMBER)
};

/* A text that is being written, with room for the longest one; its bytes are not set before. */
typedef struct Text {
    size_t length;
    char at[LONGEST];
} Text;

static void add(Text *text, const char *bytes, size_t length) {
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
}

static void addString(Text *text, const char *string) {
    while (*string) text->at[text->length++] = *string++;
}

static void addCharacter(Text *text, char character) { text->at[text->length++] = character; }

/* ---- fields ------------------------------------------------------------------------------------------------------ */

int tacRecordField(const tacRecordSensor *sensor, const char *name) {
    for (uint32_t i = 0; i < sensor->said.fieldCount; i++)
        if (strcmp(sensor->said.fields[i].name, name) == 0) return (int) i;
    return -1;
}

/* A number of 1, 2, 4 or 8 bytes: each is one load. */
static uint64_t numberAt(const uint8_t *at, int bytes) {
    switch (bytes) {
    case 1: return *at;
    case 2: return tacRecordBytes(at, 2);
    case 4: return tacRecordBytes(at, 4);
    default: return tacRecordBytes(at, 8);
    }
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
    if (value < 0) addCharacter(text, '-');
    addUnsigned(text, value < 0 ? -(uint64_t) value : (uint64_t) value);
}

/*
 * Is this decimal, mantissa / power, the number? Both are exact below 2^53 and 10^22, so their quotient is the nearest
 * one. Scaled by the power, the number differs from the mantissa by the rounding of both at most, which saves most
 * divisions.
 */
static bool isDecimal(double value, double scaled, double mantissa, double power, bool single) {
    if (fabs(scaled - mantissa) > fabs(mantissa) * (single ? 0x1p-22 : 0x1p-50)) return false;
    return single ? (float) (mantissa / power) == (float) value : mantissa / power == value;
}

/* Adds a number with up to 9 decimals if that is exact; else with as many digits as tell it from all others. */
static void addReal(Text *text, double value, bool single) {
    char written[TAC_DECIMAL_SIZE];
    double power = 1;
    for (int digits = 0; digits <= 9 && fabs(value * power) < 9007199254740992.0; digits++, power *= 10) {
        double scaled = value * power;
        int64_t mantissa = (int64_t) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
        if (!isDecimal(value, scaled, (double) mantissa, power, single)) continue;
        add(text, written, tacDecimalFormat(mantissa, digits, written));
        return;
    }
    for (int digits = single ? 6 : 15; digits <= (single ? 9 : 17); digits++) {
        tacPrint(written, sizeof written, "%.*g", digits, value);
        double read = tacNumberRead(written, NULL);
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
    if (quoted) addCharacter(text, '"');
    addString(text, words);
    if (quoted) addCharacter(text, '"');
}

static void addField(Text *text, const tacRecordElement *e, int index) {
    const tacrec_fieldEntry *field = &e->sensor->said.fields[index];
    addCharacter(text, ' ');
    addString(text, field->name);
    addCharacter(text, '=');
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

/* A message that is to be added to the store. */
typedef struct Kept {
    int64_t time;
    uint32_t task, line;
    uint16_t processor;
    Text text;
} Kept;

/*
 * Nearly each text is a new one, whose place in the table of strings is not in the processor's cache. So it is asked
 * for, and the message is added when the next one has been written.
 */
struct tacRecordKept {
    Kept messages[2];
    Kept *waiting; /* NULL: none */
};

bool tacRecordKeepEnd(tacRecord *r) {
    Kept *kept = r->kept ? r->kept->waiting : NULL;
    if (!kept) return true;
    r->kept->waiting = NULL;
    uint32_t string = tacStoreString(r->store, kept->text.at, kept->text.length);
    if (string == TAC_NONE) return tacFailMemory(r->err), false;
    uint32_t said = tacMessageSaid(kept->task, TAC_FROM_EVENT, true);
    return tacStoreAppend(r->store, kept->time, TAC_EV_MESSAGE, string, said, kept->processor, kept->line, r->err)
        != TAC_NONE;
}

/* The message that does not wait, without a text yet; NULL: no memory. */
static Kept *newMessage(tacRecord *r) {
    if (!r->kept && !(r->kept = tacAllocZero(1, sizeof *r->kept))) return tacFailMemory(r->err), NULL;
    struct tacRecordKept *kept = r->kept;
    Kept *message = &kept->messages[kept->waiting == &kept->messages[0]];
    message->text.length = 0;
    return message;
}

/* Adds a message from an event, of the thread if it is known. */
static bool addMessage(tacRecord *r, Kept *kept, const tacRecordSensor *sensor, int64_t time, uint32_t thread) {
    const tacRecordSource *source = tacRecordSourceOf(r, sensor);
    tacInternPrepare(&r->store->strings, kept->text.at, kept->text.length);
    kept->time = time;
    kept->line = r->line;
    kept->task = TAC_NONE;
    if (!tacRecordProcessor(r, source, -1, &kept->processor)) return false;
    if (thread && (kept->task = tacRecordTask(r, source, thread)) == TAC_NONE) return false;
    if (!tacRecordKeepEnd(r)) return false;
    r->kept->waiting = kept;
    return true;
}

size_t tacRecordFields(const tacRecordElement *e, uint32_t offset, char *to, size_t room) {
    Text text;
    text.length = 0;
    for (uint32_t i = 0; i < e->sensor->said.fieldCount; i++)
        if (e->sensor->said.fields[i].offset >= offset) addField(&text, e, (int) i);
    if (text.length == 0) return 0;
    size_t length = tacWholeLength(text.at + 1, text.length - 1, room); /* without the blank before the first */
    memcpy(to, text.at + 1, length);
    return length;
}

bool tacRecordKeep(tacRecord *r, const tacRecordElement *e) {
    Kept *kept = newMessage(r);
    if (!kept) return false;
    Text *text = &kept->text;
    addString(text, e->sensor->said.name);
    addCharacter(text, ':');
    for (uint32_t i = 0; i < e->sensor->said.fieldCount; i++) addField(text, e, (int) i);
    if (e->sensor->said.fieldCount == 0) addBytes(text, e);
    if (text->at[text->length - 1] == ':') text->length--;
    return addMessage(r, kept, e->sensor, e->time, e->thread);
}

bool tacRecordKeepLoss(tacRecord *r, const tacRecordLoss *loss) {
    int64_t time = loss->until != TAC_UNKNOWN ? loss->until : loss->since;
    if (loss->since == TAC_UNKNOWN || time == TAC_UNKNOWN) return true;
    Kept *kept = newMessage(r);
    if (!kept) return false;
    addString(&kept->text, "tactus.lost: sensor=");
    addWords(&kept->text, (const uint8_t *) loss->sensor->said.name, strlen(loss->sensor->said.name));
    addString(&kept->text, " elements=");
    addUnsigned(&kept->text, loss->count);
    return addMessage(r, kept, loss->sensor, time, 0);
}
