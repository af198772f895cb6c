#!/usr/bin/env bash
# Installs what is missing, builds pluvia five times and runs all tests. Safe to repeat. The last
# line is "N passed, N failed"; the exit code is 0 only if nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh
no_arguments tools/test.sh "$@"

passed=0
failed=0
skipped=()

# step NAME COMMAND...: one check that is not a test of meson's
step() {
    local name=$1
    shift
    say "$name"
    if "$@" >&2; then
        passed=$((passed + 1))
    else
        printf 'FAILED: %s\n' "$name" >&2
        failed=$((failed + 1))
    fi
}

# Adds what meson noted of its last run in folder $1.
count_tests() {
    local kind name
    while read -r kind name; do
        case $kind in
        OK | EXPECTEDFAIL) passed=$((passed + 1)) ;;
        SKIP) skipped+=("$name (${1#build/})") ;;
        *) failed=$((failed + 1)) ;;
        esac
    done < <(/usr/bin/python3 -c '
import json, sys
for line in open(sys.argv[1]):
    test = json.loads(line)
    print(test["result"], test["name"])' "$1/meson-logs/testlog.json")
}

# build_and_test FOLDER "SETUP OPTIONS" "TEST OPTIONS" [PART]; a build that fails is one failure. All
# is built, or with PART only what these tests need.
build_and_test() {
    local folder=$1 part=${4:-} setup test said
    read -ra setup <<<"$2"
    read -ra test <<<"$3"
    [[ -z $part ]] && test+=(--no-rebuild)
    say "building $folder"
    [[ -f $folder/build.ninja ]] && setup+=(--reconfigure)
    if ! said=$(meson setup "$folder" "${setup[@]}" 2>&1 &&
        { [[ -n $part ]] || ninja --quiet -C "$folder" 2>&1; }); then
        printf '%s\nFAILED: the build of %s\n' "$said" "$folder" >&2
        failed=$((failed + 1))
        return 0
    fi
    say "testing $folder"
    rm -f "$folder/meson-logs/testlog.json"
    meson test -C "$folder" --print-errorlogs "${test[@]}" >&2 || true
    if [[ -f $folder/meson-logs/testlog.json ]]; then
        count_tests "$folder"
    else
        printf 'FAILED: no tests were run in %s\n' "$folder" >&2
        failed=$((failed + 1))
    fi
}

# Leaks cannot be looked for where a process may not trace itself (some containers).
leaks_can_be_found() {
    local folder status=0
    folder=$(mktemp -d)
    echo 'int main(void) { return 0; }' >"$folder/empty.c"
    gcc -fsanitize=address "$folder/empty.c" -o "$folder/empty"
    ASAN_OPTIONS=detect_leaks=1 "$folder/empty" >/dev/null 2>&1 || status=1
    rm -r "$folder"
    return $status
}

install_packages "${build_packages[@]}" g++ clang clang-format libomp-dev libclang-rt-14-dev \
    libcmocka-dev groff-base python3-cffi python3-scipy python3-h5py python3-matplotlib python3-mdanalysis cppcheck git
# Large, and needed by the test of the viewer only.
(install_packages chromium python3-websocket python3-pil) ||
    say "no Chromium: the test of the viewer will be skipped"

step "style" tests/style/check.sh
step "rows of tables" tests/style/rows.sh
# Leaks are left to the sanitizer: cppcheck does not follow a pointer into a compound literal.
step "cppcheck" cppcheck -j 2 --quiet --error-exitcode=1 --inline-suppr --std=c11 \
    --enable=warning --suppress=missingInclude --suppress=memleak -DPLU_VERSION='"0"' -DPLU_BUILD='"0"' -Iinclude -Isrc src

leaks=1
leaks_can_be_found || leaks=0
((leaks)) || say "leaks are not looked for: LeakSanitizer cannot work here"
export ASAN_OPTIONS="detect_leaks=$leaks:strict_string_checks=1:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"

# Limits are five times what tests state, so that none depends on how fast the machine is, or on what else it does.
tests="--no-suite style -t 5"
# Linked by gold where it is installed, as with Debian's binutils, which takes the hundred programs of tests less time. The
# others have the linker that users have.
linker=bfd
! command -v ld.gold >/dev/null || linker=gold
# At -O1 gcc compiles the checks in half the time, and what they check runs faster than at -O2. What they find ends the
# program, which takes less code than to go on. Two warnings say at -O1 what is not so; the other builds have them.
checked="['-g1','-fno-sanitize-recover=undefined','-Wno-restrict','-Wno-format-truncation']"
CC_LD=$linker build_and_test build/asan \
    "-Dtests=enabled -Dwerror=true -Dbuildtype=debugoptimized -Doptimization=1 -Dc_args=$checked -Db_sanitize=address,undefined" "$tests"
build_and_test build/release "-Dtests=enabled -Dwerror=true -Dbuildtype=release" "$tests"
# Of the suite style, what needs a build.
step "no cycles between files" tests/style/circles.py build/release
step "what one file calls is static" tests/style/exports.py build/release
CC=clang build_and_test build/clang "-Dtests=enabled -Dwerror=true -Dbuildtype=release" "--suite unit -t 5" part
step "what clang says of the sources that these tests do not need" tests/style/unbuilt.py build/clang

CC=clang build_and_test build/tsan \
    "-Dtests=enabled -Dwerror=true -Dbuildtype=debugoptimized -Db_sanitize=thread -Db_lundef=false" "--suite races -t 5" part
CC=clang build_and_test build/fuzz "-Dfuzz=true -Dtests=enabled -Dwerror=true -Dbuildtype=debugoptimized -Doptimization=1" "--suite fuzz -t 5" part

echo
((${#skipped[@]} == 0)) || printf 'skipped: %s\n' "$(printf '%s, ' "${skipped[@]}" | sed 's/, $//')"
echo "$passed passed, $failed failed"
((failed == 0))
