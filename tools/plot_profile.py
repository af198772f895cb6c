#!/usr/bin/python3
"""Profile of a heap: its grains over their distance from the axis, the height of the surface in rings, and the angle of
repose, as `pluvia measure` gives them: the dashed line is the cone of the centers, whose slope is the angle."""
import csv
import json

import numpy as np

import plots

parser = plots.options(__doc__, "profile.png", at=True)
parser.add_argument("--base", type=float, help="z of what carries the heap in m (default: pluvia finds it)")
parser.add_argument("--sectors", type=int, default=24, help="for the error of the angle (default: %(default)s)")

arguments = parser.parse_args()
run = plots.Trajectory(arguments.trajectory)
frame = run.nearest(arguments.at)
words = ["measure", arguments.trajectory, "--at", repr(float(run.time[frame])), "--sectors", arguments.sectors]
if arguments.base is not None:
    words += ["--base", repr(arguments.base)]
measured = json.loads(plots.asked(arguments.trajectory, *words, "--json"))["frame"]
heap = measured.get("pile") or {}
if not heap.get("spheres"):
    plots.fail(f"no sphere lies on a base at t = {run.time[frame]:g} s; --base says where it is")
rings = list(csv.DictReader(plots.asked(arguments.trajectory, *words, "--field", "radial").splitlines()))
position = run.bodies("position")[frame][run.bodies("state")[frame] == 1] - [heap["axis_x"], heap["axis_y"], heap["base"]]
position = position[(position[:, 2] > 0) & (position[:, 2] < heap["height"])]
distance = np.hypot(position[:, 0], position[:, 1])

made, ((axis,),) = plots.figure(arguments, 1, 1, (5.5, 3.4))
axis.plot(distance, position[:, 2], ".", color=plots.SKY, markersize=2, alpha=0.6, label="centers of the grains")
axis.plot([(float(row["radius_from_m"]) + float(row["radius_to_m"])) / 2 for row in rings],
          [float(row["height_m"]) for row in rings], color=plots.BLUE, linewidth=2, label="mean height of the surface")
if heap["angle"] is not None:
    level = np.array([0.2, 0.8]) * heap["height"]
    label = f"angle of repose {heap['angle']:.1f}°"
    if heap["angle_error"] is not None:
        label += f" ± {heap['angle_error']:.1f}°"
    axis.plot(heap["cone_radius"] - level / np.tan(np.radians(heap["angle"])), level, color=plots.RED, linewidth=2,
              dashes=(3, 1), label=label)
axis.set_xlabel("distance from the axis (m)")
axis.set_ylabel("height (m)")
axis.set_ylim(0, 1.1 * heap["height"])
axis.set_xlim(0, 1.05 * distance.max())
axis.set_aspect("equal")
# Above the axes: within them it would cover the profile, or the axis, of a flat heap.
axis.legend(fontsize="small", title=f"t = {run.time[frame]:.4g} s", title_fontsize="small",
            loc="lower center", bbox_to_anchor=(0.5, 1.02), borderaxespad=0)
plots.save(made, arguments)
