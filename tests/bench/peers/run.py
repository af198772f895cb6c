#!/usr/bin/python3
"""The same piles and beds with pluvia and with other programs, side by side in one run: wall seconds
per simulated second on one core, and what shows that the results are of equal quality.

Each round runs every task with every program once, so that all meet the same machine. Rounds go on
as long as the budget lasts; the table has their median.
"""
import argparse
import csv
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import tasks
from molecular import Lammps, Liggghts
from programs import ROOT, Failed, Pluvia, Siconos, Yade

PACKAGES = ["lammps", "liggghts", "yade", "python3-siconos", "python3-scipy", "python3-h5py"]
COLUMNS = ["task", "program", "version", "model", "step_s", "round", "simulated_s", "wall_s", "cpu_s",
           "wall_per_simulated", "spheres", "overlap_end", "overlap_frames", "overlap_worst",
           "mean_height", "moved", "load"]


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
    add("--frames", type=int, default=20, help="states of each run that are judged (%(default)s)")
    add("--core", type=int, default=max(os.sched_getaffinity(0)), help="where all run (%(default)s)")
    add("-o", "--output", type=pathlib.Path, default=pathlib.Path("peers.csv"),
        help="one line a run (%(default)s); the table goes to standard output")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.budget = options.budget or (285.0 if options.quick else 3600.0)
    options.deadline = time.monotonic() + options.budget
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


def installed(options):
    """The programs that are there, with their versions."""
    programs = [Pluvia(options.pluvia), Pluvia(options.pluvia, "pluvia-fine", 2e-4), Lammps(),
                Liggghts(), Yade(), Siconos(), Siconos("siconos-fine", 2.5e-4)]
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
    """For a bed at rest the state that all restart from, pluvia's and off the clock. Its overlaps of
    3e-4 d are what stiff springs have at this depth; with the usual 1e-3 d they would jump."""
    start = tasks.first_start(task)
    if task.state == "rest":
        bed = in_folder(lambda folder, left: Pluvia(options.pluvia).run(
            task, start, task.settled, 1, folder, left, slop=3e-4), options)
        start[:, :3] = bed.frames[-1]
    return start


def measured(task, program, version, start, number, options):
    """One run: a row of the results."""
    seconds = task.time(program.name, options.quick)
    answer = in_folder(lambda folder, left: program.run(
        task, start, seconds, options.frames, folder, left), options)
    speed = answer.wall / answer.simulated
    say(f"round {number}: {task.name:12} {program.name:12} {speed:10.3f} s/s")
    return dict(tasks.judge(task, answer.frames), task=task.name, program=program.name, version=version,
                model=answer.model, step_s=answer.step, round=number, simulated_s=answer.simulated,
                wall_s=answer.wall, cpu_s=answer.cpu, wall_per_simulated=speed,
                overlap_worst=answer.worst, load=os.getloadavg()[0])


def rounds(programs, options):
    """Yields the rows. What fails or does not fit into the budget costs a line, no more."""
    starts = {}
    wanted = [t for t in tasks.TASKS if t.name in options.tasks and (t.quick or not options.quick)]
    for number in range(1, options.rounds + 1):
        for task in wanted:
            for program in (p for p in programs if p.name in task.programs):
                try:
                    if task.name not in starts:
                        starts[task.name] = start_of(task, options)
                    yield measured(task, program, programs[program], starts[task.name], number, options)
                except Failed as failure:
                    say(f"round {number}: {task.name:12} {program.name:12} left out: {failure}")


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((x.split(":")[1].strip() for x in file if x.startswith("model name")), "processor")
    return f"{os.cpu_count()} × {model}, {platform.system()} {platform.release()}"


def percent(ratio):
    return "" if ratio is None else f"{100 * ratio:.2g} %"


def quality(runs):
    """Overlaps of all runs of a line against what is accepted."""
    if max(r["overlap_end"] for r in runs) > tasks.QUALITY:
        return "no"
    seen = [r[name] or 0.0 for r in runs for name in ("overlap_frames", "overlap_worst")]
    return "yes" if max(seen) <= tasks.QUALITY else "at rest, not in impacts"


def print_table(rows):
    loads = [r["load"] for r in rows]
    print(f"{machine()}; one core, load {min(loads):.1f} to {max(loads):.1f}; {time.strftime('%Y-%m-%d')}; "
          + ", ".join(sorted({f"{r['program']} {r['version']}" for r in rows})) + "\n")
    print("| task | program | law | step (s) | timed (s) | wall s per simulated s | over pluvia "
          "| over pluvia-fine | overlap/d: end | frames | every step | mean height/d | moved/d "
          "| overlap ≤ 1 % |\n" + "| --- " * 14 + "|")
    lines = {}
    for row in rows:
        lines.setdefault((row["task"], row["program"]), []).append(row)
    median = {key: statistics.median(r["wall_per_simulated"] for r in runs) for key, runs in lines.items()}
    state = {t.name: t.state for t in tasks.TASKS}
    for (task, program), runs in lines.items():
        last, speeds = runs[-1], sorted(r["wall_per_simulated"] for r in runs)
        spread = f" ({speeds[0]:.3g} to {speeds[-1]:.3g})" if len(runs) > 1 else ""
        # A rate measured in a window of rest holds for a second of rest; the early part of a pile is
        # cheaper than the whole.
        part = any(last["simulated_s"] < 0.9 * r["simulated_s"] for r in rows if r["task"] == task)
        about = {"rest": ", extrapolated" if last["simulated_s"] < 0.99 else "",
                 "pour": ", first part only" if part else ""}.get(state[task], "")
        over = [f"{median[task, program] / median[task, p]:.3g}" if (task, p) in median else ""
                for p in ("pluvia", "pluvia-fine")]
        moved = "" if last["moved"] is None else f"{last['moved']:.0e}"
        print(f"| {task} | {program} | {last['model']} | {last['step_s']:.2g} | {last['simulated_s']:.3g} "
              f"| {median[task, program]:.3g}{spread}{about} | {' | '.join(over)} "
              f"| {percent(last['overlap_end'])} | {percent(last['overlap_frames'])} "
              f"| {percent(last['overlap_worst'])} | {last['mean_height']:.2f} | {moved} | {quality(runs)} |")


def main():
    options = read_options()
    if options.install:
        subprocess.check_call(["apt-get", "update", "-qq"])
        subprocess.check_call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES])
    programs = installed(options)
    if not Pluvia(options.pluvia).version():
        sys.exit(f"peers: there is no command {options.pluvia}; name it with --pluvia")
    os.sched_setaffinity(0, {options.core})
    rows = []
    with open(options.output, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        try:
            for row in rounds(programs, options):
                rows.append(row)
                writer.writerow(row)
                file.flush()
        except KeyboardInterrupt:
            say("interrupted; the table has what was measured")
    if not rows:
        sys.exit("peers: nothing was run")
    print_table(rows)


if __name__ == "__main__":
    main()
