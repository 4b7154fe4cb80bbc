#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Has the OpenMetrics text on stdin read by Prometheus' own client library.

Its parser is the reference for the format, and knows nothing of ours. Prints the number of
samples. Exit: 0; 1 it is refused, or a counter is taken for something else; 77 no such library.
"""
import sys

try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    print("no prometheus_client (Debian: python3-prometheus-client)", file=sys.stderr)
    sys.exit(77)

KINDS = {"resctrl_memory_bandwidth_bytes": ("counter", "bytes"),
         "resctrl_memory_bandwidth_bytes_per_second": ("gauge", "bytes_per_second"),
         "resctrl_llc_occupancy_bytes": ("gauge", "bytes"),
         "resctrl_dump_duration_seconds": ("gauge", "seconds"),
         "resctrl_dump_missed": ("counter", "")}


def main():
    samples = 0
    text = sys.stdin.buffer.read().decode("utf-8")
    try:
        for family in text_string_to_metric_families(text):
            samples += len(family.samples)
            kind = (family.type, family.unit)
            if not family.documentation or kind != KINDS.get(family.name, kind):
                print(f"{family.name}: {kind}, {family.documentation!r}")
                return 1
            if any(s.timestamp is not None for s in family.samples):
                print(f"{family.name}: has time stamps")
                return 1
    except ValueError as e:
        print(f"refused: {e}")
        return 1
    print(samples)
    return 0 if samples else 1


if __name__ == "__main__":
    sys.exit(main())
