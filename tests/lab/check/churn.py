# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import CODE, Truth, ended, none, ok, read, samples_ndjson, text, wrong, wrong_growth

before, after, last = Truth(), Truth("truth-end"), Truth("truth-last")
ended("run")
samples = samples_ndjson(read("run.out"))
ok(read("run.out").endswith(b"\n"), "the last line is whole")
seqs = [s[0].meta["seq"] for s in samples]
ok(seqs == list(range(len(seqs))), "no sample is missing", seqs)


def stage(name):
    """The first sample that begins after that many lines."""
    count, lines = int(text(name)), 0
    for n, s in enumerate(samples):
        if lines >= count:
            return n
        lines += len(s)
    return len(samples)


removed, added, offline, online = map(stage, ("removed", "added", "offline", "online"))
# The sample under way at a change, and the one that notices it, may be either.
none([p for s in samples[:removed - 1] for p in wrong(s, before)], "before: every count")
gone = {g for g in before.rmid if g != ("", "g5")}
for n, s in enumerate(samples[removed + 2:added - 1]):
    for d in s:
        if {g for g, _ in d.values} != gone:
            ok(False, f"without g5: sample {n} has {sorted(g for g, _ in d.values)}")
            break
ok(added - 1 > removed + 2, "there are samples without g5", removed, added)
ok(offline > added, "there are samples with the new group", added, offline)
none([p for s in samples[offline - 2:offline - 1] for p in wrong(s, after)],
     "after: exactly the groups there are, each with its own RMID")

# Whatever came and went, a group that was there all along has every count.
lasting = {g for g in before.rmid if before.rmid[g] == after.rmid.get(g) and g[1]}
bad = []
for n, s in enumerate(samples):
    for d in s:
        for g in lasting:
            for e in ("mbm_local_bytes", "mbm_total_bytes"):
                v = d.values.get((g, e))
                if not isinstance(v, int):
                    if d.key != (3, None):
                        bad.append(f"sample {n} {d.key} {g} {e}: {v}")
                elif v % CODE != before.code(d.key, g, e):
                    bad.append(f"sample {n} {d.key} {g} {e}: {v} is another's")
none(bad, "the lasting groups lose nothing and mix up nothing")
for d in (0, 1, 2):
    ok(all((d, None) in [x.key for x in s] for s in samples[:-1]), f"domain {d} is in every sample")
none([f"sample {n}" for n, s in enumerate(samples[offline + 2:online - 1])
      if (3, None) in [d.key for d in s]], "domain 3 is gone while it is offline")
ok(online - 1 > offline + 2, "there are samples without domain 3", offline, online)
# INT ends the run between two domains of the last sample.
none(wrong(samples[-2], last), "at the end: every group, every domain")
for s in samples:
    for d in s:
        d.values = {k: v for k, v in d.values.items() if k[0] in lasting}
none(wrong_growth(samples[:offline]), "the lasting groups' counts grow")
