#include "assemble/servo_rows.h"
#include "assemble/given_rows.h"
#include "base/memory.h"
#include "base/vec3.h"
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
    plu_servo servo = {.inverse_mass = 1.0 / s->spec->mass,
                       .free = s->free,
                       .limit = s->limit,
                       .load = fabs(s->load) * w->scene->step};
    memcpy(servo.axis, s->spec->axis, sizeof servo.axis);
    return servo;
}

static void count(const plu_world *w, const plu_contacts *list, int first, plu_servo *servos)
{
    for (int k = first; k < list->live_count; k++) {
        const int s = servo_of(w, list->contact[list->live[k]].a);
        if (s >= 0)
            servos[s].end++;
    }
    for (int s = 0, at = 0; s < w->servos_count; s++) {
        const int contacts = servos[s].end;
        servos[s].begin = servos[s].end = at;
        at += contacts;
    }
}

static void place(const plu_servo_rows *r, const plu_world *w, const plu_contacts *list, int first,
                  plu_problem *p)
{
    p->links_count = 0;
    for (int k = first; k < list->live_count; k++) {
        const plu_contact *c = &list->contact[list->live[k]];
        const int number = servo_of(w, c->a);
        if (number < 0)
            continue;
        plu_servo *s = &r->servos[number];
        const int body = plu_owner(&w->spheres, c->b);
        if (s->end > s->begin) {
            const plu_contact *before = &list->contact[list->live[r->contact[s->end - 1]]];
            r->link[p->links_count++] = (plu_contact_pair){plu_owner(&w->spheres, before->b), body};
        }
        r->contact[s->end++] = k;
    }
}

plu_status plu_servo_rows_make(plu_servo_rows *r, const plu_world *w, const plu_contacts *list,
                               plu_problem *p, plu_error *err)
{
    p->servos = NULL;
    p->servos_count = p->links_count = 0;
    if (w->servos_count == 0)
        return PLU_OK;
    const int first = plu_first_live_wall(list);
    const size_t walls = (size_t)(list->live_count - first), count_of = (size_t)w->servos_count;
    plu_status s =
        plu_reserve(&r->servos, &r->servos_capacity, count_of, sizeof *r->servos, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&r->contact, &r->contact_capacity, walls + 1, sizeof *r->contact, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&r->link, &r->link_capacity, walls + 1, sizeof *r->link, 0, err);
    if (s != PLU_OK)
        return s;
    for (int k = 0; k < w->servos_count; k++)
        r->servos[k] = servo_at(w, k);
    count(w, list, first, r->servos);
    place(r, w, list, first, p);
    p->servos = r->servos;
    p->servos_count = w->servos_count;
    p->servo_contact = r->contact;
    p->link = r->link;
    return PLU_OK;
}

static void add(const plu_problem *p, const plu_servo *s, const double n[3], plu_pair_constants *t,
                int k)
{
    const double parts = plu_servo_parts(p, s);
    double wn, wt;
    plu_servo_block(s, n, &wn, &wt);
    t->wn[k] += parts * wn;
    t->wt[k] += parts * wt;
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
}

void plu_servo_constants(const plu_world *w, const plu_problem *p,
                         const plu_contact *const contact[PLU_LANES], plu_block *block,
                         plu_pair_constants *own)
{
    for (int k = 0; k < PLU_LANES; k++) {
        const int number = contact[k] ? servo_of(w, contact[k]->a) : -1;
        if (number < 0)
            continue;
        if (block->pair != own) {
            memcpy(own, block->pair, sizeof *own);
            block->pair = own;
        }
        add(p, &p->servos[number], contact[k]->normal, own, k);
    }
}

void plu_servo_rows_free(plu_servo_rows *r)
{
    free(r->servos);
    free(r->contact);
    free(r->link);
}
