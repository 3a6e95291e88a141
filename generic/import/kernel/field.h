/*
 * field.h -- fields of the kernel's events, by their names in its formats, and their places in a tacKernelRecord: for
 * readers of binary recordings.
 */
#ifndef TAC_IMPORT_KERNEL_FIELD_H
#define TAC_IMPORT_KERNEL_FIELD_H

#include "import/kernel/record.h"

typedef enum tacSlotType { /* what a field becomes */
    TAC_SLOT_END,          /* of the slots of an event */
    TAC_SLOT_TEXT,
    TAC_SLOT_INT32,
    TAC_SLOT_INT64,
    TAC_SLOT_STATE,    /* state and preempted */
    TAC_SLOT_FUNCTION, /* an address, the name of its function */
    TAC_SLOT_NAMED     /* a number, the name that the format gives it */
} tacSlotType;

typedef struct tacKernelSlot {
    const char *field; /* of the event's format */
    tacSlotType type;
    size_t at; /* in tacKernelRecord */
    bool optional;
} tacKernelSlot;

enum { TAC_KERNEL_SLOTS = 8 }; /* of an event, at most */

typedef struct tacKernelFields { /* of an event */
    const char *name;
    tacKernelEvent event;
    bool naming; /* trace-cmd report takes names of threads from it, by the library's plugin */
    tacKernelSlot slots[TAC_KERNEL_SLOTS]; /* ends with TAC_SLOT_END */
} tacKernelFields;

/* NULL: events of this name have no kind of their own. */
const tacKernelFields *tacKernelFieldsOf(const char *event);

enum { TAC_KERNEL_ARGUMENT = 84 }; /* bytes of an argument of a system call, at most */

/* Writes an argument of a system call as the kernel does, "uaddr: 0x7f00", or, without a name (NULL), the result of
 * one, "0x0". Returns the end. */
char *tacKernelPutArgument(char *to, const char *name, uint64_t value);

#endif
