/*
 * audit.c -- the rules by name, and their facts as a table.
 */
#include "base/port.h"

#include "analysis/audit.h"
#include "base/sort.h"

const tacAuditRule tacAuditRules[] = {
    {"affinity", "jobs that run where their task is not assigned", tacAuditAffinity},
    {"budget", "servers and their budgets", tacAuditBudget},
    {"deadline", "deadlines that are missed or open", tacAuditDeadline},
    {"execution", "jobs that execute for longer than their task's -C", tacAuditExecution},
    {"mutex", "mutexes: double, foreign, crossed, forgotten, deadlocked", tacAuditMutex},
    {"priority", "jobs that wait while less urgent ones run", tacAuditPriority},
    {"sanity", "contradictions that no system can have produced", tacAuditSanity},
    {"unknown", "tasks and processors with time in an unknown state", tacAuditUnknown},
    {NULL, NULL, NULL},
};

bool tacFactAdd(tacFacts *facts, tacFact fact) { return tacFactsFull(facts) || tacArrayPush(&facts->facts, fact); }

uint32_t tacAuditRow(const tacStore *store, uint32_t id, int64_t t, uint64_t events) {
    enum { ROWS_AT_ONCE = 4096 };
    uint32_t first = tacStoreFind(store, t), n = tacStoreCount(store);
    for (uint32_t row = first; row < n && row - first < ROWS_AT_ONCE && tacRowTime(store, row) == t; row++)
        if ((events & TAC_EVENT_BIT(tacRowEvent(store, row))) && tacRowSubject(store, row) == id) return row;
    return TAC_NONE;
}

uint64_t tacAuditJobEvents(void) {
    uint64_t events = 0;
    _Static_assert(TAC_EVENTS <= 64, "a bit for each event");
    for (int event = 0; event < TAC_EVENTS; event++)
        if (tacEvents[event].nArguments && tacEvents[event].arguments[0] == TAC_TYPE_JOB)
            events |= TAC_EVENT_BIT(event);
    return events;
}

uint32_t tacAuditRowNear(const tacStore *store, uint32_t id, int64_t t) {
    uint32_t row = id == TAC_NONE ? TAC_NONE : tacAuditRow(store, id, t, tacAuditJobEvents());
    if (row != TAC_NONE) return row;
    row = tacStoreFind(store, t);
    bool at = row < tacStoreCount(store) && tacRowTime(store, row) == t;
    return at ? row : row > 0 ? row - 1 : TAC_NONE;
}

static int earlier(const void *left, const void *right, const void *data) {
    const tacFact *a = left, *b = right;
    (void) data;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

tacStatus tacAudit(const tacTrace *trace, const tacAuditRule *rule, tacFacts *facts, tacError *err) {
    if (facts->progress) tacProgressDelay(facts->progress);
    if (rule->look(trace, facts)
        && tacSort(facts->facts.at, facts->facts.count, sizeof *facts->facts.at, earlier, NULL, facts->progress))
        return TAC_OK;
    return tacFailStopped(err, facts->progress);
}

void tacFactsFree(tacFacts *facts) { tacArrayFree(&facts->facts); }

/* ---- the table -------------------------------------------------------------------------------------------------- */

enum {
    FACT,
    TIME,
    END,
    AMOUNT,
    LIMIT,
    COUNT,
    JOB,
    OTHER,
    TASK,
    SERVER,
    MUTEX,
    INNER,
    PROCESSOR,
    ELSEWHERE,
    LINE,
    CLUSTER,
    SCHEDULER,
    INVERSIONS,
    TIES,
    FACT_COLUMNS
};

static const tacColumn factColumns[FACT_COLUMNS] = {
    [FACT] = {"fact", TAC_COLUMN_TEXT, "what happened", 0},
    [TIME] = {"time", TAC_COLUMN_TIME, "when, or since when", 0},
    [END] = {"end", TAC_COLUMN_TIME, "until when", 0},
    [AMOUNT] = {"amount", TAC_COLUMN_TIME, "how much", 0},
    [LIMIT] = {"limit", TAC_COLUMN_TIME, "what was allowed", 0},
    [COUNT] = {"count", TAC_COLUMN_COUNT, "how many of them this stands for", 0},
    [JOB] = {"job", TAC_COLUMN_TEXT, "the job", 0},
    [OTHER] = {"other", TAC_COLUMN_TEXT, "another job", 0},
    [TASK] = {"task", TAC_COLUMN_TEXT, "the task", 0},
    [SERVER] = {"server", TAC_COLUMN_TEXT, "the server", 0},
    [MUTEX] = {"mutex", TAC_COLUMN_TEXT, "the mutex", 0},
    [INNER] = {"inner", TAC_COLUMN_TEXT, "another mutex", 0},
    [PROCESSOR] = {"processor", TAC_COLUMN_TEXT, "the processor", 0},
    [ELSEWHERE] = {"elsewhere", TAC_COLUMN_TEXT, "another processor", 0},
    [LINE] = {"line", TAC_COLUMN_COUNT, "of the event that shows it", 0},
    [CLUSTER] = {"cluster", TAC_COLUMN_TEXT, "a processor of the cluster", 0},
    [SCHEDULER] = {"scheduler", TAC_COLUMN_TEXT, "the policy", 0},
    [INVERSIONS] = {"inversions", TAC_COLUMN_COUNT, "how many the cluster has", 0},
    [TIES] = {"ties", TAC_COLUMN_COUNT, "times that a job waited there, as urgent as one that ran", 0},
};

typedef struct View {
    const tacTrace *trace;
    const tacFacts *facts;
} View;

static void idCell(const View *view, tacKind kind, uint32_t index, tacCell *cell) {
    if (index == TAC_NONE) return;
    tacCellString(cell,
        kind == TAC_PROCESSOR ? tacProcessorId(&view->trace->model, index)
                              : tacObjectId(&view->trace->store, kind, index));
}

static void factCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    const View *view = table->data;
    const tacFact *fact = &view->facts->facts.at[row];
    switch (column) {
    case FACT: tacCellString(cell, fact->fact); break;
    case TIME: tacCellTime(cell, fact->begin); break;
    case END: tacCellTime(cell, fact->end); break;
    case AMOUNT: tacCellTime(cell, fact->amount); break;
    case LIMIT: tacCellTime(cell, fact->limit); break;
    case COUNT: tacCellCount(cell, fact->count); break;
    case JOB: idCell(view, TAC_JOB, fact->job, cell); break;
    case OTHER: idCell(view, TAC_JOB, fact->other, cell); break;
    case TASK: idCell(view, TAC_TASK, fact->task, cell); break;
    case SERVER: idCell(view, TAC_SERVER, fact->server, cell); break;
    case MUTEX: idCell(view, TAC_MUTEX, fact->mutex, cell); break;
    case INNER: idCell(view, TAC_MUTEX, fact->inner, cell); break;
    case PROCESSOR: idCell(view, TAC_PROCESSOR, fact->processor, cell); break;
    case ELSEWHERE: idCell(view, TAC_PROCESSOR, fact->elsewhere, cell); break;
    case LINE:
        if (fact->row != TAC_NONE) tacCellCount(cell, tacRowLine(&view->trace->store, fact->row));
        break;
    case INVERSIONS: tacCellCount(cell, fact->inversions); break;
    case TIES: tacCellCount(cell, fact->ties); break;
    case CLUSTER: idCell(view, TAC_PROCESSOR, fact->cluster, cell); break;
    case SCHEDULER: tacCellString(cell, fact->scheduler ? tacSchedulerWord(fact->scheduler) : ""); break;
    }
}

tacStatus tacFactTable(const tacTrace *trace, const tacFacts *facts, tacTable *table, tacError *err) {
    View *view = tacAllocZero(1, sizeof *view);
    *table = (tacTable){.nRows = 0};
    if (!view) return tacFailMemory(err);
    *view = (View){trace, facts};
    *table = (tacTable){.title = "facts",
        .columns = factColumns,
        .nColumns = FACT_COLUMNS,
        .nRows = facts->facts.count,
        .digits = trace->store.digits,
        .cell = factCell,
        .data = view,
        .release = tacFree};
    return TAC_OK;
}
