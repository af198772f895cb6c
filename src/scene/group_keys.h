/* group_keys.h: the keys of fixed bodies that move as a boundary does (src/world/groups.h); rows of
 * the table in keys.c, which includes them in their place. As boundaries.motion (boundary_keys.h).
 */
/* clang-format off */
#define MOTION(member) AT(plu_body_spec, motion.member)
{"bodies.motion", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_body_spec, moves), .given = 1,
 .help = "With fixed = true (of a run: those that were fixed there): these spheres move together as one rigid body, whatever forces act on them, such as a rough "
         "wall of grains: the sum of all motions given here, as of boundaries (boundaries.motion). Nobody sleeps while "
         "they move. In a periodic cell they may go through its sides, but not turn."},
{"bodies.motion.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION(velocity), VECTOR, .unit = "m/s",
 .help = "Constant velocity."},
{"bodies.motion.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), MOTION(axis), VECTOR,
 .help = "Axis of all rotations, of any nonzero length."},
{"bodies.motion.center", OPTIONAL(REAL), MOTION(center), VECTOR, .unit = "m",
 .help = "A point of the axis at the start; it moves with the spheres. By default the middle of their centers."},
{"bodies.motion.rate", DEFAULT(REAL, "0.0"), MOTION(rate), ANY, .unit = "rad/s",
 .help = "Constant angular velocity about the axis."},
{"bodies.motion.vibration", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Displacement by amplitude times sin(2 pi frequency t + phase), minus its value at t = 0."},
{"bodies.motion.vibration.amplitude", REQUIRED(REAL), MOTION(amplitude), VECTOR, .unit = "m",
 .help = "Largest displacement."},
{"bodies.motion.vibration.frequency", REQUIRED(REAL), MOTION(frequency), POSITIVE, .unit = "Hz",
 .help = "Periods per second."},
{"bodies.motion.vibration.phase", DEFAULT(REAL, "0.0"), MOTION(phase), ANY, .unit = "rad",
 .help = "Phase at t = 0; pi / 2 starts at rest."},
{"bodies.motion.rocking", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Rotation about the axis by amplitude times sin(2 pi frequency t + phase), minus its value at t = 0."},
{"bodies.motion.rocking.amplitude", REQUIRED(REAL), MOTION(swing), ANY, .unit = "rad",
 .help = "Largest angle."},
{"bodies.motion.rocking.frequency", REQUIRED(REAL), MOTION(swing_frequency), POSITIVE, .unit = "Hz",
 .help = "Periods per second."},
{"bodies.motion.rocking.phase", DEFAULT(REAL, "0.0"), MOTION(swing_phase), ANY, .unit = "rad",
 .help = "Phase at t = 0."},
{"bodies.motion.table", OPTIONAL(TEXT), MOTION(table), NOT_EMPTY,
 .help = "CSV file of times and places, as boundaries.motion.table."},
{"bodies.motion.start", DEFAULT(REAL, "0.0"), MOTION(start), NOT_NEGATIVE, .unit = "s",
 .help = "Time at which the motion starts; before it the spheres stand still."},
{"bodies.motion.stop", OPTIONAL(REAL), MOTION(stop), POSITIVE, .unit = "s",
 .help = "Time at which the motion ends; after it the spheres stand still. Later than `start`."},
#undef MOTION
    /* clang-format on */
