/*
 * rowWords.h -- the words of an event as it was written, from a row of the store, for handlers of events.
 *
 * These follow the event's name: its arguments, a third one too, then its options with their values in the order of the
 * file, then those that are kept in columns: -target, -processor, and -shape none, -from and -task of a message.
 */
#ifndef TAC_TRACE_ROW_WORDS_H
#define TAC_TRACE_ROW_WORDS_H

#include "trace/store.h"

typedef struct tacRowVisitor {                              /* functions that return false to stop (no memory) */
    bool (*option)(void *data, tacOption option);           /* called for an option; its value comes next */
    bool (*value)(void *data, tacType type, int64_t value); /* value as in tacOptionValue; TIME: ticks; REST: string id
                                                               of a list */
} tacRowVisitor;

/* The name of a row's event. */
const char *tacRowName(const tacStore *store, uint32_t row);
/* Visits the words of a row behind its name; false: the visitor stopped. */
bool tacRowWords(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data);
/* Visits those options of a message that are bits of a column: -shape none, -from, -task. */
bool tacMessageWords(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data);

#endif
