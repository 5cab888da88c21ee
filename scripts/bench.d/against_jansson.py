"""Reading and canonical writing of a config payload, beside jansson.

Called by `scripts/bench json`; see there.
"""

import pathlib
import subprocess
import sys
import tempfile

from contest import Contestant, measure

HERE = pathlib.Path(__file__).parent
FORMS = ["source", "indented", "canonical"]
ROUNDS = 30
GOAL = 5


def main():
    bench = sys.argv[1]
    below = False
    print(f"{'payload':10} {'bytes':>7}  {'':5} {'ours':>11} {'jansson':>11}  ratio (goal {GOAL})")
    with tempfile.TemporaryDirectory() as folder:
        jansson = f"{folder}/jansson"
        subprocess.run(
            ["gcc", "-O2", "-Wall", "-Werror", "-o", jansson, HERE / "jansson.c", "-ljansson"],
            check=True)
        for form in FORMS:
            file = pathlib.Path(folder, form + ".json")
            with file.open("wb") as output:
                subprocess.run(
                    [sys.executable, HERE / "payload.py", form], stdout=output, check=True)
            size = file.stat().st_size
            ours, peer = Contestant(bench, "json", file), Contestant(jansson, file)
            for operation in ("read", "write"):
                first, second, _ = measure(ours, peer, operation, ROUNDS)
                speeds = [size * 1e3 / time for time in (first, second)]
                ratio = second / first
                below = below or ratio < GOAL
                print(f"{form:10} {size:7}  {operation:5} {speeds[0]:6.0f} MB/s "
                      f"{speeds[1]:6.0f} MB/s  {ratio:.1f}" + (" BELOW" if ratio < GOAL else ""))
            ours.end()
            peer.end()
    return below


if __name__ == "__main__":
    sys.exit(main())
