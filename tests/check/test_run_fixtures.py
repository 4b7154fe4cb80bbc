#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""run_fixtures.py with stand-ins for mkfakefs and mbmcat: it must notice what goes wrong."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MKFAKEFS = """#!/bin/sh
[ "$1" = -r ] && exec rm -r "$2"
mkdir -p "$2/sys/fs/resctrl/mon_data/mon_L3_00" || exit
echo 42 > "$2/sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes"
"""
GOOD = """echo time,resource,domain,ctrl_group,mon_group,mbm_total_bytes,status
echo 2031-01-02T03:04:05.000000006Z,L3,0,,,42,"""


class RunFixtures(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.dir = directory.name
        self.put("mkfakefs", MKFAKEFS, 0o755)

    def put(self, name, text, mode=0o644):
        with open(os.path.join(self.dir, name), "w", encoding="ascii") as f:
            f.write(text)
        os.chmod(f.name, mode)

    def run_tool(self, script, *more, spec="# Stands for: a test\n"):
        self.put("mbmcat", f"#!/bin/sh\n{script}\n", 0o755)
        self.put("a.spec", spec)
        done = subprocess.run(
            [sys.executable, os.path.join(HERE, "run_fixtures.py"), "--fixtures", self.dir,
             "--mbmcat", f"{self.dir}/mbmcat", "--mkfakefs", f"{self.dir}/mkfakefs",
             "--formats", "csv", *more], capture_output=True, check=False, text=True)
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout.endswith("1..1\n"), done.stdout)
        self.assertEqual(done.returncode, 0 if done.stdout.startswith("ok 1 - a") else 1)
        return done.stdout

    def test_golden(self):
        self.assertIn("no golden/a.csv", self.run_tool(GOOD))
        self.assertTrue(self.run_tool(GOOD, "--update").startswith("ok"))
        self.assertTrue(self.run_tool(GOOD).startswith("ok"))
        later = GOOD.replace("2031", "2032")
        self.assertTrue(self.run_tool(later).startswith("ok"))
        quoted = GOOD.replace("L3,", '\'"L3"\',')
        self.assertIn("golden/a.csv differs in line 2", self.run_tool(quoted))

    def test_values(self):
        wrong = self.run_tool(GOOD.replace("42", "43"), "--update")
        self.assertIn("not ok 1", wrong)
        self.assertIn("# 1 values checked, 1 wrong", wrong)
        self.assertFalse(os.path.exists(f"{self.dir}/golden/a.csv"), "kept a wrong golden")

    def test_exit(self):
        self.assertIn("exit 1, not 0: mbmcat: no", self.run_tool("echo mbmcat: no >&2; exit 1"))
        spec = "# Exit: 1\n"
        one = "echo mbmcat: no >&2; exit 1"
        self.assertTrue(self.run_tool(one, spec=spec).startswith("ok"))
        self.assertIn("exit 0, not 1", self.run_tool(GOOD, spec=spec))
        for script in (f"echo; {one}", f"echo mbmcat: two >&2; {one}", "exit 1",
                       "echo no >&2; exit 1"):
            with self.subTest(script=script):
                self.assertIn("not one message", self.run_tool(script, spec=spec))
        strict = self.run_tool(GOOD, "--update", spec="# Strict: 3\n")
        self.assertIn("exit 0, not 3", strict)

    def test_no_tree(self):
        self.put("mkfakefs", "#!/bin/sh\necho line 1: no >&2; exit 1\n", 0o755)
        self.assertIn("# line 1: no", self.run_tool(GOOD))


if __name__ == "__main__":
    unittest.main()
