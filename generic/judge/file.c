/*
 * file.c -- files of expectations.
 */
#include "base/port.h"

#include "judge/file.h"

typedef struct Reading {
    tacStatementTaker *take;
    void *data;
    uint64_t count;
} Reading;

static tacStatus onCommand(void *data, const tacWord *words, int count, uint32_t line, tacError *err) {
    Reading *reading = data;
    if (tacWordIs(words, "expect")) words++, count--;
    if (tacStatementCheck(words, count, err) != TAC_OK) return TAC_ERROR;
    reading->count++;
    return reading->take(reading->data, words, count, line, err);
}

tacStatus tacStatementsRead(
    const char *path, const tacReadOptions *limits, tacStatementTaker *take, void *data, tacError *err) {
    static const char *const commands[] = {"expect", "stream", NULL};
    Reading reading = {take, data, 0};
    tacCommandFile file = {.noun = "file of expectations",
        .code = "EXPECT",
        .commandNames = commands,
        .command = onCommand,
        .data = &reading};
    if (tacCommandFileRead(&file, path, NULL, 0, limits, err) != TAC_OK) return TAC_ERROR;
    return reading.count ? TAC_OK : tacFail(err, "EXPECT EMPTY", "%s: there is no expectation in it", path);
}
