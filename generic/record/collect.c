/*
 * collect.c -- the collector: its sources, takers, rounds and thread.
 *
 * One lock keeps all of it. A round holds the lock while it reads and hands on, so a taker that waits long holds up
 * whoever asks for counts, and the programs lose what their rings cannot hold; it never holds up a program.
 */
#define _GNU_SOURCE
#include "record/collectPart.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    SECOND = 1000000000,
    ENDED = 256,       /* sources that are kept after their end */
    REMARKS = 16,      /* that wait to be read */
    REMARK = 320,      /* bytes of one */
    DESCRIBE_WAIT = 10 /* seconds; descriptions are repeated so often, or each second where they are little of all */
};

typedef struct Ended { /* a process */
    uint32_t pid;
    bool known;
    tacrec_endKind how;
    uint32_t status;
} Ended;

struct tacrec_collector {
    pthread_mutex_t lock;
    tacrec_collectOptions options;
    tacrec_collected *first, **last;
    CollectFolders *folders;
    tacrec_taker *takers;
    uint32_t takerCount;
    Ended *ended;
    uint32_t endedCount;
    tacrec_collectCount count; /* sensors to before: of sources that are not kept any more; the rest: of all */
    char remarks[REMARKS][REMARK];
    uint32_t remarkFirst, remarkCount;
    uint64_t gatheredAt, pairedAt;
    uint64_t period; /* until the next round: the options', or less while rings fill fast */
    bool stopped;
    /* the thread */
    pthread_t thread;
    bool runs;
    bool ends;  /* atomic */
    int wakeUp; /* eventfd: the thread is to look at `ends` */
};

static void lock(tacrec_collector *collector) { pthread_mutex_lock(&collector->lock); }
static void unlock(tacrec_collector *collector) { pthread_mutex_unlock(&collector->lock); }

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t) t.tv_sec * SECOND + (uint64_t) t.tv_nsec;
}

uint64_t tacrec_collectNow(void) { return nanoseconds(CLOCK_MONOTONIC); }

const tacrec_collectOptions *tacrec_collectOptionsOf(const tacrec_collector *collector) { return &collector->options; }

/* ---- remarks ----------------------------------------------------------------------------------------------------- */

void tacrec_collectRemark(tacrec_collector *collector, const char *format, ...) {
    if (collector->remarkCount == REMARKS) return;
    char *to = collector->remarks[(collector->remarkFirst + collector->remarkCount++) % REMARKS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to, REMARK, format, arguments);
    va_end(arguments);
}

bool tacrec_collectorRemark(tacrec_collector *collector, char *text, size_t room) {
    lock(collector);
    bool has = collector->remarkCount > 0;
    if (has) {
        snprintf(text, room, "%s", collector->remarks[collector->remarkFirst]);
        collector->remarkFirst = (collector->remarkFirst + 1) % REMARKS;
        collector->remarkCount--;
    }
    unlock(collector);
    return has;
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

/* Hands a packet to all takers; false: there are some, and none of them took it. */
static bool handOn(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacrec_collector *collector = ((tacrec_collected *) data)->collector;
    bool any = false, taken = false;
    for (uint32_t i = 0; i < collector->takerCount; i++) {
        const tacrec_taker *taker = &collector->takers[i];
        if (!taker->packet) continue;
        any = true;
        if (taker->packet(taker->data, head, bytes)) taken = true;
    }
    if (any && taken) {
        collector->count.packets++;
        collector->count.bytes += head->size;
    } else if (any && head->kind == TACREC_PACKET_ELEMENTS) {
        collector->count.refused += head->count;
    }
    return taken || !any;
}

static void flush(tacrec_collected *source) {
    if (source->gathers) tacrec_writerFlush(source->writer, UINT32_MAX);
    source->gathers = false;
}

/*
 * Describes a source once more: each second if what came since is much more than the description, else every ten
 * seconds if anything came.
 */
static void describeAgain(tacrec_collected *source, uint64_t now) {
    uint64_t bytes = tacrec_writerCount(source->writer).bytes, since = bytes - source->bytesThen;
    uint64_t waited = now > source->describedAt ? now - source->describedAt : 0; /* it may have come in this round */
    if (waited < SECOND || !since) return;
    if (since / 8 < source->descriptionBytes && waited < (uint64_t) DESCRIBE_WAIT * SECOND) return;
    tacrec_writerDescribe(source->writer, NULL, NULL);
    source->describedAt = now;
    source->bytesThen = tacrec_writerCount(source->writer).bytes;
    source->descriptionBytes = source->bytesThen - bytes;
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

void tacrec_collectHere(tacrec_source *source) {
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    source->processors = processors > 0 ? (uint32_t) processors : 0;
    source->monotonic = nanoseconds(CLOCK_MONOTONIC);
    source->realtime = nanoseconds(CLOCK_REALTIME);
    tacrec_boot(source->boot);
    memset(source->machine, 0, sizeof source->machine);
    if (gethostname(source->machine, sizeof source->machine - 1)) source->machine[0] = 0;
}

/* The clocks as they are now, for a source that has the processor's. */
static void pairNow(tacrec_collected *source) {
    tacrec_pair pair;
    tacrec_hooks hooks;
    if (source->said.clock != TACREC_CLOCK_TSC || tacrec_bestClock(&hooks) != TACREC_CLOCK_TSC) return;
    tacrec_measure(&hooks, &pair);
    tacrec_collectPair(source, &pair);
}

tacrec_collected *tacrec_collectAddLocked(tacrec_collector *collector, const tacrec_source *said, uint64_t identity,
    const tacrec_sourceClass *calls, void *data) {
    tacrec_collected *source = (tacrec_collected *) calloc(1, sizeof *source);
    if (source) {
        source->collector = collector;
        source->said = *said;
        source->calls = *calls;
        source->data = data;
        source->how = TACREC_END_CLOSED;
        source->identity = identity;
        if (!identity && getrandom(&source->identity, sizeof source->identity, 0) != sizeof source->identity)
            source->identity = tacrec_collectNow() << 16 ^ (uint64_t) getpid();
        source->writer = tacrec_writerNew(said, source->identity, handOn, source);
    }
    if (!source || !source->writer) {
        free(source);
        if (calls->free) calls->free(data);
        return NULL;
    }
    *collector->last = source;
    collector->last = &source->later;
    collector->count.sources++;
    tacrec_writerDescribe(source->writer, NULL, NULL);
    source->describedAt = tacrec_collectNow();
    source->bytesThen = source->descriptionBytes = tacrec_writerCount(source->writer).bytes;
    pairNow(source);
    return source;
}

tacrec_collected *tacrec_collectorAdd(
    tacrec_collector *collector, const tacrec_source *said, const tacrec_sourceClass *calls, void *data) {
    lock(collector);
    tacrec_collected *source = tacrec_collectAddLocked(collector, said, 0, calls, data);
    unlock(collector);
    return source;
}

CollectSensor *tacrec_collectSensorOf(const tacrec_collected *source, uint32_t sensor) {
    return sensor < source->room ? source->sensors[sensor] : NULL;
}

/* Makes room for a sensor of this number. */
static bool makeRoom(tacrec_collected *source, uint32_t sensor) {
    uint32_t room = source->room ? source->room : 16;
    while (room <= sensor) room *= 2;
    if (room == source->room) return true;
    CollectSensor **sensors = (CollectSensor **) realloc(source->sensors, room * sizeof *sensors);
    if (!sensors) return false;
    memset(sensors + source->room, 0, (room - source->room) * sizeof *sensors);
    source->sensors = sensors;
    source->room = room;
    return true;
}

bool tacrec_collectSensor(tacrec_collected *source, uint32_t sensor, const tacrec_sensorSaid *said) {
    if (sensor >= TACREC_COLLECT_SENSORS || !source->writer || !makeRoom(source, sensor)) return false;
    CollectSensor *is = source->sensors[sensor];
    if (!is) is = source->sensors[sensor] = (CollectSensor *) calloc(1, sizeof *is);
    if (!is) return false;
    is->said = *said;
    is->described = tacrec_writerSensor(source->writer, sensor, said);
    return is->described;
}

bool tacrec_collectElement(
    tacrec_collected *source, uint32_t sensor, uint64_t number, uint64_t time, const void *data) {
    CollectSensor *is = tacrec_collectSensorOf(source, sensor);
    if (!is || !is->described || !source->writer) return false;
    if (number > is->next) {
        if (is->elements) is->lost += number - is->next;
        else is->before = number;
    }
    is->next = number + 1;
    is->elements++;
    tacrec_collector *collector = source->collector;
    for (uint32_t i = 0; i < collector->takerCount; i++) {
        const tacrec_taker *taker = &collector->takers[i];
        if (taker->element) taker->element(taker->data, source, sensor, number, time, data);
    }
    source->gathers = true;
    if (tacrec_writerElement(source->writer, sensor, number, time, data)) return true;
    collector->count.refused++;
    collector->count.lacked++;
    return false;
}

bool tacrec_collectPair(tacrec_collected *source, const tacrec_pair *pair) {
    if (!source->oldest.nanoseconds || pair->counter < source->oldest.counter) source->oldest = *pair;
    if (pair->counter > source->newest.counter) source->newest = *pair;
    return source->writer && tacrec_writerPair(source->writer, pair);
}

void tacrec_collectHow(tacrec_collected *source, tacrec_endKind how, uint32_t status, const char *text) {
    source->how = how;
    source->status = status;
    snprintf(source->text, sizeof source->text, "%s", text ? text : "");
}

const tacrec_source *tacrec_collectedSource(const tacrec_collected *source) { return &source->said; }

uint64_t tacrec_collectedIdentity(const tacrec_collected *source) { return source->identity; }

const tacrec_sensorSaid *tacrec_collectedSensor(const tacrec_collected *source, uint32_t sensor) {
    const CollectSensor *is = tacrec_collectSensorOf(source, sensor);
    return is && is->described ? &is->said : NULL;
}

/* The straight line through the oldest and the newest pair. */
uint64_t tacrec_collectedTime(const tacrec_collected *source, uint64_t time) {
    const tacrec_pair *old = &source->oldest, *new = &source->newest;
    if (source->said.clock != TACREC_CLOCK_TSC) return time;
    if (new->counter <= old->counter || new->nanoseconds <= old->nanoseconds) return old->nanoseconds;
    double slope = (double) (new->nanoseconds - old->nanoseconds) / (double) (new->counter - old->counter);
    double later = (double) (int64_t) (time - new->counter) * slope;
    if (!(later > -9e18 && later < 9e18)) return old->nanoseconds; /* what no program has written */
    return new->nanoseconds + (uint64_t) (int64_t) later;
}

/* ---- the end of sources ------------------------------------------------------------------------------------------ */

static void freeData(tacrec_collected *source) {
    if (source->calls.free) source->calls.free(source->data);
    source->calls.free = NULL;
    source->data = NULL;
}

static void endSource(tacrec_collected *source) {
    flush(source);
    tacrec_writerEnd(source->writer, source->how, source->status, source->text);
    tacrec_writerFree(source->writer);
    source->writer = NULL;
    for (uint32_t k = 0; k < source->room; k++)
        if (source->sensors[k]) source->sensors[k]->ended = true;
    freeData(source);
}

static void freeSource(tacrec_collected *source) {
    if (source->writer) tacrec_writerFree(source->writer);
    freeData(source);
    for (uint32_t k = 0; k < source->room; k++) free(source->sensors[k]);
    free(source->sensors);
    free(source);
}

static void countSensors(const tacrec_collected *source, tacrec_collectCount *count) {
    for (uint32_t k = 0; k < source->room; k++) {
        const CollectSensor *is = source->sensors[k];
        if (!is) continue;
        count->sensors++;
        count->elements += is->elements;
        count->lost += is->lost;
        count->before += is->before;
    }
}

/* Forgets the sources that ended first, if too many have. Their counts stay. */
static void forget(tacrec_collector *collector) {
    uint64_t ended = 0;
    for (tacrec_collected *source = collector->first; source; source = source->later) ended += !source->writer;
    tacrec_collected **link = &collector->first;
    while (*link && ended > ENDED) {
        tacrec_collected *source = *link;
        if (source->writer) {
            link = &source->later;
            continue;
        }
        countSensors(source, &collector->count);
        *link = source->later;
        if (!*link) collector->last = link;
        freeSource(source);
        ended--;
    }
}

/* ---- processes that the caller knows about ----------------------------------------------------------------------- */

static Ended *endedOf(tacrec_collector *collector, uint32_t pid) {
    for (uint32_t i = 0; i < collector->endedCount; i++)
        if (collector->ended[i].pid == pid) return &collector->ended[i];
    return NULL;
}

static Ended *endedMade(tacrec_collector *collector, uint32_t pid) {
    Ended *is = endedOf(collector, pid);
    if (is) return is;
    Ended *ended = (Ended *) realloc(collector->ended, (collector->endedCount + 1) * sizeof *ended);
    if (!ended) return NULL;
    collector->ended = ended;
    is = &ended[collector->endedCount++];
    memset(is, 0, sizeof *is);
    is->pid = pid;
    return is;
}

bool tacrec_collectorExpect(tacrec_collector *collector, uint32_t pid) {
    lock(collector);
    bool made = endedMade(collector, pid) != NULL;
    unlock(collector);
    return made;
}

void tacrec_collectorEnded(tacrec_collector *collector, uint32_t pid, tacrec_endKind how, uint32_t status) {
    lock(collector);
    Ended *is = endedMade(collector, pid);
    if (is) {
        is->known = true;
        is->how = how;
        is->status = status;
    }
    unlock(collector);
}

bool tacrec_collectHasEnded(tacrec_collector *collector, uint32_t pid, tacrec_endKind *how, uint32_t *status) {
    const Ended *is = endedOf(collector, pid);
    *how = is && is->known ? is->how : TACREC_END_GONE;
    *status = is && is->known ? is->status : 0;
    return !is || is->known;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static uint64_t elementsOf(tacrec_collector *collector) {
    tacrec_collectCount count = collector->count;
    for (const tacrec_collected *source = collector->first; source; source = source->later)
        countSensors(source, &count);
    return count.elements;
}

/* What is done now and then: pairs of clocks each second, elements that have waited long enough, descriptions. */
static void tidy(tacrec_collector *collector, uint64_t now) {
    bool pairs = now - collector->pairedAt >= SECOND, gather = now - collector->gatheredAt >= collector->options.gather;
    if (pairs) collector->pairedAt = now;
    if (gather) collector->gatheredAt = now;
    for (tacrec_collected *source = collector->first; source; source = source->later) {
        if (!source->writer) continue;
        if (pairs) pairNow(source);
        if (gather) flush(source);
        describeAgain(source, now);
    }
}

/* Rounds follow each other faster while rings fill fast, up to sixteen times, and slow down again. They take a quarter
 * of the time at most. */
static void pace(tacrec_collector *collector, uint64_t begun) {
    uint64_t most = collector->options.period, took = tacrec_collectNow() - begun;
    bool hurries = false;
    for (tacrec_collected *source = collector->first; source; source = source->later) {
        hurries = hurries || source->hurries;
        source->hurries = false;
    }
    collector->period = hurries ? collector->period / 2 : 2 * collector->period;
    if (collector->period < most / 16) collector->period = most / 16;
    if (collector->period < 4 * took) collector->period = 4 * took;
    if (collector->period > most) collector->period = most;
}

static void roundLocked(tacrec_collector *collector) {
    uint64_t now = tacrec_collectNow();
    bool ended = false;
    tacrec_foldersLook(collector->folders, collector);
    for (tacrec_collected *source = collector->first; source; source = source->later) {
        if (!source->writer || source->calls.round(source->data, source)) continue;
        endSource(source);
        ended = true;
    }
    if (ended) forget(collector);
    tidy(collector, now);
    pace(collector, now);
    for (uint32_t i = 0; i < collector->takerCount; i++)
        if (collector->takers[i].round) collector->takers[i].round(collector->takers[i].data, now);
}

uint64_t tacrec_collectorRound(tacrec_collector *collector) {
    lock(collector);
    uint64_t before = elementsOf(collector);
    if (!collector->runs && !collector->stopped) roundLocked(collector);
    uint64_t after = elementsOf(collector);
    unlock(collector);
    return after - before;
}

/* Waits until the next round is due, a folder has changed, or the collector is stopped. */
static void waitForRound(tacrec_collector *collector, uint64_t due) {
    struct pollfd files[] = {{collector->wakeUp, POLLIN, 0}, {tacrec_foldersFile(collector->folders), POLLIN, 0}};
    uint64_t now = tacrec_collectNow(), left = due > now ? due - now : 0;
    struct timespec wait = {(time_t) (left / SECOND), (long) (left % SECOND)};
    if (ppoll(files, files[1].fd >= 0 ? 2 : 1, &wait, NULL) < 0 && errno != EINTR) nanosleep(&wait, NULL);
}

static void *run(void *data) {
    tacrec_collector *collector = (tacrec_collector *) data;
    uint64_t due = tacrec_collectNow();
    while (!__atomic_load_n(&collector->ends, __ATOMIC_ACQUIRE)) {
        lock(collector);
        roundLocked(collector);
        unlock(collector);
        uint64_t now = tacrec_collectNow();
        due += collector->period;
        if (due < now) due = now;
        if (due > now + collector->period) due = now + collector->period;
        waitForRound(collector, due);
    }
    return NULL;
}

/* ---- takers ------------------------------------------------------------------------------------------------------ */

bool tacrec_collectorTake(tacrec_collector *collector, const tacrec_taker *taker) {
    lock(collector);
    tacrec_taker *takers = (tacrec_taker *) realloc(
        collector->takers, (collector->takerCount + 1) * sizeof *collector->takers);
    if (takers) {
        collector->takers = takers;
        for (tacrec_collected *source = collector->first; source; source = source->later) {
            if (!source->writer) continue;
            flush(source); /* to those before */
            if (taker->packet) tacrec_writerDescribe(source->writer, taker->packet, taker->data);
        }
        takers[collector->takerCount++] = *taker;
    }
    unlock(collector);
    return takers != NULL;
}

void tacrec_collectorLeave(tacrec_collector *collector, const void *data) {
    lock(collector);
    for (tacrec_collected *source = collector->first; source; source = source->later)
        if (source->writer) flush(source);
    uint32_t to = 0;
    for (uint32_t i = 0; i < collector->takerCount; i++)
        if (collector->takers[i].data != data) collector->takers[to++] = collector->takers[i];
    collector->takerCount = to;
    unlock(collector);
}

/* ---- the collector ----------------------------------------------------------------------------------------------- */

tacrec_collector *tacrec_collectorNew(const tacrec_collectOptions *options) {
    tacrec_collector *collector = (tacrec_collector *) calloc(1, sizeof *collector);
    if (!collector) return NULL;
    if (options) collector->options = *options;
    if (!collector->options.period) collector->options.period = SECOND / 100;
    if (!collector->options.gather) collector->options.gather = SECOND / 10;
    if (!collector->options.held) collector->options.held = SECOND;
    collector->period = collector->options.period;
    pthread_mutex_init(&collector->lock, NULL);
    collector->last = &collector->first;
    collector->gatheredAt = collector->pairedAt = tacrec_collectNow();
    collector->wakeUp = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    collector->folders = tacrec_foldersNew();
    if (collector->folders && collector->wakeUp >= 0) return collector;
    tacrec_collectorFree(collector);
    return NULL;
}

int tacrec_collectorWatch(tacrec_collector *collector, const char *path) {
    lock(collector);
    int problem = tacrec_foldersAdd(collector->folders, collector, path);
    unlock(collector);
    return problem;
}

/* The thread takes no signals: they are for the threads of the program that it is part of. */
int tacrec_collectorStart(tacrec_collector *collector) {
    if (collector->runs || collector->stopped) return EINVAL;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    collector->runs = true;
    int problem = pthread_create(&collector->thread, NULL, run, collector);
    if (problem) collector->runs = false;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem;
}

static void endThread(tacrec_collector *collector) {
    uint64_t one = 1;
    __atomic_store_n(&collector->ends, true, __ATOMIC_RELEASE);
    while (write(collector->wakeUp, &one, sizeof one) < 0 && errno == EINTR) continue;
    pthread_join(collector->thread, NULL);
}

void tacrec_collectorStop(tacrec_collector *collector) {
    if (collector->stopped) return;
    if (collector->runs) endThread(collector);
    lock(collector);
    collector->runs = false;
    collector->stopped = true;
    roundLocked(collector);
    tacrec_foldersEnd(collector->folders, collector);
    for (tacrec_collected *source = collector->first; source; source = source->later) {
        if (!source->writer) continue;
        if (source->calls.end) source->calls.end(source->data, source);
        pairNow(source);
        endSource(source);
    }
    unlock(collector);
}

void tacrec_collectorFree(tacrec_collector *collector) {
    if (!collector) return;
    if (collector->folders) tacrec_collectorStop(collector);
    for (tacrec_collected *source = collector->first, *later; source; source = later) {
        later = source->later;
        freeSource(source);
    }
    tacrec_foldersFree(collector->folders);
    if (collector->wakeUp >= 0) close(collector->wakeUp);
    pthread_mutex_destroy(&collector->lock);
    free(collector->takers);
    free(collector->ended);
    free(collector);
}

void tacrec_collectorCount(tacrec_collector *collector, tacrec_collectCount *count) {
    lock(collector);
    *count = collector->count;
    count->running = 0;
    for (const tacrec_collected *source = collector->first; source; source = source->later) {
        countSensors(source, count);
        count->running += source->writer != NULL;
    }
    unlock(collector);
}

void tacrec_collectorSensors(
    tacrec_collector *collector, void (*each)(void *data, const tacrec_sensorCount *count), void *data) {
    lock(collector);
    for (const tacrec_collected *source = collector->first; source; source = source->later) {
        for (uint32_t k = 0; k < source->room; k++) {
            const CollectSensor *is = source->sensors[k];
            if (!is || !is->described) continue;
            tacrec_sensorCount count = {.identity = source->identity,
                .pid = source->said.pid,
                .sensor = k,
                .ended = is->ended || !source->writer,
                .said = is->said,
                .elements = is->elements,
                .lost = is->lost,
                .before = is->before};
            memcpy(count.program, source->said.name, sizeof count.program);
            each(data, &count);
        }
    }
    unlock(collector);
}
