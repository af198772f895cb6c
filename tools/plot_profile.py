#!/usr/bin/python3
"""Height profile of a pile: in rings about its axis the height of the highest surface, in azimuthal
sectors, and the angle of repose from a straight line between 20 % and 80 % of the height."""
import numpy as np

import plots

parser = plots.options(__doc__, "profile.png", at=True)
parser.add_argument("--base", type=float, default=0.0, help="z of the plate in m (default: %(default)s)")
parser.add_argument("--sectors", type=int, default=8, help="number of sectors (default: %(default)s)")


def surface(position, radius, distance, angle):
    """Height of the highest sphere above each point (distance, angle) from the axis; NAN: none."""
    x, y = distance * np.cos(angle), distance * np.sin(angle)
    off2 = (x[..., None] - position[:, 0])**2 + (y[..., None] - position[:, 1])**2
    inside = radius**2 - off2
    height = np.where(inside >= 0, position[:, 2] + np.sqrt(np.maximum(inside, 0)), -np.inf)
    return height.max(axis=-1)


def slope_of(distance, height, top):
    """Line through the profile between 20 % and 80 % of its height: (slope, height at the axis)."""
    use = (height > 0.2 * top) & (height < 0.8 * top)
    return np.polyfit(distance[use], height[use], 1) if np.count_nonzero(use) > 2 else None


arguments = parser.parse_args()
if arguments.sectors < 1:
    plots.fail("option --sectors: at least 1")
run = plots.Trajectory(arguments.trajectory)
frame = run.nearest(arguments.at)
active = run.bodies("state")[frame] == 1
position, radius = run.bodies("position")[frame][active], run.bodies("radius")[active]
above = position[:, 2] > arguments.base
position, radius = position[above], radius[above]
if len(radius) < 10:
    plots.fail(f"{len(radius)} spheres above z = {arguments.base:g} m at t = {run.time[frame]:g} s are no pile")
position = position - [*position[:, :2].mean(axis=0), arguments.base]

reach = np.percentile(np.hypot(position[:, 0], position[:, 1]), 99) + radius.mean()
distance = np.arange(0.0, reach, radius.mean() / 2)
turns = 2 * np.pi * (np.arange(8 * arguments.sectors) + 0.5) / (8 * arguments.sectors)
field = np.maximum(surface(position, radius, distance[:, None], turns[None, :]), 0.0)
sectors = field.reshape(len(distance), arguments.sectors, 8).mean(axis=2)
mean = sectors.mean(axis=1)

made, ((axis,),) = plots.figure(arguments, 1, 1, (5.5, 3.4))
axis.plot(distance, sectors, color=plots.SKY, linewidth=0.7, alpha=0.7)
axis.plot([], [], color=plots.SKY, label=f"{arguments.sectors} sectors")
axis.plot(distance, mean, color=plots.BLUE, linewidth=2, label="mean")
fits = [fit for fit in (slope_of(distance, sectors[:, k], mean.max()) for k in range(arguments.sectors))
        if fit is not None]
line = slope_of(distance, mean, mean.max())
if line is not None and fits:
    angles = np.degrees(np.arctan([-fit[0] for fit in fits]))
    ends = (mean.max() * np.array([0.2, 0.8]) - line[1]) / line[0]
    axis.plot(ends, line[0] * ends + line[1], color=plots.RED, linewidth=2, dashes=(3, 1),
              label=f"angle of repose {np.degrees(np.arctan(-line[0])):.1f}° "
                    f"(sectors: {angles.mean():.1f} ± {angles.std():.1f}°)")
axis.set_xlabel("distance from the axis (m)")
axis.set_ylabel("height (m)")
axis.set_ylim(0, 1.1 * max(mean.max(), sectors.max()))
axis.set_xlim(left=0)
axis.set_aspect("equal")
# Above the axes: within them it would cover the profile, or the axis, of a flat heap.
axis.legend(fontsize="small", title=f"t = {run.time[frame]:.4g} s", title_fontsize="small",
            loc="lower center", bbox_to_anchor=(0.5, 1.02), borderaxespad=0)
plots.save(made, arguments)
