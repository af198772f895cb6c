/* Rows of the contact problem for servos: boundaries, or edges of a periodic cell, that have one
 * velocity v_w along a unit axis a as an unknown (src/theory.md, "Servos").
 *
 *     F  |  m_w         v_w = v_free,w - (1/m_w) sum_i a.(r_N n + r_T)_i
 *     ---v---------
 *     o o o o o o o     N contacts, each with a row of its own that has v_w a: the mass is split
 *
 * With the mass split N ways (Tonge, Benevolenski and Voroshilov, ACM Trans. Graph. 31 (2012) 105)
 * contacts of one servo can be solved at the same time, W_NN + N/m_w each; v_w is computed anew
 * from all impulses between two sweeps. */
#include "assemble/servo_rows.h"
#include "assemble/cohesion.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/cell.h"
#include "pluvia/motion.h"
#include "pluvia/scene.h"
#include "world/motion.h"
#include "world/servo.h"
#include <stdlib.h>
#include <string.h>

/* The servo that the side belongs to; -1: none. */
static int servo_of(const plu_world *w, plu_side side)
{
    const plu_pose *pose = plu_side_pose(w, side);
    return pose && pose->moves ? pose->servo - 1 : -1;
}

static plu_servo servo_at(const plu_world *w, int number)
{
    const plu_world_servo *s = &w->servos[number];
    plu_servo servo = {.edge = -1,
                       .inverse_mass = 1.0 / s->spec->mass,
                       .free = s->free,
                       .low = s->low,
                       .high = s->high,
                       .load = fabs(s->load) * w->step};
    memcpy(servo.axis, s->spec->axis, sizeof servo.axis);
    return servo;
}

/* An edge of the cell, pulled together by its load. */
static plu_servo servo_of_edge(const plu_world *w, int k)
{
    const plu_stress_control *y = &w->stress_control;
    plu_servo servo = {.edge = k,
                       .inverse_mass = 1.0 / y->mass,
                       .free = y->free[k],
                       .low = -y->limit,
                       .high = y->limit,
                       .load = y->load[k] * w->step};
    servo.axis[k] = 1.0;
    return servo;
}

/* Of contact c with the image of a sphere, how fast its image is for edge k of the cell. */
static plu_servo_contact part_of(const plu_world *w, const plu_contact *c, int k)
{
    const double *shift = w->space.shift[plu_side_image(c->a)];
    return (plu_servo_contact){.lever = shift[k] / w->space.edge[k][k],
                               .own = k == 0 ? w->scene->cell->shear_rate * shift[2] : 0.0};
}

/* Counts the contacts of each servo on from its end, and sets them if they have places. Returns how
 * many there are. */
static size_t collect(plu_servo_rows *r, const plu_world *w, const plu_contacts *list, int first,
                      bool places)
{
    size_t parts = 0;
    for (int live = 0; live < list->live_count; live++) {
        const plu_contact *c = &list->contact[list->live[live]];
        const int boundary = live >= first ? servo_of(w, c->a) : -1;
        const bool crosses = w->stress_control.mass > 0.0 && plu_side_image(c->a) != 0;
        for (int s = 0; s < r->count; s++) {
            plu_servo *servo = &r->servos[s];
            plu_servo_contact part = {.lever = servo->edge < 0 && s == boundary ? 1.0 : 0.0};
            if (servo->edge >= 0 && crosses)
                part = part_of(w, c, servo->edge);
            if (part.lever == 0.0)
                continue;
            part.contact = live;
            if (places)
                r->contact[servo->end] = part;
            servo->end++;
            parts++;
        }
    }
    return parts;
}

/* Bodies that touch the same servo, one after the other. */
static void link_bodies(const plu_servo_rows *r, const plu_world *w, const plu_contacts *list,
                        plu_problem *p)
{
    p->links_count = 0;
    for (int s = 0; s < r->count; s++)
        for (int i = r->servos[s].begin + 1; i < r->servos[s].end; i++) {
            int body[2];
            for (int k = 0; k < 2; k++)
                body[k] = plu_owner(&w->spheres,
                                    list->contact[list->live[r->contact[i - 1 + k].contact]].b);
            r->link[p->links_count++] = (plu_contact_pair){body[0], body[1]};
        }
}

static plu_status make_servos(plu_servo_rows *r, const plu_world *w, plu_error *err)
{
    r->count = 0;
    const plu_status s = plu_reserve(&r->servos, &r->servos_capacity, (size_t)w->servos_count + 3,
                                     sizeof *r->servos, 0, err);
    if (s != PLU_OK)
        return s;
    for (int k = 0; k < w->servos_count; k++)
        r->servos[r->count++] = servo_at(w, k);
    for (int k = 0; k < 3 && w->stress_control.mass > 0.0; k++)
        if (w->stress_control.load[k] > 0.0)
            r->servos[r->count++] = servo_of_edge(w, k);
    return PLU_OK;
}

/* Attraction pulls a servo towards the bodies as it pulls them towards it (plu_attract): it is
 * part of the velocity without contacts of both. */
static void attract(plu_servo *s, const plu_servo_contact *part, const plu_world *w,
                    const plu_contacts *list)
{
    for (int i = s->begin; w->coheres && i < s->end; i++) {
        const int at = list->live[part[i].contact];
        const double pull = plu_attraction(w, list, at) * part[i].lever;
        s->free += s->inverse_mass * pull * plu_dot(s->axis, list->contact[at].normal);
    }
}

plu_status plu_servo_rows_make(plu_servo_rows *r, const plu_world *w, const plu_contacts *list,
                               plu_problem *p, plu_error *err)
{
    p->servos = NULL;
    p->servos_count = p->links_count = 0;
    if (w->servos_count == 0 && w->stress_control.mass == 0.0)
        return PLU_OK;
    const int first = plu_first_live_wall(list);
    plu_status s = make_servos(r, w, err);
    if (s != PLU_OK)
        return s;
    const size_t parts = collect(r, w, list, first, false);
    s = plu_reserve(&r->contact, &r->contact_capacity, parts + 1, sizeof *r->contact, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&r->link, &r->link_capacity, parts + 1, sizeof *r->link, 0, err);
    if (s != PLU_OK)
        return s;
    for (int k = 0, at = 0; k < r->count; k++) {
        plu_servo *servo = &r->servos[k];
        const int own = servo->end;
        servo->begin = servo->end = at;
        at += own;
    }
    collect(r, w, list, first, true);
    for (int k = 0; k < r->count; k++)
        attract(&r->servos[k], r->contact, w, list);
    link_bodies(r, w, list, p);
    p->servos = r->servos;
    p->servos_count = r->count;
    p->servo_contact = r->contact;
    p->link = r->link;
    return PLU_OK;
}

static void add(const plu_problem *p, const plu_servo *s, double lever, const double n[3],
                plu_pair_constants *t, int k)
{
    const double parts = plu_servo_parts(p, s) * lever * lever;
    double wn, wt;
    plu_servo_block(s, n, &wn, &wt);
    t->wn[k] += parts * wn;
    t->wt[k] += parts * wt;
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
}

/* The lever of contact c for a servo; 0: it is none of its. */
static double lever_of(const plu_world *w, const plu_problem *p, const plu_contact *c, int number)
{
    const plu_servo *s = &p->servos[number];
    if (s->edge < 0)
        return servo_of(w, c->a) == number ? 1.0 : 0.0;
    return plu_side_image(c->a) ? part_of(w, c, s->edge).lever : 0.0;
}

void plu_servo_constants(const plu_world *w, const plu_problem *p,
                         const plu_contact *const contact[PLU_LANES], plu_block *block,
                         plu_pair_constants *own)
{
    for (int k = 0; k < PLU_LANES; k++)
        for (int s = 0; s < p->servos_count; s++) {
            const double lever = contact[k] ? lever_of(w, p, contact[k], s) : 0.0;
            if (lever == 0.0)
                continue;
            if (block->pair != own) {
                memcpy(own, block->pair, sizeof *own);
                block->pair = own;
            }
            add(p, &p->servos[s], lever, contact[k]->normal, own, k);
        }
}

void plu_servo_rows_free(plu_servo_rows *r)
{
    free(r->servos);
    free(r->contact);
    free(r->link);
}
