/* text.h: what the command says: messages on stderr, words, numbers, JSON. */
#ifndef CLI_BASE_TEXT_H
#define CLI_BASE_TEXT_H

#include "pluvia/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
    size_t size;  /* letters of it: of two that begin with the word the shorter is nearer */
} plu_nearest;

plu_nearest plu_nearest_start(const char *word);
void plu_nearest_try(plu_nearest *nearest, const char *known);

/* The same of a word that does not last: where it is the best so far, it is copied to `kept`, the
 * same buffer in all calls, which `best` then points to. */
void plu_nearest_try_brief(plu_nearest *nearest, const char *known, char *kept, size_t size);

/* Each writes into `buffer` and returns it. */
const char *plu_text_bytes(double bytes, char *buffer, size_t size);      /* "36 MB" */
const char *plu_text_duration(double seconds, char *buffer, size_t size); /* "0:07", "1:02:03" */

/* One JSON object on the standard output, member by member. Texts are UTF-8; bytes that are none (a
 * file may have any name) become U+FFFD, since JSON cannot hold them. */

/* The name of a member; the first one of an object has no comma before it. */
void plu_json_key(const char *name, bool first);
void plu_json_string(const char *text);
void plu_json_write_string(FILE *out, const char *text); /* as plu_json_string, to another stream */
/* Members that are not the first one. */
void plu_json_text(const char *name, const char *text);
void plu_json_integer(const char *name, long long value);
void plu_json_bool(const char *name, bool value);
/* JSON has no NaN and no infinity: null. */
void plu_json_real(const char *name, double value, bool first);

#endif
