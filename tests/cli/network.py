"""Numbers of single grains and the contact force network: in files, computed by exports, and in VTK files, against each other,
against closed forms, and against the forces on boundaries and the stress of a cell."""
import csv
import io
import json
import re
import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy as np
from command import ROOT, Case
from export import parse_vtp

try:
    import vtk
except ImportError:
    vtk = None

NUMBERS = {"torque": ["tx", "ty", "tz"], "stress": ["s" + a + b for a in "xyz" for b in "xyz"], "dissipation": ["dissipation"],
           "coordination": ["coordination"], "force": ["fx", "fy", "fz"]}
OUTPUT = """
output: { interval = 0.05; contacts = true; boundaries = true;
          quantities = ["velocity", "angular_velocity", "force", "torque", "stress", "dissipation", "coordination"]; };
"""

# Grains between shapes with one part and with many, some of them without a name or with the same one, one that moves.
SHAPES = """
time: { step = 1e-3; end = 0.2; };
gravity = [0.0, 0.0, -9.81];
materials = ( { name = "g"; density = 2500.0; } );
contacts = ( { between = ["g", "g"]; friction = 0.4; rolling_friction = 1e-4; cohesion = 0.01; } );
boundaries = ( { sphere: { center = [0, 0, 0]; radius = 0.012; }; material = "g"; },
               { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.5]; faces = ["x-", "x+", "y-", "y+"]; }; material = "g"; },
               { name = "floor"; plate: { center = [0, 0, 0]; size = [0.05, 0.05]; }; material = "g";
                 motion: { velocity = [0.02, 0, 0]; }; },
               { name = "mesh"; mesh: { file = "step.obj"; }; material = "g"; } );
bodies = ( { packing: { count = 60; box = [[-0.018, -0.018, 0.02], [0.018, 0.018, 0.2]]; }; material = "g"; radius = [0.003, 0.004]; } );
""" + OUTPUT

STEP = """v -0.019 -0.019 0.01
v -0.008 -0.019 0.01
v -0.008 0.019 0.008
v -0.019 0.019 0.008
f 1 2 3
f 1 3 4
"""

# Three spheres that stand on each other.
COLUMN = """
time: { step = 1e-3; end = 0.2; };
gravity = [0.0, 0.0, -9.81];
materials = ( { name = "g"; density = 2500.0; } );
contacts = ( { between = ["g", "g"]; friction = 0.4; rolling_friction = 1e-4; } );
boundaries = ( { plane: { center = [0, 0, 0]; }; material = "g"; } );
bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "g"; }, { position = [0, 0, 0.03]; radius = 0.01; material = "g"; },
           { position = [0, 0, 0.06]; radius = 0.02; material = "g"; } );
""" + OUTPUT


class Network(Case):
    def table(self, path, *words):
        rows = list(csv.DictReader(io.StringIO(self.pluvia("export", path, *words, "-o", "-")[0])))
        return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]} if rows else {}

    def run_shapes(self):
        self.write("step.obj", STEP)
        self.write("a.cfg", SHAPES)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")

    def test_a_column(self):
        """sigma_zz of a grain under the weight W above it and its own is (2 W + m g) r / V; contacts: two, the top one."""
        self.write("a.cfg", COLUMN)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        with h5py.File(self.folder / "a.h5md") as file:
            p = file["particles/trajectory"]
            stress, count, r, m = p["stress/value"][-1], p["coordination/value"][-1], p["radius"][:], p["mass"][:]
        weight, volume = 9.81 * m, 4 / 3 * np.pi * r**3
        above = np.array([weight[1] + weight[2], weight[2], 0])
        np.testing.assert_allclose(stress[:, 8], (2 * above + weight) * r / volume, rtol=1e-6)
        np.testing.assert_allclose(np.delete(stress, 8, axis=1), 0, atol=1e-6 * stress[:, 8].max())
        self.assertEqual(count.tolist(), [2, 2, 1])
        links = self.table("a.h5md", "--to", "contacts", "--at", "0.2")
        self.assertEqual(sorted(zip(links["id1"], links["id2"], links["boundary"])), [(-1, 0, 0), (0, 1, -1), (1, 2, -1)])
        order = np.argsort(links["id2"])
        np.testing.assert_allclose(links["normal_force"][order], above + weight, rtol=1e-6)
        np.testing.assert_allclose(links["fz"][order], above + weight, rtol=1e-6)
        np.testing.assert_allclose(links["nz"], 1, rtol=1e-9)

    def test_files_and_exports_agree(self):
        """What a run writes is what an export computes from contacts, but for the spin of boundaries, of which there is none here."""
        self.run_shapes()
        self.pluvia("info", "--verify", "a.h5md")
        self.pluvia("run", "a.cfg", "-q", "-o", "b.h5md", "-s", 'output.quantities=["velocity", "angular_velocity"]')
        columns = ["id", *(name for names in NUMBERS.values() for name in names)]
        for frame in 0, 3:
            time = str(0.05 * frame)
            a, b = (self.table(path, "--to", "csv", "--at", time, "--columns", ",".join(columns)) for path in ("a.h5md", "b.h5md"))
            with h5py.File(self.folder / "a.h5md") as file:
                p = file["particles/trajectory"]
                for name, names in NUMBERS.items():
                    value = p[name]["value"][frame][a["id"].astype(int)]
                    scale = max(abs(value).max(), 1e-300)
                    for i, column in enumerate(names):
                        want = value[:, i] if value.ndim > 1 else value
                        np.testing.assert_allclose(a[column], want, atol=1e-8 * scale, err_msg=column)
                        np.testing.assert_allclose(b[column], want, atol=1e-8 * scale, err_msg=column)
                if frame:
                    self.assertGreater(p["dissipation/value"][frame].max(), 0)
        for to, words in ("xyz", "torque:R:3:stress:R:9:dissipation:R:1:coordination:I:1"), ("lammps", "tqx tqy tqz sxx sxy"):
            self.assertIn(words, self.pluvia("export", "b.h5md", "--to", to, "--at", "0.15", "-o", "-")[0])
        found = {q["name"]: q for q in json.loads(self.pluvia("compare", "a.h5md", "a.h5md", "--json")[0])["quantities"]}
        self.assertEqual([found[name]["difference"] for name in NUMBERS], [0] * 5)
        self.pluvia("run", "a.cfg", "-q", "-o", "c.h5md", "-s", 'output.quantities=["velocity"]', "-s", "output.contacts=false")
        err = self.pluvia("export", "c.h5md", "--to", "csv", "--columns", "id,pressure", "-o", "c.csv", code=3)[1]
        self.assertIn("output.contacts", err)
        self.assertIn("no contacts", self.pluvia("export", "c.h5md", "--to", "contacts", "-o", "c.csv", code=3)[1])

    def test_same_bits(self):
        """Of one thread and of two, and of a run that is continued."""
        self.run_shapes()
        self.pluvia("run", "a.cfg", "-q", "-j", "1", "-o", "b.h5md", "--until", "0.1")
        self.pluvia("run", "a.cfg", "-q", "-j", "2", "-o", "b.h5md", "--restart", "auto")
        self.pluvia("info", "--verify", "b.h5md")
        self.assertIn("stress", self.pluvia("compare", "a.h5md", "b.h5md")[0])

    def test_boundaries(self):
        """The links of a boundary bear the force that the file has for it, whatever parts it has."""
        self.run_shapes()
        links = self.table("a.h5md", "--to", "contacts")
        with h5py.File(self.folder / "a.h5md") as file:
            force, times = file["boundaries/force/value"][:], file["particles/trajectory/position/time"][:]
            grains = file["particles/trajectory/force/value"][:]
        for k, time in enumerate(times):
            now = abs(links["time"] - time) < 1e-9
            for i, column in enumerate(["fx", "fy", "fz"]):
                scale = 1e-7 * max(abs(force).max(), 1e-3)
                for b in range(4):
                    of_b = now & (links["boundary"] == b)
                    self.assertAlmostEqual(-links[column][of_b].sum(), force[k, b, i], delta=scale)
                total = np.zeros(60)
                np.add.at(total, links["id2"][now].astype(int), links[column][now])
                pairs = now & (links["id1"] >= 0)
                np.subtract.at(total, links["id1"][pairs].astype(int), links[column][pairs])
                np.testing.assert_allclose(total, grains[k, :, i], atol=1e-7 * abs(grains).max())
        self.assertEqual(set(links["boundary"]), {-1, 0, 1, 2, 3})
        self.check_last_frame({name: value[abs(links["time"] - times[-1]) < 1e-9] for name, value in links.items()})
        self.assertLess(links["normal_force"].min(), 0)  # cohesion pulls

    def test_a_boundary_that_turns(self):
        """Its spin is not in the file: what rolls on it dissipates an unknown power, unless the run has written it."""
        self.write("a.cfg", COLUMN.replace("plane: { center = [0, 0, 0]; };", "cylinder: { center = [0, -0.1, 0.2]; axis = [0, 1, 0]; radius = 0.2; "
                                           "height = 0.2; }; motion: { rate = 3.0; axis = [0, 1, 0]; center = [0, 0, 0.2]; };"))
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        with h5py.File(self.folder / "a.h5md") as file:
            p, c = file["particles/trajectory"], file["contacts"]
            rows = slice(*c["offset"][-2:])
            body, normal, tangent, dt = c["body"][rows], c["normal"][rows], c["tangent"][rows], c["dt"][-1]
            axes = np.stack([normal, tangent, np.cross(normal, tangent)], axis=1)
            force, moment, slip = ((c[name][rows][:, None] @ axes)[:, 0] for name in ("impulse", "moment_impulse", "velocity"))
            force -= c["impulse"][rows][:, :1] * normal
            spin, want = p["angular_velocity/value"][-1], np.zeros(3)
            for k, (a, b) in enumerate(body):
                power = -(force[k] @ slip[k] + moment[k] @ (spin[b] - (spin[a] if a >= 0 else [0, 3.0, 0]))) / dt
                for grain in {a, b} - {a if a < 0 else None}:
                    want[grain] += power / (1 if a < 0 else 2)
            self.assertGreater(want.max(), 1e-7)
            np.testing.assert_allclose(p["dissipation/value"][-1], want, rtol=1e-6, atol=1e-9 * want.max())
        self.pluvia("run", "a.cfg", "-q", "-o", "b.h5md", "-s", 'output.quantities=["angular_velocity", "velocity"]')
        frame = json.loads(self.pluvia("measure", "b.h5md", "--json")[0])["frame"]
        self.assertIsNone(frame["energy"]["rolling_power"])
        self.assertIsNone(frame["grains"]["dissipation_max"])
        self.pluvia("export", "b.h5md", "--to", "csv", "--columns", "id,pressure,coordination", "-o", "b.csv")
        # of those that do not touch the drum it is known, by every way out; the others have an empty cell, or a word in rows with blanks
        field = list(csv.DictReader(self.pluvia("measure", "b.h5md", "--field", "grains")[0].splitlines()))
        table = list(csv.DictReader(self.pluvia("export", "b.h5md", "--to", "csv", "--at", "0.2", "--columns", "id,dissipation", "-o", "-")[0].splitlines()))
        self.assertEqual([row["dissipation"] == "" for row in table], [row["dissipation_W"] == "" for row in field])
        self.assertEqual({row["dissipation"] == "" for row in table}, {True, False})
        for row, power in zip(table, want):
            if row["dissipation"]:
                self.assertAlmostEqual(float(row["dissipation"]) / power, 1, delta=1e-5)
        text = self.pluvia("export", "b.h5md", "--to", "xyz", "--at", "0.2", "-o", "-")[0].splitlines()[1:]
        numbers = sum(map(int, re.findall(r":[RSI]:(\d+)", text[0])))
        self.assertEqual({len(row.split()) for row in text[1:]}, {numbers})
        self.assertTrue(any(" nan " in row for row in text[1:]))

    def check_last_frame(self, links):
        """Torques and stresses of the file by the links of its last frame."""
        with h5py.File(self.folder / "a.h5md") as file:
            p = file["particles/trajectory"]
            r, torque, stress = p["radius"][:], p["torque/value"][-1], p["stress/value"][-1]
        force, moment, normal = (np.stack([links[a + b] for b in "xyz"], axis=1) for a in ("f", "m", "n"))
        turn, tensor = np.zeros((60, 3)), np.zeros((60, 9))
        for k, bodies in enumerate(zip(links["id1"].astype(int), links["id2"].astype(int))):
            for body, sign in zip(bodies, (-1, 1)):
                if body >= 0:
                    turn[body] += np.cross(-r[body] * normal[k], force[k]) + sign * moment[k]
                    tensor[body] += np.outer(force[k], normal[k]).ravel() / (4 / 3 * np.pi * r[body]**2)
        np.testing.assert_allclose(torque, turn, atol=1e-6 * abs(torque).max())
        np.testing.assert_allclose(stress, tensor, atol=1e-6 * abs(stress).max())

    def blocks(self, path):
        root = xml.parse(self.folder / path).getroot()
        self.assertEqual(root.get("type"), "vtkMultiBlockDataSet")
        return {block.get("name"): block.get("file") for block in root[0]}

    def test_vtk(self):
        """One file opens bodies, contacts and boundaries of each frame, and their numbers are those of the table."""
        self.run_shapes()
        self.pluvia("export", "a.h5md", "--to", "vtk", "-o", "v.pvd")
        sets = xml.parse(self.folder / "v-all.pvd").getroot().findall("Collection/DataSet")
        links = self.table("a.h5md", "--to", "contacts")
        with h5py.File(self.folder / "a.h5md") as file:
            times = file["particles/trajectory/position/time"][:]
        self.assertEqual([float(entry.get("timestep")) for entry in sets], times.tolist())
        for k, entry in enumerate(sets):
            blocks = self.blocks(entry.get("file"))
            self.assertEqual(list(blocks), ["grains", "contacts", "boundary_contacts", "boundaries", "moving_boundaries"])
            if k in (0, len(sets) - 1):  # nothing touches at the start
                self.assertEqual(k == 0, blocks["contacts"] is None)
            grains, time = parse_vtp(self.folder / "v" / blocks["grains"])
            self.assertEqual(time, times[k])
            self.assertEqual(set(parse_vtp(self.folder / "v" / blocks["moving_boundaries"])[0]["boundary"]), {2})
            self.assertEqual(set(parse_vtp(self.folder / "v" / blocks["boundaries"])[0]["boundary"]), {0, 1, 3})
            for block, first, second in ("contacts", "id1", "id2"), ("boundary_contacts", "particle_id", "wall_id"):
                now = (abs(links["time"] - times[k]) < 1e-9) & ((links["id1"] < 0) == (block != "contacts"))
                self.assertEqual(now.any(), blocks[block] is not None)
                if not blocks[block]:
                    continue
                lines, time = parse_vtp(self.folder / "v" / blocks[block])
                self.assertEqual(time, times[k])
                self.assertTrue(np.isin(lines["id1"] if block == "contacts" else lines[first], grains["id"]).all())
                for name, column in {first: "id1" if block == "contacts" else "id2", second: "id2" if block == "contacts" else "boundary",
                                     "mode": "mode", "normal_force": "normal_force", "tangential_force": "tangential_force"}.items():
                    np.testing.assert_allclose(lines[name], links[column][now], rtol=1e-6, err_msg=name)
                force = np.stack([links[c][now] for c in ("fx", "fy", "fz")], axis=1)
                np.testing.assert_allclose(lines["force"], force, rtol=1e-5, atol=1e-6 * abs(force).max())
                np.testing.assert_allclose(lines["force_normal"] + lines["force_tangential"], force, atol=1e-5 * abs(force).max())
                ends = lines["Points"].reshape(-1, 2, 3)
                where = {body: x for body, x in zip(grains["id"], grains["Points"])}
                of_grains = [ends[:, 0]] if block != "contacts" else [ends[:, 0], ends[:, 1]]
                for body, end in zip([lines[first], lines[second]], of_grains):
                    np.testing.assert_array_equal(end, [where[b] for b in body])

    @unittest.skipIf(vtk is None, "python3-vtk9 is not installed")
    def test_vtk_reads_it(self):
        self.run_shapes()
        self.pluvia("export", "a.h5md", "--to", "vtk", "-o", "v.pvd")
        for k in 0, 3:
            reader = vtk.vtkXMLMultiBlockDataReader()
            reader.SetFileName(str(self.folder / f"v/v-{k:06d}.vtm"))
            reader.Update()
            data = reader.GetOutput()
            counts = {}
            for i in range(data.GetNumberOfBlocks()):
                block = data.GetBlock(i)
                name = data.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME())
                counts[name] = block and (block.GetNumberOfVerts(), block.GetNumberOfLines(), block.GetNumberOfPolys() > 0)
                if name in ("contacts", "boundary_contacts") and block:
                    self.assertAlmostEqual(block.GetFieldData().GetArray("TimeValue").GetValue(0), 0.05 * k, places=12)
                    cells = block.GetCellData()
                    names = [cells.GetArrayName(i) for i in range(cells.GetNumberOfArrays())]
                    self.assertLessEqual({"force", "force_normal", "force_tangential", "normal_force", "mode"}, set(names))
            links = self.table("a.h5md", "--to", "contacts", "--at", str(0.05 * k))
            pairs, walls = (int((links["id1"] >= 0).sum()), int((links["id1"] < 0).sum())) if links else (0, 0)
            self.assertEqual(counts, {"grains": (60, 0, False), "contacts": (0, pairs, False) if pairs else None,
                                      "boundary_contacts": (0, walls, False) if walls else None, "boundaries": (0, 0, True),
                                      "moving_boundaries": (0, 0, True)})

    def test_a_periodic_cell(self):
        """The sum of V sigma over the grains is the contact stress of the cell, and links end where grains touch across its sides."""
        self.pluvia("run", ROOT / "scenes" / "shear_cell.cfg", "-q", "-o", "a.h5md", "-s", "time.end=0.1", "-s", "output.interval=0.1",
                    "-s", "output.contacts=true", "-s",
                    'output.quantities=["velocity", "angular_velocity", "stress", "coordination", "dissipation"]')
        frame = json.loads(self.pluvia("measure", "a.h5md", "--json")[0])["frame"]
        with h5py.File(self.folder / "a.h5md") as file:
            p = file["particles/trajectory"]
            r, stress, count = p["radius"][:], p["stress/value"][-1], p["coordination/value"][-1]
            lost = p["dissipation/value"][-1].sum()
            cell = np.linalg.det(p["box/edges/value"][-1])
        total = (4 / 3 * np.pi * r[:, None]**3 * stress).sum(axis=0).reshape(3, 3) / cell
        for i, a in enumerate("xyz"):
            for j, b in enumerate("xyz"):
                self.assertAlmostEqual(total[i, j], frame["stress"][a + b], delta=1e-12 * frame["stress"]["pressure"])
        self.assertAlmostEqual(count.mean(), frame["contacts"]["coordination"], places=12)
        power = frame["energy"]["sliding_power"] + frame["energy"]["rolling_power"]
        self.assertAlmostEqual(lost, power, delta=1e-9 * power)
        pressure, of_grains = stress[:, [0, 4, 8]].mean(axis=1), frame["grains"]
        for name, want in {"pressure_mean": pressure.mean(), "pressure_max": pressure.max(), "coordination_max": count.max(),
                           "pressure_spread": pressure.std() / pressure.mean()}.items():
            self.assertAlmostEqual(of_grains[name] / want, 1, places=9, msg=name)
        rows = list(csv.DictReader(io.StringIO(self.pluvia("measure", "a.h5md", "--field", "grains", "--region", "0,0,0,1,1,0.02")[0])))
        self.assertTrue(0 < len(rows) < len(r) and all(0 <= float(row["z_m"]) <= 0.02 for row in rows))
        for row in rows:
            self.assertAlmostEqual(float(row["szx_Pa"]), stress[int(row["id"]), 6], delta=1e-8 * pressure.max())
            self.assertEqual(int(row["coordination"]), count[int(row["id"])])
        self.pluvia("export", "a.h5md", "--to", "vtk", "--at", "0.1", "-o", "v.pvd")
        lines, _ = parse_vtp(self.folder / "v" / self.blocks("v/v-000001.vtm")["contacts"])
        ends = lines["Points"].reshape(-1, 2, 3)
        length, reach = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), r[lines["id1"]] + r[lines["id2"]]
        np.testing.assert_allclose(length, reach, rtol=0.02)
        self.assertGreater(len(length), 100)


if __name__ == "__main__":
    unittest.main()
