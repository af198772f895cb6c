"""The commands for the figures of the paper: a part of each campaign again, held against the closed forms
and the numbers in the tree; and what makes a figure fail."""
import csv
import importlib.util
import os
import subprocess
import unittest

import numpy as np

from command import PLUVIA, ROOT, Case

KEPT = ROOT / "scenes/paper"


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
class Figures(Case):
    def figure(self, number, *words, code=0):
        """Runs tools/paper/figureN.py into the folder of the test; what it printed and its table."""
        script = ROOT / f"tools/paper/figure{number}.py"
        done = subprocess.run(["/usr/bin/python3", script, "-j", "2", "-o", "out", "--pluvia", PLUVIA, *words],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual((self.folder / f"out/figure{number}.png").read_bytes()[:4], b"\x89PNG")
        return done.stdout, columns(self.folder / f"out/figure{number}.csv")

    def part(self, number, *changes):
        """The campaign of a figure with some of its text changed, as a file."""
        text = (KEPT / f"figure{number}.cfg").read_text().replace('"../', f'"{ROOT}/scenes/')
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.write("part.cfg", text)
        return "--campaign", "part.cfg"

    def test_stopping_distances(self):
        kept = columns(KEPT / "figure2.csv")
        self.assertEqual(len(kept["mu"]), 1600)
        mu, mu_r = np.unique(kept["mu"].astype(float)), np.unique(kept["mu_r"].astype(float))
        few = [f"values = {list(map(float, axis[[0, 17, 39]]))};" for axis in (mu, mu_r)]
        words = self.part(2, ("log_range = [5e-3, 0.5]; count = 40;", few[0]),
                          ("log_range = [2e-3, 0.2]; count = 40;", few[1]))
        said, found = self.figure(2, *words)
        self.assertIn("3 x 3 cases", said)
        distances = dict(zip(zip(kept["mu"], kept["mu_r"]), kept["stop_distance"]))
        for key, distance in zip(zip(found["mu"], found["mu_r"]), found["stop_distance"]):
            self.assertAlmostEqual(float(distance) / float(distances[key]), 1, delta=1e-9)

    def test_too_large_an_error_fails(self):
        few = [("[5e-3, 0.5]; count = 40", "[0.1, 0.5]; count = 2"), ("[2e-3, 0.2]; count = 40", "[0.1, 0.2]; count = 2")]
        said, _ = self.figure(2, *self.part(2, *few, ("time.step=1e-3", "time.step=1e-2")), code=1)
        self.assertIn("FAILED", said)

    def test_three_rolling_spheres(self):
        said, found = self.figure(3)
        self.assertEqual(said.count(" ok\n"), 15)
        kept = columns(KEPT / "figure3.csv")
        self.assertTrue(np.array_equal(found["case"], kept["case"]))
        for name in ("t", "X", "U", "Omega", "r_T", "m_R"):
            one, other = found[name].astype(float), kept[name].astype(float)
            self.assertLess(np.nanmax(abs(one - other)) / np.nanmax(abs(other)), 1e-9, name)

    def test_pictures_of_piles(self):
        """Eighty spheres instead of 250; differences that hold for any seed."""
        words = self.part(4, ("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.1, 0.3, 1.0]"), ("axes = (",
                          'set = ["feeders.0.pluviation.count=80", "time.end=8"];\naxes = ('))
        said, found = self.figure(4, *words)
        self.assertEqual(list(zip(found["mu"], found["mu_r"])),
                         [(mu, mu_r) for mu in ("0.1", "0.3", "1") for mu_r in ("0.001", "0.01")])
        self.assertEqual(said.count(" ok\n"), 5)
        self.assertEqual(found["height"].shape, (6,))

    def test_no_command(self):
        done = subprocess.run(["/usr/bin/python3", ROOT / "tools/paper/figure3.py", "-o", "out", "--pluvia", "/bin/false"],
                              cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("/bin/false sweep", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
