"""A calibration finds the parameters that closed forms have, and those that a heap was made with."""
import csv
import json
import math
import re
import shutil
import signal
import statistics
import time
import unittest

from command import FALL, PATIENCE, ROOT, SANITIZED, Case, numbers_only
from kill import with_fault

# A sphere in free fall has the energy m (g t)^2 / 2, m = 4/3 pi rho r^3: all rho r^3 are alike.
MASS = """
scene = "fall.cfg";
axes = (
    { key = "bodies.0.radius"; range = [0.01, 0.02]; count = 3; },
    { key = "materials.0.density"; name = "rho"; log_range = [500, 8000]; count = 3; }
);
targets = ( { measure = "last.kinetic_energy"; value = %.9g; error = %.9g; } );
keep = "none";
"""


def energy(rho, radius):
    return 0.5 * rho * 4 / 3 * math.pi * radius**3 * (9.81 * 0.03) ** 2


class Calibrate(Case):
    def setUp(self):
        super().setUp()
        self.write("fall.cfg", FALL.replace("end = 0.05", "end = 0.03"))

    def calibrate(self, text, *words, name="c", **options):
        self.write(f"{name}.cfg", text)
        return self.pluvia("calibrate", f"{name}.cfg", "-j", 2, "--progress", "none", *words, **options)

    def answer(self, text, *words, **options):
        return json.loads(self.calibrate(text, "--json", *words, **options)[0])

    def table(self, file, name="c"):
        with open(self.folder / "output" / name / file, newline="", encoding="utf-8") as rows:
            return list(csv.DictReader(rows))

    def stamps(self, name="c"):
        cases = self.folder / "output" / name / "cases"
        return {p.parent.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in cases.glob("*/result.json")}


class Components(Calibrate):
    BELT = """time: { step = 1e-3; end = 0.2; };
materials = ( { name = "g"; density = 2500.0; } );
contacts = ( { between = ["g", "g"]; friction = 0.5; } );
boundaries = ( { plane: {}; material = "g"; motion: { belt = [0.5, 0, 0]; }; } );
bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "g"; } );
"""

    def test_a_component_of_a_vector(self):
        """A sphere put on a belt rolls with 2/7 of its speed, so a target of 0.2 m/s needs 0.7."""
        self.write("belt.cfg", self.BELT)
        out, _ = self.calibrate('scene = "belt.cfg";\n'
                                'axes = ( { key = "boundaries.0.motion.belt.0"; name = "speed"; range = [0.2, 1.0]; count = 3; } );\n'
                                'targets = ( { measure = "rolling.vx"; value = 0.2; error = 0.002; } );\n', "--rounds", 1)
        self.assertRegex(out, r"\nspeed +0\.7, from 0\.693 to 0\.707\n")

    def test_components_that_are_not_there(self):
        self.write("belt.cfg", self.BELT)
        for key, said in [("boundaries.0.motion.belt.3", 'unknown key "3" in boundaries.motion.belt'),
                          ("cell.size.0", "give all of it")]:
            _, err = self.pluvia("check", "belt.cfg", "-s", f"{key}=1", code=3)
            self.assertIn(said, err)
        out, _ = self.pluvia("check", "belt.cfg", "--defaults", "-s", "bodies.*.position.2=0.02", "-s", "gravity.2=-1.62",
                             "-s", "boundaries.0.motion.velocity.0=1.5")
        for said in ["position = [0, 0, 0.02]", "gravity = [0.0, 0.0, -1.62]", "velocity = [1.5, 0.0, 0.0]"]:
            self.assertIn(said, out)


class Cost(Calibrate):
    def test_the_estimate_knows_the_rounds(self):
        """The ratio of the two times is that of the cases, whatever one costs."""
        text = MASS % (1, 0.1) + 'set = ["time.end=1e5", "output.interval=1e5"];'
        out, _ = self.calibrate(text, "--dry-run", "--rounds", 3)
        first, whole = [sum(float(n) * 60**k for k, n in enumerate(reversed(t.split(":"))))
                        for t in re.findall(r"^(?:estimate|              about) +([\d:]+)", out, re.M)]
        self.assertGreater(first, 60, out)
        self.assertAlmostEqual(whole / first, 1 + 2**0.5 + 2 + 2**1.5, delta=0.2)

    def test_a_round_says_of_how_many(self):
        value = energy(2000, 0.015)
        self.write("c.cfg", MASS % (value, 0.05 * value))
        _, err = self.pluvia("calibrate", "c.cfg", "-j", 2, "--progress", "plain", "--rounds", 1)
        self.assertRegex(err, "round 1 of at most 1: [0-9]+ more cases")
        self.assertRegex(err, r"8/9 done, ETA \d")
        self.assertNotRegex(err, r"\b(\d+)/\1 done.*ETA")


class ClosedForms(Calibrate):
    @numbers_only
    def test_valley_of_masses(self):
        value = energy(2000, 0.015)
        out, _ = self.calibrate(MASS % (value, 0.05 * value), "--rounds", 3)
        self.assertIn("2 parameters cannot be determined from 1 value", out)
        rows = self.table("valley.csv")
        self.assertGreater(len(rows), 8)
        for row in rows:  # linear between points, so a little off the curve
            radius = float(row["radius"])
            self.assertEqual(row["state"], "valley")
            self.assertAlmostEqual(energy(float(row["rho"]), radius) / value, 1, delta=0.03)
            self.assertAlmostEqual(energy(float(row["rho.low"]), radius) / value, 0.95, delta=0.03)
            self.assertAlmostEqual(energy(float(row["rho.high"]), radius) / value, 1.05, delta=0.03)
        for row in self.table("calibration.csv"):
            there = energy(float(row["rho"]), float(row["radius"]))
            self.assertAlmostEqual(float(row["last.kinetic_energy"]) / there, 1, delta=1e-6)
            z = (there - value) / (0.05 * value)
            self.assertAlmostEqual(float(row["last.kinetic_energy.z"]), z, delta=1e-4)
            self.assertAlmostEqual(float(row["chi2"]), z**2, delta=1e-3 * (1 + z**2))

    def test_stopping_distance(self):
        """x = 7 R U0^2 / (10 g mu_r), whatever mu is, of a sphere that does not slip (AB21, 6.1)."""
        found = self.answer(f"""
            scene = "{ROOT}/scenes/rolling/slip_free.cfg";
            set = ["time.step=2e-3", "output.interval=1"];
            axes = ( {{ key = "contacts.0.friction"; name = "mu"; range = [0.4, 0.8]; count = 2; }},
                     {{ key = "contacts.0.rolling_friction"; name = "mu_r"; log_range = [0.06, 0.24];
                        count = 3; }} );
            targets = ( {{ measure = "rolling.stop_distance"; value = 2.0; error = 0.02; }} );
            keep = "none";""")
        self.assertTrue(found["reached"])
        distance = 7 * 0.5 * 2.5**2 / (10 * 9.81)
        mu, mu_r = found["parameters"]["mu"], found["parameters"]["mu_r"]
        self.assertTrue(mu["open_low"] and mu["open_high"])
        self.assertAlmostEqual(mu_r["low"], distance / 2.02, delta=2e-4)
        self.assertAlmostEqual(mu_r["high"], distance / 1.98, delta=2e-4)
        self.assertEqual((found["determined"], mu_r["best"]), (False, None))

    def test_one_parameter(self):
        value = energy(2000, 0.01)
        text = MASS.replace("{ key = \"bodies.0.radius\"; range = [0.01, 0.02]; count = 3; },", "")
        found = self.answer(text % (value, 0.02 * value), "--rounds", 5)
        self.assertTrue(found["determined"])
        self.assertAlmostEqual(found["parameters"]["rho"]["best"], 2000, delta=5)
        self.assertAlmostEqual(found["parameters"]["rho"]["low"], 1960, delta=5)
        self.assertAlmostEqual(found["parameters"]["rho"]["high"], 2040, delta=5)
        self.assertEqual(len(self.table("valley.csv")), 1)

    def test_not_reached(self):
        most = energy(8000, 0.02)
        out, _ = self.calibrate(MASS % (1.5 * most, 0.1 * most), "--rounds", 1, code=1)
        self.assertIn("not reached   anywhere in the range", out)
        self.assertIn("radius is nearest at the upper end of its range, 0.02", out)
        self.assertIn("rho is nearest at the upper end of its range, 8000", out)
        self.assertIn("5 standard errors too small", out)

    def test_how_well_it_is_reached(self):
        largest = energy(8000, 0.02)
        for far, said in (1.5, "reproduced within two standard errors, not within one, by a valley of values"), (0.5, "\nreproduced by a valley"):
            out, _ = self.calibrate(MASS % ((1 + 0.1 * far) * largest, 0.1 * largest), "--rounds", 0)
            self.assertIn(said, out)
        self.assertIn("points        9, those of the first grid\n", out)


class Heaps(Calibrate):
    HEAP = f"""
        scene = "{ROOT}/scenes/pile/pile.cfg";
        set = ["feeders.0.pluviation.count=20", "time.end=3", "output.interval=3"];
        axes = ( %s ); keep = "none"; measures = "pile.height_ratio"; """

    @numbers_only
    def test_a_heap_of_known_friction(self):
        """The friction that a heap was made with is among the answers; far ones are not."""
        made = """{ key = "contacts.*.friction"; values = [0.5]; },
                  { key = "contacts.*.rolling_friction"; values = [2e-3]; }, { seeds = [%s]; }"""
        self.write("made.cfg", self.HEAP % (made % ", ".join(str(100 + i) for i in range(10))))
        self.pluvia("sweep", "made.cfg", "-j", 2, "--progress", "none")
        heights = [float(row["pile.height_ratio"]) for row in self.table("table.csv", "made")]
        error = statistics.stdev(heights) / math.sqrt(len(heights))
        axes = """{ key = "contacts.*.friction"; name = "mu"; range = [0.1, 0.9]; count = 3; },
                  { key = "contacts.*.rolling_friction"; name = "mu_r"; log_range = [1.25e-4, 3.2e-2]; count = 3; },
                  { seeds = 3; }"""
        found = self.answer(self.HEAP % axes + f"""targets = (
            {{ measure = "pile.height_ratio"; value = {statistics.mean(heights):.6f}; error = {error:.6f}; }} );""",
                            "--rounds", 1)
        chi2 = {(float(row["mu"]), float(row["mu_r"])): float(row["chi2"])
                for row in self.table("calibration.csv")}
        self.assertTrue(found["reached"])
        self.assertLess(chi2[0.5, 0.002], 9)  # three standard errors
        self.assertGreater(chi2[0.5, 0.000125], 9)
        self.assertGreater(chi2[0.1, 0.000125], 9)


class Order(Calibrate):
    VALUE = energy(2000, 0.015)
    TEXT = MASS % (VALUE, 0.05 * VALUE)

    def test_more_rounds_go_on(self):
        self.calibrate(self.TEXT, "--rounds", 0)
        first = self.stamps()
        self.assertEqual(len(first), 9)
        self.calibrate(self.TEXT, "--rounds", 1)
        second = self.stamps()
        self.assertGreater(len(second), 9)
        self.assertEqual({k: v for k, v in second.items() if k in first}, first)
        out, _ = self.calibrate(self.TEXT, "--rounds", 1)
        self.assertIn("(0 now)", out)
        self.assertEqual(self.stamps(), second)
        self.calibrate(self.TEXT, "--rounds", 1, name="once")
        for file in ("calibration.csv", "valley.csv"):
            self.assertEqual(self.table(file), self.table(file, "once"))

    def test_another_target_runs_only_what_it_needs(self):
        self.calibrate(self.TEXT, "--rounds", 1)
        first = self.stamps()
        self.calibrate(MASS % (2 * self.VALUE, 0.1 * self.VALUE), "--rounds", 1)
        self.assertEqual({k: v for k, v in self.stamps().items() if k in first}, first)

    def test_interrupted(self):
        value = 2000 * 4 / 3 * math.pi * 0.015**4 * 9.81  # m g r, at rest on the floor
        self.write("fall.cfg", FALL.replace("end = 0.05", "end = 30").replace("interval = 0.01", "interval = 30"))
        text = (MASS % (value, 1e-4 * value)).replace("last.kinetic_energy", "last.potential_energy")
        self.write("c.cfg", text)
        process = self.start("calibrate", "c.cfg", "-j", 1, "--rounds", 8, "--progress", "none")
        deadline = time.monotonic() + PATIENCE
        while not self.stamps():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("the same command continues", err)
        first = self.stamps()
        found = self.answer(text, "--rounds", 0)
        self.assertEqual({k: v for k, v in self.stamps().items() if k in first}, first)
        self.assertEqual(sum(float(row["seeds"]) for row in self.table("calibration.csv")), found["cases"])

    def test_killed(self):
        """At calls of the system, also of a worker: the same command goes on, and finds what it finds without a break."""
        text = MASS % (energy(2000, 0.015), 1e-3 * energy(2000, 0.015))
        kept = ("parameters", "cases", "rounds", "misfit")
        whole = self.answer(text, "--rounds", 1, name="whole")
        rows = [{k: v for k, v in row.items() if "seconds" not in k} for row in self.table("calibration.csv", "whole")]
        killed = 0
        places = [("rename", 2), ("rename", 7), ("result.json", 5), ("calibration.csv", 1), ("", 40), ("", 90)]
        for on, at in places[::3] if SANITIZED else places:
            with self.subTest(on=on, at=at):
                self.write("c.cfg", text)
                process = self.start("calibrate", "c.cfg", "-j", 1, "--progress", "none", "--rounds", 1, env=with_fault("kill", at, on))
                process.communicate(timeout=PATIENCE)
                killed += process.returncode != 0
                found = self.answer(text, "--rounds", 1, "--retry")  # a case whose worker died has failed
                self.assertEqual({k: found[k] for k in kept if k in whole}, {k: whole[k] for k in kept if k in whole})
                self.assertEqual([{k: v for k, v in row.items() if "seconds" not in k} for row in self.table("calibration.csv")], rows)
                shutil.rmtree(self.folder / "output/c")
        self.assertGreater(killed, 1 if SANITIZED else 3)

    def test_dry_run_runs_nothing(self):
        out, _ = self.calibrate(self.TEXT, "--dry-run")
        self.assertIn("9 to run", out)
        self.assertFalse((self.folder / "output").exists())

    def test_the_calibration_that_is_shipped(self):
        out, _ = self.pluvia("calibrate", ROOT / "scenes/campaigns/repose.cfg", "--dry-run")
        self.assertIn("100 to run", out)

    def test_the_file_is_a_campaign_too(self):
        self.write("c.cfg", self.TEXT)
        self.pluvia("sweep", "c.cfg", "-j", 2, "--progress", "none")
        rows = self.table("table.csv")
        self.assertEqual(len(rows), 9)
        self.assertTrue(all(float(row["last.kinetic_energy"]) > 0 for row in rows))
        out, _ = self.calibrate(self.TEXT, "--rounds", 0)
        self.assertIn("(0 now)", out)


class Errors(Calibrate):
    def test_messages(self):
        fine = MASS % (1, 0.1)
        for text, message in (
                (fine.replace("error =", "eror ="), 'c.cfg:7: unknown key "eror"; did you mean "error"?'),
                (fine.replace("error = 0.1", "error = 0.0"), "c.cfg:7: error must be a number > 0"),
                (fine.replace("range = [0.01, 0.02]; count = 3", "values = [0.01]"), "c.cfg:4: with targets"),
                (fine[:fine.index("targets")], "c.cfg: targets is missing"),
                (fine.replace("bodies.0.radius", "seed").replace("[0.01, 0.02]", "[1, 3]"),
                 "must take any number of the range")):
            _, err = self.calibrate(text, code=3)
            self.assertIn(message, err)
        for words in [], ["--dry-run"]:
            _, err = self.calibrate(fine.replace("last.kinetic", "last.kinetik"), *words, code=3)
            self.assertIn('c.cfg:7: unknown measure "last.kinetik_energy"; did you mean "last.kinetic_energy"?', err)
            _, err = self.calibrate(fine.replace("last.kinetic_energy", "sensors.flux_mass"), *words, code=3)
            self.assertIn('c.cfg:7: there is no "sensors.flux_mass": the scene has no sensors', err)
            _, err = self.calibrate(fine.replace("bodies.0.radius", "bodies.0.radus"), *words, code=3)
            self.assertIn('did you mean "radius"?', err)
            self.assertNotIn("must take any number", err)
        self.assertFalse((self.folder / "output").exists())
        self.calibrate(fine, "--rounds", 9, code=2)
        _, err = self.calibrate(fine.replace("last.kinetic_energy", "rolling.stop_time"), code=3)
        self.assertIn("no cell of the grid has values of all targets", err)

    def test_no_case_is_left(self):
        """Where too many cases have failed to say anything, what runs them again is named."""
        text = (MASS % (1, 0.1)).replace("bodies.0.radius", "limits.velocity").replace("[0.01, 0.02]", "[0.05, 0.1]")
        _, err = self.calibrate(text, "--rounds", 1, code=3)
        self.assertIn("no cell of the grid has values of all targets", err)
        self.assertRegex(err, r"\d+ cases failed .*: --retry runs them again")
        _, err = self.calibrate((MASS % (1, 0.1)).replace("last.kinetic_energy", "rolling.stop_time"), name="b", code=3)
        self.assertNotIn("--retry", err)

    def test_failed_cases(self):
        """Runs that a limit ends leave points without numbers; the others give the answer."""
        value = energy(2000, 0.01)
        text = (MASS % (value, 0.1 * value)).replace("bodies.0.radius", "limits.velocity")
        text = text.replace("[0.01, 0.02]", "[0.1, 0.5]")  # the sphere reaches 0.29 m/s
        out, err = self.calibrate(text, "--rounds", 1, code=1)
        self.assertIn("3 failed", out)
        self.assertIn("3 points do not have values of all targets", out)
        self.assertIn("reproduced by a valley", out)
        self.assertIn("velocity=0.1,rho=500 failed", err)
        self.assertEqual({row["velocity"] for row in self.table("valley.csv")} & {"0.1", "0.2"}, set())


if __name__ == "__main__":
    unittest.main()
