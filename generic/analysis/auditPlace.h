/*
 * auditPlace.h -- where tasks can run, for the rule about priorities: sets of processors, and clusters that are
 * scheduled apart from one another.
 *
 * A task can run
 *      1. on its -cpus;
 *      2. else on its -processor, if it ran on no other;
 *      3. else on the -cluster of the processor where it ran first;
 *      4. else, where a running system was recorded (tacSchedulingRecorded), only where it runs next: threads may be
 *         bound to processors, for all the time or for some of it, and switches do not tell that. The task floats: a
 *         set is found for each of its waits;
 *      5. else on the one processor where it ran, if that is the only one; or else on all that tasks without a stated
 *         place went back and forth between: its cluster.
 * A task of which none of this is known has no set, unless there is one processor only.
 *
 * A processor is in at most 64 sets of several processors. Tasks of further sets are taken for bound to the first
 * processor of theirs, so that work is bounded and nobody is accused by mistake.
 */
#ifndef TAC_ANALYSIS_AUDIT_PLACE_H
#define TAC_ANALYSIS_AUDIT_PLACE_H

#include "analysis/trace.h"
#include "base/intern.h"
#include "base/progress.h"

typedef struct tacPlaces {
    uint32_t *ofTask;      /* by task: its set, TAC_NONE: none */
    bool *floats;          /* by task: its set is that of the processor where it ran first, for want of a better one;
                            * NULL: no task floats */
    uint32_t *ofProcessor; /* by processor: the set of it alone; NULL: no task floats */
    tacInternTable sets;   /* names are the processors of a set, ascending, 16 bits each */
    uint32_t *clusters;    /* by processor: the least processor that sets join it with, directly or through others */
    uint32_t nProcessors;  /* of the model */
} tacPlaces;

static inline uint32_t tacPlaceSets(const tacPlaces *places) { return (uint32_t) tacInternCount(&places->sets); }
/* How many processors a set has, and the ith of them. */
uint32_t tacPlaceSize(const tacPlaces *places, uint32_t set);
uint32_t tacPlaceProcessor(const tacPlaces *places, uint32_t set, uint32_t i);

/* The processor that stands for the cluster of a task that has a set. */
static inline uint32_t tacPlaceCluster(const tacPlaces *places, uint32_t task) {
    return places->clusters[tacPlaceProcessor(places, places->ofTask[task], 0)];
}

/* Finds the sets of those tasks that are wanted. False: no memory, or stopped; tacPlacesFree in both cases. */
bool tacPlacesFind(tacPlaces *places, const tacTrace *trace, const bool *wanted, tacProgress *progress);
void tacPlacesFree(tacPlaces *places);

#endif
