# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the host's side of a case can use. Knows the simulation's counts and the
documented output, and nothing of mbmcat's own code."""

import csv
import io
import json
import os
import sys

EVENT_ID = {"llc_occupancy": 1, "mbm_total_bytes": 2, "mbm_local_bytes": 3}
DEFAULT_EVENTS = ["mbm_local_bytes", "mbm_total_bytes"]
CODE = 1 << 20

OUT = sys.argv[1]
KERNEL = sys.argv[2]


def ok(good, name, *why):
    print(("ok " if good else "not ok ") + name)
    if not good:
        for w in why:
            for line in str(w).splitlines()[:6]:
                print("#   " + line[:400])


def none(problems, name):
    """A test that a list of problems is empty."""
    ok(not problems, name, *problems[:8], f"{len(problems)} problem(s)")


def read(name):
    with open(os.path.join(OUT, name), "rb") as f:
        return f.read()


def text(name):
    return read(name).decode("utf-8")


def rc(tag):
    return int(text(tag + ".rc"))


def ended(tag, code=0, lines=0):
    """The command ended with that code and that many lines on stderr."""
    err = text(tag + ".err").splitlines()
    ok(rc(tag) == code and len(err) == lines,
       f"{tag}: exit {code}, {lines} line(s) on stderr",
       f"exit {rc(tag)}, stderr:", *err[:10])


def says(tag, *words):
    """stderr is one message of the tool and names all of these."""
    err = text(tag + ".err")
    good = err.startswith("mbmcat: ") and all(w in err for w in words)
    ok(good, f"{tag}: the message names {', '.join(words)}", err)


class Truth:
    """The kernel's own account, read in the guest with cat and ls."""

    def __init__(self, name="truth"):
        self.rmid = {}       # (ctrl, mon) -> RMID
        self.domains = []    # (L3 id, node or None)
        self.l3_of = {}      # CPU -> L3 id
        self.node_of = {}    # CPU -> node
        self.num_rmids = 0
        for line in text(name).splitlines():
            kind, *f = line.split("\t")
            if kind == "group":
                self.rmid[(f[0], f[1])] = int(f[2])
            elif kind == "domain":
                sub = int(f[1].removeprefix("mon_sub_L3_")) if f[1] else None
                self.domains.append((int(f[0].removeprefix("mon_L3_")), sub))
            elif kind == "cpu":
                self.l3_of[int(f[0])] = int(f[1])
                self.node_of[int(f[0])] = int(f[2])
            elif kind == "num_rmids":
                self.num_rmids = int(f[0])
        self.snc = len({s for d, s in self.domains if d == self.domains[0][0]})

    def cpus(self, dom):
        l3, node = dom
        return {c for c in self.l3_of
                if self.l3_of[c] == l3 and node in (None, self.node_of[c])}

    def rmids(self, group):
        """A control group's file adds up its own RMID and its children's."""
        ctrl, mon = group
        if mon:
            return [self.rmid[group]]
        return [r for (c, _), r in self.rmid.items() if c == ctrl]

    def code(self, dom, group, event, failing=()):
        """The low bits of a right count; (L3 id, None) with SNC is the sum. The
        kernel adds up what it can read: RMIDs that are failing are left out."""
        l3, node = dom
        nodes = [node] if node is not None else (
            [s for d, s in self.domains if d == l3] if self.snc > 1 else [0])
        total = 0
        for n in nodes:
            for r in set(self.rmids(group)) - set(failing):
                physical = r + (n % self.snc) * self.num_rmids
                total += l3 << 10 | physical << 2 | EVENT_ID[event]
        return total % CODE


class Domain:
    """One domain of one sample, whatever format it came in."""

    def __init__(self, key):
        self.key = key       # (domain, sub_domain or None)
        self.meta = {}
        self.values = {}     # (group, event) -> int, or a word
        self.twice = []

    def put(self, group, event, value):
        if (group, event) in self.values:
            self.twice.append(f"{self.key} {group} {event} is there twice")
        self.values[(group, event)] = value


META = ("schema", "host", "seq", "missed", "time", "start_ns", "end_ns", "resource",
        "domain", "sub_domain", "cpu", "path", "groups")
GROUP = ("ctrl_group", "mon_group", "status", "rates")


def of_object(o):
    d = Domain((o["domain"], o.get("sub_domain")))
    d.meta = {k: v for k, v in o.items() if k != "groups"}
    for g in o["groups"]:
        name = (g["ctrl_group"], g["mon_group"])
        for event in EVENT_ID:
            if event not in g:
                continue
            value = g[event]
            word = g.get("status", {}).get(event)
            if (value is None) != (word is not None):
                d.twice.append(f"{d.key} {name} {event}: value {value} beside status {word}")
            d.put(name, event, word if value is None else value)
    return d


def samples_ndjson(raw):
    """Samples in order: each a list of domains with the same seq."""
    out = []
    for line in raw.decode("utf-8").splitlines():
        d = of_object(json.loads(line))
        if not out or out[-1][0].meta["seq"] != d.meta["seq"]:
            out.append([])
        out[-1].append(d)
    return out


def samples_json(raw):
    """One document per sample; a document may span lines."""
    out, s, pos = [], raw.decode("utf-8"), 0
    decoder = json.JSONDecoder()
    while s[pos:].strip():
        pos += len(s[pos:]) - len(s[pos:].lstrip())
        o, pos = decoder.raw_decode(s, pos)
        out.append([of_object({**{k: v for k, v in o.items() if k != "domains"}, **d})
                    for d in o["domains"]])
    return out


def sample_csv(raw):
    """One sample."""
    out = {}
    for row in csv.DictReader(io.StringIO(raw.decode("utf-8"), newline="")):
        sub = row.get("sub_domain")
        key = (int(row["domain"]), int(sub) if sub else None)
        d = out.setdefault(key, Domain(key))
        group = (row["ctrl_group"], row["mon_group"])
        for event in EVENT_ID:
            if event in row:
                d.put(group, event, int(row[event]) if row[event] else row["status"])
    return list(out.values())


def wrong(sample, truth, domains=None, groups=None, events=None, words=None, times=(1,)):
    """All that is wrong in a sample: every group x domain x event is there once,
    nothing else is, and every count was read in its domain for its group.
    `words`: (domain, group, event) -> the word expected there.
    `times`: how often a code may be in its count (see words.py)."""
    domains = set(truth.domains if domains is None else domains)
    groups = set(truth.rmid if groups is None else groups)
    events = DEFAULT_EVENTS if events is None else events
    words = words or {}
    bad = []
    keys = [d.key for d in sample]
    if len(keys) != len(set(keys)) or set(keys) != domains:
        bad.append(f"domains {sorted(keys, key=str)}, expected {sorted(domains, key=str)}")
    want = {(g, e) for g in groups for e in events}
    for d in sample:
        bad += d.twice
        if d.key not in domains:
            continue
        bad += [f"{d.key} {k} is missing" for k in want - d.values.keys()]
        bad += [f"{d.key} {k} is one too many" for k in d.values.keys() - want]
        for (g, e), v in d.values.items():
            if (g, e) not in want:
                continue
            word = words.get((d.key, g, e))
            if word is not None or not isinstance(v, int):
                if v != word:
                    bad.append(f"{d.key} {g} {e}: {v!r}, expected {word!r}")
                continue
            failing = [truth.rmid[k[1]] for k in words if (k[0], k[2]) == (d.key, e)]
            code = truth.code(d.key, g, e, failing)
            if v % CODE not in [code * n % CODE for n in times]:
                bad.append(f"{d.key} {g} {e}: {v} says (L3 {v % CODE >> 10}, RMID "
                           f"{v % 1024 >> 2}, event {v % 4}), expected (L3 {code >> 10}, RMID "
                           f"{code % 1024 >> 2}, event {code % 4})")
    return bad


def expected_path():
    """Of a read inside the domain, in this kernel."""
    return "deferred" if KERNEL in ("unpatched", "lockdep") else "direct"


def wrong_meta(sample, truth, path=None):
    """All that is wrong around the counts."""
    path = path or {}
    default = expected_path()
    bad = []
    for d in sample:
        m = d.meta
        want = path.get(d.key, default)
        if m.get("path") != want:
            bad.append(f"{d.key}: path {m.get('path')}, expected {want}")
        inside = m.get("cpu") in truth.cpus(d.key)
        if inside != (want != "remote"):
            bad.append(f"{d.key}: cpu {m.get('cpu')}, its CPUs {sorted(truth.cpus(d.key))}")
        if m.get("resource") != "L3" or m.get("host") != "lab":
            bad.append(f"{d.key}: resource {m.get('resource')}, host {m.get('host')}")
        if not 0 < m.get("start_ns", 0) <= m.get("end_ns", 0):
            bad.append(f"{d.key}: from {m.get('start_ns')} to {m.get('end_ns')}")
    return bad


def wrong_growth(samples):
    """Counts only grow from sample to sample, and have grown in the end."""
    bad, first, last = [], {}, {}
    for n, sample in enumerate(samples):
        for d in sample:
            for k, v in d.values.items():
                key = (d.key, *k)
                if not isinstance(v, int):
                    continue
                if v < last.get(key, 0):
                    bad.append(f"sample {n} {key}: {last[key]} -> {v}")
                last[key] = v
                first.setdefault(key, v)
    if len(samples) > 1:
        bad += [f"{k} stands still at {v}" for k, v in last.items()
                if v == first[k] and k[2] != "llc_occupancy"]
    return bad
