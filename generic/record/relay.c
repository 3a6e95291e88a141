/*
 * relay.c -- the loop between what is collected or received and the storages.
 */
#define _GNU_SOURCE
#include "record/relay.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SOCKETS = 512, MILLISECOND = 1000000 };
static const uint64_t PERIOD = 10 * MILLISECOND, SECOND = 1000000000;

struct tacRelay {
    tacrec_collector *collector;
    tacReceiver *receiver;
    tacStorages *storages;
    uint64_t period; /* nanoseconds between two rounds */
    bool crashed;    /* a program has, since the last round */
    bool stopped;
    tacStorageSay *say;
    void *data;
};

static uint64_t monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * SECOND + (uint64_t) t.tv_nsec;
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t isOver, isWanted;

static void end(int signal) {
    (void) signal;
    isOver = 1;
}

static void want(int signal) {
    (void) signal;
    isWanted = 1;
}

/* What is handled here; a file that may not become larger is an error like others. */
static const struct {
    int signal, flags;
    void (*handler)(int signal);
} signals[] = {{SIGINT, (int) SA_RESETHAND, end}, {SIGTERM, (int) SA_RESETHAND, end}, {SIGHUP, (int) SA_RESETHAND, end},
    {SIGUSR1, 0, want}, {SIGXFSZ, 0, SIG_IGN}};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* before[]: how they were. */
static void beginSignals(struct sigaction before[SIGNALS]) {
    isOver = isWanted = 0;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = signals[i].handler, .sa_flags = signals[i].flags};
        sigaction(signals[i].signal, &action, &before[i]);
        /* nohup: it goes on without its terminal. */
        if (signals[i].signal == SIGHUP && before[i].sa_handler == SIG_IGN) sigaction(SIGHUP, &before[i], NULL);
    }
}

static void endSignals(const struct sigaction before[SIGNALS]) {
    for (int i = 0; i < SIGNALS; i++) sigaction(signals[i].signal, &before[i], NULL);
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

/* How a source has ended, of a packet that says so. */
static tacrec_endKind howOf(const tacrec_packet *head, const uint8_t *bytes) {
    const uint8_t *at = bytes + TACREC_PACKET_HEAD;
    if (head->kind != TACREC_PACKET_END || head->size < TACREC_PACKET_HEAD + 4) return TACREC_END_CLOSED;
    return (tacrec_endKind) (at[0] | (unsigned) at[1] << 8 | (unsigned) at[2] << 16 | (unsigned) at[3] << 24);
}

static bool takePacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacRelay *relay = data;
    tacrec_endKind how = howOf(head, bytes);
    relay->crashed |= how == TACREC_END_SIGNALED || how == TACREC_END_GONE;
    return tacStoragesTake(relay->storages, head, bytes);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static void tellRemarks(tacRelay *relay) {
    char text[TAC_STORAGE_TEXT];
    while (tacrec_collectorRemark(relay->collector, text, sizeof text)) relay->say(relay->data, text);
}

static void makeRound(tacRelay *relay) {
    tacrec_collectorRound(relay->collector);
    if (relay->crashed) tacStoragesDump(relay->storages, TAC_DUMP_CRASH);
    relay->crashed = false;
    tellRemarks(relay);
}

/* Waits for sockets, at most until then. */
static void waitUntil(tacRelay *relay, uint64_t then) {
    struct pollfd polled[SOCKETS];
    int count = tacStoragesWait(relay->storages, polled, SOCKETS);
    count += tacReceiverWait(relay->receiver, polled + count, SOCKETS - count);
    uint64_t now = monotonic(), left = then > now ? then - now : 0;
    struct timespec wait = {(time_t) (left / SECOND), (long) (left % SECOND)};
    if (poll(polled, (nfds_t) count, (int) ((left + MILLISECOND - 1) / MILLISECOND)) < 0 && errno != EINTR)
        nanosleep(&wait, NULL);
}

void tacRelayRun(tacRelay *relay, uint64_t nanoseconds, void (*look)(void *data), void *data) {
    struct sigaction before[SIGNALS];
    uint64_t begun = monotonic(), round = begun, looked = begun;
    beginSignals(before);
    while (!isOver && (!nanoseconds || monotonic() - begun < nanoseconds)) {
        uint64_t now = monotonic();
        if (now >= round) {
            makeRound(relay);
            round = now + relay->period;
        }
        tacReceiverWork(relay->receiver);
        if (isWanted) {
            isWanted = 0;
            tacStoragesDump(relay->storages, TAC_DUMP_SIGNAL);
        }
        tacStoragesWork(relay->storages);
        if (look && now - looked >= SECOND) {
            looked = now;
            look(data);
        }
        waitUntil(relay, round);
    }
    endSignals(before);
}

void tacRelayStop(tacRelay *relay) {
    if (relay->stopped) return;
    relay->stopped = true;
    tacrec_collectorStop(relay->collector);
    tacReceiverWork(relay->receiver);
    if (relay->crashed) tacStoragesDump(relay->storages, TAC_DUMP_CRASH);
    tacStoragesWork(relay->storages);
    tellRemarks(relay);
}

/* ---- making it --------------------------------------------------------------------------------------------------- */

tacRelay *tacRelayNew(const tacrec_collectOptions *options, tacStorageSay *say, void *data) {
    tacRelay *relay = calloc(1, sizeof *relay);
    if (!relay) return NULL;
    *relay = (tacRelay){.period = options && options->period ? options->period : PERIOD, .say = say, .data = data};
    relay->collector = tacrec_collectorNew(options);
    relay->storages = tacStoragesNew(say, data, NULL);
    relay->receiver = tacReceiverNew(say, data, takePacket, relay, NULL);
    tacrec_taker taker = {.packet = takePacket, .data = relay};
    if (relay->collector && relay->storages && relay->receiver && tacrec_collectorTake(relay->collector, &taker))
        return relay;
    tacRelayFree(relay);
    return NULL;
}

bool tacRelayStore(tacRelay *relay, const tacStorageOptions *options, char why[TAC_STORAGE_TEXT]) {
    return tacStoragesAdd(relay->storages, options, why);
}

bool tacRelayReceive(tacRelay *relay, const tacReceiveOptions *options, char why[TAC_STORAGE_TEXT]) {
    char text[TAC_LINK_TEXT];
    if (tacReceiverAdd(relay->receiver, options, text)) return true;
    snprintf(why, TAC_STORAGE_TEXT, "%s", text);
    return false;
}

bool tacRelayCollect(tacRelay *relay, const char *path, char why[TAC_STORAGE_TEXT]) {
    int problem = tacrec_collectorWatch(relay->collector, path);
    if (problem) snprintf(why, TAC_STORAGE_TEXT, "cannot collect \"%.300s\": %s", path, strerror(problem));
    return !problem;
}

tacrec_collector *tacRelayCollector(tacRelay *relay) { return relay->collector; }

void tacRelayFree(tacRelay *relay) {
    if (!relay) return;
    if (relay->collector && relay->storages && relay->receiver) tacRelayStop(relay);
    tacReceiverFree(relay->receiver);
    tacrec_collectorFree(relay->collector);
    tacStoragesFree(relay->storages);
    free(relay);
}

void tacRelayCounts(tacRelay *relay, tacRelayCount *count) {
    tacrec_collectorCount(relay->collector, &count->collected);
    count->received = tacReceiverCount(relay->receiver);
    count->lost = tacStoragesLost(relay->storages) + count->collected.lacked;
}

const tacStorageOptions *tacRelayStorage(const tacRelay *relay, uint32_t n, tacStorageCount *count) {
    return tacStoragesCount(relay->storages, n, count);
}
