/*
 * scankernel.c -- what reading the text of a kernel trace costs at the least: the yardstick of `make bench`.
 *
 *      scankernel FILE
 *
 * It maps the file and takes of every line the name before "-pid", the pid, the processor in brackets, the time as an
 * integer, the event's name, and of each word "key=value" behind it the value: an integer if it begins with a digit,
 * else a name. Names get numbers (yardstick.h). Everything goes into columns. No names with blanks, no other shapes,
 * no states, no order, no messages.
 *
 * Prints counts and a checksum over the columns, so that nothing of this can be left out by the compiler.
 */
#include "yardstick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 7 };

static struct {
    int64_t *time;
    uint32_t *thread, *pid, *processor, *event;
    uint32_t *value[VALUES]; /* 0 also where there is none: this is a yardstick, not a reader */
    size_t count, capacity;
} events;

static void reserve(void) {
    if (events.count < events.capacity) return;
    events.capacity = events.capacity ? 2 * events.capacity : 65536;
    events.time = checked(realloc(events.time, events.capacity * sizeof *events.time));
    uint32_t **columns[] = {&events.thread, &events.pid, &events.processor, &events.event};
    for (int i = 0; i < 4; i++) *columns[i] = checked(realloc(*columns[i], events.capacity * sizeof **columns[i]));
    for (int i = 0; i < VALUES; i++)
        events.value[i] = checked(realloc(events.value[i], events.capacity * sizeof *events.value[i]));
}

static const char *readNumber(const char *s, const char *end, int64_t *number) {
    int64_t n = 0;
    for (; s < end && *s >= '0' && *s <= '9'; s++) n = 10 * n + (*s - '0');
    *number = n;
    return s;
}

static const char *until(const char *s, const char *end, char c) {
    const char *found = s < end ? memchr(s, c, (size_t) (end - s)) : NULL;
    return found ? found : end;
}

static const char *readBegin(const char *s, const char *end) {
    int64_t pid, processor, seconds, fraction;
    while (s < end && *s == ' ') s++;
    const char *bracket = until(s, end, '['), *dash = bracket;
    while (dash > s && *dash != '-') dash--;
    events.thread[events.count] = numberOf(s, (uint32_t) (dash - s));
    readNumber(dash + 1, end, &pid);
    s = readNumber(bracket + 1, end, &processor);
    s = until(s, end, ':');
    const char *first = s;
    while (first > bracket && first[-1] != ' ') first--;
    first = readNumber(first, end, &seconds);
    readNumber(first + 1, s, &fraction);
    events.pid[events.count] = (uint32_t) pid;
    events.processor[events.count] = (uint32_t) processor;
    events.time[events.count] = seconds * 1000000000 + fraction;
    return s < end ? s + 1 : end;
}

static void readEvent(const char *s, const char *end) {
    reserve();
    s = readBegin(s, end);
    while (s < end && *s == ' ') s++;
    const char *colon = until(s, end, ':');
    events.event[events.count] = numberOf(s, (uint32_t) (colon - s));
    s = colon;
    for (int i = 0; i < VALUES; i++) {
        int64_t number = 0;
        s = until(s, end, '=');
        if (s < end && *++s >= '0' && *s <= '9') {
            s = readNumber(s, end, &number);
        } else if (s < end) {
            const char *word = s;
            s = until(s, end, ' ');
            number = numberOf(word, (uint32_t) (s - word));
        }
        events.value[i][events.count] = (uint32_t) number;
    }
    events.count++;
}

static size_t readLines(const char *s, const char *end) {
    size_t lines = 0;
    while (s < end) {
        const char *eol = until(s, end, '\n');
        if (eol - s > 20 && *s != '#') readEvent(s, eol);
        s = eol + 1;
        lines++;
    }
    return lines;
}

static uint64_t checksum(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < events.count; i++) {
        sum = 31 * sum + (uint64_t) events.time[i] + events.thread[i] + events.pid[i] + events.processor[i]
            + events.event[i];
        for (int v = 0; v < VALUES; v++) sum += events.value[v][i];
    }
    return sum;
}

int main(int argc, char **argv) {
    size_t length, lines;
    const char *text = wholeFile("scankernel", argc, argv, &length);
    lines = readLines(text, text + length);
    printf("%zu lines, %zu events, %zu names, checksum %016" PRIx64 "\n", lines, events.count, names.used, checksum());
    return 0;
}
