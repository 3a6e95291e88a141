/*
 * kernelMark.c -- marks, system calls and events that are kept: stretches of time above their thread, or messages.
 *
 *	B|pid|name ... E|pid			a stretch called name, of the thread that writes it; they nest
 *	... begin ... , ... end ...		a stretch called what is left without that word, where the rest of both is the same
 *	entry and exit of a system call		a stretch called as the call
 *
 * What has no other half is a message, and so is every other mark. A stretch is written at its end, as a row with the time of
 * its beginning.
 */
#include "base/port.h"

#include <string.h>

#include "base/glob.h"
#include "trace/kernelState.h"

enum { LONGEST = 400, MOST_OPEN = 64 };	/* bytes of a text; marks of a thread that are open at once */

static size_t bounded(size_t n) { return n < LONGEST ? n : LONGEST; }

static bool addMessage(tacKernelTasks *k, int64_t time, uint32_t text, int32_t processor) {
    return text != TAC_NONE && tacKernelRow(k, time, TAC_EV_MESSAGE, text, TAC_NONE, processor);
}

static bool addStretch(tacKernelTasks *k, const tacKThread *thread, int64_t begin, int64_t end, uint32_t text) {
    if (tacKernelHidden(thread)) return true;
    uint32_t number = (uint32_t) k->store->numbers.count;
    return tacArrayPush(&k->store->numbers, end) && tacKernelRow(k, begin, TAC_EV_TASK_ANNOTATION, thread->task, number, -1)
	&& tacKernelOption(k, TAC_OPT_MESSAGE, text);
}

/* ---- marks that are open ---- */

static tacKMark *markAt(tacKernelTasks *k, uint32_t place) { return &k->marks.at[place]; }

/* Takes the mark out of the thread's list and gives back its place. */
static tacKMark takeOut(tacKernelTasks *k, uint32_t *link) {
    uint32_t place = *link;
    tacKMark mark = *markAt(k, place);
    *link = mark.next;
    markAt(k, place)->next = k->freeMark;
    k->freeMark = place;
    return mark;
}

/* What has no end. */
static bool dismiss(tacKernelTasks *k, uint32_t *link, int32_t processor) {
    tacKMark mark = takeOut(k, link);
    uint32_t line = k->line;
    k->line = mark.line;
    bool done = addMessage(k, mark.begin, mark.whole, processor);
    k->line = line;
    return done;
}

/* The outermost one goes where there are too many: no program nests so deep, so its end will never come. */
static bool bound(tacKernelTasks *k, tacKThread *thread) {
    uint32_t *link = &thread->marks;
    int n = 0;
    for (; *link != TAC_NONE && markAt(k, *link)->next != TAC_NONE; link = &markAt(k, *link)->next) n++;
    return n < MOST_OPEN || dismiss(k, link, thread->processor);
}

static bool openMark(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, uint32_t text, uint32_t whole) {
    if (text == TAC_NONE || whole == TAC_NONE || !bound(k, thread)) return false;
    uint32_t place = k->freeMark;
    if (place == TAC_NONE) {
	place = (uint32_t) k->marks.count;
	if (!tacArrayPush(&k->marks, (tacKMark) {0})) return false;
    } else {
	k->freeMark = markAt(k, place)->next;
    }
    *markAt(k, place) = (tacKMark) {r->time, text, whole, k->line, thread->marks};
    thread->marks = place;
    return true;
}

/* The innermost one of this text ends, or of any where it is TAC_NONE. */
static bool closeMark(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, uint32_t text, bool *found) {
    uint32_t *link = &thread->marks;
    while (*link != TAC_NONE && text != TAC_NONE && markAt(k, *link)->text != text) link = &markAt(k, *link)->next;
    *found = *link != TAC_NONE;
    if (!*found) return true;
    tacKMark mark = takeOut(k, link);
    return addStretch(k, thread, mark.begin, r->time, mark.text);
}

bool tacKernelMarksEnd(tacKernelTasks *k) {
    for (size_t i = 0; i < k->threads.count; i++) {
	tacKThread *thread = &k->threads.at[i];
	while (thread->marks != TAC_NONE)
	    if (!dismiss(k, &thread->marks, thread->processor)) return false;
    }
    return true;
}

/* ---- what a mark says ---- */

static bool isWordByte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
static bool isBetween(char c) { return c == ' ' || c == '\t' || c == ':' || c == '|' || c == ','; }

/* Place of the word in the text, NULL: it has none. */
static const char *findWord(tacKernelText text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text.at; at + n <= text.at + text.length; at++) {
	bool alone = (at == text.at || !isWordByte(at[-1])) && (at + n == text.at + text.length || !isWordByte(at[n]));
	if (alone && memcmp(at, word, n) == 0) return at;
    }
    return NULL;
}

/* The text without the word at this place: "a:begin: b" is "a b". */
static uint32_t without(tacKernelTasks *k, tacKernelText text, const char *word, size_t length) {
    char rest[2 * LONGEST + 2];
    const char *left = text.at, *leftEnd = word, *right = word + length, *end = text.at + text.length;
    while (leftEnd > left && isBetween(leftEnd[-1])) leftEnd--;
    while (right < end && isBetween(*right)) right++;
    size_t a = bounded((size_t) (leftEnd - left)), b = bounded((size_t) (end - right)), n = a;
    memcpy(rest, left, a);
    if (a && b) rest[n++] = ' ';
    memcpy(rest + n, right, b);
    return tacKernelString(k, rest, n + b);
}

/* "B|123|name": the name; at NULL: it is none. */
static tacKernelText nameOfBegin(tacKernelText text) {
    const char *end = text.at + text.length, *at = text.length > 2 && memcmp(text.at, "B|", 2) == 0 ? memchr(text.at + 2, '|', text.length - 2) : NULL;
    return at ? (tacKernelText) {at + 1, (size_t) (end - at - 1)} : (tacKernelText) {NULL, 0};
}

static bool isEnd(tacKernelText text) { return text.length > 0 && text.at[0] == 'E' && (text.length == 1 || text.at[1] == '|'); }

static tacKernelText trimmed(tacKernelText text) {
    while (text.length && (text.at[text.length - 1] == '\n' || text.at[text.length - 1] == ' ')) text.length--;
    text.length = bounded(text.length);
    return text;
}

/* A mark of a thread; *found: it was half a stretch. */
static bool pair(tacKernelTasks *k, tacKThread *thread, const tacKernelRecord *r, tacKernelText text, uint32_t whole, bool *found) {
    tacKernelText name = nameOfBegin(text);
    const char *word;
    *found = true;
    if (name.at) return openMark(k, thread, r, tacKernelString(k, name.at, name.length), whole);
    if (isEnd(text)) return closeMark(k, thread, r, TAC_NONE, found);
    if ((word = findWord(text, "begin"))) return openMark(k, thread, r, without(k, text, word, 5), whole);
    if (!(word = findWord(text, "end"))) return *found = false, true;
    uint32_t rest = without(k, text, word, 3);
    return rest != TAC_NONE && closeMark(k, thread, r, rest, found);
}

/* Does the mark begin or end a job? Then the job says it. */
static bool isBoundary(const tacKernelTasks *k, const tacKernelRecord *r) {
    bool known = k->target->map && tacKernelIsThread(r->current.pid) && (size_t) r->current.pid < k->ofPid.count && k->ofPid.at[r->current.pid] != TAC_NONE;
    const tacKernelRule *rule = known ? k->threads.at[k->ofPid.at[r->current.pid]].rule : NULL;
    return rule && rule->boundary == TAC_BOUNDARY_MARK && (tacKernelRuleBegins(rule, r) || tacKernelRuleEnds(rule, r));
}

bool tacKernelMark(tacKernelTasks *k, const tacKernelRecord *r) {
    if (TAC_UNLIKELY(isBoundary(k, r))) return true;
    tacKernelText text = trimmed(r->text);
    uint32_t whole = tacKernelString(k, text.at, text.length);
    bool found = false;
    if (whole == TAC_NONE) return false;
    if (tacKernelIsThread(r->current.pid)) {
	tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
	if (!thread || !pair(k, thread, r, text, whole, &found)) return false;
    }
    return found || addMessage(k, r->time, whole, r->processor);
}

/* ---- system calls ---- */

/* The call that the thread is in has no end. */
static bool dismissCall(tacKernelTasks *k, tacKThread *thread) {
    uint32_t line = k->line;
    k->line = thread->callLine;
    bool done = addMessage(k, thread->callBegin, thread->call, thread->processor);
    k->line = line;
    return done;
}

bool tacKernelCall(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    if (!thread || (thread->call != TAC_NONE && !dismissCall(k, thread))) return false;
    thread->call = tacKernelString(k, r->name.at, r->name.length);
    thread->callBegin = r->time;
    thread->callLine = k->line;
    bool acquires;
    thread->callSaid = k->target->map && tacKernelMapMutex(k->target->map, r, &acquires) != NULL;
    return thread->call != TAC_NONE && tacKernelMutexCall(k, thread, r);
}

bool tacKernelCallEnd(tacKernelTasks *k, const tacKernelRecord *r) {
    if (!tacKernelIsThread(r->current.pid)) return true;
    tacKThread *thread = tacKernelThreadOf(k, r->current.pid);
    uint32_t name = tacKernelString(k, r->name.at, r->name.length);
    if (!thread || name == TAC_NONE) return false;
    uint32_t call = thread->call;
    thread->call = TAC_NONE;
    if (call != name) return addMessage(k, r->time, name, r->processor);	/* begun before the trace */
    return (thread->callSaid || addStretch(k, thread, thread->callBegin, r->time, call)) && tacKernelMutexReturn(k, thread, r) && tacKernelCallReturned(k, thread, r->time);
}

/* ---- other events ---- */

bool tacKernelKeeps(const tacKernelTasks *k, tacKernelText name) {
    for (const char *const *pattern = k->target->keep; pattern && *pattern; pattern++)
	if (tacGlob(*pattern, name.at, name.length)) return true;
    return false;
}

/* "event: words" */
bool tacKernelKeep(tacKernelTasks *k, const tacKernelRecord *r) {
    char text[2 * LONGEST + 2];
    if (!tacKernelKeeps(k, r->name)) return true;
    tacKernelText words = trimmed(r->text);
    size_t n = bounded(r->name.length);
    memcpy(text, r->name.at, n);
    if (words.length) {
	memcpy(text + n, ": ", 2);
	memcpy(text + n + 2, words.at, words.length);
	n += 2 + words.length;
    }
    return addMessage(k, r->time, tacKernelString(k, text, n), r->processor);
}
