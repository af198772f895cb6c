/* All numbers of a frame of a trajectory, group by group, into one list (quantities.h).
 *
 *   plu_measured_run_open   frames, scene, stages, sensors; of a single sphere its whole motion
 *   plu_measured_run_frame  a frame --> view --> heap on the base --> unfolded, if a region is cut
 *                           add_all: run, rolling | pile, packing, bed, sensors, energy, solver,
 *                                    contacts, grains, fabric, stress
 *
 * `view` is all of the frame, `inner` what a region is cut from, `pile` the heap alone: energies
 * are of all, densities of the region, angles of the heap. Names and labels are constant texts,
 * for the list keeps pointers. What a file does not have is NAN, printed as "-", with a note for
 * the group. */
#include "cli/measure/measure_run.h"
#include "cli/base/run_scene.h"
#include "pluvia/boundary.h"
#include "pluvia/solving.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The plane that a single sphere rolls on: the first flat boundary, else that against gravity. */
static void find_normal(plu_measured_run *run)
{
    const plu_scene *scene = &run->scene;
    const double *g = scene->gravity, size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int i = 0; i < 3; i++)
        run->normal[i] = size > 0.0 ? -g[i] / size : i == 2;
    /* Backwards, so that the first one is what remains. */
    for (int b = scene->boundaries_count - 1; b >= 0; b--)
        if (scene->boundaries[b].kind <= PLU_DISC)
            memcpy(run->normal, scene->boundaries[b].normal, sizeof run->normal);
}

/* The whole motion of the single sphere, from which phases and the stop follow. */
static plu_status read_rolling(plu_measured_run *run, plu_error *err)
{
    const long count = plu_frames_count(run->frames);
    plu_roll_sample *sample = calloc((size_t)count, sizeof *sample);
    plu_status status = sample ? PLU_OK : plu_fail(err, PLU_IO, "out of memory: %ld frames", count);
    double radius = NAN;
    for (long k = 0; status == PLU_OK && k < count; k++) {
        plu_view view;
        status = plu_measured_run_view(&view, run, k, err);
        if (status == PLU_OK)
            sample[k] = plu_roll_sample_of(&view, 0);
        radius = status == PLU_OK ? view.radius.at[0] : NAN;
    }
    if (status == PLU_OK)
        plu_measure_rolling(&run->rolling, sample, count, run->normal, radius);
    free(sample);
    return status;
}

plu_status plu_measured_run_open(plu_measured_run *run, const char *path, plu_error *err)
{
    *run = (plu_measured_run){.path = path, .sectors = 24};
    plu_status status = plu_frames_open(&run->frames, path, err);
    if (status == PLU_OK && plu_frames_count(run->frames) == 0)
        status = plu_fail(err, PLU_BAD_INPUT, "%s contains no frames", path);
    if (status == PLU_OK)
        status = plu_run_scene_read(&run->scene, path, run->frames, err);
    if (status == PLU_OK)
        status = plu_run_stages_read(&run->stages, &run->scene, run->frames, err);
    if (status != PLU_OK)
        return status;
    run->entered = &run->scene;
    run->base = NAN;
    run->heaps = plu_scene_has_base(&run->scene);
    run->single = plu_frames_bodies(run->frames) == 1;
    find_normal(run);
    status = plu_run_sensors_read(run, err);
    if (status != PLU_OK)
        return status;
    return run->single ? read_rolling(run, err) : plu_run_species_find(&run->species, run, err);
}

void plu_measured_run_close(plu_measured_run *run)
{
    plu_run_sensors_free(run);
    plu_run_stages_free(&run->stages);
    plu_frames_close(run->frames);
    plu_scene_free(&run->scene);
}

static void add_run(plu_quantities *q, const plu_view *view)
{
    int count[4] = {0};
    for (int b = 0; b < view->bodies; b++)
        if (view->state[b] < 4)
            count[view->state[b]]++;
    plu_quantities_add(q, "run", "time", "s", "time", view->time);
    plu_quantities_add(q, "run", "active", "", "spheres active, waiting, removed",
                       count[PLU_ACTIVE]);
    plu_quantities_add(q, "run", "waiting", "", "", count[PLU_WAITING]);
    plu_quantities_add(q, "run", "removed", "", "", count[PLU_REMOVED]);
}

static void add_rolling(plu_quantities *q, const plu_measured_run *run, const plu_view *view)
{
    static const char *const axes[] = {"x", "y", "z"}, *const speeds[] = {"vx", "vy", "vz"},
                             *const spins[] = {"wx", "wy", "wz"};
    const plu_roll_sample s = plu_roll_sample_of(view, 0);
    const plu_rolling *r = &run->rolling;
    plu_quantities_add(q, "rolling", "stop_time", "s", "stops at", r->stop_time);
    plu_quantities_add(q, "rolling", "stop_distance", "m", "stops after", r->stop_distance);
    for (int i = 0; i < 3; i++)
        plu_quantities_add(q, "rolling", axes[i], "m", NULL, s.position[i]);
    for (int i = 0; i < 3; i++)
        plu_quantities_add(q, "rolling", speeds[i], "m/s", NULL, s.velocity[i]);
    for (int i = 0; i < 3; i++)
        plu_quantities_add(q, "rolling", spins[i], "rad/s", NULL, s.spin[i]);
    plu_quantities_add(q, "rolling", "normal_force", "N", "normal force r_N", s.normal);
    plu_quantities_add(q, "rolling", "friction_force", "N", "friction force |r_T|", s.friction);
    plu_quantities_add(q, "rolling", "rolling_moment", "N m", "rolling moment |m_R|", s.moment);
}

static plu_status add_energy(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                             long k, plu_error *err)
{
    const plu_energy e = plu_measure_energy(view);
    const plu_dissipation d = plu_measure_dissipation(view);
    plu_balance b;
    const plu_status status = plu_measure_balance(&b, run->frames, k, err);
    if (status != PLU_OK)
        return status;
    const double relative = b.turned_over > 0.0 ? fabs(b.missing) / b.turned_over : b.missing;
    plu_quantities_add(q, "energy", "translation", "J", "kinetic: translation, rotation",
                       e.translation);
    plu_quantities_add(q, "energy", "rotation", "J", "", e.rotation);
    plu_quantities_add(q, "energy", "potential", "J", "potential", e.potential);
    plu_quantities_add(q, "energy", "sliding_power", "W", "power lost by sliding, rolling",
                       d.sliding);
    plu_quantities_add(q, "energy", "rolling_power", "W", "", d.rolling);
    if (view->turning)
        plu_quantities_why(q, "- (a boundary turns)");
    plu_quantities_add(q, "energy", "change", "J", "change since the start", b.change);
    plu_quantities_add(q, "energy", "inserted", "J", "  bodies added", b.inserted);
    plu_quantities_add(q, "energy", "removed", "J", "  bodies removed", 0.0 - b.removed);
    plu_quantities_add(q, "energy", "impact", "J", "  impacts", b.impact);
    plu_quantities_add(q, "energy", "friction", "J", "  sliding", b.friction);
    plu_quantities_add(q, "energy", "rolling", "J", "  rolling", b.rolling);
    plu_quantities_add(q, "energy", "theta", "J", "  time integration (theta)", b.theta);
    plu_quantities_add(q, "energy", "projection", "J", "  spheres moved apart (projection)",
                       b.projection);
    if (b.pivoting != 0.0) {
        plu_quantities_add(q, "energy", "pivoting_power", "W", "power lost by pivoting",
                           d.pivoting);
        plu_quantities_add(q, "energy", "pivoting", "J", "  pivoting", b.pivoting);
    }
    if (b.cohesion != 0.0)
        plu_quantities_add(q, "energy", "cohesion", "J", "  attraction (cohesion)", b.cohesion);
    if (b.cell != 0.0)
        plu_quantities_add(q, "energy", "cell", "J", "  periodic cell", b.cell);
    if (b.boundary != 0.0)
        plu_quantities_add(q, "energy", "boundary", "J", "  moving boundaries", b.boundary);
    plu_quantities_add(q, "energy", "missing", "J", "  left over", b.missing);
    plu_quantities_add(q, "energy", "imbalance", "", "    over the sum of these energies",
                       relative);
    if (isnan(b.elastic)) { /* no penalty method */
        plu_quantities_add(q, "energy", "created", "J", "created by contacts; in how many steps",
                           b.created);
        plu_quantities_add(q, "energy", "creating_steps", "", "", b.creating);
        return PLU_OK;
    }
    plu_quantities_add(q, "energy", "elastic", "J", "in springs", b.elastic);
    plu_quantities_add(q, "energy", "dissipated", "J", "used by dampers and friction",
                       b.dissipated);
    return PLU_OK;
}

/* Frame k of an observable; NAN where the file has none of that name. */
static plu_status observed(double *value, const plu_measured_run *run, const char *name, long k,
                           plu_error *err)
{
    const double *values;
    const plu_status status = plu_frames_observable(&values, run->frames, name, err);
    *value = status == PLU_OK && values ? values[k] : NAN;
    return status;
}

static plu_status add_solver(plu_quantities *q, const plu_measured_run *run, long k, plu_error *err)
{
    static const struct {
        const char *name, *unit, *label;
        bool judged; /* known where the criterion is that of velocities */
    } row[] = {
        {"velocity_error", "", "velocity error / g h: now, largest", true},
        {"worst_velocity_error", "", "", true},
        {"sinking_speed", "m/s", "sinking speed: now, largest", true},
        {"worst_sinking_speed", "m/s", "", true},
        {"boundary_load", "", "load on boundaries / weight of all", false},
        {"unconverged_steps", "", "steps not converged; steps made", false},
        {"made_steps", "", "", false},
        {"jams", "", "jams; steps in which contacts yield", false},
        {"yielding_steps", "", "", false},
        {"jam_depth", "m", "  deepest overlap of a jammed body", false},
    };
    const bool judged =
        run->scene.solver->criterion == PLU_VELOCITY && run->scene.method != PLU_PENALTY;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double value;
        const plu_status status = observed(&value, run, row[i].name, k, err);
        if (status != PLU_OK)
            return status;
        plu_quantities_add(q, "solver", row[i].name, row[i].unit, row[i].label,
                           row[i].judged && !judged ? NAN : value);
    }
    return PLU_OK;
}

/* Work of errors over that of friction, where something was driven: up to frame k, since the frame
 * before, and with errors that cancel. */
static plu_status add_errors(plu_quantities *q, const plu_measured_run *run, long k, plu_error *err)
{
    static const char *const names[] = {"error_work_net", "error_work_friction", "error_work"};
    double now[3], before[3] = {0.0, 0.0, 0.0};
    plu_status status = PLU_OK;
    for (int i = 0; status == PLU_OK && i < 3; i++) {
        status = observed(&now[i], run, names[i], k, err);
        if (status == PLU_OK && k > 0)
            status = observed(&before[i], run, names[i], k - 1, err);
    }
    const double since = now[1] - before[1];
    plu_quantities_add(q, "solver", "error_share", "", "errors / work of friction: all, lately",
                       now[1] > 0.0 ? fabs(now[0]) / now[1] : NAN);
    plu_quantities_add(q, "solver", "error_share_now", "", "",
                       since > 0.0 ? fabs(now[0] - before[0]) / since : NAN);
    plu_quantities_add(q, "solver", "error_share_all", "", "  with errors that cancel",
                       now[1] > 0.0 ? now[2] / now[1] : NAN);
    return status;
}

static void add_law(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                    const plu_region *region)
{
    plu_law_errors e;
    plu_measure_law(&e, view, &run->scene, region);
    plu_quantities_add(q, "contacts", "dissipation_possible", "J",
                       "friction loss possible in a step", view->contacts >= 0 ? e.possible : NAN);
    plu_quantities_add(q, "contacts", "dissipation_missed", "",
                       "  share of it that is not dissipated", e.missed);
    plu_quantities_add(q, "contacts", "bipotential", "", "  error of the contact law, over it",
                       e.bipotential);
}

static plu_status add_contacts(plu_quantities *q, const plu_measured_run *run, const plu_view *view,
                               plu_error *err)
{
    static const char *const modes[5][2] = {{"open", "open, stick, slide, roll, slide + roll"},
                                            {"stick", ""},
                                            {"slide", ""},
                                            {"roll", ""},
                                            {"slide_roll", ""}};
    const plu_region *region = run->has_region ? &run->region : NULL;
    const char *const group = "contacts";
    plu_contact_numbers n;
    plu_coordination z;
    const plu_status status = plu_measure_coordination(&z, view, region, err);
    if (status != PLU_OK)
        return status;
    const bool known = view->contacts >= 0;
    plu_measure_contacts(&n, view, region);
    plu_quantities_add(q, group, "count", "", "contacts that bear load; with walls",
                       known ? n.all : NAN);
    plu_quantities_add(q, group, "walls", "", "", known ? n.walls : NAN);
    for (int m = 0; m < 5; m++)
        plu_quantities_add(q, group, modes[m][0], "", modes[m][1], known ? n.mode[m] : NAN);
    plu_quantities_add(q, group, "coordination", "", "coordination number; without rattlers",
                       z.all);
    plu_quantities_add(q, group, "coordination_mechanical", "", "", z.mechanical);
    plu_quantities_add(q, group, "rattlers", "", "rattlers (at most one contact)",
                       known ? z.rattlers : NAN);
    plu_quantities_add(q, group, "force_mean", "N", "normal force: mean, largest", n.force);
    plu_quantities_add(q, group, "force_max", "N", "", n.force_largest);
    plu_quantities_add(q, group, "force_spread", "", "  standard deviation / mean", n.force_spread);
    plu_quantities_add(q, group, "force_tail", "", "  decay of large forces, beta", n.tail);
    plu_quantities_add(q, group, "mobilized", "", "friction force / normal force: mean",
                       n.mobilized);
    plu_quantities_add(q, group, "overlap_mean", "m", "overlap: mean, largest",
                       known ? n.overlap : NAN);
    plu_quantities_add(q, group, "overlap_max", "m", "", known ? n.overlap_largest : NAN);
    plu_quantities_add(q, group, "overlap_ratio", "", "  largest / smaller diameter",
                       known ? n.overlap_ratio : NAN);
    add_law(q, run, view, region);
    return PLU_OK;
}

static void add_tensor(plu_quantities *q, const char *group, const char *unit, double t[3][3])
{
    static const char *const names[3][3] = {
        {"xx", "xy", "xz"}, {"yx", "yy", "yz"}, {"zx", "zy", "zz"}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            plu_quantities_add(q, group, names[i][j], unit,
                               j > 0   ? ""
                               : i > 0 ? " "
                                       : "tensor",
                               t[i][j]);
}

/* In a periodic cell the stress is of the cell as a whole, else of the box around the spheres. */
static void add_tensors(plu_quantities *q, const plu_measured_run *run, const plu_measured *m)
{
    const plu_view *view = &m->inner;
    const plu_region bounds = run->has_region ? run->region : plu_measure_bounds(view, m->base);
    plu_fabric fabric;
    plu_stress stress;
    plu_measure_fabric(&fabric, view, run->has_region ? &run->region : NULL);
    add_tensor(q, "fabric", "", fabric.tensor);
    plu_quantities_add(q, "fabric", "anisotropy", "", "anisotropy", fabric.anisotropy);
    if (run->single)
        return;
    plu_measure_stress(&stress, view, view->cell.given && !run->has_region ? NULL : &bounds);
    add_tensor(q, "stress", "Pa", stress.tensor);
    plu_quantities_add(q, "stress", "pressure", "Pa", "pressure p", stress.pressure);
    plu_quantities_add(q, "stress", "deviator", "Pa", "deviator q", stress.deviator);
    plu_quantities_add(q, "stress", "ratio", "", "q/p", stress.deviator / stress.pressure);
}

static plu_status add_all(plu_quantities *q, const plu_measured_run *run, const plu_measured *m,
                          long k, plu_error *err)
{
    plu_status status = PLU_OK;
    add_run(q, &m->view);
    if (run->single)
        add_rolling(q, run, &m->view);
    else if (run->heaps)
        status = plu_quantities_pile(q, run, m, err);
    if (status == PLU_OK && (!run->single || run->has_region))
        status = plu_quantities_packing(q, run, m, err);
    if (status == PLU_OK && !run->single)
        status = plu_quantities_bed(q, run, &m->inner, err);
    if (status == PLU_OK)
        plu_quantities_sensors(q, run, k);
    if (status == PLU_OK)
        status = add_energy(q, run, &m->view, k, err);
    if (status == PLU_OK)
        status = add_solver(q, run, k, err);
    if (status == PLU_OK)
        status = add_errors(q, run, k, err);
    if (status == PLU_OK)
        status = add_contacts(q, run, &m->inner, err);
    if (status == PLU_OK)
        status = plu_quantities_grains(q, run, &m->inner, err);
    if (status == PLU_OK)
        add_tensors(q, run, m);
    return status;
}

plu_status plu_measured_run_frame(plu_quantities *q, const plu_measured_run *run, long k,
                                  plu_error *err)
{
    static const char none[] = "the file contains no contacts (output.contacts = true writes them)";
    static const char needs[] = "needs contacts (output.contacts = true)";
    plu_measured m;
    plu_heap heap = {0};
    plu_unfolded inner = {0}, pile = {0};
    *q = (plu_quantities){0};
    plu_status status = plu_measured_run_view(&m.view, run, k, err);
    if (status == PLU_OK)
        status = plu_heap_find(&heap, &m.view, run->base, err);
    if (status == PLU_OK && run->has_region)
        status = plu_view_unfold(&inner, &m.view, &run->region, err);
    if (status == PLU_OK && run->has_region)
        status = plu_view_unfold(&pile, &heap.view, &run->region, err);
    if (status == PLU_OK) {
        m.inner = run->has_region ? inner.view : m.view;
        m.pile = run->has_region ? pile.view : heap.view;
        m.base = heap.base;
        status = add_all(q, run, &m, k, err);
    }
    if (status == PLU_OK && m.view.contacts < 0) {
        plu_quantities_note(q, "contacts", none);
        plu_quantities_note(q, "grains", needs);
        plu_quantities_note(q, "fabric", needs);
        plu_quantities_note(q, "stress", needs);
    }
    plu_unfolded_free(&inner);
    plu_unfolded_free(&pile);
    plu_heap_free(&heap);
    return status;
}
