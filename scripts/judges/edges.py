"""`--verify-url` against nginx: with the shipped configuration, and with caches before it.

An edge is asked as a device asks: under the condition of the tag that it showed before, and compressed.
One that keeps the old copy is told, with the age of that copy, when --wait is over; the same command
succeeds once the copy is gone. An edge that drops it in time is waited for.
"""

import json
import pathlib
import shutil
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "judges.d"))
import publishing  # noqa: E402
from places import FilePlace, Host, Server, opener  # noqa: E402

W = publishing.WORKSPACE
OFFER = "weekend-offer"
PATH = f"/v1/mobile/workspaces/{W}/config"


def main():
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        folder.chmod(0o755)
        (folder / "shop").mkdir()
        with Server("nginx", folder / "nginx", NGINX_EDGES="1") as server:
            shop = publishing.Workshop(folder / "shop")
            place = FilePlace(server.root)
            place.environment["GRONA_CA"] = server.ca
            host = Host(shop, place, shop.built_signer())
            client = opener(server.ca)
            origin, slow, quick = (url + PATH for url in (
                server.url, server.slow_url, server.quick_url))
            log = folder / "nginx" / "log" / "access.log"

            def get(url):
                """What a device that takes gzip is shown: the fields, and the bytes as sent."""
                asked = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
                with client.open(asked, timeout=60) as answer:
                    return answer.headers, answer.read()

            def pushed(version):
                return shop.adopt(shop.envelope(
                    f"v{version}.json", shop.payload(version, settings={"content": version})))

            def asked_under(url, tag):
                """The lines of the log with a condition: their status and what the cache had."""
                port = url.split(":")[2].split("/")[0]
                wanted = tag.replace('"', "\\x22")
                lines = [line.split(" ") for line in log.read_text().splitlines()]
                assert all("gzip" in line for line in lines if line[2] == wanted), lines
                return [(line[1], line[-1]) for line in lines
                        if line[0] == port and line[2] == wanted]

            host.run("push", pushed(1))
            old = get(origin)[0]["ETag"]
            file = pushed(2)
            done = host.json("push", file, "--verify-url", origin)
            assert [v["visible"] for v in done["visible"]] == [True], done
            assert ("200", "-") in asked_under(origin, old), log.read_text()

            # A cache that keeps the old copy for an hour.
            fields, _ = get(slow)
            assert fields["Content-Encoding"] == "gzip" and fields["ETag"].startswith("W/"), fields
            tag, file = fields["ETag"], pushed(3)
            push = ("push", file, "--verify-url", origin, "--verify-url", slow, "--wait", "2s")
            started = time.monotonic()
            answer = json.loads(host.run(*push, "--json", status=75).stdout)
            took = time.monotonic() - started
            assert answer["result"] == "published" and answer["code"] == "edge.stale", answer
            shown = {v["url"]: v for v in answer["visible"]}
            assert shown[origin]["visible"] and not shown[slow]["visible"], answer
            assert shown[slow]["milliseconds"] is None and shown[slow]["age"] >= 2, answer
            assert took >= 2, took
            assert place.read("config") == pathlib.Path(file).read_bytes()
            assert ("304", "HIT") in asked_under(slow, tag), log.read_text()
            # The same command again says the same, in words: done already, and not seen there.
            said = host.run(*push, status=75, code="edge.stale").stderr.decode()
            assert slow in said and "still shows the old config, of age " in said, said
            assert "run the same command again" in said, said
            # The copy is cleared, as the help says.
            shutil.rmtree(folder / "nginx" / "tmp" / "cache")
            (folder / "nginx" / "tmp" / "cache").mkdir(mode=0o777)
            host.run(*push)

            # A kill waits for an edge that drops its copy by itself.
            get(quick)
            done = host.json("kill", W, OFFER, "--verify-url", quick, "--verify-url", origin,
                             "--wait", "10m")
            visible = {v["url"]: v["milliseconds"] for v in done["visible"] if v["visible"]}
            assert set(visible) == {quick, origin}, done
            # And so do a rollback and a recovery.
            get(quick)
            host.run("rollback", W, "--to-version", "1", "--verify-url", quick, "--wait", "10m")
            get(quick)
            place.put("config", b"{}")
            host.run("recover", W, "--yes", "--verify-url", quick, "--wait", "10m")
            print(f"nginx: shown at once; a cache that keeps the old copy is told with its age, after"
                  f" {took:.1f} s of 2 s; one that drops it after 3 s is waited for, a kill"
                  f" {visible[quick] / 1000:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
