/* What each of several contacts of a sphere with one wall attracts it by (wall_share.h has the
 * law):
 *
 *         P  load of the sphere, in F_c          q: what pulls along -n_i can bear of P,
 *       \ | /                                       min |P - sum q_i n_i|^2 ,  0 <= q_i <= w_i ,
 *     n_1 \|/ n_2                                   by coordinate descent from q in proportion to w
 *      ----o----                                 l: what is left of F_c, by w alone,
 *     facets of a mesh                              |sum (q_i + l w_i) n_i| = 1
 *
 * With B = sum q_i n_i and N = sum w_i n_i the last is a square equation, |B + l N|^2 = 1, whose
 * root l >= 0 is (sqrt((B.N)^2 + N.N (1 - B.B)) - B.N) / N.N. In a flat wall that gives the one F_c
 * of a single contact, however many facets the sphere touches. */
#include "assemble/wall_share.h"
#include "base/vec3.h"
#include "detect/curve.h"
#include "detect/fold_way.h"
#include "world/loads.h"
#include <math.h>

enum {
    MOST = 32,  /* contacts among which the load is shared out; more of them go by their weights */
    SWEEPS = 30 /* for q; of folds of a few degrees they leave what is along the surface */
};

/* Normals the sum of which has a smaller square show nowhere. */
#define NONE 1e-12

/* Shares that change by less in a sweep change no more. */
#define SETTLED 1e-12

/* Contacts first to end - 1 of the list, of a sphere with parts of a wall. */
typedef struct group {
    const plu_contacts *list;
    int first, end, attract; /* attract: how many are within the range */
    int along;               /* the one that the sphere goes along; -1: there is none */
    double nearest;          /* the largest weight */
} group;

static double weight_of(const plu_world *w, const plu_contact *c)
{
    static const double least = 1e-9; /* one at the very end is attracted */
    const double range = plu_attracts_up_to(w, c, plu_law_of(w, c));
    if (c->gap > range)
        return 0.0;
    return plu_max(1.0 - plu_max(c->gap, 0.0) / range, least);
}

/* Whether contact `at` of the list is there, and is one of c's sphere with its wall. */
static bool belongs(const plu_world *w, const plu_contacts *list, int at, const plu_contact *c)
{
    if (at < 0 || at >= list->count)
        return false;
    const plu_contact *other = &list->contact[at];
    if (other->b != c->b || !plu_side_is_part(other->a))
        return false;
    const plu_part *p = plu_side_surface(w, c->a), *q = plu_side_surface(w, other->a);
    return p->boundary == q->boundary && p->wall == q->wall;
}

/* The square of the velocity of the sphere against the wall, where it is (m^2/s^2). */
static double square_speed(const plu_world *w, const plu_contact *c)
{
    const plu_pose *pose = plu_side_pose(w, c->a);
    double u[3] = {0.0, 0.0, 0.0}, arm[3];
    if (pose && pose->moves) {
        plu_pose_arm(pose, w->spheres.at[c->b], arm);
        plu_pose_velocity(pose, 0, arm, c->normal, u);
    }
    plu_sub(plu_sphere_velocity(w, c->b), u, u);
    return plu_dot(u, u);
}

/* The contact that a fast sphere goes along: over folds of the surface (detect/fold.c), or else
 * that which it leaves and comes nearer to most slowly. */
static int along_of(const plu_world *w, const plu_contacts *list, const group *g)
{
    int along = -1;
    if (g->end - g->first < 2 || !(square_speed(w, &list->contact[g->first]) > plu_least_way(w)))
        return -1;
    for (int k = g->first; k < g->end; k++) {
        const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, k) : NULL;
        if (swift && swift->fold)
            return k;
        if (along < 0 || fabs(list->contact[k].approach) < fabs(list->contact[along].approach))
            along = k;
    }
    return along;
}

/* Facets beside the one that a fast sphere goes along, which continue it, do not attract: before a
 * fold the next one would pull the sphere on, but what goes over it turns in one step, and after it
 * the last one would hold it back. */
static bool is_beside(const group *g, int k)
{
    return g->along >= 0 && k != g->along &&
           plu_dot(g->list->contact[k].normal, g->list->contact[g->along].normal) >=
               PLU_SMOOTH_FOLD;
}

static group group_of(const plu_world *w, const plu_contacts *list, int at)
{
    const plu_contact *c = &list->contact[at];
    group g = {.list = list, .first = at, .end = at + 1, .along = -1};
    while (belongs(w, list, g.first - 1, c))
        g.first--;
    while (belongs(w, list, g.end, c))
        g.end++;
    g.along = along_of(w, list, &g);
    for (int k = g.first; k < g.end; k++) {
        const double weight = is_beside(&g, k) ? 0.0 : weight_of(w, &list->contact[k]);
        g.attract += weight > 0.0;
        g.nearest = plu_max(g.nearest, weight);
    }
    return g;
}

/* What weight and loads pull the sphere with (N). */
static void pull_on(const plu_world *w, int sphere, double pull[3])
{
    PLU_SPHERES_ARE_BODIES; /* the load of a body is that of its sphere */
    const int body = plu_owner(&w->spheres, sphere);
    const plu_load *load = plu_load_of(w, body);
    for (int k = 0; k < 3; k++)
        pull[k] = w->gravity[k] / w->bodies.row[body][6] + (load ? load->acting[k] : 0.0);
}

/* Contact k of the group; its weight over the largest. */
static double weight_in(const plu_world *w, const group *g, int k)
{
    const int at = g->first + k;
    return is_beside(g, at) ? 0.0 : weight_of(w, &g->list->contact[at]) / g->nearest;
}

static const double *normal_in(const group *g, int k)
{
    return g->list->contact[g->first + k].normal;
}

/* q of the contacts, from what all of them bear alike on, and what they bear. `mean`: sum of w n.
 */
static void bear(const plu_world *w, const group *g, const double mean[3], double q[MOST],
                 double borne[3])
{
    const plu_contact *c = &g->list->contact[g->first];
    const double all = plu_law_of(w, c)->cohesion, square = plu_dot(mean, mean);
    const int count = g->end - g->first;
    double rest[3];
    pull_on(w, c->b, rest);
    for (int k = 0; k < 3; k++)
        rest[k] /= all;
    const double along = square > NONE ? plu_dot(rest, mean) / square : 0.0;
    const double alike = plu_max(0.0, plu_min(along, 1.0));
    plu_add_scaled(rest, -alike, mean);
    plu_add_scaled(borne, alike, mean);
    for (int k = 0; k < count; k++)
        q[k] = alike * weight_in(w, g, k);
    double change = 1.0;
    for (int sweep = 0; sweep < SWEEPS && change > SETTLED; sweep++) {
        change = 0.0;
        for (int k = 0; k < count; k++) {
            const double old = q[k], next = old + plu_dot(normal_in(g, k), rest);
            q[k] = plu_max(0.0, plu_min(next, weight_in(w, g, k)));
            change = plu_max(change, fabs(q[k] - old));
            plu_add_scaled(rest, old - q[k], normal_in(g, k));
            plu_add_scaled(borne, q[k] - old, normal_in(g, k));
        }
    }
}

double plu_wall_share(const plu_world *w, const plu_contacts *list, int at)
{
    const group g = group_of(w, list, at);
    const int count = g.end - g.first;
    double q[MOST] = {0.0}, borne[3] = {0.0, 0.0, 0.0}, mean[3] = {0.0, 0.0, 0.0};
    if (is_beside(&g, at))
        return 0.0;
    if (g.attract <= 1)
        return 1.0;
    for (int k = 0; k < count; k++)
        plu_add_scaled(mean, weight_in(w, &g, k), normal_in(&g, k));
    if (count <= MOST)
        bear(w, &g, mean, q, borne);
    const double own = count <= MOST ? q[at - g.first] : 0.0, bears = plu_norm(borne),
                 square = plu_dot(mean, mean), both = plu_dot(borne, mean);
    if (bears >= 1.0)
        return plu_min(1.0, own / bears);
    if (square <= NONE) /* the sides of a slot: each attracts */
        return 1.0;
    const double more = (sqrt(both * both + square * (1.0 - bears * bears)) - both) / square;
    return plu_min(1.0, own + more * weight_in(w, &g, at - g.first));
}
