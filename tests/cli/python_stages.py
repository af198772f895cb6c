"""Stages in Python's Simulation: the same bits as `pluvia run`, in one go and in pieces, and ends that do not come."""
import importlib.util
import os
import subprocess
import sys
import unittest

import h5py
import numpy as np

from command import PLUVIA, Case
from package import BUILD, pluvia
from restart import datasets
from staged import PARTS, PRESS, REFILL, SLIDE


class Stages(Case):
    def setUp(self):
        super().setUp()
        self.write("press.cfg", PRESS)
        self.scene = self.folder / "press.cfg"

    def same(self, a, b):
        first, second = datasets(self.folder / a), datasets(self.folder / b)
        self.assertEqual(set(first), set(second))
        for name, value in first.items():
            self.assertEqual(value.tobytes(), second[name].tobytes(), f"{name} of {b} differs from {a}")

    def test_the_bits_of_the_command(self):
        """All datasets, of one run, and of one that is left and gone on from in and between stages; by the command, too."""
        self.pluvia("run", "press.cfg", "-o", "one.h5md", "-q")
        scene = pluvia.Scene(self.scene)
        with pluvia.Simulation(scene, output=self.folder / "two.h5md") as run:
            seen = [run.stage]
            while run.stage != "heavy":
                run.step()
                seen += [run.stage] if run.stage != seen[-1] else []
            run.run()
            end = run.time
            self.assertIsNone(run.run())  # it is over
        self.assertEqual(seen, ["settle", "press", "load", "tilt", "heavy"])
        self.assertLess(end, 8)
        self.same("one.h5md", "two.h5md")
        with pluvia.Simulation(scene, output=self.folder / "two.h5md", restart=True) as run:
            with self.assertRaisesRegex(pluvia.UsageError, "is at"):
                run.run(until=end / 2)
            self.assertIsNone(run.run())
        self.same("one.h5md", "two.h5md")
        for steps in 50, 0, 130, 77:  # 0: up to the next stage, exactly
            with pluvia.Simulation(scene, output=self.folder / "three.h5md", restart=True) as run:
                before = run.stage
                run.step(steps or 1)
                while not steps and run.stage == before:
                    run.step()
        self.pluvia("run", "press.cfg", "-o", "three.h5md", "--restart", "auto", "-q")
        self.same("one.h5md", "three.h5md")

    def test_scenes_are_not_changed(self):
        """Two simulations of one scene are in stages of their own; one in memory is as one that writes."""
        scene = pluvia.Scene(self.scene)
        a, b = pluvia.Simulation(scene), pluvia.Simulation(scene)
        a.run()
        self.assertEqual((a.stage, b.stage), ("heavy", "settle"))
        self.assertEqual(list(scene.gravity), [0, 0, -9.81])
        b.run()
        self.assertEqual(a.bodies.position.tobytes(), b.bodies.position.tobytes())
        self.write("press.cfg", PRESS.replace("500.0", "501.0"))
        with self.assertRaisesRegex(pluvia.UsageError, "press.cfg has changed since this Scene was made"):
            pluvia.Simulation(scene)

    def test_a_feeder_of_a_stage(self):
        self.write("refill.cfg", REFILL)
        run, counts = pluvia.Simulation(self.folder / "refill.cfg"), {}
        while run.stage != "end":
            counts[run.stage] = len(run.bodies) and int((run.bodies.state == 1).sum())
            run.step()
        self.assertEqual(counts, {"fill": 40, "refill": 70})
        self.pluvia("run", "refill.cfg", "-o", "c.h5md", "-q")
        run.run()
        self.assertEqual(run.bodies.position.tobytes(), pluvia.Trajectory(self.folder / "c.h5md").position[-1].tobytes())

    def test_a_closed_form(self):
        """As the command: friction makes the sphere roll in the second stage alone; without gravity it rises."""
        run = pluvia.Simulation(pluvia.Scene(text=SLIDE))
        run.run(until=0.13)
        self.assertAlmostEqual(run.bodies.velocity[0, 0], 1.0, delta=1e-12)
        self.assertEqual(run.stage, "roll")
        run.run()
        self.assertAlmostEqual(run.bodies.velocity[0, 0], 5 / 7, delta=1e-9)
        self.assertAlmostEqual(run.time, 0.83, delta=1e-9)

    def test_steps_of_stages(self):
        """Parts of steps: the same file, forces by the length of the last part, and frames of a stage."""
        self.write("parts.cfg", PARTS)
        self.pluvia("run", "parts.cfg", "-o", "one.h5md", "-q")
        with pluvia.Simulation(self.folder / "parts.cfg", output=self.folder / "two.h5md") as run:
            run.run(until=0.39)
            self.assertFalse(run.is_over)
            run.run()
            self.assertTrue(run.is_over)
            stress, step = run.fields("z").contact_stress, run.dt
        self.assertLessEqual(step, 2.5e-4)
        self.same("one.h5md", "two.h5md")
        made = pluvia.Trajectory(self.folder / "two.h5md")
        np.testing.assert_allclose(stress, made.fields("z").contact_stress, atol=1e-6 * np.nanmax(np.abs(stress)))
        inner = made.fields("z", stage="chosen", start=0.02, end=0.04)
        np.testing.assert_array_equal(inner.density, made.fields("z", start=0.2199, end=0.2401).density)
        with self.assertRaisesRegex(pluvia.UsageError, 'no frame of stage "chosen" is between start and end; it lasted 0.1 s'):
            made.fields("z", stage="chosen", start=1)
        self.assertEqual(len(made.network(stage="fine")["a"]), len(made.network(frame=made.stages[1]["last"])["a"]))
        with self.assertRaisesRegex(pluvia.UsageError, 'stage "1" has 5 frames; there is no frame 7'):
            made.network(7, stage=1)
        if importlib.util.find_spec("networkx"):
            self.assertEqual(made.graph(stage=1).number_of_edges(), made.graph(made.stages[1]["last"]).number_of_edges())

    def test_many_steps_end_where_the_run_does(self):
        self.pluvia("run", "press.cfg", "-o", "one.h5md", "-q")
        with pluvia.Simulation(pluvia.Scene(self.scene), output=self.folder / "two.h5md") as run:
            while not run.is_over:
                run.step(100)
            end = run.time
            run.step(3)  # as is asked for after that
            self.assertAlmostEqual(run.time, end + 3 * run.scene.step)
        with h5py.File(self.folder / "one.h5md") as one:
            self.assertEqual(one["particles/trajectory/position/time"][-1], end)

    def test_rest(self):
        """time.until_rest ends a run as it does for the command."""
        self.write("rest.cfg", PRESS[:PRESS.index("stages")].replace("end = 9.0;", "end = 9.0; until_rest = 1e-3;")
                   .replace('name = "lid"', 'until = 1e-3; name = "lid"'))
        self.pluvia("run", "rest.cfg", "-o", "one.h5md", "-q")
        with pluvia.Simulation(self.folder / "rest.cfg", output=self.folder / "two.h5md") as run:
            run.run()
            self.assertTrue(run.is_over)
        self.same("one.h5md", "two.h5md")
        self.assertIn("it ended at rest", self.pluvia("run", "rest.cfg", "-o", "two.h5md", "--restart", "auto")[1])

    def test_the_folder_of_the_build(self):
        """The package there finds the library and the command beside it."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PLUVIA") and key != "LD_LIBRARY_PATH"}
        said = subprocess.run([sys.executable, "-c", "import pluvia; from pluvia._trajectory import executable; print(executable())"],
                              env=clean | {"PYTHONPATH": str(BUILD / "src/python")}, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertTrue(os.path.samefile(said.strip(), PLUVIA))

    def test_ends_that_do_not_come(self):
        with self.assertRaisesRegex(pluvia.Breakdown, 'stage "settle" is not over 0.1 s after it began'):
            pluvia.Simulation(pluvia.Scene(text=PRESS.replace("within = 2.0", "within = 0.1", 1))).run()


if __name__ == "__main__":
    unittest.main()
