/*
 * vocabulary.c -- the ready-made sensors of a trace: names of objects, events, texts.
 *
 * Needs nothing but the compiler, as record.c does. vocabularyPosix.c gives each thread its rings.
 */
#include "record/vocabulary.h"
#include "record/vocabularyFields.h"

tacrec_trace tacrec_theTrace;
const uint32_t tacrec_noProcessor = TACREC_ANYWHERE;

uint64_t tacrec_noTime(void *data) {
    (void) data;
    return 0;
}

enum { OBJECTS = 4096 }; /* of a directory that has room for more; they take their memory at the beginning */

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static uint32_t least(uint64_t a, uint64_t b) { return (uint32_t) (a < b ? a : b); }

/* Elements of each ring, where they share so many bytes; at least 2. */
static uint32_t shareOf(uint64_t bytes, uint64_t rings, uint64_t element) {
    uint64_t most = bytes / rings;
    most = most > sizeof(tacrec_ring) + TACREC_LINE ? (most - sizeof(tacrec_ring) - TACREC_LINE) / element : 0;
    return most < 2 ? 2 : least(most, 1u << 20);
}

/* The largest power of two that is not more; at least 2. */
static uint32_t powerOfTwo(uint64_t most) {
    uint32_t power = 2;
    while (power < 1u << 16 && 2 * (uint64_t) power <= most) power *= 2;
    return power;
}

/*
 * Fills in what is not said: an eighth of the directory each for texts and for objects, unless these are many, and for
 * events what is left, but for entries and some lines between. Threads are no more than have entries.
 */
static tacrec_traceLayout completed(const tacrec_head *head, const tacrec_traceLayout *said) {
    tacrec_traceLayout l = {0, 0, 0, 0};
    if (said) l = *said;
    if (TACREC_HOSTED && !l.threads) l.threads = least(32, head->entries / 3);
    uint64_t rings = l.threads ? l.threads : 1, time = sizeof(tacrec_element);
    if (!l.objects) l.objects = least(powerOfTwo(head->size / 8 / (time + sizeof(tacrec_object))), OBJECTS);
    if (!l.events) {
        uint64_t others = l.objects * (time + sizeof(tacrec_object)) + head->size / 32 * 9;
        l.events = shareOf(head->size > others ? head->size - others : 0, rings, time + sizeof(tacrec_event));
        if (!l.threads) l.events = powerOfTwo(l.events);
    }
    if (!l.texts) l.texts = powerOfTwo(head->size / 8 / rings / (time + sizeof(tacrec_text)));
    return l;
}

static tacrec_layout layoutOf(tacrec_traceSensor which, tacrec_kind kind, uint32_t capacity) {
    tacrec_layout layout = tacrec_traceSensors[which];
    layout.kind = kind;
    layout.capacity = capacity;
    return layout;
}

bool tacrec_traceOpen(tacrec_directory *directory, const tacrec_traceLayout *said) {
    tacrec_trace *trace = &tacrec_theTrace;
    tacrec_directory to = *directory;
    if (trace->open) return false;
    tacrec_traceLayout l = {2, TACREC_HOSTED, 2, 2};
    if (to.head) l = completed(to.head, said);
    else to.hooks.now = tacrec_noTime;
    tacrec_kind kind = l.threads ? TACREC_PER_THREAD : TACREC_CONCURRENT;
    tacrec_layout objects = layoutOf(TACREC_TRACE_OBJECTS, TACREC_CONCURRENT, l.objects);
    tacrec_layout events = layoutOf(TACREC_TRACE_EVENTS, kind, l.events);
    tacrec_layout texts = layoutOf(TACREC_TRACE_TEXTS, kind, l.texts);
    objects.lasting = true;
    bool all = tacrec_add(&to, &trace->objects, &objects);
    if (l.threads) {
        all &= tacrec_addThreads(&to, &trace->events, &events, l.threads);
        all &= tacrec_addThreads(&to, &trace->texts, &texts, l.threads);
    }
#if !TACREC_HOSTED
    if (!l.threads) {
        all &= tacrec_add(&to, &tacrec_only.events, &events);
        all &= tacrec_add(&to, &tacrec_only.texts, &texts);
    }
#endif
    __atomic_store_n(&trace->open, true, __ATOMIC_RELEASE);
    return all;
}

/* Ends a sensor of threads; those that attach to it from now on write into themselves. */
static void endThreads(tacrec_threads *threads) {
    tacrec_removeThreads(threads);
    threads->head = NULL;
    threads->hooks.now = tacrec_noTime;
}

void tacrec_traceClose(void) {
    tacrec_trace *trace = &tacrec_theTrace;
    if (!trace->open) return;
    __atomic_store_n(&trace->open, false, __ATOMIC_RELEASE);
#if TACREC_HOSTED
    if (tacrec_here) tacrec_contextEnd(tacrec_here);
    tacrec_here = NULL;
#else
    tacrec_contextEnd(&tacrec_only);
#endif
    tacrec_remove(&trace->objects);
    endThreads(&trace->events);
    endThreads(&trace->texts);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Copies a text, cut at a whole character. */
static void copyText(char *to, size_t room, const char *from) {
    size_t n = 0;
    while (from && from[n] && n < room - 1) n++;
    if (from && from[n])
        while (n > 0 && ((unsigned char) from[n] & 0xc0) == 0x80) n--;
    for (size_t i = 0; i < n; i++) to[i] = from[i];
    to[n] = 0;
}

/* The number of the element, from 1, whose place was given to be written; 0: nobody sees it. */
static uint32_t idOf(const tacrec_sensor *sensor, const void *place) {
    const uint8_t *at = (const uint8_t *) place;
    if (!sensor->entry || at < sensor->begin || at >= sensor->end) return 0;
    const tacrec_element *element = (const tacrec_element *) (at - sizeof *element);
    return (uint32_t) (tacrec_load(&element->turn) / 2) + 1; /* turn: 2 n + 1 */
}

/* Writes an object, of which `what` has what else is said. */
static uint32_t write(const tacrec_object *what, const char *name, const tacrec_said *said) {
    tacrec_sensor *sensor = &tacrec_theTrace.objects;
    if (!__atomic_load_n(&tacrec_theTrace.open, __ATOMIC_ACQUIRE)) return 0;
    tacrec_object *object = (tacrec_object *) tacrec_write(sensor);
    uint32_t id = idOf(sensor, object);
    *object = *what;
    object->id = id;
    copyText(object->name, sizeof object->name, name);
    copyText(object->group, sizeof object->group, said ? said->group : NULL);
    copyText(object->color, sizeof object->color, said ? said->color : NULL);
    tacrec_commit(sensor, object);
    return id;
}

static tacrec_object objectOf(tacrec_objectKind kind) {
    tacrec_object object;
    for (size_t i = 0; i < sizeof object; i++) ((volatile uint8_t *) &object)[i] = 0;
    object.kind = (uint32_t) kind;
    return object;
}

uint32_t tacrec_newObject(tacrec_objectKind kind, const char *name, const tacrec_said *said) {
    tacrec_object object = objectOf(kind);
    if (said) {
        object.priority = said->priority;
        object.processor = said->processor;
        object.flags = said->flags;
        object.period = said->period;
        object.deadline = said->deadline;
        object.budget = said->budget;
        object.capacity = said->capacity;
    }
    return write(&object, name, said);
}

void tacrec_nameProcessor(uint16_t processor, const char *name) {
    tacrec_object object = objectOf(TACREC_PROCESSOR);
    object.processor = processor;
    write(&object, name, NULL);
}

void tacrec_thisTask(uint32_t task) {
    tacrec_context *here = TACREC_HERE;
    here->task = task;
    if (!here->thread || !task) return;
    for (uint32_t i = 0; i < here->toldCount; i++)
        if (here->told[i] == task) return;
    if (here->toldCount == TACREC_TOLD) return;
    here->told[here->toldCount++] = task;
    tacrec_object object = objectOf(TACREC_THREAD_OF_TASK);
    object.of = task;
    object.thread = here->thread;
    write(&object, NULL, NULL);
}

/* ---- contexts and texts ------------------------------------------------------------------------------------------ */

#if !TACREC_HOSTED
static const uint32_t firstProcessor = 0;

/* What writes into itself until there is a trace. */
#define IN_ITSELF(sensor)                                                                                          \
    {                                                                                                              \
        (uint8_t *) (sensor).spare, (uint8_t *) (sensor).spare, (uint8_t *) (sensor).spare + sizeof(sensor).spare, \
            &(sensor).spareRing, 0, 0, 0, 1, 0, sizeof(sensor).spare, 1, TACREC_SIMPLE, TACREC_CLOCK_HOOK,         \
            {tacrec_noTime, NULL, NULL, NULL, NULL, 0, NULL}, NULL, NULL, NULL, {{0}, 0, 0, {0}}, {                \
            0                                                                                                      \
        }                                                                                                          \
    }

tacrec_context tacrec_only = {
    IN_ITSELF(tacrec_only.events), IN_ITSELF(tacrec_only.texts), &firstProcessor, 0, 0, 0, {0}};
#endif

bool tacrec_contextBegin(tacrec_context *context, uint32_t thread, const uint32_t *processor) {
    tacrec_trace *trace = &tacrec_theTrace;
    context->processor = processor ? processor : &tacrec_noProcessor;
    context->thread = thread;
    context->task = context->toldCount = 0;
    if (!trace->events.hooks.now) trace->events.hooks.now = trace->texts.hooks.now = tacrec_noTime;
    bool events = tacrec_attach(&trace->events, &context->events, thread);
    return tacrec_attach(&trace->texts, &context->texts, thread) && events;
}

void tacrec_contextEnd(tacrec_context *context) {
    tacrec_remove(&context->events);
    tacrec_remove(&context->texts);
}

static void say(tacrec_code code, const char *text) {
    tacrec_context *here = TACREC_HERE;
    tacrec_text *element = (tacrec_text *) tacrec_write(&here->texts);
    element->code = (uint16_t) code;
    element->processor = (uint16_t) __atomic_load_n(here->processor, __ATOMIC_RELAXED);
    element->task = here->task;
    copyText(element->text, sizeof element->text, text);
    tacrec_commit(&here->texts, element);
}

void tacrec_message(const char *text) { say(TACREC_MESSAGE, text); }
void tacrec_interval(const char *text) { say(TACREC_INTERVAL, text); }
void tacrec_relteqEvent(const char *words) { say(TACREC_RELTEQ, words); }

bool tacrec_bufferStructure(const uint32_t *chain, uint32_t count) {
    char text[TACREC_TEXT_MOST];
    size_t n = sizeof text; /* written from the end */
    text[--n] = 0;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t left = chain[i];
        do {
            if (n == 0) return false;
            text[--n] = (char) ('0' + left % 10);
        } while (left /= 10);
        if (i > 0 && n == 0) return false;
        if (i > 0) text[--n] = ' ';
    }
    say(TACREC_BUFFER_STRUCTURE, text + n);
    return true;
}
