"""Fixed grains (bodies.fixed) and what moves against them or with them."""
import re
import unittest

import h5py
import numpy

from command import Case
from starts import state_hash

HEAD = """
time: { step = 1e-3; end = 1.0; };
output: { interval = 0.05; contacts = true; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "wall"]; friction = 0.5; } );
"""
# Closed to the left by a plane, or by a wall of fixed grains.
BOX = """boundaries = ( { plane: { normal = [0, 0, 1]; }; material = "wall"; name = "floor"; },
    { plane: { normal = [0, 1, 0]; }; material = "wall"; name = "front"; },
    { plane: { center = [0, 0.05, 0]; normal = [0, -1, 0]; }; material = "wall"; name = "back"; },
    { plane: { center = [0.12, 0, 0]; normal = [-1, 0, 0]; }; material = "wall"; name = "right"; } %s );
"""
LEFT = ', { plane: { center = [0.01, 0, 0]; normal = [1, 0, 0]; }; material = "wall"; name = "left"; }'
BED = """bodies = ( { packing: { count = 250; box = [[0.01, 0, 0], [0.12, 0.05, 0.16]]; }; radius = [0.0045, 0.0055];
    material = "grain"; } );
"""
ROUGH = """bodies = ( { run: { path = "bed.h5md"; }; },
    { lattice: { origin = [0.005, 0.005, 0.005]; counts = [1, 5, 30]; spacing = 0.01; }; radius = 0.005; material = "grain";
      fixed = true; motion: { velocity = [0.05, 0, 0]; }; } );
"""
# A layer of fixed grains up to z = 0.005 under a lid, and a grain beside, of which nobody comes near.
LID = """
time: { step = 1e-3; end = 0.2; };
gravity = [0, 0, 0];
output: { interval = 0.01; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "wall"]; friction = 0.5; } );
boundaries = ( { plane: { center = [0, 0, 0.03]; normal = [0, 0, -1]; }; material = "wall"; name = "lid"; %s } );
bodies = ( { lattice: { counts = [3, 3, 1]; spacing = 0.011; }; radius = 0.005; material = "grain"; fixed = true; %s },
           { position = [0.05, 0, -1]; radius = 0.003; material = "grain"; } );
"""
SERVO = "servo: { mass = 0.01; force = 1.0; speed = 0.4; };"
DOWN = "motion: { velocity = [0, 0, -0.2]; };"


class Walls(Case):
    def run_scene(self, scene, name="a", *options, code=0):
        self.write(name + ".cfg", scene)
        said = self.pluvia("run", name + ".cfg", "-o", name + ".h5md", "--force", *options, code=code)
        return self.folder / (name + ".h5md"), said[1] + said[0]


class Rough(Walls):
    def test_a_rough_wall_pushes_a_bed(self):
        """Chains of grains between it and the wall on the other side buckle in each step: the second method of the solver finds
        no end there, and its impulses, huge ones, passed for better than those before. The run ended after 0.28 s with an overlap
        of half a diameter."""
        self.run_scene(HEAD + BOX % LEFT + BED, "bed")
        path, said = self.run_scene(HEAD + BOX % "" + ROUGH, "a", "--until", "0.4")
        missed = int(re.search(r"not converged +(\d+) of 400 steps", said)[1])
        self.assertLess(missed, 8)
        deepest = float(re.search(r"interpenetration +at most ([\d.e-]+) m", said)[1])
        self.assertLess(deepest, 1e-4)
        taken, canceled = re.search(r"work of errors +([\d.]+) % .*, ([\d.]+) % with errors that cancel", said).groups()
        self.assertLess(float(taken), 3.0)
        self.assertLess(float(canceled), 60.0)
        with h5py.File(path) as file:
            places = file["particles/trajectory/position/value"][-1]
        wall = places[250:, 0]
        self.assertLess(numpy.abs(wall - 0.025).max(), 1e-12)
        self.assertGreater(places[:250, 0].min(), 0.025)  # none has passed through the wall


class Lids(Walls):
    def lid(self, moved, group="", *options):
        path, said = self.run_scene(LID % (moved, group), "a", *options)
        with h5py.File(path) as file:
            return file["boundaries/position/value"][:, 0, 2] if moved else None, said

    def test_a_servo_is_held(self):
        """At the tops of the grains, to rounding, where it never was below; also by grains that push it back."""
        heights, said = self.lid(SERVO)
        self.assertLess(abs(heights[-1] - 0.005), 1e-12)
        self.assertGreater(heights.min(), 0.005 - 1e-12)
        self.assertIn("the servo of lid is held by body 0 of bodies[0]", said)
        self.assertEqual(said.count("held by"), 1)
        heights, said = self.lid(SERVO, "motion: { velocity = [0, 0, 0.2]; };")
        self.assertLess(numpy.abs(heights - 0.2 * 0.01 * numpy.arange(21) - 0.005)[8:].max(), 1e-12)
        self.assertNotIn("through each other", said)

    def test_a_servo_that_is_too_slow(self):
        said = self.lid(SERVO.replace("0.4", "0.1"), "motion: { velocity = [0, 0, 0.2]; };")[1]
        self.assertIn("lid and body 0 of bodies[0], which is fixed, go through each other: the servo gives way too slowly", said)

    def test_what_follows_a_motion_goes_through(self):
        heights, said = self.lid(DOWN)
        self.assertLess(abs(heights[-1] + 0.01), 1e-12)
        self.assertIn("lid and body 0 of bodies[0], which is fixed, go through each other: nothing holds", said)
        self.assertEqual(said.count("through each other"), 1)
        self.assertIn("go through each other", self.lid("", "motion: { velocity = [0, 0, 0.3]; };")[1])

    def test_what_reaches_through_or_goes_along(self):
        """Grains that are glued to a lid, or through which a wall was put."""
        for center in ["0.03", "0.005", "0.00476", "0.004"]:
            said = self.lid(DOWN, DOWN, "-s", f"boundaries[0].plane.center=[0,0,{center}]")[1]
            self.assertNotIn("fixed, go", said, center)
        heights, said = self.lid(SERVO, "", "-s", "boundaries[0].plane.center=[0,0,0.004]")
        self.assertLess(heights[-1], -0.01)
        self.assertNotIn("held", said)

    def test_a_run_in_pieces(self):
        whole = state_hash(self.run_scene(LID % (SERVO, ""), "a")[1])
        said = []
        for end in ["0.05", "0.1", "0.2"]:
            said.append(self.pluvia("run", "a.cfg", "-o", "b.h5md", "--restart", "auto", "--until", end))
        self.assertEqual(state_hash(said[-1][1] + said[-1][0]), whole)
        self.assertEqual([text[1].count("held by") for text in said], [0, 1, 0])

    def test_rocking(self):
        path, _ = self.run_scene(LID % ("", "motion: { axis = [0, 1, 0]; rocking: { amplitude = 0.1; frequency = 1.0; }; };"), "a")
        with h5py.File(path) as file:
            places = file["particles/trajectory/position/value"][:, :9] - [0.011, 0.011, 0]
        angle = 0.1 * numpy.sin(2 * numpy.pi * 0.01 * numpy.arange(21))[:, None]
        self.assertLess(numpy.abs(places[:, :, 0] - places[0, :, 0] * numpy.cos(angle)).max(), 1e-15)
        self.assertLess(numpy.abs(places[:, :, 2] + places[0, :, 0] * numpy.sin(angle)).max(), 1e-15)


if __name__ == "__main__":
    unittest.main()
