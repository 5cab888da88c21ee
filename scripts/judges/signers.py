"""The example signers of scripts/signers at work: openssl, and a key management service.

Each makes keys, has them recorded, and signs a config and a grant; cryptography, which has nothing
of ours, verifies them. Then what goes wrong: a service that hashes the digest again, a wrong
secret, a kid that is not listed, a server that is gone.
"""

import base64
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "judges.d"))
import publishing  # noqa: E402

SIGNERS = ROOT / "scripts" / "signers"
USES = {"config": "acme-market-2026-10", "grant": "acme-market-grants-2026-10"}


def expect(condition, what):
    if not condition:
        raise SystemExit(f"signers: {what}")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Signing:
    """A folder in which grona-sign works with exec: keys of one program."""

    def __init__(self, folder, program, environment):
        self.folder = pathlib.Path(folder)
        self.program = program
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder),
            "GRONA_STATE": str(self.folder / "state"), "GRONA_KEYS": str(self.folder / "keys"),
            "GRONA_CAMPAIGNS": str(ROOT / "campaigns"), "GRONA_WORKSPACE": "acme-market",
            **environment,
        }

    def run(self, *words, **more):
        return subprocess.run(
            [publishing.program("grona-sign"), *words], capture_output=True, text=True,
            timeout=120, env={**self.environment, **more})

    def add_keys(self):
        for use, kid in USES.items():
            done = self.run(
                "keys", "import", "--use", use, "--kid", kid, "--signer", f"exec:{self.program}")
            expect(done.returncode == 0, f"keys import: {done.stderr}")
        done = self.run("keys", "check")
        expect(done.returncode == 0, f"keys check: {done.stderr}")

    def sign(self, version, **more):
        return self.run(
            "config", str(ROOT / "campaigns" / "acme-market"), "--version", str(version), **more)

    def refused(self, done, status, code, words=""):
        expect(
            done.returncode == status and f"error[{code}]" in done.stderr
            and words in done.stderr and done.stdout == "",
            f"expected {status} {code} {words}: {done.returncode} {done.stderr}")


def verify(public, text, signature):
    raw = decode(signature)
    expect(len(raw) == 64, "a signature of 64 bytes")
    der = utils.encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, text.encode(), ec.ECDSA(hashes.SHA256()))


def judge(signing, publics):
    """Signs a config and a grant, and verifies both with the public halves of the key service."""
    signing.add_keys()
    done = signing.sign(1)
    expect(done.returncode == 0, f"config: {done.stderr}")
    envelope = json.loads(done.stdout)
    verify(
        publics["config"], f"{envelope['protected']}.{envelope['payload']}", envelope["signature"])
    source = signing.folder / "config.json"
    source.write_text(done.stdout)
    offers = [
        campaign for campaign in json.loads(decode(envelope["payload"]))["campaigns"]
        if campaign["kind"] == "offer" and campaign["enabled"]]
    variant = [v["id"] for v in offers[0]["variants"] if not v.get("control")][0]
    done = signing.run(
        "grant", str(source), "--campaign", offers[0]["id"], "--variant", variant, "--sub", "cus_1")
    expect(done.returncode == 0, f"grant: {done.stderr}")
    text, _, signature = done.stdout.strip().rpartition(".")
    verify(publics["grant"], text, signature)


def openssl(folder):
    keys = folder / "openssl"
    keys.mkdir(mode=0o700)
    publics = {}
    for use, kid in USES.items():
        path = keys / f"{kid}.pem"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", str(path)], check=True, capture_output=True)
        publics[use] = serialization.load_pem_private_key(
            path.read_bytes(), None).public_key()
    signing = Signing(
        folder, SIGNERS / "openssl-signer", {"GRONA_OPENSSL_KEYS": str(keys)})
    judge(signing, publics)
    (keys / f"{USES['config']}.pem").unlink()
    signing.refused(signing.sign(2), 78, "key.refused", "there is no")


class KeyService:
    """moto on a port of its own, with an access key that may use KMS and nothing else."""

    def __init__(self, folder):
        self.switch = folder / "digest-is-signed"
        self.switch.touch()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        # The first three requests may be anybody's; from then on signatures are checked.
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "scripts" / "judges.d" / "moto_kms.py"), str(self.port),
             str(self.switch)],
            env={**os.environ, "INITIAL_NO_AUTH_ACTION_COUNT": "3"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            except OSError:
                expect(
                    time.monotonic() < deadline and self.process.poll() is None,
                    "moto does not start")
                time.sleep(0.1)

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=20)

    def access(self):
        """An access key of a new user, by moto's own client."""
        import boto3
        iam = boto3.client(
            "iam", endpoint_url=self.endpoint, region_name="eu-west-1",
            aws_access_key_id="nobody", aws_secret_access_key="nothing")
        iam.create_user(UserName="signer")
        policy = {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "kms:*", "Resource": "*"}]}
        iam.put_user_policy(
            UserName="signer", PolicyName="kms", PolicyDocument=json.dumps(policy))
        made = iam.create_access_key(UserName="signer")["AccessKey"]
        return made["AccessKeyId"], made["SecretAccessKey"]

    def keys(self, access):
        import boto3
        kms = boto3.client(
            "kms", endpoint_url=self.endpoint, region_name="eu-west-1",
            aws_access_key_id=access[0], aws_secret_access_key=access[1])
        made, publics = {}, {}
        for use, kid in USES.items():
            made[kid] = kms.create_key(
                KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")["KeyMetadata"]["KeyId"]
            publics[use] = serialization.load_der_public_key(
                kms.get_public_key(KeyId=made[kid])["PublicKey"])
        return made, publics


def key_service(folder):
    service = KeyService(folder)
    try:
        access = service.access()
        made, publics = service.keys(access)
        settings = folder / "aws-kms.json"
        settings.write_text(json.dumps(
            {"region": "eu-west-1", "endpoint": service.endpoint, "keys": made}))
        right = {
            "GRONA_AWS_KMS": str(settings), "AWS_ACCESS_KEY_ID": access[0],
            "AWS_SECRET_ACCESS_KEY": access[1],
        }
        signing = Signing(folder, SIGNERS / "aws-kms-signer", right)
        judge(signing, publics)
        from_file = folder / "credentials"
        from_file.write_text(
            f"[default]\naws_access_key_id = {access[0]}\naws_secret_access_key = {access[1]}\n")
        reading = {name: right[name] for name in right if not name.startswith("AWS_")}
        reading["AWS_SHARED_CREDENTIALS_FILE"] = str(from_file)
        other = Signing(folder, SIGNERS / "aws-kms-signer", reading)
        done = other.sign(2)
        expect(done.returncode == 0, f"credentials of a file: {done.stderr}")

        # A service that hashes once more: the signature is valid for something else.
        service.switch.unlink()
        signing.refused(signing.sign(3), 70, "signature.invalid")
        service.switch.touch()
        wrong = {"AWS_SECRET_ACCESS_KEY": "no-secret-of-this-service"}
        signing.refused(signing.sign(4, **wrong), 77, "key.refused", "SignatureDoesNotMatch")
        expect(
            wrong["AWS_SECRET_ACCESS_KEY"] not in signing.sign(4, **wrong).stderr,
            "a secret is shown")
        settings.write_text(json.dumps(
            {"region": "eu-west-1", "endpoint": service.endpoint, "keys": {}}))
        signing.refused(signing.sign(5), 78, "key.refused", USES["config"])
    finally:
        service.end()
    settings.write_text(json.dumps(
        {"region": "eu-west-1", "endpoint": service.endpoint, "keys": made}))
    signing.refused(signing.sign(6), 69, "key.refused", "127.0.0.1")


with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    for part in (openssl, key_service):
        folder = top / part.__name__
        folder.mkdir()
        part(folder)
        print(f"{part.__name__.replace('_', ' ')}: config and grant signed, refusals as told")
