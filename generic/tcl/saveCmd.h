/*
 * saveCmd.h -- tactus::save path ?-private? variable script: the script writes to the channel in the variable; the file
 * is there when it has ended well, and as it was when not.
 */
#ifndef TAC_TCL_SAVE_CMD_H
#define TAC_TCL_SAVE_CMD_H

/* Files that include this include <tcl.h> first. */
Tcl_ObjCmdProc tacSaveCmd, tacSaveRefusedCmd;

#endif
