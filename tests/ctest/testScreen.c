/*
 * testScreen.c -- what a window shows, and the widgets with allocations that fail.
 *
 *      testScreen pixels PATH {x y ...}        the colours at these places of the window, on any visual
 *      testScreen commands                     makes testTimeline, testOpenText, testPicture and testDrawing:
 *                                              tactus::timeline and the others as this library has them, whose
 *                                              allocations the next two are about
 *      testScreen destroy ID                   destroys the toplevel of a window of any program, as a stranger does
 *      testScreen failAt N, testScreen calls   tacMemFailAt, tacMemCalls (base/mem.h)
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/commands.h"
#include "tcl/drawing.h"
#include "tk/picture.h"
#include "tk/timeline.h"

#include <X11/Xutil.h>

/* The server is asked only where the pixel is not the colour itself. */
static Tcl_Obj *colorAt(Tk_Window window, XImage *image, int x, int y) {
    XColor color = {.pixel = XGetPixel(image, x, y)};
    if (image->red_mask == 0xFF0000 && image->green_mask == 0xFF00 && image->blue_mask == 0xFF)
        return Tcl_ObjPrintf("#%06lX", color.pixel & 0xFFFFFF);
    XQueryColor(Tk_Display(window), Tk_Colormap(window), &color);
    return Tcl_ObjPrintf("#%02X%02X%02X", color.red >> 8, color.green >> 8, color.blue >> 8);
}

static int pixels(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tk_Window main = Tk_MainWindow(interp),
              window = main && objc == 4 ? Tk_NameToWindow(interp, Tcl_GetString(objv[2]), main) : NULL;
    Tcl_Size count;
    Tcl_Obj **words, *list;
    int x, y;
    if (!window || Tcl_ListObjGetElements(interp, objv[3], &count, &words) != TCL_OK) return TCL_ERROR;
    XImage *image = XGetImage(Tk_Display(window), Tk_WindowId(window), 0, 0, (unsigned) Tk_Width(window),
        (unsigned) Tk_Height(window), AllPlanes, ZPixmap);
    if (!image) return TCL_ERROR;
    list = Tcl_NewListObj(0, NULL);
    for (Tcl_Size i = 0; i + 1 < count; i += 2) {
        bool known = Tcl_GetIntFromObj(NULL, words[i], &x) == TCL_OK
            && Tcl_GetIntFromObj(NULL, words[i + 1], &y) == TCL_OK && x >= 0 && y >= 0 && x < image->width
            && y < image->height;
        Tcl_ListObjAppendElement(NULL, list, known ? colorAt(window, image, x, y) : Tcl_NewStringObj("none", -1));
    }
    XDestroyImage(image);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int destroy(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tk_Window main = Tk_MainWindow(interp);
    long id;
    if (!main || objc != 3 || Tcl_GetLongFromObj(interp, objv[2], &id) != TCL_OK) return TCL_ERROR;
    Window window = (Window) id, root = None, parent = window, *children;
    unsigned n;
    while (parent != root) {
        window = parent;
        if (!XQueryTree(Tk_Display(main), window, &root, &parent, &children, &n)) return TCL_ERROR;
        XFree(children);
    }
    XDestroyWindow(Tk_Display(main), window);
    XSync(Tk_Display(main), False);
    return TCL_OK;
}

static int commands(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_CreateObjCommand(interp, "testTimeline", tacTimelineCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testOpenText", tacOpenTextCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testPicture", tacPictureCmd, NULL, NULL);
    Tcl_CreateObjCommand(interp, "testDrawing", tacDrawingCmd, NULL, NULL);
    return TCL_OK;
}

static int failAt(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Tcl_WideInt n;
    if (objc != 3 || Tcl_GetWideIntFromObj(interp, objv[2], &n) != TCL_OK) return TCL_ERROR;
    tacMemFailAt((uint64_t) n);
    return TCL_OK;
}

static int calls(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) tacMemCalls()));
    return TCL_OK;
}

static const struct {
    const char *name;
    int (*run)(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
} actions[] = {{"calls", calls}, {"commands", commands}, {"destroy", destroy}, {"failAt", failAt}, {"pixels", pixels},
    {NULL, NULL}};

static int testScreen(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int action;
    (void) data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "action ?arg ...?");
        return TCL_ERROR;
    }
    if (!Tk_InitStubs(interp, "8.6-", 0)
        || Tcl_GetIndexFromObjStruct(interp, objv[1], actions, sizeof *actions, "action", 0, &action) != TCL_OK)
        return TCL_ERROR;
    return actions[action].run(interp, objc, objv);
}

int TacTestScreen_Init(Tcl_Interp *interp) {
    Tcl_CreateObjCommand(interp, "testScreen", testScreen, NULL, NULL);
    return TCL_OK;
}
