/*
 * init.c -- the package's entry: makes the commands of the namespace tactus.
 *
 *	tactus::open, openText, describe, version, vocabulary; everything else is in library/
 *
 * A safe interpreter gets the same commands, except that what touches files refuses: open here, export in figureCmd.c.
 */
#include <tcl.h>
#include "base/port.h"

#include "tcl/describe.h"
#include "tcl/openCmd.h"

static int versionCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 1) {
	Tcl_WrongNumArgs(interp, 1, objv, NULL);
	return TCL_ERROR;
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(TACTUS_VERSION, -1));
    return TCL_OK;
}

typedef struct Command {
    const char *name;
    Tcl_ObjCmdProc *proc, *safeProc;
} Command;

static const Command commands[] = {
    {"::tactus::describe", tacDescribeCmd, tacDescribeCmd},
    {"::tactus::open", tacOpenCmd, tacOpenRefusedCmd},
    {"::tactus::openText", tacOpenTextCmd, tacOpenTextCmd},
    {"::tactus::version", versionCmd, versionCmd},
    {"::tactus::vocabulary", tacVocabularyCmd, tacVocabularyCmd}
};

static int initialize(Tcl_Interp *interp) {
    if (!Tcl_InitStubs(interp, "8.6-", 0)) return TCL_ERROR;
    if (!Tcl_FindNamespace(interp, "::tactus", NULL, 0) && !Tcl_CreateNamespace(interp, "::tactus", NULL, NULL)) return TCL_ERROR;
    bool safe = Tcl_IsSafe(interp) != 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
	Tcl_CreateObjCommand(interp, commands[i].name, safe ? commands[i].safeProc : commands[i].proc, NULL, NULL);
    return Tcl_PkgProvide(interp, "tactus", TACTUS_VERSION);
}

TAC_EXPORT int Tactus_Init(Tcl_Interp *interp) {
    return initialize(interp);
}

/* The same: what is safe is chosen by what the interpreter is, so that a safe one gets no more by loading differently. */
TAC_EXPORT int Tactus_SafeInit(Tcl_Interp *interp) {
    return initialize(interp);
}
