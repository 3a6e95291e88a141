/*
 * dat.c -- a trace.dat: a worker process checks its header and reads the rest by the library; records come as pieces of
 * bytes through the worker's sink.
 *
 * The worker's command is one piece (pack.h). Its limits follow from the file's size, since all events cost the library
 * about the same: reading that takes ten times as long as the slowest sound file of this size will not end.
 */
#include "base/port.h"

#include "import/kernel/apart.h"
#include "import/kernel/dat.h"
#include "import/kernel/datLibrary.h"
#include "import/kernel/pack.h"
#include "import/stranger.h"
#include "read/worker.h"

#include <stdio.h>
#include <string.h>

enum {
    HEADER = 64,              /* bytes of the file that are checked here */
    SECONDS = 10,             /* of CPU time that any file may take, */
    BYTES_A_SECOND = 1 << 20, /* and one second more for so many bytes; a packed kilobyte has 25 events or more */
    MEMORY = 1 << 30,         /* bytes that any file may take, */
    MEMORY_BYTE = 16,         /* and so many more for each of its bytes */
    BUFFERS = 256,            /* instances beside the main one: each needs a copy of the open file */
    LONGEST_CUT = 64,         /* a file is not lengthened to more than so many times its size */
    MOST_CUT = 256,           /* processors whose data are cut off */
    SMALLEST_PAGE = 1 << 10,
    LARGEST_PAGE = 1 << 18,
    PART = 16,        /* bytes before a part of the directory: id, flags, name, size */
    PACKED = 1,       /* of the flags */
    OPTION = 14,      /* bytes of a part's last option: id 0, size 8, place */
    MOST_PARTS = 1000 /* of a directory that are followed */
};

static const char magic[] = "\x17\x08\x44"
                            "tracing";

bool tacKernelIsDat(const char *text, size_t length) {
    return length >= sizeof magic - 1 && memcmp(text, magic, sizeof magic - 1) == 0;
}

/* ---- the header -------------------------------------------------------------------------------------------------- */

static tacStatus isDamaged(tacError *err, const char *how) {
    return tacFail(err, "FORMAT DAMAGED", "this trace.dat is damaged: %s", how);
}

static tacStatus checkVersion(const char *version, tacError *err) {
    if (strcmp(version, "6") == 0 || strcmp(version, "7") == 0) return TAC_OK;
    char shown[16];
    snprintf(shown, sizeof shown, "%.15s", version);
    for (char *c = shown; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    return tacFail(err, "FORMAT VERSION", "this trace.dat has the version \"%s\"; versions 6 and 7 can be read", shown);
}

/* The first bytes of a file. */
typedef struct Header {
    unsigned char bytes[HEADER];
    size_t length;
    size_t at;      /* offset behind the last one that has been read */
    bool big;       /* numbers have their high byte first */
    bool directory; /* version 7: the file says where things are in it */
} Header;

static uint64_t numberAt(const unsigned char *bytes, int size, bool big) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number |= (uint64_t) bytes[i] << 8 * (big ? size - 1 - i : i);
    return number;
}

/* Checks magic, version with its NUL, byte order (0, 1), bytes of a long (4, 8), page size in 4 bytes:
 * trace-cmd.dat.v6(5). */
static tacStatus checkHeader(Header *header, tacError *err) {
    const unsigned char *bytes = header->bytes;
    size_t at = sizeof magic - 1, length = header->length;
    const char *version = (const char *) bytes + at;
    if (length < at || !tacKernelIsDat((const char *) bytes, length)) return isDamaged(err, "it does not begin as one");
    if (!memchr(version, '\0', length - at))
        return isDamaged(err, length < HEADER ? "it ends within its first bytes" : "its version has no end");
    if (checkVersion(version, err) != TAC_OK) return TAC_ERROR;
    at += strlen(version) + 1;
    if (length < at + 6) return isDamaged(err, "it ends within its first bytes");
    unsigned order = bytes[at], size = bytes[at + 1];
    if (order > 1) return isDamaged(err, "its byte order is unknown");
    if (size != 4 && size != 8) return isDamaged(err, "its numbers have neither 32 nor 64 bits");
    uint64_t page = numberAt(bytes + at + 2, 4, order);
    if (page < SMALLEST_PAGE || page > LARGEST_PAGE || (page & (page - 1)))
        return isDamaged(err, "its page size is impossible; perhaps its byte order is not the one it says");
    header->at = at + 6;
    header->big = order;
    header->directory = *version == '7';
    return TAC_OK;
}

static tacStatus readAt(
    tacFile *file, uint64_t place, unsigned char *bytes, size_t size, size_t *length, tacError *err) {
    *length = 0;
    if (tacFileSeek(file, place, err) != TAC_OK) return TAC_ERROR;
    for (size_t got = 1; *length < size && got > 0; *length += got)
        if (tacFileRead(file, bytes + *length, size - *length, &got, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Reads the place of the directory from the header, behind the name and the version of the packing; 0: it was never
 * written. False: the header has no place. */
static bool directoryBegin(const Header *header, uint64_t *place) {
    const unsigned char *at = header->bytes + header->at, *end = header->bytes + header->length;
    *place = 0;
    for (int names = 0; names < 2; names++) {
        const unsigned char *nul = memchr(at, '\0', (size_t) (end - at));
        if (!nul) return header->length < HEADER;
        at = nul + 1;
    }
    if (end - at >= 8) *place = numberAt(at, 8, header->big);
    return end - at >= 8 || header->length < HEADER;
}

/* Goes on to the next part of the directory, whose place is in the last option of the part; 0: it is the last part, or
 * packed. *cut: the file ends before the part does. */
static tacStatus nextPart(tacFile *file, const Header *header, uint64_t *place, bool *cut, tacError *err) {
    unsigned char part[PART], option[OPTION];
    size_t length;
    uint64_t begin = *place;
    *cut = begin > file->size || file->size - begin < PART;
    *place = 0;
    if (*cut) return TAC_OK;
    if (readAt(file, begin, part, PART, &length, err) != TAC_OK) return TAC_ERROR;
    uint64_t size = numberAt(part + 8, 8, header->big);
    *cut = size > file->size - begin - PART;
    if (*cut || length < PART || size < OPTION || numberAt(part + 2, 2, header->big) & PACKED) return TAC_OK;
    if (readAt(file, begin + PART + size - OPTION, option, OPTION, &length, err) != TAC_OK) return TAC_ERROR;
    bool last = length == OPTION && numberAt(option, 2, header->big) == 0 && numberAt(option + 2, 4, header->big) == 8;
    if (last) *place = numberAt(option + 6, 8, header->big);
    return TAC_OK;
}

/*
 * Checks the directory of a file of version 7, which says where the events are: trace-cmd.dat.v7(5). Its last part
 * stands behind the events; without it neither the library nor any other program finds them.
 */
static tacStatus checkDirectory(tacFile *file, const Header *header, tacError *err) {
    uint64_t place;
    if (!directoryBegin(header, &place)) return TAC_OK;
    bool cut = place == 0;
    for (int part = 0; place > 0 && !cut && part < MOST_PARTS; part++)
        if (nextPart(file, header, &place, &cut, err) != TAC_OK) return TAC_ERROR;
    if (!cut) return TAC_OK;
    return tacFail(err, "FORMAT DAMAGED",
        "this trace.dat is cut off, or its recording was broken off: the part at its end that tells where its events "
        "are is missing. "
        "If files trace.dat.cpu0 ... are left beside it, \"trace-cmd restore\" makes a whole one of them; if not, "
        "record again");
}

static tacStatus readHeader(tacFile *file, tacError *err) {
    Header header = {.at = 0};
    if (readAt(file, 0, header.bytes, sizeof header.bytes, &header.length, err) != TAC_OK
        || checkHeader(&header, err) != TAC_OK)
        return TAC_ERROR;
    if (header.directory && checkDirectory(file, &header, err) != TAC_OK) return TAC_ERROR;
    return tacFileSeek(file, 0, err);
}

/* ---- the worker process ------------------------------------------------------------------------------------------ */

typedef struct Reading {
    tacFile file;
    tacKernelApart apart;
    char said[TAC_WORKER_SAID]; /* messages of the library */
    tacReadOptions limits;
} Reading;

static tacStatus sendPiece(void *data, const char *bytes, size_t length, uint32_t line, tacError *err) {
    tacWorkerLine(line);
    return tacKernelSendPiece(data, bytes, length, line, err);
}

tacStatus tacDatBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    bool wants = call->count > 0;
    if (readHeader(call->file, err) != TAC_OK) return TAC_ERROR;
    tacKernelPacker *packer = tacKernelPackerNew(sendPiece, (void *) (uintptr_t) sink);
    if (!packer) return tacFailMemory(err);
    tacWorkerLine(1);
    tacDatLibraryPrepare(tacWorkerSaid());
    tacDatRequest request = {
        call->file, sink, tacKernelPack, packer, wants ? tacKernelAskWants : NULL, (void *) (uintptr_t) sink};
    tacStatus status = tacDatLibraryRead(&request, err);
    if (status == TAC_OK) status = tacKernelPackerFlush(packer, err);
    tacKernelPackerFree(packer);
    return status;
}

/* Adds the last line that the library wrote, without its name, made safe for a terminal. */
static void addWords(const Reading *r, char *text, size_t size) {
    char line[160];
    const char *said = r->said, *end = said + strlen(said);
    while (end > said && (end[-1] == '\n' || end[-1] == ' ')) end--;
    const char *begin = end;
    while (begin > said && begin[-1] != '\n') begin--;
    if (begin == end) return;
    snprintf(line, sizeof line, "%.*s", (int) (end - begin < 150 ? end - begin : 150), begin);
    for (char *c = line; *c; c++)
        if ((unsigned char) *c < ' ' || (unsigned char) *c > '~') *c = '?';
    const char *words = strncmp(line, "libtracecmd: ", 13) == 0 ? line + 13 : line;
    snprintf(text + strlen(text), size - strlen(text), "; it says: %s", words);
}

/* Turns the worker's error into that of the reading, or into a remark where records were read: these are kept. */
static tacStatus explain(const Reading *r, const tacError *why, tacError *err) {
    const char *clause = tacStrangerEnd(why);
    char text[sizeof why->message];
    if (r->apart.stopped.code[0]) return tacFail(err, r->apart.stopped.code, "%s", r->apart.stopped.message);
    bool damage = clause || strncmp(why->code, "FORMAT DAMAGED", 14) == 0;
    if (!damage) return tacFail(err, why->code, "%s", why->message);
    if (!clause) snprintf(text, sizeof text, "%s", why->message);
    else
        snprintf(text, sizeof text,
            "the library that reads trace.dat %s: the file is damaged, or the library cannot deal with it; trace-cmd "
            "report may say more",
            clause);
    addWords(r, text, sizeof text);
    if (r->apart.unpacker.records == 0) return tacFail(err, "FORMAT DAMAGED", "%s", text);
    r->apart.sink->report(r->apart.sink->data, TAC_SEVERITY_ERROR, r->apart.unpacker.line, "DAMAGE", text);
    return TAC_OK;
}

/* ---- a file that is cut off -------------------------------------------------------------------------------------- */

/* Size that the library asks for: it reads nothing of a file of version 6 whose data end too early, and tells how long
 * the file would be. 0: that is not the reason. */
static uint64_t neededSize(const Reading *r) {
    static const char words[] = "Need at least ";
    const char *at = strstr(r->said, words);
    uint64_t size = 0;
    if (!at || r->apart.unpacker.records > 0) return 0;
    for (at += sizeof words - 1; *at >= '0' && *at <= '9' && size < UINT64_MAX / 100; at++)
        size = 10 * size + (uint64_t) (*at - '0');
    return size > r->file.size && size / LONGEST_CUT <= r->file.size ? size : 0;
}

/* Copies the whole pages of the file, and adds zeros up to that size: the library takes these for pages without events.
 */
static tacStatus lengthen(Reading *r, uint64_t size, tacError *err) {
    char page[SMALLEST_PAGE * 4];
    tacFile copy;
    uint64_t left = r->file.size / sizeof page;
    if (tacFileTemporary(&copy, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacFileSeek(&r->file, 0, err);
    for (; left > 0 && status == TAC_OK; left--) {
        size_t length = 0;
        for (size_t got = 1; length < sizeof page && got > 0 && status == TAC_OK; length += got)
            status = tacFileRead(&r->file, page + length, sizeof page - length, &got, err);
        if (status == TAC_OK) status = tacFileWrite(&copy, page, length, err);
    }
    if (status == TAC_OK) status = tacFileResize(&copy, size, err);
    tacFileClose(status == TAC_OK ? &r->file : &copy);
    if (status == TAC_OK) r->file = copy;
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Runs the worker over the file; its error goes to *why. */
static tacStatus readInWorker(Reading *r, tacError *why) {
    static const tacWord wanted = {"wants", 5};
    tacErrorClear(why);
    memset(r->said, 0, sizeof r->said);
    r->limits.timeLimit = SECONDS + (double) r->file.size / BYTES_A_SECOND;
    tacWorkerJob job = {.body = "trace.dat",
        .count = r->apart.wants != NULL,
        .words = &wanted,
        .file = &r->file,
        .copies = BUFFERS,
        .said = r->said};
    r->limits.memoryLimit = r->file.size < INT64_MAX / (2 * MEMORY_BYTE) ? MEMORY + MEMORY_BYTE * (int64_t) r->file.size
                                                                         : INT64_MAX;
    return tacKernelApartRun(&r->apart, &job, &r->limits, why);
}

/* Reads the file, lengthened where it is cut off; several times, since the library notices one processor whose data are
 * cut after the other. */
static tacStatus readAll(Reading *r, tacError *err) {
    static const tacKernelThread nobody = TAC_KERNEL_NO_THREAD;
    tacError why = {"", ""};
    uint64_t had = r->file.size, size;
    tacStatus status = readInWorker(r, &why);
    for (int i = 0; status != TAC_OK && i < MOST_CUT && (size = neededSize(r)) > 0; i++) {
        if ((i ? tacFileResize(&r->file, size, err) : lengthen(r, size, err)) != TAC_OK) return TAC_ERROR;
        if (tacFileSeek(&r->file, 0, err) != TAC_OK) return TAC_ERROR;
        status = readInWorker(r, &why);
    }
    if (status != TAC_OK) return explain(r, &why, err);
    if (had == r->file.size) return TAC_OK;
    char text[160];
    snprintf(text, sizeof text, "the file is cut off: it has %llu of at least %llu bytes; their events are shown",
        (unsigned long long) had, (unsigned long long) r->file.size);
    r->apart.sink->report(r->apart.sink->data, TAC_SEVERITY_ERROR, r->apart.unpacker.line, "DAMAGE", text);
    /* a loss on each processor, since its events after its last one are not known */
    tacKernelRecord lost = {
        .event = TAC_KERNEL_LOST, .current = nobody, .thread = nobody, .other = nobody, .target = -1};
    for (; lost.processor < r->apart.processors; lost.processor++)
        if (r->apart.take(r->apart.data, &lost, r->apart.unpacker.line, err) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Adds the damage in the packing of the whole file, which may be the reason for all other errors, or the only fault. */
static tacStatus addDamage(const Reading *r, const tacError *damage, tacStatus status, tacError *err) {
    if (!damage->code[0] || (status != TAC_OK && strncmp(err->code, "FORMAT DAMAGED", 14) != 0)) return status;
    if (status != TAC_OK) {
        tacErrorClear(err);
        return tacFail(err, "FORMAT DAMAGED", "this trace.dat cannot be read: %s", damage->message);
    }
    r->apart.sink->report(
        r->apart.sink->data, TAC_SEVERITY_ERROR, r->apart.unpacker.line, damage->code, damage->message);
    return TAC_OK;
}

tacStatus tacKernelReadDat(
    tacSource *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err) {
    Reading r = {.apart = {.sink = sink, .take = take, .wants = wants, .data = data}};
    if (!tacDatLibraryAvailable() || !tacWorkerAvailable())
        return tacFail(err, "FORMAT UNSUPPORTED",
            "trace.dat cannot be read: this program was built without libtracecmd; make text of it with \"trace-cmd "
            "report -t\"");
    if (tacSourceFile(source, &r.file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacFileSeek(&r.file, 0, err);
    if (status == TAC_OK) status = readAll(&r, err);
    status = addDamage(&r, &source->damage, status, err);
    tacFileClose(&r.file);
    tacKernelUnpackerFree(&r.apart.unpacker);
    source->at = source->end;
    source->ended = true;
    return status;
}
