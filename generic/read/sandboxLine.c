/*
 * sandboxLine.c -- finds lines of script commands, by `info frame` while they run and by errorInfo after they failed.
 *
 * `info frame 0` costs about half a microsecond, so it is asked only where the answer is not plain: in a command of
 * several lines, or once there are procedures. Its line is relative to the body of the procedure, or to the command if
 * the code is in none. Code that a script puts together at run time has lines of its own; those are kept within the
 * command's.
 */
#include <tcl.h>

#include "base/port.h"

#include "read/sandboxParts.h"

#include <stdlib.h>
#include <string.h>

enum { SEARCHES = 1000 }; /* in one command */
enum { LINE, PROC, CMD }; /* of tacScriptLine.keys */

/* The object, with a reference more. */
static Tcl_Obj *held(Tcl_Obj *object) {
    Tcl_IncrRefCount(object);
    return object;
}

tacStatus tacScriptLineInit(tacScriptLine *where, Tcl_Interp *interp, tacError *err) {
    *where = (tacScriptLine){.interp = interp};
    Tcl_InitHashTable(&where->bodies, TCL_STRING_KEYS);
    where->frameWords[0] = held(Tcl_NewStringObj("frame", -1));
    where->frameWords[1] = held(Tcl_NewIntObj(0));
    where->keys[LINE] = held(Tcl_NewStringObj("line", -1));
    where->keys[PROC] = held(Tcl_NewStringObj("proc", -1));
    where->keys[CMD] = held(Tcl_NewStringObj("cmd", -1));
    if (!Tcl_GetCommandInfo(interp, "::tcl::info::frame", &where->frame))
        return tacFail(err, "SCRIPT SANDBOX", "cannot prepare the interpreter for the trace: no info frame");
    return TAC_OK;
}

void tacScriptLineFree(tacScriptLine *where) {
    if (!where->interp) return;
    Tcl_DeleteHashTable(&where->bodies);
    for (int i = 0; i < 2; i++) Tcl_DecrRefCount(where->frameWords[i]);
    for (int i = 0; i < 3; i++) Tcl_DecrRefCount(where->keys[i]);
}

static uint32_t newlines(const char *text, size_t length) {
    uint32_t n = 0;
    const char *end = text + length;
    while ((text = memchr(text, '\n', (size_t) (end - text)))) n++, text++;
    return n;
}

void tacScriptLineBegin(tacScriptLine *where, const char *command, size_t length, uint32_t line) {
    while (length && command[length - 1] == '\n') length--;
    where->command = where->cursor = command;
    where->length = length;
    where->line = where->cursorLine = line;
    where->span = newlines(command, length);
    where->searches = 0;
}

/* ---- texts within the command ------------------------------------------------------------------------------------ */

static const char *endOfLine(const tacScriptLine *where, const char *at) {
    const char *end = where->command + where->length, *newline = memchr(at, '\n', (size_t) (end - at));
    return newline ? newline : end;
}

/* Begin of a line of the command. It is looked for from the last line asked for, which is usually near. */
static const char *startOfLine(tacScriptLine *where, uint32_t line) {
    while (where->cursorLine < line) {
        where->cursor = endOfLine(where, where->cursor) + 1;
        where->cursorLine++;
    }
    while (where->cursorLine > line) {
        const char *at = where->cursor - 1;
        while (at > where->command && at[-1] != '\n') at--;
        where->cursor = at;
        where->cursorLine--;
    }
    return where->cursor;
}

/* Tells whether the text stands in [at, end). */
static bool contains(const char *at, const char *end, const char *text, size_t length) {
    for (; (size_t) (end - at) >= length; at++) {
        at = memchr(at, *text, (size_t) (end - at) - length + 1);
        if (!at) return false;
        if (memcmp(at, text, length) == 0) return true;
    }
    return false;
}

/* The line nearest to `line` in which the text begins; 0: none. */
static uint32_t nearest(const tacScriptLine *where, uint32_t line, const char *text, size_t length) {
    uint32_t best = 0, distance = UINT32_MAX, at = where->line;
    const char *begin = where->command, *end = begin + where->length;
    for (const char *p = begin; p < end && (size_t) (end - p) >= length; p++) {
        if (*p == '\n') at++;
        uint32_t away = at > line ? at - line : line - at;
        if (*p == *text && away < distance && memcmp(p, text, length) == 0) best = at, distance = away;
    }
    return best;
}

/*
 * The line in which the running command really stands: the given one, or one nearby. Tcl does not know the line of
 * every body (not those of a switch outside of procedures, nor of code made at run time); then its line is relative to
 * something else. Searching is slow, and given up after many times in one command.
 */
static uint32_t checked(tacScriptLine *where, uint32_t line, const char *running) {
    size_t length = strcspn(running, "\n");
    if (where->span == 0 || length == 0) return where->line;
    const char *at = startOfLine(where, line);
    if (contains(at, endOfLine(where, at), running, length)) return line;
    uint32_t found = where->searches++ < SEARCHES ? nearest(where, line, running, length) : 0;
    return found ? found : where->line;
}

/* ---- while it runs ----------------------------------------------------------------------------------------------- */

void tacScriptLineProc(tacScriptLine *where, Tcl_Obj *name, Tcl_Obj *arguments) {
    int isNew, length;
    Tcl_Command command = Tcl_GetCommandFromObj(where->interp, name);
    if (!command) return;
    const char *text = Tcl_GetStringFromObj(arguments, &length);
    uint32_t line = tacScriptLineNow(where) + newlines(text, (size_t) length);
    Tcl_Obj *full = held(Tcl_NewObj());
    Tcl_GetCommandFullName(where->interp, command, full);
    Tcl_SetHashValue(Tcl_CreateHashEntry(&where->bodies, Tcl_GetString(full), &isNew), (void *) (uintptr_t) line);
    Tcl_DecrRefCount(full);
}

/* Line of the trace where the body of a procedure begins, by its full name; 0: unknown. */
static uint32_t bodyLine(tacScriptLine *where, const char *fullName) {
    Tcl_HashEntry *entry = Tcl_FindHashEntry(&where->bodies, fullName);
    return entry ? (uint32_t) (uintptr_t) Tcl_GetHashValue(entry) : 0;
}

/* Line of the trace for the line `within`, counted from 1, of the command. */
static uint32_t inCommand(const tacScriptLine *where, int64_t within) {
    return within < 1 || within > (int64_t) where->span + 1 ? where->line : where->line + (uint32_t) (within - 1);
}

static Tcl_Obj *frameValue(tacScriptLine *where, Tcl_Obj *frame, int key) {
    Tcl_Obj *value = NULL;
    return Tcl_DictObjGet(NULL, frame, where->keys[key], &value) == TCL_OK ? value : NULL;
}

/* Line of the trace for a result of `info frame`. */
static uint32_t frameLine(tacScriptLine *where, Tcl_Obj *frame) {
    Tcl_Obj *line = frameValue(where, frame, LINE), *proc = frameValue(where, frame, PROC);
    int within;
    if (!line || Tcl_GetIntFromObj(NULL, line, &within) != TCL_OK) return where->line;
    if (!proc) {
        Tcl_Obj *running = frameValue(where, frame, CMD);
        return running ? checked(where, inCommand(where, within), Tcl_GetString(running)) : where->line;
    }
    uint32_t body = bodyLine(where, Tcl_GetString(proc));
    return body ? body + (uint32_t) (within - 1) : where->line;
}

uint32_t tacScriptLineWithin(tacScriptLine *where, uint32_t first, uint32_t span) {
    Tcl_InterpState state = Tcl_SaveInterpState(where->interp, TCL_OK);
    Tcl_Obj *line = NULL;
    int within = 1;
    if (where->frame.objProc(where->frame.objClientData, where->interp, 2, where->frameWords) == TCL_OK)
        line = frameValue(where, Tcl_GetObjResult(where->interp), LINE);
    if (line) Tcl_GetIntFromObj(NULL, line, &within);
    Tcl_RestoreInterpState(where->interp, state);
    return within < 1 || within > (int64_t) span + 1 ? first : first + (uint32_t) (within - 1);
}

uint32_t tacScriptLineNow(tacScriptLine *where) {
    if (where->span == 0 && where->bodies.numEntries == 0) return where->line;
    Tcl_InterpState state = Tcl_SaveInterpState(where->interp, TCL_OK);
    uint32_t line = where->line;
    if (where->frame.objProc(where->frame.objClientData, where->interp, 2, where->frameWords) == TCL_OK)
        line = frameLine(where, Tcl_GetObjResult(where->interp));
    Tcl_RestoreInterpState(where->interp, state);
    return line;
}

/* ---- after it failed --------------------------------------------------------------------------------------------- */

/*
 * Texts before a command in errorInfo, which is the message, then from the inside out:
 *          while executing
 *      "plot $t ..."                   the first 150 bytes of the command
 *          ("for" body line 2)         or (procedure "f" line 3), (in namespace eval "::x" script line 1) ...
 *          invoked from within
 *      "for ..."
 */
static const char *const executing[] = {
    "\n    while executing\n\"", "\n    invoked from within\n\"", "\n    while compiling\n\""};

/* Finds the next "    (... line N)" from *at on; false: none. procedure: its name, or length 0. */
static bool nextLevel(const char **at, long *line, const char **procedure, size_t *length) {
    const char *begin;
    while ((begin = strstr(*at, "\n    ("))) {
        begin += 6;
        const char *end = strchr(begin, '\n');
        *at = end ? end : begin + strlen(begin);
        const char *word = *at;
        while (word > begin && word[-1] != ' ') word--;
        if (word - begin < 6 || strncmp(word - 5, "line ", 5) != 0) continue;
        *line = strtol(word, NULL, 10);
        *length = 0;
        if (strncmp(begin, "procedure \"", 11) == 0 && word - begin > 11 + 7) {
            *procedure = begin + 11;
            *length = (size_t) (word - begin) - 11 - 7; /* without `" line ` */
        }
        return true;
    }
    return false;
}

/* Line of the trace where the body of a procedure begins, by the name in errorInfo; 0: unknown. */
static uint32_t procedureLine(tacScriptLine *where, const char *name, size_t length) {
    Tcl_Obj *full = held(Tcl_NewObj()), *given = held(Tcl_NewStringObj(name, (int) length));
    Tcl_Command command = Tcl_FindCommand(where->interp, Tcl_GetString(given), NULL, TCL_GLOBAL_ONLY);
    if (command) Tcl_GetCommandFullName(where->interp, command, full);
    uint32_t line = command ? bodyLine(where, Tcl_GetString(full)) : 0;
    Tcl_DecrRefCount(full);
    Tcl_DecrRefCount(given);
    return line;
}

/* The line nearest to `line` in which the failing command begins; `line` if it is in none. */
static uint32_t snap(const tacScriptLine *where, uint32_t line, const char *errorInfo) {
    const char *text = NULL;
    for (size_t i = 0; i < sizeof executing / sizeof *executing && !text; i++)
        if ((text = strstr(errorInfo, executing[i]))) text += strlen(executing[i]);
    if (!text || where->span == 0) return line;
    size_t length = strcspn(text, "\n");
    if (length > 3 && strncmp(text + length - 4, "...\"", 4) == 0) length -= 4;
    else if (length > 0 && text[length - 1] == '"') length--;
    uint32_t found = length ? nearest(where, line, text, length) : 0;
    return found ? found : line;
}

uint32_t tacScriptLineOfError(tacScriptLine *where, const char *errorInfo) {
    long within, sum = 0;
    const char *at = errorInfo, *name = NULL;
    size_t length;
    while (nextLevel(&at, &within, &name, &length)) {
        uint32_t body = length ? procedureLine(where, name, length) : 0;
        if (body) return body + (uint32_t) (sum + within - 1);
        sum += length ? 0 : within - 1;
    }
    return snap(where, inCommand(where, Tcl_GetErrorLine(where->interp) + sum), errorInfo);
}
