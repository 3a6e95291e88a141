/*
 * export.h -- a display list to a file. Formats are a table: pdf ps eps svg png ppm tex; same display, same bytes.
 */
#ifndef TAC_VIEW_EXPORT_H
#define TAC_VIEW_EXPORT_H

#include "view/display.h"
#include "view/writer.h"

typedef struct tacExportFormat {
    const char *name;       /* "pdf" */
    const char *extensions; /* ".pdf" ".ps" ... blank-separated */
    const char *help;
    tacStatus (*write)(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);
} tacExportFormat;

extern const tacExportFormat tacExportFormats[]; /* ends with name NULL */

/* By name, or by the file name's extension when name is NULL; NULL: none such. */
const tacExportFormat *tacExportFind(const char *name, const char *file);
/*
 * Writes to a file ("-": standard output); a file is written beside and renamed, so that a failure leaves the old one.
 * resolution: dpi of PNG and PPM, 0: 144.
 */
tacStatus tacExportFile(
    const tacDisplay *display, const tacExportFormat *format, double resolution, const char *file, tacError *err);

/* Measuring text by Pango for layout (view/text.c). Release with tacMeasureFree. */
tacStatus tacMeasurePango(const char *family, tacMeasure *measure, tacError *err);
void tacMeasureFree(tacMeasure *measure);

#endif
