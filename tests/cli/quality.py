"""Small cases of tests/bench/quality: what the program does at its defaults is right. The command that
judges them is the one that people use."""
import os
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


if __name__ == "__main__":
    unittest.main()
