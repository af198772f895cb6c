#!/usr/bin/python3
"""What the scenes with moving boundaries come to, from their results.

    tools/moving.py drum output/drum.h5md           the angle of the bed, the power of the drum
    tools/moving.py conveyor output/conveyor.h5md   how many are on the belt, how fast, the power of the belt
    tools/moving.py vibrated output/vibrated.h5md   where the large sphere is

Needs python3-h5py and python3-numpy."""
import sys

import h5py
import numpy as np

G = 9.81


class Run:
    def __init__(self, path):
        self.file = h5py.File(path)
        bodies = self.file["particles/trajectory"]
        self.time = bodies["position/time"][:]
        self.position = bodies["position/value"][:]
        self.velocity = bodies["velocity/value"][:]
        self.active = bodies["state/value"][:] == 1
        self.radius, self.mass = bodies["radius"][:], bodies["mass"][:]
        self.names = [name.decode() for name in self.file["boundaries/names"][:]]

    def since(self, start):
        return np.nonzero(self.time >= start - 1e-9)[0]

    def power(self, start):
        frames, work = self.since(start), self.file["observables/work_boundary/value"][:]
        return (work[-1] - work[frames[0]]) / (self.time[-1] - self.time[frames[0]])


def drum(run):
    frames = run.since(3.0)
    middle = np.einsum("fbk,b->fk", run.position[frames], run.mass) / run.mass.sum()
    angle = np.degrees(np.arctan2(-middle[:, 0], -middle[:, 2]))
    moment = run.file["boundaries/moment/value"][frames, :, 1].sum(axis=1)
    lever = (run.mass.sum() * G * middle[:, 0]).mean()
    print(f"bed leans by {angle.mean():.1f} degrees, {angle.std():.1f} over time (3 s to the end)")
    print(f"moment on the drum {moment.mean():.4f} N m, weight times lever {lever:.4f} N m")
    print(f"power {1000 * run.power(3.0):.2f} mW")


def conveyor(run):
    counts, speeds = [], []
    for frame in run.since(4.0):
        x = run.position[frame]
        on = run.active[frame] & (x[:, 2] > 0) & (x[:, 2] < 0.03) & (x[:, 0] > 0.05) & (x[:, 0] < 0.45)
        counts.append(on.sum())
        speeds.append(run.velocity[frame][on, 0].mean())
    print(f"{np.mean(counts):.1f} spheres on 0.4 m of the belt (rate x length / speed: {100 * 0.4 / 0.3:.1f}), "
          f"at {np.mean(speeds):.4f} m/s")
    print(f"power {1000 * run.power(4.0):.2f} mW, of which {1000 * 100 * run.mass.mean() * 0.3 ** 2 / 2:.2f} mW are kinetic energy")


def vibrated(run):
    large = int(np.argmax(run.radius))
    plate = run.file["boundaries/position/value"][:, 0, 2] - run.file["boundaries/position/value"][0, 0, 2]
    height = run.position[:, large, 2] + run.radius[large] - plate
    others = np.delete(run.position[:, :, 2], large, axis=1)
    top = np.quantile(others, 0.95, axis=1) - plate
    above = np.nonzero(height > top)[0]
    print(f"top of the large sphere {1000 * height[0]:.1f} mm above the floor at the start, {1000 * height[-1]:.1f} mm at the end")
    print("it comes to the top of the others", f"at {run.time[above[0]]:.1f} s" if len(above) else "never",
          f"and is {1000 * (height[-20:] - top[-20:]).mean():.1f} mm above them in the last second")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("drum", "conveyor", "vibrated"):
        sys.exit(__doc__)
    {"drum": drum, "conveyor": conveyor, "vibrated": vibrated}[sys.argv[1]](Run(sys.argv[2]))
