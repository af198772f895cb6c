#!/usr/bin/python3
"""Evaluates results of scenes/shear.cfg and scenes/shear_cell.cfg: the stress ratio mu, the height, the velocity.

    tools/shear.py output/shear.h5md [MORE.h5md ...] [-o shear.png]   several: of other seeds, with their scatter
    tools/shear.py --make     runs both scenes with three seeds and keeps the numbers as scenes/shear.csv, from which
                              tools/pages.py fills in scenes/README.md (2 minutes of one core)

Needs python3-h5py and python3-numpy, for -o also python3-matplotlib."""
import argparse
import csv
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "scenes/shear.csv"
SCENES, SEEDS = ["shear", "shear_cell"], 3
START = 1.0  # s: from here on the shear is steady
LAYERS, PARTS = 8, 4


class Run:
    """Shear and normal stress across z over time, the height, and the velocity along x by the height."""

    def __init__(self, path):
        with h5py.File(path) as file:
            bodies, seen = file["particles/trajectory"], file["observables"]
            self.time = bodies["position/time"][:]
            if "boundaries" in file:  # between a belt and a lid
                walls = file["boundaries"]
                lid = [name.decode() for name in walls["names"]].index("lid")
                force = walls["force/value"][:, lid]
                area = np.prod(np.diag(bodies["box/edges/value"][0])[:2])
                self.shear, self.normal = force[:, 0] / area, force[:, 2] / area
                self.height = walls["position/value"][:, lid, 2]
            else:  # grains hold the upper ones back, so that the stress is negative
                self.shear, self.normal = -seen["cell_stress_xz/value"][:], seen["cell_stress_zz/value"][:]
                self.height = bodies["box/edges/value"][:, 2, 2]
            self.steady = np.nonzero(self.time >= START - 1e-9)[0]
            z, v = (bodies[f"{name}/value"][:][self.steady] for name in ("position", "velocity"))
            share = z[:, :, 2] / self.height[self.steady, None]
            layer = np.digitize(share, np.linspace(0, 1, LAYERS + 1)[1:-1])
            self.profile = [v[:, :, 0][layer == k].mean() for k in range(LAYERS)]
            self.solid = seen["solid_fraction/value"][:]

    def mu(self, part=slice(None)):
        return self.shear[self.steady][part].sum() / self.normal[self.steady][part].sum()

    def numbers(self):
        parts = [self.mu(part) for part in np.array_split(np.arange(len(self.steady)), PARTS)]
        return {"mu": self.mu(), "mu least of four parts": min(parts), "mu largest of four parts": max(parts),
                "normal stress (Pa)": self.normal[self.steady].mean(), "height (m)": self.height[self.steady].mean(),
                "solid fraction": self.solid[self.steady].mean()}


def draw(runs, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for run in runs:
        wide = np.ones(10) / 10
        mean = np.convolve(run.shear, wide, "valid") / np.convolve(run.normal, wide, "valid")
        left.plot(np.convolve(run.time, wide, "valid"), mean)
        right.plot(run.profile, (np.arange(LAYERS) + 0.5) / LAYERS, "o-")
    left.axvline(START, color="gray", linestyle=":")
    left.set_ylim(0, 0.8)
    left.set_xlabel("time (s)")
    left.set_ylabel("shear stress / normal stress, mean of 10 frames")
    right.set_xlabel("velocity along x (m/s)")
    right.set_ylabel("height over that of the bed")
    figure.savefig(path, dpi=120)


def make(program):
    with tempfile.TemporaryDirectory() as folder, open(TABLE, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["scene", "seed", "number", "value"])
        for name in SCENES:
            for seed in range(1, SEEDS + 1):
                subprocess.run([program, "run", ROOT / f"scenes/{name}.cfg", "-q", "-j", "1", "-s", f"seed={seed}",
                                "-o", f"{folder}/run.h5md", "--force"], check=True)
                for number, value in Run(f"{folder}/run.h5md").numbers().items():
                    table.writerow([name, seed, number, f"{value:.4g}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*")
    parser.add_argument("-o", dest="out", help="a picture")
    parser.add_argument("--make", action="store_true")
    given = parser.parse_args()
    if given.make == bool(given.results):
        parser.error("name results, or --make")
    if given.make:
        make(ROOT / "build/release/src/cli/pluvia")
        return
    runs = [Run(path) for path in given.results]
    numbers = [run.numbers() for run in runs]
    for name in numbers[0]:
        values = np.array([row[name] for row in numbers])
        scatter = f" +- {values.std(ddof=1):.2g}" if len(values) > 1 else ""
        print(f"{name:28} {values.mean():.4g}{scatter}")
    print("velocity by layers           " + " ".join(f"{v:.4f}" for v in np.mean([run.profile for run in runs], axis=0)) + " m/s")
    if given.out:
        draw(runs, given.out)


if __name__ == "__main__":
    main()
