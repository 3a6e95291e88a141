/*
 * secure.h -- a connection that only those can read and write who have the same key: TLS 1.3 with a pre-shared key, by
 * GnuTLS (tls.c), in a library of its own that is loaded at the first one (secure.c), since GnuTLS takes longer to load
 * than most commands take; noTls.c where configure did not find it.
 *
 * The key is secret random bytes; each connection has a key of its own besides (ECDHE), so who learns the shared one
 * later cannot read what was sent before.
 */
#ifndef TAC_RECORD_SECURE_H
#define TAC_RECORD_SECURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TAC_KEY_LEAST = 32, TAC_KEY_MOST = 64 }; /* bytes */

typedef struct tacKey {
    uint32_t size; /* bytes; 0: none */
    uint8_t bytes[TAC_KEY_MOST];
} tacKey;

typedef struct tacSecure tacSecure;

/* To be called before any other: can there be connections with a key? False: why not. */
bool tacSecureNeed(char *why, size_t size);
/* Begins with a connected socket, which does not wait and stays the caller's. NULL: no memory, or no TLS. */
tacSecure *tacSecureNew(int socket, bool server, const tacKey *key);
void tacSecureFree(tacSecure *secure);
/* Bytes that were written or read; 0: none now; -1: the connection has ended, as *why says (NULL: in order). What was
 * not written is to be given again, as it was. */
long tacSecureWrite(tacSecure *secure, const void *bytes, size_t size, const char **why);
long tacSecureRead(tacSecure *secure, void *bytes, size_t size, const char **why);
/* Have both sides shown that they have the key? */
bool tacSecureIsUp(const tacSecure *secure);
/* Does it wait for the socket to take more, rather than for what comes? */
bool tacSecureWrites(const tacSecure *secure);

/* What these functions do, in the library that is loaded. */
typedef struct tacSecureCalls {
    tacSecure *(*new)(int socket, bool server, const tacKey *key);
    void (*free)(tacSecure *secure);
    long (*write)(tacSecure *secure, const void *bytes, size_t size, const char **why);
    long (*read)(tacSecure *secure, void *bytes, size_t size, const char **why);
    bool (*isUp)(const tacSecure *secure);
    bool (*writes)(const tacSecure *secure);
} tacSecureCalls;

#endif
