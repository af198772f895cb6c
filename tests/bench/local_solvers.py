#!/usr/bin/python3
"""Local solvers in time stepping: the table of README.md, in processor time of whole runs.

    tests/bench/local_solvers.py [--pluvia COMMAND] [--until SECONDS]

The paper's pile (scenes/pile/pile.cfg, its criterion and its limits) with each local solver in turn,
with rolling friction and, for the quartics, without. Nothing is written out but the last frame, so
that the numbers are those of stepping."""
import argparse
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROLLING = ["exact", "projection", "extragradient", "newton", "fischer-burmeister"]
COULOMB = ROLLING + ["quartic-angle", "quartic-alpha"]


def run(command, folder, local, settings):
    """Processor seconds, sweeps a step, steps that were not solved."""
    words = [command, "run", ROOT / "scenes/pile/pile.cfg", "-o", folder / "pile.h5md", "--force",
             "-j", "1", "--progress", "none", "-s", f'solver.local="{local}"',
             "-s", "output.interval=1000"]
    for setting in settings:
        words += ["-s", setting]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    sweeps = re.search(r"sweeps +([0-9.]+) a step", text).group(1)
    missed = re.search(r"not converged +([0-9]+) of ([0-9]+)", text)
    return seconds, sweeps, f"{missed.group(1)} of {missed.group(2)}"


def table(command, until):
    with tempfile.TemporaryDirectory() as name:
        print("| pile | local solver | processor s | of exact | sweeps a step | steps not solved |")
        print("| --- | --- | --- | --- | --- | --- |")
        for pile, locals_, settings in [
                ("rolling", ROLLING, []),
                ("Coulomb", COULOMB, ["contacts.*.rolling_friction=0.0"])]:
            exact = None
            for local in locals_:
                seconds, sweeps, missed = run(command, pathlib.Path(name), local,
                                              settings + [f"time.end={until}"])
                exact = exact or seconds
                print(f"| {pile} | {local} | {seconds:.2f} | {seconds / exact:.1f} | {sweeps} | {missed} |",
                      flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    parser.add_argument("--until", type=float, default=20.0, help="simulated s (default: 20)")
    arguments = parser.parse_args()
    table(arguments.pluvia, arguments.until)


if __name__ == "__main__":
    main()
