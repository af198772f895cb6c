#!/usr/bin/python3
"""How fast may a pressed bed be sheared, and is it right then? Dense samples of 500 grains at three inertial numbers and
four stresses, each against the same run with four times the sweeps in every step.

    tests/bench/quality/inertial.py --csv inertial.csv        # runs what the file lacks: two minutes of one core
    tests/bench/quality/inertial.py --page inertial.csv       # the table of src/solving.md

A row of the file is one pair of runs. Scaled by d sqrt(rho / sigma) the four stresses are one test, so that what differs
between their references is chance: beds are chaotic."""
import math
import pathlib
import statistics
import tempfile
import types

import cases_pressed
import continued
from common import ROOT, Bench, Beds, Case

COUNT, SIDE = 500, 0.04  # m: a loose cube
SCALE = cases_pressed.D * math.sqrt(cases_pressed.DENSITY / 100e3)  # s, at 100 kPa
STEP = 9e-5  # s at 100 kPa: what `check` advises for grains of 3 mm
STRESSES = (1e3, 10e3, 100e3, 1e6)  # Pa
STRAINS = {1e-4: 0.005, 1e-3: 0.02, 1e-2: 0.15}  # by inertial number
FIELDS = ["inertial", "kpa", "seed", "sweeps", "missed", "steps", "ratio", "ratio_4", "void", "void_4"]
HEAD = ["I", "kPa", "runs", "σ_a / σ_r", "off (%): mean; largest", "void ratio off: mean; largest", "chance (%; void ratio)", "sweeps a step",
        "not converged (%)"]


def start(bench, seed):
    """Centers and radii, and the edges of the cell, of a sample that 1 kPa have pressed almost without friction."""
    grains = (f'{{ packing: {{ count = {COUNT}; box = [[0, 0, 0], [{SIDE!r}, {SIDE!r}, {SIDE!r}]]; }}; material = "grain"; '
              f"radius = [{cases_pressed.RADII[0]!r}, {cases_pressed.RADII[1]!r}]; }}")
    cell = cases_pressed.cell([SIDE] * 3, [1e3] * 3)
    text = f"seed = {seed};" + cases_pressed.scene(0.5, 2.5e-4, grains, cell, 0.05, 0.0)
    rows = bench.bed("small", text, settings=("solver.min_iterations=50",), sample=True)
    return rows[:-1], rows[-1, :3]


def pair(bench, number, stress, seed):
    """What the two runs of one seed came to."""
    rows, size = start(bench, seed)
    slow, rate = math.sqrt(stress / 100e3), number / SCALE
    cell = cases_pressed.cell(size, [stress, stress, 0], [0, 0, -rate * slow])
    text = cases_pressed.scene(STRAINS[number] / rate / slow, STEP / slow, cases_pressed.FROM_FILE, cell)
    run = bench.run(text, (), {"start.csv": rows})
    more = bench.run(text, [f"solver.min_iterations={math.ceil(4 * run.sweeps)}", "solver.max_iterations=4000"], {"start.csv": rows})
    found, known = cases_pressed.Cell(run), cases_pressed.Cell(more)
    values = [run.sweeps, run.missed, run.steps, found.ratio, known.ratio, found.late_void, known.late_void]
    return [f"{v:.6g}" for v in values]


def run_missing(arguments):
    rows = continued.Rows(arguments.csv, FIELDS, 3)
    options = types.SimpleNamespace(program=arguments.program, set=[], seeds=None, strict=False)
    beds = Beds(ROOT / "build/quality")
    for seed in range(1, arguments.seeds + 1):
        for number in sorted(STRAINS, reverse=True):
            for stress in STRESSES:
                key = (repr(number), f"{stress / 1e3:g}", seed)
                if rows.has(*key):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    rows.add(key, pair(Bench(Case("inertial", "", None), options, pathlib.Path(folder), beds), number, stress, seed))


def extremes(values, form):
    """Mean with its sign, and the largest deviation from zero."""
    return f"{statistics.mean(values):+{form}}; {max(map(abs, values)):{form}}"


def scatter(rows, name, relative):
    """Standard deviation of the references of one seed over stresses, mean over seeds."""
    by_seed = {}
    for row in rows:
        by_seed.setdefault(row["seed"], []).append(float(row[name]))
    return statistics.mean(statistics.stdev(v) / (statistics.mean(v) if relative else 1) for v in by_seed.values() if len(v) > 1)


def mean_error(values, form):
    """Mean and its standard error."""
    return continued.with_error(*continued.spread(values), form, "+")


def line(number, stress, rows, form, chance):
    return [f"{number:.0e}", stress, f"{len(rows)}", f"{statistics.mean(r['ratio'] for r in rows):.2f}",
            form([100 * (r["ratio"] / r["ratio_4"] - 1) for r in rows], ".2f"), form([r["void"] - r["void_4"] for r in rows], ".4f"), chance,
            f"{statistics.mean(r['sweeps'] for r in rows):.0f}", f"{100 * sum(r['missed'] for r in rows) / sum(r['steps'] for r in rows):.1f}"]


def page(path):
    """A line for each inertial number and stress, and one for all stresses."""
    rows, lines = continued.read(path), [HEAD]
    for number in STRAINS:
        all_rows = [row for row in rows if float(row["inertial"]) == number]
        chance = f"{100 * scatter(all_rows, 'ratio_4', True):.2f}; {scatter(all_rows, 'void_4', False):.4f}"
        for stress in STRESSES:
            mine = [{k: float(v) for k, v in row.items()} for row in all_rows if float(row["kpa"]) == stress / 1e3]
            if not mine:
                continue
            lines.append(line(number, f"{stress / 1e3:g}", mine, extremes, ""))
        if all_rows:
            lines.append(line(number, "all", [{k: float(v) for k, v in row.items()} for row in all_rows], mean_error, chance))
    return continued.table(lines)


if __name__ == "__main__":
    continued.main(__doc__, run_missing, page, 5)
