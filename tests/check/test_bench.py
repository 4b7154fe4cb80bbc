#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs mbmcat bench on captured trees. Prints TAP. Exit: 0 all as it should be, 1 not.

No check depends on how long something takes.
"""
import argparse
import contextlib
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(os.path.dirname(HERE), "fixtures")
VALIDATE = os.path.join(HERE, "validate_schema.py")
FIGURES = ("cycles", "instructions", "task_clock_ns", "tsc", "wall_ns", "switches", "migrations",
           "context_switches", "thread_cpu_ns", "system_cycles")


class Wrong(Exception):
    pass


def want(condition, text):
    if not condition:
        raise Wrong(text)


def equal(a, b, text):
    want(a == b, f"{text}: {a!r}, not {b!r}")


class Bench:
    def __init__(self, a, work):
        self.a = a
        self.work = work
        self.tree = os.path.join(work, "snc")
        self.build("snc", self.tree)

    def build(self, name, tree):
        subprocess.run([self.a.mkfakefs, os.path.join(FIXTURES, f"{name}.spec"), tree],
                       check=True)

    def large(self):
        """Two packages of two domains, 80 counters in each; built when first asked for."""
        tree = os.path.join(self.work, "large")
        if not os.path.exists(tree):
            subprocess.run([self.a.mkfakefs, "-", tree], check=True, text=True,
                           input="machine packages=2 l3=0,1,8,9\ngroups 39\n")
        return tree

    def path(self, name):
        return os.path.join(self.work, name)

    def command(self, *options, tree=None):
        return [self.a.mbmcat, "bench", "--sysroot", tree or self.tree, *options]

    def run(self, *options, code=0, tree=None, **more):
        done = subprocess.run(self.command(*options, tree=tree), capture_output=True, text=True,
                              check=False, timeout=120, **more)
        equal(done.returncode, code, f"exit code of {options} ({done.stderr[-300:]!r})")
        return done

    def document(self, *options, **more):
        return json.loads(self.run("--json", "--pace", "0", "--rounds", "3", "--warmup", "2",
                                   *options, **more).stdout)

    def valid(self, text):
        done = subprocess.run(["/usr/bin/python3", VALIDATE, self.a.schema, "-"], input=text,
                              capture_output=True, text=True, check=False)
        equal(done.returncode, 0, done.stdout + done.stderr)


def kinds(doc):
    return sorted(c["kind"] for c in doc["cells"])


def check_whole(doc, rounds, warmup):
    for cell in doc["cells"]:
        its = cell["iterations"]
        equal([i["round"] for i in its], list(range(rounds + warmup)), "rounds")
        equal([i["warmup"] for i in its], [r < warmup for r in range(rounds + warmup)], "warm-up")
        for i in its:
            want(i["wall_ns"] > 0, "no wall time")
            for f in FIGURES:
                want(doc["sources"][f]["source"] or i[f] is None, f"{f} without a source")
    for f in FIGURES:
        s = doc["sources"][f]
        want((s["source"] is None) != (s["reason"] is None), f"{f}: source or reason")


def test_document(b):
    doc = b.document()
    check_whole(doc, 3, 2)
    equal(doc["schema"], "mbmcat.bench/1", "schema")
    equal(kinds(doc), sorted(["local", "remote-same-package", "remote-other-package"] * 4 +
                             ["dry"]), "cells")
    equal(doc["method"]["pinned"], False, "a captured tree binds nothing")
    equal(doc["machine"]["host"], "snc", "host")
    equal(doc["machine"]["kernel_release"], "6.12.0", "release")
    equal(doc["method"]["groups"], 3, "groups")
    equal({c["path"] for c in doc["cells"]}, {None}, "paths")
    equal({c["reads"] for c in doc["cells"]}, {6}, "reads")
    equal(doc["interrupted"], False, "interrupted")
    equal((doc["sweep"], doc["victim"]), (None, None), "not asked for")


def test_everything_is_valid(b):
    done = b.run("-jq", "--pace", "0", "--rounds", "2", "--sweep-parallel", "--victim", "--matrix",
                 "--contention", "l2", "-d", "0")
    b.valid(done.stdout)
    doc = json.loads(done.stdout)
    equal([s["parallel"] for s in doc["sweep"]], [1, 2], "sweep")
    equal(len(doc["victim"]["cells"]), 4, "victims")
    want(all(c["on"]["dumps"] and not c["off"]["dumps"] for c in doc["victim"]["cells"]),
         "dumps on and off")


def test_shapes_are_valid(b):
    for options in (["--anonymize"], ["--contention", "l3"], ["--no-pin"], ["--cpu", "any"],
                    ["--toggle-off", "true", "--toggle-on", "true"], ["--sum"],
                    ["-e", "llc_occupancy"], ["--warmup", "0"]):
        b.valid(b.run("-jq", "--pace", "0", "--rounds", "1", *options).stdout)


def test_selection(b):
    doc = b.document("-d", "1", "-e", "mbm_total_bytes", "-g", "web")
    equal(kinds(doc), sorted(["local", "remote-same-package"] * 2 + ["dry"]), "cells")
    equal({c["reads"] for c in doc["cells"]}, {1}, "reads")
    equal(doc["method"]["events"], ["mbm_total_bytes"], "events")


def test_matrix(b):
    equal(len(b.document("--matrix")["cells"]), 17, "cells")


def test_dry_is_as_large(b):
    doc = b.document("-d", "0,8", tree=b.large())
    equal({c["reads"] for c in doc["cells"]}, {80}, "reads")
    equal(kinds(doc), ["dry", "local", "local", "remote-other-package", "remote-other-package"],
          "cells")


def test_no_dry(b):
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))

    done = b.run("-j", "--pace", "0", "--rounds", "1", "-d", "0", tree=b.large(),
                 preexec_fn=few_files)
    want("no dry cell" in done.stderr, done.stderr)
    equal(kinds(json.loads(done.stdout)), ["local"], "cells")


def test_same_seed_same_order(b):
    log = b.path("order")

    def order(seed):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(log)
        doc = b.document("--seed", str(seed), "--rounds", "12",
                         "--toggle-off", f"echo off >>{shlex.quote(log)}",
                         "--toggle-on", f"echo on >>{shlex.quote(log)}")
        equal(doc["seed"], seed, "seed")
        with open(log, encoding="ascii") as f:
            return f.read()

    first = order(5)
    equal(order(5), first, "order of the same seed")
    want(any(order(s) != first for s in range(6, 10)), "every seed gives the same order")
    equal(first.split()[-1], "off", "left as")


def test_toggle_doubles_cells(b):
    doc = b.document("--toggle-off", "true", "--toggle-on", "echo words; true")
    equal(sorted(c["toggle"] for c in doc["cells"]), ["off"] * 13 + ["on"] * 13, "toggles")


def test_toggle_fails(b):
    out = b.path("toggled")
    done = b.run("--pace", "0", "--rounds", "1", "-o", out, "--toggle-off", "true",
                 "--toggle-on", "exit 7", code=1)
    want("exit 7" in done.stderr and "code 7" in done.stderr, done.stderr)
    equal(done.stdout, "", "stdout")
    want(not os.path.exists(out), "a file was left")


def test_text(b):
    done = b.run("--pace", "0", "--rounds", "4", "--warmup", "1")
    equal(done.stderr, "", "stderr")
    for word in ("4 rounds and 1 to warm up", "P10", "P50", "P90", "PER READ", "SW/READ", "WALL",
                 "FAR OUT", "DRIFT", "local", "dry", "Missing: no "):
        want(word in done.stdout, f"no {word!r} in\n{done.stdout}")


def test_file_and_text(b):
    out = b.path("result.json")
    done = b.run("--pace", "0", "--rounds", "1", "-o", out)
    want("PER READ" in done.stdout, done.stdout)
    with open(out, encoding="utf-8") as f:
        b.valid(f.read())
    equal([n for n in os.listdir(b.work) if n.startswith("result")], ["result.json"], "files")


def test_anonymize(b):
    done = b.run("-j", "--pace", "0", "--rounds", "1", "-g", "web", "--anonymize")
    want("web" not in done.stdout and b.tree not in done.stdout, "a name is left")
    equal(json.loads(done.stdout)["machine"]["host"], None, "host")


def test_interrupted(b):
    """INT in the middle of a round: the rounds before it are all there."""
    log = b.path("int")
    os.mkfifo(log)
    command = b.command("-jq", "--pace", "0", "--rounds", "1000000", "--warmup", "1",
                        "--toggle-off", f"echo off >{shlex.quote(log)}",
                        "--toggle-on", f"echo on >{shlex.quote(log)}")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as run:
        flips = 0
        while flips < 7:
            with open(log, encoding="ascii") as f:
                flips += len(f.read().split())
        run.send_signal(signal.SIGINT)
        # Those under way, and the last one that restores what was found.
        drain = os.open(log, os.O_RDWR | os.O_NONBLOCK)
        stdout, stderr = run.communicate(timeout=60)
        os.close(drain)
    equal(run.returncode, 0, f"exit code ({stderr!r})")
    b.valid(stdout)
    doc = json.loads(stdout)
    equal(doc["interrupted"], True, "interrupted")
    rounds = {len(c["iterations"]) for c in doc["cells"]}
    equal(len(rounds), 1, f"rounds differ: {rounds}")
    check_whole(doc, rounds.pop() - 1, 1)


def test_interrupted_before_the_first(b):
    """As early as it can come: no round, and still a whole document."""
    log = b.path("int0")
    os.mkfifo(log)
    command = b.command("-jq", "--rounds", "3", "--toggle-off", "true",
                        "--toggle-on", f"cat {shlex.quote(log)}")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        with open(log, "w", encoding="ascii"):
            run.send_signal(signal.SIGINT)
        stdout = run.communicate(timeout=60)[0]
    equal(run.returncode, 0, "exit code")
    b.valid(stdout)
    equal({len(c["iterations"]) for c in json.loads(stdout)["cells"]}, {0}, "rounds")


def test_full_disk(b):
    done = b.run("--pace", "0", "--rounds", "1", "-o", "/dev/full", code=1)
    want("/dev/full" in done.stderr, done.stderr)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(b.command("--pace", "0", "--rounds", "1"), stdout=full,
                              stderr=subprocess.PIPE, check=False)
    equal(done.returncode, 1, "exit code with a full stdout")


def test_no_such_directory(b):
    b.run("--rounds", "1", "-o", b.path("no/such"), code=1)


def test_bad_arguments(b):
    for options in (["--rounds", "0"], ["--rounds", "1x"], ["--warmup", "-1"], ["--pace", "x"],
                    ["--pace", ""], ["--seed", "x"], ["--seed", "99999999999999999999"],
                    ["--cpu", "auto"], ["--contention", "l4"], ["--toggle-on", "true"],
                    ["--toggle-off", ""], ["-o", ""], ["--rates"], ["1"], ["-d", "99"],
                    ["-g", "no-such"], ["--seed"]):
        done = b.run(*options, code=2)
        want(done.stderr.count("\n") == 1 and not done.stdout, f"{options}: {done.stderr!r}")


def test_nothing_to_read(b):
    tree = b.path("nomon")
    b.build("nomon", tree)
    done = b.run("--rounds", "1", code=1, tree=tree)
    want(done.stderr.count("\n") == 1 and not done.stdout, done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mbmcat", "mkfakefs", "schema"):
        parser.add_argument(f"--{name}", required=True)
    a = parser.parse_args()
    tests = [(n, f) for n, f in globals().items() if n.startswith("test_")]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mbmcat-bench-") as work:
        b = Bench(a, work)
        for n, (name, test) in enumerate(tests, 1):
            try:
                test(b)
                print(f"ok {n} - {name}", flush=True)
            except (Wrong, subprocess.SubprocessError, ValueError, KeyError) as e:
                failed += 1
                print(f"not ok {n} - {name}\n# " + str(e).replace("\n", "\n# "), flush=True)
    print(f"1..{len(tests)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
