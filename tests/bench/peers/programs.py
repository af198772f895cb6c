"""How each program is given a task and what it answers.

A program is an object with a `name`, as in the table. `version()` is None where it is not installed;
`run(task, start, seconds, frames, folder, limit)` runs it in `folder` for at most `limit` seconds of
wall time and returns an Answer, or raises Failed. The clock is the program's own, around its time
loop: without reading and setting up.
"""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading

import h5py
import numpy as np

from tasks import DENSITY, DIAMETER, DROP, FRICTION, GRAVITY, RADIUS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTHON = "/usr/bin/python3"  # the one that has Debian's packages


class Failed(Exception):
    pass


@dataclasses.dataclass
class Answer:
    wall: float         # s, of the time loop
    cpu: float          # s, of the whole process
    simulated: float    # s, in the time loop
    step: float         # s
    model: str
    frames: np.ndarray  # tasks.py
    worst: float = None # largest overlap over d in any step, where the program tells


def call(command, folder, limit):
    """Runs a command on the core that this process is bound to; returns its output and CPU s."""
    one = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    with open(folder / "stdout", "w+") as out, open(folder / "stderr", "w+") as err:
        process = subprocess.Popen([str(w) for w in command], cwd=folder, env=one, stdout=out,
                                   stderr=err, stdin=subprocess.DEVNULL)
        alarm = threading.Timer(limit, process.kill)
        alarm.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
            late = not alarm.is_alive()
        except KeyboardInterrupt:
            process.kill()
            raise
        finally:
            alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text, errors = out.read(), err.read()
    if late:
        raise Failed(f"not done after {limit:.0f} s")
    if process.returncode != 0:
        raise Failed(f"exit code {process.returncode}: {(errors.strip() or text.strip())[-300:]}")
    return text, usage.ru_utime + usage.ru_stime


def debian_version(package):
    query = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True,
                           text=True)
    return query.stdout if query.returncode == 0 else None


class Pluvia:
    """Default settings but for the time step. With 1 ms, that of the scenes here, a sphere that
    falls on a pile is at first up to 5 % of d deep; with 0.2 ms it stays below 1 %."""

    SCENE = """
time: {{ step = {step}; end = {end}; theta = 1.0; }};
stabilization = "projection";
slop = {slop};
allow_overlap = {overlaps};
materials = ( {{ name = "grain"; density = {density}; }}, {{ name = "wall"; }} );
contacts = ( {{ between = ["grain", "grain"]; friction = {mu}; rolling_friction = {mu_r}; }},
             {{ between = ["grain", "wall"]; friction = {mu}; rolling_friction = {mu_r}; }} );
boundaries = ( {{ {boundary}; material = "wall"; }} );
bodies = ( {{ file: {{ path = "start.csv"; }}; material = "grain"; radius = {radius}; }} );
output: {{ interval = {interval}; quantities = ["position"]; }};
"""

    def __init__(self, command, name="pluvia", step=1e-3):
        found = shutil.which(command)
        self.command, self.name, self.step = found and os.path.abspath(found), name, step

    def version(self):
        return self.command and subprocess.check_output([self.command, "--version"], text=True).split()[1]

    def run(self, task, start, seconds, frames, folder, limit, slop=1e-3):
        boundary = "plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }"
        if task.side:
            top = 2 * task.side
            boundary = f"box: {{ lower = [0, 0, 0]; upper = [{task.side}, {task.side}, {top}]; }}"
        np.savetxt(folder / "start.csv", start, "%.17g", ",", header="x,y,z,time", comments="")
        (folder / "scene.cfg").write_text(self.SCENE.format(
            step=self.step, end=seconds, slop=slop, density=DENSITY, mu=FRICTION, mu_r=task.rolling,
            overlaps="true" if task.state == "rest" else "false", boundary=boundary, radius=RADIUS,
            interval=max(self.step, seconds / frames)))

        out, cpu = call([self.command, "run", "scene.cfg", "-o", "a.h5md", "-j", 1, "--progress", "none"],
                        folder, limit)
        steps, rate = map(int, re.search(r"in (\d+) steps.*?: (\d+) steps/s", out, re.S).groups())
        worst = re.search(r"at most .* ([\d.e+-]+) % of the diameter", out).group(1)
        with h5py.File(folder / "a.h5md") as file:
            body = file["particles/trajectory"]
            x = body["position/value"][:]
            x[body["state/value"][:] != 1] = np.nan
        return Answer(steps / rate, cpu, steps * self.step, self.step, "rigid", x, float(worst) / 100)


class Script:
    """Programs that are Python libraries. A script of ours reads job.json and start.npy and writes
    result.npz."""

    def ask(self, task, start, folder, limit, job):
        np.save(folder / "start.npy", start)
        (folder / "job.json").write_text(json.dumps(dict(
            job, radius=RADIUS, density=DENSITY, gravity=GRAVITY, friction=FRICTION,
            rolling=task.rolling, side=task.side, warm=task.state == "rest")))
        _, cpu = call(self.words + ["job.json"], folder, limit)
        result = np.load(folder / "result.npz")
        return Answer(float(result["wall"]), cpu, float(result["simulated"]), float(result["step"]),
                      self.model.format(**job), result["frames"])


class Yade(Script):
    """Linear springs (k_n = E R), global damping 0.4, half of the P-wave time step."""

    name = "yade"
    model = "E = {young:.0e} Pa, damping {damping}"

    def __init__(self):
        command = shutil.which("yade")
        self.words = command and [command, "-n", "-x", "-j1", HERE / "yade_job.py"]

    def version(self):
        return self.words and debian_version("yade")

    def run(self, task, start, seconds, frames, folder, limit):
        young = 2e7 if task.state == "pour" else 1e7
        job = dict(young=young, damping=0.4, fraction=0.5, seconds=seconds, frames=frames, speed=0.0)
        if task.state == "pour":
            # The damping brakes a fall too: one diameter lower, with the speed that gives the impact.
            start = start - [0, 0, DIAMETER, 0]
            fall = DROP - RADIUS
            job["speed"] = (2 * GRAVITY * (fall - (1 - job["damping"]) * (fall - DIAMETER))) ** 0.5
        return self.ask(task, start, folder, limit, job)


class Siconos(Script):
    """Moreau-Jean and Gauss-Seidel with rolling friction to its natural map 1e-4, by its Python
    runner. Small piles only: for rolling contacts it stores W densely, so that memory and a sweep
    grow with the square of the number of contacts."""

    model = "rigid"

    def __init__(self, name="siconos", step=1e-3):
        self.name, self.step, self.words = name, step, [PYTHON, HERE / "siconos_job.py"]

    def version(self):
        return debian_version("python3-siconos")

    def run(self, task, start, seconds, frames, folder, limit):
        return self.ask(task, start, folder, limit, dict(step=self.step, seconds=seconds, frames=frames))
