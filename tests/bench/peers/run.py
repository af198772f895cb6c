#!/usr/bin/python3
"""The same piles, beds and flows with pluvia and with other programs, side by side in one run: processor
seconds of one thread per simulated second, and what shows that the results are of equal quality.

Each round runs every task with every program once, so that all meet the same machine. Rounds go on
as long as the budget lasts; the table has their median.
"""
import argparse
import csv
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import page
import tasks
from molecular import Lammps, Liggghts
from programs import ROOT, Failed, Pluvia, Siconos, Yade

PACKAGES = ["lammps", "liggghts", "yade", "python3-siconos", "python3-scipy", "python3-h5py"]
COLUMNS = ["task", "program", "version", "model", "step_s", "round", "simulated_s", "cpu_s", "cpu_start_s",
           "cpu_per_simulated", "frames", "spheres", "overlap_worst_moment", "overlap_end", "mean_height",
           "unsupported", "updates_per_simulated", "limit_per_simulated", "load", "failure"]
THEN = "pluvia-then"
THEN_STEP = 2e-4  # s: overlaps of the default scheme of before are those of today's at 1 ms
COARSE_STEP = 2e-3  # s
UPDATE_FLOP, UPDATE_BYTES = 240.0, 68.0  # of a contact in a tile that is swept twice (../README.md)
IMPACT_FRAMES = 1e-4  # s between the states in which impacts on piles are looked for


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    names = [t.name for t in tasks.TASKS]
    add("--install", action="store_true", help="first apt-get install " + " ".join(PACKAGES))
    add("--quick", action="store_true", help="one round of the small tasks, shortened; 5 minutes at most")
    add("--tasks", nargs="+", choices=names, default=names, metavar="TASK", help="of: " + " ".join(names))
    add("--programs", nargs="+", choices=tasks.ALL, default=tasks.ALL, metavar="PROGRAM",
        help="of: " + " ".join(tasks.ALL))
    add("--pluvia", default=str(ROOT / "build/release/src/cli/pluvia"), help="the command (%(default)s)")
    add("--then", metavar="COMMAND", help="an earlier pluvia, which runs at 0.2 ms as the program pluvia-then")
    add("--bench", default=str(ROOT / "build/release/tests/bench/bench"),
        help="measures the limits of the machine (%(default)s)")
    add("--rounds", type=int, help="at most (3; 1 with --quick)")
    add("--budget", type=float, help="wall seconds for everything (3600; 285 with --quick)")
    add("--frames", type=int, default=25, help="states of each run that are judged (%(default)s)")
    add("--core", type=int, default=max(os.sched_getaffinity(0)), help="where all run (%(default)s)")
    add("-o", "--output", type=pathlib.Path, default=pathlib.Path("peers.csv"),
        help="one line a run (%(default)s); the table goes to standard output")
    add("--page", type=pathlib.Path, metavar="CSV", help="run nothing: the table of these results")
    add("--summary", type=pathlib.Path, metavar="CSV", help="run nothing: a line a task, with then and the limit")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.budget = options.budget or (285.0 if options.quick else 3600.0)
    options.deadline = time.monotonic() + options.budget
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(options):
    """The programs that are there, with their versions."""
    then = [Pluvia(options.then, THEN, THEN_STEP)] if options.then else []
    programs = [Pluvia(options.pluvia), Pluvia(options.pluvia, tasks.COARSE, COARSE_STEP), *then, Lammps(), Liggghts(), Yade(), Siconos(),
                Siconos("siconos-fine", 2.5e-4)]
    found = {}
    for program in programs:
        version = program.version()
        if not version:
            say(f"{program.name} is not installed and left out (run.py --install installs it)")
        elif program.name in (*options.programs, THEN):
            found[program] = version
    return found


def limits(options):
    """Multiply-adds and bytes a second of one core at best; None where bench is not built."""
    if not os.access(options.bench, os.X_OK):
        return None
    said = subprocess.check_output([options.bench, "limits", "-j", "1"], text=True)
    flop = re.search(r"multiply-add ([\d.]+) GFLOP", said)
    triad = re.search(r"triad ([\d.]+) GB", said)
    return float(flop.group(1)) * 1e9, float(triad.group(1)) * 1e9


def least_time(updates, machine):
    """Seconds in which this machine could do as many updates at best: arithmetic or memory."""
    if not updates or not machine:
        return None
    return updates * max(UPDATE_FLOP / machine[0], UPDATE_BYTES / machine[1])


def in_folder(run, options):
    """Calls `run` with an empty folder and the seconds that are left."""
    left = options.deadline - time.monotonic()
    if left <= 0:
        raise Failed("the budget is spent")
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        return run(pathlib.Path(folder), left)


def start_of(task, options):
    """What all begin with; for a window the state that pluvia makes of the first start, off the clock.
    A bed at rest is handed over without speeds."""
    start = tasks.first_start(task)
    if not task.before:
        return start
    made = in_folder(lambda folder, left: Pluvia(options.pluvia).run(
        task, start, task.before, 1, folder, left, making=True), options).end
    return dataclasses.replace(start, x=made.x) if task.state == "rest" else made


def measured(task, program, start, options):
    """One run: what it says of the task. What it takes to begin is a run of its own and not counted."""
    def ask(seconds, frames):
        return in_folder(lambda folder, left: program.run(task, start, seconds, frames, folder, left),
                         options)
    begin = ask(0.0, 1)
    answer = ask(task.time(program.name, options.quick), options.frames)
    row = tasks.judge(task, start.radius, answer.frames)
    if task.impacts:
        frames = ask(task.impacts, round(task.impacts / IMPACT_FRAMES)).frames
        row["frames"] += len(frames)
        row["overlap_worst_moment"] = max(row["overlap_worst_moment"],
                                          tasks.worst_moment(task, start.radius, frames))
    own = isinstance(program, Pluvia)
    rate = (answer.cpu - begin.cpu) / (answer.simulated - (0 if own else begin.simulated))
    updates = answer.updates and answer.updates / answer.simulated
    return dict(row, updates_per_simulated=updates, limit_per_simulated=least_time(updates, options.machine), model=answer.model, step_s=answer.step, simulated_s=answer.simulated, cpu_s=answer.cpu,
                cpu_start_s=begin.cpu, cpu_per_simulated=rate,
                unsupported=answer.unsupported if task.rests else None)


def rounds(programs, options):
    """Yields the rows. What fails or does not fit into the budget costs a line, no more."""
    starts = {}
    wanted = [t for t in tasks.TASKS if t.name in options.tasks and (t.quick or not options.quick)]
    for number in range(1, options.rounds + 1):
        for task in wanted:
            for program in (p for p in programs if p.name in (*task.programs, THEN)):
                row = {"task": task.name, "program": program.name, "version": programs[program],
                       "round": number}
                try:
                    if task.name not in starts:
                        starts[task.name] = start_of(task, options)
                    row.update(measured(task, program, starts[task.name], options))
                    told = f"{row['cpu_per_simulated']:10.3f} s/s"
                except Failed as failure:
                    row["failure"] = " ".join(str(failure).split())
                    told = f"left out: {failure}"
                say(f"round {number}: {task.name:14} {program.name:12} {told}")
                yield dict(row, load=os.getloadavg()[0])


def main():
    options = read_options()
    if options.page:
        print(page.table(page.read(options.page)))
        return
    if options.summary:
        print(page.summary(page.read(options.summary)))
        return
    if options.install:
        subprocess.check_call(["apt-get", "update", "-qq"])
        subprocess.check_call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES])
    programs = installed(options)
    if not Pluvia(options.pluvia).version():
        sys.exit(f"peers: there is no command {options.pluvia}; name it with --pluvia")
    os.sched_setaffinity(0, {options.core})
    options.machine = limits(options)
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        try:
            for row in rounds(programs, options):
                writer.writerow(row)
                file.flush()
        except KeyboardInterrupt:
            say("interrupted; the table has what was measured")
    print(page.table(page.read(options.output)))


if __name__ == "__main__":
    main()
