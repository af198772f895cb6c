#!/usr/bin/python3
"""Reads a pluvia trajectory with programs that are not pluvia and compares what they see.

    readers.py FILE.h5md

Readers: h5py (the rules of H5MD 1.1 and the layout of output/README.md), MDAnalysis (frames, times,
positions), an XML parser for the ParaView sidecar FILE.xdmf (every path, shape and HyperSlab), and,
where it is installed (python3-vtk9 or python3-paraview), the reader of ParaView itself (all numbers).
Prints one line a check; the exit status is 1 when one has failed, 2 for wrong usage.
"""
import os
import sys
import warnings
import xml.etree.ElementTree as xml

import h5py
import numpy as np

failed = 0


def check(good, what):
    global failed
    failed += not good
    print(f"{'ok    ' if good else 'FAILED'} {what}")
    return good


# --- h5py -----------------------------------------------------------------------------------------

ELEMENTS = {  # name: (kinds of number, components)
    "position": ("f", 3), "velocity": ("f", 3), "angular_velocity": ("f", 3),
    "orientation": ("f", 4), "force": ("f", 3), "id": ("i", 0), "state": ("u", 0),
    "torque": ("f", 3), "stress": ("f", 9), "dissipation": ("f", 0), "coordination": ("i", 0),
}
FIXED = {"species": ("i", 0), "mass": ("f", 0), "radius": ("f", 0), "inertia": ("f", 3)}
CONTACTS = {
    "body": 2, "point": 3, "normal": 3, "tangent": 3, "gap": 0, "impulse": 3,
    "moment_impulse": 3, "velocity": 3, "status": 0, "law": 0,
}


def fixed_text(holder, name):
    """H5MD wants scalar strings of fixed length."""
    if name not in holder.attrs:
        return False
    kind = holder.attrs.get_id(name)
    return kind.shape == () and kind.dtype.kind == "S" and kind.dtype.itemsize > 0


def address(thing):
    return h5py.h5o.get_info(thing.id).addr


def check_h5md(file):
    root = file["h5md"]
    check(list(root.attrs["version"]) == [1, 1], "h5md: version is 1.1")
    check(fixed_text(root["author"], "name"), "h5md: author has a name of fixed length")
    check(fixed_text(root["creator"], "name") and fixed_text(root["creator"], "version"),
          "h5md: creator has name and version of fixed length")
    units = root["modules/units"]
    check(list(units.attrs["version"]) == [1, 0] and units.attrs["system"] == b"SI",
          "h5md: module units 1.0, system SI")
    texts = []
    file.visititems(lambda path, thing: texts.extend(
        f"{path}@{name}" for name in thing.attrs
        if h5py.check_string_dtype(thing.attrs.get_id(name).dtype)
        and h5py.check_string_dtype(thing.attrs.get_id(name).dtype).length is None))
    check(not texts, f"h5md: no string of variable length {texts}")


def check_box(group):
    box = group["box"]
    check(box.attrs["dimension"] == 3 and box.attrs.get_id("dimension").shape == (),
          "box: dimension is 3")
    boundary = box.attrs["boundary"]
    check(boundary.shape == (3,) and boundary.dtype.kind == "S" and set(boundary) == {b"none"},
          "box: boundary is three times none")
    check("edges" not in box, "box: no edges without a periodic cell")


def check_elements(group, frames, bodies):
    clock = group["position"]
    check(set(group) <= set(ELEMENTS) | set(FIXED) | {"box"}, "particles: no unknown element")
    for name, (kind, components) in ELEMENTS.items():
        if name not in group:
            continue
        value = group[name]["value"]
        shape = (frames, bodies) + ((components,) if components else ())
        check(value.shape == shape and value.dtype.kind == kind,
              f"{name}: value is {kind}{list(shape)} and is {value.dtype.kind}{list(value.shape)}")
        check(value.maxshape[0] is None, f"{name}: the number of frames may grow")
        check(all(address(group[name][which]) == address(clock[which])
                  for which in ("step", "time")), f"{name}: step and time are hard links")
        check("unit" not in value.attrs and "unit" not in group[name]["time"].attrs,
              f"{name}: unit on the group alone")
    for name, (kind, components) in FIXED.items():
        shape = (bodies,) + ((components,) if components else ())
        check(group[name].shape == shape and group[name].dtype.kind == kind,
              f"{name}: is {kind}{list(shape)}")


def check_numbers(group):
    clock, frames = group["position"], len(group["position/step"])
    check(clock["step"].dtype.kind == "i" and bool(np.all(np.diff(clock["step"]) >= 0)),
          "step: integers that do not fall")
    check(clock["time"].dtype == np.float64 and bool(np.all(np.diff(clock["time"]) >= 0)),
          "time: float64 that does not fall")
    check(all(np.isfinite(group["position/value"][f]).all() for f in range(frames)),
          "position: finite, also for bodies that wait")
    check(bool(np.all(group["radius"][:] > 0) and np.all(group["mass"][:] > 0)),
          "radius, mass: positive")
    ident, state = group["id/value"], group["state/value"]
    check(ident.fillvalue == -1, "id: the fill value is -1")
    index = np.arange(ident.shape[1])
    check(all(np.array_equal(ident[f], np.where((state[f] == 1) | (state[f] == 2), index, -1))
              for f in range(frames)), "id: the index of an active body, else -1")
    check(all(np.isin(state[f], (0, 1, 2, 3)).all() for f in range(frames)), "state: 0 to 3")
    if "orientation" in group:
        check(all(np.allclose(np.linalg.norm(group["orientation/value"][f], axis=1), 1, atol=1e-5)
                  for f in range(frames)), "orientation: unit quaternions")


def check_observables(file, frames):
    step = address(file["particles/trajectory/position/step"])
    for name, element in file["observables"].items():
        good = isinstance(element, h5py.Group) and "value" in element
        check(good and element["value"].shape == (frames,) and
              address(element["step"]) == step,
              f"observables/{name}: flat, a row a frame, step linked")


def check_contacts(file, frames, bodies):
    if "contacts" not in file:
        return
    group, offset = file["contacts"], file["contacts/offset"][:]
    rows = group["body"].shape[0]
    check(offset.shape == (frames + 1,) and offset[0] == 0 and offset[-1] == rows and
          bool(np.all(np.diff(offset) >= 0)), "contacts: offset fits frames and rows")
    check(group["step"].shape == group["time"].shape == group["dt"].shape == (frames,),
          "contacts: step, time, dt have a row a frame")
    for name, components in CONTACTS.items():
        shape = (rows,) + ((components,) if components else ())
        check(group[name].shape == shape, f"contacts/{name}: is {list(shape)}")
    if rows == 0:
        return
    body, normal, tangent = group["body"][:], group["normal"][:], group["tangent"][:]
    check(bool(np.all(body < bodies) and np.all(body[:, 1] >= 0)), "contacts: bodies exist")
    parts = {-1 - k for wall in file["walls"].values() for k in wall.attrs.get("parts", ())}
    check(set(body[body < 0].tolist()) <= parts, "contacts: parts of walls exist")
    check(np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-5) and
          np.allclose(np.linalg.norm(tangent, axis=1), 1, atol=1e-5) and
          np.allclose(np.sum(normal * tangent, axis=1), 0, atol=1e-5),
          "contacts: normal and tangent are orthonormal")


def check_no_other_positions(file):
    """VMD takes every group named position that has a value for bodies."""
    found = []
    file.visit(lambda path: found.append(path) if path.endswith("position/value") else None)
    check(found == ["particles/trajectory/position/value"], "position/value: only one")


def check_parameters(file):
    group = file["parameters/pluvia"]
    check(group.attrs["schema"] == 2, "parameters: schema 2")
    check(group.attrs["state"] in (b"running", b"complete", b"interrupted", b"failed"),
          f"parameters: state is {group.attrs['state']}")
    check({"version", "title", "seed", "h", "threads", "compiler", "hdf5"} <= set(group.attrs),
          "parameters: all attributes")
    check({"command", "scene", "scene_resolved", "overrides", "materials"} <= set(group),
          "parameters: all texts")


def with_h5py(path):
    with h5py.File(path, "r") as file:
        check(list(file["particles"]) == ["trajectory"], "particles: one group, trajectory")
        group = file["particles/trajectory"]
        frames, bodies = group["position/value"].shape[:2]
        check(len(group["position/step"]) == len(group["position/time"]) == frames > 0,
              f"h5py: {frames} frames of {bodies} bodies")
        check_h5md(file)
        check_box(group)
        check_elements(group, frames, bodies)
        check_numbers(group)
        check_observables(file, frames)
        check_contacts(file, frames, bodies)
        check_no_other_positions(file)
        check_parameters(file)
        return group["position/time"][:]


# --- MDAnalysis -----------------------------------------------------------------------------------

def with_mdanalysis(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import MDAnalysis
    with h5py.File(path, "r") as file:
        group = file["particles/trajectory"]
        time, position = group["position/time"][:], group["position/value"]
        velocity = group["velocity/value"] if "velocity" in group else None
        energy = file["observables/kinetic_energy/value"][:]
        universe = MDAnalysis.Universe.empty(position.shape[1], trajectory=False)
        universe.load_new(path, convert_units=False)
        check(len(universe.trajectory) == len(time), f"MDAnalysis: {len(time)} frames")
        same = [0, 0, 0, 0]
        for f, frame in enumerate(universe.trajectory):
            same[0] += frame.time == time[f]
            same[1] += np.array_equal(frame.positions, position[f].astype(np.float32))
            same[2] += velocity is None or np.array_equal(frame.velocities,
                                                          velocity[f].astype(np.float32))
            same[3] += frame.data["kinetic_energy"] == energy[f]
        for count, what in zip(same, ("times", "positions", "velocities", "observables")):
            check(count == len(time), f"MDAnalysis: {what} as in h5py")
        universe.trajectory.close()


# --- the sidecar ----------------------------------------------------------------------------------

def numbers(text):
    return [int(word) for word in text.split()]


def check_item(item, folder, files, want):
    """A DataItem gives `want` numbers; returns what is wrong with it, or None."""
    shape = numbers(item.get("Dimensions"))
    if shape != want:
        return f"shape {shape} instead of {want}"
    slab = None
    if item.get("ItemType") == "HyperSlab":
        select, item = item.findall("DataItem")
        slab = np.array(numbers(select.text)).reshape(numbers(select.get("Dimensions")))
        shape = numbers(item.get("Dimensions"))
    name, _, path = item.text.strip().partition(":")
    if os.path.isabs(name) or not os.path.exists(os.path.join(folder, name)):
        return f"no file {name} beside the sidecar"
    file = files.setdefault(name, h5py.File(os.path.join(folder, name), "r"))
    if path not in file:
        return f"no dataset {path}"
    data = file[path]
    if data.dtype.itemsize != int(item.get("Precision")):
        return f"{path} has {data.dtype.itemsize} bytes a number"
    if {"Float": "f", "Int": "i", "UChar": "u"}[item.get("NumberType")] != data.dtype.kind:
        return f"{path} is of another kind of number"
    if slab is None:
        return None if list(data.shape) == shape else f"{path} has shape {data.shape}"
    if shape != list(data.shape):
        return f"{path} has shape {data.shape}, not {shape}"
    if slab.shape != (3, data.ndim) or np.any(slab[0] + (slab[2] - 1) * slab[1] >= shape):
        return f"HyperSlab {slab.tolist()} leaves {path}"
    return None if slab[2].tolist() == [1] + want else "HyperSlab of odd size"


def with_sidecar(path, time):
    sidecar = os.path.splitext(path)[0] + ".xdmf"
    try:
        root = xml.parse(sidecar).getroot()
    except (OSError, xml.ParseError) as trouble:
        check(False, f"sidecar: {trouble}")
        return
    check(root.tag == "Xdmf" and root.get("Version") == "2.0", "sidecar: XDMF 2")
    # The XDMF 3 library takes the first element for the domain, and has no defaults for these.
    needed = {"Attribute": ["AttributeType", "Center"], "Geometry": ["GeometryType"], "DataItem": ["Format", "Dimensions"]}
    lacking = {(item.tag, key) for item in root.iter() for key in needed.get(item.tag, [])
               if item.get(key) is None and (key != "Format" or item.get("ItemType") is None)}
    check(root[0].tag == "Domain" and not lacking, f"sidecar: all that XDMF 3 needs {lacking or ''}")
    collection = root.find("Domain/Grid")
    check(collection.get("CollectionType") == "Temporal", "sidecar: a Temporal collection")
    grids = collection.findall("Grid")
    check([float(g.find("Time").get("Value")) for g in grids] == list(time),
          f"sidecar: {len(grids)} grids at the times of the frames")
    sizes = {"Scalar": [], "Vector": [3], "Matrix": [4], "Tensor": [9]}
    wrong, items, files = [], 0, {}
    for f, grid in enumerate(grids):
        bodies = int(grid.find("Topology").get("NumberOfElements"))
        todo = [(grid.find("Geometry"), [3])]
        todo += [(a, sizes[a.get("AttributeType", "Scalar")]) for a in grid.findall("Attribute")]
        for holder, components in todo:
            items += 1
            found = check_item(holder.find("DataItem"), os.path.dirname(path) or ".", files,
                               [bodies] + components)
            slab = holder.find("DataItem/DataItem")
            if not found and slab is not None and numbers(slab.text)[0] != f:
                found = f"grid {f} shows frame {numbers(slab.text)[0]}"
            if found:
                wrong.append(f"grid {f} {holder.get('Name', 'geometry')}: {found}")
    for file in files.values():
        file.close()
    check(not wrong, f"sidecar: {items} data items resolve {wrong[:3]}")


def spheres_of(data):
    """The only grid of a frame, which may be in blocks of blocks."""
    while data.IsA("vtkMultiBlockDataSet") and data.GetNumberOfBlocks() == 1:
        data = data.GetBlock(0)
    return data


def with_paraview(path, time):
    try:
        from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
        from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
        from vtkmodules.util.numpy_support import vtk_to_numpy
    except ImportError:
        print("       ParaView: its reader is not installed")
        return
    reader = vtkXdmfReader()
    reader.SetFileName(os.path.splitext(path)[0] + ".xdmf")
    reader.UpdateInformation()
    steps = reader.GetOutputInformation(0).Get(pipeline.TIME_STEPS()) or ()
    check(list(steps) == sorted(set(time)), f"ParaView: {len(steps)} times")
    wrong, arrays = [], []
    with h5py.File(path, "r") as file:
        group = file["particles/trajectory"]
        shown = [name for name in group if name in ELEMENTS and name not in ("position", "id")]
        for f in [list(time).index(t) for t in steps]:
            reader.UpdateTimeStep(time[f])
            spheres = spheres_of(reader.GetOutputDataObject(0))
            point = spheres.GetPointData()
            arrays = sorted(point.GetArrayName(k) for k in range(point.GetNumberOfArrays()))
            want = {name: group[name]["value"][f] for name in shown}
            want |= {name: group[name][:] for name in ("radius", "species")}
            seen = {name: vtk_to_numpy(point.GetArray(name)) for name in arrays}
            want["position"], seen["position"] = (group["position/value"][f],
                                                  vtk_to_numpy(spheres.GetPoints().GetData()))
            wrong += [f"{name} of frame {f}" for name in want
                      if not np.array_equal(seen.get(name), want[name])]
            if sorted(seen) != sorted(want) or spheres.GetNumberOfCells() != len(want["radius"]):
                wrong.append(f"frame {f} has {len(want['radius'])} spheres with {sorted(want)}")
    check(not wrong, f"ParaView: {len(steps)} frames of {', '.join(arrays)} as in h5py {wrong[:3]}")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(0 if len(sys.argv) == 2 else 2)
    path = sys.argv[1]
    try:
        time = with_h5py(path)
        with_mdanalysis(path)
        with_sidecar(path, time)
        with_paraview(path, time)
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as trouble:
        check(False, f"{type(trouble).__name__}: {trouble}")
    print(f"{failed} failed" if failed else "all readers agree")
    sys.exit(1 if failed else 0)


main()
