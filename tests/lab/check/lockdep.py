# SPDX-License-Identifier: LGPL-2.1-or-later
import re

from lab import Truth, none, ok, rc, read, samples_ndjson, text, wrong

REPORT = re.compile(r"\b(?:WARNING|BUG): |INFO: (?:task|trying|possible|rcu)|possible (?:recurs|circ)")
# 6.12's own: a CPU that goes offline sets the overflow worker free to move, and
# that one then asks which CPU it is on. None of our paths, patched or not.
KNOWN = "Workqueue: events mbm_handle_overflow"

lines = text("dmesg").splitlines()
starts = [n for n, line in enumerate(lines) if REPORT.search(line)]
reports = ["\n".join(lines[a:b]) for a, b in zip(starts, starts[1:] + [len(lines)])]
unknown = [r for r in reports if not ("smp_processor_id" in r.splitlines()[0] and KNOWN in r)]
print(f"# {len(reports)} report(s), {len(reports) - len(unknown)} of them 6.12's known one")
none(unknown, "the kernel reports nothing else")
ok(re.search(r"debug_locks:\s+1$", text("lockdep"), re.M),
   "the lock checks were on to the end", text("lockdep")[-300:])
ok(rc("run") == 0, "mbmcat ended well", text("run.err"))
ok(len(samples_ndjson(read("run.out"))) > 10, "samples were taken all along")
none(wrong(samples_ndjson(read("run.out"))[0], Truth()), "the first sample is right")
