/*
 * guessCmd.h -- tactus::guessMap file ?-option value ...?: a mapping guessed from a kernel trace
 * (import/kernel/guess.h), as text; empty where the file is no kernel trace.
 */
#ifndef TAC_TCL_GUESS_CMD_H
#define TAC_TCL_GUESS_CMD_H

#include <tcl.h>

Tcl_ObjCmdProc tacGuessMapCmd, tacGuessMapRefusedCmd;

#endif
