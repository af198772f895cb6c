#!/usr/bin/python3
"""Is what the program computes right, where theory says what is right? One table.

Each case is a scene at the defaults of the program (time.step = 1e-3 s) whose outcome is known: by a
closed form, by an invariant, or by reference runs. A row is `right` within its limit, `said so` where
the program itself says that it did not solve the run (steps not converged, an exit code that is not
0), and `WRONG` where it is silently wrong. Exit code 1 if anything is WRONG.
"""
import argparse
import concurrent.futures
import fnmatch
import pathlib
import subprocess
import sys
import tempfile
import time

import cases_depth
import cases_elastic
import cases_passage
import cases_pressed
import cases_ratio
import cases_shape
import cases_start
import table
from common import ROOT, Beds, Bench, Broken

FAMILIES = [cases_ratio, cases_depth, cases_start, cases_elastic, cases_passage, cases_pressed, cases_shape]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--program", default=str(ROOT / "build/release/src/cli/pluvia"), help="the command (%(default)s)")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="handed on to every run as -s")
    add("--cases", nargs="+", metavar="GLOB", help="only cases whose names match one of these")
    add("--list", action="store_true", help="names the cases and ends")
    add("--quick", action="store_true", help="only those that take two minutes together")
    add("--long", action="store_true", help="also those that take many minutes")
    add("--seeds", type=int, help="runs of each shape (default: as the case says)")
    add("--strict", action="store_true", help="less than 1 %% of steps not converged is not `said so`")
    add("--reference", action="store_true", help="computes references.csv anew for the chosen shapes")
    add("--csv", type=pathlib.Path, metavar="FILE", help="appends rows to this file")
    add("--page", type=pathlib.Path, metavar="FILE", help="prints a line for each case of a CSV file and ends")
    add("--label", default="", help="first column of the CSV file")
    add("-j", type=int, default=1, metavar="N", help="cases side by side (1)")
    add("--keep", type=pathlib.Path, metavar="DIR", help="keeps scenes and trajectories there")
    add("--cache", type=pathlib.Path, default=ROOT / "build/quality", metavar="DIR",
        help="where settled beds are kept (%(default)s)")
    return parser.parse_args()


def chosen(options):
    cases = [case for family in FAMILIES for case in family.CASES]
    if options.cases:
        cases = [c for c in cases if any(fnmatch.fnmatchcase(c.name, g) for g in options.cases)]
    if options.quick:
        cases = [c for c in cases if c.quick]
    if options.reference:
        cases = [c for c in cases if c.shape]
    if not options.long:
        cases = [c for c in cases if not c.long]
    if not cases:
        sys.exit("quality: no such case; --list --long names them")
    if options.reference and (options.seeds or 2) < 2:
        sys.exit("quality: a reference needs two seeds at least")
    return cases


def judged(case, options, beds):
    """Runs a case in a folder of its own; its checks, or the entries of a reference."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="quality-") as empty:
        folder = options.keep / case.name if options.keep else pathlib.Path(empty)
        bench = Bench(case, options, folder, beds)
        answer = case.shape(bench) if options.reference else case.judge(bench)
        for run in bench.runs:
            run.forget()
        print(f"quality: {case.name}, {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        return answer if options.reference else bench.checks


def answers(cases, options):
    """One for each case, in their order."""
    beds = Beds(options.cache)
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        yield from pool.map(lambda case: judged(case, options, beds), cases)


def refer(cases, options):
    for entries in answers(cases, options):
        cases_shape.write_references(cases_shape.read_references() | entries)
        for (case, measure), (seeds, mean, deviation) in entries.items():
            print(f"{case}: {measure} {mean:.6g}, standard deviation {deviation:.3g}, {seeds} seeds")


def judge(cases, options):
    version = subprocess.run([options.program, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    checks = []
    table.print_head()
    for found in answers(cases, options):
        checks += found
        table.print_checks(found)
        if options.csv:
            table.write_rows(options.csv, found, options.label, version, " ".join(options.set))
    print(table.summary(checks))
    return any(c.verdict == "WRONG" for c in checks)


def main():
    options = read_options()
    if options.page:
        print(table.page(options.page))
        return 0
    cases = chosen(options)
    if options.list:
        for case in cases:
            marks = "quick" if case.quick else "long" if case.long else ""
            print(f"{case.name:22} {marks:6} {case.about}")
        return 0
    try:
        return refer(cases, options) if options.reference else judge(cases, options)
    except (Broken, OSError) as error:
        print(f"quality: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
