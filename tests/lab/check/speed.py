# SPDX-License-Identifier: LGPL-2.1-or-later
import json

from lab import Truth, ended, none, ok, read, samples_ndjson, text, wrong, wrong_meta

truth = Truth()
ok(len(truth.domains) == 4 and len(truth.rmid) == 200, "4 domains x 200 groups")
COUNTERS = 4 * 200 * 2


def figure(name, value, floor):
    print(f"# {name:34} {value:9.1f} per counter, {value / floor:.3f} of the floor")
    return value / floor


def loop(tag):
    """A read of a pinned loop, from the best of the four CPUs' runs each."""
    cost = []
    for cpu in range(4):
        ended(f"{tag}{cpu}")
        o = json.loads(text(f"{tag}{cpu}.out"))
        ok(o["words"] == 0 and o["reads"] == 4 * COUNTERS / 4 and o["switches"] < 3,
           f"{tag} loop on CPU {cpu}", o)
        cost.append(o["wall_ns"] / o["reads"])
    return sum(cost) / 4


ended("loop")
samples = samples_ndjson(read("loop.out"))
none([p for s in samples for p in wrong(s, truth) + wrong_meta(s, truth)], "every count")
ours = 0
for key in truth.domains:
    mine = [d.meta["end_ns"] - d.meta["start_ns"] for s in samples[1:] for d in s if d.key == key]
    ours += min(mine) / COUNTERS
bare, threads = loop("bare"), loop("threads")
print(f"# bare pread loop {bare:.1f} per counter, {threads:.1f} in a program with threads")
figure("counter loop", ours, bare)
ratio = figure("counter loop, with threads", ours, threads)
ok(ratio <= 1.05, "the counter loop costs at most 1.05 of a bare one in a program with threads",
   ratio)


def best(tag):
    for i in (1, 2):
        ended(f"{tag}{i}", lines=1)
    return min(int(text(f"{tag}{i}.err").split()[0]) for i in (1, 2)) / COUNTERS


opened = []
for cpu in range(4):
    o = [json.loads(text(f"open{cpu}{i}.out")) for i in (1, 2)]
    opened.append(min(x["wall_ns"] / x["reads"] for x in o))
floor = sum(opened) / 4
cold, empty, cat = best("cold"), best("empty"), best("cat")
print(f"# open, pread, close {floor:.1f} per counter, each domain from its own CPU")
figure("cat", cat, floor)
figure("mbmcat --version", empty, floor)
figure("mbmcat, from start to end", cold, floor)
ratio = figure("the same without an empty program", cold - empty, floor)
ok(cold < cat, "a cold start costs less than cat", cold, cat)
ok(ratio <= 1.15, "a cold start costs at most 1.15 of open, pread, close", ratio)
