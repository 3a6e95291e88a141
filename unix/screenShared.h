/*
 * screenShared.h -- memory that the X server reads by itself (MIT-SHM): pictures in it need not be sent.
 *
 * Whether a server can do that is found by trying: some servers claim it and run on another machine or in another
 * container. <tk.h> comes before this header.
 */
#ifndef TAC_UNIX_SCREEN_SHARED_H
#define TAC_UNIX_SCREEN_SHARED_H

#include "base/port.h"

#include "screenCalls.h"

typedef struct tacShared {
    XShmSegmentInfo segment; /* as XShmPutImage wants it, with its address in shmaddr */
    size_t bytes;            /* 0: none */
} tacShared;

/* Makes memory for pictures of 32 bits a pixel, content undefined. false: there is none that this server can read. */
bool tacSharedNew(tacShared *shared, Tk_Window window, GC gc, size_t bytes);
void tacSharedFree(tacShared *shared, Display *display); /* none is fine */

#endif
