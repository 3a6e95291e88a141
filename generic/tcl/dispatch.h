/*
 * dispatch.h -- how a Tcl command of the package with subcommands runs: by a table of names, limits and handlers.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_DISPATCH_H
#define TAC_TCL_DISPATCH_H

#include "base/error.h"

typedef int tacSubcommandProc(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

typedef struct tacSubcommand {
    const char *name;
    tacSubcommandProc *proc; /* gets all words; objv[2] is the first argument */
    int least, most;         /* arguments after the subcommand; most -1: any number */
    const char *usage;       /* these arguments, for the message "wrong # args"; may be NULL */
} tacSubcommand;

/* Finds objv[1] (a unique abbreviation will do) in the table, which ends with name NULL, and runs it. */
int tacDispatch(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const tacSubcommand *table);

/* Leaves the core's error in the interpreter: its message, errorCode {TACTUS code...}. Returns TCL_ERROR. */
int tacErrorToTcl(Tcl_Interp *interp, const tacError *error);
/* The same for an error of the Tcl side. */
int tacTclFail(Tcl_Interp *interp, const char *code, const char *format, ...) TAC_PRINTF(3, 4);

/* The first free of <prefix>1, <prefix>2 ... as a command's name; numbers are not used again within an interpreter. */
void tacNewCommandName(Tcl_Interp *interp, const char *prefix, char name[40]);

#endif
