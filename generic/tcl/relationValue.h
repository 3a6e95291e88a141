/*
 * relationValue.h -- bins, histograms, grids and samples of a relation (relation/aggregate.h) as Tcl values.
 *
 * Files that include this include <tcl.h> first.
 */
#ifndef TAC_TCL_RELATION_VALUE_H
#define TAC_TCL_RELATION_VALUE_H

#include "relation/aggregate.h"

enum { TAC_MOST_BINS = 1 << 20, TAC_MOST_CELLS = 1 << 24 };

/* {from to bins ?log?} of a column, which is no text; bounds are decimals and exact. USAGE BINS, USAGE COLUMN. */
int tacBinsFromObj(Tcl_Interp *interp, const tacTable *table, int column, Tcl_Obj *words, tacBins *bins);

Tcl_Obj *tacHistogramValue(const tacHistogram *histogram, int n);  /* dict counts below above total */
Tcl_Obj *tacGridValue(const tacGrid *grid, int columns, int rows); /* dict cells {x y count ...} outside total; empty
                                                                      cells are left out */
Tcl_Obj *tacSampleValue(const tacTable *table, int column, const tacSample *sample); /* dict values {value rank ...}
                                                                                        count */

#endif
