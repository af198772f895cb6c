"""Boundaries that move, as a user has them: tables, what results hold, campaigns, restarts, errors."""
import csv
import json
import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy

import picture
from command import ROOT, Case, numbers_only
from export import parse_boundaries
from restart import state_hash

TABLE = "# lifted, turned and set down\nt, z, angle\n0, 0, 0\n0.1, 0.002, 0.1\n0.2, 0.002, 0.1\n0.4, -0.001, 0.3\n"

TRAY = """
time: { step = 1e-3; end = 0.5; };
materials = ( { name = "grain"; density = 1300.0; }, { name = "tray"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; rolling_friction = 1e-3; },
             { between = ["grain", "tray"]; friction = 0.5; rolling_friction = 1e-3; } );
boundaries = ( { plate: { size = [0.2, 0.2]; }; name = "tray"; material = "tray"; until = 0.45;
                 motion: { table = "tray.csv"; start = 0.05; }; },
               { plane: { center = [0, 0, -1]; }; material = "tray"; motion: { belt = [1, 0, 0]; stop = 0.2; }; } );
bodies = ( { lattice: { counts = [3, 3, 2]; spacing = 0.0202; origin = [-0.02, -0.02, 0.0101]; };
             material = "grain"; radius = [0.009, 0.01]; } );
output: { interval = 0.05; };
"""


CELL = """
gravity = [0, 0, 0];
time: { step = 1e-3; end = 0.1; };
cell: { size = [0.07, 0.07, 0.07]; shear_rate = 8; strain_rate = [0, 0, -0.5]; };
materials = ( { name = "grain"; density = 1300.0; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; } );
bodies = ( { lattice: { counts = [3, 3, 3]; spacing = 0.0225; }; material = "grain"; radius = [0.009, 0.01];
             velocity = [0.5, -0.4, 0.3]; } );
output: { interval = 0.01; };
"""


SHEAR, STRAIN = 20.0, -4.3  # 1/s
DENSE = CELL.replace("0.07, 0.07, 0.07]; shear_rate = 8; strain_rate = [0, 0, -0.5]", f"0.064, 0.064, 0.064]; shear_rate = {SHEAR}; "
                                                                       f"strain_rate = [{STRAIN}, {STRAIN}, {STRAIN}]") \
    .replace("spacing = 0.0225", "spacing = 0.0212").replace("end = 0.1", "end = 0.02") \
    .replace("output: {", "output: { contacts = true;")


class Motion(Case):
    def setUp(self):
        super().setUp()
        self.write("tray.csv", TABLE)
        self.write("tray.cfg", TRAY)

    def refused(self, table, *said):
        self.write("tray.csv", table)
        _, err = self.pluvia("run", "tray.cfg", code=3)
        for text in said:
            self.assertIn(text, err)

    def test_a_cell(self):
        """Box, edges and images of a cell in motion; its checksums; a run in two pieces."""
        self.write("cell.cfg", CELL)
        whole, _ = self.pluvia("run", "cell.cfg", "-o", "a.h5md")
        self.pluvia("run", "cell.cfg", "-o", "b.h5md", "--until", "0.04")
        pieces, _ = self.pluvia("run", "cell.cfg", "-o", "b.h5md", "--restart", "auto", "--until", "0.1")
        self.assertEqual(state_hash(whole), state_hash(pieces))
        for name in "a.h5md", "b.h5md":
            self.assertIn("verified", self.pluvia("info", name, "--verify")[0])
        with h5py.File(self.folder / "a.h5md") as file:
            particles = file["particles/trajectory"]
            box, x = particles["box"], particles["position/value"][:]
            self.assertEqual(list(box.attrs["boundary"]), [b"periodic"] * 3)
            edges, image = box["edges/value"][:], particles["image/value"][:]
            numpy.testing.assert_allclose(edges[:, 2, 2], 0.07 * numpy.exp(-0.5 * box["edges/time"][:]), rtol=1e-3)
            for k in range(len(x)):
                share = numpy.linalg.solve(edges[k].T, x[k].T).T
                self.assertTrue((share > -1e-12).all() and (share < 1 + 1e-12).all())
            self.assertTrue((image[0] == 0).all() and (image[-1] != 0).any())
            way = numpy.einsum("tni,tij->tnj", image, edges) + x
            self.assertLess(abs(numpy.diff(way, axis=0)).max(), 0.02)  # no jumps where it was wrapped
            self.assertLess(file["observables/energy_imbalance/value"][-1], 1e-12)

    def test_measures_of_a_cell(self):
        """Solid fraction, fields and stress of a sheared cell, against sums over images by numpy; its box in xyz and lammps."""
        self.write("cell.cfg", DENSE)
        self.pluvia("run", "cell.cfg", "-o", "a.h5md")
        frame = json.loads(self.pluvia("measure", "a.h5md", "--json")[0])["frame"]
        with h5py.File(self.folder / "a.h5md") as file:
            particles, contacts = file["particles/trajectory"], file["contacts"]
            edges, x = particles["box/edges/value"][-1], particles["position/value"][-1]
            radius = particles["radius"][()]
            rows = slice(contacts["offset"][-2], contacts["offset"][-1])
            a, b = contacts["body"][rows].T
            normal, gap, dt = contacts["normal"][rows], contacts["gap"][rows], contacts["dt"][-1]
            t1 = contacts["tangent"][rows]
            p = contacts["impulse"][rows]
            force = (p[:, :1] * normal + p[:, 1:2] * t1 + p[:, 2:3] * numpy.cross(normal, t1)) / dt
            fraction = file["observables/solid_fraction/value"][-1]
        self.assertGreater(abs(edges[2, 0]), 0.002)  # it leans
        volume = numpy.linalg.det(edges)
        # The image of a that a contact joins, as output/README.md says it.
        way = normal * (radius[a] + radius[b] + gap)[:, None]
        image = numpy.rint(numpy.linalg.solve(edges.T, (x[b] - x[a] - way).T).T)
        self.assertLess(abs(x[b] - x[a] - image @ edges - way).max(), 2e-3)
        self.assertTrue((image != 0).any() and len(a) > 4)
        own = numpy.einsum("ci,cj->ij", force, way) / volume
        kept = frame["stress"]
        for i, name in enumerate("xyz"):
            self.assertAlmostEqual(kept[name * 2] / own[i, i], 1, delta=5e-3)  # arms end on the surfaces
        self.assertAlmostEqual(kept["xy"] / own[0, 1], 1, delta=5e-3)
        self.assertAlmostEqual(frame["packing"]["cell_solid_fraction"], fraction, delta=1e-12)
        self.assertGreater(frame["contacts"]["coordination"], 0.3)
        rows = [row.split(",") for row in self.pluvia("measure", "a.h5md", "--field", "packing")[0].split()[1:]]
        self.assertAlmostEqual(numpy.mean([float(row[3]) for row in rows]), fraction, delta=1e-6)
        # A region of two cells, wherever it begins, has what is in two.
        low = numpy.array([-0.02, 0.03, -0.05])
        box = ",".join(f"{end:.15g}" for end in (*low, *(low + numpy.diag(edges) * [2, 1, 1])))
        twice = json.loads(self.pluvia("measure", "a.h5md", "--json", "--region", box)[0])["frame"]
        self.assertAlmostEqual(twice["packing"]["region_solid_fraction"], fraction, delta=1e-6)
        self.assertEqual(twice["contacts"]["count"], 2 * frame["contacts"]["count"])
        self.assertAlmostEqual(twice["stress"]["xx"] / kept["xx"], 1, delta=1e-9)
        self.pluvia("render", "a.h5md", "-o", "a.png", "--plain", "--balls", "0.01", "--size", "160x120", "--from", "-90,0")
        dark = (picture.read(self.folder / "a.png") < 128).all(axis=2)  # the edges of the cell, which leans
        across = [numpy.nonzero(row)[0].mean() for row in dark if row.any()]
        self.assertGreater(abs(across[1] - across[-2]), 0.8 * abs(edges[2, 0] / edges[2, 2]) * len(across))
        self.assertIn("has no center for rings", self.pluvia("measure", "a.h5md", "--field", "radial", code=3)[1])
        self.pluvia("measure", "a.h5md", "--region", "0,0,0,9e9,1,1", code=2)
        self.pluvia("export", "a.h5md", "--to", "xyz", "-o", "a.xyz")
        self.pluvia("export", "a.h5md", "--to", "lammps", "-o", "a.dump")
        head = [line for line in (self.folder / "a.xyz").read_text().split("\n") if "Lattice" in line][-1]
        lattice = [float(word) for word in head.split('"')[1].split()]
        numpy.testing.assert_allclose(lattice, edges.ravel(), rtol=1e-9)
        self.assertIn('pbc="T T T"', head)
        lines = (self.folder / "a.dump").read_text().split("\n")
        last = max(k for k, line in enumerate(lines) if "BOX BOUNDS" in line)
        self.assertEqual(lines[last], "ITEM: BOX BOUNDS xy xz yz pp pp pp")
        low, high, tilt = numpy.array([line.split() for line in lines[last + 1:last + 4]], float).T
        numpy.testing.assert_allclose(tilt, [0, edges[2, 0], 0], rtol=1e-9)
        numpy.testing.assert_allclose(low, [min(edges[2, 0], 0), 0, 0], atol=1e-12)
        numpy.testing.assert_allclose(high, numpy.diag(edges) + [max(edges[2, 0], 0), 0, 0], rtol=1e-9)

    def test_regions_of_many_cells(self):
        """Copies in all are limited, not only the cells along an edge, and those of contacts are found in no time."""
        self.write("still.cfg", DENSE.replace(f" shear_rate = {SHEAR}; strain_rate = [{STRAIN}, {STRAIN}, {STRAIN}];", "")
                   .replace("end = 0.02", "end = 0.003"))
        self.pluvia("run", "-q", "still.cfg", "-o", "still.h5md")
        err = self.pluvia("measure", "still.h5md", "--region", "0,0,0,3.9,3.9,3.9", code=2)[1]
        self.assertRegex(err, r"the region contains more than \d+ spheres of periodic cells, which are all alike; choose a smaller region")
        one, many = (json.loads(self.pluvia("measure", "still.h5md", "--json", "--region", f"0,0,0,{n * 0.064},{n * 0.064},{n * 0.064}")[0])
                     ["frame"]["contacts"]["count"] for n in (1, 20))
        self.assertEqual(many, 20**3 * one)

    def test_a_cell_follows_a_stress(self):
        """A run in two pieces is one; what knows pairs of bodies only is refused."""
        packed = CELL.replace("shear_rate = 8; strain_rate = [0, 0, -0.5]", "shear_rate = 2; stress = [500, 0, 1000]")
        self.write("cell.cfg", packed.replace("output: {", "output: { contacts = true;"))
        whole, _ = self.pluvia("run", "cell.cfg", "-o", "a.h5md")
        self.pluvia("run", "cell.cfg", "-o", "b.h5md", "--until", "0.06")
        pieces, _ = self.pluvia("run", "cell.cfg", "-o", "b.h5md", "--restart", "auto", "--until", "0.1")
        self.assertEqual(state_hash(whole), state_hash(pieces))
        with h5py.File(self.folder / "a.h5md") as file:
            edges = file["particles/trajectory/box/edges/value"][:]
            numpy.testing.assert_array_equal(edges[:, 1, 1], 0.07)
            self.assertTrue((numpy.diff(edges[:4, 0, 0]) < 0).all() and (numpy.diff(edges[:4, 2, 2]) < 0).all())
            self.assertLess(file["observables/energy_imbalance/value"][-1], 1e-12)
        for key, name, other in ("name", "newton", "gs"), ("local", "newton", "exact"):
            self.write("cell.cfg", packed + f'solver: {{ {key} = "{name}"; }};\n')
            self.assertRegex(self.pluvia("run", "cell.cfg", "-o", "c.h5md", code=3)[1],
                             rf'solver\.{key}: "{name}" does not support cell\.stress \("{other}" does\)')
        self.write("cell.cfg", packed.replace("output: {", 'output: { dump_problems = "every";'))
        self.assertIn("are not written", self.pluvia("run", "cell.cfg", "-o", "c.h5md", code=3)[1])
        self.assertIn("not in the trajectory", self.pluvia("export", "a.h5md", "--to", "problem", "-o", "p.hdf5", code=3)[1])

    def test_a_cell_that_does_not_reach_its_stress(self):
        """The summary says so; touching spheres in a light cell bear it within milliseconds."""
        self.write("cell.cfg", CELL.replace("shear_rate = 8; strain_rate = [0, 0, -0.5]", "stress = [500, 0, 1000]")
                   .replace("[0.009, 0.01]", "0.01").replace("0.0225;", "0.0225; origin = [0.01, 0.01, 0.01];")
                   .replace("[0.07, 0.07, 0.07]", "[0.0602, 0.0602, 0.0602]").replace("0.0225", "0.02005")
                   .replace("velocity = [0.5, -0.4, 0.3]; ", ""))
        out, _ = self.pluvia("run", "cell.cfg", "-o", "a.h5md")
        self.assertRegex(out, r"\ncell stress +500 of 500 Pa along x, 1000 of 1000 Pa along z in the last step\n")
        self.assertNotIn("has not reached", out)
        out, _ = self.pluvia("run", "cell.cfg", "-o", "b.h5md", "-s", "cell.mass=1e6")
        self.assertRegex(out, r"\nnote +the cell has not reached cell\.stress")

    def test_a_run_starts_a_cell(self):
        """From a cell at rest into one that is sheared; not from one that leans, if the scene's does not."""
        quiet = CELL.replace("shear_rate = 8; strain_rate = [0, 0, -0.5]; ", "")
        self.write("quiet.cfg", quiet)
        self.write("cell.cfg", CELL)
        for name in "quiet", "cell":
            self.pluvia("run", f"{name}.cfg", "-o", f"{name}.h5md")
        lattice = CELL[CELL.index("bodies"):CELL.index("output")]
        start = 'bodies = ( { run: { path = "%s.h5md"; %s }; } );\n'

        def scene(cell, run, more=""):
            self.write("next.cfg", CELL.replace("size = [0.07, 0.07, 0.07]; shear_rate = 8; strain_rate = [0, 0, -0.5];", cell)
                       .replace(lattice, start % (run, more)))
        scene("size = [0.07, 0.07, 0.07]; shear_rate = 8;", "quiet")
        self.pluvia("run", "next.cfg", "-o", "next.h5md")
        with h5py.File(self.folder / "quiet.h5md") as was, h5py.File(self.folder / "next.h5md") as file:
            x, v = (file[f"particles/trajectory/{name}/value"][0] for name in ("position", "velocity"))
            before = was["particles/trajectory/velocity/value"][-1]
            numpy.testing.assert_allclose(v - before, numpy.outer(8 * x[:, 2], [1, 0, 0]), atol=1e-12)
        for cell, run, more, said in [("size = [0.07, 0.07, 0.07];", "cell", "", "leans by"),
                                      ("size = [0.07, 0.07, 0.07];", "cell", "at = 0.0;", None),
                                      ("size = [0.07, 0.08, 0.07];", "quiet", "", "0.07 m wide along y"),
                                      ("size = [0.07, 0.07, 0.07]; shear_rate = 8;", "cell", "at = 0.0;", None)]:
            with self.subTest(cell=cell, run=run):
                scene(cell, run, more)
                err = self.pluvia("check", "next.cfg", code=3 if said else 0)[1]
                self.assertIn(said or "", err)
        self.write("pressed.cfg", quiet.replace("size = [0.07, 0.07, 0.07];", "size = [0.07, 0.07, 0.07]; stress = [50, 50, 50];"))
        self.pluvia("run", "pressed.cfg", "-o", "pressed.h5md")
        with h5py.File(self.folder / "pressed.h5md") as file:
            edges = [float(e) for e in numpy.diag(file["particles/trajectory/box/edges/value"][-1])]
        self.assertLess(edges[0], 0.07)
        scene(f"size = {edges}; shear_rate = 8;", "pressed")  # compressed, then sheared
        self.pluvia("check", "next.cfg")
        self.write("falls.cfg", quiet.replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]"))
        self.assertIn("they fall forever", self.pluvia("check", "falls.cfg")[1])

    @numbers_only
    def test_what_slips_all_over_converges(self):
        """A tube is pulled off 2,000 grains without rolling friction: in most steps momentum alone finds no end."""
        words = ["friction=0.6", "rolling_friction=0"]
        more = ["bodies.0.packing.count=2000", "bodies.0.packing.cylinder.height=0.3", "boundaries.1.cylinder.height=0.3"]
        sets = [word for key in [f"contacts.0.{w}" for w in words] + more for word in ("-s", key)]
        self.pluvia("run", ROOT / "scenes/lifted.cfg", "-o", "t.h5md", "--until", 0.52, "-q", *sets)
        with h5py.File(self.folder / "t.h5md") as f:
            self.assertLessEqual(f["observables/unconverged_steps/value"][-1], 6)

    def test_a_table(self):
        out, _ = self.pluvia("run", "tray.cfg", "-o", "a.h5md")
        with h5py.File(self.folder / "a.h5md") as file:
            walls, particles = file["boundaries"], file["particles/trajectory"]
            self.assertEqual([name.decode() for name in walls["names"]], ["tray", "plane-1"])
            z, rotation = walls["position/value"][:, 0, 2], walls["rotation/value"][:, 0]
            angle = 2 * numpy.arctan2(rotation[:, 3], rotation[:, 0])
            time = walls["position/time"][()]
            self.assertTrue(numpy.allclose(time, 0.05 * numpy.arange(11)))
            # rows of the table at 0.05, 0.15, 0.25, 0.45 s, then it stands; the quadrature leaves 1e-6
            numpy.testing.assert_allclose(z[[1, 3, 5, 9, 10]], [0, 2e-3, 2e-3, -1e-3, -1e-3], atol=2e-6)
            numpy.testing.assert_allclose(angle[[1, 3, 5, 9]], [0, 0.1, 0.1, 0.3], atol=1e-4)
            self.assertTrue(numpy.all(numpy.diff(z[:6]) >= 0) and numpy.all(numpy.diff(z[5:]) <= 0))
            self.assertEqual(list(walls["state/value"][:, 0]), [1] * 9 + [1, 0])
            weight = particles["mass"][()].sum() * 9.81
            # at rest again on the tray, which it followed, and then falling
            self.assertAlmostEqual(walls["force/value"][4, 0, 2], -weight, delta=0.02 * weight)
            bottom = particles["position/value"][4, :, 2].min()
            self.assertAlmostEqual(bottom, z[4] + 0.0095, delta=6e-4)
            fallen = particles["velocity/value"][-1, :, 2]
            numpy.testing.assert_allclose(fallen, -9.81 * 0.05 * numpy.ones(18), atol=0.05)
            self.assertLess(file["observables/energy_imbalance/value"][-1], 1e-12)
        self.assertIn("verified", self.pluvia("info", "a.h5md", "--verify")[0])
        balance = self.pluvia("measure", "a.h5md")[0]
        self.assertIn("moving boundaries", balance)
        self.pluvia("export", "a.h5md", "--to", "povray", "--at", "0.15", "-o", "up.pov")
        self.pluvia("export", "a.h5md", "--to", "povray", "--at", "0.5", "-o", "gone.pov")
        self.assertIn("0.002", (self.folder / "up.pov").read_text().split("polygon")[1])
        self.assertNotIn("polygon", (self.folder / "gone.pov").read_text())
        self.vtk_follows("a.h5md")

    def vtk_follows(self, path):
        """Triangles for VTK are those of the first frame at the poses of /boundaries; the tray is gone at the end."""
        self.pluvia("export", path, "--to", "vtk", "-o", "a.pvd")
        sets = xml.parse(self.folder / "a-boundaries.pvd").getroot().findall("Collection/DataSet")
        stands, moves = [[e for e in sets if e.get("part") == part] for part in "01"]
        self.assertEqual({e.get("file") for e in stands}, {"a/a-standing.vtp"})
        self.assertEqual(list(parse_boundaries(self.folder / "a/a-standing.vtp")[1]), [1, 1])
        with h5py.File(self.folder / path) as file:
            walls = file["boundaries"]
            position, rotation, time = [walls[name][()] for name in
                                        ["position/value", "rotation/value", "position/time"]]
        first = parse_boundaries(self.folder / moves[0].get("file"))[0]
        for k, (still, entry) in enumerate(zip(stands, moves, strict=True)):
            triangles, number, said = parse_boundaries(self.folder / entry.get("file"))
            self.assertEqual([said, float(still.get("timestep")), float(entry.get("timestep"))], [time[k]] * 3)
            self.assertEqual(list(number), [0, 0] if k < 10 else [])
            w, q = rotation[k, 0, 0], rotation[k, 0, 1:]
            arm = first - position[0, 0]
            turned = arm + 2 * (w * numpy.cross(q, arm) + numpy.cross(q, numpy.cross(q, arm)))
            if k < 10:
                numpy.testing.assert_allclose(triangles, position[k, 0] + turned, atol=1e-7)
        self.xdmf_follows(path, [parse_boundaries(self.folder / entry.get("file"))[0] for entry in moves], time)

    def xdmf_follows(self, path, triangles, time):
        """Each frame has what stands (the plane, boundary 1) and the triangles of the tray that VTK has, if it is there."""
        self.pluvia("export", path, "--to", "xdmf", "-o", "b.xdmf")
        grids = xml.parse(self.folder / "b-boundaries.xdmf").getroot().findall("Domain/Grid/Grid")
        self.assertEqual([float(grid.find("Time").get("Value")) for grid in grids], list(time))
        for grid, tray in zip(grids, triangles, strict=True):
            corners = numpy.array(grid.find("Geometry/DataItem").text.split(), float).reshape(-1, 3, 3)
            number = numpy.array(grid.find("Attribute/DataItem").text.split(), int)
            self.assertEqual(list(number), [0] * len(tray) + [1, 1])
            numpy.testing.assert_allclose(corners[number == 0], tray, atol=1e-7)
        self.pluvia("export", path, "--to", "xdmf", "-o", "b.xdmf", code=5)

    def test_restart(self):
        whole, _ = self.pluvia("run", "tray.cfg", "-o", "whole.h5md")
        for until in ["0.12", "0.3", "0.46", "0.5"]:
            out, _ = self.pluvia("run", "tray.cfg", "-o", "pieces.h5md", "--restart", "auto", "--until", until)
        self.assertEqual(state_hash(out), state_hash(whole))
        with h5py.File(self.folder / "whole.h5md") as a, h5py.File(self.folder / "pieces.h5md") as b:
            for name in ["position", "rotation", "state", "force", "moment"]:
                values = [file[f"boundaries/{name}/value"][()].tobytes() for file in (a, b)]
                self.assertEqual(*values)
        self.pluvia("run", "tray.cfg", "-o", "early.h5md", "--until", "0.2")
        self.write("tray.csv", TABLE.replace("0.3\n", "0.4\n"))
        _, err = self.pluvia("run", "tray.cfg", "-o", "early.h5md", "--restart", "auto", code=3)
        self.assertRegex(err, r'the table of the motion of boundary "\w+" \(boundaries\[\d\]\.motion\.table\) differs')

    def test_noisy_tables(self):
        """20 mm/s with 10 um of noise in rows as close as the step: each frame has the row, also after a start between steps and a
        restart."""
        noise = numpy.random.default_rng(1).normal(0, 1e-5, (2, 801))
        for start, apart in [(0.05, 1e-3), (0.0505, 5e-4), (0.04925, 2.5e-4)]:
            t = apart * numpy.arange(801)
            x, z = 0.02 * t + noise[0], 0.001 + noise[1]
            self.write("tray.csv", "t, x, z\n" + "".join("%.17g, %.17g, %.17g\n" % row for row in zip(t, x, z)))
            scene = ["tray.cfg", "-s", f"boundaries.0.motion.start={start}", "-s", "output.interval=1e-3", "--force"]
            out = self.pluvia("run", *scene, "-o", "whole.h5md")[0]
            with h5py.File(self.folder / "whole.h5md") as file:
                place = file["boundaries/position/value"][:, 0]
            for k in range(1, 440):
                row = min(max(round((k * 1e-3 - start) / apart), 0), 800)
                numpy.testing.assert_allclose(place[k], [x[row] - x[0], 0, z[row] - z[0]], rtol=0, atol=1e-16)
            self.pluvia("run", *scene, "-o", "pieces.h5md", "--until", "0.1")
            pieces = self.pluvia("run", *scene[:-1], "-o", "pieces.h5md", "--restart", "auto")[0]
            self.assertEqual(state_hash(out), state_hash(pieces))

    def test_bad_tables(self):
        self.refused("t, z\n0, 0\n", "tray.cfg:6", "is not a table of a motion")
        self.refused("t, z\n0, 0\n1, nan\n", "tray.csv:3", 'column "z" is not a finite number')
        self.refused("t, z\n0, 0\n0, 1\n", "tray.csv:3", "must be larger than t")
        self.refused("t, up\n0, 0\n0, 1\n", "tray.csv:1", 'unknown column "up"')
        self.refused("z, x\n0, 0\n0, 1\n", "tray.csv:1", "must name t")
        self.refused("t, z\n0, 0, 0\n", "tray.csv:2", "2 columns")
        self.refused("", "is not a table of a motion")
        (self.folder / "tray.csv").unlink()
        _, err = self.pluvia("run", "tray.cfg", code=3)
        self.assertIn("tray.cfg:7: boundaries[0].motion.table: tray.csv: no such file", err)

    def test_bad_keys(self):
        for change, said in [("motion.axis=[0, 0, 0]", "motion.axis has length 0"), ("motion.speed=1", "speed"),
                             ("until=-1", "until"), ("motion.vibration.amplitude=[0, 0, 1]", "frequency is missing")]:
            _, err = self.pluvia("check", "tray.cfg", "-s", f"boundaries.0.{change}", code=3)
            self.assertIn(said, err)

    def test_campaign(self):
        """The belt is what the axis says: a sphere on it ends with 2/7 of its speed."""
        self.write("belt.cfg", """
time: { step = 1e-3; end = 0.3; };
materials = ( { name = "grain"; density = 1300.0; }, { name = "belt"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "belt"]; friction = 0.5; } );
boundaries = ( { plane: {}; material = "belt"; motion: { belt = [0, 0, 0]; }; } );
bodies = ( { position = [0, 0, 0.01]; material = "grain"; radius = 0.01; } );
""")
        self.write("c.cfg", """
scene = "belt.cfg";
axes = ( { key = "boundaries.0.motion.belt"; values = [[0.35, 0, 0], [0.7, 0, 0]]; } );
measures = "last.kinetic_energy";
""")
        self.pluvia("sweep", "c.cfg")
        with open(self.folder / "output/c/table.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        mass = 1300 * 4 / 3 * numpy.pi * 1e-6
        for row, speed in zip(rows, [0.35, 0.7]):
            slow, spin = speed * 2 / 7, speed * 5 / 7  # rolls without slip
            want = 0.5 * mass * (slow ** 2 + 0.4 * spin ** 2)
            self.assertAlmostEqual(float(row["last.kinetic_energy"]) / want, 1, delta=0.02)


DRUM = """
time: { step = 1e-3; end = 1.0; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; }, { between = ["grain", "steel"]; friction = 0.5; rolling_friction = 1e-4; } );
boundaries = ( { cylinder: { center = [0, -2, 0]; axis = [0, 1, 0]; radius = 0.05; height = 4; bottom = false; }; material = "steel"; name = "drum";
                 motion: { axis = %s; rate = 4.0; }; } );
bodies = ( { position = [0.01, 0.02, -0.03]; velocity = [0, 0.3, 0]; radius = 0.005; material = "grain"; } );
output: { interval = 0.05; };
"""
AROUND = 'cell: { size = [1, 0.06, 1]; origin = [-0.5, 0, -0.5]; periodic = ["y"]; };'


class PeriodicDrum(Case):
    def test_it_is_as_one_without_ends(self):
        """A grain that goes out at one side of the cell comes in at the other as if the drum went on."""
        paths = []
        for name, cell in ("long", ""), ("periodic", AROUND):
            self.write(name + ".cfg", DRUM % "[0, 1, 0]" + cell)
            self.pluvia("run", name + ".cfg", "-q", "-o", name + ".h5md")
            with h5py.File(self.folder / (name + ".h5md")) as file:
                paths.append(file["particles/trajectory/position/value"][:])
        apart = paths[0] - paths[1]
        self.assertGreater(paths[0][-1, :, 1].max(), 0.06)
        self.assertLess(paths[1][:, :, 1].max(), 0.06)
        apart[:, :, 1] -= 0.06 * numpy.round(apart[:, :, 1] / 0.06)
        self.assertLess(numpy.abs(apart).max(), 1e-9)
        self.assertGreater(numpy.ptp(paths[0][:, :, 2]), 0.01)

    def test_about_another_axis_it_is_refused(self):
        for axis in "[1, 0, 0]", "[0, 1, 1e-4]":
            self.write("bad.cfg", DRUM % axis + AROUND)
            self.assertIn("may move through a side of the cell along y", self.pluvia("check", "bad.cfg", code=3)[1])


if __name__ == "__main__":
    unittest.main()
