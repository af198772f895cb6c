#!/usr/bin/python3
"""Distribution of the normal forces of the contacts over their mean, on a logarithmic scale: in a
packing at rest it ends in an exponential (F. Radjai et al., Physical Review Letters 77, 1996)."""
import numpy as np

import plots

parser = plots.options(__doc__, "forces.png", at=True)
parser.add_argument("--bins", type=int, default=30, help="number of intervals (default: %(default)s)")
arguments = parser.parse_args()
run = plots.Trajectory(arguments.trajectory)
frame = run.nearest(arguments.at)
rows = run.contacts(frame)
force = rows["impulse"][:, 0] / rows["dt"]
kind = {"spheres": rows["body"][:, 0] >= 0, "spheres and walls": rows["body"][:, 0] < 0}
if not np.any(force > 0):
    plots.fail(f"no contact carries force at t = {run.time[frame]:g} s")
if arguments.bins < 1:
    plots.fail("option --bins: at least 1")

made, ((axis,),) = plots.figure(arguments, 1, 1, (5.0, 3.6))
mean = force[force > 0].mean()
edges = np.linspace(0.0, force.max() / mean, arguments.bins + 1)
for (name, chosen), color, marker in zip(kind.items(), (plots.BLUE, plots.ORANGE), "os"):
    share = force[chosen & (force > 0)] / mean
    if len(share) == 0:
        continue
    density, _ = np.histogram(share, edges)
    density = density / (len(share) * np.diff(edges))
    some = density > 0
    axis.semilogy(((edges[1:] + edges[:-1]) / 2)[some], density[some], marker, markersize=4, color=color,
                  label=f"{name}: {len(share)} contacts")
axis.set_xlabel(f"normal force over its mean, {mean:.3g} N (-)")
axis.set_ylabel("probability density (-)")
axis.set_xlim(left=0)
axis.legend(fontsize="small", title=f"t = {run.time[frame]:.4g} s", title_fontsize="small")
plots.save(made, arguments)
