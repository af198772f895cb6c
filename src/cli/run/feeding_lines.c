#include "cli/base/text.h"
#include "cli/run/summary_lines.h"

/* A rate is as asked from this share of it on. */
static const double same = 0.99;

void plu_feeding_print_fills(FILE *out, const plu_simulation *simulation)
{
    const plu_scene *scene = &simulation->scene;
    for (int i = 0; i < scene->bodies_count; i++) {
        const plu_body_spec *spec = &scene->bodies[i];
        if (!spec->has_fill)
            continue;
        fprintf(out, "packing bodies[%d] %d spheres, which fill ", i,
                plu_world_made(simulation->world, i));
        if (spec->fill_height > 0.0)
            fprintf(out, "%g m of its region", spec->fill_height);
        else
            fprintf(out, "its region");
        fprintf(out, " to a solid fraction of %g\n", spec->fill_fraction);
    }
}

static void print_number(FILE *out, const plu_feed *f)
{
    if (f->released > 1)
        fprintf(out, " at %.4g per second", f->rate);
    if (f->released > 1 && f->rate >= same * f->asked)
        fprintf(out, ", as set\n");
    else
        fprintf(out,
                ", not %.4g as set: %ld were late because their place,\n"
                "%18sor that of an earlier one, was occupied (a larger height or footprint, or a\n"
                "%18sdownward velocity, makes room)\n",
                f->asked, f->delayed, "", "");
}

/* Also what is due and has found no room. */
static void print_inlet(FILE *out, const plu_feed *f)
{
    const double asked = f->by_mass ? f->asked * f->sphere_mass : f->asked;
    const double rate = f->by_mass ? f->mass_flow : f->rate;
    const char *unit = f->by_mass ? "kg/s" : "per second";
    fprintf(out, ", %.4g kg", f->mass);
    if (f->released > 1)
        fprintf(out, " at %.4g %s", rate, unit);
    if (f->released > 1 && rate >= same * asked)
        fprintf(out, ", as set\n");
    else
        fprintf(out,
                ", not %.4g as set: %ld were late, and %.3g kg\n"
                "%18sare due and wait for room (a larger area or velocity makes room)\n",
                asked, f->delayed, f->mass_due - f->mass, "");
}

void plu_feeding_print_feeders(FILE *out, const plu_simulation *simulation)
{
    for (int i = 0; i < simulation->scene.feeders_count; i++) {
        const plu_feed f = plu_world_feed(simulation->world, i);
        const bool inlet = simulation->scene.feeders[i].kind == PLU_INLET;
        if (f.released < 2 && f.delayed == 0)
            continue;
        fprintf(out, "feeder %-11d%d of %d spheres", i + 1, f.released, f.count);
        if (inlet)
            print_inlet(out, &f);
        else
            print_number(out, &f);
    }
}

void plu_feeding_warn(const char *path, const plu_simulation *simulation)
{
    for (int i = 0; i < simulation->scene.feeders_count; i++) {
        const plu_feed f = plu_world_feed(simulation->world, i);
        const double unit = f.by_mass ? f.sphere_mass : 1.0;
        if (f.count > 1 && f.asked > f.most)
            plu_message("%s: warning: feeders[%d] is set to %.3g %s, but its area allows only "
                        "about %.3g at the velocity of release; spheres that find no room wait",
                        path, i, f.asked * unit, f.by_mass ? "kg/s" : "spheres per second",
                        f.most * unit);
    }
}
