/*
 * timeValue.c -- times and windows of events as words of a command.
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/dispatch.h"
#include "tcl/timeValue.h"

int tacTimeTicks(Tcl_Interp *interp, const tacTimeValue *time, int digits, int64_t *ticks) {
    bool rounded = false;
    *ticks = TAC_UNKNOWN;
    if (!time->given) return TCL_OK;
    if (tacDecimalShift(time->decimal.mantissa, digits - time->decimal.digits, ticks, &rounded) && tacIsTime(*ticks))
        return TCL_OK;
    return tacTclFail(interp, "USAGE VALUE", "a time is too large");
}

/* Compares ticks with the time as it was written: < 0, 0, > 0 when they are before, at or after it. */
static int compareTicks(const tacTimeValue *time, int digits, int64_t ticks) {
    int64_t exact, mantissa = time->decimal.mantissa;
    bool rounded = false;
    if (!time->given || digits >= time->decimal.digits) return 0;
    if (!tacDecimalShift(ticks, time->decimal.digits - digits, &exact, &rounded)) return ticks < 0 ? -1 : 1;
    return (exact > mantissa) - (exact < mantissa);
}

int tacWindowTicks(Tcl_Interp *interp, const tacWindowValue *value, int digits, tacEventWindow *window) {
    if (tacTimeTicks(interp, &value->from, digits, &window->from) != TCL_OK
        || tacTimeTicks(interp, &value->to, digits, &window->to) != TCL_OK)
        return TCL_ERROR;
    bool ascends = window->from <= window->to;
    if (compareTicks(&value->from, digits, window->from) < 0) window->from++;
    if (compareTicks(&value->to, digits, window->to) > 0) window->to--;
    if (!value->from.given || !value->to.given || !ascends || window->from <= window->to) return TCL_OK;
    return tacTclFail(interp, "USAGE WINDOW",
        "the window is narrower than the trace's times are told apart; open it with more -decimals");
}

int tacTimeFromObj(Tcl_Interp *interp, Tcl_Obj *word, int digits, int64_t *ticks) {
    Tcl_Size length;
    const char *text = Tcl_GetStringFromObj(word, &length);
    tacTimeValue value = {.given = true};
    if (tacDecimalParse(text, (size_t) length, &value.decimal) != TAC_OK)
        return tacTclFail(
            interp, "USAGE VALUE", "bad time \"%.100s\": must be a number in the trace's time units", text);
    if (tacTimeTicks(interp, &value, digits, ticks) != TCL_OK) return TCL_ERROR;
    if (compareTicks(&value, digits, *ticks) > 0) --*ticks;
    return TCL_OK;
}

/* Runs tactus::length VALUE UNIT ?DIGITS?. What is no number stays as it is; so does the unit that is none of time. */
int tacLengthCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int digits = 0, exponent;
    Tcl_Size length, unitLength;
    tacDecimal value;
    char text[TAC_DECIMAL_SIZE];
    (void) data;
    if (objc != 3 && objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "value unit ?digits?");
        return TCL_ERROR;
    }
    if (objc == 4 && Tcl_GetIntFromObj(interp, objv[3], &digits) != TCL_OK) return TCL_ERROR;
    const char *word = Tcl_GetStringFromObj(objv[1], &length), *unit = Tcl_GetStringFromObj(objv[2], &unitLength);
    bool isNumber = tacDecimalParse(word, (size_t) length, &value) == TAC_OK;
    if (isNumber && tacTimeUnit(unit, (size_t) unitLength, &exponent)) {
        tacLengthText(value.mantissa, value.digits, exponent, digits, text);
        Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
        return TCL_OK;
    }
    Tcl_Obj *plain = isNumber && digits > 0
        ? Tcl_NewStringObj(text, (int) tacLengthPlain(value.mantissa, value.digits, digits, text))
        : Tcl_DuplicateObj(objv[1]);
    if (length && unitLength) Tcl_AppendPrintfToObj(plain, " %s", unit);
    Tcl_SetObjResult(interp, plain);
    return TCL_OK;
}
