/* After the solve: servos and edges of the cell move at the speeds that were solved for. */
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "step/carried.h"
#include "step/stepper.h"
#include "world/cell.h"
#include "world/servo.h"

/* Hands the speeds of edges that a stress moves over to the world. */
static void take_edges(plu_stepper *s)
{
    double speed[3] = {0.0, 0.0, 0.0};
    if (s->world->stress_control.mass == 0.0)
        return;
    for (int k = s->world->servos_count; k < s->problem.servos_count; k++)
        speed[s->problem.servos[k].edge] = s->problem.servos[k].now;
    plu_cell_yield(s->world, speed);
    plu_assembler_follow_cell(s->assembler);
}

/* A servo that closes a gap on purpose has nothing to push for a while: a way of some diameters. */
static bool runs_idle(const plu_stepper *s, const plu_world_servo *servo)
{
    static const double closes = 4.0;
    const plu_spheres *spheres = &s->world->spheres;
    const double way = (double)servo->idle * s->world->step * servo->limit;
    double largest = 0.0;
    if (!servo->active || !servo->hurries)
        return false;
    for (int i = 0; i < spheres->count; i++)
        largest = plu_max(largest, 2.0 * spheres->at[i][3]);
    return way >= closes * largest;
}

/* Hands the velocities of servos over to the world, and says once of each where it runs idle. */
void plu_servos_take(plu_stepper *s)
{
    take_edges(s);
    for (int k = 0; k < s->world->servos_count; k++) {
        const plu_servo *solved = &s->problem.servos[k];
        plu_world_servo *servo = &s->world->servos[k];
        plu_servo_end(s->world, k, solved->now,
                      solved->island >= 0 && solved->pushed != solved->free);
        plu_held_note(s, k);
        if (servo->warned || !runs_idle(s, servo))
            continue;
        servo->warned = true;
        plu_log_write(&s->log, PLU_LOG_WARNING,
                      "step %ld (t = %g s): the servo of %s meets no resistance: it moves at its "
                      "speed limit, %.3g m/s (servo.speed)",
                      s->world->steps + 1, s->world->time + s->world->step,
                      s->scene->boundaries[servo->boundary].name, servo->limit);
    }
}
