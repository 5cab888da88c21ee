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
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIX = pathlib.Path("/srv/grona")
UNITS = PREFIX / "lib/systemd/system"
SIGN, PUBLISH = PREFIX / "bin/grona-sign", PREFIX / "bin/grona-publish"
FIXED = ["--keys", "/etc/grona/keys", "--campaigns", "/etc/grona/campaigns",
         "--state", "/var/lib/grona-signer"]
# The commands for keys know no campaigns.
OWN = FIXED[:2] + FIXED[4:]
SETTINGS = pathlib.Path("/etc/grona/publish.env")
STORE = "file:/var/lib/grona/public"
OPERATIONS = ROOT / "Sources/GronaCommand/Handbook.docc/Operations.md"
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
    for name in ("weekend-offer", "spring-offer"):
        (campaigns / f"{name}.json").write_text(json.dumps({
            "id": name, "kind": "offer", "enabled": True, "unit": "customer",
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
    SETTINGS.write_text(f"# The publisher's.\nGRONA_STORE='{STORE}'\n\nGRONA_HTTP_TIMEOUT=20s\n")
    ends(run("useradd", "--no-create-home", "--groups", "grona-operators", "olga"), 0)
    ends(run("useradd", "--no-create-home", "oscar"), 0)
    ends(run("useradd", "--no-create-home", "--groups", "grona-reviewers", "rita"), 0)
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
        # An operator's command at night: no option, no setting, nothing of theirs.
        ends(operator("kill", "acme-market", "spring-offer"), 0)
        check(not campaign("spring-offer")["enabled"], "spring-offer is on")
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


def operator(*words, name="olga", **options):
    return user(name, "sudo", "-n", "-u", "grona-publish", PREFIX / "libexec/grona/publish", *words,
                **options)


def campaign(name):
    return next(c for c in payload(served())["campaigns"] if c["id"] == name)


def operators():
    """The publisher through sudo: what operators may have it do, and what they may choose."""
    # Without sockets, the signer is called by sudo from there.
    shutil.rmtree("/run/grona-sign")
    before = payload(served())["version"]
    ends(operator("refresh", "acme-market", "--within", "31d"), 0)
    ends(operator("rollback", "acme-market", "--to-version=1", "--dry-run"), 0)
    ends(operator("recover", "acme-market", "--dry-run"), 0)
    check(payload(served())["version"] == before + 1, "nothing was renewed through sudo")
    fetched = ends(operator("fetch", "acme-market"), 0)
    check(json.loads(fetched.stdout) == served(), fetched)
    ends(operator("diff", "served", "-", "--workspace", "acme-market", input=fetched.stdout), 0)
    ends(operator("diff", "1", "served", "--workspace", "acme-market"), 0)
    for words in (["status", "--json"], ["health", "acme-market"], ["history", "acme-market"],
                  ["next-version", "acme-market"], ["help"], ["help", "kill"], ["kill", "--help"],
                  ["refresh", "--all", "--dry-run"], ["health", "--all", "--color", "never"]):
        ends(operator(*words), 0)
    mine = WORK / "olga"
    mine.mkdir(mode=0o700)
    shutil.chown(mine, "olga")
    kill = ["kill", "acme-market", "weekend-offer"]
    # Every option that names a store, a ledger, a key, a folder, a signer, a file, a time or an address.
    options = set()
    for verb in ("kill", "rollback", "recover", "refresh", "status", "health", "history", "diff",
                 "fetch", "next-version"):
        page = run(PUBLISH, "help", verb).stdout.decode()
        options |= {(verb, o) for o in re.findall(
            r"^ +(?:-\w, )?(--[a-z-]+) (?:FILE|DIR|URL|STORE|CMD|FILE\|STORE|CMD\|unix:DIR|T|SECONDS)\b",
            page, re.M)} | {(verb, "--force"), (verb, "-o")}
    check(len(options) > 60, len(options))
    for verb, option in sorted(options):
        if (verb, option) == ("health", "--at"):
            continue
        for words in ([option, "x"], [f"{option}=x"]):
            refused = ends(operator(verb, "acme-market", *words), 64, "grona/publish: ")
            check(not refused.stdout, (verb, option))
    for words in (["-o", mine / "x"], ["--output=x"], ["-ox"], ["-nq"], ["--"], ["a b"], [""],
                  ["--json --signer /tmp/x"], ["--retry-pin"], ["../x"], ["/etc/passwd"],
                  ["file:/tmp"], ["--json=1"], ["weekend-offer\n--signer"], ["--metrics"], ["a=b"]):
        ends(operator(*kill, *words), 64, "grona/publish: ")
    for words in (["diff", "/etc/shadow", "served"], ["diff", "passwd", "served"],
                  ["diff", "--workspace", "--from", "served"], ["rollback", "w", "--to-version", "x"],
                  ["rollback", "w", "--to-version"], ["health", "--at", "-o"], ["doctor", "x"],
                  ["fetch", "w", "--claimed", "--force"], ["status", "acme-market", "--metrics"],
                  ["status", "--metrics", "/tmp/x"], ["status", "--metrics=x"],
                  ["refresh", "acme-market", "--metrics"], ["refresh", "--all", "--inventory", "x"],
                  ["help", "/etc"]):
        ends(operator(*words), 64, "grona/publish: ")
    # sudo knows the verbs itself, and the program knows them again.
    for words in (["push", "-"], ["push", "-", "--dry-run"], ["bundle", "acme-market"], ["settings"],
                  [], ["--help"], ["kill"], ["history"]):
        ends(operator(*words), 1)
    for words in (["push"], ["bundle", "acme-market"], ["settings"], [], ["--help"]):
        ends(user("grona-publish", PREFIX / "libexec/grona/publish", *words), 64)
    for name in ("oscar", "nobody"):
        ends(operator("status", name=name), 1)
    for before in (["sudo", "-n", "-u", "root"], ["sudo", "-n", "-u", "grona-signer"],
                   ["sudo", "-n", "-u", "grona-publish", "GRONA_STORE=file:/tmp"],
                   ["sudo", "-n", "-u", "grona-publish", "-E"]):
        ends(user("olga", *before, PREFIX / "libexec/grona/publish", "status", "--json"), 1)
    ends(user("olga", "sudo", "-n", "-u", "grona-publish", PUBLISH, "status"), 1)
    reviewers()
    surroundings(mine)
    cron()


def reviewer(*words, **options):
    return operator(*words, name="rita", **options)


def reviewers():
    """Who reviews pushes what was signed, with the units' own ledger, and does nothing else."""
    fetched = ends(reviewer("fetch", "acme-market"), 0).stdout
    signed = ends(user("grona-signer", SIGN, *FIXED, "renew", "-", "--enable", "weekend-offer",
                       input=fetched), 0).stdout
    version = payload(json.loads(signed))["version"]
    # As the handbook says it: look, try, push.
    changes = ends(reviewer("diff", "served", "-", "--workspace", "acme-market", input=signed), 0)
    check(b"weekend-offer" in changes.stdout, changes)
    ends(reviewer("push", "-", "--dry-run", "--enable", "weekend-offer", input=signed), 0)
    # Every option that names a store, a ledger, keys, a folder, a file, a time or an address.
    page = run(PUBLISH, "help", "push").stdout.decode()
    known = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", page, re.M))
    allowed = {"--enable", "--expect-version", "--allow-jump", "--allow-aged", "--raise-min-sdk",
               "--strict", "--dry-run", "--json", "--help", "--quiet", "--verbose", "--no-input",
               "--color"}
    check(len(known - allowed) > 12 and {"--to", "--keys", "--pins", "--now"} <= known, known)
    check(allowed <= known, allowed - known)
    for option in sorted(known - allowed) + ["-o", "-f"]:
        for words in ([option, "x"], [f"{option}=x"], [option]):
            refused = ends(reviewer("push", "-", *words, input=signed), 64, "grona/publish: ")
            check(not refused.stdout, option)
    for words in (["-"], ["x"], ["/etc/passwd"], ["file.json"], ["--"], ["--enable"],
                  ["--enable", "--to"], ["--enable=--to"], ["--enable", "a=b"], ["--enable", "a/b"],
                  ["--enable", "a b"], ["--expect-version", "x"], ["--expect-version", "01"],
                  ["--allow-jump", "-1"], ["--dry-run=1"], ["--strict", "-", "-"],
                  ["--enable weekend-offer"], [""], ["--dry-run\n--to"]):
        ends(reviewer("push", "-", *words, input=signed), 64, "grona/publish: ")
    # sudo wants the - first; what only looks like it when joined is refused by the program.
    for words in (["push"], ["push", "x.json"], ["push", "--enable", "weekend-offer", "-"],
                  ["push", "--to", "x", "-"], ["kill", "acme-market", "weekend-offer"],
                  ["rollback", "acme-market", "--to-version", "1"], ["recover", "acme-market"],
                  ["refresh", "--all"], ["status", "--metrics"], ["bundle", "acme-market"],
                  ["doctor"], [], ["renew"]):
        ends(reviewer(*words, input=signed), 1)
    for words in (["push - --to"], ["push", "- --to"], ["push -"], ["push", "- "]):
        check(reviewer(*words, input=signed).returncode in (1, 64), words)
    for before in (["sudo", "-n", "-u", "root"], ["sudo", "-n", "-u", "grona-signer"],
                   ["sudo", "-n", "-u", "grona-publish", "GRONA_STORE=file:/tmp"],
                   ["sudo", "-n", "-u", "grona-publish", "-E"]):
        ends(user("rita", *before, PREFIX / "libexec/grona/publish", "push", "-", input=signed), 1)
    ends(user("rita", "sudo", "-n", "-u", "grona-publish", PUBLISH, "push", "-", input=signed), 1)
    for name in ("oscar", "nobody", "olga"):
        ends(operator("push", "-", name=name, input=signed), 1)
    check(payload(served())["version"] < version, "something got through")
    # None of it is in a ledger elsewhere, and what is pushed is in that of the units.
    def ledgers():
        return {p: p.stat().st_size for p in pathlib.Path("/var/lib/grona").rglob("ledger.ndjson")}
    before = ledgers()
    check(len(before) == 1, before)
    ends(reviewer("push", "-", "--enable", "weekend-offer", input=signed), 0)
    after = ledgers()
    check(after.keys() == before.keys() and after != before, after)
    check(payload(served())["version"] == version and campaign("weekend-offer")["enabled"], "push")
    # It knows that ledger: the same number with other content is nobody's.
    ends(reviewer("push", "-", input=signed), 0)
    ends(reviewer("push", "-", input=fetched), 65)


def surroundings(mine):
    """What the program gets: an environment of its own, and settings that root alone writes."""
    text, program = SETTINGS.read_text(), PUBLISH.read_bytes()
    secret = pathlib.Path("/etc/grona/publisher/store-token")
    secret.write_text("token-of-the-store\n")
    shutil.chown(secret, "root", "grona-publish")
    secret.chmod(0o640)
    check(pathlib.Path("/etc/credstore/store-token").read_text() == secret.read_text(),
          "the units and sudo have two tokens")
    (mine / "grona.json").write_text(json.dumps({"to": "file:/tmp", "from": "file:/tmp"}))
    PUBLISH.write_text('#!/bin/sh\n/usr/bin/env\npwd\numask\ncat "$CREDENTIALS_DIRECTORY/store-token"\n'
                       'for w; do echo "[$w]"; done\n')
    try:
        def told(*words, **options):
            seen = ends(operator(*words, **options), 0).stdout.decode().splitlines()
            check("token-of-the-store" in seen, seen)
            return [line[1:-1] for line in seen if line.startswith("[")], seen

        names = {"PATH", "LANG", "PWD", "CREDENTIALS_DIRECTORY", "AWS_SHARED_CREDENTIALS_FILE",
                 "GRONA_STORE", "GRONA_HTTP_TIMEOUT", "GRONA_KEYS", "GRONA_CAMPAIGNS", "GRONA_STATE",
                 "GRONA_SIGNER", "GRONA_PUBLISH_AS", "GRONA_SIGN_AS", "OLDPWD", "_", "SHLVL"}
        words, seen = told("kill", "w", "c", cwd=mine, env={
            "PATH": f"{mine}:/usr/bin:/bin", "GRONA_STORE": "file:/tmp", "LD_PRELOAD": "/tmp/x.so",
            "GRONA_REHEARSAL": "1", "SSL_CERT_FILE": "/tmp/ca"})
        check(words == ["kill", "w", "c"], words)
        given = dict(line.split("=", 1) for line in seen if "=" in line)
        check(set(given) <= names, set(given) - names)
        check(given["GRONA_STORE"] == STORE and given["PATH"] == "/usr/bin:/bin", given)
        check(given["GRONA_SIGNER"].startswith("sudo -n -u grona-signer /"), given)
        check("/" in seen and "0077" in seen, seen)
        folder = "/var/lib/grona/metrics/"
        check(told("doctor")[0] == ["doctor", STORE], "doctor")
        check(told("doctor", "--accept-ledger", "--yes")[0] == [
            "doctor", "--accept-ledger", "--yes", STORE], "doctor --accept-ledger")
        check(told("status", "--metrics")[0] == [
            "status", "--html", folder + "status.html", "--metrics", folder + "status.prom"], "status")
        check(told("refresh", "--metrics", "--all")[0] == [
            "refresh", "--all", "--metrics", folder + "refresh.prom"], "refresh")
        # What the handbook has people type, they may.
        page = OPERATIONS.read_text()
        typed = set(re.findall(r"`publish ([a-z][^`]*)`", page))
        check(len(typed) >= 15, typed)
        for line in sorted(typed):
            line = re.sub(r"\b[WNP]\b|CODE", lambda m: {
                "W": "acme-market", "N": "1", "P": "12h", "CODE": "served.missing"}[m[0]], line)
            words = shlex.split(line.split("<")[0])
            told(*words, name="rita" if words[0] == "push" else "olga")
        # What systemd reads in the same way, and then what it might not, or somebody else wrote.
        for line in (f'GRONA_STORE="{STORE}"', f"; a remark\nGRONA_STORE={STORE}",
                     f"GRONA_STORE={STORE}\nGRONA_LEDGER=https://ledger.example/a?b=$c d",
                     f"GRONA_STORE={STORE}\nGRONA_ALLOW_HTTP=1"):
            SETTINGS.write_text(line)
            told("status")
        ran = mine / "ran"
        for line in ("", "GRONA_STORE=", f"touch {ran}", f"export GRONA_STORE={STORE}",
                     f"GRONA_STORE={STORE}\r\n", f" GRONA_STORE={STORE}", f"GRONA_STORE= {STORE}",
                     f"GRONA_STORE={STORE}\\", f"GRONA_STORE='{STORE}", f"grona_store={STORE}",
                     f"GRONA_STORE={STORE}\nGRONA_SIGNER=/tmp/x",
                     f"GRONA_STORE={STORE}\nLD_PRELOAD=/tmp/x", f"GRONA_STORE={STORE}\nPATH=/tmp",
                     f"GRONA_STORE={STORE}\nGRONA_STATE=/tmp"):
            SETTINGS.write_text(line)
            ends(operator("status"), 78, "/etc/grona/publish.env")
        SETTINGS.write_text(f"GRONA_STORE=$(touch {ran})`touch {ran}`;touch {ran}\n")
        told("status")
        check(not ran.exists(), "the settings were run")
        SETTINGS.write_text(text)
        for wrong in (lambda: shutil.chown(SETTINGS, "olga"), lambda: SETTINGS.chmod(0o664),
                      lambda: SETTINGS.chmod(0o600), lambda: SETTINGS.parent.chmod(0o777),
                      lambda: SETTINGS.symlink_to(SETTINGS.rename("/etc/grona/other.env")),
                      SETTINGS.unlink):
            wrong()
            ends(operator("status"), 78, "/etc/grona/publish.env")
            SETTINGS.unlink(missing_ok=True)
            SETTINGS.write_text(text)
            SETTINGS.parent.chmod(0o755)
        told("status")
    finally:
        PUBLISH.write_bytes(program)


def cron():
    """The lines for hosts without systemd, with what cron gives them."""
    lines = [line.split(None, 6) for line in
             (PREFIX / "share/grona/grona.cron").read_text().splitlines()
             if line and not line.startswith("#")]
    written = set()
    metrics = pathlib.Path("/var/lib/grona/metrics")

    def call(name, command):
        return user(name, "env", "-i", "SHELL=/bin/sh", f"LOGNAME={name}", "HOME=/var/lib/grona",
                    "PATH=/usr/bin:/bin", "/bin/sh", "-c", command, cwd="/var/lib/grona")

    for *_, name, command in lines:
        for file in metrics.iterdir():
            file.unlink()
        # cron mails whatever is said.
        quiet = ends(call(name, command), 0)
        check(not quiet.stdout + quiet.stderr, (command, quiet))
        written |= {file.name for file in metrics.iterdir()}
    check(written == {"refresh.prom", "status.prom", "status.html"}, written)
    text = (PREFIX / "share/grona/grona.cron").read_text()
    *_, name, health = re.search(r"^#([0-9*].* health .*)$", text, re.M)[1].split(None, 6)
    address = pathlib.Path("/etc/grona/health.env")
    address.write_text(f"GRONA_STORE={STORE}\n")
    renew = next(command for *_, command in lines if "refresh" in command)
    state = {}
    for what in ("well", "dark", "mended", "shut", "open"):
        store = pathlib.Path("/var/lib/grona/public")
        config = next(store.rglob("config"))
        if what == "dark":
            config.write_text("junk")
        if what == "shut":
            shutil.chown(store, "root", "root")
            store.chmod(0o700)
        if what == "open":
            shutil.chown(store, "grona-publish", "grona-publish")
            store.chmod(0o755)
        asked = call(name, health)
        check(not asked.stdout, asked)
        # The monitor says what is wrong, and nothing where nothing is.
        is_bad = what in ("dark", "shut")
        check((asked.returncode, bool(asked.stderr)) == (int(is_bad), is_bad), (what, asked))
        done = call(name, renew)
        check(not done.stdout, done)
        state[what] = (done.returncode, (metrics / "refresh.prom").read_text())
        check(bool(done.stderr) == is_bad, (what, done))
        check(f"grona_refresh_last_exit_code {done.returncode}\n" in state[what][1], state[what])
    check(state["dark"][0] == 76 and 'grona_refresh_alarms{workspace="acme-market",code="served.unus'
          in state["dark"][1], state["dark"])
    # Also a run that could not look at anything is in the metrics.
    check(state["shut"][0] == 77 and "grona_refresh_last_run" in state["shut"][1], state["shut"])
    address.unlink()


def by_hand():
    """What root signs, and does with keys, as the signer."""
    program = PREFIX / "libexec/grona/as-signer"
    ends(user("olga", program, "keys", "list"), 77, "root may call it")
    ends(run(program, "keys", "check", "--workspace", "acme-market"), 0)
    text = ends(run(program, "config", "/etc/grona/campaigns/acme-market", "--after", "-",
                    "--enable", "spring-offer", "--enable", "weekend-offer",
                    input=json.dumps(served()).encode()), 0).stdout
    check(payload(json.loads(text))["version"] == payload(served())["version"] + 1, text)
    ends(run(program, "audit", "withdraw", "acme-market",
             str(payload(json.loads(text))["version"]), "--reason", "a trial"), 0)
    # The module finds its token by signer.env, as in the units.
    tokens = pathlib.Path("/var/lib/grona-signer/tokens")
    tokens.mkdir(mode=0o700)
    shutil.chown(tokens, "grona-signer", "grona-signer")
    conf, pin = pathlib.Path("/etc/grona/softhsm2.conf"), pathlib.Path("/var/lib/grona-signer/pin")
    conf.write_text(f"directories.tokendir = {tokens}\nobjectstore.backend = file\n")
    pin.write_text("271828")
    pin.chmod(0o600)
    shutil.chown(pin, "grona-signer", "grona-signer")
    ends(user("grona-signer", "env", f"SOFTHSM2_CONF={conf}", "softhsm2-util", "--init-token", "--free",
              "--label", "grona", "--so-pin", "314159", "--pin", "271828"), 0)
    generate = ["keys", "generate", "--workspace", "acme-market", "--use", "grant", "--kid",
                "acme-grant", "--signer", "pkcs11:token=grona;object=acme-grant"
                f"?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=file:{pin}"]
    check(run(program, *generate).returncode != 0, "a key without its token")
    environment = pathlib.Path("/etc/grona/signer.env")
    environment.write_text(f"SOFTHSM2_CONF={conf}\n")
    ends(run(program, *generate), 0)
    ends(run(program, "keys", "check", "--workspace", "acme-market"), 0)
    ends(user("olga", "sudo", "-n", "-u", "grona-signer", PREFIX / "libexec/grona/sign", "renew",
              "--batch"), 0)
    environment.chmod(0o666)
    ends(run(program, "keys", "list"), 78, "/etc/grona/signer.env")
    environment.unlink()
    # Where systemd runs, it is asked for the walls of the unit. Here a bus hangs up, which is told
    # after systemd-run has understood every setting.
    pathlib.Path("/run/systemd/system").mkdir(parents=True)
    bus = WORK / "bus"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(bus))
    listener.listen()

    def hang_up():
        while True:
            try:
                caller = listener.accept()[0]
            except OSError:
                return
            with caller:
                # As far as the greeting (D-Bus Specification, Authentication Protocol).
                while b"NEGOTIATE_UNIX_FD" not in (said := caller.recv(4096)) and said:
                    pass
                caller.sendall(b"DATA\r\nOK " + b"0" * 32 + b"\r\nAGREE_UNIX_FD\r\n")

    threading.Thread(target=hang_up, daemon=True).start()
    try:
        stand_in = WORK / "systemd-run"
        stand_in.write_text("#!/bin/sh\nfor w; do echo \"$w\"; done >" + str(WORK / "asked") + "\n"
                            f"export DBUS_SYSTEM_BUS_ADDRESS=unix:path={bus}\n"
                            "exec /usr/bin/systemd-run \"$@\"\n")
        stand_in.chmod(0o755)
        asking = WORK / "as-signer"
        asking.write_text(program.read_text().replace("exec systemd-run", f"exec {stand_in}"))
        asking.chmod(0o755)
        ends(run(asking, "keys", "check"), 1, "Failed to start transient service unit")
        asked = (WORK / "asked").read_text().splitlines()
        unit = (UNITS / "grona-sign-renew@.service").read_text().splitlines()
        service = [line for line in unit[unit.index("[Service]") + 1:] if re.match("[A-Z].*=", line)
                   and not line.startswith(("Exec", "Standard", "Success", "Runtime"))]
        check([a.removeprefix("--property=") for a in asked if a.startswith("--property=")] == [
            "ReadWritePaths=/etc/grona/keys", *service], asked)
        check(asked[-4:] == ["--", str(SIGN), "keys", "check"], asked)
        ends(run(stand_in, "--wait", "--pipe", "-p", "LoadCredentials=a:/b", "true"), 1,
             "Unknown assignment")
        ends(run(asking, "audit", "adopt", "-", "--reason", "$HOME"), 64, "no word may have a $")
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        shutil.rmtree("/run/systemd/system")


def drop_ins():
    """The drop-ins of the handbook are ones that systemd takes, for the units they are named for."""
    blocks = re.findall(r"```ini\n# (/etc/systemd/system/(\S+)\.d/\S+)\n(.*?)```",
                        OPERATIONS.read_text(), re.S)
    check(len(blocks) >= 3, blocks)
    for place, name, text in blocks:
        place = pathlib.Path(place)
        place.parent.mkdir(parents=True)
        names = [u.name for u in UNITS.iterdir()
                 if u.name == name or name.endswith("-.service") and u.suffix == ".service"
                 and u.name.startswith(name.removesuffix(".service"))]
        check(names, name)
        verify = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=yes",
                  *(UNITS / n for n in names)]
        place.write_text(text)
        result = ends(run(*verify), 0)
        check(not result.stdout + result.stderr, result.stderr)
        place.write_text(text.replace("[Service]", "[Service]\nProtectHouse=yes"))
        check(run(*verify).stderr.decode().count("ProtectHouse") == len(names), (place, names))
        shutil.rmtree(place.parent)


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
    # One run that finds nothing due, one that would renew and finds no signer, one that ends early.
    for status, more in ((0, []), (75, ["--within", "31d", "--signer", "unix:/nowhere"]),
                         (66, ["--ledger", "/nowhere/ledger.ndjson"])):
        ends(publish("refresh", "--all", "--metrics", renewals, *more), status)
        known |= set(re.findall(r"^# TYPE (\S+)", renewals.read_text(), re.M))
    # And one that finds something bad in the store.
    config = next(pathlib.Path("/var/lib/grona/public").rglob("config"))
    good = config.read_bytes()
    config.write_text("junk")
    ends(publish("refresh", "--all", "--metrics", renewals, "--signer", "unix:/nowhere"), 76)
    known |= set(re.findall(r"^# TYPE (\S+)", renewals.read_text(), re.M))
    config.write_bytes(good)
    named = set(re.findall(r"\bgrona_\w+", text))
    check(named <= known, named - known)
    alerts = re.split(r"- alert: ", text)[1:]
    for alert in alerts:
        name = alert.split("\n")[0]
        check(f"`{name}`" in OPERATIONS.read_text(), f"the handbook does not say what {name} wants")
    check(len(alerts) >= 8, len(alerts))
    for alert in alerts:
        check(re.search(r"last_run_timestamp_seconds|timer_last_trigger_seconds", alert), alert)
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
            operators()
            by_hand()
            drop_ins()
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
