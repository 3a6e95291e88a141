/*
 * reader.c -- the loop that reads a trace: plain lines at full speed, other commands one by one, mistakes one at a
 * time.
 *
 *   readAll:  readPlain (runs of plain lines) -> readCommand (the command that stopped it) -> readPlain ...
 *   readCommand:  the line -> tacSplitCommand -> complete: takeCommand
 *                                             -> goes on in the next line: readLong, with a bound on how far it looks
 *                                             -> refused: refuse, and on with the next line
 *   takeCommand:  tacLiteralTake -> words: sink.  A script: sandbox, in a worker process that reads the rest.
 *
 * Invariants:
 *   1. source.at is the beginning of a command (or of blanks and comments before one), and stands in `line`.
 *   2. A command is taken from the source after it was dealt with, never before: a worker begins with the command that
 *      needs it.
 *   3. One bad command costs itself. A quote, brace or bracket that is not closed ends with its first line; for a
 *      command of the vocabulary already the next line that begins with such a command shows that it is not closed.
 *   4. Bytes looked at in vain (commands found open at last) are at most FREE_SCAN + SCAN_RATIO * bytes taken, so
 *      reading is linear whatever the trace contains.
 */
#include "base/port.h"

#include "base/similar.h"
#include "read/literal.h"
#include "read/reader.h"
#include "read/sandbox.h"
#include "read/worker.h"

#include <stdio.h>
#include <string.h>

enum {
    WORD_LIMIT = 1 << 20,     /* bytes of a word of a vocabulary command */
    COMMAND_LIMIT = 16 << 20, /* bytes of any command: a script may carry tables */
    FREE_SCAN = 64 << 20,     /* invariant 4 */
    SCAN_RATIO = 8,
    SMALL_SCAN = 64 << 10, /* an open command of this size is looked at again whenever more comes */
    BINARY_LINES = 100,    /* lines with binary data after which reading stops */
    END_OF_SCRIPT = 0x1A,  /* Ctrl-Z: Tcl reads a script up to it */
    NAMES = 16             /* slots for names of vocabulary commands; a power of two */
};

/* A name that the sink is known to take; length 0: none. */
typedef struct KnownName {
    uint8_t length;
    char text[31];
} KnownName;

typedef struct Reader {
    tacSource *source;
    const tacReadOptions *options;
    const tacSink *sink;    /* in a worker: the one that sends to the parent's */
    tacSandbox *sandbox;    /* NULL until a command needs it */
    tacSplit split;         /* the present command */
    tacLiteral literal;     /* its words */
    uint32_t line;          /* of source.at */
    const char *lineEnd;    /* of the line that holds source.at, behind its newline; NULL: not known */
    uint32_t nBinary;       /* lines with binary data so far */
    uint64_t wasted;        /* bytes looked at in vain (invariant 4) */
    bool finished;          /* nothing more to read here */
    KnownName names[NAMES]; /* by nameSlot() */
} Reader;

/* ---- remarks ---- */

static bool beginsWith(const char *text, const char *beginning) {
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool endsReading(const tacError *problem) {
    return beginsWith(problem->code, "LIMIT") || beginsWith(problem->code, "MEMORY")
        || beginsWith(problem->code, "CANCELLED");
}

static void report(const Reader *r, uint32_t line, const char *kind, const char *text) {
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, line, kind, text);
}

/* A command was lost: reading goes on unless its error is one that ends it. */
static tacStatus lose(const Reader *r, uint32_t line, const tacError *problem, tacError *err) {
    if (endsReading(problem) && beginsWith(problem->message, "line "))
        return tacFail(err, problem->code, "%s", problem->message);
    if (endsReading(problem)) return tacFail(err, problem->code, "line %u: %s", line, problem->message);
    report(r, line, problem->code, problem->message);
    return TAC_OK;
}

/* ---- moving on in the source ---- */

static uint32_t countLines(const char *at, const char *end) {
    uint32_t n = 0;
    for (; (at = memchr(at, '\n', (size_t) (end - at))); at++) n++;
    return n;
}

static void advance(Reader *r, const char *next) {
    r->line += countLines(r->source->at, next);
    r->source->at = next;
}

/* More text into the window. */
static tacStatus more(Reader *r, tacError *err) {
    tacError problem = {0};
    r->lineEnd = NULL;
    if (tacSourceNext(r->source, r->sink->progress, r->sink->data, &problem) == TAC_OK) return TAC_OK;
    if (strcmp(problem.code, "CANCELLED") == 0)
        return tacFail(err, problem.code, "reading was cancelled at line %u", r->line);
    return tacFail(err, problem.code, "%s", problem.message);
}

/* Skips to the next line after `from`. */
static tacStatus skipLine(Reader *r, const char *from, tacError *err) {
    advance(r, from);
    for (;;) {
        const char *newline = memchr(r->source->at, '\n', (size_t) (r->source->end - r->source->at));
        advance(r, newline ? newline + 1 : r->source->end);
        if (newline || r->source->ended) return TAC_OK;
        if (more(r, err) != TAC_OK) return TAC_ERROR;
    }
}

/*
 * Sees that the whole line is in the window, with its newline if it has one, and sets lineEnd; that stays NULL when the
 * line is too long. What is known of a line with many commands is not found out again for each.
 */
static tacStatus needLine(Reader *r, tacError *err) {
    tacSource *source = r->source;
    if (r->lineEnd > source->at) return TAC_OK;
    r->lineEnd = NULL;
    for (size_t looked = 0;;) {
        const char *newline = memchr(source->at + looked, '\n', (size_t) (source->end - source->at) - looked);
        looked = (size_t) (source->end - source->at);
        if (newline || source->ended) return r->lineEnd = newline ? newline + 1 : source->end, TAC_OK;
        if (looked > COMMAND_LIMIT) return TAC_OK;
        if (more(r, err) != TAC_OK) return TAC_ERROR;
    }
}

/* ---- names of the vocabulary ---- */

static inline size_t nameSlot(const tacWord *name) {
    return (name->length + (unsigned char) name->at[0] + 3u * (unsigned char) name->at[name->length - 1]) & (NAMES - 1);
}

static inline bool isKnown(const Reader *r, const tacWord *name) {
    if (TAC_UNLIKELY(name->length == 0)) return false;
    const KnownName *known = &r->names[nameSlot(name)];
    return known->length == name->length && memcmp(known->text, name->at, name->length) == 0;
}

static bool isCommand(const Reader *r, const tacWord *name) {
    return name->length > 0 && r->sink->isCommand(r->sink->data, name->at, name->length);
}

static bool isRedefined(const Reader *r, const tacWord *name) {
    return r->sandbox && tacSandboxRedefined(r->sandbox, name->at, name->length);
}

/* May commands of this name go to the sink as they are? Remembers a yes. */
static bool learnName(Reader *r, const tacWord *name) {
    if (!isCommand(r, name) || isRedefined(r, name)) return false;
    KnownName *known = &r->names[nameSlot(name)];
    if (name->length > sizeof known->text) return true;
    known->length = (uint8_t) name->length;
    memcpy(known->text, name->at, name->length);
    return true;
}

static void forgetNames(Reader *r) {
    for (int i = 0; i < NAMES; i++) r->names[i].length = 0;
}

/* ---- plain lines ---- */

/* Takes plain lines of vocabulary commands until there comes something else or the window ends. */
static tacStatus readPlain(Reader *r, tacError *err) {
    tacWord words[TAC_PLAIN_WORDS];
    const tacSink *sink = r->sink;
    const char *at = r->source->at, *end = r->source->end;
    tacStatus status = TAC_OK;
    while (status == TAC_OK) {
        int count;
        size_t length = tacSplitPlain(at, end, words, &count);
        if (length == 0) break;
        if (count > 0) {
            if (TAC_UNLIKELY(!isKnown(r, words) && !learnName(r, words))) break;
            if (TAC_UNLIKELY(length > WORD_LIMIT)) break;
            tacError problem;
            tacErrorClear(&problem);
            if (TAC_UNLIKELY(sink->command(sink->data, words, count, r->line, &problem) != TAC_OK))
                status = lose(r, r->line, &problem, err);
        }
        at += length;
        r->line++;
    }
    r->source->at = at;
    return status;
}

/* ---- scripts ---- */

static tacStatus readAll(Reader *r, tacError *err);

/* In the worker, when all has been read. */
static tacStatus serveEvent(void *data, const tacWord *words, int count, int list, tacError *err) {
    return tacSandboxEvent(data, words, count, list, err);
}

/* In the worker: goes on from the present command with a sandbox. */
static tacStatus readInWorker(void *data, const tacSink *sink, tacError *err) {
    Reader *r = data;
    r->sink = sink;
    if (tacSandboxCreate(r->options, sink, &r->sandbox, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = readAll(r, err);
    if (status == TAC_OK && r->options->handlers && tacSandboxHandles(r->sandbox))
        tacWorkerServe(serveEvent, r->sandbox);
    return status;
}

/* Lets the sandbox evaluate the command; the first time, this means that a worker reads all the rest. */
static tacStatus runScript(Reader *r, uint32_t line, tacError *err) {
    if (r->split.depth > TAC_MAX_DEPTH) {
        report(r, line, "LIMIT SYNTAX", "too many brackets inside one another; the command is left out");
        return TAC_OK;
    }
    if (!r->sandbox && !r->options->inProcess && tacWorkerAvailable()) {
        tacStatus status = tacWorkerRun(readInWorker, r, r->options, r->sink, err);
        r->finished = true;
        return status;
    }
    if (!r->sandbox && tacSandboxCreate(r->options, r->sink, &r->sandbox, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacSandboxEval(r->sandbox, r->split.begin, (size_t) (r->split.end - r->split.begin), line, err);
    forgetNames(r);
    return status;
}

/* ---- what is no trace ---- */

/* More than a few control characters. */
static bool looksBinary(const char *at, const char *end) {
    size_t n = 0;
    for (const char *p = at; p < end; p++) {
        unsigned char c = (unsigned char) *p;
        n += (c < ' ' && !(c >= '\t' && c <= '\r') && c != 0x1B) || c == 0x7F;
    }
    return n > (size_t) (end - at) / 16;
}

/* A line that is no text. At the beginning, or after many of them, there is no point in going on. */
static void reportBinary(Reader *r, uint32_t line) {
    const tacSource *source = r->source;
    bool first = tacSourcePosition(source) == 0;
    bool wide = first && source->end - source->at > 4
        && (!memcmp(source->at, "\xC3\xBF\xC3\xBE", 4) || !memcmp(source->at, "\xC3\xBE\xC3\xBF", 4)); /* its byte order
                                                                                                          mark, cleaned
                                                                                                        */
    r->finished = first || ++r->nBinary > BINARY_LINES;
    report(r, line, "BINARY",
        wide              ? "the file is in UTF-16; save it as UTF-8"
            : first       ? "the file begins with binary data; it is not a trace"
            : r->finished ? "too much binary data; reading stops here"
                          : "binary data; the line is left out");
}

static tacStatus skipBinary(Reader *r, tacError *err) {
    reportBinary(r, r->line);
    return r->finished ? TAC_OK : skipLine(r, r->source->at, err);
}

static tacStatus skipTooLong(Reader *r, tacError *err) {
    if (memchr(r->source->at, '\0', COMMAND_LIMIT)) return skipBinary(r, err);
    report(r, r->line, "LIMIT WORD", "the line is longer than 16 MB; it is left out");
    return skipLine(r, r->source->at, err);
}

/* ---- one command ---- */

/* Nobody knows the command. */
static tacStatus loseUnknown(Reader *r, const tacWord *name, uint32_t line, tacError *err) {
    tacError problem = {0};
    if (looksBinary(r->split.begin, r->split.end)) return reportBinary(r, line), TAC_OK;
    const char *similar = tacSimilarOf(name->at, name->length, r->sink->commandNames);
    tacFail(&problem, "UNKNOWN COMMAND", "unknown command \"%.*s\"%s%s%s", TAC_SHOWN(name),
        similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
    return lose(r, line, &problem, err);
}

/* A command of the vocabulary. */
static tacStatus applyCommand(Reader *r, const tacWord *words, int count, uint32_t line, tacError *problem) {
    for (int i = 0; i < count; i++) {
        if (words[i].length <= WORD_LIMIT) continue;
        report(r, line, "LIMIT WORD", "a word is longer than 1 MB; the command is left out");
        return TAC_OK;
    }
    return r->sink->command(r->sink->data, words, count, line, problem);
}

static bool isObject(const Reader *r, const tacWord *name, uint32_t line) {
    tacError none = {0};
    return r->sink->query(r->sink->data, name, 1, line, NULL, &none) == TAC_OK;
}

/* error "text", as recorders write it into their trace. */
static bool isOwnMessage(const tacWord *words, int count) {
    return count >= 2 && words[0].length == 5 && memcmp(words[0].at, "error", 5) == 0;
}

static void reportOwnMessage(const Reader *r, const tacWord *message, uint32_t line) {
    tacText text = {0};
    tacTextAddString(&text, "the trace says: ");
    tacTextAdd(&text, message->at, tacWholeLength(message->at, message->length, 400));
    report(r, line, "TRACE", text.failed ? "the trace says that something went wrong" : text.at);
    tacTextFree(&text);
}

/* A command all of whose words are literal. */
static tacStatus applyLiteral(Reader *r, uint32_t line, tacError *err) {
    const tacWord *words = r->literal.words.at;
    int count = (int) r->literal.words.count;
    tacError problem = {0};
    tacStatus status;
    if (isRedefined(r, words)) return runScript(r, line, err);
    if (isCommand(r, words)) status = applyCommand(r, words, count, line, &problem);
    else if (r->sandbox) return runScript(r, line, err);
    else if (isOwnMessage(words, count)) return reportOwnMessage(r, &words[1], line), TAC_OK;
    else if (tacSandboxKnows(words->at, words->length)) return runScript(r, line, err);
    else if (!isObject(r, words, line)) return loseUnknown(r, words, line, err);
    else status = r->sink->query(r->sink->data, words, count, line, NULL, &problem);
    return status == TAC_OK ? TAC_OK : lose(r, line, &problem, err);
}

/*
 * Would a sandbox not know the command either? Then none need be started for it: garbage is not scary. (Once it runs,
 * the script may have defined anything.)
 */
static bool isHopeless(const Reader *r, tacWord *name) {
    const tacRawWord *first = &r->split.words.at[0];
    *name = (tacWord){first->at, first->length};
    return !r->sandbox && first->needs == 0 && !isCommand(r, name) && !tacSandboxKnows(name->at, name->length);
}

static tacStatus runCommand(Reader *r, uint32_t line, tacError *err) {
    tacError problem = {0};
    tacWord name;
    if (r->options->scriptOnly) return runScript(r, line, err);
    switch (tacLiteralTake(&r->literal, &r->split, r->sandbox ? NULL : r->sink, line, &problem)) {
    case TAC_LITERAL_DONE: return applyLiteral(r, line, err);
    case TAC_LITERAL_SCRIPT: return isHopeless(r, &name) ? loseUnknown(r, &name, line, err) : runScript(r, line, err);
    case TAC_LITERAL_UNKNOWN:
        name = r->literal.unknown;
        if (tacSandboxKnows(name.at, name.length)) return runScript(r, line, err);
        tacFail(&problem, "LOOKUP OBJECT",
            "\"%.*s\" in brackets is neither a command nor a defined object; write \\[ for a bracket in a text",
            TAC_SHOWN(&name));
        break;
    case TAC_LITERAL_FAILED: break;
    }
    return lose(r, line, &problem, err);
}

/* The word of a vocabulary command from which on a comment was meant: # between words; or the number of words. */
static size_t findComment(const tacSplit *split) {
    size_t i = 3;
    for (; i < split->words.count; i++) {
        const tacRawWord *word = &split->words.at[i];
        if (word->kind != TAC_WORD_BARE || word->length == 0 || word->at[0] != '#') continue;
        if (word->length == 1 || split->words.at[i - 1].at[0] != '-') return i;
    }
    return i;
}

static bool isVocabulary(const Reader *r) {
    if (r->split.words.count == 0) return false;
    const tacRawWord *first = &r->split.words.at[0];
    tacWord name = {first->at, first->length};
    return first->needs == 0 && isCommand(r, &name);
}

/* A comment in a command may say [anything]: leaves it out where it would need evaluation. */
static void cutComment(Reader *r) {
    uint8_t needs = 0;
    if (r->split.words.count < 4) return;
    for (size_t i = 3; i < r->split.words.count; i++) needs |= r->split.words.at[i].needs;
    if (!(needs & ~TAC_NEEDS_ESCAPES) || !isVocabulary(r)) return;
    size_t comment = findComment(&r->split);
    if (comment == r->split.words.count) return;
    r->split.words.count = comment;
    r->split.end = r->split.words.at[comment].at;
}

static tacStatus takeCommand(Reader *r, tacError *err) {
    tacStatus status = TAC_OK;
    if (r->split.words.count > 0) {
        cutComment(r);
        status = runCommand(r, r->line + countLines(r->source->at, r->split.begin), err);
    }
    if (!r->finished) advance(r, r->split.next);
    return status;
}

/* ---- mistakes ---- */

static const struct {
    const char *problem, *text;
} advice[] = {
    {"missing close-bracket", "missing close-bracket; the line is left out (write \\[ for a bracket in a text)"},
    {"missing close-brace", "missing close-brace; the line is left out (write \\{ for a brace in a text)"},
    {"missing \"", "missing \"; the line is left out (write \\\" for a quote in a text)"},
    {"extra characters after close-quote",
        "extra characters after close-quote; the line is left out (write \\\" for a quote in a text)"},
    {NULL, NULL},
};

/* A comment in the command caused the problem: what comes before it is a command of its own. Changes the split. */
static bool saveFromComment(Reader *r) {
    if (!isVocabulary(r)) return false;
    size_t comment = findComment(&r->split);
    if (comment >= r->split.words.count) return false;
    const char *end = r->split.words.at[comment].at;
    const char *newline = memchr(end, '\n', (size_t) (r->source->end - end));
    r->split.words.count = comment;
    r->split.end = end;
    r->split.next = newline ? newline + 1 : r->source->end;
    return true;
}

static void reportMistake(const Reader *r, tacSplitStatus status, uint32_t line) {
    const tacSplit *split = &r->split;
    size_t length = (size_t) (split->end - r->source->at);
    size_t limit = isVocabulary(r) ? WORD_LIMIT : COMMAND_LIMIT;
    if (status == TAC_SPLIT_OPEN && length >= limit) {
        char text[120];
        snprintf(text, sizeof text, "the command does not end within %zu MB: %s; the line is left out", limit >> 20,
            split->problem);
        report(r, line, "LIMIT WORD", text);
        return;
    }
    int row = 0;
    while (advice[row].problem && strcmp(advice[row].problem, split->problem) != 0) row++;
    const char *text = advice[row].problem ? advice[row].text : split->problem;
    report(r, line, split->tooLarge ? "LIMIT SYNTAX" : "SYNTAX", text);
}

/* The command is open (to its bound) or broken: says so, and goes on with the next line. */
static tacStatus refuse(Reader *r, tacSplitStatus status, tacError *err) {
    tacSplit *split = &r->split;
    r->wasted += (uint64_t) (split->end - r->source->at);
    if (saveFromComment(r)) return takeCommand(r, err);
    const char *resume = status == TAC_SPLIT_BROKEN ? split->resume : split->begin;
    uint32_t line = r->line + countLines(r->source->at, split->begin);
    const char *newline = memchr(split->begin, '\n', (size_t) (r->source->end - split->begin));
    if (looksBinary(split->begin, newline ? newline : r->source->end)) reportBinary(r, line);
    else reportMistake(r, status, line);
    return r->finished ? TAC_OK : skipLine(r, resume, err);
}

/* ---- commands of several lines ---- */

/* Is the newline before this place escaped? */
static bool isContinued(const char *begin, const char *lineStart) {
    const char *p = lineStart - 1;
    while (p > begin && p[-1] == '\\') p--;
    return ((lineStart - 1 - p) & 1) != 0;
}

static bool beginsWithCommand(const Reader *r, const char *at, const char *end) {
    while (at < end && tacIsBlank(*at)) at++;
    const char *p = at;
    while (p < end && !tacIsBlank(*p) && *p != '\n' && *p != ';' && p - at <= 64) p++;
    tacWord name = {at, (size_t) (p - at)};
    return isCommand(r, &name);
}

/* Moves *bound back to where the next line begins that begins with a command of the vocabulary (invariant 3). */
static tacStatus findNextCommand(Reader *r, size_t length, size_t *bound, tacError *err) {
    tacSource *source = r->source;
    size_t limit = *bound < WORD_LIMIT ? *bound : WORD_LIMIT;
    while (length < limit) {
        const char *line = source->at + length;
        const char *newline = memchr(line, '\n', (size_t) (source->end - line));
        if (!newline && !source->ended) {
            if (more(r, err) != TAC_OK) return TAC_ERROR;
            continue;
        }
        if (line == source->end || (!isContinued(source->at, line) && beginsWithCommand(r, line, source->end))) break;
        length = newline ? (size_t) (newline + 1 - source->at) : (size_t) (source->end - source->at);
    }
    *bound = length;
    return TAC_OK;
}

/* How far an open command may be looked for its end (invariant 4): the line at least. */
static size_t lookAhead(const Reader *r, size_t lineLength) {
    uint64_t allowed = FREE_SCAN + SCAN_RATIO * tacSourcePosition(r->source);
    uint64_t left = allowed > r->wasted ? allowed - r->wasted : 0;
    if (left > COMMAND_LIMIT) left = COMMAND_LIMIT;
    return left > lineLength ? (size_t) left : lineLength;
}

/* Splits the window up to `bound`, letting it grow as long as the command is open. */
static tacStatus splitFar(Reader *r, size_t bound, tacSplitStatus *status, tacError *err) {
    tacSource *source = r->source;
    for (;;) {
        size_t window = (size_t) (source->end - source->at);
        size_t length = window < bound ? window : bound;
        bool ended = source->ended && length == window;
        *status = tacSplitCommand(&r->split, source->at, source->at + length, ended && !r->source->growing);
        if (*status != TAC_SPLIT_OPEN || ended || length == bound) return TAC_OK;
        size_t wanted = window < SMALL_SCAN ? window + 1 : 2 * window;
        while (!source->ended && (size_t) (source->end - source->at) < wanted)
            if (more(r, err) != TAC_OK) return TAC_ERROR;
    }
}

/* The end of a growing file: a command whose rest is not written yet. */
static bool isUnfinished(const Reader *r, tacSplitStatus status) {
    return r->source->growing && status == TAC_SPLIT_OPEN && r->source->ended && r->split.end == r->source->end;
}

static tacStatus takeSplit(Reader *r, tacSplitStatus status, tacError *err) {
    if (status == TAC_SPLIT_MEMORY) return tacFailMemory(err);
    if (isUnfinished(r, status)) return advance(r, r->source->end), TAC_OK;
    return status == TAC_SPLIT_DONE ? takeCommand(r, err) : refuse(r, status, err);
}

/* A command that does not end with its line, which is `length` long. */
static tacStatus readLong(Reader *r, size_t length, tacError *err) {
    size_t bound = lookAhead(r, length);
    tacSplitStatus status;
    if (isVocabulary(r) && findNextCommand(r, length, &bound, err) != TAC_OK) return TAC_ERROR;
    if (splitFar(r, bound, &status, err) != TAC_OK) return TAC_ERROR;
    if (memchr(r->source->at, '\0', (size_t) (r->split.end - r->source->at))) {
        r->wasted += (uint64_t) (r->split.end - r->source->at);
        return skipBinary(r, err);
    }
    return takeSplit(r, status, err);
}

/* ---- the loop ---- */

static tacStatus finish(Reader *r) {
    const tacError *damage = &r->source->damage;
    if (damage->code[0] && !(r->source->growing && r->source->cut)) report(r, r->line, damage->code, damage->message);
    r->finished = true;
    return TAC_OK;
}

/* At Ctrl-Z: what comes after it is no part of the script. Padding may, and anything else is not left out silently. */
static tacStatus finishAtMark(Reader *r, tacError *err) {
    tacSource *source = r->source;
    uint32_t line = r->line;
    for (;;) {
        const char *p = source->at;
        while (p < source->end && (tacIsBlank(*p) || *p == '\n' || *p == END_OF_SCRIPT || *p == '\0')) p++;
        advance(r, p);
        if (p < source->end || source->ended) break;
        if (more(r, err) != TAC_OK) return TAC_ERROR;
    }
    if (source->at < source->end)
        r->sink->report(r->sink->data, TAC_SEVERITY_WARNING, line, "END",
            "reading ends at the Ctrl-Z in this line, as in Tcl; there is more text after it");
    return finish(r);
}

/* The text ends within a line because the source is damaged, or is still being written: half a command may be another
 * one. */
static bool isCutOff(const Reader *r, const char *lineEnd) {
    const tacSource *source = r->source;
    return source->ended && (source->damage.code[0] || source->growing) && lineEnd == source->end
        && lineEnd[-1] != '\n';
}

static tacStatus readCommand(Reader *r, tacError *err) {
    tacSource *source = r->source;
    bool again = r->lineEnd > source->at; /* not the first command of the line */
    if (needLine(r, err) != TAC_OK) return TAC_ERROR;
    if (source->at == source->end) return finish(r);
    const char *lineEnd = r->lineEnd;
    if (!lineEnd) return skipTooLong(r, err);
    if (isCutOff(r, lineEnd)) return advance(r, source->end), TAC_OK;
    if (*source->at == END_OF_SCRIPT) return finishAtMark(r, err);
    if (!again && memchr(source->at, '\0', (size_t) (lineEnd - source->at))) return skipBinary(r, err);
    bool ended = source->ended && lineEnd == source->end && !r->source->growing;
    tacSplitStatus status = tacSplitCommand(&r->split, source->at, lineEnd, ended);
    if (status == TAC_SPLIT_OPEN && !ended) return readLong(r, (size_t) (lineEnd - source->at), err);
    return takeSplit(r, status, err);
}

static tacStatus readAll(Reader *r, tacError *err) {
    while (!r->finished) {
        if (!r->options->scriptOnly && readPlain(r, err) != TAC_OK) return TAC_ERROR;
        if (readCommand(r, err) != TAC_OK) return TAC_ERROR;
    }
    return TAC_OK;
}

static const tacReadOptions defaults;

/* A sandbox of this process that has handlers stays. */
static tacStatus keepHandlers(Reader *r, tacError *err) {
    if (!r->sandbox || !r->options->handlers || !tacSandboxHandles(r->sandbox)) return TAC_OK;
    *r->options->handlers = tacSandboxHandlers(r->sandbox);
    if (!*r->options->handlers) return tacFailMemory(err);
    r->sandbox = NULL;
    return TAC_OK;
}

/* Nothing at all: no trace, and nobody's intention. */
static void reportEmpty(const Reader *r) {
    if (r->source->delivered == 0 && !r->source->growing && !r->source->damage.code[0])
        r->sink->report(r->sink->data, TAC_SEVERITY_WARNING, 0, "EMPTY", "the trace is empty");
}

tacStatus tacReadSource(tacSource *source, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    Reader r = {.source = source, .options = options ? options : &defaults, .sink = sink, .line = 1};
    source->growing = r.options->growing;
    tacSourceSettle(source);
    tacStatus status = readAll(&r, err);
    if (status == TAC_OK) {
        reportEmpty(&r);
        status = keepHandlers(&r, err);
    }
    if (r.sandbox) tacSandboxFree(r.sandbox);
    tacSplitFree(&r.split);
    tacLiteralFree(&r.literal);
    return status;
}

static tacStatus readAndClose(tacSource *source, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    tacStatus status = tacReadSource(source, options, sink, err);
    tacSourceClose(source);
    return status;
}

tacStatus tacReadFile(const char *path, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    tacSource source;
    return tacSourceOpen(&source, path, err) == TAC_OK ? readAndClose(&source, options, sink, err) : TAC_ERROR;
}

tacStatus tacReadText(
    const char *text, size_t length, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    tacSource source;
    return tacSourceText(&source, text, length, err) == TAC_OK ? readAndClose(&source, options, sink, err) : TAC_ERROR;
}

tacStatus tacReadFrom(
    tacReadBytes *read, void *data, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    tacSource source;
    return tacSourceFrom(&source, read, data, err) == TAC_OK ? readAndClose(&source, options, sink, err) : TAC_ERROR;
}
