/* legend.h: the legend beside a picture: the color bar with its ticks or the list of kinds, and the
 * time; text in a picture. */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "pluvia/tool/render.h"
#include "render/quantity.h"

typedef struct plu_legend {
    const plu_coloring *quantity;
    const char *const *kinds; /* names, ends with NULL; NULL: a bar */
    double range[2];
    double all[2]; /* the least and the largest value, printed where they lie beyond it */
    double time;   /* s */
    double tile;   /* m: squares on the walls; 0: none */
    double force;  /* N: of the thickest chain; 0: none */
    double arrow;  /* of the longest; 0: none */
    const char *arrow_unit;
} plu_legend;

/* Width of the legend (pixels), on the right of the picture. */
double plu_legend_width(const plu_legend *legend, int height);

/* Pixels that its line below needs, beyond those that are empty anyway. */
double plu_legend_foot(int height);

void plu_legend_draw(const plu_legend *legend, plu_picture *picture);

/* A round step (1, 2 or 5 times a power of ten) that divides `span` in about `parts` parts; with
 * `whole` at least 1. */
double plu_legend_step(double span, int parts, bool whole);

/* --- text in a picture, drawn with a pen of constant width --- */

/* --- colors as linear light (red, green, blue in [0, 1] of the sRGB primaries) --- */

/* A map for t in [0, 1] that is safe for the color-blind and in print: lightness rises evenly from
 * dark violet over blue and green to light yellow. */
void plu_color_map(double t, float rgb[3]);

/* Colors for kinds: the first eight differ for the color-blind too, then they repeat. */
void plu_color_kind(int kind, float rgb[3]);

/* From linear light to the number kept in a file, and back. */
unsigned char plu_color_encode(double light);
double plu_color_decode(unsigned char code);

#endif
