/*
 * auditBudget.c -- servers that use more than they have: facts from their budget curves.
 *
 *      overrun         consumed with no budget left, begin to end; amount: how much
 *      unknownBudget   the same before the server was first given a budget: it may have had one
 *      aboveCapacity   replenished to `amount`, more than its capacity `limit`
 *      resumedDepleted resumed with no budget, and not replenished at that instant
 *
 * If the budget ends between two ticks (two consumers, an odd budget), the stretch begins at the tick after.
 */
#include "base/port.h"

#include "analysis/audit.h"

typedef struct Curve { /* a server that is looked at */
    const tacTrace *trace;
    tacFacts *facts;
    uint32_t server;
    bool funded;     /* a budget was defined or replenished */
    tacFact overrun; /* under way when its fact is not NULL */
} Curve;

/* Adds the overrun that is under way. */
static bool endOverrun(Curve *curve) {
    bool fine = !curve->overrun.fact || tacFactAdd(curve->facts, curve->overrun);
    curve->overrun.fact = NULL;
    return fine;
}

/* Looks at the stretch from a point of the curve to the next one at t. */
static bool consume(Curve *curve, const tacBudgetPoint *point, int64_t t) {
    if (point->consumers == 0 || t <= point->time) return point->consumers > 0 || endOverrun(curve);
    int64_t budget = tacPointBudget(point), lasts = budget / point->consumers, wanted;
    if (tacElapsed(point->time, t) <= lasts) return endOverrun(curve);
    int64_t empty = point->time + lasts + (budget % point->consumers != 0);
    if (__builtin_mul_overflow(tacElapsed(point->time, t), (int64_t) point->consumers, &wanted)) wanted = TAC_MORE;
    if (curve->overrun.fact && curve->overrun.end != empty && !endOverrun(curve)) return false;
    if (!curve->overrun.fact)
        curve->overrun = TAC_FACT(curve->funded ? "overrun" : "unknownBudget", .begin = empty, .server = curve->server,
            .row = point->row, .amount = 0);
    curve->overrun.end = t;
    curve->overrun.amount = tacAddTicks(curve->overrun.amount, wanted == TAC_MORE ? TAC_MORE : wanted - budget);
    return true;
}

/* Notes a replenishment above the capacity. */
static bool replenished(Curve *curve, const tacBudgetPoint *point) {
    const tacStore *store = &curve->trace->store;
    int64_t given = tacRowNumber(store, point->row), ignored;
    int64_t capacity = store->objects[TAC_SERVER].at[curve->server].capacity;
    curve->funded = true;
    if (given <= capacity || !tacObjectOption(store, TAC_SERVER, curve->server, TAC_OPT_SERVER_CAPACITY, &ignored))
        return true;
    return tacFactAdd(curve->facts,
        TAC_FACT("aboveCapacity", .begin = point->time, .amount = given, .limit = capacity, .server = curve->server,
            .row = point->row));
}

/* Is the server replenished or stopped after point i, at the same instant? The order within an instant is not trusted.
 */
static bool settledAtOnce(const tacStore *store, const tacServerModel *server, size_t i) {
    int64_t t = server->points.at[i].time;
    for (size_t next = i + 1; next < server->points.count && server->points.at[next].time == t; next++)
        if (server->points.at[next].remainder > 0
            || tacRowEvent(store, server->points.at[next].row) == TAC_EV_SERVER_PREEMPTED)
            return true;
    return false;
}

/* Looks at the event of a point. */
static bool lookAtPoint(Curve *curve, const tacServerModel *server, size_t i) {
    const tacStore *store = &curve->trace->store;
    const tacBudgetPoint *point = &server->points.at[i];
    if (point->row == TAC_NONE) return true;
    tacEvent event = tacRowEvent(store, point->row);
    if (event == TAC_EV_SERVER_REPLENISHED) return replenished(curve, point);
    if (event != TAC_EV_SERVER_RESUMED || point->remainder > 0 || !curve->funded || settledAtOnce(store, server, i))
        return true;
    return tacFactAdd(
        curve->facts, TAC_FACT("resumedDepleted", .begin = point->time, .server = curve->server, .row = point->row));
}

static bool lookAtServer(const tacTrace *trace, uint32_t index, tacFacts *facts) {
    const tacServerModel *server = &trace->model.servers[index];
    int64_t ignored;
    Curve curve = {.trace = trace,
        .facts = facts,
        .server = index,
        .funded = tacObjectOption(&trace->store, TAC_SERVER, index, TAC_OPT_BUDGET, &ignored)};
    for (size_t i = 0; i < server->points.count; i++) {
        int64_t next = i + 1 < server->points.count ? server->points.at[i + 1].time : trace->model.end;
        if (!lookAtPoint(&curve, server, i) || !consume(&curve, &server->points.at[i], next)
            || !tacProgressAt(facts->progress, i))
            return false;
    }
    return endOverrun(&curve);
}

bool tacAuditBudget(const tacTrace *trace, tacFacts *facts) {
    for (uint32_t i = 0; i < tacStoreObjects(&trace->store, TAC_SERVER); i++) {
        facts->applicable |= trace->model.servers[i].points.count > 1;
        if (!lookAtServer(trace, i, facts)) return false;
    }
    return true;
}
