/* The longest step of a run, and what parts of it are made; those of stages are parts of one by
 * halves, so that times of all stages are whole steps.
 *
 *     H = output.interval / n      the least n with H <= time.largest; up to 8 n for a whole end
 *     levels                       H 2^-k, from the coarsest to the finest that a stage allows
 *     a given step                 has to be H divided by 1, 2, 4, 8, ...: one level alone */
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/stage.h"
#include "pluvia/writing.h"
#include "scene/reader.h"
#include <math.h>

static const double same = 1e-9;

static plu_place place_of(const plu_reader *reader, const char *path)
{
    return plu_setting_place(reader, config_lookup(&reader->config, path));
}

/* The longest whole part of the time between frames, at most time.largest, that `fits`; NAN: none
 * of those that are not several times shorter. */
static double whole_part(const plu_scene *scene, bool (*fits)(const plu_scene *scene, double step))
{
    static const double more = 8.0;
    const double between = plu_min(scene->output->interval, scene->end);
    const double least = ceil(between / scene->largest * (1.0 - 1e-12));
    for (double n = least; n <= more * least && n < 1e6; n += 1.0)
        if (fits(scene, between / n))
            return between / n;
    return NAN;
}

static bool holds_whole(double time, double step)
{
    const double steps = time / step;
    return fabs(steps - round(steps)) <= same * steps;
}

static bool fits_end(const plu_scene *scene, double step)
{
    return holds_whole(scene->end, step);
}

/* The finest level of parts of scene->step that scene->smallest allows. */
static int finest_level(const plu_scene *scene)
{
    return scene->smallest > 0.0 ? (int)floor(log2(scene->step / scene->smallest) + 1e-9)
                                 : scene->coarsest + PLU_FINEST_LEVEL;
}

/* Complains of what cannot have steps that are made in parts: it needs `what`, "a number". */
static void refuse_parts(plu_reader *reader, const char *what)
{
    const plu_scene *scene = reader->scene;
    for (int i = 0; i < scene->laws_count; i++)
        if (scene->laws[i].restitution > 0.0 && scene->laws[i].restitution_law == PLU_ENERGY)
            plu_complain(reader, plu_entry_place(reader, "contacts", i, "restitution_law"),
                         "contacts[%d].restitution_law = \"energy\" needs %s for time.step: "
                         "a bounce takes two equal steps",
                         i, what);
    if (scene->method == PLU_PENALTY)
        plu_complain(reader, place_of(reader, "time.step"),
                     "time.step: method = \"penalty\" needs %s, which its springs limit", what);
    if (scene->output->dump != PLU_DUMP_NONE)
        plu_complain(reader, place_of(reader, "output.dump_problems"),
                     "output.dump_problems needs %s for time.step", what);
}

void plu_settle_step(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    scene->parts = scene->chooses = scene->step == PLU_AUTO_STEP;
    if (!scene->chooses || reader->messages_count > 0)
        return;
    /* A whole part of the end as well, if that is possible with a few times as many steps. */
    const double whole = whole_part(scene, fits_end),
                 between = plu_min(scene->output->interval, scene->end);
    scene->step = isnan(whole) ? between / ceil(between / scene->largest * (1.0 - 1e-12)) : whole;
    if (!(scene->smallest <= scene->step))
        plu_complain(reader, place_of(reader, "time.smallest"),
                     "time.smallest = %g s is longer than the longest step, %g s", scene->smallest,
                     scene->step);
    scene->finest = finest_level(scene);
    refuse_parts(reader, "a number");
}

/* --- of stages --- */

/* Levels by which `step` is halved to `part`; -1: it is no such part. */
static int level_of(double step, double part)
{
    const double levels = log2(step / part);
    const bool whole = fabs(levels - round(levels)) <= same && levels > -same;
    return whole && levels < PLU_FINEST_LEVEL + same ? (int)lround(levels) : -1;
}

/* Whether stage k can have the parts of `step` that it asks for. */
static bool has_parts(const plu_scene *scene, double step, int k)
{
    const plu_scene *stage = scene->stages[k].scene;
    return stage->chooses || level_of(step, stage->step) >= 0;
}

/* Whether `step` can be the longest of all stages. */
static bool fits_parts(const plu_scene *scene, double step)
{
    bool all = true;
    for (int k = 0; k < scene->stages_count; k++)
        all &= has_parts(scene, step, k);
    return all;
}

/* Whether it can, and fits the times between frames of all stages. */
static bool fits_frames(const plu_scene *scene, double step)
{
    bool all = fits_parts(scene, step);
    for (int k = 0; k < scene->stages_count; k++)
        all &= holds_whole(scene->stages[k].scene->output->interval, step);
    return all;
}

static bool are_alike(const plu_scene *scene)
{
    const plu_scene *first = scene->stages[0].scene;
    bool alike = true;
    for (int k = 1; k < scene->stages_count; k++) {
        const plu_scene *stage = scene->stages[k].scene;
        alike &= stage->step == first->step && stage->chooses == first->chooses;
    }
    return alike;
}

/* The longest number that a stage gives, and the longest limit of those that choose (s); 0: none.
 */
static void find_longest(const plu_scene *scene, double *number, double *largest)
{
    *number = *largest = 0.0;
    for (int k = 0; k < scene->stages_count; k++) {
        const plu_scene *stage = scene->stages[k].scene;
        double *of = stage->chooses ? largest : number;
        *of = plu_max(*of, stage->chooses ? stage->largest : stage->step);
    }
}

/* The longest step of all stages, of which their own are parts (s); NAN: there is none. */
static double longest_step(plu_scene *scene)
{
    double number, largest;
    find_longest(scene, &number, &largest);
    if (are_alike(scene))
        return scene->stages[0].scene->step;
    if (largest == 0.0)
        return fits_parts(scene, number) ? number : NAN;
    if (number == 0.0) {
        const double before = scene->largest;
        scene->largest = largest;
        const double step = whole_part(scene, fits_frames);
        scene->largest = before;
        return step;
    }
    /* From the longest conceivable step down by halves: the first that fits is the longest. */
    for (double step = ldexp(number, PLU_FINEST_LEVEL); step > (1.0 - same) * number; step *= 0.5)
        if (step <= plu_max(largest, number) * (1.0 + same) && fits_frames(scene, step))
            return step;
    return NAN;
}

/* The first stage whose steps, or whose frames, are no parts of those of the others. */
static void complain(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    double number, longest;
    find_longest(scene, &number, &longest);
    const bool given = number > 0.0;
    longest = given ? number : scene->stages[0].scene->step;
    for (int k = 0; k < scene->stages_count; k++) {
        const plu_scene *stage = scene->stages[k].scene;
        if (!has_parts(scene, longest, k)) {
            plu_complain(reader, plu_entry_place(reader, "stages", k, "time"),
                         "stages[%d]: time.step = %g s is not the longest step of the stages, "
                         "%g s, divided by 1, 2, 4, 8, ...: take %g s",
                         k, stage->step, longest,
                         ldexp(longest, -(int)ceil(log2(longest / stage->step) - same)));
            return;
        }
        if (given ? !holds_whole(stage->output->interval, longest) : stage->step != longest) {
            plu_complain(reader, plu_entry_place(reader, "stages", k, "output.interval"),
                         "stages[%d].output.interval = %g s does not hold the longest step of the "
                         "stages, %g s; choose one that holds the same steps%s",
                         k, stage->output->interval, longest,
                         given ? "" : ", or give time.step a number");
            return;
        }
    }
}

/* Which parts of the longest step a stage makes. */
static void set_levels(plu_scene *stage, double step)
{
    stage->coarsest = stage->chooses ? (int)plu_max(0.0, ceil(log2(step / stage->largest) - same))
                                     : level_of(step, stage->step);
    stage->step = step;
    stage->finest = stage->chooses ? finest_level(stage) : stage->coarsest;
    if (stage->finest < stage->coarsest)
        stage->finest = stage->coarsest;
}

void plu_share_steps(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    const double step = longest_step(scene);
    bool chosen = true;
    if (isnan(step)) {
        complain(reader);
        return;
    }
    scene->step = step;
    scene->parts = false;
    for (int k = 0; k < scene->stages_count; k++) {
        plu_scene *stage = scene->stages[k].scene;
        set_levels(stage, step);
        scene->parts |= stage->chooses || stage->coarsest > 0;
        chosen &= stage->chooses;
    }
    if (scene->parts && !chosen) /* where all choose, it was refused there */
        refuse_parts(reader, "one number in all stages");
}
