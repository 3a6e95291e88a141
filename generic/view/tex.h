/*
 * tex.h -- a name of a trace as LaTeX source.
 *
 * Names come from strangers, so no part of them may act as a command: all special characters are escaped, ligatures
 * broken, Greek letters, Unicode's sub- and superscripts and common signs are written as maths. Mathematics
 * (view/maths.h),
 * "$\tau_1$" or "Job $J_{1,2}$" or x_1, passes through, read by a grammar that knows only what is harmless.
 */
#ifndef TAC_VIEW_TEX_H
#define TAC_VIEW_TEX_H

#include "base/mem.h"

/* Adds the text, clean UTF-8 (tacUtf8Clean). Characters unknown to some LaTeX become \tactusunicode{character}{hex}. */
void tacTexText(const char *text, size_t length, tacText *out);

#endif
