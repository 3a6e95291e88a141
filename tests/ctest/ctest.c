/*
 * ctest.c -- the library of C parts of the unit tests: `load libtactustest.so Tactustest`.
 *
 * Every file testX.c of this directory exports `int TacTestX_Init(Tcl_Interp *)`, which creates the Tcl commands that
 * X.test calls to reach functions of the core that no script reaches otherwise. make writes <ctestList.h> from the list
 * of files, so that a new file needs no edit here.
 */
#include <tcl.h>

#include "base/port.h"

#define TAC_CTEST(part) int TacTest##part##_Init(Tcl_Interp *interp);
#include "ctestList.h"
#undef TAC_CTEST

typedef int CtestInit(Tcl_Interp *interp);

static CtestInit *const parts[] = {
#define TAC_CTEST(part) TacTest##part##_Init,
#include "ctestList.h"
#undef TAC_CTEST
    NULL};

TAC_EXPORT int Tactustest_Init(Tcl_Interp *interp) {
    if (!Tcl_InitStubs(interp, "8.6-", 0)) return TCL_ERROR;
    for (CtestInit *const *part = parts; *part; part++)
        if ((*part)(interp) != TCL_OK) return TCL_ERROR;
    return TCL_OK;
}
