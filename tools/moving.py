#!/usr/bin/python3
"""Evaluates results of scenes whose boundaries move, are removed or come from a file.

    tools/moving.py drum output/drum.h5md                 the angle of the bed, the moment and the power of the drum
    tools/moving.py conveyor output/conveyor.h5md         number and velocity of the spheres on the belt, its power
    tools/moving.py vibrated output/vibrated.h5md         height of the large sphere, and when it reached the top
    tools/moving.py terrain output/terrain.h5md           when the slide comes to rest, and its runout
    tools/moving.py hopper_mesh output/hopper_mesh.h5md   height of the bed, and the mass flow
    tools/moving.py --make                                runs all of them with five seeds and keeps the numbers as
                                                          scenes/moving.csv, from which tools/pages.py fills in
                                                          scenes/README.md (4 minutes of one core)

Needs python3-h5py and python3-numpy."""
import csv
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "scenes/moving.csv"
SEEDS = 5
G = 9.81


class Run:
    def __init__(self, path):
        self.path, self.file = path, h5py.File(path)
        bodies = self.file["particles/trajectory"]
        self.time = bodies["position/time"][:]
        self.position = bodies["position/value"][:]
        self.velocity = bodies["velocity/value"][:]
        self.active = bodies["state/value"][:] == 1
        self.radius, self.mass = bodies["radius"][:], bodies["mass"][:]

    def since(self, start):
        frames = np.nonzero(self.time >= start - 1e-9)[0]
        if len(frames) < 2:
            sys.exit(f"moving.py: {self.path} ends at {self.time[-1]:g} s; the numbers are those from {start:g} s on, of two frames or more")
        return frames

    def power(self, start):
        frames, work = self.since(start), self.file["observables/work_boundary/value"][:]
        return (work[-1] - work[frames[0]]) / (self.time[-1] - self.time[frames[0]])


def drum(run):
    """From 3 s on."""
    frames = run.since(3.0)
    middle = np.einsum("fbk,b->fk", run.position[frames], run.mass) / run.mass.sum()
    angle = np.degrees(np.arctan2(-middle[:, 0], -middle[:, 2]))
    moment = run.file["boundaries/moment/value"][frames, :, 1].sum(axis=1).mean()
    lever = run.mass.sum() * G * middle[:, 0].mean()
    return {"angle of the bed (degrees)": angle.mean(), "its change over time (degrees)": angle.std(),
            "moment on the drum over weight times lever": abs(moment / lever),
            "power (W)": run.power(3.0)}


def conveyor(run):
    """From 4 s on, on 0.4 m of the belt."""
    counts, speeds = [], []
    for frame in run.since(4.0):
        x = run.position[frame]
        on = run.active[frame] & (x[:, 2] > 0) & (x[:, 2] < 0.03) & (x[:, 0] > 0.05) & (x[:, 0] < 0.45)
        counts.append(on.sum())
        speeds.append(run.velocity[frame][on, 0].mean())
    kinetic = 100 * run.mass.mean() * 0.3 ** 2 / 2  # 100 spheres a second get 0.3 m/s
    return {"spheres on the belt": np.mean(counts), "their speed (m/s)": np.mean(speeds), "power (W)": run.power(4.0),
            "power over kinetic energy": run.power(4.0) / kinetic}


def vibrated(run):
    large = int(np.argmax(run.radius))
    plate = run.file["boundaries/position/value"][:, 0, 2] - run.file["boundaries/position/value"][0, 0, 2]
    height = run.position[:, large, 2] + run.radius[large] - plate
    top = np.quantile(np.delete(run.position[:, :, 2], large, axis=1), 0.95, axis=1) - plate
    above = np.nonzero(height > top)[0]
    return {"large sphere above the floor at the start (m)": height[0] - 2 * run.radius[large],
            "at the top of the others after (s)": run.time[above[0]] if len(above) else np.nan,
            "its top above theirs in the last second (m)": (height[-20:] - top[-20:]).mean()}


def terrain(run):
    """At rest: 99 % of all are slower than 1 cm/s from then on."""
    fast = [np.quantile(np.linalg.norm(v[a], axis=1), 0.99) > 0.01 for v, a in zip(run.velocity, run.active)]
    x = run.position[-1][run.active[-1], 0]
    last = int(np.nonzero(fast)[0][-1])
    return {"at rest after (s)": run.time[last + 1] if last + 1 < len(run.time) else np.nan,
            "half of them beyond (m)": np.quantile(x, 0.5), "5 % of them beyond (m)": np.quantile(x, 0.95),
            "over the edges": (~run.active[-1]).sum()}


def hopper_mesh(run):
    """The gate goes at 0.6 s; the hopper ends at z = 0."""
    closed = run.since(0.6)[0]
    out = np.einsum("fb,b->f", run.position[:, :, 2] < 0, run.mass) / run.mass.sum()
    middle = (out > 0.2) & (out < 0.8)
    empty = np.nonzero(out > 0.99999)[0]
    return {"top of the bed (m)": (run.position[closed, :, 2] + run.radius).max(),
            "flow (kg/s)": np.polyfit(run.time[middle], run.mass.sum() * out[middle], 1)[0],
            "empty after (s)": run.time[empty[0]] - 0.6 if len(empty) else np.nan}


SCENES = {"drum": drum, "conveyor": conveyor, "vibrated": vibrated, "terrain": terrain, "hopper_mesh": hopper_mesh}


def make(program):
    with tempfile.TemporaryDirectory() as folder, open(TABLE, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["scene", "seed", "number", "value"])
        for name, numbers in SCENES.items():
            for seed in range(1, SEEDS + 1):
                subprocess.run([program, "run", ROOT / f"scenes/{name}.cfg", "-q", "-j", "1", "-s", f"seed={seed}",
                                "-o", f"{folder}/run.h5md", "--force"], check=True)
                for number, value in numbers(Run(f"{folder}/run.h5md")).items():
                    table.writerow([name, seed, number, f"{value:.4g}"])


def main(words):
    if words in (["-h"], ["--help"]):
        print(__doc__)
    elif words == ["--make"]:
        make(ROOT / "build/release/src/cli/pluvia")
    elif len(words) == 2 and words[0] in SCENES:
        for number, value in SCENES[words[0]](Run(words[1])).items():
            print(f"{number:45} {value:.4g}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
