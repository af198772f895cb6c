"""Small cases of tests/bench/quality: what the program does at its defaults is right. The command that
judges them is the one that people use. And a boulder on few grains, which only the fallback solves."""
import os
import re
import subprocess
import unittest

from command import ROOT, Case

CASES = ["tripod-10", "tripod-100", "pair-1e3", "pair-1e6", "layers-20-smooth", "column-200-1e-8", "column-200-random",
         "fcc", "row-20", "rack-10", "cradle-5", "row-10-floor", "press-plate-1e6", "wedge-plate-20"]


class Quality(Case):
    def test_small_cases_are_right(self):
        """Wrong and silent makes the exit code 1, and so does what the program itself says is not solved."""
        said = subprocess.run(
            ["/usr/bin/python3", ROOT / "tests/bench/quality/run.py", "--program", os.environ["PLUVIA"], "--strict",
             "--cache", self.folder / "cache", "--cases", *CASES],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        rows = [line for line in said.stdout.splitlines() if line.startswith("| ") and "| verdict |" not in line]
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertGreaterEqual(sum("| right |" in row for row in rows), 2 * len(CASES))
        self.assertFalse([row for row in rows if "WRONG" in row or "said so" in row], said.stdout)


# A sphere of 20 diameters, eight thousand times as heavy as a grain, falls with four layers of grains.
BOULDER = """
time: { step = 1e-3; end = 0.45; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.3; rolling_friction = 1e-3; restitution = 0.0; },
             { between = ["grain", "wall"]; friction = 0.3; rolling_friction = 1e-3; restitution = 0.0; } );
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.44, 0.44, 2]; }; material = "wall"; } );
bodies = ( { lattice: { counts = [20, 20, 4]; spacing = 0.022; origin = [0.011, 0.011, 0.011]; jitter = 8e-4; };
             material = "grain"; radius = 0.01; },
           { position = [0.22, 0.22, 0.3]; radius = 0.2; material = "grain"; } );
output: { interval = 0.15; };
"""


class Boulder(Case):
    def run_with(self, fallback, threads):
        """Steps not converged, sweeps a step, and the hash of the last state."""
        self.write("boulder.cfg", BOULDER)
        out, _ = self.pluvia("run", "boulder.cfg", "-o", "boulder.h5md", "--force", "-j", threads, "-s",
                             f'solver.fallback="{fallback}"')
        return (int(re.search(r"not converged +(\d+) of", out)[1]), float(re.search(r"sweeps +([\d.]+)", out)[1]),
                re.search(r"state hash +(\w+)", out)[1])

    def test_the_few_grains_that_bear_a_boulder_are_handed_over(self):
        """Sweeps alone leave some steps unsolved (19 of 450) and take 2.9 times as many sweeps."""
        alone, many, _ = self.run_with("none", 1)
        missed, sweeps, state = self.run_with("prox-newton", 1)
        self.assertGreater(alone, 0)
        self.assertEqual(missed, 0)
        self.assertLess(sweeps, 0.6 * many)
        self.assertEqual(self.run_with("prox-newton", 3)[2], state)


if __name__ == "__main__":
    unittest.main()
