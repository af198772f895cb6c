"""Continuous fields by coarse graining (include/pluvia/coarse.h), of runs and of trajectories."""
from __future__ import annotations

from typing import Any, Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import needed
from ._library import InputError, UsageError, call, ffi, lib, libc

# Numbers of plu_coarse_node, in its order: what each field has at a node.
NODE = {"position": (3,), "number": (), "solid_fraction": (), "density": (), "velocity": (3,), "temperature": (),
        "contact_stress": (3, 3), "kinetic_stress": (3, 3), "contacts": (), "fabric": (3, 3)}


class Fields(dict):
    """Arrays by name: [nodes along each of the directions..., components]. position (m), number (1/m^3), solid_fraction, density
    (kg/m^3), velocity (m/s), temperature (m^2/s^2), contact_stress and kinetic_stress (Pa, [3, 3]: force along the first, area normal to the
    second), contacts (1/m^3), fabric [3, 3]. NaN: not known there. They are attributes, too: fields.density."""

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"these fields contain no {name} (they have {', '.join(self)})") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self["density"].shape)
        return f"<Fields at {shape} nodes: {', '.join(self)}>"

    def frame(self) -> Any:
        """As a pandas frame, a row a node: position_x, ..., density, velocity_x, ..., contact_stress_xx, ..."""
        pandas = needed("pandas")
        columns = {}
        for name, shape in NODE.items():
            rows = self[name].reshape((-1, *shape))
            for at in np.ndindex(*shape):
                columns[name + ("_" + "".join("xyz"[k] for k in at) if at else "")] = rows[(slice(None), *at)]
        return pandas.DataFrame(columns)


def _axes(along: str) -> list[bool]:
    if not along or any(c not in "xyz" for c in along) or len(set(along)) != len(along):
        raise UsageError(f'fields: along is {along!r}; it must be one of "x", "y", "z", "xy", "xz", "yz", "xyz"')
    return [c in along for c in "xyz"]


def _length(name: str, value: float | None, default: float) -> float:
    if value is None:
        return default
    if not 0.0 < value < np.inf:
        raise UsageError(f"fields: {name} is {value:g} m; it must be above 0")
    return value


def _region(view: Any, region: ArrayLike | None) -> np.ndarray:
    """[2, 3], m: given, or that of the spheres."""
    if region is None:
        found = lib.plu_measure_bounds(view, float("nan"))
        return np.array([list(found.lower), list(found.upper)])
    box = np.asarray(region, float)
    if box.shape != (2, 3) or not np.isfinite(box).all() or not (box[0] < box[1]).all():
        raise UsageError("fields: region must be [[x0, y0, z0], [x1, y1, z1]], two corners of a box (m)")
    return box


def _diameter(view: Any) -> float:
    d = lib.plu_view_diameter(view)
    if not d > 0.0:
        raise InputError(f"fields: no sphere is there at {view.time:g} s")
    return d


def _grid(view: Any, along: str, width: float | None, spacing: float | None, region: ArrayLike | None) -> Any:
    """Nodes as of `pluvia fields` (plu_coarse_place)."""
    axes = _axes(along)
    d, box = _diameter(view), _region(view, region)
    w = _length("width", width, d)
    apart = _length("spacing", spacing, 0.5 * w)
    grid = ffi.new("plu_coarse_grid *", {"along": axes, "width": w, "over": {"lower": box[0].tolist(), "upper": box[1].tolist()}})
    nodes = lib.plu_coarse_place(grid, ffi.addressof(view, "cell"), apart, region is not None)
    if nodes > lib.PLU_COARSE_NODES:
        raise UsageError(f"fields: spacing {apart:g} m gives {nodes:.3g} nodes; at most {lib.PLU_COARSE_NODES} are possible")
    return grid


def _chosen(view: Any, material: int | None) -> Any:
    if material is None:
        return ffi.NULL
    if view.species == ffi.NULL:
        raise InputError("fields: the file does not say of what material spheres are")
    species = np.frombuffer(ffi.buffer(view.species, 4 * view.bodies), np.intc)
    return ffi.new("bool[]", (species == material).tolist())


def of_views(first: Any, views: Iterable[Any], materials: list[str], along: str, width: float | None, spacing: float | None,
             region: ArrayLike | None, material: str | None) -> Fields:
    """Means over the views (plu_view *); nodes are those of the view `first`."""
    if material is not None and material not in materials:
        raise UsageError(f'fields: unknown material "{material}" (known: {", ".join(materials)})')
    number = None if material is None else materials.index(material)
    grid = _grid(first, along, width, spacing, region)
    coarse, unfolded = ffi.new("plu_coarse *"), ffi.new("plu_unfolded *")
    try:
        call(lib.plu_coarse_begin, coarse, grid)
        reach = ffi.new("plu_region *", lib.plu_coarse_reach(grid))
        for view in views:
            try:
                call(lib.plu_view_unfold, unfolded, view, reach)
                lib.plu_coarse_add(coarse, ffi.addressof(unfolded, "view"), _chosen(unfolded.view, number))
            finally:
                lib.plu_unfolded_free(unfolded)
                unfolded = ffi.new("plu_unfolded *")
        nodes = ffi.new("plu_coarse_node[]", coarse.nodes)
        for k in range(coarse.nodes):
            nodes[k] = lib.plu_coarse_at(coarse, k)
    finally:
        lib.plu_coarse_free(coarse)
    return _arrays(np.frombuffer(ffi.buffer(nodes), float), [grid.size[k] for k in range(3) if grid.along[k]])


def _arrays(numbers: np.ndarray, sizes: list[int]) -> Fields:
    """Nodes come with x fastest."""
    out, at = Fields(), 0
    rows = numbers.reshape(int(np.prod(sizes)), -1)
    for name, shape in NODE.items():
        count = int(np.prod(shape, dtype=int))
        part = rows[:, at:at + count].reshape([*reversed(sizes), *shape])
        axes = [*reversed(range(len(sizes))), *range(len(sizes), part.ndim)]
        out[name] = np.ascontiguousarray(part.transpose(axes))
        at += count
    return out


def of_view(view: Any, materials: list[str], along: str, width: float | None, spacing: float | None, region: ArrayLike | None,
            material: str | None) -> Fields:
    return of_views(view, [view], materials, along, width, spacing, region, material)


def of_frames(path: str, choose: Callable[[np.ndarray], list[int]], materials: list[str], *arguments: Any) -> Fields:
    """Means over the frames of a file that `choose` takes by their times."""
    frames = ffi.new("plu_frames **")
    scene = ffi.gc(ffi.new("plu_scene *"), lib.plu_scene_free)
    resolved = ffi.new("char **")
    call(lib.plu_frames_open, frames, path.encode())
    try:
        times = np.array([lib.plu_frames_time(frames[0], k) for k in range(lib.plu_frames_count(frames[0]))])
        call(lib.plu_frames_scene, resolved, True, frames[0])
        call(lib.plu_scene_read_stored, scene, path.encode(), resolved[0])
        call(lib.plu_trajectory_meshes, scene, path.encode())
        chosen, data = choose(times), ffi.new("plu_frame_data *")

        def view_of(k: int) -> Any:
            call(lib.plu_frames_read, frames[0], k, data)
            return ffi.new("plu_view *", lib.plu_view_frame(data, scene))
        return of_views(view_of(chosen[-1]), map(view_of, chosen), materials, *arguments)
    finally:
        libc.free(resolved[0])
        lib.plu_frames_close(frames[0])
