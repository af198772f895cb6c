"""Sensors of a scene: what passes, what is in a box and what presses, summed up in every step, against closed forms."""
import csv
import io
import math
import unittest

from command import FLOOR, LAWS, SPHERE, Case

# A sphere that falls from 0.05 to 0.01 m while it flies along x, and frames that miss all of it.
THROWN = "time: { step = %s; end = 0.08; };" + LAWS + FLOOR + SPHERE.replace(
    "position = [0, 0, 0.05];", "position = [0, 0, 0.05]; velocity = [2, 0, 0];") + """
output: { interval = 0.08; };
sensors = (
    { name = "down"; plane: { center = [0, 0, 0.03]; normal = [0, 0, -3]; }; },
    { name = "up"; plane: { center = [0, 0, 0.03]; normal = [0, 0, 1]; }; },
    { name = "gate"; rectangle: { center = [0.1, 0, 0.03]; normal = [1, 0, 0]; size = [0.1, 0.1]; }; },
    { name = "low"; rectangle: { center = [0.1, 0, 0.005]; normal = [1, 0, 0]; size = [0.01, 0.01]; }; },
    { name = "disc"; disc: { center = [0.1, 0, 0.03]; normal = [1, 0, 0]; radius = 0.02; }; },
    { name = "first"; box: { lower = [-0.01, -1, 0]; upper = [0.05, 1, 1]; }; },
    { name = "plate"; boundary = "plane-1"; },
    { name = "other"; plane: { center = [0.01, 0, 0]; normal = [1, 0, 0]; }; material = "plate"; },
    { name = "large"; plane: { center = [0.01, 0, 0]; normal = [1, 0, 0]; }; radii = [0.02, 1]; }
);
"""
MASS = 1300 * 4 / 3 * math.pi * 0.01**3


class Sensors(Case):
    def numbers(self, path="a.h5md"):
        return self.info(path)["last"]

    def test_closed_forms(self):
        """At any step, chosen ones too: the sphere passes x = 0.1 at 0.05 s; it is in the box until 0.025 s."""
        for step in "1e-3", "4e-3", '"auto"':
            self.write("a.cfg", THROWN % step)
            self.pluvia("run", "a.cfg", "-q", "--force", "-o", "a.h5md")
            n = self.numbers()
            h = 4e-3 if step == '"auto"' else float(step)
            for name in "gate", "disc":
                self.assertAlmostEqual(n[f"sensor_{name}_first"], 0.05, delta=1e-12)
                self.assertAlmostEqual(n[f"sensor_{name}_mass"] / MASS, 1, delta=1e-12)
            self.assertEqual((n["sensor_low_grains"], n["sensor_other_grains"], n["sensor_large_grains"]), (0, 0, 0))
            self.assertEqual((n["sensor_down_grains"], n["sensor_up_grains"]), (1, -1))
            self.assertAlmostEqual(n["sensor_down_first"], math.sqrt(2 * 0.02 / 9.81), delta=h * h)
            self.assertIsNone(n["sensor_up_first"])
            self.assertAlmostEqual(n["sensor_first_mass_time"] / MASS, 0.025, delta=h)
            self.assertEqual((n["sensor_first_grains"], n["sensor_first_first"]), (0, 0))

    def test_rest_weighs_what_it_weighs(self):
        """The impulse on a plate is the weight times the time that the sphere lies on it, and its momentum at first."""
        self.write("a.cfg", THROWN % "1e-3")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "-s", "time.end=0.4", "-s", "output.interval=0.2")
        out = self.pluvia("measure", "a.h5md", "--every", "--columns", "run.time,sensors.plate_force_z")[0]
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(rows[0]["sensors.plate_force_z"], "")
        self.assertAlmostEqual(float(rows[2]["sensors.plate_force_z"]) / (-MASS * 9.81), 1, delta=1e-3)
        # from the start: all that gravity gave, for the sphere lies at the end
        self.assertAlmostEqual(self.numbers()["sensor_plate_impulse_z"] / (-MASS * 9.81 * 0.4), 1, delta=1e-3)

    def test_through_the_sides_of_a_cell(self):
        """Two rounds of a periodic cell are two passages, wherever the surface stands, the side itself as well."""
        planes = "".join(f'{{ name = "at{k}"; plane: {{ center = [{x}, 0, 0]; normal = [1, 0, 0]; }}; }},'
                         for k, x in enumerate([0.0, 0.03, 0.1, 0.099999]))
        self.write("a.cfg", "time: { step = 1e-3; end = 0.25; }; gravity = [0, 0, 0];" + LAWS + """
            cell: { size = [0.1, 0.1, 0.1]; periodic = ["x", "y", "z"]; };
            bodies = ( { position = [0.05, 0.05, 0.05]; velocity = [0.9, 0.3, 0]; radius = 0.01; material = "grain"; } );
            output: { interval = 0.25; }; sensors = (""" + planes.rstrip(",") + ");")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        self.assertEqual([self.numbers()[f"sensor_at{k}_grains"] for k in range(4)], [2, 2, 2, 2])

    def test_boxes_across_the_sides_of_a_cell(self):
        """A box that reaches beyond a side holds what is there in the next cell, once."""
        boxes = {"inside": (0.02, 0.05, 0.3), "across": (0.08, 0.12, 0.4), "period": (0.05, 0.15, 1), "all": (-9, 9, 1)}
        self.write("a.cfg", "time: { step = 1e-3; end = 0.1; }; gravity = [0, 0, 0];" + LAWS + """
            cell: { size = [0.1, 0.1, 0.1]; periodic = ["x", "y", "z"]; };
            bodies = ( { position = [0.05, 0.05, 0.05]; velocity = [1, 0, 0]; radius = 0.01; material = "grain"; } );
            output: { interval = 0.1; }; sensors = (""" + ",".join(
                f'{{ name = "{n}"; box: {{ lower = [{a}, 0, 0]; upper = [{b}, 0.1, 0.1]; }}; }}' for n, (a, b, _) in boxes.items())
            + ");")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        for name, (_, _, share) in boxes.items():
            self.assertAlmostEqual(self.numbers()[f"sensor_{name}_grain_time"] / 0.1, share, delta=0.011)

    def test_a_restart_goes_on(self):
        for step in "1e-3", '"auto"':
            self.write("a.cfg", THROWN % step)
            self.pluvia("run", "a.cfg", "-q", "--force", "-o", "whole.h5md", "-s", "time.end=0.16")
            self.pluvia("run", "a.cfg", "-q", "--force", "-o", "a.h5md")
            self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--restart", "a.checkpoint.h5", "-s", "time.end=0.16")
            for name, number in self.numbers("whole.h5md").items():
                if name.startswith("sensor_"):
                    self.assertEqual(number, self.numbers()[name], name)

    def test_messages(self):
        text = THROWN % "1e-3"
        for old, new, said in [
                ('boundary = "plane-1"', 'boundary = "wall"', 'no boundary "wall"'),
                ('material = "plate"; },', 'material = "gold"; },', 'no material "gold"'),
                ("radii = [0.02, 1]", "radii = [0.02, 0.01]", "is empty"),
                ("normal = [0, 0, -3]", "normal = [0, 0, 0]", "length 0"),
                ('name = "up"', 'name = "down"', "already used"),
                ('name = "up"', 'name = "a b"', "letters, digits"),
                ('name = "up"', 'name = "down_mean"', "choose another name"),
                ("lower = [-0.01, -1, 0]", "lower = [0.1, -1, 0]", "box is empty"),
                ('boundary = "plane-1";', 'boundary = "plane-1"; radii = [0, 1];', "choose the spheres"),
                ('name = "up"; plane: { center = [0, 0, 0.03]; normal = [0, 0, 1]; };', 'name = "up";', "exactly one")]:
            self.assertIn(old, text)
            self.write("b.cfg", text.replace(old, new))
            _, err = self.pluvia("check", "b.cfg", code=3)
            self.assertRegex(err, r"b.cfg:\d+: ")
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
