#!/usr/bin/python3
"""Fills and opens the bin of scenes/fill.cfg and scenes/open.cfg for several seeds, and measures how it runs out.

    tools/bin.py                 prints a row a seed: rest of the filled bin, mass flow, time until it is empty
    tools/bin.py --keep          keeps them as scenes/bin.csv too, from which tools/pages.py fills in scenes/README.md

The flow is the slope of the mass below the opening from 20 to 80 % of all, by least squares. 25 s of one core a seed."""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "scenes/bin.csv"
COLUMNS = ["seed", "rest", "contacts", "flow", "empty"]


def pluvia(program, *words):
    return subprocess.run([program, *map(str, words)], check=True, text=True, stdout=subprocess.PIPE).stdout


def slope(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def passed(program, trajectory):
    """Times of the frames, the mass below the opening (z < 0) in each (kg), and the mass of all."""
    below, whole = {}, {}
    for row in csv.DictReader(io.StringIO(pluvia(program, "export", trajectory, "--to", "csv", "--columns", "time,z,mass",
                                                 "-o", "-"))):
        time, mass = float(row["time"]), float(row["mass"])
        whole[time] = whole.get(time, 0.0) + mass
        below[time] = below.get(time, 0.0) + (mass if float(row["z"]) < 0.0 else 0.0)
    times = sorted(below)
    return times, [below[time] for time in times], whole[times[0]]


def measure(program, seed, folder):
    filled, opened = folder / f"fill{seed}.h5md", folder / f"open{seed}.h5md"
    pluvia(program, "run", ROOT / "scenes/fill.cfg", "-q", "-j", 1, "-s", f"seed={seed}", "-o", filled)
    pluvia(program, "run", ROOT / "scenes/open.cfg", "-q", "-j", 1, "-s", f"bodies[0].run.path={filled}", "-o", opened)
    info = json.loads(pluvia(program, "info", "--json", filled))
    times, below, whole = passed(program, opened)
    middle = [k for k, mass in enumerate(below) if 0.2 * whole < mass < 0.8 * whole]
    return {"seed": seed, "rest": f"{info['end']:.4g}", "contacts": round(info["last"]["contacts"]),
            "flow": f"{slope([times[k] for k in middle], [below[k] for k in middle]):.4g}",
            "empty": f"{next(t for t, mass in zip(times, below) if mass > 0.99999 * whole):.4g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--keep", action="store_true")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(words.pluvia, seed, pathlib.Path(folder)) for seed in range(1, words.seeds + 1)]
    files = [open(TABLE, "w", newline="", encoding="utf-8")] if words.keep else []
    for file in [sys.stdout, *files]:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    for file in files:
        file.close()


if __name__ == "__main__":
    main()
