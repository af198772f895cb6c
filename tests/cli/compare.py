"""pluvia compare: same, different by a known amount, unreadable."""
import json
import shutil
import unittest

import h5py

from command import FALL, Case

RICH = FALL.replace("interval = 0.01;", 'interval = 0.01; contacts = true; '
                    'quantities = ["position", "velocity", "angular_velocity", "orientation", "force"];')
RICH = RICH.replace("0.05]", "0.0101]")  # it lands: there are contacts to compare


class Compare(Case):
    def prepare(self):
        self.write("fall.cfg", RICH)
        self.pluvia("run", "-q", "fall.cfg", "-o", "a.h5md")
        shutil.copy(self.folder / "a.h5md", self.folder / "b.h5md")

    def change(self, dataset, index, by):
        with h5py.File(self.folder / "b.h5md", "r+") as f:
            f[dataset][index] += by
        self.reseal("b.h5md")

    def quantities(self, code, *words):
        out, err = self.pluvia("compare", "a.h5md", "b.h5md", "--json", *words, code=code)
        self.assertEqual(err, "")
        return {q["name"]: q for q in json.loads(out)["quantities"]}

    def test_same(self):
        found = self.quantities(0)
        for name in ["position", "velocity", "angular_velocity", "orientation", "force", "radius", "mass", "state",
                     "contact pairs", "contact impulse", "kinetic_energy"]:
            self.assertEqual(found[name]["difference"], 0, name)

    def test_one_number_differs(self):
        self.change("/particles/trajectory/velocity/value", (3, 0, 1), 0.25)
        found = self.quantities(1)
        self.assertEqual(found["velocity"]["difference"], 0.25)
        self.assertEqual(found["velocity"]["body"], 0)
        self.assertAlmostEqual(found["velocity"]["time"], 0.03)
        self.assertEqual(found["position"]["difference"], 0)
        self.assertIn("different", self.pluvia("compare", "a.h5md", "b.h5md", code=1)[0])

    def test_a_contact_differs(self):
        self.change("/contacts/impulse", (-1, 0), 1e-6)
        self.assertAlmostEqual(self.quantities(1)["contact impulse"]["difference"], 1e-6, delta=1e-15)

    def boundaries(self, *speeds):
        """Trajectories whose plate, which the sphere never meets, moves at these speeds."""
        for name, speed in zip("ab", speeds):
            self.pluvia("run", "-q", "fall.cfg", "-o", f"{name}.h5md", "--force", "-s", "bodies.0.position=[0,0,5]", "-s",
                        f"boundaries.0.motion={{velocity=[0,0,{speed}];}}")

    def test_boundaries_that_move_differ(self):
        self.boundaries(-0.1, -0.2)
        found = self.quantities(1)
        self.assertAlmostEqual(found["boundary position"]["difference"], 0.005)
        self.assertAlmostEqual(found["boundary position"]["time"], 0.05)
        self.assertEqual(found["boundary position"]["boundary"], 0)
        self.assertEqual(found["boundary position"]["body"], -1)
        self.assertEqual(found["position"]["difference"], 0)
        self.assertEqual(found["position"]["boundary"], -1)
        self.assertRegex(self.pluvia("compare", "a.h5md", "b.h5md", code=1)[0], r"boundary position +0\.005 .* boundary 0\n")
        self.quantities(0, "--tolerance", "0.6")

    def test_what_acts_on_boundaries_differs(self):
        self.boundaries(-0.1, -0.1)
        for name in ["position", "rotation", "force", "moment", "stress", "state"]:
            self.assertEqual(self.quantities(0)[f"boundary {name}"]["difference"], 0, name)
        for name, index, value in [("rotation", (2, 0, 1), 0.5), ("force", (2, 0, 2), 0.5), ("moment", (2, 0, 0), 0.5),
                                   ("stress", (2, 0), 7.0), ("state", (2, 0), 0)]:  # the stress of frame 2 is not a number
            with h5py.File(self.folder / "b.h5md", "r+") as f:
                before = f[f"/boundaries/{name}/value"][index]
                f[f"/boundaries/{name}/value"][index] = value
            self.reseal("b.h5md")
            found = self.quantities(1)[f"boundary {name}"]
            self.assertEqual(found["boundary"], 0, name)
            self.assertNotEqual(found["difference"], 0, name)  # of what is not a number: null
            with h5py.File(self.folder / "b.h5md", "r+") as f:
                f[f"/boundaries/{name}/value"][index] = before

    def test_boundaries_that_one_lacks(self):
        self.boundaries(-0.1, -0.1)
        with h5py.File(self.folder / "b.h5md", "r+") as f:  # as files of older versions have it
            del f["/boundaries/stress"]
        self.reseal("b.h5md")
        found = self.quantities(1)
        self.assertTrue(found["boundary stress"]["missing"])
        self.assertFalse(found["boundary force"]["missing"])
        self.pluvia("run", "-q", "fall.cfg", "-o", "b.h5md", "--force", "-s", "bodies.0.position=[0,0,5]")
        self.assertTrue(self.quantities(1)["boundaries"]["missing"])

    def test_tolerance(self):
        self.change("/particles/trajectory/position/value", (2, 0, 2), 1e-6)
        self.quantities(1)
        self.quantities(0, "--tolerance", "1e-3")
        self.quantities(1, "--tolerance", "1e-5")

    def test_nan_is_different(self):
        self.change("/particles/trajectory/position/value", (2, 0, 2), float("nan"))
        self.quantities(1, "--tolerance", "1")

    def test_fewer_frames(self):
        self.pluvia("run", "-q", "fall.cfg", "-o", "b.h5md", "--force", "--until", "0.02")
        found = self.quantities(1)
        self.assertEqual(found["frames"]["difference"], 3)
        self.assertEqual(found["position"]["difference"], 0)

    def test_a_quantity_that_one_lacks(self):
        self.pluvia("run", "-q", "fall.cfg", "-o", "b.h5md", "--force", "-s", 'output.quantities=["velocity"]')
        self.assertTrue(self.quantities(1)["force"]["missing"])

    def test_unreadable(self):
        self.write("c.h5md", "no trajectory")
        _, err = self.pluvia("compare", "a.h5md", "c.h5md", code=3)
        self.assertIn("c.h5md", err)
        self.pluvia("compare", "missing.h5md", "a.h5md", code=5)
        whole = (self.folder / "a.h5md").read_bytes()
        (self.folder / "c.h5md").write_bytes(whole[:len(whole) // 2])
        self.pluvia("compare", "a.h5md", "c.h5md", code=3)


if __name__ == "__main__":
    unittest.main()
