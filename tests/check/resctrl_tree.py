# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a dump of a captured tree has to say, found by walking the tree.

Everything is bytes: names are whatever the file system holds.
"""
import errno
import os
import re

DEFAULT_EVENTS = (b"mbm_local_bytes", b"mbm_total_bytes")
U64_MAX = (1 << 64) - 1


def parse(data):
    """The bytes of a counter file -> (number, None) or (None, status)."""
    text = data[:-1] if data.endswith(b"\n") else data
    if re.fullmatch(rb"[0-9]+", text) and int(text) <= U64_MAX:
        return int(text), None
    if re.fullmatch(rb"[A-Za-z][A-Za-z0-9_-]{0,22}", text):
        return None, text.decode("ascii")
    return None, "invalid"


def read_counter(path):
    try:
        with open(path, "rb") as f:
            return parse(f.read())
    except FileNotFoundError:
        return None, "missing"
    except OSError as e:
        if e.errno in (errno.EACCES, errno.EPERM):
            return None, "denied"
        if e.errno == errno.ENODEV:
            return None, "gone"
        return None, "failed"


def subdirectories(path):
    """Names of the real directories in path; none where it can't be listed."""
    try:
        with os.scandir(path) as entries:
            return [e.name for e in entries if e.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def pseudo_locked(path):
    try:
        with open(path + b"/mode", "rb") as f:
            return f.read().strip() in (b"pseudo-locked", b"pseudo-locksetup")
    except OSError:
        return False


def groups(root):
    """Yields (control group, monitoring group, path)."""
    own = (b"info", b"mon_groups", b"mon_data")
    controls = [(b"", root)]
    controls += [(n, root + b"/" + n) for n in subdirectories(root) if n not in own]
    for name, path in controls:
        if pseudo_locked(path):
            continue
        yield name, b"", path
        for mon in subdirectories(path + b"/mon_groups"):
            yield name, mon, path + b"/mon_groups/" + mon


def domains(path):
    """Yields (resource, domain, None or sub domain, path) of one group."""
    for name in subdirectories(path + b"/mon_data"):
        m = re.fullmatch(rb"mon_(.+)_([0-9]+)", name)
        if not m or m[1].startswith(b"sub_"):
            continue
        directory = path + b"/mon_data/" + name
        yield m[1], int(m[2]), None, directory
        for sub in subdirectories(directory):
            s = re.fullmatch(rb"mon_sub_" + re.escape(m[1]) + rb"_([0-9]+)", sub)
            if s:
                yield m[1], int(m[2]), int(s[1]), directory + b"/" + sub


def expected(root, events=DEFAULT_EVENTS, sums=False):
    """{(resource, domain, sub domain, control group, monitoring group):
    {event: (number, status)}} for all that a dump of root must hold."""
    found = {}
    for ctrl, mon, path in groups(root):
        for resource, domain, sub, directory in domains(path):
            found[resource, domain, sub, ctrl, mon] = directory
    split = {(k[0], k[1]) for k in found if k[2] is not None}
    present = {}
    for key, directory in list(found.items()):
        if (key[2] is not None) if sums else (key[2] is None and key[:2] in split):
            del found[key]
            continue
        for event in events:
            if os.path.lexists(directory + b"/" + event):
                present.setdefault(key[0], set()).add(event)
    return {
        key: {e: read_counter(directory + b"/" + e) for e in events if e in present[key[0]]}
        for key, directory in found.items()
        if key[0] in present
    }


def json_name(name):
    """A name as JSON text: each byte that is no part of UTF-8, and each byte of a
    literal U+FFFD, becomes U+FFFD and the byte's two hexadecimal digits."""
    out = []
    for c in name.decode("utf-8", "surrogateescape"):
        if 0xDC80 <= ord(c) <= 0xDCFF:
            out.append("\ufffd%02x" % (ord(c) - 0xDC00))
        elif c == "\ufffd":
            out.append("\ufffdef\ufffdbf\ufffdbd")
        else:
            out.append(c)
    return "".join(out)
