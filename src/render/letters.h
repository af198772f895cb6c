/* letters.h: text in a picture, drawn with a pen of constant width. */
#ifndef RENDER_LETTERS_H
#define RENDER_LETTERS_H

#include "pluvia/tool/render.h"

/* A capital is `size` pixels high; returns the width of the text in pixels. */
double plu_letters_width(const char *text, double size);

/* Draws with the foot of the first letter's left edge at (x, y), in the color `rgb` (encoded).
 * Characters without a shape are drawn as blanks. */
void plu_letters_draw(plu_picture *picture, double x, double y, double size, const char *text,
                      const unsigned char rgb[3]);

/* A line from a to b (pixels), `width` wide. */
void plu_line_draw(plu_picture *picture, const double a[2], const double b[2], double width,
                   const unsigned char rgb[3]);

#endif
