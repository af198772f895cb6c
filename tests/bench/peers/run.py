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
           "unsupported", "load", "failure"]
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
    add("--rounds", type=int, help="at most (3; 1 with --quick)")
    add("--budget", type=float, help="wall seconds for everything (3600; 285 with --quick)")
    add("--frames", type=int, default=25, help="states of each run that are judged (%(default)s)")
    add("--core", type=int, default=max(os.sched_getaffinity(0)), help="where all run (%(default)s)")
    add("-o", "--output", type=pathlib.Path, default=pathlib.Path("peers.csv"),
        help="one line a run (%(default)s); the table goes to standard output")
    add("--page", type=pathlib.Path, metavar="CSV", help="run nothing: the table of these results")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.budget = options.budget or (285.0 if options.quick else 3600.0)
    options.deadline = time.monotonic() + options.budget
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(options):
    """The programs that are there, with their versions."""
    programs = [Pluvia(options.pluvia), Lammps(), Liggghts(), Yade(), Siconos(),
                Siconos("siconos-fine", 2.5e-4)]
    found = {}
    for program in programs:
        version = program.version()
        if not version:
            say(f"{program.name} is not installed and left out (run.py --install installs it)")
        elif program.name in options.programs:
            found[program] = version
    return found


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
    rate = (answer.cpu - begin.cpu) / (answer.simulated - (0 if program.name == "pluvia" else begin.simulated))
    return dict(row, model=answer.model, step_s=answer.step, simulated_s=answer.simulated, cpu_s=answer.cpu,
                cpu_start_s=begin.cpu, cpu_per_simulated=rate,
                unsupported=answer.unsupported if task.rests else None)


def rounds(programs, options):
    """Yields the rows. What fails or does not fit into the budget costs a line, no more."""
    starts = {}
    wanted = [t for t in tasks.TASKS if t.name in options.tasks and (t.quick or not options.quick)]
    for number in range(1, options.rounds + 1):
        for task in wanted:
            for program in (p for p in programs if p.name in task.programs):
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
    if options.install:
        subprocess.check_call(["apt-get", "update", "-qq"])
        subprocess.check_call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES])
    programs = installed(options)
    if not Pluvia(options.pluvia).version():
        sys.exit(f"peers: there is no command {options.pluvia}; name it with --pluvia")
    os.sched_setaffinity(0, {options.core})
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
