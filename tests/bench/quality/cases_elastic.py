"""A ball hits others that touch each other: no law says who flies where, but energy has to be right.

Contacts that were closing part with e times the speed, others with pressure do not move: without
friction the energy before and after is exactly the same for e = 1, and never more for any e.
"""
import functools

import numpy as np

import measures
import scenes
from common import Case
from scenes import DIAMETER, GRAVITY, RADIUS

SPEED = 1.0
SECONDS = 0.1
LIMIT = 1e-3


def row(count):
    """Centers of `count` balls in a line from the origin along x."""
    return [[i * DIAMETER, 0.0, RADIUS] for i in range(count)]


def rack(count):
    """Balls in a triangle, point first, as for billiards; as many rows as `count` takes."""
    centers, k = [], 0
    while len(centers) < count:
        centers += [[k * DIAMETER * 3 ** 0.5 / 2, (j - k / 2) * DIAMETER, RADIUS] for j in range(k + 1)]
        k += 1
    return centers[:count]


def shoot(bench, centers, restitution, friction=0.0, gravity=0.0, wall_friction=None, aside=0.0):
    """One more ball comes along x and is half a diameter away. Energies over that of the start."""
    bodies = [scenes.sphere(x) for x in centers]
    bodies.append(scenes.sphere([-1.5 * DIAMETER, aside, RADIUS], velocity=[SPEED, 0, 0]))
    text = scenes.scene(SECONDS, bodies, [scenes.FLOOR] if gravity else [], friction=friction,
                        restitution=restitution, wall_friction=wall_friction, gravity=gravity,
                        interval=1e-3, contacts=False,
                        quantities=("position", "velocity", "angular_velocity"))
    run = bench.run(text)
    energy = measures.energies(run, gravity)
    rest = gravity * run.mass.sum() * RADIUS  # of position, all on the floor
    return (energy - rest) / (energy[0] - rest)


def check_growth(bench, energy):
    """At no time more than at any time before."""
    growth = (energy - np.minimum.accumulate(energy)).max()
    bench.check("energy grows (share of the start)", growth, LIMIT)


def single(bench, restitution):
    """Two balls, in closed form: (1 + e^2)/2 of the energy is left."""
    energy = shoot(bench, row(1), restitution)
    bench.check("energy off the closed form", abs(energy[-1] - (1 + restitution ** 2) / 2), LIMIT)


def kept(bench, centers, gravity=0.0):
    energy = shoot(bench, centers, 1.0, gravity=gravity)
    bench.check("energy changes (share of the start)", abs(energy - 1).max(), LIMIT)


def lost(bench, centers, restitution, friction=0.0, gravity=0.0, aside=0.0):
    check_growth(bench, shoot(bench, centers, restitution, friction, gravity, aside=aside))


def cradle(bench):
    """Five balls with gaps of 1e-6 m, which is less than what any moves in a step."""
    centers = np.array(row(5))
    centers[:, 0] += 1e-6 * np.arange(5)
    kept(bench, centers.tolist())


def case(name, about, function, quick=True, **arguments):
    return Case(name, about, functools.partial(function, **arguments), quick=quick)


ROWS, RACKS = (2, 3, 5, 10, 20), (3, 6, 10, 15)
CASES = [
    *(case(f"ball-{e}", f"a ball hits another, e = {e}", single, restitution=e) for e in (1.0, 0.9, 0.5, 0.0)),
    *(case(f"row-{n}", f"a ball hits a row of {n}, e = 1", kept, centers=row(n)) for n in ROWS),
    *(case(f"row-{n}-floor", "the same on a smooth floor under gravity", kept, centers=row(n),
           gravity=GRAVITY) for n in ROWS),
    *(case(f"rack-{n}", f"a ball hits {n} in a triangle, e = 1", kept, centers=rack(n)) for n in RACKS),
    *(case(f"rack-{n}-floor", "the same on a smooth floor under gravity", kept, centers=rack(n),
           gravity=GRAVITY) for n in RACKS),
    case("cradle-5", "a ball hits a row of 5 with gaps of 1e-6 m, e = 1", cradle),
    *(case(f"row-{n}-0.9", f"a ball hits a row of {n}, e = 0.9", lost, centers=row(n), restitution=0.9)
      for n in ROWS),
    *(case(f"rack-{n}-0.9", f"a ball hits {n} in a triangle, e = 0.9", lost, centers=rack(n),
           restitution=0.9) for n in RACKS),
    *(case(f"rack-{n}-rough", f"a ball hits {n} in a triangle off the middle, e = 1, mu = 0.3", lost,
           centers=rack(n), restitution=1.0, friction=0.3, aside=0.3 * RADIUS) for n in RACKS),
    *(case(f"rack-{n}-rough-floor", "the same on a rough floor under gravity", lost, centers=rack(n),
           restitution=1.0, friction=0.3, gravity=GRAVITY, aside=0.3 * RADIUS) for n in RACKS),
]
