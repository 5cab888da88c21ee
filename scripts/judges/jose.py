"""Has other libraries verify what grona-sign signs, and grona-sign verify what they sign.

    PYTHON scripts/judges/jose.py [PATH/TO/grona-sign]

PYTHON has `cryptography`, `joserfc` and `jwcrypto`; the commands `jose` and `openssl` are on the
path. The program is `.build/dist/grona-sign` when none is named. With GRONA_DEMO set to the folder
that `scripts/demo --keep` filled, its envelopes and its grant are judged as well.

1. Keys made by `openssl ecparam`, `openssl genpkey` and `jose jwk gen`, plain and encrypted, and by
   grona-sign: imported, each has the thumbprint (RFC 7638) that `jose jwk thp` gives.
2. A config, a grant and a preview pin by grona-sign under each key: OpenSSL, jose, jwcrypto and
   joserfc find the signature valid, find the payload the same, and refuse it when one bit of the
   payload or of the signature is changed.
3. The same payload and claims signed by jose, jwcrypto and joserfc: `grona-sign verify` accepts
   them, and refuses them with one bit changed.

Ends with 0 when all of that holds; else says what does not and ends with 1.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat, PublicFormat,
    load_der_public_key, load_pem_private_key)
from joserfc import jws as joserfc_jws
from joserfc.jwk import ECKey
from jwcrypto import jwk as jwcrypto_jwk, jws as jwcrypto_jws

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSPHRASE = b"correct horse battery staple"
WORKSPACE = "acme-market"
failures = []
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        failures.append(what)
        print(f"FAILED: {what}")


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def run(*command, data=None, env=None):
    return subprocess.run([str(word) for word in command], input=data, capture_output=True,
                          env=env, timeout=60)


def output(*command, data=None):
    answer = run(*command, data=data)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {answer.stderr.decode(errors='replace')}")
    return answer.stdout


class PublicKey:
    """One public half in the form that each judge takes."""

    def __init__(self, spki, folder):
        key = load_der_public_key(spki)
        numbers = key.public_numbers()
        self.spki = spki
        self.jwk = {"kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32)),
                    "y": b64(numbers.y.to_bytes(32))}
        self.pem = folder / "public.pem"
        self.pem.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        self.file = folder / "public.jwk"
        self.file.write_text(json.dumps(self.jwk))

    def thumbprint(self):
        return output("jose", "jwk", "thp", "-i", self.file).decode().strip()


class Judges:
    """What others say of a signature: the payload they found, or None."""

    def __init__(self, key, folder):
        self.key, self.folder = key, folder
        self.registry = joserfc_jws.JWSRegistry()
        self.registry.max_payload_length = 1 << 20

    def openssl(self, parts, _):
        raw = unb64(parts["signature"])
        if len(raw) != 64:
            return None
        signature = self.folder / "signature.der"
        signature.write_bytes(
            encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:])))
        text = f"{parts['protected']}.{parts['payload']}".encode()
        answer = run("openssl", "dgst", "-sha256", "-verify", self.key.pem, "-signature",
                     signature, data=text)
        return unb64(parts["payload"]) if answer.returncode == 0 else None

    def jose(self, parts, compact):
        text = compacted(parts) if compact else json.dumps(parts)
        answer = run("jose", "jws", "ver", "-i", "-", "-k", self.key.file, "-O", "-",
                     data=text.encode())
        return answer.stdout if answer.returncode == 0 else None

    def jwcrypto(self, parts, compact):
        token = jwcrypto_jws.JWS()
        try:
            token.deserialize(compacted(parts) if compact else json.dumps(parts),
                              jwcrypto_jwk.JWK(**self.key.jwk), alg="ES256")
            return token.payload
        except (jwcrypto_jws.InvalidJWSSignature, jwcrypto_jws.InvalidJWSObject):
            return None

    def joserfc(self, parts, compact):
        key = ECKey.import_key(self.key.jwk)
        try:
            if compact:
                return joserfc_jws.deserialize_compact(
                    compacted(parts), key, registry=self.registry).payload
            return joserfc_jws.deserialize_json(dict(parts), key, registry=self.registry).payload
        except Exception:  # every refusal of joserfc has a class of its own
            return None

    def judge(self, parts, compact, what):
        payload = unb64(parts["payload"])
        changed = dict(parts, payload=b64(bytes([payload[0], payload[1] ^ 1]) + payload[2:]))
        raw = unb64(parts["signature"])
        broken = dict(parts, signature=b64(raw[:40] + bytes([raw[40] ^ 1]) + raw[41:]))
        check(len(raw) == 64, f"{what}: the signature has {len(raw)} bytes")
        for judge in (self.openssl, self.jose, self.jwcrypto, self.joserfc):
            name = judge.__name__
            check(judge(parts, compact) == payload, f"{what}: {name} does not verify it")
            check(judge(changed, compact) is None, f"{what}: {name} takes another payload")
            check(judge(broken, compact) is None, f"{what}: {name} takes another signature")


def compacted(parts):
    return f"{parts['protected']}.{parts['payload']}.{parts['signature']}"


def split(token):
    protected, payload, signature = token.split(".")
    return {"protected": protected, "payload": payload, "signature": signature}


def make_key(kind):
    """A private key in PEM, and whether it is encrypted."""
    if kind == "openssl ecparam":
        return output("openssl", "ecparam", "-name", "prime256v1", "-genkey"), False
    if kind == "openssl ecparam, no parameters, CRLF":
        pem = output("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout")
        return pem.replace(b"\n", b"\r\n"), False
    if kind == "openssl genpkey":
        return output("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                      "ec_paramgen_curve:P-256"), False
    if kind == "openssl genpkey, encrypted":
        return output("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                      "ec_paramgen_curve:P-256", "-aes256", "-pass",
                      f"pass:{PASSPHRASE.decode()}"), True
    if kind == "cryptography, encrypted":
        key = ec.generate_private_key(ec.SECP256R1())
        return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8,
                                 BestAvailableEncryption(PASSPHRASE)), True
    made = json.loads(output("jose", "jwk", "gen", "-i", '{"alg":"ES256"}'))
    key = ec.derive_private_key(int.from_bytes(unb64(made["d"])), ec.SECP256R1())
    check(b64(key.public_key().public_numbers().x.to_bytes(32)) == made["x"], "jose's own halves")
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), False


def sign_as(library, payload, header, private, folder, compact):
    """The parts of a JWS that another library signed."""
    numbers = private.private_numbers()
    jwk = {"kty": "EC", "crv": "P-256", "x": b64(numbers.public_numbers.x.to_bytes(32)),
           "y": b64(numbers.public_numbers.y.to_bytes(32)),
           "d": b64(numbers.private_value.to_bytes(32))}
    if library == "jose":
        file = folder / "private.jwk"
        file.write_text(json.dumps(jwk))
        template = json.dumps({"protected": header})
        text = output("jose", "jws", "sig", "-I", "-", "-s", template, "-k", file,
                      *(["-c"] if compact else []), data=payload).decode()
    elif library == "jwcrypto":
        token = jwcrypto_jws.JWS(payload)
        token.add_signature(jwcrypto_jwk.JWK(**jwk), None, json.dumps(header), None)
        text = token.serialize(compact=compact)
    elif compact:
        text = joserfc_jws.serialize_compact(header, payload, ECKey.import_key(jwk))
    else:
        return dict(joserfc_jws.serialize_json(
            {"protected": header}, payload, ECKey.import_key(jwk)))
    return split(text.strip()) if compact else json.loads(text)


class Signer:
    """grona-sign with a folder of its own for keys and state."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("GRONA_") and name != "CREDENTIALS_DIRECTORY"}
        shutil.copytree(ROOT / "campaigns", folder / "campaigns")
        (folder / "keys" / WORKSPACE).mkdir(parents=True, mode=0o755)
        passphrase = folder / "passphrase"
        passphrase.touch(mode=0o600)
        passphrase.write_bytes(PASSPHRASE + b"\n")
        self.shared = ["--keys", folder / "keys", "--state", folder / "state"]
        self.passphrase = ["--passphrase-file", passphrase]

    def try_run(self, *arguments, data=None):
        return run(self.program, *arguments, data=data, env=self.environment)

    def run(self, *arguments, data=None):
        answer = self.try_run(*arguments, data=data)
        if answer.returncode != 0:
            sys.exit(f"grona-sign {' '.join(map(str, arguments))}: exit {answer.returncode}: "
                     f"{answer.stderr.decode(errors='replace')}")
        return answer.stdout

    def add(self, use, kid, pem):
        """Records a key, or makes one; answers its record in the keyring."""
        name = f"{kid}.pem"
        if pem is not None:
            file = self.folder / "keys" / WORKSPACE / name
            file.touch(mode=0o600)
            file.write_bytes(pem)
        self.run("keys", "generate" if pem is None else "import", "--workspace", WORKSPACE,
                 "--use", use, "--kid", kid, "--signer", f"file:{name}", *self.shared,
                 *self.passphrase)
        ring = json.loads((self.folder / "keys" / WORKSPACE / "keyring.json").read_text())
        return next(key for key in ring["keys"] if key["kid"] == kid)


def judge_key(kind, program, folder):
    signer = Signer(program, folder)
    records = {}
    for use in ("config", "grant"):
        pem, _ = (None, False) if kind == "grona-sign" else make_key(kind)
        records[use] = signer.add(use, f"{use}-key", pem)
    keys = {}
    for use, record in records.items():
        place = folder / use
        place.mkdir()
        keys[use] = PublicKey(base64.b64decode(record["public"]), place)
        check(record["thumbprint"] == keys[use].thumbprint(),
              f"{kind}: the thumbprint of the {use} key is not jose's")
    pins = folder / "pins.json"
    pins.write_text(json.dumps({
        "format": 1, "workspace": WORKSPACE,
        **{use: [{"kid": record["kid"], "public": record["public"]}]
           for use, record in records.items()}}))

    campaigns = folder / "campaigns"
    envelope_file = folder / "config.json"
    shared = [*signer.shared, *signer.passphrase, "--campaigns", campaigns]
    signer.run("config", campaigns / WORKSPACE, "--version", "1", "-o", envelope_file, *shared)
    text = envelope_file.read_bytes()
    envelope = json.loads(text)
    check(list(envelope) == ["protected", "payload", "signature"] and b"\n" not in text,
          f"{kind}: the config is one line with its members in order")
    token = signer.run("grant", envelope_file, "--campaign", "weekend-offer", "--variant", "B",
                       "--sub", "cus_7Hq2Lm9x", *shared).decode().strip()
    preview = signer.run("preview", envelope_file, "--campaign", "weekend-offer", "--variant", "B",
                         *shared).decode().strip()
    config_judges = Judges(keys["config"], folder)
    config_judges.judge(envelope, False, f"{kind}: config")
    Judges(keys["grant"], folder).judge(split(token), True, f"{kind}: grant")
    config_judges.judge(split(preview), True, f"{kind}: preview pin")

    def verify(parts, compact):
        if compact:
            return signer.try_run("verify", "--grant", "-", "--pins", pins,
                                  data=compacted(parts).encode())
        return signer.try_run("verify", "-", "--pins", pins, "--workspace", WORKSPACE,
                              data=json.dumps(parts).encode())

    for use, compact, parts in (("config", False, envelope), ("grant", True, split(token))):
        name = folder / "keys" / WORKSPACE / f"{use}-key.pem"
        pem = name.read_bytes()
        private = load_pem_private_key(
            pem, PASSPHRASE if b"ENCRYPTED" in pem else None)
        header = json.loads(unb64(parts["protected"]))
        payload = unb64(parts["payload"])
        for library in ("jose", "jwcrypto", "joserfc"):
            theirs = sign_as(library, payload, header, private, folder, compact)
            what = f"{kind}: {use} signed by {library}"
            answer = verify(theirs, compact)
            check(answer.returncode == 0,
                  f"{what} is refused: {answer.stdout.decode()}{answer.stderr.decode()}")
            raw = unb64(theirs["signature"])
            broken = dict(theirs, signature=b64(raw[:9] + bytes([raw[9] ^ 1]) + raw[10:]))
            answer = verify(broken, compact)
            check(answer.returncode == 1 and b"signature.invalid" in answer.stdout + answer.stderr,
                  f"{what} is taken with a changed signature")


def judge_demo(demo, folder):
    pins = json.loads((demo / "pins.json").read_text())
    keys = {}
    for use in ("config", "grant"):
        for pin in pins[use]:
            place = folder / pin["kid"]
            place.mkdir()
            keys[pin["kid"]] = PublicKey(base64.b64decode(pin["public"]), place)
    documents = [(file, json.loads((demo / file).read_text()), False)
                 for file in ("version-1.json", "version-2.json", "served.json", "bundle.json")]
    documents.append(("grant.jwt", split((demo / "grant.jwt").read_text().strip()), True))
    for name, parts, compact in documents:
        kid = json.loads(unb64(parts["protected"]))["kid"]
        check(kid in keys, f"the demo's {name} is signed by a key that is not pinned")
        if kid in keys:
            Judges(keys[kid], folder).judge(parts, compact, f"the demo's {name}")


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/dist/grona-sign")
    program = program.resolve()
    for kind in ("grona-sign", "openssl ecparam", "openssl ecparam, no parameters, CRLF",
                 "openssl genpkey", "openssl genpkey, encrypted", "cryptography, encrypted",
                 "jose jwk gen"):
        with tempfile.TemporaryDirectory() as folder:
            judge_key(kind, program, pathlib.Path(folder))
    demo = os.environ.get("GRONA_DEMO")
    if demo:
        with tempfile.TemporaryDirectory() as folder:
            judge_demo(pathlib.Path(demo), pathlib.Path(folder))
    print(f"{checks} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
