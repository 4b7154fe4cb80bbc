#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What mbmcat costs beside its floor and its peers, on a made tree, in one run.

    bench.py --bin DIR [--large] all|check     tables; "check": only what is the same everywhere
    bench.py --bin DIR scaling [--write DIR]   cost per counter by domains and groups

Instructions are those of the program itself, counted by valgrind: the same in every run, and
without the kernel's part, which only the lab can tell (tests/lab/run speed, peers). CPU times are
the best of several runs, the kernel's part included; "check" has none of them. Exit: 0; 1 a limit
is exceeded; 77 there is no valgrind."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import scaling

SPEC = """machine packages=2 l3=0-{last} cpus-per-l3=8 threads=2 host=bench
features {features}
groups {groups} prefix=g
"""
EVENTS = "mbm_total_bytes mbm_local_bytes"
SHELL = 'for f in "$@"; do read -r v <"$f"; echo "$v"; done'


class Bench:
    def __init__(self, bin_dir, scratch):
        self.bin = os.path.abspath(bin_dir)
        self.scratch = scratch
        self.trees = 0
        self.failed = 0

    def tool(self, name):
        return os.path.join(self.bin, name)

    def tree(self, domains, groups, features=EVENTS):
        """The tree of so many domains and groups, the default group included."""
        self.trees += 1
        base = os.path.join(self.scratch, f"tree{self.trees}")
        with open(base + ".spec", "w", encoding="utf-8") as f:
            # With one CPU per package and domain at least.
            f.write(SPEC.format(last=domains - 1, groups=groups - 1, features=features)
                    .replace("packages=2", "packages=1" if domains < 2 else "packages=2"))
        subprocess.run([self.tool("mkfakefs"), base + ".spec", base], check=True)
        return base

    def drop(self, tree):
        subprocess.run([self.tool("mkfakefs"), "-r", tree], check=True)

    def valgrind(self, args, command, cwd=None):
        run = subprocess.run(["valgrind", *args, *command], cwd=cwd, text=True, errors="replace",
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if run.returncode:
            sys.exit(f"bench: {' '.join(command[:4])} failed under valgrind:\n{run.stderr[-2000:]}")
        return run.stderr

    def instructions(self, command, only=None, cwd=None):
        args = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
        if only:
            args.append(f"--toggle-collect={only}")
        said = self.valgrind(args, command, cwd)
        return int(re.search(r"Collected : (\d+)", said).group(1))

    def inside(self, *words):
        return self.instructions([self.tool("bench_inside"), *words], only="measured")

    def peak(self, command):
        """The most bytes that its heap held at a time."""
        out = os.path.join(self.scratch, "massif")
        self.valgrind(["--tool=massif", "--peak-inaccuracy=0.0", f"--massif-out-file={out}"],
                      command)
        with open(out, encoding="utf-8") as f:
            return max(int(n) for n in re.findall(r"mem_heap_B=(\d+)", f.read()))

    def cpu_ms(self, command, cwd, rounds=5):
        """User and system time, the best of several, or None where it can't run."""
        best = None
        for _ in range(rounds):
            with subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as p:
                _, status, usage = os.wait4(p.pid, 0)
                p.returncode = os.waitstatus_to_exitcode(status)
            if p.returncode:
                return None
            spent = (usage.ru_utime + usage.ru_stime) * 1000
            best = spent if best is None else min(best, spent)
        return best

    def judge(self, good, text):
        print(("    ok      " if good else "    NOT OK  ") + text)
        self.failed += not good


def row(name, value, floor, unit=""):
    print(f"  {name:44} {value:10.1f}{unit} {value / floor:8.3f}")


def head(title, second):
    print(f"\n{title}\n  {'':44} {'per counter':>10} {second:>9}")


def loop(b, tree, n):
    ours, bare = b.inside("loop", tree) / n, b.inside("bare", tree) / n
    head("Counter loop, instructions beside the kernel's", "of bare")
    row("mbmcat: pread, digits, status, store", ours, bare)
    row("a bare pread in a program with threads", bare, bare)
    b.judge(ours - 10 <= 100, f"{ours:.0f}: at most 100 beyond the system call")


def formats(b, tree, n):
    names = subprocess.run([b.tool("bench_inside"), "formats"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split()
    printf = b.inside("snprintf", tree) / n
    head("Formats, instructions", "of snprintf")
    row("one snprintf per value", printf, printf)
    for name in names:
        cost = b.inside("format", name, tree) / n
        row(name, cost, printf)
        b.judge(cost <= printf, f"{name}: at most one snprintf per value")


def files_of(root):
    found = []
    for where, _, names in os.walk(root):
        if os.path.basename(where).startswith("mon_L3_"):
            found += [os.path.relpath(os.path.join(where, x), root) for x in names]
    return sorted(x for x in found if os.path.basename(x).startswith("mbm_"))


def cold(b, tree, n):
    root = os.path.join(tree, "sys/fs/resctrl")
    files = files_of(root)
    assert len(files) == n, (len(files), n)
    ours = [b.tool("mbmcat"), "--sysroot", tree]
    peers = {
        "open, pread, close in C": [b.tool("bench_peers"), "bare", *files],
        "mbmcat -f ndjson": [*ours, "-f", "ndjson"],
        "mbmcat -j": [*ours, "-j"],
        "mbmcat -c": [*ours, "-c"],
        "cat": ["cat", *files],
        "grep .": ["grep", ".", *files],
        "fopen, fscanf, fclose in C": [b.tool("bench_peers"), "fscanf", *files],
        "a shell's loop of read and echo": ["sh", "-c", SHELL, "sh", *files],
        "io_uring in batches of 64 in C": [b.tool("bench_peers"), "uring", *files],
    }
    cpu = {name: b.cpu_ms(c, root) for name, c in peers.items()}
    # valgrind does not know how to follow that one.
    count = {name: b.instructions(c, cwd=root) / n for name, c in peers.items()
             if "io_uring" not in name}
    cat = count["cat"]
    print("\nFrom start to end, all counters once; CPU: user and system, of a made tree\n"
          f"  {'':34} {'instructions':>12} {'of cat':>8} {'CPU us':>9} {'of cat':>8}")
    for name in peers:
        own = f"{count[name]:12.1f} {count[name] / cat:8.3f}" if name in count else " " * 21
        ms = "none" if cpu[name] is None else f"{cpu[name] * 1000 / n:9.2f} " \
            f"{cpu[name] / cpu['cat']:8.3f}"
        print(f"  {name:34} {own} {ms:>18}")
    b.judge(cpu["mbmcat -f ndjson"] < cpu["cat"] and
            cpu["mbmcat -f ndjson"] < cpu["a shell's loop of read and echo"],
            "less CPU than cat and than a shell's loop")


def memory(b, tree, n):
    print("\nMemory at its peak, an endless dump; beyond what one counter alone takes\n"
          f"  {'':44} {'bytes per counter':>10}")
    for name in ("ndjson", "csv", "json", "openmetrics", "influx"):
        run = [b.tool("mbmcat"), "--sysroot", tree, "-q", "-f", name]
        peak = b.peak([*run, "0.001", "3"])
        one = b.peak([*run, "-g", "/", "-d", "0", "-e", "mbm_total_bytes", "0.001", "3"])
        per = (peak - one) / (n - 1)
        print(f"  {name:44} {per:10.1f}")
        b.judge(per <= 64, "at most 64")


def large(b):
    tree = b.tree(64, 1000, EVENTS + " llc_occupancy")
    run = subprocess.run([b.tool("mbmcat"), "--sysroot", tree, "-f", "ndjson", "-e", "*", "0.001",
                          "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    n = run.stdout.count(b'_bytes":') + run.stdout.count(b'"llc_occupancy":')
    print("\n1000 groups x 64 domains x 3 events, twice")
    b.judge(run.returncode == 0 and n == 2 * 192000, f"{n} counts, exit {run.returncode}; "
            + (run.stderr.decode().strip() or "no message"))
    b.drop(tree)


def main():
    ap = argparse.ArgumentParser(description=__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", required=True)
    ap.add_argument("--large", action="store_true", help="192000 counters as well (800 MB)")
    ap.add_argument("--write", metavar="DIR", help="for scaling: scaling.md and its plots go there")
    ap.add_argument("what", choices=("all", "check", "scaling"))
    args = ap.parse_args()
    if not shutil.which("valgrind"):
        print("bench: valgrind is missing (Debian: valgrind)", file=sys.stderr)
        sys.exit(77)
    # A tree of small files is best in memory.
    where = os.environ.get("TMPDIR") or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    with tempfile.TemporaryDirectory(prefix="mbmcat-bench.", dir=where) as scratch:
        b = Bench(args.bin, scratch)
        if args.what == "scaling":
            scaling.run(b, args.write)
            return
        domains, groups = 32, 250
        n = domains * groups * 2
        tree = b.tree(domains, groups)
        print(f"{domains} domains x {groups} groups x 2 events: {n} counters")
        loop(b, tree, n)
        formats(b, tree, n)
        if args.what == "all":
            cold(b, tree, n)
        memory(b, tree, n)
        b.drop(tree)
        if args.large:
            large(b)
    sys.exit(1 if b.failed else 0)


if __name__ == "__main__":
    main()
