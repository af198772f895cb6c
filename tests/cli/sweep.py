"""A campaign gives what single runs give, once: whatever interrupts it, whoever shares it."""
import csv
import json
import math
import os
import re
import signal
import stat
import statistics
import time
import unittest

import h5py

from command import BOX, FALL, PATIENCE, ROOT, Case, shipped

# Thrown along x, in the air until the end: x = v t, kinetic energy m (v^2 + (g t)^2) / 2.
THROWN = FALL.replace("position = [0, 0, 0.05];", "position = [0, 0, 0.05]; velocity = [1, 0, 0];")

CAMPAIGN = """
scene = "thrown.cfg";
axes = (
    { key = "bodies.0.velocity"; values = [[1, 0, 0], [2, 0, 0]]; },
    { key = ["contacts.0.friction", "contacts.1.friction"]; name = ["mu_g", "mu_p"];
      values = ([0.1, 0.2], [0.3, 0.4]); }
);
measures = ["rolling.x", "last.kinetic_energy"];
"""

# A sphere that rests; so many steps that it can be interrupted.
LONG = """
scene = "fall.cfg";
set = ["time.end=%s", "output.interval=100", "output.checkpoint_interval=20"];
axes = ( { key = "gravity"; values = [[0, 0, -9.81], [0, 0, -5], [0, 0, -3]]; } );
measures = "last.potential_energy";
threads = 1;
"""


class Sweep(Case):
    def setUp(self):
        super().setUp()
        self.write("fall.cfg", FALL)
        self.write("thrown.cfg", THROWN)

    def sweep(self, text, *words, name="c", **options):
        self.write(f"{name}.cfg", text)
        return self.pluvia("sweep", f"{name}.cfg", *words, **options)

    def table(self, name="c"):
        with open(self.folder / "output" / name / "table.csv", newline="") as file:
            return list(csv.DictReader(file))

    def result(self, case, name="c"):
        return self.folder / "output" / name / "cases" / case / "result.json"

    def stamps(self, name="c"):
        """Which results there are, and which file each of them is."""
        cases = self.folder / "output" / name / "cases"
        return {p.parent.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in cases.glob("*/result.json")}

    def wait_for(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, "nothing happens")
            time.sleep(0.02)


class Tables(Sweep):
    def test_closed_forms(self):
        out, _ = self.sweep(CAMPAIGN)
        self.assertIn("4 done (4 now), 0 failed, 0 missing", out)
        rows = self.table()
        self.assertEqual([(r["velocity"], r["mu_g"], r["mu_p"]) for r in rows],
                         [("[1, 0, 0]", "0.1", "0.2"), ("[1, 0, 0]", "0.3", "0.4"),
                          ("[2, 0, 0]", "0.1", "0.2"), ("[2, 0, 0]", "0.3", "0.4")])
        mass = 1300 * 4 / 3 * math.pi * 0.01**3
        for row in rows:
            speed = float(row["velocity"][1:].split(",")[0])
            energy = 0.5 * mass * (speed**2 + (9.81 * 0.05) ** 2)
            self.assertAlmostEqual(float(row["rolling.x"]), speed * 0.05, delta=1e-12)
            self.assertAlmostEqual(float(row["last.kinetic_energy"]) / energy, 1, delta=1e-9)
            self.assertEqual((row["status"], row["exit"], row["reason"]), ("done", "0", ""))
            self.assertGreater(float(row["wall_seconds"]), 0)

    def test_statistics_over_time(self):
        """x = v t of a thrown sphere over frames 10 ms apart: mean, slope, least, largest, spread are closed forms."""
        measures = ["mean(rolling.x, 0.02, 0.05)", "slope(rolling.x)", "min( rolling.x ,0.03)", "max(rolling.x)",
                    "sd(last.potential_energy, 0, 0.01)", "rolling.x"]
        text = """scene = "thrown.cfg"; measures = [%s];
            axes = ( { key = "bodies.0.velocity"; name = "v"; values = [[1, 0, 0], [2, 0, 0]]; }, { seeds = 3; } );"""
        self.sweep(text % ", ".join(f'"{m}"' for m in measures))
        mass = 1300 * 4 / 3 * math.pi * 0.01**3
        step = 1e-3
        for row in self.table():
            v = float(row["v"][1:].split(",")[0])
            values = [float(row[m]) for m in measures]
            fallen = 9.81 * 0.01 * (0.01 + step) / 2
            expected = [v * 0.035, v, v * 0.03, v * 0.05, mass * 9.81 * fallen / math.sqrt(2), v * 0.05]
            for name, value, wanted in zip(measures, values, expected):
                tolerance = 0.2 if name.startswith("sd") else 1e-12
                self.assertAlmostEqual(value / wanted, 1, delta=tolerance, msg=name)
        # asked for later: taken from the trajectories that are kept, nothing runs again
        before = self.stamps()
        self.sweep(text % '"mean(rolling.x)", "error(rolling.x)"')
        self.assertEqual(self.stamps(), before)
        for row in self.table():
            v = float(row["v"][1:].split(",")[0])
            self.assertAlmostEqual(float(row["mean(rolling.x)"]), v * 0.025, delta=1e-12)
            self.assertAlmostEqual(float(row["error(rolling.x)"]), v * math.sqrt(3.5e-4 / 6), delta=1e-12)

    def test_statistics_of_a_run_that_is_not_kept(self):
        text = """scene = "thrown.cfg"; keep = "%s"; measures = ["mean(rolling.x, 0.02, 0.05)"];"""
        self.sweep(text % "none")
        self.assertAlmostEqual(float(self.table()[0]["mean(rolling.x, 0.02, 0.05)"]), 0.035, delta=1e-12)
        self.assertFalse((self.result("all").parent / "run.h5md").exists())
        _, said = self.sweep(text % "last", code=3)
        self.assertRegex(said, r'c.cfg:\d+: "mean\(rolling.x, 0.02, 0.05\)" needs the frames of the whole run')

    def test_statistics_that_cannot_be(self):
        text = """scene = "thrown.cfg"; measures = ["%s"];"""
        for measure, said in [("middle(rolling.x)", 'there is no statistic "middle"'), ("mean(rolling.x", "is not STATISTIC"),
                              ("mean(rolling.x, 2, 1)", "ends before it begins"), ("mean(rolling.x, a)", 'the scene has no stage "a"'),
                              ("mean(rolling.x, a, 1)", 'the scene has no stage "a"'), ("mean(rolling.x, a, 1, 2, 3)", "is not STATISTIC"),
                              ("mean(rolling.x, a, 2, 1)", "ends before it begins"),
                              ("mean()", "is not STATISTIC"), ("mean(rolling.x, 0, 1, 2)", "is not STATISTIC"),
                              ("mean(rolling.xx)", 'did you mean "rolling.x"?')]:
            _, err = self.sweep(text % measure, code=3)
            self.assertIn(said, err)
            self.assertIn("c.cfg:1", err)

    def test_a_window_without_a_frame(self):
        """A window after the end of the run is refused; where a run ends before its time, the case is done and has no number there,
        and a message says so; another window asks the trajectory again."""
        text = 'scene = "thrown.cfg"; measures = ["mean(rolling.x, %s)"];'
        err = self.sweep(text % "5, 6", code=3)[1]
        self.assertIn('c.cfg:1: the window of "mean(rolling.x, 5, 6)" begins after the end of', err)
        out, err = self.sweep(text % "0.041, 0.045")
        self.assertIn("1 done (1 now)", out)
        self.assertIn('"mean(rolling.x, 0.041, 0.045)" has no value in 1 of 1 cases', err)
        self.assertIn("no frame in the window knows it", err)
        self.assertEqual(self.table()[0]["mean(rolling.x, 0.041, 0.045)"], "")
        err = self.sweep(text % "0.03, 6")[1]
        self.assertRegex(err, r'c.cfg:1: 1 of 1 cases end before the window of "mean\(rolling.x, 0.03, 6\)" does, the first of them, .*, at 0.05 s')
        self.assertAlmostEqual(float(self.table()[0]["mean(rolling.x, 0.03, 6)"]), 0.04, delta=1e-12)
        out, err = self.sweep(text % "0.02, 0.05")
        self.assertEqual(err.count("window"), 0)
        self.assertIn("1 done (0 now)", out)
        self.assertAlmostEqual(float(self.table()[0]["mean(rolling.x, 0.02, 0.05)"]), 0.035, delta=1e-12)

    def test_a_measure_that_is_named_twice(self):
        _, err = self.sweep('scene = "thrown.cfg"; measures = ["rolling.x", "rolling.x"];', code=3)
        self.assertIn('c.cfg:1: the measure "rolling.x" is named twice', err)

    def test_means_over_seeds(self):
        """The table of means is that of the table, by any program."""
        self.write("box.cfg", BOX)
        self.sweep("""scene = "box.cfg"; set = ["time.end=0.05"]; measures = ["last.kinetic_energy", "mean(last.contacts)"];
            axes = ( { key = "contacts.0.friction"; name = "mu"; values = [0.1, 0.5]; }, { seeds = 3; } );""")
        rows = self.table()
        with open(self.folder / "output" / "c" / "means.csv", newline="") as file:
            means = list(csv.DictReader(file))
        self.assertEqual([row["mu"] for row in means], ["0.1", "0.5"])
        for mean in means:
            self.assertEqual(mean["seeds"], "3")
            for name in ("last.kinetic_energy", "mean(last.contacts)"):
                values = [float(row[name]) for row in rows if row["mu"] == mean["mu"]]
                self.assertEqual(len(values), 3)
                self.assertAlmostEqual(float(mean[name]) / statistics.mean(values), 1, delta=1e-12)
                self.assertAlmostEqual(float(mean[name + ".sd"]), statistics.stdev(values), delta=1e-9 * abs(values[0]))
                self.assertAlmostEqual(float(mean[name + ".error"]), statistics.stdev(values) / math.sqrt(3),
                                       delta=1e-9 * abs(values[0]))
                self.assertEqual(mean[name + ".count"], "3")

    def test_means_say_from_how_many_values_they_are(self):
        """A sphere that still flies has no time at which it stops."""
        self.sweep("""scene = "thrown.cfg"; measures = ["rolling.stop_time", "rolling.x"];
            axes = ( { key = "contacts.0.friction"; name = "mu"; values = [0.1]; }, { seeds = 2; } );""")
        with open(self.folder / "output" / "c" / "means.csv", newline="") as file:
            mean = next(csv.DictReader(file))
        self.assertEqual((mean["rolling.stop_time"], mean["rolling.stop_time.count"], mean["rolling.x.count"]), ("", "0", "2"))

    def test_keys_of_grains(self):
        """The number of spheres that fill a region is the fraction over their mean volume."""
        place = 'position = [0, 0, 0.05]; material = "grain"; radius = 0.01;'
        self.assertIn(place, FALL)
        self.write("fill.cfg", FALL.replace(place, """packing: { fill: { solid_fraction = 0.1; }; box = [[0, 0, 0], [0.2, 0.2, 0.2]]; };
            mixture = ( { material = "grain"; share = 1; radius: { sieves = [[0.004, 0], [0.016, 1]]; }; } );"""))
        self.sweep("""scene = "fill.cfg"; set = ["time.end=1e-3"]; measures = "run.active";
            axes = ( { key = "bodies.0.packing.fill.solid_fraction"; values = [0.05, 0.1]; },
                     { key = "bodies.0.mixture.0.radius.sieves"; name = "sieves";
                       values = ([[0.004, 0], [0.008, 1]], [[0.008, 0], [0.01, 1]]); } );""")
        rows = self.table()
        self.assertEqual(len(rows), 4)
        for row in rows:
            a, b = (pair[0] for pair in json.loads(row["sieves"]))
            # sizes spread evenly over ln d by mass: mean volume = pi / 6 times ln(b / a) over the integral of d^-4
            volume = math.pi / 6 * math.log(b / a) / ((a**-3 - b**-3) / 3)
            self.assertEqual(int(row["run.active"]), round(float(row["solid_fraction"]) * 0.008 / volume))

    def test_keys_of_boundaries_and_grains(self):
        """Motion, the place of a mesh, sizes and pivoting friction: a case each, and what each makes of its number. A sphere
        lies on a mesh that rises; another one spins on a plane far away."""
        self.write("a.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n")
        self.write("b.cfg", """
time: { step = 1e-3; end = 0.1; };
output: { interval = 0.1; };
materials = ( { name = "grain"; density = 1300.0; }, { name = "plate"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; pivoting_friction = 1e-4; },
             { between = ["grain", "plate"]; friction = 0.5; pivoting_friction = 1e-4; } );
boundaries = ( { mesh: { file = "a.obj"; }; material = "plate"; motion: { velocity = [0, 0, 0.1]; }; },
               { plate: { center = [5, 0, 0]; size = [1, 1]; }; material = "plate"; } );
bodies = ( { position = [5, 0, 0.01]; angular_velocity = [0, 0, 10]; radius = 0.01; material = "grain"; },
           { packing: { count = 1; box = [[-0.1, -0.1, 0.3], [0.1, 0.1, 0.5]]; }; material = "grain";
             radius: { distribution = "lognormal"; median = 0.01; sigma = 0.1; range = [0.002, 0.05]; }; } );
""")
        self.sweep("""scene = "b.cfg"; measures = ["last.work_boundary", "last.work_pivoting", "energy.potential"];
axes = ( { key = ["boundaries.0.motion.velocity", "boundaries.0.mesh.position", "bodies.1.radius.median",
                  "contacts.1.pivoting_friction"]; name = ["velocity", "place", "median", "mu_p"];
           values = ([[0, 0, 0.1], [0, 0, 0], 0.01, 1e-4], [[0, 0, 5], [0, 0, 0], 0.01, 1e-4],
                     [[0, 0, 5], [0, 0, -1], 0.01, 1e-4], [[0, 0, 0.1], [0, 0, 0], 0.02, 1e-4],
                     [[0, 0, 0.1], [0, 0, 0], 0.01, 5e-5]); } );""")
        rows = self.table()
        work, pivoting, height = ([float(row[name]) for row in rows] for name in (
            "last.work_boundary", "last.work_pivoting", "energy.potential"))
        self.assertEqual([w > 0 for w in work], [False, True, False, False, False])  # only there it comes up in time
        self.assertAlmostEqual(height[3] / height[0], 8, delta=0.1)  # that of one sphere: of its mass
        # The spin slows down by 5 mu_p g / (2 r^2); each radian costs mu_p m g.
        weight = 1300 * 4 / 3 * math.pi * 0.01**3 * 9.81
        for row, friction in ((0, 1e-4), (4, 5e-5)):
            slowing = 2.5 * friction * 9.81 / 0.01**2
            angle = 10 * 0.1 - slowing * 0.1**2 / 2 if slowing < 100 else 10**2 / (2 * slowing)
            self.assertAlmostEqual(pivoting[row] / (-friction * weight * angle), 1, delta=1e-3)

    def test_same_as_a_single_run(self):
        self.sweep(CAMPAIGN)
        self.pluvia("run", "thrown.cfg", "-o", "one.h5md", "-s", "bodies.0.velocity=[2, 0, 0]",
                    "-s", "contacts.0.friction=0.3", "-s", "contacts.1.friction=0.4")
        swept = self.table()[3]
        case = self.folder / "output/c/cases" / swept["case"]
        self.assertEqual(self.info("one.h5md")["last"], self.info(case / "run.h5md")["last"])
        self.assertEqual(float(swept["last.kinetic_energy"]),
                         self.info("one.h5md")["last"]["kinetic_energy"])

    def test_hdf5_is_the_csv(self):
        self.sweep(CAMPAIGN)
        rows = self.table()
        with h5py.File(self.folder / "output/c/table.h5") as file:
            self.assertEqual([c.decode() for c in file["case"]], [r["case"] for r in rows])
            self.assertEqual(list(file["inputs/mu_p"]), [float(r["mu_p"]) for r in rows])
            self.assertEqual(list(file["measures/rolling.x"]), [float(r["rolling.x"]) for r in rows])
            self.assertEqual([s.decode() for s in file["status"]], ["done"] * 4)
            self.assertEqual(list(file["cost/threads"]), [float(r["threads"]) for r in rows])

    def test_seeds_table_and_filter(self):
        self.write("cases.csv", "# by hand\ncontacts.*.friction, bodies.0.velocity\n"
                                "0.25,[3, 0, 0]\n\n0.5, [4, 0, 0]\n")
        self.sweep("""scene = "thrown.cfg"; keep = "none";
                      axes = ( { table = "cases.csv"; name = ["mu", "v"]; }, { seeds = 3; } );
                      where = ["seed != 2", "mu < seed"]; measures = ["rolling.x", "seed"];""")
        rows = self.table()
        self.assertEqual([(r["mu"], r["seed"]) for r in rows],
                         [("0.25", "1"), ("0.25", "3"), ("0.5", "1"), ("0.5", "3")])
        self.assertEqual([round(float(r["rolling.x"]), 12) for r in rows], [0.15, 0.15, 0.2, 0.2])
        self.assertEqual(sorted(self.stamps()),
                         sorted(r["case"] for r in rows))
        self.assertEqual([p for p in self.files() if p.endswith(".h5md")], [])

    def test_dry_run_runs_nothing(self):
        out, _ = self.sweep(CAMPAIGN, "--dry-run")
        self.assertIn("4 to run: 200 steps", out)
        self.assertIn("estimate", out)
        self.assertEqual(out.count(" open "), 4)
        self.assertEqual(self.files(), ["c.cfg", "fall.cfg", "thrown.cfg"])

    def test_tables_of_others_stay(self):
        """A folder that no campaign has made: what has the name of a table there may be an input."""
        (self.folder / "mine").mkdir()
        for name in "table.csv", "table.h5", "calibration.csv", "valley.csv":
            self.write(f"mine/{name}", "precious")
            _, err = self.sweep(CAMPAIGN, "-o", "mine", code=5)
            self.assertIn(f"mine/{name} exists, but mine is not the folder of a campaign", err)
            self.assertEqual((self.folder / "mine" / name).read_text(), "precious")
            (self.folder / "mine" / name).unlink()
        self.sweep(CAMPAIGN, "-o", "mine")
        self.sweep(CAMPAIGN, "-o", "mine")  # its own are made anew

    def test_the_folder_of_another_campaign_stays(self):
        seeds = 'scene = "fall.cfg"; axes = ( { seeds = 2; } );'
        self.sweep(seeds)
        before = self.stamps()
        (self.folder / "b").mkdir()
        self.write("b/fall.cfg", FALL.replace("0.05]", "0.04]"))
        self.write("b/c.cfg", seeds)
        for words in [[], ["--collect"], ["--dry-run"], ["--slurm", "2", "--dry-run"]]:
            _, err = self.pluvia("sweep", "b/c.cfg", *words, code=5)
            self.assertIn("output/c is the folder of the campaign output/c/../../c.cfg; use -o", err)
        self.sweep(seeds, "-o", "output/c", name="d", code=5)
        self.assertEqual(self.stamps(), before)
        self.sweep(seeds.replace("2", "3"))  # its own, changed
        self.assertEqual(len(self.stamps()), 3)
        (self.folder / "far").mkdir()
        for name in ["c.cfg", "fall.cfg", "output"]:
            (self.folder / name).rename(self.folder / "far" / name)
        self.pluvia("sweep", "far/c.cfg", "-o", "far/output/c")  # moved together
        for _ in range(2):  # tables of nothing are its own as well
            self.pluvia("sweep", "far/c.cfg", "-o", "new", "--collect", code=1)
        (self.folder / "far/output/c/campaign").unlink()  # an older program's
        self.pluvia("sweep", "far/c.cfg", "-o", "far/output/c")

    def test_nothing_that_is_read_is_written(self):
        self.write("spheres.csv", "x,y,z,radius\n0,0,0.05,0.01\n")
        self.write("file.cfg", FALL.split("bodies =")[0] +
                   'bodies = ( { file: { path = "spheres.csv"; }; material = "grain"; } );')
        self.write("values.csv", "seed\n1\n2\n")
        text = 'scene = "file.cfg"; axes = ( { table = "values.csv"; } );'
        self.write("c.cfg", text)
        for at, name in enumerate(["c.cfg", "file.cfg", "spheres.csv", "values.csv"]):
            for place in ["table.csv", "cases/seed=1/scene.cfg"]:
                folder = self.folder / f"o{at}{place[0]}"
                (folder / "cases/seed=1").mkdir(parents=True)
                (folder / place).write_bytes((self.folder / name).read_bytes())
                (self.folder / name).rename(self.folder / "kept")
                (self.folder / name).symlink_to(folder / place)
                with self.subTest(name=name, place=place):
                    _, err = self.pluvia("sweep", "c.cfg", "-o", folder.name, code=2)
                    self.assertRegex(err, "which this command reads(, so nothing was written|, is in o.c/cases)")
                    self.assertEqual((folder / place).read_bytes(), (self.folder / "kept").read_bytes())
                (self.folder / "kept").rename(self.folder / name)

    def test_files_of_others_in_its_folder(self):
        """Neither removed nor written through a link."""
        self.write("fall.cfg", FALL)
        self.write("c.cfg", 'scene = "fall.cfg"; axes = ( { key = "contacts.*.friction"; name = "mu"; values = [0.1]; } );')
        mine = self.write("mine", "precious")
        own = self.folder / "o/cases/mu=0.1/scene.cfg"
        own.parent.mkdir(parents=True)
        own.write_text(FALL)
        self.assertIn("not a scene that a sweep has made", self.pluvia("sweep", "c.cfg", "-o", "o", code=5)[1])
        self.assertEqual(own.read_text(), FALL)
        own.unlink()
        part = self.folder / "o/table.csv.part"
        part.symlink_to(mine)
        (own.parent / "result.part").symlink_to(mine)
        self.assertIn("table.csv.part, under which", self.pluvia("sweep", "c.cfg", "-o", "o", code=5)[1])
        part.unlink()
        part.write_text("case,mu")
        self.pluvia("sweep", "c.cfg", "-o", "o")
        self.assertFalse(part.exists())
        self.assertEqual(mine.read_text(), "precious")

    def test_measure_that_no_case_can_have(self):
        """The first case shows it, the others do not run: the axes change only a law of contacts. What ran is kept."""
        text = """scene = "fall.cfg"; axes = ( { key = "contacts.*.friction"; name = "mu"; values = [0.1, 0.2, 0.3]; } );
            measures = ["rolling.z",
                        "packing.box_porosity"];"""
        _, err = self.sweep(text, "-j", 1, code=3)
        self.assertIn('c.cfg:3: no case can have the measure "packing.box_porosity" if mu=0.1, the first that ended, has not', err)
        before = self.stamps()
        self.assertEqual(len(before), 1)
        out, err = self.sweep(text.replace(""",
                        "packing.box_porosity\"""", ""), "-j", 1, "--progress", "none")
        self.assertIn("3 done (2 now)", out)
        self.assertEqual(err, "")
        after = self.stamps()
        self.assertEqual({name: after[name] for name in before}, before)

    def test_measure_that_only_some_cases_have(self):
        """Which one the first case may not have: it warns, once."""
        floor = 'normal = [0, 0, 1]; }; material = "plate";'
        self.assertIn(floor, FALL)
        self.write("rises.cfg", FALL.replace(floor, floor + " motion: { velocity = [0, 0, 0]; };"))
        _, err = self.sweep("""scene = "rises.cfg"; measures = "energy.boundary";
            axes = ( { key = "boundaries.0.motion.velocity"; values = [[0, 0, 0], [0, 0, 2]]; } );""", "-j", 1)
        self.assertEqual(err.count("the first case that ended, has no measure \"energy.boundary\"; others may have it"), 1)
        self.assertEqual([row["energy.boundary"] != "" for row in self.table()], [False, True])

    def test_measure_that_no_result_has(self):
        """Any case could have had it."""
        _, err = self.sweep(CAMPAIGN.replace("rolling.x", "packing.box_porosity"), code=3)
        self.assertIn("others may have it", err)
        self.assertIn('c.cfg:8: no result has the measure "packing.box_porosity"', err)
        before = self.stamps()
        self.assertEqual(len(before), 4)
        self.sweep(CAMPAIGN)  # a change of the measures runs nothing again
        self.assertEqual(self.stamps(), before)

    def test_measure_of_an_older_version(self):
        """Results that have it are not lost because the program no longer gives it."""
        text = 'scene = "fall.cfg"; measures = ["%s"];'
        self.sweep(text % "rolling.z")
        path = self.result("base")
        path.write_text(path.read_text().replace('"rolling": {', '"rolling": {"gone": 7, '))
        self.sweep(text % "rolling.gone", "--collect")
        self.assertEqual(float(self.table()[0]["rolling.gone"]), 7)
        self.assertIn("c.cfg:1: unknown measure", self.sweep(text % "rolling.lost", "--collect", code=3)[1])

    def test_all_names_of_measures_are_known(self):
        """Those of results of several kinds, and those in the source that only some runs have."""
        names = set()

        def add(path, value):
            if isinstance(value, dict) or isinstance(value, list):
                for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
                    add(f"{path}.{name}" if path else str(name), inner)
            elif not isinstance(value, str):
                names.add(path)

        scenes = {"fall.cfg": 0.05} | {ROOT / "scenes" / name: 2e-3 for name in ("first.cfg", "shear.cfg")}
        for scene, end in scenes.items():
            self.pluvia("run", scene, "-o", "a.h5md", "--force", "-q", "--until", end, "-s", "output.contacts=true")
            measured = json.loads(self.pluvia("measure", "a.h5md", "--json")[0])
            add("", measured.pop("frame"))
            add("", measured)
            add("", self.info("a.h5md"))
        for file, rule in [("cli/measure/measure_run.c", r'plu_quantities_add\(q, "(\w+)",\s+"(\w+)"'),
                           ("io/trajectory/observables.c", r'\] = {()"(\w+)"')]:
            found = re.findall(rule, (ROOT / "src" / file).read_text())
            self.assertGreater(len(found), 20)
            names |= {f"{group or 'last'}.{name}" for group, name in found}
        self.assertLess({"phases.0.from", "rolling.x", "pile.angle", "packing.cell_porosity", "stress.xy", "energy.elastic",
                         "energy.pivoting", "last.void_ratio", "last.cell_stress_xy", "seed"}, names)
        names -= {name for name in names if name.startswith("boundaries.1.")}  # fall.cfg has one boundary, which is checked
        listed = ", ".join(f'"{name}"' for name in sorted(names))
        self.sweep(f'scene = "fall.cfg"; measures = [{listed}];', "--collect", code=1)


class Errors(Sweep):
    def refuse(self, text, *messages, code=3):
        _, err = self.sweep(text, code=code)
        for message in messages:
            self.assertIn(message, err)
        self.assertFalse((self.folder / "output").exists())

    def test_messages(self):
        axis = 'scene = "fall.cfg";\naxes = ( { %s } );\n'
        self.refuse('sceen = "fall.cfg";', 'c.cfg:1: unknown key "sceen"; did you mean "scene"?')
        self.refuse("gravity = [0, 0, 0];", 'unknown key "gravity": it is a key of scenes')
        self.refuse('keep = "al";', "c.cfg:1: scene is missing", 'c.cfg:1: keep must be one of')
        self.refuse(axis % 'key = "seed";', "c.cfg:2: an axis needs exactly one of values, range")
        self.refuse(axis % "values = [1];", 'c.cfg:2: an axis of values needs the key "key"')
        self.refuse(axis % 'key = "seed"; log_range = [0, 1]; count = 3;', "both ends must be > 0")
        self.refuse(axis % 'key = "seed"; range = [1, 2];', "needs the key count")
        self.refuse(axis % 'key = ["seed", "time.end"]; values = ([1]);', "1 entries, but the axis has 2 keys")
        self.refuse(axis % 'key = "seed"; values = [1, 1];', "two cases are the same: seed=1")
        self.refuse(axis % "seeds = 2;" + 'where = "sed < 1";', "c.cfg:3: where:", "names no input")
        self.refuse(axis % "seeds = 2;" + 'where = "seed > 2";', "c.cfg:3: `where` leaves no case")
        self.refuse(axis % 'table = "none.csv";', "none.csv: No such file")
        self.refuse(axis % 'key = "time.step"; values = [-1.0];', "case step=-1.0:", "time.step")
        self.refuse(axis % "seeds = 2;" + 'measures = [\n"pile.hieght", "last.kinetic_energie", "xyz"];',
                    'c.cfg:4: unknown measure "pile.hieght"; did you mean "pile.height"?',
                    'c.cfg:4: unknown measure "last.kinetic_energie"; did you mean "last.kinetic_energy"?',
                    'c.cfg:4: unknown measure "xyz"; the names are those')
        self.write("c.cfg", axis % "seeds = 2;" + 'measures = "rolling.normal_forse";')
        _, err = self.pluvia("sweep", "c.cfg", "--dry-run", code=3)
        self.assertIn('c.cfg:3: unknown measure "rolling.normal_forse"; did you mean "rolling.normal_force"?', err)
        self.refuse('\nscene = "none.cfg";', "pluvia: c.cfg:2: scene: no such file none.cfg\n", code=5)
        (self.folder / "table.csv").write_bytes(b"seed\r1\r2\0\r")
        self.refuse(axis % 'table = "table.csv";', "table.csv:3: the file contains a zero byte")

    def test_things_that_the_scene_has_not(self):
        """Sensors, boundaries and stages are in the scene: nothing runs to find out, nor for a statistic."""
        self.write("s.cfg", FALL + 'sensors = ( { name = "flux"; plane: {}; }, { name = "lid"; boundary = "plane-1"; } );\n')
        text = 'scene = "s.cfg";\naxes = ( { seeds = 2; } );\nmeasures = [%s];\n'
        refused = {"sensors.flx_mass": 'no sensor of the scene gives "sensors.flx_mass"; did you mean "sensors.flux_mass"?',
                   "mean(sensors.lid_forc_z)": 'did you mean "sensors.lid_force_z"?', "last.sensor_flux_mas": 'did you mean "last.sensor_flux_mass"?',
                   "sensors.xyz": 'no sensor of the scene gives "sensors.xyz"; its first sensor is "flux"',
                   "boundaries.1.position.2": "the scene has 1 boundaries, counted from 0", "stages.0.ended": "the scene has 0 stages"}
        self.refuse(text % ", ".join(f'"{name}"' for name in refused), *("c.cfg:3: " * (" of the scene" in said) + said for said in refused.values()))
        self.refuse(text.replace("s.cfg", "fall.cfg") % '"sensors.flux_mass"', 'c.cfg:3: there is no "sensors.flux_mass": the scene has no sensors')
        self.write("c.cfg", text % '"sensors.flx_mass"')
        self.assertIn("flux_mass", self.pluvia("sweep", "c.cfg", "--dry-run", code=3)[1])
        out, _ = self.sweep(text % '"sensors.flux_mass_rate", "mean(sensors.lid_force_z)", "last.sensor_flux_mass"')
        self.assertIn("2 done", out)

    def test_the_campaigns_that_are_shipped(self):
        """Every case of theirs is a scene; nothing is run."""
        files = shipped(campaigns=True)
        self.assertTrue(files)
        for file in files:
            out, _ = self.pluvia("sweep", file, "-o", file.stem, "--collect", code=1)
            self.assertIn("0 done (0 now), 0 failed", out)

    def test_usage(self):
        self.write("c.cfg", CAMPAIGN)
        for shard in ("0/2", "3/2", "1", "1/2x"):
            self.pluvia("sweep", "c.cfg", "--shard", shard, code=2)


class Order(Sweep):
    def test_only_what_changed_runs_again(self):
        self.sweep(CAMPAIGN)
        first = self.stamps()
        out, _ = self.sweep(CAMPAIGN)
        self.assertIn("4 done (0 now)", out)
        self.assertEqual(self.stamps(), first)
        out, _ = self.sweep(CAMPAIGN.replace("[0.3, 0.4]", "[0.5, 0.4]"))
        self.assertIn("4 done (2 now)", out)
        self.assertEqual({k: v for k, v in self.stamps().items() if k in first and "0.1" in k},
                         {k: v for k, v in first.items() if "0.1" in k})
        self.write("thrown.cfg", THROWN.replace("end = 0.05", "end = 0.04"))  # the base scene
        out, _ = self.sweep(CAMPAIGN)
        self.assertIn("4 done (4 now)", out)
        self.assertAlmostEqual(float(self.table()[0]["rolling.x"]), 0.04, delta=1e-12)

    def test_what_a_user_puts_beside_a_case_stays(self):
        seeds = 'scene = "fall.cfg"; axes = ( { seeds = 1; } );'
        self.sweep(seeds)
        self.write("output/c/cases/seed=1/notes.txt", "precious")
        (self.folder / "output/c/cases/seed=1/figures").mkdir()
        self.write("output/c/cases/seed=1/figures/run.png", "precious")
        before = self.stamps()
        self.write("fall.cfg", FALL.replace("0.05]", "0.04]"))
        self.sweep(seeds)
        self.assertNotEqual(self.stamps(), before)
        for name in "notes.txt", "figures/run.png":
            self.assertEqual((self.folder / "output/c/cases/seed=1" / name).read_text(), "precious")

    def test_a_change_in_a_file_of_spheres(self):
        self.write("spheres.csv", "x,y,z,radius\n0,0,1,0.01\n")
        scene = FALL.replace('position = [0, 0, 0.05]; material = "grain"; radius = 0.01;',
                             'file: { path = "spheres.csv"; }; material = "grain";')
        self.write("file.cfg", scene)
        campaign = 'scene = "file.cfg"; axes = ( { seeds = 1; } ); measures = ["rolling.z"];'
        self.sweep(campaign)
        low = float(self.table()[0]["rolling.z"])
        self.write("spheres.csv", "x,y,z,radius\n0,0,2,0.01\n")
        self.sweep(campaign)
        self.assertAlmostEqual(float(self.table()[0]["rolling.z"]) - low, 1, delta=1e-12)

    def test_threads_of_a_case(self):
        """Fewer than a case may have where its steps are too few for a trial: it begins with one. OMP_NUM_THREADS limits them,
        the campaign has the last word, and the bits are the same."""
        if "openmp" not in re.search(r"^with: (.*)$", self.pluvia("--version")[0], re.M)[1]:
            self.skipTest("this build was configured with -Dopenmp=disabled")
        one = 'scene = "fall.cfg"; set = ["time.end=0.01"]; '
        free = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        limited = free | {"OMP_NUM_THREADS": "2"}
        hashes = set()
        for k, (text, environment, found, said) in enumerate([
                (one, free, "1 of 4 threads", "up to 4 threads"), (one, limited, "2 threads", "2 threads"),
                (one, free | {"OMP_NUM_THREADS": "1"}, "1 thread", "1 thread"),
                (one + "threads = 3;", free, "3 threads", "3 threads"), (one + "threads = 3;", limited, "3 threads", "3 threads")]):
            with self.subTest(text=text, said=said):
                out, _ = self.sweep(text, "-j", 4, name=f"c{k}", env=environment)
                self.assertIn(f", {said} per case", out)
                log = next((self.folder / f"output/c{k}/cases").glob("*/run.log")).read_text()
                self.assertRegex(log, rf" on {found}\n")
                hashes.add(re.search(r"state hash +([0-9a-f]{16})", log)[1])
        self.assertEqual(len(hashes), 1)
        out, _ = self.sweep(one, "--dry-run", "-j", 4, name="dry", env=free)
        self.assertRegex(out, r"1 at a time with up to 4 threads each\nestimate      \d+:\d\d ")

    def test_shards_are_the_whole(self):
        self.sweep(CAMPAIGN, name="whole")
        for shard in (1, 2, 3):
            self.sweep(CAMPAIGN, "--shard", f"{shard}/3", name="parts")
            self.assertEqual(len(self.stamps("parts")), (2, 3, 4)[shard - 1])
        drop = ("wall_seconds", "cpu_seconds", "threads")
        rows = [[{k: v for k, v in row.items() if k not in drop} for row in self.table(name)]
                for name in ("whole", "parts")]
        self.assertEqual(rows[0], rows[1])

    def test_slurm_job_array(self):
        """With a stand-in for sbatch that runs the tasks of the array one after the other."""
        tools = self.folder / "tools"
        tools.mkdir()
        fake = tools / "sbatch"
        fake.write_text("#!/bin/bash\nscript=${@: -1}\ncd \"${1#--chdir=}\" || exit 1\n"
                        "last=$(sed -n 's/^#SBATCH --array=1-//p' \"$script\")\n"
                        "for i in $(seq \"$last\"); do\n"
                        "  SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 bash \"$script\" || exit 1\n"
                        "done\necho Submitted batch job 1\n")
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        paths = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        # the tables of the first tasks are not whole, which is no failure of theirs
        out, _ = self.sweep(CAMPAIGN, "--slurm", 2, "--sbatch=--time=10", env=paths)
        self.assertIn("Submitted", out)
        self.assertIn("#SBATCH --time=10\n", (self.folder / "output/c/job.sh").read_text())
        self.assertEqual([r["status"] for r in self.table()], ["done"] * 4)


class Failures(Sweep):
    def test_failed_case_is_reported_and_not_retried(self):
        # h g beyond the largest number breaks the run down
        bad = CAMPAIGN.replace("axes = (", """axes = (
            { key = ["time.step", "time.end", "gravity"]; name = ["h", "end", "g"];
              values = ([1e-3, 0.05, [0, 0, -9.81]], [1e303, 5e303, [0, 0, -1e6]]); },""")
        bad = bad.replace("[[1, 0, 0], [2, 0, 0]]", "[[1, 0, 0]]")
        out, err = self.sweep(bad, code=1)
        self.assertIn("2 done (2 now), 2 failed", out)
        rows = self.table()
        self.assertEqual([r["status"] for r in rows], ["done", "done", "failed", "failed"])
        code = int(rows[2]["exit"])
        self.assertEqual(code, 6)
        self.assertIn("finite", rows[2]["reason"])
        self.assertIn(rows[2]["reason"], err)
        case = self.folder / "output/c/cases" / rows[2]["case"]
        self.pluvia("run", case / "scene.cfg", "-o", "again.h5md", code=code)
        before = self.stamps()
        out, _ = self.sweep(bad, code=1)
        self.assertEqual(self.stamps(), before)
        out, _ = self.sweep(bad, "--retry", code=1)
        self.assertIn("2 failed", out)
        self.assertEqual(len([k for k in before if before[k] != self.stamps()[k]]), 2)

    def test_killed_run_is_a_failure(self):
        """As when memory runs out: the run has no chance to say anything."""
        self.write("c.cfg", LONG.replace("[0, 0, -5], [0, 0, -3]", "[0, 0, -5]") % "1e5")
        process = self.start("sweep", "c.cfg", "-j", 2)
        for _ in range(2):
            self.wait_for(lambda: self.runs(process.pid))
            victim = self.runs(process.pid)[0]
            os.kill(victim, signal.SIGKILL)
            self.wait_for(lambda: victim not in self.runs(process.pid))
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("2 failed", out)
        for row in self.table():
            self.assertEqual((row["status"], row["exit"]), ("failed", "137"))
            self.assertIn("killed by signal 9", row["reason"])

    def test_a_killed_worker_takes_no_other_case_with_it(self):
        """One process runs one case after the other; another one takes its place."""
        self.write("c.cfg", LONG % "100")
        process = self.start("sweep", "c.cfg", "-j", 1)
        self.wait_for(lambda: len(self.stamps()) == 1)
        self.wait_for(lambda: self.runs(process.pid))
        victim = self.runs(process.pid)[0]
        os.kill(victim, signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("2 done (2 now), 1 failed, 0 missing", out)
        rows = self.table()
        self.assertEqual(sorted(r["status"] for r in rows), ["done", "done", "failed"])
        lost = next(r for r in rows if r["status"] == "failed")  # the second one, or where this test was late the third
        self.assertEqual(lost["exit"], "137")
        self.assertGreater(float(lost["wall_seconds"]), 0)

    def test_a_run_that_is_told_to_stop_has_not_failed(self):
        """By each signal that a run obeys, and the next sweep continues it."""
        self.write("c.cfg", LONG.replace("[0, 0, -5], [0, 0, -3]", "[0, 0, -5]") % "1e5")
        for number in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
            process = self.start("sweep", "c.cfg", "-j", 2)
            for _ in range(2):
                self.wait_for(lambda: self.runs(process.pid))
                victim = self.runs(process.pid)[0]
                os.kill(victim, number)
                self.wait_for(lambda: victim not in self.runs(process.pid))
            out, err = process.communicate(timeout=PATIENCE)
            self.assertIn("0 failed, 2 missing", out, err)
            self.assertEqual([row["status"] for row in self.table()], ["missing", "missing"])

    def runs(self, sweep):
        """The simulations of a sweep: its workers that are named pluvia run."""
        return [p for p in self.children(sweep) if self.name(p) == "pluvia run"]

    @staticmethod
    def children(pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                return [int(word) for word in file.read().split()]
        except OSError:
            return []

    @staticmethod
    def name(pid):
        try:
            with open(f"/proc/{pid}/comm") as file:
                return file.read().strip()
        except OSError:
            return ""

    def interrupted(self, number):
        self.write("c.cfg", LONG % "200")
        process = self.start("sweep", "c.cfg", "-j", 1)
        self.wait_for(lambda: len(self.stamps()) == 1)
        cases = self.folder / "output/c/cases"
        self.wait_for(lambda: len(list(cases.glob("*/run.checkpoint.h5"))) == 2)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def check_resumed(self):
        first = self.stamps()
        self.assertEqual(len(first), 1)
        out, _ = self.pluvia("sweep", "c.cfg", "-j", 1)
        self.assertIn("3 done (2 now)", out)
        self.assertEqual(list(first.values())[0], self.stamps()[list(first)[0]])
        mass = 1300 * 4 / 3 * math.pi * 0.01**3
        for row, g in zip(self.table(), (9.81, 5, 3)):  # at rest on the floor, but for the slop
            self.assertAlmostEqual(float(row["last.potential_energy"]) / (mass * g * 0.01), 1,
                                   delta=3e-3)
        logs = [p.read_text() for p in (self.folder / "output/c/cases").glob("*/run.log")]
        self.assertTrue(any("goes on" in log or "continu" in log for log in logs), logs)

    def test_interrupt_stops_the_cases_in_good_order(self):
        code, out, err = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("1 done (1 now), 0 failed, 2 missing", out)
        self.assertEqual([r["status"] for r in self.table()], ["done", "missing", "missing"])
        self.check_resumed()

    def test_kill(self):
        code, _, _ = self.interrupted(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.check_resumed()  # whether or not the orphan has ended yet

    def test_two_sweeps_share_the_work(self):
        self.write("c.cfg", LONG % "100")
        sweeps = [self.start("sweep", "c.cfg", "-j", 1) for _ in range(2)]
        outs = [s.communicate(timeout=PATIENCE) for s in sweeps]
        self.assertEqual([s.returncode for s in sweeps], [0, 0], outs)
        now = [int(out.split("done (")[1].split(" now")[0]) for out, _ in outs]
        self.assertEqual(sum(now), 3)
        self.assertEqual([r["status"] for r in self.table()], ["done"] * 3)


if __name__ == "__main__":
    unittest.main()
