/*
 * taskRules.h -- the rules of a mapping for tasks (tactus_map(5)), in recordings of any format: names, periods,
 * deadlines, priorities, groups, processors.
 *
 * The kernel's formats apply them while they make tasks of threads. In all others the tasks are there when the
 * recording has been read; then the first rule that fits a task's name, or else its id, completes its definition.
 */
#ifndef TAC_IMPORT_TASK_RULES_H
#define TAC_IMPORT_TASK_RULES_H

#include "import/import.h"

/* Applies the rules to the tasks of the store. records: the options of all formats; NULL: none are given. What does not
 * fit is a remark. Errors: those of a mapping, MEMORY. */
tacStatus tacTaskRulesApply(tacImport *import, const void *records, tacError *err);

#endif
