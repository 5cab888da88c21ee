"""Signatures over PKCS#11 modules, each verified, beside a bare loop in C.

Called by `scripts/bench pkcs11`; see there.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse

from contest import Contestant, measure

HERE = pathlib.Path(__file__).parent
GOAL = 0.9
ROUNDS = 25
PIN = "1234"
SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so"


def library(name):
    """The path of a module."""
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"):
        path = pathlib.Path(folder, name)
        if path.exists():
            return str(path)
    raise RuntimeError(f"{name} is missing")


class Token:
    """A token in a folder, with one key called `bench`."""

    def __init__(self, folder, module, label="grona", init="", environment=None):
        self.folder = pathlib.Path(folder)
        self.module = module
        self.label = label
        self.init = init
        self.environment = {**os.environ, **(environment or {})}
        self.pin_file = self.folder / "pin"
        self.pin_file.write_text(PIN + "\n")
        self.pin_file.chmod(0o600)
        self.spki = self.folder / "bench.der"
        self.helpers = []

    def run(self, *command):
        subprocess.run(
            command, env=self.environment, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, timeout=60)

    def beside(self, *command):
        self.helpers.append(subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL))

    def make_key(self, tool):
        words = [tool, self.module, self.init, self.label, PIN]
        self.run(*words, "generate", "p256", "bench", "01")
        point = subprocess.run(
            [*words, "point", "bench"], env=self.environment, check=True, text=True,
            capture_output=True).stdout.strip()
        # SubjectPublicKeyInfo of P-256 around the last 65 bytes (RFC 5480).
        self.spki.write_bytes(bytes.fromhex(
            "3059301306072a8648ce3d020106082a8648ce3d030107034200" + point[-130:]))

    @property
    def uri(self):
        quote = urllib.parse.quote
        uri = f"pkcs11:token={quote(self.label)};object=bench?module-path={quote(self.module)}"
        uri += f"&pin-source=file:{quote(str(self.pin_file))}"
        return uri + (f"&x-grona-init={quote(self.init)}" if self.init else "")

    def end(self):
        for helper in self.helpers:
            helper.terminate()
            helper.wait()


def softhsm(folder):
    tokens = pathlib.Path(folder, "tokens")
    tokens.mkdir()
    conf = pathlib.Path(folder, "softhsm2.conf")
    conf.write_text(f"directories.tokendir = {tokens}\nobjectstore.backend = file\nlog.level = ERROR\n")
    token = Token(folder, SOFTHSM, environment={"SOFTHSM2_CONF": str(conf)})
    token.run(
        "softhsm2-util", "--init-token", "--free", "--label", "grona", "--so-pin", "12345678",
        "--pin", PIN)
    return token


def nss(folder):
    init = f"configdir='sql:{folder}/db' certPrefix='' keyPrefix='' secmod='secmod.db'"
    token = Token(folder, library("libsoftokn3.so"), "NSS Certificate DB", init)
    pathlib.Path(folder, "db").mkdir()
    token.run("certutil", "-N", "-d", f"sql:{folder}/db", "-f", str(token.pin_file))
    return token


def remote(folder):
    token = softhsm(folder)
    socket = pathlib.Path(folder, "socket")
    token.beside(
        "p11-kit", "server", "--foreground", "--name", str(socket), "--provider", SOFTHSM,
        "pkcs11:token=grona")
    wait_for(socket)
    token.module = library("pkcs11/p11-kit-client.so")
    token.environment["P11_KIT_SERVER_ADDRESS"] = f"unix:path={socket}"
    return token


def tpm(folder):
    port = random.randrange(10_000, 16_000) * 2
    for name in ("state", "store"):
        pathlib.Path(folder, name).mkdir()
    address = f"swtpm:host=127.0.0.1,port={port}"
    token = Token(folder, library("pkcs11/libtpm2_pkcs11.so"), environment={
        "TPM2_PKCS11_TCTI": address, "TPM2_PKCS11_STORE": f"{folder}/store",
        "TSS2_LOG": "all+NONE"})
    pid = pathlib.Path(folder, "pid")
    token.beside(
        "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={folder}/state", "--server",
        f"type=tcp,port={port},bindaddr=127.0.0.1", "--ctrl",
        f"type=tcp,port={port + 1},bindaddr=127.0.0.1", "--flags",
        "not-need-init,startup-clear", "--pid", f"file={pid}")
    wait_for(pid)
    tool = ["pkcs11-tool", "--module", token.module]
    token.run(*tool, "--slot-index", "0", "--init-token", "--label", "grona", "--so-pin", "87654321")
    token.run(
        *tool, "--token-label", "grona", "--login", "--login-type", "so", "--so-pin", "87654321",
        "--init-pin", "--pin", PIN)
    return token


def wait_for(path):
    for _ in range(100):
        if path.exists():
            return
        time.sleep(0.05)
    raise RuntimeError(f"{path} does not come")


def compile(source, output, *more):
    subprocess.run(
        ["gcc", "-O2", "-Wall", "-Werror", "-I/usr/include/p11-kit-1", "-o", output, source, *more],
        check=True)


def contest(bench, loop, mine, other):
    """The medians of ours, of the bare loop and of their ratio."""
    words = (other.module, other.init, other.label, other.pin_file, "bench", other.spki)
    peer = Contestant(loop, *map(str, words), environment=other.environment)
    ours = Contestant(bench, "pkcs11", mine.uri, str(mine.spki), environment=mine.environment)
    medians = measure(ours, peer, "sign", ROUNDS)
    ours.end()
    peer.end()
    return medians


def main():
    bench = sys.argv[1]
    below = False
    print(f"{'module':15} {'ours':>11} {'bare loop':>11}  ratio (goal {GOAL} on SoftHSM)")
    with tempfile.TemporaryDirectory() as root:
        loop, tool = f"{root}/loop", f"{root}/token"
        compile(HERE / "pkcs11.c", loop, "-lcrypto")
        compile(HERE.parents[1] / "Tests/MisbehavingModule/token.c", tool)
        for name, make in [
            ("SoftHSM", softhsm), ("NSS", nss), ("p11-kit server", remote), ("TPM", tpm),
        ]:
            # A token for each: a TPM without a resource manager serves one process.
            tokens = []
            try:
                for side in ("ours", "peer"):
                    folder = pathlib.Path(root, make.__name__ + "-" + side)
                    folder.mkdir()
                    tokens.append(make(folder))
                    tokens[-1].make_key(tool)
                first, second, ratio = contest(bench, loop, *tokens)
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                print(f"{name:15} skipped: {error}")
                below = below or name == "SoftHSM"
                continue
            finally:
                for token in tokens:
                    token.end()
            missed = name == "SoftHSM" and ratio < GOAL
            below = below or missed
            print(f"{name:15} {1e9 / first:9.0f}/s {1e9 / second:9.0f}/s  {ratio:.2f}"
                  + (" BELOW" if missed else ""), flush=True)
    return below


if __name__ == "__main__":
    sys.exit(main())
