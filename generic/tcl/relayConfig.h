/*
 * relayConfig.h -- the configuration of a relay: what is collected, received, stored (tactus_relay(5)).
 */
#ifndef TAC_TCL_RELAY_CONFIG_H
#define TAC_TCL_RELAY_CONFIG_H

#include "base/mem.h"
#include "record/relay.h"

typedef struct tacRelayFolder {
    uint32_t line; /* of the configuration */
    char *path;    /* NULL: the one in which programs share their sensors */
} tacRelayFolder;

typedef struct tacRelayReceived {
    uint32_t line;
    tacReceiveOptions options;
} tacRelayReceived;

typedef struct tacRelayStored {
    uint32_t line;
    tacStorageOptions options;
} tacRelayStored;

typedef struct tacRelayConfig { /* begins with zeros */
    tacrec_collectOptions collect;
    uint32_t kernelLine; /* 0: the kernel is not collected */
    char *events;        /* of the kernel, patterns; NULL: the usual ones */
    TAC_ARRAY(tacRelayFolder) folders;
    TAC_ARRAY(tacRelayReceived *) received;
    TAC_ARRAY(tacRelayStored *) stored;
} tacRelayConfig;

/* Reads a configuration, whose scripts may take so many seconds; 0: no limit. Errors: RELAY ..., FILE ..., MEMORY. Free
 * it in any case. */
tacStatus tacRelayConfigRead(tacRelayConfig *config, const char *path, double seconds, tacError *err);
void tacRelayConfigFree(tacRelayConfig *config);

#endif
