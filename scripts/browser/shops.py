"""A store in which things went well and wrong, made by the built programs."""

import json
import os
import pathlib
import shutil
import subprocess

DAY = 86_400


class Shops:
    """A folder with campaigns, keys, a store and a ledger of its own."""

    def __init__(self, folder, programs):
        self.folder = pathlib.Path(folder)
        self.sign_program = str(programs / "grona-sign")
        self.publish_program = str(programs / "grona-publish")
        self.store = self.folder / "public"
        self.store.mkdir()
        self.environment = {
            "HOME": str(self.folder), "PATH": "/usr/bin:/bin",
            "GRONA_STATE": str(self.folder / "state"), "GRONA_STORE": f"file:{self.store}",
            "GRONA_KEYS": str(self.folder / "keys"),
            "GRONA_CAMPAIGNS": str(self.folder / "campaigns")}
        self.bundles = 0

    def run(self, program, *words, status=(0,)):
        answer = subprocess.run([program, *map(str, words)], capture_output=True, timeout=120,
                                env=self.environment, cwd=self.folder)
        if answer.returncode not in status:
            raise SystemExit(f"{words}: {answer.stderr.decode(errors='replace')}")
        return answer.stdout.decode()

    def sign(self, *words):
        return self.run(self.sign_program, *words)

    def publish(self, *words, status=(0,)):
        return self.run(self.publish_program, *words, status=status)

    def served(self, name):
        return self.store / "v1/mobile/workspaces" / name / "config"

    def shop(self, name, days, versions=1, bundle_days=None, policy=None):
        """A workspace whose last version lives so many days."""
        folder = self.folder / "campaigns" / name
        folder.mkdir(parents=True)
        self.write_policy(name, days, policy or {})
        self.campaign(name, 0)
        for use, infix in (("config", ""), ("grant", "-grants")):
            for month in ("2026-10", "2026-11"):
                self.sign("keys", "generate", "--workspace", name, "--use", use, "--kid",
                          f"{name}{infix}-{month}", "--signer", f"file:{name}{infix}-{month}.pem")
        self.sign("keys", "pins", "--workspace", name, "--format", "json", "-o",
                  self.folder / f"{name}-pins.json")
        for version in range(1, versions + 1):
            self.campaign(name, version)
            self.push(name, version)
        if bundle_days:
            self.bundle(name, bundle_days)

    def write_policy(self, name, days, more):
        policy = {"workspace": name, "min_sdk": "1.0.0", "ttl_seconds": 900,
                  "lifetimes": {"config": days * DAY, "bundle": days * DAY}, **more}
        (self.folder / "campaigns" / name / "workspace.json").write_text(json.dumps(policy))

    def campaign(self, name, priority):
        campaign = {"id": "news", "kind": "banner", "enabled": True, "unit": "device",
                    "placements": ["home"], "variants": [{"id": "only", "weight": 10000}],
                    "priority": priority}
        (self.folder / "campaigns" / name / "news.json").write_text(json.dumps(campaign))

    def push(self, name, version):
        file = self.folder / f"{name}-{version}.json"
        self.sign("config", self.folder / "campaigns" / name, "--version", version, "-o", file)
        self.publish("push", file)

    def bundle(self, name, days):
        self.bundles += 1
        self.publish("bundle", name, "--pins", self.folder / f"{name}-pins.json", "--lifetime",
                     f"{days}d", "-o", self.folder / f"bundle-{self.bundles}.json")

    def restore(self, name, version):
        """Puts an older version back, as a restored backup does."""
        claim = self.served(name).parent / "versions" / f"{version:016d}.json"
        shutil.copyfile(claim, self.served(name))

    def status(self, *words, now):
        return self.publish("status", "--now", now, *words, status=(0, 1))
