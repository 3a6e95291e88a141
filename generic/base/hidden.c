/*
 * hidden.c -- the table of hidden characters, and how they are written.
 */
#include "base/port.h"

#include "base/hidden.h"

#include <stdio.h>

const tacHiddenRange tacHidden[] = {
    {0x00, 0x1f},
    {0x7f, 0x9f},       /* control characters */
    {0xad, 0xad},       /* soft hyphen */
    {0x61c, 0x61c},     /* Arabic letter mark */
    {0x180e, 0x180e},   /* Mongolian vowel separator */
    {0x200b, 0x200f},   /* no width; left-to-right and right-to-left mark */
    {0x2028, 0x202e},   /* separators of lines and paragraphs; embeddings and overrides of direction */
    {0x2060, 0x206f},   /* joiners, invisible operators; isolates of direction; what is deprecated */
    {0xfeff, 0xfeff},   /* byte order mark */
    {0xfff9, 0xfffb},   /* annotations */
    {0xe0000, 0xe007f}, /* tags */
    {0, 0},
};

bool tacIsHiddenWide(uint32_t code) {
    const tacHiddenRange *range = tacHidden;
    while (range->last && code > range->last) range++;
    return range->last && code >= range->first;
}

size_t tacHiddenEscape(uint32_t code, char out[TAC_ESCAPE]) {
    if (code < 0x10000) return (size_t) snprintf(out, TAC_ESCAPE, "\\u%04x", (unsigned) code);
    unsigned rest = (unsigned) code - 0x10000;
    return (size_t) snprintf(out, TAC_ESCAPE, "\\u%04x\\u%04x", 0xd800 | (rest >> 10 & 0x3ff), 0xdc00 | (rest & 0x3ff));
}
