/* detect.h: from positions to the sorted list of active contacts.
 *
 * Broad phase: candidate pairs from a multi-level cell grid, kept while hardly a sphere has used up
 * its skin (a Verlet list with a skin per sphere, so that one fast sphere does not make all
 * lists long). Narrow phase: gap, normal and forecast of each candidate in every step. The list
 * depends on the spheres alone: pairs by (smaller, larger index), then wall contacts by (sphere,
 * part).
 */
#ifndef DETECT_DETECT_H
#define DETECT_DETECT_H

#include "world/world.h"

/* One active contact, normal from a to b. */
typedef struct plu_contact {
    plu_side a;
    int b;            /* a sphere */
    double normal[3]; /* unit, from a to b; in the middle of the step, where it turns (curve.h) */
    double gap;       /* m, < 0: interpenetration */
    double approach;  /* u_N at the start of the step (m/s), < 0: approaching; of a pair that only
                       * a solve brings together (plu_detect_unforeseen) that after this solve */
    double curve;     /* m/s: what w_N has for the way along what is curved (curve.h) */
} plu_contact;

/* Impulse of one contact in the world frame: acts on b, its opposite on a. */
typedef struct plu_impulse {
    double n;    /* r_N (N s) */
    double t[3]; /* r_T (N s), normal to the contact normal */
    double m[3]; /* m_R (N m s), normal to the contact normal, and m_P n where the pair pivots */
} plu_impulse;

/* What a pair stores while it bounces (assemble/rebound.h); approach 0: nothing. */
typedef struct plu_rebound {
    double approach, gap; /* of the contact in the step in which it landed */
} plu_rebound;

/* What is known of a contact of a pair that moves far in the step (swift.c). */
typedef struct plu_swift {
    uint64_t key;
    double when;       /* the share of the step after which they touch; above 1: they do not */
    double bias;       /* w_N (m/s) */
    double early;      /* m/s, (h - 2 t) n.g / 2: times r_N what contacts take beyond their law, as
                        * the bodies fall, and theta gives back as height, or the other way round */
    double surface[3]; /* m/s: of a boundary, where and when it is met */
    bool given;        /* `surface` is set */
    bool fold;         /* a way over folds of a mesh (fold.c) */
} plu_swift;

typedef struct plu_contacts {
    int count;
    size_t contact_capacity, key_capacity, impulse_capacity, previous_capacity, rebound_capacity;
    plu_contact *contact;
    uint64_t *key;        /* plu_contact_key of each: all that a match needs of the list before */
    plu_impulse *impulse; /* of the last solve; after detection the warm start, or nothing */
    const plu_impulse *carried; /* then the warm start, by `previous`: impulses of the previous
                                   contact list; NULL: `impulse` holds it */
    int *previous; /* index of the same pair in the previous contact list; -1: a new one. Not kept
                      up while bodies sleep */
    bool rebounds; /* some law stores something with its pairs: `rebound` */
    plu_rebound *rebound; /* of the last step, also after detection; NULL: none does */
    int swift_count;
    const plu_swift *swift;      /* sorted by key, of this step */
    const struct plu_hits *hits; /* impacts of the step among them (assemble/hits.h); NULL: not
                                  * looked for yet */
    int live_count;
    const int *live; /* the contacts in which a body is awake, ascending */
} plu_contacts;

/* Where the center of a body was in the step that ended: straight to `bend` and on to the end. */
typedef struct plu_way {
    double start[3], bend[3], end[3]; /* m */
    double when;                      /* the share of the step after which it was at `bend` */
    double length;                    /* m */
} plu_way;

/* Two spheres that have passed through each other; a is the number of spheres: none have. */
typedef struct plu_passage {
    int a, b;
    double stride; /* m: at most so far they moved against each other */
} plu_passage;

typedef struct plu_detector plu_detector;

/* `world` must outlive the detector. NULL and a message when there is no memory. */
plu_detector *plu_detector_create(const plu_world *world, plu_error *err);
void plu_detector_destroy(plu_detector *detector); /* accepts NULL */

/* Finds the contacts that are active in the coming step, gap + forecast h u_N <= 0 (theory of
 * Moreau and Jean), and carries the impulses of the previous list over to the pairs that are still
 * there (plu_assemble turns them); where no body sleeps they stay where they are, to be read by
 * plu_warm_start, and the step has to store impulses for all contacts. Contacts between bodies that
 * sleep stay as they are. The list belongs to the detector and is writable. */
plu_status plu_detect(plu_detector *detector, plu_contacts **contacts, plu_error *err);

/* After bodies were woken within the step: lists the live contacts anew. */
plu_status plu_detect_woken(plu_detector *detector, plu_error *err);

/* plu_detect, and then pairs that meet in a long stride (src/theory.md, "Long strides"): their
 * contacts are replaced by those of the moment at which they touch, or added. PLU_OK or PLU_IO. */
plu_status plu_detect_step(plu_detector *detector, plu_contacts **contacts, plu_error *err);

/* After a solve: adds pairs with a restitution that its velocities, in the rows `fresh` by body,
 * bring together in what is left of a step with long strides. *found: there are some; then the step
 * has to be solved again. PLU_OK or PLU_IO. */
plu_status plu_detect_late(plu_detector *detector, const double (*fresh)[8], bool *found,
                           plu_error *err);

/* The impact within the step of a contact of the list, by its number; NULL: it has none. */
const plu_swift *plu_swift_of(const plu_contacts *list, int contact);

/* After a solve: adds the pairs that are no contacts, and that the new velocities, in the rows
 * `fresh` by body, would bring too deep into each other (src/theory.md, "Touch"). *found: there are
 * some; then the live contacts are listed anew, and the step has to be solved again. PLU_OK or
 * PLU_IO. */
plu_status plu_detect_unforeseen(plu_detector *detector, const double (*fresh)[8], bool *found,
                                 plu_error *err);

/* The first pair of spheres, in order, that passed through each other in the step that ended.
 * `ways`: how each body moved in it. Call it after plu_detect_unforeseen had the velocities at the
 * end of that step: only pairs that are candidates for these are looked at. */
plu_passage plu_detect_passage(const plu_detector *detector, const plu_way *ways);

/* After bodies have moved: the deepest overlap that the step made of pairs that were no contacts in
 * it, over the smaller diameter. */
double plu_detect_deepened(const plu_detector *detector);

/* The way of the fastest body in the step (m), by the velocities at its start. */
double plu_detector_stride(const plu_detector *detector);

/* True when the last plu_detect gave the same contacts as the one before, and the same of them
 * live. */
bool plu_detector_same_graph(const plu_detector *detector);

/* In a periodic cell, after bodies left it by one side and came back by another (world/cell.h):
 * contacts and candidates name the images that they are with now. */
void plu_detector_follow(plu_detector *detector);

/* Contacts of the last step, also after plu_detector_state or plu_detector_set. */
int plu_detector_count(const plu_detector *detector);

/* Saves or sets what the next step needs: the pairs of the last one, their impulses and what they
 * store. The candidates are left out, for contacts do not depend on them. */
void plu_detector_state(plu_detector *detector, plu_state *state);

/* Makes these pairs (a as in files, b, the image of a) and impulses those of the last step, with
 * nothing stored. PLU_OK, PLU_BAD_INPUT
 * or PLU_IO. */
plu_status plu_detector_set(plu_detector *detector, int count, const int (*body)[3],
                            const plu_impulse *impulse, plu_error *err);

/* Makes the impulses of the last step those of the same forces in a step that is `ratio` times as
 * long. */
void plu_detector_scale(plu_detector *detector, double ratio);

/* The law of the materials that meet in a contact. */
static inline const plu_pair_law *plu_law_of(const plu_world *w, const plu_contact *c)
{
    return plu_world_law(w, plu_side_material(w, c->a), w->spheres.species[c->b]);
}

/* What is open by less than this share of the smaller radius lasts (curve.h), or by less than this
 * share of what a straight way would open or close it by in the step. */
#define PLU_LASTING 1e-4
#define PLU_LASTING_WAY 0.5

static inline bool plu_lasts(const plu_world *w, const plu_contact *c)
{
    return c->gap <= plu_max(PLU_LASTING * plu_pair_radius(w, c->a, c->b),
                             PLU_LASTING_WAY * w->step * fabs(c->curve));
}

/* What w_N has for the gap of a contact without restitution: one that is open closes; one that goes
 * on along what is curved takes back what it is too deep by, within the share of its turn that
 * counts as lasting. In lanes: assemble/fill_lanes.c, to the bit. */
static inline double plu_gap_bias(const plu_contact *c, double step)
{
    return c->gap > 0.0 ? c->gap / step : plu_max(c->gap / step, -PLU_LASTING_WAY * fabs(c->curve));
}

/* What contact k of a list that was just found starts from; NULL: nothing, it is new. */
static inline const plu_impulse *plu_warm_start(const plu_contacts *list, int k)
{
    if (!list->carried)
        return &list->impulse[k];
    return list->previous[k] >= 0 ? &list->carried[list->previous[k]] : NULL;
}

/* Keys of walls are not less, those of pairs of spheres less. */
#define PLU_FIRST_WALL (UINT64_C(1) << 63)

/* What keys are made of: the identity of a sphere for the whole run, 26 bits. A stub: it is the
 * place of the sphere, as spheres stay where they are in the arrays of one process. Ranks, among
 * which spheres move, will need a table here. */
static inline uint64_t plu_identity(const plu_spheres *spheres, int place)
{
    (void)spheres;
    return (uint64_t)place;
}

static inline int plu_place_of_identity(const plu_spheres *spheres, uint64_t identity)
{
    (void)spheres;
    return (int)(identity & (PLU_SIDE_SPHERES - 1));
}

enum { PLU_RANK_BITS = 5 }; /* of images, the lowest in a key of two spheres */

/* The place of a contact in the list's order: pairs of spheres by a, b and image of a. */
static inline uint64_t plu_contact_key(const plu_world *w, const plu_contact *c)
{
    const uint64_t b = plu_identity(&w->spheres, c->b);
    if (plu_side_is_part(c->a))
        return PLU_FIRST_WALL | b << 31 | (uint64_t)plu_side_part(c->a);
    return plu_identity(&w->spheres, plu_side_sphere(c->a)) << 31 | b << PLU_RANK_BITS |
           (uint64_t)plu_image_rank(plu_side_image(c->a));
}

/* The side of sphere a, which touches b: the image of it from which b lies along the normal. */
static inline plu_side plu_contact_image(const plu_world *w, int a, int b, const double normal[3],
                                         double gap)
{
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[b], length = xa[3] + xb[3] + gap;
    const double way[3] = {length * normal[0], length * normal[1], length * normal[2]};
    return plu_side_of_image(a, plu_image_on_way(&w->space, xa, xb, way));
}

/* Where from `from` on the contact with this key stands in the list, or would have to stand. */
int plu_contact_place(const plu_contacts *list, uint64_t key, int from);

/* What it joins. Keys need a sixth of the memory that the contacts do. */
static inline void plu_key_sides(const plu_world *w, uint64_t key, plu_side *a, int *b)
{
    const int high = plu_place_of_identity(&w->spheres, key >> 31);
    if (key >= PLU_FIRST_WALL) {
        *a = plu_side_of_part((int)(key & INT32_MAX));
        *b = high;
    } else {
        const int rank = (int)(key & ((1 << PLU_RANK_BITS) - 1));
        *a = plu_side_of_image(high, plu_image_of_rank(rank));
        *b = plu_place_of_identity(&w->spheres, key >> PLU_RANK_BITS);
    }
}

#endif
