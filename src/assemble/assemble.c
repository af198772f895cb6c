#include "assemble/assemble.h"
#include "assemble/terms.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_assembler {
    const plu_world *world;
    plu_layout *layout;
    plu_terms *terms;
    size_t ends_capacity;
    plu_ends *ends;
    double (*v)[8], (*v_free)[8]; /* [world->count] */
    double edge;                  /* of the cells that tiles are made of (m) */
    plu_cell *cell;               /* [world->count]: of the bodies when the layout was made */
    bool made;                    /* the layout holds a graph */
    bool tiled;                   /* in which an island is cut into tiles */
};

/* Bodies of a cell of a dense packing, about. */
static const double cell_bodies = 500.0;

/* From the radii alone. A body of mean volume in a random close packing takes 1.56 volumes of its
 * own; a cell has to be wider than two of the largest spheres. */
static double choose_edge(const plu_world *w)
{
    double largest = 0.0, cubes = 0.0;
    for (int i = 0; i < w->count; i++) {
        const double r = w->position[i][3];
        largest = plu_max(largest, r);
        cubes += r * r * r;
    }
    const double share = 1.56 * 4.19 * cubes / plu_max(w->count, 1.0);
    return plu_max(2.2 * largest, cbrt(cell_bodies * share));
}

plu_assembler *plu_assembler_create(const plu_world *world, plu_error *err)
{
    plu_assembler *a = plu_alloc(1, sizeof *a, err);
    if (!a)
        return NULL;
    a->world = world;
    a->layout = plu_layout_create(err);
    a->terms = plu_terms_create(world, world->scene->method != PLU_PENALTY, err);
    a->v = plu_alloc((size_t)world->count, sizeof *a->v, err);
    a->v_free = plu_alloc((size_t)world->count, sizeof *a->v_free, err);
    a->cell = plu_alloc((size_t)world->count, sizeof *a->cell, err);
    if (!a->layout || !a->terms || !a->v || !a->v_free || !a->cell) {
        plu_assembler_destroy(a);
        return NULL;
    }
    a->edge = choose_edge(world);
    return a;
}

void plu_assembler_destroy(plu_assembler *a)
{
    if (!a)
        return;
    plu_layout_destroy(a->layout);
    plu_terms_destroy(a->terms);
    free(a->ends);
    free(a->v);
    free(a->v_free);
    free(a->cell);
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

static void set_lane(const plu_contacts *list, int contact, plu_block *block,
                     plu_block_start *start, int k)
{
    const plu_contact *c = &list->contact[contact];
    const plu_impulse *warm = &list->impulse[contact];
    block->a[k] = c->a >= 0 ? c->a : -1;
    block->b[k] = c->b;
    start->gap[k] = c->gap;
    start->approach[k] = c->approach;
    block->p[0][k] = warm->n;
    for (int i = 0; i < 3; i++) {
        block->normal[i][k] = c->normal[i];
        block->p[1 + i][k] = warm->t[i];
        block->p[4 + i][k] = warm->m[i];
    }
}

/* w_N = e u_N,k of what approaches. */
static double bias_of(const plu_world *w, const plu_contact *c)
{
    const int material = c->a >= 0 ? w->species[c->a] : w->parts[-1 - c->a].material;
    return plu_world_law(w, material, w->species[c->b])->restitution * plu_min(c->approach, 0.0);
}

static void fill_block(const plu_assembler *a, const plu_contacts *list, plu_problem *problem,
                       int number)
{
    plu_block *block = &problem->blocks[number];
    plu_block_start *start = &problem->start[number];
    const plu_contact *contact[PLU_LANES] = {NULL};
    for (int k = 0; k < PLU_LANES; k++) {
        const int live = problem->contact_of_slot[number * PLU_LANES + k];
        if (live < 0) {
            plu_block_clear(block, k);
            start->gap[k] = start->approach[k] = 0.0;
            continue;
        }
        contact[k] = &list->contact[list->live[live]];
        set_lane(list, list->live[live], block, start, k);
        block->bias[k] = bias_of(a->world, contact[k]);
    }
    block->pair = plu_terms_of(a->terms, contact, &problem->own_terms[number]);
}

static void fill_blocks(const plu_assembler *a, const plu_contacts *contacts, plu_problem *problem)
{
#pragma omp for schedule(static) nowait
    for (int number = 0; number < problem->slots / PLU_LANES; number++)
        fill_block(a, contacts, problem, number);
}

static int coordinate(double x, double edge)
{
    const double c = floor(x / edge);
    return fabs(c) < 1e9 ? (int)c : 0;
}

static void find_cells(plu_assembler *a, bool *moved)
{
    const plu_world *w = a->world;
    bool any = false;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < 3; k++) {
            const int at = coordinate(w->position[i][k], a->edge);
            any |= a->cell[i].at[k] != at;
            a->cell[i].at[k] = at;
        }
    if (any) {
#pragma omp atomic write
        *moved = true;
    }
}

/* Brings the cells of the bodies up to date: whether one is in another cell now. */
static bool bodies_changed_cells(plu_assembler *a)
{
    bool moved = false;
    PLU_TEAM(a->world->count > 4000, find_cells(a, &moved));
    return moved;
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
    const bool cells = count >= PLU_TILED;
    if (cells)
        (void)bodies_changed_cells(a);
    s = plu_layout_make(a->layout, problem, count, a->world->count, a->ends, cells ? a->cell : NULL,
                        a->world->scene->solver.islands, err);
    a->made = s == PLU_OK;
    a->tiled = false;
    for (int k = 0; s == PLU_OK && cells && k < problem->islands_count; k++)
        a->tiled |= problem->islands[k].tiled;
    return s;
}

plu_status plu_assemble(plu_assembler *a, const plu_contacts *contacts, bool same_graph,
                        plu_problem *problem, plu_error *err)
{
    PLU_TEAM(a->world->count > 4000, free_velocities(a));
    problem->v = a->v;
    problem->v_free = a->v_free;
    /* Which layout there is must depend on the state alone, not on when it was made. */
    if (!same_graph || !a->made || (a->tiled && bodies_changed_cells(a))) {
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
