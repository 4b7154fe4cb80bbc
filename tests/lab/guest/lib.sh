# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
# What the guest's side of a case can use.
set -eu

R=/sys/fs/resctrl

# -o debug: mon_hw_id shows each group's RMID.
mount_resctrl() { mount -t resctrl -o debug resctrl "$R"; }

# keep TAG COMMAND...: what it printed and how it ended.
keep() {
    tag=$1
    shift
    rc=0
    "$@" >"/out/$tag.out" 2>"/out/$tag.err" </dev/null || rc=$?
    echo "$rc" >"/out/$tag.rc"
}

# ended TAG PID: the same for a command started in the background.
ended() {
    rc=0
    wait "$2" || rc=$?
    echo "$rc" >"/out/$1.rc"
}

# busybox's su takes the command's options for its own: one string, plain words only.
as_user() { su -s /bin/sh user -c "exec $*"; }

# mon_groups DIR PREFIX N: N monitoring groups in a control group.
mon_groups() {
    for i in $(seq -w 1 "$3"); do mkdir "$1/mon_groups/$2$i"; done
}

# until N COMMAND...: until it succeeds; 60 s is a safety net, not a figure.
until_true() {
    for _ in $(seq 1200); do
        if "$@"; then return 0; fi
        usleep 50000
    done
    echo "lab: never came true: $*"
    return 1
}

lines_at_least() { [ "$(wc -l <"$1")" -ge "$2" ]; }

# more_lines FILE N: until N further lines have been written to it.
more_lines() { until_true lines_at_least "$1" $(($(wc -l <"$1") + $2)); }

# truth [TAG]: what the kernel says, by plain cat: the checks compare with it.
truth() {
    {
        for d in "$R" "$R"/*; do
            case ${d#"$R"} in /info | /mon_groups | /mon_data) continue ;; esac
            [ -d "$d/mon_data" ] || continue
            ctrl=${d#"$R"}
            printf 'group\t%s\t\t%s\n' "${ctrl#/}" "$(cat "$d/mon_hw_id")"
            for m in "$d"/mon_groups/*; do
                [ -d "$m" ] || continue
                printf 'group\t%s\t%s\t%s\n' "${ctrl#/}" "${m##*/}" "$(cat "$m/mon_hw_id")"
            done
        done
        for d in "$R"/mon_data/*; do
            subs=
            for s in "$d"/mon_sub_*; do
                [ -d "$s" ] || continue
                subs=y
                printf 'domain\t%s\t%s\n' "${d##*/}" "${s##*/}"
            done
            [ -n "$subs" ] || printf 'domain\t%s\t\n' "${d##*/}"
        done
        for c in /sys/devices/system/cpu/cpu[0-9]*; do
            for i in "$c"/cache/index*; do
                [ "$(cat "$i/level")" = 3 ] || continue
                n=$(echo "$c"/node[0-9]*)
                printf 'cpu\t%s\t%s\t%s\n' "${c##*/cpu}" "$(cat "$i/id")" "${n##*/node}"
            done
        done
        printf 'num_rmids\t%s\n' "$(cat "$R/info/L3_MON/num_rmids")"
    } >"/out/${1:-truth}" 2>/dev/null
}
