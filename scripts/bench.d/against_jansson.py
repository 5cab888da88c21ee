"""Reading and canonical writing of a config payload, beside jansson.

Called by `scripts/bench json`; see there.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FORMS = ["source", "indented", "canonical"]
ROUNDS = 30
GOAL = 5


class Contestant:
    """A program that does each line for a while and answers with the nanoseconds of one time.

    Turns of equal length lose equally much to whatever else the machine does.
    """

    def __init__(self, *command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def turn(self, operation):
        self.process.stdin.write(operation + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"bench: {self.process.args[0]} ended early")
        return int(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(ours, peer, operation):
    times = ([], [])
    for round in range(ROUNDS + 2):
        for contestant, list in zip((ours, peer), times):
            nanoseconds = contestant.turn(operation)
            if round >= 2:
                list.append(nanoseconds)
    return [statistics.median(list) for list in times]


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
                first, second = measure(ours, peer, operation)
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
