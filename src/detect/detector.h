/* detector.h: inside of a detector. */
#ifndef DETECT_DETECTOR_H
#define DETECT_DETECTOR_H

#include "base/reorder.h"
#include "detect/detect.h"
#include "detect/grid.h"

enum {
    PLU_FEW_CANDIDATES = 4096, /* for which threads do not pay */
    PLU_AT_ONCE = 512,         /* spheres that may get a new skin in a step */
    PLU_MOST_SHARES = 63,      /* of the candidates with walls, threads beyond are not used */
    PLU_MOST_RENEWED = 4096    /* the same between two builds: each is compared with all of them */
};

/* A candidate of which a body is awake. */
typedef struct plu_watched {
    size_t candidate;
    int contact; /* its place in the contact list, -1: none */
    bool found;  /* the last look found a contact */
} plu_watched;

/* What a look at a pair takes. */
typedef struct plu_sight {
    const plu_world *world;
    double fastest; /* the way of the fastest body in a step (m), rounded up (look_ahead) */
} plu_sight;

/* What is known of a candidate with a wall. */
typedef struct plu_wall_note {
    double gap; /* where the sphere got its skin (m); minus infinity for a part that moves */
    /* `counts` says whether a contact counts (verdict.h) as long as the sphere is within `radius`
     * of `center` (m). Radius 0: not computed yet; below 0: no such radius was found, and none is
     * looked for within -radius */
    double center[3], radius;
    bool counts;
} plu_wall_note;

/* A contact that the first look at the step has missed (unforeseen.c). */
typedef struct plu_missed {
    uint64_t key;
    plu_contact contact;
} plu_missed;

/* A boundary that moves, when the candidates were listed. */
typedef struct plu_listed_motion {
    plu_placing placing;
    double skin; /* m: what it may move and reach until they are listed anew */
} plu_listed_motion;

struct plu_detector {
    const plu_world *world;
    plu_sight sight;
    plu_grid *grid;
    bool built, facets; /* there are parts of meshes */
    long generation;
    plu_listed_motion *motion; /* by motion of the world (moving_parts.c) */
    double far;               /* m: most that a sphere was from an axis of theirs, skins included */
    plu_pairs spheres, walls; /* candidates; in walls a is the part and b the sphere */
    plu_wall_note *wall_note; /* of each candidate with a wall */
    size_t capacity_wall_note;
    size_t capacity_member, capacity_sphere, capacity_origin;
    int over_count, renewed_count;
    int over[PLU_AT_ONCE];            /* spheres that have used up their skin; there may be more */
    int renewed[PLU_MOST_RENEWED];    /* spheres that got a new skin since the build */
    plu_pairs extra;                  /* pairs of theirs that are not in `spheres`, sorted */
    plu_pairs found;                  /* scratch */
    plu_pairs share[PLU_MOST_SHARES]; /* scratch: what threads but the first find of `walls` */
    plu_compaction compaction;        /* scratch */
    int *member;
    double (*sphere)[4]; /* of the active bodies, grown, and their images, for the grid */
    int images_count;
    size_t images_capacity;
    plu_side *images; /* in a periodic cell: those that the grid knows by numbers behind spheres */
    double listed_shift[PLU_IMAGES][4]; /* of the space, when the candidates were listed */
    double (*origin)[4]; /* by sphere: where it was when it last got a skin, and the skin */
    plu_contacts now, before;
    size_t touching_capacity, first_capacity;
    uint64_t *touching; /* a bit for each candidate */
    int *first;         /* contact of each chunk of candidates */
    bool same_graph;

    double *hit;                   /* by body: the share of the step after which it is hit */
    unsigned char *crowd;          /* by body: its contacts, up to 2 (swift.c) */
    unsigned char *leans;          /* by body: whether it touches others than facets (fold.c) */
    unsigned char *unexpected;     /* by body: its velocity changes by more than was expected */
    const double (*fresh_rows)[8]; /* velocities that skins must serve, too; else NULL */
    size_t missed_count, missed_capacity, swift_capacity, swift_found_capacity;
    plu_missed *missed;
    plu_swift *swift;       /* of the pairs that meet in a long stride */
    plu_swift *swift_found; /* scratch: what is known of those in `missed` */
    double stride;          /* m: the way of what is fastest in the step, as at its start */

    int live_count;
    size_t live_capacity;
    int *live;            /* contacts of now that are awake */
    long sleeps, wakings; /* of the world when the lists below were made */
    double looked;        /* m: plu_sight.fastest when all candidates were looked at last */
    bool listed;   /* `live` is that of `now`; not where a state or a start has set contacts */
    bool watching; /* they hold for the candidates and contacts of now */
    size_t watched_count, watched_capacity, fresh_capacity;
    plu_watched *watched; /* in the order of the candidates */
    plu_contact *fresh;   /* what a look at them gave */
};

/* The skin that a sphere gets (m; skin.c). */
double plu_skin(const plu_detector *detector, int sphere);

/* How far a sphere's surface can reach in the coming step: its share of the rule for contacts (m;
 * skin.c). */
double plu_reach_ahead(const plu_world *world, int sphere);

/* --- detect.c --- */

/* Notes a sphere that has used up its skin: by its way since it got it, the motion of a cell, and
 * how far it reaches ahead (m). */
void plu_check_skin(plu_detector *detector, int sphere, double cell_moved, double ahead);

/* Lists the candidates anew: of the spheres noted, or all. */
plu_status plu_list_candidates(plu_detector *detector, plu_error *err);

/* --- renew.c --- */

/* Whether new skins for the spheres in `over` will do. */
bool plu_renewable(const plu_detector *detector);

/* Gives the spheres in `over` new skins, and finds their candidates. */
plu_status plu_renew(plu_detector *detector, plu_error *err);

/* --- images.c: periodic cells --- */

/* Appends the images to `count` members. */
plu_status plu_list_images(plu_detector *detector, int *count, plu_error *err);

/* Puts sides for the numbers of images in the pairs that the grid found. */
plu_status plu_name_images(plu_detector *detector, plu_error *err);

/* How far images have moved against their spheres since the candidates were listed, at most (m). */
double plu_cell_moved(const plu_detector *detector);

/* --- moving_parts.c --- */

/* Skins for the boundaries that move, before candidates with walls are listed for `count` members.
 */
void plu_list_motions(plu_detector *detector, int count);

/* Whether no boundary that moves has used up its skin. */
bool plu_motions_listed(const plu_detector *detector);

/* Whether a sphere that is farther from the part than its own skin is a candidate all the same,
 * for the part moves. Also of a sphere that gets a new skin now while the list is older. */
bool plu_in_part_skin(const plu_detector *detector, int part, int sphere);
/* How much farther than for parts that stand still that may be (m). */
double plu_part_skins(const plu_detector *detector);

/* --- near_walls.c --- */

/* Lists the candidates with walls of the first `count` members, by (sphere, part). */
plu_status plu_list_walls(plu_detector *detector, int count, plu_error *err);

/* Begins the notes of the candidates from begin to end - 1 with their gaps. */
void plu_begin_wall_notes(plu_detector *detector, size_t begin, size_t end);

/* --- narrow.c --- */

/* Looks at all candidates: the contacts, in their order, are those of now; impulses come from
 * `before`. *same: both lists hold the same pairs. */
plu_status plu_narrow(plu_detector *detector, bool *same, plu_error *err);

/* --- unforeseen.c --- */

/* Puts what is in `missed` into the list, and lists the live contacts anew. */
plu_status plu_insert_missed(plu_detector *detector, plu_error *err);

/* --- watch.c: while some bodies sleep --- */

/* Lists the contacts that are awake. */
plu_status plu_list_live(plu_detector *detector, plu_error *err);

/* Lists the candidates that are awake; the live contacts are listed. */
plu_status plu_watch(plu_detector *detector, plu_error *err);

/* Looks at the watched candidates only. */
plu_status plu_look_at_watched(plu_detector *detector, plu_error *err);

#endif
