"""Runs that go wrong are stopped where it happens, with the last good step saved, or warn."""
import math
import re
import unittest

import h5py
import numpy

from command import FALL, FLOOR, LAWS, PATIENCE, SPHERE, Case

START = """
time: { step = 1e-3; end = 0.1; };
output: { interval = 0.01; };
""" + LAWS


def spheres(*rows):
    """Bodies from (x, z, radius, vx, vz)."""
    return "bodies = ( " + ", ".join(
        f'{{ position = [{x}, 0, {z}]; velocity = [{vx}, 0, {vz}]; radius = {r}; material = "grain"; }}'
        for x, z, r, vx, vz in rows) + " );\n"


PLATE = 'boundaries = ( { plate: { size = [1, 1]; }; name = "tray"; material = "plate"; } );\n'

# Nothing looks ahead: else what moves fast is stopped at what it meets.
BLIND = START.replace("time: {", "time: { forecast = 0.0;")

# 100 mm in a step, and the plate is 80 mm away from the surface.
BULLET = BLIND + PLATE + spheres((0, 0.09, 0.01, 0, -100))

# Two spheres meet with 30 mm in a step.
CRASH = BLIND + FLOOR + spheres(
    (0, 0.1, 0.01, 15, 0), (0.036, 0.1, 0.01, -15, 0))

# A column of spheres that are out of line falls over; one sweep a step does not solve that.
STACK = START + FLOOR + spheres(*((0.003 * (i % 2), 0.01 + 0.0199 * i, 0.01, 0, 0) for i in range(8))) + """
allow_overlap = true;
solver: { tolerance = 1e-13; min_iterations = 1; max_iterations = 1; fallback = "none"; };
"""

# For spheres that fall one on the other: elastic impacts pass the speed on to the lighter one.
CANNON = """
time: { step = 1e-5; end = 0.5; };
output: { interval = 0.01; };
materials = ( { name = "grain"; density = 1300.0; }, { name = "plate"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.0; restitution = 1.0; },
             { between = ["grain", "plate"]; friction = 0.0; restitution = 1.0; } );
""" + FLOOR


def press(boundary, gravity, aside=None):
    """A heavy sphere on three light ones, with a solver that cannot hold it: it squeezes them slowly, by less than
    the position projection moves them in a step. `aside`: gravity points along x to a wall there, not down to 0."""
    def place(x, y, z):
        return [x, y, z] if aside is None else [aside - z, x, y]
    return f"""
time: {{ step = 1e-3; end = 1.0; forecast = 0.5; }};
gravity = {[0, 0, -gravity] if aside is None else [gravity, 0, 0]};
allow_overlap = true;
output: {{ interval = 0.01; }};
solver: {{ criterion = "weight"; tolerance = 1e-2; min_iterations = 1; max_iterations = 1; fallback = "none"; }};
limits: {{ penetration = 1.0; }};
materials = ( {{ name = "light"; density = 1300.0; }}, {{ name = "heavy"; density = 4e3; }}, {{ name = "plate"; }} );
contacts = (""" + ", ".join(f'{{ between = ["{a}", "{b}"]; friction = 0.5; rolling_friction = 1e-3; }}' for a, b in (
        ("light", "light"), ("light", "heavy"), ("light", "plate"), ("heavy", "heavy"), ("heavy", "plate"))) + f""" );
boundaries = ( {{ {boundary}; material = "plate"; name = "floor"; }} );
bodies = (""" + ", ".join(f'{{ position = {place(0.02 * math.cos(k * 2 * math.pi / 3), 0.02 * math.sin(k * 2 * math.pi / 3), 0.01)};'
                          ' radius = 0.01; material = "light"; }' for k in range(3)) + f""",
  {{ position = {place(0, 0, 0.01 + math.sqrt(0.51 ** 2 - 0.02 ** 2))}; radius = 0.5; material = "heavy"; }} );
"""


def state_hash(out):
    return re.search(r"state hash +([0-9a-f]{16})", out)[1]


# What warnings of the kinds of limits say.
KINDS = ["limits.velocity", "limits.penetration", "passed through", "limits.unconverged_steps", "not finite"]


class Limits(Case):
    def stops(self, scene, said, *words, code=6, first=None):
        """Stops in the step it names; goes on from the step before as the run that only warns."""
        self.write("a.cfg", scene)
        whole, warned = self.pluvia("run", "a.cfg", "-o", "warn.h5md", *words, "-s", "limits.on_limit=warn")
        _, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", *words, code=code)
        saved, message = err.strip().splitlines()[-2:]  # the reason is the last line
        step = int(re.match(r"pluvia: step (\d+) \(t = ", message)[1])
        if first is not None:
            self.assertEqual(step, first)
        for text in said:
            self.assertIn(text, message)
        self.assertIn(f"checkpoint of step {step - 1},", saved)
        kinds = [next(kind for kind in KINDS if kind in line) for line in warned.splitlines()
                 if "only counted" in line and "is too long" not in line and "jammed" not in line]
        self.assertEqual(len(kinds), len(set(kinds)), warned)  # the first step of each kind
        self.assertIn(message.removeprefix("pluvia: "), warned)
        self.assertIn("beyond limits", whole)
        with h5py.File(self.folder / "a.checkpoint.h5") as file:
            self.assertEqual(file.attrs["step"], step - 1)
        with h5py.File(self.folder / "a.h5md") as file:
            self.assertEqual(file["particles/trajectory/position/step"][-1], step - 1)
            self.assertEqual(len(set(file["particles/trajectory/position/step"][:])),
                             len(file["particles/trajectory/position/step"]))
            self.assertEqual(file["parameters/pluvia"].attrs["state"], b"failed")
        self.pluvia("run", "a.cfg", "-o", "a.h5md", *words, "--restart", "auto", code=code)  # again, as it must
        out, _ = self.pluvia("run", "a.cfg", "-o", "a.h5md", *words, "--restart", "auto",
                             "-s", "limits.on_limit=warn")
        self.assertEqual(state_hash(out), state_hash(whole))
        self.assertEqual(re.search("beyond limits.*", out)[0], re.search("beyond limits.*", whole)[0])
        return message

    def test_motion_through_a_bed(self):
        """A press that moves on through what it presses: which, when and where."""
        bed = START.replace("end = 0.1", "end = 0.5") + """
boundaries = ( { plate: { size = [1, 1]; }; material = "plate"; },
  { plate: { center = [0, 0, 0.04]; size = [1, 1]; }; name = "press"; material = "plate"; motion: { velocity = [0, 0, -0.1]; }; } );
""" + spheres((0, 0.01, 0.01, 0, 0), (0.03, 0.01, 0.01, 0, 0))
        message = self.stops(bed, ["press moves and may leave too little room"])
        self.assertRegex(message, r"step [23]\d\d .* at \(|from \(")
        self.write("b.cfg", bed)
        self.pluvia("run", "b.cfg", "-s", "boundaries.1.motion.stop=0.15")
        self.pluvia("run", "b.cfg", "-s", "boundaries.1.motion.velocity=[0, 0, 0]", "--force")
        _, err = self.pluvia("run", "b.cfg", "-s", "boundaries.1.motion.start=0.2",
                             "-s", "boundaries.1.motion.stop=0.1", "--force", code=3)
        self.assertIn("boundaries[1].motion.stop must be later than start", err)

    def test_motion_through_a_bed_between_walls(self):
        """It goes on, and contacts yield. What presses is named, not the first one that moves."""
        box = ('{ box: { lower = [-0.0201, -0.0201, 0]; upper = [0.0201, 0.0201, 0.1]; faces = ["x-", "x+", "y-", "y+", "z-"]; };'
               ' material = "plate"; }')
        fan = ('{ plate: { center = [0, 0, 0.5]; size = [1, 1]; }; name = "fan"; material = "plate";'
               ' motion: { rate = 1.0; }; }')
        heap = (START + f"boundaries = ( {box}, {fan}, "
                '{ plate: { center = [0, 0, 0.09]; size = [0.04, 0.04]; }; name = "press"; material = "plate"; '
                "motion: { velocity = [0, 0, -0.5]; }; } );\n"
                'bodies = ( { lattice: { counts = [2, 2, 3]; spacing = 0.0201; origin = [-0.01, -0.01, 0.0101]; '
                'jitter = 1e-5; }; material = "grain"; radius = 0.01; } );\nlimits: { penetration = 10.0; };\n')
        self.write("a.cfg", heap)
        out, err = self.pluvia("run", "a.cfg", "-o", "a.h5md")
        self.assertRegex(err, r"body \d+ is jammed between .*press")
        self.assertNotIn("fan", err)
        self.assertRegex(out, r"jams +\d+: contacts yielded in \d+ steps")

    def test_velocity(self):
        message = self.stops(FALL.replace("end = 0.05", "end = 0.08"),
                             ["body 0", "limits.velocity"], "-s", "limits.velocity=0.75")
        # g h rounds the time of the limit up to a whole step: v = g h k > 0.75 for k = 77
        self.assertIn("step 77 ", message)

    def test_surface_speed(self):
        self.write("a.cfg", START + FLOOR + SPHERE.replace("radius", "angular_velocity = [0, 90, 0]; radius"))
        self.pluvia("run", "a.cfg", "-s", "limits.velocity=0.91", "--until", "0.01")
        self.pluvia("run", "a.cfg", "-s", "limits.velocity=0.89", "--until", "0.01", "--force", code=6)

    def test_velocity_from_energy(self):
        """A chain of elastic spheres passes ten times the speed of its fall; three do not."""
        radii = [0.1 / 3 ** i for i in range(6)]
        for count, code in [(3, 0), (6, 6)]:
            rows, z = [], 0.1
            for r in radii[:count]:
                z += r
                rows.append((0, z, r, 0, 0))
                z += r + 2e-3
            self.write("a.cfg", CANNON + spheres(*rows))
            _, err = self.pluvia("run", "a.cfg", "--force", "-q", code=code)
            if code:
                self.assertRegex(err, r"step \d+ .*body [3-5] .*ten times what energy allows")

    def test_penetration(self):
        message = self.stops(CRASH, ["body 1 and body 0 overlap", "limits.penetration"])
        depth = float(re.search(r"overlap by ([0-9.e-]+) m", message)[1])
        self.assertAlmostEqual(depth, 0.014, delta=1e-9)  # 36 - 30 mm between the centers

    def test_passage(self):
        message = self.stops(BULLET, ["body 0", "tray", "through"], first=1)
        self.assertIn("0.09) m to", message)

    def test_passages_of_each_shape(self):
        outer = 'material = "plate"; name = "shell"; } );\n'
        for shape, rows in {
                "disc: { radius = 0.5; };": (0, 0.09, 0.01, 0, -100),
                "plane: { };": (0, 0.09, 0.01, 0, -100),
                "cylinder: { radius = 0.2; height = 0.5; };": (0.11, 0.2, 0.01, 100, 0),
                "cylinder: { center = [0, -1, 0]; axis = [0, 1, 0]; radius = 0.2; height = 2; };": (0, -0.11, 0.01, 0, -100),
                "cone: { radii = [0, 0.4]; height = 0.4; };": (0.11, 0.2, 0.01, 100, 0),
                "sphere: { radius = 0.1; };": (0, 0.19, 0.01, 0, -100),
                "sphere: { radius = 0.2; inside = true; };": (0.11, 0, 0.01, 100, 0),
                'box: { lower = [-0.2, -0.2, 0]; upper = [0.2, 0.2, 1]; };': (-0.11, 0.2, 0.01, -100, 0)}.items():
            with self.subTest(shape):
                self.write("a.cfg", BLIND + "boundaries = ( { " + shape + outer + spheres(rows))
                _, err = self.pluvia("run", "a.cfg", "--force", code=6)
                self.assertIn("shell", err)
                self.assertIn("step 1 ", err)

    def test_slow_passage(self):
        """Light spheres that are squeezed slowly do not get through unseen, nor by the projection."""
        for shape in ("plate: { size = [10, 10]; }", "disc: { radius = 5.0; }", "plane: { }",
                      "box: { lower = [-5, -5, 0]; upper = [5, 5, 5]; }"):
            for gravity in (0.1, 0.3, 1.0):
                with self.subTest(shape, gravity=gravity):
                    self.write("a.cfg", press(shape, gravity))
                    process = self.start("run", "a.cfg", "-o", "a.h5md", "--force")
                    _, err = process.communicate(timeout=PATIENCE)
                    with h5py.File(self.folder / "a.h5md") as file:
                        self.assertGreaterEqual(file["particles/trajectory/position/value"][:, :3, 2].min(), 0.0)
                    if process.returncode:  # with one sweep a step it does
                        self.assertEqual(process.returncode, 6)
                        self.assertRegex(err, "body [0-2] passed through floor")

    def test_slow_passage_out_of_a_container(self):
        """The same to the side: out of a box, and out of a tube, whose wall is curved."""
        stopped = 0
        for shape, wall in (("box: { lower = [-5, -5, -5]; upper = [0, 5, 5]; }", 0.0),
                            ("cylinder: { center = [0, 0, -5]; radius = 5.0; height = 10; }", 5.0)):
            for gravity in (0.1, 0.3, 1.0):
                with self.subTest(shape, gravity=gravity):
                    self.write("a.cfg", press(shape, gravity, wall))
                    process = self.start("run", "a.cfg", "-o", "a.h5md", "--force")
                    _, err = process.communicate(timeout=PATIENCE)
                    with h5py.File(self.folder / "a.h5md") as file:
                        x = file["particles/trajectory/position/value"][:, :3, :2]
                    out = x[..., 0] if wall == 0 else numpy.hypot(x[..., 0], x[..., 1]) - wall
                    self.assertLessEqual(out.max(), 0.0)
                    stopped += process.returncode
                    if process.returncode:
                        self.assertEqual(process.returncode, 6)
                        self.assertRegex(err, "body [0-2] passed through floor")
        self.assertGreater(stopped, 0)

    def test_spheres_pass_each_other(self):
        """Without a forecast, or with springs, what moves by more than a diameter in a step is not seen: but afterwards it is."""
        blind = spheres((-0.13, 0, 0.01, 100, 0), (0.13, 0.002, 0.004, -100, 0)).replace("bodies", "gravity = [0, 0, 0];\nbodies")
        message = self.stops(START + blind, ["body 1 and body 0 passed through each other", "0.2 m in one step"],
                             "-s", "time.forecast=0.0")
        step = float(re.search(r"a time.step of ([0-9.e-]+) s may avoid", message)[1])
        self.assertTrue(1e-6 < step < 2e-5)
        self.write("a.cfg", START + blind)
        self.pluvia("run", "a.cfg", "--force", "-s", "time.forecast=0.0", "-s", f"time.step={step}", "--until", "0.002")
        springs = re.sub("; friction", "; normal_stiffness = 2.0; friction", START).replace("time:", 'method = "penalty";\ntime:')
        self.write("b.cfg", springs + blind)
        _, err = self.pluvia("run", "b.cfg", "--force", code=6)
        self.assertIn("body 1 and body 0 passed through each other", err)

    def test_a_boundary_sweeps_over_bodies_at_rest(self):
        """Bodies that do not move at all, also by a plate that turns by more than half a turn in a step."""
        still = spheres((0, 0, 0.005, 0, 0)).replace("bodies", "gravity = [0, 0, 0];\nbodies")
        for motion in ["velocity = [100, 0, 0];", "rate = 400.0; axis = [0, 1, 0]; center = [-0.05, 0, 0];",
                       "rate = 4000.0; axis = [0, 1, 0]; center = [-0.05, 0, 0];", "vibration: { amplitude = [0.2, 0, 0]; frequency = 200.0; };"]:
            with self.subTest(motion):
                self.write("a.cfg", BLIND + still + 'boundaries = ( { plate: { center = [-0.05, 0, 0]; normal = [1, 0, 0]; size = [0.5, 0.5]; };'
                           f' name = "paddle"; material = "plate"; motion: {{ {motion} }}; }} );\n')
                _, err = self.pluvia("run", "a.cfg", "--force", "-s", "time.step=0.0009", code=6)
                self.assertIn("body 0 passed through paddle", err)
                self.assertRegex(err, "; a time.step of [0-9.e-]+ s may avoid this")

    def test_past_the_edge_is_no_passage(self):
        self.write("a.cfg", START + PLATE + spheres((0.52, 0.09, 0.01, 0, -100)))
        self.pluvia("run", "a.cfg")

    def test_solver_that_does_not_converge(self):
        words = ["-s", "limits.unconverged_steps=20"]
        message = self.stops(STACK, ["not converged for 20 steps", "limits.unconverged_steps"], *words, code=4)
        self.assertRegex(message, r"worst at the contact of body \d and (body \d|plane-1)$")

    def test_solver_is_warned_about_once(self):
        tube = 'boundaries = ( { cylinder: { radius = 0.012; height = 1; }; material = "plate"; } );'
        self.write("a.cfg", STACK.replace(FLOOR.strip(), tube).replace("1e-13", "1e-18"))
        _, err = self.pluvia("run", "a.cfg", "--until", "1.5")
        self.assertEqual(len(re.findall("not converged for 1000 steps", err)), 1)

    def test_on_failure_saves_the_step_before(self):
        self.write("a.cfg", STACK)
        _, err = self.pluvia("run", "a.cfg", "-s", "solver.on_failure=stop", code=4)
        self.assertIn("the last good state", err)
        self.pluvia("run", "a.cfg", "--restart", "auto")  # on_failure may change

    def test_numbers_that_are_not_finite(self):
        for words in [[], ["-s", "limits.on_limit=warn"]]:
            self.write("a.cfg", START + FLOOR + spheres((0, 0.1, 0.01, 1e200, 0)))
            _, err = self.pluvia("run", "a.cfg", "--force", *words, code=6)
            self.assertIn("body 0 is not a finite number", err)
            self.assertIn("step 1 ", err)
            with h5py.File(self.folder / "output/a.h5md") as file:
                self.assertEqual(len(file["particles/trajectory/position/step"]), 1)

    def test_places_that_are_no_numbers(self):
        """Far beyond a cell that is sheared: what comes from there flows faster than numbers can tell, and no cell holds it."""
        cell = START + """
cell: { size = [0.05, 0.05, 0.06]; shear_rate = 2.0; };
gravity = [0, 0, 0];
bodies = ( { position = [0.01, 0.01, 0.01]; radius = 0.003; material = "grain"; }, %s );
feeders = ( { inlet: { rate = 50.0; count = 2; area: { box: { center = [0.01, 0.02, %s]; size = [0.02, 0.02, 0.02]; }; };
              start = 0.01; }; radius = 0.002; material = "grain"; } );
"""
        body = '{ position = [0.02, 0.02, %s]; radius = 0.003; material = "grain"; }'
        for step, scene in [(11, cell % (body % 0.03, "-1e308")), (1, cell % (body % "1e308", 0.05))]:
            self.write("far.cfg", scene)
            err = self.pluvia("run", "far.cfg", "-q", "--force", code=6)[1]
            self.assertRegex(err, rf"step {step} .* the velocity of body \d is not a finite number, at \(.*e\+308\) m")
            self.assertIn("the last good state, is saved", err)

    def test_good_scenes_keep_to_the_limits(self):
        for scene in [FALL, START + FLOOR + spheres((0, 2.0, 0.001, 0, 0))]:
            self.write("a.cfg", scene)
            out, err = self.pluvia("run", "a.cfg", "--force", "--until", "1")
            self.assertNotIn("limits", out + err)


if __name__ == "__main__":
    unittest.main()
