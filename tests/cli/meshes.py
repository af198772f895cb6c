"""Boundaries from files of triangles, as a user meets them: what is said of them, results that need no other file,
restarts."""
import pathlib
import subprocess
import unittest

import h5py
import numpy as np

from command import LAWS, PATIENCE, ROOT, Case
from export import parse_boundaries

TOOL = ROOT / "tools/mesh.py"
SCENE = """
time: { step = 1e-3; end = 0.2; };
output: { interval = 0.02; contacts = true; };
""" + LAWS + """
boundaries = ( { name = "hopper/1"; mesh: { file = "meshes/hopper.stl"; inside = true; scale = 0.5;
    position = [0.1, 0, 0]; axis = [0, 0, 2]; angle = 0.3; }; material = "plate"; } );
bodies = ( { packing: { count = 60; cylinder: { center = [0.1, 0, 0.065]; radius = 0.045; height = 0.1; }; };
    material = "grain"; radius = 0.005; } );
"""


class Meshes(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "meshes").mkdir()
        self.tool("hopper", "--facets", "32")
        self.write("a.cfg", SCENE)

    def tool(self, shape, *words):
        subprocess.run([TOOL, shape, "-o", self.folder / f"meshes/{shape}.stl", *words], check=True,
                       stdout=subprocess.DEVNULL, timeout=PATIENCE)

    def test_what_is_said(self):
        """Of an open mesh its edges, of a closed one what is in it, and what is odd as a warning."""
        out, err = self.pluvia("check", "a.cfg")
        self.assertIn('mesh "hopper/1": 128 triangles, 96 corners', out)
        self.assertIn("64 open edges", out)
        self.assertEqual(err, "")
        self.tool("drum", "--lifters", "0", "--facets", "360", "--radius", "0.1", "--length", "0.2")
        self.write("drum.cfg", SCENE.replace("hopper.stl", "drum.stl").replace("scale = 0.5;", ""))
        out, err = self.pluvia("check", "drum.cfg", "-s", "bodies=()", "-s", "allow_overlap=true")
        volume = float(out.split("closed, around a cavity of ")[1].split()[0])
        self.assertAlmostEqual(volume / (np.pi * 0.1**2 * 0.2), 1.0, delta=1e-3)
        cube = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        faces = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\n"
        for last, said in [("f 2 6 8 4\n", None), ("f 4 8 6 2\n", "opposite orientation"),
                           ("f 2 6 8 4\nf 2 6 8\n", "occur twice"), ("f 2 6 8 4\nf 1 2 8\n", "more than two")]:
            (self.folder / "cube.obj").write_text("".join("v %d %d %d\n" % c for c in cube) + faces + last)
            self.write("cube.cfg", SCENE.replace("meshes/hopper.stl", "cube.obj").replace("scale = 0.5;", ""))
            out, err = self.pluvia("check", "cube.cfg", "-s", "bodies=()")
            if said:
                self.assertIn(said, err)
            else:
                self.assertEqual(err, "")
                self.assertIn("closed, a solid of 1 m^3", out)

    def test_results_stand_alone(self):
        """A trajectory holds the triangles: pictures and problems need no other file."""
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-j", "1")
        hashes = {self.pluvia("run", "a.cfg", "-o", f"b{n}.h5md", "-j", n)[0].split("state hash")[1].split()[0]
                  for n in (1, 3)}
        self.assertEqual(len(hashes), 1)
        with h5py.File(self.folder / "a.h5md") as file:
            wall = file["walls/hopper_1"]
            vertices, faces = wall["vertices"][:], wall["faces"][:]
            self.assertEqual((len(vertices), len(faces), wall.attrs["first_part"]), (96, 128, 0))
            self.assertAlmostEqual(np.hypot(vertices[:, 0] - 0.1, vertices[:, 1]).max(), 0.05, delta=1e-8)
            body = file["contacts/body"][:]
            self.assertTrue((body[:, 0] < 0).any())
            self.assertGreaterEqual(body[:, 0].min(), -128)
        (self.folder / "meshes/hopper.stl").unlink()
        self.pluvia("render", "a.h5md", "-o", "a.png", "--size", "160x120")
        self.pluvia("export", "a.h5md", "--to", "povray", "-o", "a.pov")
        self.assertEqual((self.folder / "a.pov").read_text().count("triangle {"), 128)
        self.pluvia("export", "a.h5md", "--to", "vtk", "--at", "0.1", "-o", "a.pvd")
        triangles, _, _ = parse_boundaries(self.folder / "a/a-standing.vtp")
        np.testing.assert_allclose(triangles, vertices[faces], atol=1e-8)
        self.pluvia("export", "a.h5md", "--to", "problem", "--at", "0.1", "-o", "a.hdf5")
        self.pluvia("info", "--verify", "a.h5md")
        with h5py.File(self.folder / "a.h5md", "r+") as file:
            file["walls/hopper_1/faces"][3, 0] = 96
        self.assertIn("a.h5md: damaged", self.pluvia("info", "--verify", "a.h5md", code=3)[1])
        self.assertIn("damaged", self.pluvia("render", "a.h5md", "-o", "b.png", code=3)[1])

    def test_a_changed_mesh(self):
        """A run in pieces is the whole run; with another mesh it does not go on."""
        whole = self.pluvia("run", "a.cfg", "-o", "whole.h5md")[0].split("state hash")[1].split()[0]
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.1")
        stl = pathlib.Path(self.folder / "meshes/hopper.stl")
        kept = stl.read_bytes()
        self.tool("hopper", "--facets", "31")
        err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", code=3)[1]
        self.assertIn("the triangles of a mesh differ from those of the run; its file must have changed", err)
        stl.write_bytes(kept)
        again = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto")[0].split("state hash")[1].split()[0]
        self.assertEqual(again, whole)

    def test_shipped_meshes(self):
        """They are what the script makes."""
        for shape in "terrain", "drum", "hopper":
            self.tool(shape)
            made, shipped = ((folder / f"{shape}.stl").read_bytes()
                             for folder in (self.folder / "meshes", ROOT / "scenes/meshes"))
            self.assertEqual(len(made), len(shipped))
            points = [np.frombuffer(data[84:], np.dtype([("x", "<12f4"), ("n", "<u2")]))["x"][:, 3:]
                      for data in (made, shipped)]
            self.assertLess(np.abs(points[0] - points[1]).max(), 1e-6)


if __name__ == "__main__":
    unittest.main()
