/*
 * tikz.h -- a display list as TikZ source; a tacExportFormat.write.
 */
#ifndef TAC_VIEW_TIKZ_H
#define TAC_VIEW_TIKZ_H

#include "view/export.h"

tacStatus tacExportTikz(const tacDisplay *display, double resolution, tacOut *out, void *data, tacError *err);

#endif
