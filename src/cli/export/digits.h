/* digits.h: formats numbers ten times faster than printf, for files with millions of them. */
#ifndef CLI_EXPORT_DIGITS_H
#define CLI_EXPORT_DIGITS_H

enum { PLU_DIGITS_ROOM = 32 }; /* bytes that a number may need */

/* Writes `x` with at most nine significant digits (like "%.9g", except for ties in the last digit),
 * without NUL, and returns the end. Infinities and NaN are written as nothing. */
char *plu_digits_real(char *to, double x);
char *plu_digits_whole(char *to, long x);

/* The same with `digits` of them, from 9 to 17; slower from 10 on. */
char *plu_digits_long(char *to, double x, int digits);

/* How many digits coordinates up to `far` (m) need to be right to a millionth of a radius: nine up
 * to a thousand radii from the origin, more in the coordinates of a map. */
int plu_digits_of_places(double far, double radius);

#endif
