/*
 * recent.c -- a ring of packets, each in one piece, and a ring of their places.
 *
 * A packet that does not fit before the end of the bytes begins at their start; what is left at the end is not used in
 * that round. So what is held is one stretch of bytes, or two.
 */
#define _GNU_SOURCE
#include "record/catalogue.h"
#include "record/recent.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct Place { /* of a packet */
    size_t at;         /* offset in the ring */
    uint32_t size, elements;
    uint64_t came;   /* ns of CLOCK_MONOTONIC */
    uint64_t source; /* that ends with this packet; 0: none */
} Place;

struct tacRecent {
    pthread_mutex_t lock;
    tacCatalogue *catalogue;
    uint8_t *bytes;
    size_t size;
    uint64_t longest; /* ns */
    size_t end;       /* offset behind the newest packet */
    Place *places;    /* a ring: `count` of them from `first` on */
    size_t first, count, room;
    uint64_t held, elements; /* bytes and elements of all places */
    uint64_t taken, last;    /* elements so far; when some came, ns */
};

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

tacRecent *tacRecentNew(uint64_t bytes, uint64_t nanoseconds) {
    tacRecent *recent = calloc(1, sizeof *recent);
    if (!recent) return NULL;
    pthread_mutex_init(&recent->lock, NULL);
    recent->size = bytes;
    recent->longest = nanoseconds;
    recent->catalogue = tacCatalogueNew();
    recent->bytes = malloc(bytes + 1); /* the system gives pages when they are used */
    if (recent->catalogue && recent->bytes && recent->size == bytes) return recent;
    tacRecentFree(recent);
    return NULL;
}

void tacRecentFree(tacRecent *recent) {
    if (!recent) return;
    if (recent->catalogue) tacCatalogueFree(recent->catalogue);
    pthread_mutex_destroy(&recent->lock);
    free(recent->bytes);
    free(recent->places);
    free(recent);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The nth place from the oldest on. */
static Place *placeAt(const tacRecent *recent, size_t n) {
    size_t i = recent->first + n;
    return &recent->places[i < recent->room ? i : i - recent->room];
}

static void dropOldest(tacRecent *recent) {
    const Place *place = placeAt(recent, 0);
    recent->held -= place->size;
    recent->elements -= place->elements;
    if (place->source) tacCatalogueForget(recent->catalogue, place->source);
    if (++recent->first == recent->room) recent->first = 0;
    if (--recent->count == 0) recent->end = 0;
}

static void dropOld(tacRecent *recent, uint64_t time) {
    while (recent->count && time - placeAt(recent, 0)->came > recent->longest) dropOldest(recent);
}

/* Makes room for one more place. */
static bool reservePlace(tacRecent *recent) {
    if (recent->count < recent->room) return true;
    size_t room = recent->room ? 2 * recent->room : 256;
    Place *places = malloc(room * sizeof *places);
    if (!places) return false;
    for (size_t i = 0; i < recent->count; i++) places[i] = *placeAt(recent, i);
    free(recent->places);
    recent->places = places;
    recent->room = room;
    recent->first = 0;
    return true;
}

/* Frees the bytes for a packet, and returns their offset. */
static size_t makeRoom(tacRecent *recent, size_t size) {
    for (;;) {
        size_t oldest = recent->count ? placeAt(recent, 0)->at : 0;
        bool wrapped = recent->count && oldest >= recent->end;
        if (wrapped && oldest - recent->end >= size) return recent->end;
        if (!wrapped && recent->size - recent->end >= size) return recent->end;
        if (!wrapped && oldest >= size) return 0;
        dropOldest(recent);
    }
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

/* Adds a packet to the ring. */
static void add(tacRecent *recent, const tacrec_packet *head, const uint8_t *bytes, uint64_t time) {
    bool is = head->kind == TACREC_PACKET_ELEMENTS && head->sequence != TACREC_REPEATED;
    Place place = {makeRoom(recent, head->size), head->size, is ? head->count : 0, time,
        head->kind == TACREC_PACKET_END ? head->source : 0};
    memcpy(recent->bytes + place.at, bytes, head->size);
    recent->end = place.at + head->size;
    recent->count++;
    *placeAt(recent, recent->count - 1) = place;
    recent->held += place.size;
    recent->elements += place.elements;
    recent->taken += place.elements;
    if (place.elements) recent->last = time;
}

bool tacRecentTake(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacRecent *recent = data;
    pthread_mutex_lock(&recent->lock);
    uint64_t time = now();
    dropOld(recent, time);
    bool taken = head->size <= recent->size && reservePlace(recent);
    tacNoted noted = taken ? tacCatalogueNote(recent->catalogue, head, bytes) : TAC_NOTED_DATA;
    if (taken && noted != TAC_NOTED_AGAIN) add(recent, head, bytes, time);
    pthread_mutex_unlock(&recent->lock);
    return taken;
}

void tacRecentCounts(tacRecent *recent, tacRecentCount *count) {
    pthread_mutex_lock(&recent->lock);
    uint64_t time = now();
    dropOld(recent, time);
    *count = (tacRecentCount){.now = time,
        .packets = recent->count,
        .bytes = recent->held,
        .elements = recent->elements,
        .nanoseconds = recent->count ? time - placeAt(recent, 0)->came : 0,
        .taken = recent->taken,
        .silence = recent->taken ? time - recent->last : UINT64_MAX};
    pthread_mutex_unlock(&recent->lock);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static int writeAll(int descriptor, const uint8_t *bytes, size_t size) {
    while (size) {
        ssize_t n = write(descriptor, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        bytes += n;
        size -= (size_t) n;
    }
    return 0;
}

typedef struct Output {
    int descriptor, failed;
} Output;

/* A tacrec_take. */
static bool writePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Output *output = data;
    output->failed = writeAll(output->descriptor, bytes, head->size);
    return !output->failed;
}

/* Index of the first place that came so late. */
static size_t firstSince(const tacRecent *recent, uint64_t time) {
    size_t low = 0, high = recent->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (placeAt(recent, middle)->came < time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Writes the packets from a place on: stretches that lie one behind the other at once. */
static int writeFrom(const tacRecent *recent, size_t n, int descriptor) {
    while (n < recent->count) {
        size_t from = placeAt(recent, n)->at, to = from;
        while (n < recent->count && placeAt(recent, n)->at == to) to += placeAt(recent, n++)->size;
        int failed = writeAll(descriptor, recent->bytes + from, to - from);
        if (failed) return failed;
    }
    return 0;
}

int tacRecentWrite(tacRecent *recent, uint64_t nanoseconds, int descriptor) {
    Output output = {descriptor, 0};
    pthread_mutex_lock(&recent->lock);
    uint64_t time = now();
    dropOld(recent, time);
    tacCatalogueTell(recent->catalogue, writePacket, &output);
    if (!output.failed)
        output.failed = writeFrom(
            recent, firstSince(recent, nanoseconds < time ? time - nanoseconds : 0), output.descriptor);
    pthread_mutex_unlock(&recent->lock);
    return output.failed;
}
