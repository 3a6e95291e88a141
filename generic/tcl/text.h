/*
 * text.h -- text between Tcl and the core. Tcl writes NUL and characters beyond 16 bits in a form of its own; the core
 * and all files have plain UTF-8; names of files are in the system's encoding.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TEXT_H
#define TAC_TCL_TEXT_H

#include "base/port.h"

/* A text in plain UTF-8; the caller frees it (Tcl_DStringFree). */
void tacTextFromObj(Tcl_Obj *object, Tcl_DString *text);
/* True when two values have the same text. */
bool tacSameText(Tcl_Obj *a, Tcl_Obj *b);
/* A Tcl value of plain UTF-8. */
Tcl_Obj *tacTextToObj(const char *text, size_t length);

/* The path of a file as the system takes it, which the caller frees; NULL with an error in the interpreter: a name like
 * ~user names no user. */
const char *tacPathFromObj(Tcl_Interp *interp, Tcl_Obj *file, Tcl_DString *path);

#endif
