/* color.h: colors as linear light (red, green, blue in [0, 1] of the sRGB primaries). */
#ifndef RENDER_COLOR_H
#define RENDER_COLOR_H

/* A map for t in [0, 1] that is safe for the color-blind and in print: lightness rises evenly from
 * dark violet over blue and green to light yellow. */
void plu_color_map(double t, float rgb[3]);

/* Colors for kinds: the first eight differ for the color-blind too, then they repeat. */
void plu_color_kind(int kind, float rgb[3]);

/* From linear light to the number kept in a file, and back. */
unsigned char plu_color_encode(double light);
double plu_color_decode(unsigned char code);

#endif
