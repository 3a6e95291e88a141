/*
 * sink.h -- the receiver of commands: the boundary between read/ (bytes to commands) and trace/ (commands to events).
 *
 * read/ knows no vocabulary. It splits a script into commands, gives each literal one as an array of words to the
 * sink, and lets the sandbox give it those that a script computes. The store implements the sink (trace/apply.h); a
 * worker process implements one that sends everything through a pipe.
 */
#ifndef TAC_READ_SINK_H
#define TAC_READ_SINK_H

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

/*
 * One word of a command, after substitution; not NUL-terminated; valid only during the call. It is valid UTF-8 and
 * holds no NUL: the readers make sure of that (read/clean.h), whatever bytes the file has.
 */
typedef struct tacWord {
    const char *at;
    size_t length; /* bytes */
} tacWord;

static inline bool tacWordIs(const tacWord *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->at, text, word->length) == 0;
}

/* The part of a word that fits into a message, for "%.*s". */
#define TAC_SHOWN(word) (int) tacWholeLength((word)->at, (word)->length, 60), (word)->at

typedef struct tacSink {
    void *data; /* first argument of all functions */

    /*
     * A command of the vocabulary with its words (words[0] is its name, count >= 1) that stands in `line` of the trace.
     * TAC_ERROR: that command is lost, err says why (reading goes on); errors whose code begins with "LIMIT" or
     * "MEMORY" end the reading.
     */
    tacStatus (*command)(void *data, const tacWord *words, int count, uint32_t line, tacError *err);

    /* Tells whether this is the name of a vocabulary command (plot, newTask, Plot, bufferplot ...). */
    bool (*isCommand)(void *data, const char *name, size_t length);

    /*
     * Answers for an object used as a command, [task1 name] or [Task task1] initWith ...: whether the name is an
     * object, and what its method returns. The answer is added to *result (may be NULL: only asks whether words[0]
     * names an object or a class word). TAC_ERROR with code "LOOKUP OBJECT" when there is no such object.
     */
    tacStatus (*query)(void *data, const tacWord *words, int count, uint32_t line, tacText *result, tacError *err);

    /* A remark about the trace. kind groups repeats ("SYNTAX", "SCRIPT ERROR" ...); text is one sentence. */
    void (*report)(void *data, tacSeverity severity, uint32_t line, const char *kind, const char *text);

    /*
     * Called for every block of the file (source.h), and every 20 ms or so in long scripts and while nothing comes.
     * That is often: a function that passes it on looks at the clock (base/progress.h). total is 0 when unknown
     * (pipes); both are 0 from a script, which does not know. false: cancel. NULL: not wanted.
     */
    bool (*progress)(void *data, uint64_t bytesRead, uint64_t total);

    /* Names of all vocabulary commands, NULL-terminated; the sandbox makes Tcl commands of them. */
    const char *const *commandNames;

    /* Bytes of memory needed by all that was taken so far. NULL: that does not matter. */
    uint64_t (*need)(void *data);

    /*
     * Does a command end with a word that is a script of further commands? Then the sandbox gives the sink the command
     * with an empty word in its place, evaluates the word where the command stands, and then gives it TAC_BODY_END,
     * with a second word if the evaluation ended with an error, which is still to be reported or caught. For readings
     * with scriptOnly. NULL: no command does.
     */
    bool (*hasBody)(const tacWord *words, int count);

    /*
     * Do commands name things in random order, so that each waits for memory? Then `prepare` gets the words of a
     * command before the one that comes first, and asks for the memory that it will need. Asked for each run of plain
     * lines. NULL: neither is wanted.
     */
    bool (*scattered)(void *data);
    void (*prepare)(void *data, const tacWord *words, int count);
} tacSink;

#define TAC_BODY_END "}"
#define TAC_READ_CUT "CUT" /* kind of the note that a text ends without a newline (tacReadOptions.tellCut) */

/* Tells whether an error of the sink's functions ends the reading, and does not merely cost a command. */
static inline bool tacEndsReading(const tacError *err) {
    return strncmp(err->code, "LIMIT", 5) == 0 || strncmp(err->code, "MEMORY", 6) == 0;
}

#endif
