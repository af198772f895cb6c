#!/usr/bin/python3
"""What the step does to a packing: beds, a column and a tube at steps down to 0.05 ms, by both schemes of touch.

    tests/bench/quality/step_limit.py --csv step_limits.csv           # runs what the file lacks: an hour of one core
    tests/bench/quality/step_limit.py --page step_limits.csv          # the table of README.md

A row of the file is one run: its mean height at the end. Packings are chaotic, so the table has means over seeds
with their standard errors, and compares them with the finest step of the same scheme."""
import functools
import math
import pathlib
import re
import subprocess
import tempfile

import h5py
import numpy as np

import continued
import scenes
from continued import spread, with_error
from scenes import DIAMETER

FIELDS = ["case", "scheme", "step", "seed", "height", "not_converged"]
HEAD = ["packing", "scheme", "step (ms)", "seeds", "mean height (d)", "off 0.05 ms (%)"]
SCHEMES = {"touch": '"touch"', "forecast 0.5": "0.5"}
STEPS = (5e-5, 1e-3, 2e-4)  # s, the finest first


def box(counts, end, wall_friction, **rest):
    width, depth, layers = counts
    walls = [scenes.box(width * scenes.LOOSE, depth * scenes.LOOSE, 1.2 * layers * DIAMETER)]
    return scenes.scene(end, [scenes.lattice(counts)], walls, wall_friction=wall_friction, **rest)


def block(counts, end, **rest):
    return scenes.scene(end, [scenes.lattice(counts)], **rest)


def tube(end, **rest):
    poured = scenes.packing_in_tube(1500, 3 * DIAMETER, 100 * DIAMETER)
    return scenes.scene(end, [poured], [scenes.tube(3 * DIAMETER, 110 * DIAMETER)], wall_friction=0.0, **rest)


CASES = {
    "1,000 in a box": functools.partial(box, [10, 10, 10], 1.0, None),
    "a block of 2,048 that falls apart": functools.partial(block, [16, 16, 8], 0.3),
    "80 layers of 16, rough walls": functools.partial(box, [4, 4, 80], 1.5, None),
    "80 layers of 16, smooth walls": functools.partial(box, [4, 4, 80], 1.5, 0.0),
    "1,500 in a smooth tube of 6 d": functools.partial(tube, 1.5),
}


def height(program, text):
    """The mean height of the spheres at the end in diameters, and how many steps were not converged."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bed.cfg").write_text(text)
        words = [program, "run", "bed.cfg", "-o", "bed.h5md", "-j", "1", "--progress", "none"]
        said = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
        missed = re.search(r"not converged\s+(\d+) of (\d+) steps", said.stdout + said.stderr)
        with h5py.File(pathlib.Path(folder, "bed.h5md")) as file:
            z = file["particles/trajectory/position/value"][-1][:, 2]
        return float(np.nanmean(z)) / DIAMETER, int(missed[1]) if missed else 0


def run_missing(arguments):
    rows = continued.Rows(arguments.csv, FIELDS, 4)
    for seed in range(1, arguments.seeds + 1):
        for name in arguments.cases or CASES:
            for step in STEPS:
                for scheme, forecast in SCHEMES.items():
                    key = (name, scheme, repr(step), seed)
                    if rows.has(*key):
                        continue
                    text = CASES[name](rolling=1e-3, step=step, interval=0.5, contacts=False, seed=seed)
                    mean, missed = height(arguments.program,
                                          text.replace("time: {", f"time: {{ forecast = {forecast};"))
                    rows.add(key, [f"{mean:.6g}", missed])


def page(path):
    """A line for each packing, scheme and step."""
    found = {}
    for row in continued.read(path):
        found.setdefault((row["case"], row["scheme"], float(row["step"])), []).append(float(row["height"]))
    lines = [HEAD]
    for name in CASES:
        for scheme in SCHEMES:
            true, true_error = spread(found.get((name, scheme, STEPS[0]), [math.nan]))
            for step in sorted(STEPS, reverse=True):
                heights = found.get((name, scheme, step))
                if not heights:
                    continue
                mean, error = spread(heights)
                margin = 100 * math.hypot(error, true_error) / true
                off = "-" if step == STEPS[0] else with_error(100 * (mean / true - 1), margin, ".2f", "+")
                lines.append([name, scheme, f"{step * 1e3:g}", str(len(heights)), with_error(mean, error, ".3f"), off])
    return continued.table(lines)


def add_cases(parser):
    parser.add_argument("--cases", nargs="*", help="names of packings (all)")


if __name__ == "__main__":
    continued.main(__doc__, run_missing, page, 4, add_cases)
