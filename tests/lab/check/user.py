# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import Truth, ended, none, ok, read, samples_ndjson, says, text, wrong, wrong_meta

truth = Truth()
ok(text("id.out") == "1000\n", "the user is 1000")
for tag in ("ndjson", "strict"):
    ended(tag)
    s = samples_ndjson(read(tag + ".out"))[0]
    none(wrong(s, truth) + wrong_meta(s, truth), f"{tag}: every count")
ended("interval")
ok(len(text("interval.out").splitlines()) == 1 + 3 * 2 * 10, "interval: all rows",
   len(text("interval.out").splitlines()))
ended("list")
for tag in ("mount", "closed"):
    ended(tag, 1, 1)
    ok(read(tag + ".out") == b"", f"{tag}: nothing on stdout")
    says(tag, "/sys/fs/resctrl" if tag == "closed" else "mount")
