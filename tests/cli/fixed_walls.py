"""Fixed grains (bodies.fixed) and what moves against them or with them."""
import re
import unittest

import h5py
import numpy

from command import Case

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


if __name__ == "__main__":
    unittest.main()
