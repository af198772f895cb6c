"""Cold starts: spheres that touch, or nearly, and bear each other, but no impulses to begin with.
All stand in equilibrium, so all have to stay."""
import functools

import numpy as np

import measures
import scenes
from common import Case
from scenes import DIAMETER, RADIUS

SECONDS = 0.2
WAYS = {"default": (), "1e-6": ("solver.tolerance=1e-6",)}


def check_both(bench, text, files=(), limit=0.01):
    """At the default tolerance and a sharper one, which may not be worse."""
    ways = {name: bench.run(text, settings, files) for name, settings in WAYS.items()}
    far = {name: measures.moved(run) for name, run in ways.items()}
    for name, run in ways.items():
        bench.check(f"moved in {SECONDS} s, tolerance {name} (d)", far[name], limit, run)
    bench.check("... by how much more at the sharper one", max(far["1e-6"] - far["default"], 0.0), 1e-4)


def column(bench, count, gaps, seed=None):
    """Each sphere above the one before. `gaps` over d: all the same, with a seed anything up to it."""
    free = np.full(count, gaps * DIAMETER)
    if seed is not None:
        free *= np.random.default_rng(seed).random(count)
    z = RADIUS + DIAMETER * np.arange(count) + np.cumsum(free)
    x = np.stack([0 * z, 0 * z, z], axis=1)
    text = scenes.scene(SECONDS, [scenes.from_file()], interval=0.02, contacts=False)
    check_both(bench, text, {"start.csv": x})


def cubic():
    """Columns side by side."""
    return RADIUS + DIAMETER * np.indices((10, 10, 10)).reshape(3, -1).T


def face_centered():
    """Square layers of 10 x 10 and 9 x 9 in turn, each sphere on four others."""
    layers = []
    for k in range(10):
        n = 10 - k % 2
        plane = RADIUS * (1 + k % 2) + DIAMETER * np.indices((n, n)).reshape(2, -1).T
        layers.append(np.column_stack([plane, np.full(n * n, RADIUS + k * DIAMETER / 2 ** 0.5)]))
    return np.concatenate(layers)


def crystal(bench, places, gaps=0.0):
    """In a box that it fills. With `gaps` all is larger by so much and each sphere out of its place by up
    to a third of that (over d): as another program would have left it, none overlap."""
    x = places()
    shift = gaps / 3 * DIAMETER * np.random.default_rng(1).uniform(-1, 1, x.shape) / 3 ** 0.5
    width = 10 * DIAMETER * (1 + gaps) + gaps * DIAMETER
    text = scenes.scene(SECONDS, [scenes.from_file()], [scenes.box(width, width, 1.0)],
                        interval=0.02, contacts=False)
    check_both(bench, text, {"start.csv": x * (1 + gaps) + shift + gaps * DIAMETER / 2})


def rounded(bench):
    """A settled bed whose places were written with so few digits that they are off by 1e-5 d."""
    side = 10 * scenes.LOOSE

    def text(end, bodies):
        return scenes.scene(end, [bodies], [scenes.box(side, side, 1.0)], rolling=1e-3, interval=0.02,
                            contacts=False)

    x = bench.bed("bed-1000", text(1.5, scenes.lattice([10, 10, 10])))
    unit = 2e-5 * DIAMETER
    run = bench.run(text(SECONDS, scenes.from_file()), files={"start.csv": np.round(x / unit) * unit})
    sank = np.abs(run.x[-1, :, 2] - run.x[0, :, 2]).mean() / DIAMETER
    bench.check("moved up or down in 0.2 s, mean (d)", sank, 0.01)


CASES = [
    *(Case(f"column-{n}-{gap}", f"{n} spheres, one on the other, gaps of {gap} d",
           functools.partial(column, count=n, gaps=float(gap)), quick=True)
      for n in (50, 200) for gap in ("0", "1e-8")),
    Case("column-200-random", "200 spheres, one on the other, gaps up to 1e-6 d",
         functools.partial(column, count=200, gaps=1e-6, seed=1), quick=True),
    Case("cubic", "1,000 spheres, columns side by side, all touching",
         functools.partial(crystal, places=cubic), quick=True),
    Case("cubic-gaps", "the same with gaps up to 2e-6 d", functools.partial(crystal, places=cubic, gaps=1e-6),
         quick=True),
    Case("fcc", "905 spheres, each on four others, all touching",
         functools.partial(crystal, places=face_centered), quick=True),
    Case("fcc-gaps", "the same with gaps up to 2e-6 d",
         functools.partial(crystal, places=face_centered, gaps=1e-6), quick=True),
    Case("rounded", "a settled bed of 1,000, places rounded to 2e-5 d", rounded),
]
