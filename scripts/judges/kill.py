"""Kills grona-publish at every system call that writes, and looks at what is left.

The signal comes before the call. After each kill an observer checks what anybody can see; then the
same command runs again and has to succeed without a flag. strace counts the calls of each name by
itself, so there is one loop a name, as long as a counting run says.
"""

import collections
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from tracing import points, traced  # noqa: E402

def judge(name, folder, prepare, command, served, extra=lambda: None):
    """Kills one command at each point, from the same beginning each time.

    served: the version, or versions, that may be served at the end.
    """
    served = [served] if isinstance(served, int) else served
    start = folder / "start"
    work = folder / "work"
    for place in (start, work):
        shutil.rmtree(place, ignore_errors=True)
    shop = prepare(work)
    shutil.move(work, start)

    def fresh():
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(start, work)

    fresh()
    found = points(command(work), folder)
    killed = 0
    for call, number in found:
        fresh()
        shop.folder = work
        store = publishing.Store(shop)
        before = store.observe()
        result = traced(
            command(work), folder, "-e", f"trace={call}", "-e",
            f"inject={call}:signal=KILL:when={number}")
        assert result.returncode != 0, f"{name}: {call} {number} did not come"
        killed += 1
        between = store.observe()
        assert between == before or between in served, \
            f"{name}: version {between} after {call} {number}"
        again = publishing.run(command(work))
        assert again.returncode == 0, (name, call, number, again.stderr.decode())
        assert store.observe() in served, (name, call, number)
        store.check_modes()
        extra()
    counts = collections.Counter(call for call, _ in found)
    print(f"{name}: killed at {killed} points:",
          ", ".join(f"{call} {count}" for call, count in sorted(counts.items())))
    return killed


def main():
    if shutil.which("strace") is None:
        print("kill.py: strace is not there")
        return 1
    program = publishing.program()
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        work = folder / "work"

        def shop_with(*versions):
            def prepare(place):
                place.mkdir()
                shop = publishing.Workshop(place)
                store = publishing.Store(shop)
                for version in (1, 2):
                    shop.envelope(
                        f"v{version}.json",
                        shop.payload(version, settings={"content": version}))
                shop.signer()
                for version in versions:
                    result = publishing.run(
                        [program, "push", str(place / f"v{version}.json"), "--to", store.address,
                         *publishing.arguments(shop, store)])
                    assert result.returncode == 0, result.stderr.decode()
                return shop
            return prepare

        def options(place):
            return [
                "--keys", str(place / "keys"), "--campaigns", str(place / "campaigns"),
                "--state", str(place / "state"),
            ]

        def push(version):
            return lambda place: [
                program, "push", str(place / f"v{version}.json"), "--to",
                f"file:{place / 'public'}", *options(place),
            ]

        def bundle(place):
            return [
                program, "bundle", publishing.WORKSPACE, "--pins", str(place / "pins.json"),
                "--from", f"file:{place / 'public'}", "--signer", str(place / "signer"),
                "-o", str(place / "bundle.json"), "--force", *options(place),
            ]

        def bundle_is_whole():
            payload = publishing.opened((work / "bundle.json").read_bytes())
            assert payload["version"] == 1, payload

        def change(*words):
            return lambda place: [
                program, *words, "--to", f"file:{place / 'public'}", "--signer",
                str(place / "signer"), *options(place),
            ]

        def lost(*versions):
            """A store of which nothing is left but what the ledger and its envelopes know."""
            def prepare(place):
                shop = shop_with(*versions)(place)
                shutil.rmtree(place / "public" / "v1")
                return shop
            return prepare

        def is_off(value):
            def check():
                config = work / "public/v1/mobile/workspaces" / publishing.WORKSPACE / "config"
                payload = publishing.opened(config.read_bytes())
                assert payload["campaigns"][0]["enabled"] is not value, payload
            return check

        copy = str(folder / "copy.json")

        def kill(place):
            return change("kill", publishing.WORKSPACE, "weekend-offer", "--also-write", copy)(
                place)

        def copy_is_served():
            is_off(True)()
            config = work / "public/v1/mobile/workspaces" / publishing.WORKSPACE / "config"
            assert pathlib.Path(copy).read_bytes() == config.read_bytes()

        total = judge("first push", folder, shop_with(), push(1), 1)
        total += judge("push", folder, shop_with(1), push(2), 2)
        total += judge("bundle", folder, shop_with(1), bundle, 1, bundle_is_whole)
        # A kill in between may use up numbers; each is signed for one content.
        total += judge("kill", folder, shop_with(1), kill, range(2, 9), copy_is_served)
        total += judge(
            "rollback", folder, shop_with(1, 2),
            change("rollback", publishing.WORKSPACE, "--to-version", "1"), range(3, 9),
            is_off(False))
        total += judge(
            "recover", folder, lost(1, 2), change("recover", publishing.WORKSPACE, "--yes"), 2)
    print(f"killed at {total} points; each time the same command again went through")
    return 0


if __name__ == "__main__":
    sys.exit(main())
