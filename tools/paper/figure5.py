#!/usr/bin/python3
"""Figure 5 of Acary and Bourrier (2021): height and mean radius of piles of 250 spheres over rolling friction,
and piles of 60 spheres beside those of Siconos."""
import numpy as np

import paper
import plots

RADIUS = 0.01  # of a sphere (m)
COLORS = {0.1: plots.PURPLE, 0.3: plots.BLUE, 0.5: plots.GREEN, 0.7: plots.ORANGE, 1.0: plots.RED}
# The paper names two sets of mu.
SETS = [("text", [0.1, 0.3, 1.0]), ("caption", [0.3, 0.5, 0.7])]
MEASURES = ["height", "radius"]
KEPT = {"mu": "mu", "mu_r": "mu_r", "seed": "seed", "height": "pile.height_ratio", "radius": "pile.mean_radius",
        "bottom": "pile.bottom", "lost": "pile.lost", "time": "run.time", "cpu": "cpu_seconds",
        "unconverged": "last.unconverged_steps"}
KEPT_SIXTY = {"mu": "mu", "mu_r": "mu_r", "sphere_radius": "sphere_radius", "height": "pile.height_ratio",
              "radius": "pile.mean_radius", "bottom": "pile.bottom", "lost": "pile.lost",
              "unconverged": "last.unconverged_steps"}


def siconos():
    """One pile each of Siconos 4.4.0, 60 spheres from scenes/pile/pile60.csv: (mu, mu_r): height/d, radius/d."""
    table = np.genfromtxt(paper.KEPT / "figure5_theirs.csv", delimiter=",", names=True)
    return {(row["mu"], row["mu_r"]): (row["height"], row["radius"]) for row in table}


SICONOS = siconos()


def columns(table, kept):
    """What is kept of a table of pluvia sweep. A sphere alone on the plate makes no pile: no radius."""
    found = {name: table[column] for name, column in kept.items()}
    found["radius"] = np.where(found["bottom"] > 1, found["radius"], np.nan)
    return found


class Curve:
    """All piles of one mu: mean and standard deviation over seeds for each mu_r."""

    def __init__(self, piles, mu):
        self.mu = mu
        self.piles = {name: column[piles["mu"] == mu] for name, column in piles.items()}
        self.mu_r = np.unique(self.piles["mu_r"])

    def at(self, mu_r, name):
        column = self.piles[name][self.piles["mu_r"] == mu_r]
        return column[~np.isnan(column)]

    def mean(self, name):
        """Over mu_r, each with its standard deviation; NAN where no pile has that measure."""
        rows = [self.at(mu_r, name) for mu_r in self.mu_r]
        return (np.array([np.mean(row) if len(row) else np.nan for row in rows]),
                np.array([np.std(row, ddof=1) if len(row) > 1 else np.nan for row in rows]))

    def single_layer(self):
        """The largest mu_r up to which no sphere lies on another: the end of the first regime."""
        heights = [self.at(mu_r, "height") for mu_r in self.mu_r]
        piled = [bool(np.any(row > 1.1)) for row in heights]
        return self.mu_r[piled.index(True) - 1] if any(piled[1:]) and not piled[0] else np.nan

    def third(self, name):
        """(mu_r, measure) of the piles of the third regime. A sphere on a slope rolls from the slope
        mu_r / R on and slides from mu on: beyond mu_r = mu R rolling friction decides on nothing."""
        some = self.piles["mu_r"] > 2 * self.mu * RADIUS
        return self.piles["mu_r"][some], self.piles[name][some]


def level(values):
    """Mean and its standard error."""
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))


def slope(mu_r, values):
    """Change per decade of mu_r by least squares, and its standard error."""
    x = np.log10(mu_r) - np.mean(np.log10(mu_r))
    rate = np.sum(x * values) / np.sum(x * x)
    rest = values - np.mean(values) - rate * x
    return rate, np.sqrt(np.sum(rest * rest) / (len(x) - 2) / np.sum(x * x))


def compare_regimes(figure, curves):
    """What section 6.2 says of the three regimes, each statement with what was found."""
    print("height/d and mean radius/d: mean +- standard error of all piles of the third regime")
    levels = {name: {} for name in MEASURES}
    for curve in curves:
        print(f"mu = {curve.mu}: single layers up to mu_r = {curve.single_layer():.1e} m")
        lowest = curve.at(curve.mu_r[0], "height")
        if len(lowest):
            # Spheres interpenetrate by up to 2 % of d at rest (scenes/pile/pile.cfg).
            figure.compare("   first regime: |height/d - 1|", np.max(abs(lowest - 1)), 0.02)
        for name in MEASURES:
            mu_r, values = curve.third(name)
            rate, error = slope(mu_r, values)
            levels[name][curve.mu] = level(values)
            print(f"   third regime: {name}/d {np.mean(values):.2f} +- {level(values)[1]:.2f}, "
                  f"{rate:+.2f} +- {error:.2f} per decade of mu_r")
            figure.compare(f"   third regime: change of {name} per decade / its error", abs(rate / error), 3)
    compare_heights(figure, levels["height"])


def compare_heights(figure, heights):
    """In the third regime the height grows with mu: said of the values of the text, so those are to be
    told apart; those of the caption are reported."""
    for words, several in SETS:
        for low, high in zip(several, several[1:]):
            a, b = (heights.get(mu) for mu in (low, high))
            if not a or not b:
                continue
            more, error = b[0] - a[0], np.hypot(a[1], b[1])
            print(f"{words}: height/d for mu = {high} less that for {low}: {more:+.2f} +- {error:.2f}")
            if words == "text":
                figure.compare("   that it is higher, in errors, negative", -more / error, -3)


def compare_siconos(piles):
    print("60 spheres from the same start positions: Siconos 4.4.0 (one pile), pluvia (mean +- standard deviation)")
    for (mu, mu_r), theirs in SICONOS.items():
        some = (piles["mu"] == mu) & (piles["mu_r"] == mu_r)
        ours = [f"{name}/d {value:.2f}, {np.mean(piles[name][some]):.2f} +- {np.std(piles[name][some], ddof=1):.2f}"
                for name, value in zip(MEASURES, theirs)]
        print(f"   mu = {mu}, mu_r = {mu_r:.0e} m, {np.sum(some)} piles: {'; '.join(ours)}")


def draw_regimes(axis, curves):
    """The second regime in gray: from the last single layer of any mu to mu R of the largest mu."""
    begin, end = np.nanmin([curve.single_layer() for curve in curves]), curves[-1].mu * RADIUS
    axis.axvspan(begin, end, color="#EEEEEE", zorder=0)
    for number, middle in enumerate([np.sqrt(1e-5 * begin), np.sqrt(begin * end), np.sqrt(end)]):
        axis.text(middle, 1.01, f"regime {number + 1}", transform=axis.get_xaxis_transform(), ha="center")


def draw_curves(axis, curves, name):
    """Means with standard deviations; hollow where more than one sphere in ten left the plate."""
    for curve in curves:
        mean, spread = curve.mean(name)
        color = COLORS[curve.mu]
        whole = np.array([np.mean(curve.at(mu_r, "lost")) <= 25 for mu_r in curve.mu_r])
        axis.errorbar(curve.mu_r, mean, spread, color=color, linewidth=1.0, elinewidth=0.7, capsize=1.5)
        for some, face in [(whole, color), (~whole, "white")]:
            axis.plot(curve.mu_r[some], mean[some], "o", markersize=3.5, color=color, markerfacecolor=face)
        axis.plot([], [], "o-", markersize=3.5, linewidth=1.0, color=color, label=rf"$\mu$ = {curve.mu}")
        axis.plot(curve.mu * RADIUS, 0, "^", markersize=6, color=color, transform=axis.get_xaxis_transform(),
                  clip_on=False, zorder=5)


def draw_sixty(axis, piles, measure):
    """Piles of 60 spheres: diamonds of pluvia to the left, crosses of Siconos to the right of their mu_r."""
    for (mu, mu_r), theirs in SICONOS.items():
        ours = piles[MEASURES[measure]][(piles["mu"] == mu) & (piles["mu_r"] == mu_r)]
        axis.errorbar(0.9 * mu_r, np.mean(ours), np.std(ours, ddof=1), marker="D", markersize=5, linewidth=1.0,
                      capsize=3, markerfacecolor="white", color=COLORS[mu], zorder=6)
        axis.plot(1.1 * mu_r, theirs[measure], "X", markersize=8, color=COLORS[mu], markeredgecolor="black", zorder=6)


def draw_legend(axis, words, sixty):
    plain = {"linestyle": "", "color": "black", "markersize": 5}
    axis.plot([], [], "^", label=r"$\mu_r = \mu R$", **plain)
    axis.plot([], [], "o", label="over 10 % fell off the plate", markerfacecolor="white", **plain)
    if sixty:
        axis.plot([], [], "D", label="60 spheres, pluvia", markerfacecolor="white", **plain)
        axis.plot([], [], "X", label="60 spheres, Siconos 4.4.0", markerfacecolor="gray", **plain)
    axis.legend(title=rf"250 spheres, $\mu$ of the paper's {words}", loc="upper left", fontsize=8)


def draw(figure, curves, sixty):
    made, axes = figure.axes(len(SETS), len(MEASURES), (10.0, 8.0))
    for line, (words, several) in enumerate(SETS):
        some = [curve for curve in curves if curve.mu in several]
        for measure, (axis, name) in enumerate(zip(axes[line], ["height / d", "mean radius of the bottom / d"])):
            axis.set_xscale("log")
            axis.set_xlim(7e-6, 1.4)
            draw_regimes(axis, some)
            draw_curves(axis, some, MEASURES[measure])
            if line == 0:
                draw_sixty(axis, sixty, measure)
            axis.set_ylabel(name)
            axis.set_xlabel(r"$\mu_r$ (m)")
        axes[line, 0].set_ylim(0, 10)
        axes[line, 1].set_yscale("log")
        axes[line, 1].set_ylim(2, 30)
        axes[line, 1].set_yticks([2, 3, 4, 5, 6, 8, 10, 15, 20, 30], [2, 3, 4, 5, 6, 8, 10, 15, 20, 30])
        draw_legend(axes[line, 0], words, line == 0)
    figure.save(made)


def main():
    figure = paper.Figure("figure5", __doc__)
    piles = columns(figure.sweep(), KEPT)
    figure.pluvia("sweep", paper.KEPT / "figure5_siconos.cfg", "-o", figure.folder / "siconos",
                  "-j", figure.arguments.cores)
    sixty = columns(paper.read_table(figure.folder / "siconos/table.csv"), KEPT_SIXTY)
    figure.write_table(piles)
    figure.write_table(sixty, "figure5_siconos")
    curves = [Curve(piles, mu) for mu in np.unique(piles["mu"])]
    print(f"{len(piles['mu'])} piles in {np.sum(piles['cpu']) / 60:.1f} minutes of processor time, "
          f"{np.sum(piles['unconverged']):.0f} steps unconverged, "
          f"{np.sum(piles['time'] > 59.9)} piles not at rest after 60 s")
    compare_regimes(figure, curves)
    compare_siconos(sixty)
    draw(figure, curves, sixty)
    figure.end()


if __name__ == "__main__":
    main()
