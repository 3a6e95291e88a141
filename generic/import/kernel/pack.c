/*
 * pack.c -- records to bytes and back.
 *
 * The number of a name costs a hash; most are found without: a thread's name by its pid, an event's by its address.
 */
#include "base/port.h"

#include "import/kernel/pack.h"

#include <string.h>

enum {
    PIECE = 1 << 18, /* bytes of a full piece, at least: larger than a batch of the worker, which then sends it without
                        a copy */
    LONGEST = 1 << 16, /* bytes of a text */
    THREADS = 4096,    /* remembered by pid; a power of two */
    EVENT_NAMES = 64,  /* remembered by address; a power of two */
    NAME_BYTES = 16    /* of a name that is remembered */
};

enum { ITEM_NAME = TAC_KERNEL_EVENTS }; /* Item.event of a name */

/* Item of a piece. Numbers of names are one more than the name's index; 0: there is none. */
typedef struct Item {
    int64_t time, number, timer;
    int32_t processor, current, process, thread, threadPriority, other, otherPriority, target;
    uint32_t currentName, threadName, otherName, name;
    uint32_t line;
    uint32_t textLength, wordsLength; /* bytes of the text and the words, which follow, with up to 3 of padding */
    uint8_t event, state, preempted, hasText, hasWords;
} Item;

#define PADDED(n) (((n) + 3) & ~(size_t) 3)

static bool isProcessor(int32_t number) { return number >= -1 && number < UINT16_MAX; }
static bool isPid(int32_t number) { return number >= -1; }

bool tacKernelSound(const tacKernelRecord *r) {
    return r->event < TAC_KERNEL_TASK && r->time >= 0 && r->state <= TAC_KERNEL_DEAD && isProcessor(r->processor)
        && isProcessor(r->target) && isPid(r->current.pid) && isPid(r->thread.pid) && isPid(r->other.pid);
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

typedef struct Remembered {
    int32_t pid;
    uint32_t number; /* 0: this place is free */
    size_t length;
    char name[NAME_BYTES];
} Remembered;

struct tacKernelPacker {
    tacKernelSend *send;
    void *data;
    tacInternTable names;
    Remembered threads[THREADS]; /* by pid and name */
    struct {
        const char *at;
        uint32_t number;
    } events[EVENT_NAMES]; /* by the address' bits */
    TAC_ARRAY(char) piece;
    uint32_t line; /* of the last record */
};

tacKernelPacker *tacKernelPackerNew(tacKernelSend *send, void *data) {
    tacKernelPacker *packer = tacAllocZero(1, sizeof *packer);
    if (packer) packer->send = send, packer->data = data;
    return packer;
}

void tacKernelPackerFree(tacKernelPacker *packer) {
    if (!packer) return;
    tacInternFree(&packer->names);
    tacArrayFree(&packer->piece);
    tacFree(packer);
}

tacStatus tacKernelPackerFlush(tacKernelPacker *packer, tacError *err) {
    size_t length = packer->piece.count;
    packer->piece.count = 0;
    return length ? packer->send(packer->data, packer->piece.at, length, packer->line, err) : TAC_OK;
}

static bool putItem(tacKernelPacker *packer, const Item *item, const char *text, const char *words) {
    static const char padding[4];
    size_t length = (size_t) item->textLength + item->wordsLength, padded = PADDED(length);
    if (!tacArrayReserve(&packer->piece, sizeof *item + padded)) return false;
    char *at = packer->piece.at + packer->piece.count;
    memcpy(at, item, sizeof *item);
    if (item->textLength) memcpy(at + sizeof *item, text, item->textLength);
    if (item->wordsLength) memcpy(at + sizeof *item + item->textLength, words, item->wordsLength);
    memcpy(at + sizeof *item + length, padding, padded - length);
    packer->piece.count += sizeof *item + padded;
    return true;
}

/* Number of a name, which is sent when it is new; 0: no memory. */
static uint32_t numberOf(tacKernelPacker *packer, const tacKernelText *name) {
    size_t length = name->length < LONGEST ? name->length : LONGEST;
    size_t before = tacInternCount(&packer->names);
    uint32_t id = tacIntern(&packer->names, name->at, length);
    if (id == TAC_NONE) return 0;
    if (id == before && !putItem(packer, &(Item){.event = ITEM_NAME, .textLength = (uint32_t) length}, name->at, NULL))
        return 0;
    return id + 1;
}

/* Number of a thread's name, remembered by pid and the name's end: idle threads ("<idle>", "swapper/0", "swapper/1"
 * ...) have one pid. False: no memory. */
static bool numberThread(tacKernelPacker *packer, const tacKernelThread *thread, uint32_t *number) {
    const tacKernelText *name = &thread->name;
    *number = 0;
    if (!name->at) return true;
    size_t last = name->length ? (size_t) (unsigned char) name->at[name->length - 1] : 0;
    Remembered *place = &packer->threads[((uint32_t) thread->pid ^ name->length << 4 ^ last << 4) % THREADS];
    if (place->number && place->pid == thread->pid && place->length == name->length
        && memcmp(place->name, name->at, name->length) == 0) {
        *number = place->number;
        return true;
    }
    *number = numberOf(packer, name);
    if (*number && name->length <= NAME_BYTES) {
        *place = (Remembered){thread->pid, *number, name->length, {0}};
        memcpy(place->name, name->at, name->length);
    }
    return *number != 0;
}

static bool numberEvent(tacKernelPacker *packer, const tacKernelText *name, uint32_t *number) {
    size_t place = ((uintptr_t) name->at >> 4) % EVENT_NAMES;
    *number = 0;
    if (!name->at) return true;
    if (packer->events[place].at != name->at) {
        packer->events[place].number = numberOf(packer, name);
        packer->events[place].at = packer->events[place].number ? name->at : NULL;
    }
    *number = packer->events[place].number;
    return *number != 0;
}

tacStatus tacKernelPack(void *data, const tacKernelRecord *record, uint32_t line, tacError *err) {
    tacKernelPacker *packer = data;
    size_t length = record->text.length < LONGEST ? record->text.length : LONGEST;
    size_t words = record->words.length < LONGEST ? record->words.length : LONGEST;
    Item item = {.time = record->time,
        .number = record->number,
        .timer = record->timer,
        .processor = record->processor,
        .current = record->current.pid,
        .process = record->process,
        .thread = record->thread.pid,
        .threadPriority = record->thread.priority,
        .other = record->other.pid,
        .otherPriority = record->other.priority,
        .target = record->target,
        .line = line,
        .event = (uint8_t) record->event,
        .state = (uint8_t) record->state,
        .preempted = record->preempted,
        .hasText = record->text.at != NULL,
        .hasWords = record->words.at != NULL,
        .textLength = record->text.at ? (uint32_t) length : 0,
        .wordsLength = record->words.at ? (uint32_t) words : 0};
    bool done = numberThread(packer, &record->current, &item.currentName)
        && numberThread(packer, &record->thread, &item.threadName)
        && numberThread(packer, &record->other, &item.otherName) && numberEvent(packer, &record->name, &item.name)
        && putItem(packer, &item, record->text.at, record->words.at);
    packer->line = line;
    if (!done) return tacFailMemory(err);
    return packer->piece.count < PIECE ? TAC_OK : tacKernelPackerFlush(packer, err);
}

/* ---- unpacking --------------------------------------------------------------------------------------------------- */

static tacStatus damaged(tacError *err) {
    return tacFail(err, "FORMAT DAMAGED", "the process that reads the file sent something meaningless");
}

/* Text up to a NUL, as clean UTF-8 (P2), which may lie in room. at NULL: no memory. */
static tacKernelText cleanText(tacKernelRoom *room, const char *at, size_t length) {
    tacCleaner cleaner = {.begun = true};
    const char *nul = length ? memchr(at, '\0', length) : NULL;
    if (nul) length = (size_t) (nul - at);
    if (tacIsClean(&cleaner, at, length)) return (tacKernelText){at, length};
    room->count = 0;
    if (!tacArrayReserve(room, TAC_CLEAN_GROWTH * (length + TAC_CLEAN_HELD))) return (tacKernelText){NULL, 0};
    return (tacKernelText){room->at, tacClean(&cleaner, at, length, true, room->at)};
}

static tacStatus takeName(tacKernelUnpacker *unpacker, const char *at, size_t length, tacError *err) {
    tacKernelText name = cleanText(&unpacker->clean, at, length);
    if (!name.at || !tacArrayReserve(&unpacker->names, name.length + 1))
        return tacFailMemory(err); /* never NULL, be it empty */
    if (name.length) memcpy(unpacker->names.at + unpacker->names.count, name.at, name.length);
    unpacker->names.count += name.length;
    return tacArrayPush(&unpacker->ends, unpacker->names.count) ? TAC_OK : tacFailMemory(err);
}

/* Finds a name by its number; false: there is no such name. */
static bool findName(const tacKernelUnpacker *unpacker, uint32_t number, tacKernelText *name) {
    *name = (tacKernelText){NULL, 0};
    if (number == 0) return true;
    if (number > unpacker->ends.count) return false;
    size_t begin = number > 1 ? unpacker->ends.at[number - 2] : 0;
    *name = (tacKernelText){unpacker->names.at + begin, unpacker->ends.at[number - 1] - begin};
    return true;
}

static tacStatus takeRecord(
    tacKernelUnpacker *unpacker, const Item *item, const char *text, tacKernelTake *take, void *data, tacError *err) {
    tacKernelRecord record = {.event = (tacKernelEvent) item->event,
        .time = item->time,
        .number = item->number,
        .timer = item->timer,
        .processor = item->processor,
        .current = {item->current, TAC_KERNEL_NO_PRIORITY, {NULL, 0}},
        .process = item->process,
        .thread = {item->thread, item->threadPriority, {NULL, 0}},
        .other = {item->other, item->otherPriority, {NULL, 0}},
        .target = item->target,
        .state = (tacKernelState) item->state,
        .preempted = item->preempted != 0};
    bool sound = tacKernelSound(&record) && findName(unpacker, item->currentName, &record.current.name)
        && findName(unpacker, item->threadName, &record.thread.name)
        && findName(unpacker, item->otherName, &record.other.name) && findName(unpacker, item->name, &record.name);
    if (!sound) return damaged(err);
    if (item->hasText) record.text = cleanText(&unpacker->clean, text, item->textLength);
    if (item->hasWords) record.words = cleanText(&unpacker->words, text + item->textLength, item->wordsLength);
    if ((item->hasText && !record.text.at) || (item->hasWords && !record.words.at)) return tacFailMemory(err);
    unpacker->line = item->line;
    unpacker->records++;
    return take(data, &record, item->line, err);
}

tacStatus tacKernelUnpack(
    tacKernelUnpacker *unpacker, const char *bytes, size_t length, tacKernelTake *take, void *data, tacError *err) {
    const char *end = bytes + length;
    Item item;
    while (bytes < end) {
        if ((size_t) (end - bytes) < sizeof item) return damaged(err);
        memcpy(&item, bytes, sizeof item);
        bytes += sizeof item;
        size_t follows = PADDED((size_t) item.textLength + item.wordsLength);
        if (item.event > ITEM_NAME || item.textLength > LONGEST || item.wordsLength > LONGEST
            || follows > (size_t) (end - bytes))
            return damaged(err);
        tacStatus status = item.event == ITEM_NAME ? takeName(unpacker, bytes, item.textLength, err)
                                                   : takeRecord(unpacker, &item, bytes, take, data, err);
        if (status != TAC_OK) return TAC_ERROR;
        bytes += follows;
    }
    return TAC_OK;
}

void tacKernelUnpackerFree(tacKernelUnpacker *unpacker) {
    tacArrayFree(&unpacker->names);
    tacArrayFree(&unpacker->ends);
    tacArrayFree(&unpacker->clean);
    tacArrayFree(&unpacker->words);
}
