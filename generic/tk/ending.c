/*
 * ending.c -- tactus::atEnd: a Tcl command prefix is called when the program is to end, so that it can save what would
 * be lost.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tk/ending.h"

/* Global, since a process ends once. */
static Tcl_Interp *told; /* the interpreter of the prefix; NULL: there is none */
static Tcl_Obj *prefix;

static void tell(const char *how) {
    if (!told) return;
    Tcl_Interp *interp = told;
    Tcl_Preserve(interp);
    int code = tacTclCall(interp, prefix, Tcl_NewStringObj(how, -1));
    if (code != TCL_OK) Tcl_BackgroundException(interp, code);
    Tcl_Release(interp);
}

static void forget(ClientData data, Tcl_Interp *interp) {
    (void) data;
    if (interp != told) return;
    tacReplace(&prefix, NULL);
    told = NULL;
}

/* When another program has destroyed a window, Tk and what it draws with ask things of it until Tk knows. Errors of
 * such requests end a program at once, and mean nothing: the window ends as if a script had destroyed it. */
static void bearErrors(Tk_Window window) {
    enum { ANY = -1 };
    static Display *borne;
    if (!window || Tk_Display(window) == borne) return;
    borne = Tk_Display(window);
    Tk_CreateErrorHandler(borne, ANY, ANY, ANY, NULL, NULL);
}

int tacAtEndCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    if (objc != 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "prefix");
        return TCL_ERROR;
    }
    tacReplace(&prefix, objv[1]);
    if (told != interp) Tcl_CallWhenDeleted(interp, forget, NULL);
    told = interp;
    tacEndingWatch(tell);
    bearErrors(Tk_MainWindow(interp));
    return TCL_OK;
}
