#!/usr/bin/python3
"""Element tests of pressed samples at the defaults: is their stress, and is their void ratio, that of runs with more sweeps?

    tests/bench/quality/elements.py --csv elements.csv [--seeds 2]     continues the file: 300 grains, some minutes of one core a seed
    tests/bench/quality/elements.py --page elements.csv                the table

Tests that are strained (triaxial compression in a cell and between servo walls, simple shear, cyclic loading) at four inertial
numbers, isotropic compression, an oedometer and rest under load without one, at 1 to 1000 kPa, with the step that `check`
advises, each against the same run with four times the sweeps in every step, 16 times at 1e-5. Scaled by d sqrt(rho / sigma) the four stresses are one test, so
that what differs between their references is chance: beds are chaotic, and means over all runs of a line tell, not single pairs.

A row of the file is one pair of runs. `ratio`: axial over radial stress, shear over normal stress, or of tests in which a stress presses
all sides the mean stress over that of the scene. `moved`: at rest the speed of the volume (1/s), of an oedometer how far its piston
moves beyond 0.4 of the largest stress, less what it does so with four times the sweeps (m)."""
import collections
import dataclasses
import math
import pathlib
import re
import statistics
import tempfile
import types

import h5py
import numpy as np

import cases_pressed as pressed
import continued
import scenes
from common import ROOT, Bench, Beds, Case

COUNT, SIDE = 300, 0.034  # m: a loose cube
SCALE = pressed.D * math.sqrt(pressed.DENSITY / 100e3)  # s, at 100 kPa
STEP = 9e-5  # s at 100 kPa: what `check` advises for grains of 3 mm
STRESSES = (1e3, 10e3, 100e3, 1e6)  # Pa
STRAINS = {1e-5: 0.0005, 1e-4: 0.005, 1e-3: 0.02, 1e-2: 0.15}  # by inertial number
SOFT = 0.05  # friction of samples while they are made: dense ones
FIELDS = ["test", "inertial", "kpa", "seed", "sweeps", "steps", "missed", "worst", "ratio", "ratio_4", "void", "void_4", "moved", "cpu_s"]
GRAINS = f'material = "grain"; radius = {scenes.vector(pressed.RADII)};'


def packing(side):
    return f"{{ packing: {{ count = {COUNT}; box = [[0, 0, 0], {scenes.vector([side] * 3)}]; }}; {GRAINS} }}"


def sample(bench, seed):
    """Rows x, y, z, radius of a dense sample that 1 kPa have pressed, and the edges of its cell."""
    text = f"seed = {seed};" + pressed.scene(0.5, 2.5e-4, packing(SIDE), pressed.cell([SIDE] * 3, [1e3] * 3), SOFT, 0.0)
    rows = bench.bed("element", text, settings=("solver.min_iterations=50",), sample=True)
    return rows[:-1], rows[-1, :3]


def walls(edges, servo, lid):
    """Floor and smooth walls around a sample; `servo` holds for two sides, `lid` is what the lid does."""
    x, y, z = edges
    planes = [("floor", [0, 0, 0], [0, 0, 1], ""), ("left", [0, 0, 0], [1, 0, 0], ""), ("front", [0, 0, 0], [0, 1, 0], ""),
              ("right", [x, 0, 0], [-1, 0, 0], servo), ("back", [0, y, 0], [0, -1, 0], servo), ("lid", [0, 0, z], [0, 0, -1], lid)]
    return "boundaries = ( " + ", ".join(
        f'{{ plane: {{ center = {scenes.vector(at)}; normal = {scenes.vector(normal)}; }}; material = "wall"; name = "{name}"; {does} }}'
        for name, at, normal, does in planes) + " );"


def servo(stress):
    return f"servo: {{ mass = 0.02; stress = {stress!r}; speed = {math.sqrt(stress / 1e3)!r}; }};"


def box_sample(bench, seed):
    """The same between walls, three of which press."""
    text = f"seed = {seed};" + pressed.scene(0.5, 2.5e-4, packing(SIDE), friction=SOFT, rolling=0.0,
                                             boundaries=walls([SIDE] * 3, servo(1e3), servo(1e3)))
    path = bench.beds.folder / f"element-box-{seed}.npy"
    if not path.exists():
        run = bench.call(text, ("solver.min_iterations=50",), {}, bench.folder / "box")
        np.save(path, np.vstack([np.column_stack([run.x[-1], run.radius]), [*(Box(run).edges[-1]), 0.0]]))
    rows = np.load(path)
    return rows[:-1], rows[-1, :3]


class Box:
    """As Cell, of a box whose walls move."""

    def __init__(self, run):
        with h5py.File(run.path) as file:
            names = [name.decode() for name in file["boundaries/names"][:]]
            place, force = file["boundaries/position/value"][:], file["boundaries/force/value"][:]
        right, back, lid = (names.index(name) for name in ("right", "back", "lid"))
        self.edges = np.column_stack([place[:, right, 0], place[:, back, 1], place[:, lid, 2]])
        area = self.edges.prod(axis=1)[:, None] / self.edges
        on = np.abs(np.column_stack([force[:, right, 0], force[:, back, 1], force[:, lid, 2]])) / area
        late = np.arange(len(on)) > len(on) // 2
        void = self.edges.prod(axis=1) / (4 / 3 * math.pi * run.radius**3).sum() - 1
        self.ratio, self.late_void = on[late, 2].mean() / on[late, :2].mean(), void[late].mean()


class Sheared(pressed.Cell):
    def __init__(self, run):
        super().__init__(run)
        with h5py.File(run.path) as file:
            shear = np.abs(file["observables/cell_stress_xz/value"][:])
        late = np.arange(len(shear)) > len(shear) // 2
        self.ratio = shear[late].mean() / self.stress[late, 2].mean()


class Pressed(pressed.Cell):
    """The mean stress over that of the scene, of the last tenth, for a bed still falls together before."""

    def __init__(self, run, stress):
        super().__init__(run)
        late = np.arange(len(self.void)) > 0.9 * len(self.void)
        self.ratio, self.late_void = self.stress[late].mean() / stress, self.void[late].mean()


@dataclasses.dataclass
class Test:
    """`slow`: times are so many times shorter than at 100 kPa. `seconds`: of the run, `rate`: of the strain (1/s)."""
    bench: Bench
    stress: float
    seed: int
    number: float

    @property
    def slow(self):
        return math.sqrt(self.stress / 100e3)

    @property
    def rate(self):
        return self.number / SCALE * self.slow

    def scene(self, seconds, bodies, cell="", **more):
        return f"seed = {self.seed};" + pressed.scene(seconds, STEP / self.slow, bodies, cell, **more)

    def strained(self):
        return STRAINS[self.number] / self.rate


def in_cell(t):
    rows, size = sample(t.bench, t.seed)
    cell = pressed.cell(size, [t.stress, t.stress, 0], [0, 0, -t.rate])
    return t.scene(t.strained(), pressed.FROM_FILE, cell), rows, pressed.Cell


def in_box(t):
    rows, edges = box_sample(t.bench, t.seed)
    lid = f"motion: {{ velocity = [0, 0, {-t.rate * edges[2]!r}]; }};"
    return t.scene(t.strained(), pressed.FROM_FILE, boundaries=walls(edges, servo(t.stress), lid)), rows, Box


def simple_shear(t):
    rows, size = sample(t.bench, t.seed)
    cell = f"cell: {{ size = {scenes.vector(size)}; shear_rate = {2 * t.rate!r}; stress = [0, 0, {t.stress!r}]; }};"
    return t.scene(t.strained(), pressed.FROM_FILE, cell), rows, Sheared


def cyclic(t):
    """Two cycles of compression and extension; the second one counts."""
    rows, size = sample(t.bench, t.seed)
    part = t.strained() / 4
    stages = ", ".join(f'{{ name = "half{k}"; cell: {{ strain_rate = [0, 0, {(-1) ** (k + 1) * t.rate!r}]; }}; until: {{ duration = {part!r}; }}; }}'
                       for k in range(4))
    cell = pressed.cell(size, [t.stress, t.stress, 0], [0, 0, -t.rate])
    return t.scene(1.01 * t.strained(), pressed.FROM_FILE, cell) + f"stages = ( {stages} );", rows, pressed.Cell


def isotropic(t):
    cell = pressed.cell([SIDE] * 3, [t.stress] * 3)
    return t.scene(0.05 / t.slow, packing(SIDE), cell), None, lambda run: Pressed(run, t.stress)


def rest(t):
    """A loose sample has come to rest and is left alone."""
    rows, size = sample(t.bench, t.seed)
    return t.scene(0.06 / t.slow, pressed.FROM_FILE, pressed.cell(size, [t.stress] * 3), friction=SOFT, rolling=0.0), rows, lambda run: Pressed(run, t.stress)


STRAINED = {"triaxial, cell": in_cell, "triaxial, walls": in_box, "simple shear": simple_shear, "cyclic": cyclic}
OTHERS = {"isotropic": isotropic, "rest": rest}
TUBE, HEIGHT, LOADS = 0.018, 0.045, (0.1, 0.4, 1.0)  # m, shares of the largest stress
BEGIN, HOLD, RAMP = 0.08, 0.02, 0.01  # s at 100 kPa


def tube(t, seconds, grains, begin):
    """A piston on grains in a tube whose stress rises by levels; the time before `begin` is cut off."""
    rows = []
    for k, level in enumerate(LOADS):
        start = BEGIN + k * (HOLD + RAMP)
        rows += [(start if k else 0.0, level), (start + HOLD, level)]
    table = "t, share\n" + "".join(f"{max(at - begin, 0) / t.slow!r}, {level!r}\n" for at, level in rows if at > begin - 1e-9)
    boundaries = (f'boundaries = ( {{ cylinder: {{ radius = {TUBE!r}; height = {HEIGHT!r}; }}; material = "wall"; name = "tube"; }}, '
                  f'{{ disc: {{ center = [0, 0, {HEIGHT!r}]; normal = [0, 0, -1]; radius = {TUBE!r}; }}; material = "wall"; name = "piston"; '
                  f'servo: {{ mass = 0.02; stress = {t.stress!r}; table = "load.csv"; speed = {0.25 * t.slow!r}; }}; }} );')
    return t.scene(seconds / t.slow, grains, boundaries=boundaries), {"load.csv": table}


def pushed(run, t, begin):
    """Where the piston is at the first level but one, how far it comes from there, the stress at the end and the void ratio."""
    place, force = pressed.piston(run)
    first = int(np.argmin(abs(run.times - (BEGIN + HOLD + RAMP + HOLD - begin) / t.slow)))
    area = math.pi * TUBE**2
    return abs(place[first] - place[-1]), force[-1] / area / t.stress, place[-1] * area / (4 / 3 * math.pi * run.radius**3).sum() - 1


def oedometer(t):
    end = BEGIN + len(LOADS) * (HOLD + RAMP)
    grains = f"{{ packing: {{ count = {COUNT}; cylinder: {{ radius = {TUBE!r}; height = {HEIGHT - 0.001!r}; }}; }}; {GRAINS} }}"
    text, files = tube(t, end, grains, 0.0)
    run = t.bench.run(text, (), files)
    begin = run.times[int(np.argmin(abs(run.times - (BEGIN + 2 * HOLD + RAMP) / t.slow)))] * t.slow
    kept = f'{{ run: {{ path = "{run.path}"; at = {begin / t.slow!r}; keep = ["impulses", "material", "boundaries"]; }}; }}'
    text, files = tube(t, end - begin, kept, begin)
    more = t.bench.run(text, sharper(run), files)
    (way, ratio, void), (way_4, ratio_4, void_4) = pushed(run, t, 0.0), pushed(more, t, begin)
    return run, [ratio, ratio_4, void, void_4, max(way - way_4, 0.0)]


def sharper(run, number=None):
    """Four times the sweeps; of strain so slow that those are no reference, 16 times (src/tried.md, "Slow strain")."""
    times = 16 if number and number < 5e-5 else 4
    return [f"solver.min_iterations={math.ceil(times * run.sweeps)}", f"solver.max_iterations={1000 * times}"]


def creep(run):
    """Speed of the volume from a third of the run on."""
    volume = pressed.Cell(run).edges.prod(axis=1)
    first = len(volume) // 3
    return abs(math.log(volume[-1] / volume[first])) / (run.times[-1] - run.times[first])


def pair(name, t):
    """The first run, and what the two came to."""
    if name == "oedometer":
        return oedometer(t)
    text, rows, measure = {**STRAINED, **OTHERS}[name](t)
    files = {} if rows is None else {"start.csv": rows}
    run = t.bench.run(text, (), files)
    found, known = (measure(x) for x in (run, t.bench.run(text, sharper(run, t.number), files)))
    return run, [found.ratio, known.ratio, found.late_void, known.late_void, creep(run) if name == "rest" else 0.0]


def run_missing(arguments):
    rows = continued.Rows(arguments.csv, FIELDS, 4)
    options = types.SimpleNamespace(program=arguments.program, set=[], seeds=None, strict=False)
    beds = Beds(ROOT / "build/quality")
    tests = [(name, number) for number in arguments.numbers for name in STRAINED] + [(name, None) for name in (*OTHERS, "oedometer")]
    tests = [test for test in tests if not arguments.tests or test[0] in arguments.tests]
    for seed in range(1, arguments.seeds + 1):
        for name, number in tests:
            for stress in STRESSES:
                key = (name, f"{number:g}" if number else "", f"{stress / 1e3:g}", seed)
                if rows.has(*key):
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    run, values = pair(name, Test(Bench(Case("elements", "", None), options, pathlib.Path(folder), beds), stress, seed, number))
                    worst = re.search(r"errors up to ([\d.e+-]+) times", run.text)
                    values = [run.sweeps, run.steps, run.missed, float(worst[1]) if worst else 1.0, *values, run.seconds]
                    rows.add(key, [f"{v:.6g}" for v in values])


HEAD = ["test", "I", "pairs", "seeds", "ratio", "off (%)", "1; 10; 100; 1000 kPa", "void ratio off", "chance (%; void)", "sweeps", "missed (%)",
        "worst", "moves"]


def of_references(rows, key):
    """Standard deviation over the stresses of a seed, mean over seeds."""
    by_seed = collections.defaultdict(list)
    for row in rows:
        by_seed[row["seed"]].append(row[key])
    return statistics.mean(statistics.stdev(v) for v in by_seed.values() if len(v) > 1)


def mean_off(rows, values):
    """Mean and its standard error, of runs or of seeds, whichever is larger: in short runs those of a seed are not independent."""
    by_seed = collections.defaultdict(list)
    for row, value in zip(rows, values):
        by_seed[row["seed"]].append(value)
    mean, error = continued.spread(values)
    return mean, max(error, continued.spread([statistics.mean(v) for v in by_seed.values()])[1]) if len(by_seed) > 1 else math.nan


def line(name, number, rows):
    by_stress = collections.defaultdict(list)
    for row in rows:
        by_stress[row["kpa"]].append(100 * (row["ratio"] / row["ratio_4"] - 1))
    off, void = [100 * (r["ratio"] / r["ratio_4"] - 1) for r in rows], [r["void"] - r["void_4"] for r in rows]
    chance = [of_references(rows, k) for k in ("ratio_4", "void_4")]
    mean = statistics.mean(r["ratio"] for r in rows)
    moves = {"rest": f"{max(r['moved'] for r in rows):.1e} /s", "oedometer": f"{1e3 * max(r['moved'] for r in rows):.4f} mm"}
    return [name, f"{number:.0e}" if number else "", f"{len(rows)}", f"{len({r['seed'] for r in rows})}", f"{mean:.3f}", continued.with_error(*mean_off(rows, off), ".2f", "+"),
            "; ".join(f"{statistics.mean(v):+.1f}" for _, v in sorted(by_stress.items())),
            continued.with_error(*mean_off(rows, void), ".4f", "+"),
            f"{100 * chance[0] / mean:.1f}; {chance[1]:.4f}", f"{statistics.mean(r['sweeps'] for r in rows):.0f}",
            f"{100 * sum(r['missed'] for r in rows) / sum(r['steps'] for r in rows):.2f}", f"{max(r['worst'] for r in rows):.2g}", moves.get(name, "")]


def page(path):
    """A line for each test and inertial number."""
    found = collections.defaultdict(list)
    for row in continued.read(path):
        number = float(row["inertial"]) if row["inertial"] else 0.0
        found[row["test"], number].append({k: float(v) for k, v in row.items() if k not in ("test", "inertial")})
    order = [*STRAINED, *OTHERS, "oedometer"]
    return continued.table([HEAD, *(line(*key, rows) for key, rows in sorted(found.items(), key=lambda item: (order.index(item[0][0]), item[0][1])))])


def add(parser):
    parser.add_argument("--tests", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--numbers", nargs="+", type=float, default=sorted(STRAINS, reverse=True), metavar="I", help="inertial numbers")


if __name__ == "__main__":
    continued.main(__doc__, run_missing, page, 2, add)
