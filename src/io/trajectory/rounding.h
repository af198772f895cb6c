/* rounding.h: numbers of bodies rounded to a stated precision, so that they compress better.
 *
 * A number becomes the nearest multiple of a power of two: its error is at most half of that, and
 * the low bits, which are noise, become zeros. */
#ifndef IO_TRAJECTORY_ROUNDING_H
#define IO_TRAJECTORY_ROUNDING_H

/* Rounds `count` rows of `components` numbers. The error of each is at most `error` > 0; with
 * `position`, rows of x, y, z and radius of the same bodies, at most error / radius. */
void plu_round_rows(double *rows, int count, int components, double error,
                    const double (*position)[4]);

#endif
