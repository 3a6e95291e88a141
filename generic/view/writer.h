/*
 * writer.h -- the bytes of a file, through a small buffer to the receiver's callback.
 *
 * A writer keeps its first failure and passes nothing on after it, so that writers of formats need no test after each
 * call. Numbers are written in hundredths of a point, without exponent and independent of the locale: same display,
 * same bytes.
 */
#ifndef TAC_VIEW_WRITER_H
#define TAC_VIEW_WRITER_H

#include "base/error.h"

/* Takes n bytes; TAC_ERROR: it cannot, and has set the error of the export. */
typedef tacStatus tacOut(void *data, const void *bytes, size_t n);

typedef struct tacWriter {
    tacOut *out;
    void *data;       /* first argument of out */
    tacStatus status; /* of out so far */
    size_t used;      /* bytes in buffer */
    char buffer[8192];
} tacWriter;

void tacWriterInit(tacWriter *writer, tacOut *out, void *data);
void tacWriterBytes(tacWriter *writer, const void *bytes, size_t n);
void tacWriterString(tacWriter *writer, const char *string);
/* Formats: %s string, %n number (a double), %c colour (uint32_t 0xRRGGBB as RRGGBB), %u unsigned, %% per cent. */
void tacWriterPut(tacWriter *writer, const char *format, ...);
tacStatus tacWriterEnd(tacWriter *writer); /* passes on what is left; the writer's status */

enum { TAC_NUMBER_SIZE = 24 };
/* Writes a coordinate in hundredths ("12.5", "-0.25", "7") and returns its length. NaN becomes 0, and numbers stay
 * within 10^7. */
size_t tacNumber(double value, char text[TAC_NUMBER_SIZE]); /* for tests */

#endif
