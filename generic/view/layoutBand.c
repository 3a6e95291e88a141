/*
 * layoutBand.c -- density bands: the states of slices that are too narrow to be seen apart.
 *
 *      summed up by the model (in tiles), or slice by slice -> columns -> wide slices are taken out -> areas
 *
 * A column stands for a stretch of time. It is stacked from the baseline: the height of each part is the share of the
 * column's time that is spent in it. What runs stands lowest, in parts of one colour each (layoutShares.c), in the same
 * order along the whole row; then the other states. Where jobs of a task overlap and spend more than the column's time,
 * all parts are scaled to fit. Columns have no outlines and no gaps, so that they do not look like bars.
 *
 * In a window columns are bins of tiles, one to two pixels wide, whose times stay where they are when the view moves.
 * Parts are drawn as areas from the baseline up, the uppermost one first, each over the one before: so they have no
 * seams, and equal columns beside one another cost nothing.
 */
#include "base/port.h"

#include "model/query.h"
#include "view/layout.h"

#include <math.h>
#include <string.h>

enum {
    WHOLE = 8192,       /* share of a part that fills its column */
    POINTS_MOST = 4000, /* of an area, about */
    GROUND_GAP = 12     /* pixels without anything over which the ground goes on */
};
static const double groupsMore = 2;   /* milliseconds beyond a frame's budget in which groups are summed up coarsely */
static const double wideShare = 1.25; /* columns: slices as long as this may be wide enough for a bar */

/* The states that parts from TAC_BAND_REST on show. */
static const uint8_t partStates[] = {
    TAC_STATE_RUNNING, TAC_STATE_BETWEEN, TAC_STATE_PREEMPTED, TAC_STATE_BLOCKED, TAC_STATE_UNKNOWN};

static bool ofProcessor(const tacFigureRow *row) { return row->kind == TAC_FIGURE_ROW_PROCESSOR; }
static bool ofGroup(const tacFigureRow *row) { return row->kind == TAC_FIGURE_ROW_GROUP; }

/* ---- columns ----------------------------------------------------------------------------------------------------- */

void tacBandColumnAt(const tacScale *scale, double detail, int64_t time, int64_t *from, int64_t *to) {
    uint8_t level = tacTileLevel(TAC_COLUMN_PIXELS * detail / scale->perTick);
    int64_t bin = tacTileBin(time, level);
    *from = tacTileTime(bin, level);
    *to = tacTileTime(bin + 1, level);
}

static int64_t borderOf(const tacBand *c, uint32_t i) {
    if (!c->segment) return tacTileTime(c->view.first + i, c->view.key.level);
    return tacLodBorder(c->segment->from, c->segment->to, c->n, i);
}

static float placeOf(const tacBand *c, uint32_t i) {
    if (c->segment) return (float) (c->segment->x0 + (c->segment->x1 - c->segment->x0) * i / c->n);
    return (float) tacTiledX(&c->d->scale, &c->view, c->view.first + i, 0);
}

/* The bin, of n from `from` to `to`, that a time is in, or the nearest one. */
static uint32_t binOf(int64_t from, int64_t to, uint32_t n, int64_t time) {
    if (time < from) return 0;
    if (time >= to) return n - 1;
    uint32_t i = (uint32_t) (tacTicksBetween(from, time) / tacTicksBetween(from, to) * n);
    i = i < n ? i : n - 1;
    while (i > 0 && tacLodBorder(from, to, n, i) > time) i--;
    while (i + 1 < n && tacLodBorder(from, to, n, i + 1) <= time) i++;
    return i;
}

/* The column that a time is in. */
static uint32_t columnOf(const tacBand *c, int64_t time) {
    if (!c->segment) {
        int64_t bin = tacTileBin(time, c->view.key.level);
        return bin <= c->view.first ? 0 : bin >= c->view.end ? c->n - 1 : (uint32_t) (bin - c->view.first);
    }
    return binOf(borderOf(c, 0), borderOf(c, c->n), c->n, time);
}

/* Bytes of tacBand.touched, which stands behind the bins. */
static size_t touchedSize(uint32_t n) { return ((size_t) n / 64 + 1) * sizeof(uint64_t); }

static bool reserve(tacBand *c) {
    c->bins = tacAlloc(c->n * sizeof *c->bins + touchedSize(c->n));
    if (!c->bins) c->d->display->failed = true;
    return c->bins != NULL;
}

void tacBandClear(tacBand *c) {
    c->touched = (uint64_t *) (void *) (c->bins + c->n);
    memset(c->touched, 0, touchedSize(c->n));
}

/* Prepares a column to be added to. */
static void touch(tacBand *c, uint32_t i) {
    uint64_t *word = &c->touched[i / 64], bit = UINT64_C(1) << i % 64;
    if (!(*word & bit)) c->bins[i] = (tacBandBin){.wide = TAC_NONE, .single = TAC_NONE};
    *word |= bit;
}

static bool hasNothing(const tacBandBin *bin) {
    uint64_t four, any = 0;
    for (size_t k = 0; k < TAC_BAND_ROOM; k += 4) {
        memcpy(&four, bin->parts + k, sizeof four);
        any |= four;
    }
    return !any;
}

static bool isEmpty(const tacBand *c, uint32_t i) {
    return (c->touched && !(c->touched[i / 64] >> i % 64 & 1)) || hasNothing(&c->bins[i]);
}

/* The first column from one on that is not empty; their number: there is none. */
static uint32_t nextFull(const tacBand *c, uint32_t i) {
    for (; i < c->n; i++) {
        if (c->touched) {
            uint64_t left = c->touched[i / 64] >> i % 64;
            i = left ? i + (uint32_t) __builtin_ctzll(left) : i | 63;
            if (!left) continue;
        }
        if (!hasNothing(&c->bins[i])) return i;
    }
    return c->n;
}

bool tacBandTiled(tacDrawing *d, const tacFigureRow *row, tacBand *c) {
    tacTileKey key = {.owner = row->owner, .processor = row->partial ? row->processor : TAC_NO_PROCESSOR};
    key.kind = ofProcessor(row) ? TAC_TILE_RUNS : ofGroup(row) ? TAC_TILE_GROUP : TAC_TILE_BARS;
    *c = (tacBand){.d = d, .row = row, .shares = tacSharesOf(d, row)};
    c->view = tacTiledOf(d, TAC_COLUMN_PIXELS * d->detail, key);
    c->n = (uint32_t) (c->view.end - c->view.first);
    return reserve(c);
}

bool tacBandOf(tacDrawing *d, const tacFigureRow *row, const tacSegment *segment, uint32_t n, tacBand *c) {
    *c = (tacBand){.d = d, .row = row, .shares = tacSharesOf(d, row), .segment = segment, .n = n};
    return reserve(c);
}

void tacBandFree(tacBand *c) { tacFree(c->bins); }

/* ---- from the model ---------------------------------------------------------------------------------------------- */

/* A share of up to UINT16_MAX rounded up, without a call. */
static int roundedUp(double share) {
    uint16_t whole = (uint16_t) share;
    return whole + (share > whole);
}

static uint16_t shareOf(int64_t ticks, double perTick) {
    double share = (double) ticks * perTick;
    if (ticks <= 0) return 0; /* most parts of most columns */
    return share >= UINT16_MAX ? UINT16_MAX : (uint16_t) roundedUp(share);
}

/* Turns the ticks of a bin into shares; what would not fit into a column's 16 bits is scaled. */
static void setParts(const tacShares *shares, const tacBin *from, double ticks, tacBandBin *to) {
    double sum = 0;
    int64_t rest = from->time[TAC_STATE_RUNNING];
    memset(to->parts, 0, sizeof to->parts);
    for (size_t k = 0; k < sizeof partStates; k++) sum += (double) from->time[partStates[k]];
    double most = (UINT16_MAX - TAC_BAND_PARTS) / (double) WHOLE, perTick = WHOLE / fmax(ticks, sum / most);
    for (uint32_t k = 0; k < shares->n; k++) {
        to->parts[k] = shareOf(from->parts[k], perTick);
        rest -= from->parts[k];
    }
    to->parts[TAC_BAND_REST] = shareOf(rest, perTick);
    for (int k = TAC_BAND_BETWEEN; k < TAC_BAND_PARTS; k++)
        to->parts[k] = shareOf(from->time[partStates[k - TAC_BAND_REST]], perTick);
    if (sum <= 0 && from->count > 0) to->parts[shares->of == TAC_SHARE_TASK ? 0 : TAC_BAND_REST] = 1;
}

/* Does one state fill half of a bin? */
static bool isMostly(const tacBin *bin, double ticks) {
    for (int state = 0; state < TAC_STATES; state++)
        if ((double) bin->time[state] >= ticks / 2) return true;
    return false;
}

static const tacSlice *sliceOf(const tacDrawing *d, const tacFigureRow *row, uint32_t index) {
    if (ofProcessor(row)) return tacRunSlice(d->model, d->model->processors[row->owner].runs.at[index]);
    return &d->model->tasks[row->owner].slices.at[index];
}

/* Is the only slice under way at the begin of a bin long? before: the bin before it, or NULL. */
static bool beginsWide(
    const tacDrawing *d, const tacFigureRow *row, const tacBin *before, const tacBin *bin, double ticks) {
    if (ofGroup(row) || bin->count - bin->begun != 1 || (before && !isMostly(before, ticks) && !isMostly(bin, ticks)))
        return false;
    const tacSlice *slice = sliceOf(d, row, bin->first);
    return tacTicksBetween(slice->begin, slice->end) >= wideShare * ticks;
}

tacMember tacMemberOf(const tacModel *model, const tacFigureRows *rows, uint32_t row) {
    const tacFigureRow *shown = &rows->rows.at[row];
    tacMember member = {.from = INT64_MAX, .to = INT64_MIN, .row = row};
    if (shown->kind == TAC_FIGURE_ROW_PROCESSOR) member.from = INT64_MIN, member.to = INT64_MAX;
    if (shown->kind != TAC_FIGURE_ROW_TASK) return member;
    const tacTaskModel *task = &model->tasks[shown->owner];
    if (!task->slices.count) return member;
    member.from = task->slices.at[0].begin;
    member.to = task->slices.at[task->slices.count - 1].begin + task->longest;
    return member;
}

void tacFigureRowBins(
    const tacModel *model, const tacFigureRow *row, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    if (row->kind == TAC_FIGURE_ROW_SERVER) {
        memset(bins, 0, n * sizeof *bins);
        for (uint32_t i = 0; i < n; i++) bins[i].first = TAC_NONE;
    } else if (ofProcessor(row)) tacLodProcessor(model, row->owner, from, to, n, bins);
    else if (row->partial) tacLodPart(model, row->owner, row->processor, from, to, n, bins);
    else tacLodTask(model, row->owner, from, to, n, bins);
}

/* Adds the times of a bin to those of another one. */
static void addTimes(tacBin *to, const tacBin *from, const tacShares *shares) {
    for (int state = 0; state < TAC_STATES; state++) to->time[state] += from->time[state];
    for (uint32_t k = 0; k < shares->n; k++) to->parts[k] += from->parts[k];
    to->count += from->count;
}

enum {
    CROWD = 256,
    CROWD_BINS = 8
}; /* a group of more members is a crowd, of whose tiles so many bins are summed up */

/* Adds a slice to the bins that it touches. */
static void addTicks(const tacDrawing *d, const tacSlice *slice, const tacShares *shares, uint32_t task, int64_t from,
    int64_t to, uint32_t n, tacBin *bins) {
    uint32_t i = binOf(from, to, n, slice->begin);
    int part = slice->state == TAC_STATE_RUNNING ? tacSharePart(d, shares, slice, task) : TAC_BAND_REST;
    int64_t begin = slice->begin > from ? slice->begin : from, border;
    do {
        border = tacLodBorder(from, to, n, i + 1);
        int64_t ticks = (slice->end < border ? slice->end : border) - begin;
        bins[i].time[slice->state] += ticks;
        if (part < TAC_BAND_REST) bins[i].parts[part] += ticks;
        bins[i].count++;
        begin = border;
    } while (++i < n && slice->end > border);
}

/* Adds the slices of a task's row one by one, which is quicker where there are few. False: there are more. */
static bool addFew(const tacDrawing *d, const tacFigureRow *row, const tacShares *shares, int64_t from, int64_t to,
    uint32_t n, tacBin *bins) {
    if (row->kind != TAC_FIGURE_ROW_TASK) return false;
    const tacTaskModel *task = &d->model->tasks[row->owner];
    const tacSlice *slice = task->slices.at + tacQueryFirstSlice(d->model, row->owner, from), *end = slice,
                   *last = task->slices.at + task->slices.count;
    uint32_t most = n / 4 + 1;
    while (end < last && end->begin < to)
        if ((uint32_t) (end++ - slice) == most) return false;
    for (; slice < end; slice++)
        if ((slice->end > from || slice->begin == from) && (!row->partial || slice->processor == row->processor))
            addTicks(d, slice, shares, row->owner, from, to, n, bins);
    return true;
}

/* Adds to bins, TAC_TILE_BINS at most, what a member of the group has in them. */
static void addMember(const tacDrawing *d, const tacMember *member, const tacShares *shares, int64_t from, int64_t to,
    uint32_t n, tacBin *bins) {
    const tacFigureRow *row = &d->rows->rows.at[member->row];
    tacBin some[TAC_TILE_BINS];
    if (addFew(d, row, shares, from, to, n, bins)) return;
    tacFigureRowBins(d->model, row, from, to, n, some);
    tacShareBins(d, row, shares, from, to, n, some);
    for (uint32_t i = 0; i < n; i++) addTimes(&bins[i], &some[i], shares);
}

static bool isBeside(const tacMember *member, int64_t from, int64_t to) {
    return member->from >= to || member->to < from;
}

/* Sums up the members of a group. Of very many, bins are filled some at a time, with what they have together. */
static void sumMembers(
    const tacDrawing *d, const tacShares *shares, int64_t from, int64_t to, uint32_t n, tacBin *bins) {
    uint32_t fine = d->nMembers > CROWD && n > CROWD_BINS ? CROWD_BINS : n;
    memset(bins, 0, n * sizeof *bins);
    for (uint32_t k = 0; k < d->nMembers; k++)
        if (!isBeside(&d->members[k], from, to)) addMember(d, &d->members[k], shares, from, to, fine, bins);
    for (uint32_t i = n; fine < n && i-- > 0;) {
        bins[i] = bins[(uint64_t) i * fine / n];
        for (int state = 0; state < TAC_STATES; state++) bins[i].time[state] = bins[i].time[state] * fine / n;
        for (uint32_t k = 0; k < shares->n; k++) bins[i].parts[k] = bins[i].parts[k] * fine / n;
    }
}

/* Fills n bins of a stretch of time. */
static void fillBins(const tacBand *c, int64_t from, int64_t to, uint32_t n, tacBandBin *out) {
    const tacDrawing *d = c->d;
    const tacFigureRow *row = c->row;
    tacBin bins[TAC_TILE_BINS];
    for (uint32_t done = 0; done < n; done += TAC_TILE_BINS) {
        uint32_t size = n - done < TAC_TILE_BINS ? n - done : TAC_TILE_BINS;
        int64_t first = tacLodBorder(from, to, n, done), end = tacLodBorder(from, to, n, done + size);
        if (ofGroup(row)) sumMembers(d, &c->shares, first, end, size, bins);
        else {
            tacFigureRowBins(d->model, row, first, end, size, bins);
            tacShareBins(d, row, &c->shares, first, end, size, bins);
        }
        double ticks = tacTicksBetween(first, end) / size;
        for (uint32_t i = 0; i < size; i++) {
            bool wide = beginsWide(d, row, i ? &bins[i - 1] : NULL, &bins[i], ticks);
            setParts(&c->shares, &bins[i], ticks, &out[done + i]);
            out[done + i].wide = wide ? bins[i].first : TAC_NONE;
            out[done + i].single = bins[i].count > 1 || ofGroup(row) ? TAC_BAND_MANY : bins[i].first;
        }
    }
}

enum { COARSE = 16 }; /* columns that have together what they have, where there is no time */

/* Fills n coarse bins of a stretch of time. */
static void fillCoarse(const tacBand *c, int64_t from, int64_t to, uint32_t n, tacBandBin *out) {
    fillBins(c, from, to, n, out);
    for (uint32_t i = 0; i < n; i++) {
        out[i].wide = TAC_NONE;
        out[i].single = out[i].single == TAC_NONE ? TAC_NONE : TAC_BAND_MANY;
    }
}

/* Fills all columns coarsely. */
static void fillQuickly(tacBand *c) {
    for (int64_t at = c->view.first; at < c->view.end; at += COARSE) {
        int64_t end = at + COARSE < c->view.end ? at + COARSE : c->view.end;
        tacBandBin *bins = c->bins + (at - c->view.first);
        fillCoarse(c, tacTileTime(at, c->view.key.level), tacTileTime(end, c->view.key.level), 1, bins);
        for (int64_t k = 1; k < end - at; k++) bins[k] = *bins;
    }
}

/* The bins of a tile of the band at another level, from one of them on; NULL: there is none. */
static const tacBandBin *binAt(const tacBand *c, int level, int64_t bin) {
    tacTileKey key = c->view.key;
    key.level = (uint8_t) level;
    key.index = bin >> TAC_TILE_SHIFT;
    const tacBandBin *bins = tacTilesFind(c->d->tiles, &key);
    return bins ? bins + (bin & (TAC_TILE_BINS - 1)) : NULL;
}

/* What two columns have together. */
static tacBandBin joinedBins(const tacBandBin *a, const tacBandBin *b) {
    tacBandBin joined = *a;
    for (int k = 0; k < TAC_BAND_PARTS; k++) joined.parts[k] = (uint16_t) ((a->parts[k] + b->parts[k] + 1) / 2);
    joined.single = a->single == TAC_NONE ? b->single : TAC_BAND_MANY;
    joined.wide = TAC_NONE;
    return joined;
}

/* Fills columns with what other zooms of the same view have there, as far as they have it. False: there is nothing. */
static bool borrow(tacBand *c, int64_t from, int64_t to) {
    enum { COARSER = 3 };
    int level = c->view.key.level;
    bool found = false;
    for (int64_t at = from; at < to; at++) {
        tacBandBin *out = &c->bins[at - c->view.first];
        const tacBandBin *one = level ? binAt(c, level - 1, 2 * at) : NULL,
                         *other = one ? binAt(c, level - 1, 2 * at + 1) : NULL;
        for (int k = 1; k <= COARSER && !other; k++) one = other = binAt(c, level + k, at >> k);
        if (other && one != other) *out = joinedBins(one, other);
        else if (other) *out = *other, out->wide = TAC_NONE;
        else *out = (tacBandBin){.wide = TAC_NONE, .single = TAC_NONE};
        found |= other != NULL;
    }
    return found;
}

/* The coarse bins of the tile for which there was no time. They are kept, so that they cost once what they cost: else
 * frames that are late would sum them up instead of the tile. What a group has even so takes long where many groups are
 * seen: NULL if there is no time for that, either. */
static const tacBandBin *coarseTile(tacBand *c) {
    enum { BINS = TAC_TILE_BINS / COARSE };
    tacTileKey key = c->view.key;
    key.kind |= TAC_TILE_COARSE;
    tacBandBin *bins = tacTilesFind(c->d->tiles, &key);
    if (bins || (ofGroup(c->row) && tacLayoutClock() >= c->d->until + groupsMore)) return bins;
    bins = tacTilesAdd(c->d->tiles, &key, tacTileSize(BINS * sizeof *bins));
    c->d->display->failed |= !bins;
    int64_t first = key.index * TAC_TILE_BINS;
    if (bins) fillCoarse(c, tacTileTime(first, key.level), tacTileTime(first + TAC_TILE_BINS, key.level), BINS, bins);
    return bins;
}

/* Fills the columns of bins [from, to) of the tile for which there was no time; without coarse ones they stay empty
 * until the next frame. */
static void fillLate(tacBand *c, int64_t from, int64_t to) {
    if (ofGroup(c->row) && borrow(c, from, to)) return;
    static const tacBandBin none = {.wide = TAC_NONE, .single = TAC_NONE};
    const tacBandBin *bins = coarseTile(c);
    tacBandBin *out = c->bins + (from - c->view.first);
    for (int64_t at = from; at < to; at++) *out++ = bins ? bins[(at & (TAC_TILE_BINS - 1)) / COARSE] : none;
}

/* ---- crowds in a window ---- */

/* A tile of a crowd. It may have the sums of the first members only, since there was no time for more. */
typedef struct CrowdTile {
    uint32_t next; /* member */
    tacBin sums[CROWD_BINS];
} CrowdTile;

/* Adds to a tile the members from its next one on, as far as there is time. */
static void sumCrowd(const tacBand *c, const tacTileKey *key, CrowdTile *tile) {
    enum {
        STEP = 8192,
        SUMMED = 256
    }; /* members looked at between two looks at the clock; one that is summed up
          counts as many */
    tacDrawing *d = c->d;
    int64_t first = key->index * TAC_TILE_BINS, from = tacTileTime(first, key->level),
            to = tacTileTime(first + TAC_TILE_BINS, key->level);
    for (uint32_t looked = 0; tile->next < d->nMembers; tile->next++) {
        const tacMember *member = &d->members[tile->next];
        bool beside = isBeside(member, from, to);
        looked += beside ? 1 : c->shares.of > TAC_SHARE_TASK ? SUMMED * (1 + c->shares.n) : SUMMED;
        if (looked > STEP) {
            if (tacLayoutLate(d)) return;
            looked = 0;
        }
        if (beside) continue;
        if (!tacSharesReady(d, &d->rows->rows.at[member->row], &c->shares)) return;
        addMember(d, member, &c->shares, from, to, CROWD_BINS, tile->sums);
    }
}

/* Sets the columns of bins [from, to) of a tile. */
static void setCrowd(const tacBand *c, const CrowdTile *tile, int from, int to, tacBandBin *out) {
    const int each = TAC_TILE_BINS / CROWD_BINS;
    double ticks = ldexp(1, c->view.key.level);
    for (int i = from; i < to; i++, out++) {
        if (i > from && i % each) {
            *out = out[-1];
            continue;
        }
        tacBin bin = tile->sums[i / each];
        for (int state = 0; state < TAC_STATES; state++) bin.time[state] /= each;
        for (uint32_t k = 0; k < c->shares.n; k++) bin.parts[k] /= each;
        setParts(&c->shares, &bin, ticks, out);
        out->wide = TAC_NONE;
        out->single = TAC_BAND_MANY;
    }
}

static void fillCrowd(tacBand *c) {
    for (int64_t at = c->view.first; at < c->view.end;) {
        int from, to;
        bool fresh;
        tacBandBin *out = c->bins + (at - c->view.first);
        CrowdTile *tile = tacTiledNext(c->d, &c->view, &at, tacTileSize(sizeof *tile), &from, &to, &fresh);
        if (tile && fresh) memset(tile, 0, sizeof *tile);
        if (tile) {
            sumCrowd(c, &c->view.key, tile);
            setCrowd(c, tile, from, to, out);
        } else memset(out, 0, (size_t) (to - from) * sizeof *out);
    }
}

void tacBandFill(tacBand *c) {
    if (ofGroup(c->row) && c->d->nMembers > CROWD && !c->segment) {
        fillCrowd(c);
        return;
    }
    if (!tacSharesReady(c->d, c->row, &c->shares)) { /* drawn again soon */
        c->shares = (tacShares){.of = TAC_SHARE_NONE};
        if (c->segment) tacBandClear(c); /* there was no memory */
        else fillQuickly(c);
        return;
    }
    if (c->segment) {
        fillBins(c, c->segment->from, c->segment->to, c->n, c->bins);
        return;
    }
    for (int64_t at = c->view.first; at < c->view.end;) {
        int from, to;
        bool fresh;
        tacBandBin *bins = tacTiledNext(c->d, &c->view, &at, sizeof *bins, &from, &to, &fresh);
        if (!bins) fillLate(c, at - (to - from), at);
        if (!bins) continue;
        if (fresh) {
            int64_t first = c->view.key.index * TAC_TILE_BINS;
            fillBins(c, tacTileTime(first, c->view.key.level), tacTileTime(first + TAC_TILE_BINS, c->view.key.level),
                TAC_TILE_BINS, bins);
            c->d->filled += (c->shares.of > TAC_SHARE_TASK ? c->shares.n : 0) + (ofGroup(c->row) ? c->d->nMembers : 0);
        }
        memcpy(c->bins + (at - (to - from) - c->view.first), bins + from, (size_t) (to - from) * sizeof *bins);
    }
}

/* ---- slice by slice ---------------------------------------------------------------------------------------------- */

/* The part that a slice belongs to. */
static int partOf(const tacBand *c, const tacSlice *slice, uint32_t task) {
    int part = TAC_BAND_REST;
    if (slice->state == TAC_STATE_RUNNING) return tacSharePart(c->d, &c->shares, slice, task);
    while (partStates[part - TAC_BAND_REST] != slice->state && part + 1 < TAC_BAND_PARTS) part++;
    return part;
}

/* Adds a slice to the columns, or takes it out of them. */
static void addSlice(tacBand *c, const tacSlice *slice, uint32_t task, bool out) {
    int part = partOf(c, slice, task);
    uint32_t first = columnOf(c, slice->begin), last = columnOf(c, slice->end);
    int64_t from, to = borderOf(c, first);
    for (uint32_t i = first; i <= last; i++) {
        from = to, to = borderOf(c, i + 1);
        int64_t begin = slice->begin > from ? slice->begin : from, end = slice->end < to ? slice->end : to;
        if (c->touched) touch(c, i);
        uint16_t *at = &c->bins[i].parts[part];
        if (end < begin || (end == begin && slice->begin != slice->end) || to <= from) continue;
        double share = WHOLE;
        if (begin != from || end != to) share = tacTicksBetween(begin, end) / tacTicksBetween(from, to) * WHOLE;
        if (out) {
            int rest = *at - roundedUp(share) - 1;
            *at = (uint16_t) (rest > 0 ? rest : 0);
        } else *at = (uint16_t) fmin(*at + (end == begin ? 1 : share), UINT16_MAX);
    }
}

void tacBandAdd(tacBand *c, const tacSlice *slice, uint32_t task, uint32_t index) {
    uint32_t last = columnOf(c, slice->end > slice->begin ? slice->end - 1 : slice->end);
    addSlice(c, slice, task, false);
    for (uint32_t i = columnOf(c, slice->begin); i <= last; i++) {
        uint32_t *single = &c->bins[i].single;
        /* Instants at one place are one line: that of one that runs, if any does. */
        bool alike = slice->begin == slice->end && *single != TAC_NONE;
        if (!alike) *single = *single == TAC_NONE ? index : TAC_BAND_MANY;
        else if (*single != TAC_BAND_MANY && slice->state == TAC_STATE_RUNNING) *single = index;
    }
}

void tacBandTakeWide(tacBand *c, double least, tacWideProc *draw, void *data) {
    uint32_t before = TAC_NONE;
    for (uint32_t i = 0; i < c->n && !c->touched; i++) {
        uint32_t index = c->bins[i].wide;
        if (index == TAC_NONE || index == before) continue;
        const tacSlice *slice = sliceOf(c->d, c->row, index);
        before = index;
        if (tacTicksBetween(slice->begin, slice->end) * c->d->scale.perTick < least) continue;
        addSlice(c, slice, ofProcessor(c->row) ? c->d->model->processors[c->row->owner].runs.at[index].task : 0, true);
        draw(data, slice, index);
    }
}

/* Columns side by side that are not empty, with sums over all islands before them. */
typedef struct Island {
    uint32_t from, end; /* columns */
    uint32_t index;     /* the only slice in it, or TAC_BAND_MANY */
    uint32_t crowded;   /* islands of several slices */
    float gaps; /* points between islands, up to this one; large ones count as `clear` times what is asked for */
    float gap;  /* points between the island before and this one */
} Island;

static const float clear = 2;

/* Finds the islands; returns how many there are. */
static size_t findIslands(const tacBand *c, float gap, Island *islands) {
    Island *island = islands;
    float right = -INFINITY;
    for (uint32_t i = nextFull(c, 0), end; i < c->n; i = nextFull(c, end)) {
        uint32_t index = c->bins[i].single;
        for (end = i + 1; end < c->n && !isEmpty(c, end); end++)
            index = c->bins[end].single == index ? index : TAC_BAND_MANY;
        *island = (Island){.from = i, .end = end, .index = index, .gap = placeOf(c, i) - right};
        if (island > islands) {
            float counted = island->gap < clear * gap ? island->gap : clear * gap;
            island->crowded = island[-1].crowded + (island[-1].index >= TAC_BAND_MANY);
            island->gaps = island[-1].gaps + counted;
        }
        island++;
        right = placeOf(c, end);
    }
    return (size_t) (island - islands);
}

/*
 * Is an island among n a single slice, in a neighbourhood of such whose mean distance is at least this gap? All islands
 * there are asked alike, so that a stretch of a row is bars or columns and does not alternate where distances are near
 * the gap.
 */
static bool standsAlone(const Island *islands, size_t n, size_t i, float gap) {
    enum { BESIDE = 4 }; /* islands on either side that count */
    const float far = 8 * gap;
    size_t first = i, last = i;
    if (islands[i].index >= TAC_BAND_MANY || islands[i].gap < gap / 3) return false;
    if (i + 1 < n && islands[i + 1].gap < gap / 3) return false;
    while (first > 0 && i - first < BESIDE && islands[first].gap < far) first--;
    while (last + 1 < n && last - i < BESIDE && islands[last + 1].gap < far) last++;
    size_t between = last - first;
    uint32_t crowded = islands[last].crowded - islands[first].crowded + (islands[last].index >= TAC_BAND_MANY);
    return islands[last].gaps - islands[first].gaps >= (float) between * gap && 4 * crowded <= between + 1;
}

/* In a file: is an island of several slices no wider than two lines, and nothing near it? Its states would be a shade
 * that nobody sees. */
static bool isSpeck(const tacBand *c, const Island *islands, size_t n, size_t i, float gap) {
    const Island *island = &islands[i];
    if (!c->segment || c->row->lanes > 1) return false;
    float width = placeOf(c, island->end) - placeOf(c, island->from);
    bool narrow = width <= 2 * c->d->style.line || island->end - island->from <= 2;
    bool near = island->gap < gap || (i + 1 < n && islands[i + 1].gap < gap);
    return narrow && !near;
}

/* The slice that stands for an island of several: the longest that runs, else the longest. Of very many the first are
 * looked at. TAC_NONE: none is shown. */
static uint32_t chiefOf(const tacBand *c, const Island *island) {
    enum { LOOKED = 256 };
    const tacDrawing *d = c->d;
    const tacFigureRow *row = c->row;
    bool runs = ofProcessor(row);
    int64_t from = borderOf(c, island->from), to = borderOf(c, island->end);
    size_t n = runs ? d->model->processors[row->owner].runs.count : d->model->tasks[row->owner].slices.count;
    uint32_t chief = TAC_NONE, i = (runs ? tacQueryFirstRun : tacQueryFirstSlice)(d->model, row->owner, from);
    double longest = -1;
    for (uint32_t looked = 0; i < n && looked < LOOKED && sliceOf(d, row, i)->begin <= to; i++, looked++) {
        const tacSlice *slice = sliceOf(d, row, i);
        uint32_t task = runs ? d->model->processors[row->owner].runs.at[i].task : row->owner;
        if (slice->begin < from || slice->end > to) continue; /* it is wide, and not in the island */
        if ((row->partial && slice->processor != row->processor) || tacJobIndexHidden(d, slice->job)
            || (d->tasksHidden && d->tasksHidden[task]))
            continue;
        double length = tacTicksBetween(slice->begin, slice->end);
        if (slice->state == TAC_STATE_RUNNING) length += tacTicksBetween(from, to) + 1; /* before all others */
        if (length > longest) longest = length, chief = i;
    }
    return chief;
}

void tacBandTakeLone(tacBand *c, double gap, tacWideProc *draw, void *data) {
    Island *islands = tacAlloc(((size_t) c->n / 2 + 1) * sizeof *islands);
    if (!islands) {
        c->d->display->failed = true;
        return;
    }
    size_t n = findIslands(c, (float) gap, islands);
    for (size_t i = 0; i < n; i++) {
        const Island *island = &islands[i];
        uint32_t index = island->index;
        if (index >= TAC_BAND_MANY) index = isSpeck(c, islands, n, i, (float) gap) ? chiefOf(c, island) : TAC_NONE;
        else if (!standsAlone(islands, n, i, (float) gap)) index = TAC_NONE;
        if (index == TAC_NONE) continue;
        for (uint32_t k = island->from; k < island->end; k++) memset(c->bins[k].parts, 0, sizeof c->bins[k].parts);
        draw(data, sliceOf(c->d, c->row, index), index);
    }
    tacFree(islands);
}

/* ---- areas ------------------------------------------------------------------------------------------------------- */

uint32_t tacBandColor(const tacDrawing *d, tacJobState state) {
    const tacStyle *style = &d->style;
    bool gray = style->grayscale; /* levels in even steps, from the paper to what runs (layoutShares.c) */
    uint32_t color = style->preempted, other = tacColorMix(style->paper, style->ink, gray ? 0.1 : 0.14);
    if (state == TAC_STATE_BLOCKED)
        color = style->blocked, other = tacColorMix(style->paper, gray ? style->ink : 0xD98E04, gray ? 0.38 : 0.42);
    if (state == TAC_STATE_UNKNOWN)
        color = style->unknown, other = tacColorMix(style->paper, gray ? style->ink : 0x8465B0, gray ? 0.24 : 0.3);
    if (state == TAC_STATE_BETWEEN) color = style->between;
    double contrast = fabs(tacColorLightness(color) - tacColorLightness(style->paper));
    return contrast >= 0.08 ? color : other; /* a bar has an outline, which a band has not */
}

/* Notes for the legend the colour of what runs in a group, or has another colour than bars. */
static void noteGroupColor(tacDrawing *d, uint32_t color) {
    int i = 0;
    while (i < d->nGroupColors && d->groupColors[i] != color) i++;
    if (i == d->nGroupColors && i < TAC_LEGEND_COLORS) d->groupColors[d->nGroupColors++] = color;
}

/* Notes for the legend what a part of this colour shows. */
static void notePart(const tacBand *c, int part, uint32_t color) {
    static const uint32_t seen[] = {
        TAC_SEEN_ACTIVE, TAC_SEEN_BETWEEN, TAC_SEEN_PREEMPTED, TAC_SEEN_BLOCKED, TAC_SEEN_UNKNOWN};
    tacDrawing *d = c->d;
    const tacFigureRow *row = c->row;
    uint32_t state = part < TAC_BAND_REST ? TAC_SEEN_ACTIVE : seen[part - TAC_BAND_REST], task = row->owner;
    if (part > TAC_BAND_REST && !ofProcessor(row)) d->seenInBands |= state;
    if (ofGroup(row)) {
        d->seen |= state;
        if (part <= TAC_BAND_REST) noteGroupColor(d, color);
        return;
    }
    if (c->shares.of == TAC_SHARE_TASK && part < TAC_BAND_REST) task = c->shares.values[part];
    else if (ofProcessor(row)) task = TAC_NONE;
    bool isr = task != TAC_NONE && !ofProcessor(row) && d->store->objects[TAC_TASK].at[task].isr;
    d->seen |= isr && part <= TAC_BAND_REST ? TAC_SEEN_ISR : state;
    if (task != TAC_NONE) d->tasksSeen[task] |= TAC_IN_BANDS;
    bool darker = d->style.grayscale || (task != TAC_NONE && tacRowColor(d, row, task) == d->style.active);
    if (darker && state == TAC_SEEN_ACTIVE && !isr && !ofProcessor(row) && !c->shares.n)
        noteGroupColor(d, color); /* another one than bars have */
}

/* An area that is being drawn: pieces with a common baseline; between two stands a point that is none. */
typedef struct Area {
    tacDrawing *d;
    uint32_t first; /* of its points in the display */
    float x0, x1;   /* edges of all */
} Area;

static void flushArea(Area *a, const tacFigureRow *row, float top, float bottom, uint32_t color) {
    uint32_t count = (uint32_t) a->d->display->points.count - a->first;
    tacItem *item = count ? tacDisplayAdd(a->d->display, TAC_ITEM_PATH, TAC_LAYER_BARS) : NULL;
    if (item) {
        item->band = 1;
        item->refKind = TAC_REF_BAND;
        item->owner = row->owner;
        item->index = ofGroup(row) ? TAC_BAND_GROUP
            : ofProcessor(row)     ? TAC_BAND_PROCESSOR
            : row->partial         ? row->processor
                                   : TAC_NO_PROCESSOR;
        item->first = a->first;
        item->count = count;
        item->fill = color;
        item->x0 = a->x0, item->y0 = top, item->x1 = a->x1, item->y1 = bottom;
    }
    a->first += count;
}

/* Columns being drawn, in steps: each is a column, or all empty ones side by side, which are most where few slices are
 * narrow. */
typedef struct Steps {
    const tacBand *c;
    float top, bottom;
    uint32_t n;
    uint32_t *columns; /* by step: its first column */
    float *places;     /* of the steps' borders, one more than steps */
    float *sums;       /* by step: share of the height up to the part being drawn */
    int32_t *below;    /* by step: sum of the parts up to that one */
    float *tops;       /* by step: y of its upper edge */
    uint32_t used;     /* bits of the parts that there are */
    uint32_t lasting;  /* and of those that take time: sums do not tell the outcomes of instants */
} Steps;

/* Finds the upper edges of all steps; quantum: what heights are multiples of, or 0. */
static void findTops(const Steps *s, float quantum) {
    const float *sums = s->sums, bottom = s->bottom, height = bottom - s->top;
    float *tops = s->tops;
    uint32_t n = s->n;
    if (quantum > 0)
        for (uint32_t i = 0; i < n; i++) {
            float high = sums[i] * height;
            tops[i] = bottom - (high > 0 ? fmaxf(roundf(high / quantum), 1) * quantum : 0);
        }
    else
        for (uint32_t i = 0; i < n; i++) tops[i] = bottom - sums[i] * height;
}

/* Takes a part off all steps. */
static void takeOff(const Steps *s, int part) {
    const tacBandBin *bins = s->c->bins;
    const uint32_t *columns = s->columns;
    float *sums = s->sums;
    int32_t *below = s->below;
    uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) {
        int32_t sum = below[i], rest = sum ? sum - bins[columns[i]].parts[part] : 0;
        if (rest == sum) continue;
        sums[i] = sums[i] * (float) rest / (float) sum;
        below[i] = rest;
    }
}

/*
 * Adds the points of a piece that begins at step i, in which there is something: of each step its begin, and in a file,
 * where points are joined by lines, its corners. Returns the step behind it. It has at most POINTS_MOST points and
 * three more; there is room for them.
 */
static uint32_t addPiece(const Steps *s, Area *a, uint32_t i) {
    const float *places = s->places, *tops = s->tops;
    const bool corners = !a->d->tiles;
    const uint32_t most = POINTS_MOST / (corners ? 2 : 1), end = s->n - i < most ? s->n : i + most;
    float bottom = s->bottom, y = bottom;
    tacDisplay *display = a->d->display;
    tacPoint *next = display->points.at + display->points.count;
    if (display->points.count > a->first) *next++ = (tacPoint){NAN, NAN};
    else a->x0 = places[i];
    for (; i < end && tops[i] < bottom; i++) {
        if (tops[i] == y) continue;
        if (corners) *next++ = (tacPoint){places[i], y};
        *next++ = (tacPoint){places[i], y = tops[i]};
    }
    a->x1 = places[i];
    if (corners) *next++ = (tacPoint){a->x1, y};
    *next++ = (tacPoint){a->x1, bottom};
    display->points.count = (size_t) (next - display->points.at);
    return i;
}

/* Draws one part over what is above it, and takes it off the steps. */
static void drawPart(const Steps *s, int part) {
    enum { STEP_POINTS = 5 }; /* most that a step adds */
    const tacBand *c = s->c;
    tacDrawing *d = c->d;
    const tacFigureRow *row = c->row;
    uint32_t seen = d->seen, inBands = d->seenInBands;
    uint32_t color = part <= TAC_BAND_REST ? tacShareColor(d, row, &c->shares, part)
                                           : tacBandColor(d, (tacJobState) partStates[part - TAC_BAND_REST]);
    if (c->shares.of == TAC_SHARE_OUTCOME && !(s->lasting >> part & 1)) d->seen = seen, d->seenInBands = inBands;
    notePart(c, part, color);
    if (!tacArrayReserve(&d->display->points, STEP_POINTS * ((size_t) s->n + 1))) {
        d->display->failed = true;
        return;
    }
    Area area = {.d = d, .first = (uint32_t) d->display->points.count};
    findTops(s, d->tiles ? 0 : (float) d->detail);
    for (uint32_t i = 0; i < s->n;) {
        if (!(s->tops[i] < s->bottom)) {
            i++;
            continue;
        }
        i = addPiece(s, &area, i);
        if (d->display->points.count - area.first >= POINTS_MOST) flushArea(&area, row, s->top, s->bottom, color);
    }
    flushArea(&area, row, s->top, s->bottom, color);
    if (s->used & ((1u << part) - 1)) takeOff(s, part);
}

/* Draws the ground of the columns, by which their heights can be read: over gaps of a few pixels, too. */
static void drawGround(const Steps *s) {
    tacDrawing *d = s->c->d;
    uint32_t fill = tacColorMix(d->style.paper, d->style.ink, 0.035);
    float gap = GROUND_GAP * (d->tiles ? (float) d->detail : 1 / 3.0f);
    const float *sums = s->sums;
    uint32_t n = s->n;
    for (uint32_t i = 0, end; i < n; i = end) {
        end = i + 1;
        if (sums[i] <= 0) continue;
        while (end < n && sums[end] > 0) end++;
        for (uint32_t k = end; k < n && s->places[k] - s->places[end] < gap; k++)
            if (sums[k] > 0) end = k + 1;
        tacAddRect(d, TAC_LAYER_BACK, s->places[i], s->top, s->places[end], s->bottom, fill, tacNoRef);
    }
}

typedef uint32_t Pairs __attribute__((vector_size(16))); /* eight parts, two by two */

/* Sums up the parts of a column, and notes which there are. */
static int32_t sumParts(const tacBandBin *bin, Pairs used[2]) {
    Pairs low, high;
    memcpy(&low, bin->parts, sizeof low);
    memcpy(&high, bin->parts + TAC_BAND_ROOM / 2, sizeof high);
    used[0] |= low, used[1] |= high;
    low = (low & 0xFFFF) + (low >> 16) + (high & 0xFFFF) + (high >> 16);
    uint64_t sums[2], both; /* of two and two of them */
    memcpy(sums, &low, sizeof sums);
    both = sums[0] + sums[1];
    return (int32_t) ((uint32_t) both + (uint32_t) (both >> 32));
}

/* Finds the borders of all steps. Of columns in tiles only the first and the last may lie beyond the plot. */
static void placeSteps(const Steps *s) {
    const tacBand *c = s->c;
    const uint32_t n = s->n, *columns = s->columns;
    const double x = c->view.x, width = c->view.width;
    float *places = s->places;
    if (c->segment)
        for (uint32_t i = 1; i < n; i++) places[i] = placeOf(c, columns[i]);
    else
        for (uint32_t i = 1; i < n; i++) places[i] = (float) (x + (int32_t) columns[i] * width);
    if (n) places[0] = placeOf(c, columns[0]);
    places[n] = placeOf(c, c->n);
}

/* Finds the steps, and their places, heights and parts. The lowest has a pixel. */
static void measureSteps(Steps *s) {
    const tacBand *c = s->c;
    /* Points: a line of paper that is seen; of a group, where lone short slices are not bars, a mark. */
    const float printed = ofGroup(c->row) ? 1 : 0.35f;
    const float least = (c->d->tiles ? (float) c->d->detail : printed) / (s->bottom - s->top);
    float *sums = s->sums, *places = s->places;
    int32_t *below = s->below;
    uint32_t n = 0, *columns = s->columns;
    Pairs used[2] = {{0}, {0}};
    for (uint32_t i = 0; i < c->n;) {
        bool empty = c->touched && isEmpty(c, i);
        columns[n] = i;
        below[n] = empty ? 0 : sumParts(&c->bins[i], used);
        i = below[n++] ? i + 1 : nextFull(c, i + 1);
    }
    s->n = n;
    placeSteps(s);
    for (uint32_t i = 0; i < n; i++) {
        float share = (float) (below[i] < WHOLE ? below[i] : WHOLE) / WHOLE;
        share = share > least ? share : least;
        sums[i] = below[i] > 0 && places[i + 1] > places[i] ? share : 0;
    }
    for (int part = 0; part < TAC_BAND_PARTS; part++) {
        uint16_t any; /* the shares of all columns, ored */
        memcpy(&any, (const char *) used + 2 * part, sizeof any);
        s->used |= (uint32_t) (any > 0) << part;
        s->lasting |= (uint32_t) (any > 1) << part;
    }
}

void tacBandDraw(const tacBand *c, float top, float bottom) {
    float *numbers = tacAlloc((3 * (size_t) c->n + 1) * sizeof *numbers);
    int32_t *below = tacAlloc(((size_t) c->n + 1) * sizeof *below);
    uint32_t *columns = tacAlloc(((size_t) c->n + 1) * sizeof *columns);
    if (numbers && below && columns) {
        Steps s = {.c = c,
            .top = top,
            .bottom = bottom,
            .columns = columns,
            .places = numbers,
            .sums = numbers + c->n + 1,
            .tops = numbers + 2 * (size_t) c->n + 1,
            .below = below};
        measureSteps(&s);
        drawGround(&s);
        for (int part = TAC_BAND_PARTS - 1; part >= 0; part--)
            if (s.used >> part & 1) drawPart(&s, part);
    } else c->d->display->failed = true;
    tacFree(numbers);
    tacFree(below);
    tacFree(columns);
}

void tacBandDrawGroup(tacDrawing *d, const tacFigureRow *row) {
    bool tiled = d->tiles && d->scale.nSegments == 1;
    for (int i = 0; i < (tiled ? 1 : d->scale.nSegments); i++) {
        const tacSegment *segment = &d->scale.segments[i];
        double ticks = tacTicksBetween(segment->from, segment->to);
        uint32_t most = (tacBandColumns(d, segment) + 1) / 2; /* each as wide as a line */
        uint32_t n = ticks < most && ticks >= 1 ? (uint32_t) ticks : most;
        tacBand columns;
        if (tiled ? tacBandTiled(d, row, &columns) : tacBandOf(d, row, segment, n, &columns)) {
            tacBandFill(&columns);
            tacBandDraw(&columns, row->bar, row->bottom);
        }
        tacBandFree(&columns);
    }
}
