#!/usr/bin/python3
"""Heaps of 198 velocities and 150 contacts with friction up to 2, the size of Cadoux's poster, by convex, ipm and others.

    tests/solvers/heaps.py [--count N] [--tolerance X] [--pluvia COMMAND]

The heaps are random (tests/data/make_problems.py). "convex, plain" is the iteration as the poster writes it: cone programs and
damped Newton steps for s from s = 0; "convex" starts anew from impulses of prox-newton where the first of these steps does not
help. Counts iterations (of convex: programs) and factorizations, those of prox-newton and of each program among them.
Writes heaps.csv, from which tools/pages.py makes the table of README.md."""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/data"))
import make_problems  # noqa: E402

KEPT = ROOT / "tests/solvers/heaps.csv"
WAYS = {"convex, plain": ["--solver", "convex", "--plain"], "convex": ["--solver", "convex"], "ipm": ["--solver", "ipm"],
        "newton": ["--solver", "newton"], "prox-newton": ["--solver", "prox-newton"], "gs alone": ["--fallback", "none"]}


def rows(pluvia, folder, seeds, tolerance, ways):
    for seed in seeds:
        path = pathlib.Path(folder) / f"heap-{seed}.dat"
        make_problems.heap(seed, path)
        for way in ways:
            line = [pluvia, "solve", path, "--json", "--criterion", "scaled", "-t", tolerance, "-n", 3000, "--max-time", 120, *WAYS[way]]
            done = subprocess.run(list(map(str, line)), capture_output=True, text=True, check=False)
            found = json.loads(done.stdout)
            yield {"seed": seed, "way": way, "solved": int(found["converged"]), "iterations": found["iterations"],
                   "factorizations": found["factorizations"], "scaled": f"{found['residual']['scaled']:.1e}",
                   "seconds": f"{found['time_s']:.3f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = list(rows(arguments.pluvia, folder, range(1, arguments.count + 1), arguments.tolerance, WAYS))
    with open(KEPT, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(table[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
