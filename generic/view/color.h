/*
 * color.h -- colours: from the texts of a trace to 0xRRGGBB, and their lightness, grays and mixtures.
 */
#ifndef TAC_VIEW_COLOR_H
#define TAC_VIEW_COLOR_H

#include "base/port.h"

/* Reads a Tk name (case and blanks do not matter), #rgb, #rrggbb, #rrrgggbbb or #rrrrggggbbbb; false: none of these. */
bool tacColorParse(const char *text, uint32_t *rgb);

double tacColorContrast(uint32_t a, uint32_t b);            /* 1 none .. 21 black and white: WCAG 2.1 */
double tacColorLightness(uint32_t rgb);                     /* 0 black .. 1 white */
uint32_t tacColorGray(uint32_t rgb);                        /* the gray of the same lightness */
uint32_t tacColorMix(uint32_t a, uint32_t b, double share); /* share 0: a, 1: b */
/* The colour, mixed with as much ink as it needs to have this contrast to the paper. */
uint32_t tacColorSeen(uint32_t rgb, uint32_t paper, uint32_t ink, double contrast);

#endif
