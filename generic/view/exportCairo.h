/*
 * exportCairo.h -- the formats that cairo writes; each function is a tacExportFormat.write.
 */
#ifndef TAC_VIEW_EXPORT_CAIRO_H
#define TAC_VIEW_EXPORT_CAIRO_H

#include "view/export.h"

tacStatus tacExportPdf(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);
tacStatus tacExportPs(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);
tacStatus tacExportEps(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);
tacStatus tacExportPng(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);
tacStatus tacExportPpm(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);

#endif
