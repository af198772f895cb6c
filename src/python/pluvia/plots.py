"""Figures: functions that draw on axes of matplotlib and return them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ._arguments import checked, needed
from ._library import InputError, UsageError

if TYPE_CHECKING:
    from ._trajectory import Trajectory


def _axes(axes: Any) -> Any:
    if axes is not None:
        if not hasattr(axes, "add_collection"):
            kind = f"an array of {axes.size}" if isinstance(axes, np.ndarray) else repr(axes)
            raise UsageError(f"axes is {kind}; it must be axes of matplotlib, as one of those that pyplot.subplots returns")
        return axes
    return needed("matplotlib.pyplot").subplots()[1]


@checked
def side(trajectory: Trajectory, frame: int = -1, axes: Any = None, across: str = "x") -> Any:
    """The bodies of a frame seen from the side: circles in the plane of `across` ("x" or "y") and z (m), nearer ones on top,
    colored by height."""
    if across not in ("x", "y"):
        raise UsageError(f'across is {across!r}; choose "x" or "y"')
    frame, k = trajectory.frame(frame), "xy".index(across)
    axes = _axes(axes)
    active = trajectory.state[frame] == 1
    position, radius = trajectory.position[frame][active], trajectory.radius[:][active]
    order = np.argsort(-position[:, 1 - k] if across == "x" else position[:, 1 - k])
    position, radius = position[order], radius[order]
    collections = needed("matplotlib.collections")
    circles = collections.EllipseCollection(2 * radius, 2 * radius, np.zeros(len(radius)), units="xy",
                                            offsets=position[:, [k, 2]], transOffset=axes.transData,
                                            array=position[:, 2], edgecolors="black", linewidths=0.3)
    axes.add_collection(circles)
    for place in position[:, [k, 2]] - radius[:, None], position[:, [k, 2]] + radius[:, None]:
        axes.update_datalim(place)
    axes.set(xlabel=f"{across} (m)", ylabel="z (m)", aspect="equal")
    axes.autoscale_view()
    return axes


@checked
def observable(trajectory: Trajectory, names: str | Sequence[str], axes: Any = None) -> Any:
    """Observables over time (s); `names`: one or several that trajectory.observables has."""
    table, names = trajectory.observables, [names] if isinstance(names, str) else list(names)
    if not names:
        raise UsageError("observable: names is empty; it must have at least one name of trajectory.observables")
    for name in names:
        if name not in table:
            known = ", ".join(str(column) for column in table if column != "time")
            raise UsageError(f'{trajectory.path} contains no observable "{name}" (known: {known})')
    axes = _axes(axes)
    for name in names:
        axes.plot(trajectory.time, np.asarray(table[name]), label=name)
    axes.set_xlabel("time (s)")
    axes.legend(frameon=False)
    return axes


@checked
def forces(trajectory: Trajectory, frame: int = -1, axes: Any = None, bins: int = 30) -> Any:
    """How normal forces over their mean are distributed in a frame."""
    impulse = trajectory.contacts(frame)["impulse"]
    normal = impulse[:, 0] if impulse.ndim == 2 else impulse
    normal = normal[normal > 0]
    if len(normal) == 0:
        raise InputError(f"{trajectory.path}: no contact bears a force at {trajectory.time[frame]:g} s; choose another frame")
    if bins < 1:
        raise UsageError(f"forces: bins is {bins}; it must be at least 1")
    axes = _axes(axes)
    axes.hist(normal / normal.mean(), bins, density=True)
    axes.set(xlabel="normal force over its mean", ylabel="density", yscale="log")
    return axes
