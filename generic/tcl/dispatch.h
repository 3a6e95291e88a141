/*
 * dispatch.h -- commands with subcommands: a table of names, arities, handlers and help, and its one runner; errors,
 * and calls of scripts.
 *
 * A subcommand may have subcommands itself ($trace finding add ...): its handler runs the table of the next word.
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_DISPATCH_H
#define TAC_TCL_DISPATCH_H

#include "base/error.h"

typedef int tacSubcommandProc(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

typedef struct tacSubcommand {
    const char *name;
    tacSubcommandProc *proc; /* gets all words of the command */
    int least, most;         /* arguments after the subcommand; most -1: any number */
    const char *usage; /* these arguments, for the message "wrong # args"; NULL: there are none, or only options */
    const char *help;  /* a clause without period */
} tacSubcommand;

/* Runs the row that objv[1] names; a unique abbreviation will do. The table ends with name NULL. */
int tacDispatch(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], const tacSubcommand *table);
/* Runs the row that objv[at] names, a word that messages call `what`: "subcommand", "kind" ... */
int tacDispatchAt(void *data, Tcl_Interp *interp, int at, const char *what, int objc, Tcl_Obj *const objv[],
    const tacSubcommand *table);

/* A command and its table, for tactus::describe. */
typedef struct tacCommandTable {
    const char *command; /* "trace", "trace look" ... */
    const tacSubcommand *subcommands;
} tacCommandTable;

/* Leaves the core's error in the interpreter: its message, errorCode {TACTUS code...}. Returns TCL_ERROR. */
int tacErrorToTcl(Tcl_Interp *interp, const tacError *error);
/* Leaves an error of the Tcl side in the interpreter in the same way. */
int tacTclFail(Tcl_Interp *interp, const char *code, const char *format, ...) TAC_PRINTF(3, 4);

/* Leaves the error that there is not enough memory. */
int tacTclMemory(Tcl_Interp *interp);
/* True when the errorCode of the error in the interpreter begins with this text. */
bool tacTclFailedWith(Tcl_Interp *interp, const char *code);

/* Calls a command prefix with one more word, at the global level. Returns Tcl's code. */
int tacTclCall(Tcl_Interp *interp, Tcl_Obj *prefix, Tcl_Obj *word);

int64_t tacMicroseconds(void); /* of the clock, for measuring */

/* A free name for a command: <prefix>1, <prefix>2 ...; no number is used twice in an interpreter. */
void tacNewCommandName(Tcl_Interp *interp, const char *prefix, char name[40]);

#endif
