#!/usr/bin/python3
"""Figure 3 of Acary and Bourrier (2021): position, velocities, friction force and rolling moment of three
rolling spheres over time, against the closed forms."""
import numpy as np

import paper
import plots
import rolling

CASES = ["a) slip-free start", "b) starts with slip", "c) slip-free, low friction"]
EVERY = 10  # one in so many frames is kept
STEP = 1e-4  # of the campaign


def draw(figure, found, curves, radius):
    made, axes = figure.axes(5, len(found), (10.0, 9.0))
    rows = [("$X$ (m)", "x", 1, plots.BLUE), ("$U_X$ (m/s)", "u", 1, plots.SKY),
            (r"$\Omega_Y$ (rad/s)", "turn", 1 / radius, plots.ORANGE),
            (r"$\|r_T\|$ (N)", "force", 1, plots.GREEN), (r"$\|m_R\|$ (N m)", "moment", 1, plots.PURPLE)]
    for row, (label, name, scale, color) in zip(axes, rows):
        for axis, one, exact in zip(row, found, curves):
            axis.plot(one.t, scale * getattr(one, name), color=color, label="simulation")
            axis.plot(exact.t, scale * getattr(exact, name), label="closed form", **plots.EXACT)
            axis.set_xlim(0, one.t[-1])
            axis.sharey(row[0])
        row[0].set_ylabel(label)
        row[0].set_ylim(0, 1.08 * max(scale * np.nanmax(getattr(one, name)) for one in found))
    for axis, title in zip(axes[0], CASES):
        axis.set_title(title)
    for axis in axes[-1]:
        axis.set_xlabel("time (s)")
    axes[0, 0].legend(loc="lower right")
    figure.save(made)


def errors(one, exact, changes):
    """Largest differences of X, U and R Omega, and of the forces over their largest value: those that
    belong to a step in which the mode changes are left out, and the start, which belongs to none."""
    mixed = np.array([np.any((changes > t - STEP) & (changes < t)) for t in one.t])
    plain = ~mixed & (one.t > 0)
    forces = [np.max(abs(getattr(one, name) - getattr(exact, name))[plain]) / np.max(getattr(exact, name))
              for name in ("force", "moment")]
    return [np.max(abs(getattr(one, name) - getattr(exact, name))) for name in ("x", "u", "turn")] + forces


figure = paper.Figure("figure3", __doc__)
table = figure.sweep()
found, curves, kept = [], [], {name: [] for name in ("case", "t", "X", "U", "Omega", "r_T", "m_R")}
for letter, case in zip("abc", table["case"]):
    run = plots.Trajectory(figure.folder / "cases" / case / "run.h5md")
    one, closed = rolling.measured(run), rolling.closed_form(run)
    u, spin = one.u[0], one.turn[0] / closed.radius
    found.append(one)
    curves.append(closed.curve(u, spin, one.t[-1]))
    phases = closed.phases(u, spin, one.t[-1])
    names = ["position (m)", "velocity (m/s)", "R Omega (m/s)", "friction force", "rolling moment"]
    print(f"{CASES['abc'.index(letter)]}: stops at {phases[-1].x:.9f} m, {phases[-1].begin:.9f} s")
    worst = errors(one, closed.at(u, spin, one.t), np.array([phase.begin for phase in phases[1:]]))
    # A step in which the acceleration changes by c misses the position by c h^2 / 8 at most.
    missed = sum(abs(np.diff([phase.a for phase in phases]))) * STEP**2 / 8
    for name, value, limit in zip(names, worst, [missed + 1e-11] + 4 * [1e-11]):
        figure.compare(f"   largest error of the {name}", value, limit)
    some = slice(None, None, EVERY)
    kept["case"] += [letter] * len(one.t[some])
    for name, values in zip(list(kept)[1:], [one.t, one.x, one.u, one.turn / closed.radius, one.force, one.moment]):
        kept[name] += list(values[some])
figure.write_table(kept)
draw(figure, found, curves, closed.radius)
figure.end()
