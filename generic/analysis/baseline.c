/*
 * baseline.c -- writes and reads baselines.
 *
 * The reader goes along the words of the text. `Reader.line` is the line of the word read last; what is wrong is told
 * with it.
 */
#include "base/port.h"

#include "analysis/baseline.h"
#include "base/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, TASKS = 1000000, CAUSES = 100000 }; /* columns of a line; limits of what is read */

static const char heading[] = "tactus-baseline";

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Adds a text as one word: bytes that are no plain characters as %XX. */
static void addWord(tacText *out, const char *text) {
    if (!*text) tacTextAddString(out, "%");
    for (; *text; text++) {
        unsigned char byte = (unsigned char) *text;
        if (byte <= ' ' || byte == '%' || byte == 0x7f) tacTextPrintf(out, "%%%02X", byte);
        else tacTextAdd(out, text, 1);
    }
}

static void addSample(tacText *out, tacTaskMeasure measure, const tacValues *sample, int digits) {
    uint64_t before = 0;
    size_t begin;
    if (!sample->n) return;
    tacTextPrintf(out, "measure %s %llu\n", tacTaskMeasureNames[measure], (unsigned long long) sample->n);
    begin = out->length;
    for (size_t i = 0; i < sample->runs.count && !out->failed; i++) {
        char value[TAC_DECIMAL_SIZE];
        uint64_t count = sample->runs.at[i].upTo - before;
        tacDecimalFormat(sample->runs.at[i].value, digits, value);
        tacTextAddString(out, value);
        if (count > 1) tacTextPrintf(out, "*%llu", (unsigned long long) count);
        before = sample->runs.at[i].upTo;
        bool ends = i + 1 == sample->runs.count || out->length - begin > WIDTH - 20;
        tacTextAddString(out, ends ? "\n" : " ");
        if (ends) begin = out->length;
    }
}

static void addCauses(tacText *out, const tacCauses *causes, int digits) {
    if (causes->jobs <= 0) return;
    tacTextPrintf(out, "causes %.0f\n", causes->jobs);
    for (uint32_t i = 0; i < causes->means.count; i++) {
        tacTextPrintf(out, "%.15g ", causes->means.at[i] / pow(10, digits));
        addWord(out, tacInternName(&causes->words, i, NULL));
        tacTextAddString(out, "\n");
    }
}

static tacStatus addTask(const tacProfile *profile, uint32_t index, const tacTimeScale *scale, uint64_t most,
    tacText *out, tacProgress *progress, tacError *err) {
    tacProfileCounts counts = tacProfileCount(profile, index);
    tacValues sample = {.n = 0};
    tacStatus status = TAC_OK;
    tacCauses causes = {.jobs = 0};
    tacTextAddString(out, "task ");
    addWord(out, tacProfileId(profile, index));
    tacTextAddString(out, " ");
    addWord(out, tacProfileName(profile, index));
    tacTextPrintf(out, "\njobs %llu deadlines %llu misses %llu\n", (unsigned long long) counts.jobs,
        (unsigned long long) counts.deadlines, (unsigned long long) counts.misses);
    for (int measure = 0; measure < TAC_TASK_MEASURES && status == TAC_OK; measure++) {
        if (measure == TAC_TASK_MEASURE_NET_EXECUTION && !profile->stolen) continue;
        status = tacProfileSample(profile, index, (tacTaskMeasure) measure, scale, &sample, progress, err);
        if (status == TAC_OK && !tacValuesReduce(&sample)) status = tacFailMemory(err);
        if (status == TAC_OK) addSample(out, (tacTaskMeasure) measure, &sample, scale->digits);
    }
    tacValuesFree(&sample);
    if (status != TAC_OK) return status;
    status = tacProfileCauses(profile, index, most, scale, &causes, progress, err);
    if (most && status == TAC_OK) addCauses(out, &causes, scale->digits);
    tacCausesFree(&causes);
    return status;
}

tacStatus tacBaselineWrite(
    const tacProfile *profile, uint64_t most, tacText *out, tacProgress *progress, tacError *err) {
    tacTimeScale scale = {.digits = 0};
    if (tacProfileScale(profile, &scale, err) != TAC_OK) return TAC_ERROR;
    tacTextPrintf(out, "%s 1\n", heading);
    if (tacScaleUnit(&scale)) tacTextPrintf(out, "unit %s\n", tacScaleUnit(&scale));
    tacTextPrintf(out, "decimals %d\n", scale.digits);
    for (uint32_t i = 0; i < profile->tasks.count; i++)
        if (addTask(profile, i, &scale, most, out, progress, err) != TAC_OK) return TAC_ERROR;
    tacTextAddString(out, "end\n");
    return out->failed ? tacFailMemory(err) : TAC_OK;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

typedef struct Reader {
    const char *at, *end;
    unsigned long line, next; /* line of `word`, of `at` */
    const char *word;         /* read last; NULL: the end */
    size_t length;
    tacBaseline *baseline;
    tacText text; /* of a word without its escapes */
    tacError *err;
} Reader;

static bool wrong(Reader *r, const char *what) {
    int length = (int) tacWholeLength(r->word ? r->word : "", r->length, r->length < 40 ? r->length : 40);
    tacFail(r->err, "BASELINE SYNTAX", "line %lu: %s%s%.*s%s", r->line, what, r->word ? ", but found \"" : "",
        r->word ? length : 0, r->word ? r->word : "", r->word ? "\"" : ", but the baseline ends here");
    return false;
}

static bool noMemory(Reader *r) { return tacFailMemory(r->err), false; }

/* Reads the next word. False: there is none. */
static bool nextWord(Reader *r) {
    while (r->at < r->end && (unsigned char) *r->at <= ' ') r->next += *r->at++ == '\n';
    r->line = r->next;
    r->word = r->at < r->end ? r->at : NULL;
    while (r->at < r->end && (unsigned char) *r->at > ' ') r->at++;
    r->length = r->word ? (size_t) (r->at - r->word) : 0;
    return r->word != NULL;
}

static bool isWord(const Reader *r, const char *word) {
    return r->word && r->length == strlen(word) && !memcmp(r->word, word, r->length);
}

static bool need(Reader *r, const char *word) {
    char what[60];
    nextWord(r);
    if (isWord(r, word)) return true;
    snprintf(what, sizeof what, "\"%s\" was expected", word);
    return wrong(r, what);
}

/* Makes a number of the digits of a text. False: it is none, or more than `most`. */
static bool countOf(const char *text, size_t length, uint64_t most, uint64_t *count) {
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *count = *count * 10 + (uint64_t) (text[i] - '0');
        if (*count > most) return false;
    }
    return length > 0;
}

static bool readCount(Reader *r, uint64_t most, uint64_t *count) {
    char what[60];
    nextWord(r);
    if (r->word && countOf(r->word, r->length, most, count)) return true;
    snprintf(what, sizeof what, "a number up to %llu was expected", (unsigned long long) most);
    return wrong(r, what);
}

static int digitOf(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/* Reads a word with its escapes into r->text. What is behind a word, a blank or the NUL at the end, is no digit. */
static bool readText(Reader *r) {
    r->text.length = 0;
    if (!nextWord(r)) return wrong(r, "a word was expected");
    if (isWord(r, "%")) return tacTextAdd(&r->text, "", 0), !r->text.failed || noMemory(r);
    for (size_t i = 0; i < r->length; i++) {
        char c = r->word[i];
        if (c == '%') {
            int high = digitOf(r->word[i + 1]), low = high < 0 ? -1 : digitOf(r->word[i + 2]);
            if (high < 0 || low < 0 || !(high || low)) return wrong(r, "\"%\" and two digits of 0-9A-F were expected");
            c = (char) (high * 16 + low);
            i += 2;
        }
        tacTextAdd(&r->text, &c, 1);
    }
    return !r->text.failed || noMemory(r);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* Reads "value" or "value*count" of a sample with `left` values to come. */
static bool readRun(Reader *r, tacValues *sample, uint64_t left) {
    tacDecimal decimal;
    int64_t value;
    uint64_t count = 1;
    bool rounded = false;
    if (!nextWord(r)) return wrong(r, "a value was expected");
    const char *star = memchr(r->word, '*', r->length);
    size_t length = star ? (size_t) (star - r->word) : r->length;
    if (star && (!countOf(star + 1, r->length - length - 1, left, &count) || !count))
        return wrong(r, "more values than were told, or none, after \"*\"");
    if (tacDecimalParse(r->word, length, &decimal) != TAC_OK
        || !tacDecimalShift(decimal.mantissa, r->baseline->scale.digits - decimal.digits, &value, &rounded) || rounded
        || decimal.rounded || !tacIsTime(value))
        return wrong(r, "a value with no more decimals than \"decimals\" says was expected");
    if (sample->runs.count && value <= sample->runs.at[sample->runs.count - 1].value)
        return wrong(r, "a value greater than the one before was expected");
    return tacValuesAdd(sample, value, count) || noMemory(r);
}

static bool readMeasure(Reader *r, tacBaselineTask *task) {
    uint64_t n;
    int measure = 0;
    nextWord(r);
    while (measure < TAC_TASK_MEASURES && !isWord(r, tacTaskMeasureNames[measure])) measure++;
    if (measure == TAC_TASK_MEASURES) return wrong(r, "the name of a measure was expected");
    tacValues *sample = &task->samples[measure];
    if (sample->n) return wrong(r, "another measure was expected: the task has this one already");
    if (measure == TAC_TASK_MEASURE_NET_EXECUTION) r->baseline->stolen = true;
    if (!readCount(r, UINT32_MAX, &n)) return false;
    while (sample->n < n)
        if (!readRun(r, sample, n - sample->n)) return false;
    return true;
}

/* Reads the lines of causes: a mean, and the cause. */
static bool readCauses(Reader *r, tacBaselineTask *task) {
    uint64_t n;
    if (!readCount(r, UINT32_MAX, &n)) return false;
    task->causes.jobs = (double) n;
    for (;;) {
        Reader before = *r;
        char number[40], *end;
        if (!nextWord(r)) return wrong(r, "a mean, or \"end\", was expected");
        if ((*r->word < '0' || *r->word > '9') && *r->word != '-') { /* the next keyword: read again */
            r->at = before.at;
            r->next = before.next;
            return true;
        }
        snprintf(number, sizeof number, "%.*s", (int) (r->length < 39 ? r->length : 39), r->word);
        double mean = tacNumberRead(number, &end);
        if (*end || r->length > 39 || !isfinite(mean)) return wrong(r, "a mean was expected");
        if (!readText(r)) return false;
        if (task->causes.means.count >= CAUSES) return wrong(r, "at most 100000 causes were expected");
        if (!tacCausesAdd(&task->causes, r->text.at, r->text.length, mean * pow(10, r->baseline->scale.digits)))
            return noMemory(r);
    }
}

static bool readTask(Reader *r) {
    tacBaseline *baseline = r->baseline;
    if (baseline->tasks.count >= TASKS) return wrong(r, "at most 1000000 tasks were expected");
    if (!tacArrayPush(&baseline->tasks, (tacBaselineTask){.id = NULL})) return noMemory(r);
    tacBaselineTask *task = &baseline->tasks.at[baseline->tasks.count - 1];
    if (!readText(r)) return false;
    task->id = tacCopyText(r->text.at ? r->text.at : "", r->text.length);
    if (!readText(r)) return false;
    task->name = tacCopyText(r->text.at ? r->text.at : "", r->text.length);
    if (!task->id || !task->name) return noMemory(r);
    return need(r, "jobs") && readCount(r, UINT32_MAX, &task->counts.jobs) && need(r, "deadlines")
        && readCount(r, task->counts.jobs, &task->counts.deadlines) && need(r, "misses")
        && readCount(r, task->counts.deadlines, &task->counts.misses);
}

/* Reads the head: version, unit, decimals. The word read last is the first of the body. */
static bool readHead(Reader *r) {
    tacTimeScale *scale = &r->baseline->scale;
    uint64_t digits;
    if (!need(r, heading)) return false;
    nextWord(r);
    if (!isWord(r, "1")) return wrong(r, "version 1 was expected, which is all that this program knows");
    nextWord(r);
    if (isWord(r, "unit")) {
        nextWord(r);
        if (!r->word || !tacTimeUnit(r->word, r->length, &scale->exponent))
            return wrong(r, "a unit of time (s, ms, us, ns, ps) was expected");
        scale->known = true;
        nextWord(r);
    }
    if (!isWord(r, "decimals")) return wrong(r, "\"decimals\" was expected");
    if (!readCount(r, TAC_MAX_DIGITS, &digits)) return false;
    scale->digits = (int) digits;
    nextWord(r);
    return true;
}

static bool readBody(Reader *r) {
    for (; !isWord(r, "end"); nextWord(r)) {
        tacBaselineTask *task = r->baseline->tasks.count ? &r->baseline->tasks.at[r->baseline->tasks.count - 1] : NULL;
        bool fine = isWord(r, "task")      ? readTask(r)
            : task && isWord(r, "measure") ? readMeasure(r, task)
            : task && isWord(r, "causes")
            ? readCauses(r, task)
            : wrong(r, task ? "\"task\", \"measure\", \"causes\" or \"end\" was expected" : "\"task\" was expected");
        if (!fine) return false;
    }
    return !nextWord(r) || wrong(r, "nothing was expected behind \"end\"");
}

tacStatus tacBaselineRead(const char *text, size_t length, tacBaseline *baseline, tacError *err) {
    Reader r = {.at = text, .end = text + length, .line = 1, .next = 1, .baseline = baseline, .err = err};
    *baseline = (tacBaseline){.stolen = false};
    bool fine = readHead(&r) && readBody(&r);
    tacTextFree(&r.text);
    return fine ? TAC_OK : TAC_ERROR;
}

bool tacBaselineIs(const char *text, size_t length) {
    return length > sizeof heading && !memcmp(text, heading, sizeof heading - 1) && text[sizeof heading - 1] == ' ';
}

void tacBaselineFree(tacBaseline *baseline) {
    for (size_t i = 0; i < baseline->tasks.count; i++) {
        tacBaselineTask *task = &baseline->tasks.at[i];
        tacFree(task->id);
        tacFree(task->name);
        for (int measure = 0; measure < TAC_TASK_MEASURES; measure++) tacValuesFree(&task->samples[measure]);
        tacCausesFree(&task->causes);
    }
    tacArrayFree(&baseline->tasks);
}
