# SPDX-License-Identifier: LGPL-2.1-or-later
import json

from lab import (KERNEL, Truth, ended, none, ok, read, samples_ndjson, text, wrong, wrong_growth,
                 wrong_meta)

truth = Truth()
ok(len(truth.domains) == 32 and len(truth.rmid) == 250, "32 domains x 250 groups")
for tag in ("local", "remote"):
    ended(tag)
    o = json.loads(text(tag + ".out"))
    print(f"# {KERNEL:10} {tag:6} {o['wall_ns'] / o['reads']:8.0f} instructions/read "
          f"{o['switches'] / o['reads']:6.3f} switches/read")
opened = [json.loads(text(f"open{d}.out")) for d in range(32)]
floor = sum(o["wall_ns"] for o in opened) / sum(o["reads"] for o in opened)
ended("cold", lines=1)
cold = int(text("cold.err").split()[0]) / 16000
print(f"# {KERNEL:10} cold start {cold:8.0f} per counter, {cold / floor:.3f} of open, pread, close")
ok(cold <= 1.15 * floor, "a cold start costs at most 1.15 of open, pread, close", cold, floor)
for tag, n in (("dump", 1), ("again", 2)):
    ended(tag)
    samples = samples_ndjson(read(tag + ".out"))
    ok(len(samples) == n, f"{tag}: {n} sample(s)")
    none([p for s in samples for p in wrong(s, truth)], f"{tag}: 16000 counts, each in its place")
    none([p for s in samples for p in wrong_meta(s, truth)], f"{tag}: path and cpu")
    none(wrong_growth(samples), f"{tag}: counts grow")
    ms = sum(d.meta["end_ns"] - d.meta["start_ns"] for d in samples[-1]) / 1e6
    print(f"# {KERNEL:10} {tag}: {ms:.1f} ms for the reads of all domains, one after the other")
    ok(max(len(line) for line in read(tag + ".out").splitlines()) < 65536,
       f"{tag}: every line is below 64 KiB")
