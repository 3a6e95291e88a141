/*
 * late.c -- finds and loads what lies beside the library that this code is in.
 */
#define _GNU_SOURCE /* dladdr */
#include "base/port.h"

#include "base/late.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tacBeside(const char *file, char *path, size_t size) {
    Dl_info info;
    char library[PATH_MAX];
    if (!dladdr((const void *) (uintptr_t) tacBeside, &info) || !realpath(info.dli_fname, library)) return false;
    *strrchr(library, '/') = '\0';
    return (size_t) snprintf(path, size, "%s/%s", library, file) < size;
}

const void *tacLate(const char *library, const char *symbol, char why[TAC_LATE_TEXT]) {
    char path[PATH_MAX];
    void *handle = tacBeside(library, path, sizeof path) ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    const void *found = handle ? dlsym(handle, symbol) : NULL;
    if (found) return found;
    const char *reason = dlerror();
    snprintf(
        why, TAC_LATE_TEXT, "the library %s cannot be loaded: %s", library, reason ? reason : "its place is not known");
    return NULL;
}
