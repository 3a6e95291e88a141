/*
 * yardstick.h -- for the yardsticks of `make bench`: a file is mapped, and its names get numbers by one hash table. The
 * hash is FNV-1a and the table at most half full: what one writes without much thought, not the fastest there could be.
 * Included by a yardstick's one file.
 */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

typedef struct Entry {
    const char *word; /* in the mapped file; NULL: free */
    uint64_t hash;
    uint32_t length, number;
} Entry;

static struct {
    Entry *at;
    size_t size, used; /* size: a power of two */
} names;

static void *checked(void *memory) {
    if (memory) return memory;
    perror("memory");
    exit(1);
}

static Entry *find(const char *word, uint32_t length, uint64_t hash) {
    size_t i = hash & (names.size - 1);
    for (Entry *e; (e = &names.at[i])->word; i = (i + 1) & (names.size - 1))
        if (e->hash == hash && e->length == length && !memcmp(e->word, word, length)) break;
    return &names.at[i];
}

static void enlarge(void) {
    Entry *old = names.at, *end = old + names.size;
    names.size = names.size ? 2 * names.size : 4096;
    names.at = checked(calloc(names.size, sizeof(Entry)));
    for (Entry *e = old; e < end; e++)
        if (e->word) *find(e->word, e->length, e->hash) = *e;
    free(old);
}

static uint32_t numberOf(const char *word, uint32_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char) word[i]) * UINT64_C(1099511628211);
    if (2 * names.used >= names.size) enlarge();
    Entry *e = find(word, length, hash);
    if (!e->word) *e = (Entry){word, hash, length, (uint32_t) names.used++};
    return e->number;
}

/* The file that is the only argument; ends with 2 when there is none, or nothing in it. */
static const char *wholeFile(const char *program, int argc, char **argv, size_t *length) {
    struct stat status;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) < 0 || status.st_size == 0) {
        fprintf(stderr, "usage: %s FILE\n", program);
        exit(2);
    }
    *length = (size_t) status.st_size;
    void *text = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0);
    return checked(text == MAP_FAILED ? NULL : text);
}

#endif
