/* shortest.h: numbers as text that is read as the same number. */
#ifndef BASE_SHORTEST_H
#define BASE_SHORTEST_H

enum { PLU_SHORTEST = 32 }; /* bytes of such a text */

/* Writes `value` with as few digits as that takes, at least 15. */
void plu_shortest(char text[PLU_SHORTEST], double value);

#endif
