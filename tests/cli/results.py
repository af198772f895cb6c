"""Where results go: names, overwriting, failures; and what foreign programs read in them."""
import gzip
import json
import math
import os
import re
import resource
import subprocess
import sys
import unittest

import h5py
import numpy

from command import BOX, ENDLESS, FALL, FLOOR, LAWS, PLUVIA, ROOT, SPHERE, Case, numbers_only

# A lattice rains on a floor, contact lists and all quantities written.
RICH = """
time: { step = 1e-3; end = 0.2; };
gravity = [0.0, 0.0, -9.81];
output: { interval = 0.02; contacts = true;
          quantities = ["position", "velocity", "angular_velocity", "orientation", "force"]; };
bodies = ( { lattice: { counts = [3, 3, 3]; spacing = 0.021; origin = [0, 0, 0.011]; jitter = 2e-4; };
             material = "grain"; radius = 0.01; } );
""" + LAWS + FLOOR

SPHERE_AT_REST = """
time: { step = 1e-3; end = 0.6; };
output: { interval = 0.001; };
bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "grain"; } );
""" + LAWS + FLOOR


class Results(Case):
    def setUp(self):
        super().setUp()
        self.write("fall.cfg", FALL)

    def test_default_name(self):
        out, err = self.pluvia("run", "fall.cfg")
        self.assertEqual(err, "")
        self.assertEqual(self.files(), ["fall.cfg", "output/fall.checkpoint.h5",
                                        "output/fall.h5md", "output/fall.xdmf"])
        for text in ["output/fall.h5md", "output/fall.xdmf", "complete", "state hash"]:
            self.assertIn(text, out)

    def test_rounded_numbers(self):
        """output.position_error and velocity_error: what they promise, and only in the file."""
        self.write("rich.cfg", RICH)
        said = [self.pluvia("run", "rich.cfg", "-o", name + ".h5md", *more)[0]
                for name, more in [("exact", []), ("rounded", ["-s", "output.position_error=1e-6",
                                                               "-s", "output.velocity_error=1e-4"])]]
        hashes = [re.search("state hash +([0-9a-f]+)", text).group(1) for text in said]
        self.assertEqual(*hashes)
        radius, sizes = 0.01, []
        with h5py.File(self.folder / "exact.h5md") as a, h5py.File(self.folder / "rounded.h5md") as b:
            for name, most, least in [("position", 1e-6, 1e-8), ("velocity", 1e-4, 1e-6),
                                      ("angular_velocity", 1e-4 / radius, 1e-6 / radius),
                                      ("orientation", 0.25e-6 / radius, 1e-8 / radius)]:
                sets = [f[f"particles/trajectory/{name}/value"] for f in (a, b)]
                off = abs(sets[0][:] - sets[1][:]).max()
                self.assertTrue(least < off <= most, (name, off))
                sizes.append([s.id.get_storage_size() for s in sets])
        exact, rounded = map(sum, zip(*sizes))
        self.assertLess(rounded, 0.6 * exact)
        self.pluvia("info", "--verify", "rounded.h5md")
        self.pluvia("run", "rich.cfg", "-o", "most.h5md", "-s", "output.position_error=1e-4")
        self.pluvia("info", "--verify", "most.h5md")  # quaternions are off by as much as they say
        text = (self.folder / "rich.cfg").read_text()
        self.write("rough.cfg", text.replace("output: {", "output: {\n position_error = 1.1e-4;"))
        line = text[:text.index("output: {")].count("\n") + 2
        for words in ["run", "-o", "no.h5md"], ["check"]:
            _, err = self.pluvia(words[0], "rough.cfg", *words[1:], code=3)
            self.assertEqual(err, f"pluvia: rough.cfg:{line}: output.position_error = 0.00011 m is more than 1 % of the smallest "
                                  "radius, 0.01 m; set it to at most 0.0001 m\n")
        self.assertNotIn("no.h5md", self.files())
        self.assertFalse((self.folder / "no.h5md").exists())

    def test_names_of_files_in_json(self):
        """JSON is UTF-8 whatever a file is called (RFC 8259, section 8.1)."""
        self.pluvia("run", "fall.cfg", "-o", "a.h5md")
        for name, wanted in [("é€𝄞.h5md".encode(), "é€𝄞.h5md"), (b"latin-\xe9.h5md", "latin-\ufffd.h5md"),
                             (b"short-\xc0\xaf-half-\xed\xa0\x80.h5md",
                              "short-\ufffd\ufffd-half-\ufffd\ufffd\ufffd.h5md"),
                             (b"beyond-\xf4\x90\x80\x80\xe2\x82.h5md", "beyond-" + 6 * "\ufffd" + ".h5md")]:
            os.link(self.folder / "a.h5md", os.fsencode(self.folder) + b"/" + name)
            out = subprocess.run([os.fsencode(PLUVIA), b"info", b"--json", name], cwd=self.folder,
                                 stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual(json.loads(out.decode())["path"], wanted)

    def test_quiet(self):
        self.assertEqual(self.pluvia("run", "-q", "fall.cfg"), ("", ""))

    def test_an_existing_result_is_kept_without_force(self):
        self.pluvia("run", "fall.cfg", "-o", "a.h5md")
        before = (self.folder / "a.h5md").read_bytes()
        _, err = self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--until", "0.02", code=5)
        self.assertIn("a.h5md", err)
        self.assertIn("--force", err)
        self.assertEqual((self.folder / "a.h5md").read_bytes(), before)
        self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--until", "0.02", "--force")
        self.assertEqual(self.info("a.h5md")["end"], 0.02)
        self.assertEqual(self.files(), ["a.checkpoint.h5", "a.h5md", "a.xdmf", "fall.cfg"])

    def test_a_bad_scene_leaves_an_older_result_whole(self):
        self.pluvia("run", "fall.cfg", "-o", "a.h5md")
        before = (self.folder / "a.h5md").read_bytes()
        self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--force", "-s", "time.step=-1", code=3)
        self.assertEqual((self.folder / "a.h5md").read_bytes(), before)

    def test_check_tells_the_size(self):
        """Within a factor of two also where the file is small, so that most of it is of HDF5."""
        scale = {"kB": 1e3, "MB": 1e6}
        for scene, options in [("first", ()), ("incline", ()), ("pile/pile", ("-s", "time.end=1"))]:
            path = ROOT / f"scenes/{scene}.cfg"
            told, unit = re.search(r"about ([\d.]+) (kB|MB) of trajectory", self.pluvia("check", path, *options)[0]).groups()
            self.pluvia("run", "-q", path, *options, "-o", "size.h5md", "--force")
            ratio = float(told) * scale[unit] / (self.folder / "size.h5md").stat().st_size
            self.assertGreater(ratio, 0.5, scene)
            self.assertLess(ratio, 2.0, scene)

    def test_the_same_command_gives_the_same_bytes(self):
        files = []
        for _ in range(2):
            self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--force")
            files.append((self.folder / "a.h5md").read_bytes())
        self.assertEqual(files[0], files[1])

    def test_a_missing_folder_is_made(self):
        self.pluvia("run", "fall.cfg", "-o", "new/a.h5md")
        self.assertEqual(self.info("new/a.h5md")["frames"], 6)

    def test_a_place_that_cannot_be_written(self):
        self.write("plain", "a regular file")
        _, err = self.pluvia("run", "fall.cfg", "-o", "plain/a.h5md", code=5)
        self.assertIn("plain/a.h5md", err)
        self.pluvia("run", "fall.cfg", "-o", "not/there/a.h5md", code=5)
        (self.folder / "b.h5md").mkdir()
        for words in [[], ["--force"]]:
            _, err = self.pluvia("run", "fall.cfg", "-o", "b.h5md", *words, code=5)
            self.assertIn("b.h5md", err)
        self.assertEqual(self.files(), ["fall.cfg", "plain"])

    def test_a_full_disk_ends_the_run_and_keeps_the_frames(self):
        self.write("rich.cfg", RICH.replace("end = 0.2", "end = 1e6"))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5 << 18, 5 << 18))

        _, err = self.pluvia("run", "rich.cfg", "-o", "a.h5md", code=5, preexec_fn=limit)
        self.assertIn("a.h5md", err)
        with h5py.File(self.folder / "a.h5md") as file:
            positions = file["particles/trajectory/position/value"]
            self.assertGreater(positions.shape[0], 10)
            self.assertEqual(positions[5].shape, (27, 3))
        self.assertGreater(self.info("a.h5md")["frames"], 10)

    def test_until_and_overrides(self):
        self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--until", "0.03", "-s", "gravity=[0.0,0.0,-1.0]",
                    "-s", "time.step=5e-4")
        info = self.info("a.h5md")
        self.assertAlmostEqual(info["end"], 0.03, delta=1e-12)
        self.assertEqual(info["step"], 5e-4)
        with h5py.File(self.folder / "a.h5md") as file:
            velocity = file["particles/trajectory/velocity/value"][-1, 0]
        # Free fall: v = g t is exact in the scheme.
        self.assertAlmostEqual(velocity[2], -0.03, delta=1e-12)

    def test_the_last_frame_is_the_end(self):
        _, err = self.pluvia("run", "fall.cfg", "-o", "a.h5md", "-s", "output.interval=0.02")
        with h5py.File(self.folder / "a.h5md") as file:
            times = list(file["particles/trajectory/position/time"])
        for found, expected in zip(times, [0.0, 0.02, 0.04, 0.05], strict=True):
            self.assertAlmostEqual(found, expected, delta=1e-12)

    def test_an_interval_that_is_no_multiple_is_said(self):
        _, err = self.pluvia("run", "-q", "fall.cfg", "-s", "output.interval=0.0104")
        self.assertIn("pluvia: warning: output.interval", err)

    def test_rest_ends_the_run(self):
        resting = ENDLESS.replace("0.05]", "0.01]").replace("end = 1e6", "end = 1e6; until_rest = 1e-6")
        self.write("rest.cfg", resting)
        out, _ = self.pluvia("run", "rest.cfg")
        self.assertIn("at rest", out)
        info = self.info("output/rest.h5md")
        self.assertEqual(info["state"], "complete")
        # At rest from the start, seen for the time of a fall through one diameter, 0.064 s.
        self.assertAlmostEqual(info["end"], (2 * 0.02 / 9.81) ** 0.5, delta=2e-3)

    def test_not_converged_can_be_an_error(self):
        self.write("rich.cfg", RICH)
        hard = ["-s", "solver.tolerance=1e-15", "-s", "solver.min_iterations=1", "-s",
                "solver.max_iterations=1"]
        out, _ = self.pluvia("run", "rich.cfg", "-o", "warn.h5md", *hard)
        self.assertRegex(out, r"not converged +[1-9]")
        _, err = self.pluvia("run", "rich.cfg", "-o", "stop.h5md", *hard, "-s",
                             'solver.on_failure="stop"', code=4)
        self.assertTrue(err.startswith("pluvia: "), err)
        info = self.info("stop.h5md")
        self.assertEqual(info["state"], "failed")
        self.assertGreaterEqual(info["frames"], 2)

    def test_the_real_rate_of_a_pluviation(self):
        """One sphere at a time fits into the footprint: it has to fall by its diameter, 64 ms, before
        the next one comes."""
        self.write("rain.cfg", "time: { step = 1e-3; end = 1.0; };\ngravity = [0, 0, -9.81];\n" + LAWS + FLOOR +
                   "feeders = ( { pluviation: { count = 100; rate = %s; height = 20.0; footprint: "
                   '{ square = 1e-6; }; }; material = "grain"; radius = 0.01; } );\n')
        scene = (self.folder / "rain.cfg").read_text()
        for rate, said in [(200, "not 200"), (10, "as set")]:
            self.write("rain.cfg", scene % rate)
            out, _ = self.pluvia("run", "rain.cfg", "--force")
            line = re.search(r"feeder 1 +(\d+) of 100 spheres at (\S+) per second, (not 200 as set: (\d+) were late|"
                             r"as set)",
                             out)
            released, real = int(line[1]), float(line[2])
            self.assertTrue(line[3].startswith(said), line[0])
            if rate == 10:
                self.assertAlmostEqual(real, 10, delta=0.1)
            else:  # sqrt(2 d / g) = 63.9 ms apart, in whole steps of 1 ms
                self.assertAlmostEqual(real, 1 / 0.064, delta=0.3)
                self.assertEqual(int(line[4]), 99)  # all are due by then, and wait behind one another
                self.assertIn("height or footprint", out)
            with h5py.File(self.folder / "output/rain.h5md") as f:
                state = f["particles/trajectory/state/value"][-1]
            self.assertEqual((state != 0).sum(), released)

    @numbers_only
    def test_what_a_footprint_lets_through(self):
        """What `check` names as the limit is about what comes, though places are drawn beforehand and the next ones wait in order."""
        for square, speed in (0.1, 1), (0.02, 0):
            self.write("rain.cfg", 'time: { step = "auto"; end = 0.5; };\n' + LAWS + 'feeders = ( { pluviation: { count = 20000; rate = 2e4; '
                       f"height = 0.5; footprint: {{ square = {square}; }}; }}; velocity = [0, 0, -{speed}]; "
                       'material = "grain"; radius = 0.005; } );\n')
            limit = float(re.search(r"its area allows only about (\S+) at", self.pluvia("check", "rain.cfg")[1])[1])
            real = float(re.search(r"feeder 1 .* at (\S+) per second, not", self.pluvia("run", "rain.cfg", "--force")[0])[1])
            self.assertAlmostEqual(limit / real, 1, delta=0.3)

    def test_spins_that_nothing_brakes(self):
        """A contact without friction bears no moment: what spins on it is at rest all the same, what slips where there is friction is not."""
        for friction, rests in (0, True), (0.01, False):
            self.write("spin.cfg", "time: { step = 1e-3; end = 0.3; until_rest = 1e-4; };\n" + LAWS + FLOOR +
                       'bodies = ( { position = [0, 0, 0.05]; radius = 0.05; material = "grain"; angular_velocity = [10, 0, 0]; } );\n')
            out = self.pluvia("run", "spin.cfg", "--force", "-s", f"contacts.*.friction={friction}", "-s", "contacts.*.rolling_friction=0")[0]
            self.assertEqual("complete (at rest)" in out, rests, out)

    @numbers_only
    def test_streams_and_what_their_area_lets_through(self):
        """Below the limit that `check` names the mass flow is the one that is asked for, to a sphere; above
        it comes about that limit, and the rest is owed."""
        self.write("stream.cfg", "time: { step = 5e-4; end = 0.15; };\ngravity = [0, 0, 0];\n" + LAWS +
                   "feeders = ( { inlet: { mass_flow = %g; mass = 20.0; area: { disc: { center = [0, 0, 1]; "
                   "normal = [1, 0, 2]; radius = 0.04; }; }; }; velocity = [0, 0, -1];\n"
                   'material = "grain"; radius: { sieves = [[0.006, 0], [0.008, 0.4], [0.012, 1]]; }; } );\n')
        scene = (self.folder / "stream.cfg").read_text()
        self.write("stream.cfg", scene % 100.0)
        err = self.pluvia("check", "stream.cfg")[1]
        limit = float(re.search(r"feeders\[0\] is set to 100 kg/s, but its area allows only about (\S+) at", err)[1])
        for share in [0.4, 3.0]:
            asked = share * limit
            self.write("stream.cfg", scene % asked)
            self.assertEqual("allows only about" in self.pluvia("check", "stream.cfg")[1], share > 1)
            out, _ = self.pluvia("run", "stream.cfg", "--force")
            line = re.search(r"feeder 1 +(\d+) of (\d+) spheres, (\S+) kg at (\S+) kg/s, (as set|not \S+ as set: "
                             r"(\d+) were late, and (\S+) kg)", out)
            mass, flow = float(line[3]), float(line[4])
            largest = 1300 * math.pi / 6 * 0.012**3
            if share < 1:  # what is due in 0.15 s, but for the last sphere
                self.assertEqual(line[5], "as set")
                self.assertAlmostEqual(flow, asked, delta=0.01 * asked)
                self.assertAlmostEqual(mass, 0.15 * asked, delta=largest + 1e-3 * asked)
            else:
                self.assertAlmostEqual(flow / limit, 1.0, delta=0.2)
                self.assertAlmostEqual(mass + float(line[7]), 0.15 * asked, delta=0.01 * asked)

    def test_a_stream_has_the_grading_of_its_sieves(self):
        """The shipped scene, shorter; each sphere is one N-th of the curve, so that 370 of them have it well."""
        self.pluvia("run", "-q", ROOT / "scenes/gravel.cfg", "-o", "gravel.h5md", "-s", "feeders.0.inlet.mass=1",
                    "-s", "time.end=0.25")
        out = subprocess.run(["/usr/bin/python3", ROOT / "tools/sieves.py", "gravel.h5md"], cwd=self.folder,
                             capture_output=True, text=True, check=True).stdout
        self.assertRegex(out, r"spheres, (1|1\.00\d|0\.99\d+) kg")
        passing = [float(word) for word in re.search(r"^all +(.*)", out, re.MULTILINE)[1].split()]
        for found, wanted in zip(passing, [0.0, 0.25, 0.6, 0.9, 1.0]):
            self.assertAlmostEqual(found, wanted, delta=0.01)

    def test_the_summary_names_what_stopped_the_solver(self):
        """Its criterion and tolerance, and the error that belongs to it; no residual of 1, which says
        nothing."""
        self.write("rich.cfg", RICH)
        for criterion, tolerance, label in [("velocity", 0.1, "velocity error    at most "),
                                            ("weight", 0.01, "worst residual    "),
                                            ("scaled", 0.01, "worst residual    "),
                                            ("natural-map", 1, "worst residual    ")]:
            out, _ = self.pluvia("run", "rich.cfg", "--force", "-s", f'solver.criterion="{criterion}"',
                                 "-s", f"solver.tolerance={tolerance}")
            self.assertRegex(out, f'sweeps +[0-9.]+ a step until "{criterion}" is at most {tolerance:g}, ')
            self.assertRegex(out, r"not converged +0 of")
            error = float(out.split("\n" + label)[1].split()[0])
            self.assertLessEqual(error, tolerance)
            self.assertNotIn("1.00e+00", out)

    @numbers_only
    def test_deep_beds_without_impulses(self):
        """A deep bed that begins without impulses is warned of where none are found for it beforehand."""
        other = ["-s", 'solver.criterion="weight"']
        falls = ["-s", "bodies.0.velocity=[0, 0, -1]"]
        for side, layers, words, warned in ((10, 10, other, False), (4, 40, [], False), (4, 40, other, True),
                                            (20, 42, [], False), (20, 42, falls, False)):
            self.write("cold.cfg", "time: { step = 1e-3; end = 2e-3; };\n"
                       + LAWS + FLOOR
                       + f"bodies = ( {{ lattice: {{ counts = [{side}, {side}, {layers}]; spacing = 0.02; "
                       "origin = [0, 0, 0.01]; }; radius = 0.01; material = \"grain\"; } );\n")
            out = self.pluvia("run", "cold.cfg", "-o", "cold.h5md", "--force", *words)[0]
            self.assertEqual("but no impulses: a bed of more than 30 layers" in out, warned)

    @numbers_only
    def test_created_energy_is_a_share_of_what_is_named(self):
        """A lattice that begins at rest turns nothing over; what falls does."""
        self.write("bed.cfg", "time: { step = 1e-3; end = 0.1; };\ngravity = [0, 0, -9.81];\n" + LAWS +
                   'boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.2, 0.2, 1]; }; material = "plate"; } );\n'
                   "bodies = ( { lattice: { counts = [10, 10, 20]; spacing = 0.02; origin = [0.01, 0.01, 0.01]; };\n"
                   'material = "grain"; radius = 0.01; } );\n')
        share = r"energy created +\S+ J by contacts in \d+ steps?, \S+ % of "
        self.assertRegex(self.pluvia("run", "bed.cfg")[0], share + "the energy that lifts all spheres by 1 % of their radii\n")
        self.write("box.cfg", BOX)
        self.assertRegex(self.pluvia("run", "box.cfg")[0], share + "the dissipated and remaining kinetic energy\n")

    @numbers_only
    def test_impacts_that_lose_what_no_law_takes(self):
        """A ball that hops in a bowl, at steps of half its radius and more; not where they are shorter, or where a law takes some."""
        self.write("bowl.cfg", 'time: { step = 0.016; end = 3.2; };\nmaterials = ( { name = "g"; density = 2500; } );\n'
                   'contacts = ( { between = ["g", "g"]; friction = 0; restitution = 1; } );\n'
                   'boundaries = ( { sphere: { center = [0, 0, 0.1]; radius = 0.1; inside = true; }; material = "g"; } );\n'
                   'bodies = ( { position = [0.05, 0, 0.1]; velocity = [0, 0.3, 0]; radius = 0.01; material = "g"; } );\n')
        took = "impacts took "
        out = self.pluvia("run", "bowl.cfg", "-o", "a.h5md")[0]
        self.assertRegex(out, took + r"\S+ J, \d\d % of the dissipated and remaining kinetic energy,\n +although restitution is 1: take a "
                         "smaller time.step\n")
        for word in "time.step=4e-3", "contacts.*.restitution=0.9":
            self.assertNotIn(took, self.pluvia("run", "bowl.cfg", "-o", "a.h5md", "--force", "-s", word)[0])

    @numbers_only
    def test_what_the_length_of_the_step_does_to_energy(self):
        """A ball that falls for a time T by theta = 1 loses the share h / T of its energy; by theta = 1/2 none, and nothing is said."""
        self.write("fall.cfg", "time: { step = 0.01; end = 0.1; theta = 1.0; };\ngravity = [0, 0, -9.81];\n"
                   'materials = ( { name = "g"; density = 2500; } );\n'
                   'contacts = ( { between = ["g", "g"]; friction = 0; restitution = 0; } );\n'
                   'bodies = ( { position = [0, 0, 1]; radius = 0.01; material = "g"; } );\n')
        out = self.pluvia("run", "fall.cfg", "-o", "a.h5md")[0]
        self.assertRegex(out, r"  the time step   took 0\.0005 J, -10 %; with contacts 0\.0005 J lost in all\n")
        self.assertRegex(out, r"the time step took 0\.0005 J, 10 % of the dissipated and remaining kinetic energy:\n +take time.theta = 0.5, or")
        for word in "time.theta=0.5", "time.step=1e-3":
            self.assertNotIn("the time step", self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--force", "-s", word)[0])

    def test_a_plane_that_rocks_is_no_hollow(self):
        """What turns is curved in time only: balls do not swing along it."""
        self.write("rocks.cfg", "time: { step = 4e-3; end = 0.2; };\ngravity = [0, 0, -9.81];\n" + LAWS +
                   'boundaries = ( { plane: {}; material = "plate"; '
                   "motion: { axis = [0, 1, 0]; rocking: { amplitude = 0.3; frequency = 4.0; }; }; } );\n"
                   'bodies = ( { position = [0.01, 0, 0.01]; radius = 0.01; material = "grain"; } );\n')
        out, err = self.pluvia("run", "rocks.cfg")
        self.assertNotIn("swings by", out + err)

    def test_the_summary_fits_one_screen(self):
        self.write("rich.cfg", RICH)
        out, _ = self.pluvia("run", "rich.cfg")
        lines = out.splitlines()
        self.assertLessEqual(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 110)
        for text in ["by phase", "contact updates/s", "velocity error", "sinking speed", "boundaries carry", "not converged", "interpenetration",
                     "energy balance", "27 active", "pile "]:
            self.assertIn(text, out)
        self.assertRegex(out, r"state hash +[0-9a-f]{16}\n")


class ForeignReaders(Case):
    def test_h5py_mdanalysis_and_the_sidecar(self):
        self.write("rich.cfg", RICH)
        self.pluvia("run", "rich.cfg", "-s", 'output.quantities=["velocity", "angular_velocity", "orientation", "force", "torque", '
                    '"stress", "dissipation", "coordination"]')
        reader = subprocess.run([sys.executable, ROOT / "tests/cli/readers.py",
                                 self.folder / "output/rich.h5md"],
                                capture_output=True, text=True, check=False)
        self.assertEqual(reader.returncode, 0, reader.stdout + reader.stderr)

    def test_the_sidecar_is_smaller_than_the_trajectory(self):
        """Of a sphere at rest, whose frames are the smallest there are, each frame for itself."""
        self.write("rest.cfg", SPHERE_AT_REST)
        for quantities in ['["position"]', '["velocity", "angular_velocity", "orientation", "force"]']:
            sizes = []
            for end in "0.1", "0.6":
                self.pluvia("run", "rest.cfg", "-o", "r.h5md", "--force", "-q", "--until", end, "-s",
                            f"output.quantities={quantities}", "-s", "output.precision=float32", "-s", "output.compression=9")
                sizes.append([(self.folder / f"r.{kind}").stat().st_size for kind in ("h5md", "xdmf")])
            self.assertLess(sizes[0][1], sizes[0][0])
            self.assertLess(sizes[1][1] - sizes[0][1], sizes[1][0] - sizes[0][0], quantities)

    def test_names_that_xml_reserves(self):
        """In the name of the file, also where it is repeated in each frame because it is long."""
        self.write("rich.cfg", RICH)
        for name in ["a%&<\"'>", "b&" + "x" * 100, "&" * 210]:
            self.pluvia("run", "rich.cfg", "-o", f"{name}.h5md")
            reader = subprocess.run([sys.executable, ROOT / "tests/cli/readers.py", self.folder / f"{name}.h5md"],
                                    capture_output=True, text=True, check=False)
            self.assertEqual(reader.returncode, 0, reader.stdout + reader.stderr)


class OlderLayouts(Case):
    """Files that older programs wrote (tests/data/layouts) are read by every command; runs do not go on with them."""

    def setUp(self):
        super().setUp()
        self.names = []
        for path in sorted((ROOT / "tests/data/layouts").glob("*.gz")):
            self.names.append(path.name[:-3])
            (self.folder / path.name[:-3]).write_bytes(gzip.decompress(path.read_bytes()))
        self.assertEqual(self.names, ["layout1.h5md", "layout2.h5md"])
        self.write("scene.cfg", (ROOT / "tests/data/layouts/scene.cfg").read_text())

    def test_all_read_them(self):
        for name in self.names:
            info = self.info(name)
            self.assertEqual((info["schema"], info["frames"], info["bodies"]), (int(name[6]), 5, 5))
            with h5py.File(self.folder / name) as file:
                group = file["particles/trajectory"]
                active = group["state/value"][-1] == 1
                position, velocity = (group[f"{of}/value"][-1][active] for of in ("position", "velocity"))
            out = self.pluvia("export", name, "--to", "csv", "--at", "0.2", "--columns", "x,y,z,vx,vy,vz", "-o", "-")[0]
            table = numpy.array([line.split(",") for line in out.split()[1:]], float)
            self.assertLess(abs(table - numpy.hstack([position, velocity])).max(), 1e-9)
            measured = json.loads(self.pluvia("measure", name, "--json")[0])["frame"]
            self.assertEqual((measured["run"]["active"], measured["run"]["removed"]), (4, 1))
            self.pluvia("export", name, "--to", "problem", "-o", "p.hdf5", "--force")
            self.assertEqual(self.info("p.hdf5")["contacts"], 3)
            self.pluvia("render", name, "-o", "p.png", "--size", "64x48")

    def test_starts_and_restarts(self):
        for name in self.names:
            self.write("next.cfg", re.sub(r"(?s)bodies = .*?\);\n(?=feeders)", f'bodies = ( {{ run: {{ path = "{name}"; }}; }} );\n',
                                          (self.folder / "scene.cfg").read_text()))
            self.pluvia("run", "-q", "next.cfg", "-o", "next.h5md", "--force", "--until", "0.01")
            before = (self.folder / name).read_bytes()
            _, err = self.pluvia("run", "-q", "scene.cfg", "-o", name, "--restart", "auto", "--until", "0.3", code=3)
            self.assertIn(f"{name} was written by pluvia 0.1.0, and pluvia", err)
            self.assertIn("start a new run from it (bodies.run)", err)
            self.assertNotIn("another scene", err)
            self.assertEqual((self.folder / name).read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
