/*
 * genstream.c -- writes a recording of sensors to standard output, to measure reading: genstream ELEMENTS.
 *
 * A program of four threads, each with a ring of one sensor, whose elements have two numbers; by the processor's
 * counter at 2.5 GHz, with a pair of clocks each second. About 10^6 elements a second.
 */
#include "random.h"
#include "record/stream.h"

#include <stdio.h>
#include <stdlib.h>

static bool put(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    (void) data;
    return fwrite(bytes, 1, head->size, stdout) == head->size;
}

enum { THREADS = 4, COUNTS_US = 2500 }; /* counts of the processor in a microsecond */

typedef struct Element {
    double value;
    uint32_t wheel, round;
} Element;

static void describe(tacrec_writer *writer) {
    tacrec_sensorSaid said = {.kind = TACREC_PER_THREAD,
        .size = sizeof(Element),
        .fieldCount = 3,
        .name = "speed",
        .fields = {{"value", TACREC_REAL, offsetof(Element, value), 8},
            {"wheel", TACREC_UNSIGNED, offsetof(Element, wheel), 4},
            {"round", TACREC_UNSIGNED, offsetof(Element, round), 4}}};
    for (uint32_t i = 0; i < THREADS; i++) {
        said.thread = 1000 + i;
        tacrec_writerSensor(writer, i, &said);
    }
}

int main(int argc, char **argv) {
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, numbers[THREADS] = {0}, state = 1;
    tacrec_source source = {.kind = TACREC_SOURCE_PROGRAM,
        .clock = TACREC_CLOCK_TSC,
        .pid = 1000,
        .processors = 4,
        .realtime = 1700000000000000000u,
        .monotonic = 1000000000,
        .boot = "genstream",
        .name = "car",
        .machine = "box"};
    tacrec_writer *writer = tacrec_writerNew(&source, 1, put, NULL);
    if (!writer) return 1;
    describe(writer);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t time = i * COUNTS_US + (uint64_t) between(&state, 0, COUNTS_US - 1);
        uint32_t thread = (uint32_t) between(&state, 0, THREADS - 1);
        if (i % 1000000 == 0) tacrec_writerPair(writer, &(tacrec_pair){i * COUNTS_US, 1000000000 + i * 1000});
        Element element = {(double) between(&state, 0, 99999) / 100, (uint32_t) i % 4, (uint32_t) i};
        tacrec_writerElement(writer, thread, numbers[thread]++, time, &element);
    }
    tacrec_writerPair(writer, &(tacrec_pair){count * COUNTS_US, 1000000000 + count * 1000});
    tacrec_writerEnd(writer, TACREC_END_CLOSED, 0, "");
    tacrec_writerFree(writer);
    return ferror(stdout) || fflush(stdout) != 0;
}
