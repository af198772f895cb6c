"""Bodies that are fixed: grains as a boundary (bodies.fixed)."""
import csv
import json
import re
import unittest

import h5py
import numpy

from command import ROOT, Case, numbers_only
from starts import particles, state_hash

G = 9.81
HEAD = """
time: { step = 1e-3; end = 0.3; };
output: { interval = 0.01; contacts = true; quantities = ["velocity", "angular_velocity", "orientation", "force"]; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; %s }, { between = ["grain", "steel"]; friction = 0.3; } );
"""
FIXED = 'bodies = ( { position = [0, 0, 0]; radius = 0.01; material = "grain"; fixed = true; }, %s );'
SOLID = """boundaries = ( { sphere: { center = [0, 0, 0]; radius = 0.01; }; material = "grain"; } );
bodies = ( %s );"""
BALL = '{ position = [%g, 0, 0.05]; radius = 0.005; material = "grain"; }'
# A rough base that overlaps itself and the sides of the cell, and grains on it.
BED = HEAD.replace("end = 0.3", "end = 1.0") % "friction = 0.5; rolling_friction = 1e-4;" + """
cell: { size = [0.06, 0.06, 1]; periodic = ["x", "y"]; };
bodies = ( { lattice: { counts = [6, 6, 1]; spacing = 0.01; jitter = 2e-3; }; radius = 0.006; fixed = true; material = "grain"; },
           { packing: { count = 120; box = [[0, 0, 0.012], [0.06, 0.06, 0.08]]; }; radius = [0.004, 0.005]; material = "grain"; } );
"""
MIXED = '{ run: { path = "bed.h5md"; }; %s }'


class Fixed(Case):
    def run_scene(self, scene, name="a", *options, code=0):
        self.write(name + ".cfg", scene)
        self.pluvia("run", name + ".cfg", "-o", name + ".h5md", "--force", *options, code=code)
        return self.folder / (name + ".h5md")

    def refuse(self, scene, text):
        self.write("bad.cfg", scene)
        self.assertIn(text, self.pluvia("check", "bad.cfg", code=3)[1])

    def observable(self, path, name, frame=-1):
        with h5py.File(path) as file:
            return file[f"observables/{name}/value"][frame]


class Alike(Fixed):
    def test_fixed_grains_of_the_size_of_all_others(self):
        """One kind of spheres: what is fixed is another kind all the same. Four of nine fell out of a base when their terms were
        shared with those of grains that are free."""
        for seed in range(1, 6):
            path = self.run_scene("seed = 1;" + HEAD.replace("end = 0.3", "end = 0.8") % "friction = 0.5;" + """
                bodies = ( { lattice: { counts = [3, 3, 1]; spacing = 0.0105; }; radius = 0.005; material = "grain"; fixed = true; },
                           { packing: { count = 5; box = [[0, 0, 0.01], [0.025, 0.025, 0.09]]; }; radius = 0.005;
                             material = "grain"; } );""", "a", "-s", "seed=%d" % seed)
            places = particles(path, "position/value", None)[:, :9]
            self.assertEqual(numpy.abs(places - places[0]).max(), 0.0, seed)


class Single(Fixed):
    def test_bounces_are_those_on_a_boundary(self):
        """Off center, with friction: to rounding."""
        for law in ["restitution = 0.8;", 'restitution = 0.8; restitution_law = "energy";']:
            for x in [0.004, 0.01]:
                with self.subTest(law=law, x=x):
                    head = HEAD % ("friction = 0.4; " + law)
                    fixed = particles(self.run_scene(head + FIXED % BALL % x), "position/value", None)[:, -1]
                    solid = particles(self.run_scene(head + SOLID % BALL % x), "position/value", None)[:, -1]
                    self.assertLess(numpy.abs(fixed - solid).max(), 1e-13)
                    self.assertLess(self.observable(self.folder / "a.h5md", "energy_imbalance"), 1e-13)

    def test_a_head_on_bounce_in_closed_form(self):
        path = self.run_scene(HEAD % 'friction = 0.0; restitution = 0.8; restitution_law = "energy";' + FIXED % BALL % 0)
        z, base = particles(path, "position/value", None)[:, 1, 2], particles(path, "position/value", None)[:, 0]
        t = numpy.arange(len(z)) * 0.01
        touch = (2 * 0.035 / G) ** 0.5
        speed = 0.8 * G * touch
        after = t - touch
        exact = numpy.where(t < touch, 0.05 - G * t**2 / 2, 0.015 + speed * after - G * after**2 / 2)
        first = t < touch + 2 * speed / G
        self.assertLess(numpy.abs(z - exact)[first].max(), 1e-12)
        self.assertFalse(base.any())

    def test_it_is_felt_across_the_sides_of_a_cell(self):
        """A sphere that falls at x = 0.0795 of a cell of 0.08 lands on one at 0.001, and rolls off to the other side."""
        cell = 'cell: { size = [0.08, 0.06, 1]; periodic = ["x", "y"]; };\n'
        law = "friction = 0.3; restitution = 0.3;"
        bodies = 'bodies = ( { position = [%g, 0.02, 0]; radius = 0.01; fixed = true; material = "grain"; },\n' \
                 '           { position = [%g, 0.0201, 0.05]; radius = 0.01; material = "grain"; } );\n'
        near = particles(self.run_scene(HEAD % law + bodies % (0.041, 0.0395)), "position/value", None)[:, 1]
        for first, second in [(0.001, 0.0795), (0.0795 + 0.0015, 0.0795), (0.081, -0.0005)]:
            across = particles(self.run_scene(HEAD % law + cell + bodies % (first, second)), "position/value", None)[:, 1]
            moved = (across - near - [0.04, 0, 0]) / [0.08, 0.06, 1.0]
            moved[:, :2] -= numpy.rint(moved[:, :2])
            self.assertLess(numpy.abs(moved).max(), 1e-12)
        self.assertLess(near[-1, 2], -0.05)

    def test_a_grain_in_a_notch(self):
        """Two that are fixed hold it by m g / (2 cos 30 degrees) each; it sleeps, and wakes when another one hits it."""
        bodies = """bodies = ( { position = [-0.01, 0, 0]; radius = 0.01; fixed = true; material = "grain"; },
                    { position = [0.01, 0, 0]; radius = 0.01; fixed = true; material = "grain"; },
                    { position = [0, 0, 0.0173206]; radius = 0.01; material = "grain"; },
                    { position = [-0.014, 0, 0.3]; radius = 0.01; material = "grain"; } );"""
        path = self.run_scene(HEAD % "friction = 0.0;" + bodies)
        m = particles(path, "mass", None)[2]
        with h5py.File(path) as file:
            force, load = file["particles/trajectory/force/value"][15], file["observables/boundary_load/value"][15]
            velocity = file["particles/trajectory/velocity/value"]
            self.assertFalse(velocity[20, 2].any())  # it sleeps
            self.assertGreater(numpy.abs(velocity[-1, 2]).max(), 1e-3)
            body = file["contacts/body"][()]
            self.assertFalse(((body[:, 0] < 2) & (body[:, 1] < 2)).any())
        self.assertLess(numpy.abs(force[:2] - m * G * numpy.array([[-0.5 * 3**-0.5, 0, -0.5], [0.5 * 3**-0.5, 0, -0.5]])).max(), 1e-4 * m * G)
        self.assertAlmostEqual(load, 0.5, delta=1e-4)  # of two grains, one of which falls
        self.assertLess(self.observable(path, "energy_imbalance"), 1e-12)

    def test_a_grain_hangs_from_one_that_is_fixed(self):
        weight = 4 / 3 * numpy.pi * 0.005**3 * 2500 * G
        for share, hangs in [(1.05, True), (0.95, False)]:
            path = self.run_scene(HEAD % f"friction = 0.3; cohesion = {share * weight};" +
                                  FIXED % '{ position = [0, 0, -0.015]; radius = 0.005; material = "grain"; }')
            z = particles(path, "position/value", -1)[1, 2]
            self.assertEqual(z > -0.0151, hangs, z)

    def test_a_grain_is_pressed_between_a_plate_and_one_that_is_fixed(self):
        """A servo presses with 2 N: so does the grain, and the fixed one bears that and its weight."""
        lid = """boundaries = ( { plane: { center = [0, 0, 0.03]; normal = [0, 0, -1]; }; material = "steel"; name = "lid";
                 servo: { mass = 0.01; force = 2.0; }; } );
        """
        path = self.run_scene("gravity = [0, 0, 0];" + HEAD % "friction = 0.3;" + lid +
                              FIXED % '{ position = [0, 0, 0.02]; radius = 0.01; material = "grain"; }')
        self.assertLess(numpy.abs(particles(path, "force/value", -1)[0] - [0, 0, -2]).max(), 1e-6)
        self.assertAlmostEqual(particles(path, "position/value", -1)[1, 2], 0.02, delta=3e-5)


class Bed(Fixed):
    def setUp(self):
        super().setUp()
        self.bed = self.run_scene(BED, "bed")

    def test_it_rests_on_the_base(self):
        path, base = self.bed, 36
        self.assertIn("156 bodies (36 fixed)", self.pluvia("check", "bed.cfg")[0])
        x = particles(path, "position/value", None)
        self.assertTrue((x[:, :base] == x[0, :base]).all())
        self.assertFalse(particles(path, "velocity/value", None)[:, :base].any())
        self.assertEqual(particles(path, "fixed", None).tolist(), [1] * base + [0] * 120)
        self.assertGreater(x[-1, base:, 2].min(), 0.0)
        self.assertAlmostEqual(self.observable(path, "boundary_load"), 1.0, delta=1e-3)
        self.assertLess(self.observable(path, "energy_imbalance"), 1e-12)
        with h5py.File(path) as file:
            rows = slice(*file["contacts/offset"][-2:])
            body, impulse = file["contacts/body"][rows], file["contacts/impulse"][rows]
            self.assertFalse((body < base).all(axis=1).any())
            force = file["particles/trajectory/force/value"][-1]
        weight = particles(path, "mass", None)[base:].sum() * G
        self.assertLess(numpy.abs(force[:base].sum(axis=0) + [0, 0, weight]).max(), 1e-3 * weight)
        numbers = self.measure(path)
        with_base = (body < base).any(axis=1).sum()
        loaded = (2 * len(body) - with_base) / 120
        self.assertAlmostEqual(numbers["contacts"]["coordination"], loaded, delta=0.3)
        self.assertEqual(numbers["contacts"]["walls"], ((body < base).any(axis=1) & (impulse[:, 0] > 0)).sum())
        self.assertEqual(self.observable(path, "kinetic_energy"), numbers["energy"]["translation"])

    def test_the_base_is_no_part_of_the_bed(self):
        """Solid fraction and stress are those of the grains in the room above the base; layers and the cell say the same."""
        x, r = particles(self.bed, "position/value", None)[-1], particles(self.bed, "radius", None)
        free = numpy.arange(36, 156)
        low, high = (x - r[:, None])[free, 2].min(), (x + r[:, None])[free, 2].max()
        cap = numpy.clip(x[:36, 2] + r[:36] - low, 0, None)  # of fixed spheres that reach above the lowest grain
        room = 0.06**2 * (high - low) - (numpy.pi * cap**2 * (3 * r[:36] - cap) / 3).sum()
        solid = 4 / 3 * numpy.pi * (r[free] ** 3).sum()
        numbers = self.measure(self.bed)
        self.assertNotIn("mixing", numbers)  # the size of the base is no species
        self.assertAlmostEqual(numbers["packing"]["cell_volume"] / room, 1, delta=1e-6)
        self.assertAlmostEqual(numbers["packing"]["cell_solid_fraction"], solid / room, delta=1e-6)
        with h5py.File(self.bed) as file:
            rows = slice(*file["contacts/offset"][-2:])
            body, normal, tangent = (file["contacts/" + name][rows] for name in ("body", "normal", "tangent"))
            frame = numpy.stack([normal, tangent, numpy.cross(normal, tangent)], axis=1)
            force = (file["contacts/impulse"][rows][:, None] @ frame)[:, 0, 2] / file["contacts/dt"][-1]
        sides = ((body >= 36) * r[body]).sum(axis=1)  # lever arms in grains that are free
        self.assertAlmostEqual(numbers["stress"]["zz"] * room / (sides * force * normal[:, 2]).sum(), 1, delta=1e-6)
        rows = list(csv.DictReader(self.pluvia("measure", self.bed, "--field", "vertical")[0].splitlines()))
        self.assertAlmostEqual(sum(float(row["solid_m3"]) for row in rows) / solid, 1, delta=1e-4)
        self.assertAlmostEqual(sum(float(row["volume_m3"]) for row in rows) / room, 1, delta=1e-3)

    def measure(self, path):
        return json.loads(self.pluvia("measure", path, "--json")[0])["frame"]

    def test_same_bits(self):
        whole = state_hash(self.pluvia("run", "bed.cfg", "-o", "b.h5md", "-j", 3)[0])
        self.assertEqual(whole, state_hash(self.pluvia("run", "bed.cfg", "-o", "b.h5md", "-j", 1, "--force")[0]))
        self.pluvia("run", "bed.cfg", "-o", "b.h5md", "--until", 0.15, "--force")
        self.assertEqual(whole, state_hash(self.pluvia("run", "bed.cfg", "-o", "b.h5md", "--restart", "auto")[0]))

    def test_awake_or_asleep(self):
        """The beds end alike, but for the few grains that find their last place after some have fallen asleep."""
        awake = particles(self.run_scene(BED, "awake", "-s", "solver.quiet=false"), "position/value", -1)
        off = numpy.abs(awake - particles(self.bed, "position/value", -1))[36:]
        self.assertLess(numpy.median(off.max(axis=1)), 8e-7)  # 1e-4 d
        self.assertLessEqual((off.max(axis=1) > 8e-6).sum(), 6)  # 1e-3 d; a twentieth of the grains
        self.assertLess(off[:, 2].mean(), 1.6e-6)  # 2e-4 d: nothing sinks

    def test_another_run_keeps_glues_and_frees_them(self):
        head = BED[:BED.index("bodies")].replace("end = 1.0", "end = 0.05")
        keeps = self.run_scene(head + f'bodies = ( {MIXED % ""} );', "keeps")
        self.assertEqual(particles(keeps, "fixed", None).sum(), 36)
        self.assertLess(numpy.abs(particles(keeps, "position/value", -1) - particles(self.bed, "position/value", -1)).max(), 1e-6)
        glued = self.run_scene(head + f'bodies = ( {MIXED % "fixed = true;"} );', "glued")
        self.assertEqual(particles(glued, "fixed", None).sum(), 156)
        freed = self.run_scene(head + f'bodies = ( {MIXED % "fixed = false;"} );', "freed", "-s", "limits.on_limit=warn")
        self.assertNotIn("fixed", h5py.File(freed)["particles/trajectory"])
        self.assertLess(particles(freed, "position/value", -1)[:36, 2].max(), 0.0)
        whole = self.pluvia("run", "keeps.cfg", "-o", "x.h5md")[0]
        self.pluvia("run", "keeps.cfg", "-o", "y.h5md", "--until", 0.02)
        self.bed.rename(self.folder / "gone.h5md")
        self.assertEqual(state_hash(whole), state_hash(self.pluvia("run", "keeps.cfg", "-o", "y.h5md", "--restart", "auto")[0]))

    def test_problems_of_steps(self):
        """Written by the run and made from the trajectory, they are solved by what the run found."""
        self.run_scene(BED, "bed", "-s", "output.dump_problems=every", "-s", "output.dump_every=300", "-s", "solver.quiet=false")
        files = sorted((self.folder / "bed.problems").iterdir())
        self.assertGreater(len(files), 1)
        for file in files:
            self.assertIn("solved", self.pluvia("solve", file)[0])
        self.pluvia("export", self.bed, "--to", "problem", "--at", 0.3, "-o", "p.hdf5")
        self.assertIn("solved", self.pluvia("solve", "p.hdf5")[0])

    def test_files_for_others(self):
        self.pluvia("info", self.bed, "--verify")
        for form in ["csv", "xyz", "lammps", "vtk"]:
            self.pluvia("export", self.bed, "--to", form, "-o", "out.pvd" if form == "vtk" else "out." + form)

    def test_a_feeder_waits_for_room_above_them(self):
        feeder = 'feeders = ( { pluviation: { count = 3; interval = 0.01; height = 0.001; footprint: { square = 1e-3; }; ' \
                 'center = [0.03, 0.03]; }; material = "grain"; radius = 0.004; } );'
        out = self.pluvia("run", self.write("f.cfg", BED.replace("end = 1.0", "end = 0.1") + feeder), "-o", "f.h5md")[0]
        self.assertIn("3 waiting", re.search("bodies .*", out)[0])


class Moved(Fixed):
    """A group that moves as a boundary does."""
    DRAGGED = BED.replace("fixed = true;", "fixed = true; motion: { velocity = [0.2, 0, 0]; start = 0.2; };").replace("end = 1.0", "end = 0.5")
    FOUR = [(-0.008, -0.008), (0.008, -0.008), (-0.008, 0.008), (0.008, 0.008)]

    def test_a_base_drags_grains_through_the_sides_of_the_cell(self):
        path = self.run_scene(self.DRAGGED)
        with h5py.File(path) as file:
            body = file["particles/trajectory"]
            x = body["position/value"][()] + body["image/value"][()] * [0.06, 0.06, 1.0]
            v = body["velocity/value"][()]
        way = x[-1, :36] - x[0, :36]
        self.assertLess(numpy.abs(way - [0.06, 0, 0]).max(), 1e-13)
        self.assertTrue((v[30, :36] == [0.2, 0, 0]).all())
        self.assertLess(numpy.abs(v[-1, 36:, 0] - 0.2).mean(), 2e-3)  # all go along in the end,
        self.assertLess(numpy.abs(v[-1, 36:, 0] - 0.2).max(), 5e-2)  # some of those on top still roll
        self.assertLess(self.observable(path, "energy_imbalance"), 1e-13)
        self.assertGreater(self.observable(path, "work_boundary"), 0.0)

    @numbers_only
    def test_same_bits(self):
        self.write("a.cfg", self.DRAGGED)
        whole = state_hash(self.pluvia("run", "a.cfg", "-o", "a.h5md", "-j", 1)[0])
        self.assertEqual(whole, state_hash(self.pluvia("run", "a.cfg", "-o", "a.h5md", "-j", 3, "--force")[0]))
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", 0.31, "--force")
        self.assertEqual(whole, state_hash(self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto")[0]))

    def test_as_boundaries_that_move(self):
        """Four spheres that turn, are lifted or swing, and a grain on them: the same to the order of the time step, with
        the same work."""
        ball = '{ position = [0.004, 0.003, 0.03]; radius = 0.01; material = "grain"; }'
        head = (HEAD % "friction = 0.5;").replace("1e-3", "2e-4")
        for motion in ["rate = 3.0; axis = [0, 0, 1];", "rate = 0.5; axis = [0, 1, 0];", "velocity = [0.1, 0, 0.05]; start = 0.15;"]:
            motion = f"motion: {{ {motion} center = [0, 0, 0]; }};"
            spheres = ",".join('{ sphere: { center = [%g, %g, 0]; radius = 0.01; }; material = "grain"; %s }' % (*at, motion) for at in self.FOUR)
            group = '{ lattice: { counts = [2, 2, 1]; spacing = 0.016; origin = [-0.008, -0.008, 0]; }; radius = 0.01; material = "grain"; ' \
                    f"fixed = true; {motion} }}"
            with self.subTest(motion=motion):
                walls = self.run_scene(head + f"boundaries = ( {spheres} ); bodies = ( {ball} );", "walls")
                grains = self.run_scene(head + f"bodies = ( {group}, {ball} );", "grains")
                apart = particles(walls, "position/value", None)[:, -1] - particles(grains, "position/value", None)[:, -1]
                self.assertLess(numpy.abs(apart).max(), 5e-4)
                work = [self.observable(path, "work_boundary") for path in (walls, grains)]
                self.assertAlmostEqual(work[0], work[1], delta=0.05 * max(map(abs, work)))
                self.assertLess(self.observable(grains, "energy_imbalance"), 1e-13)
                if "rate = 3" in motion:  # on its circle
                    end, angle = particles(grains, "position/value", -1)[0], 0.9
                    turned = [-0.008 * (numpy.cos(angle) - numpy.sin(angle)), -0.008 * (numpy.sin(angle) + numpy.cos(angle)), 0]
                    self.assertLess(numpy.abs(end - turned).max(), 1e-14)
                    q = particles(grains, "orientation/value", -1)[0]
                    self.assertLess(numpy.abs(q - [numpy.cos(0.45), 0, 0, numpy.sin(0.45)]).max(), 1e-13)

    def test_sleepers_wake_when_it_starts(self):
        path = self.run_scene(self.DRAGGED.replace("start = 0.2", "start = 1.0").replace("end = 0.5", "end = 1.1"))
        v = particles(path, "velocity/value", None)
        self.assertFalse(v[98].any())
        self.assertGreater(numpy.abs(v[110, 36:, 0]).min(), 0.05)

    def test_the_base_of_another_run(self):
        self.run_scene(BED, "bed")
        head = BED[:BED.index("bodies")].replace("end = 1.0", "end = 0.05")
        path = self.run_scene(head + 'bodies = ( { run: { path = "bed.h5md"; }; motion: { velocity = [0.1, 0, 0]; }; } );')
        v = particles(path, "velocity/value", -1)
        self.assertTrue((v[:36] == [0.1, 0, 0]).all())
        self.assertGreater(v[36:, 0].mean(), 0.05)

    def test_what_does_not_move(self):
        self.refuse(BED.replace("fixed = true;", "motion: { velocity = [0.1, 0, 0]; };"), "add fixed = true")
        self.refuse(BED.replace("fixed = true;", "fixed = true; motion: { rate = 1.0; };"), "cannot turn along")


class Refused(Fixed):
    def test_what_is_no_fixed_body(self):
        self.refuse(HEAD % "friction = 0.3;" + FIXED.replace("fixed", "velocity = [1, 0, 0]; fixed") % BALL % 0, "have no velocity")
        sheared = BED.replace('periodic = ["x", "y"];', "shear_rate = 1.0;")
        self.refuse(sheared, "need a cell at rest")
        self.write("late.csv", "x,y,z,time\n0,0,0,0.1\n")
        self.refuse(HEAD % "friction = 0.3;" + 'bodies = ( { file: { path = "late.csv"; }; radius = 0.01; fixed = true; '
                    'material = "grain"; } );', "there from the start")

    def test_domains_leave_them_where_they_are(self):
        domain = "domain: { box = [[-0.1, -0.1, 0.02], [0.1, 0.1, 1]]; };"
        path = self.run_scene(HEAD % "friction = 0.3;" + domain + FIXED % BALL % 0)
        self.assertEqual(particles(path, "state/value", -1).tolist(), [1, 3])


class Chute(Fixed):
    """Grains of 1 mm, friction 0.5, on a rough base of glued grains: they stop below the angle at which flow ceases (about
    20 degrees for such beds: Silbert et al. 2001, Phys. Rev. E 64, 051302) and flow steadily above it."""

    @numbers_only
    def test_rest_below_flow_above(self):
        speed = {}
        for angle in [18, 27]:
            path = self.run_scene((ROOT / "scenes/chute_glued.cfg").read_text(), "chute", "--until", 1.2, "-s",
                                  f"gravity=[{G * numpy.sin(numpy.radians(angle))}, 0, {-G * numpy.cos(numpy.radians(angle))}]")
            speed[angle] = particles(path, "velocity/value", None)[:, 96:, 0].mean(axis=1)
            self.assertLess(self.observable(path, "energy_imbalance"), 1e-9)
        self.assertLess(abs(speed[18][-1]), 1e-4)
        late = speed[27][-10:]
        self.assertGreater(late.min(), 0.03)
        self.assertLess(late.max() / late.min(), 2.0)


if __name__ == "__main__":
    unittest.main()
