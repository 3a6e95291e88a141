/*
 * futex.c -- finds keys in the words of a futex call, and reads the values behind them; without scanf, since each call
 * needs it.
 */
#include "base/port.h"

#include "import/kernel/futex.h"

#include <string.h>

enum { COMMAND = 0x7f, DIGITS = 16 }; /* the bits of a command; hexadecimal digits of a number, at most */

typedef struct Words {
    const char *at, *end;
} Words;

/* The rest of the text behind "key: " or "key=", searched from a place on; at NULL: there is no such key. */
static Words keyFrom(tacKernelText text, const char *at, const char *key) {
    const char *end = text.at + text.length;
    for (size_t n = strlen(key); (size_t) (end - at) > n + 1; at++) {
        if (*at != *key || memcmp(at, key, n) != 0 || (at[n] != ':' && at[n] != '=')) continue;
        bool alone = at == text.at || at[-1] == ' ' || at[-1] == '(' || at[-1] == ',';
        if (alone) return (Words){at + n + 1 + (at[n + 1] == ' '), end};
    }
    return (Words){NULL, NULL};
}

/* The same, first searched behind the value before it, where it mostly stands. */
static Words behindKey(tacKernelText text, Words before, const char *key) {
    Words found = before.at ? keyFrom(text, before.at, key) : (Words){NULL, NULL};
    return found.at ? found : keyFrom(text, text.at, key);
}

static bool readNumber(Words words, uint64_t *value) {
    const char *at = words.at;
    *value = 0;
    if (words.end - at > 2 && at[0] == '0' && at[1] == 'x') at += 2;
    const char *first = at;
    for (; at < words.end && at - first < DIGITS; at++) {
        int digit = *at >= '0' && *at <= '9' ? *at - '0' : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10 : -1;
        if (digit < 0) break;
        *value = *value << 4 | (unsigned) digit;
    }
    return at > first;
}

static const struct {
    const char *name;
    int command;
} commands[] = {
    {"FUTEX_WAIT", TAC_FUTEX_WAIT},
    {"FUTEX_WAKE", TAC_FUTEX_WAKE},
    {"FUTEX_LOCK_PI", TAC_FUTEX_LOCK_PI},
    {"FUTEX_UNLOCK_PI", TAC_FUTEX_UNLOCK_PI},
    {"FUTEX_TRYLOCK_PI", TAC_FUTEX_TRYLOCK_PI},
    {"FUTEX_WAIT_BITSET", TAC_FUTEX_WAIT_BITSET},
    {"FUTEX_WAKE_BITSET", TAC_FUTEX_WAKE_BITSET},
    {"FUTEX_LOCK_PI2", TAC_FUTEX_LOCK_PI2},
};

static bool isWordByte(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

static int readCommand(Words words) {
    uint64_t number;
    const char *end = words.at;
    while (end < words.end && isWordByte(*end)) end++;
    size_t length = (size_t) (end - words.at);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == length && memcmp(commands[i].name, words.at, length) == 0)
            return commands[i].command;
    return readNumber(words, &number) ? (int) (number & COMMAND) : -1;
}

bool tacKernelFutexOf(const tacKernelRecord *record, tacKernelFutex *futex) {
    if (record->name.length != 5 || memcmp(record->name.at, "futex", 5) != 0 || !record->text.at) return false;
    Words address = keyFrom(record->text, record->text.at, "uaddr"), command = behindKey(record->text, address, "op");
    Words value = behindKey(record->text, command, "val");
    if (!address.at || !readNumber(address, &futex->address)) return false;
    futex->command = command.at ? readCommand(command) : -1;
    if (!value.at || !readNumber(value, &futex->value)) futex->value = 0;
    return true;
}
