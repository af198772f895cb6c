"""Figure 5 of the paper: what is kept of it says what the page says, and piles made anew agree with it."""
import importlib.util
import sys
import unittest

import numpy as np

from command import ROOT, Case

sys.path.insert(0, str(ROOT / "tools/paper"))
import figure5  # noqa: E402
import paper  # noqa: E402


class Stub(paper.Figure):
    """The figure without its command line."""

    def __init__(self, folder):
        self.folder, self.name, self.made, self.breaches = folder, "figure5", [], 0


class Figure5(Case):
    def setUp(self):
        super().setUp()
        self.piles = paper.read_table(paper.KEPT / "figure5.csv")
        self.sixty = paper.read_table(paper.KEPT / "figure5_siconos.csv")
        self.curves = [figure5.Curve(self.piles, mu) for mu in np.unique(self.piles["mu"])]

    def sweep(self, campaign, columns, **axes):
        """The campaign with other axes: for each, what to replace and by what."""
        text = (paper.KEPT / campaign).read_text().replace('"../pile', f'"{ROOT}/scenes/pile')
        for old, new in axes.values():
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.pluvia("sweep", self.write(campaign, text), "-o", "found", "--progress", "none")
        return figure5.columns(paper.read_table(self.folder / "found/table.csv"), columns)

    def agree(self, found, kept, what):
        """Means are equal within three standard errors, those of piles of the kind that is kept."""
        error = np.std(kept, ddof=1) * np.sqrt(1 / len(found) + 1 / len(kept))
        self.assertLessEqual(abs(np.mean(found) - np.mean(kept)), 3 * error + 1e-3, what)

    def test_what_is_kept(self):
        for curve in self.curves:
            self.assertGreaterEqual(len(curve.mu_r), 20)
            self.assertTrue(all(np.sum(curve.piles["mu_r"] == mu_r) == 5 for mu_r in curve.mu_r))
        figure = Stub(self.folder)
        figure5.compare_regimes(figure, self.curves)
        self.assertEqual(figure.breaches, 0)

    def test_piles_that_are_kept(self):
        """Runs are the same bits everywhere: some of the piles again are those of the table."""
        found = self.sweep("figure5.cfg", figure5.KEPT, mu=("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.1, 0.3]"),
                           mu_r=("log_range = [1e-5, 1.0]; count = 21", "values = [1e-3, 0.0316228]"),
                           seeds=("seeds = 5", "seeds = 1"))
        for k, key in enumerate(zip(found["mu"], found["mu_r"])):
            kept = (self.piles["mu"] == key[0]) & (self.piles["mu_r"] == key[1]) & (self.piles["seed"] == 1)
            self.assertEqual(np.sum(kept), 1)
            for name in ("height", "radius", "bottom", "lost", "time", "unconverged"):
                self.assertAlmostEqual(found[name][k], self.piles[name][kept][0], delta=1e-8 * abs(found[name][k]),
                                       msg=(key, name, "tools/paper/figure5.py"))

    def test_low_rolling_friction(self):
        """Hardly a sphere stays on the plate, and none on another."""
        found = self.sweep("figure5.cfg", figure5.KEPT, mu=("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.1, 1.0]"),
                           mu_r=("log_range = [1e-5, 1.0]; count = 21", "values = [1e-5]"),
                           seeds=("seeds = 5", "seeds = 1"))
        self.assertTrue(np.all(found["lost"] >= 230), found["lost"])
        heights = found["height"][found["lost"] < 250]
        self.assertTrue(np.all(abs(heights - 1) < 1e-3), heights)

    def test_third_regime(self):
        found = self.sweep("figure5.cfg", figure5.KEPT, mu=("[0.1, 0.3, 0.5, 0.7, 1.0]", "[0.1, 0.3]"),
                           mu_r=("log_range = [1e-5, 1.0]; count = 21", "values = [3e-2]"),
                           seeds=("seeds = 5", "seeds = 3"))
        self.assertEqual(np.sum(found["lost"]), 0)
        for mu in (0.1, 0.3):
            curve = figure5.Curve(self.piles, mu)
            for name in ("height", "radius"):
                self.agree(found[name][found["mu"] == mu], curve.third(name)[1], f"{name} for mu = {mu}")

    def test_sixty_spheres(self):
        """Spheres a little larger than those of the piles that are kept: other piles of the same kind."""
        found = self.sweep("figure5_siconos.cfg", figure5.KEPT_SIXTY,
                           radii=("[0.01, 0.010000019]; count = 20", "[0.01000002, 0.010000025]; count = 6"))
        for mu, mu_r in figure5.SICONOS:
            new, old = ((table["mu"] == mu) & (table["mu_r"] == mu_r) for table in (found, self.sixty))
            self.assertEqual((np.sum(new), np.sum(old)), (6, 20))
            for name in ("height", "radius", "bottom"):
                self.agree(found[name][new], self.sixty[name][old], f"{name} for mu = {mu}, mu_r = {mu_r}")

    def test_by_projection(self):
        """The paper's local solver and criterion make the same piles as the exact one with a criterion without units."""
        found = paper.read_table(paper.KEPT / "figure5_projection.csv")
        self.assertEqual(np.sum(found["unconverged"]), 0)
        for mu_r in np.unique(found["mu_r"]):
            new = np.isclose(found["mu_r"], mu_r, rtol=1e-3)
            old = np.isclose(self.piles["mu_r"], mu_r, rtol=1e-3) & (self.piles["mu"] == 0.3)
            self.assertEqual((np.sum(new), np.sum(old)), (3, 5))
            for name in ("height", "radius"):
                self.agree(found[name][new], self.piles[name][old], f"{name} for mu_r = {mu_r}")

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_plot(self):
        figure5.draw(Stub(self.folder), self.curves, self.sixty)
        self.assertGreater((self.folder / "figure5.png").stat().st_size, 50000)


if __name__ == "__main__":
    unittest.main()
