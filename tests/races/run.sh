#!/usr/bin/env bash
# run.sh PLUVIA RACE: ThreadSanitizer over threaded runs. Archer (libarcher.so, of libomp) tells it
# of OpenMP's barriers. Only code that was compiled for it is looked at: HDF5 and libomp are
# not, and what they do to memory of their own would be reported as races.
set -euo pipefail
archer=$(find /usr/lib/llvm-*/lib -name libarcher.so 2>/dev/null | head -1)
[[ $archer ]] || { echo "libarcher.so is not here"; exit 77; }
export OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66"

if "$2" 2>/dev/null; then
    echo "a race that is there was not found"
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
scenes=$(dirname "$0")/../../scenes
run() {
    echo "== $*"
    "$pluvia" run "$@" -q --force -o "$folder/a.h5md"
}
pluvia=$1
here=$(dirname "$0")
run "$here/box.cfg" -j 3
run "$here/box.cfg" -j 2 -s solver.islands=false -s solver.tolerance=1e-6 -s solver.anderson_after=10 \
    --until 0.005
run "$here/box.cfg" -j 4 -s stabilization=none -s time.theta=1.0 -s solver.local=projection --until 0.005
tiles=(-s "bodies.*.lattice.counts=[26,26,20]" -s "bodies.*.lattice.spacing=0.0197" -s allow_overlap=true) # an island in tiles
run "$here/box.cfg" -j 4 "${tiles[@]}" --until 0.003
run "$here/box.cfg" -j 4 "${tiles[@]}" -s solver.single=false --until 0.003
run "$scenes/pile/pile.cfg" -j 4 --until 0.3
run "$here/layers.cfg" -j 3 # sides of a cell, walls that move, bodies that sleep and wake
run "$here/sheared.cfg" -j 4
# frames by a thread of their own, with checkpoints between
run "$scenes/pile/pile.cfg" -j 2 --until 0.5 -s output.interval=0.002 -s output.contacts=true -s output.checkpoint_interval=0.1
run "$here/box.cfg" -j 2 --until 0.01 -s output.interval=0.001 -s output.dump_problems=every -s output.dump_every=2
