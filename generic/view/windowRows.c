/*
 * windowRows.c -- the user's arrangement of a window's rows: keys, order, groups, filter, and the rows that are kept.
 *
 * The rows come from the trace in their natural order (layoutRows.h). Whenever rows are listed anew or an arrangement
 * is restored, `kept` has the arrangement by keys: rows that are found there get their place and look back and leave
 * `kept`. New rows stand behind the one that they naturally follow.
 *
 * Invariants:
 *   1. `order` has each row of `rows` once.
 *   2. the rows of a group, and of those within it, stand together in `order` (windowTree.c).
 *   3. no key of `order` is in `kept`.
 */
#include "base/port.h"

#include "base/digits.h"
#include "trace/quote.h"
#include "view/windowPart.h"

#include <math.h>
#include <string.h>

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* Keys are made when somebody asks for them: most of many rows never need theirs. */

void tacWindowKeyText(const tacWindow *window, const tacWindowRow *arranged, tacText *text) {
    const tacFigureRow *row = &window->rows.rows.at[arranged->row];
    const char *id = tacFigureRowId(&window->trace->model, row);
    text->length = 0;
    tacTextAddString(text, tacFigureRowKinds[row->kind]);
    tacTextAddString(text, " ");
    tacQuoteWord(text, id, strlen(id));
    if (row->kind == TAC_FIGURE_ROW_TASK && row->processor != TAC_NO_PROCESSOR) {
        const char *processor = tacProcessorId(&window->trace->model, row->processor);
        tacTextAddString(text, " ");
        tacQuoteWord(text, processor, strlen(processor));
    }
}

/* Gives a row its key, if it has none yet; `text` is room to write it. Returns the key's id; TAC_NONE: no memory. */
static uint32_t needKey(tacWindow *window, tacWindowRow *arranged, tacText *text) {
    if (arranged->key != TAC_NONE) return arranged->key;
    tacWindowKeyText(window, arranged, text);
    return arranged->key = text->failed ? TAC_NONE : tacIntern(&window->keys, text->at, text->length);
}

uint32_t tacWindowKey(tacWindow *window, const tacWindowRow *row) {
    tacText text = {0};
    uint32_t key = needKey(window, &window->order.at[row - window->order.at], &text);
    tacTextFree(&text);
    return key;
}

/* Gives rows their keys until a time, which they then all have (`keyed`) or not. False: no memory. */
static bool needKeysUntil(tacWindow *window, double until) {
    enum { STEP = 256 }; /* keys between two looks at the clock */
    tacText text = {0};
    size_t i = 0, made = 0, rows = window->order.count, keys = tacInternCount(&window->keys),
           room = window->keys.nSlots;
    bool ok = keys >= rows || tacInternReserve(&window->keys, rows - keys);
    bool late = window->keys.nSlots != room && tacLayoutClock() >= until;
    for (; ok && !late && i < window->order.count; i++) {
        if (window->order.at[i].key != TAC_NONE) continue;
        ok = needKey(window, &window->order.at[i], &text) != TAC_NONE;
        late = ++made % STEP == 0 && tacLayoutClock() >= until;
    }
    tacTextFree(&text);
    window->cache->keyed = ok && i == window->order.count;
    return ok;
}

/* Gives all rows their keys. False: no memory. */
static bool needKeys(tacWindow *window) { return needKeysUntil(window, INFINITY); }

bool tacWindowFill(tacWindow *window) {
    size_t n = window->rows.rows.count;
    window->order.count = 0;
    window->cache->keyed = false;
    if (!tacArrayReserve(&window->order, n)) return false;
    for (size_t i = 0; i < n; i++)
        window->order.at[i] = (tacWindowRow){.row = (uint32_t) i, .key = TAC_NONE, .group = TAC_NONE, .factor = 1};
    window->order.count = n;
    window->cache->fresh = true;
    return true;
}

tacStatus tacWindowNeedKeys(tacWindow *window, double milliseconds, bool *done, tacError *err) {
    tacWindowCache *cache = window->cache;
    *done = true;
    if (!cache || !window->trace) return TAC_OK;
    double until = tacLayoutClock() + milliseconds;
    bool fills = !window->order.count;
    if (fills && !tacWindowFill(window)) return tacFailMemory(err);
    if (!cache->moved && !(cache->fresh && window->kept.count)) return TAC_OK;
    bool late = fills && tacLayoutClock() >= until;
    if (!cache->keyed && !late && !needKeysUntil(window, until)) return tacFailMemory(err);
    *done = cache->keyed;
    return TAC_OK;
}

/* ---- rows that are kept ------------------------------------------------------------------------------------------ */

/* Index of the group of this name, made if it is new; TAC_NONE: no memory. */
static uint32_t groupNamed(tacWindow *window, uint32_t name, bool byItself) {
    for (size_t i = 0; i < window->groups.count; i++)
        if (window->groups.at[i].name == name && window->groups.at[i].byItself == byItself) return (uint32_t) i;
    tacWindowGroup group = {.name = name, .label = name, .parent = TAC_NONE, .byItself = byItself};
    return tacArrayPush(&window->groups, group) ? (uint32_t) window->groups.count - 1 : TAC_NONE;
}

uint32_t tacWindowGroupOf(const tacWindow *window, const char *name, size_t length) {
    uint32_t id = tacInternFind(&window->keys, name, length), found = TAC_NONE;
    for (size_t i = 0; id != TAC_NONE && i < window->groups.count; i++) {
        const tacWindowGroup *group = &window->groups.at[i];
        if (group->name == id && (found == TAC_NONE || !group->byItself)) found = (uint32_t) i;
    }
    return found;
}

bool tacWindowFold(tacWindow *window, const char *name, size_t length, bool folded) {
    uint32_t index = tacWindowGroupOf(window, name, length), id = tacIntern(&window->keys, name, length);
    if (index == TAC_NONE && id != TAC_NONE) index = groupNamed(window, id, true);
    if (index == TAC_NONE) return false;
    window->groups.at[index].folded = folded;
    window->groups.at[index].chosen = true;
    return true;
}

/* Is there an arrangement of a row to keep? In an order of the user each row has one: its place. */
static bool isKept(const tacWindow *window, const tacWindowRow *row) {
    return window->cache->moved || row->hidden || row->pinned || row->factor != 1
        || tacWindowOwnGroup(window, row) != TAC_NONE;
}

/* Moves the arrangement of all rows to `kept`, before the rows that are there already. */
bool tacWindowKeepAll(tacWindow *window) {
    size_t n = 0, old = window->kept.count;
    tacText text = {0};
    bool ok = true;
    if (window->cache->fresh) window->order.count = 0; /* they were not arranged yet: all of it is there */
    for (size_t i = 0; ok && i < window->order.count; i++) {
        if (!isKept(window, &window->order.at[i])) continue;
        ok = needKey(window, &window->order.at[i], &text) != TAC_NONE;
        n++;
    }
    tacTextFree(&text);
    if (!ok || !tacArrayReserve(&window->kept, n)) return false;
    if (old) memmove(window->kept.at + n, window->kept.at, old * sizeof *window->kept.at);
    window->kept.count = n + old;
    n = 0;
    for (size_t i = 0; i < window->order.count; i++) {
        const tacWindowRow *row = &window->order.at[i];
        if (!isKept(window, row)) continue;
        uint32_t own = tacWindowOwnGroup(window, row), group = own == TAC_NONE ? TAC_NONE : window->groups.at[own].name;
        window->kept.at[n++] = (tacKeptRow){row->key, group, row->hidden, row->pinned, row->factor};
    }
    window->order.count = 0;
    return true;
}

/* Gives all rows their kept arrangement back, and finds what they are sorted by: the place in `kept`, from 1, or that
 * of the row that they naturally follow; 0: before all. False: no memory. */
static bool takeAll(tacWindow *window, uint32_t *placeOf, uint64_t *ranks) {
    bool ok = true;
    uint64_t last = 0;
    uint32_t name = TAC_NONE, group = TAC_NONE; /* those of the row before, which often is of the same group */
    for (size_t i = window->kept.count; i-- > 0;)
        placeOf[window->kept.at[i].key] = (uint32_t) i; /* the first of equal keys */
    for (size_t i = 0; ok && i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        uint32_t place = placeOf[row->key];
        if (place != TAC_NONE) {
            tacKeptRow *kept = &window->kept.at[place];
            row->hidden = kept->hidden;
            row->pinned = kept->pinned;
            row->factor = kept->factor;
            if (kept->group != name) {
                name = kept->group;
                group = name == TAC_NONE ? TAC_NONE : groupNamed(window, name, false);
            }
            row->group = group;
            ok = name == TAC_NONE || group != TAC_NONE;
            kept->key = TAC_NONE; /* taken */
            last = (uint64_t) place + 1;
        }
        ranks[i] = last;
    }
    return ok;
}

static void refilter(tacWindow *window);

bool tacWindowTakeKept(tacWindow *window) {
    window->cache->fresh = false;
    if (!window->order.count || (!window->kept.count && !window->cache->moved)) return true;
    if (!needKeys(window)) return false;
    size_t n = window->order.count, keys = tacInternCount(&window->keys), left = 0;
    uint32_t *placeOf = tacAlloc(keys * sizeof *placeOf + 1);
    tacDigits ranks = {.n = 0};
    bool ok = placeOf && tacDigitsInit(&ranks, n);
    if (ok) {
        memset(placeOf, 0xFF, keys * sizeof *placeOf); /* TAC_NONE */
        ok = takeAll(window, placeOf, ranks.keys);
        for (size_t i = 0; i < window->kept.count; i++)
            if (window->kept.at[i].key != TAC_NONE) window->kept.at[left++] = window->kept.at[i];
        window->kept.count = left;
    }
    if (ok && window->cache->moved) {
        tacDigitsSort(&ranks);
        tacDigitsApply(&ranks, window->order.at, sizeof *window->order.at);
    }
    tacFree(placeOf);
    tacDigitsFree(&ranks);
    return ok;
}

/* Puts each row back to where it was listed: invariant 1. */
static void orderNaturally(tacWindow *window) {
    for (size_t i = 0; i < window->order.count; i++) {
        while (window->order.at[i].row != i) {
            tacWindowRow row = window->order.at[i];
            window->order.at[i] = window->order.at[row.row];
            window->order.at[row.row] = row;
        }
    }
}

bool tacWindowGroupRows(tacWindow *window) {
    if (!window->cache->moved) orderNaturally(window);
    bool ok = tacWindowTree(window);
    refilter(window);
    return ok;
}

/* Forgets the arrangement: each row stands where it was listed, in no group. */
static void forgetArrangement(tacWindow *window) {
    window->kept.count = window->groups.count = 0;
    if (!window->cache) return;
    window->cache->moved = window->cache->sorting.begun = false;
    orderNaturally(window);
    for (size_t i = 0; i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        row->hidden = row->pinned = false;
        row->factor = 1;
        row->group = TAC_NONE;
    }
}

void tacWindowReset(tacWindow *window) {
    forgetArrangement(window);
    tacWindowRegroup(window); /* without memory rows are in no group */
}

bool tacWindowKeep(tacWindow *window, tacKeptRow *rows, size_t count, bool ordered) {
    uint32_t last = TAC_NONE;
    if (!tacWindowReady(window)) {
        tacFree(rows);
        return false;
    }
    forgetArrangement(window);
    tacArrayFree(&window->kept);
    window->kept.at = rows;
    window->kept.count = window->kept.capacity = count;
    window->cache->moved = ordered;
    window->cache->fresh = window->order.count > 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t name = window->kept.at[i].group;
        if (name == TAC_NONE || name == last) continue;
        if (groupNamed(window, name, false) == TAC_NONE) return false;
        last = name;
    }
    return true;
}

bool tacWindowMoved(const tacWindow *window) { return window->cache && window->cache->moved; }

bool tacWindowArranged(const tacWindow *window) {
    if (window->kept.count || tacWindowMoved(window)) return true;
    for (size_t i = 0; i < window->groups.count; i++)
        if (!window->groups.at[i].byItself || window->groups.at[i].chosen) return true;
    for (size_t i = 0; i < window->order.count; i++) {
        const tacWindowRow *row = &window->order.at[i];
        if (row->hidden || row->pinned || row->factor != 1) return true;
    }
    return false;
}

/* ---- arranging --------------------------------------------------------------------------------------------------- */

/* Notes the places of all rows that have their keys. False: no memory. */
static bool noteKeys(const tacWindow *window) {
    tacWindowCache *cache = window->cache;
    size_t keys = tacInternCount(&window->keys);
    cache->placeOfKey.count = 0;
    if (!tacArrayReserve(&cache->placeOfKey, keys)) return false;
    cache->placeOfKey.count = keys;
    memset(cache->placeOfKey.at, 0xFF, keys * sizeof *cache->placeOfKey.at); /* TAC_NONE */
    for (size_t i = 0; i < window->order.count; i++)
        if (window->order.at[i].key != TAC_NONE) cache->placeOfKey.at[window->order.at[i].key] = (uint32_t) i;
    return true;
}

/* The row that has this key already; NULL: none. Places are noted, so that very many keys are found quickly, and noted
 * again when one of them is not that of its row any more. */
static tacWindowRow *rowOf(const tacWindow *window, const char *key, size_t length) {
    uint32_t id = tacInternFind(&window->keys, key, length);
    if (id == TAC_NONE || !window->cache) return NULL;
    for (int round = 0; round < 2; round++) {
        uint32_t place = id < window->cache->placeOfKey.count ? window->cache->placeOfKey.at[id] : TAC_NONE;
        if (place < window->order.count && window->order.at[place].key == id) return &window->order.at[place];
        if (!round && !noteKeys(window)) break;
    }
    return NULL;
}

tacWindowRow *tacWindowRowOf(const tacWindow *window, const char *key, size_t length) {
    tacWindowRow *row = rowOf(window, key, length);
    if (row || !window->order.count || window->cache->keyed || !needKeys((tacWindow *) window)) return row;
    return rowOf(window, key, length);
}

bool tacWindowMove(tacWindow *window, uint32_t place, uint32_t before) {
    size_t n = window->order.count, target = before > place ? before - 1 : before;
    if (place >= n || before > n) return false;
    if (target == place) return true;
    tacWindowRow *at = window->order.at, row = at[place];
    uint32_t members = 0, own = tacWindowOwnGroup(window, &row);
    for (size_t i = 0; own != TAC_NONE && i < n; i++) members += at[i].group == own;
    if (place < target) memmove(at + place, at + place + 1, (target - place) * sizeof row);
    else memmove(at + target + 1, at + target, (place - target) * sizeof row);
    at[target] = row;
    window->cache->moved = true;
    if (members != 1) { /* the only row of a group takes it along */
        /* Invariant 2: a row between two of a group joins it, one apart from its own group leaves it. */
        uint32_t above = target > 0 ? tacWindowOwnGroup(window, &at[target - 1]) : TAC_NONE,
                 below = target + 1 < n ? tacWindowOwnGroup(window, &at[target + 1]) : TAC_NONE;
        if (above == below) at[target].group = above;
        else if (own != above && own != below) at[target].group = TAC_NONE;
    }
    return tacWindowRegroup(window);
}

/* Removes a group; its rows stay where they are. */
static void dissolve(tacWindow *window, uint32_t group) {
    for (size_t i = 0; i < window->order.count; i++) {
        uint32_t *of = &window->order.at[i].group;
        *of = *of == group ? TAC_NONE : *of != TAC_NONE && *of > group ? *of - 1 : *of;
    }
    window->groups.count--;
    memmove(window->groups.at + group, window->groups.at + group + 1,
        (window->groups.count - group) * sizeof *window->groups.at);
    for (size_t i = 0; i < window->groups.count; i++) {
        uint32_t *parent = &window->groups.at[i].parent;
        *parent -= *parent != TAC_NONE && *parent > group;
    }
}

bool tacWindowMakeGroup(tacWindow *window, const char *name, size_t length, const uint32_t *places, size_t count) {
    uint32_t group = tacWindowGroupOf(window, name, length),
             id = count ? tacIntern(&window->keys, name, length) : TAC_NONE;
    if (count == 0) {
        if (group == TAC_NONE || window->groups.at[group].byItself) return false;
        dissolve(window, group);
        return tacWindowRegroup(window);
    }
    for (size_t i = 0; i < count; i++)
        if (places[i] >= window->order.count) return false;
    group = id == TAC_NONE ? TAC_NONE : groupNamed(window, id, false);
    if (group == TAC_NONE) return false;
    for (size_t i = 0; i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        row->group = row->group == group ? TAC_NONE : row->group;
    }
    for (size_t i = 0; i < count; i++) window->order.at[places[i]].group = group;
    window->cache->moved = true;
    return tacWindowRegroup(window);
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

/* Finds anew which rows match the filter. */
static void refilter(tacWindow *window) {
    const tacText *pattern = &window->cache->pattern;
    for (size_t i = 0; i < window->order.count; i++) {
        tacWindowRow *row = &window->order.at[i];
        const tacFigureRow *shown = &window->rows.rows.at[row->row];
        row->filtered = pattern->length
            && !tacWildcardMatch(pattern->at, tacFigureRowId(&window->trace->model, shown), true)
            && !tacWildcardMatch(pattern->at, tacFigureRowName(&window->trace->model, shown), true);
    }
}

void tacWindowFilter(tacWindow *window, const char *pattern) {
    if (!tacWindowReady(window)) return;
    tacText *text = &window->cache->pattern;
    bool plain = pattern && *pattern && !strpbrk(pattern, "*?");
    text->length = 0;
    text->failed = false;
    tacTextAddString(text, plain ? "*" : "");
    tacTextAddString(text, pattern ? pattern : "");
    tacTextAddString(text, plain ? "*" : "");
    if (text->failed) /* show all rows rather than those of half a pattern */
        text->length = 0;
    refilter(window);
}

/* Is the group, or one that it lies in, folded? */
static bool isFolded(const tacWindow *window, uint32_t group) {
    for (; group != TAC_NONE; group = window->groups.at[group].parent)
        if (window->groups.at[group].folded) return true;
    return false;
}

bool tacWindowShows(const tacWindow *window, const tacWindowRow *row) {
    return !row->hidden && !row->filtered && (row->pinned || (!row->empty && !isFolded(window, row->group)));
}

tacWindowCounts tacWindowCount(const tacWindow *window) {
    tacWindowCounts counts = {.rows = (uint32_t) window->order.count};
    for (size_t i = 0; i < window->order.count; i++) {
        const tacWindowRow *row = &window->order.at[i];
        uint32_t *reason = row->hidden ? &counts.hidden
            : row->filtered            ? &counts.filtered
            : row->pinned              ? &counts.shown
            : row->empty               ? &counts.empty
                                       : &counts.folded;
        ++*(tacWindowShows(window, row) ? &counts.shown : reason);
    }
    return counts;
}
