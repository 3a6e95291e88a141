/*
 * vocabularyFields.h -- names and fields of the ready-made sensors, for what writes them and what reads them.
 */
#ifndef TAC_RECORD_VOCABULARY_FIELDS_H
#define TAC_RECORD_VOCABULARY_FIELDS_H

#include "record/tactusrec_trace.h"

/* A field of a record, under its own name. */
#define TACREC_FIELD_OF(record, name, type) \
    { #name, type, offsetof(record, name), sizeof(((record *) 0)->name) }

static const tacrec_field tacrec_objectFields[] = {
    TACREC_FIELD_OF(tacrec_object, id, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, kind, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, of, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, thread, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, priority, TACREC_SIGNED),
    TACREC_FIELD_OF(tacrec_object, processor, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, flags, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, period, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, deadline, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, budget, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, capacity, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_object, name, TACREC_TEXT),
    TACREC_FIELD_OF(tacrec_object, group, TACREC_TEXT),
    TACREC_FIELD_OF(tacrec_object, color, TACREC_TEXT),
};

static const tacrec_field tacrec_eventFields[] = {
    TACREC_FIELD_OF(tacrec_event, code, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_event, processor, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_event, object, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_event, subject, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_event, value, TACREC_SIGNED),
};

static const tacrec_field tacrec_textFields[] = {
    TACREC_FIELD_OF(tacrec_text, code, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_text, processor, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_text, task, TACREC_UNSIGNED),
    TACREC_FIELD_OF(tacrec_text, text, TACREC_TEXT),
};

/* A sensor whose elements are such records. */
#define TACREC_SENSOR_OF(name, record, fields)                                                                        \
    {                                                                                                                 \
        name, TACREC_CONCURRENT, sizeof(record), 0, fields, sizeof(fields) / sizeof *(fields), {0, 0, 0, 0}, 0, NULL, \
            false, 0                                                                                                  \
    }

/* Index of a sensor in tacrec_traceSensors. */
typedef enum tacrec_traceSensor {
    TACREC_TRACE_OBJECTS,
    TACREC_TRACE_EVENTS,
    TACREC_TRACE_TEXTS,
    TACREC_TRACE_SENSORS
} tacrec_traceSensor;

/* The ready-made sensors, without a capacity. */
static const tacrec_layout tacrec_traceSensors[] = {
    TACREC_SENSOR_OF("tactus.objects", tacrec_object, tacrec_objectFields),
    TACREC_SENSOR_OF("tactus.events", tacrec_event, tacrec_eventFields),
    TACREC_SENSOR_OF("tactus.texts", tacrec_text, tacrec_textFields),
};

#endif
