"""The units of systemd, the rules of sudo and the alert rules, in a world of their own.

Everything is installed by scripts/systemd/install into a private mount namespace with its own /etc,
/run, /var/lib and /srv; nothing of it is seen outside. systemd itself need not run: its tools look
at the units, systemd-socket-activate stands in for its sockets, and sudo is really called.

units.py [--units]: with --units the alert rules are also tried by Prometheus' promtool.
"""

import base64
import json
import os
import pathlib
import pwd
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = pathlib.Path("/srv/grona")
UNITS = PREFIX / "lib/systemd/system"
SIGN, PUBLISH = PREFIX / "bin/grona-sign", PREFIX / "bin/grona-publish"
FIXED = ["--keys", "/etc/grona/keys", "--campaigns", "/etc/grona/campaigns",
         "--state", "/var/lib/grona-signer"]
# The commands for keys know no campaigns.
OWN = FIXED[:2] + FIXED[4:]
KID = "acme-market-2026-10"
# A folder for what is passed around, which everybody may enter.
WORK = pathlib.Path(tempfile.gettempdir())
checks = 0


def check(holds, what):
    global checks
    checks += 1
    assert holds, what


def run(*words, **options):
    options.setdefault("env", {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/"})
    return subprocess.run([str(w) for w in words], capture_output=True, timeout=120, **options)


def ends(result, status, text=None):
    errors = result.stderr.decode()
    check(result.returncode == status, (result.args, result.returncode, errors))
    if text is not None:
        check(text in errors, (result.args, errors))
    return result


def user(name, *words, **options):
    """Runs a program as a user, with the groups that /etc/group gives it."""
    return run("setpriv", "--reuid", name, "--regid", str(pwd.getpwnam(name).pw_gid), "--init-groups",
               "--no-new-privs" if options.pop("confined", False) else "--reset-env",
               *words, **options)


def install():
    scripts = ROOT / "scripts/systemd"
    ends(run(scripts / "install", "--prefix", PREFIX), 0)
    programs = pathlib.Path(os.environ.get("GRONA_BIN", ROOT / ".build/dist"))
    for program in (SIGN, PUBLISH):
        program.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(programs / program.name, program)
    for place in PREFIX.rglob("*"):
        check(place.stat().st_mode & 0o022 == 0, f"{place} is writable by others")
    ends(run("systemd-sysusers", PREFIX / "lib/sysusers.d/grona.conf"), 0)
    ends(run("systemd-tmpfiles", "--create", PREFIX / "lib/tmpfiles.d/grona.conf"), 0)
    ends(run("visudo", "-c"), 0)
    ends(run(scripts / "install", "--prefix", "relative"), 64)
    ends(run(scripts / "install", "--prefix", "/a b"), 64)


def units():
    """systemd's own opinion of each unit."""
    names = sorted(p.name for p in UNITS.iterdir())
    services = [n for n in names if n.endswith(".service")]
    check(len(services) >= 6 and len(names) > len(services), names)
    verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=yes"]
    result = ends(run(*verify, *(UNITS / n for n in names)), 0)
    check(not result.stdout + result.stderr, result.stderr)
    exposure = {}
    for name in services:
        rated = ends(run("systemd-analyze", "security", "--offline=true", "--threshold=20",
                         UNITS / name), 0)
        exposure[name] = float(re.search(rb"level for \S+: ([0-9.]+)", rated.stdout)[1])
        check(exposure[name] <= 2.0, (name, exposure[name]))
    # Units that are named and not there are no mistake for systemd.
    for name in names:
        for line in (UNITS / name).read_text().splitlines():
            for other in re.findall(r"(grona-[a-z-]+@?)(?:%n)?(\.(?:service|socket|timer))", line):
                check("".join(other) in names, (name, line))
    for name in names:
        if name.endswith((".timer", ".socket")):
            at = "@" if name.endswith(".socket") else ""
            check(name.rsplit(".", 1)[0] + at + ".service" in names, name)
    # The judges find what is wrong.
    with tempfile.TemporaryDirectory() as folder:
        text = (UNITS / services[-1]).read_text()
        wrong = pathlib.Path(folder) / "wrong.service"
        wrong.write_text(text.replace("ProtectHome=", "ProtectHouse="))
        check(run(*verify, wrong).returncode != 0, "a misspelt setting passes")
        loose = pathlib.Path(folder) / "loose.service"
        loose.write_text("\n".join(
            line for line in text.splitlines()
            if not line.startswith(("Protect", "Private", "System", "Capability", "Restrict"))))
        check(run("systemd-analyze", "security", "--offline=true", "--threshold=20",
                  loose).returncode != 0, "a service without walls passes")
    return exposure


def settings(name):
    """The settings of a unit; the last of each."""
    lines = (UNITS / name).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]\w*=", line))


def shop():
    """A workspace whose key only the signer can read, version 1 published by the publisher."""
    campaigns = pathlib.Path("/etc/grona/campaigns/acme-market")
    campaigns.mkdir(mode=0o755)
    (campaigns / "workspace.json").write_text(json.dumps(
        {"workspace": "acme-market", "min_sdk": "1.0.0", "ttl_seconds": 900}))
    (campaigns / "weekend-offer.json").write_text(json.dumps({
        "id": "weekend-offer", "kind": "offer", "enabled": True, "unit": "customer",
        "placements": ["home"], "treatment": {"type": "percent_off", "value": 10000},
        "variants": [{"id": "B", "weight": 10000}]}))
    ends(user("grona-signer", SIGN, *OWN, "keys", "generate", "--workspace", "acme-market",
              "--use", "config", "--kid", KID, "--signer", f"file:{KID}.pem"), 0)
    signed = ends(user("grona-signer", SIGN, *FIXED, "config", campaigns, "--version", "1"), 0)
    copy_keyring()
    store = pathlib.Path("/var/lib/grona/public")
    store.mkdir(mode=0o755)
    shutil.chown(store, "grona-publish", "grona-publish")
    ends(publish("push", "-", input=signed.stdout), 0)
    pins = ends(user("grona-signer", SIGN, *OWN, "keys", "pins", "--workspace", "acme-market",
                     "--format", "json"), 0)
    pathlib.Path("/etc/grona/pins.json").write_bytes(pins.stdout)


def copy_keyring():
    """As the handbook tells the operator."""
    ends(run("install", "-D", "-m", "0644", "/etc/grona/keys/acme-market/keyring.json",
             "/etc/grona/public/acme-market/keyring.json"), 0)


def publish(*words, name="grona-publish", state="/var/lib/grona", **options):
    return user(name, PUBLISH, *words, *(
        ["--keys", "/etc/grona/public", "--campaigns", "/etc/grona/campaigns", "--state", state]
        + (["--from", "file:/var/lib/grona/public"] if words[0] in ("bundle", "fetch", "status")
           else ["--to", "file:/var/lib/grona/public"])), **options)


def served():
    return json.loads(pathlib.Path(
        "/var/lib/grona/public/v1/mobile/workspaces/acme-market/config").read_bytes())


def payload(envelope):
    text = envelope["payload"]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class Socket:
    """A socket unit, with the very command, user and access that its units say."""

    def __init__(self, verb):
        unit = settings(f"grona-sign-{verb}.socket")
        service = settings(f"grona-sign-{verb}@.service")
        check(unit["Accept"] == "yes" and service["StandardInput"] == "socket", verb)
        check(service["StandardOutput"] == "socket", verb)
        self.path = unit["ListenStream"]
        folder = pathlib.Path(self.path).parent
        folder.mkdir(mode=int(unit["DirectoryMode"], 8), parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            ["systemd-socket-activate", "--accept", "--inetd", "-l", self.path, "setpriv",
             "--reuid", service["User"], "--regid", service["Group"], "--clear-groups",
             "--no-new-privs", *shlex.split(service["ExecStart"])],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0,
            env={"PATH": "/usr/bin:/bin"})
        for _ in range(500):
            if os.path.exists(self.path):
                break
            time.sleep(0.01)
        shutil.chown(self.path, unit["SocketUser"], unit["SocketGroup"])
        os.chmod(self.path, int(unit["SocketMode"], 8))

    def ask(self, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(self.path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            connection.shutdown(socket.SHUT_WR)
            return json.loads(connection.makefile().read())

    def end(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def sockets():
    """Two users, no shared secret: who may ask, for what, and what comes of it."""
    signer = ["--signer", "unix:/run/grona-sign"]
    bundle = ["bundle", "acme-market", "--pins", "/etc/grona/pins.json", "--force", "-o",
              "/var/lib/grona/bundle.json", *signer]
    ends(publish(*bundle), 69, "[signer.unavailable]")
    verbs = {verb: Socket(verb) for verb in ("renew", "kill", "restore", "bundle")}
    try:
        kill = ["kill", "acme-market", "weekend-offer", *signer]
        rollback = ["rollback", "acme-market", "--to-version", "1", *signer]
        for name, words in (("bundle", bundle), ("kill", kill), ("rollback", rollback)):
            # As under NoNewPrivileges=yes, where sudo could do nothing.
            ends(publish(*words, confined=True), 0)
            if name == "bundle":
                # Who is not in the group of the socket gets nothing.
                state = WORK / "others"
                state.mkdir(mode=0o700)
                shutil.chown(state, "nobody")
                ends(publish("bundle", "acme-market", "--pins", "/etc/grona/pins.json", "-o",
                             state / "bundle.json", *signer, name="nobody", state=state),
                     77, "[signer.denied]")
        # The unit's own command, and a life short enough for what was just signed.
        before = payload(served())["version"]
        command = shlex.split(settings("grona-refresh.service")["ExecStart"])
        ends(user("grona-publish", *command, "--to", "file:/var/lib/grona/public",
                  "--within", "31d", confined=True), 0)
        check(payload(served())["version"] > before, "nothing was renewed over the socket")
        health = shlex.split(settings("grona-health.service")["ExecStart"])
        state = WORK / "health"
        state.mkdir(mode=0o700)
        shutil.chown(state, "nobody")
        health[health.index("--state") + 1] = str(state)
        ends(user("nobody", *health, "--from", "file:/var/lib/grona/public"), 0)
        ends(user("nobody", *health, "--from", "file:/var/lib/grona/public", "--at", "+29d"), 1)
        # Each socket does its own verb and no other.
        source = served()
        killing = {"id": "1", "envelope": source, "version": 9, "disable": ["weekend-offer"]}
        check("error" in verbs["renew"].ask(killing), "renew kills")
        check("error" in verbs["bundle"].ask(dict(killing, version=9)), "bundle kills")
        renewed = verbs["renew"].ask({"id": "1", "envelope": source, "version": 9})
        check("envelope" in renewed, renewed)
        log = user("grona-signer", SIGN, *OWN, "audit", "show", "--workspace", "acme-market")
        check(log.returncode == 0, log.stderr)
    finally:
        for verb in verbs.values():
            verb.end()


def sudo():
    """What the rules of sudo let through, and nothing else."""
    ends(run("useradd", "--no-create-home", "--groups", "grona-operators", "olga"), 0)
    ends(run("useradd", "--no-create-home", "oscar"), 0)
    as_signer = ["sudo", "-n", "-u", "grona-signer"]
    program = [PREFIX / "libexec/grona/sign"]
    request = json.dumps({"id": "1", "envelope": served()}).encode() + b"\n"
    verbs = [["renew", "--batch"], ["renew", "--batch", "--allow-disable"], ["restore", "--batch"],
             ["bundle", "--batch"]]

    def call(name, words, **options):
        return user(name, *words, input=options.pop("input", b""), **options)

    for name in ("olga", "grona-publish"):
        for verb in verbs:
            ends(call(name, [*as_signer, *program, *verb]), 0)
        answer = call(name, [*as_signer, *program, "bundle", "--batch"], input=request)
        check("envelope" in json.loads(answer.stdout), answer)
    # The publisher calls it in the same words.
    command = shlex.join(map(str, [*as_signer, *program]))
    ends(publish("bundle", "acme-market", "--pins", "/etc/grona/pins.json", "--force", "-o",
                 "/var/lib/grona/bundle.json", "--signer", command), 0)

    refused = [
        [*program, "config", "/etc/grona/campaigns/acme-market", "--version", "9"],
        [*program, "grant", "-", "--campaign", "weekend-offer", "--variant", "B", "--sub", "cus_1"],
        [*program, "grants", "-"], [*program, "preview", "-", "--campaign", "weekend-offer"],
        [*program, "keys", "list", "--workspace", "acme-market"],
        [*program, "keys", "generate", "--workspace", "acme-market"],
        [*program, "audit", "adopt", "-", "--reason", "x"], [*program, "settings"], [*program],
        [*program, "renew", "-"], [*program, "renew"], [*program, "bundle", "-"],
        [*program, "--now", "1800000000", "renew", "--batch"],
        [*program, "renew", "--batch", "--now", "1800000000"],
        [*program, "--keys", "/tmp/keys", "renew", "--batch"],
        [*program, *FIXED, "renew", "--batch"],
        [*program, "renew", "--batch", "--keys", "/tmp/keys"],
        [*program, "renew", "--batch", "--state", "/tmp/state"],
        [*program, "renew", "--batch", "--campaigns", "/tmp/campaigns"],
        [*program, "renew", "--batch", "--allow-disable", "--allow-disable"],
        [*program, "renew", "--batch", "--retry-pin"],
        [*program, "restore", "--batch", "--allow-disable"],
        [*program, "renew", "--allow-disable", "--batch"], [*program, "renew", "--batch "],
        [SIGN, "renew", "--batch"], [SIGN, *FIXED, "renew", "--batch"],
        [PUBLISH, "renew", "--batch"], ["/bin/sh", "-c", "id"],
    ]
    for words in refused:
        ends(call("olga", [*as_signer, *words]), 1)
    # sudo takes words that look the same when they are joined; what it runs does not.
    for words in (["renew --batch"], ["renew", "--batch --allow-disable"],
                  ["renew --batch", "--allow-disable"]):
        answer = ends(call("olga", [*as_signer, *program, *words], input=request), 64,
                      "grona/sign: renew")
        check(not answer.stdout, answer)
    allowed = [*program, "renew", "--batch"]
    for before in (["sudo", "-n"], ["sudo", "-n", "-u", "root"],
                   ["sudo", "-n", "-u", "grona-publish"],
                   ["sudo", "-n", "-g", "root", "-u", "grona-signer"],
                   [*as_signer, "GRONA_REHEARSAL=1"], [*as_signer, "-E"],
                   [*as_signer, "--preserve-env=GRONA_REHEARSAL"], [*as_signer, "-s"],
                   [*as_signer, "-D", "/tmp"]):
        ends(call("olga", ["env", "GRONA_REHEARSAL=1", *before, *allowed]), 1)
    for name in ("oscar", "nobody"):
        ends(call(name, [*as_signer, *allowed]), 1)
    # Nothing of the caller's environment arrives: this would be a rehearsal, in other folders.
    answer = call("olga", ["env", "GRONA_REHEARSAL=1", "GRONA_STATE=/tmp/x", *as_signer, *program,
                           "bundle", "--batch"], input=request)
    ends(answer, 0)
    check(b"rehearsal" not in answer.stderr and "envelope" in json.loads(answer.stdout), answer)


def alarms(with_promtool):
    """Every alert has a value and its freshness, and every name of a metric is one of ours."""
    place = PREFIX / "share/grona/prometheus.rules.yml"
    text = place.read_text()
    metrics = pathlib.Path("/var/lib/grona/metrics/status.prom")
    answer = publish("status", "--metrics", metrics)
    check(answer.returncode in (0, 1), answer.stderr)
    check(stat.S_IMODE(metrics.stat().st_mode) == 0o644, "nobody else can read the metrics")
    known = set(re.findall(r"^# TYPE (\S+)", metrics.read_text(), re.M))
    renewals = metrics.with_name("refresh.prom")
    # One run that finds nothing due, one that would renew and finds no signer.
    for status, more in ((0, []), (75, ["--within", "31d", "--signer", "unix:/nowhere"])):
        ends(publish("refresh", "--all", "--metrics", renewals, *more), status)
        known |= set(re.findall(r"^# TYPE (\S+)", renewals.read_text(), re.M))
    named = set(re.findall(r"\bgrona_\w+", text))
    check(named <= known, named - known)
    alerts = re.split(r"- alert: ", text)[1:]
    check(len(alerts) >= 8, len(alerts))
    for alert in alerts:
        check(re.search(r"last_run_timestamp_seconds", alert), alert)
        check("severity:" in alert and "action:" in alert, alert)
    for name, file in (("status", metrics), ("refresh", renewals)):
        command = settings(f"grona-{name}.service")["ExecStart"]
        check(f"--metrics {file}" in command, command)
    if not with_promtool:
        print("skipped: the alert rules in promtool (--units)")
        return
    ends(run("promtool", "check", "rules", place), 0)
    tests = place.with_name("prometheus.tests.yml")
    shutil.copy(ROOT / "scripts/systemd/prometheus.tests.yml", tests)
    result = run("promtool", "test", "rules", tests)
    check(result.returncode == 0, (result.stdout + result.stderr).decode())
    # Without the freshness beside it, an alert of a dead file fires for ever, and the tests say so.
    place.write_text(re.sub(r"\n\s+and on \(instance, job\) .*", "", text))
    check(run("promtool", "test", "rules", tests).returncode != 0, "the tests see no stale file")
    place.write_text(text)


def hook():
    """The alert hook tells the program of the site, and says when nobody was told."""
    alert = PREFIX / "libexec/grona/alert"
    told = WORK / "told"
    program = WORK / "hook"
    program.write_text(f"#!/bin/sh\n{{ echo \"$1\"; cat; }} >{told}\n")
    program.chmod(0o755)
    environment = {"PATH": "/usr/bin:/bin", "GRONA_ALERT_HOOK": str(program)}
    ends(run(alert, "grona-status.service", env=environment), 0, "grona-status.service failed")
    lines = told.read_text().splitlines()
    check(lines[0] == "grona-status.service" and "failed on" in lines[1], lines)
    program.write_text("#!/bin/sh\nexit 3\n")
    ends(run(alert, "grona-status.service", env=environment), 1, "nobody was told")
    ends(run(alert, "a.service", env={"PATH": "/usr/bin:/bin"}), 0, "a.service failed")


def inside(with_promtool):
    """In the namespace: folders of our own over those of the machine."""
    global WORK
    with tempfile.TemporaryDirectory() as folder:
        WORK = pathlib.Path(folder)
        WORK.chmod(0o755)
        subprocess.run(["cp", "-a", "/etc", WORK / "etc"], check=True)
        subprocess.run(["mount", "--bind", WORK / "etc", "/etc"], check=True)
        for place in ("/run", "/var/lib", "/srv"):
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", place], check=True)
        os.umask(0o022)
        try:
            install()
            exposure = units()
            shop()
            sockets()
            sudo()
            alarms(with_promtool)
            hook()
        finally:
            subprocess.run(["umount", "-l", "/etc"], check=True)
    rated = ", ".join(f"{n.removesuffix('.service')} {v}" for n, v in sorted(exposure.items()))
    print(f"{checks} checks; exposure: {rated}")


def main():
    arguments = sys.argv[1:]
    if "--inside" in arguments:
        return inside("--units" in arguments)
    assert os.geteuid() == 0, "run as root: a mount namespace and other users are needed"
    status = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", sys.executable, __file__, "--inside",
         *arguments]).returncode
    sys.exit(status)


main()
