/*
 * store.c -- which storage gets a packet.
 *
 * What describes goes to every storage that has begun; those that begin later tell it first. Repetitions go to none:
 * files would be full of them, and who needs them (UDP) repeats the catalogue by itself.
 */
#define _GNU_SOURCE
#include "record/store.h"

#include <grp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STORAGES = 64,
    KEPT_PART = 64, /* a storage that stops keeps this part of its size for what describes, within these bounds */
    KEPT_LEAST = 4 << 10,
    KEPT_MOST = 1 << 20
};
static const uint64_t SECOND = 1000000000;

struct tacStorages {
    tacStorage *at[STORAGES]; /* those that are asked first stand first */
    uint32_t count;
    tacCatalogue *catalogue;
    tacLosses losses; /* of what none took */
    uint64_t lost;    /* elements that none took */
    bool loses;       /* that was said */
    uint64_t (*now)(void);
    tacStorageSay *say;
    void *data;
};

const char *const tacStorageKindNames[] = {"memory", "file", "folder", "tcp", "udp", NULL};
const char *const tacStrategyNames[] = {"stop", "restart", "priority", "wrapping", "singleflip", "multipleflip", NULL};
static const tacStorageClass *const classes[] = {
    &tacStorageMemory, &tacStorageFile, &tacStorageFolder, &tacStorageTcp, &tacStorageUdp};

bool tacStorageHas(tacStorageKind kind, tacStrategy strategy) {
    static const unsigned has[TAC_STORAGE_KINDS] = {
        [TAC_STORAGE_MEMORY] = 1u << TAC_STRATEGY_STOP | 1u << TAC_STRATEGY_RESTART | 1u << TAC_STRATEGY_PRIORITY
            | 1u << TAC_STRATEGY_WRAPPING,
        [TAC_STORAGE_FILE] = 1u << TAC_STRATEGY_STOP | 1u << TAC_STRATEGY_RESTART,
        [TAC_STORAGE_FOLDER] = 1u << TAC_STRATEGY_STOP | 1u << TAC_STRATEGY_RESTART | 1u << TAC_STRATEGY_SINGLEFLIP
            | 1u << TAC_STRATEGY_MULTIPLEFLIP,
        [TAC_STORAGE_TCP] = 1u << TAC_STRATEGY_STOP,
        [TAC_STORAGE_UDP] = 1u << TAC_STRATEGY_STOP,
    };
    return (has[kind] >> strategy & 1) != 0;
}

/* ---- what storages use ------------------------------------------------------------------------------------------- */

static uint64_t monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * SECOND + (uint64_t) t.tv_nsec;
}

uint64_t tacStoragesNow(const tacStorages *all) { return all->now(); }

static void sayOf(tacStorage *s, const char *format, va_list arguments) {
    char text[TAC_STORAGE_TEXT];
    int n = snprintf(text, sizeof text, "storage %s: ", s->is.name);
    vsnprintf(text + n, sizeof text - (size_t) n, format, arguments);
    s->all->say(s->all->data, text);
}

void tacStorageTold(tacStorage *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sayOf(s, format, arguments);
    va_end(arguments);
}

bool tacStorageGone(tacStorage *s, const char *format, ...) {
    va_list arguments;
    s->retry = tacStoragesNow(s->all) + SECOND;
    if (!s->refuses) {
        va_start(arguments, format);
        sayOf(s, format, arguments);
        va_end(arguments);
    }
    s->since = 0;
    s->refuses = true;
    return false;
}

bool tacStorageDescribe(const tacStorage *s, tacrec_take *take, void *data) {
    return tacCatalogueTell(s->all->catalogue, take, data);
}

const tacNotedSensor *tacStorageSensor(const tacStorage *s, const tacrec_packet *head) {
    return tacCatalogueSensor(s->all->catalogue, head->source, head->sensor);
}

uint64_t tacStorageKnown(const tacStorage *s) { return tacCatalogueBytes(s->all->catalogue); }

uint64_t tacStorageRoom(const tacStorage *s, const tacrec_packet *head, bool said) {
    uint64_t kept = s->is.size / KEPT_PART;
    if ((said && head->kind == TACREC_PACKET_LOST) || s->is.strategy != TAC_STRATEGY_STOP) return s->is.size;
    kept = kept < KEPT_LEAST ? KEPT_LEAST : kept > KEPT_MOST ? KEPT_MOST : kept;
    if (s->is.size <= 2 * kept) kept = s->is.size / 2;
    return s->is.size - (said ? kept / 2 : kept);
}

void tacStorageLost(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes) {
    if (head->kind == TACREC_PACKET_ELEMENTS && head->sequence != TACREC_REPEATED) s->count.lost += head->count;
    tacLossesNote(&s->losses, head, bytes);
}

/* ---- giving ------------------------------------------------------------------------------------------------------ */

static bool takeSaid(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    return s->class->take(s, head, bytes, true);
}

/* A storage that was gone takes packets: says so, once it has taken them for a second. */
static void isBack(tacStorage *s) {
    uint64_t now = tacStoragesNow(s->all);
    if (!s->since) s->since = now;
    if (now - s->since < SECOND) return;
    s->refuses = false;
    s->since = 0;
    tacStorageTold(s, "takes packets again");
}

/* Tells a storage, before data, what it did not take when it was gone, and what it has lost. */
static bool tellMissed(tacStorage *s) {
    if (s->missed && !tacStorageDescribe(s, takeSaid, s)) return false;
    s->missed = false;
    return s->class == &tacStorageMemory || tacLossesTell(&s->losses, takeSaid, s);
}

/* Gives a packet to a storage. False: it does not take it. */
static bool give(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    bool gone = s->retry && tacStoragesNow(s->all) < s->retry;
    if (gone || (!said && !tellMissed(s)) || !s->class->take(s, head, bytes, said)) {
        s->missed |= said;
        return false;
    }
    s->retry = 0;
    if (s->refuses && !said) isBack(s);
    s->count.packets++;
    s->count.bytes += head->size;
    if (head->kind == TACREC_PACKET_ELEMENTS) s->count.elements += head->count;
    return true;
}

/* Gives a packet to a storage that stores, before which it is told what none took. */
static bool store(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes) {
    if (!give(s, head, bytes, false)) return false;
    if (!s->all->losses.count) return true;
    /* Memory tells its losses when it is written out. */
    if (s->class == &tacStorageMemory) {
        tacLossesAdd(&s->losses, &s->all->losses);
        s->all->losses.count = 0;
    } else tacLossesTell(&s->all->losses, takeSaid, s);
    return true;
}

static tacStorage *named(const tacStorages *all, const char *name) {
    for (uint32_t i = 0; i < all->count && name[0]; i++)
        if (!strcmp(all->at[i]->is.name, name)) return all->at[i];
    return NULL;
}

/* Stores data in the best storage that takes it, other than `but`. isKept: a copy has it. */
static void route(
    tacStorages *all, const tacStorage *but, const tacrec_packet *head, const uint8_t *bytes, bool isKept) {
    const tacNotedSensor *sensor = tacCatalogueSensor(all->catalogue, head->source, head->sensor);
    tacStorage *best = sensor ? named(all, sensor->storage) : NULL;
    if (best && best != but && !best->is.copy && store(best, head, bytes)) return;
    for (uint32_t i = 0; i < all->count; i++) {
        tacStorage *s = all->at[i];
        if (s != best && s != but && !s->is.copy && store(s, head, bytes)) return;
    }
    tacLossesNote(&all->losses, head, bytes);
    if (isKept) return;
    if (head->kind == TACREC_PACKET_ELEMENTS) all->lost += head->count;
    if (all->loses) return;
    all->loses = true;
    all->say(all->data, "no storage takes packets: what is lost is counted");
}

/* It gives a packet away: no longer has it. */
static void giveAway(tacStorage *s, const tacrec_packet *head) {
    s->count.packets--;
    s->count.bytes -= head->size;
    if (head->kind == TACREC_PACKET_ELEMENTS) s->count.elements -= head->count;
}

void tacStoragePass(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes) {
    giveAway(s, head);
    route(s->all, s, head, bytes, false);
}

bool tacStorageGive(tacStorage *s, const char *to, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *target = named(s->all, to);
    if (!target || target == s || !give(target, head, bytes, false)) return false;
    giveAway(s, head);
    if (s->losses.count) tacLossesTell(&s->losses, takeSaid, target);
    return true;
}

bool tacStoragesTake(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorages *all = data;
    tacNoted noted = tacCatalogueNote(all->catalogue, head, bytes);
    bool isKept = false;
    if (tacCatalogueLacked(all->catalogue) && all->say)
        all->say(all->data, "not enough memory for what describes a program: files lack it until it is said again");
    for (uint32_t i = 0; i < all->count; i++) {
        tacStorage *s = all->at[i];
        if (noted == TAC_NOTED_NEW) give(s, head, bytes, true);
        if (noted != TAC_NOTED_DATA || !s->is.copy) continue;
        if (!give(s, head, bytes, false)) tacStorageLost(s, head, bytes);
        else isKept |= !s->is.listen; /* there may be nobody who listens */
    }
    if (noted == TAC_NOTED_DATA) route(all, NULL, head, bytes, isKept);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i]->class->note) all->at[i]->class->note(all->at[i], head);
    return true;
}

/* What is known of sources that have ended is told as long as a storage has packets that it will give to others. */
static void forgetEnded(tacStorages *all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i]->class->holds && all->at[i]->class->holds(all->at[i])) return;
    tacCatalogueForgetEnded(all->catalogue);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

tacStorages *tacStoragesNew(tacStorageSay *say, void *data, uint64_t (*now)(void)) {
    tacStorages *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    *all = (tacStorages){.catalogue = tacCatalogueNew(), .now = now ? now : monotonic, .say = say, .data = data};
    if (all->catalogue) return all;
    free(all);
    return NULL;
}

bool tacStoragesAdd(tacStorages *all, const tacStorageOptions *options, char why[TAC_STORAGE_TEXT]) {
    tacStorage *s = all->count < STORAGES ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        snprintf(why, TAC_STORAGE_TEXT, all->count < STORAGES ? "not enough memory" : "more than 64 storages");
        return false;
    }
    if (options->group[0] && !getgrnam(options->group)) {
        snprintf(why, TAC_STORAGE_TEXT, "there is no group \"%s\"", options->group);
        free(s);
        return false;
    }
    *s = (tacStorage){.is = *options, .all = all, .class = classes[options->kind]};
    if (!s->class->open(s, why)) {
        free(s);
        return false;
    }
    uint32_t place = all->count++;
    for (; place > 0 && all->at[place - 1]->is.priority < options->priority; place--)
        all->at[place] = all->at[place - 1];
    all->at[place] = s;
    return true;
}

int tacStoragesWait(tacStorages *all, struct pollfd *polled, int room) {
    int count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i]->class->wait) count += all->at[i]->class->wait(all->at[i], polled + count, room - count);
    return count;
}

void tacStoragesWork(tacStorages *all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i]->class->work) all->at[i]->class->work(all->at[i]);
    forgetEnded(all);
}

void tacStoragesDump(tacStorages *all, tacDumpOccasion occasion) {
    static const char *const names[] = {
        [TAC_DUMP_SIGNAL] = "a signal", [TAC_DUMP_CRASH] = "a program that crashed", [TAC_DUMP_END] = "the end"};
    for (uint32_t i = 0; i < all->count; i++) {
        tacStorage *s = all->at[i];
        if (s->class->dump && (s->is.occasions & occasion)) s->class->dump(s, names[occasion]);
    }
}

/* Tells what none took, at the end, in whatever file or folder has some room left. Copies may have it. */
static void tellLosses(tacStorages *all) {
    for (uint32_t i = 0; i < all->count && all->losses.count; i++) {
        tacStorage *s = all->at[i];
        if (!s->is.copy && s->class != &tacStorageMemory) tacLossesTell(&all->losses, takeSaid, s);
    }
}

/* Tells it, where there is no other storage, in memory that is written out at the end. */
static void tellMemoryLosses(tacStorages *all) {
    for (uint32_t i = 0; i < all->count && all->losses.count; i++) {
        tacStorage *s = all->at[i];
        if (s->is.copy || s->class != &tacStorageMemory || !(s->is.occasions & TAC_DUMP_END)) continue;
        tacLossesAdd(&s->losses, &all->losses);
        all->losses.count = 0;
    }
}

static void closeOne(tacStorages *all, uint32_t i) {
    tacStorage *s = all->at[i];
    if (s->class != &tacStorageMemory) tacLossesTell(&s->losses, takeSaid, s);
    s->class->close(s);
    /* What memory threw away that was to go into another storage is told there. */
    if (s->is.to[0]) tacLossesAdd(&all->losses, &s->losses);
    tacLossesClear(&s->losses);
    free(s);
    all->count--;
    memmove(all->at + i, all->at + i + 1, (all->count - i) * sizeof *all->at);
}

static void closeThose(tacStorages *all, tacStorageKind first, tacStorageKind last) {
    for (uint32_t i = all->count; i-- > 0;)
        if (all->at[i]->is.kind >= first && all->at[i]->is.kind <= last) closeOne(all, i);
}

/* Networks first: what they did not send goes to the others. Then memory, which may go into files. */
void tacStoragesFree(tacStorages *all) {
    if (!all) return;
    closeThose(all, TAC_STORAGE_TCP, TAC_STORAGE_UDP);
    tellLosses(all);
    tellMemoryLosses(all);
    closeThose(all, TAC_STORAGE_MEMORY, TAC_STORAGE_MEMORY);
    tellLosses(all);
    closeThose(all, TAC_STORAGE_FILE, TAC_STORAGE_FOLDER);
    tacLossesClear(&all->losses);
    tacCatalogueFree(all->catalogue);
    free(all);
}

const tacStorageOptions *tacStoragesCount(const tacStorages *all, uint32_t n, tacStorageCount *count) {
    if (n >= all->count) return NULL;
    *count = all->at[n]->count;
    return &all->at[n]->is;
}

uint64_t tacStoragesLost(const tacStorages *all) { return all->lost; }
