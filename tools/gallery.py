#!/usr/bin/python3
"""Runs scenes with boundaries that move or come from files, and makes their pictures in tools/gallery.

    tools/gallery.py             all of them (two minutes of one core)
    tools/gallery.py drum        one; the names are those of the pictures

The lines that make the pictures are in tools/README.md, under "Gallery". Standard library only."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "build/release/src/cli/pluvia"
NAMES = ["drum", "lifted", "hopper_mesh", "terrain", "vibrated", "conveyor", "oedometer", "triaxial", "shear", "shear_cell", "pressure",
         "arrows"]
OTHERS = {"pressure": ["oedometer", "-s", "output.contacts=true"], "arrows": ["drum"]}  # scenes of other names


def line_of(name):
    """The words of "pluvia render NAME.h5md ... -o NAME.png" as the page has them."""
    page = (ROOT / "tools/README.md").read_text(encoding="utf-8")
    return re.search(rf"`pluvia (render {name}\.h5md [^`]*-o {name}\.png)`", page)[1].split()


def main(names):
    if names in (["-h"], ["--help"]):
        return print(__doc__)
    if not set(names) <= set(NAMES):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or NAMES:
            scene, *more = OTHERS.get(name, [name])
            subprocess.run([PROGRAM, "run", ROOT / f"scenes/{scene}.cfg", *more, "-q", "-o", f"{name}.h5md"], cwd=folder, check=True)
            subprocess.run([PROGRAM, *line_of(name), "--size", "560x420"], cwd=folder, check=True)
            (ROOT / f"tools/gallery/{name}.png").write_bytes(pathlib.Path(folder, f"{name}.png").read_bytes())
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
