/*
 * processor.c -- a library that is loaded before all others (LD_PRELOAD) and tells that this is a processor for which
 * nobody has written a filter of system calls (tests/walls.test).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type) {
    static const char platform[] = "mips";
    unsigned long (*next)(unsigned long);
    *(void **) &next = dlsym(RTLD_NEXT, "getauxval");
    return type == AT_PLATFORM ? (unsigned long) (uintptr_t) platform : next(type);
}
