#include "render/legend.h"
#include "base/vec3.h"
#include "render/color.h"
#include "render/letters.h"
#include <stdio.h>
#include <string.h>

static const unsigned char ink[3] = {40, 42, 48};

/* Height of a capital: readable in small pictures too. */
static double text_size(int height)
{
    return plu_max(height * 0.0145, 8.0);
}

double plu_legend_step(double span, int parts, bool whole)
{
    const double rough = span / parts, power = pow(10.0, floor(log10(rough)));
    const double lead = rough / power;
    const double step = (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0) * power;
    return whole ? plu_max(step, 1.0) : step;
}

static void title_of(const plu_legend *legend, char *text, size_t size)
{
    const char *unit = legend->quantity->unit;
    snprintf(text, size, unit[0] ? "%s (%s)" : "%s", legend->quantity->title, unit);
}

double plu_legend_width(const plu_legend *legend, int height)
{
    const bool nothing = strcmp(legend->quantity->name, "none") == 0;
    double longest = 10.0;
    for (int i = 0; legend->kinds && legend->kinds[i]; i++)
        longest = plu_max(longest, plu_letters_width(legend->kinds[i], 1.0) + 3.0);
    char text[128];
    title_of(legend, text, sizeof text);
    longest = plu_max(longest, plu_letters_width(text, 1.0));
    return nothing ? 0.0 : text_size(height) * (plu_min(longest, 24.0) + 2.0);
}

double plu_legend_foot(int height)
{
    /* the line of letters ends 2.5 sizes above the edge; 3 % of the height stay empty there anyway
     */
    return plu_max(3.2 * text_size(height) - 0.03 * height, 0.0);
}

static void legend_fill(plu_picture *picture, int x0, int y0, int x1, int y1, const float rgb[3])
{
    for (int y = y0 < 0 ? 0 : y0; y < y1 && y < picture->height; y++)
        for (int x = x0 < 0 ? 0 : x0; x < x1 && x < picture->width; x++)
            for (int k = 0; k < 3; k++)
                picture->rgb[3 * ((size_t)y * (size_t)picture->width + (size_t)x) + (size_t)k] =
                    plu_color_encode(rgb[k]);
}

/* Draws a text at x, or as far left of it as it has to be. */
static void draw_inside(plu_picture *picture, double x, double y, double size, const char *text)
{
    const double over = x + plu_letters_width(text, size) + size - picture->width;
    plu_letters_draw(picture, x - plu_max(over, 0.0), y, size, text, ink);
}

static void title(const plu_legend *legend, plu_picture *picture, double x, double y, double size)
{
    char text[128];
    title_of(legend, text, sizeof text);
    draw_inside(picture, x, y, size, text);
}

/* Values that are not on the bar. */
static void beyond(const plu_legend *legend, plu_picture *picture, double x, double y, double size)
{
    char text[64];
    const bool low = legend->all[0]<legend->range[0], high = legend->all[1]> legend->range[1];
    if (low)
        snprintf(text, sizeof text, "all: %.3g to %.3g", legend->all[0], legend->all[1]);
    else
        snprintf(text, sizeof text, "most: %.3g", legend->all[1]);
    if (low || high)
        draw_inside(picture, x, y, size, text);
}

static void bar(const plu_legend *legend, plu_picture *picture, double left, double size)
{
    const int top = (int)(0.22 * picture->height), bottom = (int)(0.80 * picture->height);
    const int x0 = (int)left, x1 = x0 + (int)(1.6 * size);
    const double low = legend->range[0], span = legend->range[1] - low;
    for (int y = top; y < bottom; y++) {
        float rgb[3];
        plu_color_map((bottom - 0.5 - y) / (bottom - top), rgb);
        legend_fill(picture, x0, y, x1, y + 1, rgb);
    }
    const double step = plu_legend_step(span, 5, legend->quantity->whole);
    for (double k = ceil(low / step - 1e-9); k * step <= low + span * (1.0 + 1e-9); k += 1.0) {
        char text[32];
        const double y = bottom - (k * step - low) / span * (bottom - top);
        snprintf(text, sizeof text, "%.6g", fabs(k) < 0.5 ? 0.0 : k * step);
        plu_line_draw(picture, (double[]){x1, y}, (double[]){x1 + 0.5 * size, y}, 0.12 * size, ink);
        plu_letters_draw(picture, x1 + 0.9 * size, y + size / 2.0, size, text, ink);
    }
    title(legend, picture, left, top - 1.4 * size, size);
    beyond(legend, picture, left, bottom + 2.4 * size, size);
}

static void kinds(const plu_legend *legend, plu_picture *picture, double left, double size)
{
    double y = 0.22 * picture->height;
    title(legend, picture, left, y - 1.4 * size, size);
    for (int i = 0; legend->kinds[i] && y < picture->height; i++, y += 2.4 * size) {
        float rgb[3];
        plu_color_kind(i, rgb);
        legend_fill(picture, (int)left, (int)y, (int)(left + 1.6 * size), (int)(y + 1.6 * size),
                    rgb);
        plu_letters_draw(picture, left + 2.4 * size, y + 1.3 * size, size, legend->kinds[i], ink);
    }
}

/* The next words of the foot, on a line above where they do not fit beside those before. */
static void foot_add(plu_picture *picture, double size, double at[2], const char *text)
{
    const double width = plu_letters_width(text, size), margin = 1.5 * size;
    if (at[0] > margin && at[0] + width > picture->width - size) {
        at[0] = margin;
        at[1] -= 2.0 * size;
    }
    plu_letters_draw(picture, at[0], at[1], size, text, ink);
    at[0] += width + 2.5 * size;
}

/* Below: the time, the width of the squares, the force of the thickest chain and the longest arrow.
 */
static void foot(const plu_legend *legend, plu_picture *picture, double size)
{
    char text[160];
    double at[2] = {1.5 * size, picture->height - 1.5 * size};
    snprintf(text, sizeof text, "t = %.6g s", legend->time);
    foot_add(picture, size, at, text);
    snprintf(text, sizeof text, "squares: %.4g m", legend->tile);
    if (legend->tile > 0.0)
        foot_add(picture, size, at, text);
    snprintf(text, sizeof text, "thickest chain: %.3g N", legend->force);
    if (legend->force > 0.0)
        foot_add(picture, size, at, text);
    if (legend->arrow > 0.0) {
        snprintf(text, sizeof text, "longest arrow: %.3g %s", legend->arrow, legend->arrow_unit);
        foot_add(picture, size, at, text);
    }
}

void plu_legend_draw(const plu_legend *legend, plu_picture *picture)
{
    const double size = text_size(picture->height);
    const double left = picture->width - plu_legend_width(legend, picture->height);
    foot(legend, picture, size);
    if (strcmp(legend->quantity->name, "none") == 0)
        return;
    if (legend->kinds)
        kinds(legend, picture, left, size);
    else
        bar(legend, picture, left, size);
}
