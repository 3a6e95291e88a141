/*
 * map.c -- the rules of a mapping, kept and looked up.
 *
 * Rules of one sort stand in an array in the order of the file; the first that fits counts. Mutexes that are futexes
 * are found by their address, and threads by their names, as far as rules have plain ones: a guess makes a rule for
 * each of many threads.
 */
#include "base/port.h"

#include "base/glob.h"
#include "base/similar.h"
#include "import/kernel/futex.h"
#include "import/kernel/map.h"

#include <stdio.h>
#include <string.h>

enum {
    SUBJECT = 512, /* bytes of an event's "NAME: TEXT" that are compared with patterns; the rest is ignored */
    PLAIN = 64     /* bytes of a thread's name by which rules are found; longer ones are compared */
};

typedef struct ThreadRule {
    tacKernelRule rule;
    const char *pattern; /* of the thread's name */
    int32_t pid;         /* -1: any */
    uint32_t line;
} ThreadRule;

typedef struct GroupRule {
    const char *name, *pattern;
    uint32_t line;
} GroupRule;
typedef struct MutexRule {
    tacKernelMutexRule rule;
    const char *id, *name;
    uint32_t line;
} MutexRule;
typedef struct ServerRule {
    tacKernelServerRule rule;
    const char *id, *name;
    uint32_t line;
} ServerRule;

struct tacKernelMap {
    char *file;
    tacKernelBlocked blocked;
    TAC_ARRAY(ThreadRule) threads;
    tacInternTable plain;        /* pids and names of thread rules without wildcards: plainKey */
    TAC_ARRAY(uint32_t) ofPlain; /* by id in plain: the first such rule */
    TAC_ARRAY(uint32_t) loose;   /* the other thread rules */
    TAC_ARRAY(GroupRule) groups;
    TAC_ARRAY(MutexRule) mutexes;
    TAC_ARRAY(uint32_t) marked; /* mutexes that have patterns */
    TAC_ARRAY(ServerRule) servers;
    tacInternTable futexes;      /* addresses, 8 bytes each */
    TAC_ARRAY(uint32_t) ofFutex; /* by id in futexes: index in mutexes */
    TAC_ARRAY(char *) texts;     /* all texts of the rules */
    bool *used[4];               /* by sort and rule, TAC_MAP_RULES each: something fitted it. Only for remarks */
};

enum { THREADS, GROUPS, MUTEXES, SERVERS }; /* sorts of rules */

/* Notes that something fitted a rule. */
static inline void use(const tacKernelMap *map, int sort, size_t i) {
    if (i < TAC_MAP_RULES) map->used[sort][i] = true;
}

const char *const tacKernelBlockedWords[] = {
    [TAC_BLOCKED_MAPPING] = "mapping", [TAC_BLOCKED_AUTO] = "auto", [TAC_BLOCKED_PRIORITY] = "priority", NULL};

tacKernelBlocked tacKernelMapBlocked(const tacKernelMap *map) { return map->blocked; }

/* ---- threads ---- */

typedef struct PlainKey {
    char at[sizeof(int32_t) + PLAIN];
    size_t length;
} PlainKey;

/* The key of a pid (-1: any) and a name of at most PLAIN bytes. */
static PlainKey plainKey(int32_t pid, const char *name, size_t length) {
    PlainKey key = {.length = sizeof pid + length};
    memcpy(key.at, &pid, sizeof pid);
    if (length) memcpy(key.at + sizeof pid, name, length);
    return key;
}

/* The first rule with this pid and plain name, or `first` if that is before it. */
static uint32_t plainRule(const tacKernelMap *map, int32_t pid, tacKernelText comm, uint32_t first) {
    PlainKey key = plainKey(pid, comm.at, comm.length);
    uint32_t id = tacInternFind(&map->plain, key.at, key.length);
    return id != TAC_NONE && map->ofPlain.at[id] < first ? map->ofPlain.at[id] : first;
}

const tacKernelRule *tacKernelMapThread(const tacKernelMap *map, int32_t pid, tacKernelText comm) {
    uint32_t first = TAC_NONE;
    if (!comm.at) comm = (tacKernelText){"", 0};
    if (comm.length <= PLAIN && map->ofPlain.count) {
        first = plainRule(map, -1, comm, first);
        if (pid >= 0) first = plainRule(map, pid, comm, first);
    }
    for (size_t i = 0; i < map->loose.count && map->loose.at[i] < first; i++) {
        const ThreadRule *thread = &map->threads.at[map->loose.at[i]];
        if ((thread->pid < 0 || thread->pid == pid) && tacGlob(thread->pattern, comm.at, comm.length))
            first = map->loose.at[i];
    }
    if (first == TAC_NONE) return NULL;
    use(map, THREADS, first);
    return &map->threads.at[first].rule;
}

const char *tacKernelMapGroup(const tacKernelMap *map, const tacKernelRule *rule, tacKernelText comm) {
    if (rule && rule->group) return rule->group;
    for (size_t i = 0; i < map->groups.count; i++) {
        if (!tacGlob(map->groups.at[i].pattern, comm.at ? comm.at : "", comm.at ? comm.length : 0)) continue;
        use(map, GROUPS, i);
        return map->groups.at[i].name;
    }
    return NULL;
}

/* ---- texts that patterns are compared with ---- */

typedef struct Subject {
    char at[SUBJECT];
    size_t length;
} Subject;

static void add(Subject *subject, const char *at, size_t length) {
    size_t room = SUBJECT - subject->length;
    if (length > room) length = room;
    if (length) memcpy(subject->at + subject->length, at, length);
    subject->length += length;
}

/* Text of an event for patterns: NAME: TEXT, or NAME where there is no text. It lies in `subject`. */
static tacKernelText subjectOf(const tacKernelRecord *record, Subject *subject) {
    subject->length = 0;
    if (record->event == TAC_KERNEL_SYSCALL_ENTRY) add(subject, "sys_enter_", 10);
    if (record->event == TAC_KERNEL_SYSCALL_EXIT) add(subject, "sys_exit_", 9);
    add(subject, record->name.at, record->name.at ? record->name.length : 0);
    if (record->text.at && record->text.length) {
        add(subject, ": ", 2);
        add(subject, record->text.at, record->text.length);
    }
    return (tacKernelText){subject->at, subject->length};
}

/* Text for the patterns of mutexes and servers: that of a mark, or an event's name and text. */
static tacKernelText momentOf(const tacKernelRecord *record, Subject *subject) {
    return record->event == TAC_KERNEL_MARK ? record->text : subjectOf(record, subject);
}

static inline bool fits(const char *pattern, tacKernelText text) {
    return pattern && text.at && tacGlob(pattern, text.at, text.length);
}

/* Does the record fit the pattern, in the way of the rule's boundary? */
static bool isMoment(const tacKernelRule *rule, const tacKernelRecord *record, const char *pattern) {
    Subject subject;
    if (rule->boundary == TAC_BOUNDARY_MARK) return record->event == TAC_KERNEL_MARK && fits(pattern, record->text);
    if (rule->boundary == TAC_BOUNDARY_SYSCALL)
        return record->event == TAC_KERNEL_SYSCALL_ENTRY && fits(pattern, record->name);
    return rule->boundary == TAC_BOUNDARY_EVENT && record->event != TAC_KERNEL_MARK && record->event != TAC_KERNEL_LOST
        && fits(pattern, subjectOf(record, &subject));
}

bool tacKernelRuleBegins(const tacKernelRule *rule, const tacKernelRecord *record) {
    return isMoment(rule, record, rule->begin);
}

bool tacKernelRuleEnds(const tacKernelRule *rule, const tacKernelRecord *record) {
    return rule->end && isMoment(rule, record, rule->end);
}

/* ---- mutexes ---- */

/* Effects of futex commands on a mutex: waiting and locking ask for it. */
typedef enum FutexUse { NO_USE, ASKS, RELEASES } FutexUse;
static const uint8_t futexUses[] = {[TAC_FUTEX_WAIT] = ASKS,
    [TAC_FUTEX_WAKE] = RELEASES,
    [TAC_FUTEX_LOCK_PI] = ASKS,
    [TAC_FUTEX_UNLOCK_PI] = RELEASES,
    [TAC_FUTEX_TRYLOCK_PI] = ASKS,
    [TAC_FUTEX_WAIT_BITSET] = ASKS,
    [TAC_FUTEX_WAKE_BITSET] = RELEASES,
    [TAC_FUTEX_LOCK_PI2] = ASKS};

const char *tacKernelMapFutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires) {
    tacKernelFutex futex;
    if (!map->ofFutex.count || record->event != TAC_KERNEL_SYSCALL_ENTRY || !tacKernelFutexOf(record, &futex))
        return NULL;
    bool known = futex.command >= 0 && (size_t) futex.command < sizeof futexUses;
    if (!known || futexUses[futex.command] == NO_USE) return NULL;
    uint32_t id = tacInternFind(&map->futexes, (const char *) &futex.address, sizeof futex.address);
    if (id == TAC_NONE) return NULL;
    use(map, MUTEXES, map->ofFutex.at[id]);
    *acquires = futexUses[futex.command] == ASKS;
    return map->mutexes.at[map->ofFutex.at[id]].id;
}

const char *tacKernelMapMutex(const tacKernelMap *map, const tacKernelRecord *record, bool *acquires) {
    Subject subject;
    if (!map->marked.count || record->event == TAC_KERNEL_LOST) return NULL;
    tacKernelText text = momentOf(record, &subject);
    for (size_t i = 0; i < map->marked.count; i++) {
        const MutexRule *mutex = &map->mutexes.at[map->marked.at[i]];
        *acquires = fits(mutex->rule.acquire, text);
        if (!*acquires && !fits(mutex->rule.release, text)) continue;
        use(map, MUTEXES, map->marked.at[i]);
        return mutex->id;
    }
    return NULL;
}

bool tacKernelMapMutexAt(const tacKernelMap *map, size_t i, tacKernelNamed *mutex) {
    if (i >= map->mutexes.count) return false;
    *mutex = (tacKernelNamed){map->mutexes.at[i].id, map->mutexes.at[i].name, TAC_UNKNOWN};
    return true;
}

/* ---- servers ---- */

/* Reads the number behind `key` in a text, hexadecimal after 0x, else decimal; false: there is none. */
static bool numberAfter(tacKernelText text, const char *key, uint64_t *value) {
    size_t n = strlen(key);
    const char *end = text.at + text.length, *p = text.at;
    while ((size_t) (end - p) > n && memcmp(p, key, n) != 0) p++;
    if ((size_t) (end - p) <= n) return false;
    char digits[24] = {0};
    unsigned long long number = 0;
    int used = 0;
    p += n;
    while (p < end && (*p == ' ' || *p == ':' || *p == '=')) p++;
    for (size_t i = 0; i + 1 < sizeof digits && p < end; i++) digits[i] = *p++;
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (digits[0] == '-' || digits[0] == '+' || sscanf(digits, hex ? "%llx%n" : "%llu%n", &number, &used) != 1)
        return false;
    *value = number;
    return true;
}

const char *tacKernelMapServer(
    const tacKernelMap *map, const tacKernelRecord *record, tacEvent *event, int64_t *budget) {
    Subject subject;
    if (!map->servers.count || record->event == TAC_KERNEL_LOST) return NULL;
    tacKernelText text = momentOf(record, &subject);
    for (size_t i = 0; i < map->servers.count; i++) {
        const ServerRule *server = &map->servers.at[i];
        for (int k = 0; k < 4; k++) {
            if (!fits(server->rule.pattern[k], text)) continue;
            const char *key = server->rule.key ? server->rule.key : "budget";
            uint64_t found;
            *event = (tacEvent) (TAC_EV_SERVER_REPLENISHED + k);
            *budget = TAC_UNKNOWN;
            if (k == 0) *budget = server->rule.capacity;
            if (k == 0 && numberAfter(text, key, &found) && found < (uint64_t) TAC_TIME_LIMIT)
                *budget = (int64_t) found;
            use(map, SERVERS, i);
            return server->id;
        }
    }
    return NULL;
}

bool tacKernelMapServerAt(const tacKernelMap *map, size_t i, tacKernelNamed *server) {
    if (i >= map->servers.count) return false;
    *server = (tacKernelNamed){map->servers.at[i].id, map->servers.at[i].name, map->servers.at[i].rule.capacity};
    return true;
}

/* ---- remarks ---- */

/* Adds the remark on a rule that nothing fitted: `what` "NAME". Checks know by the kind that a task is missing. names:
 * those that may have been meant, or NULL. */
static void unused(const tacKernelMap *map, tacDiag *diag, const char *kind, uint32_t line, const char *what,
    const char *name, const char *const *names) {
    const char *similar = names ? tacSimilarOf(name, strlen(name), names) : NULL;
    tacDiagAdd(diag, TAC_SEVERITY_WARNING, 0, kind, "%s:%u: %s \"%s\"%s%s%s", map->file, (unsigned) line, what, name,
        similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
}

/* Rules of `ignore` and `group` that nothing fitted are no mistake: they are for any threads that may come. */
void tacKernelMapTaskRemarks(const tacKernelMap *map, const char *remark, const char *const *names, tacDiag *diag) {
    for (size_t i = 0; i < map->threads.count; i++)
        if (!map->used[THREADS][i] && !map->threads.at[i].rule.hidden)
            unused(map, diag, "MAP TASK", map->threads.at[i].line, remark, map->threads.at[i].pattern, names);
}

void tacKernelMapRemarks(const tacKernelMap *map, const char *const *names, tacDiag *diag) {
    tacKernelMapTaskRemarks(map, "no thread fits", names, diag);
    for (size_t i = 0; i < map->mutexes.count && i < TAC_MAP_RULES; i++)
        if (!map->used[MUTEXES][i])
            unused(map, diag, "MAP", map->mutexes.at[i].line, "nothing acquires or releases the mutex",
                map->mutexes.at[i].id, NULL);
    for (size_t i = 0; i < map->servers.count; i++)
        if (!map->used[SERVERS][i])
            unused(map, diag, "MAP", map->servers.at[i].line, "there is no event of the server", map->servers.at[i].id,
                NULL);
}

/* ---- making one ---- */

tacKernelMap *tacKernelMapNew(const char *file) {
    tacKernelMap *map = tacAllocZero(1, sizeof *map);
    if (!map) return NULL;
    bool complete = (map->file = tacCopyText(file, strlen(file))) != NULL;
    for (int i = 0; i < 4; i++)
        if (!(map->used[i] = tacAllocZero(TAC_MAP_RULES, sizeof(bool)))) complete = false;
    if (complete) return map;
    tacKernelMapFree(map);
    return NULL;
}

void tacKernelMapFree(tacKernelMap *map) {
    if (!map) return;
    for (size_t i = 0; i < map->texts.count; i++) tacFree(map->texts.at[i]);
    tacArrayFree(&map->texts);
    tacArrayFree(&map->threads);
    tacInternFree(&map->plain);
    tacArrayFree(&map->ofPlain);
    tacArrayFree(&map->loose);
    tacArrayFree(&map->groups);
    tacArrayFree(&map->mutexes);
    tacArrayFree(&map->marked);
    tacArrayFree(&map->servers);
    tacArrayFree(&map->ofFutex);
    tacInternFree(&map->futexes);
    for (int i = 0; i < 4; i++) tacFree(map->used[i]);
    tacFree(map->file);
    tacFree(map);
}

void tacKernelMapSetBlocked(tacKernelMap *map, tacKernelBlocked blocked) { map->blocked = blocked; }

/* Copy of a text that lives as long as the map; NULL of NULL. *failed is set when there is no memory. */
static const char *keep(tacKernelMap *map, const char *text, bool *failed) {
    if (!text || *failed) return NULL;
    char *copy = tacCopyText(text, strlen(text));
    if (copy && tacArrayPush(&map->texts, copy)) return copy;
    tacFree(copy);
    *failed = true;
    return NULL;
}

/* Checks that there is room for another rule. */
static tacStatus room(size_t count, const char *what, tacError *err) {
    if (count < TAC_MAP_RULES) return TAC_OK;
    return tacFail(err, "LIMIT MAP", "more than %d rules for %s", TAC_MAP_RULES, what);
}

/* Is the pattern a name, which no other name fits? */
static bool isPlain(const char *pattern) {
    for (const char *p = pattern; *p; p++)
        if (strchr("*?[\\", *p) || (unsigned char) *p >= 0x80) return false;
    return strlen(pattern) <= PLAIN;
}

/* Makes a thread's rule one that is found by its name, or compared. False: no memory. */
static bool indexThread(tacKernelMap *map, const char *pattern, int32_t pid, uint32_t rule) {
    if (!isPlain(pattern)) return tacArrayPush(&map->loose, rule);
    PlainKey key = plainKey(pid < 0 ? -1 : pid, pattern, strlen(pattern));
    uint32_t id = tacIntern(&map->plain, key.at, key.length);
    return id != TAC_NONE && (id < map->ofPlain.count || tacArrayPush(&map->ofPlain, rule));
}

tacStatus tacKernelMapAddThread(
    tacKernelMap *map, const char *pattern, int32_t pid, const tacKernelRule *rule, uint32_t line, tacError *err) {
    bool failed = false;
    if (room(map->threads.count, "threads", err) != TAC_OK) return TAC_ERROR;
    ThreadRule thread = {*rule, keep(map, pattern, &failed), pid, line};
    thread.rule.name = keep(map, rule->name, &failed);
    thread.rule.group = keep(map, rule->group, &failed);
    thread.rule.cpus = keep(map, rule->cpus, &failed);
    thread.rule.begin = keep(map, rule->begin, &failed);
    thread.rule.end = keep(map, rule->end, &failed);
    uint32_t index = (uint32_t) map->threads.count;
    return !failed && indexThread(map, pattern, pid, index) && tacArrayPush(&map->threads, thread) ? TAC_OK
                                                                                                   : tacFailMemory(err);
}

tacStatus tacKernelMapAddGroup(tacKernelMap *map, const char *name, const char *pattern, uint32_t line, tacError *err) {
    bool failed = false;
    if (room(map->groups.count, "groups", err) != TAC_OK) return TAC_ERROR;
    GroupRule group = {keep(map, name, &failed), keep(map, pattern, &failed), line};
    return !failed && tacArrayPush(&map->groups, group) ? TAC_OK : tacFailMemory(err);
}

tacStatus tacKernelMapAddMutex(
    tacKernelMap *map, const char *id, const char *name, const tacKernelMutexRule *rule, uint32_t line, tacError *err) {
    bool failed = false, marked = rule->acquire || rule->release;
    uint32_t index = (uint32_t) map->mutexes.count;
    if (room(map->mutexes.count, "mutexes", err) != TAC_OK) return TAC_ERROR;
    MutexRule mutex = {*rule, keep(map, id, &failed), keep(map, name, &failed), line};
    mutex.rule.acquire = keep(map, rule->acquire, &failed);
    mutex.rule.release = keep(map, rule->release, &failed);
    bool done = !failed && tacArrayPush(&map->mutexes, mutex) && (!marked || tacArrayPush(&map->marked, index));
    if (done && rule->futex) { /* an address stands for the first mutex that has it */
        uint64_t address = (uint64_t) rule->futex;
        uint32_t futex = tacIntern(&map->futexes, (const char *) &address, sizeof address);
        done = futex != TAC_NONE && (futex < map->ofFutex.count || tacArrayPush(&map->ofFutex, index));
    }
    return done ? TAC_OK : tacFailMemory(err);
}

tacStatus tacKernelMapAddServer(tacKernelMap *map, const char *id, const char *name, const tacKernelServerRule *rule,
    uint32_t line, tacError *err) {
    bool failed = false;
    if (room(map->servers.count, "servers", err) != TAC_OK) return TAC_ERROR;
    ServerRule server = {*rule, keep(map, id, &failed), keep(map, name, &failed), line};
    for (int i = 0; i < 4; i++) server.rule.pattern[i] = keep(map, rule->pattern[i], &failed);
    server.rule.key = keep(map, rule->key, &failed);
    return !failed && tacArrayPush(&map->servers, server) ? TAC_OK : tacFailMemory(err);
}
