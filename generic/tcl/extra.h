/*
 * extra.h -- commands that plugins have given to traces (tactus::open -commands): a dict of names and command prefixes.
 *
 * A prefix is called in the opening interpreter with the command's words, as data. Its result is a list of commands of
 * the trace language, each a list of words, that are read in its place. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_EXTRA_H
#define TAC_TCL_EXTRA_H

#include "trace/apply.h"

typedef struct tacExtraScript {
    Tcl_Interp *interp;
    Tcl_Obj *prefixes;  /* dict */
    const char **names; /* its keys, NULL-terminated */
    tacExtraCommands commands;
} tacExtraScript;

/* Takes the dict of prefixes; NULL or empty: there are none. TCL_ERROR: it is no dict, a prefix is bad, or a name is
 * one of the vocabulary's. */
int tacExtraScriptInit(tacExtraScript *extra, Tcl_Interp *interp, Tcl_Obj *prefixes);
const tacExtraCommands *tacExtraScriptCommands(const tacExtraScript *extra); /* NULL: none */
void tacExtraScriptFree(tacExtraScript *extra);

#endif
