/*
 * commands.h -- the commands of the package that have no header of their own, and the tables of all that have
 * subcommands.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_COMMANDS_H
#define TAC_TCL_COMMANDS_H

#include "base/option.h"
#include "tcl/dispatch.h"

/* describe.c: tactus::vocabulary; tactus::describe topic, whose client data is the array of all commands with
 * subcommands (tacCommandTable, which ends with command NULL). */
Tcl_ObjCmdProc tacVocabularyCmd, tacDescribeCmd;

/* compareCmd.c: tactus::compare bases others ?-option value ...?, tactus::baseline traces ?-option value ...? */
Tcl_ObjCmdProc tacCompareCmd, tacBaselineCmd;
extern const tacOptionRow tacCompareRows[], tacBaselineRows[];
Tcl_Obj *tacDescribeCompare(void); /* a dict of the columns of each table */

/* guessCmd.c: tactus::guessMap file ?-option value ...? */
Tcl_ObjCmdProc tacGuessMapCmd;
Tcl_ObjCmdProc tacRecognizeCmd;

/* judgeCmd.c: tactus::expectation check words, read file, learn event trace ... */
Tcl_ObjCmdProc tacExpectationCmd;

/* logCmd.c: tactus::sample file; tactus::logTable text ?-option value ...? */
Tcl_ObjCmdProc tacSampleCmd, tacLogTableCmd;

/* monitorCmd.c: tactus::monitor paths ?-option value ...?; the result is the monitor's command. */
Tcl_ObjCmdProc tacMonitorCmd;
/* Its options, and those of its subcommands. */
extern const tacOptionRow tacMonitorRows[], tacMonitorOnRows[], tacMonitorHistogramRows[], tacMonitorRateRows[],
    tacMonitorMachineRows[];

/* openCmd.c: tactus::open file ?-option value ...?, tactus::openText text ?-option value ...?; the result is the trace
 * command. */
Tcl_ObjCmdProc tacOpenCmd, tacOpenTextCmd;
const tacOptionRow *tacOpenRows(void); /* their options, those of all formats included */

/* optionTable.c: tactus::names text: a list of names (base/names.h) as a list */
Tcl_ObjCmdProc tacNamesCmd;
/* text.c: tactus::shownText text: with mathematics as near as plain text can show it (view/maths.h) */
Tcl_ObjCmdProc tacShownTextCmd;
/* text.c: tactus::format: Tcl's format, with a decimal point whatever locale the program has set */
Tcl_ObjCmdProc tacFormatCmd;
/* planCmd.c: tactus::plan sensors ?-option value ...? */
Tcl_ObjCmdProc tacPlanCmd;
extern const tacOptionRow tacPlanMonitorRows[], tacPlanSensorRows[]; /* its options, and those of a sensor */

/* recordCmd.c: tactus::recorder ?-option value ...?; tactus::recordFolder: where programs share their sensors. */
Tcl_ObjCmdProc tacRecorderCmd, tacRecordFolderCmd;
extern const tacOptionRow tacRecorderRows[];

/* timeValue.c: tactus::length value unit ?digits?: a length of time for reading */
Tcl_ObjCmdProc tacLengthCmd;

/* relation.c: tactus::relation columns rows ?-option value ...? */
Tcl_ObjCmdProc tacListRelationCmd;

/* contentsCmd.c: tactus::contents path noun ?bytes?: the bytes of a plain file that has at most so many; `noun` says in
 * errors what it is. */
Tcl_ObjCmdProc tacContentsCmd;

/* contentsCmd.c: tactus::pieces path noun ?bytes?: such a file as a text: of each piece of lines in which braces,
 * brackets and quotes are closed the number of its first line, and the piece; of what is not closed the number only. */
Tcl_ObjCmdProc tacPiecesCmd;

/* unpackCmd.c: tactus::unpacked path: a channel to read a file's bytes from, unpacked behind the walls */
Tcl_ObjCmdProc tacUnpackedCmd;

/* contentsCmd.c: tactus::isMarked path: has the program that brought the file here marked it so? */
Tcl_ObjCmdProc tacIsMarkedCmd;

/* contentsCmd.c: tactus::hasAccessList path: do users or groups besides the owner and its group have permissions? */
Tcl_ObjCmdProc tacHasAccessListCmd;

/* tableValue.c: tactus::csvSafe ?boolean?: is CSV made safe for spreadsheets? tactus::csvCell text: a cell of such CSV,
 * with an apostrophe if it has to have one. */
Tcl_ObjCmdProc tacCsvSafeCmd, tacCsvCellCmd;

/* relayCmd.c: tactus::relay file ?-option value ...? */
Tcl_ObjCmdProc tacRelayCmd;
extern const tacOptionRow tacRelayRows[];

/* saveCmd.c: tactus::save path ?-private? variable script: the script writes to the channel in the variable; the file
 * is replaced when the script has ended well, else it stays as it was. */
Tcl_ObjCmdProc tacSaveCmd;

/* sqlCmd.c: tactus::sql traces statement ?-option value ...? */
Tcl_ObjCmdProc tacSqlCmd;
extern const tacOptionRow tacSqlRows[];
Tcl_Obj *tacDescribeSql(void); /* the tables that there are */

/* wallsCmd.c: tactus::walls: a list of dicts wall, state, text */
Tcl_ObjCmdProc tacWallsCmd;

/* describe.c: a list of dicts name, type, help. */
struct tacColumn;
Tcl_Obj *tacColumnList(const struct tacColumn *columns, int nColumns);

/* The tables of subcommands, each in the file that is named for it. */
extern const tacSubcommand tacDrawingSubcommands[], tacExpectationSubcommands[], tacHookSubcommands[],
    tacMomentSubcommands[], tacMonitorSubcommands[], tacRecorderSubcommands[], tacRelationSubcommands[],
    tacTraceSubcommands[], tacFindingSubcommands[], tacLookSubcommands[];

#endif
