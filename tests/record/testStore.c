/*
 * testStore.c -- storages keep what they took: each element that was written is read again, or was told as lost.
 *
 * The clock of the storages is the tests' own. Prints a line for each test, "ok NAME" or "FAILED NAME: why"; the exit
 * status is 1 if one failed. Arguments: a folder for files, which is empty; how often a writing process is killed.
 */
#define _GNU_SOURCE
#include "check.h"
#include "record/catalogue.h"
#include "record/receive.h"
#include "record/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SENSORS = 4, NUMBERS = 1 << 20, ELEMENT = 64, K = 1 << 10, M = 1 << 20 };

static const char *top;

/* ---- clock, files, what is said ---------------------------------------------------------------------------------- */

static uint64_t clockNow = 1000000000;
static uint64_t now(void) { return clockNow; }
static void pass(double seconds) { clockNow += (uint64_t) (seconds * 1e9); }

static char said[64 * K];
static void say(void *data, const char *text) {
    (void) data;
    size_t n = strlen(said);
    snprintf(said + n, sizeof said - n, "%s\n", text);
}

static const char *newPath(const char *name) {
    static char paths[8][300];
    static unsigned count;
    char *path = paths[count % 8];
    snprintf(path, sizeof paths[0], "%s/%u-%s", top, count++, name);
    return path;
}

static uint64_t sizeOf(const char *path) {
    struct stat status;
    return stat(path, &status) ? 0 : (uint64_t) status.st_size;
}

static uint64_t diskOf(const char *path) {
    struct stat status;
    return stat(path, &status) ? 0 : (uint64_t) status.st_blocks * 512;
}

/* ---- what is read again ------------------------------------------------------------------------------------------ */

typedef struct Sum { /* of one source, by sensor */
    uint64_t read[SENSORS], twice[SENSORS], lost[SENSORS], unknown, damaged, bytes;
    uint64_t first[SENSORS], last[SENSORS]; /* numbers of elements */
    bool source, sensor[SENSORS], end;
    bool any;         /* from strangers: only bytes are counted */
    unsigned lasting; /* elements */
    uint8_t seen[SENSORS][NUMBERS / 8];
} Sum;

static uint64_t get(const uint8_t *at) {
    uint64_t value = 0;
    memcpy(&value, at, sizeof value);
    return value;
}

static void seeElements(Sum *sum, const tacrec_packet *head, const uint8_t *bytes) {
    uint64_t first = get(bytes + TACREC_PACKET_HEAD);
    if (!sum->source || !sum->sensor[head->sensor]) sum->unknown += head->count;
    for (uint64_t n = first; n < first + head->count && n < NUMBERS; n++) {
        uint8_t *seen = &sum->seen[head->sensor][n / 8];
        if (*seen >> n % 8 & 1) sum->twice[head->sensor]++;
        else sum->read[head->sensor]++;
        *seen |= (uint8_t) (1 << n % 8);
        if (n < sum->first[head->sensor]) sum->first[head->sensor] = n;
        if (n > sum->last[head->sensor]) sum->last[head->sensor] = n;
    }
}

static bool see(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Sum *sum = data;
    sum->bytes += head->size;
    if (sum->any) return true;
    if (head->sensor >= SENSORS) abort();
    if (head->kind == TACREC_PACKET_SOURCE) sum->source = true;
    if (head->kind == TACREC_PACKET_SENSOR) sum->sensor[head->sensor] = true;
    if (head->kind == TACREC_PACKET_END) sum->end = true;
    if (head->kind == TACREC_PACKET_ELEMENTS) seeElements(sum, head, bytes);
    if (head->kind == TACREC_PACKET_LOST) sum->lost[head->sensor] += get(bytes + TACREC_PACKET_HEAD);
    return true;
}

static Sum *newSum(void) {
    Sum *sum = calloc(1, sizeof *sum);
    if (!sum) abort();
    for (int i = 0; i < SENSORS; i++) sum->first[i] = UINT64_MAX;
    return sum;
}

static void seeFile(Sum *sum, const char *path) {
    int file = open(path, O_RDONLY);
    size_t size = sizeOf(path);
    if (file < 0 || size == 0) {
        if (file >= 0) close(file);
        return;
    }
    uint8_t *bytes = malloc(size);
    if (!bytes || read(file, bytes, size) != (ssize_t) size) abort();
    close(file);
    tacrec_packet head;
    const uint8_t *at = bytes, *end = bytes + size, *next, *packet;
    for (; (packet = tacrec_packetFind(at, end, &head, &next)) != NULL; at = next) {
        sum->damaged += (uint64_t) (packet - at);
        see(sum, &head, packet);
    }
    sum->damaged += (uint64_t) (end - at);
    free(bytes);
}

static int byName(const void *a, const void *b) { return strcmp(*(char *const *) a, *(char *const *) b); }

/* Reads all files of a folder; returns how many. */
static unsigned seeFolder(Sum *sum, const char *path) {
    char *names[1000], file[600];
    unsigned count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) && count < 1000;)
        if (strstr(entry->d_name, ".tacs")) names[count++] = strdup(entry->d_name);
    if (folder) closedir(folder);
    qsort(names, count, sizeof *names, byName);
    for (unsigned i = 0; i < count; i++) {
        snprintf(file, sizeof file, "%s/%s", path, names[i]);
        seeFile(sum, file);
        free(names[i]);
    }
    return count;
}

static uint64_t folderBytes(const char *path, uint64_t (*of)(const char *)) {
    char file[600];
    uint64_t bytes = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') bytes += of(file);
    }
    if (folder) closedir(folder);
    return bytes;
}

/* ---- what is written --------------------------------------------------------------------------------------------- */

typedef struct Program {
    tacrec_writer *writer;
    uint64_t written[SENSORS];
} Program;

static void addSensor(
    Program *p, uint32_t number, const char *name, uint32_t priority, const char *storage, bool lasting) {
    tacrec_sensorSaid sensor = {.kind = 1,
        .size = ELEMENT,
        .fieldCount = 1,
        .priority = priority,
        .flags = lasting ? TACREC_SENSOR_LASTING : 0,
        .fields = {{"number", TACREC_UNSIGNED, 0, 8}}};
    snprintf(sensor.name, sizeof sensor.name, "%s", name);
    snprintf(sensor.storage, sizeof sensor.storage, "%s", storage);
    if (!tacrec_writerSensor(p->writer, number, &sensor)) abort();
}

static Program newProgram(uint64_t identity, tacrec_take *take, void *data) {
    tacrec_source source = {.kind = TACREC_SOURCE_PROGRAM, .clock = TACREC_CLOCK_HOOK, .pid = 1, .name = "program"};
    Program p = {.writer = tacrec_writerNew(&source, identity, take, data)};
    if (!p.writer) abort();
    tacrec_writerPair(p.writer, &(tacrec_pair){clockNow, clockNow});
    addSensor(&p, 0, "numbers", 1, "", false);
    return p;
}

/* Writes elements, which make a packet. */
static void writeSome(Program *p, uint32_t sensor, unsigned count) {
    uint8_t element[ELEMENT] = {0};
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = p->written[sensor]++;
        memcpy(element, &number, sizeof number);
        if (!tacrec_writerElement(p->writer, sensor, number, clockNow, element)) abort();
    }
    tacrec_writerFlush(p->writer, sensor);
}

static void endProgram(Program *p, tacrec_endKind how) {
    tacrec_writerEnd(p->writer, how, 0, "");
    tacrec_writerFree(p->writer);
    p->writer = NULL;
}

/* ---- storages ---------------------------------------------------------------------------------------------------- */

static tacStorageOptions optionsOf(tacStorageKind kind, tacStrategy strategy, const char *name, uint64_t size) {
    tacStorageOptions options = {.kind = kind, .strategy = strategy, .size = size, .files = 2, .dumps = 100};
    snprintf(options.name, sizeof options.name, "%s", name);
    return options;
}

static tacStorages *newStorages(void) {
    tacStorages *storages = tacStoragesNew(say, NULL, now);
    if (!storages) abort();
    said[0] = 0;
    return storages;
}

static void add(tacStorages *storages, const tacStorageOptions *options) {
    char why[TAC_STORAGE_TEXT];
    if (tacStoragesAdd(storages, options, why)) return;
    printf("FAILED adding %s: %s\n", options->name, why);
    failures++;
}

static tacStorageOptions fileOf(const char *path, tacStrategy strategy, uint64_t size) {
    tacStorageOptions options = optionsOf(TAC_STORAGE_FILE, strategy, "file", size);
    snprintf(options.path, sizeof options.path, "%s", path);
    return options;
}

static tacStorageOptions folderOf(const char *path, tacStrategy strategy, uint64_t size, uint32_t files) {
    tacStorageOptions options = optionsOf(TAC_STORAGE_FOLDER, strategy, "folder", size);
    snprintf(options.path, sizeof options.path, "%s", path);
    options.files = files;
    return options;
}

static tacStorageOptions memoryOf(tacStrategy strategy, uint64_t size, const char *dump, unsigned occasions) {
    tacStorageOptions options = optionsOf(TAC_STORAGE_MEMORY, strategy, "memory", size);
    snprintf(options.dump, sizeof options.dump, "%s", dump);
    options.occasions = occasions;
    options.before = 1000000000000;
    return options;
}

static tacStorageOptions tcpTo(unsigned port, const char *key) {
    tacStorageOptions options = optionsOf(TAC_STORAGE_TCP, TAC_STRATEGY_STOP, "net", M);
    snprintf(options.address, sizeof options.address, "127.0.0.1:%u", port);
    snprintf(options.key, sizeof options.key, "%s", key);
    options.priority = 2;
    return options;
}

static bool isWhole(const Sum *sum, const Program *p, uint32_t sensor) {
    return sum->read[sensor] + sum->lost[sensor] == p->written[sensor] && !sum->twice[sensor] && !sum->unknown
        && !sum->damaged;
}

#define SUM_TEXT "read %llu, lost %llu, twice %llu, unknown %llu, damaged %llu, of %llu; said: %s"
#define SUM_OF(sum, p, i)                                                                                           \
    (unsigned long long) (sum)->read[i], (unsigned long long) (sum)->lost[i], (unsigned long long) (sum)->twice[i], \
        (unsigned long long) (sum)->unknown, (unsigned long long) (sum)->damaged,                                   \
        (unsigned long long) (p)->written[i], said

/* ---- 1. memory --------------------------------------------------------------------------------------------------- */

/* Writes so many packets of 100 elements into memory of 256 KiB, and dumps it at the end. */
static void testMemory(
    const char *name, tacStrategy strategy, unsigned packets, uint64_t first, uint64_t least, bool isStatic) {
    const char *path = newPath("memory.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = memoryOf(strategy, 256 * K, path, TAC_DUMP_END);
    options.reserved = isStatic;
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < packets; i++) writeSome(&p, 0, 100);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK(name,
        isWhole(sum, &p, 0) && sum->end && sum->first[0] == first && sum->read[0] >= least
            && sum->last[0] - sum->first[0] + 1 == sum->read[0] && sum->bytes <= 256 * K,
        "first %llu, last %llu; " SUM_TEXT, (unsigned long long) sum->first[0], (unsigned long long) sum->last[0],
        SUM_OF(sum, &p, 0));
    free(sum);
}

/* Of three sensors the most important one is kept, and of the others the newest. */
static void testPriority(void) {
    const char *path = newPath("priority.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = memoryOf(TAC_STRATEGY_PRIORITY, 512 * K, path, TAC_DUMP_END);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    addSensor(&p, 1, "important", 9, "", false);
    addSensor(&p, 2, "idle", 0, "", false);
    for (unsigned i = 0; i < 100; i++) {
        writeSome(&p, 0, 100);
        writeSome(&p, 2, 100);
        if (i < 30) writeSome(&p, 1, 100);
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("priorities",
        isWhole(sum, &p, 0) && isWhole(sum, &p, 1) && isWhole(sum, &p, 2) && sum->lost[1] == 0 && sum->last[0] == 9999
            && sum->read[0] > 3000 && sum->read[2] == 0,
        "important: lost %llu; idle: %llu; " SUM_TEXT, (unsigned long long) sum->lost[1],
        (unsigned long long) sum->read[2], SUM_OF(sum, &p, 0));
    free(sum);
}

/* One packet a second: a dump has those of 3 seconds before and 2 after the occasion, each occasion one of its own. */
static void testRecorder(void) {
    const char *path = newPath("dump-%n.tacs");
    char file[300];
    snprintf(file, sizeof file, "%s", path);
    tacStorages *storages = newStorages();
    tacStorageOptions options = memoryOf(TAC_STRATEGY_WRAPPING, M, path, TAC_DUMP_SIGNAL | TAC_DUMP_CRASH);
    options.before = 3000000000 - 1;
    options.after = 2000000000;
    options.dumps = 3;
    snprintf(options.sensor, sizeof options.sensor, "alarm*");
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    addSensor(&p, 1, "alarms", 1, "", false);
    for (unsigned i = 0; i < 40; i++, pass(1)) {
        writeSome(&p, 0, 10);
        if (i == 10) tacStoragesDump(storages, TAC_DUMP_SIGNAL);
        if (i == 20) writeSome(&p, 1, 1);
        if (i == 30) tacStoragesDump(storages, TAC_DUMP_CRASH);
        if (i == 34 || i == 36) tacStoragesDump(storages, TAC_DUMP_CRASH); /* one too many; the end is no occasion */
        tacStoragesWork(storages);
    }
    tacStoragesDump(storages, TAC_DUMP_END);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    const uint64_t firsts[] = {80, 180, 280};
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"a dump on a signal", "a dump on an element", "a dump on a crash"};
        char *mark = strstr(file, "dump-");
        snprintf(mark, 20, "dump-%u.tacs", i + 1);
        Sum *sum = newSum();
        seeFile(sum, file);
        CHECK(names[i],
            sum->first[0] == firsts[i] && sum->last[0] == firsts[i] + 49 && sum->read[0] == 50 && !sum->unknown
                && !sum->damaged && sum->read[1] == (i == 1),
            "%s: %llu to %llu; " SUM_TEXT, file, (unsigned long long) sum->first[0], (unsigned long long) sum->last[0],
            SUM_OF(sum, &p, 0));
        free(sum);
    }
    snprintf(strstr(file, "dump-"), 20, "dump-4.tacs");
    CHECK(
        "no more dumps than allowed", sizeOf(file) == 0 && strstr(said, "which is all that -dumps allows"), "%s", said);
}

/* Memory is emptied into a file that was full of its disk: RLIMIT_FSIZE stands for a full disk. */
static void limitFiles(uint64_t bytes) {
    struct rlimit limit = {bytes, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limit)) abort();
}

static void testEmptied(void) {
    const char *path = newPath("later.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions file = fileOf(path, TAC_STRATEGY_STOP, 10 * M), memory = memoryOf(TAC_STRATEGY_STOP, M, "", 0);
    snprintf(memory.to, sizeof memory.to, "file");
    file.priority = 2;
    memory.priority = 1;
    add(storages, &file);
    add(storages, &memory);
    Program p = newProgram(1, tacStoragesTake, storages), other = newProgram(2, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    limitFiles(sizeOf(path) + 1000);
    for (unsigned i = 0; i < 20; i++) writeSome(&p, 0, 100);
    addSensor(&p, 1, "late", 1, "", false);
    writeSome(&p, 1, 100);
    endProgram(&p, TACREC_END_CLOSED); /* before its elements come into the file */
    tacStoragesWork(storages);
    uint64_t before = sizeOf(path);
    limitFiles(RLIM_INFINITY);
    pass(1.5);
    for (unsigned i = 0; i < 10; i++) tacStoragesWork(storages);
    endProgram(&other, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("memory takes what a full disk does not",
        isWhole(sum, &p, 0) && isWhole(sum, &p, 1) && sum->lost[0] == 0 && before < 20000
            && strstr(said, "files may not become larger"),
        "%llu bytes before; late: %llu; " SUM_TEXT, (unsigned long long) before, (unsigned long long) sum->read[1],
        SUM_OF(sum, &p, 0));
    free(sum);
}

/* ---- 2. files and folders ---------------------------------------------------------------------------------------- */

static void testFile(const char *name, tacStrategy strategy, bool isStatic, uint64_t first, uint64_t last) {
    const char *path = newPath("file.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = fileOf(path, strategy, 256 * K);
    options.reserved = isStatic;
    add(storages, &options);
    uint64_t reserved = diskOf(path);
    bool fits = true;
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 60; i++) {
        writeSome(&p, 0, 100);
        fits &= sizeOf(path) <= 256 * K;
    }
    endProgram(&p, TACREC_END_CLOSED);
    uint64_t lost = tacStoragesLost(storages);
    tacStorageCount count;
    tacStoragesCount(storages, 0, &count);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    fits &= sizeOf(path) <= 256 * K && (isStatic ? reserved >= 256 * K : reserved < 64 * K);
    CHECK(name,
        isWhole(sum, &p, 0) && fits && sum->end && sum->first[0] == first && sum->last[0] == last
            && sum->lost[0] == lost + count.lost && sum->lost[0] > 0,
        "reserved %llu, %llu to %llu; " SUM_TEXT, (unsigned long long) reserved, (unsigned long long) sum->first[0],
        (unsigned long long) sum->last[0], SUM_OF(sum, &p, 0));
    free(sum);
}

/* After each packet the folder has at most its size, and, once it was full, at least (N - 1)/N of it. */
static void testFolder(
    const char *name, tacStrategy strategy, uint64_t size, uint32_t parts, bool isStatic, unsigned seed) {
    const char *path = newPath("folder");
    char folder[300];
    snprintf(folder, sizeof folder, "%s", path);
    tacStorages *storages = newStorages();
    tacStorageOptions options = folderOf(folder, strategy, size, parts);
    options.reserved = isStatic;
    add(storages, &options);
    uint64_t reserved = folderBytes(folder, diskOf), most = 0, least = UINT64_MAX, total = 0;
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; p.written[0] * ELEMENT < 4 * size; i++) {
        seed = seed * 1103515245 + 12345;
        writeSome(&p, 0, 1 + (seed >> 16) % 200);
        total = folderBytes(folder, sizeOf);
        if (isStatic) {
            char reserve[400];
            snprintf(reserve, sizeof reserve, "%s/folder.reserve", folder);
            total -= sizeOf(reserve);
        }
        if (total > most) most = total;
        if (p.written[0] * ELEMENT > size + size / 2 && total < least) least = total;
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    unsigned files = seeFolder(sum, folder);
    uint64_t share = strategy == TAC_STRATEGY_STOP ? size - size / 16
        : strategy == TAC_STRATEGY_RESTART         ? 0
                                                   : size / parts * (parts - 1);
    CHECK(name,
        isWhole(sum, &p, 0) && sum->lost[0] > 0 && most <= size && least >= share && files <= 2 * parts + 1
            && (isStatic ? reserved >= size : reserved < 64 * K)
            && (strategy == TAC_STRATEGY_STOP ? sum->first[0] == 0 : sum->last[0] == p.written[0] - 1),
        "most %llu, least %llu of %llu, %u files, reserved %llu; " SUM_TEXT, (unsigned long long) most,
        (unsigned long long) least, (unsigned long long) share, files, (unsigned long long) reserved,
        SUM_OF(sum, &p, 0));
    free(sum);
}

/* A folder of an earlier run is continued: its files go first. */
static void testContinued(void) {
    const char *path = newPath("folder");
    char folder[300];
    snprintf(folder, sizeof folder, "%s", path);
    Program p[2];
    uint64_t most = 0;
    for (unsigned run = 0; run < 2; run++) {
        tacStorages *storages = newStorages();
        tacStorageOptions options = folderOf(folder, TAC_STRATEGY_MULTIPLEFLIP, M, 4);
        add(storages, &options);
        p[run] = newProgram(7, tacStoragesTake, storages);
        p[run].written[0] = run ? p[0].written[0] : 0;
        for (unsigned i = 0; i < 100; i++) {
            writeSome(&p[run], 0, 100);
            uint64_t total = folderBytes(folder, sizeOf);
            if (total > most) most = total;
        }
        endProgram(&p[run], TACREC_END_CLOSED);
        tacStoragesFree(storages);
    }
    Sum *sum = newSum();
    seeFolder(sum, folder);
    CHECK("a folder is continued",
        most <= M && sum->first[0] < 10000 && sum->last[0] == 19999 && !sum->twice[0]
            && sum->last[0] - sum->first[0] + 1 == sum->read[0] && !sum->unknown && !sum->damaged,
        "%llu to %llu; " SUM_TEXT, (unsigned long long) sum->first[0], (unsigned long long) sum->last[0],
        SUM_OF(sum, &p[1], 0));
    free(sum);
}

/* ---- 3. several storages ----------------------------------------------------------------------------------------- */

/* A full one hands over to the next; copies get all; a sensor may name its storage. */
static void testSeveral(void) {
    const char *first = newPath("first.tacs"), *second = newPath("second.tacs"), *named = newPath("named.tacs"),
               *copy = newPath("copy.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options[] = {fileOf(second, TAC_STRATEGY_STOP, 10 * M), fileOf(first, TAC_STRATEGY_STOP, 256 * K),
        fileOf(named, TAC_STRATEGY_STOP, 10 * M), fileOf(copy, TAC_STRATEGY_STOP, 10 * M)};
    options[0].priority = 1;
    options[1].priority = 2;
    options[3].copy = true;
    snprintf(options[2].name, sizeof options[2].name, "mine");
    for (int i = 0; i < 4; i++) add(storages, &options[i]);
    Program p = newProgram(1, tacStoragesTake, storages);
    addSensor(&p, 1, "other", 1, "mine", false);
    for (unsigned i = 0; i < 60; i++) {
        writeSome(&p, 0, 100);
        writeSome(&p, 1, 10);
    }
    endProgram(&p, TACREC_END_CLOSED);
    uint64_t lost = tacStoragesLost(storages);
    tacStoragesFree(storages);
    Sum *a = newSum(), *b = newSum(), *c = newSum(), *both = newSum();
    seeFile(a, first);
    seeFile(b, named);
    seeFile(c, copy);
    seeFile(both, first);
    seeFile(both, second);
    CHECK("a full storage hands over to the next",
        isWhole(both, &p, 0) && lost == 0 && both->lost[0] == 0 && a->first[0] == 0 && a->read[0] > 3000
            && a->read[0] < 4200,
        SUM_TEXT, SUM_OF(both, &p, 0));
    CHECK("a sensor names its storage", isWhole(b, &p, 1) && b->read[0] == 0 && both->read[1] == 0, SUM_TEXT,
        SUM_OF(b, &p, 1));
    CHECK("a copy gets everything", isWhole(c, &p, 0) && isWhole(c, &p, 1) && c->lost[0] == 0, SUM_TEXT,
        SUM_OF(c, &p, 0));
    free(a), free(b), free(c), free(both);
}

/* What nobody takes stands in the trace as lost, once something takes packets again. */
static void testFullDisk(void) {
    const char *path = newPath("full.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = fileOf(path, TAC_STRATEGY_STOP, 10 * M);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    limitFiles(sizeOf(path) + 3000); /* in the middle of the next packet */
    for (unsigned i = 0; i < 10; i++) writeSome(&p, 0, 100);
    addSensor(&p, 1, "late", 1, "", false);
    uint64_t lost = tacStoragesLost(storages);
    limitFiles(RLIM_INFINITY);
    pass(1.5);
    for (unsigned i = 0; i < 10; i++, pass(0.5)) writeSome(&p, 0, 100);
    writeSome(&p, 1, 100);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("a full disk",
        isWhole(sum, &p, 0) && isWhole(sum, &p, 1) && sum->lost[0] == 1000 && lost == 1000 && sum->read[1] == 100
            && strstr(said, "takes packets again") && strstr(said, "no storage takes packets"),
        SUM_TEXT, SUM_OF(sum, &p, 0));
    free(sum);
    storages = newStorages();
    options = fileOf("/dev/full", TAC_STRATEGY_STOP, 10 * M);
    const char *other = newPath("other.tacs");
    tacStorageOptions next = fileOf(other, TAC_STRATEGY_STOP, 10 * M);
    options.priority = 1;
    add(storages, &options);
    add(storages, &next);
    p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 10; i++, pass(1)) writeSome(&p, 0, 100);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    sum = newSum();
    seeFile(sum, other);
    char *once = strstr(said, "the disk is full");
    CHECK("a full disk hands over", isWhole(sum, &p, 0) && sum->lost[0] == 0 && once && !strstr(once + 20, "is full"),
        SUM_TEXT, SUM_OF(sum, &p, 0));
    free(sum);
}

/* A program that goes on after a file is full, and others that come and go, leave room for what tells the losses. */
static void testLossesHaveRoom(void) {
    const char *path = newPath("room.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = fileOf(path, TAC_STRATEGY_STOP, 64 * K);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 20; i++) writeSome(&p, 0, 100);
    for (unsigned i = 0; i < 200; i++, pass(1)) tacrec_writerPair(p.writer, &(tacrec_pair){clockNow, clockNow});
    for (unsigned i = 0; i < 20; i++) {
        Program other = newProgram(100 + i, tacStoragesTake, storages);
        endProgram(&other, TACREC_END_CLOSED);
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("losses find room in a full file", isWhole(sum, &p, 0) && sum->lost[0] > 0 && sizeOf(path) <= 64 * K,
        "%llu bytes; " SUM_TEXT, (unsigned long long) sizeOf(path), SUM_OF(sum, &p, 0));
    free(sum);
}

/* What a copy has is not lost; what only the copy has is told as lost where it is missing, and not in the copy. */
static void testCopies(void) {
    const char *small = newPath("small.tacs"), *copy = newPath("copy.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options[] = {fileOf(small, TAC_STRATEGY_STOP, 64 * K), fileOf(copy, TAC_STRATEGY_STOP, M)};
    options[1].copy = true;
    options[1].priority = 9;
    for (int i = 0; i < 2; i++) add(storages, &options[i]);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 20; i++) writeSome(&p, 0, 100);
    endProgram(&p, TACREC_END_CLOSED);
    uint64_t lost = tacStoragesLost(storages);
    tacStoragesFree(storages);
    Sum *a = newSum(), *b = newSum();
    seeFile(a, small);
    seeFile(b, copy);
    CHECK("a copy has what a full file lost",
        isWhole(a, &p, 0) && a->lost[0] > 0 && lost == 0 && isWhole(b, &p, 0) && b->lost[0] == 0
            && !strstr(said, "no storage"),
        "lost %llu, copy %llu; " SUM_TEXT, (unsigned long long) lost, (unsigned long long) b->lost[0],
        SUM_OF(a, &p, 0));
    free(a), free(b);
}

/* Memory that is to be sent wraps, since nobody is there: at the end a file is told what it has thrown away. */
static void testWrapsBefore(void) {
    const char *path = newPath("into.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions net = tcpTo(1, ""), file = fileOf(path, TAC_STRATEGY_STOP, 10 * M),
                      memory = memoryOf(TAC_STRATEGY_WRAPPING, 256 * K, "", 0);
    snprintf(memory.to, sizeof memory.to, "net");
    memory.priority = 9;
    add(storages, &net);
    add(storages, &file);
    add(storages, &memory);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 60; i++) writeSome(&p, 0, 100);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("what memory has thrown away is told behind it", isWhole(sum, &p, 0) && sum->lost[0] > 0, SUM_TEXT,
        SUM_OF(sum, &p, 0));
    free(sum);
}

/* Memory that is written out and goes into a file, larger than what is written at once: the dump has all of it. */
static void testDumpedAndEmptied(void) {
    const char *path = newPath("emptied.tacs"), *dump = newPath("before.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions file = fileOf(path, TAC_STRATEGY_STOP, 32 * M),
                      memory = memoryOf(TAC_STRATEGY_STOP, 16 * M, dump, TAC_DUMP_SIGNAL);
    snprintf(memory.to, sizeof memory.to, "file");
    memory.priority = 2;
    memory.after = 1000000000;
    add(storages, &memory);
    add(storages, &file);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 1500; i++) writeSome(&p, 0, 100);
    tacStoragesDump(storages, TAC_DUMP_SIGNAL);
    for (unsigned i = 0; i < 20; i++) tacStoragesWork(storages);
    pass(2);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *a = newSum(), *b = newSum();
    seeFile(a, dump);
    seeFile(b, path);
    CHECK("memory is written out before it is emptied",
        a->read[0] == p.written[0] && !a->damaged && !a->twice[0] && isWhole(b, &p, 0) && !b->lost[0],
        "dump %llu; " SUM_TEXT, (unsigned long long) a->read[0], SUM_OF(b, &p, 0));
    free(a), free(b);
}

/* A file belongs to one storage; a group may read it if that is asked for. */
static void testOwners(void) {
    char why[3][TAC_STORAGE_TEXT] = {"", "", ""}, folder[300];
    const char *path = newPath("mine.tacs");
    snprintf(folder, sizeof folder, "%s", newPath("mine"));
    const struct group *group = getgrgid(getegid());
    tacStorages *storages = newStorages();
    tacStorageOptions file = fileOf(path, TAC_STRATEGY_STOP, M),
                      parts = folderOf(folder, TAC_STRATEGY_MULTIPLEFLIP, M, 4), none = file;
    if (group) snprintf(file.group, sizeof file.group, "%s", group->gr_name);
    snprintf(parts.group, sizeof parts.group, "%s", file.group);
    snprintf(none.group, sizeof none.group, "no such group");
    add(storages, &file);
    add(storages, &parts);
    parts.copy = true;
    Program p = newProgram(1, tacStoragesTake, storages);
    addSensor(&p, 1, "other", 1, "folder", false);
    writeSome(&p, 0, 10);
    writeSome(&p, 1, 10);
    tacStorages *others = tacStoragesNew(say, NULL, now);
    bool any = tacStoragesAdd(others, &file, why[0]) || tacStoragesAdd(others, &parts, why[1])
        || tacStoragesAdd(others, &none, why[2]);
    CHECK("a file has one writer", !any && strstr(why[0], "another program") && strstr(why[1], "another program"),
        "%s, %s", why[0], why[1]);
    char part[400];
    snprintf(part, sizeof part, "%s/folder-000001.tacs", folder);
    struct stat status[3] = {{0}};
    if (stat(path, &status[0]) || stat(part, &status[1]) || stat(folder, &status[2])) abort();
    mode_t wanted = group ? 0640 : 0600;
    CHECK("a group may read",
        (status[0].st_mode & 0777) == wanted && (status[1].st_mode & 0777) == wanted
            && (status[2].st_mode & 0777) == (group ? 0750 : 0700) && status[0].st_gid == getegid()
            && strstr(why[2], "no group"),
        "%o %o %o, %s", (unsigned) status[0].st_mode, (unsigned) status[1].st_mode, (unsigned) status[2].st_mode,
        why[2]);
    tacrec_writerFree(p.writer);
    tacStoragesFree(storages);
    tacStoragesFree(others);
}

/* A file does not throw away what it has for a packet that would not fit even then. */
static void testTooLarge(void) {
    const char *path = newPath("large.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions options = fileOf(path, TAC_STRATEGY_RESTART, 64 * K);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    static uint8_t bytes[70 * K];
    tacrec_packet head = {.size = sizeof bytes,
        .version = TACREC_STREAM_VERSION,
        .kind = TACREC_PACKET_ELEMENTS,
        .source = 1,
        .sequence = 9,
        .count = 10};
    tacrec_packetSeal(bytes, &head);
    tacStoragesTake(storages, &head, bytes);
    writeSome(&p, 0, 100);
    uint64_t lost = tacStoragesLost(storages);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    seeFile(sum, path);
    CHECK("a packet that is too large", sum->read[0] == 200 && sum->lost[0] == 10 && lost == 10, SUM_TEXT,
        SUM_OF(sum, &p, 0));
    free(sum);
}

static void testRefused(void) {
    char why[4][TAC_STORAGE_TEXT] = {"", "", "", ""};
    const char *path = newPath("text.txt");
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fputs("This is another file.\n", file);
    fclose(file);
    tacStorages *storages = newStorages();
    tacStorageOptions text = fileOf(path, TAC_STRATEGY_RESTART, M),
                      none = fileOf("/nowhere/a.tacs", TAC_STRATEGY_STOP, M),
                      far = optionsOf(TAC_STORAGE_TCP, TAC_STRATEGY_STOP, "far", M), bad = far;
    snprintf(far.address, sizeof far.address, "192.0.2.1:7000");
    snprintf(bad.address, sizeof bad.address, "localhost:seven");
    bool any = tacStoragesAdd(storages, &text, why[0]) || tacStoragesAdd(storages, &none, why[1])
        || tacStoragesAdd(storages, &far, why[2]) || tacStoragesAdd(storages, &bad, why[3]);
    tacStoragesFree(storages);
    CHECK("storages that cannot be",
        !any && strstr(why[0], "a file of another kind") && strstr(why[1], "No such file")
            && strstr(why[2], "needs a key") && strstr(why[3], "is no address") && sizeOf(path) == 22,
        "%s, %s, %s, %s", why[0], why[1], why[2], why[3]);
}

/* ---- 4. killed --------------------------------------------------------------------------------------------------- */

/* What a storage took is there when its process is killed, whenever that is. The process writes less than a file that
 * stops has room for, and then waits: what came after that would not be taken, however late the kill comes. */
static void testKilled(unsigned kills) {
    volatile uint64_t *taken = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned wrong = 0, empty = 0;
    unsigned seed = 7;
    for (unsigned i = 0; i < kills; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s", newPath(i % 2 ? "killed" : "killed.tacs"));
        taken[0] = 0;
        pid_t child = fork();
        if (child < 0) abort();
        if (!child) {
            tacStorages *storages = newStorages();
            tacStorageOptions options = i % 2 ? folderOf(path, TAC_STRATEGY_MULTIPLEFLIP, 512 * K, 4)
                                              : fileOf(path, TAC_STRATEGY_STOP, 8 * M);
            add(storages, &options);
            Program p = newProgram(1, tacStoragesTake, storages);
            for (;;) {
                writeSome(&p, 0, 100);
                while (p.written[0] >= 64 * K) pause();
                taken[0] = p.written[0];
            }
        }
        seed = seed * 1103515245 + 12345;
        uint64_t aim = (seed >> 16) % 30000;
        while (taken[0] < aim) usleep(50);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        uint64_t promised = taken[0];
        Sum *sum = newSum();
        if (i % 2) seeFolder(sum, path);
        else seeFile(sum, path);
        if (sum->unknown || sum->twice[0]) wrong++;
        if (promised && (!sum->read[0] || sum->last[0] + 1 < promised)) wrong++;
        if (promised && sum->last[0] - sum->first[0] + 1 != sum->read[0]) wrong++;
        if (i % 2 == 0 && promised && sum->first[0] != 0) wrong++;
        empty += !promised;
        free(sum);
    }
    char name[40];
    snprintf(name, sizeof name, "%u kills", kills);
    CHECK(name, wrong == 0 && empty < kills, "%u wrong, %u empty", wrong, empty);
    munmap((void *) taken, 4096);
}

/* ---- 5. networks ------------------------------------------------------------------------------------------------- */

static tacReceiver *receiverAt(unsigned port, bool datagrams, const char *key, Sum *sum) {
    char why[TAC_LINK_TEXT];
    tacReceiver *receiver = tacReceiverNew(say, NULL, see, sum, now);
    tacReceiveOptions options = {.datagrams = datagrams};
    snprintf(options.address, sizeof options.address, "127.0.0.1:%u", port);
    snprintf(options.key, sizeof options.key, "%s", key);
    if (!receiver || !tacReceiverAdd(receiver, &options, why)) {
        printf("FAILED receiver: %s\n", receiver ? why : "memory");
        exit(1);
    }
    return receiver;
}

/* Lets both work until the receiver has so many elements, or nothing has come for long. */
static void untilRead(tacStorages *storages, tacReceiver *receiver, const Sum *sum, uint64_t wanted) {
    for (unsigned idle = 0; sum->read[0] < wanted && idle < 20; idle++) {
        struct pollfd polled[20];
        uint64_t before = sum->bytes;
        tacStoragesWork(storages);
        tacReceiverWork(receiver);
        int count = tacStoragesWait(storages, polled, 10);
        count += tacReceiverWait(receiver, polled + count, 20 - count);
        if (sum->bytes != before) idle = 0;
        else poll(polled, (nfds_t) count, 10);
    }
}

static void testTcp(const char *name, const char *key) {
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, key, sum);
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(tacReceiverPort(receiver, 0), key);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 100; i++) {
        writeSome(&p, 0, 100);
        untilRead(storages, receiver, sum, p.written[0]);
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    for (unsigned i = 0; i < 50 && !sum->end; i++) {
        tacReceiverWork(receiver);
        usleep(1000);
    }
    CHECK(name, isWhole(sum, &p, 0) && sum->lost[0] == 0 && sum->end && tacReceiverCount(receiver).damaged == 0,
        SUM_TEXT, SUM_OF(sum, &p, 0));
    tacReceiverFree(receiver);
    free(sum);
}

/* The other side goes, and comes back: meanwhile a file takes what is written. */
static void testGone(void) {
    const char *path = newPath("meanwhile.tacs");
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, "", sum);
    unsigned port = tacReceiverPort(receiver, 0);
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(port, ""), file = fileOf(path, TAC_STRATEGY_STOP, 10 * M);
    add(storages, &options);
    add(storages, &file);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    untilRead(storages, receiver, sum, 100);
    tacReceiverFree(receiver);
    for (unsigned i = 0; i < 20; i++) tacStoragesWork(storages), usleep(500);
    for (unsigned i = 0; i < 10; i++, pass(0.3)) {
        writeSome(&p, 0, 100);
        tacStoragesWork(storages);
    }
    Sum *meanwhile = newSum();
    seeFile(meanwhile, path);
    Sum *later = newSum();
    receiver = receiverAt(port, false, "", later);
    for (unsigned i = 0; i < 10 && tacReceiverCount(receiver).connections == 0; i++, pass(0.5)) {
        tacStoragesWork(storages);
        tacReceiverWork(receiver);
    }
    untilRead(storages, receiver, later, 1);
    for (unsigned i = 0; i < 10; i++, pass(0.3)) {
        writeSome(&p, 0, 100);
        untilRead(storages, receiver, later, later->read[0] + 100);
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    for (unsigned i = 0; i < 50 && !later->end; i++) tacReceiverWork(receiver), usleep(1000);
    CHECK("a network that goes and comes back",
        sum->read[0] == 100 && meanwhile->read[0] == 1000 && later->read[0] == 1000 && !later->unknown
            && !meanwhile->unknown && later->end && strstr(said, "takes packets again"),
        "then %llu; meanwhile %llu; " SUM_TEXT, (unsigned long long) sum->read[0],
        (unsigned long long) meanwhile->read[0], SUM_OF(later, &p, 0));
    tacReceiverFree(receiver);
    free(sum), free(meanwhile), free(later);
}

/* Nobody is there at all: what waited goes into a file at the end. */
static void testNobody(void) {
    const char *path = newPath("nobody.tacs");
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, "", sum);
    unsigned port = tacReceiverPort(receiver, 0);
    tacReceiverFree(receiver);
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(port, ""), file = fileOf(path, TAC_STRATEGY_STOP, 10 * M);
    add(storages, &options);
    add(storages, &file);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 20; i++, pass(0.4)) {
        writeSome(&p, 0, 100);
        tacStoragesWork(storages);
    }
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    seeFile(sum, path);
    char *once = strstr(said, "Connection refused");
    CHECK("nobody is there", isWhole(sum, &p, 0) && sum->lost[0] == 0 && once && !strstr(once + 20, "refused"),
        SUM_TEXT, SUM_OF(sum, &p, 0));
    free(sum);
}

/* Clients connect to a storage: each is told all that is known; one that reads too slowly finds how much it has lost.
 */
static void testClients(const char *key) {
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(0, key);
    options.listen = options.copy = true;
    options.size = 64 * K;
    add(storages, &options);
    unsigned port = 0;
    const char *at = strstr(said, "at port ");
    if (at) port = (unsigned) atoi(at + 8);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100); /* before anybody is there */
    Sum *sums[2] = {newSum(), newSum()};
    tacReceiver *receivers[2];
    char why[TAC_LINK_TEXT];
    for (int i = 0; i < 2; i++) {
        tacReceiveOptions to = {.connects = true};
        snprintf(to.address, sizeof to.address, "127.0.0.1:%u", port);
        snprintf(to.key, sizeof to.key, "%s", key);
        receivers[i] = tacReceiverNew(say, NULL, see, sums[i], now);
        if (!tacReceiverAdd(receivers[i], &to, why)) printf("FAILED client: %s\n", why);
        for (unsigned k = 0; k < 1000 && !sums[i]->sensor[0]; k++) {
            tacStoragesWork(storages);
            tacReceiverWork(receivers[i]);
            usleep(1000);
        }
    }
    bool told = sums[0]->source && sums[1]->source && sums[0]->sensor[0] && sums[0]->read[0] == 0;
    for (unsigned i = 0; i < 2000; i++) { /* 13 MB: more than the system's buffers and the storage's have */
        writeSome(&p, 0, 100);
        untilRead(storages, receivers[0], sums[0], p.written[0] - 100);
    }
    /* Now the slow one reads what is left for it, and what tells its losses. */
    untilRead(storages, receivers[1], sums[1], UINT64_MAX);
    writeSome(&p, 0, 100);
    untilRead(storages, receivers[1], sums[1], sums[1]->read[0] + 100);
    untilRead(storages, receivers[0], sums[0], p.written[0] - 100);
    CHECK(key[0] ? "clients with a key" : "clients",
        told && sums[0]->read[0] == p.written[0] - 100 && !sums[0]->lost[0], SUM_TEXT, SUM_OF(sums[0], &p, 0));
    CHECK(key[0] ? "a slow client with a key" : "a slow client",
        sums[1]->lost[0] > 0 && sums[1]->read[0] + sums[1]->lost[0] == p.written[0] - 100 && !sums[1]->twice[0],
        SUM_TEXT, SUM_OF(sums[1], &p, 0));
    tacStorageCount count;
    tacStoragesCount(storages, 0, &count);
    CHECK(key[0] ? "losses with a key are counted" : "losses are counted", count.lost == sums[1]->lost[0],
        "counted %llu; " SUM_TEXT, (unsigned long long) count.lost, SUM_OF(sums[1], &p, 0));
    for (int i = 0; i < 2; i++) tacReceiverFree(receivers[i]), free(sums[i]);
    tacrec_writerFree(p.writer);
    tacStoragesFree(storages);
}

static void testUdp(void) {
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, true, "", sum);
    tacStorages *storages = newStorages();
    tacStorageOptions options = optionsOf(TAC_STORAGE_UDP, TAC_STRATEGY_STOP, "net", M);
    snprintf(options.address, sizeof options.address, "127.0.0.1:%u", tacReceiverPort(receiver, 0));
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 50; i++, pass(0.1)) {
        writeSome(&p, 0, 100);
        untilRead(storages, receiver, sum, p.written[0]);
    }
    CHECK(
        "datagrams", isWhole(sum, &p, 0) && sum->lost[0] == 0 && sum->bytes > 50 * 6800, SUM_TEXT, SUM_OF(sum, &p, 0));
    /* A late receiver is told what is known within a second. */
    unsigned port = tacReceiverPort(receiver, 0);
    tacReceiverFree(receiver);
    Sum *late = newSum();
    receiver = receiverAt(port, true, "", late);
    pass(3);
    writeSome(&p, 0, 100);
    untilRead(storages, receiver, late, 100);
    CHECK("a late receiver of datagrams", late->read[0] == 100 && late->source && late->sensor[0] && !late->unknown,
        SUM_TEXT, SUM_OF(late, &p, 0));
    tacReceiverFree(receiver);
    tacrec_writerFree(p.writer);
    tacStoragesFree(storages);
    free(sum), free(late);
}

/* ---- 6. strangers ------------------------------------------------------------------------------------------------ */

static int connectTo(unsigned port) {
    tacAddress address;
    char why[TAC_LINK_TEXT], text[40];
    snprintf(text, sizeof text, "127.0.0.1:%u", port);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (!tacAddressOf(&address, text, SOCK_STREAM, why) || s < 0
        || connect(s, (const struct sockaddr *) &address.at, address.size))
        abort();
    return s;
}

/* Are all descriptors quiet: would a relay wait, rather than look again and again? */
static bool isQuiet(tacStorages *storages, const tacReceiver *receiver) {
    struct pollfd polled[100];
    int count = storages ? tacStoragesWait(storages, polled, 50) : 0;
    if (receiver) count += tacReceiverWait(receiver, polled + count, 100 - count);
    return poll(polled, (nfds_t) count, 20) == 0;
}

/* Many connections that say nothing do not keep others out. key: "" none. */
static void testCrowd(const char *key) {
    int crowd[60];
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, key, sum);
    unsigned port = tacReceiverPort(receiver, 0);
    for (int i = 0; i < 60; i++) {
        crowd[i] = connectTo(port);
        if (i % 10 == 9) tacReceiverWork(receiver);
    }
    bool isFull = tacReceiverCount(receiver).connections == 32, quiet = isQuiet(NULL, receiver);
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(port, key);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    untilRead(storages, receiver, sum, 100);
    CHECK(key[0] ? "a crowd without a key" : "a crowd", isFull && quiet && sum->read[0] == 100,
        "full %d, quiet %d, %llu", isFull, quiet, (unsigned long long) sum->read[0]);
    for (int i = 0; i < 60; i++) close(crowd[i]);
    tacrec_writerFree(p.writer);
    tacReceiverFree(receiver);
    tacStoragesFree(storages);
    free(sum);
}

/* Who listens at a storage and says nothing, or connects where nobody answers, costs no time. */
static void testMute(const char *key) {
    tacAddress address;
    char why[TAC_LINK_TEXT];
    if (!tacAddressOf(&address, "127.0.0.1:0", SOCK_STREAM, why)) abort();
    int mute = tacListen(&address);
    tacStorages *storages = newStorages();
    tacStorageOptions sends = tcpTo(tacListenPort(mute), key), listens = tcpTo(0, key);
    listens.listen = true;
    snprintf(listens.name, sizeof listens.name, "listens");
    add(storages, &sends);
    add(storages, &listens);
    const char *at = strstr(said, "at port ");
    int crowd[20];
    for (int i = 0; i < 20; i++) {
        crowd[i] = connectTo(at ? (unsigned) atoi(at + 8) : 0);
        if (i % 10 == 9) tacStoragesWork(storages);
    }
    Program p = newProgram(1, tacStoragesTake, storages);
    for (int i = 0; i < 20; i++) tacStoragesWork(storages), usleep(1000);
    bool quiet = isQuiet(storages, NULL);
    pass(6);
    tacStoragesWork(storages);
    CHECK(key[0] ? "a mute side with a key" : "a mute side", quiet && (!key[0] || strstr(said, "does not answer")),
        "quiet %d; %s", quiet, said);
    for (int i = 0; i < 20; i++) close(crowd[i]);
    close(mute);
    tacrec_writerFree(p.writer);
    tacStoragesFree(storages);
}

/* A client that sends holds up nobody: only some of that is passed over at once. */
static void testTalker(void) {
    static const uint8_t bytes[64 * K];
    tacStorages *storages = newStorages();
    tacStorageOptions listens = tcpTo(0, "");
    listens.listen = listens.copy = true;
    add(storages, &listens);
    const char *at = strstr(said, "at port ");
    int s = connectTo(at ? (unsigned) atoi(at + 8) : 0);
    uint64_t sent = 0;
    for (ssize_t n; sent < 4 * M && (n = send(s, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) sent += (uint64_t) n;
    tacStoragesWork(storages);
    bool isLeft = !isQuiet(storages, NULL);
    for (unsigned i = 0; i < 200; i++) tacStoragesWork(storages);
    bool quiet = isQuiet(storages, NULL);
    CHECK("a client that sends much", isLeft && quiet, "%llu bytes, left %d, quiet %d", (unsigned long long) sent,
        isLeft, quiet);
    close(s);
    tacStoragesFree(storages);
}

/* ---- 7. keys, damage --------------------------------------------------------------------------------------------- */

/* A file with so many digits and a text behind them. */
static const char *newKeyOf(const char *name, char digit, int digits, const char *text, mode_t mode) {
    const char *path = newPath(name);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    for (int i = 0; i < digits; i++) fputc(digit, file);
    fprintf(file, "%s\n", text);
    fclose(file);
    chmod(path, mode);
    return path;
}

static const char *newKey(const char *name, char digit, mode_t mode) { return newKeyOf(name, digit, 64, "", mode); }

/* Keys are 64 to 128 hexadecimal digits, between which may be blanks, and nothing else. */
static void testKeyTexts(void) {
    static const struct {
        const char *name;
        char digit;
        int digits;
        const char *text;
        uint32_t size; /* bytes; 0: it is no key */
    } keys[] = {{"64 digits", 'a', 64, "", 32}, {"128 digits, some behind blanks", 'F', 120, " 0123 \n4567", 64},
        {"63 digits", 'a', 63, "", 0}, {"65 digits", 'a', 65, "", 0}, {"62 digits", 'a', 62, "", 0},
        {"130 digits", 'a', 130, "", 0}, {"a letter that is no digit", 'a', 63, "g", 0},
        {"a letter behind 64 digits", 'a', 64, "gg", 0}, {"letters only", 'z', 64, "", 0}, {"nothing", 'a', 0, "", 0}};
    const char *wrong = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char why[TAC_LINK_TEXT] = "";
        tacKey key = {.size = 0};
        bool is = tacKeyRead(&key, newKeyOf("text", keys[i].digit, keys[i].digits, keys[i].text, 0600), why);
        if (is != (keys[i].size > 0) || (is ? key.size != keys[i].size : !strstr(why, "is no key")))
            wrong = keys[i].name;
    }
    CHECK("what is a key", !wrong, "%s", wrong);
}

/* Sends with one key to a receiver with another one; returns how many elements came. */
static uint64_t sendWith(const char *key, const char *other) {
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, other, sum);
    tacStorages *storages = newStorages();
    tacStorageOptions options = tcpTo(tacReceiverPort(receiver, 0), key);
    add(storages, &options);
    Program p = newProgram(1, tacStoragesTake, storages);
    writeSome(&p, 0, 100);
    for (unsigned i = 0; i < 30; i++) {
        tacStoragesWork(storages);
        tacReceiverWork(receiver);
        usleep(1000);
    }
    uint64_t came = sum->read[0];
    tacrec_writerFree(p.writer);
    pass(2);
    tacReceiverFree(receiver);
    tacStoragesFree(storages);
    free(sum);
    return came;
}

static void testKeys(void) {
    char why[TAC_LINK_TEXT];
    tacKey key;
    testKeyTexts();
    const char *good = newKey("key", 'a', 0600), *other = newKey("other", 'b', 0600), *open = newKey("open", 'a', 0644);
    bool isOpen = tacKeyRead(&key, open, why);
    CHECK("a key that others can read", !isOpen && strstr(why, "chmod 600"), "%s", why);
    if (!tacSecureNeed(why, sizeof why)) {
        printf("skipped keys: %s\n", why);
        return;
    }
    testTcp("tcp with a key", good);
    testCrowd(good);
    testMute(good);
    testClients(good);
    uint64_t came = sendWith(good, other);
    CHECK("another key", came == 0 && strstr(said, "another key"), "%llu; %s", (unsigned long long) came, said);
    came = sendWith("", good);
    CHECK("no key", came == 0 && strstr(said, "does not use a key"), "%llu; %s", (unsigned long long) came, said);
    came = sendWith(good, "");
    CHECK("a key, where the other side has none", came == 0 && strstr(said, "no stream of packets"), "%llu; %s",
        (unsigned long long) came, said);
}

typedef struct Said { /* packets one after the other */
    uint8_t bytes[64 * K];
    size_t at[64], count, used;
} Said;

static bool keepPacket(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    Said *all = data;
    if (all->count == 64 || head->size > sizeof all->bytes - all->used) return false;
    memcpy(all->bytes + all->used, bytes, head->size);
    all->at[all->count++] = all->used;
    all->used += head->size;
    return true;
}

static unsigned draw(unsigned *seed, unsigned limit) {
    *seed = *seed * 1103515245 + 12345;
    return (*seed >> 8) % limit;
}

/* Changes bytes and numbers of a packet, and makes its checksum right. */
static void forge(uint8_t *bytes, tacrec_packet *head, unsigned *seed) {
    static const uint64_t odd[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, 1ull << 63, 70000};
    for (unsigned i = draw(seed, 8); i > 0 && head->size > TACREC_PACKET_HEAD; i--)
        bytes[TACREC_PACKET_HEAD + draw(seed, head->size - TACREC_PACKET_HEAD)] = (uint8_t) draw(seed, 256);
    if (draw(seed, 4) == 0) head->kind = (uint16_t) draw(seed, 9);
    if (draw(seed, 4) == 0) head->sensor = (uint32_t) odd[draw(seed, 6)];
    if (draw(seed, 4) == 0) head->source = odd[draw(seed, 6)] + draw(seed, 9);
    if (draw(seed, 6) == 0) head->sequence = odd[draw(seed, 6)];
    if (draw(seed, 6) == 0) head->count = (uint32_t) odd[draw(seed, 6)];
    if (draw(seed, 6) == 0) head->priority = (uint32_t) odd[draw(seed, 6)];
    if (draw(seed, 6) == 0) head->first = odd[draw(seed, 6)];
    if (draw(seed, 6) == 0) head->size = TACREC_PACKET_HEAD + 8 * draw(seed, (head->size - TACREC_PACKET_HEAD) / 8 + 1);
    tacrec_packetSeal(bytes, head);
}

/* Packets that say what cannot be harm nobody; what is stored of them is whole packets. */
static void testForged(void) {
    const char *path = newPath("forged");
    char folder[300], dump[300];
    snprintf(folder, sizeof folder, "%s", path);
    snprintf(dump, sizeof dump, "%s", newPath("forged.tacs"));
    Said *all = calloc(1, sizeof *all);
    if (!all) abort();
    Program p = newProgram(1, keepPacket, all);
    addSensor(&p, 1, "names", 1, "", true);
    for (unsigned i = 0; i < 8; i++) {
        writeSome(&p, 0, 10);
        writeSome(&p, 1, 3);
    }
    tacrec_writerDescribe(p.writer, NULL, NULL);
    endProgram(&p, TACREC_END_CLOSED);
    tacStorages *storages = newStorages();
    tacStorageOptions options[] = {memoryOf(TAC_STRATEGY_PRIORITY, 256 * K, dump, TAC_DUMP_END),
        folderOf(folder, TAC_STRATEGY_MULTIPLEFLIP, M, 4)};
    snprintf(options[0].sensor, sizeof options[0].sensor, "nam*");
    options[0].dumps = 2;
    options[0].copy = true;
    for (int i = 0; i < 2; i++) add(storages, &options[i]);
    unsigned seed = 4711;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[16 * K];
        tacrec_packet head;
        const uint8_t *at = all->bytes + all->at[draw(&seed, (unsigned) all->count)], *end;
        if (tacrec_packetFind(at, all->bytes + all->used, &head, &end) != at) abort();
        memcpy(bytes, at, head.size);
        forge(bytes, &head, &seed);
        if (tacrec_packetFind(bytes, bytes + head.size, &head, &end) != bytes) abort();
        tacStoragesTake(storages, &head, bytes);
        if (i % 100 == 0) tacStoragesWork(storages);
    }
    uint64_t bytes = folderBytes(folder, sizeOf);
    tacStoragesFree(storages);
    Sum *sum = newSum();
    sum->any = true;
    seeFile(sum, dump);
    seeFolder(sum, folder);
    CHECK("forged packets", sum->damaged == 0 && sum->bytes > 512 * K && bytes <= M,
        "damaged %llu of %llu, folder %llu", (unsigned long long) sum->damaged, (unsigned long long) sum->bytes,
        (unsigned long long) bytes);
    free(sum);
    free(all);
}

/* Bytes that are no packets, and packets between them. */
static void testDamage(void) {
    Sum *sum = newSum();
    tacReceiver *receiver = receiverAt(0, false, "", sum);
    const char *path = newPath("stream.tacs");
    tacStorages *storages = newStorages();
    tacStorageOptions file = fileOf(path, TAC_STRATEGY_STOP, M);
    add(storages, &file);
    Program p = newProgram(1, tacStoragesTake, storages);
    for (unsigned i = 0; i < 20; i++) writeSome(&p, 0, 100);
    endProgram(&p, TACREC_END_CLOSED);
    tacStoragesFree(storages);
    tacAddress address;
    tacLink link;
    char why[TAC_LINK_TEXT], text[40];
    snprintf(text, sizeof text, "127.0.0.1:%u", tacReceiverPort(receiver, 0));
    if (!tacAddressOf(&address, text, SOCK_STREAM, why) || !tacLinkConnect(&link, &address, NULL)) abort();
    uint8_t bytes[256 * K];
    FILE *stream = fopen(path, "r");
    size_t size = stream ? fread(bytes + 1000, 1, sizeof bytes - 1000, stream) : 0;
    if (stream) fclose(stream);
    memmove(bytes, bytes + 1000, 240); /* the packet of the source */
    for (int i = 0; i < 1000; i++) bytes[240 + i] = (uint8_t) (i * 7);
    bytes[1000 + size / 2] ^= 0x55; /* within some packet of elements */
    size += 1000;
    for (size_t sent = 0, turn = 0; turn < 100000 && sent < size; turn++) {
        size_t part = 1 + turn % 997;
        sent += tacLinkWrite(&link, bytes + sent, part < size - sent ? part : size - sent);
        tacReceiverWork(receiver);
    }
    for (unsigned i = 0; i < 50 && !sum->end; i++) tacReceiverWork(receiver), usleep(1000);
    CHECK("damage",
        sum->read[0] == 1900 && sum->end && tacReceiverCount(receiver).damaged == 1000 + 6872 && !sum->twice[0]
            && !sum->unknown,
        "damaged %llu; " SUM_TEXT, (unsigned long long) tacReceiverCount(receiver).damaged, SUM_OF(sum, &p, 0));
    tacLinkEnd(&link);
    tacReceiverFree(receiver);
    free(sum);
}

static bool noteIn(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return tacCatalogueNote(data, head, bytes) == TAC_NOTED_NEW;
}

/* Sensors whose numbers fall: each stands before all others. Moving what is kept of them took 10 s. The sanitizers' own
 * memmove is many times slower. */
static void testCatalogue(void) {
#ifdef __SANITIZE_ADDRESS__
    const long most = 40;
#else
    const long most = 4;
#endif
    const uint32_t count = 65536;
    const tacrec_sensorSaid said = {.kind = TACREC_SIMPLE, .name = "n"};
    struct rusage before, after;
    tacCatalogue *catalogue = tacCatalogueNew();
    tacrec_writer *writer = tacrec_writerNew(&(tacrec_source){.kind = TACREC_SOURCE_PROGRAM}, 7, noteIn, catalogue);
    bool fine = catalogue && writer;
    getrusage(RUSAGE_SELF, &before);
    for (uint32_t i = count; i-- > 0 && fine;) fine = tacrec_writerSensor(writer, i, &said);
    getrusage(RUSAGE_SELF, &after);
    for (uint32_t i = 0; i < count && fine; i++) fine = tacCatalogueSensor(catalogue, 7, i) != NULL;
    fine = fine && !tacCatalogueSensor(catalogue, 7, count) && !tacCatalogueSensor(catalogue, 8, 0);
    long seconds = after.ru_utime.tv_sec - before.ru_utime.tv_sec;
    CHECK("a catalogue of many sensors", fine && seconds < most, "%ld s", seconds);
    tacrec_writerFree(writer);
    tacCatalogueFree(catalogue);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: testStore FOLDER ?KILLS?\n"), 2;
    top = argv[1];
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    /* A packet has 100 elements of 64 + 4 bytes and a head of 72: 6872 bytes, 14 blocks of 512 in memory. */
    testMemory("memory stops", TAC_STRATEGY_STOP, 60, 0, 3000, false);
    testMemory("memory begins anew", TAC_STRATEGY_RESTART, 60, 3600, 1, false);
    testMemory("memory wraps", TAC_STRATEGY_WRAPPING, 60, 2400, 3600, true);
    testMemory("memory that is not full", TAC_STRATEGY_WRAPPING, 30, 0, 3000, true);
    testPriority();
    testRecorder();
    testEmptied();
    testFile("a file stops", TAC_STRATEGY_STOP, false, 0, 3699);
    testFile("a file begins anew", TAC_STRATEGY_RESTART, false, 3800, 5999);
    testFile("a static file", TAC_STRATEGY_STOP, true, 0, 3699);
    testFile("a static file begins anew", TAC_STRATEGY_RESTART, true, 3800, 5999);
    testFolder("a folder stops", TAC_STRATEGY_STOP, M, 1, false, 1);
    testFolder("a folder begins anew", TAC_STRATEGY_RESTART, M, 1, false, 2);
    testFolder("single flip", TAC_STRATEGY_SINGLEFLIP, M, 2, false, 3);
    testFolder("multiple flip 2", TAC_STRATEGY_MULTIPLEFLIP, M, 2, false, 4);
    testFolder("multiple flip 3", TAC_STRATEGY_MULTIPLEFLIP, M, 3, false, 5);
    testFolder("multiple flip 8", TAC_STRATEGY_MULTIPLEFLIP, M, 8, false, 6);
    testFolder("multiple flip 20", TAC_STRATEGY_MULTIPLEFLIP, 2 * M, 20, false, 7);
    testFolder("static multiple flip 4", TAC_STRATEGY_MULTIPLEFLIP, M, 4, true, 8);
    testContinued();
    testSeveral();
    testFullDisk();
    testLossesHaveRoom();
    testCopies();
    testWrapsBefore();
    testDumpedAndEmptied();
    testOwners();
    testTooLarge();
    testRefused();
    testCatalogue();
    testKilled(argc > 2 ? (unsigned) atoi(argv[2]) : 10);
    testTcp("tcp", "");
    testGone();
    testNobody();
    testClients("");
    testUdp();
    testCrowd("");
    testMute("");
    testTalker();
    testKeys();
    testDamage();
    testForged();
    return failures > 0;
}
