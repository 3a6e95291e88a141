/*
 * picture.h -- the command tactus::picture, which makes a widget that shows a drawing (tcl/drawing.h). After <tcl.h>,
 * <tk.h>.
 */
#ifndef TAC_TK_PICTURE_H
#define TAC_TK_PICTURE_H

#include "tcl/dispatch.h"

Tcl_ObjCmdProc tacPictureCmd;
extern const tacSubcommand tacPictureSubcommands[]; /* of the widget */

#endif
