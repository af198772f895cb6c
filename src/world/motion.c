/* Boundaries with a prescribed motion (motion.h): a body of infinite mass. One of three tells where
 * it is at the end of a step:
 *
 *     its motion      X(t) in closed form (motion_path.c), exact at any time
 *     a call          the velocity that it was given, by the theta rule
 *     a servo         the velocity that the contact problem found, by the theta rule
 *
 *     begin:  V_k+1 and the mean of the step are known  ->  rows of the contact problem
 *     end:    X_{k+1}, turned about the axis; what a call or a servo has moved it by is kept beside
 *             the motion (`apart`), which goes on from there
 *
 * Bodies that lean on what is taken away wake. */
#include "world/motion.h"
#include "base/hash.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double leans = 1e-2; /* over its radius: gap of a sphere that leans on a boundary */

static plu_path path_of(const plu_motion *motion)
{
    return (plu_path){motion->spec, &motion->table};
}

/* Where the scene has it at time t, from where it began (m, rad). */
static void prescribed_place(const plu_motion *motion, double t, double place[PLU_MOTION_COLUMNS])
{
    memset(place, 0, PLU_MOTION_COLUMNS * sizeof *place);
    if (motion->spec)
        plu_path_place(path_of(motion), t, place);
}

/* By a call, now or in the step before, or by a force: its place is what its velocity makes of it.
 */
static bool is_pushed(const plu_motion *motion)
{
    return motion->driven || motion->was_driven || motion->pose.servo;
}

static void set_rate(plu_pose *pose, int which, const plu_rate *rate)
{
    memcpy(pose->velocity[which], rate->velocity, sizeof rate->velocity);
    memcpy(pose->belt[which], rate->belt, sizeof rate->belt);
    pose->spin[which] = rate->spin;
}

/* The velocity of its way in a step of the theta rule. */
static void follow_rule(plu_pose *p, double theta)
{
    for (int k = 0; k < 3; k++) {
        p->velocity[PLU_MEAN][k] = theta * p->velocity[1][k] + (1.0 - theta) * p->velocity[0][k];
        p->belt[PLU_MEAN][k] = theta * p->belt[1][k] + (1.0 - theta) * p->belt[0][k];
    }
    p->spin[PLU_MEAN] = theta * p->spin[1] + (1.0 - theta) * p->spin[0];
}

/* The velocities in a step, and at its end. */
static void ask(plu_motion *motion, const plu_span *span)
{
    plu_rate end = {.spin = 0.0}, mean = {.spin = 0.0};
    if (motion->driven) {
        memcpy(end.velocity, motion->drive.velocity, sizeof end.velocity);
        memcpy(end.belt, motion->drive.belt, sizeof end.belt);
        end.spin = motion->drive.rate;
    } else if (motion->spec) {
        plu_path_end(path_of(motion), span, &end);
        plu_path_mean(path_of(motion), span, &mean);
    }
    set_rate(&motion->pose, 1, &end);
    set_rate(&motion->pose, PLU_MEAN, &mean);
    if (motion->driven || motion->was_driven)
        follow_rule(&motion->pose, span->theta);
}

static bool moves(const plu_pose *p)
{
    bool any = false;
    for (int which = 0; which < PLU_RATES; which++)
        any = any || p->spin[which] != 0.0;
    for (int which = 0; which < PLU_RATES; which++)
        for (int k = 0; k < 3; k++)
            any = any || p->velocity[which][k] != 0.0 || p->belt[which][k] != 0.0;
    return any && !p->gone;
}

static double slack_of(const plu_world *w)
{
    return plu_time_slack(w->step);
}

static void wake_leaning(plu_world *w, const plu_motion *motion)
{
    for (int p = 0; p < w->parts_count && w->asleep > 0; p++) {
        if (w->parts[p].boundary != motion->boundary)
            continue;
        for (int i = 0; i < w->spheres.count; i++) {
            const int body = plu_owner(&w->spheres, i);
            double normal[3];
            if (w->bodies.state[body] == PLU_ACTIVE && plu_asleep(w, body) &&
                plu_part_gap(&w->parts[p], w->spheres.at[i], normal) <= leans * w->spheres.at[i][3])
                plu_wake(w, body);
        }
    }
}

/* Takes away what is due before the step that begins at time t. */
static void take_away(plu_world *w, plu_motion *motion, double t)
{
    const double until = motion->boundary >= 0 ? w->scene->boundaries[motion->boundary].until : 0.0;
    if (motion->pose.gone || until <= 0.0 || t < until - slack_of(w))
        return;
    wake_leaning(w, motion);
    motion->pose.gone = true;
    w->generation++;
}

static plu_span span_of(const plu_world *w, double begin, double end)
{
    return (plu_span){.begin = begin, .end = end, .step = w->step, .theta = w->scene->theta};
}

static void begin(plu_world *w, plu_motion *motion, const plu_span *span)
{
    take_away(w, motion, span->begin);
    ask(motion, span);
    const bool moved = motion->pose.moves;
    motion->pose.moves = moves(&motion->pose) || (motion->pose.servo && !motion->pose.gone);
    w->wakings += moved != motion->pose.moves; /* others are live contacts now */
}

void plu_motion_take_over(plu_motion *motion, double time)
{
    double place[PLU_MOTION_COLUMNS];
    prescribed_place(motion, time, place);
    for (int k = 0; k < 3; k++)
        motion->apart[k] = motion->pose.now.shift[k] - place[k];
    motion->apart[3] = motion->pose.now.angle - place[3];
}

/* To where it is at the end of a step. */
static void move(plu_motion *motion, const plu_span *span)
{
    plu_pose *p = &motion->pose;
    double place[PLU_MOTION_COLUMNS];
    prescribed_place(motion, span->end, place);
    if (p->servo)
        follow_rule(p, span->theta);
    if (is_pushed(motion)) {
        for (int k = 0; k < 3; k++) {
            p->now.shift[k] += span->step * p->velocity[PLU_MEAN][k];
            motion->apart[k] = p->now.shift[k] - place[k];
        }
        p->now.angle += span->step * p->spin[PLU_MEAN];
        motion->apart[3] = p->now.angle - place[3];
        return;
    }
    for (int k = 0; k < 3; k++)
        p->now.shift[k] = motion->apart[k] + place[k];
    p->now.angle = motion->apart[3] + place[3];
}

static void end(plu_motion *motion, const plu_span *span)
{
    plu_pose *p = &motion->pose;
    p->before = p->now;
    move(motion, span);
    motion->was_driven = motion->driven;
    if (p->turns)
        plu_placing_turn(&p->now, p->axis);
    memcpy(p->velocity[0], p->velocity[1], sizeof p->velocity[0]);
    memcpy(p->belt[0], p->belt[1], sizeof p->belt[0]);
    p->spin[0] = p->spin[1];
}

void plu_motions_begin(plu_world *w)
{
    const plu_span span = span_of(w, w->time, plu_world_step_end(w));
    for (int m = 0; m < w->motions_count; m++)
        begin(w, &w->motions[m], &span);
}

void plu_motions_end(plu_world *w)
{
    const plu_span span = span_of(w, w->time, plu_world_step_end(w));
    for (int m = 0; m < w->motions_count; m++)
        end(&w->motions[m], &span);
}

/* As before the first step. */
static void set_back(plu_world *w, plu_motion *motion)
{
    plu_pose *p = &motion->pose;
    plu_rate rate = {.spin = 0.0};
    const plu_boundary_spec *spec =
        motion->boundary >= 0 ? &w->scene->boundaries[motion->boundary] : NULL;
    const bool displaced = spec && spec->displaced;
    p->now = (plu_placing){.angle = displaced ? spec->start_angle : 0.0};
    for (int k = 0; k < 3 && displaced; k++)
        p->now.shift[k] = spec->start_shift[k];
    plu_placing_turn(&p->now, p->axis);
    p->before = p->now;
    p->moves = false;
    p->gone = spec && spec->absent;
    memcpy(motion->apart, p->now.shift, sizeof p->now.shift);
    motion->apart[3] = p->now.angle;
    plu_motion_drive(motion, NULL);
    motion->was_driven = false;
    if (motion->spec)
        plu_path_first(path_of(motion), w->step, &rate);
    set_rate(p, 0, &rate);
    set_rate(p, 1, &rate);
    set_rate(p, PLU_MEAN, &rate);
}

void plu_motions_seek(plu_world *w, long steps)
{
    for (int m = 0; m < w->motions_count; m++) {
        plu_motion *motion = &w->motions[m];
        set_back(w, motion);
        if (steps == 0)
            continue;
        const plu_span last =
            span_of(w, plu_world_time_after(w, steps - 1), plu_world_time_after(w, steps));
        begin(w, motion, &last);
        end(motion, &last);
    }
}

void plu_motion_drive(plu_motion *motion, const plu_drive *drive)
{
    motion->driven = drive != NULL;
    memcpy(motion->most, motion->bound, sizeof motion->most);
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
        snprintf(name, sizeof name, "world/motion_apart-%d", m);
        double apart[PLU_MOTION_COLUMNS + 1] = {[PLU_MOTION_COLUMNS] = motion->was_driven};
        memcpy(apart, motion->apart, sizeof motion->apart);
        plu_state_real(state, name, 1, PLU_MOTION_COLUMNS + 1, apart);
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
        memcpy(motion->apart, apart, sizeof motion->apart);
        motion->was_driven = apart[PLU_MOTION_COLUMNS] != 0.0;
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
    if (state->status == PLU_OK && same != hash && boundary < 0)
        plu_state_refuse(state,
                         "the table of bodies[%d].%s.table differs from that of the run; its file "
                         "must have changed",
                         -1 - boundary, kind);
    else if (state->status == PLU_OK && same != hash)
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
    free(w->mover);
}

static bool is_pending(const plu_world *w, const plu_motion *motion)
{
    static const plu_boundary_spec none = {.until = 0.0};
    const plu_boundary_spec *boundary =
        motion->boundary >= 0 ? &w->scene->boundaries[motion->boundary] : &none;
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
