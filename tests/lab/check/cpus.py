# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import KERNEL, Truth, ended, none, ok, read, samples_ndjson, text, wrong

truth = Truth()
ok(truth.cpus((0, None)) == {0, 1, 2, 3} and truth.cpus((1, None)) == {4, 5, 6, 7}, "CPUs")
ok(text("aside").split() == ["4", "5"], "4 is isolated, 5 without a tick", text("aside"))


def cpus(tag, skip=0):
    ended(tag)
    samples = samples_ndjson(read(tag + ".out"))
    none([p for s in samples for p in wrong(s, truth)], f"{tag}: every count")
    return [{d.meta["cpu"] for s in samples[skip:] for d in s if d.key[0] == l3} for l3 in (0, 1)]


direct = KERNEL == "direct"
auto = cpus("auto")
if direct:
    ok(auto[0] <= {0, 1, 2, 3} and auto[1] <= {6, 7}, "auto: any that is not set aside", auto)
else:
    # The worker of domain 1 runs on 4, which is isolated all the same.
    ok(auto == [{0}, {6}], "auto: the first that is not set aside", auto)
ok(cpus("first") == [{0}, {4}], "first: the first, whatever it is")
any_cpu = cpus("any")
ok(any_cpu[0] <= {0, 1, 2, 3} and any_cpu[1] <= {4, 5, 6, 7}, "any: somewhere in the domain", any_cpu)
last = cpus("last")
ok(last[1] <= ({4, 5} if direct else {4}), "nothing else is in the domain: one of those", last)
busy = cpus("busy", skip=1)
if direct:
    ok(busy[0] - {0}, "CPU 0 is busy: an idle one is found", busy)
else:
    ok(busy[0] == {0}, "CPU 0 is busy: the worker runs there all the same", busy)
