/* keys.h: what the command asks of scenes: the table of their keys, and their files. */
#ifndef PLUVIA_TOOL_KEYS_H
#define PLUVIA_TOOL_KEYS_H

/* Of the tool: neither installed nor exported by the shared library. */

#include "pluvia/status.h"
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the table of keys says of one key ("time.step", "boundaries.plate.size") or, for a group, of
 * all its keys. PLU_USAGE and the nearest known key in `err` when there is none. */
plu_status plu_scene_help(const char *key, FILE *out, plu_error *err);

/* The whole table as a Markdown reference (scenes/reference.md holds it; a test compares them). */
void plu_scene_reference(FILE *out);

/* Whether a file looks like a scene, a campaign or a part of one: a line in its first 256 KiB is an
 * include, or gives one of their keys a text, a list or a group. False where it cannot be read. */
bool plu_scene_looks_like_one(const char *path);

struct plu_scene; /* pluvia/scene.h */

/* The files that a scene reads: itself, its includes, tables of spheres and of motions, meshes,
 * trajectories. `k` from 0 on; NULL: there are no more. Borrowed. */
const char *plu_scene_input(const struct plu_scene *scene, int k);

#ifdef __cplusplus
}
#endif

#endif
