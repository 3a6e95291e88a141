/*
 * receive.h -- packets that others send: from clients that connect, from a relay that is connected to, as datagrams.
 *
 *      sockets -> bytes of each connection -> whole packets with the right checksum -> a taker
 *
 * One thread uses it. Nothing waits. A connection that breaks is made again each second; who sends what is no stream of
 * packets is told to go.
 */
#ifndef TAC_RECORD_RECEIVE_H
#define TAC_RECORD_RECEIVE_H

#include "record/link.h"
#include "record/stream.h"

#include <limits.h>
#include <poll.h>

enum { TAC_RECEIVE_ADDRESS = 256 };

typedef struct tacReceiveOptions {
    bool datagrams; /* UDP; else TCP */
    bool connects;  /* TCP: to the address; else others connect to it */
    char address[TAC_RECEIVE_ADDRESS];
    char key[PATH_MAX]; /* file of the key for TLS; empty: none */
} tacReceiveOptions;

typedef struct tacReceiveCount {
    uint64_t packets, bytes, damaged; /* damaged: bytes that belong to no packet */
    uint32_t connections;             /* there now */
} tacReceiveCount;

typedef struct tacReceiver tacReceiver;

/* say: what is told to the user, a sentence. now: nanoseconds of a clock that never goes back; NULL: CLOCK_MONOTONIC.
 * NULL: no memory. */
tacReceiver *tacReceiverNew(
    void (*say)(void *data, const char *text), void *data, tacrec_take *take, void *takes, uint64_t (*now)(void));
void tacReceiverFree(tacReceiver *receiver);
/* Adds an address. False: *why says what is wrong with it. One to connect to need not be there yet. */
bool tacReceiverAdd(tacReceiver *receiver, const tacReceiveOptions *options, char why[TAC_LINK_TEXT]);
/* For tests: the port of the nth address that others connect or send to, or 0. */
unsigned tacReceiverPort(const tacReceiver *receiver, uint32_t n);
/* Descriptors to wait for; how many. Work is due at the latest after 100 ms anyway. */
int tacReceiverWait(const tacReceiver *receiver, struct pollfd *polled, int room);
/* Hands on what has come, at most some megabytes. */
void tacReceiverWork(tacReceiver *receiver);
tacReceiveCount tacReceiverCount(const tacReceiver *receiver);

#endif
