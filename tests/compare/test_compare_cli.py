#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""mbmcat compare on simulated results: test_compare_cli.py MBMCAT"""
import copy
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from make_bench import boots, write

MBMCAT = "mbmcat"
LOCAL, REMOTE = 5.72e6, 5.89e6


def run(*args):
    return subprocess.run([MBMCAT, "compare", *args], capture_output=True, text=True,
                          timeout=300, check=False)


class Base(unittest.TestCase):
    def setUp(self):
        tree = tempfile.TemporaryDirectory()
        self.addCleanup(tree.cleanup)
        self.dir = tree.name
        self.before = self.make("before", 5)
        self.after = self.make("after", 5, 1.22e6, 5.2e6, release="6.12.0-direct", path="direct")

    def make(self, name, number, local=LOCAL, remote=REMOTE, **more):
        return write(self.dir, name, boots(name, number, local, remote, **more))

    def file(self, name, content):
        path = f"{self.dir}/{name}"
        if isinstance(content, bytes):
            with open(path, "wb") as file:
                file.write(content)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def change(self, files, change):
        """The same results after change(result), as new files."""
        names = []
        for n, name in enumerate(files):
            with open(name, encoding="utf-8") as file:
                result = json.load(file)
            change(result)
            names.append(self.file(f"changed-{n}.json", result))
        return names

    def rows(self, *args):
        result = run("-f", "json", *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def lines_of(self, text, start):
        return [line for line in text.splitlines() if line.startswith(start)]


class Verdicts(Base):
    def test_improvement(self):
        result = run(*self.before, "--", *self.after)
        self.assertEqual(result.returncode, 0, result.stderr)
        line = self.lines_of(result.stdout, "Local Domain:")[0]
        self.assertRegex(line, r"5\.\d\dM \+-\d%.*->.*1\.2\dM.*-78\.\d%  \[-79\.\d, -78\.\d\]"
                               r"  p=0\.008  deferred -> direct$")
        self.assertIn("before (5 boots)", result.stdout)
        self.assertIn("kernel_release: 6.12.0 -> 6.12.0-direct", result.stdout)
        self.assertIn("over all 252 assignments", result.stdout)

    def test_figures(self):
        row = self.rows(*self.before, "--", *self.after)["rows"][0]
        self.assertAlmostEqual(row["p"], 2 / 252, places=12)
        self.assertAlmostEqual(row["p_holm"], 6 / 252, places=12)
        self.assertLess(row["low"], 1.22 / 5.72 - 1)
        self.assertGreater(row["high"], 1.22 / 5.72 - 1)
        self.assertAlmostEqual(row["before"]["per_read"], row["before"]["value"] / 500, places=6)
        self.assertTrue(row["told_from_noise"])

    def test_value_is_mean_of_medians(self):
        from statistics import mean, median
        values = []
        for name in self.before:
            with open(name, encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            values.append(median(median(i["cycles"] for i in cell["iterations"]
                                        if not i["warmup"])
                                 for cell in cells if cell["kind"] == "local"))
        row = self.rows(*self.before, "--", *self.after)["rows"][0]
        self.assertEqual(row["before"]["values"], values)
        self.assertAlmostEqual(row["before"]["value"], mean(values), places=3)

    def test_same_kernel(self):
        same = self.make("again", 5)
        result = run(*self.before, "--", *same)
        self.assertEqual(result.returncode, 0)
        for line in self.lines_of(result.stdout, "Local Domain:")[:1]:
            self.assertRegex(line, r"  ~  ")
        self.assertFalse(any(row["told_from_noise"]
                             for row in self.rows(*self.before, "--", *same)["rows"]))

    def test_one_boot(self):
        result = run(self.before[0], "--", self.after[0])
        self.assertIn("one boot per side: no claim of significance", result.stdout)
        line = self.lines_of(result.stdout, "Local Domain:")[0]
        self.assertRegex(line, r"-7\d\.\d%")
        self.assertNotIn("p=", line)
        self.assertNotIn("[", line)

    def test_three_boots_say_what_is_needed(self):
        result = run(*self.before[:3], "--", *self.after[:3])
        self.assertIn("3 and 3 boots can't tell 3 rows from noise", result.stdout)

    def test_iterations_are_no_boots(self):
        """One boot measured twice stays one boot."""
        again = self.change(self.before[:1], lambda r: r.update(seed=5))
        doc = self.rows(self.before[0], *again, "--", *self.after)
        self.assertEqual(len(doc["before"]), 1)
        self.assertEqual(len(doc["before"][0]["files"]), 2)
        self.assertIsNone(doc["rows"][0]["p"])

    def test_repeatable(self):
        args = ("-f", "json", *self.before, "--", *self.after)
        self.assertEqual(run(*args).stdout, run(*args).stdout)

    def test_remote_has_one_row_where_there_is_one_kind(self):
        one = {"other_package": False}
        doc = self.rows(*self.make("b", 2, **one), "--", *self.make("a", 2, **one))
        self.assertEqual([row["row"] for row in doc["rows"]][:2],
                         ["Local Domain", "Remote Domain"])

    def test_many_boots_are_drawn(self):
        result = run(*self.make("b", 14, rounds=3), "--", *self.make("a", 14, rounds=3))
        self.assertIn("Monte Carlo with 100001 assignments", result.stdout)

    def test_metric(self):
        doc = self.rows(*self.make("b", 2, pmu=False), "--", *self.after)
        self.assertEqual(doc["metric"], "tsc")
        doc = self.rows("--metric", "wall_ns", *self.before, "--", *self.after)
        self.assertEqual({row["metric"] for row in doc["rows"]}, {"wall_ns"})
        result = run("--metric", "cycles", *self.make("b", 2, pmu=False), "--", *self.after)
        self.assertEqual(result.returncode, 2)

    def test_per_domain(self):
        doc = self.rows("--per-domain", *self.before, "--", *self.after)
        self.assertEqual(sum(row["single_domain"] for row in doc["rows"]), 12)

    def test_noise_floor(self):
        result = run("--same", *self.before)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(self.lines_of(result.stdout, "Local Domain:")[0], r"at most \d\.\d\d%")

    def test_toggle(self):
        files = self.make("t", 1, toggle=1.1, rounds=40)
        row = self.rows("--toggle", *files)["rows"][0]
        self.assertAlmostEqual(row["change"], 0.1, delta=0.01)
        self.assertTrue(row["told_from_noise"])
        row = self.rows("--toggle", *self.make("u", 1, toggle=1.0, rounds=40))["rows"][0]
        self.assertFalse(row["told_from_noise"])
        self.assertEqual(run("--toggle", *self.before).returncode, 2)

    def test_cells_that_are_not_everywhere(self):
        less = self.change(self.after, lambda r: r["cells"].pop(0))
        result = run(*self.before, "--", *less)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 cell left out", result.stdout)


class Refusals(Base):
    def refused(self, change, word):
        after = self.change(self.after, change)
        result = run(*self.before, "--", *after)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertIn(word, result.stderr)
        forced = run("--force", *self.before, "--", *after)
        self.assertEqual(forced.returncode, 0, forced.stderr)
        self.assertIn("Local Domain:", forced.stdout)
        self.assertIn(word, forced.stdout)

    def test_not_comparable(self):
        for section, name, value in (
                ("machine", "cpu_model", "Other 1"), ("method", "groups", 3),
                ("method", "events", ["x"]), ("method", "pace_ns", 0),
                ("method", "pinned", False), ("method", "contention", "l3"),
                ("method", "domains", [])):
            with self.subTest(name):
                self.refused(lambda r, s=section, n=name, v=value: r[s].update({n: v}), name)

    def test_the_same_boot_on_both_sides(self):
        result = run(*self.before, "--", *self.change(self.before, lambda r: r.update(seed=1)))
        self.assertEqual(result.returncode, 2)
        self.assertIn("same boot on both sides", result.stderr)

    def test_the_same_result_twice(self):
        result = run(self.before[0], self.before[0], "--", *self.after)
        self.assertEqual(result.returncode, 2)
        self.assertIn("holds the same result as", result.stderr)

    def test_other_differences_are_listed(self):
        def change(result):
            result["machine"].update(microcode="0x2", governor="powersave", load_before=[4, 1, 1])
            result["machine"]["mitigations"]["spectre_v2"] = "Vulnerable"
        result = run(*self.before, "--", *self.change(self.after, change))
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in ("microcode: 0x1 -> 0x2", "governor: performance -> powersave",
                     "mitigations.spectre_v2: Mitigation: Retpolines -> Vulnerable",
                     "load of the minute before: 0.05 -> 4.00"):
            self.assertIn(line, result.stdout)

    def test_fail_over(self):
        worse = self.make("worse", 5, LOCAL * 1.2)
        self.assertEqual(run("--fail-over", "5%", *self.before, "--", *worse).returncode, 4)
        self.assertEqual(run("--fail-over", "30%", *self.before, "--", *worse).returncode, 0)
        self.assertEqual(run("--fail-over", "5%", *self.before, "--", *self.after).returncode, 0)
        result = run("--fail-over", "5%", self.before[0], "--", worse[0])
        self.assertEqual(result.returncode, 0)
        self.assertIn("can't be judged", result.stderr)

    def test_usage(self):
        for args in ((), (self.before[0],), ("--", self.before[0]), (self.before[0], "--"),
                     ("a", "--", "b", "--", "c"), ("a", "--", "b", "--force"), ("-f", "x"),
                     ("--fail-over", "nan", "a", "--", "b"), ("--same",), ("--metric", "x"),
                     ("--same", "--toggle", "a"), ("--fail-over", "5.", "a", "--", "b")):
            with self.subTest(args):
                result = run(*args)
                self.assertEqual(result.returncode, 2)
                self.assertEqual(result.stderr.count("\n"), 1)
        self.assertEqual(run("--help").returncode, 0)


class Files(Base):
    def bad(self, name, word):
        result = run(self.before[0], "--", name)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(name, result.stderr)
        self.assertIn(word, result.stderr)

    def sample(self):
        return boots("x", 1, LOCAL, REMOTE, rounds=2)[0]

    def test_no_json(self):
        good = json.dumps(self.sample())
        for name, content, word in (
                ("empty", "", "empty"), ("cut", good[:-20], "ends in the middle"),
                ("text", "hello", "no JSON"), ("null", "null", "null"),
                ("array", "[]", "no result"), ("number", "1", ""),
                ("nul", good[:50] + "\0" + good[50:], "NUL"),
                ("bytes", bytes(range(255, 127, -1)), "no JSON"),
                ("behind", good + "x", "behind its end"), ("two", good + good, "behind its end"),
                ("deep", "[" * 100000, "deep"), ("deep2", '{"a":' * 100, "deep"),
                ("many", "[" + "0," * 5000000 + "0]", "more than"),
                ("nested", "[" + "[]," * 600000 + "0]", "more than")):
            with self.subTest(name):
                self.bad(self.file(name, content), word)

    def test_no_file(self):
        self.bad(f"{self.dir}/absent", "No such file")
        self.bad(self.dir, "no regular file")
        os.mkfifo(f"{self.dir}/fifo")
        self.bad(f"{self.dir}/fifo", "no regular file")
        self.bad("/dev/zero", "no regular file")
        big = f"{self.dir}/big"
        with open(big, "wb") as file:
            file.truncate(1 << 30)
        self.bad(big, "larger than 128 MiB")

    def test_wrong_content(self):
        def at(path, value, delete=False):
            def change(doc):
                *way, last = path
                for step in way:
                    doc = doc[step]
                if delete:
                    del doc[last]
                else:
                    doc[last] = value
            return change
        good = self.sample()
        first = ("cells", 0, "iterations", 0)
        for path, value in (
                (("schema",), "mbmcat.bench/2"), (("schema",), 1), (("machine",), []),
                (("method",), None), (("method", "groups"), "many"),
                (("method", "rounds"), "ten"), (("method", "cpu"), 1), (("tool",), []),
                (("machine", "boot_id"), 12), (("machine", "boost"), True),
                (("machine", "num_rmids"), 1.5), (("machine", "mitigations"), "none"),
                (("method", "domains"), {}), (("cells",), {}), (("cells",), [1]),
                (("cells",), []), (("cells", 0, "kind"), "far"), (("cells", 0, "kind"), None),
                (("cells", 0, "reader"), {}), (("cells", 0, "target"), "L3"),
                (("cells", 0, "toggle"), "maybe"), (("cells", 0, "path"), 3),
                (("cells", 0, "reads"), 0), (("cells", 0, "reads"), "x"),
                (("cells", 0, "iterations"), None), (first, 7), (first + ("round",), None),
                (first + ("warmup",), 1), (first + ("wall_ns",), None),
                (first + ("cycles",), "9"), (first + ("cycles",), -1),
                (first + ("cycles",), float("nan")), (first + ("cycles",), float("inf")),
                (first + ("cycles",), []), (first + ("tsc",), 1e30),
                (("interrupted",), "no")):
            with self.subTest(path=path, value=value):
                doc = copy.deepcopy(good)
                at(path, value)(doc)
                self.bad(self.file("wrong", doc), "")
        for path in (("schema",), ("machine",), ("method", "groups"), ("method", "pinned"),
                     ("cells",), ("cells", 0, "reads"), first + ("round",),
                     first + ("wall_ns",)):
            with self.subTest(missing=path):
                doc = copy.deepcopy(good)
                at(path, None, True)(doc)
                self.bad(self.file("missing", doc), "")
        huge = json.dumps(good).replace('"switches": 0', '"switches": 1e999', 1)
        self.bad(self.file("huge", huge), "finite")

    def test_newer_minor(self):
        def newer(result):
            result.update(schema_minor=7, novelty={"a": [1]})
            result["machine"]["novelty"] = 1
            result["cells"][0]["novelty"] = []
            result["cells"][0]["iterations"][0]["novelty"] = "x"
        self.assertEqual(run(*self.change(self.before, newer), "--", *self.after).returncode, 0)

    def test_unknown_machine(self):
        def unknown(result):
            result["machine"] = {name: None for name in result["machine"]}
        both = self.change(self.before, unknown)
        result = run("--same", *both)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("names no boot", result.stdout)

    def test_interrupted(self):
        cut = self.change(self.before[:1], lambda r: r.update(interrupted=True))
        self.assertIn("was interrupted", run(*cut, "--", *self.after).stdout)

    def test_nasty_names(self):
        def nasty(result):
            result["machine"]["kernel_release"] = "<b>\x1b[31m\n\"|`&"
            result["cells"][0]["path"] = "<&\x1b>"
        files = self.change(self.after, nasty)
        plot = f"{self.dir}/plot.svg"
        text = run("--plot", plot, *self.before, "--", *files)
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertNotIn("\x1b", text.stdout)
        ElementTree.parse(plot)
        self.assertEqual(self.rows(*self.before, "--", *files)["differences"][0]["after"],
                         "<b>\x1b[31m\n\"|`&")


class Formats(Base):
    def test_csv(self):
        result = run("-f", "csv", *self.before, "--", *self.after)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        self.assertEqual(rows[0]["row"], "Local Domain")
        self.assertAlmostEqual(float(rows[0]["p"]), 2 / 252, places=12)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))

    def test_markdown(self):
        lines = run("-f", "markdown", *self.before, "--", *self.after).stdout.splitlines()
        table = [line for line in lines if line.startswith("| ")][:4]
        self.assertEqual({line.count(" | ") for line in table}, {6})

    def test_output_file(self):
        name = f"{self.dir}/out"
        result = run("-o", name, "-f", "json", *self.before, "--", *self.after)
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        with open(name, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["schema"], "mbmcat.compare/1")
        self.assertEqual(run("-o", "/dev/full", *self.before, "--", *self.after).returncode, 1)

    def test_plot(self):
        name = f"{self.dir}/plot.svg"
        for args in ((*self.before, "--", *self.after), ("--same", *self.before)):
            if args[0] == "--same":
                args = args[1:]
                result = run("--same", "--plot", name, *args)
            else:
                result = run("--plot", name, *args)
            self.assertEqual(result.returncode, 0, result.stderr)
            root = ElementTree.parse(name).getroot()
            space = "{http://www.w3.org/2000/svg}"
            self.assertEqual(root.tag, space + "svg")
            self.assertGreater(len(root.findall(f".//{space}circle")), 500)
            self.assertIn("prefers-color-scheme:dark", root.find(f"{space}style").text)


if __name__ == "__main__":
    MBMCAT = sys.argv.pop(1)
    unittest.main()
