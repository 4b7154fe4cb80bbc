# SPDX-License-Identifier: LGPL-2.1-or-later
import json

from lab import (Truth, ended, none, ok, read, sample_csv, samples_json, samples_ndjson, says,
                 text, wrong, wrong_growth, wrong_meta)

truth = Truth()
ok(len(truth.rmid) == 50 and len(truth.domains) == 4, "50 groups, 4 domains", truth.rmid)
ok(read("truth") == read("truth-after"), "dumping changed no group")

one = {}
for tag, parse in (("ndjson", samples_ndjson), ("json", samples_json),
                   ("csv", lambda raw: [sample_csv(raw)])):
    ended(tag)
    samples = parse(read(tag + ".out"))
    ok(len(samples) == 1, f"{tag}: one sample")
    none(wrong(samples[0], truth), f"{tag}: 400 counts, each read in its domain for its group")
    if tag != "csv":
        none(wrong_meta(samples[0], truth), f"{tag}: path and cpu")
    one[tag] = samples[0]
none(wrong_growth([one["ndjson"], one["json"], one["csv"]]), "counts grow from dump to dump")

ended("table")
lines = text("table.out").splitlines()
numbers = [int(w) for line in lines for w in line.split() if w.isdigit() and len(w) > 6]
codes = sorted(truth.code(d, g, e) for d in truth.domains for g in truth.rmid
               for e in ("mbm_local_bytes", "mbm_total_bytes"))
ok(sorted(n % (1 << 20) for n in numbers) == codes, "table: the same 400 counts",
   f"{len(numbers)} numbers", *lines[:10])
ended("default")

for tag, n, doc in (("interval", 6, samples_ndjson), ("jsonlines", 3, samples_json),
                    ("rates", 3, samples_ndjson), ("four", 3, samples_ndjson)):
    ended(tag)
    samples = doc(read(tag + ".out"))
    ok([s[0].meta["seq"] for s in samples] == list(range(n)), f"{tag}: {n} samples in order")
    none([p for s in samples for p in wrong(s, truth) + wrong_meta(s, truth)],
         f"{tag}: every count of every sample")
    none(wrong_growth(samples), f"{tag}: counts grow")
ok(len(text("jsonlines.out").splitlines()) == 3, "json with an interval is a document a line")

rates, bad = [json.loads(line) for line in text("rates.out").splitlines()], []
last = {}
for o in rates:
    for g in o["groups"]:
        key = (o["domain"], g["ctrl_group"], g["mon_group"])
        value, rate = g["mbm_total_bytes"], g.get("mbm_total_bytes_per_second", "absent")
        if key not in last:
            if rate is not None:
                bad.append(f"{key}: rate {rate} in the first sample")
        else:
            v0, t0 = last[key]
            spans = [(t - u) / 1e9 for t in (o["start_ns"], o["end_ns"]) for u in t0]
            low, high = (value - v0) / max(spans), (value - v0) / max(min(spans), 1e-9)
            if not isinstance(rate, (int, float)) or not low * .98 <= rate <= high * 1.02:
                bad.append(f"{key}: rate {rate}, expected {low:.0f} to {high:.0f}")
        last[key] = (value, (o["start_ns"], o["end_ns"]))
none(bad, "rates: null at first, then the difference over the domain's own interval")

for tag in ("two", "any", "first"):
    ended(tag)
    s = samples_ndjson(read(tag + ".out"))[0]
    none(wrong(s, truth) + wrong_meta(s, truth), f"{tag}: every count")
none([d.meta for d in samples_ndjson(read("first.out"))[0]
      if d.meta["cpu"] != min(truth.cpus(d.key))], "first: the first CPU of each domain")

ended("llc")
none(wrong(samples_ndjson(read("llc.out"))[0], truth, events=["llc_occupancy"]),
     "llc: llc_occupancy alone")
ended("chosen")
none(wrong(samples_ndjson(read("chosen.out"))[0], truth, domains=[(1, None), (2, None)],
           groups=[g for g in truth.rmid if g[1].startswith("g0")], events=["mbm_total_bytes"]),
     "chosen: these groups, domains and events and no others")

ended("file")
ok(read("file.out") == b"", "file: stdout is empty")
none(wrong(samples_ndjson(read("file.content"))[0], truth), "file: every count")

ended("list")
listed = text("list.out")
ok(all(f'"{g[1]}"' in listed for g in truth.rmid), "list: every group", listed[:500])
json.loads(listed)

for tag, word in (("nogroup", "nosuch"), ("nodomain", "7"), ("noevent", "nosuch")):
    ok(read(tag + ".out") == b"" and text(tag + ".rc").strip() in ("1", "2"),
       f"{tag}: an error", text(tag + ".rc"))
    says(tag, word)
