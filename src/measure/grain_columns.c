#include "base/memory.h"
#include "pluvia/grains.h"
#include <stdlib.h>
#include <string.h>

void plu_grain_columns_free(plu_grain_columns *c)
{
    free(c->grain);
    free(c->force);
    free(c->torque);
    free(c->stress);
    free(c->dissipation);
    free(c->coordination);
    *c = (plu_grain_columns){0};
}

static plu_status make_room(plu_grain_columns *c, size_t bodies, plu_error *err)
{
    if (c->room >= bodies && c->grain)
        return PLU_OK;
    plu_grain_columns_free(c);
    c->grain = plu_alloc(bodies, sizeof *c->grain, err);
    c->force = plu_alloc(bodies, sizeof *c->force, err);
    c->torque = plu_alloc(bodies, sizeof *c->torque, err);
    c->stress = plu_alloc(bodies, sizeof *c->stress, err);
    c->dissipation = plu_alloc(bodies, sizeof *c->dissipation, err);
    c->coordination = plu_alloc(bodies, sizeof *c->coordination, err);
    c->room = bodies;
    return c->grain && c->force && c->torque && c->stress && c->dissipation && c->coordination
               ? PLU_OK
               : PLU_IO;
}

static plu_view view_of(const plu_frame_data *f)
{
    return (plu_view){.bodies = f->bodies,
                      .state = f->state,
                      .fixed = f->fixed,
                      .fixed_mark = 1,
                      .radius = {f->radius, 1},
                      .spin = {f->angular_velocity ? f->angular_velocity[0] : NULL, 3},
                      .turning = f->turning,
                      .contacts = f->contacts,
                      .contact = f->contact,
                      .dt = f->dt};
}

plu_status plu_grains_complete(plu_grain_columns *c, plu_frame_data *f, plu_error *err)
{
    if (f->contacts < 0)
        return PLU_OK;
    if (make_room(c, (size_t)f->bodies, err) != PLU_OK)
        return PLU_IO;
    const plu_view view = view_of(f);
    memset(c->grain, 0, (size_t)f->bodies * sizeof *c->grain);
    plu_grains_add(c->grain, &view, false);
    for (int b = 0; b < f->bodies; b++) {
        const plu_grain *g = &c->grain[b];
        memcpy(c->force[b], g->force, sizeof g->force);
        memcpy(c->torque[b], g->torque, sizeof g->torque);
        memcpy(c->stress[b], g->stress, sizeof g->stress);
        c->dissipation[b] = g->dissipation;
        c->coordination[b] = g->coordination;
    }
    f->force = f->force ? f->force : (const double(*)[3])c->force;
    f->torque = f->torque ? f->torque : (const double(*)[3])c->torque;
    f->stress = f->stress ? f->stress : (const double(*)[9])c->stress;
    f->coordination = f->coordination ? f->coordination : c->coordination;
    if (!f->dissipation && f->angular_velocity)
        f->dissipation = c->dissipation;
    return PLU_OK;
}
