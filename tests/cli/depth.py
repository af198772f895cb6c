"""A deep bed at rest stays where it is, though it starts without impulses: the error that a step may
keep is small against the weight of a sphere, whatever presses on it."""
import re
import unittest

import h5py
import numpy

from command import LAWS, Case

DIAMETER = 0.02

# 1,080 spheres in a narrow box: some thirty layers.
SCENE = """
time: { step = 1e-3; end = %g; theta = 1.0; };
allow_overlap = true;
output: { interval = 0.1; quantities = ["position"]; };
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.132, 0.132, 4]; }; material = "plate"; } );
bodies = ( { %s; material = "grain"; radius = 0.01; } );
""" + LAWS

LATTICE = """lattice: { counts = [6, 6, 30]; spacing = 0.022; origin = [0.011, 0.011, 0.011];
                        jitter = 8e-4; }"""


class Depth(Case):
    def run_scene(self, name, end, bodies, *words):
        self.write(name + ".cfg", SCENE % (end, bodies))
        self.pluvia("run", name + ".cfg", "-o", name + ".h5md", "--force", *words)
        with h5py.File(self.folder / (name + ".h5md")) as file:
            return file["particles/trajectory/position/value"][:]

    def test_a_bed_at_rest_does_not_sink(self):
        x = self.run_scene("settle", 2.5, LATTICE, "-s", "seed=3")
        self.assertLess(numpy.linalg.norm(x[-1] - x[-2], axis=1).mean(), 1e-3 * DIAMETER)
        numpy.savetxt(self.folder / "bed.csv", x[-1], "%.17g", ",", header="x,y,z", comments="")
        sinks = {}
        for criterion in ["velocity", "weight", "scaled"]:
            x = self.run_scene("rest", 0.1, 'file: { path = "bed.csv"; }', "-s",
                               f'solver.criterion="{criterion}"')
            sinks[criterion] = (x[0] - x[-1])[:, 2].mean() / DIAMETER
        # Over eight seeds at most 6e-5; by "weight", a former default, 0.009 to 0.026, and by "scaled" 4.2 to 6.1 times as much.
        self.assertLess(abs(sinks["velocity"]), 1e-4)
        self.assertGreater(sinks["weight"], 0.005)
        self.assertGreater(sinks["scaled"], 3 * sinks["weight"])


WIDE, NARROW = "upper = [0.132, 0.132, 4]", "upper = [0.088, 0.088, 4]"
# 1,250 spheres in some fifty layers, more than 2,048 contacts; and the same spheres without walls beside them.
SQUARE = "upper = [0.110, 0.110, 4]"
BOX = "{ box: { lower = [0, 0, 0]; %s; }; material" % WIDE
PLANE = "{ plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material"
BED = 'file: { path = "bed.csv"; }'
ROUGH = '"plate"]; friction = 0.3; rolling_friction = 1e-3;'


class SmoothColumns(Case):
    """Eighty layers of 16 spheres between smooth walls."""

    def sank(self, seed):
        """From 1.5 to 2.5 s, in diameters."""
        scene = f"seed = {seed};" + SCENE
        for old, new in [(WIDE, NARROW), ("interval = 0.1", "interval = 0.5"), ("theta = 1.0;", ""), ("1300.0", "2500.0"),
                         (ROUGH, '"plate"]; friction = 0; rolling_friction = 0;')]:
            scene = scene.replace(old, new)
        self.write("deep.cfg", scene % (2.5, LATTICE.replace("[6, 6, 30]", "[4, 4, 80]")))
        self.pluvia("run", "deep.cfg", "-o", "deep.h5md", "-j", "1", "--force")
        with h5py.File(self.folder / "deep.h5md") as file:
            height = file["particles/trajectory/position/value"][:, :, 2].mean(axis=1) / DIAMETER
        return height[-3] - height[-1]

    def test_a_bed_does_not_sink_into_its_sleepers(self):
        """Deep in a bed some bodies sleep and others do not. Bodies at the border yield a little in
        each solve, so what rests on them sank by 0.001 d in this second, and slipped in the end."""
        self.assertLess(abs(self.sank(3)), 3e-4)

    def test_a_column_at_rest_does_not_creep(self):
        """Errors of 1 % of what gravity adds in a step moved single spheres of these columns on and
        on until one slipped: they sank by 0.012 and 0.0008 d in this second."""
        for seed in (1, 8):
            with self.subTest(seed=seed):
                self.assertLess(abs(self.sank(seed)), 3e-4)


class WithoutImpulses(Case):
    """What begins without impulses: a bed in which rest is one of several solutions rests, and what
    cannot rest is not held up by that."""

    def moved(self, name, end, scene, *words):
        """Mean way of the spheres from the first frame to the last, in diameters."""
        self.write(name + ".cfg", scene.replace(WIDE, SQUARE) % (end, BED))
        said = self.pluvia("run", name + ".cfg", "-o", name + ".h5md", "--force", *words)[0]
        self.sweeps = float(re.search(r"sweeps +([\d.]+) a step", said)[1])
        self.found = "no impulses" not in said
        self.error = float(re.search(r"velocity error +at most ([\d.e-]+)", said)[1])
        with h5py.File(self.folder / (name + ".h5md")) as file:
            x = file["particles/trajectory/position/value"][:]
        return (x[-1] - x[0]).mean(axis=0) / DIAMETER, x[-1]

    def prepare(self):
        bed = LATTICE.replace("[6, 6, 30]", "[5, 5, 50]")
        self.write("settle.cfg", SCENE.replace(WIDE, SQUARE) % (3.0, bed))
        self.pluvia("run", "settle.cfg", "-o", "settle.h5md", "--force")
        with h5py.File(self.folder / "settle.h5md") as file:
            x = file["particles/trajectory/position/value"][-1]
        numpy.savetxt(self.folder / "bed.csv", x, "%.17g", ",", header="x,y,z", comments="")

    def test_what_can_rest_rests(self):
        way, end = self.moved("rest", 0.2, SCENE)
        self.assertLess(numpy.abs(way).max(), 1e-3)
        self.assertTrue(self.found)
        self.moved("first", 1e-3, SCENE)
        self.assertLess(self.error, 3e-4)  # a tenth of what a bed at rest may have: later steps inherit it
        again = self.moved("threads", 0.2, SCENE, "-j", "2")[1]
        self.assertEqual(end.tobytes(), again.tobytes())
        for word in ["solver.single=false", "contacts.*.pivoting_friction=1e-3"]:
            with self.subTest(word):
                self.assertLess(numpy.abs(self.moved("rest", 0.1, SCENE, "-s", word)[0]).max(), 1e-3)
                self.assertTrue(self.found)

    def test_a_sphere_that_spins_in_it_does_not_matter(self):
        """Without pivoting friction a sphere may spin on for ever in a bed at rest, here with a
        surface of three times the speed that gravity adds in a step."""
        bed = numpy.loadtxt(self.folder / "bed.csv", delimiter=",", skiprows=1)
        spins = numpy.zeros_like(bed)
        spins[len(bed) // 2, 2] = 3.0
        numpy.savetxt(self.folder / "bed.csv", numpy.hstack([bed, spins]), "%.17g", ",",
                      header="x,y,z,wx,wy,wz", comments="")
        self.moved("spins", 0.1, SCENE)
        # Where impulses are found 4.5, where they are not 10.7.
        self.assertTrue(self.found)
        self.assertLess(self.sweeps, 7)

    def test_what_cannot_rest_falls(self):
        """Without walls the tower slides down a slope steeper than friction at all contacts."""
        open_scene = SCENE.replace(BOX, PLANE)
        self.assertNotEqual(open_scene, SCENE)
        slope = "gravity = [4.905, 0, -8.4957]; " + open_scene
        way = self.moved("slope", 0.1, slope)[0]
        self.assertFalse(self.found)
        least = 0.5 * (4.905 - 0.3 * 8.4957) * 0.1 ** 2 / DIAMETER
        self.assertGreater(way[0], 0.9 * least)


if __name__ == "__main__":
    unittest.main()
