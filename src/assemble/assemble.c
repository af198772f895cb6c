/* From bodies and contacts to the contact problem of a step, and back (blocks/blocks.h):
 *
 *     bodies     row i    v_k,  1/m, 1/I       -> v_free = v_k + h g + loads/m + attraction
 *     contacts   list     (a, b), n, gap, p    -> slots, by island, tile and color (layout.c)
 *
 *     rows of velocities      0 ... bodies | still | one for each live contact with what moves
 *                             unknown      | given, 1/m = 1/I = 0
 *
 *     block of 8 slots        n, bias w, friction factor, p of the warm start, rows a and b;
 *                             constants of the pairs, shared where bodies are alike
 *
 * Rows of the bodies first: they are needed whatever the order of contacts. Then the layout, which
 * is kept as long as the pairs (and, where there are tiles, the cells of the bodies) are the same.
 * Blocks last, and those of tiled islands not here at all but when the solver first comes to their
 * tile (blocks/flow.h): fill_slots is called back then, and reads the contact list of the same
 * step. */
#include "assemble/assemble.h"
#include "assemble/body_cells.h"
#include "assemble/cohesion.h"
#include "assemble/fill_lanes.h"
#include "assemble/hits.h"
#include "assemble/landing.h"
#include "assemble/pair_constants.h"
#include "assemble/rebound.h"
#include "assemble/servo_rows.h"
#include "assemble/turn.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "world/loads.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_assembler {
    const plu_world *world;
    const plu_contacts *contacts; /* of the last call, whose blocks may still be filled */
    plu_problem *problem;         /* of it */
    plu_layout *layout;
    plu_constants *terms;
    plu_contact_pair *pairs;
    /* By row: the bodies, what stands still, and what has a prescribed motion. */
    double (*v)[8], (*v_free)[8];
    size_t v_capacity, v_free_capacity, crossings_capacity, pairs_capacity;
    int first_wall;  /* in the live contacts: walls, from here on, may have rows of their own */
    int own_rows;    /* how many such rows there are */
    plu_scale scale; /* of the scene */
    plu_crossing *crossings; /* by block, in a periodic cell */
    plu_body_cells cells;    /* of the bodies when the layout was made */
    plu_landing *landing;
    plu_servo_rows servos;
    plu_turn *turn;         /* by body (turn.h) */
    double (*attracted)[3]; /* by body, in scenes with cohesion */
    bool made, tiled;       /* the layout holds a graph, in which an island is tiled */
};

plu_assembler *plu_assembler_create(const plu_world *world, plu_error *err)
{
    plu_assembler *a = plu_alloc(1, sizeof *a, err);
    if (!a)
        return NULL;
    a->world = world;
    a->layout = plu_layout_create(err);
    a->terms = plu_constants_create(world, world->scene->method != PLU_PENALTY, err);
    a->v_capacity = a->v_free_capacity = (size_t)world->bodies.count + 1;
    a->v = plu_alloc(a->v_capacity, sizeof *a->v, err);
    a->v_free = plu_alloc(a->v_free_capacity, sizeof *a->v_free, err);
    a->cells.of = plu_alloc((size_t)world->bodies.count, sizeof *a->cells.of, err);
    a->landing = plu_landing_create(world, err);
    a->turn = plu_alloc((size_t)world->bodies.count, sizeof *a->turn, err);
    const size_t held = world->coheres ? (size_t)world->bodies.count : 1;
    a->attracted = plu_alloc(held, sizeof *a->attracted, err);
    if (!a->turn || !a->attracted || !a->layout || !a->terms || !a->v || !a->v_free ||
        !a->cells.of || !a->landing) {
        plu_assembler_destroy(a);
        return NULL;
    }
    a->scale = plu_scale_of(world);
    return a;
}

void plu_assembler_destroy(plu_assembler *a)
{
    if (!a)
        return;
    plu_layout_destroy(a->layout);
    plu_constants_destroy(a->terms);
    free(a->pairs);
    free(a->crossings);
    free(a->v);
    free(a->v_free);
    free(a->cells.of);
    free(a->turn);
    free(a->attracted);
    plu_landing_destroy(a->landing);
    plu_servo_rows_free(&a->servos);
    free(a);
}

static void free_velocities(plu_assembler *a)
{
    const plu_world *w = a->world;
    const double h = w->step, change[3] = {h * w->gravity[0], h * w->gravity[1], h * w->gravity[2]};
#pragma omp for schedule(static) nowait
    for (int i = 0; i < w->bodies.count; i++) {
        if (!plu_awake(w, i) || w->bodies.state[i] != PLU_ACTIVE)
            continue; /* of a sleeping body of the border: plu_border_place */
        /* Both are written from what was read: a row just written would have to be waited for. */
        const double *now = w->bodies.row[i];
        memcpy(a->v_free[i], now, sizeof *a->v_free);
        memcpy(a->v[i], now, sizeof *a->v); /* stays so for bodies without contact */
        for (int k = 0; k < 3; k++)
            a->v_free[i][k] = a->v[i][k] = now[k] + change[k];
        a->turn[i] = (plu_turn){0};
        if (!w->space.moves)
            continue;
        plu_space_kick(&w->space, w->bodies.position[i], a->v_free[i]);
        memcpy(a->v[i], a->v_free[i], sizeof *a->v);
    }
}

/* The row of what stands still: of boundaries, and of both sides of spare slots. */
static int still_row(const plu_assembler *a)
{
    return a->world->bodies.count;
}

/* The row of side a of live contact `live`. */
static int row_of(const plu_assembler *a, plu_side side, int live)
{
    if (plu_side_is_sphere(side))
        return plu_side_owner(a->world, side);
    return plu_side_pose(a->world, side) ? still_row(a) + 1 + live - a->first_wall : still_row(a);
}

/* Where the contact of a slot stands in the list; -1: a spare slot. */
static inline int place_of(const plu_problem *problem, const plu_contacts *list, int slot)
{
    const int live = problem->contact_of_slot[slot];
    const bool all = list->live_count == list->count; /* then the list need not be read */
    return live >= 0 && !all ? list->live[live] : live;
}

static inline const plu_impulse *warm_start(const plu_contacts *list, int at)
{
    static const plu_impulse nothing = {0};
    const plu_impulse *start = at >= 0 ? plu_warm_start(list, at) : NULL;
    return start ? start : &nothing;
}

/* Contacts whose side a is an image across the cell. */
static plu_crossing *crossing_of(const plu_assembler *a, const plu_contact *const contact[],
                                 int number)
{
    const plu_space *space = &a->world->space;
    plu_crossing *crossing = NULL;
    for (int k = 0; k < PLU_LANES && space->kind == PLU_PERIODIC_SPACE; k++) {
        const bool sphere = contact[k] && plu_side_is_sphere(contact[k]->a);
        const int image = sphere ? plu_side_image(contact[k]->a) : 0;
        if (!image)
            continue;
        if (!crossing)
            *(crossing = &a->crossings[number]) = (plu_crossing){0};
        for (int i = 0; i < 3; i++) {
            crossing->drift[i][k] = space->drift[1][image][i];
            crossing->shift[i][k] = space->later[image][i];
        }
    }
    return crossing;
}

void plu_assembler_follow_cell(const plu_assembler *a)
{
    const plu_space *space = &a->world->space;
    for (int slot = 0; slot < a->problem->slots; slot++) {
        const plu_block *block = plu_block_of(a->problem, slot);
        const int at = place_of(a->problem, a->contacts, slot);
        const int image = at >= 0 ? plu_side_image(a->contacts->contact[at].a) : 0;
        for (int i = 0; i < 3 && image; i++)
            block->crossing->shift[i][slot % PLU_LANES] = space->later[image][i];
    }
}

const plu_turn *plu_assembler_turns(const plu_assembler *a)
{
    return a->turn;
}

/* The contacts of a block are live ones; NULL: a spare lane. */
static void fill_block(const plu_assembler *a, int number)
{
    const plu_contacts *list = a->contacts;
    plu_problem *problem = a->problem;
    static const plu_contact no_contact = {0};
    const plu_contact_pair *pair = &problem->pair_of_slot[number * PLU_LANES];
    plu_block *block = &problem->blocks[number];
    const plu_contact *contact[PLU_LANES], *filled[PLU_LANES];
    const plu_impulse *warm[PLU_LANES];
    for (int k = 0; k < PLU_LANES; k++) {
        const int at = place_of(problem, list, number * PLU_LANES + k);
        contact[k] = at >= 0 ? &list->contact[at] : NULL;
        filled[k] = at >= 0 ? contact[k] : &no_contact;
        warm[k] = warm_start(list, at);
        block->a[k] = pair[k].a;
        block->b[k] = pair[k].b;
    }
    block->crossing = crossing_of(a, contact, number);
    block->pair = plu_constants_of(a->terms, contact, &problem->own_constants[number]);
    block->share = plu_shares_of(a->world, contact, block->pair, problem->own_shares[number]);
    PLU_ISA_BEST(plu_fill_lanes)
    (filled, warm, a->world->lands ? a->world->step : HUGE_VAL, problem->pivots, block,
     &problem->start[number]);
    for (int k = 0;
         (a->world->bounces || a->world->coheres || list->swift_count > 0) && k < PLU_LANES; k++)
        if (contact[k])
            block->bias[k] = plu_bias_of(a->world, list, (int)(contact[k] - list->contact));
    if (a->world->bounces)
        plu_hits_bias(a->world, list, contact, block->bias);
    if (a->world->lands || list->swift_count > 0)
        plu_turns_note(a->world, list, contact, PLU_LANES, a->turn);
    if (a->world->lands)
        plu_landing_share(a->landing, contact, block);
    if (problem->servos_count > 0)
        plu_servo_constants(a->world, problem, contact, block, &problem->own_constants[number]);
}

enum {
    AHEAD = 6,           /* blocks whose contacts are prefetched ahead of their turn */
    FAR = 12 * PLU_LANES /* slots whose impulses are, to be written */
};

/* May lie across two lines, as contacts may. */
PLU_FETCH void fetch_impulse(const plu_impulse *impulse)
{
    plu_fetch(impulse);
    plu_fetch(&impulse->m[2]);
}

/* What is read and written for a block later on: contacts and impulses stand in another order. */
PLU_FETCH void fetch_contacts(const plu_problem *problem, const plu_contacts *list, int number)
{
    for (int k = 0; k < PLU_LANES; k++) {
        const int at = place_of(problem, list, number * PLU_LANES + k);
        if (at < 0)
            continue;
        plu_fetch(&list->contact[at]);
        plu_fetch(&list->contact[at].approach);
        fetch_impulse(warm_start(list, at));
    }
    plu_fetch_record(&problem->blocks[number], sizeof *problem->blocks);
}

static void fill_slots(void *assembler, int begin, int end)
{
    const plu_assembler *a = assembler;
    const int blocks = a->problem->slots / PLU_LANES;
    for (int number = begin / PLU_LANES; number < end / PLU_LANES; number++) {
        if (number + AHEAD < blocks)
            fetch_contacts(a->problem, a->contacts, number + AHEAD);
        fill_block(a, number);
    }
}

static void make_pairs(const plu_assembler *a, const plu_contacts *contacts)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < contacts->live_count; i++) {
        plu_contact_pair *pair = &a->pairs[i];
        plu_side side;
        int b;
        plu_key_sides(a->world, contacts->key[contacts->live[i]], &side, &b);
        pair->a = row_of(a, side, i);
        pair->b = plu_owner(&a->world->spheres, b);
    }
}

static plu_status make_layout(plu_assembler *a, const plu_contacts *contacts, plu_problem *problem,
                              plu_error *err)
{
    const int count = contacts->live_count;
    plu_status s =
        plu_reserve(&a->pairs, &a->pairs_capacity, (size_t)count, sizeof *a->pairs, 0, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(plu_many(count, 4000), make_pairs(a, contacts));
    const bool cells = count >= PLU_TILED;
    if (cells)
        (void)plu_body_cells_find(&a->cells, a->world, a->scale.edge);
    plu_layout_close(a->layout, a->cells.around);
    s = plu_layout_make(a->layout, problem, count, a->pairs, cells ? a->cells.of : NULL,
                        a->world->scene->solver->islands, err);
    a->made = s == PLU_OK;
    a->tiled = false;
    for (int k = 0; s == PLU_OK && cells && k < problem->islands_count; k++)
        a->tiled |= problem->islands[k].tiled;
    return s;
}

/* Rows of boundaries that move; the world has room for them in its own. */
static plu_status give_rows(plu_assembler *a, const plu_contacts *contacts, plu_error *err)
{
    a->own_rows = plu_given_rows(a->world, contacts);
    if (a->own_rows == 0)
        return PLU_OK;
    const size_t rows = (size_t)a->world->bodies.count + 1 + (size_t)a->own_rows;
    plu_status s = plu_reserve(&a->v, &a->v_capacity, rows, sizeof *a->v, 1, err);
    if (s == PLU_OK)
        s = plu_reserve(&a->v_free, &a->v_free_capacity, rows, sizeof *a->v_free, 1, err);
    if (s != PLU_OK)
        return s;
    a->first_wall = plu_first_live_wall(contacts);
    plu_fill_given(a->world, contacts, a->world->bodies.row, a->v_free, a->v);
    return PLU_OK;
}

plu_status plu_assemble(plu_assembler *a, const plu_contacts *contacts, bool same_graph,
                        plu_problem *problem, plu_error *err)
{
    const plu_status room = give_rows(a, contacts, err);
    if (room != PLU_OK)
        return room;
    PLU_TEAM(plu_many(a->world->bodies.count, 4000), free_velocities(a));
    plu_fill_fixed(a->world, a->v_free, a->v);
    plu_loads_push(a->world, a->v_free, a->v);
    plu_attract(a->world, contacts, a->v_free, a->v, a->attracted);
    problem->attracted = a->world->coheres ? (const double(*)[3])a->attracted : NULL;
    problem->v = a->v;
    problem->v_free = a->v_free;
    problem->moving = a->world->bodies.count;
    problem->given = 1 + a->own_rows;
    problem->unit_mass = a->scale.mass;
    problem->unit_length = a->scale.length;
    problem->pivots = a->world->pivots;
    problem->drifts = a->world->space.moves;
    const plu_status found = plu_servo_rows_make(&a->servos, a->world, contacts, problem, err);
    if (found != PLU_OK)
        return found;
    problem->shared_constants = plu_constants_shared(a->terms, &problem->shared);
    /* Which layout there is must depend on the state alone, not on when it was made. */
    if (!same_graph || !a->made ||
        (a->tiled && plu_body_cells_find(&a->cells, a->world, a->scale.edge))) {
        const plu_status s = make_layout(a, contacts, problem, err);
        if (s != PLU_OK)
            return s;
    }
    if (a->world->space.kind == PLU_PERIODIC_SPACE) {
        const plu_status s =
            plu_reserve(&a->crossings, &a->crossings_capacity,
                        (size_t)problem->slots / PLU_LANES + 1, sizeof *a->crossings, 0, err);
        if (s != PLU_OK)
            return s;
    }
    for (int i = 0; i < problem->islands_count; i++)
        problem->islands[i].free_square = -1.0;
    plu_servos_place(problem);
    a->contacts = contacts;
    a->problem = problem;
    if (a->world->lands)
        plu_landing_loads(a->landing, contacts, a->pairs);
    problem->flow.fill = (plu_flow_call){fill_slots, a};
    plu_flow_begin(problem, a->world->asleep == 0);
    return PLU_OK;
}

void plu_scatter_impulses(const plu_problem *problem, int begin, int end, plu_contacts *contacts)
{
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        plu_impulse *impulse[PLU_LANES];
        for (int k = 0; k < PLU_LANES; k++) {
            const int at = place_of(problem, contacts, slot + k);
            const int later =
                slot + k + FAR < problem->slots ? place_of(problem, contacts, slot + k + FAR) : -1;
            fetch_impulse(&contacts->impulse[later >= 0 ? later : 0]);
            impulse[k] = at >= 0 ? &contacts->impulse[at] : NULL;
        }
        PLU_ISA_BEST(plu_take_lanes)(plu_block_of(problem, slot), impulse);
    }
}
