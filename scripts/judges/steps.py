"""Ends grona-publish at every boundary between its steps, over a network, and looks at what is left.

A debug build kills itself at the boundary that it is told (`GRONA_STOP_STEP`): before each step of
the publishing machine, before and after each PUT, between the envelope that is kept and the ledger's
line, before and after a file gets its name, and when the machine is done. After each an observer
looks: the served version has not fallen, no number has two contents, no bundle is above what is
served. Then the same command runs again and has to succeed without a flag.

It runs on moto, with the ledger in a bucket of its own. With --stores it runs on Ceph's gateway and on
Apache's WebDAV too, and there each system call that writes or sends is a place to be killed at as
well, by strace, in the release build.
"""

import collections
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
import tracing  # noqa: E402
from places import FolderBehindPlace, Host, Moto, Observer, S3Place, Server  # noqa: E402

W = publishing.WORKSPACE
OFFER = "weekend-offer"
DEBUG = os.environ.get("GRONA_DEBUG_BIN", str(publishing.ROOT / ".build" / "debug"))
# The signer is a debug build too where the publisher is, and is not to end at the same boundary.
FREE = "/usr/bin/env -u GRONA_STOP_STEP -u GRONA_STOP_STEPS "


class Case:
    """One command, from the same beginning each time."""

    def __init__(self, name, words, versions=(1,), harm=None, served=(), offer_is_on=None):
        self.name, self.words, self.versions, self.harm = name, words, versions, harm
        self.served, self.offer_is_on = served, offer_is_on


def leave_a_claim(judge):
    """Nothing is served, and the next number is another publisher's that never came back."""
    judge.place.delete("config")
    judge.place.put(f"versions/{3:016d}.json", judge.shop.sign(
        judge.shop.payload(3, settings={"content": "another's"})))


CASES = [
    Case("push", lambda f: ("push", str(f / "v2.json")), served=(2,), offer_is_on=True),
    Case("bundle", lambda f: ("bundle", W, "--pins", str(f / "pins.json"), "-o",
                              str(f / "bundle.json"), "--force"), served=(1,), offer_is_on=True),
    Case("kill", lambda f: ("kill", W, OFFER, "--also-write", str(f / "copy.json")),
         served=range(2, 9), offer_is_on=False),
    Case("rollback", lambda f: ("rollback", W, "--to-version", "1"), versions=(1, 2),
         served=range(3, 9), offer_is_on=True),
    Case("recover", lambda f: ("recover", W, "--yes"), versions=(1, 2),
         harm=lambda judge: judge.place.delete(*judge.place.objects()), served=(2,),
         offer_is_on=True),
    Case("recover with a new number", lambda f: ("recover", W, "--yes"), versions=(1, 2),
         harm=leave_a_claim, served=range(4, 9), offer_is_on=True),
]


class Judge:
    """Kills one command at each point over one place."""

    def __init__(self, folder, place):
        self.place, self.work, self.start = place, folder / "work", folder / "start"
        self.trace = folder

    def prepare(self, case):
        for place in (self.work, self.start):
            shutil.rmtree(place, ignore_errors=True)
        self.place.restore({})
        self.work.mkdir()
        self.case, self.shop = case, publishing.Workshop(self.work)
        self.host = Host(self.shop, self.place, FREE + self.shop.built_signer())
        for version in (1, 2):
            file = self.shop.envelope(
                f"v{version}.json", self.shop.payload(version, settings={"content": version}))
            if version in case.versions:
                self.host.run("push", self.shop.adopt(file))
        if case.harm:
            case.harm(self)
        self.whole = self.place.whole()
        shutil.copytree(self.work, self.start)

    def fresh(self):
        shutil.rmtree(self.work)
        shutil.copytree(self.start, self.work)
        self.place.restore(self.whole)

    def run(self, trace=(), **environment):
        command = self.host.command(*self.case.words(self.work))
        return publishing.run([*trace, *command],
                              environment={**self.place.environment, **environment})

    def killed_at(self, point, run, may_miss=False):
        """What is left by a run that was killed, and by the same command after it.

        Answers whether that is another version; None where the run never came to the point.
        """
        self.fresh()
        observer = Observer(self.shop, self.place)
        before = observer.observe()
        where = (self.case.name, point)
        answer = run()
        if may_miss and answer.returncode == 0:
            return None
        assert answer.returncode == -9, (where, answer.returncode, answer.stderr.decode())
        between = observer.observe()
        assert between == before or between in self.case.served, (where, between)
        again = self.run()
        assert again.returncode == 0, (where, again.stderr.decode())
        served = observer.observe()
        assert served in self.case.served, (where, served)
        envelope = self.place.read("config")
        offer = publishing.opened(envelope)["campaigns"][0]
        assert offer["enabled"] is self.case.offer_is_on, (where, offer)
        copy = self.work / "copy.json"
        if self.case.name == "kill":
            assert copy.read_bytes() == envelope, where
        if self.case.name == "bundle":
            self.bundle_is_released(where)
        return between != before

    def bundle_is_released(self, where):
        bundle = (self.work / "bundle.json").read_bytes()
        released = {v for k, v in self.place.objects().items() if k.startswith("bundles/")}
        assert bundle in released, where

    def steps(self):
        """At each boundary between steps; answers how many there are of each name."""
        log = self.work / "steps"
        self.fresh()
        log.touch()
        answer = self.run(GRONA_STOP_STEPS=str(log))
        assert answer.returncode == 0, answer.stderr.decode()
        names = [line.split(" ", 1)[1] for line in log.read_text().splitlines()]
        effects = {"before PUT", "after PUT", "verdict"}
        assert effects <= set(names), f"{self.case.name}: {names}"
        changed = 0
        for number, name in enumerate(names, 1):
            changed += self.killed_at(f"{number} {name}",
                                      lambda: self.run(GRONA_STOP_STEP=str(number)))
        # Some come before the config changes, and some after.
        assert self.case.name == "bundle" or 0 < changed < len(names), (self.case.name, changed)
        return collections.Counter(names)

    def calls(self):
        """At each system call that writes or sends; answers how many there are of each name."""
        self.fresh()
        output = str(self.trace / "trace")
        strace = ["strace", "-o", output]
        listed = "trace=" + ",".join(f"?{call}" for call in tracing.CALLS)
        answer = self.run(trace=[*strace, "-e", listed])
        assert answer.returncode == 0, answer.stderr.decode()
        found = tracing.found(output)
        assert any(call in tracing.SENDING for call, _ in found), found
        # A tag that becomes strong sooner is asked for less often.
        may_miss = isinstance(self.place, FolderBehindPlace)
        killed = collections.Counter()
        for call, number in found:
            inject = f"inject={call}:signal=KILL:when={number}"

            def run():
                return self.run(trace=[*strace, "-e", f"trace={call}", "-e", inject])

            killed[call] += self.killed_at(f"{call} {number}", run, may_miss) is not None
        assert killed.total() >= len(found) * 3 // 4, (killed, found)
        return killed


def judge(name, folder, place, calls=False):
    folder.mkdir()
    total = 0
    for case in CASES:
        work = Judge(folder, place)
        release = os.environ.get("GRONA_BIN")
        os.environ["GRONA_BIN"] = DEBUG
        try:
            work.prepare(case)
            counts = work.steps()
        finally:
            if release is None:
                del os.environ["GRONA_BIN"]
            else:
                os.environ["GRONA_BIN"] = release
        tell(name, case, "step boundaries", counts)
        total += counts.total()
        if calls:
            work.prepare(case)
            counts = work.calls()
            tell(name, case, "system calls", counts)
            total += counts.total()
    print(f"{name}: killed at {total} points; each time the same command again went through",
          flush=True)


def tell(name, case, what, counts):
    parts = ", ".join(f"{key} {count}" for key, count in sorted(counts.items()))
    print(f"{name}, {case.name}: killed at {counts.total()} {what}: {parts}", flush=True)


def main():
    only = [word for word in sys.argv[1:] if not word.startswith("--")]
    if only:
        CASES[:] = [case for case in CASES if case.name in only]
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        folder.chmod(0o755)
        if "--only-stores" not in sys.argv[1:]:
            with Moto() as server:
                judge("moto", folder / "moto",
                      S3Place(server.endpoint, "AKGRONA", "moto-secret-key"))
        if "--stores" in sys.argv[1:] or "--only-stores" in sys.argv[1:]:
            with Server("ceph", folder / "ceph") as server:
                judge("Ceph", folder / "on-ceph", S3Place(
                    server.endpoint, server.access_key, server.secret_key, server.bucket,
                    server.ledger, create=False), calls=True)
            with Server("apache", folder / "apache", APACHE_WORKERS="1") as server:
                judge("Apache", folder / "on-apache",
                      FolderBehindPlace(server, server.folder), calls=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
