/* motion_keys.h: the keys of boundaries that move (src/world/motion.h); rows of the table in
 * keys.c, which includes them in their place. */
/* clang-format off */
#define MOTION(member) AT(plu_boundary_spec, motion.member)
{"boundaries.until", OPTIONAL(REAL), AT(plu_boundary_spec, until), POSITIVE, .unit = "s",
 .help = "Time at which the boundary is taken away; what leaned on it wakes. Without it, it stays."},
{"boundaries.motion", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_boundary_spec, moves), .given = 1,
 .help = "How the boundary moves, from where it is written: the sum of all that is given here. "
         "Times count from `start`. Positions are those of the theta rule, which differ from the "
         "ones asked for by a share (omega h)^2 / 12 of a vibration's amplitude at most, and by "
         "nothing for constant velocities."},
{"boundaries.motion.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION(velocity), VECTOR,
 .unit = "m/s",
 .help = "Constant velocity."},
{"boundaries.motion.belt", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION(belt), VECTOR, .unit = "m/s",
 .help = "Velocity of the surface of a boundary that stays where it is, as of a conveyor belt; what "
         "of it is normal to the surface does not count."},
{"boundaries.motion.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), MOTION(axis), VECTOR,
 .help = "Axis of all that turns, of any length but 0."},
{"boundaries.motion.center", OPTIONAL(REAL), MOTION(center), VECTOR, .unit = "m",
 .help = "A point of the axis at the start; it moves along with the boundary. Without it the center "
         "of the boundary."},
{"boundaries.motion.rate", DEFAULT(REAL, "0.0"), MOTION(rate), ANY, .unit = "rad/s",
 .help = "Constant angular velocity about the axis."},
{"boundaries.motion.vibration", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Displacement by amplitude times sin(2 pi frequency t + phase), less its value at t = 0."},
{"boundaries.motion.vibration.amplitude", REQUIRED(REAL), MOTION(amplitude), VECTOR, .unit = "m",
 .help = "Largest displacement."},
{"boundaries.motion.vibration.frequency", REQUIRED(REAL), MOTION(frequency), POSITIVE, .unit = "Hz",
 .help = "Periods per second."},
{"boundaries.motion.vibration.phase", DEFAULT(REAL, "0.0"), MOTION(phase), ANY, .unit = "rad",
 .help = "Phase at t = 0; pi / 2 starts at rest."},
{"boundaries.motion.rocking", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Rotation about the axis by amplitude times sin(2 pi frequency t + phase), less its value "
         "at t = 0."},
{"boundaries.motion.rocking.amplitude", REQUIRED(REAL), MOTION(swing), ANY, .unit = "rad",
 .help = "Largest angle."},
{"boundaries.motion.rocking.frequency", REQUIRED(REAL), MOTION(swing_frequency), POSITIVE,
 .unit = "Hz",
 .help = "Periods per second."},
{"boundaries.motion.rocking.phase", DEFAULT(REAL, "0.0"), MOTION(swing_phase), ANY, .unit = "rad",
 .help = "Phase at t = 0."},
{"boundaries.motion.table", OPTIONAL(TEXT), MOTION(table), NOT_EMPTY,
 .help = "CSV file, relative to the folder of the scene file. Its first line names the columns: t "
         "(s, rising) and any of x, y, z (m, displacement) and angle (rad, about the axis). Between "
         "its rows a monotone cubic (Fritsch & Carlson 1980), before and after them it stands still."},
{"boundaries.motion.start", DEFAULT(REAL, "0.0"), MOTION(start), NOT_NEGATIVE, .unit = "s",
 .help = "The motion begins; it stands still before."},
{"boundaries.motion.stop", OPTIONAL(REAL), MOTION(stop), POSITIVE, .unit = "s",
 .help = "The motion ends; it stands still from then on. Later than `start`."},
#undef MOTION
    /* clang-format on */
