"""The common tasks: what is simulated, from which start, and how a result is judged.

All spheres have 1300 kg/m^3, mu = 0.3, and do not bounce; d = 0.02 m but for `radii-8000`. A result
is an array of shape (frames, spheres, 3), nan for what has not been released.
"""
import dataclasses
import math

import numpy as np
from scipy.spatial import cKDTree

DIAMETER = 0.02
RADIUS = DIAMETER / 2
DENSITY = 1300.0
GRAVITY = 9.81
FRICTION = 0.3
DROP = 10 * DIAMETER
INTERVAL = (2 * DIAMETER / GRAVITY) ** 0.5  # the sphere before has fallen by a diameter
SPACING, JITTER = 1.1, 0.04                 # of a lattice, over the largest diameter
SEED = 2021
TOUCHES = 1e-6                              # gap over d below which a pair is a contact
SHARE = 0.999                               # of the contacts of a moment
COARSE = "pluvia-2ms"                       # the name of pluvia with twice the step


@dataclasses.dataclass(frozen=True)
class Task:
    """`seconds` of simulated time are timed, for a program named in `other` that many. A window
    begins with what pluvia made of the first start in `before` seconds; where that is a bed at rest,
    programs with springs go through the window once more, to load them, and their rate is that of
    both."""
    name: str
    what: str
    state: str                  # pour: one by one on a plane; fall: from a lattice; rest: a settled bed
    counts: tuple               # of the lattice, or (number,)
    seconds: float
    other: dict = dataclasses.field(default_factory=dict)
    programs: tuple = ("pluvia", COARSE, "lammps", "liggghts")
    before: float = 0.0         # s
    sides: str = "xy"           # axes along which walls close the lattice in
    slope: float = 0.0          # degrees
    radii: tuple = (RADIUS, RADIUS)
    impacts: float = 0.0        # s at the start that are run once more, off the clock, to see impacts
    rests: bool = False         # comes to rest, so that walls have to bear the weight
    rolling: float = 1e-3       # mu_r (m)
    quick: float = 0.0          # share of the time that --quick takes, 0: left out

    def time(self, program, quick):
        own = "pluvia" if program == COARSE else program
        return self.other.get(own, self.seconds) * (self.quick if quick else 1.0)

    @property
    def count(self):
        return math.prod(self.counts)

    @property
    def walls(self):
        """Ends along x and y, where there are walls: {axis: (lower, upper)}."""
        spacing = SPACING * 2 * self.radii[1]
        return {a: (0.0, n * spacing) for a, n in zip("xy", self.counts) if a in self.sides}

    @property
    def gravity(self):
        """Acceleration (m/s^2); a slope leads down along x."""
        angle = math.radians(self.slope)
        return GRAVITY * np.array([math.sin(angle), 0.0, -math.cos(angle)])


SMALL = ("pluvia", COARSE, "lammps", "liggghts", "yade")
ALL = (*SMALL, "siconos", "siconos-fine")
PILE = {"sides": "", "impacts": 1.0, "rests": True, "rolling": 1e-2}
TASKS = [
    Task("pile-60", "60 spheres poured on a plane, 6 s", "pour", (60,), 6.0,
         {"siconos": 3.0, "siconos-fine": 2.0}, ALL, quick=0.5, **PILE),
    Task("pile-250", "250 spheres poured on a plane, 20 s", "pour", (250,), 20.0, programs=SMALL, **PILE),
    Task("settle-1000", "1,000 spheres fall together in a box, 1 s", "fall", (10, 10, 10), 1.0,
         programs=SMALL, rests=True, quick=1.0),
    Task("rest-1000", "1,000 spheres at rest in a box", "rest", (10, 10, 10), 0.2, {"pluvia": 2.0},
         SMALL, before=1.5, rests=True, quick=0.5),
    Task("settle-8000", "8,000 that fall together, the densest tenth of a second", "fall",
         (20, 20, 20), 0.1, before=0.3),
    Task("radii-8000", "8,000 of radii 1:4 that fall together, a tenth of a second", "fall",
         (32, 25, 10), 0.1, before=0.28, radii=(RADIUS / 2, 2 * RADIUS), rolling=0.0),
    Task("rest-8000", "8,000 spheres near rest in a box", "rest", (20, 20, 20), 0.1, {"pluvia": 0.5},
         before=2.5, rests=True, quick=0.5),
    Task("chute-20000", "20,384 spheres run down a chute of 30 degrees", "fall", (196, 13, 8), 0.1,
         before=0.5, sides="y", slope=30.0),
    Task("collapse-20000", "a block of 20,480 on a plane falls together and apart", "fall",
         (32, 32, 20), 0.1, before=0.2, sides=""),
    Task("settle-64000", "64,000 that fall together in a box", "fall", (40, 40, 40), 0.04, before=0.25),
    Task("rest-64000", "64,000 spheres near rest in a box", "rest", (40, 40, 40), 0.02, {"pluvia": 0.2},
         before=2.5, rests=True),
]


@dataclasses.dataclass
class State:
    """Spheres as a run begins with them."""
    x: np.ndarray       # m
    v: np.ndarray       # m/s
    w: np.ndarray       # rad/s
    radius: np.ndarray  # m
    time: np.ndarray    # of release (s)

    @property
    def mass(self):
        return DENSITY * 4 / 3 * np.pi * self.radius ** 3


def first_start(task):
    """Places of release above the plane, or the jittered lattice."""
    random = np.random.default_rng(SEED)
    n = task.count
    x, time = np.zeros((n, 3)), np.zeros(n)
    if task.state == "pour":
        x[:, :2] = random.uniform(-RADIUS, RADIUS, (n, 2))
        x[:, 2] = DROP
        time = INTERVAL * np.arange(n)
    else:
        largest = 2 * task.radii[1]
        z, y, x = np.meshgrid(*[np.arange(k) for k in task.counts[::-1]], indexing="ij")
        x = SPACING * largest * (np.stack([x, y, z], axis=-1).reshape(-1, 3) + 0.5)
        x += random.uniform(-JITTER * largest, JITTER * largest, x.shape)
    return State(x, np.zeros((n, 3)), np.zeros((n, 3)), random.uniform(*task.radii, n), time)


def overlaps(task, radius, x):
    """Overlap over the smaller diameter of all contacts, with walls too, from the centers alone."""
    here = ~np.isnan(x[:, 0])
    x, radius = x[here], radius[here]
    if len(x) == 0:
        return np.zeros(0)
    gaps = [(x[:, 2] - radius) / (2 * radius)]
    for axis, (lower, upper) in task.walls.items():
        along = x[:, "xyz".index(axis)]
        gaps += [(along - lower - radius) / (2 * radius), (upper - along - radius) / (2 * radius)]
    i, j = cKDTree(x).query_pairs(2.001 * radius.max(), output_type="ndarray").reshape(-1, 2).T
    apart = np.linalg.norm(x[i] - x[j], axis=1) - radius[i] - radius[j]
    gaps = np.concatenate([*gaps, apart / (2 * np.minimum(radius[i], radius[j]))])
    return np.maximum(-gaps[gaps <= TOUCHES], 0.0)


def bound(values):
    """What 99.9 % of the values do not exceed; with fewer than a thousand that is the largest."""
    return float(np.sort(values)[math.ceil(SHARE * len(values)) - 1]) if len(values) else 0.0


def worst_moment(task, radius, frames):
    return max(bound(overlaps(task, radius, x)) for x in frames)


def judge(task, radius, frames):
    """Numbers by which results are seen to be of equal quality; lengths over d."""
    last = frames[-1][~np.isnan(frames[-1][:, 0])]
    return {
        "frames": len(frames),
        "spheres": len(last),
        "overlap_worst_moment": worst_moment(task, radius, frames),
        "overlap_end": float(overlaps(task, radius, frames[-1]).max(initial=0.0)),
        "mean_height": last[:, 2].mean() / DIAMETER,
    }
