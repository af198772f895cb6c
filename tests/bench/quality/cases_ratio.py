"""Light under heavy: errors of the solver are judged by the light body, impulses by the heavy one."""
import functools

import numpy as np

import measures
import scenes
from common import Case
from scenes import DIAMETER, RADIUS


def tripod(bench, ratio):
    """A sphere of `ratio` small radii on three small ones that do not touch each other. Lines from
    contact to contact through a small sphere lean by less than 10 degrees (friction holds 26), so all
    stays where it is."""
    circle, big = 1.3 * RADIUS, ratio * RADIUS
    angles = 2 * np.pi / 3 * np.arange(3)
    bodies = [scenes.sphere([circle * np.cos(a), circle * np.sin(a), RADIUS]) for a in angles]
    top = RADIUS + ((big + RADIUS) ** 2 - circle ** 2) ** 0.5
    bodies.append(scenes.sphere([0, 0, top], big))
    run = bench.run(scenes.scene(3.0, bodies, friction=0.5, rolling=0.1 * RADIUS, interval=0.05))
    bench.check("the big one sank (small radii)", abs(top - run.x[-1, 3, 2]) / RADIUS, 0.05)
    bench.check("force of the floor off the weight", measures.force_error(run, 1.0), 1e-2)


def pair(bench, ratio):
    """Two equal spheres in a smooth tube that hardly leaves them room, the heavy one on top."""
    bodies = [scenes.sphere([0, 0, RADIUS], material="light"),
              scenes.sphere([0, 0, 3 * RADIUS], material="heavy")]
    text = scenes.scene(1.0, bodies, [scenes.tube(1.001 * RADIUS, 10 * RADIUS)], friction=0.0,
                        materials={"light": 1000.0, "heavy": 1000.0 * ratio}, interval=0.02)
    run = bench.run(text)
    deepest = max(measures.deepest_pair(run, k) for k in range(len(run.times)))
    floor = (RADIUS - run.x[:, :, 2].min()) / DIAMETER
    bench.check("overlap at any time (d)", max(deepest, floor, measures.overlaps(run).max(initial=0)), 0.01)
    bench.check("force of the floor off the weight", measures.force_error(run, 0.5), 1e-2)


# 5,400 small spheres, so wide that the largest boulder does not touch walls.
BED = [30, 30, 6]
SIDE = 30 * scenes.LOOSE


def bed(bench):
    walls = [scenes.box(SIDE, SIDE, 2.0)]
    text = scenes.scene(1.0, [scenes.lattice(BED)], walls, rolling=1e-3, contacts=False, interval=0.5)
    return bench.bed("wide-bed", text)


def boulder(bench, ratio):
    """A sphere of `ratio` small diameters is put on a bed; it sinks in until that bears it. One of 20 may
    stand on few grains and slip once more after 0.8 s, so it has 1.5 s."""
    x, big = bed(bench), ratio * RADIUS
    away = ((x[:, :2] - SIDE / 2) ** 2).sum(axis=1)
    under = away < (big + RADIUS) ** 2
    top = (x[under, 2] + np.sqrt((big + RADIUS) ** 2 - away[under])).max()
    bodies = [scenes.from_file(), scenes.sphere([SIDE / 2, SIDE / 2, top], big)]
    text = scenes.scene(1.5, bodies, [scenes.box(SIDE, SIDE, 2.0)], rolling=1e-3)
    run = bench.run(text, files={"start.csv": x})
    own = len(x)  # its number
    last = len(run.times) - 1
    bench.check("overlap of its contacts, deepest at any time (d)",
                measures.overlaps(run, body=own).max(initial=0), 0.05)
    bench.check("... at the end", measures.overlaps(run, last, own).max(initial=0), 0.01)
    bench.check("it still sinks (d/s)", measures.creep(run, 0.2, body=own), 1e-2)
    bench.check("force of the walls off the weight", measures.force_error(run, 0.2), 1e-2)
    measures.check_worst_moment(bench, run)


def check_mixture(bench, run):
    measures.check_overlaps(bench, run)
    bench.check("overlap, deepest at any time (d)", measures.overlaps(run).max(initial=0), 0.05)
    bench.check("force of the walls off the weight", measures.force_error(run, 0.1), 1e-2)


def radii(bench, smallest):
    """4,096 spheres of all radii up to the largest fall together; d is the smaller of a pair."""
    spread = f"[{smallest * RADIUS!r}, {RADIUS!r}]"
    side = 16 * scenes.LOOSE
    bodies = [scenes.lattice([16, 16, 16], radius=spread)]
    check_mixture(bench, bench.run(scenes.scene(1.0, bodies, [scenes.box(side, side, 2.0)], rolling=1e-4)))


def splash(bench):
    """Eight spheres of ten radii, each a thousand times as heavy, fall on 4,000 that fall, too."""
    side, big = 20 * scenes.LOOSE, 10 * RADIUS
    bodies = [scenes.lattice([20, 20, 10]),
              scenes.lattice([2, 2, 2], side / 2, 0.0, repr(big),
                             [side / 4, side / 4, 10 * scenes.LOOSE + big + RADIUS])]
    check_mixture(bench, bench.run(scenes.scene(1.0, bodies, [scenes.box(side, side, 4.0)], rolling=1e-4)))


CASES = [
    *(Case(f"tripod-{n}", f"a sphere of {n} radii on three small ones, mass ratio {n ** 3:.0e}",
           functools.partial(tripod, ratio=n), quick=n in (3, 10, 100)) for n in (3, 5, 10, 20, 50, 100)),
    *(Case(f"pair-1e{k}", f"two spheres in a tube, the upper one 1e{k} times as heavy",
           functools.partial(pair, ratio=10.0 ** k), quick=k in (1, 3, 6)) for k in range(1, 7)),
    *(Case(f"boulder-{n}", f"a boulder of {n} d is put on 5,400 spheres",
           functools.partial(boulder, ratio=n)) for n in (5, 10, 20)),
    Case("radii-4", "4,096 spheres of radii 1:4 fall together", functools.partial(radii, smallest=0.25)),
    Case("radii-10", "4,096 spheres of radii 1:10 fall together", functools.partial(radii, smallest=0.1)),
    Case("splash", "eight spheres of ten radii fall on 4,000 small ones", splash),
]
