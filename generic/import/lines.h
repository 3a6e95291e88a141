/*
 * lines.h -- the lines of a source, one by one, for readers of text formats.
 *
 * A line is at most TAC_LINE_LONGEST bytes long; of a longer one the beginning is taken and the rest passed over.
 */
#ifndef TAC_IMPORT_LINES_H
#define TAC_IMPORT_LINES_H

#include "read/sink.h"
#include "read/source.h"

enum { TAC_LINE_LONGEST = 1 << 16 };

typedef struct tacLine {
    const char *at; /* without its newline; valid during the call */
    size_t length;
    uint32_t number; /* from 1; stays at UINT32_MAX */
    bool half;       /* the text ends without a newline here: the line may be cut */
} tacLine;

/* Takes a line; TAC_ERROR ends the reading. */
typedef tacStatus tacTakeLine(void *data, const tacLine *line, tacError *err);

/*
 * Gives all lines of a source to `take`. A half line at the end is not given when the source is damaged, or still being
 * written. Only report and progress of the sink are used: damage of the source is reported at the last line. Errors:
 * those of tacSourceNext and of take.
 */
tacStatus tacLinesRead(tacSource *source, const tacSink *sink, tacTakeLine *take, void *data, tacError *err);

#endif
