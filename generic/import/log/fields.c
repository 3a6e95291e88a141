/*
 * fields.c -- takes lines apart: at separators with quotes as in RFC 4180, at blanks, or as JSON (RFC 8259).
 *
 * Fields point into the line, or, where quotes or escapes change them, into one text that is long enough from the
 * start, so that it does not move.
 */
#include "base/port.h"

#include "import/log/fields.h"

#include <stdio.h>

static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static tacWord trimmed(const char *at, const char *end) {
    while (at < end && isBlank(*at)) at++;
    while (end > at && isBlank(end[-1])) end--;
    return (tacWord){at, (size_t) (end - at)};
}

static tacStatus add(tacFields *fields, tacWord word, tacError *err) {
    if (fields->all.count >= TAC_LOG_MOST) return TAC_OK;
    return tacArrayPush(&fields->all, word) ? TAC_OK : tacFailMemory(err);
}

/* ---- separators -------------------------------------------------------------------------------------------------- */

/* Reads a field in quotes, whose first one is at `at`; *next: behind the closing quote. */
static tacStatus readQuoted(tacFields *fields, const char *at, const char *end, const char **next, tacError *err) {
    tacText *out = &fields->unquoted;
    size_t begin = out->length;
    for (at++; at < end; at++) {
        if (*at == '"' && at + 1 < end && at[1] == '"') at++;
        else if (*at == '"') {
            *next = at + 1;
            return add(fields, (tacWord){out->at + begin, out->length - begin}, err);
        }
        tacTextAdd(out, at, 1);
    }
    return tacFail(err, "SYNTAX", "a quote is not closed: a field cannot go on in another line");
}

static tacStatus readSeparated(tacFields *fields, const char *at, const char *end, char separator, tacError *err) {
    for (;;) {
        const char *begin = at, *next = at;
        while (begin < end && isBlank(*begin) && *begin != separator) begin++;
        if (begin < end && *begin == '"') {
            if (readQuoted(fields, begin, end, &next, err) != TAC_OK) return TAC_ERROR;
            while (next < end && *next != separator) next++;
        } else {
            while (next < end && *next != separator) next++;
            if (add(fields, trimmed(at, next), err) != TAC_OK) return TAC_ERROR;
        }
        if (next >= end) return TAC_OK;
        at = next + 1;
    }
}

static tacStatus readBlanks(tacFields *fields, const char *at, const char *end, tacError *err) {
    for (;;) {
        while (at < end && isBlank(*at)) at++;
        if (at >= end) return TAC_OK;
        const char *next = at;
        if (*at == '"') {
            if (readQuoted(fields, at, end, &next, err) != TAC_OK) return TAC_ERROR;
        } else {
            while (next < end && !isBlank(*next)) next++;
            if (add(fields, (tacWord){at, (size_t) (next - at)}, err) != TAC_OK) return TAC_ERROR;
        }
        at = next;
    }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 16, NAME = 256 };

typedef struct Json {
    tacFields *fields;
    const char *begin, *at, *end;
    char name[NAME]; /* of the value that is read: names of the objects around it, with dots in between */
    tacError *err;
} Json;

static void skip(Json *json) {
    while (json->at < json->end && (isBlank(*json->at) || *json->at == '\n')) json->at++;
}

/* Passes over a character that must stand here, and blanks before it. */
static bool expect(Json *json, char c) {
    skip(json);
    if (json->at < json->end && *json->at == c) return json->at++, true;
    tacFail(json->err, "SYNTAX", "the line is no JSON object: '%c' is missing at its byte %u", c,
        (unsigned) (json->at - json->begin) + 1);
    return false;
}

static void addCode(tacText *out, uint32_t code) {
    char bytes[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; code >>= 6) bytes[i] = (char) (0x80 | (code & 0x3f));
    bytes[0] = (char) (lead[n] | code);
    tacTextAdd(out, bytes, n);
}

/* Reads four hexadecimal digits behind "\u". */
static bool readHex(Json *json, uint32_t *code) {
    unsigned value = 0;
    if (json->end - json->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        char c = *json->at++;
        unsigned digit = c >= '0' && c <= '9' ? (unsigned) (c - '0')
            : c >= 'a' && c <= 'f'            ? (unsigned) (c - 'a' + 10)
            : c >= 'A' && c <= 'F'            ? (unsigned) (c - 'A' + 10)
                                              : 16;
        if (digit == 16) return false;
        value = value * 16 + digit;
    }
    *code = value;
    return true;
}

/* Adds what an escape means; `at` is behind the backslash. */
static bool readEscape(Json *json, tacText *out) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    uint32_t code, low;
    char c = *json->at++;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) return tacTextAdd(out, &to[found - from], 1), true;
    if (c != 'u' || !readHex(json, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00 && json->end - json->at >= 6 && json->at[0] == '\\' && json->at[1] == 'u') {
        json->at += 2;
        if (!readHex(json, &low) || low < 0xdc00 || low > 0xdfff) return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (!code || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
    return addCode(out, code), true;
}

/* Reads a string. */
static bool readString(Json *json, tacWord *word) {
    tacText *out = &json->fields->unquoted;
    if (!expect(json, '"')) return false;
    const char *begin = json->at;
    while (json->at < json->end && *json->at != '"' && *json->at != '\\') json->at++;
    if (json->at < json->end && *json->at == '"') {
        *word = (tacWord){begin, (size_t) (json->at++ - begin)};
        return true;
    }
    size_t at = out->length;
    tacTextAdd(out, begin, (size_t) (json->at - begin));
    while (json->at < json->end && *json->at != '"') {
        if (*json->at != '\\') tacTextAdd(out, json->at++, 1);
        else if (++json->at >= json->end || !readEscape(json, out)) break;
    }
    *word = (tacWord){out->at + at, out->length - at};
    return expect(json, '"');
}

/* Passes over an array or a bare word: a number, true, false, null. */
static tacWord readBare(Json *json) {
    const char *begin = json->at;
    int depth = 0;
    for (; json->at < json->end; json->at++) {
        char c = *json->at;
        if (c == '"') {
            for (json->at++; json->at < json->end && *json->at != '"'; json->at++)
                if (*json->at == '\\') json->at++;
            if (json->at >= json->end) break;
        } else if (c == '[' || c == '{') depth++;
        else if ((c == ']' || c == '}') && depth-- == 0) break;
        else if (c == ',' && depth == 0) break;
    }
    if (json->at > json->end) json->at = json->end;
    tacWord word = trimmed(begin, json->at);
    return tacWordIs(&word, "null") ? (tacWord){NULL, 0} : word;
}

static bool put(Json *json, tacWord value) {
    tacFields *fields = json->fields;
    uint32_t number = tacInternFind(&fields->names, json->name, strlen(json->name));
    if (number == TAC_NONE) {
        if (tacInternCount(&fields->names) >= TAC_LOG_MOST) return true;
        number = tacIntern(&fields->names, json->name, strlen(json->name));
        if (number == TAC_NONE) return tacFailMemory(json->err), false;
    }
    while (fields->all.count <= number)
        if (!tacArrayPush(&fields->all, (tacWord){NULL, 0})) return tacFailMemory(json->err), false;
    fields->all.at[number] = value;
    return true;
}

static bool readObject(Json *json, int depth);

static bool readValue(Json *json, int depth) {
    tacWord value;
    skip(json);
    if (json->at < json->end && *json->at == '{') return readObject(json, depth + 1);
    if (json->at < json->end && *json->at == '"') return readString(json, &value) && put(json, value);
    return put(json, readBare(json));
}

/* Reads an object, the names of whose members begin with the present name. */
static bool readObject(Json *json, int depth) {
    size_t length = strlen(json->name);
    if (depth > DEEPEST) return tacFail(json->err, "SYNTAX", "objects within objects are too deep"), false;
    if (!expect(json, '{')) return false;
    skip(json);
    if (json->at < json->end && *json->at == '}') return json->at++, true;
    for (;;) {
        tacWord name;
        if (!readString(json, &name) || !expect(json, ':')) return false;
        snprintf(json->name + length, NAME - length, "%s%.*s", length ? "." : "", TAC_SHOWN(&name));
        if (!readValue(json, depth)) return false;
        json->name[length] = 0;
        skip(json);
        if (json->at < json->end && *json->at == ',') {
            json->at++;
            continue;
        }
        return expect(json, '}');
    }
}

static tacStatus readJson(tacFields *fields, const char *at, const char *end, tacError *err) {
    Json json = {.fields = fields, .begin = at, .at = at, .end = end, .err = err};
    for (size_t i = 0; i < tacInternCount(&fields->names); i++)
        if (add(fields, (tacWord){NULL, 0}, err) != TAC_OK) return TAC_ERROR;
    return readObject(&json, 0) ? TAC_OK : TAC_ERROR;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

tacStatus tacFieldsRead(tacFields *fields, const char *line, size_t length, char separator, tacError *err) {
    const char *end = line + length;
    fields->all.count = 0;
    fields->unquoted.length = 0;
    if (memchr(line, '"', length) && fields->unquoted.capacity < length + 1) { /* so that it does not move */
        void **at = (void **) &fields->unquoted.at;
        if (!tacArrayGrow(at, &fields->unquoted.capacity, 0, length + 1, 1)) return tacFailMemory(err);
    }
    if (separator == TAC_LOG_JSON) return readJson(fields, line, end, err);
    if (separator == TAC_LOG_BLANKS) return readBlanks(fields, line, end, err);
    return readSeparated(fields, line, end, separator, err);
}

void tacFieldsFree(tacFields *fields) {
    tacArrayFree(&fields->all);
    tacTextFree(&fields->unquoted);
    tacInternFree(&fields->names);
}
