/*
 * drawTable.c -- the table of cairo's and Pango's functions: in libtactusdraw.so, not in libtactus.so.
 */
#include "base/port.h"

#define TAC_DRAW_TABLE
#include "view/drawCalls.h"

#define TAC_CALL(name) .name = name,
TAC_EXPORT const tacDrawCalls tacDrawTable = {TAC_CAIRO_CALLS(TAC_CALL) TAC_PANGO_CALLS(TAC_CALL)};
