"""Time and memory of `grona-publish refresh` over many workspaces in one store, and how both grow.

Called by `scripts/bench refresh [COUNT…]`; see there.
"""

import base64
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from softhsm import Token

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("GRONA_BIN", ROOT / ".build/dist"))
DAY = 86_400
MEMORY = 100 << 20
JOBS = os.environ.get("GRONA_BENCH_JOBS", "4")

# Runs a program, and writes down how many KiB it took at most, and the seconds of the processors that
# it took with its children. What wait4 says of memory counts its children and who started it, too.
MEASURED = """#!/usr/bin/python3
import os, sys, time
child = os.posix_spawn({program!r}, [{program!r}] + sys.argv[1:], os.environ)
peak, ended = 0, 0
while ended == 0:
    for line in open(f"/proc/{{child}}/status"):
        if line.startswith("VmHWM:"):
            peak = max(peak, int(line.split()[1]))
    time.sleep(0.01)
    ended, status, usage = os.wait4(child, os.WNOHANG)
open({report!r}, "w").write(f"{{peak}} {{usage.ru_utime + usage.ru_stime}}")
sys.exit(os.waitstatus_to_exitcode(status))
"""


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def log(path, records):
    """A chained log: each line has the digest of the one before it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    previous = "0" * 64
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        for number, record in enumerate(records, 1):
            line = canonical(record | {"format": 1, "seq": number, "prev": previous})
            previous = hashlib.sha256(line).hexdigest()
            file.write(line + b"\n")


class Setting:
    """A store with a served config for each of so many workspaces, with all that belongs to it."""

    def __init__(self, folder, count, issued, spread=0, is_rehearsal=False,
                 on_token=False):
        """The first is signed at a time, and each next one earlier by so many seconds."""
        self.folder = folder
        self.count = count
        self.issued = issued
        self.store = folder / "store"
        self.root = folder / "state"
        self.state = self.root / "rehearsal" if is_rehearsal else self.root
        payload = self.template()
        self.token = Token(folder) if on_token else None
        ledger = []
        for number in range(count):
            ledger.append(self.add(f"shop-{number:05}", payload, number))
            self.issued -= spread
        if self.token:
            self.token.close()
        ledger.sort(key=lambda line: line["time"])
        name = "file:" + os.path.realpath(self.store)
        place = self.state / "stores" / hashlib.sha256(name.encode()).hexdigest()[:16]
        log(place / "ledger.ndjson", ledger)
        for path in [place, self.state / "stores", self.state, self.root]:
            path.chmod(0o700)
        for name in ["grona-sign", "grona-publish"]:
            (folder / name).write_text(MEASURED.format(
                program=str(PROGRAMS / name), report=str(folder / f"{name}.report")))
            (folder / name).chmod(0o755)

    def template(self):
        """A payload as the signer makes it of the campaigns of the repository."""
        campaigns, keys = self.folder / "campaigns", self.folder / "keys"
        shutil.copytree(ROOT / "campaigns/acme-market", campaigns / "acme-market")
        keys.mkdir()
        environment = self.environment()
        for words in [
            ["keys", "generate", "--workspace", "acme-market", "--use", use, "--kid", use,
             "--signer", f"file:{use}.pem"]
            for use in ["config", "grant"]
        ] + [["config", str(campaigns / "acme-market"), "--version", "1", "-o",
              str(self.folder / "one.json")]]:
            subprocess.run([PROGRAMS / "grona-sign", *words], check=True, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = json.loads((self.folder / "one.json").read_text())["payload"]
        shutil.rmtree(campaigns / "acme-market")
        shutil.rmtree(keys / "acme-market")
        shutil.rmtree(self.root)
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))

    def environment(self):
        token = getattr(self, "token", None)
        module = {"SOFTHSM2_CONF": str(token.configuration)} if token else {}
        return module | {
            "HOME": str(self.folder), "PATH": "/usr/bin:/bin", "GRONA_STATE": str(self.root),
            "GRONA_KEYS": str(self.folder / "keys"), "GRONA_STORE": f"file:{self.store}",
            "GRONA_CAMPAIGNS": str(self.folder / "campaigns")}

    def add(self, name, template, number):
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        x, y = public[-64:-32], public[-32:]
        thumbprint = url(hashlib.sha256(canonical(
            {"crv": "P-256", "kty": "EC", "x": url(x), "y": url(y)})).digest())
        kid, identity = f"{name}-1", hashlib.sha256(name.encode()).hexdigest()[:32]
        folder = self.folder / "keys" / name
        folder.mkdir()
        if self.token:
            signer = self.token.take(key, kid, number)
        else:
            signer = f"file:{kid}.pem"
            with open(os.open(folder / f"{kid}.pem", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
                file.write(key.private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption()))
        (folder / "keyring.json").write_bytes(canonical({
            "format": 1, "id": identity, "workspace": name, "keys": [{
                "kid": kid, "use": "config", "state": "current", "thumbprint": thumbprint,
                "public": base64.b64encode(public).decode(), "signer": signer,
                "history": [{"at": self.issued - DAY, "bootstrap": True, "state": "current"}]}]}))
        campaigns = self.folder / "campaigns" / name
        campaigns.mkdir()
        (campaigns / "workspace.json").write_bytes(canonical({
            "workspace": name, "min_sdk": "1.2.0", "ttl_seconds": 900, "renew_before": "15d",
            "lifetimes": {"config": "30d"}}))
        payload = canonical(template | {
            "workspace": name, "issued_at": self.issued, "expires_at": self.issued + 30 * DAY})
        digest = hashlib.sha256(payload).hexdigest()
        header = self.header(kid)
        text = f"{header}.{url(payload)}".encode()
        r, s = utils.decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
        envelope = canonical({
            "protected": header, "payload": url(payload),
            "signature": url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))})
        served = self.store / "v1/mobile/workspaces" / name
        (served / "versions").mkdir(parents=True)
        for path in [served / "config", served / "versions" / ("1".zfill(16) + ".json")]:
            path.write_bytes(envelope)
        log(self.state / identity / "audit.ndjson", [{
            "act": "sign", "at": self.issued, "user": "root", "workspace": name, "role": "config",
            "kid": kid, "thumbprint": thumbprint, "digest": digest, "version": 1,
            "issued_at": self.issued, "expires_at": self.issued + 30 * DAY}])
        return {
            "event": "observed", "workspace": name, "time": self.issued, "user": "root",
            "version": 1, "payload": digest, "envelope": hashlib.sha256(envelope).hexdigest(),
            "kid": kid}

    def header(self, kid):
        """The protected header as the signer writes it, with another key."""
        text = json.loads((self.folder / "one.json").read_text())["protected"]
        known = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        return url(canonical(known | {"kid": kid}))

    def refresh(self, renewed):
        """Seconds, those of the processors, peak memory of the publisher and of the signer in bytes.

        The seconds of the processors are those of both programs and count no others' work: where the
        machine is busy, go by them.
        """
        reports = [self.folder / f"{name}.report" for name in ["grona-publish", "grona-sign"]]
        reports[1].unlink(missing_ok=True)
        words = [str(self.folder / "grona-publish"), "refresh", "--all", "--json", "--jobs", JOBS,
                 "--signer", str(self.folder / "grona-sign")]
        begin = time.monotonic()
        done = subprocess.run(words, env=self.environment(), capture_output=True)
        spent, status = time.monotonic() - begin, done.returncode
        answer = json.loads(done.stdout)
        results = [line["result"] for line in answer["workspaces"]]
        if status != 0 or results.count("renewed") != renewed or len(results) != self.count:
            faults = [line for line in answer["workspaces"] if line["code"]][:2]
            sys.exit(f"bench: refresh ended with {status}, {results.count('renewed')} renewed of"
                     f" {len(results)}: {faults}")
        taken = [r.read_text().split() for r in reports if r.exists()]
        memory = [int(kibibytes) << 10 for kibibytes, _ in taken]
        # The publisher's seconds contain those of the signer that it waited for.
        return spent, float(taken[0][1]), memory[0], (memory + [0])[1]


def main():
    on_token = "--token" in sys.argv[1:]
    counts = [int(word) for word in sys.argv[1:] if word != "--token"] or [100, 1_000, 10_000]
    missed = False
    print(f"{'workspaces':>10}  {'nothing due (processor)':>30}  {'all due (processor)':>45}"
          f"  jobs {JOBS}")
    for count in counts:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="grona-bench-"))
        try:
            setting = Setting(folder, count, int(time.time()) - 20 * DAY,
                              on_token=on_token)
            due = setting.refresh(count)
            idle = setting.refresh(0)
            # What a module keeps of its objects is in the signer, too, and not of it.
            module = setting.token.memory() if setting.token else 0
            missed = missed or max(due[2], due[3] - module, idle[2]) > MEMORY
            print(f"{count:10}  {idle[0]:8.2f} s ({idle[1]:6.2f} s) {idle[2] / 2**20:6.1f} MB"
                  f"  {due[0]:8.2f} s ({due[1]:6.2f} s) {due[2] / 2**20:6.1f} MB,"
                  f" signer {due[3] / 2**20:5.1f} MB"
                  + (f" (module alone {module / 2**20:.1f} MB)" if module else ""), flush=True)
        finally:
            shutil.rmtree(folder)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
