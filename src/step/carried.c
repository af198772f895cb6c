/* Shifts of bodies on boundaries that start, stop or follow a table: carried.h has the equation.
 *
 *     v |      ____ V(t)      the boundary goes the area below its true V(t): h W
 *       |    /:               its bodies go that of the theta rule: h (theta V_{k+1} + ...)
 *       |___/ :               they are shifted along the normal by the difference
 *       '--+--+---> t
 *          k  k+1
 *
 * 1. Find what differs for each boundary (stray_of); nothing in most steps. 2. Bodies that bear
 * something of such a boundary are shifted with it, through the contacts of their island, if all
 * boundaries of the island agree. */
#include "step/carried.h"
#include "assemble/servo_rows.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/integrate.h"
#include "step/stepper.h"
#include "world/motion.h"
#include <stdlib.h>
#include <string.h>

/* What the way of a boundary differs from what the theta rule makes of its velocities, for a theta:
 * over h (m/s, rad/s). */
typedef struct stray {
    double along[3], spin;
} stray;

typedef enum touch {
    FREE,    /* bears nothing */
    BEARS,   /* something, but no boundary that strays */
    LEANS,   /* bears something, on walls too that do not stray */
    CARRIED, /* bears something on a wall that strays */
} touch;

struct plu_carried {
    bool any;         /* in this step */
    touch *how;       /* by body */
    double (*way)[3]; /* by body: its shift (m) */
};

/* Directions in which the boundaries of an island push, and the motion that they have in common. */
typedef struct common {
    double axis[3][3];
    int axes;
    const plu_pose *pose; /* NULL: none strays */
    bool torn;            /* two boundaries stray in different ways */
} common;

/* Of a change of velocity that is a hit: what approaches by this and more lands wholly, and what is
 * in touch with a surface that turns hardly. */
static const double touches = 0.1;

enum { ROUNDS = 8 }; /* over the walls that a body touches */

plu_carried *plu_carried_create(const plu_stepper *s, plu_error *err)
{
    const size_t count = s->world->motions_count > 0 ? (size_t)s->world->bodies.count : 1;
    plu_carried *c = plu_alloc(1, sizeof *c, err);
    if (!c)
        return NULL;
    c->how = plu_alloc(count, sizeof *c->how, err);
    c->way = plu_alloc(count, sizeof *c->way, err);
    if (c->how && c->way)
        return c;
    plu_carried_free(c);
    return NULL;
}

void plu_carried_free(plu_carried *c)
{
    if (!c)
        return;
    free(c->how);
    free(c->way);
    free(c);
}

static stray stray_of(const plu_pose *p, double theta)
{
    stray s = {.spin = p->spin[PLU_MEAN] - (theta * p->spin[1] + (1.0 - theta) * p->spin[0])};
    for (int k = 0; k < 3; k++)
        s.along[k] = p->velocity[PLU_MEAN][k] -
                     (theta * p->velocity[1][k] + (1.0 - theta) * p->velocity[0][k]);
    return s;
}

/* Whether its velocity changes, or its way is not that of its velocity. */
static bool strays(const plu_pose *p)
{
    static const double rounding = 1e-12;
    if (!p || !p->moves || p->servo || p->gone)
        return false;
    const stray s = stray_of(p, 1.0);
    double change[3];
    plu_sub(p->velocity[1], p->velocity[0], change);
    return plu_norm(change) > 0.0 || p->spin[1] != p->spin[0] ||
           plu_norm(s.along) > rounding * plu_norm(p->velocity[1]) ||
           fabs(s.spin) > rounding * fabs(p->spin[1]);
}

/* Whether it does so by more than rounding where bodies move by the theta of the scene: those that
 * do not touch it are to know then. */
static bool strays_far(const plu_pose *p, double theta)
{
    static const double rounding = 1e-9;
    const stray s = stray_of(p, theta);
    double speed = 0.0, spin = 0.0;
    for (int which = 0; which < PLU_RATES; which++) {
        speed = plu_max(speed, plu_norm(p->velocity[which]));
        spin = plu_max(spin, fabs(p->spin[which]));
    }
    return plu_norm(s.along) > rounding * speed || fabs(s.spin) > rounding * spin;
}

/* The stray of the point that is `arm` from the center (m/s). */
static void point_of(const plu_pose *p, const stray *s, const double arm[3], double speed[3])
{
    plu_cross(p->axis, arm, speed);
    for (int k = 0; k < 3; k++)
        speed[k] = s->along[k] + s->spin * speed[k];
}

static const plu_contact *live_wall(const plu_stepper *s, int live)
{
    return &s->contacts->contact[s->contacts->live[live]];
}

static bool bears(const plu_stepper *s, int live)
{
    return s->contacts->impulse[s->contacts->live[live]].n > 0.0;
}

/* Where the sphere of a contact touches a boundary, from its center. */
static void arm_of(const plu_world *w, const plu_pose *pose, const plu_contact *c, double arm[3])
{
    plu_pose_arm(pose, w->spheres.at[c->b], arm);
    plu_add_scaled(arm, -(w->spheres.at[c->b][3] + c->gap), c->normal);
}

static double theta_of(const plu_stepper *s, int body)
{
    double change[3];
    plu_sub(s->problem.v[body], s->world->bodies.row[body], change);
    return plu_theta_of(s, body, change);
}

/* Notes which bodies touch what. */
static void note(const plu_stepper *s, int live, touch how)
{
    const plu_world *w = s->world;
    const plu_contact *c = live_wall(s, live);
    touch *b = &s->carried->how[plu_owner(&w->spheres, c->b)];
    *b = *b > how ? *b : how;
    if (plu_side_is_sphere(c->a)) {
        touch *a = &s->carried->how[plu_side_owner(w, c->a)];
        *a = *a > how ? *a : how;
    }
}

/* How much faster along the normal a body should go that lands by less than plu_integrate calls a
 * hit: by the new relative velocity alone, so that its gap closes, and what is left of its speed
 * then does not drive it into the wall (m/s). */
static double rest_of_landing(const plu_stepper *s, int body, const plu_contact *c, double theta)
{
    const plu_world *w = s->world;
    const plu_pose *pose = plu_side_pose(w, c->a);
    if (!w->lands || !plu_law_of(w, c)->lands || !(c->approach < 0.0))
        return 0.0;
    const double share = plu_min(-c->approach / (touches * s->hit), 1.0);
    stray gained = {.spin = pose->spin[1] - pose->spin[0]};
    double arm[3], carried[3], change[3];
    plu_sub(pose->velocity[1], pose->velocity[0], gained.along);
    arm_of(w, pose, c, arm);
    point_of(pose, &gained, arm, carried);
    plu_sub(s->problem.v[body], w->bodies.row[body], change);
    return share * (1.0 - theta) * (plu_dot(change, c->normal) - plu_dot(carried, c->normal));
}

/* Makes the way of a body that of its walls along their normals; where they are at odds it is
 * between them. */
static void fit(const plu_stepper *s, int body, int begin, int end)
{
    const plu_world *w = s->world;
    const double theta = theta_of(s, body);
    double *way = s->carried->way[body];
    for (int round = 0; round < ROUNDS; round++)
        for (int live = begin; live < end; live++) {
            const plu_contact *c = live_wall(s, live);
            const plu_pose *pose = plu_side_pose(w, c->a);
            double arm[3], speed[3], wanted = 0.0;
            if (!bears(s, live))
                continue;
            if (strays(pose)) {
                const stray of = stray_of(pose, theta);
                arm_of(w, pose, c, arm);
                point_of(pose, &of, arm, speed);
                wanted = plu_dot(speed, c->normal) + rest_of_landing(s, body, c, theta);
            }
            plu_add_scaled(way, w->step * wanted - plu_dot(way, c->normal), c->normal);
        }
}

static bool same_motion(const plu_pose *a, const plu_pose *b)
{
    const bool turn = a->turns || b->turns;
    return memcmp(a->velocity, b->velocity, sizeof a->velocity) == 0 &&
           memcmp(a->spin, b->spin, sizeof a->spin) == 0 &&
           (!turn || (memcmp(a->center, b->center, sizeof a->center) == 0 &&
                      memcmp(a->axis, b->axis, sizeof a->axis) == 0));
}

static void add_axis(common *of, const double normal[3])
{
    static const double beside = 0.1;
    double rest[3];
    memcpy(rest, normal, sizeof rest);
    for (int k = 0; k < of->axes; k++)
        plu_add_scaled(rest, -plu_dot(normal, of->axis[k]), of->axis[k]);
    const double length = plu_norm(rest);
    if (of->axes == 3 || length < beside)
        return;
    for (int k = 0; k < 3; k++)
        of->axis[of->axes][k] = rest[k] / length;
    of->axes++;
}

/* The first live contact with a wall of the sphere of contact `live`, and one past its last. */
static int end_of_sphere(const plu_stepper *s, int live)
{
    const int b = live_wall(s, live)->b;
    while (live < s->contacts->live_count && live_wall(s, live)->b == b)
        live++;
    return live;
}

/* The bodies of an island that bear something, but do not touch what strays, go along with it. */
static void take_along(const plu_stepper *s, const plu_island *island, const common *of)
{
    const plu_world *w = s->world;
    const stray straying = stray_of(of->pose, w->scene->theta);
    plu_carried *carried = s->carried;
    for (int k = island->body_begin; k < island->body_end; k++) {
        const int body = s->problem.island_body[k];
        double arm[3], speed[3];
        if (body >= w->bodies.count || carried->how[body] == FREE || !plu_awake(w, body))
            continue;
        if (theta_of(s, body) != w->scene->theta)
            continue;
        plu_pose_arm(of->pose, w->bodies.position[body], arm);
        point_of(of->pose, &straying, arm, speed);
        for (int i = 0; i < of->axes; i++)
            plu_add_scaled(carried->way[body], w->step * plu_dot(speed, of->axis[i]), of->axis[i]);
    }
}

/* What the live contacts with walls say of the islands that their bodies are in. */
static void gather(const plu_stepper *s, const int *island_of, common *of)
{
    const plu_world *w = s->world;
    for (int live = s->first_wall; live < s->contacts->live_count; live++) {
        const plu_contact *c = live_wall(s, live);
        const plu_pose *pose = plu_side_pose(w, c->a);
        const int island = island_of[plu_owner(&w->spheres, c->b)];
        if (!bears(s, live) || island < 0 || !strays(pose) || !strays_far(pose, w->scene->theta))
            continue;
        common *own = &of[island];
        own->torn |= own->pose && !same_motion(own->pose, pose);
        own->pose = own->pose ? own->pose : pose;
        add_axis(own, c->normal);
    }
}

/* Shifts of what is carried by others. PLU_OK or PLU_IO. */
static plu_status find_indirect(const plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    const plu_problem *p = &s->problem;
    bool far = false;
    for (int m = 0; m < w->motions_count; m++)
        far |= strays(&w->motions[m].pose) && strays_far(&w->motions[m].pose, w->scene->theta);
    if (!far || p->islands_count == 0)
        return PLU_OK;
    common *of = plu_alloc((size_t)p->islands_count, sizeof *of, err);
    int *island_of = plu_alloc((size_t)w->bodies.count, sizeof *island_of, err);
    if (of && island_of) {
        memset(island_of, 0xff, (size_t)w->bodies.count * sizeof *island_of);
        for (int k = 0; k < p->islands_count; k++)
            for (int i = p->islands[k].body_begin; i < p->islands[k].body_end; i++) {
                const int body = p->island_body[i];
                island_of[body] = k;
                of[k].torn |= body < w->bodies.count && plu_is_fixed(w, body);
            }
        for (int live = 0; live < s->first_wall; live++)
            if (bears(s, live))
                note(s, live, BEARS);
        gather(s, island_of, of);
        for (int k = 0; k < p->islands_count; k++)
            if (of[k].pose && !of[k].torn)
                take_along(s, &p->islands[k], &of[k]);
    }
    const plu_status status = of && island_of ? PLU_OK : PLU_IO;
    free(of);
    free(island_of);
    return status;
}

/* The shifts of this step. PLU_OK or PLU_IO. */
static plu_status find(const plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    plu_carried *c = s->carried;
    c->any = false;
    for (int m = 0; m < w->motions_count && s->scene->method == PLU_NONSMOOTH; m++)
        c->any |= strays(&w->motions[m].pose);
    if (!c->any)
        return PLU_OK;
    const size_t count = (size_t)w->bodies.count;
    memset(c->how, 0, count * sizeof *c->how);
    memset(c->way, 0, count * sizeof *c->way);
    for (int live = s->first_wall; live < s->contacts->live_count; live++)
        if (bears(s, live))
            note(s, live, strays(plu_side_pose(w, live_wall(s, live)->a)) ? CARRIED : LEANS);
    const plu_status status = find_indirect(s, err);
    for (int live = s->first_wall, end; live < s->contacts->live_count; live = end) {
        const int body = plu_owner(&w->spheres, live_wall(s, live)->b);
        end = end_of_sphere(s, live);
        if (c->how[body] >= LEANS)
            fit(s, body, live, end);
    }
    return status;
}

static void shift(plu_stepper *s)
{
    PLU_SPHERES_ARE_BODIES; /* the sphere moves along */
    const plu_world *w = s->world;
    const plu_carried *c = s->carried;
    double lifted = 0.0;
    for (int i = 0; i < w->bodies.count && c->any; i++) {
        if (c->how[i] == FREE || !plu_awake(w, i) || w->bodies.state[i] != PLU_ACTIVE)
            continue;
        const double gained = plu_dot(w->gravity, c->way[i]) / w->bodies.row[i][6];
        plu_add_scaled(w->bodies.position[i], 1.0, c->way[i]);
        lifted -= gained;
        if (s->projects)
            plu_exact_add(&s->potential[i / PLU_BODY_CHUNK], gained);
    }
    s->totals.work_boundary += lifted;
}

plu_status plu_carried_integrate(plu_stepper *s, plu_error *err)
{
    plu_status status = plu_integrate_begin(s, err);
    if (status == PLU_OK)
        status = find(s, err);
    if (status == PLU_OK)
        status = plu_integrate(s, err);
    if (status == PLU_OK)
        shift(s);
    return status;
}
