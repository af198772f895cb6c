"""A light sphere (or three) between a heavy one and the floor: whatever goes wrong, it must not leave through the
floor while the run says nothing."""
import functools
import math

import scenes
from common import NOTICED, Case
from scenes import RADIUS

FLOORS = {
    "plane": scenes.FLOOR,
    "plate": "plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [10, 10]; }",
    "box": "box: { lower = [-5, -5, 0]; upper = [5, 5, 10]; }",
}
SECONDS = 0.5
LIGHT = [scenes.sphere([0, 0, RADIUS])]
CIRCLE = 1.3 * RADIUS
THREE = [scenes.sphere([CIRCLE * math.cos(a), CIRCLE * math.sin(a), RADIUS])
         for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]


def check_inside(bench, above, floor, materials, gravity=scenes.GRAVITY, light=LIGHT):
    """Every step is looked at. In either order of the two, for that is the order of sweeps; and also
    without the limit to overlaps, so that the passage itself has to be noticed. What counts is the
    worst of the runs that say nothing."""
    depths = {}
    n = len(light)
    for own, bodies in ((slice(0, n), light + [above]), (slice(1, n + 1), [above] + light)):
        text = scenes.scene(SECONDS, bodies, [FLOORS[floor]], materials=materials, interval=1e-3,
                            contacts=False, gravity=gravity)
        for settings in ((), ("limits.penetration=1e3",)):
            run = bench.run(text, settings)
            depths[run] = 1 - run.x[:, own, 2].min() / RADIUS
    judged = [run for run in depths if not run.says(NOTICED if bench.options.strict else 0.0)] or list(depths)
    worst = max(judged, key=depths.get)
    bench.check("a light one into the floor, worst of 4 runs, 1: its center (r)", depths[worst], 1.0, worst)


def heavy(ratio):
    return {"grain": 1000.0, "heavy": 1000.0 * ratio}


def press(bench, floor, ratio, speed=0.0):
    """A heavy sphere of the same size stands on the light one, or falls on it from half a diameter."""
    gap = RADIUS if speed else 0.0
    above = scenes.sphere([0, 0, 3 * RADIUS + gap], material="heavy", velocity=[0, 0, -speed])
    check_inside(bench, above, floor, heavy(ratio))


def push(bench, floor, ratio):
    """Without gravity the heavy one comes slowly, a step moves it by 1e-2 radii."""
    above = scenes.sphere([0, 0, 3.5 * RADIUS], material="heavy", velocity=[0, 0, -10 * RADIUS])
    check_inside(bench, above, floor, heavy(ratio), gravity=0.0)


def large(bench, floor, ratio):
    """The heavy one is of the same material and `ratio` times as large."""
    above = scenes.sphere([0, 0, (2 + ratio) * RADIUS], ratio * RADIUS)
    check_inside(bench, above, floor, heavy(1.0))


def wedge(bench, floor, ratio, gravity=scenes.GRAVITY, speed=0.0):
    """... and stands on three, which it presses down and apart; or comes slowly, without gravity."""
    top = RADIUS + ((ratio + 1) ** 2 * RADIUS ** 2 - CIRCLE ** 2) ** 0.5
    gap = 0.5 * RADIUS if speed else 0.0
    above = scenes.sphere([0, 0, top + gap], ratio * RADIUS, velocity=[0, 0, -speed])
    check_inside(bench, above, floor, heavy(1.0), gravity, THREE)


def case(name, about, function, quick, **arguments):
    return Case(name, about, functools.partial(function, **arguments), quick=quick)


CASES = [case(*entry, floor=floor, **arguments) for floor in FLOORS for *entry, arguments in (
    (f"press-{floor}-1e3", f"a sphere 1e3 times as heavy stands on a light one on a {floor}", press, True,
     {"ratio": 1e3}),
    (f"press-{floor}-1e6", "... 1e6 times as heavy", press, True, {"ratio": 1e6}),
    (f"drop-{floor}-1e3", f"a sphere 1e3 times as heavy hits a light one on a {floor} at 1 m/s", press, False,
     {"ratio": 1e3, "speed": 1.0}),
    (f"drop-{floor}-1e6", "... 1e6 times as heavy", press, True, {"ratio": 1e6, "speed": 1.0}),
    (f"push-{floor}", f"a sphere 1e6 times as heavy comes at 0.1 m/s, a light one on a {floor}", push, True,
     {"ratio": 1e6}),
    (f"large-{floor}", f"a sphere of 50 radii stands on a small one on a {floor}", large, True,
     {"ratio": 50}),
    (f"wedge-{floor}-20", f"a sphere of 20 radii stands on three small ones on a {floor}", wedge, True,
     {"ratio": 20}),
    (f"wedge-{floor}-100", "... of 100 radii", wedge, True, {"ratio": 100}),
    (f"wedge-{floor}-slow", "... of 100 radii, comes at 0.1 m/s, no gravity", wedge, True,
     {"ratio": 100, "gravity": 0.0, "speed": 0.1}),
)]
