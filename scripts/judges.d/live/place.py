"""Puts everything in place as the handbook tells an operator: the package, the users, three shops."""

import base64
import json
import pathlib
import re
import stat
import time

import base
from base import check, done, run, show, wait

PREFIX = pathlib.Path("/usr/local")
PAGE = PREFIX / "share/doc/grona/Operations.md"
SIGNER = PREFIX / "libexec/grona/as-signer"
HOME = pathlib.Path("/srv/endpoint")
CONFIGS = "v1/mobile/workspaces/{workspace}/"
URL = "http://127.0.0.1:8080/" + CONFIGS
PIN = "271828"
# A key in a file of the signer, one on a token with a PIN from a credential, one that is a credential.
SHOPS = ("acme-market", "acme-kiosk", "acme-staging")
DAY = 86400


def block(before):
    """The first commands in the handbook after these words."""
    return re.search(r"```sh\n(.*?)```", PAGE.read_text().split(before, 1)[1], re.S)[1]


def install():
    pathlib.Path("/etc/hosts").write_text("127.0.0.1 localhost shop\n")
    # What Debian does each day would be due whenever the clock is moved.
    lines = done("systemctl", "list-unit-files", "--plain", "--no-legend", "*.timer").out.splitlines()
    run("systemctl", "disable", "--now", *(line.split()[0] for line in lines))
    done("/srv/job/grona/install", "--units", cwd="/")
    done("visudo", "-c")
    done("sh", "-ec", block("\nThen, as root:\n"))
    check(show("grona-sign-kill.socket", "ActiveState") == "active",
          "the handbook's commands put users and folders in place, enable and start the units")
    for name in ("renew", "kill", "restore", "bundle"):
        place = pathlib.Path(f"/run/grona-sign/{name}")
        seen = place.stat()
        check(stat.S_ISSOCK(seen.st_mode) and oct(seen.st_mode & 0o777) == "0o660"
              and place.group() == "grona-publish" and place.owner() == "root",
              f"/run/grona-sign/{name} is a socket that root and grona-publish may use", seen)
    for line in (PREFIX / "lib/tmpfiles.d/grona.conf").read_text().splitlines():
        if not line.startswith("d "):
            continue
        _, name, mode, owner, group = line.split()
        seen = pathlib.Path(name)
        check((f"{seen.stat().st_mode & 0o7777:04o}", seen.owner(), seen.group())
              == (mode, owner, group), f"systemd-tmpfiles made {name}, {mode} of {owner}:{group}")
    for unit in ("grona-refresh.timer", "grona-status.timer"):
        check(show(unit, "UnitFileState", "ActiveState", "SubState") == {
            "UnitFileState": "enabled", "ActiveState": "active", "SubState": "waiting"},
            f"{unit} waits for its time")
    # From here on the judges say when something runs.
    done("systemctl", "stop", "grona-refresh.timer", "grona-status.timer")


def endpoint():
    (HOME / "store").mkdir(parents=True, exist_ok=True)
    pathlib.Path("/etc/systemd/system/endpoint.service").write_text(
        # The network of the machine, for which the units wait.
        "[Unit]\nBefore=network-online.target\n[Service]\nType=notify\n"
        "ExecStart=/usr/bin/python3 -u /srv/endpoint/endpoint.py /srv/endpoint\n"
        "RuntimeDirectory=endpoint\n[Install]\nWantedBy=multi-user.target\n")
    (HOME / "endpoint.py").write_bytes(pathlib.Path("/srv/job/live/endpoint.py").read_bytes())
    done("systemctl", "enable", "--now", "endpoint.service")


def settings():
    etc = pathlib.Path("/etc/grona")
    settings = (f"GRONA_STORE={URL}config\nGRONA_ALLOW_HTTP=1\n"
                f"GRONA_CLAIMS_URL={URL}versions/{{version}}\n"
                f"GRONA_BUNDLES_URL={URL}bundles/{{bundle}}\n")
    (etc / "publish.env").write_text(settings)
    (etc / "health.env").write_text(f"GRONA_STORE={URL}config\nGRONA_ALLOW_HTTP=1\n")
    token = etc / "publisher/store-token"
    token.write_text("token-of-the-store\n")
    token.chmod(0o640)
    done("chgrp", "grona-publish", token)
    alert = etc / "alert"
    alert.write_text("#!/usr/bin/python3\nimport sys, urllib.request\nurllib.request.urlopen("
                     "'http://127.0.0.1:8080/alert?' + sys.argv[1], sys.stdin.buffer.read())\n")
    alert.chmod(0o755)


def token():
    """A token that the signer's user alone reads, its PIN with root alone."""
    tokens = pathlib.Path("/var/lib/grona-signer/tokens")
    tokens.mkdir(mode=0o700)
    done("chown", "grona-signer:", tokens)
    conf = pathlib.Path("/etc/grona/softhsm2.conf")
    conf.write_text(f"directories.tokendir = {tokens}\nobjectstore.backend = file\n")
    pathlib.Path("/etc/grona/signer.env").write_text(f"SOFTHSM2_CONF={conf}\n")
    pin = pathlib.Path("/etc/grona/signer/pin")
    pin.write_text(PIN)
    pin.chmod(0o600)
    done("setpriv", "--reuid=grona-signer", "--regid=grona-signer", "--clear-groups", "env",
         f"SOFTHSM2_CONF={conf}", "softhsm2-util", "--init-token", "--free", "--label", "grona",
         "--so-pin", "314159", "--pin", PIN)
    key = pathlib.Path("/etc/grona/signer/acme-staging-2026-10")
    done("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
    key.chmod(0o600)


def policy(name, *more):
    folder = pathlib.Path("/etc/grona/campaigns") / name
    folder.mkdir(mode=0o755, exist_ok=True)
    (folder / "workspace.json").write_text(json.dumps(
        {"workspace": name, "min_sdk": "1.0.0", "ttl_seconds": 900}))
    for offer in ("weekend-offer", "spring-offer", *more):
        (folder / f"{offer}.json").write_text(json.dumps({
            "id": offer, "kind": "offer", "enabled": True, "unit": "customer", "placements": ["home"],
            "treatment": {"type": "percent_off", "value": 10000},
            "variants": [{"id": "B", "weight": 10000}]}))


def push(envelope, *more):
    """By one who reviews, after a review."""
    seen = as_user("rita", "sudo -n -u grona-publish /usr/local/libexec/grona/publish push -", *more,
                   input=envelope)
    if seen.returncode != 0:
        raise base.Wrong(f"push: {seen.err}")


def shop():
    endpoint()
    settings()
    token()
    for user, groups in (("olga", "grona-operators"), ("rita", "grona-reviewers"), ("oscar", "")):
        done("useradd", "--create-home", "--shell", "/bin/bash", "--groups", groups, user)
    where = {"acme-market": "file:acme-market-2026-10.pem",
             "acme-kiosk": "pkcs11:token=grona;object=acme-kiosk?module-path="
             "/usr/lib/softhsm/libsofthsm2.so&pin-source=credential:grona_pin",
             "acme-staging": "credential:grona_acme-staging-2026-10"}
    for name in SHOPS:
        policy(name)
        verb = "import" if name == "acme-staging" else "generate"
        done(SIGNER, "keys", verb, "--workspace", name, "--use", "config", "--kid", f"{name}-2026-10",
             "--signer", where[name])
        check(True, f"as-signer keys {verb} records a key at {where[name].split(':')[0]}:")
        keyring = block("After each change of a keyring the publisher gets its copy:")
        done("sh", "-ec", keyring.replace("acme-market", name))
        done(SIGNER, "keys", "check", "--workspace", name)
        envelope = done(SIGNER, "config", f"/etc/grona/campaigns/{name}", "--version", "1").stdout
        push(envelope)
        check(served(name)["version"] == 1,
              f"what as-signer signs for {name} is served, pushed by one who reviews")
    pins = done(SIGNER, "keys", "pins", "--workspace", "acme-market", "--format", "json").stdout
    pathlib.Path("/etc/grona/pins.json").write_bytes(pins)
    for unit in ("grona-refresh.service", "grona-status.service"):
        seen = base.started(unit)
        check(seen == (0, "success", "inactive"), f"{unit} runs, with nothing due", seen)
    nothing_failed()


def nothing_failed():
    failed = done("systemctl", "--failed", "--plain", "--no-legend").out.strip()
    check(failed == "", "systemctl --failed has nothing", failed)


def envelope(name="acme-market"):
    place = HOME / "store" / CONFIGS.format(workspace=name) / "config"
    return json.loads(place.read_bytes())


def payload(envelope):
    text = envelope["payload"]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def served(name="acme-market"):
    return payload(envelope(name))


def versions():
    return {name: served(name)["version"] for name in SHOPS}


def puts():
    """What was ever served, with the time at which it began."""
    lines = [json.loads(line) for line in (HOME / "puts").read_text().splitlines()]
    return [(p["path"].split("/")[4], p["time"], payload(json.loads(p["body"]))) for p in lines
            if p["path"].endswith("/config") and "/acme-" in p["path"]]


def alerts():
    place = HOME / "alerts"
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def alerted(before, unit, seconds=60):
    """The alert of a unit that came after so many others."""
    return wait(lambda: [a for a in alerts()[before:] if re.fullmatch(unit, a["unit"])],
                f"an alert of {unit}; {[a['unit'] for a in alerts()[before:]]}", seconds)[-1]


def settled():
    """Until nothing that belongs to us runs any more."""
    wait(lambda: not done("systemctl", "list-units", "--plain", "--no-legend", "--state=activating",
                          "--state=running", "--state=deactivating", "grona-*.service").out.strip(),
         "all services of ours have ended")


def hold(method, on):
    gate = pathlib.Path(f"/run/endpoint/hold-{method}")
    held = pathlib.Path("/run/endpoint/held")
    gate.unlink(missing_ok=True)
    if on:
        # Whoever waited at it before has gone on.
        time.sleep(0.3)
        held.unlink(missing_ok=True)
        gate.touch()


def until_held():
    wait(pathlib.Path("/run/endpoint/held").exists, "a request waits at the endpoint")


def metrics(name):
    place = pathlib.Path(f"/var/lib/grona/metrics/{name}.prom")
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
            for line in place.read_text().splitlines() if line and not line.startswith("#")}


def status_file(process, name):
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return re.search(rf"^{name}:\s*(.*)$", text, re.M)[1]


def as_user(name, *words, **options):
    """A login of that user, as sshd makes one."""
    return run("runuser", "-l", name, "-c", " ".join(words), **options)
