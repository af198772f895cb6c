"""One rolling sphere: its history in a trajectory, and the closed forms of src/theory.md ("Rolling
sphere")."""
import re
from collections import namedtuple

import numpy as np

import plots

# What is drawn over time t (s): way X (m), velocity U (m/s), R Omega (m/s), |r_T| (N), |m_R| (N m).
History = namedtuple("History", "t x u turn force moment")
# Constant accelerations a = dU/dt and b = dOmega/dt and forces from `begin` for `span` seconds.
Phase = namedtuple("Phase", "begin span x u spin a b force moment")


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

    def phases(self, u, spin, end):
        t, x, found = 0.0, 0.0, []
        while t < end and len(found) < 40:
            a, b, force, moment = self.rates(u, spin)
            spans = [end - t]
            for value, rate in [(u, a), (spin, b), (u - self.radius * spin, a - self.radius * b)]:
                if abs(value) > 1e-12 and value * rate < 0:
                    spans.append(-value / rate)
            span = min(spans)
            found.append(Phase(t, span, x, u, spin, a, b, force, moment))
            x, u, spin, t = x + u * span + a * span**2 / 2, u + a * span, spin + b * span, t + span
            u, spin = (0.0 if abs(value) < 1e-9 else value for value in (u, spin))
            if abs(u - self.radius * spin) < 1e-9:
                spin = u / self.radius
        return found

    def inside(self, phase, s):
        """The history at times s after the begin of a phase."""
        even = np.ones_like(s)
        return History(phase.begin + s, phase.x + phase.u * s + phase.a * s**2 / 2, phase.u + phase.a * s,
                       self.radius * (phase.spin + phase.b * s), phase.force * even, phase.moment * even)

    def curve(self, u, spin, end):
        """For drawing: each phase with its begin and its end, and points between for X."""
        parts = [self.inside(phase, np.linspace(0, phase.span, 50)) for phase in self.phases(u, spin, end)]
        return History(*np.hstack(parts))

    def at(self, u, spin, times):
        """The history at given times, which do not decrease."""
        phases = self.phases(u, spin, times[-1])
        which = np.searchsorted([phase.begin for phase in phases[1:]], times, side="right")
        parts = [self.inside(phase, times[which == k] - phase.begin) for k, phase in enumerate(phases)]
        return History(*np.hstack(parts))


def measured(run, body=0):
    """The history of a sphere along the direction of its first velocity, or of that which its spin
    drives. Forces are those of the step that ends at t; NAN where there is no contact or no step."""
    position = run.bodies("position")[:run.frames, body]
    velocity = run.bodies("velocity")[:run.frames, body]
    spin = run.bodies("angular_velocity")[:run.frames, body]
    along = velocity[0, :2] if np.any(velocity[0, :2]) else np.array([spin[0, 1], -spin[0, 0]])
    along = along / np.linalg.norm(along) if np.any(along) else np.array([1.0, 0.0])
    force, moment = np.full(run.frames, np.nan), np.full(run.frames, np.nan)
    for k in range(run.frames):
        rows = run.contacts(k)
        mine = np.any(rows["body"] == body, axis=1)
        if np.count_nonzero(mine) == 1 and rows["dt"] > 0:
            force[k] = np.linalg.norm(rows["impulse"][mine][0, 1:]) / rows["dt"]
            moment[k] = np.linalg.norm(rows["moment_impulse"][mine][0, 1:]) / rows["dt"]
    omega = spin[:, 1] * along[0] - spin[:, 0] * along[1]
    return History(run.time, (position[:, :2] - position[0, :2]) @ along, velocity[:, :2] @ along,
                   run.bodies("radius")[body] * omega, force, moment)


def numbers(text, key):
    found = re.findall(rf"\b{key} = ([-+.\deE]+)", text)
    return [float(word) for word in found]


def closed_form(run):
    """None where the scene is not one sphere on a horizontal plane under one law."""
    text = run.scene()
    gravity = [float(word) for word in re.search(r"gravity = \[(.*?)\]", text)[1].split(",")]
    mu, mu_r = numbers(text, "friction"), numbers(text, "rolling_friction")
    if any(gravity[:2]) or gravity[2] >= 0 or len(set(mu)) != 1 or len(set(mu_r)) != 1 \
            or run.bodies("radius").shape[0] != 1:
        return None
    radius, mass = run.bodies("radius")[0], run.bodies("mass")[0]
    return Closed(mu[0], mu_r[0], radius, mass * -gravity[2], -gravity[2])
