"""Boundaries that a force moves, as a user has them: what results hold, campaigns, restarts, messages."""
import csv
import unittest

import h5py
import numpy

from command import ROOT, Case, numbers_only
from restart import state_hash

BOX = """
time: { step = 5e-4; end = 0.3; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "wall"]; friction = 0.0; } );
boundaries = (
    { plane: {}; name = "floor"; material = "wall"; },
    { plane: { normal = [1, 0, 0]; }; name = "left"; material = "wall"; },
    { plane: { center = [0.042, 0, 0]; normal = [-1, 0, 0]; }; name = "right"; material = "wall";
      servo: { mass = 0.01; stress = 1000.0; start = 0.05; }; },
    { plane: { normal = [0, 1, 0]; }; name = "front"; material = "wall"; },
    { plane: { center = [0, 0.042, 0]; normal = [0, -1, 0]; }; name = "back"; material = "wall"; },
    { plane: { center = [0, 0, 0.045]; normal = [0, 0, -1]; }; name = "lid"; material = "wall";
      servo: { mass = 0.01; stress = 2000.0; table = "load.csv"; stop = 0.2; };
      motion: { velocity = [0, 0, -0.01]; start = 0.2; }; }
);
bodies = ( { lattice: { counts = [4, 4, 4]; spacing = 0.0101; origin = [0.0052, 0.0052, 0.0052]; jitter = 1e-4; };
             material = "grain"; radius = [0.0045, 0.005]; } );
output: { interval = 0.01; };
"""
LOAD = "t, share\n0, 0\n0.1, 1\n0.2, 1\n"


class Servo(Case):
    def setUp(self):
        super().setUp()
        self.write("load.csv", LOAD)
        self.write("box.cfg", BOX)

    def test_results(self):
        self.assertIn("ok", self.pluvia("check", "box.cfg")[0].lower())
        self.pluvia("run", "box.cfg", "-o", "a.h5md")
        with h5py.File(self.folder / "a.h5md") as file:
            walls, seen = file["boundaries"], file["observables"]
            time, at, stress = (walls[name][()] for name in ("position/time", "position/value", "stress/value"))
            size = at[:, 2, 0], at[:, 4, 1], at[:, 5, 2]
            for frame in [15, 20]:
                area = size[0][frame] * size[1][frame]
                force = walls["force/value"][frame]
                self.assertAlmostEqual(stress[frame, 5], force[5, 2] / area, delta=1e-6 * 2000)
                self.assertAlmostEqual(stress[frame, 2], force[2, 0] / (size[1][frame] * size[2][frame]), delta=1e-3)
            area = (size[0] * size[1])[16:21].mean()
            # after 0.2 s the lid moves by its motion
            numpy.testing.assert_allclose(numpy.diff(at[21:, 5, 2]), -0.01 * 0.01, rtol=1e-9)
            self.means_of_all_steps(area)
            solid = 4 / 3 * numpy.pi * (file["particles/trajectory/radius"][()] ** 3).sum()
            numpy.testing.assert_allclose(seen["void_ratio/value"], size[0] * size[1] * size[2] / solid - 1, rtol=1e-9)
            numpy.testing.assert_allclose(seen["solid_fraction/value"], 1 / (1 + seen["void_ratio/value"][()]), rtol=1e-9)
            self.assertLess(seen["energy_imbalance/value"][-1], 1e-12)
            self.assertEqual(seen["unconverged_steps/value"][-1], 0)
            lid = at[-1, 5, 2]
        self.assertIn("verified", self.pluvia("info", "a.h5md", "--verify")[0])
        self.pluvia("export", "a.h5md", "--to", "povray", "-o", "a.pov")
        self.assertIn(f"{lid:.4g}"[:6], (self.folder / "a.pov").read_text())
        self.pluvia("render", "a.h5md", "-o", "a.png", "--size", "80x60")
        _, err = self.pluvia("export", "a.h5md", "--to", "problem", "--at", "0.15", "-o", "p.hdf5", code=3)
        self.assertIn("a run with a servo continues from a checkpoint only", err)

    def pressed_by_lid(self, seed):
        self.pluvia("run", "box.cfg", "-o", "seed.h5md", "--force", "-s", "output.interval=5e-4", "-s", f"seed={seed}")
        with h5py.File(self.folder / "seed.h5md") as file:
            time, stress = (file["boundaries"][name][()] for name in ("position/time", "stress/value"))
        return stress[time > 0.2499, 5].mean()

    def means_of_all_steps(self, area):
        """Grains knock, so that single steps are off by up to a tenth."""
        self.pluvia("run", "box.cfg", "-o", "steps.h5md", "-s", "output.interval=5e-4")
        with h5py.File(self.folder / "steps.h5md") as file:
            time, stress = (file["boundaries"][name][()] for name in ("position/time", "stress/value"))
        held, moving = (time > 0.1599) & (time < 0.2001), time > 0.2499
        # the lid has its weight, too
        self.assertAlmostEqual(stress[held, 5].mean(), 2000 + 0.01 * 9.81 / area, delta=20)
        self.assertAlmostEqual(stress[held, 2].mean(), 1000, delta=15)
        self.assertAlmostEqual(stress[moving, 2].mean(), 1000, delta=10)  # the side keeps its stress
        # that of the lid depends on how the few grains lie: 0.9 to 2.6 kPa by seed
        pressed = [stress[moving, 5].mean(), *(self.pressed_by_lid(seed) for seed in (2, 3))]
        self.assertGreater(numpy.mean(pressed), 1000)

    def test_restart_and_threads(self):
        whole, _ = self.pluvia("run", "box.cfg", "-o", "whole.h5md", "-j", "2")
        for until in ["0.03", "0.12", "0.22", "0.3"]:
            out, _ = self.pluvia("run", "box.cfg", "-o", "pieces.h5md", "--restart", "auto", "--until", until, "-j", "1")
        self.assertEqual(state_hash(out), state_hash(whole))
        with h5py.File(self.folder / "whole.h5md") as a, h5py.File(self.folder / "pieces.h5md") as b:
            for name in ["boundaries/position", "boundaries/stress", "observables/void_ratio"]:
                values = [file[f"{name}/value"][()].tobytes() for file in (a, b)]
                self.assertEqual(*values)
        self.pluvia("run", "box.cfg", "-o", "early.h5md", "--until", "0.1")
        self.write("load.csv", LOAD.replace("0.2, 1", "0.2, 2"))
        _, err = self.pluvia("run", "box.cfg", "-o", "early.h5md", "--restart", "auto", code=3)
        self.assertRegex(err, r'the table of the servo of boundary "\w+" \(boundaries\[\d\]\.servo\.table\) differs')

    @numbers_only
    def test_a_sample_of_hundreds_of_grains_converges(self):
        """Walls under a force tie the contacts of all grains at them to each other."""
        self.pluvia("run", ROOT / "scenes/triaxial.cfg", "-o", "t.h5md", "--until", 0.08, "-q")
        with h5py.File(self.folder / "t.h5md") as f:
            self.assertGreater(f["observables/contacts/value"][-1], 1000)
            self.assertLessEqual(f["observables/unconverged_steps/value"][-1], 1)

    def test_problems(self):
        """A step is a problem of bodies, the servos among them: any solver finds its impulses."""
        self.pluvia("run", "box.cfg", "-o", "a.h5md", "-s", 'output.dump_problems="every"', "-s", "time.end=0.15",
                    "-s", "time.step=5e-3", "-s", "output.interval=0.05", "-s", "output.dump_every=30")
        newest = sorted((self.folder / "a.problems").iterdir())[-1]
        out, _ = self.pluvia("solve", newest, "--tolerance", "1e-8", "--solver", "prox-newton")
        self.assertIn("solved", out)

    def test_campaign(self):
        self.write("c.cfg", """
scene = "box.cfg";
axes = ( { key = "boundaries.2.servo.stress"; values = [100.0, 1800.0]; } );
measures = ["last.void_ratio", "last.work_boundary"];
""")
        self.pluvia("sweep", "c.cfg", "-j", "1")
        with open(self.folder / "output/c/table.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        loose, dense = (float(row["last.void_ratio"]) for row in rows)
        self.assertGreater(loose, dense)

    def test_messages(self):
        for change, said in [("5.servo.force=1.0", "give either force (N) or stress (Pa), not both"),
                             ("5.servo.mass=0.0", "mass"), ("5.servo.stop=0.0", "stop"), ("5.servo.axis=[0, 0, 0]", "length 0"),
                             ("5.servo.axis=[1, 0, 0]", "lies in the plane"), ("5.servo.stress=1e300", "from -1e+15 to 1e+15"),
                             ("5.until=0.2", "until must be later than motion.start = 0.2"),
                             ("5.servo.weight=1", "unknown key"), ("5.servo.table=\"no.csv\"", "no.csv")]:
            _, err = self.pluvia("check", "box.cfg", "-s", f"boundaries.{change}", code=3)
            self.assertIn(said, err)
        self.write("load.csv", "t, force\n0, 1\n1, 1\n")
        self.assertIn('unknown column "force"; known are t, share', self.pluvia("check", "box.cfg", code=3)[1])
        self.write("load.csv", LOAD)
        self.write("open.cfg", BOX.replace('name = "left"', 'name = "left"; until = 1e-9'))
        _, err = self.pluvia("run", "open.cfg", code=6)
        self.assertIn("leave no area of lid", err)
        self.write("wide.cfg", BOX.replace("plane: { normal = [1, 0, 0]; }", "disc: { normal = [1, 0, 0]; radius = 1; }"))
        _, err = self.pluvia("check", "wide.cfg", code=3)
        self.assertIn("give servo.area", err)
        _, err = self.pluvia("run", "box.cfg", "-s", "method=penalty", "-s", "contacts.*.normal_stiffness=1e5", code=3)
        self.assertIn("does not support servos", err)

    def test_without_contact(self):
        """It says so, once, and stays at its limit of speed."""
        _, err = self.pluvia("run", "box.cfg", "-o", "a.h5md", "-s", "boundaries.5.servo.axis=[0, 0, 1]", "-s",
                             "boundaries.5.servo.speed=0.27", "-s", "time.end=0.19")
        self.assertEqual(err.count("meets no resistance"), 1)
        self.assertIn("the servo of lid", err)
        with h5py.File(self.folder / "a.h5md") as file:
            z = file["boundaries/position/value"][:, 5, 2]
            numpy.testing.assert_allclose(numpy.diff(z)[10:], 0.27 * 0.01, rtol=1e-9)

        _, err = self.pluvia("run", "box.cfg", "-o", "b.h5md", "-s", "boundaries.5.servo.speed=0.09", "-s", "time.end=0.1")
        self.assertNotIn("meets no resistance", err)  # while it closes the gap

    def test_too_much(self):
        """A force that no solver can hold at this step stops the run, and what was good is kept."""
        _, err = self.pluvia("run", "box.cfg", "-o", "a.h5md", "-s", "boundaries.5.servo.stress=1e13", "-s",
                             "time.step=2e-3", "-s", "solver.max_iterations=20", "-s", 'solver.fallback="none"', code=6)
        for said in ["step ", "m", "the servo of lid pushes with", "the last good state"]:
            self.assertIn(said, err)
        self.pluvia("info", "a.h5md")


if __name__ == "__main__":
    unittest.main()
