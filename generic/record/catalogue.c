/*
 * catalogue.c -- packets that describe, by source and sensor, each as it came.
 *
 * Sources and the sensors of each are sorted by their numbers, and looked up once a packet.
 */
#include "record/catalogue.h"

#include <stdlib.h>
#include <string.h>

enum {
    LASTING = 4096,        /* packets of a lasting sensor that are kept, at most */
    SOURCES = 4096,        /* that are kept; the one that has been silent for longest makes room */
    BYTES_MOST = 64 << 20, /* of all packets that are kept */
    NUMBER_SIZE = 8        /* number of the first element, behind the head */
};

typedef struct Kept { /* a packet */
    tacrec_packet head;
    uint8_t *bytes; /* NULL: there is none */
} Kept;

typedef struct Row {
    uint64_t number;
    void *at; /* a Source or Sensor */
} Row;

typedef struct Table { /* by number */
    Row *rows;
    uint32_t count, room;
} Table;

typedef struct Sensor {
    tacNotedSensor noted;
    Kept said;
    Kept *elements; /* of a lasting sensor */
    uint32_t count, room;
} Sensor;

typedef struct Source {
    uint64_t turn; /* of the note that was about it last */
    char program[TACREC_STREAM_TEXT];
    Kept said, firstPairs, lastPairs, end;
    Table sensors;
} Source;

struct tacCatalogue {
    Table sources; /* by identity */
    uint64_t turn, bytes;
    bool ended;  /* some source has */
    bool lacked; /* memory, for what was to be kept */
};

/* ---- packets that are kept --------------------------------------------------------------------------------------- */

/* Does it say the same, whenever it was said? */
static bool isSame(const Kept *kept, const tacrec_packet *head, const uint8_t *bytes) {
    return kept->bytes && kept->head.size == head->size
        && !memcmp(
            kept->bytes + TACREC_PACKET_HEAD, bytes + TACREC_PACKET_HEAD, head->size - (size_t) TACREC_PACKET_HEAD);
}

static void drop(tacCatalogue *catalogue, Kept *kept) {
    if (kept->bytes) catalogue->bytes -= kept->head.size;
    free(kept->bytes);
    kept->bytes = NULL;
}

static bool hasRoom(const tacCatalogue *catalogue, uint32_t size) { return catalogue->bytes + size <= BYTES_MOST; }

/* Keeps a packet in the place of another one. False: no memory, or too much is kept. */
static bool keep(tacCatalogue *catalogue, Kept *kept, const tacrec_packet *head, const uint8_t *bytes) {
    drop(catalogue, kept);
    if (!hasRoom(catalogue, head->size)) return false;
    kept->bytes = malloc(head->size);
    if (!kept->bytes) return catalogue->lacked = true, false;
    memcpy(kept->bytes, bytes, head->size);
    kept->head = *head;
    catalogue->bytes += head->size;
    return true;
}

static bool tell(const Kept *kept, tacrec_take *take, void *data) {
    return !kept->bytes || take(data, &kept->head, kept->bytes);
}

/* Makes room for one more in a list. */
static bool reserve(void **list, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return true;
    uint32_t more = *room ? 2 * *room : 4;
    void *bigger = realloc(*list, more * size);
    if (!bigger) return false;
    *list = bigger;
    *room = more;
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Index of the row with this number, or of the first one behind its place. */
static uint32_t placeOf(const Table *table, uint64_t number) {
    uint32_t low = 0, high = table->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->rows[middle].number < number) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* What has this number; NULL: nothing. */
static void *find(const Table *table, uint64_t number) {
    uint32_t i = placeOf(table, number);
    return i < table->count && table->rows[i].number == number ? table->rows[i].at : NULL;
}

/* Adds zeros of so many bytes with a number that nothing has yet. NULL: no memory. */
static void *add(Table *table, uint64_t number, size_t size) {
    if (!reserve((void **) &table->rows, table->count, &table->room, sizeof *table->rows)) return NULL;
    void *item = calloc(1, size);
    if (!item) return NULL;
    uint32_t i = placeOf(table, number);
    memmove(&table->rows[i + 1], &table->rows[i], (table->count - i) * sizeof *table->rows);
    table->rows[i] = (Row){number, item};
    table->count++;
    return item;
}

/* ---- sources and sensors ----------------------------------------------------------------------------------------- */

static Source *findSource(const tacCatalogue *catalogue, uint64_t identity) {
    return find(&catalogue->sources, identity);
}

static void freeSource(tacCatalogue *catalogue, Source *source) {
    Kept *const all[] = {&source->said, &source->firstPairs, &source->lastPairs, &source->end};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) drop(catalogue, all[i]);
    for (uint32_t i = 0; i < source->sensors.count; i++) {
        Sensor *sensor = source->sensors.rows[i].at;
        drop(catalogue, &sensor->said);
        for (uint32_t k = 0; k < sensor->count; k++) drop(catalogue, &sensor->elements[k]);
        free(sensor->elements);
        free(sensor);
    }
    free(source->sensors.rows);
    free(source);
}

void tacCatalogueForget(tacCatalogue *catalogue, uint64_t identity) {
    Table *sources = &catalogue->sources;
    uint32_t i = placeOf(sources, identity);
    if (!findSource(catalogue, identity)) return;
    freeSource(catalogue, sources->rows[i].at);
    sources->count--;
    memmove(&sources->rows[i], &sources->rows[i + 1], (sources->count - i) * sizeof *sources->rows);
}

void tacCatalogueForgetEnded(tacCatalogue *catalogue) {
    Table *sources = &catalogue->sources;
    uint32_t left = 0;
    if (!catalogue->ended) return;
    for (uint32_t i = 0; i < sources->count; i++) {
        Source *source = sources->rows[i].at;
        if (source->end.bytes) freeSource(catalogue, source);
        else sources->rows[left++] = sources->rows[i];
    }
    sources->count = left;
    catalogue->ended = false;
}

static void forgetOldest(tacCatalogue *catalogue) {
    const Table *sources = &catalogue->sources;
    const Row *oldest = sources->rows;
    for (const Row *row = oldest; row < sources->rows + sources->count; row++)
        if (((Source *) row->at)->turn < ((Source *) oldest->at)->turn) oldest = row;
    tacCatalogueForget(catalogue, oldest->number);
}

/* The source, which is added if it was not known. NULL: no memory. */
static Source *sourceOf(tacCatalogue *catalogue, uint64_t identity) {
    Source *source = findSource(catalogue, identity);
    if (!source && catalogue->sources.count == SOURCES) forgetOldest(catalogue);
    if (!source) source = add(&catalogue->sources, identity, sizeof *source);
    if (source) source->turn = ++catalogue->turn;
    else catalogue->lacked = true;
    return source;
}

static Sensor *sensorOf(Source *source, uint32_t number) {
    Sensor *sensor = find(&source->sensors, number);
    return sensor ? sensor : add(&source->sensors, number, sizeof *sensor);
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static tacNoted noteIn(tacCatalogue *catalogue, Kept *kept, const tacrec_packet *head, const uint8_t *bytes) {
    if (isSame(kept, head, bytes)) return TAC_NOTED_AGAIN;
    keep(catalogue, kept, head, bytes);
    return TAC_NOTED_NEW;
}

static tacNoted noteSource(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    tacrec_source said;
    Source *source = tacrec_packetSource(bytes, head, &said) ? sourceOf(catalogue, head->source) : NULL;
    if (!source) return TAC_NOTED_NEW;
    memcpy(source->program, said.name, sizeof source->program);
    return noteIn(catalogue, &source->said, head, bytes);
}

static tacNoted noteSensor(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    tacrec_sensorSaid said;
    if (!tacrec_packetSensor(bytes, head, &said) || !hasRoom(catalogue, head->size)) return TAC_NOTED_NEW;
    Source *source = sourceOf(catalogue, head->source);
    Sensor *sensor = source ? sensorOf(source, head->sensor) : NULL;
    if (!sensor) return catalogue->lacked = true, TAC_NOTED_NEW;
    memcpy(sensor->noted.name, said.name, sizeof sensor->noted.name);
    memcpy(sensor->noted.storage, said.storage, sizeof sensor->noted.storage);
    memcpy(sensor->noted.program, source->program, sizeof sensor->noted.program);
    sensor->noted.lasting = (said.flags & TACREC_SENSOR_LASTING) != 0;
    return noteIn(catalogue, &sensor->said, head, bytes);
}

/* Pairs are new, but for the first and the last one again, as a writer repeats them. */
static tacNoted notePairs(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    Source *source = sourceOf(catalogue, head->source);
    if (!source) return TAC_NOTED_NEW;
    if (isSame(&source->firstPairs, head, bytes)) return TAC_NOTED_AGAIN;
    return noteIn(catalogue, source->firstPairs.bytes ? &source->lastPairs : &source->firstPairs, head, bytes);
}

static tacNoted noteEnd(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    Source *source = sourceOf(catalogue, head->source);
    catalogue->ended |= source != NULL;
    return source ? noteIn(catalogue, &source->end, head, bytes) : TAC_NOTED_NEW;
}

/* Number of the first element of a packet of elements. */
static uint64_t firstNumber(const uint8_t *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < NUMBER_SIZE; i++) number |= (uint64_t) bytes[TACREC_PACKET_HEAD + i] << 8 * i;
    return number;
}

/* Elements of a lasting sensor. A writer repeats them in larger packets, which take the place of those they contain. */
static tacNoted noteElements(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    Source *source = findSource(catalogue, head->source);
    Sensor *sensor = source ? find(&source->sensors, head->sensor) : NULL;
    if (!sensor || !sensor->noted.lasting || head->size < TACREC_PACKET_HEAD + NUMBER_SIZE) return TAC_NOTED_DATA;
    uint64_t first = firstNumber(bytes), end = first + head->count;
    if (end < first) return TAC_NOTED_DATA; /* there are no such numbers */
    uint32_t left = 0;
    bool isKnown = false;
    for (uint32_t i = 0; i < sensor->count; i++) {
        Kept *kept = &sensor->elements[i];
        uint64_t keptFirst = firstNumber(kept->bytes), keptEnd = keptFirst + kept->head.count;
        if (keptFirst <= first && end <= keptEnd) isKnown = true;
        if (!isKnown && first <= keptFirst && keptEnd <= end) drop(catalogue, kept);
        else sensor->elements[left++] = *kept;
    }
    sensor->count = left;
    if (isKnown) return TAC_NOTED_AGAIN;
    if (sensor->count == LASTING) return TAC_NOTED_DATA;
    if (!reserve((void **) &sensor->elements, sensor->count, &sensor->room, sizeof *sensor->elements))
        return TAC_NOTED_NEW;
    sensor->elements[sensor->count] = (Kept){.bytes = NULL};
    if (keep(catalogue, &sensor->elements[sensor->count], head, bytes)) sensor->count++;
    return TAC_NOTED_NEW;
}

tacNoted tacCatalogueNote(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes) {
    switch (head->kind) {
    case TACREC_PACKET_SOURCE: return noteSource(catalogue, head, bytes);
    case TACREC_PACKET_SENSOR: return noteSensor(catalogue, head, bytes);
    case TACREC_PACKET_PAIRS: return notePairs(catalogue, head, bytes);
    case TACREC_PACKET_END: return noteEnd(catalogue, head, bytes);
    case TACREC_PACKET_ELEMENTS: return noteElements(catalogue, head, bytes);
    default: return TAC_NOTED_DATA;
    }
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const tacNotedSensor *tacCatalogueSensor(const tacCatalogue *catalogue, uint64_t identity, uint32_t number) {
    const Source *source = findSource(catalogue, identity);
    const Sensor *sensor = source ? find(&source->sensors, number) : NULL;
    return sensor ? &sensor->noted : NULL;
}

static bool tellSource(const Source *source, tacrec_take *take, void *data) {
    bool all = tell(&source->said, take, data) && tell(&source->firstPairs, take, data);
    for (uint32_t i = 0; i < source->sensors.count && all; i++) {
        const Sensor *sensor = source->sensors.rows[i].at;
        all = tell(&sensor->said, take, data);
        for (uint32_t k = 0; k < sensor->count && all; k++) all = tell(&sensor->elements[k], take, data);
    }
    return all && tell(&source->lastPairs, take, data) && tell(&source->end, take, data);
}

bool tacCatalogueTell(const tacCatalogue *catalogue, tacrec_take *take, void *data) {
    bool all = true;
    for (uint32_t i = 0; i < catalogue->sources.count && all; i++)
        all = tellSource(catalogue->sources.rows[i].at, take, data);
    return all;
}

bool tacCatalogueLacked(tacCatalogue *catalogue) {
    bool lacked = catalogue->lacked;
    catalogue->lacked = false;
    return lacked;
}

uint64_t tacCatalogueBytes(const tacCatalogue *catalogue) { return catalogue->bytes; }

tacCatalogue *tacCatalogueNew(void) { return calloc(1, sizeof(tacCatalogue)); }

void tacCatalogueFree(tacCatalogue *catalogue) {
    if (!catalogue) return;
    for (uint32_t i = 0; i < catalogue->sources.count; i++) freeSource(catalogue, catalogue->sources.rows[i].at);
    free(catalogue->sources.rows);
    free(catalogue);
}
