"""Files of others: they do not make the command read other files, crash or call a shell."""
import os
import shutil
import subprocess
import unittest

import h5py
import numpy

from command import FALL, PATIENCE, PLUVIA, ROOT, Case

SECRET = "password = hunter2;\n"
READERS = [["measure", "FILE"], ["export", "FILE", "--to", "povray", "-o", "a.pov"],
           ["export", "FILE", "--to", "problem", "-o", "a.hdf5"], ["render", "FILE", "-o", "a.png"]]


class Foreign(Case):
    def prepare(self):
        self.write("a.cfg", FALL)
        self.write("secret.cfg", SECRET)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")

    def copy(self, name="b.h5md"):
        shutil.copy(self.folder / "a.h5md", self.folder / name)
        return h5py.File(self.folder / name, "r+")

    def change_scene(self, change):
        """b.h5md: a.h5md with another scene in it."""
        with self.copy() as file:
            group = file["parameters/pluvia"]
            text = change(group["scene_resolved"][()].decode()).encode()
            del group["scene_resolved"]
            group["scene_resolved"] = numpy.array(text, dtype=f"S{len(text)}")
        self.reseal("b.h5md")

    def said_by(self, words, code):
        out, err = self.pluvia(*[w.replace("FILE", "b.h5md") for w in words], code=code)
        for text in [out, err]:
            self.assertNotIn("hunter2", text)
            self.assertNotIn("/tmp/", text)
        return err

    def test_a_stored_scene_includes_nothing(self):
        include = f'@include "{self.folder}/secret.cfg"'
        for line in [include, "  \t" + include, include + " // odd", f'# "\n{include}']:
            self.change_scene(lambda text: f"{text}\n{line}\n")
            for words in READERS:
                with self.subTest(line=line, command=words):
                    err = self.said_by(words, 0 if words[0] == "render" else 3)
                    self.assertRegex(err, r"b\.h5md: scene:\d+: damaged: a stored scene cannot contain an include")

    def test_a_run_that_goes_on_includes_nothing(self):
        self.change_scene(lambda text: f'{text}\n@include "{self.folder}/secret.cfg"\n')
        with h5py.File(self.folder / "b.h5md", "r+") as file:
            file["parameters/pluvia"].attrs["state"] = numpy.bytes_("running")
        err = self.said_by(["run", "a.cfg", "-o", "FILE", "--restart", "auto"], 3)
        self.assertIn("damaged: it contains an include", err)

    def test_messages_name_the_trajectory(self):
        self.change_scene(lambda text: text.replace("step = 0.001", "step = -1.0"))
        for words in READERS[:3]:
            with self.subTest(command=words):
                self.assertRegex(self.said_by(words, 3), r"b\.h5md: scene:\d+: time\.step")

    def test_files_of_bodies_are_not_read(self):
        self.write("spheres.csv", "x,y,z,radius\n0,0,0.05,0.01\n")
        scene = FALL.replace("position = [0, 0, 0.05];", f'file: {{ path = "{self.folder}/spheres.csv"; }};')
        self.write("file.cfg", scene.replace(" radius = 0.01;", ""))
        self.pluvia("run", "file.cfg", "-q", "-o", "b.h5md")
        (self.folder / "spheres.csv").unlink()
        for words in READERS[:2]:
            self.said_by(words, 0)
        self.assertIn("no contact problem at", self.said_by(READERS[2], 3))  # it falls

    def test_links_and_data_in_other_files(self):
        with h5py.File(self.folder / "secret.h5", "w") as file:
            file["scene"] = numpy.array(SECRET.encode(), dtype="S20")
        for kind in ["link", "data"]:
            with self.copy() as file:
                group = file["parameters/pluvia"]
                del group["scene"]
                if kind == "link":
                    group["scene"] = h5py.ExternalLink(str(self.folder / "secret.h5"), "/scene")
                else:
                    how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                    how.set_external(str(self.folder / "secret.cfg").encode(), 0, 19)
                    text = h5py.h5t.C_S1.copy()
                    text.set_size(19)
                    h5py.h5d.create(group.id, b"scene", text, h5py.h5s.create_simple((1,), (1,)), how)
            self.reseal("b.h5md")
            with self.subTest(kind):
                self.said_by(["info", "--scene", "FILE"], 3)


class Crash(Case):
    """HDF5 crashes while it reads; support/crash.c says where. The command has it as a shared library there."""

    def prepare(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--until", "0.03")
        shutil.copy(ROOT / "tests/data/problems/sphere_on_plane-nc-1.hdf5", self.folder / "bad.hdf5")
        shutil.copy(self.folder / "bad.hdf5", self.folder / "good.hdf5")

    def crash(self, file, words, at=1, by="segv"):
        env = dict(os.environ, LD_PRELOAD=os.environ["CRASH_LIBRARY"], CRASH=by, CRASH_AT=str(at),
                   CRASH_FILE=file)
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        done = subprocess.run([os.environ["CRASHING"], *words], cwd=self.folder, env=env, text=True, capture_output=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr, f"pluvia: {file}: damaged: the HDF5 library crashes when it reads this file\n")
        return done.stdout

    def test_problems(self):
        for words in [["solve"], ["info"], ["info", "--verify"]]:
            for at, by in [(1, "segv"), (3, "abort")]:
                with self.subTest(command=words, at=at, by=by):
                    self.crash("bad.hdf5", [*words, "bad.hdf5"], at=at, by=by)

    def test_other_problems_are_solved(self):
        out = self.crash("bad.hdf5", ["solve", "good.hdf5", "bad.hdf5", "good.hdf5"])
        self.assertEqual(out.count("good.hdf5"), 2)

    def test_trajectories(self):
        others = [["info", "FILE"], ["info", "--verify", "FILE"], ["info", "--scene", "FILE"],
                  ["measure", "FILE", "--every"], ["measure", "FILE", "--field", "velocity"],
                  ["compare", "FILE", "FILE"],
                  *(["export", "FILE", "--to", to, "-o", "b." + to] for to in ["csv", "vtk", "xdmf"])]
        for words in READERS + others:
            with self.subTest(command=words):
                words = ["a.h5md" if w == "FILE" else w for w in words]
                self.crash("a.h5md", words)
        self.crash("a.h5md", ["measure", "a.h5md"], at=30)  # in the middle of it

    def test_restart(self):
        go_on = ["run", "a.cfg", "-q", "-o", "a.h5md", "--restart", "auto"]
        for file in ["a.h5md", "a.checkpoint.h5"]:
            for at in [1, 4]:
                with self.subTest(file=file, at=at):
                    self.crash(file, go_on, at=at)
        self.pluvia(*go_on)

    def test_other_crashes_are_what_they_were(self):
        process = self.start("run", "a.cfg", "-q", "-o", "b.h5md", "--until", "1e6")
        process.send_signal(11)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertNotIn(process.returncode, [0, 3])  # -11, or what a sanitizer makes of it
        self.assertNotIn("damaged", err)


class Shell(Case):
    def test_no_name_is_a_command(self):
        """The path of the program, of the campaign and of the folder for the trial."""
        name = "it's $(touch owned) `touch owned`"
        for folder in [name, f"trials {name}"]:
            (self.folder / folder).mkdir()
        shutil.copy(PLUVIA, self.folder / name / "pluvia")
        self.write(f"{name}/fall.cfg", FALL)
        self.write(f"{name}/c.cfg", """scene = "fall.cfg"; axes = ( { seeds = 2; } ); threads = 1;
            set = ["time.end=1e5", "output.interval=1e4", "output.checkpoint_wall_interval=0.2",
                   "output.dump_problems=every", "output.dump_every=1000"];""")
        env = dict(os.environ, TMPDIR=str(self.folder / f"trials {name}"))
        done = subprocess.run([self.folder / name / "pluvia", "sweep", f"{name}/c.cfg", "--dry-run"],
                              cwd=self.folder, env=env, text=True, capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"from a trial of the first [0-9.]+ % of the first case")
        self.assertEqual([p for p in self.files() if "owned" in p.rsplit("/", 1)[-1]], [])
        self.assertEqual(list((self.folder / f"trials {name}").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
