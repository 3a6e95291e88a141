/*
 * wire.h -- the records that a worker process and its parent send, and their layout in the stream.
 *
 *   header | lengths of the words (uint32_t each) | bytes of the words, one after the other | up to 3 bytes of padding
 *
 * W1  A record is a multiple of 4 bytes, so records and their lengths are aligned in both buffers.
 * W2  Only whole records are committed to a batch: what a dying child leaves in it never ends within a record.
 * W3  The parent trusts nothing in a record: sizes that do not fit together end the stream as damaged.
 */
#ifndef TAC_UNIX_WIRE_H
#define TAC_UNIX_WIRE_H

#include "base/mem.h"
#include "read/sink.h"

typedef enum tacWireKind {
    TAC_WIRE_START,    /* from the parent, first of all: a tacWireStart and the words that it counts */
    TAC_WIRE_COMMAND,  /* words; flag 1: the child waits for an answer */
    TAC_WIRE_QUERY,    /* words; flag 1: the result is wanted; the child waits for an answer */
    TAC_WIRE_BODY,     /* words of a command; does it end with a body? the child waits for an answer: OK, yes */
    TAC_WIRE_TEXT,     /* the child wants more text, and waits for an answer: none, the end */
    TAC_WIRE_REPORT,   /* words: kind, text; flag: severity */
    TAC_WIRE_PROGRESS, /* words: 2 uint64_t, bytes read and total */
    TAC_WIRE_DONE,     /* words: a tacError; flag: status; line 1: the child waits for events now */
    TAC_WIRE_HANDLED,  /* a batch of events has been handled */
    TAC_WIRE_EVENT,    /* from the parent: position and list (2 uint32_t), time, name, the event's words */
    TAC_WIRE_KINDS
} tacWireKind;

typedef struct tacWireHeader {
    uint32_t size; /* of the whole record, bytes */
    uint16_t kind, flag;
    uint32_t line;  /* of the trace */
    uint32_t count; /* words */
} tacWireHeader;

enum {
    TAC_WIRE_BATCH = 1 << 18,   /* bytes a batch collects before it is sent */
    TAC_WIRE_LARGEST = 64 << 20 /* bytes of the largest record: more than a command may have */
};

/*
 * Records that the child collects, in memory that its parent sees: however the child ends, the parent has received the
 * bytes of the stream up to some place, and finds those that follow here (tacWireRest). Places count from the stream's
 * beginning.
 */
typedef struct tacWireBatch {
    volatile uint64_t begin; /* place of at[0] */
    volatile uint64_t end;   /* behind the last whole record (W2) */
    char at[TAC_WIRE_BATCH];
} tacWireBatch;

/* Bytes that a record of these words takes, without padding; 0: too many. */
size_t tacWireSize(const tacWord *words, size_t count);
/* Adds a record that is not too large; sends the batch when it is full. false: the parent has closed the stream. */
bool tacWirePut(
    tacWireBatch *batch, int fd, tacWireKind kind, uint16_t flag, uint32_t line, const tacWord *words, size_t count);
bool tacWireFlush(tacWireBatch *batch, int fd);

/* Adds a record to a text of any size, as which the parent makes a batch of events. */
void tacWireAppend(tacText *batch, tacWireKind kind, uint32_t line, const tacWord *words, size_t count);

/* A record in the parent; words point into the reader's buffer and are valid until the next tacWireFill. */
typedef struct tacWireRecord {
    tacWireKind kind;
    uint16_t flag;
    uint32_t line;
    const tacWord *words;
    int count;
} tacWireRecord;

typedef enum tacWireNext { TAC_WIRE_NONE, TAC_WIRE_RECORD, TAC_WIRE_DAMAGED, TAC_WIRE_NO_MEMORY } tacWireNext;

/* Bytes that the parent has received. */
typedef struct tacWireReader {
    char *at;
    size_t begin, end, capacity; /* bytes not yet taken: at[begin .. end) */
    uint64_t received;           /* bytes of the stream so far */
    TAC_ARRAY(tacWord) words;    /* of the record taken last */
    int fd;
} tacWireReader;

/* Waits for bytes and receives all there are. > 0: bytes; 0: end of the stream; < 0: errno, ENOMEM among others. */
long tacWireFill(tacWireReader *reader);
/* Adds what a child that has ended left in its batch. false: no memory. */
bool tacWireRest(tacWireReader *reader, const tacWireBatch *batch);
/* Takes the next record, if it is there as a whole. */
tacWireNext tacWireTake(tacWireReader *reader, tacWireRecord *record);
/* The first words of the next record, at most so many; 0: it is not there as a whole, or no command. */
int tacWirePeek(const tacWireReader *reader, tacWord *words, int most);
void tacWireReaderFree(tacWireReader *reader);

/*
 * What a child begins with. The words after it are the body's name, its arguments, the variables that a script finds
 * (read/reader.h), and the names of all commands.
 */
typedef struct tacWireStart {
    double timeLimit;
    int64_t commandLimit, memoryLimit;
    uint64_t fileSize;
    uint64_t textSize; /* bytes of text that may come, at least roughly; 0: unknown */
    int32_t arguments, variables, names;
    int32_t copies;
    uint8_t scriptOnly, growing, tellCut, handlers, progress, bodies, hasFile, fileRegular; /* 0 or 1 */
} tacWireStart;

/* A batch of events begins with its length in bytes; 0: there are no more. */
typedef uint32_t tacWireLength;

/* The parent's answer to a command, query or wish, followed by `length` bytes of result. */
typedef struct tacWireAnswer {
    uint32_t status, length;
    tacError err;
} tacWireAnswer;

/* Receives so many bytes, whatever signals come. false: the stream has ended. */
bool tacWireReceive(int fd, void *bytes, size_t length);

#endif
