/* draft.h: a scene that a program writes by calls instead of text.
 *
 * A draft takes values by the keys of scenes (scenes/reference.md), each checked as it comes, and
 * then becomes a scene: the same, bit for bit, as that of the text which plu_draft_text writes. In
 * a key an entry of a list stands as [0], [1], ...; the one that follows the last is made, and so
 * is [+]; [-1] is the last one:
 *
 *     plu_draft_set_text(draft, "materials[+].name", "glass");
 *     plu_draft_set_real(draft, "materials[-1].density", 2500.0);
 *     plu_draft_set(draft, "boundaries[+].plane", "{}");
 *
 * A key that is set again takes the new value. A call reports an error at once by its status
 * (PLU_BAD_INPUT: unknown key, or invalid value; PLU_IO: no memory), and plu_draft_scene reports
 * it in words, so the single calls need not be checked. */
#ifndef PLUVIA_DRAFT_H
#define PLUVIA_DRAFT_H

#include "pluvia/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

struct plu_scene;      /* pluvia/scene.h */
struct plu_extensions; /* pluvia/extension.h */
typedef struct plu_draft plu_draft;

/* An empty draft. PLU_OK or PLU_IO. */
plu_status plu_draft_create(plu_draft **draft, plu_error *err);
void plu_draft_destroy(plu_draft *draft); /* accepts NULL */

/* Any value, written as in a scene or behind `pluvia run -s KEY=`: "[[0, 0, 0], [1, 1, 1]]", "{}",
 * "true". */
plu_status plu_draft_set(plu_draft *draft, const char *key, const char *value);

plu_status plu_draft_set_real(plu_draft *draft, const char *key, double value);
plu_status plu_draft_set_reals(plu_draft *draft, const char *key, int count, const double *values);
plu_status plu_draft_set_integer(plu_draft *draft, const char *key, long long value);
plu_status plu_draft_set_integers(plu_draft *draft, const char *key, int count, const int *values);
plu_status plu_draft_set_bool(plu_draft *draft, const char *key, bool value);
plu_status plu_draft_set_text(plu_draft *draft, const char *key, const char *value);

/* The draft as the text of a scene file; the caller frees `*text`. PLU_OK or PLU_IO. */
plu_status plu_draft_text(const plu_draft *draft, char **text, plu_error *err);

/* Makes the scene, as plu_scene_read_text_with does of that text; messages call it `name`, with the
 * line of the text, and list first the errors of calls. `extensions` may be NULL. The draft
 * is not changed. */
plu_status plu_draft_scene(const plu_draft *draft, struct plu_scene *scene,
                           const struct plu_extensions *extensions, const char *name,
                           plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
