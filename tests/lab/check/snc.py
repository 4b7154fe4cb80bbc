# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import (Truth, ended, none, ok, read, sample_csv, samples_json, samples_ndjson, text,
                 wrong, wrong_growth, wrong_meta)

truth = Truth()
ok(sorted(truth.domains) == [(0, 0), (0, 1), (1, 2), (1, 3)] and truth.snc == 2,
   "2 sub-domains in each of 2 domains", truth.domains)
for tag, parse in (("ndjson", samples_ndjson), ("json", samples_json),
                   ("csv", lambda raw: [sample_csv(raw)]), ("interval", samples_ndjson)):
    ended(tag)
    samples = parse(read(tag + ".out"))
    none([p for s in samples for p in wrong(s, truth)],
         f"{tag}: every count is its own sub-domain's")
    if tag != "csv":
        none([p for s in samples for p in wrong_meta(s, truth)],
             f"{tag}: read on a CPU of the sub-domain")
    none(wrong_growth(samples), f"{tag}: counts grow")
ok(text("csv.out").startswith("time,resource,domain,sub_domain,ctrl_group,"), "csv: the header",
   text("csv.out")[:100])

# --sum puts the sum files in the place of the sub-domains.
sums = [(0, None), (1, None)]
for tag, sample in (("sum", samples_ndjson(read("sum.out"))[0]),
                    ("sumcsv", sample_csv(read("sumcsv.out")))):
    ended(tag)
    none(wrong(sample, truth, domains=sums), f"{tag}: the sums of both sub-domains")
    if tag == "sum":
        none(wrong_meta(sample, truth), f"{tag}: path and cpu")
