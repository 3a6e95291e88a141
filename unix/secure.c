/*
 * secure.c -- connections with a key (record/secure.h), by the functions of libtactustls.so (tls.c).
 */
#include "base/port.h"

#include "base/late.h"
#include "record/secure.h"

#include <stdio.h>

static const tacSecureCalls *tls;

/* There in programs that are linked with it. */
TAC_OPTIONAL extern const tacSecureCalls tacSecureTls;

bool tacSecureNeed(char *why, size_t size) {
    char reason[TAC_LATE_TEXT];
    if (!tls) tls = &tacSecureTls ? &tacSecureTls : tacLate("libtactustls.so", "tacSecureTls", reason);
    if (!tls) snprintf(why, size, "%s", reason);
    return tls != NULL;
}

tacSecure *tacSecureNew(int socket, bool server, const tacKey *key) {
    return tls ? tls->new (socket, server, key) : NULL;
}

void tacSecureFree(tacSecure *secure) {
    if (secure) tls->free(secure);
}

long tacSecureWrite(tacSecure *secure, const void *bytes, size_t size, const char **why) {
    return tls->write(secure, bytes, size, why);
}

long tacSecureRead(tacSecure *secure, void *bytes, size_t size, const char **why) {
    return tls->read(secure, bytes, size, why);
}

bool tacSecureIsUp(const tacSecure *secure) { return tls->isUp(secure); }

bool tacSecureWrites(const tacSecure *secure) { return tls->writes(secure); }
