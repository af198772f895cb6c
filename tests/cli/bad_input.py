"""Each kind of bad input: one sentence with file:line, exit code 3, no file left behind."""
import itertools
import pathlib
import re
import struct
import subprocess
import unittest

from command import FALL, PATIENCE, PLUVIA, Case, in_turn

# name: (text in FALL, what stands there instead, what the message says); the line that the message
# must name is the one where the replaced text ends up.
REPLACED = {
    "syntax error": ("step = 1e-3;", "step = = 1e-3;", ["syntax"]),
    "unknown key": ("gravity", "gravty", ["gravty", "gravity"]),
    "unknown key in a group": ("step = 1e-3", "stepp = 1e-3; step = 1e-3", ["stepp", "step"]),
    "wrong type": ("step = 1e-3", 'step = "short"', ["step", "short"]),
    "list where a number is meant": ("radius = 0.01", "radius = [0.01, 0.02, 0.03]", ["radius"]),
    "number where a group is meant": ("output: { interval = 0.01; }", "output = 1", ["output"]),
    "NaN": ("step = 1e-3", "step = nan", ["nan"]),
    "infinity": ("step = 1e-3", "step = 1e999", ["1e999"]),
    "negative step": ("step = 1e-3", "step = -1e-3", ["step", "-0.001"]),
    "no step": ("step = 1e-3", "step = 0.0", ["step"]),
    "negative density": ("density = 1300.0", "density = -1300.0", ["density", "-1300"]),
    "no density": ("density = 1300.0", "density = 0", ["density"]),
    "negative radius": ("radius = 0.01", "radius = -0.01", ["radius", "-0.01"]),
    "negative friction": ("friction = 0.3", "friction = -0.3", ["friction", "-0.3"]),
    "negative rolling friction": ("rolling_friction = 1e-3", "rolling_friction = -1.0",
                                  ["rolling_friction", "-1"]),
    "restitution above 1": ("friction = 0.3", "restitution = 1.5; friction = 0.3",
                            ["restitution", "1.5"]),
    "negative restitution": ("friction = 0.3", "restitution = -0.1; friction = 0.3",
                             ["restitution", "-0.1"]),
    "theta below 1/2": ("step = 1e-3", "theta = 0.4; step = 1e-3", ["theta", "0.4", "0.5"]),
    "theta above 1": ("step = 1e-3", "theta = 1.1; step = 1e-3", ["theta", "1.1"]),
    "normal of no length": ("normal = [0, 0, 1]", "normal = [0, 0, 0]", ["normal"]),
    "law for an unknown material": ('between = ["grain", "plate"]', 'between = ["grain", "plat"]',
                                    ["plat"]),
    "body of an unknown material": ('material = "grain"', 'material = "gravel"', ["gravel"]),
    "integer too large": ("step = 1e-3", "step = 1e-3; }; seed = 99999999999999999999; x = {",
                          ["99999999999999999999"]),
    "missing include": ("gravity = [0.0, 0.0, -9.81];", '@include "nowhere.cfg"', ["nowhere.cfg"]),
    "duplicate key": ("gravity =", "gravity = [0.0, 0.0, 0.0]; gravity =", []),
}


class BadInput(Case):
    refused = itertools.count()

    def bad(self, scene, said, *options, code=3):
        """`run` and `check` both refuse the scene and say all of `said`, lines being prefixed."""
        before = self.files()
        for command in in_turn([["run", scene, *options], ["check", scene, *options]], next(self.refused)):
            with self.subTest(command=command[0]):
                out, err = self.pluvia(*command, code=code)
                self.assertEqual(out, "")
                for line in err.splitlines():
                    self.assertTrue(line.startswith("pluvia: "), err)
                for text in said:
                    self.assertIn(text, err)
                self.assertEqual(self.files(), before)
                self.assertFalse((self.folder / "output").exists())
        return err

    def replaced(self, old, new):
        """FALL with a replacement, and the number of the line in which it stands."""
        self.assertIn(old, FALL)
        return FALL.replace(old, new, 1), FALL[:FALL.index(old)].count("\n") + 1

    def test_what_a_scene_cannot_say(self):
        for name, (old, new, said) in REPLACED.items():
            with self.subTest(name):
                text, line = self.replaced(old, new)
                self.write("bad.cfg", text)
                err = self.bad("bad.cfg", [f"bad.cfg:{line}", *said])
                self.assertEqual(len(err.splitlines()), 1, err)

    def test_missing_file_and_folder(self):
        self.bad("nothing.cfg", ["nothing.cfg"], code=5)
        (self.folder / "folder.cfg").mkdir()
        self.bad("folder.cfg", ["folder.cfg", "director"])

    def test_law_given_twice(self):
        text, line = self.replaced('between = ["grain", "plate"]', 'between = ["grain", "grain"]')
        self.write("bad.cfg", text)
        self.bad("bad.cfg", [f"bad.cfg:{line}", "grain"])

    def test_no_law_for_a_pair_that_meets(self):
        law = FALL[FALL.index("             { between"):FALL.index(" );\n\nboundaries")]
        text = FALL.replace(",\n" + law, "")
        self.assertNotIn('"grain", "plate"', text)
        self.write("bad.cfg", text)
        self.bad("bad.cfg", ["grain", "plate"])

    def test_overlapping_spheres(self):
        body = '{ position = [0, 0, 0.05]; material = "grain"; radius = 0.01; }'
        self.assertIn(body, FALL)
        both = body + ",\n" + body.replace("0.05]", "0.065]")
        self.write("bad.cfg", FALL.replace(body, both))
        err = self.bad("bad.cfg", ["bad.cfg:", "overlap", "allow_overlap"])
        self.assertIn("0.005", err)  # by how much (m)
        self.pluvia("run", "bad.cfg", "-s", "allow_overlap=true")

    def test_unknown_solvers(self):
        self.write("bad.cfg", FALL + 'solver: { name = "gauss"; };')
        self.bad("bad.cfg", ["bad.cfg", "gauss", "pluvia solvers"])
        self.write("bad.cfg", FALL + 'solver: { local = "gauss"; };')
        self.bad("bad.cfg", ["bad.cfg", "gauss", "pluvia solvers"])

    def test_sphere_in_the_floor(self):
        text, line = self.replaced("0.05]", "0.005]")
        self.write("bad.cfg", text)
        self.bad("bad.cfg", [f"bad.cfg:{line}", "overlap"])

    def test_includes(self):
        self.write("self.cfg", '@include "self.cfg"\n' + FALL)
        self.bad("self.cfg", ["self.cfg:1"])
        self.write("one.cfg", '@include "two.cfg"\n' + FALL)
        self.write("two.cfg", '\n@include "one.cfg"\n')
        self.bad("one.cfg", ["two.cfg:2"])
        self.write("part.cfg", "\nstabilization = 1;\n")
        self.write("whole.cfg", '@include "part.cfg"\n' + FALL)
        self.bad("whole.cfg", ["part.cfg:2", "stabilization"])

    def test_files_of_bodies(self):
        text = FALL.replace("position = [0, 0, 0.05];", 'file: { path = "spheres.csv"; };')
        self.write("bad.cfg", text)
        self.bad("bad.cfg", ["spheres.csv"])
        for row in ["0,0,nan,0.01", "0,0,0.05,-0.01", "0,0,0.05", "0,0,0.05,x", "0,0,0.05,0.01,1"]:
            with self.subTest(row):
                self.write("spheres.csv", f"x,y,z,radius\n1,1,1,0.01\n{row}\n")
                self.bad("bad.cfg", ["spheres.csv:3"])
        self.write("spheres.csv", "x,y,z,radius\n0,0,0.05,0.01\n")
        self.pluvia("check", "bad.cfg")

    def test_overrides_are_validated_as_the_scene_is(self):
        self.write("good.cfg", FALL)
        for override, said in [("time.step=-1", "time.step"), ("time.stpe=1", '"step"'),
                               ("time.step=nan", "time.step"), ("time.step=", "time.step"),
                               ("time.step", "time.step"), ("contacts.7.friction=1", "contacts"),
                               ("materials.0.density=heavy", "density"), ("=1", "=1")]:
            with self.subTest(override):
                self.bad("good.cfg", [said, override], "-s", override)

    def test_all_errors_in_one_go(self):
        text = FALL.replace("gravity", "gravty").replace("step = 1e-3", "step = -1.0")
        text = text.replace("radius = 0.01", 'radius = "thin"')
        self.write("bad.cfg", text)
        err = self.bad("bad.cfg", ["gravty", "step", "radius"])
        self.assertEqual(len(err.splitlines()), 3, err)

    def test_files_that_are_no_text(self):
        for content in [b"", b"\0\0\0\0", bytes(range(256)) * 64, b"{" * 20000, b"a = (" * 5000]:
            with self.subTest(content[:8]):
                (self.folder / "bad.cfg").write_bytes(content)
                for command in ["run", "check"]:
                    done = subprocess.run([PLUVIA, command, "bad.cfg"], cwd=self.folder,
                                          capture_output=True, check=False, timeout=PATIENCE)
                    self.assertEqual(done.returncode, 3, done.stderr[-2000:])
                    self.assertTrue(done.stderr.startswith(b"pluvia: bad.cfg"), done.stderr[:200])
        self.assertEqual([pathlib.Path(f).name for f in self.files()], ["bad.cfg"])

    def test_ends_of_lines(self):
        """A line ends with a newline, a carriage return (old Macs) or both, also in tables."""
        text = "# a comment\n" + FALL.replace("position = [0, 0, 0.05];", 'file: { path = "spheres.csv"; };')
        table = "# a comment\nx,y,z,radius\n0,0,0.05,0.01\n"
        for end in ["\n", "\r", "\r\n"]:
            with self.subTest(end):
                (self.folder / "good.cfg").write_bytes(text.replace("\n", end).encode())
                (self.folder / "spheres.csv").write_bytes(table.replace("\n", end).encode())
                self.assertIn("1 body", self.pluvia("check", "good.cfg")[0])
                bad = text.replace("radius = 0.01", "radiuss = 0.01")
                line = bad[:bad.index("radiuss")].count("\n") + 1
                (self.folder / "bad.cfg").write_bytes(bad.replace("\n", end).encode())
                self.bad("bad.cfg", [f'bad.cfg:{line}: unknown key "radiuss"'])
                (self.folder / "spheres.csv").write_bytes((table + "0,0,1\n").replace("\n", end).encode())
                self.bad("good.cfg", ["spheres.csv:4: 3 fields"])

    def test_bytes_that_no_text_has(self):
        self.write("good.cfg", FALL)
        zero = FALL.encode().replace(b"gravity", b"gra\0vity")
        for content, said in [(zero, f"bad.cfg:{FALL[:FALL.index('gravity')].count(chr(10)) + 1}: the file contains a zero byte"),
                              (FALL.encode("utf-16"), "bad.cfg: the text is in UTF-16; save it as UTF-8"),
                              (b"\x89HDF\r\n\x1a\n" + bytes(99), "bad.cfg: this is an HDF5 file, not a scene")]:
            (self.folder / "bad.cfg").write_bytes(content)
            self.assertEqual(len(self.bad("bad.cfg", [said]).splitlines()), 1)
        text = FALL.replace("position = [0, 0, 0.05];", 'file: { path = "spheres.csv"; };')
        self.write("bad.cfg", text)
        (self.folder / "spheres.csv").write_bytes(b"x,y,z,radius\n0,0,0.05\0,0.01\n")
        self.bad("bad.cfg", ["spheres.csv:2: the file contains a zero byte"])

    def test_meshes(self):
        """Each file says what is wrong with it, at the line of the scene that names it."""
        head, triangle = bytes(80), struct.pack("<12fH", *[0.0] * 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
        text = "solid s\nfacet normal 0 0 1\nouter loop\n%sendloop\nendfacet\n"
        corners = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        for name, content, said in [
                ("none.stl", None, "no such file"),
                ("empty.stl", b"", "it is empty"),
                ("none.obj", b"# nothing\n", "it contains no triangles"),
                ("zero.stl", head + struct.pack("<I", 0), "it contains no triangles"),
                ("nan.stl", head + struct.pack("<I", 1) + struct.pack("<12fH", 0, 0, 1, *[float("nan")] * 9, 0),
                 "corner 1 is not a finite point"),
                ("cut.stl", head + struct.pack("<I", 2) + triangle, "need 184 bytes, and it has 134"),
                ("cut-text.stl", (text % corners).encode(), "the file was cut off"),
                ("two.stl", (text % "vertex 0 0 0\nvertex 1 0 0\n").encode() + b"endsolid", "does not have three corners"),
                ("word.stl", (text % "vertex 0 0 zero\n").encode(), "without three numbers"),
                ("thin.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of its triangles has an area"),
                ("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: a face names a corner that does not exist"),
                ("short.obj", b"v 0 0\n", "line 1: a corner needs three numbers"),
                ("line.obj", b"v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: a face needs three corners")]:
            if content is not None:
                (self.folder / name).write_bytes(content)
            self.write("bad.cfg", re.sub(r"plane: {[^}]*}", f'mesh: {{ file = "{name}"; }}', FALL))
            message = self.bad("bad.cfg", ["bad.cfg:", f"boundaries[0].mesh.file: {name}: ", said])
            self.assertEqual(len(message.splitlines()), 1)
        with open(self.folder / "huge.stl", "wb") as huge:
            huge.truncate(3 << 30)
        self.write("bad.cfg", re.sub(r"plane: {[^}]*}", 'mesh: { file = "huge.stl"; }', FALL))
        self.bad("bad.cfg", ["huge.stl has 3.22 GB; the limit for meshes is"])
        (self.folder / "huge.stl").unlink()
        (self.folder / "folder.stl").mkdir()
        self.write("bad.cfg", re.sub(r"plane: {[^}]*}", 'mesh: { file = "folder.stl"; }', FALL))
        self.bad("bad.cfg", ["folder.stl is not a file"])

    def test_cells(self):
        """Too narrow a cell (how wide it has to be), sides that differ, no direction."""
        cell = "cell: { size = [%s]; periodic = [%s]; shear_rate = %s; }; gravity"
        for size, along, rate, said in [
                ("1, 1, 1", '"x", "y"', "1.0", ["cell.shear_rate needs", "along x and z"]),
                ("1, 1, 1", '"x", "z"', "1.0", ["sheared or deformed cell cannot have boundaries"]),
                ("0.03, 1, 1", '"x", "y"', "0.0", ["bad.cfg:", "0.03 m wide along x", "0.04 m"]),
                ("1, 1, 1", "", "0.0", ["cell.periodic is empty"]),
                ("1, 1, 1", '"x", "z"', "0.0", ["not the same on both sides of the cell along z"]),
                ("1, 0, 1", '"x"', "0.0", ["cell.size", "> 0"]),
                ("1, 1, 1", '"x"', "0.0; mass = 1.0", ["bad.cfg:", "cell.mass", "give cell.stress or remove"]),
                ("1e300, 1, 1", '"x"', "0.0", ["bad.cfg:", "cell: 1e+300 m from 0 m along x is beyond"]),
                ("1, 1, 1", '"x", "x"', "0.0", ["cell.periodic names the same thing twice"]),
                ("1, 1, 1", '"x", "z"', "1e10", ["cell.shear_rate = 1e+10", "m in a step", "more than half"]),
                ("1, 1, 1", '"x"', "0.0; strain_rate = [-1e4, 0, 0]; origin = [1e308, 0, 0]",
                 ["cell.strain_rate = -10000 1/s along x", "from 1e+308 m"]),
                ("1, 1, 1", '"x"', "0.0; stress = [0, 1e3, 0]", ["cell.stress: the cell is not periodic along y", "cannot have boundaries"]),
                ("1, 1, 1", '"x"', "0.0; strain_rate = [-1, 0, 0]; stress = [1e3, 0, 0]",
                 ["cell.stress and cell.strain_rate both move the edge along x"]),
                ("1, 1, 1", '"x"', "0.0; stress = [-1e3, 0, 0]", ["cell.stress", ">= 0"])]:
            with self.subTest(size=size, along=along, rate=rate):
                self.write("bad.cfg", FALL.replace("gravity", cell % (size, along, rate), 1))
                self.bad("bad.cfg", said)

    def test_motion_through_a_cell(self):
        """What moves to the side of a cell would have to come in by the other."""
        ball = "sphere: { center = [5, 5, 5]; radius = 0.1; };"
        cell = 'cell: { size = [10, 10, 20]; periodic = ["x", "y"]; origin = [-5, -5, -5]; }; gravity'
        plane, fall = "plane: {", FALL.replace("gravity", cell, 1)
        for motion, code in [("motion: { axis = [0, 1, 0]; rate = 0.5; };", 3), ("motion: { velocity = [0.1, 0, 0.1]; };", 0),
                             ("motion: { belt = [1, 0, 0]; };", 0)]:
            with self.subTest(motion):
                self.write("bad.cfg", fall.replace(plane, f"{motion} {plane}", 1))
                self.bad("bad.cfg", ["bad.cfg:", "may move through a side of the cell along x"]) if code else \
                    self.pluvia("check", "bad.cfg")
        for motion, code in [("motion: { velocity = [0.1, 0, 0]; };", 3), ("motion: { velocity = [0, 0, 0.1]; };", 0)]:
            with self.subTest(ball=motion):
                more = f'boundaries = ( {{ name = "ball"; material = "plate"; {ball.replace("5, 5, 5", "0, 0, 5")} {motion} }},'
                self.write("bad.cfg", fall.replace("boundaries = (", more, 1))
                self.bad("bad.cfg", ["bad.cfg:", '"ball" may move through']) if code else self.pluvia("check", "bad.cfg")

    def test_a_servo_is_no_belt(self):
        both = "servo: { mass = 1.0; force = 1.0; }; motion: { belt = [1, 0, 0]; }; plane: {"
        self.write("bad.cfg", FALL.replace("plane: {", both, 1))
        self.bad("bad.cfg", ["bad.cfg:", "motion.belt: a boundary with a servo cannot be a belt"])

    def test_keys_of_other_programs(self):
        """What people try gets a sentence of its own, not the nearest spelling."""
        wall, body = 'boundaries = ( { plane: {', "bodies = ( {"
        for old, key, said in [(wall, "velocity = [1, 0, 0]", "motion = { velocity"),
                               (wall, 'triangles = "a.stl"', "STL or OBJ file are a boundary"),
                               (wall, 'stl = "a.stl"', "STL or OBJ file are a boundary"),
                               (wall, "pressure = 1e5", "servo = { mass"),
                               (wall, "axis = [1, 0, 0]", "cylinder = { axis"),
                               (body, "frozen = true", "bodies with fixed = true"),
                               (body, "mass = 0.1", "density of the material"),
                               (body, "psd = [0.1, 0.2]", "radius = { distribution = ...; }"),
                               ("time: {", "dt = 1e-3", "time = { step"),
                               ("gravity", "periodic = true; gravity", "periodic directions belong to a cell"),
                               ("gravity", "axes = (); gravity", "pluvia sweep")]:
            with self.subTest(key):
                new = old.replace("{ plane", "{ %s; plane" % key) if old == wall else \
                    key if old == "gravity" else f"{old} {key};"
                self.write("bad.cfg", FALL.replace(old, new, 1))
                err = self.bad("bad.cfg", [f'unknown key "{key.split()[0]}"', said])
                self.assertNotIn("did you mean", err)
                self.assertNotIn("known keys", err)
        self.write("good.cfg", FALL)
        for key in " mass", "mass masses", "m":  # near to such a name, but none
            self.assertNotIn("density", self.bad("good.cfg", [f'unknown key "{key}"'], "-s", f"{key}=1"))
        self.bad("good.cfg", ['unknown key "velocity" in boundaries: a boundary is moved by its motion'],
                 "-s", "boundaries.0.velocity=[1,0,0]")

    def test_a_scene_is_no_result(self):
        self.write("a.cfg", FALL)
        for command in [["info"], ["info", "--verify"], ["solve"]]:
            err = self.pluvia(*command, "a.cfg", code=3)[1]
            if command[0] == "info":
                self.assertRegex(err, 'a.cfg is a scene.*; "pluvia check a.cfg"')
            else:
                self.assertIn("not a contact problem", err)
                self.assertIn("scenes are for pluvia run and check", err)


if __name__ == "__main__":
    unittest.main()
