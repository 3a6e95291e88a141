/*
 * textApart.c -- text of a kernel trace that a stranger wrote: a worker reads the lines and sends the records.
 */
#include "base/port.h"

#include "import/kernel/apart.h"

#include <stdio.h>

/* ---- in the worker ----------------------------------------------------------------------------------------------- */

/* The way of a record into a piece. */
typedef struct Packing {
    tacKernelPacker *packer;
    const tacSink *sink;
    bool wants;               /* the program wants some texts */
    tacInternTable names;     /* of events */
    TAC_ARRAY(char *) copies; /* of the names, where they stay */
    TAC_ARRAY(bool) wanted;   /* by name: is its text wanted, though it is read by its words? */
} Packing;

/* Index of an event's name; TAC_NONE: no memory. */
static uint32_t nameOf(Packing *p, const tacKernelText *name) {
    uint32_t id = tacIntern(&p->names, name->at, name->length);
    if (id == TAC_NONE || id < p->copies.count) return id;
    char *copy = tacCopyText(name->at, name->length);
    bool wanted = p->wants && tacKernelAskWants((void *) (uintptr_t) p->sink, *name, true);
    return copy && tacArrayPush(&p->copies, copy) && tacArrayPush(&p->wanted, wanted) ? id : TAC_NONE;
}

/* Packs a record, with its words where these are wanted. */
static tacStatus packRecord(void *data, const tacKernelRecord *record, uint32_t line, tacError *err) {
    Packing *p = data;
    tacKernelRecord own = *record;
    if (!tacKernelSound(record)) return TAC_OK;
    if (record->name.at) {
        uint32_t id = nameOf(p, &record->name);
        if (id == TAC_NONE) return tacFailMemory(err);
        own.name.at = p->copies.at[id];
        if (!p->wanted.at[id]) own.words.at = NULL;
    }
    return tacKernelPack(p->packer, &own, line, err);
}

/* What it makes stays until the process ends. */
tacStatus tacKernelTextBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    static tacSource source;
    Packing p = {.packer = tacKernelPackerNew(tacKernelSendPiece, (void *) (uintptr_t) sink),
        .sink = sink,
        .wants = call->count > 0};
    if (!p.packer) return tacFailMemory(err);
    if (tacWorkerSource(&source, call->options, err) != TAC_OK) return TAC_ERROR;
    if (tacKernelReadText(&source, sink, packRecord, &p, err) != TAC_OK) return TAC_ERROR;
    return tacKernelPackerFlush(p.packer, err);
}

/* ---- in the program ---------------------------------------------------------------------------------------------- */

/* Turns the worker's error into that of the reading, or into a remark: what came before is kept. */
static tacStatus explain(const tacKernelApart *apart, const tacError *why, tacError *err) {
    const char *clause = tacKernelApartEnd(why);
    char text[160];
    if (apart->stopped.code[0]) return tacFail(err, apart->stopped.code, "%s", apart->stopped.message);
    if (!clause) return tacFail(err, why->code, "%s", why->message);
    snprintf(text, sizeof text, "the process that reads the lines %s; what comes after is not read", clause);
    apart->sink->report(apart->sink->data, TAC_SEVERITY_ERROR, apart->unpacker.line, "DAMAGE", text);
    return TAC_OK;
}

tacStatus tacKernelReadTextApart(
    tacSource *source, const tacSink *sink, tacKernelTake *take, tacKernelWants *wants, void *data, tacError *err) {
    static const tacWord wanted = {"wants", 5};
    tacKernelApart apart = {.sink = sink, .take = take, .wants = wants, .data = data};
    tacWorkerJob job = {.body = "kernel", .words = &wanted, .count = wants != NULL, .text = source};
    tacReadOptions limits = {.growing = source->growing};
    tacError why;
    tacStatus status = tacKernelApartRun(&apart, &job, &limits, &why);
    if (status != TAC_OK) status = explain(&apart, &why, err);
    tacKernelUnpackerFree(&apart.unpacker);
    source->at = source->end;
    return status;
}
