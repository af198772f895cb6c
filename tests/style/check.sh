#!/usr/bin/env bash
# The rules that a reviewer should not have to repeat. Prints FILE:LINE: RULE for each breach and
# ends with 1 if there was one. Looks at the files that git knows and at new ones it does not ignore.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

command -v clang-format >/dev/null || { echo "${0##*/}: clang-format is not installed (on Debian: apt-get install clang-format)" >&2 && exit 2; }
breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT
breach() { printf '%s\n' "$*" | tee -a "$breaches"; }

mapfile -t all < <(git -c safe.directory='*' ls-files --cached --others --exclude-standard | sort -u)
files=()
for file in "${all[@]}"; do
    [[ -f $file ]] && files+=("$file")
done
# pick PATTERN: the files whose whole path matches
pick() { printf '%s\n' "${files[@]}" | grep -E "^($1)\$" || true; }
mapfile -t sources < <(pick '.*\.[ch]')
mapfile -t library < <(pick '(src|include)/.*\.[ch]')
mapfile -t stages < <(pick 'src/.*\.[ch]')
mapfile -t quiet < <(printf '%s\n' "${stages[@]}" | grep -v '^src/cli/' || true)
mapfile -t headers < <(pick 'include/pluvia/.*\.h')
((${#quiet[@]} && ${#headers[@]})) || breach "src:1: no sources found"

# 1. formatting (the first place of each file)
clang-format --dry-run -Werror "${sources[@]}" 2>&1 |
    awk -F: '/: error:/ && !seen[$1]++ { print $1 ":" $2 ": not as clang-format -i writes it" }' |
    tee -a "$breaches" || true # what it found is counted below, with the rest

# 2. a file has one job
for file in "${library[@]}"; do
    lines=$(wc -l <"$file")
    ((lines <= 400)) || breach "$file:$lines: $lines lines; a file has one job and at most 400"
done

# and a name is that of one file, or of one type
for name in $(printf '%s\n' "${stages[@]}" | sed 's|.*/||' | sort | uniq -d); do
    breach "$(pick "src/.*/$name" | head -1):1: src has more than one file of this name"
done
for type in $(sed -nE 's/^\} (plu_[a-z0-9_]+);$/\1/p' "${library[@]}" | sort | uniq -d); do
    breach "$(grep -n "^} $type;" "${library[@]}" | head -1 | cut -d: -f1,2): $type is the name of more than one type"
done

# 3. includes between the folders of src go one way
declare -A allowed
declare -A stands_for
while IFS=: read -r room others; do
    [[ $room == \#* || -z $room ]] && continue
    if [[ $room == pluvia/* ]]; then
        [[ -v allowed[${others# }] ]] || breach "tests/style/layers.txt:1: $room is of${others}, which is no room"
        stands_for[$room]=${others# }
        continue
    fi
    for other in $others; do
        [[ -v allowed[$other] ]] || breach "tests/style/layers.txt:1: $room may include $other, which does not stand above it"
    done
    allowed[$room]=" $others "
done <tests/style/layers.txt
while IFS=: read -r file line text; do
    room=${file#src/} && room=${room%/*}
    path=${text#*\"} && path=${path%%\"*}
    other=${path%/*}
    if [[ $path == pluvia/* ]]; then
        [[ $room != cli && $room != cli/* ]] || continue
        other=${stands_for[$path]-}
        [[ $other ]] || breach "$file:$line: tests/style/layers.txt does not say of which room $path is"
    fi
    if [[ $path != */* ]]; then
        breach "$file:$line: include \"$path\" from src: \"$room/$path\""
    elif [[ ! -v allowed[$room] ]]; then
        breach "$file:$line: tests/style/layers.txt does not name the room $room"
    elif [[ $other != "$room" && ${allowed[$room]} != *" $other "* ]]; then
        breach "$file:$line: $room may not include \"$path\" (tests/style/layers.txt)"
    fi
done < <(grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "${stages[@]}")

# 4. the library never prints and never exits
grep -HnE '\<(printf|vprintf|puts|putchar|perror|exit|_exit|_Exit|quick_exit|abort)[[:space:]]*\(|\<(stdout|stderr)\>' \
    "${quiet[@]}" | sed 's/^\([^:]*:[0-9]*\):.*/\1: the library never prints and never exits/' |
    tee -a "$breaches" || true

# 5. each public header compiles alone, in C and in C++
for header in "${headers[@]}"; do
    echo "#include \"${header#include/}\"" |
        gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -xc - ||
        breach "$header:1: does not compile alone"
    if command -v g++ >/dev/null; then
        echo "#include \"${header#include/}\"" |
            g++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -xc++ - ||
            breach "$header:1: does not compile alone as C++"
    fi
done

# 6. the top level holds only what has its place there
top='meson\.build|meson_options\.txt|README\.md|LICENSE|CHANGELOG\.md|CITATION\.cff|CONTRIBUTING\.md|src|include|scenes|tests|tools|output|\.ci|\.github|\.clang-format|\.containerignore|\.gitignore'
for name in $(printf '%s\n' "${files[@]}" | cut -d/ -f1 | sort -u | grep -vxE "$top" || true); do
    breach "$name:1: has no place at the top level"
done

# 7. what is left to do belongs into the issues
grep -HnIE '\<([T]ODO|[F]IXME|[X]XX)\>' "${files[@]}" | tee -a "$breaches" || true

# 8. gcc 11 builds it: base/lanes.h has what stands in for this
grep -Hn '__builtin_shufflevector' "${library[@]}" | grep -v '^src/base/lanes\.h:' |
    sed 's/^\([^:]*:[0-9]*\):.*/\1: gcc 11 has no __builtin_shufflevector; PLU_PICK of base\/lanes.h is the same/' |
    tee -a "$breaches" || true

# 9. links between pages lead somewhere, long pages list their contents
tests/style/links.py | tee -a "$breaches" || true

# 10. how a side of a contact is kept, include/pluvia/side.h alone knows
grep -HnE '(\.|->)[[:space:]]*coded\>' "${sources[@]}" | grep -v '^include/pluvia/side\.h:' |
    sed 's/^\([^:]*:[0-9]*\):.*/\1: what a side is, the functions of pluvia\/side.h say/' |
    tee -a "$breaches" || true

# 11. distances of bodies go through one door
mapfile -t near_bodies < <(pick 'src/(world|fill|detect|assemble|step|measure)/.*\.[ch]')
grep -HnE 'plu_sub\([^;]*(position|origin|at)\[' "${near_bodies[@]}" |
    sed 's/^\([^:]*:[0-9]*\):.*/\1: how far bodies are apart, plu_apart says (base\/space.h)/' |
    tee -a "$breaches" || true

# 12. pages are read as text, too: no line is longer than 160 characters, but for a link that stands alone
mapfile -t pages < <(pick '.*\.md')
LC_ALL=C.UTF-8 grep -HnE '^.{161,}$' "${pages[@]}" | grep -vE '^[^:]*:[0-9]+:[[:space:]]*(\[[^]]*\]: *)?<?https?://[^[:space:]]*$' |
    sed 's/^\([^:]*:[0-9]*\):.*/\1: a line of more than 160 characters (tools\/wrap.py wraps them)/' |
    tee -a "$breaches" || true

[[ ! -s $breaches ]]
