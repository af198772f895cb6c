/* A general contact problem of some contacts of a step, while the others keep their impulses. With
 * the chosen contacts c and the others o,
 *
 *     v_c = v - M^-1 H_c p_c = v_free + M^-1 H_o p_o        what the bodies would have without them
 *     y_c = W_cc p_c + H_c^T v_c + w                        the problem: v_c stands for v_free
 *
 * so that only bodies of chosen contacts have rows, however large the island is.
 *
 *   island   o--o--[o--o--o]--o--o     chosen contacts, those that sweeps do not solve: a small
 * problem for a general method, whose impulses go back to their slots */
#include "base/memory.h"
#include "problem/spheres.h"
#include <stdlib.h>
#include <string.h>

/* Fills the bodies of a problem of slots: their velocities without the impulses of these slots.
 * `number`: by moving row, the place of its body; -1: none. */
static void fill_bodies_without(plu_contact_problem *p, const plu_problem *step, const int *slots,
                                const int *number, double (*rows)[8])
{
    for (int row = 0; row < step->moving; row++)
        if (number[row] >= 0)
            memcpy(rows[number[row]], step->v[row], sizeof *rows);
    for (int c = 0; c < p->contacts; c++) {
        const plu_block *b = plu_block_of(step, slots[c]);
        const int k = slots[c] % PLU_LANES;
        double away[7], still[8] = {0.0}; /* without masses, so that nothing is added */
        for (int i = 0; i < 7; i++)
            away[i] = -b->p[i][k];
        const int *pair = p->body.pairs[c];
        plu_slot_apply(b, k, away, pair[0] >= 0 ? rows[pair[0]] : still,
                       pair[1] >= 0 ? rows[pair[1]] : still);
    }
    for (int k = 0; k < p->body.bodies; k++)
        plu_fill_body(&p->body, k, rows[k]);
}

static void fill_slots(plu_contact_problem *p, const plu_problem *step, const int *slots,
                       const int *number, double (*rows)[8])
{
    for (int c = 0; c < p->contacts; c++) {
        const plu_contact_pair pair = step->pair_of_slot[slots[c]];
        const bool given = plu_is_given(step, pair.a);
        p->body.pairs[c][0] = given ? -1 : number[pair.a];
        p->body.pairs[c][1] = number[pair.b];
    }
    fill_bodies_without(p, step, slots, number, rows);
    for (int c = 0; c < p->contacts; c++) {
        const int a = step->pair_of_slot[slots[c]].a;
        const bool moves = a > plu_still_row(step); /* given rows come last */
        plu_fill_contact(p, c, plu_block_of(step, slots[c]), slots[c] % PLU_LANES, NULL,
                         moves ? step->v_free[a] : NULL);
    }
}

/* Numbers the bodies of the slots that have a mass in the order of their rows; returns how many
 * there are. */
static int number_bodies(const plu_problem *step, const int *slots, int count, int *number)
{
    for (int row = 0; row < step->moving; row++)
        number[row] = -1;
    for (int i = 0; i < count; i++) {
        const plu_contact_pair pair = step->pair_of_slot[slots[i]];
        number[pair.b] = 0;
        if (!plu_is_given(step, pair.a))
            number[pair.a] = 0;
    }
    int bodies = 0;
    for (int row = 0; row < step->moving; row++)
        if (number[row] == 0)
            number[row] = step->v_free[row][6] > 0.0 ? bodies++ : -1;
    return bodies;
}

plu_status plu_contact_problem_of_slots(plu_contact_problem **problem, const plu_problem *step,
                                        const int *slots, int count, plu_error *err)
{
    *problem = NULL;
    int *number = plu_alloc((size_t)step->moving, sizeof *number, err);
    if (!number)
        return PLU_IO;
    const int bodies = number_bodies(step, slots, count, number);
    int rows = 3;
    for (int i = 0; i < count; i++) {
        const int own = plu_rows_of_slot(step, slots[i]);
        rows = own > rows ? own : rows;
    }
    double(*velocity)[8] = plu_alloc((size_t)bodies, sizeof *velocity, err);
    plu_status status =
        velocity ? plu_contact_problem_create(problem, rows, count, 0, bodies, err) : PLU_IO;
    if (status == PLU_OK) {
        (*problem)->symmetric = (*problem)->has_guess = true;
        (*problem)->freedom = 6 * bodies;
        fill_slots(*problem, step, slots, number, velocity);
        status = plu_contact_problem_assemble(*problem, err);
    }
    free(velocity);
    free(number);
    if (status != PLU_OK) {
        plu_contact_problem_destroy(*problem);
        *problem = NULL;
    }
    return status;
}

void plu_contact_problem_return_slots(const plu_contact_problem *problem, const double *p,
                                      plu_problem *step, const int *slots)
{
    for (int c = 0; c < problem->contacts; c++)
        plu_return_contact(problem, c, plu_contact_of(problem, p, c), step, slots[c]);
}
