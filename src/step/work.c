/* The work of the contacts, for the energy balance (src/README.md). */
#include "base/vec3.h"
#include "step/stepper.h"

typedef struct work {
    double impact, friction, rolling;
} work;

static void mean_row(const double *now, const double *next, double mean[8])
{
    for (int i = 0; i < 6; i++)
        mean[i] = 0.5 * (now[i] + next[i]);
}

static work range_work(const plu_stepper *s, int begin, int end)
{
    work sum = {0};
    const plu_problem *problem = &s->problem;
    for (int slot = begin; slot < end; slot++) {
        if (problem->contact_of_slot[slot] < 0)
            continue;
        const int k = slot % PLU_LANES;
        const plu_block *c = plu_block_of(problem, slot);
        double va[8] = {0}, vb[8], y[7], p[7];
        if (c->a[k] >= 0)
            mean_row(s->world->velocity[c->a[k]], problem->v[c->a[k]], va);
        mean_row(s->world->velocity[c->b[k]], problem->v[c->b[k]], vb);
        plu_slot_velocity(c, k, va, vb, y);
        for (int i = 0; i < 7; i++)
            p[i] = c->p[i][k];
        sum.impact += p[0] * (y[0] - c->bias[k]);
        sum.friction += plu_dot(p + 1, y + 1);
        sum.rolling += plu_dot(p + 4, y + 4);
    }
    return sum;
}

void plu_add_contact_work(plu_stepper *s)
{
    const int slots = s->problem.slots, chunks = (slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
    work *part = (work *)s->problem.sums;
#pragma omp parallel for schedule(static) if (chunks > 8)
    for (int i = 0; i < chunks; i++) {
        const int begin = i * PLU_SUM_CHUNK;
        part[i] =
            range_work(s, begin, begin + PLU_SUM_CHUNK < slots ? begin + PLU_SUM_CHUNK : slots);
    }
    for (int i = 0; i < chunks; i++) {
        s->totals.work_impact += part[i].impact;
        s->totals.work_friction += part[i].friction;
        s->totals.work_rolling += part[i].rolling;
    }
}
