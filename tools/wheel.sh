#!/usr/bin/env bash
# Makes a wheel of the Python package, with the library and the command in it, from the last commit (changes that are not committed
# are left out): build/dist/pluvia-VERSION-py3-none-PLATFORM.whl, by meson-python, without the network.
#
#   tools/wheel.sh
#   python3 -m venv --system-site-packages env           cffi, numpy and h5py of the system
#   env/bin/pip install --no-deps build/dist/pluvia-*.whl
#   env/bin/python -c 'import pluvia; print(pluvia.__version__)'
#
# HDF5 and the other libraries are not in it: it works on machines with the distribution that it was made on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh
no_arguments tools/wheel.sh "$@"

install_packages "${build_packages[@]}" git python3-build python3-mesonpy python3-wheel patchelf
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive HEAD | tar -x -C "$folder"
cp src/python/pyproject.toml "$folder/"
mkdir -p build/dist
said=$(/usr/bin/python3 -m build --wheel --no-isolation --outdir "$PWD/build/dist" "$folder" 2>&1) || die "$said"
echo "build/dist/$(sed -n 's/^Successfully built //p' <<<"$said")"
