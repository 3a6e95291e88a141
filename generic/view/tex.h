/*
 * tex.h -- a name of a trace as LaTeX source.
 *
 * Names come from strangers, so no part of them may act as a command: all special characters are escaped, ligatures
 * broken, Greek letters, sub- and superscripts and common signs are written as maths. Only maths in dollars, "$\tau_1$"
 * or "Job $J_{1,2}$", passes through as it is, if it is complete and uses only letters, digits, signs, sub- and
 * superscripts and the commands of a table; otherwise its dollars are shown.
 */
#ifndef TAC_VIEW_TEX_H
#define TAC_VIEW_TEX_H

#include "base/mem.h"

/* Adds the text, clean UTF-8 (tacUtf8Clean). Characters unknown to some LaTeX become \tactusunicode{character}{hex}. */
void tacTexText(const char *text, size_t length, tacText *out);

#endif
