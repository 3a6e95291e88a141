/*
 * export.c -- the table of formats, and the way from a format's bytes to a file.
 */
#include "base/port.h"

#include "base/save.h"
#include "view/export.h"
#include "view/exportCairo.h"
#include "view/svg.h"
#include "view/tikz.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const tacExportFormat tacExportFormats[] = {
    {"pdf", ".pdf", "PDF 1.4, fonts embedded", tacExportPdf},
    {"ps", ".ps", "PostScript level 3, one page of the figure's size", tacExportPs},
    {"eps", ".eps .epsi .epsf", "encapsulated PostScript", tacExportEps},
    {"svg", ".svg", "SVG 1.1, text as text", tacExportSvg},
    {"png", ".png", "picture of pixels, 144 dpi unless told otherwise", tacExportPng},
    {"ppm", ".ppm", "the same unpacked, for programs that read it at once", tacExportPpm},
    {"tex", ".tex .tikz .pgf", "TikZ picture, for \\input in a paper and to compile alone", tacExportTikz},
    {NULL, NULL, NULL, NULL},
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c; }

/* Is `word` (of a length) equal but for case to the beginning of `list` up to a blank or its end? */
static bool isWord(const char *list, const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (lower(word[i]) != list[i]) return false;
    return list[length] == '\0' || list[length] == ' ';
}

static bool inList(const char *list, const char *word, size_t length) {
    for (; list; list = strchr(list, ' ')) {
        list += *list == ' ';
        if (isWord(list, word, length)) return true;
    }
    return false;
}

/* The last dot and what follows, or NULL. */
static const char *extensionOf(const char *file) {
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    return dot && (!slash || dot > slash) ? dot : NULL;
}

const tacExportFormat *tacExportFind(const char *name, const char *file) {
    const char *extension = !name && file ? extensionOf(file) : NULL;
    if (!name && !extension) return NULL;
    for (const tacExportFormat *format = tacExportFormats; format->name; format++) {
        bool found = name ? isWord(format->name, name, strlen(name))
                          : inList(format->extensions, extension, strlen(extension));
        if (found) return format;
    }
    return NULL;
}

/* ---- to a file -------------------------------------------------------------------------------------------------- */

typedef struct Target {
    FILE *file;
    const char *path;
    tacError *err;
} Target;

static tacStatus toFile(void *data, const void *bytes, size_t n) {
    Target *t = data;
    if (fwrite(bytes, 1, n, t->file) == n) return TAC_OK;
    return tacFail(t->err, "FILE WRITE", "cannot write \"%s\": %s", t->path, strerror(errno));
}

tacStatus tacExportFile(
    const tacDisplay *display, const tacExportFormat *format, double resolution, const char *file, tacError *err) {
    tacSave save;
    if (display->failed) return tacFailMemory(err);
    if (tacSaveBegin(&save, file, TAC_SAVE_AS_USUAL, err) != TAC_OK) return TAC_ERROR;
    Target t = {save.file, file, err};
    tacStatus status = format->write(display, resolution, toFile, &t, err);
    tacStatus saved = tacSaveEnd(&save, status == TAC_OK, file, status == TAC_OK ? err : NULL);
    return status == TAC_OK ? saved : status;
}
