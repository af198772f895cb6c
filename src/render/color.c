#include "render/color.h"
#include "base/vec3.h"

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
static const unsigned char kinds[8][3] = {
    {0, 114, 178},   {230, 159, 0},  {0, 158, 115},  {213, 94, 0},
    {204, 121, 167}, {86, 180, 233}, {240, 228, 66}, {110, 110, 110},
};

void plu_color_kind(int kind, float rgb[3])
{
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)plu_color_decode(kinds[kind & 7][k]);
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
