/* cohesion.h: pairs that attract each other (contacts.cohesion, contacts.cohesion_range).
 *
 * A pair may be pulled with F_c: r_N >= -c, c = h F_c, and friction acts on r_N + c. With
 * p^ = p + c e_N that is the law of a pair without cohesion, and y = W p^ + (q - W c e_N): the
 * velocities before contact have the attraction in them, and nothing else is new (Radjai & Richefeu
 * 2009, Mechanics of Materials 41, for contact dynamics). Impulses of the list and of the problem
 * are p^; output has p, r_N = p^_N - c. */
#ifndef ASSEMBLE_COHESION_H
#define ASSEMBLE_COHESION_H

#include "detect/detect.h"

/* c of contact `at` of the list (N s), of which its contacts and their number are read: 0 for pairs
 * that do not attract each other, and for those that are further apart than their range. Contacts
 * with parts of one wall share theirs (wall_share.h). */
double plu_attraction(const plu_world *world, const plu_contacts *list, int at);

/* Whether a pair without landings comes so near in the step that it is a contact for that. */
bool plu_closes(const plu_world *world, const plu_contact *c, const plu_pair_law *law);

/* Adds what attraction does to the bodies of live contacts that are awake to their rows of v_free,
 * which v gets too, in the order of the list; *attracted is it alone (m/s, by body). */
void plu_attract(const plu_world *world, const plu_contacts *contacts, double (*v_free)[8],
                 double (*v)[8], double (*attracted)[3]);

/* Work of the attraction of all live contacts in a step (J): - 1/2 c (u_N,k+1 + u_N,k), from the
 * rows before and after it. */
double plu_attraction_work(const plu_world *world, const plu_contacts *contacts,
                           double (*before)[8], double (*after)[8]);

#endif
