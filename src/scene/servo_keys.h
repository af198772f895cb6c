/* servo_keys.h: the keys of boundaries that a force moves (src/world/servo.h); rows of the table in
 * keys.c, which includes them in their place. */
/* clang-format off */
#define SERVO(member) AT(plu_boundary_spec, servo.member)
{"boundaries.servo", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_boundary_spec, has_servo), .given = 1,
 .help = "A force moves the boundary along an axis, against what the bodies do to it: a lid that "
         "presses on a bed with a given stress. It is a body of the contact problem, with a mass, "
         "and does not turn. With `motion` as well it moves by that before `start` and from `stop` "
         "on. Not with method = \"penalty\"."},
{"boundaries.servo.axis", OPTIONAL(REAL), SERVO(axis), VECTOR,
 .help = "Direction in which the force counts, of any length but 0. Without it the normal of a "
         "plane, plate or disc, which of a plane points to the bodies."},
{"boundaries.servo.mass", REQUIRED(REAL), SERVO(mass), POSITIVE, .unit = "kg",
 .help = "Mass that the force moves, with its weight along the axis. About that of the layer of "
         "bodies that touches it needs the fewest iterations; it changes no force at rest but by "
         "its weight."},
{"boundaries.servo.force", OPTIONAL(REAL), SERVO(force), ANY, .unit = "N",
 .help = "Force along the axis; or give `stress`."},
{"boundaries.servo.stress", OPTIONAL(REAL), SERVO(stress), ANY, .unit = "Pa",
 .help = "Force along the axis over the area, which is looked up in every step; or give `force`."},
{"boundaries.servo.area", OPTIONAL(REAL), SERVO(area), POSITIVE, .unit = "m^2",
 .help = "Area that `stress` acts on. Without it that of a plane which lies within the other planes "
         "and boxes of the scene, where they are; of a plate or disc its own."},
{"boundaries.servo.speed", OPTIONAL(REAL), SERVO(speed), POSITIVE, .unit = "m/s",
 .help = "Largest speed, above which no force moves it. Without it a tenth of the smallest radius "
         "in a time step. A warning names a servo that finds nothing to push at that speed."},
{"boundaries.servo.table", OPTIONAL(TEXT), SERVO(table), NOT_EMPTY,
 .help = "CSV file, relative to the folder of the scene file, whose first line is \"t, share\": the "
         "share of force or stress by time (s, rising, counted from `start`). Straight lines between its rows, the first "
         "and the last share before and after them."},
{"boundaries.servo.start", DEFAULT(REAL, "0.0"), SERVO(start), NOT_NEGATIVE, .unit = "s",
 .help = "The force begins; before it the boundary stands still, or moves by `motion`."},
{"boundaries.servo.stop", OPTIONAL(REAL), SERVO(stop), POSITIVE, .unit = "s",
 .help = "The force ends; from then on the boundary stands still, or moves by `motion`. Later than "
         "`start`."},
#undef SERVO
    /* clang-format on */
