/*
 * reader.c -- reads a trace in a loop: plain lines at full speed, other commands one by one, mistakes one at a time.
 *
 *   readAll:  readPlain (runs of plain lines) -> readCommand (the command that stopped it) -> readPlain ...
 *   readCommand:  the line -> tacSplitCommand -> complete: takeCommand
 *                                             -> goes on in the next line: readLong, with a bound on how far it looks
 *                                             -> refused: refuse, and on with the next line
 *   takeCommand:  tacLiteralTake -> words: sink.  A script: sandbox, in a worker process that reads the rest.
 *
 * Invariants:
 *   1. source.at is the beginning of a command (or of blanks and comments before one), and stands in `line`.
 *   2. A command is taken from the source after it was applied or lost, never before: a worker begins with the command
 *      that needs it.
 *   3. One bad command costs no other. A quote, brace or bracket that is not closed ends with its first line. In a
 *      command of the vocabulary it counts as not closed as soon as another line begins with such a command.
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

/* The reading of one trace. */
typedef struct Reader {
    tacSource *source;
    const tacReadOptions *options;
    const tacSink *sink;    /* in a worker: the one that sends to the parent's */
    tacSandbox *sandbox;    /* NULL until a command needs it */
    tacSplit split;         /* the present command */
    tacLiteral literal;     /* its words */
    uint32_t line;          /* of source.at */
    const char *lineEnd;    /* of the line that holds source.at, behind its newline; NULL: not known */
    uint32_t cutLine;       /* number of the last line, if it has no newline; 0 */
    uint32_t nBinary;       /* lines with binary data so far */
    uint64_t wasted;        /* bytes looked at in vain (invariant 4) */
    bool finished;          /* nothing more to read here */
    KnownName names[NAMES]; /* by nameSlot() */
} Reader;

/* ---- remarks ---- */

static void report(const Reader *r, uint32_t line, const char *kind, const char *text) {
    r->sink->report(r->sink->data, TAC_SEVERITY_ERROR, line, kind, text);
}

/* Reports that a command was lost; its error is returned if it is one that ends the reading. */
static tacStatus lose(const Reader *r, uint32_t line, const tacError *problem, tacError *err) {
    if (!tacEndsReading(problem) && strncmp(problem->code, "CANCELLED", 9) != 0)
        return report(r, line, problem->code, problem->message), TAC_OK;
    bool hasLine = strncmp(problem->message, "line ", 5) == 0;
    return hasLine ? tacFail(err, problem->code, "%s", problem->message)
                   : tacFail(err, problem->code, "line %u: %s", line, problem->message);
}

/* ---- moving on in the source ---- */

/* Number of newlines in [at, end). */
static uint32_t countLines(const char *at, const char *end) {
    uint32_t n = 0;
    for (; (at = memchr(at, '\n', (size_t) (end - at))); at++) n++;
    return n;
}

/* Moves the source on to `next`, and the line with it. */
static void advance(Reader *r, const char *next) {
    r->line += countLines(r->source->at, next);
    r->source->at = next;
}

/* Lets more text appear in the window. */
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
 * Brings the whole line into the window, with its newline if it has one, and sets lineEnd; that stays NULL when the
 * line is too long. The end of a line with many commands is searched only once.
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

/* Tells whether learnName has said yes to this name. */
static inline bool isKnown(const Reader *r, const tacWord *name) {
    if (TAC_UNLIKELY(name->length == 0)) return false;
    const KnownName *known = &r->names[nameSlot(name)];
    return known->length == name->length && memcmp(known->text, name->at, name->length) == 0;
}

static bool isCommand(const Reader *r, const tacWord *name) {
    return name->length > 0 && r->sink->isCommand(r->sink->data, name->at, name->length);
}

/* Tells whether the script has redefined this command. */
static bool isRedefined(const Reader *r, const tacWord *name) {
    return r->sandbox && tacSandboxRedefined(r->sandbox, name->at, name->length);
}

/* Tells whether commands of this name go to the sink as they are, and remembers a yes. */
static bool learnName(Reader *r, const tacWord *name) {
    if (!isCommand(r, name) || isRedefined(r, name)) return false;
    KnownName *known = &r->names[nameSlot(name)];
    if (name->length > sizeof known->text) return true;
    known->length = (uint8_t) name->length;
    memcpy(known->text, name->at, name->length);
    return true;
}

/* ---- plain lines ---- */

/* Lets the sink ask for the memory of the command in the next line. */
static void lookAhead(const tacSink *sink, const char *at, const char *end) {
    tacWord words[TAC_PLAIN_WORDS];
    int count;
    if (tacSplitPlain(at, end, words, &count) && count > 0) sink->prepare(sink->data, words, count);
}

/* Takes plain lines of vocabulary commands until something else comes or the window ends. scattered: looks ahead. */
static inline tacStatus readLines(Reader *r, bool scattered, tacError *err) {
    tacWord words[TAC_PLAIN_WORDS];
    const tacSink *sink = r->sink;
    const char *at = r->source->at, *end = r->source->end;
    tacStatus status = TAC_OK;
    while (status == TAC_OK) {
        int count;
        size_t length = tacSplitPlain(at, end, words, &count);
        if (length == 0) break;
        if (scattered) lookAhead(sink, at + length, end);
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

/* The same, looking ahead where the sink would wait for memory. */
static tacStatus readPlain(Reader *r, tacError *err) {
    bool scattered = r->sink->scattered && r->sink->scattered(r->sink->data);
    return scattered ? readLines(r, true, err) : readLines(r, false, err);
}

/* ---- scripts ---- */

static tacStatus readAll(Reader *r, tacError *err);

/* tacWorkerEvent of the sandbox. */
static tacStatus serveEvent(void *data, const tacWord *words, int count, int list, tacError *err) {
    return tacSandboxEvent(data, words, count, list, err);
}

/* The place where a worker goes on with the reading. */
typedef struct Place {
    uint64_t position; /* bytes of text before it */
    uint64_t wasted;
    uint32_t line, nBinary;
} Place;

/* Reads on, in the worker, from a command that needs the sandbox. */
static tacStatus readOn(Reader *r, const Place *place, tacError *err) {
    r->line = place->line;
    r->nBinary = place->nBinary;
    r->wasted = place->wasted;
    r->source->delivered += place->position;
    if (tacSandboxCreate(r->options, r->sink, &r->sandbox, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = readAll(r, err);
    if (status == TAC_OK && r->options->handlers && tacSandboxHandles(r->sandbox))
        tacWorkerServe(serveEvent, r->sandbox);
    return status;
}

/* What it makes stays until the process ends. */
tacStatus tacReaderBody(const tacWorkerCall *call, const tacSink *sink, tacError *err) {
    static tacSource source;
    Reader r = {.source = &source, .options = call->options, .sink = sink};
    Place place;
    memcpy(&place, call->words[0].at, sizeof place);
    tacWorkerSource(&source, call);
    tacSourceSettle(&source);
    return readOn(&r, &place, err);
}

/* Lets a worker read from the present command on. It gets the file, if that is its first command. */
static tacStatus readInWorker(Reader *r, tacError *err) {
    Place place = {tacSourcePosition(r->source), r->wasted, r->line, r->nBinary};
    tacWord argument = {(const char *) &place, sizeof place};
    tacWorkerJob job = {.body = "script", .words = &argument, .count = 1, .text = r->source};
    if (place.position == 0 && (job.file = tacSourceHandOver(r->source))) job.text = NULL;
    r->finished = true;
    return tacWorkerRun(&job, r->options, r->sink, err);
}

/* Lets the sandbox evaluate the command; the first time, this means that a worker reads all the rest. */
static tacStatus runScript(Reader *r, uint32_t line, tacError *err) {
    if (r->split.depth > TAC_MAX_DEPTH) {
        report(r, line, "LIMIT SYNTAX", "too many brackets inside one another; the command is left out");
        return TAC_OK;
    }
    if (!r->sandbox && !r->options->inProcess && tacWorkerAvailable()) return readInWorker(r, err);
    if (!r->sandbox && tacSandboxCreate(r->options, r->sink, &r->sandbox, err) != TAC_OK) return TAC_ERROR;
    tacStatus status = tacSandboxEval(r->sandbox, r->split.begin, (size_t) (r->split.end - r->split.begin), line, err);
    for (int i = 0; i < NAMES; i++) r->names[i].length = 0; /* the script may have redefined a command */
    return status;
}

/* ---- binary data ---- */

/* Tells whether the text, which has no CR any more, has more than a few control characters. */
static bool looksBinary(const char *at, const char *end) {
    size_t n = 0;
    for (const char *p = at; p < end; p++) {
        unsigned char c = (unsigned char) *p;
        n += (c < ' ' && !(c >= '\t' && c <= '\f') && c != 0x1B) || c == 0x7F;
    }
    return n > (size_t) (end - at) / 16;
}

/* Reports a line that is no text. At the beginning, or after many such lines, reading ends. */
static void reportBinary(Reader *r, uint32_t line) {
    const tacSource *source = r->source;
    bool first = tacSourcePosition(source) == 0;
    /* UTF-16 begins with a byte order mark, which has been cleaned */
    bool wide = first && source->end - source->at > 4
        && (!memcmp(source->at, "\xC3\xBF\xC3\xBE", 4) || !memcmp(source->at, "\xC3\xBE\xC3\xBF", 4));
    r->finished = first || ++r->nBinary > BINARY_LINES;
    report(r, line, "BINARY",
        wide              ? "the file is in UTF-16; save it as UTF-8"
            : first       ? "the file begins with binary data; it is not a trace"
            : r->finished ? "too much binary data; reading stops here"
                          : "binary data; the line is left out");
}

/* Reports a line with binary data, and skips it unless reading ends. */
static tacStatus skipBinary(Reader *r, tacError *err) {
    reportBinary(r, r->line);
    return r->finished ? TAC_OK : skipLine(r, r->source->at, err);
}

/* ---- one command ---- */

/* Reports a command that is unknown. */
static tacStatus loseUnknown(Reader *r, const tacWord *name, uint32_t line, tacError *err) {
    tacError problem = {0};
    if (looksBinary(r->split.begin, r->split.end)) return reportBinary(r, line), TAC_OK;
    const char *similar = tacSimilarOf(name->at, name->length, r->sink->commandNames);
    tacFail(&problem, "UNKNOWN COMMAND", "unknown command \"%.*s\"%s%s%s", TAC_SHOWN(name),
        similar ? "; did you mean \"" : "", similar ? similar : "", similar ? "\"?" : "");
    return lose(r, line, &problem, err);
}

/* Reports the text of `error "text"`, which recorders write into their traces. */
static void reportOwnMessage(const Reader *r, const tacWord *message, uint32_t line) {
    tacText text = {0};
    tacTextAddString(&text, "the trace says: ");
    tacTextAdd(&text, message->at, tacWholeLength(message->at, message->length, 400));
    report(r, line, "TRACE", text.failed ? "the trace says that something went wrong" : text.at);
    tacTextFree(&text);
}

/* Applies a command that has only literal words. */
static tacStatus applyLiteral(Reader *r, uint32_t line, tacError *err) {
    const tacWord *words = r->literal.words.at;
    int count = (int) r->literal.words.count;
    tacError problem = {0};
    tacStatus status;
    if (isRedefined(r, words)) return runScript(r, line, err);
    if (isCommand(r, words)) {
        for (int i = 0; i < count; i++)
            if (words[i].length > WORD_LIMIT)
                return report(r, line, "LIMIT WORD", "a word is longer than 1 MB; the command is left out"), TAC_OK;
        status = r->sink->command(r->sink->data, words, count, line, &problem);
    } else {
        if (r->sandbox) return runScript(r, line, err);
        if (count >= 2 && tacWordIs(words, "error")) return reportOwnMessage(r, &words[1], line), TAC_OK;
        if (tacSandboxKnows(words->at, words->length)) return runScript(r, line, err);
        if (r->sink->query(r->sink->data, words, 1, line, NULL, &problem) != TAC_OK) /* no object */
            return loseUnknown(r, words, line, err);
        status = r->sink->query(r->sink->data, words, count, line, NULL, &problem);
    }
    return status == TAC_OK ? TAC_OK : lose(r, line, &problem, err);
}

/* Runs a command: literally if that is possible, else by the sandbox. */
static tacStatus runCommand(Reader *r, uint32_t line, tacError *err) {
    const tacRawWord *first = &r->split.words.at[0];
    tacWord name = {first->at, first->length};
    tacError problem = {0};
    if (r->options->scriptOnly) return runScript(r, line, err);
    switch (tacLiteralTake(&r->literal, &r->split, r->sandbox ? NULL : r->sink, line, &problem)) {
    case TAC_LITERAL_DONE: return applyLiteral(r, line, err);
    case TAC_LITERAL_SCRIPT:
        /* No sandbox is started for a command that it would not know either. (One that runs may have defined it.) */
        if (r->sandbox || first->needs || isCommand(r, &name) || tacSandboxKnows(name.at, name.length))
            return runScript(r, line, err);
        return loseUnknown(r, &name, line, err);
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

/* Index of the word of a vocabulary command that begins a comment (a # between words), or the number of words. */
static size_t findComment(const tacSplit *split) {
    size_t i = 3;
    for (; i < split->words.count; i++) {
        const tacRawWord *word = &split->words.at[i];
        if (word->kind != TAC_WORD_BARE || word->length == 0 || word->at[0] != '#') continue;
        if (word->length == 1 || split->words.at[i - 1].at[0] != '-') return i;
    }
    return i;
}

/* Tells whether the command that was split is one of the vocabulary. */
static bool isVocabulary(const Reader *r) {
    if (r->split.words.count == 0) return false;
    const tacRawWord *first = &r->split.words.at[0];
    tacWord name = {first->at, first->length};
    return first->needs == 0 && isCommand(r, &name);
}

/* Leaves out a comment in a command where it would need evaluation, since a comment may say [anything]. */
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

/* Runs the command that was split, and takes it from the source (invariant 2). */
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

/* Messages for the problems that the splitter finds. */
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

/* Cuts the comment off a command whose problem it caused; false: there is none. Changes the split. */
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

/* Reports a command that is open or broken. */
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

/* Reports a command that is open (to its bound) or broken, and goes on with the next line. */
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

/* Tells whether the newline before this line is escaped. */
static bool isContinued(const char *begin, const char *lineStart) {
    const char *p = lineStart - 1;
    while (p > begin && p[-1] == '\\') p--;
    return ((lineStart - 1 - p) & 1) != 0;
}

/* Tells whether the line begins with the name of a vocabulary command. */
static bool beginsWithCommand(const Reader *r, const char *at, const char *end) {
    while (at < end && tacIsBlank(*at)) at++;
    const char *p = at;
    while (p < end && !tacIsBlank(*p) && *p != '\n' && *p != ';' && p - at <= 64) p++;
    tacWord name = {at, (size_t) (p - at)};
    return isCommand(r, &name);
}

/* Moves *bound back to the next line that begins with a command of the vocabulary, if there is one (invariant 3). */
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

/* Takes, refuses or leaves out the command that was split. */
static tacStatus takeSplit(Reader *r, tacSplitStatus status, tacError *err) {
    const tacSource *source = r->source;
    if (status == TAC_SPLIT_MEMORY) return tacFailMemory(err);
    if (status == TAC_SPLIT_DONE) return takeCommand(r, err);
    /* the rest of the last command in a growing file is not written yet */
    bool unfinished = source->growing && status == TAC_SPLIT_OPEN && source->ended && r->split.end == source->end;
    return unfinished ? advance(r, source->end), TAC_OK : refuse(r, status, err);
}

/* Reads a command that does not end with its line, which is `length` long. */
static tacStatus readLong(Reader *r, size_t length, tacError *err) {
    /* Its end is looked for within the bound of invariant 4, and at least to the end of the line. */
    uint64_t allowed = FREE_SCAN + SCAN_RATIO * tacSourcePosition(r->source);
    uint64_t left = allowed > r->wasted ? allowed - r->wasted : 0;
    size_t bound = left > COMMAND_LIMIT ? COMMAND_LIMIT : (size_t) left;
    if (bound < length) bound = length;
    tacSplitStatus status;
    bool mayHoldCommands = r->sink->hasBody != NULL; /* else a line that begins with one is not within this one */
    if (!mayHoldCommands && isVocabulary(r) && findNextCommand(r, length, &bound, err) != TAC_OK) return TAC_ERROR;
    if (splitFar(r, bound, &status, err) != TAC_OK) return TAC_ERROR;
    if (memchr(r->source->at, '\0', (size_t) (r->split.end - r->source->at))) {
        r->wasted += (uint64_t) (r->split.end - r->source->at);
        return skipBinary(r, err);
    }
    return takeSplit(r, status, err);
}

/* ---- the loop ---- */

/* Ends the reading at the end of the source. */
static tacStatus finish(Reader *r) {
    const tacError *damage = &r->source->damage;
    if (damage->code[0] && !(r->source->growing && r->source->cut)) report(r, r->line, damage->code, damage->message);
    if (r->cutLine && r->options->tellCut)
        r->sink->report(r->sink->data, TAC_SEVERITY_NOTE, r->cutLine, TAC_READ_CUT, "the file ends within this line");
    r->finished = true;
    return TAC_OK;
}

/* Ends the reading at Ctrl-Z, after which the script does not go on. Anything but padding there causes a warning. */
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

/* Reads the command at source.at, or skips the line if it cannot be one. */
static tacStatus readCommand(Reader *r, tacError *err) {
    tacSource *source = r->source;
    bool again = r->lineEnd > source->at; /* not the first command of the line */
    if (needLine(r, err) != TAC_OK) return TAC_ERROR;
    if (source->at == source->end) return finish(r);
    const char *lineEnd = r->lineEnd;
    if (!lineEnd) {
        if (memchr(source->at, '\0', COMMAND_LIMIT)) return skipBinary(r, err);
        report(r, r->line, "LIMIT WORD", "the line is longer than 16 MB; it is left out");
        return skipLine(r, source->at, err);
    }
    /* A text that is damaged or still being written may end within a line: half a command may be another one. */
    bool last = source->ended && lineEnd == source->end, partial = source->damage.code[0] || source->growing;
    if (last && partial && lineEnd[-1] != '\n') return advance(r, source->end), TAC_OK;
    if (last && lineEnd[-1] != '\n') r->cutLine = r->line;
    if (*source->at == END_OF_SCRIPT) return finishAtMark(r, err);
    if (!again && memchr(source->at, '\0', (size_t) (lineEnd - source->at))) return skipBinary(r, err);
    bool ended = last && !source->growing;
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

tacStatus tacReadSource(tacSource *source, const tacReadOptions *options, const tacSink *sink, tacError *err) {
    Reader r = {.source = source, .options = options ? options : &defaults, .sink = sink, .line = 1};
    source->growing = r.options->growing;
    tacSourceSettle(source);
    bool apart = r.options->confined && !r.options->inProcess && tacWorkerAvailable();
    tacStatus status = apart ? readInWorker(&r, err) : readAll(&r, err);
    if (status == TAC_OK && source->delivered == 0 && !source->growing && !source->damage.code[0])
        sink->report(sink->data, TAC_SEVERITY_WARNING, 0, "EMPTY", "the trace is empty");
    if (status == TAC_OK && r.sandbox && r.options->handlers && tacSandboxHandles(r.sandbox)) {
        *r.options->handlers = tacSandboxHandlers(r.sandbox); /* which owns the sandbox from now on */
        if (*r.options->handlers) r.sandbox = NULL;
        else status = tacFailMemory(err);
    }
    tacSandboxFree(r.sandbox);
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
