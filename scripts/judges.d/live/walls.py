"""What the units forbid is needed by nothing: a system call that is refused ends the program here."""

from base import check, done, drop_in, move_clock, run, show, started
from people import PUBLISH
from place import DAY, SIGNER, as_user, nothing_failed, served, settled

UNITS = ("grona-sign-.service", "grona-refresh.service", "grona-status.service", "grona-health.service",
         "grona-alert@.service")


def judge():
    rated = {}
    for unit in ("grona-refresh.service", "grona-status.service", "grona-health.service",
                 "grona-alert@x.service", "grona-sign-renew@x.service"):
        line = run("systemd-analyze", "security", "--no-pager", unit).out.strip().splitlines()[-1]
        rated[unit] = float(line.split(": ")[1].split()[0])
        check(rated[unit] <= 2.0, f"systemd rates {unit} with {rated[unit]}")
    before = served()["version"]
    for unit in UNITS:
        drop_in(unit, "strict", "[Service]\nSystemCallErrorNumber=kill\n")
    try:
        move_clock(16 * DAY)
        for unit in UNITS[1:4]:
            seen = started(unit)
            check(seen == (0, "success", "inactive"), f"{unit} makes no call that is forbidden", seen)
        check(served()["version"] == before + 1, "the signer makes no call that is forbidden")
        seen = as_user("olga", PUBLISH, "kill", "acme-market", "weekend-offer")
        check(seen.returncode == 0, "and neither does it for a kill", seen.err)
        done(SIGNER, "keys", "check", "--workspace", "acme-kiosk")
        done("systemctl", "start", "grona-alert@walls.service")
        check(show("grona-alert@walls.service", "Result") == "success", "nor does the alert")
        # The wall is there: a program of the same unit that makes such a call is killed.
        drop_in("grona-status.service", "wrong", "[Service]\nExecStartPre=/usr/sbin/chroot / true\n")
        seen = started("grona-status.service")
        drop_in("grona-status.service", "wrong")
        check(seen[1] in ("core-dump", "signal") and seen[2] == "failed",
              "a call that is forbidden ends a program", seen)
        done("systemctl", "reset-failed")
    finally:
        for unit in UNITS:
            drop_in(unit, "strict")
    settled()
    nothing_failed()
