#!/usr/bin/python3
"""History of one rolling sphere, in the layout of Figure 3 of Acary and Bourrier (2021): position,
velocities, friction force and rolling moment over time, with the closed forms. Of several spheres --body
says which; its forces are drawn while it has one contact."""
import numpy as np

import plots
import rolling

parser = plots.options(__doc__, "rolling.png")
parser.add_argument("--body", type=int, help="which sphere, counted from 0; needed where there are several")
arguments = parser.parse_args()
run = plots.Trajectory(arguments.trajectory)
bodies = run.bodies("position").shape[1]
if arguments.body is None and bodies > 1:
    plots.fail(f"{arguments.trajectory} holds {bodies} spheres: which one rolls? --body 0 to {bodies - 1}")
body = arguments.body or 0
if not 0 <= body < bodies:
    plots.fail(f"{arguments.trajectory} has bodies 0 to {bodies - 1}, not {body}")
sphere = rolling.measured(run, body)
if np.all(np.isnan(sphere.force)):
    plots.fail(f"{arguments.trajectory}: sphere {body} does not roll: in no frame does it have exactly one contact")

made, axes = plots.figure(arguments, 3, 1, (6.0, 6.5))
above, middle, below = axes[:, 0]
right = below.twinx()
right.grid(False)
right.spines["right"].set_visible(True)
above.plot(sphere.t, sphere.x, color=plots.BLUE, label="$X$")
middle.plot(sphere.t, sphere.u, color=plots.BLUE, label="$U$")
middle.plot(sphere.t, sphere.turn, color=plots.ORANGE, label=r"$R\,\Omega$")
below.plot(sphere.t, sphere.force, color=plots.GREEN, label=r"$\|r_T\|$")
right.plot(sphere.t, sphere.moment, color=plots.PURPLE, label=r"$\|m_R\|$")
if bodies > 1:
    above.set_title(f"sphere {body} of {bodies}", fontsize="medium")
closed = rolling.closed_form(run)
if closed is not None:
    exact = closed.curve(sphere.u[0], sphere.turn[0] / closed.radius, run.time[-1])
    for axis, values in [(above, exact.x), (middle, exact.u), (middle, exact.turn), (below, exact.force),
                         (right, exact.moment)]:
        axis.plot(exact.t, values, **plots.EXACT)
    above.plot([], [], label="closed form", **plots.EXACT)
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
