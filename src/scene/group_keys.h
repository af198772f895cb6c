/* group_keys.h: the keys of fixed bodies that move as a boundary does (src/world/groups.h); rows of
 * the table in keys.c, which includes them in their place.
 */
/* clang-format off */
{"bodies.motion", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_body_spec, moves), .given = 1,
 .help = "With fixed = true (of a run: those that were fixed there): these spheres move together as one rigid body, whatever forces act on them, such as a rough "
         "wall of grains: the sum of all motions given here, as of boundaries (boundaries.motion). Nobody sleeps while "
         "they move. In a periodic cell they may go through its sides, but not turn."},
#define MOTION(name) "bodies.motion" name
#define MOTION_AT(member) AT(plu_body_spec, motion.member)
#define MOTION_STANDS "the spheres stand still"
#define MOTION_CENTER \
 "A point of the axis at the start; it moves with the spheres. By default the middle of their centers."
#define MOTION_TABLE \
 "CSV file of times and places, as boundaries.motion.table."
#include "scene/motion_keys.h"
    /* clang-format on */
