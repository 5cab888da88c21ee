"""What the judges of remote stores share: servers, and stores with a key for each document.

A place knows its store's whole content, can set it back, and is looked at by an observer that holds
it against everything it has seen: the served version never falls, no number has two contents, no
bundle is above what is served.
"""

import base64
import datetime
import ipaddress
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

import publishing

STORES = publishing.ROOT / "scripts" / "stores"
TOKEN = "grona-test-token"


class Server:
    """A script of scripts/stores, from start to stop."""

    def __init__(self, name, folder, **environment):
        self.script, self.folder = str(STORES / f"{name}.sh"), str(folder)
        subprocess.run([self.script, "start", self.folder], check=True, timeout=180,
                       env={**os.environ, **environment})
        lines = (pathlib.Path(folder) / "env").read_text().splitlines()
        self.values = dict(line.split("=", 1) for line in lines)

    def __getattr__(self, name):
        return self.values[name.upper()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([self.script, "stop", self.folder], check=True, timeout=60)


class Moto:
    """moto on a port of this host."""

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{port}"
        server = pathlib.Path(sys.executable).parent / "moto_server"
        self.process = subprocess.Popen(
            [sys.executable, str(server), "-H", "127.0.0.1", "-p", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return self
            except OSError:
                time.sleep(0.1)
        raise AssertionError("moto does not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)


class Loopback:
    """The small store of the tests, over TLS unless it is to be an object store."""

    def __init__(self, folder, *options, s3=False):
        self.folder, self.options, self.s3 = pathlib.Path(folder), list(options), s3
        self.folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self):
        options = list(self.options)
        scheme = "http"
        if self.s3:
            options.append("--s3")
        else:
            certificate, key, self.ca = certificates(self.folder)
            options += ["--token", TOKEN, "--tls", certificate, key]
            scheme = "https"
        script = publishing.ROOT / "Tests" / "Servers" / "store_server.py"
        self.process = subprocess.Popen(
            [sys.executable, str(script), *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.url = f"{scheme}://127.0.0.1:{int(self.process.stdout.readline())}"
        self.opener = opener(None if self.s3 else self.ca)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(20)

    def ask(self, path, method="GET", body=None):
        request = urllib.request.Request(self.url + path, data=body, method=method)
        with self.opener.open(request, timeout=60) as answer:
            return answer.read()

    def requests(self):
        """What was asked of the store so far: method, path and status."""
        log = json.loads(self.ask("/-/log"))
        return [tuple(r[:3]) for r in log["requests"] if not r[1].startswith("/-/")]


def opener(ca=None):
    handlers = [urllib.request.ProxyHandler({})]
    if ca:
        handlers.append(urllib.request.HTTPSHandler(
            context=ssl.create_default_context(cafile=ca)))
    return urllib.request.build_opener(*handlers)


def certificates(folder):
    """A certificate for this host with its key, and the authority that gave it: three paths."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    now = datetime.datetime.now(datetime.timezone.utc)

    def signed(name, key, issuer, issuer_key, *extensions):
        builder = x509.CertificateBuilder(
            issuer_name=issuer, subject_name=name, public_key=key.public_key(),
            serial_number=x509.random_serial_number(),
            not_valid_before=now - datetime.timedelta(hours=1),
            not_valid_after=now + datetime.timedelta(days=2))
        for extension in extensions:
            builder = builder.add_extension(extension, critical=False)
        return builder.sign(issuer_key, hashes.SHA256())

    def named(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root_name = named("Grona test authority")
    root = signed(root_name, root_key, root_name, root_key,
                  x509.BasicConstraints(ca=True, path_length=0))
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    leaf = signed(named("localhost"), key, root_name, root_key,
                  x509.SubjectAlternativeName([x509.DNSName("localhost"), address]))
    encoding = serialization.Encoding.PEM
    texts = {
        "server.pem": leaf.public_bytes(encoding), "ca.pem": root.public_bytes(encoding),
        "server.key": key.private_bytes(
            encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text)
        (folder / name).chmod(0o600)
    return tuple(str(folder / n) for n in ("server.pem", "server.key", "ca.pem"))


class Place:
    """A store as the judge sees it; keys are `config`, `versions/…` and `bundles/…`."""

    ledger = ()

    def read(self, key):
        return self.objects().get(key)

    def objects(self):
        """Everything of the workspace: its key and its bytes."""
        raise NotImplementedError

    def whole(self):
        """Everything there is, ledgers and all, to be compared or set back."""
        raise NotImplementedError

    def restore(self, whole):
        raise NotImplementedError

    def put(self, key, data):
        raise NotImplementedError

    def delete(self, *keys):
        raise NotImplementedError


class S3Place(Place):
    """A bucket, with another one for the ledger."""

    def __init__(self, endpoint, access, secret, bucket="grona-shop", ledger="grona-ledger",
                 create=True, region="us-east-1"):
        import boto3
        import botocore.config

        self.client = boto3.client(
            "s3", endpoint_url=endpoint, region_name=region, aws_access_key_id=access,
            aws_secret_access_key=secret,
            config=botocore.config.Config(retries={"max_attempts": 4}))
        self.buckets = (bucket, ledger)
        if create:
            for name in self.buckets:
                self.client.create_bucket(Bucket=name)
        where = f"?endpoint={endpoint}&region={region}"
        self.address = f"s3://{bucket}/prod{where}"
        self.ledger = ("--ledger", f"s3://{ledger}/prod{where}")
        self.environment = {
            "GRONA_STORE": self.address, "GRONA_ALLOW_HTTP": "1", "AWS_ACCESS_KEY_ID": access,
            "AWS_SECRET_ACCESS_KEY": secret}
        self.base = f"prod/v1/mobile/workspaces/{publishing.WORKSPACE}/"

    def keys(self, bucket, prefix=""):
        pages = self.client.get_paginator("list_objects_v2")
        return {entry["Key"]: entry["ETag"]
                for page in pages.paginate(Bucket=bucket, Prefix=prefix)
                for entry in page.get("Contents", [])}

    def get(self, bucket, key):
        try:
            return self.client.get_object(Bucket=bucket, Key=key)["Body"].read()
        except self.client.exceptions.NoSuchKey:
            return None

    def read(self, key):
        return self.get(self.buckets[0], self.base + key)

    def objects(self):
        bucket = self.buckets[0]
        found = {k[len(self.base):]: self.get(bucket, k) for k in self.keys(bucket, self.base)}
        return {k: v for k, v in found.items() if v is not None}

    def whole(self):
        found = {}
        for bucket in self.buckets:
            for key in self.keys(bucket):
                answer = self.client.get_object(Bucket=bucket, Key=key)
                found[bucket, key] = (answer["Body"].read(), answer["ContentType"],
                                      answer.get("CacheControl", ""))
        return found

    def restore(self, whole):
        for bucket in self.buckets:
            there = self.keys(bucket)
            for key in there:
                if (bucket, key) not in whole:
                    self.client.delete_object(Bucket=bucket, Key=key)
            for (where, key), (data, kind, cache) in whole.items():
                tag = f'"{publishing.hashlib.md5(data).hexdigest()}"'
                if where == bucket and there.get(key) != tag:
                    self.client.put_object(Bucket=bucket, Key=key, Body=data, ContentType=kind,
                                           CacheControl=cache)

    def put(self, key, data):
        self.client.put_object(Bucket=self.buckets[0], Key=self.base + key, Body=data)

    def delete(self, *keys):
        for key in keys:
            self.client.delete_object(Bucket=self.buckets[0], Key=self.base + key)


class HTTPPlace(Place):
    """An endpoint with a place for claims and for bundles."""

    def __init__(self, url, folder, ca=None, token=None):
        self.address = f"{url}/{{workspace}}/config"
        self.environment = {
            "GRONA_STORE": self.address, "GRONA_ALLOW_HTTP": "1",
            "GRONA_CLAIMS_URL": f"{url}/{{workspace}}/{{version}}.json",
            "GRONA_BUNDLES_URL": f"{url}/{{workspace}}/bundle-{{bundle}}.json"}
        if ca:
            self.environment["GRONA_CA"] = ca
        if token:
            path = pathlib.Path(folder) / "token"
            path.write_text(token)
            path.chmod(0o600)
            self.environment["GRONA_TOKEN_FILE"] = str(path)

    @staticmethod
    def key(name):
        """The key of a name below the workspace."""
        if name == "config":
            return name
        if name.startswith("bundle-"):
            return "bundles/" + name[len("bundle-"):]
        return "versions/" + name

    @staticmethod
    def name(key):
        return key.removeprefix("versions/").replace("bundles/", "bundle-")


class LoopbackPlace(HTTPPlace):
    """The small store of the tests, which tells and takes its whole content."""

    def __init__(self, server):
        super().__init__(server.url, server.folder, server.ca, TOKEN)
        self.server = server

    def whole(self):
        return json.loads(self.server.ask("/-/objects"))

    def restore(self, whole):
        self.server.ask("/-/objects", "PUT", json.dumps(whole).encode())

    def objects(self):
        base = f"/{publishing.WORKSPACE}/"
        return {self.key(path[len(base):]): base64.b64decode(entry["bytes"])
                for path, entry in self.whole().items() if path.startswith(base)}

    def put(self, key, data):
        self.server.ask(f"/-/object/{publishing.WORKSPACE}/{self.name(key)}", "PUT", data)

    def delete(self, *keys):
        gone = {f"/{publishing.WORKSPACE}/{self.name(key)}" for key in keys}
        self.restore({k: v for k, v in self.whole().items() if k not in gone})


class FolderBehindPlace(HTTPPlace):
    """Apache's WebDAV, whose folder is on this host."""

    def __init__(self, server, folder):
        super().__init__(server.url, folder, server.ca, server.token)
        self.root = pathlib.Path(server.folder) / "public"

    def files(self, below):
        found = {}
        for path in below.rglob("*"):
            if path.is_file() and not path.name.startswith("."):
                try:
                    found[str(path.relative_to(below))] = path.read_bytes()
                except FileNotFoundError:
                    continue
        return found

    def whole(self):
        return self.files(self.root)

    def objects(self):
        files = self.files(self.root / publishing.WORKSPACE)
        return {self.key(name): data for name, data in files.items()}

    def restore(self, whole):
        for path in self.root.rglob("*"):
            if path.is_file() and str(path.relative_to(self.root)) not in whole:
                path.unlink()
        for name, data in whole.items():
            path = self.root / name
            if not path.exists() or path.read_bytes() != data:
                self.write(path, data)

    def write(self, path, data):
        new = path.with_name(f".new-{path.name}")
        new.write_bytes(data)
        owner = path.parent.stat()
        os.chown(new, owner.st_uid, owner.st_gid)
        # Another time than any that was there before, and long past: its tag is strong at once.
        moment = time.time() - 86_400
        os.utime(new, (moment, moment))
        new.rename(path)

    def put(self, key, data):
        self.write(self.root / publishing.WORKSPACE / self.name(key), data)

    def delete(self, *keys):
        for key in keys:
            (self.root / publishing.WORKSPACE / self.name(key)).unlink(missing_ok=True)


class FilePlace(Place):
    """A folder."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        self.root.mkdir(parents=True, exist_ok=True)
        self.address = f"file:{self.root}"
        self.environment = {"GRONA_STORE": self.address}
        self.base = self.root / "v1" / "mobile" / "workspaces" / publishing.WORKSPACE

    def objects(self):
        return {str(p.relative_to(self.base)): p.read_bytes()
                for p in self.base.rglob("*") if p.is_file()}

    def whole(self):
        return {str(p.relative_to(self.root)): p.read_bytes()
                for p in self.root.rglob("*") if p.is_file()}

    def put(self, key, data):
        (self.base / key).write_bytes(data)

    def read(self, key):
        try:
            return (self.base / key).read_bytes()
        except FileNotFoundError:
            return None


class Observer:
    """Holds what a place shows against everything it has shown before."""

    def __init__(self, shop, place):
        self.place = place
        self.verify = publishing.Store(shop, "unused").verify
        self.highest, self.contents, self.bundles = 0, {}, set()

    def observe(self):
        """Answers the served version; 0 for none."""
        objects = self.place.objects()
        version = 0
        claims = {}
        for key, data in objects.items():
            if key.startswith("versions/"):
                self.verify(data)
                number = int(key[len("versions/"):][:16])
                assert publishing.opened(data)["version"] == number, key
                claims[number] = publishing.digest(data)
                self.hold(number, data)
        if "config" in objects:
            data = objects["config"]
            self.verify(data)
            version = publishing.opened(data)["version"]
            self.hold(version, data)
            assert claims.get(version) == publishing.digest(data), f"{version} is served unclaimed"
        assert version >= self.highest, f"served fell from {self.highest} to {version}"
        self.highest = version
        for key, data in objects.items():
            if key.startswith("bundles/"):
                self.verify(data)
                number = publishing.opened(data)["version"]
                name = f"bundles/{number:016d}-{publishing.digest(data)[:16]}.json"
                assert key == name, (key, name)
                assert number <= version, f"{key} above served {version}"
        return version

    def hold(self, number, data):
        content = publishing.digest(data)
        assert self.contents.setdefault(number, content) == content, \
            f"two contents under version {number}"


class Host:
    """A publisher with a state of its own, calling the program with a place's settings."""

    def __init__(self, shop, place, signer=None, state="state", folder=None):
        self.shop, self.place, self.signer = shop, place, signer
        self.folder = pathlib.Path(folder or shop.folder)
        self.state = self.folder / state
        self.secrets = [v for k, v in place.environment.items() if "SECRET" in k] + [TOKEN]

    def command(self, *words):
        """The words of a command with what it needs of keys, state and signer."""
        command = [publishing.program(), *words, "--keys", str(self.folder / "keys")]
        if words[0] in ("push", "bundle", "kill", "rollback", "recover", "status",
                        "next-version"):
            command += ["--state", str(self.state), *self.place.ledger]
        if words[0] not in ("fetch", "history", "diff"):
            command += ["--campaigns", str(self.folder / "campaigns")]
        if words[0] in ("bundle", "kill", "rollback", "recover") and self.signer:
            command += ["--signer", self.signer]
        return command

    def run(self, *words, status=0, code=None, more=()):
        answer = publishing.run([*self.command(*words), *more],
                                environment=self.place.environment)
        said = answer.stdout.decode() + answer.stderr.decode()
        assert answer.returncode == status, f"{words}: {answer.returncode}\n{said}"
        assert code is None or f"error[{code}" in said, f"{words}: {said}"
        for secret in self.secrets:
            assert secret not in said, f"{words} shows a secret"
        return answer

    def json(self, *words, **others):
        return json.loads(self.run(*words, "--json", **others).stdout)

    def files(self):
        """The host's whole memory."""
        return {str(p.relative_to(self.state)): p.read_bytes()
                for p in self.state.rglob("*") if p.is_file()}
