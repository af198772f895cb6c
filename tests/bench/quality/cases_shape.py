"""Shapes over seeds against a reference with steps ten times as small; and overlaps in impacts.

Single runs are draws. Means over seeds are compared with means of the reference runs, in standard errors
of their difference; the scatter is that of the reference, so few seeds are enough. `references.csv`
holds what --reference computed.
"""
import csv
import functools
import math
import pathlib

import numpy as np

import measures
import scenes
from common import Case
from scenes import DIAMETER, RADIUS

REFERENCES = pathlib.Path(__file__).resolve().parent / "references.csv"
FIELDS = ["case", "measure", "seeds", "mean", "deviation"]
CAREFUL = ("time.step=1e-4", "solver.tolerance=1e-3", "solver.max_iterations=2000")
LIMIT = 3.0   # standard errors
SLACK = 2e-3  # of the mean: a standard error of the reference itself, whose steps are not infinitely small

INTERVAL = 0.0638550856814101  # sqrt(2 d / g): the sphere before has fallen by a diameter
REST = 1.5                     # s after the last release


def heap(rolling, seed, contacts):
    """100 spheres poured one by one on a plane."""
    feeder = (f"feeders = ( {{ pluviation: {{ count = 100; interval = {INTERVAL}; height = 0.2; "
              f'footprint: {{ square = 0.02; }}; }}; material = "grain"; radius = {RADIUS}; }} );')
    return scenes.scene(100 * INTERVAL + REST, [], rolling=rolling, seed=seed, feeders=feeder,
                        contacts=contacts, interval=5e-3)


def heap_shape(run):
    here = run.here[-1]
    x, r = run.x[-1][here], run.radius[here]
    bottom = x[x[:, 2] < 1.05 * r, :2]
    away = np.linalg.norm(bottom - bottom.mean(axis=0), axis=1)
    return {"mean height (d)": x[:, 2].mean() / DIAMETER, "radius of the bottom (d)": away.mean() / DIAMETER}


def box(counts, seed, contacts):
    """A lattice falls together in a box that it fills."""
    side = counts[0] * scenes.LOOSE
    return scenes.scene(1.0, [scenes.lattice(counts)], [scenes.box(side, side, 1.0)], rolling=1e-3,
                        seed=seed, contacts=contacts, interval=5e-3)


def box_shape(run):
    return {"mean height (d)": measures.mean_height(run)}


def collapse(counts, seed, contacts):
    """A loose block on a plane falls together and apart. It is lower than wide: slender columns buckle,
    and how fast they do still depends on the step at 0.1 ms."""
    return scenes.scene(0.6, [scenes.lattice(counts)], rolling=1e-3, seed=seed, contacts=contacts,
                        interval=5e-3)


def collapse_shape(run):
    half = np.searchsorted(run.times, 0.5 * run.times[-1])
    away = np.linalg.norm(run.x[-1, :, :2] - run.x[0, :, :2].mean(axis=0), axis=1)
    return {"mean height half way (d)": measures.mean_height(run, half),
            "mean height (d)": measures.mean_height(run),
            "nearest 95 % within (d)": np.percentile(away, 95) / DIAMETER}


def read_references():
    if not REFERENCES.exists():
        return {}
    with open(REFERENCES, newline="") as file:
        return {(row["case"], row["measure"]): (int(row["seeds"]), float(row["mean"]), float(row["deviation"]))
                for row in csv.DictReader(file)}


def write_references(entries):
    with open(REFERENCES, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        for key in sorted(entries):
            seeds, mean, deviation = entries[key]
            writer.writerow([*key, seeds, f"{mean:.6g}", f"{deviation:.4g}"])


def compared(bench, make, shape):
    """All seeds of a case, against the reference."""
    shapes, depths = [], []
    for seed in bench.seeds:
        run = bench.run(make(seed=seed, contacts=True))
        shapes.append(shape(run))
        depths.append(measures.worst_moment(run))
        run.forget()
    references = read_references()
    for name in shapes[0]:
        check_mean(bench, name, [s[name] for s in shapes], references.get((bench.case.name, name)))
    measures.check_worst_moment(bench, *bench.runs, values=depths)


def check_mean(bench, name, values, reference):
    mean = np.mean(values)
    if not reference:
        bench.check(f"{name}: {mean:.4g}", math.nan, math.nan)
        return
    seeds, expected, deviation = reference
    error = math.hypot(deviation * (1 / len(values) + 1 / seeds) ** 0.5, SLACK * expected)
    bench.check(f"{name}: {mean:.4g}, reference {expected:.4g}; difference in standard errors",
                abs(mean - expected) / error, LIMIT)


def refer(bench, make, shape):
    """The same with small steps; entries of `references.csv`."""
    shapes = [shape(bench.run(make(seed=seed, contacts=False), CAREFUL)) for seed in bench.seeds]
    values = {name: [s[name] for s in shapes] for name in shapes[0]}
    return {(bench.case.name, name): (len(v), np.mean(v), np.std(v, ddof=1)) for name, v in values.items()}


def case(name, about, make, shape, seeds, quick=False, long=False):
    return Case(name, about, functools.partial(compared, make=make, shape=shape), quick, long, seeds,
                functools.partial(refer, make=make, shape=shape))


CASES = [
    *(case(f"heap-{rolling}", f"100 spheres poured one by one on a plane, mu_r = {rolling} m",
           functools.partial(heap, float(rolling)), heap_shape, 8, quick=True) for rolling in ("1e-3", "1e-2")),
    case("box-1000", "1,000 spheres fall together in a box", functools.partial(box, [10, 10, 10]),
         box_shape, 8, quick=True),
    case("box-8000", "8,000 spheres fall together in a box", functools.partial(box, [20, 20, 20]),
         box_shape, 2),
    case("collapse-2000", "a loose block of 2,048 falls together and apart",
         functools.partial(collapse, [16, 16, 8]), collapse_shape, 6, quick=True),
    case("collapse-20000", "a loose block of 20,480", functools.partial(collapse, [32, 32, 20]),
         collapse_shape, 2),
]
