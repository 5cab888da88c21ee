"""What the judges of publishing share: a workspace with a key, envelopes, an observer, a signer.

Keys are made for each run and never leave its temporary folder.
"""

import base64
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKSPACE = "acme-market"
KID = "acme-market-2026-10"


def program(name="grona-publish"):
    """The built program: $GRONA_BIN, or the release build."""
    folder = pathlib.Path(os.environ.get("GRONA_BIN", ROOT / ".build" / "dist"))
    return str(folder / name)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


class Workshop:
    """A folder with keys, campaigns and an empty store."""

    def __init__(self, folder, workspace=WORKSPACE):
        self.folder = pathlib.Path(folder)
        self.workspace = workspace
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.keys = self.folder / "keys"
        (self.keys / workspace).mkdir(parents=True)
        self.write_keyring()
        (self.folder / "campaigns" / workspace).mkdir(parents=True)
        policy = {"workspace": workspace, "min_sdk": "1.0.0", "ttl_seconds": 3600}
        (self.folder / "campaigns" / workspace / "workspace.json").write_bytes(canonical(policy))
        pins = {
            "format": 1, "workspace": workspace, "grant": [],
            "config": [{"kid": KID, "public": self.public()}],
        }
        (self.folder / "pins.json").write_bytes(canonical(pins))

    def public(self):
        spki = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(spki).decode()

    def thumbprint(self):
        numbers = self.key.public_key().public_numbers()
        jwk = {
            "crv": "P-256", "kty": "EC", "x": base64url(numbers.x.to_bytes(32, "big")),
            "y": base64url(numbers.y.to_bytes(32, "big")),
        }
        return base64url(hashlib.sha256(canonical(jwk)).digest())

    def write_keyring(self, signer="credential:none"):
        keyring = {
            "format": 1, "id": os.urandom(16).hex(), "workspace": self.workspace,
            "keys": [{
                "kid": KID, "use": "config", "state": "current", "signer": signer,
                "public": self.public(), "thumbprint": self.thumbprint(),
                "history": [{"state": "current", "at": 1790000000}],
            }],
        }
        (self.keys / self.workspace / "keyring.json").write_bytes(canonical(keyring))

    def payload(self, version, lifetime=30 * 86400, issued=None, offer=True, **others):
        issued = int(time.time()) if issued is None else issued
        campaigns = [{
            "id": "weekend-offer", "kind": "offer", "enabled": True, "unit": "customer",
            "placements": ["home"], "priority": 0,
            "treatment": {"type": "percent_off", "value": 10000},
            "variants": [{"id": "B", "weight": 10000}],
        }] if offer else []
        payload = {
            "schema": 1, "version": version, "workspace": self.workspace, "min_sdk": "1.0.0",
            "issued_at": issued, "expires_at": issued + lifetime, "ttl_seconds": 3600,
            "settings": {}, "campaigns": campaigns,
        }
        payload.update(others)
        return payload

    def sign(self, payload):
        header = {"alg": "ES256", "kid": KID, "typ": "grona-config+jws"}
        protected, body = base64url(canonical(header)), base64url(canonical(payload))
        der = self.key.sign(f"{protected}.{body}".encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(der)
        signature = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return ('{"protected":"%s","payload":"%s","signature":"%s"}'
                % (protected, body, signature)).encode()

    def envelope(self, name, payload):
        path = self.folder / name
        path.write_bytes(self.sign(payload))
        return str(path)

    def built_signer(self, state="signer-state"):
        """The built signer with this key, as a command."""
        key = self.keys / self.workspace / f"{KID}.pem"
        key.write_bytes(self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        key.chmod(0o600)
        self.write_keyring(f"file:{key.name}")
        return (f"{program('grona-sign')} --keys {self.keys} --campaigns"
                f" {self.folder / 'campaigns'} --state {self.folder / state}")

    def adopt(self, path, state="signer-state"):
        """Has the built signer take an envelope in, as one that it signed; answers its path."""
        answer = run([program("grona-sign"), "audit", "adopt", path, "--reason", "a judge's",
                      "--keys", str(self.keys), "--state", str(self.folder / state)])
        assert answer.returncode == 0, answer.stderr.decode()
        return path

    def signer(self):
        """A program that answers `bundle`, `renew` and `restore --batch` as the signer does."""
        key = self.folder / "signer-key.pem"
        key.write_bytes(self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        key.chmod(0o600)
        script = self.folder / "signer"
        script.write_text(f"#!{sys.executable}\n" + SIGNER % (
            str(pathlib.Path(__file__).parent), str(self.folder), str(key), self.workspace))
        script.chmod(0o755)
        return str(script)


SIGNER = '''
import json, sys, time
sys.path.insert(0, %r)
import publishing
from cryptography.hazmat.primitives.serialization import load_pem_private_key
shop = publishing.Workshop.__new__(publishing.Workshop)
shop.folder, path, shop.workspace = %r, %r, %r
shop.key = load_pem_private_key(open(path, "rb").read(), None)
assert sys.argv[2] == "--batch", sys.argv
request = json.loads(sys.stdin.readline())
payload = publishing.opened(json.dumps(request["envelope"]))
now = int(time.time())
payload["issued_at"] = now
if sys.argv[1] == "bundle":
    payload["expires_at"] = min(payload["expires_at"], now + request.get("lifetime", 14 * 86400))
    payload["campaigns"] = [c for c in payload["campaigns"] if c["kind"] != "offer"]
else:
    payload["version"] = request["version"]
    payload["expires_at"] = now + request.get("lifetime", 30 * 86400)
    off = set(request.get("disable", []))
    if sys.argv[1] == "restore":
        served = publishing.opened(json.dumps(request["served"]))
        off = {c["id"] for c in served["campaigns"] if not c["enabled"]}
    for campaign in payload["campaigns"]:
        if campaign["id"] in off:
            campaign["enabled"] = False
envelope = json.loads(shop.sign(payload))
print(json.dumps({"id": request["id"], "envelope": envelope, "audit": "0" * 64}))
'''


def opened(envelope):
    """The payload of an envelope."""
    text = json.loads(envelope)["payload"]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def digest(envelope):
    text = json.loads(envelope)["payload"]
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return hashlib.sha256(data).hexdigest()


class Store:
    """A folder as a store, with an observer of its invariants."""

    def __init__(self, shop, name="public"):
        self.shop = shop
        self.folder = shop.folder / name
        self.folder.mkdir(exist_ok=True)
        self.base = self.folder / "v1" / "mobile" / "workspaces" / shop.workspace
        self.highest = 0
        self.contents = {}

    @property
    def address(self):
        return f"file:{self.folder}"

    def config(self):
        try:
            return (self.base / "config").read_bytes()
        except FileNotFoundError:
            return None

    def verify(self, envelope):
        """Fails unless the bytes are a whole envelope with a valid signature."""
        parts = json.loads(envelope)
        assert set(parts) == {"protected", "payload", "signature"}, parts
        raw = base64.urlsafe_b64decode(parts["signature"] + "==")
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
        der = encode_dss_signature(
            int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        self.shop.key.public_key().verify(
            der, f"{parts['protected']}.{parts['payload']}".encode(), ec.ECDSA(hashes.SHA256()))

    def observe(self):
        """Checks what anybody can see; answers the served version, 0 for none."""
        envelope = self.config()
        version = 0
        if envelope is not None:
            self.verify(envelope)
            version = opened(envelope)["version"]
            content = digest(envelope)
            assert self.contents.setdefault(version, content) == content, \
                f"two contents under version {version}"
            claim = self.base / "versions" / f"{version:016d}.json"
            assert claim.read_bytes() == envelope, f"version {version} is served unclaimed"
        assert version >= self.highest, f"served fell from {self.highest} to {version}"
        self.highest = version
        for claim in self.names("versions"):
            self.verify(claim.read_bytes())
        for bundle in self.names("bundles"):
            self.verify(bundle.read_bytes())
            assert int(bundle.name[:16]) <= version, f"{bundle.name} above served {version}"
        return version

    def names(self, folder):
        try:
            return [p for p in sorted((self.base / folder).iterdir())
                    if not p.name.startswith(".")]
        except FileNotFoundError:
            return []

    def check_modes(self):
        """What is served is for all to read, and nothing else lies in the tree."""
        for path in self.folder.rglob("*"):
            mode = path.stat().st_mode & 0o7777
            assert not path.name.startswith("."), f"{path} was left behind"
            assert mode == (0o755 if path.is_dir() else 0o644), f"{path} has mode {mode:o}"


def arguments(shop, store, state="state"):
    """The options that every command of the judges gets."""
    return [
        "--keys", str(shop.keys), "--campaigns", str(shop.folder / "campaigns"),
        "--state", str(shop.folder / state),
    ]


def run(command, **options):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRONA_")}
    environment.update(options.pop("environment", {}))
    return subprocess.run(
        command, capture_output=True, env=environment, timeout=120, **options)
