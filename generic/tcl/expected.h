/*
 * expected.h -- what is expected of a trace, judged while it is opened (tactus::open -expect).
 *
 *   lists of statements --> judges --consumers--> the replay of the opening; $trace judge asks for what they found
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_EXPECTED_H
#define TAC_TCL_EXPECTED_H

#include "judge/judge.h"

typedef struct tacExpected tacExpected;
/* Makes a judge for each of the lists of {place words}. NULL: an error, USAGE or MEMORY. */
tacExpected *tacExpectedNew(Tcl_Interp *interp, Tcl_Obj *lists);
void tacExpectedFree(tacExpected *expected); /* NULL is fine */
/* Consumers of those that have models, *count of them; they are valid as long as `expected`. */
const tacConsumer *tacExpectedConsumers(const tacExpected *expected, int *count);
/* The judge of this list; NULL: there is none that has followed the opening. expected may be NULL. */
tacJudge *tacExpectedFind(const tacExpected *expected, Tcl_Obj *list);

#endif
