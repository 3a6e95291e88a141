/*
 * apart.c -- no copies of a process on this platform: the caller does the work itself.
 */
#include "base/port.h"

#include "base/apart.h"

tacStatus tacApartStart(tacApart *apart, tacApartWork *work, void *data, tacError *err) {
    (void) work, (void) data;
    *apart = (tacApart){-1, 0};
    return tacFail(err, "APART", "a process cannot be copied on this platform");
}

void tacApartEnd(const tacApart *apart) { (void) apart; }
