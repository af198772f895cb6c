"""Which tests are asked for a changed file (mutate.py), those most likely to notice first."""

FOLDERS = ["src/step", "src/world", "src/fill", "src/detect", "src/assemble"]

# Each line of these has a test that fails without it.
CAREFUL = ["src/step/boundary_work.c", "src/step/cell_stress.c", "src/step/border.c", "src/step/quiet.c",
           "src/step/stepper_state.c", "src/world/servo.c", "src/fill/servos_make.c", "src/detect/images.c"]

OWN = {
    "src/step/boundary_work.c": ["physics/boundary_force"],
    "src/step/cell_stress.c": ["physics/stress"],
    "src/step/border.c": ["physics/border"],
    "src/step/quiet.c": ["physics/border"],
    "src/step/stepper_state.c": ["physics/counters"],
    "src/world/servo.c": ["physics/servo_rules"],
    "src/fill/servos_make.c": ["physics/servo_rules"],
    "src/detect/images.c": ["physics/images"],
}

# Of all others quick tests of their folder: there are slower ones, which would notice more.
QUICK = {
    "src/step": ["physics/boundary_force", "physics/border", "physics/counters", "physics/state", "physics/impact",
                 "physics/rules", "physics/ladder", "physics/cohesion", "physics/way", "physics/cell"],
    "src/world": ["unit/bodies", "unit/csv", "unit/feeder", "unit/inlet", "unit/boundaries", "physics/servo_rules",
                  "physics/way", "physics/state", "physics/cell", "physics/stress", "physics/cohesion"],
    "src/fill": ["unit/bodies", "unit/csv", "unit/feeder", "unit/inlet", "unit/boundaries", "physics/state",
                 "physics/cell", "physics/cohesion", "physics/servo_rules"],
    "src/detect": ["physics/images", "unit/grid", "physics/cell", "physics/passage", "physics/border", "physics/cohesive_walls",
                   "physics/state", "physics/impact", "physics/mesh"],
    "src/assemble": ["physics/boundary_force", "physics/cohesion", "physics/cohesive_walls", "physics/border", "physics/problem",
                     "physics/impact", "physics/servo_rules", "physics/cell"],
}


def tests_of(name):
    return OWN.get(name) or QUICK[name.rsplit("/", 1)[0]]
