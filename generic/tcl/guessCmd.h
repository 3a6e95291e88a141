/*
 * guessCmd.h -- tactus::guessMap file ?-option value ...?: a mapping guessed from a kernel trace (import/kernel/guess.h), as text; empty
 * where the file is no kernel trace.
 */
#ifndef TAC_GUESSCMD_H
#define TAC_GUESSCMD_H

#include <tcl.h>

Tcl_ObjCmdProc tacGuessMapCmd, tacGuessMapRefusedCmd;

#endif
