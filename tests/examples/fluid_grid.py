"""Grains in a fluid on a grid, which act on each other: a shear flow with viscosity in a periodic box drags 300 grains that were at
rest, and each cell loses the momentum that its grains get (bodies.load_force). Prints the momentum of both, whose sum stays."""
import numpy as np
import pluvia

EDGE, CELLS, STEP = 0.2, 8, 1e-3  # m, along each edge, s
DENSITY, VISCOSITY, RADIUS = 1000.0, 1.0, 0.006  # kg/m^3, Pa s, m
SIZE = EDGE / CELLS

scene = pluvia.Scene(
    time={"step": STEP, "end": 1.0}, gravity=[0, 0, 0],
    cell={"size": [EDGE, EDGE, EDGE], "periodic": ["x", "y", "z"]},
    materials=[{"name": "glass", "density": 2500.0}],
    contacts=[{"between": ["glass", "glass"], "friction": 0.4}],
    bodies=[{"packing": {"count": 300, "box": [[0, 0, 0], [EDGE, EDGE, EDGE]]}, "radius": RADIUS, "material": "glass"}])


class Fluid:
    """Velocities at cells [CELLS, CELLS, CELLS, 3] (m/s)."""

    def __init__(self):
        z = (np.arange(CELLS) + 0.5) * SIZE
        self.velocity = np.zeros((CELLS, CELLS, CELLS, 3))
        self.velocity[..., 0] = np.sin(2 * np.pi * z / EDGE)
        self.mass = DENSITY * SIZE**3

    def cells_of(self, position):
        return tuple(np.clip((position / SIZE).astype(int), 0, CELLS - 1).T)

    def before(self, simulation):
        bodies = simulation.bodies
        self.cells = self.cells_of(bodies.position)
        bodies.set_drag(6 * np.pi * VISCOSITY * RADIUS, self.velocity[self.cells])  # Stokes

    def after(self, simulation):
        np.subtract.at(self.velocity, self.cells, STEP * simulation.bodies.load_force / self.mass)
        spread = sum(np.roll(self.velocity, by, axis) for axis in range(3) for by in (-1, 1)) - 6 * self.velocity
        self.velocity += STEP * VISCOSITY / DENSITY / SIZE**2 * spread

    def momentum(self):
        return self.mass * self.velocity.sum(axis=(0, 1, 2))


fluid = Fluid()
simulation = pluvia.Simulation(scene, before=fluid.before, after=fluid.after)
bodies, worst = simulation.bodies, 0.0
start = fluid.momentum()
for _ in range(10):
    simulation.step(100)
    grains = bodies.mass @ bodies.velocity
    worst = max(worst, np.abs(grains + fluid.momentum() - start).max())
print(f"sum of momenta: off by at most {worst:.1e} N s; moved by the flow: {(bodies.mass * np.linalg.norm(bodies.velocity, axis=1)).sum():.3f} N s")
