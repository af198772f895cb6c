#!/usr/bin/python3
"""Within a folder of src calls go one way: no file calls another that calls it back, directly or through
others. What several files call stands in a file of its own, not in that of who calls them.

    circles.py BUILD     a folder made by meson, in which the library and the command are built

Asks the symbols of the object files who defines and who needs what; a kernel that is compiled for several
processors counts as one file. Prints each circle, with the symbols; ends with 1 if there is one.
First it makes sure, on objects made for that, that a circle would be found. Standard library and nm only.
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

def symbols(objects):
    """{file: (defined, needed)}, where a file is "room/name.c"."""
    said = subprocess.run(["nm", "-A", "-P", "-g", *objects], text=True, stdout=subprocess.PIPE, check=True).stdout
    files = {name: (set(), set()) for name in set(objects.values())}
    for line in said.splitlines():
        path, symbol, kind = line.split()[:3]
        files[objects[path.rstrip(":")]][kind in "Uvw"].add(symbol)
    return files


def built(build):
    """{object: file below src}, as meson noted for who compiles by hand."""
    source = pathlib.Path(__file__).resolve().parents[2] / "src"
    objects = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        file = (pathlib.Path(command["directory"]) / command["file"]).resolve()
        if source in file.parents and command["output"].startswith("src/"):  # tests compile some once more
            objects[str(build / command["output"])] = str(file.relative_to(source))
    return objects


def calls(files):
    """{file: {other file of its room: symbols}}; a folder in a room is a part of it."""
    room = {name: name.split("/")[0] for name in files}
    home = {(room[name], symbol): name for name, (defined, _) in files.items() for symbol in defined}
    graph = {name: {} for name in files}
    for name, (defined, needed) in files.items():
        for symbol in needed - defined:
            other = home.get((room[name], symbol))
            if other and other != name:
                graph[name].setdefault(other, set()).add(symbol)
    return graph


def circle(graph, start):
    """The shortest way from `start` back to it, as files; None: there is none."""
    came = {}
    wait = [start]
    while wait:
        name = wait.pop(0)
        for other in sorted(graph[name]):
            if other == start:
                way = [start, name]
                while way[-1] != start:
                    way.append(came[way[-1]])
                return way[::-1]
            if other not in came:
                came[other] = name
                wait.append(other)
    return None


def circles(files):
    """One line a circle; of circles that have a file in common only the shortest."""
    graph = calls(files)
    ways = filter(None, (circle(graph, name) for name in sorted(graph)))
    said, named = [], set()
    for way in sorted(ways, key=len):
        if named.isdisjoint(way):
            said.append("a circle: " + ", ".join(f"{name} needs {' and '.join(sorted(graph[name][other]))} of {other}"
                                                 for name, other in zip(way, way[1:])))
        named.update(way)
    return said


def planted():
    """What a circle of three files looks like beside two that are none: (lines, lines)."""
    texts = {"a.c": "void b(void); void a(void) { b(); }", "b.c": "extern int c; void b(void) { c = 1; }",
             "c.c": "void a(void); int c; void d(void) { a(); }", "e.c": "void a(void); void e(void) { a(); }"}
    compiler = shlex.split(os.environ.get("CC", "cc"))
    objects = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            source = pathlib.Path(folder) / name
            source.write_text(text)
            objects[f"{source}.o"] = "room/" + name
            subprocess.run([*compiler, "-c", "-o", f"{source}.o", source], check=True)
        without = {path: name for path, name in objects.items() if name != "room/c.c"}
        return circles(symbols(objects)), circles(symbols(without))


def main():
    with_one, without = planted()
    if with_one != ["a circle: room/a.c needs b of room/b.c, room/b.c needs c of room/c.c, "
                    "room/c.c needs a of room/a.c"] or without:
        sys.exit(f"a planted circle is not found as it is: {with_one}, {without}")
    objects = built(pathlib.Path(sys.argv[1]))
    if not objects:
        sys.exit(f"{sys.argv[1]}: no object files of src")
    missing = [name for name in objects if not pathlib.Path(name).exists()]
    if missing:
        sys.exit(f"{missing[0]} does not exist: build {sys.argv[1]} first")
    said = circles(symbols(objects))
    print("\n".join(said))
    return bool(said)


if __name__ == "__main__":
    sys.exit(main())
