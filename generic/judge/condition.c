/*
 * condition.c -- reads conditions, and walks along the stretches of their leaves.
 */
#include "base/port.h"

#include "judge/condition.h"
#include "judge/who.h"
#include "model/ask.h"

#include <string.h>

enum { DEEPEST = 100, MOST_NODES = 1000 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define BIT(state) (1u << TAC_STATE_##state)

static const struct Word {
    const char *name;
    tacConditionKind kind;
    unsigned states;
    bool waiting; /* the time from the release to the start, too */
    size_t arguments;
} words[] = {
    {"running", TAC_CONDITION_SLICES, BIT(RUNNING), false, 1},
    {"ready", TAC_CONDITION_SLICES, BIT(PREEMPTED), true, 1},
    {"waiting", TAC_CONDITION_WAITING, 0, false, 1},
    {"preempted", TAC_CONDITION_SLICES, BIT(PREEMPTED), false, 1},
    {"blocked", TAC_CONDITION_SLICES, BIT(BLOCKED), false, 1},
    {"between", TAC_CONDITION_SLICES, BIT(BETWEEN), false, 1},
    {"unknown", TAC_CONDITION_SLICES, BIT(UNKNOWN), false, 1},
    {"active", TAC_CONDITION_SLICES, BIT(RUNNING) | BIT(PREEMPTED) | BIT(BLOCKED) | BIT(UNKNOWN), true, 1},
    {"holds", TAC_CONDITION_HOLDS, 0, false, 2},
    {"consuming", TAC_CONDITION_CONSUMING, 0, false, 1},
    {"depleted", TAC_CONDITION_DEPLETED, 0, false, 1},
    {"not", TAC_CONDITION_NOT, 0, false, 1},
    {"and", TAC_CONDITION_AND, 0, false, 2},
    {"or", TAC_CONDITION_OR, 0, false, 2},
};
enum { WORDS = sizeof words / sizeof *words };

static tacStatus push(tacCondition *condition, tacConditionNode node, tacError *err) {
    if (condition->nodes.count >= MOST_NODES)
        return tacFail(err, "USAGE", "the condition has more than %d parts", MOST_NODES);
    return tacArrayPush(&condition->nodes, node) ? TAC_OK : tacFailMemory(err);
}

static tacStatus pushOr(tacCondition *condition, uint32_t children, tacError *err) {
    return children == 1 ? TAC_OK
                         : push(condition, (tacConditionNode){.kind = TAC_CONDITION_OR, .children = children}, err);
}

/* Adds the leaves of a word about a task, or about those of its jobs that have the id: one, or two of which either may
 * be true. */
static tacStatus pushTask(
    tacCondition *condition, const struct Word *word, uint32_t task, uint32_t id, uint32_t mutex, tacError *err) {
    tacConditionNode node = {.kind = word->kind, .task = task, .id = id, .index = mutex, .states = word->states};
    if (push(condition, node, err) != TAC_OK) return TAC_ERROR;
    if (!word->waiting) return TAC_OK;
    node.kind = TAC_CONDITION_WAITING;
    return push(condition, node, err) == TAC_OK ? pushOr(condition, 2, err) : TAC_ERROR;
}

/* Adds the leaves of a word about tasks, of which any may be so. */
static tacStatus pushTasks(
    tacCondition *condition, const struct Word *word, const tacWho *who, uint32_t mutex, tacError *err) {
    if (3 * who->tasks.count > MOST_NODES - condition->nodes.count) /* a leaf or two each, and one of them all */
        return tacFail(err, "LOOKUP MANY", "the condition is about too many tasks: %zu fit \"%.*s\"", who->tasks.count,
            TAC_SHOWN(&who->id));
    for (size_t i = 0; i < who->tasks.count; i++)
        if (pushTask(condition, word, who->tasks.at[i], TAC_NONE, mutex, err) != TAC_OK) return TAC_ERROR;
    return pushOr(condition, (uint32_t) who->tasks.count, err);
}

/* Adds the leaves of a word about a job id, or else tasks. A job id may have been used by several tasks. */
static tacStatus pushWho(const tacModel *model, tacCondition *condition, const struct Word *word, const tacWord *id,
    uint32_t mutex, tacError *err) {
    tacWho who;
    tacStatus status = tacWhoFind(model, id, &who, err);
    if (status == TAC_OK && who.kind == TAC_TASK) status = pushTasks(condition, word, &who, mutex, err);
    tacWhoFree(&who);
    if (status != TAC_OK || who.kind == TAC_TASK) return status;
    uint32_t job = who.index, leaves = 0, n = 0, task = TAC_NONE;
    const uint32_t *jobs = tacIdJobs(model, job, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (model->jobs.at[jobs[i]].task == task) continue;
        task = model->jobs.at[jobs[i]].task;
        if (pushTask(condition, word, task, job, mutex, err) != TAC_OK) return TAC_ERROR;
        leaves++;
    }
    if (!leaves) return pushTask(condition, word, model->store->jobTask.at[job], job, mutex, err);
    return pushOr(condition, leaves, err);
}

static tacStatus pushLeaf(
    const tacModel *model, tacCondition *condition, const struct Word *word, const tacWord *arguments, tacError *err) {
    uint32_t index = TAC_NONE;
    bool server = word->kind == TAC_CONDITION_CONSUMING || word->kind == TAC_CONDITION_DEPLETED;
    if (server) {
        index = tacAskFindNamed(model, TAC_SERVER, arguments[0].at, arguments[0].length);
        if (index == TAC_NONE)
            return tacFail(err, "LOOKUP OBJECT", "no server \"%.*s\" in the trace", TAC_SHOWN(&arguments[0]));
        return push(condition, (tacConditionNode){.kind = word->kind, .index = index}, err);
    }
    if (word->kind == TAC_CONDITION_HOLDS) {
        index = tacAskFindNamed(model, TAC_MUTEX, arguments[1].at, arguments[1].length);
        if (index == TAC_NONE)
            return tacFail(err, "LOOKUP OBJECT", "no mutex \"%.*s\" in the trace", TAC_SHOWN(&arguments[1]));
    }
    return pushWho(model, condition, word, &arguments[0], index, err);
}

static tacStatus failWord(const tacWord *word, tacError *err) {
    tacText all = {0};
    for (int i = 0; i < WORDS; i++) tacTextPrintf(&all, "%s%s", i ? ", " : "", words[i].name);
    tacFail(err, "USAGE", "unknown condition \"%.*s\" (must be %s)", TAC_SHOWN(word), all.at ? all.at : "");
    tacTextFree(&all);
    return TAC_ERROR;
}

static tacStatus readNode(
    const tacModel *model, const tacWord *text, int depth, tacCondition *condition, tacError *err);

/* Reads the words of a condition, the first of which says which it is. */
static tacStatus readWords(const tacModel *model, const tacWord *text, const tacList *list, int depth,
    tacCondition *condition, tacError *err) {
    size_t n = list->words.count;
    const tacWord *at = list->words.at;
    const struct Word *word = words;
    while (n && word < words + WORDS && !tacWordIs(&at[0], word->name)) word++;
    if (n && word == words + WORDS) return failWord(&at[0], err);
    bool more = n && (word->kind == TAC_CONDITION_AND || word->kind == TAC_CONDITION_OR);
    if (!n || (more ? n < 3 : n != word->arguments + 1))
        return tacFail(err, "USAGE", "bad condition \"%.*s\"", TAC_SHOWN(text));
    if (word->kind < TAC_CONDITION_NOT) return model ? pushLeaf(model, condition, word, at + 1, err) : TAC_OK;
    for (size_t i = 1; i < n; i++)
        if (readNode(model, &at[i], depth + 1, condition, err) != TAC_OK) return TAC_ERROR;
    return push(condition, (tacConditionNode){.kind = word->kind, .children = (uint32_t) n - 1}, err);
}

static tacStatus readNode(
    const tacModel *model, const tacWord *text, int depth, tacCondition *condition, tacError *err) {
    tacList list = {0};
    tacError problem = {0};
    if (depth > DEEPEST) return tacFail(err, "USAGE", "the condition is nested more than %d deep", DEEPEST);
    tacStatus status = tacListSplit(&list, text->at, text->length, &problem);
    if (status == TAC_OK) status = readWords(model, text, &list, depth, condition, err);
    else if (strcmp(problem.code, "MEMORY") == 0) tacFailMemory(err);
    else tacFail(err, "USAGE", "bad condition \"%.*s\": %s", TAC_SHOWN(text), problem.message);
    tacListFree(&list);
    return status;
}

tacStatus tacConditionRead(const tacModel *model, const tacWord *text, tacCondition *condition, tacError *err) {
    *condition = (tacCondition){.text = *text};
    return readNode(model, text, 0, condition, err);
}

tacStatus tacConditionJoin(tacCondition *condition, tacCondition *during, bool negated, tacError *err) {
    size_t more = during ? during->nodes.count : 0;
    if (!tacArrayReserve(&condition->nodes, more + 2)) return tacFailMemory(err);
    if (negated)
        condition->nodes.at[condition->nodes.count++] = (tacConditionNode){.kind = TAC_CONDITION_NOT, .children = 1};
    if (!more) return TAC_OK;
    memcpy(condition->nodes.at + condition->nodes.count, during->nodes.at, more * sizeof *during->nodes.at);
    condition->nodes.count += more;
    condition->nodes.at[condition->nodes.count++] = (tacConditionNode){.kind = TAC_CONDITION_AND, .children = 2};
    tacArrayFree(&during->nodes);
    return TAC_OK;
}

void tacConditionFree(tacCondition *condition) { tacArrayFree(&condition->nodes); }

/* ---- the stretches of leaves ------------------------------------------------------------------------------------- */

static const tacStretch noStretch = {TAC_MORE, TAC_MORE};

static tacStretch nextSlice(const tacModel *model, tacConditionNode *leaf) {
    const tacTaskModel *task = &model->tasks[leaf->task];
    while (leaf->next < task->slices.count) {
        const tacSlice *slice = &task->slices.at[leaf->next++];
        if (!(leaf->states >> slice->state & 1) || slice->end == slice->begin) continue;
        if (leaf->id != TAC_NONE && model->jobs.at[slice->job].id != leaf->id) continue;
        return (tacStretch){slice->begin, slice->end};
    }
    return noStretch;
}

static tacStretch nextHold(const tacModel *model, tacConditionNode *leaf) {
    const tacTaskModel *task = &model->tasks[leaf->task];
    while (leaf->next < task->holds.count) {
        const tacHold *hold = &task->holds.at[leaf->next++];
        if (hold->mutex != leaf->index || hold->end == hold->begin) continue;
        if (leaf->id != TAC_NONE && model->jobs.at[hold->job].id != leaf->id) continue;
        return (tacStretch){hold->begin, hold->end};
    }
    return noStretch;
}

/* From the release of a job to its start. `next` is the job's index; TAC_NONE: there is none. */
static tacStretch nextWait(const tacModel *model, tacConditionNode *leaf) {
    while (leaf->next != TAC_NONE) {
        const tacJob *job = &model->jobs.at[leaf->next];
        leaf->next = job->next;
        if (job->release == TAC_UNKNOWN || (leaf->id != TAC_NONE && job->id != leaf->id)) continue;
        int64_t end = tacJobWaitEnd(model, job);
        if (end > model->end) end = model->end;
        if (end > job->release) return (tacStretch){job->release, end};
    }
    return noStretch;
}

/* Consumption, or an empty budget, between a point of the server's curve and the next one. */
static tacStretch nextPoint(const tacModel *model, tacConditionNode *leaf) {
    const tacServerModel *server = &model->servers[leaf->index];
    while (leaf->next < server->points.count) {
        const tacBudgetPoint *point = &server->points.at[leaf->next++];
        int64_t begin = point->time, end = leaf->next < server->points.count ? point[1].time : model->end;
        if (leaf->kind == TAC_CONDITION_CONSUMING && point->consumers == 0) continue;
        if (leaf->kind == TAC_CONDITION_DEPLETED && point->remainder > 0
            && (point->consumers == 0 || __builtin_add_overflow(begin, point->remainder / point->consumers, &begin)))
            continue;
        if (begin < end) return (tacStretch){begin, end};
    }
    return noStretch;
}

static tacStretch nextOf(const tacModel *model, tacConditionNode *leaf) {
    switch (leaf->kind) {
    case TAC_CONDITION_SLICES: return nextSlice(model, leaf);
    case TAC_CONDITION_HOLDS: return nextHold(model, leaf);
    case TAC_CONDITION_WAITING: return nextWait(model, leaf);
    default: return nextPoint(model, leaf);
    }
}

/* Goes on to the leaf's first stretch that ends after t; those that touch or overlap are one. */
static void advance(const tacModel *model, tacConditionNode *leaf, int64_t t) {
    while (leaf->end <= t && leaf->begin != TAC_MORE) {
        leaf->begin = leaf->ahead.begin;
        leaf->end = leaf->ahead.end;
        while ((leaf->ahead = nextOf(model, leaf)).begin <= leaf->end && leaf->begin != TAC_MORE)
            if (leaf->ahead.end > leaf->end) leaf->end = leaf->ahead.end;
    }
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

void tacConditionStart(const tacModel *model, tacCondition *condition) {
    for (size_t i = 0; i < condition->nodes.count; i++) {
        tacConditionNode *node = &condition->nodes.at[i];
        if (node->kind >= TAC_CONDITION_NOT) continue;
        node->next = node->kind == TAC_CONDITION_WAITING ? model->tasks[node->task].firstJob : 0;
        node->begin = node->end = INT64_MIN;
        node->ahead = nextOf(model, node);
    }
}

bool tacConditionAt(const tacModel *model, tacCondition *condition, int64_t t, int64_t end, int64_t *until) {
    bool values[MOST_NODES + 4]; /* of nodes whose parents come later */
    size_t n = 0;
    *until = end;
    for (size_t i = 0; i < condition->nodes.count; i++) {
        tacConditionNode *node = &condition->nodes.at[i];
        if (node->kind < TAC_CONDITION_NOT) {
            advance(model, node, t);
            int64_t change = node->begin <= t ? node->end : node->begin;
            if (change < *until) *until = change;
            values[n++] = node->begin <= t;
            continue;
        }
        n -= node->children;
        bool value = node->kind == TAC_CONDITION_AND;
        for (uint32_t k = 0; k < node->children; k++)
            value = node->kind == TAC_CONDITION_AND ? value && values[n + k] : value || values[n + k];
        values[n++] = node->kind == TAC_CONDITION_NOT ? !value : value;
    }
    return values[0];
}
