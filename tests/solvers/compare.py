#!/usr/bin/python3
"""Every solver on every problem of a folder, to several tolerances.

    tests/solvers/compare.py [--pluvia build/release/src/cli/pluvia] [--time 10] [FOLDER...]

FOLDER: by default tests/data and, where it is set, the folder that PLUVIA_PROBLEMS names. Runs
`pluvia solve --all --json` on each problem, one thread, writes the table of results into README.md
beside this file (between its markers) and the performance profiles (Dolan & More 2002) into
profiles.png. Residuals are those that pluvia recomputes from the impulses alone.
"""
import argparse
import collections
import csv
import json
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PART = 6  # solvers of a table
BEGIN, END = "<!-- results: begin -->\n", "<!-- results: end -->\n"
EXTENSIONS = (".dat", ".hdf5", ".h5")


def problems(folders):
    found = []
    for folder in folders:
        found += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(EXTENSIONS)]
    return found


def solve(pluvia, path, tolerance, limit):
    """The results of all solvers on one problem: a list of what --json prints."""
    command = [pluvia, "solve", path, "--all", "--json", "--tolerance", str(tolerance), "--max-time", str(limit)]
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode not in (0, 4):
        print(done.stderr.strip() or f"{path}: exit code {done.returncode}", file=sys.stderr)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def gather(pluvia, paths, tolerances, limit):
    rows = []
    for path in paths:
        for tolerance in tolerances:
            for result in solve(pluvia, path, tolerance, limit):
                rows.append(dict(result, name=os.path.basename(path), tolerance=tolerance))
        print(f"{os.path.basename(path)} done", file=sys.stderr)
    return rows


def short_time(seconds):
    for unit, scale in (("us", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def cell(row):
    if row is None or "refusal" in row:
        return "·"
    if row["result"] == "unsolvable":
        return "unsolvable"
    return f"{row['iterations']} / {short_time(row['time_s'])}" if row["converged"] else "–"


def table(rows, solvers, tolerance):
    """In parts of a few solvers each, so that lines of the page keep short."""
    parts = [solvers[k:k + PART] for k in range(0, len(solvers), PART)]
    return "\n\n".join(part_of_table(rows, part, tolerance) for part in parts)


def part_of_table(rows, solvers, tolerance):
    at = {(r["name"], r["solver"]): r for r in rows if r["tolerance"] == tolerance}
    names = list(dict.fromkeys(r["name"] for r in rows))
    lines = ["| problem | contacts | rows | " + " | ".join(solvers) + " |", "| --- |" + " --- |" * (len(solvers) + 2)]
    for name in names:
        first = next(r for r in rows if r["name"] == name)
        cells = [cell(at.get((name, s))) for s in solvers]
        lines.append(f"| {name} | {first['contacts']} | {first['rows']} | " + " | ".join(cells) + " |")
    counts = []
    for s in solvers:
        taken = [r for r in at.values() if r["solver"] == s and "refusal" not in r]
        counts.append(f"{sum(r['converged'] for r in taken)} of {len(taken)}")
    lines.append("| **solved** | | | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def unsolved(rows, tolerance):
    best = collections.defaultdict(bool)
    for r in rows:
        if r["tolerance"] == tolerance:
            best[r["name"]] |= bool(r.get("converged"))
    return [name for name, solved in best.items() if not solved]


def draw(rows, solvers, tolerances, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, len(tolerances), figsize=(4.2 * len(tolerances), 4.2), sharey=True)
    names = list(dict.fromkeys(r["name"] for r in rows))
    styles = ["-", "--", "-.", ":"]
    for axis, tolerance in zip(axes, tolerances):
        time = {(r["name"], r["solver"]): r["time_s"] for r in rows
                if r["tolerance"] == tolerance and r.get("converged")}
        fastest = {n: min((time[n, s] for s in solvers if (n, s) in time), default=None) for n in names}
        solvable = [n for n in names if fastest[n]]
        for k, s in enumerate(solvers):
            ratios = sorted(time[n, s] / fastest[n] for n in solvable if (n, s) in time)
            if ratios:
                share = [(i + 1) / len(solvable) for i in range(len(ratios))]
                axis.step([1] + ratios + [1e4], [share[0] if ratios[0] <= 1 else 0] + share + [share[-1]],
                          styles[k % 4], where="post", label=s, color=f"C{k % 10}")
        axis.set_xscale("log")
        axis.set_xlim(1, 1e4)
        axis.set_title(f"natural map to {tolerance:g}")
        axis.set_xlabel("time over that of the fastest solver")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("share of problems solved")
    axes[0].set_ylim(0, 1.02)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="lower center", ncol=6, frameon=False)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(path, dpi=110)


def machine():
    with open("/proc/cpuinfo") as f:
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), platform.processor())
    return f"{model}, one thread"


def write(text):
    path = os.path.join(HERE, "README.md")
    with open(path) as f:
        page = f.read()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    with open(path, "w") as f:
        f.write(page[:begin] + text + page[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--pluvia", default=os.path.join(ROOT, "build/release/src/cli/pluvia"))
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each solver and problem")
    parser.add_argument("--tolerances", type=float, nargs="+", default=[1e-4, 1e-8, 1e-12])
    parser.add_argument("--csv", help="also writes every result into this file")
    arguments = parser.parse_args()
    folders = arguments.folders or [os.path.join(ROOT, "tests/data/problems")]
    if not arguments.folders and os.environ.get("PLUVIA_PROBLEMS"):
        folders.append(os.environ["PLUVIA_PROBLEMS"])
    rows = gather(arguments.pluvia, problems(folders), arguments.tolerances, arguments.time)
    solvers = list(dict.fromkeys(r["solver"] for r in rows))
    text = f"{machine()}, at most {arguments.time:g} s each. Cells: iterations / time; – not solved, · refused.\n"
    for tolerance in arguments.tolerances:
        left = unsolved(rows, tolerance)
        text += f"\n### To {tolerance:g}\n\n{table(rows, solvers, tolerance)}\n\n"
        text += "Solved by none: " + (", ".join(left) if left else "no problem") + ".\n"
    write(text)
    draw(rows, solvers, arguments.tolerances, os.path.join(HERE, "profiles.png"))
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as f:
            out = csv.writer(f)
            out.writerow(["problem", "rows", "contacts", "tolerance", "solver", "result", "iterations", "time_s",
                          "natural_map", "scaled"])
            for r in rows:
                residual = r.get("residual", {})
                out.writerow([r["name"], r["rows"], r["contacts"], r["tolerance"], r["solver"], r["result"],
                              r.get("iterations"), r.get("time_s"), residual.get("natural_map"), residual.get("scaled")])


if __name__ == "__main__":
    main()
