"""Operators at three in the morning: sudo itself, from a login."""

from base import check
from place import as_user, payload, envelope, served

PUBLISH = "sudo -n -u grona-publish /usr/local/libexec/grona/publish"
SIGN = "sudo -n -u grona-signer /usr/local/libexec/grona/sign"


def on(name):
    return next(c for c in payload(envelope())["campaigns"] if c["id"] == name)["enabled"]


def judge():
    before = served()["version"]
    check(on("spring-offer"), "spring-offer is on")
    seen = as_user("olga", PUBLISH, "kill", "acme-market", "spring-offer")
    check(seen.returncode == 0 and not on("spring-offer") and served()["version"] == before + 1,
          "an operator switches an offer off by sudo, signed behind the socket", seen.err)
    for words in (["status"], ["history", "acme-market"], ["health", "--all"], ["doctor"],
                  ["rollback", "acme-market", "--to-version", "1", "--dry-run"]):
        seen = as_user("olga", PUBLISH, *words)
        check(seen.returncode == 0, f"an operator calls {' '.join(words)}",
              (seen.returncode, seen.out, seen.err))
    for words in ([PUBLISH, "push", "-"], [PUBLISH, "push", "-", "--dry-run"],
                  [SIGN, "config", "/etc/grona/campaigns/acme-market"],
                  ["sudo -n -u grona-signer /usr/local/bin/grona-sign keys list"],
                  ["sudo -n /usr/local/libexec/grona/as-signer keys list"], ["sudo -n id"],
                  ["sudo -n -u grona-publish cat /etc/grona/publisher/store-token"],
                  ["sudo -n systemctl stop grona-refresh.timer"]):
        seen = as_user("olga", *words)
        check(seen.returncode == 1 and "sudo:" in seen.err, f"sudo refuses {words}",
              (seen.returncode, seen.err))
    seen = as_user("olga", PUBLISH, "kill", "acme-market", "weekend-offer", "--to", "file:/tmp")
    check(seen.returncode == 64, "an operator chooses no store", seen.err)
    for name, words in (("oscar", ["status"]), ("rita", ["kill", "acme-market", "weekend-offer"])):
        seen = as_user(name, PUBLISH, *words)
        check(seen.returncode == 1 and "sudo:" in seen.err, f"{name} is refused {words[0]}", seen.err)
