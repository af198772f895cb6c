#include "assemble/assemble.h"
#include "base/memory.h"
#include "base/team.h"
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
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->count; i++) {
        if (!plu_awake(w, i))
            continue; /* its row is what others feel of it: step/quiet.c */
        memcpy(a->v_free[i], w->velocity[i], sizeof *a->v_free);
        if (w->state[i] == PLU_ACTIVE)
            for (int k = 0; k < 3; k++)
                a->v_free[i][k] += scene->step * scene->gravity[k];
        memcpy(a->v[i], a->v_free[i], sizeof *a->v); /* stays so for bodies without contact */
    }
}

/* The sphere block: W_NN = 1/ma + 1/mb, W_TT = W_NN + ra^2/Ia + rb^2/Ib, W_RR = 1/Ia + 1/Ib,
 * W_TR = (ra/Ia - rb/Ib) J; the contact's length is the smaller radius. */
static void set_block(plu_block *block, int k, const double *row_a, double radius_a,
                      const double *row_b, double radius_b)
{
    block->arm_a[k] = radius_a;
    block->arm_b[k] = radius_b;
    block->wn[k] = row_a[6] + row_b[6];
    block->wt[k] = block->wn[k] + radius_a * radius_a * row_a[7] + radius_b * radius_b * row_b[7];
    block->wr[k] = row_a[7] + row_b[7];
    block->wc[k] = radius_a * row_a[7] - radius_b * row_b[7];
    block->inverse_wn[k] = 1.0 / block->wn[k];
    block->inverse_wt[k] = 1.0 / block->wt[k];
    block->inverse_wr[k] = 1.0 / block->wr[k];
    block->inverse_length[k] = 1.0 / (radius_a > 0.0 ? plu_min(radius_a, radius_b) : radius_b);
}

/* Masses as the problem has them. */
static const double *row_of(const plu_world *w, int body)
{
    return w->quiet[body] == PLU_PINNED ? plu_fixed_row : w->velocity[body];
}

static void set_slot(const plu_world *w, const plu_contact *c, const plu_impulse *warm,
                     plu_block *block, int k)
{
    const int b = c->b;
    int material = 0;
    if (c->a >= 0) {
        set_block(block, k, row_of(w, c->a), w->position[c->a][3], row_of(w, b), w->position[b][3]);
        material = w->species[c->a];
    } else {
        set_block(block, k, plu_fixed_row, 0.0, row_of(w, b), w->position[b][3]);
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
    block->p[0][k] = warm->n;
    for (int i = 0; i < 3; i++) {
        block->normal[i][k] = c->normal[i];
        block->p[1 + i][k] = warm->t[i];
        block->p[4 + i][k] = warm->m[i];
    }
}

static void fill_blocks(const plu_assembler *a, const plu_contacts *contacts, plu_problem *problem)
{
#pragma omp for schedule(static) nowait
    for (int slot = 0; slot < problem->slots; slot++) {
        plu_block *block = plu_block_of(problem, slot);
        if (problem->contact_of_slot[slot] < 0) {
            plu_block_clear(block, slot % PLU_LANES);
            continue;
        }
        const int contact = contacts->live[problem->contact_of_slot[slot]];
        set_slot(a->world, &contacts->contact[contact], &contacts->impulse[contact], block,
                 slot % PLU_LANES);
    }
}

static plu_status make_layout(plu_assembler *a, const plu_contacts *contacts, plu_problem *problem,
                              plu_error *err)
{
    const int count = contacts->live_count;
    plu_status s = plu_reserve(&a->ends, &a->ends_capacity, (size_t)count, sizeof *a->ends, 0, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (count > 4000)
    for (int i = 0; i < count; i++) {
        const plu_contact *c = &contacts->contact[contacts->live[i]];
        a->ends[i] = (plu_ends){c->a >= 0 ? c->a : -1, c->b};
    }
    s = plu_layout_make(a->layout, problem, count, a->world->count, a->ends,
                        a->world->scene->solver.islands, err);
    a->made = s == PLU_OK;
    return s;
}

plu_status plu_assemble(plu_assembler *a, const plu_contacts *contacts, bool same_graph,
                        plu_problem *problem, plu_error *err)
{
    PLU_TEAM(a->world->count > 4000, free_velocities(a));
    problem->v = a->v;
    problem->v_free = a->v_free;
    if (!same_graph || !a->made) {
        const plu_status s = make_layout(a, contacts, problem, err);
        if (s != PLU_OK)
            return s;
    }
    for (int i = 0; i < problem->islands_count; i++)
        problem->islands[i].free_square = -1.0;
    PLU_TEAM(problem->slots > 4000, fill_blocks(a, contacts, problem));
    return PLU_OK;
}

static void scatter(const plu_problem *problem, plu_contacts *contacts)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < contacts->live_count; i++) {
        const int slot = problem->slot_of_contact[i], k = slot % PLU_LANES;
        const plu_block *block = plu_block_of(problem, slot);
        plu_impulse *p = &contacts->impulse[contacts->live[i]];
        p->n = block->p[0][k];
        for (int j = 0; j < 3; j++) {
            p->t[j] = block->p[1 + j][k];
            p->m[j] = block->p[4 + j][k];
        }
    }
}

void plu_scatter_impulses(const plu_problem *problem, plu_contacts *contacts)
{
    PLU_TEAM(contacts->live_count > 4000, scatter(problem, contacts));
}
