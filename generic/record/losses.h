/*
 * losses.h -- how much of each sensor was lost at one place: it is told there as packets LOST, so that it stands in the
 * trace as data.
 *
 * Only packets of elements are lost. What describes is told again anyway. A packet LOST that is lost itself counts as
 * what it tells.
 */
#ifndef TAC_RECORD_LOSSES_H
#define TAC_RECORD_LOSSES_H

#include "record/stream.h"

typedef struct tacLoss {       /* of one sensor */
    uint64_t source, sequence; /* sequence number of the first lost packet */
    uint64_t first, last;      /* least and largest time of lost elements */
    uint64_t packets, elements, bytes;
    uint32_t sensor;
} tacLoss;

typedef struct tacLosses { /* begins with zeros */
    tacLoss *at;           /* by source and sensor */
    uint32_t count, room;
} tacLosses;

/* Adds a packet that is lost. One that is no packet of elements or losses adds nothing; nor does one without memory. */
void tacLossesNote(tacLosses *losses, const tacrec_packet *head, const uint8_t *bytes);
/* Adds all of some other losses. */
void tacLossesAdd(tacLosses *losses, const tacLosses *others);
/* Tells them as packets LOST, as long as those are taken, and forgets what was told. False: some are left. */
bool tacLossesTell(tacLosses *losses, tacrec_take *take, void *data);
void tacLossesClear(tacLosses *losses); /* and frees its memory */

#endif
