"""How each program is given a task and what it answers.

A program is an object with a `name`, as in the table. `version()` is None where it is not installed;
`run(task, start, seconds, frames, folder, limit)` runs it in `folder` for at most `limit` seconds of
wall time and returns an Answer, or raises Failed. `seconds` = 0 asks for one step: what it takes to
begin.
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

from tasks import DENSITY, DIAMETER, DROP, FRICTION, GRAVITY, RADIUS, State

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTHON = "/usr/bin/python3"  # the one that has Debian's packages


class Failed(Exception):
    pass


@dataclasses.dataclass
class Answer:
    cpu: float           # s, user and system, of the whole process
    simulated: float     # s, in that process
    step: float          # s
    model: str
    frames: np.ndarray   # tasks.py
    unsupported: float = None  # share of the weight that walls do not bear at the end
    end: State = None    # where the program tells
    updates: float = None  # of contacts by its solver, where the program tells


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
    """Default settings; only nothing sleeps in beds, flows and collapses."""

    SCENE = """
gravity = [{gravity}];
time: {{ step = {step}; end = {end}; }};
slop = {slop};
allow_overlap = {overlaps};
solver: {{ quiet = {quiet}; }};
materials = ( {{ name = "grain"; density = {density}; }}, {{ name = "wall"; }} );
contacts = ( {{ between = ["grain", "grain"]; friction = {mu}; rolling_friction = {mu_r}; }},
             {{ between = ["grain", "wall"]; friction = {mu}; rolling_friction = {mu_r}; }} );
boundaries = ( {planes} );
bodies = ( {{ file: {{ path = "start.csv"; }}; material = "grain"; }} );
output: {{ interval = {interval}; quantities = [{quantities}]; }};
"""
    PLANE = '{{ plane: {{ center = {}; normal = {}; }}; material = "wall"; }}'

    def __init__(self, command, name="pluvia", step=1e-3):
        found = shutil.which(command)
        self.command, self.name, self.step = found and os.path.abspath(found), name, step

    def version(self):
        return self.command and subprocess.check_output([self.command, "--version"], text=True).split()[1]

    def planes(self, task):
        yield self.PLANE.format([0, 0, 0], [0, 0, 1])
        for axis, ends in task.walls.items():
            along = np.array([a == axis for a in "xyz"], dtype=float)
            for end, sign in zip(ends, (1, -1)):
                yield self.PLANE.format((end * along).tolist(), (sign * along).tolist())

    def run(self, task, start, seconds, frames, folder, limit, making=False):
        """`making` is a start for others: beds then have overlaps of 3e-4 d, which stiff springs have
        at this depth; with the usual 1e-3 d they would jump."""
        late = 0 if seconds else 1  # to begin is not to solve a first step: nothing is there yet
        rows = np.column_stack([start.x, start.v, start.w, start.radius, start.time + late])
        np.savetxt(folder / "start.csv", rows, "%.17g", ",", comments="",
                   header="x,y,z,vx,vy,vz,wx,wy,wz,radius,time")
        window, end = task.before > 0 and not making, max(seconds, self.step)
        quiet = task.state == "pour" or (making and task.state == "rest")
        names = ["position"] + ["velocity", "angular_velocity"] * making
        (folder / "scene.cfg").write_text(self.SCENE.format(
            gravity=", ".join(f"{g:.17g}" for g in task.gravity), step=self.step, end=end,
            slop=3e-4 if making and task.state == "rest" else 1e-3, density=DENSITY, mu=FRICTION,
            mu_r=task.rolling, overlaps=str(window).lower(), quiet=str(quiet).lower(),
            planes=", ".join(self.planes(task)), interval=max(self.step, end / frames),
            quantities=", ".join(f'"{name}"' for name in names)))

        out, cpu = call([self.command, "run", "scene.cfg", "-o", "a.h5md", "-j", 1, "--progress", "none"],
                        folder, limit)
        steps = int(re.search(r"in (\d+) steps", out).group(1))
        borne = re.search(r"boundaries carry +([\d.]+)", out)
        with h5py.File(folder / "a.h5md") as file:
            body = file["particles/trajectory"]
            x = body["position/value"][:]
            x[body["state/value"][:] != 1] = np.nan
            state = making and State(x[-1], body["velocity/value"][-1], body["angular_velocity/value"][-1],
                                     start.radius, start.time)
        return Answer(cpu, steps * self.step, self.step, "rigid", x,
                      borne and abs(1 - float(borne.group(1))), state or None, updates(out))


def updates(said):
    """Contact updates of a run, from its summary: their rate times the seconds of the solver."""
    rate = re.search(r"([\d.]+) million contact updates/s", said)
    seconds = re.search(r"^ +seconds +(.+)$", said, re.MULTILINE)
    return float(rate.group(1)) * 1e6 * float(seconds.group(1).split()[3]) if rate and seconds else None


class Script:
    """Programs that are Python libraries. A script of ours reads job.json and start.npy and writes
    result.npz."""

    def ask(self, task, start, folder, limit, job):
        np.save(folder / "start.npy", np.column_stack([start.x, start.time]))
        (folder / "job.json").write_text(json.dumps(dict(
            job, radius=RADIUS, density=DENSITY, gravity=GRAVITY, friction=FRICTION,
            rolling=task.rolling, side=task.walls.get("x", (0, None))[1], warm=task.state == "rest")))
        _, cpu = call(self.words + ["job.json"], folder, limit)
        result = np.load(folder / "result.npz")
        unsupported = None
        if "force" in result:
            unsupported = abs(1 - float(result["force"]) / (GRAVITY * start.mass.sum()))
        return Answer(cpu, float(result["simulated"]), float(result["step"]), self.model.format(**job),
                      result["frames"], unsupported)


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
        young = 4e7 if task.state == "pour" else 1e7
        job = dict(young=young, damping=0.4, fraction=0.5, seconds=seconds, frames=frames, speed=0.0)
        if task.state == "pour":
            # The damping brakes a fall too: one diameter lower, with the speed that gives the impact.
            start = dataclasses.replace(start, x=start.x - [0, 0, DIAMETER])
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
        seconds = max(seconds, 4 * self.step)  # it cannot make a single one
        return self.ask(task, start, folder, limit, dict(step=self.step, seconds=seconds, frames=frames))
