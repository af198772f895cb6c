"""The figures of tools/element.py."""
import numpy as np

import plots
from element_test import smoothed

LEAST_ANGLE = -30  # degrees: a lid that comes down on grains is no dilatancy
COLORS = [plots.BLUE, plots.ORANGE, plots.GREEN, plots.RED, plots.PURPLE, plots.SKY]


def name(axes, x, y):
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def strength(axes, test, color, last):
    """Friction and dilatancy angle over the strain, with the critical state."""
    borne, late, strain = test.borne(), test.late(), abs(test.strain)
    axes.plot(strain[borne], test.strength()[borne], color=color, label="friction angle" if last else None)
    axes.plot(strain[borne], test.column["psi"][borne], color=color, linestyle="--", linewidth=0.8,
              label="dilatancy angle" if last else None)
    axes.set_ylim(bottom=max(axes.get_ylim()[0], LEAST_ANGLE))
    axes.plot(strain[late[[0, -1]]], [test.strength(late)] * 2, color="black", linewidth=2.2, alpha=0.5,
              label="critical" if last else None)


def triaxial(axes, test, color, last):
    c, strain = test.column, abs(test.strain)
    path, angles, volume, void = axes.flat
    p, q = (smoothed(c[part], test.strain, test.width()) / 1e3 for part in "pq")
    path.plot(p, q, color=color)
    numbers = test.numbers()
    if last:
        reach = np.array([0, np.nanmax(p)])
        path.plot(reach, numbers["q / p, critical"] * reach, color="black", linewidth=0.8, label=f"q = {numbers['q / p, critical']:.2f} p")
        path.legend()
    name(path, "p (kPa)", "q (kPa)")
    strength(angles, test, color, last)
    name(angles, "axial strain", "angle (degrees)")
    angles.legend()
    volume.plot(strain, c["eps_v"], color=color)
    name(volume, "axial strain", "volumetric strain (compression positive)")
    if last:
        volume.invert_yaxis()
    void.semilogx(p, c["e"], color=color)
    void.xaxis.set_major_formatter("{x:g}")
    void.xaxis.set_minor_formatter("{x:g}")
    name(void, "p (kPa)", "void ratio")


def compression(axes, test, color, last):
    c, load = test.column, test.load() / 1e3
    curve, other = axes.flat
    positive = load > 0
    curve.semilogx(load[positive], c["e"][positive], color=color, linewidth=0.5, alpha=0.4)
    steps = test.steps()
    top = test.top()
    for part, mark, label in (steps[:top + 1], "o-", "loading"), (steps[top:], "s--", "after the largest stress"):
        if len(part) > 1:
            curve.semilogx(load[part], c["e"][part], mark, color=color, markersize=4, markerfacecolor=color if mark == "o-" else "white",
                           label=label if last else None)
    curve.xaxis.set_major_formatter("{x:g}")
    name(curve, test.title, "void ratio")
    curve.legend()
    ratio = test.ratio
    if test.stress == "sigma_a" and not np.isnan(ratio).all():
        other.semilogx(load[steps], ratio[steps], "o-", color=color, markersize=4)
        other.xaxis.set_major_formatter("{x:g}")
        name(other, "axial stress (kPa)", "radial over axial stress")
    else:
        other.plot(c["eps_v"], load, color=color)
        name(other, "volumetric strain", test.title)


def shear(axes, test, color, last):
    c = test.column
    ratio, angles, volume, profile = axes.flat
    borne = test.borne()
    tau, sigma = (smoothed(c[part], test.strain, test.width()) for part in ("tau", "sigma_a"))
    ratio.plot(c["gamma"][borne], (tau / sigma)[borne], color=color)
    name(ratio, "shear strain", "shear stress / normal stress")
    strength(angles, test, color, last)
    name(angles, "shear strain", "angle (degrees)")
    angles.legend()
    sheared = borne[c["gamma"][borne] > 1e-3 * c["gamma"].max()]
    volume.plot(c["gamma"][sheared], c["e"][sheared], color=color)
    name(volume, "shear strain", "void ratio")
    layers = test.layers()
    profile.plot(layers, (np.arange(len(layers)) + 0.5) / len(layers), "o-", color=color, markersize=4)
    name(profile, "velocity along the shear (m/s)", "height over that of the specimen")


DRAWN = {"triaxial": (triaxial, 2, (9, 7)), "shear": (shear, 2, (9, 7)), "oedometer": (compression, 1, (9, 3.8)),
         "isotropic": (compression, 1, (9, 3.8))}


def draw(tests, given):
    function, rows, size = DRAWN[given.kind]
    made, axes = plots.figure(given, rows, 2, size)
    for k, test in enumerate(tests):
        function(axes, test, COLORS[k % len(COLORS)], k == len(tests) - 1)
    plots.save(made, given)
