/*
 * style.c -- settings to sizes and colours.
 *
 *      tacStyleInit    defaults, then the trace's settings, then the figure's -> sizes in points -> theme, grayscale
 *
 * A table gives for each setting the field of tacStyle that it fills and how its text is read. The defaults are those
 * of the vocabulary (tacSettings), so that the manual, the reader and the figure cannot disagree.
 */
#include "base/port.h"

#include "base/print.h"
#include "view/style.h"
#include "view/utf8.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum SettingType { NUMBER, COLOR, PATTERN, SHAPE, DASHES } SettingType;

typedef struct SettingField {
    const char *name;
    SettingType type;
    size_t offset; /* in tacStyle */
} SettingField;

#define FIELD(field) offsetof(tacStyle, field)
#define MARK(kind, field) \
    (offsetof(tacStyle, marks) + TAC_MARK_##kind * sizeof(tacMarkStyle) + offsetof(tacMarkStyle, field))

static const SettingField fields[] = {
    {"plot.timeUnit", NUMBER, FIELD(timeUnit)},
    {"plot.task.barHeight", NUMBER, FIELD(barHeight)},
    {"plot.task.arrowHeight", NUMBER, FIELD(arrowHeight)},
    {"plot.task.margin", NUMBER, FIELD(taskMargin)},
    {"plot.timeline.offsetY", NUMBER, FIELD(timelineOffset)},
    {"plot.timeline.barHeight", NUMBER, FIELD(tickLength)},
    {"plot.timeline.labelDistance", NUMBER, FIELD(labelDistance)},
    {"plot.timeline.markDistance", NUMBER, FIELD(markDistance)},
    {"plot.timeline.headWidth", NUMBER, FIELD(headWidth)},
    {"plot.server.capacityHeight", NUMBER, FIELD(serverHeight)},
    {"plot.server.margin", NUMBER, FIELD(serverMargin)},
    {"plot.server.showMessages", NUMBER, FIELD(serverMessages)},
    {"plot.interval.height", NUMBER, FIELD(intervalHeight)},
    {"plot.interval.dash", DASHES, FIELD(intervalDash)},
    {"plot.legend.itemHeight", NUMBER, FIELD(legendItemHeight)},
    {"plot.legend.itemWidth", NUMBER, FIELD(legendItemWidth)},
    {"font.size", NUMBER, FIELD(fontSetting)},
    {"color.task.active", COLOR, FIELD(active)},
    {"color.task.preempted", COLOR, FIELD(preempted)},
    {"color.task.blocked", COLOR, FIELD(blocked)},
    {"color.task.criticalSection", COLOR, FIELD(critical)},
    {"color.task.betweenJobs", COLOR, FIELD(between)},
    {"color.task.unknown", COLOR, FIELD(unknown)},
    {"color.isr.active", COLOR, FIELD(isr)},
    {"pattern.task.criticalSection", PATTERN, FIELD(criticalPattern)},
    {"color.message", COLOR, MARK(MESSAGE, color)},
    {"shape.message", SHAPE, MARK(MESSAGE, shape)},
    {"color.server.replenished", COLOR, MARK(REPLENISHED, color)},
    {"shape.server.replenished", SHAPE, MARK(REPLENISHED, shape)},
    {"color.server.depleted", COLOR, MARK(DEPLETED, color)},
    {"shape.server.depleted", SHAPE, MARK(DEPLETED, shape)},
    {"color.server.resumed", COLOR, MARK(SERVER_RESUMED, color)},
    {"shape.server.resumed", SHAPE, MARK(SERVER_RESUMED, shape)},
    {"color.server.preempted", COLOR, MARK(SERVER_PREEMPTED, color)},
    {"shape.server.preempted", SHAPE, MARK(SERVER_PREEMPTED, shape)},
    {"color.semaphore.released", COLOR, MARK(RELEASED, color)},
    {"color.semaphore.acquired", COLOR, MARK(ACQUIRED, color)},
    {"color.semaphore.suspended", COLOR, MARK(SUSPENDED, color)},
};

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* Index of word in a NULL-terminated list, or -1. */
static int wordIndex(const char *const *words, const char *word) {
    for (int i = 0; word && words[i]; i++)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}

/* The words of a type stand in the order of the enumeration (of patterns, behind none); a test compares them. */
tacPattern tacPatternWord(const char *word, tacPattern fallback) {
    int i = wordIndex(tacTypeWords(TAC_TYPE_PATTERN), word);
    return i < 0 ? fallback : (tacPattern) (i + 1);
}

tacDash tacDashWord(const char *word, tacDash fallback) {
    int i = wordIndex(tacTypeWords(TAC_TYPE_STEM), word);
    return i < 0 ? fallback : (tacDash) i;
}

tacHeads tacHeadsWord(const char *word, tacHeads fallback) {
    int i = wordIndex(tacTypeWords(TAC_TYPE_ARROW), word);
    return i < 0 ? fallback : (tacHeads) i;
}

tacShape tacShapeWord(const char *word, tacShape fallback) {
    int i = wordIndex(tacTypeWords(TAC_TYPE_SHAPE), word);
    if (i >= 0 && i < TAC_SHAPE_LETTER) return (tacShape) i; /* "none" is none of them */
    size_t characters = 0;
    for (const char *c = word; c && *c; c++) characters += !tacUtf8Continues(*c);
    return characters == 1 ? TAC_SHAPE_LETTER : fallback;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

static bool readNumber(const char *text, void *field) {
    char *end;
    double value = tacNumberRead(text, &end);
    if (end == text || *end || !(value >= 0 && value <= 1e6)) return false;
    *(double *) field = value;
    return true;
}

static bool readColor(const char *text, void *field) { return tacColorParse(text, field); }

static bool readPattern(const char *text, void *field) {
    tacPattern pattern = tacPatternWord(text, TAC_PATTERNS);
    if (pattern == TAC_PATTERNS) return false;
    *(tacPattern *) field = pattern;
    return true;
}

static bool readShape(const char *text, void *field) {
    tacShape shape = tacShapeWord(text, TAC_SHAPE_LETTER);
    if (shape == TAC_SHAPE_LETTER) return false;
    *(tacShape *) field = shape;
    return true;
}

/* Reads a dash list of Tk, {1 4}: short strokes are dots; an empty list is a solid line. */
static bool readDash(const char *text, void *field) {
    char *end;
    double first = tacNumberRead(text, &end);
    bool empty = end == text;
    *(tacDash *) field = empty ? TAC_DASH_SOLID : first <= 2 ? TAC_DASH_DOTTED : TAC_DASH_DASHED;
    return !empty || *text == 0;
}

static bool (*const readers[])(const char *, void *) = {readNumber, readColor, readPattern, readShape, readDash};

/* Sets the field of a setting; an empty value leaves it as it is. */
static void applySetting(tacStyle *style, const char *name, const char *value, tacDiag *diag) {
    const SettingField *field = fields, *end = fields + sizeof fields / sizeof *fields;
    while (field < end && strcmp(field->name, name) != 0) field++;
    if (field == end) { /* a setting of another stage, or none at all */
        const tacSettingSpec *spec = tacSettings;
        while (spec->name && strcmp(spec->name, name) != 0) spec++;
        if (diag && !spec->name)
            tacDiagAdd(diag, TAC_SEVERITY_WARNING, 0, "SETTING", "unknown setting \"%.60s\" has no effect", name);
        return;
    }
    if (*value && !readers[field->type](value, (char *) style + field->offset) && diag) {
        tacDiagAdd(diag, TAC_SEVERITY_WARNING, 0, "SETTING", "setting %s cannot be \"%.60s\": the default is used",
            name, value);
    }
}

const char *tacStyleSetting(const char *name, const tacStore *store, const tacFigure *figure) {
    const char *value = tacStoreSetting(store, name);
    for (const char *const *s = figure->settings; s && s[0] && s[1]; s += 2)
        value = strcmp(s[0], name) == 0 ? s[1] : value;
    return value;
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

uint32_t tacStyleColor(const tacStyle *style, uint32_t rgb) {
    return style->grayscale && rgb != TAC_NO_COLOR ? tacColorGray(rgb) : rgb;
}

uint32_t tacStyleParse(const tacStyle *style, const char *text, uint32_t fallback, uint32_t line, tacDiag *diag) {
    uint32_t rgb;
    if (!text || !*text) return fallback;
    if (tacColorParse(text, &rgb)) return tacStyleColor(style, rgb);
    if (diag)
        tacDiagAdd(diag, TAC_SEVERITY_WARNING, line, "COLOR", "unknown colour \"%.60s\": the default is used", text);
    return fallback;
}

/*
 * Nine light colours that stay apart for colour-blind readers (P. Tol, Colour schemes, SRON/EPS/TN/09-002, "light"),
 * in an order in which neighbours differ most, and fifteen for further tasks, found one by one as in view/palette.c;
 * in grayscale five levels.
 */
static const uint32_t lightPalette[] = {0x77AADD, 0xEEDD88, 0xEE8866, 0x44BB99, 0xFFAABB, 0x99DDFF, 0xAAAA00, 0xBBCC33,
    0xDDDDDD, 0x7800F0, 0xB40087, 0x7878D2, 0xB4691E, 0x967887, 0x875A4B, 0x0069A5, 0xF01EFF, 0x87C3F0, 0x3C96B4,
    0x3CFF00, 0x785AD2, 0xB41EB4, 0x96D278, 0xB4F0B4};
enum { LEVELS = 5 };
static const uint32_t grayPalette[LEVELS] = {0xCCCCCC, 0x777777, 0xEEEEEE, 0x999999, 0x555555};
static const uint32_t grayOnDark[LEVELS] = {0xC8C8C8, 0x8C8C8C, 0xEEEEEE, 0xAAAAAA, 0x6E6E6E};

uint32_t tacStylePaletteSize(const tacStyle *style) {
    return style->grayscale ? LEVELS : sizeof lightPalette / sizeof *lightPalette;
}

uint32_t tacStylePalette(const tacStyle *style, uint32_t i) {
    const uint32_t *colors = !style->grayscale ? lightPalette : style->dark ? grayOnDark : grayPalette;
    return tacStyleSeen(style, colors[i % tacStylePaletteSize(style)]);
}

uint32_t tacStyleParseBar(const tacStyle *style, const char *text, uint32_t fallback, uint32_t line, tacDiag *diag) {
    uint32_t rgb = tacStyleParse(style, text, TAC_NO_COLOR, line, diag);
    return rgb == TAC_NO_COLOR ? fallback : tacStyleSeen(style, rgb);
}

uint32_t tacStyleSeen(const tacStyle *style, uint32_t rgb) {
    return style->dark ? tacColorSeen(rgb, style->paper, 0xFFFFFF, TAC_STYLE_CONTRAST) : rgb;
}

uint32_t tacStyleInk(const tacStyle *style, uint32_t rgb) {
    if (style->dark) return tacColorLightness(rgb) < 0.35 ? tacColorMix(rgb, 0xFFFFFF, 0.5) : rgb;
    return style->grayscale ? tacColorSeen(rgb, style->paper, style->ink, TAC_STYLE_CONTRAST) : rgb;
}

uint32_t tacStyleOutline(const tacStyle *style, uint32_t fill) {
    const double least = 1.5; /* contrast on dark paper */
    if (fill == TAC_NO_COLOR) return style->ink;
    if (style->dark) return tacColorContrast(fill, style->ink) < least ? tacColorMix(fill, 0, 0.5) : style->ink;
    bool nearlyBlack = (fill >> 16) < 0x60 && (fill >> 8 & 0xFF) < 0x60 && (fill & 0xFF) < 0x60;
    return nearlyBlack ? tacColorMix(fill, 0xFFFFFF, 0.5) : style->ink;
}

/* Sets the colours of the theme, and makes all other colours fit it and grayscale. */
static void applyTheme(tacStyle *style) {
    style->ink = style->dark ? 0xE8E8E8 : 0x000000;
    style->paper = style->dark ? 0x1E1E1E : 0xFFFFFF;
    style->faint = style->dark ? 0x9A9A9A : 0x666666;
    style->grid = style->dark ? 0x3A3A3A : 0xDDDDDD;
    style->ignored = style->dark ? 0x777777 : 0x999999;
    style->late = style->grayscale ? style->ink : style->dark ? 0xFF5A4D : 0xC8102E;
    style->onTime = style->dark ? 0x7C93AB : 0xA9BBCF;
    style->quiet = style->dark ? 0x484C52 : 0xDADCDF;
    if (style->dark) { /* the white of the defaults would glare */
        style->preempted = style->preempted == 0xFFFFFF ? 0x303030 : style->preempted;
        style->blocked = style->blocked == 0xFFFFFF ? 0x303030 : style->blocked;
        style->unknown = style->unknown == 0xFFFFFF ? 0x303030 : style->unknown;
        style->between = tacStyleSeen(style, style->between);
        style->marks[TAC_MARK_SYNC].color = 0xA79BFF;
    }
    if (style->colorBy == TAC_COLOR_STATE) {
        style->active = 0x009E73;
        style->preempted = 0xF0C93A;
        style->blocked = 0xE07B39;
        style->between = 0x9AD3BC;
    }
    uint32_t *const colors[] = {&style->onTime, &style->quiet, &style->active, &style->preempted, &style->blocked,
        &style->critical, &style->between, &style->unknown, &style->isr};
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) *colors[i] = tacStyleColor(style, *colors[i]);
    for (int i = 0; i < TAC_MARK_KINDS; i++) style->marks[i].color = tacStyleColor(style, style->marks[i].color);
    if (style->grayscale) { /* shapes tell marks apart: the published squares would look alike without hue */
        tacMarkStyle *preempted = &style->marks[TAC_MARK_SERVER_PREEMPTED];
        style->marks[TAC_MARK_RELEASED].shape = TAC_SHAPE_CIRCLE;
        style->marks[TAC_MARK_ACQUIRED].shape = TAC_SHAPE_DISK;
        style->marks[TAC_MARK_SUSPENDED].shape = TAC_SHAPE_PLUS;
        if (preempted->shape == style->marks[TAC_MARK_SERVER_RESUMED].shape) preempted->shape = TAC_SHAPE_DIAMOND;
    }
}

/* Works out the sizes in points from the font's. */
static void applySizes(tacStyle *style, const tacFigure *figure) {
    double size = figure->fontSize > 0 ? figure->fontSize : style->fontSetting > 0 ? style->fontSetting : 9;
    size = size < 2 ? 2 : size > 144 ? 144 : size;
    style->fontSize = (float) size;
    style->smallSize = (float) (size * 0.9);
    style->unit = (float) (size / 14);
    float scale = size < 9 ? 1 : (float) (size / 9);
    style->thin = 0.4f * scale;
    style->line = 0.5f * scale;
    style->thick = 1.2f * scale;
}

void tacStyleInit(tacStyle *style, const tacStore *store, const tacFigure *figure, tacDiag *diag) {
    static const struct {
        tacMarkKind kind;
        tacMarkStyle style;
    } marks[] = {
        /* marks without settings */
        {TAC_MARK_RELEASED, {0, TAC_SHAPE_SQUARE}},
        {TAC_MARK_ACQUIRED, {0, TAC_SHAPE_SQUARE}},
        {TAC_MARK_SUSPENDED, {0, TAC_SHAPE_SQUARE}},
        {TAC_MARK_PERIOD, {0x0000FF, TAC_SHAPE_SQUARE}},
        {TAC_MARK_DEADLINE, {0xFF0000, TAC_SHAPE_CROSS}},
        {TAC_MARK_DELAY, {0x808080, TAC_SHAPE_DIAMOND}},
        {TAC_MARK_SYNC, {0x5A4FCF, TAC_SHAPE_TRIANGLE_UP}},
    };
    memset(style, 0, sizeof *style);
    style->grayscale = figure->grayscale;
    style->dark = figure->dark;
    style->colorBy = figure->colorBy;
    style->layers = figure->layers;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) style->marks[marks[i].kind] = marks[i].style;
    for (const tacSettingSpec *spec = tacSettings; spec->name; spec++)
        applySetting(style, spec->name, spec->value, NULL);
    for (size_t i = 0; i + 1 < store->settings.count; i += 2)
        applySetting(style, tacString(store, store->settings.at[i]), tacString(store, store->settings.at[i + 1]), diag);
    for (const char *const *s = figure->settings; s && s[0] && s[1]; s += 2) applySetting(style, s[0], s[1], diag);
    applySizes(style, figure);
    applyTheme(style);
}
