/* swift.h: pairs that meet in a long stride (src/theory.md, "Long strides"). */
#ifndef DETECT_SWIFT_H
#define DETECT_SWIFT_H

#include "detect/detector.h"

/* Over the smaller radius: a longer stride is looked at. */
#define PLU_LONG_STRIDE 0.5

/* Over the smaller radius: what touches at the start and comes nearer by less is no impact. */
#define PLU_SLOW_STRIDE 0.1

/* A look at candidates; what is found goes to `missed` and `swift_found` of the detector. */
typedef struct plu_swift_search {
    plu_detector *d;
    plu_status status;
    bool follows, ahead; /* along meshes (fold.c, ahead.c) */
} plu_swift_search;

/* A sphere on its way, at the share `from` of the step. */
typedef struct plu_flight {
    double from, at[3], velocity[3], radius;
} plu_flight;

/* How it meets a part. */
typedef struct plu_meeting {
    double when, normal[3], surface[3]; /* velocity of the surface there (m/s) */
} plu_meeting;

/* --- swift_list.c --- */

/* Notes what was found; by any thread. */
void plu_swift_note(plu_swift_search *search, const plu_contact *contact, plu_swift swift);

/* Leaves each body the first of what was found, and adds that to what is known of the contacts.
 * *added: some of it is in `missed`, for it is no contact yet. */
plu_status plu_swift_take(plu_detector *detector, bool *added, plu_error *err);

/* hit[owner of the sphere] is at most `when`. */
void plu_swift_sooner(plu_detector *detector, int sphere, double when);

/* Whether the pair of a contact is one of the list, and one that is met. */
bool plu_swift_counts(const plu_detector *detector, const plu_contact *contact);

/* --- swift_meet.c --- */

/* Whether this law's pairs are seen so: none where the scene asks for the scheme without. */
bool plu_swift_law(const plu_world *world, const plu_pair_law *law);

/* The share of the way after which the centers are `radii` apart; above 1: not in this step.
 * *nearest: the share after which they are nearest. */
double plu_share_until(const double apart[3], const double way[3], double radii, double *nearest);

/* Gives a sphere that flies up to the share t of the step by its old velocity, towards a wall with
 * `approach` at its start, and from then on by its new one, what a bounce with e leaves of its
 * energy. */
void plu_swift_leave(const plu_world *world, const double normal[3], double approach, double t,
                     double e, plu_swift *swift);

/* The largest speed at which the gap to a part closes (m/s). */
double plu_closing_speed(const plu_world *world, const plu_part *part, const plu_flight *flight);

/* Whether and how they meet in the step. */
bool plu_meets_part(const plu_world *world, const plu_part *part, const plu_flight *flight,
                    plu_meeting *meeting);

const plu_pair_law *plu_wall_law(const plu_world *world, plu_pair pair);

/* Whether a part is a triangle of a mesh that stands still. */
bool plu_is_facet(const plu_part *part);

/* --- fold.c --- */

/* A search in a list that was just found. */
plu_swift_search plu_begin_search(plu_detector *detector);

/* Whether a sphere, of candidates begin to end - 1, goes over folds: notes it. */
bool plu_goes_over_folds(plu_swift_search *search, size_t begin, size_t end);

/* What goes over folds of meshes in a step without long strides: as plu_swift_take. */
plu_status plu_find_folds(plu_detector *detector, bool *added, plu_error *err);

/* --- ahead.c --- */

/* Whether a sphere may get into a facet by what is looked for here. */
bool plu_ahead_matters(const plu_detector *detector);

/* Looks ahead for a sphere, among its candidates begin to end - 1. */
void plu_look_ahead(plu_swift_search *search, size_t begin, size_t end);

#endif
