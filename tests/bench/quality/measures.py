"""Numbers of a run that are known beforehand: forces that bear weights, overlaps, rest, energy."""
import math

import numpy as np

from scenes import DIAMETER, GRAVITY


def window(run, seconds):
    """The frames of the last `seconds` of a run."""
    return np.flatnonzero(run.times >= run.times[-1] - seconds - 1e-9)


def wall_force(run, frame):
    """Upward force of all walls on the spheres in the last step of a frame, over their weight."""
    table = run.contacts
    rows = slice(*table["offset"][frame:frame + 2])
    walls = table["body"][rows, 0] < 0
    n, t1 = table["normal"][rows][walls], table["tangent"][rows][walls]
    up = np.stack([n[:, 2], t1[:, 2], np.cross(n, t1)[:, 2]], axis=1)
    force = (up * table["impulse"][rows][walls]).sum() / table["dt"][frame]
    return force / (GRAVITY * run.mass[run.here[frame]].sum())


def force_error(run, seconds):
    """How far the walls are from bearing just the weight, at worst in the last `seconds`."""
    frames = [k for k in window(run, seconds) if k > 0]
    return max((abs(wall_force(run, k) - 1) for k in frames), default=math.nan)


def overlaps(run, frame=None, body=None):
    """Overlap over the smaller diameter of all contacts that touch or press, in a frame or in all; with
    `body` only its own."""
    table = run.contacts
    rows = slice(None) if frame is None else slice(*table["offset"][frame:frame + 2])
    gap, pressing = table["gap"][rows], table["impulse"][rows, 0] > 0
    (a, b), chosen = table["body"][rows].T, (gap <= 0) | pressing
    if body is not None:
        chosen &= (a == body) | (b == body)
    smaller = np.where(a < 0, run.radius[b], np.minimum(run.radius[a], run.radius[b]))
    return (np.maximum(-gap, 0) / (2 * smaller))[chosen]


def bound(values, share=0.999):
    """What that share of the values does not exceed; with fewer than a thousand that is the largest."""
    return np.sort(values)[math.ceil(share * len(values)) - 1] if len(values) else 0.0


def worst_moment(run):
    """What 99.9 % of the contacts of a frame do not exceed, in the worst of all frames."""
    return max(bound(overlaps(run, k)) for k in range(len(run.times)))


def deepest_pair(run, frame=-1):
    """Largest overlap of two spheres over the smaller diameter, from the centers alone: it does not
    depend on whether the program knows of the contact."""
    here = run.here[frame]
    x, r = run.x[frame][here], run.radius[here]
    order = np.argsort(x[:, 2])
    x, r = x[order], r[order]
    deepest = 0.0
    for first in range(0, len(x), 128):
        last = min(first + 128, len(x))
        end = np.searchsorted(x[:, 2], x[last - 1, 2] + 2 * r.max())
        apart = np.linalg.norm(x[first:last, None] - x[None, first:end], axis=2)
        ra, rb = r[first:last, None], r[None, first:end]
        depth = (ra + rb - apart) / (2 * np.minimum(ra, rb))
        depth[np.arange(end - first)[None] <= np.arange(last - first)[:, None]] = 0.0  # each pair once
        deepest = max(deepest, depth.max())
    return deepest


def check_worst_moment(bench, *runs, values=None):
    values = values or [worst_moment(run) for run in runs]
    bench.check("overlap, 99.9 % of contacts, worst moment (d)", max(values), 0.01, *runs)


def check_overlaps(bench, run):
    """99.9 % of all contacts at any time at most 1 % deep; at the end, at rest, all."""
    check_worst_moment(bench, run)
    deepest = max(deepest_pair(run), overlaps(run, len(run.times) - 1).max(initial=0))
    bench.check("overlap, deepest at the end (d)", deepest, 0.01, run)


def creep(run, seconds, diameter=DIAMETER, body=None):
    """Speed at which the mean height (or one body) still changes in the last `seconds`, in d/s."""
    first = window(run, seconds)[0]
    if first in (0, len(run.times) - 1):
        return math.nan
    chosen = run.here[-1] & run.here[first] if body is None else [body]
    sank = (run.x[first] - run.x[-1])[chosen, 2].mean()
    return abs(sank) / diameter / (run.times[-1] - run.times[first])


def moved(run, diameter=DIAMETER):
    """The longest way of any sphere from start to end, over d."""
    return np.linalg.norm(run.x[-1] - run.x[0], axis=1).max() / diameter


def mean_height(run, frame=-1):
    """Of the centers, over d."""
    return run.x[frame][run.here[frame], 2].mean() / DIAMETER


def energies(run, gravity):
    """Kinetic and potential energy of each frame."""
    inertia = 0.4 * run.mass * run.radius ** 2
    kinetic = 0.5 * (run.mass * (run.velocity ** 2).sum(2) + inertia * (run.spin ** 2).sum(2)).sum(1)
    return kinetic + gravity * (run.mass * run.x[:, :, 2]).sum(1)
