"""The Python package of the tree over the library of the build, for the tests that import it."""
import os
import pathlib
import shutil
import sys
import tempfile

from command import PLUVIA, ROOT

BUILD = pathlib.Path(os.environ["BUILD"])
HOLDER = tempfile.TemporaryDirectory(prefix="pluvia-python-")
shutil.copytree(ROOT / "src/python/pluvia", pathlib.Path(HOLDER.name) / "pluvia", ignore=shutil.ignore_patterns("__pycache__", "meson.build"))
shutil.copy(BUILD / "src/python/pluvia/_headers.py", pathlib.Path(HOLDER.name) / "pluvia")
sys.path.insert(0, HOLDER.name)
os.environ["PLUVIA_COMMAND"] = str(PLUVIA)
import pluvia  # noqa: E402,F401

GROUND = '''
    time: { step = 1e-3; end = 0.2; };  gravity = [0, 0, -10.0];
    materials = ( { name = "a"; density = 2500.0; } );
    contacts = ( { between = ["a", "a"]; friction = 0.3; } );
    boundaries = ( { name = "floor"; plane: {}; material = "a"; } );
    bodies = ( { position = [0, 0, 0.1]; velocity = [4, 0, 0]; radius = 0.1; material = "a"; } );
'''
