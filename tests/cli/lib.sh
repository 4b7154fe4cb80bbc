# SPDX-License-Identifier: LGPL-2.1-or-later
# TAP, and a tool that is run by hand, for the scripts beside this one.
# shellcheck shell=bash

passed=0 failed=0

ok() { # NAME
	passed=$((passed + 1))
	echo "ok $((passed + failed)) - $1"
}

not_ok() { # NAME WHY
	failed=$((failed + 1))
	echo "not ok $((passed + failed)) - $1"
	printf '%s\n' "$2" | head -c 2000 | sed 's/^/# /'
}

check() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then ok "$name"; else not_ok "$name" "false: $*"; fi
}

# Runs the tool: $code, and its output in $dir/out and $dir/err.
run() {
	code=0
	"$mbmcat" "$@" >"$dir/out" 2>"$dir/err" </dev/null || code=$?
}

lines() { # FILE
	wc -l <"$1"
}

# What the last run() said: EXIT-CODE LINES-ON-STDERR [PATTERN]; no data where it failed.
said() { # NAME CODE LINES [PATTERN]
	local why=
	[ "$code" = "$2" ] || why="exit $code, not $2"
	[ "$(lines "$dir/err")" = "$3" ] || why="$why; $(lines "$dir/err") lines, not $3"
	if [ -n "${4-}" ] && ! grep -qE -- "$4" "$dir/err"; then why="$why; no \"$4\""; fi
	if [ "$3" != 0 ] && grep -vq '^mbmcat: ' "$dir/err"; then why="$why; no \"mbmcat: \""; fi
	if { [ "$2" = 1 ] || [ "$2" = 2 ]; } && [ -s "$dir/out" ]; then why="$why; data"; fi
	if [ -z "$why" ]; then ok "$1"; else not_ok "$1" "$why
$(head -c 1000 "$dir/err")"; fi
}

# Waits for a condition, however long the machine takes; gives up after two minutes.
await() { # COMMAND...
	local i
	for ((i = 0; i < 6000; i++)); do
		if "$@"; then return 0; fi
		sleep 0.02
	done
	return 1
}

has_lines() { # FILE N
	[ -e "$1" ] && [ "$(lines "$1")" -ge "$2" ]
}

# Without what differs from run to run.
plain() {
	sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/g; s/"(start|end)_ns":[0-9]+/"\1_ns":0/g' "$@"
}

# Every line is a document of its own, and the last one is complete.
valid_ndjson() {
	[ -s "$1" ] && [ "$(tail -c 1 "$1" | od -An -tx1)" = " 0a" ] &&
		python3 -c 'import json, sys
for line in open(sys.argv[1], encoding="utf-8"):
    json.loads(line)' "$1"
}

# Every row has as many fields as the header.
valid_csv() {
	[ -s "$1" ] && [ "$(tail -c 1 "$1" | od -An -tx1)" = " 0a" ] &&
		python3 -c 'import csv, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="")))
sys.exit(len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows) or
         sum(row == rows[0] for row in rows) != 1)' "$1"
}

finish() {
	echo "1..$((passed + failed))"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
}
