/*
 * chainRun.c -- chains follow a replay: what a row is for which step.
 *
 *   time passes: deadlines of -let, returns of system calls
 *   row -> elements popped -> its event -> elements pushed -> changes of states: what is left, jobs that read and
 * write, what is entered
 *
 * The steps of a chain are asked from the last one to the first, so nothing is its own cause.
 */
#include "base/port.h"

#include "judge/chainRun.h"
#include "judge/learn.h"

typedef struct Watch { /* a step that waits for something */
    uint32_t run, step;
} Watch;

typedef TAC_ARRAY(Watch) Watches; /* by chain, and of a chain from its last step to the first */

typedef struct Cell { /* the steps that wait for something of a cell */
    size_t count;
    Watches any;     /* of any task, or none */
    Watches *byTask; /* of one task; NULL: none */
} Cell;

struct tacChains {
    const tacModel *model; /* of the trace */
    tacChainRun *runs;
    size_t n;
    uint64_t kept;
    Cell cells[TAC_CELLS];
    Watches *byTask;            /* steps that are jobs, by task */
    Watches *byBuffer;          /* steps that pop, by buffer */
    TAC_ARRAY(uint32_t) lets;   /* runs with steps that are -let */
    TAC_ARRAY(uint32_t) groups; /* runs of `synchronize` */
    bool buffers;               /* some step pops */
    TAC_ARRAY(tacDue) returns;  /* of system calls that are under way: `part` is the row; a heap */
    bool *unknown;              /* by processor: what runs there is not known */
    uint32_t nProcessors, nTasks, nBuffers;
    tacUnknownTime missing;
    int64_t now;
    uint32_t row;
    const tacModel *live;
    const struct tacReplay *replay;
};

/* ---- heaps of moments to come ------------------------------------------------------------------------------------ */

static bool isEarlier(const tacDue *a, const tacDue *b) {
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void swap(tacDue *a, tacDue *b) {
    tacDue first = *a;
    *a = *b;
    *b = first;
}

/* Lets the last of n elements rise to its place. */
static void rise(tacDue *heap, size_t n) {
    for (size_t i = n - 1; i > 0 && isEarlier(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

/* Takes the first of n elements out. */
static tacDue takeFirst(tacDue *heap, size_t n) {
    tacDue first = heap[0];
    heap[0] = heap[--n];
    for (size_t i = 0, least; (least = 2 * i + 1) < n; i = least) {
        if (least + 1 < n && isEarlier(&heap[least + 1], &heap[least])) least++;
        if (!isEarlier(&heap[least], &heap[i])) break;
        swap(&heap[least], &heap[i]);
    }
    return first;
}

/* ---- moments ----------------------------------------------------------------------------------------------------- */

/* The run at the moment under way. */
static tacChainRun *runAt(tacChains *all, uint32_t index) {
    tacChainRun *run = &all->runs[index];
    run->now = all->now;
    run->row = all->row;
    run->live = all->live;
    run->replay = all->replay;
    return run;
}

/* A stretch that begins where the last one ended goes on from there. */
static void beginUnknown(tacUnknownTime *unknown, int64_t now) {
    if (unknown->open++ == 0) unknown->since = unknown->until == now ? unknown->begin : now;
}

static void endUnknown(tacUnknownTime *unknown, int64_t now) {
    if (!unknown->open || --unknown->open || unknown->since == now) return;
    unknown->begin = unknown->since;
    unknown->until = now;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* The value of a field; *written: a copy of it, where it stands nowhere in the trace. False: there is no such field. */
static bool keyOf(tacChainRun *run, const tacOccurrence *o, const tacWord *name, tacWord *key, char **written) {
    tacField field;
    *key = (tacWord){"", 0};
    if (!name->length) return true;
    if (!tacFieldFind(o, name, &field)) return false;
    *key = field.text;
    if (field.text.at != field.written) return true;
    tacFree(*written);
    *written = tacCopyText(field.text.at, field.text.length);
    run->failed |= !*written;
    key->at = *written;
    return *written != NULL;
}

/* The name of the field that leads from a step to the next one, or a word of length 0. */
static tacWord onwardField(const tacChain *chain, uint32_t step) {
    bool by = step + 1 < chain->steps.count && chain->steps.at[step + 1].link == TAC_LINK_FIELD;
    return by ? chain->steps.at[step + 1].their : (tacWord){"", 0};
}

/* An event of a step, with the values of its fields: it reads and writes. */
static void partOccurs(tacChainRun *run, uint32_t step, const tacWord *in, const tacWord *out, char **written) {
    uint32_t part = tacPartBegin(run, step, TAC_NONE);
    if (part == TAC_NONE) return;
    tacPart *p = &run->parts.at[part];
    p->key = out->length ? *out : *in;
    p->written = *written;
    *written = NULL;
    tacPartReads(run, part, in);
    if (step && run->chain->steps.at[step].link == TAC_LINK_ELEMENT)
        tacPartPops(run, part, run->steps[step - 1].popped);
    tacPartWrites(run, part);
    tacPartRelease(run, part);
}

static void occurs(tacChainRun *run, uint32_t step, const tacOccurrence *o) {
    const tacChain *chain = run->chain;
    const tacChainStep *what = &chain->steps.at[step];
    char *written = NULL, *outWritten = NULL;
    tacWord in, out,
        inward = chain->together       ? chain->field
        : what->link == TAC_LINK_FIELD ? what->mine
                                       : (tacWord){"", 0};
    tacWord onward = chain->together ? (tacWord){"", 0} : onwardField(chain, step);
    if (run->stopped || !tacTriggerFits(&what->trigger, o, &(tacOwner){.each = TAC_EACH_TRACE, .job = TAC_NONE}))
        return;
    if (keyOf(run, o, &inward, &in, &written) && keyOf(run, o, &onward, &out, &outWritten)) {
        if (chain->together) tacTogetherMeets(run, step, &in, &written);
        else partOccurs(run, step, &in, &out, out.length ? &outWritten : &written);
    }
    tacFree(written);
    tacFree(outWritten);
}

static bool isBefore(const Watch *a, const Watch *b) { return a->run != b->run ? a->run < b->run : a->step > b->step; }

/* Something happens: the steps that wait for it. */
static tacStatus happen(tacChains *all, const tacOccurrence *o, tacError *err) {
    const Cell *cell = &all->cells[o->cell];
    uint32_t task = !cell->byTask ? TAC_NONE : o->change ? o->task : tacRowTask(o->model, o->row);
    static const Watches none;
    const Watches *any = &cell->any, *own = task < all->nTasks ? &cell->byTask[task] : &none;
    for (size_t i = 0, k = 0; i < any->count || k < own->count;) {
        bool first = k == own->count || (i < any->count && isBefore(&any->at[i], &own->at[k]));
        const Watch *watch = first ? &any->at[i++] : &own->at[k++];
        tacChainRun *run = runAt(all, watch->run);
        occurs(run, watch->step, o);
        if (run->failed) return tacFailMemory(err);
    }
    return TAC_OK;
}

/* ---- elements of buffers ----------------------------------------------------------------------------------------- */

/* Lets go of an element; a part that had no effect and has no other element is lost. */
static void dropElement(tacChainRun *run, uint32_t step, uint32_t pusher) {
    if (pusher == TAC_NONE) return;
    tacPart *p = &run->parts.at[pusher];
    if (--p->elements == 0 && !p->used)
        tacChainTellLink(run, TAC_CHAIN_LOSSLESS, step + 1, pusher, p->read, "was dropped before step %.*s had it");
    tacPartRelease(run, pusher);
}

static void dropAll(tacChainRun *run, uint32_t step) {
    tacBufferContents *contents = &run->steps[step].contents;
    for (size_t i = 0; i < tacBufferCount(contents); i++) dropElement(run, step, tacBufferAt(contents, i));
    tacBufferFree(contents);
}

/* Before the event of the row is looked at: an element leaves the buffer that leads to `step`. */
static void takeElement(tacChainRun *run, uint32_t step) {
    const tacStore *store = run->model->store;
    tacStepState *before = &run->steps[step - 1];
    tacBufferContents *contents = &before->contents;
    tacEvent event = tacRowEvent(store, run->row);
    size_t place = event == TAC_EV_BUFFER_DROP ? (size_t) (int32_t) tacRowObject(store, run->row) : 0;
    uint32_t pusher = place < tacBufferCount(contents) ? tacBufferAt(contents, place) : TAC_NONE;
    if (event != TAC_EV_BUFFER_POP && event != TAC_EV_BUFFER_DROP) return;
    tacBufferApplyAs(contents, store, run->row, 0);
    if (event == TAC_EV_BUFFER_DROP) {
        dropElement(run, step - 1, pusher);
        return;
    }
    before->popped = pusher;
    uint32_t top = run->chain->steps.at[step].isJob ? run->steps[step].top : TAC_NONE;
    if (top != TAC_NONE) tacPartPops(run, top, pusher);
}

/* After it: the popped one is let go of, and what the row adds comes from the job that runs, or from the event itself.
 */
static void addElement(tacChainRun *run, uint32_t step) {
    const tacStore *store = run->model->store;
    tacStepState *before = &run->steps[step - 1];
    tacEvent event = tacRowEvent(store, run->row);
    if (before->popped != TAC_NONE) {
        run->parts.at[before->popped].elements--;
        tacPartRelease(run, before->popped);
        before->popped = TAC_NONE;
    }
    if (event != TAC_EV_BUFFER_PUSH && event != TAC_EV_BUFFER_INSERT) return;
    uint32_t pusher = run->chain->steps.at[step - 1].isJob ? before->top : before->latest;
    bool event1 = pusher != TAC_NONE && run->parts.at[pusher].job == TAC_NONE;
    if (event1 && run->parts.at[pusher].row != run->row) pusher = TAC_NONE;
    tacBufferOutcome outcome = tacBufferApplyAs(&before->contents, store, run->row, pusher);
    if (outcome == TAC_BUFFER_NO_MEMORY) run->failed = true;
    if (outcome == TAC_BUFFER_NO_MEMORY || outcome == TAC_BUFFER_FULL || pusher == TAC_NONE) return;
    tacPartHold(run, pusher);
    run->parts.at[pusher].elements++;
}

/* What a row does to the buffers that lead to steps; after: its event has been looked at. */
static tacStatus moveElements(tacChains *all, bool after, tacError *err) {
    const tacStore *store = all->model->store;
    tacEvent event = tacRowEvent(store, all->row);
    bool reset = event == TAC_EV_BUFFER_RESET;
    if (!tacEventIs(event, TAC_TRAIT_BUFFER) || event == TAC_EV_BUFFER_STRUCTURE || (reset && after)) return TAC_OK;
    uint32_t n = all->nBuffers, from = reset ? 0 : tacRowSubject(store, all->row);
    for (uint32_t buffer = from; buffer < (reset ? n : from + 1); buffer++) {
        const Watches *watches = &all->byBuffer[buffer];
        for (size_t i = 0; i < watches->count; i++) {
            tacChainRun *run = runAt(all, watches->at[i].run);
            uint32_t step = watches->at[i].step;
            if (reset) dropAll(run, step - 1);
            else if (after) addElement(run, step);
            else takeElement(run, step);
            if (run->failed) return tacFailMemory(err);
        }
    }
    return TAC_OK;
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* Keeps the list of running jobs of a step, the one that began last on top. */
static void setRunning(tacChainRun *run, uint32_t part, bool runs) {
    tacPart *p = &run->parts.at[part];
    uint32_t *top = &run->steps[p->step].top;
    if (p->runs == runs) return;
    p->runs = runs;
    if (runs) {
        p->below = *top;
        p->above = TAC_NONE;
        if (*top != TAC_NONE) run->parts.at[*top].above = part;
        *top = part;
        return;
    }
    if (p->below != TAC_NONE) run->parts.at[p->below].above = p->above;
    *(p->above == TAC_NONE ? top : &run->parts.at[p->above].below) = p->below;
}

/* A job reads: a part begins, which the table holds. */
static uint32_t jobReads(tacChainRun *run, uint32_t step, uint32_t job) {
    uint32_t part = tacPartBegin(run, step, job);
    if (part == TAC_NONE) return TAC_NONE;
    tacPartReads(run, part, NULL);
    tacPartKeepJob(run, part);
    return run->failed ? TAC_NONE : part;
}

static void jobWrites(tacChainRun *run, uint32_t part) {
    setRunning(run, part, false);
    tacPartDropJob(run, part);
    tacPartWrites(run, part);
    tacPartRelease(run, part);
}

static void jobVanishes(tacChainRun *run, uint32_t part) {
    setRunning(run, part, false);
    tacPartVanishes(run, part);
    run->parts.at[part].deadline = TAC_UNKNOWN;
    tacPartDropJob(run, part);
    tacPartRelease(run, part);
}

/* A job that may have started in an unknown state reads at its begin. */
static bool readsNow(const tacStateChange *change) {
    bool before = change->from == TAC_STATE_NONE || change->from == TAC_STATE_WAITING;
    return change->to == TAC_STATE_RUNNING || change->to == TAC_STATE_COMPLETED
        || (change->to == TAC_STATE_UNKNOWN && before);
}

/* A change of a job that communicates implicitly: it reads at its start, and writes at its completion. */
static void changeImplicit(tacChainRun *run, uint32_t step, const tacStateChange *change) {
    uint32_t part = tacPartOfJob(run, step, change->job);
    if (change->from == TAC_STATE_BETWEEN || change->from == TAC_STATE_COMPLETED) return;
    if (part == TAC_NONE && readsNow(change) && !run->stopped) part = jobReads(run, step, change->job);
    if (part == TAC_NONE) return;
    if (change->to == TAC_STATE_COMPLETED) jobWrites(run, part);
    else if (change->to == TAC_STATE_NONE) jobVanishes(run, part);
    else setRunning(run, part, change->to == TAC_STATE_RUNNING);
}

/* ---- logical execution time -------------------------------------------------------------------------------------- */

/* Notes a deadline; the first one counts. */
static void setDeadline(tacChainRun *run, uint32_t part, int64_t deadline) {
    tacPart *p = &run->parts.at[part];
    if (deadline == TAC_UNKNOWN || p->due || (p->deadline != TAC_UNKNOWN && p->deadline <= deadline)) return;
    if (!tacArrayPush(&run->due, (tacDue){deadline, run->nDue++, tacPartHold(run, part)})) {
        run->failed = true;
        tacPartRelease(run, part);
        return;
    }
    p->deadline = deadline;
    rise(run->due.at, run->due.count);
}

/* Lets the deadlines up to a time come; a job writes then, or when it is completed later. */
static void passDeadlines(tacChainRun *run, int64_t to) {
    while (run->due.count && run->due.at[0].time <= to && !run->failed) {
        tacDue due = takeFirst(run->due.at, run->due.count--);
        tacPart *p = &run->parts.at[due.part];
        if (p->deadline == due.time && !p->due) {
            p->due = true;
            run->now = due.time;
            run->row = TAC_NONE;
            if (p->completed) jobWrites(run, due.part);
        }
        tacPartRelease(run, due.part);
    }
}

/* A job that is released reads. */
static uint32_t letRead(tacChainRun *run, uint32_t step, uint32_t job) {
    uint32_t part = run->stopped ? TAC_NONE : jobReads(run, step, job);
    if (part != TAC_NONE) setDeadline(run, part, tacNowRecord(run->replay, job)->deadline);
    return part;
}

/* A job that was not released is not followed; what it does is not known. */
static void changeLet(tacChainRun *run, uint32_t step, const tacStateChange *change) {
    const tacJob *job = tacNowRecord(run->replay, change->job);
    if (change->from == TAC_STATE_NONE) {
        if (!(job->flags & TAC_JOB_NO_RELEASE)) letRead(run, step, change->job);
        else beginUnknown(&run->unknown, run->now);
        return;
    }
    uint32_t part = tacPartOfJob(run, step, change->job);
    bool over = change->to == TAC_STATE_COMPLETED || change->to == TAC_STATE_NONE;
    if (change->from == TAC_STATE_BETWEEN || change->from == TAC_STATE_COMPLETED) return;
    if (part == TAC_NONE) {
        if (over && (job->flags & TAC_JOB_NO_RELEASE)) endUnknown(&run->unknown, run->now);
        return;
    }
    tacPart *p = &run->parts.at[part];
    if (change->to == TAC_STATE_NONE) jobVanishes(run, part);
    else if (change->to != TAC_STATE_COMPLETED) setRunning(run, part, change->to == TAC_STATE_RUNNING);
    else if (p->due) jobWrites(run, part);
    else {
        p->completed = true;
        setRunning(run, part, false);
    }
}

/* The arrival of a job that was used before, at the same time. */
static void arriveLate(tacChains *all, const struct tacReplay *replay) {
    uint32_t index = tacNowJob(replay, tacRowSubject(all->model->store, all->row));
    const tacJob *job = tacNowRecord(replay, index);
    const Watches *watches = &all->byTask[job->task];
    if (job->release != all->now) return;
    for (size_t i = 0; i < watches->count; i++) {
        tacChainRun *run = runAt(all, watches->at[i].run);
        uint32_t step = watches->at[i].step;
        if (!run->chain->steps.at[step].let || tacPartOfJob(run, step, index) != TAC_NONE) continue;
        endUnknown(&run->unknown, run->now);
        uint32_t part = letRead(run, step, index);
        if (part != TAC_NONE && job->state == TAC_STATE_RUNNING) setRunning(run, part, true);
    }
}

/* Looks at the announced deadlines of the next moment: each is of the job of its id that was released last before. */
static void lookAhead(tacChains *all, const struct tacReplay *replay) {
    const tacStore *store = all->model->store;
    uint32_t n = tacStoreCount(store), row = all->row + 1;
    if (row >= n || tacRowTime(store, row) == all->now) return;
    for (int64_t next = tacRowTime(store, row); row < n && tacRowTime(store, row) == next; row++) {
        if (tacRowEvent(store, row) != TAC_EV_JOB_DEADLINE) continue;
        uint32_t job = tacNowJob(replay, tacRowSubject(store, row));
        if (job == TAC_NONE) continue;
        const Watches *watches = &all->byTask[all->live->jobs.at[job].task];
        for (size_t i = 0; i < watches->count; i++) {
            tacChainRun *run = runAt(all, watches->at[i].run);
            uint32_t step = watches->at[i].step;
            uint32_t part = run->chain->steps.at[step].let ? tacPartOfJob(run, step, job) : TAC_NONE;
            if (part != TAC_NONE) setDeadline(run, part, next);
        }
    }
}

/* ---- changes of states ------------------------------------------------------------------------------------------- */

static tacStatus changeJob(tacChains *all, const tacStateChange *change, tacError *err) {
    const Watches *watches = &all->byTask[all->live->jobs.at[change->job].task];
    for (size_t i = 0; i < watches->count; i++) {
        tacChainRun *run = runAt(all, watches->at[i].run);
        uint32_t step = watches->at[i].step;
        if (change->from == TAC_STATE_UNKNOWN) endUnknown(&run->unknown, run->now);
        if (run->chain->steps.at[step].let) changeLet(run, step, change);
        else changeImplicit(run, step, change);
        if (change->to == TAC_STATE_UNKNOWN) beginUnknown(&run->unknown, run->now);
        if (run->failed) return tacFailMemory(err);
    }
    return TAC_OK;
}

static tacStatus changeState(tacChains *all, const tacOccurrence *row, const tacStateChange *change, tacError *err) {
    uint32_t task = all->live->jobs.at[change->job].task;
    uint32_t leaves = TAC_CELL_LEAVES + change->from, enters = TAC_CELL_ENTERS + change->to;
    if (change->from == change->to) return TAC_OK;
    if (all->cells[leaves].count) {
        tacOccurrence o = tacOccurrenceOfChange(row, change, false);
        if (happen(all, &o, err) != TAC_OK) return TAC_ERROR;
    }
    if (all->byTask[task].count && changeJob(all, change, err) != TAC_OK) return TAC_ERROR;
    if (!all->cells[enters].count) return TAC_OK;
    tacOccurrence o = tacOccurrenceOfChange(row, change, true);
    return happen(all, &o, err);
}

/* ---- processors in an unknown state ------------------------------------------------------------------------------ */

static void tellGroups(tacChains *all) {
    for (size_t i = 0; i < all->groups.count; i++) tacTogetherUnknown(runAt(all, all->groups.at[i]));
}

static void setUnknown(tacChains *all, uint32_t processor, bool unknown) {
    if (processor >= all->nProcessors || all->unknown[processor] == unknown) return;
    all->unknown[processor] = unknown;
    if (unknown) {
        tellGroups(all);
        beginUnknown(&all->missing, all->now);
        return;
    }
    endUnknown(&all->missing, all->now);
    tellGroups(all);
}

/* Follows which processors are in an unknown state: up to their next job, or until they are idle. */
static void followProcessors(tacChains *all, const tacStateChange *changes, uint32_t n) {
    const tacStore *store = all->model->store;
    tacEvent event = tacRowEvent(store, all->row);
    for (uint32_t i = 0; i < n && all->missing.open; i++) {
        const tacJob *job = tacNowRecord(all->replay, changes[i].job);
        if (tacStateRuns(changes[i].to) && !tacIsInterrupt(all->live, job->task))
            setUnknown(all, job->processor, false);
    }
    if (event == TAC_EV_PROCESSOR_UNKNOWN) setUnknown(all, tacRowSubject(store, all->row), true);
    if (event == TAC_EV_PROCESSOR_IDLE) setUnknown(all, tacRowSubject(store, all->row), false);
}

/* ---- time passes ------------------------------------------------------------------------------------------------- */

static void passAllDeadlines(tacChains *all, int64_t to) {
    for (size_t i = 0; i < all->lets.count; i++) passDeadlines(runAt(all, all->lets.at[i]), to);
}

/* Lets deadlines and returns up to a time happen. */
static tacStatus passTime(tacChains *all, int64_t to, tacError *err) {
    while (all->returns.count && all->returns.at[0].time <= to) {
        tacDue next = takeFirst(all->returns.at, all->returns.count--);
        passAllDeadlines(all, next.time);
        all->now = next.time;
        all->row = next.part;
        tacOccurrence o = tacOccurrenceOfReturn(all->live, next.part, next.time);
        if (happen(all, &o, err) != TAC_OK) return TAC_ERROR;
    }
    passAllDeadlines(all, to);
    for (size_t i = 0; i < all->lets.count; i++)
        if (all->runs[all->lets.at[i]].failed) return tacFailMemory(err);
    return TAC_OK;
}

/* Notes the return of the call that the row annotates. */
static tacStatus awaitReturn(tacChains *all, tacError *err) {
    const tacStore *store = all->model->store;
    bool returns = tacRowEvent(store, all->row) == TAC_EV_TASK_ANNOTATION && tacRowReturns(store, all->row);
    if (!returns) return TAC_OK;
    int64_t begin = all->now, end = tacRowNumber(store, all->row);
    if (!tacArrayPush(&all->returns, (tacDue){end > begin ? end : begin, all->row, all->row}))
        return tacFailMemory(err);
    rise(all->returns.at, all->returns.count);
    return TAC_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static tacStatus followRow(tacChains *all, const struct tacReplay *replay, uint32_t cell, const tacStateChange *changes,
    uint32_t n, tacError *err) {
    tacOccurrence o = {.model = all->live,
        .replay = all->replay,
        .row = all->row,
        .job = TAC_NONE,
        .task = TAC_NONE,
        .processor = TAC_NO_PROCESSOR,
        .cell = cell,
        .now = all->now};
    bool asked = all->cells[cell].count != 0;
    for (uint32_t i = 0; i < n && !asked; i++)
        asked = all->cells[TAC_CELL_LEAVES + changes[i].from].count
            || all->cells[TAC_CELL_ENTERS + changes[i].to].count;
    if (asked) o = tacOccurrenceOfRow(all->live, replay, all->row, cell);
    if (all->buffers && moveElements(all, false, err) != TAC_OK) return TAC_ERROR;
    if (all->cells[cell].count && happen(all, &o, err) != TAC_OK) return TAC_ERROR;
    if (all->buffers && moveElements(all, true, err) != TAC_OK) return TAC_ERROR;
    for (uint32_t i = 0; i < n; i++)
        if (changeState(all, &o, &changes[i], err) != TAC_OK) return TAC_ERROR;
    if (all->lets.count && tacRowEvent(all->model->store, all->row) == TAC_EV_JOB_ARRIVED) arriveLate(all, replay);
    return TAC_OK;
}

tacStatus tacChainsRow(
    tacChains *all, const tacModel *model, const struct tacReplay *replay, uint32_t row, tacError *err) {
    bool calls = all->cells[TAC_CELL_CALL].count || all->cells[TAC_CELL_RETURN].count;
    int64_t now = tacNow(replay);
    uint32_t n, cell = tacRowCell(model->store, row, calls);
    const tacStateChange *changes = tacNowChanges(replay, &n);
    if (now > all->model->end) return TAC_OK;
    all->live = model;
    all->replay = replay;
    if ((all->lets.count || all->returns.count) && passTime(all, now, err) != TAC_OK) return TAC_ERROR;
    all->now = now;
    all->row = row;
    followProcessors(all, changes, n);
    if (cell == TAC_CELL_CALL && all->cells[TAC_CELL_RETURN].count && awaitReturn(all, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = followRow(all, replay, cell, changes, n, err);
    if (all->lets.count) lookAhead(all, replay);
    return status;
}

/* ---- from begin to end ------------------------------------------------------------------------------------------- */

static bool watchTasks(tacChains *all, const tacChainStep *step, Watch watch) {
    for (uint32_t task = 0; task < all->nTasks; task++)
        if (step->tasks[task] && !tacArrayPush(&all->byTask[task], watch)) return false;
    return true;
}

static bool watchCell(tacChains *all, Cell *cell, uint32_t task, Watch watch) {
    cell->count++;
    if (task >= all->nTasks) return tacArrayPush(&cell->any, watch);
    if (!cell->byTask) cell->byTask = tacAllocZero((size_t) all->nTasks, sizeof *cell->byTask);
    return cell->byTask && tacArrayPush(&cell->byTask[task], watch);
}

/* Notes what a step waits for. */
static bool watch(tacChains *all, uint32_t k, uint32_t i) {
    const tacChainStep *step = &all->runs[k].chain->steps.at[i];
    Watch watch = {k, i};
    uint32_t cells[TAC_TRIGGER_CELLS];
    bool pops = i && step->link == TAC_LINK_ELEMENT;
    all->runs[k].lets |= step->let;
    all->buffers |= pops;
    if (pops && !tacArrayPush(&all->byBuffer[step->buffer], watch)) return false;
    if (step->isJob) return watchTasks(all, step, watch);
    for (int n = tacTriggerCells(&step->trigger, cells); n-- > 0;)
        if (!watchCell(all, &all->cells[cells[n]], tacTriggerTask(&step->trigger), watch)) return false;
    return true;
}

static size_t soughtOf(const tacChain *chain) {
    size_t n = 0;
    for (size_t i = 0; i < chain->requires.count; i++) n += chain->requires.at[i].sought;
    return n;
}

/* Makes room for the values of limits that are to be found, of so many in all chains. */
static bool beginSought(tacChainRun *run, size_t all) {
    size_t n = run->chain->requires.count;
    if (!soughtOf(run->chain)) return true;
    run->sought = tacAllocZero(n, sizeof *run->sought);
    if (run->sought) tacSoughtBegin(run->sought, n, all);
    return run->sought != NULL;
}

static bool beginRun(tacChains *all, uint32_t k, const tacChain *chain, size_t nSought) {
    tacChainRun *run = &all->runs[k];
    *run = (tacChainRun){.chain = chain,
        .model = all->model,
        .freePart = TAC_NONE,
        .missing = &all->missing,
        .kept = &all->kept,
        .now = all->model->begin,
        .row = TAC_NONE,
        .live = all->model};
    run->unknown.until = INT64_MIN;
    run->steps = tacAllocZero(chain->steps.count + 1, sizeof *run->steps);
    run->judged = tacAllocZero(chain->requires.count + 1, sizeof *run->judged);
    if (!run->steps || !run->judged || !beginSought(run, nSought)) return false;
    for (size_t i = 0; i < chain->steps.count; i++) {
        tacStepState *state = &run->steps[i];
        state->latest = state->newest = state->top = state->popped = TAC_NONE;
        for (int way = 0; way < TAC_FORWARDS; way++) state->waiting[way] = TAC_NONE;
        state->lastRead = TAC_UNKNOWN;
    }
    for (uint32_t i = (uint32_t) chain->steps.count; i-- > 0;)
        if (!watch(all, k, i)) return false;
    if (run->lets && !tacArrayPush(&all->lets, k)) return false;
    return !chain->together || tacArrayPush(&all->groups, k);
}

tacChains *tacChainsStart(const tacChain *chains, size_t n, const tacModel *model) {
    const tacStore *store = model->store;
    tacChains *all = tacAllocZero(1, sizeof *all);
    if (!all) return NULL;
    all->model = model;
    all->live = model;
    all->missing.until = INT64_MIN;
    all->nProcessors = tacStoreObjects(store, TAC_PROCESSOR) + 1;
    all->nTasks = tacStoreObjects(store, TAC_TASK);
    all->nBuffers = tacStoreObjects(store, TAC_BUFFER);
    all->runs = tacAllocZero(n + 1, sizeof *all->runs);
    all->unknown = tacAllocZero(all->nProcessors, sizeof *all->unknown);
    all->byTask = tacAllocZero((size_t) all->nTasks + 1, sizeof *all->byTask);
    all->byBuffer = tacAllocZero((size_t) all->nBuffers + 1, sizeof *all->byBuffer);
    bool fine = all->runs && all->unknown && all->byTask && all->byBuffer;
    size_t nSought = 0;
    for (size_t i = 0; i < n; i++) nSought += soughtOf(&chains[i]);
    for (; fine && all->n < n; all->n++) {
        fine = beginRun(all, (uint32_t) all->n, &chains[all->n], nSought);
        if (!fine) all->n++;
    }
    if (fine) return all;
    tacChainsFree(all);
    return NULL;
}

tacStatus tacChainsEnd(tacChains *all, tacError *err) {
    all->live = all->model;
    if (passTime(all, all->model->end, err) != TAC_OK) return TAC_ERROR;
    all->now = all->model->end;
    all->row = TAC_NONE;
    for (uint32_t k = 0; k < all->n; k++) {
        tacChainRun *run = runAt(all, k);
        if (run->chain->together) tacTogetherEnd(run);
        else tacChainTellEnd(run);
        if (run->failed) return tacFailMemory(err);
    }
    return TAC_OK;
}

const tacSought *tacChainsSought(const tacChains *all, size_t k) { return all->runs[k].sought; }

const tacChainNote *tacChainsNotes(const tacChains *all, size_t k, size_t *n) {
    *n = all->runs[k].notes.count;
    return all->runs[k].notes.at;
}

const uint64_t *tacChainsOnlyCounted(const tacChains *all, size_t k) { return all->runs[k].onlyCounted; }

/* The trace may be gone already. */
void tacChainsFree(tacChains *all) {
    if (!all) return;
    for (size_t k = 0; all->runs && k < all->n; k++) {
        tacChainRun *run = &all->runs[k];
        if (run->chain) tacChainFlowFree(run);
        for (size_t i = 0; i < run->notes.count; i++) tacFree(run->notes.at[i].sentence);
        tacArrayFree(&run->notes);
        tacArrayFree(&run->groups);
        for (size_t i = 0; run->sought && i < run->chain->requires.count; i++) tacSoughtFree(&run->sought[i]);
        tacFree(run->sought);
        tacFree(run->judged);
    }
    for (uint32_t i = 0; all->byTask && i < all->nTasks; i++) tacArrayFree(&all->byTask[i]);
    for (uint32_t i = 0; all->byBuffer && i < all->nBuffers; i++) tacArrayFree(&all->byBuffer[i]);
    for (uint32_t cell = 0; cell < TAC_CELLS; cell++) {
        tacArrayFree(&all->cells[cell].any);
        for (uint32_t i = 0; all->cells[cell].byTask && i < all->nTasks; i++) tacArrayFree(&all->cells[cell].byTask[i]);
        tacFree(all->cells[cell].byTask);
    }
    tacArrayFree(&all->lets);
    tacArrayFree(&all->groups);
    tacArrayFree(&all->returns);
    tacFree(all->byTask);
    tacFree(all->byBuffer);
    tacFree(all->unknown);
    tacFree(all->runs);
    tacFree(all);
}
