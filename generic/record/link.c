/*
 * link.c -- sockets that do not wait.
 */
#define _GNU_SOURCE /* accept4 */
#include "record/link.h"

#include <ctype.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DATAGRAM_ROOM = 4 << 20 /* bytes of datagrams that wait to be read */ };

/* ---- addresses and keys ------------------------------------------------------------------------------------------ */

static bool copyText(char *to, size_t room, const char *from, size_t length) {
    if (length >= room) return false;
    memcpy(to, from, length);
    to[length] = 0;
    return true;
}

static const char here[] = "127.0.0.1";

/* Splits HOST:PORT; an IPv6 address stands in brackets. */
static bool split(const char *text, char *host, size_t hostRoom, char *port, size_t portRoom) {
    const char *colon = strrchr(text, ':');
    if (!colon) return copyText(host, hostRoom, here, strlen(here)) && copyText(port, portRoom, text, strlen(text));
    size_t length = (size_t) (colon - text);
    if (!copyText(port, portRoom, colon + 1, strlen(colon + 1))) return false;
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') return copyText(host, hostRoom, text + 1, length - 2);
    if (!length || memchr(text, ':', length)) return false;
    /* One address for all that mean this machine; it may have another one by this name as well. */
    if (length == 9 && !memcmp(text, "localhost", 9)) return copyText(host, hostRoom, here, strlen(here));
    return copyText(host, hostRoom, text, length);
}

bool tacAddressOf(tacAddress *address, const char *text, int type, char why[TAC_LINK_TEXT]) {
    char host[256], port[16], *end = port;
    unsigned number = 0;
    bool fine = split(text, host, sizeof host, port, sizeof port);
    for (; fine && isdigit((unsigned char) *end); end++) number = 10 * number + (unsigned) (*end - '0');
    if (!fine || end == port || *end || end - port > 5 || number > 65535) {
        snprintf(why, TAC_LINK_TEXT, "\"%.100s\" is no address: give HOST:PORT, [IPV6]:PORT, or a PORT of this machine",
            text);
        return false;
    }
    struct addrinfo hints = {.ai_socktype = type}, *found;
    int status = getaddrinfo(host, port, &hints, &found);
    if (status) {
        snprintf(why, TAC_LINK_TEXT, "\"%.100s\": %s", host, gai_strerror(status));
        return false;
    }
    *address = (tacAddress){.size = found->ai_addrlen, .type = type};
    memcpy(&address->at, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    return true;
}

bool tacAddressIsHere(const tacAddress *address) {
    if (address->at.ss_family == AF_INET) {
        const struct sockaddr_in *at = (const struct sockaddr_in *) &address->at;
        return ntohl(at->sin_addr.s_addr) >> 24 == 127;
    }
    const struct sockaddr_in6 *at = (const struct sockaddr_in6 *) &address->at;
    return address->at.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&at->sin6_addr);
}

static int digitOf(int c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

bool tacKeyRead(tacKey *key, const char *path, char why[TAC_LINK_TEXT]) {
    struct stat status;
    FILE *file = fopen(path, "re");
    *key = (tacKey){.size = 0};
    if (!file || fstat(fileno(file), &status)) {
        snprintf(why, TAC_LINK_TEXT, "cannot read the key \"%.100s\": %s", path, strerror(errno));
        if (file) fclose(file);
        return false;
    }
    bool own = !(status.st_mode & 077), fine = true;
    uint32_t digits = 0;
    for (int c; fine && (c = getc(file)) != EOF;) {
        if (isspace(c)) continue;
        int digit = digitOf(tolower(c));
        fine = digit >= 0 && digits < 2 * TAC_KEY_MOST;
        if (fine) key->bytes[digits / 2] = (uint8_t) (key->bytes[digits / 2] << 4 | digit);
        digits++;
    }
    fclose(file);
    key->size = digits / 2;
    if (!own) snprintf(why, TAC_LINK_TEXT, "others can read the key \"%.100s\": chmod 600 it", path);
    else if (!fine || digits % 2 || key->size < TAC_KEY_LEAST)
        snprintf(why, TAC_LINK_TEXT, "\"%.100s\" is no key: 64 to 128 hexadecimal digits, as of `openssl rand -hex 32`",
            path);
    else return true;
    return false;
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

int tacListen(const tacAddress *address) {
    int one = 1, room = DATAGRAM_ROOM,
        s = socket(address->at.ss_family, address->type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s < 0) return -1;
    if (address->type == SOCK_STREAM) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    /* Root alone may have more than the system's usual bound. */
    else if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room))
        setsockopt(s, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (!bind(s, (const struct sockaddr *) &address->at, address->size)
        && (address->type != SOCK_STREAM || !listen(s, 16)))
        return s;
    int problem = errno;
    close(s);
    errno = problem;
    return -1;
}

unsigned tacListenPort(int socket) {
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    if (getsockname(socket, (struct sockaddr *) &at, &size)) return 0;
    return ntohs(
        at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *) &at)->sin6_port : ((struct sockaddr_in *) &at)->sin_port);
}

static bool down(tacLink *link, const char *why) {
    tacLinkEnd(link);
    snprintf(link->why, sizeof link->why, "%s", why ? why : "");
    return false;
}

/* The sockets are connected: with a key, TLS begins. */
static bool join(tacLink *link, bool server) {
    static const struct {
        int level, name, value;
    } options[] = {{IPPROTO_TCP, TCP_NODELAY, 1},
        /* The other machine may be gone without a word: it is asked, and is given up after 20 s. */
        {SOL_SOCKET, SO_KEEPALIVE, 1}, {IPPROTO_TCP, TCP_KEEPIDLE, 5}, {IPPROTO_TCP, TCP_KEEPINTVL, 5},
        {IPPROTO_TCP, TCP_KEEPCNT, 3}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(link->socket, options[i].level, options[i].name, &options[i].value, sizeof options[i].value);
    link->joined = true;
    if (!link->key) {
        link->state = TAC_LINK_UP;
        return true;
    }
    link->secure = tacSecureNew(link->socket, server, link->key);
    return link->secure || down(link, "not enough memory");
}

bool tacLinkConnect(tacLink *link, const tacAddress *address, const tacKey *key) {
    *link = (tacLink){.socket = socket(address->at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
        .key = key && key->size ? key : NULL};
    if (link->socket < 0) return down(link, strerror(errno));
    link->state = TAC_LINK_BEGINS;
    if (connect(link->socket, (const struct sockaddr *) &address->at, address->size) && errno != EINPROGRESS
        && errno != EINTR)
        return down(link, strerror(errno));
    return true;
}

bool tacLinkAccept(tacLink *link, int listening, const tacKey *key) {
    *link = (tacLink){
        .socket = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), .key = key && key->size ? key : NULL};
    int problem = errno;
    bool isNone = problem == EAGAIN || problem == EWOULDBLOCK || problem == ECONNABORTED || problem == EINTR;
    if (link->socket < 0) return down(link, isNone ? NULL : strerror(problem));
    link->state = TAC_LINK_BEGINS;
    return join(link, true);
}

/* Looks whether a connection that begins has come about. False: not yet, or never. */
static bool isJoined(tacLink *link) {
    struct pollfd polled = {link->socket, POLLOUT, 0};
    int problem = 0;
    socklen_t size = sizeof problem;
    if (link->state == TAC_LINK_DOWN || link->joined) return link->state != TAC_LINK_DOWN;
    if (poll(&polled, 1, 0) <= 0) return false;
    if (getsockopt(link->socket, SOL_SOCKET, SO_ERROR, &problem, &size)) problem = errno;
    return problem ? down(link, strerror(problem)) : join(link, false);
}

/* What a call that has transferred n bytes, or failed, means. */
static size_t done(tacLink *link, long n, const char *why) {
    if (link->secure && link->state == TAC_LINK_BEGINS && tacSecureIsUp(link->secure)) link->state = TAC_LINK_UP;
    if (n < 0) down(link, why);
    return n > 0 ? (size_t) n : 0;
}

size_t tacLinkWrite(tacLink *link, const void *bytes, size_t size) {
    const char *why = NULL;
    if (!isJoined(link)) return 0;
    long n = link->secure ? tacSecureWrite(link->secure, bytes, size, &why)
                          : send(link->socket, bytes, size, MSG_NOSIGNAL);
    if (link->secure) return done(link, n, why);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return done(link, n, n < 0 ? strerror(errno) : NULL);
}

size_t tacLinkRead(tacLink *link, void *bytes, size_t size) {
    const char *why = NULL;
    if (!isJoined(link)) return 0;
    long n = link->secure ? tacSecureRead(link->secure, bytes, size, &why) : recv(link->socket, bytes, size, 0);
    if (link->secure) return done(link, n, why);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return done(link, n > 0 ? n : -1, n < 0 ? strerror(errno) : NULL);
}

short tacLinkWaits(const tacLink *link, bool writes) {
    if (!link->joined) return POLLOUT;
    /* While TLS begins, it alone knows what it waits for. */
    if (link->secure && link->state == TAC_LINK_BEGINS) writes = false;
    if (link->secure && tacSecureWrites(link->secure)) writes = true;
    return (short) (POLLIN | (writes ? POLLOUT : 0));
}

size_t tacLinkUnacknowledged(const tacLink *link) {
    int bytes = 0;
    return link->socket >= 0 && !ioctl(link->socket, SIOCOUTQ, &bytes) && bytes > 0 ? (size_t) bytes : 0;
}

bool tacLinkIsSilent(const tacLink *link, uint32_t milliseconds) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (link->state != TAC_LINK_UP || getsockopt(link->socket, IPPROTO_TCP, TCP_INFO, &info, &size)) return false;
    /* After a pause the last answer is old as well: what was sent has to have been sent again without one. */
    return info.tcpi_unacked > 0 && info.tcpi_retransmits > 1 && info.tcpi_last_ack_recv > milliseconds;
}

void tacLinkEnd(tacLink *link) {
    if (link->state != TAC_LINK_DOWN && link->secure) tacSecureFree(link->secure);
    link->secure = NULL;
    if (link->socket >= 0) close(link->socket);
    link->socket = -1;
    link->state = TAC_LINK_DOWN;
    link->why[0] = 0;
}
