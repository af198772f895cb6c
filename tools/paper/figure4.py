#!/usr/bin/python3
"""Figure 4 of Acary and Bourrier (2021): the last states of piles over friction (rows) and rolling friction
(columns), at one scale, each with its height and mean radius."""
from matplotlib import image
import numpy as np

import paper

DIAMETER, DENSITY, GRAVITY = 0.02, 1300.0, 9.81
VIEW = ["--plain", "--color", "height", "--range=0,0.15", "--from=-75,8", "--look-at=0,0,0.06",
        "--distance=2", "--zoom=5", "--size=640x210"]


def draw(figure, table):
    friction, rolling = np.unique(table["mu"]), np.unique(table["mu_r"])
    made, axes = figure.axes(len(friction), len(rolling), (7.0, 1.28 * len(friction)))
    for k, case in enumerate(table["case"]):
        picture = figure.folder / "cases" / case / "pile.png"
        figure.pluvia("render", picture.parent / "run.h5md", "-o", picture, "-j", figure.arguments.cores, *VIEW)
        axis = axes[np.searchsorted(friction, table["mu"][k]), np.searchsorted(rolling, table["mu_r"][k])]
        axis.imshow(image.imread(picture))
        axis.set_axis_off()
        axis.text(0.02, 0.95, rf"$\mu$ = {table['mu'][k]:g}, $\mu_r$ = {table['mu_r'][k]:g} m",
                  transform=axis.transAxes, va="top")
        axis.text(0.98, 0.95, f"height {table['pile.height_ratio'][k]:.1f} d\n"
                  f"radius {table['pile.mean_radius'][k]:.1f} d", transform=axis.transAxes, va="top", ha="right")
    figure.save(made, colors=256)


figure = paper.Figure("figure4", __doc__)
table = figure.sweep()
height, radius = table["pile.height_ratio"], table["pile.mean_radius"]
figure.write_table({"mu": table["mu"], "mu_r": table["mu_r"], "seed": np.ones(len(height)), "height": height,
                    "mean_radius": radius, "bottom": table["pile.bottom"], "lost": table["pile.lost"]})
draw(figure, table)
for k in range(len(height)):
    print(f"mu = {table['mu'][k]:<4g} mu_r = {table['mu_r'][k]:<6g} height {height[k]:5.2f} d, "
          f"mean radius {radius[k]:5.2f} d, {table['pile.bottom'][k]:3.0f} spheres on the plate")

# What the paper says of its Figure 4, as far as it shows in single piles; Figure 5 has means over seeds.
# Spin about the vertical never dies, and a sphere that leans on one that spins goes round with it.
weight = DENSITY * np.pi / 6 * DIAMETER**3 * GRAVITY
figure.compare("largest energy of translation at the end, over m g d",
               np.max(table["energy.translation"]) / (weight * DIAMETER), 1e-2)
low, high = (table["mu_r"] == value for value in np.unique(table["mu_r"])[[0, -1]])
figure.expect("nothing left the plate", np.all(table["pile.lost"] == 0))
figure.expect("low friction, 0.1, gives the lowest piles",
              all(np.all(height[side][0] < height[side][1:]) for side in (low, high)))
figure.expect("elsewhere piles with more rolling friction are higher", np.all((height[high] > height[low])[1:]))
figure.expect("... and narrower", np.all((radius[high] < radius[low])[1:]))
figure.end()
