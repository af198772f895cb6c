"""Arguments, help and what is said about wrong ones."""
import json
import re
import unittest

from command import BOX, FALL, PARTS, PATIENCE, ROOT, Case, numbers_only, shipped


class Usage(Case):
    def refused(self, words, *said):
        out, err = self.pluvia(*words, code=2)
        self.assertEqual(out, "")
        for text in said:
            self.assertIn(text, err)
        return err

    def test_no_arguments_show_the_help_on_stderr(self):
        self.refused([], "Commands", "run SCENE")

    def test_unknown_command_names_the_nearest(self):
        self.refused(["rum"], "pluvia: ", '"rum"', '"run"')
        self.refused(["chekc"], '"check"')
        err = self.refused(["xyzzyxyzzy"], "pluvia help")
        self.assertNotIn("did you mean", err)

    def test_unknown_option_names_the_nearest(self):
        self.refused(["run", "a.cfg", "--ouput=x"], "--ouput", "--output")
        self.refused(["check", "--default", "a.cfg"], "--defaults")
        self.refused(["run", "a.cfg", "-z"], "-z")
        self.refused(["--versoin"], "--version")

    def test_operands_are_counted(self):
        self.refused(["run"], "SCENE")
        self.refused(["check"], "SCENE")
        self.refused(["info"], "FILE")
        self.refused(["run", "a.cfg", "b.cfg"], "b.cfg")

    def test_values_are_checked(self):
        self.refused(["run", "a.cfg", "-o"], "-o", "FILE.h5md")
        self.refused(["run", "a.cfg", "-o", "x.hdf5"], ".h5md")
        self.refused(["run", "a.cfg", "-o", ".h5md"], ".h5md")
        self.refused(["run", "a.cfg", "-o", "output/.h5md"], ".h5md")
        for threads in ["0", "-1", "two", "2.5", "", "99999999999999999999"]:
            self.refused(["run", "a.cfg", "-j", threads], "--threads")
        for until in ["0", "-1", "nan", "inf", "1s", ""]:
            self.refused(["run", "a.cfg", "--until", until], "--until")
        self.refused(["run", "a.cfg", "--progress=loud"], "loud", "plain")
        self.refused(["run", "a.cfg", "--force=yes"], "--force")

    def test_version(self):
        text = self.pluvia("--version")[0]
        self.assertRegex(text, r"^pluvia \d+\.\d+\.\d+\n")
        version = re.match(r"pluvia (.*)", text)[1]
        self.assertIn(f"version: {version}\n", (ROOT / "CITATION.cff").read_text())
        self.assertIn(f"version: '{version}'", (ROOT / "meson.build").read_text())

    def test_libraries_and_their_licenses(self):
        rows = re.findall(r"^  (\w+) +(\d+\.\d+\.\d+) +(.+)$", self.pluvia("--version")[0], re.MULTILINE)
        licenses = {name.lower(): license for name, _, license in rows}
        build = (ROOT / "meson.build").read_text()
        linked = set(re.findall(r"(?:dependency|find_library)\('(\w+)'", build)) - {"openmp", "m", "threads"} - ({"libpng"} - set(licenses))
        self.assertEqual(set(licenses), linked)
        self.assertFalse(any("GPL" in re.sub("LGPL", "", l) for l in licenses.values()), licenses)
        page = (ROOT / "README.md").read_text()
        for name, license in licenses.items():
            self.assertRegex(page.lower(), rf"\| {name} \| [^|]*\| {re.escape(license.lower())} \|")

    def test_parts_of_the_build(self):
        """--version lists them; who asks for one that is not there is told which, and how to get it."""
        text = self.pluvia("--version")[0]
        there = re.search(r"^with: (.*)$", text, re.MULTILINE)[1].split(", ")
        lacks = re.search(r"^without: (.*)$", text, re.MULTILINE)[1].split(", ")
        self.assertEqual([part for part in there if part in PARTS], PARTS)
        options = set(re.findall(r"^option\('(\w+)', type: 'feature'", (ROOT / "meson_options.txt").read_text(), re.MULTILINE))
        self.assertEqual(set(there + lacks) - {"nothing"}, options - {"tests", "python", "static_hdf5"})
        self.write("a.cfg", FALL)
        names = self.pluvia("solvers")[0]
        for name in ["newton-glocker", "convex", "ipm", "apgd", "admm"]:
            self.assertEqual(f"\n  {name} " in names, "portfolio" in there)
        if "portfolio" in lacks:
            for key in "name", "fallback":
                _, err = self.pluvia("run", "a.cfg", "-o", "b.h5md", "-s", f'solver.{key}="ipm"', code=3)
                self.assertIn(f'solver.{key}: this build has no solver "ipm"; to use it, configure the build with '
                              "-Dportfolio=enabled", err)
            for name in ["newton-glocker", "convex", "ipm", "apgd", "admm"]:
                _, err = self.pluvia("solve", ROOT / "tests/data/problems/pyramid-nc-112.hdf5", "--solver", name, code=2)
                self.assertIn(f'this build has no solver "{name}"', err)
        if "render" in lacks:
            self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
            _, err = self.pluvia("render", "a.h5md", "-o", "a.png", code=2)
            self.assertIn("this build has no pictures; to draw them, configure it with -Drender=enabled", err)
            self.assertFalse((self.folder / "a.png").exists())

    def test_help_names_scenes_that_exist(self):
        found = set()
        for command in ["run", "sweep", "calibrate", "check", "info", "measure", "render", "export", "solve"]:
            found |= set(re.findall(r"scenes/[\w/]+\.cfg", self.pluvia("help", command)[0]))
        self.assertGreater(len(found), 3)
        self.assertEqual([path for path in found if not (ROOT / path).is_file()], [])

    def test_a_missing_file_has_one_exit_code(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        for words in ["run X.cfg", "check X.cfg", "sweep X.cfg", "calibrate X.cfg", "info X.h5md", "info X.dat",
                      "info --verify X.h5md", "info --verify X.dat", "compare X.h5md a.h5md",
                      "compare a.h5md X.h5md", "measure X.h5md", "render X.h5md -o a.png", "solve X.dat",
                      "render a.h5md --scene X.cfg -o a.png", "export X.h5md --to csv -o a.csv",
                      "run a.cfg -o b.h5md --restart X.h5"]:
            with self.subTest(words):
                self.assertRegex(self.pluvia(*words.split(), code=5)[1], r"^pluvia: .*X\.[^\n]*\n$")

    def test_help_of_every_command(self):
        overview, err = self.pluvia("help")
        self.assertEqual(err, "")
        self.assertEqual(overview, self.pluvia("--help")[0])
        for command in ["run", "check", "info", "compare", "solve", "measure", "export", "solvers", "help"]:
            self.assertIn(f"\n  {command}", overview)
            page = self.pluvia("help", command)[0]
            self.assertEqual(page, self.pluvia(command, "--help")[0])
            self.assertEqual(page, self.pluvia(command, "-h")[0])
            # Examples come first, and one of them is the command itself.
            self.assertLess(page.index("Examples"), page.index("Usage"))
            self.assertIn(f"pluvia {command}", page[page.index("Examples"):page.index("Usage")])

    def test_help_has_all_words_of_a_choice(self):
        self.assertIn("  --field height|radial|vertical|packing|forces|grains|residence\n", self.pluvia("help", "measure")[0])
        self.assertIn("  --to xdmf|vtk|csv|contacts|xyz|lammps|povray|problem|siconos\n", self.pluvia("help", "export")[0])

    def test_help_explains_the_keys_of_a_scene(self):
        page = self.pluvia("help", "time.step")[0]
        self.assertIn("time.step", page)
        self.assertIn("s", page)
        self.assertIn("time", self.pluvia("help", "scene")[0])
        self.refused(["help", "time.stpe"], "time.step")
        self.refused(["help", "chek"], "check")

    def test_solvers(self):
        out = self.pluvia("solvers")[0]
        for name in ["gs", "exact", "projection"]:
            self.assertRegex(out, rf"\n +{name} ")

    def test_options_may_stand_anywhere(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "-o", "a.h5md", "a.cfg", "--until=0.01", "-j1", "--progress", "none")
        self.pluvia("run", "--until", "0.01", "-qob.h5md", "--", "a.cfg")
        self.assertEqual(self.info("a.h5md")["end"], 0.01)
        self.assertEqual(self.info("b.h5md")["end"], 0.01)


class Check(Case):
    def test_one_line_a_scene(self):
        self.write("a.cfg", FALL)
        out, err = self.pluvia("check", "a.cfg", "a.cfg")
        self.assertEqual(err, "")
        lines = out.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith("a.cfg: ok: 1 body, 1 boundary, 50 steps"), lines[0])
        self.assertEqual(self.files(), ["a.cfg"])

    def test_a_step_is_proposed(self):
        """From the height of the fall (40 mm onto the floor: 0.886 m/s) and the radius; with that step
        impacts overlap as little as is said, with the refused one by more than 5 %."""
        self.write("a.cfg", FALL.replace("end = 0.05;", "end = 0.2; forecast = 0.5;"))
        self.assertNotIn("time.step", self.pluvia("check", "a.cfg", "-s", "time.step=2e-4")[0])
        out, err = self.pluvia("check", "a.cfg")
        self.assertIn("0.886 m/s after a fall and move by 4.4 % of a diameter", out)
        self.assertIn("; with 0.0002 s impacts", out)
        self.assertEqual(err, "")
        out, err = self.pluvia("check", "a.cfg", "-s", "time.step=1e-2")
        self.assertIn("warning: time.step = 0.01 s", err)
        self.assertIn("take 0.0002 s", err)
        for step, deep in [("2e-4", False), ("1e-2", True)]:
            out, err = self.pluvia("run", "a.cfg", "--force", "-s", "time.step=" + step)
            self.assertEqual("overlaps beyond 5 %" in out + err, deep)
            self.assertEqual("take time.step = " in out + err, deep)
            share = float(re.search(r"interpenetration .*, ([-.e0-9]+) % of", out + err)[1])
            self.assertGreater(share, 5) if deep else self.assertLess(share, 1.1)
        # What lands does not need it; nor do spheres that lie still.
        self.write("b.cfg", FALL.replace("end = 0.05", "end = 0.2"))
        self.assertNotIn("time.step", self.pluvia("check", "b.cfg")[0])
        self.write("c.cfg", FALL.replace("-9.81", "0"))
        self.assertNotIn("time.step", self.pluvia("check", "c.cfg", "-s", "time.step=1e-2")[0])

    @numbers_only
    def test_one_step_is_proposed(self):
        """What the summary proposes is what check does; who follows it is not asked for another."""
        self.write("box.cfg", BOX)
        for law, step in [("0.2", "1e-3"), ("0", "8e-3")]:
            bounce = "contacts.*.restitution=" + law
            out, err = self.pluvia("check", "box.cfg", "-s", bounce, "-s", "time.step=" + step)
            proposed = re.search(r"; take (.*) s$", err)[1]
            self.assertIn("with %s s impacts overlap" % proposed, out)
            out, err = self.pluvia("run", "box.cfg", "-s", bounce, "-s", "time.step=" + step, "--force")
            self.assertIn("take time.step = %s or less" % proposed, out)
            bounce = ["-s", bounce, "-s", "time.step=" + proposed]
            self.assertNotIn("time.step", "".join(self.pluvia("check", "box.cfg", *bounce)))
            out, err = self.pluvia("run", "box.cfg", "--force", *bounce)
            self.assertNotIn("overlaps beyond", out)

    def test_speeds_at_which_spheres_meet(self):
        """Two that come towards each other meet at the sum of their speeds; what lies on others does not
        fall, and what is above it falls onto it, not to the floor."""
        self.write("box.cfg", BOX)
        pair = "bodies=({position=[-0.1, 0, 0]; velocity=[2.0, 0, 0]; radius=0.005; material=\"g\";}," \
            "{position=[0.1, 0, 0]; velocity=[-1.0, 0, 0]; radius=0.005; material=\"g\";});"
        at = BOX.index("bodies")
        self.write("pair.cfg", BOX[:at].replace("boundaries", "gravity = [0, 0, 0];\n#") + pair)
        self.assertIn("can meet at 3 m/s and", self.pluvia("check", "pair.cfg")[0])
        bed = "{lattice: {counts=[4, 4, 20]; spacing=0.01; origin=[-0.015, -0.015, 0.005];};" \
            "radius=0.005; material=\"g\";}"
        self.write("bed.cfg", BOX[:at] + "bodies=(" + bed + ");")
        self.assertNotIn("time.step", "".join(self.pluvia("check", "bed.cfg")))
        one = "{position=[-0.015, -0.015, 0.25]; radius=0.005; material=\"g\";}"
        self.write("one.cfg", BOX[:at] + "bodies=(" + bed + "," + one + ");")
        self.assertIn("can meet at %.3g m/s after" % (2 * 9.81 * 0.045) ** 0.5,
                      self.pluvia("check", "one.cfg")[0])

    def test_motions_of_boundaries_that_a_step_is_long_for(self):
        """More than 0.02 of a period in a step, or 0.05 rad; a step that fits is said, and is not found long."""
        wall = "plate: { size = [0.1, 0.1]; }; material = \"g\"; name = \"%s\"; motion: { %s };"
        shakes = "vibration: { amplitude = [0, 0, %g]; frequency = %g; };"
        rocks = "rocking: { amplitude = %g; frequency = %g; };"
        at = BOX.index("boundaries")
        for name, motion, step, said in [
                ("shaken", shakes % (1e-3, 20.0), 1e-3, None), ("shaken", shakes % (1e-3, 21.0), 1e-3, "swings through 0.021"),
                ("still", shakes % (0, 60.0), 1e-3, None), ("rocked", rocks % (0.1, 30.0), 1e-3, "swings through 0.03"),
                ("rocked", rocks % (0.5, 19.0), 1e-3, "rad in a step"),
                ("turned", "rate = -49.0; axis = [1, 0, 0];", 1e-3, None),
                ("turned", "rate = -51.0; axis = [1, 0, 0];", 1e-3, "turns by 0.051 rad"),
                ("turned", "rate = 6.0; axis = [1, 0, 0];", 1e-2, "take 0.005 s"),
                ("moved", "velocity = [0, 0, 9];", 1e-3, None)]:
            self.write("wall.cfg", re.sub("step = [^;]*;", "step = %g;" % step, BOX[:at])
                       + "boundaries = ({" + wall % (name, motion) + "});")
            said_all = "".join(self.pluvia("check", "wall.cfg"))
            lines = [line for line in said_all.splitlines() if "is too long" in line]
            self.assertEqual(len(lines), said is not None, said_all)
            if not said:
                continue
            self.assertIn('boundary "%s"' % name, lines[0])
            self.assertIn(said, lines[0])
            take = re.search("take (.*) s$", lines[0]).group(1)
            self.assertNotIn("is too long", "".join(self.pluvia("check", "wall.cfg", "-s", "time.step=" + take)))

    def test_all_files_are_checked(self):
        self.write("bad.cfg", FALL.replace("gravity", "gravty"))
        self.write("good.cfg", FALL)
        out, err = self.pluvia("check", "bad.cfg", "good.cfg", code=3)
        self.assertIn("bad.cfg:", err)
        self.assertIn("good.cfg: ok", out)

    def test_defaults_are_a_scene_of_the_same_meaning(self):
        self.write("a.cfg", FALL)
        first = self.pluvia("check", "--defaults", "a.cfg", "-s", "time.end=0.04")[0]
        self.assertIn("theta", first)
        self.write("b.cfg", first)
        self.assertEqual(self.pluvia("check", "--defaults", "b.cfg")[0], first)
        self.assertIn("40 steps", self.pluvia("check", "b.cfg")[0])

    def test_the_scenes_that_are_shipped(self):
        scenes = [p for p in shipped(campaigns=False) if "run:" not in p.read_text()]  # runs: starts.py
        self.assertTrue(scenes)
        self.pluvia("check", *scenes)


class Info(Case):
    def prepare(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-s", "seed=7", "-j", 2)

    def test_json_is_one_object(self):
        out = self.pluvia("info", "output/a.h5md", "--json")[0]
        info = json.loads(out)
        self.assertEqual(info["state"], "complete")
        self.assertEqual(info["frames"], 6)
        self.assertEqual(info["bodies"], 1)
        self.assertEqual(info["seed"], 7)
        self.assertEqual(info["threads"], 2)
        self.assertEqual(info["step"], 1e-3)
        self.assertEqual(info["start"], 0)
        self.assertAlmostEqual(info["end"], 0.05, delta=1e-12)
        self.assertIn("position", info["quantities"])
        self.assertIn("kinetic_energy", info["last"])
        self.assertIn("a.cfg", info["command"])

    def test_text(self):
        out = self.pluvia("info", "output/a.h5md")[0]
        for text in ["complete", "6", "position", "kinetic_energy"]:
            self.assertIn(text, out)

    def test_the_scene_comes_back(self):
        self.assertEqual(self.pluvia("info", "--scene", "output/a.h5md")[0].strip(), FALL.strip())
        resolved = self.pluvia("info", "--resolved", "output/a.h5md")[0]
        self.assertEqual(resolved, self.pluvia("check", "--defaults", "a.cfg", "-s", "seed=7")[0])

    def test_files_that_are_none(self):
        self.write("text.h5md", "no HDF5")
        (self.folder / "half.h5md").write_bytes(
            (self.folder / "output/a.h5md").read_bytes()[:1000])
        for name, codes in [("text.h5md", {3}), ("half.h5md", {3}), ("none.h5md", {3, 5}),
                            ("output", {3, 5})]:
            for options in [[], ["--json"], ["--scene"]]:
                process = self.start("info", name, *options)
                out, err = process.communicate(timeout=PATIENCE)
                self.assertIn(process.returncode, codes, err)
                self.assertEqual(out, "")
                self.assertTrue(err.startswith("pluvia: ") and name in err, err)


if __name__ == "__main__":
    unittest.main()
