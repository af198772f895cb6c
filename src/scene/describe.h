/* describe.h: the table of keys in words. */
#ifndef SCENE_DESCRIBE_H
#define SCENE_DESCRIBE_H

#include "pluvia/status.h"
#include "scene/keys.h"
#include <libconfig.h>
#include <stdio.h>

/* Shortest text that reads back as the same double, with a point or an exponent. */
void plu_print_number(FILE *out, double value);

/* A scalar setting as a scene would write it. */
void plu_print_scalar(FILE *out, const config_setting_t *setting);

/* What a key may hold: "a number > 0 (m)"; `brief` leaves the type out: "> 0 (m)". Written into
 * `text`, which is returned. */
const char *plu_key_wanted(const plu_key *key, int brief, char *text, size_t size);

/* What a setting holds, for messages: its value, or "a group", "a list of 2". */
const char *plu_setting_found(const config_setting_t *setting, char *text, size_t size);

/* --- a scene back as text --- */

/* The whole tree in the order of the table, with units as comments; reading it gives the same
 * scene. */
void plu_print_scene(FILE *out, const config_setting_t *root);

#endif
