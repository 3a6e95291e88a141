/*
 * random.h -- for the generators of `make bench`: random numbers that are the same everywhere (splitmix64: Steele, Lea,
 * Flood 2014).
 */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Both ends are included. */
static int64_t between(uint64_t *state, int64_t low, int64_t high) {
    return low + (int64_t) (next(state) % (uint64_t) (high - low + 1));
}

/* Makes the numbers from 0 to n - 1 in random order. */
static inline void shuffle(uint64_t *state, uint32_t *order, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t) between(state, 0, i - 1), other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
}

#endif
