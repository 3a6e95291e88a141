/*
 * instances.c -- the instances of models as rows: where they were, how they were judged.
 *
 * Names, states and paths are kept once each, and their numbers are those of tacTable.group: most instances of a model
 * go the same few ways.
 */
#include "base/port.h"

#include "base/sort.h"
#include "judge/instances.h"
#include "judge/limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PATH = 200, MOST_HELP = 200 }; /* bytes */

typedef struct Row {
    uint32_t order;                   /* of the model: its statement */
    uint32_t model, key, state, path; /* in `texts`; TAC_NONE: empty */
    tacVerdict verdict;
    int64_t begin, end; /* ticks */
    size_t first;       /* of the results of its constraints; */
    uint32_t nResults;
} Row;

typedef struct Result { /* of a constraint for an instance */
    double value;       /* of the left side; NAN: not known */
    bool judged;
    uint8_t verdict;
} Result;

typedef struct Live { /* the instance in a place of its automaton */
    size_t row;
    tacText path;   /* without its last state: */
    uint32_t state; /* which was entered so many times in a row: */
    uint64_t times;
} Live;

typedef TAC_ARRAY(Live) Places;

struct tacInstances {
    const tacModel *model; /* this and the next three until the table is made */
    const tacStatement *statements;
    const tacAutomaton *automata;
    tacModelTables *tallies; /* NULL: none are kept */
    bool onlyTallies;        /* no rows are kept */
    Places *places;          /* by automaton */
    size_t nAutomata;
    int digits;
    bool failed; /* there was no memory; what comes later is not written down */
    TAC_ARRAY(Row) rows;
    TAC_ARRAY(Result) results;
    tacInternTable texts;
    tacColumn *columns;
    const char **units;       /* by constraint: of the left side */
    TAC_ARRAY(char *) labels; /* of the columns of constraints: names and helps */
    char timeUnit[8];
};

/* ---- writing down ------------------------------------------------------------------------------------------------ */

tacInstances *tacInstancesNew(
    const tacModel *model, const tacStatement *statements, const tacAutomaton *automata, size_t n) {
    tacInstances *in = tacAllocZero(1, sizeof *in);
    if (!in) return NULL;
    *in = (tacInstances){.model = model,
        .statements = statements,
        .automata = automata,
        .nAutomata = n,
        .digits = model->store->digits,
        .places = tacAllocZero(n + 1, sizeof *in->places)};
    if (in->places) return in;
    tacInstancesFree(in);
    return NULL;
}

void tacInstancesTally(tacInstances *in, tacModelTables *tallies, bool rows) {
    in->tallies = tallies;
    in->onlyTallies = !rows;
}

static uint32_t textOf(tacInstances *in, const char *text, size_t length) {
    uint32_t id = tacIntern(&in->texts, text, length);
    in->failed |= id == TAC_NONE;
    return id;
}

/* Id of the object of an instance; TAC_NONE: of the trace. */
static uint32_t keyOf(tacInstances *in, tacEach each, uint32_t object) {
    if (each == TAC_EACH_TRACE) return TAC_NONE;
    const char *id = tacEachId(in->model, each, object);
    return textOf(in, id, strlen(id));
}

void tacInstanceBegins(tacInstances *in, size_t k, uint32_t place, uint32_t object, const tacWord *key, int64_t time) {
    const tacAutomaton *a = &in->automata[k];
    if (in->tallies) tacModelBegins(in->tallies, k, place, object, key, time);
    if (in->onlyTallies) return;
    Row row = {.order = (uint32_t) (a->statement - in->statements),
        .begin = time,
        .end = TAC_UNKNOWN,
        .first = in->results.count,
        .nResults = a->nConstraints};
    row.model = textOf(in, a->name.at, a->name.length);
    row.key = key ? textOf(in, key->at, key->length) : keyOf(in, a->each, object);
    for (uint32_t i = 0; i < a->nConstraints && !in->failed; i++)
        in->failed = !tacArrayPush(&in->results, (Result){.value = NAN});
    while (!in->failed && in->places[k].count <= place) in->failed = !tacArrayPush(&in->places[k], (Live){.times = 0});
    if (in->failed || !tacArrayPush(&in->rows, row)) {
        in->failed = true;
        return;
    }
    Live *live = &in->places[k].at[place];
    live->row = in->rows.count - 1;
    live->path.length = 0;
    live->state = a->initial;
    live->times = 1;
}

/* Adds the last state to the path, and how many times it was entered in a row. */
static void addState(const tacInternTable *states, Live *live) {
    size_t length;
    const char *name = tacInternName(states, live->state, &length);
    if (live->path.length > MOST_PATH) return;
    if (live->path.length) tacTextAdd(&live->path, " ", 1);
    tacTextAdd(&live->path, name, length);
    if (live->times > 1) tacTextPrintf(&live->path, " x%llu", (unsigned long long) live->times);
}

void tacInstanceTakes(tacInstances *in, size_t k, uint32_t place, uint32_t transition, int64_t time) {
    uint32_t state = in->automata[k].transitions.at[transition].to;
    if (in->tallies) tacModelTakes(in->tallies, k, place, transition, time);
    if (in->failed || in->onlyTallies) return;
    Live *live = &in->places[k].at[place];
    if (live->state != state) {
        addState(&in->automata[k].states, live);
        live->state = state;
        live->times = 0;
    }
    live->times++;
}

void tacInstanceJudges(
    tacInstances *in, size_t k, uint32_t place, uint32_t constraint, tacVerdict verdict, double value) {
    if (in->tallies) tacModelJudges(in->tallies, k, constraint, verdict);
    if (in->failed || in->onlyTallies) return;
    Result *result = &in->results.at[in->rows.at[in->places[k].at[place].row].first + constraint];
    bool better = result->judged && verdict <= (tacVerdict) result->verdict && result->verdict != TAC_VERDICT_VALID;
    if (!better) *result = (Result){value, true, (uint8_t) verdict};
}

void tacInstanceSeeks(tacInstances *in, size_t k, uint32_t place, uint32_t constraint, double value, int side) {
    if (!in->failed && !in->onlyTallies) {
        const Result *result = &in->results.at[in->rows.at[in->places[k].at[place].row].first + constraint];
        bool valid = result->judged && result->verdict == TAC_VERDICT_VALID;
        if (valid && (side > 0 ? result->value > value : result->value < value)) value = result->value;
    }
    tacInstanceJudges(in, k, place, constraint, TAC_VERDICT_VALID, value);
}

void tacInstancesFar(tacInstances *in, size_t k, uint32_t constraint, double low, double high) {
    uint32_t order = (uint32_t) (in->automata[k].statement - in->statements);
    for (size_t i = 0; i < in->rows.count && !in->failed; i++) {
        Row *row = &in->rows.at[i];
        if (row->order != order || constraint >= row->nResults) continue;
        Result *result = &in->results.at[row->first + constraint];
        if (!result->judged || result->verdict != TAC_VERDICT_VALID || (result->value >= low && result->value <= high))
            continue;
        result->verdict = TAC_VERDICT_UNCERTAIN;
        if (row->verdict == TAC_VERDICT_VALID) row->verdict = TAC_VERDICT_UNCERTAIN;
    }
}

void tacInstanceStays(tacInstances *in, size_t k, const tacStatement *invariant, tacVerdict verdict) {
    if (in->tallies) tacModelStays(in->tallies, k, invariant, verdict);
}

void tacInstanceEnds(tacInstances *in, size_t k, uint32_t place, tacVerdict verdict, int64_t time) {
    const tacInternTable *states = &in->automata[k].states;
    size_t length;
    if (in->tallies) tacModelEnds(in->tallies, k, place, verdict, time);
    if (in->failed || in->onlyTallies) return;
    Live *live = &in->places[k].at[place];
    Row *row = &in->rows.at[live->row];
    const char *state = tacInternName(states, live->state, &length);
    row->state = textOf(in, state, length);
    addState(states, live);
    if (live->path.length > MOST_PATH) {
        live->path.length = tacWholeLength(live->path.at, live->path.length, MOST_PATH - 3);
        tacTextAddString(&live->path, "...");
    }
    in->failed |= live->path.failed;
    row->path = in->failed ? TAC_NONE : textOf(in, live->path.at, live->path.length);
    row->verdict = verdict;
    row->end = time;
}

void tacInstancesMissing(tacInstances *in, const tacStatement *statement) {
    Row row = {.order = (uint32_t) (statement - in->statements),
        .key = TAC_NONE,
        .state = TAC_NONE,
        .path = TAC_NONE,
        .verdict = TAC_VERDICT_UNCERTAIN,
        .begin = TAC_UNKNOWN,
        .end = TAC_UNKNOWN};
    row.model = textOf(in, statement->words[1].at, statement->words[1].length);
    in->failed = in->failed || !tacArrayPush(&in->rows, row);
}

/* Lets go of what is needed only until the table is made. */
static void endWriting(tacInstances *in) {
    for (size_t k = 0; in->places && k < in->nAutomata; k++) {
        for (size_t i = 0; i < in->places[k].count; i++) tacTextFree(&in->places[k].at[i].path);
        tacArrayFree(&in->places[k]);
    }
    tacFree(in->places);
    in->places = NULL;
    in->automata = NULL;
    in->tallies = NULL;
    in->statements = NULL;
    in->model = NULL;
}

void tacInstancesFree(tacInstances *in) {
    if (!in) return;
    endWriting(in);
    for (size_t i = 0; i < in->labels.count; i++) tacFree(in->labels.at[i]);
    tacArrayFree(&in->labels);
    tacArrayFree(&in->rows);
    tacArrayFree(&in->results);
    tacInternFree(&in->texts);
    tacFree(in->columns);
    tacFree(in->units);
    tacFree(in);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

enum { MODEL, KEY, BEGIN, END, STATE, PATH, VERDICT, FIXED };

static const tacColumn fixedColumns[FIXED] = {
    [MODEL] = {"model", TAC_COLUMN_TEXT, "the model's name", 0},
    [KEY] = {"key", TAC_COLUMN_TEXT,
        "id of the instance's task, job or processor, or its value of the field; empty: the trace", 0},
    [BEGIN] = {"begin", TAC_COLUMN_TIME, "begin of the instance", 0},
    [END] = {"end", TAC_COLUMN_TIME, "end of the instance, or of the recording", 0},
    [STATE] = {"state", TAC_COLUMN_TEXT, "the state in which it ended", 0},
    [PATH] = {"path", TAC_COLUMN_TEXT, "the states that it went through, at most 200 bytes of them", 0},
    [VERDICT] = {"verdict", TAC_COLUMN_TEXT, "valid, uncertain or invalid: the worst of its verdicts", 0},
};

static const char *unitOf(const tacRelationTest *test) {
    if (tacComparesShares(&test->left, &test->right) || tacComparesShares(&test->right, &test->left)) return "%";
    return tacExpressionIsTime(&test->left) ? tacUnitOfTimes : NULL;
}

/* The constraint of that number, or NULL. */
static const tacRelationTest *constraintOf(const tacAutomaton *a, uint32_t number) {
    for (size_t i = 0; number < a->nConstraints && i < a->transitions.count; i++) {
        const tacTransition *transition = &a->transitions.at[i];
        for (size_t k = 0; k < transition->actions.count; k++) {
            const tacAction *action = &transition->actions.at[k];
            if (action->kind == TAC_ACTION_REQUIRE && action->constraint == number) return &action->test;
        }
    }
    return NULL;
}

/* Keeps a text for a column; takes it over. NULL: no memory. */
static const char *keep(tacInstances *in, tacText *text) {
    if (!text->failed && tacArrayPush(&in->labels, text->at)) return text->at;
    tacTextFree(text);
    in->failed = true;
    return NULL;
}

/* Makes the two columns of a constraint: its text (of each model) is their help, and its unit that of all models. */
static void addConstraint(tacInstances *in, uint32_t number) {
    tacColumn *column = &in->columns[FIXED + 2 * number];
    tacText name = {0}, second = {0}, help = {0}, verdict = {0};
    bool known = false;
    for (size_t k = 0; k < in->nAutomata; k++) {
        const tacAutomaton *a = &in->automata[k];
        const tacRelationTest *test = constraintOf(a, number);
        if (!test || help.length > MOST_HELP) continue;
        if (in->nAutomata > 1) tacTextPrintf(&help, "%s%.*s: ", help.length ? "; " : "", TAC_SHOWN(&a->name));
        tacTextPrintf(&help, "%s %s %s", test->left.text, tacComparisonWords[test->op], test->right.text);
        in->units[number] = !known || in->units[number] == unitOf(test) ? unitOf(test) : NULL;
        known = true;
    }
    if (help.length > MOST_HELP) {
        help.length = tacWholeLength(help.at, help.length, MOST_HELP - 3);
        tacTextAddString(&help, "...");
    }
    tacTextPrintf(&name, "r%u", (unsigned) number + 1);
    tacTextPrintf(&second, "r%uverdict", (unsigned) number + 1);
    tacTextPrintf(&verdict, "verdict of %s", help.at ? help.at : "");
    column[0] = (tacColumn){keep(in, &name), TAC_COLUMN_NUMBER, keep(in, &help), 0};
    column[1] = (tacColumn){keep(in, &second), TAC_COLUMN_TEXT, keep(in, &verdict), 0};
}

static int makeColumns(tacInstances *in) {
    uint32_t most = 0;
    for (size_t k = 0; k < in->nAutomata; k++)
        if (in->automata[k].nConstraints > most) most = in->automata[k].nConstraints;
    in->columns = tacAllocZero((size_t) FIXED + 2 * (size_t) most, sizeof *in->columns);
    in->units = tacAllocZero((size_t) most + 1, sizeof *in->units);
    if (!in->columns || !in->units) return in->failed = true, 0;
    memcpy(in->columns, fixedColumns, sizeof fixedColumns);
    for (uint32_t i = 0; i < most && !in->failed; i++) addConstraint(in, i);
    return FIXED + 2 * (int) most;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static uint32_t rowText(const Row *row, int column) {
    switch (column) {
    case MODEL: return row->model;
    case KEY: return row->key;
    case STATE: return row->state;
    default: return row->path;
    }
}

static void instanceCell(const tacTable *table, uint64_t index, int column, tacCell *cell) {
    const tacInstances *in = table->data;
    const Row *row = &in->rows.at[index];
    uint32_t number = (uint32_t) (column - FIXED) / 2, text;
    if (column == BEGIN) tacCellTime(cell, row->begin);
    else if (column == END) tacCellTime(cell, row->end);
    else if (column == VERDICT) tacCellString(cell, tacVerdictNames[row->verdict]);
    else if (column >= FIXED) {
        const Result *result = number < row->nResults ? &in->results.at[row->first + number] : NULL;
        if (!result || !result->judged) return;
        if ((column - FIXED) % 2) tacCellString(cell, tacVerdictNames[result->verdict]);
        else tacCellNumber(cell, result->value);
    } else if ((text = rowText(row, column)) != TAC_NONE) {
        cell->known = true;
        cell->text = tacInternName(&in->texts, text, &cell->length);
    }
}

static bool instanceGroup(const tacTable *table, uint64_t row, int column, uint64_t *number) {
    if (column != MODEL && column != KEY && column != STATE && column != PATH) return false;
    *number = rowText(&((const tacInstances *) table->data)->rows.at[row], column);
    return true;
}

static tacColumnTrait instanceTrait(const tacTable *table, int column) {
    const tacInstances *in = table->data;
    bool value = column >= FIXED && (column - FIXED) % 2 == 0, verdict = column == VERDICT || column > FIXED;
    return (tacColumnTrait){value ? in->units[(column - FIXED) / 2] : NULL, verdict && !value ? tacVerdictNames : NULL};
}

static void release(void *data) { tacInstancesFree(data); }

static int compareRows(const void *left, const void *right, const void *data) {
    uint32_t a = ((const Row *) left)->order, b = ((const Row *) right)->order;
    (void) data;
    return a < b ? -1 : a > b;
}

tacStatus tacInstancesTable(tacInstances *in, tacVerdict verdict, tacTable *table, tacError *err) {
    const char *unit = in->model->store->unit;
    size_t kept = 0;
    int nColumns = makeColumns(in);
    endWriting(in);
    for (size_t i = 0; i < in->rows.count; i++)
        if (verdict == TAC_VERDICTS || in->rows.at[i].verdict == verdict) in->rows.at[kept++] = in->rows.at[i];
    in->rows.count = kept;
    if (in->failed || !tacSort(in->rows.at, kept, sizeof *in->rows.at, compareRows, NULL, NULL)) {
        tacInstancesFree(in);
        return tacFailMemory(err);
    }
    snprintf(in->timeUnit, sizeof in->timeUnit, "%s", unit ? unit : "");
    *table = (tacTable){.title = "instances",
        .columns = in->columns,
        .nColumns = nColumns,
        .nRows = kept,
        .digits = in->digits,
        .timeUnit = unit ? in->timeUnit : NULL,
        .trait = instanceTrait,
        .cell = instanceCell,
        .data = in,
        .release = release,
        .group = instanceGroup};
    return TAC_OK;
}
