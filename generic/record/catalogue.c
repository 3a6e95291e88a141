/*
 * catalogue.c -- packets that describe, by source and sensor, each as it came.
 *
 * Sources and the sensors of each are sorted by their numbers. A program has few of both, and they are looked up once a
 * packet.
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

typedef struct Sensor {
    uint32_t number;
    tacNotedSensor noted;
    Kept said;
    Kept *elements; /* of a lasting sensor */
    uint32_t count, room;
} Sensor;

typedef struct Source {
    uint64_t identity;
    uint64_t turn; /* of the note that was about it last */
    char program[TACREC_STREAM_TEXT];
    Kept said, firstPairs, lastPairs, end;
    Sensor *sensors; /* by number */
    uint32_t count, room;
} Source;

struct tacCatalogue {
    Source *sources; /* by identity */
    uint32_t count, room;
    uint64_t turn, bytes;
    bool ended; /* some source has */
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
    if (!kept->bytes) return false;
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

/* ---- sources and sensors ----------------------------------------------------------------------------------------- */

/* Index of the source, or of the first one behind its place. */
static uint32_t placeOf(const tacCatalogue *catalogue, uint64_t identity) {
    uint32_t low = 0, high = catalogue->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (catalogue->sources[middle].identity < identity) low = middle + 1;
        else high = middle;
    }
    return low;
}

static Source *findSource(const tacCatalogue *catalogue, uint64_t identity) {
    uint32_t i = placeOf(catalogue, identity);
    return i < catalogue->count && catalogue->sources[i].identity == identity ? &catalogue->sources[i] : NULL;
}

static void freeSource(tacCatalogue *catalogue, Source *source) {
    Kept *const all[] = {&source->said, &source->firstPairs, &source->lastPairs, &source->end};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) drop(catalogue, all[i]);
    for (uint32_t i = 0; i < source->count; i++) {
        Sensor *sensor = &source->sensors[i];
        drop(catalogue, &sensor->said);
        for (uint32_t k = 0; k < sensor->count; k++) drop(catalogue, &sensor->elements[k]);
        free(sensor->elements);
    }
    free(source->sensors);
}

void tacCatalogueForget(tacCatalogue *catalogue, uint64_t identity) {
    Source *source = findSource(catalogue, identity);
    if (!source) return;
    freeSource(catalogue, source);
    size_t behind = (size_t) (catalogue->sources + catalogue->count - (source + 1));
    memmove(source, source + 1, behind * sizeof *source);
    catalogue->count--;
}

void tacCatalogueForgetEnded(tacCatalogue *catalogue) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < catalogue->count && catalogue->ended; i++) {
        Source *source = &catalogue->sources[i];
        if (source->end.bytes) freeSource(catalogue, source);
        else catalogue->sources[left++] = *source;
    }
    if (catalogue->ended) catalogue->count = left;
    catalogue->ended = false;
}

static void forgetOldest(tacCatalogue *catalogue) {
    const Source *oldest = catalogue->sources;
    for (uint32_t i = 1; i < catalogue->count; i++)
        if (catalogue->sources[i].turn < oldest->turn) oldest = &catalogue->sources[i];
    tacCatalogueForget(catalogue, oldest->identity);
}

/* The source, which is added if it was not known. NULL: no memory. */
static Source *sourceOf(tacCatalogue *catalogue, uint64_t identity) {
    Source *source = findSource(catalogue, identity);
    if (!source) {
        if (catalogue->count == SOURCES) forgetOldest(catalogue);
        if (!reserve((void **) &catalogue->sources, catalogue->count, &catalogue->room, sizeof *source)) return NULL;
        uint32_t i = placeOf(catalogue, identity);
        source = &catalogue->sources[i];
        memmove(source + 1, source, (catalogue->count - i) * sizeof *source);
        *source = (Source){.identity = identity};
        catalogue->count++;
    }
    source->turn = ++catalogue->turn;
    return source;
}

static uint32_t sensorPlace(const Source *source, uint32_t number) {
    uint32_t low = 0, high = source->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (source->sensors[middle].number < number) low = middle + 1;
        else high = middle;
    }
    return low;
}

static Sensor *findSensor(const Source *source, uint32_t number) {
    uint32_t i = sensorPlace(source, number);
    return i < source->count && source->sensors[i].number == number ? &source->sensors[i] : NULL;
}

static Sensor *sensorOf(Source *source, uint32_t number) {
    Sensor *sensor = findSensor(source, number);
    if (sensor) return sensor;
    if (!reserve((void **) &source->sensors, source->count, &source->room, sizeof *sensor)) return NULL;
    uint32_t i = sensorPlace(source, number);
    sensor = &source->sensors[i];
    memmove(sensor + 1, sensor, (source->count - i) * sizeof *sensor);
    *sensor = (Sensor){.number = number};
    source->count++;
    return sensor;
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
    if (!sensor) return TAC_NOTED_NEW;
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
    Sensor *sensor = source ? findSensor(source, head->sensor) : NULL;
    if (!sensor || !sensor->noted.lasting || head->size < TACREC_PACKET_HEAD + NUMBER_SIZE) return TAC_NOTED_DATA;
    uint64_t first = firstNumber(bytes), end = first + head->count;
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
    const Sensor *sensor = source ? findSensor(source, number) : NULL;
    return sensor ? &sensor->noted : NULL;
}

static bool tellSource(const Source *source, tacrec_take *take, void *data) {
    bool all = tell(&source->said, take, data) && tell(&source->firstPairs, take, data);
    for (uint32_t i = 0; i < source->count && all; i++) {
        const Sensor *sensor = &source->sensors[i];
        all = tell(&sensor->said, take, data);
        for (uint32_t k = 0; k < sensor->count && all; k++) all = tell(&sensor->elements[k], take, data);
    }
    return all && tell(&source->lastPairs, take, data) && tell(&source->end, take, data);
}

bool tacCatalogueTell(const tacCatalogue *catalogue, tacrec_take *take, void *data) {
    bool all = true;
    for (uint32_t i = 0; i < catalogue->count && all; i++) all = tellSource(&catalogue->sources[i], take, data);
    return all;
}

uint64_t tacCatalogueBytes(const tacCatalogue *catalogue) { return catalogue->bytes; }

tacCatalogue *tacCatalogueNew(void) { return calloc(1, sizeof(tacCatalogue)); }

void tacCatalogueFree(tacCatalogue *catalogue) {
    if (!catalogue) return;
    for (uint32_t i = 0; i < catalogue->count; i++) freeSource(catalogue, &catalogue->sources[i]);
    free(catalogue->sources);
    free(catalogue);
}
