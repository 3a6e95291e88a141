/*
 * learnMarks.h -- the marks of tasks by what they have in common: texts that differ by numbers are of one form.
 *
 *      "frame 17 begin", "frame 18 begin" -> {frame * begin}
 *
 * A form is a glob pattern, as triggers take it ({mark {frame * begin}}); characters that mean something in patterns or
 * in Tcl are `?` in it.
 */
#ifndef TAC_JUDGE_LEARN_MARKS_H
#define TAC_JUDGE_LEARN_MARKS_H

#include "base/intern.h"
#include "model/model.h"

enum {
    TAC_MARK_TEXTS = 8, /* texts of a form that are told apart */
    TAC_MARK_FORMS = 1000,
    TAC_MARK_BYTES = 120 /* of a text, at most; what follows is any text */
};

typedef struct tacMarkForm {
    uint64_t count;                  /* marks */
    uint32_t texts[TAC_MARK_TEXTS];  /* string ids */
    uint64_t counts[TAC_MARK_TEXTS]; /* marks of each */
    uint32_t nTexts;                 /* TAC_MARK_TEXTS + 1: more */
} tacMarkForm;

typedef struct tacMarks {
    tacInternTable globs;         /* by form */
    TAC_ARRAY(tacMarkForm) forms; /* in the order in which they come first */
    uint64_t others;              /* marks of further forms */
    uint64_t tasks, jobs;         /* tasks whose id or name fits, and their jobs */
} tacMarks;

/* Sorts the marks of the tasks whose id or name fits a glob pattern. Free it in any case. TAC_ERROR: MEMORY. */
tacStatus tacMarksFind(const tacModel *model, const char *of, tacMarks *marks, tacError *err);
void tacMarksFree(tacMarks *marks);

/* Adds the glob pattern of a text; numbers: that of its form, else only of itself. */
void tacMarkGlob(const char *text, size_t length, bool numbers, tacText *glob);

#endif
