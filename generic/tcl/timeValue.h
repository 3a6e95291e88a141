/*
 * timeValue.h -- times and windows of events as words of a command: from decimals to the ticks of a trace.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_TIME_VALUE_H
#define TAC_TCL_TIME_VALUE_H

#include "base/option.h"
#include "trace/store.h"

/* -from and -to as written: a member of the record of a command's options. */
typedef struct tacWindowValue {
    tacTimeValue from, to;
} tacWindowValue;

/* The rows of -from and -to in the table of options; `window` is the member. */
#define TAC_WINDOW_ROWS(Record, window)                                                                               \
    {"-from", TAC_VALUE_TIME, offsetof(Record, window.from), NULL, NULL, NULL, "begin of the window, in time units"}, \
    {                                                                                                                 \
        "-to", TAC_VALUE_TIME, offsetof(Record, window.to), NULL, NULL, NULL, "end of the window, itself included"    \
    }

/* A window of events, in ticks: both ends are in it; TAC_UNKNOWN: it has no such end. */
typedef struct tacEventWindow {
    int64_t from, to;
} tacEventWindow;

/*
 * The window in a trace with so many digits. Ends that fall between ticks move inward, so that rounding brings no event
 * into it.
 */
int tacWindowTicks(Tcl_Interp *interp, const tacWindowValue *value, int digits, tacEventWindow *window);

/* Ticks of a time, rounded half to even; TAC_UNKNOWN when it is not given. */
int tacTimeTicks(Tcl_Interp *interp, const tacTimeValue *time, int digits, int64_t *ticks);
/* Ticks of a time that is an argument: the last tick that is not after it. */
int tacTimeFromObj(Tcl_Interp *interp, Tcl_Obj *word, int digits, int64_t *ticks);

/* The first row of the store after a time. */
static inline uint32_t tacRowAfter(const tacStore *store, int64_t time) {
    return time == INT64_MAX ? tacStoreCount(store) : tacStoreFind(store, time + 1);
}

#endif
