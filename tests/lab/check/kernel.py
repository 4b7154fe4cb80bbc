# SPDX-License-Identifier: LGPL-2.1-or-later
import json
import re

from lab import EVENT_ID, KERNEL, Domain, Truth, ended, none, ok, text, wrong, wrong_growth

PATH = re.compile(r"/sys/fs/resctrl/(?:([^/]+)/)??(?:mon_groups/([^/]+)/)?"
                  r"mon_data/mon_L3_(\d+)/(\w+)$")


def sample(tag):
    domains = {}
    for line in text(tag + ".out").splitlines():
        path, value = line.split(" ")
        ctrl, mon, l3, event = PATH.match(path).groups("")
        key = (int(l3), None)
        domains.setdefault(key, Domain(key)).put((ctrl, mon), event, int(value))
    return list(domains.values())


truth = Truth()
ok(len(truth.rmid) == 7 and len(truth.domains) == 4 and len(truth.l3_of) == 8,
   "7 groups, 4 domains, 8 CPUs", truth.rmid, truth.domains, truth.l3_of)
ended("here")
none(wrong(sample("here"), truth, events=list(EVENT_ID)), "every count carries L3, RMID and event")
none(wrong_growth([sample("here"), sample("again")]), "counts grow")
ended("cost")
cost = json.loads(text("cost.out"))
per_read = cost["switches"] / cost["reads"]
expected = 1 if KERNEL in ("unpatched", "lockdep") else 0
ok(abs(per_read - expected) < 0.3, f"about {expected} switch per read", cost)
ok(int(text("full")) == 252, "256 RMIDs and no more", text("full"))
ok(int(text("threshold")) >= 1 << 15, "freed RMIDs leave limbo", text("threshold"))
