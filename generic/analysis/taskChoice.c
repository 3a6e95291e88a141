/*
 * taskChoice.c -- chooses tasks by words: plain ones are found by a hash, so that thousands of them cost no more than
 * the tasks; only patterns are tried one by one.
 */
#include "base/port.h"

#include "analysis/taskChoice.h"
#include "base/glob.h"
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

typedef struct Word { /* one of the list, at its first place */
    const char *text;
    bool isId, pattern, all; /* it is the id of a task; has characters of patterns; is of stars alone */
    bool found;              /* some task fits */
} Word;

typedef struct Chosen { /* a task, in order of the choice */
    uint32_t word, task, jobs;
    bool last; /* an interrupt or hidden */
} Chosen;

typedef struct Chooser {
    const tacModel *model;
    tacInternTable texts; /* of the words; an id is an index of `words` */
    TAC_ARRAY(Word) words;
    TAC_ARRAY(uint32_t) patterns; /* of the words, those that are tried one by one */
    TAC_ARRAY(Chosen) chosen;
    bool allHidden;
} Chooser;

static bool isHidden(const tacModel *model, uint32_t task) { return tacTaskHidden(model->store, task); }

static bool isDefined(const tacModel *model, uint32_t task) {
    return model->store->objects[TAC_TASK].at[task].line != 0;
}

static const char *idOf(const tacModel *model, uint32_t task) { return tacObjectId(model->store, TAC_TASK, task); }
static const char *nameOf(const tacModel *model, uint32_t task) { return tacObjectName(model->store, TAC_TASK, task); }

/* The word of this spelling; TAC_NONE: there is none. */
static uint32_t wordOf(const Chooser *c, const char *text) { return tacInternFind(&c->texts, text, strlen(text)); }

/* Takes the words, each once. False: no memory. */
static bool takeWords(Chooser *c, const char *const *words) {
    for (; words && *words; words++) {
        uint32_t index = tacIntern(&c->texts, *words, strlen(*words));
        Word word = {.text = *words, .pattern = strpbrk(*words, "*?[\\") != NULL, .all = tacGlobAll(*words)};
        if (index == TAC_NONE || (index == c->words.count && !tacArrayPush(&c->words, word))) return false;
    }
    return true;
}

/* Finds the words that are ids, which stand for nothing else, and then the patterns. False: no memory. */
static bool findIds(Chooser *c) {
    c->allHidden = true;
    for (uint32_t task = 0; task < tacStoreObjects(c->model->store, TAC_TASK); task++) {
        if (!isDefined(c->model, task)) continue;
        uint32_t index = wordOf(c, idOf(c->model, task));
        if (index != TAC_NONE) c->words.at[index].isId = true;
        c->allHidden &= isHidden(c->model, task);
    }
    for (uint32_t i = 0; i < c->words.count; i++)
        if (c->words.at[i].pattern && !c->words.at[i].isId && !tacArrayPush(&c->patterns, i)) return false;
    return true;
}

static bool fits(const char *pattern, const char *text) { return tacGlob(pattern, text, strlen(text)); }

/* The first word that a task fits; TAC_NONE: none. Notes all words that it fits as found. */
static uint32_t firstWord(Chooser *c, uint32_t task) {
    const char *id = idOf(c->model, task), *name = nameOf(c->model, task);
    uint32_t first = wordOf(c, id), named = wordOf(c, name);
    if (first != TAC_NONE) c->words.at[first].found = true;
    if (named != TAC_NONE && !c->words.at[named].isId && !c->words.at[named].pattern) {
        c->words.at[named].found = true;
        if (named < first) first = named;
    }
    bool hidden = !c->allHidden && isHidden(c->model, task);
    for (size_t i = 0; i < c->patterns.count; i++) {
        uint32_t index = c->patterns.at[i];
        Word *word = &c->words.at[index];
        if ((index > first && word->found) || (hidden && word->all)) continue;
        if (!word->all && !fits(word->text, id) && !fits(word->text, name)) continue;
        word->found = true;
        if (index < first) first = index;
    }
    return first;
}

/* Adds a task. False: no memory. */
static bool addTask(Chooser *c, uint32_t task, uint32_t word) {
    bool last = c->model->store->objects[TAC_TASK].at[task].isr || isHidden(c->model, task);
    return tacArrayPush(&c->chosen, (Chosen){word, task, (uint32_t) c->model->tasks[task].nJobs, last});
}

static int compareChosen(const void *left, const void *right) {
    const Chosen *a = left, *b = right;
    if (a->word != b->word) return a->word < b->word ? -1 : 1;
    if (a->last != b->last) return a->last - b->last;
    if (a->jobs != b->jobs) return a->jobs > b->jobs ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

/* Adds the tasks that some word fits; without words, that with the most jobs. False: no memory. */
static bool addTasks(Chooser *c) {
    for (uint32_t task = 0; task < tacStoreObjects(c->model->store, TAC_TASK); task++) {
        if (!isDefined(c->model, task)) continue;
        uint32_t word = c->words.count ? firstWord(c, task) : 0;
        if (word != TAC_NONE && !addTask(c, task, word)) return false;
        if (c->words.count || c->chosen.count < 2) continue;
        if (compareChosen(&c->chosen.at[0], &c->chosen.at[1]) > 0) c->chosen.at[0] = c->chosen.at[1];
        c->chosen.count = 1;
    }
    return true;
}

/* Puts the tasks that were added into the choice, in order. False: no memory. */
static bool putTasks(Chooser *c, tacTaskChoice *choice) {
    size_t n = c->chosen.count;
    choice->tasks = tacAlloc((n + 1) * sizeof *choice->tasks);
    if (!choice->tasks) return false;
    if (n) qsort(c->chosen.at, n, sizeof *c->chosen.at, compareChosen);
    for (size_t i = 0; i < n; i++) choice->tasks[i] = c->chosen.at[i].task;
    choice->count = (uint32_t) n;
    return true;
}

static void freeChooser(Chooser *c) {
    tacInternFree(&c->texts);
    tacArrayFree(&c->words);
    tacArrayFree(&c->patterns);
    tacArrayFree(&c->chosen);
}

bool tacChooseTasks(const tacModel *model, const char *const *words, tacTaskChoice *choice) {
    Chooser c = {.model = model};
    *choice = (tacTaskChoice){NULL, 0, NULL};
    bool done = takeWords(&c, words) && findIds(&c) && addTasks(&c) && putTasks(&c, choice);
    for (size_t i = 0; i < c.words.count && !choice->missing; i++)
        if (!c.words.at[i].found) choice->missing = c.words.at[i].text;
    freeChooser(&c);
    return done;
}

bool tacTaskWordsMissing(const tacModel *model, const char *const *words, const char **missing, size_t *count) {
    Chooser c = {.model = model};
    bool done = takeWords(&c, words) && findIds(&c);
    for (uint32_t task = 0; done && task < tacStoreObjects(model->store, TAC_TASK); task++)
        if (isDefined(model, task)) firstWord(&c, task);
    *count = 0;
    for (size_t i = 0; done && i < c.words.count; i++)
        if (!c.words.at[i].found) missing[(*count)++] = c.words.at[i].text;
    freeChooser(&c);
    return done;
}

void tacTaskChoiceFree(tacTaskChoice *choice) {
    tacFree(choice->tasks);
    *choice = (tacTaskChoice){NULL, 0, NULL};
}
