"""Every solver on the project's own problems, the default on those of the folder PLUVIA_PROBLEMS."""
import collections
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

PLUVIA = os.environ["PLUVIA"]
PORTFOLIO = "portfolio" in os.environ.get("PARTS", "portfolio").split()  # the solvers for comparison are in this build
SOLVERS = 11 if PORTFOLIO else 6
OWN = pathlib.Path(__file__).resolve().parents[1] / "data" / "problems"

# What methods that are kept for comparison do not solve to 1e-8 in two seconds, from zero.
MISSES = collections.defaultdict(set, {
    "fixed-point": {"falling_heap-nc-44.hdf5"},
    "extragradient": {"falling_heap-nc-44.hdf5"},
    "newton-glocker": {"falling_heap-nc-44.hdf5", "pyramid-nc-112.hdf5"},
})


SOLVERS_WITH_FACTORS = ("newton", "newton-fb") + ("newton-glocker", "convex", "ipm", "admm") * PORTFOLIO


def solve(path, *words):
    done = subprocess.run([PLUVIA, "solve", "--json", str(path), *words], capture_output=True, text=True, timeout=900)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def solve_by_all(path, seconds, *words, misses=()):
    """Who neither solves nor proves in so many seconds, and is not known to miss, tries again alone and for longer: on a
    machine that is busy seconds say nothing."""
    done, results = solve(path, "--all", *words, "--max-time", seconds)
    for k, result in enumerate(results):
        if not result["converged"] and result["result"] not in ("refused", "unsolvable") and result["solver"] not in misses:
            _, again = solve(path, "--solver", result["solver"], *words, "--max-time", "600")
            results[k] = again[0]
    return done, results


class Solved(unittest.TestCase):
    def test_own_problems_by_every_solver(self):
        for path in sorted(OWN.glob("*.hdf5")):
            misses = {name for name, paths in MISSES.items() if path.name in paths}
            _, results = solve_by_all(path, "2", "-t", "1e-8", "--from-zero", misses=misses)
            self.assertGreaterEqual(len(results), SOLVERS)
            for result in results:
                if result["result"] != "refused" and path.name not in MISSES[result["solver"]]:
                    self.assertTrue(result["converged"], f"{result['solver']} on {path.name}: {result['residual']}")
                    self.assertLessEqual(result["residual"]["natural_map"], 1e-8)

    def test_the_chain_to_full_accuracy(self):
        for path in sorted(OWN.glob("*.hdf5")):
            done, results = solve(path, "-t", "1e-10", "--from-zero", "--criterion", "scaled")
            self.assertEqual(done.returncode, 0, f"{path.name}: {results}")

    def test_without_a_solution(self):
        done, results = solve_by_all(OWN / "squeezed_unsolvable.dat", "2", "-t", "1e-8")
        self.assertEqual(done.returncode, 4)
        for result in results:
            self.assertIn(result["result"], ("unsolvable", "refused"), result["solver"])

    def solve_alone(self, w, q, mu):
        """Every solver on one contact, from a text file; the results without those that were refused."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "alone.dat"
            columns = "\n".join(" ".join(repr(w[i][j]) for i in range(3)) for j in range(3))
            path.write_text(f"3\n1\n0\n3\n3\n3 3\n{columns}\n{' '.join(map(repr, q))}\n{mu}\n")
            done, results = solve_by_all(path, "2")
        self.assertEqual(len(results), SOLVERS, done.stderr)
        return done, [r for r in results if r["result"] != "refused"]

    def test_single_contacts_without_a_solution(self):
        # w = g g^T + (0, 0.6, 0.8) (0, 0.6, 0.8)^T a; r = (sin, -0.8 cos, 0.6 cos) moves nothing, q is -r and a little more
        for tilt, a, mu in ((1.3, 1.0, 0.5), (1.1, 5.0, 0.8), (1.4, 0.2, 0.3), (1.5, 1.0, 0.9)):
            s, c = math.sin(tilt), math.cos(tilt)
            g, t, r = (c, 0.8 * s, -0.6 * s), (0.0, 0.6, 0.8), (s, -0.8 * c, 0.6 * c)
            w = [[g[i] * g[j] + a * t[i] * t[j] for j in range(3)] for i in range(3)]
            done, results = self.solve_alone(w, [-r[i] + 0.05 * t[i] for i in range(3)], mu)
            self.assertEqual(done.returncode, 4)
            for result in results:
                self.assertEqual(result["result"], "unsolvable", result)
                self.assertIn("contact 0 can neither open nor stick", result["proof"])

    def test_a_contact_that_nothing_moves(self):
        w = [[0.0, 0.0, 0.0], [0.0, 2.0, 0.5], [0.0, 0.5, 1.0]]
        for normal, code, said in ((-1.0, 4, "unsolvable"), (0.0, 0, "solved"), (1.0, 0, "solved")):
            done, results = self.solve_alone(w, [normal, 0.3, -0.2], 0.5)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual({r["result"] for r in results}, {said})

    @unittest.skipUnless(os.environ.get("PLUVIA_PROBLEMS"), "PLUVIA_PROBLEMS names no folder")
    def test_problems_of_other_programs(self):
        folder = pathlib.Path(os.environ["PLUVIA_PROBLEMS"])
        paths = [p for p in sorted(folder.iterdir()) if p.suffix in (".dat", ".hdf5")]
        self.assertGreater(len(paths), 0)
        for number, path in enumerate(paths):
            tolerances = ["1e-4", "1e-8"]
            # The sanitizers look at memory and arithmetic, which both use in one way: in turn is enough.
            for tolerance in [tolerances[number % 2]] if os.environ.get("SANITIZED") else tolerances:
                done, results = solve(path, "-t", tolerance)
                self.assertEqual(done.returncode, 0, f"{path.name} to {tolerance}: {done.stderr}{results}")
                self.assertLessEqual(results[0]["residual"]["natural_map"], float(tolerance))


if __name__ == "__main__":
    unittest.main()
