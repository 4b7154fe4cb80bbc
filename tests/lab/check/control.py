# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import (Truth, ended, none, ok, read, sample_csv, samples_json, samples_ndjson, wrong,
                 wrong_growth, wrong_meta)

truth = Truth()
ok(len(truth.rmid) == 19 and ("p1", 'it\'s a "name", so') in truth.rmid, "19 groups", truth.rmid)
ok(len(truth.rmids(("p1", ""))) == 9 and len(truth.rmids(("", ""))) == 4, "sums of 9 and 4 RMIDs")
for tag, parse in (("ndjson", samples_ndjson), ("json", samples_json),
                   ("csv", lambda raw: [sample_csv(raw)]), ("interval", samples_ndjson)):
    ended(tag)
    samples = parse(read(tag + ".out"))
    ok(len(samples) == (4 if tag == "interval" else 1), f"{tag}: samples")
    none([p for s in samples for p in wrong(s, truth)], f"{tag}: every count and every sum")
    if tag != "csv":
        none([p for s in samples for p in wrong_meta(s, truth)], f"{tag}: path and cpu")
    none(wrong_growth(samples), f"{tag}: counts grow")
