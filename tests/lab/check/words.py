# SPDX-License-Identifier: LGPL-2.1-or-later
import csv

from lab import (DEFAULT_EVENTS, Truth, ended, none, ok, rc, read, sample_csv, samples_json,
                 samples_ndjson, text, wrong)

truth = Truth()
ok(text("cat") == "Error\nUnavailable\n", "the kernel gives both words", text("cat"))
words = {((1, None), ("", "g2"), "mbm_local_bytes"): "Error"}
for d in truth.domains:
    for e in DEFAULT_EVENTS:
        words[d, ("", "g5"), e] = "Unavailable"

ended("before")
none(wrong(samples_ndjson(read("before.out"))[0], truth), "before: numbers")
for tag, parse in (("ndjson", samples_ndjson), ("json", samples_json), ("interval", samples_ndjson),
                   ("strict", samples_ndjson)):
    ok(rc(tag) == (3 if tag == "strict" else 0), f"{tag}: its exit code", rc(tag),
       text(tag + ".err"))
    samples = parse(read(tag + ".out"))
    none([p for s in samples for p in wrong(s, truth, words=words)],
         f"{tag}: null and the word there, numbers elsewhere")
ended("csv")
rows = list(csv.DictReader(text("csv.out").splitlines()))
ok({r["mon_group"] for r in rows if r["status"]} == {"g2", "g5"},
   "csv: a status in the rows of g2 and g5 alone")
ok(all((r["mbm_local_bytes"] == "") == ((r["domain"], r["mon_group"]) == ("1", "g2")
                                        or r["mon_group"] == "g5")
       and (r["mbm_total_bytes"] == "") == (r["mon_group"] == "g5")
       and all(w in r["status"] for w in (["Unavailable"] if r["mon_group"] == "g5" else
                                          ["Error"] if r["mbm_local_bytes"] == "" else []))
       for r in rows), "csv: empty counts and their words")
none([p for p in wrong([d for d in sample_csv(read("csv.out"))], truth,
                       words={k: next(r["status"] for r in rows
                                      if (int(r["domain"]), r["mon_group"]) == (k[0][0], k[1][1]))
                              for k in words})], "csv: numbers elsewhere")
ok("Error" in text("table.out") and "Unavailable" in text("table.out"), "table: both words")

every = {(d, g, e): "Unavailable" for d in truth.domains for g in truth.rmid
         for e in DEFAULT_EVENTS}
for tag in ("all", "allstrict"):
    none(wrong(samples_ndjson(read(tag + ".out"))[0], truth, words=every), f"{tag}: words alone")
ok(rc("allstrict") == 3, "allstrict: exit 3", rc("allstrict"))
# After Unavailable the kernel starts from 0 again and adds to what it had: the
# code of every count, read before and after, is in there twice.
ended("after")
none(wrong(samples_ndjson(read("after.out"))[0], truth, times=(2,)), "after: numbers again")
