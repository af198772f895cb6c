/* Numbers of single grains in a frame (pluvia/grains.h), from the contacts of the last step. */
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include "world/world.h"
#include <string.h>

enum { ANY = PLU_OUT_TORQUE | PLU_OUT_STRESS | PLU_OUT_DISSIPATION | PLU_OUT_COORDINATION };

bool plu_grain_rows_asked(const plu_scene *scene)
{
    return (scene->output->quantities & ANY) != 0;
}

void plu_grain_rows_take(plu_trajectory *t, const plu_step_info *info)
{
    const plu_world *w = t->world;
    PLU_SPHERES_ARE_BODIES; /* a view has a row a sphere */
    plu_view view = {.bodies = w->spheres.count,
                     .state = w->bodies.state,
                     .fixed = w->fixed > 0 ? w->bodies.rest : NULL,
                     .fixed_mark = PLU_FIXED,
                     .radius = {w->spheres.at[0] + 3, 4},
                     .contact = t->rows,
                     .dt = w->step};
    const int contacts = info ? plu_stepper_contacts(t->stepper) : 0;
    memset(t->grains, 0, (size_t)t->bodies * sizeof *t->grains);
    for (int next = 0; next < contacts;) {
        view.contacts = 0;
        for (; next < contacts && view.contacts < PLU_BLOCK; next++)
            plu_stepper_contact(t->stepper, next, &t->rows[view.contacts++]);
        plu_grains_add(t->grains, &view, true);
    }
}

const double *plu_grain_rows_torque(const plu_trajectory *t)
{
    for (int i = 0; i < t->bodies; i++)
        memcpy(t->buffer + 3 * (size_t)i, t->grains[i].torque, sizeof t->grains[i].torque);
    return t->buffer;
}

const double *plu_grain_rows_stress(const plu_trajectory *t)
{
    for (int i = 0; i < t->bodies; i++)
        memcpy(t->buffer + 9 * (size_t)i, t->grains[i].stress, sizeof t->grains[i].stress);
    return t->buffer;
}

const double *plu_grain_rows_dissipation(const plu_trajectory *t)
{
    for (int i = 0; i < t->bodies; i++)
        t->buffer[i] = t->grains[i].dissipation;
    return t->buffer;
}

const int *plu_grain_rows_coordination(const plu_trajectory *t)
{
    int *to = (int *)t->buffer;
    for (int i = 0; i < t->bodies; i++)
        to[i] = t->grains[i].coordination;
    return to;
}
