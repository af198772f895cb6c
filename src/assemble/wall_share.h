/* wall_share.h: a wall attracts a sphere once, by however many of its parts it touches.
 *
 * Contacts of a sphere with n parts of a wall (plu_part.wall: triangles of a mesh) share F_c: their
 * pulls add up to F_c. Where to, the load decides, as far as it is known: the part of it that the
 * normals can bear comes first, then all contacts get as much more of what is left. With the pull P
 * of weight and loads from outside, in F_c, and the weights w = 1 - g+ / range, over the largest:
 *
 *   q = argmin |P - sum_i q_i n_i|^2 , 0 <= q_i <= w_i ;     |sum_i (q_i + l w_i) n_i| = 1 , l >= 0
 *   c_i = h F_c min(1, q_i + l w_i) ,
 *
 * so that the sphere holds iff P <= F_c, in each direction between the normals. The weights turn
 * the attraction over from one part to the next where a sphere comes to a fold. One that is fast
 * has it from the facet that it goes along alone. */
#ifndef ASSEMBLE_WALL_SHARE_H
#define ASSEMBLE_WALL_SHARE_H

#include "detect/detect.h"

/* Up to which gap the pair attracts (m); its rounding is that of a contact which is closed. */
static inline double plu_attracts_up_to(const plu_world *w, const plu_contact *c,
                                        const plu_pair_law *law)
{
    return law->cohesion_range + PLU_CLOSED * w->spheres.at[c->b][3];
}

/* The share of F_c that contact `at` of the list has: with a wall, within its range. */
double plu_wall_share(const plu_world *world, const plu_contacts *list, int at);

#endif
