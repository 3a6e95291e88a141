/*
 * writer.h -- bytes of a file being made, through a small buffer to the receiver's callback.
 *
 * A writer keeps its first failure: after it nothing is passed on, so that writers of formats have no test after each
 * call. Numbers are written in hundredths of a point, without exponent and independent of the locale: same display,
 * same bytes.
 */
#ifndef TAC_VIEW_WRITER_H
#define TAC_VIEW_WRITER_H

#include "base/error.h"

/* Takes n bytes; TAC_ERROR: they cannot be kept, and the error is set where the caller looks for it. */
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
/* A coordinate in hundredths: "12.5", "-0.25", "7". What is no number is 0, what is off any page is cut to it. */
size_t tacNumber(double value, char text[TAC_NUMBER_SIZE]); /* for tests */

#endif
