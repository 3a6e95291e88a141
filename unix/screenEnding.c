/*
 * screenEnding.c -- notices signals that ask the program to end, and an X server that has gone (tk/ending.h).
 *
 * A signal may come anywhere, so its handler only writes a byte to a pipe, which the event loop reads. Xlib calls
 * another handler when the connection is lost, from whatever was drawing, and ends the program after it.
 */
#include <tcl.h>
#include <tk.h>

#include "base/port.h"

#include "screenCalls.h"
#include "tk/ending.h"
#include "tk/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

enum { PATIENCE = 10 }; /* seconds to keep things when the display is lost */

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGTERM, "TERM"}, {SIGHUP, "HUP"}, {SIGINT, "INT"}};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* Global, since signals and lost displays concern the whole process. */
static tacEnding *told;        /* the function that is told */
static pid_t owner;            /* the process that watches: a forked copy of it has the same handlers */
static int ends[2] = {-1, -1}; /* of the pipe */

/* Passes the signal on by the pipe. The next one ends the program at once, since it may hang. */
static void onSignal(int signal) {
    int before = errno;
    char byte = (char) signal;
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (getpid() != owner || write(ends[1], &byte, 1) != 1) raise(signal);
    errno = before;
}

/* Tells of the signals that have come by the pipe. */
static void onReadable(ClientData data, int mask) {
    char byte;
    (void) data, (void) mask;
    if (read(ends[0], &byte, 1) != 1) return;
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == byte) told(signals[i].name);
}

/* Tells of a lost display, once. Whatever is then saved must not wait for the display: a timer ends the program. */
static int onLostDisplay(Display *display) {
    static bool underWay;
    (void) display;
    if (underWay) return 0;
    underWay = true;
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    alarm(PATIENCE);
    told("DISPLAY");
    return 0;
}

void tacEndingWatch(tacEnding *ended) {
    told = ended;
    owner = getpid();
    if (tacScreenNeed(NULL) == TAC_OK) XSetIOErrorHandler(onLostDisplay);
    if (ends[0] >= 0 || pipe(ends) != 0) return;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    Tcl_CreateFileHandler(ends[0], TCL_READABLE, onReadable, NULL);
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(signals[i].number, NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        sigaction(signals[i].number, &(struct sigaction){.sa_handler = onSignal, .sa_flags = SA_RESTART}, NULL);
    }
}
