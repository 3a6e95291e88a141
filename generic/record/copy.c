/*
 * copy.c -- a queue of elements from a thread that copies them in real time to one that evaluates them when it can.
 *
 *      evaluator (reserved) -> copyCommit -> records in a queue of bytes -> tacrec_copyStep -> another evaluator
 *
 * One thread writes the queue, one takes from it. `written` and `taken` are bytes and only grow; between them stand
 * whole records: a head, then the data of an element or what is said of an input. An input is described before its
 * first element. Of the inputs with equal numbers modulo INPUTS both sides know the one that was described last, so
 * neither allocates or searches.
 */
#include "record/tactusrec_evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { INPUTS = 1024, LEAST = 1 << 16 };

typedef struct Record {
    uint32_t input;  /* number in the evaluator that copies */
    uint32_t thread; /* of a description: the program's pid */
    uint16_t size;   /* bytes of data, without what fills it up to a multiple of 8 */
    uint8_t describes, late;
    uint32_t padding;
    uint64_t time, number, missed;
} Record;

typedef struct Description {
    tacrec_entry entry;
    char program[TACREC_NAME];
} Description;

typedef struct Known { /* by the side that takes */
    tacrec_fed *fed;   /* NULL: none, or no memory */
    uint64_t next;     /* number of the next element, unless some were dropped */
    bool begun;
} Known;

struct tacrec_copy {
    tacrec_evaluation evaluation;
    uint8_t *bytes;
    uint64_t size;              /* a power of two */
    uint64_t described[INPUTS]; /* number of the input, plus 1 */
    Known known[INPUTS];
    /* What both look at: */
    uint64_t written, taken, passed, dropped;
};

static uint64_t padded(uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/* ---- the side that copies ---------------------------------------------------------------------------------------- */

static void put(tacrec_copy *copy, uint64_t *at, const void *from, uint64_t bytes) {
    uint64_t begin = *at & (copy->size - 1), first = copy->size - begin < bytes ? copy->size - begin : bytes;
    memcpy(copy->bytes + begin, from, first);
    memcpy(copy->bytes, (const uint8_t *) from + first, bytes - first);
    *at += padded(bytes);
}

static void describe(tacrec_copy *copy, uint64_t *at, const tacrec_seen *element) {
    Record record = {.input = element->input, .thread = element->pid, .size = sizeof(Description), .describes = 1};
    Description said = {.entry = *element->entry};
    strncpy(said.program, element->program, sizeof said.program - 1);
    put(copy, at, &record, sizeof record);
    put(copy, at, &said, sizeof said);
}

static void copyCommit(void *data, const tacrec_seen *element) {
    tacrec_copy *copy = (tacrec_copy *) data;
    const tacrec_read *read = element->read;
    uint32_t size = element->entry->size;
    uint64_t *described = &copy->described[element->input % INPUTS], at = copy->written;
    bool isNew = *described != element->input + 1ull;
    uint64_t needed = sizeof(Record) + padded(size) + (isNew ? sizeof(Record) + padded(sizeof(Description)) : 0);
    if (copy->size - (at - __atomic_load_n(&copy->taken, __ATOMIC_ACQUIRE)) < needed) {
        __atomic_store_n(&copy->dropped, copy->dropped + 1, __ATOMIC_RELAXED);
        return;
    }
    if (isNew) describe(copy, &at, element);
    *described = element->input + 1ull;
    Record record = {.input = element->input,
        .thread = read->thread,
        .size = (uint16_t) size,
        .late = element->late,
        .time = read->time,
        .number = read->number,
        .missed = read->missed};
    put(copy, &at, &record, sizeof record);
    put(copy, &at, read->data, size);
    __atomic_store_n(&copy->written, at, __ATOMIC_RELEASE);
}

static void copyPassed(void *data, uint64_t time) {
    __atomic_store_n(&((tacrec_copy *) data)->passed, time, __ATOMIC_RELEASE);
}

/* ---- the side that takes ----------------------------------------------------------------------------------------- */

static void take(const tacrec_copy *copy, uint64_t *at, void *to, uint64_t bytes) {
    uint64_t begin = *at & (copy->size - 1), first = copy->size - begin < bytes ? copy->size - begin : bytes;
    memcpy(to, copy->bytes + begin, first);
    memcpy((uint8_t *) to + first, copy->bytes, bytes - first);
    *at += padded(bytes);
}

static void takeDescription(tacrec_copy *copy, tacrec_evaluator *evaluator, uint64_t *at, const Record *record) {
    Known *known = &copy->known[record->input % INPUTS];
    Description said;
    take(copy, at, &said, sizeof said);
    if (known->fed) tacrec_evaluatorForget(evaluator, known->fed);
    *known = (Known){.fed = tacrec_evaluatorFeed(evaluator, &said.entry, said.program, record->thread)};
}

/* Elements that were dropped are missed: their numbers do not come. */
static void takeElement(tacrec_copy *copy, tacrec_evaluator *evaluator, uint64_t *at, const Record *record) {
    Known *known = &copy->known[record->input % INPUTS];
    tacrec_read read = {
        .time = record->time, .number = record->number, .missed = record->missed, .thread = record->thread};
    take(copy, at, read.data, record->size);
    if (known->begun && read.number >= known->next) read.missed = read.number - known->next;
    known->next = read.number + 1;
    known->begun = true;
    if (known->fed) tacrec_evaluatorGive(evaluator, known->fed, &read, record->late);
}

uint64_t tacrec_copyStep(tacrec_copy *copy, tacrec_evaluator *evaluator, uint64_t most) {
    /* Looked at first: what was given before it was told is written. */
    uint64_t passed = __atomic_load_n(&copy->passed, __ATOMIC_ACQUIRE);
    uint64_t end = __atomic_load_n(&copy->written, __ATOMIC_ACQUIRE), at = copy->taken, given = 0;
    tacrec_evaluatorPassed(evaluator, 0);
    while (at != end && given < most) {
        Record record;
        take(copy, &at, &record, sizeof record);
        if (record.describes) takeDescription(copy, evaluator, &at, &record);
        else takeElement(copy, evaluator, &at, &record);
        given += !record.describes;
        __atomic_store_n(&copy->taken, at, __ATOMIC_RELEASE);
    }
    if (at == end) tacrec_evaluatorPassed(evaluator, passed);
    return given;
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

tacrec_copy *tacrec_copyNew(uint64_t bytes) {
    uint64_t size = LEAST;
    while (size < bytes && size < 1ull << 40) size *= 2;
    tacrec_copy *copy = (tacrec_copy *) calloc(1, sizeof *copy);
    uint8_t *room = copy ? (uint8_t *) malloc(size) : NULL;
    if (!room) {
        free(copy);
        return NULL;
    }
    memset(room, 0xff, size); /* all of it is there before the first element comes */
    copy->bytes = room;
    copy->size = size;
    copy->evaluation = (tacrec_evaluation){
        .sensors = {"*"}, .late = true, .commit = copyCommit, .passed = copyPassed, .data = copy};
    return copy;
}

void tacrec_copyFree(tacrec_copy *copy) {
    if (copy) free(copy->bytes);
    free(copy);
}

tacrec_evaluation *tacrec_copyEvaluation(tacrec_copy *copy) { return &copy->evaluation; }

uint64_t tacrec_copyDropped(const tacrec_copy *copy) { return __atomic_load_n(&copy->dropped, __ATOMIC_RELAXED); }
