"""Runs in stages: a scene takes the cell and the boundaries of the run that its bodies come from."""
import json
import unittest

import h5py
import numpy

from command import Case
from starts import particles, state_hash

HEAD = """
seed = 3;
gravity = [0, 0, 0];
time: { step = 2e-4; end = 0.02; };
output: { interval = 0.01; contacts = true; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.3; }, { between = ["grain", "steel"]; friction = 0.1; } );
"""
CELL = HEAD + """
cell: { size = [0.022, 0.022, 0.022]; origin = [0.01, 0, -0.01]; stress = [1e3, 1e3, 1e3]; };
bodies = ( { lattice: { counts = [4, 4, 4]; spacing = 0.0055; origin = [0.0125, 0.0025, -0.0075]; jitter = 2e-4; };
             material = "grain"; radius = 0.0025; } );
"""
SHEAR = HEAD + """
cell: { shear_rate = 4.0; stress = [0, 0, 1e3]; };
bodies = ( { run: { path = "output/one.h5md"; }; } );
"""
SLOWER = SHEAR.replace("4.0", "1.0").replace("one", "two")
BOX = HEAD + """
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.02, 0.02, 0.1]; faces = ["x-", "x+", "y-", "y+", "z-"]; };
                 material = "steel"; name = "box"; },
               { plane: { center = [0, 0, 0.03]; normal = [0, 0, -1]; }; material = "steel"; name = "lid"; %s } );
bodies = ( %s );
"""
LATTICE = """{ lattice: { counts = [3, 3, 4]; spacing = 0.0064; origin = [0.0036, 0.0036, 0.0034]; jitter = 1e-4; };
               material = "grain"; radius = 0.003; }"""
PRESSED = BOX % ("servo: { mass = 0.04; stress = 100e3; };", LATTICE)
PULLED = BOX % ("motion: { velocity = [0, 0, 0.02]; };", '{ run: { path = "output/one.h5md"; }; }')


def edges(path, frame):
    with h5py.File(path) as file:
        return file["particles/trajectory/box/edges/value"][frame]


def lid(path, frame):
    with h5py.File(path) as file:
        return file["boundaries/position/value"][frame, 1, 2]


class Stages(Case):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "output"

    def stage(self, name, scene, *options):
        self.write(name + ".cfg", scene)
        return self.pluvia("run", name + ".cfg", "-j", 1, *options)

    def refuse(self, scene, text):
        self.write("bad.cfg", scene)
        self.assertIn(text, self.pluvia("check", "bad.cfg", code=3)[1])


class Cells(Stages):
    def setUp(self):
        super().setUp()
        self.stage("one", CELL)
        self.stage("two", SHEAR)

    def test_cell_is_that_of_the_run(self):
        first, last = edges(self.out / "one.h5md", -1), edges(self.out / "two.h5md", 0)
        self.assertEqual(first.tobytes(), last.tobytes())
        self.assertLess(first[0, 0], 0.022)
        scene = self.pluvia("info", self.out / "two.h5md", "--resolved")[0]
        self.assertIn("origin = [0.01, 0.0, -0.01];", scene)

    def test_a_sheared_cell_goes_on(self):
        """Also the images: unwrapped ways are continuous."""
        leans = edges(self.out / "two.h5md", -1)
        self.assertGreater(abs(leans[2, 0]), 1e-3)
        err = self.stage("three", SLOWER)[1]
        self.assertIn("tilted by", err)
        three = self.out / "three.h5md"
        self.assertEqual(leans.tobytes(), edges(three, 0).tobytes())
        for name in ["position", "image"]:
            self.assertEqual(particles(self.out / "two.h5md", name + "/value", -1).tobytes(),
                             particles(three, name + "/value", 0).tobytes(), name)

    def test_the_flow_is_that_of_the_new_rate(self):
        """Without contacts and stresses: what moved with the first shear moves with the second."""
        flow = SHEAR.replace("stress = [0, 0, 1e3]", "stress = [0, 0, 0]").replace("output/one", "output/thin")
        thin = CELL.replace("[0.022, 0.022, 0.022]", "[0.04, 0.04, 0.04]").replace("stress = [1e3, 1e3, 1e3]", "shear_rate = 4.0") \
            .replace("end = 0.02", "end = 0.002").replace("0.0055", "0.009")
        self.stage("thin", thin)
        self.stage("flow", flow.replace("shear_rate = 4.0", "shear_rate = -1.0"))
        path = self.out / "flow.h5md"
        x, v = particles(path, "position/value", 0), particles(path, "velocity/value", 0)
        self.assertLess(numpy.abs(v[:, 0] + (x[:, 2] + 0.01)).max(), 1e-12)
        self.assertLess(numpy.abs(v[:, 1:]).max(), 1e-12)

    def test_without_a_cell_the_scene_has_that_of_the_run(self):
        self.stage("three", SHEAR.replace('cell: { shear_rate = 4.0; stress = [0, 0, 1e3]; };', ""))
        self.assertEqual(edges(self.out / "one.h5md", -1).tobytes(), edges(self.out / "three.h5md", 0).tobytes())
        self.stage("open", SHEAR.replace('cell: { shear_rate = 4.0; stress = [0, 0, 1e3]; };', "")
                   .replace('"; };', '"; keep = ["material"]; };'))
        with h5py.File(self.out / "open.h5md") as file:
            self.assertNotIn("edges", file["particles/trajectory/box"])

    def test_restarts_do_without_the_runs(self):
        self.write("three.cfg", SLOWER)
        whole = state_hash(self.pluvia("run", "three.cfg", "-o", "whole.h5md")[0])
        self.pluvia("run", "three.cfg", "-o", "parts.h5md", "--until", "0.01")
        (self.out / "two.h5md").unlink()
        parts = state_hash(self.pluvia("run", "three.cfg", "-o", "parts.h5md", "--restart", "auto")[0])
        self.assertEqual(whole, parts)

    def test_info_has_the_cell(self):
        end = edges(self.out / "two.h5md", -1)
        facts = json.loads(self.pluvia("info", self.out / "two.h5md", "--json")[0])
        self.assertEqual([facts["cell"][k] for k in "abc"], end.tolist())
        self.assertEqual(facts["cell"]["origin"], [0.01, 0, -0.01])
        self.assertIn(f"edge c                   ({end[2, 0]:.9g}, 0, {end[2, 2]:.9g}) m", self.pluvia("info", self.out / "two.h5md")[0])

    def test_what_does_not_suit_is_said(self):
        self.refuse(SHEAR.replace("shear_rate = 4.0;", "size = [0.022, 0.022, 0.022];"), "correct cell.size")
        self.refuse(SHEAR.replace("shear_rate = 4.0;", "tilt = 1e-3;"), "cell.tilt")
        self.refuse(CELL.replace("size = [0.022, 0.022, 0.022];", ""), "cell.size is missing")
        self.refuse(SHEAR.replace('"; };', '"; keep = ["material"]; };'), "cell.size is missing")
        sheared = edges(self.out / "two.h5md", -1)
        self.refuse(SHEAR.replace("shear_rate = 4.0;", f"size = {[sheared[k, k] for k in range(3)]};").replace("one", "two"),
                    "remove cell.size")

    def test_a_changed_law_says_how_to_go_on(self):
        self.pluvia("run", "two.cfg", "--force", "--until", "0.01")
        err = self.pluvia("run", "two.cfg", "--restart", "auto", "-s", "contacts.0.friction=0.5", code=3)[1]
        self.assertIn("contacts[0].friction was 0.3 when the run began and is 0.5 now", err)
        self.assertIn('run: { path = "output/two.h5md"; }', err)


class Walls(Stages):
    def setUp(self):
        super().setUp()
        self.stage("one", PRESSED)

    def test_a_wall_is_where_it_was(self):
        err = self.stage("two", PULLED)[1]
        self.assertIn("1 boundary where it was", err)
        one, two = self.out / "one.h5md", self.out / "two.h5md"
        self.assertLess(lid(one, -1), 0.029)
        self.assertEqual(lid(one, -1), lid(two, 0))
        self.assertAlmostEqual(lid(two, -1), lid(one, -1) + 0.02 * 0.02, delta=1e-12)

    def test_overlaps_that_a_run_left(self):
        """Pressed at 100 kPa with steps that are too long: more than the slop. From elsewhere they are a mistake."""
        self.pluvia("run", "one.cfg", "--force", "-s", "time.step=1e-3", "-s", "boundaries[1].servo.stress=1e6")
        with h5py.File(self.out / "one.h5md") as file:
            self.assertGreater(file["observables/max_penetration/value"][-1], 2e-5)
        self.stage("two", PULLED)
        x = particles(self.out / "one.h5md", "position/value", -1)
        self.write("spheres.csv", "x,y,z\n" + "\n".join(",".join(map(str, row.tolist())) for row in x))
        self.refuse(PULLED.replace('{ run: { path = "output/one.h5md"; }; }',
                                   '{ file: { path = "spheres.csv"; }; radius = 0.003; material = "grain"; }'), "overlaps sphere")

    def test_the_scene_may_say_otherwise(self):
        self.stage("two", PULLED.replace('name = "lid";', 'name = "lid"; start: { shift = [0, 0, 0.001]; };'))
        self.assertAlmostEqual(lid(self.out / "two.h5md", 0), 0.031, delta=1e-15)
        self.stage("three", PULLED.replace('"; };', '"; keep = ["velocity", "material"]; };'))
        self.assertEqual(lid(self.out / "three.h5md", 0), 0.03)
        self.stage("four", PULLED.replace("[0, 0, 0.03]", "[0, 0, 0.04]"))  # another shape
        self.assertEqual(lid(self.out / "four.h5md", 0), 0.04)
        self.refuse(PULLED.replace("[0, 0, 0.03]", "[0, 0, 0.02]"), "overlaps boundary")

    def test_third_stage_and_restart(self):
        self.stage("two", PULLED)
        self.write("three.cfg", PULLED.replace("motion: { velocity = [0, 0, 0.02]; };", "").replace("one", "two"))
        whole = state_hash(self.pluvia("run", "three.cfg", "-o", "whole.h5md")[0])
        self.pluvia("run", "three.cfg", "-o", "parts.h5md", "--until", "0.01")
        end = lid(self.out / "two.h5md", -1)
        (self.out / "two.h5md").unlink()
        parts = state_hash(self.pluvia("run", "three.cfg", "-o", "parts.h5md", "--restart", "auto")[0])
        self.assertEqual(whole, parts)
        with h5py.File(self.folder / "whole.h5md") as file:
            self.assertTrue((file["boundaries/position/value"][:, 1, 2] == end).all())

    def test_restart_while_a_wall_moves(self):
        self.write("two.cfg", PULLED)
        whole = state_hash(self.pluvia("run", "two.cfg", "-o", "whole.h5md")[0])
        self.pluvia("run", "two.cfg", "-o", "parts.h5md", "--until", "0.01")
        (self.out / "one.h5md").unlink()
        self.assertEqual(whole, state_hash(self.pluvia("run", "two.cfg", "-o", "parts.h5md", "--restart", "auto")[0]))
        self.assertEqual(lid(self.folder / "whole.h5md", -1), lid(self.folder / "parts.h5md", -1))

    def test_turned_boundaries(self):
        """A box that rocked stays turned where it was, and turns on about the same axis only."""
        rocking = PRESSED.replace('name = "box";', 'name = "box"; motion: { axis = [0, 1, 0]; rate = 2.0; };') \
            .replace("servo: { mass = 0.04; stress = 100e3; };", "until = 1e-3;")
        self.stage("one", rocking, "--force")
        still = PULLED.replace("motion: { velocity = [0, 0, 0.02]; };", "until = 1e-3;")
        self.stage("two", still)

        def turn(path, frame):
            with h5py.File(path) as file:
                return file["boundaries/rotation/value"][frame, 0]
        there, here = turn(self.out / "one.h5md", -1), turn(self.out / "two.h5md", -1)
        self.assertLess(numpy.abs(there - here).max(), 1e-12)
        self.assertAlmostEqual(there[2], numpy.sin(0.02), delta=1e-9)
        self.refuse(still.replace('name = "box";', 'name = "box"; motion: { axis = [1, 0, 0]; rate = 2.0; };'), "another axis")

    def test_info_has_the_walls(self):
        facts = json.loads(self.pluvia("info", self.out / "one.h5md", "--json")[0])["boundaries"][1]
        self.assertEqual(facts["name"], "lid")
        self.assertEqual(facts["position"][2], lid(self.out / "one.h5md", -1))
        self.assertAlmostEqual(facts["moved"][2], facts["position"][2] - 0.03, delta=1e-15)
        self.assertGreater(facts["stress"], 1e3)
        self.assertIn(f"stress {facts['stress']:.6g} Pa", self.pluvia("info", self.out / "one.h5md")[0])


if __name__ == "__main__":
    unittest.main()
