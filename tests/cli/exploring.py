"""The Python package as somebody uses it who explores: what is kept, closed, printed, completed, or given in another form."""
import ctypes
import gc
import os
import subprocess
import sys
import unittest
import warnings

import numpy as np

from command import Case
from package import GROUND, HOLDER, pluvia


class Exploring(Case):
    def trajectory(self):
        (self.folder / "a.cfg").write_text(GROUND + 'output: { interval = 0.1; contacts = true; };')
        return pluvia.run(self.folder / "a.cfg", self.folder / "a.h5md")

    def test_arrays_outlive_their_simulation(self):
        """They keep the memory that they show."""
        bodies = 50000  # enough that the memory goes back to the system if nothing keeps it
        lattice = f'{{ lattice: {{ counts = [{bodies}, 1, 1]; spacing = 1.0; origin = [0, 0, 0.1]; }}; radius = 0.1; material = "a"; }}'
        text = GROUND[:GROUND.index("bodies")] + f"bodies = ( {lattice} );"
        position = pluvia.Simulation(pluvia.Scene(text=text)).bodies.position
        gc.collect()
        np.testing.assert_array_equal(position, np.arange(bodies)[:, None] * [1, 0, 0] + [0, 0, 0.1])

    def test_memory_does_not_grow(self):
        """The bytes that malloc has given out, to the library and to arrays, whether what is done succeeds or raises."""
        libc = ctypes.CDLL(None)
        if not hasattr(libc, "mallinfo2"):
            self.skipTest("no mallinfo2")
        libc.mallinfo2.restype = type("Mallinfo", (ctypes.Structure,), {"_fields_": [(f"n{k}", ctypes.c_size_t) for k in range(10)]})
        self.trajectory()
        scene = pluvia.Scene(text=GROUND)

        def steps():
            run = pluvia.Simulation(scene)
            run.step(3)
            return run.bodies.position, run.energy

        def raises_in_a_step():
            run = pluvia.Simulation(scene, before=lambda s: 1 / (2 - s.steps))
            with self.assertRaises(ZeroDivisionError):
                run.step(5)

        def bad_scenes():
            for text in GROUND.replace("friction", "fiction"), GROUND + "bodies = 3;", GROUND.replace("0.1]", '"a"]'):
                with self.assertRaises(pluvia.PluviaError):
                    pluvia.Scene(text=text)

        def own_solver_that_raises():
            def fails(view, p):
                raise ArithmeticError("no idea")
            with self.assertRaises(ArithmeticError):
                pluvia.Problem(np.eye(3), [-1, 0, 0], 0.3).solve("bad", solvers={"bad": fails})

        def files():
            with pluvia.Trajectory(self.folder / "a.h5md") as made:
                self.assertEqual(len(made.contacts(-1)["body"]), 1)
            with self.assertRaises(pluvia.PluviaError):
                pluvia.Trajectory(self.folder / "a.cfg")

        def problems():
            pluvia.Problem(np.eye(3), [-1, 0, 0], 0.3).solve()

        for work in steps, raises_in_a_step, bad_scenes, own_solver_that_raises, files, problems:
            in_use = []
            for _ in range(3):  # the first is a warm-up
                for _ in range(40):
                    work()
                gc.collect()
                in_use.append(libc.mallinfo2().n7)  # uordblks
            with self.subTest(work=work.__name__):
                self.assertLess(in_use[2] - in_use[1], 40 * 64, in_use)

    def test_entries_of_copies_are_not_set(self):
        """They would not be those of the simulation."""
        run = pluvia.Simulation(pluvia.Scene(text=GROUND))
        with self.assertRaisesRegex(ValueError, "read-only"):
            run.gravity[2] = 0.0
        run.gravity = [0, 0, -2.0]
        self.assertEqual(list(run.gravity), [0, 0, -2.0])

    def test_three_numbers(self):
        run = pluvia.Simulation(pluvia.Scene(text=GROUND))
        for said, make in [(r"^set_velocity: velocity is \[0\.0, 1\.0\]; it must be three numbers", lambda: run.bodies.set_velocity(0, [0, 1])),
                           ("^set_load: moment is 5.0; it must be three numbers", lambda: run.bodies.set_load(0, moment=5)),
                           ("^drive: belt is .*; it must be three numbers", lambda: run.drive("floor", belt=[[1, 0, 0]])),
                           ("^gravity is -1.6; it must be three numbers", lambda: setattr(run, "gravity", -1.6))]:
            with self.assertRaisesRegex(pluvia.UsageError, said):
                make()

    def test_values_in_another_form(self):
        with self.assertRaisesRegex(pluvia.UsageError, r'keys with dots, as \{"time\.step": 1e-3\}'):
            pluvia.Scene(text=GROUND, changes={"time": {"step": 2e-3}})
        try:
            from scipy import sparse
        except ImportError:
            self.skipTest("scipy is not installed")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(pluvia.UsageError, "W has entries of type complex128; they must be real numbers"):
                pluvia.Problem(sparse.eye(3).tocsr() * 1j, [-1, 0, 0], 0.3)

    def test_what_is_printed(self):
        run, made = pluvia.Simulation(pluvia.Scene(text='title = "A throw";' + GROUND)), self.trajectory()
        run.step(100)
        self.assertEqual(repr(run), "<Simulation of 1 bodies at 0.1 of 0.2 s>")
        self.assertEqual(repr(run.scene), "<Scene 'A throw': 0.2 s in steps of 0.001 s>")
        self.assertEqual(repr(pluvia.Problem(np.eye(6), np.zeros(6), 0.3)), "<Problem of 2 contacts, 3 rows each>")
        self.assertEqual(repr(made), f"<Trajectory {made.path}: 3 frames, 0 to 0.2 s>")

    def test_trajectories(self):
        made = self.trajectory()
        for name in "position", "velocity", "radius", "observables", "measure":  # what Tab completes
            self.assertIn(name, dir(made))
        np.testing.assert_array_equal(made.contacts()["body"], made.contacts(2)["body"])
        with self.assertRaisesRegex(pluvia.InputError, "is a directory, not a trajectory of pluvia"):
            pluvia.Trajectory(self.folder)
        made.close()
        for use in (lambda: made.position, made.bodies, made.contacts, lambda: made.observables, lambda: pluvia.plots.side(made)):
            with self.assertRaisesRegex(pluvia.UsageError, r"a\.h5md is closed; Trajectory\(.* opens it again"):
                use()
        self.assertIn("a.h5md: 3 frames", repr(made))

    def test_packages_that_are_not_there(self):
        """The message says what to install, before anything is run; a run in memory works without h5py."""
        (self.folder / "a.cfg").write_text(GROUND)
        for name, use in [("cffi", "import pluvia"), ("numpy", "import pluvia"),
                          ("h5py", "import pluvia; pluvia.Simulation('a.cfg').step(); pluvia.run('a.cfg', 'none.h5md')"),
                          ("matplotlib", "import pluvia; pluvia.plots.side(pluvia.run('a.cfg', 'a.h5md'))")]:
            hidden = f"import sys; sys.modules[{name!r}] = None; {use}"  # as if it were not installed
            done = subprocess.run([sys.executable, "-c", hidden], cwd=self.folder, stderr=subprocess.PIPE, text=True,
                                  env=os.environ | {"PYTHONPATH": HOLDER.name})
            self.assertRegex(done.stderr, rf"ModuleNotFoundError: .* Python package {name} \(on Debian: python3-{name}\)\n$")
        self.assertTrue((self.folder / "a.h5md").exists())
        self.assertFalse((self.folder / "none.h5md").exists())

    def test_axes(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        from matplotlib import pyplot
        made, (_, axes) = self.trajectory(), pyplot.subplots(1, 2)
        for plot in (pluvia.plots.side, pluvia.plots.forces, lambda t, axes: pluvia.plots.observable(t, "active", axes)):
            with self.assertRaisesRegex(pluvia.UsageError, "axes is an array of 2; it must be axes of matplotlib"):
                plot(made, axes=axes)
            self.assertIs(plot(made, axes=axes[0]), axes[0])
        with self.assertRaisesRegex(pluvia.UsageError, "names is empty"):
            pluvia.plots.observable(made, [])


if __name__ == "__main__":
    unittest.main()
