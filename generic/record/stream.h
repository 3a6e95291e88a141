/*
 * stream.h -- the form in which sensors are stored and sent: packets, each of which can be read by itself.
 *
 *      monitor (readers of directories, the kernel) -> packets -> file, folder, memory, network ->
 * generic/import/record
 *
 * tactus_stream(5) describes it byte by byte. All numbers are little-endian; packets are whole multiples of 8 bytes.
 *
 *      SOURCE    who writes: a program, the kernel, the recorder itself; its clock
 *      SENSOR    name and fields of a sensor of that source
 *      ELEMENTS  some elements of a sensor, one after the other, with the number of the first
 *      PAIRS     what the source's clock is in nanoseconds of CLOCK_MONOTONIC
 *      LOST      packets that were made and are not here, since a storage was full or gone
 *      END       the source has ended: how
 *
 * A reader finds the next packet after damage by its first bytes and its checksum. What describes (SOURCE, SENSOR, the
 * elements of lasting sensors) is written again now and then, since it may be lost as well; what it says of a source
 * and sensor does not change.
 */
#ifndef TACREC_STREAM_H
#define TACREC_STREAM_H

#include "record/tactusrec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TACREC_STREAM_MAGIC "\211TacS\r\n\032" /* 8 bytes: not text, and changed by whoever takes it for text */

enum {
    TACREC_STREAM_VERSION = 1,
    TACREC_PACKET_HEAD = 64,
    TACREC_PACKET_MOST = 1 << 20, /* bytes of a packet, at most */
    TACREC_STREAM_TEXT = 64       /* bytes of a name, with the 0 at its end */
};

/* Sequence number of elements of a lasting sensor that are written once more. */
#define TACREC_REPEATED UINT64_MAX

typedef enum tacrec_packetKind {
    TACREC_PACKET_SOURCE = 1,
    TACREC_PACKET_SENSOR,
    TACREC_PACKET_ELEMENTS,
    TACREC_PACKET_PAIRS,
    TACREC_PACKET_LOST,
    TACREC_PACKET_END
} tacrec_packetKind;

typedef enum tacrec_sourceKind {
    TACREC_SOURCE_PROGRAM = 1,
    TACREC_SOURCE_KERNEL,
    TACREC_SOURCE_RECORDER
} tacrec_sourceKind;

typedef struct tacrec_packet { /* the head, as numbers; at these offsets: */
    uint32_t size;             /*  8: of the packet with its head */
    uint32_t check;            /* 12: CRC-32 (as of zlib) of everything behind it */
    uint16_t version;          /* 16 */
    uint16_t kind;             /* 18: tacrec_packetKind; unknown ones are passed over */
    uint32_t sensor;           /* 20: number in the source (tacrec_sensors); 0 where it is about none */
    uint64_t source;           /* 24: identity of the source: no two have the same */
    uint64_t sequence;         /* 32: ELEMENTS: of these packets of the sensor, from 0, or TACREC_REPEATED; LOST: of
                                  the first one that was lost; others: of the source */
    uint64_t first, last;      /* 40, 48: by the source's clock; ELEMENTS, LOST: least and largest time of the elements;
                                  else the largest time so far, twice */
    uint32_t count;            /* 56: elements, pairs; LOST: packets */
    uint32_t priority; /* 60: of the sensor: what matters most where storage is short; descriptions: UINT32_MAX */
} tacrec_packet;

/* Of SOURCE, at offsets behind the head: */
typedef struct tacrec_source {
    uint32_t kind;                    /*   0: tacrec_sourceKind */
    uint32_t clock;                   /*   4: tacrec_clock */
    uint32_t pid;                     /*   8 */
    uint32_t processors;              /*  12: of the machine; 0: not known */
    uint64_t realtime, monotonic;     /*  16, 24: CLOCK_REALTIME and CLOCK_MONOTONIC at one moment, in nanoseconds */
    uint8_t boot[16];                 /*  32: of the machine's start (boot_id); all 0: not known */
    char name[TACREC_STREAM_TEXT];    /*  48: of the program */
    char machine[TACREC_STREAM_TEXT]; /* 112: host name */
} tacrec_source;                      /* 176 bytes */

/* Of SENSOR: */
typedef struct tacrec_sensorSaid {
    uint32_t kind, size, fieldCount;         /*  0, 4, 8: as in tacrec_layout */
    uint32_t priority;                       /* 12 */
    uint32_t thread;                         /* 16: PER_THREAD: the thread of the ring; 0: of none, or of several */
    uint32_t flags;                          /* 20: tacrec_sensorFlags */
    tacrec_rate rate;                        /* 24: period, distance, late, early */
    char name[TACREC_STREAM_TEXT];           /* 56 */
    char storage[TACREC_STREAM_TEXT];        /* 120 */
    tacrec_fieldEntry fields[TACREC_FIELDS]; /* 184: fieldCount of them, 48 bytes each: name 40, type u32, offset u16,
                                                size u16 */
} tacrec_sensorSaid;

typedef enum tacrec_sensorFlags {
    TACREC_SENSOR_LASTING = 1 /* its elements are never overwritten, and are written again as descriptions are */
} tacrec_sensorFlags;

/*
 * Of ELEMENTS: 0: u64 number of the first element among all of the sensor, from 0: what is missing between two packets
 * was lost before it was stored. 8: for each element u32 ticks after `first`, then its `size` bytes, without gaps;
 * zeros up to a multiple of 8. Elements of one packet have successive numbers; times may go back a little, but not
 * before `first`, since ticks are not negative.
 *
 * Of PAIRS: for each u64 counter, u64 nanoseconds. Of LOST: u64 elements in the lost packets of this sensor, u64 bytes.
 * Of END: u32 how (tacrec_endKind), u32 exit status or signal; text of 64 bytes.
 */
typedef enum tacrec_endKind {
    TACREC_END_CLOSED = 1, /* the program closed its directory, or the recording was over */
    TACREC_END_EXITED,     /* the command has ended: status */
    TACREC_END_SIGNALED,   /* by a signal */
    TACREC_END_GONE        /* it is gone, nobody knows how */
} tacrec_endKind;

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Whoever takes packets: the whole packet at `bytes`, head->size of them, valid during the call, in which the writer
 * must not be used. Returns false where it takes no more; then the packet is counted as lost, and told (LOST) with the
 * next one that is taken. What describes is handed over again instead. */
typedef bool tacrec_take(void *data, const tacrec_packet *head, const uint8_t *bytes);

/* Writes packets of one source, for one thread. Elements are gathered until a packet is full, or flushed. */
typedef struct tacrec_writer tacrec_writer;
/* NULL: no memory. `identity`: of the source; made of random bytes where it is 0. */
tacrec_writer *tacrec_writerNew(const tacrec_source *source, uint64_t identity, tacrec_take *take, void *data);
void tacrec_writerFree(tacrec_writer *writer); /* what is gathered is not flushed */
/* Describes a sensor (its number: below 65536), or describes it anew where its thread is another one. False: no memory,
 * or a layout that cannot be. */
bool tacrec_writerSensor(tacrec_writer *writer, uint32_t sensor, const tacrec_sensorSaid *said);
/* Adds an element: its number, its time by the source's clock, as many bytes as the sensor's size. False: no memory, no
 * such sensor. */
bool tacrec_writerElement(tacrec_writer *writer, uint32_t sensor, uint64_t number, uint64_t time, const void *data);
bool tacrec_writerPair(tacrec_writer *writer, const tacrec_pair *pair);
/* Hands over what is gathered; of the sensor of this number, or of all (UINT32_MAX). */
void tacrec_writerFlush(tacrec_writer *writer, uint32_t sensor);
/* Describes the source and its sensors once more, with all elements of lasting ones: at the beginning of each file of a
 * folder, each second, for each client that connects. take NULL: to the writer's own. */
void tacrec_writerDescribe(tacrec_writer *writer, tacrec_take *take, void *data);
void tacrec_writerEnd(tacrec_writer *writer, tacrec_endKind how, uint32_t status, const char *text);
/* What was handed over and what was lost so far: packets, elements, bytes. */
typedef struct tacrec_written {
    uint64_t packets, elements, bytes, lostPackets, lostElements;
} tacrec_written;
tacrec_written tacrec_writerCount(const tacrec_writer *writer);

/* Writes the head before a body of head->size bytes with the head, and makes head->check. For packets that a storage
 * makes by itself (LOST). */
void tacrec_packetSeal(uint8_t *bytes, tacrec_packet *head);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/*
 * Finds the next packet in bytes: its head in *packet; returns where it begins, and in *end where it ends. NULL: there
 * is none; *end is then the first byte that may belong to one of which the rest is missing (or the end of the bytes).
 * What lies between `at` and the packet is damaged.
 */
const uint8_t *tacrec_packetFind(
    const uint8_t *at, const uint8_t *end, tacrec_packet *packet, const uint8_t **packetEnd);
/* The same; at most so many bytes of what turns out to be damaged are looked at twice, and *budget shrinks by them:
 * what begins like large packets again and again would cost their length each time. At 0, nothing more is found, and
 * *packetEnd is where looking ended. */
const uint8_t *tacrec_packetFindWithin(
    const uint8_t *at, const uint8_t *end, uint64_t *budget, tacrec_packet *packet, const uint8_t **packetEnd);
/* Read what stands behind the head; false: it is too short, or says what cannot be. */
bool tacrec_packetSource(const uint8_t *bytes, const tacrec_packet *packet, tacrec_source *source);
bool tacrec_packetSensor(const uint8_t *bytes, const tacrec_packet *packet, tacrec_sensorSaid *said);

#ifdef __cplusplus
}
#endif

#endif
