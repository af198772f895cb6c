/* json.h: one JSON object on the standard output, member by member. Texts are UTF-8; bytes that are
 * none (a file may have any name) become U+FFFD, since JSON cannot hold them. */
#ifndef CLI_BASE_JSON_H
#define CLI_BASE_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* The name of a member; the first one of an object has no comma before it. */
void plu_json_key(const char *name, bool first);
void plu_json_string(const char *text);
void plu_json_write_string(FILE *out, const char *text); /* the same to another stream */
/* Members that are not the first one. */
void plu_json_text(const char *name, const char *text);
void plu_json_integer(const char *name, long long value);
void plu_json_bool(const char *name, bool value);
/* JSON has no NaN and no infinity: null. */
void plu_json_real(const char *name, double value, bool first);

#endif
