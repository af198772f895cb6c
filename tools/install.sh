# shellcheck shell=bash
# install.sh: sourced by the other scripts; installs Debian packages that are missing.

say() { printf '== %s\n' "$*" >&2; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# take_help SCRIPT ARGUMENT...: if the first argument is -h or --help, prints the comment at the top of the script and exits.
take_help() {
    [[ ${2:-} == -h || ${2:-} == --help ]] || return 0
    awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"
    exit 0
}

# no_arguments SCRIPT ARGUMENT...: of a script that has no options but --help
no_arguments() {
    take_help "$@"
    (($# == 1)) || die "unexpected argument $2; this script takes none ($1 --help)"
}

missing_packages() {
    local package
    for package; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
            printf '%s\n' "$package"
    done
}

# install_packages NAME...: nothing to do, and no root needed, when all are there.
install_packages() {
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    command -v apt-get >/dev/null ||
        die "apt-get is not here, so this is no Debian. Install what corresponds to: ${missing[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            die "needs root once: apt-get install ${missing[*]} (run this as root, or install sudo)"
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
        apt-get install -y -qq --no-install-recommends "${missing[@]}")
    # Lists of packages that are old or absent are the usual reason for the first failure.
    "${install[@]}" >/dev/null 2>&1 && return 0
    "${as_root[@]}" apt-get update -qq || die "apt-get update failed; is there a network?"
    "${install[@]}" >/dev/null || die "apt-get could not install ${missing[*]}"
}

# What the program itself needs.
# shellcheck disable=SC2034 # used where this file is sourced
build_packages=(meson ninja-build gcc libc6-dev pkg-config libhdf5-dev libconfig-dev
    libpng-dev libsuitesparse-dev zlib1g-dev libisal-dev)
