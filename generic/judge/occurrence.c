/*
 * occurrence.c -- what happens in a trace, for models: whose it is, and its fields.
 *
 * A text is parsed each time a field of it is asked for; nothing of it is kept.
 */
#include "base/port.h"

#include "judge/occurrence.h"
#include "model/query.h"

#include <string.h>

/* ---- whose ------------------------------------------------------------------------------------------------------- */

/* The processor on which a job runs, or ran last. */
static uint16_t ranOn(const struct tacReplay *replay, uint32_t index) {
    const tacJob *job = tacNowRecord(replay, index);
    bool ran = job->state == TAC_STATE_BETWEEN || tacNowHasRun(replay, index);
    return ran ? job->processor : TAC_NO_PROCESSOR;
}

tacOccurrence tacOccurrenceOfRow(const tacModel *model, const struct tacReplay *replay, uint32_t row, uint32_t cell) {
    const tacStore *store = model->store;
    tacEvent event = tacRowEvent(store, row);
    tacOccurrence o = {.model = model,
        .replay = replay,
        .row = row,
        .job = TAC_NONE,
        .task = TAC_NONE,
        .cell = cell,
        .now = tacNow(replay)};
    uint32_t subject = tacRowSubject(store, row);
    o.processor = tacRowProcessor(store, row);
    if (event == TAC_EV_MESSAGE) o.task = tacMessageTask(store, row);
    if (tacEvents[event].nArguments < 1) return o;
    switch (tacEvents[event].arguments[0]) {
    case TAC_TYPE_JOB:
        o.job = tacNowJob(replay, subject);
        o.task = o.job == TAC_NONE ? store->jobTask.at[subject] : model->jobs.at[o.job].task;
        if (o.processor == TAC_NO_PROCESSOR && o.job != TAC_NONE) o.processor = ranOn(replay, o.job);
        break;
    case TAC_TYPE_TASK: o.task = subject; break;
    case TAC_TYPE_PROCESSOR:
        if (o.processor == TAC_NO_PROCESSOR) o.processor = (uint16_t) subject;
        break;
    default: break;
    }
    return o;
}

tacOccurrence tacOccurrenceOfChange(const tacOccurrence *row, const tacStateChange *change, bool enters) {
    tacOccurrence o = *row;
    o.change = change;
    o.job = change->job;
    o.task = row->model->jobs.at[change->job].task;
    if (change->job != row->job) o.processor = ranOn(row->replay, change->job);
    o.cell = enters ? (uint32_t) TAC_CELL_ENTERS + change->to : (uint32_t) TAC_CELL_LEAVES + change->from;
    return o;
}

tacOccurrence tacOccurrenceOfReturn(const tacModel *model, uint32_t row, int64_t now) {
    return (tacOccurrence){.model = model,
        .row = row,
        .job = TAC_NONE,
        .task = tacRowSubject(model->store, row),
        .processor = tacRowProcessor(model->store, row),
        .cell = TAC_CELL_RETURN,
        .now = now};
}

tacWord tacRowWord(const tacStore *store, uint32_t row) {
    tacWord word = {"", 0};
    int64_t string = tacRowSubject(store, row);
    if (tacRowEvent(store, row) == TAC_EV_MESSAGE || tacRowOption(store, row, TAC_OPT_MESSAGE, &string))
        word.at = tacInternName(&store->strings, (uint32_t) string, &word.length);
    return word;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

enum { MOST_DIGITS = 18 };

static int digitOf(char c, bool hex) {
    if (c >= '0' && c <= '9') return c - '0';
    if (hex && c >= 'a' && c <= 'f') return c - 'a' + 10;
    return hex && c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool tacFieldNumberRead(const tacWord *text, tacFieldNumber *number) {
    const char *at = text->at, *end = text->at + text->length;
    bool minus = at < end && *at == '-', point = false;
    at += minus;
    bool hex = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    int count = 0;
    *number = (tacFieldNumber){0, 0};
    for (at += hex ? 2 : 0; at < end; at++) {
        int digit = digitOf(*at, hex);
        if (*at == '.' && !hex && !point) {
            point = true;
            continue;
        }
        if (digit < 0 || ++count > MOST_DIGITS) return false;
        number->mantissa = number->mantissa * (hex ? 16 : 10) + digit;
        number->digits += point;
    }
    if (minus) number->mantissa = -number->mantissa;
    return count > 0;
}

int tacFieldNumberCompare(const tacFieldNumber *left, const tacFieldNumber *right) {
    __int128 a = left->mantissa, b = right->mantissa;
    bool large = false;
    for (int i = left->digits; i < right->digits && !large; i++) large = __builtin_mul_overflow(a, (__int128) 10, &a);
    if (large) return left->mantissa < 0 ? -1 : 1;
    for (int i = right->digits; i < left->digits && !large; i++) large = __builtin_mul_overflow(b, (__int128) 10, &b);
    if (large) return right->mantissa < 0 ? 1 : -1;
    return a < b ? -1 : a > b;
}

/* ---- fields of a text -------------------------------------------------------------------------------------------- */

static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

typedef struct Word { /* of a text */
    tacWord name;     /* what stands before the first = or :; length 0: it is no field */
    tacWord value;    /* behind it; of a word that is no field: all */
    bool waits;       /* a name, the value of which is the next word */
} Word;

/* Takes the quotes off a value, or the commas and semicolons behind it. */
static tacWord bareValue(const char *from, const char *to) {
    if (from < to && *from == '"') {
        const char *quote = memchr(from + 1, '"', (size_t) (to - from - 1));
        return (tacWord){from + 1, (size_t) ((quote ? quote : to) - from - 1)};
    }
    while (from < to && (to[-1] == ',' || to[-1] == ';')) to--;
    return (tacWord){from, (size_t) (to - from)};
}

/* Reads the next word of a text; false: there is none. */
static bool nextWord(const char **at, const char *end, Word *word) {
    while (*at < end && isBlank(**at)) ++*at;
    const char *from = *at, *sign = from, *to;
    if (from == end) return false;
    while (sign < end && !isBlank(*sign) && *sign != '=' && *sign != ':') sign++;
    bool field = sign > from && sign < end && !isBlank(*sign) && *from != '"';
    const char *value = field ? sign + 1 : from;
    bool quoted = value < end && *value == '"';
    to = quoted ? memchr(value + 1, '"', (size_t) (end - value - 1)) : value;
    if (!to) to = end;
    while (to < end && !isBlank(*to)) to++;
    *at = to;
    *word = (Word){{from, (size_t) (sign - from)}, bareValue(value, to), field && *sign == ':' && value == to};
    if (field && (quoted || word->value.length || word->waits)) return true;
    *word = (Word){{from, 0}, bareValue(from, to), false}; /* also where nothing stands behind the = */
    return true;
}

static bool textField(const tacWord *text, const tacWord *name, tacWord *value) {
    const char *at = text->at, *end = text->at + text->length;
    Word word, next;
    for (bool more = nextWord(&at, end, &word); more; word = next) {
        more = nextWord(&at, end, &next);
        if (word.waits && (!more || next.name.length)) continue;
        if (!name->length || word.name.length != name->length || memcmp(word.name.at, name->at, name->length) != 0)
            continue;
        *value = word.waits ? next.value : word.value;
        return true;
    }
    return false;
}

/* Length of the name of a kept event: what stands before the first ": ". */
static size_t nameLength(const tacWord *text) {
    size_t i = 0;
    while (i < text->length && (text->at[i] != ':' || i + 1 == text->length || text->at[i + 1] != ' ')) i++;
    return i;
}

tacWord tacKeptName(const tacStore *store, uint32_t row) {
    tacWord text = tacRowWord(store, row);
    return (tacWord){text.at, nameLength(&text)};
}

/* The part of a message that has fields: of a kept event, what stands behind its name. */
static tacWord fieldsOf(const tacStore *store, uint32_t row) {
    tacWord text = tacRowWord(store, row);
    size_t skipped = tacMessageFrom(store, row) == TAC_FROM_EVENT ? nameLength(&text) : 0;
    return (tacWord){text.at + skipped, text.length - skipped};
}

/* ---- fields of events -------------------------------------------------------------------------------------------- */

static bool fieldOfText(const char *text, size_t length, tacField *field) {
    field->text = (tacWord){text, length};
    return true;
}

static bool fieldOfNumber(int64_t mantissa, int digits, tacField *field) {
    field->isNumber = true;
    field->number = (tacFieldNumber){mantissa, digits};
    field->text = (tacWord){field->written, tacDecimalFormat(mantissa, digits, field->written)};
    return true;
}

static bool fieldOfId(const char *id, tacField *field) { return fieldOfText(id, strlen(id), field); }

/* The ith argument of a row. */
static bool argumentField(const tacStore *store, uint32_t row, int i, tacField *field) {
    const tacEventSpec *spec = &tacEvents[tacRowEvent(store, row)];
    tacType type = spec->arguments[i];
    int64_t value = i == 0 ? tacRowSubject(store, row) : tacRowObject(store, row);
    if (i == 2 ? !tacRowOption(store, row, TAC_OPT_ARGUMENT3, &value) : i >= spec->nRequired && value == TAC_NONE)
        return false;
    if ((int) type < TAC_KINDS) return fieldOfId(tacObjectId(store, (tacKind) type, (uint32_t) value), field);
    if (type == TAC_TYPE_TIME) return fieldOfNumber(store->numbers.at[value], store->digits, field);
    if (type == TAC_TYPE_INTEGER) return fieldOfNumber(i == 2 ? value : (int64_t) (int32_t) value, 0, field);
    size_t length;
    const char *text = tacInternName(&store->strings, (uint32_t) value, &length);
    return fieldOfText(text, length, field);
}

/* The ids of what all that happens may have. */
static bool idField(const tacOccurrence *o, const tacWord *name, tacField *field) {
    const tacStore *store = o->model->store;
    if (tacWordIs(name, "task") && o->task != TAC_NONE) return fieldOfId(tacObjectId(store, TAC_TASK, o->task), field);
    if (tacWordIs(name, "job") && o->job != TAC_NONE)
        return fieldOfId(tacObjectId(store, TAC_JOB, o->model->jobs.at[o->job].id), field);
    if (tacWordIs(name, "processor") && o->processor != TAC_NO_PROCESSOR)
        return fieldOfId(tacProcessorId(o->model, o->processor), field);
    return false;
}

bool tacFieldFind(const tacOccurrence *o, const tacWord *name, tacField *field) {
    const tacStore *store = o->model->store;
    field->isNumber = false;
    if (o->change) return idField(o, name, field);
    tacEvent event = tacRowEvent(store, o->row);
    const tacEventSpec *spec = &tacEvents[event];
    if (event == TAC_EV_MESSAGE && tacMessageFrom(store, o->row) != TAC_FROM_CALL) {
        tacWord text = fieldsOf(store, o->row);
        if (textField(&text, name, &field->text)) return true;
    }
    bool has = false;
    for (int i = 0; i < spec->nArguments && !has; i++)
        has = tacWordIs(name, spec->argumentNames[i]) && argumentField(store, o->row, i, field);
    return has || idField(o, name, field);
}
