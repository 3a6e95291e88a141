/*
 * diagTable.c -- the diagnostics of a trace as a table.
 */
#include "base/port.h"

#include "analysis/tables.h"

typedef struct DiagRow {
    const char *severity, *kind, *text;
    int64_t line, count;
} DiagRow;

static const tacColumn diagColumns[] = {
    {"line", TAC_COLUMN_COUNT, "line of the first; 0: the trace as a whole", offsetof(DiagRow, line)},
    {"severity", TAC_COLUMN_TEXT, "error, warning or note", offsetof(DiagRow, severity)},
    {"kind", TAC_COLUMN_TEXT, "what it is about", offsetof(DiagRow, kind)},
    {"text", TAC_COLUMN_TEXT, "what is wrong", offsetof(DiagRow, text)},
    {"count", TAC_COLUMN_COUNT, "how often", offsetof(DiagRow, count)},
};

const tacColumn *tacDiagColumns(int *nColumns) {
    *nColumns = sizeof diagColumns / sizeof *diagColumns;
    return diagColumns;
}

static tacColumnTrait diagTrait(const tacTable *table, int column) {
    return (tacColumnTrait){
        NULL, table->columns[column].offset == offsetof(DiagRow, severity) ? tacSeverityNames : NULL};
}

tacStatus tacDiagTable(const tacDiag *diag, tacTable *table, tacError *err) {
    int nColumns;
    const tacColumn *columns = tacDiagColumns(&nColumns);
    if (tacTableRecords(table, "diagnostics", columns, nColumns, sizeof(DiagRow), diag->remarks.count, 0, err)
        != TAC_OK)
        return TAC_ERROR;
    table->trait = diagTrait;
    for (size_t i = 0; i < diag->remarks.count; i++) {
        const tacRemark *remark = &diag->remarks.at[i];
        *(DiagRow *) tacTableRecord(table, i) = (DiagRow){.severity = tacSeverityName(remark->severity),
            .kind = tacInternName(&diag->texts, remark->kind, NULL),
            .text = tacInternName(&diag->texts, remark->text, NULL),
            .line = remark->line,
            .count = (int64_t) remark->count};
    }
    return TAC_OK;
}
