#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "step/penalty_law.h"
#include <math.h>
#include <stdlib.h>

/* What is made of a material. */
typedef struct use {
    int spheres;
    bool wall;
    double radius;        /* of the smallest sphere (m), the lightest too */
    double mass, inertia; /* 1/m and 1/I of it */
} use;

static void find_uses(const plu_world *w, use *uses)
{
    for (int i = 0; i < w->spheres.count; i++) {
        use *u = &uses[w->spheres.species[i]];
        if (u->spheres++ > 0 && w->spheres.at[i][3] >= u->radius)
            continue;
        u->radius = w->spheres.at[i][3];
        PLU_SPHERES_ARE_BODIES; /* the smallest is the lightest */
        u->mass = w->bodies.row[i][6];
        u->inertia = w->bodies.row[i][7];
    }
    for (int k = 0; k < w->parts_count; k++)
        uses[w->parts[k].material].wall = true;
}

/* The longest step for a sphere of `b` against one of `a`, or against a wall (NULL). */
static double of_pair(const plu_contact_law *law, const use *a, const use *b)
{
    const double ra = a ? a->radius : 0.0, rb = b->radius;
    const double ma = a ? a->mass : 0.0, ia = a ? a->inertia : 0.0;
    const double wn = ma + b->mass, wr = ia + b->inertia;
    const double wt = wn + ra * ra * ia + rb * rb * b->inertia;
    const plu_penalty_law l = plu_penalty_law_of(law, wn, wt, wr, a ? plu_min(ra, rb) : rb);
    double step = plu_penalty_step(l.kn, l.cn, wn);
    if (law->friction > 0.0)
        step = plu_min(step, plu_penalty_step(l.kt, l.ct, wt));
    if (law->rolling_friction > 0.0)
        step = plu_min(step, plu_penalty_step(l.kr, l.cr, wr));
    return step;
}

static double of_law(const plu_contact_law *law, const use *uses)
{
    const use *a = &uses[law->material[0]], *b = &uses[law->material[1]];
    const int meet = a == b ? a->spheres - 1 : a->spheres < b->spheres ? a->spheres : b->spheres;
    double step = HUGE_VAL;
    if (meet > 0)
        step = plu_min(step, of_pair(law, a, b));
    if (a->spheres > 0 && b->wall)
        step = plu_min(step, of_pair(law, NULL, a));
    if (b->spheres > 0 && a->wall)
        step = plu_min(step, of_pair(law, NULL, b));
    return step;
}

/* Two digits, not above x: a number that can be written into the scene. */
static double rounded_down(double x)
{
    const double unit = pow(10.0, floor(log10(x)) - 1.0);
    return floor(x / unit * (1.0 + 1e-12)) * unit;
}

plu_status plu_penalty_check_step(const plu_world *w, plu_error *err)
{
    const plu_scene *scene = w->scene;
    use *uses = plu_alloc((size_t)scene->materials_count, sizeof *uses, err);
    if (!uses)
        return PLU_IO;
    find_uses(w, uses);
    double longest = HUGE_VAL;
    int tightest = 0;
    for (int l = 0; l < scene->laws_count; l++) {
        const double step = of_law(&scene->laws[l], uses);
        if (step < longest) {
            longest = step;
            tightest = l;
        }
    }
    free(uses);
    if (scene->step <= longest)
        return PLU_OK;
    char place[PLU_PATH + 64];
    return plu_fail(err, PLU_BAD_INPUT,
                    "%s: time.step = %g s is too long for the springs of contacts[%d]: take at "
                    "most %.2g s, a tenth of their shortest period minus an allowance for damping "
                    "(softer springs and less damping allow more)",
                    plu_scene_where(scene, scene->step_where, place, sizeof place), scene->step,
                    tightest, rounded_down(longest));
}
