"""The Python package as a laboratory: many bodies by one call, bodies that come and go, runs that write and go on, what they measure, as arrays,
frames and graphs, and the examples that couple a run with other programs."""
import gc
import importlib.util
import io
import os
import re
import subprocess
import sys
import threading
import types
import unittest
from unittest import mock

import numpy as np

from command import ROOT, Case
from package import HOLDER, pluvia

BED = '''
    time: { step = 1e-3; end = 0.3; };  gravity = [0, 0, -10.0];
    materials = ( { name = "glass"; density = 2500.0; }, { name = "steel"; density = 7800.0; } );
    contacts = ( { between = ["glass", "glass"]; friction = 0.3; }, { between = ["glass", "steel"]; friction = 0.3; },
                 { between = ["steel", "steel"]; friction = 0.3; } );
    boundaries = ( { name = "floor"; plane: {}; material = "glass"; } );
    sensors = ( { name = "level"; plane: { center = [0, 0, 0.05]; normal = [0, 0, -1]; }; }, { name = "scale"; boundary = "floor"; } );
    bodies = ( { lattice: { counts = [4, 4, 5]; spacing = 0.0301; origin = [0, 0, 0.0121]; jitter = 0.001; }; radius = 0.01;
                 material = "glass"; },
               { reserve: { count = 4; }; radius = 0.01; material = "glass"; },
               { reserve: { count = 2; }; radius = 0.005; material = "steel"; } );
    output: { interval = 0.05; contacts = true; };
'''
HIGH = [[0.3, 0, 0.2], [0.3, 0.1, 0.2], [0.3, 0.2, 0.2]]


def bed(**changes):
    return pluvia.Scene(text=BED, changes={key.replace("__", "."): value for key, value in changes.items()})


def edits(run):
    """At their times: all that a run can be told."""
    if run.steps == 60:
        run.bodies.add(HIGH, velocity=[0, 0, -1], material="glass")
        run.bodies.freeze([0, 5])
        run.bodies.set_loads([0.01, 0, 0], bodies=[7, 8])
    if run.steps == 110:
        run.bodies.remove([3])
        run.bodies.set_drag(0.02, [0, 0.3, 0], bodies=run.bodies.active & ~run.bodies.fixed)
    if run.steps == 170:
        run.bodies.move([82], [[-0.2, 0, 0.1]])
        run.bodies.unfreeze([5])


class Laboratory(Case):
    def refused(self, said, make, kind=pluvia.UsageError):
        with self.assertRaisesRegex(kind, said):
            make()

    def test_many_by_one_call(self):
        """The same, bit for bit, as each for itself."""
        one, many = pluvia.Simulation(bed()), pluvia.Simulation(bed())
        force, moment, velocity = np.random.default_rng(7).normal(size=(3, 86, 3)) * [[[1e-3]], [[1e-6]], [[0.1]]]
        for body in range(80):
            one.bodies.set_velocity(body, velocity[body], -velocity[body])
        for body in range(86):
            one.bodies.set_load(body, force[body], moment[body])
        many.bodies.set_velocities(velocity, -velocity)
        many.bodies.set_loads(force, moment)
        one.step(50), many.step(50)
        np.testing.assert_array_equal(one.bodies.velocity, many.bodies.velocity)
        np.testing.assert_array_equal(many.bodies.load_force[:80], force[:80])
        many.bodies.set_loads(bodies=[2, 3])
        many.step()
        self.assertFalse(many.bodies.load_force[2:4].any())
        self.assertTrue(many.bodies.load_force[4:80].all())
        many.bodies.set_velocities([1, 2, 3], bodies=np.arange(86) == 6)
        self.assertEqual(many.bodies.velocity[6].tolist(), [1, 2, 3])

    def test_drag(self):
        """A speed at which drag and weight are equal, and no more momentum than the fluid lost."""
        run = pluvia.Simulation(pluvia.Scene(
            time={"step": 1e-3, "end": 1.0}, gravity=[0, 0, -10], materials=[{"name": "glass", "density": 2500.0}],
            contacts=[{"between": ["glass", "glass"], "friction": 0.3}],
            bodies=[{"lattice": {"counts": [3, 1, 1], "spacing": 1.0}, "radius": 0.01, "material": "glass"}]))
        run.bodies.set_drag([0.05, 0.5, 5e5], [0.2, 0, 0])
        got = np.zeros((3, 3))
        for _ in range(1000):
            run.step()
            got += 1e-3 * run.bodies.load_force
        mass = run.bodies.mass
        np.testing.assert_allclose(run.bodies.velocity[1:], [[0.2, 0, -10 * mass[k] / (0.5, 5e5)[k - 1]] for k in (1, 2)], rtol=1e-9)
        np.testing.assert_allclose(mass[:, None] * run.bodies.velocity, got - mass[:, None] * [0, 0, 10.0], atol=1e-12)
        run.bodies.set_drag(0)
        run.step()
        self.assertFalse(run.bodies.load_force.any())

    def test_bodies_come_and_go(self):
        run = pluvia.Simulation(bed())
        bodies = run.bodies
        self.assertEqual(bodies.spare.tolist(), list(range(80, 86)))
        run.step(200)
        steel = bodies.add([0.3, 0, 0.5], radius=0.005)
        self.assertEqual((steel.tolist(), bodies.radius[steel].tolist(), bodies.material[steel].tolist()), ([84], [0.005], [1]))
        self.assertEqual(bodies.add(HIGH, material="glass").tolist(), [80, 81, 82])
        bodies.freeze([80])
        bodies.remove(steel)
        self.assertEqual((bodies.state[84], bodies.active.sum()), (3, 83))
        run.step(50)
        self.assertEqual(bodies.position[80].tolist(), HIGH[0])
        self.assertAlmostEqual(bodies.position[81, 2], 0.2 - 5 * 0.05**2)
        run.keep_problems()
        run.step()
        self.assertGreater(run.problem().contacts, 0)
        bodies.unfreeze(bodies.fixed)
        self.refused("^problem: bodies were added, moved, removed or frozen after the last step", run.problem)
        bodies.move([81, 82], [[0.5, 0, 1], [0.6, 0, 1]], [[0, 0, 0, 1], [1, 0, 0, 0]])
        run.step()
        self.assertEqual(bodies.orientation[81].tolist(), [0, 0, 0, 1])
        self.assertAlmostEqual(bodies.velocity[80, 2], -0.01)
        self.assertEqual(bodies.add([0.3, 0, 0.5], material="steel", radius=0.005).tolist(), [85])
        self.assertEqual(bodies.add([0.3, 0.1, 0.5], material="steel").tolist(), [84])  # the one that was removed

    def test_what_bodies_refuse(self):
        """With a sentence, and nothing has changed."""
        run = pluvia.Simulation(bed())
        bodies = run.bodies
        run.step(100)
        before = bodies.position.copy(), bodies.velocity.copy(), bodies.state.copy()
        for said, make in [
                (r"^set_loads: force has the shape \[80, 3\]; it must be \[3\] or \[86, 3\]$", lambda: bodies.set_loads(np.zeros((80, 3)))),
                (r"^set_loads: moment has the shape \[\]", lambda: bodies.set_loads(moment=1.0)),
                ("^set_loads: force is 'x'; it must be numbers or None$", lambda: bodies.set_loads("x")),
                ("^set_loads: force is array.*it must be numbers", lambda: bodies.set_loads(np.zeros((86, 3), complex))),
                ("^body 4: a number given for it is not finite", lambda: bodies.set_loads([[0, 0, np.nan]], bodies=[4])),
                ("^body 86 does not exist: bodies are numbered 0 to 85", lambda: bodies.set_velocities([0, 0, 1], bodies=[86])),
                ("^body -1 does not exist", lambda: bodies.set_velocities([0, 0, 1], bodies=-1)),
                ("^body 80 is not active", lambda: bodies.set_velocities([0, 0, 1], bodies=[0, 80])),
                (r"^set_loads: bodies must be numbers of bodies, as \[0, 3, 4\], or a mask \[86\]", lambda: bodies.set_loads(bodies=[0.5])),
                ("^set_loads: bodies must be numbers", lambda: bodies.set_loads(bodies=2**40)),
                ("^set_loads: bodies must be numbers", lambda: bodies.set_loads(bodies="all")),
                (r"^freeze: bodies is a mask of the shape \[2\]; .* each of the 86", lambda: bodies.freeze([True, False])),
                ("^freeze: bodies must be numbers", lambda: bodies.freeze(None)),
                (r"^set_drag: coefficient has the shape \[2\]", lambda: bodies.set_drag([1, 2])),
                ("its drag is negative", lambda: bodies.set_drag(-1)),
                ("its drag is negative", lambda: bodies.set_drag(np.inf)),
                (r"^add: position has the shape \[2\]; it must be \[3\] or \[n, 3\]", lambda: bodies.add([1, 2])),
                (r"^add: velocity has the shape \[2, 3\]", lambda: bodies.add(HIGH, velocity=np.zeros((2, 3)))),
                ("its place has a number that is not finite", lambda: bodies.add([0, 0, np.nan])),
                (r"would overlap boundary \"floor\" by 0\.01 m: choose a free place", lambda: bodies.add([1, 0, 0])),
                ("would overlap body 80 by 0.02 m", lambda: bodies.add([[1, 0, 1], [1, 0, 1]])),
                ("^add: 5 bodies of \"glass\" are asked for, and 4 can be added; give the scene a reserve",
                 lambda: bodies.add(np.arange(15).reshape(5, 3), material="glass")),
                ('^add: unknown material "gold"', lambda: bodies.add([1, 0, 1], material="gold")),
                ("^body 3 is named twice", lambda: bodies.remove([3, 3])),
                ("^body 81 is not active", lambda: bodies.move([81], [1, 0, 1])),
                ("its orientation has length 2, not 1", lambda: bodies.move([1], [1, 0, 1], [2, 0, 0, 0]))]:
            with self.subTest(said):
                self.refused(said, make)
        for now, then in zip((bodies.position, bodies.velocity, bodies.state), before):
            np.testing.assert_array_equal(now, then)
        bodies.remove([]), bodies.move([], np.zeros((0, 3))), bodies.set_loads(bodies=np.zeros(86, bool))
        run.step()

    def test_edits_within_calls_and_threads(self):
        """A function of one's own may edit; another thread and a solver may not."""
        inside, goes_on, run = threading.Event(), threading.Event(), None

        def waits(run):
            if run.steps == 1:
                run.bodies.remove([0])
                inside.set()
                goes_on.wait(60)
        run = pluvia.Simulation(bed(), before=waits)
        thread = threading.Thread(target=run.step, args=(3,))
        thread.start()
        self.assertTrue(inside.wait(60))
        for use in (lambda: run.bodies.remove([1]), lambda: run.bodies.add(HIGH), lambda: run.bodies.set_loads(), lambda: run.bodies.set_drag(0),
                    lambda: run.bodies.freeze([1]), lambda: run.bodies.move([1], HIGH[0]), lambda: run.fields(), lambda: run.sensors,
                    lambda: run.bodies.spare, lambda: run.bodies.load_force, run.close, run.save):
            self.refused("this Simulation is in use, by another thread", use)
        goes_on.set()
        thread.join()
        self.assertEqual((run.steps, run.bodies.state[0]), (3, 3))

    def test_a_run_that_writes(self):
        """The trajectory is that of the command, but for who wrote it."""
        (self.folder / "bed.cfg").write_text(BED)
        theirs = pluvia.run(self.folder / "bed.cfg", self.folder / "theirs.h5md")
        with pluvia.Simulation(self.folder / "bed.cfg", output=self.folder / "ours.h5md") as run:
            run.run()
        ours = pluvia.Trajectory(self.folder / "ours.h5md")
        self.same(theirs, ours)
        self.assertEqual(ours.file["parameters/pluvia/command"][()].decode(), "pluvia.Simulation in Python")
        ours.close()
        run.step(5)  # goes on in memory
        with pluvia.Simulation(bed(time__end=0.35), output=ours.path, restart=True) as further:
            further.run()
        with pluvia.Trajectory(ours.path) as longer:
            self.assertRegex(str(longer.file["parameters/pluvia/restarts"][()]), "time.end = 0.35")
        again = pluvia.run(self.folder / "bed.cfg", self.folder / "ours.h5md", restart=True, changes={"time.end": 0.4})  # by the command
        self.assertEqual(len(again), 9)

    def same(self, one, two):
        names = []
        one.file.visititems(lambda name, item: names.append(name) if hasattr(item, "shape") and not name.startswith("parameters") else None)
        self.assertGreater(len(names), 30)
        for name in names:
            np.testing.assert_array_equal(one.file[name][()], two.file[name][()], err_msg=name)

    def test_a_run_goes_on_by_the_same_bits(self):
        """From wherever it was left, with all that calls did to it."""
        with pluvia.Simulation(bed(), before=edits, output=self.folder / "whole.h5md") as whole:
            whole.run()
        place = self.folder / "parts.h5md"
        parts = pluvia.Simulation(bed(), before=edits, output=place)
        for count in 33, 50, 67, 77:
            parts.step(count)
            if count != 67:
                parts.close()
            del parts  # ends it, too
            parts = pluvia.Simulation(bed(), before=edits, output=place, restart=True)
        self.assertEqual(parts.steps, 227)
        parts.run()
        parts.close()
        for name in "position", "velocity", "angular_velocity", "orientation", "state", "radius":
            np.testing.assert_array_equal(getattr(whole.bodies, name), getattr(parts.bodies, name), err_msg=name)
        self.same(pluvia.Trajectory(self.folder / "whole.h5md"), pluvia.Trajectory(place))

    def test_a_run_that_was_killed_goes_on(self):
        """From its last checkpoint: what came after it is made again."""
        (self.folder / "bed.cfg").write_text(BED)
        script = ("import os, pluvia; run = pluvia.Simulation('bed.cfg', output='killed.h5md'); run.step(120); run.save(); run.step(50); "
                  "os._exit(9)")
        done = subprocess.run([sys.executable, "-c", script], check=False, env=os.environ | {"PYTHONPATH": HOLDER.name}, cwd=self.folder)
        self.assertEqual(done.returncode, 9)
        run = pluvia.Simulation(self.folder / "bed.cfg", output=self.folder / "killed.h5md", restart=True)
        self.assertEqual(run.steps, 120)
        run.run(), run.close()
        with pluvia.Simulation(self.folder / "bed.cfg", output=self.folder / "whole.h5md") as whole:
            whole.run()
        self.same(pluvia.Trajectory(self.folder / "whole.h5md"), pluvia.Trajectory(self.folder / "killed.h5md"))

    def test_a_run_that_was_killed_early_begins_anew(self):
        """Before its first checkpoint, with a warning; not over the run of another scene."""
        (self.folder / "bed.cfg").write_text(BED)
        script = "import os, pluvia; run = pluvia.Simulation('bed.cfg', output='early.h5md'); run.step(50); os._exit(9)"
        subprocess.run([sys.executable, "-c", script], check=False, env=os.environ | {"PYTHONPATH": HOLDER.name}, cwd=self.folder)
        other = pluvia.Scene(self.folder / "bed.cfg", changes={"seed": 77})
        self.refused("another scene", lambda: pluvia.Simulation(other, output=self.folder / "early.h5md", restart=True), pluvia.InputError)
        with self.assertWarnsRegex(RuntimeWarning, "was killed before its first checkpoint: it begins anew"):
            run = pluvia.Simulation(self.folder / "bed.cfg", output=self.folder / "early.h5md", restart=True)
        self.assertEqual(run.steps, 0)
        run.run(), run.close()
        self.assertGreater(len(pluvia.Trajectory(self.folder / "early.h5md")), 1)

    def test_misspelt_attributes(self):
        run = pluvia.Simulation(bed())
        with self.assertRaisesRegex(AttributeError, "Simulation has no attribute 'gravty'; did you mean 'gravity'"):
            run.gravty = [0, 0, 1]
        with self.assertRaisesRegex(AttributeError, "Bodies has no attribute 'velocty'; did you mean 'velocity'"):
            run.bodies.velocty = 0

    def test_what_a_record_refuses(self):
        place = self.folder / "a.h5md"
        first = pluvia.Simulation(bed(), output=place)
        self.refused("another Simulation of this Python; close", lambda: pluvia.Simulation(bed(), output=place, restart=True), pluvia.Held)
        first.step(20)
        self.refused("a.h5md is being written; close", lambda: pluvia.Trajectory(place), pluvia.FileError)
        child = os.fork()
        if child == 0:  # its exit ends nothing
            gc.collect()
            first.close()
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        first.step(3)
        first.close()
        first.close()
        self.assertAlmostEqual(pluvia.Trajectory(place).time[-1], 0.023)
        self.refused("simulation writes no trajectory", first.save)
        self.refused("a.h5md exists; use restart=True .* force=True", lambda: pluvia.Simulation(bed(), output=place), pluvia.FileError)
        self.refused("belongs to another scene: .*friction was 0.3", lambda: pluvia.Simulation(
            bed(**{"contacts[0].friction": 0.2}), output=place, restart=True), pluvia.InputError)
        self.refused("must end in NAME.h5md", lambda: pluvia.Simulation(bed(), output="a.txt"), pluvia.FileError)
        self.refused("force and restart are about an output", lambda: pluvia.Simulation(bed(), restart=True))
        self.refused("output is 5; it must be a path or None", lambda: pluvia.Simulation(bed(), output=5))
        self.refused("force starts again and restart goes on", lambda: pluvia.Simulation(bed(), output=place, force=True, restart=True))
        with pluvia.Trajectory(place):
            self.refused("another program uses the file .*; close\\(\\) each Trajectory of it",
                         lambda: pluvia.Simulation(bed(), output=place, restart=True), pluvia.FileError)
        for checkpoint in self.folder.glob("*.checkpoint*"):
            checkpoint.unlink()
        self.refused("no checkpoint to go on from; use force=True", lambda: pluvia.Simulation(bed(), output=place, restart=True),
                     pluvia.InputError)
        pluvia.Simulation(bed(), output=place, force=True).close()
        self.assertEqual(len(pluvia.Trajectory(place)), 1)

    def test_runs_that_end_otherwise(self):
        """What was written stays readable, and says how the run ended."""
        def ending(name):
            with pluvia.Trajectory(self.folder / name) as made:
                return made.file["parameters/pluvia"].attrs["state"].decode(), len(made), made.time[-1]

        def fails(run):
            if run.steps == 100:
                raise LookupError("mine")
        run = pluvia.Simulation(bed(), after=fails, output=self.folder / "after.h5md")
        self.assertRaises(LookupError, run.run)
        run.run()  # that step was made, and its frame written
        run.close()
        self.assertEqual(ending("after.h5md"), ("complete", 7, 0.3))
        run = pluvia.Simulation(bed(limits__velocity=0.5, limits__on_limit="stop"), output=self.folder / "broken.h5md")
        self.assertRaises(pluvia.Breakdown, run.run)
        self.refused("the last step failed", run.save)
        run.close()
        self.assertEqual(ending("broken.h5md")[0], "failed")
        run = pluvia.Simulation(bed(), output=self.folder / "lost.h5md")
        run.step(70)
        del run
        gc.collect()
        state, frames, last = ending("lost.h5md")
        self.assertEqual((state, frames), ("interrupted", 3))
        self.assertAlmostEqual(last, 0.07)
        script = f"import pluvia; run = pluvia.Simulation({str(self.folder / 'bed.cfg')!r}, output={str(self.folder / 'exit.h5md')!r}); run.step(70)"
        (self.folder / "bed.cfg").write_text(BED)
        subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"PYTHONPATH": HOLDER.name})
        self.assertEqual(ending("exit.h5md")[:2], ("interrupted", 3))

    def made(self):
        place = self.folder / "made.h5md"
        with pluvia.Simulation(bed(), output=place) as run:
            run.run()
        return run, pluvia.Trajectory(place)

    def test_sensors(self):
        run, made = self.made()
        table, rates = made.sensors(), made.sensors(rates=True)
        self.assertEqual(np.asarray(table["level_grains"])[-1], run.sensors["level"]["grains"])
        self.assertEqual(np.asarray(table["scale_impulse_z"])[-1], run.sensors["scale"]["impulse_z"])
        weight = 10 * run.bodies.mass[:80].sum()
        self.assertAlmostEqual(np.asarray(rates["scale_force_z"])[-1] / weight, -1.0, delta=0.1)
        self.assertEqual({name for name in rates if name != "time"}, {"level_mass_rate", "level_grain_rate", *(
            f"scale_{what}_{axis}" for what in ("force", "moment") for axis in "xyz")})
        bare = pluvia.Scene(text=re.sub(r"sensors = .*\n", "", BED))
        pluvia.Simulation(bare, output=self.folder / "bare.h5md").close()
        self.refused("contains no sensors; give the scene some", pluvia.Trajectory(self.folder / "bare.h5md").sensors, pluvia.InputError)

    def test_fields(self):
        """Those of `pluvia fields`, and of a run as of its last frame; the mass is all there."""
        run, made = self.made()
        for along, nodes in ("z", 1), ("xz", 2), ("xyz", 3):
            here, there = made.fields(along, width=0.02), run.fields(along, width=0.02)
            table = np.genfromtxt(io.StringIO(self.pluvia("fields", "made.h5md", "--along", along, "--width", "0.02")[0]), delimiter=",",
                                  names=True)
            self.assertEqual((here.density.ndim, here.contact_stress.shape), (nodes, (*here.density.shape, 3, 3)))
            back = tuple(reversed(range(nodes)))
            for name, column in ("density", here.density), ("velocity_z", here.velocity[..., 2]), ("contact_stress_xz", here.contact_stress[..., 0, 2]):
                (said,) = [k for k in table.dtype.names if k.startswith(name)]
                np.testing.assert_allclose(column.transpose(back).ravel(), table[said], rtol=1e-9, atol=1e-12)
            for name, values in here.items():
                np.testing.assert_allclose(values, there[name], rtol=1e-12, atol=1e-12 * np.nanmax(np.abs(values)), err_msg=name)
        line = made.fields(spacing=0.002, region=[[-1, -1, -0.05], [1, 1, 0.3]])
        self.assertAlmostEqual(line.density.sum() * 0.002 * 4.0 / run.bodies.mass[:80].sum(), 1.0, delta=2e-3)
        fall = made.fields("z", start=0.05, end=0.1, material="glass")
        self.assertLess(np.nanmin(fall.velocity[:, 2]), -0.1)
        self.assertIn("density", dir(fall))
        self.refused('along is "?.?q', lambda: made.fields("q"))
        self.refused("width is -1 m", lambda: run.fields(width=-1))
        self.refused("region must be", lambda: run.fields(region=[1, 2]))
        self.refused(r"at most 4000000", lambda: run.fields(spacing=1e-9))
        self.refused('unknown material "gold"', lambda: run.fields(material="gold"))
        self.refused("at excludes stage, start and end", lambda: made.fields(at=0.1, start=0))
        self.refused("no frame is between .* 0 to 0.3 s", lambda: made.fields(start=7))
        empty = pluvia.Scene(text=re.sub(r"\{ lattice.*?\},\n", "", BED, flags=re.DOTALL))
        self.refused("no sphere is there", pluvia.Simulation(empty).fields, pluvia.InputError)
        with self.assertRaisesRegex(AttributeError, "these fields contain no color"):
            fall.color  # pylint: disable=pointless-statement

    def test_fields_of_a_large_file(self):
        """Which h5py has open as well, in its own way."""
        _, made = self.made()
        with pluvia.Simulation(bed(output__interval=0.001), output=self.folder / "large.h5md") as run:
            run.run()
        self.assertGreater((self.folder / "large.h5md").stat().st_size, 2**20)
        large = pluvia.Trajectory(self.folder / "large.h5md")
        np.testing.assert_array_equal(large.fields().density, made.fields().density)
        self.assertEqual(len(large.position), 301)

    def test_frames_of_pandas(self):
        run, made = self.made()
        fields = run.fields("xz")
        if importlib.util.find_spec("pandas") is None:
            with self.assertRaisesRegex(ModuleNotFoundError, r"needs the Python package pandas \(on Debian: python3-pandas\)$"):
                fields.frame()
            frames = types.SimpleNamespace(DataFrame=dict)  # columns by name, as they are handed over
            with mock.patch.dict(sys.modules, pandas=frames):
                table = fields.frame()
        else:
            table = fields.frame()
        np.testing.assert_array_equal(table["contact_stress_xz"], fields.contact_stress[..., 0, 2].ravel())
        np.testing.assert_array_equal(table["position_z"], fields.position[..., 2].ravel())
        self.assertEqual(len(table["density"]), fields.density.size)
        self.assertEqual(len(made.sensors()["level_mass"]), len(made))

    def test_graph(self):
        run, made = self.made()
        if importlib.util.find_spec("networkx") is None:
            with self.assertRaisesRegex(ModuleNotFoundError, "needs the Python package networkx"):
                made.graph()
            return
        graph, rows = made.graph(), run.contacts
        bearing = rows[rows["normal_impulse"] > 0]
        self.assertEqual(graph.number_of_edges(), len(bearing))
        self.assertEqual(set(graph.nodes) - {"floor"}, set(range(80)))
        for row in bearing:
            edge = graph["floor" if row["a"] < 0 else int(row["a"])][int(row["b"])]
            self.assertAlmostEqual(edge["force"], row["normal_impulse"] / 1e-3)
        np.testing.assert_array_equal(graph.nodes[3]["position"], made.position[-1][3])

    def test_progress(self):
        """A bar where tqdm is there, a line where it is not, nothing where nobody looks; what is raised begins a line of its own."""
        pluvia._progress.Progress.INTERVAL = 0.0

        def shown(fails=False, **modules):
            said = io.StringIO()
            run = pluvia.Simulation(bed(), after=lambda run: 1 / 0 if fails and run.steps == 9 else None)
            with mock.patch.dict(sys.modules, modules), mock.patch("sys.stderr", said):
                if fails:
                    self.assertRaises(ZeroDivisionError, run.run, 0.02, progress=True)
                else:
                    run.run(0.02, progress=True)
            return said.getvalue()
        with mock.patch("importlib.util.find_spec", lambda name: None):
            self.assertRegex(shown(), r"(?s)\r0.001 of 0.02 s, .*\r0.02 of 0.02 s: done *\n$")
            self.assertTrue(shown(fails=True).endswith(" \n"))
        if importlib.util.find_spec("tqdm") is not None:
            self.assertRegex(shown(), r"(?s)100%.*0.02 of 0.02 s.*\n$")
            self.assertRegex(shown(fails=True), r"(?s)s.*\n$")
        said = io.StringIO()
        with mock.patch("sys.stderr", said):
            pluvia.Simulation(bed()).run(0.02)
        self.assertEqual(said.getvalue(), "")
        notebook = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=None))
        with mock.patch.dict(sys.modules, IPython=notebook), mock.patch("sys.stderr", said):
            pluvia.Simulation(bed()).run(0.02)
        self.assertIn("0.02 of 0.02 s", said.getvalue())

    def test_examples(self):
        def said(name):
            return subprocess.run([sys.executable, ROOT / "tests/examples" / name], check=True, stdout=subprocess.PIPE, text=True,
                                  env=os.environ | {"PYTHONPATH": HOLDER.name, "OMP_NUM_THREADS": "1"}).stdout
        off, contacts, within = re.match(r"center: at most (\S+) m .*; (\d+) contacts, all within (\S+) m", said("force_field.py")).groups()
        self.assertLess(float(off), 1e-5)
        self.assertGreater(int(contacts), 400)
        self.assertLess(float(within), 0.06)
        off, moved = re.match(r"sum of momenta: off by at most (\S+) N s; moved by the flow: (\S+) N s", said("fluid_grid.py")).groups()
        self.assertLess(float(off), 1e-13)
        self.assertGreater(float(moved), 0.1)


if __name__ == "__main__":
    unittest.main()
