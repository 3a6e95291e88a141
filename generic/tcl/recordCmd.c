/*
 * recordCmd.c -- tactus::recorder: collects what sensors write, runs a program beside, writes a recording.
 *
 *      set r [tactus::recorder -own yes -output FILE -kernel yes]
 *      $r run COMMAND              the program's sensors are in the recorder's own folder
 *      $r wait 1000                its end, a signal, or nothing
 *      $r counts, sensors, read    what there is so far
 *      $r write FILE -last 1       what came last, as a recording
 *      $r stop                     all is read once more and written
 *      $r close
 *
 * The collector has a thread of its own, which reads and writes; the commands here only look at it.
 */
#include <tcl.h>

#include "base/port.h"

#include "base/mem.h"
#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/optionTable.h"
#include "tcl/program.h"
#include "tcl/recorder.h"
#include "tcl/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 512, SIGNALS = 65, KEEP = 60 };

typedef struct Recorder {
    Tcl_Command token;
    tacrec_collector *collector;
    tacrec_file *file;   /* NULL: none is written */
    tacRecordTail *tail; /* NULL: no elements are read */
    tacRecent *recent;   /* NULL: nothing is held */
    tacFollow *follow;   /* NULL: it is connected to no relay */
    tacCaptureCounts kernel;
    char folder[PATH];   /* its own; "": none */
    char *user;          /* as whom programs run; NULL: this one */
    tacProgram *program; /* NULL: none was run */
    uint32_t pid;
    bool catches; /* signals */
} Recorder;

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef struct Options {
    Tcl_Obj *folders;
    char *output, *user;
    const char *events, *address;
    const char *const *patterns;
    char *key;
    bool own, kernel, elements, fresh, running, trusted, catches;
    int64_t memory; /* bytes; 0: nothing is held */
    double keep;    /* seconds */
} Options;

#define AT(member) offsetof(Options, member)
const tacOptionRow tacRecorderRows[] = {
    {"-catch", TAC_VALUE_FLAG, AT(catches), NULL, NULL, "no",
        "SIGINT, SIGTERM and SIGHUP do not end this process, but are what wait returns"},
    {"-connect", TAC_VALUE_TEXT, AT(address), NULL, "HOST:PORT", NULL,
        "what a relay there sends is held, too; with -memory"},
    {"-elements", TAC_VALUE_FLAG, AT(elements), NULL, NULL, "no", "elements can be read (read)"},
    {"-events", TAC_VALUE_TEXT, AT(events), NULL, "patterns", NULL,
        "events of the kernel that are added to the usual ones, or taken away with a - before them"},
    {"-folders", TAC_VALUE_OBJECT, AT(folders), NULL, "list", NULL,
        "folders whose programs are collected, or files of single programs"},
    {"-keep", TAC_VALUE_NUMBER, AT(keep), NULL, "seconds", "60", "what is held is held for so long at most"},
    {"-kernel", TAC_VALUE_FLAG, AT(kernel), NULL, NULL, "no", "the kernel is recorded, too"},
    {"-key", TAC_VALUE_FILE, AT(key), NULL, "file", NULL, "the key that the relay of -connect wants"},
    {"-memory", TAC_VALUE_BYTES, AT(memory), NULL, "bytes", "0",
        "what came last is held in so much memory, to be written while more comes (write); 0: it is not"},
    {"-new", TAC_VALUE_FLAG, AT(fresh), NULL, NULL, "no",
        "of programs that run already only what they write from now on"},
    {"-output", TAC_VALUE_FILE, AT(output), NULL, "file", NULL, "the recording that is written"},
    {"-own", TAC_VALUE_FLAG, AT(own), NULL, NULL, "no", "has a folder of its own, for the programs that it runs"},
    {"-pattern", TAC_VALUE_NAMES, AT(patterns), NULL, "patterns", "*",
        "names of the sensors whose elements can be read"},
    {"-running", TAC_VALUE_FLAG, AT(running), NULL, NULL, "no",
        "none of the programs that have ended already, whose files are still there"},
    {"-trusted", TAC_VALUE_FLAG, AT(trusted), NULL, NULL, "no",
        "also programs of other users, who could end this process by cutting their files"},
    {"-user", TAC_VALUE_UTF8, AT(user), NULL, "name", NULL, "as whom programs are run, for root"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};
#undef AT

/* ---- the recorder ------------------------------------------------------------------------------------------------ */

static void freeRecorder(void *data) {
    Recorder *r = data;
    tacProgramFree(r->program);
    if (r->collector) tacrec_collectorFree(r->collector);
    tacRecordTailFree(r->tail);
    tacFollowFree(r->follow);
    tacRecentFree(r->recent);
    tacrec_fileClose(r->file);
    if (r->folder[0]) tacProgramFolderRemove(r->folder);
    if (r->catches) tacProgramRelease();
    tacFree(r->user);
    tacFree(r);
}

static int watch(Tcl_Interp *interp, const Recorder *r, const char *path) {
    int problem = tacrec_collectorWatch(r->collector, path);
    if (!problem) return TCL_OK;
    if (problem == EINVAL)
        return tacTclFail(interp, "RECORD FOLDER", "\"%.300s\" is neither a folder nor a program's sensors", path);
    return tacTclFail(interp, "RECORD FOLDER", "cannot read \"%.300s\": %s", path, Tcl_ErrnoMsg(problem));
}

static int watchFolders(Tcl_Interp *interp, const Recorder *r, Tcl_Obj *folders) {
    Tcl_Size count = 0;
    Tcl_Obj **paths;
    if (folders && Tcl_ListObjGetElements(interp, folders, &count, &paths) != TCL_OK) return TCL_ERROR;
    for (Tcl_Size i = 0; i < count; i++) {
        Tcl_DString native;
        const char *path = tacPathFromObj(interp, paths[i], &native);
        if (!path) return TCL_ERROR;
        int result = watch(interp, r, path);
        Tcl_DStringFree(&native);
        if (result != TCL_OK) return TCL_ERROR;
    }
    return TCL_OK;
}

/* The folder in which programs share their sensors, unless they are told another one. */
static int defaultFolder(Tcl_Interp *interp, char path[PATH]) {
    int problem = tacrec_defaultFolder(path, PATH);
    if (!problem) return TCL_OK;
    return tacTclFail(interp, "RECORD FOLDER", "cannot use the folder of sensors \"%.300s\": %s", path,
        problem == EPERM ? "it is not this user's alone" : Tcl_ErrnoMsg(problem));
}

/* Its own folder; one for programs of another user is where that user finds it. */
static int makeFolder(Tcl_Interp *interp, Recorder *r) {
    char below[PATH] = "/dev/shm", path[PATH];
    tacError err = {{0}, {0}};
    if (!r->user && defaultFolder(interp, below) != TCL_OK) return TCL_ERROR;
    if (tacProgramFolder(below, r->user, path, sizeof path, &err) != TAC_OK) return tacErrorToTcl(interp, &err);
    memcpy(r->folder, path, sizeof path);
    return watch(interp, r, path);
}

static int openFile(Tcl_Interp *interp, Recorder *r, const char *path) {
    int problem;
    r->file = tacrec_fileOpen(path, &problem);
    if (!r->file && problem == EEXIST)
        return tacTclFail(interp, "FILE WRITE", "\"%.300s\" is there and is no recording: it is not overwritten", path);
    if (!r->file) return tacTclFail(interp, "FILE WRITE", "cannot write \"%.300s\": %s", path, Tcl_ErrnoMsg(problem));
    const tacrec_taker taker = {tacrec_fileTake, NULL, NULL, r->file};
    return tacrec_collectorTake(r->collector, &taker) ? TCL_OK : tacTclMemory(interp);
}

/* Connects to a relay, whose packets are held. */
static int connectTo(Tcl_Interp *interp, Recorder *r, const char *address, const char *key) {
    char why[TAC_LINK_TEXT];
    if (!r->recent) return tacTclFail(interp, "USAGE VALUE", "-connect needs -memory");
    r->follow = tacFollowNew(address, key, tacRecentTake, r->recent, why);
    return r->follow ? TCL_OK : tacTclFail(interp, "RECORD CONNECT", "%s", why);
}

static int begin(Tcl_Interp *interp, Recorder *r, const Options *o) {
    tacError err = {{0}, {0}};
    if (o->user && !(r->user = tacCopyText(o->user, strlen(o->user)))) return tacTclMemory(interp);
    const tacrec_collectOptions how = {.gather = o->memory ? 1 : 0, /* what is held is to be seen at once: each round
                                                                       hands on what it has read */
        .flags = (o->trusted || o->user ? TACREC_COLLECT_TRUSTED : 0u) | (o->fresh ? TACREC_COLLECT_NEW : 0u)
            | (o->running ? TACREC_COLLECT_RUNNING : 0u)};
    if (!(r->collector = tacrec_collectorNew(&how))) return tacTclMemory(interp);
    if (o->output && openFile(interp, r, o->output) != TCL_OK) return TCL_ERROR;
    /* After the opening of a pipe, which may have to wait for its reader. */
    if (o->catches && !(r->catches = tacProgramCatch()))
        return tacTclFail(interp, "RECORD SIGNAL", "cannot catch signals");
    if (o->elements && !(r->tail = tacRecordTailNew(r->collector, o->patterns))) return tacTclMemory(interp);
    if (o->memory && !(r->recent = tacRecordRecent(r->collector, o->memory, o->keep))) return tacTclMemory(interp);
    if (o->address && connectTo(interp, r, o->address, o->key) != TCL_OK) return TCL_ERROR;
    if (watchFolders(interp, r, o->folders) != TCL_OK) return TCL_ERROR;
    if (o->own && makeFolder(interp, r) != TCL_OK) return TCL_ERROR;
    if (o->kernel
        && tacRecordKernel(r->collector, o->events, o->output ? (uint32_t) getpid() : 0, &r->kernel, &err) != TAC_OK)
        return tacErrorToTcl(interp, &err);
    int problem = tacrec_collectorStart(r->collector);
    if (problem) return tacTclFail(interp, "RECORD THREAD", "cannot begin a thread: %s", Tcl_ErrnoMsg(problem));
    return TCL_OK;
}

static int recorderCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

int tacRecorderCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    char name[40];
    Options options = {.keep = KEEP};
    Recorder *r = tacAllocZero(1, sizeof *r);
    if (!r) return tacTclMemory(interp);
    int result = tacOptionsParse(interp, tacRecorderRows, objc - 1, objv + 1, &options);
    if (result == TCL_OK) result = begin(interp, r, &options);
    tacOptionsFree(tacRecorderRows, &options);
    if (result != TCL_OK) {
        freeRecorder(r);
        return result;
    }
    tacNewCommandName(interp, "::tactus::recorder", name);
    r->token = Tcl_CreateObjCommand(interp, name, recorderCmd, r, freeRecorder);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}

int tacRecordFolderCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    (void) data;
    char path[PATH];
    if (objc != 1) {
        Tcl_WrongNumArgs(interp, 1, objv, NULL);
        return TCL_ERROR;
    }
    if (defaultFolder(interp, path) != TCL_OK) return TCL_ERROR;
    Tcl_DString text;
    Tcl_ExternalToUtfDString(NULL, path, -1, &text);
    Tcl_DStringResult(interp, &text);
    return TCL_OK;
}

/* ---- subcommands ------------------------------------------------------------------------------------------------- */

static int closeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, r->token);
    return TCL_OK;
}

static int countsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) objc, (void) objv;
    tacrec_collectCount count;
    tacCaptureCounts kernel = tacRecordKernelCounts(&r->kernel);
    int problem = r->file ? tacrec_fileProblem(r->file) : 0;
    tacrec_collectorCount(r->collector, &count);
    if (r->file && !problem && count.lacked) problem = ENOMEM;
    Tcl_Obj *dict = Tcl_NewDictObj();
    const struct {
        const char *key;
        uint64_t value;
    } values[] = {{"sources", count.sources}, {"running", count.running}, {"sensors", count.sensors},
        {"elements", count.elements}, {"lost", count.lost + tacFollowLost(r->follow)}, {"before", count.before},
        {"packets", count.packets}, {"bytes", count.bytes}, {"refused", count.refused}, {"kernelLost", kernel.lost},
        {"kernelUnknown", kernel.unknown}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) tacPutCount(dict, values[i].key, values[i].value);
    tacPutText(dict, "problem", problem ? Tcl_ErrnoMsg(problem) : "");
    if (r->recent) tacRecordRecentCounts(r->recent, dict);
    Tcl_SetObjResult(interp, dict);
    return TCL_OK;
}

static int readSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Recorder *r = data;
    (void) objc, (void) objv;
    uint64_t lost;
    if (!r->tail) return tacTclFail(interp, "USAGE VALUE", "elements are not kept: the recorder needs -elements yes");
    Tcl_Obj *elements = tacRecordTailRead(r->tail, &lost);
    Tcl_Obj *pair[] = {elements, Tcl_NewWideIntObj((Tcl_WideInt) lost)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(2, pair));
    return TCL_OK;
}

static int remarksSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) objc, (void) objv;
    char text[512];
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    while (tacrec_collectorRemark(r->collector, text, sizeof text)
        || (r->follow && tacFollowRemark(r->follow, text, sizeof text)))
        tacAppend(list, tacRecordName(text, sizeof text));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* The words of a command as the system takes them. NULL: no memory; else for freeWords. */
static char **systemWords(Tcl_Size count, Tcl_Obj *const words[]) {
    TAC_ARRAY(char *) all = {0};
    bool fine = tacArrayReserve(&all, (size_t) count + 1);
    for (Tcl_Size i = 0; fine && i < count; i++) {
        Tcl_DString text;
        Tcl_UtfToExternalDString(NULL, Tcl_GetString(words[i]), -1, &text);
        char *copy = tacCopyText(Tcl_DStringValue(&text), (size_t) Tcl_DStringLength(&text));
        Tcl_DStringFree(&text);
        fine = copy && tacArrayPush(&all, copy);
    }
    fine = fine && tacArrayPush(&all, NULL);
    if (fine) return all.at;
    for (size_t i = 0; i < all.count; i++) tacFree(all.at[i]);
    tacArrayFree(&all);
    return NULL;
}

static void freeWords(char **words) {
    for (char **word = words; word && *word; word++) tacFree(*word);
    tacFree(words);
}

/* The collector is told of the program before it begins. */
static tacStatus runProgram(Recorder *r, const char *const *words, tacError *err) {
    char folder[PATH + 16];
    snprintf(folder, sizeof folder, "TACTUS_RECORD=%s", r->folder);
    const char *const extra[] = {r->folder[0] ? folder : NULL, NULL};
    if (tacProgramPrepare(words, extra, r->user, &r->program, &r->pid, err) != TAC_OK) return TAC_ERROR;
    if (!tacrec_collectorExpect(r->collector, r->pid)) return tacFailMemory(err);
    return tacProgramStart(r->program, err);
}

static int runSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    Recorder *r = data;
    tacError err = {{0}, {0}};
    (void) objc;
    Tcl_Size count;
    Tcl_Obj **words;
    if (Tcl_ListObjGetElements(interp, objv[2], &count, &words) != TCL_OK) return TCL_ERROR;
    if (!count) return tacTclFail(interp, "USAGE VALUE", "a command is needed");
    if (r->program) return tacTclFail(interp, "USAGE VALUE", "this recorder has run a program already");
    char **command = systemWords(count, words);
    if (!command) return tacTclMemory(interp);
    tacStatus status = runProgram(r, (const char *const *) command, &err);
    freeWords(command);
    if (status != TAC_OK) {
        tacProgramFree(r->program);
        r->program = NULL;
        return tacErrorToTcl(interp, &err);
    }
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj(r->pid));
    return TCL_OK;
}

static void addSensor(void *data, const tacrec_sensorCount *count) {
    Tcl_Obj *dict = Tcl_NewDictObj(), *fields = Tcl_NewListObj(0, NULL);
    for (uint32_t i = 0; i < count->said.fieldCount && i < TACREC_FIELDS; i++)
        tacAppend(fields, tacRecordName(count->said.fields[i].name, sizeof count->said.fields[i].name));
    static const char *const kinds[] = {"simple", "concurrent", "thread"};
    uint32_t kind = count->said.kind - TACREC_SIMPLE;
    tacPut(dict, "program", tacRecordName(count->program, sizeof count->program));
    tacPutCount(dict, "pid", count->pid);
    tacPut(dict, "sensor", tacRecordName(count->said.name, sizeof count->said.name));
    tacPutText(dict, "kind", kind < 3 ? kinds[kind] : "");
    tacPutCount(dict, "size", count->said.size);
    tacPutCount(dict, "thread", count->said.thread);
    tacPutCount(dict, "priority", count->said.priority);
    tacPutFlag(dict, "lasting", (count->said.flags & TACREC_SENSOR_LASTING) != 0);
    tacPutFlag(dict, "ended", count->ended);
    tacPutCount(dict, "before", count->before);
    tacPutCount(dict, "elements", count->elements);
    tacPutCount(dict, "lost", count->lost);
    tacPut(dict, "fields", fields);
    tacAppend(data, dict);
}

static int sensorsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) objc, (void) objv;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacrec_collectorSensors(r->collector, addSensor, list);
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int signalSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) objc;
    for (int number = 1; number < SIGNALS; number++) {
        if (strcmp(Tcl_SignalId(number), Tcl_GetString(objv[2])) != 0) continue;
        tacProgramSignal(r->program, number);
        return TCL_OK;
    }
    return tacTclFail(interp, "USAGE VALUE", "there is no signal \"%.40s\"", Tcl_GetString(objv[2]));
}

static int stopSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    (void) interp, (void) objc, (void) objv;
    tacrec_collectorStop(r->collector);
    return TCL_OK;
}

/* {} or a list: exited status; signaled number name; interrupted number name typed; lost number sentence. */
static int waitSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const kinds[] = {"", "exited", "signaled", "interrupted", "lost"};
    const Recorder *r = data;
    (void) objc;
    int milliseconds;
    if (Tcl_GetIntFromObj(interp, objv[2], &milliseconds) != TCL_OK) return TCL_ERROR;
    tacProgramEvent event = tacProgramWait(r->program, milliseconds);
    if (event.kind == TAC_PROGRAM_EXITED)
        tacrec_collectorEnded(r->collector, r->pid, TACREC_END_EXITED, (uint32_t) event.number);
    if (event.kind == TAC_PROGRAM_SIGNALED)
        tacrec_collectorEnded(r->collector, r->pid, TACREC_END_SIGNALED, (uint32_t) event.number);
    if (event.kind == TAC_PROGRAM_NOTHING) return TCL_OK;
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    tacAppend(list, Tcl_NewStringObj(kinds[event.kind], -1));
    tacAppend(list, Tcl_NewIntObj(event.number));
    if (event.kind == TAC_PROGRAM_LOST) tacAppend(list, Tcl_NewStringObj(strerror(event.number), -1));
    else if (event.kind != TAC_PROGRAM_EXITED) tacAppend(list, Tcl_NewStringObj(Tcl_SignalId(event.number), -1));
    if (event.kind == TAC_PROGRAM_INTERRUPTED) tacAppend(list, Tcl_NewBooleanObj(event.typed));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

static int writeSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const Recorder *r = data;
    if (!r->recent) return tacTclFail(interp, "USAGE VALUE", "nothing is held: the recorder needs -memory");
    return tacRecordRecentWrite(r->recent, interp, objc, objv);
}

const tacSubcommand tacRecorderSubcommands[] = {
    {"close", closeSub, 0, 0, NULL, "ends the recording and the command"},
    {"counts", countsSub, 0, 0, NULL, "what was collected so far, as a dict"},
    {"read", readSub, 0, 0, NULL, "elements that have come since the last call, and how many were left out"},
    {"remarks", remarksSub, 0, 0, NULL, "sentences about what cannot be read, each once"},
    {"run", runSub, 1, 1, "command", "runs a program, whose sensors are in the recorder's own folder"},
    {"sensors", sensorsSub, 0, 0, NULL, "the sensors with their counts, a list of dicts"},
    {"signal", signalSub, 1, 1, "name", "sends a signal to the program"},
    {"stop", stopSub, 0, 0, NULL, "reads what there is once more and ends the recording"},
    {"wait", waitSub, 1, 1, "milliseconds", "waits for the end of the program or a signal"},
    {"write", writeSub, 1, -1, "file ?-last seconds?", "makes a recording of what is held"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

static int recorderCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, tacRecorderSubcommands);
}
