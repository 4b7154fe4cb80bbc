# SPDX-License-Identifier: LGPL-2.1-or-later
"""The checks checked: a right sample passes, and each way of being wrong is seen."""

import copy
import os
import tempfile

import lab

with tempfile.TemporaryDirectory() as lab.OUT:
    with open(os.path.join(lab.OUT, "truth"), "w", encoding="utf-8") as f:
        for ctrl, mon, rmid in (("", "", 0), ("", "a", 1), ("p", "", 2), ("p", "b", 3)):
            f.write(f"group\t{ctrl}\t{mon}\t{rmid}\n")
        for cpu in range(4):
            f.write(f"cpu\t{cpu}\t{cpu // 2}\t0\n")
        f.write("domain\tmon_L3_00\t\ndomain\tmon_L3_01\t\nnum_rmids\t256\n")
    truth = lab.Truth()


def right(seq):
    sample = []
    for key in truth.domains:
        d = lab.Domain(key)
        d.meta = {"seq": seq, "host": "lab", "resource": "L3", "path": "deferred",
                  "cpu": key[0] * 2, "start_ns": 1, "end_ns": 2}
        for g in truth.rmid:
            for e in lab.DEFAULT_EVENTS:
                d.put(g, e, truth.code(key, g, e) + (lab.CODE << seq))
        sample.append(d)
    return sample


def problems(change, path=None):
    samples = [right(0), right(1)]
    change(samples)
    lab.KERNEL = "unpatched"
    return (sum((lab.wrong(s, truth) for s in samples), []) +
            sum((lab.wrong_meta(s, truth, path) for s in samples), []) + lab.wrong_growth(samples))


A, B, P = ("", "a"), ("p", "b"), ("p", "")
LOCAL, TOTAL = lab.DEFAULT_EVENTS


def swap(d, k1, k2):
    d.values[k1], d.values[k2] = d.values[k2], d.values[k1]


def swap_domains(samples):
    a, b = samples[1]
    a.values, b.values = b.values, a.values


lab.none(problems(lambda s: None), "a right sample passes")
for name, change in {
    "another group's count": lambda s: swap(s[1][0], (A, LOCAL), (B, LOCAL)),
    "another event's count": lambda s: swap(s[1][0], (A, LOCAL), (A, TOTAL)),
    "another domain's counts": swap_domains,
    "a sum without a child": lambda s: s[1][0].values.update(
        {(P, LOCAL): s[1][0].values[(P, LOCAL)] - truth.code((0, None), B, LOCAL)}),
    "a group that is missing": lambda s: s[1][0].values.pop((A, TOTAL)),
    "a group too many": lambda s: s[1][0].put(("", "x"), LOCAL, 3),
    "a group twice": lambda s: s[1][0].put(A, LOCAL, 3),
    "a domain that is missing": lambda s: s[1].pop(),
    "a domain twice": lambda s: s[1].append(copy.deepcopy(s[1][0])),
    "a 0": lambda s: s[1][0].values.update({(A, LOCAL): 0}),
    "a word": lambda s: s[1][0].values.update({(A, LOCAL): "Error"}),
    "a count that falls": lambda s: s.reverse(),
    "counts that stand still": lambda s: s[1].__setitem__(0, s[0][0]),
    "a CPU of another domain": lambda s: s[1][0].meta.update(cpu=3),
    "a wrong path": lambda s: s[1][0].meta.update(path="direct"),
    "an end before the start": lambda s: s[1][0].meta.update(end_ns=0),
}.items():
    lab.ok(problems(change), f"{name} is seen")
