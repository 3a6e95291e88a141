/*
 * btf.c -- recognizes a BTF file, hands each of its rows to the handler of its type, and defines the objects that the
 * rows name.
 */
#include "base/port.h"

#include "import/btf/btf.h"
#include "import/btf/state.h"
#include "import/lines.h"

#include <stdio.h>
#include <string.h>

/* ---- recognition ------------------------------------------------------------------------------------------------- */

/* Types of entities (Table 3). handler NULL: rows of this type are known, but not shown. */
static const struct {
    const char *name;
    tacBtfHandler *handler;
} types[] = {
    {"T", tacBtfProcessRow},
    {"I", tacBtfProcessRow},
    {"ISR", tacBtfProcessRow}, /* as some tracers write it; its name until 2.1.4 */
    {"R", tacBtfRunnableRow},
    {"C", tacBtfCoreRow},
    {"STI", tacBtfStimulusRow},
    {"SEM", tacBtfSemaphoreRow},
    {"SIG", NULL},
    {"EVENT", NULL},
    {"SCHED", NULL},
    {"SIM", NULL},
    {"SYS", NULL},
    {"IB", NULL},
    {"ECU", NULL},
    {"Processor", NULL},
    {"M", NULL},
};

enum { TYPES = sizeof types / sizeof *types, LINES_TRIED = 200, ROWS_WANTED = 3 };

static int typeOf(const tacWord *word) {
    for (int i = 0; i < TYPES; i++)
        if (tacWordIs(word, types[i].name)) return i;
    return -1;
}

/* A BTF file has more rows than other lines, or is a header alone. Without a header its rows must be of known types. */
bool tacBtfRecognize(const char *text, size_t length) {
    tacBtfHeader header = {.scale = 9};
    const char *at = text, *end = text + length;
    int rows = 0, others = 0;
    for (int line = 0; line < LINES_TRIED && at < end && rows < ROWS_WANTED; line++) {
        const char *newline = memchr(at, '\n', (size_t) (end - at));
        tacBtfRow row;
        tacError err = {{0}, {0}};
        if (!newline && rows) break;
        tacBtfLine kind = tacBtfParse(&header, at, (size_t) ((newline ? newline : end) - at), &row, &err);
        rows += kind == TAC_BTF_ROW && (typeOf(&row.type) >= 0 || header.version);
        others += kind == TAC_BTF_WRONG && *at != '#';
        at = newline ? newline + 1 : end;
    }
    tacBtfHeaderFree(&header);
    if (rows == 0) return others == 0 && header.version && header.other;
    return rows + header.version > others;
}

/* ---- shared by handlers ------------------------------------------------------------------------------------------ */

bool tacBtfAppend(tacBtf *b, tacEvent event, uint32_t subject, uint32_t object, uint16_t core) {
    return tacStoreAppend(b->store, b->now, event, subject, object, core, b->line, b->err) != TAC_NONE;
}

bool tacBtfOption(tacBtf *b, tacOption option, uint32_t string) {
    if (string != TAC_NONE && tacStoreAddOption(b->store, tacStoreCount(b->store) - 1, option, string)) return true;
    return tacFailMemory(b->err), false;
}

uint32_t tacBtfString(tacBtf *b, const tacWord *first, const tacWord *second) {
    tacText text = {0};
    tacTextAdd(&text, first->at, first->length);
    if (second->length) tacTextAdd(&text, " ", 1);
    tacTextAdd(&text, second->at, second->length);
    uint32_t id = text.failed ? TAC_NONE : tacIntern(&b->store->strings, text.at ? text.at : "", text.length);
    tacTextFree(&text);
    if (id == TAC_NONE) tacFailMemory(b->err);
    return id;
}

bool tacBtfNotUsed(tacBtf *b, const tacBtfRow *row, bool known) {
    tacText name = {0};
    tacTextAdd(&name, row->type.at, tacWholeLength(row->type.at, row->type.length, 40));
    tacTextAddString(&name, "\" with the event \"");
    tacTextAdd(&name, row->event.at, tacWholeLength(row->event.at, row->event.length, 40));
    uint32_t id = name.failed ? TAC_NONE : tacIntern(&b->unusedNames, name.at, name.length);
    tacTextFree(&name);
    if (id == TAC_NONE || (id == b->unused.count && !tacArrayPush(&b->unused, (tacBtfUnused){0, b->line, known})))
        return tacFailMemory(b->err), false;
    b->unused.at[id].count++;
    return true;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool takeRow(tacBtf *b, const tacBtfRow *row) {
    int type = typeOf(&row->type);
    b->begun = true;
    if (type < 0 || !types[type].handler) return tacBtfNotUsed(b, row, type >= 0);
    if (row->target.length == 0) {
        tacDiagAdd(b->diag, TAC_SEVERITY_ERROR, b->line, "SYNTAX", "the row names no target");
        return true;
    }
    return types[type].handler(b, row);
}

/* Sets b->now. The time scale of the first row decides the store's decimals; false: they do not hold this time. */
static bool takeTime(tacBtf *b, const tacDecimal *time) {
    bool rounded = false;
    int64_t ticks;
    if (!b->begun && b->store->digits < b->header.scale) b->store->digits = b->header.scale;
    if (!tacDecimalShift(time->mantissa, b->store->digits - time->digits, &ticks, &rounded) || rounded
        || !tacIsTime(ticks))
        return false;
    b->now = ticks;
    return true;
}

/* Leaves out a wrong line with a remark. */
static tacStatus loseLine(tacBtf *b, const tacLine *line, const tacError *why, tacError *err) {
    if (strncmp(why->code, "MEMORY", 6) == 0) return tacFailMemory(err);
    if (line->half) return TAC_OK; /* told already */
    bool version = strcmp(why->code, "VERSION") == 0;
    tacDiagAdd(
        b->diag, version ? TAC_SEVERITY_WARNING : TAC_SEVERITY_ERROR, line->number, why->code, "%s", why->message);
    return TAC_OK;
}

/* Bytes of the tables that are of this reader alone. */
static uint64_t bytesOf(const tacBtf *b) {
    return b->processes.capacity * sizeof *b->processes.at + b->jobs.capacity * sizeof *b->jobs.at
        + b->cores.capacity * sizeof *b->cores.at + b->mutexes.capacity * sizeof *b->mutexes.at
        + b->semaphores.capacity * sizeof *b->semaphores.at + b->queues.capacity * sizeof *b->queues.at
        + b->open.capacity * sizeof *b->open.at + b->unused.capacity * sizeof *b->unused.at
        + tacInternBytes(&b->unusedNames);
}

static tacStatus takeLine(void *data, const tacLine *line, tacError *err) {
    tacBtf *b = data;
    tacBtfRow row;
    tacError why = {{0}, {0}};
    int scale = b->header.scale;
    b->line = line->number;
    b->err = err;
    if (line->number % TAC_READER_LINES == 0 && tacStoreReader(b->store, bytesOf(b), line->number, err) != TAC_OK)
        return TAC_ERROR;
    tacBtfLine kind = tacBtfParse(&b->header, line->at, line->length, &row, &why);
    if (b->header.scale != scale && b->begun)
        tacDiagAdd(b->diag, TAC_SEVERITY_WARNING, line->number, "HEADER",
            "the time scale changes after the first rows; it holds from here on");
    /* Also of a row that can be read: its last word may be a part of one. */
    if (line->half && line->length && line->at[0] != '#')
        tacDiagAdd(b->diag, TAC_SEVERITY_ERROR, line->number, TAC_READ_CUT, "the file ends within a line");
    if (kind == TAC_BTF_WRONG) return loseLine(b, line, &why, err);
    if (kind == TAC_BTF_TYPE_OF)
        return !tacWordIs(&row.type, "C") || tacBtfDeclareCore(b, &row.target) ? TAC_OK : TAC_ERROR;
    if (kind != TAC_BTF_ROW) return TAC_OK;
    if (!takeTime(b, &row.time)) {
        tacFail(&why, "TIME", "the time must be a whole number of steps of the time scale, less than 2^62");
        return loseLine(b, line, &why, err);
    }
    return takeRow(b, &row) ? TAC_OK : TAC_ERROR;
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static tacObject *define(tacBtf *b, tacKind kind, uint32_t index, uint32_t line) {
    tacObject *object = &b->store->objects[kind].at[index];
    object->line = line;
    object->order = b->store->nDefinitions++;
    return object;
}

/* Defines all objects. The capacity of a queue is the most elements that it had. */
static bool defineAll(tacBtf *b) {
    tacStore *store = b->store;
    bool done = true;
    for (uint32_t i = 0; i < b->cores.count; i++) define(b, TAC_PROCESSOR, i, b->cores.at[i].line);
    for (uint32_t i = 0; i < b->processes.count && done; i++) {
        tacObject *task = define(b, TAC_TASK, i, b->processes.at[i].line);
        if (!b->processes.at[i].isr) continue;
        uint32_t kind = tacIntern(&store->strings, "isr", 3);
        task->isr = true;
        done = kind != TAC_NONE
            && tacArrayPush(&store->objectOptions[TAC_TASK], (tacOptionValue){i, TAC_OPT_TASK_KIND, kind});
    }
    for (uint32_t i = 0; i < b->mutexes.count; i++) define(b, TAC_MUTEX, i, b->mutexes.at[i].line);
    for (uint32_t i = 0; i < b->semaphores.count; i++) define(b, TAC_SEMAPHORE, i, b->semaphores.at[i].line);
    for (uint32_t i = 0; i < b->queues.count && done; i++) {
        int64_t most = b->queues.at[i].most ? b->queues.at[i].most : 1;
        define(b, TAC_BUFFER, i, b->queues.at[i].line)->capacity = most;
        done = tacArrayPush(&store->objectOptions[TAC_BUFFER], (tacOptionValue){i, TAC_OPT_CAPACITY, most});
    }
    return done;
}

/* Remarks on rows that were not used, one for each type and event. */
static void remarkUnused(const tacBtf *b) {
    for (uint32_t i = 0; i < b->unused.count; i++) {
        const tacBtfUnused *unused = &b->unused.at[i];
        tacDiagAdd(b->diag, unused->known ? TAC_SEVERITY_NOTE : TAC_SEVERITY_WARNING, unused->line, "BTF",
            "rows of type \"%s\" are %s: %llu", tacInternName(&b->unusedNames, i, NULL),
            unused->known ? "not shown" : "not known", (unsigned long long) unused->count);
    }
    if (b->deep)
        tacDiagAdd(b->diag, TAC_SEVERITY_WARNING, 0, "BTF",
            "runnables that are not shown, since too many had begun in their task: %u", b->deep);
    if (!b->begun && !tacDiagErrors(b->diag))
        tacDiagAdd(b->diag, TAC_SEVERITY_WARNING, 0, "EMPTY", "nothing was recorded: the trace has no rows");
}

static void freeState(tacBtf *b) {
    tacBtfHeaderFree(&b->header);
    tacArrayFree(&b->processes);
    tacArrayFree(&b->jobs);
    tacArrayFree(&b->cores);
    tacArrayFree(&b->mutexes);
    tacArrayFree(&b->semaphores);
    tacArrayFree(&b->queues);
    tacArrayFree(&b->open);
    tacInternFree(&b->unusedNames);
    tacArrayFree(&b->unused);
}

/* Defines the objects also after a limit has ended the reading, for the rows before it. */
tacStatus tacBtfRead(tacImport *import, tacError *err) {
    tacSink sink = tacImportSink(import);
    tacBtf b = {
        .store = import->store, .diag = import->diag, .header.scale = 9, .now = TAC_UNKNOWN, .freeOpen = TAC_NONE};
    import->unit = "s";
    tacStatus status = tacLinesRead(import->source, &sink, takeLine, &b, err);
    if (b.now != TAC_UNKNOWN) tacBtfEndRunnables(&b);
    if (!defineAll(&b) && status == TAC_OK) status = tacFailMemory(err);
    remarkUnused(&b);
    freeState(&b);
    return status;
}
