/*
 * storeNetwork.c -- packets over the network: TCP to another relay, or to clients that connect; UDP.
 *
 *      packets -> what waits to be sent (whole packets, at most the storage's size) -> socket
 *
 * A connection that breaks is made again; what was not sent, and what the other machine had not acknowledged, is sent
 * then. At the end it goes to other storages. So a packet may be there twice, which numbers of elements tell, but none
 * is missing, unless the other relay was killed before it read what its machine had. UDP keeps what the socket does not
 * take now.
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
enum { SILENCE = 5000, FINISH = 1000, FINISH_STEP = 10 /* milliseconds */, TURNS = 64 };
static const uint64_t SECOND = 1000000000, PATIENCE = 5000000000; /* to show the key */

typedef struct Buffer { /* whole packets */
    uint8_t *bytes;
    size_t begin, end, room;
    size_t next; /* packets before it were sent, and stay until they are acknowledged */
} Buffer;

typedef struct Peer { /* one connection */
    tacLink link;
    Buffer known; /* what is known of all sources: sent before the rest */
    Buffer waits;
    bool begun;       /* a packet is being sent: */
    bool isKnown;     /* it is of `known` */
    size_t sent;      /* bytes of it that were sent */
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
    uint64_t paused; /* no connections are taken until then */
    uint64_t told;   /* UDP: when the catalogue was sent last */
    int socket;      /* UDP; what waits is that of the first peer */
} Network;

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Room for so many bytes that wait, and for moving them only when a quarter of them has come anew. */
static size_t roomFor(size_t used) { return used + used / 4; }

/* Appends a packet, if the buffer has no more than `most` bytes then. */
static bool append(Buffer *buffer, const uint8_t *bytes, size_t size, size_t most) {
    size_t used = buffer->end - buffer->begin;
    if (used + size > most) return false;
    if (buffer->room - buffer->end < size) {
        if (used) memmove(buffer->bytes, buffer->bytes + buffer->begin, used);
        buffer->next -= buffer->begin;
        buffer->begin = 0;
        buffer->end = used;
    }
    size_t needed = roomFor(used) + size;
    if (buffer->room < needed) {
        size_t room = 2 * buffer->room > needed ? 2 * buffer->room : needed;
        uint8_t *larger = realloc(buffer->bytes, room);
        if (!larger) return false;
        buffer->bytes = larger;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->end, bytes, size);
    buffer->end += size;
    return true;
}

/* Static: takes the room for all that may wait at once. */
static bool reserve(const tacStorage *s, Buffer *buffer) {
    if (!s->is.reserved) return true;
    size_t room = roomFor(s->is.size) + TACREC_PACKET_MOST;
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

/* Size of the packet at a place of a buffer, which the relay itself has put there. */
static size_t sizeAt(const Buffer *buffer, size_t place) {
    const uint8_t *at = buffer->bytes + place + 8;
    return (size_t) at[0] | (size_t) at[1] << 8 | (size_t) at[2] << 16 | (size_t) at[3] << 24;
}

/* ---- a connection ------------------------------------------------------------------------------------------------ */

static bool appendKnown(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return append(&((Peer *) data)->known, bytes, head->size, SIZE_MAX);
}

static bool isEmpty(const Buffer *buffer) { return buffer->begin == buffer->end; }

static bool isWaiting(const Peer *peer) {
    return peer->known.next < peer->known.end || peer->waits.next < peer->waits.end || !peer->told;
}

/* Forgets what was sent. isKept: but for what the other machine has not acknowledged, which is among the last of it. */
static void release(Peer *peer, bool isKept) {
    Buffer *waits = &peer->waits;
    if (peer->link.state != TAC_LINK_UP) return;
    size_t kept = waits->next - waits->begin + (peer->isKnown ? 0 : peer->sent);
    size_t needed = isKept && kept ? tacLinkUnacknowledged(&peer->link) : 0;
    peer->known.begin = peer->known.next;
    while (waits->begin < waits->next) {
        size_t size = sizeAt(waits, waits->begin);
        if (kept < needed + size) return;
        kept -= size;
        waits->begin += size;
    }
}

/* Sends as much as the socket takes. A packet that was begun is ended before another one, since TLS may have it. */
static void sendOn(tacStorage *s, Peer *peer) {
    size_t n = tacLinkWrite(&peer->link, NULL, 0);
    if (peer->link.state != TAC_LINK_UP) return;
    if (!peer->told && isEmpty(&peer->known)) {
        tacStorageDescribe(s, appendKnown, peer);
        peer->told = true;
    }
    for (;;) {
        if (!peer->begun) peer->isKnown = peer->known.next < peer->known.end;
        Buffer *from = peer->isKnown ? &peer->known : &peer->waits;
        if (from->next == from->end) break;
        size_t size = sizeAt(from, from->next);
        peer->begun = true;
        n = tacLinkWrite(&peer->link, from->bytes + from->next + peer->sent, size - peer->sent);
        if (n == 0) break;
        peer->sent += n;
        if (peer->sent < size) continue;
        from->next += size;
        peer->sent = 0;
        peer->begun = false;
    }
    release(peer, !s->is.listen);
}

/* Whatever comes is passed over; but so the end of a connection is noticed. */
static void readOn(Peer *peer) {
    char bytes[4096];
    for (int turn = 0; turn < TURNS && peer->link.state != TAC_LINK_DOWN; turn++)
        if (tacLinkRead(&peer->link, bytes, sizeof bytes) == 0) return;
}

/* Has the other side not shown its key, or not answered, for too long? */
static bool isSlow(const tacStorage *s, const Peer *peer) {
    if (peer->link.state == TAC_LINK_BEGINS) return tacStoragesNow(s->all) - peer->since > PATIENCE;
    return tacLinkIsSilent(&peer->link, SILENCE);
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
    peer->sent = peer->known.begin = peer->known.next = peer->known.end = 0;
    peer->waits.next = peer->waits.begin;
    peer->begun = peer->told = false;
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
    if (peer->link.state == TAC_LINK_DOWN || !isSlow(s, peer)) return;
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

/* Ends the first connection that has not shown the key, where there are as many as there may be. */
static bool makePlace(Network *own) {
    for (uint32_t i = 0; i < own->count && own->count == CLIENTS; i++)
        if (own->peers[i].link.state == TAC_LINK_BEGINS) endPeer(own, i);
    return own->count < CLIENTS;
}

static void acceptPeers(tacStorage *s) {
    Network *own = s->own;
    uint64_t now = tacStoragesNow(s->all);
    tacLink link;
    for (int turn = 0; turn < TURNS && now >= own->paused; turn++) {
        if (!tacLinkAccept(&link, own->listening, &own->key)) {
            if (link.why[0]) own->paused = now + SECOND;
            return;
        }
        if (!makePlace(own)) {
            tacLinkEnd(&link);
            continue;
        }
        own->peers[own->count++] = (Peer){.link = link, .since = now};
        if (!reserve(s, &own->peers[own->count - 1].waits)) endPeer(own, own->count - 1);
    }
}

static void workAll(tacStorage *s) {
    Network *own = s->own;
    acceptPeers(s);
    for (uint32_t i = own->count; i-- > 0;) {
        Peer *peer = &own->peers[i];
        sendOn(s, peer);
        readOn(peer);
        if (peer->link.state == TAC_LINK_DOWN || isSlow(s, peer)) endPeer(own, i);
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
    bool isPaused = tacStoragesNow(s->all) < own->paused;
    if (own->listening >= 0 && !isPaused && count < room) polled[count++] = (struct pollfd){own->listening, POLLIN, 0};
    for (uint32_t i = 0; i < own->count && count < room; i++) {
        const Peer *peer = &own->peers[i];
        if (peer->link.state == TAC_LINK_DOWN) continue;
        polled[count++] = (struct pollfd){peer->link.socket, tacLinkWaits(&peer->link, isWaiting(peer)), 0};
    }
    return count;
}

static void freeNetwork(Network *own) {
    freeBuffer(&own->peers[0].waits);
    explicit_bzero(&own->key, sizeof own->key);
    free(own);
}

static bool failed(tacStorage *s, char why[TAC_STORAGE_TEXT], const char *problem) {
    snprintf(why, TAC_STORAGE_TEXT, "%s", problem);
    if (s->own) freeNetwork(s->own);
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
    if (s->is.key[0] && !tacSecureNeed(problem, sizeof problem)) return failed(s, why, problem);
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

/* Sends what waits, and waits until it has arrived, for at most a second; then it goes to other storages. */
static void finish(tacStorage *s, Peer *peer) {
    uint64_t end = tacStoragesNow(s->all) + SECOND;
    bool isKept = !s->is.listen;
    Put put = {s, peer};
    for (int left = FINISH; left > 0 && tacStoragesNow(s->all) < end;) {
        if (peer->losses.count) tacLossesTell(&peer->losses, putLoss, &put);
        sendOn(s, peer);
        readOn(peer);
        bool waits = isWaiting(peer);
        if (peer->link.state == TAC_LINK_DOWN || (!waits && !(isKept && !isEmpty(&peer->waits)))) return;
        struct pollfd polled = {peer->link.socket, tacLinkWaits(&peer->link, waits), 0};
        if (poll(&polled, 1, FINISH_STEP) <= 0) left -= FINISH_STEP;
    }
}

/* Gives what waits to other storages. */
static void passOn(tacStorage *s, const Buffer *waits) {
    const uint8_t *end;
    tacrec_packet head;
    const uint8_t *at = waits->bytes + waits->begin, *last = waits->bytes + waits->end;
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
        if (own->listening < 0 && !isEmpty(&peer->waits)) passOn(s, &peer->waits);
        endPeer(own, own->count - 1);
    }
    if (own->listening >= 0) close(own->listening);
    freeNetwork(own);
}

static bool holdsPackets(const tacStorage *s) {
    const Network *own = s->own;
    return own->listening < 0 && !isEmpty(&own->peers[0].waits);
}

const tacStorageClass tacStorageTcp = {
    .open = openTcp, .take = takeTcp, .wait = waitTcp, .work = workTcp, .holds = holdsPackets, .close = closeTcp};

/* ---- UDP --------------------------------------------------------------------------------------------------------- */

typedef enum Sent { SENT, LATER, GONE } Sent;

static Sent sendBytes(tacStorage *s, const uint8_t *bytes, size_t size) {
    const Network *own = s->own;
    if (send(own->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t) size) return SENT;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == EINTR) return LATER;
    tacStorageGone(s, "%s: %s", s->is.address, strerror(errno));
    return GONE;
}

static bool sendKnown(void *data, const tacrec_packet *head, const uint8_t *bytes) {
    return head->size <= DATAGRAM && sendBytes(data, bytes, head->size) == SENT;
}

/* Sends what waits, as far as the socket takes it. False: some of it is left. */
static bool sendWaiting(tacStorage *s) {
    Buffer *waits = &((Network *) s->own)->peers[0].waits;
    while (!isEmpty(waits)) {
        size_t size = sizeAt(waits, waits->begin);
        if (sendBytes(s, waits->bytes + waits->begin, size) != SENT) return false;
        waits->begin = waits->next = waits->begin + size;
    }
    return true;
}

/* What is known is sent again each second, since it may be lost like anything else. */
static void workUdp(tacStorage *s) {
    Network *own = s->own;
    uint64_t now = tacStoragesNow(s->all);
    if (now < s->retry || !sendWaiting(s) || (own->told && now - own->told < SECOND)) return;
    own->told = now;
    tacStorageDescribe(s, sendKnown, s);
}

static bool takeUdp(tacStorage *s, const tacrec_packet *head, const uint8_t *bytes, bool said) {
    Network *own = s->own;
    Buffer *waits = &own->peers[0].waits;
    (void) said;
    if (head->size > DATAGRAM) return false;
    workUdp(s);
    if (tacStoragesNow(s->all) < s->retry) return false;
    Sent sent = isEmpty(waits) ? sendBytes(s, bytes, head->size) : LATER;
    return sent == SENT || (sent == LATER && append(waits, bytes, head->size, s->is.size));
}

static int waitUdp(tacStorage *s, struct pollfd *polled, int room) {
    const Network *own = s->own;
    if (room < 1 || isEmpty(&own->peers[0].waits) || tacStoragesNow(s->all) < s->retry) return 0;
    polled[0] = (struct pollfd){own->socket, POLLOUT, 0};
    return 1;
}

static bool openUdp(tacStorage *s, char why[TAC_STORAGE_TEXT]) {
    if (!openNetwork(s, SOCK_DGRAM, why)) return false;
    Network *own = s->own;
    if (!reserve(s, &own->peers[0].waits)) return failed(s, why, "not enough memory");
    own->socket = socket(own->address.at.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (own->socket < 0 || connect(own->socket, (const struct sockaddr *) &own->address.at, own->address.size)) {
        int problem = errno;
        if (own->socket >= 0) close(own->socket);
        return failed(s, why, strerror(problem));
    }
    if (!tacAddressIsHere(&own->address))
        tacStorageTold(s, "UDP to %s is plain: everyone on the way can read and change it", s->is.address);
    return true;
}

static void closeUdp(tacStorage *s) {
    Network *own = s->own;
    struct pollfd polled = {own->socket, POLLOUT, 0};
    for (int left = FINISH; left > 0 && tacStoragesNow(s->all) >= s->retry && !sendWaiting(s);)
        if (poll(&polled, 1, FINISH_STEP) <= 0) left -= FINISH_STEP;
    if (!isEmpty(&own->peers[0].waits)) passOn(s, &own->peers[0].waits);
    close(own->socket);
    freeNetwork(own);
}

const tacStorageClass tacStorageUdp = {
    .open = openUdp, .take = takeUdp, .wait = waitUdp, .work = workUdp, .holds = holdsPackets, .close = closeUdp};
