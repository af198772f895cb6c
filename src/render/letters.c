#include "render/letters.h"
#include "base/vec3.h"

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

double plu_letters_width(const char *text, double size)
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

void plu_line_draw(plu_picture *picture, const double a[2], const double b[2], double width,
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

void plu_letters_draw(plu_picture *picture, double x, double y, double size, const char *text,
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
            plu_line_draw(picture, a, b, pen, rgb);
        }
        x += letter_width(*c) * unit;
    }
}
