/* stack.h: spheres on a floor that gravity has begun to move: contact problems whose answer is
 * known. In a stack each stands on the one before; in a row all stand on the floor, and touch the
 * next one at their sides without pressing it, which makes one island of them. */
#ifndef SUPPORT_STACK_H
#define SUPPORT_STACK_H

#include "blocks/errors.h"
#include "near.h"
#include "problem/contact_problem.h"
#include "solve/solve.h"
#include <stdlib.h>

#ifndef STACK_MOST /* spheres */
#define STACK_MOST 8
#endif
enum { MOST = STACK_MOST };
static const double fall = 9.81e-3, radius = 0.01;
static const double pull[3] = {0.0, 0.0, -9.81e-3};

typedef struct stack {
    plu_layout *layout;
    plu_problem problem;
    plu_solve_settings settings;
    double mass[MOST], v_free[MOST + 1][8], v[MOST + 1][8];
    plu_contact_pair pairs[2 * MOST];
} stack;

/* Contact c of a row is that of sphere c and the floor, contact `count` + c its contact with the
 * next.
 */
static void set_contact(stack *s, int contact, bool across)
{
    const int slot = s->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    plu_block *c = plu_block_of(&s->problem, slot);
    const int a = s->pairs[contact].a, b = s->pairs[contact].b;
    const double ma = s->v_free[a][6], ia = s->v_free[a][7];
    plu_pair_constants *t = c->pair;
    c->normal[across ? 0 : 2][k] = 1.0;
    c->a[k] = a;
    c->b[k] = b;
    t->arm_a[k] = a < s->problem.moving ? radius : 0.0;
    t->arm_b[k] = radius;
    t->wn[k] = ma + s->v_free[b][6];
    t->wr[k] = ia + s->v_free[b][7];
    t->wt[k] = t->wn[k] + radius * radius * t->wr[k];
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / radius;
    t->mu[k] = 0.3;
}

/* All fall by g h in the step. The contacts from `count` on are those across. */
static stack *open_pairs(stack *s, int count, const double *mass, int contacts)
{
    plu_error err = {0};
    for (int i = 0; i < count; i++) {
        s->mass[i] = mass[i];
        s->v_free[i][2] = -fall;
        s->v_free[i][6] = 1.0 / mass[i];
        s->v_free[i][7] = 2.5 / (mass[i] * radius * radius);
    }
    s->settings =
        (plu_solve_settings){.velocity = true, .tolerance = 0.1, .pull = {0.0, 0.0, -fall}};
    s->layout = plu_layout_create(&err);
    s->problem.v = s->v;
    s->problem.moving = count;
    s->problem.given = 1;
    s->problem.v_free = s->v_free;
    assert_int_equal(plu_layout_make(s->layout, &s->problem, contacts, s->pairs, NULL, true, &err),
                     PLU_OK);
    plu_problem_clear(&s->problem);
    for (int c = 0; c < contacts; c++)
        set_contact(s, c, c >= count);
    return s;
}

/* Sphere i stands on sphere i - 1, the first on the floor. */
static inline stack *open_stack(int count, const double *mass)
{
    stack *s = calloc(1, sizeof *s);
    for (int i = 0; i < count; i++)
        s->pairs[i] = (plu_contact_pair){i > 0 ? i - 1 : count, i};
    return open_pairs(s, count, mass, count);
}

/* Sphere i stands on the floor and touches sphere i + 1. */
static inline stack *open_row(int count, const double *mass)
{
    stack *s = calloc(1, sizeof *s);
    for (int i = 0; i < count; i++) {
        s->pairs[i] = (plu_contact_pair){count, i};
        s->pairs[count + i] = (plu_contact_pair){i, i + 1};
    }
    return open_pairs(s, count, mass, 2 * count - 1);
}

/* The normal impulse of a contact. */
static inline double *normal_of(stack *s, int contact)
{
    const int slot = s->problem.slot_of_contact[contact];
    return &plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES];
}

/* Contact c of a stack bears `share` of what stands on it. */
static inline plu_errors errors_at(stack *s, double share)
{
    double weight = 0.0;
    for (int c = s->problem.contacts - 1; c >= 0; c--) {
        weight += s->mass[c] * fall;
        *normal_of(s, c) = share * weight;
    }
    plu_problem_apply(&s->problem, &s->problem.islands[0]);
    return plu_problem_errors(&s->problem, &s->problem.islands[0], pull, false);
}

/* Impulses of a solver whose errors, of normal impulses that bear something, are those of the guess
 * times `times`; the caller frees them. */
static inline double *erring(const plu_contact_problem *p, double times)
{
    double *new = calloc((size_t)(p->contacts * p->rows), sizeof *new);
    for (int c = 0; c < p->contacts; c++) {
        const double old = p->guess[c * p->rows];
        new[c * p->rows] = old > 0.0 ? fall + times *(old - fall) : 0.0;
    }
    return new;
}

static void close_stack(stack *s)
{
    plu_layout_destroy(s->layout);
    free(s);
}

#endif
