/* sleep.h: bodies at rest sleep (sleep.c), and those beside them that do not (border.c). */
#ifndef STEP_SLEEP_H
#define STEP_SLEEP_H

#include "base/reorder.h"
#include "pluvia/step.h"
#include "world/world.h"

/* What decides which bodies sleep (sleep.c). */
typedef struct plu_sleep {
    double speed;      /* m/s: below it a body is at rest */
    double change;     /* m/s: a change of velocity that wakes a body after the step */
    double shock;      /* m/s: one that wakes it at once */
    double slow;       /* m/s: nobody sleeps while a boundary moves and is slower */
    double ringing;    /* m/s: slower bodies that slow down may be stopped */
    long slower;       /* bodies slower than that at the end of the step */
    int calm;          /* steps for which nearly all were, or slept: part of the state of a run */
    double held_step;  /* s: the length of the step that `held` is of */
    double (*held)[8]; /* by body of the border: what weight and sleeping contacts do to it */
    double (*yielded)[8]; /* by body of the border: the row that the solve left */
    int *parent;          /* union-find of the bodies that are awake */
    int *size;
    unsigned char *marked; /* scratch; between the motion and the end of a step: who slows down */
    int *border;           /* bodies that sleep and feel live contacts, or miss one */
    int border_count;
    int *touch;  /* live contacts, by number, of a body that sleeps with one that does not */
    int *beside; /* scratch: contacts of marked bodies */
    size_t touch_count, touch_capacity, beside_capacity;
    plu_compaction compaction;
    long sleeps, generation; /* of the world when the border was listed */
} plu_sleep;

plu_status plu_sleep_create(plu_stepper *stepper, plu_error *err);
void plu_sleep_free(plu_stepper *stepper);

/* Sets the speeds that decide, which are multiples of g h: for a new stepper, gravity or step. */
void plu_sleep_set_speeds(plu_stepper *stepper);

/* Whether a row of velocities, omega times the radius of body i, is above the limit (m/s). */
bool plu_exceeds(const plu_stepper *stepper, int i, const double row[8], double limit);

/* After a solve: wakes the sleeping bodies of the border that it would set in motion. Where one is
 * hit, its neighbors wake too, more of them with each round (from 1 on). True: the step has to be
 * solved again. */
bool plu_sleep_wake(plu_stepper *stepper, int round);

/* After detection: wakes the bodies that touch a boundary that moves, which then stay awake, and
 * all bodies while a boundary moves slowly. True: some body was woken. */
bool plu_sleep_wake_at_walls(plu_stepper *stepper);

/* Counts the steps in a row that body i was at rest. */
static inline void plu_sleep_count(plu_world *w, int i, bool still)
{
    w->bodies.rest[i] =
        still ? (unsigned char)(w->bodies.rest[i] + (w->bodies.rest[i] < PLU_FIXED - 1)) : 0;
}

/* As plu_sleep_count, from the velocities of body i at the end of a step. */
static inline void plu_sleep_note(plu_world *w, const plu_sleep *q, int i)
{
    const double *v = w->bodies.row[i], r = w->bodies.position[i][3];
    const double limit = q->speed * q->speed;
    const bool still = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= limit &&
                       r * r * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) <= limit;
    plu_sleep_count(w, i, still);
}

/* Of the kinetic energy of a sphere, the weight of the square of r omega beside that of v; and the
 * share of it that is left, at most, of a body that slows down: less than that may be rounding. */
#define PLU_TURNING 0.4
#define PLU_SLOWER 0.99

/* Whether a body is slow, and whether it slows down while it is: where it was slow before as well,
 * and has lost energy in the step. What flies does not: gravity changes its speed by more. */
bool plu_is_slow(const plu_stepper *stepper, int i, const double row[8]);
bool plu_slows_down(const plu_stepper *stepper, int i, const double before[8],
                    const double after[8]);

/* At the end of a step: stops the bodies that slow down where nearly all are slow (sleep.c). */
void plu_sleep_calm(plu_stepper *stepper);

/* At the end of a step: the bodies that have been at rest for long enough fall asleep. */
void plu_sleep_begin(plu_stepper *stepper);

/* --- border.c: the bodies that sleep and touch others that do not --- */

/* For new live contacts: lists the border, and pins those that only small groups touch. Before the
 * assembly. PLU_OK or PLU_IO (no memory). */
plu_status plu_border_prepare(plu_stepper *stepper, plu_error *err);

/* After the assembly of new live contacts: the border's rows. */
void plu_border_place(plu_stepper *stepper);

/* After the solve: what the border feels, in held + M^-1 H p; on return in problem.v for each. */
void plu_border_feel(plu_stepper *stepper);

/* Exchanges the border's rows of problem.v for those that the solve left, which residuals are of;
 * called once more, it puts them back. */
void plu_border_swap(plu_stepper *stepper);

#endif
