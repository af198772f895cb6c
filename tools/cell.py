#!/usr/bin/python3
"""Evaluates the result of a box whose walls follow stresses (servos).

    tools/cell.py oedometer output/oedometer.h5md [-o oedometer.png]   void ratio at each level of the stress on the lid
    tools/cell.py triaxial output/triaxial.h5md [-o triaxial.png]      stresses and void ratio against axial strain

Needs python3-h5py and python3-numpy, for -o also python3-matplotlib."""
import argparse

import h5py
import numpy as np


class Run:
    def __init__(self, path):
        self.file = h5py.File(path)
        walls = self.file["boundaries"]
        self.time = walls["position/time"][:]
        self.names = [name.decode() for name in walls["names"][:]]
        self.position, self.pressure = walls["position/value"][:], walls["stress/value"][:]
        self.void = self.file["observables/void_ratio/value"][:]

    def stress(self, name):
        return self.pressure[:, self.names.index(name)]

    def height(self):
        return self.position[:, self.names.index("lid"), 2] - self.position[:, self.names.index("floor"), 2]


def levels(stress, time):
    """Frames at the end of each stretch of at least 0.04 s in which the stress stays within 1 %."""
    ends, first = [], 0
    for k in range(1, len(stress) + 1):
        if k == len(stress) or not abs(stress[k] - stress[first]) <= 0.01 * abs(stress[first]):  # nan in frame 0
            if stress[first] > 0 and time[k - 1] - time[first] > 0.04:
                ends.append(k - 1)
            first = k
    return ends


def oedometer(run, out):
    lid, sides = run.stress("lid"), [run.stress(name) for name in ("left", "right", "front", "back")]
    print(" lid (kPa)   void ratio   sides over mean of lid and floor")
    ends = levels(lid, run.time)
    for k in ends:
        mean = 0.5 * (lid[k] + run.stress("floor")[k])
        print(f"{lid[k] / 1e3:10.3f} {run.void[k]:12.4f} {np.mean([s[k] for s in sides]) / mean:12.2f}")
    if out:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
        top = int(np.argmax(lid[ends]))
        for part, name in (ends[:top + 1], "loading"), (ends[top:], "unloading"):
            axes.semilogx(lid[part] / 1e3, run.void[part], "o-", label=name)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("stress on the lid (kPa)")
        axes.set_ylabel("void ratio")
        axes.legend()
        figure.savefig(out, dpi=120)


def triaxial(run, out):
    sides = np.array([run.stress("right"), run.stress("back")])
    lid, height = run.stress("lid"), run.height()
    start = int(np.argmin(np.abs(run.time - 0.3)))  # from here on the lid comes down
    strain = 1 - height / height[start]
    target = sides[:, start]
    print(f"at the start void ratio {run.void[start]:.3f}, stresses {lid[start] / 1e3:.3f}, {target[0] / 1e3:.3f}, "
          f"{target[1] / 1e3:.3f} kPa")
    sheared = slice(start + 1, None)
    off = np.abs(sides[:, sheared] / target[:, None] - 1)
    print(f"sides within {100 * off.max():.1f} % of that, {100 * off.mean():.2f} % in the mean")
    ratio = lid / sides.mean(axis=0)
    least = start + int(np.argmin(run.void[start:]))
    late = strain >= 0.1
    sine = (ratio[late].mean() - 1) / (ratio[late].mean() + 1)
    print(f"lid over sides {ratio[late].mean():.2f} +- {ratio[late].std():.2f} from a strain of 0.1 to {strain[-1]:.2f}: "
          f"a friction angle of {np.degrees(np.arcsin(sine)):.1f} degrees")
    print(f"void ratio {run.void[least]:.3f} at a strain of {strain[least]:.2f}, {run.void[late].mean():.3f} from 0.1 on")
    if out:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure, axes = plt.subplots(2, 1, sharex=True, figsize=(6, 5), layout="constrained")
        axes[0].plot(strain[start:], ratio[start:])
        axes[0].set_ylabel("stress on the lid / sides")
        axes[1].plot(strain[start:], run.void[start:])
        axes[1].set_ylabel("void ratio")
        axes[1].set_xlabel("axial strain")
        figure.savefig(out, dpi=120)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["oedometer", "triaxial"])
    parser.add_argument("result")
    parser.add_argument("-o", dest="out", help="a picture")
    given = parser.parse_args()
    {"oedometer": oedometer, "triaxial": triaxial}[given.what](Run(given.result), given.out)
