/* strategy.h: all numbers by which solves decide: when to check, to stop, to go on in doubles, to
 * hand over, to call another method, to let contacts yield, and bodies sleep. Each has its unit and
 * what it decides. The table stands here because rooms from `general` to `step` read it.
 *
 * "Why" names the runs that it rests on, a section of src/tried.md (T) or src/solving.md (S).
 *
 * "Fails" names a test that fails with the number times (x) or over (/) a factor: rows that
 * tests/faults/constants.py reads and tries. A direction without a row was tried by 4 and 16 on
 * short runs of beds, boxes, a servo, a jam and a boulder: it does less harm there than chance
 * does, or none. "Free" ones change times or memory and no bits.
 *
 * Not here, with the reason:
 *   depths of arrays, widths of lanes    they give an iteration its form, not its pace
 *   PLU_LARGE, PLU_TILED (blocks.h) ...  layouts
 *   OPEN_SHARE (local/open_lanes.h),     kernels that are compiled for each instruction set
 *     PLU_SLOWER (step/sleep.h)
 *   PLU_FAST (blocks/errors.h)           a scale, of speeds at rest
 *   factors in formulas of criterion.h   they stand there; "2 x now" doubles the waits for what
 *                                        was tried in vain
 *   general/prox_newton.c and its like,  of one method, or of problems that are solved alone
 *     block_gs.c, solve_problem.c
 *   step/ladder.c, rules, impacts.c,     lengths of steps, warnings, the geometry of contacts
 *     error_work.c */
#ifndef BASE_STRATEGY_H
#define BASE_STRATEGY_H

/* --- criterion.c: when an island is solved ---------------------- why: S "When a step is solved"
 */

/* What an island at rest may keep of the errors of one in motion, as shares of the tolerance. Why:
 * T "Creep of beds at rest".
 * Fails: unit/criterion with least_velocity x4 /4, least_sinking x4 /4. */
static const double least_velocity = 0.03, least_sinking = 0.01;
/* ... and with elastic impacts, at least; and the overlap that errors may cause in a step, times
 * tolerance, over the smaller diameter. Why: energy of elastic rows (tests/bench/quality); S.
 * Fails: unit/criterion with elastic_share x4 /4, overlap_share x4 /4. */
static const double elastic_share = 2e-3, overlap_share = 0.05;
/* Ratios of radii between which the share of overlaps falls in proportion. Why: T "Small grains
 * among large ones".
 * Fails: unit/criterion with nearly_equal x4 /4, most_unequal x4 /4. */
static const double nearly_equal = 4.0, most_unequal = 10.0;
/* How much larger single errors of velocities may be in driven islands, whose work bounds them, at
 * most: in proportion to the work of friction over the energy that impacts take. Why: T "Beds under
 * a stress", "tau of single velocities", "lattice".
 * Fails: unit/criterion with driven_share x4 /4. */
static const double driven_share = 3.0;
/* Of what is allowed elsewhere, for a body that only boundaries hold: what it is wrong by in a step
 * nothing beside it takes back, and a few sweeps more of few contacts cost nothing. Why: a ball in
 * a tube of 384 facets at 4 ms had 1.8 times its energy after 3 s (physics/folds).
 * Fails: unit/criterion with lone_share x4 /4. */
static const double lone_share = 1e-2;
/* Of driven islands (errors.h), times tolerance: what the work of the errors may be of that of
 * friction; the same of its signed sum over the normals, which is what makes a bed denser; and what
 * it may be of the energy that impacts take. Why: T "Beds under a stress", net / D and abs / D.
 * Fails: unit/criterion with most_work x4 /4, most_net x4 /4, most_struck x4 /4. */
static const double most_work = 5.0, most_net = 0.1, most_struck = 3.0;
/* For the first of these the energy that velocities gain and lose counts so many times beside
 * friction in beds that come to rest, as long as it is less than the least work of friction. Why: T
 * "Beds under a stress", "without K beside D0". 300 grains that come to rest take 0.83 times the
 * sweeps with x16.
 * Fails: unit/criterion with settling x4 /4. */
static const double settling = 10.0;
/* Friction counts for at least what it takes where a step strains the bed by so much. With y = h
 * over the time in which its stress moves a grain by a diameter: slow_strain min(1, slow_time / y),
 * at least fast_strain y. Steps of usual length, y = 0.4, are judged sharpest: shorter ones change
 * too little in a step to differ from rest, in longer ones grains move far. Why: T "Beds under a
 * stress", the first four ideas.
 * Fails: unit/criterion with slow_strain x4 /4, slow_time x4 /4, fast_strain x4 /4. */
static const double slow_strain = 2e-6, slow_time = 0.073, fast_strain = 7.5e-7;
/* What that adds to the work of friction, at most, as a share of it. Beds that are strained so
 * slowly that both are alike would be solved to a share of twice their work: their forces then stay
 * those of the first step. Why: T "Slow strain".
 * Fails: unit/criterion with least_share x4 /4. */
static const double least_share = 0.2;
/* Where grains do not resist rolling, and are pressed at more places than hold them, impulses move
 * among states that are all in balance: errors do not fall below a few times the work of friction,
 * and their signed sum goes up and down. After so many sweeps both may be more, in proportion, up
 * to so many times. Why: T "Beds without rolling friction".
 * Fails: unit/criterion with work_sweeps x4 /4, work_most x4 /4, net_sweeps x4 /4, net_most x4 /4.
 */
static const double work_sweeps = 150.0, work_most = 10.0, net_sweeps = 200.0, net_most = 6.0;
/* Of islands too large for the fallback, in which friction takes no less than the work of the
 * errors, and so many times their signed work: after so many sweeps the limit of `sinking` is
 * larger, in proportion, up to so many times. Where all contacts roll or slip impulses are not
 * unique, and errors end at 1.0 to 1.3 times the limit, a third of the work of friction. Why: T
 * "Momentum and Anderson acceleration".
 * Fails: unit/criterion with flow_rubbed x4 /4, flow_sweeps x4 /4, flow_most x4 /4. */
static const double flow_rubbed = 5.0, flow_sweeps = 200.0, flow_most = 2.0;
/* Beyond this tolerance errors would be no small share of the work any more.
 * Fails: unit/criterion with most_tolerance x4 /4. */
static const double most_tolerance = 0.2;

/* --- blocks/errors.c: what errors are compared with ------------ why: S "When a step is solved" */

/* Without gravity, of the largest change of a velocity in the step: changes of bodies count for no
 * less. Where contacts yield, of the speed of the fastest boundary, likewise: what yields between
 * boundaries may stay at rest.
 * Fails: unit/criterion with change_share x4 /4, boundary_share x4 /4. */
static const double change_share = 1e-3, boundary_share = 1e-3;
/* Friction takes so much more than impacts where a bed without gravity is strained slowly.
 * Fails: unit/criterion with strained_slowly x4 /4. */
static const double strained_slowly = 10.0;

/* --- search.c: when to check, and by which numbers ------------------ why: S "Iteration", "Check"
 */

/* An island whose first sweep changes the impulses by a smaller share is at rest, and as a rule
 * converged at the first check: then impulses are handed on with it.
 * Free: at_rest_change. */
static const double at_rest_change = 1e-3;
/* Share of what is allowed: with more rounding than this sweeps go on in doubles. A bed at 30 m/s
 * in steps of a microsecond would be called solved with 1.5 times what is allowed.
 * Fails: physics/strategy with most_rounding x400; unit/search with most_rounding x4 /4. */
static const double most_rounding = 0.25;
/* Errors computed from floats are uncertain by this share of what is allowed, as a rule: estimates
 * have to be smaller by it, and where rounding hides less they need no check in doubles. Why: 433
 * solves that differed by 0.13 % at most (S).
 * Fails: physics/strategy with float_noise x16 /4; unit/search with float_noise x4 /4. */
static const double float_noise = 0.01;
/* The rounding of impulses hides about `hidden` times what is allowed, which grows with depth:
 * above most_hidden all estimates are checked in doubles, above most_pressed floats would not
 * suffice. Why: T "Floats in deep beds", S.
 * Fails: unit/deep with most_hidden x16, most_pressed x16 /16;
 *   unit/search with most_hidden x4 /4, most_pressed x4 /4. */
static const double most_hidden = 0.25, most_pressed = 4.0;
/* If the first sweeps change the impulses by at most the share settled_change, the bed is at rest,
 * and the sweeps up to min_iterations are saved if the errors are at most settled_share of what is
 * allowed. The margin is needed because the next steps start from the errors of this one. Why: S,
 * 8,000 spheres in 6.6 instead of 11.2 sweeps a step.
 * Fails: physics/strategy with settled_change /16; unit/deep with settled_share x16;
 *   unit/search with settled_change x4 /4, settled_share x4 /4. */
static const double settled_change = 3e-4, settled_share = 0.5;
/* The relative change of a sweep that counts as none.
 * Fails: physics/strategy with no_change /16; unit/search with no_change x4 /4. */
static const double no_change = 1e-12;
/* By residuals: the change of a tile's first sweep is so many times the residual after its second
 * (S "Iteration"); checks follow after an eighth more sweeps.
 * Fails: physics/strategy with CHECKED_EVERY x16 /8; unit/search with tile_estimate x4 /4. */
static const double tile_estimate = 1.3;
enum { CHECKED_EVERY = 8 };
/* Sweeps after which a driven island is checked more often, after that share of them: its errors go
 * up and down, and that they fall from one check to the next says nothing about a third. Why: T
 * "Beds without rolling friction", "checks"; 100 grains that are sheared take 0.8 to 1.1 times the
 * sweeps with others, by chance.
 * Fails: unit/search with RESTLESS x4 /4, WAITS x4 /4. */
enum { RESTLESS = 150, WAITS = 8 };
/* Driven islands have no fallback: in steps in which chains of grains buckle, in the first one and
 * where a load turns back, their sweeps may go on PATIENCE times as long, unless the scene wants
 * few (less than MANY). What such a step leaves open the next ones have to make up for, in about as
 * many sweeps. Why: T "Beds under a stress", "1000 sweeps at most"; T "Slow strain".
 * Fails: physics/pressed with PATIENCE /4, MANY x4; unit/search with PATIENCE x4 /4, MANY x4 /4.
 */
enum { MANY = 1000, PATIENCE = 8 };

/* --- search.c, plu_checks_plan: when the next check is due ------------------------------------ */

/* Bounds of the exponent with which errors fall.
 * Fails: unit/search with least_power x4 /4, most_power x4 /4. */
static const double least_power = 0.6, most_power = 4.0;
/* How the next check is found: the exponent before there is a second check, what errors are to be
 * by then, how much later it is at most from the first check on and from others, and at least; of
 * checks in doubles and of estimates in floats. Why: S, 2.6 to 3.4 estimates a step.
 * Fails: unit/search with
 *   planned_checks.power x4 /4, planned_checks.goal x4 /4, planned_checks.first_leap x4 /4,
 *   planned_checks.leap x4 /4, planned_checks.spared x4 /4,
 *   planned_estimates.power x4 /4, planned_estimates.goal x4 /4,
 *   planned_estimates.first_leap x4 /4, planned_estimates.leap x4 /4,
 *   planned_estimates.spared x4 /4. */
static const struct plu_planning {
    double power, goal, first_leap, leap, spared;
} planned_checks = {1.2, 1.0, 2.0, 2.0, 1.125}, planned_estimates = {1.0, 0.98, 4.0, 2.0, 1.0};

/* --- gs.c: what follows a sweep --------------------------------------------------------------- */

/* Sweeps after which v is computed anew from the impulses, in doubles: else it drifts away from
 * them. Why: T "Floats in deep beds"; of columns of 240 to 320 spheres half are not what floats
 * call solved without it.
 * Fails: unit/deep with RENEWED x16. */
enum { RENEWED = 64 };
/* Sweeps in floats of an island that is not large, at most, and of larger ones that errors no
 * longer fall in, unless the load is deep: sum W_N p_N^2 / sum m over (g h)^2, 2/3 n^2 of a column
 * of n; of islands that are not tiled, and of tiled ones. Why: T "Momentum and Anderson
 * acceleration".
 * Fails: physics/strategy with LONG /4; unit/deep with deep_load x16;
 *   unit/stuck with LONG x4 /4, deep_load x4 /4, deep_tiled x4 /4. */
enum { LONG = 100 };
static const double deep_load = 2e3, deep_tiled = 1e4;
/* Tiled islands of more contacts have no room for Anderson's vectors, 672 bytes a contact: they are
 * swept without momentum where it finds no end.
 * Fails: unit/stuck with COMBINED x4 /4. */
enum { COMBINED = 1 << 19 };
/* Sweeps before contacts are handed over to the fallback, and after it before more are; so many
 * more if they are expected to suffice. Why: T "Handing over few contacts".
 * Fails: physics/strategy with FIRST_HANDED x4, NEXT_HANDED x16;
 *   unit/search with FIRST_HANDED x4 /4, SOON x4 /4. */
enum { FIRST_HANDED = 64, NEXT_HANDED = 32, SOON = 16 };
/* Sweeps before a jam is looked for, and visits of contacts in them (small islands sweep fast); the
 * same where contacts yielded in the step before; contacts up to which the fallback is cheap enough
 * to be tried first; and how large errors are then, over what is allowed. Why: src/theory.md,
 * "Jams"; a crystal under a plate: 2 of 20 steps not converged, 6 with FIRST_JAM x4.
 * Fails: physics/strategy with FIRST_JAM x4, JAM_VISITS x16, NEXT_JAM x16, NEXT_VISITS x16;
 *   unit/search with FIRST_JAM /4, JAM_VISITS /4, NEWTON_IS_CHEAP x4 /4, jam_missed x4 /4,
 *   NEXT_JAM x4 /4, NEXT_VISITS x4 /4. */
enum {
    FIRST_JAM = 32,
    JAM_VISITS = 100000,
    NEXT_JAM = 16,
    NEXT_VISITS = 20000,
    NEWTON_IS_CHEAP = 1000
};
static const double jam_missed = 10.0;
/* Contacts in small islands up to which more than one thread does not pay; doubles of Anderson's
 * vectors that are kept from solve to solve, at most.
 * Free: SMALL_TEAM, KEPT. */
enum { SMALL_TEAM = 512, KEPT = 1 << 23 };

/* --- solve/islands.c, general/pace.h: other methods ------------------------------------------- */

/* The fallback solves islands of at most so many contacts: the matrix factors of larger ones would
 * cost more than all other steps together. Why: T "Handing over few contacts", second table; ten
 * times as many may take 17 s for a step.
 * Fails: unit/islands with PLU_FALLBACK_CONTACTS x4 /4. */
enum { PLU_FALLBACK_CONTACTS = 2000 };
/* By the criterion "velocity" a general method solves an island so many times at most, first to
 * this scaled residual, which is not proportional to velocities.
 * Fails: unit/islands with SOLVE_ROUNDS x4 /4, first_tolerance x4 /4. */
enum { SOLVE_ROUNDS = 5 };
static const double first_tolerance = 1e-3;
/* Times what the sweeps missed the criterion by: so much worse the impulses of the fallback may be
 * that have a smaller residual.
 * Fails: unit/islands with much_worse x4 /4. */
static const double much_worse = 10.0;
/* Sweeps between two looks at the pace, and before the first decision: Anderson acceleration begins
 * after a hundred sweeps, and if it helps, it does so within another hundred.
 * Fails: unit/search with PLU_PACE_EVERY x4 /4, PLU_PACE_FIRST x4 /4. */
enum { PLU_PACE_EVERY = 50, PLU_PACE_FIRST = 200 };
/* The cost of the proximal Newton method in sweeps, at least and by contact: it was measured as 90
 * to 1,100 sweeps for 44 to 1,645 contacts. Most of it is factorization, whose work grows with the
 * square of the number of contacts, while that of a sweep is proportional to it.
 * Fails: unit/search with newton_least x4 /4, newton_share x4 /4. */
static const double newton_least = 200.0, newton_share = 0.5;

/* --- engine.c, nesterov.h, anderson.c --------------------------------------------------------- */

/* Smaller tolerances of residuals and of velocities need doubles.
 * Fails: physics/strategy with single_tolerance x16. */
static const double single_tolerance = 1e-4;
/* t of the momentum from the start on, of tiled islands, whose errors extend over many layers. Why:
 * T "Criterion and sweeps"; x10 takes 1.13 times the sweeps of a box of 8,000.
 * Fails: unit/anderson with tiled_momentum x4 /4. */
static const double tiled_momentum = 4.0;
/* Anderson, here and in general/block_gs.h: added to the normal equations, as a share of their
 * trace; growth of |f|^2 that asks for a restart. Why: tikhonov x10 takes 1.26 times the sweeps
 * where grains hardly roll.
 * Fails: unit/anderson with tikhonov x4 /4, growth x4 /4. */
static const double tikhonov = 1e-12, growth = 4.0;

/* --- settings.h: the criterion "weight" ------------------------------- why: S "Iteration", Depth
 */

/* Weights of the island over the norm of its impulses that count as all; and the least share of the
 * tolerance. Why: PLU_LEAST_SHARE x16 takes a quarter of the sweeps of 40 layers, in which errors
 * grow.
 * Fails: unit/search with PLU_DEEP x4 /4, PLU_LEAST_SHARE x4 /4. */
#define PLU_DEEP 3.0
#define PLU_LEAST_SHARE 0.1

/* --- hand_over.c: contacts that are solved together --------- why: T "Handing over few contacts"
 */

/* Fails: unit/hand_over with HANDED_FEW x4 /4, HANDED_ENOUGH x4 /4, HANDED_MOST x4 /4,
 *   HANDED_STEPS /16. */
enum {
    HANDED_FEW = 64,     /* contacts that count as few */
    HANDED_ENOUGH = 400, /* contacts from which no further neighbors are added */
    HANDED_MOST = 1500,  /* contacts that are solved together at most */
    HANDED_STEPS = 60    /* of the fallback */
};
/* Of the work of an island: what few contacts must hold at least, and what suffices.
 * Fails: unit/hand_over with concentrated x4 /4, nearly_all x4 /4. */
static const double concentrated = 0.5, nearly_all = 0.98;
/* The fallback lowers the error of the chosen contacts to this share of what is allowed. What it
 * finds is kept up to this many times the error of before: errors that it leaves lie where the
 * chosen contacts end, and a few sweeps remove them.
 * Fails: unit/hand_over with handed_margin x4 /4, handed_tolerated x4 /4. */
static const double handed_margin = 0.1, handed_tolerated = 4.0;

/* --- jam.c: contacts that yield ------------------------------------- why: src/theory.md, "Jams"
 */

/* From this share of what it may bear on a contact counts as one that bears all: floats round.
 * Fails: physics/jam with bears_all x4; unit/jam with bears_all x4 /4. */
static const double bears_all = 0.999;
/* How much more than in the sweeps that found no balance contacts may bear: with less than that
 * forces would not grow up to the strength.
 * Fails: physics/jam with jam_room x16 /4; unit/jam with jam_room x4 /4. */
static const double jam_room = 1.2;
/* Of the largest impulse that contacts may have: what those of a jam have at least.
 * Fails: physics/jam with jam_held x16; unit/jam with jam_held x4 /4. */
static const double jam_held = 0.1;
/* An impact is no jam: what stops at a single contact is the heaviest body, or a column of bodies,
 * of so many times the mass of all over the square root of their number.
 * Fails: unit/jam with impact_columns x4 /4. */
static const double impact_columns = 4.0;

/* --- initial_impulses.c: a bed at rest ----------------- why: T "Deep beds without impulses" */

/* Contacts: smaller islands find their impulses by the sweeps of the step. 432 spheres that begin
 * at rest take five times the visits.
 * Fails: physics/strategy with START_FEWEST x4; unit/initial_impulses with START_FEWEST x4 /4. */
enum { START_FEWEST = 1000 };
/* In units of g h: how fast an island at rest is before the step; by how much its bodies may change
 * their speed in the step where sweeps end, and where the island counts as borne. All are root mean
 * squares by mass: single bodies that fall, roll or spin beside the others do not count for more
 * than they weigh, and what keeps its speed is not an error. What is compared is among the faults
 * of tests/faults.
 * Fails: unit/initial_impulses with start_at_rest x4 /4, borne_well x4 /4, borne x4 /4. */
static const double start_at_rest = 1.0, borne_well = 0.02, borne = 0.1;
/* Sweeps end where twice as many have lowered the change to no less than this share: of an island
 * that is borne, and of one that is not yet. Sweeps carry a load a few layers on each, so the
 * change in a deep bed hardly falls until they have come to its floor.
 * Fails: unit/initial_impulses with no_gain x4 /4, no_gain_yet x4 /4. */
static const double no_gain = 0.8, no_gain_yet = 0.99;
/* Sweeps before the first check, and times the sweeps of a step that are made at most: the impulses
 * are sought only once in a run.
 * Fails: unit/initial_impulses with START_CHECKED x4 /4, START_PATIENCE x4 /4. */
enum { START_CHECKED = 64, START_PATIENCE = 16 };
/* Of the tolerance, for a first step whose impulses were sought: all later steps of a bed at rest
 * start from its errors.
 * Fails: physics/strategy with sought_share x8. */
static const double sought_share = 0.1;

/* --- step/control.c --------------------------------------------------------------------------- */

/* Over the least range of attraction: the gap that errors of a step may leave in a bond. Why:
 * spheres that turn about each other open theirs (physics/cohesion). In a bed of wet grains that
 * comes to rest errors leave 0.04 at most, whatever this is.
 * Fails: physics/cohesion with bond_share x4 /4. */
static const double bond_share = 0.1;

/* --- step/sleep.c, step/border.c: when bodies sleep -------- why: src/machinery.md, "Sleep" */

/* Steps for which a body is at rest before it sleeps. Bodies fall asleep together, when this part
 * of all would sleep, a quarter: fewer are not worth it.
 * Fails: physics/border with SLEEP_STEPS x4 /4, SLEEP_PART x4 /4. */
enum { SLEEP_STEPS = 16, SLEEP_PART = 4 };
/* Over g h times the tolerance of the solver: the speed of a body that is at rest, and the changes
 * of its velocity in a step that wake it, after the step or at once. What rests on a body that
 * sleeps may sink into it at the speed wake_change, because that body yields in each solve and is
 * put back to rest after it: so this is no faster than what is at rest.
 * Fails: physics/border with sleep_speed x4 /4, wake_change x4 /4, wake_shock x4 /4. */
static const double sleep_speed = 1e-2, wake_change = 1e-2, wake_shock = 1.0;
/* Neighbors of neighbors that are woken at once with a body, in the first round; four times as many
 * from the second round on; and the round from which all that hangs together is woken, by as many
 * neighbors at a time.
 * Fails: physics/border with WAKE_RINGS x4 /4, WAKE_ROUNDS x4 /4, WAKE_FAR x4 /4. */
enum { WAKE_RINGS = 2, WAKE_ROUNDS = 3, WAKE_FAR = 250 };
/* Over the speed of a body that is at rest: what a boundary pushes more slowly stays in place if it
 * sleeps, for as long as the boundary moves. At three times that speed 0.3 % of the way are lost,
 * 40 bodies from the boundary.
 * Fails: physics/border with slow_wall x4 /4. */
static const double slow_wall = 10.0;
/* Over the speed of a body that is at rest: what is slow, and may be stopped where it slows down.
 * That is twice the error that the criterion leaves in a bed at rest, and a fiftieth of g h at
 * most, so that no body in flight is slow for two steps. Where so large a part of all is slow or
 * sleeps for so many steps a bed comes to rest; in flows a part of the bodies is slow as well, and
 * creeps. Bodies that two contacts bear are in a bed: what rolls or swings on one comes to a
 * turning point, too, and would lose there what little it has. Why: T "Beds that ring".
 * Fails: physics/calm with ringing x4 /4, calm_part x4 /4, CALM_STEPS x4 /4, CALM_BEARERS x4 /4. */
static const double ringing = 20.0, calm_part = 0.9;
enum { CALM_STEPS = 100, CALM_BEARERS = 2 };
/* Awake bodies that touch, up to which those that they touch and that sleep are fixed bodies in the
 * solve: more of them can push with their whole mass.
 * Fails: physics/border with SMALL_GROUP x4 /4. */
enum { SMALL_GROUP = 8 };

#endif
