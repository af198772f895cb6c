#!/usr/bin/python3
"""What the defaults cost: processor time of one thread against another program, in turn.

    tests/bench/quality/cost.py --before OTHER/pluvia --csv costs.csv    # at 1 ms, and the other also at 0.2 ms
    tests/bench/quality/cost.py --page costs.csv                         # the table of README.md

The other program is as a rule that of an earlier version, at its own defaults; at 0.2 ms its impacts overlap as
little as those of this one at 1 ms. Nobody sleeps."""
import argparse
import csv
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import scenes

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIELDS = ["case", "round", "before", "now", "before_fine"]
HEAD = ["case", "before (s)", "now (s)", "now / before", "now / before at 0.2 ms"]
AWAKE = "\nsolver: { quiet = false; };\n"


def heap(seed):
    def make(step):
        feeder = ("feeders = ( { pluviation: { count = 100; interval = 0.0638550856814101; height = 0.2; footprint: "
                  '{ square = 0.02; }; }; material = "grain"; radius = 0.01; } );')
        return scenes.scene(7.9, [], rolling=1e-2, step=step, interval=100.0, contacts=False, feeders=feeder, seed=seed)
    return make


def packed(count, width, end, radius, spheres):
    """`count` spheres at random places of the volume that 0.3 of them would fill fall together in a box."""
    height = spheres / (width * width) / 0.3

    def make(step):
        body = (f'{{ packing: {{ count = {count}; box = [[0, 0, 0], [{width}, {width}, {height}]]; }}; '
                f'material = "grain"; radius = {radius}; }}')
        return scenes.scene(end, [body], [scenes.box(width, width, 2 * height)], rolling=1e-4, step=step,
                            interval=100.0, contacts=False) + AWAKE
    return make


def lattice(counts, end, walls):
    def make(step):
        spacing = 0.0205
        side = [spacing * n for n in counts]
        body = scenes.lattice(counts, spacing, 2e-4)
        around = [scenes.box(side[0], side[1], 2 * side[2])] if walls else [scenes.FLOOR]
        return scenes.scene(end, [body], around, rolling=1e-3, step=step, interval=100.0, contacts=False) + AWAKE
    return make


VOLUME = 4.0 / 3.0 * 3.141592653589793
CASES = {
    "heaps of 100, four seeds": ([heap(seed) for seed in (1, 2, 3, 4)], 0.0),
    "8,000 settling, 0.15 s": ([lattice([20, 20, 20], 0.15, True)], 0.0),
    "8,000 in a box, 0.8 s": ([packed(8000, 0.4, 0.8, "0.01", 8000 * VOLUME * 1e-6)], 0.0),
    "8,000 near rest, 2.0 to 2.5 s": ([packed(8000, 0.4, 2.5, "0.01", 8000 * VOLUME * 1e-6)], 2.0),
    "collapse of 20,480, 0.5 s": ([lattice([16, 16, 80], 0.5, False)], 0.0),
    "radii 1:4, 8,000, 0.5 s": ([packed(8000, 0.4, 0.5, "[0.0025, 0.01]", 8000 * VOLUME * 0.332e-6)], 0.0),
    "64,000 settling, 0.06 s": ([lattice([40, 40, 40], 0.06, True)], 0.0),
}


def seconds(program, text, start):
    """Processor time of a run, from the time `start` on."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "case.cfg").write_text(text)
        words = [program, "run", "case.cfg", "-o", "case.h5md", "-j", "1", "--progress", "none", "-q"]
        environment = dict(os.environ, OMP_NUM_THREADS="1")
        if start:
            subprocess.run([*words, "--until", str(start)], cwd=folder, env=environment, check=True)
            words += ["--restart", "auto", "--until", str(start + 0.5)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, cwd=folder, env=environment, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, before, case, fine):
    make, start = CASES[case]
    row = {"before": sum(seconds(before, m(1e-3), start) for m in make),
           "now": sum(seconds(program, m(1e-3), start) for m in make),
           "before_fine": sum(seconds(before, m(2e-4), start) for m in make) if fine else ""}
    return row


def table(rows):
    text = ["| " + " | ".join(HEAD) + " |", "| --- " * len(HEAD) + "|"]
    for case in dict.fromkeys(row["case"] for row in rows):
        runs = [row for row in rows if row["case"] == case]
        before, now = ([float(r[k]) for r in runs] for k in ("before", "now"))
        fine = [float(r["before_fine"]) for r in runs if r["before_fine"]]
        ratios = sorted(b / a for a, b in zip(before, now))
        spread = f" ({ratios[0]:.2f} to {ratios[-1]:.2f})" if len(ratios) > 1 else ""
        cells = [case, f"{statistics.median(before):.2f}", f"{statistics.median(now):.2f}",
                 f"{statistics.median(ratios):.2f}{spread}",
                 f"{statistics.median(now) / statistics.median(fine):.2f}" if fine else ""]
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"))
    parser.add_argument("--before", help="the program to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--csv", help="rows are appended")
    parser.add_argument("--page", help="print the table of a CSV file and end")
    words = parser.parse_args()
    if words.page:
        print(table(read(words.page)))
        return 0
    if not words.before:
        parser.error("--before PROGRAM is missing: what is the cost compared with?")
    rows = []
    for round_ in range(words.rounds):
        for case in CASES:
            row = {"case": case, "round": round_,
                   **measure(words.program, words.before, case, fine=round_ == 0)}
            rows.append(row)
            print(case, {k: row[k] for k in FIELDS[2:]}, file=sys.stderr, flush=True)
            if words.csv:
                new = not pathlib.Path(words.csv).exists()
                with open(words.csv, "a", newline="") as file:
                    writer = csv.DictWriter(file, FIELDS)
                    if new:
                        writer.writeheader()
                    writer.writerow(row)
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
