/* The legend beside a picture, and text: a font of strokes, so that no library and no file is
 * needed and pictures are the same everywhere. A character is a grid of points (x, y), 0 to 4 and
 * 0 to 8; the letter H is "0208 4248 0545", three strokes:
 *
 *     8  o . . . o        (0, 2) to (0, 8) , (4, 2) to (4, 8) , (0, 5) to (4, 5)
 *     5  o o o o o
 *     2  o . . . o        the line stands on y = 2
 *
 * Strokes have soft edges: the ink of a pixel falls from 1 to 0 over one pixel around the line. */
#include "render/legend.h"
#include "base/vec3.h"
#include <stdio.h>
#include <string.h>

/* Strokes of each character: points as pairs of digits, x from 0 to 4 and y from 0 to 8 upward; the
 * line stands on y = 2, capitals reach 8, small letters 6. A blank begins a new stroke. */
static const char *const strokes[128] = {
    ['0'] = "120307183847433212",
    ['1'] = "062822 0242",
    ['2'] = "07183847460242",
    ['3'] = "0718384746352535 354443321203",
    ['4'] = "32380444",
    ['5'] = "480805354443321203",
    ['6'] = "473818070312324344353505",
    ['7'] = "084812",
    ['8'] = "15060718384746351504031232434435",
    ['9'] = "03123243473818070515 1545",
    ['.'] = "1213",
    [','] = "131201",
    [':'] = "1213 1516",
    ['-'] = "0535",
    ['+'] = "0545 2327",
    ['='] = "0444 0646",
    ['/'] = "0148",
    ['('] = "29171321",
    [')'] = "09171301",
    ['_'] = "0141",
    ['%'] = "0248 0708 4243",
    ['*'] = "0347 0743",
    ['\''] = "1816",
    ['A'] = "022842 1434",
    ['B'] = "0208384746350505 3544433202",
    ['C'] = "4738180703123243",
    ['D'] = "0208284643 4322 2202",
    ['E'] = "48080242 0535",
    ['F'] = "480802 0535",
    ['G'] = "473818070312324345 4525",
    ['H'] = "0208 4248 0545",
    ['I'] = "2228",
    ['J'] = "484332120304",
    ['K'] = "0208 4805 1642",
    ['L'] = "080242",
    ['M'] = "0208254842",
    ['N'] = "02084248",
    ['O'] = "120307183847433212",
    ['P'] = "02083847463505",
    ['Q'] = "120307183847433212 2441",
    ['R'] = "02083847463505 2542",
    ['S'] = "473818070615354443321203",
    ['T'] = "0848 2822",
    ['U'] = "080312324348",
    ['V'] = "082248",
    ['W'] = "0812253248",
    ['X'] = "0248 0842",
    ['Y'] = "082548 2522",
    ['Z'] = "08480242",
    ['a'] = "1636454232120314 1444",
    ['b'] = "0802 0312324345361605",
    ['c'] = "45361605031232 3243",
    ['d'] = "4842 4332120305163645",
    ['e'] = "04444536160503123243",
    ['f'] = "38281712 0636",
    ['g'] = "4641301001 43321203051636 3645",
    ['h'] = "0802 05163645 4542",
    ['i'] = "1612 1718",
    ['j'] = "26211001 2728",
    ['k'] = "0802 3603 1432",
    ['l'] = "181322",
    ['m'] = "0206 05162522 25364542",
    ['n'] = "0206 05163645 4542",
    ['o'] = "120305163645433212",
    ['p'] = "0006 05163645433212 1203",
    ['q'] = "4046 45361605031232 3243",
    ['r'] = "0206 041636",
    ['s'] = "45361605143443 43321203",
    ['t'] = "18132232 0636",
    ['u'] = "0603123243 4642",
    ['v'] = "062246",
    ['w'] = "0612243246",
    ['x'] = "0246 0642",
    ['y'] = "0622 461000",
    ['z'] = "06460242",
};

static const double advance = 5.6,
                    cap = 6.0; /* units of the raster: to the next letter; a capital */

static double letter_width(char c)
{
    double width = 0.0;
    const unsigned char code = (unsigned char)c;
    const char *s = code < 128 ? strokes[code] : NULL;
    if (!s)
        return advance - 2.4;
    for (; s[0] && s[1]; s += s[2] == ' ' ? 3 : 2)
        width = plu_max(width, s[0] - '0');
    return width + advance - 4.0;
}

/* A capital is `size` pixels high; returns the width of the text in pixels. */
static double letters_width(const char *text, double size)
{
    double width = 0.0;
    for (const char *c = text; *c; c++)
        width += letter_width(*c);
    return plu_max(width - (advance - 4.0), 0.0) * size / cap;
}

static double distance_to(const double a[2], const double b[2], double x, double y)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
    double s = length > 0.0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length : 0.0;
    s = plu_min(plu_max(s, 0.0), 1.0);
    return hypot(x - a[0] - s * dx, y - a[1] - s * dy);
}

/* A line from a to b (pixels), `width` wide. */
static void line_draw(plu_picture *picture, const double a[2], const double b[2], double width,
                      const unsigned char rgb[3])
{
    const double reach = width / 2.0 + 1.0;
    const int x0 = (int)plu_max(plu_min(a[0], b[0]) - reach, 0.0);
    const int y0 = (int)plu_max(plu_min(a[1], b[1]) - reach, 0.0);
    const int x1 = (int)plu_min(plu_max(a[0], b[0]) + reach, picture->width - 1.0);
    const int y1 = (int)plu_min(plu_max(a[1], b[1]) + reach, picture->height - 1.0);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const double off = distance_to(a, b, x + 0.5, y + 0.5);
            const double ink = plu_min(plu_max(width / 2.0 + 0.5 - off, 0.0), 1.0);
            unsigned char *p = &picture->rgb[3 * ((size_t)y * (size_t)picture->width + (size_t)x)];
            for (int k = 0; k < 3; k++)
                p[k] = (unsigned char)(ink * rgb[k] + (1.0 - ink) * p[k] + 0.5);
        }
}

static void letters_place(const char *pair, double x, double y, double unit, double at[2])
{
    at[0] = x + (pair[0] - '0') * unit;
    at[1] = y - (pair[1] - '2') * unit;
}

/* Draws with the foot of the first letter's left edge at (x, y), in the color `rgb` (encoded).
 * Characters without a shape are drawn as blanks. */
static void letters_draw(plu_picture *picture, double x, double y, double size, const char *text,
                         const unsigned char rgb[3])
{
    const double unit = size / cap, pen = plu_max(0.135 * size, 1.0);
    for (const char *c = text; *c; c++) {
        const unsigned char code = (unsigned char)*c;
        for (const char *s = code < 128 && strokes[code] ? strokes[code] : ""; s[0] && s[1];) {
            double a[2], b[2];
            letters_place(s, x, y, unit, a);
            s += 2;
            if (*s == ' ' || !*s) {
                s += *s == ' ';
                continue;
            }
            letters_place(s, x, y, unit, b);
            line_draw(picture, a, b, pen, rgb);
        }
        x += letter_width(*c) * unit;
    }
}

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
        longest = plu_max(longest, letters_width(legend->kinds[i], 1.0) + 3.0);
    char text[128];
    title_of(legend, text, sizeof text);
    longest = plu_max(longest, letters_width(text, 1.0));
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
    const double over = x + letters_width(text, size) + size - picture->width;
    letters_draw(picture, x - plu_max(over, 0.0), y, size, text, ink);
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
        line_draw(picture, (double[]){x1, y}, (double[]){x1 + 0.5 * size, y}, 0.12 * size, ink);
        letters_draw(picture, x1 + 0.9 * size, y + size / 2.0, size, text, ink);
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
        letters_draw(picture, left + 2.4 * size, y + 1.3 * size, size, legend->kinds[i], ink);
    }
}

/* The next words of the foot, on a line above where they do not fit beside those before. */
static void foot_add(plu_picture *picture, double size, double at[2], const char *text)
{
    const double width = letters_width(text, size), margin = 1.5 * size;
    if (at[0] > margin && at[0] + width > picture->width - size) {
        at[0] = margin;
        at[1] -= 2.0 * size;
    }
    letters_draw(picture, at[0], at[1], size, text, ink);
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

/* --- colors --- */

/* From lightness, chroma and hue (radians) of Oklab (B. Ottosson, 2020), in which equal steps look
 * equally far apart. */
static void from_oklch(double lightness, double chroma, double hue, float rgb[3])
{
    const double a = chroma * cos(hue), b = chroma * sin(hue);
    const double root[3] = {lightness + 0.3963377774 * a + 0.2158037573 * b,
                            lightness - 0.1055613458 * a - 0.0638541728 * b,
                            lightness - 0.0894841775 * a - 1.2914855480 * b};
    const double l = root[0] * root[0] * root[0], m = root[1] * root[1] * root[1],
                 s = root[2] * root[2] * root[2];
    const double light[3] = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                             -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                             -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)plu_min(plu_max(light[k], 0.0), 1.0);
}

void plu_color_map(double t, float rgb[3])
{
    const double degree = acos(-1.0) / 180.0;
    t = t > 0.0 ? plu_min(t, 1.0) : 0.0;
    /* The chroma stays within what a screen can show, which is least in the middle of the map. */
    const double hue = 300.0 - 195.0 * t, middle = t - 0.47;
    const double chroma = 0.102 + 0.28 * middle * middle;
    from_oklch(0.34 + 0.56 * t, chroma, hue * degree, rgb);
}

/* M. Okabe and K. Ito, "Color universal design" (2008); their black is a gray here. */
static const unsigned char kind_colors[8][3] = {
    {0, 114, 178},   {230, 159, 0},  {0, 158, 115},  {213, 94, 0},
    {204, 121, 167}, {86, 180, 233}, {240, 228, 66}, {110, 110, 110},
};

void plu_color_kind(int kind, float rgb[3])
{
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)plu_color_decode(kind_colors[kind & 7][k]);
}

unsigned char plu_color_encode(double light)
{
    const double x = plu_min(plu_max(light, 0.0), 1.0);
    const double code = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (unsigned char)(255.0 * code + 0.5);
}

double plu_color_decode(unsigned char code)
{
    const double x = code / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}
