/*
 * sandboxAllow.h -- which Tcl commands a trace may use. What is not on the list is deleted from the interpreter, not
 * hidden.
 */
#ifndef TAC_READ_SANDBOX_ALLOW_H
#define TAC_READ_SANDBOX_ALLOW_H

#include <tcl.h>

#include "base/error.h"

/* Is this the name of a Tcl command that a trace may use; of one that it may not? */
bool tacAllowed(const char *name, size_t length);
bool tacForbidden(const char *name, size_t length);

/* Leaves of a new interpreter only what is on the list: commands, ensembles' parts, namespaces and variables. */
tacStatus tacAllowOnly(Tcl_Interp *interp, tacError *err);

#endif
