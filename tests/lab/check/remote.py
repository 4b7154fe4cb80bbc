# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import Truth, ended, none, ok, rc, read, samples_ndjson, says, text, wrong, wrong_meta

truth = Truth()
remote = {(2, None): "remote"}
ok(text("status.out").split()[1] == "0-3,7", "the cpuset leaves domain 2 out", text("status.out"))
for tag, n in (("ndjson", 1), ("interval", 4)):
    ended(tag, 0, 1)
    says(tag, "2")
    samples = samples_ndjson(read(tag + ".out"))
    ok(len(samples) == n, f"{tag}: {n} sample(s)")
    none([p for s in samples for p in wrong(s, truth)], f"{tag}: every count, domain 2's too")
    none([p for s in samples for p in wrong_meta(s, truth, remote)], f"{tag}: domain 2 is remote")
    none([d.meta for s in samples for d in s if d.meta["cpu"] not in (0, 1, 2, 3, 7)],
         f"{tag}: no CPU outside the cpuset")
ok(rc("require") == 3, "require: exit 3", rc("require"), text("require.err"))
says("require", "2")
ended("chosen")
none(wrong_meta(samples_ndjson(read("chosen.out"))[0], truth), "chosen: the others are local")
ended("list")
ended("nopin")
none(wrong(samples_ndjson(read("nopin.out"))[0], truth), "nopin: every count")
ended("free")
none(wrong_meta(samples_ndjson(read("free.out"))[0], truth), "free: all are local without the cpuset")
