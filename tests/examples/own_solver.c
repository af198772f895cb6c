/* A solver of one's own, "projected-sweeps", in a scene that is a text: each contact in turn is
 * projected on its cone. A sphere is thrown along the ground; prints how it moves at 0.2 s. */
#include <math.h>
#include <pluvia/scene.h>
#include <pluvia/step.h>
#include <stdio.h>

static const char text[] =
    "time: { step = 1e-3; end = 0.2; };  gravity = [0, 0, -10.0];"
    "materials = ( { name = \"a\"; density = 2500.0; } );"
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.3; } );"
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"a\"; } );"
    "bodies = ( { position = [0, 0, 0.1]; velocity = [4, 0, 0]; radius = 0.1; material = \"a\"; } "
    ");"
    "solver: { name = \"projected-sweeps\"; fallback = \"none\"; criterion = \"scaled\"; "
    "          tolerance = 1e-10; };";

static plu_status sweep(void *user, const plu_problem_view *v, plu_solve_run *run, double *p,
                        plu_error *err)
{
    double y[3];
    ++*(int *)user;
    if (v->rows != 3 || v->contacts != 1)
        return plu_fail(err, PLU_USAGE, "this example knows one contact without rolling friction");
    for (int k = 0; !plu_solve_run_stop(run, p, k); k++) {
        const double *w = v->block, rho = 0.9 / w[0];
        plu_problem_view_velocity(v, p, y);
        p[0] = fmax(p[0] - rho * y[0], 0.0);
        const double t[2] = {p[1] - 0.9 / w[4] * y[1], p[2] - 0.9 / w[4] * y[2]};
        const double size = hypot(t[0], t[1]), most = v->slope[0][0] * p[0];
        for (int i = 0; i < 2; i++)
            p[1 + i] = size > most ? t[i] * most / size : t[i];
    }
    return PLU_OK;
}

int main(void)
{
    int solves = 0;
    plu_error err = {0};
    plu_scene scene = {0};
    plu_world *world = NULL;
    plu_stepper *stepper = NULL;
    plu_extensions *own;
    plu_step_info info;
    if (plu_extensions_create(&own, &err) ||
        plu_extensions_add_solver(own, "projected-sweeps", sweep, &solves, &err) ||
        plu_scene_read_text(&scene, "text", text, NULL, 0, &err) ||
        plu_world_create(&world, &scene, &err) ||
        plu_stepper_create_with(&stepper, world, &scene, own, NULL, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    while (plu_world_time(world) < 0.1995 && plu_step(stepper, &info, &err) == PLU_OK)
        continue;
    printf("%.6f %.6f %d%s\n", plu_world_bodies(world).velocity[0][0],
           plu_world_bodies(world).velocity[0][4], solves, err.text);
    plu_stepper_destroy(stepper), plu_world_destroy(world), plu_scene_free(&scene);
    plu_extensions_destroy(own);
    return 0;
}
