/*
 * workerBodies.c -- what worker processes can do.
 */
#include "base/port.h"

#include "import/firstLines.h"
#include "import/kernel/apart.h"
#include "import/logLook.h"
#include "import/stranger.h"
#include "read/worker.h"

/* Does nothing: what counts is how the process is confined. */
static tacStatus check(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    (void) call, (void) sink, (void) err;
    return TAC_OK;
}

const tacWorkerRow tacWorkerBodies[] = {
    {"unpack", tacUnpackBody},
    {"script", tacReaderBody},
    {"trace.dat", tacDatBody},
    {"recognize", tacRecognizeBody},
    {"recording", tacRecordingBody},
    {"first lines", tacFirstLinesBody},
    {"log table", tacLogLookBody},
    {"check", check},
    {NULL, NULL},
};
