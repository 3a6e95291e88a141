/*
 * print.c -- printf and strtod with a decimal point.
 */
#include "base/port.h"

#include "base/print.h"

#include <stdio.h>
#include <stdlib.h>

int tacPrintList(char *text, size_t size, const char *format, va_list args) {
    tacPointLocale locale = tacPointEnter();
    int length = vsnprintf(text, size, format, args);
    tacPointLeave(locale);
    return length;
}

int tacPrint(char *text, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = tacPrintList(text, size, format, args);
    va_end(args);
    return length;
}

double tacNumberRead(const char *text, char **end) {
    tacPointLocale locale = tacPointEnter();
    double number = strtod(text, end);
    tacPointLeave(locale);
    return number;
}
