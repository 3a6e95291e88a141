/* What tests/mutate/switch.tcl puts before a C file whose operators can be changed while a program runs.
 *
 * GCOV_PREFIX says which place is changed, by its number, or names a file in which each place that would make a
 * difference sets its byte. It is the variable that builds with counters go by, as this one is, and the only one of
 * its kind that a worker is given. No header is included, since some of the files must define something before. */

#ifndef TAC_MUTATE_SWITCH_H
#define TAC_MUTATE_SWITCH_H

#ifdef __cplusplus
extern "C" {
#endif
extern char *tacMutateEnvironment(const char *) __asm__("getenv");
extern int tacMutateNumber(const char *) __asm__("atoi");
extern int tacMutateOpen(const char *, int, ...) __asm__("open");
extern int tacMutateClose(int) __asm__("close");
extern void *tacMutateMap(void *, unsigned long, int, int, int, long) __asm__("mmap");
#ifdef __cplusplus
}
#endif

static int tacMutateChosen;
static unsigned char *tacMutateSeen;

enum { TAC_MUTATE_PLACES = 1 << 16 };

#define TAC_MUTATE_IS(n) __builtin_expect(tacMutateChosen == (n), 0)
#define TAC_MUTATE_SEE(n) ((void) (tacMutateSeen && (tacMutateSeen[n] = 1)))

__attribute__((constructor)) static void tacMutateBegin(void) {
    const char *text = tacMutateEnvironment("GCOV_PREFIX");
    if (!text || *text != '/') {
        tacMutateChosen = text ? tacMutateNumber(text) : 0;
        return;
    }
    int fd = tacMutateOpen(text, 02);
    if (fd < 0) return;
    unsigned char *map = (unsigned char *) tacMutateMap((void *) 0, TAC_MUTATE_PLACES, 3, 1, fd, 0);
    if (map != (unsigned char *) -1) tacMutateSeen = map;
    tacMutateClose(fd);
}

#endif
