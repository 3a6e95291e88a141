/*
 * noTracecmd.c -- stands in place of tracecmd.c where the program is built without libtracecmd.
 */
#include "base/port.h"

#include "import/kernel/datLibrary.h"

bool tacDatLibraryAvailable(void) { return false; }

void tacDatLibraryPrepare(char *said) { (void) said; }

tacStatus tacDatLibraryRead(const tacDatRequest *request, tacError *err) {
    (void) request;
    return tacFail(err, "FORMAT UNSUPPORTED", "this program was built without libtracecmd");
}
