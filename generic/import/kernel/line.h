/*
 * line.h -- scanning of one line of kernel trace text: begin.c reads its beginning, words.c the words of an event,
 * line.c puts both together. Shared by these three only.
 *
 * A tacScan is the part of a line that is not read yet. A function that reads something moves its beginning behind
 * that. It returns false when something else stands there; the scan's position is undefined then.
 */
#ifndef TAC_IMPORT_KERNEL_LINE_H
#define TAC_IMPORT_KERNEL_LINE_H

#include "import/kernel/record.h"

#include <string.h>

typedef struct tacScan {
    const char *at, *end;
} tacScan;

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static inline bool tacScanIsDigit(char c) { return c >= '0' && c <= '9'; }
static inline bool tacScanIsBlank(char c) { return c == ' ' || c == '\t'; }

/* Compares 8 bytes by one load of each side. */
static inline bool tacScanSame8(const char *a, const char *b) { return memcmp(a, b, 8) == 0; }

/* Compares n bytes without a call, which would cost more than the comparison: keys and names are short and many. */
static inline bool tacScanSame(const char *a, const char *b, size_t n) {
    if (n > 16) return memcmp(a, b, n) == 0;
    if (n >= 8) return tacScanSame8(a, b) && tacScanSame8(a + n - 8, b + n - 8);
    if (n >= 4) return memcmp(a, b, 4) == 0 && memcmp(a + n - 4, b + n - 4, 4) == 0;
    while (n && a[n - 1] == b[n - 1]) n--;
    return n == 0;
}

static inline bool tacScanBytes(tacScan *scan, const char *bytes, size_t n) { /* n > 0 */
    if ((size_t) (scan->end - scan->at) < n || *scan->at != *bytes || !tacScanSame(scan->at, bytes, n)) return false;
    scan->at += n;
    return true;
}

static inline bool tacScanText(tacScan *scan, const char *literal) { /* not empty */
    return tacScanBytes(scan, literal, strlen(literal));
}

static inline bool tacScanByte(tacScan *scan, char byte) {
    if (scan->at == scan->end || *scan->at != byte) return false;
    scan->at++;
    return true;
}

static inline bool tacScanBlanks(tacScan *scan) { /* false: there were none */
    const char *start = scan->at, *at = start, *end = scan->end;
    while (at < end && tacScanIsBlank(*at)) at++;
    scan->at = at;
    return at > start;
}

static inline tacKernelText tacScanRest(const tacScan *scan) {
    return (tacKernelText){scan->at, (size_t) (scan->end - scan->at)};
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Reads digits, at most 18; count, which may be NULL: their number. */
static inline bool tacScanDigits(tacScan *scan, int64_t *value, int *count) {
    const char *start = scan->at, *at = start, *end = scan->end - at > 18 ? at + 18 : scan->end;
    uint64_t sum = 0;
    for (unsigned digit; at < end && (digit = (unsigned) (unsigned char) *at - '0') < 10; at++) sum = 10 * sum + digit;
    *value = (int64_t) sum;
    scan->at = at;
    if (count) *count = (int) (at - start);
    return at > start && (at == scan->end || !tacScanIsDigit(*at));
}

/* Reads hexadecimal digits, at most 16. */
static inline bool tacScanHex(tacScan *scan, int64_t *value) {
    const char *start = scan->at;
    uint64_t sum = 0;
    for (; scan->at < scan->end && scan->at - start < 16; scan->at++) {
        char c = *scan->at;
        int digit = tacScanIsDigit(c) ? c - '0'
            : c >= 'a' && c <= 'f'    ? c - 'a' + 10
            : c >= 'A' && c <= 'F'    ? c - 'A' + 10
                                      : -1;
        if (digit < 0) break;
        sum = sum << 4 | (unsigned) digit;
    }
    *value = (int64_t) sum;
    return scan->at > start;
}

/* Reads the number of a processor. */
static inline bool tacScanProcessor(tacScan *scan, int32_t *processor) {
    int64_t number;
    if (!tacScanDigits(scan, &number, NULL) || number > UINT16_MAX - 1) return false;
    *processor = (int32_t) number;
    return true;
}

static inline bool tacScanPid(tacScan *scan, int32_t *pid) {
    int64_t number;
    if (!tacScanDigits(scan, &number, NULL) || number > INT32_MAX) return false;
    *pid = (int32_t) number;
    return true;
}

/* Reads " (120)" behind a hexadecimal number, which ftrace writes with its option `fields`. */
static inline bool tacScanDecimal(tacScan *scan, int64_t *value) {
    tacScan word = *scan;
    if (!tacScanText(&word, " (")) return false;
    bool negative = tacScanText(&word, "-");
    if (!tacScanDigits(&word, value, NULL) || !tacScanText(&word, ")")) return false;
    if (negative) *value = -*value;
    *scan = word;
    return true;
}

/* Reads "-12", "0x78" or "0x78 (120)". */
static inline bool tacScanNumber(tacScan *scan, int64_t *value) {
    if (tacScanText(scan, "0x")) {
        if (!tacScanHex(scan, value)) return false;
        tacScanDecimal(scan, value);
        return true;
    }
    bool negative = tacScanText(scan, "-");
    if (!tacScanDigits(scan, value, NULL)) return false;
    if (negative) *value = -*value;
    return true;
}

/* ---- begin.c ----------------------------------------------------------------------------------------------------- */

/* Reads thread, processor and time, in the shape of the line before. Returns their end, or NULL. Nearly all lines have
 * that shape, so this is tried first. A comment never fits. */
const char *tacKernelBeginAsBefore(tacKernelLines *lines, tacScan line, tacKernelRecord *record);
/* The same in any shape, which is remembered, and for lines that were trimmed. */
const char *tacKernelBegin(tacKernelLines *lines, tacScan line, tacKernelRecord *record);

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Reads the words of the event record->name. TAC_LINE_UNKNOWN: the table has no such event. */
tacKernelLine tacKernelWords(tacScan words, tacKernelRecord *record);

#endif
