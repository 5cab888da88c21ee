"""The timers: a run in its time, one that was missed, and never two."""

import os
import time

from base import check, done, move_clock, processes, run, show, wait
from people import PUBLISH
from place import as_user, hold, settled, until_held

TIMER, REFRESH = "grona-refresh.timer", "grona-refresh.service"


def stamp():
    return show(REFRESH, "ExecMainStartTimestampMonotonic")


def judge():
    settled()
    done("systemctl", "start", TIMER)
    # What was missed in the weeks before is made up for first.
    wait(lambda: show(TIMER, "SubState") == "waiting", "a timer that waits")
    # systemctl tells the time of day in words; the kernel's own reading is asked of busctl.
    name = done("busctl", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                "org.freedesktop.systemd1.Manager", "GetUnit", "s", TIMER).out.split('"')[1]
    at = int(done("busctl", "get-property", "org.freedesktop.systemd1", name,
                  "org.freedesktop.systemd1.Timer", "NextElapseUSecRealtime").out.split()[1]) / 1e6
    minute = time.gmtime(at).tm_min
    check(time.time() < at < time.time() + 35 * 60 and minute % 30 in range(7, 12),
          "grona-refresh.timer waits for seven minutes past, or up to four later", time.gmtime(at))
    before = stamp()
    move_clock(at + 31 - time.time())
    wait(lambda: stamp() != before, "the timer's run")
    check(True, "it starts the service at that time")
    settled()
    missed()
    once()
    done("systemctl", "start", TIMER, "grona-status.timer", "grona-health.timer")


def missed():
    done("systemctl", "stop", TIMER)
    before = stamp()
    # Two hours later, and twelve minutes past, so that the next full time is far away.
    move_clock(7200 + (12 * 60 - time.time()) % 3600)
    time.sleep(1)
    check(stamp() == before, "a timer that is stopped starts nothing")
    done("systemctl", "start", TIMER)
    move_clock(4 * 60 + 31)
    wait(lambda: stamp() != before, "the run that was missed")
    check(True, "a run that was missed meanwhile is made up for, and not at the next full time")
    settled()
    done("systemctl", "stop", TIMER)


def once():
    hold("GET", True)
    done("systemctl", "start", "--no-block", REFRESH)
    until_held()
    ours = show(REFRESH, "InvocationID", "MainPID")
    done("systemctl", "start", "--no-block", REFRESH)
    done("systemctl", "start", TIMER)
    move_clock(1900)
    time.sleep(2)
    check(show(REFRESH, "InvocationID", "MainPID") == ours and len(processes("grona-publish")) == 1,
          "two starts are one run", ours)
    seen = as_user("olga", PUBLISH, "refresh", "--all")
    check(seen.returncode == 75 and "refresh.locked" in seen.err,
          "an operator's run finds it locked", seen.err)
    hold("GET", False)
    settled()
    done("systemctl", "stop", TIMER)
