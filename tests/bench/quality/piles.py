#!/usr/bin/python3
"""No speed is bought with a wrong answer: the shapes of piles, over seeds, of faster ways to solve
against those of plain Gauss-Seidel sweeps converged to 1e-4.

Spheres are poured one by one on a plane. One pile is one draw, after the first impacts rounding
decides where a sphere goes; so every scheme gets the same seeds (the same places of release) and
means are compared: z is the mean height of the centers, r_b the mean distance of the bottom spheres
from their middle, both over d, the largest diameter. A difference is the mean of the differences
seed by seed, in brackets it is divided by its standard error.

Runs are kept in a CSV file as they end; a second call goes on where the first one stopped.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
RADIUS = 0.01
DIAMETER = 2 * RADIUS
INTERVAL = 0.0638550856814101  # sqrt(2 d / g): the sphere before has fallen by a diameter
REST = 1.5                     # s after the last release

SCENE = """
seed = {seed};
time: {{ step = 1e-3; end = {end:.3f}; theta = 1.0; }};
materials = ( {{ name = "grain"; density = 1300.0; }}, {{ name = "floor"; }} );
contacts = (
    {{ between = ["grain", "grain"]; friction = 0.3; rolling_friction = {rolling}; }},
    {{ between = ["grain", "floor"]; friction = 0.3; rolling_friction = {rolling}; }}
);
boundaries = ( {{ plane: {{ center = [0, 0, 0]; normal = [0, 0, 1]; }}; material = "floor"; }} );
feeders = (
    {{
        pluviation: {{ count = {spheres}; interval = {interval}; height = 0.2; footprint: {{ square = 0.02; }}; }};
        material = "grain";
        radius = {radius};
    }}
);
solver: {{ {solver} }};
output: {{ interval = 1000.0; quantities = ["position"]; }};
"""

RADII = {"equal": f"{RADIUS}", "1:2": f"[{RADIUS / 2}, {RADIUS}]"}
ROLLING = ["1e-3", "1e-2", "1e-1"]

# The first is what the others are compared with.
PLAIN = 'criterion = "scaled"; momentum = false; anderson_after = 0; islands = false;'
SCHEMES = {
    "plain, 1e-4": PLAIN + " tolerance = 1e-4; max_iterations = 5000;",
    "default": "",
    "1e-3": "tolerance = 1e-3; max_iterations = 500;",
    "5e-3": "tolerance = 5e-3;",
    "3e-3": "tolerance = 3e-3;",
    "1e-2, at least 8": "min_iterations = 8;",
    "1e-2, no momentum": "momentum = false;",
}
REFERENCE = next(iter(SCHEMES))

Key = collections.namedtuple("Key", "radii rolling scheme seed")
Pile = collections.namedtuple("Pile", "height radius seconds missed")
FIELDS = Key._fields + Pile._fields


def measure(path):
    """Mean height of the centers and mean radius of the bottom layer, over d."""
    with h5py.File(path) as file:
        body = file["particles/trajectory"]
        here = body["state/value"][-1] == 1
        x, r = body["position/value"][-1][here], body["radius"][:][here]
    bottom = x[x[:, 2] < 1.05 * r, :2]
    away = np.linalg.norm(bottom - bottom.mean(axis=0), axis=1)
    return x[:, 2].mean() / DIAMETER, away.mean() / DIAMETER


def pour(pluvia, key, spheres, solver, folder):
    """One pile; CPU seconds are those of the command, missed is the share of steps over tolerance."""
    end = spheres * INTERVAL + REST
    scene, result = folder / "pile.cfg", folder / "pile.h5md"
    scene.write_text(SCENE.format(seed=key.seed, end=end, rolling=key.rolling, spheres=spheres,
                                  interval=INTERVAL, radius=RADII[key.radii], solver=solver))
    process = subprocess.Popen([pluvia, "run", scene, "-o", result, "-j", "1", "-q", "--force"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"piles: pluvia ended with {process.returncode} for {key}")
    info = json.loads(subprocess.check_output([pluvia, "info", "--json", result]))
    missed = info["last"]["unconverged_steps"] / info["last"]["made_steps"]
    return Pile(*measure(result), usage.ru_utime + usage.ru_stime, missed)


def read(path):
    piles = {}
    if path.exists():
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                key = Key(row["radii"], row["rolling"], row["scheme"], int(row["seed"]))
                piles[key] = Pile(*(float(row[name]) for name in Pile._fields))
    return piles


def run_all(options, piles):
    """Seed after seed, so that whatever is there at any time is balanced."""
    wanted = [Key(radii, rolling, scheme, seed) for seed in range(1, options.seeds + 1)
              for radii in options.radii for rolling in options.rolling for scheme in options.schemes]
    fresh = not options.output.exists()
    with open(options.output, "a", newline="") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(FIELDS)
        for key in (k for k in wanted if k not in piles):
            piles[key] = pour(options.pluvia, key, options.spheres, SCHEMES[key.scheme],
                              pathlib.Path(folder))
            writer.writerow(key + piles[key])
            file.flush()


def mean(values):
    values = np.array(list(values))
    return values.mean(), values.std(ddof=1) / len(values) ** 0.5


def compared(piles, reference, name):
    """'mean ± error | difference ± error (in errors)', the latter over the seeds that both have."""
    text = "{:.3f} ± {:.3f} | ".format(*mean(getattr(p, name) for p in piles.values()))
    if piles is reference or len(piles.keys() & reference.keys()) < 2:
        return text
    difference, error = mean(getattr(piles[seed], name) - getattr(reference[seed], name)
                             for seed in piles.keys() & reference.keys())
    return text + f"{difference:+.3f} ± {error:.3f} ({difference / error:+.1f})"


def print_table(piles):
    print("| radii | μ_r (m) | scheme | seeds | z/d | difference | r_b/d | difference | CPU s a pile "
          "| steps over tolerance |\n" + "| --- " * 10 + "|")
    cases = {}
    for key, pile in piles.items():
        cases.setdefault(key[:3], {})[key.seed] = pile
    for (radii, rolling, scheme), case in cases.items():
        if len(case) < 2:
            continue
        reference = cases.get((radii, rolling, REFERENCE), {})
        seconds, missed = (np.mean([getattr(p, name) for p in case.values()])
                           for name in ("seconds", "missed"))
        print(f"| {radii} | {rolling} | {scheme} | {len(case)} | {compared(case, reference, 'height')} "
              f"| {compared(case, reference, 'radius')} | {seconds:.2f} | {100 * missed:.2g} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia", help="the command")
    parser.add_argument("--seeds", type=int, default=24, help="piles of each kind (%(default)s)")
    parser.add_argument("--spheres", type=int, default=80, help="of a pile (%(default)s)")
    parser.add_argument("--radii", nargs="+", choices=RADII, default=list(RADII))
    parser.add_argument("--rolling", nargs="+", choices=ROLLING, default=ROLLING, help="mu_r in m")
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES)[:3],
                        metavar="SCHEME", help="of: " + "; ".join(SCHEMES))
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("piles.csv"),
                        help="the runs (%(default)s); only runs of the same --spheres belong in one file")
    options = parser.parse_args()
    piles = read(options.output)
    run_all(options, piles)
    print_table(piles)


if __name__ == "__main__":
    main()
