"""pluvia render: spheres where they should be, the same bytes for any number of threads, errors."""
import os
import shutil
import signal
import struct
import subprocess
import unittest
import zlib

import numpy as np

import picture
from command import FLOOR, LAWS, PATIENCE, ROOT, Case, needs
from kill import share, with_fault
from results import RICH

# One sphere floats; nothing else is there.
FLOATING = """
time: { step = 1e-3; end = 0.002; };
gravity = [0.0, 0.0, 0.0];
output: { interval = 1e-3; contacts = true; };
bodies = ( { position = [0.3, -0.2, 0.5]; material = "grain"; radius = 0.1; } );
""" + LAWS
CENTER, RADIUS = np.array([0.3, -0.2, 0.5]), 0.1


def animated(data):
    """The pictures of an animated PNG with a palette whose color 0 is clear, and rows without filter."""
    at, number, canvas, pictures, place = 8, 0, None, [], None
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body, at = data[at + 8:at + 8 + length], at + length + 12
        assert struct.unpack(">I", data[at - 4:at])[0] == zlib.crc32(name + body)
        if name in (b"fcTL", b"fdAT"):
            assert struct.unpack(">I", body[:4])[0] == number
            number += 1
        if name == b"IHDR":
            canvas = np.zeros(struct.unpack(">II", body[:8])[::-1], int)
        elif name == b"PLTE":
            palette = np.frombuffer(body, np.uint8).reshape(-1, 3)
        elif name == b"fcTL":
            place = struct.unpack(">IIII", body[4:20])
        elif name in (b"IDAT", b"fdAT"):
            width, height, x, y = place
            rows = np.frombuffer(zlib.decompress(body[4 * (name == b"fdAT"):]), np.uint8).reshape(height, width + 1)[:, 1:]
            part = canvas[y:y + height, x:x + width]
            part[rows > 0] = rows[rows > 0]
            pictures.append(palette[canvas].astype(float))
    return pictures


@needs("render")
class Silhouette(Case):
    def look(self, *words):
        """(x, y, radius) of what is not white, in pixels: center, and radius of a disc of that area."""
        self.pluvia("render", "a.h5md", "-o", "a.png", "--plain", "--size", "240x200", *words)
        dark = picture.read(self.folder / "a.png")[:, :, 2] < 195  # more than half covered
        y, x = np.nonzero(dark)
        return x.mean() + 0.5, y.mean() + 0.5, (dark.sum() / np.pi) ** 0.5

    def prepare(self):
        self.write("a.cfg", FLOATING)
        self.pluvia("run", "-q", "a.cfg", "-o", "a.h5md")

    def test_one_sphere_is_in_the_middle_from_everywhere(self):
        for view in ["0,0", "-75,22", "130,-40"]:
            x, y, radius = self.look("--from", view)
            self.assertAlmostEqual(x, 120, delta=0.5)
            self.assertAlmostEqual(y, 100, delta=0.5)
            self.assertGreater(radius, 20)

    def test_it_moves_as_projected(self):
        # Seen along y from the front: x to the right, z upward. Looking past the sphere by s moves it by
        # s f / D pixels, while its radius is f R / sqrt(D^2 - R^2): D is far, some ten radii.
        x, y, radius = self.look("--from=-90,0", "--look-at", "0.25,-0.2,0.47", "--distance", "1.2")
        self.assertAlmostEqual((x - 120) / radius, 0.05 / RADIUS, delta=0.03)
        self.assertAlmostEqual((100 - y) / radius, 0.03 / RADIUS, delta=0.03)
        # From the side of +x: y to the right.
        x, _, radius = self.look("--from", "0,0", "--look-at", "0.3,-0.25,0.5", "--distance", "1.2")
        self.assertAlmostEqual((x - 120) / radius, 0.05 / RADIUS, delta=0.03)

    def test_zoom_enlarges(self):
        once, twice = (self.look("--zoom", zoom)[2] for zoom in ("0.5", "1"))
        self.assertAlmostEqual(twice / once, 2.0, delta=0.02)
        smaller = self.look("--balls", "0.5")[2]
        self.assertAlmostEqual(twice / smaller, 2.0, delta=0.05)

    def test_distance_sets_the_scale(self):
        # 0.46 rad over the 200 pixels of the shorter side: f = 100 / tan 0.23; the disc is f R / sqrt(D^2 - R^2).
        for distance in (1.0, 2.0):
            radius = self.look("--distance", distance)[2]
            f = 100 / np.tan(0.23)
            self.assertAlmostEqual(radius, f * RADIUS / (distance**2 - RADIUS**2) ** 0.5, delta=0.3)

    def test_colors_follow_the_value(self):
        # The range puts the height, 0.5 m, at the ends of the map: violet, then yellow.
        for bounds, bright in [("0.5,1", 2), ("0,0.5", 0)]:
            for option in "--color", "--colour":
                self.look(option, "height", "--range", bounds)
                image = picture.read(self.folder / "a.png")
                middle = image[100, 120]
                self.assertEqual(int(np.argmax(middle)), bright, middle)


@needs("render")
class Arrows(Case):
    def test_they_are_as_long_as_said(self):
        """The longest is 6 radii, here across the view: f 6 R / D pixels from the center to its tip, which points where
        the sphere goes."""
        for velocity, sign in (("[2, 0, 0]", 1), ("[-0.01, 0, 0]", -1)):
            self.write("a.cfg", FLOATING.replace("radius = 0.1", f"radius = 0.1; velocity = {velocity}").replace(
                "end = 0.002", "end = 1e-3"))
            self.pluvia("run", "-q", "--force", "a.cfg", "-o", "a.h5md")
            for words, length in ([], 0.6), (["--arrow-length", "0.5"], 0.3):
                self.pluvia("render", "a.h5md", "-o", "a.png", "--force", "--plain", "--size", "600x400", "--at", "0",
                            "--from=-90,0", "--look-at", "0.3,-0.2,0.5", "--distance", "4", "--arrows", "velocity",
                            "--balls", "0.2", *words)
                image = picture.read(self.folder / "a.png").astype(int)
                y, x = np.nonzero((image[:, :, 0] > 90) & (image[:, :, 1] < 0.45 * image[:, :, 0]))
                tip = x.max() - 300 if sign > 0 else 300 - x.min()  # where it is thinner than a pixel it is pale
                self.assertAlmostEqual(tip, 200 / np.tan(0.23) * length / 4, delta=5)
                self.assertAlmostEqual(y.mean(), 200, delta=1)


LID = """
time: { step = 1e-3; end = 1e-3; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "wall"]; friction = 0.3; } );
boundaries = (
    { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [1, 1]; }; material = "wall"; name = "floor"; },
    { plate: { center = [0, 0, 0.5]; normal = [0, 0, 1]; size = [1, 1]; }; material = "wall"; name = "lid"; }
);
bodies = ( { position = [0, 0, 0.1]; radius = 0.1; material = "grain"; } );
"""


@needs("render")
class Pictures(Case):
    def prepare(self):
        self.write("rich.cfg", RICH)
        self.pluvia("run", "-q", "rich.cfg", "-o", "a.h5md")

    def render(self, *words, **options):
        return self.pluvia("render", "a.h5md", "--size", "160x120", *words, **options)

    def film(self, *words, **options):
        """Eleven pictures: small, for what they show is looked at in larger ones."""
        return self.pluvia("render", "a.h5md", "--size", "80x60", "--movie", *words, **options)

    def test_threads_do_not_matter(self):
        words = ["--marks", "--chains", "--arrows", "force", "--walls", "0.3", "--color", "pressure"]
        files = []
        for threads in ("1", "3"):
            self.render("-o", "a.png", "-j", threads, *words)
            files.append((self.folder / "a.png").read_bytes())
        self.assertEqual(files[0], files[1])

    def test_threads_do_not_matter_for_a_film(self):
        """With several threads each draws a frame of its own."""
        films = []
        for threads in "1", "3":
            self.film("-o", "film.png", "-j", threads, "--force", "--marks", "--chains", "--arrows", "torque",
                        "--color", "deviator", "--walls", "0.5")
            films.append([(self.folder / f"film-{k:04d}.png").read_bytes() for k in range(1, 12)])
        self.assertEqual(films[0], films[1])
        self.assertEqual(len(set(films[0])), 11)

    def test_every_quantity(self):
        for name in ["none", "species", "speed", "velocity", "angular_velocity", "coordination", "mode", "force",
                     "net_force", "torque", "pressure", "stress", "deviator", "dissipation", "release", "height", "radius",
                     "mass", "position.x", "velocity.z", "angular_velocity.y", "force.z", "torque.x", "stress.zz"]:
            self.render("-o", name + ".png", "--color", name)
            self.assertGreater(len(np.unique(picture.read(self.folder / (name + ".png")))), 30, name)

    def test_a_boundary_is_hidden(self):
        self.write("lid.cfg", LID)
        self.pluvia("run", "-q", "lid.cfg", "-o", "lid.h5md")
        seen = []
        for words in ["--solid"], [], ["--hide", "lid"], ["--hide", "floor,lid"]:
            self.pluvia("render", "lid.h5md", "-o", "lid.png", "--force", "--plain", "--from", "0,89", "--size",
                        "160x120", *words)
            image = picture.read(self.folder / "lid.png").astype(int)
            seen.append(np.ptp(image[60, 80]))
        self.assertLess(seen[0], 15)  # gray: the lid
        self.assertGreater(min(seen[1:]), 60)  # the sphere
        _, said = self.pluvia("render", "lid.h5md", "-o", "no.png", "--hide", "lid,cover", code=2)
        self.assertIn('unknown boundary "cover" to hide; the run has "floor", "lid"', said)

    def test_numbers_of_grains_come_from_the_file_or_its_contacts(self):
        """The same pictures from columns of the file as from its contacts."""
        names = "force", "torque", "stress", "coordination"
        columns = RICH.replace('"force"];', ", ".join(f'"{name}"' for name in names) + "];").replace(
            "contacts = true", "contacts = false")
        self.write("columns.cfg", columns)
        self.write("contacts.cfg", RICH.replace(', "force"', ""))
        for name in "columns", "contacts":
            self.pluvia("run", "-q", f"{name}.cfg", "-o", f"{name}.h5md")
        for words in (["--color", name] for name in ("net_force", "torque", "pressure", "deviator", "stress.zz",
                                                     "coordination")):
            seen = []
            for name in "columns", "contacts":
                self.pluvia("render", f"{name}.h5md", "-o", "g.png", "--force", "--size", "160x120", "--at", "0.1", *words)
                seen.append(picture.read(self.folder / "g.png"))
            self.assertLess(np.abs(seen[0].astype(int) - seen[1]).max(), 3, words)
            self.assertGreater(len(np.unique(seen[0])), 30)

    def test_one_large_force_does_not_darken_the_others(self):
        """A hundred equal spheres on a floor and one of 64 times their weight: the bar ends with the hundred."""
        self.write("t.cfg", "time: { step = 1e-3; end = 0.02; };\noutput: { interval = 0.02; contacts = true; };\n" + LAWS +
                   FLOOR + 'bodies = ( { lattice: { counts = [10, 10, 1]; spacing = 0.025; origin = [0, 0, 0.01]; }; '
                   'material = "grain"; radius = 0.01; },\n{ position = [0.4, 0.1, 0.04]; material = "grain"; radius = 0.04; }'
                   " );\n")
        self.pluvia("run", "-q", "t.cfg", "-o", "t.h5md")
        for color in "force", "pressure":
            self.pluvia("render", "t.h5md", "-o", "t.png", "--force", "--plain", "--size", "200x150", "--color", color)
            image = picture.read(self.folder / "t.png").astype(int)
            yellow = (image[:, :, 1] > image[:, :, 2] + 60) & (image[:, :, 0] > 120)
            violet = image[:, :, 2] > image[:, :, 1] + 40
            self.assertGreater(yellow.mean(), 0.05, color)
            self.assertLess(violet.mean(), 0.01, color)

    def test_chains_are_cut_with_their_spheres(self):
        seen = []
        for words in [], ["--chains"]:
            self.render("-o", "c.png", "--force", "--plain", "--balls", "0.3", "--cut", "0,0,1,-1", *words)
            seen.append((self.folder / "c.png").read_bytes())
        self.assertEqual(*seen)

    def test_walls_as_clear_as_asked(self):
        """Half of the light of a lid and half of that behind it, which falls there as without the lid."""
        self.write("lid.cfg", LID)
        self.pluvia("run", "-q", "lid.cfg", "-o", "lid.h5md")
        light = {}
        for opacity in "0", "0.5", "1":
            self.pluvia("render", "lid.h5md", "-o", "lid.png", "--force", "--plain", "--from", "0,89", "--size", "160x120",
                        "--walls", opacity)
            code = picture.read(self.folder / "lid.png")[50:70, 70:90].astype(float) / 255
            light[opacity] = np.where(code < 0.0405, code / 12.92, ((code + 0.055) / 1.055) ** 2.4).mean(axis=(0, 1))
        self.assertGreater(np.ptp(light["0"]), 0.1)  # the sphere
        self.assertLess(np.ptp(light["1"]), 0.01)  # the lid
        self.assertLess(np.abs(light["0.5"] - (light["0"] + light["1"]) / 2).max(), 0.006)
        for opacity in "-0.1", "1.1", "glass":
            self.assertIn("walls", self.pluvia("render", "lid.h5md", "-o", "no.png", f"--walls={opacity}", code=2)[1])

    def grains(self, *words, scene=None):
        """How much of the picture's width and height the spheres (brown) take, and of its pixels."""
        if scene:
            self.write("g.cfg", scene)
            self.pluvia("run", "-q", "--force", "g.cfg", "-o", "g.h5md")
        self.pluvia("render", "g.h5md", "-o", "g.png", "--force", "--plain", "--size", "200x150", *words)
        y, x = np.nonzero(np.ptp(picture.read(self.folder / "g.png").astype(int), axis=2) > 40)
        if len(x) == 0:
            return 0, 0, 0
        return np.ptp(x) / 200, np.ptp(y) / 150, len(x) / (200 * 150)

    def test_walls_hide_no_spheres(self):
        """The discs at the ends of the drum: the front one is drawn as its outline. So it is from behind, and in a film."""
        drum = (ROOT / "scenes/drum.cfg").read_text().replace("end = 10.0", "end = 0.05")
        self.assertGreater(self.grains(scene=drum)[2], 0.1)
        self.assertGreater(self.grains("--from", "90,10")[2], 0.1)
        self.assertLess(self.grains("--solid")[2], 0.005)
        self.assertGreater(self.grains("--walls", "0.2")[2], 0.08)
        self.assertLess(self.grains("--walls", "1", "--from", "0,10")[2], 0.005)  # through the tube
        self.pluvia("render", "g.h5md", "--movie", "-o", "film.png", "--plain", "--size", "200x150", "-j", "2")
        self.assertGreater((np.ptp(picture.read(self.folder / "film-0002.png").astype(int), axis=2) > 40).mean(), 0.1)

    def test_a_heap_fills_the_picture(self):
        """Beneath a tube that was lifted above it, too; one half of it is left by a cut."""
        layers = ", ".join("{ lattice: { counts = [%d, %d, 1]; spacing = 0.02; origin = [%g, %g, %g]; }; material = \"grain\";"
                           " radius = 0.01; }" % (n, n, -0.01 * (n - 1), -0.01 * (n - 1), 0.01 + 0.0142 * k)
                           for k, n in enumerate(range(9, 0, -1)))
        tube = '{ cylinder: { center = [0, 0, 0.3]; radius = 0.1; height = 0.3; bottom = false; }; material = "plate"; }'
        wide, high, share = self.grains(scene="time: { step = 1e-3; end = 1e-3; };\n" + LAWS + 'boundaries = ( { plane: {}; '
                                        f'material = "plate"; }}, {tube} );\nbodies = ( {layers} );\n')
        self.assertGreater(max(wide, high), 0.9)
        self.assertLess(max(wide, high), 1.0)
        whole = self.grains("--from=-90,0")[2]
        self.assertGreater(whole, 0.2)
        for plane, left in (("1,0,0,-0.001", 0.45), ("0,0,1,0.045", 0.62), ("0,0,1,1", 1), ("0,0,1,-1", 0)):
            self.assertAlmostEqual(self.grains("--from=-90,0", "--cut", plane)[2], left * whole, delta=0.1 * whole)
        for plane in "0,0,0,1", "0,0,1":
            self.assertIn("--cut" if plane == "0,0,1" else "cutting plane",
                          self.pluvia("render", "g.h5md", "-o", "n.png", "--cut", plane, code=2)[1])

    def test_a_shadow_lies_on_the_floor(self):
        self.render("-o", "with.png", "--at", "0", "--plain", "--from", "0,60")
        image = picture.read(self.folder / "with.png").astype(float)
        floor = np.ptp(image, axis=2) < 3  # gray, unlike the spheres
        gray = image[floor].mean(axis=1)
        self.assertLess(gray.min(), 0.75 * np.median(gray))

    def test_a_film_is_a_row_of_pictures(self):
        self.film("-o", "film.png")
        names = [name for name in self.files() if name.startswith("film-")]
        self.assertEqual(names, [f"film-{k:04d}.png" for k in range(1, 12)])
        self.assertNotEqual((self.folder / names[0]).read_bytes(), (self.folder / names[-1]).read_bytes())

    def test_pictures_become_an_animated_png(self):
        """tools/film.py: read back, each picture is what was drawn, but for the colors of the palette; a still one too."""
        (self.folder / "row").mkdir()
        self.film("-o", "row/film.png", "--color", "height")
        names = sorted((self.folder / "row").glob("*.png"))
        (self.folder / "row/film-9999.png").write_bytes(names[-1].read_bytes())
        subprocess.run(["/usr/bin/python3", ROOT / "tools/film.py", "row", "film.png"], cwd=self.folder, check=True)
        found = animated((self.folder / "film.png").read_bytes())
        self.assertEqual(len(found), len(names) + 1)
        drawn = [picture.read(name).astype(float) for name in names]
        for k, image in enumerate(found):
            far = [np.abs(image - other).mean() for other in drawn]
            self.assertEqual(int(np.argmin(far)), min(k, len(names) - 1))
            self.assertLess(min(far), 5)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_a_film(self):
        before = self.files()
        self.film("-o", "film %d.mp4")
        self.assertEqual((self.folder / "film %d.mp4").read_bytes()[4:8], b"ftyp")
        self.assertEqual(sorted(self.files()), sorted(before + ["film %d.mp4"]))

    def test_a_film_without_ffmpeg(self):
        before = self.files()
        _, err = self.film("-o", "film.mp4", code=5, env={**os.environ, "PATH": "/nowhere"})
        self.assertIn("ffmpeg, which is not installed", err)
        self.assertEqual(self.files(), before)

    def test_what_a_film_is_made_of(self):
        """A stand-in for ffmpeg keeps its words and what it is given: all pictures, nothing but the
        film stays, whatever its name holds; progress is told."""
        (self.folder / "bin").mkdir()
        self.write("bin/ffmpeg", "#!/usr/bin/python3\nimport sys\n"
                   "pixels = sys.stdin.buffer.read()\n"
                   "if 'bad' in sys.argv[-1]: sys.exit(1)\n"
                   "open(sys.argv[-1].removeprefix('file:'), 'wb').write(pixels)\n")
        (self.folder / "bin/ffmpeg").chmod(0o755)
        env = {**os.environ, "PATH": str(self.folder / "bin") + ":" + os.environ["PATH"]}
        before = self.files()
        self.film("-o", "row.png", "--plain")
        pictures = [f"row-{k:04d}.png" for k in range(1, 12)]
        self.film("-o", "100 %d-%s.mp4", "--plain", env=env)
        self.assertEqual(sorted(self.files()), sorted(before + ["100 %d-%s.mp4"] + pictures))
        pixels = (self.folder / "100 %d-%s.mp4").read_bytes()
        self.assertEqual(len(pixels), 11 * 80 * 60 * 3)
        last = np.frombuffer(pixels[-80 * 60 * 3:], np.uint8).reshape(60, 80, 3)
        self.assertTrue((last == picture.read(self.folder / pictures[-1])).all())
        _, err = self.film("-o", "bad.mp4", code=5, env=env)
        self.assertIn("ffmpeg failed on bad.mp4", err)
        self.assertEqual([name for name in self.files() if "bad" in name], [])

    def test_a_killed_film(self):
        """Pictures that are there are whole, a film that is not is no film; the same command makes all of them."""
        (self.folder / "bin").mkdir()
        self.write("bin/ffmpeg", "#!/usr/bin/python3\nimport os, sys, time\n"
                   "out = open(sys.argv[-1].removeprefix('file:'), 'wb')\n"
                   "while some := sys.stdin.buffer.read(10000):\n"
                   "    out.write(some), out.flush(), time.sleep(float(os.environ['NAP']))\n")
        (self.folder / "bin/ffmpeg").chmod(0o755)
        env = {**os.environ, "PATH": str(self.folder / "bin") + ":" + os.environ["PATH"], "OMP_NUM_THREADS": "1"}
        self.film("-o", "row.png", "--plain")
        pictures = {f"row-{k:04d}.png": (self.folder / f"row-{k:04d}.png").read_bytes() for k in range(1, 12)}
        for at in (1, 2, 5, 9, 14, 20)[::6 // share(6)]:
            for name in pictures:
                (self.folder / name).unlink(missing_ok=True)
            process = self.start("render", "a.h5md", "--size", "80x60", "--movie", "-o", "row.png", "--plain",
                                 env=with_fault("kill", at, "row-"))
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            for name in set(pictures) & set(self.files()):
                self.assertEqual((self.folder / name).read_bytes(), pictures[name], f"killed at {at}")
            self.film("-o", "row.png", "--plain", "--force")
            self.assertEqual({name: (self.folder / name).read_bytes() for name in pictures}, pictures)
        before = self.files()
        process = self.start("render", "a.h5md", "--size", "80x60", "--movie", "-o", "film.mp4", "--plain",
                             env=env | {"NAP": "1"})  # sixteen of them, however late the kill
        self.wait_until(process, lambda: any(name.startswith("film") for name in self.files()), "its film")
        process.kill()
        process.communicate(timeout=PATIENCE)
        self.assertNotIn("film.mp4", self.files())
        self.film("-o", "film.mp4", "--plain", env=env | {"NAP": "0"})
        self.assertEqual((self.folder / "film.mp4").stat().st_size, 11 * 80 * 60 * 3)
        self.assertEqual([name for name in self.files() if name not in before and "part" not in name], ["film.mp4"])

    def test_an_interrupted_film_leaves_nothing(self):
        """A signal while ffmpeg writes, to both (as of a terminal) and to the command alone; and one between pictures, of which
        those stay that are complete."""
        (self.folder / "bin").mkdir()
        self.write("bin/ffmpeg", "#!/usr/bin/python3\nimport signal, sys, time\n"
                   "out = open(sys.argv[-1].removeprefix('file:'), 'wb')\n"
                   "signal.signal(signal.SIGINT, lambda *_: (out.close(), sys.exit(255)))\n"
                   "while some := sys.stdin.buffer.read(5000):\n"
                   "    out.write(some), out.flush(), time.sleep(0.2)\n")
        (self.folder / "bin/ffmpeg").chmod(0o755)
        env = {**os.environ, "PATH": str(self.folder / "bin") + ":" + os.environ["PATH"], "OMP_NUM_THREADS": "1"}
        before = self.files()
        for number, group in (signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False):
            process = self.start("render", "a.h5md", "--size", "80x60", "--movie", "-o", "film.mp4", "--plain", env=env,
                                 start_new_session=True)
            self.wait_until(process, lambda: any(name.startswith("film") for name in self.files()), "its film")
            (os.killpg if group else os.kill)(process.pid, number)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 128 + number, err)
            self.assertRegex(err, "interrupted after picture [0-9]+ of 11; no film is kept")
            self.assertEqual(self.files(), before)

    def test_one_stray_does_not_shrink_the_heap(self):
        """Pixels that spheres take: as many with a stray far away as without; fewer with --all."""
        heap = "".join("%g,%g,%g,0.01\n" % (0.02 * (k % 4), 0.02 * (k // 4 % 4), 0.01 + 0.02 * (k // 16))
                       for k in range(48))
        taken = {}
        for name, more in [("heap", ""), ("stray", "5,0,0.01,0.01\n"), ("two", "5,0,0.01,0.01\n0,-90,0.01,0.01\n")]:
            self.write("grains.csv", "x,y,z,radius\n" + heap + more)
            self.write("heap.cfg", "time: { step = 1e-3; end = 1e-3; };\ngravity = [0, 0, -9.81];\n" + LAWS +
                       'bodies = ( { file: { path = "grains.csv"; }; material = "grain"; } );\n')
            self.pluvia("run", "heap.cfg", "-q", "--force", "-o", "heap.h5md")
            for words in [[], ["--all"]]:
                self.pluvia("render", "heap.h5md", "-o", "heap.png", "--size", "200x150", "--plain", *words)
                image = picture.read(self.folder / "heap.png").astype(float)
                taken[name, bool(words)] = (np.ptp(image, axis=2) > 20).mean()
        self.assertGreater(taken["heap", False], 0.1)
        for name in ["stray", "two"]:
            self.assertGreater(taken[name, False], 0.6 * taken["heap", False], taken)
            self.assertLess(taken[name, True], 0.05 * taken["heap", False], taken)

    def test_errors(self):
        for words, code, text in [
                ([], 2, "--output"), (["-o", "a.jpg"], 2, ".png"), (["-o", "a.mp4"], 2, ".png"),
                (["-o", "a.png", "--color", "shape"], 2, "choose one of none, species, speed,"),
                (["-o", "a.png", "--size", "10"], 2, "WxH"), (["-o", "a.png", "--size", "1x1"], 2, "pixels"),
                (["-o", "a.png", "--from", "0,95"], 2, "elevation"),
                (["-o", "a.png", "--zoom", "0"], 2, "--zoom"),
                (["-o", "a.png", "--distance", "0"], 2, "--distance"),
                (["-o", "a.png", "--range", "1,1"], 2, "range"),
                (["-o", "a.png", "--arrows", "up"], 2, "choose one of velocity"),
                (["-o", "a.png", "--arrow-length", "0"], 2, "--arrow-length"),
                (["-o", "a.png", "--color", "velocity.w"], 2, "velocity.x"),
                (["-o", "a.png", "--movie", "--at", "0"], 2, "--at"),
                (["-o", "a.png", "--at", "soon"], 2, "soon"),
                (["-o", "not/there/a.png"], 5, "not/there/a.png")]:
            _, err = self.render(*words, code=code)
            self.assertIn(text, err)
            self.assertTrue(err.startswith("pluvia: "), err)

    def test_what_is_not_in_the_file_is_named(self):
        self.write("poor.cfg", RICH.replace("contacts = true", "contacts = false").replace(
            '"velocity", "angular_velocity", "orientation", "force"', '"velocity"'))
        self.pluvia("run", "-q", "poor.cfg", "-o", "poor.h5md")
        for words, text in [(["--chains"], "output.contacts"), (["--marks"], "orientation"),
                            (["--arrows", "force"], "output.contacts"), (["--arrows", "angular_velocity"], "angular_velocity"),
                            (["--color", "pressure"], "output.contacts"), (["--color", "stress.xy"], "output.contacts"),
                            (["--color", "mode"], "output.contacts"),
                            (["--color", "angular_velocity"], "angular_velocity")]:
            _, err = self.pluvia("render", "poor.h5md", "-o", "a.png", *words, code=2)
            self.assertIn(text, err)
        self.assertNotIn("a.png", self.files())

    def test_all_kinds_of_walls(self):
        walls = """boundaries = (
            { box: { lower = [-0.5, -0.5, -0.1]; upper = [0.5, 0.5, 0.5]; }; material = "plate"; },
            { cylinder: { center = [0, 0, 0]; radius = 0.2; height = 0.3; }; material = "plate"; },
            { disc: { center = [0, 0, 0]; normal = [0, 1, 1]; radius = 0.4; }; material = "plate"; },
            { plate: { center = [0, 0, 0]; normal = [1, 0, 0]; size = [1, 1]; }; material = "plate"; },
            { cone: { radii = [0.3, 0.4]; height = 0.3; }; material = "plate"; },
            { sphere: { center = [0.3, 0.3, 0.3]; radius = 0.1; }; material = "plate"; },
            { sphere: { radius = 0.7; inside = true; }; material = "plate"; } );"""
        body = 'bodies = ( { position = [0.1, 0.1, 0.05]; material = "grain"; radius = 0.01; } );'
        head = RICH[:RICH.index("bodies")].replace("end = 0.2", "end = 0.002")
        self.write("walls.cfg", head + body + LAWS + walls)
        self.pluvia("run", "-q", "walls.cfg", "-o", "walls.h5md", "-s", "output.interval=1e-3")
        self.pluvia("render", "walls.h5md", "-o", "walls.png", "--size", "160x120", "--zoom", "0.1")
        self.assertGreater(len(np.unique(picture.read(self.folder / "walls.png"))), 30)

    def test_walls_of_a_scene_whose_bodies_came_from_a_file_that_is_gone(self):
        body = 'bodies = ( { %s material = "grain"; } );\n'
        head = "time: { step = 1e-3; end = 0.002; };\noutput: { interval = 1e-3; };\n" + LAWS + FLOOR
        self.write("grains.csv", "x,y,z,radius\n0.1,0.2,0.05,0.02\n")
        self.write("file.cfg", head + body % 'file: { path = "grains.csv"; };')
        self.write("same.cfg", head + body % "position = [0.1, 0.2, 0.05]; radius = 0.02;")
        for name in ("same", "file"):
            self.pluvia("run", "-q", f"{name}.cfg", "-o", f"{name}.h5md")
        (self.folder / "grains.csv").unlink()
        for name in ("same", "file"):
            self.pluvia("render", f"{name}.h5md", "-o", f"{name}.png", "--size", "160x120")
        self.assertEqual(*((self.folder / f"{name}.png").read_bytes() for name in ("same", "file")))


if __name__ == "__main__":
    unittest.main()
