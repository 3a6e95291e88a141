/*
 * catalogue.h -- what the packets of a stream have said of its sources so far, so that a file that begins in the middle
 * of a stream, or a client that comes later, can be told it first.
 *
 *      packets -> SOURCE, SENSOR, elements of lasting sensors, the first and the last PAIRS, END of each source
 *
 * Packets may come from strangers: numbers of sources, sensors and bytes that are kept have limits. What is beyond is
 * not kept, and is read from the stream itself alone.
 */
#ifndef TAC_RECORD_CATALOGUE_H
#define TAC_RECORD_CATALOGUE_H

#include "record/stream.h"

typedef struct tacCatalogue tacCatalogue;

typedef enum tacNoted {
    TAC_NOTED_DATA,  /* it describes nothing */
    TAC_NOTED_NEW,   /* it says what was not known */
    TAC_NOTED_AGAIN, /* it was known */
} tacNoted;

/* What a sensor's description says of it, as far as storages need it. */
typedef struct tacNotedSensor {
    char name[TACREC_STREAM_TEXT], storage[TACREC_STREAM_TEXT];
    char program[TACREC_STREAM_TEXT]; /* of its source, where that was described before */
    bool lasting;
} tacNotedSensor;

tacCatalogue *tacCatalogueNew(void); /* NULL: no memory */
void tacCatalogueFree(tacCatalogue *catalogue);
/* Keeps what a packet says, also after END: sources are forgotten as below, or to make room for others. */
tacNoted tacCatalogueNote(tacCatalogue *catalogue, const tacrec_packet *head, const uint8_t *bytes);
/* Did memory lack for what was to be kept, since this was asked last? */
bool tacCatalogueLacked(tacCatalogue *catalogue);
/* What is known of a sensor; NULL: nothing. Valid until the next note. */
const tacNotedSensor *tacCatalogueSensor(const tacCatalogue *catalogue, uint64_t source, uint32_t sensor);
/* Forgets a source, or all that have ended. */
void tacCatalogueForget(tacCatalogue *catalogue, uint64_t source);
void tacCatalogueForgetEnded(tacCatalogue *catalogue);
/* Hands over all that is kept. False: some of it was not taken. */
bool tacCatalogueTell(const tacCatalogue *catalogue, tacrec_take *take, void *data);
/* Bytes of what it would tell. */
uint64_t tacCatalogueBytes(const tacCatalogue *catalogue);

#endif
