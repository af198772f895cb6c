/* The local Delassus block of a pair, W_cc = H^T M^-1 H. For spheres the arms lie along n, a at the
 * center with the arm r_a n, b with -r_b n, and the velocity of b relative to a at the contact is
 *
 *     u = v_b - v_a - (r_a w_a + r_b w_b) x n ,    omega = w_b - w_a
 *
 *       (  a  )--r_a-->|<--r_b--(  b  )            H^T M^-1 H in the directions N, T, R:
 *                      n ->
 *                                                  W_NN = 1/m_a + 1/m_b             (no arm)
 *                                                  W_TT = W_NN + r_a^2/I_a + r_b^2/I_b
 *                                                  W_RR = 1/I_a + 1/I_b
 *                                                  W_TR = (r_a/I_a - r_b/I_b) J     J x = -n x x
 *
 * which is isotropic in the tangent plane, so that four numbers are the block and no tangents are
 * needed. It depends on the two kinds of bodies alone: where a scene has few kinds, pairs of alike
 * bodies share their constants, and a block whose contacts all have the same pair points to them.
 */
#include "assemble/pair_constants.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, MATERIALS = 8 };

/* What a body is for others: of mass, or pinned (PLU_PINNED) or fixed. */
enum { FREE, PINNED, STATES };

/* One side of a pair. */
typedef struct end {
    double radius, inverse_mass, inverse_inertia;
    int material;
} end;

struct plu_constants {
    const plu_world *world;
    int kinds; /* of spheres; 0: nothing is shared */
    end kind[KINDS];
    unsigned char *kind_of;     /* by sphere */
    plu_pair_constants *shared; /* by the sides of a, then of b: side_of */
};

/* The state of the body of a sphere. */
static int state_of(const plu_world *w, int sphere)
{
    const unsigned char rest = w->bodies.rest[plu_owner(&w->spheres, sphere)];
    return rest == PLU_PINNED || rest == PLU_FIXED ? PINNED : FREE;
}

static end in_state(end e, int state)
{
    if (state == PINNED)
        e.inverse_mass = e.inverse_inertia = 0.0;
    return e;
}

static end end_of_sphere(const plu_world *w, int sphere)
{
    PLU_SPHERES_ARE_BODIES; /* arms lie along the normal: W is made of I and J */
    const double *row = w->bodies.row[plu_owner(&w->spheres, sphere)];
    return (end){w->spheres.at[sphere][3], row[6], row[7], w->spheres.species[sphere]};
}

static end end_of_part(int material)
{
    return (end){.material = material};
}

/* The sphere block: W_NN = 1/ma + 1/mb, W_TT = W_NN + ra^2/Ia + rb^2/Ib, W_RR = 1/Ia + 1/Ib,
 * W_TR = (ra/Ia - rb/Ib) J; the contact's length is the smaller radius. */
static void set_lane(const plu_world *w, plu_pair_constants *t, int k, const end *a, const end *b)
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
    t->mu_p[k] = law->pivoting_friction;
    t->strength[k] = law->strength;
    t->mass_share[k] = t->wn[k] > 0.0 ? b->inverse_mass / t->wn[k] : 0.0;
}

/* Sides of a pair: each kind of sphere in each state, and as `a` the materials of the parts. */
static int sides_of_b(const plu_constants *t)
{
    return STATES * t->kinds;
}

static int sides_of_a(const plu_constants *t)
{
    return sides_of_b(t) + t->world->materials;
}

static int side_of_sphere(const plu_constants *t, int sphere)
{
    if (t->kinds == 1 && t->world->asleep == 0 && t->world->fixed == 0)
        return FREE; /* most scenes */
    return STATES * t->kind_of[sphere] + state_of(t->world, sphere);
}

static end end_of_side(const plu_constants *t, int side)
{
    return side < sides_of_b(t) ? in_state(t->kind[side / STATES], side % STATES)
                                : end_of_part(side - sides_of_b(t));
}

static bool alike(const end *x, const end *y)
{
    return x->radius == y->radius && x->inverse_mass == y->inverse_mass &&
           x->inverse_inertia == y->inverse_inertia && x->material == y->material;
}

/* False where there are too many kinds. */
static bool find_kinds(plu_constants *t)
{
    const plu_world *w = t->world;
    for (int i = 0; i < w->spheres.count; i++) {
        const end e = end_of_sphere(w, i);
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

static void fill_shared(plu_constants *t)
{
    for (int i = 0; i < sides_of_a(t); i++)
        for (int j = 0; j < sides_of_b(t); j++) {
            const end a = end_of_side(t, i), b = end_of_side(t, j);
            for (int k = 0; k < PLU_LANES; k++)
                set_lane(t->world, &t->shared[i * sides_of_b(t) + j], k, &a, &b);
        }
}

plu_constants *plu_constants_create(const plu_world *world, bool share, plu_error *err)
{
    plu_constants *t = plu_alloc(1, sizeof *t, err);
    if (!t)
        return NULL;
    t->world = world;
    t->kind_of = plu_alloc((size_t)world->spheres.count, 1, err);
    if (t->kind_of && share && world->materials <= MATERIALS && find_kinds(t)) {
        t->shared = plu_alloc((size_t)(sides_of_a(t) * sides_of_b(t)), sizeof *t->shared, err);
        if (t->shared)
            fill_shared(t);
    } else {
        t->kinds = 0;
    }
    if (!t->kind_of || (t->kinds > 0 && !t->shared)) {
        plu_constants_destroy(t);
        return NULL;
    }
    return t;
}

void plu_constants_destroy(plu_constants *t)
{
    if (!t)
        return;
    free(t->kind_of);
    free(t->shared);
    free(t);
}

const plu_pair_constants *plu_constants_shared(const plu_constants *t, int *count)
{
    *count = t->kinds > 0 ? sides_of_a(t) * sides_of_b(t) : 0;
    return t->shared;
}

/* The number of the shared terms of a contact. */
static int number_of(const plu_constants *t, const plu_contact *c)
{
    const int a = plu_side_is_sphere(c->a) ? side_of_sphere(t, plu_side_sphere(c->a))
                                           : sides_of_b(t) + plu_side_material(t->world, c->a);
    return a * sides_of_b(t) + side_of_sphere(t, c->b);
}

/* The number that all have; -1: they differ. A block of spare lanes does with any. */
static int common_number(const plu_constants *t, const plu_contact *const contact[PLU_LANES])
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
    return common >= 0 ? common : 0;
}

plu_pair_constants *plu_constants_of(const plu_constants *t,
                                     const plu_contact *const contact[PLU_LANES],
                                     plu_pair_constants *own)
{
    const plu_world *w = t->world;
    const int common = t->kinds > 0 ? common_number(t, contact) : -1;
    if (common >= 0)
        return &t->shared[common];
    for (int k = 0; k < PLU_LANES; k++) {
        if (!contact[k]) {
            plu_constants_clear(own, k);
            continue;
        }
        const plu_side side = contact[k]->a;
        const int a = plu_side_sphere(side);
        const end ea = plu_side_is_sphere(side) ? in_state(end_of_sphere(w, a), state_of(w, a))
                                                : end_of_part(plu_side_material(w, side));
        const end eb = in_state(end_of_sphere(w, contact[k]->b), state_of(w, contact[k]->b));
        set_lane(w, own, k, &ea, &eb);
    }
    return own;
}

const double *plu_shares_of(const plu_world *w, const plu_contact *const contact[PLU_LANES],
                            const plu_pair_constants *pair, double own[PLU_LANES])
{
    if (w->asleep == 0) /* most steps */
        return pair->mass_share;
    bool all = true;
    for (int k = 0; k < PLU_LANES; k++) {
        own[k] = pair->mass_share[k];
        if (!contact[k])
            continue;
        const bool a = plu_side_awake(w, contact[k]->a);
        const bool b = plu_awake(w, plu_owner(&w->spheres, contact[k]->b));
        if (a && b)
            continue;
        own[k] = b ? 1.0 : 0.0;
        all = false;
    }
    return all ? pair->mass_share : own;
}
