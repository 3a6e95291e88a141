/*
 * scxml.h -- models of Trace Compass's XAF: state charts (SCXML) whose transitions have constraints.
 *
 *      <initial> <transition event="tracekit:begin" target="work"/> </initial>
 *      <state id="work">
 *          <onentry> <assign location="deadline/d" expr="0"/> </onentry>
 *          <transition event="tracekit:end|cpu=1" target="done" cond="deadline/d &lt;= 45ms; preempt/p == 0"/>
 *      </state>
 *
 *   text --expat--> states and transitions --> statements of a model
 *
 * tactus_model(n), STATE CHARTS, describes what is read. What XAF passes over with a warning is refused here.
 */
#ifndef TAC_JUDGE_SCXML_H
#define TAC_JUDGE_SCXML_H

#include "judge/file.h"

/* Is it XML whose first element is `scxml`? Told by the text's beginning. */
bool tacIsScxml(const char *text, size_t length);
/* Gives the statements of the model of this name to `take`. TAC_ERROR: "EXPECT SCXML", whose message begins with
 * "line N: "; MEMORY; what `take` says. */
tacStatus tacScxmlStatements(
    const char *text, size_t length, const tacWord *name, tacStatementTaker *take, void *data, tacError *err);

#endif
