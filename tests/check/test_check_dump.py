#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A check that can't fail is a defect: every kind of wrong output must be noticed."""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from check_dump import check
from resctrl_tree import json_name, parse

HERE = os.path.dirname(os.path.abspath(__file__))
L, T = "mbm_local_bytes", "mbm_total_bytes"
TIME = "2026-12-01T03:19:07.123456789Z"


def envelope(domain, groups, **more):
    return {"time": TIME, "start_ns": 5, "end_ns": 9, "resource": "L3", "domain": domain, **more,
            "cpu": None, "path": None, "groups": groups}


def row(ctrl, mon, local, total, **status):
    r = {"ctrl_group": ctrl, "mon_group": mon, L: local, T: total}
    return {**r, "status": status} if status else r


def sample(domains, seq=0):
    return {"schema": "mbmcat.sample/1", "host": "h", "seq": seq, "missed": 0, "domains": domains}


def with_heads(s):
    """Each domain is an object by itself."""
    head = {k: v for k, v in s.items() if k != "domains"}
    return [{**head, **d} for d in s["domains"]]


def as_lines(objects, **more):
    return b"".join(json.dumps(o, ensure_ascii=False, **more).encode() + b"\n" for o in objects)


def as_json(*samples, **more):
    return as_lines(({**s, "domains": with_heads(s)} for s in samples), **more)


def as_ndjson(*samples):
    return as_lines(d for s in samples for d in with_heads(s))


class Case(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.tree = directory.name
        self.make()

    def put(self, path, data):
        full = os.path.join(os.fsencode(self.tree), b"sys/fs/resctrl", path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(data)

    def counters(self, path, local, total, llc=b"1\n"):
        self.put(path + b"/mbm_local_bytes", local)
        self.put(path + b"/mbm_total_bytes", total)
        self.put(path + b"/llc_occupancy", llc)

    def right(self, data, fmt, **more):
        checked, wrong, messages = check(self.tree, data, fmt, **more)
        self.assertEqual((wrong, messages), (0, []))
        return checked

    def wrong(self, data, fmt, text, count=None, **more):
        _, wrong, messages = check(self.tree, data, fmt, **more)
        self.assertGreater(wrong, 0, "not noticed")
        self.assertTrue(any(text in m for m in messages), messages)
        if count is not None:
            self.assertEqual(wrong, count, messages)


class Plain(Case):
    """Two domains, 0 and 16; default group, p0, p0/w\\xff, web; a locked group and a link."""

    def make(self):
        big = b"18446744073709551615\n"
        self.counters(b"mon_data/mon_L3_00", b"1\n", b"2")
        self.counters(b"mon_data/mon_L3_16", b"3\n", big)
        self.put(b"p0/mode", b"shareable\n")
        self.counters(b"p0/mon_data/mon_L3_00", b"5\n", b"Unavailable\n")
        self.counters(b"p0/mon_data/mon_L3_16", b"9007199254740993\n", b"")
        self.counters(b"p0/mon_groups/w\xff,/mon_data/mon_L3_00", b"9\n", b"10\n")
        self.put(b"mon_groups/web/mon_data/mon_L3_16/mbm_total_bytes", b"12\n")
        self.put(b"locked/mode", b"pseudo-locked\n")
        self.counters(b"locked/mon_data/mon_L3_00", b"13\n", b"14\n")
        self.put(b"info/L3_MON/mon_features", b"mbm_total_bytes\n")
        os.symlink("p0", os.path.join(self.tree, "sys/fs/resctrl/alias"))
        self.good = sample([
            envelope(0, [row("", "", 1, 2), row("p0", "", 5, None, **{T: "Unavailable"}),
                         row("p0", "w\ufffdff,", 9, 10)]),
            envelope(16, [row("", "", 3, 18446744073709551615),
                          row("p0", "", 9007199254740993, None, **{T: "invalid"}),
                          row("", "web", None, 12, **{L: "missing"})]),
        ])
        self.csv = b"".join((
            b"time,resource,domain,ctrl_group,mon_group,mbm_local_bytes,mbm_total_bytes,status\n",
            b"@,L3,0,,,1,2,\n", b"@,L3,0,p0,,5,,mbm_total_bytes=Unavailable\n",
            b'@,L3,0,p0,"w\xff,",9,10,\n', b"@,L3,16,,,3,18446744073709551615,\n",
            b"@,L3,16,p0,,9007199254740993,,mbm_total_bytes=invalid\n",
            b"@,L3,16,,web,,12,mbm_local_bytes=missing\n",
        )).replace(b"@", TIME.encode())

    def change(self, function):
        s = copy.deepcopy(self.good)
        function(s["domains"])
        return s

    def test_right(self):
        self.assertEqual(self.right(as_json(self.good), "json"), 12)
        self.assertEqual(self.right(as_json(self.good, indent=1), "json"), 12)
        self.assertEqual(self.right(as_ndjson(self.good), "ndjson"), 12)
        self.assertEqual(self.right(self.csv, "csv"), 12)
        later = {**self.good, "seq": 3}
        self.assertEqual(self.right(as_json(self.good, later), "json", samples=2), 24)
        self.assertEqual(self.right(as_ndjson(self.good, later), "ndjson", samples=2), 24)
        rows = self.csv.split(b"\n", 1)[1]
        self.assertEqual(self.right(self.csv + rows, "csv", samples=2), 24)

    def test_events(self):
        self.wrong(as_json(self.good), "json", "left out", events=(b"llc_occupancy",))
        only = self.change(lambda d: d.__setitem__(slice(None), [
            envelope(0, [{"ctrl_group": c, "mon_group": m, "llc_occupancy": 1}
                         for c, m in (("", ""), ("p0", ""), ("p0", "w\ufffdff,"))]),
            envelope(16, [{"ctrl_group": c, "mon_group": "", "llc_occupancy": 1}
                          for c in ("", "p0")] +
                     [{"ctrl_group": "", "mon_group": "web", "llc_occupancy": None,
                       "status": {"llc_occupancy": "missing"}}])]))
        self.assertEqual(self.right(as_json(only), "json", events=(b"llc_occupancy",)), 6)

    def test_wrong_content(self):
        def group(d, g):
            return lambda ds: ds[d]["groups"][g]

        def setter(d, g, **new):
            return lambda ds: group(d, g)(ds).update(new)

        cases = [
            (setter(0, 0, **{L: 2}), "is (2, None)", 1),
            (setter(1, 0, **{T: 18446744073709551614}), "18446744073709551614", 1),
            (setter(1, 1, **{L: 9007199254740992}), "9007199254740992", 1),
            (setter(0, 0, **{L: 1.0}), "1.0", None),
            (setter(0, 0, **{L: "1"}), "'1'", None),
            (setter(0, 0, **{L: True}), "True", None),
            (setter(0, 0, **{L: -1}), "-1", None),
            (setter(0, 0, **{L: 1 << 64}), "18446744073709551616", None),
            (setter(0, 0, **{L: None}), "without a status", None),
            (setter(0, 0, status={L: "Error"}), "a number and a status", None),
            (setter(0, 0, status={}), "no object with content", None),
            (setter(0, 0, rate=1), "rate is not in the tree", 1),
            (setter(0, 1, status={T: "Error"}), "'Error'", 1),
            (setter(0, 1, status={T: "Unavailable", "x": "y"}), "isn't there", None),
            (lambda ds: (setter(0, 1, **{T: 0})(ds), group(0, 1)(ds).pop("status")),
             "is (0, None)", 1),
            (lambda ds: group(0, 0)(ds).pop(L), "left out", 1),
            (setter(0, 2, mon_group="w\ufffd,"), "is not in the tree", 4),
            (setter(0, 2, mon_group=None), "without names", None),
            (lambda ds: ds[0]["groups"].pop(), "0 times", 2),
            (lambda ds: ds[0]["groups"].append(row("", "", 1, 2)), "2 times", 2),
            (lambda ds: ds[0]["groups"].append(row("locked", "", 13, 14)), "not in the tree", 2),
            (lambda ds: ds[0]["groups"].append(row("alias", "", 5, 6)), "not in the tree", 2),
            (lambda ds: ds.pop(), "0 times", 6),
            (lambda ds: ds[1].update(domain=1), "not in the tree", 12),
            (lambda ds: ds[1].update(domain="16"), "domain is '16'", None),
            (lambda ds: ds[1].update(resource="L2"), "not in the tree", 12),
            (lambda ds: ds[1].update(sub_domain=0), "not in the tree", 12),
            (lambda ds: ds[1].update(more=0), "unknown field more", None),
            (lambda ds: ds[1].pop("cpu"), "no field cpu", None),
            (lambda ds: ds[1].update(path="local"), "path is 'local'", None),
            (lambda ds: ds[1].update(end_ns=4), "ends before it starts", None),
            (lambda ds: ds[1].update(time="2026-12-01T03:19:07Z"), "time is", None),
        ]
        for n, (change, text, count) in enumerate(cases):
            bad = self.change(change)
            self.assertNotEqual(as_json(bad), as_json(self.good))
            for fmt, writer in (("json", as_json), ("ndjson", as_ndjson)):
                with self.subTest(case=n, fmt=fmt):
                    self.wrong(writer(bad), fmt, text, count)

    def test_wrong_documents(self):
        good, line = as_json(self.good), as_ndjson(self.good)
        for data, fmt, text in (
            (b"", "json", "not complete"),
            (good[:-1], "json", "not complete"),
            (good[:-9] + b"\n", "json", "line 1"),
            (line[:-1], "ndjson", "not complete"),
            (line + b"\n", "ndjson", "line 3"),
            (line + line[:40] + b"\n", "ndjson", "line 3"),
            (b"# hello\n" + line, "ndjson", "line 1"),
            (good.replace(b'"seq": 0', b'"seq": 0, "seq": 0'), "json", "twice in one object"),
            (good.replace(b"sample/1", b"sample/2"), "json", "schema is"),
            (good.replace(b'"missed": 0', b'"missed": NaN'), "json", "NaN"),
            (good.replace(b'"h"', b'"\xff"'), "json", "utf-8"),
            (good + good, "json", "seq doesn't rise"),
            (good.replace(b'"missed": 0', b'"missed": 1', 1), "json", "of another sample"),
            (as_ndjson({**self.good, "seq": 1}, self.good), "ndjson", "seq falls"),
            (line.replace(b'"host"', b'"part": 1, "parts": 2, "host"'), "ndjson", "parts are"),
            (line.replace(b'"h"', b'"' + b"h" * 65536 + b'"'), "ndjson", "bytes"),
        ):
            with self.subTest(text=text, data=data[:60]):
                self.wrong(data, fmt, text)
        self.wrong(good + as_json({**self.good, "seq": 1}), "json", "2 samples, not 1")
        self.wrong(good, "json", "1 samples, not 2", samples=2)

    def test_parts(self):
        first, second = copy.deepcopy(self.good["domains"])
        rest = copy.deepcopy(first)
        rest["groups"] = [first["groups"].pop()]
        domains = [{**first, "part": 1, "parts": 2}, {**rest, "part": 2, "parts": 2}, second]
        self.right(as_ndjson(sample(domains)), "ndjson")
        self.wrong(as_ndjson(sample([domains[1], domains[0], second])), "ndjson", "parts are")
        self.wrong(as_ndjson(sample([first, rest, second])), "ndjson", "without part")
        self.wrong(as_json(sample(domains)), "json", "unknown field part")
        self.wrong(as_json(sample([first, rest, second])), "json", "('L3', 0, None) twice")

    def test_longest_line(self):
        line = as_ndjson(self.good)
        one, two = line.splitlines(keepends=True)
        pad = 65536 - len(one)
        self.right(one.replace(b'"h"', b'"h' + b"h" * pad + b'"') + two, "ndjson")
        self.wrong(one.replace(b'"h"', b'"hh' + b"h" * pad + b'"') + two, "ndjson", "65537 bytes")

    def test_u64_as_string(self):
        text = re.sub(rb'("mbm_\w+": )([0-9]+)', rb'\1"\2"', as_json(self.good))
        self.right(text, "json", strings=True)
        self.wrong(as_json(self.good), "json", "is 1", strings=True)
        self.wrong(text.replace(b'"5"', b'"05"'), "json", "'05'", strings=True)

    def test_wrong_csv(self):
        for old, new, text in (
            (b",1,2,", b",1,3,", "is (3, None)"),
            (b",1,2,", b",1.0,2,", "no number"),
            (b",1,2,", b",01,2,", "no number"),
            (b",1,2,", b",,2,", "left out"),
            (b",1,2,", b",1,2,mbm_total_bytes=Error", "a number and a status"),
            (b",1,2,", b",1,2,x=Error", "isn't there"),
            (b",1,2,", b",1,2", "fields"),
            (b"=Unavailable", b"=Error", "'Error'"),
            (b"mbm_total_bytes=Unavailable", b"Unavailable", "status is"),
            (b",5,,mbm_total_bytes=Unavailable", b",5,0,", "is (0, None)"),
            (b'"w\xff,"', b"w\xff,", "fields"),
            (b'"w\xff,"', b'w"\xff"', "no field"),
            (b'"w\xff,"', b'"w\xfe,"', "not in the tree"),
            (b"\n", b"\r\n", "no field"),
            (b",L3,16,,web", b",L3,17,,web", "not in the tree"),
            (b",L3,16,,web", b",L3,16,,", "2 times"),
            (b"resource,domain", b"domain,resource", "columns are"),
            (b"mbm_local_bytes,mbm_total", b"mbm_total_bytes,mbm_total", "columns are"),
            (b"mbm_local_bytes,mbm_total", b"mbm_local_byte,mbm_total", "status of an event"),
            (TIME.encode(), b"now", "time is"),
        ):
            with self.subTest(new=new):
                bad = self.csv.replace(old, new)
                self.assertNotEqual(bad, self.csv)
                self.wrong(bad, "csv", text)
        sub = re.sub(rb"^((?:[^,]*,){3})", rb"\1,", self.csv, flags=re.M)
        self.wrong(sub.replace(b"domain,,", b"domain,sub_domain,"), "csv", "don't agree")
        self.wrong(self.csv[:-1], "csv", "not complete")
        self.wrong(self.csv[: self.csv.rindex(b"\n", 0, -1) + 1], "csv", "0 times")
        self.wrong(self.csv + self.csv.splitlines(keepends=True)[-1], "csv", "2 times")
        self.wrong(b"\n", "csv", "columns are")
        cut = b"".join(re.sub(rb"^((?:[^,]*,){5})[^,]*,", rb"\1", row)
                       for row in self.csv.replace(b'"w\xff,"', b"w").splitlines(keepends=True))
        self.wrong(cut.replace(b"mbm_local_bytes=missing", b""), "csv", "tree: [")

    def run_command(self, data):
        return subprocess.run(
            [sys.executable, os.path.join(HERE, "check_dump.py"), self.tree, "-", "--format",
             "json"], input=data, capture_output=True, check=False)

    def test_command(self):
        done = self.run_command(as_json(self.good))
        self.assertEqual((done.returncode, done.stdout), (0, b"12 values checked, 0 wrong\n"))
        bad = self.change(lambda ds: ds[0]["groups"][0].update({L: 7}))
        done = self.run_command(as_json(bad))
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith(b"12 values checked, 1 wrong\n"), done.stdout)


class SubNuma(Case):
    def make(self):
        for domain, subs in ((0, (0, 1)), (1, (2,))):
            path = b"mon_data/mon_L3_%02d" % domain
            self.counters(path, b"100\n", b"200\n")
            for sub in subs:
                self.counters(path + b"/mon_sub_L3_%02d" % sub, b"%d\n" % sub, b"9\n")

    def test_sub_domains(self):
        subs = sample([envelope(d, [row("", "", s, 9)], sub_domain=s)
                       for d, s in ((0, 0), (0, 1), (1, 2))])
        sums = sample([envelope(d, [row("", "", 100, 200)]) for d in (0, 1)])
        self.assertEqual(self.right(as_json(subs), "json"), 6)
        self.assertEqual(self.right(as_ndjson(sums), "ndjson", sums=True), 4)
        self.wrong(as_json(sums), "json", "not in the tree")
        self.wrong(as_json(subs), "json", "not in the tree", sums=True)
        self.wrong(as_json(sample(subs["domains"] + sums["domains"])), "json", "not in the tree")

    def test_csv(self):
        text = (b"time,resource,domain,sub_domain,ctrl_group,mon_group,"
                b"mbm_local_bytes,mbm_total_bytes,status\n" +
                b"".join(b"%s,L3,%d,%d,,,%d,9,\n" % (TIME.encode(), d, s, s)
                         for d, s in ((0, 0), (0, 1), (1, 2))))
        self.assertEqual(self.right(text, "csv"), 6)
        self.wrong(text.replace(b",0,1,,", b",0,,,"), "csv", "not in the tree")


class Other(Case):
    def make(self):
        self.put(b"mon_data/mon_PERF_PKG_00/core_energy", b"1.5\n")
        self.put(b"mon_data/mon_junk/mbm_total_bytes", b"1\n")

    def test_nothing_to_check(self):
        self.wrong(as_json(sample([])), "json", "nothing to check")

    def test_other_resource(self):
        record = {"ctrl_group": "", "mon_group": "", "core_energy": None,
                  "status": {"core_energy": "invalid"}}
        good = sample([envelope(0, [record])])
        good["domains"][0]["resource"] = "PERF_PKG"
        self.assertEqual(self.right(as_json(good), "json", events=(b"core_energy",)), 1)

    def test_parse(self):
        for data, value in (
            (b"0\n", 0), (b"7", 7), (b"18446744073709551615\n", (1 << 64) - 1),
            (b"Error\n", "Error"), (b"Frob-1_x", "Frob-1_x"), (b"A" * 23, "A" * 23),
            (b"A" * 24, "invalid"), (b"", "invalid"), (b"\n", "invalid"), (b"1\n\n", "invalid"),
            (b"-1\n", "invalid"), (b" 1\n", "invalid"), (b"1 \n", "invalid"), (b"1\0", "invalid"),
            (b"12.5", "invalid"), (b"18446744073709551616\n", "invalid"), (b"1_0", "invalid"),
            (b"\xd9\xa1", "invalid"), (b"Two words\n", "invalid"), (b"9a", "invalid"),
        ):
            with self.subTest(data=data):
                want = (value, None) if isinstance(value, int) else (None, value)
                self.assertEqual(parse(data), want)

    def test_json_name(self):
        for name, text in (
            (b"plain", "plain"), (b"\xc3\xbc", "\u00fc"), (b"a\xff", "a\ufffdff"),
            (b"\xe2\x82", "\ufffde2\ufffd82"), (b"\xed\xa0\x80", "\ufffded\ufffda0\ufffd80"),
            (b"\xc0\xaf", "\ufffdc0\ufffdaf"), (b"\xef\xbf\xbd", "\ufffdef\ufffdbf\ufffdbd"),
            (b"\xf4\x90\x80\x80", "\ufffdf4\ufffd90\ufffd80\ufffd80"),
        ):
            with self.subTest(name=name):
                self.assertEqual(json_name(name), text)


class Schema(unittest.TestCase):
    SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
              "required": ["a"], "properties": {"a": {"type": "integer"}}}

    def run_command(self, text, *python):
        with tempfile.TemporaryDirectory() as d:
            for name, content in (("s", json.dumps(self.SCHEMA)), ("f", text)):
                with open(os.path.join(d, name), "w", encoding="utf-8") as f:
                    f.write(content)
            return subprocess.run(
                [*(python or ("/usr/bin/python3",)), os.path.join(HERE, "validate_schema.py"),
                 os.path.join(d, "s"), os.path.join(d, "f")], capture_output=True, check=False)

    def test_schema(self):
        for text, code, last in (
            ('{"a": 1}\n', 0, b"1 documents validated, 0 errors\n"),
            ('{"a": 1, "b": "\u2028"}\n{"a": 2}\n', 0, b"2 documents validated, 0 errors\n"),
            ('{"a": 1}\n{"a": "2"}\n{}\n', 1, b"3 documents validated, 2 errors\n"),
            ('{"a": 1}\n{"a": ', 1, b""), ("", 1, b""),
        ):
            with self.subTest(text=text):
                done = self.run_command(text)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertTrue(done.stdout.endswith(last))

    def test_no_module(self):
        done = self.run_command("{}", "/usr/bin/python3", "-S", "-E", "-s")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"has no jsonschema", done.stderr)


if __name__ == "__main__":
    unittest.main()
