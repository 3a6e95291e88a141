/*
 * scanlimit.c -- what reading a trace of literal lines costs at the least: the yardstick of `make bench`.
 *
 *	scanlimit FILE
 *
 * It maps the file and, of every line that begins with "plot ", takes the time as an integer and up to three words after
 * it (not those that begin with "-"), gives each word a number by one hash table, and appends time and numbers to four
 * columns. No options, no quoting, no definitions, no states, no order, no messages. The hash is FNV-1a and the table at
 * most half full: what one writes without much thought, not the fastest there could be.
 *
 * Prints counts and a checksum over the columns, so that nothing of this can be left out by the compiler.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { WORDS = 3 };

typedef struct entry {
    const char *word;		/* in the mapped file; NULL: free */
    uint64_t hash;
    uint32_t length, number;
} entry;

static struct {
    entry *at;
    size_t size, used;		/* size: a power of two */
} names;

static struct {
    int64_t *time;
    uint32_t *word[WORDS];	/* 0 also where there is none: this is a yardstick, not a reader */
    size_t count, capacity;
} events;

static void *checked(void *memory) {
    if (memory) return memory;
    perror("scanlimit");
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
    struct stat status;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) < 0 || status.st_size == 0) {
	fprintf(stderr, "usage: scanlimit FILE\n");
	return 2;
    }
    const char *text = mmap(NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED) checked(NULL);
    size_t lines = readLines(text, text + status.st_size);
    printf("%zu lines, %zu events, %zu names, checksum %016" PRIx64 "\n", lines, events.count, names.used, checksum());
    return 0;
}
