#!/usr/bin/env bash
# The compiler refuses a row of the table of shapes without one of its fields, a surface without one of
# its functions, a kind without a row, a row twice, a kind of space without distances, a kind of grain where
# spheres are taken for bodies (src/adding.md), and a table of words without one for the last kind. Each
# mistake is made in a copy of a file; the files as they are must compile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
hdf5="-DH5_USE_110_API $(pkg-config --cflags hdf5)"

# compiles FOLDER FILE: with the headers of FOLDER before those of the tree
compiles() {
    # shellcheck disable=SC2086 # words
    "${CC:-gcc}" $hdf5 -std=c17 -fopenmp -Wall -Wextra -Werror -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L -fsyntax-only \
        -I"$1/include" -I"$1/src" -Iinclude -Isrc -Isrc/cli "$2" 2>"$folder/said"
}

# refused WHAT FILE OLD NEW [COMPILED]: OLD of FILE becomes NEW, which must be noticed in COMPILED (or FILE)
refused() {
    local copy=$folder/copy compiled=${5:-$2}
    rm -rf "$copy"
    mkdir -p "$copy/src/shape" "$copy/include/pluvia" "$copy/${2%/*}" "$copy/${compiled%/*}"
    cp src/shape/shape.h "$copy/src/shape/"
    cp include/pluvia/{boundary,scene}.h "$copy/include/pluvia/"
    cp "$2" "$copy/$2"
    [[ $compiled == "$2" ]] || cp "$compiled" "$copy/$compiled"
    compiles "$copy" "$copy/$compiled" || { echo "$compiled does not compile as it is:" && cat "$folder/said"; exit 1; }
    OLD=$3 NEW=$4 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/ and $found++; END { exit !$found }' "$copy/$2" ||
        { echo "tests/style/rows.sh: \"$3\" is not in $2"; exit 1; }
    if compiles "$copy" "$copy/$compiled"; then
        echo "$2: $1, and the compiler says nothing"
        failed=1
    fi
}

row='"cone", cone_settle, cone_make, cone_outline, cone_describe'
refused "a row without a name" src/shape/cone.c "$row" "cone_settle, cone_make, cone_outline, cone_describe"
refused "a row without settle" src/shape/cone.c "$row" '"cone", cone_make, cone_outline, cone_describe'
refused "a row without make" src/shape/cone.c "$row" '"cone", cone_settle, cone_outline, cone_describe'
refused "a row without outline" src/shape/cone.c "$row" '"cone", cone_settle, cone_make, cone_describe'
refused "a row without describe" src/shape/cone.c "$row" '"cone", cone_settle, cone_make, cone_outline'
surface='PLU_ROUND_SURFACE(sphere_gap, sphere_passed, sphere_bounds, sphere_round)'
refused "a surface without gap" src/shape/sphere.c "$surface" 'PLU_ROUND_SURFACE(sphere_passed, sphere_bounds, sphere_round)'
refused "a surface without passed" src/shape/sphere.c "$surface" 'PLU_ROUND_SURFACE(sphere_gap, sphere_bounds, sphere_round)'
refused "a surface without bounds" src/shape/sphere.c "$surface" 'PLU_ROUND_SURFACE(sphere_gap, sphere_passed, sphere_round)'
refused "a kind without a row" include/pluvia/boundary.h 'PLU_BOUNDARY_KINDS' 'PLU_TORUS, PLU_BOUNDARY_KINDS' src/shape/shape.c
refused "a kind without a row" src/shape/shape.h 'ROW(PLU_DISC, plu_shape_disc)' '' src/shape/shape.c
refused "a kind with the row of another" src/shape/shape.h 'ROW(PLU_CONE, plu_shape_cone)' \
    'ROW(PLU_DISC, plu_shape_cone)' src/shape/shape.c
for asks in src/fill/near.c src/detect/look_lanes.c; do
    refused "a kind of space without its distances" src/base/space.h 'PLU_SPACE_KINDS }' \
        'PLU_CURVED_SPACE, PLU_SPACE_KINDS }' "$asks"
done
for asks in src/world/bodies.c src/fill/entries.c src/fill/overlap.c src/fill/release.c src/world/world_state.c src/world/bodies.h src/world/body_energy.h src/world/world.h \
    src/detect/detect.c src/detect/renew.c src/assemble/cohesion.c src/assemble/pair_constants.c src/measure/view.c \
    src/step/border.c src/step/integrate.c src/step/limits.c src/step/penalty_limit.c src/step/project.c src/step/walls.c; do
    refused "a kind of grain where spheres are taken for bodies" src/world/bodies.h 'PLU_GRAIN_KINDS }' \
        'PLU_CLUMPS, PLU_GRAIN_KINDS }' "$asks"
    grep -qE "$asks:[0-9:]+ (error: static assertion|note: in expansion of macro .PLU_SPHERES_ARE)" "$folder/said" ||
        { echo "$asks: a new kind of grain is not noticed here"; failed=1; }
done
# Columns of contacts: one row each, with both functions, of a type that files have.
law='ROW(LAW, law, "law", 1, NULL, PLU_COLUMN_INT16)'
refused "a column without its functions" src/io/trajectory/contact_columns.h "$law" "$law ROW(OTHER, other, \"other\", 1, NULL, PLU_COLUMN_REAL)" \
    src/io/trajectory/contact_columns.c
refused "a column without a unit" src/io/trajectory/contact_columns.h "$law" 'ROW(LAW, law, "law", 1, PLU_COLUMN_INT16)' src/io/trajectory/contact_columns.c
refused "a type that no file has" src/io/trajectory/contact_columns.h '    PLU_COLUMN_INT16
' '    PLU_COLUMN_INT16, PLU_COLUMN_INT64
' src/io/trajectory/write_contacts.c
# The page of the files and the reader of other libraries know each column, its shape and its unit.
python3 - <<'END' || failed=1
import pathlib, re, sys
rows = re.findall(r'ROW\([A-Z]+, \w+, "(\w+)", (\d), (?:NULL|"([^"]*)"), PLU_COLUMN_(\w+)\)',
                  pathlib.Path("src/io/trajectory/contact_columns.h").read_text())
page = pathlib.Path("output/README.md").read_text().split("\n## Contacts")[1].split("\n## ")[0]
table = {}
for names, shape, unit in re.findall(r"^- \*\*(`.*?)\*\* \((C(?:, \d)? \w+)(?:, (.*?))?\)", page, re.M):
    table.update({name: (shape, unit or "-") for name in re.findall(r"`(\w+)`", names)})
reader = pathlib.Path("tests/cli/readers.py").read_text().split("CONTACTS = {")[1].split("}")[0]
known = {name: int(width) for name, width in re.findall(r'"(\w+)": (\d)', reader)}
wrong = [] if rows else ["src/io/trajectory/contact_columns.h: no columns were found"]
for name, width, unit, kind in rows:
    want = ("C" + (f", {width}" if width != "1" else "") + " " + kind.lower(), unit.replace("m s-1", "m/s") or "-")
    if table.pop(name, None) != want:
        wrong.append(f"output/README.md: the column {name} of contacts must have {want[0]} | {want[1]}")
    if known.pop(name, None) != (0 if width == "1" else int(width)):
        wrong.append(f"tests/cli/readers.py: CONTACTS does not have the column {name} as it is")
wrong += [f"{name}: contacts have no such column, but a table of its name" for name in [*table, *known]]
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
END
# Tables of words by kind.
refused "a criterion without a name" include/pluvia/solving.h PLU_CRITERIA 'PLU_OTHER, PLU_CRITERIA' src/cli/run/summary.c
refused "an end without a word" include/pluvia/trajectory.h PLU_RUN_STATES 'PLU_RUN_LOST, PLU_RUN_STATES' src/cli/run/summary.c
refused "a phase without a name" include/pluvia/step.h PLU_PHASES 'PLU_PHASE_WAIT, PLU_PHASES' src/cli/run/summary.c
refused "a limit without a name" include/pluvia/step.h PLU_LIMITS 'PLU_LIMIT_OTHER, PLU_LIMITS' src/cli/run/summary.c
refused "a state without a word" src/cli/campaign/sweep.h PLU_CASE_STATES 'PLU_CASE_LOST, PLU_CASE_STATES' src/cli/campaign/sweep_setup.c
exit $failed
