/*
 * replayServer.c -- the budget of a server over time.
 *
 * Between two events the budget falls at the number of consumers, also below 0: then the server consumes more than it
 * has. Every event of the server is a point of its curve; the budget consumed and the overrun are summed up to each
 * point.
 */
#include "base/port.h"

#include "model/replayState.h"

int64_t tacPointRemainder(const tacBudgetPoint *point, int64_t t) {
    int64_t wanted, remainder;
    if (__builtin_mul_overflow(tacElapsed(point->time, t), (int64_t) point->consumers, &wanted)
        || __builtin_sub_overflow(point->remainder, wanted, &remainder) || remainder < -TAC_MORE)
        return -TAC_MORE;
    return remainder;
}

/* Sums up the stretch from the last point to t; returns the remainder at t. */
static int64_t consume(tacReplayState *r, uint32_t index, int64_t t) {
    tacServerModel *server = &r->model->servers[index];
    const tacBudgetPoint *last = &server->points.at[server->points.count - 1];
    int64_t remainder = tacPointRemainder(last, t), budget = tacPointBudget(last), wanted;
    if (tacElapsed(last->time, t) == 0) return remainder;
    if (__builtin_mul_overflow(tacElapsed(last->time, t), (int64_t) last->consumers, &wanted)) wanted = TAC_MORE;
    int64_t got = wanted < budget ? wanted : budget;
    server->consumed = tacAddTicks(server->consumed, got);
    server->overrun = tacAddTicks(server->overrun, wanted == TAC_MORE ? TAC_MORE : wanted - got);
    if (budget > 0 && got == budget) server->depletions++;
    if (wanted > got && !(r->starving[index] && budget == 0)) server->overruns++;
    r->starving[index] = wanted > got;
    return remainder;
}

static void note(tacReplayState *r, uint32_t server, const char *what) {
    tacDiagAdd(r->diag, TAC_SEVERITY_NOTE, tacRowLine(r->store, r->row), "SERVER", "server \"%.80s\" %s",
        tacObjectId(r->store, TAC_SERVER, server), what);
}

/* Gives the server the budget of the point's row. */
static void replenish(tacReplayState *r, uint32_t index, tacBudgetPoint *point) {
    tacServerModel *server = &r->model->servers[index];
    int64_t before = point->remainder, given = tacRowNumber(r->store, point->row);
    if (given < 0) note(r, index, "is replenished below 0: taken as 0");
    point->remainder = given < 0 ? 0 : given;
    server->replenishments++;
    if (before > 0 && point->remainder == 0) server->depletions++;
    if (given <= r->store->objects[TAC_SERVER].at[index].capacity) return;
    server->aboveCapacity++;
    note(r, index, "is replenished above its capacity");
}

bool tacReplayServer(tacReplayState *r, uint32_t row, int64_t t) {
    uint32_t index = tacRowSubject(r->store, row);
    if (r->finished) return r->points[index]++, true;
    tacServerModel *server = &r->model->servers[index];
    tacBudgetPoint point = {t, consume(r, index, t), server->points.at[server->points.count - 1].consumers, row};
    switch (tacRowEvent(r->store, row)) {
    case TAC_EV_SERVER_REPLENISHED: replenish(r, index, &point); break;
    case TAC_EV_SERVER_RESUMED: point.consumers++; break;
    case TAC_EV_SERVER_PREEMPTED:
        if (point.consumers > 0) point.consumers--;
        else note(r, index, "is preempted while nothing consumes its budget");
        break;
    default: /* depleted */
        if (point.remainder > 0) server->depletions++;
        point.remainder = 0;
    }
    if (point.remainder > server->highest) server->highest = point.remainder;
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
    const tacBudgetPoint *last = &model->points.at[r->finished ? r->points[server] : model->points.count - 1];
    if (consumers) *consumers = last->consumers;
    return tacPointRemainder(last, r->now);
}
