# SPDX-License-Identifier: LGPL-2.1-or-later
import json
import os

from lab import KERNEL, OUT, Truth, ok, text

truth = Truth()
ok(len(truth.rmid) == 202, "200 groups in p0 in the end")
figures = []
for n in (0, 1, 5, 10, 25, 50, 100, 150, 200):
    runs = [json.loads(text(f"with{n}.{i}.out")) for i in (1, 2, 3)]
    figures.append((n, min(o["wall_ns"] / o["reads"] for o in runs)))
    print(f"# {KERNEL:10} {n:4} children {figures[-1][1]:9.0f} instructions/read")
ok(figures[-1][1] > figures[0][1] + 200 * 50, "the kernel adds up each child", figures)
with open(os.path.join(OUT, "figures"), "w", encoding="utf-8") as f:
    f.writelines(f"{n} {cost:.1f}\n" for n, cost in figures)
