# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import (Truth, ended, none, ok, read, samples_ndjson, says, text, wrong, wrong_growth,
                 wrong_meta)

truth = Truth()
ok(len(truth.rmid) == 56, "56 groups x 4 domains x 2 events: 448 files")
for tag, lines in (("few", 1), ("fewfour", 1), ("fewinterval", 1), ("soft", 0), ("tiny", 1)):
    ended(tag, 0, lines)
    if lines:
        says(tag, "file")
    samples = samples_ndjson(read(tag + ".out"))
    ok(len(samples) == (4 if tag == "fewinterval" else 1), f"{tag}: samples")
    none([p for s in samples for p in wrong(s, truth) + wrong_meta(s, truth)],
         f"{tag}: every count")
    none(wrong_growth(samples), f"{tag}: counts grow")
