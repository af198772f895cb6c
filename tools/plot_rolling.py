#!/usr/bin/python3
"""History of one rolling sphere, in the layout of Figure 3 of Acary and Bourrier (2021): position,
velocities, friction force and rolling moment over time, with the closed forms."""
import re

import numpy as np

import plots


def numbers(text, key):
    found = re.findall(rf"\b{key} = ([-+.\deE]+)", text)
    return [float(word) for word in found]


class Closed:
    """Sphere on a horizontal plane: phases of constant acceleration between changes of mode."""

    def __init__(self, mu, mu_r, radius, weight, gravity):
        self.mu, self.mu_r, self.radius, self.weight, self.gravity = mu, mu_r, radius, weight, gravity

    def rates(self, u, spin):
        """(dU/dt, dOmega/dt, |r_T|, |m_R|): R Omega = `spin` x R."""
        g, R, N = self.gravity, self.radius, self.weight
        slip = u - R * spin
        if abs(u) < 1e-12 and abs(spin) < 1e-12:
            return 0.0, 0.0, 0.0, 0.0
        if abs(slip) < 1e-12 and 5 * self.mu_r / (7 * R) <= self.mu:
            a = -5 * self.mu_r * g / (7 * R) * np.sign(u)
            return a, a / R, 5 * self.mu_r * N / (7 * R), self.mu_r * N
        # Without slip but with too little friction the sphere keeps sliding forward.
        side = np.sign(slip) if abs(slip) > 1e-12 else np.sign(u)
        if abs(spin) < 1e-12 and self.mu * R <= self.mu_r:
            return -side * self.mu * g, 0.0, self.mu * N, self.mu * R * N
        turn = np.sign(spin) if abs(spin) > 1e-12 else side
        return (-side * self.mu * g, 5 * g * (side * self.mu * R - turn * self.mu_r) / (2 * R * R),
                self.mu * N, self.mu_r * N)

    def history(self, u, spin, end):
        """Rows (t, X, U, R Omega, |r_T|, |m_R|): two for each phase, its begin and its end, many in
        between for X."""
        t, x, rows = 0.0, 0.0, []
        while t < end and len(rows) < 2000:
            a, b, force, moment = self.rates(u, spin)
            spans = [end - t]
            for value, rate in [(u, a), (spin, b), (u - self.radius * spin, a - self.radius * b)]:
                if abs(value) > 1e-12 and value * rate < 0:
                    spans.append(-value / rate)
            span = min(spans)
            for s in np.linspace(0, span, 50):
                rows.append((t + s, x + u * s + a * s * s / 2, u + a * s, self.radius * (spin + b * s),
                             force, moment))
            x, u, spin, t = x + u * span + a * span**2 / 2, u + a * span, spin + b * span, t + span
            u, spin = (0.0 if abs(value) < 1e-9 else value for value in (u, spin))
            if abs(u - self.radius * spin) < 1e-9:
                spin = u / self.radius
        return np.array(rows).T


def closed_form(run, radius, mass, u, spin):
    """None where the scene is not one sphere on a horizontal plane under one law."""
    text = run.scene()
    gravity = [float(word) for word in re.search(r"gravity = \[(.*?)\]", text)[1].split(",")]
    mu, mu_r = numbers(text, "friction"), numbers(text, "rolling_friction")
    if any(gravity[:2]) or gravity[2] >= 0 or len(set(mu)) != 1 or len(set(mu_r)) != 1:
        return None
    return Closed(mu[0], mu_r[0], radius, mass * -gravity[2], -gravity[2]).history(u, spin, run.time[-1])


parser = plots.options(__doc__, "rolling.png")
parser.add_argument("--body", type=int, default=0, help="which sphere (default: %(default)s)")
arguments = parser.parse_args()
run = plots.Trajectory(arguments.trajectory)
position = run.bodies("position")
body = arguments.body
if not 0 <= body < position.shape[1]:
    plots.fail(f"{arguments.trajectory} has bodies 0 to {position.shape[1] - 1}, not {body}")
position = position[:run.frames, body]
velocity = run.bodies("velocity")[:run.frames, body]
spin = run.bodies("angular_velocity")[:run.frames, body]
radius, mass = run.bodies("radius")[body], run.bodies("mass")[body]

# Along the plane: in the direction of the first velocity, or of the velocity that the spin drives.
along = velocity[0, :2] if np.any(velocity[0, :2]) else np.array([spin[0, 1], -spin[0, 0]])
along = along / np.linalg.norm(along) if np.any(along) else np.array([1.0, 0.0])
x, u = (position[:, :2] - position[0, :2]) @ along, velocity[:, :2] @ along
omega = spin[:, 1] * along[0] - spin[:, 0] * along[1]
force, moment = np.full(run.frames, np.nan), np.full(run.frames, np.nan)
for k in range(run.frames):
    rows = run.contacts(k)
    mine = np.any(rows["body"] == body, axis=1)
    if np.count_nonzero(mine) == 1 and rows["dt"] > 0:
        force[k] = np.linalg.norm(rows["impulse"][mine][0, 1:]) / rows["dt"]
        moment[k] = np.linalg.norm(rows["moment_impulse"][mine][0, 1:]) / rows["dt"]

made, axes = plots.figure(arguments, 3, 1, (6.0, 6.5))
above, middle, below = axes[:, 0]
right = below.twinx()
right.grid(False)
right.spines["right"].set_visible(True)
above.plot(run.time, x, color=plots.BLUE, label="$X$")
middle.plot(run.time, u, color=plots.BLUE, label="$U$")
middle.plot(run.time, radius * omega, color=plots.ORANGE, label=r"$R\,\Omega$")
below.plot(run.time, force, color=plots.GREEN, label=r"$\|r_T\|$")
right.plot(run.time, moment, color=plots.PURPLE, label=r"$\|m_R\|$")
lone = run.bodies("radius").shape[0] == 1
exact = closed_form(run, radius, mass, u[0], omega[0]) if lone else None
if exact is not None:
    style = {"color": "black", "linestyle": (0, (1, 2.5)), "linewidth": 1.6}
    for axis, row in [(above, 1), (middle, 2), (middle, 3), (below, 4), (right, 5)]:
        axis.plot(exact[0], exact[row], **style)
    above.plot([], [], label="closed form", **style)
above.set_ylabel("position (m)")
middle.set_ylabel("velocity (m/s)")
below.set_ylabel("friction force (N)")
right.set_ylabel("rolling moment (N m)")
below.set_xlabel("time (s)")
for axis in (above, middle):
    axis.legend()
    axis.sharex(below)
below.legend(handles=below.get_lines()[:1] + right.get_lines()[:1])
below.set_ylim(0, 1.1 * below.get_ylim()[1])
right.set_ylim(0, 1.35 * right.get_ylim()[1])  # apart where both have the same shape
plots.save(made, arguments)
