"""Real stores: moto as an object store and nginx in front of a folder; with --stores Ceph and Apache.

moto is no judge of races and none of signatures, so it stands for layout, lists and the shared
ledger. With --stores, Ceph's gateway and Apache's WebDAV with one worker must be found to compare and
swap, and Apache with several workers, a versioned bucket of Ceph and nginx's PUT must not.
"""

import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from places import Moto, Server  # noqa: E402

PUBLISHERS = 16
ROUNDS = int(os.environ.get("GRONA_STORE_ROUNDS", "10"))


class Shop:
    """A workspace and the program, with settings for one store."""

    def __init__(self, folder, store, **environment):
        folder.mkdir(parents=True, exist_ok=True)
        self.shop = publishing.Workshop(folder)
        self.store, self.folder = store, folder
        self.environment = {"GRONA_STORE": store, "GRONA_ALLOW_HTTP": "1", **environment}
        self.secrets = [v for k, v in environment.items() if "SECRET" in k]

    def run(self, *words, status=0, code=None, state="state", more=()):
        command = [publishing.program(), words[0], *words[1:], *more]
        if words[0] not in ("doctor", "fetch", "history"):
            command += ["--keys", str(self.shop.keys), "--campaigns",
                        str(self.folder / "campaigns"), "--state", str(self.folder / state)]
        elif words[0] == "doctor":
            command += ["--state", str(self.folder / state)]
        else:
            command += ["--keys", str(self.shop.keys)]
        answer = publishing.run(command, environment=self.environment)
        said = answer.stdout.decode() + answer.stderr.decode()
        assert answer.returncode == status, f"{words}: {answer.returncode}\n{said}"
        assert code is None or f"[{code}]" in said, f"{words}: {said}"
        for secret in self.secrets:
            assert secret not in said, f"{words} shows a secret"
        return answer

    def push(self, version, **others):
        payload = self.shop.payload(version, settings={"n": version})
        return self.run("push", self.shop.envelope(f"v{version}.json", payload), **others)

    def doctor(self, **others):
        return json.loads(self.run("doctor", self.store, "--json", **others).stdout)

    def published(self, versions=3, **others):
        """Publishes, repeats, reads: what any store must do."""
        for version in range(1, versions + 1):
            started = time.monotonic()
            self.push(version, **others)
            took = time.monotonic() - started
        again = self.run("push", str(self.shop.folder / f"v{versions}.json"), **others)
        assert b"already" in again.stdout, again
        fetched = self.run("fetch", publishing.WORKSPACE).stdout
        assert publishing.opened(fetched)["version"] == versions
        status = json.loads(self.run("status", publishing.WORKSPACE, "--json", **others).stdout)
        assert status["workspaces"][0]["state"] == "ok", status
        return took


class Watcher(threading.Thread):
    """Looks at what is served, and at the bundles, all the time: no version may fall or have two
    contents, and no bundle may be above what is served."""

    def __init__(self, read, bundles, verify):
        super().__init__(daemon=True)
        self.read, self.bundles, self.verify = read, bundles, verify
        self.known, self.highest, self.reads, self.error, self.ends = {}, 0, 0, None, False

    def run(self):
        try:
            while not self.ends:
                # What is served after the names were read is at least what was served before.
                names = self.bundles()
                envelope = self.read()
                self.reads += 1
                if envelope is not None and envelope not in self.known:
                    self.verify(envelope)
                    version = publishing.opened(envelope)["version"]
                    assert version > self.highest, f"{version} served after {self.highest}"
                    self.highest = self.known[envelope] = version
                for name in names:
                    assert int(name[:16]) <= self.highest, f"{name} above {self.highest}"
        except Exception as error:  # shown by the main thread
            self.error = repr(error)


def race(shop, read, bundles, start, more=(), hosts=4):
    """Sixteen publishers on four hosts at once, round after round; three to a number.

    One more process releases a bundle of what is served at the time.
    """
    watcher = Watcher(read, bundles, publishing.Store(shop.shop, "unused").verify)
    watcher.start()
    signer = shop.shop.signer()
    counts = {0: 0, 65: 0, 75: 0}
    began = time.monotonic()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRONA_")}
    environment.update(shop.environment)

    def begin(host, *words):
        return subprocess.Popen(
            [publishing.program(), *words, *more, "--keys", str(shop.shop.keys), "--campaigns",
             str(shop.folder / "campaigns"), "--state", str(shop.folder / f"host-{host}")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)

    for turn in range(ROUNDS):
        base = start + turn * 6
        running = []
        for number in range(PUBLISHERS):
            payload = shop.shop.payload(
                base + number // 3, settings={"n": number, "round": turn})
            file = shop.shop.envelope(f"race-{turn}-{number}.json", payload)
            running.append(begin(number % hosts, "push", file))
        bundle = begin(turn % hosts, "bundle", publishing.WORKSPACE, "--pins",
                       str(shop.folder / "pins.json"), "--signer", signer, "--force", "-o",
                       str(shop.folder / "bundle.json"))
        winners = 0
        for process in running:
            said = process.communicate(timeout=600)[0].decode()
            assert process.returncode in counts, f"{process.returncode}: {said}"
            counts[process.returncode] += 1
            winners += process.returncode == 0
        said = bundle.communicate(timeout=600)[0].decode()
        assert bundle.returncode in counts, f"bundle: {bundle.returncode}: {said}"
        assert winners >= 1, "nobody got through"
        assert watcher.error is None, watcher.error
    watcher.ends = True
    watcher.join(60)
    assert watcher.error is None, watcher.error
    names = bundles()
    assert names, "no bundle was released"
    return (f"{ROUNDS} rounds of {PUBLISHERS} in {time.monotonic() - began:.0f} s: {counts[0]}"
            f" published, {counts[65]} were refused by their number, {counts[75]} gave way;"
            f" {len(names)} bundles, {watcher.reads} reads, never anything wrong")


def trusted(shop, hosts=4, more=()):
    """Has each host probe the store, and the ledger, before the race."""
    for host in range(hosts):
        shop.run("push", str(shop.folder / "v3.json"), more=more, state=f"host-{host}")


def moto(folder):
    import boto3

    keys = {"AWS_ACCESS_KEY_ID": "AKGRONA", "AWS_SECRET_ACCESS_KEY": "moto-secret-key"}
    with Moto() as server:
        client = boto3.client(
            "s3", endpoint_url=server.endpoint, region_name="us-east-1",
            aws_access_key_id="AKGRONA", aws_secret_access_key="moto-secret-key")
        for bucket in ("grona-shop", "grona-ledger"):
            client.create_bucket(Bucket=bucket)
        place = f"?endpoint={server.endpoint}&region=us-east-1"
        shop = Shop(folder / "moto", f"s3://grona-shop/prod{place}", **keys)
        ledger = ("--ledger", f"s3://grona-ledger/prod{place}")
        assert shop.doctor()["verdict"] == "swaps"
        took = shop.published(more=ledger)
        # Another host, which knows the ledger alone, goes on.
        shop.push(4, more=ledger, state="elsewhere")
        versions = json.loads(shop.run("history", publishing.WORKSPACE, "--json").stdout)
        assert [v["version"] for v in versions["versions"]] == [1, 2, 3, 4], versions
        base = f"prod/v1/mobile/workspaces/{publishing.WORKSPACE}/config"
        head = client.head_object(Bucket="grona-shop", Key=base)
        assert head["ContentType"] == "application/jose+json", head
        assert head["CacheControl"] == "public, max-age=60, must-revalidate", head
        # Lists of more than one page, of folders and of names.
        for number in range(600):
            client.put_object(
                Bucket="grona-shop", Body=b"x",
                Key=f"prod/v1/mobile/workspaces/other-{number:04d}/config")
            client.put_object(
                Bucket="grona-shop", Body=b"x",
                Key=base.replace("config", f"bundles/junk-{number:04d}.json"))
        answer = shop.run("status", "--json", status=1, more=ledger)
        assert len(json.loads(answer.stdout)["workspaces"]) == 601
        # The store goes back; whoever shares the ledger sees it.
        client.put_object(Bucket="grona-shop", Key=base,
                          Body=(shop.folder / "v1.json").read_bytes())
        answer = shop.run("status", publishing.WORKSPACE, status=1, more=ledger, state="third")
        assert b"rolled" in answer.stdout.lower(), answer.stdout
        shop.push(5, more=ledger, state="third")
        shop.run("push", str(shop.folder / "v5.json"), "--to", f"s3://no-bucket{place}",
                 status=66, code="store.missing")
    print(f"moto: layout, lists, shared ledger; a push in {took:.2f} s")


def nginx(folder):
    with Server("nginx", folder / "nginx", NGINX_DAV="1") as server:
        shop = Shop(folder / "served", f"file:{server.root}")
        context = ssl.create_default_context(cafile=server.ca)
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=context), urllib.request.ProxyHandler({}))
        url = f"{server.url}/v1/mobile/workspaces/{publishing.WORKSPACE}/config"

        def get(path=url, method="GET", **fields):
            try:
                answer = opener.open(urllib.request.Request(path, headers=fields, method=method))
            except urllib.error.HTTPError as error:
                answer = error
            return answer.status, answer.headers, answer.read()

        assert get()[0] == 404
        tags = set()
        tag = None
        # Documents of one size, published faster than the clock's seconds.
        for version in range(1, 9):
            shop.push(version)
            expected = (shop.folder / f"v{version}.json").read_bytes()
            asked = {"If-None-Match": tag} if tag else {}
            status, fields, body = get(**asked)
            assert status == 200 and body == expected, (version, status)
            assert fields["Content-Type"] == "application/jose+json", fields
            assert fields["Cache-Control"] == "public, max-age=60, must-revalidate", fields
            tag = fields["ETag"]
            assert tag not in tags, f"the tag of version {version} was another one's"
            tags.add(tag)
            assert get(**{"If-None-Match": tag})[0] == 304
        for hidden in (f"{url[:-7]}/versions/0000000000000001.json", f"{url[:-7]}/.x",
                       f"{server.url}/", f"{url}/"):
            assert get(hidden)[0] == 404, hidden
        assert get(method="DELETE")[0] in (403, 405)
        put = Shop(folder / "put", f"{server.put_url}/{{workspace}}/config")
        answer = put.doctor(status=76)
        assert answer["verdict"] == "no-cas", answer
    print(f"nginx: {len(tags)} documents, {len(tags)} tags; its PUT is found not to swap")


def ceph(folder):
    import boto3

    with Server("ceph", folder / "ceph") as server:
        keys = {"AWS_ACCESS_KEY_ID": server.access_key, "AWS_SECRET_ACCESS_KEY": server.secret_key}
        place = f"?endpoint={server.endpoint}&region=us-east-1"
        shop = Shop(folder / "s3", f"s3://{server.bucket}/prod{place}", **keys)
        answer = shop.doctor()
        assert answer["verdict"] == "swaps" and answer["report"]["if_match"] == "bare", answer
        took = shop.published(
            more=("--ledger", f"s3://{server.ledger}/prod{place}"))
        ledger = ("--ledger", f"s3://{server.ledger}/prod{place}")
        trusted(shop, more=ledger)
        client = boto3.client(
            "s3", endpoint_url=server.endpoint, region_name="us-east-1",
            aws_access_key_id=server.access_key, aws_secret_access_key=server.secret_key)
        key = f"prod/v1/mobile/workspaces/{publishing.WORKSPACE}/config"

        def bundles():
            folder = key.replace("config", "bundles/")
            listed = client.list_objects_v2(Bucket=server.bucket, Prefix=folder)
            return [entry["Key"][len(folder):] for entry in listed.get("Contents", [])]

        told = race(
            shop, lambda: client.get_object(Bucket=server.bucket, Key=key)["Body"].read(),
            bundles, 10, more=ledger)
        print(f"Ceph: {told}")
        versioned = Shop(folder / "versioned", f"s3://{server.versioned}/prod{place}", **keys)
        answer = versioned.doctor(status=76)
        assert answer["report"]["versioned"], answer
        versioned.push(1, status=76, code="store.no-cas")
        wrong = Shop(folder / "wrong", shop.store, **{**keys, "AWS_SECRET_ACCESS_KEY": "wrong-secret"})
        wrong.push(1, status=77, code="store.denied")
    print(f"Ceph: swaps, with bare tags; a versioned bucket is refused; a push in {took:.2f} s")


def apache(folder):
    for workers in ("1", ""):
        with Server("apache", folder / f"apache{workers}", APACHE_WORKERS=workers) as server:
            base = folder / f"dav{workers}"
            base.mkdir()
            token = base / "token"
            token.write_text(server.token)
            token.chmod(0o600)
            shop = Shop(base / "shop", f"{server.url}/{{workspace}}/config",
                        GRONA_CA=server.ca, GRONA_TOKEN_FILE=str(token),
                        GRONA_CLAIMS_URL=f"{server.url}/{{workspace}}/{{version}}.json",
                        GRONA_BUNDLES_URL=f"{server.url}/{{workspace}}/bundle-{{bundle}}.json")
            if workers:
                answer = shop.doctor()
                assert answer["verdict"] == "swaps" and answer["report"]["weak_tags"], answer
                took = shop.published()
                trusted(shop)
                opener = urllib.request.build_opener(
                    urllib.request.HTTPSHandler(
                        context=ssl.create_default_context(cafile=server.ca)),
                    urllib.request.ProxyHandler({}))
                url = f"{server.url}/{publishing.WORKSPACE}/config"

                def read():
                    # One worker serves everybody: leave it some time.
                    time.sleep(0.05)
                    with opener.open(url, timeout=60) as answer:
                        return answer.read()

                def bundles():
                    public = pathlib.Path(server.folder) / "public" / publishing.WORKSPACE
                    return [p.name[len("bundle-"):] for p in public.glob("bundle-*")]

                print(f"Apache: {race(shop, read, bundles, 10)}")
            else:
                answer = shop.doctor(status=76)
                checks = {c["check"]: c["ok"] for c in answer["report"]["checks"]}
                # One by one it answers well: only the race shows it.
                assert checks["create-only"] and checks["wrong-tag"] and checks["stale-tag"], checks
                assert not (checks["create-race"] and checks["replace-race"]), checks
                shop.push(1, status=76, code="store.no-cas")
    print(f"Apache: with one worker swaps, with more is found out; a push in {took:.2f} s")


def main():
    judges = [moto, nginx] + ([ceph, apache] if "--stores" in sys.argv[1:] else [])
    with tempfile.TemporaryDirectory() as text:
        pathlib.Path(text).chmod(0o755)
        for judge in judges:
            started = time.monotonic()
            judge(pathlib.Path(text))
            print(f"  ({time.monotonic() - started:.1f} s)")


if __name__ == "__main__":
    main()
