/*
 * collectPart.h -- what collect.c and collectFolder.c share: the collector's sources, and its folders.
 */
#ifndef TACREC_COLLECT_PART_H
#define TACREC_COLLECT_PART_H

#include "record/collect.h"

typedef struct CollectSensor { /* of a source */
    bool described, ended;
    tacrec_sensorSaid said;
    uint64_t elements, lost, before; /* as in tacrec_sensorCount */
    uint64_t next;                   /* number of the next element unless some were lost */
} CollectSensor;

struct tacrec_collected {
    tacrec_collector *collector;
    tacrec_collected *later; /* the next one in the order in which they were added */
    tacrec_source said;
    uint64_t identity;
    tacrec_sourceClass calls;
    void *data;
    tacrec_writer *writer;   /* NULL: has ended */
    CollectSensor **sensors; /* by number; NULL: not described */
    uint32_t room;
    tacrec_pair oldest, newest; /* of the clocks; nanoseconds 0: none */
    tacrec_endKind how;
    uint32_t status;
    char text[TACREC_STREAM_TEXT];
    uint64_t describedAt, bytesThen, descriptionBytes; /* the last time that all was described; what it took */
    bool gathers;                                      /* has elements that were not handed on */
    bool hurries; /* a quarter of a ring was written since the last round, or more */
};

typedef struct CollectFolders CollectFolders;

/* ---- collect.c --------------------------------------------------------------------------------------------------- */

uint64_t tacrec_collectNow(void); /* nanoseconds of CLOCK_MONOTONIC */
/* tacrec_collectorAdd by a caller that has locked the collector. identity 0: a new one, of random bytes. */
tacrec_collected *tacrec_collectAddLocked(tacrec_collector *collector, const tacrec_source *said, uint64_t identity,
    const tacrec_sourceClass *calls, void *data);
/* The sensor of this number, which was described; NULL: it was not. */
CollectSensor *tacrec_collectSensorOf(const tacrec_collected *source, uint32_t sensor);
/* Notes a remark, unless too many wait. */
void tacrec_collectRemark(tacrec_collector *collector, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How a process has ended: false: it is expected to, and nobody has said so yet. */
bool tacrec_collectHasEnded(tacrec_collector *collector, uint32_t pid, tacrec_endKind *how, uint32_t *status);
const tacrec_collectOptions *tacrec_collectOptionsOf(const tacrec_collector *collector);

/* ---- collectFolder.c --------------------------------------------------------------------------------------------- */

CollectFolders *tacrec_foldersNew(void); /* NULL: no memory */
void tacrec_foldersFree(CollectFolders *folders);
/* 0, or as errno has it. */
int tacrec_foldersAdd(CollectFolders *folders, tacrec_collector *collector, const char *path);
/* Looks for new directories and for those that went away. */
void tacrec_foldersLook(CollectFolders *folders, tacrec_collector *collector);
/* Tells which files could not be opened until now, at the end. */
void tacrec_foldersEnd(const CollectFolders *folders, tacrec_collector *collector);
/* Descriptor that can be read when a folder has changed; -1: there is none, folders are looked through in each round.
 */
int tacrec_foldersFile(const CollectFolders *folders);

#endif
