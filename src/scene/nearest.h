/* nearest.h: the word that somebody may have meant. */
#ifndef SCENE_NEAREST_H
#define SCENE_NEAREST_H

#include "scene/keys.h"
#include <stddef.h>

/* Number of letters to insert, delete, replace or swap with a neighbor to make `a` into `b`
 * (optimal string alignment); words longer than 63 letters are cut there. */
int plu_word_distance(const char *a, const char *b);

/* Whether `known` is near enough to `word` to be offered instead of it. */
int plu_word_near(const char *word, const char *known);

/* What there is instead of a key of other programs, as a sentence (nearest.c); NULL: no such key.
 */
const char *plu_key_tried(const plu_key *group, const char *name);
/* The same for a word that help is asked for, in large or small letters. */
const char *plu_word_tried(const char *word);

/* Says after an unknown key what `group` may hold: "; did you mean "friction"?", what there is
 * instead, where the key belongs, or all keys of the group. Written into `text`, which is returned.
 */
const char *plu_key_hint(const plu_key *group, const char *name, char *text, size_t size);

/* "gravity, contacts, boundaries": the keys of a group (plu_keys: of the scene) that a stage can
 * change, written into `text`, which is returned. */
const char *plu_keys_staged(const plu_key *group, char *text, size_t size);

#endif
