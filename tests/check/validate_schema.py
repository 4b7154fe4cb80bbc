#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Validates a JSON document, or each line of JSON lines, against a JSON Schema (2020-12).

Exit: 0 all valid, 1 not, 2 usage or nothing to validate with.
"""
import json
import sys

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
except ImportError as e:
    print(f"validate_schema: {sys.executable} has no jsonschema ({e}); "
          "install python3-jsonschema 4 or later", file=sys.stderr)
    sys.exit(2)

NAMED = 10


def documents(text):
    try:
        return [json.loads(text)]
    except ValueError:
        # Not splitlines(): U+2028 may stand in a name and ends no line.
        return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def main():
    if len(sys.argv) != 3:
        print("usage: validate_schema.py SCHEMA FILE ('-': stdin)", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as f:
            schema = json.load(f)
        Draft202012Validator.check_schema(schema)
    except (OSError, ValueError, SchemaError) as e:
        print(f"validate_schema: {sys.argv[1]}: {getattr(e, 'message', e)}", file=sys.stderr)
        return 2
    try:
        with open(0 if sys.argv[2] == "-" else sys.argv[2], encoding="utf-8", newline="\n") as f:
            found = documents(f.read())
    except (OSError, ValueError) as e:
        print(f"validate_schema: {sys.argv[2]}: {e}", file=sys.stderr)
        return 1
    validator = Draft202012Validator(schema)
    errors = [(n, e) for n, d in enumerate(found, 1) for e in validator.iter_errors(d)]
    for n, e in errors[:NAMED]:
        print(f"  document {n}, {e.json_path}: {ascii(e.message)[:200]}")
    print(f"{len(found)} documents validated, {len(errors)} errors")
    return 1 if errors or not found else 0


if __name__ == "__main__":
    sys.exit(main())
