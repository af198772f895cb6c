"""pluvia fields: continuous fields against the grains and stresses that they are of."""
import csv
import io
import json
import re
import unittest

import h5py
import numpy as np
from command import FALL, ROOT, Case


class Fields(Case):
    def fields(self, *words):
        return list(csv.DictReader(io.StringIO(self.pluvia("fields", *words)[0])))

    def mean(self, rows, name):
        return sum(float(row[name]) for row in rows) / len(rows)

    def test_a_sheared_cell(self):
        """Over a whole periodic cell the means are its stress and solid fraction, whatever direction is resolved."""
        self.pluvia("run", ROOT / "scenes" / "shear_cell.cfg", "-q", "-o", "a.h5md", "-s", "time.end=0.1", "-s",
                    "output.interval=0.05", "-s", "output.contacts=true")
        frame = json.loads(self.pluvia("measure", "a.h5md", "--json")[0])["frame"]
        for along in "x", "z", "xz":
            rows = self.fields("a.h5md", "--along", along, "--spacing", "0.002")
            self.assertAlmostEqual(self.mean(rows, "solid_fraction") / frame["packing"]["cell_solid_fraction"], 1, delta=1e-5)
            for name in "xx", "xz", "zx", "zz":
                self.assertAlmostEqual(self.mean(rows, f"contact_stress_{name}_Pa") / frame["stress"]["pressure"],
                                       frame["stress"][name] / frame["stress"]["pressure"], delta=1e-5)
        # two frames count alike; a window of one frame is that frame
        both = self.fields("a.h5md", "--from", "0.05")
        one, other = self.fields("a.h5md", "--at", "0.05", "--width", "0.004"), self.fields("a.h5md", "--width", "0.004")
        self.assertEqual(other, self.fields("a.h5md", "--from", "0.1", "--width", "0.004"))
        self.assertNotEqual(one, other)
        self.assertGreater(len(both), 5)

    def test_materials_add_up(self):
        self.pluvia("run", ROOT / "scenes" / "shear_cell.cfg", "-q", "-o", "a.h5md", "-s", "time.end=0.02")
        whole, part = self.fields("a.h5md"), self.fields("a.h5md", "--material", "grain")
        self.assertEqual(whole, part)
        self.assertEqual(whole[0]["contact_stress_zz_Pa"], "")  # no contacts in the file

    def test_an_image(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        self.pluvia("fields", "a.h5md", "--along", "xz", "-o", "a.vti")
        text = (self.folder / "a.vti").read_text()
        size = [int(n) + 1 for n in re.search(r'WholeExtent="0 (\d+) 0 (\d+) 0 (\d+)"', text).groups()]
        self.assertEqual(size[1], 1)
        for name, body in re.findall(r'Name="(\w+)" NumberOfComponents="\d" format="ascii">\n(.*?)</DataArray>', text, re.S):
            numbers = body.split()
            self.assertEqual(len(numbers) % (size[0] * size[2]), 0, name)
        self.assertIn('Name="solid_fraction"', text)
        self.pluvia("fields", "a.h5md", "-o", "a.vti", code=5)  # it is there

    def test_the_whole_mass(self):
        """Without --region the nodes hold all mass, also beyond the box around the spheres; a window says what they leave out."""
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        with h5py.File(self.folder / "a.h5md") as file:
            p = file["particles/trajectory"]
            mass, r = p["mass"][:].sum(), p["radius"][:]
            x = p["position/value"][-1]
        area = np.prod((x[:, :2] + r[:, None]).max(axis=0) - (x[:, :2] - r[:, None]).min(axis=0))
        rows = self.fields("a.h5md", "--spacing", str(r.max() / 16))
        z, rho = ([float(row[name]) for row in rows] for name in ("z_m", "density_kg_per_m3"))
        self.assertEqual((rho[0], rho[-1]), (0, 0))
        self.assertAlmostEqual(sum(rho) * (z[1] - z[0]) * area / mass, 1, delta=1e-4)
        err = self.pluvia("fields", "a.h5md", "--from", "0", "-o", "b.csv")[1]
        self.assertRegex(err, "leaves out up to [0-9.]+ % of the mass")
        self.assertEqual(self.pluvia("fields", "a.h5md", "--from", "0", "--region", "-1,-1,-1,1,1,1", "-o", "c.csv")[1], "")
        self.pluvia("fields", "a.h5md", "-o", "b.csv")  # a table of its own is replaced
        for name in "b.txt", "b", "b.csv.gz":
            self.assertIn("must end in .csv", self.pluvia("fields", "a.h5md", "-o", name, code=2)[1])
            self.assertNotIn(name, self.files())

    def test_wrong_words(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        for words, said in [(["--along", "xx"], "--along"), (["--along", "w"], "--along"), (["--width", "0"], "--width"),
                            (["--region", "0,0,0,1,1"], "--region"), (["--region", "0,0,0,1,1,0"], "empty"),
                            (["--from", "7"], "no frame"), (["--at", "0", "--to", "1"], "exclude"),
                            (["--material", "gold"], "gold"), (["--along", "xyz", "--spacing", "1e-5"], "nodes")]:
            _, err = self.pluvia("fields", "a.h5md", *words, code=2)
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
