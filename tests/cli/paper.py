"""The commands for the figures of the paper: a part of each campaign again, held against the closed forms
and the numbers in the tree; and what makes a figure fail."""
import csv
import importlib.util
import json
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

    def test_spin_that_reverses_under_slip(self):
        """X is too short by at most 2 V h a2/a1 (scenes/paper.md), and by nearly that for the worst instant of the reversal."""
        g, r, mu, mu_r, v0 = 9.81, 0.5, 0.2, 0.04, 2.5
        before, after = (5 * g / (2 * r) * (mu + sign * mu_r / r) for sign in (1, -1))
        for step in 1e-3, 2.5e-4:
            missed, bounds = [], []
            for k in range(8):
                spin = -2.5 - before * step * k / 8
                time = -spin / before
                time += (v0 - mu * g * time) / (mu * g + r * after)
                v = v0 - mu * g * time
                x = v0 * time - mu * g * time**2 / 2 + v**2 / (2 * 5 * g * mu_r / (7 * r))
                self.write("spin.cfg", f"""
                    time: {{ step = {step}; end = 4; theta = 0.5; }};
                    stabilization = "none"; solver: {{ criterion = "natural-map"; tolerance = 1e-12; }};
                    materials = ( {{ name = "rock"; density = 2500.0; }} );
                    contacts = ( {{ between = ["rock", "rock"]; friction = {mu}; rolling_friction = {mu_r}; }} );
                    boundaries = ( {{ plane: {{}}; material = "rock"; }} );
                    bodies = ( {{ position = [0, 0, {r}]; velocity = [{v0}, 0, 0]; angular_velocity = [0, {spin!r}, 0];
                                  radius = {r}; material = "rock"; }} );
                    output: {{ interval = 0.5; }};""")
                self.pluvia("run", "spin.cfg", "-q", "--force", "-o", "spin.h5md")
                rolling = json.loads(self.pluvia("measure", "spin.h5md", "--json")[0])["frame"]["rolling"]
                missed.append(x - rolling["x"])
                bounds.append(2 * v * step * after / before)
            self.assertGreater(min(missed), -1e-8)
            self.assertLess(max(np.array(missed) / bounds), 1.001)
            self.assertGreater(max(np.array(missed) / bounds), 0.8)

    def test_pictures_of_piles(self):
        """Eighty spheres instead of 250; differences that hold for any seed."""
        words = self.part(4, ("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.1, 0.3, 1.0]"), ("axes = (",
                          'set = ["feeders.0.pluviation.count=80", "time.end=8"];\naxes = ('))
        said, found = self.figure(4, *words)
        self.assertEqual(list(zip(found["mu"], found["mu_r"])),
                         [(mu, mu_r) for mu in ("0.1", "0.3", "1") for mu_r in ("0.001", "0.01")])
        self.assertEqual(said.count(" ok\n"), 5)
        self.assertEqual(found["height"].shape, (6,))

    def test_piles_that_are_kept(self):
        """Runs are the same bits everywhere: one of the ten piles again is that of the table and of the page."""
        campaign = self.part(4, ("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.3]"), ("[1e-3, 1e-2]", "[1e-2]"))[1]
        self.pluvia("sweep", campaign, "-o", "found", "-j", "2", "--progress", "none")
        found, kept = columns(self.folder / "found/table.csv"), columns(KEPT / "figure4.csv")
        row = list(zip(kept["mu"], kept["mu_r"])).index(("0.3", "0.01"))
        for name, column in (("height", "pile.height_ratio"), ("mean_radius", "pile.mean_radius"), ("bottom", "pile.bottom")):
            self.assertAlmostEqual(float(found[column][0]), float(kept[name][row]), delta=1e-8, msg=(name, "tools/paper/figure4.py"))

    def test_a_pile_by_projection_alone(self):
        text = (KEPT / "figure4_plain.cfg").read_text().replace('"../', f'"{ROOT}/scenes/').replace("[1e-3, 1e-2]", "[1e-3]")
        for aid in "solver.fallback=none", "solver.momentum=false", "solver.anderson_after=0":
            self.assertIn(f'"{aid}"', text)
        self.write("plain.cfg", text)
        self.pluvia("sweep", "plain.cfg", "-o", "found", "--progress", "none")
        found, kept = columns(self.folder / "found/table.csv"), columns(KEPT / "figure4_plain.csv")
        for name in "pile.height_ratio", "pile.mean_radius", "pile.bottom", "last.unconverged_steps":
            self.assertAlmostEqual(float(found[name][0]), float(kept[name][0]), delta=1e-8, msg=name)

    def test_no_command(self):
        done = subprocess.run(["/usr/bin/python3", ROOT / "tools/paper/figure3.py", "-o", "out", "--pluvia", "/bin/false"],
                              cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("/bin/false sweep", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
