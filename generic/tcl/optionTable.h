/*
 * optionTable.h -- options of commands as rows of a table, from which parsing, messages, the program's help and the
 * manual pages are made.
 *
 * A row says where in a record the value goes and what type it has. Values that are texts stay in the Tcl objects they
 * came from, so a record lives no longer than the words it was parsed from. Files that include this include <tcl.h>
 * first.
 */
#ifndef TAC_TCL_OPTION_TABLE_H
#define TAC_TCL_OPTION_TABLE_H

#include "base/option.h"

/*
 * Parses `-option value` pairs into a record that already holds the defaults. Names may be abbreviated and may have two
 * dashes. On error the message is in the interpreter, and the record holds the options before it; so tacOptionsFree has
 * to be called in both cases.
 */
int tacOptionsParse(Tcl_Interp *interp, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[], void *record);
void tacOptionsFree(const tacOptionRow *rows, void *record);

/* The rows as a list of dicts with keys name, type, argument, words, default, help. */
Tcl_Obj *tacOptionsDescribe(const tacOptionRow *rows);

/* The names of a list of names (base/names.h) as a list; NULL: it is none, and the interpreter has the error. */
Tcl_Obj *tacNamesList(Tcl_Interp *interp, Tcl_Obj *text);

/* The option of commands that read files, in a record with a bool `confined`. */
#define TAC_CONFINED_ROW(record)                                                                                   \
    {                                                                                                              \
        "-confined", TAC_VALUE_FLAG, offsetof(record, confined), NULL, NULL, "no",                                 \
            "processes behind walls parse the file, whatever its format (tactus_sandbox(5), FILES FROM ELSEWHERE)" \
    }

/* The arguments of a command `NAME file ?-confined flag?`: the path of the file, as of tacPathFromObj, and whether the
 * flag is set. NULL: the interpreter has the error. */
const char *tacConfinedPath(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], Tcl_DString *path, bool *confined);

/* Units of lengths, each a name and its points; ends with name NULL. */
typedef struct tacUnit {
    const char *name;
    double points;
} tacUnit;
extern const tacUnit tacUnits[];

#endif
