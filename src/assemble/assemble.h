/* assemble.h: from bodies and contacts to the contact problem of the step, and back. */
#ifndef ASSEMBLE_ASSEMBLE_H
#define ASSEMBLE_ASSEMBLE_H

#include "blocks/blocks.h"
#include "detect/detect.h"
#include "world/world.h"

typedef struct plu_assembler plu_assembler;

/* `world` must outlive the assembler. NULL and a message when there is no memory. */
plu_assembler *plu_assembler_create(const plu_world *world, plu_error *err);
void plu_assembler_destroy(plu_assembler *assembler); /* accepts NULL */

/* Fills `problem` for the coming step with the live contacts, in their order; bodies that sleep are
 * fixed bodies in it: v_free = v_k + h M^-1 F of every body (gravity), local
 * Delassus blocks, bias w_N = e min(u_N,k, 0) of Newton's law (AB21 (9)), warm-start impulses,
 * tangential parts projected on the new tangent plane (factor 1, no extrapolation: src/solving.md).
 * Begins the flow of the problem, to be solved once where no body sleeps (flow.h): blocks of
 * islands that are cut are then filled later, contacts and world must be as they were until then.
 * `same_graph`: the live contacts are those of the last call, so islands and colors are kept. The
 * arrays belong to the assembler and live until the next call. Boundaries that move have rows of
 * their own (servo_rows.h), for which the world's rows of bodies have room already
 * (plu_bodies_reserve_given). Bodies that wait, sleep or are gone
 * have rows too; no contact names them. */
plu_status plu_assemble(plu_assembler *assembler, const plu_contacts *contacts, bool same_graph,
                        plu_problem *problem, plu_error *err);

/* Images are where they will be at the end of the step by the space of now, which has changed since
 * the blocks were filled. */
void plu_assembler_follow_cell(const plu_assembler *assembler);

/* By body, once all blocks are filled: what contacts on curved ways do to it (turn.h). */
const struct plu_turn *plu_assembler_turns(const plu_assembler *assembler);

/* Copies the solved impulses of the slots from begin to end, whole blocks, back to the contact
 * list. */
void plu_scatter_impulses(const plu_problem *problem, int begin, int end, plu_contacts *contacts);

/* What tiles and floats are measured with. From the bodies as the scene makes them, so that it is
 * the same in the whole run and after a restart, and for any contacts. */

typedef struct plu_scale {
    double edge; /* of the cells that tiles are made of (m) */
    /* Powers of two near the mass (kg) and the radius of gyration (m) of a body: the mean over all
     * bodies of their logarithms. */
    double mass, length;
} plu_scale;

plu_scale plu_scale_of(const plu_world *world);

#endif
