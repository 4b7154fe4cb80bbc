#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What can't be done is said in one line, and the exit code tells whose mistake it was.
#
#   tests/cli/bad-input.sh MBMCAT MKFAKEFS
set -u
# shellcheck source=lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

refused_as() { outcome "$1" 1 "$2" && silent; }

# refused NAME CODE PATTERN COMMAND...: one line, nothing on stdout.
refused() {
    local name=$1 code_wanted=$2 pattern=$3
    shift 3
    run "$@"
    check "$name" refused_as "$code_wanted" "$pattern"
}

tree plain <<'END'
machine l3=0-1 host=plain
mon "" web
ctrl p0
mon p0 child
END
tree many <<'END'
machine l3=0-3 host=many
groups 200
END
for name in unmounted noresctrl nomon words; do
    tree $name <"$fixtures/$name.spec"
done
here=$PWD
dump=("$mbmcat" dump --sysroot "$here/plain")
mkdir dir
mkdir -m 755 closed-dir
mkdir -m 700 private
mkdir -m 000 locked
touch file
as_nobody=("${nobody[@]}")
[[ $(id -u) -eq 0 ]] && owner=private || owner=locked

### no resctrl
if grep -q ' resctrl ' /proc/self/mounts; then
    check "this machine has resctrl mounted: its lack is tested on captured trees only" true
else
    refused "not mounted here" 1 'resctrl is not mounted' "$mbmcat"
    refused "not mounted here, list" 1 'resctrl is not mounted' "$mbmcat" list
    refused "not mounted here, interval" 1 'resctrl is not mounted' "$mbmcat" 0.01 3
fi
refused "unmounted: how to mount" 1 'mount -t resctrl resctrl /sys/fs/resctrl' \
    "$mbmcat" --sysroot unmounted
refused "unmounted, interval: once" 1 'mount -t resctrl' "$mbmcat" --sysroot unmounted 0.01 5
refused "unmounted, list" 1 'mount -t resctrl' "$mbmcat" list --sysroot unmounted
refused "no resctrl in the kernel" 1 'this kernel does not have it.*CONFIG_X86_CPU_RESCTRL' \
    "$mbmcat" --sysroot noresctrl
refused "no monitoring" 1 'holds no monitoring data' "$mbmcat" --sysroot nomon
refused "--resctrl at some directory" 1 'dir is no mount point of resctrl' "$mbmcat" --resctrl dir
refused "--resctrl at a file" 1 'file' "$mbmcat" --resctrl file
refused "--resctrl at nothing" 1 "can't open nothing: No such file" "$mbmcat" --resctrl nothing
refused "--resctrl at 5000 bytes" 2 'too long' "$mbmcat" --resctrl "$(printf '%05000d' 0)"
refused "--sysroot at nothing" 1 'nothing: No such file' "$mbmcat" --sysroot nothing
refused "--sysroot at \"\"" 2 'sysroot needs the name' "$mbmcat" --sysroot ""
refused "may not open the mount point" 1 "may not open .*$owner.*run as root" \
    "${as_nobody[@]}" "$mbmcat" --resctrl "$here/$owner"

### patterns
refused "unknown group" 2 'matches "nosuch"' "${dump[@]}" -g nosuch
refused "a known and an unknown group" 2 'matches "nosuch"' "${dump[@]}" -g /web -g nosuch
refused "unknown domain" 2 'matches "9"' "${dump[@]}" -d 9
refused "unknown resource" 2 'matches "L9:0"' "${dump[@]}" -d L9:0
refused "unknown event" 2 'matches "nosuch"' "${dump[@]}" -e nosuch
refused "group with a line feed" 2 'matches "no.*such"' "${dump[@]}" -g $'no\nsuch'
for text in x "" 3-1 1-; do
    refused "domain list \"$text\"" 2 "\"$text\" is no list of domains" "${dump[@]}" -d "$text"
done
refused "event list \"\"" 2 'is no list of events' "${dump[@]}" -e ""
refused "event list \"a,,b\"" 2 'is no list of events' "${dump[@]}" -e a,,b

### interval and count
for text in 0 1e3 10x nan inf 1h30 "" . 1..2 0x10 " 1" +1 0.0 0.0000000001 99999999999999; do
    quoted=${text//./\\.}
    quoted=${quoted//+/\\+}
    refused "interval \"$text\"" 2 "\"$quoted\" is neither" "${dump[@]}" "$text" 1
done
refused "interval -1" 2 'unknown option -1' "${dump[@]}" -1 1
refused "interval -1 behind --" 2 '"-1" is neither' "${dump[@]}" -- -1 1
for text in 0 -1 1e3 10x nan 1h30 "" 1.5 0.0000000001 99999999999999999999; do
    refused "count \"$text\"" 2 "\"${text//./\\.}\" is no count" "${dump[@]}" -- 0.001 "$text"
done
digits=$(printf '9%.0s' {1..400})
refused "interval of 400 digits" 2 '"9{99}' "${dump[@]}" "$digits" 1
refused "count of 400 digits" 2 '"9{99}' "${dump[@]}" 0.001 "$digits"
refused "three words" 2 '"3" is one word too many' "${dump[@]}" 1 2 3

### file descriptors
run "$mbmcat" --sysroot many -f ndjson
mv out unlimited
run bash -c 'ulimit -n 64; exec "$@"' - "$mbmcat" --sysroot many -f ndjson
check "few descriptors: works and says so" outcome 0 1 'opened for each read.*64 open files'
mv out limited
alike() {
    same "$(unstamped limited)" "$(unstamped unlimited)" &&
        same "$(grep -o mon_group limited | wc -l)" 804
}
check "few descriptors: the same data" alike
refused "too few descriptors to look" 1 'too few file descriptors' \
    bash -c 'ulimit -n 6; exec "$@"' - "$mbmcat" --sysroot many

### output
refused "-o /dev/full" 1 "can't write to /dev/full: No space" "${dump[@]}" -o /dev/full
refused "-o /dev/full, interval" 1 "can't write to /dev/full" "${dump[@]}" -o /dev/full 0.001 5
refused "-o a directory" 1 'dir: it is a directory' "${dump[@]}" -o dir
refused "-o in no directory" 1 'none/x: No such file' "${dump[@]}" -o none/x
refused "-o in no directory, interval" 1 'none/x: No such file' "${dump[@]}" -o none/x 0.001 1
refused "-o below a file" 1 'file/x: Not a directory' "${dump[@]}" -o file/x
refused "-o \"\"" 2 'output needs the name' "${dump[@]}" -o ""
[[ $(id -u) -eq 0 ]] || chmod 555 closed-dir
refused "-o in a closed directory" 1 'closed-dir/x: Permission denied' \
    "${as_nobody[@]}" "${dump[@]}" -o "$here/closed-dir/x"
refused "-o in a closed directory, interval" 1 'closed-dir/x: Permission denied' \
    "${as_nobody[@]}" "${dump[@]}" -o "$here/closed-dir/x" 0.001 1
refused "--replace alone" 2 'replace needs --output' "${dump[@]}" --replace
refused "--replace, interval" 2 'replace needs --output' "${dump[@]}" --replace 0.001 1
refused "--replace, no interval" 2 'replace needs --output' "${dump[@]}" --replace -o new
check "a refused dump makes no file" test ! -e new

### options
refused "--trigger and an interval" 2 'no interval goes with --trigger' \
    "${dump[@]}" --trigger stdin 1
for pair in trigger:x trigger: color:sometimes cpu:last parallel:0 parallel:-1 max-rate:5X; do
    refused "--${pair%%:*} \"${pair#*:}\"" 2 "${pair%%:*} takes .*not \"${pair#*:}\"" \
        "${dump[@]}" "--${pair%%:*}=${pair#*:}"
done
refused "unknown format" 2 'unknown format "xml"' "${dump[@]}" -f xml
refused "unknown long option" 2 'unknown option --nonsense' "${dump[@]}" --nonsense
refused "unknown short option" 2 'unknown option -Z' "${dump[@]}" -jZ
refused "option of another command" 2 'unknown option --json' "${dump[@]}" --json
refused "value of a flag" 2 'no value goes with --no-pin' "${dump[@]}" --no-pin=3
for option in -o -f -g -d -e --trigger --resctrl --sysroot --parallel; do
    refused "$option without a value" 2 "$option needs a value" "${dump[@]}" $option
done
refused "list with a word" 2 'takes no "word"' "$mbmcat" list --sysroot plain word
refused "list with dump's option" 2 'unknown option -o' "$mbmcat" list -o x
refused "command behind options" 2 'a command stands first' "${dump[@]}" list
refused "unknown command" 2 '"lsit" is neither' "$mbmcat" lsit

### partial
run "$mbmcat" --sysroot words -f ndjson
mv out lenient
run "$mbmcat" --sysroot words -f ndjson --strict
check "--strict with a word in the tree exits 3" outcome 3 0
all_written() { same "$(unstamped out)" "$(unstamped lenient)" && same "$(wc -l <out)" 4; }
check "--strict writes all the same" all_written
cp -a plain unreadable
find unreadable/sys/fs/resctrl -path '*/mon_data/*' -type f -exec chmod 0000 {} +
run "${as_nobody[@]}" "$mbmcat" -q --sysroot "$here/unreadable"
check "nothing readable exits 1" outcome 1 1 'no counter could be read: denied'

finish
