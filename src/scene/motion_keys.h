/* motion_keys.h: the keys of a prescribed motion, of a boundary or of bodies that are fixed
 * (world/motion.h); boundary_keys.h and group_keys.h include these rows in their place and define
 * before that
 *   MOTION(".velocity")   the key, MOTION_AT(member) its place, MOTION_STANDS who stands still
 *   MOTION_CENTER         the help of `center`, MOTION_TABLE that of `table`
 *   MOTION_BELT           if the surface may move alone */
/* clang-format off */
{MOTION(".velocity"), DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION_AT(velocity), VECTOR,
 .unit = "m/s",
 .help = "Constant velocity."},
#ifdef MOTION_BELT
{MOTION(".belt"), DEFAULT(REAL, "[0.0, 0.0, 0.0]"), MOTION_AT(belt), VECTOR, .unit = "m/s",
 .help = "Velocity of the surface of a boundary that stays in place, as of a conveyor belt; its "
         "component normal to the surface is ignored."},
#endif
{MOTION(".axis"), DEFAULT(REAL, "[0.0, 0.0, 1.0]"), MOTION_AT(axis), VECTOR,
 .help = "Axis of all rotations, of any nonzero length."},
{MOTION(".center"), OPTIONAL(REAL), MOTION_AT(center), VECTOR, .unit = "m",
 .help = MOTION_CENTER},
{MOTION(".rate"), DEFAULT(REAL, "0.0"), MOTION_AT(rate), ANY, .unit = "rad/s",
 .help = "Constant angular velocity about the axis."},
{MOTION(".vibration"), PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Displacement by amplitude times sin(2 pi frequency t + phase), minus its value at t = 0."},
{MOTION(".vibration.amplitude"), REQUIRED(REAL), MOTION_AT(amplitude), VECTOR, .unit = "m",
 .help = "Largest displacement."},
{MOTION(".vibration.frequency"), REQUIRED(REAL), MOTION_AT(frequency), POSITIVE, .unit = "Hz",
 .help = "Periods per second."},
{MOTION(".vibration.phase"), DEFAULT(REAL, "0.0"), MOTION_AT(phase), ANY, .unit = "rad",
 .help = "Phase at t = 0; pi / 2 starts at rest."},
{MOTION(".rocking"), PLU_KEY_GROUP, PLU_OPTIONAL,
 .help = "Rotation about the axis by amplitude times sin(2 pi frequency t + phase), minus its "
         "value at t = 0."},
{MOTION(".rocking.amplitude"), REQUIRED(REAL), MOTION_AT(swing), ANY, .unit = "rad",
 .help = "Largest angle."},
{MOTION(".rocking.frequency"), REQUIRED(REAL), MOTION_AT(swing_frequency), POSITIVE,
 .unit = "Hz",
 .help = "Periods per second."},
{MOTION(".rocking.phase"), DEFAULT(REAL, "0.0"), MOTION_AT(swing_phase), ANY, .unit = "rad",
 .help = "Phase at t = 0."},
{MOTION(".table"), OPTIONAL(TEXT), MOTION_AT(table), NOT_EMPTY,
 .help = MOTION_TABLE},
{MOTION(".start"), DEFAULT(REAL, "0.0"), MOTION_AT(start), NOT_NEGATIVE, .unit = "s",
 .help = "Time at which the motion starts; before it " MOTION_STANDS "."},
{MOTION(".stop"), OPTIONAL(REAL), MOTION_AT(stop), POSITIVE, .unit = "s",
 .help = "Time at which the motion ends; after it " MOTION_STANDS ". Later than `start`."},
#undef MOTION
#undef MOTION_AT
#undef MOTION_STANDS
#undef MOTION_CENTER
#undef MOTION_TABLE
#undef MOTION_BELT
    /* clang-format on */
