/*
 * print.h -- printf and strtod with a decimal point, whatever locale a program has set that Tactus is loaded into.
 *
 * Integers and texts look the same in every locale: snprintf does for them.
 */
#ifndef TAC_BASE_PRINT_H
#define TAC_BASE_PRINT_H

#include "base/port.h"

#include <stdarg.h>

/* As snprintf and vsnprintf. */
int tacPrint(char *text, size_t size, const char *format, ...) TAC_PRINTF(3, 4);
int tacPrintList(char *text, size_t size, const char *format, va_list args);
/* As strtod. */
double tacNumberRead(const char *text, char **end);

/* unix/locale.c: what other libraries print and read in between has a decimal point, too, in this thread. */
typedef struct tacPointLocale {
    void *before, *point; /* NULL: the thread's own locale has one */
} tacPointLocale;
tacPointLocale tacPointEnter(void);
void tacPointLeave(tacPointLocale locale);

#endif
