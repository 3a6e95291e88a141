/*
 * screenShared.c -- a segment of shared memory, attached here and by the X server.
 *
 * Three things can go wrong after the server has said that it knows the extension. It may refuse to attach: that is an
 * X error, which is awaited. It may attach another segment with the same number, of the machine that it runs on: so a
 * few unique pixels are put from the segment into a pixmap, and read back. And this process may end at any time: so the
 * segment is removed as soon as both have attached it, and lives until both have detached it.
 */
#include <tcl.h>
#include <tk.h>

#include "screenShared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

enum { PROOF = 8 }; /* pixels */

static int noteError(ClientData data, XErrorEvent *event) {
    *(bool *) data = true;
    (void) event;
    return 0;
}

/* Lets the server attach the segment, and waits for its answer or error. */
static bool attach(Display *display, tacShared *shared) {
    bool failed = false;
    Tk_ErrorHandler handler = Tk_CreateErrorHandler(display, -1, -1, -1, noteError, &failed);
    bool asked = XShmAttach(display, &shared->segment);
    XSync(display, False);
    Tk_DeleteErrorHandler(handler);
    return asked && !failed;
}

/* ---- the proof -------------------------------------------------------------------------------------------------- */

/* Makes numbers that differ for each segment, process and time. */
static void fillProof(const tacShared *shared, uint32_t proof[PROOF]) {
    Tcl_Time now;
    Tcl_GetTime(&now);
    uint64_t random = (uint64_t) now.usec << 32 ^ (uint64_t) now.sec ^ (uint64_t) (uintptr_t) shared->segment.shmaddr;
    for (int i = 0; i < PROOF; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        proof[i] = (uint32_t) (random >> 40); /* 24 bits: a pixel has no more */
    }
}

/* Tells whether the pixmap has these pixels. */
static bool comesBack(Display *display, Pixmap pixmap, const uint32_t proof[PROOF]) {
    XImage *image = XGetImage(display, pixmap, 0, 0, PROOF, 1, AllPlanes, ZPixmap);
    bool same = image != NULL;
    for (int i = 0; same && i < PROOF; i++) same = (XGetPixel(image, i, 0) & 0xFFFFFF) == proof[i];
    if (image) XDestroyImage(image);
    return same;
}

/* Tells whether the server reads from the segment the pixels that were written into it. */
static bool isProved(tacShared *shared, Tk_Window window, GC gc) {
    Display *display = Tk_Display(window);
    unsigned depth = (unsigned) Tk_Depth(window);
    uint32_t proof[PROOF];
    XImage *image = XShmCreateImage(
        display, Tk_Visual(window), depth, ZPixmap, shared->segment.shmaddr, &shared->segment, PROOF, 1);
    if (!image) return false;
    fillProof(shared, proof);
    memcpy(shared->segment.shmaddr, proof, sizeof proof);
    bool failed = false;
    Tk_ErrorHandler handler = Tk_CreateErrorHandler(display, -1, -1, -1, noteError, &failed);
    Pixmap pixmap = Tk_GetPixmap(display, Tk_WindowId(window), PROOF, 1, (int) depth);
    bool proved = image->bits_per_pixel == 32 && XShmPutImage(display, pixmap, gc, image, 0, 0, 0, 0, PROOF, 1, False);
    proved = proved && comesBack(display, pixmap, proof);
    Tk_FreePixmap(display, pixmap);
    Tk_DeleteErrorHandler(handler);
    image->data = NULL;
    XDestroyImage(image);
    return proved && !failed;
}

/* ---- a segment -------------------------------------------------------------------------------------------------- */

/* Makes a segment and attaches it here. */
static bool makeSegment(tacShared *shared, size_t bytes) {
    memset(shared, 0, sizeof *shared);
    shared->segment.shmid = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (shared->segment.shmid < 0) return false;
    void *at = shmat(shared->segment.shmid, NULL, 0);
    if (at == (void *) -1) {
        shmctl(shared->segment.shmid, IPC_RMID, NULL);
        return false;
    }
    shared->segment.shmaddr = at;
    shared->segment.readOnly = True;
    return true;
}

bool tacSharedNew(tacShared *shared, Tk_Window window, GC gc, size_t bytes) {
    shared->bytes = 0;
    if (!XShmQueryExtension(Tk_Display(window)) || !makeSegment(shared, bytes)) return false;
    bool attached = attach(Tk_Display(window), shared);
    shmctl(shared->segment.shmid, IPC_RMID, NULL);
    if (attached) shared->bytes = bytes;
    if (attached && isProved(shared, window, gc)) return true;
    if (attached) tacSharedFree(shared, Tk_Display(window));
    else shmdt(shared->segment.shmaddr);
    return false;
}

void tacSharedFree(tacShared *shared, Display *display) {
    if (!shared->bytes) return;
    XShmDetach(display, &shared->segment); /* requests are done in order: reading is over by then */
    shmdt(shared->segment.shmaddr);
    shared->bytes = 0;
}
