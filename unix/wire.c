/*
 * wire.c -- records between a worker process and its parent: written in batches, read from whatever arrived.
 */
#include "base/port.h"

#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#define ALIGNED(n) (((n) + 3) & ~(size_t) 3)

static const char padding[4];

/* Sends all bytes, whatever signals come; never raises SIGPIPE. */
static bool sendBytes(int fd, const void *bytes, size_t length) {
    const char *at = bytes;
    while (length) {
        ssize_t n = send(fd, at, length, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        length -= (size_t) n;
    }
    return true;
}

bool tacWireReceive(int fd, void *bytes, size_t length) {
    char *at = bytes;
    while (length) {
        ssize_t n = recv(fd, at, length, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        length -= (size_t) n;
    }
    return true;
}

/* ---- the child's side -------------------------------------------------------------------------------------------- */

bool tacWireFlush(tacWireBatch *batch, int fd) {
    bool sent = sendBytes(fd, batch->at, batch->end - batch->begin);
    batch->begin = batch->end;
    return sent;
}

size_t tacWireSize(const tacWord *words, size_t count) {
    size_t size = sizeof(tacWireHeader) + count * sizeof(uint32_t);
    if (count > TAC_WIRE_LARGEST / sizeof(uint32_t)) return 0;
    for (size_t i = 0; i < count; i++) {
        if (words[i].length > TAC_WIRE_LARGEST) return 0;
        size += words[i].length;
        if (size > TAC_WIRE_LARGEST) return 0;
    }
    return size;
}

/* Writes the record to memory. */
static void copyRecord(char *to, const tacWireHeader *header, const tacWord *words) {
    memcpy(to, header, sizeof *header);
    uint32_t *lengths = (uint32_t *) (to + sizeof *header); /* aligned by W1 */
    char *bytes = (char *) (lengths + header->count);
    for (uint32_t i = 0; i < header->count; i++) {
        lengths[i] = (uint32_t) words[i].length;
        if (words[i].length) memcpy(bytes, words[i].at, words[i].length);
        bytes += words[i].length;
    }
    while (bytes < to + header->size) *bytes++ = 0;
}

/* Sends a record that is larger than a batch, piece by piece. */
static bool sendRecord(int fd, const tacWireHeader *header, const tacWord *words, size_t padded) {
    if (!sendBytes(fd, header, sizeof *header)) return false;
    uint32_t lengths[256];
    for (uint32_t i = 0; i < header->count;) {
        size_t n = 0;
        while (n < 256 && i < header->count) lengths[n++] = (uint32_t) words[i++].length;
        if (!sendBytes(fd, lengths, n * sizeof *lengths)) return false;
    }
    for (uint32_t i = 0; i < header->count; i++)
        if (!sendBytes(fd, words[i].at, words[i].length)) return false;
    return sendBytes(fd, padding, padded);
}

bool tacWirePut(
    tacWireBatch *batch, int fd, tacWireKind kind, uint16_t flag, uint32_t line, const tacWord *words, size_t count) {
    size_t size = tacWireSize(words, count), whole = ALIGNED(size);
    tacWireHeader header = {(uint32_t) whole, (uint16_t) kind, flag, line, (uint32_t) count};
    if (whole > TAC_WIRE_BATCH - (batch->end - batch->begin) && !tacWireFlush(batch, fd)) return false;
    if (whole <= TAC_WIRE_BATCH) {
        copyRecord(batch->at + (batch->end - batch->begin), &header, words);
        batch->end += whole;
        return true;
    }
    bool sent = sendRecord(fd, &header, words, whole - size);
    batch->end += whole;
    batch->begin = batch->end;
    return sent;
}

void tacWireAppend(tacText *batch, tacWireKind kind, uint32_t line, const tacWord *words, size_t count) {
    size_t whole = ALIGNED(tacWireSize(words, count));
    tacWireHeader header = {(uint32_t) whole, (uint16_t) kind, 0, line, (uint32_t) count};
    size_t at = batch->length;
    if (!whole) return; /* longer than any record may be: left out */
    for (size_t filled = 0; filled < whole && !batch->failed; filled += sizeof padding)
        tacTextAdd(batch, padding, sizeof padding);
    if (!batch->failed) copyRecord(batch->at + at, &header, words);
}

/* ---- the parent's side ------------------------------------------------------------------------------------------- */

/* Makes room for at least one more byte, and for the whole of the record that has begun. */
static bool makeRoom(tacWireReader *reader) {
    size_t have = reader->end - reader->begin, need = TAC_WIRE_BATCH;
    if (have >= sizeof(tacWireHeader)) {
        tacWireHeader header;
        memcpy(&header, reader->at + reader->begin, sizeof header);
        if (header.size > need) need = header.size;
    }
    if (reader->begin) memmove(reader->at, reader->at + reader->begin, have);
    reader->begin = 0;
    reader->end = have;
    if (need <= reader->capacity && have < reader->capacity) return true;
    char *grown = tacRealloc(reader->at, need + sizeof(tacWireHeader));
    if (!grown) return false;
    reader->at = grown;
    reader->capacity = need + sizeof(tacWireHeader);
    return true;
}

long tacWireFill(tacWireReader *reader) {
    if (!makeRoom(reader)) return errno = ENOMEM, -1;
    for (;;) {
        ssize_t n = recv(reader->fd, reader->at + reader->end, reader->capacity - reader->end, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == ECONNRESET ? 0 : -1;
        if (n == 0) return 0;
        reader->end += (size_t) n;
        reader->received += (uint64_t) n;
        return n;
    }
}

bool tacWireRest(tacWireReader *reader, const tacWireBatch *batch) {
    uint64_t begin = batch->begin, end = batch->end, from = reader->received;
    if (from < begin || from >= end || end - begin > TAC_WIRE_BATCH) return true; /* nothing, or nonsense (W3) */
    for (size_t left = (size_t) (end - from), n; left; left -= n, from += n) {
        if (!makeRoom(reader)) return false;
        n = reader->capacity - reader->end < left ? reader->capacity - reader->end : left;
        memcpy(reader->at + reader->end, batch->at + (from - begin), n);
        reader->end += n;
    }
    reader->received = end;
    return true;
}

/* Tells whether the sizes in a header fit together (W3). */
static bool plausible(const tacWireHeader *header) {
    return header->size >= sizeof *header && header->size <= TAC_WIRE_LARGEST + 4 && header->size % 4 == 0
        && header->kind < TAC_WIRE_KINDS && header->count <= (header->size - sizeof *header) / sizeof(uint32_t);
}

tacWireNext tacWireTake(tacWireReader *reader, tacWireRecord *record) {
    tacWireHeader header;
    size_t have = reader->end - reader->begin;
    if (have < sizeof header) return TAC_WIRE_NONE;
    memcpy(&header, reader->at + reader->begin, sizeof header);
    if (!plausible(&header)) return TAC_WIRE_DAMAGED;
    if (have < header.size) return TAC_WIRE_NONE;
    reader->words.count = 0;
    if (!tacArrayReserve(&reader->words, header.count + 1)) return TAC_WIRE_NO_MEMORY;
    const uint32_t *lengths = (const uint32_t *) (reader->at + reader->begin + sizeof header);
    const char *bytes = (const char *) (lengths + header.count), *end = reader->at + reader->begin + header.size;
    for (uint32_t i = 0; i < header.count; i++) {
        if (lengths[i] > (size_t) (end - bytes)) return TAC_WIRE_DAMAGED;
        reader->words.at[i] = (tacWord){bytes, lengths[i]};
        bytes += lengths[i];
    }
    reader->begin += header.size;
    *record = (tacWireRecord){
        (tacWireKind) header.kind, header.flag, header.line, reader->words.at, (int) header.count};
    return TAC_WIRE_RECORD;
}

int tacWirePeek(const tacWireReader *reader, tacWord *words, int most) {
    tacWireHeader header;
    size_t have = reader->end - reader->begin;
    if (have < sizeof header) return 0;
    memcpy(&header, reader->at + reader->begin, sizeof header);
    if (!plausible(&header) || header.kind != TAC_WIRE_COMMAND || have < header.size) return 0;
    const uint32_t *lengths = (const uint32_t *) (reader->at + reader->begin + sizeof header);
    const char *bytes = (const char *) (lengths + header.count), *end = reader->at + reader->begin + header.size;
    int count = header.count < (uint32_t) most ? (int) header.count : most;
    for (int i = 0; i < count; i++) {
        if (lengths[i] > (size_t) (end - bytes)) return 0;
        words[i] = (tacWord){bytes, lengths[i]};
        bytes += lengths[i];
    }
    return count;
}

void tacWireReaderFree(tacWireReader *reader) {
    tacFree(reader->at);
    tacArrayFree(&reader->words);
}
