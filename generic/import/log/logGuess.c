/*
 * logGuess.c -- guesses how a log is taken apart, and what its columns and words mean.
 *
 *      lines -> separator: the one by which most lines have equally many fields, two at least; of several, the one by
 *               which they have the most, for a comma may be that of decimals
 *            -> lines before them that have nothing of it are passed over
 *            -> header: a first line without a number where others have one
 *            -> columns: by their names, else by their contents (times are numbers that do not descend)
 *            -> words: of the column of events, by what they contain
 */
#include "base/port.h"

#include "base/glob.h"
#include "import/log/fields.h"
#include "import/log/logGuess.h"
#include "import/log/logMap.h"
#include "import/log/logTime.h"

#include <stdio.h>
#include <string.h>

enum { LINES = 400, COLUMNS = 64, WORDS = 64, LONGEST_WORD = 48 };

typedef struct Column {
    char name[LONGEST_WORD];
    uint32_t filled, times, clocks; /* lines in which it has something, a time, a date or time of day */
    bool descends;                  /* of its times, one is before the one before */
    int64_t begin, last;            /* ticks of the first and last of its times */
    tacInternTable words;           /* first WORDS of them */
    uint32_t unlike;                /* words beyond them */
} Column;

typedef struct Guess {
    const char *text;
    size_t length;
    char separator;
    bool header;
    uint32_t skip, lines; /* lines before the table; those of it that were looked at */
    uint32_t fields;      /* of a line */
    Column columns[COLUMNS];
    int of[TAC_LOG_COLUMNS]; /* column by meaning; -1: none */
    char unit[4];
    bool byName; /* some column was told by its name */
    bool failed; /* no memory */
} Guess;

/* ---- names of columns -------------------------------------------------------------------------------------------- */

static void copyName(char name[LONGEST_WORD], const tacWord *word) {
    size_t n = tacWholeLength(word->at, word->length, LONGEST_WORD - 1);
    memcpy(name, word->at, n);
    name[n] = 0;
}

/* Names of columns: exactly these, or these with a unit ("time_us", "ts (ms)", "start [ns]"), in the order of trying.
 */
static const struct {
    tacLogColumn means;
    const char *names[16];
} known[] = {
    {TAC_LOG_TIME,
        {"time", "timestamp", "ts", "t", "when", "clock", "tick", "ticks", "begin", "start", "start_time", "from",
            "zeit", "zeitstempel", NULL}},
    {TAC_LOG_END, {"end", "end_time", "finish", "finish_time", "stop", "until", "to", NULL}},
    {TAC_LOG_DURATION, {"duration", "dur", "length", "runtime", NULL}},
    {TAC_LOG_PROCESSOR, {"cpu", "core", "processor", "proc", "cpu_id", "core_id", "prozessor", "kern", NULL}},
    {TAC_LOG_TASK,
        {"task", "task_name", "taskname", "thread", "name", "process", "thread_name", "task_id", "comm", "tid",
            "aufgabe", "prozess", NULL}},
    {TAC_LOG_JOB, {"job", "job_id", "instance", "jobid", "activation", "seq", "sequence", "job_number", NULL}},
    {TAC_LOG_EVENT,
        {"event", "type", "kind", "action", "what", "state", "event_type", "event_name", "transition", "ereignis",
            "zustand", NULL}},
    {TAC_LOG_OBJECT, {"object", "mutex", "lock", "resource", "semaphore", NULL}},
    {TAC_LOG_TEXT, {"text", "message", "msg", "comment", "note", NULL}},
    {TAC_LOG_RELEASE, {"release", "release_time", "arrival", "arrival_time", NULL}},
    {TAC_LOG_DEADLINE, {"deadline", "absolute_deadline", "due", "abs_deadline", NULL}},
    {TAC_LOG_PRIORITY, {"priority", "prio", NULL}},
    {TAC_LOG_PERIOD, {"period", NULL}},
};

/* Writes the last part of a name in small letters with _ between its words: "Task Name", "task-name", "ev.taskName". */
static void plainName(const char *name, char plain[2 * LONGEST_WORD]) {
    const char *dot = strrchr(name, '.');
    bool small = false;
    size_t n = 0;
    for (name = dot && dot[1] ? dot + 1 : name; *name && n < 2 * LONGEST_WORD - 2; name++) {
        bool large = *name >= 'A' && *name <= 'Z';
        if (large && small) plain[n++] = '_';
        plain[n++] = large ? (char) (*name + 32) : *name == ' ' || *name == '-' ? '_' : *name;
        small = *name >= 'a' && *name <= 'z';
    }
    plain[n] = 0;
}

/* The unit that a word at the end of a name means. */
static bool unitOf(const char *word, char unit[4]) {
    static const struct {
        const char *unit, *words[8];
    } units[] = {
        {"ns", {"ns", "nsec", "nsecs", "nanos", "nanoseconds", NULL}},
        {"us", {"us", "usec", "usecs", "micros", "microseconds", "\xC2\xB5s", "\xCE\xBCs", NULL}},
        {"ms", {"ms", "msec", "msecs", "millis", "milliseconds", NULL}},
        {"s", {"s", "sec", "secs", "seconds", NULL}},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (int k = 0; units[i].words[k]; k++)
            if (strcmp(word, units[i].words[k]) == 0) return strcpy(unit, units[i].unit), true;
    return false;
}

/* Does a name fit, whatever its case and separators? unit: that of a time that it has at its end. */
static bool fitsName(const char *name, const char *wanted, char unit[4]) {
    char plain[2 * LONGEST_WORD];
    size_t length = strlen(wanted), rest = 0;
    plainName(name, plain);
    unit[0] = 0;
    if (strncmp(plain, wanted, length) != 0) return false;
    char *end = plain + length;
    while (*end == '_' || *end == '(' || *end == '[') end++, rest++;
    for (size_t k = strlen(end); k > 0 && (end[k - 1] == ')' || end[k - 1] == ']'); k--) end[k - 1] = 0;
    if (!*end) return rest == 0;
    return rest > 0 && unitOf(end, unit);
}

static bool isKnownName(const char *name) {
    char unit[4];
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int n = 0; known[k].names[n]; n++)
            if (fitsName(name, known[k].names[n], unit)) return true;
    return false;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* The next line that is more than a comment; NULL: there is none. A last line without a newline counts only if it is
 * the first. */
static const char *nextLine(const char **at, const char *end, size_t *length) {
    while (*at < end) {
        const char *line = *at, *newline = memchr(line, '\n', (size_t) (end - line));
        *length = (size_t) ((newline ? newline : end) - line);
        *at = newline ? newline + 1 : end;
        size_t n = *length;
        while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' ')) n--;
        if (n > 0 && *line != '#') return line;
    }
    return NULL;
}

/* How many of the first lines have the most usual number of fields; *usual: that number. */
static uint32_t alike(Guess *g, char separator, uint32_t *usual, uint32_t *lines) {
    uint32_t counts[COLUMNS + 1] = {0}, best = 0;
    const char *at = g->text, *end = g->text + g->length, *line;
    size_t length;
    tacFields fields = {.names = {0}};
    *lines = 0;
    while (*lines < LINES && (line = nextLine(&at, end, &length))) {
        tacError err = {{0}, {0}};
        ++*lines;
        if (tacFieldsRead(&fields, line, length, separator, &err) != TAC_OK) {
            g->failed |= strcmp(err.code, "MEMORY") == 0;
            continue;
        }
        uint32_t n = (uint32_t) fields.all.count;
        if (n <= COLUMNS) counts[n]++;
    }
    tacFieldsFree(&fields);
    *usual = 0;
    for (uint32_t n = 2; n <= COLUMNS; n++)
        if (counts[n] > best) best = counts[n], *usual = n;
    return best;
}

/* Finds the separator. False: the lines are not alike by any. */
static bool findSeparator(Guess *g, bool blanks) {
    static const char separators[] = {',', ';', '\t', '|', TAC_LOG_BLANKS};
    const char *at = g->text, *line;
    size_t length;
    uint32_t best = 0;
    line = nextLine(&at, g->text + g->length, &length);
    if (!line) return false;
    if (*line == '{') {
        tacFields fields = {.names = {0}};
        tacError err = {{0}, {0}};
        bool fine = tacFieldsRead(&fields, line, length, TAC_LOG_JSON, &err) == TAC_OK;
        g->failed |= strcmp(err.code, "MEMORY") == 0;
        tacFieldsFree(&fields);
        g->separator = TAC_LOG_JSON;
        return fine;
    }
    for (size_t i = 0; i < sizeof separators - (blanks ? 0 : 1); i++) {
        uint32_t usual, lines, n = alike(g, separators[i], &usual, &lines);
        bool more = n == best && separators[i] != TAC_LOG_BLANKS && usual > g->fields;
        if ((n <= best && !more) || n * 10 < lines * 8) continue;
        best = n;
        g->separator = separators[i];
        g->fields = usual;
    }
    return best > 0;
}

/* Is this line one of the table, though not as long as others: does it have a time, or the name of a column? */
static bool isOfTable(const tacFields *fields) {
    for (uint32_t i = 0; i < fields->all.count; i++) {
        char name[LONGEST_WORD], buffer[TAC_DECIMAL_SIZE];
        tacWord word = tacField(fields, i), time;
        if (tacLogTime(&word, buffer, &time)) return true;
        copyName(name, &word);
        if (isKnownName(name)) return true;
    }
    return false;
}

/* Passes over the lines before the table, such as the name of the program that wrote it. */
static void passLines(Guess *g) {
    const char *at = g->text, *end = g->text + g->length, *next = at, *line;
    size_t length;
    tacFields fields = {.names = {0}};
    tacError err = {{0}, {0}};
    while ((line = nextLine(&next, end, &length))) {
        bool read = tacFieldsRead(&fields, line, length, g->separator, &err) == TAC_OK;
        g->failed |= strcmp(err.code, "MEMORY") == 0;
        tacErrorClear(&err);
        if (g->failed || (read && (fields.all.count == g->fields || isOfTable(&fields)))) break;
        at = next;
    }
    tacFieldsFree(&fields);
    if (!line) return;
    for (const char *c = g->text; c < at; c++) g->skip += *c == '\n';
    g->length -= (size_t) (at - g->text);
    g->text = at;
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

/* Looks at a field; the first line's come last. */
static bool lookAt(Column *column, const tacWord *word, bool first) {
    char buffer[TAC_DECIMAL_SIZE];
    tacWord time;
    tacDecimal number;
    int64_t ticks;
    bool rounded = false;
    if (!word->length) return true;
    column->filled++;
    if (tacLogTime(word, buffer, &time) && tacDecimalParse(time.at, time.length, &number) == TAC_OK
        && tacDecimalShift(number.mantissa, TAC_LOG_DIGITS - number.digits, &ticks, &rounded)) {
        if (column->times > 0) column->descends |= first ? ticks > column->begin : ticks < column->last;
        else column->begin = ticks;
        column->clocks += tacLogIsClock(word);
        column->times++;
        column->last = ticks;
    }
    if (word->length >= LONGEST_WORD) return column->unlike++, true;
    if (tacInternFind(&column->words, word->at, word->length) != TAC_NONE) return true;
    if (tacInternCount(&column->words) >= WORDS) return column->unlike++, true;
    return tacIntern(&column->words, word->at, word->length) != TAC_NONE;
}

/* Is the first line one of names: none of its fields is a time, and below one of them others are? */
static bool isHeader(const Guess *g, const tacFields *fields) {
    bool below = false;
    for (uint32_t i = 0; i < g->fields && i < COLUMNS; i++) {
        tacWord word = tacField(fields, i), time;
        char buffer[TAC_DECIMAL_SIZE];
        if (tacLogTime(&word, buffer, &time)) return false;
        below |= g->columns[i].times > 0;
    }
    return below;
}

/* Looks at all lines. False: no memory. */
static bool lookAtLines(Guess *g) {
    const char *at = g->text, *end = g->text + g->length, *line, *first = NULL;
    size_t length, firstLength = 0;
    tacFields fields = {.names = {0}};
    tacError err = {{0}, {0}};
    bool fine = true, json = g->separator == TAC_LOG_JSON;
    while (fine && g->lines < LINES && (line = nextLine(&at, end, &length))) {
        if (tacFieldsRead(&fields, line, length, g->separator, &err) != TAC_OK) {
            g->failed |= strcmp(err.code, "MEMORY") == 0;
            tacErrorClear(&err);
            continue;
        }
        if (!json && !first) { /* looked at when the others are known */
            first = line;
            firstLength = length;
            continue;
        }
        g->lines++;
        for (uint32_t i = 0; fine && i < fields.all.count && i < COLUMNS; i++) {
            tacWord word = tacField(&fields, i);
            fine = lookAt(&g->columns[i], &word, false);
        }
    }
    if (json) {
        g->fields = (uint32_t) tacInternCount(&fields.names);
        if (g->fields > COLUMNS) g->fields = COLUMNS;
        for (uint32_t i = 0; i < g->fields; i++) {
            tacWord word = {tacInternName(&fields.names, i, &length), 0};
            word.length = length;
            copyName(g->columns[i].name, &word);
        }
    } else if (first && tacFieldsRead(&fields, first, firstLength, g->separator, &err) == TAC_OK) {
        g->header = isHeader(g, &fields);
        for (uint32_t i = 0; fine && i < fields.all.count && i < COLUMNS; i++) {
            tacWord word = tacField(&fields, i);
            if (g->header) copyName(g->columns[i].name, &word);
            else fine = lookAt(&g->columns[i], &word, true);
        }
        g->lines += !g->header;
    }
    tacFieldsFree(&fields);
    return fine;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static bool isTaken(const Guess *g, int column) {
    for (int i = 0; i < TAC_LOG_COLUMNS; i++)
        if (g->of[i] == column) return true;
    return false;
}

static void findByName(Guess *g) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int n = 0; known[k].names[n] && g->of[known[k].means] < 0; n++)
            for (uint32_t i = 0; i < g->fields; i++) {
                char unit[4];
                if (isTaken(g, (int) i) || !fitsName(g->columns[i].name, known[k].names[n], unit)) continue;
                g->of[known[k].means] = (int) i;
                g->byName = true;
                if (known[k].means == TAC_LOG_TIME && *unit) strcpy(g->unit, unit);
                break;
            }
}

/* Words of events: patterns, whatever the case, the special ones first. */
static const struct {
    tacLogEvent means;
    const char *pattern;
} meanings[] = {
    {TAC_LOG_INTERRUPT, "*i[rs][qr]*enter*"},
    {TAC_LOG_INTERRUPT, "*i[rs][qr]*start*"},
    {TAC_LOG_INTERRUPT, "*i[rs][qr]*begin*"},
    {TAC_LOG_INTERRUPT, "*i[rs][qr]?in"},
    {TAC_LOG_RETURN, "*i[rs][qr]*exit*"},
    {TAC_LOG_RETURN, "*i[rs][qr]*end*"},
    {TAC_LOG_RETURN, "*i[rs][qr]?out"},
    {TAC_LOG_IDLE, "*idle*"},
    {TAC_LOG_MARK, "*miss*"},
    {TAC_LOG_DUE, "*deadline*"},
    {TAC_LOG_ACQUIRED, "*acquir*"},
    {TAC_LOG_ACQUIRED, "lock*"},
    {TAC_LOG_ACQUIRED, "*take*"},
    {TAC_LOG_GAVE_BACK, "*unlock*"},
    {TAC_LOG_GAVE_BACK, "*give*"},
    {TAC_LOG_READY, "*unblock*"},
    {TAC_LOG_READY, "*wake*"},
    {TAC_LOG_READY, "ready*"},
    {TAC_LOG_PREEMPTED, "*preempt*"},
    {TAC_LOG_PREEMPTED, "*switch*out*"},
    {TAC_LOG_PREEMPTED, "*sched*out*"},
    {TAC_LOG_BLOCKED, "*block*"},
    {TAC_LOG_BLOCKED, "*wait*"},
    {TAC_LOG_BLOCKED, "*sleep*"},
    {TAC_LOG_BLOCKED, "*suspend*"},
    {TAC_LOG_COMPLETED, "*complet*"},
    {TAC_LOG_COMPLETED, "*finish*"},
    {TAC_LOG_COMPLETED, "*terminat*"},
    {TAC_LOG_COMPLETED, "end*"},
    {TAC_LOG_COMPLETED, "*done*"},
    {TAC_LOG_COMPLETED, "*exit*"},
    {TAC_LOG_COMPLETED, "*delete*"},
    {TAC_LOG_COMPLETED, "stop*"},
    {TAC_LOG_STARTED, "*resum*"},
    {TAC_LOG_STARTED, "*start*"},
    {TAC_LOG_STARTED, "*dispatch*"},
    {TAC_LOG_STARTED, "*switch*in*"},
    {TAC_LOG_STARTED, "*sched*in*"},
    {TAC_LOG_STARTED, "run*"},
    {TAC_LOG_STARTED, "exec*"},
    {TAC_LOG_STARTED, "begin*"},
    {TAC_LOG_STARTED, "*switch*"},
    {TAC_LOG_RELEASED, "*releas*"},
    {TAC_LOG_RELEASED, "*arriv*"},
    {TAC_LOG_RELEASED, "*activat*"},
    {TAC_LOG_RELEASED, "*spawn*"},
    {TAC_LOG_MARK, "*mark*"},
    {TAC_LOG_MARK, "*message*"},
};

/* What a word means; TAC_LOG_EVENTS: nothing that is known. A mutex can be released, too, where there is a column of
 * mutexes with something in it. */
static tacLogEvent meaningOf(const Guess *g, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (tacGlobCaseless(meanings[i].pattern, word, length)) {
            if (meanings[i].means == TAC_LOG_RELEASED && g->of[TAC_LOG_OBJECT] >= 0
                && (tacGlobCaseless("*mutex*", word, length) || tacGlobCaseless("*lock*", word, length)))
                return TAC_LOG_GAVE_BACK;
            return meanings[i].means;
        }
    return TAC_LOG_EVENTS;
}

/* How many words of a column are known ones. */
static uint32_t knownWords(const Guess *g, const Column *column) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < tacInternCount(&column->words); i++) {
        size_t length;
        const char *word = tacInternName(&column->words, i, &length);
        n += meaningOf(g, word, length) != TAC_LOG_EVENTS;
    }
    return n;
}

/* Finds what names did not tell: the time, the events, the task. */
static void findByContents(Guess *g) {
    uint32_t best = 0;
    for (uint32_t i = 0; i < g->fields && g->of[TAC_LOG_TIME] < 0; i++) {
        const Column *column = &g->columns[i];
        if (isTaken(g, (int) i) || column->times * 10 < g->lines * 9 || !g->lines || column->descends) continue;
        if (tacInternCount(&column->words) > 1 || g->lines == 1) g->of[TAC_LOG_TIME] = (int) i;
    }
    for (uint32_t i = 0; i < g->fields && g->of[TAC_LOG_EVENT] < 0; i++) {
        uint32_t n = isTaken(g, (int) i) || g->columns[i].unlike ? 0 : knownWords(g, &g->columns[i]);
        if (n > best && n * 2 >= tacInternCount(&g->columns[i].words)) best = n;
    }
    for (uint32_t i = 0; best && i < g->fields && g->of[TAC_LOG_EVENT] < 0; i++)
        if (!isTaken(g, (int) i) && !g->columns[i].unlike && knownWords(g, &g->columns[i]) == best)
            g->of[TAC_LOG_EVENT] = (int) i;
    for (uint32_t i = 0; i < g->fields && g->of[TAC_LOG_TASK] < 0; i++) /* words that are no numbers, and few */
        if (!isTaken(g, (int) i) && g->columns[i].filled && !g->columns[i].times && !g->columns[i].unlike)
            g->of[TAC_LOG_TASK] = (int) i;
}

/* ---- the mapping ------------------------------------------------------------------------------------------------- */

/* Adds a word of a command, in braces where it needs them. */
static void addWord(tacText *out, const char *word, size_t length) {
    bool plain = length > 0;
    for (size_t i = 0; i < length && plain; i++)
        plain = (word[i] >= 'a' && word[i] <= 'z') || (word[i] >= 'A' && word[i] <= 'Z')
            || (word[i] >= '0' && word[i] <= '9') || strchr("_.:-/+", word[i]);
    tacTextAdd(out, " ", 1);
    if (plain && *word != '-') return tacTextAdd(out, word, length);
    tacTextAdd(out, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (strchr("\"\\$[]{}", word[i])) tacTextAdd(out, "\\", 1);
        tacTextAdd(out, &word[i], 1);
    }
    tacTextAdd(out, "\"", 1);
}

/* Adds a word that is to be compared: signs of patterns mean themselves. */
static void addPattern(tacText *out, const char *word, size_t length) {
    tacText pattern = {0};
    for (size_t i = 0; i < length; i++) {
        if (strchr("*?[]\\", word[i])) tacTextAdd(&pattern, "\\", 1);
        tacTextAdd(&pattern, &word[i], 1);
    }
    addWord(out, pattern.at ? pattern.at : "", pattern.length);
    out->failed |= pattern.failed;
    tacTextFree(&pattern);
}

static void addColumns(const Guess *g, tacText *out) {
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) {
        if (g->of[i] < 0) continue;
        const Column *column = &g->columns[g->of[i]];
        tacTextPrintf(out, "column %s", tacLogColumnNames[i]);
        if (*column->name) addWord(out, column->name, strlen(column->name));
        else tacTextPrintf(out, " %d", g->of[i] + 1);
        if (i == TAC_LOG_TIME && *g->unit) tacTextPrintf(out, " -unit %s", g->unit);
        tacTextAddString(out, "\n");
    }
    if (!*g->unit) tacTextAddString(out, "# add -unit s, ms, us or ns to the time: the log does not say what 1 is\n");
}

/* Adds the words that mean `event`, as words for `as`. Is there any? */
static bool addWordsOf(const Guess *g, const Column *column, tacLogEvent event, tacLogEvent as, tacText *out) {
    bool any = false;
    for (uint32_t i = 0; i < tacInternCount(&column->words); i++) {
        size_t length;
        const char *word = tacInternName(&column->words, i, &length);
        if (meaningOf(g, word, length) != event) continue;
        if (event == TAC_LOG_EVENTS) tacTextAddString(out, "# event ?");
        else if (!any) tacTextPrintf(out, "event %s", tacLogEventNames[as]);
        any = true;
        addPattern(out, word, length);
        if (event == TAC_LOG_EVENTS) tacTextAddString(out, "\n");
    }
    if (any && event != TAC_LOG_EVENTS) tacTextAddString(out, "\n");
    return any;
}

/* Where no word means release, tasks that become ready without a job have one released. */
static void addEvents(const Guess *g, tacText *out) {
    const Column *column = g->of[TAC_LOG_EVENT] < 0 ? NULL : &g->columns[g->of[TAC_LOG_EVENT]];
    for (int event = 0; column && event <= TAC_LOG_EVENTS; event++) {
        bool any = addWordsOf(g, column, (tacLogEvent) event, (tacLogEvent) event, out);
        if (event == TAC_LOG_RELEASED && !any) addWordsOf(g, column, TAC_LOG_READY, TAC_LOG_RELEASED, out);
    }
}

static void writeMapping(const Guess *g, const char *name, tacText *out) {
    const char *separator = g->separator == ',' ? "comma"
        : g->separator == ';'                   ? "semicolon"
        : g->separator == '\t'                  ? "tab"
        : g->separator == '|'                   ? "bar"
        : g->separator == TAC_LOG_JSON          ? "json"
                                                : "blanks";
    tacTextAddString(out, "# Mapping of a log (tactus_log(5)), guessed from its first lines: ");
    for (const char *c = name; *c; c++) tacTextAdd(out, (unsigned char) *c < ' ' ? "?" : c, 1);
    tacTextPrintf(out, "\nlog -separator %s", separator);
    if (g->separator != TAC_LOG_JSON) tacTextPrintf(out, " -header %s", g->header ? "yes" : "no");
    if (g->skip) tacTextPrintf(out, " -skip %u", (unsigned) g->skip);
    tacTextAddString(out, "\n");
    addColumns(g, out);
    addEvents(g, out);
    tacTextAddString(out, "# task PATTERN -period 10ms -deadline 10ms\n");
}

/* Does the guess have a time, and something that happens to something? */
static tacLogSure sureOf(const Guess *g) {
    bool stretches = g->of[TAC_LOG_END] >= 0 || g->of[TAC_LOG_DURATION] >= 0;
    if (g->of[TAC_LOG_TIME] < 0) return TAC_LOG_NOT;
    const Column *time = &g->columns[g->of[TAC_LOG_TIME]];
    if (!time->times || time->times * 10 < time->filled * (g->byName ? 5 : 8)) return TAC_LOG_NOT;
    if (g->of[TAC_LOG_TASK] < 0 || (g->of[TAC_LOG_EVENT] < 0 && !stretches)) return TAC_LOG_PERHAPS;
    bool known = stretches || knownWords(g, &g->columns[g->of[TAC_LOG_EVENT]]) > 0;
    return known ? TAC_LOG_SURE : TAC_LOG_PERHAPS;
}

tacStatus tacLogGuessText(
    const char *text, size_t length, bool blanks, const char *name, tacText *mapping, tacLogSure *sure, tacError *err) {
    Guess *g = tacAllocZero(1, sizeof *g);
    *sure = TAC_LOG_NOT;
    if (!g) return tacFailMemory(err);
    g->text = text;
    g->length = length;
    for (int i = 0; i < TAC_LOG_COLUMNS; i++) g->of[i] = -1;
    bool fine = true;
    if (findSeparator(g, blanks)) {
        if (g->separator != TAC_LOG_JSON) passLines(g);
        fine = lookAtLines(g);
        findByName(g);
        findByContents(g);
        *sure = sureOf(g);
        if (*sure != TAC_LOG_NOT && g->columns[g->of[TAC_LOG_TIME]].clocks) strcpy(g->unit, "s");
        if (mapping) writeMapping(g, name, mapping);
    }
    fine = fine && !g->failed;
    for (int i = 0; i < COLUMNS; i++) tacInternFree(&g->columns[i].words);
    tacFree(g);
    return fine && !(mapping && mapping->failed) ? TAC_OK : tacFailMemory(err);
}
