"""Switched off for twenty days, and started again: everything is there by itself."""

import json
import pathlib
import time

from base import STATE, check, done, run, show, started, wait
from place import nothing_failed, settled, versions


def prepare():
    """After a boot, what was missed waits for RandomizedDelaySec=, by a clock that nobody moves."""
    place = pathlib.Path("/etc/systemd/system/grona-refresh.timer.d/soon.conf")
    place.parent.mkdir()
    place.write_text("[Timer]\nRandomizedDelaySec=5s\n")


def judge():
    wait(lambda: run("systemctl", "is-system-running").out.strip() in ("running", "degraded"),
         "the end of booting", 120)
    nothing_failed()
    for verb in ("renew", "kill", "restore", "bundle"):
        check(show(f"grona-sign-{verb}.socket", "ActiveState") == "active",
              f"grona-sign-{verb}.socket listens after a boot")
    before = json.loads((STATE / "versions").read_text())
    wait(lambda: all(n > before[w] for w, n in versions().items()), "the renewals after the boot", 120)
    check(time.gmtime().tm_min < 37, "it is not yet the timer's next full time", time.gmtime())
    check(True, "the run that was missed while the machine was off renews everything")
    settled()
    nothing_failed()
    for unit in ("grona-refresh.service", "grona-health.service", "grona-status.service"):
        seen = started(unit)
        check(seen == (0, "success", "inactive"), f"{unit} finds all well", seen)
