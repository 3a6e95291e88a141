/*
 * row.h -- a line of a BTF file as fields, and the contents of its header: time scale and tables of names for numbers.
 */
#ifndef TAC_IMPORT_BTF_ROW_H
#define TAC_IMPORT_BTF_ROW_H

#include "base/decimal.h"
#include "base/intern.h"
#include "read/sink.h"

/* The columns of a row; names are as in the specification (Table 2). */
typedef struct tacBtfRow {
    tacDecimal time; /* seconds */
    tacWord source, sourceInstance, type, target, targetInstance, event;
    tacWord note; /* the rest of the line, commas included; length 0: none */
} tacBtfRow;

/* The table that the entries "#-..." belong to. */
typedef enum tacBtfTable { TAC_BTF_NO_TABLE, TAC_BTF_TYPES, TAC_BTF_ENTITIES, TAC_BTF_ENTITY_TYPES } tacBtfTable;

/* Names by number, of the numeric form. */
typedef struct tacBtfNames {
    tacInternTable names;
    TAC_ARRAY(uint32_t) byNumber; /* id in names; TAC_NONE: not given */
} tacBtfNames;

/* The header, as far as it has been read. Zeroed at first, but for scale. */
typedef struct tacBtfHeader {
    int scale;    /* a timestamp counts 10^-scale seconds; 9 unless said otherwise */
    bool version; /* there was a #version */
    bool other;   /* there was another parameter of the format */
    tacBtfTable table;
    tacBtfNames types, entities;
} tacBtfHeader;

typedef enum tacBtfLine {
    TAC_BTF_EMPTY,     /* a comment, or nothing */
    TAC_BTF_PARAMETER, /* a line of the header */
    TAC_BTF_TYPE_OF,   /* an entry of the table of types: row->type, row->target */
    TAC_BTF_ROW,
    TAC_BTF_WRONG /* none of these; err says why */
} tacBtfLine;

void tacBtfHeaderFree(tacBtfHeader *header);
/*
 * Parses a line; texts of the row point into the line, or into the header's names. err: code SYNTAX or TIME where it
 * is wrong, HEADER for a parameter that is not understood, MEMORY.
 */
tacBtfLine tacBtfParse(tacBtfHeader *header, const char *text, size_t length, tacBtfRow *row, tacError *err);

#endif
