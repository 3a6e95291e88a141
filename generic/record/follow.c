/*
 * follow.c -- a receiver and its thread, which waits for the socket, and what is missing in what it receives.
 */
#define _GNU_SOURCE
#include "record/follow.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WAIT = 20,   /* milliseconds until it is asked whether it is to end */
    REMARKS = 8, /* that wait to be read */
    POLLED = 8,
    SEEN = 1 << 16, /* sensors whose losses are counted, at most: a stranger may send as many as he likes */
    NUMBER_SIZE = 8 /* number of the first element, behind the head */
};

typedef struct Seen {     /* a sensor */
    uint64_t source, end; /* end: number behind its newest element */
    uint32_t sensor;
} Seen;

struct tacFollow {
    pthread_t thread;
    tacReceiver *receiver; /* the thread's, as all up to `lost` */
    tacrec_take *take;
    void *takes;
    Seen *seen; /* by source and sensor */
    uint32_t seenCount, seenRoom;
    uint64_t lost; /* written by the thread, read by others */
    bool ends;
    pthread_mutex_t lock; /* of the remarks: */
    char remarks[REMARKS][TAC_LINK_TEXT];
    uint32_t count;
};

/* Keeps a sentence; those that nobody reads make no room for others. */
static void say(void *data, const char *text) {
    tacFollow *follow = data;
    pthread_mutex_lock(&follow->lock);
    if (follow->count < REMARKS) snprintf(follow->remarks[follow->count++], TAC_LINK_TEXT, "%s", text);
    pthread_mutex_unlock(&follow->lock);
}

bool tacFollowRemark(tacFollow *follow, char *text, size_t room) {
    pthread_mutex_lock(&follow->lock);
    bool is = follow->count > 0;
    if (is) {
        snprintf(text, room, "%s", follow->remarks[0]);
        memmove(follow->remarks[0], follow->remarks[1], sizeof follow->remarks[0] * --follow->count);
    }
    pthread_mutex_unlock(&follow->lock);
    return is;
}

/* ---- what is missing --------------------------------------------------------------------------------------------- */

/* Index of a sensor, or of the first one behind its place. Sensors of a source begin at number 0. */
static uint32_t placeOf(const tacFollow *follow, uint64_t source, uint32_t sensor) {
    uint32_t low = 0, high = follow->seenCount;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const Seen *seen = &follow->seen[middle];
        if (seen->source < source || (seen->source == source && seen->sensor < sensor)) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The row of a sensor; a new one begins with this number. NULL: no memory, or too many. */
static Seen *seenOf(tacFollow *follow, uint64_t source, uint32_t sensor, uint64_t number) {
    uint32_t i = placeOf(follow, source, sensor);
    if (i < follow->seenCount && follow->seen[i].source == source && follow->seen[i].sensor == sensor)
        return &follow->seen[i];
    if (follow->seenCount == SEEN) return NULL;
    if (follow->seenCount == follow->seenRoom) {
        uint32_t room = follow->seenRoom ? 2 * follow->seenRoom : 16;
        Seen *seen = realloc(follow->seen, room * sizeof *seen);
        if (!seen) return NULL;
        follow->seen = seen;
        follow->seenRoom = room;
    }
    memmove(follow->seen + i + 1, follow->seen + i, (follow->seenCount - i) * sizeof *follow->seen);
    follow->seen[i] = (Seen){source, number, sensor};
    follow->seenCount++;
    return &follow->seen[i];
}

/* Counts the elements between the newest one of the sensor and the first one of a packet. */
static void noteElements(tacFollow *follow, const tacrec_packet *head, const uint8_t *bytes) {
    if (head->size < TACREC_PACKET_HEAD + NUMBER_SIZE) return;
    uint64_t first = 0;
    for (int i = 0; i < NUMBER_SIZE; i++) first |= (uint64_t) bytes[TACREC_PACKET_HEAD + i] << 8 * i;
    Seen *seen = seenOf(follow, head->source, head->sensor, first);
    if (!seen) return;
    if (first > seen->end) __atomic_fetch_add(&follow->lost, first - seen->end, __ATOMIC_RELAXED);
    if (first + head->count > seen->end) seen->end = first + head->count;
}

/* Nothing more comes of a source. */
static void forget(tacFollow *follow, uint64_t source) {
    uint32_t from = placeOf(follow, source, 0), to = from;
    while (to < follow->seenCount && follow->seen[to].source == source) to++;
    memmove(follow->seen + from, follow->seen + to, (follow->seenCount - to) * sizeof *follow->seen);
    follow->seenCount -= to - from;
}

/* A tacrec_take. */
static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacFollow *follow = data;
    if (head->kind == TACREC_PACKET_ELEMENTS && head->sequence != TACREC_REPEATED) noteElements(follow, head, bytes);
    if (head->kind == TACREC_PACKET_END) forget(follow, head->source);
    return follow->take(follow->takes, head, bytes);
}

uint64_t tacFollowLost(const tacFollow *follow) {
    return follow ? __atomic_load_n(&follow->lost, __ATOMIC_RELAXED) : 0;
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void *run(void *data) {
    tacFollow *follow = data;
    struct pollfd polled[POLLED];
    while (!__atomic_load_n(&follow->ends, __ATOMIC_RELAXED)) {
        int count = tacReceiverWait(follow->receiver, polled, POLLED);
        if (poll(polled, (nfds_t) count, WAIT) < 0 && errno != EINTR)
            nanosleep(&(struct timespec){0, WAIT * 1000000}, NULL);
        tacReceiverWork(follow->receiver);
    }
    return NULL;
}

static tacFollow *newFollow(tacrec_take *take, void *takes) {
    tacFollow *follow = calloc(1, sizeof *follow);
    if (!follow) return NULL;
    pthread_mutex_init(&follow->lock, NULL);
    follow->take = take;
    follow->takes = takes;
    follow->receiver = tacReceiverNew(say, follow, takePacket, follow, NULL);
    return follow;
}

static void freeFollow(tacFollow *follow) {
    if (follow->receiver) tacReceiverFree(follow->receiver);
    pthread_mutex_destroy(&follow->lock);
    free(follow->seen);
    free(follow);
}

tacFollow *tacFollowNew(const char *address, const char *key, tacrec_take *take, void *takes, char why[TAC_LINK_TEXT]) {
    tacReceiveOptions options = {.connects = true};
    snprintf(why, TAC_LINK_TEXT, "not enough memory");
    if (strlen(address) >= sizeof options.address || (key && strlen(key) >= sizeof options.key))
        return snprintf(why, TAC_LINK_TEXT, "the address or the name of the key's file is too long"), NULL;
    snprintf(options.address, sizeof options.address, "%s", address);
    snprintf(options.key, sizeof options.key, "%s", key ? key : "");
    tacFollow *follow = newFollow(take, takes);
    if (!follow) return NULL;
    if (follow->receiver && tacReceiverAdd(follow->receiver, &options, why)) {
        if (pthread_create(&follow->thread, NULL, run, follow) == 0) return follow;
        snprintf(why, TAC_LINK_TEXT, "cannot begin a thread");
    }
    freeFollow(follow);
    return NULL;
}

void tacFollowFree(tacFollow *follow) {
    if (!follow) return;
    __atomic_store_n(&follow->ends, true, __ATOMIC_RELAXED);
    pthread_join(follow->thread, NULL);
    freeFollow(follow);
}
