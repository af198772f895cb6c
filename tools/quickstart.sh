#!/usr/bin/env bash
# From a fresh Debian 12 to the first result: installs what is missing, builds pluvia, lets 250
# spheres rain into a pile. Safe to repeat: only what changed is built again, and only its own result,
# output/pile.h5md, is replaced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh
no_arguments tools/quickstart.sh "$@"

install_packages "${build_packages[@]}"

build=build/release
if [[ ! -f $build/build.ninja ]]; then
    say "preparing $build"
    said=$(meson setup "$build" --buildtype=release -Dtests=disabled 2>&1) ||
        die "meson failed: $said"
fi
say "building $build"
ninja --quiet -C "$build" src/cli/pluvia

say "running scenes/pile/pile.cfg"
"$build/src/cli/pluvia" run scenes/pile/pile.cfg -o output/pile.h5md --force

cat <<END

The trajectory is $PWD/output/pile.h5md (HDF5, H5MD 1.1; output/README.md explains it).
ParaView opens $PWD/output/pile.xdmf.
The program is $build/src/cli/pluvia; next: $build/src/cli/pluvia help
END
