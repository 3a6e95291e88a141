/*
 * relation.h -- relations as Tcl commands (::tactus::relation1 ...): $trace relation kind,
 * tactus::relation columns rows.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_H
#define TAC_TCL_RELATION_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

extern const tacOptionRow tacRelationRows[]; /* of $trace relation kind */
tacSubcommandProc tacRelationSub;
extern const tacOptionRow tacListRelationRows[]; /* of tactus::relation */
int tacListRelationCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
extern const tacSubcommand tacRelationSubcommands[]; /* of a relation */

#endif
