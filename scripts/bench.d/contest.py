"""Programs that take turns, so that both lose equally much to whatever else the machine does."""

import statistics
import subprocess
import sys


class Contestant:
    """A program that does each line for a while and answers with the nanoseconds of one time."""

    def __init__(self, *command, environment=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env=environment)

    def turn(self, operation):
        self.process.stdin.write(operation + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"bench: {self.process.args[0]} ended early")
        return int(answer)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(ours, peer, operation, rounds):
    """The medians of both, in nanoseconds, and of the rounds' ratios, peer to ours.

    The first two rounds do not count. The ratio of neighbours stays when the machine's speed drifts.
    """
    times = ([], [])
    for round in range(rounds + 2):
        for contestant, list in zip((ours, peer), times):
            nanoseconds = contestant.turn(operation)
            if round >= 2:
                list.append(nanoseconds)
    ratios = [second / first for first, second in zip(*times)]
    return [statistics.median(list) for list in (*times, ratios)]
