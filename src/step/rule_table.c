/* The rules of the step: their limits and what is said of them (src/machinery.md, "Rules of the
 * step"). */
#include "step/rules.h"
#include "step/stepper.h"
#include <math.h>
#include <stdio.h>

typedef struct row {
    const char *name;
    double limit;
    const char *text; /* with the number and the limit */
} row;

static const row rows[] = {
    [PLU_RULE_TRAVEL] = {"travel", 0.5,
                         "what touches passes by at %.2g diameters in a step (at most %g)"},
    [PLU_RULE_TURN] = {"turning", 0.1,
                       "contacts of spheres turn by %.2g rad in a step (at most %g)"},
    [PLU_RULE_CROWD] =
        {"crowd", 0.05,
         "a fifth of the spheres are hit over %.2g diameters in a step (at most %g)"},
    [PLU_RULE_CHAIN] = {"chain", 0.01,
                        "spheres bear two impacts in a step, over %.2g diameters (at most %g)"},
    [PLU_RULE_SWING] = {"swing", 0.05,
                        "a sphere on a curved surface swings by %.2g rad in a step (at most %g, h "
                        "sqrt(g/radius))"},
    [PLU_RULE_SPIN] = {"spin", 0.05, "a boundary turns by %.2g rad in a step (at most %g)"},
    [PLU_RULE_PERIOD] = {"period", 0.02,
                         "a boundary swings through %.2g of its period in a step (at most %g)"},
    [PLU_RULE_PRESS] = {"pressure", 0.2,
                        "it takes %.2g of the time d sqrt(rho/sigma) in which the stress moves a "
                        "grain by its diameter (at most %g)"},
    [PLU_RULE_OVERLAP] = {"overlap", 0.05,
                          "a step left an overlap of %.2g of a diameter (at most %g)"},
};
_Static_assert(sizeof rows / sizeof *rows == PLU_RULES, "a row for each rule");

double plu_rule_limit(plu_rule rule)
{
    return rows[rule].limit;
}

const char *plu_rule_name(plu_rule rule)
{
    return rows[rule].name;
}

double plu_rule_step(plu_rule rule, double value, double step)
{
    static const double part[] = {5.0, 2.0};
    const double most = step * rows[rule].limit / value;
    const double ten = pow(10.0, floor(log10(most) + 1e-9));
    for (int k = 0; k < 2; k++)
        if (part[k] * ten <= most * (1.0 + 1e-9))
            return part[k] * ten;
    return ten;
}

void plu_rule_text(plu_rule rule, double value, char *text, size_t size)
{
    const row *r = &rows[rule];
    /* One of the texts above, each with two numbers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, size, r->text, value, r->limit);
#pragma GCC diagnostic pop
}

void plu_rules_count(plu_stepper *s, const double value[PLU_RULES])
{
    plu_totals *t = &s->totals;
    for (int k = 0; k < PLU_RULES; k++) {
        char text[128];
        if (!(value[k] > plu_rule_limit(k)))
            continue;
        plu_rule_text(k, value[k], text, sizeof text);
        if (t->too_long[k]++ == 0)
            plu_log_write(&s->log, PLU_LOG_WARNING,
                          "step %ld (t = %g s): a step of %g s is too long: %s; %g s would do. "
                          "Further steps like this are only counted",
                          s->world->steps + 1, s->world->time + s->world->step, s->world->step,
                          text, plu_rule_step(k, value[k], s->world->step));
        if (value[k] > t->worst_long[k]) {
            t->worst_long[k] = value[k];
            t->worst_long_time[k] = s->world->time + s->world->step;
        }
    }
}
