/*
 * widget.h -- the common parts of the widgets, in the manner and the words of Ttk: a record, a table of options, a
 * table of subcommands, and the hooks of a specification.
 *
 *      constructor    window -> record -> initialize -> options -> configure -> the name of the window
 *      redisplay      display is called once, at idle time
 *      destruction    cleanup -> screen, options, command; the record when no function runs in it any more
 *
 * The record of a widget begins with its tacWidget. Tk fills the record by the table of options, whose offsets count
 * from its beginning and whose last row names tacWidgetOptions, the options that all widgets share. Configuring is
 * transactional: Tk sets the options, `configure` makes what they ask for, and if it fails, Tk takes them back.
 * Deleting the command or the interpreter destroys the window. Files that include this include <tk.h> first.
 */
#ifndef TAC_TK_WIDGET_H
#define TAC_TK_WIDGET_H

#include "tcl/dispatch.h"
#include "tk/screen.h"

enum { /* kinds of changes: masks of options in the tables; a widget's own begin with TAC_OWN_CHANGED */
    TAC_GEOMETRY_CHANGED = 1, /* -width, -height, -highlightthickness, which each widget has in its table */
    TAC_SCROLL_CHANGED = 2,
    TAC_STYLE_CHANGED = 4,
    TAC_OWN_CHANGED = 8
};

typedef enum tacAxis { TAC_AXIS_X, TAC_AXIS_Y, TAC_AXES } tacAxis;

typedef struct tacWidgetSpec { /* `widget` is the record */
    const char *className;     /* in the option database */
    size_t recordSize;         /* bytes */
    const Tk_OptionSpec *optionSpecs;
    const tacSubcommand *subcommands;                 /* with tacWidgetCget and tacWidgetConfigure */
    int initialMask;                                  /* changes that `configure` is told of in a new widget */
    void (*initialize)(void *widget);                 /* all but its tacWidget is zero; NULL: not needed */
    int (*configure)(void *widget, int mask);         /* TCL_ERROR: nothing has changed */
    void (*display)(void *widget);                    /* may run scripts: afterwards the window may be NULL */
    void (*event)(void *widget, const XEvent *event); /* exposed, mapped, another size or focus */
    void (*worldChanged)(void *widget);               /* other fonts, or another scaling */
    void (*cleanup)(void *widget); /* frees what the record holds; the window is still there, the screen too */
} tacWidgetSpec;

typedef struct tacWidget {
    const tacWidgetSpec *spec;
    Tk_Window window; /* NULL: destroyed */
    Tcl_Interp *interp;
    Tcl_Command command;
    Tk_OptionTable optionTable;
    tacScreen *screen;     /* NULL: not drawn yet */
    bool redisplayPending; /* `display` is called at the next idle time */
    bool focused;
    double told[TAC_AXES][2]; /* fractions last told to the scroll commands; -1: none */
    /* options */
    char *scroll[TAC_AXES], *takeFocus;
    int width, height;  /* pixels asked for, without the highlight */
    int highlightWidth; /* pixels asked for; tacWidgetInset has it within bounds */
    XColor *highlightColor, *highlightBackground;
    Tk_Cursor cursor;
} tacWidget;

extern const Tk_OptionSpec tacWidgetOptions[];

/* The command that makes widgets of this kind: objv[1] is the path, options follow. */
int tacWidgetConstructor(const tacWidgetSpec *spec, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);
tacSubcommandProc tacWidgetCget, tacWidgetConfigure;

/* Calls `display` at idle time, once; does nothing when that is pending, or the window is destroyed. */
void tacWidgetRedisplay(tacWidget *w);

/* Width of the highlight in pixels, from 0 to 255. */
int tacWidgetInset(const tacWidget *w);
/* Area within the highlight; before the window is mapped, of the size that it asks for. Pixels, at least 1 x 1. */
tacArea tacWidgetInner(const tacWidget *w);
/* Makes the screen if there is none, with the window's size. False: no memory, or no size. */
bool tacWidgetScreen(tacWidget *w);
/* Draws the highlight, in the colour that says whether the window has the focus. */
void tacWidgetHighlight(tacWidget *w);
/* Calls the scroll command of an axis if the fractions are new to it: a script, after which the window may be NULL. */
void tacWidgetTellScroll(tacWidget *w, tacAxis axis, const double fractions[2]);
/* Reports an error of drawing as a background error; the interpreter's result stays. */
void tacWidgetTellError(tacWidget *w, const tacError *err);
/* Makes a list of two numbers the result. Returns TCL_OK. */
int tacPairResult(Tcl_Interp *interp, double first, double second);

#endif
