/*
 * statsServer.c -- the table of servers: what happened to their budgets in the window.
 *
 * The budget curve is walked stretch by stretch. Between two points the budget falls at the number of consumers until
 * it is 0; what is consumed beyond that is overrun. Both are cut to the window as differences of the amounts up to a
 * moment, so that windows side by side add up to the whole.
 */
#include "base/port.h"

#include "analysis/statsPart.h"
#include "model/query.h"

typedef struct ServerRow {
    tacStatsObject object;
    int64_t capacity, consumption, depletions, overruns, overrunTime, replenishments, aboveCapacity, budget;
} ServerRow;

static const tacColumn serverColumns[] = {
    {"server", TAC_COLUMN_TEXT, "id of the server", offsetof(ServerRow, object.id)},
    {"name", TAC_COLUMN_TEXT, "its name", offsetof(ServerRow, object.name)},
    {"capacity", TAC_COLUMN_TIME, "its capacity", offsetof(ServerRow, capacity)},
    {"consumption", TAC_COLUMN_TIME, "budget consumed in the window", offsetof(ServerRow, consumption)},
    {"depletions", TAC_COLUMN_COUNT, "times its budget came to 0, by consumption or by serverDepleted",
        offsetof(ServerRow, depletions)},
    {"overruns", TAC_COLUMN_COUNT, "stretches of consumption without budget", offsetof(ServerRow, overruns)},
    {"overrun_time", TAC_COLUMN_TIME, "consumption beyond the budget, all consumers together",
        offsetof(ServerRow, overrunTime)},
    {"replenishments", TAC_COLUMN_COUNT, "times it was replenished", offsetof(ServerRow, replenishments)},
    {"above_capacity", TAC_COLUMN_COUNT, "replenishments to more than its capacity",
        offsetof(ServerRow, aboveCapacity)},
    {"budget", TAC_COLUMN_TIME, "what is left of the budget at the end of the window; below 0: consumed beyond it",
        offsetof(ServerRow, budget)},
};
enum { SERVER_COLUMNS = sizeof serverColumns / sizeof *serverColumns };

/* A stretch of the curve, from a point to the next one. */
typedef struct Stretch {
    int64_t begin, end; /* ticks */
    int64_t budget;     /* at begin: what there is to consume */
    int64_t consumers;
} Stretch;

/* Ticks that the consumers ask for up to a time; TAC_MORE: more than fit. */
static int64_t demandAt(const Stretch *stretch, int64_t time) {
    if (time <= stretch->begin || stretch->consumers == 0) return 0;
    int64_t length = tacElapsed(stretch->begin, time);
    return length > TAC_MORE / stretch->consumers ? TAC_MORE : length * stretch->consumers;
}

/* Ticks of budget that they get up to a time. */
static int64_t takenAt(const Stretch *stretch, int64_t time) {
    int64_t demand = demandAt(stretch, time);
    return demand < stretch->budget ? demand : stretch->budget;
}

/* Adds consumption, depletion and overrun of a stretch. *over: the budget is overrun just before its begin; on return:
 * just before its end. */
static void addConsumption(const tacStatsWindow *window, const Stretch *stretch, bool *over, ServerRow *row) {
    int64_t from = stretch->begin > window->from ? stretch->begin : window->from;
    int64_t to = stretch->end < window->to ? stretch->end : window->to;
    bool overruns = stretch->consumers > 0 && demandAt(stretch, stretch->end) > stretch->budget;
    if (stretch->consumers > 0 && stretch->budget > 0) { /* depleted at the first tick without budget */
        int64_t lasts = stretch->budget / stretch->consumers + (stretch->budget % stretch->consumers != 0);
        int64_t empty = tacAddTicks(stretch->begin, lasts);
        row->depletions += empty <= stretch->end && tacStatsWindowHas(window, empty);
    }
    if (to > from) {
        int64_t taken = takenAt(stretch, to) - takenAt(stretch, from), demand = demandAt(stretch, to),
                beyond = demand == TAC_MORE ? TAC_MORE : demand - demandAt(stretch, from) - taken;
        row->consumption = tacAddTicks(row->consumption, taken);
        row->overrunTime = tacAddTicks(row->overrunTime, beyond);
        /* A stretch of overrun counts where it begins, or where the window does. */
        if (beyond > 0 && (!(*over && stretch->budget == 0) || stretch->begin < window->from)) row->overruns++;
    }
    if (stretch->end > stretch->begin) *over = overruns;
}

/* Counts the event of a point. before: the budget just before it. */
static void addEvent(
    const tacModel *model, const tacBudgetPoint *point, int64_t before, int64_t capacity, ServerRow *row) {
    if (point->row == TAC_NONE) return;
    switch (tacRowEvent(model->store, point->row)) {
    case TAC_EV_SERVER_REPLENISHED:
        row->replenishments++;
        row->aboveCapacity += point->remainder > capacity;
        row->depletions += before > 0 && point->remainder == 0;
        break;
    case TAC_EV_SERVER_DEPLETED: row->depletions += before > 0; break;
    default: break;
    }
}

static bool measureServer(const tacModel *model, const tacStatsWindow *window, uint32_t server, void *data) {
    ServerRow *row = data;
    const tacServerModel *curve = &model->servers[server];
    bool over = false;
    int64_t before = 0;
    row->capacity = model->store->objects[TAC_SERVER].at[server].capacity;
    row->budget = tacQueryBudget(model, server, window->to, NULL);
    for (size_t i = 0; i < curve->points.count && curve->points.at[i].time <= window->to; i++) {
        const tacBudgetPoint *point = &curve->points.at[i];
        if (!tacStatsAt(window, i)) return false;
        int64_t end = i + 1 < curve->points.count ? curve->points.at[i + 1].time : model->end;
        Stretch stretch = {point->time, end > point->time ? end : point->time, tacPointBudget(point), point->consumers};
        if (tacStatsWindowHas(window, point->time)) addEvent(model, point, before, row->capacity, row);
        addConsumption(window, &stretch, &over, row);
        before = stretch.budget - takenAt(&stretch, stretch.end);
    }
    return true;
}

const tacStatsPart tacServerStats = {
    serverColumns, SERVER_COLUMNS, TAC_SERVER, sizeof(ServerRow), NULL, measureServer, NULL};
