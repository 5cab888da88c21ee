"""The signer's sockets and as-signer: who may ask, what is an answer, and what is a fault."""

import json
import os
import pathlib
import pty
import socket

import base
from base import check, done, drop_in, run, show, wait, words_of
from place import SIGNER, URL, alerts, envelope, nothing_failed, policy, push, served, settled


def publish(*words):
    """By a program that can become nobody else, as under NoNewPrivileges=yes."""
    store = ["--from" if words[0] == "bundle" else "--to", URL + "config"]
    more = [] if words[0] == "bundle" else ["--claims-url", URL + "versions/{version}"]
    return run("setpriv", "--reuid=grona-publish", "--regid=grona-publish", "--init-groups",
                "--no-new-privs", "/usr/local/bin/grona-publish", *words, *store, *more,
               "--allow-http", "--keys", "/etc/grona/public", "--campaigns", "/etc/grona/campaigns",
               "--state", "/var/lib/grona", "--signer", "unix:/run/grona-sign", cwd="/",
               env={"PATH": "/usr/bin:/bin", "CREDENTIALS_DIRECTORY": "/etc/grona/publisher"})


def ask(verb, text):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(f"/run/grona-sign/{verb}")
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile().read()


def judge():
    before = served()["version"]
    seen = publish("bundle", "acme-market", "--pins", "/etc/grona/pins.json", "--force", "-o",
                   "/var/lib/grona/bundle.json")
    check(seen.returncode == 0, "grona-sign-bundle.socket signs a bundle", seen.err)
    seen = publish("kill", "acme-market", "weekend-offer")
    check(seen.returncode == 0, "grona-sign-kill.socket switches an offer off", seen.err)
    policy("acme-market", "summer-offer")
    newer = done(SIGNER, "config", "/etc/grona/campaigns/acme-market", "--after", "-", "--enable",
                 "weekend-offer", input=json.dumps(envelope())).stdout
    push(newer, "--enable", "weekend-offer")
    check(len(served()["campaigns"]) == 3, "new content is signed by root, and pushed after a review")
    newest = served()["version"]
    seen = publish("rollback", "acme-market", "--to-version", before)
    check(seen.returncode == 0 and served()["version"] == newest + 1
          and len(served()["campaigns"]) == 2,
          "grona-sign-restore.socket signs the content of an older version", (seen.err, served()))
    pathlib.Path("/etc/grona/campaigns/acme-market/summer-offer.json").unlink()
    for user in ("nobody", "olga"):
        asks = "import socket; socket.socket(socket.AF_UNIX).connect('/run/grona-sign/{verb}')"
        for verb in ("renew", "kill", "restore", "bundle"):
            seen = run("runuser", "-u", user, "--", "python3", "-c", asks.format(verb=verb))
            check("PermissionError" in seen.err, f"{user} cannot ask grona-sign-{verb}.socket",
                  seen.err)
    answers()
    by_hand()


def answers():
    """A refusal is an answer; a signer that waits for ever is ended."""
    count = len(alerts())
    killing = {"id": "1", "envelope": envelope(), "version": 90, "disable": ["spring-offer"]}
    answer = ask("renew", json.dumps(killing).encode() + b"\n")
    check("error" in json.loads(answer), "grona-sign-renew.socket switches nothing off", answer)
    ask("renew", b"no request\n")
    settled()
    nothing_failed()
    check(len(alerts()) == count, "a refused request alerts nobody", alerts()[count:])
    for name in ("renew", "kill", "restore", "bundle"):
        # Of an own drop-in each, which the handbook says one verb can have.
        drop_in(f"grona-sign-{name}@.service", "late", "[Service]\nRuntimeMaxSec=2s\n")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect("/run/grona-sign/renew")
        check(connection.recv(1) == b"", "RuntimeMaxSec= ends a signer whose caller says nothing")
    for name in ("renew", "kill", "restore", "bundle"):
        drop_in(f"grona-sign-{name}@.service", "late")
    alert = wait(lambda: alerts()[count:], "the alert of a signer that was late")[-1]
    check(alert["unit"].startswith("grona-sign-renew@") and "timeout" in alert["body"],
          "and tells of it", alert)
    settled()
    nothing_failed()


def by_hand():
    """as-signer on a terminal and without, its status, and what it cannot reach."""
    seen = run(SIGNER, "audit", "show", "--workspace", "acme-market")
    check(seen.returncode == 0 and "renew" in seen.out, "as-signer shows the audit log", seen)
    check("\r" not in seen.out and "\x1b" not in seen.out, "as it is, where it goes into a file")
    seen = run(SIGNER, "config", "/etc/grona/campaigns/acme-market", "--version", "1")
    check(seen.returncode == 65 and not seen.out and "error[" in seen.err,
          "as-signer ends with the status of grona-sign and has its message",
          (seen.returncode, seen.err))
    seen = run(SIGNER, "config", "/etc/grona/campaigns/acme-market", "--after", "-", "--dry-run",
               input=json.dumps(envelope()))
    check(seen.returncode == 0, "as-signer reads standard input", seen.err)
    seen = run(SIGNER, "config", "/etc/grona/campaigns/acme-market", "--after", "-", "-o",
               "/etc/out.json",
               input=json.dumps(envelope()))
    check(seen.returncode != 0 and "Read-only file system" in seen.err
          and not os.path.exists("/etc/out.json"),
          "as-signer writes to no other place", (seen.returncode, seen.err))
    seen = run("runuser", "-u", "olga", "--", SIGNER, "keys", "list", "--workspace", "acme-market")
    check(seen.returncode == 77, "as-signer is root's", seen)
    said = bytearray()

    def read(descriptor):
        data = os.read(descriptor, 4096)
        said.extend(data)
        return data

    words = [str(SIGNER), "keys", "list", "--workspace", "acme-market"]
    status = pty.spawn(words, read)
    check(os.waitstatus_to_exitcode(status) == 0 and b"acme-market-2026-10" in said,
          "as-signer works on a terminal", bytes(said))
    left = done("systemctl", "list-units", "--all", "--plain", "--no-legend", "grona-sign-by-hand*").out
    check(left == "", "and leaves no unit", left)
