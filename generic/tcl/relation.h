/*
 * relation.h -- relations as Tcl commands (::tactus::relation1 ...): $trace relation kind.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_H
#define TAC_TCL_RELATION_H

#include "tcl/dispatch.h"
#include "tcl/optionTable.h"

extern const tacOptionRow tacRelationRows[]; /* of $trace relation kind */
tacSubcommandProc tacRelationSub;
extern const tacSubcommand tacRelationSubcommands[]; /* of a relation */

#endif
