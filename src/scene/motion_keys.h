/* motion_keys.h: the keys of boundaries that move (src/world/motion.h); rows of the table in
 * keys.c, which includes them in their place. */
/* clang-format off */
#define MOTION(member) AT(plu_boundary_spec, motion.member)
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
{"boundaries.motion.velocity", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION(velocity), VECTOR,
 .unit = "m/s",
 .help = "Constant velocity."},
{"boundaries.motion.belt", DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION(belt), VECTOR, .unit = "m/s",
 .help = "Velocity of the surface of a boundary that stays in place, as of a conveyor belt; its "
         "component normal to the surface is ignored."},
{"boundaries.motion.axis", DEFAULT(REAL, "[0.0, 0.0, 1.0]"), MOTION(axis), VECTOR,
 .help = "Axis of all rotations, of any nonzero length."},
{"boundaries.motion.center", OPTIONAL(REAL), MOTION(center), VECTOR, .unit = "m",
 .help = "A point of the axis at the start; it moves with the boundary. By default the center of "
         "the boundary."},
{"boundaries.motion.rate", DEFAULT(REAL, "0.0"), MOTION(rate), ANY, .unit = "rad/s",
 .help = "Constant angular velocity about the axis."},
{"boundaries.motion.vibration", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Displacement by amplitude times sin(2 pi frequency t + phase), minus its value at t = 0."},
{"boundaries.motion.vibration.amplitude", REQUIRED(REAL), MOTION(amplitude), VECTOR, .unit = "m",
 .help = "Largest displacement."},
{"boundaries.motion.vibration.frequency", REQUIRED(REAL), MOTION(frequency), POSITIVE, .unit = "Hz",
 .help = "Periods per second."},
{"boundaries.motion.vibration.phase", DEFAULT(REAL, "0.0"), MOTION(phase), ANY, .unit = "rad",
 .help = "Phase at t = 0; pi / 2 starts at rest."},
{"boundaries.motion.rocking", PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Rotation about the axis by amplitude times sin(2 pi frequency t + phase), minus its "
         "value at t = 0."},
{"boundaries.motion.rocking.amplitude", REQUIRED(REAL), MOTION(swing), ANY, .unit = "rad",
 .help = "Largest angle."},
{"boundaries.motion.rocking.frequency", REQUIRED(REAL), MOTION(swing_frequency), POSITIVE,
 .unit = "Hz",
 .help = "Periods per second."},
{"boundaries.motion.rocking.phase", DEFAULT(REAL, "0.0"), MOTION(swing_phase), ANY, .unit = "rad",
 .help = "Phase at t = 0."},
{"boundaries.motion.table", OPTIONAL(TEXT), MOTION(table), NOT_EMPTY,
 .help = "CSV file, relative to the folder of the scene file. Its first line names the columns: t "
         "(s, rising) and any of x, y, z (m, displacement) and angle (rad, about the axis). "
         "Between the rows it follows a monotone cubic (Fritsch & Carlson 1980); before the first "
         "and after the last row it stands still."},
{"boundaries.motion.start", DEFAULT(REAL, "0.0"), MOTION(start), NOT_NEGATIVE, .unit = "s",
 .help = "Time at which the motion starts; before it the boundary stands still."},
{"boundaries.motion.stop", OPTIONAL(REAL), MOTION(stop), POSITIVE, .unit = "s",
 .help = "Time at which the motion ends; after it the boundary stands still. Later than `start`."},
#undef MOTION
    /* clang-format on */
