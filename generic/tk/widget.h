/*
 * widget.h -- what the widgets have in common: a window, its command, options, an idle handler, a screen, and how they
 * end.
 *
 *      tacWidgetMake                    window -> record -> born -> options -> hold -> the name of the window
 *      tacWidgetLater                   one call of `idle`, at idle time
 *      command, interpreter deleted     the window goes with it
 *      window destroyed                 dying -> screen, options, command; the record itself when nobody runs in it
 *                                       any more
 *
 * The record of a widget begins with its tacWidget; Tk fills it by the table of options, all offsets being from its
 * begin. The table's last row names tacWidgetOptions, the options that are the same everywhere. Options are
 * transactional: Tk sets them, `hold` makes what they ask for, and either all of them hold or none. Files that include
 * this include <tk.h> first.
 */
#ifndef TAC_TK_WIDGET_H
#define TAC_TK_WIDGET_H

#include "tcl/dispatch.h"
#include "tk/screen.h"

enum {                  /* what an option is about: bits; a widget's own begin with TAC_ABOUT_OWN */
    TAC_ABOUT_SIZE = 1, /* -width, -height, -highlightthickness, which each widget has in its table */
    TAC_ABOUT_SCROLL = 2,
    TAC_ABOUT_LOOK = 4,
    TAC_ABOUT_OWN = 8
};

typedef enum tacAxis { TAC_AXIS_X, TAC_AXIS_Y, TAC_AXES } tacAxis;

typedef struct tacWidgetClass { /* `widget` is the record */
    const char *name;           /* in the option database */
    size_t size;                /* of the record */
    const Tk_OptionSpec *options;
    const tacSubcommand *subcommands;                    /* with tacWidgetCget and tacWidgetConfigure */
    int about;                                           /* what the options of a new widget are about */
    void (*born)(void *widget);                          /* all but its tacWidget is zero; NULL: nothing to do */
    int (*hold)(void *widget, int about);                /* TCL_ERROR: nothing has changed */
    void (*idle)(void *widget);                          /* may run scripts: afterwards the window may be NULL */
    void (*happened)(void *widget, const XEvent *event); /* exposed, mapped, another size or focus */
    void (*worldChanged)(void *widget);                  /* fonts, or the scaling */
    void (*dying)(void *widget); /* gives back what it has; the window is still there, the screen too */
} tacWidgetClass;

typedef struct tacWidget {
    const tacWidgetClass *class;
    Tk_Window window; /* NULL: destroyed */
    Tcl_Interp *interp;
    Tcl_Command command;
    Tk_OptionTable optionTable;
    tacScreen *screen; /* NULL: not drawn yet */
    bool waiting;      /* the idle handler is due */
    bool focused;
    double told[TAC_AXES][2]; /* fractions last told to the scroll commands; -1: none */
    /* options */
    char *scroll[TAC_AXES], *takeFocus;
    int width, height;  /* pixels wanted, without the highlight */
    int highlightWidth; /* pixels as wanted: see tacWidgetInset */
    XColor *highlightColor, *highlightBackground;
    Tk_Cursor cursor;
} tacWidget;

extern const Tk_OptionSpec tacWidgetOptions[];

/* Runs the command that makes widgets of a class: objv[1] is the path, options follow. */
int tacWidgetMake(const tacWidgetClass *class, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
tacSubcommandProc tacWidgetCget, tacWidgetConfigure;

void tacWidgetLater(tacWidget *w); /* nothing when it waits already, or is destroyed */

/* Pixels of the highlight; no thicker than a picture could bear. */
int tacWidgetInset(const tacWidget *w);
/* The size it has, or as long as it has none, the one it asks for; at least 1. Pixels, without the highlight. */
tacArea tacWidgetInner(const tacWidget *w);
/* The screen is there, of the window's size. False: no memory, or no size. */
bool tacWidgetScreen(tacWidget *w);
/* The highlight, in the colour of the focus. */
void tacWidgetFrame(tacWidget *w);
/* Tells the scroll command of an axis, unless it knows: runs a script, so that afterwards the window may be NULL. */
void tacWidgetTellScroll(tacWidget *w, tacAxis axis, const double fractions[2]);

int64_t tacMicroseconds(void); /* of the clock; for measuring */

#endif
