/* output_keys.h: the keys of `output`, what the trajectory contains; rows of the table in keys.c,
 * which includes them in their place. */
/* clang-format off */
{"output", PLU_KEY_GROUP, SECTION(output), .help = "What the trajectory contains."},
{"output.dump_problems", DEFAULT(CHOICE, "\"none\""), AT(plu_output_spec, dump), .choices = dumps,
 MAY_CHANGE,
 .help = "Writes contact problems as files for `pluvia solve` into the folder NAME.problems beside "
         "the trajectory: \"every\": those of each dump_every-th step; \"unconverged\": those of "
         "the steps that did not converge."},
{"output.dump_every", DEFAULT(INTEGER, "100"), AT(plu_output_spec, dump_every), AT_LEAST(1),
 MAY_CHANGE,
 .help = "Number of steps between two problems that are written."},
{"output.interval", DEFAULT(REAL, "0.01"), AT(plu_output_spec, interval), POSITIVE, .unit = "s",
 .help = "Time between two frames; the start and the end are always written."},

{"output.quantities",
 DEFAULT(FLAGS, "[\"position\", \"velocity\", \"angular_velocity\", \"orientation\"]"),
 AT(plu_output_spec, quantities), .choices = quantities,
 .help = "Quantities that are written for each body. The position is always written; force and torque "
         "are those of the contacts in the last step (N, N m), as are stress (mean in the grain, "
         "Pa, compression positive), dissipation (by friction and rolling, W) and coordination "
         "(number of contacts that bear load)."},
{"output.contacts", DEFAULT(BOOL, "false"), AT(plu_output_spec, contacts),
 .help = "Write the list of contacts of each frame."},
{"output.boundaries", DEFAULT(BOOL, "false"), AT(plu_output_spec, boundaries),
 .help = "Write the position of each boundary, and the force and moment on it, in each frame; they "
         "are always written if a boundary moves or is removed."},
{"output.precision", DEFAULT(CHOICE, "\"float64\""), AT(plu_output_spec, float32),
 .choices = precisions,
 .help = "Precision of the numbers of the bodies in the file."},
{"output.compression", DEFAULT(INTEGER, "1"), AT(plu_output_spec, compression), WITHIN(0.0, 9.0),
 .help = "Compression level of gzip; 0: no compression."},
{"output.position_error", DEFAULT(REAL, "0.0"), AT(plu_output_spec, position_error), NOT_NEGATIVE,
 .where_offset = offsetof(plu_output_spec, position_error_where), .unit = "m",
 .help = "Positions and orientations in the trajectory are rounded such that no point of a body is "
         "displaced by more than this, which makes the file smaller; at most 1 % of the smallest "
         "radius. 0: exact. The run and its "
         "checkpoints are always exact."},
{"output.velocity_error", DEFAULT(REAL, "0.0"), AT(plu_output_spec, velocity_error), WITHIN(0.0, 1.0),
 .unit = "m/s",
 .help = "Velocities in the trajectory are rounded such that the velocity of the center, and the "
         "angular velocity times the radius, change by at most this along each axis. 0: exact."},
{"output.checkpoint_interval", DEFAULT(REAL, "0.0"), AT(plu_output_spec, checkpoint_interval),
 NOT_NEGATIVE, .unit = "s", MAY_CHANGE,
 .help = "Simulated time between two checkpoints, from which `pluvia run --restart` continues; 0: "
         "by wall time only. A checkpoint is always written at the end."},
{"output.checkpoint_wall_interval", DEFAULT(REAL, "600.0"),
 AT(plu_output_spec, checkpoint_wall_interval), NOT_NEGATIVE, .unit = "s", MAY_CHANGE,
 .help = "Wall time between two checkpoints; 0: by simulated time only."},
    /* clang-format on */
