/* Newton's law for several contacts of one body at once may create energy: what parts already is
 * pressed again by a neighbor's bounce, and friction acts on a velocity that others make
 * (src/theory.md, "Several impacts at once"; Kane's paradox is the case with friction, see Stewart,
 * SIAM Review 42 (2000) 3). An island in which it does is solved a second time without restitution,
 * and mixed:
 *
 *     p(s) = (1 - s) p_0 + s p_e            p_e: with restitution, p_0: without; 0 <= s <= 1
 *
 *         work E(s) = 1/2 p(s).(y_k + y_{k+1}(s))
 *           |                  . *          v, and with it y, is linear in s, as p is, so E is
 *           |               . '             quadratic in s; three values give it, at 0, 1/2, 1
 *      0 ---|-----------*'----- s           E(0) <= 0: the law without restitution dissipates
 *           |* . . . '  s*                  s*: where E is what is allowed
 *
 * The cones are convex and the constraints linear, so p(s) keeps to all of them. `allowed` is not
 * always 0: a bounce by the law of energy gives back what its landing took in the step before, and
 * one at a moment within the step what gravity did until then (`given_back`). */
#include "assemble/rebound.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/impacts.h"
#include "step/method.h"
#include "step/stepper.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_created {
    size_t slots, rows, islands;
    double (*p)[7];  /* by slot: impulses with restitution */
    double (*v)[6];  /* by moving row: velocities with them */
    double *allowed; /* J, by island: what its impacts may give back; NAN: it creates none */
    double *work;    /* by island: what they do */
};

/* Over what impacts turn over, and over the energy that gravity gives in a step: less is what
 * solvers leave, of impacts and of what rests. */
static const double negligible = 1e-6, at_rest = 0.01;

/* What the impulse of a contact does at the velocities of the rows a and b: along the normal,
 * tangentially and by its moment. */
static void works_of(const plu_block *c, int k, const double p[7], const double *a, const double *b,
                     double work[3])
{
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    double u[3], spin[3], arm[3], turn[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        spin[i] = b[3 + i] - a[3 + i];
        arm[i] = c->pair->arm_a[k] * a[3 + i] + c->pair->arm_b[k] * b[3 + i];
        if (c->crossing)
            u[i] -= c->crossing->drift[i][k];
    }
    plu_cross(arm, n, turn);
    plu_sub(u, turn, u);
    const double normal = plu_dot(n, u), r[3] = {p[1], p[2], p[3]}, m[3] = {p[4], p[5], p[6]};
    work[0] = p[0] * normal;
    work[1] = plu_dot(r, u);
    work[2] = plu_dot(m, spin);
}

static double work_of(const plu_block *c, int k, const double p[7], const double *a,
                      const double *b)
{
    double work[3];
    works_of(c, k, p, a, b, work);
    return work[0] + work[1] + work[2];
}

static void impulse_of(const plu_block *c, int k, double p[7])
{
    for (int i = 0; i < 7; i++)
        p[i] = c->p[i][k];
}

/* The mean of the velocities of a row at the start and at the end of the step. */
static void mean_of(const plu_stepper *s, int row, const double *end, double mean[6])
{
    for (int i = 0; i < 6; i++)
        mean[i] = 0.5 * (s->world->bodies.row[row][i] + end[i]);
}

/* The velocities of a row at the end of the step: those kept by the share `kept` of them. */
static void end_of(const plu_stepper *s, int row, double kept, double end[6])
{
    for (int i = 0; i < 6; i++)
        end[i] = s->problem.v[row][i];
    for (int i = 0; kept > 0.0 && row < s->problem.moving && i < 6; i++)
        end[i] = (1.0 - kept) * end[i] + kept * s->created->v[row][i];
}

/* The work of the contact of a slot, by the share `kept` of the solution that is kept. */
static double work_at(const plu_stepper *s, int slot, double kept)
{
    const plu_block *c = plu_block_of(&s->problem, slot);
    const int k = slot % PLU_LANES;
    double p[7], a[6], b[6], end[6];
    impulse_of(c, k, p);
    for (int i = 0; kept > 0.0 && i < 7; i++)
        p[i] = (1.0 - kept) * p[i] + kept * s->created->p[slot][i];
    end_of(s, c->a[k], kept, end);
    mean_of(s, c->a[k], end, a);
    end_of(s, c->b[k], kept, end);
    mean_of(s, c->b[k], end, b);
    return work_of(c, k, p, a, b);
}

static const plu_contact *contact_at(const plu_stepper *s, int slot, int *at)
{
    *at = s->contacts->live[s->problem.contact_of_slot[slot]];
    return &s->contacts->contact[*at];
}

/* plu_hit.early of a contact, or plu_swift.early. */
static double early_of(const plu_stepper *s, int at, bool *meets)
{
    const plu_hit *hit = plu_hit_of(&s->hits, s->contacts->key[at]);
    const plu_swift *swift =
        !hit && s->contacts->swift_count > 0 ? plu_swift_of(s->contacts, at) : NULL;
    *meets = hit || swift;
    return hit ? hit->early : swift ? swift->early : 0.0;
}

/* What a bounce gives back: what its landing took in the step before, or what theta takes, as its
 * moment is in the second half of the step (less than 0: in the first). */
static double given_back(const plu_stepper *s, int slot)
{
    int at;
    const plu_contact *c = contact_at(s, slot, &at);
    const plu_pair_law *law = plu_law_of(s->world, c);
    bool meets;
    const double early = early_of(s, at, &meets);
    if (meets)
        return early * plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES];
    if (!law->rebounds || !plu_rebounds(s->world, c, &s->contacts->rebound[at]))
        return 0.0;
    const plu_rebound *stored = &s->contacts->rebound[at];
    const double h = s->world->step, left = stored->gap / h, u = c->approach, e = law->restitution;
    const double square = stored->approach * stored->approach - left * left + u * u;
    const double mass = 1.0 / plu_block_of(&s->problem, slot)->pair->wn[slot % PLU_LANES];
    return 0.5 * mass * plu_max(e * e * square - u * u, 0.0);
}

/* Bodies that sleep have rows of their own (border.c). */
static bool is_awake(const plu_stepper *s, const plu_island *island)
{
    int k = island->body_begin;
    while (k < island->body_end && !plu_asleep(s->world, s->problem.island_body[k]))
        k++;
    return k == island->body_end;
}

/* What solvers leave of bodies at rest (J). */
static double left_of_rest(const plu_stepper *s, const plu_island *island)
{
    const double fall = s->world->step * plu_norm(s->world->gravity);
    double mass = 0.0;
    for (int k = island->body_begin; fall > 0.0 && k < island->body_end; k++) {
        const double inverse = plu_lightness(s->world, s->problem.island_body[k]);
        mass += inverse > 0.0 ? 1.0 / inverse : 0.0;
    }
    return at_rest * 0.5 * mass * fall * fall;
}

/* Whether bounces of an island create energy. Two thresholds, for both leave something in a sound
 * solve: a share of what its impacts turn over, and what solvers leave of bodies at rest. */
static bool creates(plu_stepper *s, int number)
{
    struct plu_created *d = s->created;
    const plu_island *island = &s->problem.islands[number];
    if (s->world->asleep > 0 && !is_awake(s, island))
        return false;
    double work = 0.0, turned_over = 0.0, allowed = 0.0;
    bool bounces = false;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++) {
        const plu_block *c = plu_block_of(&s->problem, slot);
        const int k = slot % PLU_LANES;
        if (s->problem.contact_of_slot[slot] < 0 || !(c->p[0][k] > 0.0))
            continue;
        bounces |= c->bias[k] < 0.0;
        const double one = work_at(s, slot, 0.0);
        work += one;
        turned_over += fabs(one) + c->p[0][k] * fabs(c->bias[k]);
        allowed += given_back(s, slot);
    }
    d->work[number] = work;
    d->allowed[number] = allowed;
    return bounces && work > allowed + negligible * turned_over &&
           work > allowed + left_of_rest(s, island);
}

static plu_status make_room(plu_stepper *s, plu_error *err)
{
    if (!s->created)
        s->created = plu_alloc(1, sizeof *s->created, err);
    struct plu_created *d = s->created;
    if (!d)
        return PLU_IO;
    const size_t islands = (size_t)s->problem.islands_count;
    size_t capacity = d->islands;
    plu_status status = plu_reserve(&d->work, &capacity, islands, sizeof *d->work, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&d->allowed, &d->islands, islands, sizeof *d->allowed, 0, err);
    return status;
}

static plu_status keep(plu_stepper *s, plu_error *err)
{
    struct plu_created *d = s->created;
    const size_t slots = (size_t)s->problem.slots, rows = (size_t)s->problem.moving;
    plu_status status = plu_reserve(&d->p, &d->slots, slots, sizeof *d->p, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&d->v, &d->rows, rows, sizeof *d->v, 0, err);
    if (status != PLU_OK)
        return status;
    for (int slot = 0; slot < s->problem.slots; slot++)
        impulse_of(plu_block_of(&s->problem, slot), slot % PLU_LANES, d->p[slot]);
    for (int row = 0; row < s->problem.moving; row++)
        memcpy(d->v[row], s->problem.v[row], sizeof d->v[row]);
    return PLU_OK;
}

/* Keeps the impulses and velocities of a solve that has created energy: *again. PLU_OK or PLU_IO.
 */
static plu_status look(plu_stepper *s, bool *again, plu_error *err)
{
    *again = false;
    if (!s->world->bounces || s->world->space.moves || s->problem.servos_count > 0 ||
        s->scene->method != PLU_NONSMOOTH || s->scene->forecast != PLU_TOUCH)
        return PLU_OK;
    const plu_status status = make_room(s, err);
    if (status != PLU_OK)
        return status;
    for (int k = 0; k < s->problem.islands_count; k++) {
        const bool some = creates(s, k);
        if (!some)
            s->created->allowed[k] = NAN;
        *again |= some;
    }
    return *again ? keep(s, err) : PLU_OK;
}

/* The largest share of the solution with restitution for which the island does no more than is
 * allowed. Impulses are linear in it and velocities too, so that work is a square polynomial. */
static double share_of(const plu_stepper *s, int number)
{
    const plu_island *island = &s->problem.islands[number];
    const double allowed = s->created->allowed[number], all = s->created->work[number];
    double none = 0.0, half = 0.0;
    if (isnan(allowed))
        return 1.0;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        if (s->problem.contact_of_slot[slot] >= 0) {
            none += work_at(s, slot, 0.0);
            half += work_at(s, slot, 0.5);
        }
    const double a = 2.0 * (none + all - 2.0 * half), b = all - none - a, c = none - allowed;
    const double root = b * b - 4.0 * a * c;
    if (c >= 0.0 || !(root >= 0.0))
        return 0.0;
    const double q = -0.5 * (b + copysign(sqrt(root), b)); /* one root: c / q, the other: q / a */
    const double share = b > 0.0 ? c / q : q / a;
    return share >= 0.0 && share <= 1.0 ? share : 0.0;
}

/* Leaves in what was kept the sum of both solutions. */
static void mix_island(plu_stepper *s, int number)
{
    const struct plu_created *d = s->created;
    const plu_island *island = &s->problem.islands[number];
    const double share = share_of(s, number);
    if (share == 1.0)
        return;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++)
        for (int i = 0; i < 7; i++) {
            const double p = plu_block_of(&s->problem, slot)->p[i][slot % PLU_LANES];
            d->p[slot][i] = (1.0 - share) * p + share * d->p[slot][i];
        }
    for (int k = island->body_begin; k < island->body_end; k++) {
        const int row = s->problem.island_body[k];
        for (int i = 0; i < 6; i++)
            d->v[row][i] = (1.0 - share) * s->problem.v[row][i] + share * d->v[row][i];
    }
}

static void mix(plu_stepper *s)
{
    const struct plu_created *d = s->created;
    for (int k = 0; k < s->problem.islands_count; k++) {
        mix_island(s, k);
        s->problem.islands[k].stage = PLU_STAGE_IN_WORK; /* its impulses are passed on anew */
    }
    for (int slot = 0; slot < s->problem.slots; slot++)
        for (int i = 0; i < 7; i++)
            plu_block_of(&s->problem, slot)->p[i][slot % PLU_LANES] = d->p[slot][i];
    for (int row = 0; row < s->problem.moving; row++)
        memcpy(s->problem.v[row], d->v[row], sizeof d->v[row]);
    memset(s->mixed, 0, sizeof s->mixed);
    s->totals.restrained++;
}

/* Two solves of a step: one with restitution, already made, and where it has created energy one
 * without (`calm`). Both fulfill Newton's equations, which are linear, and so does any mean of the
 * two; impulses of a cone stay in it, for a cone is convex. */
plu_status plu_created_restrain(plu_stepper *s, plu_error *err)
{
    plu_step_info calm = {0};
    bool again;
    plu_status status = look(s, &again, err);
    if (status != PLU_OK || !again)
        return status;
    s->hits.calm = true;
    status = plu_assemble(s->assembler, s->contacts, true, &s->problem, err);
    plu_border_place(s);
    if (status == PLU_OK)
        status = plu_finish_begin(s, err);
    if (status == PLU_OK)
        status = s->method->impulses(s, &calm, err);
    s->hits.calm = false;
    if (status == PLU_OK)
        mix(s);
    return status;
}

double plu_created_by_moments(const plu_stepper *s)
{
    double sum = 0.0;
    const bool meets = s->hits.count + s->contacts->swift_count > 0;
    for (int slot = 0; meets && slot < s->problem.slots; slot++) {
        int at;
        bool one;
        const plu_block *c = plu_block_of(&s->problem, slot);
        const int k = slot % PLU_LANES;
        if (s->problem.contact_of_slot[slot] < 0 || !(c->p[0][k] > 0.0))
            continue;
        (void)contact_at(s, slot, &at);
        sum += early_of(s, at, &one) * c->p[0][k];
    }
    return sum;
}

/* By the law none of the three is positive: r_N (u_N + w_N) = 0, and friction dissipates. */
void plu_created_attribute(plu_stepper *s, double work)
{
    double sum = 0.0;
    bool bounces = false;
    for (int slot = 0; slot < s->problem.slots; slot++) {
        const plu_block *c = plu_block_of(&s->problem, slot);
        const int k = slot % PLU_LANES;
        if (s->problem.contact_of_slot[slot] < 0 || !(c->p[0][k] > 0.0))
            continue;
        double p[7], one[3];
        impulse_of(c, k, p);
        works_of(c, k, p, s->problem.v[c->a[k]], s->problem.v[c->b[k]], one);
        one[0] += p[0] * c->bias[k];
        bounces |= c->bias[k] < 0.0;
        for (int i = 0; i < 3; i++)
            sum += 0.5 * plu_max(one[i], 0.0);
    }
    const double by_solver = plu_min(sum, work);
    s->totals.created_by_solver += by_solver;
    s->totals.created_by_impacts += bounces ? work - by_solver : 0.0;
}

void plu_created_free(plu_stepper *s)
{
    if (!s->created)
        return;
    free(s->created->p);
    free(s->created->v);
    free(s->created->allowed);
    free(s->created->work);
    free(s->created);
}
