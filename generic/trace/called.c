/*
 * called.c -- names of threads and their jobs in place of their numbers.
 */
#include "base/port.h"

#include "trace/called.h"
#include "trace/named.h"

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
    uint32_t n;
    const uint32_t *tasks = tacNamedFind(store, TAC_TASK, TAC_BY_NAME, name, strlen(name), true, &n);
    for (uint32_t i = 0; i < n; i++)
        if (tasks[i] != task && threadName(store, tasks[i])) return true;
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

/* Is the thread called so? */
static bool isThread(const tacStore *store, uint32_t task, const char *text, size_t length) {
    const char *name = threadName(store, task);
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* The only thread of a name; TAC_NONE: none or several. */
static uint32_t threadOf(const tacStore *store, const char *text, size_t length) {
    uint32_t found = TAC_NONE, n;
    const uint32_t *tasks = tacNamedFind(store, TAC_TASK, TAC_BY_NAME, text, length, true, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!threadName(store, tasks[i])) continue;
        if (found != TAC_NONE) return TAC_NONE;
        found = tasks[i];
    }
    return found;
}

/* Takes the number of a thread off the end of a text, "control.17 (21277)": the thread; TAC_NONE: there is none. */
static uint32_t takeNumber(const tacStore *store, const char *text, size_t *length) {
    size_t open = *length;
    if (!open || text[open - 1] != ')') return TAC_NONE;
    while (open > 0 && text[open - 1] != '(') open--;
    if (open < 3 || text[open - 2] != ' ') return TAC_NONE;
    uint32_t task = tacInternFind(&store->ids[TAC_TASK], text + open, *length - 1 - open);
    if (task != TAC_NONE) *length = open - 2;
    return task;
}

uint32_t tacCalledFind(const tacStore *store, tacKind kind, const char *text, size_t length) {
    if (kind != TAC_TASK && kind != TAC_JOB) return TAC_NONE;
    uint32_t task = takeNumber(store, text, &length), found = TAC_NONE;
    size_t name = length; /* length of the thread's name */
    while (kind == TAC_JOB && name > 0 && text[name - 1] != '.') name--;
    name -= kind == TAC_JOB && name > 0;
    if (!name) return TAC_NONE;
    if (task == TAC_NONE) task = threadOf(store, text, name);
    else if (!isThread(store, task, text, name)) return TAC_NONE;
    if (kind == TAC_TASK || task == TAC_NONE) return task;
    tacText id = {0};
    tacTextAddString(&id, tacObjectId(store, TAC_TASK, task));
    tacTextAdd(&id, text + name, length - name);
    if (!id.failed) found = tacInternFind(&store->ids[TAC_JOB], id.at, id.length);
    tacTextFree(&id);
    return found;
}
