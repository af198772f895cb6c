"""A result never destroys what it should not: every command that writes a file, every kind of target."""
import os
import pathlib
import resource
import shutil
import stat
import subprocess
import threading
import unittest

from command import FALL, PARTS, PATIENCE, Case, in_turn

HEAP = FALL.replace("position = [0, 0, 0.05];", "position = [0, 0, 0.01];")


class Writing(Case):
    def prepare(self):
        self.write("a.cfg", HEAP)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "-s", "output.contacts=true")
        self.pluvia("export", "a.h5md", "--to", "problem", "-o", "p.hdf5")

    # Each with the ending of its file, and whether it replaces an older one of its kind unasked.
    WRITERS = [(["export", "a.h5md", "--to", "csv"], "csv", True),
               (["export", "a.h5md", "--to", "povray"], "pov", False),
               (["export", "a.h5md", "--to", "xdmf"], "xdmf", False),
               (["export", "a.h5md", "--to", "vtk", "--at", "0"], "vtp", False),
               (["export", "a.h5md", "--to", "problem"], "hdf5", False),
               (["export", "a.h5md", "--to", "contacts"], "csv", True),
               (["measure", "a.h5md", "--every"], "csv", True),
               (["measure", "a.h5md", "--field", "grains"], "csv", True),
               (["measure", "a.h5md", "--from", "0", "--csv"], "csv", True),
               (["fields", "a.h5md"], "csv", True),
               (["measure", "a.h5md", "--field", "radial"], "csv", True),
               *[(["render", "a.h5md", "--size", "64x48"], "png", True)] * ("render" in PARTS),
               (["solve", "p.hdf5"], "hdf5", False),
               (["solve", "p.hdf5", "--history"], "csv", True)]

    def words(self, writer, target):
        return [*writer, *([] if writer[-1] == "--history" else ["-o"]), target]

    def everything(self):
        return {name: (self.folder / name).read_bytes() for name in self.files()}

    def test_what_is_no_file_is_written_through(self):
        for number, (writer, ending, _) in enumerate(self.WRITERS):
            plain = self.folder / f"plain{number}.{ending}"
            self.pluvia(*self.words(writer, plain.name))
            want = len(plain.read_bytes())
            self.assertGreater(want, 30, writer)
            fifo = self.folder / "fifo"
            os.mkfifo(fifo)
            got = []
            reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
            reader.start()
            self.pluvia(*self.words(writer, "fifo"))
            reader.join(PATIENCE)
            self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode), writer)
            fifo.unlink()
            if "--history" not in writer and "xdmf" not in writer:  # times, and where the data lie
                self.assertEqual(len(got[0]), want, writer)
            screen = subprocess.run([os.environ["PLUVIA"], *self.words(writer, "-")], cwd=self.folder,
                                    capture_output=True, timeout=PATIENCE)
            self.assertEqual(screen.returncode, 0, screen.stderr)
            self.assertEqual(screen.stdout[:8], plain.read_bytes()[:8], writer)
            self.assertFalse((self.folder / "-").exists())

    def test_a_device_stays_one(self):
        device = self.folder / "null"
        try:
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            device.write_text("x")
        except PermissionError:
            self.skipTest("may not make a device")
        for writer, _, _ in self.WRITERS:
            self.pluvia(*self.words(writer, "null"))
            self.pluvia(*self.words(writer, "null"), "--force")
            self.assertTrue(stat.S_ISCHR(device.stat().st_mode), writer)
        os.symlink("null", self.folder / "b.h5md")
        err = self.pluvia("run", "a.cfg", "-q", "-o", "b.h5md", "--force", code=5)[1]
        self.assertIn("must end in NAME.h5md", err)
        device.rename(self.folder / "c.h5md")
        err = self.pluvia("run", "a.cfg", "-q", "-o", "c.h5md", "--force", code=5)[1]
        self.assertIn("not a regular file", err)
        self.assertTrue(stat.S_ISCHR((self.folder / "c.h5md").stat().st_mode))

    def test_the_input_stays(self):
        os.link(self.folder / "a.h5md", self.folder / "other.csv")
        os.link(self.folder / "p.hdf5", self.folder / "p.csv")
        os.symlink("a.h5md", self.folder / "link.png")
        before = self.everything()
        for writer, _, _ in self.WRITERS:
            for target in [writer[1], "p.csv" if writer[0] == "solve" else "other.csv"] + (
                    ["link.png"] if writer[0] == "render" else []):
                for force in [], ["--force"]:
                    words = [*self.words(writer, target), *force]
                    # a picture must have the name of one
                    err = self.pluvia(*words, code=2)[1]
                    if writer[0] != "render" or target == "link.png":
                        self.assertIn("which this command reads", err, words)
        self.assertEqual(self.everything(), before)
        self.write("s.xdmf", HEAP)
        err = self.pluvia("run", "s.xdmf", "-o", "s.h5md", "--force", code=2)[1]
        self.assertIn("s.xdmf is the input, which this command reads", err)
        self.assertEqual((self.folder / "s.xdmf").read_text(), HEAP)
        spheres = "x,y,z,radius\n0,0,0.05,0.01\n"
        for name in ["t.xdmf", "t.checkpoint.h5", "t.checkpoint_prev.h5", "t.h5md", "t.h5md.part", "t.h5md.lock"]:
            self.write(name, spheres)
            os.link(self.folder / name, self.folder / "other name")
            self.write("t.cfg", HEAP.split("bodies =")[0] +
                       'bodies = ( { file: { path = "other name"; }; material = "grain"; } );')
            err = self.pluvia("run", "t.cfg", "-o", "t.h5md", "--force", code=2)[1]
            self.assertIn(f"{name} is other name, which this command reads", err)
            self.assertEqual((self.folder / name).read_text(), spheres)
            for gone in [name, "other name"]:
                (self.folder / gone).unlink()
        err = self.pluvia("solve", "p.hdf5", "-o", "x", "--history", "x", code=2)[1]
        self.assertIn("name the same file", err)

    def test_tables(self):
        """A table of pluvia goes unasked for any other, that of somebody else is kept."""
        self.pluvia("run", "a.cfg", "-q", "-o", "c.h5md", "-s", "output.contacts=true")
        fields = [["measure", "c.h5md", "--field", name] for name in ["height", "radial", "vertical", "packing", "forces"]]
        tables = [["export", "a.h5md", "--to", "csv"], ["export", "a.h5md", "--to", "csv", "--columns", "x,y,z,id"],
                  ["measure", "c.h5md", "--every"], ["measure", "a.h5md", "--columns", "run.time"], *fields,
                  ["solve", "p.hdf5", "--history"]]
        for number, writer in enumerate(tables):
            self.pluvia(*self.words(writer, f"table{number}.csv"))
            for ending in ["csv", "txt"]:
                self.write(f"t.{ending}", (self.folder / f"table{number}.csv").read_text())
                self.pluvia(*self.words(tables[(number + 1) % len(tables)], f"t.{ending}"))
        spheres, motion = "x,y,z,radius\n0,0,0.05,0.01\n", "t,z\n0,0\n"
        texts = [spheres, motion, "time,x,y,z,radius,vx\n", "0.1,0.2\n1.1,2.3\n", "notes\n", '{"a": 1}\n', "case,mu\n",
                 "id,z,mine\n", "# id,x\nid,x\n", "from,to\n", "x_m,y_m\n", "run.time,.b\n", "run.time,b.\n", "\n"]
        for number, text in enumerate(texts):
            self.write("own.csv", text)
            for writer in in_turn(tables[:3] + tables[-1:], number):
                err = self.pluvia(*self.words(writer, "own.csv"), code=5)[1]
                self.assertIn("own.csv exists, and does not begin as a table of pluvia; use --force", err)
                self.assertEqual((self.folder / "own.csv").read_text(), text)
        self.pluvia(*self.words(tables[0], "own.csv"), "--force")

    def test_inputs_of_the_run(self):
        """What the scene in a trajectory names is an input of whoever reads it, wherever that is."""
        scenes = self.folder / "scenes"
        scenes.mkdir()
        text = HEAP.split("bodies =")[0].replace('material = "plate"; }', 'material = "plate"; motion = { table = "m.csv"; }; }') + \
            'bodies = ( { file: { path = "s.csv"; }; material = "grain"; } );'
        inputs = {"s.csv": "x,y,z,radius\n0,0,0.05,0.01\n", "m.csv": "t,z\n0,0\n0.05,0\n"}
        for name, content in {**inputs, "s.cfg": text}.items():
            (scenes / name).write_text(content)
        self.pluvia("run", "scenes/s.cfg", "-q", "-o", "output/s.h5md")
        shutil.copy(self.folder / "output/s.h5md", scenes / "copy.h5md")
        os.symlink("scenes/s.csv", self.folder / "link.csv")
        for name, content in inputs.items():
            for place, trajectory, target in [(".", "output/s.h5md", f"scenes/{name}"), (".", "output/s.h5md", "link.csv"),
                                              ("output", "s.h5md", f"../scenes/{name}"), ("scenes", "copy.h5md", name),
                                              ("output", "../scenes/copy.h5md", f"../scenes/{name}")]:
                for writer in ["export", trajectory, "--to", "csv"], ["measure", trajectory, "--every"]:
                    done = subprocess.run([os.environ["PLUVIA"], *writer, "-o", target, "--force"], text=True,
                                          cwd=self.folder / place, capture_output=True, timeout=PATIENCE)
                    with self.subTest(place=place, target=target, writer=writer):
                        self.assertEqual(done.returncode, 2, done.stderr)
                        self.assertIn(f"{target.replace('link.csv', 'scenes/s.csv')} is an input of the scene of {trajectory}, so nothing", done.stderr)
        for name, content in inputs.items():
            self.assertEqual((scenes / name).read_text(), content)
        self.write("other.csv", inputs["s.csv"])
        self.pluvia("export", "output/s.h5md", "--to", "csv", "-o", "other.csv", "--force")

    def test_no_trajectory_scene_or_problem_is_replaced(self):
        self.pluvia("run", "a.cfg", "-q", "-o", "b.h5md")
        self.write("s.cfg", HEAP)
        self.write("text.dat", "3\n1\n")
        shutil.copy(self.folder / "p.hdf5", self.folder / "q.csv")  # by what is in it
        before = self.everything()
        for writer, _, _ in self.WRITERS:
            spared = ["b.h5md", "b.checkpoint.h5", "s.cfg"]
            if "hdf5" not in writer[-1] and "problem" not in writer:
                spared += ["text.dat", "q.csv"]
            for target in spared:
                err = self.pluvia(*self.words(writer, target), "--force",
                                  code=2 if writer[0] == "render" else 5)[1]
                if writer[0] != "render":
                    self.assertIn("never replaces", err)
        self.assertEqual(self.everything(), before)

    def test_kinds_are_told_by_content(self):
        """Whatever it is called: a scene, a part or a draft of one, a campaign, a trajectory, a problem, a table in HDF5."""
        self.write("c.cfg", 'scene = "a.cfg"; axes = ( { seeds = 1; } );')
        self.pluvia("sweep", "c.cfg", "-o", "c")
        texts = {"scene": HEAP, "draft": "# mine\ntime:\n{ step = 1e-3\n", "part": '@include "heap.inc"\n',
                 "campaign": (self.folder / "c.cfg").read_text(), "problem": "3\n 1\n0\n"}
        kinds = {**{name: (text.encode(), "contact problem" if name == "problem" else "scene")
                    for name, text in texts.items()},
                 "trajectory": ((self.folder / "a.h5md").read_bytes(), "trajectory"),
                 "checkpoint": ((self.folder / "a.checkpoint.h5").read_bytes(), "checkpoint"),
                 "problem in HDF5": ((self.folder / "p.hdf5").read_bytes(), "contact problem"),
                 "table in HDF5": ((self.folder / "c/table.h5").read_bytes(), "table of a campaign")}
        writers = [writer for writer, _, _ in self.WRITERS if writer[0] != "render"]
        for number, (name, (content, kind)) in enumerate(kinds.items()):
            for ending in ["txt", "h5", "csv", "json"]:
                target = self.folder / f"kept.{ending}"
                target.write_bytes(content)
                for writer in in_turn(writers[:6], number) if ending == "txt" else writers[4:5]:
                    problems = "problem" in writer or writer == ["solve", "p.hdf5"]
                    if problems and kind == "contact problem":
                        continue
                    with self.subTest(name=name, ending=ending, writer=writer):
                        err = self.pluvia(*self.words(writer, target.name), "--force", code=5)[1]
                        self.assertIn(f"is a {kind}, which this command never replaces", err)
                        self.assertEqual(target.read_bytes(), content)
            for place in ["r.h5md", "r.xdmf", "r.checkpoint.h5"]:
                own = {"r.h5md": "trajectory", "r.checkpoint.h5": "checkpoint"}.get(place)
                if kind == own:
                    continue
                (self.folder / place).write_bytes(content)
                err = self.pluvia("run", "a.cfg", "-q", "-o", "r.h5md", "--force", code=5)[1]
                self.assertIn(f"{place} is a {kind}, which no run replaces", err)
                self.assertEqual((self.folder / place).read_bytes(), content)
                (self.folder / place).unlink()
        self.pluvia("solve", "p.hdf5", "-o", "q.h5")
        self.pluvia("solve", "p.hdf5", "-o", "q.h5", "--force")  # of its own kind
        self.write("notes.txt", "time: 0.3 s\nseed = 1\ncontacts are few\n")
        self.pluvia("measure", "a.h5md", "--every", "-o", "notes.txt", "--force")  # no scene

    def test_without_standard_streams(self):
        """As a daemon may start it: nothing that is printed gets into a file."""
        self.write("long.cfg", HEAP.replace("end = 0.05", "end = 0.5"))
        command = '"$PLUVIA" run long.cfg -o n.h5md --progress bar <&- >&- 2>&-'
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, timeout=PATIENCE)
        self.assertEqual(done.returncode, 5)  # the summary has nowhere to go
        self.pluvia("info", "--verify", "n.h5md")
        self.assertTrue((self.folder / "n.xdmf").read_text().startswith("<?xml"))

    def test_a_limit_on_the_size_of_files(self):
        """One sentence, as of a full disk, and nothing half written stays."""
        before = self.files()
        for writer, ending, _ in self.WRITERS:
            words = [os.environ["PLUVIA"], *self.words(writer, f"limit.{ending}")]
            done = subprocess.run(words, cwd=self.folder, text=True, capture_output=True, timeout=PATIENCE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30, 30)))
            with self.subTest(writer=writer):
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertRegex(done.stderr, "pluvia: [^\n]*(limit|sidecar)[^\n]*: [^\n]+\n$")
                self.assertEqual(self.files(), before)

    def test_a_pipe_is_no_checkpoint(self):
        os.mkfifo(self.folder / "fifo")
        err = self.pluvia("info", "--verify", "fifo", code=3)[1]
        self.assertIn("not a regular file", err)

    def test_problems_of_an_earlier_run_stay(self):
        dump = ["run", "a.cfg", "-q", "-o", "d.h5md", "-s", "output.dump_problems=every", "-s", "output.dump_every=10"]
        self.pluvia(*dump)
        kept = [name for name in self.files() if name.startswith("d.problems/")]
        self.assertTrue(kept)
        (self.folder / "d.h5md").unlink()
        for name in "d.xdmf", "d.checkpoint.h5":
            (self.folder / name).unlink()
        (self.folder / kept[0]).rename(self.folder / "d.problems/step-precious.hdf5")
        err = self.pluvia(*dump, code=5)[1]
        self.assertIn("d.problems contains problems of an earlier run", err)
        self.assertIn("d.problems/step-precious.hdf5", self.files())
        self.assertNotIn("d.h5md", self.files())
        self.pluvia(*dump, "--force")
        self.assertNotIn("d.problems/step-precious.hdf5", self.files())

    def test_force(self):
        for number, (writer, ending, unasked) in enumerate(self.WRITERS):
            for name in f"old{number}.{ending}", f"old{number}.notes":
                if writer[0] == "render" and ending not in name:
                    continue
                free = writer[0] == "render" and not name.endswith("notes")
                self.write(name, "precious")
                out = self.words(writer, name)
                err = self.pluvia(*out, code=0 if free else 5)[1] if not name.endswith("vtp.notes") else ""
                if not free:
                    self.assertRegex(err, f"{name} exists(, and does not begin as a table of pluvia)?; use --force")
                    self.assertEqual((self.folder / name).read_text(), "precious")
                    if ("vtk" in writer or "fields" in writer) and name.endswith("notes"):
                        continue
                    self.pluvia(*out, "--force")
                self.assertNotEqual((self.folder / name).read_bytes(), b"precious")
                if unasked and not name.endswith("notes"):
                    self.pluvia(*out)
        self.assertFalse([name for name in self.files() if name.endswith(".part")])

    def test_a_link_is_followed(self):
        (self.folder / "far").mkdir()
        for number, (writer, ending, _) in enumerate(self.WRITERS):
            link, there = self.folder / f"link{number}.{ending}", f"far/file{number}.{ending}"
            os.symlink(there, link)
            self.pluvia(*self.words(writer, link.name))
            self.assertTrue(link.is_symlink() and (self.folder / there).is_file(), writer)
            self.pluvia(*self.words(writer, link.name), "--force")
            self.assertTrue(link.is_symlink() and (self.folder / there).is_file(), writer)
        os.symlink("far/run.h5md", self.folder / "run.h5md")
        self.pluvia("run", "a.cfg", "-q", "-o", "run.h5md")
        self.pluvia("run", "a.cfg", "-q", "-o", "run.h5md", "--force")
        self.pluvia("run", "a.cfg", "-q", "-o", "run.h5md", "--restart", "auto", "--until", "0.06")
        self.assertTrue((self.folder / "run.h5md").is_symlink())
        self.assertEqual(self.info("far/run.h5md")["frames"], 7)
        os.symlink("round.csv", self.folder / "round.csv")
        self.assertIn("symbolic links", self.pluvia("export", "a.h5md", "--to", "csv", "-o", "round.csv", code=5)[1])

    def test_two_at_once(self):
        """Each writes a file of its own: the last one to end wins, with a whole file; nobody's part is removed."""
        for writer, ending, _ in self.WRITERS:
            name = f"twice.{ending}"
            self.write(f"{name}.part", "precious")
            both = [self.start(*self.words(writer, name), *([] if ending in ("csv", "png") else ["--force"]))
                    for _ in range(3)]
            for process in both:
                _, err = process.communicate(timeout=PATIENCE)
                self.assertIn(process.returncode, (0, 5) if "solve" in writer else (0,), (writer, err))
            self.pluvia(*self.words(writer, f"once.{ending}"), "--force")
            sizes = [(self.folder / f"{n}.{ending}").stat().st_size for n in ("once", "twice")]
            if "--history" not in writer and "xdmf" not in writer:  # times, and names of files
                self.assertEqual(sizes[0], sizes[1], writer)
            self.assertEqual((self.folder / f"{name}.part").read_text(), "precious")

    def test_nothing_half_written(self):
        for writer, ending, _ in self.WRITERS:
            if writer[0] == "render":
                continue
            name = f"half.{ending}"
            self.write(name, "precious")
            process = self.start(*self.words(writer, name), "--force", preexec_fn=limit_files)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 5, writer)
            self.assertEqual((self.folder / name).read_text(), "precious", writer)
            self.assertEqual([n for n in self.files() if n.endswith(".part")], [], writer)


def limit_files():
    import resource
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))


if __name__ == "__main__":
    unittest.main()
