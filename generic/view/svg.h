/*
 * svg.h -- a display list as SVG 1.1; a tacExportFormat.write.
 */
#ifndef TAC_VIEW_SVG_H
#define TAC_VIEW_SVG_H

#include "view/export.h"

tacStatus tacExportSvg(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);

#endif
