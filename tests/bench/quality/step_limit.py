#!/usr/bin/python3
"""What the step does to a packing: 80 layers that fall together, at steps down to 0.05 ms, by both schemes of touch.

    tests/bench/quality/step_limit.py --csv step_limit.csv            # runs what the file lacks: hours of one core
    tests/bench/quality/step_limit.py --page step_limit.csv           # the table of README.md

A row is one run: its mean height when the bed has settled. Packings are chaotic, so the table has means over
seeds with their standard errors, against the finest step of the same scheme."""
import argparse
import csv
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

import scenes

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIELDS = ["case", "scheme", "step", "seed", "height", "not_converged", "seconds"]
HEAD = ["bed", "scheme", "step (ms)", "runs", "mean height (d)", "off 0.05 ms (%)"]
LAYERS, WIDTH, END = 80, 4, 1.5
CASES = {"80 layers, rough walls": None, "80 layers, smooth walls": 0.0}
SCHEMES = {"touch": '"touch"', "forecast 0.5": "0.5"}
STEPS = (5e-5, 1e-3, 2e-4)  # s, the finest first


def scene(case, scheme, step, seed):
    side = WIDTH * scenes.LOOSE
    text = scenes.scene(END, [scenes.lattice([WIDTH, WIDTH, LAYERS])], [scenes.box(side, side, 1.2 * LAYERS * scenes.DIAMETER)],
                        rolling=1e-3, wall_friction=CASES[case], step=step, interval=END, contacts=False, seed=seed)
    return text.replace("time: {", f"time: {{ forecast = {SCHEMES[scheme]};")


def height(program, text):
    """The mean height of the spheres at the end in diameters, and how many steps were not converged."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bed.cfg").write_text(text)
        words = [program, "run", "bed.cfg", "-o", "bed.h5md", "-j", "1", "--progress", "none"]
        said = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
        missed = re.search(r"not converged\s+(\d+) of (\d+) steps", said.stdout + said.stderr)
        with h5py.File(pathlib.Path(folder, "bed.h5md")) as file:
            z = file["particles/trajectory/position/value"][-1][:, 2]
        return float(np.nanmean(z)) / scenes.DIAMETER, int(missed[1]) if missed else 0


def run_missing(arguments):
    path = pathlib.Path(arguments.csv)
    done = set()
    if path.exists():
        done = {tuple(row[k] for k in FIELDS[:4]) for row in csv.DictReader(path.open())}
    else:
        path.write_text(",".join(FIELDS) + "\n")
    for step in STEPS:
        for seed in range(1, arguments.seeds + 1):
            for case in arguments.cases or CASES:
                for scheme in SCHEMES:
                    key = (case, scheme, repr(step), str(seed))
                    if key in done:
                        continue
                    start = time.time()
                    mean, missed = height(arguments.program, scene(case, scheme, step, seed))
                    with path.open("a") as file:
                        csv.writer(file, lineterminator="\n").writerow([*key, f"{mean:.6g}", missed, f"{time.time() - start:.0f}"])


def page(path):
    """A line for each bed, scheme and step."""
    found = {}
    for row in csv.DictReader(open(path)):
        found.setdefault((row["case"], row["scheme"], float(row["step"])), []).append(float(row["height"]))
    lines = [HEAD, ["---"] * len(HEAD)]
    for (case, scheme, step), heights in sorted(found.items(), key=lambda item: (item[0][:2], -item[0][2])):
        mean, error = spread(heights)
        true, true_error = spread(found.get((case, scheme, STEPS[0]), [math.nan]))
        off = 100 * (mean / true - 1)
        margin = 100 * math.hypot(error, true_error) / true
        difference = "-" if step == STEPS[0] else f"{off:+.2f} ± {margin:.2f}"
        lines.append([case, scheme, f"{step * 1e3:g}", str(len(heights)), f"{mean:.3f} ± {error:.3f}", difference])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def spread(values):
    """Mean and standard error."""
    if len(values) < 2:
        return values[0], math.nan
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"))
    parser.add_argument("--csv", help="the file of runs, continued")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cases", nargs="*", help="names of beds (all)")
    parser.add_argument("--page", metavar="CSV", help="print the table")
    arguments = parser.parse_args()
    if arguments.page:
        print(page(arguments.page))
    elif arguments.csv:
        run_missing(arguments)
    else:
        parser.error("give --csv or --page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
