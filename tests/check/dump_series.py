# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads openmetrics, prometheus and influx strictly, into the samples of dump_output.py."""
import re

from dump_output import U64_MAX, Malformed, need

METRIC = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
BANDWIDTH = "resctrl_memory_bandwidth_bytes"
SUFFIX = {"counter": "_total"}
PATHS = ("direct", "deferred", "remote")
WORD = r"[A-Za-z][A-Za-z0-9_-]{0,22}"


def text_lines(data):
    need(data.endswith(b"\n"), "the last line is not complete")
    try:
        # Not splitlines(): a name may hold a carriage return.
        return data[:-1].decode("utf-8").split("\n")
    except UnicodeDecodeError as e:
        raise Malformed(str(e)) from None


def unescape(text):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def read_labels(text, where):
    labels, at = {}, 0
    while at < len(text):
        m = LABEL.match(text, at)
        need(m and not (m[3] and m.end() == len(text)), f"{where}: no label at {text[at:]!r}")
        need(m[1] not in labels, f"{where}: label {m[1]} twice")
        labels[m[1]] = unescape(m[2])
        at = m.end()
    return labels


class Family:
    def __init__(self):
        self.about, self.samples, self.labels = {}, {}, None

    def add(self, labels, value, where):
        need(self.labels in (None, set(labels)), f"{where}: other labels than above")
        self.labels = set(labels)
        key = tuple(sorted(labels.items()))
        need(key not in self.samples, f"{where}: a series twice")
        self.samples[key] = value


def check_about(name, about, classic):
    """HELP and TYPE are there; UNIT is what the name ends with, and only in OpenMetrics."""
    need("HELP" in about and "TYPE" in about, f"{name}: no HELP or no TYPE")
    known = ("counter", "gauge", "untyped") if classic else ("counter", "gauge", "unknown")
    need(about["TYPE"] in known, f"{name}: type {about['TYPE']}")
    total = about["TYPE"] == "counter" and classic
    need(name.endswith("_total") == total, f"{name}: a {about['TYPE']} of that name")
    unit = re.search(r"_(bytes_per_second|bytes|seconds)(_total)?$", name)
    need(about.get("UNIT") == (unit[1] if unit and not classic else None), f"{name}: UNIT")


def read_families(data, classic):
    """{name: Family}, each in one piece."""
    lines, families, name = text_lines(data), {}, None
    if not classic:
        need(lines.pop() == "# EOF", "no # EOF at the end")
    for n, line in enumerate(lines, 1):
        where = f"line {n}"
        about = re.fullmatch(rf"# (HELP|TYPE|UNIT) ({METRIC}) (.+)", line)
        if about:
            if about[2] != name:
                name = about[2]
                need(name not in families, f"{where}: {name} again")
                families[name] = Family()
            need(not families[name].samples and about[1] not in families[name].about,
                 f"{where}: {about[1]} comes too late or twice")
            families[name].about[about[1]] = about[3]
            continue
        m = re.fullmatch(rf"({METRIC})(?:\{{(.*)\}})? ([0-9]+(?:\.[0-9]+)?)", line, re.S)
        need(m, f"{where}: {line[:100]!r}")
        need(name and "TYPE" in families[name].about, f"{where}: of no family")
        suffix = "" if classic else SUFFIX.get(families[name].about["TYPE"], "")
        need(m[1] == name + suffix, f"{where}: {m[1]} in the family {name}")
        families[name].add(read_labels(m[2] or "", where), m[3], where)
    for name, family in families.items():
        check_about(name, family.about, classic)
    return families


def integer(text, where):
    need(re.fullmatch("0|[1-9][0-9]{0,19}", text) and int(text) <= U64_MAX,
         f"{where}: {text!r} is no number of 64 bits")
    return int(text)


def key_of(labels, where):
    sub = labels.get("sub_domain", "")
    need("ctrl_group" in labels and "mon_group" in labels and "domain" in labels,
         f"{where}: labels {sorted(labels)}")
    return (labels.get("resource", "L3"), integer(labels["domain"], where),
            integer(sub, where) if sub else None, labels["ctrl_group"], labels["mon_group"])


def check_cost(families, domains):
    """Each domain's duration once, and its path at most once; the build."""
    suffix = "" if "resctrl_dump_missed" in families else "_total"
    for name, fewest in (("resctrl_dump_duration_seconds", len(domains)), ("resctrl_dump_path", 0)):
        need(name in families, f"no {name}")
        seen = set()
        for labels, value in families[name].samples.items():
            here = dict(labels)
            sub = here.get("sub_domain", "")
            key = (here.get("resource", "L3"), int(here["domain"]), int(sub) if sub else None)
            need(key in domains and key not in seen, f"{name}: domain {key}")
            seen.add(key)
            need(here.get("path") in PATHS if name.endswith("path") else
                 re.fullmatch(r"[0-9]+\.[0-9]{9}", value), f"{name}: {labels} {value}")
        need(len(seen) >= fewest, f"{name}: {len(seen)} domains of {len(domains)}")
    need(f"resctrl_dump_missed{suffix}" in families and
         len(families["resctrl_build_info"].samples) == 1, "no missed or no build")


def read_metrics(data, classic):
    families = read_families(data, classic)
    sample = {}

    def note(labels, event, value, where):
        record = sample.setdefault(key_of(labels, where), {})
        need(event not in record, f"{where}: {event} of {labels} twice")
        record[event] = value

    total = "_total" if classic else ""
    events = {f"{BANDWIDTH}{total}": lambda labels: f"mbm_{labels['scope']}_bytes",
              "resctrl_llc_occupancy_bytes": lambda _: "llc_occupancy",
              "resctrl_event": lambda labels: labels["event"]}
    for name, event_of in events.items():
        for labels, value in families[name].samples.items() if name in families else ():
            note(dict(labels), event_of(dict(labels)), (integer(value, name), None), name)
    need("resctrl_event_status" in families, "no statuses")
    for labels, value in families["resctrl_event_status"].samples.items():
        here = dict(labels)
        need(value == "1" and re.fullmatch(WORD, here["status"]), f"status: {labels} {value}")
        if not here["event"].endswith("_per_second"):
            note(here, here["event"], (None, here["status"]), "status")
    check_cost(families, {key[:3] for key in sample})
    return [list(sample.items())]


def influx_name(name):
    """A name as a tag's value, without the backslashes that guard ",", "=" and " "."""
    out = []
    for i, c in enumerate(text := name.decode("utf-8", "surrogateescape")):
        follows = text[i + 1] if i + 1 < len(text) else ""
        if 0xDC80 <= ord(c) <= 0xDCFF:
            out.append("\ufffd%02x" % (ord(c) - 0xDC00))
        elif c == "\ufffd":
            out.append("\ufffdef\ufffdbf\ufffdbd")
        elif ord(c) < 0x20 or c == "\x7f" or (c == "\\" and follows in ',= "\\'):
            out.append("\ufffd%02x" % ord(c))
        else:
            out.append(c)
    return "".join(out)


def influx_value(value):
    """A count that is no signed number of 64 bits is a word."""
    return (None, "too-large") if value[0] is not None and value[0] >> 63 else value


TAG = re.compile(r",([a-z_]+)=((?:[^\s,=\\]|[^\S\t\n\v\f\r ]|\\[^\s\\]|\\ )+)")
FIELD = re.compile(r'([A-Za-z0-9_-]+)=(?:([0-9]+)i|"([^"\\\n]*)")(,|$)')


def influx_line(line, where):
    """(measurement, tags, fields, time): integers are numbers, strings text."""
    m = re.match("[a-z_]+", line)
    need(m, f"{where}: no measurement")
    measurement, at, tags, fields = m[0], m.end(), {}, {}
    while line[at:at + 1] == ",":
        m = TAG.match(line, at)
        need(m and m[1] not in tags, f"{where}: no tag at {line[at:at + 60]!r}")
        tags[m[1]] = re.sub(r"\\([,= ])", r"\1", m[2])
        at = m.end()
    need(line[at:at + 1] == " ", f"{where}: {line[at:at + 60]!r} behind the tags")
    text, blank, time = line[at + 1:].rpartition(" ")
    need(blank and re.fullmatch("[0-9]{19}", time), f"{where}: time {time!r}")
    at = 0
    while at < len(text):
        m = FIELD.match(text, at)
        need(m and m[1] not in fields and not (m[4] and m.end() == len(text)),
             f"{where}: no field at {text[at:at + 60]!r}")
        fields[m[1]] = int(m[2]) if m[2] else m[3]
        need(not m[2] or fields[m[1]] < 1 << 63, f"{where}: {m[1]} is no signed number")
        at = m.end()
    need(fields, f"{where}: no fields")
    return measurement, tags, fields, int(time)


def influx_record(fields, strings, where):
    record = {}
    for name, value in fields.items():
        event = name.removesuffix("_status")
        if event.endswith("_per_second"):
            continue
        need(event not in record, f"{where}: {event} has a number and a status")
        if event != name:
            record[event] = None, value
        elif strings:
            record[event] = integer(value, where), None
        else:
            need(isinstance(value, int), f"{where}: {event} is {value!r}")
            record[event] = value, None
    return record


def read_influx(data, strings=False):
    """Samples are told apart by a domain that comes again."""
    samples, domains = [[]], set()
    for n, line in enumerate(text_lines(data), 1):
        where = f"line {n}"
        measurement, tags, fields, _ = influx_line(line, where)
        need(tags.get("host") and "resource" in tags and "domain" in tags, f"{where}: {tags}")
        sub = tags.get("sub_domain")
        domain = (tags["resource"], integer(tags["domain"], where),
                  integer(sub, where) if sub else None)
        if measurement == "resctrl_dump":
            need(isinstance(fields.get("duration_ns"), int) and
                 isinstance(fields.get("missed"), int) and
                 fields.get("path", "direct") in PATHS, f"{where}: {fields}")
            domains.add(domain)
            continue
        need(measurement == "resctrl", f"{where}: measurement {measurement}")
        if domain in domains:
            samples.append([])
            domains = set()
        samples[-1].append(((*domain, tags.get("ctrl_group", ""), tags.get("mon_group", "")),
                            influx_record(fields, strings, where)))
    return samples
