# SPDX-License-Identifier: LGPL-2.1-or-later
import json
import os

import lab
from lab import KERNEL, OUT, Truth, ended, none, ok, read, samples_ndjson, wrong, wrong_meta

before = os.path.join(OUT, "..", "..", "paths.unpatched", "out")


def cell(tag, out=OUT):
    with open(os.path.join(out, tag + ".out"), encoding="utf-8") as f:
        o = json.load(f)
    return o["wall_ns"] / o["reads"], o["switches"] / o["reads"]


truth = Truth()
for tag in ("first", "other", "remote", "reopen"):
    ended(tag)
    instructions, switches = cell(tag)
    print(f"# {KERNEL:10} {tag:7} {instructions:8.0f} instructions/read {switches:6.3f} switches/read")
    waits = KERNEL == "unpatched" or (KERNEL == "local-only" and tag == "remote")
    ok(abs(switches - waits) < 0.02, f"{tag}: {int(waits)} switches per read", switches)
    if KERNEL == "unpatched":
        continue
    share = instructions / cell(tag, before)[0]
    if tag == "reopen":
        ok(share < 1, f"{tag}: cheaper than unpatched", share)
    elif not waits:
        ok(share <= 0.32, f"{tag}: at most 0.32 of unpatched", share)
    else:
        ok(0.98 <= share <= 1.02, f"{tag}: within 2% of unpatched", share)

ended("dump")
sample = samples_ndjson(read("dump.out"))[0]
none(wrong(sample, truth), "mbmcat: every count")
none(wrong_meta(sample, truth), f"mbmcat: the path is {lab.expected_path()}")
