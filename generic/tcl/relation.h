/*
 * relation.h -- relations as Tcl commands (::tactus::relation1 ...): $trace relation kind,
 * tactus::relation columns rows.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_H
#define TAC_TCL_RELATION_H

#include "tcl/dispatch.h"

tacSubcommandProc tacRelationSub;
Tcl_ObjCmdProc tacListRelationCmd;                   /* tactus::relation columns rows */
extern const tacSubcommand tacRelationSubcommands[]; /* of a relation */

#endif
