/*
 * vocabulary.h -- the one trace of a program, shared by the core of the ready-made sensors (vocabulary.c) and by what
 * finds a thread's rings (vocabularyPosix.c).
 */
#ifndef TACREC_VOCABULARY_H
#define TACREC_VOCABULARY_H

#include "record/tactusrec_trace.h"

typedef struct tacrec_trace {
    bool open; /* stored last */
    tacrec_sensor objects;
    tacrec_threads events, texts;
} tacrec_trace;

extern tacrec_trace tacrec_theTrace;

/* A number that no processor has. */
extern const uint32_t tacrec_noProcessor;
/* A clock that does not go: of what nobody sees. */
uint64_t tacrec_noTime(void *data);

#endif
