/*
 * layoutPages.c -- how many of the rows that fit onto a page stand on it.
 *
 * The pages are as few as they can be. Among the places where a page may end then, one before a processor's panel or a
 * group is best, else the one that leaves the pages equally high: a last page with a single row looks like a mistake.
 */
#include "base/port.h"

#include "view/layoutRows.h"

#include <math.h>

/* May a page end before row i? Not between a heading and its rows, or within a folded group. */
static bool mayEnd(const tacFigureRow *rows, size_t n, size_t i) {
    return i == n || (i > 0 && !rows[i].away && !tacFigureRowIsHeading(&rows[i - 1]));
}

static bool beginsPart(const tacFigureRow *row) { return row->heading || tacFigureRowIsHeading(row); }

/* The end of a page that begins with row `first` and has so many points for rows. */
static size_t pageEnd(const tacFigureRow *rows, size_t n, size_t first, float height) {
    size_t end = first;
    for (size_t i = first + 1; i <= n; i++) {
        if (end > first && !rows[i - 1].away && rows[i - 1].bottom - rows[first].top > height) break;
        if (mayEnd(rows, n, i)) end = i;
    }
    return end;
}

/* The number of pages of the rows from `first` on. */
static size_t countPages(const tacFigureRow *rows, size_t n, size_t first, float height) {
    size_t pages = 0;
    while (first < n) {
        first = pageEnd(rows, n, first, height);
        pages++;
    }
    return pages;
}

/* The lower end of all rows; those of folded groups, behind the row of their group, have no place. */
static float lowerEnd(const tacFigureRow *rows, size_t n) {
    while (rows[n - 1].away) n--;
    return rows[n - 1].bottom;
}

size_t tacFigureRowsShare(const tacFigureRow *rows, size_t n, size_t fits, float height) {
    if (fits == 0 || fits >= n) return fits;
    size_t pages = countPages(rows, n, fits, height), best = fits;
    float share = (lowerEnd(rows, n) - rows[0].top) / (float) (pages + 1), off = INFINITY;
    bool part = false;
    for (size_t i = fits; i > 0; i--) {
        if (!mayEnd(rows, n, i)) continue;
        if (countPages(rows, n, i, height) > pages) break;
        float distance = fabsf(lowerEnd(rows, i) - rows[0].top - share);
        bool here = beginsPart(&rows[i]);
        if (here < part || (here == part && distance >= off)) continue;
        best = i;
        part = here;
        off = distance;
    }
    return best;
}
