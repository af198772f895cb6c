/* The files that an export writes, and the numbers in them.
 *
 * Numbers are written with nine digits without trailing zeros, as printf's %.9g but faster: the
 * number is scaled to nine digits before the point, which are an integer, and the point is set:
 *
 *   x = 0.0123456789   power = -2   digits = lround(x 10^(8 + 2)) = 123456789
 *   text: '0.' + '0' + "123456789"
 *
 * Beyond 1e-4 to 1e8 printf itself writes, with an exponent. Coordinates get more digits where the
 * origin is far away (digits_of_places), else the grains of a map's coordinates would overlap. */
#include "cli/export/export.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

plu_output_rule plu_export_rule(const plu_export *export, plu_output_kind kind)
{
    return (plu_output_rule){.kind = kind,
                             .force = export->force,
                             .inputs = export->inputs,
                             .inputs_count = sizeof export->inputs / sizeof *export->inputs};
}

plu_status plu_export_frame(const plu_export *export, long k, plu_frame_data *frame, plu_error *err)
{
    const plu_status status = plu_frames_read(export->frames, k, frame, err);
    return status == PLU_OK ? plu_grains_complete(export->columns_of_grains, frame, err) : status;
}

/* Begins the output, calls `write`, and ends it: the file has its name only once it is complete. */
plu_status plu_export_stream(const plu_export *export, const char *path, plu_output_kind kind,
                             plu_export_writer *write, const void *user, plu_error *err)
{
    plu_output output;
    const plu_output_rule rule = plu_export_rule(export, kind);
    plu_status status = plu_output_begin(&output, path, &rule, err);
    FILE *out = status == PLU_OK ? plu_output_stream(&output, err) : NULL;
    if (status == PLU_OK)
        status = out ? write(export, out, user, err) : PLU_IO;
    return plu_output_end(&output, status, err);
}

static int digits_of_places(double far, double radius);

int plu_export_digits(const plu_frame_data *frame)
{
    double far = 0.0, radius = HUGE_VAL;
    for (int b = 0; b < frame->bodies; b++)
        if (frame->state[b] == PLU_ACTIVE) {
            radius = fmin(radius, frame->radius[b]);
            for (int i = 0; i < 3; i++)
                far = fmax(far, fabs(frame->position[b][i]));
        }
    return digits_of_places(far, radius);
}

/* --- numbers as text --- */

enum { DIGITS = 9 };

char *plu_digits_whole(char *to, long x)
{
    char text[24];
    int n = 0;
    /* In unsigned arithmetic, since the smallest long has no positive counterpart. */
    unsigned long left = x < 0 ? 0ul - (unsigned long)x : (unsigned long)x;
    do
        text[n++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (x < 0)
        *to++ = '-';
    while (n > 0)
        *to++ = text[--n];
    return to;
}

/* |x| as nine digits and the power of ten of the first; x is normal and of moderate size. */
static long digits_split(double x, int *power)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int p = (int)floor(log10(x));
    for (;;) {
        const int shift = DIGITS - 1 - p;
        const double scaled = shift >= 0 ? x * tens[shift] : x / tens[-shift];
        const long digits = lround(scaled);
        if (digits >= 100000000 && digits < 1000000000) {
            *power = p;
            return digits;
        }
        p += digits < 100000000 ? -1 : 1; /* log10 was off by one, or nines were rounded up */
    }
}

char *plu_digits_real(char *to, double x)
{
    const double size = fabs(x);
    /* An empty cell: readers of tables take it for a missing number. */
    if (!isfinite(x))
        return to;
    /* Also -0, whose sign means nothing to readers of tables. */
    if (size == 0.0) {
        *to++ = '0';
        return to;
    }
    if (size < 1e-4 || size >= 1e8) /* printf writes these with an exponent, or without a point */
        return to + snprintf(to, PLU_DIGITS_ROOM, "%.9g", x);
    int power;
    long digits = digits_split(size, &power);
    char text[DIGITS];
    for (int i = DIGITS - 1; i >= 0; i--, digits /= 10)
        text[i] = (char)('0' + digits % 10);
    int last = DIGITS - 1;
    while (last > 0 && text[last] == '0')
        last--;
    if (x < 0.0)
        *to++ = '-';
    if (power < 0) {
        memcpy(to, "0.000", 5);
        to += 1 - power;
    }
    for (int i = 0; i <= last || i <= power; i++) {
        if (power >= 0 && i == power + 1)
            *to++ = '.';
        *to++ = text[i];
    }
    return to;
}

char *plu_digits_long(char *to, double x, int digits)
{
    if (digits <= DIGITS || !isfinite(x))
        return plu_digits_real(to, x);
    return to + snprintf(to, PLU_DIGITS_ROOM, "%.*g", digits, x);
}

/* How many digits coordinates up to `far` (m) need to be right to a millionth of a radius: nine up
 * to a thousand radii from the origin, more in the coordinates of a map. */
static int digits_of_places(double far, double radius)
{
    const double more = ceil(log10(far / (1e3 * radius)));
    return more > 0.0 ? (int)fmin(DIGITS + more, 17.0) : DIGITS; /* NAN: nine */
}
