"""Messages that name the cause: numbers that are hardly meant, runs that do not come to rest, words of other programs,
files that a run is writing."""
import fcntl
import re
import unittest

from command import FALL, FLOOR, LAWS, ROOT, Case


class Hints(Case):
    def said(self, scene, *words):
        self.write("a.cfg", scene)
        return self.pluvia("check", "a.cfg", *words)[1]

    def test_lengths_that_are_coefficients(self):
        """A rolling friction of more than three radii of the largest sphere, here of 10 mm; not where a run goes on."""
        self.assertEqual(self.said(FALL), "")
        for key in "rolling_friction", "pivoting_friction":
            said = self.said(FALL, "-s", f"contacts.*.{key}=0.1")
            self.assertIn(f"contacts[0].{key} = 0.1 m is 10 times the radius of the largest sphere (0.01 m): it is a length; "
                          "where a coefficient of 0.1 is meant, it is 0.001 m", said)
            self.assertEqual(said.count("warning"), 2)
            self.assertEqual(self.said(FALL, "-s", f"contacts.*.{key}=0.03"), "")
        err = self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "-s", "contacts.*.rolling_friction=0.1")[1]
        self.assertIn("it is a length", err)
        self.assertNotIn("it is a length", self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--restart", "auto",
                                                       "-s", "contacts.*.rolling_friction=0.1", "-s", "time.end=0.06")[1])

    def test_numbers_in_other_units(self):
        """Degrees, g/cm^3 and mm; not numbers that grains have."""
        self.assertIn("where 30 degrees are meant, it is 0.577; where percent, 0.3", self.said(FALL, "-s", "contacts.*.friction=30"))
        self.assertEqual(self.said(FALL, "-s", "contacts.*.friction=2"), "")
        self.assertIn("density = 2.5 kg/m^3 is lighter than foam: where g/cm^3 are meant, it is 2500",
                      self.said(FALL, "-s", "materials.*.density=2.5"))
        self.assertEqual(self.said(FALL, "-s", "materials.*.density=20"), "")
        self.assertIn("radius of 5 m: where mm are meant, it is 0.005", self.said(FALL, "-s", "bodies.*.radius=5", "-s", "bodies.*.position=[0,0,6]"))

    def test_sizes_in_other_units(self):
        """A mesh that is smaller than a sphere, and a region that is; not those that fit."""
        mesh = FALL.replace("boundaries = (", 'boundaries = ( { mesh: { file = "%s"; scale = %s; }; material = "plate"; name = "funnel"; },')
        shape = ROOT / "tests/data/bits/tetra.obj"
        self.assertIn('boundary "funnel": its mesh is 0.003 m across, less than the radius of the largest sphere (0.01 m): look at mesh.scale',
                      self.said(mesh % (shape, "1e-3")))
        self.assertNotIn("mesh.scale", self.said(mesh % (shape, "1e-2")))
        box = 'bodies = ( { packing: { count = 5; box = [[0, 0, 0], [0.1, 0.1, 0.1]]; }; material = "grain"; radius = 4.5; } );\n'
        self.write("wide.cfg", FALL[:FALL.index("bodies")] + box)
        self.assertIn("too narrow for a sphere of radius 4.5 m; make it larger or the sphere smaller (where mm are meant, 0.001 times)",
                      self.pluvia("check", "wide.cfg", code=3)[1])

    def test_sensors_that_never_count_and_empty_domains(self):
        sensor = 'sensors = ( { name = "s"; plane: {}; %s } );\n'
        for words, said in [("radii = [1.0, 2.0];", 'sensors[0] "s" never counts: no sphere of the run has its radii'),
                            ('material = "other";', "has its material\n")]:
            self.assertIn(said, self.said(FALL.replace("materials = (", 'materials = ( { name = "other"; density = 2500.0; }, ') + sensor % words))
        self.assertEqual(self.said(FALL + sensor % "radii = [0.009, 0.011];"), "")
        self.assertIn("warning: no sphere is in the domain at the start (active: 1): the first step removes all", self.said(FALL + "domain: { box = [[5, 5, 5], [6, 6, 6]]; };\n"))
        self.assertEqual(self.said(FALL + "domain: { box = [[-6, -6, -6], [6, 6, 6]]; };\n"), "")

    def test_regions_that_a_boundary_takes(self):
        """A normal that points into the bodies; not a region that is merely too small."""
        bodies = 'bodies = ( { packing: { count = %d; box = [[-0.1, -0.1, 0], [0.1, 0.1, 0.1]]; }; material = "grain"; radius = 0.01; } );\n'
        for floor, count, said in [(FLOOR.replace("normal = [0, 0, 1]", "normal = [0, 0, -1]"), 5,
                                    "all of its region is in boundary \"plane-1\"; move the region, or turn the boundary"), (FLOOR, 900, "found room for")]:
            self.write("a.cfg", "time: { step = 1e-3; end = 0.1; };\n" + LAWS + floor + bodies % count)
            self.assertIn(said, self.pluvia("check", "a.cfg", code=3)[1])

    def test_info_of_other_files(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        self.assertIn("a.checkpoint.h5 is a checkpoint, of step 50", self.pluvia("info", "a.checkpoint.h5", code=3)[1])
        self.assertEqual(self.pluvia("export", "a.h5md", "--to", "contacts", "-o", "-", code=3)[0], "")
        self.assertIn('a.cfg is a scene; "pluvia check a.cfg"', self.pluvia("info", "a.cfg", code=3)[1])

    def test_gravity_that_points_up(self):
        self.assertIn("gravity = [0, 0, 9.81] points up", self.said(FALL, "-s", "gravity=[0,0,9.81]"))
        self.assertEqual(self.said(FALL, "-s", "gravity=[0,0,0]"), "")

    def test_what_does_not_come_to_rest(self):
        """A sphere that rolls for ever is named, and the key that would stop it; not where it stops, nor unasked."""
        bodies = ('bodies = ( { position = [0.2, 0, 0.01]; material = "grain"; radius = 0.01; },\n'
                  '           { position = [0, 0, 0.01]; velocity = [0.3, 0, 0]; material = "grain"; radius = 0.01; } );\n')
        self.write("a.cfg", "time: { step = 1e-3; end = 1.5; until_rest = 1e-4; };\n" + LAWS + FLOOR +
                   bodies.replace("[0.2, 0", "[-0.2, 0"))
        free = ["-s", "contacts.*.rolling_friction=0"]
        out = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--progress", "none", *free)[0]
        self.assertRegex(out, r"not at rest +most lively is sphere 1: 0\.21\d* m/s, and 21\.\d rad/s about a level axis; where "
                         r"contacts\.rolling_friction is 0, nothing stops spheres that roll or spin\n")
        for words in ["-s", "contacts.*.rolling_friction=2e-3"], [*free, "-s", "time.until_rest=0"]:
            out = self.pluvia("run", "a.cfg", "-o", "b.h5md", "--force", "--progress", "none", *words)[0]
            self.assertNotIn("not at rest", out)

    def test_words_of_other_programs(self):
        for word, said in (("drag", "there is no fluid"), ("clump", "bodies are spheres"), ("stl", "mesh"), ("obj", "mesh"),
                           ("mpi", "--threads"), ("MPI", "--slurm"), ("young", "penalty"), ("dt", "time")):
            out, err = self.pluvia("help", word)
            self.assertIn(said, out, word)
            self.assertEqual(err, "")
        self.assertIn("has no key", self.pluvia("help", "nonsense", code=2)[1])

    def test_lines_of_help(self):
        """Long help stands in lines of a terminal; a group and its key say alike when the key is required."""
        lines = self.pluvia("help", "time.step")[0].splitlines()
        self.assertGreater(len(lines), 2)
        self.assertTrue(all(len(line) <= 96 and line.startswith("    ") for line in lines[1:]), lines)
        need = "required unless there is file, run or mixture"
        self.assertIn(need, self.pluvia("help", "bodies.radius")[0])
        self.assertRegex(self.pluvia("help", "bodies")[0], rf"(?m)^  radius  .*; {need}$")

    def test_a_key_of_the_scene_in_a_group(self):
        """Its own name is no advice: the group's keys are."""
        self.write("a.cfg", FALL.replace("interval = 0.01;", "interval = 0.01; time = 1.0;"))
        self.assertRegex(self.pluvia("check", "a.cfg", code=3)[1],
                         r'unknown key "time" in output; it is a key of the scene itself; known keys: .*\binterval ')

    def test_a_key_without_a_name(self):
        """It is none of the words that campaigns have; sanitizers saw their list left behind."""
        self.write("a.cfg", FALL)
        self.assertIn('unknown key ""; known keys: title', self.pluvia("check", "a.cfg", "-s", "[=1", code=3)[1])

    def test_one_of_many(self):
        """The plural of a word is nearer than a word that is somewhere else."""
        for word, meant in (("boundary", "boundaries"), ("body", "bodies"), ("sensor", "sensors"), ("material", "materials")):
            self.write("b.cfg", f"{word} = ( );\n" + FALL)
            self.assertIn(f'b.cfg:1: unknown key "{word}"; did you mean "{meant}"?\n', self.pluvia("check", "b.cfg", code=3)[1])
            self.assertTrue(self.pluvia("help", word)[0].startswith(meant + " = ("), word)

    def test_a_campaign_is_no_scene(self):
        for key in "keep", "scene", "axes", "targets", "measures", "where", "set", "threads":
            self.assertIn(f'unknown key "{key}": it is a key of campaigns', self.said_of(f"{key} = ( );\n" + FALL))
        text = '\nscene = "a.cfg";\naxes = ( { seeds = 2; } );\nkeep = "last";\n'
        self.assertEqual(self.said_of(text), 'pluvia: b.cfg:2: this is a campaign, not a scene (keys scene, axes, keep): use "pluvia sweep"\n')
        self.assertIn('"pluvia sweep" or "pluvia calibrate"', self.said_of(text + "targets = ( );"))

    def said_of(self, text):
        self.write("b.cfg", text)
        return self.pluvia("run", "b.cfg", code=3)[1]

    def test_columns_and_stages_that_are_not_there(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        for column, meant in ("energy.translatio", "energy.translation"), ("energy.imp", "energy.impact"), ("rattlers", "contacts.rattlers"):
            for words in [], ["--csv", "--from", "0"]:
                self.assertIn(f'did you mean "{meant}"?', self.pluvia("measure", "a.h5md", "--columns", column, *words, code=2)[1])
        self.assertNotIn("did you mean", self.pluvia("measure", "a.h5md", "--columns", "xyz", code=2)[1])
        self.assertIn("option --stage: the run has no stages\n", self.pluvia("measure", "a.h5md", "--stage", "0", code=2)[1])

    def test_what_is_proposed_can_be_written(self):
        """Groups that an advice on an unknown key writes down."""
        for key, name in ("rotation = 1.0;", "motion"), ("stress = 1e4;", "servo"):
            said = self.pluvia("check", self.write("b.cfg", FALL.replace("boundaries = ( {", "boundaries = ( { " + key)), code=3)[1]
            proposed = re.findall(r"\{ [^{}]*; \}", said)
            self.assertEqual(len(proposed), 2, said)
            for group in proposed:
                self.write("b.cfg", FALL.replace("boundaries = ( {", f"boundaries = ( {{ {name}: {group};".replace("stress", "area = 1.0; stress")))
                self.pluvia("check", "b.cfg")

    def test_a_step_in_which_all_meet_all(self):
        """check makes no trial steps of 3 s, which would take minutes: the rules that need none say what is wrong."""
        self.write("c.cfg", LAWS + """
time: { step = 3.0; end = 600.0; };
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.5, 0.5, 1]; }; material = "plate"; },
               { cylinder: { center = [0.05, 0.25, 0.5]; axis = [1, 0, 0]; radius = 0.24; height = 0.4; }; material = "plate";
                 motion: { rate = 5.0; axis = [0, 1, 0]; }; } );
bodies = ( { lattice: { counts = [12, 12, 12]; spacing = 0.022; origin = [0.12, 0.12, 0.36]; jitter = 8e-4; }; radius = 0.01;
             material = "grain"; } );
""")
        said = self.pluvia("check", "c.cfg")[1]
        self.assertIn("time.step = 3 s may let impacts overlap", said)
        self.assertIn("turns by 15 rad", said)

    def test_a_file_that_a_run_is_writing(self):
        """What does not fit together in it may do so a moment later; what nobody writes is cut off."""
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        whole = (self.folder / "a.h5md").read_bytes()
        (self.folder / "a.h5md").write_bytes(whole[:len(whole) // 2])
        before = self.files()
        self.assertIn("cut off", self.pluvia("info", "a.h5md", code=3)[1])
        with open(self.folder / "a.h5md.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for command in ("info",), ("measure",), ("export", "--to", "csv", "-o", "t.csv"):
                said = self.pluvia(command[0], "a.h5md", *command[1:], code=5)[1]
                self.assertRegex(said, r"a\.h5md: a run is writing it, and .*; try again\n")
        self.assertIn("cut off", self.pluvia("info", "a.h5md", code=3)[1])  # the lock is nobody's
        (self.folder / "a.h5md.lock").unlink()
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
