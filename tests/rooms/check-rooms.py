#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks the rooms and doors of src: what may include and call what, how long files are, that each
says its licence, that the library exports what its header declares. Prints TAP.

    check-rooms.py [--library LIBMBMCAT.SO] SOURCE-TREE

Exit: 0 all as it should be, 1 not."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

MAX_LINES = 400
# A foreign library's headers -> the files that may include them.
FOREIGN = {
    "hwloc": {"src/host/topology.c"},
    "sys/capability.h": {"src/host/privilege.c"},
    "libcgroup": {"src/host/cgroup.c"},
    "check.h": set(),
}
# Where building a tree of objects for each sample would cost more than reading the counters.
JSON_C = re.compile(r"src/cli/(cmd|list|bench|compare|check|results)[a-z0-9-]*\.[ch]$")
HOT = {"src/cli/cmd-dump.c"}
ROOMS = {
    "base": {"base"},
    "lib": {"base", "lib"},
    "host": {"base", "host"},
    "cli": {"base", "host", "cli"},
}
PUBLIC = {"lib", "cli"}  # may include <mbmcat/mbmcat.h>
LIB_SILENT = re.compile(r"\b(printf|puts|putchar|fprintf|vprintf|vfprintf|perror|_?exit|abort|"
                        r"assert|syslog|err|warn|signal|sigaction|setrlimit)\s*\(")
LIB_DOORS = re.compile(r"\b(openat|open|readdir|opendir|fdopendir|flock|fopen|faccessat)\s*\(")
SPDX = re.compile(r"SPDX-License-Identifier: (LGPL-2\.1-or-later|GPL-2\.0-only)")
NO_SPDX = re.compile(r"(^|/)(LICENSE|LICENSES/.*|golden/.*|fixtures/list/.*\.table|.*\.json|.*\.patch|\.gitignore|.*\.svg)$")
PRIVATE = re.compile(r"(?<![\w.])/(work|root)/[\w.]")


def code_of(text):
    """Without comments and strings, line by line as before."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def includes(text):
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', text, flags=re.M)


def check_includes(name, text):
    room = name.split("/")[1]
    for kind, header in includes(text):
        first = header.split("/")[0]
        for foreign, users in FOREIGN.items():
            if first in (foreign, foreign + ".h") or header == foreign:
                if name not in users:
                    yield f"{name}: <{header}> belongs to {', '.join(users) or 'the tests'}"
        if first == "json-c" and (not JSON_C.match(name) or name in HOT):
            yield f"{name}: <{header}> is for cold files of cli"
        if kind == '"':
            if first not in ROOMS.get(room, {room}):
                yield f"{name}: \"{header}\" is behind no door of {room}"
        elif first == "mbmcat" and room not in PUBLIC:
            yield f"{name}: {room} knows nothing of <{header}>"
        elif first in ROOMS:
            yield f"{name}: <{header}> is no system header"


def check_calls(name, text):
    if not name.startswith("src/lib/"):
        return
    for n, line in enumerate(code_of(text).split("\n"), 1):
        for m in LIB_SILENT.finditer(line):
            yield f"{name}:{n}: the library never calls {m.group(1)}()"
        if name != "src/lib/dir.c":
            for m in LIB_DOORS.finditer(line):
                yield f"{name}:{n}: {m.group(1)}() is for src/lib/dir.c"


def files_of(tree):
    if os.path.exists(os.path.join(tree, ".git")):
        out = subprocess.run(["git", "-C", tree, "-c", "safe.directory=*", "ls-files", "-z"],
                             check=True, capture_output=True).stdout
        names = [n for n in out.decode().split("\0") if n]
    else:
        names = [os.path.relpath(os.path.join(d, f), tree)
                 for d, _, files in os.walk(tree) for f in files]
    return sorted(n for n in names if os.path.isfile(os.path.join(tree, n)) and
                  not n.startswith("build"))


def read(tree, name):
    with open(os.path.join(tree, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def check_tree(tree):
    """Topic -> what is wrong."""
    wrong = {"includes": [], "calls": [], "length": [], "licence": [], "private paths": []}
    names = files_of(tree)
    for name in names:
        text = read(tree, name)
        if re.match(r"src/\w+/[^/]+\.[ch]$", name):
            wrong["includes"] += check_includes(name, text)
            wrong["calls"] += check_calls(name, text)
        if name.startswith("src/") and text.count("\n") > MAX_LINES:
            wrong["length"].append(f"{name}: {text.count(chr(10))} lines, over {MAX_LINES}")
        if not NO_SPDX.search(name) and not SPDX.search(text[:2000]):
            wrong["licence"].append(f"{name}: no SPDX line")
        if not name.endswith("check-rooms.py") and PRIVATE.search(text):
            wrong["private paths"].append(f"{name}: {PRIVATE.search(text).group()}")
    if not any(n.startswith("src/lib/") for n in names):
        wrong["includes"].append("no src/lib: is that the source tree?")
    return wrong


def check_symbols(tree, library):
    header = code_of(read(tree, "include/mbmcat/mbmcat.h"))
    declared = set(re.findall(r"\b(mbmcat_\w+)\s*\(", header)) - {"mbmcat_log_fn"}
    declared = {d for d in declared if not re.search(rf"\(\s*\*\s*{d}\b", header)}
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                         text=True).stdout
    exported = {line.split()[2].split("@")[0] for line in out.splitlines()
                if line.split()[1] in "TDBRWVi"}
    return ([f"{s}: exported, not declared" for s in sorted(exported - declared)] +
            [f"{s}: declared, not exported" for s in sorted(declared - exported)])


BREACHES = (
    ("includes", "src/base/buf.c", '#include "lib/parse.h"'),
    ("includes", "src/base/buf.c", "#include <mbmcat/mbmcat.h>"),
    ("includes", "src/base/buf.c", "#include <hwloc.h>"),
    ("includes", "src/lib/scan.c", '#include "host/mount.h"'),
    ("includes", "src/lib/scan.c", '# include "cli/diag.h"'),
    ("includes", "src/lib/scan.c", "#include <json-c/json.h>"),
    ("includes", "src/host/mount.c", '#include "lib/internal.h"'),
    ("includes", "src/host/mount.c", "#include <hwloc/helper.h>"),
    ("includes", "src/host/mount.c", "#include <sys/capability.h>"),
    ("includes", "src/host/mount.c", "#include <libcgroup.h>"),
    ("includes", "src/host/mount.c", "#include <mbmcat/mbmcat.h>"),
    ("includes", "src/cli/gather.c", '#include "lib/internal.h"'),
    ("includes", "src/cli/gather.c", "#include <json-c/json.h>"),
    ("includes", "src/cli/cmd-dump.c", "#include <json-c/json.h>"),
    ("includes", "src/cli/gather.c", "#include <hwloc.h>"),
    ("calls", "src/lib/scan.c", 'static void f(void) { printf("x"); }'),
    ("calls", "src/lib/scan.c", "static void f(void) { exit (1); }"),
    ("calls", "src/lib/plan.c", "static void f(int d) { openat(d, 0, 0); }"),
    ("calls", "src/lib/plan.c", "static void f(int d) { flock(d, 1); }"),
    ("length", "src/lib/plan.c", "\n" * 400),
    ("private paths", "src/lib/plan.c", "/* see /" "work/notes */"),
)


def self_test(tree):
    """Each breach, in a copy of its own, is found, and that one only."""
    before = check_tree(tree)
    with tempfile.TemporaryDirectory() as copy:
        for part in ("src", "include"):
            shutil.copytree(os.path.join(tree, part), os.path.join(copy, part))
        for topic, name, line in BREACHES:
            path = os.path.join(copy, name)
            original = read(copy, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(original + line + "\n")
            found = len(check_tree(copy)[topic]) - len(before[topic])
            if found != 1:
                yield f"{line.strip() or 'a long file'} in {name}: {found} findings, not 1"
            with open(path, "w", encoding="utf-8") as f:
                f.write(original)
        with open(os.path.join(copy, "src/lib/bare.c"), "w", encoding="utf-8") as f:
            f.write("int bare;\n")
        if not check_tree(copy)["licence"]:
            yield "a file without a licence was not found"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--library")
    parser.add_argument("tree")
    a = parser.parse_args()
    results = check_tree(a.tree)
    results["finds what is planted"] = list(self_test(a.tree))
    if a.library:
        results["symbols"] = check_symbols(a.tree, a.library)
    print(f"1..{len(results)}")
    for n, (topic, wrong) in enumerate(results.items(), 1):
        print(f"{'not ' if wrong else ''}ok {n} - {topic}")
        for line in wrong:
            print(f"# {line}")
    bad = sum(1 for wrong in results.values() if wrong)
    print(f"{len(results) - bad} passed, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
