/*
 * drawing.h -- a sheet to draw on (view/sheet.h) as a Tcl command: tactus::drawing, and its users, which show it.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_DRAWING_H
#define TAC_TCL_DRAWING_H

#include "view/export.h"
#include "view/sheet.h"

/* The command that makes drawings. Those of a safe interpreter write no files. */
Tcl_ObjCmdProc tacDrawingCmd;

/*
 * A user of a drawing, which shows it: `changed` is called after every command that drew something, and with NULL when
 * the drawing goes, after which nothing of it may be used.
 */
typedef struct tacDrawingRecord tacDrawingRecord;
typedef struct tacDrawingUser {
    tacDrawingRecord *drawing; /* NULL: it has gone, or none was there */
    void (*changed)(void *data, const tacDrawingRecord *drawing);
    void *data;
    struct tacDrawingUser *next;
} tacDrawingUser;

/* Finds the drawing of this name; TACTUS DRAWING NAME: there is none. The user is the caller's and must be released. */
int tacDrawingUse(Tcl_Interp *interp, Tcl_Obj *name, tacDrawingUser *user);
void tacDrawingRelease(tacDrawingUser *user); /* also of one that is all zero */

/* Writes a sheet on paper of this colour to a file; options: -format, -resolution. */
int tacSheetExport(Tcl_Interp *interp, tacSheet *sheet, uint32_t paper, Tcl_Obj *file, int objc, Tcl_Obj *const objv[]);

tacSheet *tacDrawingSheet(tacDrawingRecord *drawing);
/* Tells the users that something was drawn. */
void tacDrawingTell(tacDrawingRecord *drawing);
uint32_t tacDrawingPaper(const tacDrawingRecord *drawing); /* its background's colour */
/* The measure of its text, whose data is a shaper (view/text.h). NULL with an error in `err`: no font. */
const tacMeasure *tacDrawingMeasure(tacDrawingRecord *drawing, tacError *err);

#endif
