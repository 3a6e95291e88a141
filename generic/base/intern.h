/*
 * intern.h -- names to dense 32-bit ids and back: the first name is 0, the next new one 1, and so on.
 *
 * Names are any bytes but are kept NUL-terminated for convenience; they live in one block that grows, so a pointer
 * from tacInternName is valid only until the next tacIntern. Open addressing, at most 2/3 full.
 */
#ifndef TAC_BASE_INTERN_H
#define TAC_BASE_INTERN_H

#include "base/mem.h"
#include "base/progress.h"

#define TAC_NONE UINT32_MAX /* no such name, object, row ... */

typedef struct tacInternSlot {
    uint32_t id;
    uint32_t tag; /* 28 bits of a hash, and below them the length of a name of up to eight bytes, 15 for a longer one */
    union {
        uint64_t name; /* the bytes of a name of up to eight */
        struct {
            uint32_t start, length; /* of a longer one, in text */
        } place;
    };
} tacInternSlot;

typedef struct tacInternTable {
    tacInternSlot *slots; /* nSlots, a power of two, or NULL when empty; id TAC_NONE: free */
    size_t nSlots;
    int shift;                  /* slot of a tag: tag >> shift */
    uint32_t *places;           /* of a lean table that is searched: nPlaces ids, a power of two; NULL: none */
    size_t nPlaces;             /* TAC_NONE: free; first place of a tag: tag modulo nPlaces, of its upper bits */
    uint64_t seed;              /* of the hashes, new with each build of the slots or places */
    TAC_ARRAY(uint32_t) starts; /* of name i in text; name i ends one byte before starts[i + 1] */
    TAC_ARRAY(char) text;       /* the names, each with its NUL; below 4 GB */
    tacProgress *progress;      /* of growing, or NULL */
} tacInternTable;

/* Makes room to look up so many names more, at once instead of by and by. False: no memory. */
bool tacInternReserve(tacInternTable *table, size_t more);
uint32_t tacIntern(tacInternTable *table, const char *name, size_t length); /* TAC_NONE: no memory */
/* The same for a name that the caller knows to be new: a lean table (tacInternTrim) stays lean. */
uint32_t tacInternNew(tacInternTable *table, const char *name, size_t length);
/* tacIntern for a table that is made for little and mostly has a few names: these are compared one by one. */
uint32_t tacInternAmongFew(tacInternTable *table, const char *name, size_t length);
/* Asks the processor for the place of a name in the table, so that interning it somewhat later does not wait. */
void tacInternPrepare(const tacInternTable *table, const char *name, size_t length);
uint32_t tacInternFind(const tacInternTable *table, const char *name, size_t length); /* TAC_NONE: not there */
const char *tacInternName(const tacInternTable *table, uint32_t id, size_t *length);  /* length may be NULL */
size_t tacInternBytes(const tacInternTable *table);                                   /* memory held */
/*
 * Gives back unused memory. lean: also the look-up slots, for a table that is complete and seldom searched; a search
 * then compares names one by one, and the next new name builds the slots again.
 */
void tacInternTrim(tacInternTable *table, bool lean);
/* Makes 6 to 12 bytes a name by which a lean table can be searched many times, until a name is added; false: no memory
 * (searching works all the same). */
bool tacInternIndex(tacInternTable *table);
void tacInternClear(tacInternTable *table); /* forgets the names, and keeps their memory for others */
void tacInternFree(tacInternTable *table);
/* For tables of other kinds: a seed that the author of a trace cannot know (block: any address), and 28 bits of hash.
 */
uint64_t tacInternSeed(const void *block);
uint64_t tacInternHash(uint64_t seed, const char *name, size_t length);
static inline size_t tacInternCount(const tacInternTable *table) { return table->starts.count; }

#endif
