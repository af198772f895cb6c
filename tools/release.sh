#!/usr/bin/env bash
# Makes a release of the version in meson.build from the last commit: runs all tests, packs the source, builds the Debian
# package from that tarball alone, and writes all into build/dist/ with their checksums.
#
#   tools/release.sh                 a release; the tests alone take 20 minutes
#   tools/release.sh --no-tests      no release, but a trial of the steps after the tests: it says so, and prints no tag
#
# The commit is then tagged by hand, as the last lines say: tags are vMAJOR.MINOR.PATCH, are never moved, and name a commit
# whose release this script has made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/install.sh
source tools/install.sh
take_help tools/release.sh "$@"
[[ $# == 0 || $* == --no-tests ]] || die "unknown arguments $* (tools/release.sh --help)"

version=$(sed -n "s/^project('pluvia'.* version: '\([0-9.]*\)'.*/\1/p" meson.build)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || die "meson.build has no version MAJOR.MINOR.PATCH"
[[ -z $(git status --porcelain) ]] || die "there are changes that are not committed"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || die "v$version is tagged already: raise the version in meson.build"
grep -qx "version: $version" CITATION.cff || die "CITATION.cff has another version than meson.build, $version"
grep -q "^## $version\b" CHANGELOG.md || die "CHANGELOG.md has no section \"## $version\": rename \"Unreleased\""

install_packages "${build_packages[@]}" git dpkg-dev
[[ $* == --no-tests ]] || tools/test.sh
out=$PWD/build/dist
rm -rf "$out" && mkdir -p "$out"
say "packing the source"
[[ -f build/pack/build.ninja ]] || meson setup build/pack -Dtests=disabled >&2
meson dist -C build/pack --no-tests --formats gztar >&2
cp "build/pack/meson-dist/pluvia-$version.tar.gz" "$out/"

say "building the package from the tarball"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -C "$folder" -xf "$out/pluvia-$version.tar.gz"
"$folder/pluvia-$version/tools/debian/package.sh" >/dev/null
cp "$folder/pluvia-$version"/build/dist/*.deb "$out/"
(cd "$out" && sha256sum -- * >SHA256SUMS)

cat <<END
build/dist/ holds the release:
$(cat "$out/SHA256SUMS")
END
if [[ $* == --no-tests ]]; then
    say "WITHOUT TESTS: this is a trial, not a release. Run tools/release.sh before you tag the commit."
else
    echo "Tag it: git tag -a v$version -m \"pluvia $version\" && git push origin v$version"
fi
