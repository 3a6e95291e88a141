/*
 * state.h -- a recording of sensors while it is read. For the files of import/record only.
 *
 *      file -> scan.c: packets -> catalogue of sources, sensors, places of packets
 *           -> axis.c: one axis of time for all clocks
 *           -> merge.c: elements of many sensors in the order of time -> meanings (record.c) -> rows of the store
 *
 * The file is read twice, since the description of a sensor, and the pair of clocks behind an element, may stand
 * anywhere. Times are nanoseconds of CLOCK_MONOTONIC of the first machine; the store has 9 digits.
 *
 * A meaning is a row of a table in record.c: the functions that make rows of the elements of certain sensors.
 * Sensors without one become kept events (element.c).
 *
 * Functions that are bool are false when there is no memory, or at a limit; r->err says which.
 */
#ifndef TAC_IMPORT_RECORD_STATE_H
#define TAC_IMPORT_RECORD_STATE_H

#include "import/import.h"
#include "record/stream.h"

typedef struct tacRecord tacRecord;
typedef struct tacRecordSensor tacRecordSensor;

/* ---- what there is ----------------------------------------------------------------------------------------------- */

typedef struct tacRecordSource {
    uint64_t identity;
    bool described;     /* else nothing is known of it, and its elements are left out */
    tacrec_source said; /* texts are valid UTF-8 */
    uint32_t machine;   /* index into machines */
    bool kept;          /* a kernel whose events are not made into tasks */
    bool ended;         /* as the rest says: */
    tacrec_endKind how;
    uint32_t status;
} tacRecordSource;

typedef TAC_ARRAY(tacrec_pair) tacRecordPairs;

/* A machine since its start: all of its clocks are known by one another. */
typedef struct tacRecordMachine {
    uint8_t boot[16];
    char name[TACREC_STREAM_TEXT]; /* no two have the same */
    uint64_t realtime, monotonic;  /* at one moment; both 0: not known */
    int64_t shift;                 /* ns: from its CLOCK_MONOTONIC to that of the first machine */
    tacRecordPairs pairs;          /* of all its sources with TACREC_CLOCK_TSC, in order; without wild ones */
    uint64_t wild;                 /* pairs that do not fit the others */
    uint32_t processor;            /* for what happens somewhere on it: processor index; TAC_NONE: not made */
    int32_t mentioned;             /* processors below this number are in the store */
} tacRecordMachine;

typedef struct tacRecordMeaning tacRecordMeaning;

struct tacRecordSensor {
    uint32_t source; /* index into sources */
    uint32_t number; /* in its source */
    bool described;
    tacrec_sensorSaid said;          /* texts are valid UTF-8 */
    const tacRecordMeaning *meaning; /* NULL: none, or its source or itself is not described */
    uint32_t own[4];                 /* the meaning's */
    /* for scan.c, merge.c: */
    size_t begin, end;         /* its packets: indices into packets */
    size_t lossBegin, lossEnd; /* indices into losses */
    uint32_t thread;           /* as described last */
    uint64_t elements;         /* that were delivered */
    uint64_t before;           /* that are missing before the first */
    uint64_t missing, places;  /* that are missing after it; at how many places */
    uint64_t refused;          /* of those, as LOST packets say */
    uint64_t beyond;           /* elements whose times cannot be */
    uint64_t wild;             /* elements that are left out, whose times are far ahead of those around them */
};

typedef struct tacRecordPacket { /* of elements */
    uint64_t at;                 /* offset in the file */
    uint64_t first;              /* number of its first element */
    uint64_t sequence;
    uint32_t sensor;      /* index into sensors */
    uint32_t thread;      /* that wrote it; 0: not known */
    uint32_t size, count; /* bytes with the head; elements */
} tacRecordPacket;

typedef struct tacRecordLost { /* a LOST packet */
    uint32_t sensor, packets;
    uint64_t sequence, elements;
} tacRecordLost;

typedef struct tacRecordPair { /* of clocks */
    uint32_t source;
    tacrec_pair pair;
} tacRecordPair;

typedef struct tacRecordThread {
    uint32_t machine, number;
    uint32_t task; /* task index; TAC_NONE: none yet */
    uint32_t source;
} tacRecordThread;

struct tacRecord {
    tacImport *import;
    tacStore *store; /* NULL: no rows are wanted, the recording is only looked at */
    tacDiag *diag;
    tacDiag unheard; /* takes the remarks where nobody wants them */
    tacError *err;
    tacFile file;
    uint64_t size; /* bytes that were read */
    TAC_ARRAY(tacRecordSource) sources;
    TAC_ARRAY(tacRecordMachine) machines;
    TAC_ARRAY(tacRecordSensor) sensors;
    TAC_ARRAY(tacRecordPacket) packets; /* by sensor, then by number */
    TAC_ARRAY(tacRecordLost) losses;    /* by sensor, then by sequence */
    TAC_ARRAY(tacRecordPair) pairs;     /* as read; axis.c takes them */
    TAC_ARRAY(tacRecordThread) threads;
    /* by index: the bytes of identity, of source and number, of machine and number, of boot and name */
    tacInternTable sourceKeys, sensorKeys, threadKeys, machineKeys;
    tacInternTable machineNames; /* and those that were made */
    uint64_t machinePairs;       /* bytes of the machines' pairs */
    uint64_t window;             /* bytes of scan.c's, while it reads */
    uint32_t lastMachine;        /* number in a name that was made last */
    uint32_t line;               /* number of the element at hand, for rows */
    uint64_t delivered;          /* elements so far */
    uint64_t undescribed;        /* elements of sensors or sources that nothing describes */
    uint64_t misfits;            /* packets that do not fit what is said of their sensor */
    struct tacRecordKept *kept;  /* element.c */
    /* Of meanings, made by their `begin`: */
    struct tacRecordKernel *kernel;         /* kernel.c */
    struct tacRecordVocabulary *vocabulary; /* vocabulary.c */
};

/* ---- elements ---------------------------------------------------------------------------------------------------- */

typedef struct tacRecordElement {
    tacRecordSensor *sensor;
    uint64_t number;     /* among all of the sensor, from 0 */
    int64_t time;        /* ticks of the store */
    uint32_t thread;     /* that wrote it, as the kernel numbers it; 0: not known */
    const uint8_t *data; /* sensor->said.size bytes, little-endian, at any address; valid during the call */
} tacRecordElement;

/* Elements of a sensor are missing. */
typedef struct tacRecordLoss {
    tacRecordSensor *sensor;
    uint64_t count;
    int64_t since, until; /* ticks: of the element before, of the one behind; TAC_UNKNOWN: there is none */
} tacRecordLoss;

/* Receiver of merged elements. */
typedef struct tacRecordTaker {
    bool (*wants)(void *data, const tacRecordSensor *sensor); /* only described ones are offered */
    bool (*element)(void *data, const tacRecordElement *element);
    bool (*lost)(void *data, const tacRecordLoss *loss); /* just before the element behind it; NULL: not wanted */
    void *data;
} tacRecordTaker;

/*
 * Delivers the elements of all wanted sensors, each once: first those of lasting sensors, then all others, both in the
 * order of time; those of a sensor in the order of their numbers, even if their times go back a little. Equal times:
 * by the source's own clock; then, of a KERNEL source, by processor and number (record/kernel.h); then by sensor.
 */
bool tacRecordMerge(tacRecord *r, const tacRecordTaker *taker);

/*
 * The functions that make rows of the elements of certain sensors. They are called in this order: begin, sensor (for
 * each of its sensors), element and lost (in the order of time over all meanings), finish, free.
 */
struct tacRecordMeaning {
    const char *names;                                     /* pattern of the sensors' names (base/glob.h) */
    uint32_t kind;                                         /* of the source, a tacrec_sourceKind; 0: any */
    bool (*begin)(tacRecord *r);                           /* NULL: nothing to be done, as below */
    bool (*sensor)(tacRecord *r, tacRecordSensor *sensor); /* may set sensor->meaning to NULL: it has none after all */
    bool (*element)(tacRecord *r, const tacRecordElement *element);
    bool (*lost)(tacRecord *r, const tacRecordLoss *loss);
    bool (*finish)(tacRecord *r);
    void (*free)(tacRecord *r); /* also after errors, and where nothing was begun */
    /* Reads its sensors by itself (tacRecordMerge), before all others; `element` and `lost` are not called. */
    tacStatus (*read)(tacRecord *r, tacError *err);
};

/* ---- record.c ---- */

/* Reads the catalogue of a file from its beginning, and finds the axis of time; `file` stays the caller's. Always
 * ended by tacRecordFree. */
tacStatus tacRecordOpen(tacRecord *r, tacImport *import, const tacFile *file, tacError *err);
void tacRecordFree(tacRecord *r);
/* Checks the limit of memory with all tables of the reader. */
tacStatus tacRecordRoom(tacRecord *r, tacError *err);
/* Adds to a table of the catalogue. One that has to grow is first looked at whether the limit allows that: it is there
 * twice for a moment. */
#define tacRecordPush(r, table, ...)                                                                   \
    (((table)->count < (table)->capacity || tacRecordGrow(r, (table)->capacity * sizeof *(table)->at)) \
        && tacArrayPush(table, __VA_ARGS__))
/* May a table of so many bytes grow? */
bool tacRecordGrow(tacRecord *r, uint64_t bytes);
/* Reads a file of packets into the store. */
tacStatus tacRecordReadFile(tacImport *import, const tacFile *file, tacError *err);

/* A processor of the source's machine by the kernel's number, "cpu3" of the first machine, "HOST:cpu3" of others;
 * number -1: somewhere on the machine, TAC_NO_PROCESSOR on the first, as are those for which the store has no more
 * room. False: no memory. */
bool tacRecordProcessor(tacRecord *r, const tacRecordSource *source, int32_t number, uint16_t *processor);
/*
 * The task of a thread of the source's machine: the one that was set; else the task of this id ("1234", "HOST:1234"),
 * which the kernel's part may have defined; else a new one of that id, with the program's name. TAC_NONE: no memory.
 */
uint32_t tacRecordTask(tacRecord *r, const tacRecordSource *source, uint32_t thread);
bool tacRecordSetTask(tacRecord *r, const tacRecordSource *source, uint32_t thread, uint32_t task);
/* Defines an object, unless it is. */
tacObject *tacRecordDefine(tacRecord *r, tacKind kind, uint32_t index);
bool tacRecordRow(tacRecord *r, int64_t time, tacEvent event, uint32_t subject, uint32_t object, uint16_t processor);
/* Adds an option to the row that was appended last; value TAC_NONE of a string: no memory. */
bool tacRecordOption(tacRecord *r, tacOption option, int64_t value);

/* A little-endian number of so many bytes, at any address. */
static inline uint64_t tacRecordBytes(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t) at[i] << 8 * i;
    return value;
}

/* A number in an element whose data is a `record`. */
#define TAC_RECORD_FIELD(element, record, name) \
    tacRecordBytes((element)->data + offsetof(record, name), sizeof(((record *) 0)->name))

static inline tacRecordSource *tacRecordSourceOf(tacRecord *r, const tacRecordSensor *sensor) {
    return &r->sources.at[sensor->source];
}

/* ---- vocabulary.c ---- */

/*
 * The object of this kind that a program knows by this number, made at its first mention: its id is its name, or, where
 * that is taken, the name behind the program's ("control:lock"). name: of at most TACREC_OBJECT_NAME bytes; NULL: as it
 * was named before. Works at any time. TAC_NONE: no memory.
 */
uint32_t tacRecordObject(tacRecord *r, const tacRecordSource *source, tacKind kind, uint32_t number, const char *name);
/* The meaning of the sensors tactus.*. */
bool tacRecordVocabularySensor(tacRecord *r, tacRecordSensor *sensor);
/* Is it the ready-made sensor of this name? One with other fields is not. */
bool tacRecordVocabularyIs(const tacRecordSensor *sensor, const char *name);
bool tacRecordVocabularyElement(tacRecord *r, const tacRecordElement *element);
bool tacRecordVocabularyLost(tacRecord *r, const tacRecordLoss *loss);
bool tacRecordVocabularyFinish(tacRecord *r);
void tacRecordVocabularyFree(tacRecord *r);
uint64_t tacRecordVocabularyBytes(const tacRecord *r); /* memory held */

/* ---- scan.c ---- */

/* Fills the catalogue. Damage is a remark. */
tacStatus tacRecordScan(tacRecord *r, tacError *err);
/* Makes a text of `room` bytes valid UTF-8 without control characters, cut where it is too long. */
void tacRecordClean(char *text, size_t room);

/* ---- axis.c ---- */

/* Places the clocks of all sources on one axis. */
bool tacRecordAxis(tacRecord *r);
/* A time of the source's clock in ticks of the store; false: it is none. */
bool tacRecordTime(const tacRecord *r, const tacRecordSource *source, uint64_t time, int64_t *ticks);
/* Nanoseconds of the source's CLOCK_MONOTONIC in ticks of the store; false: it is no time. */
bool tacRecordNanoseconds(const tacRecord *r, const tacRecordSource *source, uint64_t nanoseconds, int64_t *ticks);

/* ---- element.c ---- */

/* Index of a field of the sensor; -1: it has none of this name. */
int tacRecordField(const tacRecordSensor *sensor, const char *name);
/* The value of an UNSIGNED or SIGNED field, of a SIGNED one with its sign. */
uint64_t tacRecordNumber(const tacRecordElement *element, int field); /* for tests */
/* Adds the element as a kept event, "NAME: FIELD=VALUE ...". The last one is not in the store before tacRecordKeepEnd,
 * which whoever adds other rows calls. */
bool tacRecordKeep(tacRecord *r, const tacRecordElement *element);
bool tacRecordKeepLoss(tacRecord *r, const tacRecordLoss *loss);
bool tacRecordKeepEnd(tacRecord *r);
/* Writes the fields that begin at this offset or behind it, "FIELD=VALUE ...", cut to `room` bytes. Returns its length.
 */
size_t tacRecordFields(const tacRecordElement *element, uint32_t offset, char *text, size_t room);

/* ---- kernel.c: events of the kernel ---- */

typedef struct tacRecordKernel tacRecordKernel;
bool tacRecordKernelBegin(tacRecord *r);
bool tacRecordKernelSensor(tacRecord *r, tacRecordSensor *sensor);
tacStatus tacRecordKernelRead(tacRecord *r, tacError *err);
bool tacRecordKernelFinish(tacRecord *r);
void tacRecordKernelFree(tacRecord *r);
uint64_t tacRecordKernelBytes(const tacRecord *r); /* memory held */
/* Is the program's task of this number a thread of which the kernel's events tell? *index: its task in the store, which
 * has rows of its jobs; *mapped: these, and all else of it, are as a mapping has them. */
bool tacRecordKernelTask(tacRecord *r, const tacRecordSource *source, uint32_t number, uint32_t *index, bool *mapped);

#endif
