/*
 * transfer.h -- moves a store from the process that reads a recording into the one that shows it: what a process behind
 * the walls (read/worker.h) made of a stranger's bytes is handed over as arrays, and believed in nothing.
 *
 *      reader -> store -> tacStoreSend ... commands of a sink ... tacStoreTake -> store -> tacStoreTaken -> freeze
 *
 * A store is handed over when it has been read and before it is frozen.
 *
 * Invariants of a store for which tacStoreTaken says TAC_OK, whatever came:
 *   1. Columns have equal lengths; each index of an object, string, number or misfit is below the number of these; each
 *      name is clean UTF-8, and no table but that of jobs has one twice (jobs are found by the first of their names).
 *   2. Events, options, and words of options are those of the vocabulary, each option where it is allowed.
 *   3. Times are times, TAC_UNKNOWN where that is allowed, or stand-ins of misfits (trace/times.h).
 */
#ifndef TAC_TRACE_TRANSFER_H
#define TAC_TRACE_TRANSFER_H

#include "read/sink.h"
#include "trace/store.h"

/* Sends all that the store has, and frees it piece by piece. */
tacStatus tacStoreSend(tacStore *store, const tacSink *sink, tacError *err);
/* Takes one of the commands into a store that nothing else writes. Errors: FORMAT DAMAGED, MEMORY, LIMIT MEMORY. */
tacStatus tacStoreTake(tacStore *store, const tacWord *words, int count, tacError *err);
/* Checks what was taken, when all has come. Error: FORMAT DAMAGED. */
tacStatus tacStoreTaken(tacStore *store, tacError *err);
/* Fails because what came has no meaning: FORMAT DAMAGED. */
tacStatus tacTransferDamaged(tacError *err);

#endif
