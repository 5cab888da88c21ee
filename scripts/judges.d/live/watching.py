"""grona-health and grona-status: from outside, without rights, and what they leave behind."""

import pathlib
import re
import stat

from base import check, cursor, done, drop_in, journal, move_clock, run, show, started, wait, words_of
from place import HOME, alerted, alerts, hold, metrics, nothing_failed, settled, status_file, until_held

HEALTH, STATUS = "grona-health.service", "grona-status.service"
CONFIG = HOME / "store/v1/mobile/workspaces/acme-market/config"


def judge():
    done("systemctl", "start", "grona-refresh.service")
    seen = started(HEALTH)
    check(seen == (0, "success", "inactive"), "grona-health.service finds all well over the web", seen)
    hold("GET", True)
    done("systemctl", "start", "--no-block", HEALTH)
    until_held()
    process = show(HEALTH, "MainPID")
    user = status_file(process, "Uid").split()[0]
    check(61184 <= int(user) <= 65519, "its user is made for the run", user)
    check(status_file(process, "CapEff") == "0" * 16 and status_file(process, "NoNewPrivs") == "1"
          and status_file(process, "Seccomp") == "2", "and has no rights")
    check(not pathlib.Path("/run/credentials/grona-health.service").exists(), "and no credentials")
    hold("GET", False)
    wait(lambda: show(HEALTH, "ActiveState") == "inactive", "the end of health")
    dark()
    pages()
    the_timer()


def dark():
    count, at = len(alerts()), cursor()
    away = CONFIG.with_name("away")
    CONFIG.rename(away)
    seen = started(HEALTH)
    check(seen == (1, "exit-code", "failed"), "a workspace that is dark fails it", seen)
    alert = alerted(count, HEALTH)
    check("acme-market" in alert["body"], "and people are told which", alert)
    seen = started(STATUS)
    check(seen == (1, "success", "inactive"), "grona-status.service has 1 for an answer", seen)
    lines = [r["MESSAGE"] for r in journal(at, STATUS) + journal(at, HEALTH)
             if r.get("_COMM") == "grona-publish"]
    check(lines and not [x for x in lines if not isinstance(x, str) or re.search(r"[\x00-\x1f\x7f]",
                                                                                 x)],
          "the journal has plain lines of both", lines)
    check(metrics("status")['grona_workspace_state{workspace="acme-market",state="missing"}'] == 1,
          "and its metrics say what is missing")
    away.rename(CONFIG)
    seen = started(HEALTH)
    check(seen == (0, "success", "inactive"), "it is well again when it is there", seen)


def pages():
    seen = started(STATUS)
    check(seen == (0, "success", "inactive"), "grona-status.service finds all well", seen)
    for name in ("status.prom", "status.html"):
        place = pathlib.Path("/var/lib/grona/metrics") / name
        check(stat.S_IMODE(place.stat().st_mode) == 0o644 and place.owner() == "grona-publish",
              f"{name} is there for others to read", place.stat())
    settled()
    nothing_failed()


def the_timer():
    done("systemctl", "enable", "--now", "grona-health.timer")
    before = show(HEALTH, "ExecMainStartTimestampMonotonic")
    move_clock(16 * 60)
    wait(lambda: show(HEALTH, "ExecMainStartTimestampMonotonic") != before, "grona-health.timer")
    check(True, "grona-health.timer starts it every quarter of an hour")
    done("systemctl", "stop", "grona-health.timer")
