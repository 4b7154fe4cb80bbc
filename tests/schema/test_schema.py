#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Holds real output of dump and list against the installed JSON Schemas, and shows that they refuse
what is wrong. Prints TAP. Exit: 0 all as it should be, 1 not, 2 nothing to validate with.

The schemas let unknown fields pass, as fields may be added within a version. A field that the
tool prints and the schema does not describe would go unseen that way, so here the same schemas are
used a second time, closed: whatever is described has to be all there is.
"""
import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError as e:
    print(f"Bail out! {sys.executable} has no jsonschema ({e}); install python3-jsonschema 4")
    sys.exit(2)

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
VALIDATE = os.path.join(TESTS, "check", "validate_schema.py")

DUMPS = (
    ("words", "-j", []),
    ("words", "-fndjson", ["-r", "0.02", "3"]),
    ("words", "-j", ["-r", "0.02", "3"]),
    ("words", "-j", ["--u64-as-string"]),
    ("odd-names", "-fndjson", []),
    ("odd-names", "-j", []),
    ("snc", "-fndjson", []),
    ("snc", "-fndjson", ["--sum"]),
    ("snc", "-j", ["-e", "*"]),
    ("long-names", "-fndjson", []),
    ("content", "-j", []),
    ("missing-file", "-fndjson", []),
    ("mbm-event", "-j", []),
    ("telemetry", "-fndjson", ["-e", "*"]),
    ("ids-three-digits", "-j", []),
)
LISTS = ("snc", "ids-gaps", "hybrid", "mononly", "pseudo-locked", "odd-names", "telemetry",
         "no-info", "no-mon-features")


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, what, wrong):
        """@wrong: empty, or what is wrong."""
        self.count += 1
        self.failed += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {self.count} - {what}", flush=True)
        for line in str(wrong or "").splitlines():
            print(f"# {line}")


def load(schema):
    with open(schema, encoding="utf-8") as f:
        loaded = json.load(f)
    Draft202012Validator.check_schema(loaded)
    return loaded


def closed(schema):
    """The schema without its open doors. Events have names of their own, so that a group lets
    any further member be a count, and nothing else."""
    def walk(node):
        if isinstance(node, list):
            for item in node:
                walk(item)
        elif isinstance(node, dict):
            for item in node.values():
                walk(item)
            if "properties" in node and "additionalProperties" not in node:
                node["additionalProperties"] = {"$ref": "#/$defs/count"} \
                    if "patternProperties" in node else False
    schema = copy.deepcopy(schema)
    walk(schema["$defs"])
    if "properties" in schema:
        schema["additionalProperties"] = False
    return Draft202012Validator(schema)


def errors(validator, documents):
    return "\n".join(f"document {n}, {e.json_path}: {ascii(e.message)[:200]}"
                     for n, d in enumerate(documents) for e in validator.iter_errors(d))


def unexplained(documents):
    """A count is null exactly where a word stands for it; a schema can't say that."""
    wrong = []
    for d in (r for doc in documents for r in doc.get("domains", [doc])):
        for g in d["groups"]:
            status = g.get("status", {})
            for key, value in g.items():
                if key in ("ctrl_group", "mon_group", "status"):
                    continue
                rate = key.endswith("_per_second")
                if (key in status) != (value is None) and not (rate and key not in status):
                    wrong.append(f"{key} of {g!r}")
            wrong += [f"status {k} of nothing" for k in status if k not in g]
    return "\n".join(wrong[:5])


def run(command):
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr[-300:]!r}")
    return done.stdout


def positive(tap, what, command, path, more=None):
    schema = load(path)
    try:
        text = run(command)
    except RuntimeError as e:
        tap.check(what, e)
        return None
    try:
        documents = [json.loads(text)]
    except ValueError:
        documents = [json.loads(line) for line in text.decode().removesuffix("\n").split("\n")]
    done = subprocess.run(["/usr/bin/python3", VALIDATE, path, "-"], input=text, check=False,
                          capture_output=True, timeout=120)
    tap.check(f"{what}: valid", done.stdout.decode() if done.returncode else "")
    tap.check(f"{what}: nothing undescribed", errors(closed(schema), documents))
    if more:
        tap.check(f"{what}: each null has its word", more(documents))
    return documents


def edit(document, path, value=...):
    """A copy with the member at @path set to @value, or without it."""
    new = copy.deepcopy(document)
    at = new
    for key in path[:-1]:
        at = at[key]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return new


G0 = ("groups", 0)
SAMPLE_WRONG = (
    *(((key,), ...) for key in ("schema", "host", "seq", "missed", "time", "start_ns", "end_ns",
                                "resource", "domain", "cpu", "path", "groups")),
    (("schema",), "mbmcat.sample/2"),
    (("host",), None),
    (("seq",), -1),
    (("seq",), "0"),
    (("seq",), 1.5),
    (("missed",), None),
    (("time",), "2026-12-01T03:19:07.123Z"),
    (("time",), "2026-12-01T03:19:07.123456789+01:00"),
    (("time",), 1796095147123456789),
    (("start_ns",), 1 << 64),
    (("resource",), "L3:0"),
    (("domain",), "6"),
    (("sub_domain",), None),
    (("sub_domain",), -1),
    (("cpu",), -1),
    (("cpu",), "0"),
    (("path",), "fast"),
    (("part",), 1),
    (("parts",), 2),
    (("groups",), {}),
    ((*G0, "ctrl_group"), ...),
    ((*G0, "mon_group"), ...),
    ((*G0, "mon_group"), None),
    ((*G0, "mbm_total_bytes"), -1),
    ((*G0, "mbm_total_bytes"), 1 << 64),
    ((*G0, "mbm_total_bytes"), 0.5),
    ((*G0, "mbm_total_bytes"), "Unavailable"),
    ((*G0, "mbm_total_bytes"), "007"),
    ((*G0, "mbm_total_bytes"), True),
    ((*G0, "mbm_total_bytes_per_second"), -5),
    ((*G0, "mbm_total_bytes_per_second"), "5"),
    ((*G0, "status"), {}),
    ((*G0, "status"), {"mbm_total_bytes": None}),
    ((*G0, "status"), {"mbm_total_bytes": "two words"}),
    ((*G0, "status"), "Unavailable"),
)
LIST_WRONG = (
    *(((key,), ...) for key in ("schema", "host", "mount_point", "groups", "domains", "events",
                                "limits")),
    (("schema",), "mbmcat.sample/1"),
    (("domains",), []),
    (("groups", 0, "tasks"), "1"),
    (("groups", 0, "mode"), ""),
    (("groups", 0, "monitored"), None),
    (("domains", 0, "cpus"), "0 to 3"),
    (("domains", 0, "package"), -1),
    (("domains", 0, "sum"), 0),
    (("domains", 0, "may_run"), "yes"),
    (("events", 0, "counter"), ...),
    (("limits", "num_rmids"), -1),
    (("limits", "groups"), None),
)
SAMPLE_MORE = (("later",), (*G0, "cgroup"))
LIST_MORE = (("later",), ("groups", 0, "later"), ("domains", 0, "later"), ("limits", "later"))


def negative(tap, name, schema, document, wrong, more):
    """@wrong: changes that are refused; @more: fields of a later minor version."""
    opened, strict = Draft202012Validator(schema), closed(schema)
    for path, value in wrong:
        what = "left out" if value is ... else f"= {ascii(value)}"
        tap.check(f"{name}: {'.'.join(map(str, path))} {what} is refused",
                  "" if list(opened.iter_errors(edit(document, path, value))) else "it is not")
    for path in more:
        new = edit(document, path, ["of", {"any": "kind"}])
        tap.check(f"{name}: an unknown {'.'.join(map(str, path))} is let pass",
                  errors(opened, [new]))
        tap.check(f"{name}: and is refused by the closed schema",
                  "" if list(strict.iter_errors(new)) else "it is not")
    for other in ([], None, "x", [document]):
        tap.check(f"{name}: {ascii(type(other).__name__)} is no document",
                  "" if list(opened.iter_errors(other)) else "it is")


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mbmcat", required=True)
    p.add_argument("--mkfakefs", required=True)
    p.add_argument("--schemas", required=True, help="directory")
    a = p.parse_args()
    sample = os.path.join(a.schemas, "mbmcat.sample-1.schema.json")
    listing = os.path.join(a.schemas, "mbmcat.list-1.schema.json")
    tap = Tap()
    with tempfile.TemporaryDirectory() as top:
        def tree(name):
            path = os.path.join(top, name)
            if not os.path.exists(path):
                run([a.mkfakefs, os.path.join(TESTS, "fixtures", f"{name}.spec"), path])
            return path

        line = document = parts = None
        for name, fmt, more in DUMPS:
            got = positive(tap, f"dump {fmt} {' '.join(more)} of {name}",
                           [a.mbmcat, "dump", "--sysroot", tree(name), fmt, *more],
                           sample, unexplained)
            if name == "words" and got:
                line, document = (got[-1], document) if fmt != "-j" else (line, got[-1])
            if name == "long-names":
                parts = got
        tap.check("a domain too long for a line comes in parts",
                  "" if parts and "part" in parts[0] else "it does not")
        first = None
        for name in LISTS:
            got = positive(tap, f"list --json of {name}",
                           [a.mbmcat, "list", "--json", "--sysroot", tree(name)], listing)
            first = first or (got and got[0])
        if line and document and first:
            negative(tap, "sample", load(sample), line, SAMPLE_WRONG, SAMPLE_MORE)
            for path, value in SAMPLE_WRONG:
                changed = edit(document, ("domains", 0), edit(document["domains"][0], path, value))
                tap.check(f"document: domains.0.{'.'.join(map(str, path))} "
                          f"{'left out' if value is ... else ascii(value)} is refused",
                          "" if list(Draft202012Validator(load(sample)).iter_errors(changed))
                          else "it is not")
            negative(tap, "list", load(listing), first, LIST_WRONG, LIST_MORE)
        for name in os.listdir(top):
            run([a.mkfakefs, "-r", os.path.join(top, name)])
    print(f"1..{tap.count}")
    return 1 if tap.failed or not (line and document and first) else 0


if __name__ == "__main__":
    sys.exit(main())
