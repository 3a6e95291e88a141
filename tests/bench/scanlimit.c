/*
 * scanlimit.c -- what reading a trace of literal lines costs at the least: the yardstick of `make bench`.
 *
 *      scanlimit FILE
 *
 * It maps the file and, of every line that begins with "plot ", takes the time as an integer and up to three words
 * after it (not those that begin with "-"), gives each word a number (yardstick.h), and appends time and numbers to
 * four columns. No options, no quoting, no definitions, no states, no order, no messages.
 *
 * Prints counts and a checksum over the columns, so that nothing of this can be left out by the compiler.
 */
#include "yardstick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 3 };

static struct {
    int64_t *time;
    uint32_t *word[WORDS]; /* 0 also where there is none: this is a yardstick, not a reader */
    size_t count, capacity;
} events;

static void reserve(void) {
    if (events.count < events.capacity) return;
    events.capacity = events.capacity ? 2 * events.capacity : 65536;
    events.time = checked(realloc(events.time, events.capacity * sizeof *events.time));
    for (int i = 0; i < WORDS; i++)
        events.word[i] = checked(realloc(events.word[i], events.capacity * sizeof *events.word[i]));
}

static const char *readTime(const char *s, const char *end, int64_t *time) {
    int negative = s < end && *s == '-';
    int64_t t = 0;
    for (s += negative; s < end && *s >= '0' && *s <= '9'; s++) t = 10 * t + (*s - '0');
    while (s < end && *s != ' ') s++;
    *time = negative ? -t : t;
    return s;
}

static void readEvent(const char *s, const char *end) {
    reserve();
    s = readTime(s, end, &events.time[events.count]);
    for (int i = 0; i < WORDS; i++) {
        while (s < end && *s == ' ') s++;
        const char *word = s;
        while (s < end && *s != ' ') s++;
        events.word[i][events.count] = s > word && *word != '-' ? numberOf(word, (uint32_t) (s - word)) : 0;
    }
    events.count++;
}

static size_t readLines(const char *s, const char *end) {
    size_t lines = 0;
    while (s < end) {
        const char *eol = memchr(s, '\n', (size_t) (end - s));
        if (!eol) eol = end;
        if (eol - s > 5 && !memcmp(s, "plot ", 5)) readEvent(s + 5, eol);
        s = eol + 1;
        lines++;
    }
    return lines;
}

static uint64_t checksum(void) {
    uint64_t sum = 0;
    for (size_t i = 0; i < events.count; i++) {
        sum = 31 * sum + (uint64_t) events.time[i];
        for (int w = 0; w < WORDS; w++) sum += events.word[w][i];
    }
    return sum;
}

int main(int argc, char **argv) {
    size_t length, lines;
    const char *text = wholeFile("scanlimit", argc, argv, &length);
    lines = readLines(text, text + length);
    printf("%zu lines, %zu events, %zu names, checksum %016" PRIx64 "\n", lines, events.count, names.used, checksum());
    return 0;
}
