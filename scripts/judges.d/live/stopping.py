"""A run that is stopped, late or asleep in its midst: nothing is left, nothing wrong is served."""

import os
import pathlib
import signal
import time

from base import check, done, drop_in, move_clock, processes, run, show, started, wait
from place import (DAY, SHOPS, alerted, alerts, hold, metrics, nothing_failed, puts, served, settled,
                   until_held)

REFRESH = "grona-refresh.service"


def begin(method):
    """A run that waits at the endpoint, with a renewal to do."""
    move_clock(16 * DAY)
    hold(method, True)
    done("systemctl", "start", "--no-block", REFRESH)
    until_held()


def ended():
    wait(lambda: show(REFRESH, "ActiveState") in ("inactive", "failed"), "the end of the run")


def converges(before, what):
    hold("GET", False)
    hold("PUT", False)
    hold("CLAIM", False)
    wait(lambda: not processes("grona-sign") and not processes("grona-publish"),
         "the end of signer and publisher", 20)
    check(True, f"{what}: neither publisher nor signer is left")
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive") and served()["version"] > before,
          f"{what}: the next run has its lock, and renews", (seen, served()["version"], before))
    check(metrics("refresh")["grona_refresh_last_success_timestamp_seconds"] > time.time() - 60,
          f"{what}: and writes its metrics")
    settled()


def right(since, what):
    """Whatever was published in the meantime lives longer than what it replaced.

    What was signed before a sleep that is longer than its life is put in its place after it: both are
    over, and the next run renews it.
    """
    everything = puts()
    check(len(everything) > since, f"{what}: something was published")
    for name in SHOPS:
        ours = [(number >= since, seen) for number, (workspace, _, seen) in enumerate(everything)
                if workspace == name]
        numbers = [seen["version"] for _, seen in ours]
        check(numbers == sorted(set(numbers)), f"{what}: versions of {name} only rose", numbers)
        pairs = [(old["expires_at"], new["expires_at"]) for (_, old), (late, new) in zip(ours, ours[1:])
                 if late]
        check(all(old < new for old, new in pairs), f"{what}: {name} lost no life", pairs)


def judge():
    before, count = served()["version"], len(alerts())
    begin("PUT")
    check(processes("grona-sign") and processes("grona-publish"), "a run is in its midst")
    done("systemctl", "stop", REFRESH)
    seen = show(REFRESH, "Result", "ActiveState", "ExecMainStatus")
    check(seen["ActiveState"] == "inactive", "systemctl stop ends a run, which is no failure", seen)
    check(pathlib.Path("/var/lib/grona/metrics/refresh.prom").exists(), "the metrics file is there")
    converges(before, "stopped")
    # A signer with an answer in hand that nobody waits for any more ends with output.closed.
    more = [a for a in alerts()[count:] if "output.closed" not in a["body"]]
    check(not more, "stopping alerts nobody", more)
    late()
    killed()
    asleep()


def late():
    before, count = served()["version"], len(alerts())
    drop_in(REFRESH, "late", "[Service]\nTimeoutStartSec=15s\n")
    move_clock(16 * DAY)
    hold("PUT", True)
    # As a rule that is in its midst; it cannot end by itself, however slow the machine is.
    run("systemctl", "start", REFRESH)
    drop_in(REFRESH, "late")
    check(show(REFRESH, "Result") == "timeout", "TimeoutStartSec= ends a run")
    alert = alerted(count, REFRESH)
    check("timed out" in alert["body"], "and people are told", alert)
    converges(before, "late")
    nothing_failed()


def killed():
    before, count = served()["version"], len(alerts())
    begin("PUT")
    done("systemctl", "kill", "--signal=KILL", REFRESH)
    ended()
    check(show(REFRESH, "Result") == "signal", "a run that is killed has failed")
    alerted(count, REFRESH)
    converges(before, "killed")


def everybody(number):
    for process in processes("grona-publish") + processes("grona-sign"):
        os.kill(process, number)


def asleep():
    """Publisher and signer stand still over the end of what is served, before and after signing."""
    for method, days in (("GET", 20), ("CLAIM", 40), ("CLAIM", 3)):
        what = f"asleep for {days} days at a {method}"
        before, since = served()["version"], len(puts())
        begin(method)
        everybody(signal.SIGSTOP)
        move_clock(days * DAY)
        hold(method, False)
        everybody(signal.SIGCONT)
        ended()
        seen = show(REFRESH, "ExecMainStatus", "Result")
        check(seen["ExecMainStatus"] in ("0", "1", "75"), f"{what}: the run ends", seen)
        converges(before, what)
        right(since, what)
        check(all(served(name)["expires_at"] > time.time() + 7 * DAY for name in SHOPS),
              f"{what}: everything lives long")
    done("systemctl", "reset-failed")
