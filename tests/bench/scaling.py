# SPDX-License-Identifier: LGPL-2.1-or-later
"""Cost per counter by the number of domains, groups and children: a table and plots."""
import glob
import os
import subprocess
import sys
import tempfile

DOMAINS = (1, 2, 4, 8, 16, 32)
GROUPS = (10, 50, 100, 150, 200, 250)
LAB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lab/run")
COLORS = ("#1b6ca8", "#c2410c", "#15803d")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 70, 40, 150, 50


def measure(b, domains, groups):
    tree = b.tree(domains, groups)
    n = domains * groups * 2
    ours = [b.tool("mbmcat"), "--sysroot", tree, "-f", "ndjson"]
    point = {"loop": b.inside("loop", tree) / n, "dump": b.instructions(ours) / n}
    b.drop(tree)
    return point


def children():
    """kernel -> [(children, instructions per read)], from the lab."""
    with tempfile.TemporaryDirectory(prefix="mbmcat-scaling.") as data:
        run = subprocess.run([LAB, "children"], env={**os.environ, "LAB_DATA": data}, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode:
            sys.exit(f"bench: tests/lab/run children failed:\n{run.stdout[-2000:]}")
        found = {}
        for where in sorted(glob.glob(os.path.join(data, "children.*"))):
            with open(os.path.join(where, "out/figures"), encoding="utf-8") as f:
                found[where.rsplit(".", 1)[1]] = [tuple(map(float, x.split())) for x in f]
    return found


def plot(title, unit, series):
    """Lines over their points, from 0; series: name -> [(x, y)]."""
    top = max(y for line in series.values() for _, y in line) * 1.1
    right = max(x for line in series.values() for x, _ in line)
    w, h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x, y):
        return f"{LEFT + x / right * w:.1f},{TOP + h - y / top * h:.1f}"

    def text(x, y, words, more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="12" fill="#333">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           text(LEFT, TOP - 18, title, 'font-size="14"')]
    for i in range(5):
        y = TOP + h - h * i / 4
        out.append(f'<path d="M{LEFT} {y:.1f}h{w}" stroke="#ddd"/>')
        out.append(text(LEFT - 8, y + 4, f"{top * i / 4:.0f}", 'text-anchor="end"'))
    free = 0
    for x in sorted({x for line in series.values() for x, _ in line}):
        # Labels that would lie on one another are left out.
        if x / right * w < free:
            continue
        free = x / right * w + 28
        out.append(text(LEFT + x / right * w, TOP + h + 18, f"{x:g}", 'text-anchor="middle"'))
    out.append(text(LEFT + w / 2, HEIGHT - 12, unit, 'text-anchor="middle"'))
    for (name, line), color in zip(series.items(), COLORS):
        out.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" '
                   f'points="{" ".join(at(x, y) for x, y in line)}"/>')
        for x, y in line:
            cx, cy = at(x, y).split(",")
            out.append(f'<circle cx="{cx}" cy="{cy}" r="3" fill="{color}"/>')
        last = float(at(*line[-1]).split(",")[1])
        out.append(text(LEFT + w + 10, last + 4, name, f'style="fill:{color}"'))
    return "\n".join([*out, "</svg>", ""])


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---:|" * len(heads)]
    lines += ["| " + " | ".join(str(c) for c in r) + " |" for r in rows]
    return "\n".join(lines) + "\n"


TEXT = """<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->
# What a counter costs, by what there is

Written by `cmake --build --preset release --target scaling`; made anew, it changes only where the
program or the kernel does. Domains and groups: instructions of the program on a made tree, the
kernel's part left out, counted by valgrind; "loop" is one pass of an endless dump over files that
are open, "dump" a run from start to end with its output (`-f ndjson`). Children: a read of a control
group's file on the lab's kernels, where the kernel adds up all groups in it; user and kernel, one
domain, under an emulator that counts instructions.

## Domains, with 250 groups and 2 events
{domains}
![by domains](scaling-domains.svg)

## Groups, in 32 domains with 2 events
{groups}
![by groups](scaling-groups.svg)

## Monitoring groups in a control group
{children}
![by children](scaling-children.svg)
"""


def run(b, write):
    by_domains = {d: measure(b, d, 250) for d in DOMAINS}
    by_groups = {g: measure(b, 32, g) for g in GROUPS}
    kernels = children()
    names = list(kernels)
    parts = {
        "domains": table(("domains", "loop", "dump"),
                         [(d, f"{p['loop']:.1f}", f"{p['dump']:.1f}")
                          for d, p in by_domains.items()]),
        "groups": table(("groups", "loop", "dump"),
                        [(g, f"{p['loop']:.1f}", f"{p['dump']:.1f}")
                         for g, p in by_groups.items()]),
        "children": table(("children", *names),
                          [(f"{row[0][0]:.0f}", *(f"{y:.0f}" for _, y in row))
                           for row in zip(*kernels.values())]),
    }
    whole = TEXT.format(**parts)
    print(whole)
    b.judge(by_domains[32]["loop"] <= 1.1 * by_domains[1]["loop"],
            "32 domains cost at most 1.1 of one, per counter")
    if not write:
        return
    os.makedirs(write, exist_ok=True)

    def lines(points):
        return {what: [(x, p[what]) for x, p in points.items()] for what in ("loop", "dump")}

    files = {
        "scaling.md": whole,
        "scaling-domains.svg": plot("Instructions per counter, beside the kernel's", "domains",
                                    lines(by_domains)),
        "scaling-groups.svg": plot("Instructions per counter, beside the kernel's", "groups",
                                   lines(by_groups)),
        "scaling-children.svg": plot("Instructions per read, user and kernel",
                                     "monitoring groups in the control group", kernels),
    }
    for name, content in files.items():
        with open(os.path.join(write, name), "w", encoding="utf-8") as f:
            f.write(content)
