"""Beds that a stress or strain rates press: what is wrong or has no solution is said, before the run, in it, and after it."""
import re
import unittest

from command import Case

# 100 grains under 100 kPa along x and y, compressed along z.
GRAINS = """
gravity = [0, 0, 0];
time: { step = 2e-4; end = 0.06; };
output: { interval = 0.01; };
materials = ( { name = "grain"; density = 2650.0; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; rolling_friction = 1e-4; } );
bodies = ( { packing: { box = [[0, 0, 0], [0.028, 0.028, 0.021]]; count = 100; };
             material = "grain"; radius = [0.0015, 0.0025]; } );
solver: { fallback = "none"; };
"""
CELL = "cell: { size = [0.028, 0.028, 0.021]; %s };\n"
TRIAXIAL = GRAINS + CELL % "stress = [1e5, 1e5, 0.0]; strain_rate = [0.0, 0.0, -0.3];"
# From a solid fraction of 0.2 to 0.66 in 0.06 s.
CRUSHED = GRAINS + CELL % "strain_rate = [-7.0, -7.0, -7.0];"
SHEARED = GRAINS + CELL % "strain_rate = [0.15, 0.15, -0.3];"
LID = """
time: { step = 5e-5; end = 1.0; };
gravity = [0, 0, 0];
materials = ( { name = "g"; density = 2500.0; }, { name = "w"; } );
contacts = ( { between = ["g", "g"]; friction = 0.2; }, { between = ["g", "w"]; friction = 0.2; } );
boundaries = ( { plane: { normal = [0, 0, 1]; }; material = "w"; motion: { velocity = [0, 0, 0.002]; }; },
               { plane: { center = [0, 0, 0.04]; normal = [0, 0, -1]; }; material = "w";
                 servo: { mass = 0.1; stress = 4e3; area = 0.01; }; } );
bodies = ( { lattice: { counts = [2, 2, 2]; spacing = 0.02; origin = [0, 0, 0.01]; }; radius = 0.01; material = "g"; } );
"""
# Falls together in 20 steps, almost without friction.
FALLS = """
gravity = [0, 0, 0];
time: { step = 1e-3; end = 0.03; };
materials = ( { name = "grain"; density = 2650.0; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.02; } );
cell: { size = [0.021, 0.021, 0.021]; stress = [1000, 1000, 1000]; };
bodies = ( { lattice: { counts = [5, 5, 5]; spacing = 0.0042; origin = [0.0021, 0.0021, 0.0021]; jitter = 1e-4; };
             material = "grain"; radius = 0.002; } );
"""


class Pressed(Case):
    def test_work_of_errors_is_everywhere(self):
        """With 20 sweeps a step the bed gets too dense: the warning, the bar, the summary, each frame and `measure` say so."""
        self.write("a.cfg", TRIAXIAL)
        few = ["-s", "solver.max_iterations=20", "--progress", "bar"]
        out, err = self.pluvia("run", "a.cfg", *few)
        self.assertEqual(err.count("errors of the solver take"), 1)
        line = re.search(r"work of errors +(\S+) % of the work of friction \(\S+ J\), (\S+) % with errors that cancel", out)
        self.assertGreater(float(line[1]), 20)
        self.assertGreater(float(line[2]), 100)
        self.assertRegex(out, r"note +errors of the solver moved contacts by more than is right, \d+ times, last at 0\.0")
        counted = re.search(r"not converged +(\d+) of 300", out)[1]
        last = err.split("\r")[-1]
        self.assertRegex(last, rf" nc {counted} we \d+%")
        names = "solver.error_share,solver.error_share_now,solver.error_share_all"
        rows = self.pluvia("measure", "output/a.h5md", "--every", "--columns", names)[0].split()[1:]
        self.assertEqual(rows[0], ",,")
        share, now, gross = map(float, rows[-1].split(","))
        self.assertAlmostEqual(100 * share, float(line[1]), delta=0.02 * 100 * share)
        self.assertAlmostEqual(100 * gross, float(line[2]), delta=0.02 * 100 * gross)
        self.assertGreater(now, 0.05)

    def test_a_share_above_the_limit_has_its_reason(self):
        """No warning, as impacts took more than friction; the summary says so beside a share of 18 %."""
        self.write("a.cfg", FALLS)
        out, err = self.pluvia("run", "a.cfg")
        self.assertNotIn("errors of the solver", out + err)
        line = re.search(r"work of errors +(\S+) % of.*\nnote +that is more than 5 %; of what friction and impacts took together it is "
                         r"(\S+) %, which is right\n", out)
        self.assertGreater(float(line[1]), 5, out)
        self.assertLess(float(line[2]), 5)

    def test_a_right_run_keeps_silent(self):
        self.write("a.cfg", TRIAXIAL)
        out, err = self.pluvia("run", "a.cfg", "-s", "solver.max_iterations=200")
        self.assertNotIn("errors of the solver", out + err)
        self.assertLess(float(re.search(r"work of errors +(\S+) %", out)[1]), 5)

    def test_cells_without_a_solution(self):
        """Named by `check`, once by the run in the steps in which it begins, and by the summary."""
        self.write("crushed.cfg", CRUSHED)
        self.assertRegex(self.pluvia("check", "crushed.cfg")[1],
                         r"from a solid fraction of 0\.2\d+ to 0\.\d+ at time\.end: rigid spheres jam .* t = 0\.05\d* s at the latest")
        out, err = self.pluvia("run", "crushed.cfg", "-s", "solver.max_iterations=100", "-s", "limits.on_limit=warn")
        said = re.findall(r"t = (\S+) s\): the grains are jammed in a cell of prescribed volume \(solid fraction (\S+)\)", err)
        self.assertEqual(len(said), 1, err)
        self.assertTrue(0.5 < float(said[0][1]) < 0.68, said)
        self.assertIn(f"note              from {said[0][0]} s on the grains were jammed in a cell of prescribed volume", out)
        self.write("sheared.cfg", SHEARED)
        self.assertIn("the strain rates of the cell sum up to zero", self.pluvia("check", "sheared.cfg")[1])

    def test_a_stress_lets_a_cell_dilate(self):
        self.write("a.cfg", TRIAXIAL)
        self.assertNotRegex("".join(self.pluvia("check", "a.cfg")), "jam |lock|sum up to zero")
        self.write("b.cfg", CRUSHED)
        self.assertNotIn("jam", "".join(self.pluvia("check", "b.cfg", "-s", "time.end=0.04")))

    def test_inertial_numbers(self):
        """Rate times d sqrt(rho / sigma): of a cell, and of a plane that moves towards a servo."""
        self.write("a.cfg", TRIAXIAL)
        number = r"inertial number about (\S+) \(rate (\S+) /s, mean d (\S+) m, (\S+) Pa\)"
        found = [float(x) for x in re.search(number, self.pluvia("check", "a.cfg")[0]).groups()]
        self.assertAlmostEqual(found[0], found[1] * found[2] * (2650 / 1e5) ** 0.5, delta=0.03 * found[0])
        self.assertEqual(found[1::2], [0.3, 1e5])
        self.assertIn("stresses depend on the rate", self.pluvia("check", "a.cfg", "-s", "cell.strain_rate=[0,0,-3.0]")[0])
        self.write("lid.cfg", LID)
        found = [float(x) for x in re.search(number, self.pluvia("check", "lid.cfg")[0]).groups()]
        self.assertEqual(found[1:], [0.05, 0.02, 4e3])
        self.assertAlmostEqual(found[0], 0.05 * 0.02 * (2500 / 4e3) ** 0.5, delta=0.03 * found[0])

    def test_a_long_step_is_named(self):
        """Beyond 0.2 d sqrt(rho / sigma) of the smallest d."""
        self.write("a.cfg", TRIAXIAL)
        err = self.pluvia("check", "a.cfg")[1]
        self.assertRegex(err, r"time\.step = 0\.0002 s is too long \(pressure\): it takes 0\.\d+ of the time "
                         r"d sqrt\(rho/sigma\) in which the stress moves a grain by its diameter \(at most 0\.2\); take (5e-05|0\.0001) s")
        self.assertNotIn("too long", self.pluvia("check", "a.cfg", "-s", "time.step=5e-5")[1])


if __name__ == "__main__":
    unittest.main()
