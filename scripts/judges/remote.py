"""Every command of publishing over stores that are reached over a network, from end to end.

An https endpoint (the small store of the tests, with TLS and a token) and an object store (moto, with
the ledger in a bucket of its own). Each command runs with --dry-run first, after which nothing may
have changed: neither in the store nor in the ledger nor in this host's memory. Then the store loses
its config, has it damaged and set back, and is recovered.

How many requests `push` and `kill` need, one after the other, is counted and held; how long they take
is measured and printed: on a folder, over each of the stores, and where every answer comes 200 ms
late. With --stores Ceph and Apache are measured too.
"""

import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from places import (  # noqa: E402
    FilePlace, FolderBehindPlace, Host, Loopback, LoopbackPlace, Moto, Observer, S3Place, Server)

W = publishing.WORKSPACE
OFFER = "weekend-offer"
# Requests one after the other, at most: a push, and a kill, by what there is. With 200 ms a request
# and a ledger on this host, a kill has to be done within three seconds.
REQUESTS = {"https": (8, 8), "s3": (9, 9), "s3 with a shared ledger": (22, 20)}
LATE = 0.2
TURNS = 5


def is_on(envelope):
    return publishing.opened(envelope)["campaigns"][0]["enabled"]


class Story:
    """A workspace over one place, with the built signer."""

    def __init__(self, folder, place):
        folder.mkdir()
        self.folder, self.place = folder, place
        self.shop = publishing.Workshop(folder)
        self.host = Host(self.shop, place, self.shop.built_signer())
        self.observer = Observer(self.shop, place)
        self.dry_runs = 0

    def everything(self):
        return self.place.whole(), self.host.files()

    def changes(self, *words, **others):
        """Runs a command with --dry-run, then for real; answers what both said."""
        before = self.everything()
        dry = self.host.json(*words, "--dry-run", **others)
        assert self.everything() == before, f"{words} --dry-run changed something"
        self.dry_runs += 1
        assert dry["result"] in ("would-publish", "unchanged"), dry
        done = self.host.json(*words, **others)
        if "digest" in done and words[0] != "bundle":
            served = self.place.read("config")
            assert done["digest"] == publishing.digest(served), (words, done)
            assert done["version"] == publishing.opened(served)["version"], (words, done)
            assert dry["version"] == done["version"], (words, dry, done)
        self.observer.observe()
        return dry, done

    def refuses(self, *words, status, code):
        """A refusal leaves the store as it is."""
        before = self.place.whole()
        self.host.run(*words, status=status, code=code)
        after = self.place.whole()
        shop = {k: v for k, v in after.items() if "ledger" not in str(k)}
        assert shop == {k: v for k, v in before.items() if "ledger" not in str(k)}, words

    def tell(self):
        self.publish()
        self.look()
        self.kill_and_roll_back()
        self.recoveries()
        return f"{self.dry_runs} dry runs changed nothing"

    def publish(self):
        for version in (1, 2):
            file = self.shop.adopt(self.shop.envelope(
                f"v{version}.json", self.shop.payload(version, settings={"content": version})))
            if version == 1:
                # The first command to reach a store probes it; a dry run does not.
                before = self.everything()
                self.host.run("push", file, "--dry-run")
                assert self.everything() == before, "push --dry-run changed something"
                assert self.host.json("push", file)["result"] == "published"
            dry, done = self.changes("push", file)
            assert done["result"] == ("unchanged" if version == 1 else "published"), done
            assert self.place.read("config") == pathlib.Path(file).read_bytes()
        again = self.host.json("push", file)
        assert again["result"] == "unchanged", again

    def look(self):
        next_version = self.host.run("next-version", W).stdout
        assert next_version == b"3\n", next_version
        fetched = self.host.run("fetch", W).stdout
        assert fetched.rstrip(b"\n") == self.place.read("config"), fetched
        history = self.host.json("history", W)["versions"]
        assert [v["version"] for v in history][-1] == 2, history
        difference = self.host.run("diff", "1", "served", "--workspace", W).stdout
        assert b"/settings/content" in difference or b"content" in difference, difference
        pins, bundle = str(self.folder / "pins.json"), self.folder / "bundle.json"
        before = self.everything()
        dry = self.host.json("bundle", W, "--pins", pins, "-o", str(bundle), "--dry-run")
        assert dry["result"] == "would-publish" and not bundle.exists(), dry
        assert self.everything() == before, "bundle --dry-run changed something"
        self.dry_runs += 1
        done = self.host.json("bundle", W, "--pins", pins, "-o", str(bundle))
        assert done["result"] == "released", done
        kept = self.place.read(f"bundles/{2:016d}-{done['digest'][:16]}.json")
        assert kept == bundle.read_bytes() and publishing.digest(kept) == done["digest"]
        self.observer.observe()
        status = self.host.json("status", W)["workspaces"][0]
        assert (status["version"], status["state"]) == (2, "ok"), status

    def kill_and_roll_back(self):
        copies = [str(self.folder / name) for name in ("grants.json", "again.json")]
        also = [word for copy in copies for word in ("--also-write", copy)]
        dry, done = self.changes("kill", W, OFFER, *also)
        assert dry["written"] == [] and done["written"] == copies, (dry, done)
        assert done["result"] == "published" and done["version"] == 3, done
        for copy in copies:
            assert pathlib.Path(copy).read_bytes() == self.place.read("config"), copy
        assert not is_on(self.place.read("config"))
        pathlib.Path(copies[0]).unlink()
        again = self.host.json("kill", W, OFFER, *also)
        assert again["result"] == "unchanged" and again["version"] == 3, again
        assert pathlib.Path(copies[0]).read_bytes() == self.place.read("config")
        dry, done = self.changes("rollback", W, "--to-version", "1")
        assert done["result"] == "published" and done["version"] == 4, done
        payload = publishing.opened(self.place.read("config"))
        assert payload["settings"] == {"content": 1}, payload
        assert not payload["campaigns"][0]["enabled"], "a rollback switched an offer on"

    def recoveries(self):
        served = self.place.read("config")
        old = (self.folder / "v1.json").read_bytes()
        pins = str(self.folder / "pins.json")
        bundle = ("bundle", W, "--pins", pins, "-o", str(self.folder / "bundle.json"), "--force")

        def lost():
            self.place.delete("config")

        def all_lost():
            self.place.delete(*self.place.objects())

        harms = {
            "lost": lost, "emptied": lambda: self.place.put("config", b""),
            "damaged": lambda: self.place.put("config", served[:-9]),
            "a page": lambda: self.place.put("config", b"<html>nothing here</html>"),
            "set back": lambda: self.place.put("config", old), "all lost": all_lost,
        }
        for name, harm in harms.items():
            harm()
            status = json.loads(self.host.run("status", W, "--json", status=1).stdout)
            assert status["workspaces"][0]["state"] != "ok", (name, status)
            self.refuses(*bundle, status=66 if "lost" in name else 76, code="served.")
            self.refuses(
                "recover", W, "--no-input", status=65, code="recover.unconfirmed]")
            dry, done = self.changes("recover", W, "--yes")
            assert done["result"] == "published" and done["version"] == 4, (name, done)
            assert self.place.read("config") == served, f"{name}: something else is served"
            status = self.host.json("status", W)["workspaces"][0]
            assert status["state"] == "ok", (name, status)
            assert self.host.json("recover", W, "--yes")["result"] == "unchanged", name
        self.host.run(*bundle)
        self.observer.observe()


class Pace:
    """How many requests `push` and `kill` need over a place, and how many seconds."""

    def __init__(self, folder, place, server=None, rest=0.0):
        folder.mkdir()
        self.shop = publishing.Workshop(folder)
        self.host = Host(self.shop, place, self.shop.built_signer())
        self.server, self.rest = server, rest
        self.version = 1
        self.times = {"push": [], "kill": []}
        self.counts = {"push": set(), "kill": set()}
        # The first push probes the store.
        self.host.run("push", self.next())
        pins = str(folder / "pins.json")
        self.host.run("bundle", W, "--pins", pins, "-o", str(folder / "bundle.json"))

    def next(self):
        payload = self.shop.payload(self.version, settings={"content": self.version})
        self.version += 1
        return self.shop.adopt(self.shop.envelope("next.json", payload))

    def timed(self, name, *words):
        # Apache's tags are weak for a second after each write.
        time.sleep(self.rest)
        before = len(self.server.requests()) if self.server else 0
        started = time.monotonic()
        self.host.run(name, *words)
        self.times[name].append(time.monotonic() - started)
        if self.server:
            self.counts[name].add(len(self.server.requests()) - before)

    def go(self, turns=TURNS):
        for _ in range(turns):
            self.timed("push", self.next(), "--enable", OFFER)
            self.timed("kill", W, OFFER)
            self.version += 1
        told = []
        for name in ("push", "kill"):
            seconds = statistics.median(self.times[name])
            count = f" with {max(self.counts[name])} requests" if self.server else ""
            told.append(f"a {name} in {seconds:.2f} s{count}")
        return ", ".join(told)

    def hold(self, most):
        """Not more requests than that."""
        for name, limit in zip(("push", "kill"), most):
            assert max(self.counts[name]) <= limit, (name, self.counts[name], limit)


def clean(place):
    """The place with nothing in it."""
    place.restore({})
    return place


def paces(folder):
    """Counts and seconds, with the answers of the small store in time and late."""
    print(f"file: {Pace(folder / 'on-file', FilePlace(folder / 'public')).go()}")
    for name, most in REQUESTS.items():
        for late in (0.0, LATE):
            here = folder / f"{name}-{late}".replace(" ", "-")
            with Loopback(here, "--delay", str(late), s3=name != "https") as server:
                if name == "https":
                    place = LoopbackPlace(server)
                else:
                    place = S3Place(server.url, "AKGRONA", "no-secret-key", create=False)
                    if name == "s3":
                        place.ledger = ()
                pace = Pace(here / "shop", place, server)
                told = pace.go(3 if late else TURNS)
                pace.hold(most)
                print(f"{name}{', 200 ms a request' if late else ''}: {told}")


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        folder.chmod(0o755)
        with Loopback(folder / "https") as server:
            told = Story(folder / "over-https", LoopbackPlace(server)).tell()
            print(f"https: {told}")
        with Moto() as server:
            place = S3Place(server.endpoint, "AKGRONA", "moto-secret-key")
            told = Story(folder / "over-s3", place).tell()
            print(f"s3 (moto): {told}")
            print(f"moto with a shared ledger: {Pace(folder / 'pace-moto', clean(place)).go()}")
        paces(folder)
        if "--stores" in sys.argv[1:]:
            with Server("ceph", folder / "ceph") as server:
                place = S3Place(server.endpoint, server.access_key, server.secret_key,
                                server.bucket, server.ledger, create=False)
                told = Story(folder / "over-ceph", place).tell()
                print(f"s3 (Ceph): {told}")
                pace = Pace(folder / "pace-ceph", clean(place))
                print(f"Ceph with a shared ledger: {pace.go()}")
                place.restore({})
                place.ledger = ()
                print(f"Ceph: {Pace(folder / 'pace-ceph-alone', place).go()}")
            with Server("apache", folder / "apache", APACHE_WORKERS="1") as server:
                place = FolderBehindPlace(server, server.folder)
                told = Story(folder / "over-apache", place).tell()
                print(f"https (Apache): {told}")
                print(f"Apache: {Pace(folder / 'pace-apache', clean(place), rest=1.3).go()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
