/*
 * nanoseconds.c -- times as texts, a number and a unit, and the exact nanoseconds that they are.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/decimal.h"
#include "tcl/dispatch.h"
#include "tcl/nanoseconds.h"

#include <string.h>

enum { NANO = -9 }; /* nanoseconds are 10^NANO s */

/* Length of the number that a text begins with: all but a unit at its end, and the blanks before it. */
static size_t numberLength(const char *text, size_t *unit) {
    size_t length = strlen(text);
    while (length && (unsigned char) (text[length - 1] | 0x20) >= 'a') length--;
    *unit = length;
    while (length && text[length - 1] == ' ') length--;
    return length;
}

int tacNanosecondsOf(Tcl_Interp *interp, const char *option, const char *text, int64_t *time) {
    if (!text) return TCL_OK;
    size_t unit, length = numberLength(text, &unit);
    int exponent = NANO;
    tacDecimal decimal;
    bool known = !text[unit] || tacTimeUnit(text + unit, strlen(text + unit), &exponent);
    if (!known || tacDecimalParse(text, length, &decimal) != TAC_OK)
        return tacTclFail(interp, "USAGE VALUE",
            "bad value \"%s\" of %s: must be a number and a unit (ns, us, ms, s), as in 2.5ms", text, option);
    bool rounded = decimal.rounded;
    if (!tacDecimalShift(decimal.mantissa, exponent - NANO - decimal.digits, time, &rounded))
        return tacTclFail(interp, "USAGE VALUE", "the time \"%s\" of %s is too long", text, option);
    if (rounded)
        return tacTclFail(interp, "USAGE VALUE", "the time \"%s\" of %s is finer than a nanosecond", text, option);
    if (*time < 0) return tacTclFail(interp, "USAGE VALUE", "the time \"%s\" of %s is below 0", text, option);
    return TCL_OK;
}
