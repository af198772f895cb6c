#include "assemble/terms.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, PARTS = 8, NO_KIND = KINDS };

/* One side of a pair. */
typedef struct end {
    double radius, inverse_mass, inverse_inertia;
    int material;
} end;

struct plu_terms {
    const plu_world *world;
    int kinds; /* of bodies; 0: nothing is shared */
    end kind[KINDS];
    unsigned char *kind_of; /* by body */
    plu_pair_terms *shared; /* by the sides of a, then of b: side_of */
};

static end end_of_body(const plu_world *w, int body)
{
    const double *row = w->velocity[body];
    const bool fixed = w->quiet[body] == PLU_PINNED;
    return (end){w->position[body][3], fixed ? 0.0 : row[6], fixed ? 0.0 : row[7],
                 w->species[body]};
}

static end end_of_part(int material)
{
    return (end){0.0, 0.0, 0.0, material};
}

/* The sphere block: W_NN = 1/ma + 1/mb, W_TT = W_NN + ra^2/Ia + rb^2/Ib, W_RR = 1/Ia + 1/Ib,
 * W_TR = (ra/Ia - rb/Ib) J; the contact's length is the smaller radius. */
static void set_lane(const plu_world *w, plu_pair_terms *t, int k, const end *a, const end *b)
{
    const plu_pair_law *law = plu_world_law(w, a->material, b->material);
    t->arm_a[k] = a->radius;
    t->arm_b[k] = b->radius;
    t->wn[k] = a->inverse_mass + b->inverse_mass;
    t->wt[k] = t->wn[k] + a->radius * a->radius * a->inverse_inertia +
               b->radius * b->radius * b->inverse_inertia;
    t->wr[k] = a->inverse_inertia + b->inverse_inertia;
    t->wc[k] = a->radius * a->inverse_inertia - b->radius * b->inverse_inertia;
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / (a->radius > 0.0 ? plu_min(a->radius, b->radius) : b->radius);
    t->mu[k] = law->friction;
    t->mu_r[k] = law->rolling_friction;
}

/* Sides of a pair: each kind of body as it is and pinned, and as `a` the materials of the parts. */
static int sides_of_a(const plu_terms *t)
{
    return 2 * t->kinds + t->world->materials;
}

static int side_of_body(const plu_terms *t, int body)
{
    return 2 * t->kind_of[body] + (t->world->quiet[body] == PLU_PINNED);
}

static end end_of_side(const plu_terms *t, int side)
{
    if (side >= 2 * t->kinds)
        return end_of_part(side - 2 * t->kinds);
    end e = t->kind[side / 2];
    if (side % 2)
        e.inverse_mass = e.inverse_inertia = 0.0;
    return e;
}

static bool alike(const end *x, const end *y)
{
    return x->radius == y->radius && x->inverse_mass == y->inverse_mass &&
           x->inverse_inertia == y->inverse_inertia && x->material == y->material;
}

/* False where there are too many kinds. */
static bool find_kinds(plu_terms *t)
{
    const plu_world *w = t->world;
    for (int i = 0; i < w->count; i++) {
        const end e = {w->position[i][3], w->velocity[i][6], w->velocity[i][7], w->species[i]};
        int kind = 0;
        while (kind < t->kinds && !alike(&e, &t->kind[kind]))
            kind++;
        if (kind == KINDS)
            return false;
        if (kind == t->kinds)
            t->kind[t->kinds++] = e;
        t->kind_of[i] = (unsigned char)kind;
    }
    return true;
}

static void fill_shared(plu_terms *t)
{
    for (int i = 0; i < sides_of_a(t); i++)
        for (int j = 0; j < 2 * t->kinds; j++) {
            const end a = end_of_side(t, i), b = end_of_side(t, j);
            for (int k = 0; k < PLU_LANES; k++)
                set_lane(t->world, &t->shared[i * 2 * t->kinds + j], k, &a, &b);
        }
}

plu_terms *plu_terms_create(const plu_world *world, bool share, plu_error *err)
{
    plu_terms *t = plu_alloc(1, sizeof *t, err);
    if (!t)
        return NULL;
    t->world = world;
    t->kind_of = plu_alloc((size_t)world->count, 1, err);
    if (t->kind_of && share && world->materials <= PARTS && find_kinds(t)) {
        t->shared = plu_alloc((size_t)sides_of_a(t) * 2 * (size_t)t->kinds, sizeof *t->shared, err);
        if (t->shared)
            fill_shared(t);
    } else {
        t->kinds = 0;
    }
    if (!t->kind_of || (t->kinds > 0 && !t->shared)) {
        plu_terms_destroy(t);
        return NULL;
    }
    return t;
}

void plu_terms_destroy(plu_terms *t)
{
    if (!t)
        return;
    free(t->kind_of);
    free(t->shared);
    free(t);
}

/* The number of the shared terms of a contact. */
static int number_of(const plu_terms *t, const plu_contact *c)
{
    const int a =
        c->a >= 0 ? side_of_body(t, c->a) : 2 * t->kinds + t->world->parts[-1 - c->a].material;
    return a * 2 * t->kinds + side_of_body(t, c->b);
}

/* The number that all have; -1: they differ. */
static int common_number(const plu_terms *t, const plu_contact *const contact[PLU_LANES])
{
    int common = -1;
    for (int k = 0; k < PLU_LANES; k++) {
        if (!contact[k])
            continue;
        const int number = number_of(t, contact[k]);
        if (common >= 0 && number != common)
            return -1;
        common = number;
    }
    return common;
}

plu_pair_terms *plu_terms_of(const plu_terms *t, const plu_contact *const contact[PLU_LANES],
                             plu_pair_terms *own)
{
    const plu_world *w = t->world;
    const int common = t->kinds > 0 ? common_number(t, contact) : -1;
    if (common >= 0)
        return &t->shared[common];
    for (int k = 0; k < PLU_LANES; k++) {
        if (!contact[k]) {
            plu_terms_clear(own, k);
            continue;
        }
        const int a = contact[k]->a;
        const end ea = a >= 0 ? end_of_body(w, a) : end_of_part(w->parts[-1 - a].material);
        const end eb = end_of_body(w, contact[k]->b);
        set_lane(w, own, k, &ea, &eb);
    }
    return own;
}
