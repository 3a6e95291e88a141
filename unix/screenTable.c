/*
 * screenTable.c -- the table of X's functions: in libtactusdraw.so, not in libtactus.so.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#define TAC_SCREEN_TABLE
#include "screenCalls.h"

#define TAC_X_CALL(name) .name = name,
TAC_EXPORT const tacScreenCalls tacScreenTable = {TAC_X_CALLS(TAC_X_CALL)};
