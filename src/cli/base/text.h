/* text.h: what the command says to people: messages on stderr, words, numbers. */
#ifndef CLI_BASE_TEXT_H
#define CLI_BASE_TEXT_H

#include "pluvia/status.h"
#include <stddef.h>

/* --- what the command says on stderr; every line begins with "pluvia: " --- */

void plu_message(const char *format, ...) PLU_PRINTF(1, 2);

/* Each message of `err` on its own line. */
void plu_message_error(const plu_error *err);

/* --- words and numbers for people --- */

/* Finds the known word that a misspelt one was meant to be: start, try each known word, read `best`
 * (NULL: none is near). */
typedef struct plu_nearest {
    const char *word, *best;
    int distance; /* letters to change, of `best` */
} plu_nearest;

plu_nearest plu_nearest_start(const char *word);
void plu_nearest_try(plu_nearest *nearest, const char *known);

/* Each writes into `buffer` and returns it. */
const char *plu_text_bytes(double bytes, char *buffer, size_t size);      /* "36 MB" */
const char *plu_text_duration(double seconds, char *buffer, size_t size); /* "0:07", "1:02:03" */

#endif
