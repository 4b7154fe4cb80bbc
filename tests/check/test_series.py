#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Wrong metrics and line protocol must be noticed: each change of a right text by itself."""
import os
import tempfile
import unittest

from check_dump import check

B = "resctrl_memory_bandwidth_bytes"
ABOUT = {
    "openmetrics": f"# HELP {B} Bytes.\n# TYPE {B} counter\n# UNIT {B} bytes\n",
    "prometheus": f"# HELP {B}_total Bytes.\n# TYPE {B}_total counter\n",
}
VALUES = f"""{B}_total{{ctrl_group="",mon_group="",domain="0",scope="local"}} 1
{B}_total{{ctrl_group="",mon_group="",domain="0",scope="total"}} 18446744073709551615
{B}_total{{ctrl_group="q\\"\\\\",mon_group="",domain="0",scope="local"}} 5
"""
REST = """# HELP resctrl_event_status Words.
# TYPE resctrl_event_status gauge
resctrl_event_status{ctrl_group="q\\"\\\\",mon_group="",domain="0",event="mbm_total_bytes",@} 1
# HELP resctrl_dump_duration_seconds Time.
# TYPE resctrl_dump_duration_seconds gauge
UNITresctrl_dump_duration_seconds{domain="0"} 0.000000001
# HELP resctrl_dump_path Path.
# TYPE resctrl_dump_path gauge
resctrl_dump_path{domain="0",path="direct"} 1
# HELP resctrl_dump_missedTOTAL Missed.
# TYPE resctrl_dump_missedTOTAL counter
resctrl_dump_missed_total 0
# HELP resctrl_build_info Build.
# TYPE resctrl_build_info gauge
resctrl_build_info{version="1"} 1
""".replace("@", 'status="Unavailable"')
INFLUX = """resctrl,host=h,resource=L3,domain=0 mbm_local_bytes=1i,mbm_total_bytes_status="too-large" @
resctrl,ctrl_group=q"\ufffd5c,host=h,resource=L3,domain=0 mbm_local_bytes=5i,\
mbm_total_bytes_status="Unavailable" @
resctrl_dump,host=h,resource=L3,domain=0 duration_ns=5i,missed=0i,path="direct" @
""".replace("@", "1796094247123456789")


def metrics(fmt):
    text = ABOUT[fmt] + VALUES
    if fmt == "prometheus":
        return text + REST.replace("UNIT", "").replace("TOTAL", "_total")
    unit = "# UNIT resctrl_dump_duration_seconds seconds\n"
    return text + REST.replace("UNIT", unit).replace("TOTAL", "") + "# EOF\n"


class Series(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.tree = directory.name
        for group, local, total in (("", "1", "18446744073709551615"), ('q"\\/', "5", "Unavailable")):
            path = os.path.join(self.tree, f"sys/fs/resctrl/{group}mon_data/mon_L3_00")
            os.makedirs(path)
            for name, value in (("mbm_local_bytes", local), ("mbm_total_bytes", total)):
                with open(os.path.join(path, name), "w", encoding="ascii") as f:
                    f.write(value + "\n")

    def right(self, text, fmt, **more):
        self.assertEqual(check(self.tree, text.encode(), fmt, **more)[1:], (0, []))

    def wrong(self, text, fmt, old, new, said):
        bad = text.replace(old, new, 1)
        self.assertNotEqual(bad, text, old)
        _, count, messages = check(self.tree, bad.encode(), fmt)
        self.assertGreater(count, 0, f"{new!r} was not noticed")
        self.assertTrue(any(said in m for m in messages), (new, messages))

    def test_right(self):
        for fmt in ABOUT:
            self.right(metrics(fmt), fmt)
        self.right(INFLUX, "influx")
        self.right(INFLUX * 2, "influx", samples=2)

    def test_metrics(self):
        for fmt in ABOUT:
            text = metrics(fmt)
            for old, new, said in (
                ("} 1\n", "} 2\n", "is (2, None)"), ("} 1\n", "} 1.5\n", "no number"),
                ("} 1\n", "} 01\n", "no number"), ("} 1\n", "} NaN\n", "line"),
                ("} 1\n", "} 1 1796094247123\n", "line"), ("} 1\n", "} 1 \n", "line"),
                ("} 5\n", "} 5\n\n", "line"),
                ("51615\n", "51616\n", "64 bits"),
                ('scope="local"', 'scope="total"', "twice"),
                ('scope="local"', 'scope="other"', "not in the tree"),
                ('domain="0"', 'domain="1"', "1 domains of 2"),
                ('domain="0"', 'domain="x"', "64 bits"),
                (',scope="local"', "", "other labels"),
                (',scope="local"', ',scope="local",', "no label"),
                ('ctrl_group="",', 'ctrl_group="",ctrl_group="",', "twice"),
                ('q\\"', 'q"', "no label"), ("\\\\", "\\", "no label"),
                ("Unavailable", "Error", "is (None, 'Error')"),
                ("Unavailable", "", "status:"), ("Unavailable", "two words", "status:"),
                ('="mbm_total_bytes"', '="mbm_local_bytes"', "twice"),
                (VALUES, "", "left out"), ("# HELP resctrl_build", "# HALP resctrl_build", "line"),
                (" gauge\nresctrl_event", " counter\nresctrl_event", "resctrl_event_status"),
                ("0.000000001", "0.1", "duration"), ('path="direct"', 'path="straight"', "path"),
                ('seconds{domain="0"', 'seconds{domain="3"', "domain ('L3', 3"),
                ("resctrl_dump_missed_total 0", "resctrl_dump_missed_totals 0", "missed"),
                ("# TYPE resctrl_dump_path gauge\n", "", "of no family"),
                ("# HELP resctrl_dump_path Path.\n", "", "no HELP"),
            ):
                with self.subTest(fmt=fmt, new=new):
                    self.wrong(text, fmt, old, new, said)
            self.wrong(text, fmt, text, text[:-1], "not complete" if fmt == "prometheus" else "")
            line = VALUES.splitlines(keepends=True)[0]
            self.wrong(text, fmt, "# HELP resctrl_build", line + "# HELP resctrl_build", "family")

    def test_openmetrics(self):
        text = metrics("openmetrics")
        for old, new, said in (
            ("# EOF\n", "", "no # EOF"), ("# EOF\n", "# EOF\n# EOF\n", "line"),
            (f"# UNIT {B} bytes\n", "", "UNIT"), (f"{B} bytes\n", f"{B} seconds\n", "UNIT"),
            ("_total{", "{", "in the family"),
        ):
            with self.subTest(new=new):
                self.wrong(text, "openmetrics", old, new, said)
        self.wrong(text, "prometheus", "# EOF\n", "", "_total")
        self.wrong(metrics("prometheus"), "openmetrics", "Build.", "Built.", "no # EOF")

    def test_influx(self):
        for old, new, said in (
            ("=1i", "=2i", "is (2, None)"), ("=1i", "=1", "no field"), ("=1i", "=1u", "no field"),
            ("=1i", "=1.0", "no field"), ("=1i", '="1"', "is '1'"),
            ("=1i", "=9223372036854775808i", "signed"), ("=1i,", "=1i,,", "no field"),
            ("mbm_total_bytes_status", "mbm_local_bytes_status", "a number and a status"),
            ("too-large", "Error", "is (None, 'Error')"), ("host=h,", "host=,", "no tag"),
            ("host=h,", "", "{'resource'"), ("host=h,", "host=h,host=h,", "no tag"),
            ("host=h,", "host=a b,", "no field"), ("host=h,", "host=a\\ b,", ""),
            ('ctrl_group=q"\ufffd5c', 'ctrl_group=q"\\', "behind the tags"),
            ("resctrl,host", "other,host", "measurement other"), ("domain=0", "domain=7", "tree"),
            (" 1796094247123456789", "", "time"), ("89\n", "8\n", "time"),
            ("missed=0i,", "", "{'duration_ns'"), ("direct", "straight", "'straight'"),
            ("89\nresctrl", "89\n\nresctrl", "no measurement"),
        ):
            if not said:
                self.right(INFLUX.replace(old, new), "influx")
                continue
            with self.subTest(new=new):
                self.wrong(INFLUX, "influx", old, new, said)
        self.right(INFLUX.replace("=1i", '="1"').replace("bytes=5i", 'bytes="5"').replace(
            '_status="too-large"', '="18446744073709551615"'), "influx", strings=True)


if __name__ == "__main__":
    unittest.main()
