/*
 * init.c -- the package's entry: makes the commands of the namespace tactus.
 *
 *      tactus::open, openText, guessMap, describe, drawing, save, version, vocabulary, useTk; all else is in library/
 *
 * A safe interpreter gets the same commands, but those that touch files refuse (open and save here, export in
 * figureCmd.c), and it has no widget.
 *
 * The library loads into a tclsh without Tk. Tk's stubs are asked for by tactus::useTk alone, which the package
 * tactus::tk calls (library/tk.tcl); so this file, which knows both, stands in the last stage.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/mem.h"
#include "relation/filter.h"
#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/drawing.h"
#include "tcl/hookRegistry.h"
#include "tcl/object.h"
#include "tcl/traceCmd.h"
#include "tcl/traceRecord.h"
#include "tk/ending.h"
#include "tk/picture.h"
#include "tk/timeline.h"
#include "view/maths.h"

/* Runs tactus::useTk: makes the commands of the widgets in this interpreter, which has Tk. */
static int useTkCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 1) {
        Tcl_WrongNumArgs(interp, 1, objv, NULL);
        return TCL_ERROR;
    }
    if (!Tk_InitStubs(interp, "8.6-", 0)) return TCL_ERROR;
    Tcl_CreateObjCommand(interp, "::tactus::atEnd", tacAtEndCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::picture", tacPictureCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::tactus::timeline", tacTimelineCmd, NULL, NULL);
    tacTraceBodiesInSteps();
    tacMemLargeHeap();
    return Tcl_PkgProvide(interp, "tactus::tk", TACTUS_VERSION);
}

/* Stands for a command that a safe interpreter does not have; the client data is the message. */
static int refusedCmd(ClientData message, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    return tacTclFail(interp, "SAFE", "%s", (const char *) message);
}

static int versionCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 1) {
        Tcl_WrongNumArgs(interp, 1, objv, NULL);
        return TCL_ERROR;
    }
    Tcl_SetObjResult(interp, Tcl_NewStringObj(TACTUS_VERSION, -1));
    return TCL_OK;
}

/* All commands that have subcommands, for tactus::describe. */
static const tacCommandTable tables[] = {
    {"drawing", tacDrawingSubcommands},
    {"expectation", tacExpectationSubcommands},
    {"hook", tacHookSubcommands},
    {"moment", tacMomentSubcommands},
    {"monitor", tacMonitorSubcommands},
    {"picture", tacPictureSubcommands},
    {"recorder", tacRecorderSubcommands},
    {"relation", tacRelationSubcommands},
    {"timeline", tacTimelineSubcommands},
    {"timeline marker", tacMarkerSubcommands},
    {"timeline row", tacRowSubcommands},
    {"timeline selection", tacSelectionSubcommands},
    {"trace", tacTraceSubcommands},
    {"trace finding", tacFindingSubcommands},
    {"trace look", tacLookSubcommands},
    {NULL, NULL},
};

typedef struct Command {
    const char *name;
    Tcl_ObjCmdProc *proc;
    const char *refusal; /* message in a safe interpreter; NULL: it has the command, too */
} Command;

static const Command commands[] = {
    {"::tactus::describe", tacDescribeCmd, NULL},
    {"::tactus::asked", tacAskedCmd, NULL},
    {"::tactus::drawing", tacDrawingCmd, NULL},
    {"::tactus::relation", tacListRelationCmd, NULL},
    {"::tactus::expectation", tacExpectationCmd, NULL},
    {"::tactus::guessMap", tacGuessMapCmd, "a safe interpreter cannot open files"},
    {"::tactus::hook", tacHookCmd, NULL},
    {"::tactus::logTable", tacLogTableCmd, NULL},
    {"::tactus::recognize", tacRecognizeCmd, "a safe interpreter cannot open files"},
    {"::tactus::moment", tacMomentCmd, NULL},
    {"::tactus::monitor", tacMonitorCmd, "a safe interpreter cannot look at other programs"},
    {"::tactus::object", tacObjectCmd, NULL},
    {"::tactus::open", tacOpenCmd, "a safe interpreter cannot open files; give the text to tactus::openText"},
    {"::tactus::openText", tacOpenTextCmd, NULL},
    {"::tactus::plan", tacPlanCmd, NULL},
    {"::tactus::length", tacLengthCmd, NULL},
    {"::tactus::names", tacNamesCmd, NULL},
    {"::tactus::recordFolder", tacRecordFolderCmd, "a safe interpreter cannot record"},
    {"::tactus::recorder", tacRecorderCmd, "a safe interpreter cannot record"},
    {"::tactus::relay", tacRelayCmd, "a safe interpreter cannot record"},
    {"::tactus::contents", tacContentsCmd, "a safe interpreter cannot open files"},
    {"::tactus::pieces", tacPiecesCmd, "a safe interpreter cannot open files"},
    {"::tactus::unpacked", tacUnpackedCmd, "a safe interpreter cannot open files"},
    {"::tactus::isMarked", tacIsMarkedCmd, "a safe interpreter cannot open files"},
    {"::tactus::hasAccessList", tacHasAccessListCmd, "a safe interpreter cannot open files"},
    {"::tactus::csvCell", tacCsvCellCmd, NULL},
    {"::tactus::csvSafe", tacCsvSafeCmd, "a safe interpreter cannot change how others write"},
    {"::tactus::save", tacSaveCmd, "a safe interpreter cannot write files"},
    {"::tactus::sample", tacSampleCmd, "a safe interpreter cannot open files"},
    {"::tactus::shownText", tacShownTextCmd, NULL},
    {"::tactus::format", tacFormatCmd, NULL},
    {"::tactus::sql", tacSqlCmd, NULL},
    {"::tactus::walls", tacWallsCmd, NULL},
    {"::tactus::compare", tacCompareCmd, NULL},
    {"::tactus::baseline", tacBaselineCmd, NULL},
    {"::tactus::useTk", useTkCmd, "a safe interpreter has no windows"},
    {"::tactus::version", versionCmd, NULL},
    {"::tactus::vocabulary", tacVocabularyCmd, NULL},
};

static int initialize(Tcl_Interp *interp) {
    if (!Tcl_InitStubs(interp, "8.6-", 0)) return TCL_ERROR;
    if (!Tcl_FindNamespace(interp, "::tactus", NULL, 0) && !Tcl_CreateNamespace(interp, "::tactus", NULL, NULL))
        return TCL_ERROR;
    bool safe = Tcl_IsSafe(interp) != 0;
    tacFilterShown = tacMathsPlain;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const Command *command = &commands[i];
        if (safe && command->refusal)
            Tcl_CreateObjCommand(interp, command->name, refusedCmd, (ClientData) command->refusal, NULL);
        else Tcl_CreateObjCommand(interp, command->name, command->proc, (ClientData) tables, NULL);
    }
    return Tcl_PkgProvide(interp, "tactus", TACTUS_VERSION);
}

TAC_EXPORT int Tactus_Init(Tcl_Interp *interp) { return initialize(interp); }

/* The same entry: the interpreter alone decides what it gets, so a safe one gets no more by loading differently. */
TAC_EXPORT int Tactus_SafeInit(Tcl_Interp *interp) { return initialize(interp); }
