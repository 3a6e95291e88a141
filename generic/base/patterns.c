/*
 * patterns.c -- lists of names and patterns.
 */
#include "base/port.h"

#include "base/patterns.h"

#include <string.h>

/* Takes one of the list. False: no memory. */
static bool take(tacPatterns *p, uint32_t place, bool isPattern) {
    const char *text = p->list[place];
    uint32_t spelling = tacIntern(&p->spellings, text, strlen(text));
    if (spelling == TAC_NONE) return false;
    if (spelling < p->places.count) return true; /* it stands before */
    return tacArrayPush(&p->places, isPattern ? TAC_NONE : place) && (!isPattern || tacArrayPush(&p->patterns, place));
}

bool tacPatternsInit(tacPatterns *p, const char *const *list, const char *special, tacPatternFits fits) {
    *p = (tacPatterns){.list = list, .fits = fits};
    bool done = true;
    for (uint32_t place = 0; done && list && list[place]; place++)
        done = take(p, place, strpbrk(list[place], special) != NULL);
    return done;
}

void tacPatternsFree(tacPatterns *p) {
    tacInternFree(&p->spellings);
    tacArrayFree(&p->places);
    tacArrayFree(&p->patterns);
}

/* Place of the first plain name that is the text, before `end`; `end`: there is none. */
static uint32_t namePlace(const tacPatterns *p, const char *text, uint32_t end) {
    uint32_t spelling = text ? tacInternFind(&p->spellings, text, strlen(text)) : TAC_NONE;
    return spelling != TAC_NONE && p->places.at[spelling] < end ? p->places.at[spelling] : end;
}

bool tacPatternsSpell(const tacPatterns *p, const char *text) {
    return tacInternFind(&p->spellings, text, strlen(text)) != TAC_NONE;
}

uint32_t tacPatternsFirst(const tacPatterns *p, const char *text, const char *other, bool plain) {
    uint32_t first = namePlace(p, other, namePlace(p, text, TAC_NONE));
    for (size_t i = 0; i < p->patterns.count && p->patterns.at[i] < first; i++) {
        const char *pattern = p->list[p->patterns.at[i]];
        if (plain && pattern[strspn(pattern, "*")] == '\0') continue;
        if (p->fits(pattern, text) || (other && p->fits(pattern, other))) return p->patterns.at[i];
    }
    return first;
}
