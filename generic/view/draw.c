/*
 * draw.c -- gets the table of cairo's and Pango's functions.
 */
#include "base/port.h"

#include "base/late.h"
#include "view/drawCalls.h"

const tacDrawCalls *tacDraw;

/* There in programs that are linked with the libraries, such as those of measurements. */
TAC_OPTIONAL extern const tacDrawCalls tacDrawTable;

tacStatus tacDrawNeed(tacError *err) {
    char why[TAC_LATE_TEXT];
    if (!tacDraw) tacDraw = &tacDrawTable ? &tacDrawTable : tacLate("libtactusdraw.so", "tacDrawTable", why);
    return tacDraw ? TAC_OK : tacFail(err, "LIBRARY", "%s", why);
}
