#!/usr/bin/python3
"""How fast may a pressed bed be sheared, and is it right then? Dense samples of 500 grains at three inertial numbers and
four stresses, each against the same run with four times the sweeps in every step.

    tests/bench/quality/inertial.py --csv inertial.csv        # runs what the file lacks: two minutes of one core
    tests/bench/quality/inertial.py --page inertial.csv       # the table of src/solving.md

A row of the file is one pair of runs. Scaled by d sqrt(rho / sigma) the four stresses are one test, so that what differs
between their references is chance: beds are chaotic."""
import argparse
import csv
import math
import pathlib
import statistics
import sys
import tempfile
import types

import cases_pressed
from common import Bench, Beds, Case

ROOT = pathlib.Path(__file__).resolve().parents[3]
COUNT, SIDE = 500, 0.04  # m: a loose cube
SCALE = cases_pressed.D * math.sqrt(cases_pressed.DENSITY / 100e3)  # s, at 100 kPa
STEP = 9e-5  # s at 100 kPa: what `check` advises for grains of 3 mm
STRESSES = (1e3, 10e3, 100e3, 1e6)  # Pa
STRAINS = {1e-4: 0.005, 1e-3: 0.02, 1e-2: 0.15}  # by inertial number
FIELDS = ["inertial", "kpa", "seed", "sweeps", "missed", "steps", "ratio", "ratio_4", "void", "void_4"]
HEAD = ["I", "stress (kPa)", "runs", "σ_a / σ_r", "off 4 times the sweeps (%): mean; largest", "void ratio off: mean; largest",
        "deviation of the references of one seed (%; void ratio)", "sweeps a step", "steps not converged (%)"]


def start(bench, seed):
    """Centers and radii, and the edges of the cell, of a sample that 1 kPa have pressed almost without friction."""
    grains = (f'{{ packing: {{ count = {COUNT}; box = [[0, 0, 0], [{SIDE!r}, {SIDE!r}, {SIDE!r}]]; }}; material = "grain"; '
              f"radius = [{cases_pressed.RADII[0]!r}, {cases_pressed.RADII[1]!r}]; }}")
    cell = cases_pressed.cell([SIDE] * 3, [1e3] * 3)
    text = f"seed = {seed};" + cases_pressed.scene(0.5, 2.5e-4, grains, cell, 0.05, 0.0)
    rows = bench.bed("small", text, settings=("solver.min_iterations=50",), sample=True)
    return rows[:-1], rows[-1, :3]


def pair(bench, number, stress, seed):
    """The row of one seed."""
    rows, size = start(bench, seed)
    slow, rate = math.sqrt(stress / 100e3), number / SCALE
    cell = cases_pressed.cell(size, [stress, stress, 0], [0, 0, -rate * slow])
    text = cases_pressed.scene(STRAINS[number] / rate / slow, STEP / slow, cases_pressed.FROM_FILE, cell)
    run = bench.run(text, (), {"start.csv": rows})
    more = bench.run(text, [f"solver.min_iterations={math.ceil(4 * run.sweeps)}", "solver.max_iterations=4000"], {"start.csv": rows})
    found, known = cases_pressed.Cell(run), cases_pressed.Cell(more)
    values = [run.sweeps, run.missed, run.steps, found.ratio, known.ratio, found.late_void, known.late_void]
    return [repr(number), f"{stress / 1e3:g}", seed, *(f"{v:.6g}" for v in values)]


def run_missing(arguments):
    path = pathlib.Path(arguments.csv)
    done = {tuple(row[k] for k in FIELDS[:3]) for row in csv.DictReader(path.open())} if path.exists() else set()
    if not done:
        path.write_text(",".join(FIELDS) + "\n")
    options = types.SimpleNamespace(program=arguments.program, set=[], seeds=None, strict=False)
    beds = Beds(ROOT / "build/quality")
    for seed in range(1, arguments.seeds + 1):
        for number in sorted(STRAINS, reverse=True):
            for stress in STRESSES:
                if (repr(number), f"{stress / 1e3:g}", str(seed)) in done:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    bench = Bench(Case("inertial", "", None), options, pathlib.Path(folder), beds)
                    row = pair(bench, number, stress, seed)
                with path.open("a") as file:
                    csv.writer(file, lineterminator="\n").writerow(row)


def extremes(values, form):
    """Mean with its sign, and the largest deviation from zero."""
    return f"{statistics.mean(values):+{form}}; {max(map(abs, values)):{form}}"


def scatter(rows, name, relative):
    """Standard deviation of the references of one seed over stresses, mean over seeds."""
    by_seed = {}
    for row in rows:
        by_seed.setdefault(row["seed"], []).append(float(row[name]))
    return statistics.mean(statistics.stdev(v) / (statistics.mean(v) if relative else 1) for v in by_seed.values() if len(v) > 1)


def with_error(values, form):
    """Mean and its standard error."""
    return f"{statistics.mean(values):+{form}} ± {statistics.stdev(values) / math.sqrt(len(values)):{form}}"


def line(number, stress, rows, form, chance):
    return [f"{number:.0e}", stress, f"{len(rows)}", f"{statistics.mean(r['ratio'] for r in rows):.2f}",
            form([100 * (r["ratio"] / r["ratio_4"] - 1) for r in rows], ".2f"), form([r["void"] - r["void_4"] for r in rows], ".4f"), chance,
            f"{statistics.mean(r['sweeps'] for r in rows):.0f}", f"{100 * sum(r['missed'] for r in rows) / sum(r['steps'] for r in rows):.1f}"]


def page(path):
    """A line for each inertial number and stress, and one for all stresses."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = [HEAD, ["---"] * len(HEAD)]
    for number in STRAINS:
        all_rows = [row for row in rows if float(row["inertial"]) == number]
        chance = f"{100 * scatter(all_rows, 'ratio_4', True):.2f}; {scatter(all_rows, 'void_4', False):.4f}"
        for stress in STRESSES:
            mine = [{k: float(v) for k, v in row.items()} for row in all_rows if float(row["kpa"]) == stress / 1e3]
            if not mine:
                continue
            lines.append(line(number, f"{stress / 1e3:g}", mine, extremes, ""))
        if all_rows:
            lines.append(line(number, "all", [{k: float(v) for k, v in row.items()} for row in all_rows], with_error, chance))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"))
    parser.add_argument("--csv", help="the file of runs, which is continued")
    parser.add_argument("--seeds", type=int, default=5)
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
