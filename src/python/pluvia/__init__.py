"""pluvia: nonsmooth dynamics of rigid grains with Coulomb, rolling and pivoting friction.

    import pluvia
    trajectory = pluvia.run("scenes/pile/pile.cfg", "pile.h5md")     # as the command does, with checkpoints
    trajectory.measure()["pile"]["height"]                           # m
    simulation = pluvia.Simulation("scenes/incline.cfg")             # in memory, step by step
    simulation.step(100)
    simulation.bodies.position                                       # [N, 3], m, without a copy

The library is that of the same wheel, or what the loader of the system finds; PLUVIA_LIBRARY names another one. run and measure call
the command of PATH; PLUVIA_COMMAND names another one. PYTHONPATH names the folder of this package where Python does not find it.

What goes wrong raises a PluviaError with the sentence of the command line. All numbers are in SI units.
"""
from importlib.util import find_spec as _find

for _name in "cffi", "numpy":  # before files of this package import them, so that the message says what to install
    if _find(_name) is None:
        raise ModuleNotFoundError(f"pluvia needs the Python package {_name} (on Debian: python3-{_name})", name=_name)

# pylint: disable=wrong-import-position
from . import plots
from ._bodies import Bodies
from ._headers import VERSION as __version__
from ._fields import Fields
from ._library import Breakdown, FileError, Held, InputError, NotConverged, PluviaError, UsageError
from ._problem import Problem, Solution
from ._scene import Scene
from ._simulation import Simulation, Step
from ._solvers import ProblemView
from ._trajectory import Trajectory, measure, run

__all__ = ["Bodies", "Breakdown", "Fields", "FileError", "Held", "InputError", "NotConverged", "PluviaError", "Problem", "ProblemView",
           "Scene", "Simulation", "Solution", "Step", "Trajectory", "UsageError", "measure", "plots", "run"]
