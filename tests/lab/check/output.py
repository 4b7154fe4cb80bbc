# SPDX-License-Identifier: LGPL-2.1-or-later
import json

from lab import Truth, ended, none, ok, rc, read, samples_ndjson, says, text, wrong, wrong_growth

truth = Truth()
for tag in ("head", "headcsv", "headlong"):
    ended(tag)
    ok(read(tag + ".out").count(b"\n") == 1, f"{tag}: one line")
json.loads(text("head.out"))
for tag in ("full", "fullcsv", "fulltable", "fullinterval", "fullfile"):
    ended(tag, 1, 1)
    says(tag, "No space left")
ended("closed", 1, 1)
ended("nodir", 1, 1)
says("nodir", "/no/such")
for tag in ("INT", "TERM", "wait"):
    ended(tag)
    ok(read(tag + ".out").endswith(b"\n"), f"{tag}: the last line is whole")
    samples = samples_ndjson(read(tag + ".out"))
    none([p for s in samples[:-1] for p in wrong(s, truth)], f"{tag}: every count but the last's")
    none(wrong([d for d in samples[-1]], truth, domains=[d.key for d in samples[-1]]),
         f"{tag}: every count of the last sample's domains")
    none(wrong_growth(samples), f"{tag}: counts grow")
for tag in ("interval0", "interval-1", "intervalnan", "interval1x", "interval1e400", "count0",
            "badoption"):
    ok(rc(tag) == 2 and read(tag + ".out") == b"", f"{tag}: usage, exit 2", rc(tag),
       text(tag + ".err"))
