"""Races of different commands: a kill, a rollback and pushes at once, round after round.

Each round begins with two offers that are on. At about the same moment one process switches the first
off, one the second, one brings an older content back in which both are on, and two push contents of
their own under higher numbers, in which both are on too. Whoever is slower begins again on what is there.
All of them end; once an offer is seen off it stays off, whatever was written before it was; the served
version never falls, and no number has two contents. What gave way goes through when it runs again.

Half of the rounds have a signer without a memory, as two signing hosts are; the others the built one,
which signs nothing new while a config that it signed is on its way. With --stores the same runs on
Ceph's gateway.
"""

import collections
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from places import FilePlace, Host, Observer, S3Place, Server  # noqa: E402

W = publishing.WORKSPACE
OFFERS = ("weekend-offer", "spring-offer")
ROUNDS = int(os.environ.get("GRONA_ROUNDS", "200")) // 10
# Refused by its number or by what it would switch on again; another one was faster.
GIVES_WAY = (65, 75)


def payload(shop, version, content):
    first = shop.payload(version)["campaigns"][0]
    return shop.payload(version, settings={"content": content},
                        campaigns=[{**first, "id": name} for name in OFFERS])


def switches(envelope):
    return {c["id"]: c["enabled"] for c in publishing.opened(envelope)["campaigns"]}


class Watcher(threading.Thread):
    """Reads what is served all the time, for one round."""

    def __init__(self, place, verify, floor):
        super().__init__(daemon=True)
        self.place, self.verify, self.highest = place, verify, floor
        self.contents, self.off, self.reads = {}, set(), 0
        self.error, self.ends = None, False

    def look(self):
        envelope = self.place.read("config")
        self.reads += 1
        version = publishing.opened(envelope)["version"]
        content = publishing.digest(envelope)
        if self.contents.get(version) == content and version == self.highest:
            return
        self.verify(envelope)
        assert version >= self.highest, f"{version} served after {self.highest}"
        assert self.contents.setdefault(version, content) == content, f"two of {version}"
        self.highest = version
        on = switches(envelope)
        for name in self.off:
            assert not on[name], f"{name} is on again in version {version}"
        self.off |= {name for name, is_on in on.items() if not is_on}

    def run(self):
        try:
            while not self.ends:
                self.look()
                time.sleep(0.002)
            self.look()
        except Exception as error:  # shown by the main thread
            self.error = repr(error)


def rounds(folder, place, count, built):
    folder.mkdir()
    shop = publishing.Workshop(folder)
    signer = shop.built_signer() if built else shop.signer()
    # Two hosts, with a memory each; on a folder they share nothing but the store.
    hosts = [Host(shop, place, signer, state) for state in ("state", "other")]
    observer = Observer(shop, place)
    verify = observer.verify
    ended = collections.Counter()
    again, reads, number, pace = 0, 0, 0, 0.5

    def envelope(name, version, content):
        path = shop.envelope(name, payload(shop, version, content))
        return shop.adopt(path) if built else path

    hosts[0].run("push", envelope("1.json", 1, "first"))
    for turn in range(count):
        served = observer.observe()
        base = served + 1
        enable = [word for name in OFFERS for word in ("--enable", name)]
        hosts[turn % 2].run("push", envelope("base.json", base, f"round {turn}"), *enable)
        observer.observe()
        if built:
            # The signer stands by its newest alone: only that one can be on its way.
            pushed = [envelope("a.json", base + 1, f"a {turn}")]
        else:
            pushed = [envelope("a.json", base + 1, f"a {turn}"),
                      # Above whatever the others take: it may come last.
                      envelope("b.json", base + 9, f"b {turn}")]
        commands = [
            ("kill", W, OFFERS[0]), ("kill", W, OFFERS[1]), ("rollback", W, "--to-version", "1"),
            *(("push", path) for path in pushed)]
        watcher = Watcher(place, verify, base)
        watcher.look()
        watcher.start()
        running = []
        # A push needs no signer, so it would win each time if it began at the same moment: it begins
        # at some time until a kill was over in the round before.
        began = time.monotonic()
        starts = sorted((random.uniform(0, pace * (1.2 if words[0] == "push" else 0.2)), words)
                        for words in commands)
        for index, (start, words) in enumerate(starts):
            time.sleep(max(0, began + start - time.monotonic()))
            environment = {k: v for k, v in os.environ.items() if not k.startswith("GRONA_")}
            host = hosts[(index + turn) % 2]
            running.append((words, host, subprocess.Popen(
                host.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env={**environment, **place.environment})))
        gave_way = []
        running.sort(key=lambda entry: entry[0][0] != "kill")
        for words, host, process in running:
            said = process.communicate(timeout=300)[0].decode()
            ended[words[0], process.returncode] += 1
            if process is running[0][2]:
                pace = time.monotonic() - began
            assert process.returncode in (0, *GIVES_WAY), (words, process.returncode, said)
            if process.returncode:
                gave_way.append((words, host, said))
        for words, host, said in gave_way:
            # A push was written against something else; the others do what they say.
            if words[0] == "push":
                continue
            answer = publishing.run(host.command(*words), environment=place.environment)
            told = answer.stderr.decode()
            if built and "transition.stale-source" in told:
                # The push that was on its way has lost for good; a person takes it back.
                withdraw(shop, base + 1)
                answer = publishing.run(host.command(*words), environment=place.environment)
                told = answer.stderr.decode()
            assert answer.returncode == 0, (words, said, told)
            again += 1
        watcher.ends = True
        watcher.join(60)
        assert watcher.error is None, (turn, watcher.error)
        reads += watcher.reads
        number = observer.observe()
        on = switches(place.read("config"))
        assert not any(on.values()), (turn, on)
    counts = ", ".join(f"{name} {count} times {status}"
                       for (name, status), count in sorted(ended.items()))
    return (f"{count} rounds with {'the built' if built else 'a forgetful'} signer: {counts};"
            f" {again} went through when run again; version {number}, {reads} reads")


def withdraw(shop, version):
    answer = publishing.run([
        publishing.program("grona-sign"), "audit", "withdraw", W, str(version), "--reason",
        "lost", "--keys", str(shop.keys), "--state", str(shop.folder / "signer-state")])
    assert answer.returncode == 0, answer.stderr.decode()


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        for built in (False, True):
            place = FilePlace(folder / f"public-{built}")
            print(f"file: {rounds(folder / f'file-{built}', place, ROUNDS, built)}", flush=True)
        if "--stores" in sys.argv[1:]:
            with Server("ceph", folder / "ceph") as server:
                for built in (False, True):
                    place = S3Place(server.endpoint, server.access_key, server.secret_key,
                                    server.bucket, server.ledger, create=False)
                    place.restore({})
                    told = rounds(folder / f"ceph-{built}", place, ROUNDS, built)
                    print(f"Ceph: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
