#!/usr/bin/python3
"""Evaluates element tests as geotechnicians report them: numbers, a table (CSV) and a figure.

    tools/element.py triaxial output/triaxial.h5md [-o triaxial.png] [--csv triaxial.csv]
    tools/element.py oedometer output/oedometer.h5md -o oedometer.png
    tools/element.py isotropic pressed.h5md                      the same against the mean stress
    tools/element.py shear output/shear.h5md [MORE.h5md ...]     several results: of other seeds, with their scatter
    tools/element.py --make      runs the scenes of element tests with three seeds and keeps the numbers as scenes/element.csv,
                                 from which tools/pages.py fills in scenes/README.md

A specimen is a periodic cell, or what walls of any name enclose: planes, plates, discs, boxes, a tube with a piston.
Loads that go back and forth get a table of their cycles. Compression is positive, of stresses and of strains:

    H, V       height along the axis, volume; H0, V0 at --from, of compressions without that at the first level
    eps_a      axial strain 1 - H / H0                   eps_v   volumetric strain 1 - V / V0
    e          void ratio V / Vs - 1                     gamma   shear strain, sum of way / height
    sigma_a    axial stress; of two walls on the one that moves (the piston), of both or none their mean
    sigma_r    radial stress, mean of the two other directions
    p, q       (sigma_a + 2 sigma_r) / 3, sigma_a - sigma_r; eta = q / p. In triaxial compression sigma_a is sigma_1
    phi        mobilised friction angle: sin phi = (sigma_1 - sigma_3) / (sigma_1 + sigma_3), no cohesion;
               simple shear: tan phi = tau / sigma_n on the sheared face
    psi        dilatancy angle: sin psi = -dv / (2 da - dv) with the increments dv = -dV / V, da = -dH / H, in extension
               +dv / (2 da - dv); simple shear: tan psi = dV / V / dgamma. Positive where volume grows
    peak       largest phi, of stresses averaged over --smooth of strain
    critical   means over the last quarter of the strain, or from --critical on; dv/da is there 0 if that state is reached
    Cc, Cs     compression and swelling index, -de / dlog10 sigma, between the ends of levels of the stress
    K0         sigma_r / sigma_a without lateral strain, half way up: sigma_a of both walls
    cycles     secant modulus dq / deps, damping ratio = area of the loop / (2 pi q_amplitude eps_amplitude)

Needs python3-h5py and python3-numpy, for -o also python3-matplotlib."""
import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np

import element_figure
from element_test import KINDS, Oedometer, Shear, cycle_table, step_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE, SEEDS = ROOT / "scenes/element.csv", 3
SCENES = {"triaxial": ["triaxial"], "dense": ["triaxial"], "oedometer": ["oedometer"], "shear": ["shear", "--critical", "0.48"],
          "shear_cell": ["shear", "--critical", "0.8"]}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("kind", nargs="?", choices=KINDS, help="the test")
    add("results", nargs="*", metavar="FILE.h5md", help="what pluvia run wrote")
    add("-o", "--output", help="a figure, .png, .pdf or .svg")
    add("--csv", metavar="FILE", help="the columns of all frames, in SI units and degrees")
    add("--axis", choices="xyz", default="z", help="axis of the specimen (%(default)s); shear: across the sheared faces")
    add("--top", metavar="NAME", help="the wall above the grains along the axis; by default the nearest")
    add("--bottom", metavar="NAME", help="likewise below")
    add("--from", dest="start", type=float, metavar="T", help="the test begins at this time in s (of a scene with stages: with the last"
        " one that strains the cell or moves a boundary; triaxial: when the last servo stops; otherwise the first frame)")
    add("--to", dest="end", type=float, metavar="T", help="it ends at this time (the last frame)")
    add("--critical", type=float, metavar="STRAIN", help="the critical state begins at this strain (three quarters of the largest)")
    add("--smooth", type=float, metavar="STRAIN", help="width of running means and of slopes (triaxial 0.01, shear 0.05)")
    add("--size", metavar="WxH", help="of the figure in inches")
    add("--title", help="above the figure")
    add("--make", nargs="*", choices=list(SCENES), metavar="SCENE", help="keeps the numbers of these scenes, by default all: "
        + ", ".join(SCENES))
    add("--pluvia", default=ROOT / "build/release/src/cli/pluvia", help="the command for --make (%(default)s)")
    return parser


def say(tests):
    """The numbers; of several results their means and deviations over those that have them."""
    numbers = [test.numbers() for test in tests]
    for name in numbers[0]:
        values = np.array([row[name] for row in numbers if name in row])
        scatter = f" +- {values.std(ddof=1):.2g}" if len(values) > 1 else ""
        print(f"{name:36} {values.mean():.4g}{scatter}")
    for test in tests:
        name = f"{test.path}: " if len(tests) > 1 else ""
        for line in test.notes():
            print(f"note: {name}{line}")
        if isinstance(test, Oedometer):
            print("\n".join(["", name, *step_table(test)] if name else ["", *step_table(test)]))
        if isinstance(test, Shear):
            print(f"{name}velocity by layers, from below (m/s): " + " ".join(f"{v:.4f}" for v in test.layers()))
        cycles = cycle_table(test)
        if cycles:
            print("\n".join(["", name, *cycles] if name else ["", *cycles]))


def write(tests, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*(["result"] if len(tests) > 1 else []), *tests[0].column])
        for test in tests:
            for row in zip(*test.column.values()):
                table.writerow([*([test.path] if len(tests) > 1 else []), *("" if np.isnan(v) else f"{v:.8g}" for v in row)])


def make(program, names):
    """Runs scenes; the rows of others stay."""
    head = ["scene", "seed", "number", "value"]
    rows = []
    if TABLE.exists():
        with open(TABLE, newline="", encoding="utf-8") as file:
            rows = [row for row in list(csv.reader(file))[1:] if row[0] not in names]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for seed in range(1, SEEDS + 1):
                subprocess.run([program, "run", ROOT / f"scenes/{name}.cfg", "-q", "-j", "1", "-s", f"seed={seed}",
                                "-o", f"{folder}/run.h5md", "--force"], check=True)
                kind, *words = SCENES[name]
                given = options().parse_args([kind, f"{folder}/run.h5md", *words])
                rows += [[name, seed, number, f"{value:.4g}"] for number, value in KINDS[kind](given.results[0], given).numbers().items()]
    rows.sort(key=lambda row: list(SCENES).index(row[0]))
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def main():
    parser = options()
    given = parser.parse_args()
    if (given.make is None) != bool(given.results):
        parser.error("name a kind of test and results, or --make")
    if given.make is not None:
        make(given.pluvia, given.make or list(SCENES))
        return
    tests = [KINDS[given.kind](path, given) for path in given.results]
    say(tests)
    if given.csv:
        write(tests, given.csv)
    if given.output:
        element_figure.draw(tests, given)


if __name__ == "__main__":
    main()
