/* A stepper is made and freed here: the parts of a step each keep something in it. All that a
 * stepper works with is made from its world and scene (plu_stepper_furnish), so that it can be
 * made again in the same place for another stage; what has to last from step to step is in its
 * state (stepper_state.c).
 *
 *   plu_stepper_create_with   world, scene, extensions, log --> plu_stepper_furnish
 *   plu_stepper_furnish       detector, assembler, method, sleep, sensors, limits, rules, ladder
 *   plu_stepper_strip         frees what was furnished
 *   plu_stepper_destroy       strips it and frees it; takes NULL, and one that is furnished in part
 */
#include "step/stepper.h"
#include "base/memory.h"
#include "pluvia/scene.h"
#include "step/carried.h"
#include "step/impacts.h"
#include "step/jams.h"
#include "step/ladder.h"
#include "step/limits.h"
#include "step/method.h"
#include "step/rules.h"
#include "world/body_energy.h"
#include <math.h>
#include <stdlib.h>

static const plu_step_method *const methods[] = {
    [PLU_NONSMOOTH] = &plu_nonsmooth, [PLU_PENALTY] = &plu_penalty};
_Static_assert(sizeof methods / sizeof *methods == PLU_METHODS, "a row for each method");

plu_status plu_stepper_create(plu_stepper **stepper, plu_world *world, const plu_scene *scene,
                              const plu_log *log, plu_error *err)
{
    return plu_stepper_create_with(stepper, world, scene, NULL, log, err);
}

plu_status plu_stepper_create_with(plu_stepper **stepper, plu_world *world, const plu_scene *scene,
                                   const plu_extensions *extensions, const plu_log *log,
                                   plu_error *err)
{
    *stepper = NULL;
    plu_stepper *s = plu_alloc(1, sizeof *s, err);
    if (!s)
        return PLU_IO;
    s->world = world;
    s->scene = scene;
    s->extensions = extensions;
    if (log)
        s->log = *log;
    const plu_status status = plu_stepper_furnish(s, err);
    if (status == PLU_OK)
        *stepper = s;
    else
        plu_stepper_destroy(s);
    return status;
}

plu_status plu_stepper_furnish(plu_stepper *s, plu_error *err)
{
    plu_world *world = s->world;
    s->method = methods[s->scene->method];
    s->natural = NAN;
    s->detector = plu_detector_create(world, err);
    s->assembler = plu_assembler_create(world, err);
    s->problem.flow.done = (plu_flow_end_call){plu_finish_strip, s};
    const size_t chunks = (size_t)plu_body_chunks(world);
    s->potential = plu_alloc(chunks, sizeof *s->potential, err);
    s->moved = plu_alloc((size_t)world->bodies.count, sizeof *s->moved, err);
    s->bounced = plu_alloc((size_t)world->bodies.count, sizeof *s->bounced, err);
    s->hurries = plu_alloc((size_t)world->bodies.count, sizeof *s->hurries, err);
    s->bears = plu_alloc((size_t)world->bodies.count, sizeof *s->bears, err);
    s->reached = plu_alloc((size_t)world->bodies.count, sizeof *s->reached, err);
    if (world->bounces)
        s->height = plu_alloc((size_t)world->bodies.count, sizeof *s->height, err);
    s->carried = plu_carried_create(s, err);
    plu_status status = plu_sleep_create(s, err);
    if (!s->carried || !s->bounced || !s->detector || !s->assembler || !s->potential || !s->moved ||
        !s->hurries || !s->bears || !s->reached || (world->bounces && !s->height))
        status = PLU_IO;
    if (status == PLU_OK)
        status = s->method->prepare(s, err); /* sets the settings as a whole */
    plu_stepper_weigh(s);
    plu_strength_begin(s);
    if (status == PLU_OK)
        status = plu_sensors_create(s, err);
    if (status != PLU_OK)
        return status;
    s->totals.initial = plu_energy_sum(plu_world_energy(world));
    plu_limits_begin(s);
    plu_rules_begin(s);
    return s->scene->parts ? plu_ladder_begin(s, err) : PLU_OK;
}

void plu_stepper_strip(plu_stepper *s)
{
    plu_detector_destroy(s->detector);
    plu_assembler_destroy(s->assembler);
    s->method->discard(s);
    free(s->potential);
    free(s->height);
    free(s->moved);
    free(s->bounced);
    free(s->hurries);
    free(s->bears);
    free(s->reached);
    free(s->arrival);
    free(s->too_deep);
    free(s->apart);
    free(s->strip);
    free(s->start);
    free(s->way);
    plu_carried_free(s->carried);
    free(s->ways);
    plu_sleep_free(s);
    plu_impacts_free(s);
    plu_jams_free(s);
    plu_ladder_end(s);
    plu_sensors_free(s);
}

void plu_stepper_destroy(plu_stepper *s)
{
    if (!s)
        return;
    if (s->world->stop == &s->stop)
        s->world->stop = NULL;
    plu_stepper_strip(s);
    free(s);
}
