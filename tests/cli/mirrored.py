"""Scenes that are mirrored, turned, or whose spheres are listed the other way round move as the image of the first one.

There is no gravity along an axis, no first or second sphere of a contact in nature: what depends on them is an error, though
each of the two results looks right. Contacts are few at a time here, so that rounding grows by collisions alone; where spheres
are wedged the impulses of rigid bodies are not unique, and overlaps are moved apart one after the other (stabilization)."""
import itertools
import re
import unittest

import h5py
import numpy

from command import Case, numbers_only

LAWS = """
materials = ( { name = "a"; density = 2500.0; }, { name = "b"; density = 4000.0; }, { name = "w"; } );
contacts = ( { between = ["a", "a"]; friction = 0.4; rolling_friction = 3e-4; pivoting_friction = 2e-4; restitution = 0.7; },
             { between = ["a", "b"]; friction = 0.3; rolling_friction = 2e-4; restitution = 0.5; },
             { between = ["b", "b"]; friction = 0.5; restitution = 0.6; restitution_law = "energy"; },
             { between = ["a", "w"]; friction = 0.4; rolling_friction = 3e-4; restitution = 0.4; },
             { between = ["b", "w"]; friction = 0.4; pivoting_friction = 3e-4; restitution = 0.6; restitution_law = "energy"; } );
"""


def text(x):
    return "[" + ", ".join(repr(float(t)) for t in x) + "]"


class Image:
    """Of vectors by an orthogonal matrix that maps axes to axes; `turns` are vectors of turning, which a mirror reverses."""

    def __init__(self, rows, reverse=False):
        self.matrix = numpy.array(rows, float)
        self.handed = round(numpy.linalg.det(self.matrix))
        self.reverse = reverse

    def way(self, x):
        return text(self.matrix @ numpy.array(x, float))

    def turn(self, x):
        return text(self.handed * self.matrix @ numpy.array(x, float))

    def corners(self, low, high):
        ends = [self.matrix @ numpy.array(x, float) for x in (low, high)]
        return numpy.minimum(*ends), numpy.maximum(*ends)


SAME = Image(numpy.eye(3))
IMAGES = {"other order": Image(numpy.eye(3), True), "mirrored in x": Image(numpy.diag([-1, 1, 1])),
          "mirrored in z": Image(numpy.diag([1, 1, -1])), "axes in a circle": Image(numpy.eye(3)[[2, 0, 1]]),
          "a quarter turn": Image([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), "swapped, other order": Image(numpy.eye(3)[[1, 0, 2]], True)}


class Spheres:
    """A lattice with jitter, random velocities and two materials."""

    def __init__(self, seed, counts, spacing, origin, radii, speed, spin, drift=(0, 0, 0)):
        random = numpy.random.default_rng(seed)
        self.place = numpy.array(list(itertools.product(*map(range, counts))), float) * spacing + origin
        self.place += random.uniform(-6e-4, 6e-4, self.place.shape)
        self.speed = random.normal(0, speed, self.place.shape) + drift
        self.spin = random.normal(0, spin, self.place.shape)
        self.radius = random.uniform(*radii, len(self.place))
        self.kind = random.integers(0, 2, len(self.place))

    def text(self, image):
        order = range(len(self.place))
        return "bodies = (" + ",\n".join(
            f'{{ position = {image.way(self.place[i])}; velocity = {image.way(self.speed[i])}; '
            f'angular_velocity = {image.turn(self.spin[i])}; radius = {self.radius[i]!r}; material = "{"ab"[self.kind[i]]}"; }}'
            for i in (reversed(order) if image.reverse else order)) + ");\n"


def head(image, gravity):
    return f"""stabilization = "none"; gravity = {image.way(gravity)}; time: {{ step = 5e-4; end = 0.06; }}; output: {{ interval = 0.01; }};
solver: {{ single = false; tolerance = 1e-9; max_iterations = 5000; }};
""" + LAWS


GAS = Spheres(4, (4, 4, 4), 0.0125, (-0.018, -0.018, 0.008), (0.0035, 0.005), 0.4, 20)


def gas(image):
    low, high = image.corners((-0.025, -0.025, 0), (0.03, 0.03, 0.06))
    return head(image, (1, 0.5, -9)) + f"""
boundaries = ( {{ box: {{ lower = {text(low)}; upper = {text(high)}; faces = ["x-", "x+", "y-", "y+", "z-", "z+"]; }}; material = "w"; }} );
""" + GAS.text(image)


def by_energy(image):
    return re.sub(r"restitution = ([^;]*);( restitution_law = \"energy\";)?", r'restitution = \1; restitution_law = "energy";', gas(image))


def springs(image):
    plain = re.sub(r"(restitution(_law)?|pivoting_friction) = [^;]*;|solver:[^}]*};", "", gas(image))
    plain = plain.replace('stabilization = "none";', 'method = "penalty";').replace("step = 5e-4", "step = 2e-5")
    return re.sub(r"friction = 0\.(\d);", r"friction = 0.\1; normal_stiffness = 2e4;", plain)


def own_steps(image):
    fast = re.sub(r" velocity = \[([^]]*)\]", lambda v: f" velocity = {text(4 * float(x) for x in v[1].split(','))}", gas(image))
    return fast.replace("step = 5e-4", 'step = "auto"').replace(' restitution_law = "energy";', "")


RAIN = Spheres(5, (4, 4, 3), 0.0095, (-0.0142, -0.0142, 0.034), (0.0022, 0.0038), 0.1, 10, (0, 0, -0.8))
CORNERS = [(-1, -1, 0), (1, -1, 0.1), (0, 1.2, -.1), (0, 0, 1)]
FACES = [(1, 2, 4), (2, 3, 4), (3, 1, 4)]


def mesh(image):
    points = [" ".join(map(repr, map(float, image.matrix @ numpy.array(p, float)))) for p in CORNERS]
    faces = [" ".join(map(str, face if image.handed > 0 else face[::-1])) for face in FACES]
    return "".join(f"v {p}\n" for p in points) + "".join(f"f {face}\n" for face in faces)


def shapes(image):
    way, turn = image.way, image.turn
    return head(image, (0.2, 0.1, -9.81)) + f"""
boundaries = (
 {{ cone: {{ center = {way((0, 0, -0.02))}; axis = {way((0, 0, 1))}; radii = [0.006, 0.03]; height = 0.03; }}; material = "w";
    motion: {{ axis = {turn((0, 0, 1))}; rate = 4.0; }}; }},
 {{ cylinder: {{ center = {way((0, 0, 0.01))}; axis = {way((0, 0, 1))}; radius = 0.03; height = 0.06; bottom = false; }}; material = "w";
    motion: {{ velocity = {way((0, 0.03, 0.02))}; start = 0.01; stop = 0.03; }}; }},
 {{ plate: {{ center = {way((0.012, 0, 0.014))}; normal = {way((0.3, 0, 1))}; size = [0.012, 0.01]; direction = {way((0, 1, 0))}; }}; material = "w";
    motion: {{ rocking: {{ amplitude = 0.3; frequency = 8.0; phase = 0.4; }}; axis = {turn((1, 0, 0))}; center = {way((0.01, 0, 0))}; }}; }},
 {{ disc: {{ center = {way((-0.015, 0, 0.012))}; normal = {way((0, 0.2, 1))}; radius = 0.008; }}; material = "w";
    motion: {{ belt = {way((0.2, 0.1, 0))}; }}; }},
 {{ sphere: {{ center = {way((0.002, 0.018, 0.018))}; radius = 0.006; }}; material = "w";
    motion: {{ vibration: {{ amplitude = {way((1e-3, 0, 2e-3))}; frequency = 15.0; phase = 0.3; }}; }}; }},
 {{ mesh: {{ file = "mesh.obj"; scale = 0.01; position = {way((0, -0.014, 0.01))}; }}; material = "w";
    motion: {{ rate = 3.0; axis = {turn((0, 0.2, 1))}; center = {way((0, -0.014, 0.01))}; }}; }} );
""" + RAIN.text(image)


class Mirrored(Case):
    def result(self, scene, image):
        """Positions, velocities and angular velocities of all frames."""
        self.write("mesh.obj", mesh(image))
        self.write("s.cfg", scene(image))
        self.pluvia("run", "s.cfg", "-o", "s.h5md", "--force", "-q")
        with h5py.File(self.folder / "s.h5md") as file:
            all_of = [file[f"particles/trajectory/{name}/value"][()] for name in ("position", "velocity", "angular_velocity")]
            bounced = -float(file["observables/work_impact/value"][-1])
        return [x[:, ::-1] if image.reverse else x for x in all_of], bounced

    def compare(self, scene):
        one, bounced = self.result(scene, SAME)
        if scene is not springs:
            self.assertGreater(bounced, 1e-4, "J: too little happens")
        self.assertGreater(abs(one[0][-1] - one[0][0]).max(), 0.01)
        for name, image in IMAGES.items():
            with self.subTest(scene=scene.__name__, image=name):
                other, _ = self.result(scene, image)
                place, speed, spin = (abs(x @ image.matrix.T * (image.handed if k == 2 else 1) - y).max()
                                      for k, (x, y) in enumerate(zip(one, other)))
                self.assertLess(place, 1e-9)
                self.assertLess(speed, 1e-6)
                self.assertLess(spin, 1e-4)

    @numbers_only
    def test_gas(self):
        self.compare(gas)

    @numbers_only
    def test_bounces_by_energy(self):
        """Which of two hits of a sphere counts was decided by the order of the list."""
        self.compare(by_energy)

    @numbers_only
    def test_shapes_that_move(self):
        self.compare(shapes)

    @numbers_only
    def test_springs(self):
        self.compare(springs)

    @numbers_only
    def test_steps_that_are_chosen(self):
        self.compare(own_steps)


if __name__ == "__main__":
    unittest.main()
