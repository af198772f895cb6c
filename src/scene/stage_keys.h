/* stage_keys.h: the keys of stages; rows of the table in keys.c, which includes them in their
 * place.
 */
/* clang-format off */
#define WORDS(member) OPTIONAL(WORDS), AT(plu_stage_spec, member), .count_offset = offsetof(plu_stage_spec, member##_count), NOT_EMPTY
{"stages", LIST(stages, stages_count, plu_stage_spec),
 .help = "Parts of one run, one after the other: each lasts until its end, and changes the scene for itself and "
         "those after it. A stage holds, beside these keys, what it changes, written as in the scene: "
         "`gravity`; `contacts` with friction, rolling_friction, pivoting_friction, restitution, cohesion, "
         "cohesion_range and strength, each entry for the pair `between`, or without it for all pairs; "
         "`boundaries`, by their name, with `motion`, `servo` and `until`; `cell` with shear_rate, "
         "strain_rate, stress and mass; `output.interval`; `time` with step, largest and smallest, where a number is the "
         "longest step of all stages divided by 1, 2, 4, 8, ... Times of motions and servos that a stage gives "
         "count from its beginning."},
{"stages.name", REQUIRED(TEXT), AT(plu_stage_spec, name), NOT_EMPTY,
 .help = "Unique name, by which messages and results call it."},
{"stages.add", WORDS(add),
 .help = "Names of boundaries that are there from this stage on: until then they are not."},
{"stages.remove", WORDS(remove),
 .help = "Names of boundaries that are removed when this stage begins; bodies that leaned on them wake up."},
{"stages.until", PLU_KEY_GROUP, PLU_OPTIONAL, AT(plu_stage_spec, ends), .given = 1,
 .help = "What ends the stage. Only the last one may be without: it lasts to time.end."},
{"stages.until.duration", ONE_OF(REAL), AT(plu_stage_spec, duration), POSITIVE, .unit = "s",
 .help = "So long after it began."},
{"stages.until.time", ONE_OF(REAL), AT(plu_stage_spec, time), POSITIVE, .unit = "s",
 .help = "At this time of the run; at once if that is over."},
{"stages.until.rest", ONE_OF(REAL), AT(plu_stage_spec, rest), POSITIVE,
 .help = "When all is at rest, as time.until_rest says: no energy is above this number times m g d."},
{"stages.until.number", ONE_OF(TEXT), AT(plu_stage_spec, number), NOT_EMPTY,
 .help = "When this number is at least `above`, at most `below`, or between: grains, contacts, coordination, "
         "kinetic_energy; solid_fraction, void_ratio (with a servo, or in a cell); cell_stress_xx and so on; "
         "of a boundary NAME.stress, NAME.force, NAME.force_x, NAME.x and so on; of a sensor NAME.grains, "
         "NAME.mass and its other numbers. It is looked at after every step."},
{"stages.until.above", OPTIONAL(REAL), AT(plu_stage_spec, least), ANY,
 .help = "Least value of `number`, in its SI unit."},
{"stages.until.below", OPTIONAL(REAL), AT(plu_stage_spec, most), ANY,
 .help = "Largest value of `number`."},
{"stages.until.hold", OPTIONAL(REAL), AT(plu_stage_spec, hold), POSITIVE, .unit = "s",
 .help = "The number must stay there for so long. By default one step is enough."},
{"stages.until.within", OPTIONAL(REAL), AT(plu_stage_spec, within), POSITIVE, .unit = "s", MAY_CHANGE,
 .help = "A stage that is not over so long after it began ends the run as failed. By default time.end is "
         "the only limit."},
#undef WORDS
    /* clang-format on */
