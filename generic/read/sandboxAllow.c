/*
 * sandboxAllow.c -- the list of harmless Tcl commands, and the making of an interpreter that has nothing else.
 *
 * Missing on purpose: all commands that reach files, processes, channels, the network, the event loop, other
 * interpreters, libraries, the environment or the clock (the same trace must give the same events), coroutines and
 * TclOO (their internals were not made for untrusted code), and traces on variables and commands.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/sandboxParts.h"

#include <string.h>

/* Commands that a trace may use, in order of bytes. The sandbox itself provides some (flush, package, puts). */
static const char *const allowed[] = {"append", "apply", "array", "break", "catch", "concat", "continue", "dict",
    "error", "eval", "expr", "flush", "for", "foreach", "format", "global", "if", "incr", "info", "join", "lappend",
    "lassign", "lindex", "linsert", "list", "llength", "lmap", "lrange", "lrepeat", "lreplace", "lreverse", "lsearch",
    "lset", "lsort", "namespace", "package", "proc", "puts", "regexp", "regsub", "rename", "return", "scan", "set",
    "split", "string", "subst", "switch", "tailcall", "throw", "try", "unset", "uplevel", "upvar", "variable", "while"};

/* Commands of Tcl that are missing on purpose, so that a message can say so. */
static const char *const forbidden[] = {"after", "bgerror", "binary", "cd", "chan", "clock", "close", "coroutine",
    "encoding", "eof", "exec", "exit", "fblocked", "fconfigure", "fcopy", "file", "fileevent", "gets", "glob",
    "history", "interp", "load", "open", "pid", "pwd", "read", "seek", "socket", "source", "tell", "time", "trace",
    "unload", "update", "vwait", "yield", "yieldto", "zlib"};

enum { ALLOWED = sizeof allowed / sizeof *allowed, FORBIDDEN = sizeof forbidden / sizeof *forbidden };

/* Tells whether a name is in a sorted list. */
static bool isAmong(const char *const *names, size_t count, const char *name, size_t length) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        size_t own = strlen(names[middle]), shorter = own < length ? own : length;
        int order = memcmp(names[middle], name, shorter);
        if (order == 0 && own == length) return true;
        if (order < 0 || (order == 0 && own < length)) low = middle + 1;
        else high = middle;
    }
    return false;
}

bool tacAllowed(const char *name, size_t length) { return isAmong(allowed, ALLOWED, name, length); }

bool tacForbidden(const char *name, size_t length) { return isAmong(forbidden, FORBIDDEN, name, length); }

/*
 * The script that deletes the rest, run in the interpreter itself: it only uses commands that stay. $allowed is the
 * list above. Commands of ::tcl::info have a list of their own, since some tell about the machine or the program. max
 * and min of expr are the only useful things that Tcl gets from its script library, which is not read.
 */
static const char strip[] = "apply {allowed {\n"
                            "    set spaces {:: ::tcl ::tcl::array ::tcl::dict ::tcl::string ::tcl::namespace "
                            "::tcl::mathfunc ::tcl::mathop ::tcl::info}\n"
                            "    set info {args body cmdcount commands complete default errorstack exists frame "
                            "functions globals level locals\n"
                            "   patchlevel procs tclversion vars}\n"
                            "    set todo ::\n"
                            "    while {[llength $todo]} {\n"
                            "   set todo [lassign $todo space]\n"
                            "   lappend todo {*}[namespace children $space]\n"
                            "   if {$space ni $spaces} {lappend gone $space}\n"
                            "    }\n"
                            "    foreach space $gone {if {[namespace exists $space]} {namespace delete $space}}\n"
                            "    foreach command [info commands ::*] {\n"
                            "   set name [string range $command 2 end]\n"
                            "   if {$name ni $allowed} {lappend commands $command}\n"
                            "    }\n"
                            "    lappend commands {*}[info commands ::tcl::*]\n"
                            "    foreach command [info commands ::tcl::info::*] {\n"
                            "   set name [namespace tail $command]\n"
                            "   if {$name in $info} {dict set map $name $command} else {lappend commands $command}\n"
                            "    }\n"
                            "    namespace ensemble configure ::info -map $map\n"
                            "    foreach command $commands {rename $command {}}\n"
                            "    foreach name [info globals] {\n"
                            "   if {$name ni {errorInfo errorCode tcl_version tcl_patchLevel tcl_precision}} {unset "
                            "-nocomplain ::$name}\n"
                            "    }\n"
                            "    proc ::tcl::mathfunc::max {most args} {\n"
                            "   foreach value $args {if {+$value > +$most} {set most $value}}\n"
                            "   expr {+$most}\n"
                            "    }\n"
                            "    proc ::tcl::mathfunc::min {least args} {\n"
                            "   foreach value $args {if {+$value < +$least} {set least $value}}\n"
                            "   expr {+$least}\n"
                            "    }\n"
                            "    set ::argv {}\n"
                            "    set ::argc 0\n"
                            "    set ::argv0 trace\n"
                            "    expr {srand(1)}\n"
                            "}}";

/* Fails with the interpreter's result. */
static tacStatus cannot(Tcl_Interp *interp, tacError *err) {
    return tacFail(
        err, "SCRIPT SANDBOX", "cannot prepare the interpreter for the trace: %s", Tcl_GetStringResult(interp));
}

/*
 * Makes the interpreter safe: it may not change what all interpreters share (tcl_precision). Its unsafe commands are
 * only hidden then, so they are brought back to be deleted.
 */
static tacStatus makeSafe(Tcl_Interp *interp, tacError *err) {
    int count;
    Tcl_Obj **names;
    if (Tcl_MakeSafe(interp) != TCL_OK || Tcl_Eval(interp, "interp hidden {}") != TCL_OK) return cannot(interp, err);
    Tcl_Obj *hidden = Tcl_GetObjResult(interp);
    Tcl_IncrRefCount(hidden);
    tacStatus status = Tcl_ListObjGetElements(interp, hidden, &count, &names) == TCL_OK ? TAC_OK : cannot(interp, err);
    for (int i = 0; i < count && status == TAC_OK; i++)
        if (Tcl_ExposeCommand(interp, Tcl_GetString(names[i]), Tcl_GetString(names[i])) != TCL_OK)
            status = cannot(interp, err);
    Tcl_DecrRefCount(hidden);
    return status;
}

tacStatus tacAllowOnly(Tcl_Interp *interp, tacError *err) {
    if (makeSafe(interp, err) != TAC_OK) return TAC_ERROR;
    Tcl_Obj *names = Tcl_NewListObj(0, NULL);
    for (size_t i = 0; i < ALLOWED; i++) Tcl_ListObjAppendElement(NULL, names, Tcl_NewStringObj(allowed[i], -1));
    Tcl_Obj *script = Tcl_NewStringObj(strip, -1);
    Tcl_ListObjAppendElement(NULL, script, names);
    Tcl_IncrRefCount(script);
    int code = Tcl_EvalObjEx(interp, script, TCL_EVAL_GLOBAL | TCL_EVAL_DIRECT);
    Tcl_DecrRefCount(script);
    if (code != TCL_OK) return cannot(interp, err);
    Tcl_ResetResult(interp);
    return TAC_OK;
}
