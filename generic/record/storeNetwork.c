/*
 * storeNetwork.c -- packets over the network: TCP to another relay, or to clients that connect; UDP.
 *
 *      packets -> what waits to be sent (whole packets, at most the storage's size) -> socket
 *
 * A connection that breaks is made again; what was not sent, and the packet that was sent in part, are sent then. At
 * the end they go to other storages. Nobody says what has arrived at the other side: numbers of elements tell what has
 * not.
 */
#define _GNU_SOURCE
#include "record/link.h"
#include "record/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLIENTS = 16, DATAGRAM = 65000 /* bytes, at most */ };
static const uint64_t SECOND = 1000000000, MILLISECOND = 1000000, PATIENCE = 5000000000; /* to show the key */

typedef struct Buffer { /* whole packets */
    uint8_t *bytes;
    size_t begin, end, room;
} Buffer;

typedef struct Peer { /* one connection */
    tacLink link;
    Buffer known; /* what is known of all sources: sent before the rest */
    Buffer waits;
    size_t sent;      /* bytes of the packet that is being sent */
    bool isKnown;     /* of the packet that is being sent: it is of `known` */
    bool told;        /* `known` was filled since the connection is up */
    uint64_t since;   /* when it began */
    tacLosses losses; /* what did not fit */
} Peer;

typedef struct Network {
    tacAddress address;
    tacKey key;
    int listening; /* -1: it connects */
    Peer peers[CLIENTS];
    uint32_t count;
    uint64_t told; /* UDP: when the catalogue was sent last */
    int socket;    /* UDP */
} Network;

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Appends a packet, if the buffer has no more than `most` bytes then. */
static bool append(Buffer *buffer, const uint8_t *bytes, size_t size, size_t most) {
    size_t used = buffer->end - buffer->begin;
    if (used + size > most) return false;
    if (buffer->room - buffer->end < size) {
        if (used) memmove(buffer->bytes, buffer->bytes + buffer->begin, used);
        buffer->begin = 0;
        buffer->end = used;
    }
    if (buffer->room - buffer->end < size) {
        size_t room = 2 * buffer->room > used + size ? 2 * buffer->room : used + size;
        uint8_t *larger = realloc(buffer->bytes, room);
        if (!larger) return false;
        buffer->bytes = larger;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->end, bytes, size);
    buffer->end += size;
    return true;
}

/* Static: takes the room for all that may wait at once, and for moving it seldom. */
static bool reserve(const tacStorage *s, Buffer *buffer) {
    if (!s->is.reserved) return true;
    size_t room = s->is.size + TACREC_PACKET_MOST;
    buffer->bytes = malloc(room);
    if (!buffer->bytes) return false;
    memset(buffer->bytes, 0, room);
    buffer->room = room;
    return true;
}

static void freeBuffer(Buffer *buffer) {
    free(buffer->bytes);
    *buffer = (Buffer){.bytes = NULL};
}

/* Size of the packet that a buffer begins with, which the relay itself has put there. */
static size_t firstSize(const Buffer *buffer) {
    const uint8_t *at = buffer->bytes + buffer->begin + 8;
    return (size_t) at[0] | (size_t) at[1] << 8 | (size_t) at[2] << 16 | (size_t) at[3] << 24;
}

/* ---- a connection ------------------------------------------------------------------------------------------------ */

static bool appendKnown(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return append(&((Peer *) data)->known, bytes, head->size, SIZE_MAX);
}

static bool isWaiting(const Peer *peer) {
    return peer->known.begin < peer->known.end || peer->waits.begin < peer->waits.end || !peer->told;
}

/* Sends as much as the socket takes. */
static void sendOn(tacStorage *s, Peer *peer) {
    size_t n = tacLinkWrite(&peer->link, NULL, 0);
    if (peer->link.state != TAC_LINK_UP) return;
    if (!peer->told && peer->known.begin == peer->known.end) {
        tacStorageDescribe(s, appendKnown, peer);
        peer->told = true;
    }
    for (;;) {
        if (peer->sent == 0) peer->isKnown = peer->known.begin < peer->known.end;
        Buffer *from = peer->isKnown ? &peer->known : &peer->waits;
        if (from->begin == from->end) return;
        size_t size = firstSize(from);
        n = tacLinkWrite(&peer->link, from->bytes + from->begin + peer->sent, size - peer->sent);
        if (n == 0) return;
        peer->sent += n;
        if (peer->sent < size) continue;
        from->begin += size;
        peer->sent = 0;
    }
}

/* Whatever comes is passed over; but so the end of a connection is noticed. */
static void readOn(Peer *peer) {
    char bytes[256];
    while (peer->link.state != TAC_LINK_DOWN && tacLinkRead(&peer->link, bytes, sizeof bytes) > 0) {}
}

typedef struct Put {
    tacStorage *storage;
    Peer *peer;
} Put;

static bool putLoss(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    const Put *put = data;
    return append(&put->peer->waits, bytes, head->size, put->storage->is.size);
}

/* Puts a packet with those that wait. What describes and finds no room is told later, with all that is known. */
static bool putPacket(tacStorage *s, Peer *peer, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Put put = {s, peer};
    if (peer->losses.count && !tacLossesTell(&peer->losses, putLoss, &put)) return false;
    bool fits = append(&peer->waits, bytes, head->size, s->is.size);
    peer->told &= fits || !said;
    return fits;
}

/* ---- TCP to one address ------------------------------------------------------------------------------------------ */

static void begin(tacStorage *s) {
    Network *own = s->own;
    Peer *peer = &own->peers[0];
    peer->sent = peer->known.begin = peer->known.end = 0;
    peer->told = false;
    peer->since = tacStoragesNow(s->all);
    if (!tacLinkConnect(&peer->link, &own->address, &own->key))
        tacStorageGone(s, "cannot connect to %s: %s", s->is.address, peer->link.why);
}

static void workOne(tacStorage *s) {
    Network *own = s->own;
    Peer *peer = &own->peers[0];
    if (peer->link.state == TAC_LINK_DOWN && tacStoragesNow(s->all) >= s->retry) begin(s);
    if (peer->link.state == TAC_LINK_DOWN) return;
    sendOn(s, peer);
    readOn(peer);
    if (peer->link.state == TAC_LINK_DOWN)
        tacStorageGone(s, "%s: %s", s->is.address, peer->link.why[0] ? peer->link.why : "the other side has ended it");
    if (peer->link.state != TAC_LINK_BEGINS || tacStoragesNow(s->all) - peer->since < PATIENCE) return;
    tacLinkEnd(&peer->link);
    tacStorageGone(s, "%s: it does not answer", s->is.address);
}

static bool takeOne(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Network *own = s->own;
    Peer *peer = &own->peers[0];
    if (peer->link.state == TAC_LINK_DOWN) workOne(s);
    /* One that was gone has to be there again before it is given anything. */
    if (peer->link.state == TAC_LINK_DOWN || (s->refuses && peer->link.state != TAC_LINK_UP)) return false;
    if (putPacket(s, peer, head, bytes, said)) return true;
    workOne(s);
    return peer->link.state != TAC_LINK_DOWN && putPacket(s, peer, head, bytes, said);
}

/* ---- TCP to whoever connects ------------------------------------------------------------------------------------- */

static void endPeer(Network *own, uint32_t i) {
    Peer *peer = &own->peers[i];
    tacLinkEnd(&peer->link);
    freeBuffer(&peer->known);
    freeBuffer(&peer->waits);
    tacLossesClear(&peer->losses);
    own->count--;
    memmove(peer, peer + 1, (own->count - i) * sizeof *peer);
}

static void workAll(tacStorage *s) {
    Network *own = s->own;
    uint64_t now = tacStoragesNow(s->all);
    for (tacLink link; own->count < CLIENTS && tacLinkAccept(&link, own->listening, &own->key);) {
        own->peers[own->count++] = (Peer){.link = link, .since = now};
        if (!reserve(s, &own->peers[own->count - 1].waits)) endPeer(own, own->count - 1);
    }
    for (uint32_t i = own->count; i-- > 0;) {
        Peer *peer = &own->peers[i];
        sendOn(s, peer);
        readOn(peer);
        bool isSlow = peer->link.state == TAC_LINK_BEGINS && now - peer->since > PATIENCE;
        if (peer->link.state == TAC_LINK_DOWN || isSlow) endPeer(own, i);
    }
}

/* Each client that is too slow loses on its own. Without clients a copy has nothing to do. */
static bool takeAll(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Network *own = s->own;
    bool taken = false;
    for (uint32_t i = 0; i < own->count; i++) {
        Peer *peer = &own->peers[i];
        if (peer->link.state != TAC_LINK_UP || !peer->told) continue;
        bool fits = putPacket(s, peer, head, bytes, said);
        if (!fits) sendOn(s, peer);
        if (!fits) fits = putPacket(s, peer, head, bytes, said);
        if (!fits && !said) {
            tacLossesNote(&peer->losses, head, bytes);
            s->count.lost += head->kind == TACREC_PACKET_ELEMENTS ? head->count : 0;
        }
        taken |= fits;
    }
    return taken || s->is.copy;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

static bool takeTcp(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Network *own = s->own;
    return own->listening >= 0 ? takeAll(s, head, bytes, said) : takeOne(s, head, bytes, said);
}

static void workTcp(tacStorage *s) {
    Network *own = s->own;
    if (own->listening >= 0) workAll(s);
    else workOne(s);
}

static int waitTcp(tacStorage *s, struct pollfd *polled, int room) {
    Network *own = s->own;
    int count = 0;
    if (own->listening >= 0 && count < room) polled[count++] = (struct pollfd){own->listening, POLLIN, 0};
    for (uint32_t i = 0; i < own->count && count < room; i++) {
        const Peer *peer = &own->peers[i];
        if (peer->link.state == TAC_LINK_DOWN) continue;
        polled[count++] = (struct pollfd){peer->link.socket, tacLinkWaits(&peer->link, isWaiting(peer)), 0};
    }
    return count;
}

static bool failed(tacStorage *s, char why[TAC_STORAGE_TEXT], const char *problem) {
    snprintf(why, TAC_STORAGE_TEXT, "%s", problem);
    free(s->own);
    return false;
}

/* Finds address and key. A network that others hear needs a key, or is told to be plain. */
static bool openNetwork(tacStorage *s, int type, char why[TAC_STORAGE_TEXT]) {
    char problem[TAC_LINK_TEXT];
    Network *own = s->own = calloc(1, sizeof *own);
    if (!own) return failed(s, why, "not enough memory");
    own->listening = own->socket = -1;
    if (!tacAddressOf(&own->address, s->is.address, type, problem)) return failed(s, why, problem);
    if (s->is.key[0] && !tacKeyRead(&own->key, s->is.key, problem)) return failed(s, why, problem);
    if (s->is.key[0] && !tacSecureIs())
        return failed(s, why, "this program was built without TLS: build it with libgnutls28-dev");
    return true;
}

static bool openTcp(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    if (!openNetwork(s, SOCK_STREAM, why)) return false;
    Network *own = s->own;
    if (!own->key.size && !tacAddressIsHere(&own->address))
        return failed(s, why, "TCP to another machine needs a key: give -key FILE (`openssl rand -hex 32`, chmod 600)");
    if (!s->is.listen) {
        if (!reserve(s, &own->peers[0].waits)) return failed(s, why, "not enough memory");
        own->count = 1;
        own->peers[0].link = (tacLink){.socket = -1};
        begin(s);
        return true;
    }
    own->listening = tacListen(&own->address);
    if (own->listening >= 0) {
        tacStorageTold(s, "waits for clients at port %u", tacListenPort(own->listening));
        return true;
    }
    char problem[TAC_STORAGE_TEXT];
    snprintf(problem, sizeof problem, "cannot listen at %s: %s", s->is.address, strerror(errno));
    return failed(s, why, problem);
}

/* Sends what waits for at most a second; then it goes to other storages. */
static void finish(tacStorage *s, Peer *peer) {
    uint64_t end = tacStoragesNow(s->all) + SECOND;
    while (peer->link.state != TAC_LINK_DOWN && isWaiting(peer) && tacStoragesNow(s->all) < end) {
        struct pollfd polled = {peer->link.socket, tacLinkWaits(&peer->link, true), 0};
        if (poll(&polled, 1, (int) (SECOND / MILLISECOND)) == 0) break;
        sendOn(s, peer);
        readOn(peer);
    }
}

static void passOn(tacStorage *s, Peer *peer) {
    const uint8_t *end;
    tacrec_packet head;
    const uint8_t *at = peer->waits.bytes + peer->waits.begin, *last = peer->waits.bytes + peer->waits.end;
    while (at < last && (at = tacrec_packetFind(at, last, &head, &end)) != NULL) {
        if (head.kind == TACREC_PACKET_ELEMENTS || head.kind == TACREC_PACKET_LOST) tacStoragePass(s, &head, at);
        at = end;
    }
}

static void closeTcp(tacStorage *s) {
    Network *own = s->own;
    while (own->count) {
        Peer *peer = &own->peers[own->count - 1];
        finish(s, peer);
        if (own->listening < 0 && peer->waits.begin < peer->waits.end) passOn(s, peer);
        endPeer(own, own->count - 1);
    }
    if (own->listening >= 0) close(own->listening);
    memset(&own->key, 0, sizeof own->key);
    free(own);
}

static bool holdsTcp(const tacStorage *s) {
    const Network *own = s->own;
    return own->listening < 0 && own->peers[0].waits.begin < own->peers[0].waits.end;
}

const tacStorageClass tacStorageTcp = {
    .open = openTcp, .take = takeTcp, .wait = waitTcp, .work = workTcp, .holds = holdsTcp, .close = closeTcp};

/* ---- UDP --------------------------------------------------------------------------------------------------------- */

static bool sendDatagram(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    tacStorage *s = data;
    Network *own = s->own;
    if (head->size > DATAGRAM) return false;
    long n = send(own->socket, bytes, head->size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n == (long) head->size) return true;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) return false;
    return tacStorageGone(s, "%s: %s", s->is.address, strerror(errno));
}

/* What is known is sent again each second, since it may be lost like anything else. */
static void workUdp(tacStorage *s) {
    Network *own = s->own;
    uint64_t now = tacStoragesNow(s->all);
    if (own->told && now - own->told < SECOND) return;
    own->told = now;
    tacStorageDescribe(s, sendDatagram, s);
}

static bool takeUdp(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    (void) said;
    workUdp(s);
    return sendDatagram(s, head, bytes);
}

static bool openUdp(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    if (!openNetwork(s, SOCK_DGRAM, why)) return false;
    Network *own = s->own;
    own->socket = socket(own->address.at.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (own->socket < 0 || connect(own->socket, (const struct sockaddr *) &own->address.at, own->address.size)) {
        if (own->socket >= 0) close(own->socket);
        return failed(s, why, strerror(errno));
    }
    if (!tacAddressIsHere(&own->address))
        tacStorageTold(s, "UDP to %s is plain: everyone on the way can read and change it", s->is.address);
    return true;
}

static void closeUdp(tacStorage *s) {
    Network *own = s->own;
    close(own->socket);
    free(own);
}

const tacStorageClass tacStorageUdp = {.open = openUdp, .take = takeUdp, .work = workUdp, .close = closeUdp};
