#!/usr/bin/python3
"""What scenes/shear.cfg comes to, from its result: the stress ratio mu on the lid, its height, the velocity.

    tools/shear.py output/shear.h5md

Needs python3-h5py and python3-numpy."""
import sys

import h5py
import numpy as np

START = 1.0  # s: from here on the shear is steady
LAYERS = 8
PARTS = 4


def main(path):
    with h5py.File(path) as file:
        bodies, walls = file["particles/trajectory"], file["boundaries"]
        lid = [name.decode() for name in walls["names"]].index("lid")
        steady = np.nonzero(bodies["position/time"][:] >= START - 1e-9)[0]
        force = walls["force/value"][:][steady, lid]
        part = [p[:, 0].mean() / p[:, 2].mean() for p in np.array_split(force, PARTS)]
        print(f"mu from t = {START:g} s on     {force[:, 0].mean() / force[:, 2].mean():.3f}")
        print(f"  in {PARTS} parts of that    {min(part):.3f} to {max(part):.3f}")
        print(f"force on the lid      {force[:, 2].mean():.3f} N")
        print(f"height of the lid     {walls['position/value'][-1, lid, 2]:.4f} m")
        z = bodies["position/value"][:][steady, :, 2].ravel()
        v = bodies["velocity/value"][:][steady, :, 0].ravel()
        layer = np.digitize(z, np.linspace(0, z.max(), LAYERS + 1)[1:-1])
        print("velocity by layers    " + " ".join(f"{v[layer == k].mean():.4f}" for k in range(LAYERS)) + " m/s")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1])
