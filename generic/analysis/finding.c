/*
 * finding.c -- the array of findings, its table, and groups of those that say the same of one thing.
 *
 * Checks run one after the other and each reports in its own order. So the array is sorted (stably) when it is shown,
 * and not when something is added.
 */
#include "base/port.h"

#include "analysis/trace.h"
#include "base/sort.h"
#include "trace/diag.h"
#include "trace/times.h"

#include <string.h>

const char *const tacVerdictNames[TAC_VERDICTS + 1] = {"valid", "uncertain", "invalid", NULL};

enum { MOST_UNLISTED = 1 << 20 };

/* ---- adding and clearing ---------------------------------------------------------------------------------------- */

/* Adds the objects of a finding; false: no memory. */
static bool addObjects(tacFindings *findings, const tacFindingName *objects, uint32_t n) {
    if (!tacArrayReserve(&findings->objects, n)) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = tacIntern(&findings->names, objects[i].id, strlen(objects[i].id));
        if (id == TAC_NONE) return false;
        findings->objects.at[findings->objects.count++] = (tacFindingObject){objects[i].kind, id};
    }
    return true;
}

/* Gives a finding sentences of its own, without marks and with those that there are; false: no memory. */
static bool ownSentences(const tacTrace *trace, tacFinding *finding) {
    const char *given = finding->sentence;
    tacText plain = {0};
    bool marks = tacMomentsSay(&trace->store, given, &plain);
    finding->sentence = plain.failed ? NULL : tacCopyText(plain.at, plain.length);
    finding->marked = marks && finding->sentence ? tacCopyText(given, strlen(given)) : NULL;
    tacTextFree(&plain);
    return finding->sentence && (finding->marked || !marks);
}

static void freeSentences(tacFinding *finding) {
    tacFree(finding->sentence);
    tacFree(finding->marked);
}

tacStatus tacFindingAdd(tacTrace *trace, const tacFinding *finding, const char *check, const tacFindingName *objects,
    uint32_t nObjects, tacError *err) {
    tacFindings *findings = &trace->findings;
    tacFinding own = *finding;
    size_t n = findings->all.count;
    own.firstObject = (uint32_t) findings->objects.count;
    own.nObjects = nObjects;
    own.check = tacIntern(&findings->names, check, strlen(check));
    bool owned = ownSentences(trace, &own);
    if (own.check != TAC_NONE && owned && addObjects(findings, objects, nObjects)
        && tacArrayPush(&findings->all, own)) {
        if (n > 0 && findings->all.at[n - 1].begin > own.begin) findings->unsorted = true;
        return TAC_OK;
    }
    findings->objects.count = own.firstObject;
    freeSentences(&own);
    return tacFailMemory(err);
}

tacStatus tacFindingCount(
    tacFindings *findings, const char *check, tacSeverity severity, int64_t begin, tacError *err) {
    tacUnlisted one = {begin, tacIntern(&findings->names, check, strlen(check)), severity};
    if (findings->unlisted.count >= MOST_UNLISTED) return TAC_OK;
    return one.check != TAC_NONE && tacArrayPush(&findings->unlisted, one) ? TAC_OK : tacFailMemory(err);
}

static void clearUnlisted(tacFindings *findings, uint32_t check) {
    size_t kept = 0;
    for (size_t i = 0; i < findings->unlisted.count; i++)
        if (check != TAC_NONE && findings->unlisted.at[i].check != check)
            findings->unlisted.at[kept++] = findings->unlisted.at[i];
    findings->unlisted.count = kept;
}

void tacFindingClear(tacFindings *findings, const char *check) {
    uint32_t id = check ? tacInternFind(&findings->names, check, strlen(check)) : TAC_NONE;
    size_t kept = 0;
    if (!check || id != TAC_NONE) clearUnlisted(findings, id);
    for (size_t i = 0; i < findings->all.count; i++) {
        if (check && findings->all.at[i].check != id) findings->all.at[kept++] = findings->all.at[i];
        else freeSentences(&findings->all.at[i]);
    }
    findings->all.count = kept;
    if (kept == 0) findings->objects.count = 0, findings->unsorted = false;
}

void tacFindingsFree(tacFindings *findings) {
    tacFindingClear(findings, NULL);
    tacArrayFree(&findings->all);
    tacArrayFree(&findings->unlisted);
    tacArrayFree(&findings->objects);
    tacInternFree(&findings->names);
}

const char *tacFindingMarked(const tacFindings *findings, const char *sentence) {
    for (size_t i = 0; i < findings->all.count; i++)
        if (findings->all.at[i].marked && strcmp(findings->all.at[i].sentence, sentence) == 0)
            return findings->all.at[i].marked;
    return NULL;
}

/* TAC_UNKNOWN is the smallest time: the trace as a whole comes first. */
_Static_assert(TAC_UNKNOWN == INT64_MIN, "findings without time are sorted to the front");

static int earlier(const void *left, const void *right, const void *data) {
    const tacFinding *a = left, *b = right;
    (void) data;
    return a->begin < b->begin ? -1 : a->begin > b->begin;
}

bool tacFindingSort(tacFindings *findings) {
    if (!findings->unsorted) return true;
    if (!tacSort(findings->all.at, findings->all.count, sizeof *findings->all.at, earlier, NULL, NULL)) return false;
    findings->unsorted = false;
    return true;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

enum { TIME, END, SEVERITY, VERDICT, CHECK, SUBJECT, OBJECTS, LINE, SENTENCE, FINDING_COLUMNS };

static const tacColumn findingColumns[FINDING_COLUMNS] = {
    [TIME] = {"time", TAC_COLUMN_TIME, "when, or since when; empty: the trace as a whole", 0},
    [END] = {"end", TAC_COLUMN_TIME, "until when; empty: an instant", 0},
    [SEVERITY] = {"severity", TAC_COLUMN_TEXT, "error, warning or note", 0},
    [VERDICT] = {"verdict", TAC_COLUMN_TEXT,
        "invalid: a witness against it; uncertain: information is missing; valid: worth saying", 0},
    [CHECK] = {"check", TAC_COLUMN_TEXT, "which check found it", 0},
    [SUBJECT] = {"subject", TAC_COLUMN_TEXT, "the task that it is about, by name, or its first object", 0},
    [OBJECTS] = {"objects", TAC_COLUMN_TEXT, "what it is about: kind and id of each", 0},
    [LINE] = {"line", TAC_COLUMN_COUNT, "of the file; empty: none", 0},
    [SENTENCE] = {"sentence", TAC_COLUMN_TEXT, "what was expected and what happened", 0},
};

const tacColumn *tacFindingColumns(int *nColumns) {
    *nColumns = FINDING_COLUMNS;
    return findingColumns;
}

static tacColumnTrait findingTrait(const tacTable *table, int column) {
    (void) table;
    return (tacColumnTrait){NULL, column == SEVERITY ? tacSeverityNames : column == VERDICT ? tacVerdictNames : NULL};
}

typedef struct View { /* of a table */
    const tacTrace *trace;
    const tacFindings *findings;
    tacText objects; /* of the cell asked for last */
    bool failed;
} View;

/* The objects of a finding as text: "job a.1, server C1". */
static const char *objectsText(View *view, const tacFinding *finding) {
    const tacFindings *findings = view->findings;
    view->objects.length = 0;
    tacTextAddString(&view->objects, "");
    for (uint32_t i = 0; i < finding->nObjects; i++) {
        const tacFindingObject *object = &findings->objects.at[finding->firstObject + i];
        if (i) tacTextAddString(&view->objects, ", ");
        tacTextAddString(&view->objects, tacKindNames[object->kind]);
        tacTextAddString(&view->objects, " ");
        tacTextAddString(&view->objects, tacInternName(&findings->names, object->id, NULL));
    }
    view->failed |= view->objects.failed;
    return view->objects.failed ? NULL : view->objects.at;
}

static void findingCell(const tacTable *table, uint64_t row, int column, tacCell *cell) {
    View *view = table->data;
    if (row >= view->findings->all.count) return;
    const tacFinding *finding = &view->findings->all.at[row];
    switch (column) {
    case TIME: tacCellTime(cell, finding->begin); break;
    case END: tacCellTime(cell, finding->end); break;
    case SEVERITY: tacCellString(cell, tacSeverityName(finding->severity)); break;
    case VERDICT: tacCellString(cell, tacVerdictNames[finding->verdict]); break;
    case CHECK: tacCellString(cell, tacInternName(&view->findings->names, finding->check, NULL)); break;
    case SUBJECT: {
        const char *subject = tacFindingSubject(view->trace, finding);
        if (*subject) tacCellString(cell, subject);
        break;
    }
    case OBJECTS:
        if (finding->nObjects) tacCellString(cell, objectsText(view, finding));
        break;
    case LINE:
        if (finding->line) tacCellCount(cell, finding->line);
        break;
    case SENTENCE: tacCellString(cell, finding->sentence); break;
    }
}

static void releaseView(void *data) {
    View *view = data;
    tacTextFree(&view->objects);
    tacFree(view);
}

/* Sorting counts as no change of the findings, since the order in which they were added means nothing. */
tacStatus tacFindingTable(const tacTrace *trace, tacTable *table, tacError *err) {
    View *view = tacAllocZero(1, sizeof *view);
    *table = (tacTable){.nRows = 0};
    if (!view || !tacFindingSort((tacFindings *) &trace->findings)) {
        tacFree(view);
        return tacFailMemory(err);
    }
    view->trace = trace;
    view->findings = &trace->findings;
    *table = (tacTable){.title = "findings",
        .columns = findingColumns,
        .nColumns = FINDING_COLUMNS,
        .nRows = trace->findings.all.count,
        .digits = trace->store.digits,
        .trait = findingTrait,
        .cell = findingCell,
        .data = view,
        .release = releaseView,
        .failed = &view->failed};
    return TAC_OK;
}

/* ---- what they are about ---------------------------------------------------------------------------------------- */

/* Index of the task that an object is, or whose job it is; TAC_NONE: it is neither. */
static uint32_t taskOf(const tacTrace *trace, tacFindingObject object) {
    size_t length;
    const char *id = tacInternName(&trace->findings.names, object.id, &length);
    if (object.kind == TAC_TASK) return tacInternFind(&trace->store.ids[TAC_TASK], id, length);
    uint32_t job = object.kind == TAC_JOB ? tacInternFind(&trace->store.ids[TAC_JOB], id, length) : TAC_NONE;
    uint32_t last = job < trace->model.lastJob.count ? trace->model.lastJob.at[job] : TAC_NONE;
    return last == TAC_NONE ? TAC_NONE : trace->model.jobs.at[last].task;
}

const char *tacFindingSubject(const tacTrace *trace, const tacFinding *finding) {
    const tacFindingObject *objects = finding->nObjects ? trace->findings.objects.at + finding->firstObject : NULL;
    static const tacKind kinds[] = {TAC_TASK, TAC_JOB};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (uint32_t i = 0; i < finding->nObjects; i++) {
            uint32_t task = objects[i].kind == kinds[k] ? taskOf(trace, objects[i]) : TAC_NONE;
            if (task < trace->store.objects[TAC_TASK].count) return tacObjectName(&trace->store, TAC_TASK, task);
        }
    }
    return finding->nObjects ? tacInternName(&trace->findings.names, objects->id, NULL) : "";
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

typedef struct GroupKey { /* followed by the subject */
    uint32_t check;
    uint8_t verdict, severity;
} GroupKey;

/* The group of a finding: a number from 0 on for each check, verdict, severity and subject; TAC_NONE: no memory. */
static uint32_t groupOf(const tacTrace *trace, const tacFinding *finding, tacInternTable *keys, tacText *key) {
    GroupKey head;
    memset(&head, 0, sizeof head); /* padding, too, since bytes are compared */
    head.check = finding->check;
    head.verdict = (uint8_t) finding->verdict;
    head.severity = (uint8_t) finding->severity;
    key->length = 0;
    tacTextAdd(key, (const char *) &head, sizeof head);
    tacTextAddString(key, tacFindingSubject(trace, finding));
    return key->failed ? TAC_NONE : tacIntern(keys, key->at, key->length);
}

/* Graver ones come first, of these the earlier ones. */
static int compareGroups(const void *left, const void *right, const void *data) {
    const tacFinding *all = data, *a = &all[((const tacFindingGroup *) left)->first],
                     *b = &all[((const tacFindingGroup *) right)->first];
    if (a->verdict != b->verdict) return a->verdict > b->verdict ? -1 : 1;
    if (a->severity != b->severity) return a->severity > b->severity ? -1 : 1;
    return a < b ? -1 : a > b;
}

tacStatus tacFindingsGroup(const tacTrace *trace, tacFindingGroups *groups, tacError *err) {
    const tacFindings *findings = &trace->findings;
    tacInternTable keys = {0};
    tacText key = {0};
    bool ok = tacFindingSort((tacFindings *) findings);
    groups->count = 0;
    for (uint32_t i = 0; ok && i < findings->all.count; i++) {
        uint32_t group = groupOf(trace, &findings->all.at[i], &keys, &key);
        ok = group != TAC_NONE
            && (group < groups->count || tacArrayPush(groups, ((tacFindingGroup){.first = i, .count = 0})));
        if (ok) groups->at[group].count++;
    }
    tacTextFree(&key);
    tacInternFree(&keys);
    ok = ok && tacSort(groups->at, groups->count, sizeof *groups->at, compareGroups, findings->all.at, NULL);
    return ok ? TAC_OK : tacFailMemory(err);
}
