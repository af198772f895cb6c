/* Colors, islands and slots of random contact graphs. */
#include "blocks/blocks.h"
#include "draw.h"
#include "near.h"
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { GIVEN = 5 }; /* rows that are not solved for */

static int random_pairs(draw *d, int contacts, int rows, int hub, plu_contact_pair *pairs)
{
    for (int c = 0; c < contacts; c++) {
        const int b = (int)draw_uniform(d, 0.0, rows), kind = (int)draw_uniform(d, 0.0, 10.0);
        int a = (int)draw_uniform(d, 0.0, rows);
        if (kind == 0 || a == b)
            a = rows + (int)draw_uniform(d, 0.0, GIVEN);
        else if (kind < hub) /* one big body that touches many */
            a = 0;
        if (a == b)
            a = rows + (int)draw_uniform(d, 0.0, GIVEN);
        pairs[c] = (plu_contact_pair){a, b};
    }
    return contacts;
}

static int tiles_of(const plu_problem *p)
{
    return p->islands_count > 0 ? p->group_start[p->islands[p->islands_count - 1].group_end] : 0;
}

/* Tiles of a group share no moving body. */
static void check_tiles(const plu_problem *p, const plu_contact_pair *pairs)
{
    int *owner = malloc((size_t)p->moving * sizeof *owner);
    for (int i = 0; i < p->islands_count; i++)
        for (int g = p->islands[i].group_begin; g < p->islands[i].group_end; g++) {
            memset(owner, -1, (size_t)p->moving * sizeof *owner);
            for (int t = p->group_start[g]; t < p->group_start[g + 1]; t++) {
                const plu_tile *tile = &p->tiles[t];
                const int last = tile->color_end - 1;
                for (int slot = p->color_start[tile->color_begin];
                     slot < p->color_start[last] + p->color_count[last]; slot++) {
                    if (p->contact_of_slot[slot] < 0)
                        continue;
                    const plu_contact_pair e = pairs[p->contact_of_slot[slot]];
                    assert_true(owner[e.b] < 0 || owner[e.b] == t);
                    owner[e.b] = t;
                    assert_true(e.a >= p->moving || owner[e.a] < 0 || owner[e.a] == t);
                    if (e.a < p->moving)
                        owner[e.a] = t;
                }
            }
        }
    free(owner);
}

/* No color of a tile holds two contacts with a common moving body, the overflow color aside. */
static void check_colors(const plu_problem *p, const plu_contact_pair *pairs)
{
    int *last = malloc((size_t)p->moving * sizeof *last), color = 0;
    memset(last, -1, (size_t)p->moving * sizeof *last);
    for (int i = 0; i < tiles_of(p); i++) {
        const plu_tile *tile = &p->tiles[i];
        for (int c = tile->color_begin; c < tile->color_end; c++, color++) {
            if (plu_is_overflow(tile, c))
                continue;
            for (int slot = p->color_start[c]; slot < p->color_start[c] + p->color_count[c];
                 slot++) {
                const plu_contact_pair e = pairs[p->contact_of_slot[slot]];
                assert_true(last[e.b] != color && (e.a >= p->moving || last[e.a] != color));
                last[e.b] = color;
                if (e.a < p->moving)
                    last[e.a] = color;
            }
        }
    }
    free(last);
}

static void check_slots(const plu_problem *p)
{
    int seen = 0;
    for (int c = 0; c < p->contacts; c++)
        assert_int_equal(p->contact_of_slot[p->slot_of_contact[c]], c);
    for (int slot = 0; slot < p->slots; slot++)
        seen += p->contact_of_slot[slot] >= 0;
    assert_int_equal(seen, p->contacts);
    for (int i = 0; i < p->islands_count; i++) {
        const plu_island *island = &p->islands[i];
        const int begin = p->group_start[island->group_begin];
        if (island->tiled) { /* nobody else has slots in its chunks */
            assert_int_equal(island->slot_begin % PLU_SUM_CHUNK, 0);
            assert_true(i + 1 == p->islands_count ||
                        p->islands[i + 1].slot_begin >=
                            plu_round_up_to(island->slot_end, PLU_SUM_CHUNK));
        }
        for (int t = begin; island->padded && t < p->group_start[island->group_end]; t++)
            for (int c = p->tiles[t].color_begin; c < p->tiles[t].color_end; c++) {
                assert_int_equal(p->color_start[c] % PLU_LANES, 0);
                assert_true(p->color_start[c] >= island->slot_begin);
                assert_true(p->color_start[c] + p->color_count[c] <= island->slot_end);
            }
    }
}

/* Bodies of different islands never meet; bodies of one island are connected (by repeated spreading
 * of the smallest label). */
static void check_islands(const plu_problem *p, const plu_contact_pair *pairs)
{
    int *island = malloc((size_t)p->moving * sizeof *island);
    int *label = malloc((size_t)p->moving * sizeof *label);
    memset(island, -1, (size_t)p->moving * sizeof *island);
    for (int i = 0; i < p->islands_count; i++)
        for (int b = p->islands[i].body_begin; b < p->islands[i].body_end; b++) {
            assert_int_equal(island[p->island_body[b]], -1);
            island[p->island_body[b]] = i;
        }
    for (int i = 0; i < p->moving; i++)
        label[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int c = 0; c < p->contacts; c++) {
            const int a = pairs[c].a, b = pairs[c].b;
            assert_true(island[b] >= 0);
            if (a >= p->moving)
                continue;
            assert_int_equal(island[a], island[b]);
            if (label[a] != label[b]) {
                label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                changed = 1;
            }
        }
    }
    int labels = 0;
    for (int i = 0; i < p->moving; i++)
        labels += island[i] >= 0 && label[i] == i;
    assert_int_equal(labels, p->islands_count);
    free(island);
    free(label);
}

static void graph(int contacts, int rows, int hub)
{
    draw d = {(uint64_t)contacts};
    plu_error err = {0};
    plu_problem problem = {.moving = rows, .given = GIVEN};
    plu_layout *layout = plu_layout_create(&err);
    plu_contact_pair *pairs = malloc((size_t)contacts * sizeof *pairs + 1);
    random_pairs(&d, contacts, rows, hub, pairs);
    assert_int_equal(plu_layout_make(layout, &problem, contacts, pairs, NULL, true, &err), PLU_OK);
    check_colors(&problem, pairs);
    check_slots(&problem);
    check_islands(&problem, pairs);
    assert_int_equal(plu_layout_make(layout, &problem, contacts, pairs, NULL, false, &err), PLU_OK);
    assert_int_equal(problem.islands_count, contacts > 0);
    check_colors(&problem, pairs);
    check_slots(&problem);
    plu_layout_destroy(layout);
    free(pairs);
}

static void random_graphs(void **state)
{
    (void)state;
    graph(0, 3, 0);
    graph(1, 3, 0);
    graph(60, 100, 0);     /* many islands */
    graph(500, 200, 0);    /* few */
    graph(20000, 7000, 0); /* a large one */
    graph(20000, 40000, 0);
    graph(3000, 2000, 4); /* a hub with hundreds of contacts: the overflow color */
}

static int by_place(const void *x, const void *y)
{
    const plu_contact_pair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* In the order in which the detector lists contacts (pairs by the smaller body first, walls last)
 * islands come in the order of their first contacts, and a color's contacts in theirs. */
static void check_order(const plu_problem *p)
{
    int last = -1;
    for (int k = 0; k < p->islands_count; k++) {
        const plu_tile *tile = &p->tiles[p->group_start[p->islands[k].group_begin]];
        int first = p->contacts;
        for (int c = tile->color_begin; c < tile->color_end; c++)
            for (int i = 0; i < p->color_count[c]; i++) {
                const int contact = p->contact_of_slot[p->color_start[c] + i];
                assert_true(i == 0 || contact > p->contact_of_slot[p->color_start[c] + i - 1]);
                first = contact < first ? contact : first;
            }
        assert_true(first > last);
        last = first;
    }
}

/* Contacts between neighbors, but for every LINKS-th body: islands of LINKS bodies each, whatever
 * the order of the contacts, of which threads have a part each. */
static void chains(void **state)
{
    (void)state;
    enum { ROWS = 20000, LINKS = 97, STRIDE = 7919 };
    static plu_contact_pair link[ROWS], pairs[ROWS];
    plu_error err = {0};
    plu_problem problem = {.moving = ROWS, .given = GIVEN};
    plu_layout *layout = plu_layout_create(&err);
    const int before = omp_get_max_threads();
    int n = 0;
    for (int i = 0; i + 1 < ROWS; i++)
        if ((i + 1) % LINKS)
            link[n++] = (plu_contact_pair){i, i + 1};
    assert_true(n % STRIDE);
    for (int threads = 1; threads <= 5; threads++)
        for (int order = 0; order < 3; order++) { /* ascending, descending, scattered */
            for (int c = 0; c < n; c++)
                pairs[c] = link[order == 0 ? c : order == 1 ? n - 1 - c : (long)c * STRIDE % n];
            omp_set_num_threads(threads);
            assert_int_equal(plu_layout_make(layout, &problem, n, pairs, NULL, true, &err), PLU_OK);
            assert_int_equal(problem.islands_count, (ROWS + LINKS - 1) / LINKS);
            for (int k = 0; k < problem.islands_count; k++)
                for (int i = problem.islands[k].body_begin; i < problem.islands[k].body_end; i++)
                    assert_int_equal(problem.island_body[i] / LINKS, k);
        }
    omp_set_num_threads(before);
    plu_layout_destroy(layout);
}

/* The same slots by any number of threads. */
static void sorted_graph(int contacts, int rows, int hub)
{
    draw d = {(uint64_t)contacts};
    plu_error err = {0};
    plu_problem problem = {.moving = rows, .given = GIVEN};
    plu_layout *layout = plu_layout_create(&err);
    plu_contact_pair *pairs = malloc((size_t)contacts * sizeof *pairs);
    int *slots = malloc((size_t)contacts * sizeof *slots);
    random_pairs(&d, contacts, rows, hub, pairs);
    for (int c = 0; c < contacts; c++)
        if (pairs[c].a >= rows) /* as contacts with walls are listed by body, whatever the wall */
            pairs[c].a = rows;
        else if (pairs[c].a > pairs[c].b)
            pairs[c] = (plu_contact_pair){pairs[c].b, pairs[c].a};
    qsort(pairs, (size_t)contacts, sizeof *pairs, by_place);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(plu_layout_make(layout, &problem, contacts, pairs, NULL, true, &err),
                         PLU_OK);
        check_order(&problem);
        if (threads == 1)
            memcpy(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
        assert_memory_equal(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
    }
    omp_set_num_threads(before);
    plu_layout_destroy(layout);
    free(slots);
    free(pairs);
}

static void sorted_graphs(void **state)
{
    (void)state;
    sorted_graph(60, 100, 0);
    sorted_graph(20000, 7000, 0);
    sorted_graph(20000, 40000, 0); /* many islands */
    sorted_graph(30000, 20000, 4); /* overflow */
}

enum { EDGE = 4 }; /* of the cells of tiles */

/* Points in a box that meet where they are near, so that cells mean something: `far` of them meet
 * one that is anywhere. Along axis k the box goes on with itself after around[k] cells, if not 0.
 */
static int near_pairs(draw *d, int rows, double side, int far, const int around[3],
                      plu_body_cell *cell, plu_contact_pair *pairs)
{
    double(*x)[3] = malloc((size_t)rows * sizeof *x);
    int count = 0;
    for (int i = 0; i < rows; i++) {
        int at[3];
        for (int k = 0; k < 3; k++) {
            x[i][k] = around[k] ? draw_uniform(d, 0.0, EDGE * around[k])
                                : draw_uniform(d, -0.5 * side, 0.5 * side);
            at[k] = (int)floor(x[i][k] / EDGE);
        }
        cell[i] = plu_cell_at(at);
    }
    for (int i = 0; i < rows; i++) {
        if (i % 7 == 0)
            pairs[count++] = (plu_contact_pair){rows + i % GIVEN, i};
        for (int j = i + 1; j < rows; j++) {
            double square = 0.0;
            for (int k = 0; k < 3 && square < 1.0; k++) {
                double apart = x[i][k] - x[j][k];
                if (around[k] && fabs(apart) > 0.5 * EDGE * around[k])
                    apart -= copysign(EDGE * around[k], apart);
                square += apart * apart;
            }
            if (square < 1.0)
                pairs[count++] = (plu_contact_pair){i, j};
        }
    }
    for (int i = 0; i < far; i++)
        pairs[count++] = (plu_contact_pair){i, rows - 1 - i};
    free(x);
    return count;
}

/* The tiles that touch a body, in their order, have each its turn in the cell of the body; a tile
 * without claims is the last of its island. */
static void check_turns_of_cell(const plu_problem *p, const plu_island *island, int cell,
                                const int *tile_of_slot)
{
    int *left = malloc((size_t)p->slots * sizeof *left), last = p->turns.visits[cell];
    const int first = p->group_start[island->group_begin], end = p->group_start[island->group_end];
    for (int t = first; t < end; t++) {
        left[t] = 0;
        for (int k = 0; k < PLU_CLAIMS && p->turns.claim[t][k].cell >= 0; k++)
            left[t] = p->turns.claim[t][k].cell == cell ? p->turns.claim[t][k].left : left[t];
        if (left[t] > 0) {
            assert_int_equal(left[t], last);
            last--;
        }
    }
    assert_int_equal(last, 0);
    for (int i = p->cell_start[cell]; i < p->cell_start[cell + 1]; i++)
        for (int slot = island->slot_begin; slot < island->slot_end; slot++) {
            const plu_contact_pair e = p->pair_of_slot[slot];
            const int t = tile_of_slot[slot];
            if (e.a != p->island_body[i] && e.b != p->island_body[i])
                continue;
            assert_true(left[t] > 0 || (p->turns.claim[t][0].cell < 0 && t == end - 1));
        }
    free(left);
}

static void check_turns(const plu_problem *p)
{
    int *tile_of_slot = malloc((size_t)p->slots * sizeof *tile_of_slot);
    for (int k = 0; k < p->islands_count; k++) {
        const plu_island *island = &p->islands[k];
        if (!island->tiled)
            continue;
        for (int t = p->group_start[island->group_begin]; t < p->group_start[island->group_end];
             t++)
            for (int slot = p->color_start[p->tiles[t].color_begin];
                 slot < plu_tile_end(p, &p->tiles[t]); slot++)
                tile_of_slot[slot] = t;
        for (int cell = island->cell_begin; cell < island->cell_end; cell += 11)
            check_turns_of_cell(p, island, cell, tile_of_slot);
    }
    free(tile_of_slot);
}

/* No contact belongs to the last tile, which waits for all others. */
static void check_nothing_is_far(const plu_problem *p)
{
    for (int k = 0; k < p->islands_count; k++)
        if (p->islands[k].tiled)
            for (int t = p->group_start[p->islands[k].group_begin];
                 t < p->group_start[p->islands[k].group_end]; t++)
                assert_true(p->turns.claim[t][0].cell >= 0);
}

/* Large islands in tiles: the same by any number of threads. */
static void cut_graph(int rows, double side, int far, const int around[3])
{
    draw d = {(uint64_t)rows};
    plu_error err = {0};
    plu_problem problem = {.moving = rows, .given = GIVEN};
    plu_layout *layout = plu_layout_create(&err);
    plu_body_cell *cell = malloc((size_t)rows * sizeof *cell);
    plu_contact_pair *pairs = malloc((size_t)rows * 100 * sizeof *pairs);
    const int contacts = near_pairs(&d, rows, side, far, around, cell, pairs);
    int *slots = malloc((size_t)contacts * sizeof *slots);
    const int before = omp_get_max_threads();
    plu_layout_close(layout, around);
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(plu_layout_make(layout, &problem, contacts, pairs, cell, true, &err),
                         PLU_OK);
        if (threads == 1)
            memcpy(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
        assert_memory_equal(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
    }
    omp_set_num_threads(before);
    int tiled = 0;
    for (int k = 0; k < problem.islands_count; k++) {
        tiled += problem.islands[k].tiled;
        assert_int_equal(problem.islands[k].tiled, problem.islands[k].contacts >= PLU_TILED);
    }
    assert_true(tiled > 0);
    check_turns(&problem);
    if (far == 0)
        check_nothing_is_far(&problem);
    check_tiles(&problem, pairs);
    check_colors(&problem, pairs);
    check_slots(&problem);
    check_islands(&problem, pairs);
    plu_layout_destroy(layout);
    free(cell);
    free(pairs);
    free(slots);
}

static void cut_graphs(void **state)
{
    (void)state;
    const int open[3] = {0}, closed[3] = {4, 6, 4}, slab[3] = {0, 4, 0}, two[3] = {2, 10, 6};
    cut_graph(9000, 18.0, 0, open);
    cut_graph(9000, 18.0, 50, open); /* contacts that reach over many cells */
    cut_graph(2000, 4.5, 0, open);   /* few cells: the overflow color, tiles all the same */
    cut_graph(7300, 0.0, 0, closed);
    cut_graph(8500, 18.0, 50, slab);
    cut_graph(8200, 0.0, 0, two); /* two cells are neighbors on both sides */
}

/* What is too far out to count belongs to the last cells; the others have one each. */
static void far_cells(void **state)
{
    (void)state;
    const int last = PLU_CELLS - 1, far[3] = {INT_MAX, INT_MIN, PLU_CELLS};
    assert_true(plu_cell_at(far) == plu_cell_at((int[3]){last, -PLU_CELLS, last}));
    assert_true(plu_cell_at((int[3]){last, 0, 0}) != plu_cell_at((int[3]){last - 1, 0, 0}));
    assert_true(plu_cell_at((int[3]){0, -PLU_CELLS, 0}) ==
                (uint64_t)PLU_CELLS * (1 + ((uint64_t)1 << 42)));
    assert_int_equal(plu_cell_at((int[3]){-PLU_CELLS, -PLU_CELLS, -PLU_CELLS}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs), cmocka_unit_test(chains),
                                       cmocka_unit_test(sorted_graphs),
                                       cmocka_unit_test(cut_graphs), cmocka_unit_test(far_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
