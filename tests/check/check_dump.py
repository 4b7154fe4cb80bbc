#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares a dump of a captured tree with the tree, value by value.

Shares no code with mbmcat. Exit: 0 all values are right, 1 not, 2 usage.
"""
import argparse
import os
import sys

from dump_output import Malformed, read_csv, read_json, read_ndjson
from dump_series import influx_name, influx_value, read_influx, read_metrics
from resctrl_tree import DEFAULT_EVENTS, expected, json_name

NAMED = 10
READERS = {
    "json": read_json,
    "ndjson": read_ndjson,
    "openmetrics": lambda data, _: read_metrics(data, False),
    "prometheus": lambda data, _: read_metrics(data, True),
    "influx": read_influx,
}


def compare(want, got, samples=1):
    """Counts and names what is wrong: got is a list of (key, record), want a dict; every
    record must be there `samples` times."""
    wrong, messages, seen = 0, [], {}

    def note(key, text, count=1):
        nonlocal wrong
        wrong += count
        messages.append(f"{key}: {text}")

    for key, record in got:
        seen[key] = seen.get(key, 0) + 1
        if key not in want:
            note(key, "is not in the tree", max(1, len(record)))
            continue
        for event in record.keys() | want[key].keys():
            if event not in want[key]:
                note(key, f"{event} is not in the tree")
            elif event not in record:
                note(key, f"{event} is left out, tree: {want[key][event]}")
            elif record[event] != want[key][event]:
                note(key, f"{event} is {record[event]}, tree: {want[key][event]}")
    for key, record in want.items():
        if seen.get(key, 0) != samples:
            note(key, f"{seen.get(key, 0)} times, not {samples}", max(1, len(record)))
    return wrong, messages


def check(tree, data, fmt, events=DEFAULT_EVENTS, sums=False, strings=False, samples=1,
          resctrl="sys/fs/resctrl"):
    """Returns (values checked, values wrong, messages)."""
    root = os.path.join(os.fsencode(tree), os.fsencode(resctrl))
    name = {"csv": lambda n: n, "influx": influx_name}.get(fmt, json_name)
    value = influx_value if fmt == "influx" and not strings else lambda v: v
    want = {
        (name(r), d, s, name(c), name(m)): {e.decode(): value(v) for e, v in record.items()}
        for (r, d, s, c, m), record in expected(root, events, sums).items()
    }
    values = samples * sum(len(r) for r in want.values())
    if not values:
        return 0, 1, ["there is nothing to check in the tree"]
    try:
        if fmt == "csv":
            records, columns = read_csv(data)
            there = {e for r in want.values() for e in r}
            if set(columns) != there:
                return values, 1, [f"columns {columns}, tree: {sorted(there)}"]
            return values, *compare(want, records, samples)
        found = READERS[fmt](data, strings)
    except Malformed as e:
        return values, 1, [str(e)]
    if len(found) != samples:
        return values, 1, [f"{len(found)} samples, not {samples}"]
    results = [compare(want, sample) for sample in found]
    return values, sum(r[0] for r in results), [m for r in results for m in r[1]]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("tree", help="the sysroot")
    p.add_argument("output", help="mbmcat's output ('-': stdin)")
    p.add_argument("--format", required=True, choices=("csv", *READERS))
    p.add_argument("--events", help="comma-separated (default: the two bandwidth events)")
    p.add_argument("--sum", action="store_true", help="sum files instead of sub domains")
    p.add_argument("--u64-as-string", action="store_true")
    p.add_argument("--samples", type=int, default=1, help="how many samples there must be")
    p.add_argument("--resctrl", default="sys/fs/resctrl", help="inside the tree")
    a = p.parse_args()
    events = [os.fsencode(e) for e in a.events.split(",")] if a.events else DEFAULT_EVENTS
    if a.output == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(a.output, "rb") as f:
            data = f.read()
    checked, wrong, messages = check(a.tree, data, a.format, events, a.sum, a.u64_as_string,
                                     a.samples, a.resctrl)
    for message in messages[:NAMED]:
        print(f"  {ascii(message)[1:-1]}")
    if len(messages) > NAMED:
        print(f"  and {len(messages) - NAMED} more")
    print(f"{checked} values checked, {wrong} wrong")
    return 1 if wrong or messages or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
