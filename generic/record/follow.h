/*
 * follow.h -- packets that another relay sends, received by a thread of their own.
 *
 *      tcp HOST:PORT -> receiver (receive.h) -> a taker, called by the thread
 */
#ifndef TAC_RECORD_FOLLOW_H
#define TAC_RECORD_FOLLOW_H

#include "record/receive.h"

typedef struct tacFollow tacFollow;

/* Connects to an address, again and again where that fails. NULL: *why says what is wrong. key: as in
 * tacReceiveOptions; NULL: none. */
tacFollow *tacFollowNew(const char *address, const char *key, tacrec_take *take, void *takes, char why[TAC_LINK_TEXT]);
/* Ends the thread; the taker is not called any more. NULL is fine. */
void tacFollowFree(tacFollow *follow);
/* Copies the next sentence about the connection, each once; false: there is none. */
bool tacFollowRemark(tacFollow *follow, char *text, size_t room);
/*
 * Elements that are missing between those of each sensor that came: overwritten before the relay read them, thrown away
 * by it, or sent while there was no connection. NULL: 0. What is missing behind the newest element of a sensor is known
 * when its next one comes.
 */
uint64_t tacFollowLost(const tacFollow *follow);

#endif
