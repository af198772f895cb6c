/* servo_keys.h: the keys of boundaries that a force moves (src/world/servo.h); rows of the table in
 * keys.c, which includes them in their place. */
/* clang-format off */
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
    /* clang-format on */
