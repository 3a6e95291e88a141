/*
 * drawing.c -- drawings as Tcl commands: options of the drawing, its subcommands, and its users.
 *
 *      $d rectangles {x y w h ...} -fill red -tag late  ->  a look, made of the options, and one call of the sheet a
 *                                                       figure
 *
 * Everything that is drawn comes as a flat list of numbers with one look for all of it, since a script that draws
 * frames pays for each command and each option, and hardly for a number. `-tags` gives each figure of a list its own
 * tag. Drawing, clearing and configuring tell the users (a widget repaints at idle time).
 */
#include <tcl.h>

#include "base/port.h"

#include "tcl/commands.h"
#include "tcl/dictValue.h"
#include "tcl/dispatch.h"
#include "tcl/drawing.h"
#include "tcl/figureCmd.h"
#include "tcl/optionTable.h"
#include "tcl/text.h"
#include "view/color.h"

#include <math.h>
#include <string.h>

struct tacDrawingRecord {
    Tcl_Command token;
    tacSheet sheet;
    tacMeasure measure; /* data NULL: not asked for yet */
    char *font;         /* family; NULL: the default */
    uint32_t paper;
    tacDrawingUser *users;
};

/* ---- users ------------------------------------------------------------------------------------------ */

/* One of them may release itself meanwhile. */
void tacDrawingTell(tacDrawingRecord *d) {
    for (tacDrawingUser *user = d->users, *next; user; user = next) {
        next = user->next;
        user->changed(user->data, d);
    }
}

static int drawingCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

int tacDrawingUse(Tcl_Interp *interp, Tcl_Obj *name, tacDrawingUser *user) {
    Tcl_CmdInfo info;
    Tcl_Command token = Tcl_GetCommandFromObj(interp, name);
    if (!token || !Tcl_GetCommandInfoFromToken(token, &info) || info.objProc != drawingCmd)
        return tacTclFail(interp, "DRAWING NAME", "\"%.100s\" is no drawing", Tcl_GetString(name));
    user->drawing = info.objClientData;
    user->next = user->drawing->users;
    user->drawing->users = user;
    return TCL_OK;
}

void tacDrawingRelease(tacDrawingUser *user) {
    if (!user->drawing) return;
    tacDrawingUser **at = &user->drawing->users;
    while (*at && *at != user) at = &(*at)->next;
    if (*at) *at = user->next;
    user->drawing = NULL;
}

tacSheet *tacDrawingSheet(tacDrawingRecord *d) { return &d->sheet; }

uint32_t tacDrawingPaper(const tacDrawingRecord *d) { return d->paper; }

const tacMeasure *tacDrawingMeasure(tacDrawingRecord *d, tacError *err) {
    if (!d->measure.data && tacMeasurePango(d->font, &d->measure, err) != TAC_OK) return NULL;
    return &d->measure;
}

/* Ends a command that draws: those who show the drawing are told, and so is a lack of memory. */
static int drawn(tacDrawingRecord *d, Tcl_Interp *interp, int result) {
    tacDrawingTell(d);
    return result == TCL_OK && d->sheet.display.failed ? tacTclMemory(interp) : result;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* The colour that a text names; NULL or empty: TAC_NO_COLOR. */
static int colorFromText(Tcl_Interp *interp, const char *text, uint32_t *color) {
    *color = TAC_NO_COLOR;
    if (!text || !*text || tacColorParse(text, color)) return TCL_OK;
    return tacTclFail(interp, "USAGE COLOR", "unknown colour \"%.60s\"", text);
}

/* A length in points, if it is given; TCL_ERROR without a message: it is out of bounds. */
static int pointsOf(const tacLengthValue *length, double *points, double lowest, double highest) {
    if (!length->given) return TCL_OK;
    *points = length->number * (length->pointsPerUnit > 0 ? length->pointsPerUnit : 1);
    return *points >= lowest && *points <= highest ? TCL_OK : TCL_ERROR;
}

/* ---- options of the drawing ------------------------------------------------------------------------------------- */

typedef struct SheetOptions {
    tacLengthValue width, height, fontSize;
    const char *font, *background;
} SheetOptions;

#define AT(member) offsetof(SheetOptions, member)
static const tacOptionRow sheetRows[] = {
    {"-background", TAC_VALUE_TEXT, AT(background), NULL, "colour", "white", "of the paper"},
    {"-font", TAC_VALUE_TEXT, AT(font), NULL, "family", "DejaVu Sans", "family of all text"},
    {"-fontsize", TAC_VALUE_LENGTH, AT(fontSize), NULL, NULL, "9", "size of text that has none of its own"},
    {"-height", TAC_VALUE_LENGTH, AT(height), NULL, NULL, "150", "height"},
    {"-width", TAC_VALUE_LENGTH, AT(width), NULL, NULL, "250", "width, in points unless it has a unit"},
    {NULL, 0, 0, NULL, NULL, NULL, NULL},
};
#undef AT

/* Sets the family of all text. The display has a copy of its own, which it frees. */
static int setFont(Tcl_Interp *interp, tacDrawingRecord *d, const char *family) {
    char *copy = tacCopyText(family, strlen(family)), *shown = tacCopyText(family, strlen(family));
    if (!copy || !shown) {
        tacFree(copy);
        tacFree(shown);
        return tacTclMemory(interp);
    }
    tacFree(d->font);
    tacFree((void *) d->sheet.display.font);
    d->font = copy;
    d->sheet.display.font = shown;
    if (d->measure.data) tacMeasureFree(&d->measure);
    return TCL_OK;
}

/* Sets all options that are given, or none of them. */
static int configure(tacDrawingRecord *d, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    SheetOptions options = {.font = NULL};
    tacDisplay *display = &d->sheet.display;
    double width = display->width, height = display->height, size = display->fontSize;
    uint32_t paper = d->paper;
    if (tacOptionsParse(interp, sheetRows, objc, objv, &options) != TCL_OK
        || (options.background && colorFromText(interp, options.background, &paper) != TCL_OK))
        return TCL_ERROR;
    if (pointsOf(&options.width, &width, 1, 1e5) != TCL_OK || pointsOf(&options.height, &height, 1, 1e5) != TCL_OK
        || pointsOf(&options.fontSize, &size, 1, 200) != TCL_OK)
        return tacTclFail(interp, "USAGE VALUE", "a drawing is 1 to 100000 points wide and high, its text 1 to 200");
    if (options.font && setFont(interp, d, options.font) != TCL_OK) return TCL_ERROR;
    display->width = (float) width;
    display->height = (float) height;
    display->fontSize = (float) size;
    d->paper = paper == TAC_NO_COLOR ? 0xFFFFFF : paper;
    tacDrawingTell(d);
    return TCL_OK;
}

/* A number with four decimals at most, which hides what is lost in floats. */
static Tcl_Obj *number(double value) { return Tcl_NewDoubleObj(round(value * 1e4) / 1e4); }

static Tcl_Obj *configuration(const tacDrawingRecord *d) {
    const tacDisplay *display = &d->sheet.display;
    Tcl_Obj *dict = Tcl_NewDictObj();
    tacPut(dict, "-background", Tcl_ObjPrintf("#%06X", (unsigned) d->paper));
    tacPutText(dict, "-font", d->font ? d->font : "DejaVu Sans");
    tacPut(dict, "-fontsize", number(display->fontSize));
    tacPut(dict, "-height", number(display->height));
    tacPut(dict, "-width", number(display->width));
    return dict;
}

static int configureSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    if (objc > 2) return configure(d, interp, objc - 2, objv + 2);
    Tcl_SetObjResult(interp, configuration(d));
    return TCL_OK;
}

static int cgetSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    int index;
    (void) objc;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], sheetRows, sizeof *sheetRows, "option", 0, &index) != TCL_OK)
        return TCL_ERROR;
    Tcl_Obj *dict = tacKept(configuration(data));
    Tcl_SetObjResult(interp, tacDictValue(dict, sheetRows[index].name));
    Tcl_DecrRefCount(dict);
    return TCL_OK;
}

/* ---- looks ------------------------------------------------------------------------------------------------------ */

/* The words stand in the order of the enumerations of view/display.h. */
static const char *const layers[] = {"auto", "back", "bars", "patterns", "lines", "arrows", "text", NULL};
static const char *const patterns[] = {"none", "gray12", "gray25", "gray50", "gray75", "lines_up", "lines_down",
    "lines_vertical", "lines_horizontal", NULL};
static const char *const dashes[] = {"solid", "dashed", "dotted", NULL};
static const char *const heads[] = {"none", "first", "last", "both", NULL};
static const char *const shapes[] = {
    "disk", "circle", "square", "diamond", "cross", "plus", "triangleUp", "triangleDown", NULL};
static const char *const anchors[] = {"left", "center", "right", NULL};

typedef struct LookOptions {
    const char *fill, *ink, *outline, *tag;
    Tcl_Obj *tags;
    int pattern, dash, heads, shape, anchor, layer;
    double width, size, most, detail;
    bool bold, middle, upright, mapped;
} LookOptions;

#define AT(member) offsetof(LookOptions, member)
#define FILL \
    { "-fill", TAC_VALUE_TEXT, AT(fill), NULL, "colour", NULL, "of the area" }
#define INK(help) \
    { "-ink", TAC_VALUE_TEXT, AT(ink), NULL, "colour", NULL, help }
#define OUTLINE \
    { "-outline", TAC_VALUE_TEXT, AT(outline), NULL, "colour", NULL, "of the line around the area" }
#define PATTERN \
    { "-pattern", TAC_VALUE_WORD, AT(pattern), patterns, "pattern", "none", "over the area" }
#define DASH \
    { "-dash", TAC_VALUE_WORD, AT(dash), dashes, "solid|dashed|dotted", "solid", "of the line" }
#define HEADS \
    { "-heads", TAC_VALUE_WORD, AT(heads), heads, "none|first|last|both", "none", "where arrow heads are" }
#define WIDTH \
    { "-width", TAC_VALUE_NUMBER, AT(width), NULL, "points", "0.5", "of lines" }
#define LAYER                                                              \
    {                                                                      \
        "-layer", TAC_VALUE_WORD, AT(layer), layers, "layer", "auto",      \
            "what it lies over: back, bars, patterns, lines, arrows, text" \
    }
#define MAPPED \
    { "-mapped", TAC_VALUE_FLAG, AT(mapped), NULL, NULL, "no", "places are in units of the maps" }
#define TAG \
    { "-tag", TAC_VALUE_TEXT, AT(tag), NULL, "tag", NULL, "what identify calls it" }
#define TAGS \
    { "-tags", TAC_VALUE_OBJECT, AT(tags), NULL, "list", NULL, "a tag for each one" }
#define LAST \
    { NULL, 0, 0, NULL, NULL, NULL, NULL }
static const tacOptionRow areaRows[] = {
    FILL, INK("of the pattern"), LAYER, MAPPED, OUTLINE, PATTERN, TAG, TAGS, WIDTH, LAST};
static const tacOptionRow barRows[] = {
    {"-detail", TAC_VALUE_NUMBER, AT(detail), NULL, "points", "0", "narrow bars that are no further apart become one"},
    FILL, INK("of the pattern"), LAYER, OUTLINE, PATTERN, TAG, TAGS, WIDTH, LAST};
static const tacOptionRow lineRows[] = {DASH, HEADS, INK("of the line"), LAYER, MAPPED, TAG, TAGS, WIDTH, LAST};
static const tacOptionRow polygonRows[] = {DASH, FILL, LAYER, MAPPED, OUTLINE, TAG, WIDTH, LAST};
static const tacOptionRow markRows[] = {FILL, INK("of marks that are strokes"), LAYER, MAPPED, OUTLINE,
    {"-shape", TAC_VALUE_WORD, AT(shape), shapes, "shape", "disk",
        "disk circle square diamond cross plus triangleUp triangleDown"},
    {"-size", TAC_VALUE_NUMBER, AT(size), NULL, "points", "4", "diameter"}, TAG, TAGS, WIDTH, LAST};
static const tacOptionRow textRows[] = {{"-anchor", TAC_VALUE_WORD, AT(anchor), anchors, "left|center|right", "left",
                                            "which end of the text stands at the place"},
    {"-bold", TAC_VALUE_FLAG, AT(bold), NULL, NULL, "no", "bold"}, INK("of the text"), LAYER, MAPPED,
    {"-middle", TAC_VALUE_FLAG, AT(middle), NULL, NULL, "no", "the place is at half its height, not on its baseline"},
    {"-most", TAC_VALUE_NUMBER, AT(most), NULL, "points", NULL, "cut to this width"},
    {"-size", TAC_VALUE_NUMBER, AT(size), NULL, "points", NULL, "of the font; default: the drawing's -fontsize"}, TAG,
    {"-upright", TAC_VALUE_FLAG, AT(upright), NULL, NULL, "no", "from below upwards"}, LAST};
#undef AT

/* Gives the look a tag; NULL or empty: it keeps its own. False: no memory. */
static bool addTag(tacSheet *sheet, tacLook *look, const char *tag) {
    if (!tag || !*tag) return true;
    look->tag = tacSheetTag(sheet, tag, strlen(tag));
    return look->tag != TAC_NONE;
}

/* Parses the options of what is drawn, and makes the look that they mean. */
static int parseLook(tacDrawingRecord *d, Tcl_Interp *interp, const tacOptionRow *rows, int objc, Tcl_Obj *const objv[],
    LookOptions *o, tacLook *look) {
    *o = (LookOptions){.width = 0.5};
    *look = tacLookDefault();
    if (tacOptionsParse(interp, rows, objc, objv, o) != TCL_OK || colorFromText(interp, o->fill, &look->fill) != TCL_OK
        || colorFromText(interp, o->ink, &look->ink) != TCL_OK
        || colorFromText(interp, o->outline, &look->outline) != TCL_OK)
        return TCL_ERROR;
    look->pattern = (tacPattern) o->pattern;
    look->dash = (tacDash) o->dash;
    look->heads = (tacHeads) o->heads;
    look->shape = (tacShape) o->shape;
    look->anchor = (tacAnchor) o->anchor;
    look->layer = o->layer - 1;
    look->width = (float) fmin(o->width, 1000);
    look->size = (float) fmin(o->size, 1000);
    look->bold = o->bold;
    look->middle = o->middle;
    look->upright = o->upright;
    return addTag(&d->sheet, look, o->tag) ? TCL_OK : tacTclMemory(interp);
}

/* ---- lists of numbers ------------------------------------------------------------------------------------------- */

typedef struct Numbers { /* a flat list: figures of `each` numbers, and their tags */
    Tcl_Obj **words, **tags;
    Tcl_Size count, nTags;
    int each;
    Tcl_Obj *tagList; /* a copy that stays a list: a word of it may be the same object as a number. NULL: none */
} Numbers;

/* Takes a list of figures and the list of their tags (NULL: none); to be released also after an error. */
static int takeNumbers(Tcl_Interp *interp, Tcl_Obj *list, Tcl_Obj *tags, int each, Numbers *n) {
    *n = (Numbers){.each = each};
    if (Tcl_ListObjGetElements(interp, list, &n->count, &n->words) != TCL_OK) return TCL_ERROR;
    if (n->count % each) return tacTclFail(interp, "USAGE NUMBERS", "the list must have %d numbers for each", each);
    if (!tags) return TCL_OK;
    n->tagList = tacKept(Tcl_DuplicateObj(tags));
    return Tcl_ListObjGetElements(interp, n->tagList, &n->nTags, &n->tags);
}

static void releaseNumbers(Numbers *n) {
    if (n->tagList) Tcl_DecrRefCount(n->tagList);
}

/* The numbers of figure i, and its look: that of all, with its own tag if it has one. */
static int takeFigure(tacDrawingRecord *d, Tcl_Interp *interp, const Numbers *n, Tcl_Size i, double figure[4],
    const tacLook *all, tacLook *look) {
    for (int k = 0; k < n->each; k++)
        if (Tcl_GetDoubleFromObj(interp, n->words[i * n->each + k], &figure[k]) != TCL_OK) return TCL_ERROR;
    *look = *all;
    if (i < n->nTags && !addTag(&d->sheet, look, Tcl_GetString(n->tags[i]))) return tacTclMemory(interp);
    return TCL_OK;
}

static void mapPlace(const tacDrawingRecord *d, bool mapped, double *x, double *y) {
    if (!mapped) return;
    *x = tacMapPlace(&d->sheet.x, *x);
    *y = tacMapPlace(&d->sheet.y, *y);
}

typedef enum Shape { RECTANGLE, SEGMENT, MARK } Shape; /* of 4, 4 and 2 numbers */

/* Draws each figure of a list. The figures before a mistake in the list stay. */
static int drawEach(
    tacDrawingRecord *d, Tcl_Interp *interp, const tacOptionRow *rows, Shape shape, int objc, Tcl_Obj *const objv[]) {
    LookOptions o;
    tacLook all, look;
    Numbers numbers;
    double f[4] = {0};
    const int each = shape == MARK ? 2 : 4;
    if (parseLook(d, interp, rows, objc - 3, objv + 3, &o, &all) != TCL_OK) return TCL_ERROR;
    int result = takeNumbers(interp, objv[2], o.tags, each, &numbers);
    for (Tcl_Size i = 0; i < numbers.count / each && result == TCL_OK; i++) {
        result = takeFigure(d, interp, &numbers, i, f, &all, &look);
        if (result != TCL_OK) break;
        if (shape == RECTANGLE) f[2] += f[0], f[3] += f[1]; /* a size, to a place */
        mapPlace(d, o.mapped, &f[0], &f[1]);
        mapPlace(d, o.mapped, &f[2], &f[3]);
        switch (shape) {
        case RECTANGLE: tacSheetRect(&d->sheet, &look, f[0], f[1], f[2], f[3]); break;
        case SEGMENT: tacSheetLine(&d->sheet, &look, f[0], f[1], f[2], f[3]); break;
        case MARK: tacSheetMark(&d->sheet, &look, f[0], f[1], ""); break;
        }
    }
    releaseNumbers(&numbers);
    return drawn(d, interp, result);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------- */

static int rectanglesSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return drawEach(data, interp, areaRows, RECTANGLE, objc, objv);
}

static int segmentsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return drawEach(data, interp, lineRows, SEGMENT, objc, objv);
}

static int marksSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return drawEach(data, interp, markRows, MARK, objc, objv);
}

/*
 * Draws the bars of one row along the x map. With -detail, bars that follow one another and are no further apart become
 * one, which has the first one's tag; so a row costs no more than there is to see.
 */
static int drawBars(tacDrawingRecord *d, Tcl_Interp *interp, const Numbers *numbers, const LookOptions *o,
    const tacLook *all, double y, double height) {
    double figure[4], from = 0, to = 0;
    bool open = false;
    tacLook look, next;
    for (Tcl_Size i = 0; i < numbers->count / 2; i++) {
        if (takeFigure(d, interp, numbers, i, figure, all, &next) != TCL_OK) return TCL_ERROR;
        double x0 = tacMapPlace(&d->sheet.x, figure[0]), x1 = tacMapPlace(&d->sheet.x, figure[1]);
        if (open && o->detail > 0 && x0 >= from && x0 <= to + o->detail
            && (to - from < o->detail || x1 - x0 < o->detail)) {
            to = fmax(to, x1);
            continue;
        }
        if (open) tacSheetRect(&d->sheet, &look, from, y, to, y + height);
        from = x0, to = x1, open = true;
        look = next;
    }
    if (open) tacSheetRect(&d->sheet, &look, from, y, to, y + height);
    return TCL_OK;
}

static int barsSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    LookOptions o;
    tacLook look;
    Numbers numbers;
    double y, height;
    if (Tcl_GetDoubleFromObj(interp, objv[2], &y) != TCL_OK || Tcl_GetDoubleFromObj(interp, objv[3], &height) != TCL_OK
        || parseLook(d, interp, barRows, objc - 5, objv + 5, &o, &look) != TCL_OK)
        return TCL_ERROR;
    int result = takeNumbers(interp, objv[4], o.tags, 2, &numbers);
    if (result == TCL_OK) result = drawBars(d, interp, &numbers, &o, &look, y, height);
    releaseNumbers(&numbers);
    return drawn(d, interp, result);
}

/* Reads a list of places, mapped if that is wanted, for the caller to free; NULL: an error. */
static tacPoint *takePoints(tacDrawingRecord *d, Tcl_Interp *interp, Tcl_Obj *list, bool mapped, size_t *count) {
    Numbers numbers;
    double figure[4];
    tacLook none = tacLookDefault(), look;
    if (takeNumbers(interp, list, NULL, 2, &numbers) != TCL_OK) return NULL;
    tacPoint *points = tacAlloc(((size_t) numbers.count / 2 + 1) * sizeof *points);
    if (!points) tacTclMemory(interp);
    *count = (size_t) numbers.count / 2;
    for (Tcl_Size i = 0; points && i < numbers.count / 2; i++) {
        if (takeFigure(d, interp, &numbers, i, figure, &none, &look) != TCL_OK) {
            tacFree(points);
            return NULL;
        }
        mapPlace(d, mapped, &figure[0], &figure[1]);
        points[i] = (tacPoint){(float) figure[0], (float) figure[1]};
    }
    return points;
}

static int drawPath(
    tacDrawingRecord *d, Tcl_Interp *interp, const tacOptionRow *rows, bool closed, int objc, Tcl_Obj *const objv[]) {
    LookOptions o;
    tacLook look;
    size_t count;
    if (parseLook(d, interp, rows, objc - 3, objv + 3, &o, &look) != TCL_OK) return TCL_ERROR;
    tacPoint *points = takePoints(d, interp, objv[2], o.mapped, &count);
    if (!points) return TCL_ERROR;
    if (!closed && count == 2) tacSheetLine(&d->sheet, &look, points[0].x, points[0].y, points[1].x, points[1].y);
    else tacSheetPath(&d->sheet, &look, points, count, closed);
    tacFree(points);
    return drawn(d, interp, TCL_OK);
}

static int lineSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return drawPath(data, interp, lineRows, false, objc, objv);
}

static int polygonSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return drawPath(data, interp, polygonRows, true, objc, objv);
}

static int textSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    LookOptions o;
    tacLook look;
    double x, y;
    Tcl_Size length;
    tacError err = {{0}, {0}};
    if (Tcl_GetDoubleFromObj(interp, objv[2], &x) != TCL_OK || Tcl_GetDoubleFromObj(interp, objv[3], &y) != TCL_OK
        || parseLook(d, interp, textRows, objc - 5, objv + 5, &o, &look) != TCL_OK)
        return TCL_ERROR;
    const tacMeasure *measure = tacDrawingMeasure(d, &err);
    if (!measure) return tacErrorToTcl(interp, &err);
    const char *text = Tcl_GetStringFromObj(objv[4], &length);
    mapPlace(d, o.mapped, &x, &y);
    tacSheetText(&d->sheet, &look, x, y, text, (size_t) length, o.most, measure);
    return drawn(d, interp, TCL_OK);
}

/* ---- clip, maps, all of it -------------------------------------------------------------------------------------- */

static int clipSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    double box[4];
    d->sheet.clipped = false;
    if (objc == 2) return TCL_OK;
    if (objc != 6) {
        Tcl_WrongNumArgs(interp, 2, objv, "?x y width height?");
        return TCL_ERROR;
    }
    for (int i = 0; i < 4; i++)
        if (Tcl_GetDoubleFromObj(interp, objv[i + 2], &box[i]) != TCL_OK) return TCL_ERROR;
    for (int i = 0; i < 4; i++) box[i] = fmax(-1e5, fmin(1e5, box[i]));
    d->sheet.clip = (tacBox){(float) box[0], (float) box[1], (float) (box[0] + box[2]), (float) (box[1] + box[3])};
    d->sheet.clipped = true;
    return TCL_OK;
}

/* Reads the map of an axis: {from to at end ?log?}. */
static int mapFromObj(Tcl_Interp *interp, Tcl_Obj *words, tacMap *map) {
    Tcl_Size count;
    Tcl_Obj **word;
    double n[4];
    if (Tcl_ListObjGetElements(interp, words, &count, &word) != TCL_OK) return TCL_ERROR;
    bool log = count == 5 && strcmp(Tcl_GetString(word[4]), "log") == 0;
    bool fits = count == 4 || log;
    for (int i = 0; i < 4 && fits; i++) fits = Tcl_GetDoubleFromObj(NULL, word[i], &n[i]) == TCL_OK && isfinite(n[i]);
    fits = fits && n[0] != n[1] && n[2] != n[3] && (!log || (n[0] > 0 && n[1] > 0));
    if (!fits)
        return tacTclFail(interp, "USAGE MAP",
            "bad map \"%.100s\": must be from, to, place, place, and perhaps the word log", Tcl_GetString(words));
    *map = (tacMap){n[0], n[1], n[2], n[3], log};
    return TCL_OK;
}

/* Runs `map x|y {from to at end ?log?}`, `map x|y place VALUE` and `map x|y value PLACE`. */
static int mapSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    static const char *const axes[] = {"x", "y", NULL}, *const ways[] = {"place", "value", NULL};
    tacDrawingRecord *d = data;
    int axis, way;
    double given;
    if (Tcl_GetIndexFromObjStruct(interp, objv[2], axes, sizeof *axes, "axis", TCL_EXACT, &axis) != TCL_OK)
        return TCL_ERROR;
    tacMap *map = axis ? &d->sheet.y : &d->sheet.x;
    if (objc == 4) return mapFromObj(interp, objv[3], map);
    if (Tcl_GetIndexFromObjStruct(interp, objv[3], ways, sizeof *ways, "word", TCL_EXACT, &way) != TCL_OK
        || Tcl_GetDoubleFromObj(interp, objv[4], &given) != TCL_OK)
        return TCL_ERROR;
    Tcl_SetObjResult(interp, Tcl_NewDoubleObj(way ? tacMapValue(map, given) : tacMapPlace(map, given)));
    return TCL_OK;
}

static int clearSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    (void) interp, (void) objc, (void) objv;
    tacSheetClear(&d->sheet);
    tacDrawingTell(d);
    return TCL_OK;
}

static int measureSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    LookOptions o;
    tacLook look;
    Tcl_Size length;
    float ascent, descent;
    tacError err = {{0}, {0}};
    if (parseLook(d, interp, textRows, objc - 3, objv + 3, &o, &look) != TCL_OK) return TCL_ERROR;
    const tacMeasure *measure = tacDrawingMeasure(d, &err);
    if (!measure) return tacErrorToTcl(interp, &err);
    const char *text = Tcl_GetStringFromObj(objv[2], &length);
    float size = look.size > 0 ? look.size : d->sheet.display.fontSize;
    double width = measure->width(measure->data, text, (size_t) length, size, look.bold, &ascent, &descent);
    Tcl_Obj *values[3] = {number(width), number(ascent), number(descent)};
    Tcl_SetObjResult(interp, Tcl_NewListObj(3, values));
    return TCL_OK;
}

static int identifySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    double x, y, slack = 0;
    tacError err = {{0}, {0}};
    if (Tcl_GetDoubleFromObj(interp, objv[2], &x) != TCL_OK || Tcl_GetDoubleFromObj(interp, objv[3], &y) != TCL_OK
        || (objc > 4 && Tcl_GetDoubleFromObj(interp, objv[4], &slack) != TCL_OK))
        return TCL_ERROR;
    const tacMeasure *measure = tacDrawingMeasure(d, &err);
    if (!measure) return tacErrorToTcl(interp, &err);
    const tacItem *item = tacSheetFind(&d->sheet, x, y, slack, measure);
    if (item) Tcl_SetObjResult(interp, Tcl_NewStringObj(tacSheetTagName(&d->sheet, item->index), -1));
    return TCL_OK;
}

static int countSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacDrawingRecord *d = data;
    (void) objc, (void) objv;
    Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt) d->sheet.display.items.count));
    return TCL_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

typedef struct ExportOptions {
    const char *format;
    double resolution;
} ExportOptions;

static const tacOptionRow exportRows[] = {{"-format", TAC_VALUE_TEXT, offsetof(ExportOptions, format), NULL, "name",
                                              NULL, "file format; default: by the file's extension"},
    {"-resolution", TAC_VALUE_NUMBER, offsetof(ExportOptions, resolution), NULL, "dpi", "144",
        "pixels an inch of png and ppm"},
    LAST};

/* Writes the sheet to a file. Paper that is not white becomes a rectangle under everything else. */
static tacStatus writeSheet(tacSheet *sheet, uint32_t color, const tacExportFormat *format, double resolution,
    const char *path, tacError *err) {
    const tacDisplay *display = tacSheetDisplay(sheet);
    if (color == 0xFFFFFF) return tacExportFile(display, format, resolution, path, err);
    tacDisplay whole = *display;
    tacItem paper = {
        .kind = TAC_ITEM_RECT, .layer = TAC_LAYER_BACK, .fill = color, .ink = TAC_NO_COLOR, .outline = TAC_NO_COLOR};
    paper.x1 = display->width, paper.y1 = display->height;
    whole.items.at = tacAlloc((display->items.count + 1) * sizeof *whole.items.at);
    if (!whole.items.at) return tacFailMemory(err);
    whole.items.at[0] = paper;
    if (display->items.count)
        memcpy(whole.items.at + 1, display->items.at, display->items.count * sizeof *whole.items.at);
    whole.items.count++;
    tacStatus status = tacExportFile(&whole, format, resolution, path, err);
    tacFree(whole.items.at);
    return status;
}

int tacSheetExport(
    Tcl_Interp *interp, tacSheet *sheet, uint32_t paper, Tcl_Obj *file, int objc, Tcl_Obj *const objv[]) {
    ExportOptions options = {.format = NULL};
    Tcl_DString path;
    tacError err = {{0}, {0}};
    int result = TCL_OK;
    if (Tcl_IsSafe(interp)) return tacTclFail(interp, "SAFE", "a safe interpreter cannot write files");
    if (tacOptionsParse(interp, exportRows, objc, objv, &options) != TCL_OK || !tacPathFromObj(interp, file, &path))
        return TCL_ERROR;
    const tacExportFormat *format = tacExportFind(options.format, Tcl_DStringValue(&path));
    if (!format) {
        Tcl_Obj *names = tacFormatNames(" or ");
        Tcl_IncrRefCount(names);
        result = tacTclFail(interp, "USAGE FORMAT", "cannot tell the format of \"%.200s\": -format must be %s",
            Tcl_DStringValue(&path), Tcl_GetString(names));
        Tcl_DecrRefCount(names);
    } else if (writeSheet(sheet, paper, format, options.resolution, Tcl_DStringValue(&path), &err) != TAC_OK)
        result = tacErrorToTcl(interp, &err);
    Tcl_DStringFree(&path);
    return result;
}

static int exportSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    return tacSheetExport(interp, &d->sheet, d->paper, objv[2], objc - 3, objv + 3);
}

static int dumpSub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    tacDrawingRecord *d = data;
    tacText text = {0};
    (void) objc, (void) objv;
    tacDisplayDump(tacSheetDisplay(&d->sheet), &text);
    if (text.failed) tacTclMemory(interp);
    else Tcl_SetObjResult(interp, Tcl_NewStringObj(text.at, (Tcl_Size) text.length));
    int result = text.failed ? TCL_ERROR : TCL_OK;
    tacTextFree(&text);
    return result;
}

static int destroySub(void *data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    const tacDrawingRecord *d = data;
    (void) objc, (void) objv;
    Tcl_DeleteCommandFromToken(interp, d->token);
    return TCL_OK;
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

const tacSubcommand tacDrawingSubcommands[] = {
    {"bars", barsSub, 3, -1, "y height {from to ...} ?-option value ...?",
        "bars of one row, from and to along the x map"},
    {"cget", cgetSub, 1, 1, "option", "value of an option"},
    {"clear", clearSub, 0, 0, NULL, "removes everything that was drawn"},
    {"clip", clipSub, 0, 4, "?x y width height?", "what is drawn from now on is cut to a rectangle, or no longer"},
    {"configure", configureSub, 0, -1, "?-option value ...?", "changes options, or tells all of them"},
    {"count", countSub, 0, 0, NULL, "figures on the drawing"},
    {"destroy", destroySub, 0, 0, NULL, "deletes the drawing"},
    {"dump", dumpSub, 0, 0, NULL, "the display list as text"},
    {"export", exportSub, 1, -1, "file ?-option value ...?", "writes the drawing to a file"},
    {"identify", identifySub, 2, 3, "x y ?slack?", "tag of the topmost figure at a place"},
    {"line", lineSub, 1, -1, "{x y ...} ?-option value ...?", "a line through places"},
    {"map", mapSub, 2, 3, "x|y {from to at end ?log?}|place value|value place",
        "sets the map of an axis, or maps a value or a place by it"},
    {"marks", marksSub, 1, -1, "{x y ...} ?-option value ...?", "marks at places"},
    {"measure", measureSub, 1, -1, "text ?-option value ...?", "width, ascent and descent of a text"},
    {"polygon", polygonSub, 1, -1, "{x y ...} ?-option value ...?", "an area with these corners"},
    {"rectangles", rectanglesSub, 1, -1, "{x y width height ...} ?-option value ...?", "rectangles by corner and size"},
    {"segments", segmentsSub, 1, -1, "{x0 y0 x1 y1 ...} ?-option value ...?", "lines from place to place"},
    {"text", textSub, 3, -1, "x y text ?-option value ...?", "a text at a place"},
    {NULL, NULL, 0, 0, NULL, NULL},
};

static int drawingCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    return tacDispatch(data, interp, objc, objv, tacDrawingSubcommands);
}

static void freeDrawing(tacDrawingRecord *d) {
    tacSheetFree(&d->sheet);
    if (d->measure.data) tacMeasureFree(&d->measure);
    tacFree(d->font);
    tacFree(d);
}

static void onDelete(ClientData data) {
    tacDrawingRecord *d = data;
    while (d->users) {
        tacDrawingUser *user = d->users;
        d->users = user->next;
        user->drawing = NULL;
        user->changed(user->data, NULL);
    }
    freeDrawing(d);
}

int tacDrawingCmd(ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]) {
    char name[40];
    tacDrawingRecord *d = tacAllocZero(1, sizeof *d);
    (void) data;
    if (!d) return tacTclMemory(interp);
    d->paper = 0xFFFFFF;
    tacSheetInit(&d->sheet);
    d->sheet.display.width = 250;
    d->sheet.display.height = 150;
    d->sheet.display.fontSize = 9;
    if (configure(d, interp, objc - 1, objv + 1) != TCL_OK) {
        freeDrawing(d);
        return TCL_ERROR;
    }
    tacNewCommandName(interp, "::tactus::drawing", name);
    d->token = Tcl_CreateObjCommand(interp, name, drawingCmd, d, onDelete);
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return TCL_OK;
}
