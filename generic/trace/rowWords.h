/*
 * rowWords.h -- the words of an event as it was written, from a row of the store: what handlers of events are given.
 *
 * After the event's name: its arguments, a third one too, its options with their values in the order of the file, then
 * -target and -processor, which have columns of their own.
 */
#ifndef TAC_TRACE_ROW_WORDS_H
#define TAC_TRACE_ROW_WORDS_H

#include "trace/store.h"

typedef struct tacRowVisitor {                              /* false: stop (no memory) */
    bool (*option)(void *data, tacOption option);           /* its name; its value comes next */
    bool (*value)(void *data, tacType type, int64_t value); /* as in tacOptionValue; of TIME: ticks; of REST: string id
                                                               of a list */
} tacRowVisitor;

const char *tacRowName(const tacStore *store, uint32_t row);
bool tacRowWords(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data);

#endif
