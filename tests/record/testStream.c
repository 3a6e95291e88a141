/*
 * testStream.c -- the writer of packets, driven by lines of standard input; prints each packet as a line of hexadecimal
 * digits.
 *
 *      source KIND CLOCK PID PROCESSORS REALTIME MONOTONIC NAME MACHINE
 *                            first; its identity is 1, its boot "boot"
 *      sensor NUMBER KIND SIZE THREAD FLAGS PRIORITY NAME    with a field "v" of 4 bytes where it has 4
 *      element NUMBER NUMBER-OF-ELEMENT TIME HEX             "-": no bytes
 *      pair COUNTER NANOSECONDS
 *      flush NUMBER          4294967295: all
 *      refuse HOW            1: packets are refused from now on, which is printed; 2: those of elements
 *      describe
 *      end HOW STATUS TEXT
 *      count                 prints packets, elements, bytes, lost packets, lost elements
 *      find HEX              prints offset and end of the first packet, or "none" and the end
 *
 * What cannot be done is answered by "no".
 */
#include "record/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 18 };

static int refusing;

static bool take(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    (void) data;
    if (refusing == 1 || (refusing == 2 && head->kind == TACREC_PACKET_ELEMENTS)) {
        printf("refused %d\n", head->kind);
        return false;
    }
    for (uint32_t i = 0; i < head->size; i++) printf("%02x", bytes[i]);
    printf("\n");
    return true;
}

/* Bytes of hexadecimal digits, in memory of exactly that size; their number. */
static size_t bytesOf(const char *digits, uint8_t **bytes) {
    size_t n = *digits == '-' ? 0 : strlen(digits) / 2;
    *bytes = malloc(n ? n : 1);
    if (!*bytes) abort();
    for (size_t i = 0; i < n; i++) {
        unsigned value = 0;
        if (sscanf(digits + 2 * i, "%2x", &value) != 1) abort();
        (*bytes)[i] = (uint8_t) value;
    }
    return n;
}

static tacrec_writer *sourceOf(const char *line) {
    tacrec_source source = {.boot = "boot"};
    if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu64 " %" SCNu64 " %63s %63s", &source.kind,
            &source.clock, &source.pid, &source.processors, &source.realtime, &source.monotonic, source.name,
            source.machine)
        != 8)
        abort();
    return tacrec_writerNew(&source, 1, take, NULL);
}

static bool sensor(tacrec_writer *w, const char *line) {
    tacrec_sensorSaid said = {0};
    uint32_t number;
    if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %63s", &number,
            &said.kind, &said.size, &said.thread, &said.flags, &said.priority, said.name)
        != 7)
        abort();
    said.fieldCount = said.size == 4;
    said.fields[0] = (tacrec_fieldEntry){"v", TACREC_UNSIGNED, 0, 4};
    return tacrec_writerSensor(w, number, &said);
}

static bool element(tacrec_writer *w, const char *line) {
    uint32_t number;
    uint64_t of, time;
    int at = 0;
    uint8_t *bytes;
    if (sscanf(line, "%" SCNu32 " %" SCNu64 " %" SCNu64 " %n", &number, &of, &time, &at) != 3) abort();
    bytesOf(line + at, &bytes);
    bool done = tacrec_writerElement(w, number, of, time, bytes);
    free(bytes);
    return done;
}

static bool pair(tacrec_writer *w, const char *line) {
    tacrec_pair said;
    if (sscanf(line, "%" SCNu64 " %" SCNu64, &said.counter, &said.nanoseconds) != 2) abort();
    return tacrec_writerPair(w, &said);
}

static void end(tacrec_writer *w, const char *line) {
    uint32_t how, status;
    int at = 0;
    if (sscanf(line, "%" SCNu32 " %" SCNu32 " %n", &how, &status, &at) != 2) abort();
    tacrec_writerEnd(w, (tacrec_endKind) how, status, line + at);
}

static void find(const char *digits) {
    uint8_t *bytes;
    const uint8_t *next;
    size_t n = bytesOf(digits, &bytes);
    tacrec_packet packet;
    const uint8_t *at = tacrec_packetFind(bytes, bytes + n, &packet, &next);
    if (at) printf("%d %d\n", (int) (at - bytes), (int) (next - bytes));
    else printf("none %d\n", (int) (next - bytes));
    free(bytes);
}

int main(void) {
    static char line[LINE];
    tacrec_writer *w = NULL;
    while (fgets(line, sizeof line, stdin)) {
        char command[16];
        int at = 0;
        bool done = true;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%15s %n", command, &at) != 1) continue;
        if (strcmp(command, "source") == 0) done = (w = sourceOf(line + at)) != NULL;
        else if (strcmp(command, "sensor") == 0) done = sensor(w, line + at);
        else if (strcmp(command, "element") == 0) done = element(w, line + at);
        else if (strcmp(command, "pair") == 0) done = pair(w, line + at);
        else if (strcmp(command, "flush") == 0) tacrec_writerFlush(w, (uint32_t) strtoul(line + at, NULL, 10));
        else if (strcmp(command, "refuse") == 0) refusing = atoi(line + at);
        else if (strcmp(command, "describe") == 0) tacrec_writerDescribe(w, NULL, NULL);
        else if (strcmp(command, "end") == 0) end(w, line + at);
        else if (strcmp(command, "find") == 0) find(line + at);
        else if (strcmp(command, "count") == 0) {
            tacrec_written c = tacrec_writerCount(w);
            printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", c.packets, c.elements, c.bytes,
                c.lostPackets, c.lostElements);
        } else abort();
        if (!done) printf("no\n");
    }
    tacrec_writerFree(w);
    return 0;
}
