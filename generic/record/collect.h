/*
 * collect.h -- reads what sensors write while they write it, and hands it on.
 *
 *      folders of directories (programs) --+                                    +--> packets: files, storages, network
 *                                          +--> collector: a round each period -+
 *      other sources (the kernel) ---------+                                    +--> elements: evaluations, a window
 *
 * A round looks for new directories, reads every sensor to its end, and hands on what was gathered for long enough.
 * What a writer overwrote before it was read is counted. A program may end in any way: what stands in its buffers is
 * read, then its source ends. Rounds are made by a thread of the collector, or by the caller; takers and sources are
 * called by that thread alone, and with the collector locked, so they do not call functions that lock it (those of the
 * section "by any thread").
 */
#ifndef TACREC_COLLECT_H
#define TACREC_COLLECT_H

#include "record/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacrec_collector tacrec_collector;
/* A source of elements in a collector: a program's directory, or another one. */
typedef struct tacrec_collected tacrec_collected;

enum {
    TACREC_COLLECT_TRUSTED = 1, /* map directories of other users as well (TACREC_TRUSTED) */
    TACREC_COLLECT_NEW = 2,     /* of directories that are there already only what is written from now on */
    TACREC_COLLECT_REMOVE = 4,  /* remove the files of directories of folders whose programs have ended */
    TACREC_COLLECT_RUNNING = 8  /* leave out directories of folders whose programs have ended before they are met */
};

typedef struct tacrec_collectOptions { /* times in nanoseconds; 0: as said */
    uint64_t period;                   /* between two rounds; 10 ms. Down to a sixteenth while rings fill fast */
    uint64_t gather;                   /* an element waits at most so long for its packet to fill; 100 ms */
    uint64_t held;                     /* an element that is begun, not published, holds up others so long; 1 s */
    unsigned flags;
} tacrec_collectOptions;

/* ---- sources other than directories ------------------------------------------------------------------------------ */

typedef struct tacrec_sourceClass {
    /* Hands over what there is now (tacrec_collectElement ...). False: the source has ended; it is not called again. */
    bool (*round)(void *data, tacrec_collected *source);
    /* The recording is over: hands over what is left, before the source's END. May be NULL. */
    void (*end)(void *data, tacrec_collected *source);
    void (*free)(void *data); /* with the collector, or at once when the source has ended. May be NULL. */
} tacrec_sourceClass;

/* Adds a source (copied), whose data belongs to the collector from now on. NULL: no memory; the data is freed. */
tacrec_collected *tacrec_collectorAdd(
    tacrec_collector *collector, const tacrec_source *said, const tacrec_sourceClass *calls, void *data);
/*
 * By a source, within its round or end, and right after it was added unless the collector runs: describes a sensor
 * (below TACREC_COLLECT_SENSORS), hands over an element (numbers that are left out were lost), a pair of clocks. False:
 * no memory, or a sensor that cannot be.
 */
enum { TACREC_COLLECT_SENSORS = 65536 };
bool tacrec_collectSensor(tacrec_collected *source, uint32_t sensor, const tacrec_sensorSaid *said);
bool tacrec_collectElement(tacrec_collected *source, uint32_t sensor, uint64_t number, uint64_t time, const void *data);
bool tacrec_collectPair(tacrec_collected *source, const tacrec_pair *pair);
/* How the source ends, if it is known; else TACREC_END_CLOSED. text: at most 63 bytes; copied. */
void tacrec_collectHow(tacrec_collected *source, tacrec_endKind how, uint32_t status, const char *text);
/* Fills in what is true of all sources of this machine: processors, realtime, monotonic, boot, machine. */
void tacrec_collectHere(tacrec_source *source);

/* ---- takers ------------------------------------------------------------------------------------------------------ */

/*
 * Whoever is given what was collected. With one taker of packets, those that it refuses are told as LOST; with several,
 * those that all of them refuse.
 */
typedef struct tacrec_taker {
    tacrec_take *packet; /* NULL: no packets */
    /* Every element as it is read, in the order of each sensor. NULL: no elements. */
    void (*element)(
        void *data, const tacrec_collected *source, uint32_t sensor, uint64_t number, uint64_t time, const void *bytes);
    /* After each round. begun: nanoseconds of CLOCK_MONOTONIC; what was published until then was handed over, unless a
     * writer is faster than the collector or an element is held up. May be NULL. */
    void (*round)(void *data, uint64_t begun);
    void *data;
} tacrec_taker;

/* For takers of elements: what is said of a source and a sensor; the sensor's NULL where it was never described. Valid
 * during the call. */
const tacrec_source *tacrec_collectedSource(const tacrec_collected *source);
const tacrec_sensorSaid *tacrec_collectedSensor(const tacrec_collected *source, uint32_t sensor);
uint64_t tacrec_collectedIdentity(const tacrec_collected *source); /* as its packets have it */
/* A time of the source's clock in nanoseconds of CLOCK_MONOTONIC, by the pairs that were collected, to some 20 ns. */
uint64_t tacrec_collectedTime(const tacrec_collected *source, uint64_t time);

/* ---- a recording in a file --------------------------------------------------------------------------------------- */

typedef struct tacrec_file tacrec_file;
/*
 * Opens a file for packets, which is made, or cut where it is a recording already; or a pipe. NULL: *problem as errno
 * has it; EEXIST: it is there and is something else.
 */
tacrec_file *tacrec_fileOpen(const char *path, int *problem);
/* Writes a packet at once, whole or not at all; `data` is the file. A pipe whose reader takes nothing for five seconds
 * is given up. */
bool tacrec_fileTake(void *data, const tacrec_packet *head, const uint8_t *bytes);
/* Why a packet was not written for the first time, as errno has it; 0: all were. */
int tacrec_fileProblem(const tacrec_file *file);
void tacrec_fileClose(tacrec_file *file); /* NULL is fine */

/* ---- by any thread ----------------------------------------------------------------------------------------------- */

/* options NULL: all as said. NULL: no memory. */
tacrec_collector *tacrec_collectorNew(const tacrec_collectOptions *options);
/* Stops it as tacrec_collectorStop does, and frees it. */
void tacrec_collectorFree(tacrec_collector *collector);

/* Adds a taker (copied), which is told first what is known of all sources. Takers are known by their data. False: no
 * memory. */
bool tacrec_collectorTake(tacrec_collector *collector, const tacrec_taker *taker);
/* Takes leave of a taker: it is not called any more once this returns. What is gathered is handed to it before. */
void tacrec_collectorLeave(tacrec_collector *collector, const void *data);

/* Collects all directories of a folder (*.tacrec), those to come as well, or one directory. 0, or as errno has it. */
int tacrec_collectorWatch(tacrec_collector *collector, const char *path);
/* The caller will say how this process ends: its sources do not end before. */
bool tacrec_collectorExpect(tacrec_collector *collector, uint32_t pid);
/* It has ended so. */
void tacrec_collectorEnded(tacrec_collector *collector, uint32_t pid, tacrec_endKind how, uint32_t status);

/* A round, unless a thread makes them. Returns how many elements it has read. */
uint64_t tacrec_collectorRound(tacrec_collector *collector);
/* Starts the thread. 0, or as errno has it. */
int tacrec_collectorStart(tacrec_collector *collector);
/* Reads what there is once more, ends all sources, hands on what is gathered, and ends the thread. */
void tacrec_collectorStop(tacrec_collector *collector);

typedef struct tacrec_collectCount {
    uint64_t sources, running, sensors; /* so far; of the sources, not yet ended; sensors that were described */
    uint64_t elements, lost, before;    /* as in tacrec_sensorCount */
    uint64_t packets, bytes;            /* handed over */
    uint64_t refused;                   /* elements of packets that no taker took, and those below */
    uint64_t lacked;                    /* elements for whose packets memory lacked */
} tacrec_collectCount;
void tacrec_collectorCount(tacrec_collector *collector, tacrec_collectCount *count);

typedef struct tacrec_sensorCount {
    uint64_t identity; /* of its source */
    uint32_t pid, sensor;
    bool ended; /* the source, or the sensor */
    char program[TACREC_STREAM_TEXT];
    tacrec_sensorSaid said;
    uint64_t elements, lost, before; /* read; overwritten; written and gone before it was collected */
} tacrec_sensorCount;
/* Calls `each` for every sensor that was described, with the collector locked. Of the sources that have ended the last
 * 256 are kept. */
void tacrec_collectorSensors(
    tacrec_collector *collector, void (*each)(void *data, const tacrec_sensorCount *count), void *data);

/* Copies the next remark (a directory that cannot be mapped ...), each once; false: there is none. */
bool tacrec_collectorRemark(tacrec_collector *collector, char *text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
