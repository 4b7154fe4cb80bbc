# SPDX-License-Identifier: LGPL-2.1-or-later
import json

from lab import Truth, ended, none, ok, read, samples_ndjson, text, wrong, wrong_meta

truth = Truth()
for tag, switches in (("deferred", 1), ("direct", 0), ("remote", 0)):
    ended(tag)
    o = json.loads(text(tag + ".out"))
    print(f"# {tag:8} {o['wall_ns'] / o['reads']:8.0f} instructions/read")
    ok(abs(o["switches"] / o["reads"] - switches) < 0.02, f"{tag}: {switches} switches per read", o)
ended("dump")
sample = samples_ndjson(read("dump.out"))[0]
none(wrong(sample, truth), "mbmcat: every count")
none(wrong_meta(sample, truth, {(1, None): "direct"}), "mbmcat: domain 0 deferred, 1 direct")
