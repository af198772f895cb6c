"""Which tests are asked for a changed file (mutate.py), those most likely to notice first."""

FOLDERS = ["src/step", "src/world", "src/fill", "src/detect", "src/assemble"]

# Each line of these has a test that fails without it.
CAREFUL = ["src/step/boundary_work.c", "src/step/cell_stress.c", "src/step/border.c", "src/step/sleep.c",
           "src/step/stepper_state.c", "src/world/servo.c", "src/fill/servos_make.c", "src/detect/images.c"]

OWN = {
    "src/step/boundary_work.c": ["physics/boundary_force"],
    "src/step/cell_stress.c": ["physics/stress"],
    "src/step/border.c": ["physics/border"],
    "src/step/sleep.c": ["physics/border"],
    "src/step/stepper_state.c": ["physics/counters"],
    "src/world/servo.c": ["physics/servo_rules"],
    "src/fill/servos_make.c": ["physics/servo_rules"],
    "src/detect/images.c": ["physics/images"],
}

# Of all others first what small scenes with nearly all features compute, bit for bit; then quick tests of their folder, whose
# expected values have reasons. There are slower ones, which would notice more.
BITS = ["physics/bits"]
QUICK = {
    "src/step": ["physics/counters", "physics/control", "physics/rules", "physics/border", "physics/impact", "physics/state",
                 "physics/boundary_force", "physics/stress", "physics/cohesion", "physics/cell", "physics/pivoting", "physics/way",
                 "physics/ladder", "physics/error_work", "physics/penalty", "physics/passage", "physics/extensions"],
    "src/world": ["unit/bodies", "unit/csv", "unit/feeder", "unit/inlet", "unit/boundaries", "unit/sizes", "unit/grains",
                  "physics/servo_rules", "physics/cell", "physics/counters", "physics/control", "physics/shapes", "physics/walls",
                  "physics/stress", "physics/cohesion", "physics/way", "physics/state", "physics/rules"],
    "src/fill": ["unit/bodies", "unit/csv", "unit/feeder", "unit/inlet", "unit/boundaries", "physics/state",
                 "physics/cell", "physics/cohesion", "physics/servo_rules"],
    "src/detect": ["physics/images", "unit/grid", "physics/cell", "physics/seams", "physics/walls", "physics/border", "physics/shapes",
                   "physics/cohesive_walls", "physics/cohesion", "physics/state", "physics/impact", "physics/passage", "physics/mesh",
                   "physics/way", "physics/folds", "physics/fold_beds"],
    "src/assemble": ["physics/boundary_force", "physics/cohesion", "physics/cohesive_walls", "physics/border", "physics/problem",
                     "physics/impact", "physics/servo_rules", "physics/cell", "physics/pivoting", "physics/rules", "physics/way",
                     "physics/error_work"],
}

# Tests of the command, of files that little else asks for.
COMMAND = {
    "src/step/first_step.c": ["cli/starts"],
    "src/step/sensors.c": ["cli/sensors"],
    "src/fill/entries.c": ["cli/starts"],
    "src/fill/entries.c": ["cli/starts", "cli/stages"],
}

# Tests of the command that are asked last, of changes in lines that they run.
COMMANDS = sorted({test for some in COMMAND.values() for test in some} | {
    "cli/bad_input", "cli/fixed", "cli/limits", "cli/rules", "cli/servo", "cli/staged"})

FORCED = []  # in place of all of these


def tests_of(name):
    return FORCED or OWN.get(name) or BITS + QUICK[name.rsplit("/", 1)[0]] + COMMAND.get(name, [])
