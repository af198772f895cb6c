#!/usr/bin/python3
"""Figure 2 of Acary and Bourrier (2021): how far a sphere rolls that starts without slip, over friction
and rolling friction, against the closed form X_max = U0^2 / (2 g min(mu, 5 mu_r / (7 R)))."""
import matplotlib.colors
import numpy as np

import paper
import plots

SPEED, RADIUS, GRAVITY, STEP = 2.5, 0.5, 9.81, 1e-3  # of the campaign


def deceleration(mu, mu_r):
    return GRAVITY * np.minimum(mu, 5 * mu_r / (7 * RADIUS))


def draw(figure, mu, mu_r, simulated, exact):
    """Maps: columns of mu_r, rows of mu."""
    made, ((left, middle, right),) = figure.axes(1, 3, (11.0, 3.7))
    distances = matplotlib.colors.LogNorm(exact.min(), exact.max())
    for axis, title, values, scale in [
            (left, "simulation", simulated, distances), (middle, "closed form", exact, distances),
            (right, "relative error", np.maximum(abs(simulated / exact - 1), 1e-16),
             matplotlib.colors.LogNorm(1e-13, 1e-6))]:
        image = axis.pcolormesh(mu_r, mu, values, norm=scale, cmap="viridis", shading="nearest", rasterized=True)
        if axis is not right:
            lines = axis.contour(mu_r, mu, values, levels=[2, 5, 10, 20, 50, 100], colors="white", linewidths=0.8)
            axis.clabel(lines, fmt="%g m", fontsize=7)
        axis.plot(mu_r, 5 * mu_r / (7 * RADIUS), color="white", linestyle=(0, (1, 2)))
        axis.set(xscale="log", yscale="log", title=title, xlabel=r"rolling friction $\mu_r$ (m)",
                 ylim=(mu[0], mu[-1]))
        axis.grid(False)
        made.colorbar(image, ax=axis, label="" if axis is right else r"$X_{max}$ (m)")
    left.set_ylabel(r"friction $\mu$")
    left.text(0.95, 0.08, r"slides: $\mu$ decides", transform=left.transAxes, ha="right", color="white")
    left.text(0.05, 0.9, r"rolls: $\mu_r$ decides", transform=left.transAxes, color="white")
    figure.save(made)


figure = paper.Figure("figure2", __doc__)
table = figure.sweep()
mu, mu_r, found = table["mu"], table["mu_r"], table["rolling.stop_distance"]
a = deceleration(mu, mu_r)
exact = SPEED**2 / (2 * a)
figure.write_table({"mu": mu, "mu_r": mu_r, "stop_distance": found})
shape = len(np.unique(mu)), len(np.unique(mu_r))
if len(found) != shape[0] * shape[1]:
    plots.fail(f"{figure.folder}/table.csv has {len(found)} cases, not all of {shape[0]} x {shape[1]}")
draw(figure, np.unique(mu), np.unique(mu_r), found.reshape(shape), exact.reshape(shape))

print(f"{shape[0]} x {shape[1]} cases, X_max from {exact.min():.4g} to {exact.max():.4g} m")
# The step in which the sphere stops: (a h^2 / 8) / X_max, largest where it brakes hardest.
figure.compare("largest relative error", np.max(abs(found / exact - 1)), np.max((a * STEP / SPEED)**2 / 4))
figure.compare("largest error beyond that of the last step, a h^2 / 8",
               np.max((abs(found - exact) - a * STEP**2 / 8) / exact), 1e-10)
figure.end()
