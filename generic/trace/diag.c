/*
 * diag.c -- remarks about a trace, equal ones counted together, many of a kind cut short.
 */
#include "base/port.h"

#include "trace/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tacSeverityNames[] = {
    [TAC_SEVERITY_NOTE] = "note", [TAC_SEVERITY_WARNING] = "warning", [TAC_SEVERITY_ERROR] = "error", NULL};

const char *tacSeverityName(tacSeverity severity) { return tacSeverityNames[severity]; }

/* The number of texts kept of a kind and severity; NULL: no memory. */
static uint32_t *keptOfKind(tacDiag *diag, uint32_t kind, tacSeverity severity) {
    size_t at = 3 * (size_t) kind + severity;
    while (diag->perKind.count <= at)
        if (!tacArrayPush(&diag->perKind, 0)) return NULL;
    return &diag->perKind.at[at];
}

enum { KEY = 640 }; /* bytes of a key */

/* Makes the key that tells remarks apart; returns its length. */
static size_t makeKey(char key[KEY], tacSeverity severity, uint32_t kind, const char *text) {
    int n = snprintf(key, KEY, "%d %u %s", severity, kind, text);
    return n < KEY ? (size_t) n : KEY - 1;
}

/* The remark of this severity, kind and text, added if it is new; NULL: no memory. */
static tacRemark *findRemark(tacDiag *diag, tacSeverity severity, uint32_t line, uint32_t kind, const char *text) {
    char key[KEY];
    size_t length = makeKey(key, severity, kind, text);
    if (!tacArrayReserve(&diag->remarks, 1)) return NULL;
    uint32_t id = tacIntern(&diag->keys, key, length);
    if (id == TAC_NONE) return NULL;
    if (id < diag->remarks.count) return &diag->remarks.at[id];
    uint32_t textId = tacIntern(&diag->texts, text, strlen(text));
    /* Without memory for its text the remark shows its kind instead, since its key is there already. */
    diag->failed |= textId == TAC_NONE;
    diag->remarks.at[diag->remarks.count++] = (tacRemark){severity, line, kind, textId == TAC_NONE ? kind : textId, 0};
    return &diag->remarks.at[id];
}

/* Makes the keys again when sorting has put the remarks in another order than theirs. False: no memory. */
static bool restoreKeys(tacDiag *diag) {
    char key[KEY];
    if (!diag->sorted) return true;
    tacInternFree(&diag->keys);
    for (size_t i = 0; i < diag->remarks.count; i++) {
        const tacRemark *remark = &diag->remarks.at[i];
        size_t length = makeKey(key, remark->severity, remark->kind, tacInternName(&diag->texts, remark->text, NULL));
        if (tacIntern(&diag->keys, key, length) == TAC_NONE) return false;
    }
    diag->sorted = false;
    return true;
}

/* Adds a remark, or counts it with an equal one. Beyond TAC_DIAG_TEXTS texts of a kind, new texts are counted together.
 */
static void addRemark(
    tacDiag *diag, tacSeverity severity, uint32_t line, uint64_t count, const char *kind, const char *text) {
    static const char other[] = "OTHER"; /* of all kinds when there are too many remarks */
    bool full = diag->remarks.count >= TAC_DIAG_MOST;
    if (full && tacInternFind(&diag->texts, kind, strlen(kind)) == TAC_NONE) kind = other;
    uint32_t kindId = restoreKeys(diag) ? tacIntern(&diag->texts, kind, strlen(kind)) : TAC_NONE;
    uint32_t *kept = kindId == TAC_NONE ? NULL : keptOfKind(diag, kindId, severity);
    size_t before = diag->remarks.count;
    tacRemark *remark = NULL;
    if (kept && (full || *kept >= TAC_DIAG_TEXTS)) {
        char key[KEY];
        uint32_t id = tacInternFind(&diag->keys, key, makeKey(key, severity, kindId, text));
        if (id != TAC_NONE) remark = &diag->remarks.at[id];
        else remark = findRemark(diag, severity, line, kindId, "... and more of this kind, not listed");
    } else if (kept) {
        remark = findRemark(diag, severity, line, kindId, text);
        if (remark && diag->remarks.count > before) ++*kept;
    }
    if (!remark) {
        diag->failed = true;
        return;
    }
    remark->count += count;
    if (line && (!remark->line || line < remark->line)) remark->line = line;
}

void tacDiagAdd(tacDiag *diag, tacSeverity severity, uint32_t line, const char *kind, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    tacSentence(text, sizeof text, format, args);
    va_end(args);
    tacDiagRepeat(diag, severity, line, 1, kind, text);
}

void tacDiagRepeat(
    tacDiag *diag, tacSeverity severity, uint32_t line, uint64_t count, const char *kind, const char *text) {
    if (diag->strict && severity == TAC_SEVERITY_WARNING) severity = TAC_SEVERITY_ERROR;
    diag->totals[severity] += count;
    addRemark(diag, severity, line, count, kind, text);
}

bool tacDiagFaulty(const tacDiag *diag, uint32_t line, tacSeverity severity) {
    for (size_t i = 0; i < diag->remarks.count; i++)
        if (diag->remarks.at[i].line == line && diag->remarks.at[i].severity == severity) return true;
    return false;
}

static int byLine(const void *left, const void *right) {
    const tacRemark *a = left, *b = right;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->severity != b->severity) return a->severity > b->severity ? -1 : 1;
    return a->text < b->text ? -1 : a->text > b->text;
}

void tacDiagSort(tacDiag *diag) {
    if (diag->remarks.count < 2) return;
    qsort(diag->remarks.at, diag->remarks.count, sizeof *diag->remarks.at, byLine);
    diag->sorted = true;
}

void tacDiagFormat(const tacDiag *diag, const tacRemark *remark, const char *file, tacText *out) {
    if (remark->line) tacTextPrintf(out, "%s:%u: ", file, remark->line);
    else tacTextPrintf(out, "%s: ", file);
    tacTextPrintf(out, "%s: %s", tacSeverityName(remark->severity), tacInternName(&diag->texts, remark->text, NULL));
    if (remark->count > 1) tacTextPrintf(out, " (%llu times)", (unsigned long long) remark->count);
}

void tacDiagFree(tacDiag *diag) {
    tacInternFree(&diag->texts);
    tacInternFree(&diag->keys);
    tacArrayFree(&diag->remarks);
    tacArrayFree(&diag->perKind);
}
