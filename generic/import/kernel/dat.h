/*
 * dat.h -- trace.dat, the binary recordings of trace-cmd, to the records of record.h.
 *
 *      file -> | header checked -> libtracecmd -> records -> packed |  -> unpacked -> taken
 *              |----------------- a process apart ------------------|
 *
 * The library was written for files of one's own and trusts them: a wrong one crashes it, or keeps it busy for ever. So
 * it runs in a worker process (worker.h), which may neither open files nor use more time and memory than the file's
 * size explains. Records that it delivered before its end are kept.
 */
#ifndef TAC_IMPORT_KERNEL_DAT_H
#define TAC_IMPORT_KERNEL_DAT_H

#include "import/kernel/record.h"
#include "read/worker.h"

/* Do these first bytes belong to a trace.dat, of whatever version? */
bool tacKernelIsDat(const char *text, size_t length);

/*
 * Is the text of this event wanted? known: record.h has a kind for it. Asked once for each kind of event but marks and
 * system calls.
 */
typedef bool tacKernelWants(void *data, tacKernelText name, bool known);

/*
 * Reads all buffers of a trace.dat (versions 6 and 7), their processors merged by time. The source stands at the
 * beginning of the file. `line` of a record is the line in which `trace-cmd report` prints it. Events without a kind of
 * their own come as TAC_KERNEL_OTHER where wants says so (NULL: never); an event that is not wanted costs next to
 * nothing. A known one that is wanted comes twice, first as TAC_KERNEL_OTHER. Of the sink only `report` and `progress`
 * are used.
 *
 * TAC_OK: read to the end, or as far as possible, which is then reported as an error DAMAGE. Errors: those of the
 * source and of `take`, CANCELLED, MEMORY, and when nothing could be read:
 *   FORMAT DAMAGED      it is cut off, or does not go on as its first bytes say
 *   FORMAT VERSION      an unknown version
 *   FORMAT UNSUPPORTED  the program was built without libtracecmd, or the library cannot unpack it
 */
tacStatus tacKernelReadDat(
    tacSource *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err);

/* "trace.dat": reads the file in a worker process; with an argument it asks by queries which events are wanted. */
extern tacWorkerBody tacDatBody;

#endif
