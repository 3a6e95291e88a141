/*
 * receive.c -- packets that others send.
 */
#define _GNU_SOURCE
#include "record/receive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DOORS = 64,      /* addresses */
    GUESTS = 32,     /* connections of one address */
    READ = 64 << 10, /* bytes that are read at once */
    ROOM = TACREC_PACKET_MOST + 2 * READ,
    TURNS = 64,            /* so often a socket is read in one call of the work */
    SENTENCES = 10,        /* that an address tells in a second: strangers may make it tell many */
    DAMAGE_MOST = 16 << 20 /* bytes of damage that are looked at twice, of a connection */
};
static const uint64_t SECOND = 1000000000, PATIENCE = 5000000000; /* to show the key */

typedef struct Guest { /* a connection */
    tacLink link;
    uint8_t *bytes; /* ROOM of them */
    size_t begin, end;
    uint64_t budget; /* of tacrec_packetFindWithin */
    uint64_t since;  /* when it began */
    bool isUp;       /* that was said */
    bool begun;      /* with a packet */
} Guest;

typedef struct Door { /* an address */
    tacReceiveOptions is;
    tacAddress address;
    tacKey key;
    int socket; /* listening, or UDP; -1: it connects */
    Guest guests[GUESTS];
    uint32_t count;
    uint64_t retry; /* nothing is connected or accepted until then */
    bool gone;      /* that was said */
    uint64_t toldAt;
    uint32_t told, untold; /* sentences in the second from then on */
} Door;

struct tacReceiver {
    Door *doors[DOORS];
    uint32_t count;
    tacReceiveCount counted;
    uint8_t *datagram;
    void (*say)(void *data, const char *text);
    void *data;
    tacrec_take *take;
    void *takes;
    uint64_t (*now)(void);
};

static uint64_t monotonic(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * SECOND + (uint64_t) t.tv_nsec;
}

static void tell(const tacReceiver *r, const Door *door, const char *what, const char *why) {
    char text[TAC_RECEIVE_ADDRESS + 2 * TAC_LINK_TEXT];
    snprintf(text, sizeof text, "receive %s %s: %s%s%s", door->is.datagrams ? "udp" : "tcp", door->is.address, what,
        why[0] ? ": " : "", why);
    r->say(r->data, text);
}

/* Tells of an address, but not more than some sentences a second. */
static void told(const tacReceiver *r, Door *door, const char *what, const char *why) {
    uint64_t now = r->now();
    if (now - door->toldAt >= SECOND) {
        char text[80];
        snprintf(text, sizeof text, "%u more of such sentences are left out", (unsigned) door->untold);
        if (door->untold) tell(r, door, text, "");
        door->toldAt = now;
        door->told = door->untold = 0;
    }
    if (door->told++ < SENTENCES) tell(r, door, what, why);
    else door->untold++;
}

/* ---- packets ----------------------------------------------------------------------------------------------------- */

/* Do the bytes begin as a packet does? */
static bool isBegun(const uint8_t *at, const uint8_t *end) {
    static const char magic[8] = TACREC_STREAM_MAGIC;
    size_t there = (size_t) (end - at);
    return !memcmp(at, magic, there < sizeof magic ? there : sizeof magic);
}

/* Does a packet begin here whose end has not come yet? */
static bool isCut(const uint8_t *at, const uint8_t *end) {
    size_t there = (size_t) (end - at);
    if (there < 12 || !isBegun(at, end)) return isBegun(at, end);
    uint32_t size = at[8] | (uint32_t) at[9] << 8 | (uint32_t) at[10] << 16 | (uint32_t) at[11] << 24;
    return size <= TACREC_PACKET_MOST && there < size;
}

/* Hands on all whole packets; returns the first byte behind them that may belong to another one. */
static const uint8_t *handOn(tacReceiver *r, const uint8_t *at, const uint8_t *end, uint64_t *budget) {
    tacrec_packet head;
    const uint8_t *next;
    while (!isCut(at, end)) {
        const uint8_t *packet = tacrec_packetFindWithin(at, end, budget, &head, &next);
        r->counted.damaged += (uint64_t) ((packet ? packet : next) - at);
        if (!packet) return next;
        r->counted.packets++;
        r->counted.bytes += head.size;
        r->take(r->takes, &head, packet);
        at = next;
    }
    return at;
}

static void readDatagrams(tacReceiver *r, const Door *door) {
    for (int turn = 0; turn < TURNS; turn++) {
        long n = recv(door->socket, r->datagram, READ, 0);
        if (n < 0) return;
        uint64_t budget = READ;
        const uint8_t *end = r->datagram + n;
        r->counted.damaged += (uint64_t) (end - handOn(r, r->datagram, end, &budget));
    }
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static bool beginGuest(Guest *guest, const tacLink *link, uint64_t now) {
    *guest = (Guest){.link = *link, .bytes = malloc(ROOM), .budget = DAMAGE_MOST, .since = now};
    return guest->bytes != NULL;
}

static void endGuest(Door *door, uint32_t i) {
    Guest *guest = &door->guests[i];
    tacLinkEnd(&guest->link);
    free(guest->bytes);
    door->count--;
    memmove(guest, guest + 1, (door->count - i) * sizeof *guest);
}

/* Reads what has come. False: the connection is over, or sends no packets. */
static bool readGuest(tacReceiver *r, Door *door, Guest *guest) {
    for (int turn = 0; turn < TURNS; turn++) {
        if (ROOM - guest->end < READ) {
            memmove(guest->bytes, guest->bytes + guest->begin, guest->end - guest->begin);
            guest->end -= guest->begin;
            guest->begin = 0;
        }
        size_t n = tacLinkRead(&guest->link, guest->bytes + guest->end, READ);
        if (guest->link.state == TAC_LINK_UP && !guest->isUp) {
            guest->isUp = true;
            told(r, door, "connected", "");
        }
        if (n == 0) break;
        guest->end += n;
        if (!guest->begun && !(guest->begun = isBegun(guest->bytes, guest->bytes + guest->end))) {
            told(r, door, "what comes is no stream of packets (or has a key): the connection is ended", "");
            return false;
        }
        const uint8_t *left = handOn(r, guest->bytes + guest->begin, guest->bytes + guest->end, &guest->budget);
        guest->begin = (size_t) (left - guest->bytes);
        if (guest->budget == 0) {
            told(r, door, "what comes is no stream of packets: the connection is ended", "");
            return false;
        }
    }
    if (guest->link.state != TAC_LINK_DOWN) return true;
    if (door->socket >= 0) told(r, door, "a connection has ended", guest->link.why);
    return false;
}

/* Ends the oldest connection that has sent no packet, where there are as many as there may be. */
static bool makePlace(Door *door) {
    for (uint32_t i = 0; i < door->count && door->count == GUESTS; i++)
        if (!door->guests[i].begun) endGuest(door, i);
    return door->count < GUESTS;
}

static void acceptGuests(tacReceiver *r, Door *door) {
    uint64_t now = r->now();
    tacLink link;
    for (int turn = 0; turn < TURNS && now >= door->retry; turn++) {
        if (!tacLinkAccept(&link, door->socket, &door->key)) {
            if (!link.why[0]) return;
            door->retry = now + SECOND;
            told(r, door, "cannot take connections; tried again in a second", link.why);
            return;
        }
        bool fits = makePlace(door);
        if (!fits) told(r, door, "there are as many connections as there may be: one more is refused", "");
        if (fits && beginGuest(&door->guests[door->count], &link, now)) door->count++;
        else tacLinkEnd(&link);
    }
}

/* Connects, once a second; says once that it does not succeed. */
static void reach(tacReceiver *r, Door *door) {
    tacLink link;
    if (door->count || r->now() < door->retry) return;
    door->retry = r->now() + SECOND;
    if (tacLinkConnect(&link, &door->address, &door->key)) {
        if (beginGuest(&door->guests[0], &link, r->now())) door->count = 1;
        else tacLinkEnd(&link);
    } else if (!door->gone) {
        door->gone = true;
        told(r, door, "cannot connect; tried again each second", link.why);
    }
}

static void workDoor(tacReceiver *r, Door *door) {
    if (door->is.connects) reach(r, door);
    else acceptGuests(r, door);
    for (uint32_t i = door->count; i-- > 0;) {
        Guest *guest = &door->guests[i];
        bool goesOn = readGuest(r, door, guest);
        bool isSlow = guest->link.state == TAC_LINK_BEGINS && r->now() - guest->since > PATIENCE;
        if (guest->isUp) door->gone = false;
        if (goesOn && !isSlow) continue;
        if (door->is.connects && !door->gone) {
            door->gone = true;
            const char *why = guest->link.why[0] ? guest->link.why
                : isSlow                         ? "no answer"
                                                 : "the other side has ended it";
            told(r, door, "not connected; tried again each second", why);
        }
        endGuest(door, i);
    }
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool openSocket(Door *door, char why[TAC_LINK_TEXT]) {
    if (door->is.connects) return true;
    door->socket = tacListen(&door->address);
    if (door->socket < 0)
        snprintf(why, TAC_LINK_TEXT, "cannot listen at %.150s: %s", door->is.address, strerror(errno));
    return door->socket >= 0;
}

static bool openDoor(Door *door, char why[TAC_LINK_TEXT]) {
    bool hasKey = door->is.key[0] != 0;
    if (!tacAddressOf(&door->address, door->is.address, door->is.datagrams ? SOCK_DGRAM : SOCK_STREAM, why))
        return false;
    if (hasKey && !tacKeyRead(&door->key, door->is.key, why)) return false;
    if (hasKey && !tacSecureNeed(why, TAC_LINK_TEXT)) return false;
    if (!hasKey && !door->is.datagrams && !tacAddressIsHere(&door->address)) {
        snprintf(why, TAC_LINK_TEXT,
            "TCP with other machines needs a key: give -key FILE (`openssl rand -hex 32`, chmod 600)");
        return false;
    }
    return openSocket(door, why);
}

tacReceiver *tacReceiverNew(
    void (*say)(void *data, const char *text), void *data, tacrec_take *take, void *takes, uint64_t (*now)(void)) {
    tacReceiver *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (tacReceiver){.say = say, .data = data, .take = take, .takes = takes, .now = now ? now : monotonic};
    r->datagram = malloc(READ);
    if (r->datagram) return r;
    free(r);
    return NULL;
}

bool tacReceiverAdd(tacReceiver *r, const tacReceiveOptions *options, char why[TAC_LINK_TEXT]) {
    Door *door = r->count < DOORS ? calloc(1, sizeof *door) : NULL;
    if (!door) {
        snprintf(why, TAC_LINK_TEXT, r->count < DOORS ? "not enough memory" : "more than 64 addresses");
        return false;
    }
    door->is = *options;
    door->socket = -1;
    if (!openDoor(door, why)) {
        free(door);
        return false;
    }
    r->doors[r->count++] = door;
    if (door->is.datagrams && !tacAddressIsHere(&door->address))
        told(r, door, "UDP is plain: everyone on the way can read and change it, and anyone can send to it", "");
    return true;
}

unsigned tacReceiverPort(const tacReceiver *r, uint32_t n) {
    return n < r->count && r->doors[n]->socket >= 0 ? tacListenPort(r->doors[n]->socket) : 0;
}

int tacReceiverWait(const tacReceiver *r, struct pollfd *polled, int room) {
    int count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const Door *door = r->doors[i];
        bool isOpen = door->socket >= 0 && r->now() >= door->retry;
        if (isOpen && count < room) polled[count++] = (struct pollfd){door->socket, POLLIN, 0};
        for (uint32_t k = 0; k < door->count && count < room; k++) {
            const tacLink *link = &door->guests[k].link;
            polled[count++] = (struct pollfd){link->socket, tacLinkWaits(link, false), 0};
        }
    }
    return count;
}

void tacReceiverWork(tacReceiver *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->doors[i]->is.datagrams) readDatagrams(r, r->doors[i]);
        else workDoor(r, r->doors[i]);
    }
}

tacReceiveCount tacReceiverCount(const tacReceiver *r) {
    tacReceiveCount count = r->counted;
    count.connections = 0;
    for (uint32_t i = 0; i < r->count; i++) count.connections += r->doors[i]->count;
    return count;
}

void tacReceiverFree(tacReceiver *r) {
    if (!r) return;
    for (uint32_t i = 0; i < r->count; i++) {
        Door *door = r->doors[i];
        while (door->count) endGuest(door, door->count - 1);
        if (door->socket >= 0) close(door->socket);
        explicit_bzero(&door->key, sizeof door->key);
        free(door);
    }
    free(r->datagram);
    free(r);
}
