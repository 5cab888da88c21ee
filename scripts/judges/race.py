"""Races of publishers on one folder: whatever they do, nobody ever sees anything wrong.

First one publisher is held up before each of its system calls that write, long enough for another
one to run through: only the store's own condition, held at the instant of writing, helps then. The
two have ledgers of their own, so that they share no lock but the store's.

Then come plain races. Each round several processes push different documents, some under the same number, some with a
ledger that nobody else has, while one releases a bundle and a reader looks all the time.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from tracing import points  # noqa: E402

ROUNDS = int(os.environ.get("GRONA_ROUNDS", "200"))
PUBLISHERS = 16
# Done; refused by its number; another one was faster.
ALLOWED = {0: 0, 65: 0, 75: 0}


class Reader(threading.Thread):
    """Reads what is served in a loop, as a web server does."""

    def __init__(self, store):
        super().__init__(daemon=True)
        self.store, self.reads, self.error, self.stopping = store, 0, None, False

    def run(self):
        known, highest = {}, 0
        while not self.stopping:
            # Often, and the publishers still have the processors.
            time.sleep(0.001)
            envelope = self.store.config()
            self.reads += 1
            if envelope is None or envelope in known:
                continue
            try:
                self.store.verify(envelope)
                version = publishing.opened(envelope)["version"]
                assert version > highest, f"served {version} after {highest}"
                highest = known[envelope] = version
            except Exception as error:  # shown by the main thread
                self.error = f"{error!r}: {envelope[:80]!r}"
                return


def held_up():
    """One publisher waits before each call that writes while another one publishes."""
    program = publishing.program()
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        (folder / "count").mkdir()
        counted = publishing.Workshop(folder / "count")
        store = publishing.Store(counted)
        first = [program, "push", counted.envelope("1.json", counted.payload(1)), "--to",
                 store.address, *publishing.arguments(counted, store)]
        assert publishing.run(first).returncode == 0
        second = [program, "push", counted.envelope("2.json", counted.payload(2)), "--to",
                  store.address, *publishing.arguments(counted, store)]
        found = points(second, folder)
        shown = 0
        for number, (call, count) in enumerate(found):
            (folder / f"{number}").mkdir()
            shop = publishing.Workshop(folder / f"{number}")
            store = publishing.Store(shop)
            names = {v: shop.envelope(f"{v}.json", shop.payload(v)) for v in (1, 2, 3)}

            def push(version, state):
                return [program, "push", names[version], "--to", store.address,
                        *publishing.arguments(shop, store, state)]

            assert publishing.run(push(1, "state-a")).returncode == 0
            slow = subprocess.Popen(
                ["strace", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                 f"inject={call}:delay_enter=400000:when={count}", *push(2, "state-a")],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(0.15)
            fast = publishing.run(push(3, "state-b"))
            middle = store.observe()
            _, errors = slow.communicate(timeout=60)
            assert fast.returncode in (0, 65, 75), fast.stderr.decode()
            assert slow.returncode in (0, 65, 75), (call, count, slow.returncode)
            assert 0 in (fast.returncode, slow.returncode), (call, count)
            if b"[served.changed]" in errors or b"[superseded]" in errors:
                assert b"what came in between, from version 1 to 3" in errors, errors.decode()
                shown += 1
            version = store.observe()
            assert version >= middle and version in (2, 3), (call, count, version)
            store.check_modes()
        print(f"one publisher held up at {len(found)} points while another one published;"
              f" {shown} times it showed what came in between")
        assert shown > 0


def main():
    held_up()
    program = publishing.program()
    with tempfile.TemporaryDirectory() as folder:
        shop = publishing.Workshop(folder)
        store = publishing.Store(shop)
        signer = shop.signer()
        reader = Reader(store)
        reader.start()
        version, bundles = 0, 0
        for number in range(ROUNDS):
            children = []
            for index in range(PUBLISHERS):
                path = shop.envelope(
                    f"{index}.json",
                    shop.payload(version + 1 + index % 2, settings={"round": number, "by": index}))
                state = "state" if index < 2 or number % 2 else f"state-{index}"
                children.append([
                    program, "push", path, "--to", store.address,
                    *publishing.arguments(shop, store, state)])
            if version > 0 and number % 10 == 0:
                children.append([
                    program, "bundle", shop.workspace, "--pins", str(shop.folder / "pins.json"),
                    "--from", store.address, "--signer", signer, "--force",
                    "-o", str(shop.folder / "bundle.json"), *publishing.arguments(shop, store)])
            running = [
                subprocess.Popen(child, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for child in children]
            for child in running:
                _, errors = child.communicate(timeout=120)
                assert child.returncode in ALLOWED, (child.returncode, errors.decode())
                ALLOWED[child.returncode] += 1
            before, version = version, store.observe()
            assert version > before, f"round {number}: nobody got through"
            bundles = len(store.names("bundles"))
            assert reader.error is None, reader.error
        reader.stopping = True
        reader.join(10)
        assert reader.error is None, reader.error
        store.check_modes()
    counts = ", ".join(f"{count} ended with {code}" for code, count in sorted(ALLOWED.items()))
    print(f"{ROUNDS} rounds of {PUBLISHERS} publishers: {counts}; version {version},"
          f" {bundles} bundles, {reader.reads} reads, never anything wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
