#!/usr/bin/python3
"""The penalty law as two spheres on a plate show it (scenes/penalty/law.cfg): the normal force over the overlap
of one that bounces, and the tangential force over the displacement of one that begins to slide, with the limits of
static and dynamic friction. The file must have the contacts of every step (output.contacts = true)."""
import re

import numpy as np

import plots


def number(scene, key):
    """Of the last law of the scene."""
    found = re.findall(rf"\b{key}\s*=\s*([-+0-9.eE]+)", scene)
    if not found:
        plots.fail(f"the scene has no {key}: the law is that of method = \"penalty\"")
    return float(found[-1])


def history(run, sphere):
    """Time, overlap, F_N, F_T along the slip and its displacement, while the sphere touches the plate."""
    rows, group = [], run.file["contacts"]
    for frame in range(run.frames):
        place = slice(*group["offset"][frame:frame + 2])
        for k, (a, b) in enumerate(group["body"][place]):
            if a < 0 and b == sphere:
                force = group["impulse"][place][k] / group["dt"][frame]
                rows.append([run.time[frame], -group["gap"][place][k], *force, *group["velocity"][place][k]])
    if not rows:
        plots.fail(f"sphere {sphere} never touches a boundary")
    table = np.array(rows)
    slip = table[:, 6:8]
    first = slip[np.argmax(np.hypot(*slip.T))]
    along = first / max(np.hypot(*first), 1e-300)
    step = np.diff(table[:, 0], prepend=table[0, 0])
    return table[:, 1], table[:, 2], -table[:, 3:5] @ along, np.cumsum(slip @ along * step)


def main():
    arguments = plots.options(__doc__, "penalty.png").parse_args()
    run = plots.Trajectory(arguments.trajectory)
    if "contacts" not in run.file:
        plots.fail(f"{run.path} contains no contacts; run the scene with output.contacts = true")
    scene = run.scene()
    stiffness, still, moving = (number(scene, key) for key in ("normal_stiffness", "friction", "friction_dynamic"))
    made, ((left, right),) = plots.figure(arguments, 1, 2, (8.0, 3.4))
    overlap, normal, _, _ = history(run, 0)
    left.plot(1e3 * overlap, normal, color=plots.BLUE, label="$F_N$")
    reach = np.array([0.0, overlap.max()])
    left.plot(1e3 * reach, stiffness * reach, **plots.EXACT, label="$K_N d_N$")
    left.set_xlabel("overlap $d_N$ (mm)")
    left.set_ylabel("normal force $F_N$ (N)")
    left.legend()
    _, normal, tangential, way = history(run, 1)
    right.plot(1e3 * way, tangential, color=plots.ORANGE, label="$F_T$")
    right.plot(1e3 * way, still * normal, color=plots.GRAY, linestyle="--", linewidth=1.0, label=r"$\mu_s F_N$")
    right.plot(1e3 * way, moving * normal, color=plots.GRAY, linestyle=":", linewidth=1.4, label=r"$\mu_d F_N$")
    right.set_xlabel("displacement $d_T$ (mm)")
    right.set_ylabel("tangential force $F_T$ (N)")
    right.legend()
    plots.save(made, arguments)


if __name__ == "__main__":
    main()
