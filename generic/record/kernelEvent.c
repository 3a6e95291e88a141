/*
 * kernelEvent.c -- kinds of events of the kernel as sensors: the fields of their formats, and their bytes.
 *
 * Numbers stay as they are. What only this machine can explain is explained here: the bits of a state, whose meaning
 * differs between kernels, and the addresses of functions.
 */
#define _GNU_SOURCE
#include "record/kernelEvent.h"

#include <event-parse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATE_ROOM = 4,
    FUNCTION_ROOM = 40,
    TEXT_ROOM = 64,    /* of a text, at most */
    DYNAMIC_ROOM = 48, /* of a text of any length, */
    FILE_ROOM = 128    /* ... and of the name of a file */
};

/* ---- sensors ----------------------------------------------------------------------------------------------------- */

uint16_t tacCaptureEventField(tacCaptureEvent *kind, const char *name, tacrec_type type, uint16_t size) {
    tacrec_sensorSaid *said = &kind->said;
    uint32_t step = type == TACREC_TEXT ? 1 : size, at = (said->size + step - 1) / step * step;
    if (said->fieldCount == TACREC_FIELDS || at + size > TACREC_ELEMENT) return 0;
    tacrec_fieldEntry *field = &said->fields[said->fieldCount++];
    snprintf(field->name, sizeof field->name, "%s", name);
    field->type = type;
    field->offset = (uint16_t) at;
    field->size = size;
    said->size = at + size;
    return (uint16_t) at;
}

void tacCaptureEventBegin(tacCaptureEvent *kind, const char *name) {
    memset(kind, 0, sizeof *kind);
    snprintf(kind->said.name, sizeof kind->said.name, "kernel:%s", name);
    kind->said.kind = TACREC_CONCURRENT;
    tacCaptureEventField(kind, "number", TACREC_UNSIGNED, 4);
    tacCaptureEventField(kind, "pid", TACREC_SIGNED, 4);
    tacCaptureEventField(kind, "cpu", TACREC_UNSIGNED, 2);
}

/* ---- fields of formats ------------------------------------------------------------------------------------------- */

/* First table of a print format: the names of bits. */
static struct tep_print_flag_sym *findTable(const struct tep_print_arg *arg) {
    struct tep_print_flag_sym *found = NULL;
    for (; arg && !found; arg = arg->next) {
        if (arg->type == TEP_PRINT_FLAGS) return arg->flags.flags;
        if (arg->type == TEP_PRINT_TYPE) found = findTable(arg->typecast.item);
        if (arg->type != TEP_PRINT_OP) continue;
        found = findTable(arg->op.left);
        if (!found) found = findTable(arg->op.right);
    }
    return found;
}

static void addState(tacCaptureEvent *kind, uint64_t bit, const char *name) {
    if (!bit || kind->stateCount == TAC_CAPTURE_STATES) return;
    kind->states[kind->stateCount].bit = bit;
    snprintf(kind->states[kind->stateCount++].name, sizeof kind->states->name, "%.3s", name);
}

/*
 * Takes the names of states from the format of sched_switch; one that cannot be read has those of kernels since 4.14.
 */
static void findStates(tacCaptureEvent *kind, const struct tep_event *event) {
    static const char *const letters[] = {"S", "D", "T", "t", "X", "Z", "P", "I"};
    for (struct tep_print_flag_sym *s = findTable(event->print_fmt.args); s; s = s->next)
        if (s->value && s->str) addState(kind, strtoull(s->value, NULL, 0), s->str);
    if (kind->stateCount && kind->states[0].bit == 1) return;
    kind->stateCount = 0;
    for (int i = 0; i < 8; i++) addState(kind, UINT64_C(1) << i, letters[i]);
}

/* Way of a field into the element, its type there and its room; room 0: it is left out. */
static tacMove moveOf(const struct tep_event *event, const struct tep_format_field *field, tacrec_type *type) {
    unsigned long flags = field->flags;
    bool text = flags & TEP_FIELD_IS_STRING;
    tacMove move = {.from = field->offset, .size = field->size};
    *type = TACREC_TEXT;
    if (!strcmp(event->name, "sched_switch") && !strcmp(field->name, "prev_state")) {
        move.type = TAC_MOVE_STATE;
        move.room = STATE_ROOM;
    } else if (!strcmp(event->system, "timer") && !strcmp(field->name, "function") && field->size == 8) {
        move.type = TAC_MOVE_FUNCTION;
        move.room = FUNCTION_ROOM;
    } else if (flags & TEP_FIELD_IS_DYNAMIC) {
        move.type = flags & TEP_FIELD_IS_RELATIVE ? TAC_MOVE_RELATIVE : TAC_MOVE_DYNAMIC;
        if (text && field->size == 4) move.room = strstr(field->name, "filename") ? FILE_ROOM : DYNAMIC_ROOM;
    } else if (flags & TEP_FIELD_IS_ARRAY) {
        move.type = TAC_MOVE_TEXT;
        if (text) move.room = (uint16_t) (field->size < TEXT_ROOM ? field->size : TEXT_ROOM);
    } else if (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8) {
        move.type = TAC_MOVE_NUMBER;
        move.room = (uint16_t) field->size;
        *type = flags & TEP_FIELD_IS_SIGNED ? TACREC_SIGNED : TACREC_UNSIGNED;
    }
    return move;
}

/* Importance of an event where storage is short: the switches most, then whatever else tells of threads. */
static uint32_t priorityOf(const struct tep_event *event) {
    if (!strcmp(event->name, "sched_switch")) return 3;
    return !strcmp(event->system, "sched") ? 2 : 1;
}

void tacCaptureEventMake(tacCaptureEvent *kind, const struct tep_event *event) {
    tacCaptureEventBegin(kind, event->name);
    kind->said.priority = priorityOf(event);
    for (const struct tep_format_field *field = event->format.fields; field; field = field->next) {
        tacrec_type type;
        tacMove move = moveOf(event, field, &type);
        if (!move.room || field->offset < 0 || !strcmp(field->name, "__syscall_nr")) continue;
        move.to = tacCaptureEventField(kind, field->name, type, move.room);
        if (!move.to) continue;
        kind->moves[kind->moveCount++] = move;
        if (move.type == TAC_MOVE_STATE) findStates(kind, event);
    }
}

/* ---- bytes of events --------------------------------------------------------------------------------------------- */

static uint64_t numberAt(const uint8_t *at, int size) { /* of 4 or 8 bytes */
    uint32_t word;
    uint64_t number;
    if (size == 8) return memcpy(&number, at, 8), number;
    return memcpy(&word, at, 4), word;
}

/* Writes a state as the kernel does: "S", "D|K", "R", or "R+" for a thread that did not want to leave. */
static void putState(const tacCaptureEvent *kind, uint64_t bits, char *to, size_t room) {
    uint64_t known = 0;
    size_t n = 0;
    for (int i = 0; i < kind->stateCount; i++) {
        known |= kind->states[i].bit;
        if (!(bits & kind->states[i].bit)) continue;
        if (n && n < room) to[n++] = '|';
        for (const char *c = kind->states[i].name; *c && n < room; c++) to[n++] = *c;
    }
    if (n == 0) to[n++] = 'R';
    if ((bits & (known + 1)) && n < room) to[n] = '+';
}

static void putFunction(struct tep_handle *names, uint64_t address, char *to, size_t room) {
    const char *name = tep_find_function(names, address);
    if (name) snprintf(to, room, "%s", name);
    else snprintf(to, room, "0x%" PRIx64, address);
}

/* Copies a text of at most `size` bytes, cut to its room. The element is filled with zeros already. */
static void putText(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
    size_t length = strnlen((const char *) from, size);
    memcpy(to, from, length < room ? length : room);
}

void tacCaptureEventMove(
    const tacCaptureEvent *kind, struct tep_handle *names, const uint8_t *event, int size, uint8_t *element) {
    for (int i = 0; i < kind->moveCount; i++) {
        const tacMove *move = &kind->moves[i];
        uint8_t *to = element + move->to;
        if (move->from + move->size > size) continue;
        const uint8_t *from = event + move->from;
        if (move->type == TAC_MOVE_NUMBER) memcpy(to, from, move->room);
        else if (move->type == TAC_MOVE_TEXT) putText(from, (size_t) move->size, to, move->room);
        else if (move->type == TAC_MOVE_STATE) putState(kind, numberAt(from, move->size), (char *) to, move->room);
        else if (move->type == TAC_MOVE_FUNCTION)
            putFunction(names, numberAt(from, move->size), (char *) to, move->room);
        else {
            uint64_t where = numberAt(from, 4);
            int offset = (int) (where & 0xffff) + (move->type == TAC_MOVE_RELATIVE ? move->from + 4 : 0);
            int length = (int) (where >> 16 & 0xffff);
            if (offset + length <= size) putText(event + offset, (size_t) length, to, move->room);
        }
    }
}
