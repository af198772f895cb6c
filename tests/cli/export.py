"""pluvia export: what other programs read is what the trajectory holds."""
import base64
import csv
import filecmp
import re
import struct
import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy as np
from command import FALL, FLOOR, LAWS, ROOT, Case

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    vtk = None

# Two are released one after the other, one leaves the domain.
SCENE = """
title = "Two < three & \\"more\\"";
time: { step = 1e-3; end = 0.3; };
gravity = [0.0, 0.0, -9.81];
""" + LAWS + """
boundaries = ( { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [1, 0.5]; }; material = "plate"; } );
bodies = ( { position = [0.1, 0.2, 0.05]; velocity = [0.3, 0, 0]; radius = 0.01; material = "grain"; },
           { position = [0.2, 0.1, 0.05]; velocity = [9, 0, 0]; radius = 0.02; material = "grain"; } );
feeders = ( { pluviation: { count = 2; interval = 0.1; start = 0.05; height = 0.1; footprint: { square = 0.01; }; };
              material = "grain"; radius = 0.01; } );
domain: { box = [[-1, -1, -1], [1, 1, 1]]; outside = "remove"; };
output: { interval = 0.05; quantities = ["velocity", "angular_velocity", "orientation", "force"]; };
"""


def parse_vtp(path):
    """The arrays of a .vtp file by name, and its time, read by the rules of the format and no others: also those of the readers of
    OVITO, which know no appended data, few types, and no file whose field data come before its piece."""
    root = xml.parse(path).getroot()
    assert (root.tag, root.get("type"), root.get("byte_order"), root.get("header_type")) == ("VTKFile", "PolyData", "LittleEndian", "UInt64")
    assert [part.tag for part in root[0]] in (["Piece"], ["Piece", "FieldData"])
    piece = root.find("PolyData/Piece")
    types = {"Float32": np.float32, "Float64": np.float64, "Int32": np.int32, "Int64": np.int64}
    sizes = {name: int(piece.get("NumberOf" + name)) for name in ("Points", "Verts", "Lines", "Strips", "Polys")}
    corners = {"Verts": 1, "Lines": 2, "Polys": 3}
    arrays = {}
    for part in piece:
        for array in part:
            assert (array.tag, array.get("format")) == ("DataArray", "binary")
            raw = base64.b64decode(array.text, validate=True)
            assert struct.unpack_from("<Q", raw)[0] == len(raw) - 8
            width = int(array.get("NumberOfComponents"))
            values = np.frombuffer(raw, types[array.get("type")], offset=8).reshape(-1, width)
            rows = {"Points": sizes["Points"], "PointData": sizes["Points"],
                    "CellData": sum(sizes.values()) - sizes["Points"]}.get(part.tag, sizes.get(part.tag))
            assert len(values) == rows * (corners[part.tag] if array.get("Name") == "connectivity" else 1), array.get("Name")
            assert array.get("Name") not in arrays
            arrays[array.get("Name")] = values.squeeze(1) if width == 1 else values
    time = root.find("PolyData/FieldData/DataArray")
    return arrays, None if time is None else float(time.text)


def parse_boundaries(path):
    """Triangles [T, 3, 3] of a .vtp file of boundaries, the boundary of each, and the time."""
    arrays, time = parse_vtp(path)
    count = len(arrays["boundary"])
    assert (arrays["connectivity"] == np.arange(3 * count)).all()
    assert (arrays["offsets"] == 3 * np.arange(1, count + 1)).all()
    assert len(arrays["species"]) == count
    return arrays["Points"].reshape(count, 3, 3).astype(float), arrays["boundary"], time


class Export(Case):
    def prepare(self):
        self.write("a.cfg", SCENE)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")

    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "a.h5md") as f:
            p = f["particles/trajectory"]
            self.value = {name: p[name]["value"][:] if isinstance(p[name], h5py.Group) else p[name][:]
                          for name in p if name != "box"}
            self.times = p["position/time"][:]
        self.active = self.value["state"] == 1
        # The scene covers bodies that wait and one that left.
        self.assertEqual(sorted(set(self.value["state"].ravel())), [0, 1, 3])

    def assert_frame(self, arrays, k):
        ids = np.flatnonzero(self.active[k])
        self.assertTrue((arrays["id"] == ids).all())
        self.assertTrue((arrays["Points"] == self.value["position"][k, ids]).all())
        for name, other in [("velocity", "v"), ("angular_velocity", "omega"), ("orientation", None), ("force", "f")]:
            self.assertTrue((arrays[name] == self.value[name][k, ids].astype("f4")).all(), name)
            if other:
                self.assertTrue((arrays[other] == arrays[name]).all(), other)
        for name in ["radius", "mass", "species"]:
            want = self.value[name][ids].astype(arrays[name].dtype)
            self.assertTrue((arrays[name] == want).all(), name)

    def test_vtk_series(self):
        self.pluvia("export", "a.h5md", "--to", "vtk", "-o", "out & more.pvd")
        sets = xml.parse(self.folder / "out & more.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual(len(sets), len(self.times))
        for k, entry in enumerate(sets):
            self.assertEqual(float(entry.get("timestep")), self.times[k])
            arrays, time = parse_vtp(self.folder / entry.get("file"))
            self.assertEqual(time, self.times[k])
            self.assert_frame(arrays, k)
            count = len(arrays["id"])
            self.assertTrue((arrays["connectivity"] == np.arange(count)).all())
            self.assertTrue((arrays["offsets"] == np.arange(count) + 1).all())

    def test_vtk_one_frame(self):
        self.pluvia("export", "a.h5md", "--to", "vtk", "--at", "0.1", "-o", "one.vtp")
        arrays, time = parse_vtp(self.folder / "one.vtp")
        self.assertAlmostEqual(time, 0.1)
        self.assert_frame(arrays, 2)
        self.pluvia("export", "a.h5md", "--to", "vtk", "--at", "0.1", "-o", "one.pvd")
        self.assertTrue(filecmp.cmp(self.folder / "one.vtp",
                                    self.folder / "one/one-000002.vtp", shallow=False))

    @unittest.skipIf(vtk is None, "python3-vtk9 is not installed")
    def test_vtk_reads_it(self):
        self.pluvia("export", "a.h5md", "--to", "vtk", "-o", "out.pvd")
        for k in range(len(self.times)):
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(str(self.folder / f"out/out-{k:06d}.vtp"))
            reader.Update()
            data = reader.GetOutput()
            points = data.GetPointData()
            arrays = {points.GetArrayName(i): vtk_to_numpy(points.GetArray(i))
                      for i in range(points.GetNumberOfArrays())}
            arrays["Points"] = vtk_to_numpy(data.GetPoints().GetData())
            self.assertEqual(data.GetNumberOfVerts(), len(arrays["id"]))
            self.assert_frame(arrays, k)

    def test_csv(self):
        self.pluvia("export", "a.h5md", "--to", "csv", "-o", "a.csv")
        rows = list(csv.DictReader((self.folder / "a.csv").read_text().splitlines()))
        self.assertEqual(list(rows[0]), "time id radius x y z vx vy vz".split())
        self.assertEqual(len(rows), self.active.sum())
        at = 0
        for k, time in enumerate(self.times):
            for b in np.flatnonzero(self.active[k]):
                row = {key: float(value) for key, value in rows[at].items()}
                want = [time, b, self.value["radius"][b], *self.value["position"][k, b],
                        *self.value["velocity"][k, b]]
                for got, number in zip(row.values(), want):
                    self.assertAlmostEqual(got, number, delta=6e-9 * abs(number))
                at += 1

    def test_csv_columns(self):
        names = "speed,step,species,mass,wx,wy,wz,qw,qx,qy,qz,fx,fy,fz"
        self.pluvia("export", "a.h5md", "--to", "csv", "--at", "0.1", "--columns", names, "-o", "a.csv")
        rows = list(csv.DictReader((self.folder / "a.csv").read_text().splitlines()))
        ids = np.flatnonzero(self.active[2])
        self.assertEqual(list(rows[0]), names.split(","))
        for row, b in zip(rows, ids, strict=True):
            v = self.value
            want = [np.linalg.norm(v["velocity"][2, b]), 100, 0, v["mass"][b],
                    *v["angular_velocity"][2, b], *v["orientation"][2, b], *v["force"][2, b]]
            for name, number in zip(row, want):
                self.assertAlmostEqual(float(row[name]), number, delta=6e-9 * abs(number), msg=name)

    def rows_of(self, k):
        """What a row of each active body holds in frame k: id, material, place, radius, mass, v, omega, quaternion (scalar last), force."""
        v, ids = self.value, np.flatnonzero(self.active[k])
        return np.column_stack([ids, v["species"][ids] + 1, v["position"][k, ids], v["radius"][ids], v["mass"][ids],
                                v["velocity"][k, ids], v["angular_velocity"][k, ids],
                                np.roll(v["orientation"][k, ids], -1, axis=1), v["force"][k, ids]])

    def assert_rows(self, lines, k):
        got, want = np.array([[float(w) for w in line.split()] for line in lines]), self.rows_of(k)
        self.assertEqual(got.size, want.size)
        self.assertTrue((np.abs(got.reshape(want.shape) - want) <= 6e-9 * np.abs(want)).all())

    def test_xyz(self):
        self.pluvia("export", "a.h5md", "--to", "xyz", "-o", "a.xyz")
        lines = (self.folder / "a.xyz").read_text().splitlines()
        for k, time in enumerate(self.times):
            count = int(lines[0])
            self.assertEqual(count, self.active[k].sum())
            said = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', lines[1]))
            self.assertAlmostEqual(float(said["Time"]), time)
            names = said["Properties"].split(":")
            self.assertEqual(names[::3], "species id material pos radius mass velo angular_velocity orientation force".split())
            self.assertEqual(sum(map(int, names[2::3])), 21)
            self.assertEqual({line[:2] for line in lines[2:2 + count]}, {"X "} if count else set())
            self.assert_rows([line[2:] for line in lines[2:2 + count]], k)
            lines = lines[2 + count:]
        self.assertEqual(lines, [])

    def test_lammps(self):
        self.pluvia("export", "a.h5md", "--to", "lammps", "--at", "0.1", "-o", "a.dump")
        items = re.split(r"^ITEM: ", (self.folder / "a.dump").read_text(), flags=re.M)[1:]
        held = {item.split("\n")[0]: item.rstrip("\n").split("\n")[1:] for item in items}
        atoms = "ATOMS id type x y z radius mass vx vy vz omegax omegay omegaz quati quatj quatk quatw fx fy fz"
        self.assertEqual(list(held), ["UNITS", "TIME", "TIMESTEP", "NUMBER OF ATOMS", "BOX BOUNDS ss ss ss", atoms])
        self.assertEqual((held["TIMESTEP"], held["UNITS"]), (["100"], ["si"]))
        self.assertEqual(int(held["NUMBER OF ATOMS"][0]), self.active[2].sum())
        self.assert_rows(held[atoms], 2)
        rows = self.rows_of(2)
        for i, line in enumerate(held["BOX BOUNDS ss ss ss"]):
            low, high = map(float, line.split())
            self.assertAlmostEqual(low, (rows[:, 2 + i] - rows[:, 5]).min())
            self.assertAlmostEqual(high, (rows[:, 2 + i] + rows[:, 5]).max())

    def test_coordinates_of_a_map(self):
        """Two spheres 5.4e6 m from the origin touch in every format, to a thousandth of their radius; so do floor and sphere."""
        east, north, r = 5.4e6, 3.1e6, 0.004
        self.write("m.cfg", "time: { step = 1e-3; end = 1e-3; };\ngravity = [0, 0, 0];\n" + LAWS + "boundaries = ( { plate: { center = "
                   f"[{east}, {north}, 1000]; normal = [0, 0, 1]; size = [0.02, 0.02]; }}; material = \"plate\"; }} );\nbodies = ( " + ", ".join(
                       f'{{ position = [{east + x!r}, {north!r}, {1000 + r!r}]; radius = {r}; material = "grain"; }}' for x in (-r, r)) + " );\n")
        self.pluvia("run", "m.cfg", "-q", "-o", "m.h5md")
        apart = {}
        for to, name in ("vtk", "m.pvd"), ("csv", "m.csv"), ("xyz", "m.xyz"), ("lammps", "m.dump"), ("povray", "m.pov"), ("xdmf", "m.xdmf"):
            self.pluvia("export", "m.h5md", "--to", to, *([] if to in ("vtk", "xdmf") else ["--at", "0"]), "-o", name,
                        *(["--force"] if to == "xdmf" else []))
        text = {name: (self.folder / name).read_text() for name in ("m.csv", "m.xyz", "m.dump", "m.pov", "m-boundaries.xdmf")}
        apart["vtk"] = np.diff(parse_vtp(self.folder / "m/m-000000.vtp")[0]["Points"][:, 0])
        apart["csv"] = np.diff([float(row["x"]) for row in csv.DictReader(text["m.csv"].splitlines())])
        apart["xyz"] = np.diff([float(line.split()[3]) for line in text["m.xyz"].splitlines()[2:]])
        apart["lammps"] = np.diff([float(line.split()[2]) for line in text["m.dump"].splitlines()[-2:]])
        apart["povray"] = np.diff([float(x) for x in re.findall(r"^sphere \{ <([^,]*),.*Material", text["m.pov"], re.M)])
        for name, way in apart.items():
            self.assertAlmostEqual(way[0], 2 * r, delta=1e-3 * r, msg=name)
        corners = parse_boundaries(self.folder / "m/m-standing.vtp")[0].reshape(-1, 3)
        rows = re.findall(r"^(5[-+.e\d]+) ([-+.e\d]+) [-+.e\d]+$", text["m-boundaries.xdmf"], re.M)
        for x in corners[:, 0], np.array(rows, float)[:, 0]:
            np.testing.assert_allclose([x.min() - east, x.max() - east], [-0.01, 0.01], atol=1e-3 * r)
        low, high = map(float, text["m.dump"].split("BOX BOUNDS ss ss ss\n")[1].split("\n")[0].split())
        self.assertAlmostEqual(high - low, 4 * r, delta=1e-3 * r)
        cells = list(csv.DictReader(self.pluvia("measure", "m.h5md", "--at", "0", "--field", "height", "--cell", "0.001")[0].splitlines()))
        self.assertGreater(len({row["x_m"] for row in cells}), 12)

    def test_numbers_of_all_sizes(self):
        """Nine digits, whatever the exponent: written into the file and read back."""
        sizes = np.array([0, 1, -1, 9.9999999951, 99999999.96, 0.1, 1e-4, 9.9999999e-5, -3e-300,
                          123456789, 1e8, 9.87654321e7, 1e300, 1 / 3, -2 / 3, 1e-3, 12.5, 1000])
        with h5py.File(self.folder / "a.h5md", "r+") as f:
            value = f["particles/trajectory/velocity/value"]
            rng = np.random.default_rng(1)
            for k in range(len(self.times)):
                for b in np.flatnonzero(self.active[k]):
                    value[k, b] = rng.choice(sizes, 3) * rng.choice([1, 1 + 1e-8, 7], 3)
            wrote = value[:]
        self.reseal("a.h5md")
        self.pluvia("export", "a.h5md", "--to", "csv", "--columns", "vx,vy,vz", "-o", "a.csv")
        rows = (self.folder / "a.csv").read_text().split()[1:]
        want = [",".join("%.9g" % x for x in wrote[k, b]) for k in range(len(self.times))
                for b in np.flatnonzero(self.active[k])]
        self.assertEqual(rows, want)

    def test_no_boundaries(self):
        """A single sphere in open space: there is nothing to draw but it (the build with sanitizers sees what is copied)."""
        self.write("free.cfg", FALL.replace(FLOOR, ""))
        self.pluvia("run", "-q", "free.cfg", "-o", "free.h5md")
        for kind, name in ("xdmf", "else.xdmf"), ("vtk", "else.pvd"):
            _, err = self.pluvia("export", "free.h5md", "--to", kind, "-o", name)
            self.assertEqual(err, "")
            self.assertTrue((self.folder / name).exists())
        self.assertEqual([name for name in self.files() if "boundaries" in name], [])

    def test_xdmf_is_that_of_the_run(self):
        self.pluvia("export", "a.h5md", "--to", "xdmf", "-o", "again.xdmf")
        self.assertTrue(filecmp.cmp(self.folder / "a.xdmf", self.folder / "again.xdmf",
                                    shallow=False))
        (self.folder / "else").mkdir()
        self.pluvia("export", "a.h5md", "--to", "xdmf", "-o", "else/where.xdmf")
        text = (self.folder / "else/where.xdmf").read_text()
        self.assertIn(f"{(self.folder / 'a.h5md').resolve()}:/particles/trajectory/radius", text)

    def test_povray(self):
        self.pluvia("export", "a.h5md", "--to", "povray", "--at", "0.1", "-o", "a.pov")
        text = (self.folder / "a.pov").read_text()
        spheres = re.findall(r"^sphere \{ <(.*?)>, (\S+) texture", text, re.M)
        ids = np.flatnonzero(self.active[2])
        self.assertEqual(len(spheres), len(ids))
        for (center, radius), b in zip(spheres, ids):
            np.testing.assert_allclose([float(x) for x in center.split(",")],
                                       self.value["position"][2, b], rtol=1e-8)
            self.assertAlmostEqual(float(radius), self.value["radius"][b], delta=1e-12)
        corners = re.findall(r"<([^>]*)>", re.search(r"polygon \{(.*)texture", text)[1])
        found = {tuple(float(x) for x in c.split(",")) for c in corners}
        self.assertEqual(found, {(x, y, 0) for x in (-0.5, 0.5) for y in (-0.25, 0.25)})

    def test_each_shape(self):
        shapes = {"plane: { normal = [0, 0, 2]; }": "plane { <0,0,1>, 0 ", "disc: { radius = 2; }": "disc { <0,0,0>, <0,0,1>, 2 ",
                  "cylinder: { axis = [2, 0, 0]; radius = 2; height = 3; bottom = false; }": "cylinder { <0,0,0>, <3,0,0>, 2 open",
                  "cone: { axis = [0, -1, 0]; radii = [2, 0]; height = 3; }": "cone { <0,0,0>, 2, <0,-3,0>, 0 open",
                  "sphere: { center = [1, 2, 3]; radius = 0.5; }": "sphere { <1,2,3>, 0.5  texture { Wall }",
                  "sphere: { radius = 9; inside = true; }": "sphere { <0,0,0>, 9 hollow texture { Glass }",
                  "box: { lower = [-1, -1, -1]; upper = [1, 1, 1]; faces = [\"z-\"]; }": "polygon { 5, <-1,-1,-1>, <1,-1,-1>, <1,1,-1>,"}
        until = ["1"] * 6 + ["5e-4"]  # the box is removed
        walls = ", ".join(f'{{ {shape}; material = "plate"; until = {time}; }}' for shape, time in zip(shapes, until, strict=True))
        self.write("b.cfg", "time: { step = 1e-3; end = 2e-3; };\n" + LAWS + f"boundaries = ( {walls} );\n"
                   'bodies = ( { position = [0.4, 0.3, 0.2]; radius = 0.1; material = "grain"; } );\nallow_overlap = true;\n')
        self.pluvia("run", "b.cfg", "-o", "b.h5md", "-q")
        self.pluvia("export", "b.h5md", "--to", "povray", "--at", "0", "-o", "b.pov")
        text = (self.folder / "b.pov").read_text()
        for shape, line in shapes.items():
            self.assertIn("\n" + line, text, shape)
        self.pluvia("export", "b.h5md", "--to", "vtk", "-o", "b.pvd")
        sets = xml.parse(self.folder / "b-boundaries.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([(float(entry.get("timestep")), entry.get("part"), entry.get("file")) for entry in sets],
                         [(0, "0", "b/b-standing.vtp"), (0, "1", "b/b-moving-000000.vtp"),
                          (2e-3, "0", "b/b-standing.vtp"), (2e-3, "1", "b/b-moving-000001.vtp")])
        (self.folder / "c-boundaries.pvd").write_text("precious")
        err = self.pluvia("export", "b.h5md", "--to", "vtk", "-o", "c.pvd", code=5)[1]
        self.assertIn("c-boundaries.pvd exists; use --force", err)
        self.assertFalse((self.folder / "c/c-000000.vtp").exists())
        triangles, number, time = parse_boundaries(self.folder / "b/b-standing.vtp")
        self.assertIsNone(time)
        self.assertEqual(len(parse_boundaries(self.folder / "b/b-moving-000001.vtp")[1]), 0)
        box = parse_boundaries(self.folder / "b/b-moving-000000.vtp")
        self.assertEqual(box[2], 0)
        triangles, number = np.concatenate([triangles, box[0]]), np.concatenate([number, box[1]])
        # of each shape: triangles, area (of a circle: of its 48 corners), and what is true on it
        side, radius = 4 * np.sin(np.pi / 48), np.linalg.norm
        ring = 2 * np.cos(np.pi / 48)  # to the middle of a side
        wants = [(2, None, lambda x: x[2]), (48, 24 * side * ring, lambda x: x[2]),
                 (96, 48 * side * 3, lambda x: radius(x[1:]) - 2),
                 (48, 24 * side * np.hypot(ring, 3), lambda x: radius(x[::2]) - 2 * (1 + x[1] / 3)),
                 (2208, None, lambda x: radius(x - [1, 2, 3]) - 0.5), (2208, None, lambda x: radius(x) - 9),
                 (2, 4, lambda x: x[2] + 1)]
        for k, (shape, (count, area, zero)) in enumerate(zip(shapes, wants, strict=True)):
            own = triangles[number == k]
            self.assertEqual(len(own), count, shape)
            self.assertLess(max(abs(zero(x)) for x in own.reshape(-1, 3)), 2e-6, shape)
            got = 0.5 * radius(np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0]), axis=1).sum()
            self.assertAlmostEqual(got, area or got, places=4, msg=shape)
        with h5py.File(self.folder / "b.h5md") as file:  # a plane is a square as large as what it is to be seen with
            x = file["particles/trajectory/position/value"][:, 0]
        low, high = x.min(axis=0) - 0.1, x.max(axis=0) + 0.1
        plane, half = triangles[number == 0].reshape(-1, 3), radius(high - low) / 2
        np.testing.assert_allclose(plane.min(axis=0)[:2], (low + high)[:2] / 2 - half, atol=1e-6)
        np.testing.assert_allclose(plane.max(axis=0)[:2], (low + high)[:2] / 2 + half, atol=1e-6)

    def test_help_names_the_formats_of_the_page(self):
        formats = re.findall(r"^\| `([a-z]+)` \| [^|]+ \| [^|]+ \|$",
                             (ROOT / "output/README.md").read_text().split("## In other formats")[1], re.M)
        self.assertEqual(formats, ["xdmf", "vtk", "csv", "contacts", "xyz", "lammps", "povray", "problem", "siconos"])
        page = self.pluvia("help", "export")[0]
        for name in formats:
            self.assertIn(f" {name}: ", page)

    def test_wrong_words(self):
        for words, said in [(["--to", "vtk", "-o", "a.vtk"], ".pvd"),
                            (["--to", "vtk", "-o", "a.vtp"], "--at"),
                            (["--to", "csv", "--columns", "time,spped", "-o", "x"], "spped"),
                            (["--to", "xdmf", "--at", "1", "-o", "x"], "--at"),
                            (["--to", "xdmf", "-o", "a.h5md"], "is the input"),
                            (["--to", "stl", "-o", "x"], "stl"), (["--to", "csv"], "--output")]:
            self.assertIn(said, self.pluvia("export", "a.h5md", *words, code=2)[1])
        for to, name in [("csv", "no/a.csv"), ("vtk", "no/a.pvd"), ("povray", "no/a.pov"),
                         ("xdmf", "no/a.xdmf")]:
            err = self.pluvia("export", "a.h5md", "--to", to, "-o", name, code=5)[1]
            self.assertIn("no/a", err)
        full = self.pluvia("export", "a.h5md", "--to", "csv", "-o", "/dev/full", code=5)[1]
        self.assertIn("/dev/full", full)

    def test_what_the_file_does_not_hold(self):
        self.write("b.cfg", re.sub(r"quantities = \[.*?\]", "quantities = []", SCENE))
        self.pluvia("run", "b.cfg", "-q", "-o", "b.h5md")
        self.assertIn('"vx"', self.pluvia("export", "b.h5md", "--to", "csv", "-o", "b.csv", code=3)[1])
        self.pluvia("export", "b.h5md", "--to", "vtk", "-o", "b.pvd")
        arrays, _ = parse_vtp(self.folder / "b/b-000000.vtp")
        self.assertNotIn("velocity", arrays)


if __name__ == "__main__":
    unittest.main()
