#!/usr/bin/python3
"""The ways of Newton's method over the stored problems: factorizations to a scaled residual.

    tests/solvers/newton.py [FOLDER]... [--tolerance X] [--pluvia COMMAND]

Each problem of tests/data/problems and of the folders from zero, at most 300 iterations and 20 s:

- by proximal steps (the default), with the equations of primal-dual, of Alart and Curnier and of the natural map;
- plain, as published: the same equations, those of Fischer and Burmeister and those of Glocker, without sweeps
  before and without shift (the study of Acary, Khenous and Perignon);

each with line search and without. Writes newton.csv, from which tools/pages.py makes the tables of README.md."""
import argparse
import csv
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests/solvers/newton.csv"
FULL = ["--full-steps"]
MAPS = ["primal-dual", "alart-curnier", "natural-map"]
VARIANTS = ["newton-fb", "newton-glocker"]
# way: words of the command
WAYS = {name + end: ["--solver", "newton", "--newton-map", name, *words]
        for name in MAPS for end, words in (("", []), (", full steps", FULL))}
WAYS |= {f"plain {name}{end}": ["--solver", "newton", "--plain", "--newton-map", name, *words]
         for name in MAPS[1:] for end, words in (("", []), (", full steps", FULL))}
WAYS |= {f"plain {name}{end}": ["--solver", name, "--plain", *words]
         for name in VARIANTS for end, words in (("", []), (", full steps", FULL))}


def solve(pluvia, path, words, tolerance):
    """A row of the table, or None where the solver refuses the problem."""
    line = [pluvia, "solve", path, "--json", "--from-zero", "--criterion", "scaled", "-t", tolerance, "-n", 300,
            "--max-time", 20, *words]
    done = subprocess.run(list(map(str, line)), capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None
    return {"problem": path.name, "contacts": found["contacts"], "rows": found["rows"],
            "solved": int(found["converged"]), "factorizations": found["factorizations"],
            "scaled": f"{found['residual']['scaled']:.1e}", "singular": int("singular" in found.get("note", ""))}


def rows(pluvia, paths, tolerance, ways):
    for path in paths:
        for way in ways:
            row = solve(pluvia, path, WAYS[way], tolerance)
            if row:
                yield {"way": way, **row}


def problems(folders):
    return [path for folder in folders for path in sorted(folder.iterdir())
            if path.suffix in (".hdf5", ".dat") and "unsolvable" not in path.name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    arguments = parser.parse_args()
    paths = problems([ROOT / "tests/data/problems", *arguments.folders])
    with open(KEPT, "w", newline="", encoding="utf-8") as file:
        writer = None
        for row in rows(arguments.pluvia, paths, arguments.tolerance, WAYS):
            writer = writer or csv.DictWriter(file, list(row), lineterminator="\n")
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
