# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads mbmcat's output strictly, each format into the same samples.

A sample is a list of (key, {event: (number, status)}); a key is (resource, domain,
sub domain, control group, monitoring group). Names are text for JSON, bytes for CSV.
"""
import json
import re

LINE_MAX = 65536
U64_MAX = (1 << 64) - 1
TIME = r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]\.[0-9]{9}Z"
SAMPLE = {"schema": str, "host": str, "seq": int, "missed": int}
DOMAIN = {"time": str, "start_ns": int, "end_ns": int, "resource": str, "domain": int,
          "cpu": (int, type(None)), "path": (str, type(None)), "groups": list}
PATHS = ("direct", "deferred", "remote", None)


class Malformed(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Malformed(message)


def no_duplicates(pairs):
    need(len({k for k, _ in pairs}) == len(pairs), "a key twice in one object")
    return dict(pairs)


def no_constant(name):
    raise Malformed(f"{name} is no JSON")


def load(text, where):
    try:
        return json.loads(text.decode("utf-8"), object_pairs_hook=no_duplicates,
                          parse_constant=no_constant)
    except ValueError as e:
        raise Malformed(f"{where}: {e}") from None


def fields(obj, required, optional, where):
    """obj has all required fields, of the optional ones any, and no others."""
    need(isinstance(obj, dict), f"{where}: no object")
    for name, kind in required.items():
        need(name in obj, f"{where}: no field {name}")
        need(isinstance(obj[name], kind) and not isinstance(obj[name], bool),
             f"{where}: {name} is {obj[name]!r}")
    for name in obj:
        need(name in required or name in optional, f"{where}: unknown field {name}")


def counter(group, event, status, strings, where):
    value = group[event]
    if value is None:
        word = status.get(event)
        need(isinstance(word, str), f"{where}: {event} is null without a status")
        return None, word
    need(event not in status, f"{where}: {event} has a number and a status")
    if strings:
        need(isinstance(value, str) and re.fullmatch("0|[1-9][0-9]{0,19}", value),
             f"{where}: {event} is {value!r}")
        value = int(value)
    need(type(value) is int and 0 <= value <= U64_MAX, f"{where}: {event} is {value!r}")
    return value, None


def group_records(domain, strings, where):
    sub = domain.get("sub_domain")
    for group in domain["groups"]:
        need(isinstance(group, dict), f"{where}: a group is no object")
        names = tuple(group.get(k) for k in ("ctrl_group", "mon_group"))
        need(all(isinstance(n, str) for n in names), f"{where}: a group without names")
        here = f"{where}: {names!r}"
        status = group.get("status", {})
        need(isinstance(status, dict) and (status or "status" not in group),
             f"{here}: status is no object with content")
        events = [k for k in group if k not in ("ctrl_group", "mon_group", "status")]
        need(set(status) <= set(events), f"{here}: status of an event that isn't there")
        yield ((domain["resource"], domain["domain"], sub, *names),
               {e: counter(group, e, status, strings, here) for e in events})


def check_domain(domain, extra, optional, where):
    fields(domain, {**DOMAIN, **extra}, {"sub_domain", *optional}, where)
    need(re.fullmatch(TIME, domain["time"]), f"{where}: time is {domain['time']!r}")
    need(0 <= domain["start_ns"] <= domain["end_ns"], f"{where}: ends before it starts")
    need(domain["path"] in PATHS, f"{where}: path is {domain['path']!r}")
    need(type(domain.get("sub_domain", 0)) is int, f"{where}: sub_domain is no number")


def check_sample(sample, where):
    need(sample["schema"] == "mbmcat.sample/1", f"{where}: schema is {sample['schema']!r}")
    need(sample["seq"] >= 0 and sample["missed"] >= 0, f"{where}: seq or missed below 0")


def lines_of(data):
    need(data.endswith(b"\n"), "the last line is not complete")
    return data[:-1].split(b"\n")


def read_json(data, strings=False):
    samples = []
    # One document may be printed over several lines; then it is the only one.
    try:
        documents = [load(data, "document")]
    except Malformed:
        documents = [load(line, f"line {n}") for n, line in enumerate(lines_of(data), 1)]
    need(data.endswith(b"\n"), "the last line is not complete")
    for n, document in enumerate(documents, 1):
        where = f"document {n}"
        fields(document, {**SAMPLE, "domains": list}, (), where)
        check_sample(document, where)
        samples.append([])
        seen = set()
        for domain in document["domains"]:
            # The very object of a line of ndjson: jq '.domains[]' turns one into the other.
            check_domain(domain, SAMPLE, (), where)
            need(all(domain[k] == document[k] for k in SAMPLE),
                 f"{where}: a domain of another sample")
            key = (domain["resource"], domain["domain"], domain.get("sub_domain"))
            need(key not in seen, f"{where}: domain {key} twice")
            seen.add(key)
            samples[-1] += group_records(domain, strings, f"{where}, domain {key}")
    seqs = [d["seq"] for d in documents]
    need(seqs == sorted(set(seqs)), "seq doesn't rise")
    return samples


def check_parts(parts):
    for (seq, *key), found in parts.items():
        where = f"seq {seq}, domain {tuple(key)}"
        if found == [(None, None)]:
            continue
        need(all(type(p) is int and type(n) is int for p, n in found),
             f"{where}: several lines without part and parts")
        n = len(found)
        need(found == [(i, n) for i in range(1, n + 1)] and n > 1,
             f"{where}: parts are {found}")


def read_ndjson(data, strings=False):
    samples, parts, last = {}, {}, -1
    for n, line in enumerate(lines_of(data), 1):
        where = f"line {n}"
        need(len(line) + 1 <= LINE_MAX, f"{where}: {len(line) + 1} bytes")
        domain = load(line, where)
        check_domain(domain, SAMPLE, ("part", "parts"), where)
        check_sample(domain, where)
        need(domain["seq"] >= last, f"{where}: seq falls")
        last = domain["seq"]
        key = (last, domain["resource"], domain["domain"], domain.get("sub_domain"))
        parts.setdefault(key, []).append((domain.get("part"), domain.get("parts")))
        samples.setdefault(last, [])
        samples[last] += group_records(domain, strings, where)
    check_parts(parts)
    return list(samples.values())


def csv_rows(data):
    """RFC 4180 with LF, strictly: a quote only around a whole field, or doubled in one."""
    need(data.endswith(b"\n"), "the last line is not complete")
    field = re.compile(rb'(?:"((?:[^"]|"")*)"|([^",\r\n]*))([,\n])')
    rows, row, at = [], [], 0
    while at < len(data):
        m = field.match(data, at)
        need(m, f"row {len(rows) + 1}: no field at byte {at}")
        row.append(m[1].replace(b'""', b'"') if m[1] is not None else m[2])
        at = m.end()
        if m[3] == b"\n":
            rows.append(row)
            row = []
    return rows


def cell_number(cell, where):
    need(re.fullmatch(rb"0|[1-9][0-9]{0,19}", cell) and int(cell) <= U64_MAX,
         f"{where}: {cell!r} is no number")
    return int(cell)


def csv_status(cell, where):
    status = {}
    for pair in cell.split(b";") if cell else ():
        event, equals, word = pair.partition(b"=")
        need(equals and event not in status and word, f"{where}: status is {cell!r}")
        status[event.decode("latin-1")] = word.decode("latin-1")
    return status


def csv_record(row, has_sub, events, where):
    cells = iter(row)
    need(re.fullmatch(TIME, next(cells).decode("latin-1")), f"{where}: time is {row[0]!r}")
    resource, domain = next(cells), cell_number(next(cells), where)
    sub = next(cells) if has_sub else b""
    names = next(cells), next(cells)
    values = dict(zip(events, cells))
    status = csv_status(row[-1], where)
    need(set(status) <= set(events), f"{where}: status of an event that isn't there")
    record = {}
    for event, cell in values.items():
        need(not (cell and event in status), f"{where}: {event} has a number and a status")
        if cell:
            record[event] = cell_number(cell, where), None
        elif event in status:
            record[event] = None, status[event]
    return (resource, domain, cell_number(sub, where) if sub else None, *names), record


def read_csv(data):
    """All rows as one list, and the event columns."""
    rows = csv_rows(data)
    before = [b"time", b"resource", b"domain"], [b"ctrl_group", b"mon_group"]
    header = rows[0]
    has_sub = b"sub_domain" in header
    fixed = before[0] + [b"sub_domain"] * has_sub + before[1]
    need(header[:len(fixed)] == fixed and header[-1] == b"status", f"columns are {header}")
    events = [h.decode("latin-1") for h in header[len(fixed):-1]]
    need(len(set(events)) == len(events), f"columns are {header}")
    records = []
    for n, row in enumerate(rows[1:], 2):
        need(len(row) == len(header), f"row {n}: {len(row)} fields")
        records.append(csv_record(row, has_sub, events, f"row {n}"))
    need(has_sub == any(key[2] is not None for key, _ in records),
         "sub_domain column and sub domains don't agree")
    return records, events
