"""The plot scripts: each makes a figure of a small trajectory, in each format, and says what is missing."""
import importlib.util
import subprocess
import sys
import unittest

import numpy as np

from command import ROOT, Case
from results import RICH

sys.path.insert(0, str(ROOT / "tools"))
import plot_penalty  # noqa: E402
import plot_sweep  # noqa: E402
import plots  # noqa: E402
import rolling  # noqa: E402

SCRIPTS = ["rolling", "energy", "contacts", "forces", "profile"]
ROLLING = (ROOT / "scenes/rolling/sliding.cfg").read_text().replace("end = 6.0", "end = 0.3")


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Plots(Case):
    def plot(self, name, *words, code=0):
        done = subprocess.run(["/usr/bin/python3", ROOT / f"tools/plot_{name}.py", *map(str, words)],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_scene(self, name, text):
        self.write(name + ".cfg", text)
        self.pluvia("run", "-q", name + ".cfg", "-o", name + ".h5md")

    def test_each_makes_a_figure(self):
        self.run_scene("pile", RICH)
        self.run_scene("rolling", ROLLING)
        for name, kind, begin in zip(SCRIPTS, ["png", "pdf", "svg", "png", "svg"],
                                     [b"\x89PNG", b"%PDF", b"<?xml", b"\x89PNG", b"<?xml"]):
            run = "rolling" if name == "rolling" else "pile"
            said = self.plot(name, run + ".h5md", "-o", f"{name}.{kind}")
            self.assertEqual(said, "")
            data = (self.folder / f"{name}.{kind}").read_bytes()
            self.assertTrue(data.startswith(begin))
            self.assertGreater(len(data), 8000, name)

    def test_sweep(self):
        """Cases without the measure are counted; of the others the figure has the means over seeds."""
        self.write("table.csv", "case,mu,seed,pile.angle,status\na,0.1,1,10,done\nb,0.1,2,14,done\nc,0.3,1,20,done\n"
                                "d,0.3,2,,failed\n")
        places, mean, error = plot_sweep.means(np.array([0.3, 0.1, 0.1]), np.array([20.0, 10.0, 14.0]))
        np.testing.assert_allclose([places, mean, error], [[0.1, 0.3], [12, 20], [2, 0]])
        said = self.plot("sweep", ".", "-x", "mu", "-y", "pile.angle", "-o", "s.svg")
        self.assertEqual(said, "1 of 4 cases have no pile.angle and are left out\n")
        self.assertIn("each case", (self.folder / "s.svg").read_text())
        self.plot("sweep", ".", "-x", "mu", "-y", "pile.angle", "--xlabel", "friction", "--ylabel", "angle (degrees)", "-o", "t.svg")
        for label in "friction", "angle (degrees)":
            self.assertIn(label, (self.folder / "t.svg").read_text())
            self.assertNotIn(label, (self.folder / "s.svg").read_text())
        self.assertIn("option -y: the table has no column angle (it has mu, seed, pile.angle)",
                      self.plot("sweep", "table.csv", "-x", "mu", "-y", "angle", code=1))
        self.assertIn("cannot read none.csv: No such file", self.plot("sweep", "none.csv", "-x", "mu", "-y", "a", code=1))

    def test_who_rolls_is_said(self):
        """No sphere of a pile is drawn as if it were the one that rolls; nor is one that touches nothing."""
        self.run_scene("pile", RICH)
        bodies = plots.Trajectory(self.folder / "pile.h5md").bodies("position").shape[1]
        self.assertIn(f"holds {bodies} spheres: which one rolls? --body 0 to {bodies - 1}",
                      self.plot("rolling", "pile.h5md", code=1))
        self.pluvia("run", "-q", ROOT / "scenes/incline.cfg", "-o", "four.h5md", "--until", "0.1",
                    "-s", "output.contacts=true")
        self.assertEqual(self.plot("rolling", "four.h5md", "--body", "1", "-o", "one.svg"), "")
        self.assertIn("sphere 1 of 4", (self.folder / "one.svg").read_text())
        self.run_scene("flying", ROLLING.replace("position = [0, 0, 0.5]", "position = [0, 0, 5]"))
        self.assertIn("sphere 0 does not roll", self.plot("rolling", "flying.h5md", code=1))

    def test_penalty_law(self):
        """The sphere that slides is held by its spring up to mu_s F_N, and then by mu_d F_N."""
        self.pluvia("run", "-q", ROOT / "scenes/penalty/law.cfg", "-o", "law.h5md")
        self.assertEqual(self.plot("penalty", "law.h5md", "-o", "penalty.png"), "")
        self.assertGreater((self.folder / "penalty.png").stat().st_size, 8000)
        run = plots.Trajectory(self.folder / "law.h5md")
        _, normal, tangential, way = plot_penalty.history(run, 1)
        peak = int(np.argmax(tangential))
        self.assertAlmostEqual(tangential[peak] / normal[peak], 0.5, delta=0.01)
        stretch = slice(1, peak // 2)
        slopes = tangential[stretch] / (way[stretch] + 1e-300)
        self.assertAlmostEqual(np.median(slopes) / (2 / 7 * 1e3), 1, delta=0.1)
        self.assertAlmostEqual(tangential[peak + 5] / normal[peak + 5], 0.3, delta=0.01)
        self.run_scene("rolling", ROLLING)
        self.assertIn("penalty", self.plot("penalty", "rolling.h5md", code=1))

    def test_calibrations(self):
        """One parameter and two: what pluvia calibrate writes, here of z = 10 x y - 3 and z = 10 x - 3."""
        one, two = self.folder / "one", self.folder / "two"
        one.mkdir(), two.mkdir()
        part = [k / 4 for k in range(5)]
        (one / "calibration.csv").write_text("x,round,seeds,m,m.error,m.z,chi2\n" + "".join(
            f"{x},0,1,{10 * x},0,{10 * x - 3},{(10 * x - 3)**2}\n" for x in part))
        (one / "valley.csv").write_text("x,x.low,x.high,chi2,open,state\n0.3,0.2,0.4,0,,valley\n")
        (two / "calibration.csv").write_text("x,y,round,seeds,m,m.error,m.z,chi2\n" + "".join(
            f"{x},{y},0,1,{10 * x * y},0,{10 * x * y - 3},{(10 * x * y - 3)**2}\n" for x in part for y in part))
        (two / "valley.csv").write_text("x,y,y.low,y.high,chi2,open,state\n0.25,,,,0.25,,none\n"
                                        "0.5,0.6,0.4,0.8,0,,valley\n1,0.3,0.2,0.4,0,,valley\n")
        for folder in (one, two):
            self.assertEqual(self.plot("calibration", folder, "-o", "map.png"), "")
            self.assertGreater((self.folder / "map.png").stat().st_size, 8000)
        for folder, text in (("nowhere", "pluvia calibrate writes it"), (".", "calibration.csv")):
            said = self.plot("calibration", folder, code=1)
            self.assertIn(text, said)
            self.assertNotIn("Traceback", said)
        (one / "calibration.csv").write_text("x,y\n1,2\n")
        self.assertIn("is no table of pluvia calibrate", self.plot("calibration", one, code=1))

    def test_help_and_errors(self):
        poor = RICH.replace("contacts = true", "contacts = false").replace('"angular_velocity", ', "")
        self.run_scene("poor", poor)
        for name in SCRIPTS:
            self.assertIn("--output", self.plot(name, "--help"))
            said = self.plot(name, "nowhere.h5md", code=1)
            self.assertIn("nowhere.h5md: no such file", said)
            self.assertNotIn("errno", said)
            self.assertNotIn("Traceback", said)
        whole = (self.folder / "poor.h5md").read_bytes()
        (self.folder / "cut.h5md").write_bytes(whole[:len(whole) // 2])
        for file, text in ("poor.cfg", "it is no HDF5 file"), ("cut.h5md", "it is cut off"):
            self.assertRegex(self.plot("energy", file, code=1), f"^[^\n]*{file} [^\n]*{text}[^\n]*\n$")
        for name, text in [("forces", "output.contacts"), ("rolling", "angular_velocity")]:
            said = self.plot(name, "poor.h5md", *(["--body", "0"] if name == "rolling" else []), code=1)
            self.assertIn(text, said)
            self.assertNotIn("Traceback", said)
        self.assertIn(".png", self.plot("energy", "poor.h5md", "-o", "a.gif", code=1))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class ClosedForms(unittest.TestCase):
    def test_the_three_cases_of_the_paper(self):
        """Stop time and distance, AB21 section 6.1, as derived in the scenes: (mu, mu_r, R Omega) to (x, t)."""
        for mu, spin, x, t in [(0.2, 5.0, 5.574668705, 4.459734964), (0.2, 2.5, 4.141182467, 3.822629969),
                               (0.05, 5.0, 6.371049949, 5.096839959)]:
            closed = rolling.Closed(mu, 0.04, 0.5, 1.0, 9.81)
            end = closed.phases(2.5, spin, 10.0)[-1]
            self.assertEqual((end.u, end.spin), (0, 0))
            self.assertAlmostEqual(end.x, x, delta=1e-9)
            self.assertAlmostEqual(end.begin, t, delta=1e-9)
            times = np.array([0, t / 3, 2 * t / 3, t + 1])
            drawn, asked = closed.curve(2.5, spin, 10.0), closed.at(2.5, spin, times)
            for row in ("u", "turn"):  # piecewise linear
                expected = np.interp(times, drawn.t, getattr(drawn, row))
                self.assertLess(np.max(abs(getattr(asked, row) - expected)), 1e-12)
            self.assertAlmostEqual(asked.x[-1], x, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
