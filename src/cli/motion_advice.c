#include "motion_advice.h"
#include "step_advice.h"
#include "vector.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

/* Whether a step goes beyond a limit by more than rounding. */
static bool exceeds(double value, double limit)
{
    return value > limit * (1.0 + 1e-9);
}

static void print_period(FILE *out, const char *path, const plu_scene *scene, const char *boundary,
                         const char *key, double frequency)
{
    const double share = frequency * scene->step;
    if (exceeds(share, PLU_PERIODS_A_STEP))
        fprintf(out,
                "%s: time.step = %g s is long for boundary \"%s\": %.3g of a period of its %s (f h "
                "= %g Hz x %g s) pass in a step, and more than %g make flights and impacts "
                "inaccurate; take %g s\n",
                path, scene->step, boundary, share, key, frequency, scene->step, PLU_PERIODS_A_STEP,
                plu_step_rounded(PLU_PERIODS_A_STEP / frequency));
}

static void print_turn(FILE *out, const char *path, const plu_scene *scene, const char *boundary,
                       double rate)
{
    const double angle = rate * scene->step;
    if (exceeds(angle, PLU_TURN_A_STEP))
        fprintf(out,
                "%s: time.step = %g s is long for boundary \"%s\": it turns by %.3g rad in a step "
                "(omega h = %g rad/s x %g s), and the way of a step is straight: more than %g rad "
                "leave "
                "the circle too far; take %g s\n",
                path, scene->step, boundary, angle, rate, scene->step, PLU_TURN_A_STEP,
                plu_step_rounded(PLU_TURN_A_STEP / rate));
}

void plu_motion_advice_print(FILE *out, const char *path, const plu_scene *scene)
{
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *boundary = &scene->boundaries[b];
        const plu_motion_spec *m = &boundary->motion;
        if (!boundary->moves)
            continue;
        if (plu_dot3(m->amplitude, m->amplitude) > 0.0)
            print_period(out, path, scene, boundary->name, "vibration", m->frequency);
        if (m->swing != 0.0)
            print_period(out, path, scene, boundary->name, "rocking", m->swing_frequency);
        print_turn(out, path, scene, boundary->name,
                   fabs(m->rate) + 2.0 * pi * m->swing_frequency * fabs(m->swing));
    }
}
