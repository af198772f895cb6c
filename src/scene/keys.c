#include "scene/keys.h"
#include "pluvia/scene.h"
#include "scene/choices.h"
#include <limits.h>
#include <math.h>

/* clang-format off */
#define GROUP PLU_KEY_GROUP, PLU_ONE_OF
#define REQUIRED(type) PLU_KEY_##type, PLU_REQUIRED
#define OPTIONAL(type) PLU_KEY_##type, PLU_OPTIONAL
#define ONE_OF(type) PLU_KEY_##type, PLU_ONE_OF
#define DEFAULT(type, text) PLU_KEY_##type, PLU_REQUIRED, .fallback = (text)
#define AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define LIST(array, length, element) \
    PLU_KEY_LIST, PLU_REQUIRED, .fallback = "()", .offset = offsetof(plu_scene, array), \
    .count_offset = offsetof(plu_scene, length), .size = sizeof(element), \
    .where_offset = offsetof(element, where)
#define VARIANT(type, value) GROUP, AT(type, kind), .given = (value)
#define AREA(value) GROUP, AT(plu_feeder_spec, area.kind), .given = (value)
#define ANY .range = {-HUGE_VAL, HUGE_VAL, 0}
#define POSITIVE .range = {0.0, HUGE_VAL, 1}
#define NOT_NEGATIVE .range = {0.0, HUGE_VAL, 0}
#define WITHIN(low, high) .range = {(low), (high), 0}
#define AT_LEAST(low) .range = {(low), INT_MAX, 0}
#define NOT_EMPTY .range = {1.0, HUGE_VAL, 0}
#define VECTOR .count = 3, ANY
#define MAY_CHANGE .may_change = 1
#define NAMED_MATERIAL(type) \
    REQUIRED(TEXT), .unless = {"mixture"}, AT(type, material_name), NOT_EMPTY, \
    .help = "Name of the material, which must have a density."
#define PENALTY(member) OPTIONAL(REAL), AT(plu_contact_law, member), .penalty = 1

#include "scene/size_keys.h"

const plu_key plu_keys[] = {
{"", PLU_KEY_GROUP, .help = "The scene as a whole. All numbers are in SI units, z points up."},
{"title", DEFAULT(TEXT, "\"\""), AT(plu_scene, title), MAY_CHANGE,
 .help = "One line that says what the scene is; kept in every result."},
{"seed", DEFAULT(SEED, "1"), AT(plu_scene, seed), .range = {0.0, HUGE_VAL, 0},
 .help = "Start of all random numbers: the same seed gives the same run. Write an L after a "
         "number beyond 2147483647."},
{"gravity", DEFAULT(REAL, "[0.0, 0.0, -9.81]"), AT(plu_scene, gravity), VECTOR, .unit = "m/s^2",
 .help = "Acceleration of gravity."},
{"method", DEFAULT(CHOICE, "\"nonsmooth\""), AT(plu_scene, method), .choices = methods,
 .help = "\"nonsmooth\": rigid contacts, impulses from a solver (Moreau and Jean); \"penalty\": "
         "contacts are springs and dampers, with small explicit steps. The latter has no solver and "
         "no projection, theta = 1 and no forecast, whatever the scene says of them."},
{"law", DEFAULT(CHOICE, "\"coulomb\""), AT(plu_scene, law), .choices = friction_laws,
 .help = "\"coulomb\": contacts slide and roll without opening; \"associated\": they open with "
         "mu |u_T| + mu_r |omega_R| (dilatancy), which makes every step a convex problem. The "
         "latter is there to be compared with: it needs solver.name = \"convex\", \"apgd\" or "
         "\"admm\" and solver.criterion = \"scaled\" or \"natural-map\"."},
{"stabilization", DEFAULT(CHOICE, "\"projection\""), AT(plu_scene, stabilization),
 .choices = stabilizations,
 .help = "\"projection\" moves bodies apart after each step where they interpenetrate, without "
         "touching velocities; \"none\" is the scheme of Acary and Bourrier (2021)."},
{"slop", DEFAULT(REAL, "1e-3"), AT(plu_scene, slop), NOT_NEGATIVE,
 .help = "Interpenetration, over the smaller diameter, that the projection leaves; 0 never lets "
         "contacts rest."},
{"allow_overlap", DEFAULT(BOOL, "false"), AT(plu_scene, allow_overlap),
 .help = "Accept bodies that overlap each other or a boundary at the start."},

{"time", PLU_KEY_GROUP, .help = "Time steps and the end of the run."},
{"time.step", REQUIRED(REAL), AT(plu_scene, step), POSITIVE, .unit = "s",
 .where_offset = offsetof(plu_scene, step_where),
 .help = "Time step h. With method = \"penalty\" the springs set a limit to it."},
{"time.end", REQUIRED(REAL), AT(plu_scene, end), POSITIVE, .unit = "s", MAY_CHANGE,
 .help = "Simulated time at which the run ends."},
{"time.theta", DEFAULT(REAL, "0.5"), AT(plu_scene, theta), WITHIN(0.5, 1.0),
 .help = "Weight of the new velocity when positions are advanced: 1/2 is the midpoint rule, 1 "
         "the implicit Euler rule."},
{"time.forecast", DEFAULT(REAL, "\"touch\""), AT(plu_scene, forecast), WITHIN(0.0, 1.0),
 .choices = forecasts,
 .help = "Which pairs are contacts of a step. \"touch\": all that can touch within it; they land "
         "without overlap, but pairs that bounce by Newton's law are taken as by 0.5. A number gamma: those "
         "of gap g with g + gamma h u_N <= 0, the scheme of the literature, in which a sphere that "
         "lands overlaps by up to half its way in a step."},
{"time.until_rest", DEFAULT(REAL, "0.0"), AT(plu_scene, until_rest), NOT_NEGATIVE,
 MAY_CHANGE,
 .help = "Stop early once the energy of translation of each body and of rolling at each contact is "
         "below this times m g d; 0: never."},

{"materials", LIST(materials, materials_count, plu_material),
 .help = "What bodies and boundaries are made of."},
{"materials.name", REQUIRED(TEXT), AT(plu_material, name), NOT_EMPTY,
 .help = "Name by which the rest of the scene refers to it; given once."},
{"materials.density", OPTIONAL(REAL), AT(plu_material, density), POSITIVE, .unit = "kg/m^3",
 .help = "Density; only needed if bodies are made of the material."},

{"contacts", LIST(laws, laws_count, plu_contact_law),
 .help = "The contact law of each pair of materials that can meet."},
{"contacts.between", REQUIRED(NAMES), AT(plu_contact_law, between), NOT_EMPTY,
 .help = "Names of the two materials (the same one twice for contacts within it)."},
{"contacts.friction", REQUIRED(REAL), AT(plu_contact_law, friction), NOT_NEGATIVE,
 .help = "Coulomb friction coefficient mu."},
{"contacts.rolling_friction", DEFAULT(REAL, "0.0"), AT(plu_contact_law, rolling_friction),
 NOT_NEGATIVE, .unit = "m",
 .help = "Rolling friction mu_r, a length: the rolling moment is at most mu_r times the normal "
         "force."},
{"contacts.pivoting_friction", DEFAULT(REAL, "0.0"), AT(plu_contact_law, pivoting_friction),
 NOT_NEGATIVE, .unit = "m",
 .help = "Pivoting friction mu_p, a length: the moment against spin about the contact normal is at "
         "most mu_p times the normal force, however the contact slips or rolls. A flat patch of "
         "radius a has 2/3 friction a, one under Hertz's pressure 3/16 pi friction a. Not with "
         "method = \"penalty\"."},
{"contacts.restitution", DEFAULT(REAL, "0.0"), AT(plu_contact_law, restitution), WITHIN(0.0, 1.0),
 .help = "Newton's coefficient e: normal speed after an impact over the one before. Not with "
         "method = \"penalty\", see normal_damping."},
{"contacts.restitution_law", DEFAULT(CHOICE, "\"newton\""), AT(plu_contact_law, restitution_law),
 .choices = restitutions,
 .help = "How pairs with a restitution bounce. \"newton\": in the step in which they come close, "
         "with e times the speed of then, overlapping by up to half their way in a step. "
         "\"energy\": they land without overlap, and leave in the next step with e^2 times the "
         "energy that they had when they touched, so that single bounces are exact for any step: "
         "for those and for beds with e <= 0.9, but not for cradles and other chains of impacts, "
         "which gain some percent of energy. Only with time.forecast = \"touch\"."},
{"contacts.cohesion", DEFAULT(REAL, "0.0"), AT(plu_contact_law, cohesion), NOT_NEGATIVE, .unit = "N",
 .help = "Attraction F_c of two spheres, or of a sphere and a boundary, that touch: it takes this "
         "force to pull them apart, and friction is at most friction times (normal force + F_c). "
         "Pull-off forces of theories: 3/2 pi w R (JKR), 2 pi w R (DMT), w being the work of "
         "adhesion and R the reduced radius. Not with method = \"penalty\"."},
{"contacts.cohesion_range", DEFAULT(REAL, "0.0"), AT(plu_contact_law, cohesion_range), NOT_NEGATIVE,
 .unit = "m",
 .help = "Gap up to which a pair attracts each other with `cohesion`: pulling it apart costs "
         "cohesion times this range. At least g times the square of the time step, a gap that a "
         "step cannot tell from contact."},
{"contacts.friction_dynamic", PENALTY(friction_dynamic), NOT_NEGATIVE,
 .help = "Friction of a contact that slides, at most `friction`, which then is that of one that "
         "sticks. Without it both are the same."},
{"contacts.normal_stiffness", PENALTY(normal_stiffness), POSITIVE, .unit = "N/m",
 .help = "Spring K_N along the normal, required there: interpenetration at rest is force over "
         "K_N."},
{"contacts.normal_damping", PENALTY(normal_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio z of the pair on that spring, 0.3 without it. A bounce has the restitution "
         "exp(-z (pi - 2 asin z) / sqrt(1 - z^2)): 0.86 for 0.05, 0.45 for 0.3, 0.14 for 1."},
{"contacts.tangential_stiffness", PENALTY(tangential_stiffness), POSITIVE, .unit = "N/m",
 .help = "Spring K_T along the tangent plane; 2/7 K_N without it, which has spheres vibrate alike "
         "along both."},
{"contacts.tangential_damping", PENALTY(tangential_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio on that spring; normal_damping without it."},
{"contacts.rolling_stiffness", PENALTY(rolling_stiffness), POSITIVE, .unit = "N m/rad",
 .help = "Spring K_R against rolling; K_T r^2 without it, r being the smaller radius."},
{"contacts.rolling_damping", PENALTY(rolling_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio on that spring; tangential_damping without it."},

{"boundaries", LIST(boundaries, boundaries_count, plu_boundary_spec), .help = "What holds the bodies: stands still, moves as it is told, or is moved by a force."},
{"boundaries.name", OPTIONAL(TEXT), AT(plu_boundary_spec, name), NOT_EMPTY,
 .help = "Name in messages and results; without it the kind and its number, as plate-1."},
{"boundaries.material", REQUIRED(TEXT), AT(plu_boundary_spec, material_name), NOT_EMPTY,
 .help = "Name of its material."},
#include "scene/motion_keys.h"
#include "scene/servo_keys.h"
#include "scene/shape_keys.h"

{"bodies", LIST(bodies, bodies_count, plu_body_spec),
 .help = "Spheres that are there from the start (those of a file may come later). Each entry is "
         "one sphere or a rule that makes many."},
{"bodies.position", ONE_OF(REAL), AT(plu_body_spec, position), VECTOR, .unit = "m",
 .help = "A single sphere: its center."},
{"bodies.lattice", VARIANT(plu_body_spec, PLU_LATTICE), .help = "Spheres on a cubic lattice."},
{"bodies.lattice.counts", REQUIRED(INTEGER), AT(plu_body_spec, counts), .count = 3, AT_LEAST(1),
 .help = "Number of spheres along x, y and z."},
{"bodies.lattice.spacing", REQUIRED(REAL), AT(plu_body_spec, spacing), POSITIVE, .unit = "m",
 .help = "Distance between the centers of neighbors."},
{"bodies.lattice.origin", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_body_spec, origin), VECTOR,
 .unit = "m",
 .help = "Center of the first sphere, the one with the smallest coordinates."},
{"bodies.lattice.jitter", DEFAULT(REAL, "0.0"), AT(plu_body_spec, jitter), NOT_NEGATIVE,
 .unit = "m",
 .help = "Each coordinate is moved by a random number between minus and plus this."},
{"bodies.packing", VARIANT(plu_body_spec, PLU_PACKING),
 .help = "Spheres at random places of a region, loose, none touching another."},
{"bodies.packing.count", REQUIRED(INTEGER), .unless = {"fill"}, AT(plu_body_spec, count), AT_LEAST(1),
 .help = "Number of spheres."},
{"bodies.packing.fill", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_body_spec, has_fill), .given = 1,
 .help = "In place of `count`: as many spheres as fill the region so far. Random places reach a solid "
         "fraction of 0.3 to 0.35; a bed that settles reaches 0.55 to 0.64, so for one as high as "
         "`height` give such a fraction, and a region twice as high."},
{"bodies.packing.fill.solid_fraction", REQUIRED(REAL), AT(plu_body_spec, fill_fraction),
 .range = {0.0, 1.0, 1},
 .help = "Volume of the spheres over the volume that they fill."},
{"bodies.packing.fill.height", OPTIONAL(REAL), AT(plu_body_spec, fill_height), POSITIVE, .unit = "m",
 .help = "That volume is the region up to this height above its bottom; without it the whole region."},
{"bodies.packing.box", ONE_OF(BOX), AT(plu_body_spec, box), ANY, .unit = "m",
 .help = "The region is a box; spheres lie wholly inside."},
{"bodies.packing.cylinder", GROUP,
 .help = "The region is a vertical cylinder; spheres lie wholly inside."},
{"bodies.packing.cylinder.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_body_spec, center), VECTOR, .unit = "m",
 .help = "Center of its lower circle."},
{"bodies.packing.cylinder.radius", REQUIRED(REAL), AT(plu_body_spec, cylinder_radius), POSITIVE,
 .unit = "m",
 .help = "Radius of the region."},
{"bodies.packing.cylinder.height", REQUIRED(REAL), AT(plu_body_spec, cylinder_height), POSITIVE,
 .unit = "m",
 .help = "Height of the region."},
{"bodies.file", VARIANT(plu_body_spec, PLU_FILE),
 .help = "Spheres from a CSV file. Its first line names the columns: x, y, z (m) and, optionally, "
         "radius (m), vx, vy, vz (m/s), wx, wy, wz (rad/s), time (s, release)."},
{"bodies.file.path", REQUIRED(TEXT), AT(plu_body_spec, path), NOT_EMPTY,
 .help = "The file, relative to the folder of the scene file."},
{"bodies.run", VARIANT(plu_body_spec, PLU_FROM_RUN),
 .help = "The spheres of another run, as they were at a moment of it: places, sizes, orientations, "
         "and what `keep` names. Those that waited or were gone then are left out. Time begins at "
         "0 again, and boundaries and laws are those of this scene."},
{"bodies.run.path", REQUIRED(TEXT), AT(plu_body_spec, path), NOT_EMPTY,
 .help = "The trajectory of the run, relative to the folder of the scene file."},
{"bodies.run.at", DEFAULT(REAL, "\"end\""), AT(plu_body_spec, at), NOT_NEGATIVE, .choices = ends,
 .unit = "s",
 .help = "Time of the frame, or the end of a run that is complete."},
{"bodies.run.keep", DEFAULT(FLAGS, "[\"velocity\", \"spin\", \"impulses\", \"material\"]"),
 AT(plu_body_spec, keep), .choices = kept,
 .help = "\"velocity\" and \"spin\": else those of the entry; \"impulses\": of contacts, from which "
         "the first step starts, if the file has them (output.contacts) and the contact is still "
         "there; \"material\": by its name, else that of the entry."},
{"bodies.material", REQUIRED(TEXT), .unless = {"run", "mixture"},
 AT(plu_body_spec, material_name), NOT_EMPTY,
 .help = "Name of the material, which must have a density. With `run` only where it does not keep "
         "its own."},
{"bodies.radius", REQUIRED(RADIUS), .unless = {"file", "run", "mixture"},
 AT(plu_body_spec, radius), POSITIVE,
 .unit = "m",
 .help = "One radius, [smallest, largest] with all between equally likely, or a distribution. With "
         "`file` it stands for a missing column."},
SIZE_KEYS("bodies.radius", plu_body_spec),
MIXTURE_KEYS("bodies", plu_body_spec),
{"bodies.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_body_spec, velocity), VECTOR,
 .unit = "m/s",
 .help = "Velocity at the start. With `file` it stands for missing columns, with `run` for what "
         "is not kept."},
{"bodies.angular_velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_body_spec, angular_velocity), VECTOR, .unit = "rad/s",
 .help = "Angular velocity at the start. With `file` it stands for missing columns, with `run` "
         "for what is not kept."},

{"feeders", LIST(feeders, feeders_count, plu_feeder_spec),
 .help = "What adds spheres while the run goes on. A sphere that would overlap another waits "
         "until there is room."},
{"feeders.pluviation", VARIANT(plu_feeder_spec, PLU_PLUVIATION),
 .help = "Spheres fall one by one from random places of a horizontal area."},
{"feeders.pluviation.count", REQUIRED(INTEGER), AT(plu_feeder_spec, count), AT_LEAST(1),
 .help = "Number of spheres."},
{"feeders.pluviation.interval", ONE_OF(REAL), AT(plu_feeder_spec, interval), POSITIVE, .unit = "s",
 .help = "Time between two spheres."},
{"feeders.pluviation.rate", ONE_OF(RATE), AT(plu_feeder_spec, interval), POSITIVE, .unit = "1/s",
 .help = "Spheres per second."},
{"feeders.pluviation.start", DEFAULT(REAL, "0.0"), AT(plu_feeder_spec, start), NOT_NEGATIVE,
 .unit = "s",
 .help = "Time of the first sphere."},
{"feeders.pluviation.height", REQUIRED(REAL), AT(plu_feeder_spec, height), ANY, .unit = "m",
 .help = "z of the centers at release."},
{"feeders.pluviation.center", DEFAULT(REAL, "[0.0, 0.0]"), AT(plu_feeder_spec, center),
 .count = 2, ANY, .unit = "m",
 .help = "x and y of the middle of the area."},
{"feeders.pluviation.footprint", PLU_KEY_GROUP, .help = "The area in which the centers are drawn."},
{"feeders.pluviation.footprint.square", ONE_OF(REAL), AT(plu_feeder_spec, square), POSITIVE,
 .unit = "m",
 .help = "Side of a square along x and y."},
{"feeders.pluviation.footprint.disc", ONE_OF(REAL), AT(plu_feeder_spec, disc), POSITIVE,
 .unit = "m",
 .help = "Diameter of a disc."},
#include "scene/inlet_keys.h"
{"feeders.material", NAMED_MATERIAL(plu_feeder_spec)},
{"feeders.radius", REQUIRED(RADIUS), .unless = {"mixture"}, AT(plu_feeder_spec, radius), POSITIVE,
 .unit = "m",
 .help = "One radius, [smallest, largest] with all between equally likely, or a distribution."},
SIZE_KEYS("feeders.radius", plu_feeder_spec),
MIXTURE_KEYS("feeders", plu_feeder_spec),
{"feeders.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_feeder_spec, velocity), VECTOR,
 .unit = "m/s",
 .help = "Velocity at release."},
{"feeders.angular_velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_feeder_spec, angular_velocity), VECTOR, .unit = "rad/s",
 .help = "Angular velocity at release."},

{"domain", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_scene, has_domain), .given = 1,
 .help = "Where bodies are followed; without it they may go anywhere."},
{"domain.box", REQUIRED(BOX), AT(plu_scene, domain), ANY, .unit = "m",
 .help = "Lower and upper corner, as [[-1, -1, -1], [1, 1, 1]]."},
{"domain.outside", DEFAULT(CHOICE, "\"remove\""), AT(plu_scene, outside), .choices = outsides,
 .help = "What happens to a body whose center leaves the box."},

#include "scene/cell_keys.h"

{"solver", PLU_KEY_GROUP,
 .help = "How the contact problem of each step is solved and when it is good enough."},
{"solver.name", DEFAULT(TEXT, "\"gs\""), AT(plu_scene, solver.name), NOT_EMPTY,
 .where_offset = offsetof(plu_scene, solver.name_where),
 .help = "The solver; `pluvia solvers` lists them."},
{"solver.local", DEFAULT(TEXT, "\"exact\""), AT(plu_scene, solver.local), NOT_EMPTY,
 .where_offset = offsetof(plu_scene, solver.local_where),
 .help = "How \"gs\" treats a single contact; `pluvia solvers` lists the ways."},
{"solver.fallback", DEFAULT(TEXT, "\"prox-newton\""), AT(plu_scene, solver.fallback), NOT_EMPTY,
 .where_offset = offsetof(plu_scene, solver.fallback_where),
 .help = "The solver of islands (connected groups) of up to 2000 contacts that the first one did "
         "not finish; \"none\": no such solver."},
{"solver.criterion", DEFAULT(CHOICE, "\"velocity\""), AT(plu_scene, solver.criterion),
 .choices = criteria,
 .help = "What stops the solver. \"velocity\": how wrong the velocities at contacts are, in units "
         "of what gravity adds in a step, and how fast the load sinks; \"weight\": impulses, up to "
         "ten times sharper in deep beds; \"scaled\": impulses; \"natural-map\": the residual of "
         "the literature, which depends on units (SI)."},
{"solver.tolerance", OPTIONAL(REAL), AT(plu_scene, solver.tolerance), POSITIVE,
 .help = "When a step counts as solved; 0.1 with the criterion \"velocity\", else 1e-2. With "
         "\"velocity\" 0.1 means: contacts are right to a tenth of the velocity that gravity gives "
         "in a step (or that the step gives their bodies), and their load sinks by less than "
         "three tenths of it; ten times better in islands at rest. With the others: the residual."},
{"solver.min_iterations", DEFAULT(INTEGER, "5"), AT(plu_scene, solver.min_iterations), AT_LEAST(1),
 .help = "Iterations that are done even if the tolerance is met before, unless one changes "
         "nothing; by \"velocity\" two are enough for large islands at rest."},
{"solver.max_iterations", DEFAULT(INTEGER, "1000"), AT(plu_scene, solver.max_iterations),
 AT_LEAST(1), MAY_CHANGE,
 .help = "Iterations after which a step is given up; not below min_iterations."},
{"solver.on_failure", DEFAULT(CHOICE, "\"warn\""), AT(plu_scene, solver.on_failure),
 .choices = failures, MAY_CHANGE,
 .help = "What a run does after a step that was given up: go on and count it, or stop."},
{"solver.momentum", DEFAULT(BOOL, "true"), AT(plu_scene, solver.momentum),
 .help = "Nesterov momentum with gradient restart."},
{"solver.anderson_after", DEFAULT(INTEGER, "100"), AT(plu_scene, solver.anderson_after),
 AT_LEAST(0),
 .help = "Iterations before Anderson acceleration takes over; 0: never."},
{"solver.single", DEFAULT(BOOL, "true"), AT(plu_scene, solver.single),
 .help = "Islands of 16384 contacts and more are swept in single precision; residual and velocities "
         "are of double precision in any case. Tolerances below 1e-4 and the natural map use "
         "doubles throughout."},
{"solver.quiet", DEFAULT(BOOL, "true"), AT(plu_scene, solver.quiet),
 .help = "Spheres at rest sleep: they cost nothing until a load on them changes."},
{"solver.islands", DEFAULT(BOOL, "true"), AT(plu_scene, solver.islands),
 .help = "Each island, a connected group of contacts, is solved by itself."},
{"solver.cell_bodies", OPTIONAL(INTEGER), AT(plu_scene, solver.cell_bodies), AT_LEAST(50),
 .help = "Islands of 16384 contacts and more are solved tile by tile, and a tile holds the contacts "
         "of a cell of about so many bodies. Without it 500 to 1500, by the number of bodies; with "
         "more than a few threads smaller cells keep more of them busy. Results depend on it as on "
         "a tolerance."},

{"limits", PLU_KEY_GROUP, .help = "Limits that no correct run exceeds. A velocity that is not a finite "
 "number always ends a run."},
{"limits.velocity", DEFAULT(REAL, "0.0"), AT(plu_scene, limits.velocity), NOT_NEGATIVE,
 .unit = "m/s", MAY_CHANGE,
 .help = "Largest speed of a body, also of its surface as it turns; 0: ten times what a fall from "
         "the highest body of the scene gives on top of the largest speed at the start."},
{"limits.penetration", DEFAULT(REAL, "0.5"), AT(plu_scene, limits.penetration), POSITIVE,
 MAY_CHANGE, .help = "Largest interpenetration over the smaller diameter of the pair."},
{"limits.unconverged_steps", DEFAULT(INTEGER, "0"), AT(plu_scene, limits.unconverged_steps),
 AT_LEAST(0), MAY_CHANGE,
 .help = "Most steps in a row that the solver may give up; 0: any number, with a warning after "
         "1000."},
{"limits.on_limit", DEFAULT(CHOICE, "\"stop\""), AT(plu_scene, limits.on_limit),
 .choices = failures, MAY_CHANGE,
 .help = "What a run does beyond a limit, or when the center of a body passes a boundary: stop "
         "with a checkpoint of the last good step, or go on, with one warning a kind and counts "
         "in the summary."},

{"output", PLU_KEY_GROUP, .help = "What the trajectory holds."},
{"output.dump_problems", DEFAULT(CHOICE, "\"none\""), AT(plu_scene, output.dump), .choices = dumps,
 MAY_CHANGE,
 .help = "Writes contact problems as files for `pluvia solve` into the folder NAME.problems beside "
         "the trajectory: those of \"every\" dump_every-th step, or of the steps that did not "
         "converge (\"unconverged\")."},
{"output.dump_every", DEFAULT(INTEGER, "100"), AT(plu_scene, output.dump_every), AT_LEAST(1),
 MAY_CHANGE,
 .help = "Steps from one problem that is written to the next."},
{"output.interval", DEFAULT(REAL, "0.01"), AT(plu_scene, output.interval), POSITIVE, .unit = "s",
 .help = "Time between two frames; the start and the end are always written."},

{"output.quantities",
 DEFAULT(FLAGS, "[\"position\", \"velocity\", \"angular_velocity\", \"orientation\"]"),
 AT(plu_scene, output.quantities), .choices = quantities,
 .help = "What is written of each body; position always is, force is the contact force of the "
         "last step (N)."},
{"output.contacts", DEFAULT(BOOL, "false"), AT(plu_scene, output.contacts),
 .help = "Write the list of contacts of each frame."},
{"output.boundaries", DEFAULT(BOOL, "false"), AT(plu_scene, output.boundaries),
 .help = "Write where each boundary is, and force and moment on it, in each frame; always written "
         "where a boundary moves or is taken away."},
{"output.precision", DEFAULT(CHOICE, "\"float64\""), AT(plu_scene, output.float32),
 .choices = precisions,
 .help = "Of the numbers of the bodies in the file."},
{"output.compression", DEFAULT(INTEGER, "1"), AT(plu_scene, output.compression), WITHIN(0.0, 9.0),
 .help = "Level of gzip, 0: none."},
{"output.checkpoint_interval", DEFAULT(REAL, "0.0"), AT(plu_scene, output.checkpoint_interval),
 NOT_NEGATIVE, .unit = "s", MAY_CHANGE,
 .help = "Simulated time between two checkpoints, from which `pluvia run --restart` goes on; 0: by "
         "wall time only. One is always written at the end."},
{"output.checkpoint_wall_interval", DEFAULT(REAL, "600.0"),
 AT(plu_scene, output.checkpoint_wall_interval), NOT_NEGATIVE, .unit = "s", MAY_CHANGE,
 .help = "Wall time between two checkpoints; 0: by simulated time only."},
{.path = NULL}};
/* clang-format on */
