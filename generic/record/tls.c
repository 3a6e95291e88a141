/*
 * tls.c -- TLS by GnuTLS: libtactustls.so, where all that is not static is visible.
 */
#include "record/secure.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <stdlib.h>
#include <string.h>

struct tacSecure {
    gnutls_session_t session;
    gnutls_psk_client_credentials_t client;
    gnutls_psk_server_credentials_t server;
    tacKey key;
    bool up;
    bool pending; /* what was written last was not sent: it is tried again without bytes */
};

static const char user[] = "tactus";
static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:-KX-ALL:+ECDHE-PSK";

static int keyOf(gnutls_session_t session, const char *name, gnutls_datum_t *key) {
    const tacSecure *s = gnutls_session_get_ptr(session);
    if (strcmp(name, user)) return -1;
    key->data = gnutls_malloc(s->key.size);
    if (!key->data) return -1;
    key->size = s->key.size;
    memcpy(key->data, s->key.bytes, s->key.size);
    return 0;
}

static int begin(tacSecure *s, bool server) {
    int status = gnutls_init(
        &s->session, (server ? GNUTLS_SERVER : GNUTLS_CLIENT) | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
    if (status < 0) return status;
    gnutls_session_set_ptr(s->session, s);
    status = gnutls_priority_set_direct(s->session, priorities, NULL);
    if (status < 0) return status;
    if (server) {
        status = gnutls_psk_allocate_server_credentials(&s->server);
        if (status < 0) return status;
        gnutls_psk_set_server_credentials_function(s->server, keyOf);
        return gnutls_credentials_set(s->session, GNUTLS_CRD_PSK, s->server);
    }
    status = gnutls_psk_allocate_client_credentials(&s->client);
    if (status < 0) return status;
    gnutls_datum_t key = {s->key.bytes, s->key.size};
    status = gnutls_psk_set_client_credentials(s->client, user, &key, GNUTLS_PSK_KEY_RAW);
    return status < 0 ? status : gnutls_credentials_set(s->session, GNUTLS_CRD_PSK, s->client);
}

static void freeSecure(tacSecure *s) {
    if (!s) return;
    if (s->session) {
        if (s->up) gnutls_bye(s->session, GNUTLS_SHUT_WR);
        gnutls_deinit(s->session);
    }
    if (s->client) gnutls_psk_free_client_credentials(s->client);
    if (s->server) gnutls_psk_free_server_credentials(s->server);
    gnutls_memset(&s->key, 0, sizeof s->key);
    free(s);
}

static tacSecure *newSecure(int socket, bool server, const tacKey *key) {
    tacSecure *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->key = *key;
    if (begin(s, server) < 0) {
        freeSecure(s);
        return NULL;
    }
    gnutls_transport_set_int(s->session, socket);
    return s;
}

/* 0: not now; -1: it is over. */
static long failed(long status, const char **why) {
    int problem = errno;
    if (status == GNUTLS_E_AGAIN || status == GNUTLS_E_INTERRUPTED || status == GNUTLS_E_WARNING_ALERT_RECEIVED)
        return 0;
    switch (status) {
    case GNUTLS_E_DECRYPTION_FAILED:
    case GNUTLS_E_INSUFFICIENT_CREDENTIALS:
    case GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER:
    case GNUTLS_E_FATAL_ALERT_RECEIVED: *why = "the other side has another key"; break;
    case GNUTLS_E_UNEXPECTED_PACKET_LENGTH:
    case GNUTLS_E_UNEXPECTED_PACKET:
    case GNUTLS_E_UNSUPPORTED_VERSION_PACKET:
    case GNUTLS_E_RECORD_OVERFLOW: *why = "the other side does not use a key"; break;
    case GNUTLS_E_PULL_ERROR:
    case GNUTLS_E_PUSH_ERROR: *why = problem ? strerror(problem) : "the connection broke"; break;
    default: *why = gnutls_strerror((int) status);
    }
    return -1;
}

/* 1: both sides have shown their key; else as `failed`. */
static long goOn(tacSecure *s, const char **why) {
    if (s->up) return 1;
    int status = gnutls_handshake(s->session);
    if (status < 0) {
        if (gnutls_error_is_fatal(status)) gnutls_alert_send_appropriate(s->session, status);
        if (status == GNUTLS_E_PREMATURE_TERMINATION) return *why = "the other side did not show a key", -1;
        return failed(status, why);
    }
    s->up = true;
    return 1;
}

static long writeSecure(tacSecure *s, const void *bytes, size_t size, const char **why) {
    long up = goOn(s, why);
    if (up <= 0 || size == 0) return up < 0 ? -1 : 0;
    long n = s->pending ? gnutls_record_send(s->session, NULL, 0) : gnutls_record_send(s->session, bytes, size);
    s->pending = n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED;
    return n < 0 ? failed(n, why) : n;
}

static long readSecure(tacSecure *s, void *bytes, size_t size, const char **why) {
    long up = goOn(s, why);
    if (up <= 0) return up;
    long n = gnutls_record_recv(s->session, bytes, size);
    if (n == 0) *why = NULL;
    return n == 0 ? -1 : n < 0 ? failed(n, why) : n;
}

static bool isUp(const tacSecure *s) { return s->up; }

static bool writes(const tacSecure *s) {
    return (s->pending || !s->up) && gnutls_record_get_direction(s->session) == 1;
}

const tacSecureCalls tacSecureTls = {newSecure, freeSecure, writeSecure, readSecure, isUp, writes};
