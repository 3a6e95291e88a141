/*
 * auditUnknown.c -- facts about stretches in an unknown state, so that checks do not call them valid.
 *
 * unknown:
 *      task       jobs of the task are in an unknown state in `count` stretches, from the first one's begin to the
 *                 last one's end, `amount` in all
 *      processor  the same of a processor, where it is unknown which job runs
 */
#include "base/port.h"

#include "analysis/audit.h"

/* Notes the unknown stretches of a task's jobs. */
static bool lookAtTask(const tacTrace *trace, uint32_t index, tacFacts *facts) {
    const tacTaskModel *task = &trace->model.tasks[index];
    tacFact fact = TAC_FACT("task", .begin = TAC_UNKNOWN, .task = index, .amount = task->unknown);
    if (task->unknown == 0) return true;
    for (size_t i = 0; i < task->slices.count; i++) {
        const tacSlice *slice = &task->slices.at[i];
        if (!tacProgressAt(facts->progress, i)) return false;
        if (slice->state != TAC_STATE_UNKNOWN || slice->begin == slice->end) continue;
        if (fact.count++ == 0) fact.begin = slice->begin;
        if (fact.end == TAC_UNKNOWN || slice->end > fact.end) fact.end = slice->end;
    }
    fact.row = tacAuditRowNear(&trace->store, TAC_NONE, fact.begin);
    return tacFactAdd(facts, fact);
}

/* Notes the unknown stretches of a processor. */
static bool lookAtProcessor(const tacTrace *trace, uint32_t index, tacFacts *facts) {
    const tacProcessorModel *processor = &trace->model.processors[index];
    size_t n = processor->unknown.count;
    if (n == 0) return true;
    tacFact fact = TAC_FACT("processor", .begin = processor->unknown.at[0].begin,
        .end = processor->unknown.at[n - 1].end, .processor = index, .amount = 0, .count = (int64_t) n);
    fact.row = tacAuditRowNear(&trace->store, TAC_NONE, fact.begin);
    for (size_t i = 0; i < n; i++)
        fact.amount = tacAddTicks(
            fact.amount, tacElapsed(processor->unknown.at[i].begin, processor->unknown.at[i].end));
    return tacFactAdd(facts, fact);
}

bool tacAuditUnknown(const tacTrace *trace, tacFacts *facts) {
    facts->applicable = true;
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_TASK); i++)
        if (!lookAtTask(trace, i, facts)) return false;
    for (uint32_t i = 0; i < trace->model.nProcessors; i++)
        if (!lookAtProcessor(trace, i, facts)) return false;
    return true;
}
