"""The Python package over the shared library: its doctests, what it says of errors, its arrays, its notebook."""
import doctest
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np

from command import ROOT, Case
from package import GROUND, HOLDER, pluvia

from pluvia._library import ffi


def projected_sweeps(view, p):
    """Gauss-Seidel by projections, contact by contact."""
    w = np.asarray(view.W.todense()) if hasattr(view.W, "todense") else view.W
    k, p = 0, p.copy()
    while not view.stop(p, k):
        for c in range(view.contacts):
            at = slice(c * view.rows, (c + 1) * view.rows)
            y = w[at] @ p + view.q[at]
            new = p[at] - 0.9 * y / np.diag(w)[at]
            new[0] = max(new[0], 0.0)
            size, most = np.hypot(*new[1:3]), view.slope[c, 0] * new[0]
            new[1:3] *= min(1.0, most / size) if size > 0 else 1.0
            p[at] = new
        k += 1


class Bindings(Case):
    def test_doctests(self):
        tried = 0
        for name in "_scene", "_simulation", "_problem", "_bodies":
            failed, count = doctest.testmod(importlib.import_module(f"pluvia.{name}"))
            self.assertEqual(failed, 0)
            tried += count
        self.assertGreaterEqual(tried, 26)

    def test_structures_are_those_of_the_compiler(self):
        names = ["plu_scene", "plu_step_info", "plu_totals", "plu_contact_row", "plu_problem_arrays", "plu_solve_request",
                 "plu_solve_report", "plu_problem_facts", "plu_problem_view", "plu_bodies_view", "plu_coarse_node", "plu_coarse_grid", "plu_view",
                 "plu_unfolded", "plu_frame_data", "plu_checkpoint", "plu_run_record", "plu_provenance"]
        last = {name: ffi.typeof(name).fields[-1] for name in names}
        lines = [f'printf("{n} %zu %zu\\n", sizeof({n}), offsetof({n}, {last[n][0]}));' for n in names]
        includes = "".join(f"#include <pluvia/{p.name}>\n" for p in sorted((ROOT / "include/pluvia").glob("*.h")))
        source = f"#include <stddef.h>\n#include <stdio.h>\n{includes}int main(void) {{ {' '.join(lines)} }}\n"
        program = self.folder / "sizes"
        subprocess.run(["cc", f"-I{ROOT / 'include'}", "-x", "c", "-", "-o", program], input=source, text=True, check=True)
        found = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
        here = "".join(f"{n} {ffi.sizeof(n)} {last[n][1].offset}\n" for n in names)
        self.assertEqual(found, here)

    def test_errors_are_sentences(self):
        for kind, base, make in [
                (pluvia.FileError, OSError, lambda: pluvia.Scene("none.cfg")),
                (pluvia.InputError, ValueError, lambda: pluvia.Scene(text=GROUND, changes={"time.step": -1.0})),
                (pluvia.FileError, OSError, lambda: pluvia.run(self.folder / "none.cfg")),
                (pluvia.UsageError, ValueError, lambda: pluvia.Problem(np.eye(3), [-1, 0, 0], 0.3).solve("nobody")),
                (pluvia.UsageError, ValueError, lambda: pluvia.Problem(np.eye(4), [-1, 0, 0], 0.3)),
                (pluvia.InputError, ValueError, lambda: pluvia.Problem(np.eye(3), [-1, 0, np.nan], 0.3))]:
            with self.assertRaises(kind) as caught:
                make()
            self.assertIsInstance(caught.exception, base)
            self.assertRegex(str(caught.exception), r"\w+ \w+")
            self.assertNotIn("\n\n", str(caught.exception))
        with self.assertRaisesRegex(pluvia.InputError, r"gravity: \"\[\" is never closed|gravity must be 3 numbers.*found nan"):
            pluvia.Scene(time={"step": 1e-3, "end": 1.0}, gravity=np.array([0, 0, -np.nan]))
        with self.assertRaisesRegex(pluvia.InputError, r'time\.step must be > 0 or "auto" \(s\) \(found -1'):
            pluvia.Scene(text=GROUND, changes={"time.step": -1.0})

    def test_arguments_that_do_not_exist(self):
        """A sentence with what there is, in the words of Python."""
        (self.folder / "a.cfg").write_text(GROUND + 'output: { interval = 0.1; contacts = true; };')
        made = pluvia.run(self.folder / "a.cfg", self.folder / "a.h5md", changes={"bodies[0].position": [0, 0, 0.3]})
        bare = pluvia.run(self.folder / "a.cfg", self.folder / "b.h5md", changes={"output.contacts": False})
        rolling = pluvia.Problem(np.eye(5), [-0.1, 3, 0, 0, 0], 0.2, 0.01)
        many = r"a\.h5md has 3 frames, 0 to 2 \(-1: the last one\); there is no frame 1000"
        for said, kind, make in [
                (many, pluvia.UsageError, lambda: made.contacts(1000)),
                (many, pluvia.UsageError, lambda: made.bodies(1000)),
                (many, pluvia.UsageError, lambda: pluvia.plots.side(made, 1000)),
                (many, pluvia.UsageError, lambda: pluvia.plots.forces(made, 1000)),
                ('across is \'q\'; choose "x" or "y"', pluvia.UsageError, lambda: pluvia.plots.side(made, across="q")),
                (r'no observable "nope" \(known: .*kinetic_energy', pluvia.UsageError, lambda: pluvia.plots.observable(made, "nope")),
                ("no contact bears a force at 0 s", pluvia.InputError, lambda: pluvia.plots.forces(made, 0)),
                ("contains no contacts; run the scene with output.contacts = true", pluvia.InputError,
                 lambda: pluvia.plots.forces(bare)),
                ("^measure: at is 'end'; it must be a number or None$", pluvia.UsageError, lambda: made.measure("end")),
                ("threads is 0; it must be a whole number, at least 1", pluvia.UsageError,
                 lambda: pluvia.run(self.folder / "a.cfg", self.folder / "c.h5md", threads=0)),
                ("a.h5md exists; use restart=True to continue its run, force=True to replace it or another output$",
                 pluvia.FileError, lambda: pluvia.run(self.folder / "a.cfg", made.path)),
                (r"^output: .* must end in \.h5md", pluvia.UsageError, lambda: pluvia.run(self.folder / "a.cfg", "c.txt")),
                (r'no local form with rolling friction.*\(format="siconos"\)', pluvia.InputError,
                 lambda: rolling.write(self.folder / "r.hdf5", "fclib")),
                (r"none\.h5md: no such file$", pluvia.FileError, lambda: pluvia.Trajectory(self.folder / "none.h5md")),
                (r"a\.cfg is not a trajectory of pluvia", pluvia.InputError, lambda: pluvia.Trajectory(self.folder / "a.cfg")),
                (r'^changes: time\.stp=1: unknown key "stp"', pluvia.InputError,
                 lambda: pluvia.run(self.folder / "a.cfg", self.folder / "d.h5md", changes={"time.stp": 1})),
                (r'^changes: time\.stp=1: unknown key "stp"', pluvia.InputError,
                 lambda: pluvia.Scene(self.folder / "a.cfg", changes={"time.stp": 1})),
                ("the scene has no cell", pluvia.UsageError,
                 lambda: pluvia.Simulation(pluvia.Scene(text=GROUND)).cell_stress)]:
            with self.assertRaisesRegex(kind, said):
                make()
        rolling.write(self.folder / "r.dat")
        self.assertEqual(pluvia.Problem.read(self.folder / "r.dat").rows, 5)
        self.assertEqual(len(pluvia.run(self.folder / "a.cfg", bare.path, changes={"output.contacts": False}, restart=True)), 3)

    def test_cell(self):
        """A row of four spheres, which a cell that shortens presses: its edges, and the force over the area across the row."""
        text = GROUND[:GROUND.index("boundaries")].replace("-10.0", "0.0") + """
            cell = { size = [0.8, 0.4, 0.4]; periodic = ["x", "y", "z"]; strain_rate = [-0.01, 0, 0]; };
            bodies = ( { lattice: { counts = [4, 1, 1]; spacing = 0.2; origin = [0.1, 0.1, 0.1]; }; radius = 0.1; material = "a"; } );"""
        run = pluvia.Simulation(pluvia.Scene(text=text))
        np.testing.assert_array_equal(run.cell_edges, np.diag([0.8, 0.4, 0.4]))
        run.step(10)
        self.assertAlmostEqual(run.cell_edges[0, 0], 0.8 * np.exp(-0.01 * 0.01), delta=1e-8)
        force = run.contacts["normal_impulse"].mean() / 1e-3
        self.assertAlmostEqual(run.cell_stress[0, 0], force / 0.16, delta=1e-2 * force / 0.16)

    def test_bodies_are_views(self):
        run = pluvia.Simulation(pluvia.Scene(text=GROUND))
        position, velocity = run.bodies.position, run.bodies.velocity
        self.assertEqual(position.shape, (1, 3))
        with self.assertRaises(ValueError):
            position[0, 0] = 1.0
        before = position[0, 0]
        run.step(10)
        self.assertGreater(position[0, 0], before)  # the same memory
        run.bodies.set_velocity(0, velocity=[0, 2, 0])
        self.assertEqual(list(velocity[0]), [0, 2, 0])
        self.assertAlmostEqual(run.bodies.mass[0], 2500 * 4 / 3 * np.pi * 0.1**3)
        force, _ = run.boundary_force("floor")
        self.assertAlmostEqual(force[2], -run.bodies.mass[0] * 10.0)
        np.testing.assert_allclose(run.bodies.force[0], -force)
        self.assertEqual([(c["a"], c["part"], c["b"]) for c in run.contacts], [(-1, 0, 0)])
        with self.assertRaisesRegex(pluvia.UsageError, r'unknown boundary "wall" \(known: floor\)'):
            run.boundary_force("wall")

    def test_bodies_that_are_fixed(self):
        run = pluvia.Simulation(pluvia.Scene(text=GROUND, changes={"bodies.0.velocity": [0, 0, 0], "bodies.0.fixed": True}))
        self.assertEqual(run.bodies.fixed.tolist(), [True])
        run.step(5)
        self.assertFalse(run.bodies.velocity.any())
        for call in (lambda: run.bodies.set_velocity(0, [1, 0, 0]), lambda: run.bodies.set_load(0, [1, 0, 0])):
            self.assertRaisesRegex(pluvia.UsageError, "body 0 is fixed", call)

    def test_scene_by_values(self):
        """The same run, bit for bit, as of the text."""
        contact = {"between": ["a", "a"], "friction": 0.3}
        values = {"time": {"step": 1e-3, "end": 0.2}, "gravity": [0, 0, -10.0], "materials": [{"name": "a", "density": 2500}],
                  "contacts": [contact], "boundaries": [{"name": "floor", "plane": {}, "material": "a"}],
                  "bodies": [{"position": np.array([0, 0, 0.1]), "velocity": (4, 0, 0), "radius": np.float64(0.1), "material": "a"}],
                  "output": {"contacts": True, "quantities": ["velocity", "force"]}}
        runs = [pluvia.Simulation(scene) for scene in (pluvia.Scene(**values), pluvia.Scene(text=GROUND))]
        for run in runs:
            run.step(100)
        np.testing.assert_array_equal(runs[0].bodies.velocity, runs[1].bodies.velocity)
        self.assertEqual(pluvia.Scene(text=runs[0].scene.resolved).resolved, runs[0].scene.resolved)
        changed = pluvia.Scene(**values, changes={"contacts[0].friction": 0.5, "seed": 10**12}).resolved
        self.assertIn("friction = 0.5;", changed)
        self.assertIn("seed = 1000000000000L;", changed)
        contact["fricton"] = contact.pop("friction")
        with self.assertRaisesRegex(pluvia.InputError, r'unknown key "fricton" in contacts'):
            pluvia.Scene(**values)
        for wrong in ({}, {"text": GROUND, "path": "a"}, {"text": GROUND, "time": {}}, {"title": None}):
            self.assertRaises(pluvia.UsageError, pluvia.Scene, **wrong)

    def test_drive_and_gravity(self):
        run = pluvia.Simulation(pluvia.Scene(text=GROUND.replace("plane: {};", "plane: {}; motion: {};")))
        run.step(5)
        run.drive("floor", belt=[1, 0, 0])
        run.step(100)
        self.assertAlmostEqual(run.bodies.velocity[0, 0], 4 - 0.3 * 10 * 0.105)
        run.drive("floor", [0, 0, 1.0], rate=2.0)
        run.step(10)
        place, turned = run.boundary_place("floor")
        np.testing.assert_allclose(place, [0, 0, 0.0095])
        np.testing.assert_allclose(turned, [np.cos(0.0095), 0, 0, np.sin(0.0095)])
        run.drive("floor", None)
        run.gravity = np.zeros(3)
        self.assertEqual(list(run.gravity), [0, 0, 0])
        for wrong in (lambda: run.drive("roof"), lambda: run.drive("floor", [1, 2]), lambda: run.drive("floor", rate=float("nan")),
                      lambda: setattr(run, "gravity", [1, 2]), lambda: setattr(run, "gravity", [0, 0, float("inf")])):
            self.assertRaises(pluvia.UsageError, wrong)

    def test_the_contact_network(self):
        """As the command exports it, with boundaries by their names; and what a file without contacts says."""
        text = """time: { step = 1e-3; end = 0.15; }; gravity = [0, 0, -9.81]; materials = ( { name = "a"; density = 2500.0; } );
        contacts = ( { between = ["a", "a"]; friction = 0.3; rolling_friction = 1e-4; } );
        boundaries = ( { name = "z"; sphere: { center = [0, 0, 0]; radius = 0.012; }; material = "a"; },
                       { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.5]; }; material = "a"; },
                       { name = "a/b"; mesh: { file = "step.obj"; }; material = "a"; } );
        bodies = ( { packing: { count = 60; box = [[-0.018, -0.018, 0.02], [0.018, 0.018, 0.2]]; }; material = "a"; radius = 0.004; } );
        output: { contacts = true; interval = 0.05; };"""
        (self.folder / "step.obj").write_text("v -0.019 -0.019 0.01\nv -0.008 -0.019 0.01\nv -0.008 0.019 0.008\nf 1 2 3\n")
        (self.folder / "a.cfg").write_text(text)
        t = pluvia.run(self.folder / "a.cfg", self.folder / "a.h5md")
        table = pluvia._trajectory.command("export", t.path, "--to", "contacts", "--at", "0.15", "-o", "-").split()
        rows = [dict(zip(table[0].split(","), map(float, row.split(",")))) for row in table[1:]]
        links, names = t.network(), ["z", "box-1", "a_b"]
        for column, name in {"id1": "a", "id2": "b", "mode": "mode", "normal_force": "normal_force", "tangential_force": "tangential_force",
                             "fx": "force_x", "fz": "force_z", "my": "moment_y", "nx": "normal_x", "gap": "gap"}.items():
            want = np.array([row[column] for row in rows])
            np.testing.assert_allclose(links[name], want, rtol=1e-6, atol=1e-7 * abs(want).max(), err_msg=name)
        self.assertEqual(list(links["boundary"]), [names[int(row["boundary"])] if row["boundary"] >= 0 else "" for row in rows])
        self.assertEqual(set(links["boundary"]), {*names, ""})
        grains = t.grains()
        self.assertEqual(int(sum(grains["coordination"])), sum(int(row["normal_force"] > 0) * (1 + (row["id1"] >= 0)) for row in rows))
        bare = pluvia.run(self.folder / "a.cfg", self.folder / "b.h5md", changes={"output.contacts": False, "time.end": 0.01})
        self.assertRaisesRegex(pluvia.InputError, "output.contacts", bare.grains)
        self.assertRaisesRegex(pluvia.InputError, "output.contacts", bare.network)

    def test_start_from_a_run(self):
        """A scene that starts from a run goes on as that does."""
        first = self.folder / "one.cfg"
        first.write_text(GROUND)
        pluvia.run(first, self.folder / "one.h5md").close()
        self.assertRaises(pluvia.UsageError, pluvia.run, pluvia.Scene(first))
        begin, end = GROUND.index("bodies"), GROUND.rindex(";") + 1
        again = GROUND[:begin] + f'bodies = ( {{ run: {{ path = "{self.folder}/one.h5md"; }}; }} );' + GROUND[end:]
        one = pluvia.Simulation(pluvia.Scene(text=GROUND))
        one.run()
        two = pluvia.Simulation(pluvia.Scene(text=again))
        np.testing.assert_array_equal(one.bodies.velocity, two.bodies.velocity)
        one.step(20), two.step(20)
        np.testing.assert_allclose(one.bodies.velocity, two.bodies.velocity, atol=1e-9)

    def test_a_disk_that_rolls(self):
        """In the plane, three rows: m_R = mu_r r_N, and u_T = 1.5 r_T + 10 m_R = 0."""
        disk = pluvia.Problem([[0.5, 0, 0], [0, 1.5, 10], [0, 10, 100]], [-1, 0, -7], mu=0.5, mu_r=0.01, planar=True)
        found = disk.solve(tolerance=1e-11)
        self.assertEqual(disk.rows, 3)
        self.assertTrue(np.allclose(found.r, [[2, -0.2 / 1.5, 0.02]], atol=1e-9))

    def test_arguments(self):
        run = pluvia.Simulation(pluvia.Scene(text=GROUND))
        for wrong in (lambda: run.bodies.set_load(0, [1, 2]), lambda: run.bodies.set_velocity(0, [1, 2, 3, 4]),
                      lambda: run.step(2.5), lambda: run.step(0), lambda: run.run(float("nan")), run.problem):
            self.assertRaises(pluvia.UsageError, wrong)
        run.run(0.01)
        self.assertIsNone(run.run(0.01))
        with self.assertRaisesRegex(pluvia.UsageError, "run: until 0.001 s, but the simulation is at 0.01 s already"):
            run.run(0.001)
        with self.assertRaisesRegex(pluvia.UsageError, r"mu has the shape \(2,\): it takes one number, or one for each of the 1"):
            pluvia.Problem(np.eye(3), [-1, 0, 0], mu=[0.3, 0.3])
        with self.assertRaisesRegex(pluvia.UsageError, "mu_r has the shape"):
            pluvia.Problem(np.eye(5), np.zeros(5), 0.3, mu_r=[[1.0, 2.0]])
        problem = pluvia.Problem(np.eye(3), [-1, 0, 0], 0.3)
        for tolerance in float("nan"), -1.0:
            with self.assertRaisesRegex(pluvia.UsageError, "the tolerance must be a number"):
                problem.solve(tolerance=tolerance)
        problem.write(self.folder / "once.dat", "siconos")
        with self.assertRaisesRegex(pluvia.FileError, "exists; overwrite=True"):
            problem.write(self.folder / "once.dat", "siconos")
        problem.write(self.folder / "once.dat", "siconos", overwrite=True)

    def test_arguments_of_another_kind(self):
        """Whatever a function gets, it says which argument is wrong; only a missing or unknown one is Python's to say."""
        (self.folder / "a.cfg").write_text(GROUND + 'output: { interval = 0.1; contacts = true; };')
        run, problem = pluvia.Simulation(self.folder / "a.cfg"), pluvia.Problem(np.eye(3), [-1, 0, 0], 0.3)
        made, view = pluvia.run(self.folder / "a.cfg", self.folder / "a.h5md"), pluvia.ProblemView.stop
        for said, make in [
                ("^solve: max_iterations is 'a'; it must be a whole number$", lambda: problem.solve(max_iterations="a")),
                ("max_iterations is 1000000000000; it must be a whole number$", lambda: problem.solve(max_iterations=10**12)),
                ("^drive: belt is 'no'; it must be numbers$", lambda: run.drive("floor", belt="no")),
                ("^Problem: W is 'a'; it must be numbers$", lambda: pluvia.Problem("a", [-1, 0, 0], 0.3)),
                ("scene is a Scene; it must be a path; Simulation", lambda: pluvia.run(run.scene)),
                ("^solvers: mine is 5; it must be a function$", lambda: problem.solve("mine", solvers={"mine": 5})),
                ("^gravity: value is None; it must be numbers$", lambda: setattr(run, "gravity", None)),
                ("forces: bins is 0; it must be at least 1", lambda: pluvia.plots.forces(made, bins=0)),
                ("a key is 5; it must be a text", lambda: pluvia.Scene(text=GROUND, changes={5: 1}))]:
            with self.assertRaisesRegex(pluvia.UsageError, said):
                make()
        tried = 0
        for where, valid in [(pluvia.Scene, {}), (pluvia.Simulation, {"scene": run.scene}), (run.step, {}), (run.run, {}),
                             (run.boundary_force, {}), (run.boundary_place, {}), (run.drive, {"name": "floor"}),
                             (run.bodies.set_velocity, {"body": 0}), (run.bodies.set_load, {"body": 0}),
                             (run.bodies.set_loads, {}), (run.bodies.set_velocities, {}), (run.bodies.set_drag, {"coefficient": 0.0}),
                             (run.bodies.add, {"position": [0, 0, 9]}), (run.bodies.move, {"bodies": [], "position": np.zeros((0, 3))}),
                             (run.fields, {}), (made.fields, {}), (made.network, {}), (made.sensors, {}),
                             (pluvia.Problem, {"W": np.eye(3), "q": [-1, 0, 0], "mu": 0.3}), (pluvia.Problem.read, {}),
                             (problem.write, {"path": self.folder / "p.dat"}), (problem.solve, {}),
                             (pluvia.Trajectory, {}), (made.frame, {"frame": -1}), (made.bodies, {}), (made.contacts, {}), (made.measure, {}),
                             (pluvia.run, {"scene": self.folder / "a.cfg"}), (pluvia.measure, {"path": made.path}),
                             (view, {"self": None, "p": np.zeros(3), "iterations": 0}), (pluvia.plots.side, {"trajectory": made}),
                             (pluvia.plots.observable, {"trajectory": made, "names": "active"}), (pluvia.plots.forces, {"trajectory": made})]:
            for name, parameter in inspect.signature(where).parameters.items():
                if parameter.kind is parameter.VAR_KEYWORD or parameter.annotation == "Any" or name == "self":
                    continue
                for wrong in object(), b"x", 1j, "a\0b", [object()], np.array(["a"]):
                    with self.subTest(where=where, name=name, wrong=wrong), self.assertRaisesRegex(pluvia.UsageError, rf"{name} is |no observable"):
                        where(**(valid | {name: wrong}))
                    tried += 1
        self.assertGreater(tried, 300)

    def test_calls(self):
        seen = []
        run = pluvia.Simulation(pluvia.Scene(text=GROUND), before=lambda s: s.bodies.set_load(0, force=[0, 0, 1e3]),
                                after=lambda s: seen.append(s.bodies.velocity[0, 2]))
        run.step(3)
        self.assertEqual(len(seen), 3)
        self.assertGreater(seen[-1], 0.0)

        def fails(_):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            pluvia.Simulation(pluvia.Scene(text=GROUND), before=fails).step()

    def test_what_functions_raise_reaches_the_caller(self):
        """Whatever it is, however deep, and each only once."""
        class Empty(Exception):
            def __len__(self):
                return 0

        def fails(kind):
            def function(*_):
                raise kind()
            return function
        scene = pluvia.Scene(text=GROUND)
        for kind in Empty, KeyError, KeyboardInterrupt, SystemExit, RecursionError, MemoryError, StopIteration:
            for where in "before", "after":
                run = pluvia.Simulation(scene, **{where: fails(kind)})
                for _ in range(2):
                    self.assertRaises(kind, run.step)
            own = {"solver.name": "mine", "solver.fallback": "gs", "solver.criterion": "scaled"}
            run = pluvia.Simulation(pluvia.Scene(text=GROUND, changes=own), solvers={"mine": fails(kind)})
            for _ in range(2):
                self.assertRaises(kind, run.step, 3)
        calls = []

        def once(run):
            calls.append(run.steps)
            if len(calls) == 1:
                run.step()
        run = pluvia.Simulation(scene, before=once)
        with self.assertRaisesRegex(pluvia.UsageError, "step: this Simulation is in use, .* by a call that has called"):
            run.step()
        self.assertEqual((calls, run.steps), ([0], 0))
        run.step(2)
        self.assertEqual(run.steps, 2)

        def throws(*_):
            raise LookupError("in the other one")
        inner = pluvia.Simulation(scene, after=throws)
        with self.assertRaisesRegex(LookupError, "in the other one"):
            pluvia.Simulation(scene, before=lambda _: inner.step()).step()

    def test_interrupt(self):
        """Ctrl-C while the library is at work: Python raises it on its way into the next function, where nothing catches it."""
        lattice = "bodies = ( { lattice: { counts = [6, 6, 6]; spacing = 0.21; origin = [1, 0, 0.1]; }; radius = 0.1; material = \"a\"; },"
        scene = pluvia.Scene(text=GROUND.replace("bodies = (", lattice), changes={"time.end": 1e6})
        for k in range(12):
            run = pluvia.Simulation(scene, after=lambda _: None)
            sends = threading.Timer(0.01 + 0.001 * k, signal.pthread_kill, (threading.get_ident(), signal.SIGINT))
            with self.assertRaises(KeyboardInterrupt):
                sends.start()
                for _ in range(2000):
                    run.step(10)
            sends.join()
            run.step()

    def test_threads(self):
        """One call at a time of each object; the others are refused, and nothing happens to it."""
        lattice = "bodies = ( { lattice: { counts = [6, 6, 6]; spacing = 0.21; origin = [1, 0, 0.1]; }; radius = 0.1; material = \"a\"; },"
        scene = pluvia.Scene(text=GROUND.replace("bodies = (", lattice))
        inside, goes_on = threading.Event(), threading.Event()

        def waits(run):
            run.contacts, run.bodies.force, run.totals  # its own are let in
            inside.set()
            goes_on.wait(60)
        run = pluvia.Simulation(scene, before=lambda _: run.steps == 3 and waits(run))
        thread = threading.Thread(target=run.step, args=(5,))
        thread.start()
        self.assertTrue(inside.wait(60))
        for refused in [run.step, lambda: run.step(3), run.run, lambda: run.contacts, lambda: run.bodies.force, lambda: run.totals,
                        run.natural_map, lambda: run.bodies.set_load(0), lambda: run.bodies.set_velocity(0, [0, 0, 0]),
                        run.keep_problems, lambda: run.boundary_force("floor"), lambda: setattr(run, "gravity", [0, 0, 0])]:
            with self.assertRaisesRegex(pluvia.UsageError, "this Simulation is in use, by another thread"):
                refused()
        goes_on.set()
        thread.join()
        self.assertEqual(run.steps, 5)
        run.step(15)
        alone = pluvia.Simulation(scene)
        alone.step(20)
        np.testing.assert_array_equal(run.bodies.velocity, alone.bodies.velocity)
        refused = []

        def hurry():
            for _ in range(40):
                try:
                    run.step()
                except pluvia.UsageError as problem:
                    refused.append(problem)
        threads = [threading.Thread(target=hurry) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(run.steps + len(refused), 140)
        alone.step(run.steps - 20)
        np.testing.assert_array_equal(run.bodies.velocity, alone.bodies.velocity)
        problem = pluvia.Problem(np.eye(3), [-0.1, 3.0, 0.0], mu=0.2)
        with self.assertRaisesRegex(pluvia.UsageError, "solve: this Problem is in use"):
            problem.solve("again", solvers={"again": lambda view, p: problem.solve()})

    def test_view_of_a_problem(self):
        """What a solver sees cannot be written, and ends with it."""
        problem = pluvia.Problem(np.eye(6) / 2.0, [-0.1, 3.0, 0.0, -0.2, 1.0, 0.0], mu=0.2)
        want = problem.solve(tolerance=1e-12).r
        kept = []

        def cheats(view, p):
            for array in view.q, view.slope, view.W.data if hasattr(view.W, "data") else view.W:
                with self.assertRaises(ValueError):
                    array *= 0
                with self.assertRaises(ValueError):
                    array.flags.writeable = True
            kept.extend([view, p, view.q, view.slope, view.W])
            self.assertFalse(hasattr(view, "nothing"))
            return projected_sweeps(view, p)
        for _ in range(2):
            found = problem.solve("mine", tolerance=1e-12, solvers={"mine": cheats})
            self.assertTrue(found.converged)
            np.testing.assert_allclose(found.r, want, atol=1e-9)
            np.testing.assert_array_equal(problem.q, [-0.1, 3.0, 0.0, -0.2, 1.0, 0.0])
        del problem
        view, p, q, slope, _ = kept[:5]
        for name in "q", "slope", "W", "rows", "contacts":
            with self.assertRaisesRegex(pluvia.UsageError, f"{name}: this ProblemView ended with its solver"):
                getattr(view, name)
        with self.assertRaisesRegex(pluvia.UsageError, "ended with its solver"):
            view.stop(p, 1)
        np.testing.assert_array_equal(q, [-0.1, 3.0, 0.0, -0.2, 1.0, 0.0])
        np.testing.assert_array_equal(slope[:, 0], [0.2, 0.2])
        p[:] = 1.0

    def test_natural_map(self):
        """On demand, and counted once."""
        run = pluvia.Simulation(pluvia.Scene(text=GROUND))
        self.assertTrue(np.isnan(run.natural_map()))
        self.assertTrue(np.isnan(run.step(3).residual_natural))
        self.assertLess(run.natural_map(), 1e-6)
        self.assertEqual(run.natural_map(), run.natural_map())
        self.assertEqual(run.totals["natural_open"], 2)

    def test_own_solver(self):
        """In a scene and on a problem it finds what gs finds; what it raises comes through."""
        own = {"solver.name": "mine", "solver.fallback": "none", "solver.criterion": "scaled", "solver.tolerance": 1e-10}
        ours = pluvia.Simulation(pluvia.Scene(text=GROUND, changes=own), solvers={"mine": projected_sweeps})
        theirs = pluvia.Simulation(pluvia.Scene(text=GROUND))
        ours.run(), theirs.run()
        np.testing.assert_allclose(ours.bodies.velocity, theirs.bodies.velocity, atol=1e-8)
        theirs.keep_problems()
        theirs.step()
        problem = theirs.problem()
        self.assertEqual((problem.rows, problem.contacts), (3, 1))
        again = pluvia.Problem(problem.W, problem.q, problem.mu)
        np.testing.assert_allclose(again.solve("mine", tolerance=1e-10, solvers={"mine": projected_sweeps}).r,
                                   again.solve(tolerance=1e-12).r, atol=1e-8)

        with self.assertRaisesRegex(pluvia.UsageError, r'"lazy" has returned without a call of .*view\.stop'):
            again.solve("lazy", solvers={"lazy": lambda view, p: None})
        with self.assertRaisesRegex(pluvia.Breakdown, '"odd" gave contact 0 an impulse that is not finite'):
            again.solve("odd", solvers={"odd": lambda view, p: view.stop(np.nan * p, 1)})

        def fails(view, p):
            raise ArithmeticError("no idea")
        with self.assertRaisesRegex(ArithmeticError, "no idea"):
            again.solve("bad", solvers={"bad": fails})

    def test_problem_of_files(self):
        run = pluvia.Simulation(pluvia.Scene(ROOT / "scenes/incline.cfg"))
        run.keep_problems()
        run.step(3)
        problem = run.problem()
        problem.write(self.folder / "p.dat", format="siconos")
        stored = pluvia.Problem.read(self.folder / "p.dat")
        np.testing.assert_allclose(np.asarray(stored.W.todense()), np.asarray(problem.W.todense()), rtol=1e-12)
        found = stored.solve(tolerance=1e-12)
        self.assertTrue(found.converged)
        np.testing.assert_allclose(found.u.ravel(), stored.W @ found.r.ravel() + stored.q, atol=1e-12)
        blocks = pluvia.Problem(np.asarray(problem.W.todense()), problem.q, problem.mu, problem.mu_r)
        np.testing.assert_allclose(blocks.solve(tolerance=1e-12).r, found.r, atol=1e-9)

    def test_trajectory(self):
        t = pluvia.run(ROOT / "scenes/rolling/sliding.cfg", self.folder / "a.h5md", changes={"time.end": 0.3})
        self.assertEqual(t.position.shape, (len(t), 1, 3))
        self.assertIn("work_friction", t.observables)
        self.assertEqual(len(t.contacts(-1)["body"]), 1)
        self.assertAlmostEqual(t.measure(at=0.1)["run"]["time"], 0.1)
        bodies, last = t.bodies(), t.position[-1][0]
        self.assertEqual([float(bodies[k][0]) for k in ("position_x", "position_z")], [last[0], last[2]])
        self.assertEqual(int(bodies["state"][0]), 1)
        self.assertEqual(len(t.bodies(0)["radius"]), 1)
        try:
            import pandas
        except ImportError:
            pass
        else:
            self.assertIsInstance(t.bodies(), pandas.DataFrame)
            self.assertEqual(t.observables.index.name, "time")
            self.assertEqual(len(t.observables), len(t))
        grains, links = t.grains(), t.network()
        np.testing.assert_allclose(grains["stress_zz"][0], np.linalg.norm(9.81 * t.mass[0]) * t.radius[0] / (4 / 3 * np.pi * t.radius[0]**3),
                                   rtol=1e-9)
        self.assertEqual(int(grains["coordination"][0]), 1)
        self.assertEqual([links["a"][0], links["b"][0], links["boundary"][0]], [-1, 0, next(iter(t.file["walls"]))])
        for part in "xyz":
            np.testing.assert_allclose(links["force_" + part][0], grains["force_" + part][0], rtol=1e-9, atol=1e-12)
        self.assertRaises(pluvia.UsageError, t.grains, 99)
        with self.assertRaisesRegex(pluvia.FileError, "exists; use"):
            pluvia.run(ROOT / "scenes/rolling/sliding.cfg", self.folder / "a.h5md", changes={"time.end": 0.3})
        with self.assertRaisesRegex(AttributeError, "contains no color"):
            t.color  # pylint: disable=pointless-statement

    def test_library_of_another_version(self):
        place = dict(os.environ, PYTHONPATH=HOLDER.name)
        text = (pathlib.Path(HOLDER.name) / "pluvia/_headers.py")
        kept = text.read_text()
        try:
            text.write_text(kept.replace('VERSION = "', 'VERSION = "9', 1))
            done = subprocess.run([sys.executable, "-c", "import pluvia"], env=place, stderr=subprocess.PIPE, text=True)
        finally:
            text.write_text(kept)
        self.assertIn("this package is of version 9", done.stderr)

    def test_types(self):
        try:
            from mypy import api
        except ImportError:
            self.skipTest("mypy is not installed")
        said, _, status = api.run(["--ignore-missing-imports", "--disallow-untyped-defs", "--check-untyped-defs", "--cache-dir",
                                   str(self.folder / "cache"), str(pathlib.Path(HOLDER.name) / "pluvia")])
        self.assertEqual(status, 0, said)

    def test_a_wheel_brings_its_library(self):
        """It is found beside the package, as meson-python lays it, with nothing installed or named."""
        shutil.copytree(pathlib.Path(HOLDER.name) / "pluvia", self.folder / "pluvia")
        (self.folder / ".pluvia.mesonpy.libs").mkdir()
        library = self.folder / f".pluvia.mesonpy.libs/libpluvia.so.{pluvia.__version__}"
        shutil.copy(os.environ["PLUVIA_LIBRARY"], library)
        environment = {name: value for name, value in os.environ.items() if name != "PLUVIA_LIBRARY"}
        said = subprocess.run([sys.executable, "-c", "import pluvia; print(open('/proc/self/maps').read())"], cwd=self.folder,
                              env=environment | {"PYTHONPATH": str(self.folder)}, stdout=subprocess.PIPE, text=True, check=True)
        self.assertIn(str(library.resolve()), said.stdout)

    def test_notebook(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        book = json.loads((ROOT / "scenes/tutorial.ipynb").read_text(encoding="utf-8"))
        space, cells, here = {}, 0, os.getcwd()
        os.chdir(self.folder)
        try:
            for cell in book["cells"]:
                if cell["cell_type"] == "code":
                    if "network" in "".join(cell["source"]) and importlib.util.find_spec("networkx") is None:
                        continue
                    exec("".join(cell["source"]), space)  # pylint: disable=exec-used
                    cells += 1
        finally:
            os.chdir(here)
        self.assertGreater(cells, 5)
        heap = space["heap"]
        seen = pluvia.plots.side(heap).dataLim
        bottom, top = heap.position[-1][:, 2] - heap.radius[:], heap.position[-1][:, 2] + heap.radius[:]
        self.assertAlmostEqual(seen.y0, bottom.min())
        self.assertAlmostEqual(seen.y1, top.max())
        self.assertEqual(len(pluvia.plots.observable(heap, ["kinetic_energy", "work_friction"]).lines), 2)
        self.assertGreater(len(pluvia.plots.forces(heap).patches), 10)
        self.assertEqual(space["simulation"].bodies.active.sum(), 69)
        self.assertGreater(np.nanmax(space["fields"].density), 500.0)
        self.assertGreater(space["angles"][-1], space["angles"][0] + 5.0)  # degrees: rolling friction makes steeper heaps


if __name__ == "__main__":
    unittest.main()
