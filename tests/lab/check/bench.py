# SPDX-License-Identifier: LGPL-2.1-or-later
"""What compare, outside, makes of what bench measured in each of several boots."""

import json
import os
import re
import subprocess

from lab import KERNEL, OUT, ok


def boots(kernel):
    top = os.path.join(OUT, "..", "..", "bench." + kernel)
    found = [d for d in os.listdir(top) if d.startswith("boot")]
    return [os.path.join(top, d, "out") for d in sorted(found, key=lambda d: int(d[4:]))]


def files(kernel):
    return [os.path.join(d, "bench.json") for d in boots(kernel)]


def compare(before, after, *options):
    return subprocess.run([os.environ["MBMCAT"], "compare", *options, *before, "--", *after],
                          capture_output=True, text=True, check=False)


def line(text, name):
    return next((x for x in text.splitlines() if x.startswith(name)), "")


here = [json.load(open(f, encoding="utf-8")) for f in files(KERNEL)]
ended = [open(os.path.join(d, "bench.rc"), encoding="utf-8").read().strip() for d in boots(KERNEL)]
ok(set(ended) == {"0"}, f"bench ended well in each of {len(ended)} boots", ended)
ok(len({h["machine"]["boot_id"] for h in here}) == len(here), "each boot has an id of its own")

def shown(before, after):
    r = compare(before, after)
    print("#", *r.stdout.splitlines(), sep="\n#   ")
    ok(r.returncode == 0, "compare ends well", r.stderr)
    return r.stdout


ROWS = {"Local Domain": "direct", "Remote Domain": "remote"}
unpatched = files("unpatched")
if KERNEL == "unpatched":
    # A level of 5% is one false alarm in twenty, by design. Two splits of the same boots,
    # nearly independent, hardly ever give one each; a compare that sees what isn't there does.
    splits = [shown(unpatched[0::2], unpatched[1::2]), shown(unpatched[:5], unpatched[5:])]
    for name in ROWS:
        found = [line(s, name) for s in splits]
        ok(all("p=" in f for f in found) and any("  ~  " in f for f in found),
           f"like and like: {name} is ~", *found)
else:
    text = shown(unpatched[0::2], files(KERNEL))
    for name, path in ROWS.items():
        found = line(text, name)
        m = re.search(r"  (-[0-9.]+)%  .*  p=([0-9.]+)  (.*)", found)
        ok(m and float(m[1]) < -50 and float(m[2]) < 0.05, f"{name}: cheaper by far, p < 0.05", found)
        ok(m and m[3].strip() == f"deferred -> {path}", f"{name}: deferred before, {path} after", found)
