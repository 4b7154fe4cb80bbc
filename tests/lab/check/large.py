# SPDX-License-Identifier: LGPL-2.1-or-later
from lab import ended, ok, text

ended("run")
ok(int(text("counts")) == 192000, "1000 groups x 64 domains x 3 events", text("counts"))
ok(int(text("fds")) > 192000, "each on a descriptor of its own", text("fds"))
