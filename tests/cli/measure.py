"""pluvia measure: numbers against closed forms, against the file and against each other."""
import csv
import io
import json
import math
import statistics
import unittest

import h5py
import numpy
from command import FALL, FLOOR, LAWS, PATIENCE, Case

# AB21 section 6.1, case b: slides until 0.254841998 s, stops at 3.822629969 s after 4.141182467 m.
ROLLING = """
time: { step = 1e-3; end = 4.5; theta = 0.5; };
gravity = [0, 0, -9.81];
stabilization = "none";
solver: { criterion = "natural-map"; tolerance = 1e-12; };
materials = ( { name = "rock"; density = 2500.0; }, { name = "ground"; } );
contacts = ( { between = ["rock", "ground"]; friction = 0.2; rolling_friction = 0.04; } );
boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "ground"; } );
bodies = ( { position = [0, 0, 0.5]; velocity = [2.5, 0, 0]; angular_velocity = [0, 2.5, 0];
             radius = 0.5; material = "rock"; } );
output: { interval = 0.05; contacts = true; };
"""

# 3 x 3 x 3 spheres fall a little and come to rest in a box that is as wide as they are.
BOX = """
time: { step = 1e-3; end = 0.3; };
gravity = [0.0, 0.0, -10.0];
""" + LAWS + """
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.06, 0.06, 1]; }; material = "plate"; } );
bodies = ( { lattice: { counts = [3, 3, 3]; spacing = 0.02; origin = [0.01, 0.01, 0.011]; };
             material = "grain"; radius = 0.01; } );
output: { interval = 0.1; contacts = true; };
"""


class Measure(Case):
    def measured(self, *words):
        return json.loads(self.pluvia("measure", *words, "--json")[0])

    def table(self, *words):
        out = self.pluvia("measure", *words)[0]
        return list(csv.DictReader(io.StringIO(out)))

    def run_scene(self, text):
        self.write("a.cfg", text)
        self.pluvia("run", "a.cfg", "-q", "--force", "-o", "a.h5md")

    def test_rolling_sphere(self):
        self.run_scene(ROLLING)
        found = self.measured("a.h5md")
        frame = found["frame"]
        self.assertNotIn("pile", frame)
        # The scheme is exact but for the steps in which the mode changes.
        self.assertAlmostEqual(frame["rolling"]["stop_time"], 3.822629969, delta=1e-3)
        self.assertAlmostEqual(frame["rolling"]["stop_distance"], 4.141182467, delta=2e-3)
        phases = found["phases"]
        self.assertEqual([(p["slides"], p["turns"]) for p in phases],
                         [(True, True), (False, True), (False, False)])
        self.assertAlmostEqual(phases[0]["to"], 0.254841998, delta=1e-3)
        self.assertAlmostEqual(phases[0]["friction_ratio"], 0.2, delta=1e-9)
        self.assertAlmostEqual(phases[0]["moment_ratio"], 0.04, delta=1e-9)
        self.assertAlmostEqual(phases[1]["friction_ratio"], 5 * 0.04 / (7 * 0.5), delta=1e-9)
        # Early on both powers are known: mu N |u_T| and mu_r N |omega| (AB21 (43)).
        early = self.measured("a.h5md", "--at", "0.1")["frame"]
        u = 2.5 - 0.2 * 9.81 * 0.1
        w = 2.5 + 5 * 9.81 * (0.2 * 0.5 - 0.04) / (2 * 0.25) * 0.1
        force = early["rolling"]["normal_force"]
        self.assertAlmostEqual(force, 4 / 3 * math.pi * 0.125 * 2500 * 9.81, delta=1e-6 * force)
        self.assertAlmostEqual(early["energy"]["sliding_power"], 0.2 * force * (u - 0.5 * w),
                               delta=1e-6 * force)
        self.assertAlmostEqual(early["energy"]["rolling_power"], 0.04 * force * w,
                               delta=1e-6 * force)
        screen = self.pluvia("measure", "a.h5md")[0]
        for text in ["slides and rolls", "rests", "stops at"]:
            self.assertIn(text, screen)

    def test_layers_in_a_box(self):
        self.run_scene(BOX)
        frame = self.measured("a.h5md")["frame"]
        self.assertEqual(frame["pile"]["spheres"], 27)
        self.assertEqual(frame["pile"]["bottom"], 9)
        self.assertEqual(frame["pile"]["lost"], 0)
        self.assertAlmostEqual(frame["pile"]["height_ratio"], 3, delta=0.02)
        # Mean distance of a 3 x 3 square of spacing d from its middle: 4 at d, 4 at sqrt 2 d.
        self.assertAlmostEqual(frame["pile"]["mean_radius"], 4 * (1 + math.sqrt(2)) / 9, delta=0.01)
        # The weight of three spheres on each of nine places of the floor.
        weight = 4 / 3 * math.pi * 1e-6 * 1300 * 10
        row = self.table("a.h5md", "--region", "0,0,0.005,0.06,0.06,0.015", "--csv")[0]
        self.assertAlmostEqual(float(row["stress.zz"]) * 0.06 ** 2 * 0.01,
                               9 * 0.01 * (3 + 2) * weight, delta=1e-3 * weight)
        self.assertAlmostEqual(float(row["stress.xz"]), 0, delta=1e-3 * float(row["stress.zz"]))

    def test_volumes_end_at_the_walls_of_a_tube(self):
        """Stress, packing and layers are per volume of the tube that the spheres are in, not of the box around it."""
        columns = [(0, 0)] + [(0.02 * math.cos(k * math.pi / 3), 0.02 * math.sin(k * math.pi / 3)) for k in range(6)]
        self.write("grains.csv", "x,y,z,radius\n" + "".join("%.12g,%.12g,%g,0.01\n" % (x, y, 0.01 + 0.02 * k)
                                                             for x, y in columns for k in range(3)))
        scene = BOX[:BOX.index("boundaries")] + ('boundaries = ( { cylinder: { radius = %s; height = 1; }; material = "plate"; },'
            ' { plane: { }; material = "plate"; } ); bodies = ( { file: { path = "grains.csv"; }; material = "grain"; } );'
            " output: { interval = 0.1; contacts = true; };")
        self.run_scene(scene % "0.03")
        frame = self.measured("a.h5md", "--region", "-0.05,-0.04,-0.02,0.04,0.06,0.06")["frame"]
        volume, grain = math.pi * 0.03 ** 2 * 0.06, 4 / 3 * math.pi * 1e-6
        self.assertAlmostEqual(frame["packing"]["region_volume"], volume, delta=1e-5 * volume)
        self.assertAlmostEqual(frame["packing"]["region_solid_fraction"], 21 * grain / volume, delta=1e-4)
        self.assertEqual(frame["packing"]["left_out"], 0)
        # Each column has levers of a radius at its floor and of diameters between its spheres.
        load = 7 * (3 * 0.01 + (2 + 1) * 0.02) * grain * 1300 * 10
        self.assertAlmostEqual(frame["stress"]["zz"], load / volume, delta=1e-3 * load / volume)
        # The box around the spheres is narrower along y; two segments of the circle lie beyond it.
        half = 0.02 * math.sin(math.pi / 3) + 0.01
        area = math.pi * 0.03 ** 2 - 2 * (0.03 ** 2 * math.acos(half / 0.03) - half * math.sqrt(0.03 ** 2 - half ** 2))
        frame = self.measured("a.h5md")["frame"]
        self.assertAlmostEqual(frame["packing"]["box_volume"], area * 0.06, delta=1e-4 * volume)
        self.assertAlmostEqual(frame["stress"]["zz"], load / (area * 0.06), delta=1e-3 * load / volume)
        for row in self.table("a.h5md", "--field", "vertical"):
            self.assertAlmostEqual(float(row["volume_m3"]), area * (float(row["z_to_m"]) - float(row["z_from_m"])),
                                   delta=1e-4 * volume)
        # Nothing is there to have a stress.
        frame = self.measured("a.h5md", "--region", "0,0,0.1,0.01,0.01,0.2")["frame"]
        self.assertEqual(set(frame["stress"].values()), {None})
        self.assertNotIn("not cut out", self.pluvia("measure", "a.h5md")[0])
        # A chute is not cut out of the box, which is said.
        self.run_scene(BOX.replace("box: { lower = [0, 0, 0]; upper = [0.06, 0.06, 1]; }",
                                   "plate: { center = [0.03, 0.03, -0.02]; normal = [0.6, 0, 0.8]; size = [0.2, 0.2]; }"))
        self.assertEqual(self.measured("a.h5md")["frame"]["packing"]["left_out"], 1)
        self.assertRegex(self.pluvia("measure", "a.h5md")[0], r"boundary pieces in it, not cut out +1\n")

    def test_a_bed_between_walls_is_no_heap(self):
        """It has no angle of repose on the screen, in JSON nor in a table; a heap in a wide box has one, also
        with a stray at the wall."""
        self.run_scene(BOX)
        self.assertRegex(self.pluvia("measure", "a.h5md")[0],
                         r"angle of repose; its standard error +no heap: the spheres reach the walls\n")
        pile = self.measured("a.h5md")["frame"]["pile"]
        for name in ["angle", "angle_error", "cone_radius"]:
            self.assertIsNone(pile[name])
            self.assertEqual({row["pile." + name] for row in self.table("a.h5md", "--every")}, {""})
        layers = "".join("{ lattice: { counts = [%d, %d, 1]; spacing = 0.02; origin = [%g, %g, %g]; };"
                         'material = "grain"; radius = 0.01; },'
                         % (9 - 2 * k, 9 - 2 * k, 0.02 * k - 0.08, 0.02 * k - 0.08, 0.01 + 0.02 * k) for k in range(5))
        stray = '{ position = [0.39, 0.0, 0.01]; radius = 0.01; material = "grain"; }'
        wide = BOX[:BOX.index("bodies")].replace("[0, 0, 0]", "[-0.4, -0.4, 0]").replace("[0.06, 0.06, 1]", "[0.4, 0.4, 1]")
        self.run_scene(wide.replace("end = 0.3", "end = 0.001") + "bodies = (" + layers + stray + ");")
        pile = self.measured("a.h5md", "--at", "0")["frame"]["pile"]
        self.assertTrue(25 < pile["angle"] < 45, pile)  # 45 degrees at its sides, 35 at its corners

    def test_walls_are_where_they_are_by_then(self):
        """A pyramid in a frame that is hardly wider is no heap while the frame is there, is one after the frame was lifted
        or taken away, and is none where it has come down."""
        frame = ('{ box: { lower = [-0.0702, -0.0702, %g]; upper = [0.0702, 0.0702, 1.5]; faces = ["x-", "x+", "y-", "y+"]; };'
                 ' material = "plate"; %s }')
        layers = ", ".join('{ lattice: { counts = [%d, %d, 1]; spacing = 0.02; origin = [%g, %g, %g]; }; material = "grain";'
                           " radius = 0.01; }" % (7 - 2 * k, 7 - 2 * k, 0.02 * k - 0.06, 0.02 * k - 0.06, 0.01 + 0.02 * k)
                           for k in range(4))
        scene = ("time: { step = 1e-3; end = 0.04; };\ngravity = [0.0, 0.0, -10.0];\n" + LAWS + "boundaries = ( "
                 f'{{ plane: {{}}; material = "plate"; }}, WALL );\nbodies = ( {layers} );\noutput: {{ interval = 0.01; }};\n')
        for wall, first, last in ((frame % (0, ""), False, False), (frame % (0, "until = 0.01;"), False, True),
                                  (frame % (0, "motion: { velocity = [0, 0, 1]; };"), False, True),
                                  (frame % (0.03, "motion: { velocity = [0, 0, -1]; stop = 0.03; };"), True, False)):
            self.run_scene(scene.replace("WALL", wall))
            heap = [self.measured("a.h5md", "--at", at)["frame"]["pile"]["angle"] is not None for at in ("0", "0.04")]
            self.assertEqual(heap, [first, last], wall)

    def test_the_balance_closes(self):
        self.run_scene(BOX)
        rows = self.table("a.h5md", "--every")
        self.assertEqual(len(rows), 4)
        for row in rows:
            e = {key[7:]: float(value) for key, value in row.items() if key.startswith("energy.")}
            sum_ = e["inserted"] - e["removed"] + e["impact"] + e["friction"] + e["rolling"]
            self.assertAlmostEqual(e["change"], sum_ + e["theta"] + e["projection"], delta=1e-12)
            self.assertLess(abs(e["imbalance"]), 1e-9)
        self.assertLess(float(rows[-1]["energy.impact"]), 0)

    def test_solid_fractions_against_counted_points(self):
        """Two heaps of spheres of several sizes: what the screen says of a box, of parts of it and
        of one heap is what points find."""
        rng = numpy.random.default_rng(3)
        places = [(x, y, 0.012 + 0.024 * k) for k in range(6)
                  for x in numpy.arange(k, 9) * 0.024 for y in numpy.arange(k, 9) * 0.024]
        rows = [(x + far, y, z, r) for far in [0, 1] for (x, y, z), r in
                zip(places, rng.uniform(0.006, 0.0119, len(places)))]
        self.write("grains.csv", "x,y,z,radius\n" + "".join("%g,%g,%g,%g\n" % row for row in rows))
        self.run_scene("time: { step = 1e-3; end = 1e-3; };\ngravity = [0, 0, -9.81];\n" + LAWS + FLOOR +
                       'bodies = ( { file: { path = "grains.csv"; }; material = "grain"; } );\n')
        with h5py.File(self.folder / "a.h5md") as f:
            x = f["particles/trajectory/position/value"][-1]
            r = f["particles/trajectory/radius"][:]

        def counted(low, high):
            points = rng.uniform(low, high, (300000, 3))
            solid = numpy.zeros(len(points), bool)
            there = ((x > numpy.subtract(low, r[:, None])) & (x < numpy.add(high, r[:, None]))).all(1)
            for center, radius in zip(x[there], r[there]):  # the others hold no point of the box
                near = numpy.abs(points[:, 0] - center[0]) < radius
                solid[near] |= ((points[near] - center) ** 2).sum(1) < radius ** 2
            return solid.mean()

        for box in [(0.03, 0.03, 0.01, 0.13, 0.15, 0.09), (-0.02, 0.01, 0.02, 0.05, 0.11, 0.05),
                    (1.06, 0.06, 0.005, 1.16, 0.16, 0.11)]:
            words = ["--region", ",".join(map(str, box))]
            frame = self.measured("a.h5md", *words)["frame"]
            found, solid = frame["packing"], counted(box[:3], box[3:])
            self.assertAlmostEqual(found["region_solid_fraction"], solid, delta=0.01 * solid)
            self.assertAlmostEqual(found["region_porosity"], 1 - found["region_solid_fraction"])
            self.assertAlmostEqual(found["region_void_ratio"] * found["region_solid_fraction"],
                                   found["region_porosity"])
            inside = (x >= box[:3]).all(1) & (x <= box[3:]).all(1)
            self.assertEqual(frame["pile"]["spheres"] + frame["pile"]["falling"], inside.sum())
            screen = self.pluvia("measure", "a.h5md", *words)[0]
            self.assertIn("\nrun, energy and solver for all", screen)
            self.assertIn("solid fraction, porosity, void ratio", screen)
            row = self.table("a.h5md", *words, "--every", "--columns", "packing.region_porosity")[-1]
            self.assertEqual(float(row["packing.region_porosity"]), found["region_porosity"])
        whole = self.measured("a.h5md")["frame"]["packing"]
        size = (x + r[:, None]).max(0) - (x - r[:, None]).min(0)
        size[2] = (x[:, 2] + r).max()
        solid = 4 / 3 * math.pi * (r ** 3).sum()
        self.assertAlmostEqual(whole["box_solid_fraction"], solid / size.prod(), delta=1e-4)

    def test_packing_of_a_bed_and_of_lone_spheres(self):
        self.run_scene(BOX)
        packing = self.measured("a.h5md")["frame"]["packing"]
        self.assertAlmostEqual(packing["box_solid_fraction"], math.pi / 6, delta=0.01 * math.pi / 6)
        self.write("grains.csv", "x,y,z,radius\n" + "".join("%g,0,0.01,0.01\n" % x
                                                            for x in [0, 0.02, 0.3]))
        self.run_scene("time: { step = 1e-3; end = 1e-3; };\ngravity = [0, 0, -9.81];\n" + LAWS + FLOOR +
                       'bodies = ( { file: { path = "grains.csv"; }; material = "grain"; } );\n')
        lone = self.measured("a.h5md")["frame"]
        self.assertEqual(lone["packing"]["core_volume"], 0)
        self.assertIsNone(lone["packing"]["core_solid_fraction"])
        self.assertNotIn("solid_fraction", lone["pile"])
        one = self.measured("a.h5md", "--region", "0.29,-0.01,0,0.31,0.01,0.02")["frame"]["packing"]
        self.assertAlmostEqual(one["region_solid_fraction"], math.pi / 6, delta=1e-3)

    def test_series_agree_with_the_file(self):
        self.run_scene(BOX)
        rows = self.table("a.h5md", "--every")
        series = self.measured("a.h5md", "--every")["series"]
        with h5py.File(self.folder / "a.h5md") as f:
            observed = {name: f[f"observables/{name}/value"][:] for name in f["observables"]}
            times = f["particles/trajectory/position/time"][:]
        for k, row in enumerate(rows):
            self.assertEqual(float(row["run.time"]), times[k])
            self.assertEqual(series[k]["run"]["time"], times[k])
            kinetic = float(row["energy.translation"]) + float(row["energy.rotation"])
            self.assertAlmostEqual(kinetic, observed["kinetic_energy"][k], delta=1e-15)
            self.assertAlmostEqual(float(row["energy.potential"]), observed["potential_energy"][k],
                                   delta=1e-15)
            self.assertEqual(float(row["contacts.count"]), observed["contacts"][k])
            self.assertEqual(len(row), sum(len(g) for g in series[k].values()))
        chosen = self.table("a.h5md", "--every", "--columns", "pile.height,run.time")
        self.assertEqual(list(chosen[0]), ["pile.height", "run.time"])
        self.assertEqual([r["run.time"] for r in chosen], [r["run.time"] for r in rows])
        self.assertEqual(self.table("a.h5md", "--csv"), rows[-1:])
        chosen = self.table("a.h5md", "--every", "--columns", "run.time,contacts.mobilised")
        self.assertEqual([r["contacts.mobilized"] for r in chosen], [r["contacts.mobilized"] for r in rows])

    def test_statistics_are_those_of_the_series(self):
        """--from --to against the series, by another program; times at the ends are in the window."""
        self.run_scene(BOX.replace("interval = 0.1", "interval = 0.01").replace("0.06, 1]; };", '0.06, 1]; }; name = "box";')
                       + 'sensors = ( { name = "load"; boundary = "box"; } );')
        rows = [row for row in self.table("a.h5md", "--every") if 0.1 - 1e-9 <= float(row["run.time"]) <= 0.3 + 1e-9]
        self.assertEqual(rows, self.table("a.h5md", "--every", "--from", "0.1", "--to", "0.3"))
        known = 0
        for row in self.table("a.h5md", "--from", "0.1", "--to", "0.3", "--csv"):
            if row["name"].startswith("last.") or row["name"] not in rows[0]:
                continue
            values = [float(r[row["name"]]) for r in rows if r[row["name"]]]
            self.assertEqual(int(row["frames"]), len(values), row["name"])
            if len(values) < 2:
                continue
            known += 1
            size = 1e-9 * max(map(abs, values)) + 1e-300
            self.assertAlmostEqual(float(row["mean"]), statistics.mean(values), delta=size)
            self.assertAlmostEqual(float(row["sd"]), statistics.stdev(values), delta=size)
            times = [float(r["run.time"]) for r in rows if r[row["name"]]]
            self.assertAlmostEqual(float(row["rate"]), (values[-1] - values[0]) / (times[-1] - times[0]), delta=1e2 * size)
            self.assertEqual((float(row["min"]), float(row["max"])), (min(values), max(values)))
            self.assertGreaterEqual(float(row["error"]), statistics.stdev(values) / math.sqrt(len(values)) * (1 - 1e-9))
        self.assertGreater(known, 30)
        units = {row["name"]: row["unit"] for row in self.table("a.h5md", "--from", "0.1", "--csv")}
        for names, unit in [("stress.xx stress.xy stress.zz", "Pa"), ("fabric.xx last.coordination", ""), ("bed.slope_x bed.slope_y", "degrees"),
                            ("bed.x bed.y bed.z bed.extent_x bed.extent_y last.max_penetration", "m"), ("last.jam_time", "s"),
                            ("solver.sinking_speed last.sinking_speed last.worst_sinking_speed", "m/s"), ("last.kinetic_energy", "J"),
                            ("sensors.load_force_x sensors.load_force_y", "N"), ("sensors.load_moment_x", "N m"),
                            ("last.sensor_load_impulse_x", "N s"), ("last.sensor_load_angular_impulse_z", "N m s")]:
            self.assertEqual({units[name] for name in names.split()}, {unit}, names)
        one = self.measured("a.h5md", "--from", "0.3")
        self.assertEqual(one["window"]["frames"], 1)
        self.assertIsNone(one["statistics"]["contacts"]["count"]["sd"])

    def test_residence(self):
        """Grains fly through a box at speeds of their own: length over speed, to rounding, whenever frames are; one stays, one starts in it,
        and without a region a stay lasts from release to removal."""
        speeds = [1.0, 2.0, 0.7, 0.25]
        bodies = ", ".join(f"{{ position = [-0.2, {0.05 * k}, 0.5]; velocity = [{v}, 0, 0]; radius = 0.01; material = \"a\"; }}"
                           for k, v in enumerate(speeds))
        self.write("fly.cfg", """time: { step = 1e-3; end = 1.0; }; gravity = [0, 0, 0]; output: { interval = 0.013; };
            materials = ( { name = "a"; density = 2500.0; } ); contacts = ( { between = ["a", "a"]; friction = 0.3; } );
            bodies = ( %s, { position = [0.05, 0.3, 0.5]; velocity = [0.5, 0, 0]; radius = 0.01; material = "a"; } );
            domain: { box = [[-1, -1, 0], [0.6, 1, 1]]; };""" % bodies)
        self.pluvia("run", "fly.cfg", "-q", "-o", "fly.h5md")
        out, err = self.pluvia("measure", "fly.h5md", "--field", "residence", "--region", "0,-1,0,0.1,1,1")
        rows = {int(row["id"]): row for row in csv.DictReader(out.splitlines())}
        for k, v in enumerate(speeds[:3]):
            self.assertAlmostEqual(float(rows[k]["residence_s"]), 0.1 / v, delta=1e-8)
            self.assertAlmostEqual(float(rows[k]["entered_s"]), 0.2 / v, delta=1e-8)
        self.assertEqual((rows[3]["left_s"], rows[3]["residence_s"]), ("", ""))
        self.assertEqual((rows[4]["entered_s"], rows[4]["residence_s"]), ("", ""))
        self.assertAlmostEqual(float(rows[4]["left_s"]), 0.1, delta=1e-8)
        times = [0.1 / v for v in speeds[:3]]
        self.assertIn(f"residence time {statistics.mean(times):.6g} s, standard deviation {statistics.stdev(times):.3g} s", err)
        self.assertIn("of 3 stays with beginning and end; 1 grains are still in", err)
        early = self.pluvia("measure", "fly.h5md", "--field", "residence", "--region", "0,-1,0,0.1,1,1", "--at", "0.26")
        self.assertIn("of 1 stays", early[1])
        self.write("fed.cfg", """time: { step = 1e-3; end = 1.0; }; gravity = [0, 0, -10.0]; output: { interval = 0.01; };
            materials = ( { name = "a"; density = 2500.0; } ); contacts = ( { between = ["a", "a"]; friction = 0.3; } );
            feeders = ( { pluviation: { count = 5; rate = 20; height = 0.5; footprint: { disc = 0.001; }; }; radius = 0.01; material = "a"; } );
            domain: { box = [[-1, -1, 0], [1, 1, 1]]; };""")
        self.pluvia("run", "fed.cfg", "-q", "-o", "fed.h5md")
        rows = list(csv.DictReader(self.pluvia("measure", "fed.h5md", "--field", "residence")[0].splitlines()))
        self.assertEqual(len(rows), 5)
        for row in rows[1:]:  # falls through half a meter
            self.assertAlmostEqual(float(row["residence_s"]), math.sqrt(2 * 0.5 / 10), delta=0.012)

    def test_times_beyond_the_frames(self):
        """--at takes the nearest frame up to half a frame beyond the ends; windows say where the frames end."""
        self.run_scene(BOX.replace("interval = 0.1", "interval = 0.05"))
        end = self.measured("a.h5md")["frame"]["run"]["time"]
        self.assertEqual(self.measured("a.h5md", "--at", str(end + 0.024))["frame"]["run"]["time"], end)
        for words in (["measure"], ["fields"], ["render", "-o", "a.png"], ["export", "--to", "csv", "-o", "-"]):
            for time in (end + 0.026, 99, -0.026):
                err = self.pluvia(words[0], "a.h5md", *words[1:], f"--at={time}", code=2)[1]
                self.assertIn(f"a.h5md has no frame near {time:g} s, only from 0 to {end:g} s", err)
        for command in ("measure", "fields"):
            self.assertEqual(self.pluvia(command, "a.h5md", "--from", "0.1", "--to", str(end + 0.024))[1], "")
            err = self.pluvia(command, "a.h5md", "--from", "0.1", "--to", "99")[1]
            self.assertIn(f"a.h5md: the frames end at {end:g} s, before the end of the window at 99 s", err)
            err = self.pluvia(command, "a.h5md", "--from", "98", "--to", "99", code=2)[1]
            self.assertIn(f"no frame is in the window of time; the frames are from 0 to {end:g} s", err)

    def test_a_file_without_contacts_says_so(self):
        self.write("a.cfg", BOX.replace("contacts = true", "contacts = false"))
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        self.assertIn("contains no contacts", self.pluvia("measure", "a.h5md")[0])
        frame = self.measured("a.h5md")["frame"]
        self.assertIsNone(frame["contacts"]["coordination"])
        self.assertIsNone(frame["stress"]["pressure"])
        self.assertEqual(frame["pile"]["bottom"], 9)
        for words in [], ["--every"], ["--from", "0"]:
            err = self.pluvia("measure", "a.h5md", *words, "--columns", "run.time,stress.xx")[1]
            self.assertEqual(err, "pluvia: stress.xx is not known in any of these frames: needs contacts (output.contacts = true)\n")
        err = self.pluvia("measure", "a.h5md", "--field", "forces", code=3)[1]
        self.assertIn("output.contacts", err)

    def test_a_surface_is_that_of_what_has_one(self):
        """A depth of flow only where something turns about a level axis, in some stage; slopes only where the cell does not close."""
        depth, slope = "flows down a drum", "slope of its surface"
        short = BOX.replace("end = 0.3", "end = 0.004")
        turned = 'boundaries = ( { name = "box"; motion: { axis = %s; center = [0.03, 0.03, 0.5]; rate = 1.0; }; } );'
        stages = short.replace("0.06, 1]; };", '0.06, 1]; }; name = "box";') + 'stages = ( { name = "wait"; until: { duration = 0.002; }; }, { name = "turn"; %s } );'
        closed = short.replace("box: { lower = [0, 0, 0]; upper = [0.06, 0.06, 1]; };", "plane: {};") + 'cell: { size = [0.06, 0.06, 1]; periodic = ["x"%s]; };'
        for scene, shown in [(short, (False, True)), (stages % turned % "[0, 1, 0]", (True, True)), (stages % turned % "[0, 0, 1]", (False, True)),
                             (closed % "", (False, True)), (closed % ', "y"', (False, False))]:
            self.run_scene(scene)
            said = self.pluvia("measure", "a.h5md")[0]
            self.assertEqual((depth in said, slope in said), shown, scene)

    def test_a_file_without_velocities(self):
        self.run_scene(BOX.replace("contacts = true", "contacts = true; quantities = []"))
        frame = self.measured("a.h5md")["frame"]
        self.assertIsNone(frame["energy"]["translation"])
        self.assertIsNotNone(frame["energy"]["potential"])

    def test_fields(self):
        self.run_scene(BOX)
        volume = 27 * 4 / 3 * math.pi * 1e-6
        box = ["--field", "packing", "--region", "0,0,0,0.06,0.06,0.06", "--cell"]
        packing = self.table("a.h5md", *box, "0.02")
        self.assertEqual(len(packing), 27)
        solid = sum(float(r["solid_fraction"]) for r in packing)
        whole = self.table("a.h5md", *box, "1")
        self.assertAlmostEqual(solid / 27, float(whole[0]["solid_fraction"]), delta=1e-9)
        self.assertAlmostEqual(solid / 27, math.pi / 6, delta=1e-3)
        for name in ["vertical", "radial"]:
            self.pluvia("measure", "a.h5md", "--field", name, "-o", "field.csv")
            rows = list(csv.DictReader(io.StringIO((self.folder / "field.csv").read_text())))
            self.assertAlmostEqual(sum(float(r["solid_m3"]) for r in rows), volume,
                                   delta=1e-2 * volume)
            self.assertEqual(sum(int(r["spheres"]) for r in rows), 27)
        heights = [float(r["height_m"]) for r in
                   self.table("a.h5md", "--field", "height", "--cell", "0.002")]
        self.assertAlmostEqual(max(heights), 0.06, delta=5e-4)
        for name in ["height", "vertical", "radial", "packing"]:
            out, err = self.pluvia("measure", "a.h5md", "--field", name, "--cell", "1e-8", code=2)
            self.assertEqual(out, "")
            self.assertIn("option --cell", err)
            self.assertIn("too many", err)
            if name == "height":
                least = err.split()[-4]
        self.pluvia("measure", "a.h5md", "--field", "height", "--cell", least, "-o", "map.csv")
        forces = self.table("a.h5md", "--field", "forces")
        self.assertAlmostEqual(sum(float(r["density"]) * 0.25 for r in forces), 1, delta=1e-7)

    def test_bodies_of_a_file_that_is_gone(self):
        self.write("grains.csv", "x,y,z,radius\n0,0,0.01,0.01\n0.03,0,0.01,0.01\n")
        self.write("a.cfg", "time: { step = 1e-3; end = 0.01; };\ngravity = [0, 0, -9.81];\n" + LAWS +
                   FLOOR + 'bodies = ( { file: { path = "grains.csv"; }; material = "grain"; } );\n')
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        (self.folder / "grains.csv").unlink()
        self.assertEqual(self.measured("a.h5md")["frame"]["pile"]["spheres"], 2)

    def test_without_a_level_floor_there_is_no_pile(self):
        self.run_scene(BOX.replace("box: { lower = [0, 0, 0]; upper = [0.06, 0.06, 1]; }",
                                   "plane: { center = [0, 0, 0]; normal = [0.6, 0, 0.8]; }"))
        frame = self.measured("a.h5md")["frame"]
        self.assertNotIn("pile", frame)
        self.assertIsNotNone(frame["stress"]["pressure"])
        self.assertTrue(self.table("a.h5md", "--field", "height"))
        self.assertIn("pile", self.measured("a.h5md", "--base", "-1")["frame"])

    def test_penalty_method(self):
        """Springs and dampers: what they hold and what they used is shown; the balance closes."""
        self.run_scene('method = "penalty";\n' + BOX.replace("time: { step = 1e-3; end = 0.3; };",
                                                            "time: { step = 1e-5; end = 0.02; };")
                       .replace("interval = 0.1", "interval = 0.01")
                       .replace("rolling_friction = 1e-3;",
                                "rolling_friction = 1e-3; normal_stiffness = 1e3; normal_damping = 0.5;"))
        energy = self.measured("a.h5md")["frame"]["energy"]
        self.assertGreater(energy["elastic"], 0)
        self.assertGreater(energy["dissipated"], 0)
        self.assertLess(energy["imbalance"], 1e-9)

    def test_impossible_numbers_do_no_harm(self):
        self.run_scene(BOX)
        for value in [math.nan, math.inf, -1e300]:
            with h5py.File(self.folder / "a.h5md", "r+") as f:
                f["particles/trajectory/position/value"][-1, 3] = value
                f["particles/trajectory/velocity/value"][-1, 5] = value
                f["contacts/impulse"][-3:] = value
                f["contacts/body"][-1] = [7, 99]
                f["particles/trajectory/radius"][4] = value
            self.reseal("a.h5md")
            json.loads(self.pluvia("measure", "a.h5md", "--json")[0])
            for field in ["height", "radial", "vertical", "packing", "forces"]:
                process = self.start("measure", "a.h5md", "--field", field)
                process.communicate(timeout=PATIENCE)
                self.assertIn(process.returncode, [0, 2, 3])

    def test_what_rests_raises_no_alarm(self):
        """Cold touching spheres: rounding of their first steps is no energy worth a note."""
        spheres = ",".join(f'{{ position = [0, 0, {0.01 + 0.02 * k}]; radius = 0.01; material = "grain"; }}'
                           for k in range(100))
        self.write("column.cfg", "time: { step = 1e-3; end = 0.1; };" + LAWS +
                   'boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "plate"; } );'
                   f"bodies = ( {spheres} );")
        out = "".join(self.pluvia("run", "column.cfg", "--progress", "none", "-o", "column.h5md"))
        self.assertIn("energy created", out)
        self.assertNotIn("contacts created energy", out)

    def test_what_was_not_judged_is_not_zero(self):
        self.write("a.cfg", FALL)
        for criterion, known in ("velocity", True), ("natural-map", False):
            self.pluvia("run", "a.cfg", "-q", "--force", "-o", "a.h5md", "-s", f'solver.criterion="{criterion}"')
            solver = self.measured("a.h5md")["frame"]["solver"]
            for name in "velocity_error", "worst_velocity_error", "sinking_speed", "worst_sinking_speed":
                self.assertEqual(solver[name] is not None, known, (criterion, name))

    def test_wrong_words(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md")
        for words, said in [(["--at", "now"], "--at"), (["--at", "1", "--every"], "--every"),
                            (["--json", "--csv"], "--csv"), (["--field", "depth"], "depth"),
                            (["--columns", "run.tme"], 'did you mean "run.time"'), (["--sectors", "0"], "--sectors"),
                            (["--region", "0,0,0,1,1"], "--region"),
                            (["--region", "0,0,0,1,1,0"], "empty"), (["--cell", "0", "--field",
                                                                     "height"], "--cell")]:
            out, err = self.pluvia("measure", "a.h5md", *words, code=2)
            self.assertEqual(out, "")
            self.assertIn(said, err)
        self.write("text.h5md", "no HDF5")
        self.assertIn("text.h5md", self.pluvia("measure", "text.h5md", code=3)[1])
        self.assertIn("no/where.csv", self.pluvia("measure", "a.h5md", "--csv", "-o",
                                                  "no/where.csv", code=5)[1])


if __name__ == "__main__":
    unittest.main()
