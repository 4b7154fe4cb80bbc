# SPDX-License-Identifier: LGPL-2.1-or-later
import re

from lab import Truth, none, ok, rc, read, samples_ndjson, text, wrong

REPORT = re.compile(r"WARNING|BUG|INFO: |possible|sleeping function|suspicious|Call Trace", re.I)
none([line for line in text("dmesg").splitlines() if REPORT.search(line)
      and "possible CPU" not in line], "the kernel reports nothing")
ok(re.search(r"debug_locks:\s+1$", text("lockdep"), re.M),
   "the lock checks were on to the end", text("lockdep")[-300:])
ok(rc("run") == 0, "mbmcat ended well", text("run.err"))
ok(len(samples_ndjson(read("run.out"))) > 10, "samples were taken all along")
none(wrong(samples_ndjson(read("run.out"))[0], Truth()), "the first sample is right")
