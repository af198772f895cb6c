"""Contact problems of a run: dumped, exported, looked at, solved."""
import csv
import importlib.util
import json
import pathlib
import subprocess
import sys
import unittest

import h5py
import numpy

from command import FALL, FLOOR, LAWS, PARTS, PLUVIA, ROOT, Case, needs

sys.path.insert(0, str(ROOT / "tests/solvers"))
import heaps  # noqa: E402
import newton  # noqa: E402

PROBLEMS = pathlib.Path(__file__).resolve().parents[1] / "data" / "problems"
HEAP = """
seed = 5;
time: { step = 1e-3; end = 0.2; };
output: { interval = 0.001; contacts = true; dump_problems = "every"; dump_every = 50; };
bodies = ( { packing: { count = 40; box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.12]]; };
             material = "grain"; radius = [0.006, 0.01]; } );
""" + LAWS + FLOOR


def datasets(path):
    found = {}

    def visit(name, thing):
        if isinstance(thing, h5py.Dataset) and thing.dtype.kind in "fi":
            found[name] = thing[()]
    with h5py.File(path) as f:
        f.visititems(visit)
    return found


class Problems(Case):
    def prepare(self):
        self.write("heap.cfg", HEAP)
        self.pluvia("run", "-q", "heap.cfg", "-o", "heap.h5md", "-s", "solver.tolerance=1e-9",
                    "-s", "solver.max_iterations=20000")

    def setUp(self):
        super().setUp()
        self.dumped = sorted((self.folder / "heap.problems").iterdir())

    def solve(self, *words, code=0):
        out, _ = self.pluvia("solve", "--json", *words, code=code)
        return [json.loads(line) for line in out.splitlines()]

    def test_every_fiftieth_step_is_dumped(self):
        self.assertEqual([p.name[:13] for p in self.dumped], [f"step-{k:08d}" for k in (50, 100, 150, 200)])
        with h5py.File(self.dumped[-1]) as f:
            contacts = f["fclib_global_rolling/vectors/mu"].shape[0]
        self.assertGreater(contacts, 30)
        self.assertTrue(self.dumped[-1].name.endswith(f"-nc-{contacts}.hdf5"))

    def test_info(self):
        facts = self.info(self.dumped[-1])
        self.assertEqual((facts["rows"], facts["symmetric"], facts["spheres"]), (5, True, True))
        self.assertTrue(facts["guess"] and facts["solution"])
        self.assertIn("rolling friction", self.pluvia("info", self.dumped[-1])[0])

    def test_contacts_that_bear_nothing(self):
        """Two spheres that touch and fall side by side: a problem that zero impulses solve. Far from each other: none."""
        for name, x, contacts in ("near", 0.02, 1), ("far", 0.2, 0):
            two = 'bodies = ( { position = [0, 0, 5]; material = "grain"; radius = 0.01; },\n' \
                  f'           {{ position = [{x}, 0, 5]; material = "grain"; radius = 0.01; }} );'
            self.write("two.cfg", FALL[:FALL.index("bodies")] + two)
            self.pluvia("run", "-q", "two.cfg", "-o", f"{name}.h5md")
            words = ["export", f"{name}.h5md", "--to", "problem", "-o", f"{name}.hdf5"]
            if contacts:
                self.assertIn("none of the 1 contacts bears a force", self.pluvia(*words)[1])
                self.assertEqual(self.solve(f"{name}.hdf5", "--solver", "gs")[0]["residual"]["natural_map"], 0.0)
            else:
                self.assertIn("nothing is near enough to touch in the step that follows", self.pluvia(*words, code=3)[1])

    def assert_exported_as_dumped(self, path, *words):
        self.pluvia("export", *words, "--to", "problem", "-o", "again.hdf5", "--force")
        dumped, again = datasets(path), datasets(self.folder / "again.hdf5")
        self.assertEqual(dumped.keys(), again.keys())
        for name, value in dumped.items():
            if name.startswith("fclib"):
                self.assertTrue(numpy.array_equal(value, again[name]), name)
            else:  # impulses went through the frame (n, t1, t2) of the file
                scale = numpy.abs(value).max()
                self.assertLessEqual(numpy.abs(value - again[name]).max(), 1e-9 * scale, name)

    def test_solved_it_gives_the_impulses_of_the_run(self):
        result = self.solve(self.dumped[-1], "--criterion", "scaled", "-t", "1e-9", "-o", "solved.hdf5")[0]
        self.assertTrue(result["converged"])
        run, solved = datasets(self.dumped[-1])["solution/r"], datasets(self.folder / "solved.hdf5")["solution/r"]
        self.assertLess(numpy.abs(run - solved).max(), 1e-5 * numpy.abs(run).max())

    def test_residual_is_that_of_the_written_solution(self):
        result = self.solve(self.dumped[-1], "-t", "1e-6", "--from-zero", "-o", "solved.hdf5")[0]
        data = datasets(self.folder / "solved.hdf5")
        r, u = data["solution/r"].reshape(-1, 5), data["solution/u"].reshape(-1, 5)
        mu, mu_r = data["fclib_global_rolling/vectors/mu"], data["fclib_global_rolling/vectors/mu_r"]
        slip, roll = numpy.linalg.norm(u[:, 1:3], axis=1), numpy.linalg.norm(u[:, 3:], axis=1)
        z = r - u
        z[:, 0] -= mu * slip + mu_r * roll
        t, m = numpy.linalg.norm(z[:, 1:3], axis=1), numpy.linalg.norm(z[:, 3:], axis=1)
        # projection on the cone: the largest of the roots of its faces
        n = numpy.max([0 * t, z[:, 0], (z[:, 0] + mu * t) / (1 + mu**2), (z[:, 0] + mu_r * m) / (1 + mu_r**2),
                       (z[:, 0] + mu * t + mu_r * m) / (1 + mu**2 + mu_r**2)], axis=0)
        p = z.copy()
        p[:, 0] = n
        p[:, 1:3] *= numpy.minimum(1, mu * n / numpy.maximum(t, 1e-300))[:, None]
        p[:, 3:] *= numpy.minimum(1, mu_r * n / numpy.maximum(m, 1e-300))[:, None]
        error = numpy.linalg.norm(r - p)
        # |q| is not in the file; the residual is over max(|q|, |r|, |u|)
        self.assertLessEqual(result["residual"]["natural_map"], error / max(numpy.linalg.norm(r), numpy.linalg.norm(u))
                             * (1 + 1e-6))
        self.assertGreater(result["residual"]["natural_map"], 0.01 * error / numpy.linalg.norm(u))

    def test_all_solvers_and_history(self):
        results = self.solve(self.dumped[1], "--all", "-t", "1e-6", "--max-time", "20", "--history", "history.csv")
        names = [r["solver"] for r in results]
        self.assertEqual(names[0], "gs")
        self.assertTrue(results[0]["converged"])
        with open(self.folder / "history.csv") as f:
            rows = list(csv.DictReader(f))
        last = [r for r in rows if r["solver"] == "gs"][-1]
        self.assertAlmostEqual(float(last["natural_map"]), results[0]["residual"]["natural_map"])

    def test_creeping_sweeps_are_handed_over(self):
        """Spheres that fall, roll and slip: twenty thousand sweeps do not reach what a few of Newton's steps do."""
        words = [PROBLEMS / "falling_heap-nc-44.hdf5", "--criterion", "scaled", "-t", "1e-10", "--from-zero"]
        alone = self.solve(*words, "--fallback", "none", "-n", "2000", code=4)[0]
        self.assertGreater(alone["residual"]["scaled"], 1e-8)
        self.assertEqual((alone["iterations"], alone["factorizations"]), (2000, 0))
        together = self.solve(*words)[0]
        self.assertTrue(together["converged"])
        self.assertLess(together["iterations"], 400)
        self.assertGreater(together["factorizations"], 0)

    def test_not_solved_is_4(self):
        result = self.solve(self.dumped[-1], "-t", "1e-15", "-n", "3", "--fallback", "none", "--from-zero", code=4)[0]
        self.assertFalse(result["converged"])
        self.assertGreater(result["residual"]["natural_map"], 1e-15)

    def test_much_friction_is_no_excuse(self):
        """With mu = 1e6 the natural map at r = 0 is below 1e-6, and yet the contact closes unhindered."""
        self.write("rough.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 1 0\n1e6\n")
        for solver in ["gs", "prox-newton", "newton", "newton-fb"] + ["ipm", "convex"] * ("portfolio" in PARTS):
            found = self.solve("rough.dat", "-S", solver)[0]
            self.assertLess(found["residual"]["scaled"], 1e-2, solver)

    def test_all_solutions_of_a_contact(self):
        """With mu = 2 and a strong coupling the same contact takes off, sticks or slides."""
        self.write("several.dat", "3\n1\n0\n3\n3\n3 3\n1 0.9 0\n0.9 1 0\n0 0 1\n0.1 1 0\n2\n")
        found = self.solve("several.dat", "--all-solutions")[0]["solutions"]
        self.assertEqual([s["mode"] for s in found], ["take-off", "stick", "slide"])
        self.assertAlmostEqual(found[2]["r"][0], 0.125)
        self.assertIn("3 solutions", self.pluvia("solve", "several.dat", "--all-solutions")[0])
        _, err = self.pluvia("solve", PROBLEMS / "falling_heap-nc-44.hdf5", "--all-solutions", code=2)
        self.assertIn("one contact", err)

    @needs("portfolio")
    def test_associated_law(self):
        """A convex problem: one program. Who does not know the law says so."""
        heap = PROBLEMS / "falling_heap-nc-44.hdf5"
        found = self.solve(heap, "--law", "associated", "-t", "1e-8")[0]
        self.assertEqual((found["solver"], found["iterations"], found["converged"]), ("convex", 1, True))
        _, err = self.pluvia("solve", heap, "--law", "associated", "--solver", "newton", code=2)
        self.assertIn("newton does not support the associated law", err)

    def test_options_of_newton(self):
        heap = PROBLEMS / "falling_heap-nc-44.hdf5"
        for words in [["--newton-map", "alart-curnier"], ["--newton-map", "natural-map"], ["--full-steps"]]:
            found = self.solve(heap, "--solver", "newton", "--from-zero", "-t", "1e-8", *words)[0]
            self.assertTrue(found["converged"], words)
        found = self.solve(PROBLEMS / "coulomb_falling-nc-35.hdf5", "--solver", "newton", "--from-zero", "-t", "1e-8", "--plain")[0]
        self.assertTrue(found["converged"] and found["iterations"] == found["factorizations"] < 20)
        redundant = PROBLEMS / "pyramid-nc-112.hdf5"
        found = self.solve(redundant, "--solver", "newton", "--from-zero", "--plain", code=4)[0]
        self.assertIn("the matrix is singular at iteration 1", found["note"])
        _, err = self.pluvia("solve", heap, "--solver", "newton", "--newton-map", "magic", code=2)
        self.assertIn("magic", err)

    def test_table_of_newton(self):
        """The rows of tests/solvers/newton.csv are what the program does now."""
        with open(ROOT / "tests/solvers/newton.csv", newline="", encoding="utf-8") as file:
            kept = {(row["way"], row["problem"]): row for row in csv.DictReader(file)}
        ways = ["primal-dual", "plain alart-curnier", "plain alart-curnier, full steps", "plain newton-fb"]
        for row in newton.rows(PLUVIA, newton.problems([PROBLEMS]), 1e-8, ways):
            for name, value in row.items():
                if name != "scaled":
                    self.assertEqual(str(value), kept[row["way"], row["problem"]][name], (row, "tests/solvers/newton.py"))

    @needs("portfolio")
    def test_table_of_heaps(self):
        """Rows of tests/solvers/heaps.csv are what the program does now."""
        with open(ROOT / "tests/solvers/heaps.csv", newline="", encoding="utf-8") as file:
            kept = {(int(row["seed"]), row["way"]): row for row in csv.DictReader(file)}
        for row in heaps.rows(PLUVIA, self.folder, [1, 2, 3], 1e-9, ["convex", "ipm", "prox-newton"]):
            for name in ("solved", "iterations", "factorizations"):
                self.assertEqual(str(row[name]), kept[row["seed"], row["way"]][name], (row, "tests/solvers/heaps.py"))

    @needs("portfolio")
    def test_options_that_the_solver_would_ignore(self):
        heap = PROBLEMS / "falling_heap-nc-44.hdf5"
        for words, option, name in [(["--newton-map", "natural-map"], "--newton-map", "gs"),
                                    (["--full-steps"], "--full-steps", "gs"),
                                    (["--full-steps", "--solver", "prox-newton"], "--full-steps", "prox-newton"),
                                    (["--newton-map", "natural-map", "--solver", "newton-fb"], "--newton-map", "newton-fb"),
                                    (["--plain", "--solver", "ipm"], "--plain", "ipm"),
                                    (["--local", "newton", "--solver", "newton"], "--local", "newton"),
                                    (["--order", "natural", "--solver", "apgd"], "--order", "apgd"),
                                    (["--fallback", "none", "--law", "associated"], "--fallback", "convex")]:
            _, err = self.pluvia("solve", heap, *words, code=2)
            self.assertIn(f"option {option}: solver {name} does not use it", err)
        _, err = self.pluvia("solve", heap, "--all-solutions", "--local", "exact", code=2)
        self.assertIn("--all-solutions does not use a solver", err)
        self.pluvia("solve", heap, "--solver", "gs", "--fallback", "newton", "--full-steps")

    def test_wrong_words(self):
        for words in [["--solver", "magic"], ["--local", "magic"], ["--criterion", "magic"], ["--order", "magic"],
                      ["-t", "-1"], ["--fallback", "magic"]]:
            _, err = self.pluvia("solve", self.dumped[0], *words, code=2)
            self.assertIn("magic" if "magic" in words else "tolerance", err)

    def test_no_problem(self):
        self.write("text.dat", "this is no problem\n")
        for name in ["text.dat", "heap.h5md"]:
            _, err = self.pluvia("solve", name, code=3)
            self.assertIn(name, err)
        self.pluvia("solve", "missing.dat", code=5)

    def test_the_exported_problem_is_the_dumped_one(self):
        self.assert_exported_as_dumped(self.dumped[2], "heap.h5md", "--at", "0.149")

    def exported(self, *words):
        """A text for Siconos and pluvia's solution of the same problem."""
        self.pluvia("export", "heap.h5md", "--to", "siconos", "-o", "p.dat", "--force", *words)
        self.pluvia("export", "heap.h5md", "--to", "problem", "-o", "p.hdf5", "--force")
        self.solve("p.hdf5", "-t", "1e-12", "-o", "solved.hdf5", "--force")
        return datasets(self.folder / "solved.hdf5")

    def test_texts_for_siconos(self):
        """The local one as W and q of the solution; the global one has the same solution."""
        solved = self.exported()
        text = (self.folder / "p.dat").read_text().split("\n")
        rows, contacts = int(text[0]), int(text[1])
        size, entries = rows * contacts, int(text[7].rsplit(" ", 1)[1])
        self.assertEqual([int(word) for word in text[2:6]], [2, size, size, 1])
        w = numpy.zeros((size, size))
        for line in text[8:8 + entries]:
            i, j, _, x = line.split()
            w[int(i), int(j)] += float(x)
        q, mu, mu_r = (numpy.array(line.split(), float) for line in text[8 + entries:11 + entries])
        u = w @ solved["solution/r"].ravel() + q
        self.assertLess(abs(u - solved["solution/u"].ravel()).max(), 1e-9 * abs(q).max())
        for name, value in ("mu", mu), ("mu_r", mu_r):
            self.assertLess(abs(value - solved[f"fclib_global_rolling/vectors/{name}"].ravel()).max(), 1e-15)
        self.exported("--form", "global")
        self.assertEqual(self.info("p.dat")["format"], "Siconos text, global")
        self.solve("p.dat", "-t", "1e-12", "-o", "again.hdf5")
        again = datasets(self.folder / "again.hdf5")["solution/r"]
        self.assertLess(abs(again - solved["solution/r"]).max(), 1e-9 * abs(again).max())

    def test_what_siconos_says_of_them(self):
        """It finds no error in our impulses; from zero it comes as near to them as it solves (slowly with rolling)."""
        if importlib.util.find_spec("siconos") is None:
            self.skipTest("python3-siconos is not installed")
        for words, sweeps, apart in [[], 2000, 0.02], [["-s", "contacts.*.rolling_friction=0"], 2000, 1e-8]:
            self.pluvia("run", "-q", "heap.cfg", "-o", "heap.h5md", "--force", *words)
            self.exported()
            said = json.loads(subprocess.run([ROOT / "tests/solvers/with_siconos.py", "p.dat", "solved.hdf5", "--sweeps",
                                              str(sweeps)], cwd=self.folder, check=True, stdout=subprocess.PIPE).stdout)
            self.assertLess(said["of ours"], 1e-11)
            self.assertLess(said["moved by"], 1e-9)
            self.assertLess(said["apart"], apart)

    def test_forms(self):
        _, err = self.pluvia("export", "heap.h5md", "--to", "problem", "--form", "local", "-o", "l.hdf5", code=2)
        self.assertIn("option --form: FCLIB has no local form with rolling friction; use --to siconos", err)
        _, err = self.pluvia("export", "heap.h5md", "--to", "csv", "--form", "local", "-o", "l.csv", code=2)
        self.assertIn("option --form: --to csv does not use it", err)
        _, err = self.pluvia("export", "heap.h5md", "--to", "siconos", "--form", "dual", "-o", "l.dat", code=2)
        self.assertIn("option --form: \"dual\" is neither local nor global", err)
        self.assertEqual([path.name for path in self.folder.glob("l.*")], [])

    def test_bodies_from_files(self):
        """The trajectory does: files of bodies, some of which wait, are not needed any more."""
        self.write("one.csv", "x,y,z,radius,time\n0,0,0.01,0.01,0\n0.03,0,0.01,0.01,0\n0.005,0,0.03,0.008,0.03\n"
                   "0.03,0,0.03,0.01,0.07\n")
        self.write("two.csv", "x,y,z,radius\n0.2,0,0.02,0.02\n0.24,0,0.02,0.02\n")
        self.write("file.cfg", HEAP.split("bodies =")[0] + LAWS + FLOOR +
                   'bodies = ( { file: { path = "one.csv"; }; material = "grain"; },\n'
                   '           { position = [0.1, 0, 0.01]; radius = 0.01; material = "grain"; },\n'
                   '           { file: { path = "two.csv"; }; material = "grain"; } );\n'
                   'feeders = ( { pluviation: { count = 20; interval = 0.01; height = 0.05; '
                   'footprint: { square = 0.03; }; }; material = "grain"; radius = [0.003, 0.006]; } );\n')
        # who sleeps is not in the trajectory: an exported problem has all contacts
        self.pluvia("run", "-q", "file.cfg", "-o", "file.h5md", "-s", "solver.quiet=false")
        for name in "one.csv", "two.csv":
            (self.folder / name).unlink()
        dumped = sorted((self.folder / "file.problems").iterdir())
        self.assertEqual(len(dumped), 4)
        for path in dumped:
            step = int(path.name.split("-")[1])
            self.assert_exported_as_dumped(path, "file.h5md", "--at", (step - 1) * 1e-3)

    def test_the_scene_is_that_of_the_run(self):
        """Its overrides too: another scene is refused, where it draws as where it makes a problem."""
        self.write("other.cfg", HEAP.replace("seed = 5", "seed = 6"))
        self.pluvia("run", "-q", "heap.cfg", "-o", "other.h5md", "-s", "contacts.*.rolling_friction=0", "-s",
                    "boundaries[0].plane.center=[0.0,0.0,-0.001]")
        dumped = sorted((self.folder / "other.problems").iterdir())
        self.assert_exported_as_dumped(dumped[2], "other.h5md", "--at", "0.149")
        for words in ["export", "other.h5md", "--to", "problem", "-o", "p.hdf5"], ["render", "other.h5md", "-o", "p.png"]:
            _, err = self.pluvia(*words, "--scene", "heap.cfg", code=3)
            self.assertIn("heap.cfg is not the scene of other.h5md", err)
            self.assertIn("contacts[0].rolling_friction was 0", err)
            self.assertFalse((self.folder / words[-1]).exists())
            self.pluvia(words[0], "heap.h5md", *words[2:], "--scene", "other.cfg", code=3)
        self.pluvia("run", "-q", "heap.cfg", "-o", "same.h5md", "--until", "0.05")
        self.pluvia("export", "same.h5md", "--to", "problem", "-o", "p.hdf5", "--scene", "heap.cfg")
        self.pluvia("render", "same.h5md", "-o", "p.png", "--scene", "heap.cfg", "--size", "64x48")

    def test_only_steps_that_did_not_converge(self):
        self.pluvia("run", "-q", "heap.cfg", "-o", "bad.h5md", "-s", "solver.tolerance=1e-9", "-s",
                    "solver.max_iterations=20", "-s", 'solver.fallback="none"', "-s", 'output.dump_problems="unconverged"')
        unconverged = len(list((self.folder / "bad.problems").iterdir()))
        with h5py.File(self.folder / "bad.h5md") as f:
            converged = f["/observables/converged/value"][1:] if "/observables/converged" in f else None
        self.assertGreater(unconverged, 10)
        if converged is not None:
            self.assertEqual(unconverged, int((converged == 0).sum()))

    def test_without_rolling_friction_three_rows(self):
        self.pluvia("run", "-q", "heap.cfg", "-o", "coulomb.h5md", "-s", "contacts.*.rolling_friction=0")
        facts = self.info(sorted((self.folder / "coulomb.problems").iterdir())[-1])
        self.assertEqual(facts["rows"], 3)
        self.pluvia("export", "coulomb.h5md", "--to", "problem", "--form", "local", "-o", "local.hdf5")
        self.assertEqual(self.info("local.hdf5")["format"], "FCLIB, local")


# A heap that comes to rest: from 1.08 s on some of its spheres sleep beside others that move.
RESTING = """
seed = 3;
time: { step = 1e-3; end = 1.12; };
materials = ( { name = "grain"; density = 1300.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; rolling_friction = 1e-3; restitution = 0.0; },
             { between = ["grain", "wall"]; friction = 0.5; rolling_friction = 1e-3; restitution = 0.0; } );
boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "wall"; } );
bodies = ( { lattice: { counts = [5, 5, 4]; spacing = 0.022; origin = [0.011, 0.011, 0.011]; jitter = 8e-4; };
             material = "grain"; radius = 0.01; } );
output: { interval = 0.56; dump_problems = "every"; dump_every = 20; };
"""


class Sleepers(Case):
    def test_problems_with_bodies_that_sleep_can_be_read(self):
        """Forces of bodies that stand still for others had been 0 over 0."""
        self.write("heap.cfg", RESTING)
        self.pluvia("run", "heap.cfg", "-o", "heap.h5md", "-q")
        files = sorted((self.folder / "heap.problems").iterdir())
        self.assertGreater(len(files), 40)
        for file in files[-8:]:
            self.pluvia("solve", file, "--tolerance", "1e-4")


if __name__ == "__main__":
    unittest.main()
