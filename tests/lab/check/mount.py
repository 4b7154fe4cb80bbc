# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import Truth, ended, none, ok, rc, read, samples_ndjson, says, text, wrong

truth = Truth()
for tag in ("unmounted", "unmountedjson", "unmountedlist"):
    ended(tag, 1, 1)
    says(tag, "resctrl", "mount")
    ok(read(tag + ".out") == b"", f"{tag}: nothing on stdout")
for tag, word in (("tmpfs", "/tmp"), ("nodir", "/no/such"), ("file", "/etc/passwd"),
                  ("inside", "mon_groups")):
    ok(rc(tag) in (1, 2) and len(text(tag + ".err").splitlines()) == 1 and
       read(tag + ".out") == b"", f"{tag}: refused", rc(tag), text(tag + ".err"))
    says(tag, word)
ok(rc("mount") == 0, "mount: exit 0", rc("mount"), text("mount.err"))
ok("/sys/fs/resctrl resctrl" in text("mounts.out"), "mount: it is mounted", text("mounts.out"))
s = samples_ndjson(read("mount.out"))[0]
ok(len(s) == 2 and all(len(d.values) == 2 and all(isinstance(v, int) for v in d.values.values())
                       for d in s), "mount: the default group in 2 domains", read("mount.out"))
for tag in ("elsewhere", "given", "again"):
    ok(rc(tag) == 0, f"{tag}: exit 0", rc(tag), text(tag + ".err"))
    none(wrong(samples_ndjson(read(tag + ".out"))[0], truth), f"{tag}: found and dumped")
ended("elsewhere")
ended("given")
