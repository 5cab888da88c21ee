"""Runs every command that publishes under strace: over a folder, with a signer behind sockets.

Such a publisher may have no network at all (`PrivateNetwork=`, `RestrictAddressFamilies=AF_UNIX`): it
opens no socket but Unix ones, and connects to nothing but the sockets of its signer.
"""

import pathlib
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from places import FilePlace, Host, Loopback, LoopbackPlace  # noqa: E402

W = publishing.WORKSPACE
OFFER = "weekend-offer"
VERBS = {
    "renew": ["renew", "--batch"], "kill": ["renew", "--batch", "--allow-disable"],
    "restore": ["restore", "--batch"], "bundle": ["bundle", "--batch"],
}


class Sockets:
    """The signer behind a socket for each verb, started for each connection."""

    def __init__(self, folder, signer):
        self.folder, self.signer = folder, shlex.split(signer)
        self.called = []
        folder.mkdir()
        for name, verb in VERBS.items():
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(folder / name))
            listener.listen()
            threading.Thread(target=self.serve, args=(listener, name, verb), daemon=True).start()

    def serve(self, listener, name, verb):
        while True:
            connection, _ = listener.accept()
            self.called.append(name)
            child = subprocess.Popen([*self.signer, *verb], stdin=connection, stdout=connection,
                                     stderr=subprocess.DEVNULL)
            connection.close()
            threading.Thread(target=child.wait, daemon=True).start()


def sockets(trace):
    """The families of all sockets that were made, and the addresses that were connected to."""
    text = pathlib.Path(trace).read_text(errors="replace")
    families = re.findall(r"\bsocket(?:pair)?\((\w+)", text)
    connected = re.findall(r"\bconnect\(\d+, (\{[^}]*\})", text)
    unknown = [line for line in text.splitlines()
               if re.search(r"\b(sendto|bind|listen|accept4?)\(", line) and "AF_INET" in line]
    return families, connected, unknown


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        (folder / "shop").mkdir()
        shop = publishing.Workshop(folder / "shop")
        signer = shop.built_signer()
        run = folder / "run"
        behind = Sockets(run, signer)
        place = FilePlace(folder / "public")
        host = Host(shop, place, f"unix:{run}")
        trace = folder / "trace"
        pins = str(shop.folder / "pins.json")

        def traced(host, *words):
            answer = publishing.run(
                ["strace", "-f", "-qq", "-e", "trace=%network", "-e", "signal=none", "-o",
                 str(trace), *host.command(*words)], environment=host.place.environment)
            assert answer.returncode == 0, (words, answer.stderr.decode())
            return sockets(trace)

        def pushed(version):
            return shop.adopt(shop.envelope(
                f"v{version}.json", shop.payload(version, settings={"content": version})))

        runs = [
            ("push", pushed(1)), ("push", pushed(2)), ("status", W), ("history", W),
            ("fetch", W), ("diff", "1", "2", "--workspace", W), ("next-version", W),
            ("bundle", W, "--pins", pins, "-o", str(folder / "bundle.json")),
            ("kill", W, OFFER), ("rollback", W, "--to-version", "1"), ("recover", W, "--yes"),
        ]
        made = 0
        for words in runs:
            if words[0] == "recover":
                # A number of another publisher is in the way: the signer is asked for a new one.
                (place.base / "config").unlink()
                (place.base / "versions" / f"{5:016d}.json").write_bytes(
                    shop.sign(shop.payload(5)))
            families, connected, unknown = traced(host, *words)
            assert set(families) <= {"AF_UNIX"} and not unknown, (words, families, unknown)
            assert all(f'sun_path="{run}/' in address for address in connected), (words, connected)
            made += len(families)
        assert behind.called == ["bundle", "kill", "restore", "restore"], behind.called
        assert made == len(behind.called), (made, behind.called)
        # A trace that sees nothing would please everybody.
        with Loopback(folder / "server") as server:
            families, connected, _ = traced(
                Host(shop, LoopbackPlace(server), state="other"), "push", pushed(3))
            assert "AF_INET" in families and any("sin_port" in c for c in connected), families
        print(f"{len(runs)} commands over a folder, {made} of them with a signer behind sockets:"
              " no socket but Unix ones")
    return 0


if __name__ == "__main__":
    sys.exit(main())
