/* digits.h: formats numbers ten times faster than printf, for files with millions of them. */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

enum { PLU_DIGITS_ROOM = 32 }; /* bytes that a number may need */

/* Writes `x` with at most nine significant digits (like "%.9g", except for ties in the last digit),
 * without NUL, and returns the end. Infinities and NaN are written as nothing. */
char *plu_digits_real(char *to, double x);
char *plu_digits_whole(char *to, long x);

#endif
