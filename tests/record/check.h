/*
 * check.h -- what the programs in this folder test with: a line a check, which recordX.test compares.
 */
#ifndef TESTS_RECORD_CHECK_H
#define TESTS_RECORD_CHECK_H

#include <stdio.h>

static int failures;

/* name: a text; what follows the condition: as of printf, told where it does not hold. */
#define CHECK(name, condition, ...)             \
    do {                                        \
        if (condition) printf("ok %s\n", name); \
        else {                                  \
            printf("FAILED %s: ", name);        \
            printf(__VA_ARGS__);                \
            printf("\n");                       \
            failures++;                         \
        }                                       \
    } while (0)

#endif
