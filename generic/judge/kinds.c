/*
 * kinds.c -- looks through the rows of a trace for the kinds of things that it records.
 */
#include "base/port.h"

#include "base/glob.h"
#include "judge/kinds.h"

static void look(tacKinds *kinds) {
    const tacStore *store = kinds->store;
    bool isr = false;
    for (uint32_t i = 0; i < store->objects[TAC_TASK].count; i++) isr |= store->objects[TAC_TASK].at[i].isr;
    for (uint32_t row = 0, n = tacStoreCount(store); row < n; row++) {
        tacEvent event = tacRowEvent(store, row);
        const tacEventSpec *spec = &tacEvents[event];
        kinds->events[event] = true;
        if (isr && !kinds->interrupts && spec->nArguments && spec->arguments[0] == TAC_TYPE_JOB) {
            uint32_t task = store->jobTask.at[tacRowSubject(store, row)];
            kinds->interrupts = task != TAC_NONE && store->objects[TAC_TASK].at[task].isr;
        }
        if (event == TAC_EV_MESSAGE) {
            tacFrom from = tacMessageFrom(store, row);
            kinds->marks |= from == TAC_FROM_NOTHING || from == TAC_FROM_MARK;
            kinds->calls |= from == TAC_FROM_CALL;
        } else if (event == TAC_EV_TASK_ANNOTATION && !kinds->calls)
            kinds->calls = tacRowFrom(store, row) == TAC_FROM_CALL;
    }
    kinds->known = true;
}

static bool lookForNames(tacKinds *kinds) {
    const tacStore *store = kinds->store;
    for (uint32_t row = 0, n = tacStoreCount(store); row < n; row++) {
        if (tacRowEvent(store, row) != TAC_EV_MESSAGE || tacMessageFrom(store, row) != TAC_FROM_EVENT) continue;
        tacWord name = tacKeptName(store, row);
        if (tacIntern(&kinds->names, name.at, name.length) == TAC_NONE) return false;
    }
    return kinds->namesKnown = true;
}

static bool hasName(const tacKinds *kinds, const char *glob) {
    for (uint32_t i = 0; i < tacInternCount(&kinds->names); i++) {
        size_t length;
        const char *name = tacInternName(&kinds->names, i, &length);
        if (tacGlob(glob, name, length)) return true;
    }
    return false;
}

bool tacKindsHas(tacKinds *kinds, const tacTrigger *trigger, bool *has) {
    bool named = trigger->kind == TAC_TRIGGER_EVENT;
    *has = true;
    if (trigger->kind == TAC_TRIGGER_ENTERS || trigger->kind == TAC_TRIGGER_LEAVES) return true;
    if (named && !kinds->namesKnown && !lookForNames(kinds)) return false;
    if (!named && !kinds->known) look(kinds);
    if (named) *has = hasName(kinds, trigger->glob);
    else if (trigger->kind == TAC_TRIGGER_ROW) *has = kinds->events[trigger->pattern.event];
    else *has = trigger->kind == TAC_TRIGGER_MARK ? kinds->marks : kinds->calls;
    return true;
}

bool tacKindsInterrupts(tacKinds *kinds) {
    if (!kinds->known) look(kinds);
    return kinds->interrupts;
}

void tacKindsFree(tacKinds *kinds) { tacInternFree(&kinds->names); }

void tacKindSay(const tacTrigger *trigger, tacText *text) {
    if (trigger->kind == TAC_TRIGGER_EVENT) tacTextPrintf(text, "event %.100s", trigger->glob);
    else if (trigger->kind == TAC_TRIGGER_ROW)
        tacTextPrintf(text, "%.*s", TAC_SHOWN(&trigger->pattern.words.words.at[0]));
    else tacTextAddString(text, trigger->kind == TAC_TRIGGER_MARK ? "marks" : "system calls");
}

static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Length of the list element at the begin of a text, with its braces. */
static size_t elementLength(const char *at, const char *end) {
    const char *from = at;
    if (at < end && *at == '{') {
        for (int depth = 0; at < end; at++) {
            depth += (*at == '{') - (*at == '}');
            if (!depth) return (size_t) (at + 1 - from);
        }
        return 0;
    }
    while (at < end && !isBlank(*at) && *at != '}') at++;
    return (size_t) (at - from);
}

bool tacKindNamed(const tacWord *word, size_t *at, tacWord *name) {
    static const char kind[] = "event";
    const char *end = word->at + word->length;
    for (; *at < word->length; ++*at) {
        const char *from = word->at + *at;
        if (*at > 0 && from[-1] != '{') continue; /* a list begins here: the word, or what is in braces */
        while (from < end && isBlank(*from)) from++;
        if ((size_t) (end - from) < sizeof kind || memcmp(from, kind, sizeof kind - 1) != 0) continue;
        from += sizeof kind - 1;
        if (!isBlank(*from)) continue;
        while (from < end && isBlank(*from)) from++;
        size_t length = elementLength(from, end);
        if (!length && from < end && *from == '{') return false; /* it is never closed */
        *at = (size_t) (from - word->at) + length;
        bool braced = length > 1 && *from == '{';
        *name = (tacWord){from + braced, length - 2 * braced};
        if (name->length) return true;
    }
    return false;
}
