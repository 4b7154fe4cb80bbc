# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import KERNEL, Truth, ok, rc, text

truth = Truth()
ok(len(truth.domains) == 4 and len(truth.rmid) == 200, "4 domains x 200 groups")
COUNTERS = 4 * 200 * 2
ok(int(text("count")) == COUNTERS, "the others read the same files", text("count"))
NAMES = {
    "bare": "open, pread, close in C",
    "mbmcat": "mbmcat -f ndjson",
    "uring": "io_uring, batches of 64, in C",
    "fscanf": "fopen, fscanf, fclose in C",
    "grep": "grep .",
    "cat": "cat (busybox)",
    "shell": "a shell's loop of read and echo",
}


def figures(tag):
    return [int(x) for x in text(tag + ".err").splitlines()[-1].split()]


def show(name, cost, floor):
    print(f"# {KERNEL:10} {name:34} {cost:9.0f} {cost / floor:8.2f}")


once = {}
for tag in NAMES:
    best = []
    for i in (1, 2):
        ok(rc(f"{tag}{i}") == 0, f"{tag}{i}: exit 0", text(f"{tag}{i}.err"))
        best.append(figures(f"{tag}{i}")[0])
    once[tag] = min(best) / COUNTERS
print(f"# {'kernel':10} {'all once, from start to end':34} {'per count':>9} {'of C':>8}")
for tag, name in NAMES.items():
    show(name, once[tag], once["bare"])
ok(once["mbmcat"] < once["shell"], "mbmcat costs less than a shell's loop", once)

# Samples are a tenth of a second apart, and the start is in both runs.
taken = text("text3.out").count("TIME ") - text("text1.out").count("TIME ")
ok(15 < taken < 25, "pqos: twenty samples more in two seconds", taken)
more = {}
for tag, samples, groups in (("pqos", taken, 60), ("again", 20, 200)):
    ok(rc(f"{tag}1") == 0 and rc(f"{tag}3") == 0, f"{tag}: exit 0", text(f"{tag}1.err"))
    more[tag] = (figures(f"{tag}3")[1] - figures(f"{tag}1")[1]) / (samples * groups * 4 * 2)
print(f"# {'kernel':10} {'a further sample: own CPU time':34} {'per count':>9} {'of ours':>8}")
show("mbmcat -f ndjson --parallel 1 0.1", more["again"], more["again"])
show("pqos -I -i 1", more["pqos"], more["again"])
ok(more["again"] < more["pqos"], "a sample of mbmcat costs less than one of pqos", more)
