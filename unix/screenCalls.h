/*
 * screenCalls.h -- the functions of X that Tactus calls, by way of a table in libtactusdraw.so (view/drawCalls.h says
 * why). <tk.h> comes before it.
 */
#ifndef TAC_UNIX_SCREEN_CALLS_H
#define TAC_UNIX_SCREEN_CALLS_H

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>

/* clang-format off */
#define TAC_X_CALLS(F)                                                                                                 \
    F(XCreateGC) F(XCreateImage) F(XCreateRegion) F(XDestroyRegion) F(XFreeGC) F(XGetImage) F(XInitImage)              \
    F(XPutImage) F(XSetClipMask) F(XSetIOErrorHandler) F(XSetRegion) F(XShmAttach) F(XShmCreateImage)                  \
    F(XShmDetach) F(XShmPutImage) F(XShmQueryExtension) F(XSubtractRegion) F(XSync) F(XUnionRectWithRegion)
/* clang-format on */

typedef struct tacScreenCalls {
#define TAC_X_CALL(name) __typeof__(&name) name;
    TAC_X_CALLS(TAC_X_CALL)
#undef TAC_X_CALL
} tacScreenCalls;

/* NULL until tacScreenNeed (tk/screen.h) has been called. */
extern const tacScreenCalls *tacScreenX;

#ifndef TAC_SCREEN_TABLE
#define XCreateGC tacScreenX->XCreateGC
#define XCreateImage tacScreenX->XCreateImage
#define XCreateRegion tacScreenX->XCreateRegion
#define XDestroyRegion tacScreenX->XDestroyRegion
#define XFreeGC tacScreenX->XFreeGC
#define XGetImage tacScreenX->XGetImage
#define XInitImage tacScreenX->XInitImage
#define XPutImage tacScreenX->XPutImage
#define XSetClipMask tacScreenX->XSetClipMask
#define XSetIOErrorHandler tacScreenX->XSetIOErrorHandler
#define XSetRegion tacScreenX->XSetRegion
#define XShmAttach tacScreenX->XShmAttach
#define XShmCreateImage tacScreenX->XShmCreateImage
#define XShmDetach tacScreenX->XShmDetach
#define XShmPutImage tacScreenX->XShmPutImage
#define XShmQueryExtension tacScreenX->XShmQueryExtension
#define XSubtractRegion tacScreenX->XSubtractRegion
#define XSync tacScreenX->XSync
#define XUnionRectWithRegion tacScreenX->XUnionRectWithRegion
#endif

#endif
