"""Beds that a stress of a periodic cell, or a piston, presses with 1 to 400 kPa: what friction takes in a step is far more than
what gravity could. Scaled by t_i = d sqrt(rho / sigma), tests depend on inertial number and h / t_i alone, so that 1 kPa with
steps of 1 ms is 100 kPa with 0.1 ms. What is right: the same run with four times the sweeps; rest; a piston that stays where
it is, for grains are rigid and a bed that has borne its stress once has no reason to give way."""
import functools
import math

import h5py
import numpy as np

import measures
import scenes
from common import Case

RADII, DENSITY, COUNT = (0.0015, 0.0025), 2650.0, 1000
D = sum(RADII)
ROLLING = 1e-4  # m
STRAIN, RATE = 0.03, 0.3  # 1/s at 100 kPa: an inertial number of 2e-4
HIGH = 100e3  # Pa
FROM_FILE = '{ file: { path = "start.csv"; }; material = "grain"; }'
NOTICED = 0.05  # share of steps not converged with which a run says that it is not solved


def scene(end, step, bodies, cell="", friction=0.5, rolling=ROLLING, boundaries="", gravity=0.0, interval=None):
    return f"""
time: {{ step = {step!r}; end = {float(end)!r}; }};
gravity = {scenes.vector([0, 0, -gravity])};
allow_overlap = true;
materials = ( {{ name = "grain"; density = {DENSITY!r}; }}, {{ name = "wall"; }} );
contacts = ( {scenes.law("grain", "grain", friction, rolling, 0.0)}, {scenes.law("grain", "wall", 0.0, 0.0, 0.0)} );
{cell}
{boundaries}
bodies = ( {bodies} );
output: {{ interval = {interval or end / 100!r}; contacts = true; quantities = ["position"]; }};
"""


def cell(size, stress, rate=(0, 0, 0)):
    return (f"cell: {{ size = {scenes.vector(size)}; stress = {scenes.vector(stress)}; "
            f"strain_rate = {scenes.vector(rate)}; }};")


def packed(bench, friction, seed):
    """A sample that 1 kPa have pressed with this friction between grains: rows x, y, z, radius, and the edges of its cell. Grains
    are rigid, so that it is the same as after 100 kPa."""
    side = 0.05
    grains = (f'{{ packing: {{ count = {COUNT}; box = [[0, 0, 0], {scenes.vector([side] * 3)}]; }}; material = "grain"; '
              f"radius = {scenes.vector(RADII)}; }}")
    text = f"seed = {seed};" + scene(0.5, 2.5e-4, grains, cell([side] * 3, [1e3] * 3), friction, 0.0)
    rows = bench.bed(f"pressed-{friction:g}", text, settings=("solver.min_iterations=50",), sample=True)
    return rows[:-1], rows[-1, :3]


class Cell:
    """Edges, stresses and void ratio of a run with a periodic cell."""

    def __init__(self, run):
        with h5py.File(run.path) as file:
            self.edges = file["particles/trajectory/box/edges/value"][:][:, range(3), range(3)]
            self.stress = np.stack([file[f"observables/cell_stress_{a}{a}/value"][:] for a in "xyz"], axis=1)
        self.void = self.edges.prod(axis=1) / (4 / 3 * math.pi * run.radius**3).sum() - 1
        late = np.arange(len(self.void)) > len(self.void) // 2
        self.ratio = self.stress[late, 2].mean() / self.stress[late, :2].mean()
        self.late_void = self.void[late].mean()


def compress(bench, stress, settings=(), seed=1, strain=STRAIN, rolling=ROLLING):
    """A dense sample under a stress from the sides, whose height is strained."""
    rows, size = packed(bench, 0.05, seed)
    slow = math.sqrt(stress / HIGH)
    text = scene(strain / RATE / slow, 1e-4 / slow, FROM_FILE, cell(size, [stress, stress, 0], [0, 0, -RATE * slow]), rolling=rolling)
    return bench.run(text, settings, {"start.csv": rows})


def check_solved(bench, run):
    bench.check("steps not converged (share)", run.missed / run.steps, 0.02, run, noticed=NOTICED)
    deepest = measures.bound(measures.overlaps(run, len(run.times) - 1))
    bench.check("overlap, 99.9 % of contacts, at the end (d)", deepest, 0.015, run, noticed=NOTICED)


def triaxial(bench, stress):
    """Against the same with four times the sweeps in each step."""
    for seed in bench.seeds:
        run = compress(bench, stress, seed=seed)
        more = compress(bench, stress, [f"solver.min_iterations={math.ceil(4 * run.sweeps)}", "solver.max_iterations=4000"], seed)
        found, known = Cell(run), Cell(more)
        bench.check("axial over radial stress off that of 4 times the sweeps", abs(found.ratio / known.ratio - 1), 0.02, run, noticed=NOTICED)
        bench.check("void ratio off", abs(found.late_void - known.late_void), 0.002, run, noticed=NOTICED)
        check_solved(bench, run)


def no_rolling(bench):
    """The beginning of the test without rolling friction, where impulses are not unique."""
    run = compress(bench, HIGH, strain=1e-3, rolling=0.0)
    bench.check("steps not converged (share)", run.missed / run.steps, 0.02, run, noticed=NOTICED)


def scaling(bench):
    """1 kPa and 100 kPa at the same inertial number and h / t_i."""
    runs = [compress(bench, stress) for stress in (1e3, HIGH)]
    low, high = map(Cell, runs)
    bench.check("axial over radial stress at 1 kPa off that at 100 kPa", abs(low.ratio / high.ratio - 1), 0.025, noticed=NOTICED)
    bench.check("void ratio off", abs(low.late_void - high.late_void), 0.002, noticed=NOTICED)
    bench.check("sweeps off", abs(runs[0].sweeps / runs[1].sweeps - 1), 0.2, noticed=NOTICED)


def rest(bench, friction):
    """A sample under 100 kPa on all sides, at which it has come to rest."""
    rows, size = packed(bench, friction, 1)
    text = scene(0.6, 2e-4, FROM_FILE, cell(size, [HIGH] * 3), friction, 0.0, interval=0.01)
    run = bench.run(text, (), {"start.csv": rows})
    volume = Cell(run).edges.prod(axis=1)
    first = measures.window(run, 0.2)[0]
    bench.check("volume shrinks (1/s)", abs(math.log(volume[-1] / volume[first])) / (run.times[-1] - run.times[first]), 1e-3, run,
                noticed=NOTICED)
    check_solved(bench, run)


LEVELS = (10, 88, 166, 244, 322, 400)  # kPa
HOLD, RAMP = 0.03, 0.01  # s
PISTON = 1e-5  # m: what counts as no motion


BEGIN = 0.1  # s: of the first level
TUBE, HEIGHT = 0.022, 0.05  # m


def load_table(begin):
    """Shares of the largest stress by time; `begin`: the time at which it is cut off."""
    rows = []
    for k, level in enumerate(LEVELS):
        start = k * (HOLD + RAMP) + BEGIN
        rows += [(start if k else 0.0, level), (start + HOLD, level)]
    kept = [(max(t - begin, 0.0), level / LEVELS[-1]) for t, level in rows if t > begin - 1e-9]
    return "t, share\n" + "".join(f"{t:.4f}, {share!r}\n" for t, share in kept)


def reached(level):
    """The time at which a level has been held for long enough."""
    return BEGIN + LEVELS.index(level) * (HOLD + RAMP) + HOLD


def tube(end, grains):
    walls = (f'boundaries = ( {{ cylinder: {{ radius = {TUBE!r}; height = {2 * HEIGHT!r}; }}; material = "wall"; name = "tube"; }}, '
             f'{{ disc: {{ center = [0, 0, {HEIGHT!r}]; normal = [0, 0, -1]; radius = {TUBE!r}; }}; material = "wall"; name = "piston"; '
             f'servo: {{ mass = 0.02; stress = {LEVELS[-1] * 1e3!r}; table = "load.csv"; speed = 0.5; }}; }} );')
    return scene(end, 5e-5, grains, boundaries=walls, gravity=scenes.GRAVITY, interval=0.01)


def oedometer(bench):
    """A piston on 500 grains in a tube. Its stress rises by levels to 400 kPa; at the end it is kept for longer."""
    end = BEGIN + len(LEVELS) * (HOLD + RAMP) + 0.02
    grains = (f'{{ packing: {{ count = 500; cylinder: {{ radius = {TUBE!r}; height = {HEIGHT - 0.001!r}; }}; }}; material = "grain"; '
              f"radius = {scenes.vector(RADII)}; }}")
    for seed in bench.seeds:
        run = bench.run(f"seed = {seed};" + tube(end, grains), (), {"load.csv": load_table(0.0)})
        check_piston(bench, run)


def piston(run):
    with h5py.File(run.path) as file:
        return [file[f"boundaries/{name}/value"][:, 1, 2] for name in ("position", "force")]


def moved_with_more(bench, run, level):
    """How far the piston moves up to the end with four times the sweeps from the end of a level on."""
    start = reached(level)
    grains = f'{{ run: {{ path = "{run.path}"; at = {start!r}; keep = ["impulses", "material", "boundaries"]; }}; }}'
    more = bench.run(tube(run.times[-1] - start, grains), [f"solver.min_iterations={math.ceil(4 * run.sweeps)}", "solver.max_iterations=4000"],
                     {"load.csv": load_table(start)})
    place, _ = piston(more)
    return abs(place[0] - place[-1])


def check_piston(bench, run):
    """A chain of grains that is about to buckle does so for a slight reason, as grains weigh less and less against the load, and then
    the bed gives way by what the chain was long, however well steps are solved, but not always under the same load: the most of
    references that begin at three levels is allowed. What is due to errors of the solver is in none of them."""
    place, force = piston(run)
    moved = abs(place[int(np.argmin(abs(run.times - reached(166))))] - place[-1])
    more = max(moved_with_more(bench, run, level) for level in (166, 244, 322)) if moved > PISTON else 0.0
    bench.check("piston from 166 to 400 kPa, beyond that with 4 times the sweeps if it moves (mm)", 1e3 * max(moved - more, 0.0), 1e3 * PISTON, run,
                noticed=NOTICED)
    stress = force[-1] / (math.pi * TUBE**2)
    bench.check("stress on the piston off 400 kPa", abs(stress / 400e3 - 1), 0.01, run, noticed=NOTICED)
    check_solved(bench, run)


CASES = [
    *(Case(f"triaxial-{name}kPa", f"a dense sample of 1,000 strained by 3 % under {name} kPa", functools.partial(triaxial, stress=stress))
      for name, stress in (("1", 1e3), ("100", HIGH))),
    Case("triaxial-no-rolling", "the first 0.1 % of that without rolling friction", no_rolling),
    Case("triaxial-scaling", "the same test at 1 and 100 kPa", scaling),
    Case("pressed-rest", "a sample of 1,000 at rest under 100 kPa on all sides", functools.partial(rest, friction=0.05)),
    Case("oedometer-400kPa", "a piston on 500 grains in a tube, 10 to 400 kPa", oedometer, seeds=3),
]
