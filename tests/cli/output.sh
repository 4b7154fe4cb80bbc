#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Data reaches what was named, whole, and nothing else.
#
#   tests/cli/output.sh MBMCAT MKFAKEFS
set -u
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tree plain <<'END'
machine l3=0-1 host=plain
mon "" web
ctrl p0
mon p0 child
END
dump=("$mbmcat" dump --sysroot "$tmp/plain")
run "${dump[@]}" -j
mv out expected
need jq -e '.domains | length == 2' expected >/dev/null
is_dump() { same "$(unstamped "$1")" "$(unstamped expected)"; }
leftovers() { same "$(find "$tmp" -name '*.mbmcat-*')" ""; }
written() { outcome 0 0 && silent && is_dump "$1" && leftovers; }

### -o
run "${dump[@]}" -j -o new
check "-o: a new file" written new
check "-o: the rights of a new file" same "$(stat -c %a new)" "$(printf %o $((0666 & ~0$(umask))))"
printf 'old and longer than what comes\n%.0s' {1..500} >old
chmod 640 old
ln -s old link
run "${dump[@]}" -j -o link
check "-o: through a link" written old
check "-o: the link stays" same "$(readlink link)" old
check "-o: the rights stay" same "$(stat -c %a old)" 640
cp old before
run "${dump[@]}" -j -o old -g nosuch
untouched() { outcome 2 1 && cmp old before && leftovers; }
check "-o: untouched when the dump fails" untouched
mkfifo fifo
cat fifo >from-fifo &
reader=$!
children+=($reader)
run "${dump[@]}" -j -o fifo
wait $reader
# Which of the two came first is anybody's guess.
sed -i '/fifo has no reader yet; waiting/d' err
check "-o: a FIFO" written from-fifo
check "-o: the FIFO stays" test -p fifo

### stdout
run bash -c '"$@" >&-' - "${dump[@]}" -j
check "closed stdout" outcome 1 1 "can't write to standard output"
run bash -c '"$@" >/dev/full' - "${dump[@]}" -j
check "full stdout" outcome 1 1 "can't write to standard output: No space"
run bash -c '"$@" 0.001 >/dev/full' - "${dump[@]}" -j
check "full stdout, interval" outcome 1 1 "can't write to standard output: No space"
run bash -c '"$@" 0.001 | head -n 1; exit ${PIPESTATUS[0]}' - "${as_usual[@]}" "${dump[@]}" -f ndjson
one_line() { outcome 0 0 && same "$(wc -l <out)" 1; }
check "closed pipe: quiet, 0" one_line

### every choice of closed descriptors: fd 0, 1 and 2 are bits
for ((bits = 1; bits < 8; bits++)); do
    for to_file in no yes; do
        rm -f data
        touch out err
        more=() wanted=1
        [[ $((bits & 2)) -eq 0 || $to_file == yes ]] && wanted=0
        [[ $to_file == yes ]] && more=(-o data)
        run bash -c 'bits=$1; shift
            ((bits & 1)) && exec <&-
            ((bits & 2)) && exec >&-
            ((bits & 4)) && exec 2>&-
            exec "$@"' - $bits "${dump[@]}" -j "${more[@]}"
        placed() {
            same "exit $code" "exit $wanted" || return
            if [[ $to_file == yes ]]; then is_dump data && silent
            elif ((bits & 2)); then silent
            else is_dump out; fi || return
            if ((bits & 4)) || [[ $wanted -eq 0 ]]; then silent err
            else same "$(wc -l <err)" 1; fi
        }
        check "closed descriptors $bits, file: $to_file" placed
    done
done

### text
locales=(C.UTF-8)
locale -a | grep -qi '^de_DE\.utf-\?8$' && locales+=(de_DE.UTF-8)
for format in table json ndjson csv; do
    run "${dump[@]}" -f $format -r
    mv out plain.$format
    for name in "${locales[@]}"; do
        run env LC_ALL="$name" LC_NUMERIC="$name" "${dump[@]}" -f $format -r
        check "locale $name, $format" same "$(unstamped out)" "$(unstamped plain.$format)"
    done
done
run "${dump[@]}" -c -n
check "-n: csv without its header" same "$(unstamped out)" \
    "$(unstamped <(tail -n +2 <("${dump[@]}" -c)))"
run "${dump[@]}" -n
check "-n: no title in the table" test "$(grep -c -i domain out)" -eq 0
run "${dump[@]}"
check "a table has a title" test "$(grep -c -i domain out)" -gt 0
strings() { jq -e '[.domains[].groups[] | .mbm_local_bytes, .mbm_total_bytes] | length == 16 and all(type == "'"$1"'")' out; }
run "${dump[@]}" -j
check "counts are numbers" strings number
cp out numbers
run "${dump[@]}" -j --u64-as-string
check "--u64-as-string" strings string
check "--u64-as-string: the same digits" same \
    "$(unstamped out | sed -E 's/("mbm_[a-z_]+":)"([0-9]+)"/\1\2/g')" "$(unstamped numbers)"
colours() { grep -c $'\033' out; }
run "${dump[@]}" --color always
check "--color always" test "$(colours)" -gt 0
run env NO_COLOR=1 "${dump[@]}" --color always
check "--color always beats NO_COLOR" test "$(colours)" -gt 0
run "${dump[@]}"
check "no colour in a file" test "$(colours)" -eq 0
if type script >/dev/null 2>&1; then
    on_terminal() {
        run script -qec "$1 '$mbmcat' --sysroot plain ${2-}" /dev/null
        colours
    }
    check "colour on a terminal" test "$(on_terminal 'env -u NO_COLOR TERM=xterm')" -gt 0
    check "NO_COLOR on a terminal" test "$(on_terminal 'env NO_COLOR=1 TERM=xterm')" -eq 0
    check "--color never on a terminal" test \
        "$(on_terminal 'env -u NO_COLOR TERM=xterm' '--color never')" -eq 0
fi

### at an interval
run "${dump[@]}" -c -o table.csv 0.001 2
first=$(wc -l <table.csv)
run "${dump[@]}" -c -o table.csv 0.001 2
appended() {
    outcome 0 0 && silent && same "$(grep -c '^time,' table.csv)" 1 &&
        same "$(wc -l <table.csv)" $((2 * first - 1)) && same "$first" 17
}
check "csv appended: one header" appended

"${as_usual[@]}" "${dump[@]}" -j --replace -o whole 0.001 2>err &
writer=$!
children+=($writer)
until_true test -e whole
seen=0 partial=0
: >reads
while [[ $seen -lt 100 ]]; do
    seen=$((seen + 1))
    cat whole >copy
    cat copy >>reads
    [[ $(wc -l <copy) -eq 1 && $(tail -c 3 copy) == "]}" ]] || partial=$((partial + 1))
done
kill -TERM $writer
wait $writer
code=$?
replaced() {
    same $partial 0 && jq -e -s 'length == 100 and (map(.domains | length) | unique == [2]) and
        (map(.seq) | unique | length > 1)' reads && leftovers
}
check "--replace: never seen in part, and new ones come" replaced
check "--replace: TERM ends it" outcome 0 0

"${as_usual[@]}" "${dump[@]}" -c -o log.csv 0.01 2>err &
csv=$!
"${as_usual[@]}" "${dump[@]}" -f ndjson -o log 0.01 2>err.log &
writer=$!
children+=($writer $csv)
until_true has_lines log 6
until_true has_lines log.csv 6
mv log log.1
mv log.csv log.csv.1
kill -HUP $writer $csv
until_true has_lines log 6
until_true has_lines log.csv 6
kill -TERM $csv $writer
wait $csv
wait $writer
code=$?
complete() {
    outcome 0 0 && jq -e -s 'group_by(.domain) | length == 2 and
        all(map(.seq) == [range(length)])' log.1 log
}
check "HUP: nothing lost, nothing doubled" complete
headers() { same "$(head -qn 1 log.csv.1 log.csv | grep -c '^time,')" 2; }
check "HUP: the new csv has its header" headers

finish
