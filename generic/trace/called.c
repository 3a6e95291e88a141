/*
 * called.c -- names of threads and their jobs in place of their numbers.
 */
#include "base/port.h"

#include "trace/called.h"

#include <string.h>

/* Length of the number of a thread at the begin of an id, "21277" or, of the second thread with it, "21277/2"; 0: the
 * id is of another kind. */
static size_t threadLength(const char *id) {
    size_t n = strspn(id, "0123456789");
    if (n && id[n] == '/') n += 1 + strspn(id + n + 1, "0123456789");
    return n && (id[n] == 0 || id[n] == '.') ? n : 0;
}

/* The name of a thread, if it has one beside its number; else NULL. */
static const char *threadName(const tacStore *store, uint32_t task) {
    const char *id = tacObjectId(store, TAC_TASK, task), *name = tacObjectText(store, TAC_TASK, task, TAC_OPT_NAME);
    return name && *name && threadLength(id) == strlen(id) ? name : NULL;
}

/* Has another thread this name? */
static bool hasNamesake(const tacStore *store, uint32_t task, const char *name) {
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
        const char *other = i == task ? NULL : threadName(store, i);
        if (other && (other == name || strcmp(other, name) == 0)) return true;
    }
    return false;
}

void tacCalled(const tacStore *store, tacKind kind, uint32_t index, tacText *out) {
    const char *id = tacObjectId(store, kind, index), *name = NULL;
    uint32_t task = kind == TAC_TASK ? index : kind == TAC_JOB ? store->jobTask.at[index] : TAC_NONE;
    size_t n = task == TAC_NONE ? 0 : threadLength(id);
    const char *number = n ? tacObjectId(store, TAC_TASK, task) : NULL;
    if (n && strlen(number) == n && memcmp(id, number, n) == 0) name = threadName(store, task);
    tacTextAddString(out, name ? name : id);
    if (!name) return;
    tacTextAddString(out, id + n);
    if (hasNamesake(store, task, name)) tacTextPrintf(out, " (%s)", number);
}

/* The only thread of a name; TAC_NONE: none or several. */
static uint32_t threadOf(const tacStore *store, const char *text, size_t length) {
    uint32_t found = TAC_NONE;
    for (uint32_t i = 0; i < tacStoreObjects(store, TAC_TASK); i++) {
        const char *name = threadName(store, i);
        if (!name || strlen(name) != length || memcmp(name, text, length) != 0) continue;
        if (found != TAC_NONE) return TAC_NONE;
        found = i;
    }
    return found;
}

uint32_t tacCalledFind(const tacStore *store, tacKind kind, const char *text, size_t length) {
    if (kind == TAC_TASK) return threadOf(store, text, length);
    size_t dot = length;
    while (dot > 0 && text[dot - 1] != '.') dot--;
    uint32_t task = kind == TAC_JOB && dot > 1 ? threadOf(store, text, dot - 1) : TAC_NONE, found = TAC_NONE;
    if (task == TAC_NONE) return TAC_NONE;
    tacText id = {0};
    tacTextAddString(&id, tacObjectId(store, TAC_TASK, task));
    tacTextAdd(&id, text + dot - 1, length - dot + 1);
    if (!id.failed) found = tacInternFind(&store->ids[TAC_JOB], id.at, id.length);
    tacTextFree(&id);
    return found;
}
