#!/usr/bin/python3
"""Sieves a result: the share by mass that passes each opening, of all spheres, of the middle of the heap and of its foot.

    tools/sieves.py output/gravel.h5md
    tools/sieves.py output/gravel.h5md --openings 0.01,0.02 --time 2.0

The middle is the third of the mass that is nearest to the axis through the center of mass, the foot the third that is
farthest from it. The openings are those of the first `sieves` of the scene, unless others are given. python3-h5py."""
import argparse
import re
import sys

import h5py
import numpy


def openings(file):
    """Those of the scene, which the result holds."""
    text = file["parameters/pluvia/scene"][()].decode()
    found = re.search(r"sieves = \[(.*?)\];", text)
    if not found:
        sys.exit("tools/sieves.py: the scene has no sieves: give --openings")
    return [float(pair.split(",")[0]) for pair in re.findall(r"\[([^]]*)\]", found[1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--openings", help="in m, as 0.01,0.02")
    parser.add_argument("--time", type=float, help="of the frame, in s (the last one)")
    words = parser.parse_args()
    try:
        file = h5py.File(words.result)
    except OSError as problem:
        sys.exit(f"tools/sieves.py: {words.result}: {problem}")
    with file:
        group = file["particles/trajectory"]
        times = group["position/time"][()]
        frame = len(times) - 1 if words.time is None else int(numpy.argmin(abs(times - words.time)))
        sizes = [float(d) for d in words.openings.split(",")] if words.openings else openings(file)
        there = group["state/value"][frame] != 0
        there &= group["state/value"][frame] != 3
        position = group["position/value"][frame][there]
        diameter = 2.0 * group["radius"][()][there]
        mass = group["mass"][()][there]
    center = numpy.average(position[:, :2], axis=0, weights=mass)
    away = numpy.hypot(*(position[:, :2] - center).T)
    order = numpy.argsort(away)
    third = numpy.cumsum(mass[order]) / mass.sum()
    parts = [("all", order), ("middle", order[third <= 1 / 3]), ("foot", order[third > 2 / 3])]
    print(f"t = {times[frame]:g} s: {len(mass)} spheres, {mass.sum():.4g} kg")
    print(f"{'passing (m)':12}" + "".join(f"{d:10g}" for d in sizes) + f"{'median':>10}")
    for name, part in parts:
        total = mass[part].sum()
        passing = [mass[part][diameter[part] <= d].sum() / total for d in sizes]
        by_size = part[numpy.argsort(diameter[part])]
        median = diameter[by_size][numpy.searchsorted(numpy.cumsum(mass[by_size]), 0.5 * total)]
        print(f"{name:12}" + "".join(f"{p:10.3f}" for p in passing) + f"{median:10.4f}")


if __name__ == "__main__":
    main()
