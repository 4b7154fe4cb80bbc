#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Dumps every machine of tests/fixtures in every format, checks the values against the tree and
the text against golden/NAME.FORMAT. Prints TAP. Exit: 0 all as it should be, 1 not.

Lines of a spec that say what to run and expect:
    # Options: -e llc_occupancy   more options of dump
    # Exit: 1                     the exit code; not 0: no output, one message
    # Strict: 3                   the exit code with --strict as well
    # Resctrl: mnt/elsewhere      where the groups are in the tree
    # User: nobody                root reads everything: run as nobody
    # Golden: no                  too long to keep
"""
import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

from check_dump import DEFAULT_EVENTS, check

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(os.path.dirname(HERE), "fixtures")
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}
CHECKED = ("json", "ndjson", "csv", "openmetrics", "prometheus", "influx")
FORMATS = (*CHECKED, "table")
# In which it differs from openmetrics, its reader checks.
NO_GOLDEN = ("prometheus",)


class Wrong(Exception):
    pass


def settings(spec):
    with open(spec, encoding="utf-8") as f:
        return dict(re.findall(r"^# (Options|Exit|Strict|Resctrl|User|Golden): (.*)$", f.read(),
                               re.M))


def normalised(data):
    """Without what differs from run to run."""
    for pattern, fixed in (
        (rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", b"2026-12-01T03:19:07.123456789Z"),
        (rb'("start_ns": ?|"end_ns": ?)\d+', rb"\g<1>0"),
        (rb'("host": ?)"[^"]*"', rb'\1"HOST"'),
        (rb"(?m)^(resctrl_dump_duration_seconds\{.*\}) [0-9.]+$", rb"\1 0.000000000"),
        (rb'(resctrl_build_info\{version=)"[^"]*"', rb'\1"VERSION"'),
        (rb"(?m)^(resctrl.*,host=)[^, ]+", rb"\1HOST"),
        (rb"(?m)^(resctrl.* )\d{19}$", rb"\g<1>1796094247123456789"),
        (rb"( duration_ns=)\d+i", rb"\g<1>0i"),
    ):
        data = re.sub(pattern, fixed, data)
    return data


def run(command, code, **more):
    done = subprocess.run(command, capture_output=True, check=False, timeout=120, **more)
    if done.returncode != code:
        raise Wrong(f"exit {done.returncode}, not {code}: "
                    f"{(done.stderr or done.stdout)[-500:].decode(errors='replace')}")
    return done


@contextlib.contextmanager
def seen_by(user):
    """The checker has to see the tree with the eyes of whoever ran the tool."""
    groups = os.getgroups() if user else None
    try:
        if user:
            os.setgroups([])
            os.setegid(user["group"])
            os.seteuid(user["user"])
        yield
    finally:
        if user:
            os.seteuid(0)
            os.setegid(0)
            os.setgroups(groups)


def compare_golden(a, name, fmt, data):
    path = os.path.join(a.fixtures, "golden", f"{name}.{fmt}")
    new = normalised(data)
    if a.update:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(new)
        return
    try:
        with open(path, "rb") as f:
            old = f.read()
    except FileNotFoundError:
        raise Wrong(f"no golden/{name}.{fmt}; look at the output, then run with --update") \
            from None
    if old != new:
        at = len(os.path.commonprefix([old, new]))
        line = old.count(b"\n", 0, at) + 1
        part = slice(max(0, at - 60), at + 60)
        raise Wrong(f"golden/{name}.{fmt} differs in line {line}\n"
                    f"was {old[part]!r}\nnow {new[part]!r}")


def second_opinion(command, data):
    """Of a program that knows nothing of ours; 77: it is not there."""
    done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=120)
    if done.returncode not in (0, 77) or (not done.returncode and done.stderr):
        raise Wrong(f"{command[:2]}: {(done.stdout + done.stderr)[-500:].decode()}")


def one(a, mbmcat, name, fmt, tree, s):
    as_user = NOBODY if s.get("User") == "nobody" and os.geteuid() == 0 else {}
    options = s.get("Options", "").split()
    command = [mbmcat, "dump", "--sysroot", tree, "-f", fmt, *options]
    code = int(s.get("Exit", 0))
    done = run(command, code, **as_user)
    if code:
        if done.stdout or not re.fullmatch(rb"mbmcat: [^\n]+\n", done.stderr):
            raise Wrong(f"not one message and nothing else: {done.stdout[:200] + done.stderr!r}")
        return
    if "Strict" in s:
        run([*command, "--strict"], int(s["Strict"]), **as_user)
    if fmt in CHECKED:
        events = DEFAULT_EVENTS
        if "-e" in options:
            events = [os.fsencode(e) for e in options[options.index("-e") + 1].split(",")]
        with seen_by(as_user):
            checked, wrong, messages = check(tree, done.stdout, fmt, events,
                                             resctrl=s.get("Resctrl", "sys/fs/resctrl"))
        if wrong or messages:
            raise Wrong("\n".join([ascii(m)[1:-1] for m in messages[:10]] +
                                  [f"{checked} values checked, {wrong} wrong"]))
    if fmt in ("json", "ndjson") and a.schema:
        run(["/usr/bin/python3", os.path.join(HERE, "validate_schema.py"), a.schema, "-"], 0,
            input=done.stdout)
    if fmt == "openmetrics":
        second_opinion(["/usr/bin/python3", os.path.join(HERE, "second_opinion.py")], done.stdout)
    if fmt == "prometheus" and shutil.which("promtool"):
        second_opinion(["promtool", "check", "metrics"], done.stdout)
    if s.get("Golden") != "no" and fmt not in NO_GOLDEN:
        compare_golden(a, name, fmt, done.stdout)


def copied(mbmcat, directory):
    """A copy of a build's program and library: nobody may not enter every build."""
    built, own = os.path.dirname(os.path.dirname(os.path.realpath(mbmcat))), {}
    for part, names in (("bin", ["mbmcat"]), ("lib", ["libmbmcat.so.0"])):
        os.makedirs(os.path.join(directory, part))
        for name in names:
            own[name] = os.path.join(directory, part, name)
            if os.path.exists(os.path.join(built, part, name)):
                shutil.copy(os.path.join(built, part, name), own[name])
    return own["mbmcat"]


def fixture(a, spec, formats):
    """Yields (what, None or what is wrong)."""
    name, s = os.path.splitext(os.path.basename(spec))[0], settings(spec)
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        mbmcat = copied(a.mbmcat, directory) if s.get("User") == "nobody" else a.mbmcat
        tree = os.path.join(directory, "tree")
        built = subprocess.run([a.mkfakefs, spec, tree], capture_output=True, check=False)
        if built.returncode:
            yield name, built.stderr.decode(errors="replace")
            return
        for fmt in formats:
            try:
                one(a, mbmcat, name, fmt, tree, s)
                yield f"{name} {fmt}", None
            except (Wrong, OSError, subprocess.SubprocessError) as e:
                yield f"{name} {fmt}", str(e)
        # TemporaryDirectory gives up on directories it may not read.
        subprocess.run([a.mkfakefs, "-r", tree], check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mbmcat", required=True)
    p.add_argument("--mkfakefs", required=True)
    p.add_argument("--schema", help="JSON Schema for json and ndjson")
    p.add_argument("--fixtures", default=FIXTURES)
    p.add_argument("--formats", default=",".join(FORMATS))
    p.add_argument("--update", action="store_true", help="write the goldens")
    p.add_argument("names", nargs="*", help="fixtures (default: all)")
    a = p.parse_args()
    known = sorted(n[:-5] for n in os.listdir(a.fixtures) if n.endswith(".spec"))
    for unknown in set(a.names) - set(known):
        p.error(f"no fixture {unknown}")
    count = failed = 0
    for name in a.names or known:
        spec = os.path.join(a.fixtures, f"{name}.spec")
        for what, wrong in fixture(a, spec, a.formats.split(",")):
            count += 1
            failed += wrong is not None
            print(f"{'not ' if wrong else ''}ok {count} - {what}", flush=True)
            if wrong:
                print("\n".join(f"# {line}" for line in wrong.splitlines()), flush=True)
    print(f"1..{count}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
