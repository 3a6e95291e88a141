/*
 * noTls.c -- a build without TLS: connections with a key cannot be made.
 */
#include "record/secure.h"

#include <stdio.h>

bool tacSecureNeed(char *why, size_t size) {
    snprintf(why, size, "this program was built without TLS: build it with libgnutls28-dev");
    return false;
}

tacSecure *tacSecureNew(int socket, bool server, const tacKey *key) {
    (void) socket, (void) server, (void) key;
    return NULL;
}

void tacSecureFree(tacSecure *secure) { (void) secure; }

static const char none[] = "this program was built without TLS (GnuTLS)";

long tacSecureWrite(tacSecure *secure, const void *bytes, size_t size, const char **why) {
    (void) secure, (void) bytes, (void) size;
    *why = none;
    return -1;
}

long tacSecureRead(tacSecure *secure, void *bytes, size_t size, const char **why) {
    (void) secure, (void) bytes, (void) size;
    *why = none;
    return -1;
}

bool tacSecureIsUp(const tacSecure *secure) {
    (void) secure;
    return false;
}

bool tacSecureWrites(const tacSecure *secure) {
    (void) secure;
    return false;
}
