/*
 * ready.c -- ready-made evaluations: histograms of values, distances and spans; a meter of elements in a window of
 * time; state machines with limits.
 *
 * Each is a record that begins with its evaluation; `data` of that is the record itself.
 */
#include "record/tactusrec_evaluate.h"

#include <math.h>
#include <string.h>

/* ---- fields ------------------------------------------------------------------------------------------------------ */

int tacrec_fieldOf(const tacrec_entry *entry, const char *name) {
    uint32_t count = entry->fieldCount < TACREC_FIELDS ? entry->fieldCount : TACREC_FIELDS;
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(entry->fields[i].name, name)) return (int) i;
    return -1;
}

/* One case of a switch: the number of a C type at an address. */
#define NUMBER(type, Number)                \
    case (type) << 8 | sizeof(Number): {    \
        Number number;                      \
        memcpy(&number, at, sizeof number); \
        *value = (double) number;           \
        return true;                        \
    }

bool tacrec_fieldNumber(const tacrec_seen *element, int field, double *value) {
    if (field < 0 || (uint32_t) field >= element->entry->fieldCount || field >= TACREC_FIELDS) return false;
    const tacrec_fieldEntry *entry = &element->entry->fields[field];
    const uint8_t *at = (const uint8_t *) element->read->data + entry->offset;
    switch (entry->type << 8 | entry->size) {
        NUMBER(TACREC_UNSIGNED, uint8_t)
        NUMBER(TACREC_UNSIGNED, uint16_t)
        NUMBER(TACREC_UNSIGNED, uint32_t)
        NUMBER(TACREC_UNSIGNED, uint64_t)
        NUMBER(TACREC_SIGNED, int8_t)
        NUMBER(TACREC_SIGNED, int16_t)
        NUMBER(TACREC_SIGNED, int32_t)
        NUMBER(TACREC_SIGNED, int64_t)
        NUMBER(TACREC_REAL, float)
        NUMBER(TACREC_REAL, double)
    default: return false;
    }
}

/* ---- histograms -------------------------------------------------------------------------------------------------- */

enum { SPANS = sizeof(((tacrec_histogram *) 0)->spans) / sizeof(((tacrec_histogram *) 0)->spans[0]) };

/* Number of the histogram's field in an element, which most elements have where the one before had it. */
static bool fieldNumber(tacrec_histogram *h, const tacrec_seen *element, double *value) {
    if (h->fieldInput != element->input) {
        h->fieldInput = element->input;
        h->fieldIndex = tacrec_fieldOf(element->entry, h->field);
    }
    return tacrec_fieldNumber(element, h->fieldIndex, value);
}

static void count(tacrec_histogram *h, double value, uint64_t time, const tacrec_seen *element) {
    if (!h->count || value < h->least) h->least = value;
    if (!h->count || value > h->largest) h->largest = value;
    h->count++;
    h->sum += value;
    double bin = (value - h->first) / h->width;
    if (bin >= h->bins) h->above++;
    else if (bin >= 0) h->counts[(uint32_t) bin]++;
    else h->below++; /* also what is no number: infinite values in bins of infinite width */
    if (!(value > h->most)) return;
    h->alarms++;
    if (h->alarm) h->alarm(h->data, value, time, element);
}

/* What was begun before elements were missed does not end with one that comes behind. */
static void forgetSpans(tacrec_histogram *h) {
    for (uint32_t i = 0; i < SPANS; i++) {
        h->broken += h->spans[i].open;
        h->spans[i].open = false;
    }
}

/* Begins a span: in the place of one with the same key, else in a free one, else in that of the oldest. */
static void beginSpan(tacrec_histogram *h, double key, uint64_t time) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < SPANS; i++) {
        if (h->spans[i].open && h->spans[i].key == key) {
            at = i;
            break;
        }
        if (h->spans[at].open && (!h->spans[i].open || h->spans[i].time < h->spans[at].time)) at = i;
    }
    h->broken += h->spans[at].open;
    h->spans[at].key = key;
    h->spans[at].time = time;
    h->spans[at].open = true;
}

static void endSpan(tacrec_histogram *h, double key, const tacrec_seen *element) {
    for (uint32_t i = 0; i < SPANS; i++) {
        if (!h->spans[i].open || h->spans[i].key != key) continue;
        h->spans[i].open = false;
        count(h, (double) (int64_t) (element->read->time - h->spans[i].time), element->read->time, element);
        return;
    }
}

static void histogramCommit(void *data, const tacrec_seen *element) {
    tacrec_histogram *h = (tacrec_histogram *) data;
    double value = 0;
    bool known = h->of == TACREC_OF_DISTANCE || !h->field || fieldNumber(h, element, &value);
    if (h->of != TACREC_OF_FIELD && element->read->missed) forgetSpans(h);
    if (!known || value != value) h->broken++;
    else if (h->of == TACREC_OF_FIELD) count(h, value, element->read->time, element);
    else if (h->of == TACREC_OF_SPAN && element->pattern == 0) beginSpan(h, value, element->read->time);
    else endSpan(h, value, element);
    if (h->of == TACREC_OF_DISTANCE) beginSpan(h, 0, element->read->time);
}

void tacrec_histogramBegin(tacrec_histogram *h) {
    h->evaluation.prepare = NULL;
    h->evaluation.commit = histogramCommit;
    h->evaluation.passed = NULL;
    h->evaluation.data = h;
    if (h->bins < 1) h->bins = 1;
    if (h->bins > TACREC_BINS) h->bins = TACREC_BINS;
    if (!(h->width > 0)) h->width = 1;
    h->count = h->below = h->above = h->alarms = h->broken = 0;
    h->least = h->largest = h->sum = 0;
    h->fieldInput = UINT32_MAX;
    memset(h->counts, 0, sizeof h->counts);
    memset(h->spans, 0, sizeof h->spans);
}

double tacrec_histogramQuantile(const tacrec_histogram *h, double share) {
    double wanted = ceil(share * (double) h->count);
    uint64_t sum = h->below;
    if (!h->count) return NAN;
    if (wanted < 1) return h->least;
    if ((double) sum >= wanted) return h->first < h->largest ? h->first : h->largest;
    for (uint32_t i = 0; i < h->bins; i++) {
        double end = h->first + h->width * (i + 1);
        sum += h->counts[i];
        if ((double) sum >= wanted) return end < h->largest ? end : h->largest;
    }
    return h->largest;
}

/* ---- meters ------------------------------------------------------------------------------------------------------ */

static uint64_t slotOf(const tacrec_meter *m, uint64_t time) {
    uint64_t width = m->window / TACREC_SLOTS;
    return time / (width ? width : 1);
}

static void sound(tacrec_meter *m, bool *beyond, bool is, uint64_t time, const tacrec_seen *element) {
    if (is && !*beyond) {
        m->alarms++;
        if (m->alarm) m->alarm(m->data, (double) m->count, time, element);
    }
    *beyond = is;
}

/*
 * Goes on to a later slot. At the end of each slot `count` is that of a whole window, if it has been watched for so
 * long.
 */
static void advance(tacrec_meter *m, uint64_t time) {
    uint64_t slot = slotOf(m, time), width = m->window / TACREC_SLOTS;
    if (!m->running) {
        m->running = true;
        m->begin = m->slot = slot;
    }
    if (slot > m->slot + TACREC_SLOTS + 1) { /* nothing for a whole window: what follows is the same for each slot */
        uint64_t end = m->slot + TACREC_SLOTS + 1;
        advance(m, end * (width ? width : 1));
        m->slot = slot - 1;
    }
    while (m->slot < slot) {
        if (m->slot - m->begin >= TACREC_SLOTS)
            sound(m, &m->beyondLeast, (double) m->count < m->least, (m->slot + 1) * (width ? width : 1), NULL);
        if ((double) m->count <= m->most) m->beyondMost = false;
        m->slot++;
        m->count -= m->slots[m->slot % TACREC_SLOTS];
        m->slots[m->slot % TACREC_SLOTS] = 0;
    }
}

static void meterCommit(void *data, const tacrec_seen *element) {
    tacrec_meter *m = (tacrec_meter *) data;
    uint64_t time = element->read->time, many = 1 + element->read->missed;
    advance(m, time);
    if (slotOf(m, time) + TACREC_SLOTS <= m->slot) return; /* a late one, of before the window */
    m->slots[slotOf(m, time) % TACREC_SLOTS] += many;
    m->count += many;
    if (m->count > m->largest) m->largest = m->count;
    sound(m, &m->beyondMost, (double) m->count > m->most, time, element);
}

static void meterPassed(void *data, uint64_t time) { advance((tacrec_meter *) data, time); }

void tacrec_meterBegin(tacrec_meter *m) {
    m->evaluation.prepare = NULL;
    m->evaluation.commit = meterCommit;
    m->evaluation.passed = meterPassed;
    m->evaluation.data = m;
    m->count = m->largest = m->alarms = 0;
    m->running = m->beyondLeast = m->beyondMost = false;
    memset(m->slots, 0, sizeof m->slots);
}

/* ---- state machines ---------------------------------------------------------------------------------------------- */

static void say(tacrec_machine *m, tacrec_machineSays what, uint64_t time, const tacrec_seen *element) {
    m->said[what]++;
    if (m->says) m->says(m->data, what, time, element);
}

/* Has the state lasted for longer than its limit at this time? */
static void checkLimit(tacrec_machine *m, uint64_t time, const tacrec_seen *element) {
    if (m->state == TACREC_UNKNOWN || m->told || !m->since || !m->limits[m->state]) return;
    if (time <= m->since || time - m->since <= m->limits[m->state]) return;
    m->told = true;
    say(m, TACREC_SAYS_LONG, m->since + m->limits[m->state], element);
}

static bool fits(const tacrec_machine *m, const tacrec_transition *t, const tacrec_seen *element) {
    return t->pattern == element->pattern && (!t->guard || t->guard(m->data, t, element));
}

/* The state that an element leads to from this one; TACREC_UNKNOWN: no transition fits. */
static uint32_t follow(const tacrec_machine *m, uint32_t from, const tacrec_seen *element) {
    for (uint32_t i = 0; i < m->transitionCount; i++) {
        const tacrec_transition *t = &m->transitions[i];
        if ((t->from == from || t->from == TACREC_ANY) && fits(m, t, element)) return t->to;
    }
    return TACREC_UNKNOWN;
}

/* The state that it leads to from all that have a transition for it, if that is one. */
static uint32_t recover(const tacrec_machine *m, const tacrec_seen *element) {
    uint32_t to = TACREC_UNKNOWN;
    for (uint32_t from = 0; from < m->states; from++) {
        uint32_t state = follow(m, from, element);
        if (state == TACREC_UNKNOWN) continue;
        if (to != TACREC_UNKNOWN && to != state) return TACREC_UNKNOWN;
        to = state;
    }
    return to;
}

/* Guards are asked here, where nothing has changed yet. */
static bool machinePrepare(void *data, const tacrec_seen *element) {
    tacrec_machine *m = (tacrec_machine *) data;
    bool known = m->state != TACREC_UNKNOWN && !element->read->missed;
    m->to = known ? follow(m, m->state, element) : recover(m, element);
    return true;
}

static void leaveState(tacrec_machine *m, uint64_t time) {
    if (m->state == TACREC_UNKNOWN || !m->since) return;
    uint64_t spent = time > m->since ? time - m->since : 0;
    m->spent[m->state] += spent;
    if (spent > m->longest[m->state]) m->longest[m->state] = spent;
}

static void enter(tacrec_machine *m, uint32_t state, uint64_t time) {
    m->state = state;
    m->since = time;
    m->told = false;
}

static void machineCommit(void *data, const tacrec_seen *element) {
    tacrec_machine *m = (tacrec_machine *) data;
    uint64_t time = element->read->time;
    if (element->read->missed && m->state != TACREC_UNKNOWN) {
        enter(m, TACREC_UNKNOWN, time); /* the time in the state before is not known */
        say(m, TACREC_SAYS_LOST, time, element);
    }
    bool known = m->state != TACREC_UNKNOWN;
    checkLimit(m, time, element);
    if (m->to == TACREC_UNKNOWN) {
        if (known) say(m, TACREC_SAYS_UNEXPECTED, time, element);
        return;
    }
    leaveState(m, time);
    enter(m, m->to, time);
    m->entered[m->to]++;
    say(m, TACREC_SAYS_ENTERED, time, element);
}

static void machinePassed(void *data, uint64_t time) {
    tacrec_machine *m = (tacrec_machine *) data;
    if (!m->since) m->since = time;
    checkLimit(m, time, NULL);
}

bool tacrec_machineBegin(tacrec_machine *m) {
    m->evaluation.prepare = machinePrepare;
    m->evaluation.commit = machineCommit;
    m->evaluation.passed = machinePassed;
    m->evaluation.data = m;
    m->state = 0;
    m->since = 0;
    m->told = false;
    memset(m->entered, 0, sizeof m->entered);
    memset(m->spent, 0, sizeof m->spent);
    memset(m->longest, 0, sizeof m->longest);
    memset(m->said, 0, sizeof m->said);
    if (!m->states || m->states > TACREC_STATES) return false;
    for (uint32_t i = 0; i < m->transitionCount; i++) {
        const tacrec_transition *t = &m->transitions[i];
        if (t->to >= m->states || (t->from >= m->states && t->from != TACREC_ANY)) return false;
    }
    return true;
}
