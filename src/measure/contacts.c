/* Numbers of contacts. Rattlers, which nothing holds, bear weight on one contact or none, and
 * would lower a mean that is about what carries the load:
 *
 *     coordination   all: contacts a grain;  mechanical: of the grains with two and more contacts,
 *                    by their own contacts (rattlers left out of both)
 *     friction       mean of |r_T| / r_N over loaded contacts: how much of it is mobilized
 *     forces         distribution of f = r_N over its mean, in bins of 1/4; of an exponential tail
 *                    exp(-beta f) the estimate beta = number / sum of (f - 1), over those with f >
 * 1 law            work that friction could do, r_N (mu |u_T| + mu_r |w_R| + mu_p |w_N|), against
 *                    what it does, -r_T.u_T - m.w: the same where the law holds
 *
 * What is missed of the law is the error of the solver in terms of energy (de Saxce's bipotential,
 * with r_N u_N added). Landings are left out, as the factor on their friction is not in files. */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include <stdlib.h>

static int *count_loaded(const plu_view *view, plu_error *err)
{
    int *count = plu_alloc((size_t)view->bodies, sizeof *count, err);
    for (int k = 0; count && k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!plu_view_loaded(view, c))
            continue;
        count[c->b]++;
        if (plu_side_is_sphere(c->a))
            count[plu_side_sphere(c->a)]++;
    }
    return count;
}

plu_status plu_measure_coordination(plu_coordination *coordination, const plu_view *view,
                                    const plu_region *region, plu_error *err)
{
    *coordination = (plu_coordination){.all = NAN, .mechanical = NAN};
    int *count = count_loaded(view, err);
    if (!count)
        return PLU_IO;
    long all = 0, mechanical = 0;
    for (int b = 0; b < view->bodies; b++) {
        if (!plu_view_grain(view, b) || !plu_region_holds(region, plu_view_position(view, b)))
            continue;
        coordination->grains++;
        coordination->rattlers += count[b] <= 1;
        all += count[b];
        mechanical += count[b] > 1 ? count[b] : 0;
    }
    free(count);
    const int carrying = coordination->grains - coordination->rattlers;
    if (view->contacts >= 0 && coordination->grains > 0)
        coordination->all = (double)all / coordination->grains;
    if (view->contacts >= 0 && carrying > 0)
        coordination->mechanical = (double)mechanical / carrying;
    return PLU_OK;
}

static bool contacts_counts(const plu_view *view, const plu_contact_row *c,
                            const plu_region *region)
{
    return plu_view_valid(view, c) && plu_region_holds(region, c->point);
}

/* Counts contacts, their modes and overlaps; returns the sum of the loaded normal impulses (N s).
 */
static double count_contacts(plu_contact_numbers *n, const plu_view *view, const plu_region *region,
                             int *loaded)
{
    double sum = 0.0, mobilized = 0.0;
    int overlapping = 0;
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!contacts_counts(view, c, region))
            continue;
        if (c->mode <= PLU_MODE_SLIDE_ROLL)
            n->mode[c->mode]++;
        if (c->gap < 0.0) {
            overlapping++;
            n->overlap -= c->gap;
            n->overlap_largest = plu_max(n->overlap_largest, -c->gap);
            n->overlap_ratio =
                plu_max(n->overlap_ratio, -0.5 * c->gap / plu_view_smaller_radius(view, c));
        }
        if (plu_view_loaded(view, c)) {
            ++*loaded;
            n->all++;
            n->walls += plu_view_at_wall(view, c);
            sum += c->impulse_normal;
            mobilized += plu_norm(c->impulse_tangent) / c->impulse_normal;
        }
    }
    if (overlapping > 0)
        n->overlap /= overlapping;
    n->mobilized = *loaded > 0 ? mobilized / *loaded : NAN;
    return sum;
}

static void distribute(plu_contact_numbers *n, const plu_view *view, const plu_region *region,
                       double mean, int loaded)
{
    enum { BINS_OF_MEAN = 4 };
    double largest = 0.0, squares = 0.0, excess = 0.0;
    int above = 0;
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!contacts_counts(view, c, region) || !plu_view_loaded(view, c))
            continue;
        const double f = c->impulse_normal / mean;
        const int bin =
            f * BINS_OF_MEAN < PLU_FORCE_BINS ? (int)(f * BINS_OF_MEAN) : PLU_FORCE_BINS - 1;
        n->density[bin] += (double)BINS_OF_MEAN / loaded;
        largest = plu_max(largest, f);
        squares += (f - 1.0) * (f - 1.0);
        above += f > 1.0;
        excess += plu_max(f - 1.0, 0.0);
    }
    n->force = mean / view->dt;
    n->force_largest = largest * n->force;
    n->force_spread = sqrt(squares / loaded);
    if (excess > 0.0)
        n->tail = above / excess;
}

void plu_measure_contacts(plu_contact_numbers *numbers, const plu_view *view,
                          const plu_region *region)
{
    *numbers = (plu_contact_numbers){
        .force = NAN, .force_largest = NAN, .force_spread = NAN, .tail = NAN, .mobilized = NAN};
    int loaded = 0;
    const double sum = count_contacts(numbers, view, region, &loaded);
    if (loaded > 0)
        distribute(numbers, view, region, sum / loaded, loaded);
}

/* A contact whose gap is more than this share of the smaller radius is a landing. Its friction is
 * reduced by a factor that files do not contain (src/theory.md, "Touch"). */
static const double touching = 1e-6;

/* The relative spin (rad/s); NAN if the law needs it but the view does not have it. */
static void relative_spin(const plu_view *view, const plu_contact_row *c,
                          const plu_contact_law *law, double spin[3])
{
    const bool turns = law->rolling_friction > 0.0 || law->pivoting_friction > 0.0;
    if (view->spin.at)
        plu_view_relative_spin(view, c, spin);
    else
        spin[0] = spin[1] = spin[2] = turns ? NAN : 0.0;
}

void plu_measure_law(plu_law_errors *e, const plu_view *view, const plu_scene *scene,
                     const plu_region *region)
{
    *e = (plu_law_errors){.missed = NAN, .bipotential = NAN};
    double missed = 0.0, normal = 0.0;
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *c = &view->contact[k];
        if (!plu_view_loaded(view, c) || !plu_region_holds(region, c->point) || c->law < 0 ||
            c->law >= scene->laws_count)
            continue;
        const plu_contact_law *law = &scene->laws[c->law];
        if (law->restitution > 0.0 || c->gap > touching * plu_view_smaller_radius(view, c)) {
            e->left_out++;
            continue;
        }
        const double u_n = plu_dot(c->velocity, c->normal);
        double u_t[3] = {c->velocity[0], c->velocity[1], c->velocity[2]};
        plu_add_scaled(u_t, -u_n, c->normal);
        double spin[3], rolling[3];
        relative_spin(view, c, law, spin);
        plu_tangential(spin, c->normal, rolling);
        const double pivoting = fabs(plu_dot(spin, c->normal));
        const double possible = c->impulse_normal * (law->friction * plu_norm(u_t) +
                                                     law->rolling_friction * plu_norm(rolling) +
                                                     law->pivoting_friction * pivoting);
        const double done = -plu_dot(c->impulse_tangent, u_t) - plu_dot(c->impulse_moment, spin);
        e->contacts++;
        e->possible += possible;
        missed += possible - done;
        normal += c->impulse_normal * u_n;
    }
    if (scene->method == PLU_PENALTY || !(e->possible > 0.0))
        return;
    e->missed = missed / e->possible;
    e->bipotential = (missed + normal) / e->possible;
}
