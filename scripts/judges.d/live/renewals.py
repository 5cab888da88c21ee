"""A due workspace is renewed by the unit: sockets, credentials, and who may read what."""

import json
import pathlib
import re
import stat

import base
from base import check, cursor, done, drop_in, journal, move_clock, run, show, started, words_of
from place import DAY, hold, metrics, puts, served, until_held, versions

PROBE = pathlib.Path("/usr/local/libexec/probe")


def due():
    """Sixteen of thirty days later everything is due."""
    move_clock(16 * DAY)


def judge():
    before, at = versions(), cursor()
    due()
    probe()
    seen = started("grona-refresh.service")
    drop_in("grona-sign-.service", "probe")
    drop_in("grona-refresh.service", "probe")
    check(seen == (0, "success", "inactive"), "grona-refresh.service renews what is due", seen)
    check(versions() == {name: number + 1 for name, number in before.items()},
          "file, token and credential have signed", versions())
    count = len(puts())
    check(all(begun < p["expires_at"] for _, begun, p in puts()),
          "nothing was served after its end", puts())
    started("grona-refresh.service")
    check(len(puts()) == count, "a second run renews nothing")
    records = [r for r in journal(at) if re.match(r"grona-sign-renew@", r.get("UNIT", ""))]
    check("Started grona-sign-renew@" in words_of(records),
          "systemd started a signer for the connection", words_of(records))
    readable_journal(at)
    outcomes()
    files()
    credentials()


def readable_journal(at):
    """What an operator sees."""
    records = [r for r in journal(at, "grona-refresh.service") if r.get("_COMM") == "grona-publish"]
    lines = [r["MESSAGE"] for r in records]
    check(lines and all(isinstance(line, str) for line in lines),
          "journalctl -u grona-refresh has text", lines)
    check(not [line for line in lines if re.search(r"[\x00-\x1f\x7f]", line)],
          "without escape sequences", lines)
    check([line for line in lines if "3 due, 3 renewed" in line] == lines[:1] and len(lines) == 2,
          "a run without faults is one line", lines)


def probe():
    """Says from inside the walls of each unit what can be done there."""
    PROBE.write_bytes(pathlib.Path("/srv/job/live/probe.py").read_bytes())
    PROBE.chmod(0o755)
    for unit, folder in (("grona-sign-.service", "/var/lib/grona-signer"),
                         ("grona-refresh.service", "/var/lib/grona")):
        drop_in(unit, "probe", f"[Service]\nExecStartPre={PROBE} {folder}/probe.json\n")


def outcomes():
    signer = json.loads(pathlib.Path("/var/lib/grona-signer/probe.json").read_text())
    publisher = json.loads(pathlib.Path("/var/lib/grona/probe.json").read_text())
    check(signer["interfaces"] == ["lo"], "the signer has no network interface", signer)
    check(signer["connect"] == "EAFNOSUPPORT" and signer["unix"] == "ok",
          "and no internet socket", signer)
    check(publisher["connect"] == "ok", "the publisher has its network", publisher)
    check(signer["keys"] == "ok" and signer["state"] == "ok", "the signer reads keys and its state")
    for name in ("keys", "state", "secrets", "signer_credentials"):
        check(publisher[name] in ("EACCES", "ENOENT"), f"the publisher cannot read {name}", publisher)
    for who, seen in (("signer", signer), ("publisher", publisher)):
        for name in ("write_etc", "write_usr", "write_var", "write_keys", "write_other"):
            check(seen[name] in ("EROFS", "EACCES", "ENOENT"), f"the {who}: {name} is refused", seen)
        check(seen["write_etc"] == "EROFS", f"the {who} sees the host read-only", seen)
        check(seen["user_namespace"] == "EPERM", f"the {who} makes no namespace", seen)
        check(seen["mount"] == "EPERM", f"the {who} mounts nothing", seen)
        check(seen["executable_memory"] != "ok", f"the {who} makes no memory executable", seen)
        check(seen["status"] == {"NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0" * 16,
                                 "CapBnd": "0" * 16}, f"the {who} has no privilege, and a filter", seen)
        check(seen["devices"] == "ENOENT", f"the {who} sees no disk", seen)
        check(seen["home"] in ([], "EACCES"), f"the {who} sees no home folder", seen)
        check(seen["temporary"] == [], f"the {who} has a /tmp of its own", seen)
        check(seen["others"] == [], f"the {who} sees no process of others", seen)
        check(seen["core"] == 0, f"the {who} dumps no core", seen)
        check(seen["umask"] == "0o77", f"the {who} writes for itself", seen)
    check(signer["credentials"] == ["grona_acme-staging-2026-10", "grona_pin"],
          "the signer has the files of /etc/grona/signer as credentials", signer)
    check(publisher["credentials"] == ["store-token"], "the publisher has its token, and no more",
          publisher)


def files():
    for place in ("/etc/grona/keys/acme-market/acme-market-2026-10.pem", "/etc/grona/keys/acme-market",
                  "/var/lib/grona-signer/probe.json", "/etc/grona/signer/pin"):
        for name in ("grona-publish", "olga", "nobody"):
            result = run("runuser", "-u", name, "--", "head", "-c1", place)
            check(result.returncode == 1 and "Permission denied" in result.err,
                  f"{name} cannot read {place}", result.err)
    prom = pathlib.Path("/var/lib/grona/metrics/refresh.prom")
    check(stat.S_IMODE(prom.stat().st_mode) == 0o644
          and run("runuser", "-u", "nobody", "--", "cat", prom).returncode == 0,
          "node_exporter can read the metrics")
    told = metrics("refresh")["grona_refresh_last_run_timestamp_seconds"]
    check(abs(told - prom.stat().st_mtime) < 60, "and they bear the time of the run")


def credentials():
    """Nobody else reads them while the unit runs; without the token the endpoint refuses."""
    before = served()["version"]
    due()
    hold("PUT", True)
    done("systemctl", "start", "--no-block", "grona-refresh.service")
    until_held()
    folder = pathlib.Path("/run/credentials/grona-refresh.service")
    seen = folder / "store-token"
    check(seen.read_text() == "token-of-the-store\n", "the unit has the token as a credential")
    for name in ("grona-signer", "olga", "nobody"):
        result = run("runuser", "-u", name, "--", "cat", seen)
        check("Permission denied" in result.err, f"{name} cannot read the publisher's credential",
              result)
    signers = list(pathlib.Path("/run/credentials").glob("grona-sign-renew@*"))
    check(len(signers) == 1, "the signer lives as long as the run", signers)
    for name in ("grona-publish", "olga", "nobody"):
        result = run("runuser", "-u", name, "--", "cat", signers[0] / "grona_pin")
        check("Permission denied" in result.err, f"{name} cannot read the signer's credential", result)
    hold("PUT", False)
    base.wait(lambda: show("grona-refresh.service", "ActiveState") == "inactive", "the end of the run")
    base.wait(lambda: not list(pathlib.Path("/run/credentials").glob("grona-*")),
              "the end of the credentials")
    check(served()["version"] == before + 1, "the run that was held ends well", versions())
