/*
 * hidden.h -- hidden characters: those that act on a terminal or mislead a reader instead of being seen.
 *
 * Control characters move a cursor or start an escape sequence; marks of direction show a name in another order than it
 * has; others take no room, so that two names look the same. Tables, JSON, the terminal and the window write them as
 * \u001b when they show text of a trace.
 */
#ifndef TAC_BASE_HIDDEN_H
#define TAC_BASE_HIDDEN_H

#include "base/port.h"

typedef struct tacHiddenRange {
    uint32_t first, last;
} tacHiddenRange;

extern const tacHiddenRange tacHidden[]; /* ascending; `last` is 0 behind the last one */

/* True for a hidden character beyond ASCII. */
bool tacIsHiddenWide(uint32_t code);
static inline bool tacIsHidden(uint32_t code) { return code < ' ' || (code >= 0x7f && tacIsHiddenWide(code)); }

enum { TAC_ESCAPE = 16 }; /* bytes for an escape and a NUL */
/* Writes \uXXXX, or two of them (a surrogate pair, as in JSON) for codes above FFFF; returns the length. */
size_t tacHiddenEscape(uint32_t code, char out[TAC_ESCAPE]);

#endif
