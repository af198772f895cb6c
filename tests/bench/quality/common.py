"""What the cases share: a program that is called, its runs, and checks that become rows of the table.

A case is a function of a Bench. It makes scenes, lets the bench run them, and hands it one check for
each thing that it measures: a number that is 0 where the program is perfectly right, and a limit.
"""
import dataclasses
import functools
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import threading

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAULTS = {3: "refuses the scene", 5: "cannot write"}  # not the physics: the suite itself is at fault

NOTICED = 1e-2  # share of steps not converged that says something with --strict

# How beds are made that cases begin with: more carefully than any case that uses them.
CAREFUL = ("time.step=5e-4", "solver.tolerance=1e-4", "solver.max_iterations=2000")


class Broken(Exception):
    """The program cannot be run at all, or refuses a scene."""


@dataclasses.dataclass(frozen=True)
class Case:
    """`quick`: part of --quick. `long`: only with --long. `seeds`: how many by default, where runs are
    repeated. `shape`: the measure that --reference computes, see cases_shape.py."""
    name: str
    about: str
    judge: object
    quick: bool = False
    long: bool = False
    seeds: int = 1
    shape: object = None


@dataclasses.dataclass
class Check:
    case: str
    what: str
    value: float
    limit: float
    runs: tuple
    noticed: float = 0.0  # share of steps not converged beyond which a run says that it is not solved

    @property
    def verdict(self):
        """A run that gave up is not right, whatever it had before; nor is what is not a number."""
        if math.isnan(self.limit):
            return "no reference"
        if self.value <= self.limit and not any(run.code for run in self.runs):
            return "right"
        return "said so" if any(run.says(self.noticed) for run in self.runs) else "WRONG"

    @property
    def sweeps(self):
        """A step, mean over the runs."""
        known = [run for run in self.runs if run.steps and run.sweeps == run.sweeps]
        steps = sum(run.steps for run in known)
        return sum(run.sweeps * run.steps for run in known) / steps if steps else math.nan

    @property
    def seconds(self):
        return sum(run.seconds for run in self.runs)

    @property
    def missed(self):
        return sum(run.missed for run in self.runs)


class Run:
    """One call of the program: what it said, what it cost, and its trajectory."""

    def __init__(self, path, code, text, seconds, unconverged):
        self.path, self.code, self.text, self.seconds = path, code, text, seconds
        sweeps = re.search(r"sweeps\s+([\d.]+) a step", text)
        missed = re.search(r"not converged\s+(\d+) of (\d+) steps", text)
        steps = re.search(r"simulated\s.* in (\d+) steps", text)
        self.sweeps = float(sweeps[1]) if sweeps else math.nan
        self.steps = int(missed[2] if missed else steps[1] if steps else 0)
        self.missed = int(missed[1]) if missed else unconverged

    def says(self, noticed=0.0):
        """Whether the program itself says that this result is not to be trusted: so much of the steps
        and more did not converge, or a limit was passed."""
        beyond = re.search(r"^beyond limits|^note +(started with .* but no impulses|overlaps beyond)", self.text, re.M)
        missed = self.missed > noticed * self.steps
        return self.code > 0 or (self.code == 0 and (missed or bool(beyond)))  # < 0: it crashed

    def _read(self, name):
        with h5py.File(self.path) as file:
            return file[name][:]

    @functools.cached_property
    def times(self):
        return self._read("particles/trajectory/position/time")

    @functools.cached_property
    def x(self):
        """Centers: frames, bodies, 3; of the frames that are complete."""
        return self._read("particles/trajectory/position/value")[:len(self.times)]

    @functools.cached_property
    def here(self):
        """Frames, bodies: whether it takes part."""
        return self._read("particles/trajectory/state/value")[:len(self.times)] == 1

    @functools.cached_property
    def velocity(self):
        return self._read("particles/trajectory/velocity/value")[:len(self.times)]

    @functools.cached_property
    def spin(self):
        return self._read("particles/trajectory/angular_velocity/value")[:len(self.times)]

    @functools.cached_property
    def radius(self):
        return self._read("particles/trajectory/radius")

    @functools.cached_property
    def mass(self):
        return self._read("particles/trajectory/mass")

    @functools.cached_property
    def contacts(self):
        return Table(self.path)

    def forget(self):
        """Lets go of the arrays; what the program said stays."""
        for name in ("x", "here", "velocity", "spin", "contacts"):
            self.__dict__.pop(name, None)


class Table:
    """Columns of the contacts of all frames, read when they are asked for."""

    def __init__(self, path):
        self.path, self.columns = path, {}

    def __getitem__(self, name):
        if name not in self.columns:
            with h5py.File(self.path) as file:
                self.columns[name] = file["contacts"][name][:]
        return self.columns[name]


class Beds:
    """Settled beds, made once and kept as CSV files."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()

    def positions(self, bench, name, text, settings=CAREFUL, sample=False):
        """Centers at the end of the scene `text`; its hash is part of the name of the file. Of a `sample` in
        a periodic cell also radii, and in a last row the edges of the cell."""
        key = hashlib.sha256((text + " ".join(settings)).encode()).hexdigest()[:12]
        path = self.folder / f"{name}-{key}.csv"
        with self.lock:
            if not path.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                print(f"quality: settles {name} once", file=sys.stderr, flush=True)
                run = bench.call(text, settings, {}, bench.folder / "bed")
                write_csv(path, sample_rows(run) if sample else run.x[-1])
        return np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


class Bench:
    """Where one case runs; collects its checks."""

    def __init__(self, case, options, folder, beds):
        self.case, self.options, self.folder, self.beds = case, options, folder, beds
        self.runs, self.checks = [], []
        self.seeds = range(1, (options.seeds or case.seeds) + 1)

    def bed(self, name, text, **options):
        return self.beds.positions(self, name, text, **options)

    def run(self, text, settings=(), files=()):
        """Runs a scene with the user's --set and then the settings of the case. `files`: arrays by
        name, written as CSV beside it, or texts."""
        folder = self.folder / f"run-{len(self.runs) + 1}"
        run = self.call(text, (*self.options.set, *settings), dict(files), folder)
        self.runs.append(run)
        return run

    def call(self, text, settings, files, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scene.cfg").write_text(text)
        for name, rows in files.items():
            if isinstance(rows, str):
                (folder / name).write_text(rows)
            else:
                write_csv(folder / name, rows)
        result = folder / "run.h5md"
        words = [self.options.program, "run", folder / "scene.cfg", "-o", result, "-j", "1", "--force",
                 "--progress", "none"]
        for setting in settings:
            words += ["-s", setting]
        code, said, seconds = call(words, folder)
        if code in FAULTS or not result.exists():
            raise Broken(f"{self.case.name}: the program {FAULTS.get(code, 'wrote nothing')}\n{said}")
        return Run(result, code, said, seconds, self.unconverged(result))

    def unconverged(self, result):
        """As the trajectory has it; for runs that end without a summary."""
        words = [self.options.program, "info", "--json", result]
        info = subprocess.run([str(w) for w in words], capture_output=True, text=True)
        try:
            return int(json.loads(info.stdout)["last"]["unconverged_steps"])
        except (ValueError, KeyError, TypeError):
            return 0

    def check(self, what, value, limit, *runs, noticed=0.0):
        """Without `runs` all of the case so far. `noticed`: the share of steps that is known to be left
        unsolved without harm."""
        noticed = max(noticed, NOTICED if self.options.strict else 0.0)
        self.checks.append(Check(self.case.name, what, float(value), limit, runs or tuple(self.runs), noticed))


def call(words, folder):
    """Exit code, what was written to stdout and stderr, and processor seconds of a command."""
    path = folder / "said"
    with open(path, "w") as out:
        process = subprocess.Popen([str(w) for w in words], stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, path.read_text(), usage.ru_utime + usage.ru_stime


def sample_rows(run):
    with h5py.File(run.path) as file:
        edges = file["particles/trajectory/box/edges/value"][-1].diagonal()
    return np.vstack([np.column_stack([run.x[-1], run.radius]), [*edges, 0.0]])


def write_csv(path, rows):
    """Columns x, y, z and, if there is a fourth, radius."""
    rows = np.asarray(rows)
    header = "x,y,z,radius" if rows.shape[1] > 3 else "x,y,z"
    np.savetxt(path, rows, "%.17g", ",", header=header, comments="")
