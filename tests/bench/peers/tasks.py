"""The common tasks: what is simulated, from which start, and how a result is judged.

All spheres have d = 0.02 m and 1300 kg/m^3, mu = 0.3, and do not bounce. A start
is an array with a row (x, y, z, time of release) for each sphere, a result one of shape (frames,
spheres, 3), nan for what has not been released.
"""
import dataclasses

import numpy as np
from scipy.spatial import cKDTree

DIAMETER = 0.02
RADIUS = DIAMETER / 2
DENSITY = 1300.0
MASS = DENSITY * np.pi / 6 * DIAMETER ** 3
GRAVITY = 9.81
FRICTION = 0.3
DROP = 10 * DIAMETER
INTERVAL = (2 * DIAMETER / GRAVITY) ** 0.5  # the sphere before has fallen by a diameter
SPACING, JITTER = 1.1 * DIAMETER, 0.04 * DIAMETER
SEED = 2021
QUALITY = 0.01  # interpenetration over d that is accepted


@dataclasses.dataclass(frozen=True)
class Task:
    """`seconds` of simulated time are timed, for a program named in `other` that many. Programs but
    pluvia do the same once before the clock starts where the start is a settled bed, to build up
    their springs."""
    name: str
    what: str
    count: int
    state: str  # pour: one by one on a plane; settle: a lattice in a box; rest: a settled bed
    seconds: float
    other: dict = dataclasses.field(default_factory=dict)
    programs: tuple = ("pluvia", "pluvia-fine", "lammps", "liggghts", "yade")
    settled: float = 0.0  # s of settling before a bed is taken to be at rest
    quick: float = 0.0    # share of the time that --quick takes, 0: left out

    def time(self, program, quick):
        return self.other.get(program, self.seconds) * (self.quick if quick else 1.0)

    @property
    def rolling(self):
        """mu_r (m): that of the paper's pile, and of the beds of bench.c."""
        return 1e-2 if self.state == "pour" else 1e-3

    @property
    def side(self):
        """Of the square box (m), None for a plane."""
        return None if self.state == "pour" else round(self.count ** (1 / 3)) * SPACING


REST = ("pluvia", "lammps", "liggghts", "yade")
ALL = ("pluvia", "pluvia-fine", "lammps", "liggghts", "yade", "siconos", "siconos-fine")
TASKS = [
    Task("pile-60", "60 spheres poured on a plane, 6 s", 60, "pour", 6.0,
         {"siconos": 3.0, "siconos-fine": 2.0}, ALL, quick=0.5),
    Task("pile-250", "250 spheres poured on a plane, 20 s", 250, "pour", 20.0),
    Task("settle-1000", "1,000 spheres fall together in a box, 1 s", 1000, "settle", 1.0, quick=1.0),
    Task("rest-1000", "1,000 spheres at rest in a box", 1000, "rest", 0.2, {"pluvia": 2.0}, REST, 1.5,
         quick=0.5),
    Task("rest-8000", "8,000 spheres near rest in a box", 8000, "rest", 0.1, {"pluvia": 0.5}, REST, 2.5,
         quick=0.5),
    Task("settle-8000", "8,000 spheres fall together in a box, 1 s", 8000, "settle", 1.0),
    Task("rest-64000", "64,000 spheres near rest in a box", 64000, "rest", 0.02,
         {"pluvia": 0.2, "yade": 0.01}, REST, 3.0),
]


def first_start(task):
    """Places of release above the plane, or the jittered lattice."""
    random = np.random.default_rng(SEED)
    start = np.zeros((task.count, 4))
    if task.state == "pour":
        start[:, :2] = random.uniform(-RADIUS, RADIUS, (task.count, 2))
        start[:, 2] = DROP
        start[:, 3] = INTERVAL * np.arange(task.count)
    else:
        n = round(task.count ** (1 / 3))
        z, y, x = np.meshgrid(*[np.arange(n)] * 3, indexing="ij")
        lattice = SPACING * (np.stack([x, y, z], axis=-1).reshape(-1, 3) + 0.5)
        start[:, :3] = lattice + random.uniform(-JITTER, JITTER, lattice.shape)
    return start


def overlap(task, x):
    """Largest interpenetration of the spheres at `x`, between them or with a wall, over d."""
    x = x[~np.isnan(x[:, 0])]
    if len(x) == 0:
        return 0.0
    deepest = RADIUS - x[:, 2].min()
    if task.side:
        deepest = max(deepest, RADIUS - x[:, :2].min(), x[:, :2].max() + RADIUS - task.side)
    pairs = cKDTree(x).query_pairs(DIAMETER, output_type="ndarray")
    if len(pairs):
        deepest = max(deepest, DIAMETER - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1).min())
    return max(deepest, 0.0) / DIAMETER


def judge(task, frames):
    """Numbers by which results are seen to be of equal quality; lengths over d."""
    last = frames[-1][~np.isnan(frames[-1][:, 0])]
    both = ~np.isnan(frames[0][:, 0])
    moved = np.linalg.norm(frames[-1][both] - frames[0][both], axis=1)
    return {
        "spheres": len(last),
        "overlap_end": overlap(task, frames[-1]),
        "overlap_frames": max(overlap(task, x) for x in frames),
        "mean_height": last[:, 2].mean() / DIAMETER,
        "moved": moved.mean() / DIAMETER if task.state == "rest" else None,
    }
