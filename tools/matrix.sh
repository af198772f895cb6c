#!/usr/bin/env bash
# Builds pluvia in many ways (compilers, versions of HDF5, without threads, for 64-bit ARM), tests each build and compares
# what it computes. Prints a row a build; the exit code is 0 only if all were built, passed and computed the same bits.
#
#   tools/matrix.sh                 every build for which the compiler is here; others are listed as "not here"
#   tools/matrix.sh NAME...         these, where the compilers have to be here
#   tools/matrix.sh --list          the names, and what is here
#   tools/matrix.sh --fetch         first gets what is missing, as root: compilers and qemu of this Debian, and by debootstrap
#                                   build/roots/trixie (Debian 13: newer compilers, HDF5 1.14) and build/roots/arm64
#   tools/matrix.sh --states        no tests: the states alone; --all: tests by the suites unit, physics and cli; else unit
#   tools/matrix.sh --keep          keeps these rows in tests/matrix.csv, beside others, and writes them into tests/README.md
#
# Names are COMPILER-VERSION, or what is different about the build; ROOT:NAME is run by chroot in build/roots/ROOT, with root's
# rights. What is computed is the state hash of a few scenes (below), as the first 16 digits of the checksum of them all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh

# Scene and time (s) up to which it is run: a cylinder that turns, a periodic cell, a bed, walls with servos, springs, a mesh.
scenes=("drum 0.3" "shear 0.1" "box/settle 0.2" "triaxial 0.05" "penalty/springs 0.05" "terrain 0.2")
compilers=(gcc-{11..16} clang-{13..22})
ways=(serial static no-render no-portfolio debug arm64)
roots=build/roots
revision=${MATRIX_REVISION:-$(git -c safe.directory='*' rev-parse --short HEAD 2>/dev/null || echo unknown)}
here=${MATRIX_ROOT:-} # the root that this call of the script is run in, by another call of it
rows=build/matrix/rows
list=0 fetch=0 keep=0 suites=(unit) depth=() names=()
for word; do
    case $word in
    --list) list=1 ;;
    --fetch) fetch=1 ;;
    --keep) keep=1 ;;
    --states) suites=() depth=(--states) ;;
    --all) suites=(unit physics cli) depth=(--all) ;;
    -h | --help) take_help tools/matrix.sh --help ;;
    -*) die "unknown option $word (tools/matrix.sh --help)" ;;
    *) names+=("$word") ;;
    esac
done

mapfile -t libraries < <(printf '%s\n' "${build_packages[@]}" libcmocka-dev | grep -e '-dev$' | grep -v libc6-dev)
fetch_all() {
    ((EUID == 0)) || die "--fetch needs root"
    install_packages "${build_packages[@]}" debootstrap libcmocka-dev clang libomp-dev gcc-11 clang-13 clang-15 clang-16 \
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user python3-cffi python3-h5py python3-scipy
    mkdir -p "$roots"
    if [[ ! -d $roots/trixie ]]; then
        say "getting $roots/trixie"
        rm -rf "$roots/new"
        debootstrap --variant=minbase trixie "$roots/new" >&2
        # By apt, which knows virtual packages; debootstrap --include does not.
        chroot "$roots/new" env PATH=/usr/bin:/usr/sbin DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends gcc gcc-{13,14} clang-{17,18,19} libomp-19-dev libc6-dev meson ninja-build pkg-config \
            python3 python3-h5py python3-scipy python3-cffi "${libraries[@]}" >/dev/null
        mv "$roots/new" "$roots/trixie"
    fi
    if [[ ! -d $roots/arm64 ]]; then
        say "getting $roots/arm64"
        rm -rf "$roots/new" "$roots/new-packages"
        debootstrap --arch=arm64 --foreign --variant=minbase \
            --include="$(IFS=, && echo "libc6-dev,libgomp1,${libraries[*]}")" bookworm "$roots/new-packages" >&2
        mkdir "$roots/new"
        for package in "$roots"/new-packages/var/cache/apt/archives/*.deb; do
            dpkg-deb -x "$package" "$roots/new"
        done
        rm -r "$roots/new-packages"
        mv "$roots/new" "$roots/arm64"
    fi
}

# compiler_of NAME: the command that compiles it
compiler_of() {
    case $1 in
    gcc-* | clang-*) echo "$1" ;;
    arm64) echo aarch64-linux-gnu-gcc ;;
    *) echo gcc ;;
    esac
}

is_here() {
    if [[ $1 == *:* ]]; then
        ((EUID == 0)) && [[ -n $(find "$roots/${1%:*}"/usr/bin -name "$(compiler_of "${1#*:}")" 2>/dev/null) ]]
    elif [[ $1 == arm64 ]]; then
        command -v aarch64-linux-gnu-gcc qemu-aarch64 >/dev/null && [[ $(wc -l < <(command -v aarch64-linux-gnu-gcc qemu-aarch64)) == 2 ]] &&
            { [[ -d $roots/arm64 ]] || [[ -f /usr/lib/aarch64-linux-gnu/libhdf5_serial.so ]]; }
    else
        command -v "$(compiler_of "$1")" >/dev/null
    fi
}

# omp_of CLANG: arguments with which it finds OpenMP where only the library of another version is installed; a word for it
omp_of() {
    local header folder
    if echo '#include <omp.h>' | "$1" -fopenmp -x c -fsyntax-only - 2>/dev/null &&
        echo 'int main(void) { return 0; }' | "$1" -fopenmp -x c -o /dev/null - 2>/dev/null; then
        echo "libomp"
        return
    fi
    for header in /usr/lib/llvm-*/lib/clang/*/include/omp.h; do
        folder=${header%/lib/clang/*}
        [[ -f $folder/lib/libomp.so ]] || continue
        # The runtime is the same for all; so is this header.
        mkdir -p build/matrix/omp && cp "$header" build/matrix/omp/
        echo "libomp ${folder##*-}" "-Dc_args=-isystem$PWD/build/matrix/omp" "-Dc_link_args=-L$folder/lib"
        return
    done
    echo "none" "-Dopenmp=disabled"
}

# hash_of FOLDER WRAPPER...: of what its command computes; with threads as without
hash_of() {
    local folder=$1 scene until hash hashes=() options
    shift
    for scene in "${scenes[@]}"; do
        read -r scene until <<<"$scene"
        for options in "-j 1" "-j 3"; do
            # shellcheck disable=SC2086 # two words
            hash=$("$@" "$folder/src/cli/pluvia" run "scenes/$scene.cfg" --until "$until" $options -o "$folder/state.h5md" --force \
                2>"$folder/run.txt" | sed -n 's/^state hash *//p')
            [[ -n $hash ]] || { echo "no hash" && return; }
            hashes+=("$hash")
            [[ $scene == drum ]] || break
        done
        [[ $scene != drum || ${hashes[0]} == "${hashes[1]}" ]] || { echo "threads differ" && return; }
    done
    sha256sum <<<"${hashes[*]}" | cut -c1-16
}

# Numbers of tests that passed, failed and were skipped, of meson's log.
counted() {
    python3 -c '
import json, sys
said = [json.loads(line)["result"] for line in open(sys.argv[1])]
passed = sum(word in ("OK", "EXPECTEDFAIL") for word in said)
print(passed, len(said) - passed - said.count("SKIP"), said.count("SKIP"))' "$1"
}

# build NAME: one row, in this system
build() {
    local name=$1 folder=build/matrix/${here:+$here-}$1 setup=(--buildtype=release -Dtests=enabled) compiler omp=libgomp wrapper=() times=1
    local built=yes warnings=0 passed=0 failed=0 skipped=0 hash='' hdf5 said system
    compiler=$(compiler_of "$name")
    case $name in
    clang-*)
        read -r -a said <<<"$(omp_of "$name" | sed 's/libomp \([0-9]\)/libomp_\1/')"
        omp=${said[0]/_/ }
        setup+=("${said[@]:1}")
        ;;
    serial) setup+=(-Dopenmp=disabled) && omp=none ;;
    no-*) setup+=("-D${name#no-}=disabled") ;;
    static) setup+=(-Ddefault_library=static) ;;
    debug) setup+=(-Dbuildtype=debug) ;;
    arm64)
        setup+=(--cross-file tools/cross/aarch64.ini) wrapper=(qemu-aarch64) times=20
        if [[ -d $roots/arm64 ]]; then
            mkdir -p build/matrix
            echo "[constants]
root = '$PWD/$roots/arm64'" >build/matrix/arm64.ini
            setup+=(--cross-file build/matrix/arm64.ini) wrapper+=(-L "$PWD/$roots/arm64")
        fi
        ;;
    esac
    say "${here:+$here:}$name"
    rm -rf "$folder"
    mkdir -p "$rows" "$folder"
    if ! CC=$compiler meson setup "$folder" "${setup[@]}" >"$folder/setup.txt" 2>&1 ||
        ! nice ninja -C "$folder" src/cli/pluvia >"$folder/build.txt" 2>&1; then
        built=no
        tail -n 20 "$folder/build.txt" "$folder/setup.txt" >&2 2>/dev/null || true
    else
        warnings=$(grep -c 'warning:' "$folder/build.txt" || true)
        hash=$(hash_of "$folder" "${wrapper[@]}")
        if ((${#suites[@]})); then
            nice meson test -C "$folder" -t "$times" "${suites[@]/#/--suite=}" >"$folder/test.txt" 2>&1 || true
            [[ ! -f $folder/meson-logs/testlog.json ]] || read -r passed failed skipped <<<"$(counted "$folder/meson-logs/testlog.json")"
            ((passed)) || failed=$((failed + 1))
            sed -n '/^Summary of Failures/,/^Ok:/p' "$folder/test.txt" | sed 's/^Ok:.*//' >&2
        fi
    fi
    hdf5=$(sed -n 's/.*dependency HDF5 for c found: YES //p' "$folder/setup.txt")
    # shellcheck disable=SC1091
    system=$(. /etc/os-release && echo "$NAME ${VERSION_ID:-${VERSION_CODENAME:-}}")
    echo "${here:+$here:}$name,${system/ GNU\/Linux/},$("$compiler" -dumpfullversion 2>/dev/null || "$compiler" -dumpversion)," \
        "$hdf5,$omp,$built,$warnings,${suites[*]},$passed,$failed,$skipped,$revision,$hash" | sed 's/, /,/' >"$rows/${here:+$here:}$name.csv"
}

# in_root ROOT NAME...: this script, there
in_root() {
    local root=$1
    shift
    mkdir -p "$roots/$root/pluvia"
    # shellcheck disable=SC2016 # for the shell in there
    unshare --mount bash -c 'mount --bind . "$0/pluvia" && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
        exec chroot "$0" env PATH=/usr/bin:/usr/sbin MATRIX_ROOT="$1" MATRIX_REVISION="$2" /pluvia/tools/matrix.sh "${@:3}"' \
        "$roots/$root" "$root" "$revision" "$@"
}

known() {
    local root
    printf '%s\n' "${compilers[@]}" "${ways[@]}"
    for root in "$roots"/*/; do
        root=${root%/} && root=${root##*/}
        [[ $root == arm64 || $root == new* || $root == '*' ]] || printf "$root:%s\n" "${compilers[@]}" "${ways[@]}"
    done
}

((!fetch)) || fetch_all
if [[ -z $here ]]; then
    mapfile -t all < <(known)
else
    all=("${compilers[@]}" "${ways[@]}")
fi
for name in "${names[@]}"; do
    [[ " ${all[*]} " == *" $name "* ]] || die "no build is called $name (tools/matrix.sh --list)"
    is_here "$name" || die "what builds $name is not here (tools/matrix.sh --fetch gets it)"
done
if ((list)); then
    for name in "${all[@]}"; do
        is_here "$name" && echo "$name" || echo "$name: not here"
    done
    exit
fi
rest=()
if ((!${#names[@]})); then
    for name in "${all[@]}"; do
        if is_here "$name"; then names+=("$name"); else rest+=("$name"); fi
    done
fi
for name in "${names[@]}"; do
    rm -f "$rows/$name.csv"
    if [[ $name == *:* ]]; then
        in_root "${name%:*}" "${depth[@]}" "${name#*:}"
    else
        build "$name"
    fi
done
[[ -z $here ]] || exit 0

failed=0
table=build/matrix/table.csv
echo "build,system,compiler,hdf5,openmp,built,warnings,suites,passed,failed,skipped,revision,hash" >"$table"
for name in "${names[@]}"; do
    cat "$rows/$name.csv" >>"$table" || failed=1
done
python3 tools/matrix.py "$table" "${rest[@]}" || failed=1
if ((keep)); then
    python3 tools/matrix.py --keep "$table"
    tools/pages.py
fi
exit $failed
