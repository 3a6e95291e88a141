/*
 * relay.h -- collects what programs and other relays send, and stores or sends it.
 *
 *      programs, the kernel ----> collector -+
 *                                            +-> storages: memory, file, folder, tcp, udp
 *      network -> receiver ------------------+
 *
 * All is done by one thread, which waits for sockets and for the next round of the collector.
 */
#ifndef TAC_RECORD_RELAY_H
#define TAC_RECORD_RELAY_H

#include "record/collect.h"
#include "record/receive.h"
#include "record/store.h"

typedef struct tacRelay tacRelay;

typedef struct tacRelayCount {
    tacrec_collectCount collected;
    tacReceiveCount received;
    uint64_t lost; /* elements that no storage took */
} tacRelayCount;

/* say: what is told to the user, sentences. options: as of a collector; NULL: all as said there. NULL: no memory. */
tacRelay *tacRelayNew(const tacrec_collectOptions *options, tacStorageSay *say, void *data);
/* Adds a storage, an address, a folder of directories or a directory. False: *why says what is wrong with it. */
bool tacRelayStore(tacRelay *relay, const tacStorageOptions *options, char why[TAC_STORAGE_TEXT]);
bool tacRelayReceive(tacRelay *relay, const tacReceiveOptions *options, char why[TAC_STORAGE_TEXT]);
bool tacRelayCollect(tacRelay *relay, const char *path, char why[TAC_STORAGE_TEXT]);
/* Its collector, for sources other than directories, which are added before it runs. */
tacrec_collector *tacRelayCollector(tacRelay *relay);

/*
 * Relays until SIGINT, SIGTERM or SIGHUP comes, or for so many nanoseconds (0: without end). SIGUSR1 writes memory out.
 * look: called each second; NULL: not. A second one ends the process as it would without this.
 */
void tacRelayRun(tacRelay *relay, uint64_t nanoseconds, void (*look)(void *data), void *data);
/* Reads what there is once more, ends all sources, and gives all to the storages. They stay until tacRelayFree. */
void tacRelayStop(tacRelay *relay);
/* Stops it, if that was not done, and closes all storages: tells what was lost, writes out and sends what there is. */
void tacRelayFree(tacRelay *relay);

void tacRelayCounts(tacRelay *relay, tacRelayCount *count);
/* Of the nth storage; NULL: there are not so many. */
const tacStorageOptions *tacRelayStorage(const tacRelay *relay, uint32_t n, tacStorageCount *count);

#endif
