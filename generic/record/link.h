/*
 * link.h -- sockets that do not wait: addresses, listening, connections, plain or with a key.
 */
#ifndef TAC_RECORD_LINK_H
#define TAC_RECORD_LINK_H

#include "record/secure.h"

#include <sys/socket.h>

enum { TAC_LINK_TEXT = 300 }; /* bytes of a message */

typedef struct tacAddress {
    struct sockaddr_storage at;
    socklen_t size;
    int type; /* SOCK_STREAM, SOCK_DGRAM */
} tacAddress;

/* Finds the address of HOST:PORT, [HOST]:PORT or PORT (of this machine alone). False: *why says what is wrong. */
bool tacAddressOf(tacAddress *address, const char *text, int type, char why[TAC_LINK_TEXT]);
bool tacAddressIsHere(const tacAddress *address); /* is it of this machine alone (loopback)? */
/* Reads a file of a key: hexadecimal digits. */
bool tacKeyRead(tacKey *key, const char *path, char why[TAC_LINK_TEXT]);

/* A socket that waits for connections or datagrams at an address. -1: errno says why. */
int tacListen(const tacAddress *address);
unsigned tacListenPort(int socket);

typedef enum tacLinkState { TAC_LINK_DOWN, TAC_LINK_BEGINS, TAC_LINK_UP } tacLinkState;

typedef struct tacLink { /* a connection */
    int socket;
    tacLinkState state;
    bool joined;       /* the sockets are connected; TLS may still begin */
    const tacKey *key; /* NULL: plain */
    tacSecure *secure;
    char why[TAC_LINK_TEXT]; /* it is down; empty: the other side has ended it */
} tacLink;

/* Begins to connect. False: it is down at once. key: stays the caller's, as long as the link; NULL or empty: plain. */
bool tacLinkConnect(tacLink *link, const tacAddress *address, const tacKey *key);
/* Takes a connection that somebody has made. False: there is none; or link->why says what failed: what is in short
 * supply then will be so for a while. */
bool tacLinkAccept(tacLink *link, int listening, const tacKey *key);
/* Bytes that were written or read; 0: none now; it may be down then. */
size_t tacLinkWrite(tacLink *link, const void *bytes, size_t size);
size_t tacLinkRead(tacLink *link, void *bytes, size_t size);
/* What poll is to wait for; `writes`: there is something to write. */
short tacLinkWaits(const tacLink *link, bool writes);
/* Bytes that were written, and of which the other machine has not said that it has them. With a key there are more of
 * them than were given to tacLinkWrite. */
size_t tacLinkUnacknowledged(const tacLink *link);
/* Has the other machine said nothing for so long to what was sent? (One that is there and reads nothing does answer.)
 */
bool tacLinkIsSilent(const tacLink *link, uint32_t milliseconds);
void tacLinkEnd(tacLink *link);

#endif
