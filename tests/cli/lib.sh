# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What the scripts beside this one share. They are called with the paths of mbmcat and mkfakefs,
# print TAP and "N passed, N failed", and exit 1 on any failure.

if [[ $# -ne 2 || ! -x $1 || ! -x $2 ]]; then
    echo "usage: $0 MBMCAT MKFAKEFS" >&2
    exit 2
fi
mbmcat=$(realpath "$1") mkfakefs=$(realpath "$2")
fixtures=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../fixtures")
count=0 passed=0 failed=0 children=()

tmp=$(mktemp -d "${TMPDIR:-/tmp}/mbmcat-cli.XXXXXX") || exit 1
cleanup() {
    local pid
    for pid in "${children[@]}"; do
        kill -KILL "$pid" 2>/dev/null
    done
    "$mkfakefs" -r "$tmp" || rm -rf "$tmp"
}
trap cleanup EXIT
# nobody has to get in, and may not enter every build: the tests run a copy.
mkdir "$tmp/bin" "$tmp/lib"
chmod 755 "$tmp" "$tmp/bin" "$tmp/lib"
cp "$mbmcat" "$tmp/bin/mbmcat"
if [[ -e $(dirname "$mbmcat")/../lib/libmbmcat.so.0 ]]; then
    cp -L "$(dirname "$mbmcat")/../lib/libmbmcat.so.0" "$tmp/lib/"
fi
mbmcat=$tmp/bin/mbmcat
cd "$tmp" || exit 1
# What the caller of the tests ignores would be ignored by mbmcat as well, and bash ignores INT
# for what it starts in the background.
as_usual=(env --default-signal=INT,TERM,HUP,PIPE,USR1)
# A test that hangs is to fail by itself.
limit=(timeout -k 5 60)
if [[ $(id -u) -eq 0 ]]; then
    nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
else
    nobody=(env)
fi

# check NAME COMMAND...: what the command says is shown if it fails.
check() {
    local name=$1 said
    shift
    count=$((count + 1))
    if said=$("$@" 2>&1); then
        passed=$((passed + 1))
        printf 'ok %d - %s\n' "$count" "$name"
    else
        failed=$((failed + 1))
        printf 'not ok %d - %s\n' "$count" "$name"
        printf '# %s\n' "${said//$'\n'/$'\n# '}"
    fi
}

finish() {
    printf '1..%d\n%d passed, %d failed\n' "$count" "$passed" "$failed"
    [[ $failed -eq 0 && $count -gt 0 ]]
    exit
}

# Nothing can be tested without it.
need() {
    "$@" && return
    printf 'Bail out! failed: %s\n%d passed, %d failed\n' "$*" "$passed" $((failed + 1))
    exit 1
}

# tree NAME: from a text on stdin.
tree() {
    cat >"$1.spec" && need "$mkfakefs" "$1.spec" "$1"
}

# run COMMAND...: its streams go to the files out and err, its code to $code.
run() {
    "${limit[@]}" "$@" >out 2>err </dev/null
    code=$?
}

same() {
    [[ $1 == "$2" ]] || { printf 'not "%s" but "%s"\n' "$2" "$1"; return 1; }
}

# outcome CODE LINES [PATTERN]: of the last run: the exit code, how many lines there are on stderr
# (each with the program's name), and a pattern for them.
outcome() {
    local bad=0
    same "exit $code" "exit $1" || bad=1
    same "$(wc -l <err) lines on stderr" "$2 lines on stderr" || bad=1
    if grep -qv '^mbmcat: ' err; then
        echo "a line without the program's name"
        bad=1
    fi
    if [[ $# -gt 2 ]] && ! grep -qE -- "$3" err; then
        echo "stderr does not match $3"
        bad=1
    fi
    [[ $bad -eq 0 ]] || { head -c 600 err; return 1; }
}

silent() {
    [[ ! -s ${1:-out} ]] || { echo "${1:-out} is not empty:"; head -c 300 "${1:-out}"; return 1; }
}

# Without what differs from run to run.
unstamped() {
    sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{9}Z/TIME/g; s/("(start|end)_ns": ?)[0-9]+/\10/g' "$@"
}

# until COMMAND...: waits for an event; the bound is there for a machine that hangs.
until_true() {
    local i
    for ((i = 0; i < 3000; i++)); do
        "$@" && return 0
        sleep 0.02
    done
    echo "never came true: $*"
    return 1
}

has_lines() { [[ -e $1 && $(wc -l <"$1") -ge $2 ]]; }
gone() { ! kill -0 "$1" 2>/dev/null; }
