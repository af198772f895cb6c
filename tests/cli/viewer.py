#!/usr/bin/python3
"""The viewer of tools/viewer, the page that is shipped, in a headless Chromium: what is on the screen
is compared with the spheres of a trajectory, projected by the formulas of a pinhole camera."""
import hashlib
import math
import os
import re
import socket
import subprocess
import sys
import unittest

import h5py
import numpy as np

import chromium
from command import FALL, FLOOR, LAWS, PATIENCE, ROOT, Case

VIEWER = ROOT / "tools/viewer"
BACKGROUND = np.array([0xf7, 0xf8, 0xfa])
FIELD_OF_VIEW = math.radians(35)
DISTANCE = 2.0  # of the camera, which looks along y at the origin

# Without gravity: one sphere spins in its place, a second one rests, a third one rises by 0.6 m/s.
CENTERS = np.array([[-0.3, 0, 0], [0.3, 0, 0], [0, 0, -0.3]])
RADII = np.array([0.1, 0.06, 0.08])
DRIFT = """
title = "Three spheres without gravity";
time: { step = 1e-2; end = 1.0; };
gravity = [0, 0, 0];
materials = ( { name = "blue"; density = 1000.0; }, { name = "orange"; density = 1000.0; } );
contacts = ( { between = ["blue", "blue"]; friction = 0.3; }, { between = ["blue", "orange"]; friction = 0.3; },
             { between = ["orange", "orange"]; friction = 0.3; } );
bodies = ( { position = [-0.3, 0, 0]; radius = 0.1; material = "blue"; angular_velocity = [1, 2, 3]; },
           { position = [0.3, 0, 0]; radius = 0.06; material = "orange"; },
           { position = [0, 0, -0.3]; radius = 0.08; material = "blue"; velocity = [0, 0, 0.6]; } );
output: { interval = 0.1; };
"""


class Page(Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = chromium.Chromium()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.errors.clear()
        self.browser.open((VIEWER / "dist/index.html").as_uri())
        self.browser.wait("globalThis.viewer")

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def trajectory(self, scene, *words):
        self.write("run.cfg", scene)
        self.pluvia("run", "run.cfg", "-o", "run.h5md", "-q", *words)
        return self.folder / "run.h5md"

    def show(self, path):
        """Opens a file by hand, as a user does, and waits for its first picture."""
        self.browser.choose_file("#file", path)
        self.browser.wait("viewer.frame && viewer.curves.charts.every((c) => c.values)"
                          " && document.getElementById('message').hidden")
        self.browser.run(f"viewer.view.place([0, {-DISTANCE}, 0], [0, 0, 0])")

    def set(self, element, value):
        self.browser.run(f"(async () => {{ const e = document.getElementById('{element}');"
                         f"if (e.type === 'checkbox') e.checked = {str(bool(value)).lower()};"
                         f"else e.value = '{value}'; await e.onchange(); }})()")
        self.settle()

    def go(self, frame):
        self.browser.run(f"viewer.player.go({frame})")
        self.settle()

    def settle(self):
        """Until nothing is being read or drawn."""
        self.browser.run("viewer.again()")
        self.browser.wait("viewer.player.wanted === null && !viewer.view.dirty")
        self.browser.run("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def screen(self):
        return np.asarray(self.browser.picture(), dtype=int)

    def project(self, point):
        """Column and row of a point, and pixels per meter there."""
        x, y, width, height = self.browser.run(
            "(({x, y, width, height}) => [x, y, width, height])"
            "(viewer.view.canvas.getBoundingClientRect())")
        scale = 0.5 * height / math.tan(0.5 * FIELD_OF_VIEW) / (DISTANCE + point[1])
        return x + width / 2 + scale * point[0], y + height / 2 - scale * point[2], scale

    def check_sphere(self, picture, center, radius, there=True):
        """Spheres cover the disc that the cone of their tangents cuts out, and nothing beside it."""
        column, row, scale = self.project(center)
        reach = scale * radius / math.sqrt(1 - (radius / DISTANCE) ** 2)
        rows, columns = np.mgrid[:picture.shape[0], :picture.shape[1]]
        away = np.hypot(columns + 0.5 - column, rows + 0.5 - row)
        painted = np.abs(picture - BACKGROUND).max(axis=2) > 12
        self.assertEqual(painted[away < 0.97 * reach].mean(), float(there), f"sphere at {center}")
        if there:
            # Off the axis the disc is an ellipse, longer by 1 / cos of the angle to the axis.
            angle = math.atan(math.hypot(center[0], center[2]) / DISTANCE)
            ring = (away > reach / math.cos(angle) + 1.5) & (away < 1.3 * reach)
            self.assertEqual(painted[ring].mean(), 0, f"beside the sphere at {center}")

    def color(self, picture, center):
        """Mean color in the middle of a sphere."""
        column, row, _ = self.project(center)
        return picture[int(row) - 5:int(row) + 5, int(column) - 5:int(column) + 5].mean(axis=(0, 1))


class Viewing(Page):
    def test_a_cell(self):
        """The edges of a cell that is sheared, where they are in the frame."""
        cell = "cell: { size = [0.6, 0.6, 0.6]; origin = [-0.3, -0.3, -0.3]; shear_rate = 0.4; };"
        self.show(self.trajectory(DRIFT.replace("gravity =", f"{cell}\ngravity =", 1).replace("end = 1.0", "end = 0.5")
                                  .replace("[-0.3, 0, 0]", "[0.1, 0.1, 0]").replace("[0, 0, -0.3]", "[0.1, 0.2, -0.2]")
                                  .replace("[0.3, 0, 0]", "[0.1, 0.1, 0.2]").replace("[0, 0, 0.6]", "[0, 0, 0]")))

        def drawn(point):
            column, row, _ = self.project(point)
            near = self.screen()[int(row) - 2:int(row) + 3, int(column) - 2:int(column) + 3]
            return (np.abs(near - BACKGROUND).max(axis=2) > 60).any()
        for frame, lean in [(0, 0), (5, 0.12)]:
            self.go(frame)
            for other in 0, 0.12:  # the middle of the edge that leans
                self.assertEqual(drawn([-0.3 + 0.5 * other, -0.3, 0]), other == lean, frame)
        self.set("walls", False)
        self.assertFalse(drawn([-0.3 + 0.06, -0.3, 0]))

    def test_spheres_stand_where_they_should(self):
        self.show(self.trajectory(DRIFT))
        for frame in (0, 5, 10):
            self.go(frame)
            picture = self.screen()
            moved = CENTERS + [[0, 0, 0], [0, 0, 0], [0, 0, 0.06 * frame]]
            for center, radius in zip(moved, RADII):
                self.check_sphere(picture, center, radius)
        self.check_sphere(picture, CENTERS[2], RADII[2], there=False)

    def test_colors_follow_the_quantity(self):
        self.show(self.trajectory(DRIFT))
        self.set("color", "species")
        picture = self.screen()
        for center, species in zip(CENTERS, "bob"):
            red, _, blue = self.color(picture, center)
            self.assertEqual(red > blue, species == "o")
        self.set("color", "speed")
        self.set("marks", False)
        picture = self.screen()
        slow, fast = self.color(picture, CENTERS[0]), self.color(picture, CENTERS[2])
        self.assertGreater(slow[2], 1.3 * slow[0])  # the blue end of the map
        self.assertGreater(fast[0], 3 * fast[2])    # the yellow one
        legend = self.browser.run("document.getElementById('legends').innerText")
        self.assertRegex(legend, r"speed \(m/s\)\s+0\s+0\.3\s+0\.6")

    def test_marks_show_rotation(self):
        self.show(self.trajectory(DRIFT))
        column, row, scale = self.project(CENTERS[0])
        reach = int(0.8 * scale * RADII[0])
        pictures = {}
        for marks in (True, False):
            self.set("marks", marks)
            for frame in (0, 5):
                self.go(frame)
                pictures[marks, frame] = self.screen()[int(row) - reach:int(row) + reach,
                                                       int(column) - reach:int(column) + reach]
        self.assertTrue(np.array_equal(pictures[False, 0], pictures[False, 5]))
        changed = np.abs(pictures[True, 0] - pictures[True, 5]).max(axis=2) > 20
        self.assertGreater(changed.mean(), 0.1)

    def test_play_and_keys(self):
        self.show(self.trajectory(DRIFT))
        self.browser.key("ArrowRight", "ArrowRight")
        self.browser.wait("viewer.player.index === 1")
        self.browser.key("ArrowLeft", "ArrowLeft")
        self.browser.wait("viewer.player.index === 0")
        self.browser.key(" ", "Space", " ")
        self.browser.wait("viewer.player.playing && viewer.player.index > 0")
        self.browser.wait("!viewer.player.playing")
        self.assertEqual(self.browser.run("viewer.player.index"), 10)
        self.assertIn("1.0000 s", self.browser.run("document.getElementById('clock').textContent"))
        self.settle()
        self.check_sphere(self.screen(), [0, 0, 0.3], RADII[2])

    def test_picked_sphere(self):
        path = self.trajectory(DRIFT)
        self.show(path)
        self.go(10)
        column, row, _ = self.project([0, 0, 0.3])
        self.browser.click(column, row)
        self.browser.wait("viewer.picked === 2 && document.getElementById('numbers').rows.length")
        numbers = dict(self.browser.run(
            "[...document.getElementById('numbers').rows].map((r) => [...r.cells].map((c) => c.textContent).slice(0, 2))"))
        with h5py.File(path) as file:
            body = file["particles/trajectory"]
            for name, element in (("position", "position"), ("velocity", "velocity")):
                shown = [float(word) for word in numbers[name].split()]
                np.testing.assert_allclose(shown, body[f"{element}/value"][10, 2], rtol=1e-3, atol=1e-9)
            self.assertAlmostEqual(float(numbers["radius"]), body["radius"][2])
        self.assertEqual((numbers["id"], numbers["species"]), ("2", "blue"))
        height = self.browser.run("""(async () => { const chart = viewer.curves.charts[0];
            chart.choice.value = "body z"; await chart.read(); return [...chart.values]; })()""")
        np.testing.assert_allclose(height, -0.3 + 0.06 * np.arange(11), atol=1e-12)

    def test_wall_and_contact(self):
        """A sphere at rest on a floor: the contact bears its weight, the floor hides what is behind."""
        self.show(self.trajectory(FALL, "-s", "time.end=0.3", "-s", "output.contacts=true"))
        self.browser.run("viewer.view.place([0, -0.3, 0.1], [0, 0, 0])")
        self.browser.run("viewer.player.step(Infinity)")
        self.settle()
        picture = self.screen()
        column, row, _ = map(int, self.project([0, 0, 0]))
        self.assertGreater(np.abs(picture[row + 60, column] - BACKGROUND).max(), 12)
        self.browser.run("viewer.pick(0)")
        force = self.browser.run("document.getElementById('numbers').innerText")
        weight = 1300 * 4 / 3 * math.pi * 0.01**3 * 9.81
        self.assertAlmostEqual(float(re.search(r"on wall part 0\s+(\S+) N", force)[1]), weight, delta=1e-3 * weight)
        before = self.screen()
        self.set("contacts", "force")
        self.assertEqual(self.browser.run("viewer.contacts.mesh.geometry.instanceCount"), 1)
        self.assertGreater((np.abs(self.screen() - before).max(axis=2) > 20).sum(), 50)


class Opening(Page):
    def message(self):
        self.browser.wait("document.getElementById('message').className === 'bad'")
        return self.browser.run("document.getElementById('message').textContent")

    def test_wrong_files(self):
        self.browser.choose_file("#file", self.write("notes.h5md", "no HDF5 at all"))
        self.assertIn("notes.h5md is not an HDF5 file", self.message())
        self.assertFalse(self.browser.run("document.getElementById('welcome').hidden"))
        self.show(self.trajectory(DRIFT))
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["numbers"] = [1, 2, 3]
        self.browser.choose_file("#file", self.folder / "other.h5")
        self.assertIn("not a trajectory of pluvia", self.message())
        self.settle()
        self.check_sphere(self.screen(), CENTERS[0], RADII[0])  # the one before is still there

    def test_a_pluviation_opens_where_there_is_something(self):
        """At its end, not at the empty plate of its start; one stray does not shrink what is seen."""
        rain = ("time: { step = 1e-3; end = 1.0; };\ngravity = [0, 0, -9.81];\noutput: { interval = 0.1; };\n" + LAWS +
                FLOOR + "feeders = ( { pluviation: { count = 20; rate = 40; height = 0.2; footprint: "
                '{ disc = 0.1; }; }; material = "grain"; radius = 0.01; } );\n')
        radius = {}
        for stray in [False, True]:
            body = ('bodies = ( { position = [9, 0, 0.01]; radius = 0.01; material = "grain"; } );\n' if stray else "")
            self.setUp()  # the page anew
            self.show(self.trajectory(rain + body, "--force"))
            self.settle()
            self.assertEqual(self.browser.run("viewer.player.index"), 10)
            self.assertEqual(self.browser.run("viewer.spheres.count"), 20 + stray)
            radius[stray] = self.browser.run("viewer.view.bounds.radius")
        self.assertLess(radius[False], 1)
        self.assertLess(radius[True], 1.5 * radius[False])

    def test_curved_walls_stand_where_they_should(self):
        """A solid sphere is a disc like that of a body; of a tube along the line of sight and of a cone around it
        both rims are drawn; a bowl is a circle. None of them is known to the page by its kind."""
        materials = 'materials = ( { name = "blue"; density = 1000.0; }, { name = "orange"; density = 1000.0; }, { name = "plate"; } );\n'
        contacts = "contacts = ( " + ", ".join(
            f'{{ between = ["{a}", "{b}"]; friction = 0.3; }}' for a, b in (
                ("blue", "blue"), ("blue", "orange"), ("orange", "orange"), ("blue", "plate"), ("orange", "plate"))) + " );\n"
        scene = re.sub(r"materials = .*?;\ncontacts = .*? \);\nbodies", lambda _: materials + contacts + "bodies", DRIFT, flags=re.S)
        walls = ["sphere: { center = [0.3, 0, 0.3]; radius = 0.1; }",
                 "cylinder: { center = [0, -0.2, 0]; axis = [0, 1, 0]; radius = 0.5; height = 0.4; bottom = false; }",
                 "cone: { center = [0, 0.2, 0]; axis = [0, -1, 0]; radii = [0.55, 0.47]; height = 0.3; }",
                 "sphere: { radius = 0.52; inside = true; }"]
        scene += "boundaries = ( " + ", ".join(f'{{ {wall}; material = "plate"; }}' for wall in walls) + " );\n"
        self.show(self.trajectory(scene, "--force", "-s", "time.end=0.1"))
        self.settle()
        picture = self.screen()
        for y, radius in [(-0.2, 0.5), (0.2, 0.5), (0.2, 0.55), (-0.1, 0.47), (0.0, 0.52)]:
            for angle in np.arange(0.3, 6.2, 0.5):
                column, row, _ = self.project([radius * math.cos(angle), y, radius * math.sin(angle)])
                around = picture[int(row) - 2:int(row) + 3, int(column) - 2:int(column) + 3]
                drawn = np.abs(around - BACKGROUND).max()
                self.assertGreater(drawn, 12, f"rim of radius {radius} at y = {y}, angle {angle}")
        self.set("walls", False)
        empty = self.screen()
        column, row, scale = self.project([0.3, 0, 0.3])
        rows, columns = np.mgrid[:picture.shape[0], :picture.shape[1]]
        away = np.hypot(columns + 0.5 - column, rows + 0.5 - row) / (scale * 0.1)
        changed = np.abs(picture - empty).max(axis=2) > 12
        self.assertEqual(changed[away < 0.9].mean(), 1.0)

    def test_boundaries_move(self):
        """Each kind, after it has moved for a second, is drawn as one that stands there, but a disc that was
        taken away by then. In the first frame they are elsewhere. They are named so that their names have another
        order than they have in the scene."""
        turned = [math.sin(0.5), 0, math.cos(0.5)]
        moves = [  # at first, how it moves, a second later
            ("z", "plane: { center = [0, 0, -0.8]; }", "velocity = [0.3, 0, 0.25];", "plane: { center = [0, 0, -0.55]; }"),
            ("y", "box: { lower = [-0.3, -0.1, 0]; upper = [-0.1, 0.1, 0.2]; }", "velocity = [-0.1, 0, 0.1];",
             "box: { lower = [-0.4, -0.1, 0.1]; upper = [-0.2, 0.1, 0.3]; }"),
            ("x", "cylinder: { center = [0.3, 0, 0]; radius = 0.1; height = 0.2; }",
             "vibration: { amplitude = [0, 0, 0.2]; frequency = 0.25; };",
             "cylinder: { center = [0.3, 0, 0.2]; radius = 0.1; height = 0.2; }"),
            ("w", "plate: { center = [0.1, 0, 0]; size = [0.2, 0.3]; }", "axis = [0, 1, 0]; rate = 0.5;",
             f"plate: {{ center = [0.1, 0, 0]; size = [0.2, 0.3]; normal = {turned}; "
             f"direction = [{turned[2]}, 0, {-turned[0]}]; }}"),
            ("v", "cone: { center = [0, 0, -0.4]; radii = [0.02, 0.1]; height = 0.1; }",
             f"axis = [0, 1, 0]; center = [0, 0, 0]; rate = {math.pi / 2};",
             "cone: { center = [-0.4, 0, 0]; axis = [1, 0, 0]; radii = [0.02, 0.1]; height = 0.1; }"),
            ("u", 'mesh: { file = "a.obj"; }', "axis = [0, 0, 1]; rate = 0.4; velocity = [0, 0, 0.1];",
             'mesh: { file = "a.obj"; axis = [0, 0, 1]; angle = 0.4; position = [0, 0, 0.1]; }')]
        self.write("a.obj", "v 0.4 -0.1 -0.4\nv 0.55 -0.1 -0.4\nv 0.45 -0.1 -0.2\nv 0.45 0.1 -0.4\n"
                   "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
        disc = '{ name = "t"; disc: { center = [0, 0, 0.3]; radius = 0.2; }; material = "plate"; until = 0.5; }, '
        around = '{ name = "s"; sphere: { radius = 0.8; inside = true; }; material = "plate"; }'
        scene = ("time: { step = 1e-2; end = 1.0; };\ngravity = [0, 0, 0];\noutput: { interval = 0.5; };\n" + LAWS +
                 'bodies = ( { position = [0, 0.4, 0]; radius = 0.01; material = "grain"; } );\nboundaries = ( ')
        before = [f'{{ name = "{n}"; {at}; material = "plate"; motion: {{ {motion} }}; }}, ' for n, at, motion, _ in moves]
        after = [f'{{ name = "{n}"; {at}; material = "plate"; }}, ' for n, _, _, at in moves]
        pictures = []
        for walls in (disc + "".join(before), "".join(after)):
            self.browser.open((VIEWER / "dist/index.html").as_uri())
            self.browser.wait("globalThis.viewer")
            self.show(self.trajectory(scene + walls + around + " );\n", "--force"))
            for frame in (0, 2):
                self.go(frame)
                pictures.append(self.screen())
        moved, still = (np.abs(pictures[1] - other).max(axis=2) > 12 for other in (pictures[3], pictures[0]))
        self.assertLess(moved.mean(), 1e-3)
        self.assertGreater(still.mean(), 0.05)

    def test_walls_of_older_files(self):
        """They have no outlines, but kinds that the page knows: it draws the same."""
        walls = ["plate: { center = [0, 0, -0.2]; size = [0.3, 0.6]; normal = [1, 1, 3]; }",
                 "disc: { center = [0.2, 0, 0.2]; normal = [1, -2, 0]; radius = 0.1; }",
                 "box: { lower = [-0.4, -0.4, -0.4]; upper = [0.5, 0.4, 0.4]; }",
                 "cylinder: { radius = 0.45; height = 0.3; }", "plane: { center = [0, 0, -0.5]; }"]
        scene = ("time: { step = 1e-3; end = 0.002; };\noutput: { interval = 1e-3; };\n" + LAWS + "boundaries = ( " +
                 ", ".join(f'{{ {wall}; material = "plate"; }}' for wall in walls) + " );\n"
                 'bodies = ( { position = [0, 0, 0.1]; radius = 0.05; material = "grain"; } );\n')
        path, pictures = self.trajectory(scene, "--force"), []
        for outline in (True, False):
            if not outline:
                with h5py.File(path, "r+") as file:
                    for wall in file["walls"].values():
                        del wall.attrs["outline"]
                self.browser.open((VIEWER / "dist/index.html").as_uri())
                self.browser.wait("globalThis.viewer")
            self.show(path)
            self.settle()
            pictures.append(self.screen())
        self.assertGreater((np.abs(pictures[0] - BACKGROUND).max(axis=2) > 12).mean(), 0.2)
        self.assertEqual(np.abs(pictures[0] - pictures[1]).max(), 0)

    def test_what_is_still_is_colored_by_height(self):
        """By speed it would all be of one color; what moves is colored by speed."""
        self.show(self.trajectory(FALL))
        self.assertEqual(self.browser.run("document.getElementById('color').value"), "height")
        self.browser.open((VIEWER / "dist/index.html").as_uri())
        self.browser.wait("globalThis.viewer")
        (self.folder / "run.h5md").unlink()
        self.show(self.trajectory(DRIFT, "--force"))
        self.assertEqual(self.browser.run("document.getElementById('color').value"), "speed")

    def test_another_file(self):
        self.show(self.trajectory(DRIFT))
        self.write("fall.cfg", FALL)
        self.pluvia("run", "fall.cfg", "-o", "fall.h5md", "-q")
        self.browser.choose_file("#file", self.folder / "fall.h5md")
        self.browser.wait("viewer.trajectory.name === 'fall.h5md' && viewer.frame && viewer.spheres.count === 1")

    def test_served(self):
        path = self.trajectory(DRIFT).rename(self.folder / "a run & more.h5md")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [VIEWER / "serve.sh", path], env={**os.environ, "PORT": str(port), "NO_BROWSER": "1"},
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            address = server.stdout.readline().split()[0]
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                self.browser.run("new Promise((r) => setTimeout(r, 100))")
            self.browser.open(address)
            self.browser.wait("globalThis.viewer?.frame")
            self.assertEqual(self.browser.run("viewer.trajectory.name"), path.name)
        finally:
            os.killpg(server.pid, 15)
            server.wait(timeout=PATIENCE)
            server.stdout.close()


class Shipped(unittest.TestCase):
    def test_page_is_made_of_the_sources(self):
        found = hashlib.sha256()
        for path in sorted((VIEWER / "src").iterdir(), key=lambda p: p.name):
            found.update(path.read_bytes())
        found.update((VIEWER / "package-lock.json").read_bytes())
        page = (VIEWER / "dist/index.html").read_text()
        self.assertIn(found.hexdigest(), page, "run tools/viewer/build.sh")
        self.assertNotRegex(page.split("const unpack")[0], r"(src|href)=")


if __name__ == "__main__":
    if absent := chromium.missing():
        print(f"skipped: {absent} is not installed")
        sys.exit(77)
    unittest.main()
