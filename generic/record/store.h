/*
 * store.h -- storages: a packet goes to the first one that takes it.
 *
 *      packets -> tacStoragesTake -> the storage that its sensor names, else by priority -> memory
 *                       |                                                                    file, folder
 *                       +-> storages that are copies: each gets everything                   tcp, udp
 *
 * A storage that is full, or gone (a disk is full, a network broken), refuses; then the next one is asked. What none
 * takes is counted, and told as LOST in the next one that takes something, at the latest at the end.
 *
 * Invariants:
 *   1. Whatever a storage begins (a file, a connection) begins with what is known of all sources (catalogue.h).
 *   2. What a storage throws away that it had taken is told there as LOST.
 *   3. A storage never has more than its size. One that stops keeps a part of it (tacStorageRoom) for what describes,
 *      ends and was lost.
 *
 * One thread uses them. Nothing waits: what cannot be done at once is done by tacStoragesWork.
 */
#ifndef TAC_RECORD_STORE_H
#define TAC_RECORD_STORE_H

#include "record/catalogue.h"
#include "record/losses.h"

#include <limits.h>
#include <poll.h>

typedef enum tacStorageKind {
    TAC_STORAGE_MEMORY,
    TAC_STORAGE_FILE,
    TAC_STORAGE_FOLDER,
    TAC_STORAGE_TCP,
    TAC_STORAGE_UDP,
    TAC_STORAGE_KINDS
} tacStorageKind;

typedef enum tacStrategy {     /* what is done when it is full */
    TAC_STRATEGY_STOP,         /* it takes no more */
    TAC_STRATEGY_RESTART,      /* it throws away all, and begins anew */
    TAC_STRATEGY_PRIORITY,     /* memory: what matters less, and of that the oldest, goes */
    TAC_STRATEGY_WRAPPING,     /* memory: the oldest goes */
    TAC_STRATEGY_SINGLEFLIP,   /* folder: the older half goes */
    TAC_STRATEGY_MULTIPLEFLIP, /* folder: the oldest of so many parts goes */
    TAC_STRATEGIES
} tacStrategy;

extern const char *const tacStorageKindNames[TAC_STORAGE_KINDS + 1], *const tacStrategyNames[TAC_STRATEGIES + 1];
/* Has such a storage this strategy? */
bool tacStorageHas(tacStorageKind kind, tacStrategy strategy);

enum { TAC_STORAGE_TEXT = 512, TAC_STORAGE_ADDRESS = 256 }; /* bytes of messages and addresses */

typedef enum tacDumpOccasion { /* when what is in memory is written out; bits */
    TAC_DUMP_SIGNAL = 1,       /* the relay gets SIGUSR1 */
    TAC_DUMP_CRASH = 2,        /* a program ends by a signal, or nobody knows how */
    TAC_DUMP_END = 4,          /* the relay ends */
    TAC_DUMP_FINDING = 8       /* a monitor marks a finding */
} tacDumpOccasion;

typedef struct tacStorageOptions {
    char name[TACREC_STREAM_TEXT];
    tacStorageKind kind;
    tacStrategy strategy;
    uint64_t size;     /* bytes; tcp, udp: of what waits to be sent */
    uint32_t files;    /* MULTIPLEFLIP: parts of the folder, at least 2 */
    uint32_t priority; /* storages of high ones are asked first */
    bool reserved;     /* static: all of its size is taken at the beginning */
    bool copy;
    char path[PATH_MAX];               /* file, folder */
    char group[TACREC_STREAM_TEXT];    /* of the system: may read the files; empty: nobody else may */
    char address[TAC_STORAGE_ADDRESS]; /* tcp, udp: HOST:PORT */
    bool listen;                       /* tcp: clients connect to the address */
    char key[PATH_MAX];                /* file of the key for TLS; empty: none */
    /* memory */
    char dump[PATH_MAX];             /* file that it is written to, %n in it: a number; empty: none */
    char sensor[TACREC_STREAM_TEXT]; /* an element of such a sensor (a pattern of SENSOR or PROGRAM:SENSOR) is an
                                        occasion; empty: none */
    char to[TACREC_STREAM_TEXT];     /* storage that it is emptied into as soon as that takes packets; empty: none */
    unsigned occasions;              /* tacDumpOccasion */
    uint32_t dumps;                  /* that are written at most */
    uint64_t before, after;          /* nanoseconds of a dump */
} tacStorageOptions;

typedef struct tacStorageCount {
    uint64_t packets, bytes, elements; /* taken */
    uint64_t lost;                     /* elements thrown away later, or refused by a copy */
} tacStorageCount;

typedef struct tacStorages tacStorages;
typedef struct tacStorage tacStorage;

/* What is told to the user: a sentence about a storage. */
typedef void tacStorageSay(void *data, const char *text);

/* now: nanoseconds of a clock that never goes back; NULL: CLOCK_MONOTONIC. NULL: no memory. */
tacStorages *tacStoragesNew(tacStorageSay *say, void *data, uint64_t (*now)(void));
/* Adds a storage, and opens it. False: *why says what is wrong with it. */
bool tacStoragesAdd(tacStorages *storages, const tacStorageOptions *options, char why[TAC_STORAGE_TEXT]);
/* Stores a packet (a tacrec_take; data: the storages). Always true: what is lost is told here. */
bool tacStoragesTake(void *storages, const tacrec_packet *head, const uint8_t *bytes);
/* Descriptors that the storages wait for; how many. Work is due at the latest after 100 ms anyway. */
int tacStoragesWait(tacStorages *storages, struct pollfd *polled, int room);
void tacStoragesWork(tacStorages *storages);
/* Writes memory out, where a storage is written on this occasion. */
void tacStoragesDump(tacStorages *storages, tacDumpOccasion occasion);
/* Tells what was lost, writes out and sends what there is, for at most some seconds, and closes all. */
void tacStoragesFree(tacStorages *storages);
/* Of the nth storage; NULL: there are not so many. */
const tacStorageOptions *tacStoragesCount(const tacStorages *storages, uint32_t n, tacStorageCount *count);
/* Elements that no storage took. */
uint64_t tacStoragesLost(const tacStorages *storages);

/* ---- within storages --------------------------------------------------------------------------------------------- */

typedef struct tacStorageClass {
    bool (*open)(tacStorage *storage, char why[TAC_STORAGE_TEXT]);
    /* said: it describes, or tells a loss: it may be taken from what is kept for that. */
    bool (*take)(tacStorage *storage, const tacrec_packet *head, const uint8_t *bytes, bool said);
    int (*wait)(tacStorage *storage, struct pollfd *polled, int room); /* NULL: nothing to wait for */
    void (*work)(tacStorage *storage);                                 /* NULL: none */
    void (*note)(tacStorage *storage, const tacrec_packet *head);      /* NULL; every packet */
    void (*dump)(tacStorage *storage, const char *occasion);           /* NULL */
    bool (*holds)(const tacStorage *storage); /* has it packets that it will give to others? NULL: no */
    void (*close)(tacStorage *storage);
} tacStorageClass;

struct tacStorage {
    tacStorageOptions is;
    tacStorages *all;
    const tacStorageClass *class;
    void *own;
    tacLosses losses; /* of what it had taken; told with the next packet */
    tacStorageCount count;
    uint64_t retry; /* when a storage that is gone is asked again */
    uint64_t since; /* it takes packets again since then; 0: it does not, or never ceased to */
    bool refuses;   /* it is gone, and that was said */
    bool missed;    /* it did not take something that describes: it is told all again before the next packet */
};

extern const tacStorageClass tacStorageMemory, tacStorageFile, tacStorageFolder, tacStorageTcp, tacStorageUdp;

uint64_t tacStoragesNow(const tacStorages *storages);
void tacStorageTold(tacStorage *storage, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Tells all that is known of all sources. */
bool tacStorageDescribe(const tacStorage *storage, tacrec_take *take, void *data);
const tacNotedSensor *tacStorageSensor(const tacStorage *storage, const tacrec_packet *head); /* NULL: not known */
uint64_t tacStorageKnown(const tacStorage *storage);                                          /* bytes of that */
/* It is gone: it is asked again in a second. Says so, once until it takes something. Returns false. */
bool tacStorageGone(tacStorage *storage, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* It had taken a packet, and throws it away. */
void tacStorageLost(tacStorage *storage, const tacrec_packet *head, const uint8_t *bytes);
/* Gives a packet that it had taken to the other ones. */
void tacStoragePass(tacStorage *storage, const tacrec_packet *head, const uint8_t *bytes);
/* Gives a packet that it had taken to another storage, by its name. False: it does not take it now. */
bool tacStorageGive(tacStorage *storage, const char *to, const tacrec_packet *head, const uint8_t *bytes);
/* Bytes of its size that a packet may fill. Of one that stops a part is for what describes, and half of that for what
 * was lost alone (invariant 3). */
uint64_t tacStorageRoom(const tacStorage *storage, const tacrec_packet *head, bool said);

#endif
