/*
 * losses.c -- sums of lost packets, a row for each sensor.
 */
#include "record/losses.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOST_SIZE = TACREC_PACKET_HEAD + 16,
    ROWS = 1 << 17 /* sensors, at most: strangers may name as many as they like */
};

static uint64_t get(const uint8_t *at) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

static void put(uint8_t *at, uint64_t value) {
    for (int i = 0; i < 8; i++) at[i] = (uint8_t) (value >> 8 * i);
}

static bool isBefore(const tacLoss *loss, uint64_t source, uint32_t sensor) {
    return loss->source != source ? loss->source < source : loss->sensor < sensor;
}

/* The row of a sensor, added if there is none. NULL: no memory, or too many. */
static tacLoss *lossOf(tacLosses *losses, uint64_t source, uint32_t sensor) {
    uint32_t low = 0, high = losses->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (isBefore(&losses->at[middle], source, sensor)) low = middle + 1;
        else high = middle;
    }
    if (low < losses->count && losses->at[low].source == source && losses->at[low].sensor == sensor)
        return &losses->at[low];
    if (losses->count == ROWS) return NULL;
    if (losses->count == losses->room) {
        uint32_t room = losses->room ? 2 * losses->room : 8;
        tacLoss *at = realloc(losses->at, room * sizeof *at);
        if (!at) return NULL;
        losses->at = at;
        losses->room = room;
    }
    tacLoss *loss = &losses->at[low];
    memmove(loss + 1, loss, (losses->count - low) * sizeof *loss);
    losses->count++;
    *loss = (tacLoss){.source = source, .sensor = sensor, .sequence = UINT64_MAX, .first = UINT64_MAX};
    return loss;
}

static void add(tacLosses *losses, const tacLoss *more) {
    tacLoss *loss = lossOf(losses, more->source, more->sensor);
    if (!loss) return;
    loss->packets += more->packets;
    loss->elements += more->elements;
    loss->bytes += more->bytes;
    if (more->sequence < loss->sequence) loss->sequence = more->sequence;
    if (more->first < loss->first) loss->first = more->first;
    if (more->last > loss->last) loss->last = more->last;
}

void tacLossesNote(tacLosses *losses, const tacrec_packet *head, const uint8_t *bytes) {
    bool told = head->kind == TACREC_PACKET_LOST && head->size >= LOST_SIZE;
    if (!told && (head->kind != TACREC_PACKET_ELEMENTS || head->sequence == TACREC_REPEATED)) return;
    add(losses,
        &(tacLoss){.source = head->source,
            .sensor = head->sensor,
            .sequence = head->sequence,
            .first = head->first,
            .last = head->last,
            .packets = told ? head->count : 1,
            .elements = told ? get(bytes + TACREC_PACKET_HEAD) : head->count,
            .bytes = told ? get(bytes + TACREC_PACKET_HEAD + 8) : head->size});
}

void tacLossesAdd(tacLosses *losses, const tacLosses *others) {
    for (uint32_t i = 0; i < others->count; i++) add(losses, &others->at[i]);
}

/* Each row is taken out before it is told, since whoever takes that may lose more meanwhile. */
bool tacLossesTell(tacLosses *losses, tacrec_take *take, void *data) {
    while (losses->count) {
        const tacLoss loss = losses->at[--losses->count];
        uint8_t bytes[LOST_SIZE];
        tacrec_packet head = {.size = sizeof bytes,
            .version = TACREC_STREAM_VERSION,
            .kind = TACREC_PACKET_LOST,
            .sensor = loss.sensor,
            .source = loss.source,
            .sequence = loss.sequence,
            .first = loss.first,
            .last = loss.last,
            .count = loss.packets < UINT32_MAX ? (uint32_t) loss.packets : UINT32_MAX,
            .priority = UINT32_MAX};
        put(bytes + TACREC_PACKET_HEAD, loss.elements);
        put(bytes + TACREC_PACKET_HEAD + 8, loss.bytes);
        tacrec_packetSeal(bytes, &head);
        if (take(data, &head, bytes)) continue;
        add(losses, &loss);
        return false;
    }
    return true;
}

void tacLossesClear(tacLosses *losses) {
    free(losses->at);
    *losses = (tacLosses){NULL, 0, 0};
}
