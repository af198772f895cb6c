#include "base/vec3.h"
#include "measure/view.h"
#include "pluvia/scene.h"

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
