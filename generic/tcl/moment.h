/*
 * moment.h -- the state of everything at one time, as a Tcl dict. Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_MOMENT_H
#define TAC_TCL_MOMENT_H

#include "model/model.h"

/*
 * ?kind ?id ...??: without words all kinds (jobs, tasks, servers ...), each a dict of its objects by id; with a kind
 * only its dict, with ids only theirs. The dict is the result.
 */
int tacMoment(Tcl_Interp *interp, const tacModel *model, int64_t time, int objc, Tcl_Obj *const objv[]);

#endif
