#!/usr/bin/python3
"""Two tables of tests/bench/README.md: what a step costs, from results.csv, and stored problems, from problems.csv.

    tests/bench/steps.py             writes the tables into the page
    tests/bench/steps.py --check     only says whether the page has them; exit code 1: it does not
    tests/bench/steps.py --make      runs the benchmarks first, one after the other, and keeps their lines (5 minutes
                                     of a machine that does nothing else; PLUVIA_PROBLEMS: a folder of more problems)

Standard library only."""
import argparse
import csv
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import pages  # noqa: E402

PAGE, RESULTS, PROBLEMS = HERE / "README.md", HERE / "results.csv", HERE / "problems.csv"
FIELDS = ["case", "threads", "bodies", "contacts", "step", "detect", "assemble", "solve", "integrate", "sweeps", "updates",
          "residual", "memory", "state", "commit", "asleep"]
# All awake, so that lines compare; and as users run it.
CASES = [(name, threads, awake) for awake, names in (
    (True, ["pile-250", "bed-8000", "bed-8000-poly", "chute", "settle-64000", "bed-64000"]),
    (False, ["bed-8000", "bed-8000-poly", "bed-64000"])) for name in names
    for threads in ((1, 2) if awake and name != "pile-250" else (1,))]


SOLVED = ["problem", "contacts", "rows", "solver", "to", "median", "least", "iterations", "residual", "impulses", "result"]


def measured(program, name, threads, awake):
    words = [program, name, "-j", str(threads)] + (["-s", "solver.quiet=false"] if awake else [])
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, check=True, env={"GOMP_SPINCOUNT": "2000"})
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], text=True, stdout=subprocess.PIPE,
                            check=True).stdout.strip()
    return [*done.stdout.splitlines()[-1].split(), commit, "0" if awake else "1"]


def make(program):
    lines = []
    for case in CASES:
        lines.append(measured(program, *case))
        print(" ".join(lines[-1]), file=sys.stderr)
    with open(RESULTS, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([FIELDS, *lines])


def solve(program):
    done = subprocess.run([program], text=True, stdout=subprocess.PIPE, check=False)  # 1: some are not solved
    lines = [line.split(None, len(SOLVED) - 1) for line in done.stdout.splitlines()[2:]]
    with open(PROBLEMS, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([SOLVED, *(line for line in lines if len(line) == len(SOLVED))])


def price(row):
    """Iterations / median in ms, and what became of it where that is not a solution."""
    text = f"{int(row['iterations']):,} / {float(row['median']):.3g}"
    if row["result"] == "has no solution":
        return "no solution: " + text
    return text if row["result"] == "reached" else f"not reached ({row['residual']}): {text}"


def problems():
    with open(PROBLEMS, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = ["\n", "| problem | contacts | rows | default, 1e-4 | default, 1e-10 | e_s | `gs` alone, 1e-10 | impulses |",
             "| --- " * 8 + "|"]
    for name in dict.fromkeys(row["problem"] for row in rows):
        some = {(row["solver"], float(row["to"])): row for row in rows if row["problem"] == name}
        sharp = some["default", 1e-10]
        lines.append(f"| {name} | {sharp['contacts']} | {sharp['rows']} | {price(some['default', 1e-4])} | {price(sharp)} | "
                     f"{sharp['residual']} | {price(some['gs', 1e-10])} | {sharp['impulses']} |")
    return "\n".join(lines) + "\n"


def table():
    with open(RESULTS, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = ["\n", "| case | threads | bodies | contacts | ms a step | detect | assemble | solve | integrate | sweeps "
             "| M updates/s | GiB | state |", "| --- " * 13 + "|"]
    for row in rows:
        name = row["case"] + (", with sleepers" if row["asleep"] == "1" else "")
        cells = [row["threads"], f"{int(row['bodies']):,}", f"{int(row['contacts']):,}"]
        cells += [f"{float(row[name]):.3g}" for name in ("step", "detect", "assemble", "solve", "integrate", "sweeps",
                                                         "updates", "memory")]
        lines.append(f"| {name} | {' | '.join(cells)} | {row['state']} |")
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    return "\n".join(lines) + f"\n\nTaken at commit {commits}.\n"


def page():
    return pages.filled(PAGE, "tests/bench/steps.py", {"steps": table, "problems": problems})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/release/tests/bench",
                        help="where bench and problems are")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--make", action="store_true")
    words = parser.parse_args()
    if words.make:
        make(words.folder / "bench")
        solve(words.folder / "problems")
    return pages.keep(PAGE, page(), words.check)


if __name__ == "__main__":
    sys.exit(main())
