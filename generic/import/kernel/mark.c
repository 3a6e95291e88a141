/*
 * mark.c -- marks, system calls and events that are kept: messages, and stretches of time over their thread.
 *
 *      B|pid|name ... E|pid                    a stretch called name, of the thread that writes it; they nest
 *      ... begin ... , ... end ...             a stretch named by the rest of the text, which both have in common
 *      entry and exit of a system call         a stretch with the name of the call
 *
 * Every mark is a message of its thread, with its whole text; it is drawn unless it is half of a stretch, or begins or
 * ends a job. The row of a stretch is added when it begins, so that rows stay in order; its end is filled in later. If
 * no end comes, the stretch is dropped and its message drawn; a system call becomes a message.
 */
#include "base/port.h"

#include "base/glob.h"
#include "import/kernel/state.h"

#include <string.h>

enum { LONGEST = 400, MOST_OPEN = 64 }; /* bytes of a text; marks of a thread that are open at once */

/* Bytes of a text that are kept. */
static size_t bounded(const char *text, size_t length) { return tacWholeLength(text, length, LONGEST); }

static uint32_t stringOf(tacKernelTasks *k, tacKernelText text) {
    return tacStoreString(k->store, text.at, text.length);
}

/* The task of what a thread writes: hidden threads have one in common, once one of them has run. */
static uint32_t taskOf(const tacKernelTasks *k, const tacKThread *thread) {
    return tacKernelHidden(thread) ? k->others : thread->task;
}

/* Adds a message; thread NULL: no one's. */
static bool addMessage(
    tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r, uint32_t text, tacFrom from, bool drawn) {
    uint32_t said = tacMessageSaid(thread ? taskOf(k, thread) : TAC_NONE, from, drawn);
    return text != TAC_NONE && tacKernelRow(k, r->time, TAC_EV_MESSAGE, text, said, r->processor);
}

/* Shows or hides a message. */
static void draw(tacStore *store, uint32_t row, bool drawn) {
    store->object.at[row] = tacMessageSaid(tacMessageTask(store, row), tacMessageFrom(store, row), drawn);
}

/* Begins a stretch; *row: its row, TAC_NONE if the thread is hidden. */
static bool beginStretch(
    tacKernelTasks *k, const tacKThread *thread, int64_t time, uint32_t text, uint32_t from, uint32_t *row) {
    *row = TAC_NONE;
    if (tacKernelHidden(thread)) return true;
    uint32_t number = (uint32_t) k->store->numbers.count;
    if (!tacArrayPush(&k->store->numbers, time)
        || !tacKernelRow(k, time, TAC_EV_TASK_ANNOTATION, thread->task, number, -1))
        return false;
    *row = tacStoreCount(k->store) - 1;
    return tacKernelOption(k, TAC_OPT_MESSAGE, text) && tacKernelOption(k, TAC_OPT_STRETCH_FROM, from);
}

static void endStretch(tacKernelTasks *k, uint32_t row, int64_t time) {
    if (row != TAC_NONE) k->store->numbers.at[k->store->object.at[row]] = time;
}

/* Gives a row that was a stretch another meaning. Its options stay, without a use. */
static void turn(tacStore *store, uint32_t row, tacEvent event, uint32_t subject, uint32_t object, uint16_t processor) {
    store->event.at[row] = (uint8_t) event;
    store->subject.at[row] = subject;
    store->object.at[row] = object;
    store->processor.at[row] = processor;
}

/* Ends the system call of the thread, if it is in one, as one whose exit is missing: it becomes a message. */
static void dismissCall(tacKernelTasks *k, tacKThread *thread) {
    uint32_t row = thread->callRow;
    if (row != TAC_NONE) {
        uint32_t said = tacMessageSaid(k->store->subject.at[row], TAC_FROM_CALL, tacRowDrawn(k->store, row));
        turn(k->store, row, TAC_EV_MESSAGE, thread->call, said, tacKernelProcessorObject(k, thread->processor));
    }
    thread->call = thread->callRow = TAC_NONE;
}

/* Ends the system call of a thread that is in it to the last. */
static void leaveOpen(tacKernelTasks *k, const tacKThread *thread) {
    tacStore *store = k->store;
    if (thread->callRow == TAC_NONE) return;
    endStretch(k, thread->callRow, thread->state == TAC_K_GONE ? thread->sure : k->last);
    for (size_t i = tacRowFirstOption(store, thread->callRow);
         i < store->options.count && store->options.at[i].owner == thread->callRow; i++)
        if (store->options.at[i].option == TAC_OPT_STRETCH_FROM) store->options.at[i].value = k->fromEntry;
}

/* ---- marks that are open ---- */

static tacKMark *markAt(tacKernelTasks *k, uint32_t place) { return &k->marks.at[place]; }

/* Takes the mark out of the thread's list and frees its place. */
static tacKMark takeOut(tacKernelTasks *k, uint32_t *link) {
    uint32_t place = *link;
    tacKMark mark = *markAt(k, place);
    *link = mark.next;
    markAt(k, place)->next = k->freeMark;
    k->freeMark = place;
    return mark;
}

/* Takes out a mark whose end is missing: its message is drawn in its place. */
static void dismiss(tacKernelTasks *k, uint32_t *link) {
    tacKMark mark = takeOut(k, link);
    if (mark.row == TAC_NONE) return;
    turn(k->store, mark.row, TAC_EV_NOP, TAC_NONE, TAC_NONE, TAC_NO_PROCESSOR);
    draw(k->store, mark.row - 1, true);
}

/* Opens a mark. Where too many are open the outermost is dismissed: no program nests so deep, so its end is missing. */
static bool openMark(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, uint32_t text) {
    uint32_t place = k->freeMark, row;
    if (text == TAC_NONE || !beginStretch(k, thread, r->time, text, k->fromMark, &row)) return false;
    if (place == TAC_NONE) {
        place = (uint32_t) k->marks.count;
        if (!tacArrayPush(&k->marks, (tacKMark){0})) return false;
    } else {
        k->freeMark = markAt(k, place)->next;
    }
    *markAt(k, place) = (tacKMark){text, row, thread->marks};
    thread->marks = place;
    uint32_t *link = &thread->marks;
    int within = 0;
    for (; markAt(k, *link)->next != TAC_NONE; link = &markAt(k, *link)->next) within++;
    if (within >= MOST_OPEN) dismiss(k, link);
    return true;
}

/* Closes the innermost mark with this text, or with any text where it is TAC_NONE; false: there is none. */
static bool closeMark(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, uint32_t text) {
    uint32_t *link = &thread->marks;
    while (*link != TAC_NONE && text != TAC_NONE && markAt(k, *link)->text != text) link = &markAt(k, *link)->next;
    if (*link == TAC_NONE) return false;
    endStretch(k, takeOut(k, link).row, r->time);
    return true;
}

void tacKernelMarksEnd(tacKernelTasks *k) {
    for (size_t i = 0; i < k->threads.count; i++) {
        tacKThread *thread = &k->threads.at[i];
        while (thread->marks != TAC_NONE) dismiss(k, &thread->marks);
        if (thread->state == TAC_K_LOST) dismissCall(k, thread);
        else leaveOpen(k, thread);
    }
}

/* ---- texts of marks ---- */

static bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
static bool isBetween(char c) { return c == ' ' || c == '\t' || c == ':' || c == '|' || c == ','; }

/* Finds a word that stands by itself in a text; NULL: there is none. */
static const char *findWord(tacKernelText text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text.at; at + n <= text.at + text.length; at++) {
        bool alone = (at == text.at || !isWordByte(at[-1])) && (at + n == text.at + text.length || !isWordByte(at[n]));
        if (alone && memcmp(at, word, n) == 0) return at;
    }
    return NULL;
}

/* The text without the word at this place, as a string: "a b" for "a:begin: b". TAC_NONE: no memory. */
static uint32_t without(tacKernelTasks *k, tacKernelText text, const char *word, size_t length) {
    char rest[2 * LONGEST + 2];
    const char *left = text.at, *leftEnd = word, *right = word + length, *end = text.at + text.length;
    while (leftEnd > left && isBetween(leftEnd[-1])) leftEnd--;
    while (right < end && isBetween(*right)) right++;
    size_t a = bounded(left, (size_t) (leftEnd - left)), b = bounded(right, (size_t) (end - right)), n = a;
    memcpy(rest, left, a);
    if (a && b) rest[n++] = ' ';
    memcpy(rest + n, right, b);
    return tacStoreString(k->store, rest, n + b);
}

static tacKernelText trimmed(tacKernelText text) {
    while (text.length && (text.at[text.length - 1] == '\n' || text.at[text.length - 1] == ' ')) text.length--;
    text.length = bounded(text.at, text.length);
    return text;
}

/* Begins or ends a stretch by a mark of a thread; *found: the mark was half of one. */
static bool pair(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, tacKernelText text, bool *found) {
    const char *word;
    *found = true;
    bool isBegin = text.length > 2 && memcmp(text.at, "B|", 2) == 0; /* "B|123|name" */
    const char *bar = isBegin ? memchr(text.at + 2, '|', text.length - 2) : NULL;
    if (bar) {
        tacKernelText name = {bar + 1, (size_t) (text.at + text.length - bar - 1)};
        return openMark(k, thread, r, stringOf(k, name));
    }
    bool isEnd = text.length > 0 && text.at[0] == 'E' && (text.length == 1 || text.at[1] == '|'); /* "E|123" */
    if (isEnd) return *found = closeMark(k, thread, r, TAC_NONE), true;
    if ((word = findWord(text, "begin"))) return openMark(k, thread, r, without(k, text, word, 5));
    if (!(word = findWord(text, "end"))) return *found = false, true;
    uint32_t rest = without(k, text, word, 3);
    *found = rest != TAC_NONE && closeMark(k, thread, r, rest);
    return rest != TAC_NONE;
}

/* Adds the message of a mark, and the stretch that it begins. */
static bool mark(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r) {
    tacKernelText text = trimmed(r->text);
    bool half = false;
    if (!addMessage(k, thread, r, stringOf(k, text), TAC_FROM_MARK, true)) return false;
    uint32_t row = tacStoreCount(k->store) - 1;
    if (thread && !pair(k, thread, r, text, &half)) return false;
    if (half) draw(k->store, row, false);
    return true;
}

bool tacKernelHideMark(tacKernelTasks *k, const tacKThread *thread, const tacKernelRecord *r) {
    return addMessage(k, thread, r, stringOf(k, trimmed(r->text)), TAC_FROM_MARK, false);
}

/* A mark that begins or ends a job is not drawn; one that ends it has its message already (tacKernelBoundary). */
bool tacKernelMark(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return mark(k, NULL, r);
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    if (!thread) return false;
    const tacKernelRule *rule = thread->rule;
    if (TAC_LIKELY(!rule || rule->boundary != TAC_BOUNDARY_MARK)) return mark(k, thread, r);
    if (tacKernelRuleBegins(rule, r)) return tacKernelHideMark(k, thread, r);
    if (!tacKernelRuleEnds(rule, r)) return mark(k, thread, r);
    return thread->state == TAC_K_RUNNING || tacKernelHideMark(k, thread, r);
}

/* ---- system calls ---- */

/* A call that uses a mutex of the mapping is not drawn. */
bool tacKernelCall(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    uint32_t call = stringOf(k, r->name);
    bool acquires;
    const tacKernelMap *map = k->target->map;
    if (!thread || call == TAC_NONE) return false;
    dismissCall(k, thread);
    if (TAC_UNLIKELY(call == k->yield)) tacKernelYields(k, thread);
    thread->call = call;
    bool isMutex = map && (tacKernelMapFutex(map, r, &acquires) || tacKernelMapMutex(map, r, &acquires));
    if (!beginStretch(k, thread, r->time, call, k->fromCall, &thread->callRow)) return false;
    if (isMutex && thread->callRow != TAC_NONE
        && !tacStoreAddOption(k->store, thread->callRow, TAC_OPT_STRETCH_HIDDEN, 1))
        return false;
    return tacKernelMutexCall(k, thread, r);
}

bool tacKernelCallEnd(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    if (!thread) return false;
    size_t length = 0;
    const char *call = thread->call == TAC_NONE ? NULL : tacInternName(&k->store->strings, thread->call, &length);
    if (!call || length != r->name.length || memcmp(call, r->name.at, length) != 0) { /* it began before the trace */
        dismissCall(k, thread);
        return addMessage(k, thread, r, stringOf(k, r->name), TAC_FROM_EVENT, true);
    }
    bool yields = thread->call == k->yield;
    endStretch(k, thread->callRow, r->time);
    thread->call = thread->callRow = TAC_NONE;
    if (TAC_UNLIKELY(yields) && !tacKernelYielded(k, thread, r->time)) return false;
    return tacKernelMutexReturn(k, thread, r) && tacKernelCallReturned(k, thread, r->time);
}

/* ---- other events ---- */

bool tacKernelKeeps(const tacKernelTasks *k, tacKernelText name) {
    for (const char *const *pattern = k->target->keep; pattern && *pattern; pattern++)
        if (tacGlob(*pattern, name.at, name.length)) return true;
    return false;
}

bool tacKernelNames(const tacKernelTasks *k, tacKernelText name) {
    for (const char *const *pattern = k->target->keep; pattern && *pattern; pattern++)
        if (strlen(*pattern) == name.length && memcmp(*pattern, name.at, name.length) == 0) return true;
    return false;
}

/* Adds "event: words"; an event that is shown by its meaning is not drawn besides. */
static bool keep(tacKernelTasks *k, const tacKernelRecord *r, tacKernelText words, bool drawn) {
    char text[2 * LONGEST + 2];
    size_t n = bounded(r->name.at, r->name.length);
    words = trimmed(words);
    memcpy(text, r->name.at, n);
    if (words.length) {
        memcpy(text + n, ": ", 2);
        memcpy(text + n + 2, words.at, words.length);
        n += 2 + words.length;
    }
    int32_t pid = r->current.pid;
    bool known = tacKernelIsThread(pid) && (size_t) pid < k->ofPid.count && k->ofPid.at[pid] != TAC_NONE;
    const tacKThread *thread = known ? &k->threads.at[k->ofPid.at[pid]] : NULL;
    return addMessage(k, thread, r, tacStoreString(k->store, text, n), TAC_FROM_EVENT, drawn);
}

bool tacKernelKeep(tacKernelTasks *k, const tacKernelRecord *r) {
    if (TAC_UNLIKELY(tacKernelIsBudget(r->name)) && !tacKernelBudget(k, r)) return false;
    return !tacKernelKeeps(k, r->name) || keep(k, r, r->text, r->number == 0);
}

bool tacKernelKeepWords(tacKernelTasks *k, const tacKernelRecord *r) {
    return !tacKernelNames(k, r->name) || keep(k, r, r->words, false);
}
