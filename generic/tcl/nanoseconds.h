/*
 * nanoseconds.h -- times of the machine's clock as words of a command. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_NANOSECONDS_H
#define TAC_TCL_NANOSECONDS_H

#include "base/port.h"

/*
 * Exact nanoseconds of a time as written, a number and a unit (ns without one); that of an option that is not given
 * (text NULL) stays as it is. Errors name the option.
 */
int tacNanosecondsOf(Tcl_Interp *interp, const char *option, const char *text, int64_t *time);

#endif
