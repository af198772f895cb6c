/* states.h: spheres and contacts put together by hand, as a plu_view. */
#ifndef SUPPORT_STATES_H
#define SUPPORT_STATES_H

#include "near.h"
#include "pluvia/tool/measure.h"
#include <stdlib.h>
#include <string.h>

typedef struct made_state {
    plu_view view;
    int capacity;
    double (*row)[8]; /* x, radius, v, mass */
    unsigned char *state;
    plu_contact_row *contact;
} made_state;

static inline made_state *state_open(int spheres, int contacts)
{
    made_state *s = calloc(1, sizeof *s);
    s->capacity = spheres;
    s->row = calloc((size_t)spheres, sizeof *s->row);
    s->state = calloc((size_t)spheres, 1);
    s->contact = calloc((size_t)contacts + 1, sizeof *s->contact);
    s->view = (plu_view){.state = s->state,
                         .position = {s->row[0], 8},
                         .radius = {s->row[0] + 3, 8},
                         .velocity = {s->row[0] + 4, 8},
                         .mass = {s->row[0] + 7, 8},
                         .contact = s->contact,
                         .dt = 1e-3,
                         .gravity = {0.0, 0.0, -10.0}};
    return s;
}

static inline void state_close(made_state *s)
{
    free(s->row);
    free(s->state);
    free(s->contact);
    free(s);
}

static inline int state_sphere(made_state *s, double x, double y, double z, double radius)
{
    const int b = s->view.bodies++;
    assert_true(b < s->capacity);
    const double row[8] = {x, y, z, radius, 0.0, 0.0, 0.0, 1.0};
    memcpy(s->row[b], row, sizeof row);
    s->state[b] = PLU_ACTIVE;
    return b;
}

/* A contact between a (as in files) and b with the unit normal n from a to b and the
 * normal force `force`. */
static inline plu_contact_row *state_contact(made_state *s, int a, int b, double nx, double ny,
                                             double nz, double force)
{
    plu_contact_row *c = &s->contact[s->view.contacts++];
    const double n[3] = {nx, ny, nz};
    *c = (plu_contact_row){.a = plu_side_from_file(a, 0),
                           .b = b,
                           .impulse_normal = force * s->view.dt,
                           .mode = PLU_MODE_STICK};
    for (int i = 0; i < 3; i++) {
        c->normal[i] = n[i];
        c->point[i] = s->row[b][i] - s->row[b][3] * n[i];
    }
    return c;
}

/* Contacts with `force` between all spheres that touch. */
static inline void state_touch(made_state *s, double force)
{
    for (int a = 0; a < s->view.bodies; a++)
        for (int b = a + 1; b < s->view.bodies; b++) {
            const double *x = s->row[a], *y = s->row[b], reach = x[3] + y[3];
            const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
            const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (distance < reach * (1.0 + 1e-9))
                state_contact(s, a, b, d[0] / distance, d[1] / distance, d[2] / distance, force);
        }
}

/* And with the six faces of the box from 0 to `size`. */
static inline void state_touch_box(made_state *s, double size, double force)
{
    for (int b = 0; b < s->view.bodies; b++)
        for (int i = 0; i < 3; i++)
            for (int side = 0; side < 2; side++) {
                const double gap = (side ? size - s->row[b][i] : s->row[b][i]) - s->row[b][3];
                const double sign = side ? -1.0 : 1.0;
                if (fabs(gap) < 1e-9 * size)
                    state_contact(s, -1 - 2 * i - side, b, i == 0 ? sign : 0.0, i == 1 ? sign : 0.0,
                                  i == 2 ? sign : 0.0, force);
            }
}

/* n^3 spheres of diameter 1 on a simple cubic lattice that fills the box from 0 to n. */
static inline made_state *state_simple_cubic(int n, double force)
{
    made_state *s = state_open(n * n * n, 3 * n * n * (n + 1));
    for (int k = 0; k < n * n * n; k++)
        state_sphere(s, k % n + 0.5, k / n % n + 0.5, (double)(k / (n * n)) + 0.5, 0.5);
    state_touch(s, force);
    state_touch_box(s, n, force);
    return s;
}

/* n^3 cubic cells of edge 1 of a face-centered lattice, with touching spheres. */
static inline made_state *state_face_centered(int n, double force)
{
    static const double place[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    made_state *s = state_open(4 * n * n * n, 24 * n * n * n);
    for (int k = 0; k < n * n * n; k++)
        for (int i = 0; i < 4; i++)
            state_sphere(s, k % n + place[i][0], k / n % n + place[i][1],
                         (double)(k / (n * n)) + place[i][2], sqrt(0.125));
    state_touch(s, force);
    return s;
}

#endif
