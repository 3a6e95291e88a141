/*
 * learnMarks.c -- forms of marks. A text is looked at once, however often it comes.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/learnMarks.h"

#include <string.h>

enum { UNSEEN = TAC_NONE, OTHER = TAC_NONE - 1 }; /* instead of the form of a text */

/* ---- texts to patterns ------------------------------------------------------------------------------------------- */

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool isWordCharacter(char c) { return isHex(c) || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '_'; }

/* The end of a number that begins here: 17, -3, 1.2.3, 0x1f; `at` itself where none begins. */
static const char *numberEnd(const char *begin, const char *at, const char *end) {
    const char *digits = at + (*at == '-' && (at == begin || !isWordCharacter(at[-1])));
    if (digits == end || !isDigit(*digits)) return at;
    if (end - digits > 2 && digits[0] == '0' && digits[1] == 'x' && isHex(digits[2])) {
        for (at = digits + 2; at < end && isHex(*at);) at++;
        return at;
    }
    for (at = digits; at < end && (isDigit(*at) || (*at == '.' && at + 1 < end && isDigit(at[1])));) at++;
    return at;
}

void tacMarkGlob(const char *text, size_t length, bool numbers, tacText *glob) {
    size_t kept = length > TAC_MARK_BYTES ? tacWholeLength(text, length, TAC_MARK_BYTES) : length;
    const char *end = text + kept;
    for (const char *at = text; at < end;) {
        const char *after = numbers ? numberEnd(text, at, end) : at;
        bool special = (unsigned char) *at < ' ' || *at == 0x7f || strchr("*?[]\\{}\"$;", *at);
        if (after > at) tacTextAdd(glob, "*", 1);
        else tacTextAdd(glob, special ? "?" : at, 1);
        at = after > at ? after : at + 1;
    }
    if (kept < length) tacTextAdd(glob, "*", 1);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* The form of a text, new or known. OTHER: there are too many already. False: no memory. */
static bool formOf(const tacModel *model, uint32_t text, tacMarks *marks, uint32_t *form) {
    tacText glob = {0};
    size_t length;
    const char *at = tacInternName(&model->store->strings, text, &length);
    tacMarkGlob(at, length, true, &glob);
    const char *name = glob.at ? glob.at : "";
    *form = tacInternFind(&marks->globs, name, glob.length);
    bool fine = !glob.failed;
    if (*form == TAC_NONE && tacInternCount(&marks->globs) >= TAC_MARK_FORMS) *form = OTHER;
    else if (*form == TAC_NONE) {
        *form = tacIntern(&marks->globs, name, glob.length);
        fine = fine && *form != TAC_NONE && tacArrayPush(&marks->forms, (tacMarkForm){.count = 0});
    }
    tacTextFree(&glob);
    return fine;
}

static void count(tacMarkForm *form, uint32_t text) {
    uint32_t i = 0;
    form->count++;
    while (i < form->nTexts && i < TAC_MARK_TEXTS && form->texts[i] != text) i++;
    if (i == form->nTexts && i < TAC_MARK_TEXTS) {
        form->texts[i] = text;
        form->nTexts++;
    }
    if (i < TAC_MARK_TEXTS) form->counts[i]++;
    else form->nTexts = TAC_MARK_TEXTS + 1;
}

/* Which tasks fit? NULL: no memory. */
static bool *fitting(const tacModel *model, const char *of, tacMarks *marks) {
    const tacStore *store = model->store;
    uint32_t n = tacStoreObjects(store, TAC_TASK);
    bool *fits = tacAllocZero((size_t) n + 1, sizeof *fits);
    for (uint32_t i = 0; fits && i < n; i++) {
        const char *id = tacObjectId(store, TAC_TASK, i), *name = tacObjectName(store, TAC_TASK, i);
        fits[i] = store->objects[TAC_TASK].at[i].line
            && (tacGlob(of, id, strlen(id)) || tacGlob(of, name, strlen(name)));
        marks->tasks += fits[i];
        if (fits[i]) marks->jobs += model->tasks[i].nJobs;
    }
    return fits;
}

static bool findAll(const tacModel *model, const bool *fits, uint32_t *forms, tacMarks *marks) {
    const tacStore *store = model->store;
    for (uint32_t row = 0; row < tacStoreCount(store); row++) {
        if (tacRowEvent(store, row) != TAC_EV_MESSAGE) continue;
        uint32_t task = tacMessageTask(store, row), text = tacRowSubject(store, row);
        tacFrom from = tacMessageFrom(store, row);
        if (task == TAC_NONE || !fits[task] || (from != TAC_FROM_NOTHING && from != TAC_FROM_MARK)) continue;
        if (forms[text] == UNSEEN && !formOf(model, text, marks, &forms[text])) return false;
        if (forms[text] == OTHER) marks->others++;
        else count(&marks->forms.at[forms[text]], text);
    }
    return true;
}

tacStatus tacMarksFind(const tacModel *model, const char *of, tacMarks *marks, tacError *err) {
    size_t n = tacInternCount(&model->store->strings);
    *marks = (tacMarks){.others = 0};
    bool *fits = fitting(model, of, marks);
    uint32_t *forms = tacAlloc((n + 1) * sizeof *forms); /* by string */
    for (size_t i = 0; forms && i < n; i++) forms[i] = UNSEEN;
    bool fine = fits && forms && (!marks->tasks || findAll(model, fits, forms, marks));
    tacFree(forms);
    tacFree(fits);
    return fine ? TAC_OK : tacFailMemory(err);
}

void tacMarksFree(tacMarks *marks) {
    tacInternFree(&marks->globs);
    tacArrayFree(&marks->forms);
}
