/*
 * recordTail.c -- elements on their way from a collector's thread to a script (tcl/recorder.h).
 *
 *      collector's thread -> waiting: elements, their bytes, what is said of their sensors -> tacRecordTailRead
 *
 * Invariants:
 *   1. `lock` keeps `waiting` and `known`; what stands in a Known does not change once it is in the list.
 *   2. So many elements wait at most that their memory is bounded; those that come then are counted.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/decimal.h"
#include "base/mem.h"
#include "base/names.h"
#include "tcl/dictValue.h"
#include "tcl/recorder.h"
#include "tcl/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAITING = 1 << 17, /* elements, at most */
    BUCKETS = 1024,
    DIGITS = 9 /* of times: nanoseconds */
};

typedef struct Known { /* a sensor */
    uint64_t identity; /* of its source */
    uint32_t sensor;
    bool wanted;
    uint32_t pid;
    tacrec_sensorSaid said;
    char source[TACREC_STREAM_TEXT];
    struct Known *next; /* of the bucket */
} Known;

typedef struct Element {
    const Known *of;
    uint64_t number, time; /* time: nanoseconds */
    size_t at;             /* of its bytes */
    size_t order;          /* in which it came */
} Element;

typedef struct Waiting {
    TAC_ARRAY(Element) elements;
    TAC_ARRAY(uint8_t) bytes;
} Waiting;

struct tacRecordTail {
    Tcl_Mutex lock;
    const char **patterns; /* of names of sensors, owned; NULL: all */
    Known *known[BUCKETS];
    Waiting waiting;
    uint64_t lost;
};

/* ---- the collector's thread -------------------------------------------------------------------------------------- */

/* What is known of a sensor. NULL: no memory. */
static const Known *knownOf(tacRecordTail *tail, const tacrec_collected *source, uint32_t sensor) {
    uint64_t identity = tacrec_collectedIdentity(source);
    Known **bucket = &tail->known[(identity ^ sensor) % BUCKETS];
    for (const Known *known = *bucket; known; known = known->next)
        if (known->identity == identity && known->sensor == sensor) return known;
    const tacrec_sensorSaid *said = tacrec_collectedSensor(source, sensor);
    Known *known = said ? tacAllocZero(1, sizeof *known) : NULL;
    if (!known) return NULL;
    known->identity = identity;
    known->sensor = sensor;
    known->said = *said;
    known->pid = tacrec_collectedSource(source)->pid;
    memcpy(known->source, tacrec_collectedSource(source)->name, sizeof known->source);
    known->wanted = tacNamesFit(tail->patterns, said->name, strnlen(said->name, sizeof said->name));
    known->next = *bucket;
    *bucket = known;
    return known;
}

static bool keep(Waiting *waiting, Element element, const void *bytes) {
    size_t size = element.of->said.size;
    if (waiting->elements.count >= WAITING) return false;
    if (!tacArrayReserve(&waiting->bytes, size + 1) || !tacArrayReserve(&waiting->elements, 1)) return false;
    element.at = waiting->bytes.count;
    element.order = waiting->elements.count;
    if (size) memcpy(waiting->bytes.at + element.at, bytes, size);
    waiting->bytes.count += size;
    return tacArrayPush(&waiting->elements, element);
}

static void takeElement(
    void *data, const tacrec_collected *source, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes) {
    tacRecordTail *tail = data;
    Tcl_MutexLock(&tail->lock);
    const Known *known = knownOf(tail, source, sensor);
    Element element = {known, number, tacrec_collectedTime(source, time), 0, 0};
    if (!known || (known->wanted && !keep(&tail->waiting, element, bytes))) tail->lost++;
    Tcl_MutexUnlock(&tail->lock);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Bytes above 127 are of UTF-8 where they can be; others stand for themselves. */
Tcl_Obj *tacRecordName(const char *bytes, size_t most) { return tacTextToObj(bytes, strnlen(bytes, most)); }

static Tcl_Obj *unsignedValue(uint64_t value) {
    return value <= INT64_MAX ? Tcl_NewWideIntObj((Tcl_WideInt) value)
                              : Tcl_ObjPrintf("%" TCL_LL_MODIFIER "u", (Tcl_WideUInt) value);
}

/* The number that `size` bytes hold: 1, 2, 4 or 8. */
static uint64_t numberAt(const uint8_t *at, unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size && i < 8; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

static Tcl_Obj *realValue(const uint8_t *at, unsigned size) {
    double value;
    float shorter;
    if (size == sizeof value) {
        memcpy(&value, at, sizeof value);
    } else {
        memcpy(&shorter, at, sizeof shorter);
        value = (double) shorter;
    }
    return Tcl_NewDoubleObj(value);
}

static Tcl_Obj *fieldValue(const tacrec_fieldEntry *field, const uint8_t *bytes) {
    const uint8_t *at = bytes + field->offset;
    switch (field->type) {
    case TACREC_UNSIGNED: return unsignedValue(numberAt(at, field->size));
    case TACREC_SIGNED: {
        unsigned unused = field->size < 8 ? 64 - 8 * (unsigned) field->size : 0;
        return Tcl_NewWideIntObj((Tcl_WideInt) (numberAt(at, field->size) << unused) >> unused);
    }
    case TACREC_REAL:
        if (field->size == sizeof(float) || field->size == sizeof(double)) return realValue(at, field->size);
        return unsignedValue(numberAt(at, field->size));
    default: return tacRecordName((const char *) at, field->size);
    }
}

/* Names and values of an element's fields; of one without fields its bytes, as `bytes`. */
static Tcl_Obj *values(const tacrec_sensorSaid *said, const uint8_t *bytes) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < said->fieldCount && i < TACREC_FIELDS; i++) {
        const tacrec_fieldEntry *field = &said->fields[i];
        tacAppend(list, tacRecordName(field->name, sizeof field->name));
        tacAppend(list, fieldValue(field, bytes));
    }
    if (said->fieldCount || !said->size) return list;
    Tcl_Obj *hex = Tcl_NewObj();
    for (uint32_t i = 0; i < said->size; i++) Tcl_AppendPrintfToObj(hex, "%02x", bytes[i]);
    tacAppend(list, Tcl_NewStringObj("bytes", -1));
    tacAppend(list, hex);
    return list;
}

static Tcl_Obj *elementValue(const Element *element, const uint8_t *bytes) {
    Tcl_Obj *dict = Tcl_NewDictObj();
    const Known *of = element->of;
    tacPut(dict, "time", tacTimeValueObj((int64_t) (element->time & INT64_MAX), DIGITS));
    tacPut(dict, "source", tacRecordName(of->source, sizeof of->source));
    tacPutCount(dict, "pid", of->pid);
    tacPut(dict, "sensor", tacRecordName(of->said.name, sizeof of->said.name));
    tacPut(dict, "number", unsignedValue(element->number));
    tacPut(dict, "values", values(&of->said, bytes + element->at));
    return dict;
}

/* ---- the script's thread ----------------------------------------------------------------------------------------- */

static int earlier(const void *a, const void *b) {
    const Element *one = a, *other = b;
    if (one->time != other->time) return one->time < other->time ? -1 : 1;
    return one->order < other->order ? -1 : 1;
}

Tcl_Obj *tacRecordTailRead(tacRecordTail *tail, uint64_t *lost) {
    static const Waiting none = {{NULL, 0, 0}, {NULL, 0, 0}};
    Tcl_MutexLock(&tail->lock);
    Waiting waiting = tail->waiting;
    tail->waiting = none;
    *lost = tail->lost;
    tail->lost = 0;
    Tcl_MutexUnlock(&tail->lock);
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    if (waiting.elements.count) qsort(waiting.elements.at, waiting.elements.count, sizeof(Element), earlier);
    for (size_t i = 0; i < waiting.elements.count; i++)
        tacAppend(list, elementValue(&waiting.elements.at[i], waiting.bytes.at));
    tacArrayFree(&waiting.elements);
    tacArrayFree(&waiting.bytes);
    return list;
}

tacRecordTail *tacRecordTailNew(tacrec_collector *collector, const char *const *patterns) {
    tacRecordTail *tail = tacAllocZero(1, sizeof *tail);
    if (tail && patterns) tail->patterns = tacNamesCopy(patterns);
    const tacrec_taker taker = {NULL, takeElement, NULL, tail};
    if (tail && (!patterns || tail->patterns) && tacrec_collectorTake(collector, &taker)) return tail;
    tacRecordTailFree(tail);
    return NULL;
}

void tacRecordTailFree(tacRecordTail *tail) {
    if (!tail) return;
    for (int i = 0; i < BUCKETS; i++) {
        for (Known *known = tail->known[i], *next; known; known = next) {
            next = known->next;
            tacFree(known);
        }
    }
    tacArrayFree(&tail->waiting.elements);
    tacArrayFree(&tail->waiting.bytes);
    Tcl_MutexFinalize(&tail->lock);
    tacFree(tail->patterns);
    tacFree(tail);
}
