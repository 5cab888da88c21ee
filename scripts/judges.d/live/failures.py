"""What a run that fails does: which status alerts people, and what they are told."""

import json
import os
import pathlib
import time

from base import check, cursor, done, drop_in, journal, move_clock, run, show, started, words_of
from place import (DAY, SIGNER, alerted, alerts, envelope, nothing_failed, served, settled, versions)

REFRESH = "grona-refresh.service"


def judge():
    done("systemctl", "start", REFRESH)
    try:
        try_again()
        near_the_end()
    finally:
        sockets(True)
    mended()
    a_hand()
    broken_signer()
    refused()


def sockets(there):
    done("systemctl", "unmask" if there else "mask", "--runtime", *([] if there else ["--now"]),
         "grona-sign-renew.socket")
    if there:
        done("systemctl", "start", "grona-sign-renew.socket")


def try_again():
    """75: something failed, and nothing is near its end."""
    before, count, at = versions(), len(alerts()), cursor()
    move_clock(16 * DAY)
    sockets(False)
    seen = started(REFRESH)
    check(seen == (75, "success", "inactive"),
          "without the signer's socket a run ends with 75, which SuccessExitStatus= takes for success",
          seen)
    time.sleep(2)
    settled()
    check(len(alerts()) == count and versions() == before, "which alerts nobody", alerts()[count:])
    nothing_failed()
    text = words_of(journal(at, REFRESH))
    check("signer.unavailable" in text, "the journal says what failed", text)


def near_the_end():
    """1: below a quarter, and expired."""
    for days, what in ((9, "below a quarter of its life"), (8, "after its end")):
        count = len(alerts())
        move_clock(days * DAY)
        seen = started(REFRESH)
        check(seen == (1, "exit-code", "failed"), f"{what} the unit fails", seen)
        alert = alerted(count, "grona-refresh.service")
        check("acme-market" in alert["body"] and "signer.unavailable" in alert["body"],
              "people are told the unit, and what its journal says", alert)
        check(len(alerts()) == count + 1, "once", alerts()[count:])
    check(expired(), "every device is dark")


def mended():
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive") and not expired(), "the next run with a signer mends it",
          seen)
    settled()
    nothing_failed()


def expired():
    return served()["expires_at"] < time.time()


def a_hand():
    """A newer version was signed and never published: a person has to decide."""
    count, before = len(alerts()), served()["version"]
    newer = done(SIGNER, "config", "/etc/grona/campaigns/acme-market", "--after", "-", "--enable",
                 "weekend-offer", "--enable", "spring-offer", input=json.dumps(envelope())).stdout
    check(newer, "a newer version is signed and kept back")
    move_clock(16 * DAY)
    seen = started(REFRESH)
    check(seen == (1, "exit-code", "failed"), "the unit fails", seen)
    alert = alerted(count, REFRESH)
    check("unpublished.newer" in alert["body"], "and people are told what to decide", alert)
    check(versions()["acme-market"] == before and versions()["acme-kiosk"] > 1,
          "the others were renewed, that one was not", versions())
    done(SIGNER, "audit", "withdraw", "acme-market", before + 1, "--reason", "a trial")
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive") and served()["version"] == before + 2,
          "given up, it is renewed", seen)


def broken_signer():
    """The signer's own fault is told by the signer's unit."""
    keyring = pathlib.Path("/etc/grona/keys/acme-market/keyring.json")
    count = len(alerts())
    move_clock(16 * DAY)
    os.chown(keyring.parent, 0, 0)
    seen = started(REFRESH)
    check(seen[1] == "success" and seen[0] == 75 or seen[1] == "exit-code",
          "a keyring that the signer cannot read fails the run", seen)
    done("chown", "grona-signer:", keyring.parent)
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive"), "which goes on when it can", seen)
    pathlib.Path("/etc/grona/signer").rename("/etc/grona/signer.away")
    move_clock(16 * DAY)
    started(REFRESH)
    pathlib.Path("/etc/grona/signer.away").rename("/etc/grona/signer")
    alert = alerted(count, "grona-sign-renew@.*")
    check("credentials" in alert["body"].lower(), "a signer without its credentials alerts people",
          alert)
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive"), "and signs when they are there", seen)


def refused():
    """The store refuses a wrong token."""
    token = pathlib.Path("/etc/grona/publisher/store-token")
    count = len(alerts())
    move_clock(16 * DAY)
    text = token.read_text()
    token.write_text("another\n")
    seen = started(REFRESH)
    token.write_text(text)
    check(seen == (77, "exit-code", "failed"), "a token that the store refuses fails the unit", seen)
    alert = alerted(count, REFRESH)
    check("store." in alert["body"], "and people are told", alert)
    seen = started(REFRESH)
    check(seen == (0, "success", "inactive"), "the right one does", seen)
    settled()
    nothing_failed()
