#include "assemble/assemble.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_assembler {
    const plu_world *world;
    plu_layout *layout;
    size_t ends_capacity;
    plu_ends *ends;
    double (*v)[8], (*v_free)[8]; /* [world->count] */
    bool made;                    /* the layout holds a graph */
};

plu_assembler *plu_assembler_create(const plu_world *world, plu_error *err)
{
    plu_assembler *a = plu_alloc(1, sizeof *a, err);
    if (!a)
        return NULL;
    a->world = world;
    a->layout = plu_layout_create(err);
    a->v = plu_alloc((size_t)world->count, sizeof *a->v, err);
    a->v_free = plu_alloc((size_t)world->count, sizeof *a->v_free, err);
    if (!a->layout || !a->v || !a->v_free) {
        plu_assembler_destroy(a);
        return NULL;
    }
    return a;
}

void plu_assembler_destroy(plu_assembler *a)
{
    if (!a)
        return;
    plu_layout_destroy(a->layout);
    free(a->ends);
    free(a->v);
    free(a->v_free);
    free(a);
}

static void free_velocities(plu_assembler *a)
{
    const plu_world *w = a->world;
    const plu_scene *scene = w->scene;
#pragma omp parallel for schedule(static) if (w->count > 4000)
    for (int i = 0; i < w->count; i++) {
        memcpy(a->v_free[i], w->velocity[i], sizeof *a->v_free);
        if (w->state[i] == PLU_ACTIVE)
            for (int k = 0; k < 3; k++)
                a->v_free[i][k] += scene->step * scene->gravity[k];
        memcpy(a->v[i], a->v_free[i], sizeof *a->v); /* stays so for bodies without contact */
    }
}

/* The sphere block: W_NN = 1/ma + 1/mb, W_TT = W_NN + ra^2/Ia + rb^2/Ib, W_RR = 1/Ia + 1/Ib,
 * W_TR = (ra/Ia - rb/Ib) J; the contact's length is the smaller radius. */
static void set_block(plu_block *block, int k, double mass_a, double inertia_a, double radius_a,
                      const double *row_b, double radius_b)
{
    block->arm_a[k] = radius_a;
    block->arm_b[k] = radius_b;
    block->wn[k] = mass_a + row_b[6];
    block->wt[k] = block->wn[k] + radius_a * radius_a * inertia_a + radius_b * radius_b * row_b[7];
    block->wr[k] = inertia_a + row_b[7];
    block->wc[k] = radius_a * inertia_a - radius_b * row_b[7];
    block->inverse_wn[k] = 1.0 / block->wn[k];
    block->inverse_wt[k] = 1.0 / block->wt[k];
    block->inverse_wr[k] = 1.0 / block->wr[k];
    block->inverse_length[k] = 1.0 / (radius_a > 0.0 ? plu_min(radius_a, radius_b) : radius_b);
}

static void set_slot(const plu_world *w, const plu_contact *c, const plu_impulse *warm,
                     plu_block *block, int k)
{
    const int b = c->b;
    int material = 0;
    if (c->a >= 0) {
        set_block(block, k, w->velocity[c->a][6], w->velocity[c->a][7], w->position[c->a][3],
                  w->velocity[b], w->position[b][3]);
        material = w->species[c->a];
    } else {
        set_block(block, k, 0.0, 0.0, 0.0, w->velocity[b], w->position[b][3]);
        material = w->parts[-1 - c->a].material;
    }
    const plu_pair_law *law = plu_world_law(w, material, w->species[b]);
    block->mu[k] = law->friction;
    block->mu_r[k] = law->rolling_friction;
    block->bias[k] = law->restitution * plu_min(c->approach, 0.0);
    block->gap[k] = c->gap;
    block->approach[k] = c->approach;
    block->a[k] = c->a >= 0 ? c->a : -1;
    block->b[k] = b;
    block->p[0][k] = block->before[0][k] = warm->n;
    for (int i = 0; i < 3; i++) {
        block->normal[i][k] = c->normal[i];
        block->p[1 + i][k] = block->before[1 + i][k] = warm->t[i];
        block->p[4 + i][k] = block->before[4 + i][k] = warm->m[i];
    }
}

static void fill_blocks(const plu_assembler *a, const plu_contacts *contacts, plu_problem *problem)
{
    for (int i = 0; i < problem->islands_count; i++)
        problem->islands[i].free_square = -1.0;
#pragma omp parallel for schedule(static) if (problem->slots > 4000)
    for (int slot = 0; slot < problem->slots; slot++) {
        const int contact = problem->contact_of_slot[slot];
        plu_block *block = plu_block_of(problem, slot);
        if (contact >= 0)
            set_slot(a->world, &contacts->contact[contact], &contacts->impulse[contact], block,
                     slot % PLU_LANES);
        else
            plu_block_clear(block, slot % PLU_LANES);
    }
}

static plu_status make_layout(plu_assembler *a, const plu_contacts *contacts, plu_problem *problem,
                              plu_error *err)
{
    plu_status s =
        plu_reserve(&a->ends, &a->ends_capacity, (size_t)contacts->count, sizeof *a->ends, 0, err);
    if (s != PLU_OK)
        return s;
    for (int c = 0; c < contacts->count; c++)
        a->ends[c] = (plu_ends){contacts->contact[c].a >= 0 ? contacts->contact[c].a : -1,
                                contacts->contact[c].b};
    s = plu_layout_make(a->layout, problem, contacts->count, a->world->count, a->ends,
                        a->world->scene->solver.islands, err);
    a->made = s == PLU_OK;
    return s;
}

plu_status plu_assemble(plu_assembler *a, const plu_contacts *contacts, bool same_graph,
                        plu_problem *problem, plu_error *err)
{
    free_velocities(a);
    problem->v = a->v;
    problem->v_free = a->v_free;
    if (!same_graph || !a->made) {
        const plu_status s = make_layout(a, contacts, problem, err);
        if (s != PLU_OK)
            return s;
    }
    fill_blocks(a, contacts, problem);
    return PLU_OK;
}

void plu_scatter_impulses(const plu_problem *problem, plu_contacts *contacts)
{
#pragma omp parallel for schedule(static) if (contacts->count > 4000)
    for (int contact = 0; contact < contacts->count; contact++) {
        const int slot = problem->slot_of_contact[contact], k = slot % PLU_LANES;
        const plu_block *block = plu_block_of(problem, slot);
        plu_impulse *p = &contacts->impulse[contact];
        p->n = block->p[0][k];
        for (int i = 0; i < 3; i++) {
            p->t[i] = block->p[1 + i][k];
            p->m[i] = block->p[4 + i][k];
        }
    }
}
