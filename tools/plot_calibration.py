#!/usr/bin/python3
"""The misfit of a calibration over its parameters, and the valley of those that reproduce the targets."""
import pathlib

import numpy as np

import plots

LEVELS = [0, 1, 2, 3, 5, 10]


class Calibration:
    """calibration.csv and valley.csv as columns of numbers; NaN where there is none."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        points, self.valley = self.read(folder / "calibration.csv"), self.read(folder / "valley.csv")
        names = list(points)
        self.parameters = names[:names.index("round")]
        self.targets = [name[:-2] for name in names if name.endswith(".z")]
        known = np.isfinite(points["chi2"])
        self.points = {name: column[known] for name, column in points.items()}

    @staticmethod
    def read(path):
        rows = plots.table(path, "chi2", "pluvia calibrate")
        text = ("open", "state")
        return {name: np.array([r[name] if name in text else float(r[name] or "nan") for r in rows])
                for name in rows[0]}

    def logarithmic(self, name):
        """Whether the values of the first grid are in equal ratios."""
        values = np.unique(self.points[name][self.points["round"] == 0])
        if len(values) < 3:
            return values[0] > 0 and values[-1] > 20 * values[0]
        return values[0] > 0 and np.ptp(np.diff(np.log(values))) / np.log(values[-1] / values[0]) < \
            np.ptp(np.diff(values)) / np.ptp(values)


def one_parameter(axis, found):
    name = found.parameters[0]
    order = np.argsort(found.points[name])
    for target, color in zip(found.targets, (plots.BLUE, plots.ORANGE, plots.GREEN, plots.RED) * 4):
        axis.plot(found.points[name][order], found.points[target + ".z"][order], "o-", ms=3, color=color,
                  label=target)
    axis.axhspan(-1, 1, color=plots.GRAY, alpha=0.15, lw=0)
    for low, high in zip(found.valley[name + ".low"], found.valley[name + ".high"]):
        axis.axvspan(low, high, color=plots.SKY, alpha=0.3, lw=0)
    axis.set_ylabel("(mean - value) / standard error")
    axis.legend()


def two_parameters(figure, axis, found):
    from matplotlib import tri
    first, second = found.parameters
    scaled = [np.log(found.points[n]) if found.logarithmic(n) else found.points[n] for n in (first, second)]
    span = [(s - s.min()) / np.ptp(s) for s in scaled]
    mesh = tri.Triangulation(*span)
    t = np.linspace(0, 1, 201)
    chi2 = sum(tri.LinearTriInterpolator(mesh, found.points[target + ".z"])(*np.meshgrid(t, t)) ** 2
               for target in found.targets)
    ticks = [s.min() + t * np.ptp(s) for s in scaled]
    x, y = (np.exp(v) if found.logarithmic(n) else v for n, v in zip((first, second), ticks))
    drawn = axis.contourf(x, y, np.sqrt(chi2), LEVELS, extend="max", cmap="viridis_r")
    figure.colorbar(drawn, ax=axis, label="misfit √χ² (standard errors)")
    axis.plot(found.points[first], found.points[second], ".", ms=3, color="black", label="computed",
              clip_on=False, zorder=3)
    there = found.valley["state"] == "valley"
    rows = {k: v[there] for k, v in found.valley.items()}
    axis.vlines(rows[first], rows[second + ".low"], rows[second + ".high"], color=plots.ORANGE, lw=1,
                alpha=0.5, label="χ² ≤ least + 1")
    axis.plot(rows[first], rows[second], ".", ms=4, color=plots.RED, label="valley")
    axis.set_ylabel(second)
    if found.logarithmic(second):
        axis.set_yscale("log")
    axis.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.1))
    axis.grid(False)


def main():
    parser = plots.options(__doc__, "misfit.png", reads=("folder", "DIR", "folder of pluvia calibrate"))
    arguments = parser.parse_args()
    found = Calibration(arguments.folder)
    if len(found.parameters) > 2:
        plots.fail("draws one or two parameters; valley.csv has three")
    figure, axes = plots.figure(arguments, 1, 1, (5.6, 4.2))
    axis = axes[0, 0]
    axis.set_xlabel(found.parameters[0])
    if found.logarithmic(found.parameters[0]):
        axis.set_xscale("log")
    if len(found.parameters) == 1:
        one_parameter(axis, found)
    else:
        two_parameters(figure, axis, found)
    plots.save(figure, arguments)


if __name__ == "__main__":
    main()
