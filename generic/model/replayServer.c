/*
 * replayServer.c -- the budget of a server over time.
 *
 * Between two events the budget falls at the number of consumers and stays at 0 when it gets there. Every event of the
 * server is a point of its curve; what was consumed, and what went beyond the budget, is summed up to the event.
 */
#include "base/port.h"

#include "model/replayState.h"

int64_t tacPointBudget(const tacBudgetPoint *point, int64_t t) {
    int64_t elapsed = tacElapsed(point->time, t);
    if (point->consumers == 0) return point->budget;
    return elapsed > point->budget / point->consumers ? 0 : point->budget - elapsed * point->consumers;
}

/* Sums up the stretch from the last point to t; returns the budget at t. */
static int64_t consume(tacReplayState *r, uint32_t index, int64_t t) {
    tacServerModel *server = &r->model->servers[index];
    const tacBudgetPoint *last = &server->points.at[server->points.count - 1];
    int64_t elapsed = tacElapsed(last->time, t), left = tacPointBudget(last, t), wanted;
    if (elapsed == 0) return left;
    if (__builtin_mul_overflow(elapsed, (int64_t) last->consumers, &wanted)) wanted = INT64_MAX;
    int64_t got = last->budget - left;
    server->consumed = tacAddTicks(server->consumed, got);
    server->overrun = tacAddTicks(server->overrun, wanted - got);
    if (last->budget > 0 && left == 0) server->depletions++;
    if (wanted > got && !(r->starving[index] && last->budget == 0)) server->overruns++;
    r->starving[index] = wanted > got;
    return left;
}

static void note(tacReplayState *r, uint32_t server, const char *what) {
    tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, tacRowLine(r->store, r->row), "SERVER", "server \"%.80s\" %s",
        tacObjectId(r->store, TAC_SERVER, server), what);
}

static void replenish(tacReplayState *r, uint32_t index, tacBudgetPoint *point) {
    tacServerModel *server = &r->model->servers[index];
    int64_t before = point->budget, given = tacRowNumber(r->store, point->row);
    if (given < 0) note(r, index, "is replenished below 0: taken as 0");
    point->budget = given < 0 ? 0 : given;
    server->replenishments++;
    if (before > 0 && point->budget == 0) server->depletions++;
    if (given <= r->store->objects[TAC_SERVER].at[index].capacity) return;
    server->aboveCapacity++;
    note(r, index, "is replenished above its capacity");
}

static void change(tacReplayState *r, uint32_t index, tacBudgetPoint *point) {
    switch (tacRowEvent(r->store, point->row)) {
    case TAC_EV_SERVER_REPLENISHED: replenish(r, index, point); break;
    case TAC_EV_SERVER_RESUMED: point->consumers++; break;
    case TAC_EV_SERVER_PREEMPTED:
        if (point->consumers > 0) point->consumers--;
        else note(r, index, "is preempted while nothing consumes its budget");
        break;
    default: /* depleted */
        if (point->budget > 0) r->model->servers[index].depletions++;
        point->budget = 0;
    }
}

bool tacReplayServer(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t index = tacRowSubject(r->store, row);
    tacServerModel *server = &r->model->servers[index];
    tacBudgetPoint point = {t, consume(r, index, t), server->points.at[server->points.count - 1].consumers, row};
    change(r, index, &point);
    if (point.budget > server->highest) server->highest = point.budget;
    return tacArrayPush(&server->points, point) && tacArrayPush(&r->model->serverMarks, row);
}

bool tacReplayStartServers(tacReplayState *r) {
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_SERVER); i++) {
        tacServerModel *server = &r->model->servers[i];
        int64_t budget = r->store->objects[TAC_SERVER].at[i].budget;
        if (budget < 0) budget = 0;
        if (!tacArrayPush(&server->points, (tacBudgetPoint){r->model->begin, budget, 0, TAC_NONE})) return false;
        server->highest = budget;
    }
    return true;
}

void tacReplayFinishServers(tacReplayState *r) {
    for (uint32_t i = 0; i < tacStoreObjects(r->store, TAC_SERVER); i++) consume(r, i, r->model->end);
}

int64_t tacNowBudget(const struct tacReplay *r, uint32_t server, uint32_t *consumers) {
    const tacServerModel *model = &r->model->servers[server];
    const tacBudgetPoint *last = &model->points.at[model->points.count - 1];
    if (consumers) *consumers = last->consumers;
    return tacPointBudget(last, r->now);
}
