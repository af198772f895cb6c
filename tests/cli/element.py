"""tools/element.py: element tests whose answers are closed forms, written as trajectories; walls with any names; small real ones."""
import csv
import subprocess
import sys
import unittest

import h5py
import numpy as np

from command import ROOT, Case
from servo import BOX, LOAD

sys.path.insert(0, str(ROOT / "tools"))
import element_test  # noqa: E402
import specimen  # noqa: E402

RADIUS, COUNT, DENSITY = 0.002, 1000, 2500.0
SOLID = COUNT * 4 / 3 * np.pi * RADIUS**3
PLANES = {"west": (0, 1), "east": (0, -1), "south": (1, 1), "north": (1, -1), "pedestal": (2, 1), "cap": (2, -1)}


def trajectory(path, time, length, scene="gravity = [0, 0, 0];", stress=None, walls=None, tube=None, periodic="", before=None):
    """A trajectory with edges `length` (frames x 3) of the specimen. Of a cell `stress` has xx, yy, zz, xz by name; of walls it
    has the stress on each. `before`: by how far a run before moved walls, by name."""
    frames = len(time)
    with h5py.File(path, "w") as file:
        bodies = file.create_group("particles/trajectory")
        bodies["position/time"], bodies["position/step"] = time, 10 + np.arange(frames) * 10  # not from the start
        middle = np.array([0 if tube else 0.5, 0 if tube else 0.5, 0.5]) * length[:, None, :]
        bodies["position/value"] = np.repeat(middle, COUNT, axis=1)
        bodies["velocity/value"] = np.zeros((frames, COUNT, 3))
        bodies["state/value"] = np.ones((frames, COUNT), "u1")
        bodies["radius"], bodies["mass"] = np.full(COUNT, RADIUS), np.full(COUNT, SOLID / COUNT * DENSITY)
        box = bodies.create_group("box")
        box.attrs["boundary"] = np.array(["periodic" if a in periodic else "none" for a in "xyz"], "S8")
        if periodic:
            box["edges/value"], box.attrs["origin"] = length[:, :, None] * np.eye(3), np.zeros(3)
        seen = file.create_group("observables")
        seen["unconverged_steps/value"] = np.arange(frames) // 2
        seen["made_steps/value"] = 10 + np.arange(frames) * 40  # four parts a step
        if periodic == "xyz":
            for name in ("xx", "yy", "zz", "xy", "xz", "yz"):
                seen[f"cell_stress_{name}/value"] = np.broadcast_to(stress.get(name, 0.0), frames)
        file["parameters/pluvia/scene_resolved"] = scene
        file.create_group("walls")
        if walls is not None:
            planes(file, walls, stress, length, tube, before or {})
    return path


def planes(file, walls, stress, length, tube, before):
    """`walls`: (axis, direction of the normal) by name; lower ones stay. A piston in a tube may be a disc as well."""
    names = [*walls, *(["pipe"] if tube else [])]
    place, force = np.zeros((len(length), len(names), 3)), np.zeros((len(length), len(names), 3))
    for k, (name, (axis, side)) in enumerate(walls.items()):
        area = np.pi * tube**2 if tube else np.prod([length[:, i] for i in range(3) if i != axis], axis=0)
        force[:, k, axis] = -side * np.nan_to_num(stress[name]) * area
        if side < 0:
            place[:, k, axis] = length[:, axis]
        normal = side * np.eye(3)[axis]
        outline = [0, 0, 0, *(place[0, k] - before.get(name, np.zeros(3))), *normal, *np.eye(3)[(axis + 1) % 3], np.inf, np.inf, 0, 0, 0]
        file.create_group(f"walls/{name}").attrs.update({"outline": outline, "parts": [k]})
    if tube:
        file.create_group("walls/pipe").attrs.update(
            {"outline": [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, tube, tube, 1], "parts": [len(walls)]})
    group = file.create_group("boundaries")
    group["names"] = np.array(names, "S20")
    group["position/value"], group["force/value"] = place, force
    group["state/value"] = np.ones((len(length), len(names)), "u1")
    group["rotation/value"] = np.broadcast_to([1.0, 0, 0, 0], (len(length), len(names), 4))


def dense_sand(frames=401):
    """Axial strain to 0.2: the friction angle rises to 35 degrees at 0.05 and falls to 28 at 0.1, from where it stays; the
    dilatancy angle is 15 degrees up to 0.1. Lengths and stresses of a sample under 100 kPa."""
    strain = np.linspace(0, 0.2, frames)
    phi = np.radians(np.interp(strain, [0, 0.05, 0.1, 0.2], [0, 35, 28, 28]))
    natural, sine = -np.log(1 - strain), np.sin(np.radians(15))
    swell = 2 * sine / (1 - sine) * np.minimum(natural, -np.log(0.9))  # ln V / V0
    height = 0.05 * (1 - strain)
    side = np.sqrt(0.05**3 * np.exp(swell) / height)
    radial = np.full(frames, 100e3)
    return np.linspace(0, 1, frames), np.stack([side, side, height], axis=1), radial, radial * (1 + np.sin(phi)) / (1 - np.sin(phi))


class Element(Case):
    def element(self, *words, code=0):
        done = subprocess.run(["/usr/bin/python3", ROOT / "tools/element.py", *map(str, words)], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertNotIn("Warning", done.stderr)
        return done.stdout + done.stderr

    def numbers(self, *words):
        """The first lines of what is printed: number by name; all of it."""
        said = self.element(*words)
        made = {}
        for line in said.split("\n\n")[0].splitlines():
            if len(line) > 37 and line[36] == " " and not line.startswith(("note", " ")):
                made[line[:36].strip()] = float(line[37:].split()[0])
        return made, said

    def columns(self, path):
        with open(self.folder / path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}

    def judge_dense_sand(self, made):
        for name, value, delta in [("phi, peak (degrees)", 35, 0.5), ("... at a strain of", 0.05, 0.002), ("psi there (degrees)", 15, 0.01),
                                   ("phi, critical (degrees)", 28, 0.005), ("sigma_r (kPa)", 100, 1e-9), ("dv/da, critical", 0, 1e-9),
                                   ("q / p, critical", 6 * np.sin(np.radians(28)) / (3 - np.sin(np.radians(28))), 1e-3),
                                   ("void ratio at the start", 0.05**3 / SOLID - 1, 1e-3), ("steps not converged (%)", 1.25, 1e-9),
                                   ("inertial number", 0.2 * 2 * RADIUS * np.sqrt(DENSITY / 150e3), 1e-4)]:
            self.assertAlmostEqual(made[name], value, delta=delta, msg=name)

    def test_triaxial_cell(self):
        time, length, radial, axial = dense_sand()
        trajectory(self.folder / "t.h5md", time, length, stress={"xx": radial, "yy": radial, "zz": axial}, periodic="xyz")
        made, said = self.numbers("triaxial", "t.h5md", "--csv", "t.csv", "-o", "t.svg", "--smooth", "0.002")
        self.judge_dense_sand(made)
        self.assertNotIn("note", said)
        self.assertGreater((self.folder / "t.svg").stat().st_size, 8000)
        c = self.columns("t.csv")
        np.testing.assert_allclose(c["p"], (axial + 2 * radial) / 3, rtol=1e-7)
        np.testing.assert_allclose(c["q"], axial - radial, rtol=1e-7, atol=1e-3)
        np.testing.assert_allclose(c["eps_a"], np.linspace(0, 0.2, 401), atol=1e-8)
        np.testing.assert_allclose(c["eps_v"], 1 - length.prod(axis=1) / 0.05**3, atol=1e-8)
        np.testing.assert_allclose(c["phi"][200:], 28, atol=1e-6)
        loose = self.element("triaxial", "t.h5md", "--to", "0.24")  # while it rises
        for text in "no peak", "not critical yet":
            self.assertIn(text, loose)

    def test_stages(self):
        """Of a run in stages the test is the last one that strains the cell; a sample that was pressed before has its own void ratio."""
        time, length, radial, axial = dense_sand()
        scene = ('cell = { strain_rate = [0.0, 0.0, 0.0]; };\nstages = ( { name = "press"; }, { name = "shear"; cell = { strain_rate = '
                 '[0.0, 0.0, -0.2]; }; }, { name = "more"; contacts = ( { friction = 0.4; } ); } );')
        stage = np.repeat([0, 1, 2], [11, 200, 200])
        time = np.concatenate([np.linspace(0, 0.5, 11), time[1:] + 0.5])
        wide = np.concatenate([np.linspace(1.2, 1, 11)[:, None] * length[0], length[1:]])
        before = np.linspace(0, 300e3, 11)
        trajectory(self.folder / "s.h5md", time, wide, scene, {"xx": np.concatenate([before, radial[1:]]), "yy": np.concatenate([before, radial[1:]]),
                                                               "zz": np.concatenate([before, axial[1:]])}, periodic="xyz")
        with h5py.File(self.folder / "s.h5md", "r+") as file:
            file["observables/stage/value"] = stage
            file["observables/cell_stress_xx/value"][10] = file["observables/cell_stress_yy/value"][10] = 100e3
            file["observables/cell_stress_zz/value"][10] = 100e3
        made, _ = self.numbers("triaxial", "s.h5md", "--smooth", "0.002", "--csv", "s.csv")
        self.judge_dense_sand(made)
        self.assertAlmostEqual(self.columns("s.csv")["t"][0], 0.5)

    def test_stages_of_shear(self):
        """Rates of stages add up to the strain of the cell; what a stage does not name stays."""
        time = np.linspace(0, 1, 401)
        scene = ('cell = { shear_rate = 0.0; };\nstages = ( { name = "press"; }, { name = "shear"; cell = { shear_rate = 0.5; }; }, '
                 '{ name = "on"; }, { name = "back"; cell = { shear_rate = -0.4; }; } );')
        length = np.full((401, 3), 0.05)
        trajectory(self.folder / "s.h5md", time, length, scene, {"xx": 50e3, "yy": 50e3, "zz": 50e3, "xz": np.full(401, -20e3)}, periodic="xyz")
        with h5py.File(self.folder / "s.h5md", "r+") as file:
            file["observables/stage/value"] = np.repeat([0, 1, 2, 3], [81, 80, 160, 80])  # up to 0.2, 0.4, 0.8 and 1 s
        self.numbers("shear", "s.h5md", "--csv", "s.csv", "--from", "0")
        np.testing.assert_allclose(self.columns("s.csv")["gamma"], np.interp(time, [0, 0.2, 0.8, 1], [0, 0, 0.3, 0.22]), atol=1e-9)
        self.numbers("shear", "s.h5md", "--csv", "s.csv")
        self.assertAlmostEqual(self.columns("s.csv")["t"][0], 0.8)

    def test_triaxial_walls_of_any_name(self):
        """The same by forces on walls; along another axis, too. Of stages before it nothing counts."""
        time, length, radial, axial = dense_sand()
        scene = "boundaries = ( { name = \"cap\"; servo = { stop = 0.5; }; start = { shift = [0, 0, -0.01]; }; } );"
        for axis in "zx":
            turn = (0, 1, 2) if axis == "z" else (2, 1, 0)
            stress = {name: axial if turn[k] == 2 else radial for name, (k, _) in PLANES.items()}
            stage = np.linspace(0, 0.5, 11)[:-1]
            wide = np.concatenate([np.linspace(1.2, 1, 11)[:-1, None] * length[0, list(turn)], length[:, list(turn)]])
            full = {name: np.concatenate([np.full(10, 1e3), part]) for name, part in stress.items()}
            trajectory(self.folder / "w.h5md", np.concatenate([stage, time + 0.5]), wide, scene, full, PLANES, before={"cap": [0, 0, -0.01]})
            made, _ = self.numbers("triaxial", "w.h5md", "--axis", axis, "--smooth", "0.002")
            self.judge_dense_sand(made)
            self.assertAlmostEqual(made["stress below over above, critical"], 1, delta=1e-9)

    def test_triaxial_extension(self):
        """Of seeds the mean and deviation; angles of extension by the larger and the smaller stress."""
        time, length, radial, _ = dense_sand()
        strain = np.linspace(0, 0.1, 401)
        phi, sine = np.radians(30), np.sin(np.radians(10))
        height = 0.05 * (1 + strain)
        natural = -np.log(height / 0.05)
        swell = -2 * sine / (1 + sine) * natural
        side = np.sqrt(0.05**3 * np.exp(swell) / height)
        axial = radial * (1 - np.sin(phi)) / (1 + np.sin(phi))
        for name, factor in ("a", 1.0), ("b", 1.001):
            trajectory(self.folder / f"{name}.h5md", time, factor * np.stack([side, side, height], axis=1),
                       stress={"xx": radial, "yy": radial, "zz": axial}, periodic="xyz")
        made, said = self.numbers("triaxial", "a.h5md", "b.h5md", "--csv", "two.csv")
        self.assertAlmostEqual(made["phi, critical (degrees)"], 30, delta=1e-3)
        self.assertAlmostEqual(made["psi there (degrees)"], 10, delta=1e-2)
        self.assertLess(made["q / p, critical"], 0)
        self.assertRegex(said, r"void ratio at the start +2\.7\d+ \+- 0\.007")
        self.assertIn("result,t,", (self.folder / "two.csv").read_text())

    def oedometer(self, time, stress):
        """e = 0.8 - 0.1 log10 sigma (kPa) at a largest stress so far, and half way back 0.01 a decade."""
        most = np.maximum.accumulate(stress)
        void = 0.8 - 0.1 * np.log10(most / 1e3) + 0.01 * np.log10(most / stress)
        return void

    def test_oedometer(self):
        load = np.repeat([10e3, 20e3, 50e3, 100e3, 50e3, 10e3], 20)
        time = np.linspace(0, 1.2, len(load))
        void = self.oedometer(time, load)
        length = np.stack([np.full(len(load), 0.04), np.full(len(load), 0.04), (1 + void) * SOLID / 0.04**2], axis=1)
        stress = {name: load * (0.5 if k < 2 else 1.0) for name, (k, _) in PLANES.items()}
        trajectory(self.folder / "o.h5md", time, length, "", stress, PLANES)
        made, said = self.numbers("oedometer", "o.h5md", "-o", "o.png", "--csv", "o.csv")
        for name, value in [("void ratio at the start", 0.7), ("void ratio there", 0.6), ("largest stress (kPa)", 100), ("Cc", 0.1),
                            ("Cc, last step", 0.1), ("Cs", 0.01), ("void ratio at the end", 0.61), ("K0 at the largest stress", 0.5)]:
            self.assertAlmostEqual(made[name], value, delta=1e-9, msg=name)
        self.assertEqual([float(line.split()[0]) for line in said.splitlines()[-6:]], [10, 20, 50, 100, 50, 10])
        self.assertIn("(west, east, south, north) do not move", self.element("triaxial", "o.h5md", code=1))
        made, said = self.numbers("isotropic", "o.h5md")
        self.assertAlmostEqual(made["Cc"], 0.1, delta=1e-9)
        self.assertAlmostEqual(made["largest stress (kPa)"], 200 / 3, delta=0.01)

    def test_ramps_and_cycles_of_stress(self):
        """A stress without levels is read at 1, 2, 5, ...; loops are counted."""
        log = np.interp(np.linspace(0, 7, 1401), range(8), [4, 5, 4.3, 5, 4.3, 5, 4.3, 5])
        load, time = 10**log, np.linspace(0, 1, 1401)
        void = self.oedometer(time, load)
        length = np.stack([np.full(1401, 0.04), np.full(1401, 0.04), (1 + void) * SOLID / 0.04**2], axis=1)
        stress = {name: load for name in PLANES}
        trajectory(self.folder / "c.h5md", time, length, "", stress, PLANES)
        made, said = self.numbers("oedometer", "c.h5md", "-o", "c.png")
        self.assertAlmostEqual(made["Cc"], 0.1, delta=1e-3)
        self.assertAlmostEqual(made["Cs"], 0.01, delta=1e-3)
        rows = [line.split() for line in said.split("cycle")[1].splitlines()[1:]]
        self.assertEqual([row[0] for row in rows], ["1", "2", "3"])
        for row in rows:
            np.testing.assert_allclose([float(v) for v in row[1:]], [10**1.3, 100, 0.6, 0.6], rtol=2e-3)

    def test_piston_in_a_tube(self):
        """Its stress on the mantle is that of the contacts."""
        load = np.repeat([10e3, 40e3, 100e3], 20)
        time, radius = np.linspace(0, 1, 60), 0.025
        height = (1 + self.oedometer(time, load)) * SOLID / (np.pi * radius**2)
        length = np.stack([np.full(60, 2 * radius), np.full(60, 2 * radius), height], axis=1)
        walls = {"base plate": (2, 1), "ram": (2, -1)}
        trajectory(self.folder / "p.h5md", time, length, "", {"base plate": 0.9 * load, "ram": load}, walls, tube=radius)
        made, _ = self.numbers("oedometer", "p.h5md")
        self.assertNotIn("K0 at the largest stress", made)
        self.assertIn("output.contacts", self.element("isotropic", "p.h5md", code=1))
        self.assertIn("(pipe) do not move: that is no triaxial test", self.element("triaxial", "p.h5md", code=1))
        with h5py.File(self.folder / "p.h5md", "r+") as file:
            contacts = file.create_group("contacts")
            contacts["offset"], contacts["dt"] = np.arange(61), np.full(60, 1e-3)
            contacts["body"], contacts["normal"] = np.tile([-3, 5], (60, 1)), np.tile([1.0, 0, 0], (60, 1))
            contacts["impulse"] = np.outer(0.5 * load * 2 * np.pi * radius * height * 1e-3, [1, 0, 0])
            for name in "moment_impulse", "status", "law":
                contacts[name] = np.zeros(60)
        made, _ = self.numbers("oedometer", "p.h5md")
        self.assertAlmostEqual(made["K0 at the largest stress"], 0.5 / 0.95, delta=1e-4)  # of the stress half way up
        self.assertAlmostEqual(made["Cc"], 0.1, delta=1e-9)

    def test_shear(self):
        """A cell, and between a belt and a lid: 25 degrees, dilatant by 5 degrees up to a shear strain of 0.4."""
        time = np.linspace(0, 1, 401)
        gamma = 0.8 * time
        height = 0.05 * np.exp(np.tan(np.radians(5)) * np.minimum(gamma, 0.4))
        length = np.stack([np.full(401, 0.05), np.full(401, 0.05), height], axis=1)
        tau = 50e3 * np.tan(np.radians(np.interp(gamma, [0, 0.2, 0.4], [0, 30, 25])))
        cell = "cell = { shear_rate = -0.8; size = [0.05, 0.05, 0.05]; };"
        trajectory(self.folder / "cell.h5md", time, length, cell, {"xx": 40e3, "yy": 40e3, "zz": 50e3, "xz": tau}, periodic="xyz")
        belt = "boundaries = ( { name = \"pedestal\"; motion = { belt = [0, -0.04, 0]; start = 0.25; }; } );"
        walls = {name: PLANES[name] for name in ("pedestal", "cap")}
        trajectory(self.folder / "belt.h5md", time, length, belt, {name: np.full(401, 50e3) for name in walls}, walls, periodic="xy")
        way = 0.04 * np.maximum(time - 0.25, 0)
        strain = np.concatenate([[0], np.cumsum(np.diff(way) / (height[1:] + height[:-1]) * 2)])
        with h5py.File(self.folder / "belt.h5md", "r+") as file:
            file["boundaries/force/value"][:, 1, 1] = -tau * 0.05**2
        for name in "cell", "belt":
            made, said = self.numbers("shear", f"{name}.h5md", "--smooth", "0.01", "--csv", "s.csv", "-o", "s.png")
            c = self.columns("s.csv")
            np.testing.assert_allclose(c["gamma"], gamma if name == "cell" else strain, atol=1e-7)
            np.testing.assert_allclose(c["tau"], tau, rtol=1e-6)
            self.assertAlmostEqual(made["phi, critical (degrees)"], 25, delta=1e-3)
            self.assertAlmostEqual(made["tau / sigma_n, critical"], np.tan(np.radians(25)), delta=1e-4)
            self.assertAlmostEqual(made["phi, peak (degrees)"], 30, delta=0.7)
            if name == "cell":
                self.assertAlmostEqual(made["psi there (degrees)"], 5, delta=1e-2)
                self.assertAlmostEqual(made["... at a strain of"], 0.2, delta=0.01)
            self.assertIn("velocity by layers", said)

    def test_belt_of_a_stage(self):
        """A stage stops the belt of the scene, the next one gives it another motion, whose times count from its beginning. A run that
        begins empty, as this one, has no void ratio there."""
        time, walls = np.linspace(0, 1, 401), {name: PLANES[name] for name in ("pedestal", "cap")}
        scene = ('boundaries = ( { name = "pedestal"; motion = { belt = [-0.02, 0, 0]; }; } );\nstages = ( { name = "fill"; }, { name = "press"; '
                 'boundaries = ( { name = "pedestal"; motion = { velocity = [0, 0, 0]; }; } ); }, { name = "shear"; boundaries = ( { name = '
                 '"pedestal"; motion = { belt = [0.1, 0, 0]; start = 0.1; stop = 0.3; }; } ); } );')
        trajectory(self.folder / "b.h5md", time, np.full((401, 3), 0.05), scene, {name: np.full(401, 50e3) for name in walls}, walls, periodic="xy")
        with h5py.File(self.folder / "b.h5md", "r+") as file:
            file["observables/stage/value"] = np.repeat([0, 1, 2], [81, 120, 200])  # up to 0.2, 0.5 and 1 s
            file["particles/trajectory/state/value"][0] = 0
        self.element("shear", "b.h5md", "--csv", "b.csv", "--from", "0")
        way = np.interp(time, [0, 0.2, 0.6, 0.8], [0, -0.004, -0.004, 0.016])
        np.testing.assert_allclose(self.columns("b.csv")["gamma"], -way / 0.05, atol=1e-7)
        self.assertTrue(np.isnan(self.columns("b.csv")["e"][0]))
        self.element("shear", "b.h5md", "--csv", "b.csv")
        np.testing.assert_allclose(self.columns("b.csv")["gamma"][[0, -1]], [0, 0.4], atol=1e-7)

    def test_cycles_of_strain(self):
        """q = 20 kPa sin(w t + 0.4) over 0.001 sin w t: a damping ratio of sin(0.4) / 2."""
        angle = np.linspace(0, 6 * np.pi, 1201)
        height = 0.05 * (1 - 1e-3 * np.sin(angle))
        length = np.stack([np.full(1201, 0.05), np.full(1201, 0.05), height], axis=1)
        axial = 100e3 + 20e3 * np.sin(angle + 0.4)
        trajectory(self.folder / "c.h5md", angle, length, stress={"xx": 100e3, "yy": 100e3, "zz": axial}, periodic="xyz")
        rows = self.element("triaxial", "c.h5md", "--critical", "5e-4").split("cycle")[1].splitlines()[1:]
        self.assertEqual(len(rows), 2)
        for row in rows:
            _, low, high, least, most, modulus, damping, _ = map(float, row.split())
            np.testing.assert_allclose([low, high, least, most], [-1e-3, 1e-3, -20, 20], rtol=1e-3)
            self.assertAlmostEqual(modulus, 20, delta=0.02)
            self.assertAlmostEqual(damping, np.sin(0.4) / 2, delta=1e-3)

    def test_a_real_box(self):
        """Walls with other names give the numbers that the run itself has."""
        self.write("load.csv", LOAD)
        text = BOX.replace('"lid"', '"platen"').replace('"floor"', '"base"').replace('"left"', '"W"').replace('"right"', '"E"')
        self.write("box.cfg", text)
        self.pluvia("run", "-q", "box.cfg", "-o", "box.h5md", "-s", "gravity=[0, 0, 0]")
        _, said = self.numbers("triaxial", "box.h5md", "--csv", "box.csv", "-o", "box.png", "--critical", "0.01")
        self.assertGreater((self.folder / "box.png").stat().st_size, 8000)
        c = self.columns("box.csv")
        self.assertAlmostEqual(c["t"][0], 0.2)  # the servo of the platen stops there
        with h5py.File(self.folder / "box.h5md") as file:
            stress = file["boundaries/stress/value"][-11:]
            np.testing.assert_allclose(c["sigma_a"], stress[:, 5], rtol=1e-6)
            np.testing.assert_allclose(c["sigma_r"], stress[:, [2, 3]].mean(axis=1), rtol=0.2)  # east moves, of the others both
            np.testing.assert_allclose(c["e"], file["observables/void_ratio/value"][-11:], rtol=1e-6)
        self.write("load.csv", "t, share\n0, 0.2\n0.2, 0.2\n0.21, 1\n0.3, 1\n0.31, 0.2\n")
        self.write("oedometer.cfg", text.replace("servo: { mass = 0.01; stress = 1000.0; start = 0.05; };", "").replace("stop = 0.2;", "")
                   .replace("motion: { velocity = [0, 0, -0.01]; start = 0.2; };", ""))
        self.pluvia("run", "-q", "oedometer.cfg", "-o", "oedometer.h5md", "-s", "time.end=0.4", "-s", "output.interval=0.002")
        made, said = self.numbers("oedometer", "oedometer.h5md", "-o", "oedometer.png")
        weight = 0.01 * 9.81 / 0.042**2  # of the platen
        levels = [float(line.split()[0]) for line in said.splitlines()[-2:]]
        np.testing.assert_allclose(levels, [2 + weight / 1e3, 0.4 + weight / 1e3], rtol=0.02)
        self.assertLess(made["Cs"], 2e-3)  # rigid grains do not rebound
        self.assertTrue(0.4 < made["K0 at the largest stress"] < 1.2, made)
        self.assertIn('no wall "lid"; it has base, W, E, front, back, platen', self.element("triaxial", "box.h5md", "--top", "lid", code=1))

    def test_the_dense_scene(self):
        """Pressed in one stage, sheared in the next, which alone is the test: dense, so that it is strong at once and dilates."""
        self.pluvia("run", "-q", ROOT / "scenes/dense.cfg", "-o", "dense.h5md", "--until", "0.135")
        made, _ = self.numbers("triaxial", "dense.h5md", "--csv", "dense.csv")
        self.assertAlmostEqual(self.columns("dense.csv")["t"][0], 0.1)
        self.assertTrue(0.565 < made["void ratio at the start"] < 0.595, made)
        self.assertTrue(28 < made["phi, peak (degrees)"] < 36, made)  # 25 degrees in the critical state
        self.assertGreater(made["psi, largest (degrees)"], 10)
        self.assertLess(abs(made["sigma_r (kPa)"] / 100 - 1), 0.01)

    def test_what_is_no_specimen(self):
        self.write("heap.cfg", (ROOT / "scenes/bounce.cfg").read_text())
        self.pluvia("run", "-q", "heap.cfg", "-o", "heap.h5md", "--until", "0.02")
        self.assertIn("output.boundaries = true", self.element("triaxial", "heap.h5md", code=1))
        self.pluvia("run", "-q", "heap.cfg", "-o", "heap.h5md", "--until", "0.02", "--force", "-s", "output.boundaries=true")
        self.assertIn("no flat wall", self.element("oedometer", "heap.h5md", code=1))
        self.assertIn("none.h5md", self.element("shear", "none.h5md", code=1))
        self.assertIn("sin phi = (sigma_1 - sigma_3) / (sigma_1 + sigma_3)", self.element("--help"))
        self.element("triaxial", code=2)
        done = subprocess.run(["/usr/bin/python3", ROOT / "tools/moving.py", "drum", self.folder / "heap.h5md"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("heap.h5md ends at 0.02 s; the numbers are those from 3 s on", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_the_scene_is_read(self):
        """As pluvia prints it, with everything that the format has."""
        text = self.pluvia("check", "--defaults", ROOT / "scenes/oedometer.cfg")[0]
        scene = specimen.settings("\n".join(line.split("#")[0] for line in text.splitlines() if not line.startswith("pluvia")))
        self.assertEqual(scene["boundaries"][5]["servo"]["stress"], 50e3)
        self.assertEqual(scene["gravity"], [0, 0, -9.81])
        self.assertEqual(scene["output"]["quantities"][0], "position")
        self.assertIs(scene["solver"]["momentum"], True)
        self.assertEqual(scene["feeders"], [])

    def test_running_means(self):
        """Straight lines stay what they are, to the ends; slopes are exact."""
        x = np.linspace(0, 1, 101)
        np.testing.assert_allclose(element_test.smoothed(3 * x + 1, x, 0.1), 3 * x + 1, atol=1e-12)
        np.testing.assert_allclose(element_test.rate(3 * x + 1, x, 0.1)[2:-2], 3, rtol=1e-9)
        self.assertEqual(element_test.reversals(np.array([0, 1, 2, 1.95, 3, 0, 0.1, 2])), [0, 4, 5, 7])


if __name__ == "__main__":
    unittest.main()
