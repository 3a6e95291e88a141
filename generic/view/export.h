/*
 * export.h -- a display list to a file, in one of the formats of a table; same display, same bytes.
 */
#ifndef TAC_VIEW_EXPORT_H
#define TAC_VIEW_EXPORT_H

#include "view/display.h"
#include "view/writer.h"

/* Writes a display to `out`. resolution: pixels an inch, for pictures of pixels; 0: 144. */
typedef tacStatus tacExportWrite(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);

typedef struct tacExportFormat {
    const char *name;       /* "pdf" */
    const char *extensions; /* ".pdf" ".ps" ... blank-separated */
    const char *help;
    tacExportWrite *write;
    bool paged; /* a file can have several pages: display->next */
} tacExportFormat;

extern const tacExportFormat tacExportFormats[]; /* ends with name NULL */

/* The format of this name or, with name NULL, of the file name's extension; NULL: there is none. */
const tacExportFormat *tacExportFind(const char *name, const char *file);
/* Writes to a file ("-": standard output). A new file is made beside it and renamed, so that a failure leaves the old
 * one. */
tacStatus tacExportFile(
    const tacDisplay *display, const tacExportFormat *format, double resolution, const char *file, tacError *err);

/* ---- the writers of the formats: for the table alone ---- */

tacExportWrite tacExportPdf, tacExportPs, tacExportEps, tacExportPng, tacExportPpm; /* exportCairo.c */
tacExportWrite tacExportSvg;                                                        /* svg.c */
tacExportWrite tacExportTikz;                                                       /* tikz.c */

#endif
