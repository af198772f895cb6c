#!/usr/bin/env bash
# Makes a Debian package of the tree that it stands in: build/dist/pluvia_VERSION_ARCHITECTURE.deb, with the command, the
# library and its headers, manual pages, completion, scenes and the viewer. Needs no root; installs what the build needs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tools/install.sh
source tools/install.sh
no_arguments tools/debian/package.sh "$@"

install_packages "${build_packages[@]}" dpkg-dev
build=build/package root=build/package/root out=build/dist
say "building $build"
# By the programs of Debian: another python3 on PATH would say where packages go that Debian's does not look for.
[[ -f $build/build.ninja ]] || PATH=/usr/sbin:/usr/bin:/sbin:/bin meson setup "$build" --prefix=/usr --buildtype=release -Dtests=disabled \
    -Dstatic_hdf5=disabled >&2
ninja --quiet -C "$build" >&2
version=$(meson introspect "$build" --projectinfo | sed 's/.*"version": "\([^"]*\)".*/\1/')
architecture=$(dpkg --print-architecture)

rm -rf "$root" "$build/debian"
meson install -C "$build" --no-rebuild --quiet --destdir "$PWD/$root" >&2
[[ -f $root/usr/lib/python3/dist-packages/pluvia/__init__.py ]] || die "the Python package was not installed where Debian's python3 looks"
library=$(find "$root" -name "libpluvia.so.$version")
strip --strip-unneeded "$root/usr/bin/pluvia" "$library"
strip --strip-debug "${library%.so.*}.a"
gzip -9n "$root"/usr/share/man/man1/*.1
doc=$root/usr/share/doc/pluvia
rm "$doc/LICENSE"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: pluvia

Files: *
Copyright: the pluvia maintainers
License: Apache-2.0
 On Debian systems the license is in /usr/share/common-licenses/Apache-2.0.

Files: usr/share/pluvia/viewer/index.html
Copyright: the pluvia maintainers, and those named in the file
License: Apache-2.0 and Expat and BSD-3-Clause
 The page holds three.js and h5wasm with HDF5; their licenses are in it.
END
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"

# What the command and the library need, by the symbols that they use.
mkdir -p "$build/debian" "$root/DEBIAN"
printf 'Source: pluvia\n\nPackage: pluvia\nArchitecture: any\n' >"$build/debian/control"
needs=$(cd "$build" && dpkg-shlibdeps -O root/usr/bin/pluvia "root/${library#"$root"/}" | sed -n 's/^shlibs:Depends=//p')
[[ -n $needs ]] || die "dpkg-shlibdeps found no dependencies"
size=$(du -sk --exclude=DEBIAN "$root" | cut -f1)
cat >"$root/DEBIAN/control" <<END
Package: pluvia
Version: $version
Architecture: $architecture
Maintainer: The pluvia maintainers <pluvia@localhost>
Installed-Size: $size
Depends: $needs
Suggests: ffmpeg, paraview, python3-cffi, python3-numpy, python3-h5py, python3-scipy, python3-matplotlib, python3-pandas, python3-networkx, python3-tqdm
Section: science
Priority: optional
Description: nonsmooth granular dynamics of rigid spheres with rolling friction
 A scene file goes in, an HDF5 trajectory (H5MD) comes out: spheres with Coulomb
 friction, rolling and pivoting friction, by nonsmooth contact dynamics or springs.
 The package holds the command pluvia, the library with its headers, its Python
 package (import pluvia), and scenes.
END
soname=$(objdump -p "$library" | sed -n 's/^ *SONAME *libpluvia\.so\.//p')
echo "libpluvia $soname pluvia (>= $version)" >"$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u+rwX,go+rX,go-w "$root"

mkdir -p "$out"
package=$out/pluvia_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >&2
echo "$package"
