/* Colours, islands and slots of random contact graphs. */
#include "draw.h"
#include "near.h"
#include "problem/problem.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int random_ends(draw *d, int contacts, int rows, int hub, plu_ends *ends)
{
    for (int c = 0; c < contacts; c++) {
        const int b = (int)draw_uniform(d, 0.0, rows), kind = (int)draw_uniform(d, 0.0, 10.0);
        int a = (int)draw_uniform(d, 0.0, rows);
        if (kind == 0 || a == b)
            a = -1;
        else if (kind < hub) /* one big body that touches many */
            a = 0;
        if (a == b)
            a = -1;
        ends[c] = (plu_ends){a, b};
    }
    return contacts;
}

/* No colour holds two contacts with a common moving body, the overflow colour aside. */
static void check_colors(const plu_problem *p, const plu_ends *ends)
{
    int *last = malloc((size_t)p->rows * sizeof *last), color = 0;
    memset(last, -1, (size_t)p->rows * sizeof *last);
    for (int i = 0; i < p->islands_count; i++) {
        const plu_island *island = &p->islands[i];
        for (int c = island->color_begin; c < island->color_end; c++, color++) {
            if (island->serial_tail && c == island->color_end - 1)
                continue;
            for (int slot = p->color_start[c]; slot < p->color_start[c] + p->color_count[c];
                 slot++) {
                const plu_ends e = ends[p->contact_of_slot[slot]];
                assert_true(last[e.b] != color && (e.a < 0 || last[e.a] != color));
                last[e.b] = color;
                if (e.a >= 0)
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
    for (int i = 0; i < p->islands_count; i++)
        for (int c = p->islands[i].color_begin; p->islands[i].padded && c < p->islands[i].color_end;
             c++)
            assert_int_equal(p->color_start[c] % PLU_LANES, 0);
}

/* Bodies of different islands never meet; bodies of one island are connected (by repeated spreading
 * of the smallest label). */
static void check_islands(const plu_problem *p, const plu_ends *ends)
{
    int *island = malloc((size_t)p->rows * sizeof *island);
    int *label = malloc((size_t)p->rows * sizeof *label);
    memset(island, -1, (size_t)p->rows * sizeof *island);
    for (int i = 0; i < p->islands_count; i++)
        for (int b = p->islands[i].body_begin; b < p->islands[i].body_end; b++) {
            assert_int_equal(island[p->island_body[b]], -1);
            island[p->island_body[b]] = i;
        }
    for (int i = 0; i < p->rows; i++)
        label[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int c = 0; c < p->contacts; c++) {
            const int a = ends[c].a, b = ends[c].b;
            assert_true(island[b] >= 0);
            if (a < 0)
                continue;
            assert_int_equal(island[a], island[b]);
            if (label[a] != label[b]) {
                label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                changed = 1;
            }
        }
    }
    int labels = 0;
    for (int i = 0; i < p->rows; i++)
        labels += island[i] >= 0 && label[i] == i;
    assert_int_equal(labels, p->islands_count);
    free(island);
    free(label);
}

static void graph(int contacts, int rows, int hub)
{
    draw d = {(uint64_t)contacts};
    plu_error err = {0};
    plu_problem problem = {0};
    plu_layout *layout = plu_layout_create(&err);
    plu_ends *ends = malloc((size_t)contacts * sizeof *ends + 1);
    random_ends(&d, contacts, rows, hub, ends);
    assert_int_equal(plu_layout_make(layout, &problem, contacts, rows, ends, true, &err), PLU_OK);
    check_colors(&problem, ends);
    check_slots(&problem);
    check_islands(&problem, ends);
    assert_int_equal(plu_layout_make(layout, &problem, contacts, rows, ends, false, &err), PLU_OK);
    assert_int_equal(problem.islands_count, contacts > 0);
    check_colors(&problem, ends);
    check_slots(&problem);
    plu_layout_destroy(layout);
    free(ends);
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
    graph(3000, 2000, 4); /* a hub with hundreds of contacts: the overflow colour */
}

static int by_place(const void *x, const void *y)
{
    const plu_ends *p = x, *q = y;
    if ((p->a < 0) != (q->a < 0))
        return p->a < 0 ? 1 : -1;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* In the order in which the detector lists contacts (pairs by the smaller body first, walls last)
 * islands come in the order of their first contacts, and a colour's contacts in theirs. */
static void check_order(const plu_problem *p)
{
    int last = -1;
    for (int k = 0; k < p->islands_count; k++) {
        const plu_island *island = &p->islands[k];
        int first = p->contacts;
        for (int c = island->color_begin; c < island->color_end; c++)
            for (int i = 0; i < p->color_count[c]; i++) {
                const int contact = p->contact_of_slot[p->color_start[c] + i];
                assert_true(i == 0 || contact > p->contact_of_slot[p->color_start[c] + i - 1]);
                first = contact < first ? contact : first;
            }
        assert_true(first > last);
        last = first;
    }
}

/* The same slots by any number of threads. */
static void sorted_graph(int contacts, int rows, int hub)
{
    draw d = {(uint64_t)contacts};
    plu_error err = {0};
    plu_problem problem = {0};
    plu_layout *layout = plu_layout_create(&err);
    plu_ends *ends = malloc((size_t)contacts * sizeof *ends);
    int *slots = malloc((size_t)contacts * sizeof *slots);
    random_ends(&d, contacts, rows, hub, ends);
    for (int c = 0; c < contacts; c++)
        if (ends[c].a > ends[c].b)
            ends[c] = (plu_ends){ends[c].b, ends[c].a};
    qsort(ends, (size_t)contacts, sizeof *ends, by_place);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(plu_layout_make(layout, &problem, contacts, rows, ends, true, &err),
                         PLU_OK);
        check_order(&problem);
        if (threads == 1)
            memcpy(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
        assert_memory_equal(slots, problem.slot_of_contact, (size_t)contacts * sizeof *slots);
    }
    omp_set_num_threads(before);
    plu_layout_destroy(layout);
    free(slots);
    free(ends);
}

static void sorted_graphs(void **state)
{
    (void)state;
    sorted_graph(60, 100, 0);
    sorted_graph(20000, 7000, 0);
    sorted_graph(20000, 40000, 0); /* many islands */
    sorted_graph(30000, 20000, 4); /* overflow */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs),
                                       cmocka_unit_test(sorted_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
