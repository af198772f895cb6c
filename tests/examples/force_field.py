"""A force field of one's own: 400 grains of glass fall into a trap, F = -k x on each, where they collide. Contacts do not move the
center of all, so that it swings as a single body would: at omega = sqrt(k/m). Prints how far it is from that, and the energy."""
import numpy as np
import pluvia

STIFFNESS, STEP, SHIFT = 0.05, 1e-3, 0.1  # N/m, s, m

scene = pluvia.Scene(
    time={"step": STEP, "end": 3.0}, gravity=[0, 0, 0],
    materials=[{"name": "glass", "density": 2500.0}],
    contacts=[{"between": ["glass", "glass"], "friction": 0.4, "restitution": 0.5}],
    bodies=[{"packing": {"count": 400, "box": [[-0.1 + SHIFT, -0.1, -0.1], [0.1 + SHIFT, 0.1, 0.1]]}, "radius": 0.005, "material": "glass"}])


def field(simulation):
    """Where grains are in the middle of the step, as their velocities say: so the error is of second order in the step."""
    bodies = simulation.bodies
    bodies.set_loads(-STIFFNESS * (bodies.position + 0.5 * STEP * bodies.velocity))


simulation = pluvia.Simulation(scene, before=field)
mass = simulation.bodies.mass[0]
start, omega, worst = simulation.bodies.position.mean(axis=0), np.sqrt(STIFFNESS / mass), 0.0
for _ in range(30):
    simulation.step(100)
    center = simulation.bodies.position.mean(axis=0)
    worst = max(worst, np.abs(center - start * np.cos(omega * simulation.time)).max())
spread = np.linalg.norm(simulation.bodies.position - simulation.bodies.position.mean(axis=0), axis=1).max()
print(f"center: at most {worst:.1e} m from its cosine of {SHIFT} m; {len(simulation.contacts)} contacts, all within {spread:.3f} m")
