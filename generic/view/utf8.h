/*
 * utf8.h -- names as they may be shown: traces hold any bytes; Pango, XML and LaTeX want well-formed UTF-8 on one line.
 */
#ifndef TAC_VIEW_UTF8_H
#define TAC_VIEW_UTF8_H

#include "base/mem.h"

enum { TAC_UTF8_REPLACEMENT = 0xFFFD };

/* Is this byte of well-formed UTF-8 inside a character, not at its begin? */
static inline bool tacUtf8Continues(char byte) { return ((unsigned char) byte & 0xC0) == 0x80; }

/*
 * Decodes the character at `at` (at < end) into *code and returns its length in bytes. Bytes that are not well-formed
 * UTF-8 become U+FFFD, one for each maximal part that could have begun a character (Unicode 15, section 3.9, table
 * 3-8).
 */
size_t tacUtf8Next(const char *at, const char *end, uint32_t *code);

/*
 * The text as it may be shown: nearly always the text itself, else a copy in *scratch, whose earlier content is
 * dropped. *length is in and out. NULL: no memory.
 */
const char *tacUtf8Clean(const char *text, size_t *length, tacText *scratch);

#endif
