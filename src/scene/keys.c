#include "scene/keys.h"
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
#define SECTION(member) .section = offsetof(plu_scene, member)
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
{"", PLU_KEY_GROUP, .help = "The scene as a whole. All numbers are in SI units; z points up."},
{"title", DEFAULT(TEXT, "\"\""), AT(plu_scene, title), MAY_CHANGE, .help = "One line that describes the scene; it is stored in every result."},
{"seed", DEFAULT(SEED, "1"), AT(plu_scene, seed), .range = {0.0, HUGE_VAL, 0},
 .help = "Seed of all random numbers: the same seed gives the same run. Append an L to a number "
         "beyond 2147483647."},
{"gravity", DEFAULT(REAL, "[0.0, 0.0, -9.81]"), AT(plu_scene, gravity), .count = 3, WITHIN(-1e6, 1e6), .unit = "m/s^2",
 .help = "Gravitational acceleration."},
{"method", DEFAULT(CHOICE, "\"nonsmooth\""), AT(plu_scene, method), .choices = methods,
 .help = "\"nonsmooth\": contacts are rigid, and a solver computes their impulses (Moreau and "
         "Jean). \"penalty\": contacts are springs and dampers, integrated with small explicit "
         "steps; there is no solver and no projection, theta is 1, and time.forecast is ignored."},
{"law", DEFAULT(CHOICE, "\"coulomb\""), AT(plu_scene, law), .choices = friction_laws,
 .help = "\"coulomb\": contacts slide and roll without opening. \"associated\": they open at the "
         "rate mu |u_T| + mu_r |omega_R| (dilatancy), which makes every step a convex problem; "
         "this law is meant for comparisons and needs solver.name = \"convex\", \"apgd\" or "
         "\"admm\" and solver.criterion = \"scaled\" or \"natural-map\"."},
{"stabilization", DEFAULT(CHOICE, "\"projection\""), AT(plu_scene, stabilization),
 .choices = stabilizations,
 .help = "\"projection\" moves overlapping bodies apart after each step; velocities stay, "
         "but where contacts bounce they become those of the new height; \"none\" is the scheme of Acary and Bourrier (2021)."},
{"slop", DEFAULT(REAL, "1e-3"), AT(plu_scene, slop), NOT_NEGATIVE,
 .help = "Interpenetration that the projection leaves, divided by the smaller diameter; with 0 "
         "contacts never come to rest."},
{"allow_overlap", DEFAULT(BOOL, "false"), AT(plu_scene, allow_overlap),
 .help = "Accept bodies that overlap each other or a boundary at the start."},

{"time", PLU_KEY_GROUP, .help = "Time steps and the end of the run."},
{"time.step", DEFAULT(REAL, "\"auto\""), AT(plu_scene, step), POSITIVE, .choices = steps, .unit = "s",
 .where_offset = offsetof(plu_scene, step_where),
 .help = "Time step h. \"auto\": the run takes the longest steps that leave its results right, and repeats "
         "in halves what was too long (src/machinery.md, \"Steps that are chosen\"). With method = "
         "\"penalty\", which springs limit, and with restitution_law = \"energy\" a number."},
{"time.largest", DEFAULT(REAL, "4e-3"), AT(plu_scene, largest), POSITIVE, .unit = "s",
 .help = "With step = \"auto\": no step is longer. The longest is output.interval divided by a whole number, so "
         "that frames are met exactly."},
{"time.smallest", DEFAULT(REAL, "0.0"), AT(plu_scene, smallest), NOT_NEGATIVE, .unit = "s",
 .help = "With step = \"auto\": no step is halved to less than this; 0: a 4096th of the longest. What it is too long "
         "for is named then."},
{"time.end", REQUIRED(REAL), AT(plu_scene, end), POSITIVE, .unit = "s", MAY_CHANGE,
 .help = "Simulated time at which the run ends."},
{"time.theta", DEFAULT(REAL, "0.5"), AT(plu_scene, theta), WITHIN(0.5, 1.0),
 .help = "Weight of the new velocity when positions are advanced: 1/2 is the midpoint rule, 1 "
         "the implicit Euler rule."},
{"time.forecast", DEFAULT(REAL, "\"touch\""), AT(plu_scene, forecast), WITHIN(0.0, 1.0),
 .choices = forecasts,
 .help = "Which pairs are contacts of a step. \"touch\": all pairs that can touch within the step; "
         "they land without overlap, but pairs with restitution_law = \"newton\" are treated as "
         "with 0.5. A number gamma: the pairs whose gap g satisfies g + gamma h u_N <= 0, as in "
         "the literature; a landing sphere overlaps by up to half its displacement in a step."},
{"time.until_rest", DEFAULT(REAL, "0.0"), AT(plu_scene, until_rest), NOT_NEGATIVE,
 MAY_CHANGE,
 .help = "Stop early when the translational energy of each body and the rolling energy at each "
         "contact with friction are below this number times m g d, and no body is to be released and no boundary to "
         "begin or end its motion or to be removed; 0: never."},

{"materials", LIST(materials, materials_count, plu_material),
 .help = "Materials of bodies and boundaries."},
{"materials.name", REQUIRED(TEXT), AT(plu_material, name), NOT_EMPTY,
 .help = "Unique name by which the rest of the scene refers to the material."},
{"materials.density", OPTIONAL(REAL), AT(plu_material, density), POSITIVE, .unit = "kg/m^3",
 .help = "Density; only needed if bodies are made of the material."},

{"contacts", LIST(laws, laws_count, plu_contact_law),
 .help = "The contact law of each pair of materials that can meet."},
{"contacts.between", REQUIRED(NAMES), AT(plu_contact_law, between), NOT_EMPTY,
 .help = "Names of the two materials; the same name twice for contacts within one material."},
{"contacts.friction", REQUIRED(REAL), AT(plu_contact_law, friction), NOT_NEGATIVE,
 .help = "Coulomb friction coefficient mu."},
{"contacts.rolling_friction", DEFAULT(REAL, "0.0"), AT(plu_contact_law, rolling_friction),
 NOT_NEGATIVE, .unit = "m",
 .help = "Rolling friction mu_r, a length: the rolling moment is at most mu_r times the normal "
         "force."},
{"contacts.pivoting_friction", DEFAULT(REAL, "0.0"), AT(plu_contact_law, pivoting_friction),
 NOT_NEGATIVE, .unit = "m",
 .help = "Pivoting friction mu_p, a length: the moment about the contact normal is at most mu_p "
         "times the normal force, independently of sliding and rolling. A flat contact patch of "
         "radius a has 2/3 friction a, one with Hertzian pressure 3/16 pi friction a. Not with "
         "method = \"penalty\"."},
{"contacts.restitution", DEFAULT(REAL, "0.0"), AT(plu_contact_law, restitution), WITHIN(0.0, 1.0),
 .help = "Newton's coefficient of restitution e: normal speed after an impact divided by the one "
         "before. Not with method = \"penalty\"; see normal_damping."},
{"contacts.restitution_law", DEFAULT(CHOICE, "\"newton\""), AT(plu_contact_law, restitution_law),
 .choices = restitutions,
 .help = "How pairs with restitution bounce. \"newton\": in the step in which they approach, with "
         "e times their approach speed; they overlap by up to half their displacement in a step. "
         "\"energy\": they land without overlap and separate in the next step with e^2 times the "
         "energy that they had when they touched, so single bounces are exact for any time step. "
         "Use it for single bounces and for beds with e <= 0.9, not for cradles and other chains "
         "of impacts, which gain some percent of energy. Only with time.forecast = \"touch\" and a time.step that is a "
         "number."},
{"contacts.cohesion", DEFAULT(REAL, "0.0"), AT(plu_contact_law, cohesion), NOT_NEGATIVE, .unit = "N",
 .help = "Cohesion F_c, the attractive force of two spheres, or a sphere and a boundary, that "
         "touch: this force separates them, and the friction force is at most friction times "
         "(normal force + F_c). A mesh attracts a sphere once, however many triangles it touches; "
         "each face of a box, the curved side and the bottom of a cylinder or cone, and each "
         "boundary attract on their own. Pull-off forces in theory: 3/2 pi w R (JKR), 2 pi w R "
         "(DMT), with the work of adhesion w and the reduced radius R. Not with method = "
         "\"penalty\"."},
{"contacts.cohesion_range", DEFAULT(REAL, "0.0"), AT(plu_contact_law, cohesion_range), NOT_NEGATIVE,
 .unit = "m",
 .help = "Largest gap across which `cohesion` acts: separating a pair takes the energy cohesion "
         "times this range. At least g times the square of the time step, because a step cannot "
         "tell such a gap from contact, and 1e-3 of the smallest diameter, so that pairs that turn "
         "about each other stay together."},
{"contacts.strength", OPTIONAL(REAL), AT(plu_contact_law, strength), POSITIVE, .unit = "N",
 .help = "Largest normal force that a contact bears in a step, impacts included. Beyond it the "
         "contact yields: the two overlap, which is counted and reported, so that a sphere between "
         "a boundary that moves and another one does not end a run. By default far more than what "
         "presses on a contact otherwise, and impacts are not limited: the largest of 1e4 times "
         "the weight of the heaviest sphere, 10 times the weight of all spheres and the forces of "
         "servos and stresses, 100 times the largest cohesion, and 100 times the force that gives "
         "the heaviest sphere the speed of the fastest boundary in a step (1e4 times that of a "
         "cell that is strained). Not with method = \"penalty\"."},
{"contacts.friction_dynamic", PENALTY(friction_dynamic), NOT_NEGATIVE,
 .help = "Friction coefficient of contacts that slide, at most `friction`, which then holds for "
         "contacts that stick. By default both are equal."},
{"contacts.normal_stiffness", PENALTY(normal_stiffness), POSITIVE, .unit = "N/m",
 .help = "Normal spring stiffness K_N, required with method = \"penalty\": the interpenetration at "
         "rest is force over K_N."},
{"contacts.normal_damping", PENALTY(normal_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio z of the pair on the normal spring; by default 0.3. The "
         "restitution is exp(-z (pi - 2 asin z) / sqrt(1 - z^2)): z = 0.05 gives 0.86, 0.3 gives "
         "0.45, 1 gives 0.14."},
{"contacts.tangential_stiffness", PENALTY(tangential_stiffness), POSITIVE, .unit = "N/m",
 .help = "Tangential spring stiffness K_T; by default 2/7 K_N, with which spheres vibrate at the "
         "same frequency in both directions."},
{"contacts.tangential_damping", PENALTY(tangential_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio of the tangential spring; by default normal_damping."},
{"contacts.rolling_stiffness", PENALTY(rolling_stiffness), POSITIVE, .unit = "N m/rad",
 .help = "Rolling spring stiffness K_R; by default K_T r^2, where r is the smaller radius."},
{"contacts.rolling_damping", PENALTY(rolling_damping), WITHIN(0.0, 1.0),
 .help = "Damping ratio of the rolling spring; by default tangential_damping."},

{"boundaries", LIST(boundaries, boundaries_count, plu_boundary_spec),
 .help = "Floors, walls, containers and other rigid objects. A boundary is fixed, follows a "
         "prescribed motion, or is moved by a force."},
{"boundaries.name", OPTIONAL(TEXT), AT(plu_boundary_spec, name), NOT_EMPTY,
 .help = "Name in messages and results; by default the shape and a number, for example plate-1."},
{"boundaries.material", REQUIRED(TEXT), AT(plu_boundary_spec, material_name), NOT_EMPTY,
 .help = "Name of its material."},
#include "scene/boundary_keys.h"

{"bodies", LIST(bodies, bodies_count, plu_body_spec),
 .help = "Spheres that exist from the start (those of a file may be released later). Each entry is "
         "one sphere or a rule that creates many."},
{"bodies.position", ONE_OF(REAL), AT(plu_body_spec, position), VECTOR, .unit = "m",
 .help = "Center of a single sphere."},
{"bodies.lattice", VARIANT(plu_body_spec, PLU_LATTICE), .help = "Spheres on a cubic lattice."},
{"bodies.lattice.counts", REQUIRED(INTEGER), AT(plu_body_spec, counts), .count = 3, AT_LEAST(1),
 .help = "Number of spheres along x, y and z."},
{"bodies.lattice.spacing", REQUIRED(REAL), AT(plu_body_spec, spacing), POSITIVE, .unit = "m",
 .help = "Distance between the centers of neighbors."},
{"bodies.lattice.origin", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_body_spec, origin), VECTOR, .unit = "m",
 .help = "Center of the first sphere, the one with the smallest coordinates."},
{"bodies.lattice.jitter", DEFAULT(REAL, "0.0"), AT(plu_body_spec, jitter), NOT_NEGATIVE, .unit = "m",
 .help = "Each coordinate is shifted by a random number between minus and plus this length."},
{"bodies.packing", VARIANT(plu_body_spec, PLU_PACKING),
 .help = "Spheres at random places of a region: a loose packing in which no two spheres touch."},
{"bodies.packing.count", REQUIRED(INTEGER), .unless = {"fill"}, AT(plu_body_spec, count), AT_LEAST(1),
 .help = "Number of spheres."},
{"bodies.packing.fill", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_body_spec, has_fill), .given = 1,
 .help = "Instead of `count`: as many spheres as give a solid fraction. Random places reach a "
         "solid fraction of 0.3 to 0.35, and a settled bed 0.55 to 0.64: for a settled bed as high "
         "as `height` give a fraction in the latter range and a region twice as high."},
{"bodies.packing.fill.solid_fraction", REQUIRED(REAL), AT(plu_body_spec, fill_fraction),
 .range = {0.0, 1.0, 1},
 .help = "Solid fraction: volume of the spheres divided by the volume that they fill."},
{"bodies.packing.fill.height", OPTIONAL(REAL), AT(plu_body_spec, fill_height), POSITIVE, .unit = "m",
 .help = "The spheres fill the region up to this height above its bottom; by default all of it."},
{"bodies.packing.box", ONE_OF(BOX), AT(plu_body_spec, box), ANY, .unit = "m",
 .help = "The region is a box; spheres lie wholly inside."},
{"bodies.packing.cylinder", GROUP,
 .help = "The region is a vertical cylinder; spheres lie wholly inside."},
{"bodies.packing.cylinder.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_body_spec, center), VECTOR, .unit = "m",
 .help = "Center of its lower circle."},
{"bodies.packing.cylinder.radius", REQUIRED(REAL), AT(plu_body_spec, cylinder_radius), POSITIVE, .unit = "m",
 .help = "Radius of the region."},
{"bodies.packing.cylinder.height", REQUIRED(REAL), AT(plu_body_spec, cylinder_height), POSITIVE, .unit = "m",
 .help = "Height of the region."},
{"bodies.file", VARIANT(plu_body_spec, PLU_FILE),
 .help = "Spheres from a CSV file. Its first line names the columns: x, y, z (m) and, optionally, "
         "radius (m), vx, vy, vz (m/s), wx, wy, wz (rad/s), time (s, release)."},
{"bodies.file.path", REQUIRED(TEXT), AT(plu_body_spec, path), NOT_EMPTY,
 .help = "The file, relative to the folder of the scene file."},
{"bodies.run", VARIANT(plu_body_spec, PLU_FROM_RUN),
 .help = "The spheres of another run in one of its frames: positions, sizes, orientations, and "
         "what `keep` names. Spheres that waited or were removed in that frame are left out. Time "
         "starts at 0, and boundaries and contact laws are those of this scene. Overlaps of these "
         "spheres with each other and with boundaries that the run has, too, are accepted."},
{"bodies.run.path", REQUIRED(TEXT), AT(plu_body_spec, path), NOT_EMPTY,
 .help = "The trajectory of the run, relative to the folder of the scene file."},
{"bodies.run.at", DEFAULT(REAL, "\"end\""), AT(plu_body_spec, at), NOT_NEGATIVE, .choices = ends,
 .unit = "s",
 .help = "Time of the frame, or \"end\" for the end of a complete run."},
{"bodies.run.keep", DEFAULT(FLAGS, "[\"velocity\", \"spin\", \"impulses\", \"material\", \"cell\", \"boundaries\"]"),
 AT(plu_body_spec, keep), .choices = kept,
 .help = "What the spheres keep. \"velocity\" and \"spin\" (angular velocity): otherwise those of "
         "the entry. \"impulses\": the contact impulses, with which the first step starts if the "
         "file contains them (output.contacts) and the contact still exists. \"material\": by its "
         "name, otherwise that of the entry. \"cell\": the periodic cell as it was, with its shear, "
         "unless the scene has a cell.size. \"boundaries\": each boundary that has the name and the shape "
         "of one of the run begins where that was, unless it has a `start`."},
{"bodies.reserve", VARIANT(plu_body_spec, PLU_RESERVE),
 .help = "Spheres that are not there until a program adds them while the run lasts (bodies.add in Python, pluvia/edit.h in C), "
         "at places of its own; `pluvia run` adds none."},
{"bodies.reserve.count", REQUIRED(INTEGER), AT(plu_body_spec, count), AT_LEAST(1), .help = "Number of spheres that can be added."},
{"bodies.material", REQUIRED(TEXT), .unless = {"run", "mixture"},
 AT(plu_body_spec, material_name), NOT_EMPTY,
 .help = "Name of the material, which must have a density. With `run` only if run.keep does not "
         "contain \"material\"."},
{"bodies.radius", REQUIRED(RADIUS), .unless = {"file", "run", "mixture"},
 AT(plu_body_spec, radius), POSITIVE,
 .unit = "m",
 .help = "One radius, [smallest, largest] with a uniform distribution between them, or a "
         "distribution. With `file` it replaces a missing column."},
SIZE_KEYS("bodies.radius", plu_body_spec),
MIXTURE_KEYS("bodies", plu_body_spec),
{"bodies.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_body_spec, velocity), VECTOR,
 .unit = "m/s",
 .help = "Initial velocity. With `file` it replaces missing columns, with `run` a velocity that is "
         "not kept."},
{"bodies.angular_velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_body_spec, angular_velocity), VECTOR, .unit = "rad/s",
 .help = "Initial angular velocity. With `file` it replaces missing columns, with `run` an angular "
         "velocity that is not kept."},
{"bodies.fixed", OPTIONAL(BOOL), AT(plu_body_spec, fixed),
 .help = "These spheres do not move, whatever forces act on them, as a boundary made of grains: rough "
         "bases and walls, also across the sides of a periodic cell, and single obstacles. They may reach "
         "through each other and boundaries, but hold servos that come upon them; no domain removes them. By "
         "default false; spheres of a run are fixed where they were there."},
#include "scene/group_keys.h"

{"feeders", LIST(feeders, feeders_count, plu_feeder_spec),
 .help = "Sources that add spheres during the run. A sphere that would overlap another waits until "
         "there is room."},
{"feeders.pluviation", VARIANT(plu_feeder_spec, PLU_PLUVIATION),
 .help = "Spheres fall one by one from random points of a horizontal area."},
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
 .help = "x and y of the center of the area."},
{"feeders.pluviation.footprint", PLU_KEY_GROUP,
 .help = "Area in which the centers are placed at random."},
{"feeders.pluviation.footprint.square", ONE_OF(REAL), AT(plu_feeder_spec, square), POSITIVE,
 .unit = "m",
 .help = "Side length of a square, with sides along x and y."},
{"feeders.pluviation.footprint.disc", ONE_OF(REAL), AT(plu_feeder_spec, disc), POSITIVE,
 .unit = "m",
 .help = "Diameter of a disc."},
#include "scene/inlet_keys.h"
{"feeders.material", NAMED_MATERIAL(plu_feeder_spec)},
{"feeders.radius", REQUIRED(RADIUS), .unless = {"mixture"}, AT(plu_feeder_spec, radius), POSITIVE,
 .unit = "m",
 .help = "One radius, [smallest, largest] with a uniform distribution between them, or a "
         "distribution."},
SIZE_KEYS("feeders.radius", plu_feeder_spec),
MIXTURE_KEYS("feeders", plu_feeder_spec),
{"feeders.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_feeder_spec, velocity), VECTOR,
 .unit = "m/s",
 .help = "Velocity at release."},
{"feeders.angular_velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_feeder_spec, angular_velocity), VECTOR, .unit = "rad/s",
 .help = "Angular velocity at release."},

#include "scene/sensor_keys.h"
#include "scene/stage_keys.h"
{"domain", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_scene, has_domain), .given = 1,
 .help = "Box in which bodies are simulated; without it they may move anywhere."},
{"domain.box", REQUIRED(BOX), AT(plu_scene, domain), ANY, .unit = "m",
 .help = "Lower and upper corner, for example [[-1, -1, -1], [1, 1, 1]]."},
{"domain.outside", DEFAULT(CHOICE, "\"remove\""), AT(plu_scene, outside), .choices = outsides,
 .help = "What happens to a body whose center leaves the box."},

#include "scene/cell_keys.h"

{"solver", PLU_KEY_GROUP, SECTION(solver),
 .help = "How the contact problem of each step is solved, and when it counts as solved."},
{"solver.name", DEFAULT(TEXT, "\"gs\""), AT(plu_solver_spec, name), NOT_EMPTY,
 .where_offset = offsetof(plu_solver_spec, name_where),
 .help = "The solver; `pluvia solvers` lists them."},
{"solver.local", DEFAULT(TEXT, "\"exact\""), AT(plu_solver_spec, local), NOT_EMPTY,
 .where_offset = offsetof(plu_solver_spec, local_where),
 .help = "Local solver, by which \"gs\" solves a single contact; `pluvia solvers` lists them."},
{"solver.fallback", DEFAULT(TEXT, "\"prox-newton\""), AT(plu_solver_spec, fallback), NOT_EMPTY,
 .where_offset = offsetof(plu_solver_spec, fallback_where),
 .help = "Second solver, for islands (connected groups) of up to 2000 contacts in which the first "
         "solver does not converge, unless a stress presses them; \"none\": no fallback."},
{"solver.criterion", DEFAULT(CHOICE, "\"velocity\""), AT(plu_solver_spec, criterion),
 .choices = criteria,
 .help = "The error that stops the solver. \"velocity\": the error of the velocities at contacts, "
         "relative to the velocity that gravity adds in a step, and the speed at which the load "
         "sinks. \"weight\": the error of the impulses, up to ten times stricter in deep beds. "
         "\"scaled\": the error of the impulses. \"natural-map\": the residual of the literature, "
         "which depends on units (SI)."},
{"solver.tolerance", OPTIONAL(REAL), AT(plu_solver_spec, tolerance), POSITIVE,
 .help = "The error at which a step counts as solved; by default 0.1 with the criterion "
         "\"velocity\", otherwise 1e-2. With \"velocity\", 0.1 means: velocities at contacts are "
         "correct to a tenth of the velocity that gravity adds in a step (or of the change in "
         "velocity of their bodies in the step), and their load sinks at less than three tenths of "
         "it; islands at rest are solved thirty times better. In islands that a stress presses errors "
         "may take up to half of the work of friction where they cancel, 1 percent where they do "
         "not. With the other criteria: the residual, and for those islands the same limits at "
         "0.2."},
{"solver.min_iterations", DEFAULT(INTEGER, "5"), AT(plu_solver_spec, min_iterations), AT_LEAST(1),
 .help = "Smallest number of iterations, even if the tolerance is reached earlier, unless an "
         "iteration changes nothing; with the criterion \"velocity\" two are enough for large "
         "islands at rest."},
{"solver.max_iterations", DEFAULT(INTEGER, "1000"), AT(plu_solver_spec, max_iterations),
 AT_LEAST(1), MAY_CHANGE,
 .help = "Largest number of iterations; a step that is not solved by then counts as not converged. "
         "From 1000 on islands that a stress presses may take eight times as many, instead of the "
         "fallback. At least min_iterations."},
{"solver.on_failure", DEFAULT(CHOICE, "\"warn\""), AT(plu_solver_spec, on_failure),
 .choices = failures, MAY_CHANGE,
 .help = "What a run does after a step that did not converge: continue and count it, or stop."},
{"solver.momentum", DEFAULT(BOOL, "true"), AT(plu_solver_spec, momentum),
 .help = "Nesterov momentum with gradient restart."},
{"solver.anderson_after", DEFAULT(INTEGER, "100"), AT(plu_solver_spec, anderson_after),
 AT_LEAST(0),
 .help = "Number of iterations before Anderson acceleration starts; 0: never."},
{"solver.single", DEFAULT(BOOL, "true"), AT(plu_solver_spec, single),
 .help = "Islands of 128 contacts and more are swept in single precision; residuals and "
         "velocities always have double precision. Tolerances below 1e-4 and the natural map use "
         "double precision throughout."},
{"solver.quiet", DEFAULT(BOOL, "true"), AT(plu_solver_spec, quiet),
 .help = "Spheres at rest sleep: they cost no computing time until a load on them changes."},
{"solver.islands", DEFAULT(BOOL, "true"), AT(plu_solver_spec, islands),
 .help = "Each island, a connected group of contacts, is solved separately."},
{"solver.cell_bodies", OPTIONAL(INTEGER), AT(plu_solver_spec, cell_bodies), AT_LEAST(50),
 .help = "Islands of 16384 contacts and more are tiled: a tile contains the contacts of a cell of "
         "about this many bodies. By default 500 to 1500, depending on the number of bodies; with "
         "many threads smaller cells keep more of them busy. Results depend on it as on a tolerance."},

{"limits", PLU_KEY_GROUP, SECTION(limits),
 .help = "Limits that no correct run exceeds. A velocity that is not finite always ends a run."},
{"limits.velocity", DEFAULT(REAL, "0.0"), AT(plu_limit_spec, velocity), NOT_NEGATIVE,
 .unit = "m/s", MAY_CHANGE,
 .help = "Largest speed of a body, including the speed of its surface by rotation; 0: ten times "
         "what a fall from the highest place of the scene to the lowest adds to the largest initial speed."},
{"limits.penetration", DEFAULT(REAL, "0.5"), AT(plu_limit_spec, penetration), POSITIVE,
 MAY_CHANGE, .help = "Largest interpenetration, divided by the smaller diameter of the pair."},
{"limits.unconverged_steps", DEFAULT(INTEGER, "0"), AT(plu_limit_spec, unconverged_steps),
 AT_LEAST(0), MAY_CHANGE,
 .help = "Largest number of consecutive steps that may not converge; 0: any number, with a warning "
         "after 1000."},
{"limits.on_limit", DEFAULT(CHOICE, "\"stop\""), AT(plu_limit_spec, on_limit),
 .choices = failures, MAY_CHANGE,
 .help = "What a run does when a limit is exceeded, the center of a body passes through a "
         "boundary, or bodies pass through each other: stop with a checkpoint of the last good step, "
         "or continue, with one warning of each kind and counts in the summary."},

#include "scene/output_keys.h"
{.path = NULL}};
/* clang-format on */
