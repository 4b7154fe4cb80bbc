#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# From a fresh clone to the first dump, or through all tests, in one command.
set -euo pipefail

usage() {
    cat <<'END'
Usage: packaging/bootstrap.sh run [MBMCAT ARGUMENTS]
       packaging/bootstrap.sh test

run   install what the build needs, build, and dump this machine's counters; where
      there is no resctrl, dump a demonstration tree. Mounts nothing.
test  install what the tests need, build, and run all of them: unit tests, captured
      machines, and real kernels under emulation.

Packages are installed with apt on Debian and Ubuntu (with sudo, if not root); on
other systems they are named, and if they are there all else works.
END
}

build_packages=(gcc libc6-dev make cmake pkg-config libhwloc-dev libcap-dev libcgroup-dev
    libjson-c-dev)
test_packages=(g++ clang libclang-rt-14-dev check libsubunit-dev python3 python3-jsonschema
    python3-prometheus-client prometheus prometheus-node-exporter mandoc jq git perl patch
    xz-utils bc flex bison libelf-dev libssl-dev busybox-static cpio gzip kmod rsync
    qemu-system-x86 linux-source-6.12 util-linux acl valgrind)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

missing() {
    local package
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -q '^installed$' ||
            echo "$package"
    done
}

install_packages() {
    local want sudo=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "bootstrap: this is no Debian or Ubuntu: the following, or what they are called" \
            "here, must be installed: $*" >&2
        return
    fi
    mapfile -t want < <(missing "$@")
    [ ${#want[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    echo "bootstrap: installing ${want[*]}" >&2
    if ! { "${sudo[@]}" apt-get update -qq &&
        "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${want[@]}"; } >&2; then
        echo "bootstrap: apt-get failed; install these by hand and run this again: ${want[*]}" >&2
        exit 1
    fi
}

# What a build says matters only when it fails.
quietly() {
    local log=$root/build/bootstrap.log
    mkdir -p "$root/build"
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        echo "bootstrap: this failed: $*" >&2
        exit 1
    fi
}

run() {
    local build=$root/build/run demo=$root/build/demo why
    local mbmcat=$build/bin/mbmcat
    install_packages "${build_packages[@]}"
    echo "bootstrap: building in build/run" >&2
    quietly cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_TESTING=OFF
    quietly cmake --build "$build" -j "$(nproc)"
    if [ $# -gt 0 ] || why=$("$mbmcat" list 2>&1 >/dev/null); then
        exec "$mbmcat" "$@"
    fi
    quietly cmake --build "$build" --target mkfakefs
    rm -rf "$demo"
    "$build/bin/mkfakefs" "$root/packaging/demo.spec" "$demo"
    printf '%s\nbootstrap: so here is a demonstration tree: build/run/bin/mbmcat --sysroot %s\n' \
        "$why" build/demo >&2
    exec "$mbmcat" --sysroot "$demo"
}

test_all() {
    install_packages "${build_packages[@]}" "${test_packages[@]}"
    cd "$root"
    cmake --workflow --preset dev
    cmake --workflow --preset minimal
    cmake --workflow --preset fuzz
    tests/kernel/patches-apply
    tests/lab/run
}

case ${1:-} in
run) shift && run "$@" ;;
test) [ $# = 1 ] || { usage >&2; exit 2; } && test_all ;;
-h | --help) usage ;;
*) usage >&2; exit 2 ;;
esac
