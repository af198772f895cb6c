"""Scenes as text. What is not given here stays at the defaults of the program."""
import itertools

GRAVITY = 9.81
DENSITY = 2500.0
RADIUS = 0.01
DIAMETER = 2 * RADIUS
FLOOR = "plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }"
LOOSE, JITTER = 1.1 * DIAMETER, 0.04 * DIAMETER  # a lattice that falls together


def vector(values):
    return "[" + ", ".join(repr(float(v)) for v in values) + "]"


def scene(end, bodies, walls=(FLOOR,), *, materials=None, friction=0.3, rolling=0.0, restitution=0.0,
          wall_friction=None, step=1e-3, interval=0.01, gravity=GRAVITY, contacts=True,
          quantities=("position",), feeders="", seed=1):
    """Walls do not bounce; without `wall_friction` they are as rough as grains, with 0 they do not
    resist rolling either."""
    materials = materials or {"grain": DENSITY}
    rough = friction if wall_friction is None else wall_friction
    laws = [law(a, b, friction, rolling, restitution)
            for a, b in itertools.combinations_with_replacement(materials, 2)]
    laws += [law(a, "wall", rough, rolling if rough else 0.0, 0.0) for a in materials]
    named = [f'{{ name = "{name}"; density = {density!r}; }}' for name, density in materials.items()]
    placed = [f'{{ {wall}; material = "wall"; }}' for wall in walls]
    return f"""
seed = {seed};
time: {{ step = {step!r}; end = {float(end)!r}; }};
gravity = {vector([0, 0, -gravity])};
allow_overlap = true;
materials = ( {", ".join(named)}, {{ name = "wall"; }} );
contacts = ( {", ".join(laws)} );
boundaries = ( {", ".join(placed)} );
bodies = ( {", ".join(bodies)} );
{feeders}
output: {{ interval = {interval!r}; contacts = {str(contacts).lower()};
          quantities = [{", ".join(f'"{q}"' for q in quantities)}]; }};
"""


def law(a, b, friction, rolling, restitution):
    return (f'{{ between = ["{a}", "{b}"]; friction = {float(friction)!r}; '
            f'rolling_friction = {float(rolling)!r}; restitution = {float(restitution)!r}; }}')


def sphere(position, radius=RADIUS, material="grain", velocity=(0, 0, 0)):
    return (f'{{ position = {vector(position)}; radius = {float(radius)!r}; material = "{material}"; '
            f'velocity = {vector(velocity)}; }}')


def from_file(name="start.csv", radius=RADIUS):
    return f'{{ file: {{ path = "{name}"; }}; material = "grain"; radius = {float(radius)!r}; }}'


def lattice(counts, spacing=LOOSE, jitter=JITTER, radius=f"{RADIUS!r}", origin=None):
    """`radius` is text: a number or [smallest, largest]. By default it fills box() of its size."""
    origin = origin or [spacing / 2] * 3
    return (f'{{ lattice: {{ counts = [{", ".join(map(str, counts))}]; spacing = {spacing!r}; '
            f'origin = {vector(origin)}; jitter = {jitter!r}; }}; material = "grain"; radius = {radius}; }}')


def box(width, depth, height):
    return f"box: {{ lower = [0, 0, 0]; upper = {vector([width, depth, height])}; }}"


def tube(radius, height):
    return f"cylinder: {{ radius = {float(radius)!r}; height = {float(height)!r}; }}"


def packing_in_tube(count, radius, height):
    """Spheres at random places within a tube, without contacts."""
    return (f"{{ packing: {{ count = {count}; cylinder: {{ radius = {radius!r}; height = {height!r}; }}; }}; "
            f'material = "grain"; radius = {RADIUS!r}; }}')
