/*
 * frames.c -- how long a frame takes: lays a window out and paints it into an image, in the ways a user moves about.
 *
 *      frames TRACE ?WIDTH HEIGHT? ?-r ROWS? ?-c grasp|rtsched? ?-p auto|expanded|collapsed|none? ?-n FRAMES? ?-o
 *      ONLY? ?-b BUDGET? ?-w PNG? ?-l? ?-s ORDER? ?-g GROUPS? ?-f?
 *
 * WIDTH x HEIGHT pixels (1920 1080) at 96 dots an inch; ROWS (64) rows are made to fit into the height. One line for
 * each way of moving (those that contain ONLY): median, 99th of a hundred and longest time of a frame's layout, of its
 * painting, of both (milliseconds of CPU time), and the items of a frame. The first line is the first frame after
 * opening; `cold` frames find nothing summed up, as the first one at another zoom does; `colours` are those after a
 * change between outcomes, processors and tasks, placing of rows included. `pointer` moves find the column of a folded
 * group; `sort by ...` and what follows are the longest steps of what is done with all rows. Without Tk: putting the
 * picture on the screen is not in it. -b: milliseconds for summing up in a frame; -w: writes the first frame; -l:
 * without painting; -s: order in which rows are listed; -g: what they are grouped by; -f: folds all groups.
 */
#include "base/port.h"

#include "base/mem.h"
#include "open/open.h"
#include "view/export.h"
#include "view/paint.h"
#include "view/windowPart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 100000 };

typedef struct Bench {
    tacTrace *trace;
    tacWindow window;
    tacFrame frame;
    tacFigure figure;
    tacMeasure measure;
    tacShaper *shaper;
    cairo_surface_t *surface;
    cairo_t *cr;
    int64_t begin, end; /* of what there is to see */
    double pixels;      /* a point */
    float scroll;
    const char *only;
    const char *picture; /* file for the first frame, or NULL */
    bool layoutOnly, folded;
    double budget; /* milliseconds, or 0 */
    uint64_t random;
    int n, frames;
    double layout[MOST], paint[MOST], total[MOST];
    size_t items;
} Bench;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double) t.tv_sec * 1e3 + (double) t.tv_nsec / 1e6;
}

static void die(const tacError *err) {
    fprintf(stderr, "frames: %s\n", err->message);
    exit(1);
}

static void paintPart(Bench *b, tacPart part) {
    const tacBox *box = &b->frame.boxes[part];
    tacError err = {0};
    tacPaintOptions options = {.shaper = b->shaper, .pixels = b->pixels, .clip = *box, .screen = true};
    if (box->y1 <= box->y0) return;
    cairo_save(b->cr);
    double x0 = round(box->x0 * b->pixels), y0 = round(box->y0 * b->pixels), x1 = round(box->x1 * b->pixels),
           y1 = round(box->y1 * b->pixels);
    cairo_identity_matrix(b->cr);
    cairo_rectangle(b->cr, x0, y0, x1 - x0, y1 - y0);
    cairo_clip(b->cr);
    cairo_scale(b->cr, b->pixels, b->pixels);
    if (tacPaint(&b->frame.parts[part], b->cr, &options, &err) != TAC_OK) die(&err);
    cairo_restore(b->cr);
}

static void place(Bench *b) {
    tacError err = {0};
    if (tacWindowPlace(&b->window, &b->figure, &b->measure, &err) != TAC_OK) die(&err);
}

static void drawFrame(Bench *b, bool placed) {
    tacError err = {0};
    double t0 = now();
    if (!placed) place(b);
    if (tacWindowDraw(&b->window, &b->figure, &b->measure, b->scroll, &b->frame, &err) != TAC_OK) die(&err);
    double t1 = now();
    cairo_set_source_rgb(b->cr, 1, 1, 1);
    cairo_paint(b->cr);
    for (int part = 0; part < TAC_PARTS && !b->layoutOnly; part++) paintPart(b, (tacPart) part);
    cairo_surface_flush(b->surface);
    double t2 = now();
    if (b->n < MOST) {
        b->layout[b->n] = t1 - t0, b->paint[b->n] = t2 - t1, b->total[b->n] = t2 - t0;
        b->n++;
    }
    for (int part = 0; part < TAC_PARTS; part++) b->items += b->frame.parts[part].items.count;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *) left, b = *(const double *) right;
    return a < b ? -1 : a > b;
}

static void addTimes(const char *name, double *times, int n) {
    qsort(times, (size_t) n, sizeof *times, compare);
    printf("  %s %6.2f %6.2f %6.2f", name, times[n / 2], times[n * 99 / 100], times[n - 1]);
}

static void report(Bench *b, const char *name) {
    printf("%-34s", name);
    addTimes("layout", b->layout, b->n);
    addTimes("paint", b->paint, b->n);
    addTimes("both", b->total, b->n);
    printf("  items %zu\n", b->items / (size_t) b->n);
    fflush(stdout);
    b->n = 0;
    b->items = 0;
}

/* The view: `share` of the whole, beginning at `place` (0 .. 1) of what is left. */
static void setView(Bench *b, double share, double place) {
    double span = (double) (b->end - b->begin), width = fmax(span * share, 10);
    b->figure.from = b->begin + (int64_t) ((span - width) * place);
    b->figure.to = b->figure.from + (int64_t) width;
}

static double nextRandom(Bench *b) {
    b->random = b->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double) (b->random >> 11) / 9007199254740992.0;
}

static void panBy(Bench *b, double pixels) {
    double ticks = pixels / b->pixels / b->frame.scale.perTick;
    int64_t by = (int64_t) fmax(ticks, 1);
    if (b->figure.to + by > b->end) by = b->begin - b->figure.from;
    b->figure.from += by, b->figure.to += by;
}

static const struct Zoom {
    const char *name;
    double share;
} zooms[] = {
    {"100 %", 1},
    {"40 %", 0.4},
    {"30 %", 0.3},
    {"20 %", 0.2},
    {"10 %", 0.1},
    {"3 %", 0.03},
    {"1 %", 0.01},
    {"0.3 %", 0.003},
    {"0.1 %", 0.001},
    {"0.01 %", 0.0001},
};
enum { ZOOMS = sizeof zooms / sizeof *zooms };

static bool isWanted(const Bench *b, const char *label) { return !b->only || strstr(label, b->only); }

static void runJumps(Bench *b, const struct Zoom *zoom, const char *label) {
    if (!isWanted(b, label)) return;
    for (int i = 0; i < b->frames; i++) {
        setView(b, zoom->share, nextRandom(b));
        drawFrame(b, true);
    }
    report(b, label);
}

/* Jumps of which each finds nothing summed up. */
static void runCold(Bench *b, const struct Zoom *zoom, const char *label) {
    if (!isWanted(b, label)) return;
    for (int i = 0; i < b->frames; i++) {
        setView(b, zoom->share, nextRandom(b));
        tacTilesClear(b->window.cache->d.tiles);
        drawFrame(b, true);
    }
    report(b, label);
}

/* Frames of which each is the first one in other colours. */
static void runColors(Bench *b, const struct Zoom *zoom, const char *label) {
    static const tacColorBy colors[] = {TAC_COLOR_OUTCOME, TAC_COLOR_PROCESSOR, TAC_COLOR_TASK};
    if (!isWanted(b, label)) return;
    setView(b, zoom->share, 0.31);
    for (int i = 0; i < b->frames; i++) {
        b->figure.colorBy = colors[i % 3];
        drawFrame(b, false);
    }
    b->figure.colorBy = TAC_COLOR_TASK;
    place(b);
    report(b, label);
}

/* Moves of the pointer over the band of the folded group that has the most rows, in steps of two pixels. */
static void runPointer(Bench *b, const struct Zoom *zoom, const char *label) {
    const tacWindowGroup *groups = b->window.groups.at;
    uint32_t largest = 0;
    if (!isWanted(b, label) || !b->folded || !b->window.groups.count) return;
    for (uint32_t i = 0; i < b->window.groups.count; i++)
        if (groups[i].end - groups[i].first > groups[largest].end - groups[largest].first) largest = i;
    setView(b, zoom->share, 0.31);
    drawFrame(b, true);
    for (b->n = 0; b->n < b->frames; b->n++) {
        double x = b->frame.left + fmod(2 * b->n / b->pixels, b->frame.right - b->frame.left), t0 = now();
        tacGroupColumn column = {.next = 0};
        int64_t from, to;
        tacBandColumnAt(&b->frame.scale, 1 / b->pixels, tacScaleTime(&b->frame.scale, x), &from, &to);
        tacWindowGroupColumn(&b->window, largest, from, to, 1 << 14, &column); /* as timelineHover.c does */
        b->layout[b->n] = b->total[b->n] = now() - t0;
        b->paint[b->n] = 0;
    }
    report(b, label);
}

static void runPans(Bench *b, const struct Zoom *zoom, double pixels, const char *label) {
    if (!isWanted(b, label)) return;
    setView(b, zoom->share, 0.31);
    for (int i = 0; i < b->frames; i++) {
        drawFrame(b, true);
        panBy(b, pixels);
    }
    report(b, label);
}

/* The longest step of listing the rows, as long as the widget makes them. */
static double longestListing(Bench *b) {
    tacError err = {0};
    double longest = 0;
    for (bool begun = false, done = false; !done; begun = true) {
        double t0 = now();
        tacStatus status = begun ? tacWindowListOn(&b->window, 6, &done, &err)
                                 : tacWindowList(&b->window, b->trace, &b->figure, &err);
        if (status != TAC_OK) die(&err);
        longest = fmax(longest, now() - t0);
    }
    return longest;
}

/* The longest step of arranging, or of a pass over all rows. */
static double longestStep(Bench *b) {
    tacError err = {0};
    double longest = 0;
    for (bool done = false, changed; !done;) {
        double t0 = now();
        if (tacWindowGoOn(&b->window, 6, &done, &changed, &err) != TAC_OK) die(&err);
        longest = fmax(longest, now() - t0);
    }
    return longest;
}

static double leaveOut(Bench *b, int i) {
    setView(b, 0.01, i % 2 ? 0.9 : 0.1);
    tacWindowLeaveOut(&b->window, true, b->figure.from, b->figure.to);
    return longestStep(b);
}

static double foldAll(Bench *b, int i) {
    double t0 = now();
    for (size_t k = 0; k < b->window.groups.count; k++) b->window.groups.at[k].folded = i % 2;
    place(b);
    return now() - t0;
}

static double groupAgain(Bench *b, int i) {
    b->window.groupBy = i % 2 ? TAC_GROUP_KIND : TAC_GROUP_PROCESS;
    tacWindowArrange(&b->window);
    return longestStep(b);
}

/* The longest of the steps in which rows that the user has sorted are listed anew. */
static double listAgain(Bench *b, int i) {
    tacError err = {0};
    double longest = 0;
    if (i == 0) tacWindowSort(&b->window, TAC_ORDER_NAME, b->begin, b->end), longestStep(b);
    b->figure.order = i % 2 ? "priority" : "definition";
    for (int part = 0; part < 2; part++) { /* before the listing, and between it and the arranging */
        bool done = false;
        while (!done) {
            double t0 = now();
            if (tacWindowNeedKeys(&b->window, 6, &done, &err) != TAC_OK) die(&err);
            longest = fmax(longest, now() - t0);
        }
        if (part) tacWindowArrange(&b->window);
        longest = fmax(longest, part ? longestStep(b) : longestListing(b));
    }
    return longest;
}

static void addStep(Bench *b, double time) {
    b->layout[b->n] = b->total[b->n] = time;
    b->paint[b->n++] = 0;
}

/* Sorts all rows, leaves out those with nothing in view, folds all groups, groups and lists anew: the longest step of
 * each. */
static void runSteps(Bench *b) {
    static double (*const others[])(Bench * b, int i) = {leaveOut, foldAll, groupAgain, listAgain};
    static const char *const names[] = {"leave out rows", "fold and unfold", "group anew", "list anew"};
    char label[80];
    for (int order = 0; tacRowOrderWords[order]; order++) {
        snprintf(label, sizeof label, "sort by %s", tacRowOrderWords[order]);
        for (int i = 0; isWanted(b, label) && i < b->frames; i++) {
            tacWindowReset(&b->window);
            tacWindowSort(&b->window, (tacRowOrder) order, b->begin, b->end);
            addStep(b, longestStep(b));
        }
        if (b->n) report(b, label);
    }
    tacWindowReset(&b->window);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        for (int i = 0; isWanted(b, names[k]) && i < b->frames; i++) addStep(b, others[k](b, i));
        if (b->n) report(b, names[k]);
    }
    tacWindowLeaveOut(&b->window, false, b->begin, b->end);
    longestStep(b);
}

static void runScroll(Bench *b, const struct Zoom *zoom, const char *label) {
    if (!isWanted(b, label)) return;
    setView(b, zoom->share, 0.47);
    for (int i = 0; i < b->frames; i++) {
        b->scroll = (float) i * 5;
        drawFrame(b, true);
    }
    b->scroll = 0;
    report(b, label);
}

/* In and out again about a place, by 1.2 a step. */
static void runZoom(Bench *b, double place) {
    if (!isWanted(b, "zoom in and out")) return;
    for (int i = 0; i < b->frames; i++) {
        double phase = (double) (i % 100) / 50, depth = phase < 1 ? phase : 2 - phase;
        setView(b, pow(1.2, -50 * depth), place);
        drawFrame(b, true);
    }
    report(b, "zoom in and out");
}

/* Anywhere at any zoom, each a half of another: the places of frames.tcl. */
static void runAnywhere(Bench *b) {
    if (!isWanted(b, "jumps, any zoom")) return;
    for (int i = 0; i < b->frames; i++) {
        setView(b, 1.0 / (1 << (i * 7 % 16)), (double) (i * 37 % 101) / 101);
        drawFrame(b, true);
    }
    report(b, "jumps, any zoom");
}

static void setRows(Bench *b, int rows) {
    float factor = 1;
    for (int round = 0; round < 6; round++) {
        for (size_t i = 0; i < b->window.order.count; i++) b->window.order.at[i].factor = factor;
        place(b);
        if (b->window.order.count == 0) return;
        float pitch = b->window.contentHeight / (float) b->window.order.count;
        factor *= (float) (b->figure.height - 50) / (float) rows / pitch;
    }
}

static void openAll(Bench *b, const char *file, int width, int height, int rows) {
    tacError err = {0};
    b->trace = tacTraceOpen(file, NULL, &err);
    if (!b->trace) die(&err);
    b->pixels = 96.0 / 72;
    b->figure.width = width / b->pixels;
    b->figure.height = height / b->pixels;
    b->figure.fontSize = 9;
    b->figure.detail = 1 / b->pixels;
    b->figure.quick = true;
    b->figure.budget = b->budget;
    b->begin = b->trace->model.firstMark, b->end = b->trace->model.lastMark;
    b->random = 1;
    if (tacMeasurePango(NULL, &b->measure, &err) != TAC_OK) die(&err);
    b->shaper = tacShaperNew(NULL, &err);
    tacFrameInit(&b->frame);
    b->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    b->cr = cairo_create(b->surface);
    double listing = longestListing(b);
    tacWindowArrange(&b->window);
    double arranging = longestStep(b), t0 = now();
    for (size_t i = 0; i < b->window.groups.count && b->folded; i++) b->window.groups.at[i].folded = true;
    setRows(b, rows);
    printf("%s: %u events, %zu rows, listing %.2f ms, arranging %.2f ms, placing %.2f ms\n", file,
        (unsigned) tacStoreCount(&b->trace->store), b->window.order.count, listing, arranging, (now() - t0) / 6);
}

static void runAll(Bench *b) {
    char label[80];
    cairo_set_source_rgb(b->cr, 1, 1, 1); /* the window was painted without a trace before, so its memory is there */
    cairo_paint(b->cr);
    cairo_surface_flush(b->surface);
    setView(b, 1, 0);
    drawFrame(b, true);
    if (b->picture) cairo_surface_write_to_png(b->surface, b->picture);
    report(b, "first frame, 100 %");
    for (int i = 0; i < ZOOMS; i++) {
        snprintf(label, sizeof label, "%s again", zooms[i].name);
        runPans(b, &zooms[i], 0, label);
        snprintf(label, sizeof label, "%s pan by 1 pixel", zooms[i].name);
        runPans(b, &zooms[i], 1, label);
        snprintf(label, sizeof label, "%s pan by a tenth", zooms[i].name);
        runPans(b, &zooms[i], (b->frame.right - b->frame.left) * b->pixels / 10, label);
        snprintf(label, sizeof label, "%s scroll", zooms[i].name);
        runScroll(b, &zooms[i], label);
        snprintf(label, sizeof label, "%s jumps", zooms[i].name);
        runJumps(b, &zooms[i], label);
        snprintf(label, sizeof label, "%s cold", zooms[i].name);
        runCold(b, &zooms[i], label);
        snprintf(label, sizeof label, "%s colours", zooms[i].name);
        runColors(b, &zooms[i], label);
        snprintf(label, sizeof label, "%s pointer", zooms[i].name);
        runPointer(b, &zooms[i], label);
    }
    runZoom(b, 0.37);
    runAnywhere(b);
    runSteps(b);
}

/* The grouping of this word; an unknown one: none. */
static tacGroupBy groupNamed(const char *word) {
    for (int i = 0; tacGroupByWords[i]; i++)
        if (strcmp(word, tacGroupByWords[i]) == 0) return (tacGroupBy) i;
    return TAC_GROUP_NONE;
}

int main(int argc, char **argv) {
    static const char *const modes[] = {"auto", "expanded", "collapsed", "none"};
    static Bench b;
    int sizes[2] = {1920, 1080}, nSizes = 0, rows = 64;
    tacMemLargeHeap(); /* as the window does */
    tacFigureDefaults(&b.figure);
    b.figure.layers = TAC_SHOW_ALL; /* the look of the window at first */
    b.figure.legend = TAC_LEGEND_NONE;
    b.figure.colorBy = TAC_COLOR_TASK;
    b.figure.barText = TAC_BAR_TEXT_JOB;
    b.frames = 100;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "-r") == 0 && i + 1 < argc) rows = atoi(argv[++i]);
        else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) b.only = argv[++i];
        else if (strcmp(argv[i], "-l") == 0) b.layoutOnly = true;
        else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc) b.picture = argv[++i];
        else if (strcmp(argv[i], "-b") == 0 && i + 1 < argc) b.budget = atof(argv[++i]);
        else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) b.frames = atoi(argv[++i]);
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc) b.figure.order = argv[++i];
        else if (strcmp(argv[i], "-f") == 0) b.folded = true;
        else if (strcmp(argv[i], "-g") == 0 && i + 1 < argc) b.window.groupBy = groupNamed(argv[++i]);
        else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc)
            b.figure.convention = strcmp(argv[++i], "grasp") ? TAC_CONVENTION_RTSCHED : TAC_CONVENTION_GRASP;
        else if (strcmp(argv[i], "-p") == 0 && i + 1 < argc) {
            i++;
            for (int m = 0; m < 4; m++)
                if (strcmp(argv[i], modes[m]) == 0) b.figure.processors = (tacProcessorsMode) m;
        } else if (nSizes < 2) sizes[nSizes++] = atoi(argv[i]);
    }
    if (argc < 2 || b.frames < 1 || sizes[0] < 1 || sizes[1] < 1 || rows < 1) {
        fprintf(stderr,
            "usage: frames TRACE ?WIDTH HEIGHT? ?-r ROWS? ?-c grasp|rtsched? ?-p auto|expanded|collapsed|none? ?-n "
            "FRAMES? ?-o ONLY? ?-b BUDGET? ?-w PNG? ?-l? ?-s ORDER? ?-g GROUPS? ?-f?\n");
        return 3;
    }
    openAll(&b, argv[1], sizes[0], sizes[1], rows);
    runAll(&b);
    tacFrameFree(&b.frame);
    tacWindowFree(&b.window);
    tacTraceClose(b.trace);
    tacShaperFree(b.shaper);
    tacMeasureFree(&b.measure);
    cairo_destroy(b.cr);
    cairo_surface_destroy(b.surface);
    return 0;
}
