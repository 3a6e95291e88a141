/*
 * futex.h -- the arguments of a futex call, in all the forms that kernels and tools write:
 *
 *      sys_futex(uaddr: 0x7f53de6fba4c, op: 0x86, val: 0, ...)         new kernels, trace-cmd, perf; without 0x:
 *      kernels before sys_enter_futex: uaddr=0x7f53de6fba4c op=FUTEX_LOCK_PI|FUTEX_PRIVATE_FLAG val=0x0
 *
 * All numbers are hexadecimal, with 0x or without.
 */
#ifndef TAC_IMPORT_KERNEL_FUTEX_H
#define TAC_IMPORT_KERNEL_FUTEX_H

#include "import/kernel/record.h"

enum { /* commands: linux/futex.h, without the flags for private and clock */
    TAC_FUTEX_WAIT = 0,
    TAC_FUTEX_WAKE = 1,
    TAC_FUTEX_LOCK_PI = 6,
    TAC_FUTEX_UNLOCK_PI = 7,
    TAC_FUTEX_TRYLOCK_PI = 8,
    TAC_FUTEX_WAIT_BITSET = 9,
    TAC_FUTEX_WAKE_BITSET = 10,
    TAC_FUTEX_LOCK_PI2 = 13
};

enum { TAC_FUTEX_CONTENDED = 2 }; /* the value with which C libraries wait for their mutexes */

typedef struct tacKernelFutex {
    uint64_t address;
    int command;    /* -1: not given, or unknown */
    uint64_t value; /* val; 0: not given */
} tacKernelFutex;

/* Reads the entry of a system call; false: it is no futex call, or one without an address. */
bool tacKernelFutexOf(const tacKernelRecord *record, tacKernelFutex *futex);

#endif
