#!/usr/bin/python3
"""The options of the solver "newton" over the stored problems: factorizations to a scaled residual.

    tests/solvers/newton.py [FOLDER]... [--tolerance X] [--pluvia COMMAND]

Each problem from zero by primal-dual (the default), plain Alart and Curnier and the natural map, each
with line search and without; at most 300 iterations. Prints the table of README.md."""
import argparse
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAPS = ["primal-dual", "alart-curnier", "natural-map"]


def cell(pluvia, path, words, tolerance):
    line = [pluvia, "solve", path, "--solver", "newton", "--json", "--from-zero", "--criterion", "scaled",
            "-t", tolerance, "-n", 300, "--max-time", 30, *words]
    done = subprocess.run(list(map(str, line)), capture_output=True, text=True, check=False)
    try:
        found = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "-", False
    if not found["converged"]:
        return f"{found['residual']['scaled']:.0e}", False
    return str(found["factorizations"]), True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, default=[ROOT / "tests/data/problems"])
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    arguments = parser.parse_args()
    variants = [(name, words) for name in MAPS for words in ([], ["--full-steps"])]
    print("| problem | " + " | ".join(name + (", full steps" if words else "") for name, words in variants) + " |")
    print("| --- |" + " --- |" * len(variants))
    solved = [0] * len(variants)
    for path in sorted(path for folder in arguments.folders for path in folder.iterdir()
                       if path.suffix in (".hdf5", ".dat")):
        row = []
        for i, (name, words) in enumerate(variants):
            text, good = cell(arguments.pluvia, path, ["--newton-map", name, *words], arguments.tolerance)
            row.append(text)
            solved[i] += good
        print(f"| {path.name} | " + " | ".join(row) + " |", flush=True)
    print("| solved | " + " | ".join(map(str, solved)) + " |")


if __name__ == "__main__":
    main()
