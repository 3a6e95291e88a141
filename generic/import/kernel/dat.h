/*
 * dat.h -- trace.dat, the binary recordings of trace-cmd, to the records of record.h.
 *
 *      file -> header checked here -> | libtracecmd -> records -> packed |  -> unpacked -> taken
 *                                     |------- a process apart ----------|
 *
 * The library was written for files of one's own and believes what they say: a wrong one crashes it, or keeps it busy
 * for ever. So it runs in a worker process (worker.h), which may neither open files nor use more time and memory than
 * the file's size explains. What it had delivered when it ended is kept.
 */
#ifndef TAC_IMPORT_KERNEL_DAT_H
#define TAC_IMPORT_KERNEL_DAT_H

#include "import/kernel/record.h"

/* Do these first bytes belong to a trace.dat, of whatever version? */
bool tacKernelIsDat(const char *text, size_t length);

/*
 * Is the text wanted of this event, one of those that record.h has no kind for? Asked once for each kind of event, in
 * the worker process, on its copy of `data`: it cannot change anything here.
 */
typedef bool tacKernelWants(void *data, tacKernelText name);

/*
 * Reads all buffers of a trace.dat (versions 6 and 7), their processors merged by time. The source stands at the
 * beginning of the file. `line` of a record is the line in which `trace-cmd report` prints it. Events without a kind of
 * their own come as TAC_KERNEL_OTHER where wants says so (NULL: never); an event that is not wanted costs next to
 * nothing. Of the sink only `report` and `progress` are used.
 *
 * TAC_OK: read to the end, or as far as it could be, which is reported then as an error DAMAGE. Errors: those of the
 * source and of `take`, CANCELLED, MEMORY, and when nothing could be read:
 *   FORMAT DAMAGED      it is cut off, or not what its first bytes say
 *   FORMAT VERSION      a version that is not known
 *   FORMAT UNSUPPORTED  the program was built without libtracecmd, or the library cannot unpack it
 */
tacStatus tacKernelReadDat(
    tacSource *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err);

#endif
