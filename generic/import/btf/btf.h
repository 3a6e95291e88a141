/*
 * btf.h -- traces in the Best Trace Format (BTF), versions 2.1 and 2.2: text with an event a line, as simulators and
 * RTOS tracers of the automotive world write it.
 *
 *      line -> row.c (fields, header, tables of names) -> tacBtfRow -> btf.c: a handler for each type and event
 *                                              -> process.c  tasks, ISRs, runnables
 *                                              -> resource.c stimuli, semaphores, mutexes, queues
 *
 * Source: Vector Informatik, BTF Specification 2.1.5 (2016) and 2.2.0 (2020). tactus_btf(5) tells the user what
 * each row becomes.
 */
#ifndef TAC_IMPORT_BTF_BTF_H
#define TAC_IMPORT_BTF_BTF_H

#include "import/import.h"

bool tacBtfRecognize(const char *text, size_t length);
tacStatus tacBtfRead(tacImport *import, tacError *err);

#endif
