/*
 * logTime.h -- times as logs write them.
 */
#ifndef TAC_IMPORT_LOG_LOG_TIME_H
#define TAC_IMPORT_LOG_LOG_TIME_H

#include "base/decimal.h"
#include "read/sink.h"

enum { TAC_LOG_DIGITS = 9 }; /* decimals that are kept: more come from computing with doubles */

/*
 * Writes a time as a decimal: a number, with a decimal point or comma; or a date and time (ISO 8601,
 * "2024-05-01T12:00:00.5Z", or with a blank in the place of the T), or a time of day, in seconds, since 1970 or
 * midnight. False: it is none of these, or a date before 1678 or after 2261.
 */
bool tacLogTime(const tacWord *word, char buffer[TAC_DECIMAL_SIZE], tacWord *time);
/* Is it a date or a time of day, and thus in seconds? */
bool tacLogIsClock(const tacWord *word);

#endif
