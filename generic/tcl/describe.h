/*
 * describe.h -- the tables of the core as Tcl values, for help, manual pages and completion.
 */
#ifndef TAC_TCL_DESCRIBE_H
#define TAC_TCL_DESCRIBE_H

/*
 * tactus::vocabulary; tactus::describe topic. The client data of describe is the array of all commands with subcommands
 * (tacCommandTable, which ends with command NULL). Files that include this include <tcl.h> first.
 */
Tcl_ObjCmdProc tacVocabularyCmd, tacDescribeCmd;

#endif
