#include "memory.h"
#include "step/stepper.h"
#include <math.h>
#include <omp.h>

static run *press(int n, double speed, const char *more)
{
    return run_open("time: { step = 1e-3; end = 1; };\n"
                    "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"steel\"; } );\n"
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5; %s },\n"
                    "{ between = [\"grain\", \"steel\"]; friction = 0.4; %s } );\n"
                    "boundaries = ( { plane: { center = [0, 0, 0]; }; material = \"steel\"; },\n"
                    "{ plane: { center = [0, 0, %g]; normal = [0, 0, -1]; }; material = \"steel\"; "
                    "motion: { velocity = [0, 0, %g]; }; } );\n"
                    "bodies = ( { lattice: { counts = [1, 1, %d]; spacing = 0.01; origin = [0, 0, "
                    "0.005]; }; radius = 0.005; material = \"grain\"; } );\n",
                    more, more, 0.01 * n + 0.0005, -speed, n);
}

static void look(int n, double v, const char *more)
{
    run *r = press(n, v, more);
    double force[3], moment[3], floor[3];
    printf("n %d v %g %s strength %g\n", n, v, more, plu_stepper_strength(r->stepper));
    int bad = 0, most = 0;
    for (int k = 0; k < 250 + (int)(0.5e-3 / v / 1e-3); k++) {
        run_step(r);
        bad += !r->info.converged;
        most = r->info.iterations > most ? r->info.iterations : most;
        plu_stepper_boundary_force(r->stepper, 1, force, moment);
        plu_stepper_boundary_force(r->stepper, 0, floor, moment);
        const int t = k - (int)(0.5e-3 / v / 1e-3);
        if (t == -1 || t == 1 || t == 2 || t == 4 || t == 8 || t == 16 || t == 32 || t == 64 ||
            t == 128 || t == 249)
            printf("%d: it %d plate %.9g floor %.9g yields %d depth %g z %g vz %g\n", t, r->info.iterations,
                   force[2], floor[2], r->info.yielding, r->info.yield_depth,
                   run_position(r, 0)[2], run_velocity(r, 0)[2]);
    }
    const plu_totals *t = plu_stepper_totals(r->stepper);
    printf("bad %d most %d; %ld %ld %ld depth %g body %ld %ld %ld\n", bad, most, t->yielding_steps, t->yields,
           t->jams, t->jam.depth, t->jam.body, t->jam.between[0], t->jam.between[1]);
    run_close(r);
}

int main(void)
{
    look(1, 0.01, "");
    look(1, 0.001, "");
    look(1, 0.5, "");
    look(1, 0.01, "strength = 5.0;");
    look(2, 0.01, "");
    look(5, 0.01, "");
    return 0;
}
