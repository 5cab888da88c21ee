"""How grona-publish ends when something is wrong around it: the status, the code, and no trap."""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402

checks = 0


def ends(result, status, code=None):
    """The exit status and the code, as text and as one JSON line."""
    global checks
    checks += 1
    errors = result.stderr.decode()
    assert result.returncode == status, (result.args, result.returncode, errors)
    if code is not None:
        assert f"[{code}]" in errors or f'"code":"{code}"' in errors, (result.args, errors)


def main():
    program = publishing.program()
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        (folder / "shop").mkdir()
        shop = publishing.Workshop(folder / "shop")
        store = publishing.Store(shop)
        common = publishing.arguments(shop, store)
        documents = {v: shop.envelope(f"v{v}.json", shop.payload(v)) for v in (1, 2, 3)}

        def call(*words, **options):
            return publishing.run([program, *words], cwd=shop.folder, **options)

        def push(version, *more, **options):
            return call("push", documents[version], "--to", store.address, *common, *more, **options)

        def as_nobody(*words):
            return publishing.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                 program, *words], cwd="/")

        # Use.
        ends(call("push"), 64)
        ends(push(1, "--expect-version", "007"), 64)
        ends(push(1, "--expect-version", "+1"), 64)
        ends(push(1, "--no-such-option"), 64)
        ends(push(1, "--now", "1793264400"), 64)
        # Input.
        ends(call("push", "missing.json", "--to", store.address, *common), 66)
        ends(call("push", str(shop.folder), "--to", store.address, *common), 66)
        for name, data in {
            "empty": b"", "binary": bytes(range(256)), "truncated": b'{"protected":"e30',
            "bom": b"\xef\xbb\xbf{}", "utf16": '{"a":1}'.encode("utf-16"),
            "deep": b"[" * 100_000, "twice": b'{"payload":"","payload":"","signature":""}',
            "array": b"[]", "no-base64": b'{"payload":"=","protected":"","signature":""}',
        }.items():
            (shop.folder / name).write_bytes(data)
            ends(call("push", name, "--to", store.address, *common), 65)
            ends(call("push", "--json", name, "--to", store.address, *common), 65)
        with open(shop.folder / "huge", "wb") as file:
            file.truncate(1 << 30)
        ends(call("push", "huge", "--to", store.address, *common), 65, "input.too-large")
        # Rules.
        aged = shop.envelope("aged.json", shop.payload(1, issued=1_790_000_000, lifetime=30_000_000))
        ends(call("push", aged, "--to", store.address, *common), 65, "push.aged")
        demo = shop.envelope("demo.json", shop.payload(1, settings={"demo": True}))
        ends(call("push", demo, "--to", store.address, *common), 65, "settings.demo")
        expired = shop.envelope("expired.json", shop.payload(1, issued=1_790_000_000, lifetime=60))
        ends(call("push", expired, "--to", store.address, *common), 65, "payload.expired")
        stranger = publishing.Workshop.__new__(publishing.Workshop)
        stranger.__dict__.update(shop.__dict__)
        stranger.key = publishing.ec.generate_private_key(publishing.ec.SECP256R1())
        forged = stranger.envelope("forged.json", shop.payload(1))
        ends(call("push", forged, "--to", store.address, *common), 65, "signature.invalid")
        # A private key at hand.
        keyring = shop.keys / shop.workspace / "keyring.json"
        public = keyring.read_bytes()
        keyring.write_bytes(public.replace(b"credential:none", b"file:private.pem"))
        result = push(1, "--dry-run")
        ends(result, 0)
        assert b"key.readable" not in result.stderr, result.stderr
        (keyring.parent / "private.pem").write_bytes(b"-")
        result = push(1, "--dry-run")
        ends(result, 0, "key.readable")
        ends(push(1, "--dry-run", "--strict"), 65, "key.readable")
        (keyring.parent / "private.pem").unlink()
        keyring.write_bytes(public)
        # Store.
        ends(call("push", documents[1], "--to", "file:/no/such", *common), 66, "store.missing")
        ends(call("push", documents[1], "--to", "https://example.com", *common), 78)
        ends(call("push", documents[1], "--to", f"file:{documents[1]}", *common), 66)
        ends(push(1, "--ledger", "s3://bucket"), 78)
        ends(call("fetch", shop.workspace, "--from", store.address, "--keys", str(shop.keys)), 66)
        ends(publishing.run([program, "push", documents[1], *common], cwd="/"), 78,
             "settings.store")
        ends(push(1), 0)
        ends(push(1), 0)
        ends(push(2, "--expect-version", "7"), 75, "served.unexpected")
        # Output.
        fetch = ["fetch", shop.workspace, "--from", store.address, "--keys", str(shop.keys)]
        with open("/dev/full", "wb") as full:
            for words in (["push", documents[1], "--to", store.address, *common], fetch,
                          ["status", "--from", store.address, *common], ["help"], ["man"]):
                result = subprocess.run([program, *words], stdout=full, stderr=subprocess.PIPE)
                ends(result, 74)
        reading, writing = os.pipe()
        os.close(reading)
        result = subprocess.run([program, *fetch], stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        ends(result, 74)
        ends(call(*fetch, "-o", "out.json"), 0)
        ends(call(*fetch, "-o", "out.json"), 73)
        ends(call(*fetch, "-o", "out.json", "--force"), 0)
        ends(call(*fetch, "-o", "/dev/null", "--force"), 73)
        ends(call(*fetch, "-o", "."), 73)
        os.symlink("out.json", shop.folder / "linked.json")
        ends(call(*fetch, "-o", "linked.json", "--force"), 73)
        # The signer.
        bundle = ["bundle", shop.workspace, "--from", store.address, "--pins",
                  str(shop.folder / "pins.json"), "-o", "bundle.json", *common]
        for signer, status, code in [
            ("/no/such/signer", 69, "signer.unavailable"), ("'open", 78, "signer.command"),
            ("/bin/true", 70, "signer.no-answer"), ("/bin/cat", 70, None),
            ("/bin/sh -c 'exit 77'", 77, "signer.no-answer"),
            ("/bin/sh -c 'echo nonsense'", 70, "signer.malformed"),
            ("/bin/sh -c 'sleep 60'", 69, "signer.timeout"),
        ]:
            ends(call(*bundle, "--signer", signer, "--signer-timeout", "1"), status, code)
            assert not (shop.folder / "bundle.json").exists()
        refusing = """/bin/sh -c 'echo {\\"id\\":\\"1\\",\\"error\\":{\\"code\\":\\"transition.foreign-source\\",\\"message\\":\\"no\\"}}; exit 65'"""
        ends(call(*bundle, "--signer", refusing), 65, "transition.foreign-source")
        ends(call(*bundle, "--signer", shop.signer()), 0)
        served = store.config()
        # A full disk, as far as a limit on file sizes shows it.
        limited = subprocess.run(
            ["/bin/sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$0" "$@"', program, "push",
             documents[2], "--to", store.address, *common], capture_output=True)
        ends(limited, 74)
        assert store.config() == served
        # Permissions: as somebody else, where this runs as root.
        if os.geteuid() == 0 and shutil.which("setpriv"):
            folder.chmod(0o755)
            shop.folder.chmod(0o755)
            other = folder / "other"
            other.mkdir()
            os.chown(other, 65534, 65534)
            words = ["push", documents[2], "--to", store.address, "--keys", str(shop.keys),
                     "--campaigns", str(shop.folder / "campaigns"), "--state", str(other)]
            for path in [shop.folder / "v2.json", *shop.keys.rglob("*"), shop.keys,
                         *(shop.folder / "campaigns").rglob("*"), shop.folder / "campaigns"]:
                path.chmod(0o755 if path.is_dir() else 0o644)
            ends(as_nobody(*words), 77, "store.denied")
            ends(as_nobody(*words[:-1], str(shop.folder / "state")), 66)
            (shop.folder / "v2.json").chmod(0o600)
            ends(as_nobody(*words), 66)
            assert store.config() == served
        else:
            print("exits.py: not root, so the permission cases are left out")
        # A folder of the store replaced by a link.
        aside = shop.folder / "aside"
        store.base.rename(aside)
        store.base.symlink_to(aside)
        ends(push(2), 66, "store.link")
        ends(call(*fetch), 66, "store.link")
        store.base.unlink()
        aside.rename(store.base)
        # What is served is bad.
        config = store.base / "config"
        for data in (b"", b"<html>", served[:-20], os.urandom(2_000_000)):
            config.write_bytes(data)
            ends(call(*fetch), 76)
            ends(call(*bundle, "--force", "--signer", shop.signer()), 76)
            ends(call("status", "--from", store.address, *common), 1)
        ends(push(2), 0)
        ends(push(1), 65, "version.not-above")
        config.write_bytes(served)
        ends(call(*bundle, "--force", "--signer", shop.signer()), 76, "served.rolled-back")
        result = call("status", "--json", "--from", store.address, *common)
        ends(result, 1)
        assert "served.rolled-back" in json.loads(result.stdout)["workspaces"][0]["alarms"]
        ends(push(3), 0)
        ends(call("status", "--from", store.address, *common), 0)
        ends(call(*bundle, "--force", "--signer", shop.signer()), 0)
        # A lock that somebody holds.
        fourth = shop.envelope("v4.json", shop.payload(4))
        descriptor = os.open(store.base, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        result = call("push", fourth, "--to", store.address, *common)
        ends(result, 75, "lock.held")
        assert str(os.getpid()) in result.stderr.decode(), result.stderr
        os.close(descriptor)
        ends(call("push", fourth, "--to", store.address, *common), 0)
    print(f"{checks} calls ended as they should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
