/*
 * formats.c -- the only table of formats, and the recognition of a recording's format.
 */
#include "base/port.h"

#include "import/btf/btf.h"
#include "import/import.h"
#include "import/kernel/kernel.h"
#include "import/language.h"
#include "import/log/log.h"
#include "import/record/record.h"
#include "import/stranger.h"

#include <stdio.h>
#include <string.h>

const tacFormat tacFormats[] = {
    {"tactus", "the trace language, tactus_trace(5)", .read = tacLanguageRead, .apart = true},
    {"kernel", "text of a Linux kernel trace: the trace file of ftrace, trace-cmd report, perf script",
        tacKernelRecognize, false, tacKernelRows, sizeof(tacKernelOptions), tacKernelImportText, tacKernelGuessText,
        tacKernelUnused, false},
    {"trace.dat", "binary trace of a Linux kernel, as trace-cmd records it", tacKernelIsDat, true, tacKernelRows,
        sizeof(tacKernelOptions), tacKernelImportDat, tacKernelGuessDat, tacKernelUnused, true},
    {"tactusrec", "recording of sensors, tactus_stream(5)", tacRecordRecognize, true, tacKernelRows,
        sizeof(tacKernelOptions), tacRecordRead, tacRecordGuess, tacKernelUnused, false},
    {"tacrec", "directory of a program's sensors, libtactusrec(3)", tacRecordIsDirectory, true,
        .read = tacRecordReadDirectory},
    {"btf", "Best Trace Format (BTF) 2.1 and 2.2, text, as simulators and RTOS tracers write it", tacBtfRecognize,
        .read = tacBtfRead},
    {"log", "log in rows and columns: CSV, TSV, JSON lines, as a mapping says (tactus_log(5))", tacLogRecognize, false,
        tacKernelRows, sizeof(tacKernelOptions), tacLogRead, tacLogGuess, tacKernelUnused, false},
    {.name = NULL},
};

/* ---- recognition ------------------------------------------------------------------------------------------------- */

enum { RECOGNIZED_BY = 1 << 16 }; /* bytes at the beginning of a text that are looked at */

/* Is there a whole line that is more than a comment or a heading of one word? Words are separated by blanks or commas.
 */
static bool hasLine(const char *at, const char *end) {
    const char *newline;
    for (; (newline = memchr(at, '\n', (size_t) (end - at))); at = newline + 1)
        if (*at != '#' && (memchr(at, ' ', (size_t) (newline - at)) || memchr(at, ',', (size_t) (newline - at))))
            return true;
    return false;
}

const tacFormat *tacImportRecognize(const char *raw, size_t rawLength, const char *text, size_t length) {
    for (const tacFormat *f = tacFormats; f->name; f++)
        if (f->recognize && f->recognize(f->binary ? raw : text, f->binary ? rawLength : length)) return f;
    return NULL;
}

/* Tells the progress of an import how far its source is. */
static bool told(void *data, uint64_t bytesRead, uint64_t total) {
    tacProgress *progress = ((const tacImport *) data)->progress;
    if (progress && total) progress->total = total;
    return tacProgressStep(progress, bytesRead);
}

/* Is the first line that is no comment a command of the trace language? No other format has such a one, and a small
 * trace is read in the time that asking them takes. */
static bool isLanguage(const char *at, const char *end) {
    const char *newline;
    for (; (newline = memchr(at, '\n', (size_t) (end - at))); at = newline + 1)
        if (at < newline && *at != '#' && *at != '\r') return tacLanguageLikely(at, (size_t) (newline - at));
    return false;
}

/* Looks for the format by which the source begins, as far as that has come; NULL: none. */
static tacStatus look(tacImport *import, const tacFormat **format, tacError *err) {
    const tacSource *source = import->source;
    const char *at = source->at;
    size_t length = (size_t) (source->end - at);
    if (source->strange) return tacStrangerRecognize(import, at, length, format, &import->likely, err);
    if (isLanguage(at, source->end)) return *format = NULL, import->likely = true, TAC_OK;
    bool raw = !source->settled && source->kept.length > 0;
    *format = tacImportRecognize(raw ? source->kept.at : at, raw ? source->kept.length : length, at, length);
    import->likely = !*format && tacLanguageLikely(at, length);
    return TAC_OK;
}

/* A format is looked for when a line is there, and then, since a pipe may give them one by one, whenever there is twice
 * as much, until a line is one of the trace language. */
static tacStatus recognize(tacImport *import, const tacFormat **format, tacError *err) {
    tacSource *source = import->source;
    size_t looked = 0;
    for (;;) {
        size_t length = (size_t) (source->end - source->at);
        bool whole = source->ended || length >= RECOGNIZED_BY;
        if (whole || (length >= 2 * looked && hasLine(source->at, source->end))) {
            if (look(import, format, err) != TAC_OK) return TAC_ERROR;
            if (*format) return TAC_OK;
            if (whole || import->likely) return *format = tacFormats, TAC_OK;
            looked = length;
        }
        if (tacSourceNext(source, told, import, err) != TAC_OK) return TAC_ERROR;
    }
}

tacStatus tacImportFormat(tacImport *import, const char *name, const tacFormat **format, tacError *err) {
    char known[200] = "";
    if (!name) return recognize(import, format, err);
    for (const tacFormat *f = tacFormats; f->name; f++) {
        if (strcmp(f->name, name) == 0) return *format = f, TAC_OK;
        size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", f->name);
    }
    return tacFail(err, "LOOKUP FORMAT", "there is no format \"%.40s\"; known are %s", name, known);
}

const tacFormat *tacImportMapped(const tacImport *import, const void *records) {
    const tacFormat *format = tacFormats;
    while (format->read != tacLogRead) format++;
    const tacKernelOptions *options = records
        ? (const tacKernelOptions *) (const void *) ((const char *) records + tacFormatRecord(format))
        : NULL;
    return options && tacLogIsMapped(options, import->limits) ? format : NULL;
}

tacStatus tacImportRead(tacImport *import, const tacFormat *format, tacError *err) {
    bool apart = import->source->strange && !format->apart;
    return apart ? tacStrangerRead(import, format, err) : format->read(import, err);
}

tacStatus tacImportGuess(tacImport *import, const tacFormat *format, tacText *mapping, tacError *err) {
    if (!format->guess) return TAC_OK;
    bool apart = import->source->strange && !format->apart;
    return apart ? tacStrangerGuess(import, format, mapping, err) : format->guess(import, mapping, err);
}

/* ---- records of options ------------------------------------------------------------------------------------------ */

bool tacFormatIsFirst(const tacFormat *format) {
    const tacFormat *first = tacFormats;
    while (first->options != format->options) first++;
    return first == format;
}

/* Bytes of all records before the one of `format`; NULL: of all records. Each is aligned for any type. */
static size_t recordsBefore(const tacFormat *format) {
    const size_t step = sizeof(max_align_t);
    size_t size = 0;
    for (const tacFormat *f = tacFormats; f->name; f++) {
        if (format && f->options == format->options) return size;
        if (tacFormatIsFirst(f)) size += (f->optionsSize + step - 1) / step * step;
    }
    return size;
}

size_t tacFormatRecordsSize(void) { return recordsBefore(NULL); }

size_t tacFormatRecord(const tacFormat *format) { return recordsBefore(format); }

/* ---- sink of readers --------------------------------------------------------------------------------------------- */

static void report(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text) {
    const tacImport *import = data;
    if (import->diag) tacDiagAdd(import->diag, severity, line, kind, "%s", text);
}

tacSink tacImportSink(tacImport *import) { return (tacSink){.data = import, .report = report, .progress = told}; }
