/* describe.h: the table of keys in words. */
#ifndef SCENE_DESCRIBE_H
#define SCENE_DESCRIBE_H

#include "pluvia/status.h"
#include "scene/keys.h"
#include <libconfig.h>
#include <stddef.h>
#include <stdio.h>

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

/* --- the word that somebody may have meant --- */

/* Number of letters to insert, delete, replace or swap with a neighbor to make `a` into `b`
 * (optimal string alignment); words longer than 63 letters are cut there. */
int plu_word_distance(const char *a, const char *b);

/* Whether the one is the plural of the other: "sensors", "bodies". Their distance counts as 1. */
int plu_word_is_plural(const char *many, const char *one);

/* Whether `known` is near enough to `word` to be offered instead of it. */
int plu_word_near(const char *word, const char *known);

/* What there is instead of a key of other programs, as a sentence (nearest.c), by a word that help
 * is asked for, in large or small letters; NULL: no such key. */
const char *plu_word_tried(const char *word);

/* Whether campaigns have a key of that name, which scenes have not. */
int plu_word_of_campaigns(const char *name);

/* Says after an unknown key what `group` may hold: "; did you mean "friction"?", what there is
 * instead, where the key belongs, or all keys of the group. Written into `text`, which is returned.
 */
const char *plu_key_hint(const plu_key *group, const char *name, char *text, size_t size);

/* "gravity, contacts, boundaries": the keys of a group (plu_keys: of the scene) that a stage can
 * change, written into `text`, which is returned. */
const char *plu_keys_staged(const plu_key *group, char *text, size_t size);

#endif
