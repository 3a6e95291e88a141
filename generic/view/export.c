/*
 * export.c -- the table of formats, and the way from a format's bytes to a file.
 */
#include "base/port.h"

#include "base/save.h"
#include "view/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const tacExportFormat tacExportFormats[] = {
    {"pdf", ".pdf", "PDF 1.4, fonts embedded", tacExportPdf, true},
    {"ps", ".ps", "PostScript level 3, pages of the figure's size", tacExportPs, true},
    {"eps", ".eps .epsi .epsf", "encapsulated PostScript", tacExportEps, false},
    {"svg", ".svg", "SVG 1.1, text as text", tacExportSvg, false},
    {"png", ".png", "picture of pixels, 144 dpi unless told otherwise", tacExportPng, false},
    {"ppm", ".ppm", "the same unpacked, for programs that read it at once", tacExportPpm, false},
    {"tex", ".tex .tikz .pgf", "TikZ picture, for \\input in a paper and to compile alone", tacExportTikz, false},
    {NULL, NULL, NULL, NULL, false},
};

/* Is the word, of this length, one of a blank-separated list of words in small letters? Letters are those of ASCII. */
static bool inList(const char *list, const char *word, size_t length) {
    for (; list; list = strchr(list, ' ')) {
        list += *list == ' ';
        size_t same = 0;
        while (same < length && (word[same] | (word[same] >= 'A' && word[same] <= 'Z' ? 0x20 : 0)) == list[same])
            same++;
        if (same == length && (list[same] == '\0' || list[same] == ' ')) return true;
    }
    return false;
}

const tacExportFormat *tacExportFind(const char *name, const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL, *extension = file ? strrchr(slash ? slash : file, '.') : NULL;
    const char *word = name ? name : extension;
    for (const tacExportFormat *format = tacExportFormats; word && format->name; format++)
        if (inList(name ? format->name : format->extensions, word, strlen(word))) return format;
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
