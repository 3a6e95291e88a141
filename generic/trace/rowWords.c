/*
 * rowWords.c -- the words of an event by the types in the vocabulary, for all events alike.
 */
#include "base/port.h"

#include "trace/rowWords.h"

#include <string.h>

const char *tacRowName(const tacStore *store, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    return tacEventIs(event, TAC_TRAIT_NAMED) ? tacString(store, tacRowSubject(store, row)) : tacEvents[event].name;
}

/* Visits an argument, unless it is optional and was not given. */
static bool argument(const tacStore *store, uint32_t row, int i, const tacRowVisitor *visitor, void *data) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    uint32_t value = i == 0 ? tacRowSubject(store, row) : tacRowObject(store, row);
    tacType type = spec->arguments[i];
    if (i >= spec->nRequired && value == TAC_NONE) return true;
    if (type == TAC_TYPE_TIME) return visitor->value(data, type, store->numbers.at[value]);
    return visitor->value(data, type, type == TAC_TYPE_INTEGER ? (int64_t) (int32_t) value : (int64_t) value);
}

/* Visits the options; a third argument stands among them and goes first. */
static bool options(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data) {
    const tacOptionArray *all = &store->options;
    size_t first = tacRowFirstOption(store, row);
    bool fine = true;
    for (size_t i = first; fine && i < all->count && all->at[i].owner == row; i++)
        if (all->at[i].option == TAC_OPT_ARGUMENT3)
            fine = visitor->value(data, tacEvents[tacRowEvent(store, row)].arguments[2], all->at[i].value);
    for (size_t i = first; fine && i < all->count && all->at[i].owner == row; i++) {
        tacOption option = (tacOption) all->at[i].option;
        if (option != TAC_OPT_ARGUMENT3)
            fine = visitor->option(data, option) && visitor->value(data, tacOptions[option].type, all->at[i].value);
    }
    return fine;
}

/* Visits an option whose value is in a column. */
static bool column(tacOption option, uint32_t index, const tacRowVisitor *visitor, void *data) {
    return visitor->option(data, option) && visitor->value(data, tacOptions[option].type, index);
}

/* String id of a word that a frozen store has (freeze.c). */
static uint32_t wordId(const tacStore *store, const char *word) {
    return tacInternFind(&store->strings, word, strlen(word));
}

bool tacMessageWords(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data) {
    uint32_t task = tacMessageTask(store, row);
    tacFrom from = tacMessageFrom(store, row);
    bool fine = tacMessageDrawn(store, row) || column(TAC_OPT_SHAPE, wordId(store, "none"), visitor, data);
    if (fine && from != TAC_FROM_NOTHING)
        fine = column(TAC_OPT_FROM, wordId(store, tacTypeWords(TAC_TYPE_FROM)[from - 1]), visitor, data);
    return fine && (task == TAC_NONE || column(TAC_OPT_TASK, task, visitor, data));
}

bool tacRowWords(const tacStore *store, uint32_t row, const tacRowVisitor *visitor, void *data) {
    tacEvent event = tacRowEvent(store, row);
    const tacEventSpec *spec = &tacEvents[event];
    uint32_t object = tacRowObject(store, row);
    bool fine = true;
    if (tacEventIs(event, TAC_TRAIT_NAMED)) return object == TAC_NONE || visitor->value(data, TAC_TYPE_REST, object);
    for (int i = 0; fine && i < spec->nArguments && i < 2; i++) fine = argument(store, row, i, visitor, data);
    if (fine && tacRowHasOptions(store, row)) fine = options(store, row, visitor, data);
    if (fine && event == TAC_EV_MESSAGE && object != TAC_NONE) fine = tacMessageWords(store, row, visitor, data);
    bool hasTarget = tacEventHasTarget(event) && object != TAC_NONE;
    bool hasProcessor = (spec->options & TAC_OPTION_BIT(TAC_OPT_PROCESSOR))
        && tacRowProcessor(store, row) != TAC_NO_PROCESSOR;
    if (fine && hasTarget) fine = column(TAC_OPT_TARGET, object, visitor, data);
    return fine && (!hasProcessor || column(TAC_OPT_PROCESSOR, tacRowProcessor(store, row), visitor, data));
}
