#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Runs that are ended, asked, held up, and whose groups come and go.
#
#   tests/cli/signals.sh MBMCAT MKFAKEFS
set -u
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tree plain <<'END'
machine l3=0-1 host=plain
mon "" web
ctrl p0
mon p0 child
END
dump=("${as_usual[@]}" "$mbmcat" dump --sysroot "$tmp/plain")

# start FILE COMMAND...: in the background, as $pid.
start() {
    local file=$1
    shift
    : >"$file"
    "$@" >"$file" 2>err </dev/null &
    pid=$!
    children+=($pid)
}
ended() { wait $pid; code=$?; }

### INT, TERM, HUP
whole() { # FORMAT: records are whole and samples complete
    outcome 0 0 || return
    case $1 in
    json) jq -e -s 'map(.seq) == [range(length)] and all(.domains | length == 2)' out ;;
    ndjson) jq -e -s 'group_by(.domain) | length == 2 and all(map(.seq) == [range(length)])' out ;;
    csv) same "$(grep -vcE '^(time,.*|[0-9T:.-]{29}Z,L3,[01],[a-z0-9]*,[a-z]*,[0-9]+,[0-9]+,)$' out)" 0 &&
        same "$((($(wc -l <out) - 1) % 8)) rows too many" "0 rows too many" ;;
    esac && same "$(tail -c 1 out | od -An -c | tr -d ' ')" '\n'
}
for signal in INT TERM HUP; do
    for format in json ndjson csv; do
        start out "${dump[@]}" -f $format 0.02
        until_true has_lines out 9
        kill -$signal $pid
        ended
        check "$signal, $format" whole $format
    done
done

### a second one while nobody reads
tree many <<'END'
machine l3=0-3 host=many
groups 200
END
# Is it held up in a write?
blocked() {
    local call task
    for task in "/proc/$pid"/task/*; do
        read -r call _ <"$task/syscall" && [[ $call == "$write_call" ]] && return
    done
    return 1
}
case $(uname -m) in
x86_64) write_call=1 ;;
aarch64 | riscv64) write_call=64 ;;
*) write_call=4 ;;
esac
mkfifo stalled
for signal in INT TERM; do
    # Read and write: it opens at once, and there is a reader that doesn't read.
    exec 7<>stalled
    "${as_usual[@]}" "$mbmcat" --sysroot many -f ndjson 0.001 >&7 2>err </dev/null &
    pid=$!
    children+=($pid)
    check "$signal: held up by a full pipe" until_true blocked
    kill -$signal $pid
    # The first one is taken, and the write goes on.
    default_again() {
        local mask
        mask=$(sed -n 's/^SigCgt:\t*//p' "/proc/$pid/status") || return
        (((0x$mask >> ($(kill -l $signal) - 1) & 1) == 0))
    }
    check "$signal: the first one does not end it" until_true default_again
    check "$signal: still held up" until_true blocked
    kill -$signal $pid
    ended
    check "$signal: the second one does" same $code $((128 + $(kill -l $signal)))
    exec 7>&-
done

### a reader that takes nothing: the next sample is read meanwhile, and only the one after waits
exec 7<>stalled
: >err
"${as_usual[@]}" "$mbmcat" --sysroot many -j -v --trigger usr1 >&7 2>err </dev/null &
pid=$!
children+=($pid)
# Four domains: so many reports for each sample.
reports() { [[ $(grep -c ' counters, ' err) -ge $((4 * $1)) ]]; }
takes_usr1() { (((0x$(sed -n 's/^SigCgt:\t*//p' "/proc/$pid/status") >> ($(kill -l USR1) - 1)) & 1)); }
until_true takes_usr1
kill -USR1 $pid
until_true blocked
kill -USR1 $pid
check "a slow reader: the next sample is read all the same" until_true reports 2
said() { grep -c 'standard output is slower than the samples come' err; }
check "a slow reader: said when another one waits" until_true said
kill -USR1 $pid
# In nanoseconds since the start of the machine, as start_ns.
resumed=$(sed -E 's/^([0-9]+)\.([0-9]+) .*/\1\20000000/' /proc/uptime)
cat <&7 >out &
reader=$!
children+=($reader)
until_true has_lines out 3
kill -TERM $pid
wait $pid
code=$?
kill $reader
exec 7>&-
slow() {
    same "exit $code" "exit 0" && same "$(said)" 1 &&
        jq -e -s "map(.seq) == [0, 1, 2] and all(.domains | length == 4) and
            (.[1].domains | all(.end_ns < $resumed + 1e7))" out
}
check "a slow reader: all samples come, the second read before the first was out, said once" slow

### --trigger
samples() { # N: what out holds
    outcome 0 0 && jq -e -s "map(.seq) == [range($1)] and all(.domains | length == 2)" out
}
lines() { printf 'x\n%.0s' {1..5}; }
lines | "${dump[@]}" -j --trigger stdin >out 2>err
code=$?
check "--trigger stdin: one for each line, then the end" samples 5
run "${dump[@]}" -j --trigger stdin
check "--trigger stdin: none for none" samples 0
mkfifo lines
: >out
"${dump[@]}" -j --trigger stdin <lines >out 2>err &
pid=$!
children+=($pid)
exec 8>lines
answered=0
for n in 1 2 3; do
    echo >&8
    until_true has_lines out $n && answered=$n
done
kill -TERM $pid
ended
exec 8>&-
check "--trigger stdin: answers each line" same $answered 3
check "--trigger stdin: TERM ends it" samples 3
# The signal may be sent when the tool listens: only then it is caught.
listens() {
    local mask
    mask=$(sed -n 's/^SigCgt:\t*//p' "/proc/$pid/status") && [[ $mask ]] &&
        (((0x$mask >> ($(kill -l "$1") - 1)) & 1))
}
for signal in USR1 HUP; do
    start out "${dump[@]}" -j --trigger ${signal,,}
    until_true listens $signal
    for n in 1 2 3; do
        kill -$signal $pid
        until_true has_lines out $n
    done
    kill -INT $pid
    ended
    check "--trigger ${signal,,}: one for each" samples 3
done
run "${dump[@]}" -j 0.001 7
check "COUNT" samples 7

### between samples it does nothing at all
start out "${dump[@]}" -f ndjson 3600
until_true has_lines out 2
# Of every thread: switches, and where the kernel tells, nanoseconds on a CPU.
usage() { cat "/proc/$pid"/task/*/schedstat 2>/dev/null; cat "/proc/$pid"/task/*/status | grep ctxt; }
asleep() { same "$(grep -Lw 'State:.S' "/proc/$pid"/task/*/status)" "" >/dev/null; }
settled() { asleep && before=$(usage) && sleep 0.2 && same "$(usage)" "$before" >/dev/null; }
until_true settled
before=$(usage)
sleep 1
check "idle: no switch and no time on a CPU in between" same "$(usage)" "$before"
check "idle: it was looked at" test "$(grep -c ctxt <<<"$before")" -ge 8
kill -TERM $pid
ended
check "idle: the end" outcome 0 0

# A sample wakes the main thread, each domain's and the one that writes; and nobody polls.
start out "${dump[@]}" -f ndjson --trigger usr1
until_true listens USR1
switches() { cat "/proc/$pid"/task/*/status | awk '/^voluntary/ { n += $2 } END { print n }'; }
for n in {1..25}; do
    kill -USR1 $pid
    until_true has_lines out $((2 * n))
    [[ $n -ne 5 ]] || before=$(switches)
done
per_sample=$((($(switches) - before) / 20))
check "a sample of 2 domains takes at most 7 switches, not $per_sample" test $per_sample -le 7
check "and one at least" test $per_sample -ge 1
kill -TERM $pid
ended

### groups come and go
tree alive <<'END'
machine l3=0-1 host=alive
mon "" stays
mon "" leaves
mon "" before
END
tree later <<'END'
machine l3=0-1 host=alive
mon "" comes
END
groups=alive/sys/fs/resctrl/mon_groups
start out "${as_usual[@]}" "$mbmcat" --sysroot alive -f ndjson -r 0.02
sees() { jq -e -n "[inputs] | last | .groups | any(.mon_group == \"$1\") == $2" <(head -n -1 out) >/dev/null 2>&1; }
until_true has_lines out 10
mv later/sys/fs/resctrl/mon_groups/comes $groups/comes
until_true sees comes true
rm -r $groups/leaves
until_true sees leaves false
mv $groups/before $groups/after
until_true sees after true
until_true has_lines out $(($(wc -l <out) + 6))
kill -TERM $pid
ended
of_group() { # NAME TEST: over its records of each domain, in order
    jq -e -s "def of(n): map(.seq as \$s | .groups[] | select(.mon_group == n) | . + {seq: \$s});
        group_by(.domain) | length == 2 and all(. as \$all | of(\"$1\") | $2)" out >/dev/null ||
        { grep -n "\"$1\"" out | head -n 4; return 1; }
}
rated='(.mbm_local_bytes_per_second | type == "number") and (.mbm_total_bytes_per_second | type == "number")'
check "groups change: 0, and no word about it" outcome 0 0
check "groups change: no record is lost" jq -e -s \
    'group_by(.domain) | length == 2 and all(map(.seq) == [range(length)])' out
check "the one that stays is in every sample" of_group stays \
    'map(.seq) == ($all | map(.seq))'
check "the one that stays has all rates but the first" of_group stays ".[1:] | all($rated)"
check "the one that leaves is not in the last" of_group leaves \
    'length > 1 and (last.seq < ($all | last.seq))'
check "the one that comes has null first, then rates" of_group comes \
    "length > 2 and (.[0] | .mbm_local_bytes_per_second == null) and (.[1:] | all($rated))"
check "the renamed one has a rate from its first sample" of_group after "length > 2 and all($rated)"

### held up
mkfifo held
exec 9<>held
"${as_usual[@]}" "$mbmcat" --sysroot many -f ndjson 0.01 >&9 2>err </dev/null &
pid=$!
children+=($pid)
until_true blocked
# Several of its own intervals: points of the grid pass while it is held up.
sleep 0.05
cat <&9 >drained &
cat_pid=$!
children+=($cat_pid)
missed_some() { sed '$d' drained | jq -e -n '[inputs] | last | .missed > 0' >/dev/null 2>&1; }
check "a reader that stalls: missed is counted" until_true missed_some
kill -TERM $pid
ended
exec 9>&-
kill $cat_pid
wait $cat_pid 2>/dev/null
check "a reader that stalls: an orderly end" outcome 0 0

start out bash -c 'ulimit -n 64; exec "$@"' - "${as_usual[@]}" "$mbmcat" --sysroot many -f ndjson 0.02
until_true has_lines out 12
kill -TERM $pid
ended
few() {
    outcome 0 1 'opened for each read.*64 open files' &&
        jq -e -s 'group_by(.domain) | length == 4 and all(map(.seq) == [range(length)]) and
            (flatten | all(.groups | length == 201 and all(.mbm_local_bytes != null)))' out
}
check "few descriptors at an interval: one line, all data" few

finish
