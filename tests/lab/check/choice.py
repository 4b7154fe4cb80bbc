# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times are printed and never judged: the host may be busy. What is judged is that the choice
follows from what was measured, and that nothing is tried where it is known to be worse."""
import re

from lab import KERNEL, Truth, none, ok, rc, read, samples_ndjson, text, wrong, wrong_meta

truth = Truth()
ok(len(truth.domains) == 2 and len(truth.l3_of) == 2, "2 domains, 2 CPUs")
TRIED = re.compile(r"reading (\d) of 2 domains at once: one took (\d+) us, all took (\d+) us")
UNTRIED = re.compile(r"reading 1 of 2 domains at once: more only take longer")


def judge(tag, times):
    said = [x for x in text(tag + ".err").splitlines() if " at once" in x]
    ok(len(said) >= times, f"{tag}: said {times} time(s) or more", *said)
    for line in said:
        print("# " + line)
        if KERNEL == "unpatched":
            ok(UNTRIED.search(line), f"{tag}: one at a time, without a trial", line)
            continue
        m = TRIED.search(line)
        ok(m, f"{tag}: both were measured", line)
        if m:
            choice, one, together = map(int, m.groups())
            ok(one == together or choice == (2 if together < one else 1),
               f"{tag}: the shorter one is the choice", line)


def whole_us(tag):
    """The shortest sample from the first read to the last."""
    return min(max(d.meta["end_ns"] for d in s) - min(d.meta["start_ns"] for d in s)
               for s in samples_ndjson(read(tag + ".out"))[10:]) / 1000


for tag in ("auto", "one", "all"):
    ok(rc(tag) == 0, f"{tag}: exit 0", text(tag + ".err"))
    samples = samples_ndjson(read(tag + ".out"))
    ok(len(samples) == 20, f"{tag}: 20 samples")
    none([p for s in samples for p in wrong(s, truth)], f"{tag}: every count")
none([p for s in samples_ndjson(read("one.out")) for p in wrong_meta(s, truth)], "path and cpu")
judge("auto", 1)
ok(rc("again") == 0, "again: exit 0")
judge("again", 2)
auto, one, together = (whole_us(t) for t in ("auto", "one", "all"))
print(f"# {KERNEL:10} whole samples: one {one:.0f} us, all {together:.0f} us, "
      f"auto {auto:.0f} us, {auto / min(one, together):.2f} of the better")
