"""In the machine: runs the judges, one section after the other, and switches the machine off."""

import json
import os
import pathlib
import subprocess
import time
import traceback

import base
import failures
import people
import place
import reboot
import renewals
import signer
import stopping
import timers
import walls
import watching
from base import STATE, run, say

SECTIONS = {
    "install": place.install, "shop": place.shop, "renewals": renewals.judge, "signer": signer.judge,
    "people": people.judge, "walls": walls.judge, "failures": failures.judge,
    "stopping": stopping.judge, "watching": watching.judge, "timers": timers.judge,
}


def section(name, judge):
    """One section; whether all of it held. The others go on where it did not."""
    before = time.monotonic()
    say(f"-- {name}")
    try:
        judge()
    except Exception as error:
        wrong = isinstance(error, base.Wrong)
        say(f"FAILED: {name}: {error if wrong else traceback.format_exc()}")
        say(run("journalctl", "--no-pager", "-q", "-n", "25", "-o", "short-monotonic").out)
        clean()
        return False
    finally:
        say(f"   ({time.monotonic() - before:.0f} s)")
    return True


def clean():
    """What a section that has failed left behind."""
    for gate in ("GET", "PUT", "CLAIM"):
        place.hold(gate, False)
    for file in pathlib.Path("/run/systemd/system").glob("grona-*.d/*.conf"):
        file.unlink()
    for words in (["unmask", "--runtime", "grona-sign-renew.socket"], ["daemon-reload"],
                  ["start", "grona-sign-renew.socket"], ["reset-failed"]):
        run("systemctl", *words)


def main():
    again = STATE.exists()
    STATE.mkdir(exist_ok=True)
    wanted = pathlib.Path("/srv/job/sections").read_text().split()
    chosen = {"reboot": reboot.judge} if again else {
        name: judge for name, judge in SECTIONS.items()
        if not wanted or name in wanted or name in ("install", "shop")}
    failed = sum(not section(name, judge) for name, judge in chosen.items())
    if not again and not failed:
        # What is served before the machine is switched off.
        (STATE / "versions").write_text(json.dumps(place.versions()))
        reboot.prepare()
    os.sync()
    say(f"RESULT {base.passed} {failed} {time.time():.0f}")


if __name__ == "__main__":
    try:
        main()
    finally:
        subprocess.run(["systemctl", "poweroff"], check=False)
