/* colour.h: colours as linear light (red, green, blue in [0, 1] of the sRGB primaries). */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

/* A map for t in [0, 1] that is safe for the colour-blind and in print: lightness rises evenly from
 * dark violet over blue and green to light yellow. */
void plu_colour_map(double t, float rgb[3]);

/* Colours for kinds: the first eight differ for the colour-blind too, then they repeat. */
void plu_colour_kind(int kind, float rgb[3]);

/* From linear light to the number kept in a file, and back. */
unsigned char plu_colour_encode(double light);
double plu_colour_decode(unsigned char code);

#endif
