#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Bad places to write to: each is refused in one line, or loses nothing.
#
#   tests/cli/targets.sh MBMCAT MKFAKEFS
set -u
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh" || exit 1

tree plain <<'END'
machine l3=0-1 host=plain
mon "" web
ctrl p0
END
tree clusters <<'END'
machine l3=0-1 host=clusters
groups 40
END
dump=("${as_usual[@]}" "$mbmcat" dump --sysroot "$tmp/plain")
start() { # COMMAND...: in the background, as $pid, errors to err.run
    : >err.run
    "$@" >out.run 2>err.run </dev/null &
    pid=$!
    children+=("$pid")
}
finished() { # the end of $pid: its exit code is $code, its messages are in err
    wait "$pid" 2>/dev/null
    code=$?
    cp err.run err
}
stop() {
    kill -"$1" "$pid"
    finished
}
refused() { outcome "$1" 1 "$2" && silent; }
# FILE...: every record is whole, and none is missing.
sequence() { cat "$@" | jq -e -s 'group_by(.domain) | length == 2 and all(map(.seq) == [range(length)])' >/dev/null; }
leftovers() { same "$(find "$tmp" -name '*.mbmcat-*')" ""; }

### a file that another run writes
for kind in append replace; do
    more=()
    [[ $kind == append ]] || more=(--replace)
    rm -f data
    start "${dump[@]}" -f ndjson "${more[@]}" -o data 0.02
    until_true has_lines data 2
    run "${dump[@]}" -f ndjson -o data 0.01 2
    check "$kind: a second run is refused" refused 1 'another run of mbmcat writes data; end that'
    run "${dump[@]}" -f ndjson --replace -o data 0.01 2
    check "$kind: one that replaces as well" refused 1 'another run of mbmcat writes data'
    run "${dump[@]}" -f ndjson -o data
    check "$kind: a single sample as well" refused 1 'another run of mbmcat writes data'
    ln -sf data other-name
    run "${dump[@]}" -f ndjson -o other-name 0.01 2
    check "$kind: by another name as well" refused 1 'another run of mbmcat writes other-name'
    stop KILL
    run "${dump[@]}" -f ndjson -o data 0.01 2
    check "$kind: one that was killed leaves no lock" outcome 0 0
    rm -f "$tmp"/data.mbmcat-*
done

# Several from cron at the same time.
jobs_pids=()
for _ in {1..8}; do
    "${dump[@]}" -j -o both 2>>err.both &
    jobs_pids+=($!)
done
wrong=0
for job in "${jobs_pids[@]}"; do wait "$job" || wrong=$((wrong + 1)); done
whole() { same $wrong 0 && silent err.both && jq -e '.domains | length == 2' both >/dev/null && leftovers; }
check "single samples at the same time" whole

# HUP without a rotation, then with one: the lock goes with the name.
rm -f data
start "${dump[@]}" -f ndjson -o data 0.02
until_true has_lines data 4
kill -HUP "$pid"
until_true has_lines data $(($(wc -l <data) + 4))
mv data data.1
kill -HUP "$pid"
until_true has_lines data 4
run "${dump[@]}" -f ndjson -o data 0.01 2
check "HUP: the new file is locked" refused 1 'another run of mbmcat writes data'
stop TERM
check "HUP: quiet, 0" outcome 0 0
check "HUP: nothing is lost" sequence data.1 data
run "${dump[@]}" -f ndjson -o data.1 0.01 1
check "HUP: the old one is not locked any more" outcome 0 0
# The new name is somebody else's by then.
rm -f data data.1
start "${dump[@]}" -f ndjson -o data 0.02
mine=$pid
until_true has_lines data 2
mv data data.1
"${dump[@]}" -f ndjson -o data 0.02 2>err.other &
other=$!
children+=("$other")
until_true has_lines data 2
kill -HUP "$mine"
until_true grep -q "can't open" err.run
until_true has_lines data.1 $(($(wc -l <data.1) + 4))
kill -TERM "$other"
wait "$other"
pid=$mine
stop TERM
check "HUP: a name that another took" outcome 0 1 "can't open .*data anew: another run writes it; going on"
check "HUP: goes on with the old file" sequence data.1
check "HUP: loses nothing for the other" sequence data

### a file or a directory that vanishes
mkdir away
start "${dump[@]}" -f ndjson -o away/data 0.02
until_true has_lines away/data 4
rm away/data
until_true has_lines away/data 4
stop TERM
check "append: a file that was removed is made anew" outcome 0 0
rising() { jq -e -s 'map(select(.domain == 0).seq) | length >= 2 and . == [range(.[0]; .[0] + length)]' "$1"; }
check "append: and appended to" rising away/data
for more in "" --replace; do
    rm -rf away
    mkdir away
    start "${dump[@]}" -f ndjson $more -o away/data 0.02
    until_true has_lines away/data 2
    until rm -r away 2>/dev/null; do :; done
    finished
    check "a directory that vanished ${more:-append}" outcome 1 1 "can't write to .*away/data: No such file"
done

### FIFOs
mkfifo fifo
start "${dump[@]}" -f ndjson -o fifo 0.02
until_true grep -q 'fifo has no reader yet; waiting' err.run
stop TERM
check "a FIFO without a reader: TERM ends the wait" outcome 0 1 'has no reader yet'
start "${dump[@]}" -f ndjson -o fifo 0.01 5
until_true grep -q 'fifo has no reader yet' err.run
cat fifo >from-fifo
finished
check "a FIFO whose reader comes" outcome 0 1 'has no reader yet'
check "a FIFO whose reader comes: all of it" sequence from-fifo
exec 9<>fifo
start "${as_usual[@]}" "$mbmcat" --sysroot clusters -f ndjson -o fifo 0.001
until_true grep -q 'slower than the samples' err.run
cat <&9 >drained &
cat_pid=$!
children+=("$cat_pid")
until_true has_lines drained 400
stop TERM
exec 9>&-
# That cat holds the FIFO open itself, so that it sees no end.
until_true sequence drained
kill "$cat_pid"
wait "$cat_pid" 2>/dev/null
check "a reader that stops reading: said once" outcome 0 1 'what reads .*fifo is slower than the samples come'
check "a reader that stops reading: nothing is dropped" sequence drained

### links
mkdir real
ln -s real/data link
run "${dump[@]}" -f ndjson -o link 0.01 2
run "${dump[@]}" -f ndjson -o link 0.01 2
appended() { outcome 0 0 && same "$(readlink link)" real/data && same "$(wc -l <real/data)" 8; }
check "a dangling link, appended to: its target" appended
run "${dump[@]}" -f ndjson --replace -o link 0.01 2
replaced() { outcome 0 0 && same "$(readlink link)" real/data && same "$(wc -l <real/data)" 2; }
check "a link, replaced: its target" replaced

### columns
run "${dump[@]}" -c -o table.csv 0.01 1
run "${dump[@]}" -c -r -o table.csv 0.01 1
check "csv with other columns" refused 1 'table.csv has other columns.*move it away'
run "${dump[@]}" -c -r -n -o table.csv 0.01 1
check "csv with other columns, but without a header" outcome 0 0
run "${dump[@]}" -c -o table.csv 0.01 1
check "csv with the same columns" outcome 0 0
check "csv: one header" same "$(grep -c ^time table.csv)" 1
printf 'no csv at all' >text
run "${dump[@]}" -c -o text 0.01 1
check "csv behind a text" refused 1 'text has other columns'
check "csv behind a text: it stays" same "$(cat text)" 'no csv at all'

### a full disk
fits() { same "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" '\n' && jq -e . "$1" >/dev/null; }
run bash -c 'ulimit -f 4; exec "$@"' - "${dump[@]}" -f ndjson -o full 0.001
check "append: at the limit" outcome 1 1 "can't write to .*full: File too large"
check "append: whole records alone" fits full
check "append: as many as there was room for" test $((4096 - $(stat -c %s full))) -lt 1024
run "${dump[@]}" -f ndjson -o full 0.001 2
check "append: goes on later" outcome 0 0
check "append: still whole" fits full
run bash -c 'ulimit -f 4; exec "$@"' - "$mbmcat" --sysroot clusters -f ndjson -o none
check "a single sample at the limit" refused 1 "none: File too large"
check "a single sample at the limit: no file" same "$(find . -name 'none*')" ""
if [[ $(id -u) -eq 0 ]] && unshare -m true 2>/dev/null; then
    mkdir tiny
    run unshare -m bash -c 'mount -t tmpfs -o size=16k none tiny || exit 77
        "$@" -o tiny/data 0.001; code=$?
        cp tiny/data tiny.data
        "$@" --replace -o tiny/second 0.001 2>/dev/null && exit 99
        ls -A tiny >tiny.names
        exit $code' - "${dump[@]}" -f ndjson
    if [[ $code -ne 77 ]]; then
        check "a full tmpfs" outcome 1 1 "can't write to .*tiny/data: No space"
        check "a full tmpfs: whole records alone" fits tiny.data
        check "a full tmpfs: no other file in part" same "$(tr '\n' ' ' <tiny.names)" "data "
    fi
fi
# What somebody else left in part.
head -c 100 real/data >torn
run "${dump[@]}" -f ndjson -o torn 0.01 1
torn() { outcome 0 0 && same "$(wc -l <torn)" 3 && tail -n 2 torn | jq -e . >/dev/null; }
check "append behind half a line" torn

### names
name=$(printf '%0250d' 0)
for long in "$name" "${name}12345" "$tmp/$name"; do
    run "${dump[@]}" -j -o "$long"
    check "a name of ${#long} bytes" outcome 0 0
    run "${dump[@]}" -j --replace -o "$long" 0.01 2
    check "a name of ${#long} bytes, replaced" outcome 0 0
done
run "${dump[@]}" -j -o "${name}123456"
check "a name that is too long" refused 1 "123456: File name too long"
check "nothing is left beside them" leftovers

### another user's file in a sticky directory
if [[ $(id -u) -eq 0 ]]; then
    mkdir -m 1777 sticky
    printf theirs >sticky/theirs
    chmod 666 sticky/theirs
    chown daemon sticky sticky/theirs
    for more in "" "--replace 0.01 2"; do
        # shellcheck disable=SC2086 # words
        run "${nobody[@]}" "${dump[@]}" -j -o sticky/theirs $more
        check "a sticky directory${more:+, $more}" refused 1 'sticky/theirs: Operation not permitted'
    done
    check "a sticky directory: it stays" same "$(cat sticky/theirs)" theirs
fi

finish
