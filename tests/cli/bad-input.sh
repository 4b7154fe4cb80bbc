#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The tool on hostile input: one line on stderr and the exit code that was promised.
# Usage: bad-input.sh MBMCAT MKFAKEFS; TAP on stdout.
set -u
mbmcat=$(realpath "$1") mkfakefs=$(realpath "$2")
dir=$(mktemp -d)
trap '"$mkfakefs" -r "$dir"' EXIT
chmod 755 "$dir"
here=$(dirname "$(realpath "$0")")
# shellcheck source=lib.sh
. "$here/lib.sh"

tree() { # NAME, spec on stdin
	"$mkfakefs" - "$dir/$1" || exit 1
}

# As somebody who may not do everything; the sanitizers' libraries come along.
as_nobody() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# The tool itself may lie where nobody may look.
cp "$mbmcat" "$dir/mbmcat"
mkdir "$dir/lib"
cp -L "$(dirname "$mbmcat")/../lib/libmbmcat.so.0" "$dir/lib/"
run_as_nobody() {
	code=0
	as_nobody env LD_LIBRARY_PATH="$dir/lib" "$dir/mbmcat" "$@" \
		>"$dir/out" 2>"$dir/err" </dev/null || code=$?
}

tree small <<-'END'
	machine l3=0,7 host=small
	ctrl p0
	mon "" web
	mon p0 web
END
small=(--sysroot "$dir/small")
groups=$dir/small/sys/fs/resctrl/mon_groups

# ---- where from ----
tree unmounted <<<unmounted
run --sysroot "$dir/unmounted"
said "not mounted" 1 1 'not mounted; mount it with "mount -t resctrl'
tree none <<<noresctrl
run --sysroot "$dir/none"
said "a kernel without resctrl" 1 1 'this kernel does not have it'
tree nomon <<<nomon
run --sysroot "$dir/nomon"
said "no monitoring" 1 1 'no monitoring data'
run --sysroot "$dir/unmounted" 0.01 5
said "not mounted, at an interval: one message" 1 1 'not mounted'
run --resctrl "$dir"
said "--resctrl at another directory" 1 1 'is no mounted resctrl'
run --resctrl "$dir/small/proc/mounts"
said "--resctrl at a file" 1 1 'Not a directory'
run --resctrl "$dir/nothing"
said "--resctrl at nothing" 1 1 'No such file'
run --resctrl ''
said "--resctrl at an empty name" 2 1 'resctrl needs the name'
run --sysroot "$dir/nothing"
said "--sysroot at nothing" 1 1 'No such file'
run --sysroot "$dir/small/proc/mounts"
said "--sysroot at a file" 1 1
run --resctrl "$(printf 'x%.0s' {1..5000})"
said "--resctrl with a name of 5000 bytes" 2 1 'too long'
mkdir "$dir/secret"
chmod 700 "$dir/secret"
run_as_nobody --resctrl "$dir/secret"
said "no permission" 1 1 'may not open'
run_as_nobody list --resctrl "$dir/secret"
said "list: no permission" 1 1 'may not open'
tree closed <<<$'machine l3=0,1\nchmod /sys/fs/resctrl 0000'
run_as_nobody --sysroot "$dir/closed"
said "no permission for the mount point" 1 1 'may not open'

# ---- what ----
run "${small[@]}" -g nope
said "unknown group" 2 1 'nothing here matches "nope"; there are 4 groups'
run "${small[@]}" -g $'odd\n\033[31m'
said "unknown group with control characters" 2 1 'odd.x0a.x1b'
run "${small[@]}" -g "$(printf 'x%.0s' {1..3000})"
said "unknown group of 3000 bytes" 2 1
run "${small[@]}" -g '['
said "a pattern that is none" 2 1
for group in -- -g --help '../..' '/etc/passwd' '%s%n' "'" '$(id)' $'\xff\xfe' 'web/' ' web'; do
	run "${small[@]}" -g "$group"
	said "group '$group'" 2 1 'nothing here matches'
done
run "${small[@]}" -g web -j
said "a group of that name in two control groups" 0 0
check "both are there" [ "$(grep -o '"mon_group":"web"' "$dir/out" | wc -l)" = 4 ]
run "${small[@]}" -d 3
said "unknown domain" 2 1 'nothing here matches "3".*L3:0,7'
run "${small[@]}" -d 0-6,8
said "a list with an unknown domain" 2 1 'matches "8"'
for domain in '' , 1- -1 a 7-0 1,,2 L3: :1 0x1 99999999999999999999999; do
	run "${small[@]}" -d "$domain"
	said "domain '$domain'" 2 1 'is no list of domains'
done
run "${small[@]}" -e nope
said "unknown event" 2 1 'matches "nope".*events llc_occupancy, mbm_local_bytes, mbm_total_bytes'
run "${small[@]}" -e mbm_total_bytes,
said "an empty event" 2 1 'is no list of events'
tree occupancy <<<'features llc_occupancy'
run --sysroot "$dir/occupancy"
said "no bandwidth events" 1 1 'events here: llc_occupancy'

# ---- how ----
long=$(printf '9%.0s' {1..400})
for interval in 0 1e3 10x nan inf '' ' 1' '1 ' 1h30 "$long" 0x1 1,5 . 0.0 s +1 1..2 9999999999; do
	run "${small[@]}" -- "$interval"
	said "interval '${interval:0:20}'" 2 1 'neither a command nor an interval'
done
for count in 0 1e3 10x nan '' "$long" 1.5 ' 1' +1; do
	run "${small[@]}" -- 0.01 "$count"
	said "count '${count:0:20}'" 2 1 'is no count'
done
run "${small[@]}" -1
said "interval -1" 2 1 'unknown option -1'
run "${small[@]}" -- -1
said "interval -1 behind --" 2 1 'neither'
run "${small[@]}" 1 -1
said "count -1" 2 1
run "${small[@]}" 1 1 1
said "a word too many" 2 1 'one word too many'
run "${small[@]}" --nope
said "unknown option" 2 1 'unknown option --nope; see'
run "${small[@]}" $'-\xc3\xa9'
said "unknown option of two bytes" 2 1
run "${small[@]}" --format
said "no value" 2 1 'needs a value'
run "${small[@]}" --rates=1
said "a value too many" 2 1 'no value goes with'
run "${small[@]}" -f xml
said "unknown format" 2 1 'there are table, json, ndjson, csv'
run "${small[@]}" --parallel 0
said "--parallel 0" 2 1
run "${small[@]}" -o ''
said "-o with an empty name" 2 1
run list "${small[@]}" 1
said "list takes no interval" 2 1
run "${small[@]}" -j dump
said "a command in the wrong place" 2 1 'a command stands first'
run dump "${small[@]}" -j -- 0.001 2
said "options end at --" 0 0
check "two documents" [ "$(lines "$dir/out")" = 2 ]
run --help
said "help" 0 0
run --version
said "version" 0 0 && check "it is one line" [ "$(lines "$dir/out")" = 1 ]

# ---- where to ----
for format in table json ndjson csv; do
	run "${small[@]}" -f "$format" -o /dev/full
	said "$format to a full device" 1 1 'No space left'
	code=0
	"$mbmcat" "${small[@]}" -f "$format" >/dev/full 2>"$dir/err" || code=$?
	: >"$dir/out"
	said "$format to a full stdout" 1 1 'standard output: No space left'
	code=0
	"$mbmcat" "${small[@]}" -f "$format" >&- 2>"$dir/err" || code=$?
	said "$format to a closed stdout" 1 1 'Bad file descriptor'
done
code=0
"$mbmcat" list "${small[@]}" >/dev/full 2>"$dir/err" || code=$?
said "list to a full stdout" 1 1 'No space left'
code=0
"$mbmcat" --help >/dev/full 2>"$dir/err" || code=$?
said "help to a full stdout" 1 1 'No space left'
run "${small[@]}" -o "$dir"
said "-o at a directory" 1 1 'is a directory'
run "${small[@]}" -o "$dir/missing/file"
said "-o in a missing directory" 1 1 'No such file'
mkdir "$dir/readonly"
chmod 555 "$dir/readonly"
run_as_nobody "${small[@]}" -o "$dir/readonly/file"
said "-o in a directory that is not ours" 1 1 'Permission denied'
run "${small[@]}" -j
cp "$dir/out" "$dir/want"
same() { # FILE: what -j writes
	cmp -s <(plain "$1") <(plain "$dir/want")
}
run "${small[@]}" -j -o "$dir/new"
said "-o at a new file" 0 0
check "it is whole" same "$dir/new"
check "nothing on stdout" [ ! -s "$dir/out" ]
mkdir "$dir/there"
head -c 100000 /dev/zero >"$dir/there/old"
chmod 640 "$dir/there/old"
ln -s there/old "$dir/link"
run "${small[@]}" -j -o "$dir/link"
said "-o at a link to a file" 0 0
check "the link is still one" [ -L "$dir/link" ]
check "the file is replaced whole" same "$dir/there/old"
check "its mode is kept" [ "$(stat -c %a "$dir/there/old")" = 640 ]
check "nothing else was left" [ "$(ls "$dir/there")" = old ]
ln -s there/later "$dir/dangling"
run "${small[@]}" -j -o "$dir/dangling"
said "-o at a link to what is not there yet" 0 0
check "the link is still one" [ -L "$dir/dangling" ]
check "the file is made" same "$dir/there/later"
echo precious >"$dir/there/old"
run "${small[@]}" -j -o "$dir/there/old" -g nope
said "-o and a dump that fails" 2 1
check "the file is untouched" [ "$(cat "$dir/there/old")" = precious ]
tree denied <<<$'chmod /sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes 0000\nchmod /sys/fs/resctrl/mon_data/mon_L3_00/mbm_local_bytes 0000'
chmod 777 "$dir/there"
chmod 666 "$dir/there/old"
run_as_nobody --sysroot "$dir/denied" -j -o "$dir/there/old"
said "nothing could be read" 1 1 'denied'
check "the file is untouched" [ "$(cat "$dir/there/old")" = precious ]
check "nothing else was left" [ "$(ls "$dir/there")" = $'later\nold' ]
run_as_nobody --sysroot "$dir/denied" 0.01 2
check "nothing could be read, at an interval: exit 1" [ "$code" = 1 ]
check "and two lines" [ "$(lines "$dir/err")" = 2 ]
mkfifo "$dir/fifo"
cat "$dir/fifo" >"$dir/read" &
run "${small[@]}" -j -o "$dir/fifo"
wait $!
said "-o at a FIFO" 0 0
check "its reader gets all" same "$dir/read"
check "it is still one" [ -p "$dir/fifo" ]
head -c 1 "$dir/fifo" >/dev/null &
run "${small[@]}" -f ndjson -o "$dir/fifo" 0.001
wait $!
said "a FIFO whose reader leaves" 0 0
: >"$dir/err"
"$mbmcat" "${small[@]}" -f ndjson 0.001 2>"$dir/err" | head -n 1 >"$dir/out"
code=${PIPESTATUS[0]}
said "a reader that leaves after one line" 0 0
check "it got the line" valid_ndjson "$dir/out"

# ---- locale and colour ----
# One with another decimal comma where the system has it.
other=$(locale -a 2>/dev/null | grep -iE '^(de|fr|es)_.*utf-?8' | head -n 1)
other=${other:-C}
run "${small[@]}" -f csv
cp "$dir/out" "$dir/want"
LC_ALL=$other LANG=$other run "${small[@]}" -f csv
check "the same in another locale: csv" same "$dir/out"
for format in table json ndjson; do
	LC_ALL=C run "${small[@]}" -f $format -r
	cp "$dir/out" "$dir/want"
	LC_ALL=$other LANG=$other run "${small[@]}" -f $format -r
	check "the same in another locale: $format" same "$dir/out"
done
esc=$'\033'
run "${small[@]}"
check "no colour in a pipe" eval "! grep -q '$esc' '$dir/out'"
run "${small[@]}" --color always
check "colour when asked for" grep -q "$esc" "$dir/out"
NO_COLOR=1 run "${small[@]}" --color always
check "the option goes before NO_COLOR" grep -q "$esc" "$dir/out"
run "${small[@]}" --color never
check "no colour when asked for none" eval "! grep -q '$esc' '$dir/out'"

# ---- what is lacking ----
tree words <<<$'mon "" a\nvalue /a 0 mbm_total_bytes "Unavailable\\n"'
run --sysroot "$dir/words" -j
said "a word instead of a number" 0 0
run --sysroot "$dir/words" -j --strict
said "a word instead of a number, --strict" 3 0
tree lacking <<<$'machine l3=0-3\nmon "" a\nmissing /a 0 mbm_total_bytes\nvalue /a 1 mbm_total_bytes "x y"'
run --sysroot "$dir/lacking" -j --strict
check "--strict: exit 3" [ "$code" = 3 ]
check "and the data all the same" [ -s "$dir/out" ]
run --sysroot "$dir/lacking" -j -q
said "-q: no warning" 0 0
run --sysroot "$dir/lacking" -q -g nope
said "-q: an error is said" 2 1
run --sysroot "$dir/lacking" -f ndjson 0.001 50
said "a lack that stays is said once" 0 2
run "${small[@]}" --require-local
said "--require-local on a captured tree" 0 0

# ---- few file descriptors ----
tree many <<<$'machine l3=0,1\ngroups 200'
for format in json csv; do
	run --sysroot "$dir/many" -f $format
	cp "$dir/out" "$dir/want"
	code=0
	(ulimit -n 64 && exec "$mbmcat" --sysroot "$dir/many" -f $format) \
		>"$dir/out" 2>"$dir/err" || code=$?
	said "64 descriptors for 804 counters: $format" 0 1 'opened for each read.*limit is 64 open files.*ulimit -n [0-9]+'
	check "the output is the same" same "$dir/out"
done
need=$(grep -oE 'ulimit -n [0-9]+' "$dir/err" | grep -oE '[0-9]+')
code=0
(ulimit -n "$need" && exec "$mbmcat" --sysroot "$dir/many" -f csv) >"$dir/out" 2>"$dir/err" || code=$?
said "the limit it asked for is enough" 0 0
code=0
(ulimit -n 64 && exec "$mbmcat" --sysroot "$dir/many" -f ndjson 0.001 3) \
	>"$dir/out" 2>"$dir/err" || code=$?
said "the same at an interval" 0 1
check "complete" valid_ndjson "$dir/out"

# ---- many groups ----
tree thousands <<<$'machine l3=0,1\ngroups 2000'
run --sysroot "$dir/thousands" -f ndjson
said "2000 groups" 0 0
check "complete" valid_ndjson "$dir/out"
check "all of them" [ "$(grep -o '"mon_group":"g' "$dir/out" | wc -l)" = 4000 ]
check "no line above 64 KiB" [ -z "$(awk 'length($0) >= 65536' "$dir/out")" ]

# ---- signals ----
for signal in INT TERM HUP; do
	for format in ndjson json csv; do
		: >"$dir/out"
		# A shell's background jobs ignore INT.
		python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' \
			"$mbmcat" "${small[@]}" -f $format 0.05 >"$dir/out" 2>"$dir/err" &
		pid=$!
		await has_lines "$dir/out" 5
		kill -"$signal" $pid
		code=0
		wait $pid || code=$?
		said "$signal: $format" 0 0
		if [ $format = csv ]; then
			check "$signal: $format is whole" valid_csv "$dir/out"
		else
			check "$signal: $format is whole" valid_ndjson "$dir/out"
		fi
	done
done
for format in ndjson csv; do
	"$mbmcat" "${small[@]}" -f $format -o "$dir/log" 0.02 >"$dir/out" 2>"$dir/err" &
	pid=$!
	await has_lines "$dir/log" 5
	mv "$dir/log" "$dir/log.1"
	kill -HUP $pid
	check "HUP: the file is there again: $format" await has_lines "$dir/log" 5
	kill -TERM $pid
	code=0
	wait $pid || code=$?
	said "HUP, then TERM: $format" 0 0
	check "the old file is whole: $format" valid_$format "$dir/log.1"
	check "the new file is whole: $format" valid_$format "$dir/log"
	if [ $format = csv ]; then
		check "the new file has its header" grep -q '^time,' "$dir/log"
	fi
	check "nothing on stdout" [ ! -s "$dir/out" ]
	run "${small[@]}" -f $format -o "$dir/log" 0.001 2
	check "appended to: $format" valid_$format "$dir/log"
	rm -f "$dir/log" "$dir/log.1"
done

# ---- groups that come and go ----
"$mbmcat" "${small[@]}" -f ndjson -r 0.02 >"$dir/out" 2>"$dir/err" &
pid=$!
await has_lines "$dir/out" 4
cp -r "$groups/web" "$dir/new-group"
mv "$dir/new-group" "$groups/fresh"
check "a group that comes is there" await grep -q '"mon_group":"fresh"' "$dir/out"
before=$(lines "$dir/out")
rm -r "$groups/web"
await has_lines "$dir/out" $((before + 8))
kill -TERM $pid
code=0
wait $pid || code=$?
said "groups that come and go" 0 0
check "complete" valid_ndjson "$dir/out"
check "a group that went is not there" \
	[ "$(tail -n 2 "$dir/out" | grep -c '"ctrl_group":"","mon_group":"web"')" = 0 ]
check "the others are" [ "$(tail -n 2 "$dir/out" | grep -c '"ctrl_group":"p0","mon_group":"web"')" = 2 ]

finish
