"""The tables of a file of triaxial tests, as they stand in README.md. Standard library only."""
import csv
import math
import statistics

PROGRAMS = ("pluvia", "yade")
PART = 0.005  # strain of a row
SHOWN = 0.02  # and up to there each of them, from then on every so often
COST_HEAD = ["program", "law", "step (s)", "to strain", "seeds", "processor s per unit strain", "over pluvia", "overlap/d, 99.9 %, worst moment"]
HEAD = ["strain", "σ_a / σ_r pluvia", "Yade", "apart (deviations)", "void ratio pluvia", "Yade", "apart (deviations)"]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def scatter(values, digits):
    spread = f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.{digits}f}{spread}"


def apart(mine, others):
    """By how many of their own deviations the means of two programs differ."""
    if min(len(mine), len(others)) < 2:
        return ""
    spread = math.hypot(statistics.stdev(mine), statistics.stdev(others))
    return f"{abs(statistics.mean(mine) - statistics.mean(others)) / spread:.1f}"


def table(head, lines):
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *lines))


def key(row):
    return row["program"], row["seed"], float(row["to_strain"])


def of(rows, program, name, strain):
    """Values at a strain, one a seed."""
    return [float(r[name]) for r in rows if r["program"] == program and abs(float(r["strain"]) - strain) < PART / 2]


def compared(rows):
    """Those of runs to the largest strain to which both went: parts of other runs are others."""
    ends = [{float(row["to_strain"]) for row in rows if row["program"] == program} for program in PROGRAMS]
    shared = max(set.intersection(*ends), default=None)
    return [row for row in rows if float(row["to_strain"]) == shared]


def costs(rows):
    """A line for each program and strain that it was run to; ratios over pluvia's run to the same strain."""
    runs = {key(row): row for row in rows}
    for to, name in sorted({(to, name) for name, _, to in runs}):
        mine, base = ([row for (program, _, end), row in runs.items() if (program, end) == (wanted, to)] for wanted in (name, "pluvia"))
        cpu, least = (statistics.median(float(r["cpu_s"]) for r in part) / to if part else None for part in (mine, base))
        worst = max(float(r["overlap"]) for r in rows if r["program"] == name and float(r["to_strain"]) == to)
        yield [name, mine[0]["model"], f"{float(mine[0]['step_s']):.2g}", f"{100 * to:g} %", str(len(mine)), f"{cpu:.0f}",
               f"{cpu / least:.3g}" if least else "", f"{100 * worst:.2g} %"]


def page(rows):
    lines, both = [], compared(rows)
    for strain in sorted({round(float(r["strain"]) / PART) * PART for r in both}):
        if strain > SHOWN + 1e-6 and abs(strain / SHOWN - round(strain / SHOWN)) > 1e-6:
            continue
        stress, void = ([of(both, program, name, strain) for program in PROGRAMS] for name in ("ratio", "void"))
        if all(stress):
            lines.append([f"{100 * strain:g} %", *(scatter(v, 2) for v in stress), apart(*stress), *(scatter(v, 4) for v in void), apart(*void)])
    return "\n\n".join([table(COST_HEAD, list(costs(rows))), table(HEAD, lines)])
