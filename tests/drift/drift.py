#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Things that are written in two places say the same. Prints TAP. Exit: 0 they do, 1 not.

options    each option of `COMMAND --help` stands in COMMAND's man page, and the other way round
symbols    the functions of the public header are the symbols that the library exports
pages      each manual page mentioned as ours is there
lint       mandoc has nothing to say about the man pages
"""
import argparse
import glob
import os
import re
import subprocess
import sys

# Only says what is installed here, not what is wrong with the page.
ELSEWHERE = re.compile(r"referenced manual not found|outdated mandoc\.db")


def output(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def of_help(mbmcat, command):
    """{(letter or "", name or "", takes a value)}"""
    found = set()
    for line in output(mbmcat, command, "--help").splitlines():
        m = re.match(r"  (?:-(\w))?,? *(?:--([\w-]+))?(?: ([A-Z]+))?  ", line)
        if m and (m[1] or m[2]):
            found.add((m[1] or "", m[2] or "", bool(m[3])))
    return found


def of_page(page):
    found = set()
    with open(page, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"\.It Fl (?:(\w)\b)?(?: , Fl )?(?:-([\w-]+))?( Ar \w+)?$", line)
            if m:
                found.add((m[1] or "", m[2] or "", bool(m[3])))
    return found


def differ(a, in_a, b, in_b):
    return [f"{x} is {in_a} only" for x in sorted(a - b)] + \
           [f"{x} is {in_b} only" for x in sorted(b - a)] + \
           ([] if a and b else ["nothing was found to compare"])


def check_options(a, command, page):
    return differ(of_help(a.mbmcat, command), "in --help", of_page(os.path.join(a.man, page)),
                  f"in {page}")


def check_synopsis(a, page):
    """Flags without a value that the synopsis bundles are just those described."""
    path = os.path.join(a.man, page)
    with open(path, encoding="utf-8") as f:
        bundle = re.search(r"^\.Op Fl (\w{2,})$", f.read(), re.M)[1]
    flags = {letter for letter, _, value in of_page(path) if letter and not value} - set("hV")
    return differ(set(bundle), "in the synopsis", flags, "described")


def check_symbols(a):
    with open(a.header, encoding="utf-8") as f:
        header = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    declared = set(re.findall(r"\b(mbmcat_\w+)\(", header))
    exported = {line.split()[-1].split("@")[0] for line in
                output("nm", "-D", "--defined-only", a.library).splitlines()
                if line.split()[-2] in "TWBDR"}
    # What a sanitizer or gcov adds is not ours.
    exported = {s for s in exported if not s.startswith(("__", "_init", "_fini"))}
    return differ(declared, "in the header", exported, "exported")


def check_pages(a, pages):
    wrong = []
    for page in pages:
        with open(page, encoding="utf-8") as f:
            for name, section in re.findall(r"^\.Xr (mbmcat\S*) (\d)", f.read(), re.M):
                if not os.path.exists(os.path.join(a.man, f"{name}.{section}")):
                    wrong.append(f"{os.path.basename(page)} mentions {name}({section})")
    return wrong


def check_lint(page):
    done = subprocess.run(["mandoc", "-T", "lint", page], capture_output=True, check=False,
                          text=True)
    return [line for line in (done.stdout + done.stderr).splitlines()
            if not ELSEWHERE.search(line)]


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mbmcat", required=True)
    p.add_argument("--library", required=True)
    p.add_argument("--header", required=True)
    p.add_argument("--man", required=True, help="directory")
    a = p.parse_args()
    pages = sorted(glob.glob(os.path.join(a.man, "*.[1-8]")))
    commands = re.findall(r"^  ([a-z]+) ", output(a.mbmcat, "--help"), re.M)
    results = [(f"options of {c}", check_options(
        a, c, "mbmcat.1" if c == "dump" else f"mbmcat-{c}.1")) for c in commands]
    results += [(f"synopsis of {p}", check_synopsis(a, p)) for p in ("mbmcat.1", "mbmcat-list.1")]
    results += [("symbols", check_symbols(a)), ("pages", check_pages(a, pages))]
    results += [(f"lint {os.path.basename(page)}", check_lint(page)) for page in pages]
    for n, (what, wrong) in enumerate(results, 1):
        print(f"{'not ' if wrong else ''}ok {n} - {what}")
        for line in wrong:
            print(f"# {line}")
    print(f"1..{len(results)}")
    return 1 if any(wrong for _, wrong in results) or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
