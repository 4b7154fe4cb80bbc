# SPDX-License-Identifier: LGPL-2.1-or-later
"""table.py DIR [--json]: the probes' figures in the data that `run` kept."""

import json
import os
import sys

CELLS = [("paths", "unpatched"), ("paths", "direct"), ("paths", "local-only"), ("nohz", "unpatched")]
NAMES = {"first": "local, first CPU", "other": "local, other CPU", "remote": "remote",
         "reopen": "local, open+read+close", "deferred": "local, other domain",
         "direct": "local, nohz_full domain"}

rows = []
for case, kernel in CELLS:
    out = os.path.join(sys.argv[1], f"{case}.{kernel}", "out")
    for tag in NAMES:
        path = os.path.join(out, tag + ".out")
        if not os.path.exists(path) or not os.path.getsize(path):
            continue
        with open(path, encoding="utf-8") as f:
            o = json.load(f)
        rows.append({"kernel": kernel + (", nohz_full" if case == "nohz" else ""),
                     "cell": NAMES[tag],
                     "instructions_per_read": round(o["wall_ns"] / o["reads"], 1),
                     "switches_per_read": round(o["switches"] / o["reads"], 3)})

if "--json" in sys.argv[2:]:
    print(json.dumps(rows, indent=2))
else:
    print(f"{'KERNEL':22} {'CELL':24} {'INSTRUCTIONS/READ':>18} {'SWITCHES/READ':>14}")
    for r in rows:
        print(f"{r['kernel']:22} {r['cell']:24} {r['instructions_per_read']:18.0f} "
              f"{r['switches_per_read']:14.3f}")
sys.exit(0 if rows else 1)
