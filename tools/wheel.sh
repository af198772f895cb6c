#!/usr/bin/env bash
# Makes a wheel of the Python package, with the library and the command in it: build/dist/pluvia-VERSION-py3-none-PLATFORM.whl, by
# meson-python, without the network. It works on the machine that it was made on and on others of the same distribution: HDF5 and
# the other libraries stay outside. Its copy of the tree is the last commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh
(($# == 0)) || die "usage: tools/wheel.sh"

install_packages "${build_packages[@]}" git python3-build python3-mesonpy python3-wheel patchelf
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive HEAD | tar -x -C "$folder"
cp src/python/pyproject.toml "$folder/"
mkdir -p build/dist
said=$(/usr/bin/python3 -m build --wheel --no-isolation --outdir "$PWD/build/dist" "$folder" 2>&1) || die "$said"
echo "build/dist/$(sed -n 's/^Successfully built //p' <<<"$said")"
