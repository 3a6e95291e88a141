/*
 * kernelEvent.h -- a kind of event of the kernel as a sensor. For kernel.c only.
 *
 *      its format (libtraceevent) -> fields of the sensor, and a move for each -> bytes of an event to an element's
 */
#ifndef TAC_RECORD_KERNEL_EVENT_H
#define TAC_RECORD_KERNEL_EVENT_H

#include "record/stream.h"

struct tep_event;
struct tep_handle;

typedef enum tacMoveType {
    TAC_MOVE_NUMBER,   /* bytes as they are */
    TAC_MOVE_TEXT,     /* a text of fixed room */
    TAC_MOVE_DYNAMIC,  /* the field says where the text is: its length and its offset in the event, 16 bits each */
    TAC_MOVE_RELATIVE, /* the same, with an offset from the field's end */
    TAC_MOVE_STATE,    /* bits of a thread's state, to letters */
    TAC_MOVE_FUNCTION  /* address of a function, to its name */
} tacMoveType;

typedef struct tacMove {
    tacMoveType type;
    int from, size;    /* in the event */
    uint16_t to, room; /* in the element */
} tacMove;

enum { TAC_CAPTURE_STATES = 16 }; /* bits of a thread's state that have names */

typedef struct tacCaptureEvent { /* a sensor */
    tacrec_sensorSaid said;
    uint64_t count; /* elements so far */
    tacMove moves[TACREC_FIELDS];
    int moveCount;
    struct {
        uint64_t bit;
        char name[4];
    } states[TAC_CAPTURE_STATES];
    int stateCount;
} tacCaptureEvent;

/* Begins a sensor "kernel:NAME" with the fields number, pid and cpu. */
void tacCaptureEventBegin(tacCaptureEvent *kind, const char *name);
/* Adds a field, at the next offset that suits its type. Returns that offset; 0: there is no room. */
uint16_t tacCaptureEventField(tacCaptureEvent *kind, const char *name, tacrec_type type, uint16_t size);
/* Makes a sensor of a kind of event. Fields that do not fit are left out. */
void tacCaptureEventMake(tacCaptureEvent *kind, const struct tep_event *event);
/* Fills the event's own fields of an element from its bytes. */
void tacCaptureEventMove(
    const tacCaptureEvent *kind, struct tep_handle *names, const uint8_t *event, int size, uint8_t *element);

#endif
