"""Depth: many layers, whose lowest contacts bear a hundred times the weight of a sphere."""
import functools

import measures
import scenes
from common import Case
from scenes import DIAMETER

WIDTH = 8                                                   # spheres along each side
SETTLED = {20: 3.0, 40: 4.0, 80: 6.0, 160: 9.0, 320: 14.0}  # s until waves and late slips have died out
REST = 0.5                                                  # s at the end in which nothing may move


def check_rest(bench, run):
    bench.check("the bed still sinks (d/s)", measures.creep(run, REST), 1e-3, run)
    bench.check("force of the walls off the weight", measures.force_error(run, REST), 1e-3, run)
    measures.check_overlaps(bench, run)


def check_cold(bench, run, bed):
    """The bed where it has come to rest, but without impulses to begin with."""
    again = bench.run(bed(0.2), files={"start.csv": run.x[-1]})
    sank = abs(again.x[0, :, 2].mean() - measures.mean_height(again) * DIAMETER)
    bench.check("begun anew without impulses, sinks in 0.2 s (d)", sank / DIAMETER, 0.01, again)


def layers(bench, count, rough):
    side = WIDTH * scenes.LOOSE
    walls = [scenes.box(side, side, 1.2 * count * DIAMETER)]

    def bed(end, bodies=scenes.from_file()):
        return scenes.scene(end, [bodies], walls, rolling=1e-3, interval=0.05,
                            wall_friction=None if rough else 0.0)

    run = bench.run(bed(SETTLED[count], scenes.lattice([WIDTH, WIDTH, count])))
    check_rest(bench, run)
    check_cold(bench, run, bed)


def column(bench):
    """1,500 spheres fall into a smooth tube of six diameters: some fifty layers."""
    d = DIAMETER
    walls = [scenes.tube(3 * d, 110 * d)]
    poured = scenes.packing_in_tube(1500, 3 * d, 100 * d)

    def bed(end, bodies=scenes.from_file()):
        return scenes.scene(end, [bodies], walls, rolling=1e-3, interval=0.05, wall_friction=0.0)

    run = bench.run(bed(3.0, poured))
    check_rest(bench, run)
    check_cold(bench, run, bed)


CASES = [
    *(Case(f"layers-{n}-{kind}", f"{n} layers of 64 spheres settle between {kind} walls",
           functools.partial(layers, count=n, rough=kind == "rough"), quick=n == 20, long=n > 160)
      for n in SETTLED for kind in ("smooth", "rough")),
    Case("tube", "1,500 spheres fall into a smooth tube of six diameters", column, quick=True),
]
