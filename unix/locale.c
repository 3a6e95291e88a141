/*
 * locale.c -- sets the locale "C" for a thread, for a while, where its own has another decimal point.
 */
#include "base/port.h"

#include "base/print.h"

#include <langinfo.h>
#include <locale.h>

tacPointLocale tacPointEnter(void) {
    if (*nl_langinfo(RADIXCHAR) == '.') return (tacPointLocale){NULL, NULL};
    locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    return (tacPointLocale){point ? uselocale(point) : NULL, point};
}

void tacPointLeave(tacPointLocale locale) {
    if (!locale.point) return;
    uselocale(locale.before);
    freelocale(locale.point);
}
