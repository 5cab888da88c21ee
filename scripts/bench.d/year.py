"""A year of the built programs over 50 workspaces with a timer of twelve hours, with outages of the
signer, the store and the host as long as 0.95 of the budget that `refresh --explain` prints: nothing
ends, and renewals explain each number. Then one of 1.10: something ends.

Called by `scripts/test --soak`.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import refresh  # noqa: E402

COUNT = 50
PERIOD = 43_200
START = 1_793_264_400


class Year:
    def __init__(self, folder, part):
        self.setting = refresh.Setting(
            folder, COUNT, START, spread=15 * refresh.DAY // COUNT, is_rehearsal=True)
        self.folder = folder
        self.expired = 0
        answer = self.run(START, "--explain", "--timer-period", "12h")
        budgets = [line["budget"]["asleep"] for line in answer["workspaces"]]
        self.asleep = int(min(budgets) * part)
        self.renewed = dict.fromkeys(self.names(), 0)

    def names(self):
        return [f"shop-{number:05}" for number in range(COUNT)]

    def run(self, now, *words, signer=None):
        environment = self.setting.environment() | {"GRONA_REHEARSAL": "1"}
        done = subprocess.run(
            [refresh.PROGRAMS / "grona-publish", "refresh", "--all", "--json", "--now", str(now),
             "--signer", signer or str(refresh.PROGRAMS / "grona-sign"), *words],
            env=environment, capture_output=True, text=True)
        if not done.stdout:
            if not self.setting.store.exists():
                return {"workspaces": []}
            sys.exit(f"year: refresh ended with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def served(self, name):
        envelope = json.loads(
            (self.setting.store / "v1/mobile/workspaces" / name / "config").read_text())
        text = envelope["payload"]
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    def tick(self, now, outage):
        if outage == "host":
            return
        store, away = self.setting.store, self.folder / "away"
        if outage == "store":
            store.rename(away)
        ends = {name: self.served(name)["expires_at"] for name in self.names()} \
            if outage is None else {}
        answer = self.run(now, signer="/bin/false" if outage == "signer" else None)
        if outage == "store":
            away.rename(store)
        for line in answer["workspaces"]:
            if line["result"] == "renewed":
                self.renewed[line["workspace"]] += 1
                self.expired += now >= ends.get(line["workspace"], now + 1)

    def go(self, days, outages):
        for tick in range(days * refresh.DAY // PERIOD):
            now = START + tick * PERIOD
            away = [kind for kind, day in outages
                    if 0 <= now - START - day * refresh.DAY < self.asleep]
            self.tick(now, away[0] if away else None)


def check(holds, what):
    if not holds:
        sys.exit(f"year: {what}")


def year(part, days, outages):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="grona-year-"))
    try:
        year = Year(folder, part)
        year.go(days, outages)
        versions = {name: year.served(name)["version"] for name in year.names()}
        return year, versions
    finally:
        shutil.rmtree(folder)


def main():
    done, versions = year(0.95, 365, [("signer", 40), ("store", 130), ("host", 220), ("signer", 310)])
    check(done.expired == 0, f"{done.expired} configs ended, with 0.95 of the budget")
    for name, version in versions.items():
        check(version == 1 + done.renewed[name],
              f"{name} has version {version} after {done.renewed[name]} renewals")
    print(f"a year, four outages of {done.asleep / refresh.DAY:.1f} days: nothing ended,"
          f" {sum(done.renewed.values())} renewals")
    done, _ = year(1.10, 40, [("signer", 20)])
    check(done.expired > 0, "nothing ended, with 1.10 of the budget")
    print(f"an outage of {done.asleep / refresh.DAY:.1f} days: {done.expired} ended")


main()
