/*
 * clock.c -- mapping the clocks of all processors onto one.
 *
 *   E. Maillet, C. Tron: On efficiently implementing global time for performance evaluation on multiprocessor systems.
 *   Journal of Parallel and Distributed Computing 28(1), 1995, 84-93.
 *
 * Their model of a local clock is one of constant drift, C_i(t) = alpha_i + beta_i t. Without t, one clock is a line
 * over another: C_b = A + B C_a with B = beta_b / beta_a and A = alpha_b - B alpha_a. A message from a to b gives the
 * point (sent on a, received on b), which lies above that line by the message's delay; one from b to a gives (received
 * on a, sent on b), below it by the delay. Their estimate is the least squares line over both kinds of points, B = sum
 * (x - mean x)(y - mean y) / sum (x - mean x)^2,    A = mean y - B mean x, which runs between the two clouds, so that
 * delays cancel as far as they are alike in both directions.
 *
 * The sums are taken over differences from a first point and then from the centre: nanoseconds since 1970 have 61 bits,
 * and their squares would keep nothing of a microsecond in a double.
 *
 * One message with a wrong time would bend that line as far as it likes. So messages far from the line of the others
 * are left out of the sums, with a warning each (trace/clockWild.h).
 *
 * Steps: (1) find the processor of every row; (2) match sent with received; (3) fit each pair; (4) join pairs to
 * clusters along the best fits (a minimum spanning forest by RMS residual) and compose the lines toward the reference;
 * (5) map.
 */
#include "base/port.h"

#include "base/search.h"
#include "base/sort.h"
#include "trace/clock.h"
#include "trace/clockWild.h"
#include "trace/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message with both ends, or one end of it. */
typedef struct Message {
    uint32_t source, target;       /* processors */
    uint32_t id;                   /* string id */
    uint32_t sentRow, receivedRow; /* TAC_NONE: lost, or the other end */
} Message;

typedef TAC_ARRAY(Message) Messages;

void tacClocksFree(tacClocks *clocks) {
    tacArrayFree(&clocks->pairs);
    tacArrayFree(&clocks->clocks);
    tacArrayFree(&clocks->violations);
    tacArrayFree(&clocks->rows);
    tacArrayFree(&clocks->ends);
    *clocks = (tacClocks){.reference = TAC_NONE};
}

/* ---- (2) messages ---- */

/* Order in which the ends of one message id stand together: first those sent, then those received, by row. */
static int byMessage(const void *left, const void *right, const void *data) {
    const Message *a = left, *b = right;
    (void) data;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    bool aReceived = a->sentRow == TAC_NONE, bReceived = b->sentRow == TAC_NONE;
    if (aReceived != bReceived) return aReceived - bReceived;
    uint32_t aRow = aReceived ? a->receivedRow : a->sentRow, bRow = bReceived ? b->receivedRow : b->sentRow;
    return aRow < bRow ? -1 : aRow > bRow;
}

/* Lists the ends of messages: every row that sends or receives one. */
static tacStatus collectEnds(const tacStore *store, Messages *ends, tacError *err) {
    uint32_t n = tacStoreCount(store);
    for (uint32_t row = 0; row < n; row++) {
        if (!tacProgressAt(store->progress, row)) return tacFailStopped(err, store->progress);
        tacEvent event = tacRowEvent(store, row);
        if (TAC_LIKELY(event != TAC_EV_SYNC_SENT && event != TAC_EV_SYNC_RECEIVED)) continue;
        int64_t id = 0;
        tacRowOption(store, row, TAC_OPT_ARGUMENT3, &id);
        bool sent = event == TAC_EV_SYNC_SENT;
        if (!tacArrayPush(ends,
                (Message){tacRowSubject(store, row), tacRowObject(store, row), (uint32_t) id, sent ? row : TAC_NONE,
                    sent ? TAC_NONE : row}))
            return tacFailMemory(err);
    }
    return TAC_OK;
}

/* Joins the n sorted ends of one message id to messages; returns their number. An id may be used again: the k-th sent
 * belongs to the k-th received. */
static size_t joinEnds(Message *ends, size_t n, Message *out) {
    size_t sent = 0, made = 0;
    while (sent < n && ends[sent].sentRow != TAC_NONE) sent++;
    size_t received = n - sent, most = sent > received ? sent : received;
    for (size_t k = 0; k < most; k++) {
        Message message = ends[k < sent ? k : sent + k];
        message.receivedRow = k < received ? ends[sent + k].receivedRow : TAC_NONE;
        out[made++] = message;
    }
    return made;
}

/* Lists all messages of the store, lost ones too. */
static tacStatus collectMessages(const tacStore *store, Messages *messages, tacError *err) {
    Messages ends = {0};
    tacStatus status = collectEnds(store, &ends, err);
    if (status == TAC_OK && !tacArrayReserve(messages, ends.count)) status = tacFailMemory(err);
    if (status == TAC_OK && !tacSort(ends.at, ends.count, sizeof *ends.at, byMessage, NULL, store->progress))
        status = tacFailStopped(err, store->progress);
    if (status == TAC_OK) {
        for (size_t i = 0, next; i < ends.count && tacProgressAt(store->progress, i); i = next) {
            const Message *m = &ends.at[i];
            for (next = i + 1; next < ends.count && ends.at[next].source == m->source
                 && ends.at[next].target == m->target && ends.at[next].id == m->id;)
                next++;
            messages->count += joinEnds(ends.at + i, next - i, messages->at + messages->count);
        }
    }
    tacArrayFree(&ends);
    return status;
}

/* ---- (3) pairs ---- */

/* Order in which the messages of a pair of processors stand together. */
static int byPair(const void *left, const void *right, const void *data) {
    const Message *x = left, *y = right;
    uint32_t xa = x->source < x->target ? x->source : x->target, xb = x->source ^ x->target ^ xa;
    uint32_t ya = y->source < y->target ? y->source : y->target, yb = y->source ^ y->target ^ ya;
    if (xa != ya) return xa < ya ? -1 : 1;
    if (xb != yb) return xb < yb ? -1 : 1;
    return byMessage(left, right, data);
}

static bool isMatched(const Message *m) { return m->sentRow != TAC_NONE && m->receivedRow != TAC_NONE; }

/* The difference of two times, without overflow. */
static inline double difference(int64_t a, int64_t b) { return (double) ((__int128) a - b); }

/* The message as a point (time on a, time on b). */
static void pointOf(const tacStore *store, const tacClockPair *pair, const Message *m, int64_t *a, int64_t *b) {
    int64_t sent = tacRowTime(store, m->sentRow), received = tacRowTime(store, m->receivedRow);
    *a = m->source == pair->a ? sent : received;
    *b = m->source == pair->a ? received : sent;
}

/* Adds ticks to a time, rounded; false: the result is no time. */
static bool addRounded(int64_t time, double ticks, int64_t *result) {
    return fabs(ticks) < 4e18 && !__builtin_add_overflow(time, (int64_t) llround(ticks), result) && tacIsTime(*result);
}

/* Finds the centre of the kept points in whole ticks, so that differences from it are exact and small. False: it is no
 * time. */
static bool findCentre(tacClockPair *pair, const tacClockPoint *points, size_t n) {
    size_t first = 0;
    double sumA = 0, sumB = 0, count = 0;
    while (first < n && !points[first].kept) first++;
    if (first == n) return false;
    for (size_t i = first; i < n; i++) {
        if (!points[i].kept) continue;
        sumA += difference(points[i].a, points[first].a);
        sumB += difference(points[i].b, points[first].b);
        count++;
    }
    return addRounded(points[first].a, sumA / count, &pair->originA)
        && addRounded(points[first].b, sumB / count, &pair->originB);
}

/* Fits the line of a pair by least squares around the centre: B = Sxy / Sxx; the remaining means give the shift. */
static void fitLine(tacClockPair *pair, const tacClockPoint *points, size_t n) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0, count = 0;
    pair->fitted = false;
    if (!findCentre(pair, points, n)) return;
    for (size_t i = 0; i < n; i++) {
        if (!points[i].kept) continue;
        double x = difference(points[i].a, pair->originA), y = difference(points[i].b, pair->originB);
        sx += x, sy += y, sxx += x * x, sxy += x * y, count++;
    }
    sxx -= sx * sx / count;
    sxy -= sx * sy / count;
    pair->drift = sxy / sxx;
    pair->shift = (sy - pair->drift * sx) / count;
    pair->fitted = sxx > 0 && isfinite(pair->drift) && pair->drift > 1e-6 && pair->drift < 1e6;
    pair->offset = (double) ((long double) pair->originB + pair->shift - (long double) pair->drift * pair->originA);
}

/* Fits the line without the points that are far from it, which leaves others far or brings some back: until it stays as
 * it is. */
static void fitOthers(tacClockPair *pair, tacClockPoint *points, size_t n, double *scratch) {
    enum { ROUNDS = 10 };
    tacClockLine line;
    if (!tacClockSteady(points, n, &line)) return;
    for (int i = 0; i < ROUNDS && tacClockKeepNear(points, n, &line, scratch); i++) {
        fitLine(pair, points, n);
        if (!pair->fitted) return;
        line = (tacClockLine){pair->originA, pair->originB, pair->shift, pair->drift};
    }
}

/* Finds the distances of the kept messages from the line of their pair: RMS and largest. */
static void findResiduals(tacClockPair *pair, const tacClockPoint *points, size_t n) {
    double squares = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!points[i].kept) continue;
        double residual = difference(points[i].b, pair->originB) - pair->shift
            - pair->drift * difference(points[i].a, pair->originA);
        squares += residual * residual, count++;
        if (fabs(residual) > pair->largest) pair->largest = fabs(residual);
    }
    pair->rms = sqrt(squares / count);
}

/* Warns of the messages that were left out. */
static void sayLeftOut(const tacStore *store, tacDiag *diag, const tacClockPair *pair, const Message *messages,
    const tacClockPoint *points, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (points[i].kept) continue;
        const Message *m = &messages[points[i].message];
        tacDiagAdd(diag, TAC_SEVERITY_WARNING, tacRowLine(store, m->receivedRow), "CLOCK",
            "message %.60s from %.60s to %.60s is far from the line of the other %zu between them: it is left out where"
            " their clocks are fitted",
            tacString(store, m->id), tacObjectId(store, TAC_PROCESSOR, m->source),
            tacObjectId(store, TAC_PROCESSOR, m->target), (size_t) pair->sentByA + pair->sentByB - pair->leftOut);
    }
}

/* Fits the clocks of a pair with messages both ways. */
static tacStatus fitMessages(const tacStore *store, tacDiag *diag, tacClockPair *pair, const Message *messages,
    size_t nMessages, tacError *err) {
    size_t most = (size_t) pair->sentByA + pair->sentByB, n = 0;
    tacClockPoint *points = tacAlloc(most * sizeof *points);
    double *scratch = tacAlloc(most * sizeof *scratch);
    if (!points || !scratch) {
        tacFree(points);
        tacFree(scratch);
        return tacFailMemory(err);
    }
    for (size_t i = 0; i < nMessages && tacProgressAt(store->progress, i); i++) {
        if (!isMatched(&messages[i])) continue;
        tacClockPoint point = {.fromA = messages[i].source == pair->a, .kept = true, .message = i};
        pointOf(store, pair, &messages[i], &point.a, &point.b);
        points[n++] = point;
    }
    if (!tacProgressStopped(store->progress)) {
        fitLine(pair, points, n);
        fitOthers(pair, points, n, scratch);
        for (size_t i = 0; i < n; i++) pair->leftOut += !points[i].kept;
        if (pair->fitted) findResiduals(pair, points, n);
        sayLeftOut(store, diag, pair, messages, points, n);
    }
    tacFree(points);
    tacFree(scratch);
    return TAC_OK;
}

/* Reports why a pair has no line. */
static void sayUnfitted(const tacStore *store, tacDiag *diag, const tacClockPair *pair, uint32_t line) {
    const char *a = tacObjectId(store, TAC_PROCESSOR, pair->a), *b = tacObjectId(store, TAC_PROCESSOR, pair->b);
    if (pair->sentByA == 0 || pair->sentByB == 0) {
        const char *from = pair->sentByA == 0 ? a : b, *to = pair->sentByA == 0 ? b : a;
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, line, "CLOCK",
            "the clocks of %.60s and %.60s cannot be matched: no message from %.60s to %.60s was both sent"
            " and received (at least one each way is needed)",
            a, b, from, to);
    } else
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, line, "CLOCK",
            "the clocks of %.60s and %.60s cannot be matched: their messages give no line (all at one"
            " time, or a clock that runs backwards)",
            a, b);
}

static bool isDefined(const tacStore *store, uint32_t processor) {
    return store->objects[TAC_PROCESSOR].at[processor].line != 0;
}

/* True when processor x is defined before y: the line of a pair is that of the later one over the earlier one, whoever
 * is mentioned first. */
static bool definedBefore(const tacStore *store, uint32_t x, uint32_t y) {
    const tacObject *objects = store->objects[TAC_PROCESSOR].at;
    return objects[x].order != objects[y].order ? objects[x].order < objects[y].order : x < y;
}

/* Makes a pair of the n messages between two processors. */
static tacStatus fitPair(
    const tacStore *store, tacDiag *diag, const Message *messages, size_t n, tacClocks *clocks, tacError *err) {
    uint32_t source = messages[0].source, target = messages[0].target;
    bool first = definedBefore(store, source, target);
    tacClockPair pair = {.a = first ? source : target, .b = first ? target : source, .drift = 1};
    uint32_t row = messages[0].sentRow != TAC_NONE ? messages[0].sentRow : messages[0].receivedRow;
    for (size_t i = 0; i < n; i++) {
        if (!isMatched(&messages[i])) pair.lost++;
        else if (messages[i].source == pair.a) pair.sentByA++;
        else pair.sentByB++;
    }
    clocks->messages += pair.sentByA + pair.sentByB;
    clocks->lost += pair.lost;
    if (pair.sentByA && pair.sentByB && fitMessages(store, diag, &pair, messages, n, err) != TAC_OK) return TAC_ERROR;
    if (!pair.fitted) sayUnfitted(store, diag, &pair, tacRowLine(store, row));
    if (pair.lost)
        tacDiagAdd(diag, TAC_SEVERITY_NOTE, tacRowLine(store, row), "CLOCK",
            "%u synchronization %s between %.60s and %.60s %s lost (sent and not received,"
            " or received and not sent)",
            pair.lost, pair.lost == 1 ? "message" : "messages", tacObjectId(store, TAC_PROCESSOR, pair.a),
            tacObjectId(store, TAC_PROCESSOR, pair.b), pair.lost == 1 ? "was" : "were");
    return tacArrayPush(&clocks->pairs, pair) ? TAC_OK : tacFailMemory(err);
}

/* Sorts the messages by pairs, and fits each. */
static tacStatus fitPairs(const tacStore *store, tacDiag *diag, Messages *messages, tacClocks *clocks, tacError *err) {
    if (!tacSort(messages->at, messages->count, sizeof *messages->at, byPair, NULL, store->progress))
        return tacFailStopped(err, store->progress);
    for (size_t i = 0, next; i < messages->count && tacProgressAt(store->progress, i); i = next) {
        const Message *first = &messages->at[i];
        for (next = i + 1; next < messages->count; next++) {
            const Message *m = &messages->at[next];
            bool same = (m->source == first->source && m->target == first->target)
                || (m->source == first->target && m->target == first->source);
            if (!same) break;
        }
        if (first->source == first->target) {
            uint32_t row = first->sentRow != TAC_NONE ? first->sentRow : first->receivedRow;
            tacDiagAdd(diag, TAC_SEVERITY_WARNING, tacRowLine(store, row), "CLOCK",
                "processor %.60s sends synchronization messages to itself; they are ignored",
                tacObjectId(store, TAC_PROCESSOR, first->source));
        } else if (fitPair(store, diag, first, next - i, clocks, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

/* ---- (4) clusters ---- */

/* The processor that stands for the cluster of p (union-find with halved paths). */
static uint32_t findRoot(uint32_t *parent, uint32_t p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
}

static int byResidual(const void *left, const void *right) {
    const tacClockPair *a = *(const tacClockPair *const *) left, *b = *(const tacClockPair *const *) right;
    if (a->rms != b->rms) return a->rms < b->rms ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Chooses the fitted pairs that join clusters with the smallest residuals (Kruskal); returns their number. */
static size_t chooseTree(const tacClocks *clocks, uint32_t *parent, const tacClockPair **tree) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < clocks->pairs.count; i++)
        if (clocks->pairs.at[i].fitted) tree[n++] = &clocks->pairs.at[i];
    if (n) qsort(tree, n, sizeof *tree, byResidual);
    for (size_t i = 0; i < n; i++) {
        uint32_t a = findRoot(parent, tree[i]->a), b = findRoot(parent, tree[i]->b);
        if (a == b) continue;
        parent[a] = b;
        tree[kept++] = tree[i];
    }
    return kept;
}

/* The clock of processor p, from that of its neighbour q, which is nearer to the reference. Not `mapped`: the reference
 * is too far away for 64 bits. */
static tacClock composeClock(const tacClockPair *pair, uint32_t q, const tacClock *near) {
    bool forward = pair->b == q; /* p is a: q = originB + shift + drift * (p - originA) */
    int64_t originP = forward ? pair->originA : pair->originB, originQ = forward ? pair->originB : pair->originA;
    double rate = forward ? pair->drift : 1 / pair->drift, shift = forward ? pair->shift : -pair->shift / pair->drift;
    tacClock clock = {.cluster = near->cluster,
        .via = q,
        .origin = originP,
        .referenceOrigin = originQ,
        .shift = shift,
        .rate = rate,
        .mapped = true};
    if (near->via == q) return clock; /* q is the reference itself */
    clock.mapped = near->mapped;
    if (!clock.mapped) return clock;
    double beyond = near->shift + near->rate * (difference(originQ, near->origin) + shift), whole = floor(beyond);
    clock.mapped = addRounded(near->referenceOrigin, whole, &clock.referenceOrigin);
    clock.shift = beyond - whole;
    clock.rate = near->rate * rate;
    return clock;
}

/* A pair of the tree, seen from one of its two processors. */
typedef struct Branch {
    uint32_t from, to; /* processors */
    const tacClockPair *pair;
} Branch;

static int byProcessor(const void *left, const void *right) {
    const Branch *a = left, *b = right;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* Gives every clock its line toward the reference of its cluster: goes from the references over the trees, breadth
 * first. False: no memory. */
static bool spread(tacClocks *clocks, const tacClockPair *const *tree, size_t nPairs) {
    size_t n = 2 * nPairs, end = 0;
    Branch *branches = tacAlloc(n * sizeof *branches);
    uint32_t *queue = tacAlloc(clocks->clocks.count * sizeof *queue);
    bool room = branches && queue;
    for (size_t i = 0; room && i < nPairs; i++) {
        branches[2 * i] = (Branch){tree[i]->a, tree[i]->b, tree[i]};
        branches[2 * i + 1] = (Branch){tree[i]->b, tree[i]->a, tree[i]};
    }
    if (room && n) qsort(branches, n, sizeof *branches, byProcessor);
    for (uint32_t p = 0; room && p < clocks->clocks.count; p++)
        if (clocks->clocks.at[p].via == p) queue[end++] = p;
    for (size_t next = 0; next < end; next++) {
        uint32_t near = queue[next];
        for (size_t i = tacPast(size_t, 0, n, at, branches[at].from < near); i < n && branches[i].from == near; i++) {
            uint32_t far = branches[i].to;
            if (clocks->clocks.at[far].via != TAC_NONE) continue;
            clocks->clocks.at[far] = composeClock(branches[i].pair, near, &clocks->clocks.at[near]);
            queue[end++] = far;
        }
    }
    tacFree(branches);
    tacFree(queue);
    return room;
}

/* A processor and its place among all definitions. */
typedef struct Defined {
    uint32_t processor, order;
} Defined;

static int byOrder(const void *left, const void *right) {
    const Defined *a = left, *b = right;
    if (a->order != b->order) return a->order < b->order ? -1 : 1;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

/* Gives every cluster a number and a reference, in the order of definitions, whatever is mentioned first: the chosen
 * processor in its own cluster, the first one in others. False: no memory. */
static bool chooseReferences(const tacStore *store, tacClocks *clocks, uint32_t *parent, uint32_t nProcessors) {
    uint32_t preferred = clocks->reference;
    size_t n = 0;
    Defined *defined = tacAlloc((nProcessors + (size_t) 1) * sizeof *defined);
    if (!defined) return false;
    for (uint32_t p = 0; p < nProcessors; p++)
        if (isDefined(store, p)) defined[n++] = (Defined){p, store->objects[TAC_PROCESSOR].at[p].order};
    if (n) qsort(defined, n, sizeof *defined, byOrder);
    for (size_t i = 0; i < n; i++) {
        uint32_t p = defined[i].processor, root = findRoot(parent, p);
        if (clocks->clocks.at[root].cluster != TAC_NONE) continue;
        if (clocks->reference == TAC_NONE) clocks->reference = p;
        bool mine = preferred != TAC_NONE && findRoot(parent, preferred) == root;
        uint32_t reference = mine ? preferred : p;
        clocks->clocks.at[root].cluster = clocks->nClusters; /* marks the cluster; spread() overwrites all but the
                                                                reference */
        clocks->clocks.at[reference].cluster = clocks->nClusters++;
        clocks->clocks.at[reference].via = reference;
    }
    tacFree(defined);
    return true;
}

/* Step 4: joins the pairs to clusters and gives each processor its clock. */
static tacStatus joinClusters(const tacStore *store, tacClocks *clocks, uint32_t nProcessors, tacError *err) {
    uint32_t *parent = tacAlloc((nProcessors + 1) * sizeof *parent);
    const tacClockPair **tree = tacAlloc((clocks->pairs.count + 1) * sizeof *tree);
    bool room = parent && tree && tacArrayReserve(&clocks->clocks, nProcessors + 1);
    if (room) {
        for (uint32_t p = 0; p < nProcessors; p++) {
            parent[p] = p;
            clocks->clocks.at[clocks->clocks.count++] = (tacClock){.cluster = TAC_NONE, .via = TAC_NONE, .rate = 1};
        }
        size_t n = chooseTree(clocks, parent, tree);
        room = chooseReferences(store, clocks, parent, nProcessors) && spread(clocks, tree, n);
    }
    tacFree(parent);
    tacFree(tree);
    return room ? TAC_OK : tacFailMemory(err);
}

/* ---- (1) where rows happen, (5) mapping ---- */

typedef struct Places {
    uint16_t *job; /* processor of each job at the row reached, by job index */
    uint16_t last; /* of the row before: a row that names no processor was written by the recorder of its block */
} Places;

/* The processor of a task; TAC_NO_PROCESSOR: it has none, or there is no task. */
static uint16_t placeOfTask(const tacStore *store, uint32_t task) {
    return task == TAC_NONE ? TAC_NO_PROCESSOR : store->objects[TAC_TASK].at[task].processor;
}

/* The processor of a job's event: the given one, else that of the job. Notes the processor that the job goes to. */
static uint16_t placeOfJob(const tacStore *store, Places *places, uint32_t row, tacEvent event, uint16_t given) {
    uint32_t job = tacRowSubject(store, row);
    uint16_t here = places->job[job];
    bool leaves = event == TAC_EV_JOB_PREEMPTED; /* its -processor is the one that the job goes to */
    if (event == TAC_EV_JOB_ARRIVED) here = placeOfTask(store, tacRowObject(store, row));
    if (here == TAC_NO_PROCESSOR) here = placeOfTask(store, store->jobTask.at[job]);
    if (given != TAC_NO_PROCESSOR) places->job[job] = given;
    else if (here != TAC_NO_PROCESSOR) places->job[job] = here;
    return leaves || given == TAC_NO_PROCESSOR ? here : given;
}

/* The processor whose clock gave the time of a row; TAC_NO_PROCESSOR: unknown. */
static uint16_t placeOfRow(const tacStore *store, Places *places, uint32_t row) {
    tacEvent event = tacRowEvent(store, row);
    const tacEventSpec *spec = &tacEvents[event];
    uint16_t given = tacRowProcessor(store, row), place = given;
    bool hasSubject = spec->nArguments > 0;
    if (hasSubject && spec->arguments[0] == TAC_TYPE_JOB) place = placeOfJob(store, places, row, event, given);
    else if (given == TAC_NO_PROCESSOR && hasSubject && spec->arguments[0] == TAC_TYPE_TASK)
        place = placeOfTask(store, tacRowSubject(store, row));
    else if (given == TAC_NO_PROCESSOR && hasSubject && spec->arguments[0] == TAC_TYPE_SERVER)
        place = store->objects[TAC_SERVER].at[tacRowSubject(store, row)].processor;
    if (place == TAC_NO_PROCESSOR) return places->last;
    return places->last = place;
}

/* A local time on the clock of the reference; TAC_UNKNOWN: the result is no time. The reference's origin is an integer,
 * so only the difference from it is rounded, not an epoch. */
static int64_t mapTime(const tacClock *clock, int64_t local) {
    int64_t result;
    double from = clock->shift + clock->rate * difference(local, clock->origin);
    return addRounded(clock->referenceOrigin, from, &result) ? result : TAC_UNKNOWN;
}

/* Data of keepsRow. */
typedef struct Mapped {
    const tacStore *store;
    tacDiag *diag;
} Mapped;

/* False for a row whose mapped time is TAC_UNKNOWN, with an error. */
static bool keepsRow(void *data, uint32_t row) {
    const Mapped *mapped = data;
    if (mapped->store->time.at[row] != TAC_UNKNOWN) return true;
    tacDiagAdd(mapped->diag, TAC_SEVERITY_ERROR, tacRowLine(mapped->store, row), "TIME RANGE",
        "the time is too large for 64 bits on the clock of the reference; the event is left out");
    return false;
}

/* Steps 1 and 5: maps the time of every row by the clock of its processor. */
static tacStatus mapRows(tacStore *store, tacDiag *diag, const tacClocks *clocks, tacError *err) {
    uint32_t n = tacStoreCount(store), lost = 0;
    size_t nJobs = store->jobTask.count;
    Places places = {tacAlloc((nJobs + 1) * sizeof *places.job), TAC_NO_PROCESSOR};
    if (!places.job) return tacFailMemory(err);
    memset(places.job, 0xFF, (nJobs + 1) * sizeof *places.job);
    for (uint32_t row = 0; row < n && tacProgressAt(store->progress, row); row++) {
        uint16_t place = placeOfRow(store, &places, row);
        if (place == TAC_NO_PROCESSOR || !clocks->clocks.at[place].mapped) continue;
        int64_t *time = &store->time.at[row];
        *time = mapTime(&clocks->clocks.at[place], *time);
        if (tacRowEvent(store, row) == TAC_EV_TASK_ANNOTATION) {
            int64_t *end = &store->numbers.at[tacRowObject(store, row)];
            *end = mapTime(&clocks->clocks.at[place], *end);
            if (*end == TAC_UNKNOWN) *time = TAC_UNKNOWN;
        }
        lost += *time == TAC_UNKNOWN;
    }
    tacFree(places.job);
    if (tacProgressStopped(store->progress)) return tacFailStopped(err, store->progress);
    Mapped mapped = {store, diag};
    return lost ? tacColumnsKeep(store, keepsRow, &mapped, err) : TAC_OK;
}

/* Reports the clocks that are not mapped to that of the reference: too far away, or in another cluster. */
static void sayClusters(const tacStore *store, tacDiag *diag, const tacClocks *clocks) {
    uint32_t n = (uint32_t) clocks->clocks.count;
    if (clocks->pairs.count == 0) return;
    for (uint32_t p = 0; p < n; p++) {
        const tacClock *clock = &clocks->clocks.at[p];
        if (clock->via != TAC_NONE && clock->via != p && !clock->mapped)
            tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "TIME RANGE",
                "the clock of %.60s cannot be brought onto another one: they are more apart than 64 bits hold",
                tacObjectId(store, TAC_PROCESSOR, p));
    }
    if (clocks->nClusters < 2) return;
    for (uint32_t p = 0; p < n; p++)
        if (isDefined(store, p) && clocks->clocks.at[p].cluster != clocks->clocks.at[clocks->reference].cluster)
            tacDiagAdd(diag, TAC_SEVERITY_NOTE, 0, "CLOCK",
                "processor %.60s keeps a clock apart from that of %.60s: no messages, or too few, join them",
                tacObjectId(store, TAC_PROCESSOR, p), tacObjectId(store, TAC_PROCESSOR, clocks->reference));
}

tacStatus tacClocksSolve(tacStore *store, tacDiag *diag, const char *reference, tacClocks *clocks, tacError *err) {
    Messages messages = {0};
    uint32_t nProcessors = tacStoreObjects(store, TAC_PROCESSOR), chosen = TAC_NONE;
    if (reference) chosen = tacInternFind(&store->ids[TAC_PROCESSOR], reference, strlen(reference));
    clocks->reference = chosen != TAC_NONE && isDefined(store, chosen) ? chosen : TAC_NONE;
    if (reference && clocks->reference == TAC_NONE)
        tacDiagAdd(diag, TAC_SEVERITY_ERROR, 0, "CLOCK",
            "the reference \"%.60s\" is no processor of this trace; the first one is taken", reference);
    const char *mapped = tacStoreSetting(store, "clocks.mapped");
    bool done = mapped && strcmp(mapped, "1") == 0;
    tacStatus status = nProcessors < 2 ? TAC_OK : collectMessages(store, &messages, err);
    if (status == TAC_OK) status = fitPairs(store, diag, &messages, clocks, err);
    if (status == TAC_OK) status = joinClusters(store, clocks, nProcessors, err);
    tacArrayFree(&messages);
    if (status != TAC_OK) return TAC_ERROR;
    sayClusters(store, diag, clocks);
    for (size_t p = 0; done && p < clocks->clocks.count; p++) {
        tacClock *clock = &clocks->clocks.at[p];
        *clock = (tacClock){.cluster = clock->cluster, .via = clock->via, .rate = 1};
    }
    return clocks->pairs.count && !done ? mapRows(store, diag, clocks, err) : TAC_OK;
}

/* Warns of a message that was received before it was sent, and notes it. */
static tacStatus checkMessage(
    const tacStore *store, tacDiag *diag, const Message *m, tacClocks *clocks, tacError *err) {
    int64_t sent = tacRowTime(store, m->sentRow), received = tacRowTime(store, m->receivedRow);
    if (received >= sent || clocks->clocks.at[m->source].cluster != clocks->clocks.at[m->target].cluster) return TAC_OK;
    char early[TAC_DECIMAL_SIZE];
    tacDecimalFormat(sent - received, store->digits, early);
    tacDiagAdd(diag, TAC_SEVERITY_WARNING, tacRowLine(store, m->receivedRow), "CLOCK",
        "message %.60s from %.60s to %.60s is received %s before it is sent: drift"
        " is not constant; times are not altered to hide it",
        tacString(store, m->id), tacObjectId(store, TAC_PROCESSOR, m->source),
        tacObjectId(store, TAC_PROCESSOR, m->target), early);
    return tacArrayPush(&clocks->violations, (tacViolation){m->sentRow, m->receivedRow, sent, received})
        ? TAC_OK
        : tacFailMemory(err);
}

static uint32_t firstRow(const Message *m) { return m->sentRow != TAC_NONE ? m->sentRow : m->receivedRow; }

static int byRow(const void *left, const void *right, const void *data) {
    uint32_t a = firstRow(left), b = firstRow(right);
    (void) data;
    return (a > b) - (a < b);
}

/* Keeps where messages between two processors begin and end. */
static tacStatus keepMessages(const tacStore *store, Messages *messages, tacClocks *clocks, tacError *err) {
    if (!tacSort(messages->at, messages->count, sizeof *messages->at, byRow, NULL, store->progress))
        return tacFailStopped(err, store->progress);
    if (!tacArrayReserve(&clocks->rows, messages->count) || !tacArrayReserve(&clocks->ends, messages->count))
        return tacFailMemory(err);
    for (size_t i = 0; i < messages->count; i++) {
        const Message *m = &messages->at[i];
        if (m->source == m->target) continue;
        clocks->rows.at[clocks->rows.count++] = firstRow(m);
        clocks->ends.at[clocks->ends.count++] = isMatched(m) ? m->receivedRow : TAC_NONE;
    }
    return TAC_OK;
}

tacStatus tacClocksCheck(const tacStore *store, tacDiag *diag, tacClocks *clocks, tacError *err) {
    Messages messages = {0};
    if (clocks->pairs.count == 0) return TAC_OK;
    tacStatus status = collectMessages(store, &messages, err);
    for (size_t i = 0; status == TAC_OK && i < messages.count && tacProgressAt(store->progress, i); i++)
        if (isMatched(&messages.at[i])) status = checkMessage(store, diag, &messages.at[i], clocks, err);
    if (status == TAC_OK) status = keepMessages(store, &messages, clocks, err);
    tacArrayFree(&messages);
    return status;
}

uint32_t tacSyncOtherEnd(const tacClocks *clocks, uint32_t row) {
    for (size_t i = 0; i < clocks->rows.count; i++) {
        if (clocks->rows.at[i] == row) return clocks->ends.at[i];
        if (clocks->ends.at[i] == row) return clocks->rows.at[i];
    }
    return TAC_NONE;
}

int64_t tacClockLocal(const tacClocks *clocks, uint32_t processor, int64_t reference) {
    if (processor >= clocks->clocks.count || !clocks->clocks.at[processor].mapped) return reference;
    const tacClock *clock = &clocks->clocks.at[processor];
    int64_t local;
    double from = (difference(reference, clock->referenceOrigin) - clock->shift) / clock->rate;
    return addRounded(clock->origin, from, &local) ? local : TAC_UNKNOWN;
}

/* ---- residuals ---- */

static int byTime(const void *left, const void *right, const void *data) {
    const tacResidual *a = left, *b = right;
    (void) data;
    return (a->time > b->time) - (a->time < b->time);
}

/* The residual of a message. Its times on the two clocks are computed back from the reference time, to half a tick. */
static tacResidual residualOf(
    const tacStore *store, const tacClocks *clocks, const tacClockPair *pair, const Message *m) {
    int64_t a, b;
    pointOf(store, pair, m, &a, &b);
    double x = difference(tacClockLocal(clocks, pair->a, a), pair->originA),
           y = difference(tacClockLocal(clocks, pair->b, b), pair->originB);
    return (tacResidual){tacRowTime(store, m->receivedRow), y - pair->shift - pair->drift * x, m->source == pair->a};
}

tacStatus tacClocksResiduals(const tacStore *store, const tacClocks *clocks, uint32_t pair, size_t limit,
    tacResidual **list, size_t *count, tacError *err) {
    const tacClockPair *which = &clocks->pairs.at[pair];
    Messages messages = {0};
    tacStatus status = collectMessages(store, &messages, err);
    *count = 0;
    *list = status == TAC_OK ? tacAlloc((messages.count + 1) * sizeof **list) : NULL;
    for (size_t i = 0; *list && which->fitted && i < messages.count; i++) {
        const Message *m = &messages.at[i];
        bool ofPair = (m->source == which->a && m->target == which->b)
            || (m->source == which->b && m->target == which->a);
        if (ofPair && isMatched(m)) (*list)[(*count)++] = residualOf(store, clocks, which, m);
    }
    bool sorted = *list && tacSort(*list, *count, sizeof **list, byTime, NULL, NULL);
    size_t n = *count < limit ? *count : limit;
    for (size_t i = 0; sorted && i < n; i++) (*list)[i] = (*list)[(size_t) ((unsigned __int128) i * *count / n)];
    *count = n;
    tacArrayFree(&messages);
    if (sorted) return TAC_OK;
    tacFree(*list);
    *list = NULL;
    return status == TAC_OK ? tacFailMemory(err) : TAC_ERROR;
}
