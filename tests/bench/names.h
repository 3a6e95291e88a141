/*
 * names.h -- for the yardsticks of `make bench`: names get numbers by one hash table. The hash is FNV-1a and the table at most
 * half full: what one writes without much thought, not the fastest there could be. Included by a yardstick's one file.
 */
#ifndef BENCH_NAMES_H
#define BENCH_NAMES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *word;		/* in the mapped file; NULL: free */
    uint64_t hash;
    uint32_t length, number;
} entry;

static struct {
    entry *at;
    size_t size, used;		/* size: a power of two */
} names;

static void *checked(void *memory) {
    if (memory) return memory;
    perror("memory");
    exit(1);
}

static entry *find(const char *word, uint32_t length, uint64_t hash) {
    size_t i = hash & (names.size - 1);
    for (entry *e; (e = &names.at[i])->word; i = (i + 1) & (names.size - 1))
	if (e->hash == hash && e->length == length && !memcmp(e->word, word, length)) break;
    return &names.at[i];
}

static void enlarge(void) {
    entry *old = names.at, *end = old + names.size;
    names.size = names.size ? 2 * names.size : 4096;
    names.at = checked(calloc(names.size, sizeof(entry)));
    for (entry *e = old; e < end; e++)
	if (e->word) *find(e->word, e->length, e->hash) = *e;
    free(old);
}

static uint32_t numberOf(const char *word, uint32_t length) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char) word[i]) * UINT64_C(1099511628211);
    if (2 * names.used >= names.size) enlarge();
    entry *e = find(word, length, hash);
    if (!e->word) *e = (entry) {word, hash, length, (uint32_t) names.used++};
    return e->number;
}

#endif
