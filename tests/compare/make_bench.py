#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Simulated results of mbmcat bench: boots that vary, and iterations that do.

As a program: make_bench.py DIR PREFIX BOOTS LOCAL REMOTE [SEED] writes
DIR/PREFIX-1.json and so on; LOCAL and REMOTE are cycles per dump.
"""
import json
import random
import sys

DOMAINS = [("0-3", 0), ("4-7", 0), ("8-11", 1), ("12-15", 1)]
EVENTS = ["mbm_local_bytes", "mbm_total_bytes"]
GROUPS = 250


def iteration(rng, number, warmup, level, pmu=True, within=0.02):
    cycles = int(level * (1 + rng.gauss(0, within)) * (1.3 if warmup else 1))
    return {
        "round": number, "warmup": warmup, "wall_ns": int(cycles / 3), "multiplexed": False,
        "cycles": cycles if pmu else None, "instructions": cycles // 2 if pmu else None,
        "task_clock_ns": int(cycles / 3.1), "tsc": cycles // 2, "switches": 0,
        "migrations": 0, "system_cycles": int(cycles * 1.5) if pmu else None,
    }


def domain(number):
    return {"resource": "L3", "domain": number}


def iterations(rng, level, rounds, warmup, **more):
    return [iteration(rng, n, n < warmup, level, **more) for n in range(rounds + warmup)]


def cell(rng, kind, reader, target, level, path, rounds, warmup, toggle=None, **more):
    return {
        "kind": kind, "reader": dict(domain(reader), cpu=4 * reader),
        "target": None if target is None else domain(target), "toggle": toggle,
        "path": path, "reads": GROUPS * len(EVENTS),
        "iterations": iterations(rng, level, rounds, warmup, **more),
    }


def bench(rng, boot, local, remote, release="6.12.0", path="deferred", between=0.01, rounds=20,
          warmup=2, pmu=True, other_package=True, toggle=None):
    """One result; toggle is the factor by which a switch changes it."""
    factor = 1 + rng.gauss(0, between)
    cells = []
    more = {"rounds": rounds, "warmup": warmup, "pmu": pmu}
    for d in range(len(DOMAINS)):
        same = d ^ 1
        other = (d + 2) % len(DOMAINS)
        for kind, reader, level in (("local", d, local), ("remote-same-package", same, remote),
                                    ("remote-other-package", other, remote * 1.2)):
            if kind == "remote-other-package" and not other_package:
                continue
            way = path if kind == "local" else "remote"
            for position, scale in [(None, 1)] if toggle is None else [("off", 1), ("on", toggle)]:
                cells.append(cell(rng, kind, reader, d, level * factor * scale, way,
                                  toggle=position, **more))
    cells.append(cell(rng, "dry", 0, None, 40000, None, **more))
    return {
        "schema": "mbmcat.bench/1", "schema_minor": 0, "tool": "0.1.0",
        "argv": ["mbmcat", "bench"], "seed": rng.randrange(2**32),
        "time": "2026-12-01T00:00:00Z",
        "machine": {
            "host": "example", "kernel_release": release, "kernel_version": "#1 SMP",
            "boot_id": boot, "cmdline": "quiet", "nohz_full": None, "isolated": None,
            "mitigations": {"spectre_v2": "Mitigation: Retpolines"},
            "cpu_model": "Example 9000", "microcode": "0x1", "governor": "performance",
            "boost": "on", "smt": "on", "hypervisor": None, "mount_options": "rw",
            "num_rmids": 256, "perf_event_paranoid": 1,
            "load_before": [0.05, 0.1, 0.1], "load_after": [0.2, 0.1, 0.1],
        },
        "method": {
            "rounds": rounds, "warmup": warmup, "pace_ns": 1000000000, "cpu": "first",
            "pinned": True, "contention": "none", "groups": GROUPS, "events": EVENTS,
            "domains": [dict(domain(n), cpus=cpus, package=package)
                        for n, (cpus, package) in enumerate(DOMAINS)],
        },
        "sources": {"cycles": {"source": "perf" if pmu else None,
                               "reason": None if pmu else "no PMU"}},
        "cells": cells, "sweep": None, "victim": None, "interrupted": False,
    }


def boots(prefix, number, local, remote, seed=1, **more):
    rng = random.Random(f"{prefix} {seed}")
    return [bench(rng, f"{prefix}-boot-{n}", local, remote, **more) for n in range(number)]


def write(directory, prefix, results):
    names = []
    for n, result in enumerate(results, 1):
        names.append(f"{directory}/{prefix}-{n}.json")
        with open(names[-1], "w", encoding="utf-8") as file:
            json.dump(result, file)
    return names


def main():
    directory, prefix, number, local, remote = sys.argv[1:6]
    seed = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    patched = {"release": "6.12.0-direct", "path": "direct"} if prefix.startswith("after") else {}
    write(directory, prefix, boots(prefix, int(number), float(local), float(remote), seed,
                                   **patched))


if __name__ == "__main__":
    main()
