/*
 * follow.c -- a receiver and its thread, which waits for the socket.
 */
#include "record/follow.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT = 20,   /* milliseconds until it is asked whether it is to end */
    REMARKS = 8, /* that wait to be read */
    POLLED = 8
};

struct tacFollow {
    pthread_t thread;
    tacReceiver *receiver; /* the thread's */
    bool ends;
    pthread_mutex_t lock; /* of the remarks: */
    char remarks[REMARKS][TAC_LINK_TEXT];
    uint32_t count;
};

/* Keeps a sentence; those that nobody reads make no room for others. */
static void say(void *data, const char *text) {
    tacFollow *follow = data;
    pthread_mutex_lock(&follow->lock);
    if (follow->count < REMARKS) snprintf(follow->remarks[follow->count++], TAC_LINK_TEXT, "%s", text);
    pthread_mutex_unlock(&follow->lock);
}

bool tacFollowRemark(tacFollow *follow, char *text, size_t room) {
    pthread_mutex_lock(&follow->lock);
    bool is = follow->count > 0;
    if (is) {
        snprintf(text, room, "%s", follow->remarks[0]);
        memmove(follow->remarks[0], follow->remarks[1], sizeof follow->remarks[0] * --follow->count);
    }
    pthread_mutex_unlock(&follow->lock);
    return is;
}

static void *run(void *data) {
    tacFollow *follow = data;
    struct pollfd polled[POLLED];
    while (!__atomic_load_n(&follow->ends, __ATOMIC_RELAXED)) {
        int count = tacReceiverWait(follow->receiver, polled, POLLED);
        poll(polled, (nfds_t) count, WAIT);
        tacReceiverWork(follow->receiver);
    }
    return NULL;
}

static tacFollow *newFollow(tacrec_take *take, void *takes) {
    tacFollow *follow = calloc(1, sizeof *follow);
    if (!follow) return NULL;
    pthread_mutex_init(&follow->lock, NULL);
    follow->receiver = tacReceiverNew(say, follow, take, takes, NULL);
    return follow;
}

static void freeFollow(tacFollow *follow) {
    if (follow->receiver) tacReceiverFree(follow->receiver);
    pthread_mutex_destroy(&follow->lock);
    free(follow);
}

tacFollow *tacFollowNew(const char *address, const char *key, tacrec_take *take, void *takes, char why[TAC_LINK_TEXT]) {
    tacReceiveOptions options = {.connects = true};
    snprintf(why, TAC_LINK_TEXT, "not enough memory");
    if (strlen(address) >= sizeof options.address || (key && strlen(key) >= sizeof options.key))
        return snprintf(why, TAC_LINK_TEXT, "the address or the name of the key's file is too long"), NULL;
    snprintf(options.address, sizeof options.address, "%s", address);
    snprintf(options.key, sizeof options.key, "%s", key ? key : "");
    tacFollow *follow = newFollow(take, takes);
    if (!follow) return NULL;
    bool runs = follow->receiver && tacReceiverAdd(follow->receiver, &options, why)
        && pthread_create(&follow->thread, NULL, run, follow) == 0;
    if (runs) return follow;
    freeFollow(follow);
    return NULL;
}

void tacFollowFree(tacFollow *follow) {
    if (!follow) return;
    __atomic_store_n(&follow->ends, true, __ATOMIC_RELAXED);
    pthread_join(follow->thread, NULL);
    freeFollow(follow);
}
