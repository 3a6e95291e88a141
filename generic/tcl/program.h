/*
 * program.h -- a program that is run beside this one with its standard channels, signals that ask for an end, and a
 * folder for what the program shares.
 */
#ifndef TAC_TCL_PROGRAM_H
#define TAC_TCL_PROGRAM_H

#include "base/error.h"

typedef struct tacProgram tacProgram;

typedef enum tacProgramEventKind {
    TAC_PROGRAM_NOTHING,     /* in the time that was given */
    TAC_PROGRAM_EXITED,      /* with the status `number` */
    TAC_PROGRAM_SIGNALED,    /* ended by the signal `number` */
    TAC_PROGRAM_INTERRUPTED, /* this process got the signal `number` */
    TAC_PROGRAM_LOST         /* no event can be seen any more: errno is `number` */
} tacProgramEventKind;

typedef struct tacProgramEvent {
    tacProgramEventKind kind;
    int number;
    bool typed; /* INTERRUPTED: from the terminal, so the program got it as well */
} tacProgramEvent;

/* Catches SIGINT, SIGTERM and SIGHUP from now on (unless they are ignored): they become events. False: it cannot. */
bool tacProgramCatch(void);
/* Gives the signals back what they did before. */
void tacProgramRelease(void);

/*
 * Makes the process of a program, which waits for tacProgramStart. The program is looked for in PATH; `words` and
 * `extra` end with NULL. `extra` are entries NAME=value that its environment has beside the own ones. user: by name or
 * number, as whom it runs (for root only); NULL: as this process. An error's code is FILE RUN.
 */
tacStatus tacProgramPrepare(const char *const *words, const char *const *extra, const char *user, tacProgram **program,
    uint32_t *pid, tacError *err);
/* Lets the program begin. An error's code is FILE RUN. */
tacStatus tacProgramStart(tacProgram *program, tacError *err);
/* Waits for an event, at most so many milliseconds. The program's end is told once. program NULL: signals only. */
tacProgramEvent tacProgramWait(tacProgram *program, int milliseconds);
/* Sends a signal to the program, if it runs. */
void tacProgramSignal(tacProgram *program, int number);
/* Forgets it; it runs on if it was started. NULL is fine. */
void tacProgramFree(tacProgram *program);

/*
 * Makes a new folder below another one, which this user alone can use, or the other `user` (NULL: this one). Folders of
 * processes that are gone are removed. Its path is in `path`.
 */
tacStatus tacProgramFolder(const char *below, const char *user, char *path, size_t room, tacError *err);
/* Removes it with the files in it. */
void tacProgramFolderRemove(const char *path);

#endif
