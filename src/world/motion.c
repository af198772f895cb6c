#include "world/motion.h"
#include "base/hash.h"
#include "base/vec3.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times of steps are rounded: a motion begins with the step that is nearer to its start than this
 * share of h. */
static const double early = 1e-6;

static const double leans = 1e-2; /* over its radius: gap of a sphere that leans on a boundary */

static bool runs(const plu_motion_spec *spec, double t, double slack)
{
    return t >= spec->start - slack && !(spec->stop > 0.0 && t >= spec->stop - slack);
}

/* The velocities of the motion at time t, which are those of the end of a step (`which` 1) or of
 * the start of the run. */
static void ask(plu_motion *motion, int which, double t, double slack)
{
    const plu_motion_spec *spec = motion->spec;
    plu_pose *pose = &motion->pose;
    if (motion->driven) {
        memcpy(pose->velocity[which], motion->drive.velocity, sizeof pose->velocity[which]);
        memcpy(pose->belt[which], motion->drive.belt, sizeof pose->belt[which]);
        pose->spin[which] = motion->drive.rate;
        return;
    }
    memset(pose->velocity[which], 0, sizeof pose->velocity[which]);
    memset(pose->belt[which], 0, sizeof pose->belt[which]);
    pose->spin[which] = 0.0;
    if (!spec || !runs(spec, t, slack))
        return;
    const double since = t - spec->start;
    const double beat = 2.0 * PLU_PI * spec->frequency,
                 swing = 2.0 * PLU_PI * spec->swing_frequency;
    const double along = beat * cos(beat * since + spec->phase);
    double rate[PLU_MOTION_COLUMNS];
    plu_motion_table_rate(&motion->table, since, rate);
    for (int k = 0; k < 3; k++) {
        pose->velocity[which][k] = spec->velocity[k] + spec->amplitude[k] * along + rate[k];
        pose->belt[which][k] = spec->belt[k];
    }
    pose->spin[which] =
        spec->rate + spec->swing * swing * cos(swing * since + spec->swing_phase) + rate[3];
}

static bool moves(const plu_pose *p)
{
    bool any = p->spin[0] != 0.0 || p->spin[1] != 0.0;
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 3; k++)
            any = any || p->velocity[which][k] != 0.0 || p->belt[which][k] != 0.0;
    return any && !p->gone;
}

static double slack_of(const plu_world *w)
{
    return early * w->step;
}

static void wake_leaning(plu_world *w, const plu_motion *motion)
{
    for (int p = 0; p < w->parts_count && w->asleep > 0; p++) {
        if (w->parts[p].boundary != motion->boundary)
            continue;
        for (int i = 0; i < w->spheres.count; i++) {
            const int body = plu_owner(&w->spheres, i);
            double normal[3];
            if (w->bodies.state[body] == PLU_ACTIVE && !plu_awake(w, body) &&
                plu_part_gap(&w->parts[p], w->spheres.at[i], normal) <= leans * w->spheres.at[i][3])
                plu_wake(w, body);
        }
    }
}

/* Takes away what is due before the step that begins at time t. */
static void take_away(plu_world *w, plu_motion *motion, double t)
{
    const double until = w->scene->boundaries[motion->boundary].until;
    if (motion->pose.gone || until <= 0.0 || t < until - slack_of(w))
        return;
    wake_leaning(w, motion);
    motion->pose.gone = true;
    w->generation++;
}

/* For the step that begins at time t; `seen` is the moment of it whose velocities it has. */
static void begin(plu_world *w, plu_motion *motion, double t, double seen)
{
    take_away(w, motion, t);
    ask(motion, 1, seen, slack_of(w));
    const bool moved = motion->pose.moves;
    motion->pose.moves = moves(&motion->pose) || (motion->pose.servo && !motion->pose.gone);
    w->wakings += moved != motion->pose.moves; /* others are live contacts now */
}

static void end(const plu_world *w, plu_pose *p)
{
    const double h = w->step, theta = w->scene->theta;
    p->before = p->now;
    for (int k = 0; k < 3; k++) {
        p->now.shift[k] += h * (theta * p->velocity[1][k] + (1.0 - theta) * p->velocity[0][k]);
        p->velocity[0][k] = p->velocity[1][k];
        p->belt[0][k] = p->belt[1][k];
    }
    if (p->turns) {
        p->now.angle += h * (theta * p->spin[1] + (1.0 - theta) * p->spin[0]);
        plu_placing_turn(&p->now, p->axis);
    }
    p->spin[0] = p->spin[1];
}

void plu_motions_begin(plu_world *w)
{
    for (int m = 0; m < w->motions_count; m++)
        begin(w, &w->motions[m], plu_world_moment(w, 0.0),
              plu_world_moment(w, 1.5 - w->scene->theta));
}

void plu_motions_end(plu_world *w)
{
    for (int m = 0; m < w->motions_count; m++)
        end(w, &w->motions[m].pose);
}

void plu_motions_seek(plu_world *w, long steps)
{
    for (int m = 0; m < w->motions_count; m++) {
        plu_motion *motion = &w->motions[m];
        plu_pose *p = &motion->pose;
        p->now = (plu_placing){.angle = 0.0};
        plu_placing_turn(&p->now, p->axis);
        p->before = p->now;
        p->moves = p->gone = false;
        plu_motion_drive(motion, NULL);
        ask(motion, 0, 0.0, slack_of(w));
        for (long k = 0; k < steps; k++) {
            begin(w, motion, (double)k * w->step, ((double)k + (1.5 - w->scene->theta)) * w->step);
            end(w, p);
        }
    }
}

void plu_motion_drive(plu_motion *motion, const plu_drive *drive)
{
    motion->driven = drive != NULL;
    memcpy(motion->most, motion->told, sizeof motion->most);
    if (!drive)
        return;
    motion->drive = *drive;
    motion->pose.turns |= drive->rate != 0.0;
    motion->most[0] = plu_max(motion->most[0], plu_norm(drive->velocity) + plu_norm(drive->belt));
    motion->most[1] = plu_max(motion->most[1], fabs(drive->rate));
}

void plu_motions_state(plu_world *w, plu_state *state)
{
    for (int m = 0; m < w->motions_count; m++)
        plu_motion_table_state(w, &w->motions[m].table, w->motions[m].boundary, "motion", state);
    for (int m = 0; m < w->motions_count; m++) {
        plu_motion *motion = &w->motions[m];
        plu_pose *p = &motion->pose;
        plu_drive *d = &motion->drive;
        double row[20] = {p->now.shift[0],   p->now.shift[1],   p->now.shift[2],   p->now.angle,
                          p->velocity[0][0], p->velocity[0][1], p->velocity[0][2], p->spin[0],
                          p->belt[0][0],     p->belt[0][1],     p->belt[0][2],     p->gone,
                          motion->driven,    d->velocity[0],    d->velocity[1],    d->velocity[2],
                          d->belt[0],        d->belt[1],        d->belt[2],        d->rate};
        char name[48];
        snprintf(name, sizeof name, "world/motion-%d", m);
        plu_state_real(state, name, 1, 20, row);
        if (!state->loading || state->status != PLU_OK)
            continue;
        memcpy(p->now.shift, row, sizeof p->now.shift);
        p->now.angle = row[3];
        const plu_drive drive = {{row[13], row[14], row[15]}, row[19], {row[16], row[17], row[18]}};
        plu_motion_drive(motion, row[12] != 0.0 ? &drive : NULL);
        p->turns |= row[3] != 0.0 || row[7] != 0.0;
        plu_placing_turn(&p->now, p->axis);
        p->before = p->now;
        memcpy(p->velocity[0], row + 4, sizeof p->velocity[0]);
        p->spin[0] = row[7];
        memcpy(p->belt[0], row + 8, sizeof p->belt[0]);
        p->gone = row[11] != 0.0;
    }
}

void plu_motion_table_state(const plu_world *w, const plu_motion_table *table, int boundary,
                            const char *kind, plu_state *state)
{
    if (table->count == 0)
        return;
    char name[64];
    const long hash =
        (long)plu_hash(PLU_HASH_START, table->row, (size_t)table->count * sizeof *table->row);
    long same = hash;
    snprintf(name, sizeof name, "world/%s_table_%d", kind, boundary);
    plu_state_long(state, name, 1, 1, &same);
    if (state->status == PLU_OK && same != hash)
        plu_state_refuse(state,
                         "the table of the %s of boundary \"%s\" (boundaries[%d].%s.table) differs "
                         "from that of the run; its file must have changed",
                         kind, w->scene->boundaries[boundary].name, boundary, kind);
}

plu_boundary_place plu_world_boundary(const plu_world *w, int boundary)
{
    plu_boundary_place place = {.rotation = {1.0, 0.0, 0.0, 0.0}};
    memcpy(place.position, w->scene->boundaries[boundary].motion.center, sizeof place.position);
    for (int m = 0; m < w->motions_count; m++) {
        const plu_pose *p = &w->motions[m].pose;
        if (w->motions[m].boundary != boundary)
            continue;
        plu_add_scaled(place.position, 1.0, p->now.shift);
        place.rotation[0] = cos(0.5 * p->now.angle);
        for (int k = 0; k < 3; k++)
            place.rotation[1 + k] = sin(0.5 * p->now.angle) * p->axis[k];
        place.gone = p->gone;
    }
    return place;
}

void plu_motions_free(plu_world *w)
{
    for (int m = 0; w->motions && m < w->motions_count; m++)
        free(w->motions[m].table.row);
    free(w->motions);
}

double plu_motion_speed(const plu_motion *motion, double far)
{
    const plu_pose *p = &motion->pose;
    const double arm = motion->endless ? far : motion->reach;
    double most = 0.0;
    for (int which = 0; which < 2; which++)
        most = plu_max(most, plu_norm(p->velocity[which]) + fabs(p->spin[which]) * arm);
    return most;
}

double plu_motion_speed_squared(const plu_motion *motion)
{
    const plu_pose *p = &motion->pose;
    const double arm = isfinite(motion->extent) ? motion->extent : 0.0;
    double most = 0.0;
    for (int which = 0; which < 2; which++)
        most = plu_max(most, plu_norm(p->velocity[which]) + plu_norm(p->belt[which]) +
                                 fabs(p->spin[which]) * arm);
    return most * most;
}

/* The lesser one of those that are not 0. */
static double lesser_motion(double a, double b)
{
    return a > 0.0 && b > 0.0 ? plu_min(a, b) : plu_max(a, b);
}

static double slowest(const plu_motion *motion, double radius)
{
    const plu_pose *p = &motion->pose;
    const plu_motion_spec *spec = motion->driven ? NULL : motion->spec;
    double along = 0.0, belt = 0.0, spin = 0.0;
    for (int which = 0; which < 2 && p->moves; which++) { /* what is taken away does not */
        along = plu_max(along, plu_norm(p->velocity[which]));
        belt = plu_max(belt, plu_norm(p->belt[which]));
        spin = plu_max(spin, fabs(p->spin[which]));
    }
    if (along > 0.0 && spec && spec->frequency > 0.0)
        along = motion->told[0];
    if (spin > 0.0 && spec && spec->swing_frequency > 0.0)
        spin = motion->told[1];
    return lesser_motion(along, lesser_motion(belt, spin * radius));
}

double plu_motions_slowest(const plu_world *w)
{
    double least = 0.0;
    for (int m = 0; m < w->motions_count && isfinite(w->smallest); m++)
        least = lesser_motion(least, slowest(&w->motions[m], w->smallest));
    return least > 0.0 ? least : INFINITY;
}

double plu_motions_change(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_pose *p = &w->motions[m].pose;
        const double arm = isfinite(w->motions[m].extent) ? w->motions[m].extent : 0.0;
        double change[3];
        plu_sub(p->velocity[1], p->velocity[0], change);
        most = plu_max(most, plu_norm(change) + fabs(p->spin[1] - p->spin[0]) * arm);
    }
    return most;
}

/* The farthest of all bodies from the center of a motion, also of those that wait (m). */
static double farthest_body(const plu_world *w, const plu_motion *motion)
{
    double most = 0.0;
    for (int i = 0; i < w->bodies.count; i++) {
        double arm[3];
        plu_pose_arm(&motion->pose, w->bodies.position[i], arm);
        most = plu_max(most, plu_norm(arm) + w->bodies.position[i][3]);
    }
    return most;
}

double plu_motions_fastest(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        const double far = motion->most[1] == 0.0     ? 0.0
                           : isfinite(motion->extent) ? motion->extent
                                                      : farthest_body(w, motion);
        most = plu_max(most, motion->most[0] + motion->most[1] * far);
    }
    return most;
}

static bool is_pending(const plu_world *w, const plu_motion *motion)
{
    const plu_boundary_spec *boundary = &w->scene->boundaries[motion->boundary];
    const plu_motion_spec *spec = motion->spec;
    double last = boundary->until;
    if (spec && !motion->driven) {
        const plu_motion_table *table = &motion->table;
        last = plu_max(last, plu_max(spec->start, spec->stop));
        if (table->count > 0 && spec->stop <= 0.0)
            last = plu_max(last, spec->start + table->row[table->count - 1].t);
    }
    if (boundary->has_servo)
        last = plu_max(last, plu_max(boundary->servo.start, boundary->servo.stop));
    if (boundary->until > 0.0)
        last = plu_min(last, boundary->until);
    return !motion->pose.gone && plu_world_time(w) < last - slack_of(w);
}

bool plu_motions_pending(const plu_world *w)
{
    for (int m = 0; m < w->motions_count; m++)
        if (is_pending(w, &w->motions[m]))
            return true;
    return false;
}

double plu_motion_way(const plu_motion *motion, const plu_placing *from, const plu_placing *to,
                      double far)
{
    const double arm = motion->endless ? far : motion->reach;
    double way[3];
    plu_sub(to->shift, from->shift, way);
    return plu_norm(way) + 2.0 * fabs(sin(0.5 * (to->angle - from->angle))) * arm;
}
