/* boundary_keys.h: the keys of boundaries that are groups: motion, servo, shape; rows of the table
 * in keys.c, which includes them in their place. */
/* clang-format off */

/* --- the motion (world/motion.h) --- */
{"boundaries.until", OPTIONAL(REAL), AT(plu_boundary_spec, until), POSITIVE, .unit = "s",
 .help = "Time at which the boundary is removed; bodies that leaned on it wake up. By default it "
         "stays."},
{"boundaries.start", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_boundary_spec, displaced), .given = 1,
 .help = "Where the boundary begins, if not where its shape says. By default where a run that bodies come from "
         "left it (bodies.run.keep)."},
{"boundaries.start.shift", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, start_shift), VECTOR,
 .unit = "m",
 .help = "Displacement."},
{"boundaries.start.angle", DEFAULT(REAL, "0.0"), AT(plu_boundary_spec, start_angle), ANY, .unit = "rad",
 .help = "Angle by which it is turned, about motion.center or its own center."},
{"boundaries.start.axis", OPTIONAL(REAL), AT(plu_boundary_spec, start_axis), VECTOR,
 .help = "Axis of this rotation, of any nonzero length. By default, and where it has a `motion`, that of the "
         "motion; without one z."},
{"boundaries.motion", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_boundary_spec, moves), .given = 1,
 .help = "Prescribed motion of the boundary from its position in the scene: the sum of all motions "
         "given here. Times count from `start`. At the end of every step the boundary is exactly where "
         "its motion says, also where it starts or stops within the step; bodies that rest on it "
         "keep their distance. Steps should hold at most 0.02 of a period and turn it by at most "
         "0.05 rad; `pluvia check` says so. An empty group is for programs that move the boundary "
         "by calls (include/pluvia/control.h)."},
#define MOTION(name) "boundaries.motion" name
#define MOTION_AT(member) AT(plu_boundary_spec, motion.member)
#define MOTION_STANDS "the boundary stands still"
#define MOTION_CENTER \
 "A point of the axis at the start; it moves with the boundary. By default the center of " \
         "the boundary."
#define MOTION_TABLE \
 "CSV file, relative to the folder of the scene file. Its first line names the columns: t " \
         "(s, rising) and any of x, y, z (m, displacement) and angle (rad, about the axis). " \
         "Between the rows it follows a monotone cubic (Fritsch & Carlson 1980); before the first " \
         "and after the last row it stands still."
#define MOTION_BELT
#include "scene/motion_keys.h"

/* --- the servo: a force moves the boundary (world/servo.h) --- */
#define SERVO(member) AT(plu_boundary_spec, servo.member)
{"boundaries.servo", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_boundary_spec, has_servo), .given = 1,
 .help = "A force moves the boundary along an axis, against the contact forces of the bodies: a "
         "lid that presses on a bed with a given stress. The boundary is then a body of the "
         "contact problem, with a mass, and does not rotate. If `motion` is also given, the "
         "boundary follows it before `start` and after `stop`. Not with method = \"penalty\"."},
{"boundaries.servo.axis", OPTIONAL(REAL), SERVO(axis), VECTOR,
 .help = "Direction in which the force is positive, of any nonzero length. By default the normal "
         "of a plane, plate or disc; the normal of a plane points to the bodies. "
         "An axis within the plane of one of these is refused."},
{"boundaries.servo.mass", REQUIRED(REAL), SERVO(mass), POSITIVE, .unit = "kg",
 .help = "Mass of the boundary, whose weight acts along the axis. Solvers need the fewest "
         "iterations if it is about the mass of the layer of bodies that touches the boundary; at "
         "rest it affects the forces only by its weight."},
{"boundaries.servo.force", OPTIONAL(REAL), SERVO(force), WITHIN(-1e15, 1e15), .unit = "N",
 .help = "Force along the axis; or give `stress`."},
{"boundaries.servo.stress", OPTIONAL(REAL), SERVO(stress), WITHIN(-1e15, 1e15), .unit = "Pa",
 .help = "Force along the axis divided by the area, which is determined in every step; or give "
         "`force`."},
{"boundaries.servo.area", OPTIONAL(REAL), SERVO(area), POSITIVE, .unit = "m^2",
 .help = "Area on which `stress` acts. By default the area of the plate or disc itself; for a "
         "plane, the area that the other planes and boxes of the scene enclose in their current "
         "positions."},
{"boundaries.servo.speed", OPTIONAL(REAL), SERVO(speed), POSITIVE, .unit = "m/s",
 .help = "Largest speed of the boundary, whatever the force. By default a tenth of the smallest "
         "radius per time step. A warning names a servo that meets no resistance at that "
         "speed over a distance of four of the largest diameters."},
{"boundaries.servo.table", OPTIONAL(TEXT), SERVO(table), NOT_EMPTY,
 .help = "CSV file, relative to the folder of the scene file, whose first line is \"t, share\": "
         "time (s, rising, counted from `start`) and the factor by which force or stress is "
         "multiplied. Linear between the rows, constant before the first and after the last."},
{"boundaries.servo.start", DEFAULT(REAL, "0.0"), SERVO(start), NOT_NEGATIVE, .unit = "s",
 .help = "Time at which the force starts; before it the boundary stands still or follows `motion`."},
{"boundaries.servo.stop", OPTIONAL(REAL), SERVO(stop), POSITIVE, .unit = "s",
 .help = "Time at which the force ends; after it the boundary stands still or follows `motion`. "
         "Later than `start`."},
#undef SERVO

/* --- the shapes, a group each (src/adding.md) --- */
{"boundaries.plane", VARIANT(plu_boundary_spec, PLU_PLANE),
 .help = "Infinite plane: the side away from the normal is solid."},
{"boundaries.plane.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Any point of the plane."},
{"boundaries.plane.normal", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, normal), VECTOR,
 .help = "Direction out of the solid, of any nonzero length."},
{"boundaries.plate", VARIANT(plu_boundary_spec, PLU_PLATE),
 .help = "Thin rectangular plate with two sides; bodies fall off its edges."},
{"boundaries.plate.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Center of the rectangle."},
{"boundaries.plate.normal", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, normal), VECTOR,
 .help = "Direction normal to the plate, of any nonzero length."},
{"boundaries.plate.size", REQUIRED(REAL), AT(plu_boundary_spec, size), .count = 2, POSITIVE,
 .unit = "m",
 .help = "Edge lengths, the first one along `direction`."},
{"boundaries.plate.direction", OPTIONAL(REAL), AT(plu_boundary_spec, direction), VECTOR,
 .help = "Direction of the first edge (only its component within the plate counts); by default x, "
         "or y if x is the normal."},
{"boundaries.disc", VARIANT(plu_boundary_spec, PLU_DISC),
 .help = "Thin round plate with two sides; bodies fall off its edge."},
{"boundaries.disc.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Center of the disc."},
{"boundaries.disc.normal", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, normal), VECTOR,
 .help = "Direction normal to the disc, of any nonzero length."},
{"boundaries.disc.radius", REQUIRED(REAL), AT(plu_boundary_spec, radius), POSITIVE, .unit = "m",
 .help = "Radius of the disc."},
{"boundaries.box", VARIANT(plu_boundary_spec, PLU_BOX),
 .help = "Rectangular container of thin plates."},
{"boundaries.box.lower", REQUIRED(REAL), .offset = offsetof(plu_boundary_spec, box[0]),
 .size = 3 * sizeof(double), VECTOR, .unit = "m",
 .help = "Corner with the smallest coordinates."},
{"boundaries.box.upper", REQUIRED(REAL), .offset = offsetof(plu_boundary_spec, box[1]),
 .size = 3 * sizeof(double), VECTOR, .unit = "m",
 .help = "Corner with the largest coordinates."},
{"boundaries.box.faces", DEFAULT(FLAGS, "[\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]"),
 AT(plu_boundary_spec, faces), NOT_EMPTY, .choices = faces,
 .help = "The faces that exist; \"z+\" is the lid."},
{"boundaries.cylinder", VARIANT(plu_boundary_spec, PLU_CYLINDER),
 .help = "Container: a thin tube, vertical and open at the top unless it has another axis."},
{"boundaries.cylinder.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"),
 AT(plu_boundary_spec, center), VECTOR, .unit = "m",
 .help = "Center of the circle where the axis starts, the lower one if the tube is vertical."},
{"boundaries.cylinder.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, axis), VECTOR,
 .help = "Direction from that circle to the other one, of any nonzero length."},
{"boundaries.cylinder.radius", REQUIRED(REAL), AT(plu_boundary_spec, radius), POSITIVE, .unit = "m",
 .help = "Radius of the tube."},
{"boundaries.cylinder.height", REQUIRED(REAL), AT(plu_boundary_spec, height), POSITIVE, .unit = "m",
 .help = "Length of the tube along its axis."},
{"boundaries.cylinder.bottom", DEFAULT(BOOL, "true"), AT(plu_boundary_spec, bottom),
 .help = "Whether a disc closes the end where the axis starts."},
{"boundaries.sphere", VARIANT(plu_boundary_spec, PLU_FIXED_SPHERE),
 .help = "Solid sphere, or a spherical cavity in a solid (a bowl)."},
{"boundaries.sphere.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Center of the sphere."},
{"boundaries.sphere.radius", REQUIRED(REAL), AT(plu_boundary_spec, radius), POSITIVE, .unit = "m",
 .help = "Radius of the sphere."},
{"boundaries.sphere.inside", DEFAULT(BOOL, "false"), AT(plu_boundary_spec, inside),
 .help = "Bodies are inside the sphere, and the space around it is solid."},
{"boundaries.cone", VARIANT(plu_boundary_spec, PLU_CONE),
 .help = "Thin cone with two sides, pointed or cut off: a hopper, a funnel, or a cone to pour on."},
{"boundaries.cone.center", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Center of the circle where the axis starts."},
{"boundaries.cone.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, axis), VECTOR,
 .help = "Direction from that circle to the other one, of any nonzero length."},
{"boundaries.cone.radii", REQUIRED(REAL), AT(plu_boundary_spec, radii), .count = 2, NOT_NEGATIVE,
 .unit = "m",
 .help = "Radii of both circles, the one around `center` first; one of them may be 0. A hopper: "
         "[opening, top]."},
{"boundaries.cone.height", REQUIRED(REAL), AT(plu_boundary_spec, height), POSITIVE, .unit = "m",
 .help = "Distance between the circles along the axis."},
{"boundaries.cone.bottom", DEFAULT(BOOL, "false"), AT(plu_boundary_spec, bottom),
 .help = "Whether a disc closes the end where the axis starts."},
{"boundaries.mesh", VARIANT(plu_boundary_spec, PLU_MESH),
 .help = "Triangles of a file, each thin and with two sides. A sphere that rolls from one triangle "
         "to the next does not feel the edge between them if the surface is smooth there. Open "
         "edges and gaps are allowed; `pluvia check` counts them."},
{"boundaries.mesh.file", REQUIRED(TEXT), AT(plu_boundary_spec, file), NOT_EMPTY,
 .help = "STL file, binary or text, or OBJ file if the name ends in .obj; relative to the folder "
         "of the scene. At most 512 MB."},
{"boundaries.mesh.scale", DEFAULT(REAL, "1.0"), AT(plu_boundary_spec, scale), POSITIVE,
 .unit = "m",
 .help = "Length of a unit of the file: 0.001 for a drawing in millimeters."},
{"boundaries.mesh.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, axis), VECTOR,
 .help = "Axis through the origin of the file about which the mesh is rotated, a direction of any "
         "nonzero length."},
{"boundaries.mesh.angle", DEFAULT(REAL, "0.0"), AT(plu_boundary_spec, angle), ANY, .unit = "rad",
 .help = "Angle of the rotation, counterclockwise when seen against the direction of `axis`."},
{"boundaries.mesh.position", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Position of the origin of the file."},
{"boundaries.mesh.inside", DEFAULT(BOOL, "false"), AT(plu_boundary_spec, inside),
 .help = "Bodies are inside, as in a hopper: pictures show triangles only from the side on which "
         "their corners run counterclockwise. Contacts do not depend on this key. Closed meshes "
         "whose outside is their cavity are always shown this way."},
{"boundaries.own", VARIANT(plu_boundary_spec, PLU_OWN_SHAPE),
 .help = "A shape registered by name by the program that runs the scene "
         "(include/pluvia/extension.h). The pluvia command has none."},
{"boundaries.own.type", REQUIRED(TEXT), AT(plu_boundary_spec, type), NOT_EMPTY,
 .help = "Name of the shape."},
{"boundaries.own.numbers", DEFAULT(NUMBERS, "[]"), AT(plu_boundary_spec, numbers), ANY,
 .count_offset = offsetof(plu_boundary_spec, numbers_count),
 .help = "Numbers for the shape; the program that registers the shape defines their meaning."},
{"boundaries.own.position", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), AT(plu_boundary_spec, center),
 VECTOR, .unit = "m",
 .help = "Position of the origin of the shape."},
{"boundaries.own.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), AT(plu_boundary_spec, axis), VECTOR,
 .help = "Axis through its origin about which the shape is rotated, a direction of any nonzero "
         "length."},
{"boundaries.own.angle", DEFAULT(REAL, "0.0"), AT(plu_boundary_spec, angle), ANY, .unit = "rad",
 .help = "Angle of the rotation, counterclockwise when seen against the direction of `axis`."},
    /* clang-format on */
