"""pluvia measure of heaps: what carries them, what still falls, and their angle."""
import csv
import io
import json
import math
import unittest

import numpy
from command import LAWS, Case

HEAD = "time: { step = 1e-3; end = 0.5; };\ngravity = [0, 0, -10];\n" + LAWS
R = 0.01


def layers(z, *counts, x=0.0):
    """Square layers of touching spheres on each other, the lowest on the level z; the heap's middle is at x."""
    return ", ".join(f"{{ lattice: {{ counts = [{n}, {n}, 1]; spacing = {2 * R}; origin = [{x - (n - 1) * R}, {-(n - 1) * R}, "
                     f'{z + R + k * math.sqrt(2) * R}]; }}; material = "grain"; radius = {R}; }}' for k, n in enumerate(counts))


def plate(z, more="", half=1.0, x=0.0):
    return (f'{{ plate: {{ center = [{x}, 0, {z}]; normal = [0, 0, 1]; size = [{2 * half}, {2 * half}]; }}; '
            f'material = "plate"; {more} }}')


FLOOR = '{ plane: {}; material = "plate"; }'


class Heaps(Case):
    def run_scene(self, boundaries, bodies, head=HEAD):
        self.write("a.cfg", f"{head}boundaries = ( {boundaries} );\nbodies = ( {bodies} );\noutput: {{ interval = 0.02; }};\n")
        self.pluvia("run", "a.cfg", "-q", "--force", "-o", "a.h5md")

    def heap(self, *words):
        return json.loads(self.pluvia("measure", "a.h5md", *words, "--json")[0])["frame"]["pile"]

    def test_below_a_gate_that_was_removed(self):
        """On the gate the heap is that on the gate; what falls from it is none; then it lies on the floor."""
        self.run_scene(f"{plate(0.2, 'until = 0.02;')}, {FLOOR}", layers(0.2, 4, 3, 2))
        there = self.heap("--at", "0")
        self.assertAlmostEqual(there["base"], 0.2)
        self.assertEqual((there["spheres"], there["falling"], there["lost"]), (29, 0, 0))
        self.assertAlmostEqual(there["height"], 2 * R + 2 * math.sqrt(2) * R)
        falling = self.heap("--at", "0.12")
        self.assertEqual((falling["base"], falling["spheres"], falling["falling"], falling["height"]), (0, 0, 29, 0))
        end = self.heap()
        self.assertEqual((end["base"], end["spheres"], end["lost"]), (0, 29, 0))
        self.assertGreaterEqual(end["height"], 1.99 * R)

    def test_on_a_table_that_is_lifted(self):
        self.run_scene(f"{FLOOR}, {plate(0.05, 'motion: { velocity = [0, 0, 0.1]; };')}", layers(0.05, 5, 4, 3, 2, 1))
        start, end = self.heap("--at", "0"), self.heap()
        self.assertAlmostEqual(start["base"], 0.05)
        self.assertAlmostEqual(end["base"], 0.1)
        for name in "height", "mean_height", "angle":
            self.assertAlmostEqual(end[name], start[name], delta=0.01 * start[name])
        self.assertEqual((end["spheres"], end["bottom"], end["lost"]), (55, 25, 0))
        self.assertIn("base: z of what carries the heap       0.1 ", self.pluvia("measure", "a.h5md")[0])

    def test_the_level_that_carries_most(self):
        """Of two heaps the larger one; --base chooses the other. The order of the boundaries does not matter."""
        for boundaries in (f"{FLOOR}, {plate(0.1, half=0.1)}", f"{plate(0.1, half=0.1)}, {FLOOR}"):
            self.run_scene(boundaries, layers(0.1, 4, 3) + ", " + layers(0, 2, 1, x=0.5), HEAD.replace("0.5;", "0.02;"))
            most = self.heap()
            self.assertAlmostEqual(most["base"], 0.1)
            self.assertEqual((most["spheres"], most["falling"], most["lost"]), (25, 0, 5))
            floor = self.heap("--base", "0")
            self.assertEqual((floor["base"], floor["lost"]), (0, 0))
            self.assertEqual(self.heap("--region=0.3,-1,-1,1,1,1", "--base", "0")["spheres"], 5)

    def test_on_a_mesh(self):
        """A floor of triangles at z = 0.03 is one; a slope of triangles is none, nor is a steep one."""
        for name, corners, base in (("flat", [(-1, -1, .03), (1, -1, .03), (1, 1, .03), (-1, 1, .03)], 0.03),
                                    ("slope", [(-1, -1, -.3), (1, -1, .3), (1, 1, .3), (-1, 1, -.3)], None)):
            self.write("m.obj", "".join("v %g %g %g\n" % c for c in corners) + "f 1 2 3\nf 1 3 4\n")
            self.run_scene('{ mesh: { file = "m.obj"; }; material = "plate"; }', layers(0.03 if base else 0.2, 5, 4, 3),
                           HEAD.replace("0.5;", "0.02;"))
            heap = self.heap("--at", "0")
            self.assertEqual(heap["base"], base, name)
            if base:
                self.assertEqual((heap["spheres"], heap["falling"], heap["bottom"]), (50, 0, 25))
                self.assertAlmostEqual(heap["height"], 2 * R + 2 * math.sqrt(2) * R)
            else:
                self.assertIsNone(heap["height"])
                self.assertIn("no level floor", self.pluvia("measure", "a.h5md")[0])

    def test_what_falls_has_no_height(self):
        """A sphere above a heap counts when it has landed; so it does in a periodic cell, across whose side the heap is."""
        for cell in "", "cell: { size = [0.5, 0.5, 1]; periodic = [\"x\", \"y\"]; origin = [0.25, -0.25, 0]; };\n":
            drop = f'{{ position = [0, 0, 0.14]; radius = {R}; material = "grain"; }}'
            if cell:  # the middle of the heap lies on the side of the cell
                drop = drop.replace("[0, 0, 0.14]", "[0.5, 0, 0.14]")
            self.run_scene(FLOOR, layers(0, 4, 3, 2, 1, x=0.5 if cell else 0.0) + ", " + drop, HEAD + cell)
            start, end = self.heap("--at", "0"), self.heap()
            self.assertEqual((start["spheres"], start["falling"]), (30, 1))
            self.assertAlmostEqual(start["height"], 2 * R + 3 * math.sqrt(2) * R)
            self.assertEqual((end["spheres"], end["falling"]), (31, 0))
            field = csv.DictReader(io.StringIO(self.pluvia("measure", "a.h5md", "--at", "0", "--field", "height")[0]))
            self.assertLess(max(float(row["height_m"]) for row in field), 0.07)

    def test_cones(self):
        """Cones of 20 to 40 degrees cut out of a close packing, from 4 d of height on: their mean over places of the
        axis is right to 0.5 degrees, and the errors that are said are those that are made."""
        rng = numpy.random.default_rng(5)
        for height in 4, 8:
            for degrees in 20, 30, 40:
                found = [self.cone(height, degrees, rng) for _ in range(6)]
                angle, error = numpy.array([(f["angle"], f["angle_error"]) for f in found]).T
                self.assertAlmostEqual(angle.mean(), degrees, delta=0.5, msg=(height, degrees, angle))
                self.assertLess(abs(angle - degrees).max(), 3 * error.max(), (height, degrees, angle, error))

    def cone(self, height, degrees, rng):
        edge, slope = 2 * R * math.sqrt(2), math.tan(math.radians(degrees))
        count = int(height * 2 * R / slope / edge) + 2
        cells = numpy.stack(numpy.meshgrid(*[range(-count, count)] * 2, range(height), indexing="ij"), -1).reshape(-1, 1, 3)
        x = (cells + [[0, 0, 0], [.5, .5, 0], [.5, 0, .5], [0, .5, .5]]).reshape(-1, 3) * edge
        x += [*rng.uniform(0, edge, 2), R]
        x = x[x[:, 2] + slope * numpy.hypot(x[:, 0], x[:, 1]) <= 2 * R * height]
        self.write("grains.csv", "x,y,z,radius\n" + "".join("%.9f,%.9f,%.9f,%g\n" % (*row, R) for row in x))
        self.run_scene(FLOOR, '{ file: { path = "grains.csv"; }; material = "grain"; }', HEAD.replace("0.5;", "1e-3;"))
        return self.heap("--at", "0")


if __name__ == "__main__":
    unittest.main()
