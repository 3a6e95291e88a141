/*
 * record.c -- a recording of sensors as a format: catalogue, axis of time, and the elements to their meanings.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/sort.h"
#include "import/record/record.h"
#include "import/record/state.h"

#include <stdio.h>
#include <string.h>

enum { MENTIONED = 8192 }; /* processors of a machine that are mentioned: no kernel has more */

/* All meanings; the first one that fits a sensor is its own. */
static const tacRecordMeaning meanings[] = {
    {"kernel:*", TACREC_SOURCE_KERNEL, .begin = tacRecordKernelBegin, .sensor = tacRecordKernelSensor,
        .read = tacRecordKernelRead, .finish = tacRecordKernelFinish, .free = tacRecordKernelFree},
    {"tactus.*", TACREC_SOURCE_PROGRAM, .sensor = tacRecordVocabularySensor, .element = tacRecordVocabularyElement,
        .lost = tacRecordVocabularyLost, .finish = tacRecordVocabularyFinish, .free = tacRecordVocabularyFree},
    {.names = NULL},
};

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static int byNumber(const void *left, const void *right, const void *data) {
    const tacRecordPacket *a = left, *b = right;
    (void) data;
    if (a->sensor != b->sensor) return a->sensor < b->sensor ? -1 : 1;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int bySequence(const void *left, const void *right, const void *data) {
    const tacRecordLost *a = left, *b = right;
    (void) data;
    if (a->sensor != b->sensor) return a->sensor < b->sensor ? -1 : 1;
    if (a->sequence != b->sequence) return a->sequence < b->sequence ? -1 : 1;
    return a->packets > b->packets ? -1 : a->packets < b->packets;
}

/* Sorts the packets and lets each sensor know which are its own. */
static bool sharePackets(tacRecord *r) {
    if (!tacSort(r->packets.at, r->packets.count, sizeof *r->packets.at, byNumber, NULL, r->import->progress))
        return false;
    for (size_t i = 0; i < r->packets.count; i++) {
        tacRecordSensor *sensor = &r->sensors.at[r->packets.at[i].sensor];
        if (sensor->end == 0) sensor->begin = i;
        sensor->end = i + 1;
    }
    return true;
}

/* The same with lost packets. Storages tell of them again and again, with more packets each time: what another one
 * tells as well is left out. */
static bool shareLosses(tacRecord *r) {
    size_t kept = 0;
    if (!tacSort(r->losses.at, r->losses.count, sizeof *r->losses.at, bySequence, NULL, r->import->progress))
        return false;
    for (size_t i = 0; i < r->losses.count; i++) {
        const tacRecordLost lost = r->losses.at[i], *last = kept ? &r->losses.at[kept - 1] : NULL;
        tacRecordSensor *sensor = &r->sensors.at[lost.sensor];
        bool told = last && last->sensor == lost.sensor && lost.sequence - last->sequence < last->packets
            && lost.packets <= last->packets - (lost.sequence - last->sequence);
        if (told) continue;
        if (sensor->lossEnd == 0) sensor->lossBegin = kept;
        r->losses.at[kept++] = lost;
        sensor->lossEnd = kept;
        if (__builtin_add_overflow(sensor->refused, lost.elements, &sensor->refused)) sensor->refused = UINT64_MAX;
    }
    r->losses.count = kept;
    return true;
}

/* Finds the meaning of each sensor. */
static void findMeanings(tacRecord *r) {
    for (size_t i = 0; i < r->sensors.count; i++) {
        tacRecordSensor *sensor = &r->sensors.at[i];
        const tacRecordSource *source = tacRecordSourceOf(r, sensor);
        if (!sensor->described || !source->described) continue;
        const char *name = sensor->said.name;
        for (const tacRecordMeaning *m = meanings; m->names && !sensor->meaning; m++)
            if ((!m->kind || m->kind == source->said.kind) && tacGlob(m->names, name, strlen(name)))
                sensor->meaning = m;
    }
}

tacStatus tacRecordOpen(tacRecord *r, tacImport *import, const tacFile *file, tacError *err) {
    *r = (tacRecord){.import = import, .store = import->store, .diag = import->diag, .err = err, .file = *file};
    if (!r->diag) r->diag = &r->unheard;
    if (import->progress) import->progress->total = 2 * file->size;
    if (tacRecordScan(r, err) != TAC_OK) return TAC_ERROR;
    if (!sharePackets(r) || !shareLosses(r) || !tacRecordAxis(r)) return tacFailStopped(err, import->progress);
    findMeanings(r);
    return TAC_OK;
}

void tacRecordFree(tacRecord *r) {
    for (const tacRecordMeaning *m = meanings; m->names; m++)
        if (m->free) m->free(r);
    for (size_t i = 0; i < r->machines.count; i++) tacArrayFree(&r->machines.at[i].pairs);
    tacArrayFree(&r->sources);
    tacArrayFree(&r->machines);
    tacArrayFree(&r->sensors);
    tacArrayFree(&r->packets);
    tacArrayFree(&r->losses);
    tacArrayFree(&r->pairs);
    tacArrayFree(&r->threads);
    tacInternFree(&r->sourceKeys);
    tacInternFree(&r->sensorKeys);
    tacInternFree(&r->threadKeys);
    tacInternFree(&r->machineKeys);
    tacInternFree(&r->machineNames);
    tacFree(r->kept);
    tacDiagFree(&r->unheard);
}

/* Bytes of all tables. */
static uint64_t tableBytes(const tacRecord *r) {
    return r->packets.capacity * sizeof *r->packets.at + r->pairs.capacity * sizeof *r->pairs.at
        + r->sensors.capacity * sizeof *r->sensors.at + r->sources.capacity * sizeof *r->sources.at
        + r->losses.capacity * sizeof *r->losses.at + r->threads.capacity * sizeof *r->threads.at
        + r->machines.capacity * sizeof *r->machines.at + r->machinePairs + tacInternBytes(&r->sourceKeys)
        + tacInternBytes(&r->sensorKeys) + tacInternBytes(&r->threadKeys) + tacInternBytes(&r->machineKeys)
        + tacInternBytes(&r->machineNames) + tacRecordVocabularyBytes(r) + tacRecordKernelBytes(r);
}

tacStatus tacRecordRoom(tacRecord *r, tacError *err) {
    if (!r->store) return TAC_OK;
    r->store->besides = tableBytes(r);
    return tacStoreCheck(r->store, r->line, err);
}

bool tacRecordGrow(tacRecord *r, uint64_t bytes) {
    if (!r->store) return true;
    /* To be sorted, packets and losses are there twice; pairs become those of machines, which are sorted. The slots of
     * keys are there twice when they grow. */
    uint64_t later = r->packets.capacity * sizeof *r->packets.at + r->losses.capacity * sizeof *r->losses.at
        + 2 * r->pairs.capacity * sizeof *r->pairs.at + tacInternBytes(&r->sourceKeys) + tacInternBytes(&r->sensorKeys);
    r->store->besides = tableBytes(r) + later + bytes + bytes / 2 + r->window;
    return tacStoreCheck(r->store, r->line, r->err) == TAC_OK;
}

/* ---- objects and rows -------------------------------------------------------------------------------------------- */

tacObject *tacRecordDefine(tacRecord *r, tacKind kind, uint32_t index) {
    tacObject *object = &r->store->objects[kind].at[index];
    if (object->line) return object;
    object->line = r->line ? r->line : 1;
    object->order = r->store->nDefinitions++;
    return object;
}

/* Id of something of a machine: as it is of the first, behind the machine's name of others. */
static size_t idOf(const tacRecord *r, uint32_t machine, const char *what, char id[2 * TACREC_STREAM_TEXT]) {
    const char *name = machine == 0 ? "" : r->machines.at[machine].name;
    return (size_t) snprintf(id, 2 * TACREC_STREAM_TEXT, "%s%s%s", name, name[0] && what[0] ? ":" : "", what);
}

static bool isKnown(const tacRecord *r, tacKind kind, uint32_t machine, const char *what) {
    char id[2 * TACREC_STREAM_TEXT];
    size_t length = idOf(r, machine, what, id);
    return tacInternFind(&r->store->ids[kind], id, length) != TAC_NONE;
}

/* Index of a defined object of the machine; TAC_NONE: no memory. */
static uint32_t objectOf(tacRecord *r, tacKind kind, uint32_t machine, const char *what) {
    char id[2 * TACREC_STREAM_TEXT];
    size_t length = idOf(r, machine, what, id);
    uint32_t index = tacStoreObject(r->store, kind, id, length);
    if (index == TAC_NONE) return tacFailMemory(r->err), TAC_NONE;
    tacRecordDefine(r, kind, index);
    return index;
}

/* Can a row name one more processor? */
static bool hasRoom(const tacRecord *r) { return r->store->objects[TAC_PROCESSOR].count < TAC_NO_PROCESSOR; }

/* Mentions all processors of the machine below this number, so that they stand in the order of their numbers; those
 * that are never met are not defined. */
static bool mentionBelow(tacRecord *r, uint32_t machine, int32_t number) {
    char what[16], id[2 * TACREC_STREAM_TEXT];
    int32_t *next = &r->machines.at[machine].mentioned;
    for (; *next < number && *next < MENTIONED && hasRoom(r); ++*next) {
        snprintf(what, sizeof what, "cpu%d", (int) *next);
        size_t length = idOf(r, machine, what, id);
        if (tacStoreObject(r->store, TAC_PROCESSOR, id, length) == TAC_NONE) return tacFailMemory(r->err), false;
    }
    return true;
}

bool tacRecordProcessor(tacRecord *r, const tacRecordSource *source, int32_t number, uint16_t *processor) {
    tacRecordMachine *machine = &r->machines.at[source->machine];
    char what[16] = "";
    *processor = TAC_NO_PROCESSOR;
    if (number < 0 && source->machine == 0) return true;
    if (number < 0 && machine->processor != TAC_NONE) return *processor = (uint16_t) machine->processor, true;
    if (number > 0 && !mentionBelow(r, source->machine, number)) return false;
    if (number >= 0) snprintf(what, sizeof what, "cpu%d", (int) number);
    if (!hasRoom(r) && !isKnown(r, TAC_PROCESSOR, source->machine, what)) return true;
    uint32_t index = objectOf(r, TAC_PROCESSOR, source->machine, what);
    if (index == TAC_NONE) return false;
    if (number < 0) machine->processor = index;
    *processor = (uint16_t) index;
    return true;
}

/* The thread of the source's machine; NULL: no memory. */
static tacRecordThread *threadOf(tacRecord *r, const tacRecordSource *source, uint32_t number) {
    const uint32_t key[2] = {source->machine, number};
    uint32_t id = tacIntern(&r->threadKeys, (const char *) key, sizeof key);
    tacRecordThread thread = {source->machine, number, TAC_NONE, (uint32_t) (source - r->sources.at)};
    if (id == r->threads.count && !tacArrayPush(&r->threads, thread)) id = TAC_NONE;
    if (id == TAC_NONE) return tacFailMemory(r->err), NULL;
    return &r->threads.at[id];
}

/* Makes the task of a thread, with the name of its program unless the kernel's part has defined it. */
static bool makeTask(tacRecord *r, const tacRecordSource *source, tacRecordThread *thread) {
    char what[16];
    snprintf(what, sizeof what, "%u", thread->number);
    uint32_t defined = r->store->nDefinitions, index = objectOf(r, TAC_TASK, thread->machine, what);
    const char *name = source->said.name;
    if (index == TAC_NONE) return false;
    thread->task = index;
    if (r->store->nDefinitions == defined || !name[0]) return true;
    uint32_t string = tacStoreString(r->store, name, strlen(name));
    tacOptionValue value = {index, TAC_OPT_NAME, string};
    if (string == TAC_NONE || !tacArrayPush(&r->store->objectOptions[TAC_TASK], value))
        return tacFailMemory(r->err), false;
    return true;
}

uint32_t tacRecordTask(tacRecord *r, const tacRecordSource *source, uint32_t number) {
    tacRecordThread *thread = threadOf(r, source, number);
    if (!thread || (thread->task == TAC_NONE && !makeTask(r, source, thread))) return TAC_NONE;
    return thread->task;
}

bool tacRecordSetTask(tacRecord *r, const tacRecordSource *source, uint32_t number, uint32_t task) {
    tacRecordThread *thread = threadOf(r, source, number);
    if (!thread) return false;
    thread->task = task;
    return true;
}

bool tacRecordRow(tacRecord *r, int64_t time, tacEvent event, uint32_t subject, uint32_t object, uint16_t processor) {
    return tacStoreAppend(r->store, time, event, subject, object, processor, r->line, r->err) != TAC_NONE;
}

bool tacRecordOption(tacRecord *r, tacOption option, int64_t value) {
    if (value != (int64_t) TAC_NONE && tacStoreAddOption(r->store, tacStoreCount(r->store) - 1, option, value))
        return true;
    return tacFailMemory(r->err), false;
}

/* ---- elements to their meanings ---------------------------------------------------------------------------------- */

static bool wants(void *data, const tacRecordSensor *sensor) {
    (void) data;
    return !sensor->meaning || !sensor->meaning->read;
}

static bool takeElement(void *data, const tacRecordElement *element) {
    const tacRecordMeaning *meaning = element->sensor->meaning;
    if (!meaning || !meaning->element) return tacRecordKeep(data, element);
    return tacRecordKeepEnd(data) && meaning->element(data, element);
}

static bool takeLoss(void *data, const tacRecordLoss *loss) {
    const tacRecordMeaning *meaning = loss->sensor->meaning;
    if (!meaning || !meaning->lost) return tacRecordKeepLoss(data, loss);
    return tacRecordKeepEnd(data) && meaning->lost(data, loss);
}

/* Begins a meaning, if there is a sensor that has it. */
static bool beginMeaning(tacRecord *r, const tacRecordMeaning *meaning, bool *used) {
    *used = false;
    for (size_t i = 0; i < r->sensors.count; i++) {
        tacRecordSensor *sensor = &r->sensors.at[i];
        if (sensor->meaning != meaning) continue;
        if (!*used && meaning->begin && !meaning->begin(r)) return false;
        *used = true;
        if (meaning->sensor && !meaning->sensor(r, sensor)) return false;
    }
    return true;
}

static bool readElements(tacRecord *r) {
    tacRecordTaker taker = {wants, takeElement, takeLoss, r};
    bool used, done = true;
    for (const tacRecordMeaning *m = meanings; m->names && done; m++) {
        done = beginMeaning(r, m, &used);
        if (done && used && m->read) done = m->read(r, r->err) == TAC_OK;
    }
    done = done && tacRecordMerge(r, &taker) && tacRecordKeepEnd(r);
    for (const tacRecordMeaning *m = meanings; m->names && done; m++)
        if (m->finish) done = m->finish(r);
    return done;
}

/* ---- remarks ----------------------------------------------------------------------------------------------------- */

static const char *endOf(const tacRecordSource *source, char text[64]) {
    switch (source->how) {
    case TACREC_END_EXITED:
        if (source->status == 0) return NULL;
        snprintf(text, 64, "it ended with the exit status %u", source->status);
        return text;
    case TACREC_END_SIGNALED: snprintf(text, 64, "it was ended by signal %u", source->status); return text;
    case TACREC_END_GONE: return "it ended without closing its sensors";
    default: return NULL;
    }
}

static void remarkSource(tacRecord *r, const tacRecordSource *source) {
    char text[64];
    const char *end = source->ended ? endOf(source, text) : NULL;
    if (source->described && end)
        tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, 0, "END", "%s (pid %u): %s", source->said.name, source->said.pid, end);
}

static void remarkSensor(tacRecord *r, const tacRecordSensor *sensor) {
    const tacRecordSource *source = tacRecordSourceOf(r, sensor);
    const char *name = sensor->said.name, *program = source->said.name;
    char places[48] = "", refused[80] = "";
    if (sensor->before)
        tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, 0, "BEFORE",
            "%s (pid %u), %s: %llu older elements are not in the recording", program, source->said.pid, name,
            (unsigned long long) sensor->before);
    if (sensor->places > 1) snprintf(places, sizeof places, " at %llu places", (unsigned long long) sensor->places);
    if (sensor->refused && sensor->refused <= sensor->missing) /* else some are those before the first */
        snprintf(refused, sizeof refused, "; the storage had no room for %llu", (unsigned long long) sensor->refused);
    if (sensor->missing)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "LOST", "%s (pid %u), %s: %llu elements are lost%s%s", program,
            source->said.pid, name, (unsigned long long) sensor->missing, places, refused);
    if (sensor->beyond)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, 0, "TIME", "%s (pid %u), %s: %llu elements have impossible times",
            program, source->said.pid, name, (unsigned long long) sensor->beyond);
    if (sensor->wild)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "TIME",
            "%s (pid %u), %s: %llu element%s with times far ahead of those before and behind %s left out", program,
            source->said.pid, name, (unsigned long long) sensor->wild, sensor->wild == 1 ? "" : "s",
            sensor->wild == 1 ? "is" : "are");
}

static void remark(tacRecord *r) {
    for (size_t i = 0; i < r->sources.count; i++) remarkSource(r, &r->sources.at[i]);
    for (size_t i = 0; i < r->sensors.count; i++) {
        const tacRecordSensor *sensor = &r->sensors.at[i];
        if (sensor->described && tacRecordSourceOf(r, sensor)->described) {
            remarkSensor(r, sensor);
            continue;
        }
        for (size_t k = sensor->begin; k < sensor->end; k++) r->undescribed += r->packets.at[k].count;
    }
    if (r->undescribed)
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "DESCRIPTION",
            "%llu elements are left out: what describes their sensors is missing", (unsigned long long) r->undescribed);
    if (r->misfits)
        tacDiagAdd(r->diag, TAC_SEVERITY_ERROR, 0, "PACKET", "%llu packets are left out: what they say cannot be",
            (unsigned long long) r->misfits);
    if (r->delivered == 0 && !tacDiagErrors(r->diag))
        tacDiagAdd(r->diag, TAC_SEVERITY_WARNING, 0, "EMPTY", "nothing was recorded: the recording has no elements");
}

/* ---- the format -------------------------------------------------------------------------------------------------- */

tacStatus tacRecordReadFile(tacImport *import, const tacFile *file, tacError *err) {
    tacRecord r;
    import->unit = "s";
    import->store->digits = 9;
    tacStatus status = tacRecordOpen(&r, import, file, err);
    if (status == TAC_OK && !readElements(&r)) status = tacFailStopped(err, import->progress);
    if (status == TAC_OK) remark(&r);
    tacRecordFree(&r);
    return status;
}

tacStatus tacRecordRead(tacImport *import, tacError *err) {
    tacFile file;
    if (tacSourceFile(import->source, &file, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacRecordReadFile(import, &file, err);
    tacFileClose(&file);
    return status;
}
